import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { touchSql } from '#server/touch.ts';
import type { Unit } from '#server/workflow/units.ts';
import { storedStatus, storageTypeOf } from './rules.ts';

/** The store bill as a record: what was put on which shelf, in which package. */
export async function recordStore(
  ctx: Context,
  head: { stbId: string; packageCount: number; subinventoryCode: string },
  lines: readonly { unit: Unit; code: string | null }[],
): Promise<void> {
  const createBy = ctx.currentUser.userId;
  await ctx.db
    .insertInto('rma_store_bill')
    .values({ ...head, userId: createBy, siteId: ctx.currentUser.siteId, createBy })
    .execute();
  await ctx.db
    .insertInto('rma_store_bill_line')
    .values(
      lines.map(({ unit, code }) => ({
        stbId: head.stbId,
        sn: unit.sn,
        salesCode: unit.salesCode,
        name: unit.itemName,
        icdId: code,
        mtbId: unit.mtbId,
        createBy,
      })),
    )
    .execute();
}

/** What kind of goods lies in a warehouse of the user's site. */
export async function readStorageType({ db, currentUser }: Context, subinventoryCode: string): Promise<string> {
  const subinventory = await db
    .selectFrom('ubs_subinventory')
    .select('storageType')
    .where('siteId', '=', currentUser.siteId)
    .where('subinventoryCode', '=', subinventoryCode)
    .executeTakeFirst();
  return subinventory?.storageType ?? storageTypeOf(subinventoryCode);
}

/**
 * Puts units into a warehouse of the user's site; what lies there is what the site says of it. What is activated leaves
 * its bill, and is of this site wherever it was before it stood nowhere.
 */
export async function putOnShelf(
  ctx: Context,
  units: readonly Pick<Unit, 'sn'>[],
  subinventoryCode: string,
  { leavesBill = false }: { leavesBill?: boolean } = {},
): Promise<void> {
  const storageType = await readStorageType(ctx, subinventoryCode);
  const activated = { siteId: ctx.currentUser.siteId, mtbId: null, mtblId: null, mtbliId: null };
  await ctx.db
    .updateTable('rma_inventory')
    .set({ subinventoryCode, storageType, ...(leavesBill && activated) })
    .where('sn', '=', anyOf(units.map((it) => it.sn)))
    .execute();
}

/** In which warehouse a unit lies, and as what. */
export const readStorage = ({ db }: Context, sn: string) =>
  db.selectFrom('rma_inventory').select(['subinventoryCode', 'storageType']).where('sn', '=', sn).executeTakeFirst();

/** What the archive knows of an SN that was never in the workshop. */
export const archived = ({ db }: Context, sn: string) =>
  db
    .selectFrom('ubs_item_object')
    .select(['sn', 'type', 'salesCode', 'itemName'])
    .where('sn', '=', sn)
    .executeTakeFirst();

/** A unit that comes into the workshop at the user's site, at no node yet. */
export async function admit(
  { db, currentUser }: Context,
  unit: NonNullable<Awaited<ReturnType<typeof archived>>>,
): Promise<void> {
  await db
    .insertInto('rma_inventory')
    .values({ ...unit, siteId: currentUser.siteId, createBy: currentUser.userId })
    .onConflict((it) => it.column('sn').doNothing())
    .execute();
}

/** The items of stored units may be shipped from now on, paused ones not; a stock machine has none. */
export async function releaseItems({ db, currentUser }: Context, units: readonly Unit[]): Promise<void> {
  const items = units.flatMap((it) => (it.mtbliId ? [{ mtbliId: it.mtbliId, deliverStatus: storedStatus(it) }] : []));
  if (items.length === 0) return;
  await sql`
    UPDATE rma_maintain_bill_line_item AS i
       SET "deliverStatus" = s."deliverStatus", ${touchSql(currentUser, 'i')}
      FROM json_to_recordset(${JSON.stringify(items)}::json) AS s("mtbliId" text, "deliverStatus" text)
     WHERE i."mtbliId" = s."mtbliId"`.execute(db);
}
