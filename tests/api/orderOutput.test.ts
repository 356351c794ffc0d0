import type { CellValue } from 'hucre';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receiveWafers, recordOutput, toReceiveWafers, toRecordOutput } from '#features/order-output/contract.ts';
import { lotTree } from '#features/lot-tree/contract.ts';
import { accountOf, differenceOfLot, differenceOfOrder, rowsOf } from '#features/lot-tree/rules.ts';
import { merge } from '#features/wip-actions/contract.ts';
import { done, editBillStatus, sendSwitch } from '#features/work-order-actions/contract.ts';
import * as orders from '#features/work-orders/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { chipParts, findChipFaults, good, ok, openYard, bumpingHead, foundryHead } from '#tests/support/chips.ts';
import { expectNo, expectRefused, readLedger } from '#tests/support/guard.ts';
import { sendFile, workbook } from '#tests/support/workbooks.ts';

let testApp: TestApp;
let yard: ReturnType<typeof openYard>;
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 120_000 }, { worksJobs: true });
  for (const it of ['planner', 'office', 'admin']) await testApp.openToken(it);
  await chipParts(testApp.db);
  yard = openYard(testApp);
});
afterAll(async () => {
  expect(await findChipFaults(testApp.db), 'every die is somewhere').toEqual([]);
  await testApp.close();
});

const planner = { as: 'planner' };
const head = foundryHead;
const waferOrder = (id: string) =>
  testApp.db.selectFrom('icop_wafer_work_order').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow();
const treeOf = async (wipId: string, asking: object = planner) =>
  testApp.send(lotTree, { id: String((await yard.lotRow(wipId)).id) }, asking);
/** Where the dies of a lot are, once every row of its tree adds up. */
async function account(wipId: string) {
  const tree = await ok(treeOf(wipId));
  expect(tree.lots.map(differenceOfLot).filter((it) => it !== 0)).toEqual([]);
  expect(tree.orders.map(differenceOfOrder).filter((it) => it !== 0)).toEqual([]);
  const { missing, ...sums } = accountOf(tree);
  expect(missing).toBe(0);
  return Object.values(sums);
}

describe('more dies than can be counted', () => {
  it('come from no foundry, and in no merge', async () => {
    // A part that does not say how many dies a wafer has.
    const part = { waferPn: 'P-GREAT', waferMpn: 'M-GREAT', status: '1' };
    await testApp.db.insertInto('icop_part_number').values(part).execute();
    const order = testApp.send(orders.createWaferOrder, { ...head, waferPn: 'P-GREAT', waferQty: 50 }, planner);
    const id = await yard.sent('icopWaferWorkOrder', order);
    const lot = { id, waferLotId: 'LOT-GREAT', dies: 100_000_000 };
    const receive = (waferIds: string) => testApp.send(receiveWafers, { ...lot, waferIds }, planner);
    const { msg } = await expectRefused(testApp, '100015', () => receive('01-25'));
    expect(msg).toMatch(/must be at most 85899345$/);
    const { wipId } = await ok(receive('01-20'));
    const other = await ok(receive('21-25'));
    const ask = async () =>
      testApp.send(
        merge,
        { id: String((await yard.lotRow(wipId as string)).id), wipIds: other.wipId as string },
        planner,
      );
    expect((await expectRefused(testApp, '100015', ask)).msg).toContain('2147483647');
  });
});

