/**
 * Values of the wire, read exactly: nothing is taken for what it does not plainly say. A number says the same as its
 * digits, and a code may come as a whole number; true, `0x10`, `1e3` and ` 1` are no numbers. Rule: wire#exact-values.
 */

/** The digits of a decimal: a sign, a whole, a fraction; no exponent, no base, no space, no digits of other scripts. */
const DECIMAL = /^-?\d+(\.\d+)?$/;
/** So many digits a double keeps, whatever they are. */
const EXACT_DIGITS = 15;

/** A decimal as its digits; null when it is none, or is a number of more digits than a number keeps. */
export function exactDecimal(raw: unknown): string | null {
  const text = typeof raw === 'number' ? String(raw) : raw;
  if (typeof text !== 'string' || !DECIMAL.test(text)) return null;
  return typeof raw === 'string' || isExactDouble(text) ? text : null;
}

/** A number, sent as one or as its digits; null when it is none, or when a number would say something else. */
export function exactNumber(raw: unknown): number | null {
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw + 0 : null;
  return typeof raw === 'string' && DECIMAL.test(raw) && isExactDouble(raw) ? Number(raw) + 0 : null;
}

/** The id of a row, as a number or its digits; null when it can be none. */
export function exactId(raw: unknown): number | null {
  const text = exactText(raw);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** A text or a code; a whole number says its digits. Null when it is something else. */
export function exactText(raw: unknown): string | null {
  if (typeof raw === 'string') return raw;
  return typeof raw === 'number' && Number.isSafeInteger(raw) ? String(raw) : null;
}

function isExactDouble(digits: string): boolean {
  const plain = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
  if (!plain.includes('.')) return Number.isSafeInteger(Number(plain));
  return plain.replace(/^-?0*\.?0*/, '').replace('.', '').length <= EXACT_DIGITS;
}

const HALF_CHARACTER = /\p{Surrogate}/u;

/** Whether the database can hold the text: it keeps no NUL, and no half of a character. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !HALF_CHARACTER.test(text);
