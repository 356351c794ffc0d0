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

export const WorkOrderStatus = { Draft: '0', Sent: '1', InProcess: '2', Done: '3', Cancelled: '4' } as const;
export type WorkOrderStatus = (typeof WorkOrderStatus)[keyof typeof WorkOrderStatus];
export const LotType = { Production: '0', Pilot: '1', Qualification: '2', Engineering: '3' } as const;
/** What a bumping and CP work order does. */
export const ProcessType = { Bumping: '1', BumpingAndCp: '2', Cp: '3' } as const;
export const FtType = { Ft1: '1', Ft2: '2', Both: '3' } as const;

/** The nine bins of a final test. Rule: wafer-bank#bins. */
export const ftBins = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
/** What an assembled lot holds before its first final test. */
export const GOOD_BIN = 'G';

export type WorkOrderModule = 'icopBumpingCpWorkOrder' | 'icopAssemblyWorkOrder' | 'icopFtWorkOrder';

/** The banks from which a work order may take, the usual one first. Rule: wafer-bank#banks. */
export function banksOf(
  module: WorkOrderModule,
  { processType, ftType }: { processType?: string; ftType?: string },
): Stage[] {
  if (module === 'icopAssemblyWorkOrder') return [Stage.CpBank, Stage.BumpingBank, Stage.WaferBank];
  if (module === 'icopBumpingCpWorkOrder') {
    return processType === ProcessType.Cp ? [Stage.BumpingBank, Stage.WaferBank] : [Stage.WaferBank];
  }
  return ftType === FtType.Ft2 ? [Stage.Ft1Bank, Stage.Ft2Bank] : [Stage.AssemblyBank, Stage.Ft2Bank];
}

/**
 * What is taken of a wafer or bin: nothing entered means all of it, and never more than there is.
 * Rule: wafer-bank#taking.
 */
export const inputOf = (entered: number, available: number): number =>
  entered <= 0 ? available : Math.min(entered, available);

/** `01,02,03` of what is left. */
export const waferIdsOf = (wafers: readonly { waferId: string; chipQty: number }[]): string =>
  wafers
    .filter((it) => it.chipQty > 0)
    .map((it) => it.waferId)
    .join(',');
