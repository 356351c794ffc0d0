import { readFileSync } from 'node:fs';
import type { CellValue } from 'hucre';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkOrderModule } from '#domain/wafer.ts';
import { lotTree } from '#features/lot-tree/contract.ts';
import { receiveWafers, toReceiveWafers } from '#features/order-output/contract.ts';
import { merge, rollbackLot, toMerge } from '#features/wip-actions/contract.ts';
import { editBillStatus, sendSwitch } from '#features/work-order-actions/contract.ts';
import * as orders from '#features/work-orders/contract.ts';
import { orderTables } from '#server/workflow/workOrders.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import {
  chipParts,
  findChipFaults,
  good,
  ok,
  openYard,
  bumpingHead,
  foundryHead,
  packingHead,
} from '#tests/support/chips.ts';
import { bothAtOnce } from '#tests/support/faults.ts';
import { expectRefused } from '#tests/support/guard.ts';
import { isLockWaited } from '#tests/support/locks.ts';
import { sendFile, workbook } from '#tests/support/workbooks.ts';

/** What would make, lose or double a die. */
let testApp: TestApp;
let yard: ReturnType<typeof openYard>;
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 120_000 }, { worksJobs: true });
  await chipParts(testApp.db);
  await testApp.db
    .insertInto('icop_part_number')
    .values([{ waferPn: 'P2', waferMpn: 'M-P2', grossDie: 120, status: '1' }])
    .execute();
  yard = openYard(testApp);
});
afterAll(async () => {
  expect(await findChipFaults(testApp.db), 'every die is somewhere').toEqual([]);
  await testApp.close();
});

const planner = { as: 'planner' };
const bumpingCp = 'icopBumpingCpWorkOrder';
const entriesOf = (wipId: string) =>
  testApp.db.selectFrom('icop_transaction').select('id').where('wipId', '=', wipId).orderBy('id').execute();
const cancel = (id: string) => testApp.send(editBillStatus(bumpingCp), { id, billStatus: '4' }, planner);
const assembled = async (wipId: string, waferId: string) => {
  const id = await yard.assembly([{ wipId, waferId }]);
  const positions = [good(wipId, 100, 0, 'G')];
  return (await ok(yard.record('icopAssemblyWorkOrder', { id, positions }))).wipIds[0] as string;
};

describe('what an order took', () => {
  it('stays taken while dies of its group are lost, whichever lot the loss is told of', async () => {
    const { wipId } = await yard.foundryLot();
    const [first, second] = [await assembled(wipId, '01'), await assembled(wipId, '02')];
    const id = await yard.finalTest('1', [
      { wipId: first, group: 1, bin: 'G' },
      { wipId: second, group: 1, bin: 'G' },
    ]);
    await ok(yard.record('icopFtWorkOrder', { id, positions: [good('1', 0, 150, '1')] }));
    const early = await expectRefused(testApp, '100025', () => yard.undo(second));
    expect(early.msg).toContain(second);
    expect(await yard.lotRow(second)).toMatchObject({ chipQty: 0, binG: 0 });
    await ok(yard.undo(first));
    await ok(yard.undo(second));
    expect(await yard.lotRow(second)).toMatchObject({ chipQty: 100, binG: 100 });
  });

  it('is off its line as well, wafer by wafer, and the line with the last of it', async () => {
    const { wipId } = await yard.foundryLot();
    const id = await yard.assembly([
      { wipId, waferId: '01', inputQty: 40 },
      { wipId, waferId: '02' },
    ]);
    const { workOrderNo } = await testApp.db
      .selectFrom('icop_assembly_work_order')
      .select('workOrderNo')
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow();
    const lines = () =>
      testApp.db
        .selectFrom('icop_assembly_work_order_line')
        .select(['waferIds', 'waferQty', 'chipQty', 'dieQty', 'splitList'])
        .where('workOrderNo', '=', workOrderNo)
        .execute();
    const head = () =>
      testApp.db
        .selectFrom('icop_assembly_work_order')
        .select(['waferQty', 'chipQty'])
        .where('id', '=', Number(id))
        .executeTakeFirstOrThrow();
    await ok(yard.undo(wipId));
    const left = { waferIds: '01', waferQty: 1, chipQty: 40, dieQty: 40 };
    expect(await lines()).toEqual([{ ...left, splitList: [{ waferId: '01', inputQty: 40, remainQty: 60 }] }]);
    expect(await head()).toEqual({ waferQty: 1, chipQty: 40 });
    await ok(yard.undo(wipId));
    expect(await lines()).toEqual([]);
    expect(await head()).toEqual({ waferQty: 0, chipQty: 0 });
  });

  it('of several bins is off the line of its bin alone', async () => {
    const { wipId } = await yard.foundryLot();
    const id = await yard.assembly([{ wipId, waferId: '01' }], { processType: '2', ftType: '1' });
    const outputs = [
      { bin: '1', qty: 60 },
      { bin: '2', qty: 40 },
    ];
    const { wipIds } = await ok(
      yard.record('icopAssemblyWorkOrder', { id, positions: [{ position: wipId, outputs, lossQty: 0 }] }),
    );
    const tested = wipIds[0] as string;
    const test = await yard.finalTest('2', [
      { wipId: tested, group: 1, bin: '1' },
      { wipId: tested, group: 2, bin: '2' },
    ]);
    await ok(yard.undo(tested));
    const order = await testApp.db
      .selectFrom('icop_ft_work_order')
      .select(['workOrderNo', 'groupQty', 'chipQty'])
      .where('id', '=', Number(test))
      .executeTakeFirstOrThrow();
    expect(order).toMatchObject({ groupQty: 1, chipQty: 60 });
    const lines = testApp.db
      .selectFrom('icop_ft_work_order_line')
      .select(['bin', 'chipQty'])
      .where('workOrderNo', '=', order.workOrderNo);
    expect(await lines.execute()).toEqual([{ bin: '1', chipQty: 60 }]);
  });

  it('and gave back when it was cancelled does not stand in the way of what was done before', async () => {
    const { wipId, id } = await yard.foundryLot();
    const order = await yard.bumping(wipId, '1', ['01']);
    await ok(cancel(order));
    expect(await yard.lotRow(wipId)).toMatchObject({ chipQty: 300 });
    await ok(yard.undo(wipId));
    const row = testApp.db.selectFrom('icop_wafer_work_order').select(['outputQty', 'billStatus']);
    expect(await row.where('id', '=', Number(id)).executeTakeFirst()).toEqual({ outputQty: 0, billStatus: '1' });
  });

  it('and gave back cannot be taken back a second time', async () => {
    const { wipId } = await yard.foundryLot();
    const order = await yard.bumping(wipId, '1', ['01']);
    const taken = await yard.latest(wipId);
    await ok(cancel(order));
    const again = () => testApp.send(rollbackLot, { id: taken, remark: 'mistyped' }, { as: 'admin' });
    await expectRefused(testApp, '100014', again);
    expect(await yard.lotRow(wipId)).toMatchObject({ chipQty: 300 });
  });
});

