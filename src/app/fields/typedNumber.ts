import { plainText } from '#domain/sn.ts';
import { groupedDecimal } from '#app/fields/format.ts';

/** A whole number, one with a fraction, or an amount of money. As text, so that no digit is lost. */
export type NumberKind = 'whole' | 'decimal' | 'money';

/**
 * What was entered as a number, or what stood there before: a sign, a letter, and a point in a whole number are not
 * entered. Nothing is left out of the middle, so that 1.5 never becomes 15. Separators of thousands are.
 */
export function digitsOf(kind: NumberKind, text: string, before: string): string {
  const digits = plainText(text).replace(/[,\s](?=\d{3}(\D|$))/g, '');
  return (kind === 'whole' ? /^\d*$/ : /^\d*\.?\d*$/).test(digits) ? digits : before;
}

/** Whether what was typed after the number is a point, or an exponent, that it can't have. */
export const endsNumber = (kind: NumberKind, text: string, before: string): boolean =>
  text.startsWith(before) && /^[.。．eE]/.test(text.slice(before.length)) && digitsOf(kind, text, before) === before;

/** Money with its separators while nobody types in it. */
export const groupedAmount = (digits: string): string =>
  /^\d+(\.\d*)?$/.test(digits) ? groupedDecimal(digits) : digits;
