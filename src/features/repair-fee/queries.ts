import { sql, type RawBuilder } from 'kysely';
import { DAY_MS, dayFromSql, dayOf, endOfDay } from '#domain/day.ts';
import { DeliverStatus, Flag, OperateStatus } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { Node } from '#domain/nodes.ts';
import { REPAIR_FEE_DAYS } from '#domain/period.ts';
import { ExpenseStatus, FeeType, PriceReason, RepairFeeStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { clockText, dayIn } from '#server/db/days.ts';
import { payable } from '#server/db/money.ts';
import { touchSql } from '#server/touch.ts';
import { forgetFiles } from '#server/uploads/forgetFiles.ts';
import { priceOf, sharePrices } from '#server/workflow/prices.ts';
import { businessTypeOf, workOfItems } from '#server/workflow/work.ts';
import type { FeeInput } from './rules.ts';

export interface FeePeriod {
  recPeriod: string;
  startDate: string;
  endDate: string;
  from: Date;
  until: Date;
}

/** The days of a settlement as the moments between which its work was done. */
export function toPeriod({ recPeriod = '', startDate = '', endDate = '' }: FeeInput, { config }: Context): FeePeriod {
  const from = new Date(dayFromSql(startDate, config.timeZone));
  return { recPeriod, startDate, endDate, from, until: new Date(endOfDay(endDate, config.timeZone)) };
}

/** The month that it is in the workshop. */
export const thisMonth = ({ config }: Context): string => dayOf(Date.now(), config.timeZone).slice(0, 7);

/** The sites whose work the user settles. */
export async function listOwnSites({ db, currentUser }: Context): Promise<string[]> {
  const { sites } = currentUser;
  if (sites !== 'all') return [...sites].sort();
  const rows = await db.selectFrom('ubs_site').select('siteId').orderBy('siteId').execute();
  return rows.map((it) => it.siteId);
}

/** Whose money a bill is about; without a supplier it is the site's. Rule: money#whose-bill. */
export interface FeeParty {
  supplierName: string | null;
  currency: string | null;
}

export interface FeeBill extends FeeParty {
  rfbId: string;
  billStatus: string;
}

/**
 * The bills that each of these sites has of this month; nobody else settles anything of the sites meanwhile, nor changes their
 * prices. The rejected ones, which may be made anew, are held, of all sites in the order in which they are reviewed.
 */
export async function lockFeeBills(
  ctx: Context,
  siteIds: readonly string[],
  recPeriod: string,
): Promise<Map<string, FeeBill[]>> {
  const { db } = ctx;
  for (const siteId of siteIds) {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`repair fee ${siteId}`}, 0))`.execute(db);
    await sharePrices(ctx, siteId);
  }
  const ofMonth = sql`h."siteId" = ANY(${siteIds}) AND h."recPeriod" = ${recPeriod}`;
  const rejected = sql.lit(RepairFeeStatus.Rejected);
  // One that is rejected meanwhile stands as it did.
  const { rows } = await sql<FeeBill & { siteId: string }>`
    WITH held AS (SELECT h.id FROM rma_repair_fee_bill AS h
                   WHERE ${ofMonth} AND h."billStatus" = ${rejected} ORDER BY h.id FOR NO KEY UPDATE)
    SELECT h."siteId", h."rfbId", h."billStatus", h."supplierName", h.currency
      FROM rma_repair_fee_bill AS h LEFT JOIN held ON held.id = h.id
     WHERE ${ofMonth} AND (held.id IS NOT NULL OR h."billStatus" <> ${rejected}) ORDER BY h.id`.execute(db);
  return groupBy(rows, (it) => it.siteId);
}

/** The newest line of these bills; 0 where they have none. */
export async function newestLine({ db }: Context, rfbIds: readonly string[]): Promise<number> {
  const { id } = await db
    .selectFrom('rma_repair_fee_bill_line')
    .select((it) => it.fn.max('id').as('id'))
    .where('rfbId', '=', anyOf(rfbIds))
    .executeTakeFirstOrThrow();
  return Number(id ?? 0);
}

interface LineOfItem {
  id: number;
  mtbliId: string;
}

/** The lines of these rejected bills let go of their items, which the new lines take: an item is on one line only. */
export async function freeItems({ db }: Context, rfbIds: readonly string[]): Promise<LineOfItem[]> {
  const { rows } = await sql<LineOfItem>`
    WITH old AS (SELECT id, "mtbliId" FROM rma_repair_fee_bill_line
                  WHERE "rfbId" = ANY(${rfbIds}) AND "mtbliId" IS NOT NULL FOR UPDATE)
    UPDATE rma_repair_fee_bill_line AS l SET "mtbliId" = NULL FROM old WHERE l.id = old.id
    RETURNING l.id, old."mtbliId"`.execute(db);
  return rows;
}

/** Lines that stay after all have their items again. */
export async function takeItems({ db }: Context, lines: readonly LineOfItem[]): Promise<void> {
  if (lines.length === 0) return;
  await sql`
    UPDATE rma_repair_fee_bill_line AS l SET "mtbliId" = o."mtbliId"
      FROM json_to_recordset(${JSON.stringify(lines)}::json) AS o(id bigint, "mtbliId" text) WHERE l.id = o.id`.execute(
    db,
  );
}

/** The expenses of these bills are nobody's: the bills go, or the new lines take them. */
export async function freeExpenses({ db }: Pick<Context, 'db'>, rfbIds: readonly string[]): Promise<void> {
  await db
    .updateTable('rma_miscellaneous_expenses_bill')
    .set({ rfbId: null })
    .where('rfbId', '=', anyOf(rfbIds))
    .execute();
}

/** The expenses of these bills are those that their lines are for, and no others. */
export async function takeExpenses(ctx: Context, rfbIds: readonly string[]): Promise<void> {
  await freeExpenses(ctx, rfbIds);
  await sql`
    UPDATE rma_miscellaneous_expenses_bill AS m SET "rfbId" = l."rfbId" FROM rma_repair_fee_bill_line AS l
     WHERE l."rfbId" = ANY(${rfbIds}) AND l."priceReason" = ${sql.lit(PriceReason.Expense)} AND m."mebId" = l.remark`.execute(
    ctx.db,
  );
}

/**
 * Of the items that these lines of rejected bills had, the new lines say what they cost before, as those of a bill that is
 * corrected do. Rule: money#corrections.
 */
export async function keepAmounts({ db }: Context, lines: readonly LineOfItem[]): Promise<void> {
  await sql`
    UPDATE rma_repair_fee_bill_line AS l
       SET "previousAmount" = CASE WHEN (old."includingTaxAmount", old.currency) IS DISTINCT FROM (l."includingTaxAmount", l.currency)
                                   THEN old."includingTaxAmount" ELSE old."previousAmount" END
      FROM json_to_recordset(${JSON.stringify(lines)}::json) AS o(id bigint, "mtbliId" text)
      JOIN rma_repair_fee_bill_line AS old ON old.id = o.id
     WHERE l."mtbliId" = o."mtbliId"`.execute(db);
}

/** The lines that these rejected bills had before, up to `newest`, go. */
export async function removeOldLines({ db }: Context, rfbIds: readonly string[], newest: number): Promise<void> {
  await db
    .deleteFrom('rma_repair_fee_bill_line')
    .where('rfbId', '=', anyOf(rfbIds))
    .where('id', '<=', newest)
    .execute();
}

/**
 * A bill that after-sales did not accept, for its new lines: whoever made it anew is its maker. What was said of it stands
 * in the ledger. Rule: money#repair-fees.
 */
export async function beginAnew({ db, currentUser }: Context, rfbId: string, period: FeePeriod): Promise<void> {
  await sql`
    UPDATE rma_repair_fee_bill
       SET "billStatus" = ${RepairFeeStatus.AwaitingAfterSales}, "startDate" = ${period.startDate}::date,
           "endDate" = ${period.endDate}::date, "createBy" = ${currentUser.userId}, "createTime" = now(),
           "afterSalesReviewBy" = NULL, "afterSalesReviewTime" = NULL, "financialReviewBy" = NULL,
           "financialReviewTime" = NULL, "resubmitBy" = NULL, "resubmitTime" = NULL, "reviewRemark" = NULL,
           "processingFeeReportUrl" = NULL, "workChangedTime" = NULL, ${touchSql(currentUser)}
     WHERE "rfbId" = ${rfbId}`.execute(db);
}

/** Items `i` of a site that were delivered, or whose scrap was confirmed, in the range; `done` is when. */
const settled = (siteId: string, { from, until }: FeePeriod): RawBuilder<unknown> => sql`
  (SELECT i.id, i."deliverTime" AS done, false AS scrapped FROM rma_maintain_bill_line_item AS i
    WHERE i."siteId" = ${siteId} AND i."deliverStatus" = ${sql.lit(DeliverStatus.Shipped)}
      AND i."deliverTime" >= ${from} AND i."deliverTime" < ${until}
    UNION ALL
   SELECT i.id, max(t."eventTime"), true FROM rma_transaction AS t
     JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = t."mtbliId" AND i."siteId" = t."siteId"
    WHERE t."siteId" = ${siteId} AND t.step = 'scrapConfirm' AND t."toNode" = ${sql.lit(Node.Scrapped)}
      AND t."operateStatus" = ${sql.lit(OperateStatus.Normal)}
      AND i.scrap = ${sql.lit(Flag.Yes)} AND i."deliverStatus" = ${sql.lit(DeliverStatus.Scrapped)}
      AND t."eventTime" >= ${from} AND t."eventTime" < ${until}
    GROUP BY i.id)`;

interface Unbilled {
  count: number;
  /** The day of the first. */
  from: string;
  /** Some of them. */
  sns: string[];
}

/** So many are named; whoever reads them looks for the day. */
const NAMED = 10;

/**
 * What was delivered or scrapped in the days before a range that a bill of the site has settled already, and stands on no bill: no
 * range has it that does not reach back. Nothing where there is none. Rule: money#repair-fees.
 */
export async function findUnbilled(
  { db, config }: Context,
  siteId: string,
  period: FeePeriod,
): Promise<Unbilled | undefined> {
  const before = { ...period, from: new Date(period.from.getTime() - REPAIR_FEE_DAYS * DAY_MS), until: period.from };
  const { rows } = await sql<Omit<Unbilled, 'from'> & { from: string | null }>`
    SELECT count(*)::int AS count, min(t.day)::text AS "from",
           coalesce((array_agg(i."receiveSn" ORDER BY t.day, i."receiveSn"))[1:${sql.lit(NAMED)}], '{}') AS sns
      FROM ${settled(siteId, before)} AS d JOIN rma_maintain_bill_line_item AS i ON i.id = d.id
     CROSS JOIN LATERAL (SELECT ${dayIn(sql`d.done`, config.timeZone)} AS day) AS t
     WHERE NOT EXISTS (SELECT 1 FROM rma_repair_fee_bill_line AS o WHERE o."mtbliId" = i."mtbliId")
       AND EXISTS (SELECT 1 FROM rma_repair_fee_bill AS h
                    WHERE h."siteId" = ${siteId} AND t.day BETWEEN h."startDate" AND h."endDate")`.execute(db);
  const { from = null, ...found } = rows[0] ?? { count: 0, sns: [] };
  return from === null ? undefined : { ...found, from };
}

/** Those of several sites together. */
export const allUnbilled = (found: readonly (Unbilled | undefined)[]): Unbilled | null => {
  const all = found.filter((it) => it !== undefined);
  const [from] = all.map((it) => it.from).sort();
  if (from === undefined) return null;
  return {
    ...{ from, count: all.reduce((sum, it) => sum + it.count, 0) },
    sns: all.flatMap((it) => it.sns).slice(0, NAMED),
  };
};

/**
 * What the price of a unit hangs on, and what it is. What stands on a bill is settled, unless the bill is one of those that are
 * made anew.
 */
export const priced = (siteId: string, period: FeePeriod, timeZone: string, anew: readonly string[]) => sql`
  SELECT i."mtbliId", i."mtbId", b."btmMtbId", i."receiveSn" AS sn, l."salesCode", l."itemName", i."deliverTime", i.warranty,
         coalesce(w.family, l."productName") AS family, w.project, w.day, w."repairType", r.at AS "repairTime",
         w."isSecond", p."prbId", p.currency, p.tax, p.price, p.gross, p.net, p."isPriced", p.reason
    FROM ${workOfItems(settled(siteId, period), sql.val(siteId), timeZone)}
   CROSS JOIN LATERAL ${priceOf(siteId)} AS p
   WHERE NOT EXISTS (SELECT 1 FROM rma_repair_fee_bill_line AS o
                      WHERE o."mtbliId" = i."mtbliId" AND o."rfbId" <> ALL(${sql.val(anew)}::text[]))`;

/** The passed expenses of a site that are on no bill. The month is asked of these alone, not of all that were ever settled. */
export const unsettledExpenses = (siteId: string): RawBuilder<unknown> => sql`
  (SELECT m.* FROM rma_miscellaneous_expenses_bill AS m
    WHERE m."siteId" = ${siteId} AND m."billStatus" = ${sql.lit(ExpenseStatus.Passed)} AND m."rfbId" IS NULL
   OFFSET 0)`;

/**
 * The lines of a site's month, on one bill until they are dealt out: each settled unit with its price, and the expenses
 * that were passed in the month, or in one before it whose bill stands already; nothing that is on a bill, unless that is one
 * of `before` which was rejected. Rule: money#repair-fees.
 */
export async function writeLines(
  ctx: Context,
  rfbId: string,
  siteId: string,
  period: FeePeriod,
  before: readonly FeeBill[],
): Promise<number> {
  const rejected = before.filter((it) => it.billStatus === RepairFeeStatus.Rejected).map((it) => it.rfbId);
  const { db, currentUser, config } = ctx;
  const units = await sql`
    INSERT INTO rma_repair_fee_bill_line
      ("rfbId", "mtbliId", "mtbId", "btmMtbId", sn, "salesCode", "salesName", "modelAbbreviation", "businessType", "repairProject",
       warranty, "repairType", "feeType", "correspondsWorkOrder", "isSecondRepair", quantity, "unitPrice", "totalPrice", currency, "taxRate",
       "includingTaxAmount", "excludingTaxAmount", "taxAmount", "isPriced", "priceReason", "prbId", "settledOn",
       "repairTime", "deliverTime", "createBy")
    SELECT ${rfbId}, u."mtbliId", u."mtbId", u."btmMtbId", u.sn, u."salesCode", u."itemName", u.family,
           ${businessTypeOf(sql`u.warranty`)},
           u.project, u.warranty, u."repairType", ${sql.lit(FeeType.Labour)}, ${sql.lit(Flag.Yes)},
           CASE WHEN u."isSecond" THEN ${sql.lit(Flag.Yes)} ELSE ${sql.lit(Flag.No)} END,
           1, u.price, u.gross, u.currency, u.tax, u.gross, u.net,
           u.gross - u.net,
           CASE WHEN u."isPriced" THEN ${sql.lit(Flag.Yes)} ELSE ${sql.lit(Flag.No)} END,
           u.reason, u."prbId", u.day, u."repairTime",
           u."deliverTime", ${currentUser.userId}
      FROM (${priced(siteId, period, config.timeZone, rejected)}) AS u
     ORDER BY u.project, u."deliverTime", u.sn`.execute(db);
  const expenses = await sql`
    INSERT INTO rma_repair_fee_bill_line
      ("rfbId", "btmMtbId", sn, "salesCode", "salesName", "modelAbbreviation", "businessType", "feeType",
       "orgDepart", "correspondsWorkOrder", "isSecondRepair",
       quantity, "unitPrice", "totalPrice", currency, "taxRate", "includingTaxAmount", "excludingTaxAmount", "taxAmount",
       "isPriced", "priceReason", remark, "createBy")
    SELECT ${rfbId}, m."btmMtbId", m.sn, m."salesCode", m."salesName", m."modelAbbreviation", m."businessType",
           m."feeType", m."orgDepart", m."correspondsWorkOrder", ${sql.lit(Flag.No)}, 1, p.gross, p.gross, m.currency, m."taxRate",
           p.gross, p.net, p.gross - p.net, ${sql.lit(Flag.Yes)}, ${sql.lit(PriceReason.Expense)}, m."mebId",
           ${currentUser.userId}
      FROM ${unsettledExpenses(siteId)} AS m
     CROSS JOIN LATERAL (
           SELECT ${payable(sql`m."includingTaxAmount"`, sql`m.currency`)} AS gross,
                  ${payable(sql`least(m."excludingTaxAmount", m."includingTaxAmount")`, sql`m.currency`)} AS net) AS p
     CROSS JOIN LATERAL (
           SELECT ${clockText(sql`m."auditTime"`, config.timeZone, 'YYYY-MM')} AS month) AS a
     WHERE a.month = ${period.recPeriod}
        OR a.month < ${period.recPeriod}
           AND EXISTS (SELECT 1 FROM rma_repair_fee_bill AS b
                        WHERE b."siteId" = m."siteId" AND b."recPeriod" = a.month
                          AND b."billStatus" <> ${sql.lit(RepairFeeStatus.Rejected)})
     ORDER BY m.id`.execute(db);
  return Number(units.numAffectedRows) + Number(expenses.numAffectedRows);
}

interface FeePart extends FeeParty {
  isExpense: boolean;
  count: number;
}

/** Of the lines of a bill after this one, those of each supplier and currency, the expenses apart. */
export async function listParts({ db }: Context, rfbId: string, after: number): Promise<FeePart[]> {
  const { rows } = await sql<FeePart>`
    SELECT p."supplierName", l.currency, l."priceReason" = ${sql.lit(PriceReason.Expense)} AS "isExpense", count(*)::int AS count
      FROM rma_repair_fee_bill_line AS l LEFT JOIN rma_price_bill AS p ON p."prbId" = l."prbId"
     WHERE l."rfbId" = ${rfbId} AND l.id > ${after}
     GROUP BY 1, 2, 3 ORDER BY 1 NULLS LAST, 2, 3`.execute(db);
  return rows;
}

const isOf = ({ supplierName, currency, isExpense }: FeePart, rfbId: string, after: number) => sql`
  id IN (SELECT l.id FROM rma_repair_fee_bill_line AS l LEFT JOIN rma_price_bill AS p ON p."prbId" = l."prbId"
          WHERE l."rfbId" = ${rfbId} AND l.id > ${after} AND p."supplierName" IS NOT DISTINCT FROM ${supplierName}
            AND l.currency IS NOT DISTINCT FROM ${currency}
            AND (l."priceReason" = ${sql.lit(PriceReason.Expense)}) = ${isExpense})`;

/** Deals a part of the lines of a bill out to another bill. */
export async function moveLines({ db }: Context, part: FeePart, rfbId: string, after: number, to: string) {
  await sql`UPDATE rma_repair_fee_bill_line SET "rfbId" = ${to} WHERE ${isOf(part, rfbId, after)}`.execute(db);
}

/** Leaves a part of the lines of a bill for later. */
export async function dropLines({ db }: Context, part: FeePart, rfbId: string, after: number): Promise<void> {
  await sql`DELETE FROM rma_repair_fee_bill_line WHERE ${isOf(part, rfbId, after)}`.execute(db);
}

/** The head of a bill, before its lines: they refer to it. */
export async function writeHead(ctx: Context, rfbId: string, siteId: string, period: FeePeriod): Promise<void> {
  await sql`
    INSERT INTO rma_repair_fee_bill ("rfbId", "billStatus", "siteId", "recPeriod", "startDate", "endDate", "createBy")
    VALUES (${rfbId}, ${RepairFeeStatus.AwaitingAfterSales}, ${siteId}, ${period.recPeriod}, ${period.startDate}::date,
            ${period.endDate}::date, ${ctx.currentUser.userId})`.execute(ctx.db);
}

/** Heads for which there was nothing to settle, with the papers of an earlier round. */
export async function removeEmptyHeads(ctx: Context, rfbIds: readonly string[]): Promise<void> {
  const bills = ctx.db.deleteFrom('rma_repair_fee_bill').where('rfbId', '=', anyOf(rfbIds));
  const gone = await bills.returning(['siteId', 'invoiceUrls']).execute();
  await forgetFiles(
    ctx,
    'rmaRepairFeeBill',
    gone.map((it) => ({ siteId: it.siteId, fields: [it.invoiceUrls] })),
  );
}

/** Adds the lines up into the head, all of which are of its currency. */
export async function addUpLines({ db }: Context, rfbId: string, { supplierName, currency }: FeeParty) {
  const { rows } = await sql<{ lineCount: number; unpricedCount: number; includingTaxAmount: string }>`
    WITH l AS (
      SELECT count(*)::int AS n, (count(*) FILTER (WHERE "isPriced" = ${sql.lit(Flag.No)}))::int AS unpriced,
             coalesce(sum("excludingTaxAmount"), 0) AS net, coalesce(sum("taxAmount"), 0) AS tax,
             coalesce(sum("includingTaxAmount"), 0) AS gross
        FROM rma_repair_fee_bill_line WHERE "rfbId" = ${rfbId}),
    head AS (
      UPDATE rma_repair_fee_bill AS h
         SET "supplierName" = ${supplierName}, currency = ${currency}, "lineCount" = l.n, "excludingTaxAmount" = l.net, "taxAmount" = l.tax,
             "includingTaxAmount" = l.gross
        FROM l WHERE h."rfbId" = ${rfbId})
    SELECT l.n AS "lineCount", l.unpriced AS "unpricedCount", ${payable(sql`l.gross`, sql.val(currency))}::text AS "includingTaxAmount" FROM l`.execute(
    db,
  );
  return rows[0] as (typeof rows)[number];
}
