import { dayFromSql, momentAfter, momentFromText } from '#domain/day.ts';
import { isDay, validatePeriod } from '#domain/period.ts';
import type { Problem } from '#domain/refusal.ts';

/** What a report's dialog asks for besides its range. */
export type Input = 'site' | 'sites' | 'reportType' | 'salesCodeDesc' | 'mtbId' | 'btmMtbId' | 'btmUserId' | 'asOf';

/** What its range is: days, the months of the repair rate, or nothing where the report tells of now. */
type Range = 'days' | 'months' | 'now';

interface ReportForm {
  group: 'overtime' | 'flow' | 'quality' | 'stock' | 'bills';
  range: Range;
  inputs: readonly Input[];
}

/**
 * Every report of the product with its dialog; the key is its button, its right and the end of its path.
 * Rule: reports#calls.
 */
export const forms = {
  exportUncheckedOvertime: { group: 'overtime', range: 'days', inputs: ['site'] },
  exportUndeliveredOvertime: { group: 'overtime', range: 'days', inputs: ['site'] },
  exportTatOvertime: { group: 'overtime', range: 'days', inputs: ['site'] },
  exportTatHandover: { group: 'flow', range: 'days', inputs: ['asOf'] },
  exportMonthStatistics: { group: 'flow', range: 'days', inputs: ['asOf'] },
  exportSecondRepair: { group: 'quality', range: 'days', inputs: [] },
  exportScrapAccuracy: { group: 'quality', range: 'days', inputs: ['sites'] },
  exportRepairAndSaleStatistics: { group: 'quality', range: 'days', inputs: [] },
  exportRepairRateStatistics: { group: 'quality', range: 'months', inputs: [] },
  exportStockStatus: { group: 'stock', range: 'now', inputs: ['site'] },
  exportInventoryBalance: { group: 'stock', range: 'days', inputs: ['site', 'asOf'] },
  exportMainBillData: { group: 'bills', range: 'days', inputs: ['site'] },
  exportRepairOrder: { group: 'bills', range: 'days', inputs: ['site', 'mtbId'] },
  exportOnSiteRepairStatistics: { group: 'bills', range: 'days', inputs: [] },
  exportSupplierStatistics: {
    group: 'bills',
    range: 'days',
    inputs: ['reportType', 'salesCodeDesc', 'mtbId', 'btmMtbId', 'btmUserId'],
  },
} as const satisfies Record<string, ReportForm>;

export type Kind = keyof typeof forms;
export const kinds = Object.keys(forms) as Kind[];
export const formOf = (kind: Kind): ReportForm => forms[kind];
export const isKind = (text: string): text is Kind => Object.hasOwn(forms, text);
export const groups = ['overtime', 'flow', 'quality', 'stock', 'bills'] as const;

/** Which step records the supplier statistics list; 5 is unused. Rule: reports#steps. */
export const ReportType = { Receive: '1', Check: '2', Deliver: '3', RepairAll: '4', RepairDz: '6' } as const;
export type ReportType = (typeof ReportType)[keyof typeof ReportType];

/** From when on something is late, and what counts as a second repair. All in one place. Rule: reports#limits. */
export const limits = {
  uncheckedDays: 3,
  undeliveredDays: 3,
  tatDays: 15,
  secondRepairDays: 90,
  /** Within how many hours the next station should have a unit. */
  handoverHours: {
    'receive-check': 24,
    'check-repair': 48,
    'repair-assemble': 24,
    'assemble-aging': 24,
    'aging-qc': 24,
    'qc-store': 24,
    'store-deliver': 72,
  },
  /** The outsourced sites whose repairs report type 6 lists; empty: all. Rule: reports#sites. */
  dzSites: [] as readonly string[],
} as const;

export interface ReportInput {
  siteId?: string | undefined;
  reportType?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
  salesCodeDesc?: string | undefined;
  repairSiteIds?: string | undefined;
  mtbId?: string | undefined;
  btmMtbId?: string | undefined;
  btmUserId?: string | undefined;
  /** A moment of the workshop's clock, as `2026-12-01 08:00:00`. */
  asOf?: string | undefined;
}

/**
 * What is wrong with what a report was asked with. Every report takes every parameter; each looks at its own.
 * Rule: reports#calls.
 */
export function validateReport(kind: Kind, input: ReportInput, timeZone: string): Problem[] {
  const { range, inputs } = formOf(kind);
  const isSaid = Boolean(input.startDate || input.endDate);
  const ofPeriod = range === 'now' && !isSaid ? [] : validatePeriod(input);
  const ofMonths = range === 'months' && ofPeriod.length === 0 ? validateMonths(input) : [];
  return [
    ...ofPeriod,
    ...ofMonths,
    ...(inputs.includes('reportType') ? validateType(input.reportType) : []),
    ...(inputs.includes('asOf') ? validateAsOf(input, timeZone) : []),
  ];
}

/** Its second is over, so that the answer stays as it is, and the range had begun by then. Rule: reports#as-of. */
function validateAsOf({ asOf = '', startDate = '' }: ReportInput, timeZone: string): Problem[] {
  if (asOf === '') return [];
  const moment = momentFromText(asOf, timeZone);
  const field = 'asOf';
  if (Number.isNaN(moment)) return [{ key: 'format', field, args: { field: { zh: '截至时间', en: 'As of' } } }];
  if (momentAfter(moment) > Date.now()) return [{ key: 'asOfFuture', field }];
  return isDay(startDate) && moment <= dayFromSql(startDate, timeZone) ? [{ key: 'asOfEarly', field }] : [];
}

/** The repair rate goes by whole months, each given by its first day. Rule: reports#range. */
const validateMonths = (input: ReportInput): Problem[] =>
  (['startDate', 'endDate'] as const)
    .filter((it) => !(isDay(input[it] ?? '') && input[it]?.endsWith('-01')))
    .map((field) => ({ key: 'format', field, args: { field: { zh: '月份', en: 'The month' } } }));

function validateType(type: string | undefined): Problem[] {
  const label = { zh: '导出类型', en: 'Export type' };
  if (!type) return [{ key: 'required', field: 'reportType', args: { fields: [label] } }];
  const isKnown = Object.values<string>(ReportType).includes(type);
  return isKnown ? [] : [{ key: 'format', field: 'reportType', args: { field: label } }];
}
