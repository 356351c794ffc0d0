import { sql } from 'kysely';
import type { DataOf } from '#domain/call.ts';
import { PriceBillStatus, PriceReason, RepairFeeStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { nameIn } from '#server/engine/describe.ts';
import { priceKey } from '#server/workflow/prices.ts';
import type { unpricedUnits } from './contract.ts';
import { MissingPrice } from './rules.ts';
import { priced, type FeePeriod } from './queries.ts';

type Units = DataOf<typeof unpricedUnits>;

/** Price bills `p` of the site for the same work `w`, whatever their day and state. */
const isSameWork = sql`${priceKey.repairProject} AND ${priceKey.machineType} AND ${priceKey.warranty} AND ${priceKey.repairType}`;

/**
 * What the settlement of a month would find no price for at a site, by the question that settles, and why: the first
 * `most` of them, and how many there are. Rule: money#missing-prices.
 */
export async function listUnpriced(
  ctx: Context,
  siteId: string,
  period: FeePeriod,
  most: number,
): Promise<Omit<Units, 'unbilled'>> {
  const { db, config, lang } = ctx;
  const rejected = await db
    .selectFrom('rma_repair_fee_bill')
    .select('rfbId')
    .where('siteId', '=', siteId)
    .where('recPeriod', '=', period.recPeriod)
    .where('billStatus', '=', RepairFeeStatus.Rejected)
    .execute();
  const anew = rejected.map((it) => it.rfbId);
  const { rows } = await sql<Units['items'][number] & { total: number }>`
    SELECT w.sn, w."mtbId", ${siteId}::text AS "siteId",
           (SELECT coalesce(${nameIn(lang, 's.siteName')}, s."siteId") FROM ubs_site AS s WHERE s."siteId" = ${siteId}) AS "siteName",
           w.family AS "machineType", w.project AS "repairProject", w.warranty, w."repairType", w.day::text AS day,
           CASE WHEN w.reason = ${sql.lit(PriceReason.NoFamily)} THEN ${sql.lit(MissingPrice.NoFamily)}
                WHEN w.reason = ${sql.lit(PriceReason.Several)} AND p.currencies > 1 THEN ${sql.lit(MissingPrice.Currencies)}
                WHEN w.reason = ${sql.lit(PriceReason.Several)} THEN ${sql.lit(MissingPrice.Suppliers)}
                WHEN p."prbId" IS NULL THEN ${sql.lit(MissingPrice.None)}
                WHEN p."billStatus" <> ${sql.lit(PriceBillStatus.Passed)} THEN ${sql.lit(MissingPrice.NotPassed)}
                WHEN p."expirationDate" < w.day THEN ${sql.lit(MissingPrice.Expired)}
                ELSE ${sql.lit(MissingPrice.NotYet)} END AS reason,
           CASE WHEN w.reason <> ${sql.lit(PriceReason.NoFamily)} THEN p."prbId" END AS "prbId",
           (count(*) OVER ())::int AS total
      FROM (${priced(siteId, period, config.timeZone, anew)}) AS w
      LEFT JOIN LATERAL (
           SELECT p."prbId", p."billStatus", p."expirationDate",
                  (SELECT count(DISTINCT p.currency) FROM rma_price_bill AS p
                    WHERE p."siteId" = ${siteId} AND ${sql.join(Object.values(priceKey), sql` AND `)}) AS currencies
             FROM rma_price_bill AS p
            WHERE p."siteId" = ${siteId} AND ${isSameWork} AND p."billStatus" <> ${sql.lit(PriceBillStatus.Voided)}
            ORDER BY ${priceKey.day} AND NOT ${priceKey.billStatus} DESC, ${priceKey.billStatus} DESC, p.id DESC
            LIMIT 1) AS p ON true
     WHERE NOT w."isPriced"
     ORDER BY w.family, w.project, w.warranty, w."repairType", w.day, w.sn
     LIMIT ${most}`.execute(db);
  return { total: rows[0]?.total ?? 0, items: rows.map(({ total: _, ...it }) => it) };
}
