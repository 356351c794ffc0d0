import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slotsOf } from '#domain/assembly.ts';
import type { InputOf } from '#domain/call.ts';
import { BillStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, maintainBill, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { expectNo, expectRefused, readCodeIds, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import {
  attemptAccept,
  cancelScrapRepair,
  combineRepair,
  getSiteList,
  loadScrapRepair,
  outsourcingAccept,
  validateSnForAccept,
  validateSnForCombineRepair,
} from './contract.ts';

let testApp: TestApp;
let codes: Record<string, number>;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
  const ofUS = { userId: 'whUS', userName: 'whUS', password: '', roleIds: 'warehouse', siteId: 'US', status: '1' };
  await testApp.db
    .insertInto('admin_user')
    .values({ ...ofUS, allSites: '0' })
    .execute();
});
afterAll(() => testApp.close());

type Item = InputOf<typeof attemptAccept>['item'];
type Combined = InputOf<typeof combineRepair>;

const scrap = (more: Parameters<typeof stockMachine>[2] = {}) =>
  stockMachine(testApp.db, Node.Scrapped, { subinventoryCode: 'SCR', storageType: '2', ...more });
const several = (count: number) => Promise.all(Array.from({ length: count }, () => scrap()));
const combine = (sns: readonly string[], more: Partial<Combined> = {}, as = 'warehouse') =>
  testApp.send(
    combineRepair,
    {
      siteId: 'SZ',
      count: sns.length,
      department: '外协组',
      remark: '',
      scrapRepairLineRequestList: sns.map((sn) => ({ sn, salesCode: 'RX19' })),
      ...more,
    },
    { as },
  );
const made = async (sns: readonly string[]) => (await combine(sns)).data.srbId;
const load = async (srbId: string, as = 'warehouse') => (await testApp.send(loadScrapRepair, { srbId }, { as })).data;

let sets = 0;
const parts = (change: Record<number, object> = {}) => {
  const set = ++sets;
  return slotsOf(4).map(({ name, componentType, hasQrCode }, i) => ({
    sn: `${name}-O${set}`,
    component_type: componentType,
    qrCodeNum: hasQrCode ? `${name}${String(set).padStart(17 - name.length, '0')}` : '',
    ...change[i],
  }));
};
const record = (more: object = {}) => ({
  partsType: '7',
  repairMethod: '8',
  issueCodeIdList: [codes['RP01'] as number],
  slot: 'U1',
  spendItemCount: 2,
  ...more,
});
const item = (productSn: string, assistSnList: string[], more: Partial<Item> = {}): Item => ({
  productSn,
  assistSnList,
  checkIssueCodeIdList: [codes['FX01'] as number],
  repairInfoList: [record()],
  assembleInfoList: parts(),
  ...more,
});
const accept = (srbId: string, list: Item[], more: object = {}, asking: object = { as: 'tech' }) =>
  testApp.send(outsourcingAccept, { srbId, siteId: 'SZ', list, ...more }, asking);
const heldOf = async (sn: string) => {
  const { unit } = await readTrace(testApp, sn);
  return unit && { ivyId: unit.ivyId, holdKind: unit.holdKind, holdBillId: unit.holdBillId };
};
const free = { ivyId: Node.Scrapped, holdKind: null, holdBillId: null };

