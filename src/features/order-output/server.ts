import { sql } from 'kysely';
import type { DataOf, InputOf } from '#domain/call.ts';
import { momentText } from '#domain/day.ts';
import { Refusal, refuseIfAny, type Problem } from '#domain/refusal.ts';
import {
  binsIn,
  outputBankOf,
  normaliseLot,
  parseWaferIds,
  Stage,
  WorkOrderStatus,
  workOrderModules,
  type WorkOrderModule,
} from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { holdRow } from '#server/engine/rowOf.ts';
import type { Row } from '#server/engine/rows.ts';
import { refuseUnseen } from '#server/engine/seen.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route, type Route } from '#server/route.ts';
import { holdBank } from '#server/workflow/bankLocks.ts';
import { tellInProcess } from '#server/workflow/inProcess.ts';
import { noteLot } from '#server/workflow/lots.ts';
import { bookRows, readBookedRows, type ReportedRow } from '#server/workflow/reportedRows.ts';
import { tellYields } from '#server/workflow/yields.ts';
import { receiveWafers, recordOutput, toReceiveWafers, toRecordOutput } from './contract.ts';
import { addOutputLots, claimWafers, countOutput, noteLoss, readGrossDies, readPositions } from './queries.ts';
import { dateCodeOf, goodOf, type Reported, toldOf, validateDelivery, validateReported } from './rules.ts';

const { Sent, InProcess } = WorkOrderStatus;

/** What comes out of the semiconductor work orders. Rule: wafer-bank#output, wafer-bank#entry. */
export const orderOutputRoutes: Route[] = [
  ...workOrderModules.flatMap((module) => [
    route(toRecordOutput(module), async ({ id }, ctx) => {
      const order = await openOrder(ctx, module, id);
      const workOrderNo = String(order['workOrderNo']);
      const { positions } = await readPositions(ctx, module, workOrderNo);
      const bank = outputBankOf(module, order);
      return { version: Number(order['version']), workOrderNo, bank, bins: [...binsIn(bank)], positions };
    }),
    route(recordOutput(module), (input, ctx) => record(module, input, ctx)),
  ]),
  route(toReceiveWafers, async ({ id }, ctx) => {
    const order = await openOrder(ctx, 'icopWaferWorkOrder', id);
    const waferPn = String(order['waferPn']);
    const grossDie = (await readGrossDies(ctx, [waferPn])).get(waferPn) ?? null;
    const version = Number(order['version']);
    return { version, workOrderNo: String(order['workOrderNo']), ...countsOf(order), grossDie };
  }),
  route(receiveWafers, receive),
];

/**
 * An order that was sent and is not at its end; held, so that two reports do not count the same dies. Whoever was shown it
 * says which version.
 */
async function openOrder(
  ctx: Context,
  module: WorkOrderModule | 'icopWaferWorkOrder',
  id: string | null | undefined,
  version?: number,
) {
  const order = await holdRow(ctx, module, id);
  const wrong = stateProblem(order);
  if (wrong) throw new Refusal({ ...wrong, field: 'id' });
  if (version !== undefined) refuseUnseen(requireDefinition(ctx.model, module), order, version);
  return order as Row & { processType?: string; ftType?: string };
}

/** Why nothing can be reported of an order: it was not sent, or is at its end. */
export function stateProblem(order: Row): Problem | null {
  const billStatus = String(order['billStatus']);
  if (billStatus === Sent || billStatus === InProcess) return null;
  const word = (value: string) => ({ options: 'icopBillStatus', value });
  const args = { id: String(order['workOrderNo']), status: word(billStatus), expected: [Sent, InProcess].map(word) };
  return { key: 'billState', args };
}

/** What is entered by itself; a workbook says in its rows what they are for, and was shown no version. */
type Entered<Input> = Omit<Input, 'version'> & { version?: number };

/** What a supplier reports of an order becomes lots of the next bank, and loss. Rule: wafer-bank#output. */
export async function record(
  module: WorkOrderModule,
  { id, version, positions: reported, dateCode, remark }: Entered<InputOf<ReturnType<typeof recordOutput>>>,
  ctx: Context,
): Promise<DataOf<ReturnType<typeof recordOutput>>> {
  const order = await openOrder(ctx, module, id, version);
  const workOrderNo = String(order['workOrderNo']);
  await holdBank(ctx, { orders: [workOrderNo], isWhole: true });
  const { lines, positions } = await readPositions(ctx, module, workOrderNo);
  const bank = outputBankOf(module, order);
  const booked = await readBooked(ctx, workOrderNo);
  const { wrong, there } = validateReported(positions, reported, binsIn(bank), { dateCode, booked });
  refuseIfAny(wrong);
  if (there.length > 0) throw new Refusal(there, { repeats: repeatsIn(there, reported) });
  const marks = await bookRows(ctx, workOrderNo, rowsOf(reported, dateCode));
  const output = { module, order, bank, lines, positions, reported, marks, ...trimmed({ dateCode, remark }) };
  const { wipIds, through } = await addOutputLots(ctx, output);
  await noteLoss(ctx, output);
  await tellYields(ctx, through);
  const good = reported.reduce((sum, it) => sum + goodOf(it), 0);
  const repeats = reported.filter((it) => (it.repeat ?? 1) > 1).map((it) => it.position);
  const loss = reported.reduce((sum, it) => sum + it.lossQty, 0);
  const counts = await countOutput(ctx, module, order['id'], { good, loss });
  await tellInProcess(ctx, workOrderNo, module);
  await recordInLedger(ctx, {
    what: 'recordOutput',
    module,
    recordId: workOrderNo,
    from: { billStatus: order['billStatus'] },
    to: { wipIds, good, loss, ...(repeats.length > 0 && { repeats }) },
  });
  return { id: Number(order['id']), workOrderNo, wipIds, ...counts };
}

