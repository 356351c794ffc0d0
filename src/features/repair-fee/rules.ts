import { Flag, RepairType, Warranty } from '#domain/enums.ts';
import { isMonth, validateBegun, validatePeriod, REPAIR_FEE_DAYS } from '#domain/period.ts';
import type { Problem } from '#domain/refusal.ts';
import { RepairProject } from '#domain/review.ts';
import { isUnseen } from '#domain/signs.ts';

export interface FeeInput {
  recPeriod?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
}

const label = { module: 'rmaRepairFeeBill', field: 'recPeriod' };

/**
 * A month to settle, which has begun, and the days whose work it settles, at most two months of them, which end in the month.
 * Rule: reports#range, money#repair-fees.
 */
export function validateFee({ recPeriod = '', ...period }: FeeInput, thisMonth: string): Problem[] {
  const ofMonth: Problem[] =
    recPeriod === ''
      ? [{ key: 'required', field: 'recPeriod', args: { fields: [label] } }]
      : isMonth(recPeriod)
        ? validateBegun(recPeriod, thisMonth)
        : [{ key: 'format', field: 'recPeriod', args: { field: label } }];
  const problems = [...ofMonth, ...validatePeriod(period, REPAIR_FEE_DAYS)];
  const day = period.endDate ?? '';
  if (problems.length > 0 || day.startsWith(recPeriod)) return problems;
  return [{ key: 'endsInMonth', field: 'endDate', args: { value: day, period: recPeriod } }];
}

/** Why the settlement of a month will find no price for a unit. Rule: money#missing-prices. */
export const MissingPrice = {
  NoFamily: 'noFamily',
  None: 'none',
  NotPassed: 'notPassed',
  NotYet: 'notYet',
  Expired: 'expired',
  Currencies: 'currencies',
  Suppliers: 'suppliers',
} as const;

/** So many lines are shown and confirmed at once. */
export const MOST_CONFIRMED = 500;

/** Each line is confirmed with a reason, and there is one. Rule: money#changed-prices. */
export function validateConfirmed(lines: readonly { reason: string }[]): Problem[] {
  const reason = { zh: '确认原因', en: 'The reason' };
  if (lines.length === 0) return [{ key: 'required', field: 'lines', args: { fields: [reason] } }];
  return lines.flatMap((it, i): Problem[] =>
    !isUnseen(it.reason) ? [] : [{ key: 'required', field: `lines.${i}.reason`, args: { fields: [reason] } }],
  );
}

interface Party {
  supplierName: string | null;
  currency: string | null;
}
interface Part extends Party {
  isExpense: boolean;
}
interface Bill extends Party {
  rfbId: string;
  isRejected: boolean;
}
interface Deal<P> {
  party: Party;
  parts: P[];
  /** The bill that the parts go on; a new one where there is none. */
  rfbId: string | null;
  /** Its bill is judged already: the parts came too late for it. */
  isLate: boolean;
}

export const isSame = (a: Party, b: Party) => a.supplierName === b.supplierName && a.currency === b.currency;

/**
 * Deals the lines of a month out to bills, one a supplier and currency: expenses to that of the only supplier who is paid in
 * their currency, as long as it is being made, otherwise to the site's own. A rejected bill keeps its number for its own
 * supplier and currency, or lends it to others that have none. Rule: money#whose-bill.
 */
export function dealOut<P extends Part>(parts: readonly P[], bills: readonly Bill[]): Deal<P>[] {
  const standing = bills.filter((it) => !it.isRejected);
  const suppliers = (currency: string | null) => [
    ...new Set([...parts, ...standing].filter((it) => it.currency === currency).flatMap((it) => it.supplierName ?? [])),
  ];
  const partyOf = ({ isExpense, supplierName, currency }: P): Party => {
    if (!isExpense) return { supplierName, currency };
    const [only = null, ...others] = suppliers(currency);
    const party = { supplierName: others.length > 0 ? null : only, currency };
    return standing.some((it) => isSame(it, party)) ? { supplierName: null, currency } : party;
  };
  const deals: Deal<P>[] = [];
  for (const part of parts) {
    const party = partyOf(part);
    const deal = deals.find((it) => isSame(it.party, party));
    if (deal) deal.parts.push(part);
    else {
      const bill = bills.find((it) => isSame(it, party));
      deals.push({ party, parts: [part], rfbId: bill?.rfbId ?? null, isLate: bill?.isRejected === false });
    }
  }
  const spare = bills.filter((it) => it.isRejected && !deals.some((deal) => deal.rfbId === it.rfbId));
  for (const deal of deals) deal.rfbId ??= spare.shift()?.rfbId ?? null;
  return deals;
}

/** What the work of a line is said to have been. */
export interface Correction {
  id: number;
  repairProject: string;
  warranty: string;
  repairType: string;
  isSecondRepair: string;
}
interface Corrections {
  corrected: readonly Correction[];
  removed: readonly number[];
  remark?: string | null | undefined;
}

const known = {
  repairProject: Object.values<string>(RepairProject),
  warranty: Object.values<string>(Warranty),
  repairType: Object.values<string>(RepairType),
  isSecondRepair: Object.values<string>(Flag),
};

/**
 * A resubmission says what was corrected, or why nothing was: the remark is all that after-sales has to go by. A line is
 * corrected once, to values that exist, or taken out. Rule: money#corrections.
 */
export function validateCorrections({ corrected, removed, remark }: Corrections): Problem[] {
  const problems: Problem[] = [];
  const what = { zh: '更正说明', en: 'What was corrected' };
  if (isUnseen(remark ?? '')) problems.push({ key: 'required', field: 'remark', args: { fields: [what] } });
  for (const [i, line] of corrected.entries())
    for (const field of ['repairProject', 'warranty', 'repairType', 'isSecondRepair'] as const)
      if (!known[field].includes(line[field])) {
        const label = { module: 'rmaRepairFeeBillLine', field };
        problems.push({ key: 'format', field: `corrected.${i}.${field}`, args: { field: label } });
      }
  const ids = [...corrected.map((it) => it.id), ...removed];
  const lines = { zh: '明细', en: 'Lines' };
  if (new Set(ids).size < ids.length) problems.push({ key: 'format', field: 'corrected', args: { field: lines } });
  return problems;
}

/**
 * Whose the corrected lines are together: all units of one supplier, everything in one currency; a bill of expenses alone
 * stays whose it was. Lines of several are refused: a bill is one payment to one supplier. Rule: money#whose-bill.
 */
export function partyOf(parts: readonly Part[], bill: Party): { party: Party; problems: Problem[] } {
  const units = parts.filter((it) => !it.isExpense);
  const supplierName = units[0] ? units[0].supplierName : bill.supplierName;
  const party = { supplierName, currency: parts[0]?.currency ?? null };
  const isOne = parts.every((it) => isSame(it.isExpense ? { ...it, supplierName } : it, party));
  const names = parts.map((it) =>
    [it.isExpense ? null : it.supplierName, it.currency].map((of) => of ?? '-').join(' '),
  );
  const problems: Problem[] = isOne ? [] : [{ key: 'feeParties', args: { value: [...new Set(names)].join(', ') } }];
  return { party, problems };
}
