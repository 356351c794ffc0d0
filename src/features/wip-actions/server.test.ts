import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inProcessStages } from '#domain/wafer.ts';
import { anyOf } from '#server/db/conditions.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { chipParts, findChipFaults, good, ok, openYard } from '#tests/support/chips.ts';
import { bothAtOnce } from '#tests/support/faults.ts';
import { expectRefused } from '#tests/support/guard.ts';
import { isLockWaited } from '#tests/support/locks.ts';
import { merge, rollbackMany, toMerge, toRollBack } from './contract.ts';

let testApp: TestApp;
let yard: ReturnType<typeof openYard>;
const bumping = 'icopBumpingCpWorkOrder';
const planner = { as: 'planner' };
const admin = { as: 'admin' };

beforeAll(async () => {
  testApp = await startTestApp();
  await chipParts(testApp.db);
  yard = openYard(testApp);
});
afterAll(async () => {
  expect(await findChipFaults(testApp.db), 'every die is somewhere').toEqual([]);
  await testApp.close();
});

/** An order with three wafers, two of which came out; what stands of it, the oldest first. */
async function reported() {
  const { wipId } = await yard.foundryLot();
  const id = await yard.bumping(wipId);
  const positions = [good(`${wipId}/01`, 90, 10), good(`${wipId}/02`, 80)];
  const { wipIds } = await ok(yard.record(bumping, { id, positions }));
  return { wipId, id, out: wipIds[0] as string, entries: await entriesOf(id) };
}
const orderRow = (id: string) =>
  testApp.db
    .selectFrom('icop_bumping_cp_work_order')
    .selectAll()
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow();
const entriesOf = async (id: string) =>
  testApp.db
    .selectFrom('icop_transaction')
    .select(['id', 'version', 'transactionType', 'wipId'])
    .where('workOrderNo', '=', (await orderRow(id)).workOrderNo)
    .where('operateStatus', '=', 'Normal')
    .orderBy('id')
    .execute();
type Entries = Awaited<ReturnType<typeof entriesOf>>;
const versionsOf = (entries: Entries) => Object.fromEntries(entries.map((it) => [it.id, it.version]));
const undo = (entries: Entries, more: object = {}, asking: object = planner) =>
  testApp.send(
    rollbackMany,
    { ids: entries.map((it) => it.id), versions: versionsOf(entries), remark: 'mistyped', ...more },
    asking,
  );

describe('a merge', () => {
  it('takes lots as they were shown: one that changed since is named with what it held and holds', async () => {
    const { wipId, id, out } = await reported();
    const second = await ok(yard.record(bumping, { id, positions: [good(`${wipId}/03`, 70)] }));
    const other = second.wipIds[0] as string;
    const { items } = await ok(testApp.send(toMerge, { id: String((await yard.lotRow(out)).id) }, planner));
    const [shown] = items.filter((it) => it.wipId === other);
    const chosen = { wipIds: other, versions: String(shown?.version), chipQtys: String(shown?.chipQty) };
    const own = await yard.lotRow(out);
    const mergeShown = (more: object = {}) =>
      testApp.send(merge, { id: String(own.id), version: own.version, ...chosen, ...more }, planner);
    for (const name of ['versions', 'chipQtys'])
      expect((await expectRefused(testApp, '100001', () => mergeShown({ [name]: '' }))).msg).toContain(name);
    await ok(yard.record(bumping, { id, positions: [good(`${wipId}/03`, 20)] }));
    const refused = await expectRefused(testApp, '100025', () => mergeShown());
    expect(refused.msg).toMatch(new RegExp(`${other} .* 70 dies .* 90;`));
    expect(await yard.lotRow(other)).toMatchObject({ chipQty: 90 });
    await expectRefused(testApp, '100025', () => mergeShown({ version: own.version + 1 }));
    const now = await yard.lotRow(other);
    const other70 = await expectRefused(testApp, '100025', () => mergeShown({ versions: String(now.version) }));
    expect(other70.msg, 'the version of today and the dies of yesterday').toMatch(/ 70 dies .* 90;/);
    const merged = await ok(mergeShown({ versions: String(now.version), chipQtys: '90' }));
    expect(merged.chipQty).toBe(170 + 90);
  });
});