describe('an order that holds nothing', () => {
  it('is not sent', async () => {
    const { wipId } = await yard.foundryLot();
    const { id } = await ok(yard.bumpingOf(wipId, '1', ['01']));
    await ok(yard.undo(wipId));
    const empty = await expectRefused(testApp, '100001', () =>
      testApp.send(sendSwitch(bumpingCp), { id: String(id) }, planner),
    );
    expect(empty.msg).toContain('Wafers');
  });
});

describe('a wafer', () => {
  it('comes once, even where two orders receive it at the same moment', async () => {
    const [one, two] = [await yard.ordered(2), await yard.ordered(2)];
    const receive = (id: string, as: string) => () =>
      testApp.send(receiveWafers, { id, waferLotId: 'ONCE', waferIds: '01-02', dies: 100 }, { as });
    const answers = await bothAtOnce(() => isLockWaited(testApp.db), receive(one, 'planner'), receive(two, 'admin'));
    expect(answers.map((it) => it.code)).toEqual(['000000', '100007']);
    expect(answers[1].msg).toContain('ONCE / 01');
    const lots = testApp.db.selectFrom('icop_wip').select('chipQty').where('waferLotId', '=', 'ONCE');
    expect(await lots.execute()).toEqual([{ chipQty: 200 }]);
  });

  it('that was received by mistake may come again', async () => {
    const { wipId, id, lot } = await yard.foundryLot();
    await ok(yard.undo(wipId));
    await ok(testApp.send(receiveWafers, { id, waferLotId: lot, waferIds: '01-03', dies: 90 }, planner));
  });

  it('that is reported in two parts stands in one lot, with the dies of both', async () => {
    const { wipId } = await yard.foundryLot();
    const id = await yard.bumping(wipId);
    const report = async (positions: ReturnType<typeof good>[]) =>
      (await ok(yard.record(bumpingCp, { id, positions }))).wipIds;
    const [first] = await report([good(`${wipId}/01`, 90, 10), good(`${wipId}/02`, 40)]);
    const [joined, second] = await report([good(`${wipId}/02`, 55, 5), good(`${wipId}/03`, 95, 5)]);
    expect(joined).toBe(first);
    expect(await yard.lotRow(first)).toMatchObject({ waferIds: '01,02', waferQty: 2, chipQty: 185, outputQty: 185 });
    expect(await yard.lotRow(second)).toMatchObject({ waferIds: '03', waferQty: 1, chipQty: 95 });
    await ok(yard.undo(first as string));
    expect(await yard.lotRow(first)).toMatchObject({ waferIds: '01,02', waferQty: 2, chipQty: 130, outputQty: 130 });
  });

  it('that is reported in two parts keeps what was said of each, in its lot and in the history', async () => {
    const { wipId } = await yard.foundryLot();
    const id = await yard.bumping(wipId);
    const part = (qty: number, dateCode: string, remark: string) =>
      yard.record(bumpingCp, { id, positions: [good(`${wipId}/01`, qty)], dateCode, remark });
    const { wipIds } = await ok(part(50, '2601', 'first'));
    await ok(part(30, '2602', 'second'));
    await ok(part(10, ' 2601', 'third'));
    expect(await yard.lotRow(wipIds[0])).toMatchObject({ chipQty: 90, dateCode: '2601', remark: 'first' });
    const query = testApp.db
      .selectFrom('icop_transaction')
      .select(['qty', 'remark'])
      .where('wipId', '=', wipIds[0] as string);
    expect(await query.orderBy('id').execute()).toEqual([
      { qty: 50, remark: null },
      { qty: 30, remark: '2602 · second' },
      { qty: 10, remark: 'third' },
    ]);
  });

  it('of which more comes after a merge joins the lot that this made, and goes back with it', async () => {
    const { wipId } = await yard.foundryLot();
    const id = await yard.bumping(wipId);
    const report = async (position: string, qty: number, lossQty = 0) =>
      (await ok(yard.record(bumpingCp, { id, positions: [good(`${wipId}/${position}`, qty, lossQty)] })))
        .wipIds[0] as string;
    const x = await report('01', 50);
    const y = await report('02', 50);
    const { version, chipQty } = await yard.lotRow(y);
    const input = {
      id: String((await yard.lotRow(x)).id),
      wipIds: y,
      versions: String(version),
      chipQtys: String(chipQty),
    };
    const { wipId: merged } = await ok(
      testApp.send(merge, { ...input, version: Number((await yard.lotRow(x)).version) }, planner),
    );
    expect(await report('02', 40, 10), 'where it lies').toBe(merged);
    expect(await yard.lotRow(merged)).toMatchObject({ waferIds: '01,02', waferQty: 2, chipQty: 140, outputQty: 140 });
    expect(await yard.lotRow(y)).toMatchObject({ chipQty: 0, outputQty: 90 });
    expect(await findChipFaults(testApp.db)).toEqual([]);
    await yard.assembly([{ wipId: merged, waferId: '01', inputQty: 20 }]);
    expect(await report('03', 30)).not.toBe(merged);
    await ok(yard.record(bumpingCp, { id, positions: [good(`${wipId}/01`, 10)] }));
    const reserved = testApp.db.selectFrom('icop_transaction').select('id').where('wipId', '=', merged);
    const { id: entry } = await reserved.where('transactionType', '=', 'RESERVE').executeTakeFirstOrThrow();
    const undoMerge = async () =>
      testApp.send(rollbackLot, { id: await yard.latest(merged), remark: 'mistyped' }, { as: 'admin' });
    await expectRefused(testApp, '100025', undoMerge);
    await ok(testApp.send(rollbackLot, { id: String(entry), remark: 'mistyped' }, { as: 'admin' }));
    await ok(undoMerge());
    expect(await yard.lotRow(merged)).toMatchObject({ waferIds: null, waferQty: 0, chipQty: 0, outputQty: 0 });
    expect(await yard.lotRow(x)).toMatchObject({ waferIds: '01', waferQty: 1, chipQty: 60 });
    expect(await yard.lotRow(y)).toMatchObject({ waferIds: '02', waferQty: 1, chipQty: 90 });
  });
});

