import { sql } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { inStageOf, Stage, waferIdsOf, WorkOrderStatus, type WorkOrderModule } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import type { Row } from '#server/engine/rows.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { touchSql } from '#server/touch.ts';
import { deviceOf } from '#server/workflow/inProcess.ts';
import { changeLot, emptyBins, noteLots, type LotEvent } from '#server/workflow/lots.ts';
import { orderTables } from '#server/workflow/workOrders.ts';
import {
  dateCodeOf,
  goodOf,
  positionsOf,
  type OrderEntry,
  type OrderLine,
  type Position,
  type Reported,
} from './rules.ts';

interface Line extends OrderLine {
  devicePn: string | null;
  marking: string | null;
  erpCode?: string | null;
  productName?: string | null;
  packageType?: string | null;
}

/** What of an order is where, position by position, as the history of its lots says. Rule: wafer-bank#output. */
export async function readPositions(ctx: Context, module: WorkOrderModule, workOrderNo: string) {
  const lines = await readLines(ctx, module, workOrderNo);
  const { rows } = await sql<OrderEntry>`
    SELECT t."transactionType" AS type, t."wipId", t."waferId", t.bin, coalesce(t.qty, 0) AS qty,
           w."parentWipIds" AS parent, w."group"
      FROM icop_transaction AS t
      LEFT JOIN icop_wip AS w ON w."wipId" = t."wipId" AND t."transactionType" = 'OUTPUT'
     WHERE t."workOrderNo" = ${workOrderNo} AND t."operateStatus" = ${OperateStatus.Normal}
       AND t."transactionType" IN ('RESERVE', 'OUTPUT', 'LOSS')
     ORDER BY t.id`.execute(ctx.db);
  return { lines, positions: positionsOf(module, lines, rows) };
}

/** The orders of these numbers, as far as there are such. */
export async function findOrders(
  { db }: Context,
  module: WorkOrderModule | 'icopWaferWorkOrder',
  numbers: readonly string[],
): Promise<Row[]> {
  if (numbers.length === 0) return [];
  const table = module === 'icopWaferWorkOrder' ? 'icop_wafer_work_order' : orderTables[module];
  const { rows } =
    await sql<Row>`SELECT * FROM ${sql.table(table)} WHERE "workOrderNo" = ${anyOf([...numbers])}`.execute(db);
  return rows;
}

/** How many dies a wafer of each part has. */
export async function readGrossDies({ db }: Context, waferPns: readonly string[]): Promise<Map<string, number>> {
  const parts = await db
    .selectFrom('icop_part_number')
    .select(['waferPn', 'grossDie'])
    .where('waferPn', '=', anyOf([...waferPns]))
    .where('grossDie', 'is not', null)
    .execute();
  return new Map(parts.map((it) => [String(it.waferPn), Number(it.grossDie)]));
}

/** The wafers of these foundry lots that came into the wafer bank. */
export const receivedWafers = ({ db }: Context, waferLotIds: readonly string[]) =>
  db
    .selectFrom('wafer_receipt')
    .select(['waferPn', 'waferLotId', 'waferId'])
    .where('waferLotId', '=', anyOf([...waferLotIds]))
    .execute();

/** Notes that these wafers have come, in this lot; gives the first that came before. Rule: wafer-bank#entry. */
export async function claimWafers(
  { db }: Context,
  { waferIds, ...lot }: { waferPn: string; waferLotId: string; waferIds: readonly string[]; wipId: string },
): Promise<string | undefined> {
  const claimed = await db
    .insertInto('wafer_receipt')
    .values(waferIds.map((waferId) => ({ ...lot, waferId })))
    .onConflict((it) => it.doNothing())
    .returning('waferId')
    .execute();
  return waferIds.find((it) => !claimed.some(({ waferId }) => waferId === it));
}

async function readLines({ db }: Context, module: WorkOrderModule, workOrderNo: string): Promise<Line[]> {
  const isFt = module === 'icopFtWorkOrder';
  const hasDevice = module !== 'icopBumpingCpWorkOrder';
  const { rows } = await sql<Line>`
    SELECT "wipId", "waferLotId", ${isFt ? sql`bin, "group"` : sql`NULL AS bin, NULL AS "group"`},
           ${hasDevice ? sql`"devicePn", marking` : sql`NULL AS "devicePn", NULL AS marking`}
           ${module === 'icopAssemblyWorkOrder' ? sql`, "erpCode", "productName", "packageType"` : sql``}
      FROM ${sql.table(`${orderTables[module]}_line`)} WHERE "workOrderNo" = ${workOrderNo} ORDER BY id`.execute(db);
  return rows;
}