describe('a merge of what came back', () => {
  it('has each wafer as large as it was, in however many merges', async () => {
    const order = await yard.ordered(3);
    const [one, two] = [await yard.come(order, 'BACK', '01'), await yard.come(order, 'BACK', '02')];
    const take = (inputQty: number) => yard.assembly([{ wipId: one, waferId: '01', inputQty }]);
    const comesBack = (id: string) =>
      ok(testApp.ask('POST', '/api/icopAssemblyWorkOrder/editBillStatus.json', { id, billStatus: '4' }, planner));
    const mergeInto = async (of: string, other: string) =>
      (await ok(testApp.send(merge, { id: String((await yard.lotRow(of)).id), wipIds: other }, planner))).wipId;
    const [first, later] = [await take(40), await take(10)];
    const merged = await mergeInto(one, two);
    await comesBack(first);
    const again = await mergeInto(merged, one);
    await comesBack(later);
    const third = await mergeInto(again, one);
    const wafers = testApp.db.selectFrom('icop_wip_wafer').select(['waferId', 'chipQty', 'originalQty']);
    const rows = await wafers.where('wipId', '=', third).orderBy('waferId').execute();
    expect(rows).toEqual(['01', '02'].map((waferId) => ({ waferId, chipQty: 100, originalQty: 100 })));
  });
});