describe('a delivery', () => {
  const come = (id: string, more: object) =>
    testApp.send(receiveWafers, { id, waferIds: '01', dies: 100, ...more }, planner);

  it('is of a lot in upper case, so that it is known again', async () => {
    const id = await yard.ordered(3);
    const { wipId } = await ok(come(id, { waferLotId: ' typed-1 ' }));
    expect(await yard.lotRow(wipId as string)).toMatchObject({ waferLotId: 'TYPED-1' });
    await expectRefused(testApp, '100007', () => come(id, { waferLotId: 'Typed-1' }));
  });

  it.each(['LOT 1', 'LOT😀', '-', 'LOT-', '\u0410TK1', 'LOT\u0391'])(
    'is of no lot that is called %j',
    async (waferLotId) => {
      const id = await yard.ordered(1);
      await expectRefused(testApp, '100015', () => come(id, { waferLotId }));
    },
  );

  it('has no more dies on a wafer than its part has', async () => {
    const id = await yard.ordered(1);
    const many = await expectRefused(testApp, '100015', () => come(id, { waferLotId: 'GROSS', dies: 121 }));
    expect(many.msg).toContain('120');
    await ok(come(id, { waferLotId: 'GROSS', dies: 120 }));
  });

  it('that will not come is not told over what somebody else told since', async () => {
    const id = await yard.ordered(3);
    const { version, lossQty } = await ok(testApp.send(toReceiveWafers, { id }, planner));
    await ok(testApp.send(receiveWafers, { id, missing: 2 }, { as: 'admin' }));
    const entered = { id, version, missing: lossQty, waferLotId: 'TOLD', waferIds: '01', dies: 100 };
    const refused = await expectRefused(testApp, '100025', () => testApp.send(receiveWafers, entered, planner));
    expect(refused.data).toMatchObject({ lossQty: 2, version: version + 1 });
    await ok(testApp.send(receiveWafers, { ...entered, version: version + 1, missing: 2 }, planner));
    expect(await ok(testApp.send(toReceiveWafers, { id }, planner))).toMatchObject({ lossQty: 2, outputQty: 1 });
  });

  it('that will not come may be told anew, down to none', async () => {
    const id = await yard.ordered(3);
    const tell = (missing: number) => testApp.send(receiveWafers, { id, missing }, planner);
    await ok(tell(2));
    await expectRefused(testApp, '100001', () => tell(2));
    expect(await ok(tell(0))).toMatchObject({ lossQty: 0, billStatus: '1' });
    expect(await ok(tell(3))).toMatchObject({ lossQty: 3, billStatus: '2' });
  });
});

describe('an order', () => {
  it('takes of as many lots as are picked', async () => {
    const { wipId } = await yard.foundryLot();
    const count = 201;
    await sql`
      INSERT INTO icop_wip ("wipId", stage, "waferPn", "waferLotId", "chipQty", "supplierId", "siteId", "inTime")
      SELECT 'MANY' || n, '3', "waferPn", 'MANY' || n, 0, "supplierId", "siteId", "inTime"
        FROM icop_wip CROSS JOIN generate_series(1, ${count}::int) AS n WHERE "wipId" = ${wipId}`.execute(testApp.db);
    await sql`
      INSERT INTO icop_wip_wafer ("wipId", "waferId", "chipQty", "originalQty")
      SELECT 'MANY' || n, '01', 1, 1 FROM generate_series(1, ${count}::int) AS n`.execute(testApp.db);
    await sql`UPDATE icop_wip SET "chipQty" = 1, "waferIds" = '01' WHERE "wipId" LIKE 'MANY%'`.execute(testApp.db);
    const waferList = Array.from({ length: count }, (_, i) => ({ wipId: `MANY${i + 1}`, waferId: '01' }));
    const input = { ...bumpingHead, processType: '3', waferPn: 'P1', waferList };
    const { id } = await ok(testApp.send(orders.createBumpingCpOrder, input, planner));
    const row = testApp.db.selectFrom('icop_bumping_cp_work_order').select('waferQty').where('id', '=', id);
    expect(await row.executeTakeFirst()).toEqual({ waferQty: count });
    // These dies never came from a foundry.
    await ok(cancel(String(id)));
    await sql`DELETE FROM icop_wip_wafer WHERE "wipId" LIKE 'MANY%'`.execute(testApp.db);
    await sql`DELETE FROM icop_wip WHERE "wipId" LIKE 'MANY%'`.execute(testApp.db);
  });
});

