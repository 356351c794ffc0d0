import { formatValue } from 'hucre';
import { dayFromSql, momentFromClock } from '#domain/day.ts';
import { isAmount, isPercent } from '#domain/definition/fieldBounds.ts';
import { isNumeric } from '#domain/definition/isNumeric.ts';
import type { Field } from '#domain/definition/grammar.ts';
import { asCompared } from '#domain/freight.ts';
import { readNumber, type WrittenNumber } from '#domain/numberText.ts';
import { CURRENCY_MARKS } from '#domain/money.ts';
import type { Problem } from '#domain/refusal.ts';
import { cleanText, isUnseen, withoutUnseen } from '#domain/signs.ts';
import type { Option } from '#domain/definition/grammar.ts';
import { GENERAL, readFormat, showsDay } from '#server/imports/numberFormat.ts';
import type { Cell } from '#server/imports/workbook.ts';

/** A value; of an amount the currency that its cell says besides, and what is to be known of it before it is imported. */
type Read = { value: unknown; mark?: string; note?: Problem } | { problem: Problem };

interface Reading {
  options?: readonly Option[] | undefined;
  timeZone: string;
  /** As the spreadsheet calls the cell. */
  place?: string;
  /** How the spreadsheet shows its number. */
  format?: string | undefined;
}

/** The first day that spreadsheets know: what is before it is a time of day. */
const FIRST_DAY = Date.UTC(1900, 0, 1);
/** How a day, a moment or a month is written. */
const WRITTEN = { date: '2026-11-21', dateTime: '2026-11-21 08:30', Month: '2026-11' } as const;
const FAULTS = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!)$/;
const DATE = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const MONTH = /^(\d{4})[-/.年](\d{1,2})月?$/;

/**
 * A cell as the wire would send it: a day or moment by the workshop's clock, an option by its value or its label in
 * either language, a number in a text as it was typed. Empty cells give undefined.
 */
export function readCell(
  cell: Cell | undefined,
  name: string,
  field: Field,
  { options, timeZone, place = '', format = '' }: Reading,
): Read | undefined {
  if (cell === null || cell === undefined || (typeof cell === 'string' && isUnseen(cell))) return undefined;
  const about = (key: Problem['key']): Problem => ({
    ...{ key, field: name },
    args: { cell: place, field: field.label, value: seenText(cell, format).trim().slice(0, LONGEST_QUOTE) },
  });
  const no = (key: 'format' | 'roundedNumber' = 'format'): Read => ({
    problem: { key, field: name, args: { field: field.label } },
  });
  const noDay = (type: keyof typeof WRITTEN): Problem => {
    const it = about('dayCell');
    return { ...it, args: { ...it.args, example: WRITTEN[type] } };
  };
  if (typeof cell === 'string' && FAULTS.test(cell.trim())) return no();
  switch (field.type) {
    case 'date':
    case 'dateTime': {
      if (isNoDay(cell, format)) return { problem: noDay(field.type) };
      const clock = parseClock(cell);
      if (clock === null) return no();
      const day = clock.slice(0, 10);
      return { value: field.type === 'date' ? dayFromSql(day, timeZone) : momentFromClock(clock, timeZone) };
    }
    case 'Month': {
      if (isNoDay(cell, format)) return { problem: noDay(field.type) };
      const month = parseMonth(cell);
      return month === null ? no() : { value: month };
    }
    case 'select': {
      const shown = shownText(cell, format);
      if (shown === undefined) return { problem: about('shownCell') };
      const text = asRead(shown);
      return options ? parseOption(text, name, field, options) : { value: text };
    }
    case 'Number':
    case 'Integer':
    case 'Long':
    case 'BigDecimal':
      return parseNumber(cell, field, format, about);
    default: {
      if (typeof cell === 'number' && Math.abs(cell) >= 1e15) return no('roundedNumber');
      const text = shownText(cell, format);
      if (text === undefined) return { problem: about('shownCell') };
      if (isTurned(cell, format)) return { problem: about('turnedCell') };
      return { value: (field.sn ? withoutUnseen : cleanText)(text) };
    }
  }
}

