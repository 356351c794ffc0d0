import type { Problem } from '#domain/refusal.ts';
import {
  binsIn,
  ftBins,
  GOOD_BIN,
  normaliseLot,
  outputBankOf,
  parseWaferIds,
  type WorkOrderModule,
} from '#domain/wafer.ts';
import type { Words } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import type { Row } from '#server/engine/rows.ts';
import { parseValue } from '#server/engine/values.ts';
import type { Import, ImportColumn, Importer, ImportRow } from '#server/imports/importer.ts';
import { holdBank } from '#server/workflow/bankLocks.ts';
import { MOST_REPEATS } from './contract.ts';
import { findOrders, readGrossDies, readPositions, receivedWafers } from './queries.ts';
import { type Position, type Reported, validateDelivery, validateReported } from './rules.ts';
import { countsOf, readBooked, receive, record, stateProblem } from './server.ts';

const WAFERS = 'icopWaferWorkOrder';
const words = {
  order: { zh: '工单号', en: 'Work order' },
  lot: { zh: '晶圆批号', en: 'Wafer lot' },
  wafers: { zh: '晶圆号', en: 'Wafers' },
  dies: { zh: '单片芯片数', en: 'Dies per wafer' },
  wafer: { zh: '晶圆号', en: 'Wafer' },
  group: { zh: '组', en: 'Group' },
  wip: { zh: '在制编号', en: 'WIP ID' },
  good: { zh: '良品', en: 'Good' },
  loss: { zh: '损耗', en: 'Loss' },
  dateCode: { zh: '周期码', en: 'Date code' },
  remark: { zh: '备注', en: 'Remark' },
  repeat: { zh: '第几次', en: 'Repeat' },
} satisfies Record<string, Words>;

const text = (name: string, label: Words, maxLength: number, required = false): ImportColumn => ({
  ...{ name, label, required, field: { type: 'String', label, maxLength } },
});
const quantity = (name: string, label: Words): ImportColumn => ({
  ...{ name, label, required: false, field: { type: 'Integer', label, min: 0, max: 100_000_000 } },
});

/** The foundry's shipping list: a lot a row, received as if each had been entered. Rule: wafer-bank#workbooks. */
export const shippingImport: Importer = {
  columns: () => [
    text('workOrderNo', words.order, 50, true),
    text('waferLotId', words.lot, 50, true),
    text('waferIds', words.wafers, 100, true),
    quantity('dies', words.dies),
    text('remark', words.remark, 500),
  ],
  open: (call, ctx) => new ShippingList(shippingImport.columns(call, ctx)),
};

/** What a supplier reports of an order, a wafer, line or group a row. Rule: wafer-bank#workbooks. */
export const outputImport = (module: WorkOrderModule): Importer => {
  const columns: ImportColumn[] = [
    text('workOrderNo', words.order, 50, true),
    ...columnsOf[module],
    quantity('loss', words.loss),
    text('dateCode', words.dateCode, 50),
    text('remark', words.remark, 500),
    {
      ...{ name: 'repeat', label: words.repeat, required: false },
      field: { type: 'Integer', label: words.repeat, min: 1, max: MOST_REPEATS },
    },
  ];
  return { columns: () => columns, open: () => new OutputReport(module, columns) };
};

const binColumns = ftBins.map((bin) => quantity(`bin${bin}`, { zh: `bin${bin}`, en: `bin${bin}` }));
const lotColumns = [text('waferLotId', words.lot, 64, true), text('wipId', words.wip, 64)];
/** How a row names what it is about, and where it says what came out. */
const columnsOf: Record<WorkOrderModule, ImportColumn[]> = {
  icopBumpingCpWorkOrder: [...lotColumns, text('piece', words.wafer, 10, true), quantity('good', words.good)],
  icopAssemblyWorkOrder: [...lotColumns, quantity('good', words.good), ...binColumns],
  icopFtWorkOrder: [text('piece', words.group, 10, true), ...binColumns],
};

/** The values of a row as the fields of its columns say; what is missing or wrong is told with the row. */
function read(row: ImportRow, columns: readonly ImportColumn[], ctx: Context): Row {
  const values: Row = {};
  const missing = columns.filter((it) => it.required && row.values[it.name] === undefined);
  if (missing.length > 0) row.problems.push({ key: 'required', args: { fields: missing.map((it) => it.label) } });
  for (const { name, field } of columns) {
    const raw = row.values[name];
    if (raw === undefined) continue;
    const parsed = parseValue(field, name, raw, ctx.config.timeZone);
    if ('problem' in parsed) row.problems.push(parsed.problem);
    else values[name] = parsed.value;
  }
  return values;
}
const said = (values: Row, name: string): string => String(values[name] ?? '').trim();
const countIn = (values: Row, name: string): number => Number(values[name] ?? 0);

