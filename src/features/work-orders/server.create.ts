import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { DataOf } from '#domain/call.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { banksOf, inputOf, WorkOrderStatus, type WorkOrderModule } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { withNames } from '#server/engine/describe.ts';
import { checkForm } from '#server/engine/form.ts';
import { validateOwnRules } from '#server/engine/ownRules.ts';
import type { Row } from '#server/engine/rows.ts';
import { refuseUnknownRefs } from '#server/engine/writing.ts';
import { recordInLedger } from '#server/ledger.ts';
import { holdBank } from '#server/workflow/bankLocks.ts';
import type { createWaferOrder, FtPick, WaferPick } from './contract.ts';
import { isBin, validateDies, validateGroups, validateNotEmpty } from './rules.ts';
import { readBank, reserve, type BankLotRow } from './queries.ts';

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

interface Share {
  lot: BankLotRow;
  pieces: { piece: string; inputQty: number; remainQty: number }[];
}

/**
 * Bumping, CP and assembly: whole wafers or parts of them. One line a lot; the same wafer twice is refused.
 * Rule: wafer-bank#orders.
 */
export async function createFromWafers(
  module: 'icopBumpingCpWorkOrder' | 'icopAssemblyWorkOrder',
  input: Row,
  picks: readonly Static<typeof WaferPick>[],
  ctx: Context,
) {
  const values = await checkedHeader(module, input, ctx);
  refuseIfAny(validateNotEmpty(picks.length, 'waferList'));
  const stages = banksOf(module, { processType: String(values['processType'] ?? '') });
  const shares = await take(
    picks.map((it) => ({ wipId: it.wipId, piece: it.waferId, inputQty: it.inputQty ?? 0 })),
    { stages, waferPn: String(values['waferPn']) },
    ctx,
  );
  const all = shares.flatMap((it) => it.pieces);
  refuseIfAny(validateDies(sumOf(all), 'waferList'));
  const order = await insertOrder(module, { ...values, waferQty: all.length, chipQty: sumOf(all) }, ctx);
  const device = module === 'icopAssemblyWorkOrder' ? await findDevice(String(values['devicePn']), ctx) : undefined;
  const printed = printedOf(values);
  for (const { lot, pieces } of shares) {
    await reserve(ctx, order.workOrderNo, lot, pieces);
    const line = {
      workOrderNo: order.workOrderNo,
      wipId: lot.wipId,
      stage: lot.stage,
      waferPn: lot.waferPn,
      waferMpn: lot.waferMpn,
      waferLotId: lot.waferLotId,
      waferIds: pieces.map((it) => it.piece).join(','),
      waferQty: pieces.length,
      chipQty: sumOf(pieces),
      remark: picks.find((it) => it.wipId === lot.wipId && it.remark)?.remark ?? null,
      createBy: ctx.currentUser.userId,
    };
    if (!device) {
      await ctx.db.insertInto('icop_bumping_cp_work_order_line').values(line).execute();
      continue;
    }
    const splitList = JSON.stringify(pieces.map(({ piece, ...it }) => ({ waferId: piece, ...it })));
    await ctx.db
      .insertInto('icop_assembly_work_order_line')
      .values({ ...line, ...device, ...printed, splitList, dieQty: line.chipQty })
      .execute();
  }
  return order;
}