interface WaferLot {
  wipId: string;
  dateCode: string | null;
}

interface Output {
  module: WorkOrderModule;
  order: Row;
  bank: Stage;
  lines: readonly Line[];
  positions: readonly Position[];
  reported: readonly Reported[];
  /** By which the entries of each position name their row of the report. */
  marks: ReadonlyMap<string, string>;
  dateCode: string | null;
  remark: string | null;
}

/**
 * The good units of a report become lots of the next bank, one for each lot that went in or each group that was tested,
 * with an entry for each wafer or bin. @returns where they lie, and all lots that they came through. Rule: wafer-bank#output.
 */
export async function addOutputLots(ctx: Context, output: Output): Promise<{ wipIds: string[]; through: string[] }> {
  const { module, positions, reported } = output;
  const standing = await waferLots(ctx, output.module, String(output.order['workOrderNo']));
  const byLot = new Map<string, { position: Position; it: Reported }[]>();
  for (const it of reported) {
    const position = positions.find((one) => one.position === it.position);
    if (!position || goodOf(it) === 0) continue;
    const lot = standing.get(position.position)?.wipId ?? (module === bumpingCp ? position.wipId : position.position);
    byLot.set(lot, [...(byLot.get(lot) ?? []), { position, it }]);
  }
  const wipIds: string[] = [];
  const through: string[] = [];
  const joined = new Map([...standing.values()].map((it) => [it.wipId, it]));
  for (const [lot, pieces] of byLot) {
    const there = joined.get(lot);
    const lots = there ? await joinLot(ctx, output, there, pieces) : [await addLot(ctx, output, pieces)];
    wipIds.push(lots.at(-1) as string);
    through.push(...lots);
  }
  return { wipIds, through };
}
const bumpingCp = 'icopBumpingCpWorkOrder';

/** Into which lot of the order a wafer came of which dies came out before, and its date code. */
async function waferLots(
  { db }: Context,
  module: WorkOrderModule,
  workOrderNo: string,
): Promise<ReadonlyMap<string, WaferLot>> {
  if (module !== bumpingCp) return new Map();
  const { rows } = await sql<WaferLot & { position: string }>`
    SELECT DISTINCT ON (w."parentWipIds", t."waferId") w."parentWipIds" || '/' || t."waferId" AS position, t."wipId", w."dateCode"
      FROM icop_transaction AS t JOIN icop_wip AS w USING ("wipId")
     WHERE t."workOrderNo" = ${workOrderNo} AND t."transactionType" = 'OUTPUT' AND t."operateStatus" = ${OperateStatus.Normal}
     ORDER BY w."parentWipIds", t."waferId", t.id`.execute(db);
  return new Map(rows.map(({ position, ...it }) => [position, it]));
}

/**
 * More dies of wafers that stand in a lot of the order already: a wafer is in one lot. What was said of them, and a
 * date code that is not its own, stands with their entries. @returns the lot, and those into which it was merged since. Rule: wafer-bank#output.
 */
async function joinLot(
  ctx: Context,
  { order, marks, dateCode, remark }: Output,
  { wipId, dateCode: its }: WaferLot,
  pieces: readonly { position: Position; it: Reported }[],
): Promise<string[]> {
  let lots = [wipId];
  const other = dateCodeOf(dateCode) === dateCodeOf(its) ? null : dateCode;
  const remarks = [other, remark]
    .filter((it) => it !== null)
    .join(' · ')
    .slice(0, 500);
  const said = remarks === '' ? {} : { remark: remarks };
  for (const { position, it } of pieces) {
    const piece = { wipId, waferId: position.piece, bin: null };
    const qty = goodOf(it);
    const { before, after } = await addToWafer(ctx, piece, qty);
    const workOrderNo = String(order['workOrderNo']);
    const reportMark = marks.get(position.position) ?? null;
    await noteLots(ctx, [{ ...piece, type: 'OUTPUT', qty, before, after, workOrderNo, reportMark, ...said }]);
    lots = await followMerges(ctx, piece, qty);
  }
  return lots;
}

interface WaferOfLot {
  wipId: string;
  waferId: string;
  bin: null;
}

async function addToWafer(ctx: Context, piece: WaferOfLot, qty: number) {
  await ctx.db
    .updateTable('icop_wip_wafer')
    .set((row) => ({ originalQty: row('originalQty', '+', qty) }))
    .where('wipId', '=', piece.wipId)
    .where('waferId', '=', piece.waferId)
    .execute();
  return changeLot(ctx, { ...piece, by: qty });
}

/**
 * What comes into a lot that was merged goes on into the lot that this made, as what it held did, and comes back with a merge that is
 * undone. @returns all lots on the way.
 */