describe('several entries', () => {
  it('are undone at once, the newest first, and the order holds what it held before', async () => {
    const { wipId, id, out, entries } = await reported();
    const asked = { id: String(entries[0]?.id) };
    const standing = await ok(testApp.send(toRollBack, asked, planner));
    expect(standing.entries.map((it) => it.id)).toEqual(entries.map((it) => it.id).reverse());
    const shown = await ok(undo(entries, { dryRun: true, versions: undefined, remark: undefined }));
    expect(shown.entries.map((it) => it.id)).toEqual(entries.map((it) => it.id).reverse());
    expect(await entriesOf(id)).toEqual(entries);
    await ok(undo(entries));
    expect(await entriesOf(id)).toEqual([]);
    expect(await orderRow(id)).toMatchObject({ billStatus: '1', chipQty: 0, outputQty: 0, lossQty: 0 });
    expect(await yard.lotRow(wipId)).toMatchObject({ chipQty: 300, waferIds: '01,02,03' });
    expect(await yard.lotRow(out)).toMatchObject({ chipQty: 0 });
  });

  it('are undone all of them or none: the one that stops it is named, and why', async () => {
    const { wipId, entries } = await reported();
    const taken = entries.filter((it) => it.transactionType === 'RESERVE');
    const [last] = taken.slice(-1);
    const refused = await expectRefused(testApp, '100025', () => undo(taken));
    expect(refused.msg).toContain(`${last?.id} (${wipId} / 03): Something was done after`);
    await expectRefused(testApp, '100002', () => undo([...taken, { ...(last as Entries[number]), id: 987_654 }]));
    await expectRefused(testApp, '100001', () => undo(entries, { remark: ' ' }));
  });

  it('have what follows told once: a row in process changes with the last of them, and one that has no part in it never', async () => {
    const [first, second] = [await yard.foundryLot(), await yard.foundryLot()];
    const waferList = [first, second].flatMap(({ wipId }) => ['01', '02', '03'].map((waferId) => ({ wipId, waferId })));
    const id = await yard.sent(bumping, yard.bumpingOfWafers(waferList));
    const inProcess = async () => {
      const rows = await testApp.db
        .selectFrom('icop_wip')
        .select(['parentWipIds', 'version', 'chipQty'])
        .where('workOrderNo', '=', (await orderRow(id)).workOrderNo)
        .where('stage', '=', anyOf(inProcessStages))
        .execute();
      return Object.fromEntries(rows.map((it) => [it.parentWipIds, it]));
    };
    const sent = await inProcess();
    const positions = [good(`${first.wipId}/01`, 90), good(`${first.wipId}/02`, 80)];
    await ok(yard.record(bumping, { id, positions }));
    const reportedRows = await inProcess();
    expect(reportedRows[first.wipId]?.chipQty).toBe(130);
    expect(reportedRows[second.wipId]).toEqual(sent[second.wipId]);
    const out = (await entriesOf(id)).filter((it) => it.transactionType === 'OUTPUT');
    expect(out).toHaveLength(2);
    await ok(undo(out));
    const version = Number(reportedRows[first.wipId]?.version) + 1;
    expect(await inProcess()).toMatchObject({
      [first.wipId]: { chipQty: 300, version },
      [second.wipId]: sent[second.wipId],
    });
  });

  it('are no more than may be undone at once, which is said', async () => {
    const ids = Array.from({ length: 201 }, (_, i) => i + 1);
    const refused = await expectRefused(testApp, '100015', () =>
      testApp.send(rollbackMany, { ids, remark: 'mistyped' }, planner),
    );
    expect(refused.msg).toBe('ids: at most 200 entries at once');
  });

  it('go as they were shown, and once', async () => {
    const { entries } = await reported();
    const other = Object.fromEntries(entries.map((it) => [it.id, it.version + 1]));
    for (const versions of [other, undefined]) {
      expect((await expectRefused(testApp, '100025', () => undo(entries, { versions }))).msg).toContain('changed');
    }
    await ok(undo(entries));
    const again = await expectRefused(testApp, '100025', () => undo(entries, { versions: undefined, dryRun: true }));
    expect(again.msg).toContain('has been rolled back');
  });

  it('undo a merge once, whichever of its entries are among them', async () => {
    const { wipId } = await yard.foundryLot();
    const id = await yard.bumping(wipId);
    const report = async (wafer: string) =>
      (await ok(yard.record(bumping, { id, positions: [good(`${wipId}/${wafer}`, 90)] }))).wipIds[0] as string;
    const [one, two] = [await report('01'), await report('02')];
    const merged = await ok(testApp.send(merge, { id: String((await yard.lotRow(one)).id), wipIds: two }, planner));
    const entries = await testApp.db
      .selectFrom('icop_transaction')
      .select(['id', 'version', 'transactionType', 'wipId'])
      .where('wipId', 'in', [one, two, merged.wipId])
      .execute();
    expect(entries.map((it) => it.transactionType).sort()).toEqual(['ADJUST', 'ADJUST', 'IN', 'OUTPUT', 'OUTPUT']);
    await ok(undo(entries));
    for (const it of [one, two, merged.wipId]) expect(await yard.lotRow(it)).toMatchObject({ chipQty: 0 });
  });

  it('are undone by planners in their own orders, by an administrator in any', async () => {
    await expectRefused(testApp, '401', () => undo([], { ids: [1] }, {}));
    for (const as of ['office', 'viewer']) await expectRefused(testApp, '100013', () => undo([], { ids: [1] }, { as }));
    const { id, entries } = await reported();
    await testApp.db
      .updateTable('icop_bumping_cp_work_order')
      .set({ createBy: 'somebody' })
      .where('id', '=', Number(id))
      .execute();
    const refused = await expectRefused(testApp, '100025', () => undo(entries));
    expect(refused.msg).toContain('your own orders');
    await ok(undo(entries, {}, admin));
  });

  it('of one order are undone by one of two who want it at the same moment', async () => {
    const { entries } = await reported();
    const [one, two] = await bothAtOnce(
      () => isLockWaited(testApp.db),
      () => undo(entries),
      () => undo(entries, {}, admin),
    );
    expect([one.code, two.code]).toEqual(['000000', '100025']);
  });
});