describe('a merge', () => {
  const twoParts = async (more: { dateCode?: string } = {}) => {
    const { wipId } = await yard.foundryLot();
    const id = await yard.bumping(wipId);
    const report = async (position: ReturnType<typeof good>, dateCode?: string) =>
      (await ok(yard.record(bumpingCp, { id, positions: [position], ...(dateCode && { dateCode }) })))
        .wipIds[0] as string;
    return { one: await report(good(`${wipId}/01`, 90)), two: await report(good(`${wipId}/02`, 80), more.dateCode) };
  };
  const mergeOf = async (wipId: string, wipIds: string) =>
    testApp.send(merge, { id: String((await yard.lotRow(wipId)).id), wipIds }, planner);

  it('takes the lots that were chosen of those that are the same goods', async () => {
    const { one, two } = await twoParts();
    const third = await twoParts();
    const { items } = await ok(testApp.send(toMerge, { id: String((await yard.lotRow(one)).id) }, planner));
    expect(items.map((it) => [it.wipId, it.chipQty])).toEqual([[two, 80]]);
    await expectRefused(testApp, '100001', () => mergeOf(one, ''));
    const foreign = await expectRefused(testApp, '100020', () => mergeOf(one, `${two},${third.two}`));
    expect(foreign.msg).toContain(third.two);
    const merged = await ok(mergeOf(one, two));
    expect(merged).toMatchObject({ chipQty: 170, parents: [one, two] });
    expect(await yard.lotRow(one)).toMatchObject({ waferQty: 0 });
    const again = await expectRefused(testApp, '100020', () => mergeOf(one, two));
    expect(again.msg).toContain(`Lot ${one} can't be merged with ${two}`);
  });

  const conditions = [
    ...(['lotType', 'engineeringCode', 'dateCode', 'deviceErpCode', 'packageType', 'marking'] as const),
    ...(['originalMarking', 'assySiteId'] as const),
  ];
  it.each(conditions)('takes no lot of another %s', async (name) => {
    const { one, two } = await twoParts();
    await testApp.db
      .updateTable('icop_wip')
      .set({ [name]: name === 'assySiteId' ? 'NB' : '2' })
      .where('wipId', '=', two)
      .execute();
    expect((await expectRefused(testApp, '100020', () => mergeOf(one, two))).msg).toContain(two);
  });

  it('takes no lot of another store, whose chips would lie there from then on', async () => {
    const { one, two } = await twoParts();
    await testApp.db.insertInto('icop_store').values({ siteId: 'SZ', btmId: 'ELSEWHERE', name: 'Elsewhere' }).execute();
    await testApp.db.updateTable('icop_wip').set({ inventoryOrg: 'ELSEWHERE' }).where('wipId', '=', two).execute();
    expect((await expectRefused(testApp, '100020', () => mergeOf(one, two))).msg).toContain(two);
  });

  it('is undone as a whole, by any of its entries, while nothing was done with what it made', async () => {
    const { one, two } = await twoParts();
    const before = [await yard.lotRow(one), await yard.lotRow(two)];
    for (const by of [0, 1]) {
      const { wipId } = await ok(mergeOf(one, two));
      expect(await findChipFaults(testApp.db)).toEqual([]);
      const order = await ok(
        testApp.send(
          orders.createAssemblyOrder,
          { ...packingHead, processType: '1', waferPn: 'P1', devicePn: 'D1', waferList: [{ wipId, waferId: '01' }] },
          planner,
        ),
      );
      const entry = by === 0 ? await yard.latest(one) : String((await entriesOf(wipId))[0]?.id);
      const undo = () => testApp.send(rollbackLot, { id: entry, remark: 'mistyped' }, { as: 'admin' });
      await expectRefused(testApp, '100025', undo);
      const input = { id: String(order.id), billStatus: '4' };
      await ok(testApp.send(editBillStatus('icopAssemblyWorkOrder'), input, planner));
      await ok(undo());
      await expectRefused(testApp, '100014', undo);
      expect(await yard.lotRow(wipId)).toMatchObject({ chipQty: 0, waferIds: null, waferQty: 0 });
      for (const it of before) {
        const { chipQty, waferIds, waferQty, remainQty } = it;
        expect(await yard.lotRow(it.wipId)).toMatchObject({ chipQty, waferIds, waferQty, remainQty });
      }
    }
  });

  it('of bins gives each lot its bins back', async () => {
    const { wipId } = await yard.foundryLot();
    const [one, two] = [await assembled(wipId, '01'), await assembled(wipId, '02')];
    await testApp.db.updateTable('icop_wip').set({ waferLotId: 'SAME' }).where('wipId', 'in', [one, two]).execute();
    const merged = await ok(mergeOf(one, two));
    expect(await yard.lotRow(merged.wipId)).toMatchObject({ binG: 200, chipQty: 200, waferQty: null });
    expect(await yard.lotRow(one)).toMatchObject({ binG: 0, waferQty: null });
    await ok(yard.undo(merged.wipId));
    for (const it of [one, two]) expect(await yard.lotRow(it)).toMatchObject({ binG: 100, chipQty: 100 });
    expect(await yard.lotRow(merged.wipId)).toMatchObject({ binG: 0, chipQty: 0 });
  });
});

