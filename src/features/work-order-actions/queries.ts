import { OperateStatus } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { holdBank } from '#server/workflow/bankLocks.ts';
import { touch } from '#server/touch.ts';
import { changeLot, noteLot, type LotChange } from '#server/workflow/lots.ts';

/**
 * What an order had reserved goes back to its lots, each piece with a line of its own in their history. Both lines are as
 * rolled back, so that what was done with the lot before is its newest again.
 * Rule: wafer-bank#states.
 */
export async function reverse(ctx: Context, workOrderNo: string): Promise<number> {
  await holdBank(ctx, { orders: [workOrderNo] });
  const rows = await ctx.db
    .selectFrom('icop_transaction')
    .select(['id', 'wipId', 'waferId', 'bin', 'qty'])
    .where('workOrderNo', '=', workOrderNo)
    .where('transactionType', '=', 'RESERVE')
    .where('operateStatus', '=', OperateStatus.Normal)
    .orderBy('wipId')
    .orderBy('id')
    .execute();
  for (const { wipId, waferId, bin, qty } of rows) {
    const change: LotChange = { wipId, waferId, bin, by: qty ?? 0 };
    const { before, after } = await changeLot(ctx, change, { isReserve: true });
    await noteLot(ctx, { ...change, type: 'REVERSE', qty: qty ?? 0, before, after, workOrderNo, isRollback: true });
  }
  await ctx.db
    .updateTable('icop_transaction')
    .set({ operateStatus: OperateStatus.Rollbacked, ...touch(ctx.currentUser) })
    .where('id', '=', anyOf(rows.map((it) => it.id)))
    .execute();
  return rows.length;
}
