import { sql } from 'kysely';
import { DeliverPriority, DeliverStatus, Flag, OperateStatus } from '#domain/enums.ts';
import { validateNotOnBill } from '#domain/hold.ts';
import { Node } from '#domain/nodes.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { touch, touchSql } from '#server/touch.ts';
import { takeBackDelivery } from '#server/workflow/deliveries.ts';
import { namesOfOne } from '#server/workflow/names.ts';
import { devicesAround } from '#server/workflow/parts.ts';
import { settle, takeOutOfStock } from '#server/workflow/placing.ts';
import { leavesStockup, recountStockup } from '#server/workflow/stockup.ts';
import { lockUnits } from '#server/workflow/unitLocks.ts';
import type { Unit } from '#server/workflow/units.ts';
import { beforeStep, laterFirst, latestStep, moveBack, takeOffRecord } from './records.ts';
import type { RecordedStep, Undo } from './step.ts';

const stores = { head: 'rma_store_bill', lines: 'rma_store_bill_line', by: 'stbId' };

/**
 * The unit was not stored: it leaves its shelf and its stock-up bill; own goods, which became stock, are on their bill
 * again. Rule: events#e22, bills#own-goods.
 */
export const undoStoring: Undo = async (ctx, step, unit, remark) => {
  const removed = await takeOffRecord(ctx, stores, step.billId, [unit.sn]);
  const { stocked = {} } = (await beforeStep(ctx, {
    module: 'rmaStoreBill',
    what: 'store',
    recordId: step.billId,
  })) as { stocked?: Record<string, string> };
  const kept = stocked[unit.sn];
  if (kept) {
    const standing = await takeOutOfStock(ctx, unit, kept);
    if (!standing) throw laterFirst(step.step);
    await moveBack(ctx, step, standing, remark);
    await settle(ctx, standing);
    return { taken: removed };
  }
  await moveBack(ctx, step, unit, remark);
  if (!unit.mtbliId) return { taken: removed };
  await leavesStockup(ctx, [unit.mtbliId]);
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({ deliverStatus: DeliverStatus.CannotShip, ...touch(ctx.currentUser) })
    .where('mtbliId', '=', unit.mtbliId)
    .execute();
  await settle(ctx, unit);
  return { taken: removed };
};

/**
 * The unit was not activated: it is where it was, on its shelf or in its device, and scrap of a finished bill is that
 * bill's again. What it was is in the ledger's row of this very activation. Rule: events#e23.
 */
export const undoActivation: Undo = async (ctx, step, unit, remark) => {
  const row = await ctx.db
    .selectFrom('ledger as g')
    .innerJoin('rma_transaction as t', 't.eventTime', 'g.at')
    .select('g.before')
    .where('t.id', '=', step.id)
    .where('g.module', '=', 'rmaStoreBill')
    .where('g.what', '=', 'storeStart')
    .where('g.recordId', '=', unit.sn)
    .executeTakeFirst();
  const was = (row?.before ?? {}) as Record<string, string | null>;
  const { mtbId, mtblId, mtbliId, subinventoryCode, storageType, siteId = unit.siteId } = was;
  await moveBack(ctx, step, unit, remark);
  await ctx.db
    .updateTable('rma_inventory')
    .set({ ...(siteId && { siteId }), mtbId, mtblId, mtbliId, subinventoryCode, storageType })
    .where('sn', '=', unit.sn)
    .execute();
  await sql`
    UPDATE ubs_assembly AS a
       SET "unbindTime" = NULL, ${touchSql(ctx.currentUser, 'a')}
      FROM rma_transaction AS t
     WHERE t.id = ${step.id} AND a."componentSn" = ${unit.sn} AND a."unbindTime" = t."eventTime"`.execute(ctx.db);
  return { activated: row?.before };
};

/**
 * The unit did not leave: it is on the shelf and, unless it was paused since, on its stock-up bill again, and its bill
 * is open. Rule: events#e25.
 */
export const undoDelivery: Undo = async (ctx, step, unit, remark) => {
  // A board that left by itself has come back inside a device.
  const device = (await devicesAround(ctx, [unit.sn])).get(unit.sn);
  if (device) throw new Refusal({ key: 'partBound', field: 'id', args: { sn: unit.sn, device } });
  const item = await findItem(ctx, step);
  if (!item) throw laterFirst(step.step);
  const { mtbliId, mtbId, mtblId } = item;
  const isPaused = item.deliverPriority === DeliverPriority.Paused;
  const removed = await takeBackDelivery(ctx, mtbliId, isPaused ? DeliverStatus.CannotShip : DeliverStatus.CanShip);
  const tallied = await tallyAgain(ctx, mtbliId);
  if (isPaused) await leavesStockup(ctx, [mtbliId]);
  await moveBack(ctx, step, unit, remark);
  if (unit.mtbliId !== mtbliId) {
    if (!tallied) throw laterFirst(step.step);
    await takeOwnUnitBack(ctx, step, item, tallied);
  }
  await settle(ctx, { mtbId, mtblId });
  return { taken: removed };
};

