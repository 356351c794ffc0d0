import { sql, type Kysely } from 'kysely';
import { BillStatus, DeliverStatus, Flag, ReceiveStatus } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import type { Tables } from '#server/db/tables.ts';
import { touch, touchSql } from '#server/touch.ts';
import { itemIsOpen, itemIsReceived } from '#server/workflow/states.ts';

type Db = Kysely<Tables>;

/** The counts of these lines, computed anew from their items: `readCounts` in SQL. Rule: counts#lines. */
export async function recountLines(db: Db, mtblIds: readonly string[]): Promise<void> {
  if (mtblIds.length === 0) return;
  await sql`
    UPDATE rma_maintain_bill_line AS l
       SET "receiveCount" = c.received, "deliverCount" = c.delivered, "scrapCount" = c.scrapped,
           "discardCount" = c.discarded, "buyOutCount" = c.bought, version = l.version + 1, "updateTime" = now()
      FROM (SELECT t."mtblId",
                   count(*) FILTER (WHERE ${itemIsReceived('i')}) AS received,
                   count(*) FILTER (WHERE i."deliverStatus" = ${sql.lit(DeliverStatus.Shipped)}) AS delivered,
                   count(*) FILTER (WHERE i.scrap = ${sql.lit(Flag.Yes)}) AS scrapped,
                   count(*) FILTER (WHERE i."deliverStatus" = ${sql.lit(DeliverStatus.Scrapped)}
                                      AND i.scrap IS DISTINCT FROM ${sql.lit(Flag.Yes)}) AS discarded,
                   count(*) FILTER (WHERE i."deliverStatus" = ${sql.lit(DeliverStatus.BoughtOut)}) AS bought
              FROM rma_maintain_bill_line AS t
              LEFT JOIN rma_maintain_bill_line_item AS i ON i."mtblId" = t."mtblId"
             WHERE t."mtblId" = ANY(${[...new Set(mtblIds)]})
             GROUP BY t."mtblId") AS c
     WHERE l."mtblId" = c."mtblId"`.execute(db);
}

/**
 * The finish rule in SQL: of these bills, those whose receipt is closed and that have no open item are finished. The
 * bills are locked by the caller, so that two last deliveries can't each wait for the other. Rule: counts#finish.
 */
export async function finishBills(db: Db, mtbIds: readonly string[]): Promise<string[]> {
  if (mtbIds.length === 0) return [];
  const { rows } = await sql<{ mtbId: string }>`
    UPDATE rma_maintain_bill AS b
       SET "billStatus" = ${BillStatus.Finished}, version = version + 1, "updateTime" = now()
     WHERE b."mtbId" = ANY(${[...new Set(mtbIds)]}) AND b."billStatus" = ${BillStatus.Received}
       AND NOT EXISTS (SELECT 1 FROM rma_maintain_bill_line_item AS i
                        WHERE i."mtbId" = b."mtbId" AND ${itemIsOpen('i')})
    RETURNING b."mtbId"`.execute(db);
  return showOnRegistrations(db, rows);
}

/** Of these finished bills, those of which an item is open again are open too. Rule: events#e36, events#e37. */
export async function reopenBills(db: Db, mtbIds: readonly string[]): Promise<string[]> {
  if (mtbIds.length === 0) return [];
  const { rows } = await sql<{ mtbId: string }>`
    UPDATE rma_maintain_bill AS b
       SET "billStatus" = ${BillStatus.Received}, version = version + 1, "updateTime" = now()
     WHERE b."mtbId" = ANY(${[...new Set(mtbIds)]}) AND b."billStatus" = ${BillStatus.Finished}
       AND EXISTS (SELECT 1 FROM rma_maintain_bill_line_item AS i
                    WHERE i."mtbId" = b."mtbId" AND ${itemIsOpen('i')})
    RETURNING b."mtbId"`.execute(db);
  return showOnRegistrations(db, rows);
}

