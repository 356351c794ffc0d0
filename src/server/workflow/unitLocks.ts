import { sql, type Kysely } from 'kysely';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { validateUnit, type Step } from '#domain/workflow.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import type { Tables } from '#server/db/tables.ts';
import { refuseFormer } from '#server/workflow/names.ts';
import { readUnits, type Unit } from '#server/workflow/units.ts';

type Db = Kysely<Tables>;

/**
 * Locks the units of a submit and lets them through the general guard; all or nothing. The bills, and `bills` besides
 * theirs, come first when their counts will change, so that submits on one bill follow one another. `besides` are held
 * with the units and not judged: the parts that go into a device or out of it. Rule: guard#order.
 */
export async function guardUnits(
  ctx: Context,
  sns: readonly string[],
  step: Exclude<Step, 'receive'>,
  options: {
    fieldOf?: (i: number) => string;
    withBills?: boolean;
    bills?: readonly string[];
    besides?: readonly string[];
  } = {},
): Promise<Unit[]> {
  const { fieldOf = () => 'sn', withBills = false, bills = [], besides = [] } = options;
  const locked = withBills ? await lockUnitBills(ctx.db, sns, bills) : null;
  const units = await lockUnits(ctx.db, [...sns, ...besides]);
  const unknown = sns.filter((it) => !units.has(it));
  await refuseFormer(ctx, unknown, (sn) => fieldOf(sns.indexOf(sn)));
  refuseIfAny(sns.flatMap((sn, i) => validateUnit(sn, units.get(sn), step, ctx.currentUser.siteId, fieldOf(i))));
  const found = sns.map((sn) => units.get(sn) as Unit);
  if (locked) refuseMoved(found, locked);
  return found;
}

/** Locks units, their bills and `besides` before them; refuses it where one has gone to another bill meanwhile. */
export async function holdUnits(
  db: Db,
  sns: readonly string[],
  besides: readonly string[] = [],
): Promise<Map<string, Unit>> {
  const locked = await lockUnitBills(db, sns, besides);
  const units = await lockUnits(db, sns);
  refuseMoved([...units.values()], locked);
  return units;
}

/** A unit is on a locked bill, or on none. */
function refuseMoved(units: readonly Unit[], locked: ReadonlySet<string>): void {
  if (units.some((it) => it.mtbId && !locked.has(it.mtbId))) throw new Refusal({ key: 'stale' });
}

/**
 * The units that stand for these items or on these bills, held. The bills are locked by the caller; a part that takes a
 * unit's place while that one is waited for refuses the whole submit. Rule: events#e16.
 */
export async function lockUnitsOn(db: Db, column: 'mtbliId' | 'mtbId', ids: readonly string[]): Promise<Unit[]> {
  const standing = async () => {
    const query = db.selectFrom('rma_inventory').select('sn').where(column, '=', anyOf(ids));
    return (await query.execute()).map((it) => it.sn);
  };
  const units = await lockUnits(db, await standing());
  if ((await standing()).some((it) => !units.has(it))) throw new Refusal({ key: 'stale' });
  return [...units.values()];
}

/** Locks units in one order for everybody, then reads what is true of them now. */
export async function lockUnits(db: Db, sns: readonly string[]): Promise<Map<string, Unit>> {
  await db.selectFrom('rma_inventory').select('id').where('sn', '=', anyOf(sns)).orderBy('sn').forUpdate().execute();
  return readUnits(db, sns);
}

/**
 * Holds the maintain bills on which these units stand, those with whose goods they ship, and `besides`, in one order for
 * everybody and before the units.
 */
export async function lockUnitBills(
  db: Db,
  sns: readonly string[],
  besides: readonly string[] = [],
): Promise<Set<string>> {
  const { rows } = await sql<{ mtbId: string | null; deliverMtbId: string | null }>`
    SELECT u."mtbId", i."deliverMtbId"
      FROM rma_inventory AS u LEFT JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = u."mtbliId"
     WHERE u.sn = ANY(${sns}) AND u."mtbId" IS NOT NULL`.execute(db);
  return lockBills(db, rows.flatMap((it) => [it.mtbId ?? [], it.deliverMtbId ?? []].flat()).concat(besides));
}

/** Holds maintain bills in one order for everybody; gives those that exist. */
export async function lockBills(db: Db, mtbIds: readonly string[]): Promise<Set<string>> {
  if (mtbIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('rma_maintain_bill')
    .select('mtbId')
    .where('mtbId', '=', anyOf([...new Set(mtbIds)]))
    .orderBy('mtbId')
    .forNoKeyUpdate()
    .execute();
  return new Set(rows.map((it) => it.mtbId));
}
