import { normaliseNo } from './sn.ts';

/** Banks of wafers and lots, and what each kind of work order does with them. Rule: wafer-bank#banks. */

export const Stage = {
  WaferBank: '1',
  InBumping: '2',
  BumpingBank: '3',
  InCp: '4',
  CpBank: '5',
  InAssembly: '6',
  AssemblyBank: '7',
  InFt1: '8',
  Ft1Bank: '9',
  InFt2: 'A',
  Ft2Bank: 'B',
  Shipped: 'C',
} as const;
export type Stage = (typeof Stage)[keyof typeof Stage];

/** Lots of these are with a supplier, and in no bank. Rule: wafer-bank#banks. */
export const inProcessStages: readonly string[] = [
  ...[Stage.InBumping, Stage.InCp, Stage.InAssembly, Stage.InFt1, Stage.InFt2],
];

export const WorkOrderStatus = { Draft: '0', Sent: '1', InProcess: '2', Done: '3', Cancelled: '4' } as const;
export type WorkOrderStatus = (typeof WorkOrderStatus)[keyof typeof WorkOrderStatus];
export const LotType = { Production: '0', Pilot: '1', Qualification: '2', Engineering: '3' } as const;
/** What a bumping and CP work order does. */
export const ProcessType = { Bumping: '1', BumpingAndCp: '2', Cp: '3' } as const;
/** An assembly order with which the final test comes along. */
const TURNKEY = '2';
export const FtType = { Ft1: '1', Ft2: '2', Both: '3' } as const;

/** The nine bins of a final test. Rule: wafer-bank#bins. */
export const ftBins = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
/** Those that are good where a device part does not say others. Rule: wafer-bank#yield. */
export const USUAL_GOOD_BINS = '1,2,3,4,5,6,7,8';
/** What an assembled lot holds before its first final test. */
export const GOOD_BIN = 'G';

/** The orders that take lots in and give lots back. */
export const workOrderModules = ['icopBumpingCpWorkOrder', 'icopAssemblyWorkOrder', 'icopFtWorkOrder'] as const;
export type WorkOrderModule = (typeof workOrderModules)[number];

/** The banks from which a work order may take, the usual one first. Rule: wafer-bank#banks. */
export function banksOf(
  module: WorkOrderModule,
  { processType, ftType }: { processType?: string; ftType?: string },
): Stage[] {
  if (module === 'icopAssemblyWorkOrder') return [Stage.CpBank, Stage.BumpingBank, Stage.WaferBank];
  if (module === 'icopBumpingCpWorkOrder') {
    return processType === ProcessType.Cp ? [Stage.BumpingBank, Stage.WaferBank] : [Stage.WaferBank];
  }
  return ftType === FtType.Ft2 ? [Stage.Ft1Bank, Stage.Ft2Bank] : [Stage.AssemblyBank];
}

/**
 * Into which bank the output of a work order goes; in the assembly and FT banks it is counted by bins.
 * Rule: wafer-bank#output.
 */
export function outputBankOf(
  module: WorkOrderModule,
  { processType, ftType }: { processType?: string | null; ftType?: string | null },
): Stage {
  if (module === 'icopBumpingCpWorkOrder')
    return processType === ProcessType.Bumping ? Stage.BumpingBank : Stage.CpBank;
  if (module === 'icopAssemblyWorkOrder' && processType !== TURNKEY) return Stage.AssemblyBank;
  return ftType === FtType.Ft1 ? Stage.Ft1Bank : Stage.Ft2Bank;
}

/** In which stage the dies of an order are while they are with its supplier. Rule: wafer-bank#in-process. */
export function inStageOf(
  module: WorkOrderModule,
  { processType, ftType }: { processType?: unknown; ftType?: unknown },
): Stage {
  if (module === 'icopBumpingCpWorkOrder') return processType === ProcessType.Cp ? Stage.InCp : Stage.InBumping;
  if (module === 'icopAssemblyWorkOrder') return Stage.InAssembly;
  return ftType === FtType.Ft2 ? Stage.InFt2 : Stage.InFt1;
}

/** In which bins a bank counts what it holds; none where it counts wafers. */
export function binsIn(bank: Stage): readonly string[] {
  if (bank === Stage.AssemblyBank) return [GOOD_BIN];
  return bank === Stage.Ft1Bank || bank === Stage.Ft2Bank ? ftBins : [];
}

/**
 * What is taken of a wafer or bin: nothing entered means all of it, and never more than there is.
 * Rule: wafer-bank#taking.
 */
export const inputOf = (entered: number, available: number): number =>
  entered <= 0 ? available : Math.min(entered, available);

/** A lot and an order count so many dies at most. Rule: wafer-bank#counting. */
export const MOST_DIES = 2_147_483_647;

/** How a foundry's lot is called, however it was typed. Rule: wafer-bank#entry. */
export const normaliseLot = (text: string | null | undefined): string => normaliseNo(text);
/** A to Z, numbers and what stands between them on a label; no blanks, and no letter that only looks like one of these. */
export const isLot = (lot: string): boolean => /^[A-Z\d]+([._\-/#+][A-Z\d]+)*$/.test(lot);

/** A lot has so many wafers at most. */
const MOST_WAFERS = 25;

/** `01-03,5` names the wafers 01, 02, 03 and 05; nothing where it names none, one twice, or one that no lot has. */
export function parseWaferIds(text: string): string[] {
  const ids: string[] = [];
  for (const part of text.split(/[,，;；\s]+/).filter(Boolean)) {
    const [, first, last = first] = /^(\d{1,2})(?:[-~](\d{1,2}))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (!(from >= 1 && to >= from && to <= MOST_WAFERS)) return [];
    for (let n = from; n <= to; n++) ids.push(String(n).padStart(2, '0'));
  }
  return new Set(ids).size === ids.length ? ids : [];
}

/** `01,02,03` of what is left. */
export const waferIdsOf = (wafers: readonly { waferId: string; chipQty: number }[]): string =>
  wafers
    .filter((it) => it.chipQty > 0)
    .map((it) => it.waferId)
    .join(',');
