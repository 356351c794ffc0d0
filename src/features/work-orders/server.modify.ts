import { sql } from 'kysely';
import type { InputOf } from '#domain/call.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { WorkOrderStatus, type WorkOrderModule } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { choicesWith } from '#server/engine/form.ts';
import type { Field } from '#domain/definition/grammar.ts';
import { holdRow, seeRow } from '#server/engine/rowOf.ts';
import type { Row } from '#server/engine/rows.ts';
import { refuseUnseen } from '#server/engine/seen.ts';
import { refuseUnknownRefs } from '#server/engine/writing.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { touchSql } from '#server/touch.ts';
import { holdBank } from '#server/workflow/bankLocks.ts';
import { giveBack, readReserved, type Reserved } from '#server/workflow/reservations.ts';
import { orderTables } from '#server/workflow/workOrders.ts';
import type { modifyAssemblyLines, modifyFtLines } from './contract.ts';
import { readBank, readLineWords } from './queries.ts';
import { validateNotEmpty } from './rules.ts';
import { checkDevice } from './server.hooks.ts';
import { keyOf, takeBins, takeWafers, wantedOf, type Kept, type Taken } from './server.lines.ts';

/** What a draft holds, and its lots as they would lie in the banks without it. Rule: wafer-bank#drafts. */
export async function readHeld(ctx: Context, module: WorkOrderModule, id: string | null | undefined) {
  const row = await seeRow(ctx, module, id);
  refuseUnlessDraft(row);
  const workOrderNo = String(row['workOrderNo']);
  const reserved = await readReserved(ctx, workOrderNo);
  const wipIds = [...new Set(reserved.map((it) => it.wipId))];
  const lots = wipIds.length === 0 ? [] : await readBank(ctx, { ...wantedOf(module, row), wipIds });
  const words = await readLineWords(ctx, module, workOrderNo);
  const wordsOf = (it: Reserved) => words.find((line) => line.wipId === it.wipId && (!it.bin || line.bin === it.bin));
  const definition = requireDefinition(ctx.model, module);
  const supplier = definition.fields['supplierId'] as Field;
  const { options, more = false } = await choicesWith(definition, 'supplierId', supplier, row['supplierId'], ctx);
  return {
    version: Number(row['version']),
    suppliers: options.map(({ value, optionName }) => ({ value, optionName })),
    hasMoreSuppliers: more,
    lots: lots.map((lot) => withOwn(lot, reserved)),
    lines: reserved.map((it) => {
      const { group = null, ftTestProgram, originPlace, remark } = wordsOf(it) ?? {};
      const said = { ftTestProgram: ftTestProgram ?? '', originPlace: originPlace ?? '', remark: remark ?? '' };
      return { wipId: it.wipId, piece: pieceOf(it), inputQty: it.qty, group, ...said };
    }),
  };
}

/** A lot with what the order holds of it. */
function withOwn<L extends { wipId: string; chipQty: number; waferList: { waferId: string; chipQty: number }[] }>(
  lot: L,
  reserved: readonly Reserved[],
): L {
  const pieces = new Map(lot.waferList.map((it) => [it.waferId, it.chipQty]));
  const own = reserved.filter((it) => it.wipId === lot.wipId);
  for (const it of own) pieces.set(pieceOf(it), (pieces.get(pieceOf(it)) ?? 0) + it.qty);
  const waferList = [...pieces].map(([waferId, chipQty]) => ({ waferId, chipQty }));
  return {
    ...lot,
    chipQty: lot.chipQty + own.reduce((sum, it) => sum + it.qty, 0),
    waferList: waferList.sort((a, b) => (a.waferId < b.waferId ? -1 : 1)),
  };
}

type Changes = Omit<InputOf<typeof modifyAssemblyLines>, 'waferList'>;

/** Wafers of a draft, as they are to be from here on. Rule: wafer-bank#drafts. */
export const modifyWafers = (
  module: 'icopBumpingCpWorkOrder' | 'icopAssemblyWorkOrder',
  { waferList, ...changes }: InputOf<typeof modifyAssemblyLines>,
  ctx: Context,
) => {
  const wanted = waferList.map((it) => ({ wipId: it.wipId, piece: it.waferId, inputQty: it.inputQty ?? 0 }));
  const take: Take = (row, kept) => takeWafers(module, row, waferList, ctx, kept);
  return modifyLines(module, changes, { field: 'waferList', wanted, take }, ctx);
};

