import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slotsOf } from '#domain/assembly.ts';
import type { Call, InputOf } from '#domain/call.ts';
import { Node } from '#domain/nodes.ts';
import { submitBurninBill } from '#features/aging/contract.ts';
import { terminate } from '#features/bill-actions/contract.ts';
import { check } from '#features/check/contract.ts';
import { rebindSn, submitDeliverBill } from '#features/deliver/contract.ts';
import { exchangeReceive } from '#features/exchange/contract.ts';
import { createMaintainBill } from '#features/maintain-bill/contract.ts';
import { submitExamineBill } from '#features/qc/contract.ts';
import { finishReceive, receive } from '#features/receive/contract.ts';
import { repair } from '#features/repair/contract.ts';
import { rollbackTransaction } from '#features/rollback/contract.ts';
import { storeStart, submitStoreBill } from '#features/store/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { readCodeIds, expectRefused, readItem, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { uploadPicture } from '#tests/support/pictures.ts';

let testApp: TestApp;
let codes: Record<string, number>;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
});
afterAll(() => testApp.close());

const codeOf = (name: string) => codes[name] as number;
async function send<C extends Call>(call: C, input: InputOf<C>, as: string) {
  const answer = await testApp.send(call, input, { as });
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data as Record<string, unknown>;
}
const readNodes = async (sns: readonly string[]) =>
  Promise.all(sns.map(async (sn) => (await readTrace(testApp, sn)).unit?.ivyId));

let made = 0;
/** Three boards that can be repaired and one that can't, on a bill whose receipt is closed. */
async function boardsArrive() {
  const { mtbId } = await send(
    createMaintainBill,
    {
      receiveShipNo: `SFPTH8${++made}`,
      userName: '宁远矿业',
      rmaMaintainBillLineList: [{ salesCode: 'HB19', count: 4 }],
    },
    'office',
  );
  const line = { type: '1', salesCode: 'HB19', repairableCount: 3, unRepairableCount: 1 };
  const { snList } = await send(
    receive,
    { mtbId: mtbId as string, rmaReceiveBillLineRequestList: [line] },
    'warehouse',
  );
  await send(finishReceive, { maintainBillId: mtbId as string }, 'warehouse');
  return { mtbId: mtbId as string, sns: snList as string[] };
}
const readLine = (mtbId: string) =>
  testApp.db.selectFrom('rma_maintain_bill_line').selectAll().where('mtbId', '=', mtbId).executeTakeFirstOrThrow();
const row = (more: object = {}) => ({
  partsType: '7',
  repairMethod: '8',
  issueCodeIdList: [codeOf('RP01')],
  slot: 'U1',
  ...more,
});

