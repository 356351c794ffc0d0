import { CURRENCY_MARKS, currencySignOf, DOLLARS } from '#domain/money.ts';

/** Numbers as people write them, read as what is written or not at all. Rule: screens#numbers. */

/** Thousands by commas or by spaces, three digits each: `4,20` has none. What may not be there yet is left to who reads. */
const NUMBER = /^(?:\d*|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?: \d{3})+)(?:\.\d*)?$/;

/** The blanks within a line that separate thousands. A line break or a tab stands between two numbers. */
const BLANKS = /[\u00a0\u2009\u202f]/g;

/** Full-width signs as plain ones. No other character is taken for a digit: `5²` is no 52. */
export const halfWidth = (text: string): string =>
  text
    .replace(/[！-～]/g, (it) => String.fromCharCode(it.charCodeAt(0) - 0xfee0))
    .replaceAll('￥', '¥')
    .replace(BLANKS, ' ')
    .trim();

/** The digits of a number without its separators of thousands and a point that nothing follows; undefined where it is none. */
export const ungrouped = (text: string): string | undefined =>
  NUMBER.test(text) ? text.replace(/[, ]/g, '').replace(/(\d)\.$/, '$1') : undefined;

/** What stands for a currency before an amount: its sign, its code, and what else its people write. */
export function currencyMarks(currency: unknown): readonly string[] {
  const code = String(currency || DOLLARS);
  return [currencySignOf(code).trim(), code, ...(CURRENCY_MARKS[code] ?? [])];
}

/** How many a whole number in a field says, none where nothing is entered; NaN where it is none, so that it is refused and no 0. */
export const countIn = (text: string): number => (/^\d*$/.test(text.trim()) ? Number(text) : NaN);

/** A number that was written, as its digits, and what it says of itself besides: `%`, or a currency by sign or code. */
export interface WrittenNumber {
  digits: string;
  mark: string;
}

const PARTS = /^(-?) ?(\p{Sc}|[A-Z]{2,3}\p{Sc}?)? ?(-?)([\d., ]*?) ?(%?)$/u;

/** A whole number or decimal that was written: `-¥1,234.50`, `USD 5`, `13%`; undefined where it is none. */
export function readNumber(text: string): WrittenNumber | undefined {
  const [, first, currency = '', second, number = '', percent] = PARTS.exec(halfWidth(text)) ?? [];
  const digits = ungrouped(number);
  if (digits === undefined || !/^\d+(\.\d+)?$/.test(digits)) return undefined;
  if ((first && second) || (currency && percent)) return undefined;
  return { digits: (first || second ? '-' : '') + digits, mark: currency || percent || '' };
}
