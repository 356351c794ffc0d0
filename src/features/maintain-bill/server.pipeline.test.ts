import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DeliverStatus, Flag, ReceiveStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, maintainBill, unitOnBill, type Bill } from '#tests/support/factories.ts';
import { expectNo } from '#tests/support/guard.ts';
import { billProgress, billUnits } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  const nobody = { userId: 'nobody', userName: 'N', roleIds: 'nobody', siteId: 'SZ', allSites: '0', status: '1' };
  await testApp.db.insertInto('admin_user').values(nobody).execute();
});
afterAll(() => testApp.close());

const progressOf = async ({ mtbId }: Bill, as = 'office') => (await testApp.send(billProgress, { mtbId }, { as })).data;
const stagesOf = async (bill: Bill) =>
  Object.fromEntries((await progressOf(bill)).stages.map((it) => [it.stage, it.count]));
const unitsOf = async ({ mtbId }: Bill, more: object = {}, as = 'office') =>
  (await testApp.send(billUnits, { mtbId, pageCount: 200, ...more }, { as })).data;
const receipt = (receiveStatus: string) => ({ receiveStatus, receiveSn: null, receiveTime: null });
/** An item that has no unit. */
async function itemOnly(bill: Bill, item: object) {
  const unit = await unitOnBill(testApp.db, { node: Node.AwaitingCheck, bill, item });
  await testApp.db.deleteFrom('rma_inventory').where('sn', '=', unit.sn).execute();
  return unit;
}

/** How many statements the database got for this. */
async function statementsOf(ask: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await ask();
  const { length } = query.mock.calls;
  query.mockRestore();
  return length;
}

describe('the pipeline of a bill', () => {
  it('counts each unit before the step that takes it, or at its end', async () => {
    const bill = await maintainBill(testApp.db);
    const nodes = [Node.AwaitingCheck, Node.AwaitingRepair, Node.AwaitingAssembly, Node.AwaitingTest];
    for (const node of [...nodes, Node.AwaitingInspection, Node.AwaitingStorage, Node.CanShip, Node.CanShip]) {
      await unitOnBill(testApp.db, { node, bill });
    }
    await unitOnBill(testApp.db, { node: Node.Shipped, bill });
    await unitOnBill(testApp.db, { node: Node.Scrapped, bill });
    await unitOnBill(testApp.db, { node: Node.Scrapped, bill, item: { scrap: Flag.No } });
    await itemOnly(bill, { deliverStatus: DeliverStatus.BoughtOut });
    await itemOnly(bill, receipt(ReceiveStatus.Awaiting));
    await itemOnly(bill, receipt(ReceiveStatus.NotReceived));
    // Given back unrepaired: scrap, and on its way all the same.
    await unitOnBill(testApp.db, { node: Node.AwaitingStorage, bill, item: { scrap: Flag.Yes, returness: Flag.Yes } });
    const one = Object.fromEntries(['check', 'repair', 'assemble', 'aging', 'qc'].map((it) => [it, 1]));
    expect(await stagesOf(bill)).toEqual({
      ...one,
      ...{ receive: 1, store: 2, deliver: 2, delivered: 1, scrapped: 1, discarded: 1, boughtOut: 1, notReceived: 1 },
    });
    for (const [stage, count] of Object.entries(await stagesOf(bill))) {
      const { itemTotal, items } = await unitsOf(bill, { stage });
      expect([stage, itemTotal, new Set(items.map((it) => it.stage))]).toEqual([stage, count, new Set([stage])]);
    }
  });

  it('waits for the gate until a parcel of it was signed for', async () => {
    const bill = await maintainBill(testApp.db, { billStatus: '0' });
    await itemOnly(bill, receipt(ReceiveStatus.Awaiting));
    expect(await stagesOf(bill)).toEqual({ signFor: 1 });
    const nextOf = async (as: string) => (await unitsOf(bill, {}, as)).items.map((it) => it.next);
    expect(await nextOf('warehouse')).toEqual([{ action: 'signFor', address: '/rmaArrivalBillList/signFor' }]);
    expect(await nextOf('tech')).toEqual([{ action: 'signFor', address: null }]);
    const parcel = { abId: 'AB-P1', status: '0', siteId: 'SZ', receiveShipNo: 'X', createBy: 'x' };
    await testApp.db
      .insertInto('rma_arrival_bill')
      .values({ ...parcel, mtbId: bill.mtbId })
      .execute();
    expect(await stagesOf(bill)).toEqual({ receive: 1 });
  });

  it('says since when the oldest waits, how much is under warranty, and under which waybill something left', async () => {
    const bill = await maintainBill(testApp.db);
    const at = (hours: number) => ({ updateTime: new Date(Date.now() - hours * 3_600_000) as never });
    await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill, unit: at(5), item: { warranty: '0' } });
    await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill, unit: at(50), item: { warranty: '1' } });
    await unitOnBill(testApp.db, { node: Node.Shipped, bill, item: { warranty: '1', deliverShipNo: 'SF-OUT' } });
    const { stages, warranties, shipments } = await progressOf(bill);
    const repair = stages.find((it) => it.stage === 'repair');
    expect(Math.round((Date.now() - (repair?.oldest ?? 0)) / 3_600_000)).toBe(50);
    expect(warranties).toEqual([
      { warranty: '0', count: 1 },
      { warranty: '1', count: 2 },
    ]);
    expect(shipments).toEqual([{ deliverShipNo: 'SF-OUT', count: 1 }]);
  });
});