/** The orders that the rows of a batch name, each open for a report; a row of any other one is told so. */
async function openOrders(
  module: WorkOrderModule | typeof WAFERS,
  rows: readonly { row: ImportRow; values: Row }[],
  known: Map<string, Row>,
  ctx: Context,
): Promise<void> {
  const asked = [...new Set(rows.map((it) => said(it.values, 'workOrderNo')).filter((it) => it && !known.has(it)))];
  for (const order of await findOrders(ctx, module, asked)) known.set(String(order['workOrderNo']), order);
  for (const { row, values } of rows) {
    const value = said(values, 'workOrderNo');
    if (value === '') continue;
    const order = known.get(value);
    const wrong: Problem | null = order ? stateProblem(order) : { key: 'notFound', args: { what: words.order, value } };
    if (wrong) row.problems.push({ ...wrong, field: 'workOrderNo' });
  }
}
const isSound = ({ row }: { row: ImportRow }) => row.problems.length === 0;

class ShippingList implements Import {
  readonly #columns: readonly ImportColumn[];
  readonly #orders = new Map<string, Row>();
  /** What the rows so far bring of each order, and which wafers. */
  readonly #come = new Map<string, number>();
  readonly #wafers = new Set<string>();
  readonly #lots: Parameters<typeof receive>[0][] = [];

  constructor(columns: readonly ImportColumn[]) {
    this.#columns = columns;
  }

