import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { chipParts, findChipFaults, good, ok, openYard, bumpingHead, packingHead } from '#tests/support/chips.ts';
import { bothAtOnce } from '#tests/support/faults.ts';
import { expectRefused } from '#tests/support/guard.ts';
import { isLockWaited } from '#tests/support/locks.ts';
import * as calls from './contract.ts';

let testApp: TestApp;
let yard: ReturnType<typeof openYard>;
const planner = { as: 'planner' };
const bumping = 'icopBumpingCpWorkOrder';

beforeAll(async () => {
  testApp = await startTestApp();
  await chipParts(testApp.db);
  yard = openYard(testApp);
});
afterAll(async () => {
  expect(await findChipFaults(testApp.db), 'every die is somewhere').toEqual([]);
  await testApp.close();
});

let wipId: string;
beforeEach(async () => {
  ({ wipId } = await yard.foundryLot());
});

const tables = {
  icopBumpingCpWorkOrder: 'icop_bumping_cp_work_order',
  icopAssemblyWorkOrder: 'icop_assembly_work_order',
  icopFtWorkOrder: 'icop_ft_work_order',
} as const;
const orderRow = (id: string, module: keyof typeof tables = bumping) =>
  testApp.db.selectFrom(tables[module]).selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow();
const linesOf = async (id: string) =>
  testApp.db
    .selectFrom('icop_bumping_cp_work_order_line')
    .select(['wipId', 'waferIds', 'waferQty', 'chipQty', 'remark'])
    .where('workOrderNo', '=', (await orderRow(id)).workOrderNo ?? '')
    .orderBy('id')
    .execute();
const entries = () =>
  testApp.db
    .selectFrom('icop_transaction')
    .select(['id', 'transactionType', 'waferId', 'qty', 'operateStatus'])
    .where('wipId', '=', wipId)
    .where('transactionType', '<>', 'IN')
    .orderBy('id')
    .execute();
/** An order of wafers 01 and 02. */
const draft = async () => String((await ok(yard.bumpingOf(wipId, '1', ['01', '02']))).id);
const pick = (waferId: string, inputQty = 100, more: object = {}) => ({ wipId, waferId, inputQty, ...more });
const modify = (id: string, waferList: ReturnType<typeof pick>[], more: object = {}, asking: object = planner) =>
  testApp.send(calls.modifyBumpingCpLines, { id, waferList, ...more }, asking);