/** Bins of a draft. Rule: wafer-bank#drafts. */
export const modifyBins = (
  { ftWorkOrderLineGroupList: picks, ...changes }: InputOf<typeof modifyFtLines>,
  ctx: Context,
) => {
  const wanted = picks.map((it) => ({ wipId: it.wipId, piece: it.bin, inputQty: it.chipQty ?? 0 }));
  const take: Take = (row, kept) => takeBins(row, picks, ctx, kept);
  return modifyLines('icopFtWorkOrder', changes, { field: 'ftWorkOrderLineGroupList', wanted, take }, ctx);
};

type Take = (row: Row, kept: Kept) => Promise<Taken>;
interface Lines {
  field: string;
  wanted: readonly { wipId: string; piece: string; inputQty: number }[];
  take: Take;
}

/**
 * A draft holds these lines from here on. What it held in the same quantity stays untouched in the history of its lot; what
 * changed goes back and is taken anew, by the rules of a new order. With another supplier all of it goes back, which who
 * changes it has confirmed.
 */
async function modifyLines(module: WorkOrderModule, changes: Changes, { field, wanted, take }: Lines, ctx: Context) {
  const definition = requireDefinition(ctx.model, module);
  const workOrderNo = String((await seeRow(ctx, module, changes.id))['workOrderNo']);
  await holdBank(ctx, { orders: [workOrderNo], lots: wanted.map((it) => it.wipId) });
  const row = await holdRow(ctx, module, changes.id);
  refuseUnlessDraft(row);
  refuseUnseen(definition, row, changes.version);
  refuseIfAny(await checkDevice(row, ctx));
  const supplierId = changes.supplierId?.trim() || String(row['supplierId']);
  const isMoved = supplierId !== row['supplierId'];
  const reserved = await readReserved(ctx, workOrderNo);
  if (isMoved) {
    await refuseUnknownRefs(definition, { supplierId }, ctx);
    if (reserved.length > 0 && !changes.linesGo) {
      throw new Refusal({ key: 'linesStay', field: 'supplierId', args: { id: workOrderNo, count: reserved.length } });
    }
  } else refuseIfAny(validateNotEmpty(wanted.length, field));
  const quantities = new Map(wanted.map((it) => [keyOf(it.wipId, it.piece), it.inputQty]));
  const stays = (it: Reserved) => !isMoved && quantities.get(keyOf(it.wipId, pieceOf(it))) === it.qty;
  const kept = reserved.filter(stays);
  await giveBack(
    ctx,
    workOrderNo,
    reserved.filter((it) => !stays(it)),
  );
  const { counts, write } = await take(
    { ...row, supplierId },
    new Map(kept.map((it) => [keyOf(it.wipId, pieceOf(it)), { inputQty: it.qty, remainQty: it.afterQty }])),
  );
  const table = orderTables[module];
  await sql`DELETE FROM ${sql.table(`${table}_line`)} WHERE "workOrderNo" = ${workOrderNo}`.execute(ctx.db);
  await write(workOrderNo);
  const sets = Object.entries({ supplierId, ...counts }).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  await sql`
    UPDATE ${sql.table(table)} SET ${sql.join([...sets, touchSql(ctx.currentUser)])}
     WHERE id = ${row['id']}`.execute(ctx.db);
  await recordInLedger(ctx, {
    what: 'modifyLines',
    module,
    recordId: workOrderNo,
    from: { supplierId: row['supplierId'], chipQty: row['chipQty'], pieces: reserved.length },
    to: { supplierId, ...counts, pieces: wanted.length, kept: kept.length },
  });
  return { id: Number(row['id']), workOrderNo, chipQty: counts.chipQty };
}

const pieceOf = ({ waferId, bin }: Reserved): string => waferId ?? bin ?? '';

function refuseUnlessDraft(row: Row): void {
  if (row['billStatus'] === WorkOrderStatus.Draft) return;
  const word = (value: unknown) => ({ options: 'icopBillStatus', value: String(value) });
  const args = {
    id: String(row['workOrderNo']),
    status: word(row['billStatus']),
    expected: [word(WorkOrderStatus.Draft)],
  };
  throw new Refusal({ key: 'billState', field: 'id', args });
}
