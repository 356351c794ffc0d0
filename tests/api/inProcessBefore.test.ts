import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inProcessStages } from '#domain/wafer.ts';
import * as orders from '#features/work-orders/contract.ts';
import { anyOf } from '#server/db/conditions.ts';
import { ROOT } from '#server/root.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { chipParts, good, ok, openYard, bumpingHead, packingHead } from '#tests/support/chips.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await testApp.openToken('planner');
  await chipParts(testApp.db);
});
afterAll(() => testApp.close());

/** What is in process, without what each telling has of its own. */
async function readInProcess() {
  const rows = await testApp.db
    .selectFrom('icop_wip')
    .selectAll()
    .where('stage', '=', anyOf(inProcessStages))
    .orderBy('workOrderNo')
    .execute();
  return rows.map(({ id: _id, wipId: _no, version: _version, createTime: _created, inTime: _in, ...it }) => ({
    ...it,
    ...{ updateBy: null, updateTime: null },
  }));
}

it('what was out before is told as what goes out now, with what its order and line say', async () => {
  const { db } = testApp;
  const yard = openYard(testApp);
  const planner = { as: 'planner' };
  const { wipId: wafers } = await yard.foundryLot();
  const waferList = ['01', '02', '03'].map((waferId) => ({ wipId: wafers, waferId }));
  const of = { ...bumpingHead, waferPn: 'P1', waferList };
  const cp = testApp.send(orders.createBumpingCpOrder, { ...of, processType: '3', cpTestProgram: 'CP-7' }, planner);
  const tested = await yard.sent('icopBumpingCpWorkOrder', cp);
  const positions = [good(`${wafers}/01`, 90, 10), good(`${wafers}/02`, 95), good(`${wafers}/03`, 80)];
  const [lot = ''] = (await ok(yard.record('icopBumpingCpWorkOrder', { id: tested, positions }))).wipIds;
  const assemblyOf = { ...packingHead, processType: '1', waferPn: 'P1', devicePn: 'D1' };
  const order = testApp.send(
    orders.createAssemblyOrder,
    { ...assemblyOf, packageType: 'BGA', waferList: [{ wipId: lot, waferId: '01' }] },
    planner,
  );
  const id = String((await ok(order)).id);
  await db.updateTable('icop_assembly_work_order_line').set({ packageType: null, erpCode: 'ERP-L' }).execute();
  await yard.send('icopAssemblyWorkOrder', id);
  const assembled = [good(lot, 50, 0, 'G')];
  const [part = ''] = (await ok(yard.record('icopAssemblyWorkOrder', { id, positions: assembled }))).wipIds;
  await yard.finalTest('1', [{ wipId: part, group: 1, bin: 'G' }]);
  await yard.assembly(['02', '03'].map((waferId) => ({ wipId: lot, waferId })));

  const told = await readInProcess();
  expect(told).toMatchObject([
    { stage: '6', packageType: 'BGA', deviceErpCode: 'ERP-L' },
    { stage: '6', packageType: 'QFN' },
    { stage: '4', cpTestProgram: 'CP-7' },
    { stage: '8', packageType: 'BGA' },
  ]);
  await db.deleteFrom('icop_wip').where('stage', '=', anyOf(inProcessStages)).execute();
  for (const it of ['0048_in_process', '0051_lots_of_bins'])
    await sql.raw(readFileSync(join(ROOT, `src/server/db/migrations/${it}.sql`), 'utf8')).execute(db);
  expect(await readInProcess()).toEqual(told);
});
