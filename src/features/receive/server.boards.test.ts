import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { unitOnBill } from '#tests/support/factories.ts';
import { expectRefused, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { createNonOfficial, deleteReceived, finishReceive, receive, validateSn } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

const as = { as: 'warehouse' };
let made = 0;
const newSn = () => `STRANGER${String(++made).padStart(6, '0')}`;
async function newBill(declared: [salesCode: string, count: number][] = [['HB19', 4]], change: object = {}) {
  const { data } = await testApp.ask<{ mtbId: string }>(
    'POST',
    '/api/rmaMaintainBill/create.json',
    {
      receiveShipNo: `SFBRD${++made}`,
      userName: '宁远矿业',
      rmaMaintainBillLineList: declared.map(([salesCode, count]) => ({ salesCode, count })),
    },
    { as: 'office' },
  );
  if (Object.keys(change).length > 0) {
    await testApp.db.updateTable('rma_maintain_bill').set(change).where('mtbId', '=', data.mtbId).execute();
  }
  return data.mtbId;
}
type Line = InputOf<typeof receive>['rmaReceiveBillLineRequestList'][number];
const boards = (more: Partial<Line> = {}): Line => ({ type: '1', salesCode: 'HB19', repairableCount: 1, ...more });
const scanned = (receiveSn: string, more: Partial<Line> = {}): Line => ({
  ...more,
  rmaReceiveBillLineItemRequestList: [{ receiveSn, depreciation: 'B' }],
});
const take = (mtbId: string, lines: Line[], asking: object = as) =>
  testApp.send(receive, { mtbId, rmaReceiveBillLineRequestList: lines }, asking);
const readLines = (mtbId: string) =>
  testApp.db.selectFrom('rma_maintain_bill_line').selectAll().where('mtbId', '=', mtbId).orderBy('id').execute();
const readItems = (mtbId: string) =>
  testApp.db.selectFrom('rma_maintain_bill_line_item').selectAll().where('mtbId', '=', mtbId).orderBy('id').execute();
const readUnits = (mtbId: string) =>
  testApp.db.selectFrom('rma_inventory').selectAll().where('mtbId', '=', mtbId).orderBy('sn').execute();

describe('boards are not received', () => {
  it('without a session, without the right, on a bill of another site [W-EVT-04]', async () => {
    const mtbId = await newBill();
    await expectRefused(testApp, '401', () => take(mtbId, [boards()], {}));
    await expectRefused(testApp, '100013', () => take(mtbId, [boards()], { as: 'tech' }));
    await expectRefused(testApp, '100002', () => take(mtbId, [boards()], { as: 'whNB' }));
  });

  it.each(['1', '2', '3'])('on a bill of status %s [W-EVT-04]', async (billStatus) => {
    const mtbId = await newBill([['HB19', 1]], { billStatus });
    await expectRefused(testApp, '100012', () => take(mtbId, [boards()]));
    await testApp.db.updateTable('rma_maintain_bill').set({ billStatus: '0' }).where('mtbId', '=', mtbId).execute();
  });

  const wrong: [what: string, code: string, line: Partial<Line>][] = [
    ['without a sales code', '100001', { salesCode: ' ' }],
    ['without any count', '100001', { repairableCount: null }],
    ['with counts of nothing', '100001', { repairableCount: 0, unRepairableCount: 0 }],
    ['of a model that nobody knows', '100002', { salesCode: 'HB0' }],
    ['of a model that is a device', '100015', { salesCode: 'RX19' }],
    ['more than are counted at once', '100015', { repairableCount: 300, unRepairableCount: 201 }],
    ['on a line of another bill', '100002', { mtblId: 'MBL0' }],
    ['as devices', '100015', { type: '0' }],
    ['scanned and counted', '100015', scanned('X1')],
  ];
  it.each(wrong)('%s, and with them the good ones [W-RCV-22] [W-EVT-04]', async (_, code, more) => {
    const mtbId = await newBill();
    await expectRefused(testApp, code, () => take(mtbId, [boards(), boards(more)]));
  });

  it('on a line of another model [W-EVT-04]', async () => {
    const mtbId = await newBill([['RX19', 1]]);
    const [line] = await readLines(mtbId);
    await expectRefused(testApp, '100020', () => take(mtbId, [boards({ mtblId: line?.mtblId })]));
  });
});

describe('boards that are received by their number', () => {
  it('get SNs for their labels; those that can be repaired wait for their test, the others are given up [W-EVT-04]', async () => {
    const mtbId = await newBill([['HB19', 3]]);
    const [line] = await readLines(mtbId);
    const { data } = await take(mtbId, [
      boards({ mtblId: line?.mtblId, salesCode: 'hb19', repairableCount: 3, unRepairableCount: 1 }),
    ]);
    expect(data).toMatchObject({ receivedCount: 4, lineList: [{ mtblId: line?.mtblId, receiveCount: 4 }] });
    expect(data.snList).toHaveLength(3);
    expect(new Set(data.snList).size).toBe(3);
    for (const sn of data.snList) expect(sn).toMatch(/^[A-Z0-9]{17}$/);
    expect(await readLines(mtbId)).toMatchObject([
      { count: 3, receiveCount: 4, discardCount: 1, scrapCount: 0, deliverCount: 0 },
    ]);
    const units = await readUnits(mtbId);
    expect(units.map((it) => [it.ivyId, it.storageType, it.type, it.salesCode])).toEqual([
      ['10', '1', '1', 'HB19'],
      ['10', '1', '1', 'HB19'],
      ['10', '1', '1', 'HB19'],
      ['40', '2', '1', 'HB19'],
    ]);
    expect(units.slice(0, 3).map((it) => it.sn)).toEqual(data.snList);
    const items = await readItems(mtbId);
    expect(items.map((it) => [it.receiveStatus, it.deliverStatus, it.scrap])).toEqual([
      ['1', '0', '0'],
      ['1', '0', '0'],
      ['1', '0', '0'],
      ['1', '3', '0'],
    ]);
    for (const unit of units) {
      const { history } = await readTrace(testApp, unit.sn);
      expect(history).toMatchObject([
        { step: 'receive', billId: data.rvbId, fromNode: null, toNode: unit.ivyId, mtbId },
      ]);
      const known = testApp.db.selectFrom('ubs_item_object').selectAll().where('sn', '=', unit.sn);
      expect(await known.executeTakeFirst()).toMatchObject({ type: '1', salesCode: 'HB19', itemId: 3, origin: '1' });
    }
    expect(await readLedger(testApp, data.rvbId)).toMatchObject([{ what: 'receive' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('come on a line of their own where none was declared, beside devices, and as received later [W-EVT-04]', async () => {
    const mtbId = await newBill([['RX19', 1]], { billStatus: '4' });
    const sn = newSn();
    await testApp.db
      .insertInto('ubs_item_object')
      .values({ sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19', type: '0', origin: '1' })
      .execute();
    const { data } = await take(mtbId, [scanned(sn), boards({ repairableCount: 0, unRepairableCount: 2 })]);
    expect(data).toMatchObject({ receivedCount: 3, snList: [sn] });
    expect(await readLines(mtbId)).toMatchObject([
      { salesCode: 'RX19', type: '0', receiveCount: 1 },
      { salesCode: 'HB19', type: '1', count: 2, receiveCount: 2, discardCount: 2 },
    ]);
    expect((await readItems(mtbId)).map((it) => it.receiveStatus)).toEqual(['3', '3', '3']);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('that were given up stay on the receipt, the others are taken off again', async () => {
    const mtbId = await newBill([['HB19', 1]]);
    await take(mtbId, [boards({ repairableCount: 1, unRepairableCount: 1 })]);
    const [good, bad] = (await readUnits(mtbId)).map((it) => it.sn) as [string, string];
    const off = (sn: string) =>
      testApp.send(deleteReceived, { mtbId, rmaReceiveBillLineRequestList: [{ snList: [sn] }] }, as);
    await expectRefused(testApp, '100003', () => off(bad));
    expect((await off(good)).data.deletedCount).toBe(1);
    expect(await readLines(mtbId)).toMatchObject([{ receiveCount: 1, discardCount: 1 }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('that an administrator took out of scrap leave as if they had not come', async () => {
    const mtbId = await newBill([['HB19', 2]]);
    await take(mtbId, [boards({ repairableCount: 1, unRepairableCount: 1 })]);
    const sn = (await readUnits(mtbId)).map((it) => it.sn)[1] as string;
    const edit = { sn, ivyId: '10', remark: 'it can be repaired' };
    const edited = await testApp.ask('POST', '/api/rmaInventory/modifyIvyId.json', edit, { as: 'admin' });
    expect(edited).toMatchObject({ code: '000000' });
    const off = await testApp.send(deleteReceived, { mtbId, rmaReceiveBillLineRequestList: [{ snList: [sn] }] }, as);
    expect(off.data.deletedCount).toBe(1);
    const { unit, history } = await readTrace(testApp, sn);
    expect(unit?.ivyId).toBeNull();
    expect(history.map((it) => [it.step, it.operateStatus])).toEqual([
      ['receive', 'Rollbacked'],
      ['modifyNode', 'Rollbacked'],
      ['receive', 'Rollbacked'],
    ]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('are all given up: the bill is finished with its receipt', async () => {
    const mtbId = await newBill([['HB19', 1]]);
    await take(mtbId, [boards({ repairableCount: 0, unRepairableCount: 1 })]);
    expect((await testApp.send(finishReceive, { maintainBillId: mtbId }, as)).data.billStatus).toBe('2');
  });
});

describe('a unit that is not ours', () => {
  const enter = (sn: string | null, type: string | null, asking: object = as) =>
    testApp.send(createNonOfficial, { sn, type }, asking);

  it('is not entered without a session or the right [W-EVT-05]', async () => {
    await expectRefused(testApp, '401', () => enter(newSn(), '0', {}));
    await expectRefused(testApp, '100013', () => enter(newSn(), '0', { as: 'tech' }));
  });

  const wrong: [what: string, code: string, sn: string | null, type: string | null][] = [
    ['without an SN', '100001', ' ', '0'],
    ['with no SN at all', '100001', null, '0'],
    ['without a type', '100001', 'STRANGER0', ''],
    ['of a type that does not exist', '100015', 'STRANGER0', '2'],
    ['with an SN that can be none', '100015', 'STRANGER 0', '0'],
  ];
  it.each(wrong)('is not entered %s [W-RCV-23] [W-EVT-05]', async (_, code, sn, type) => {
    await expectRefused(testApp, code, () => enter(sn, type));
  });

  it('is not entered under an SN of ours, nor twice [W-EVT-05]', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.Shipped });
    await testApp.db.insertInto('ubs_item_object').values({ sn, salesCode: 'RX19', type: '0', origin: '1' }).execute();
    const no = await expectRefused(testApp, '100007', () => enter(sn, '0'));
    expect(no.msg).toBe(`SN ${sn} belongs to the company; scan it in the device tab`);
    const unknownSn = newSn();
    await enter(unknownSn, '0');
    await expectRefused(testApp, '100007', () => enter(unknownSn.toLowerCase(), '0'));
  });

  it.each([
    ['device', '0'],
    ['board', '1'],
  ])(
    'is received as any other once it is entered, on a line of its own: a %s [S-INV-05] [W-RCV-24] [W-EVT-05]',
    async (_, type) => {
      const mtbId = await newBill([['RX19', 1]]);
      const sn = newSn();
      await expectRefused(testApp, '100002', () => take(mtbId, [scanned(sn)]));
      const { data } = await enter(` ${sn.toLowerCase()} `, type);
      expect(data).toMatchObject({ sn, item: { code: 'NOT-OUR', deviceType: type } });
      const known = testApp.db.selectFrom('ubs_item_object').selectAll().where('sn', '=', sn);
      expect(await known.executeTakeFirst()).toMatchObject({ type, origin: '4', salesCode: null });
      expect((await readTrace(testApp, sn)).unit).toBeUndefined();
      expect((await testApp.send(validateSn, { sn, mtbId }, as)).data.item.code).toBe('NOT-OUR');
      expect((await take(mtbId, [scanned(sn, { type })])).data.snList).toEqual([sn]);
      expect(await readLines(mtbId)).toMatchObject([
        { salesCode: 'RX19', receiveCount: 0 },
        { salesCode: 'NOT-OUR', type, count: 1, receiveCount: 1 },
      ]);
      expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: '10', mtbId, salesCode: 'NOT-OUR', type });
      expect(await known.executeTakeFirst()).toMatchObject({ salesCode: 'NOT-OUR', origin: '4' });
      expect(await readLedger(testApp, sn)).toMatchObject([{ what: 'createNonOfficial' }]);
      // The second one finds the line of the first.
      const next = newSn();
      await enter(next, type);
      await take(mtbId, [scanned(next, { type })]);
      expect((await readLines(mtbId))[1]).toMatchObject({ count: 2, receiveCount: 2 });
      expect(await brokenInvariants(testApp.db)).toEqual([]);
    },
  );
});