describe('boards without SNs', () => {
  it('are received by their number, repaired without assembly, and leave by their count [W-PTH-08]', async () => {
    const { mtbId, sns } = await boardsArrive();
    expect(await readLine(mtbId)).toMatchObject({ receiveCount: 4, discardCount: 1 });
    expect(await readNodes(sns)).toEqual(['10', '10', '10']);
    for (const sn of sns) {
      await send(
        check,
        { sn, checkType: '1', issueCodeIdList: [codeOf('FX54')], checkUrls: await uploadPicture(testApp, 'tech') },
        'tech',
      );
      expect(await send(repair, { sn, checkType: '1', partsList: [row()] }, 'tech')).toMatchObject({ nextNode: '70' });
      const { history } = await readTrace(testApp, sn);
      expect(history.map((it) => it.toNode)).toEqual(['70', '50', '10']);
    }
    await send(submitBurninBill, { rmaBurninBillLineList: sns.map((sn) => ({ sn, icdId: codeOf('AT00') })) }, 'tech');
    await send(submitExamineBill, { rmaExamineBillLineList: sns.map((sn) => ({ sn, icdId: codeOf('QC00') })) }, 'tech');
    const stored = await send(submitStoreBill, { rmaStoreBillLineList: sns.map((sn) => ({ sn })) }, 'warehouse');
    const [skbId] = stored['skbIdList'] as [string];
    const ship = (submitCount: number) =>
      testApp.send(
        submitDeliverBill,
        { skbId, submitType: '2', rmaDeliverBillLineList: [{ salesCode: 'HB19', submitCount }] },
        { as: 'warehouse' },
      );
    const no = await expectRefused(testApp, '100019', () => ship(2));
    expect(no.msg).toBe('The count does not match (2 / 3)');
    expect((await ship(3)).data).toMatchObject({ deliveredCount: 3, stockupStatus: '2' });
    expect(await readNodes(sns)).toEqual(['900', '900', '900']);
    expect(await readLine(mtbId)).toMatchObject({ receiveCount: 4, discardCount: 1, deliverCount: 3 });
    const bill = testApp.db.selectFrom('rma_maintain_bill').select('billStatus').where('mtbId', '=', mtbId);
    expect(await bill.executeTakeFirst()).toEqual({ billStatus: '2' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('a rollback undoes', () => {
  const back = async (sn: string) => {
    const id = String((await readTrace(testApp, sn)).history.find((it) => it.operateStatus === 'Normal')?.id);
    return testApp.send(rollbackTransaction, { id, remark: 'by mistake' }, { as: 'admin' });
  };

  it('the receipt of a board that was given up [W-EVT-37]', async () => {
    const { mtbId } = await boardsArrive();
    const units = testApp.db
      .selectFrom('rma_inventory')
      .select('sn')
      .where('mtbId', '=', mtbId)
      .where('ivyId', '=', '40');
    const { sn } = await units.executeTakeFirstOrThrow();
    expect((await back(sn)).data).toMatchObject({ sn, ivyId: null });
    expect(await readLine(mtbId)).toMatchObject({ receiveCount: 3, discardCount: 0 });
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: null, mtbId: null });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('the exchange of a part, by the one that took the place [W-EVT-37]', async () => {
    const { sn, mtbId, mtblId, mtbliId } = await unitOnBill(testApp.db, {
      node: Node.AwaitingRepair,
      salesCode: 'HB19',
      unit: { type: '1' },
    });
    const now = 'HB19BACK000000001';
    await send(repair, { sn, partsList: [row({ repairMethod: '2', replaceSn: now })] }, 'tech');
    await expectRefused(testApp, '100025', () => back(sn));
    expect((await back(now)).data).toMatchObject({ sn: now, ivyId: null });
    const old = await readTrace(testApp, sn);
    expect(old.unit).toMatchObject({ ivyId: '50', mtbId, mtblId, mtbliId, storageType: '1' });
    expect(old.history.map((it) => it.operateStatus)).toEqual(['Rollbacked', 'Rollbacked']);
    expect((await readTrace(testApp, now)).unit).toMatchObject({ ivyId: null, mtbId: null, mtbliId: null });
    expect(await readItem(testApp, mtbliId)).toMatchObject({ exchange: '0' });
    expect(await testApp.db.selectFrom('rma_repair_bill').selectAll().where('sn', '=', sn).execute()).toEqual([]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
    expect((await testApp.send(repair, { sn, partsList: [row()] }, { as: 'tech' })).code).toBe('000000');
  });

  it('an activation: the shelf, and the finished bill of what was scrap [W-EVT-37]', async () => {
    const stock = await stockMachine(testApp.db, Node.CanShip, { subinventoryCode: 'FG', storageType: '0' });
    const scrap = await unitOnBill(testApp.db, { node: Node.Scrapped, unit: { storageType: '2' } });
    for (const sn of [stock, scrap.sn]) {
      const { unit: before } = await readTrace(testApp, sn);
      await send(storeStart, { sn, subinventoryCode: 'DEF' }, 'warehouse');
      expect((await back(sn)).code).toBe('000000');
      const { unit: after } = await readTrace(testApp, sn);
      const { ivyId, mtbId, mtbliId, subinventoryCode, storageType } = before ?? {};
      expect(after).toMatchObject({ ivyId, mtbId, mtbliId, subinventoryCode, storageType });
    }
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('parts that were made up for [W-EVT-37]', async () => {
    const { sn, mtbliId } = await unitOnBill(testApp.db, { node: Node.CanShip, item: { stockup: '0' } });
    const parts = (mark: string) =>
      slotsOf(1).map(({ name, componentType, hasQrCode }) => ({
        sn: `${name}-${mark}`,
        component_type: componentType,
        qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
      }));
    await send(rebindSn, { sn, partsList: parts('ONE') }, 'warehouse');
    await send(rebindSn, { sn, partsList: parts('TWO') }, 'warehouse');
    expect((await back(sn)).data).toMatchObject({ ivyId: '100' });
    const bound = await testApp.db
      .selectFrom('ubs_assembly')
      .select('componentSn')
      .where('deviceSn', '=', sn)
      .where('unbindTime', 'is', null)
      .execute();
    expect(bound.map((it) => it.componentSn).toSorted()).toEqual(['BOARD1-ONE', 'CONTROLS-ONE', 'POWER-ONE']);
    expect(await readItem(testApp, mtbliId)).toMatchObject({ powerSn: 'POWER-ONE' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('a bill of 6,500 boards', () => {
  const COUNT = 6500;
  /** In one receipt, more than one statement can write. */
  async function received() {
    const { mtbId } = await send(
      createMaintainBill,
      {
        ...{ receiveShipNo: `SFPTH8${++made}`, userName: '宁远矿业' },
        rmaMaintainBillLineList: [{ salesCode: 'HB19', count: COUNT }],
      },
      'office',
    );
    const some = { type: '1', salesCode: 'HB19', repairableCount: 500 };
    const rmaReceiveBillLineRequestList = Array.from({ length: COUNT / 500 }, () => some);
    const it = await send(receive, { mtbId: mtbId as string, rmaReceiveBillLineRequestList }, 'warehouse');
    await send(finishReceive, { maintainBillId: mtbId as string }, 'warehouse');
    return { mtbId: mtbId as string, rvbId: it['rvbId'] as string, sns: it['snList'] as string[] };
  }
  const readTransactions = async (mtbId: string, step: string) => {
    const query = testApp.db.selectFrom('rma_transaction').select('id').where('mtbId', '=', mtbId);
    return (await query.where('step', '=', step).execute()).length;
  };

  it('is received, stocked up and delivered by its count', async () => {
    const { mtbId, rvbId, sns } = await received();
    expect(sns).toHaveLength(COUNT);
    const { skbIdList } = await send(exchangeReceive, { id: rvbId }, 'admin');
    await testApp.db.updateTable('rma_inventory').set({ ivyId: Node.CanShip }).where('mtbId', '=', mtbId).execute();
    await testApp.db.updateTable('rma_transaction').set({ toNode: Node.CanShip }).where('mtbId', '=', mtbId).execute();
    const [skbId] = skbIdList as [string];
    const rmaDeliverBillLineList = [{ salesCode: 'HB19', submitCount: COUNT }];
    const left = await send(submitDeliverBill, { skbId, submitType: '2', rmaDeliverBillLineList }, 'warehouse');
    expect(left).toMatchObject({ deliveredCount: COUNT, remainCount: 0, stockupStatus: '2' });
    expect(await readTransactions(mtbId, 'deliver')).toBe(COUNT);
    expect(await readLine(mtbId)).toMatchObject({ receiveCount: COUNT, deliverCount: COUNT });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('is closed with all of them given up', async () => {
    const { mtbId } = await received();
    const { discardedSnList } = await send(terminate, { mtbId, discardInHouse: '1' }, 'aftersales');
    expect(discardedSnList).toHaveLength(COUNT);
    expect(await readTransactions(mtbId, 'terminate')).toBe(COUNT);
    expect(await readLine(mtbId)).toMatchObject({ discardCount: COUNT });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});
