import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Flag } from '#domain/enums.ts';
import { PriceBillStatus, reviewActions } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import { touchSql } from '#server/touch.ts';
import { type PlacedPrice, PricesOfPlaces } from './rules.prices.ts';

/**
 * How many lines of each of these repair-fee bills have no price yet, and how many follow one that was voided or changed since
 * and were not confirmed; none where no line does. Rule: money#repair-fees, money#changed-prices.
 */
export async function openLines(
  { db }: Context,
  rfbIds: readonly string[],
): Promise<ReadonlyMap<string, { unpriced: number; repriced: number }>> {
  const { rows } = await sql<{ rfbId: string; unpriced: number; repriced: number }>`
    SELECT "rfbId", count(*) FILTER (WHERE "isPriced" = ${Flag.No})::int AS unpriced,
           count(*) FILTER (WHERE "priceChanged" = ${Flag.Yes} AND "priceConfirmBy" IS NULL)::int AS repriced
      FROM rma_repair_fee_bill_line
     WHERE "rfbId" = ANY(${rfbIds})
       AND ("isPriced" = ${Flag.No} OR "priceChanged" = ${Flag.Yes} AND "priceConfirmBy" IS NULL)
     GROUP BY "rfbId"`.execute(db);
  return new Map(rows.map(({ rfbId, ...counts }) => [rfbId, counts]));
}

const work = ['siteId', 'supplierName', 'repairProject', 'machineType', 'currency', 'warranty', 'repairType'];
/** The same work for the same money: of two price bills, one may take the place of the other. */
const sameWork = (a: string, b: string) =>
  sql.join(
    work.map((it) => sql`${sql.ref(`${a}.${it}`)} = ${sql.ref(`${b}.${it}`)}`),
    sql` AND `,
  );
const isSameWork = sameWork('older', 'newer');

/** Of the passed prices for the same work, the latest that began by the day of this one. Rule: money#price-bills. */
export async function findEarlierPrice({ db }: Context, id: number) {
  const { rows } = await earlierPriceSql(id).execute(db);
  return rows[0] ?? null;
}

export const earlierPriceSql = (id: number) => sql<{ prbId: string; unitPriceWithTax: string }>`
    SELECT older."prbId", older."unitPriceWithTax"::text AS "unitPriceWithTax"
      FROM rma_price_bill AS newer
      JOIN rma_price_bill AS older ON ${isSameWork}
     WHERE newer.id = ${id} AND older.id <> newer.id AND older."billStatus" = ${PriceBillStatus.Passed}
       AND older."effectiveDate" <= newer."effectiveDate"
     ORDER BY older."effectiveDate" DESC, older.id DESC LIMIT 1`;

const place = ['siteId', 'repairProject', 'machineType', 'warranty', 'repairType'];
const placed = (it: string) => sql`
    ${sql.join([...work, 'prbId', 'billStatus'].map((name) => sql.ref(`${it}.${name}`)))}, ${sql.ref(`${it}.id`)},
    ${sql.ref(`${it}.effectiveDate`)} - DATE 'epoch' AS "from", ${sql.ref(`${it}.expirationDate`)} - DATE 'epoch' AS until,
    ${sql.ref(`${it}.agreedUntil`)} - DATE 'epoch' AS agreed`;

/** These price bills, and the passed ones for the same work, whoever does it, that hold on the first of their days or later. */
async function readPlacedPrices({ db }: Pick<Context, 'db'>, ids: readonly number[]): Promise<PlacedPrice[]> {
  const names = (of: string) => sql.join(place.map((it) => sql.ref(`${of}.${it}`)));
  const { rows } = await sql<PlacedPrice>`
    SELECT ${placed('asked')} FROM rma_price_bill AS asked
     WHERE asked.id = ANY(${ids}) AND asked."billStatus" <> ${PriceBillStatus.Passed}
     UNION ALL
    SELECT ${placed('passed')}
      FROM (SELECT ${names('asked')}, min(asked."effectiveDate") AS first FROM rma_price_bill AS asked
             WHERE asked.id = ANY(${ids}) GROUP BY ${names('asked')}) AS asked
      JOIN rma_price_bill AS passed ON (${names('passed')}) = (${names('asked')})
     WHERE passed."billStatus" = ${PriceBillStatus.Passed} AND passed."expirationDate" >= asked.first`.execute(db);
  return rows.map((it) => ({ ...it, id: Number(it.id) }));
}

/**
 * What passing this price does to others, and a mark that stands for all of it: another one than was shown says that it has
 * changed; empty where there is nothing to tell. Rule: money#price-bills.
 */
export const foreseePrice = async (ctx: Pick<Context, 'db'>, id: number) => (await foreseePrices(ctx, [id])).told(id);

/** The same of many: of each as things stand by then, after those before it that are said to have passed. Rule: money#price-bills. */
export async function foreseePrices(ctx: Pick<Context, 'db'>, ids: readonly number[]) {
  const prices = new PricesOfPlaces(await readPlacedPrices(ctx, ids));
  return {
    overlapping: (id: number) => prices.overlapping(id),
    told: (id: number) => {
      const told = prices.told(id);
      const isEmpty = Object.values(told).every((it) => it.length === 0);
      const foreseen = isEmpty ? '' : createHash('sha256').update(JSON.stringify(told)).digest('base64url');
      return { ...told, foreseen };
    },
    pass: (id: number) => prices.pass(id),
  };
}

