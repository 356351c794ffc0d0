import { OperateStatus } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { holdBank } from '#server/workflow/bankLocks.ts';
import { changeLot, noteLot, type LotChange } from '#server/workflow/lots.ts';

/**
 * What an order had reserved goes back to its lots, each piece with a line of its own in their history.
 * Rule: wafer-bank#states.
 */
export async function reverse(ctx: Context, workOrderNo: string): Promise<number> {
  await holdBank(ctx, { orders: [workOrderNo] });
  const rows = await ctx.db
    .selectFrom('icop_transaction')
    .select(['wipId', 'waferId', 'bin', 'qty'])
    .where('workOrderNo', '=', workOrderNo)
    .where('transactionType', '=', 'RESERVE')
    .where('operateStatus', '=', OperateStatus.Normal)
    .orderBy('wipId')
    .orderBy('id')
    .execute();
  for (const { wipId, waferId, bin, qty } of rows) {
    const change: LotChange = { wipId, waferId, bin, by: qty ?? 0 };
    const { before, after } = await changeLot(ctx, change, { isReserve: true });
    await noteLot(ctx, { ...change, type: 'REVERSE', qty: qty ?? 0, before, after, workOrderNo });
  }
  return rows.length;
}
