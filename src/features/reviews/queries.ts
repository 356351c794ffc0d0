import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Flag } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { PriceBillStatus, reviewActions } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import { touchSql } from '#server/touch.ts';

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

/** Which of the prices that were asked about a row is told of. */
interface OfPrice {
  id: number;
}

/** A price that ends on another day than it did. */
interface CutPrice extends OfPrice {
  prbId: string;
  expirationDate: string;
  until: string;
}

/** The passed prices that each of these ends when it passes, and the last day that is left of each. Rule: money#price-bills. */
async function findCutPrices({ db }: Pick<Context, 'db'>, ids: readonly number[]) {
  const { rows } = await sql<CutPrice>`
    SELECT newer.id, older."prbId", older."expirationDate"::text AS "expirationDate", (newer."effectiveDate" - 1)::text AS until
      FROM rma_price_bill AS newer JOIN rma_price_bill AS older ON ${isSameWork}
     WHERE newer.id = ANY(${ids}) AND newer."billStatus" IN (${PriceBillStatus.AwaitingReview}, ${PriceBillStatus.NotPassed})
       AND older.id <> newer.id AND older."billStatus" = ${PriceBillStatus.Passed}
       AND older."effectiveDate" < newer."effectiveDate" AND older."expirationDate" >= newer."effectiveDate"
     ORDER BY older."effectiveDate", older.id`.execute(db);
  return rows;
}

/**
 * The days after each of these prices on which one that it ends would have held, and no passed one for the same work does. Asked
 * before it passes. Rule: money#price-bills.
 */
async function findPriceGaps({ db }: Pick<Context, 'db'>, ids: readonly number[]) {
  const { rows } = await sql<OfPrice & { from: string; until: string }>`
    SELECT g.id, lower(gap)::text AS "from", (upper(gap) - 1)::text AS until
      FROM (SELECT newer.id, range_agg(daterange(newer."expirationDate", older."expirationDate", '(]'))
                     FILTER (WHERE older."effectiveDate" < newer."effectiveDate")
                   - coalesce(range_agg(daterange(older."effectiveDate", older."expirationDate", '[]'))
                     FILTER (WHERE older."effectiveDate" >= newer."effectiveDate"), '{}') AS gaps
              FROM rma_price_bill AS newer JOIN rma_price_bill AS older ON ${isSameWork}
             WHERE newer.id = ANY(${ids}) AND newer."billStatus" IN (${PriceBillStatus.AwaitingReview}, ${PriceBillStatus.NotPassed})
               AND older.id <> newer.id AND older."billStatus" = ${PriceBillStatus.Passed}
               AND older."expirationDate" > newer."expirationDate"
             GROUP BY newer.id) AS g
     CROSS JOIN LATERAL unnest(g.gaps) AS gap
     ORDER BY gap`.execute(db);
  return rows;
}

/**
 * The passed prices of other suppliers or in other currencies for the same work as each of these, and the days on which both
 * would hold, so that none is taken. Asked before it passes. Rule: money#price-bills.
 */
async function findPriceClashes({ db }: Pick<Context, 'db'>, ids: readonly number[]) {
  const { rows } = await sql<
    OfPrice & { prbId: string; supplierName: string; currency: string; from: string; until: string }
  >`
    SELECT newer.id, other."prbId", other."supplierName", other.currency,
           greatest(other."effectiveDate", newer."effectiveDate")::text AS "from",
           least(other."expirationDate", newer."expirationDate")::text AS until
      FROM rma_price_bill AS newer
      JOIN rma_price_bill AS other
        ON (other."siteId", other."repairProject", other."machineType", other.warranty, other."repairType")
         = (newer."siteId", newer."repairProject", newer."machineType", newer.warranty, newer."repairType")
       AND (other."supplierName", other.currency) <> (newer."supplierName", newer.currency)
     WHERE newer.id = ANY(${ids}) AND newer."billStatus" IN (${PriceBillStatus.AwaitingReview}, ${PriceBillStatus.NotPassed})
       AND other."billStatus" = ${PriceBillStatus.Passed}
       AND other."effectiveDate" <= newer."expirationDate" AND other."expirationDate" >= newer."effectiveDate"
     ORDER BY other."effectiveDate", other.id`.execute(db);
  return rows;
}

