import { sql } from 'kysely';
import { Flag, SELF_PICKUP, SelfPickupStatus, StockupStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { touch } from '#server/touch.ts';
import { itemIsUndelivered, stockupLives } from '#server/workflow/states.ts';
import type { Review } from './rules.ts';

/** The maintain bills that a pickup is about: the one it names, else those of its website work order. */
export async function findBills(
  { db }: Context,
  { mtbId, btmMtbId, siteId }: Record<'mtbId' | 'btmMtbId' | 'siteId', string | null>,
): Promise<string[]> {
  if (!mtbId && !btmMtbId) return [];
  const rows = await db
    .selectFrom('rma_maintain_bill')
    .select('mtbId')
    .where(mtbId ? 'mtbId' : 'btmMtbId', '=', mtbId || btmMtbId)
    .where('siteId', '=', siteId)
    .orderBy('mtbId')
    .execute();
  return rows.map((it) => it.mtbId);
}

/** Writes the review on a pickup that still waits for one. */
export async function saveReview({ db, currentUser }: Context, id: number, it: Review): Promise<void> {
  const isAgreed = it.selfPickupStatus === SelfPickupStatus.Agreed;
  const { numUpdatedRows } = await db
    .updateTable('rma_self_pickup')
    .set({
      selfPickupStatus: it.selfPickupStatus,
      pickupAddress: isAgreed ? it.pickupAddress : null,
      pickupTime: isAgreed && it.pickupTime !== null ? new Date(it.pickupTime) : null,
      rejectionReason: isAgreed ? null : it.rejectionReason,
      branchContact: it.branchContact || null,
      reviewBy: currentUser.userId,
      reviewTime: sql`now()`,
      ...touch(currentUser),
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new Refusal({ key: 'stale' });
}

/**
 * What is still to be delivered of these bills is fetched by the customer: their open stock-up bills, cancelled ones
 * that a reset would bring back, and all items that ship with these bills, also later. What ships with another bill
 * goes where that one does. The bills are locked by the caller. Rule: events#e38, events#e32.
 */
export async function shipsBySelfPickup({ db, currentUser }: Context, mtbIds: readonly string[]): Promise<string[]> {
  if (mtbIds.length === 0) return [];
  await db
    .insertInto('ubs_shipment')
    .values({ shipId: SELF_PICKUP, name: '客户自提', nameEn: 'Self-pickup', createBy: currentUser.userId })
    .onConflict((it) => it.doNothing())
    .execute();
  const change = {
    deliverShipId: SELF_PICKUP,
    ...touch(currentUser),
  };
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set(change)
    .where((it) =>
      it.or([
        it('deliverMtbId', '=', anyOf(mtbIds)),
        it.and([it('mtbId', '=', anyOf(mtbIds)), it('deliverMtbId', 'is', null)]),
      ]),
    )
    .where(itemIsUndelivered('rma_maintain_bill_line_item'))
    .execute();
  const rows = await db
    .updateTable('rma_stockup_bill')
    .set(change)
    .where('mtbId', '=', anyOf(mtbIds))
    .where(
      sql<boolean>`(${stockupLives('rma_stockup_bill')} OR (status = ${sql.lit(StockupStatus.Cancelled)} AND EXISTS (
        SELECT 1 FROM rma_stockup_bill_line AS l WHERE l."skbId" = rma_stockup_bill."skbId"
          AND l.delivered = ${sql.lit(Flag.No)})))`,
    )
    .returning('skbId')
    .execute();
  return rows.map((it) => it.skbId).toSorted();
}

export const fileById = ({ db }: Context, id: string) =>
  db.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirst();