/**
 * A number that nobody sees a day in, such as 2027 or 202612, and a time alone, such as 8:30 or 36:00: the spreadsheet's count of
 * days would make one of it.
 */
const isNoDay = (cell: Cell, format: string): boolean =>
  typeof cell === 'number' || (cell instanceof Date && (cell.getTime() < FIRST_DAY || !showsDay(format)));

/** Of `12E01` a spreadsheet makes the number 120, and of `MAR1` a day: what was typed is nowhere any more. */
const isTurned = (cell: Cell, format: string): boolean =>
  cell instanceof Date || (typeof cell === 'number' && readFormat(format, cell).isScientific);

/**
 * What the sheet shows of a cell, as a text: of 123 by `0000000` that is `0000123`. Nothing where its format hides which number
 * it is.
 */
function shownText(cell: Cell, format: string): string | undefined {
  if (typeof cell !== 'number' || GENERAL.test(format)) return textOf(cell);
  const { isLess, mark } = readFormat(format, cell);
  if (isLess) return undefined;
  if (mark !== '' && mark !== '%') return seenText(cell, format);
  const [, fraction = ''] = textOf(cell).split('.');
  const general = fraction === '' ? '0' : `0.${'0'.repeat(fraction.length)}`;
  return formatValue(cell, format.replaceAll(/General/gi, general)).trim();
}

/**
 * What a cell says as a number, in words or by its format: never another number than what is seen there. Of a rate 13 % is
 * 13; a bare 0.13 is 0.13 %, and is asked about.
 */
function parseNumber(cell: Cell, field: Field, format: string, about: (key: Problem['key']) => Problem): Read {
  const said = typeof cell === 'number' ? readFormat(format, cell) : undefined;
  if (said?.isOther) return { problem: about('shownCell') };
  const written =
    typeof cell === 'number' ? shownNumber(cell, said?.mark ?? '') : readNumber(typeof cell === 'string' ? cell : '');
  if (!written) return { problem: about('numberCell') };
  const { digits, mark } = written;
  if (mark === '%') return isPercent(field) ? { value: digits } : { problem: about('percentCell') };
  if (mark !== '') {
    return isAmount(field)
      ? { value: digits, mark }
      : { problem: about(said || isCurrencyMark(mark) ? 'signCell' : 'numberCell') };
  }
  const isFraction = isPercent(field) && /^0\.\d*[1-9]/.test(digits);
  return { value: digits, ...(isFraction && { note: about('rateCell') }) };
}

const currencies = new Set([...Intl.supportedValuesOf('currency'), ...Object.values(CURRENCY_MARKS).flat()]);

/** Whether people know it as a currency, by sign or by code; the letters of `HID0` are none. */
export const isCurrencyMark = (mark: string): boolean => /\p{Sc}/u.test(mark) || currencies.has(mark);

const LONGEST_QUOTE = 40;

/** A spreadsheet keeps 13 % as 0.13. */
const shownNumber = (number: number, mark: string): WrittenNumber => ({
  digits: textOf(mark === '%' ? number * 100 : number),
  mark,
});

/** A cell as a field of its column would read it: a number with what its format says besides, any other as it is shown. */
export const seenFor = (field: Field | undefined, cell: Cell, format: string): string =>
  (!field || isNumeric(field) ? undefined : shownText(cell, format)) ?? seenText(cell, format);

/** A number with what its format says besides its digits, as a text that says the same: `13%`, `€5`. */
export function seenText(cell: Cell, format: string): string {
  if (typeof cell !== 'number') return textOf(cell);
  const said = readFormat(format, cell);
  const { digits, mark } = shownNumber(cell, said.mark);
  // No text says it: with its format it is at least taken for no number.
  if (said.isOther) return `${textOf(cell)} (${format})`;
  if (mark === '%') return digits + mark;
  return digits.startsWith('-') ? `-${mark}${digits.slice(1)}` : mark + digits;
}

