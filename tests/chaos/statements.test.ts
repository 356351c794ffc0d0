import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slotsOf } from '#domain/assembly.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, maintainBill, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { withFault, type Fault } from '#tests/support/faults.ts';
import { codeIdsOf } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { snapshotOf } from '#tests/support/snapshot.ts';

/**
 * Each statement of each handler goes wrong in turn: the answer says so, nothing is half written, and the same submit
 * with the same key is then done, once. `npm run chaos -- statements` tries every statement in both ways.
 */
const FAULTS: readonly Fault[] = ['refused', 'gone'];
/** In the short run one of so many statements goes wrong. */
const STRIDE = process.env['CHAOS'] === 'long' ? 1 : 7;

let house: TestApp;
let codes: Record<string, number>;
beforeAll(async () => {
  house = await startTestApp();
  codes = await codeIdsOf(house);
  // A first session is opened by a statement that is not the handler's.
  await Promise.all(
    ['office', 'warehouse', 'tech', 'supervisor', 'aftersales', 'admin'].map((it) => house.tokenOf(it)),
  );
});
afterAll(() => house.close());

interface Submit {
  as: string;
  path: string;
  input: Record<string, unknown>;
  method?: 'GET' | 'POST';
}

let made = 0;
const unit = (node: Node) => unitOnBill(house.db, { node });
const ask = (it: Submit, key?: string) =>
  house.ask(it.method ?? 'POST', `/api/${it.path}.json`, it.input, { as: it.as, ...(key && { key }) });

async function done(it: Submit): Promise<Record<string, unknown>> {
  const answer = await ask(it);
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data;
}

