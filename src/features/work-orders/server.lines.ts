import type { Static } from 'typebox';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { banksOf, inputOf, type WorkOrderModule } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import type { Row } from '#server/engine/rows.ts';
import { holdBank } from '#server/workflow/bankLocks.ts';
import type { FtPick, WaferPick } from './contract.ts';
import { readBank, reserve, type BankLotRow } from './queries.ts';
import { isBin, validateDies, validateGroups } from './rules.ts';

interface Piece {
  piece: string;
  inputQty: number;
  remainQty: number;
  /** The order has it already. */
  isKept: boolean;
}
interface Share {
  lot: BankLotRow;
  pieces: Piece[];
}

/** What an order holds already and goes on to hold, by `keyOf`. */
export type Kept = ReadonlyMap<string, { inputQty: number; remainQty: number }>;
const none: Kept = new Map();

/** A wafer or bin of a lot. */
export const keyOf = (wipId: string, piece: string): string => `${wipId}/${piece}`;

/** What is picked for an order, once it was found in the banks. */
export interface Taken {
  /** What the order counts of it. */
  counts: { chipQty: number; waferQty: number } | { chipQty: number; groupQty: number };
  /** Reserves it and writes the lines of the order. */
  write: (workOrderNo: string) => Promise<void>;
}

/**
 * Bumping, CP and assembly: whole wafers or parts of them. One line a lot; the same wafer twice is refused.
 * Rule: wafer-bank#orders.
 */
export async function takeWafers(
  module: 'icopBumpingCpWorkOrder' | 'icopAssemblyWorkOrder',
  values: Row,
  picks: readonly Static<typeof WaferPick>[],
  ctx: Context,
  kept = none,
): Promise<Taken> {
  const shares = await take(
    picks.map((it) => ({ wipId: it.wipId, piece: it.waferId, inputQty: it.inputQty ?? 0 })),
    wantedOf(module, values),
    kept,
    ctx,
  );
  const all = shares.flatMap((it) => it.pieces);
  refuseIfAny(validateDies(sumOf(all), 'waferList'));
  const device = module === 'icopAssemblyWorkOrder' ? await findDevice(String(values['devicePn']), ctx) : undefined;
  const printed = printedOf(values);
  const write = async (workOrderNo: string) => {
    for (const { lot, pieces } of shares) {
      await reserveNew(ctx, workOrderNo, lot, pieces);
      const line = {
        workOrderNo,
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
      const splitList = JSON.stringify(
        pieces.map(({ piece, inputQty, remainQty }) => ({ waferId: piece, inputQty, remainQty })),
      );
      await ctx.db
        .insertInto('icop_assembly_work_order_line')
        .values({ ...line, ...device, ...printed, splitList, dieQty: line.chipQty })
        .execute();
    }
  };
  return { counts: { waferQty: all.length, chipQty: sumOf(all) }, write };
}

/** Final test: bins of lots, in groups that are tested together. Rule: wafer-bank#orders. */
export async function takeBins(
  values: Row,
  picks: readonly Static<typeof FtPick>[],
  ctx: Context,
  kept = none,
): Promise<Taken> {
  const shares = await take(
    picks.map((it) => ({ wipId: it.wipId, piece: it.bin, inputQty: it.chipQty ?? 0 })),
    wantedOf('icopFtWorkOrder', values),
    kept,
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
  const write = async (workOrderNo: string) => {
    if (lines.length === 0) return;
    for (const { lot, pieces } of shares) await reserveNew(ctx, workOrderNo, lot, pieces);
    await ctx.db
      .insertInto('icop_ft_work_order_line')
      .values(
        lines.map(({ lot, group, bin, ftTestProgram, qty, originPlace, remark }) => ({
          workOrderNo,
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
  };
  return { counts: { groupQty, chipQty }, write };
}

/** The banks from which an order takes, with the part that it is made of. */
export const wantedOf = (module: WorkOrderModule, values: Row) => ({
  stages: banksOf(module, { processType: String(values['processType'] ?? ''), ftType: String(values['ftType'] ?? '') }),
  ...(module === 'icopFtWorkOrder' ? { devicePn: String(values['devicePn']) } : { waferPn: String(values['waferPn']) }),
});

const reserveNew = async (ctx: Context, workOrderNo: string, lot: BankLotRow, pieces: readonly Piece[]) => {
  const added = pieces.filter((it) => !it.isKept);
  if (added.length > 0) await reserve(ctx, workOrderNo, lot, added);
};

/** Locks the lots and looks anew: what is no longer there is refused with its lot and wafer, and nothing is written. */
async function take(
  picks: readonly { wipId: string; piece: string; inputQty: number }[],
  wanted: ReturnType<typeof wantedOf>,
  kept: Kept,
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
    const own = kept.get(keyOf(wipId, piece));
    const what = `${lot?.waferLotId ?? wipId} / ${piece}`;
    if (share?.pieces.some((it) => it.piece === piece)) throw new Refusal({ key: 'namedTwice', args: { what } });
    if (!lot) await refuseOtherPart(wipId, wanted, ctx);
    if (!lot || !share || (!own && (available === 0 || inputQty > available))) {
      throw new Refusal({ key: 'quantityGone', args: { what } });
    }
    const inputQuantity = inputOf(inputQty, available);
    const taken = own ?? { inputQty: inputQuantity, remainQty: available - inputQuantity };
    share.pieces.push({ piece, ...taken, isKept: own !== undefined });
    shares.set(wipId, share);
  }
  const wrong = [...shares.values()].find((it) => it.pieces.some((one) => !one.isKept && !fits(it.lot, one.piece)));
  if (wrong) throw new Refusal({ key: 'quantityGone', args: { what: wrong.lot.waferLotId } });
  return [...shares.values()];
}

/** @throws Refusal where the lot is there, and of another part than the order is of. */
async function refuseOtherPart(wipId: string, { stages, ...part }: ReturnType<typeof wantedOf>, ctx: Context) {
  const [lot] = await readBank(ctx, { stages, wipIds: [wipId] });
  if (!lot) return;
  const [[field = '', expected = ''] = []] = Object.entries(part);
  const kind = { module: 'icopWip', field };
  const what = { zh: '批次', en: 'Lot' };
  throw new Refusal({ key: 'otherKind', args: { what, value: lot.waferLotId, kind, expected } });
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
