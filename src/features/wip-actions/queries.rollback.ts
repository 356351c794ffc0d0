import { sql } from 'kysely';
import type { DataOf, InputOf } from '#domain/call.ts';
import { OperateStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import { WorkOrderStatus } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { holdRow } from '#server/engine/rowOf.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { touch, touchSql } from '#server/touch.ts';
import { changeLot, noteLot } from '#server/workflow/lots.ts';
import type { rollbackLot } from './contract.ts';

/** By how much the lot changed, for each kind of entry that can be undone; loss takes nothing from the lot it is told of. */
const signs: Record<string, number> = { RESERVE: -1, OUTPUT: 1, LOSS: 0 };

/**
 * Undoes the latest entry of a lot: what was reserved is there again and off its order, what came out of an order is
 * gone, and an order that was closed by it is open. Refused a second time, when something was done with the lot since,
 * and for entries that are no work order's. Rule: wafer-bank#rollback.
 */
export async function undoEntry(input: InputOf<typeof rollbackLot>, ctx: Context): Promise<DataOf<typeof rollbackLot>> {
  const remark = input.remark?.trim() ?? '';
  const entry = await holdRow(ctx, 'icopTransaction', input.id);
  if (remark === '') {
    throw new Refusal({ key: 'required', field: 'remark', args: { fields: [{ zh: '备注', en: 'Remark' }] } });
  }
  if (entry['operateStatus'] === OperateStatus.Rollbacked) throw new Refusal({ key: 'rolledBack', field: 'id' });
  const wipId = String(entry['wipId']);
  const type = String(entry['transactionType']);
  const word = (value: string) => ({ options: 'icopTransactionTypes', value });
  const latest = await ctx.db
    .selectFrom('icop_transaction')
    .select(['id', 'transactionType'])
    .where('wipId', '=', wipId)
    .where('operateStatus', '=', OperateStatus.Normal)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (latest?.id !== entry['id']) {
    throw new Refusal({ key: 'laterFirst', field: 'id', args: { step: word(latest?.transactionType ?? type) } });
  }
  const sign = signs[type];
  if (sign === undefined || !entry['workOrderNo']) {
    throw new Refusal({ key: 'notUndoable', field: 'id', args: { step: word(type) } });
  }
  const qty = Number(entry['qty'] ?? 0);
  const piece = { wipId, waferId: entry['waferId'] as string | null, bin: entry['bin'] as string | null };
  const { before, after } = await changeLot(ctx, { ...piece, by: -sign * qty }, { isReserve: type === 'RESERVE' });
  await onOrder(ctx, entry, type, qty);
  await ctx.db
    .updateTable('icop_transaction')
    .set({
      operateStatus: OperateStatus.Rollbacked,
      ...touch(ctx.currentUser),
    })
    .where('id', '=', Number(entry['id']))
    .execute();
  await noteLot(ctx, {
    ...piece,
    type: 'REVERSE',
    qty,
    before,
    after,
    workOrderNo: String(entry['workOrderNo']),
    remark,
    isRollback: true,
  });
  await recordInLedger(ctx, {
    what: 'rollback',
    module: 'icopTransaction',
    recordId: String(entry['id']),
    from: { wipId, type, qty },
    to: { before, after, remark },
  });
  return { id: Number(entry['id']), wipId };
}

const orders = ['icopBumpingCpWorkOrder', 'icopAssemblyWorkOrder', 'icopFtWorkOrder'];

/** The order counts what is left of its input, output and loss; closed by what is undone, it is in process again. */
async function onOrder(ctx: Context, entry: Record<string, unknown>, type: string, qty: number): Promise<void> {
  const column = { RESERVE: 'chipQty', OUTPUT: 'outputQty', LOSS: 'lossQty' }[type] as string;
  for (const module of orders) {
    const { table } = requireDefinition(ctx.model, module);
    await sql`
      UPDATE ${sql.table(table)}
         SET ${sql.ref(column)} = greatest(0, coalesce(${sql.ref(column)}, 0) - ${qty}),
             "billStatus" = CASE WHEN "billStatus" = ${WorkOrderStatus.Done} THEN ${WorkOrderStatus.InProcess}
                                 ELSE "billStatus" END,
             "doneTime" = NULL, ${touchSql(ctx.currentUser)}
       WHERE "workOrderNo" = ${entry['workOrderNo']}`.execute(ctx.db);
    if (type !== 'RESERVE') continue;
    await sql`
      UPDATE ${sql.table(`${table}_line`)}
         SET "chipQty" = greatest(0, coalesce("chipQty", 0) - ${qty}), ${touchSql(ctx.currentUser)}
       WHERE "workOrderNo" = ${entry['workOrderNo']} AND "wipId" = ${entry['wipId']}`.execute(ctx.db);
  }
}
