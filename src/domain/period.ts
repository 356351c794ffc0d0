import { DAY_MS } from '#domain/day.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Words } from '#domain/words.ts';

/** So many days after the first the last day of an export from the repair-fee bills is at most. Rule: reports#range. */
export const REPAIR_FEE_DAYS = 60;

const labels: Record<'startDate' | 'endDate', Words> = {
  startDate: { zh: '开始日期', en: 'Start date' },
  endDate: { zh: '结束日期', en: 'End date' },
};

/** `2026-11-21`, and a day that the calendar has. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** `2026-11`. */
export const isMonth = (text: string): boolean => /^\d{4}-\d{2}$/.test(text) && isDay(`${text}-01`);

/** Of a month that has not begun nothing is settled: what comes to be its own would stand on no bill. Rule: money#repair-fees. */
export const validateBegun = (month: string, thisMonth: string): Problem[] =>
  month > thisMonth ? [{ key: 'monthNotBegun', field: 'recPeriod', args: { period: month } }] : [];

/** `2027-01` after `2026-12`. */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

/** How many days lie between two days; 0 on the same day. */
export const daysBetween = (startDate: string, endDate: string): number =>
  Math.round((Date.parse(`${endDate}T00:00:00Z`) - Date.parse(`${startDate}T00:00:00Z`)) / DAY_MS);

export interface Period {
  startDate?: string | undefined;
  endDate?: string | undefined;
}

/** What is wrong with a range of which either end may be left open. Rule: reports#range. */
export function validateDays({ startDate = '', endDate = '' }: Period): Problem[] {
  const given = Object.entries({ startDate, endDate }) as ['startDate' | 'endDate', string][];
  const wrong = given.filter(([, day]) => day !== '' && !isDay(day));
  if (wrong.length > 0) return wrong.map(([field]) => ({ key: 'format', field, args: { field: labels[field] } }));
  return startDate > endDate && endDate !== '' ? [{ key: 'periodOrder', field: 'startDate' }] : [];
}

/**
 * What is wrong with the range of an export: both days are needed and counted in, the first not after the last, and the
 * last no more than `maxDays` after the first where the export has a limit. Rule: reports#range.
 */
export function validatePeriod({ startDate = '', endDate = '' }: Period, maxDays = Infinity): Problem[] {
  const given = { startDate, endDate };
  const names = ['startDate', 'endDate'] as const;
  const missing = names.filter((it) => given[it] === '');
  const isMissing = (field: (typeof names)[number], i: number): Problem => ({
    key: 'required',
    field,
    // The first one names them all, so that one sentence says it.
    args: { fields: missing.slice(i).map((it) => labels[it]) },
  });
  if (missing.length > 0) return missing.map(isMissing);
  const wrong = validateDays(given);
  if (wrong.length > 0) return wrong;
  return daysBetween(startDate, endDate) > maxDays ? [{ key: 'periodTooLong', field: 'endDate' }] : [];
}
