import { sql } from 'kysely';
import { Flag } from '#domain/enums.ts';
import { PriceReason, RepairFeeStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { touchSql } from '#server/touch.ts';
import { priceOf, workOfLine } from '#server/workflow/prices.ts';
import { businessTypeOf } from '#server/workflow/work.ts';
import type { Correction } from './rules.ts';

/** Lines of the bill as they stand before they are corrected or taken out; fewer where an id is not one of its lines. */
export const readLinesOf = ({ db }: Context, rfbId: string, ids: readonly number[]) =>
  db
    .selectFrom('rma_repair_fee_bill_line')
    .select([
      'id',
      'sn',
      'repairProject',
      'warranty',
      'repairType',
      'isSecondRepair',
      'priceReason',
      'includingTaxAmount',
      'remark',
    ])
    .where('rfbId', '=', rfbId)
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .execute();

/** These lines go: their units and expenses are nobody's, until the bill of a later month has them. */
export async function takeOutLines({ db }: Context, rfbId: string, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('rma_repair_fee_bill_line').where('rfbId', '=', rfbId).where('id', '=', anyOf(ids)).execute();
}

/** What the work was, as the site corrects it; the reason stands with each line that is another one now. */
export async function correctLines(
  { db }: Context,
  rfbId: string,
  corrected: readonly Correction[],
  remark: string,
): Promise<void> {
  await sql`
    UPDATE rma_repair_fee_bill_line AS l
       SET "repairProject" = c."repairProject", warranty = c.warranty, "repairType" = c."repairType",
           "isSecondRepair" = c."isSecondRepair", remark = ${remark},
           "businessType" = ${businessTypeOf(sql`c.warranty`)}
      FROM json_to_recordset(${JSON.stringify(corrected)}::json)
        AS c(id bigint, "repairProject" text, warranty text, "repairType" text, "isSecondRepair" text)
     WHERE l.id = c.id AND l."rfbId" = ${rfbId}
       AND (l."repairProject", l.warranty, l."repairType", l."isSecondRepair")
           IS DISTINCT FROM (c."repairProject", c.warranty, c."repairType", c."isSecondRepair")`.execute(db);
}

interface Repriced {
  id: number;
  was: string | null;
  now: string | null;
}

/**
 * Every unit of the bill costs what the prices of its day say now; one that cost something else before says what, and goes on
 * saying so however often it is handed in.
 * @returns how many have none, and those that cost something else now; rule: money#corrections.
 */
export async function priceAnew(
  { db }: Context,
  rfbId: string,
  siteId: string,
): Promise<{ unpriced: number; repriced: Repriced[] }> {
  const { rows } = await sql<Repriced & { isPriced: string; isRepriced: boolean }>`
    UPDATE rma_repair_fee_bill_line AS o
       SET "previousAmount" = CASE WHEN (o."includingTaxAmount", o.currency) IS DISTINCT FROM (u.gross, u.currency)
                                   THEN o."includingTaxAmount" ELSE o."previousAmount" END,
           "priceChanged" = ${Flag.No}, "priceConfirmReason" = NULL, "priceConfirmBy" = NULL,
           "priceConfirmTime" = NULL, "priceConfirmedBeside" = NULL,
           "modelAbbreviation" = coalesce(u.family, o."modelAbbreviation"), "unitPrice" = u.price, "totalPrice" = u.gross,
           "includingTaxAmount" = u.gross, "excludingTaxAmount" = u.net, "taxAmount" = u.gross - u.net, "taxRate" = u.tax,
           currency = u.currency, "prbId" = u."prbId", "priceReason" = u.reason,
           "isPriced" = CASE WHEN u."isPriced" THEN ${sql.lit(Flag.Yes)} ELSE ${sql.lit(Flag.No)} END
      FROM (SELECT l.id, l."includingTaxAmount" AS was, l.currency AS "wasIn", w.family, p.* FROM rma_repair_fee_bill_line AS l
             CROSS JOIN LATERAL ${workOfLine} AS w CROSS JOIN LATERAL ${priceOf(siteId)} AS p
             WHERE l."rfbId" = ${rfbId} AND l."priceReason" IS DISTINCT FROM ${sql.lit(PriceReason.Expense)}) AS u
     WHERE o.id = u.id
    RETURNING o.id::int AS id, u.was::text AS was, u.gross::text AS now, o."isPriced",
              (u.was, u."wasIn") IS DISTINCT FROM (u.gross, u.currency) AS "isRepriced"`.execute(db);
  return {
    unpriced: rows.filter((it) => it.isPriced === Flag.No).length,
    repriced: rows.filter((it) => it.isRepriced).map(({ id, was, now }) => ({ id, was, now })),
  };
}

/** The bill waits for after-sales anew; the word of the earlier review stands in the ledger. */
export async function sendAgain({ db, currentUser }: Context, id: number): Promise<void> {
  await sql`
    UPDATE rma_repair_fee_bill
       SET "billStatus" = ${RepairFeeStatus.AwaitingAfterSales}, "resubmitBy" = ${currentUser.userId}, "resubmitTime" = now(),
           "afterSalesReviewBy" = NULL, "afterSalesReviewTime" = NULL, "reviewRemark" = NULL,
           "processingFeeReportUrl" = NULL, "workChangedTime" = NULL, ${touchSql(currentUser)}
     WHERE id = ${id}`.execute(db);
}