/** Of which item this delivery was; for an exchange not the unit's own. */
async function findItem({ db }: Context, { billId, sn }: RecordedStep) {
  const row = await db
    .selectFrom('rma_deliver_bill_line as l')
    .innerJoin('rma_maintain_bill_line_item as i', 'i.mtbliId', 'l.mtbliId')
    .innerJoin('rma_maintain_bill as b', 'b.mtbId', 'i.mtbId')
    .select(['i.mtbliId', 'i.mtblId', 'i.mtbId', 'i.deliverPriority'])
    .where('l.dvbId', '=', billId)
    .where('l.sn', '=', sn)
    .forNoKeyUpdate('b')
    .executeTakeFirst();
  return row;
}

/** Its line waits again; gives that line, on which the own unit's SN stands whatever left. */
async function tallyAgain(ctx: Context, mtbliId: string): Promise<{ skbId: string; sn: string } | undefined> {
  const rows = await ctx.db
    .updateTable('rma_stockup_bill_line')
    .set({ delivered: Flag.No, ...touch(ctx.currentUser) })
    .where('mtbliId', '=', mtbliId)
    .where('delivered', '=', Flag.Yes)
    .returning(['skbId', 'sn'])
    .execute();
  const [tallied] = rows;
  if (!tallied) return undefined;
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({ stockup: Flag.Yes })
    .where('mtbliId', '=', mtbliId)
    .execute();
  await recountStockup(
    ctx,
    rows.map((it) => it.skbId),
  );
  return { skbId: tallied.skbId ?? '', sn: tallied.sn ?? '' };
}

/**
 * The unit for which another one had gone out stands on its bill again. Refused where that can't be: a bill speaks for
 * it, it has gone on as stock, or it is at another site than the stock-up bill ships from. Rule: stock-up#advance.
 */
async function takeOwnUnitBack(
  ctx: Context,
  step: RecordedStep,
  item: { mtbliId: string; mtblId: string | null; mtbId: string | null },
  { skbId, sn }: { skbId: string; sn: string },
): Promise<void> {
  const own: Unit | undefined = (await lockUnits(ctx.db, [sn])).get(sn);
  if (own) refuseIfAny(validateNotOnBill(own, 'id'));
  // It is called otherwise, stands for another item, or is inside a device.
  if (!own || own.mtbId !== null || own.ivyId === null) throw await ownMovedOn(ctx, sn);
  const { siteId } = await ctx.db
    .selectFrom('rma_stockup_bill')
    .select('siteId')
    .where('skbId', '=', skbId)
    .executeTakeFirstOrThrow();
  if (own.siteId !== siteId) throw new Refusal({ key: 'ownElsewhere', field: 'id', args: { sn, id: skbId } });
  if (await wentOnAsStock(ctx, sn, step.id)) throw await ownMovedOn(ctx, sn);
  await ctx.db
    .updateTable('rma_inventory')
    .set({ mtbId: item.mtbId, mtblId: item.mtblId, mtbliId: item.mtbliId, ...touch(ctx.currentUser) })
    .where('sn', '=', sn)
    .execute();
}

/**
 * Whether it was activated since, or another part took its place: the rollback of that would take it off the bill to
 * which it came back meanwhile.
 */
async function wentOnAsStock({ db }: Context, sn: string, since: number): Promise<boolean> {
  const later = await db
    .selectFrom('rma_transaction')
    .select('id')
    .where('sn', '=', sn)
    .where('id', '>', since)
    .where('operateStatus', '=', OperateStatus.Normal)
    .where((it) =>
      it.or([it('step', '=', 'storeStart'), it.and([it('step', '=', 'repair'), it('toNode', '=', Node.Scrapped)])]),
    )
    .limit(1)
    .executeTakeFirst();
  return later !== undefined;
}

/** The unit for which another one had left has gone on; what was done with it last is to be rolled back first. */
async function ownMovedOn(ctx: Context, tallied: string): Promise<Refusal> {
  const sn = (await namesOfOne(ctx.db, tallied)).now;
  const step = (await latestStep(ctx, sn))?.step ?? 'deliver';
  return new Refusal({ key: 'ownMovedOn', field: 'id', args: { sn, step: { options: 'workflowSteps', value: step } } });
}
