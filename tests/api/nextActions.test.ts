import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slotsOf } from '#domain/assembly.ts';
import type { Call, InputOf } from '#domain/call.ts';
import { onTheSpotActions, type OnTheSpotActionName } from '#domain/nextActions.ts';
import { Node } from '#domain/nodes.ts';
import {
  buyOut,
  changeSite,
  moveBill,
  replaceSaleCode,
  rollbackToPreliminaryTest,
} from '#features/bill-actions/contract.ts';
import { supplementCheckPicture } from '#features/check-pictures/contract.ts';
import { rebindSn } from '#features/deliver/contract.ts';
import { editDeliver } from '#features/edit-delivery/contract.ts';
import { viewHistory } from '#features/inventory/contract.ts';
import { modifyIvyId } from '#features/node-edit/contract.ts';
import { rollbackTransaction } from '#features/rollback/contract.ts';
import { storeStart, submitStoreBill } from '#features/store/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { uploadPicture } from '#tests/support/pictures.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

/** A unit as the calls name it; without an item its names are nobody's. */
type Named = Record<'sn' | 'mtbId' | 'mtblId' | 'mtbliId' | 'siteId', string> & { itemId: number };
const onNoBill = (sn: string): Named => ({
  ...{ sn, mtbId: 'MTB0', mtblId: 'MBL0', mtbliId: 'MBI0', siteId: 'SZ', itemId: 987654321 },
});

const tested = { checkTime: new Date() };
const at = (node: Node, more: object = {}) => unitOnBill(testApp.db, { node, item: tested, ...more });
const onShelf = async () => {
  const unit = await at(Node.AwaitingStorage);
  await testApp.send(
    submitStoreBill,
    { rmaStoreBillLineList: [{ sn: unit.sn }], packageCount: 20 },
    { as: 'warehouse' },
  );
  return unit;
};

const states: Record<string, () => Promise<Named>> = {
  'awaits its first test': () => unitOnBill(testApp.db, { node: Node.AwaitingCheck }),
  'is held': () => heldUnit(testApp.db, 'scrap', { item: tested }),
  'awaits repair': () => at(Node.AwaitingRepair),
  'can ship': onShelf,
  'can ship beside what has left': async () => {
    const unit = await onShelf();
    const { mtbliId } = unit;
    const line = testApp.db.selectFrom('rma_stockup_bill_line').select('skbId').where('mtbliId', '=', mtbliId);
    await testApp.db.updateTable('rma_stockup_bill').set({ status: '1' }).where('skbId', 'in', line).execute();
    return unit;
  },
  'is confirmed scrap': () => at(Node.Scrapped, { billStatus: '1' }),
  'was given up with its bill': () => at(Node.Scrapped, { item: { ...tested, scrap: '0' } }),
  'was shipped': () => at(Node.Shipped),
  'is on a finished bill': () => at(Node.AwaitingRepair, { billStatus: '2', item: { ...tested, receiveStatus: '2' } }),
  'is stock on the shelf': async () => onNoBill(await stockMachine(testApp.db, Node.CanShip)),
  'is stock in the chain': async () => onNoBill(await stockMachine(testApp.db, Node.AwaitingRepair)),
  'is in the archive alone': async () => {
    const sn = `ARCHIVED${Date.now()}${Math.random()}`.replace('.', '');
    await testApp.db.insertInto('ubs_item_object').values({ sn, type: '0', salesCode: 'RX19', origin: '1' }).execute();
    return onNoBill(sn);
  },
  'is at another site': () => at(Node.CanShip, { siteId: 'NB' }),
};

interface ActionCall<C extends Call> {
  call: C;
  inputOf: (unit: Named) => InputOf<C> | Promise<InputOf<C>>;
}
const actionCall = <C extends Call>(call: C, inputOf: ActionCall<C>['inputOf']) =>
  ({ call, inputOf }) as unknown as ActionCall<Call>;
