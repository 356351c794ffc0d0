import { sql, type RawBuilder } from 'kysely';
import { Flag, OperateStatus } from '#domain/enums.ts';
import { PriceBillStatus, PriceReason, RepairFeeStatus, RepairProject } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { payable } from '#server/db/money.ts';
import { touchSql } from '#server/touch.ts';
import { agreed } from './settled.ts';

/**
 * What a price bill `p` of the site must be, so that it is the price of the work `w`. The work has a project, a warranty, a
 * family, a repair type and a day. Rule: money#repair-fees.
 */
export const priceKey = {
  billStatus: sql<boolean>`p."billStatus" = ${sql.lit(PriceBillStatus.Passed)}`,
  repairProject: sql<boolean>`p."repairProject" = w.project`,
  machineType: sql<boolean>`p."machineType" = w.family`,
  warranty: sql<boolean>`p.warranty = w.warranty`,
  repairType: sql<boolean>`p."repairType" = w."repairType"`,
  day: sql<boolean>`w.day BETWEEN p."effectiveDate" AND p."expirationDate"`,
} as const;

/**
 * The one price that passed for the work `w` and holds on its day, and how many `n` there are: of several, which only differ
 * in supplier or currency, none is taken.
 */
const findPrice = (siteId: string | RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (SELECT count(*)::int AS n, min(p."prbId") FILTER (WHERE p.one) AS "prbId",
          min(p."supplierName") FILTER (WHERE p.one) AS "supplierName", min(p.currency) FILTER (WHERE p.one) AS currency,
          coalesce(min(p."taxRate") FILTER (WHERE p.one), 0) AS tax, min(p."unitPriceWithTax") FILTER (WHERE p.one) AS "withTax"
     FROM (SELECT p.*, count(*) OVER () = 1 AS one FROM rma_price_bill AS p
            WHERE p."siteId" = ${siteId} AND ${sql.join(Object.values(priceKey), sql` AND `)}) AS p)`;

/**
 * What the work `w` costs: the unit price, the amount to the cent and what of it is no tax; the price bill, its supplier and
 * currency; and the reason, or what is missing. A second repair costs nothing. Everything that speaks of a unit's price
 * asks here: the settlement, its correction, and the answer to why a line costs what it does. Rule: money#repair-fees.
 */
export const priceOf = (siteId: string | RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (SELECT a.*, ${payable(sql`a.gross * 100 / (100 + a.tax)`, sql`a.currency`)} AS net
     FROM (SELECT f.n, f."prbId", f."supplierName", f.currency, f.tax, u.price,
                  ${payable(sql`u.price`, sql`f.currency`)} AS gross,
                  CASE WHEN w."isSecond" THEN ${sql.lit(PriceReason.SecondRepair)}
                       WHEN f."prbId" IS NOT NULL THEN ${sql.lit(PriceReason.PriceBill)}
                       WHEN w.family IS NULL THEN ${sql.lit(PriceReason.NoFamily)}
                       WHEN f.n > 1 THEN ${sql.lit(PriceReason.Several)}
                       ELSE ${sql.lit(PriceReason.NoPrice)} END AS reason,
                  w."isSecond" OR f."prbId" IS NOT NULL AS "isPriced"
             FROM ${findPrice(siteId)} AS f
            CROSS JOIN LATERAL (
                  SELECT CASE WHEN w."isSecond" THEN 0 ELSE coalesce(f."withTax", 0) END AS price) AS u) AS a)`;

/** The family of a sales code: of its item, or of the item that has it among its sub-codes. */
export const familyOf = (code: RawBuilder<unknown>): RawBuilder<string | null> => sql`
  coalesce((SELECT g.family FROM ubs_item AS g WHERE g."salesCode" = ${code}),
           (SELECT g.family FROM ubs_item AS g
             WHERE ${isSubCodeOf(code, 'g')} ORDER BY g.id LIMIT 1))`;

/** Whether the item `of` has this code among its sub-codes. */
export const isSubCodeOf = (code: RawBuilder<unknown>, of: string): RawBuilder<boolean> =>
  sql`${code} = ANY(regexp_split_to_array(${sql.ref(`${of}.slaveCodes`)}, '\\s*\\|\\s*'))`;

/** The work `w` of a line `l` that was settled: as the line says, in the family that its item has now. */
export const workOfLine = sql`
  (SELECT l."repairProject" AS project, l.warranty, l."repairType", l."settledOn" AS day,
          coalesce(l."isSecondRepair" = ${sql.lit(Flag.Yes)}, false) AS "isSecond",
          ${familyOf(sql`l."salesCode"`)} AS family)`;

const lockOf = (siteId: string) => sql`hashtextextended(${`prices ${siteId}`}, 0)`;

/** Until the end of the transaction nobody else settles by the prices of the site, or passes or voids one. Before any fee bill. */
export async function lockPrices({ db }: Context, siteId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${lockOf(siteId)})`.execute(db);
}

/** Until the end of the transaction the prices of the site stay as they are. Before any fee bill. */
export async function sharePrices({ db }: Context, siteId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${lockOf(siteId)})`.execute(db);
}

