import { sql } from 'kysely';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { WorkOrderStatus } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { holdRow } from '#server/engine/rowOf.ts';
import { refuseUnseen } from '#server/engine/seen.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route, type Route } from '#server/route.ts';
import { touchSql } from '#server/touch.ts';
import { holdBank } from '#server/workflow/bankLocks.ts';
import { tellInProcess } from '#server/workflow/inProcess.ts';
import { giveBack, readReserved } from '#server/workflow/reservations.ts';
import { done, editBillStatus, orderModules, sendSwitch, type OrderModule } from './contract.ts';
import { isOrderStatus, validateAccount, validateStep, type Order } from './rules.ts';

/** Sending, closing and re-stating the semiconductor work orders. Rule: wafer-bank#states. */
export const workOrderActionRoutes: Route[] = orderModules.flatMap((module) => [
  /** A draft is sent to its supplier; a sent order is taken back while nothing has come in. */
  route(sendSwitch(module), async ({ id, version }, ctx) => {
    const row = await holdSeen(ctx, module, id, version);
    const to = row['billStatus'] === WorkOrderStatus.Draft ? WorkOrderStatus.Sent : WorkOrderStatus.Draft;
    return change(ctx, module, row, to, 'sendSwitch');
  }),

  /** The order is closed when all its input is accounted for, or all its wafers have come or are known to be missing. */
  route(done(module), async ({ id, version }, ctx) =>
    change(ctx, module, await holdSeen(ctx, module, id, version), WorkOrderStatus.Done, 'done'),
  ),

  /** The same steps, chosen from a list; cancelling gives back what the order had reserved. */
  route(editBillStatus(module), async ({ id, version, billStatus }, ctx) => {
    const row = await holdRow(ctx, module, id);
    const to = (billStatus ?? '').trim();
    const field = { module, field: 'billStatus' };
    if (to === '') throw new Refusal({ key: 'required', field: 'billStatus', args: { fields: [field] } });
    if (!isOrderStatus(to)) throw new Refusal({ key: 'format', field: 'billStatus', args: { field } });
    refuseUnseen(requireDefinition(ctx.model, module), row, version);
    return change(ctx, module, row, to, 'editBillStatus');
  }),
]);

async function holdSeen(ctx: Context, module: OrderModule, id: string | null | undefined, version: number) {
  const row = await holdRow(ctx, module, id);
  refuseUnseen(requireDefinition(ctx.model, module), row, version);
  return row;
}

async function change(
  ctx: Context,
  module: OrderModule,
  row: Record<string, unknown>,
  to: WorkOrderStatus,
  what: string,
) {
  const order = toOrder(module, row);
  const { workOrderNo, billStatus } = order;
  refuseIfAny(validateStep(order, to));
  if (to === WorkOrderStatus.Done) refuseIfAny(validateAccount(order));
  const reversed = to === WorkOrderStatus.Cancelled ? await reverse(ctx, workOrderNo) : 0;
  await sql`
    UPDATE ${sql.table(requireDefinition(ctx.model, module).table)}
       SET "billStatus" = ${to},
           "sentTime" = CASE WHEN ${to === WorkOrderStatus.Sent} AND "sentTime" IS NULL THEN now()
                             WHEN ${to === WorkOrderStatus.Draft} THEN NULL ELSE "sentTime" END,
           "doneTime" = CASE WHEN ${to === WorkOrderStatus.Done} THEN now() END, ${touchSql(ctx.currentUser)}
     WHERE id = ${row['id']}`.execute(ctx.db);
  if (module !== 'icopWaferWorkOrder') await tellInProcess(ctx, workOrderNo, module);
  await recordInLedger(ctx, {
    what,
    module,
    recordId: workOrderNo,
    from: { billStatus },
    to: { billStatus: to, ...(reversed > 0 && { reversed }) },
  });
  return { id: Number(row['id']), workOrderNo, billStatus: to };
}

/** What a cancelled order had reserved is in its lots again; how many pieces. */
async function reverse(ctx: Context, workOrderNo: string): Promise<number> {
  await holdBank(ctx, { orders: [workOrderNo] });
  const reserved = await readReserved(ctx, workOrderNo);
  await giveBack(ctx, workOrderNo, reserved);
  return reserved.length;
}

/** Wafers are counted in a wafer order, dies in every other one. */
function toOrder(module: OrderModule, row: Record<string, unknown>): Order {
  const number = (name: string) => Number(row[name] ?? 0);
  return {
    workOrderNo: String(row['workOrderNo']),
    billStatus: String(row['billStatus'] ?? WorkOrderStatus.Draft),
    input: number(module === 'icopWaferWorkOrder' ? 'waferQty' : 'chipQty'),
    output: number('outputQty'),
    loss: number('lossQty'),
  };
}