describe('a yield', () => {
  const tested = async (outputs: { bin: string; qty: number }[], lossQty: number) => {
    const { wipId } = await yard.foundryLot();
    const device = await assembled(wipId, '01');
    const id = await yard.finalTest('1', [{ wipId: device, group: 1, bin: 'G' }]);
    const report = await ok(yard.record('icopFtWorkOrder', { id, positions: [{ position: '1', outputs, lossQty }] }));
    return { id, device, wipId: report.wipIds[0] as string };
  };

  it('of a lot counts the bins that its part calls good, all but the ninth where it says nothing', async () => {
    const { wipId } = await tested(
      [
        { bin: '1', qty: 60 },
        { bin: '9', qty: 20 },
      ],
      20,
    );
    expect(await yard.lotRow(wipId)).toMatchObject({ outputQty: 80, lossQty: 20, yield: 60 });
    const bins = (goodBins: string | null) =>
      testApp.db.updateTable('icop_part_number_line').set({ goodBins }).where('devicePn', '=', 'D1').execute();
    await bins('1,2');
    const outputs = ['1', '2', '3'].map((bin) => ({ bin, qty: 30 }));
    expect(await yard.lotRow((await tested(outputs, 10)).wipId)).toMatchObject({ outputQty: 90, yield: 60 });
    await bins(null);
  });

  it('is asked of bins that there are', async () => {
    const part = { devicePn: 'D9', waferPn: 'P1', goodBins: '1,1' };
    const add = (goodBins: string) =>
      testApp.ask('POST', '/api/icopPartNumberLine/create.json', { ...part, goodBins }, { as: 'admin' });
    for (const it of ['1,1', '10', '1;2', 'G']) expect(await add(it), it).toMatchObject({ code: '100015' });
    expect(await add('1,2,9')).toMatchObject({ code: '000000' });
  });

  it('forgets a loss and an output that are rolled back', async () => {
    const { wipId, device } = await tested(
      [
        { bin: '1', qty: 50 },
        { bin: '2', qty: 30 },
      ],
      20,
    );
    expect(await yard.lotRow(wipId)).toMatchObject({ outputQty: 80, lossQty: 20, yield: 80 });
    await ok(yard.undo(wipId));
    expect(await yard.lotRow(wipId)).toMatchObject({ outputQty: 50, lossQty: 20, yield: 71.43 });
    await ok(yard.undo(device));
    expect(await yard.lotRow(wipId)).toMatchObject({ outputQty: 50, lossQty: 0, yield: 100 });
    await ok(yard.undo(wipId));
    expect(await yard.lotRow(wipId)).toMatchObject({ outputQty: 0, lossQty: 0, yield: null });
  });

  it('of merged lots is that of all, and forgets what is rolled back as well', async () => {
    const { wipId } = await yard.foundryLot();
    const id = await yard.bumping(wipId);
    const report = async (position: ReturnType<typeof good>) =>
      (await ok(yard.record(bumpingCp, { id, positions: [position] }))).wipIds[0] as string;
    const [one, two] = [await report(good(`${wipId}/01`, 90, 10)), await report(good(`${wipId}/02`, 60, 40))];
    const input = { id: String((await yard.lotRow(one)).id), wipIds: two };
    const merged = await ok(testApp.send(merge, input, planner));
    expect(await yard.lotRow(merged.wipId)).toMatchObject({ outputQty: 150, lossQty: 50, yield: 75 });
    await ok(yard.undo(wipId));
    expect(await yard.lotRow(two)).toMatchObject({ lossQty: 0, yield: 100 });
    expect(await yard.lotRow(merged.wipId)).toMatchObject({ outputQty: 150, lossQty: 10, yield: 93.75 });
  });
});

describe('a rollback', () => {
  it('tells the yield of a lot that is merged at the same moment', async () => {
    const { wipId } = await yard.foundryLot();
    const id = await yard.bumping(wipId);
    const report = async (position: ReturnType<typeof good>) =>
      (await ok(yard.record(bumpingCp, { id, positions: [position] }))).wipIds[0] as string;
    const [one, two] = [await report(good(`${wipId}/01`, 90, 10)), await report(good(`${wipId}/02`, 60, 40))];
    const input = { id: String((await yard.lotRow(one)).id), wipIds: two };
    const [merged, undone] = await bothAtOnce(
      () => isLockWaited(testApp.db),
      () => testApp.send(merge, input, planner),
      () => yard.undo(wipId),
    );
    expect([merged.code, undone.code]).toEqual(['000000', '000000']);
    expect(await yard.lotRow(merged.data.wipId)).toMatchObject({ outputQty: 150, lossQty: 10, yield: 93.75 });
  });
});

