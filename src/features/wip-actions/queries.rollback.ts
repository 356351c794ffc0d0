import { sql } from 'kysely';
import type { DataOf, InputOf } from '#domain/call.ts';
import { OperateStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import { WorkOrderStatus } from '#domain/wafer.ts';
import { isUnseen } from '#domain/signs.ts';
import type { Context } from '#server/context.ts';
import { holdRow, seeRow } from '#server/engine/rowOf.ts';
import { refuseUnseen } from '#server/engine/seen.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { touch, touchSql } from '#server/touch.ts';
import { holdBank } from '#server/workflow/bankLocks.ts';
import { tellInProcess } from '#server/workflow/inProcess.ts';
import { changeLot, noteLot } from '#server/workflow/lots.ts';
import { freeRow } from '#server/workflow/reportedRows.ts';
import { lotsOutOf, tellYields } from '#server/workflow/yields.ts';
import { orderTables } from '#server/workflow/workOrders.ts';
import { mergeOf, undoMerge } from './queries.merge.ts';
import type { rollbackLot } from './contract.ts';

/** By how much the lot changed, for each kind of entry that can be undone; loss takes nothing from the lot it is told of. */
const signs: Record<string, number> = { IN: 1, RESERVE: -1, OUTPUT: 1, LOSS: 0 };

/** What follows from entries, and is told anew once they are undone: yields of lots, and what orders still have out. */
export interface Follows {
  lots: Set<string>;
  orders: Set<string>;
}

/**
 * Undoes the latest entry of a lot: what was reserved is there again and off its order, what came out of an order is
 * gone, and an order that was closed by it is open. Refused a second time, when something was done with the lot since,
 * and for entries that are neither a work order's nor a merge's; a merge is undone as a whole. Rule: wafer-bank#rollback.
 */
export async function undoEntry(input: InputOf<typeof rollbackLot>, ctx: Context): Promise<DataOf<typeof rollbackLot>> {
  const follows: Follows = { lots: new Set(), orders: new Set() };
  const undone = await undoAmong(input, ctx, follows);
  await tellFollows(ctx, follows);
  return undone;
}

export async function tellFollows(ctx: Context, { lots, orders }: Follows): Promise<void> {
  await tellYields(ctx, [...lots]);
  for (const it of orders) await tellInProcess(ctx, it);
}

/** Undoes one of several entries as `undoEntry` does; what follows from it is added to `follows` for `tellFollows`. */
export async function undoAmong(
  input: Omit<InputOf<typeof rollbackLot>, 'version'> & { version?: number },
  ctx: Context,
  follows: Follows,
): Promise<DataOf<typeof rollbackLot>> {
  const remark = input.remark?.trim() ?? '';
  const seen = await seeRow(ctx, 'icopTransaction', input.id);
  const orders = seen['workOrderNo'] ? [String(seen['workOrderNo'])] : [];
  const merged = mergedBy(seen);
  const parents = merged ? (await mergeOf(ctx, merged)).map((it) => it.wipId) : [];
  const isReported = seen['transactionType'] === 'OUTPUT' || seen['transactionType'] === 'LOSS';
  const lots = [String(seen['wipId']), ...parents, ...(merged ? [merged] : [])];
  await holdBank(ctx, { orders, lots, isWhole: isReported });
  const made = isReported ? await lotsOutOf(ctx, orders) : [];
  const entry = await holdRow(ctx, 'icopTransaction', input.id);
  if (isUnseen(remark)) {
    throw new Refusal({ key: 'required', field: 'remark', args: { fields: [{ zh: '备注', en: 'Remark' }] } });
  }
  if (entry['operateStatus'] === OperateStatus.Rollbacked) throw new Refusal({ key: 'rolledBack', field: 'id' });
  // Of several, each was looked at before.
  if (input.version !== undefined) refuseUnseen(requireDefinition(ctx.model, 'icopTransaction'), entry, input.version);
  const wipId = String(entry['wipId']);
  const type = String(entry['transactionType']);
  const word = (value: string) => ({ options: 'icopTransactionTypes', value });
  const latest = await ctx.db
    .selectFrom('icop_transaction')
    .select(['id', 'transactionType'])
    .where('wipId', '=', merged ?? wipId)
    .where('operateStatus', '=', OperateStatus.Normal)
    // What comes into one of its lots after a merge comes into the new one, whatever was done with that by then.
    .where((it) => it.or([it('transactionType', '!=', 'IN'), it('workOrderNo', 'is not', null)]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (merged ? latest : latest?.id !== entry['id']) {
    throw new Refusal({ key: 'laterFirst', field: 'id', args: { step: word(latest?.transactionType ?? type) } });
  }
  if (merged) {
    await undoMerge(ctx, merged, remark);
    for (const it of [merged, ...parents]) follows.lots.add(it);
    const to = { parents, remark };
    await recordInLedger(ctx, { what: 'rollback', module: 'icopWip', recordId: merged, from: { type }, to });
    return { id: Number(entry['id']), wipId };
  }
  const sign = signs[type];
  if (sign === undefined || !entry['workOrderNo']) {
    throw new Refusal({ key: 'notUndoable', field: 'id', args: { step: word(type) } });
  }
  const qty = Number(entry['qty'] ?? 0);
  if (type === 'RESERVE') await refuseIfUsed(ctx, entry, wipId);
  const piece = { wipId, waferId: entry['waferId'] as string | null, bin: entry['bin'] as string | null };
  const { before, after } = await changeLot(ctx, { ...piece, by: -sign * qty }, { isReserve: type === 'RESERVE' });
  if (type === 'OUTPUT') await lessCame(ctx, piece, qty);
  await onOrder(ctx, entry, type, qty);
  await ctx.db
    .updateTable('icop_transaction')
    .set({
      operateStatus: OperateStatus.Rollbacked,
      ...touch(ctx.currentUser),
    })
    .where('id', '=', Number(entry['id']))
    .execute();
  if (entry['reportMark']) await freeRow(ctx, String(entry['workOrderNo']), String(entry['reportMark']));
  for (const it of made) follows.lots.add(it);
  if (type !== 'IN') follows.orders.add(String(entry['workOrderNo']));
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

/** The lot that a merge made, of what it took from one lot or brought to the new one. */
export const mergedBy = (entry: Record<string, unknown>): string | null => {
  if (entry['transactionType'] === 'ADJUST') return String(entry['remark'] ?? '') || null;
  return entry['transactionType'] === 'IN' && !entry['workOrderNo'] ? String(entry['wipId']) : null;
};

/** The wafer says what is left of its output. */
async function lessCame({ db }: Context, { wipId, waferId }: { wipId: string; waferId: string | null }, qty: number) {
  await sql`
    UPDATE icop_wip_wafer SET "originalQty" = greatest(0, "originalQty" - ${qty}::int)
     WHERE "wipId" = ${wipId} AND "waferId" = ${waferId}`.execute(db);
}

/** What an order took of a lot stays taken as long as something that came of it, or of what is tested with it, stands. */
async function refuseIfUsed({ db }: Context, entry: Record<string, unknown>, wipId: string): Promise<void> {
  const { rows } = await sql`
    SELECT 1 FROM icop_transaction AS t LEFT JOIN icop_wip AS w ON w."wipId" = t."wipId"
     WHERE t."workOrderNo" = ${entry['workOrderNo']} AND t."operateStatus" = ${OperateStatus.Normal}
       AND (t."transactionType" = 'LOSS'
            AND (t."wipId" = ${wipId}
                 OR (t."wipId", t.bin) IN (
                    SELECT other."wipId", other.bin
                      FROM icop_ft_work_order_line AS own
                      JOIN icop_ft_work_order_line AS other USING ("workOrderNo", "group")
                     WHERE own."workOrderNo" = t."workOrderNo" AND own."wipId" = ${wipId} AND own.bin = ${entry['bin']}))
            OR t."transactionType" = 'OUTPUT' AND ${wipId} = ANY(string_to_array(w."parentWipIds", ',')))
     LIMIT 1`.execute(db);
  if (rows.length > 0) throw new Refusal({ key: 'outputFirst', field: 'id', args: { id: wipId } });
}

/** A lot that was received by mistake has no wafers, is on no line, and its wafers are still to come. */
async function takeBackReceipt(ctx: Context, entry: Record<string, unknown>): Promise<void> {
  const { wipId, workOrderNo } = entry;
  for (const table of ['icop_wip_wafer', 'wafer_receipt']) {
    await sql`DELETE FROM ${sql.table(table)} WHERE "wipId" = ${wipId}`.execute(ctx.db);
  }
  await sql`UPDATE icop_wip SET "waferQty" = 0, "waferIds" = NULL WHERE "wipId" = ${wipId}`.execute(ctx.db);
  const { rows } = await sql<{ waferQty: number }>`
    DELETE FROM icop_wafer_work_order_line WHERE "workOrderNo" = ${workOrderNo} AND "wipId" = ${wipId}
    RETURNING coalesce("waferQty", 0) AS "waferQty"`.execute(ctx.db);
  await lessOn(ctx, 'icop_wafer_work_order', 'outputQty', workOrderNo, rows[0]?.waferQty ?? 0);
}

/** An order that has so much less is no longer closed, and with nothing left it is only sent. */
async function lessOn({ db, currentUser }: Context, table: string, column: string, workOrderNo: unknown, qty: number) {
  const [out, loss] = ['outputQty', 'lossQty'].map(
    (it) => sql`coalesce(${sql.ref(it)}, 0) - ${it === column ? qty : 0}::int`,
  );
  await sql`
    UPDATE ${sql.table(table)}
       SET ${sql.ref(column)} = greatest(0, coalesce(${sql.ref(column)}, 0) - ${qty}::int),
           "billStatus" = CASE WHEN "billStatus" NOT IN (${WorkOrderStatus.Done}, ${WorkOrderStatus.InProcess}) THEN "billStatus"
                               WHEN (${out}) + (${loss}) > 0 THEN ${WorkOrderStatus.InProcess}
                               ELSE ${WorkOrderStatus.Sent} END,
           "doneTime" = NULL, ${touchSql(currentUser)}
     WHERE "workOrderNo" = ${workOrderNo}`.execute(db);
}

/** The order counts what is left of its input, output and loss. */
async function onOrder(ctx: Context, entry: Record<string, unknown>, type: string, qty: number): Promise<void> {
  if (type === 'IN') return takeBackReceipt(ctx, entry);
  const column = { RESERVE: 'chipQty', OUTPUT: 'outputQty', LOSS: 'lossQty' }[type] as string;
  for (const table of Object.values(orderTables)) await lessOn(ctx, table, column, entry['workOrderNo'], qty);
  if (type === 'RESERVE') await offLine(ctx, entry, qty);
}

/** The piece is off the line of its lot, the line with its last piece, and the order counts what it still holds. */
async function offLine(ctx: Context, entry: Record<string, unknown>, qty: number): Promise<void> {
  const { db, currentUser } = ctx;
  const { workOrderNo, wipId, waferId, bin } = entry;
  const wafers = sql`
    "waferIds" = array_to_string(array_remove(string_to_array("waferIds", ','), ${waferId}), ','),
    "waferQty" = "waferQty" - 1, "chipQty" = "chipQty" - ${qty}::int`;
  const split = sql`
    "dieQty" = "dieQty" - ${qty}::int,
    "splitList" = (SELECT jsonb_agg(it ORDER BY n) FROM jsonb_array_elements("splitList") WITH ORDINALITY AS of (it, n)
                    WHERE it ->> 'waferId' <> ${waferId})`;
  const touched = touchSql(currentUser);
  const of = sql`"workOrderNo" = ${workOrderNo} AND "wipId" = ${wipId}`;
  await sql`UPDATE icop_bumping_cp_work_order_line SET ${wafers}, ${touched} WHERE ${of}`.execute(db);
  await sql`UPDATE icop_assembly_work_order_line SET ${wafers}, ${split}, ${touched} WHERE ${of}`.execute(db);
  for (const table of ['icop_bumping_cp_work_order', 'icop_assembly_work_order']) {
    await sql`DELETE FROM ${sql.table(`${table}_line`)} WHERE ${of} AND "waferQty" <= 0`.execute(db);
    await sql`
      UPDATE ${sql.table(table)} SET "waferQty" = (SELECT coalesce(sum("waferQty"), 0) FROM ${sql.table(`${table}_line`)}
                                                    WHERE "workOrderNo" = ${workOrderNo})
       WHERE "workOrderNo" = ${workOrderNo}`.execute(db);
  }
  await sql`DELETE FROM icop_ft_work_order_line WHERE ${of} AND bin = ${bin}`.execute(db);
  await sql`
    UPDATE icop_ft_work_order SET "groupQty" = (SELECT count(DISTINCT "group") FROM icop_ft_work_order_line
                                                 WHERE "workOrderNo" = ${workOrderNo})
     WHERE "workOrderNo" = ${workOrderNo}`.execute(db);
}
