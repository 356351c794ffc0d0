import { sql } from 'kysely';
import { Flag } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import type { HeldItem } from './store.ts';

/** The stock-up bills on which items wait, by the item. */
export async function stockupsOf(
  { db }: Context,
  mtbliIds: readonly string[],
): Promise<Map<string, { skbId: string; status: string }>> {
  const { rows } = await sql<{ mtbliId: string; skbId: string; status: string }>`
    SELECT l."mtbliId", b."skbId", b.status
      FROM rma_stockup_bill_line AS l JOIN rma_stockup_bill AS b ON b."skbId" = l."skbId"
     WHERE l."mtbliId" = ANY(${mtbliIds}) AND l.delivered = '0' AND b.status IN ('0', '1', '3')`.execute(db);
  return new Map(rows.map((it) => [it.mtbliId, it]));
}

/** The bill's line of a code, made where there is none. The bill is locked by the caller. */
export async function lineForCode(
  { db, who, numbers }: Context,
  mtbId: string,
  goods: { salesCode: string; name: string | null; productName: string | null; type: string | null },
): Promise<string> {
  const there = await db
    .selectFrom('rma_maintain_bill_line')
    .select('mtblId')
    .where('mtbId', '=', mtbId)
    .where('salesCode', '=', goods.salesCode)
    .where('type', '=', goods.type)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (there) return there.mtblId as string;
  const mtblId = await numbers.next('MBL');
  await db
    .insertInto('rma_maintain_bill_line')
    .values({
      mtblId,
      mtbId,
      type: goods.type,
      salesCode: goods.salesCode,
      itemName: goods.name,
      productName: goods.productName,
      count: 0,
      createBy: who.userId,
    })
    .execute();
  return mtblId;
}

/** Items, their units and what waits of them on stock-up bills belong to another line, of their own bill or of another. */
export async function moveToLine(
  { db, who }: Context,
  items: readonly HeldItem[],
  to: { mtbId: string; mtblId: string; productName: string | null },
): Promise<void> {
  const mtbliIds = items.map((it) => it.mtbliId);
  const now = { version: sql<number>`version + 1`, updateBy: who.userId, updateTime: sql<string>`now()` };
  const { mtbId, mtblId, productName } = to;
  const moved = sql<string>`ANY(${mtbliIds})`;
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({ mtbId, mtblId, ...now })
    .where('mtbliId', '=', moved)
    .execute();
  await db
    .updateTable('rma_inventory')
    .set({ mtbId, mtblId, ...now })
    .where('mtbliId', '=', moved)
    .execute();
  await db
    .updateTable('rma_stockup_bill_line')
    .set({ mtbId, mtblId, productName, ...now })
    .where('mtbliId', '=', moved)
    .where('delivered', '=', Flag.No)
    .execute();
}

/** What a line declares follows the items that it gives and gets. Decisions 2 E32. */
export async function moveCounts({ db }: Context, items: readonly HeldItem[], mtblId: string): Promise<void> {
  await sql`
    UPDATE rma_maintain_bill_line AS l
       SET count = greatest(coalesce(l.count, 0) + d.n, 0), version = l.version + 1, "updateTime" = now()
      FROM (SELECT "mtblId", sum(n)::int AS n
              FROM (SELECT m."mtblId", -1 AS n FROM unnest(${items.map((it) => it.mtblId)}::text[]) AS m("mtblId")
                    UNION ALL SELECT ${mtblId}::text, ${items.length}::int) AS all_of GROUP BY 1) AS d
     WHERE l."mtblId" = d."mtblId"`.execute(db);
}

/** The units are of another model than they were taken for, also where they wait on a stock-up bill. */
export async function recode(
  { db, who }: Context,
  items: readonly HeldItem[],
  { salesCode, name }: { salesCode: string; name: string | null },
): Promise<void> {
  const now = { version: sql<number>`version + 1`, updateBy: who.userId, updateTime: sql<string>`now()` };
  const recoded = sql<string>`ANY(${items.map((it) => it.mtbliId)})`;
  await db
    .updateTable('rma_inventory')
    .set({ salesCode, itemName: name, ...now })
    .where('mtbliId', '=', recoded)
    .execute();
  await db
    .updateTable('rma_stockup_bill_line')
    .set({ salesCode, ...now })
    .where('mtbliId', '=', recoded)
    .where('delivered', '=', Flag.No)
    .execute();
}