describe('wafers of the foundry', () => {
  it('come by whom it is allowed, to an order that was sent, lot by lot, until all have come', async () => {
    const order = testApp.send(orders.createWaferOrder, { ...head, waferPn: 'P1', waferQty: 5 }, planner);
    const id = String((await ok(order)).id);
    const input = { id, waferLotId: 'FAB1', waferIds: '01-03', dies: 100 };
    const send = (more: object = {}, asking: object = planner) =>
      testApp.send(receiveWafers, { ...input, ...more }, asking);
    await expectRefused(testApp, '401', () => testApp.send(receiveWafers, input));
    await expectRefused(testApp, '100013', () => send({}, { as: 'office' }));
    await expectRefused(testApp, '100025', () => send());
    await ok(testApp.send(sendSwitch('icopWaferWorkOrder'), { id }, planner));
    const toCome = await ok(testApp.send(toReceiveWafers, { id }, planner));
    expect(toCome).toMatchObject({ waferQty: 5, outputQty: 0, lossQty: 0, grossDie: 120 });
    await expectRefused(testApp, '100001', () => send({ waferLotId: '', waferIds: '' }));
    await expectRefused(testApp, '100001', () => send({ waferLotId: '' }));
    await expectRefused(testApp, '100001', () => send({ dies: 0 }));
    for (const waferIds of ['26', '01,01', '00', 'x', '03-01'])
      await expectRefused(testApp, '100015', () => send({ waferIds }));
    await expectRefused(testApp, '100019', () => send({ waferIds: '01-06' }));

    const first = await ok(send({ remark: 'first box' }));
    expect(first).toMatchObject({ billStatus: '2', outputQty: 3, lossQty: 0 });
    expect(await yard.lotRow(first.wipId ?? '')).toMatchObject({
      ...{ stage: '1', waferPn: 'P1', waferLotId: 'FAB1', waferIds: '01,02,03', waferQty: 3, chipQty: 300 },
      ...{ supplierId: 'FAB', siteId: 'SZ', remark: 'first box' },
    });
    const twice = await expectRefused(testApp, '100007', () => send({ waferIds: '03,04' }));
    expect(twice.msg).toContain('FAB1 / 03');
    await expectRefused(testApp, '100019', () => testApp.send(done('icopWaferWorkOrder'), { id }, planner));
    await expectRefused(testApp, '100025', () => testApp.send(sendSwitch('icopWaferWorkOrder'), { id }, planner));

    // One will not come; told wrongly first, which can be told anew.
    expect(await ok(send({ waferLotId: '', waferIds: '', missing: 2 }))).toMatchObject({ wipId: null, lossQty: 2 });
    expect(await ok(send({ waferIds: '04', missing: 1 }))).toMatchObject({ outputQty: 4, lossQty: 1 });
    expect((await ok(testApp.send(done('icopWaferWorkOrder'), { id }, planner))).billStatus).toBe('3');
    await expectRefused(testApp, '100025', () => send({ waferIds: '05' }));
    const { workOrderNo } = await waferOrder(id);
    const ledger = await readLedger(testApp, workOrderNo ?? '');
    expect(ledger.filter((it) => it.what === 'receiveWafers')).toHaveLength(3);
  });

  it('that were received by mistake are still to come once that is rolled back', async () => {
    const { wipId, id } = await yard.foundryLot();
    expect(await waferOrder(id)).toMatchObject({ billStatus: '2', outputQty: 3 });
    await ok(yard.undo(wipId));
    expect(await waferOrder(id)).toMatchObject({ billStatus: '1', outputQty: 0 });
    expect(await yard.lotRow(wipId)).toMatchObject({ chipQty: 0, waferQty: 0, waferIds: null });
    const again = { id, waferLotId: 'AGAIN', waferIds: '01-03', dies: 10 };
    expect(await ok(testApp.send(receiveWafers, again, planner))).toMatchObject({ billStatus: '2' });
  });
});