describe('a draft', () => {
  it('holds what it is changed to; what stays the same is not touched in the history of its lot', async () => {
    const id = await draft();
    const before = await entries();
    await ok(modify(id, [pick('01', 100, { remark: 'first' }), pick('03', 40)]));
    expect(await linesOf(id)).toEqual([{ wipId, waferIds: '01,03', waferQty: 2, chipQty: 140, remark: 'first' }]);
    expect(await orderRow(id)).toMatchObject({ waferQty: 2, chipQty: 140 });
    expect(await yard.lotRow(wipId)).toMatchObject({ chipQty: 160, waferIds: '02,03', waferQty: 2, inputQty: 140 });
    const stands = (await entries()).filter((it) => it.operateStatus === 'Normal');
    expect(stands.map((it) => [it.waferId, it.qty])).toEqual([
      ['01', 100],
      ['03', 40],
    ]);
    expect(stands[0]?.id).toBe(before[0]?.id);
  });

  it('takes more of what it has, up to all that there is, and 0 is all of it', async () => {
    const id = String(
      (
        await ok(
          testApp.send(
            calls.createBumpingCpOrder,
            { ...bumpingHead, processType: '1', waferPn: 'P1', waferList: [pick('01', 30)] },
            planner,
          ),
        )
      ).id,
    );
    await ok(modify(id, [pick('01', 70)]));
    expect(await orderRow(id)).toMatchObject({ chipQty: 70 });
    const gone = await expectRefused(testApp, '100042', () => modify(id, [pick('01', 101)]));
    expect(gone.msg).toContain('/ 01');
    await ok(modify(id, [pick('01', 0)]));
    expect(await orderRow(id)).toMatchObject({ chipQty: 100 });
  });

  it('is refused by the rules of a new order: none, a wafer twice, another part', async () => {
    const id = await draft();
    await expectRefused(testApp, '100001', () => modify(id, []));
    await expectRefused(testApp, '100015', () => modify(id, [pick('01'), pick('01')]));
    await expectRefused(testApp, '100042', () => modify(id, [{ ...pick('01'), wipId: 'NONE' }]));
  });

  it('is not changed where its device is made of other wafers by now', async () => {
    const input = { ...packingHead, processType: '1', waferPn: 'P1', devicePn: 'D1', waferList: [pick('01', 60)] };
    const { id } = await ok(testApp.send(calls.createAssemblyOrder, input, planner));
    const change = () =>
      testApp.send(calls.modifyAssemblyLines, { id: String(id), waferList: [pick('01', 50)] }, planner);
    const isMadeOf = (waferPn: string) =>
      testApp.db.updateTable('icop_part_number_line').set({ waferPn }).where('devicePn', '=', 'D1').execute();
    await testApp.db.insertInto('icop_part_number').values({ waferPn: 'P2', waferMpn: 'M-P2', status: '1' }).execute();
    await isMadeOf('P2');
    const refusal = await expectRefused(testApp, '100015', change);
    expect(refusal.msg).toContain('P2');
    await isMadeOf('P1');
    await ok(change());
  });

  it('is changed by whoever has the button, and no more once it was sent', async () => {
    const id = await draft();
    for (const as of ['office', 'viewer'])
      await expectRefused(testApp, '100013', () => modify(id, [pick('01')], {}, { as }));
    const read = () => testApp.send(calls.toModifyLines(bumping), { id }, planner);
    await ok(read());
    await yard.send(bumping, id);
    for (const call of [() => modify(id, [pick('01')]), read]) {
      expect((await expectRefused(testApp, '100025', call)).msg).toContain('Draft');
    }
  });

  it('is told as it stands, with its lots as they would lie there without it', async () => {
    const id = String(
      (
        await ok(
          testApp.send(
            calls.createBumpingCpOrder,
            {
              ...bumpingHead,
              processType: '1',
              waferPn: 'P1',
              waferList: [pick('01', 30, { remark: 'thin' }), pick('02', 0)],
            },
            planner,
          ),
        )
      ).id,
    );
    const { lots, lines, suppliers } = await ok(testApp.send(calls.toModifyLines(bumping), { id }, planner));
    const said = { wipId, group: null, ftTestProgram: '', originPlace: '', remark: 'thin' };
    expect(lines).toEqual([
      { ...said, piece: '01', inputQty: 30 },
      { ...said, piece: '02', inputQty: 100 },
    ]);
    const waferList = ['01', '02', '03'].map((waferId) => ({ waferId, chipQty: 100 }));
    expect(lots).toMatchObject([{ wipId, chipQty: 300, waferList }]);
    expect(suppliers.map((it) => it.value)).toContain(bumpingHead.supplierId);
  });

  it('of an assembly says anew how its wafers were split', async () => {
    const { id } = await ok(
      testApp.send(
        calls.createAssemblyOrder,
        { ...packingHead, processType: '1', waferPn: 'P1', devicePn: 'D1', line1: 'MARK', waferList: [pick('01', 60)] },
        planner,
      ),
    );
    await ok(
      testApp.send(calls.modifyAssemblyLines, { id: String(id), waferList: [pick('01', 60), pick('02', 25)] }, planner),
    );
    const lines = testApp.db
      .selectFrom('icop_assembly_work_order_line')
      .select(['waferIds', 'dieQty', 'splitList', 'line1', 'devicePn'])
      .where('workOrderNo', '=', (await orderRow(String(id), 'icopAssemblyWorkOrder')).workOrderNo ?? '');
    const split = [
      { waferId: '01', inputQty: 60, remainQty: 40 },
      { waferId: '02', inputQty: 25, remainQty: 75 },
    ];
    expect(await lines.execute()).toEqual([
      { waferIds: '01,02', dieQty: 85, splitList: split, line1: 'MARK', devicePn: 'D1' },
    ]);
  });

  it('of a final test holds other bins and groups', async () => {
    const packing = await yard.assembly([{ wipId, waferId: '01' }]);
    const [device = ''] = (
      await ok(yard.record('icopAssemblyWorkOrder', { id: packing, positions: [good(wipId, 100, 0, 'G')] }))
    ).wipIds;
    const { id } = await ok(yard.finalTestOf('1', [{ wipId: device, group: 1, bin: 'G', chipQty: 40 }]));
    const line = { wipId: device, group: 1, bin: 'G', ftTestProgram: 'NEW', chipQty: 55, originPlace: 'Suzhou' };
    const send = (list: object[]) =>
      testApp.send(calls.modifyFtLines, { id: String(id), ftWorkOrderLineGroupList: list as never }, planner);
    await ok(send([line]));
    expect(await orderRow(String(id), 'icopFtWorkOrder')).toMatchObject({ chipQty: 55, groupQty: 1 });
    expect(await yard.lotRow(device)).toMatchObject({ chipQty: 45, binG: 45 });
    await expectRefused(testApp, '100001', () => send([{ ...line, ftTestProgram: '' }]));
    const { lines } = await ok(testApp.send(calls.toModifyLines('icopFtWorkOrder'), { id: String(id) }, planner));
    expect(lines).toMatchObject([{ piece: 'G', inputQty: 55, group: 1, ftTestProgram: 'NEW', originPlace: 'Suzhou' }]);
  });
});

