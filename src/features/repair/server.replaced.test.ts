import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { stockMachine, unitOnBill, type UnitOnBill } from '#tests/support/factories.ts';
import { readCodeIds, expectRefused, readItem, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { repair } from './contract.ts';

let testApp: TestApp;
let codes: Record<string, number>;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
});
afterAll(() => testApp.close());

let made = 0;
const boardSn = () => `HB19R${String(++made).padStart(12, '0')}`;
const call = <Data = unknown>(as: string, path: string, input: unknown, method: 'GET' | 'POST' = 'POST') =>
  testApp.ask<Data>(method, `/api/${path}.json`, input, { as });
/** As `call`, of what is not refused. */
async function done<Data = unknown>(...args: Parameters<typeof call>): Promise<Data> {
  const answer = await call<Data>(...args);
  expect(answer.code, answer.msg).toBe('000000');
  return answer.data;
}

/** A customer's board that waits for its repair. */
async function ready(more: object = {}): Promise<UnitOnBill> {
  const of = { node: Node.AwaitingRepair, sn: boardSn(), salesCode: 'HB19', unit: { type: '1' } };
  const unit = await unitOnBill(testApp.db, { ...of, ...more });
  await testApp.db.updateTable('rma_maintain_bill_line').set({ type: '1' }).where('mtblId', '=', unit.mtblId).execute();
  return unit;
}
/** Another board takes its place; gives its SN. */
async function replaced({ sn }: UnitOnBill, by = boardSn()): Promise<string> {
  const row = { partsType: '7', repairMethod: '2', issueCodeIdList: [codes['RP01'] as number], slot: 'U1' };
  const input = { sn, checkType: '1', partsList: [{ ...row, replaceSn: by }] };
  const answer = await testApp.send(repair, input, { as: 'tech' });
  expect(answer.code, answer.msg).toBe('000000');
  return by;
}
const setNode = (sn: string, ivyId: Node) => done('admin', 'rmaInventory/modifyIvyId', { sn, ivyId });
async function stockBoard(node: Node): Promise<string> {
  const sn = boardSn();
  await stockMachine(testApp.db, node, { sn, type: '1', salesCode: 'HB19' });
  return sn;
}
const latestId = async (sn: string, step: string) =>
  (await readTrace(testApp, sn)).history.find((it) => it.step === step)?.id;
const rollback = async (sn: string, step: string) =>
  call('admin', 'rmaTransaction/rollbackById', { id: String(await latestId(sn, step)), remark: 'wrong' }, 'GET');
const toFirstTest = ({ mtbliId, mtbId }: UnitOnBill, sn: string) =>
  done('admin', 'rmaMaintainBillLineItem/rollbackToPreliminaryTest', { list: [{ sn, mtbliId, mtbId }] });
const readSkbId = async (mtbId: string) => {
  const bills = testApp.db.selectFrom('rma_stockup_bill').select('skbId').where('mtbId', '=', mtbId).orderBy('id');
  return (await bills.execute()).map((it) => it.skbId);
};

describe('a board that took another one’s place', () => {
  it('is not taken off the receipt, though it waits for its first test', async () => {
    const unit = await ready({ billStatus: '0' });
    const now = await replaced(unit);
    await toFirstTest(unit, now);
    const input = { mtbId: unit.mtbId, rmaReceiveBillLineRequestList: [{ snList: [now] }] };
    await expectRefused(testApp, '100003', () => call('warehouse', 'rmaReceiveBill/deleteReceived', input));
  });

  it('stands on its bill again when the board that left instead comes back', async () => {
    const unit = await ready();
    const now = await replaced(unit);
    await setNode(now, Node.CanShip);
    const [skbId] = await readSkbId(unit.mtbId);
    const stock = await stockBoard(Node.CanShip);
    await done('warehouse', 'rmaDeliverBill/submitDeliverBill', {
      skbId,
      submitType: '0',
      rmaDeliverBillLineList: [{ deliverSn: stock }],
    });
    expect((await rollback(stock, 'deliver')).code).toBe('000000');
    expect((await readTrace(testApp, now)).unit).toMatchObject({ ivyId: '100', mtbliId: unit.mtbliId });
    expect((await readTrace(testApp, unit.sn)).unit).toMatchObject({ ivyId: '40', mtbliId: null });
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverStatus: '1', stockup: '1' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('is tallied by its own SN when a stock-up bill of the former one is reset', async () => {
    const unit = await ready();
    await setNode(unit.sn, Node.CanShip);
    const [first] = await readSkbId(unit.mtbId);
    await done('admin', 'rmaStockupBill/cancelStockupBill', { id: first }, 'GET');
    await setNode(unit.sn, Node.AwaitingRepair);
    const now = await replaced(unit);
    await setNode(now, Node.CanShip);
    const [, second] = await readSkbId(unit.mtbId);
    await done('admin', 'rmaStockupBill/cancelStockupBill', { id: second }, 'GET');
    await done('admin', 'rmaStockupBill/resetStockupBill', { id: first }, 'GET');
    const input = { skbId: first, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: now }] };
    await done('warehouse', 'rmaDeliverBill/submitDeliverBill', input);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('is none that waits for its supervisor', async () => {
    const held = await ready({ node: Node.AwaitingCheck });
    const { mtblId, mtbliId } = held;
    const bought = { list: [{ mtblId, mtbliIdList: [mtbliId], remark: 'kept' }] };
    await done('admin', 'rmaMaintainBillLineItem/buyOut', bought);
    const checked = { sn: held.sn, checkType: '1', issueCodeIdList: [codes['NTF']] };
    await done('tech', 'rmaCheckBill/check', checked);
    const { sn } = await ready();
    const row = { partsType: '7', repairMethod: '2', issueCodeIdList: [codes['RP01'] as number], slot: 'U1' };
    const input = { sn, checkType: '1', partsList: [{ ...row, replaceSn: held.sn }] };
    await expectRefused(testApp, '100008', () => testApp.send(repair, input, { as: 'tech' }));
  });

  it('keeps its place when its own receipt would be undone', async () => {
    const created = await done<{ mtbId: string }>('office', 'rmaMaintainBill/create', {
      receiveShipNo: 'SFREPLACED1',
      userName: '宁远矿业',
      rmaMaintainBillLineList: [{ salesCode: 'HB19', count: 1 }],
    });
    const line = { type: '1', salesCode: 'HB19', repairableCount: 1 };
    const { snList } = await done<{ snList: string[] }>('warehouse', 'rmaReceiveBill/receive', {
      mtbId: created.mtbId,
      rmaReceiveBillLineRequestList: [line],
    });
    const stock = snList[0] as string;
    const checked = { sn: stock, checkType: '1', issueCodeIdList: [codes['FX409']] };
    await done('tech', 'rmaCheckBill/check', checked);
    const { mtblId, mtbliId } = (await readTrace(testApp, stock)).unit ?? {};
    await done('admin', 'rmaMaintainBillLineItem/buyOut', {
      list: [{ mtblId, mtbliIdList: [mtbliId], remark: 'kept' }],
    });
    const unit = await ready();
    await replaced(unit, stock);
    await toFirstTest(unit, stock);
    // It came to its present place later.
    expect((await rollback(stock, 'receive')).code).toBe('100025');
    expect((await readTrace(testApp, stock)).unit).toMatchObject({ ivyId: '10', mtbliId: unit.mtbliId });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});