const items = ({ mtbliId }: Named) => ({ rmaMaintainBillLineItemList: [{ mtbliId }] });
/** What each is done by, with all that the user would have entered. */
const done: Record<Exclude<OnTheSpotActionName, 'modifyNode' | 'rollback'>, ActionCall<Call>> = {
  rebind: actionCall(rebindSn, ({ sn }) => ({
    sn,
    partsList: slotsOf(1).map(({ name, componentType, hasQrCode }) => ({
      sn: `${name}-${sn}`.toUpperCase(),
      component_type: componentType,
      qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
    })),
  })),
  supplementCheckPicture: actionCall(supplementCheckPicture, async ({ itemId }) => ({
    id: String(itemId),
    checkUrls: await uploadPicture(testApp, 'admin'),
  })),
  editDeliver: actionCall(editDeliver, ({ itemId }) => ({ id: String(itemId), deliverPriority: '1' })),
  replaceSaleCode: actionCall(replaceSaleCode, (unit) => ({
    ...items(unit),
    ...{ salesCode: 'RX21', replaceFlag: '0', salesCodeCount: 1 },
  })),
  updateSiteId: actionCall(changeSite, (unit) => ({ ...items(unit), updateSiteId: 'US' })),
  moveBill: actionCall(moveBill, async ({ mtbliId, siteId }) => {
    const { mtbId, mtblId } = await unitOnBill(testApp.db, { node: Node.AwaitingTest, siteId });
    return { ids: [mtbliId], mtbId, mtblId, moveBillFlag: '1' };
  }),
  storeStart: actionCall(storeStart, ({ sn }) => ({ sn })),
  rollbackToPreliminaryTest: actionCall(rollbackToPreliminaryTest, ({ sn, mtbliId, mtbId }) => [
    { sn, mtbliId, mtbId },
  ]),
  buyOut: actionCall(buyOut, ({ mtblId, mtbliId }) => [{ mtblId, mtbliIdList: [mtbliId], remark: 'agreed' }]),
};
const names = Object.keys(done) as (keyof typeof done)[];

describe.each(Object.entries(states))('with a unit that %s', (_, make) => {
  it.each(names)('%s is offered where its call takes it, and nowhere else', async (name) => {
    const unit = await make();
    const { data } = await testApp.send(viewHistory, { sn: unit.sn }, { as: 'admin' });
    const { call, inputOf } = done[name];
    const answer = await testApp.send(call, await inputOf(unit), { as: 'admin' });
    const isOffered = data.next.some((it) => it.action === name);
    expect(isOffered, answer.msg).toBe(answer.code === '000000');
  });
});

it('each is offered by the right of its call', () => {
  const calls = { ...done, modifyNode: { call: modifyIvyId }, rollback: { call: rollbackTransaction } };
  const rights = Object.fromEntries(Object.entries(calls).map(([name, { call }]) => [name, call.right]));
  expect(Object.fromEntries(Object.entries(onTheSpotActions).map(([name, { right }]) => [name, right]))).toEqual(
    rights,
  );
});

it('is what each role may, in the order of the work', async () => {
  const sn = async (unit: Promise<Named>) => (await unit).sn;
  const offered = async (of: string, as: string) =>
    (await testApp.send(viewHistory, { sn: of }, { as })).data.next.map((it) => it.action);
  const inRepair = await sn(at(Node.AwaitingRepair));
  const office = ['editDeliver', 'supplementCheckPicture', 'replaceSaleCode', 'updateSiteId', 'moveBill'];
  for (const as of ['office', 'aftersales']) {
    expect(await offered(inRepair, as)).toEqual([...office, 'rollbackToPreliminaryTest', 'buyOut']);
  }
  expect(await offered(inRepair, 'supervisor')).toEqual(['supplementCheckPicture', 'rollbackToPreliminaryTest']);
  expect(await offered(inRepair, 'tech')).toEqual(['repair', 'supplementCheckPicture']);
  for (const as of ['warehouse', 'viewer', 'finance']) expect(await offered(inRepair, as)).toEqual([]);
  expect(await offered(await sn(onShelf()), 'warehouse')).toEqual(['deliver', 'rebind']);
  expect(await offered(await stockMachine(testApp.db, Node.Scrapped), 'warehouse')).toEqual(['storeStart']);
});