describe('the output of an order', () => {
  it('is reported by whom it is allowed, of an order that was sent, and no more than is in process', async () => {
    const module = 'icopBumpingCpWorkOrder';
    const { wipId } = await yard.foundryLot();
    const waferList = [{ wipId, waferId: '01' }];
    const draft = await ok(
      testApp.send(
        orders.createBumpingCpOrder,
        { ...bumpingHead, processType: '2', waferPn: 'P1', waferList },
        planner,
      ),
    );
    const id = String(draft.id);
    const position = `${wipId}/01`;
    const input = { id, positions: [good(position, 90, 10)] };
    await expectRefused(testApp, '401', () => testApp.send(recordOutput(module), input));
    await expectRefused(testApp, '100013', () => yard.record(module, input, { as: 'office' }));
    await expectRefused(testApp, '100025', () => yard.record(module, input));
    await ok(testApp.send(sendSwitch(module), { id }, planner));
    const over = await expectRefused(testApp, '100019', () =>
      yard.record(module, { id, positions: [good(position, 95, 10)] }),
    );
    expect(over.msg).toMatch(/LOT\d+ \/ 01: 105 .* 100 /);
    await expectRefused(testApp, '100001', () => yard.record(module, { id, positions: [good(position, 0)] }));
    await expectRefused(testApp, '100042', () => yard.record(module, { id, positions: [good(`${wipId}/02`, 1)] }));
    await expectRefused(testApp, '100042', () => yard.record(module, { id, positions: [good(position, 1, 0, 'G')] }));
    const twice = await expectRefused(testApp, '100015', () =>
      yard.record(module, { id, positions: [good(position, 1), good(position, 1)] }),
    );
    expect(twice.msg).toMatch(/LOT\d+ \/ 01 is named twice/);
    // "In process" is nobody's to choose.
    await expectRefused(testApp, '100025', () =>
      testApp.send(editBillStatus(module), { id, billStatus: '2' }, planner),
    );
    expect(await ok(yard.record(module, input))).toMatchObject({ billStatus: '2', outputQty: 90, lossQty: 10 });
    await expectRefused(testApp, '100019', () => yard.record(module, { id, positions: [good(position, 1)] }));
    expect((await ok(testApp.send(done(module), { id }, planner))).billStatus).toBe('3');
    await expectRefused(testApp, '100025', () => yard.record(module, input));
  });

  it('takes one lot from the foundry to finished chips, in parts, split and merged', async () => {
    const { wipId: wafers, lot } = await yard.foundryLot();
    const bcp = await yard.bumping(wafers);
    expect(await yard.positions('icopBumpingCpWorkOrder', bcp)).toEqual(
      ['01', '02', '03'].map((piece) => ({
        ...{ position: `${wafers}/${piece}`, wipId: wafers, waferLotId: lot, piece },
        ...{ inputQty: 100, outputQty: 0, lossQty: 0, leftQty: 100 },
      })),
    );
    const first = await ok(
      yard.record('icopBumpingCpWorkOrder', {
        id: bcp,
        positions: [good(`${wafers}/01`, 90, 10), good(`${wafers}/02`, 40)],
      }),
    );
    const [cpOne] = first.wipIds;
    expect(await yard.lotRow(cpOne)).toMatchObject({
      ...{ stage: '5', waferLotId: lot, waferIds: '01,02', waferQty: 2, chipQty: 130, lossQty: 10, yield: 92.86 },
      ...{ parentWipIds: wafers, workOrderType: 'icopBumpingCpWorkOrder', supplierId: 'S1' },
    });
    // What came, and of that what is finished, in a bank, in process, loss.
    expect(await account(wafers)).toEqual([300, 0, 130, 160, 10]);
    const rest = [good(`${wafers}/02`, 55, 5), good(`${wafers}/03`, 95, 5)];
    const second = await ok(yard.record('icopBumpingCpWorkOrder', { id: bcp, positions: rest }));
    await ok(testApp.send(done('icopBumpingCpWorkOrder'), { id: bcp }, planner));
    // What came in two parts is the same goods.
    const merged = await ok(
      testApp.send(merge, { id: String((await yard.lotRow(second.wipIds[0])).id), wipIds: second.wipIds[1] }, planner),
    );
    expect(await yard.lotRow(merged.wipId)).toMatchObject({ chipQty: 280, waferIds: '01,02,03' });
    expect(await account(cpOne as string)).toEqual([300, 0, 280, 0, 20]);

    const asm = await yard.assembly([
      { wipId: merged.wipId, waferId: '01', inputQty: 50 },
      { wipId: merged.wipId, waferId: '02' },
    ]);
    expect(await yard.positions('icopAssemblyWorkOrder', asm)).toMatchObject([
      { position: merged.wipId, piece: '', inputQty: 145, leftQty: 145 },
    ]);
    const [partOne] = (
      await ok(
        yard.record('icopAssemblyWorkOrder', {
          id: asm,
          dateCode: '2648',
          positions: [good(merged.wipId, 60, 0, 'G')],
        }),
      )
    ).wipIds;
    expect(await account(merged.wipId)).toEqual([300, 0, 195, 85, 20]);
    const [partTwo] = (
      await ok(yard.record('icopAssemblyWorkOrder', { id: asm, positions: [good(merged.wipId, 80, 5, 'G')] }))
    ).wipIds;
    await ok(testApp.send(done('icopAssemblyWorkOrder'), { id: asm }, planner));
    expect(await yard.lotRow(partOne)).toMatchObject({
      ...{ stage: '7', waferLotId: `${lot}.1`, binG: 60, chipQty: 60, dateCode: '2648', devicePn: 'D1' },
      ...{ marking: 'CHIP', originalMarking: 'CHIP', assySiteId: 'SZ' },
    });
    expect(await yard.lotRow(partTwo)).toMatchObject({ waferLotId: `${lot}.2`, binG: 80 });

    const ft1 = await yard.finalTest('1', [
      { wipId: partOne as string, group: 1, bin: 'G' },
      { wipId: partTwo as string, group: 1, bin: 'G', chipQty: 70 },
    ]);
    expect(await yard.positions('icopFtWorkOrder', ft1)).toMatchObject([
      { position: '1', inputQty: 130, leftQty: 130 },
    ]);
    const sorted = await ok(
      yard.record('icopFtWorkOrder', {
        id: ft1,
        positions: [
          {
            position: '1',
            outputs: [
              { bin: '1', qty: 100 },
              { bin: '3', qty: 20 },
            ],
            lossQty: 10,
          },
        ],
      }),
    );
    await ok(testApp.send(done('icopFtWorkOrder'), { id: ft1 }, planner));
    const [tested] = sorted.wipIds;
    expect(await account(partTwo as string)).toEqual([300, 0, 265, 0, 35]);
    expect(await yard.lotRow(tested)).toMatchObject({
      ...{ stage: '9', waferLotId: `${lot}.2M`, bin1: 100, bin3: 20, binG: null, chipQty: 120, group: 1 },
      ...{ ftTestProgram: 'FT1', parentWipIds: `${partOne},${partTwo}` },
    });

    const ft2 = await yard.finalTest('2', [{ wipId: tested as string, group: 1, bin: '1' }]);
    const finished = await ok(yard.record('icopFtWorkOrder', { id: ft2, positions: [good('1', 97, 3, '1')] }));
    await ok(testApp.send(done('icopFtWorkOrder'), { id: ft2 }, planner));
    expect(await yard.lotRow(finished.wipIds[0])).toMatchObject({
      ...{ stage: 'B', bin1: 97, chipQty: 97, frontFtTestProgram: 'FT1', ftTestProgram: 'FT2' },
    });
    expect(await findChipFaults(testApp.db)).toEqual([]);
    // From any of its lots the tree is the same, and names what is wrong in it.
    for (const it of [wafers, merged.wipId, tested as string, finished.wipIds[0] as string])
      expect(await account(it)).toEqual([300, 97, 165, 0, 38]);
    const tree = await ok(treeOf(wafers));
    const names = rowsOf(tree).map((it) => (it.kind === 'lot' ? it.lot.wipId : it.order.module));
    expect(names.slice(0, 4)).toEqual([wafers, 'icopBumpingCpWorkOrder', cpOne, merged.wipId]);
    expect(names).toHaveLength(15);
    await expectNo('401', async () => testApp.send(lotTree, { id: '1' }));
    await expectNo('100013', () => treeOf(wafers, { as: 'office' }));
    await expectNo('100002', () => testApp.send(lotTree, { id: 'WIP-NONE' }, planner));
    await testApp.db
      .updateTable('icop_wip')
      .set({ chipQty: 90 })
      .where('wipId', '=', finished.wipIds[0] as string)
      .execute();
    const broken = await ok(treeOf(wafers));
    expect(broken.lots.filter((it) => differenceOfLot(it) === -7).map((it) => it.wipId)).toEqual(finished.wipIds);
    expect(accountOf(broken)).toMatchObject({ finished: 90, missing: 7 });
    await testApp.db
      .updateTable('icop_wip')
      .set({ chipQty: 97 })
      .where('wipId', '=', finished.wipIds[0] as string)
      .execute();
  });

  it('tells the tree of a lot whose orders hold others as well, and of one in two groups', async () => {
    const [one, two] = [await yard.foundryLot(), await yard.foundryLot()];
    const id = await yard.assembly([
      { wipId: one.wipId, waferId: '01' },
      { wipId: two.wipId, waferId: '02', inputQty: 40 },
    ]);
    await ok(
      yard.record('icopAssemblyWorkOrder', {
        id,
        positions: [good(one.wipId, 98, 2, 'G'), good(two.wipId, 30, 0, 'G')],
      }),
    );
    const tree = await ok(treeOf(one.wipId));
    // The other's dies are in its order, and nothing of its lots is told.
    expect(tree.orders).toMatchObject([{ inputQty: 140, outputQty: 128, lossQty: 2 }]);
    expect(tree.lots.map((it) => it.stockQty)).toEqual([200, 98]);
    expect(accountOf(tree).missing).toBeNull();
  });

  it('of an assembly with its test comes in bins, in the bank of that test', async () => {
    for (const [ftType, stage] of [
      ['1', '9'],
      ['3', 'B'],
    ] as const) {
      const { wipId } = await yard.foundryLot();
      const id = await yard.assembly([{ wipId, waferId: '01' }], { processType: '2', ftType });
      const { bins, bank } = await ok(testApp.send(toRecordOutput('icopAssemblyWorkOrder'), { id }, planner));
      expect([bank, bins.length]).toEqual([stage, 9]);
      const made = await ok(yard.record('icopAssemblyWorkOrder', { id, positions: [good(wipId, 98, 2, '4')] }));
      expect(await yard.lotRow(made.wipIds[0])).toMatchObject({ stage, bin4: 98, chipQty: 98 });
    }
  });

  it('is taken back piece by piece, and what went in only when nothing of it stands', async () => {
    const { wipId } = await yard.foundryLot();
    const module = 'icopBumpingCpWorkOrder';
    const id = await yard.bumping(wipId, '1', ['01']);
    const status = async () =>
      await testApp.db
        .selectFrom('icop_bumping_cp_work_order')
        .select(['billStatus', 'outputQty', 'lossQty'])
        .where('id', '=', Number(id))
        .executeTakeFirstOrThrow();
    const made = await ok(yard.record(module, { id, positions: [good(`${wipId}/01`, 60, 40)] }));
    const [out] = made.wipIds as [string];
    await ok(testApp.send(done(module), { id }, planner));
    await ok(yard.undo(wipId));
    expect(await status()).toMatchObject({ billStatus: '2', outputQty: 60, lossQty: 0 });
    const early = await expectRefused(testApp, '100025', () => yard.undo(wipId));
    expect(early.msg).toContain(wipId);
    await ok(yard.undo(out));
    expect(await status()).toMatchObject({ billStatus: '1', outputQty: 0, lossQty: 0 });
    expect(await yard.lotRow(out)).toMatchObject({ chipQty: 0, waferIds: null, stage: '3' });
    expect(await yard.positions(module, id)).toMatchObject([{ leftQty: 100 }]);
    await ok(yard.undo(wipId));
    expect(await yard.lotRow(wipId)).toMatchObject({ chipQty: 300, waferIds: '01,02,03' });
    expect(await yard.positions(module, id)).toEqual([]);
  });

  it('is counted once where two report the same dies at once', async () => {
    const { wipId } = await yard.foundryLot();
    const module = 'icopBumpingCpWorkOrder';
    const id = await yard.bumping(wipId, '2', ['01']);
    const { version } = await ok(testApp.send(toRecordOutput(module), { id }, planner));
    const input = { id, version, positions: [good(`${wipId}/01`, 80)] };
    const answers = await Promise.all([yard.record(module, input), yard.record(module, input, { as: 'admin' })]);
    expect(answers.map((it) => it.code).sort()).toEqual(['000000', '100025']);
  });
});

