import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { readCodeIds, expectNo, expectRefused, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { uploadPicture } from '#tests/support/pictures.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import { createNonOfficial, deleteReceived, finishReceive, queryByShipNo, receive, validateSn } from './contract.ts';

let testApp: TestApp;
let codes: Record<string, number>;
let picture: string;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
});
afterAll(() => testApp.close());
// It belongs to the one row that it is handed in with.
beforeEach(async () => {
  picture = await uploadPicture(testApp, 'warehouse');
});

const asWarehouse = { as: 'warehouse' };
let made = 0;
const newSn = () => `RX19RCV${String(++made).padStart(8, '0')}`;
/** An SN that the archive knows as a device of ours. */
async function archived(more: object = {}, sn = newSn()): Promise<string> {
  const row = { sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1', ...more };
  await testApp.db
    .insertInto('ubs_item_object')
    .values(row)
    .onConflict((it) => it.column('sn').doNothing())
    .execute();
  return sn;
}
type Declared = [salesCode: string, count: number];
/** A bill as the office makes it. */
async function newBill(declared: Declared[] = [['RX19', 2]], change: object = {}) {
  const receiveShipNo = `SFRCV${++made}`;
  const { data } = await testApp.ask<{ mtbId: string }>(
    'POST',
    '/api/rmaMaintainBill/create.json',
    {
      receiveShipNo,
      userName: '宁远矿业',
      btmUserId: 'U1',
      rmaMaintainBillLineList: declared.map(([salesCode, count]) => ({ salesCode, count })),
    },
    { as: 'office' },
  );
  const { mtbId } = data;
  if (Object.keys(change).length > 0) {
    await testApp.db.updateTable('rma_maintain_bill').set(change).where('mtbId', '=', mtbId).execute();
  }
  return { mtbId, receiveShipNo };
}
type Input = InputOf<typeof receive>;
type Line = Input['rmaReceiveBillLineRequestList'][number];
const createLine = (sns: string[], more: Partial<Line> = {}): Line => ({
  rmaReceiveBillLineItemRequestList: sns.map((receiveSn) => ({ receiveSn, depreciation: 'B' })),
  ...more,
});
const take = (mtbId: string, sns: string[], more: Partial<Input> = {}, asking: object = asWarehouse) =>
  testApp.send(receive, { mtbId, rmaReceiveBillLineRequestList: [createLine(sns)], ...more }, asking);
const close = (mtbId: string, asking: object = asWarehouse) =>
  testApp.send(finishReceive, { maintainBillId: mtbId }, asking);
const readStatus = async (mtbId: string) =>
  (
    await testApp.db
      .selectFrom('rma_maintain_bill')
      .select('billStatus')
      .where('mtbId', '=', mtbId)
      .executeTakeFirstOrThrow()
  ).billStatus;
const setStatus = (mtbId: string, billStatus: string) =>
  testApp.db.updateTable('rma_maintain_bill').set({ billStatus }).where('mtbId', '=', mtbId).execute();
const readLines = (mtbId: string) =>
  testApp.db.selectFrom('rma_maintain_bill_line').selectAll().where('mtbId', '=', mtbId).orderBy('id').execute();
const readItems = (mtbId: string) =>
  testApp.db.selectFrom('rma_maintain_bill_line_item').selectAll().where('mtbId', '=', mtbId).orderBy('id').execute();

/** What may not come in: the receipt's own preconditions. Rule: events#e03. */
const cases: [what: string, code: string, snOf: () => Promise<string>][] = [
  ['an empty SN', '100001', async () => ' '],
  ['an SN that can be none', '100015', async () => 'SN 1'],
  ['an SN that the archive does not know', '100002', async () => newSn()],
  ['a board', '100015', () => archived({ type: '1' })],
  ['a scrapped unit', '100006', async () => archived({}, (await unitOnBill(testApp.db, { node: Node.Scrapped })).sn)],
  ['a stock machine of the site', '100009', async () => archived({}, await stockMachine(testApp.db, Node.CanShip))],
  ['a unit that waits for a supervisor', '100009', async () => archived({}, (await heldUnit(testApp.db)).sn)],
  [
    'a unit in the house of another site',
    '100004',
    async () => archived({}, (await unitOnBill(testApp.db, { node: Node.AwaitingTest, siteId: 'NB' })).sn),
  ],
  ...nodes
    .filter((it) => it !== Node.Shipped && it !== Node.Scrapped)
    .map((node): [string, string, () => Promise<string>] => [
      `a unit at node ${node}`,
      '100009',
      async () => archived({}, (await unitOnBill(testApp.db, { node })).sn),
    ]),
  [
    'a part of a device in the house',
    '100026',
    async () => {
      const sn = await archived();
      const device = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
      await testApp.db
        .insertInto('ubs_assembly')
        .values({ deviceSn: device.sn, componentSn: sn, componentType: 'COIT000000S0', bindTime: new Date() })
        .execute();
      return sn;
    },
  ],
];

describe('the bill of a parcel', () => {
  const ask = (receiveShipNo: string, asking: object = asWarehouse) =>
    testApp.send(queryByShipNo, { receiveShipNo }, asking);

  it('asks for a session, for the right, and for a bill of the own site', async () => {
    const { receiveShipNo } = await newBill();
    await expectNo('401', () => ask(receiveShipNo, {}));
    await expectNo('100013', () => ask(receiveShipNo, { as: 'tech' }));
    await expectNo('100010', () => ask(receiveShipNo, { as: 'whNB' }));
    await expectNo('100010', () => ask('SF-NOBODY'));
    await expectNo('100001', () => ask('  '));
  });

  it('starts every line with nothing received, and says what came before [W-RCV-10, W-RCV-11]', async () => {
    const { mtbId, receiveShipNo } = await newBill();
    const sn = await archived();
    await take(mtbId, [sn]);
    const { data } = await ask(` ${receiveShipNo.toLowerCase()} `);
    expect(data).toMatchObject({
      mtbId,
      billStatus: '0',
      rmaMaintainBillLineList: [{ salesCode: 'RX19', count: 2, receiveCount: 0, receivedCount: 1 }],
      itemsReceived: [{ receiveSn: sn, salesCode: 'RX19', ivyId: '10', deletable: true }],
    });
  });

  it('warns of a parcel that nobody signed for', async () => {
    const { receiveShipNo } = await newBill();
    expect((await ask(receiveShipNo)).data.warning).toContain(receiveShipNo);
    const parcel = { receiveShipNo, receivePackageCount: 1 };
    await testApp.ask('POST', '/api/rmaArrivalBill/signFor.json', parcel, asWarehouse);
    expect((await ask(receiveShipNo)).data.warning).toBeUndefined();
  });
});

describe('the scan of a device at the dock', () => {
  const scan = (mtbId: string, sn: string, asking: object = asWarehouse) =>
    testApp.send(validateSn, { sn, mtbId }, asking);

  it('asks for a session, for the right, and for a bill of the own site that is open', async () => {
    const { mtbId } = await newBill();
    const sn = await archived();
    await expectNo('401', () => scan(mtbId, sn, {}));
    await expectNo('100013', () => scan(mtbId, sn, { as: 'tech' }));
    await expectNo('100002', () => scan(mtbId, sn, { as: 'whNB' }));
    const closed = await newBill([['RX19', 1]], { billStatus: '3' });
    await expectNo('100012', () => scan(closed.mtbId, sn));
    await setStatus(closed.mtbId, '0');
  });

  it.each(cases)('refuses %s', async (_, code, snOf) => {
    const { mtbId } = await newBill();
    const sn = await snOf();
    await expectNo(code, () => scan(mtbId, sn));
  });

  it('tells what the device is and what happened to it, and writes nothing [W-RCV-15, W-RCV-17]', async () => {
    const { mtbId } = await newBill();
    const past = { deliverTime: new Date(Date.now() - 5 * 86_400_000) };
    const { sn } = await unitOnBill(testApp.db, { node: Node.Shipped, item: past });
    await archived({ warrantyUntil: '2020-01-31' }, sn);
    const before = await takeSnapshot(testApp.db);
    const { data } = await scan(mtbId, ` ${sn.toLowerCase()}\n`);
    expect(data).toMatchObject({
      sn,
      item: { itemId: 1, code: 'RX19', name: 'RX19 104T', deviceType: '0', slaveCodeList: ['RX19-OLD'] },
      warranty: '2',
      maintains: 1,
      continues: '1',
    });
    expect(data.warning).toContain('90');
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  it('takes the SN by either name, and what every receipt call says besides [W-RCV-08]', async () => {
    const { mtbId } = await newBill();
    const SN = await archived({ warrantyUntil: '2099-01-31' });
    const extras = { lang: 'en', orgId: '1', siteId: 'SZ', userId: 'somebody' };
    const answer = await testApp.ask('POST', validateSn.path, { SN, mtbId, ...extras }, asWarehouse);
    expect(answer.data).toMatchObject({ sn: SN, warranty: '1', maintains: 0, continues: '0' });
  });
});

describe('the receipt of devices', () => {
  it('asks for a session, for the right, and for a bill of the own site', async () => {
    const { mtbId } = await newBill();
    const sn = await archived();
    await expectRefused(testApp, '401', () => take(mtbId, [sn], {}, {}));
    await expectRefused(testApp, '100013', () => take(mtbId, [sn], {}, { as: 'tech' }));
    await expectRefused(testApp, '100002', () => take(mtbId, [sn], {}, { as: 'whNB' }));
    await expectRefused(testApp, '100002', () => take('MTB0', [sn]));
    await expectRefused(testApp, '100001', () => take(' ', [sn]));
  });

  it.each(cases)('refuses %s, and with it the good ones [W-EVT-03]', async (_, code, snOf) => {
    const { mtbId } = await newBill();
    const good = await archived();
    const bad = await snOf();
    await expectRefused(testApp, code, () => take(mtbId, [good, bad]));
  });

  it.each(['1', '2', '3'])('refuses a bill of status %s [W-RCV-31] [W-EVT-03]', async (billStatus) => {
    const { mtbId } = await newBill([['RX19', 1]], { billStatus });
    const sn = await archived();
    await expectRefused(testApp, '100012', () => take(mtbId, [sn]));
    await setStatus(mtbId, '0');
  });

  const wrong: [what: string, code: string, input: (sn: string) => Partial<Input>][] = [
    ['an empty list', '100001', () => ({ rmaReceiveBillLineRequestList: [] })],
    ['lines on which nothing was scanned', '100001', () => ({ rmaReceiveBillLineRequestList: [createLine([])] })],
    ['an SN twice', '100007', (sn) => ({ rmaReceiveBillLineRequestList: [createLine([sn]), createLine([` ${sn} `])] })],
    [
      'a device without depreciation',
      '100001',
      (receiveSn) => ({
        rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: [{ receiveSn, depreciation: '' }] }],
      }),
    ],
    [
      'a depreciation that does not exist',
      '100015',
      (receiveSn) => ({
        rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: [{ receiveSn, depreciation: 'Z' }] }],
      }),
    ],
    ['a payment that does not exist', '100015', () => ({ payment: '7' })],
    ['a freight of nothing on arrival', '100001', () => ({ payment: '1', payAmount: '0' })],
    ['a freight that is no amount', '100015', () => ({ payment: '1', payAmount: 'much' })],
    ['a freight in another notation', '100015', () => ({ payment: '1', payAmount: '0x10' })],
    ['a freight of less than a cent', '100015', () => ({ payment: '1', payAmount: '1e-3' })],
    [
      'a line of another bill',
      '100002',
      (sn) => ({ rmaReceiveBillLineRequestList: [createLine([sn], { mtblId: 'M' })] }),
    ],
    [
      "a code of the first test's",
      '100027',
      (receiveSn) => ({
        rmaReceiveBillLineRequestList: [
          {
            rmaReceiveBillLineItemRequestList: [
              { receiveSn, depreciation: 'B', issueCodeIdList: [codes['FX54'] as number] },
            ],
          },
        ],
      }),
    ],
  ];
  it.each(wrong)('refuses %s [W-EVT-03]', async (_, code, input) => {
    const { mtbId } = await newBill();
    const sn = await archived();
    await expectRefused(testApp, code, () => take(mtbId, [sn], input(sn)));
  });

  it('refuses a device on a line of another model', async () => {
    const { mtbId } = await newBill([['RX21', 1]]);
    const [line] = await readLines(mtbId);
    const sn = await archived();
    const list = [createLine([sn], { mtblId: line?.mtblId })];
    await expectRefused(testApp, '100020', () => take(mtbId, [], { rmaReceiveBillLineRequestList: list }));
  });

  it('brings devices in on their declared items [W-RCV-04, W-RCV-05, W-RCV-06, W-RCV-26, W-RCV-27] [W-EVT-03]', async () => {
    const { mtbId } = await newBill([['RX19', 3]]);
    const [first, second] = [await archived({ warrantyUntil: '2099-01-31' }), await archived()];
    const machine = {
      itemId: 1,
      salesCode: 'RX19',
      receiveSn: first.toLowerCase(),
      depreciation: 'c',
      type: '0',
      slaveCodeList: ['RX19-OLD'],
      issueCodeIdList: [codes['RC01'] as number],
      receiveUrls: picture,
    };
    const [line] = await readLines(mtbId);
    const answer = await take(mtbId, [], {
      payment: '1',
      payAmount: '12.5',
      ...{ lang: 'en', orgId: 'o', siteId: ' sz', userId: 'x' },
      rmaReceiveBillLineRequestList: [
        {
          itemId: 1,
          mtblId: line?.mtblId,
          type: '0',
          count: 3,
          receiveCount: 1,
          salesCode: 'RX19',
          snControl: '1',
          itemSalesCode: 'RX19',
          rmaReceiveBillLineItemRequestList: [machine],
        },
        { type: '0', salesCode: 'RX21', count: 1, receiveCount: 0, rmaReceiveBillLineItemRequestList: [] },
        createLine([second]),
      ],
    });
    expect(answer).toMatchObject({
      code: '000000',
      data: {
        mtbId,
        receivedCount: 2,
        snList: [first, second],
        lineList: [{ mtblId: line?.mtblId, receiveCount: 2 }],
      },
    });
    const { rvbId } = answer.data;
    const items = await readItems(mtbId);
    expect(items).toHaveLength(3);
    expect(items).toMatchObject([
      {
        receiveSn: first,
        receiveStatus: '1',
        receiveTime: expect.any(Number),
        depreciation: 'C',
        warranty: '1',
        maintains: 0,
        continues: '0',
        mixbound: '0',
        secondHand: '0',
        deliverStatus: '0',
      },
      { receiveSn: second, receiveStatus: '1', depreciation: 'B', warranty: '0' },
      { receiveSn: null, receiveStatus: '0' },
    ]);
    expect(await readLines(mtbId)).toMatchObject([{ count: 3, receiveCount: 2, deliverCount: 0 }]);
    for (const [i, sn] of [first, second].entries()) {
      const { unit, history } = await readTrace(testApp, sn);
      expect(unit).toMatchObject({
        type: '0',
        salesCode: 'RX19',
        siteId: 'SZ',
        ivyId: '10',
        mtbId,
        mtblId: line?.mtblId,
        mtbliId: items[i]?.mtbliId,
        storageType: '1',
      });
      expect(history).toMatchObject([
        { step: 'receive', billId: rvbId, fromNode: null, toNode: '10', mtbId, userId: 'warehouse', siteId: 'SZ' },
      ]);
    }
    const bill = await testApp.ask<Record<string, unknown[]>>(
      'GET',
      '/api/rmaReceiveBill/queryById.json',
      { id: rvbId },
      asWarehouse,
    );
    expect(bill.data).toMatchObject({
      rvbId,
      mtbId,
      userId: 'warehouse',
      payment: '1',
      billTime: expect.any(Number),
      rmaReceiveBillLineList: [{ type: '0', salesCode: 'RX19', itemName: 'RX19 104T', count: 3, receiveCount: 2 }],
      rmaReceiveBillLineItemList: [
        { receiveSn: first, mtblId: line?.mtblId },
        { receiveSn: second, mtblId: line?.mtblId },
      ],
    });
    expect(Number(bill.data['payAmount'])).toBe(12.5);
    const machines = await testApp.db
      .selectFrom('rma_receive_bill_line_item')
      .selectAll()
      .where('rvbId', '=', rvbId)
      .orderBy('id')
      .execute();
    expect(machines).toMatchObject([
      { receiveSn: first, issueCodes: 'RC01', receiveUrls: picture, depreciation: 'C' },
      { receiveSn: second, issueCodes: null, receiveUrls: null },
    ]);
    expect(await readLedger(testApp, rvbId)).toMatchObject([{ what: 'receive', userId: 'warehouse', siteId: 'SZ' }]);
    expect(await readStatus(mtbId)).toBe('0');
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('takes more than was declared, with a warning, and goods that nobody declared on a line of their own [W-RCV-18] [W-RCV-20] [W-EVT-03]', async () => {
    const { mtbId } = await newBill([['RX19', 1]]);
    const sns = [await archived(), await archived(), await archived({ salesCode: 'RX21', itemId: 2 })];
    const { data } = await take(mtbId, sns);
    expect(data.warning).toContain('(2 / 1)');
    expect(await readLines(mtbId)).toMatchObject([
      { salesCode: 'RX19', count: 1, receiveCount: 2 },
      { salesCode: 'RX21', itemName: 'RX21 140T', type: '0', count: 1, receiveCount: 1 },
    ]);
    await take(mtbId, [await archived({ salesCode: 'RX21', itemId: 2 })]);
    expect((await readLines(mtbId))[1]).toMatchObject({ count: 2, receiveCount: 2 });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('puts a device on the line of one of its slave codes [W-RCV-19]', async () => {
    await testApp.db
      .insertInto('ubs_item')
      .values({ itemId: 9, salesCode: 'RX19-OLD', name: 'RX19 old', type: '0', deviceType: '0', snControl: '1' })
      .onConflict((it) => it.doNothing())
      .execute();
    const { mtbId } = await newBill([['RX19-OLD', 1]]);
    const sn = await archived();
    await take(mtbId, [sn]);
    expect(await readLines(mtbId)).toMatchObject([{ salesCode: 'RX19-OLD', count: 1, receiveCount: 1 }]);
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ salesCode: 'RX19' });
  });

  it('takes a shipped unit back, on its new bill alone, with what is known of it [W-EVT-03]', async () => {
    const past = { deliverTime: new Date(Date.now() - 10 * 86_400_000) };
    const old = await unitOnBill(testApp.db, { node: Node.Shipped, item: past, siteId: 'NB', billStatus: '2' });
    await testApp.db.updateTable('rma_maintain_bill').set({ btmUserId: 'U9' }).where('mtbId', '=', old.mtbId).execute();
    await archived({}, old.sn);
    const { mtbId } = await newBill();
    expect((await take(mtbId, [old.sn])).code).toBe('000000');
    const [item] = await readItems(mtbId);
    expect(item).toMatchObject({ warranty: '2', maintains: 1, continues: '1', secondHand: '1' });
    const { unit, history } = await readTrace(testApp, old.sn);
    expect(unit).toMatchObject({ ivyId: '10', mtbId, siteId: 'SZ', mtbliId: item?.mtbliId });
    expect(history[0]).toMatchObject({ fromNode: '900', toNode: '10' });
    expect((await readItems(old.mtbId))[0]).toMatchObject({ deliverStatus: '2', receiveStatus: '1' });
  });

  it('knows the machine that went out in exchange by its own past, and the one that stayed by none', async () => {
    const old = await unitOnBill(testApp.db, { node: Node.AwaitingStorage, item: { exchange: '1' } });
    await testApp.db.updateTable('rma_maintain_bill').set({ btmUserId: 'U9' }).where('mtbId', '=', old.mtbId).execute();
    const goods = { rmaStoreBillLineList: [{ sn: old.sn }] };
    const stored = await testApp.ask<{ skbIdList: string[] }>('POST', '/api/rmaStoreBill/submitStoreBill.json', goods, {
      as: 'warehouse',
    });
    const sent = await archived({}, await stockMachine(testApp.db, Node.CanShip));
    const delivery = {
      skbId: stored.data.skbIdList[0],
      submitType: '0',
      rmaDeliverBillLineList: [{ deliverSn: sent }],
    };
    await testApp.ask('POST', '/api/rmaDeliverBill/submitDeliverBill.json', delivery, asWarehouse);
    const { mtbId } = await newBill();
    expect((await take(mtbId, [sent])).code).toBe('000000');
    expect(await readItems(mtbId)).toMatchObject([
      { receiveSn: sent, warranty: '2', maintains: 1, continues: '1', secondHand: '1' },
      { receiveSn: null },
    ]);
    const off = { mtbId, rmaReceiveBillLineRequestList: [{ snList: [sent] }] };
    expect((await testApp.send(deleteReceived, off, asWarehouse)).data.deletedCount).toBe(1);
    expect((await readTrace(testApp, sent)).unit).toMatchObject({ ivyId: '900', mtbId: null, mtbliId: null });
    await take(mtbId, [sent]);
    await testApp.ask(
      'POST',
      '/api/rmaCheckBill/check.json',
      { sn: sent, issueCodeIdList: [codes['FX01']] },
      { as: 'tech' },
    );
    const check = testApp.db.selectFrom('rma_check_bill_line').select('maintainDate').where('sn', '=', sent);
    expect((await check.executeTakeFirstOrThrow()).maintainDate).not.toBeNull();

    const byHand = { sn: old.sn, ivyId: '900', remark: 'x' };
    await testApp.ask('POST', '/api/rmaInventory/modifyIvyId.json', byHand, { as: 'admin' });
    await archived({}, old.sn);
    const { data } = await testApp.send(validateSn, { sn: old.sn, mtbId }, asWarehouse);
    expect(data).toMatchObject({ warranty: '0', maintains: 0, continues: '0' });
  });

  it('knows a part that took the place of another as the board that it is', async () => {
    const [old, now] = ['HB19RCVOLD0000001', 'HB19RCVNEW0000001'];
    const unit = { type: '1', itemName: 'HB19 board' };
    await unitOnBill(testApp.db, { node: Node.AwaitingRepair, sn: old, salesCode: 'HB19', unit });
    const row = { partsType: '7', repairMethod: '2', issueCodeIdList: [codes['RP01']], slot: 'U1', replaceSn: now };
    const repair = { sn: old, partsList: [row] };
    const repaired = await testApp.ask('POST', '/api/rmaRepairBill/repair.json', repair, { as: 'tech' });
    expect(repaired.code).toBe('000000');
    const archive = testApp.db.selectFrom('ubs_item_object').selectAll().where('sn', '=', now);
    expect(await archive.execute()).toMatchObject([
      { type: '1', salesCode: 'HB19', itemName: 'HB19 board', origin: '1' },
    ]);
    const byHand = { sn: now, ivyId: '900', remark: 'x' };
    await testApp.ask('POST', '/api/rmaInventory/modifyIvyId.json', byHand, { as: 'admin' });
    const { mtbId } = await newBill();
    const no = await expectNo('100015', () => testApp.send(validateSn, { sn: now, mtbId }, asWarehouse));
    expect(no.msg).toContain('is a board');
  });

  it('writes late goods down as received later [W-EVT-03]', async () => {
    const { mtbId } = await newBill([['RX19', 1]], { billStatus: '4' });
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ receiveStatus: '2' })
      .where('mtbId', '=', mtbId)
      .execute();
    await take(mtbId, [await archived(), await archived()]);
    expect((await readItems(mtbId)).map((it) => it.receiveStatus)).toEqual(['3', '3']);
    expect(await readStatus(mtbId)).toBe('4');
  });

  it('is done once: a second one finds the device in the house, a repeated one gets the first answer', async () => {
    const { mtbId } = await newBill();
    const sn = await archived();
    const asking = { ...asWarehouse, key: newKey() };
    const first = await take(mtbId, [sn], {}, asking);
    expect(await take(mtbId, [sn], {}, asking)).toEqual(first);
    await expectRefused(testApp, '100009', () => take(mtbId, [sn]));
    expect((await readTrace(testApp, sn)).history).toHaveLength(1);
  });

  it('is done once when the same new device is scanned on two bills at the same moment', async () => {
    const sn = await archived();
    const bills = [await newBill(), await newBill(), await newBill()];
    const answers = await Promise.all(bills.map((it) => take(it.mtbId, [sn])));
    expect(answers.filter((it) => it.code === '000000')).toHaveLength(1);
    expect(answers.every((it) => ['000000', '100009', '100025'].includes(it.code))).toBe(true);
    expect((await readTrace(testApp, sn)).history).toHaveLength(1);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('taking units off a receipt', () => {
  const off = (mtbId: string, snList: string[], asking: object = asWarehouse) =>
    testApp.send(deleteReceived, { mtbId, rmaReceiveBillLineRequestList: [{ count: snList.length, snList }] }, asking);

  it('asks for a session, for the right, and for a bill of the own site that is open', async () => {
    const { mtbId } = await newBill();
    const sn = await archived();
    await take(mtbId, [sn]);
    await expectRefused(testApp, '401', () => off(mtbId, [sn], {}));
    await expectRefused(testApp, '100013', () => off(mtbId, [sn], { as: 'tech' }));
    await expectRefused(testApp, '100002', () => off(mtbId, [sn], { as: 'whNB' }));
    await close(mtbId);
    await expectRefused(testApp, '100012', () => off(mtbId, [sn]));
  });

  it.each([
    ['past its first test', { node: Node.AwaitingRepair }],
    ['that was checked and sent back', { node: Node.AwaitingCheck, item: { checkTime: new Date() } }],
  ])('refuses a unit %s [W-EVT-06]', async (_, standing) => {
    const { mtbId } = await newBill();
    const { sn } = await unitOnBill(testApp.db, { bill: { mtbId, siteId: 'SZ' }, ...standing });
    const no = await expectRefused(testApp, '100003', () => off(mtbId, [sn]));
    expect(no.msg).toBe(`SN ${sn} is already checked, cannot be deleted`);
  });

  const back = (path: string, input: object, method: 'GET' | 'POST' = 'POST') =>
    testApp.ask(method, `/api/${path}.json`, input, { as: 'admin' });
  const deletableOn = async (receiveShipNo: string) =>
    (await testApp.send(queryByShipNo, { receiveShipNo }, asWarehouse)).data.itemsReceived.map((it) => it.deletable);
  async function tested(declared: Declared[] = [['RX19', 1]]) {
    const { mtbId, receiveShipNo } = await newBill(declared);
    const sn = await archived();
    await take(mtbId, [sn]);
    const check = { sn, issueCodeIdList: [codes['FX01']] };
    expect((await testApp.ask('POST', '/api/rmaCheckBill/check.json', check, { as: 'tech' })).code).toBe('000000');
    const { unit, history } = await readTrace(testApp, sn);
    return { mtbId, receiveShipNo, sn, mtbliId: unit?.mtbliId ?? '', step: history[0] };
  }

  it('refuses a unit that came back to its first test, and shows it as one that stays [W-EVT-06]', async () => {
    const { mtbId, receiveShipNo, sn, mtbliId } = await tested();
    expect(await deletableOn(receiveShipNo)).toEqual([false]);
    const returned = await back('rmaMaintainBillLineItem/rollbackToPreliminaryTest', [{ sn, mtbliId, mtbId }]);
    expect(returned.code).toBe('000000');
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: '10' });
    expect(await deletableOn(receiveShipNo)).toEqual([false]);
    const no = await expectRefused(testApp, '100003', () => off(mtbId, [sn]));
    expect(no.msg).toBe(`SN ${sn} is already checked, cannot be deleted`);
    // Nor is its receipt rolled back: what the test found would stand with whatever comes for the item next.
    const { id } = await testApp.db
      .selectFrom('rma_transaction')
      .select('id')
      .where('sn', '=', sn)
      .where('step', '=', 'receive')
      .executeTakeFirstOrThrow();
    const undo = () => back('rmaTransaction/rollbackById', { id, remark: 'wrong' }, 'GET');
    const kept = await expectRefused(testApp, '100015', undo);
    expect(kept.msg).toContain(`SN ${sn} had its first test since it was received`);
  });

  it('takes off a unit whose check was rolled back: it has never been tested [W-EVT-06]', async () => {
    const { mtbId, receiveShipNo, sn, step } = await tested();
    const undone = await back('rmaTransaction/rollbackById', { id: step?.id, remark: '误检' }, 'GET');
    expect(undone.code).toBe('000000');
    expect(await deletableOn(receiveShipNo)).toEqual([true]);
    expect((await off(mtbId, [sn])).data.deletedCount).toBe(1);
  });

  it('refuses a unit that waits for a confirmation [W-EVT-06]', async () => {
    const { mtbId } = await newBill();
    const { sn } = await heldUnit(testApp.db, 'scrap', { bill: { mtbId, siteId: 'SZ' } });
    const no = await expectRefused(testApp, '100003', () => off(mtbId, [sn]));
    expect(no.msg).toBe(`SN ${sn} is already checked, cannot be deleted`);
  });

  it('lowers the counts; the declared item waits again, others disappear [W-RCV-33, W-RCV-34, W-RCV-35] [W-EVT-06]', async () => {
    const { mtbId } = await newBill([['RX19', 1]]);
    const [one, two, other] = [await archived(), await archived(), await archived({ salesCode: 'RX21', itemId: 2 })];
    await take(mtbId, [one, two, other]);
    const answer = await off(mtbId, [` ${one.toLowerCase()} `, 'NEVER-SUBMITTED']);
    expect(answer.data).toMatchObject({ deletedCount: 1, lineList: [{ receiveCount: 1 }] });
    expect(await readItems(mtbId)).toMatchObject([
      { receiveStatus: '0', receiveSn: null, receiveTime: null },
      { receiveSn: two },
      { receiveSn: other },
    ]);
    expect((await readTrace(testApp, one)).unit).toMatchObject({ ivyId: null, mtbId: null, mtbliId: null });
    // A correction of the model goes with the receipt.
    await testApp.db.updateTable('rma_inventory').set({ salesCode: 'RX19' }).where('sn', '=', other).execute();
    expect((await off(mtbId, [two, other])).data.deletedCount).toBe(2);
    expect((await readTrace(testApp, other)).unit).toMatchObject({ ivyId: null, salesCode: 'RX21' });
    expect(await readLines(mtbId)).toMatchObject([{ salesCode: 'RX19', count: 1, receiveCount: 0 }]);
    expect(await readItems(mtbId)).toHaveLength(1);
    expect((await off(mtbId, [two])).data).toEqual({ deletedCount: 0, lineList: [] });
    expect((await take(mtbId, [one])).code).toBe('000000');
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('sends a unit that was shipped before back to where it was [W-EVT-06]', async () => {
    const old = await unitOnBill(testApp.db, {
      node: Node.Shipped,
      item: { deliverTime: new Date() },
      billStatus: '2',
    });
    await archived({}, old.sn);
    const { mtbId } = await newBill();
    await take(mtbId, [old.sn]);
    await off(mtbId, [old.sn]);
    expect((await readTrace(testApp, old.sn)).unit).toMatchObject({
      ivyId: '900',
      mtbId: old.mtbId,
      mtblId: old.mtblId,
      mtbliId: old.mtbliId,
    });
  });

  it('gives a shipped unit back the model and the site that it was known by [W-EVT-06]', async () => {
    const old = await unitOnBill(testApp.db, {
      ...{ node: Node.Shipped, siteId: 'NB', billStatus: '2' },
      item: { deliverTime: new Date() },
    });
    const known = { salesCode: 'RX21', itemName: 'RX21 180T', siteId: 'NB' };
    await testApp.db.updateTable('rma_inventory').set(known).where('sn', '=', old.sn).execute();
    await archived({}, old.sn);
    const { mtbId } = await newBill();
    await take(mtbId, [old.sn]);
    expect((await readTrace(testApp, old.sn)).unit).toMatchObject({ salesCode: 'RX19', siteId: 'SZ' });
    await off(mtbId, [old.sn]);
    expect((await readTrace(testApp, old.sn)).unit).toMatchObject({ ivyId: '900', ...known });
  });

  it('leaves the delivered item of a unit that came back to the same bill [W-EVT-06]', async () => {
    const { mtbId } = await newBill([['RX21', 1]]);
    const bill = { mtbId, siteId: 'SZ' };
    const old = await unitOnBill(testApp.db, { bill, node: Node.Shipped, item: { deliverTime: new Date() } });
    await archived({}, old.sn);
    await take(mtbId, [old.sn]);
    expect((await off(mtbId, [old.sn])).data.deletedCount).toBe(1);
    expect((await readTrace(testApp, old.sn)).unit).toMatchObject({ ivyId: '900', mtbliId: old.mtbliId });
    expect(await readItems(mtbId)).toMatchObject([{ receiveStatus: '0' }, { receiveSn: old.sn, deliverStatus: '2' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('a receipt that says who and where', () => {
  it('goes by the session in every call, whatever it says [W-RCV-08]', async () => {
    const { mtbId, receiveShipNo } = await newBill();
    const [sn, other] = [await archived(), await archived()];
    const said = { lang: 'en', orgId: 'o', siteId: 'NB', userId: 'x' };
    const off = { mtbId, rmaReceiveBillLineRequestList: [{ snList: [sn] }] };
    const calls = [
      () => testApp.send(queryByShipNo, { receiveShipNo: receiveShipNo, ...said }, asWarehouse),
      () => testApp.send(validateSn, { sn, mtbId, ...said }, asWarehouse),
      () => testApp.send(createNonOfficial, { sn: newSn(), type: '0', ...said }, asWarehouse),
      () => take(mtbId, [sn, other], { mtbId, ...said }),
      () => testApp.send(deleteReceived, { ...off, ...said }, asWarehouse),
      () => testApp.send(finishReceive, { maintainBillId: mtbId, ...said }, asWarehouse),
    ];
    for (const call of calls) expect((await call()).code).toBe('000000');
    const unit = testApp.db.selectFrom('rma_inventory').select(['siteId', 'createBy']).where('sn', '=', other);
    expect(await unit.executeTakeFirst()).toEqual({ siteId: 'SZ', createBy: 'warehouse' });
  });
});

describe('a site that receives only what was signed for', () => {
  const setSite = (signFirst: string | null) =>
    testApp.db.updateTable('ubs_site').set({ signFirst }).where('siteId', '=', 'SZ').execute();

  it('refuses a parcel until the gate has it; a closed bill may be looked at', async () => {
    const { mtbId, receiveShipNo } = await newBill();
    const sn = await archived();
    const look = () => testApp.send(queryByShipNo, { receiveShipNo }, asWarehouse);
    await setSite('1');
    const no = await expectRefused(testApp, '100012', () => take(mtbId, [sn]));
    expect(no.msg).toContain(receiveShipNo);
    await expectNo('100012', look);
    await expectNo('100012', () => testApp.send(validateSn, { sn, mtbId }, asWarehouse));
    const parcel = { receiveShipNo, receivePackageCount: 1 };
    await testApp.ask('POST', '/api/rmaArrivalBill/signFor.json', parcel, asWarehouse);
    expect((await look()).data.warning).toBeUndefined();
    expect((await take(mtbId, [sn])).code).toBe('000000');
    const closed = await newBill([['RX19', 1]], { billStatus: '3' });
    expect((await testApp.send(queryByShipNo, { receiveShipNo: closed.receiveShipNo }, asWarehouse)).code).toBe(
      '000000',
    );
    await setSite(null);
    expect((await take((await newBill()).mtbId, [await archived()])).code).toBe('000000');
  });
});

describe('the end of a receipt', () => {
  it('asks for a session, for the right, and for a bill of the own site', async () => {
    const { mtbId } = await newBill();
    await expectRefused(testApp, '401', () => close(mtbId, {}));
    await expectRefused(testApp, '100013', () => close(mtbId, { as: 'tech' }));
    await expectRefused(testApp, '100002', () => close(mtbId, { as: 'whNB' }));
    await expectRefused(testApp, '100001', () => close(''));
  });

  it.each(['1', '2', '3'])('is refused for a bill of status %s [W-EVT-07]', async (billStatus) => {
    const { mtbId } = await newBill([['RX19', 1]], { billStatus });
    await expectRefused(testApp, '100012', () => close(mtbId));
    await setStatus(mtbId, '0');
  });

  it('leaves a bill received, and what has not come not received [W-RCV-30] [W-EVT-07]', async () => {
    const { mtbId } = await newBill([['RX19', 2]]);
    const sn = await archived();
    await take(mtbId, [sn]);
    expect((await close(mtbId)).data).toEqual({ mtbId, billStatus: '1' });
    expect(await readStatus(mtbId)).toBe('1');
    expect((await readItems(mtbId)).map((it) => it.receiveStatus)).toEqual(['1', '2']);
    expect((await readLedger(testApp, mtbId)).map((it) => it.what)).toEqual(['create', 'finishReceive']);
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: '10' });
    await expectRefused(testApp, '100012', () => close(mtbId));
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('leaves a bill of which nothing came not received [W-EVT-07]', async () => {
    const { mtbId } = await newBill();
    expect((await close(mtbId)).data.billStatus).toBe('3');
  });

  it('finishes a bill of which every unit has left already [W-EVT-07]', async () => {
    const { mtbId } = await newBill([['RX19', 1]]);
    await unitOnBill(testApp.db, { bill: { mtbId, siteId: 'SZ' }, node: Node.Shipped });
    expect((await close(mtbId)).data.billStatus).toBe('2');
    expect(await readStatus(mtbId)).toBe('2');
  });

  it('opens again with late goods and closes once more: 3, 4, 1 [W-PTH-10] [W-EVT-07]', async () => {
    const { mtbId, receiveShipNo } = await newBill([['RX19', 1]]);
    expect((await close(mtbId)).data.billStatus).toBe('3');
    const parcel = { receiveShipNo, receivePackageCount: 1 };
    const signed = await testApp.ask<{ id: number }>('POST', '/api/rmaArrivalBill/signFor.json', parcel, asWarehouse);
    await testApp.ask('POST', '/api/rmaArrivalBill/accept.json', { id: signed.data.id }, asWarehouse);
    expect(await readStatus(mtbId)).toBe('4');
    await take(mtbId, [await archived()]);
    expect((await readItems(mtbId))[0]).toMatchObject({ receiveStatus: '3' });
    expect((await close(mtbId)).data.billStatus).toBe('1');
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});
