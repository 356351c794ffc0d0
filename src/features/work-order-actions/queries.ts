import { sql } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { Stage } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { changeLot, noteLot, type LotChange } from '#server/workflow/lots.ts';
import { spread } from './rules.ts';

/**
 * What an order had reserved goes back to its lots, each piece with a line of its own in their history.
 * Rule: wafer-bank#states.
 */
export async function reverse(ctx: Context, workOrderNo: string): Promise<number> {
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

/** The lines of a wafer order become lots in the wafer bank, wafer by wafer. Rule: wafer-bank#entry. */
export async function receiveLots(ctx: Context, order: Record<string, unknown>): Promise<number> {
  const workOrderNo = String(order['workOrderNo']);
  const lines = await ctx.db
    .selectFrom('icop_wafer_work_order_line')
    .selectAll()
    .where('workOrderNo', '=', workOrderNo)
    .where('wipId', 'is', null)
    .orderBy('id')
    .execute();
  for (const line of lines) {
    const wipId = await ctx.numbers.next('WIP');
    const waferIds = (line.waferIds ?? '').split(',').filter(Boolean);
    const chipQty = line.chipQty ?? 0;
    const text = (name: string) => (order[name] ?? null) as string | null;
    await ctx.db
      .insertInto('icop_wip')
      .values({
        wipId,
        stage: Stage.WaferBank,
        stageName: Stage.WaferBank,
        workOrderNo,
        workOrderType: 'icopWaferWorkOrder',
        lotType: text('lotType'),
        engineeringCode: text('engineeringCode'),
        waferPn: line.waferPn,
        waferMpn: line.waferMpn,
        waferLotId: line.waferLotId,
        waferIds: line.waferIds,
        waferQty: waferIds.length,
        chipQty,
        remainQty: chipQty,
        supplierId: text('supplierId'),
        supplierName: text('supplierId'),
        siteId: text('siteId'),
        siteName: text('siteId'),
        inventoryOrg: text('inventoryOrg'),
        inTime: sql<string>`now()`,
        createBy: ctx.currentUser.userId,
      })
      .execute();
    const pieces = spread(chipQty, waferIds.length);
    if (waferIds.length > 0) {
      await ctx.db
        .insertInto('icop_wip_wafer')
        .values(
          waferIds.map((waferId, i) => ({
            wipId,
            waferId,
            chipQty: pieces[i] ?? 0,
            originalQty: pieces[i] ?? 0,
            createBy: ctx.currentUser.userId,
          })),
        )
        .execute();
    }
    await ctx.db.updateTable('icop_wafer_work_order_line').set({ wipId }).where('id', '=', line.id).execute();
    await noteLot(ctx, {
      wipId,
      waferId: null,
      bin: null,
      type: 'IN',
      qty: chipQty,
      before: 0,
      after: chipQty,
      workOrderNo,
    });
  }
  return lines.reduce((sum, it) => sum + (it.waferQty ?? 0), 0);
}
