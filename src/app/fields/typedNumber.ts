import { plainText } from '#domain/sn.ts';

/** A whole number, one with a fraction, or an amount of money. As text, so that no digit is lost. */
export type NumberKind = 'whole' | 'decimal' | 'money';

/**
 * What was entered as a number, or what stood there before: a sign, a letter, and a point in a whole number are not
 * entered. Nothing is left out of the middle, so that 1.5 never becomes 15. Separators of thousands are, and what stands before
 * an amount that was copied from a page.
 */
export function digitsOf(kind: NumberKind, text: string, before: string): string {
  const plain = kind === 'money' ? plainText(text).replace(CURRENCY_SIGN, '') : plainText(text);
  const digits = plain.replace(/[,\s](?=\d{3}(\D|$))/g, '');
  return (kind === 'whole' ? /^\d*$/ : /^\d*\.?\d*$/).test(digits) ? digits : before;
}

/** Whether what was typed after the number is a point, or an exponent, that it can't have. */
export const endsNumber = (kind: NumberKind, text: string, before: string): boolean =>
  text.startsWith(before) && /^[.。．eE]/.test(text.slice(before.length)) && digitsOf(kind, text, before) === before;

const CURRENCY_SIGN = /^(?:[¥$€]|[A-Z]{3}(?= ?\d)) ?/;

/** Whether more than a key was put in, as by a paste, and nothing of it taken. */
export const isPasteRefused = (kind: NumberKind, text: string, before: string): boolean =>
  text.trim().length > before.length + 1 && digitsOf(kind, text, before) === before;