describe('the scan of scrap for repair', () => {
  const scan = (sn: string, siteId = 'SZ', as = 'warehouse') =>
    testApp.send(validateSnForCombineRepair, { sn, siteId }, { as });

  it('asks for a session, the right, and a site of the user [S-SCR-02]', async () => {
    const sn = await scrap();
    await expectNo('401', () => testApp.send(validateSnForCombineRepair, { sn, siteId: 'SZ' }));
    await expectNo('100013', () => scan(sn, 'SZ', 'tech'));
    await expectNo('100001', () => scan(sn, ''));
    await expectNo('100002', () => scan(sn, 'NB'));
  });

  it('answers what the SN is, and stores nothing [S-SCR-03]', async () => {
    const sn = await scrap();
    const before = await takeSnapshot(testApp.db);
    const { data } = await scan(` ${sn.toLowerCase()}`);
    expect(data).toMatchObject({ sn, item: { salesCode: 'RX19', itemId: 1 } });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  const noes: [what: string, code: string, snOf: () => Promise<string>][] = [
    ['an unknown SN', '100002', () => Promise.resolve('RX19NOBODY')],
    ['scrap of another site', '100004', () => scrap({ siteId: 'NB' })],
    ['a unit that is no scrap', '100003', () => stockMachine(testApp.db, Node.AwaitingRepair)],
    ['a unit on the shelf', '100003', () => stockMachine(testApp.db, Node.CanShip)],
    ['a unit that was only proposed as scrap', '100008', async () => (await heldUnit(testApp.db)).sn],
    [
      'scrap of a bill that is not finished',
      '100009',
      async () => {
        const bill = await maintainBill(testApp.db, { billStatus: BillStatus.Received });
        await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill });
        return (await unitOnBill(testApp.db, { node: Node.Scrapped, bill })).sn;
      },
    ],
    [
      'what another scrap repair speaks for',
      '100008',
      async () => {
        const sn = await scrap();
        await made([sn]);
        return sn;
      },
    ],
  ];
  it.each(noes)('refuses %s, and so does the submit [S-SCR-03]', async (_, code, snOf) => {
    const sn = await snOf();
    await expectNo(code, () => scan(sn));
    await expectRefused(testApp, code, () => combine([sn]));
  });

  it('lists the sites whose scrap the user may send', async () => {
    const { data } = await testApp.send(getSiteList, {}, { as: 'warehouse' });
    expect(data.ubsSiteList.map((it) => it.siteId)).toEqual(['SZ']);
    const all = (await testApp.send(getSiteList, {}, { as: 'admin' })).data.ubsSiteList;
    expect(all.map((it) => it.siteId)).toEqual(expect.arrayContaining(['SZ', 'NB']));
  });
});

