import { sql } from 'kysely';
import { Flag } from '#domain/enums.ts';
import { PriceBillStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { touchSql } from '#server/touch.ts';

/** How many lines of a repair-fee bill have no price yet. Rule: money#repair-fees. */
export async function unpricedLines({ db }: Context, rfbId: string): Promise<number> {
  const { n } = await db
    .selectFrom('rma_repair_fee_bill_line')
    .select((it) => it.fn.countAll<number>().as('n'))
    .where('rfbId', '=', rfbId)
    .where('isPriced', '=', Flag.No)
    .executeTakeFirstOrThrow();
  return n;
}

/**
 * A price that is passed takes the place of an earlier one for the same work: the older ends the day before, one that
 * had not begun by then is voided. Rule: money#price-bills.
 */
export async function endEarlierPrices({ db, currentUser }: Context, id: number): Promise<string[]> {
  const { rows } = await sql<{ prbId: string }>`
    UPDATE rma_price_bill AS older
       SET "expirationDate" = CASE WHEN older."effectiveDate" < newer."effectiveDate"
                                   THEN newer."effectiveDate" - 1 ELSE older."expirationDate" END,
           "billStatus" = CASE WHEN older."effectiveDate" < newer."effectiveDate"
                               THEN older."billStatus" ELSE ${PriceBillStatus.Voided} END,
           ${touchSql(currentUser, 'older')}
      FROM rma_price_bill AS newer
     WHERE newer.id = ${id} AND older.id <> newer.id AND older."billStatus" = ${PriceBillStatus.Passed}
       AND older."siteId" = newer."siteId" AND older."supplierName" = newer."supplierName"
       AND older."repairProject" = newer."repairProject" AND older.warranty = newer.warranty
       AND older."machineType" = newer."machineType" AND older."repairType" = newer."repairType"
       AND older.currency = newer.currency
       AND older."effectiveDate" <= newer."expirationDate" AND older."expirationDate" >= newer."effectiveDate"
    RETURNING older."prbId"`.execute(db);
  return rows.map((it) => it.prbId);
}
