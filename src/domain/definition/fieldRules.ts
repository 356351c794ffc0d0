import { boundsOf, isAmount, type Bounds } from '#domain/definition/fieldBounds.ts';
import type { Field, When } from '#domain/definition/grammar.ts';
import { isNumeric } from '#domain/definition/isNumeric.ts';
import { matches } from '#domain/definition/pattern.ts';
import { exactDecimal, exactNumber, exactText, isStorable } from '#domain/exact.ts';
import { CURRENCY, digitsOf, trimmedDecimal } from '#domain/money.ts';
import { isSn, normaliseSn } from '#domain/sn.ts';
import { cleanText, isUnseen, separatorIn } from '#domain/signs.ts';

/**
 * The rules of a form as data, judged by the same functions in the browser and on the server. Values are those of the
 * wire: text, numbers, decimals as digits, days and moments as epoch ms. Rule: definitions#field-rules.
 */
export type RuledField = Pick<Field, 'type'> &
  Partial<
    Pick<
      Field,
      | 'required'
      | 'readOnly'
      | 'requiredWhen'
      | 'visibleWhen'
      | 'readOnlyWhen'
      | 'minField'
      | 'maxField'
      | 'upperCase'
      | 'format'
      | 'unit'
      | 'pattern'
    >
  > &
  Bounds & {
    isMeasured?: boolean;
    /** It switches rows off and on: while it is changed, what stands as it stood is not judged. Rule: rights#accounts. */
    isSwitch?: boolean;
  };
export type RuledFields = ReadonlyMap<string, RuledField>;
export type FormValues = Record<string, unknown>;

type FaultKey =
  | 'required'
  | 'min'
  | 'max'
  | 'minLength'
  | 'maxLength'
  | 'integer'
  | 'number'
  | 'decimals'
  | 'moment'
  | 'month'
  | 'text'
  | 'hiddenSign'
  | 'sn'
  | 'pattern'
  | 'notBelow'
  | 'notAbove';

/** What is wrong with a value: a bound as a number, or the other field that it must not pass. */
export interface Fault {
  key: FaultKey;
  args?: { min?: number; max?: number; other?: string; example?: string; sign?: string };
}

/** How a form stands now: which fields are not there, which are there to be read, and the values that count. */
interface ResolvedFields {
  hidden: ReadonlySet<string>;
  fixed: ReadonlySet<string>;
  /** A field that is not there counts as empty. */
  values: FormValues;
}

export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && isUnseen(value));

/** Whether these values are such that a condition holds. */
export const holds = (when: When | undefined, values: FormValues): boolean =>
  Object.entries(when ?? {}).every(([name, wanted]) => [wanted].flat().includes(String(values[name] ?? '')));

/**
 * Which fields the values call for. What depends on a field that is not there is not there either, however long the
 * chain; a circle ends because fields only ever disappear.
 */
export function resolveFields(fields: RuledFields, entered: FormValues): ResolvedFields {
  const hidden = new Set<string>();
  const values = { ...entered };
  for (let changed = true; changed;) {
    changed = false;
    for (const [name, { visibleWhen }] of fields) {
      if (hidden.has(name) || holds(visibleWhen, values)) continue;
      hidden.add(name);
      values[name] = null;
      changed = true;
    }
  }
  const fixed = new Set(
    [...fields]
      .filter(([, it]) => it.readOnly || (it.readOnlyWhen && holds(it.readOnlyWhen, values)))
      .map(([it]) => it),
  );
  return { hidden, fixed, values };
}

/** Required always, or while other fields have the values that make it so. */
export function isRequired({ required, requiredWhen }: RuledField, values: FormValues): boolean {
  return required === true || (requiredWhen !== undefined && holds(requiredWhen, values));
}

/**
 * Everything that is wrong, by field; nothing is wrong with a field that is not there or only read.
 * @param before the row that is changed
 */
export function findFaults(fields: RuledFields, entered: FormValues, before?: FormValues): Map<string, Fault> {
  const { hidden, fixed, values } = resolveFields(fields, entered);
  const faults = new Map<string, Fault>();
  const stands = (name: string, field: RuledField) => before && isSame(field, before[name], entered[name]);
  const isSwitched = before && [...fields].some(([name, it]) => it.isSwitch && !stands(name, it));
  for (const [name, field] of fields) {
    if (hidden.has(name) || fixed.has(name) || (isSwitched && stands(name, field))) continue;
    const fault = faultIn(field, values[name], values);
    if (fault) faults.set(name, fault);
  }
  return faults;
}

function faultIn(field: RuledField, value: unknown, values: FormValues): Fault | null {
  if (isBlank(value)) return isRequired(field, values) ? { key: 'required' } : null;
  return findFault(field, value) ?? findUnpayable(field, value, values[CURRENCY]) ?? faultBeside(field, values, value);
}

