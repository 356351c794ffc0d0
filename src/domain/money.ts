/**
 * Money is decimal, never float: amounts are texts such as `1234.5`, reckoned in whole millionths. Rule: wire#money.
 */
const DIGITS = 6;
const ONE = 10n ** BigInt(DIGITS);

/** The price without its tax: `withTax / (1 + taxRate / 100)`, half up to so many digits. Rule: money#price-bills. */
export function withoutTax(withTax: string | number, taxRate: string | number, digits: number): string {
  const whole = 100n * ONE;
  return said(divided(millionths(withTax) * whole, whole + millionths(taxRate)), digits);
}

/** The one amount less the other. */
export const lessMoney = (from: string | number, less: string | number, digits: number): string =>
  said(millionths(from) - millionths(less), digits);

/** What amounts come to together. */
export const sumMoney = (amounts: Iterable<string | number>, digits: number): string =>
  said(
    [...amounts].reduce((sum, it) => sum + millionths(it), 0n),
    digits,
  );

/** A decimal as whole millionths; what lies beyond them is cut. */
function millionths(amount: string | number): bigint {
  const [, sign = '', whole = '0', rest = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(String(amount)) ?? [];
  const size = BigInt(whole) * ONE + BigInt(rest.padEnd(DIGITS, '0').slice(0, DIGITS));
  return sign ? -size : size;
}

/** Half up, away from zero. */
function divided(amount: bigint, by: bigint): bigint {
  const half = by / 2n;
  return amount < 0n ? -((-amount + half) / by) : (amount + half) / by;
}

function said(amount: bigint, digits: number): string {
  const step = 10n ** BigInt(DIGITS - digits);
  const rounded = divided(amount, step);
  const text = (rounded < 0n ? -rounded : rounded).toString().padStart(digits + 1, '0');
  const sign = rounded < 0n ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** The field in which a record names the currency of its amounts. */
export const CURRENCY = 'currency';
/** What a record that names none reckons in. Rule: wire#money. */
export const DOLLARS = 'USD';

/** A sum under a list; of amounts one for each currency of the rows, by its code. */
export type Total = string | Readonly<Record<string, string>>;

const signs: Record<string, string> = { CNY: '¥', USD: '$', EUR: '€' };
/** What else stands for a currency in what people write; nothing is written so by us. */
export const CURRENCY_MARKS: Readonly<Record<string, readonly string[]>> = { CNY: ['元', 'RMB'], USD: ['US$'] };
/** Asked of Intl once: a list shows hundreds of amounts. */
const digits = new Map<string, number>([
  ['CNY', 2],
  [DOLLARS, 2],
]);

/** How many digits amounts of a currency have; those of one that is no known code, two. Rule: wire#money. */
export function digitsOf(currency: unknown): number {
  const code = typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : DOLLARS;
  const known = digits.get(code);
  if (known !== undefined) return known;
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
  }).resolvedOptions();
  digits.set(code, maximumFractionDigits);
  return maximumFractionDigits;
}

/** What stands before an amount. */
export const currencySignOf = (currency: unknown): string =>
  typeof currency === 'string' && currency !== '' ? (signs[currency] ?? `${currency} `) : (signs[DOLLARS] as string);

/**
 * An amount as people read it, its sign before that of its currency: `-¥1,234.50`; nothing for no amount. Rule: wire#money.
 */
export function moneyText(amount: unknown, currency: unknown): string {
  const text = String(amount ?? '').trim();
  if (text === '') return '';
  const isNegative = text.startsWith('-') && /[1-9]/.test(text);
  return `${isNegative ? '-' : ''}${currencySignOf(currency)}${groupedAmount(text.replace(/^-/, ''), currency)}`;
}

/**
 * The digits of an amount as they came, in groups of three; after the point at least as many as its currency has. What is no
 * number stays as it is.
 */
export function groupedAmount(digits: string, currency: unknown): string {
  const match = /^(\d+)(?:\.(\d*))?$/.exec(digits);
  if (!match) return digits;
  const [, whole = '', decimals = ''] = match;
  const fraction = decimals.replace(/0+$/, '').padEnd(digitsOf(currency), '0');
  return grouped(whole) + (fraction && `.${fraction}`);
}

/** `1,000,674`. The first call of Intl costs a page some 30 ms; whole digits need nothing of it. */
export const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** A decimal without the zeros that it is stored with. */
export const trimmedDecimal = (digits: string): string =>
  digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
