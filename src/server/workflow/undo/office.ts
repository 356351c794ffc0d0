import { DeliverStatus, Flag } from '#domain/enums.ts';
import { atSite } from '#server/context.ts';
import { itemBought } from '#server/workflow/buyOuts.ts';
import { settle } from '#server/workflow/placing.ts';
import { findLineChange, wasLetGo } from '#server/workflow/lineChanges.ts';
import { leavesStockup, tallyAsBefore } from '#server/workflow/stockup.ts';
import { laterFirst, moveBack, now, unitNow } from './records.ts';
import type { Undo } from './step.ts';

/**
 * The unit was not bought: it stands on its bill again, which is open, and its item ships or waits as before.
 * Rule: events#e28.
 */
export const undoBuyOut: Undo = async (ctx, step, unit, remark) => {
  const was = await itemBought(ctx, step.mtbId, unit.sn);
  const item =
    was &&
    (await ctx.db
      .selectFrom('rma_maintain_bill_line_item')
      .select(['mtblId', 'mtbId'])
      .where('mtbliId', '=', was.mtbliId)
      .where('deliverStatus', '=', DeliverStatus.BoughtOut)
      .executeTakeFirst());
  // Sold, activated or received again, it is nobody's stock any more.
  if (!item || unit.mtbId !== null) throw laterFirst(step.step);
  const { mtblId, mtbId } = item;
  const { mtbliId, deliverStatus, stockup, tally } = was;
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({ deliverStatus, ...now(ctx) })
    .where('mtbliId', '=', mtbliId)
    .execute();
  await ctx.db
    .updateTable('rma_inventory')
    .set({ mtbId, mtblId, mtbliId, ...now(ctx) })
    .where('sn', '=', unit.sn)
    .execute();
  await moveBack(ctx, step, unit, remark);
  if (stockup === Flag.Yes) await tallyAsBefore(ctx, await unitNow(ctx, unit), tally);
  await settle(ctx, { mtbId, mtblId });
  return { mtbliId };
};

/** The unit stands at its former site again, and ships from where it did before. Rule: events#e33. */
export const undoSiteChange: Undo = async (ctx, step, unit, remark) => {
  const siteId = step.fromSiteId;
  const change = await findLineChange<{ siteId: string }>(ctx, step);
  if (!siteId || !unit.mtbliId || !change) throw laterFirst(step.step);
  const { was } = change;
  const left = await leavesStockup(ctx, [unit.mtbliId]);
  await ctx.db
    .updateTable('rma_inventory')
    .set({ siteId, ...now(ctx) })
    .where('sn', '=', unit.sn)
    .execute();
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({ siteId: was.siteId, deliverSiteId: was.deliverSiteId, ...now(ctx) })
    .where('mtbliId', '=', unit.mtbliId)
    .execute();
  const there = atSite(ctx, siteId);
  await moveBack(there, step, unit, remark);
  if (left.length > 0 && !wasLetGo(was)) await tallyAsBefore(there, await unitNow(ctx, unit), was.tally);
  return { siteId: step.siteId };
};