async function followMerges(ctx: Context, piece: WaferOfLot, qty: number): Promise<string[]> {
  const given = await ctx.db
    .selectFrom('icop_transaction')
    .select('remark')
    .where('wipId', '=', piece.wipId)
    .where('transactionType', '=', 'ADJUST')
    .where('operateStatus', '=', OperateStatus.Normal)
    .limit(1)
    .executeTakeFirst();
  if (!given?.remark) return [piece.wipId];
  const next = { ...piece, wipId: given.remark };
  const gone = await changeLot(ctx, { ...piece, by: -qty });
  const come = await addToWafer(ctx, next, qty);
  await noteLots(ctx, [
    { ...piece, type: 'ADJUST', qty, ...gone, remark: next.wipId },
    { ...next, type: 'IN', qty, ...come, remark: piece.wipId },
  ]);
  return [piece.wipId, ...(await followMerges(ctx, next, qty))];
}

async function addLot(
  ctx: Context,
  { module, order, bank, lines, dateCode, remark, marks }: Output,
  pieces: readonly { position: Position; it: Reported }[],
): Promise<string> {
  const [first] = pieces as [{ position: Position; it: Reported }];
  const isFt = module === 'icopFtWorkOrder';
  const group = isFt ? Number(first.position.position) : null;
  const own = lines.filter((it) => (isFt ? it.group === group : it.wipId === first.position.wipId));
  const parents = [...new Set(own.map((it) => it.wipId))];
  const sources = await ctx.db.selectFrom('icop_wip').selectAll().where('wipId', '=', anyOf(parents)).execute();
  // A merged group is called after its largest lot.
  const source = sources.reduce((a, b) => ((b.inputQty ?? 0) > (a.inputQty ?? 0) ? b : a));
  const wipId = await ctx.numbers.next('WIP');
  const good = pieces.reduce((sum, { it }) => sum + goodOf(it), 0);
  const wafers = bank === Stage.BumpingBank || bank === Stage.CpBank ? pieces : [];
  const waferList = wafers.map(({ position, it }) => ({ waferId: position.piece, chipQty: goodOf(it) }));
  const bins = new Map<string, number>();
  for (const { bin, qty } of pieces.flatMap(({ it }) => it.outputs)) {
    if (bin !== null && qty > 0) bins.set(bin, (bins.get(bin) ?? 0) + qty);
  }
  const text = (name: string) => (order[name] ?? null) as string | null;
  const printed = bank === Stage.AssemblyBank ? (own[0]?.marking ?? null) : source.marking;
  const { id: _id, version: _version, createTime: _created, updateBy: _by, updateTime: _at, ...rest } = source;
  await ctx.db
    .insertInto('icop_wip')
    .values({
      ...rest,
      ...emptyBins,
      ...Object.fromEntries([...bins].map(([bin, qty]) => [`bin${bin}`, qty])),
      wipId,
      ...{ stage: bank, stageName: bank },
      ...{ workOrderNo: text('workOrderNo'), workOrderType: module, processType: text('processType') },
      ...{ ftType: text('ftType'), lotType: text('lotType'), engineeringCode: text('engineeringCode') },
      ...{ supplierId: text('supplierId'), supplierName: text('supplierId') },
      ...{ siteId: text('siteId'), siteName: text('siteId'), inventoryOrg: text('inventoryOrg') },
      ...deviceOf(order, own[0] ?? {}, source),
      waferLotId: await nameOf(ctx, { module, source, workOrderNo: text('workOrderNo'), pieces, parents }),
      ...{ waferIds: waferIdsOf(waferList) || null, waferQty: waferList.length || null },
      ...{ chipQty: good, remainQty: good, inputQty: 0 },
      cpTestProgram: text('cpTestProgram') ?? source.cpTestProgram,
      frontFtTestProgram: isFt ? source.ftTestProgram : source.frontFtTestProgram,
      ftTestProgram: isFt ? await programOf(ctx, text('workOrderNo'), group) : source.ftTestProgram,
      ...{ marking: printed, originalMarking: source.originalMarking ?? printed },
      dateCode: dateCode ?? source.dateCode,
      assySiteId: module === 'icopAssemblyWorkOrder' ? (text('btmSiteId') ?? text('siteId')) : source.assySiteId,
      group,
      parentWipIds: parents.join(','),
      remark,
      inTime: sql<string>`now()`,
      createBy: ctx.currentUser.userId,
    })
    .execute();
  if (waferList.length > 0) {
    const rows = waferList.map((it) => ({ ...it, wipId, originalQty: it.chipQty, createBy: ctx.currentUser.userId }));
    await ctx.db
      .insertInto('icop_wip_wafer')
      .values(rows.filter((it) => it.chipQty > 0))
      .execute();
  }
  const entry = (position: string, waferId: string | null, bin: string | null, qty: number): LotEvent => ({
    ...{ wipId, waferId, bin, type: 'OUTPUT', qty, before: 0, after: qty, reportMark: marks.get(position) ?? null },
    workOrderNo: text('workOrderNo'),
  });
  const entries =
    waferList.length > 0
      ? wafers.map(({ position, it }) => entry(position.position, position.piece, null, goodOf(it)))
      : [...bins].map(([bin, qty]) => entry(first.position.position, null, bin, qty));
  await noteLots(ctx, entries);
  return wipId;
}

