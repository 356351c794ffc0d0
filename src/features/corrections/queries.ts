import { sql } from 'kysely';
import { CorrectionStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { payable } from '#server/db/money.ts';
import { touchSql } from '#server/touch.ts';
import { leftOf, settledBills, type LeftOfLine, type SettledModule } from '#server/workflow/corrections.ts';
import type { Entry } from './rules.ts';

/** What is left of these lines of a settled bill; fewer where one is not its own. */
export async function leftOfEntries(
  { db }: Context,
  module: SettledModule,
  no: string,
  { but, ids }: { but?: string; ids: readonly number[] },
): Promise<LeftOfLine[]> {
  const { rows } = await sql<LeftOfLine>`
    SELECT l."lineId"::int AS "lineId", l."left"::text AS "left", l.currency FROM ${leftOf(module, no, but)} AS l
     WHERE l."lineId" = ANY(${ids})`.execute(db);
  return rows;
}

/** What is left of each line that has corrections. */
export async function leftOfCorrected({ db }: Context, module: SettledModule, no: string): Promise<LeftOfLine[]> {
  const { rows } = await sql<LeftOfLine>`
    SELECT l."lineId"::int AS "lineId", l."left"::text AS "left", l.currency FROM ${leftOf(module, no)} AS l
     WHERE l."isCorrected" ORDER BY l."lineId"`.execute(db);
  return rows;
}

/** What is left of each line that a correction is for, without it. */
export async function leftBefore({ db }: Context, module: SettledModule, no: string, crbId: string) {
  const { rows } = await sql<LeftOfLine>`
    SELECT l."lineId"::int AS "lineId", l."left"::text AS "left", l.currency FROM ${leftOf(module, no, crbId)} AS l
     WHERE l."lineId" IN (SELECT "lineId" FROM rma_correction_bill_line WHERE "crbId" = ${crbId})
     ORDER BY l."lineId"`.execute(db);
  return rows;
}

/** A settled bill as whoever corrects it sees it. */
interface SettledBill {
  version: number;
  no: string;
  supplierName: string | null;
  recPeriod: string | null;
  total: string;
}

/** The settled bill of this number. */
export async function readSettled({ db }: Context, module: SettledModule, no: string): Promise<SettledBill> {
  const { number, table, supplier, total } = settledBills[module];
  const { rows } = await sql<SettledBill>`
    SELECT version, ${sql.ref(number)} AS no, ${supplier} AS "supplierName", "recPeriod",
           coalesce(${sql.ref(total)}, 0)::text AS total
      FROM ${sql.table(table)} WHERE ${sql.ref(number)} = ${no}`.execute(db);
  return rows[0] as SettledBill;
}

/** What is handed in changes the settled bill: whoever has not seen it corrects nothing. Rule: money#correction-bills. */
export async function noteOnSettled({ db, currentUser }: Context, module: SettledModule, no: string): Promise<void> {
  const { number, table } = settledBills[module];
  await sql`UPDATE ${sql.table(table)} SET ${touchSql(currentUser)} WHERE ${sql.ref(number)} = ${no}`.execute(db);
}

/** What a correction is the head of. */
interface CorrectionHead {
  crbId: string;
  siteId: string;
  rfbId: string | null;
  lcbId: string | null;
  supplierName: string | null;
  currency: string | null;
}

/** The head of a correction, before its lines. */
export async function writeHead({ db, currentUser }: Context, head: CorrectionHead): Promise<number> {
  const { id } = await db
    .insertInto('rma_correction_bill')
    .values({ ...head, billStatus: CorrectionStatus.AwaitingReview, createBy: currentUser.userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return Number(id);
}

/**
 * The lines of a correction, in place of those that it had. What of a line is no tax is reckoned of what is left of it, at the
 * rate of the settled line: so however many correct it, what was rounded never adds up, and net and tax stay between nothing
 * and what is left. Rule: money#correction-bills.
 */
export async function writeLines(
  { db, currentUser }: Context,
  module: SettledModule,
  no: string,
  crbId: string,
  entries: readonly Entry[],
): Promise<{ lineCount: number; includingTaxAmount: string }> {
  await db.deleteFrom('rma_correction_bill_line').where('crbId', '=', crbId).execute();
  const netLeft = payable(sql`(l."left" + e.amount) * 100 / (100 + l.tax)`, sql`l.currency`);
  await sql`
    INSERT INTO rma_correction_bill_line
      ("crbId", "lineId", sn, "deliverShipNo", "settledFor", "chargeItems", "settledAmount", "taxRate", currency,
       "includingTaxAmount", "excludingTaxAmount", "taxAmount", reason, "createBy")
    SELECT ${crbId}, l."lineId", l.sn, l."deliverShipNo", l."settledFor", l."chargeItems", l.gross, l.tax, l.currency,
           e.amount, n.net, e.amount - n.net, btrim(e.reason), ${currentUser.userId}
      FROM json_to_recordset(${JSON.stringify(entries)}::json) AS e("lineId" bigint, amount numeric, reason text)
      JOIN ${leftOf(module, no, crbId)} AS l ON l."lineId" = e."lineId"
     CROSS JOIN LATERAL (
           SELECT CASE WHEN l."left" + e.amount = 0 THEN -l."leftNet"
                       ELSE least(greatest(${netLeft} - l."leftNet", least(e.amount, 0)), greatest(e.amount, 0)) END AS net) AS n
     ORDER BY l."lineId"`.execute(db);
  const { rows } = await sql<{ lineCount: number; includingTaxAmount: string }>`
    UPDATE rma_correction_bill AS h
       SET "lineCount" = l.n, "excludingTaxAmount" = l.net, "taxAmount" = l.gross - l.net, "includingTaxAmount" = l.gross
      FROM (SELECT count(*)::int AS n, sum("excludingTaxAmount") AS net, sum("includingTaxAmount") AS gross
              FROM rma_correction_bill_line WHERE "crbId" = ${crbId}) AS l
     WHERE h."crbId" = ${crbId}
    RETURNING h."lineCount", ${payable(sql`h."includingTaxAmount"`, sql`h.currency`)}::text AS "includingTaxAmount"`.execute(
    db,
  );
  return rows[0] as (typeof rows)[number];
}

/** A correction waits for its reviews anew; the words of the earlier ones stand in the ledger. It says its currency from here on. */
export async function sendAgain({ db, currentUser }: Context, id: number, currency: string): Promise<void> {
  await sql`
    UPDATE rma_correction_bill
       SET "billStatus" = ${CorrectionStatus.AwaitingReview}, currency = ${currency}, "resubmitBy" = ${currentUser.userId}, "resubmitTime" = now(),
           "financialReviewBy" = NULL, "financialReviewTime" = NULL, "financialAuditBy" = NULL,
           "financialAuditTime" = NULL, "reviewRemark" = NULL, ${touchSql(currentUser)}
     WHERE id = ${id}`.execute(db);
}