/** Something to do for each handler of the chain, on things of its own. */
const submits: Record<string, () => Promise<Submit>> = {
  create: async () => ({
    as: 'office',
    path: 'rmaMaintainBill/create',
    input: {
      receiveShipNo: `SFFAULT${++made}`,
      userName: '宁远矿业',
      rmaMaintainBillLineList: [{ salesCode: 'RX19', count: 2 }],
    },
  }),
  signFor: async () => ({
    as: 'warehouse',
    path: 'rmaArrivalBill/signFor',
    input: { receiveShipNo: `SFPARCEL${++made}`, receivePackageCount: 2, remark: null },
  }),
  accept: async () => ({
    as: 'warehouse',
    path: 'rmaArrivalBill/accept',
    input: { id: (await done(await submits['signFor']!()))['id'] },
  }),
  receive: async () => {
    const sn = `RX19FAULT${String(++made).padStart(4, '0')}`;
    const { mtbId } = await maintainBill(house.db, { billStatus: '0' });
    const archived = { sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' };
    await house.db.insertInto('ubs_item_object').values(archived).execute();
    const item = { receiveSn: sn, depreciation: 'B' };
    return {
      as: 'warehouse',
      path: 'rmaReceiveBill/receive',
      input: { mtbId, rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: [item] }] },
    };
  },
  deleteReceived: async () => {
    const received = await submits['receive']!();
    const { snList, mtbId } = await done(received);
    const input = { mtbId, rmaReceiveBillLineRequestList: [{ snList }] };
    return { as: 'warehouse', path: 'rmaReceiveBill/deleteReceived', input };
  },
  finishReceive: async () => {
    const { mtbId } = await done(await submits['receive']!());
    return { as: 'warehouse', path: 'rmaReceiveBill/finishReceive', input: { maintainBillId: mtbId } };
  },
  check: async () => ({
    as: 'tech',
    path: 'rmaCheckBill/check',
    input: { sn: (await unit(Node.AwaitingCheck)).sn, issueCodeIdList: [codes['FX409']], checkUrls: '' },
  }),
  scrapConfirm: async () => {
    const { sn, ckbId } = await heldUnit(house.db, 'scrap');
    const word = { scrapStatus: '1', dutySourse: '1', dutySourseRemark: 'burnt' };
    return { as: 'supervisor', path: 'rmaCheckBill/scrapConfirm', input: { sn, ckbId, ...word } };
  },
  nofaultConfirm: async () => {
    const { sn, ckbId } = await heldUnit(house.db, 'nofault');
    return { as: 'supervisor', path: 'rmaCheckBill/nofaultConfirm', input: { sn, ckbId, nofaultConfirmStatus: '1' } };
  },
  repair: async () => ({
    as: 'tech',
    path: 'rmaRepairBill/repair',
    input: {
      sn: (await unit(Node.AwaitingRepair)).sn,
      partsList: [
        { partsType: '7', repairMethod: '8', issueCodeIdList: [codes['RP01']], slot: 'U1' },
        {
          ...{ sn: `OLDBOARD${String(++made).padStart(9, '0')}`, partsType: '7', repairMethod: '2' },
          ...{ issueCodeIdList: [codes['RP02']], slot: 'U2', replaceSn: `NEWBOARD${String(made).padStart(9, '0')}` },
        },
      ],
    },
  }),
  assemble: async () => {
    const { sn } = await unit(Node.AwaitingAssembly);
    const partsList = slotsOf(1).map(({ name, componentType, hasQrCode }) => ({
      sn: `${name}-${sn}`,
      component_type: componentType,
      qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
    }));
    return { as: 'tech', path: 'rmaAssembleBill/assemble', input: { sn, partsList } };
  },
  aging: async () => ({
    as: 'tech',
    path: 'rmaBurninBill/submitBurninBill',
    input: { rmaBurninBillLineList: [{ sn: (await unit(Node.AwaitingTest)).sn, icdId: codes['AT00'] }] },
  }),
  qc: async () => ({
    as: 'tech',
    path: 'rmaExamineBill/submitExamineBill',
    input: { rmaExamineBillLineList: [{ sn: (await unit(Node.AwaitingInspection)).sn, icdId: codes['QC01'] }] },
  }),
  store: async () => ({
    as: 'warehouse',
    path: 'rmaStoreBill/submitStoreBill',
    input: { rmaStoreBillLineList: [{ sn: (await unit(Node.AwaitingStorage)).sn }], packageCount: 20 },
  }),
  deliver: async () => {
    const { sn, skbId } = await stored();
    return {
      as: 'warehouse',
      path: 'rmaDeliverBill/submitDeliverBill',
      input: { skbId, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: sn }] },
    };
  },
  'rollback of a delivery': async () => {
    const delivery = await submits['deliver']!();
    await done(delivery);
    const [line] = delivery.input['rmaDeliverBillLineList'] as { deliverSn: string }[];
    const step = await house.db
      .selectFrom('rma_transaction')
      .select('id')
      .where('sn', '=', line!.deliverSn)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const input = { id: String(step.id), remark: 'wrong parcel' };
    return { as: 'admin', path: 'rmaTransaction/rollbackById', input, method: 'GET' };
  },
  'node edit': async () => ({
    as: 'admin',
    path: 'rmaInventory/modifyIvyId',
    input: { sn: (await stored()).sn, ivyId: Node.Scrapped },
  }),
  'delivery edit': async () => {
    const { mtbliId } = await stored();
    return {
      as: 'admin',
      path: 'rmaMaintainBillLineItem/editDeliver',
      input: { id: mtbliId, deliverPriority: '2' },
    };
  },
  'buy-out': async () => {
    const { mtblId, mtbliId } = await stored();
    const input = [{ mtblId, mtbliIdList: [mtbliId], remark: 'not worth it' }];
    return { as: 'aftersales', path: 'rmaMaintainBillLineItem/buyOut', input: { list: input } };
  },
  'force close': async () => {
    const { mtbId } = await stored();
    return { as: 'aftersales', path: 'rmaMaintainBill/terminate', input: { mtbId, discardInHouse: '1' } };
  },
  'return to first test': async () => {
    const { sn, mtbliId, mtbId } = await stored();
    const path = 'rmaMaintainBillLineItem/rollbackToPreliminaryTest';
    return { as: 'aftersales', path, input: { list: [{ sn, mtbliId, mtbId }] } };
  },
  'change of item': async () => ({
    as: 'aftersales',
    path: 'rmaMaintainBillLineItem/replaceSaleCode',
    input: {
      rmaMaintainBillLineItemList: [{ mtbliId: (await unit(Node.AwaitingRepair)).mtbliId }],
      ...{ salesCode: 'RX21', replaceFlag: '1', salesCodeCount: 1 },
    },
  }),
  'move to another bill': async () => {
    const [moved, target] = [await stored(), await unit(Node.AwaitingRepair)];
    const flags = { moveBillFlag: '1', deliverFlag: '1', splitDeliverFlag: '0' };
    const input = { ids: [moved.mtbliId], mtbId: target.mtbId, mtblId: target.mtblId, ...flags };
    return { as: 'aftersales', path: 'rmaMaintainBillLineItem/moveBill', input };
  },
  'change of store': async () => ({
    as: 'aftersales',
    path: 'rmaMaintainBillLineItem/updateSiteId',
    input: { rmaMaintainBillLineItemList: [{ mtbliId: (await stored()).mtbliId }], updateSiteId: 'NB' },
  }),
  selfPickupReview: async () => {
    const request = { spkId: `SPKFAULT${++made}`, selfPickupStatus: '0', siteId: 'SZ', companyName: '宁远矿业' };
    const { id } = await house.db
      .insertInto('rma_self_pickup')
      .values(request)
      .returning('id')
      .executeTakeFirstOrThrow();
    const input = { id: String(id), selfPickupStatus: '2', rejectionReason: 'not ready' };
    return { as: 'aftersales', path: 'rmaSelfPickup/selfPickupReview', input };
  },
  storeStart: async () => ({
    as: 'warehouse',
    path: 'rmaStoreBill/storeStart',
    input: { sn: await stockMachine(house.db, Node.CanShip), remark: 'again', subinventoryCode: 'DEF' },
  }),
  'stop of a stock-up bill': () => onStockup('stopStockupBill'),
  'cancel of a stock-up bill': () => onStockup('cancelStockupBill'),
};