const rowsOf = (reported: readonly Reported[], dateCode: string | null | undefined): ReportedRow[] =>
  reported
    .map((it) => ({ position: it.position, told: toldOf(it), dateCode: dateCodeOf(dateCode), repeat: it.repeat ?? 1 }))
    .filter((it) => it.told !== '');

/** What is booked of an order, and of each row by whom and when. */
export async function readBooked(ctx: Context, workOrderNo: string) {
  const rows = await readBookedRows(ctx, workOrderNo);
  const { timeZone } = ctx.config;
  return rows.map((it) => ({ ...it, earlier: `${momentText(it.at, timeZone)} ${it.userName}` }));
}

/** As which repeats the positions of a refused report could be booked: an answer that shows what came before names them. */
const repeatsIn = (problems: readonly Problem[], reported: readonly Reported[]) =>
  problems.flatMap(({ field, args }) => {
    const position = reported[Number(field?.split('.')[1])]?.position;
    return position && args?.['repeat'] ? [{ position, repeat: Number(args['repeat']) }] : [];
  });

/** A lot of the foundry comes into the wafer bank, or it is told how many wafers will not. Rule: wafer-bank#entry. */
export async function receive(
  input: Entered<InputOf<typeof receiveWafers>>,
  ctx: Context,
): Promise<DataOf<typeof receiveWafers>> {
  const order = await openOrder(ctx, 'icopWaferWorkOrder', input.id, input.version);
  const workOrderNo = String(order['workOrderNo']);
  const counts = countsOf(order);
  const lossQty = input.missing ?? counts.lossQty;
  const waferPn = String(order['waferPn']);
  const grossDie = (await readGrossDies(ctx, [waferPn])).get(waferPn) ?? null;
  const delivery = {
    ...{ waferLotId: normaliseLot(input.waferLotId), waferIds: input.waferIds ?? '', dies: input.dies ?? 0 },
    missing: lossQty,
  };
  refuseIfAny(validateDelivery({ ...counts, grossDie }, delivery));
  const waferIds = parseWaferIds(delivery.waferIds);
  const wipId = delivery.waferLotId === '' ? null : await addLot(ctx, order, { ...delivery, waferIds }, input.remark);
  const changed = await countOutput(ctx, 'icopWaferWorkOrder', order['id'], {
    good: waferIds.length,
    loss: lossQty - counts.lossQty,
  });
  await recordInLedger(ctx, {
    what: 'receiveWafers',
    module: 'icopWaferWorkOrder',
    recordId: workOrderNo,
    from: { billStatus: order['billStatus'] },
    to: { wipId, wafers: waferIds.length, missing: lossQty },
  });
  return { id: Number(order['id']), workOrderNo, wipId, ...changed };
}

/** A lot of the foundry lies in the wafer bank, wafer by wafer; one that is there already is refused. */
async function addLot(
  ctx: Context,
  order: Row,
  { waferLotId, waferIds, dies }: { waferLotId: string; waferIds: string[]; dies: number },
  remark: string | null | undefined,
): Promise<string> {
  const { db, currentUser } = ctx;
  const text = (name: string) => (order[name] ?? null) as string | null;
  const wipId = await ctx.numbers.next('WIP');
  const there = await claimWafers(ctx, { waferPn: String(order['waferPn']), waferLotId, waferIds, wipId });
  if (there) {
    throw new Refusal({ key: 'waferThere', field: 'waferIds', args: { what: `${waferLotId} / ${there}` } });
  }
  const chipQty = dies * waferIds.length;
  const of = { waferPn: text('waferPn'), waferMpn: text('waferMpn'), waferLotId, waferIds: waferIds.join(',') };
  const counted = { waferQty: waferIds.length, chipQty, createBy: currentUser.userId };
  const workOrderNo = String(order['workOrderNo']);
  await db
    .insertInto('icop_wip')
    .values({
      ...{ wipId, stage: Stage.WaferBank, stageName: Stage.WaferBank, ...of, ...counted, remainQty: chipQty },
      ...{ workOrderNo, workOrderType: 'icopWaferWorkOrder', lotType: text('lotType') },
      ...{ engineeringCode: text('engineeringCode'), inventoryOrg: text('inventoryOrg'), remark: remark ?? null },
      ...{ supplierId: text('supplierId'), supplierName: text('supplierId') },
      ...{ siteId: text('siteId'), siteName: text('siteId'), inTime: sql<string>`now()` },
    })
    .execute();
  await db
    .insertInto('icop_wip_wafer')
    .values(
      waferIds.map((waferId) => ({ wipId, waferId, chipQty: dies, originalQty: dies, createBy: currentUser.userId })),
    )
    .execute();
  await db
    .insertInto('icop_wafer_work_order_line')
    .values({ workOrderNo, ...of, ...counted, wipId, remark: remark ?? null })
    .execute();
  await noteLot(ctx, {
    ...{ wipId, waferId: null, bin: null, type: 'IN', qty: chipQty, before: 0, after: chipQty },
    workOrderNo,
  });
  return wipId;
}

/** In wafers: what was ordered, has come, and will not come. */
export const countsOf = (order: Row) => ({
  waferQty: Number(order['waferQty'] ?? 0),
  outputQty: Number(order['outputQty'] ?? 0),
  lossQty: Number(order['lossQty'] ?? 0),
});

const trimmed = ({ dateCode, remark }: { dateCode?: string | null; remark?: string | null }) => ({
  dateCode: dateCode?.trim() || null,
  remark: remark?.trim() || null,
});