  async check(batch: readonly ImportRow[], ctx: Context): Promise<void> {
    const rows = batch.map((row) => ({ row, values: read(row, this.#columns, ctx) }));
    await openOrders(WAFERS, rows, this.#orders, ctx);
    const parts = [...this.#orders.values()].map((it) => String(it['waferPn']));
    const grossDies = await readGrossDies(ctx, parts);
    const lots = [...new Set(rows.map((it) => normaliseLot(said(it.values, 'waferLotId'))))];
    for (const it of await receivedWafers(ctx, lots)) this.#wafers.add(nameOf(it.waferPn, it.waferLotId, it.waferId));
    for (const { row, values } of rows.filter(isSound)) {
      const workOrderNo = said(values, 'workOrderNo');
      const order = this.#orders.get(workOrderNo) as Row;
      const waferPn = String(order['waferPn']);
      const [waferLotId, waferIds] = [normaliseLot(said(values, 'waferLotId')), said(values, 'waferIds')];
      const grossDie = grossDies.get(waferPn) ?? null;
      const dies = Number(values['dies'] ?? grossDie ?? 0);
      const counts = countsOf(order);
      const come = this.#come.get(workOrderNo) ?? 0;
      const delivery = { waferLotId, waferIds, dies, missing: counts.lossQty };
      row.problems.push(...validateDelivery({ ...counts, grossDie, outputQty: counts.outputQty + come }, delivery));
      const wafers = parseWaferIds(waferIds);
      const there = wafers.find((it) => this.#wafers.has(nameOf(waferPn, waferLotId, it)));
      if (there)
        row.problems.push({ key: 'waferThere', field: 'waferIds', args: { what: `${waferLotId} / ${there}` } });
      for (const it of wafers) this.#wafers.add(nameOf(waferPn, waferLotId, it));
      this.#come.set(workOrderNo, come + wafers.length);
      this.#lots.push({ id: String(order['id']), waferLotId, waferIds, dies, remark: said(values, 'remark') || null });
    }
  }

  async write(ctx: Context): Promise<void> {
    await holdBank(ctx, { orders: [...this.#orders.keys()] });
    for (const it of this.#lots) await receive(it, ctx);
  }
}
const nameOf = (...parts: (string | null)[]): string => parts.join('\n');

/** What one report says of an order: rows with the same date code and remark are one. */
interface OrderReport {
  id: string;
  dateCode: string | null;
  remark: string | null;
  positions: Reported[];
}

class OutputReport implements Import {
  readonly #module: WorkOrderModule;
  readonly #columns: readonly ImportColumn[];
  readonly #orders = new Map<string, Row>();
  readonly #positions = new Map<string, Position[]>();
  readonly #booked = new Map<string, Awaited<ReturnType<typeof readBooked>>>();
  readonly #told = new Set<string>();
  readonly #reports = new Map<string, OrderReport>();

  constructor(module: WorkOrderModule, columns: readonly ImportColumn[]) {
    this.#module = module;
    this.#columns = columns;
  }

  async check(batch: readonly ImportRow[], ctx: Context): Promise<void> {
    const rows = batch.map((row) => ({ row, values: read(row, this.#columns, ctx) }));
    await openOrders(this.#module, rows, this.#orders, ctx);
    for (const { row, values } of rows.filter(isSound)) {
      const workOrderNo = said(values, 'workOrderNo');
      const order = this.#orders.get(workOrderNo) as Row;
      const positions = await this.#positionsOf(workOrderNo, ctx);
      const found = positions.filter((it) => isMeant(it, values));
      const [position] = found;
      const what = [said(values, 'wipId') || said(values, 'waferLotId'), said(values, 'piece')]
        .filter(Boolean)
        .join(' / ');
      if (!position || found.length > 1) {
        row.problems.push({ key: position ? 'positionUnclear' : 'positionUnknown', args: { id: workOrderNo, what } });
        continue;
      }
      const bins = binsIn(outputBankOf(this.#module, order));
      const reported = {
        position: position.position,
        outputs: outputsIn(values, bins),
        lossQty: countIn(values, 'loss'),
        repeat: countIn(values, 'repeat') || 1,
      };
      const stray = this.#columns.find(
        (it) => binOf(it.name) !== null && countIn(values, it.name) > 0 && !isCounted(it.name, bins),
      );
      if (stray) {
        row.problems.push({ key: 'binUnknown', field: stray.name, args: { id: workOrderNo, what: stray.label } });
        continue;
      }
      const key = nameOf(workOrderNo, position.position);
      if (this.#told.has(key)) row.problems.push({ key: 'positionTwice', args: { id: workOrderNo, what } });
      else {
        const booked = await this.#bookedOf(workOrderNo, ctx);
        const dateCode = said(values, 'dateCode');
        const { wrong, there } = validateReported(positions, [reported], bins, { dateCode, booked });
        row.problems.push(...wrong, ...there);
      }
      this.#told.add(key);
      this.#add(String(order['id']), values, reported);
    }
  }

  async #positionsOf(workOrderNo: string, ctx: Context): Promise<Position[]> {
    const known = this.#positions.get(workOrderNo) ?? (await readPositions(ctx, this.#module, workOrderNo)).positions;
    this.#positions.set(workOrderNo, known);
    return known;
  }

  async #bookedOf(workOrderNo: string, ctx: Context) {
    const known = this.#booked.get(workOrderNo) ?? (await readBooked(ctx, workOrderNo));
    this.#booked.set(workOrderNo, known);
    return known;
  }

  #add(id: string, values: Row, reported: Reported): void {
    const [dateCode, remark] = [said(values, 'dateCode') || null, said(values, 'remark') || null];
    const key = nameOf(id, dateCode, remark);
    const report = this.#reports.get(key) ?? { id, dateCode, remark, positions: [] };
    report.positions.push(reported);
    this.#reports.set(key, report);
  }

  async write(ctx: Context): Promise<void> {
    await holdBank(ctx, { orders: [...this.#orders.keys()], isWhole: true });
    for (const it of this.#reports.values()) await record(this.#module, it, ctx);
  }
}

const isMeant = (it: Position, values: Row): boolean => {
  const [wipId, lot, piece] = ['wipId', 'waferLotId', 'piece'].map((name) => said(values, name));
  const isPiece = it.piece === '' || Number(it.piece) === Number(piece);
  return (
    isPiece && (wipId === '' || it.wipId === wipId) && (lot === '' || normaliseLot(it.waferLotId) === normaliseLot(lot))
  );
};

/** Where a bank does not count in bins, a wafer's good dies are its own. */
const binOf = (name: string): string | null => (name === 'good' ? GOOD_BIN : (/^bin(\d)$/.exec(name)?.[1] ?? null));
const isCounted = (name: string, bins: readonly string[]): boolean =>
  bins.length === 0 ? name === 'good' : bins.includes(binOf(name) ?? '');

const outputsIn = (values: Row, bins: readonly string[]): Reported['outputs'] =>
  bins.length === 0
    ? [{ bin: null, qty: countIn(values, 'good') }]
    : bins
        .map((bin) => ({ bin, qty: countIn(values, bin === GOOD_BIN ? 'good' : `bin${bin}`) }))
        .filter((it) => it.qty > 0);