/** A unit on the shelf and on its stock-up bill. */
async function stored() {
  const found = await unit(Node.AwaitingStorage);
  const { skbIdList } = await done({
    as: 'warehouse',
    path: 'rmaStoreBill/submitStoreBill',
    input: { rmaStoreBillLineList: [{ sn: found.sn }], packageCount: 20 },
  });
  return { ...found, skbId: (skbIdList as string[])[0] as string };
}

async function onStockup(action: string): Promise<Submit> {
  const { skbId } = await stored();
  return { as: 'warehouse', path: `rmaStockupBill/${action}`, input: { id: skbId }, method: 'GET' };
}

/** Until the pool has noticed that a connection is gone. */
async function settled(): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const isUp = await sql`SELECT 1`.execute(house.db).then(
      () => true,
      () => false,
    );
    if (isUp) return;
  }
  throw new Error('the database does not come back');
}

describe('a statement that goes wrong', () => {
  it.each(Object.keys(submits))('in %s leaves nothing half written', { timeout: 300_000 }, async (name) => {
    let tried = 0;
    for (const fault of FAULTS) {
      for (let nth = 1; ; nth += STRIDE) {
        const submit = await submits[name]!();
        const key = newKey();
        const before = await snapshotOf(house.db);
        const [answer, happened] = await withFault(fault, nth, () => ask(submit, key));
        if (!happened) {
          expect(answer, answer.msg).toMatchObject({ code: '000000' });
          break;
        }
        const where = `${fault} at statement ${nth}`;
        tried += 1;
        await settled();
        if (answer.code !== '000000') {
          expect({ where, code: answer.code, status: answer.status }).toEqual({ where, code: '000500', status: 500 });
          expect(await snapshotOf(house.db), where).toEqual(before);
        }
        const again = await ask(submit, key);
        expect(again, `${where}, then again: ${again.msg}`).toMatchObject({ code: '000000' });
        const kept = await snapshotOf(house.db);
        expect(await ask(submit, key), where).toEqual(again);
        expect(await snapshotOf(house.db), `${where}, repeated under its key`).toEqual(kept);
      }
    }
    expect(tried).toBeGreaterThan(2);
    expect(await brokenInvariants(house.db)).toEqual([]);
  });

  it('is told from one that leaves half of the work, which shows that the snapshot sees it', async () => {
    const { sn } = await unit(Node.AwaitingTest);
    const before = await snapshotOf(house.db);
    const careless = async () => {
      await house.db.updateTable('rma_inventory').set({ ivyId: '80' }).where('sn', '=', sn).execute();
      await house.db.insertInto('rma_transaction').values({ sn, step: 'aging', toNode: '80' }).execute();
    };
    await expect(withFault('refused', 2, careless)).rejects.toThrow(/division by zero/);
    expect(await snapshotOf(house.db)).not.toEqual(before);
    await house.db.updateTable('rma_inventory').set({ ivyId: '70' }).where('sn', '=', sn).execute();
  });
});
