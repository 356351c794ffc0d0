import { isQuantity } from '#domain/definition/isQuantity.ts';
import { listText } from '#domain/definition/listText.ts';
import { dayFromSql, dayOf, isDay, momentFromText, momentText } from '#domain/day.ts';
import { grouped, moneyText, trimmedDecimal } from '#domain/money.ts';
import { splitRoles } from '#domain/roleIds.ts';
import { NOTHING } from '#domain/say.ts';
import { holdsWaybill, isWaybill } from '#domain/waybill.ts';
import type { Column, Labels } from '#app/engine/wire.ts';
import type { DateKind } from '#app/fields/typedDate.ts';
import { currentLanguage, currentUser } from '#app/session.ts';

/** How a value of the wire reads. A column's type says how, except that every name ending in `Time` is a moment. */
type CellKind =
  | 'moment'
  | 'age'
  | 'day'
  | 'money'
  | 'percent'
  | 'number'
  | 'choice'
  | 'user'
  | 'roles'
  | 'code'
  | 'images'
  | 'list'
  | 'text';

/** Made once: a list formats hundreds of numbers, and each new one of these costs more than all of them. */
const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

export function kindOf(column: Column): CellKind {
  if (column.format === 'images' || column.format === 'files') return 'images';
  if (column.format === 'age') return 'age';
  if (column.name.endsWith('Time') || column.type === 'dateTime') return 'moment';
  if (column.type === 'date') return 'day';
  if (column.format === 'percent') return 'percent';
  if (column.type === 'BigDecimal') return column.isMeasured ? 'number' : 'money';
  if (column.type === 'select') return 'choice';
  if (column.type === 'List') return 'list';
  if (column.format === 'user') return 'user';
  if (column.format === 'roles') return 'roles';
  if (column.format === 'code' || column.format === 'issueCodes') return 'code';
  if (['Number', 'Integer', 'Long'].includes(column.type)) return isQuantity(column) ? 'number' : 'code';
  return 'text';
}

/** Stands where a value would, so that an empty place is told from a forgotten one. */
export const EMPTY = NOTHING;

export const isEmptyValue = (value: unknown): boolean => value === null || value === undefined || value === '';

/** Nothing to show of a column: no value, or one that only stands in for a waybill. */
export const isBlank = ({ name }: Column, value: unknown): boolean =>
  isEmptyValue(value) || (holdsWaybill(name) && !isWaybill(value));

/** Several words in a row, as the language that is spoken writes them. */
export const listed = (words: readonly (string | number)[]): string =>
  words.join(currentLanguage.get() === 'zh' ? '、' : ', ');

/** A value as words: what a cell shows, a chip of a condition, a comparison of two rows. */
export function textOf(column: Column, value: unknown, labels: Labels = {}, currency?: unknown): string {
  if (isEmptyValue(value)) return '';
  switch (kindOf(column)) {
    case 'moment':
    case 'age':
      return momentOf(value);
    case 'day':
      return typeof value === 'number' ? dayOf(value, workshopZone()) : String(value);
    case 'money':
      return moneyText(value, currency);
    case 'percent':
      return `${trimmedDecimal(String(value))}%`;
    case 'number':
      return typeof value === 'number' ? numbers.format(value) : trimmedDecimal(String(value));
    case 'list':
      return listText(column.each, value);
    case 'roles':
      return listed(splitRoles(String(value)).map((it) => labelOf(column, it, labels)));
    case 'choice':
    case 'user':
    case 'code':
      return labelOf(column, String(value), labels);
    default:
      return String(value);
  }
}

/** `11-21 09:30` on the workshop's clock, of another year than this one `2025-11-21 09:30`. Rule: lists#columns. */
export function shortMomentOf(value: unknown): string {
  const text = momentOf(value);
  if (typeof value !== 'number') return text;
  const isThisYear = text.slice(0, 4) === dayOf(Date.now(), workshopZone()).slice(0, 4);
  return text.slice(isThisYear ? text.indexOf('-') + 1 : 0, -':00'.length);
}

/** `2026-11-21 09:30:00` on the workshop's clock, wherever the browser is. Rule: wire#days. */
export function momentOf(value: unknown): string {
  if (typeof value !== 'number') return isEmptyValue(value) ? '' : String(value);
  return momentText(value, workshopZone());
}

/** `09:30:00` on the workshop's clock, of a moment of today. */
export const clockTimeOf = (at: number): string => momentOf(at).slice(-'09:30:00'.length);

function labelOf(column: Column, value: string, labels: Labels): string {
  const option = column.options?.find((it) => it.value === value);
  return option?.optionName ?? labels[column.name]?.[value] ?? value;
}

/** `1,000,674`. */
export const groupedCount = (count: number): string => grouped(String(count));

/** Days and moments are the workshop's: its zone where the server told it, else the browser's. */
export const workshopZone = () => currentUser.get()?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

const dateKinds: Record<string, DateKind> = { date: 'day', dateTime: 'moment', Month: 'month' };

/** What is typed or picked in a field of this type; undefined where it is no date. */
export const dateKindOf = (type: string): DateKind | undefined => dateKinds[type];

/** What the wire has, as it is written; what was typed and is no date stays as it was typed. */
export function toDateText(kind: DateKind, value: unknown): string {
  if (typeof value !== 'number') return String(value ?? '');
  return kind === 'day' ? dayOf(value, workshopZone()) : momentOf(value);
}

/** What is written, as the wire has it: days and moments are the workshop's. A day in place of a moment stays a day. */
export function fromDateText(kind: DateKind, text: string): number | string {
  if (text === '' || kind === 'month' || (kind === 'moment' && isDay(text))) return text;
  return kind === 'day' ? dayFromSql(text, workshopZone()) : momentFromText(text, workshopZone());
}

/** The pictures of a field: ids of files joined by `##`. */
export const urlsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? value
        .split('##')
        .map((it) => it.trim())
        .filter(Boolean)
    : [];
