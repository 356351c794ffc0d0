import { isAmount, isPercent } from '#domain/definition/fieldBounds.ts';
import type { Field } from '#domain/definition/grammar.ts';
import { currencyMarks, halfWidth, ungrouped } from '#domain/numberText.ts';

/** A whole number, one with a fraction, a rate in percent, or an amount of money. As text, so that no digit is lost. */
export type NumberKind = 'whole' | 'decimal' | 'percent' | 'money';

export function numberKindOf(field: Pick<Field, 'type' | 'format' | 'unit'> & { isMeasured?: boolean }): NumberKind {
  if (field.type === 'Integer' || field.type === 'Long') return 'whole';
  if (isPercent(field)) return 'percent';
  return isAmount(field) ? 'money' : 'decimal';
}

/** What a number may be besides its kind. */
export interface NumberRules {
  /** Of an amount. */
  currency?: unknown;
  /** It may be less than nothing. */
  isSigned?: boolean | undefined;
}

/**
 * The digits of what was entered as a number, as far as it goes; undefined where it is none. Nothing is left out of the
 * middle, so that neither 1.5 nor 4,20 becomes another number. Separators of thousands are, the sign or code of its own
 * currency before an amount, and the % of a rate. Rule: screens#numbers.
 */
export function digitsOf(kind: NumberKind, text: string, { currency, isSigned = false }: NumberRules = {}) {
  const plain = halfWidth(text);
  const sign = isSigned && plain.startsWith('-') ? '-' : '';
  const digits = ungrouped(withoutMark(kind, plain.slice(sign.length), currency));
  if (digits === undefined || digits.length > MOST_DIGITS) return undefined;
  return kind === 'whole' && digits.includes('.') ? undefined : sign + digits;
}

/** More than any bound has, so that a number that is only too large is told its bound. */
export const MOST_DIGITS = 24;

/** An amount in another currency keeps its sign, and so is none in this one. */
function withoutMark(kind: NumberKind, text: string, currency: unknown): string {
  if (kind === 'percent') return text.replace(/ ?%$/, '');
  const mark = kind === 'money' && currencyMarks(currency).find((it) => text.startsWith(it));
  const rest = mark ? text.slice(mark.length).trim() : '';
  return /^[\d.]/.test(rest) ? rest : text;
}

/** A letter of the keyboard is no part of a number and is not entered; the exponent of one would be, and is refused aloud. */
export function isStrayKey(text: string, before: string): boolean {
  const { at, put } = insertionIn(text, before);
  return /^\p{L}$/u.test(put) && !(/^[eE]$/.test(put) && /\d/.test(text.charAt(at - 1)));
}

/** Whether more keys may make a number of it: a comma until three digits follow, a currency's sign until an amount does. */
export const mayBecomeNumber = (kind: NumberKind, text: string, { currency, isSigned }: NumberRules): boolean => {
  const plain = halfWidth(text);
  if (kind === 'money' && currencyMarks(currency).some((it) => it.startsWith(plain))) return true;
  const rest = ['', '0', '00', '000'].map((it) => plain + it);
  return rest.some((it) => /\d$/.test(it) && digitsOf(kind, it, { currency, isSigned }) !== undefined);
};

/** What is wrong with what is no number, as the words of a form say it. */
export function numberFault(kind: NumberKind, text: string, { currency, isSigned }: NumberRules) {
  const plain = halfWidth(text);
  if (!isSigned && /^-/.test(plain)) return 'negative';
  if (kind === 'whole' && digitsOf('decimal', plain, { isSigned }) !== undefined) return 'integer';
  if (kind === 'money' && /^\p{Sc}|^[A-Z]{2,3}/u.test(plain) && !hasOwnMark(plain, currency)) return 'foreign';
  if ((ungrouped(withoutMark(kind, plain.replace(/^-/, ''), currency))?.length ?? 0) > MOST_DIGITS) return 'long';
  if (/\d[\s⏎]+\d/u.test(plain)) return 'space';
  return plain.includes(',') ? 'comma' : 'number';
}

const hasOwnMark = (text: string, currency: unknown) => currencyMarks(currency).some((it) => text.startsWith(it));

/** What stands in place of what was there before, or between it, and where. */
function insertionIn(text: string, before: string): { at: number; put: string } {
  const least = Math.min(text.length, before.length);
  let head = 0;
  while (head < least && text[head] === before[head]) head += 1;
  let tail = 0;
  while (tail < least - head && text.at(-1 - tail) === before.at(-1 - tail)) tail += 1;
  return { at: head, put: text.slice(head, text.length - tail) };
}