describe('a scrap repair', () => {
  it('asks for a session, the right, and what it needs [S-SCR-02] [S-SCR-05]', async () => {
    const sns = await several(2);
    await expectRefused(testApp, '401', () => testApp.send(combineRepair, { siteId: 'SZ', count: 2 }));
    await expectRefused(testApp, '100013', () => combine(sns, {}, 'tech'));
    await expectRefused(testApp, '100001', () => combine(sns, { siteId: '' }));
    await expectRefused(testApp, '100001', () => combine([], { count: 0 }));
    await expectRefused(testApp, '100001', () => combine(sns, { count: null }));
    await expectRefused(testApp, '100019', () => combine(sns, { count: 3 }));
    await expectRefused(testApp, '100019', () => combine(sns, { count: 1 }));
  });

  it('refuses an SN twice, and one that is of another model than was said [S-SCR-04]', async () => {
    const sn = await scrap();
    const twice = { count: 2, scrapRepairLineRequestList: [{ sn }, { sn: ` ${sn.toLowerCase()}` }] };
    await expectRefused(testApp, '100007', () => combine([sn], twice));
    await expectRefused(testApp, '100020', () =>
      combine([sn], { scrapRepairLineRequestList: [{ sn, salesCode: 'RX21' }] }),
    );
  });

  it('speaks for its SNs from then on [S-SCR-06] [S-SCR-07] [S-SCR-01]', async () => {
    const sns = await several(3);
    const { code, data } = await combine(sns, { remark: 'two boards burnt' });
    expect(code).toBe('000000');
    const bill = await testApp.db
      .selectFrom('rma_scrap_repair_bill')
      .selectAll()
      .where('srbId', '=', data.srbId)
      .executeTakeFirstOrThrow();
    expect(bill).toMatchObject({
      srbId: expect.stringMatching(/^SRB\d{13}$/) as string,
      billType: '1',
      billStatus: '0',
      siteId: 'SZ',
      count: 3,
      department: '外协组',
      remark: 'two boards burnt',
      createBy: 'warehouse',
      createTime: expect.any(Number) as number,
    });
    for (const sn of sns) {
      expect(await heldOf(sn)).toEqual({ ivyId: Node.Scrapped, holdKind: 'scrapRepair', holdBillId: data.srbId });
      const { history } = await readTrace(testApp, sn);
      expect(history).toMatchObject([
        { step: 'combineRepair', billId: data.srbId, fromNode: '40', toNode: '40', userId: 'warehouse' },
      ]);
    }
    expect((await load(data.srbId)).rmaScrapRepairBillLineList.map((it) => [it.sn, it.snRole])).toEqual(
      sns.map((sn) => [sn, '0']),
    );
    expect(await readLedger(testApp, data.srbId)).toMatchObject([{ what: 'combineRepair', userId: 'warehouse' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('is made once over one SN: the second is refused by the number of the first', async () => {
    const [both, one, two] = (await several(3)) as [string, string, string];
    const answers = await Promise.all([combine([both, one]), combine([both, two])]);
    expect(answers.map((it) => it.code).toSorted()).toEqual(['000000', '100008']);
    const first = answers.find((it) => it.code === '000000')?.data.srbId ?? 'none';
    const no = answers.find((it) => it.code === '100008')?.msg;
    expect(no).toContain(both);
    expect(no).toContain(first);
  });

  it('is there once however often its submit is repeated', async () => {
    const sns = await several(1);
    const asking = { as: 'warehouse', key: newKey() };
    const input = { siteId: 'SZ', count: 1, scrapRepairLineRequestList: sns.map((sn) => ({ sn })) };
    const first = await testApp.send(combineRepair, input, asking);
    expect(await testApp.send(combineRepair, input, asking)).toEqual(first);
  });

  it('does not exist for another site', async () => {
    const srbId = await made(await several(1));
    await expectNo('100002', () => testApp.send(loadScrapRepair, { srbId }, { as: 'techNB' }));
    await expectRefused(testApp, '100002', () => testApp.send(cancelScrapRepair, { id: srbId }, { as: 'whUS' }));
  });
});

describe('the scan of an SN that came back', () => {
  it('takes the SNs of the bill alone [S-OUT-03]', async () => {
    const [sn, other] = (await several(2)) as [string, string];
    const srbId = await made([sn]);
    const scan = (it: string, as = 'tech') => testApp.send(validateSnForAccept, { sn: it, srbId }, { as });
    await expectNo('100013', () => scan(sn, 'warehouse'));
    const no = await expectNo('100020', () => scan(other));
    expect(no.msg).toContain(other);
    const before = await takeSnapshot(testApp.db);
    expect((await scan(sn)).data).toMatchObject({ sn, type: '0', item: { salesCode: 'RX19' } });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });
});

describe('an outsourcing acceptance', () => {
  it('asks for a session, the right, its bill and a unit [S-OUT-09]', async () => {
    const [sn, donor] = (await several(2)) as [string, string];
    const srbId = await made([sn, donor]);
    const list = [item(sn, [donor])];
    await expectRefused(testApp, '401', () => accept(srbId, list, {}, {}));
    await expectRefused(testApp, '100013', () => accept(srbId, list, {}, { as: 'warehouse' }));
    await expectRefused(testApp, '100002', () => accept(srbId, list, {}, { as: 'techNB' }));
    await expectRefused(testApp, '100001', () => accept('', list));
    await expectRefused(testApp, '100001', () => accept(srbId, list, { siteId: '' }));
    await expectRefused(testApp, '100020', () => accept(srbId, list, { siteId: 'NB' }));
    const no = await expectRefused(testApp, '100001', () => accept(srbId, []));
    expect(no.msg).toBe('Add at least one unit');
  });

  const wrong: [what: string, code: string, more: (sn: string, donor: string) => Partial<Item>][] = [
    ['without its six parts [S-OUT-07]', '100001', () => ({ assembleInfoList: parts().slice(0, 5) })],
    ['with a part that has no SN [S-OUT-07]', '100001', () => ({ assembleInfoList: parts({ 3: { sn: '' } }) })],
    [
      'with a QR code of 18 characters',
      '100015',
      () => ({ assembleInfoList: parts({ 2: { qrCodeNum: 'Q'.repeat(18) } }) }),
    ],
    ['without check issues [S-OUT-08]', '100001', () => ({ checkIssueCodeIdList: [] })],
    ['without repair records [S-OUT-08]', '100001', () => ({ repairInfoList: [] })],
    ['without auxiliary SNs [S-OUT-08]', '100001', () => ({ assistSnList: [] })],
    ['with itself as auxiliary [S-OUT-05]', '100007', (sn) => ({ assistSnList: [sn] })],
    ['with an auxiliary SN twice [S-OUT-04]', '100007', (_, donor) => ({ assistSnList: [donor, donor] })],
    ['with a code that is none of checking', '100027', () => ({ checkIssueCodeIdList: [codes['RP01'] as number] })],
    ['with a record that lacks its slot', '100001', () => ({ repairInfoList: [record({ slot: '' })] })],
    ['with a board type that does not exist', '100015', () => ({ repairInfoList: [record({ partsType: '77' })] })],
    ['with its donor as a part', '100007', (_, donor) => ({ assembleInfoList: parts({ 0: { sn: donor } }) })],
  ];
  it.each(wrong)('refuses a unit %s, by the attempt as well', async (_, code, more) => {
    const [sn, donor] = (await several(2)) as [string, string];
    const srbId = await made([sn, donor]);
    const unit = item(sn, [donor], more(sn, donor));
    await expectNo(code, () => testApp.send(attemptAccept, { srbId, item: unit }, { as: 'tech' }));
    await expectRefused(testApp, code, () => accept(srbId, [unit]));
    expect(await heldOf(sn)).toMatchObject({ holdKind: 'scrapRepair' });
  });

  it('refuses an SN that is a main or an auxiliary one already, and one part in two units [S-OUT-04] [S-OUT-06]', async () => {
    const [one, two, three, four] = (await several(4)) as [string, string, string, string];
    const srbId = await made([one, two, three, four]);
    const first = item(one, [two]);
    const no = (list: Item[]) => expectRefused(testApp, '100007', () => accept(srbId, list));
    expect((await no([first, item(three, [one])])).msg).toContain(one);
    expect((await no([first, item(two, [three])])).msg).toContain(two);
    expect((await no([first, item(three, [two])])).msg).toContain(two);
    await no([first, item(one, [three])]);
    await no([first, item(three, [four], { assembleInfoList: parts({ 0: first.assembleInfoList[0] as object }) })]);
  });

  it('refuses what is not on the bill, and a board as main SN', async () => {
    const [sn, donor, stranger] = (await several(3)) as [string, string, string];
    const board = await scrap({ type: '1', salesCode: 'HB19' });
    const srbId = (
      await combine([sn, donor, board], { scrapRepairLineRequestList: [sn, donor, board].map((it) => ({ sn: it })) })
    ).data.srbId;
    await expectRefused(testApp, '100020', () => accept(srbId, [item(stranger, [donor])]));
    await expectRefused(testApp, '100020', () => accept(srbId, [item(sn, [stranger])]));
    await expectRefused(testApp, '100015', () => accept(srbId, [item(board, [donor])]));
  });

  it('refuses a part of another device, and one that a bill speaks for; takes what was in the donor', async () => {
    const [sn, donor, elsewhere] = (await several(3)) as [string, string, string];
    const srbId = await made([sn, donor]);
    const bind = (deviceSn: string, componentSn: string) =>
      testApp.db
        .insertInto('ubs_assembly')
        .values({ deviceSn, componentSn, componentType: 'COIT000000S1', bindTime: new Date() })
        .execute();
    await bind(elsewhere, 'POWER-ELSEWHERE');
    await bind(donor, 'POWER-OF-DONOR');
    const asked = await scrap({ type: '1' });
    const held = await made([asked]);
    const withPower = (power: string) => item(sn, [donor], { assembleInfoList: parts({ 0: { sn: power } }) });
    await expectRefused(testApp, '100026', () => accept(srbId, [withPower('POWER-ELSEWHERE')]));
    expect(held).not.toBe('');
    await expectRefused(testApp, '100006', () => accept(srbId, [withPower(asked)]));
    const attempted = await testApp.send(attemptAccept, { srbId, item: withPower('POWER-OF-DONOR') }, { as: 'tech' });
    expect(attempted.data).toEqual({ productSn: sn });
    expect((await accept(srbId, [withPower('POWER-OF-DONOR')])).code).toBe('000000');
    const bound = await testApp.db
      .selectFrom('ubs_assembly')
      .select('deviceSn')
      .where('componentSn', '=', 'POWER-OF-DONOR')
      .where('unbindTime', 'is', null)
      .execute();
    expect(bound).toEqual([{ deviceSn: sn }]);
  });

  it('sends parts of the stock that it does not take out of a donor to their check, as their history says', async () => {
    const [sn, donor] = (await several(2)) as [string, string];
    const stock = { type: '1', subinventoryCode: null, storageType: null };
    const [taken, left] = [
      await stockMachine(testApp.db, Node.CanShip, stock),
      await stockMachine(testApp.db, Node.CanShip, stock),
    ];
    // As a part of the stock stands that went into a device.
    await testApp.db.updateTable('rma_inventory').set({ ivyId: null }).where('sn', 'in', [taken, left]).execute();
    await testApp.db
      .insertInto('ubs_assembly')
      .values(
        [taken, left].map((componentSn) => ({
          ...{ deviceSn: donor, componentSn, componentType: 'COIT000000S1', bindTime: new Date() },
        })),
      )
      .execute();
    const srbId = await made([sn, donor]);
    const list = [item(sn, [donor], { assembleInfoList: parts({ 0: { sn: taken } }) })];
    expect((await accept(srbId, list)).code).toBe('000000');
    const out = await readTrace(testApp, left);
    expect(out.unit).toMatchObject({ ivyId: Node.AwaitingCheck, mtbId: null, siteId: 'SZ' });
    expect(out.history[0]).toMatchObject({
      ...{ step: 'outsourcingAccept', billId: srbId, fromNode: null, toNode: Node.AwaitingCheck, note: donor },
    });
    expect((await readTrace(testApp, taken)).unit).toMatchObject({ ivyId: null });
  });

  it('sends main SNs to their test, uses up the donors, frees the rest, and ends the bill [S-OUT-11] [S-OUT-01]', async () => {
    const onBill = await unitOnBill(testApp.db, { node: Node.Scrapped, billStatus: BillStatus.Finished });
    const [donor, second, third, unused] = (await several(4)) as [string, string, string, string];
    const sn = onBill.sn;
    const srbId = await made([sn, donor, second, third, unused]);
    const own = await stockMachine(testApp.db, Node.CanShip, { type: '1', subinventoryCode: 'FG', storageType: '0' });
    const first = item(sn.toLowerCase(), [donor], { assembleInfoList: parts({ 2: { sn: own } }) });
    const asking = { as: 'tech', key: newKey() };
    const answer = await accept(srbId, [first, item(second, [third])], {}, asking);
    expect(answer).toMatchObject({
      code: '000000',
      data: { srbId, billStatus: '1', unitCount: 2, consumedCount: 2, freedCount: 1 },
    });
    expect(await accept(srbId, [first, item(second, [third])], {}, { as: 'tech' })).toMatchObject({ code: '100022' });

    const main = await readTrace(testApp, sn);
    expect(main.unit).toMatchObject({
      ivyId: Node.AwaitingTest,
      mtbId: null,
      mtbliId: null,
      holdKind: null,
      storageType: '1',
      subinventoryCode: null,
    });
    expect(main.history[0]).toMatchObject({
      step: 'outsourcingAccept',
      billId: srbId,
      fromNode: '40',
      toNode: '70',
      note: 'FX01',
      userId: 'tech',
    });
    expect(await heldOf(donor)).toEqual({ ivyId: Node.Scrapped, holdKind: 'consumed', holdBillId: srbId });
    expect((await readTrace(testApp, donor)).history[0]).toMatchObject({ step: 'outsourcingAccept', note: sn });
    expect(await heldOf(unused)).toEqual(free);
    expect((await readTrace(testApp, unused)).history[0]).toMatchObject({
      step: 'scrapRepairReturn',
      billId: srbId,
    });
    // What was stock is inside the unit now.
    expect((await readTrace(testApp, own)).unit).toMatchObject({ ivyId: null });

    const repaired = await testApp.db
      .selectFrom('rma_repair_bill as b')
      .innerJoin('rma_repair_bill_line as l', 'l.rpbId', 'b.rpbId')
      .select(['b.repairType', 'b.mtbId', 'b.siteId', 'b.userId', 'l.partsType', 'l.icdIds', 'l.slot', 'l.spendCount'])
      .where('b.sn', '=', sn)
      .execute();
    expect(repaired).toEqual([
      {
        repairType: '3',
        mtbId: null,
        siteId: 'SZ',
        userId: 'tech',
        partsType: '7',
        icdIds: 'RP01',
        slot: 'U1',
        spendCount: 2,
      },
    ]);
    const bound = await testApp.db
      .selectFrom('ubs_assembly')
      .select(['componentSn', 'qrCodeNum'])
      .where('deviceSn', '=', sn)
      .where('unbindTime', 'is', null)
      .execute();
    expect(bound).toHaveLength(6);
    expect(await readLedger(testApp, srbId)).toMatchObject([{ what: 'combineRepair' }, { what: 'outsourcingAccept' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('shows each main SN with what was done for it [S-SCR-08]', async () => {
    const [sn, donor, unused] = (await several(3)) as [string, string, string];
    const srbId = await made([sn, donor, unused]);
    await accept(srbId, [item(sn, [donor])]);
    const bill = await load(srbId);
    expect(bill).toMatchObject({ billStatus: '1', acceptBy: 'tech', acceptTime: expect.any(Number) as number });
    expect(bill.rmaScrapRepairBillLineList.map((it) => [it.sn, it.snRole, it.productSn])).toEqual([
      [sn, '1', sn],
      [donor, '2', sn],
      [unused, '0', null],
    ]);
    expect(bill.unitList).toMatchObject([
      {
        productSn: sn,
        checkIssueCodes: [{ code: 'FX01' }],
        assistSnList: [donor],
        repairInfoList: [{ partsType: '7', repairMethod: '8', codes: ['RP01'], slot: 'U1', spendCount: 2 }],
      },
    ]);
    expect(bill.unitList[0]?.assembleInfoList).toHaveLength(6);
  });

  it('is done once: an order that was received can no longer be entered [S-OUT-10]', async () => {
    const [sn, donor, other] = (await several(3)) as [string, string, string];
    const srbId = await made([sn, donor, other]);
    const list = [item(sn, [donor])];
    const answers = await Promise.all([accept(srbId, list), accept(srbId, list)]);
    expect(answers.map((it) => it.code).toSorted()).toEqual(['000000', '100022']);
    await expectNo('100022', () => testApp.send(validateSnForAccept, { sn: other, srbId }, { as: 'tech' }));
    const no = await expectRefused(testApp, '100022', () =>
      testApp.send(cancelScrapRepair, { id: srbId }, { as: 'warehouse' }),
    );
    expect(no.msg).toContain('already received by outsourcing');
  });

  it('gives a unit that is tested and shipped as any of the stock, and a donor that nobody wakes', async () => {
    const [sn, donor] = (await several(2)) as [string, string];
    const srbId = await made([sn, donor]);
    await accept(srbId, [item(sn, [donor])]);
    const submit = (path: string, input: object, as: string) => testApp.ask('POST', `/api/${path}.json`, input, { as });
    const aged = { rmaBurninBillLineList: [{ sn, icdId: codes['AT00'] }] };
    expect((await submit('rmaBurninBill/submitBurninBill', aged, 'tech')).code).toBe('000000');
    const activation = { sn: donor, subinventoryCode: 'FG' };
    const no = await expectRefused(testApp, '100008', () => submit('rmaStoreBill/storeStart', activation, 'warehouse'));
    expect(no.msg).toContain(`was used up for scrap repair bill ${srbId}`);
    await expectRefused(testApp, '100008', () => combine([donor]));
  });

  it('is not rolled back', async () => {
    const [sn, donor] = (await several(2)) as [string, string];
    const srbId = await made([sn, donor]);
    await accept(srbId, [item(sn, [donor])]);
    const step = (await readTrace(testApp, sn)).history[0];
    const undo = { id: String(step?.id), remark: 'x' };
    const no = await expectRefused(testApp, '100015', () =>
      testApp.ask('GET', '/api/rmaTransaction/rollbackById.json', undo, { as: 'admin' }),
    );
    expect(no.msg).toContain('Outsourcing accepted');
  });
});

describe('a scrap repair that is given up', () => {
  const cancel = (id: string, as = 'warehouse') => testApp.send(cancelScrapRepair, { id }, { as });

  it('is given up by who made it, or by who sees all sites', async () => {
    const srbId = await made(await several(1));
    await expectRefused(testApp, '100013', () => cancel(srbId, 'tech'));
    await expectRefused(testApp, '100013', () => cancel(srbId, 'office'));
    expect((await cancel(srbId, 'admin')).code).toBe('000000');
    await expectRefused(testApp, '100025', () => cancel(srbId));
  });

  it('leaves its SNs as scrap that may go out again', async () => {
    const sns = await several(2);
    const srbId = await made(sns);
    expect((await cancel(srbId)).data).toMatchObject({ srbId, billStatus: '2' });
    for (const sn of sns) {
      expect(await heldOf(sn)).toEqual(free);
      expect((await readTrace(testApp, sn)).history[0]).toMatchObject({ step: 'scrapRepairReturn', billId: srbId });
    }
    expect((await combine(sns)).code).toBe('000000');
    expect(await readLedger(testApp, srbId)).toMatchObject([{ what: 'combineRepair' }, { what: 'cancelScrapRepair' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});