/**
 * These prices were passed or voided: those for the same work that began before hold until the day before the next one that
 * passed, at most as long as was agreed. @returns those that end on another day now; rule: money#price-bills.
 */
export async function fitEarlierPrices(
  { db, currentUser }: Context,
  ids: readonly number[],
): Promise<{ prbId: string }[]> {
  const names = sql.join(work.map((it) => sql.ref(it)));
  const of = (it: string) => sql.join(work.map((name) => sql.ref(`${it}.${name}`)));
  const { rows } = await sql<{ prbId: string }>`
    UPDATE rma_price_bill AS it
       SET "expirationDate" = fit.until, "agreedUntil" = CASE WHEN fit.until < fit.agreed THEN fit.agreed END,
           ${touchSql(currentUser, 'it')}
      FROM (SELECT older.id, older."effectiveDate", asked.latest, a.agreed,
                   least(a.agreed, min(older."effectiveDate") OVER (
                     PARTITION BY ${of('older')} ORDER BY older."effectiveDate"
                     RANGE BETWEEN '1 day' FOLLOWING AND UNBOUNDED FOLLOWING) - 1) AS until
              FROM (SELECT ${names}, min("effectiveDate") AS first, max("effectiveDate") AS latest FROM rma_price_bill
                     WHERE id = ANY(${ids}) GROUP BY ${names}) AS asked
              JOIN rma_price_bill AS older ON (${of('older')}) = (${of('asked')})
             CROSS JOIN LATERAL (SELECT coalesce(older."agreedUntil", older."expirationDate") AS agreed) AS a
             WHERE older."billStatus" = ${PriceBillStatus.Passed} AND older."expirationDate" >= asked.first - 1) AS fit
     WHERE it.id = fit.id AND fit."effectiveDate" < fit.latest AND it."expirationDate" <> fit.until
    RETURNING it."prbId"`.execute(db);
  return rows;
}

/** What a price would be for and when, in the names of the price bill; `row` is where it stands in its workbook. */
export interface ProposedPrice {
  row: number;
  siteId: string;
  supplierName: string;
  repairProject: string;
  machineType: string;
  warranty: string;
  repairType: string;
  currency: string;
  effectiveDate: string;
  expirationDate: string;
}

/** A price that is there, as the row of a workbook meets it. */
interface MetPrice {
  row: number;
  prbId: string;
  price: string;
  from: string;
  isPassed: boolean;
  isEarlier: boolean;
}

/** The prices for the same work, passed or not decided yet, that hold on days of these, by the row of the one that they meet. */
export async function findMetPrices({ db }: Context, proposed: readonly ProposedPrice[]) {
  return (await metPricesSql(proposed).execute(db)).rows;
}

/** Each row looks for itself: the planner knows nothing of a workbook, and would read all prices. */
export const metPricesSql = (proposed: readonly ProposedPrice[]) => sql<MetPrice>`
    SELECT newer."row", older."prbId", older."unitPriceWithTax"::text AS price,
           older."effectiveDate"::text AS "from", older."billStatus" = ${PriceBillStatus.Passed} AS "isPassed",
           older."effectiveDate" < newer."effectiveDate" AS "isEarlier"
      FROM json_to_recordset(${JSON.stringify(proposed)}::json) AS newer (
             "row" int, "siteId" text, "supplierName" text, "repairProject" text, "machineType" text, warranty text,
             "repairType" text, currency text, "effectiveDate" date, "expirationDate" date)
     CROSS JOIN LATERAL (
           SELECT * FROM rma_price_bill AS older
            WHERE ${isSameWork} AND older."billStatus" <> ${PriceBillStatus.Voided}
              AND older."effectiveDate" <= newer."expirationDate" AND older."expirationDate" >= newer."effectiveDate"
           OFFSET 0) AS older
     ORDER BY newer."row", older."effectiveDate", older.id`;

/** The last word of each review of a bill and of its correction, as the ledger holds it. */
export async function lastWords({ db }: Context, module: string, id: number) {
  const { rows } = await sql<{
    action: string;
    userId: string;
    at: number;
    result: string | null;
    remark: string | null;
  }>`
    SELECT DISTINCT ON (what) what AS action, "userId", at, after->>'result' AS result, after->>'remark' AS remark
      FROM ledger
     WHERE module = ${module} AND "recordId" = ${String(id)} AND what IN (${sql.join([...reviewActions, 'resubmit'])})
     ORDER BY what, id DESC`.execute(db);
  return rows;
}

/** Whether a bill of the user's sites is for this work order of the website. */
export async function hasWorkOrder({ db, currentUser }: Context, btmMtbId: string): Promise<boolean> {
  const query = db.selectFrom('rma_maintain_bill').select('id').where('btmMtbId', '=', btmMtbId);
  return (await query.where(inSites('siteId', currentUser)).limit(1).execute()).length > 0;
}

/** Whether the catalogue has an item of this sales code. */
export async function hasSalesCode({ db }: Context, salesCode: string): Promise<boolean> {
  return (await db.selectFrom('ubs_item').select('id').where('salesCode', '=', salesCode).execute()).length > 0;
}

/** The names of these accounts. */
export async function namesOf({ db }: Context, userIds: readonly string[]): Promise<Record<string, string>> {
  if (userIds.length === 0) return {};
  const rows = await db
    .selectFrom('admin_user')
    .select(['userId', 'userName'])
    .where('userId', '=', anyOf(userIds))
    .execute();
  return Object.fromEntries(rows.map((it) => [it.userId, it.userName ?? it.userId]));
}