describe('the units of a bill', () => {
  it('come by the page over all lines, and of one line', async () => {
    const bill = await maintainBill(testApp.db);
    const made = [];
    for (let i = 0; i < 5; i++) made.push(await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill }));
    const sns = made.map((it) => it.sn);
    expect((await unitsOf(bill)).items.map((it) => it.sn)).toEqual(sns);
    const page = await unitsOf(bill, { pageStart: 3, pageCount: 3 });
    expect([page.itemTotal, page.items.map((it) => it.sn)]).toEqual([5, sns.slice(3)]);
    expect(await unitsOf(bill, { pageStart: 9 })).toMatchObject({ itemTotal: 5, items: [] });
    const line = await unitsOf(bill, { mtblId: made[2]?.mtblId });
    expect(line.items).toMatchObject([{ sn: sns[2], salesCode: 'RX19', itemName: 'RX19 104T', ivyId: '50' }]);
    expect(line.columns).toHaveLength(27);
    expect(line.items[0]).toMatchObject({ receiveSn: sns[2], receiveStatus: '1', mtbId: bill.mtbId });
  });

  it('say what comes next, with the page for whoever may do it', async () => {
    const bill = await maintainBill(testApp.db);
    const repair = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill });
    const nextOf = async (as: string) => (await unitsOf(bill, {}, as)).items.map((it) => it.next);
    expect(await nextOf('tech')).toEqual([{ action: 'repair', address: `/rmaRepairBillList/repair?sn=${repair.sn}` }]);
    expect(await nextOf('office')).toEqual([{ action: 'repair', address: null }]);
    const held = await heldUnit(testApp.db, 'scrap', { bill });
    const [, word] = await nextOf('supervisor');
    expect(word?.address).toMatch(/^\/rmaScrapConfirmList\/scrapConfirm\/\d+$/);
    expect((await unitsOf(bill)).items[1]).toMatchObject({
      ...{ sn: held.sn, held: 'scrap', next: { action: 'scrapConfirm', address: null } },
    });
    await unitOnBill(testApp.db, { node: Node.Shipped, bill });
    expect((await nextOf('tech'))[2]).toBeNull();
    await itemOnly(bill, receipt(ReceiveStatus.Awaiting));
    const address = `/rmaReceiveBillList/receive?shipNo=SHIP-${bill.mtbId}`;
    expect((await nextOf('warehouse'))[3]).toEqual({ action: 'receive', address });
  });

  it('name the actions of the office that would refuse them, and why', async () => {
    const bill = await maintainBill(testApp.db);
    await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill, item: { checkTime: new Date() as never } });
    await unitOnBill(testApp.db, { node: Node.Shipped, bill });
    await heldUnit(testApp.db, 'scrap', { bill });
    await itemOnly(bill, receipt(ReceiveStatus.Awaiting));
    await unitOnBill(testApp.db, { node: Node.AwaitingCheck, bill });
    const refused = (await unitsOf(bill)).items.map((it) => it.refused);
    const every = (key: string) =>
      Object.fromEntries(['updateSiteId', 'moveBill', 'replaceSaleCode', 'buyOut'].map((it) => [it, key]));
    expect(refused[0]).toEqual({});
    expect(refused[1]).toEqual({
      ...every('shipped'),
      ...{ editDeliver: 'shipped', rollbackToPreliminaryTest: 'shipped', supplementCheckPicture: 'notChecked' },
    });
    expect(refused[2]).toEqual({ ...every('held'), supplementCheckPicture: 'notChecked' });
    expect(refused[3]).toEqual({
      ...{ buyOut: 'notReceived', rollbackToPreliminaryTest: 'notReceived', supplementCheckPicture: 'notChecked' },
    });
    expect(refused[4]).toEqual({ supplementCheckPicture: 'notChecked', rollbackToPreliminaryTest: 'atFirstTest' });
  });
});

describe.each([['progress', billProgress] as const, ['units', billUnits] as const])('the %s of a bill', (_, call) => {
  it('are for those who may see the items, within their sites', async () => {
    const bill = await maintainBill(testApp.db);
    const { mtbId } = bill;
    await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill });
    const elsewhere = await maintainBill(testApp.db, { siteId: 'NB' });
    await expectNo('401', () => testApp.send(call, { mtbId }));
    await expectNo('100013', () => testApp.send(call, { mtbId }, { as: 'nobody' }));
    await expectNo('100002', () => testApp.send(call, { mtbId: 'MTB-NONE' }, { as: 'office' }));
    await expectNo('100002', () => testApp.send(call, { mtbId: elsewhere.mtbId }, { as: 'tech' }));
    await expectNo('100002', () => testApp.send(call, { mtbId }, { as: 'whNB' }));
    // A unit that went to another site is no longer this one's to see.
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ siteId: 'NB' })
      .where('mtbId', '=', mtbId)
      .execute();
    expect((await unitsOf(bill, {}, 'tech')).items).toEqual([]);
    expect((await progressOf(bill, 'tech')).stages).toEqual([]);
  });
});

it('reads a bill in the same few statements however many units it has', async () => {
  const bill = await maintainBill(testApp.db);
  await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill });
  await unitsOf(bill);
  const few = await statementsOf(() => unitsOf(bill));
  for (let i = 0; i < 20; i++) await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill });
  expect(await statementsOf(() => unitsOf(bill))).toBe(few);
  expect(await statementsOf(() => progressOf(bill))).toBeLessThanOrEqual(few);
});