async function programOf({ db }: Context, workOrderNo: string | null, group: number | null) {
  const line = await db
    .selectFrom('icop_ft_work_order_line')
    .select('ftTestProgram')
    .where('workOrderNo', '=', workOrderNo)
    .where('group', '=', group)
    .limit(1)
    .executeTakeFirst();
  return line?.ftTestProgram ?? null;
}

/** What a lot is called: as the one that went in; `M` behind a merged one, `.1`, `.2` where it comes in parts. */
async function nameOf(
  { db }: Context,
  it: {
    module: WorkOrderModule;
    source: { waferLotId: string | null; wipId: string };
    workOrderNo: string | null;
    pieces: readonly { position: Position; it: Reported }[];
    parents: readonly string[];
  },
): Promise<string> {
  const name = it.source.waferLotId ?? it.source.wipId;
  if (it.module === 'icopBumpingCpWorkOrder') return name;
  if (it.module === 'icopFtWorkOrder') return it.parents.length > 1 && !name.endsWith('M') ? `${name}M` : name;
  const isWhole = it.pieces.every(
    ({ position, it: report }) => goodOf(report) + report.lossQty + position.lossQty === position.inputQty,
  );
  if (isWhole) return name;
  const before = await db
    .selectFrom('icop_wip')
    .select((one) => one.fn.countAll<number>().as('count'))
    .where('workOrderNo', '=', it.workOrderNo)
    .where('parentWipIds', '=', it.source.wipId)
    .where('stage', '!=', inStageOf(it.module, {}))
    .executeTakeFirstOrThrow();
  return `${name}.${Number(before.count) + 1}`;
}

/** What was lost is told of the lots that went in, piece by piece. */
export async function noteLoss(
  ctx: Context,
  { module, order, lines, positions, reported, marks }: Output,
): Promise<void> {
  const workOrderNo = String(order['workOrderNo']);
  const events: LotEvent[] = [];
  for (const { position: key, lossQty, ...it } of reported) {
    const position = positions.find((one) => one.position === key);
    if (!position || lossQty === 0) continue;
    const before = position.leftQty - goodOf(it);
    const reportMark = marks.get(key) ?? null;
    const of = { type: 'LOSS', qty: lossQty, before, after: before - lossQty, workOrderNo, reportMark } as const;
    if (module === 'icopFtWorkOrder') {
      const line = lines.find((one) => String(one.group) === key);
      if (line) events.push({ ...of, wipId: line.wipId, waferId: null, bin: line.bin ?? null });
    } else {
      const waferId = module === 'icopBumpingCpWorkOrder' ? position.piece : null;
      events.push({ ...of, wipId: position.wipId, waferId, bin: null });
    }
  }
  await noteLots(ctx, events);
}

/** The order counts what came out and what was lost; with the first of it it is in process. */
export async function countOutput(
  ctx: Context,
  module: WorkOrderModule | 'icopWaferWorkOrder',
  id: unknown,
  { good, loss }: { good: number; loss: number },
): Promise<{ billStatus: string; outputQty: number; lossQty: number }> {
  const { rows } = await sql<{ billStatus: string; outputQty: number; lossQty: number }>`
    UPDATE ${sql.table(requireDefinition(ctx.model, module).table)}
       SET "outputQty" = coalesce("outputQty", 0) + ${good}::int, "lossQty" = coalesce("lossQty", 0) + ${loss}::int,
           "billStatus" = CASE WHEN coalesce("outputQty", 0) + coalesce("lossQty", 0) + ${good}::int + ${loss}::int > 0
                               THEN ${WorkOrderStatus.InProcess} ELSE ${WorkOrderStatus.Sent} END, ${touchSql(ctx.currentUser)}
     WHERE id = ${id} RETURNING "billStatus", "outputQty", "lossQty"`.execute(ctx.db);
  return rows[0] as { billStatus: string; outputQty: number; lossQty: number };
}
