import { sql, type RawBuilder } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import type { Node } from '#domain/nodes.ts';
import { Refusal } from '#domain/refusal.ts';
import { findEvent, type UnitAction, type HistoryStep, type Outcome } from '#domain/workflow.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { insertAll } from '#server/db/rows.ts';
import { touch } from '#server/touch.ts';
import type { Unit } from '#server/workflow/units.ts';

export interface Move {
  unit: Pick<Unit, 'sn' | 'mtbId' | 'mtbliId' | 'ivyId'> & Partial<Pick<Unit, 'siteId'>>;
  /** Null takes the unit out of the workshop again, when its receipt is undone. */
  to: Node | null;
  note?: string;
  /** The site that the unit leaves, where it changes its site. */
  fromSiteId?: string | null;
  /** Where a unit came from that leaves there only now, as all between is rolled back: the return that says so stands. */
  cameFrom?: Node;
  /** Where it lay, when the caller has moved it to another warehouse already. */
  location?: StorageLocation | null;
}

/** In which warehouse a unit lies, and as what; on its way through the workshop in none. */
interface StorageLocation {
  subinventoryCode: string | null;
  storageType: string | null;
}

/** Where these units lie now. */
export async function readLocations({ db }: Context, sns: readonly string[]): Promise<Map<string, StorageLocation>> {
  const rows = await db
    .selectFrom('rma_inventory')
    .select(['sn', 'subinventoryCode', 'storageType'])
    .where('sn', '=', anyOf(sns))
    .execute();
  return new Map(rows.map(({ sn, ...location }) => [sn, location]));
}

/** How the history says that a unit lay in no warehouse; nothing at all means that it was not kept. */
export const NO_WAREHOUSE = '-';

/** What the history keeps of where a unit lay before a step. */
const locationColumns = (location: StorageLocation | null | undefined) => ({
  fromSubinventoryCode: location?.subinventoryCode ?? NO_WAREHOUSE,
  fromStorageType: location?.storageType ?? null,
});

/** Where a guarded unit goes when the step ends so. */
export function createMove(
  unit: Unit,
  step: UnitAction,
  outcome: Outcome = 'done',
  note?: string,
): Move & { to: Node } {
  const event = findEvent(step, outcome, unit.ivyId, unit.type);
  if (!event) throw new Error(`no event of ${step}/${outcome} for type ${unit.type} at node ${unit.ivyId}`);
  return { unit, to: event.to, ...(note && { note }) };
}

/**
 * Moves units, each only from where it was guarded, and writes each one's line of history. A row that is no longer
 * where it was expected, or for which a bill speaks, refuses the whole submit. Rule: units#moving.
 */
export async function moveUnits(
  ctx: Context,
  moves: readonly Move[],
  step: HistoryStep,
  billId: string | null,
): Promise<void> {
  const groups = groupBy(moves, (it) => `${it.unit.ivyId} ${it.to}`);
  for (const group of groups.values()) {
    const { unit, to } = group[0] as Move;
    const { numUpdatedRows } = await ctx.db
      .updateTable('rma_inventory')
      .set({
        ivyId: to,
        ...touch(ctx.currentUser),
      })
      .where('sn', '=', anyOf(group.map((it) => it.unit.sn)))
      .where('ivyId', unit.ivyId === null ? 'is' : '=', unit.ivyId)
      // The guard has asked; whoever forgets to is refused here.
      .where('holdKind', 'is', null)
      .executeTakeFirstOrThrow();
    if (Number(numUpdatedRows) !== group.length) throw new Refusal({ key: 'stale' });
  }
  await recordEvents(ctx, moves, step, billId);
}

/**
 * The SN history: one row for each unit and event; a rollback's own row is rolled back from the start, so that a repeat
 * is recognised, but for a return that brings scrap into the workshop. Rule: units#history, events#e30.
 */
export async function recordEvents(
  ctx: Context,
  moves: readonly Move[],
  step: HistoryStep,
  billId: string | null,
): Promise<void> {
  if (moves.length === 0) return;
  const unknown = moves.filter((it) => it.location === undefined).map((it) => it.unit.sn);
  const locations = unknown.length > 0 ? await readLocations(ctx, unknown) : new Map<string, StorageLocation>();
  const rows = moves.map(({ unit, to, note, fromSiteId, cameFrom, location }) => ({
    sn: unit.sn,
    mtbId: unit.mtbId,
    mtbliId: unit.mtbliId,
    siteId: ctx.currentUser.siteId,
    step,
    billId,
    fromNode: cameFrom ?? unit.ivyId,
    toNode: to,
    ...locationColumns(location ?? locations.get(unit.sn)),
    operateStatus: isUndoing(step) && !cameFrom ? OperateStatus.Rollbacked : OperateStatus.Normal,
    eventTime: sql<string>`now()`,
    userId: ctx.currentUser.userId,
    note: note ?? null,
    ...(fromSiteId && { fromSiteId }),
    createBy: ctx.currentUser.userId,
  }));
  await insertAll(rows, (some) => ctx.db.insertInto('rma_transaction').values(some));
  if (!isUndoing(step)) await showNormal(ctx, moves);
}

/**
 * In SQL: the check or repair of this bill does not stand: its unit was returned to its first test since, and the record is
 * kept. Rule: events#e30.
 */
export const isReturned = (step: 'check' | 'repair', billId: RawBuilder<unknown>): RawBuilder<boolean> => sql`
  EXISTS (SELECT 1 FROM rma_transaction AS gone
           WHERE gone."billId" = ${billId} AND gone.step = ${sql.lit(step)}
             AND gone."operateStatus" = ${sql.lit(OperateStatus.Rollbacked)})`;

/** A step does not stand from now on; when, so that reports can be asked as of before. For an `UPDATE`. Rule: reports#as-of. */
export const rolledBackSql = sql`"operateStatus" = ${sql.lit(OperateStatus.Rollbacked)}, "rolledBackTime" = now()`;

/** These steps take back what was done before them. */
export const isUndoing = (step: HistoryStep): boolean => step === 'rollback' || step === 'returnToCheck';

/** A bill shows whether its latest step was rolled back; from now on it was not. Rule: units#latest-step. */
async function showNormal({ db }: Context, moves: readonly Move[]): Promise<void> {
  const mtbIds = [...new Set(moves.flatMap((it) => it.unit.mtbId ?? []))];
  if (mtbIds.length === 0) return;
  await db
    .updateTable('rma_maintain_bill')
    .set({ operateStatus: OperateStatus.Normal })
    .where('mtbId', '=', anyOf(mtbIds))
    .where('operateStatus', '=', OperateStatus.Rollbacked)
    .execute();
}
