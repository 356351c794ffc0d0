import { sql } from 'kysely';
import { DeliverStatus, Flag } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import { RepairFeeStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { touchSql } from '#server/touch.ts';

/** In these states a bill's amounts are agreed: finance has passed them. */
export const agreed: readonly string[] = [
  RepairFeeStatus.AwaitingInvoice,
  RepairFeeStatus.AwaitingAudit,
  RepairFeeStatus.Settled,
];

/**
 * Items that were delivered or scrapped are open again. Refused while one stands on a fee bill that finance has passed; on
 * an earlier one its line is marked. The bills are held, so that none is passed meanwhile. Rule: money#rolled-back-steps.
 */
export async function unsettle({ db, currentUser }: Context, mtbliIds: readonly string[]): Promise<void> {
  if (mtbliIds.length === 0) return;
  const { rows } = await sql<{ id: number; sn: string; rfbId: string; billStatus: string }>`
    SELECT l.id, l.sn, h."rfbId", h."billStatus"
      FROM rma_repair_fee_bill_line AS l JOIN rma_repair_fee_bill AS h ON h."rfbId" = l."rfbId"
     WHERE l."mtbliId" = ANY(${mtbliIds}) ORDER BY h.id, l.id FOR NO KEY UPDATE OF h`.execute(db);
  const settled = rows.find((it) => agreed.includes(it.billStatus));
  if (settled) throw new Refusal({ key: 'settledItem', args: { sn: settled.sn, id: settled.rfbId } });
  if (rows.length === 0) return;
  await sql`
    UPDATE rma_repair_fee_bill_line SET "rolledBack" = ${Flag.Yes}, ${touchSql(currentUser)}
     WHERE id = ANY(${rows.map((it) => it.id)})`.execute(db);
  // Whoever reviews the bill by now has seen it without the mark.
  await sql`
    UPDATE rma_repair_fee_bill SET ${touchSql(currentUser)}
     WHERE "rfbId" = ANY(${[...new Set(rows.map((it) => it.rfbId))]})`.execute(db);
}

/** How many lines of each of these fee bills are for items that are neither delivered nor scrapped any more; none where all are. Rule: money#rolled-back-steps. */
export async function undoneLines({ db }: Context, rfbIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ rfbId: string; n: number }>`
    SELECT l."rfbId", count(*)::int AS n
      FROM rma_repair_fee_bill_line AS l LEFT JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = l."mtbliId"
     WHERE l."rfbId" = ANY(${rfbIds}) AND l."mtbliId" IS NOT NULL
       AND coalesce(i."deliverStatus", '') NOT IN (${DeliverStatus.Shipped}, ${DeliverStatus.Scrapped})
     GROUP BY l."rfbId"`.execute(db);
  return new Map(rows.map((it) => [it.rfbId, it.n]));
}
