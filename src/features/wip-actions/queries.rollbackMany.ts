import { sql } from 'kysely';
import type { DataOf, InputOf } from '#domain/call.ts';
import { OperateStatus } from '#domain/enums.ts';
import { Refusal, type Problem } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import { isUnseen } from '#domain/signs.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import { seeRow } from '#server/engine/rowOf.ts';
import { sentenceOf } from '#server/sentences.ts';
import { holdBank } from '#server/workflow/bankLocks.ts';
import { orderTables } from '#server/workflow/workOrders.ts';
import { MOST_ENTRIES, type rollbackMany, type toRollBack } from './contract.ts';
import { mergeOf } from './queries.merge.ts';
import { mergedBy, tellFollows, undoAmong, type Follows } from './queries.rollback.ts';

type Entry = Awaited<ReturnType<typeof readEntries>>[number];

/**
 * Undoes several entries in one step, the newest first: all of them, or none with the one that stops it. What a merge did is
 * undone by any of its entries. A dry run does the same and takes it back. Rule: wafer-bank#rollback.
 */
export async function undoEntries(
  { ids, versions, remark, dryRun = false }: InputOf<typeof rollbackMany>,
  ctx: Context,
): Promise<DataOf<typeof rollbackMany>> {
  const seen = await readEntries(ctx, ids);
  const missing = ids.find((id) => !seen.some((it) => it.id === id));
  if (missing !== undefined) {
    const what = { zh: '在制事务', en: 'WIP transaction' };
    throw new Refusal({ key: 'notFound', field: 'ids', args: { what, value: String(missing) } });
  }
  if (!dryRun && isUnseen(remark ?? '')) {
    throw new Refusal({ key: 'required', field: 'remark', args: { fields: [{ zh: '备注', en: 'Remark' }] } });
  }
  const merges = [...new Set(seen.map(mergedBy).filter((it) => it !== null))];
  const parents: string[] = [];
  for (const it of merges) parents.push(...(await mergeOf(ctx, it)).map(({ wipId }) => wipId));
  const orders = [...new Set(seen.flatMap((it) => it.workOrderNo ?? []))];
  await holdBank(ctx, { orders, lots: [...seen.map((it) => it.wipId), ...merges, ...parents], isWhole: true });
  const entries = await readEntries(ctx, ids);
  const others = await ofOthers(ctx, entries);
  for (const it of entries) {
    if (others.has(it.id)) throw stopped(it, { key: 'otherOrder' }, ctx);
    if (!dryRun && versions?.[it.id] !== it.version) throw stopped(it, { key: 'stale' }, ctx);
    if (it.operateStatus === OperateStatus.Rollbacked) throw stopped(it, { key: 'rolledBack' }, ctx);
  }
  await sql`SAVEPOINT undo_entries`.execute(ctx.db);
  const follows: Follows = { lots: new Set(), orders: new Set() };
  for (const it of entries) await undoOne(it, remark?.trim() || '-', ctx, follows);
  await tellFollows(ctx, follows);
  await sql.raw(dryRun ? 'ROLLBACK TO SAVEPOINT undo_entries' : 'RELEASE SAVEPOINT undo_entries').execute(ctx.db);
  return { entries: entries.map(asTold) };
}

/** What stands of the order of an entry, or of its lot, the newest first: 200 entries at most. Rule: wafer-bank#rollback. */
export async function readStanding(
  { id }: InputOf<typeof toRollBack>,
  ctx: Context,
): Promise<DataOf<typeof toRollBack>> {
  const { workOrderNo, wipId } = await seeRow(ctx, 'icopTransaction', id);
  const [name, value] = workOrderNo ? (['workOrderNo', workOrderNo] as const) : (['wipId', wipId] as const);
  const entries = await selectEntries(ctx)
    .where(name, '=', String(value))
    .where('operateStatus', '=', OperateStatus.Normal)
    .limit(MOST_ENTRIES)
    .execute();
  return { entries: entries.map(asTold) };
}

const asTold = ({ waferId, bin, waferLotId, qty, workOrderNo, transactionType, id, version, wipId }: Entry) => ({
  ...{ id, version, wipId, waferLotId: waferLotId ?? '', piece: waferId ?? bin ?? '', qty: qty ?? 0 },
  ...{ workOrderNo: workOrderNo ?? '', transactionType: transactionType ?? '' },
});

/** An entry of a merge may have gone with another one that was undone before it. */
async function undoOne(entry: Entry, remark: string, ctx: Context, follows: Follows): Promise<void> {
  if (mergedBy(entry)) {
    const [now] = await readEntries(ctx, [entry.id]);
    if (now?.operateStatus === OperateStatus.Rollbacked) return;
  }
  try {
    await undoAmong({ id: String(entry.id), remark }, ctx, follows);
  } catch (error) {
    if (error instanceof Refusal) throw stopped(entry, error.problems[0], ctx);
    throw error;
  }
}

/** The entries of the user's sites, the newest first. */
const selectEntries = ({ db, currentUser }: Context) =>
  db
    .selectFrom('icop_transaction')
    .select(['id', 'version', 'wipId', 'waferLotId', 'waferId', 'bin', 'transactionType', 'qty', 'workOrderNo'])
    .select(['operateStatus', 'createBy', 'remark'])
    .where(inSites('siteId', currentUser))
    .orderBy('id', 'desc');

const readEntries = (ctx: Context, ids: readonly number[]) => selectEntries(ctx).where('id', '=', anyOf(ids)).execute();

/** Those that are neither of an order that the user made nor of a merge of his, unless he may roll back any. */
async function ofOthers({ db, currentUser }: Context, entries: readonly Entry[]): Promise<ReadonlySet<number>> {
  if (mayDo(currentUser.rights, 'icopTransaction:rollback')) return new Set();
  const numbers = entries.flatMap((it) => it.workOrderNo ?? []);
  const own = new Set<string>();
  for (const table of ['icop_wafer_work_order', ...Object.values(orderTables)]) {
    const { rows } = await sql<{ workOrderNo: string }>`
      SELECT "workOrderNo" FROM ${sql.table(table)}
       WHERE "workOrderNo" = ${anyOf(numbers)} AND "createBy" = ${currentUser.userId}`.execute(db);
    for (const it of rows) own.add(it.workOrderNo);
  }
  const isOwn = (it: Entry) => (it.workOrderNo ? own.has(it.workOrderNo) : it.createBy === currentUser.userId);
  return new Set(entries.filter((it) => !isOwn(it)).map((it) => it.id));
}

function stopped({ id, wipId, waferId, bin }: Entry, problem: Problem, { lang, model }: Context): Refusal {
  const what = `${id} (${[wipId, waferId ?? bin].filter(Boolean).join(' / ')})`;
  return new Refusal({ key: 'entryStops', field: 'ids', args: { what, why: sentenceOf(problem, lang, model) } });
}