/**
 * What passing this price does to others, and a mark that stands for all of it: another one than was shown says that it has
 * changed; empty where there is nothing to tell. Rule: money#price-bills.
 */
export const foreseePrice = async (ctx: Pick<Context, 'db'>, id: number) => (await foreseePrices(ctx, [id]))(id);

/** The same of many, each as if it alone passed. Rule: money#price-bills. */
export async function foreseePrices(ctx: Pick<Context, 'db'>, ids: readonly number[]) {
  const cuts = await findCutPrices(ctx, ids);
  const gaps = await findPriceGaps(ctx, ids);
  const clashes = await findPriceClashes(ctx, ids);
  const [cutsOf, gapsOf, clashesOf] = [partsOf(cuts), partsOf(gaps), partsOf(clashes)];
  return (id: number) => {
    const told = { cuts: cutsOf(id), gaps: gapsOf(id), clashes: clashesOf(id) };
    const isEmpty = Object.values(told).every((it) => it.length === 0);
    const foreseen = isEmpty ? '' : createHash('sha256').update(JSON.stringify(told)).digest('base64url');
    return { ...told, foreseen };
  };
}

/** What is told of one of the prices. */
function partsOf<T extends OfPrice>(rows: readonly T[]): (id: number) => Omit<T, 'id'>[] {
  const groups = groupBy(rows, (it) => String(it.id));
  return (id) => (groups.get(String(id)) ?? []).map(({ id: _, ...it }) => it);
}

/**
 * These prices, no two of them for the same work, were passed or voided: those for the same work that began before hold until the
 * day before the next one that passed, at most as long as was agreed. @returns those that end on another day now, each with
 * the price because of which it does; rule: money#price-bills.
 */
export async function fitEarlierPrices({ db, currentUser }: Context, ids: readonly number[]): Promise<CutPrice[]> {
  const { rows } = await sql<CutPrice>`
    UPDATE rma_price_bill AS it
       SET "expirationDate" = fit.until, "agreedUntil" = CASE WHEN fit.until < fit.agreed THEN fit.agreed END,
           ${touchSql(currentUser, 'it')}
      FROM (SELECT older.id, newer.id AS newer, a.agreed, older."expirationDate" AS before,
                   least(a.agreed,
                         (SELECT min(later."effectiveDate") - 1 FROM rma_price_bill AS later
                           WHERE ${sameWork('later', 'older')} AND later."billStatus" = ${PriceBillStatus.Passed}
                             AND later."effectiveDate" > older."effectiveDate")) AS until
              FROM rma_price_bill AS newer JOIN rma_price_bill AS older ON ${isSameWork}
             CROSS JOIN LATERAL (SELECT coalesce(older."agreedUntil", older."expirationDate") AS agreed) AS a
             WHERE newer.id = ANY(${ids}) AND older.id <> newer.id AND older."billStatus" = ${PriceBillStatus.Passed}
               AND older."effectiveDate" < newer."effectiveDate") AS fit
     WHERE it.id = fit.id AND it."expirationDate" <> fit.until
    RETURNING fit.newer AS id, it."prbId", fit.before::text AS "expirationDate", fit.until::text AS until`.execute(db);
  return rows;
}

/** The passed price for the same work that begins on the same day as each of these or later and before its end, where one does. */
export async function findOverlappingPrices(
  { db }: Context,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<OfPrice & { prbId: string }>`
    SELECT DISTINCT ON (newer.id) newer.id, older."prbId"
      FROM rma_price_bill AS newer JOIN rma_price_bill AS older ON ${isSameWork}
     WHERE newer.id = ANY(${ids}) AND older.id <> newer.id AND older."billStatus" = ${PriceBillStatus.Passed}
       AND older."effectiveDate" BETWEEN newer."effectiveDate" AND newer."expirationDate"
     ORDER BY newer.id, older."effectiveDate", older.id`.execute(db);
  return new Map(rows.map((it) => [Number(it.id), it.prbId]));
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
