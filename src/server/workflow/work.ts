import { sql, type RawBuilder } from 'kysely';
import { Confirmation, DeliverStatus, Flag, GoodsType, OperateStatus, RepairType, Warranty } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { BusinessType, RepairProject } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { dayIn } from '#server/db/days.ts';
import { isSoonAfter } from '#server/reports/sql.ts';
import { touchSql } from '#server/touch.ts';
import { isReturned } from './moves.ts';
import { namesIn } from './names.ts';
import { costsTheSame, familyOf, isUndone, open, priceOf, repairs } from './prices.ts';
import { removeWorkbooks } from './workbooks.ts';

/**
 * The work `w` of items that came to their end, as it stands: project, warranty, family, kind of repair, and the day. Of each of
 * `ended` its id, when that was `done`, and whether it is `scrapped`; beside it the item `i`, its bill `b`, its line `l` and its repairs `r`.
 * Rule: money#repair-fees.
 */
export const workOfItems = (ended: RawBuilder<unknown>, siteId: RawBuilder<unknown>, timeZone: string) => sql`
  ${ended} AS d
    JOIN rma_maintain_bill_line_item AS i ON i.id = d.id
    JOIN rma_maintain_bill AS b ON b."mtbId" = i."mtbId"
    LEFT JOIN rma_maintain_bill_line AS l ON l."mtblId" = i."mtblId"
   CROSS JOIN LATERAL (SELECT ${dayIn(sql`d.done`, timeZone)} AS day) AS t
    LEFT JOIN LATERAL (
         SELECT max(rb."createTime") AS at,
                coalesce((array_agg(rb."repairType" ORDER BY rb.id DESC))[1], ${sql.lit(RepairType.Defective)}) AS "repairType"
           FROM rma_repair_bill AS rb
          WHERE rb."mtbliId" = i."mtbliId" AND NOT ${isReturned('repair', sql`rb."rpbId"`)}) AS r ON true
    LEFT JOIN LATERAL (
         SELECT c."scrapStatus", c."nofaultConfirmStatus", cb."createTime" AS at
           FROM rma_check_bill_line AS c JOIN rma_check_bill AS cb ON cb."ckbId" = c."ckbId"
          WHERE c."mtbliId" = i."mtbliId" AND c.disposition IS NOT NULL AND NOT ${isReturned('check', sql`c."ckbId"`)}
          ORDER BY c.id DESC LIMIT 1) AS c ON true
   CROSS JOIN LATERAL (SELECT r.at IS NULL OR r.at < c.at AS "isLast") AS checked
   CROSS JOIN LATERAL (
         SELECT CASE WHEN d.scrapped THEN ${sql.lit(RepairProject.ScrapCheck)}
                     WHEN checked."isLast" AND c."nofaultConfirmStatus" = ${sql.lit(Confirmation.Confirmed)}
                     THEN ${sql.lit(RepairProject.CheckOnly)}
                     WHEN checked."isLast" AND c."scrapStatus" = ${sql.lit(Confirmation.Confirmed)}
                     THEN ${sql.lit(RepairProject.ScrapCheck)}
                     WHEN l.type = ${sql.lit(GoodsType.Board)} THEN ${sql.lit(RepairProject.Board)}
                     ELSE ${sql.lit(RepairProject.Device)} END AS project) AS k
   CROSS JOIN LATERAL (
         SELECT EXISTS (SELECT 1 FROM rma_maintain_bill_line_item AS e
                         WHERE e."deliverSn" = ANY(${namesIn(sql`i."receiveSn"`)}) AND e."siteId" = ${siteId}
                           AND e."deliverStatus" = ${sql.lit(DeliverStatus.Shipped)}
                           AND e.id <> i.id AND e."deliverTime" < i."receiveTime"
                           AND ${isSoonAfter(sql`e."deliverTime"`, sql`i."receiveTime"`, timeZone)}) AS yes) AS second
   CROSS JOIN LATERAL (
         SELECT k.project, i.warranty, ${familyOf(sql`l."salesCode"`)} AS family, r."repairType", t.day,
                second.yes AS "isSecond") AS w`;

/** Whose account the work of this warranty is on. */
export const businessTypeOf = (warranty: RawBuilder<unknown>): RawBuilder<unknown> => sql`
           CASE WHEN ${warranty} = ${sql.lit(Warranty.Out)} THEN ${sql.lit(BusinessType.OutOfWarranty)}
                ELSE ${sql.lit(BusinessType.InWarranty)} END`;

/**
 * Items came to their end, some of them anew after a rollback: on fee bills that finance has not passed, a line whose work was
 * another one says what the work is that stands. Where that does not cost what the line costs, or is a repair that nobody has
 * done any more, the line is marked, as one is whose price was changed. Workbooks that say something else by now go. The bills are held, so that none is passed meanwhile. Rule: money#rolled-back-steps.
 */