describe('work in process', () => {
  const inProcess = async (id: string, module: WorkOrderModule) => {
    const { workOrderNo } = await testApp.db
      .selectFrom(orderTables[module])
      .select('workOrderNo')
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow();
    return testApp.db
      .selectFrom('icop_wip')
      .selectAll()
      .where('workOrderNo', '=', workOrderNo)
      .where('stage', 'in', ['2', '4', '6', '8', 'A'])
      .orderBy('id')
      .execute();
  };

  it('is in the list from when an order is sent until all of it came back', async () => {
    const { wipId, lot } = await yard.foundryLot();
    const id = String((await ok(yard.bumpingOf(wipId, '2', ['01', '02']))).id);
    const rows = () => inProcess(id, bumpingCp);
    expect(await rows()).toEqual([]);
    await yard.send(bumpingCp, id);
    const out = { stage: '2', waferLotId: lot, parentWipIds: wipId, supplierId: 'S1', workOrderType: bumpingCp };
    expect(await rows()).toMatchObject([{ ...out, waferIds: '01,02', waferQty: 2, chipQty: 200, inputQty: 200 }]);
    await ok(testApp.send(sendSwitch(bumpingCp), { id }, planner));
    expect(await rows()).toEqual([]);
    await yard.send(bumpingCp, id);
    const { wipIds } = await ok(yard.record(bumpingCp, { id, positions: [good(`${wipId}/01`, 90, 10)] }));
    const left = { waferIds: '02', waferQty: 1, chipQty: 100, inputQty: 200, outputQty: 90, lossQty: 10, yield: 90 };
    expect(await rows()).toMatchObject([{ ...out, ...left }]);
    await ok(yard.record(bumpingCp, { id, positions: [good(`${wipId}/02`, 100)] }));
    expect(await rows()).toEqual([]);
    await ok(yard.undo(wipIds[0] as string));
    expect(await rows()).toMatchObject([{ ...out, chipQty: 90, waferIds: '01' }]);
  });

  it.each([
    ['of CP', '4', { processType: '3' }],
    ['of assembly', '6', { processType: '1' }],
    ['of FT1', '8', { ftType: '1' }],
    ['of FT2', 'A', { ftType: '2' }],
  ])('%s has its stage, and is in no bank', async (_, stage, more: { processType?: string; ftType?: string }) => {
    const { wipId } = await yard.foundryLot();
    let id: string;
    let module: WorkOrderModule = 'icopFtWorkOrder';
    if (more.processType === '3') {
      module = bumpingCp;
      id = await yard.bumping(wipId, '3', ['01']);
    } else if (more.processType === '1') {
      module = 'icopAssemblyWorkOrder';
      id = await yard.assembly([{ wipId, waferId: '01' }]);
    } else {
      const device = await assembled(wipId, '01');
      const first = await yard.finalTest('1', [{ wipId: device, group: 1, bin: 'G' }]);
      const { wipIds } = await ok(yard.record('icopFtWorkOrder', { id: first, positions: [good('1', 50, 0, '1')] }));
      const again = { wipId: wipIds[0] as string, group: 1, bin: '1' };
      id = more.ftType === '1' ? first : await yard.finalTest('2', [again]);
    }
    const rows = await inProcess(id, module);
    const isTested = stage === '8' || stage === 'A';
    // What is counted in bins has no number of wafers.
    const counted = { chipQty: isTested ? 50 : 100, waferQty: isTested ? null : 1 };
    expect(rows).toMatchObject([{ stage, stageName: stage, ...counted }]);
    const { items } = await ok(testApp.send(lotTree, { id: String(rows[0]?.id) }, planner)).then((tree) => ({
      items: tree.lots.map((it) => it.stage),
    }));
    expect(items).not.toContain(stage);
  });

  it('and what comes of it says the ERP code, product and package of its line', async () => {
    const { wipId } = await yard.foundryLot();
    const id = await yard.assembly([{ wipId, waferId: '01' }]);
    const said = { devicePn: 'D1', deviceErpCode: 'ERP1', productName: 'CHIP', packageType: 'QFN' };
    expect(await inProcess(id, 'icopAssemblyWorkOrder')).toMatchObject([said]);
    const { wipIds } = await ok(yard.record('icopAssemblyWorkOrder', { id, positions: [good(wipId, 60, 0, 'G')] }));
    expect(await yard.lotRow(wipIds[0])).toMatchObject({
      ...said,
      waferLotId: expect.stringMatching(/\.1$/) as string,
    });
    const test = await yard.finalTest('1', [{ wipId: wipIds[0] as string, group: 1, bin: 'G' }]);
    const more = await ok(yard.record('icopFtWorkOrder', { id: test, positions: [good('1', 60, 0, '1')] }));
    expect(await yard.lotRow(more.wipIds[0])).toMatchObject(said);
  });
});

