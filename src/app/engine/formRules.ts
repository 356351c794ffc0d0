import type { FormField } from '#app/engine/wire.ts';

/** What a form holds, by query name: text as it is typed, days and moments as epoch ms. */
export type FormValues = Record<string, unknown>;
export interface Fault {
  /** A key of `shell.form`. */
  key: 'required' | 'min' | 'max' | 'minLength' | 'maxLength' | 'integer' | 'number';
  args?: Record<string, number>;
}

const BIG_DECIMAL_MAX = 1_000_000;
const PERCENT_MAX = 100;

export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

export const isNumeric = ({ type }: FormField): boolean => ['Number', 'Integer', 'Long', 'BigDecimal'].includes(type);
export const isPercent = (field: FormField): boolean => field.format === 'percent' || field.queryName === 'taxRate';

/** Numbers start at 0; money ends at 1,000,000, a tax rate at 100. Spec 1 section 5. */
export function boundsOf(field: FormField): { min?: number; max?: number } {
  if (!isNumeric(field)) return {};
  const most = isPercent(field) ? PERCENT_MAX : field.type === 'BigDecimal' ? BIG_DECIMAL_MAX : undefined;
  return { min: field.min ?? 0, max: field.max ?? most };
}

/** Required always, or while other fields have the values that make it so. */
export function isRequired(field: FormField, values: FormValues): boolean {
  if (field.required) return true;
  const when = Object.entries(field.requiredWhen ?? {});
  return when.length > 0 && when.every(([name, wanted]) => [wanted].flat().includes(String(values[name] ?? '')));
}

/** What is wrong with a field, as the server will see it; null when nothing is. */
export function faultOf(field: FormField, values: FormValues): Fault | null {
  const value = values[field.queryName];
  if (field.readOnly) return null;
  if (isBlank(value)) return isRequired(field, values) ? { key: 'required' } : null;
  return isNumeric(field) ? faultOfNumber(field, String(value).trim()) : faultOfText(field, value);
}

function faultOfNumber(field: FormField, text: string): Fault | null {
  const number = Number(text);
  if (!Number.isFinite(number)) return { key: 'number' };
  if (field.type !== 'Number' && field.type !== 'BigDecimal' && !Number.isInteger(number)) return { key: 'integer' };
  const { min, max } = boundsOf(field);
  if (min !== undefined && number < min) return { key: 'min', args: { min } };
  if (max !== undefined && number > max) return { key: 'max', args: { max } };
  return null;
}

function faultOfText({ minLength, maxLength }: FormField, value: unknown): Fault | null {
  if (typeof value !== 'string') return null;
  const { length } = value.trim();
  if (minLength !== undefined && length < minLength) return { key: 'minLength', args: { min: minLength } };
  if (maxLength !== undefined && length > maxLength) return { key: 'maxLength', args: { max: maxLength } };
  return null;
}

/** What is sent: no read-only fields, numbers as numbers, money as the digits that were typed, a password only if filled. */
export function sentOf(fields: readonly FormField[], values: FormValues): FormValues {
  const sent: FormValues = {};
  for (const field of fields) {
    if (field.readOnly) continue;
    const value = values[field.queryName];
    if (field.type === 'password' && isBlank(value)) continue;
    if (isBlank(value)) sent[field.queryName] = null;
    else if (field.type === 'BigDecimal') sent[field.queryName] = String(value).trim();
    else if (isNumeric(field)) sent[field.queryName] = Number(value);
    else sent[field.queryName] = value;
  }
  return sent;
}

/** What a form starts with: the record's values, else the field's own. */
export const startOf = (fields: readonly FormField[], item: FormValues = {}): FormValues =>
  Object.fromEntries(fields.map((it) => [it.queryName, item[it.queryName] ?? it.value ?? '']));