export async function endsAnew({ db, currentUser, config }: Context, mtbliIds: readonly string[]): Promise<void> {
  if (mtbliIds.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    SELECT l.id FROM rma_repair_fee_bill_line AS l JOIN rma_repair_fee_bill AS h ON h."rfbId" = l."rfbId"
     WHERE l."mtbliId" = ANY(${mtbliIds}) AND h."billStatus" = ANY(${open}) ORDER BY h.id, l.id FOR NO KEY UPDATE OF h`.execute(
    db,
  );
  if (rows.length === 0) return;
  const ended = sql`
    (SELECT it.id, coalesce(it."deliverTime", (
              SELECT max(t."eventTime") FROM rma_transaction AS t
               WHERE t."mtbliId" = it."mtbliId" AND t.step = 'scrapConfirm' AND t."toNode" = ${sql.lit(Node.Scrapped)}
                 AND t."operateStatus" = ${sql.lit(OperateStatus.Normal)}), now()) AS done,
            it."deliverStatus" = ${DeliverStatus.Scrapped} AS scrapped
       FROM rma_maintain_bill_line_item AS it WHERE it."mtbliId" = ANY(${mtbliIds}))`;
  const anew = await sql<{ rfbId: string; saysOther: boolean }>`
    WITH done AS (
      SELECT i."mtbliId", i."mtbId", b."btmMtbId", i."receiveSn" AS sn, i."siteId", i."deliverTime", r.at AS "repairTime", l."salesCode", l."itemName",
             coalesce(w.family, l."productName") AS model, w.*
        FROM ${workOfItems(ended, sql`i."siteId"`, config.timeZone)})
      UPDATE rma_repair_fee_bill_line AS o
         SET "mtbId" = u."mtbId", "btmMtbId" = u."btmMtbId", sn = u.sn,
             "repairProject" = u.project, warranty = u.warranty, "repairType" = u."repairType", "isSecondRepair" = u.second,
             "salesCode" = u."salesCode", "salesName" = u."itemName", "modelAbbreviation" = u.model,
             "businessType" = ${businessTypeOf(sql`u.warranty`)}, "settledOn" = u.day, "repairTime" = u."repairTime",
             "deliverTime" = u."deliverTime", "priceChanged" = u.changed, "priceConfirmReason" = NULL, "priceConfirmBy" = NULL,
             "priceConfirmTime" = NULL, "priceConfirmedBeside" = NULL, ${touchSql(currentUser, 'o')}
        FROM (SELECT l.id, w.*, CASE WHEN w."isSecond" THEN ${sql.lit(Flag.Yes)} ELSE ${sql.lit(Flag.No)} END AS second,
                     CASE WHEN l."isPriced" = ${sql.lit(Flag.No)}
                            OR ${costsTheSame} AND (w."repairTime" IS NOT NULL OR w.project <> ALL(${repairs})
                                                    OR l."repairTime" IS NULL AND ${isUndone} IS NOT TRUE)
                          THEN ${sql.lit(Flag.No)} ELSE ${sql.lit(Flag.Yes)} END AS changed,
                     (l."mtbId", l.sn, l."repairProject", l.warranty, l."repairType", coalesce(l."isSecondRepair", ${sql.lit(Flag.No)}), l."salesCode",
                      l."salesName", l."modelAbbreviation", ${dayIn(sql`l."deliverTime"`, config.timeZone)})
                     IS DISTINCT FROM (w."mtbId", w.sn, w.project, w.warranty, w."repairType",
                       CASE WHEN w."isSecond" THEN ${sql.lit(Flag.Yes)} ELSE ${sql.lit(Flag.No)} END, w."salesCode", w."itemName",
                       w.model, ${dayIn(sql`w."deliverTime"`, config.timeZone)}) AS "saysOther"
                FROM rma_repair_fee_bill_line AS l JOIN rma_repair_fee_bill AS h ON h."rfbId" = l."rfbId"
                JOIN done AS w ON w."mtbliId" = l."mtbliId"
               CROSS JOIN LATERAL ${priceOf(sql`h."siteId"`)} AS p
               WHERE l.id = ANY(${rows.map((it) => it.id)})) AS u
       WHERE o.id = u.id
         AND (o."mtbId", o.sn, o."repairProject", o.warranty, o."repairType", coalesce(o."isSecondRepair", ${sql.lit(Flag.No)}), o."repairTime",
              o."settledOn", o."salesCode")
             IS DISTINCT FROM (u."mtbId", u.sn, u.project, u.warranty, u."repairType", u.second, u."repairTime", u.day, u."salesCode")
      RETURNING o."rfbId", u."saysOther"`.execute(db);
  if (anew.rows.length === 0) return;
  // Whoever reviews a bill by now has seen it with the work before.
  await sql`
    UPDATE rma_repair_fee_bill SET ${touchSql(currentUser)} WHERE "rfbId" = ANY(${anew.rows.map((it) => it.rfbId)})`.execute(
    db,
  );
  // When a repair was done, and when what is scrapped was, stands in no workbook.
  const outdated = [...new Set(anew.rows.filter((it) => it.saysOther).map((it) => it.rfbId))];
  if (outdated.length === 0) return;
  await removeWorkbooks({ db }, outdated);
  // Whatever was ordered before may have read them already: the transaction may have begun before that.
  await sql`
    UPDATE rma_repair_fee_bill SET "processingFeeReportUrl" = NULL, "workChangedTime" = clock_timestamp() WHERE "rfbId" = ANY(${outdated})`.execute(
    db,
  );
}
