import { sql } from 'kysely';
import { Flag } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { touch, touchSql } from '#server/touch.ts';
import { isSubCodeOf } from './prices.ts';

/** What a line counts when it is made. */
export const newCounts = {
  count: 0,
  receiveCount: 0,
  deliverCount: 0,
  scrapCount: 0,
  discardCount: 0,
  buyOutCount: 0,
};

/** An item and the line on which it stands. */
interface OnLine {
  mtbliId: string;
  mtblId: string;
}

/** Items, their units and what waits of them on stock-up bills belong to another line, of their own bill or of another. */
export async function moveToLine(
  { db, currentUser }: Context,
  items: readonly Pick<OnLine, 'mtbliId'>[],
  to: { mtbId: string; mtblId: string; productName: string | null },
): Promise<void> {
  const mtbliIds = items.map((it) => it.mtbliId);
  const now = touch(currentUser);
  const { mtbId, mtblId, productName } = to;
  const moved = anyOf(mtbliIds);
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

/**
 * What a line declares follows the items that it gives and gets; it gives no more than it declares. Gives the items
 * that were counted off the lines that they left. Rule: events#e32.
 */
export async function moveCounts({ db }: Context, items: readonly OnLine[], mtblId: string): Promise<Set<string>> {
  const { rows } = await sql<{ mtbliId: string }>`
    WITH moved AS (SELECT "mtbliId", "mtblId", row_number() OVER (PARTITION BY "mtblId" ORDER BY place) AS n
                     FROM unnest(${items.map((it) => it.mtbliId)}::text[], ${items.map((it) => it.mtblId)}::text[])
                          WITH ORDINALITY AS m("mtbliId", "mtblId", place)),
         counted AS (SELECT m."mtbliId", m."mtblId" FROM moved AS m JOIN rma_maintain_bill_line AS l USING ("mtblId")
                      WHERE m.n <= l.count),
         recounted AS (
           UPDATE rma_maintain_bill_line AS l
              SET count = coalesce(l.count, 0) + d.n, version = l.version + 1, "updateTime" = now()
             FROM (SELECT "mtblId", sum(n)::int AS n
                     FROM (SELECT "mtblId", -1 AS n FROM counted
                           UNION ALL SELECT ${mtblId}::text, ${items.length}::int) AS all_of GROUP BY 1) AS d
            WHERE l."mtblId" = d."mtblId")
    SELECT "mtbliId" FROM counted`.execute(db);
  return new Set(rows.map((it) => it.mtbliId));
}

/** The units are of another model than they were taken for, also where they wait on a stock-up bill. */
export async function recode(
  { db, currentUser }: Context,
  items: readonly Pick<OnLine, 'mtbliId'>[],
  { salesCode, name }: { salesCode: string | null; name: string | null },
): Promise<void> {
  const now = touch(currentUser);
  const recoded = anyOf(items.map((it) => it.mtbliId));
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

/** What the archive calls a thing. */
export interface ArchivedAs {
  salesCode: string | null;
  itemId: number | null;
  itemName: string | null;
}

/**
 * The archive learns of what model the units of these items are, as the next receipt and its price go by it. A code that
 * the right one is a sub-code of is right already. Rule: events#e31.
 */
export async function recodeArchive(
  { db, currentUser }: Context,
  items: readonly Pick<OnLine, 'mtbliId'>[],
  salesCode: string,
): Promise<void> {
  await sql`
    UPDATE ubs_item_object AS o
       SET "salesCode" = g."salesCode", "itemId" = g."itemId", "itemName" = g.name, ${touchSql(currentUser, 'o')}
      FROM rma_inventory AS u, ubs_item AS g
     WHERE u."mtbliId" = ANY(${items.map((it) => it.mtbliId)}) AND o.sn = u.sn AND g."salesCode" = ${salesCode}
       AND o."salesCode" IS DISTINCT FROM g."salesCode"
       AND NOT EXISTS (SELECT 1 FROM ubs_item AS main
                        WHERE main."salesCode" = o."salesCode" AND ${isSubCodeOf(sql`g."salesCode"`, 'main')})`.execute(
    db,
  );
}

/** What the archive learned by that it knows no more, unless it was told something else since. */
export async function forgetCode({ db, currentUser }: Context, mtbliId: string, learned: string, was: ArchivedAs) {
  await sql`
    UPDATE ubs_item_object AS o
       SET "salesCode" = ${was.salesCode}, "itemId" = ${was.itemId}, "itemName" = ${was.itemName},
           ${touchSql(currentUser, 'o')}
      FROM rma_inventory AS u
     WHERE u."mtbliId" = ${mtbliId} AND o.sn = u.sn AND o."salesCode" = ${learned}
       AND ${was.salesCode}::text IS DISTINCT FROM ${learned}`.execute(db);
}
