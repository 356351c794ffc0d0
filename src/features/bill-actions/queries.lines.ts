import { sql } from 'kysely';
import { DeliverStatus, Flag } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import type { Context } from '#server/context.ts';
import { newCounts } from '#server/workflow/lines.ts';
import { namesIn } from '#server/workflow/names.ts';
import { stockupLives } from '#server/workflow/states.ts';

/** The stock-up bills on which items wait, by the item. */
export async function findStockups(
  { db }: Context,
  mtbliIds: readonly string[],
): Promise<Map<string, { skbId: string; status: string }>> {
  const { rows } = await sql<{ mtbliId: string; skbId: string; status: string }>`
    SELECT l."mtbliId", b."skbId", b.status
      FROM rma_stockup_bill_line AS l JOIN rma_stockup_bill AS b ON b."skbId" = l."skbId"
     WHERE l."mtbliId" = ANY(${mtbliIds}) AND l.delivered = ${sql.lit(Flag.No)} AND ${stockupLives('b')}`.execute(db);
  return new Map(rows.map((it) => [it.mtbliId, it]));
}

/**
 * Of these items those that are exchanges whatever model is sent: another part took the place of the one that came, or
 * a machine goes out in advance. Rule: events#e16, stock-up#advance.
 */
export async function exchangesApart({ db }: Context, mtbliIds: readonly string[]): Promise<Set<string>> {
  if (mtbliIds.length === 0) return new Set();
  const { rows } = await sql<{ mtbliId: string }>`
    SELECT i."mtbliId"
      FROM rma_maintain_bill_line_item AS i JOIN rma_inventory AS u ON u."mtbliId" = i."mtbliId"
     WHERE i."mtbliId" = ANY(${mtbliIds}) AND i.exchange = ${sql.lit(Flag.Yes)}
       AND (u.sn <> i."receiveSn"
            OR (u."ivyId" <> ${sql.lit(Node.CanShip)} AND (i.stockup = ${sql.lit(Flag.Yes)}
                                                       OR i."deliverStatus" = ${sql.lit(DeliverStatus.CanShip)}))
            OR EXISTS (SELECT 1 FROM ledger AS g
                        WHERE g.module = 'rmaReceiveBill' AND g.what = 'exchangeReceive'
                          AND g."recordId" = (SELECT r."rvbId" FROM rma_receive_bill_line_item AS r
                                               WHERE r."receiveSn" = i."receiveSn" ORDER BY r.id DESC LIMIT 1)
                          AND g.after->'sns' ?| ${namesIn(sql`i."receiveSn"`)}))`.execute(db);
  return new Set(rows.map((it) => it.mtbliId));
}

/** The bill's line of a code, and whether it was made for want of one. The bill is locked by the caller. */
export async function lineForCode(
  { db, currentUser, numbers }: Context,
  mtbId: string,
  goods: { salesCode: string; name: string; productName: string | null; type: string },
): Promise<{ mtblId: string; isNew: boolean }> {
  const there = await db
    .selectFrom('rma_maintain_bill_line')
    .select('mtblId')
    .where('mtbId', '=', mtbId)
    .where('salesCode', '=', goods.salesCode)
    .where('type', '=', goods.type)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (there) return { mtblId: there.mtblId, isNew: false };
  const mtblId = await numbers.next('MBL');
  await db
    .insertInto('rma_maintain_bill_line')
    .values({
      ...newCounts,
      mtblId,
      mtbId,
      type: goods.type,
      salesCode: goods.salesCode,
      itemName: goods.name,
      productName: goods.productName,
      createBy: currentUser.userId,
    })
    .execute();
  return { mtblId, isNew: true };
}