describe('an earlier version', () => {
  it('gets its work in process and its yields by the migration', async () => {
    const { wipId } = await yard.foundryLot();
    const bumping = await yard.bumping(wipId, '1', ['01', '02']);
    await ok(
      yard.record(bumpingCp, { id: bumping, positions: [good(`${wipId}/01`, 90, 10), good(`${wipId}/02`, 50, 5)] }),
    );
    await yard.bumping(wipId, '3', ['03']);
    const other = (await yard.foundryLot()).wipId;
    const assembly = await yard.assembly([
      { wipId: other, waferId: '01' },
      { wipId: other, waferId: '02', inputQty: 60 },
    ]);
    const report = async (repeat = 1) => {
      const positions = [{ ...good(other, 30, 5, 'G'), repeat }];
      return (await ok(yard.record('icopAssemblyWorkOrder', { id: assembly, positions }))).wipIds[0] as string;
    };
    const test = await yard.finalTest('1', [
      { wipId: await report(), group: 1, bin: 'G' },
      { wipId: await report(2), group: 1, bin: 'G' },
    ]);
    const outputs = [
      { bin: '1', qty: 30 },
      { bin: '9', qty: 10 },
    ];
    const { wipIds } = await ok(
      yard.record('icopFtWorkOrder', { id: test, positions: [{ position: '1', outputs, lossQty: 5 }] }),
    );
    await yard.finalTest('2', [{ wipId: wipIds[0] as string, group: 1, bin: '1' }]);

    const isOut = sql`stage IN ('2', '4', '6', '8', 'A')`;
    const lots = async () => {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT * FROM icop_wip WHERE ${isOut} OR "wipId" = ${wipIds[0]} ORDER BY stage, "workOrderNo", "parentWipIds"`.execute(
        testApp.db,
      );
      const isSaid = (name: string) => !/^(id|wipId|version|inTime|(create|update)(By|Time))$/.test(name);
      return rows.map((it) => Object.fromEntries(Object.entries(it).filter(([name]) => isSaid(name))));
    };
    const before = await lots();
    expect([...new Set(before.map((it) => it['stage']))]).toEqual(['2', '4', '6', '8', '9', 'A']);
    await sql`DELETE FROM icop_wip WHERE ${isOut}`.execute(testApp.db);
    await sql`UPDATE icop_wip SET yield = 1 WHERE "wipId" = ${wipIds[0]}`.execute(testApp.db);
    for (const it of ['0048_in_process', '0051_lots_of_bins'])
      await sql.raw(readFileSync(`src/server/db/migrations/${it}.sql`, 'utf8')).execute(testApp.db);
    expect(await lots()).toEqual(before);
  });
});

describe('a device', () => {
  it('is not made of the wafers of another part', async () => {
    const id = await yard.sent(
      'icopWaferWorkOrder',
      testApp.send(orders.createWaferOrder, { ...foundryHead, waferPn: 'P2', waferQty: 1 }, planner),
    );
    const wipId = await yard.come(id, 'OTHERPART', '01');
    const input = { ...packingHead, processType: '1', waferPn: 'P2', devicePn: 'D1' };
    const waferList = [{ wipId, waferId: '01' }];
    const other = await expectRefused(testApp, '100015', () =>
      testApp.send(orders.createAssemblyOrder, { ...input, waferList }, planner),
    );
    expect(other.msg).toMatch(/D1.*P1.*P2/);
    const device = await assembled((await yard.foundryLot()).wipId, '01');
    const line = { wipId: device, group: 1, bin: 'G', ftTestProgram: 'FT1' };
    await expectRefused(testApp, '100015', () =>
      testApp.send(orders.createFtOrder, { ...input, ftType: '1', ftWorkOrderLineGroupList: [line] }, planner),
    );
    expect(await yard.lotRow(wipId)).toMatchObject({ chipQty: 100 });
  });
});

describe('finished goods', () => {
  it('are not taken by an FT1 order, and by FT2 again', async () => {
    const { wipId } = await yard.foundryLot();
    const id = await yard.assembly([{ wipId, waferId: '01' }], { processType: '2', ftType: '3' });
    const { wipIds } = await ok(yard.record('icopAssemblyWorkOrder', { id, positions: [good(wipId, 100, 0, '1')] }));
    const line = { wipId: wipIds[0] as string, group: 1, bin: '1', chipQty: 10 };
    await expectRefused(testApp, '100042', () => yard.finalTestOf('1', [line]));
    await ok(yard.finalTestOf('2', [line]));
  });
});

describe('a row of a report', () => {
  const heads = ['Work order', 'Wafer lot', 'Wafer', 'Good', 'Loss', 'Date code', 'Repeat'];
  type Brought = { url: string; bad: number; imported: number; problems: { row: number; msg: string }[] };
  const send = async (rows: CellValue[][], fields: Record<string, string> = {}) =>
    sendFile<Brought>(testApp, `/api/${bumpingCp}/upload.json`, [await workbook([heads, ...rows])], {
      ...planner,
      fields,
    });
  const bring = async (rows: CellValue[][]) => ok(send(rows));
  const look = async (rows: CellValue[][]) => ok(send(rows, { dryRun: '1' }));
  /** An order of three wafers, with a row of a file and what came of each wafer. */
  async function sentOrder() {
    const { wipId, lot } = await yard.foundryLot();
    const id = await yard.bumping(wipId);
    const { workOrderNo } = await testApp.db
      .selectFrom('icop_bumping_cp_work_order')
      .select('workOrderNo')
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow();
    const row = (wafer: string, qty: number, code: string | null = null, repeat: number | null = null) => [
      ...[workOrderNo, lot, wafer, qty, 1, code, repeat],
    ];
    const came = async () => (await yard.positions(bumpingCp, id)).map((it) => it.outputQty);
    return { id, wipId, lot, row, came };
  }
  const booked = /was booked before \(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d planner/;

  it('that a file brought is not booked again: alone, with others, or in another order', async () => {
    const { lot, row, came } = await sentOrder();
    expect(await bring([row('01', 20), row('02', 30)])).toMatchObject({ imported: 2 });
    for (const rows of [[row('1', 20)], [row('02', 30), row('01', 20)], [row('01', 20), row('02', 30), row('03', 5)]]) {
      const told = await look(rows);
      expect(told.bad).toBe(Math.min(2, rows.length));
      expect(told.problems[0]?.msg).toMatch(booked);
      expect(told.problems[0]?.msg).toContain(`${lot} / 0`);
      expect(await bring(rows)).toMatchObject({ imported: 0 });
    }
    expect(await came()).toEqual([20, 30, 0]);
    expect(await bring([row('03', 5)])).toMatchObject({ imported: 1 });
    // Another date code is other goods; who says none may mean any.
    expect(await bring([row('01', 20, '2648')])).toMatchObject({ bad: 1, imported: 0 });
    expect(await bring([row('01', 21, '2648')])).toMatchObject({ imported: 1 });
    expect(await bring([row('01', 21, '2649')])).toMatchObject({ imported: 1 });
    expect(await bring([row('01', 21, ' ２６-４８ ')])).toMatchObject({ bad: 1, imported: 0 });
    expect(await came()).toEqual([62, 30, 5]);
  });

  it('that was entered by hand is not booked again by a file, nor the other way round', async () => {
    const { id, wipId, row, came } = await sentOrder();
    const byHand = async (more: { dateCode?: string } = {}) =>
      yard.record(bumpingCp, { id, positions: [good(`${wipId}/01`, 40, 1)], ...more });
    await ok(byHand());
    expect((await look([row('01', 40)])).problems[0]?.msg).toMatch(booked);
    expect(await bring([row('01', 40), row('02', 40)])).toMatchObject({ bad: 1, imported: 0 });
    expect(await bring([row('02', 40)])).toMatchObject({ imported: 1 });
    for (const dateCode of [undefined, '2648']) {
      const { msg } = await expectRefused(testApp, '100007', () => byHand(dateCode === undefined ? {} : { dateCode }));
      expect(msg).toMatch(booked);
    }
    const { msg } = await expectRefused(testApp, '100007', () =>
      yard.record(bumpingCp, { id, positions: [good(`${wipId}/02`, 40, 1)] }),
    );
    expect(msg).toMatch(booked);
    // One position of several that was booked stops all of them.
    const several = [good(`${wipId}/03`, 7), good(`${wipId}/02`, 40, 1)];
    await expectRefused(testApp, '100007', () => yard.record(bumpingCp, { id, positions: several }));
    expect(await came()).toEqual([40, 40, 0]);
  });

  it('that came once more is booked as the next repeat, and that one once as well', async () => {
    const { id, wipId, row, came } = await sentOrder();
    expect((await look([row('01', 20, null, 2)])).problems[0]?.msg).toContain('nothing equal is booked');
    await bring([row('01', 20)]);
    for (const repeat of [1, 3]) expect(await bring([row('01', 20, null, repeat)])).toMatchObject({ imported: 0 });
    expect((await look([row('01', 20)])).problems[0]?.msg).toContain('as repeat 2');
    expect(await bring([row('01', 20, null, 2)])).toMatchObject({ imported: 1 });
    expect(await bring([row('01', 20, null, 2)])).toMatchObject({ bad: 1, imported: 0 });
    const position = good(`${wipId}/01`, 20, 1);
    const { data } = await yard.record(bumpingCp, { id, positions: [position] });
    expect(data).toMatchObject({ repeats: [{ position: `${wipId}/01`, repeat: 3 }] });
    await ok(yard.record(bumpingCp, { id, positions: [{ ...position, repeat: 3 }] }, { as: 'admin' }));
    expect(await came()).toEqual([60, 0, 0]);
    const rows = await testApp.db
      .selectFrom('reported_row')
      .select(['repeat', 'userId'])
      .where('position', '=', `${wipId}/01`)
      .orderBy('repeat')
      .execute();
    expect(rows).toEqual([
      { repeat: 1, userId: 'planner' },
      { repeat: 2, userId: 'planner' },
      { repeat: 3, userId: 'admin' },
    ]);
  });

  it('that was booked and of which less is left is not said to come as a repeat, by file or by hand', async () => {
    const { id, wipId, row, came } = await sentOrder();
    await bring([row('01', 60)]);
    const [problem, ...others] = (await look([row('01', 60)])).problems;
    expect(problem?.msg).toMatch(booked);
    expect(problem?.msg).toContain('only 39 is still in process');
    expect([problem?.msg.includes('as repeat'), others]).toEqual([false, []]);
    const again = { id, positions: [good(`${wipId}/01`, 60, 1)] };
    const refused = await expectRefused(testApp, '100007', () => yard.record(bumpingCp, again));
    expect(refused.msg).toContain('only 39 is still in process');
    expect(refused.data).not.toHaveProperty('repeats');
    // Said to be the next one, it is still more than is left.
    expect((await look([row('01', 60, null, 2)])).problems).toMatchObject([
      { msg: expect.stringContaining('61 reported, only 39') as string },
    ]);
    expect(await came()).toEqual([60, 0, 0]);
  });

  it('is kept once by the database, and free again once all that it brought is rolled back', async () => {
    const { wipId, row, came } = await sentOrder();
    await bring([row('01', 20)]);
    const entries = await testApp.db
      .selectFrom('icop_transaction')
      .innerJoin('reported_row', (join) => join.onRef('reportMark', '=', sql<string>`reported_row.id::text`))
      .select(['icop_transaction.wipId', 'transactionType as type', 'told', 'reported_row.workOrderNo'])
      .where('position', '=', `${wipId}/01`)
      .orderBy('icop_transaction.id')
      .execute();
    expect(entries.map((it) => [it.type, it.told])).toEqual([
      ['OUTPUT', 'good:20 loss:1'],
      ['LOSS', 'good:20 loss:1'],
    ]);
    const twice = { position: `${wipId}/01`, told: 'good:20 loss:1', dateCode: '', userId: 'x' };
    const again = { ...twice, workOrderNo: entries[0]?.workOrderNo ?? '' };
    await expect(testApp.db.insertInto('reported_row').values(again).execute()).rejects.toThrow(/unique/);
    await ok(yard.undo(wipId));
    expect(await bring([row('01', 20)])).toMatchObject({ imported: 0 });
    await ok(yard.undo(entries[0]?.wipId ?? ''));
    expect(await came()).toEqual([0, 0, 0]);
    expect(await bring([row('01', 20)])).toMatchObject({ imported: 1 });
    expect(await came()).toEqual([20, 0, 0]);
  });

  it('of an assembly and of a final test is booked once as well', async () => {
    const { wipId, lot } = await yard.foundryLot();
    const packing = await yard.assembly([{ wipId, waferId: '01' }]);
    const packed = await ok(
      yard.record('icopAssemblyWorkOrder', { id: packing, positions: [good(wipId, 40, 1, 'G')] }),
    );
    const { workOrderNo } = await testApp.db
      .selectFrom('icop_assembly_work_order')
      .select('workOrderNo')
      .where('id', '=', Number(packing))
      .executeTakeFirstOrThrow();
    const file = [
      await workbook([
        ['Work order', 'Wafer lot', 'Good', 'Loss'],
        [workOrderNo, lot, 40, 1],
      ]),
    ];
    const path = '/api/icopAssemblyWorkOrder/upload.json';
    const { problems } = await ok(sendFile<Brought>(testApp, path, file, planner));
    expect(problems[0]?.msg).toMatch(booked);

    const device = packed.wipIds[0] as string;
    const id = await yard.finalTest('1', [{ wipId: device, group: 1, bin: 'G' }]);
    const outputs = [
      { bin: '2', qty: 5 },
      { bin: '1', qty: 10 },
    ];
    await ok(yard.record('icopFtWorkOrder', { id, positions: [{ position: '1', outputs, lossQty: 0 }] }));
    // The same in another sequence, and in pieces.
    const pieces = [
      { bin: '1', qty: 4 },
      { bin: '2', qty: 5 },
      { bin: '1', qty: 6 },
    ];
    await expectRefused(testApp, '100007', () =>
      yard.record('icopFtWorkOrder', { id, positions: [{ position: '1', outputs: pieces, lossQty: 0 }] }),
    );
  });
});
