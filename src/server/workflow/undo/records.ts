import { sql } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { touch, touchSql } from '#server/touch.ts';
import { moveUnits, NO_WAREHOUSE, rolledBackSql } from '#server/workflow/moves.ts';
import { shelve } from '#server/workflow/placing.ts';
import { lockUnits } from '#server/workflow/unitLocks.ts';
import type { Unit } from '#server/workflow/units.ts';
import type { RecordedStep } from './step.ts';

/** A station's bill and its lines, and the number that both share. */
export interface StationRecord {
  head: string;
  lines: string;
  by: string;
}

/** Takes these SNs off a station's bill, and the bill with its last one; statistics count only what still stands. */
export async function takeOffRecord(
  { db }: Context,
  { head, lines, by }: StationRecord,
  billId: string | null,
  sns: readonly string[] | 'all',
): Promise<Record<string, unknown>[]> {
  const which = sns === 'all' ? sql`` : sql`AND sn = ANY(${sns})`;
  const { rows } = await sql<Record<string, unknown>>`
    DELETE FROM ${sql.table(lines)} WHERE ${sql.ref(by)} = ${billId} ${which} RETURNING *`.execute(db);
  await sql`
    DELETE FROM ${sql.table(head)} AS b WHERE ${sql.ref(`b.${by}`)} = ${billId}
       AND NOT EXISTS (SELECT 1 FROM ${sql.table(lines)} AS l WHERE ${sql.ref(`l.${by}`)} = ${billId})`.execute(db);
  return rows;
}

/** The unit goes back to where the step took it from, and lies there as before; the history says so, with the reason. */
export async function moveBack(ctx: Context, step: RecordedStep, unit: Unit, remark: string): Promise<void> {
  await moveUnits(
    ctx,
    [{ unit: { ...unit, mtbId: step.mtbId, mtbliId: step.mtbliId }, to: step.fromNode, note: remark }],
    'rollback',
    step.billId,
  );
  await restoreLocation(ctx, step);
}

/** The unit lies in the warehouse in which it lay before the step, or, of a step that did not keep it, where its node says. */
export async function restoreLocation(ctx: Context, step: RecordedStep): Promise<void> {
  const { sn, fromNode, fromSubinventoryCode, fromStorageType } = step;
  if (fromSubinventoryCode === null) return shelve(ctx, [sn], fromNode);
  const location = {
    subinventoryCode: fromSubinventoryCode === NO_WAREHOUSE ? null : fromSubinventoryCode,
    storageType: fromStorageType,
  };
  await ctx.db.updateTable('rma_inventory').set(location).where('sn', '=', sn).execute();
}

/** What the ledger has of how things were before a step, in the row of its bill. */
export async function beforeStep(
  { db }: Context,
  { module, what, recordId }: { module: string; what: string; recordId: string | null },
): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom('ledger')
    .select('before')
    .where('module', '=', module)
    .where('recordId', '=', recordId)
    .where('what', '=', what)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row?.before ?? {}) as Record<string, unknown>;
}

/** There is no way back of the step. */
export const notUndoable = (step: string): Refusal =>
  new Refusal({ key: 'notUndoable', field: 'id', args: { step: { options: 'workflowSteps', value: step } } });

/** Something that the step touched has gone on: that has to be rolled back first. */
export const laterFirst = (step: string): Refusal =>
  new Refusal({ key: 'laterFirst', field: 'id', args: { step: { options: 'workflowSteps', value: step } } });

export const now = ({ currentUser }: Context) => touch(currentUser);

/** The unit as it is after what was written of it. */
export const unitNow = async ({ db }: Context, unit: Unit): Promise<Unit> =>
  (await lockUnits(db, [unit.sn])).get(unit.sn) ?? unit;

/** The latest step of an SN that still stands. */
export async function latestStep({ db }: Context, sn: string) {
  return db
    .selectFrom('rma_transaction')
    .select(['id', 'step', 'mtbId', 'siteId', 'toNode'])
    .where('sn', '=', sn)
    .where('operateStatus', '=', OperateStatus.Normal)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * The step is rolled back from now on, and its bill shows that it was the latest thing done. Rule: units#latest-step.
 */
export async function markRolledBack(
  { db, currentUser }: Context,
  { id, mtbId }: Pick<RecordedStep, 'id' | 'mtbId'>,
): Promise<void> {
  await sql`UPDATE rma_transaction SET ${rolledBackSql}, ${touchSql(currentUser)} WHERE id = ${id}`.execute(db);
  if (mtbId) {
    await db
      .updateTable('rma_maintain_bill')
      .set({ operateStatus: OperateStatus.Rollbacked, ...touch(currentUser) })
      .where('mtbId', '=', mtbId)
      .execute();
  }
}
