import { currencySignOf, DOLLARS } from '#domain/money.ts';
import { plainText } from '#domain/sn.ts';

/** A whole number, one with a fraction, or an amount of money. As text, so that no digit is lost. */
export type NumberKind = 'whole' | 'decimal' | 'money';

/**
 * What was entered as a number; undefined where it is none: a sign, a letter, and a point in a whole number are not
 * entered. Nothing is left out of the middle, so that 1.5 never becomes 15. Separators of thousands are, and the sign or code of
 * its own currency before an amount that was copied from a page.
 */
export function digitsOf(kind: NumberKind, text: string, currency: unknown): string | undefined {
  const plain = kind === 'money' ? withoutCurrency(plainText(text), currency) : plainText(text);
  const digits = plain.replace(/[,\s](?=\d{3}(\D|$))/g, '');
  return (kind === 'whole' ? /^\d*$/ : /^\d*\.?\d*$/).test(digits) ? digits : undefined;
}

/** An amount in another currency keeps its sign, and so is none in this one. */
function withoutCurrency(text: string, currency: unknown): string {
  const marks = [currencySignOf(currency).trim(), String(currency || DOLLARS)];
  const mark = marks.find((it) => text.startsWith(it));
  const rest = text.slice(mark?.length).trim();
  return mark !== undefined && /^[\d.]/.test(rest) ? rest : text;
}

/** Whether what was typed after the number is a point, or an exponent, that it can't have. */
export const endsNumber = (text: string, before: string, digits: string | undefined): boolean =>
  digits === undefined && text.startsWith(before) && /^[.。．eE]/.test(text.slice(before.length));

/** Whether more than a key was put in, as by a paste, and nothing of it taken. */
export const isPasteRefused = (text: string, before: string, digits: string | undefined): boolean =>
  digits === undefined && countPutIn(text.trim(), before) > 1;

/** How many characters of the text stand in place of what was there before, or between it. */
function countPutIn(text: string, before: string): number {
  const least = Math.min(text.length, before.length);
  let head = 0;
  while (head < least && text[head] === before[head]) head += 1;
  let tail = 0;
  while (tail < least - head && text.at(-1 - tail) === before.at(-1 - tail)) tail += 1;
  return text.length - head - tail;
}