describe('workbooks of what comes', () => {
  type Brought = { rows: number; bad: number; imported: number; problems?: { row: number; msg: string }[] };
  const bring = async (module: string, heads: string[], rows: CellValue[][], as?: string) =>
    sendFile<Brought>(testApp, `/api/${module}/upload.json`, [await workbook([heads, ...rows])], {
      ...(as && { as }),
    });
  const numberOf = async (
    module: 'icop_wafer_work_order' | 'icop_bumping_cp_work_order' | 'icop_assembly_work_order' | 'icop_ft_work_order',
    id: string,
  ) =>
    (await testApp.db.selectFrom(module).select('workOrderNo').where('id', '=', Number(id)).executeTakeFirstOrThrow())
      .workOrderNo;
  const wafers = async (waferQty: number) => {
    const order = testApp.send(orders.createWaferOrder, { ...head, waferPn: 'P1', waferQty }, planner);
    const id = await yard.sent('icopWaferWorkOrder', order);
    return { id, no: await numberOf('icop_wafer_work_order', id) };
  };
  const shipping = ['Work order', 'Wafer lot', 'Wafers', 'Dies per wafer', 'Remark'];
  const report = ['Work order', 'Wafer lot', 'Wafer', 'Good', 'Loss', 'Date code'];

  it('of a foundry bring lots of several orders, with the dies of their part unless a row says others', async () => {
    const [first, second] = [await wafers(5), await wafers(2)];
    const rows = [
      [first.no, 'SHIP1', '01-03', null, 'box 1'],
      [first.no, 'SHIP2', '1,2', 90, null],
      [second.no, 'SHIP3', '01-02', null, null],
    ];
    for (const as of [undefined, 'office']) {
      const answer = await bring('icopWaferWorkOrder', shipping, rows, as);
      expect(answer.code).toBe(as ? '100013' : '401');
    }
    const { code, data } = await bring('icopWaferWorkOrder', shipping, rows, 'planner');
    expect({ code, data }).toMatchObject({ code: '000000', data: { rows: 3, bad: 0, imported: 3 } });
    expect(await waferOrder(first.id)).toMatchObject({ outputQty: 5, billStatus: '2' });
    expect(await waferOrder(second.id)).toMatchObject({ outputQty: 2, billStatus: '2' });
    const lots = await testApp.db
      .selectFrom('icop_wip')
      .select(['waferLotId', 'waferIds', 'chipQty', 'remark'])
      .where('workOrderNo', 'in', [first.no, second.no])
      .orderBy('waferLotId')
      .execute();
    expect(lots).toEqual([
      { waferLotId: 'SHIP1', waferIds: '01,02,03', chipQty: 360, remark: 'box 1' },
      { waferLotId: 'SHIP2', waferIds: '01,02', chipQty: 180, remark: null },
      { waferLotId: 'SHIP3', waferIds: '01,02', chipQty: 240, remark: null },
    ]);
  });

  it('of a foundry bring nothing while a row is wrong, and each wrong row is told', async () => {
    const { id, no } = await wafers(4);
    const draft = testApp.send(orders.createWaferOrder, { ...head, waferPn: 'P1', waferQty: 1 }, planner);
    const draftNo = await numberOf('icop_wafer_work_order', String((await ok(draft)).id));
    const { lot } = await yard.foundryLot();
    const { data } = await bring(
      'icopWaferWorkOrder',
      shipping,
      [
        [no, 'BAD1', '01-02', null, null],
        [no, 'BAD1', '02-03', null, null],
        [no, 'BAD2', '01-03', null, null],
        [no, lot, '03', null, null],
        ['WO-NONE', 'BAD3', '01', null, null],
        [draftNo, 'BAD4', '01', null, null],
        [no, 'BAD5', '26', null, null],
        [null, 'BAD6', '01', null, null],
        [no, 'BAD7', '01', 0, null],
      ],
      'planner',
    );
    expect(data).toMatchObject({ rows: 9, bad: 8, imported: 0 });
    const told = Object.fromEntries((data.problems ?? []).map((it) => [it.row, it.msg]));
    expect(told[3]).toContain('BAD1 / 02');
    expect(told[4]).toContain('still to come');
    expect(told[5]).toContain(`${lot} / 03`);
    expect(told[6]).toContain('WO-NONE');
    expect(told[7]).toContain(draftNo);
    expect(told[8]).toContain('01-25');
    expect(told[9]).toContain('Work order');
    expect(told[10], 'dies that are said to be none are not those of the part').toMatch(/chips|dies/i);
    expect(await waferOrder(id)).toMatchObject({ outputQty: 0, billStatus: '1' });
  });

  it('of a supplier report wafers of several orders, each in the bank that its order fills', async () => {
    const [one, two] = [await yard.foundryLot(), await yard.foundryLot()];
    const [first, second] = [await yard.bumping(one.wipId, '2'), await yard.bumping(two.wipId, '1', ['01'])];
    const [firstNo, secondNo] = [
      await numberOf('icop_bumping_cp_work_order', first),
      await numberOf('icop_bumping_cp_work_order', second),
    ];
    const { code, data } = await bring(
      'icopBumpingCpWorkOrder',
      report,
      [
        [firstNo, one.lot, '01', 95, 5, '2647'],
        [firstNo, one.lot, '2', 100, 0, '2647'],
        [secondNo, two.lot, '01', 40, null, null],
      ],
      'planner',
    );
    expect({ code, data }).toMatchObject({ code: '000000', data: { rows: 3, bad: 0, imported: 3 } });
    expect(await yard.positions('icopBumpingCpWorkOrder', first)).toMatchObject([
      { piece: '01', outputQty: 95, lossQty: 5, leftQty: 0 },
      { piece: '02', outputQty: 100, leftQty: 0 },
      { piece: '03', leftQty: 100 },
    ]);
    const came = await testApp.db
      .selectFrom('icop_wip')
      .select(['stage', 'chipQty', 'dateCode'])
      .where('workOrderNo', 'in', [firstNo, secondNo])
      .orderBy('id')
      .execute();
    expect(came).toEqual([
      // What did not come back yet.
      { stage: '2', chipQty: 100, dateCode: null },
      { stage: '2', chipQty: 60, dateCode: null },
      { stage: '5', chipQty: 195, dateCode: '2647' },
      { stage: '3', chipQty: 40, dateCode: null },
    ]);
  });

  it('of a supplier report bins of groups that were tested', async () => {
    const { wipId, lot } = await yard.foundryLot();
    const ass = await yard.assembly([{ wipId, waferId: '01' }]);
    const assNo = await numberOf('icop_assembly_work_order', ass);
    const heads = ['Work order', 'Wafer lot', 'Good', 'bin3', 'Loss'];
    const wrong = await bring('icopAssemblyWorkOrder', heads, [[assNo, lot, 50, 10, 0]], 'planner');
    expect(wrong.data).toMatchObject({ bad: 1, problems: [{ msg: expect.stringContaining('bin3') as string }] });
    const made = await bring('icopAssemblyWorkOrder', heads, [[assNo, lot, 99, null, 1]], 'planner');
    expect(made.data).toMatchObject({ bad: 0, imported: 1 });
    const packed = await testApp.db
      .selectFrom('icop_wip')
      .select(['wipId', 'binG'])
      .where('workOrderNo', '=', assNo)
      .executeTakeFirstOrThrow();
    expect(packed.binG).toBe(99);

    const ft = await yard.finalTest('3', [{ wipId: packed.wipId, group: 1, bin: 'G' }]);
    const ftNo = await numberOf('icop_ft_work_order', ft);
    const bins = ['Work order', 'Group', 'bin1', 'bin2', 'Loss'];
    const bad = await bring(
      'icopFtWorkOrder',
      bins,
      [
        [ftNo, '1', 90, 5, 4],
        [ftNo, '1', 1, 0, 0],
        [ftNo, '2', 1, 0, 0],
      ],
      'planner',
    );
    expect(bad.data).toMatchObject({ bad: 2, imported: 0, problems: [{ row: 3 }, { row: 4 }] });
    const more = await bring('icopFtWorkOrder', bins, [[ftNo, '1', 90, 5, 5]], 'planner');
    expect(more.data.problems?.[0]?.msg).toContain('only 99 still in process');
    await bring('icopFtWorkOrder', bins, [[ftNo, '1', 90, 5, 4]], 'planner');
    const tested = await testApp.db
      .selectFrom('icop_wip')
      .select(['stage', 'bin1', 'bin2', 'chipQty'])
      .where('workOrderNo', '=', ftNo)
      .executeTakeFirstOrThrow();
    expect(tested).toEqual({ stage: 'B', bin1: 90, bin2: 5, chipQty: 95 });
  });

  it('name the WIP where an order has several lots of one name', async () => {
    const one = await yard.foundryLot();
    const two = await yard.foundryLot();
    await testApp.db.updateTable('icop_wip').set({ waferLotId: one.lot }).where('wipId', '=', two.wipId).execute();
    const id = await yard.assembly([
      { wipId: one.wipId, waferId: '01' },
      { wipId: two.wipId, waferId: '02' },
    ]);
    const no = await numberOf('icop_assembly_work_order', id);
    const heads = ['Work order', 'Wafer lot', 'WIP ID', 'Good'];
    const unclear = await bring('icopAssemblyWorkOrder', heads, [[no, one.lot, null, 10]], 'planner');
    expect(unclear.data).toMatchObject({ bad: 1, problems: [{ msg: expect.stringContaining('WIP ID') as string }] });
    const clear = await bring('icopAssemblyWorkOrder', heads, [[no, one.lot, two.wipId, 10]], 'planner');
    expect(clear.data).toMatchObject({ bad: 0, imported: 1 });
    expect((await yard.positions('icopAssemblyWorkOrder', id)).map((it) => it.outputQty)).toEqual([0, 10]);
    await testApp.db.updateTable('icop_wip').set({ waferLotId: two.lot }).where('wipId', '=', two.wipId).execute();
  });
});
