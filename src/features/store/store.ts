import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Unit } from '#server/workflow/units.ts';
import { statusOnShelf, storageTypeOf } from './rules.ts';

/** The store bill as a record: what was put on which shelf, in which package. */
export async function recordStore(
  ctx: Context,
  head: { stbId: string; packageCount: number; subinventoryCode: string },
  lines: readonly { unit: Unit; code: string | null }[],
): Promise<void> {
  const createBy = ctx.who.userId;
  await ctx.db
    .insertInto('rma_store_bill')
    .values({ ...head, userId: createBy, siteId: ctx.who.siteId, createBy })
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

/** Puts units into a warehouse of the user's site; what lies there is what the site says of it. */
export async function putOnShelf(ctx: Context, units: readonly Unit[], subinventoryCode: string): Promise<void> {
  const shelf = await ctx.db
    .selectFrom('ubs_subinventory')
    .select('storageType')
    .where('siteId', '=', ctx.who.siteId)
    .where('subinventoryCode', '=', subinventoryCode)
    .executeTakeFirst();
  await ctx.db
    .updateTable('rma_inventory')
    .set({ subinventoryCode, storageType: shelf?.storageType ?? storageTypeOf(subinventoryCode) })
    .where('sn', '=', sql<string>`ANY(${units.map((it) => it.sn)})`)
    .execute();
}

/** The items of stored units may be shipped from now on, paused ones not; a stock machine has none. */
export async function releaseItems({ db, who }: Context, units: readonly Unit[]): Promise<void> {
  const items = units.flatMap((it) => (it.mtbliId ? [{ mtbliId: it.mtbliId, deliverStatus: statusOnShelf(it) }] : []));
  if (items.length === 0) return;
  await sql`
    UPDATE rma_maintain_bill_line_item AS i
       SET "deliverStatus" = s."deliverStatus", version = i.version + 1, "updateBy" = ${who.userId},
           "updateTime" = now()
      FROM json_to_recordset(${JSON.stringify(items)}::json) AS s("mtbliId" text, "deliverStatus" text)
     WHERE i."mtbliId" = s."mtbliId"`.execute(db);
}