/** A registration of own goods is in the state of the bill that it made. Gives the bills. Rule: bills#own-goods. */
async function showOnRegistrations(db: Db, bills: readonly { mtbId: string }[]): Promise<string[]> {
  const mtbIds = bills.map((it) => it.mtbId);
  if (mtbIds.length === 0) return [];
  await sql`
    UPDATE rma_defective_product_repair_bill AS r
       SET "billStatus" = b."billStatus", version = r.version + 1, "updateTime" = now()
      FROM rma_maintain_bill AS b
     WHERE b."mtbId" = r."mtbId" AND r."mtbId" = ANY(${mtbIds}) AND r."billStatus" <> b."billStatus"`.execute(db);
  return mtbIds;
}

/**
 * Bills from which an item was moved away are what they would be without it. Where nothing that was received is left,
 * the bill was not received, so that its late goods still can be, if it waits for some, or was not received until a
 * move gave it that item; else it is finished with its last open item. The bills are locked by the caller.
 * Rule: counts#without-a-moved-item, events#e32.
 */
export async function settleLeft(ctx: Context, mtbIds: readonly string[]): Promise<void> {
  if (mtbIds.length === 0) return;
  await sql`
    UPDATE rma_maintain_bill AS b
       SET "billStatus" = ${BillStatus.NotReceived}, ${touchSql(ctx.currentUser, 'b')}
     WHERE b."mtbId" = ANY(${[...new Set(mtbIds)]}) AND b."billStatus" = ${BillStatus.Received}
       AND NOT EXISTS (SELECT 1 FROM rma_maintain_bill_line_item AS i
                        WHERE i."mtbId" = b."mtbId" AND ${itemIsReceived('i')})
       AND (EXISTS (SELECT 1 FROM rma_maintain_bill_line_item AS i WHERE i."mtbId" = b."mtbId")
            OR EXISTS (SELECT 1 FROM ledger AS g
                        WHERE g.module = 'rmaMaintainBillLineItem' AND g."recordId" = b."mtbId" AND g.what = 'moveBill'
                          AND g.before->>'billStatus' = ${BillStatus.NotReceived}))`.execute(ctx.db);
  await showOnRegistrations(
    ctx.db,
    mtbIds.map((mtbId) => ({ mtbId })),
  );
  await finishBills(ctx.db, mtbIds);
}

/** A bill on which something stands in the workshop has been received. */
export async function hasReceived({ db, currentUser }: Context, mtbId: string): Promise<void> {
  await db
    .updateTable('rma_maintain_bill')
    .set({ billStatus: BillStatus.Received, ...touch(currentUser) })
    .where('mtbId', '=', mtbId)
    .where('billStatus', '=', BillStatus.NotReceived)
    .execute();
  await showOnRegistrations(db, [{ mtbId }]);
}

/**
 * Received items of which the customer still waits to hear, by the SN that stands for each. Rule: counts#open-items.
 */
export async function openItemsOf({ db }: Context, mtbId: string): Promise<{ mtbliId: string; sn: string }[]> {
  const { rows } = await sql<{ mtbliId: string; sn: string }>`
    SELECT i."mtbliId", coalesce(u.sn, i."receiveSn", i."mtbliId") AS sn
      FROM rma_maintain_bill_line_item AS i LEFT JOIN rma_inventory AS u ON u."mtbliId" = i."mtbliId"
     WHERE i."mtbId" = ${mtbId} AND ${itemIsOpen('i')}
     ORDER BY sn`.execute(db);
  return rows;
}

/**
 * The bill is finished, and what has not come on it was not received. The caller holds it and has settled its open
 * items. Rule: events#e29, on-site-repair#end.
 */
export async function closeRest({ db, currentUser }: Context, mtbId: string): Promise<number> {
  const now = touch(currentUser);
  const { numUpdatedRows } = await db
    .updateTable('rma_maintain_bill_line_item')
    .set({ receiveStatus: ReceiveStatus.NotReceived, ...now })
    .where('mtbId', '=', mtbId)
    .where('receiveStatus', '=', ReceiveStatus.Awaiting)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('rma_maintain_bill')
    .set({ billStatus: BillStatus.Finished, ...now })
    .where('mtbId', '=', mtbId)
    .execute();
  await showOnRegistrations(db, [{ mtbId }]);
  return Number(numUpdatedRows);
}
