import type { OtherCorrection } from '#domain/corrections.ts';
import { Flag } from '#domain/enums.ts';
import { chargesOf } from '#domain/freight.ts';
import { groupBy } from '#domain/group.ts';
import { monthAfter } from '#domain/period.ts';
import type { Problem } from '#domain/refusal.ts';
import { LogisticsCostsStatus, ReviewResult, type ReviewStep } from '#domain/review.ts';

/** Nobody judges what they made or have reviewed in another part. Rule: money#two-people. */
export const validateReviewer = (step: ReviewStep, bill: Record<string, unknown>, userId: string): Problem[] =>
  step.notBy.some((name) => bill[name] === userId) ? [{ key: 'samePerson' }] : [];

/** The states from which costs go back to their site. Rule: money#return. */
export const returnable: readonly string[] = [LogisticsCostsStatus.AwaitingAudit, LogisticsCostsStatus.Passed];

/**
 * Costs under audit go back at any time, passed ones until the month after theirs has ended; `today` is a day of the
 * workshop. Rule: money#return.
 */
export function validateReturn(bill: Record<string, unknown>, today: string): Problem[] {
  if (bill['billStatus'] !== LogisticsCostsStatus.Passed) return [];
  const period = String(bill['recPeriod'] ?? '');
  const until = monthAfter(period);
  return today.slice(0, 7) <= until ? [] : [{ key: 'monthClosed', args: { period, until } }];
}

/** Where the decision leads the bill. */
export const statusAfter = (step: ReviewStep, result: string): string =>
  result === ReviewResult.Passed ? step.passed : step.notPassed;

/** Why a line asks for a second look; `usual` is what the others of its kind cost. Rule: money#unusual-lines. */
export type Oddity =
  | {
      why:
        | 'unpriced'
        | 'free'
        | 'secondRepair'
        | 'corrected'
        | 'rolledBack'
        | 'priceChanged'
        | 'priceConfirmed'
        | 'unknownParcel'
        | 'parcelTwice';
    }
  | { why: 'repriced'; before: string }
  | { why: 'correctedElse'; others: readonly OtherCorrection[] }
  | { why: 'differs'; usual: string };

type Line = Readonly<Record<string, unknown>>;

/** Fewer than so many others say nothing of what is usual. */
const FEWEST = 2;

/** What is unusual about each line of a bill, by the position of the line; `others` corrects the lines of a correction besides. Rule: money#unusual-lines. */
export function findOddities(lines: readonly Line[], others: readonly OtherCorrection[] = []): Oddity[][] {
  const othersOf = groupBy(others, (it) => String(it.lineId));
  const usual = usualPrices(lines);
  const charges = groupBy(lines.flatMap(chargesOf), (it) => it);
  return lines.map((line): Oddity[] => {
    const odd: Oddity[] = [];
    const again = line['isSecondRepair'] === Flag.Yes;
    const price = priceOf(line);
    if (line['isPriced'] === Flag.No) odd.push({ why: 'unpriced' });
    else if (price !== null && Number(price) === 0 && !again) odd.push({ why: 'free' });
    if (again) odd.push({ why: 'secondRepair' });
    if (line['repairProject'] != null && line['remark']) odd.push({ why: 'corrected' });
    if (line['previousAmount'] != null) odd.push({ why: 'repriced', before: String(line['previousAmount']) });
    if (line['rolledBack'] === Flag.Yes) odd.push({ why: 'rolledBack' });
    if (line['priceChanged'] === Flag.Yes)
      odd.push({ why: line['priceConfirmBy'] == null ? 'priceChanged' : 'priceConfirmed' });
    if (line['isKnown'] === Flag.No) odd.push({ why: 'unknownParcel' });
    // A correction names the line that it is for, and of one parcel each charge may be corrected.
    if (
      line['deliverShipNo'] &&
      line['lineId'] == null &&
      chargesOf(line).some((it) => (charges.get(it)?.length ?? 0) > 1)
    )
      odd.push({ why: 'parcelTwice' });
    const elsewhere = othersOf.get(String(line['lineId']));
    if (elsewhere) odd.push({ why: 'correctedElse', others: elsewhere });
    const most = isComparable(line) ? usual.get(kindOf(line)) : undefined;
    if (most !== undefined && Number(most) !== Number(price)) odd.push({ why: 'differs', usual: most });
    return odd;
  });
}

const priceOf = (line: Line): string | null => {
  const price = line['unitPrice'] ?? line['amount'];
  return typeof price === 'string' || typeof price === 'number' ? String(price) : null;
};

/** Parcels cost what they weigh; a second repair and what has no price say nothing of what is usual. */
const isComparable = (line: Line): boolean =>
  line['unitPrice'] != null && line['isPriced'] !== Flag.No && line['isSecondRepair'] !== Flag.Yes;

/** What one price is for: the same work on the same model. Rule: money#price-bills. */
const kindOf = (line: Line): string =>
  ['modelAbbreviation', 'salesCode', 'repairProject', 'warranty', 'repairType', 'feeType', 'currency']
    .map((it) => String(line[it] ?? ''))
    .join('\n');

/** The price of more than half of the lines of each kind. */
function usualPrices(lines: readonly Line[]): Map<string, string> {
  const usual = new Map<string, string>();
  for (const [kind, those] of groupBy(lines.filter(isComparable), kindOf)) {
    const same = [...groupBy(those, (it) => String(Number(priceOf(it)))).values()].find(
      (it) => it.length >= FEWEST && it.length > those.length / 2,
    );
    const price = same?.[0] && priceOf(same[0]);
    if (price) usual.set(kind, price);
  }
  return usual;
}

/** A price that moves by more than so many percent asks for a second look. Rule: money#price-bills. */
const USUAL_CHANGE = 10;

/** How far a price is from the one before, in percent of that; null where that was nothing. Rule: money#price-bills. */
export function priceChange(before: string, now: string): { percent: number | null; isUnusual: boolean } {
  const [from, to] = [Number(before), Number(now)];
  if (from === 0) return { percent: null, isUnusual: to !== 0 };
  const percent = Math.round(((to - from) / from) * 1000) / 10;
  return { percent, isUnusual: Math.abs(percent) > USUAL_CHANGE };
}
