import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { DataOf } from '#domain/call.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { WorkOrderStatus, type WorkOrderModule } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { withNames } from '#server/engine/describe.ts';
import { checkForm } from '#server/engine/form.ts';
import { validateOwnRules } from '#server/engine/ownRules.ts';
import type { Row } from '#server/engine/rows.ts';
import { refuseUnknownRefs } from '#server/engine/writing.ts';
import { recordInLedger } from '#server/ledger.ts';
import type { createWaferOrder, FtPick, WaferPick } from './contract.ts';
import { validateNotEmpty } from './rules.ts';
import { takeBins, takeWafers, type Taken } from './server.lines.ts';

type OrderModule = WorkOrderModule | 'icopWaferWorkOrder';
const prefixes: Record<OrderModule, string> = {
  icopWaferWorkOrder: 'WFO',
  icopBumpingCpWorkOrder: 'BCO',
  icopAssemblyWorkOrder: 'ASO',
  icopFtWorkOrder: 'FTO',
};

/** The header of a work order, as a draft of the user's site. */
export async function createOrder(module: OrderModule, input: Row, more: Row, ctx: Context) {
  const values = await checkedHeader(module, input, ctx);
  return insertOrder(module, { ...values, ...more }, ctx);
}

async function checkedHeader(module: OrderModule, input: Row, ctx: Context): Promise<Row> {
  const definition = requireDefinition(ctx.model, module);
  const { values, problems } = checkForm(definition, input, null, ctx);
  refuseIfAny([...problems, ...(await validateOwnRules(definition, values, undefined, ctx))]);
  await refuseUnknownRefs(definition, values, ctx);
  return values;
}

async function insertOrder(module: OrderModule, values: Row, ctx: Context) {
  const definition = requireDefinition(ctx.model, module);
  const workOrderNo = await ctx.numbers.next(prefixes[module]);
  const all: Row = {
    ...values,
    workOrderNo,
    billStatus: WorkOrderStatus.Draft,
    outputQty: 0,
    ...('lossQty' in definition.fields && { lossQty: 0 }),
    siteId: ctx.currentUser.siteId,
    createBy: ctx.currentUser.userId,
  };
  const names = Object.keys(all);
  const { rows } = await sql<{ id: number }>`
    INSERT INTO ${sql.table(definition.table)} (${sql.join(names.map((it) => sql.ref(it)))})
    VALUES (${sql.join(names.map((it) => all[it]))}) RETURNING id`.execute(ctx.db);
  const { id } = rows[0] as { id: number };
  await recordInLedger(ctx, { what: 'create', module, recordId: String(id), to: all });
  const { siteId, supplierId } = all;
  const [named] = await withNames(definition, [{ siteId, supplierId }], ctx);
  return { id, workOrderNo, ...named } as DataOf<typeof createWaferOrder>;
}

/** Bumping, CP and assembly: whole wafers or parts of them. Rule: wafer-bank#orders. */
export async function createFromWafers(
  module: 'icopBumpingCpWorkOrder' | 'icopAssemblyWorkOrder',
  input: Row,
  picks: readonly Static<typeof WaferPick>[],
  ctx: Context,
) {
  const values = await checkedHeader(module, input, ctx);
  refuseIfAny(validateNotEmpty(picks.length, 'waferList'));
  return createWith(module, values, await takeWafers(module, values, picks, ctx), ctx);
}

/** Final test: bins of lots, in groups that are tested together. Rule: wafer-bank#orders. */
export async function createFt(input: Row, picks: readonly Static<typeof FtPick>[], ctx: Context) {
  const values = await checkedHeader('icopFtWorkOrder', input, ctx);
  refuseIfAny(validateNotEmpty(picks.length, 'ftWorkOrderLineGroupList'));
  return createWith('icopFtWorkOrder', values, await takeBins(values, picks, ctx), ctx);
}

async function createWith(module: WorkOrderModule, values: Row, { counts, write }: Taken, ctx: Context) {
  const order = await insertOrder(module, { ...values, ...counts }, ctx);
  await write(order.workOrderNo);
  return order;
}