/** Final test: bins of lots, in groups that are tested together. Rule: wafer-bank#orders. */
export async function createFt(input: Row, picks: readonly Static<typeof FtPick>[], ctx: Context) {
  const values = await checkedHeader('icopFtWorkOrder', input, ctx);
  refuseIfAny(validateNotEmpty(picks.length, 'ftWorkOrderLineGroupList'));
  const stages = banksOf('icopFtWorkOrder', { ftType: String(values['ftType'] ?? '') });
  const shares = await take(
    picks.map((it) => ({ wipId: it.wipId, piece: it.bin, inputQty: it.chipQty ?? 0 })),
    { stages, devicePn: String(values['devicePn']) },
    ctx,
  );
  const lots = new Map(shares.map((it) => [it.lot.wipId, it]));
  const lines = picks.map((it) => {
    const { lot, pieces } = lots.get(it.wipId) as Share;
    const piece = pieces.find((one) => one.piece === it.bin);
    return { ...it, lot, stage: lot.stage, devicePn: lot.devicePn, piece: it.bin, qty: piece?.inputQty ?? 0 };
  });
  refuseIfAny(validateGroups(lines.map((it) => ({ ...it, ftTestProgram: it.ftTestProgram ?? '' }))));
  const groupQty = new Set(lines.map((it) => it.group)).size;
  const chipQty = lines.reduce((sum, it) => sum + it.qty, 0);
  refuseIfAny(validateDies(chipQty, 'ftWorkOrderLineGroupList'));
  const order = await insertOrder('icopFtWorkOrder', { ...values, groupQty, chipQty }, ctx);
  for (const { lot, pieces } of shares) await reserve(ctx, order.workOrderNo, lot, pieces);
  await ctx.db
    .insertInto('icop_ft_work_order_line')
    .values(
      lines.map(({ lot, group, bin, ftTestProgram, qty, originPlace, remark }) => ({
        workOrderNo: order.workOrderNo,
        group,
        wipId: lot.wipId,
        stage: lot.stage,
        waferLotId: lot.waferLotId,
        devicePn: lot.devicePn,
        frontFtTestProgram: lot.frontFtTestProgram,
        ftTestProgram: ftTestProgram ?? null,
        bin,
        chipQty: qty,
        marking: lot.marking,
        originalMarking: lot.originalMarking,
        dateCode: lot.dateCode,
        originPlace: originPlace ?? null,
        remark: remark ?? null,
        createBy: ctx.currentUser.userId,
      })),
    )
    .execute();
  return order;
}

/** Locks the lots and looks anew: what is no longer there is refused with its lot and wafer, and nothing is written. */
async function take(
  picks: readonly { wipId: string; piece: string; inputQty: number }[],
  wanted: { stages: readonly string[]; waferPn?: string; devicePn?: string },
  ctx: Context,
): Promise<Share[]> {
  const wipIds = [...new Set(picks.map((it) => it.wipId))];
  await holdBank(ctx, { lots: wipIds });
  const lots = new Map((await readBank(ctx, { ...wanted, wipIds })).map((it) => [it.wipId, it]));
  const shares = new Map<string, Share>();
  for (const { wipId, piece, inputQty } of picks) {
    const lot = lots.get(wipId);
    const share = shares.get(wipId) ?? (lot && { lot, pieces: [] });
    const available = lot?.waferList.find((it) => it.waferId === piece)?.chipQty ?? 0;
    const isTwice = share?.pieces.some((it) => it.piece === piece);
    if (!lot || !share || isTwice || available === 0 || inputQty > available) {
      throw new Refusal({ key: 'quantityGone', args: { what: `${lot?.waferLotId ?? wipId} / ${piece}` } });
    }
    const inputQuantity = inputOf(inputQty, available);
    share.pieces.push({ piece, inputQty: inputQuantity, remainQty: available - inputQuantity });
    shares.set(wipId, share);
  }
  const wrong = [...shares.values()].find((it) => it.pieces.some((one) => !fits(it.lot, one.piece)));
  if (wrong) throw new Refusal({ key: 'quantityGone', args: { what: wrong.lot.waferLotId } });
  return [...shares.values()];
}

/** Wafers have numbers of their own; a bin is one that the bank knows. */
const fits = ({ stage, waferIds }: BankLotRow, piece: string): boolean =>
  waferIds.split(',').includes(piece) || isBin(stage, piece);

async function findDevice(devicePn: string, { db }: Context) {
  const found = await db
    .selectFrom('icop_part_number_line')
    .select(['deviceErpCode', 'packageType', 'productName', 'msl', 'ft1Program', 'ft2Program'])
    .where('devicePn', '=', devicePn)
    .executeTakeFirst();
  return {
    devicePn,
    deviceName: devicePn,
    erpCode: found?.deviceErpCode ?? null,
    packageType: found?.packageType ?? null,
    productName: found?.productName ?? null,
    marking: found?.productName ?? null,
    msl: found?.msl ?? null,
    ft1Program: found?.ft1Program ?? null,
    ft2Program: found?.ft2Program ?? null,
  };
}

/** What is printed on each device of an order: the same on all its lines. */
const printedOf = (values: Row) => {
  const text = (name: string) => (values[name] ?? null) as string | null;
  return { abiNo: text('abiNo'), partNumbering: text('partNumbering'), line1: text('line1'), line2: text('line2') };
};

const sumOf = (pieces: readonly { inputQty: number }[]): number => pieces.reduce((sum, it) => sum + it.inputQty, 0);
