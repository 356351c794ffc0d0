import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Definition } from '#domain/definition/grammar.ts';
import { merge, rollbackLot } from '#features/wip-actions/contract.ts';
import {
  done,
  editBillStatus,
  orderModules,
  sendSwitch,
  type OrderModule,
} from '#features/work-order-actions/contract.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectRefused, readLedger } from '#tests/support/guard.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

const planner = { as: 'planner' };
const tables: Record<OrderModule, string> = {
  icopWaferWorkOrder: 'icop_wafer_work_order',
  icopBumpingCpWorkOrder: 'icop_bumping_cp_work_order',
  icopAssemblyWorkOrder: 'icop_assembly_work_order',
  icopFtWorkOrder: 'icop_ft_work_order',
};
let made = 0;

async function order(module: OrderModule, values: Record<string, unknown> = {}) {
  const workOrderNo = `WO-T${String(++made).padStart(4, '0')}`;
  const definition = testApp.model.definitions.get(module) as Definition;
  const always = alwaysOf(definition, testApp.model.definitions);
  const holds = module === 'icopWaferWorkOrder' ? { waferQty: 1 } : { chipQty: 100 };
  const row = { ...always, workOrderNo, billStatus: '0', siteId: 'SZ', ...holds, outputQty: 0, ...values };
  const inserted = await insertRow(testApp.db, definition, row, testApp.model.definitions);
  return { id: String(inserted?.id), workOrderNo };
}
const orderRow = async (module: OrderModule, id: string) =>
  (
    await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(tables[module])} WHERE id = ${Number(id)}`.execute(
      testApp.db,
    )
  ).rows[0];

async function lot(values: Record<string, unknown> = {}, wafers: Record<string, number> = {}) {
  const wipId = `WIP-T${String(++made).padStart(4, '0')}`;
  const chipQty = Object.values(wafers).reduce((sum, it) => sum + it, 0);
  const row = { wipId, stage: '1', waferPn: 'W1', waferLotId: 'L1', supplierId: 'S1', siteId: 'SZ', chipQty };
  const { id } = await testApp.db
    .insertInto('icop_wip')
    .values({ ...row, ...values })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [waferId, qty] of Object.entries(wafers)) {
    await testApp.db.insertInto('icop_wip_wafer').values({ wipId, waferId, chipQty: qty, originalQty: qty }).execute();
  }
  return { id: String(id), wipId };
}
const lotRow = (wipId: string) =>
  testApp.db.selectFrom('icop_wip').selectAll().where('wipId', '=', wipId).executeTakeFirstOrThrow();
const readHistory = (wipId: string) =>
  testApp.db.selectFrom('icop_transaction').selectAll().where('wipId', '=', wipId).orderBy('id').execute();

describe.each(orderModules)('%s', (module) => {
  it('is changed by nobody without a right, nor where it is not', async () => {
    const { id } = await order(module);
    for (const call of [sendSwitch(module), done(module)]) {
      await expectRefused(testApp, '401', () => testApp.send(call, { id }));
      await expectRefused(testApp, '100013', () => testApp.send(call, { id }, { as: 'office' }));
      await expectRefused(testApp, '100001', () => testApp.send(call, { id: '' }, planner));
      await expectRefused(testApp, '100002', () => testApp.send(call, { id: '987654' }, planner));
    }
    await expectRefused(testApp, '100013', () =>
      testApp.send(editBillStatus(module), { id, billStatus: '1' }, { as: 'office' }),
    );
    const foreign = await order(module, { siteId: 'NB' });
    await expectRefused(testApp, '100002', () => testApp.send(sendSwitch(module), { id: foreign.id }, planner));
  });

  it('is sent, and taken back while nothing has come in [P-BTN-06]', async () => {
    const { id, workOrderNo } = await order(module);
    const flip = () => testApp.send(sendSwitch(module), { id }, planner);
    expect((await flip()).data).toMatchObject({ workOrderNo, billStatus: '1' });
    expect((await orderRow(module, id))?.['sentTime']).not.toBeNull();
    expect((await flip()).data.billStatus).toBe('0');
    await flip();
    await sql`UPDATE ${sql.table(tables[module])} SET "outputQty" = 1 WHERE id = ${Number(id)}`.execute(testApp.db);
    await expectRefused(testApp, '100019', flip);
    expect((await readLedger(testApp, workOrderNo)).map((it) => it.what)).toEqual(Array(3).fill('sendSwitch'));
  });

  it('takes only the steps of its own course from the list of states [P-MOD-07]', async () => {
    const set = (id: string, billStatus: string) => testApp.send(editBillStatus(module), { id, billStatus }, planner);
    const { id } = await order(module);
    await expectRefused(testApp, '100001', () => set(id, ''));
    await expectRefused(testApp, '100015', () => set(id, '7'));
    await expectRefused(testApp, '100007', () => set(id, '0'));
    await expectRefused(testApp, '100025', () => set(id, '2'));
    await expectRefused(testApp, '100025', () => set(id, '3'));
    expect((await set(id, '1')).data.billStatus).toBe('1');
    const followed = await expectRefused(testApp, '100025', () => set(id, '2'));
    expect(followed.msg).toContain('follows from what comes in');
    expect((await set(id, '4')).data.billStatus).toBe('4');
    await expectRefused(testApp, '100025', () => set(id, '1'));
  });
});

describe('a work order is done', () => {
  it('only when its output and its loss are its input', async () => {
    const module = 'icopAssemblyWorkOrder';
    const { id } = await order(module, { billStatus: '2', chipQty: 100, outputQty: 90, lossQty: 9 });
    const close = () => testApp.send(done(module), { id }, planner);
    const answer = await expectRefused(testApp, '100019', close);
    expect(answer.msg).toContain('99 / 100');
    await sql`UPDATE icop_assembly_work_order SET "lossQty" = 10 WHERE id = ${Number(id)}`.execute(testApp.db);
    expect((await close()).data.billStatus).toBe('3');
    await expectRefused(testApp, '100007', close);
  });

  it('and cancelled, it gives back what it had reserved', async () => {
    const module = 'icopBumpingCpWorkOrder';
    const { id, workOrderNo } = await order(module, { billStatus: '1', chipQty: 50 });
    const { wipId } = await lot({ waferIds: '02', waferQty: 1 }, { '01': 0, '02': 40 });
    const reserve = {
      wipId,
      transactionType: 'RESERVE',
      waferId: '01',
      qty: 50,
      beforeQty: 50,
      afterQty: 0,
      workOrderNo,
    };
    await testApp.db
      .insertInto('icop_transaction')
      .values({ ...reserve, operateStatus: 'Normal', siteId: 'SZ' })
      .execute();
    await testApp.send(editBillStatus(module), { id, billStatus: '4' }, planner);
    expect(await lotRow(wipId)).toMatchObject({ chipQty: 90, waferIds: '01,02', waferQty: 2 });
    expect((await readHistory(wipId)).at(-1)).toMatchObject({
      transactionType: 'REVERSE',
      qty: 50,
      beforeQty: 0,
      afterQty: 50,
    });
  });
});

describe('lots', () => {
  it('are merged by nobody without the right, nor in process, nor with what is not alike', async () => {
    const alone = await lot({ waferPn: 'ALONE', chipQty: 10 });
    await expectRefused(testApp, '401', () => testApp.send(merge, { id: alone.id }));
    await expectRefused(testApp, '100013', () => testApp.send(merge, { id: alone.id }, { as: 'office' }));
    await expectRefused(testApp, '100020', () => testApp.send(merge, { id: alone.id, wipIds: 'WIP-NONE' }, planner));
    const others = [];
    others.push(await lot({ waferPn: 'ALONE', supplierId: 'S2', chipQty: 10 }));
    others.push(await lot({ waferPn: 'ALONE', stage: '3', chipQty: 10 }));
    others.push(await lot({ waferPn: 'ALONE', waferLotId: 'L2', chipQty: 10 }));
    others.push(await lot({ waferPn: 'ALONE', siteId: 'NB', chipQty: 10 }));
    for (const { wipId } of others)
      await expectRefused(testApp, '100020', () => testApp.send(merge, { id: alone.id, wipIds: wipId }, planner));
    await expectRefused(testApp, '100001', () => testApp.send(merge, { id: alone.id }, planner));
    const working = await lot({ stage: '2', chipQty: 10 });
    await expectRefused(testApp, '100025', () => testApp.send(merge, { id: working.id }, planner));
  });

  it('of the same part, bank, supplier and device become one, with all of them as parents [P-BTN-06]', async () => {
    const first = await lot({ waferPn: 'MRG' }, { '01': 10, '02': 5 });
    const second = await lot({ waferPn: 'MRG' }, { '02': 5, '03': 7 });
    const { data } = await testApp.send(merge, { id: first.id, wipIds: second.wipId }, planner);
    expect(data).toMatchObject({ chipQty: 27, parents: [first.wipId, second.wipId] });
    expect(await lotRow(data.wipId)).toMatchObject({
      chipQty: 27,
      waferIds: '01,02,03',
      parentWipIds: `${first.wipId},${second.wipId}`,
    });
    for (const { wipId } of [first, second]) expect(await lotRow(wipId)).toMatchObject({ chipQty: 0, waferIds: null });
    expect((await readHistory(data.wipId)).map((it) => it.transactionType)).toEqual(['IN']);
  });
});

describe('the latest entry of a lot', () => {
  const undo = (id: number | undefined, remark = 'mistyped', asking = { as: 'admin' }) =>
    testApp.send(rollbackLot, { id: String(id), remark }, asking);

  async function reserved() {
    const { workOrderNo, id: orderId } = await order('icopBumpingCpWorkOrder', { billStatus: '1', chipQty: 30 });
    const { wipId } = await lot({ inputQty: 30 }, { '01': 20 });
    await testApp.db
      .insertInto('icop_bumping_cp_work_order_line')
      .values({ workOrderNo, wipId, chipQty: 30 })
      .execute();
    const { id } = await testApp.db
      .insertInto('icop_transaction')
      .values({
        ...{ wipId, transactionType: 'RESERVE', waferId: '01', qty: 30, beforeQty: 50, afterQty: 20, workOrderNo },
        operateStatus: 'Normal',
        siteId: 'SZ',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, wipId, orderId };
  }

  it('is undone by an administrator alone, with a remark, once, and before anything later', async () => {
    const { id, wipId } = await reserved();
    await expectRefused(testApp, '401', () => testApp.send(rollbackLot, { id: String(id), remark: 'x' }));
    await expectRefused(testApp, '100013', () => undo(id, 'x', planner));
    await expectRefused(testApp, '100001', () => undo(id, ' '));
    await expectRefused(testApp, '100002', () => undo(987654));
    const later = { wipId, transactionType: 'ADJUST', qty: 1, operateStatus: 'Normal', siteId: 'SZ' };
    const adjust = await testApp.db
      .insertInto('icop_transaction')
      .values(later)
      .returning('id')
      .executeTakeFirstOrThrow();
    await expectRefused(testApp, '100025', () => undo(id));
    await expectRefused(testApp, '100015', () => undo(adjust.id));
    await testApp.db.deleteFrom('icop_transaction').where('id', '=', adjust.id).execute();
    expect((await undo(id)).code).toBe('000000');
    const again = await expectRefused(testApp, '100014', () => undo(id));
    expect(again.msg).toBe('The transaction has been rolled back, repeat not allowed');
  });

  it('gives the lot back what was reserved, and takes it off the order [P-MOD-02]', async () => {
    const { id, wipId, orderId } = await reserved();
    expect((await undo(id)).data).toMatchObject({ id, wipId });
    expect(await lotRow(wipId)).toMatchObject({ chipQty: 50, inputQty: 0 });
    expect((await orderRow('icopBumpingCpWorkOrder', orderId))?.['chipQty']).toBe(0);
    expect((await readHistory(wipId)).map((it) => [it.transactionType, it.operateStatus, it.remark])).toEqual([
      ['RESERVE', 'Rollbacked', null],
      ['REVERSE', 'Rollbacked', 'mistyped'],
    ]);
  });

  it.each([
    ['is in process again', 10, '2'],
    ['is only sent where nothing of it has come', 0, '1'],
  ])('takes back an output, and the order that it closed %s', async (_, lossQty, billStatus) => {
    const values = { billStatus: '3', chipQty: 40 + lossQty, outputQty: 40, lossQty };
    const { workOrderNo, id: orderId } = await order('icopAssemblyWorkOrder', values);
    const { wipId } = await lot({ stage: '7', chipQty: 40, binG: 40 });
    const { id } = await testApp.db
      .insertInto('icop_transaction')
      .values({
        ...{ wipId, transactionType: 'OUTPUT', bin: 'G', qty: 40, beforeQty: 0, afterQty: 40, workOrderNo },
        operateStatus: 'Normal',
        siteId: 'SZ',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect((await undo(id)).code).toBe('000000');
    expect(await lotRow(wipId)).toMatchObject({ chipQty: 0, binG: 0 });
    expect(await orderRow('icopAssemblyWorkOrder', orderId)).toMatchObject({ billStatus, outputQty: 0 });
  });
});
