import { sql, type RawBuilder } from 'kysely';
import { Flag } from '#domain/enums.ts';
import { PriceReason } from '#domain/review.ts';
import type { DataOf } from '#domain/call.ts';
import type { Language } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import { nameIn } from '#server/engine/describe.ts';
import type { whyPrice } from './contract.ts';
import { priceKey, priceOf, workOfLine } from '#server/workflow/prices.ts';

type Why = DataOf<typeof whyPrice>;
type Near = Why['near'];

/** The supplier of a price bill, as the language calls it. */
export const supplierName = (lang: Language, stored: RawBuilder<unknown>) => sql<string>`
  coalesce((SELECT ${nameIn(lang, 'n.supplierName')} FROM rma_repair_supplier AS n WHERE n."supplierName" = ${stored}), ${stored})`;

/** What a line was settled by, and what the same work finds now, by the one question that settles. */
export async function readWhy({ db, lang }: Context, id: number): Promise<Omit<Why, 'near'>> {
  const { rows } = await sql<Omit<Why, 'near'>>`
    SELECT l.sn, CASE WHEN l."priceReason" = ${sql.lit(PriceReason.Expense)} THEN l.remark END AS expense,
           l."unitPrice"::text AS "unitPrice", ${supplierName(lang, sql.ref('s.supplierName'))} AS "supplierName", l.currency,
           coalesce(l."rolledBack" = ${sql.lit(Flag.Yes)} AND l."priceChanged" = ${sql.lit(Flag.Yes)}, false) AS "isAnew",
           json_build_object('reason', l."priceReason", 'prbId', l."prbId") AS was,
           json_build_object('siteName', coalesce(${nameIn(lang, 'u.siteName')}, h."siteId"), 'repairProject', w.project,
                             'machineType', w.family, 'warranty', w.warranty, 'repairType', w."repairType",
                             'day', w.day) AS work,
           json_build_object('reason', p.reason, 'prbId', p."prbId", 'count', p.n) AS now
      FROM rma_repair_fee_bill_line AS l
      JOIN rma_repair_fee_bill AS h ON h."rfbId" = l."rfbId"
      LEFT JOIN ubs_site AS u ON u."siteId" = h."siteId"
      LEFT JOIN rma_price_bill AS s ON s."prbId" = l."prbId"
     CROSS JOIN LATERAL ${workOfLine} AS w
     CROSS JOIN LATERAL ${priceOf(sql`h."siteId"`)} AS p
     WHERE l.id = ${id}`.execute(db);
  return rows[0] as (typeof rows)[number];
}

/** More of them would not be read; what misses more than so much is for other work. */
const [MOST, MISSES] = [5, 2] as const;

/** The price bills of the site that meet most of what the price of a line is found by. */
export async function listNear({ db, lang }: Context, id: number): Promise<Near> {
  const misses = Object.entries(priceKey).map(
    ([part, isMet]) => sql`CASE WHEN coalesce(${isMet}, false) THEN NULL ELSE ${sql.lit(part)} END`,
  );
  const { rows } = await sql<Near[number]>`
    SELECT p."prbId", ${supplierName(lang, sql.ref('p.supplierName'))} AS "supplierName", p.currency, p."unitPriceWithTax"::text AS "unitPriceWithTax",
           p."effectiveDate"::text AS "effectiveDate", p."expirationDate"::text AS "expirationDate", m.misses
      FROM rma_repair_fee_bill_line AS l
      JOIN rma_repair_fee_bill AS h ON h."rfbId" = l."rfbId"
     -- Its family is asked for once, not beside each price.
     CROSS JOIN LATERAL (SELECT * FROM ${workOfLine} AS w OFFSET 0) AS w
      JOIN rma_price_bill AS p ON p."siteId" = h."siteId"
     CROSS JOIN LATERAL (SELECT array_remove(ARRAY[${sql.join(misses)}], NULL) AS misses) AS m
     WHERE l.id = ${id} AND cardinality(m.misses) <= ${MISSES}
     ORDER BY cardinality(m.misses), p.id DESC LIMIT ${MOST}`.execute(db);
  return rows;
}