describe('another supplier', () => {
  it('is refused while the order holds something, unless it was confirmed that all of it goes back', async () => {
    const id = await draft();
    const to = { supplierId: 'S2' };
    const refused = await expectRefused(testApp, '100025', () => modify(id, [], to));
    expect(refused.msg).toContain('(2)');
    await expectRefused(testApp, '100025', () => modify(id, [pick('01'), pick('02')], to));
    expect(await yard.lotRow(wipId)).toMatchObject({ chipQty: 100 });
    await ok(modify(id, [], { ...to, linesGo: true }));
    expect(await orderRow(id)).toMatchObject({ supplierId: 'S2', chipQty: 0, waferQty: 0 });
    expect(await linesOf(id)).toEqual([]);
    expect(await yard.lotRow(wipId)).toMatchObject({ chipQty: 300, waferIds: '01,02,03' });
    // Nothing of it stands in the history of the lot.
    await ok(yard.undo(wipId));
    await expectRefused(testApp, '100001', () =>
      testApp.ask('GET', `/api/${bumping}/sendSwitch.json`, { id }, planner),
    );
  });

  it('takes other wafers in the same step', async () => {
    const id = await draft();
    await ok(modify(id, [pick('03')], { supplierId: 'S2', linesGo: true }));
    expect(await orderRow(id)).toMatchObject({ supplierId: 'S2', chipQty: 100 });
    expect(await yard.lotRow(wipId)).toMatchObject({ waferIds: '01,02' });
  });

  it('takes the same wafers anew: all that was held for the first one goes back', async () => {
    const id = await draft();
    const held = (await entries()).map((it) => it.id);
    await ok(modify(id, [pick('01'), pick('02')], { supplierId: 'S2', linesGo: true }));
    expect(await orderRow(id)).toMatchObject({ supplierId: 'S2', chipQty: 200 });
    const reserved = (await entries()).filter(
      (it) => it.transactionType === 'RESERVE' && it.operateStatus === 'Normal' && !held.includes(it.id),
    );
    expect(reserved.map((it) => it.waferId)).toEqual(['01', '02']);
  });

  it('is one that there is', async () => {
    const id = await draft();
    await expectRefused(testApp, '100002', () => modify(id, [], { supplierId: 'NOBODY', linesGo: true }));
  });
});

describe('two planners at once', () => {
  const together = (id: string, one: object, other: object) => {
    const ask = (as: string, more: { waferList?: ReturnType<typeof pick>[] }) => () =>
      testApp.send(calls.modifyBumpingCpLines, { id, version: 1, waferList: [], ...more }, { as });
    return bothAtOnce(() => isLockWaited(testApp.db), ask('planner', one), ask('admin', other));
  };

  it('change one draft: the second is told that it was changed', async () => {
    const id = await draft();
    const [one, two] = await together(id, { supplierId: 'S2', linesGo: true }, { waferList: [pick('03')] });
    expect([one.code, two.code]).toEqual(['000000', '100025']);
    expect(await orderRow(id)).toMatchObject({ supplierId: 'S2', chipQty: 0 });
  });

  it('want one wafer for two drafts: one of them gets it', async () => {
    const [first, second] = [
      await draft(),
      String((await ok(yard.bumpingOf((await yard.foundryLot()).wipId, '1', ['01']))).id),
    ];
    const answers = await bothAtOnce(
      () => isLockWaited(testApp.db),
      () => modify(first, [pick('03')]),
      () => modify(second, [pick('03')], {}, { as: 'admin' }),
    );
    expect(answers.map((it) => it.code)).toEqual(['000000', '100042']);
  });
});