/** A cell as people see it; a number with the 15 digits that a spreadsheet has of it. */
export function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return parseClock(cell)?.replace(' 00:00:00', '') ?? '';
  if (typeof cell !== 'number') return String(cell);
  const text = String(Number(cell.toPrecision(15)));
  return text.includes('e') ? cell.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : text;
}

/** `2026-11-21 08:30:00` of a cell that is a date or a text that says one. */
function parseClock(cell: Cell): string | null {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? null : secondsOf(cell);
  const parts = typeof cell === 'string' ? DATE.exec(cell.trim()) : null;
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour, minute, second] = parts.slice(1).map((it) => Number(it ?? 0));
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // 30 February is no day, nor 8:30:75 a time: they would quietly become 2 March and 8:31:15.
  const isSaid = at.getUTCFullYear() === year && at.getUTCDate() === day && at.getUTCHours() === hour;
  return isSaid && at.getUTCMinutes() === minute && at.getUTCSeconds() === second ? secondsOf(at) : null;
}

const secondsOf = (date: Date): string =>
  new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().slice(0, 19).replace('T', ' ');

function parseMonth(cell: Cell): string | null {
  const parts = typeof cell === 'string' ? MONTH.exec(cell.trim()) : null;
  if (parts)
    return Number(parts[2]) >= 1 && Number(parts[2]) <= 12 ? `${parts[1]}-${parts[2]?.padStart(2, '0')}` : null;
  return parseClock(cell)?.slice(0, 7) ?? null;
}

const LISTED = 12;

/** A text of a choice, a cell's and a label's alike: what nobody sees makes no other of it. */
const asRead = (text: string): string => cleanText(text).trim();

type Labelled = ReadonlyMap<string, readonly Option[]>;
/** The options of a list by their labels, written alike; of a list of thousands, cell by cell, that would be looked for each time. */
const labels = new WeakMap<readonly Option[], Record<'anyCase' | 'anySpaces', Labelled>>();

function labelsOf(options: readonly Option[]): Record<'anyCase' | 'anySpaces', Labelled> {
  const by = (as: (text: string) => string): Labelled => {
    const found = new Map<string, Option[]>();
    for (const it of options)
      for (const said of new Set([as(it.label.zh), as(it.label.en)])) found.set(said, [...(found.get(said) ?? []), it]);
    return found;
  };
  const known = labels.get(options) ?? { anyCase: by((it) => asRead(it).toLowerCase()), anySpaces: by(asCompared) };
  labels.set(options, known);
  return known;
}

/**
 * An option's value, said as its label in either language or as itself, in whatever case; or in whatever spaces and width, where
 * that is one option alone; else what there is to choose. Exports write labels, so that words which are one value's label and
 * another's value mean the first. The same words may be offered again under another value; words that several offered values
 * share are refused with these.
 */
function parseOption(said: string, name: string, field: Field, options: readonly Option[]): Read {
  const { anyCase, anySpaces } = labelsOf(options);
  const offered = (them: readonly Option[] = []) => {
    const live = them.filter((it) => !it.retired);
    return live.length > 0 ? live : them;
  };
  const alike = offered(anySpaces.get(asCompared(said)));
  const valuesOf = (them: readonly Option[]) => [...new Set(them.map((it) => it.value))];
  const called = offered(anyCase.get(said.toLowerCase()));
  const exactly = called.filter((it) => [asRead(it.label.zh), asRead(it.label.en), it.value].includes(said));
  const values = valuesOf(exactly.length > 0 ? exactly : called);
  if (values.length > 1) {
    const args = { field: field.label, value: said, values: values.slice(0, LISTED) };
    return { problem: { key: 'severalOptions', field: name, args } };
  }
  const spaced = valuesOf(alike);
  const value =
    values[0] ?? options.find((it) => it.value === said)?.value ?? (spaced.length === 1 ? spaced[0] : undefined);
  if (value !== undefined) return { value };
  const choices = options.slice(0, LISTED).map((it) => it.label);
  return { problem: { key: 'noSuchOption', field: name, args: { field: field.label, value: said, options: choices } } };
}
