import { isProposal } from '#domain/hold.ts';
import { sql } from 'kysely';
import { DeliverPriority, DeliverStatus, Flag, Warehouse } from '#domain/enums.ts';
import { Disposition } from '#domain/issueCode.ts';
import { isOwnBill } from '#domain/maintainBill.ts';
import { Node, storageTypeAt } from '#domain/nodes.ts';
import type { HistoryStep } from '#domain/workflow.ts';
import { atSite, type Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { touch, touchSql } from '#server/touch.ts';
import { finishBills, recountLines, reopenBills } from '#server/workflow/bills.ts';
import { putBackDelivery, recordByHand, takeBackDelivery, takeOffTally } from '#server/workflow/deliveries.ts';
import { itemsBefore, type ItemBefore } from '#server/workflow/itemsBefore.ts';
import { moveUnits } from '#server/workflow/moves.ts';
import { unsettle } from '#server/workflow/settled.ts';
import { goesOnStockup, leavesStockup, tallyAsBefore } from '#server/workflow/stockup.ts';
import { readUnits, type Unit } from '#server/workflow/units.ts';
import { endsAnew } from '#server/workflow/work.ts';

/**
 * Sets the node of a unit by hand, and with it what always goes with that node: on the shelf an item can ship and is
 * stocked up, shipped it is delivered, scrapped it is counted as scrap, anywhere else it can't ship; a hold is
 * released, a finished bill with an open item is open again. The bill and the unit are locked by the caller. Gives what
 * the item was until now; given that again as `was`, the item is so once more. Rule: events#e36, events#e37,
 * counts#pairs.
 */
export async function setUnitNode(
  ctx: Context,
  unit: Unit,
  to: Node | null,
  { step, note, was }: { step: HistoryStep; note: string; was?: ItemBefore | undefined },
): Promise<ItemBefore | undefined> {
  const there = atSite(ctx, unit.siteId ?? ctx.currentUser.siteId);
  await dropProposals(there, [unit]);
  const item = unit.mtbliId ? (await itemsBefore(there, [unit.mtbliId])).get(unit.mtbliId) : undefined;
  if (item) await leave(there, unit, item, to);
  await moveUnits(there, [{ unit, to, note }], step, null);
  await shelve(there, [unit.sn], to);
  if (item && was?.mtbliId === item.mtbliId) await restore(there, unit, item, was);
  else if (item) await arrive(there, unit, item, to);
  await settle(ctx, unit);
  return item;
}

/** Counts of the line and the end of the bill follow from the items. Rule: counts#lines. */
export async function settle(ctx: Context, { mtbId, mtblId }: Pick<Unit, 'mtbId' | 'mtblId'>): Promise<void> {
  if (mtblId) await recountLines(ctx.db, [mtblId]);
  if (!mtbId) return;
  await reopenBills(ctx.db, [mtbId]);
  await finishBills(ctx.db, [mtbId]);
}

/**
 * An item for which another machine goes out in advance stays tallied while its own unit moves inside the workshop.
 * Rule: stock-up#advance.
 */
export const isTalliedAhead = (unit: Unit, item: Pick<ItemBefore, 'exchange' | 'stockup'>): boolean =>
  item.exchange === Flag.Yes && item.stockup === Flag.Yes && unit.ivyId !== Node.CanShip;

async function leave(ctx: Context, unit: Unit, item: ItemBefore, to: Node | null): Promise<void> {
  const { mtbliId } = item;
  if (unit.ivyId === Node.Shipped) {
    await takeBackDelivery(ctx, mtbliId, DeliverStatus.CannotShip);
    await takeOffTally(ctx, mtbliId);
    return;
  }
  const ends = to === Node.Shipped || to === Node.Scrapped;
  if (unit.ivyId === Node.Scrapped) await unsettle(ctx, [mtbliId]);
  if (to !== Node.CanShip && (ends || !isTalliedAhead(unit, item))) await leavesStockup(ctx, [mtbliId]);
}

async function arrive(ctx: Context, unit: Unit, item: ItemBefore, to: Node | null): Promise<void> {
  const { mtbliId } = item;
  if (to === Node.Shipped) {
    if (unit.ivyId === Node.Scrapped) await setItem(ctx, mtbliId, { scrap: Flag.No });
    await recordByHand(ctx, unit);
  } else if (to === Node.Scrapped) {
    await setItem(ctx, mtbliId, { scrap: Flag.Yes, deliverStatus: DeliverStatus.Scrapped });
  } else if (to === Node.CanShip && isOwnBill(unit.billType)) {
    if (unit.ivyId === Node.Scrapped) await setItem(ctx, mtbliId, { scrap: Flag.No });
    await takeIntoStock(ctx, [unit]);
  } else if (to === Node.CanShip) {
    const isPaused = item.deliverPriority === DeliverPriority.Paused;
    await setItem(ctx, mtbliId, {
      ...(unit.ivyId === Node.Scrapped && { scrap: Flag.No }),
      deliverStatus: isPaused ? DeliverStatus.CannotShip : DeliverStatus.CanShip,
    });
    if (!isPaused) await goesOnStockup(ctx, [unit]);
  } else if (!isTalliedAhead(unit, item)) {
    await setItem(ctx, mtbliId, {
      ...(unit.ivyId === Node.Scrapped && { scrap: Flag.No }),
      deliverStatus: DeliverStatus.CannotShip,
    });
  }
}

/** The item is what it was, as far as the office has not decided otherwise meanwhile. Rule: events#e37. */
async function restore(ctx: Context, unit: Unit, item: ItemBefore, was: ItemBefore): Promise<void> {
  const { mtbliId } = item;
  const scrap = was.scrap ?? Flag.No;
  if (was.delivery) {
    await setItem(ctx, mtbliId, { scrap });
    await putBackDelivery(ctx, mtbliId, was.delivery);
    return;
  }
  const isOpen = was.deliverStatus === DeliverStatus.CannotShip || was.deliverStatus === DeliverStatus.CanShip;
  if (isOpen && isTalliedAhead(unit, item)) return;
  const isPaused = item.deliverPriority === DeliverPriority.Paused;
  const isFreed = isOpen && was.isOnShelf && was.deliverPriority === DeliverPriority.Paused && !isPaused;
  const before = isOpen && isPaused ? DeliverStatus.CannotShip : was.deliverStatus;
  const deliverStatus = isFreed ? DeliverStatus.CanShip : before;
  await setItem(ctx, mtbliId, { scrap, ...(deliverStatus && { deliverStatus }) });
  const isTallied = isFreed || was.stockup === Flag.Yes;
  if (deliverStatus === DeliverStatus.CanShip && isTallied) await tallyAsBefore(ctx, unit, was.waits);
}

async function setItem(
  ctx: Context,
  mtbliId: string,
  values: { scrap?: string; deliverStatus?: string },
): Promise<void> {
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({ ...values, ...touch(ctx.currentUser) })
    .where('mtbliId', '=', mtbliId)
    .execute();
  if (values.deliverStatus === DeliverStatus.Scrapped) await endsAnew(ctx, [mtbliId]);
}

/** Where units lie, by their node: goods on the shelf, scrap, or on their way through the workshop. */
export async function shelve({ db }: Context, sns: readonly string[], to: Node | null): Promise<void> {
  await db
    .updateTable('rma_inventory')
    .set({
      subinventoryCode: to === Node.CanShip ? Warehouse.Goods : null,
      // What was shipped stays known as what it was.
      ...(to !== Node.Shipped && { storageType: storageTypeAt(to) }),
    })
    .where('sn', '=', anyOf(sns))
    .execute();
}

/** The proposals of held units wait for nobody any more; what was found stays on the checks. */
export async function dropProposals(
  { db, currentUser }: Context,
  units: readonly Pick<Unit, 'sn' | 'held'>[],
): Promise<void> {
  const held = units.flatMap(({ sn, held: it }) => (isProposal(it) ? [{ sn, ckbId: it.billId }] : []));
  if (held.length === 0) return;
  await sql`
    UPDATE rma_check_bill_line AS l
       SET "scrapStatus" = CASE WHEN l.disposition = ${sql.lit(Disposition.Scrap)} THEN NULL ELSE l."scrapStatus" END,
           "nofaultConfirmStatus" = CASE WHEN l.disposition = ${sql.lit(Disposition.NoFault)}
                                         THEN NULL ELSE l."nofaultConfirmStatus" END,
           ${touchSql(currentUser, 'l')}
      FROM json_to_recordset(${JSON.stringify(held)}::json) AS h(sn text, "ckbId" text)
     WHERE l."ckbId" = h."ckbId" AND l.sn = h.sn`.execute(db);
}

/**
 * Own goods that lie on the shelf have come to their end: they are the site's stock, on no bill, and their items are kept.
 * The bills are locked by the caller, who settles them. Rule: bills#own-goods.
 */
export async function takeIntoStock(ctx: Context, units: readonly Pick<Unit, 'mtbliId'>[]): Promise<void> {
  const mtbliIds = units.flatMap((it) => it.mtbliId ?? []);
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({ deliverStatus: DeliverStatus.BoughtOut, ...touch(ctx.currentUser) })
    .where('mtbliId', '=', anyOf(mtbliIds))
    .execute();
  await moveToStock(ctx, mtbliIds);
}

/**
 * Own goods that became stock stand on their bill again, which the caller settles; gives the unit as it is then, or
 * nothing where it is no such stock. Rule: events#e37, bills#own-goods.
 */
export async function takeOutOfStock(ctx: Context, unit: Unit, mtbliId: string): Promise<Unit | undefined> {
  const item = await ctx.db
    .selectFrom('rma_maintain_bill_line_item as i')
    .innerJoin('rma_maintain_bill as b', 'b.mtbId', 'i.mtbId')
    .select(['i.mtbId', 'i.mtblId', 'b.billType'])
    .where('i.mtbliId', '=', mtbliId)
    .where('i.deliverStatus', '=', DeliverStatus.BoughtOut)
    .executeTakeFirst();
  if (!item || !isOwnBill(item.billType) || unit.mtbliId !== null) return undefined;
  const { mtbId, mtblId } = item;
  await setItem(ctx, mtbliId, { deliverStatus: DeliverStatus.CannotShip });
  await ctx.db
    .updateTable('rma_inventory')
    .set({ mtbId, mtblId, mtbliId, ...touch(ctx.currentUser) })
    .where('sn', '=', unit.sn)
    .execute();
  return (await readUnits(ctx.db, [unit.sn])).get(unit.sn);
}

/**
 * Units of these items stay in the workshop as their sites' own stock, each at its node. Rule: events#e28,
 * stock-up#advance.
 */
export async function moveToStock({ db, currentUser }: Context, mtbliIds: readonly string[]): Promise<void> {
  if (mtbliIds.length === 0) return;
  await db
    .updateTable('rma_inventory')
    .set({
      mtbId: null,
      mtblId: null,
      mtbliId: null,
      ...touch(currentUser),
    })
    .where('mtbliId', '=', anyOf(mtbliIds))
    .execute();
}
