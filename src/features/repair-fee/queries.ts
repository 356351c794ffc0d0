import { sql, type RawBuilder } from 'kysely';
import { Confirmation, DeliverStatus, Flag, GoodsType, OperateStatus, RepairType, Warranty } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { limits } from '#domain/reports.ts';
import {
  BusinessType,
  ExpenseStatus,
  FeeType,
  PriceBillStatus,
  RepairFeeStatus,
  RepairProject,
} from '#domain/review.ts';
import type { Context } from '#server/context.ts';

export interface FeePeriod {
  recPeriod: string;
  startDate: string;
  endDate: string;
  from: Date;
  until: Date;
}

/** The sites whose work the user settles. */
export async function listOwnSites({ db, currentUser }: Context): Promise<string[]> {
  const { sites } = currentUser;
  if (sites !== 'all') return [...sites].sort();
  const rows = await db.selectFrom('ubs_site').select('siteId').orderBy('siteId').execute();
  return rows.map((it) => it.siteId);
}

/** The bill that a site has of this month; nobody else makes one meanwhile. */
export async function lockFeeBill({ db }: Context, siteId: string, recPeriod: string) {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`repair fee ${siteId} ${recPeriod}`}, 0))`.execute(db);
  return db
    .selectFrom('rma_repair_fee_bill')
    .select(['rfbId', 'billStatus'])
    .where('siteId', '=', siteId)
    .where('recPeriod', '=', recPeriod)
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/** A bill that after-sales did not accept makes room for its successor. Rule: money#repair-fees. */
export async function removeRejected({ db }: Context, rfbId: string): Promise<void> {
  await db.deleteFrom('rma_repair_fee_bill_line').where('rfbId', '=', rfbId).execute();
  await db
    .deleteFrom('rma_repair_fee_bill')
    .where('rfbId', '=', rfbId)
    .where('billStatus', '=', RepairFeeStatus.Rejected)
    .execute();
}

/** Items `i` of a site that were delivered, or whose scrap was confirmed, in the range; `done` is when. */
const settled = (siteId: string, { from, until }: FeePeriod): RawBuilder<unknown> => sql`
  (SELECT i.id, i."deliverTime" AS done, false AS scrapped FROM rma_maintain_bill_line_item AS i
    WHERE i."siteId" = ${siteId} AND i."deliverStatus" = ${sql.lit(DeliverStatus.Shipped)}
      AND i."deliverTime" >= ${from} AND i."deliverTime" < ${until}
    UNION ALL
   SELECT i.id, max(t."eventTime"), true FROM rma_transaction AS t
     JOIN rma_maintain_bill_line_item AS i ON i."mtbId" = t."mtbId" AND i."receiveSn" = t.sn AND i."siteId" = t."siteId"
    WHERE t."siteId" = ${siteId} AND t.step = 'scrapConfirm' AND t."toNode" = ${sql.lit(Node.Scrapped)}
      AND t."operateStatus" = ${sql.lit(OperateStatus.Normal)}
      AND i.scrap = ${sql.lit(Flag.Yes)} AND i."deliverStatus" = ${sql.lit(DeliverStatus.Scrapped)}
      AND t."eventTime" >= ${from} AND t."eventTime" < ${until}
    GROUP BY i.id)`;

/** What the price of a unit hangs on: project, warranty, family, kind of repair, and the day of its end. */
const priced = (siteId: string, period: FeePeriod, timeZone: string) => sql`
  SELECT i."mtbId", b."btmMtbId", i."receiveSn" AS sn, l."salesCode", l."itemName", i."deliverTime", i.warranty,
         coalesce(p."machineType", l."productName") AS family, k.project, r."repairType", r.at AS "repairTime",
         p.id IS NOT NULL AS "isPriced", second.yes AS "isSecond", p.currency, coalesce(p."taxRate", 0) AS tax,
         CASE WHEN second.yes THEN 0 ELSE coalesce(p."unitPriceWithTax", 0) END AS price
    FROM ${settled(siteId, period)} AS d
    JOIN rma_maintain_bill_line_item AS i ON i.id = d.id
    JOIN rma_maintain_bill AS b ON b."mtbId" = i."mtbId"
    LEFT JOIN rma_maintain_bill_line AS l ON l."mtblId" = i."mtblId"
    LEFT JOIN LATERAL (
         SELECT c."nofaultConfirmStatus" FROM rma_check_bill AS cb JOIN rma_check_bill_line AS c ON c."ckbId" = cb."ckbId"
          WHERE cb."mtbId" = i."mtbId" AND c.sn = i."receiveSn" AND c.disposition IS NOT NULL
          ORDER BY c.id DESC LIMIT 1) AS c ON true
   CROSS JOIN LATERAL (
         SELECT CASE WHEN d.scrapped THEN ${sql.lit(RepairProject.ScrapCheck)}
                     WHEN c."nofaultConfirmStatus" = ${sql.lit(Confirmation.Confirmed)}
                     THEN ${sql.lit(RepairProject.CheckOnly)}
                     WHEN l.type = ${sql.lit(GoodsType.Board)} THEN ${sql.lit(RepairProject.Board)}
                     ELSE ${sql.lit(RepairProject.Device)} END AS project) AS k
    LEFT JOIN LATERAL (
         SELECT max(rb."createTime") AS at,
                coalesce((array_agg(rb."repairType" ORDER BY rb.id DESC))[1], ${sql.lit(RepairType.Defective)}) AS "repairType"
           FROM rma_repair_bill AS rb WHERE rb."mtbId" = i."mtbId" AND rb.sn = i."receiveSn") AS r ON true
   CROSS JOIN LATERAL (
         SELECT EXISTS (SELECT 1 FROM rma_maintain_bill_line_item AS e
                         WHERE e."deliverSn" = i."receiveSn" AND e."siteId" = ${siteId}
                           AND e."deliverStatus" = ${sql.lit(DeliverStatus.Shipped)}
                           AND e.id <> i.id AND e."deliverTime" < i."receiveTime"
                           AND e."deliverTime" >= i."receiveTime" - make_interval(days => ${limits.secondRepairDays})) AS yes) AS second
    LEFT JOIN LATERAL (
         SELECT p.* FROM rma_price_bill AS p
          WHERE p."siteId" = ${siteId} AND p."billStatus" = ${PriceBillStatus.Passed} AND p."repairProject" = k.project
            AND p.warranty = i.warranty AND p."repairType" = r."repairType"
            AND (d.done AT TIME ZONE ${timeZone})::date BETWEEN p."effectiveDate" AND p."expirationDate"
            AND (l."productName" = p."machineType" OR starts_with(l."itemName", p."machineType"))
          ORDER BY p."effectiveDate" DESC, p.id DESC LIMIT 1) AS p ON true`;

/**
 * The lines of a bill: each settled unit with its price, and the expenses of the month that were passed.
 * Rule: money#repair-fees.
 */
export async function writeLines(ctx: Context, rfbId: string, siteId: string, period: FeePeriod): Promise<number> {
  const { db, currentUser, config } = ctx;
  const units = await sql`
    INSERT INTO rma_repair_fee_bill_line
      ("rfbId", "mtbId", "btmMtbId", sn, "salesCode", "salesName", "modelAbbreviation", "businessType", "repairProject",
       warranty, "repairType", "feeType", "isSecondRepair", quantity, "unitPrice", "totalPrice", currency, "taxRate",
       "includingTaxAmount", "excludingTaxAmount", "taxAmount", "isPriced", "repairTime", "deliverTime", "createBy")
    SELECT ${rfbId}, u."mtbId", u."btmMtbId", u.sn, u."salesCode", u."itemName", u.family,
           CASE WHEN u.warranty = ${sql.lit(Warranty.Out)} THEN ${sql.lit(BusinessType.OutOfWarranty)}
                ELSE ${sql.lit(BusinessType.InWarranty)} END,
           u.project, u.warranty, u."repairType", ${sql.lit(FeeType.Labour)},
           CASE WHEN u."isSecond" THEN ${sql.lit(Flag.Yes)} ELSE ${sql.lit(Flag.No)} END,
           1, u.price, u.price, u.currency, u.tax, a.gross, a.net,
           a.gross - a.net,
           CASE WHEN u."isPriced" OR u."isSecond" THEN ${sql.lit(Flag.Yes)} ELSE ${sql.lit(Flag.No)} END, u."repairTime",
           u."deliverTime", ${currentUser.userId}
      FROM (${priced(siteId, period, config.timeZone)}) AS u
     CROSS JOIN LATERAL (SELECT round(u.price, 2) AS gross, round(u.price / (1 + u.tax / 100), 2) AS net) AS a
     ORDER BY u.project, u."deliverTime", u.sn`.execute(db);
  const expenses = await sql`
    INSERT INTO rma_repair_fee_bill_line
      ("rfbId", "btmMtbId", sn, "salesCode", "salesName", "modelAbbreviation", "businessType", "feeType", "isSecondRepair",
       quantity, "unitPrice", "totalPrice", currency, "taxRate", "includingTaxAmount", "excludingTaxAmount", "taxAmount",
       "isPriced", remark, "createBy")
    SELECT ${rfbId}, m."btmMtbId", m.sn, m."salesCode", m."salesName", m."modelAbbreviation", m."businessType",
           m."feeType", ${sql.lit(Flag.No)}, 1, m."includingTaxAmount", m."includingTaxAmount", m.currency, m."taxRate",
           m."includingTaxAmount", m."excludingTaxAmount", m."taxAmount", ${sql.lit(Flag.Yes)}, m."mebId",
           ${currentUser.userId}
      FROM rma_miscellaneous_expenses_bill AS m
     WHERE m."siteId" = ${siteId} AND m."billStatus" = ${sql.lit(ExpenseStatus.Passed)}
       AND to_char(m."auditTime" AT TIME ZONE ${config.timeZone}, 'YYYY-MM') = ${period.recPeriod}
     ORDER BY m.id`.execute(db);
  return Number(units.numAffectedRows) + Number(expenses.numAffectedRows);
}

/** The head of a bill, before its lines: they refer to it. */
export async function writeHead(ctx: Context, rfbId: string, siteId: string, period: FeePeriod): Promise<void> {
  await sql`
    INSERT INTO rma_repair_fee_bill ("rfbId", "billStatus", "siteId", "recPeriod", "startDate", "endDate", "createBy")
    VALUES (${rfbId}, ${RepairFeeStatus.AwaitingAfterSales}, ${siteId}, ${period.recPeriod}, ${period.startDate}::date,
            ${period.endDate}::date, ${ctx.currentUser.userId})`.execute(ctx.db);
}

/** A head for which there was nothing to settle. */
export async function removeEmptyHead({ db }: Context, rfbId: string): Promise<void> {
  await db.deleteFrom('rma_repair_fee_bill').where('rfbId', '=', rfbId).execute();
}

/** Adds the lines up into the head; a bill of several currencies has none. */
export async function addUpLines({ db }: Context, rfbId: string) {
  const { rows } = await sql<{ lineCount: number; unpricedCount: number; includingTaxAmount: string }>`
    WITH l AS (
      SELECT count(*)::int AS n, (count(*) FILTER (WHERE "isPriced" = ${sql.lit(Flag.No)}))::int AS unpriced,
             coalesce(sum("excludingTaxAmount"), 0) AS net, coalesce(sum("taxAmount"), 0) AS tax,
             coalesce(sum("includingTaxAmount"), 0) AS gross,
             CASE WHEN count(DISTINCT currency) = 1 THEN min(currency) END AS currency
        FROM rma_repair_fee_bill_line WHERE "rfbId" = ${rfbId}),
    head AS (
      UPDATE rma_repair_fee_bill AS h
         SET currency = l.currency, "lineCount" = l.n, "excludingTaxAmount" = l.net, "taxAmount" = l.tax,
             "includingTaxAmount" = l.gross
        FROM l WHERE h."rfbId" = ${rfbId})
    SELECT l.n AS "lineCount", l.unpriced AS "unpricedCount", round(l.gross, 2)::text AS "includingTaxAmount" FROM l`.execute(
    db,
  );
  return rows[0] as (typeof rows)[number];
}