/** An amount that is entered has no more digits than its currency. Rule: wire#money. */
export function findUnpayable(field: RuledField, value: unknown, currency: unknown): Fault | null {
  if (!isAmount(field)) return null;
  const max = digitsOf(currency);
  const [, fraction = ''] = trimmedDecimal(String(value)).split('.');
  return fraction.length > max ? { key: 'decimals', args: { max } } : null;
}

/** What is wrong with a value that is there, whatever else the form holds. */
export function findFault(field: RuledField, value: unknown): Fault | null {
  const bounds = boundsOf(field);
  switch (field.type) {
    case 'Number':
    case 'Integer':
    case 'Long':
    case 'BigDecimal':
      return findNumberFault(field.type, bounds, value);
    case 'date':
    case 'dateTime':
      return parseMoment(value) === null ? { key: 'moment' } : null;
    case 'Month':
      return typeof value === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(value) ? null : { key: 'month' };
    case 'List':
      // No form and no search sends one.
      return { key: 'text' };
    default:
      return findTextFault(field, bounds, value);
  }
}

/** What numeric(18,6) holds. */
const DECIMALS = 6;
const DECIMAL = /^-?\d{1,12}(\.\d{1,6})?$/;

function findNumberFault(type: RuledField['type'], { min, max }: Bounds, value: unknown): Fault | null {
  const digits = exactDecimal(value);
  const exact = type === 'BigDecimal' && digits !== null ? Number(digits) : exactNumber(value);
  // Of more digits than a number keeps it is at least known where it lies.
  const number = exact ?? (digits === null ? null : Number(digits));
  if (number === null) return { key: 'number' };
  if (type !== 'Number' && type !== 'BigDecimal' && !Number.isInteger(number)) return { key: 'integer' };
  if (min !== undefined && number < min) return { key: 'min', args: { min } };
  if (max !== undefined && number > max) return { key: 'max', args: { max } };
  if (exact === null) return { key: 'number' };
  return type === 'BigDecimal' && !DECIMAL.test(digits ?? '') ? { key: 'decimals', args: { max: DECIMALS } } : null;
}

function findTextFault(field: RuledField, { sn, minLength, maxLength }: Bounds, value: unknown): Fault | null {
  const sent = exactText(value);
  if (sent === null || !isStorable(sent)) return { key: 'text' };
  const text = normaliseText(field, sent, sn);
  const sign = field.type === 'password' ? undefined : separatorIn(text);
  if (sign) return { key: 'hiddenSign', args: { sign } };
  if (maxLength !== undefined && text.length > maxLength) return { key: 'maxLength', args: { max: maxLength } };
  if (minLength !== undefined && text.length < minLength) return { key: 'minLength', args: { min: minLength } };
  const { pattern } = field;
  if (pattern && !matches(pattern.mask, text)) return { key: 'pattern', args: { example: pattern.example } };
  return sn && !isSn(text) ? { key: 'sn' } : null;
}

/** A text as the database keeps it: clean and trimmed, SNs and codes upper-cased, paragraphs not trimmed, passwords as they are. */
export function normaliseText({ type, upperCase }: RuledField, value: unknown, sn = false): string {
  if (type === 'password') return String(value);
  if (sn) return normaliseSn(String(value));
  const text = cleanText(String(value));
  const trimmed = type === 'LongString' ? text : text.trim();
  return upperCase ? trimmed.normalize('NFKC').toUpperCase() : trimmed;
}

/** From year 1 to year 9999: beyond, a number is no moment. */
const FARTHEST = 253_402_300_799_999;

/** Epoch ms of a day or a moment of the wire; null when it is none. */
export function parseMoment(value: unknown): number | null {
  const ms = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof ms === 'number' && Number.isInteger(ms) && Math.abs(ms) <= FARTHEST ? ms : null;
}

/** An end does not come before its start, a part is not more than its whole. */
function faultBeside({ minField, maxField }: RuledField, values: FormValues, value: unknown): Fault | null {
  const isBeyond = (other: string | undefined, sign: number) => {
    const than = other === undefined ? undefined : values[other];
    return !isBlank(than) && compared(value, than) * sign > 0;
  };
  if (isBeyond(minField, -1)) return { key: 'notBelow', args: { other: minField } };
  if (isBeyond(maxField, 1)) return { key: 'notAbove', args: { other: maxField } };
  return null;
}

function compared(a: unknown, b: unknown): number {
  const [x, y] = [Number(a), Number(b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
  return x - y;
}

/** Whether two values of a field mean the same: empty in any way, `1200.50` and `1200.500000`. */
export function isSame(field: Pick<Field, 'type'>, a: unknown, b: unknown): boolean {
  if (isBlank(a) || isBlank(b)) return isBlank(a) && isBlank(b);
  const [x, y] = isNumeric(field) ? [exactNumber(a), exactNumber(b)] : [exactText(a), exactText(b)];
  return a === b || (x !== null && x === y);
}
