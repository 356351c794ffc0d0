import { OperateStatus } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { touch } from '#server/touch.ts';
import { changeLot, noteLot, type LotChange } from '#server/workflow/lots.ts';

/** A wafer or bin that an order has reserved. */
export interface Reserved {
  /** Of its entry in the history of the lot. */
  id: number;
  wipId: string;
  waferId: string | null;
  bin: string | null;
  qty: number;
  /** What was left of the piece then. */
  afterQty: number;
}

/** What an order has reserved and did not give back, lot by lot. */
export async function readReserved({ db }: Context, workOrderNo: string): Promise<Reserved[]> {
  const rows = await db
    .selectFrom('icop_transaction')
    .select(['id', 'wipId', 'waferId', 'bin', 'qty', 'afterQty'])
    .where('workOrderNo', '=', workOrderNo)
    .where('transactionType', '=', 'RESERVE')
    .where('operateStatus', '=', OperateStatus.Normal)
    .orderBy('wipId')
    .orderBy('id')
    .execute();
  return rows.map((it) => ({ ...it, qty: it.qty ?? 0, afterQty: it.afterQty ?? 0 }));
}

/**
 * What an order had reserved goes back to its lots, each piece with a line of its own in their history. Both lines are as
 * rolled back, so that what was done with the lot before is its newest again. Order and lots are held by the caller.
 * Rule: wafer-bank#states.
 */
export async function giveBack(ctx: Context, workOrderNo: string, reserved: readonly Reserved[]): Promise<void> {
  for (const { wipId, waferId, bin, qty } of reserved) {
    const change: LotChange = { wipId, waferId, bin, by: qty };
    const { before, after } = await changeLot(ctx, change, { isReserve: true });
    await noteLot(ctx, { ...change, type: 'REVERSE', qty, before, after, workOrderNo, isRollback: true });
  }
  await ctx.db
    .updateTable('icop_transaction')
    .set({ operateStatus: OperateStatus.Rollbacked, ...touch(ctx.currentUser) })
    .where('id', '=', anyOf(reserved.map((it) => it.id)))
    .execute();
}
