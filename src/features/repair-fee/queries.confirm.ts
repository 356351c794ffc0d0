import { sql } from 'kysely';
import type { DataOf } from '#domain/call.ts';
import { Flag } from '#domain/enums.ts';
import { PriceBillStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { touchSql } from '#server/touch.ts';
import { priceOf, saidNow, workOfLine } from '#server/workflow/prices.ts';
import type { changedPrices } from './contract.ts';
import { MOST_CONFIRMED } from './rules.ts';

/** The lines of a bill whose price is another one by now, and was not confirmed; the first so many. */
export async function listChanged({ db }: Context, rfbId: string, siteId: string) {
  const { rows } = await sql<DataOf<typeof changedPrices>['lines'][number]>`
    SELECT l.id::int AS "lineId", l.sn, l."prbId", l."includingTaxAmount"::text AS amount, l.currency,
           CASE WHEN p."prbId" IS NOT NULL
                THEN json_build_object('prbId', p."prbId", 'amount', p.gross::text, 'currency', p.currency) END AS now,
           ${saidNow} AS beside
      FROM rma_repair_fee_bill_line AS l
     CROSS JOIN LATERAL ${workOfLine} AS w CROSS JOIN LATERAL ${priceOf(siteId)} AS p
     WHERE l."rfbId" = ${rfbId} AND l."priceChanged" = ${Flag.Yes} AND l."priceConfirmBy" IS NULL
     ORDER BY l.id LIMIT ${MOST_CONFIRMED}`.execute(db);
  return rows;
}

/** Of the prices that these lines followed, those that were voided: by whom, and when. A voided price is not changed any more. */
export async function listVoided({ db }: Context, lines: readonly { prbId: string | null }[]) {
  const prbIds = [...new Set(lines.flatMap((it) => it.prbId ?? []))];
  const { rows } = await sql<DataOf<typeof changedPrices>['voided'][number]>`
    SELECT p."prbId", coalesce(u."userName", p."updateBy") AS by, (extract(epoch FROM p."updateTime") * 1000)::float8 AS at
      FROM rma_price_bill AS p LEFT JOIN admin_user AS u ON u."userId" = p."updateBy"
     WHERE p."prbId" = ANY(${prbIds}) AND p."billStatus" = ${PriceBillStatus.Voided}
     ORDER BY p.id`.execute(db);
  return rows;
}

/** Of these lines that wait for it, those of which the prices say another thing than was seen. */
export async function listMoved(
  { db }: Context,
  rfbId: string,
  siteId: string,
  lines: readonly { lineId: number; beside: string | null }[],
) {
  const { rows } = await sql<{ name: string; was: string | null; now: string | null }>`
    SELECT coalesce(l.sn, l.id::text) AS name, c.beside AS was, ${saidNow} AS now
      FROM json_to_recordset(${JSON.stringify(lines)}::json) AS c("lineId" bigint, beside text)
      JOIN rma_repair_fee_bill_line AS l ON l.id = c."lineId"
     CROSS JOIN LATERAL ${workOfLine} AS w CROSS JOIN LATERAL ${priceOf(siteId)} AS p
     WHERE l."rfbId" = ${rfbId} AND l."priceChanged" = ${Flag.Yes} AND l."priceConfirmBy" IS NULL
       AND c.beside IS DISTINCT FROM ${saidNow}
     ORDER BY l.id`.execute(db);
  return rows;
}

/** These lines keep their price beside what the prices say now. @returns how many of them were waiting for it */
export async function confirmLines(
  { db, currentUser }: Context,
  rfbId: string,
  siteId: string,
  lines: readonly { lineId: number; reason: string }[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE rma_repair_fee_bill_line AS o
       SET "priceConfirmReason" = btrim(u.reason), "priceConfirmBy" = ${currentUser.userId}, "priceConfirmTime" = now(),
           "priceConfirmedBeside" = u.now, ${touchSql(currentUser, 'o')}
      FROM (SELECT l.id, c.reason, ${saidNow} AS now
              FROM json_to_recordset(${JSON.stringify(lines)}::json) AS c("lineId" bigint, reason text)
              JOIN rma_repair_fee_bill_line AS l ON l.id = c."lineId"
             CROSS JOIN LATERAL ${workOfLine} AS w CROSS JOIN LATERAL ${priceOf(siteId)} AS p
             WHERE l."rfbId" = ${rfbId} AND l."priceChanged" = ${Flag.Yes} AND l."priceConfirmBy" IS NULL) AS u
     WHERE o.id = u.id`.execute(db);
  // Whoever reviews the bill by now has seen it without the reasons.
  await sql`UPDATE rma_repair_fee_bill SET ${touchSql(currentUser)} WHERE "rfbId" = ${rfbId}`.execute(db);
  return Number(numAffectedRows);
}
