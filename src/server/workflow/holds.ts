import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { BillHold } from '#domain/hold.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context, CurrentUser } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import type { Tables } from '#server/db/tables.ts';
import { touch } from '#server/touch.ts';

/** Which bill, of which kind. */
type HoldingBill = Pick<BillHold, 'kind' | 'billId'>;

interface HoldColumns {
  holdKind: string | null;
  holdBillId: string | null;
  holdTime: number | null;
  holdSiteIds: string[];
}

/** The sites of the bill that speaks for a unit `u`, by its kind. */
const holdSiteIds: RawBuilder<string[]> = sql`
  CASE u."holdKind" WHEN 'transfer' THEN
    (SELECT ARRAY[t."deliverSiteId", t."receiveSiteId"] FROM rma_stock_transfer_bill AS t WHERE t."sktbId" = u."holdBillId")
  ELSE
    (SELECT ARRAY[r."siteId"] FROM rma_scrap_repair_bill AS r WHERE r."srbId" = u."holdBillId")
  END`;

/** Adds what `billHoldOf` reads to a query of units, which are `u` in it. */
export const selectBillHold = <DB extends Tables & { u: Tables['rma_inventory'] }, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O & HoldColumns> =>
  query.select([
    sql<string | null>`u."holdKind"`.as('holdKind'),
    sql<string | null>`u."holdBillId"`.as('holdBillId'),
    sql<number | null>`u."holdTime"`.as('holdTime'),
    holdSiteIds.as('holdSiteIds'),
  ]) as SelectQueryBuilder<DB, TB, O & HoldColumns>;

/** Units `u` for which a bill of one of the user's sites speaks, wherever they are. Rule: units#hold. */
export const isHeldForSites = ({ sites }: Pick<CurrentUser, 'sites'>): RawBuilder<boolean> =>
  sites === 'all' ? sql<boolean>`true` : sql<boolean>`coalesce((${holdSiteIds})::text[] && ${sites}::text[], false)`;

/** The bill beside the chain that speaks for a unit, if one does. Rule: units#hold. */
export const billHoldOf = (it: HoldColumns): BillHold | null =>
  it.holdKind === null || it.holdBillId === null
    ? null
    : {
        kind: it.holdKind as BillHold['kind'],
        billId: it.holdBillId,
        since: it.holdTime ?? 0,
        siteIds: it.holdSiteIds ?? [],
      };

/**
 * From now on this bill speaks for these units, which the caller has locked and let through the guard. One that is
 * spoken for, or is there no more, refuses the whole submit. `leavesStock`: they lie in no warehouse any more; each
 * row is written once, as it has many indexes. Rule: units#hold.
 */
export async function holdFor(
  ctx: Context,
  sns: readonly string[],
  bill: HoldingBill,
  { leavesStock = false } = {},
): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('rma_inventory')
    .$if(leavesStock, (it) => it.set({ subinventoryCode: null, storageType: null }))
    .set({ holdKind: bill.kind, holdBillId: bill.billId, holdTime: sql<Date>`now()`, ...touch(ctx.currentUser) })
    .where('sn', '=', anyOf(sns))
    .where('holdKind', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(numUpdatedRows) !== sns.length) throw new Refusal({ key: 'stale' });
}

/** This bill speaks for these units no more. One that another bill speaks for refuses the whole submit. Rule: units#hold. */
export async function releaseHold(ctx: Context, sns: readonly string[], bill: HoldingBill): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('rma_inventory')
    .set({ holdKind: null, holdBillId: null, holdTime: null, ...touch(ctx.currentUser) })
    .where('sn', '=', anyOf(sns))
    .where('holdKind', '=', bill.kind)
    .where('holdBillId', '=', bill.billId)
    .executeTakeFirstOrThrow();
  if (Number(numUpdatedRows) !== sns.length) throw new Refusal({ key: 'stale' });
}
