import type { OtherCorrection } from '#domain/corrections.ts';
import { groupBy } from '#domain/group.ts';
import { digitsOf, moneyText, sumMoney, trimmedDecimal } from '#domain/money.ts';
import type { Problem } from '#domain/refusal.ts';
import { isUnseen } from '#domain/signs.ts';

/** What a line of a settled bill is corrected by: less than nothing is a credit, more a debit. */
export interface Entry {
  lineId: number;
  amount: string;
  reason: string;
}

/** What numeric(18,6) holds of the largest amount that a line may have. */
const AMOUNT = /^-?\d{1,7}(\.\d{1,6})?$/;
const MOST = 1_000_000;

/** So many lines go on one correction. */
export const MOST_LINES = 5000;

/**
 * What is wrong with a correction: each line once, with an amount in the digits of its currency and a reason, and not
 * credited by more than is left of it; `leftOf` says how much that is. Rule: money#correction-bills.
 */
export function validateEntries(
  entries: readonly Entry[],
  leftOf: (lineId: number) => string | undefined,
  currency: unknown,
): Problem[] {
  if (entries.length === 0) return [{ key: 'noCorrections' }];
  const problems: Problem[] = [];
  const reason = { module: 'rmaCorrectionBillLine', field: 'reason' };
  const seen = new Set<number>();
  for (const [i, { lineId, amount, reason: why }] of entries.entries()) {
    const field = `lines.${i}.amount`;
    const left = leftOf(lineId);
    if (left === undefined)
      problems.push({ key: 'format', field: `lines.${i}.lineId`, args: { field: { zh: '明细', en: 'The line' } } });
    else if (seen.has(lineId)) {
      const what = { zh: `明细 ${lineId}`, en: `Line ${lineId}` };
      problems.push({ key: 'namedTwice', field: `lines.${i}.lineId`, args: { what } });
    } else if (amount === '') problems.push({ key: 'correctionWithoutAmount', field });
    else if (!isPayable(amount, currency))
      problems.push({ key: 'correctionAmount', field, args: { max: digitsOf(currency) } });
    else if (Number(sumMoney([left, amount], 6)) < 0)
      problems.push({
        key: 'creditTooMuch',
        field,
        args: { left: moneyText(sumMoney([left], digitsOf(currency)), currency) },
      });
    if (isUnseen(why)) problems.push({ key: 'required', field: `lines.${i}.reason`, args: { fields: [reason] } });
    seen.add(lineId);
  }
  return problems;
}

/** An amount that can be paid: not nothing, and no fraction of the smallest coin. */
function isPayable(amount: string, currency: unknown): boolean {
  if (!AMOUNT.test(amount) || Number(amount) === 0 || Math.abs(Number(amount)) > MOST) return false;
  const [, fraction = ''] = trimmedDecimal(amount).split('.');
  return fraction.length <= digitsOf(currency);
}

/** What is typed for a line. */
export interface Draft {
  kind: 'credit' | 'debit';
  amount: string;
  reason: string;
}

/** A line of a settled bill as it is corrected. */
export interface SettledLine {
  lineId: number;
  /** Its SN, waybill or the number of its expense, in the field that has it, and what it was for. */
  no: string;
  field: 'sn' | 'deliverShipNo';
  what: string;
  settled: string;
  left: string;
  /** What else corrects it. */
  others: readonly OtherCorrection[];
}

/** The corrections of each line. */
export const othersOf = (others: readonly OtherCorrection[]): ((lineId: number) => readonly OtherCorrection[]) => {
  const byLine = groupBy(others, (it) => String(it.lineId));
  return (lineId) => byLine.get(String(lineId)) ?? [];
};

const isBelow = (kind: Draft['kind'], amount: string): boolean =>
  amount !== '' && (kind === 'credit' || amount.startsWith('-'));

/** The lines that somebody wrote on, as they are sent; a reason alone is refused, not left out. */
export const toEntries = (drafts: ReadonlyMap<number, Draft>): Entry[] =>
  [...drafts]
    .filter(([, it]) => it.amount.trim() !== '' || !isUnseen(it.reason))
    .map(([lineId, { kind, amount, reason }]) => ({
      lineId,
      // A minus that was typed is one too many, whichever way it is meant.
      amount: isBelow(kind, amount.trim()) ? `-${amount.trim()}` : amount.trim(),
      reason: reason.trim(),
    }));

/** What a line of a correction says already. */
export function toDraft(line: Readonly<Record<string, unknown>>): Draft {
  const amount = textOf(line['includingTaxAmount']);
  return {
    kind: amount.startsWith('-') ? 'credit' : 'debit',
    amount: trimmedDecimal(amount.replace('-', '')),
    reason: textOf(line['reason']),
  };
}

type Named = Readonly<Record<string, unknown>>;

/** What the amounts of a bill are in: what its lines say, else the bill itself; null where neither does. */
export const currencyOf = (bill: Named, rows: readonly Named[]): string | null =>
  [...rows, bill].map((it) => textOf(it['currency'])).find((it) => it !== '') ?? null;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