/**
 * The fee bills of these sites that finance has not passed are held, so that none is passed meanwhile: of all sites in one order, that of
 * whoever reviews many of them.
 */
export async function holdOpenFees({ db }: Context, siteIds: readonly string[]): Promise<void> {
  await sql`
    SELECT 1 FROM rma_repair_fee_bill WHERE "siteId" = ANY(${siteIds}) AND "billStatus" = ANY(${open})
     ORDER BY id FOR NO KEY UPDATE`.execute(db);
}

/** What the prices `p` of a line's work say now, in words; nothing where they say none. */
export const saidNow = sql`p."prbId" || ' ' || ${payable(sql`p.gross`, sql`p.currency`)} || ' ' || p.currency`;

/** Whether what the prices `p` say is what a line `l` of a bill `h` costs, to the same supplier. */
export const costsTheSame = sql`((p.gross, p.currency) IS NOT DISTINCT FROM (l."includingTaxAmount", l.currency)
    AND (p."prbId" IS NOT DISTINCT FROM l."prbId" OR (p.net, p."supplierName") = (l."excludingTaxAmount", h."supplierName")))`;

/** Work that somebody has repaired for. */
export const repairs: readonly string[] = [RepairProject.Device, RepairProject.Board];

/**
 * Whether a line `l` of a bill `h` is marked for a repair that was rolled back since the bill was made or handed in anew: it stays
 * so, whatever the prices say. One whose unit left without a repair is marked for its price alone, also where one had been rolled
 * back before. Rule: money#rolled-back-steps.
 */
export const isUndone = sql`(l."priceChanged" = ${sql.lit(Flag.Yes)} AND l."rolledBack" = ${sql.lit(Flag.Yes)}
    AND l."repairTime" IS NULL AND l."repairProject" = ANY(${repairs})
    AND EXISTS (SELECT 1 FROM rma_transaction AS gone
                 WHERE gone."mtbliId" = l."mtbliId" AND gone.step = 'repair'
                   AND gone."operateStatus" = ${sql.lit(OperateStatus.Rollbacked)}
                   AND (gone."rolledBackTime" < greatest(l."createTime", h."resubmitTime")) IS NOT TRUE))`;

/** The states of a bill before its amounts are agreed: by them an index finds it, by those that it is not in none does. */
export const open = Object.values(RepairFeeStatus).filter((it) => !agreed.includes(it));

/**
 * These prices of the site were passed or voided: on fee bills that finance has not passed, lines of its work are marked that no
 * longer cost what the prices say, and lose the mark where they do again. One that was confirmed beside another price is to be
 * confirmed anew. After `holdOpenFees`. Rule: money#changed-prices.
 */
export async function markRepriced(
  { db, currentUser }: Context,
  siteId: string,
  ids: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ rfbId: string }>`
    SELECT "rfbId" FROM rma_repair_fee_bill WHERE "siteId" = ${siteId} AND "billStatus" = ANY(${open})`.execute(db);
  if (rows.length === 0) return;
  // Whoever reviews a bill by now has seen it without what is marked.
  await sql`
    WITH marked AS (
      UPDATE rma_repair_fee_bill_line AS o
         SET "priceChanged" = u.changed, "priceConfirmReason" = NULL, "priceConfirmBy" = NULL, "priceConfirmTime" = NULL,
             "priceConfirmedBeside" = NULL, ${touchSql(currentUser, 'o')}
        FROM (SELECT l.id, ${saidNow} AS beside, CASE WHEN ${costsTheSame} AND ${isUndone} IS NOT TRUE
                                THEN ${sql.lit(Flag.No)} ELSE ${sql.lit(Flag.Yes)} END AS changed
                FROM rma_repair_fee_bill_line AS l JOIN rma_repair_fee_bill AS h ON h."rfbId" = l."rfbId"
               CROSS JOIN LATERAL ${workOfLine} AS w CROSS JOIN LATERAL ${priceOf(siteId)} AS p
               WHERE l."rfbId" = ANY(${rows.map((it) => it.rfbId)}) AND l."isPriced" = ${Flag.Yes}
                 AND l."priceReason" = ${PriceReason.PriceBill}
                 AND (l."repairProject", l.warranty, l."repairType") IN (
                       SELECT of."repairProject", of.warranty, of."repairType" FROM rma_price_bill AS of
                        WHERE of.id = ANY(${ids}))) AS u
       WHERE o.id = u.id
         AND (u.changed <> coalesce(o."priceChanged", ${Flag.No})
              OR o."priceConfirmBy" IS NOT NULL AND u.beside IS DISTINCT FROM o."priceConfirmedBeside")
      RETURNING o."rfbId")
    UPDATE rma_repair_fee_bill SET ${touchSql(currentUser)} WHERE "rfbId" IN (SELECT "rfbId" FROM marked)`.execute(db);
}
