import { DAY_MS, dayFromSql, momentFromClock } from '#domain/day.ts';
import type { Field } from '#domain/definition/grammar.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Option } from '#domain/definition/grammar.ts';
import type { Cell } from '#server/imports/workbook.ts';

type Read = { value: unknown } | { problem: Problem };

/** The day from which spreadsheets count, and the last one that they know. */
const FIRST_DAY = Date.UTC(1899, 11, 30);
const LAST_SERIAL = 2_958_465;
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
  options: readonly Option[] | undefined,
  timeZone: string,
): Read | undefined {
  if (cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')) return undefined;
  const no = (key: 'format' | 'roundedNumber' = 'format'): Read => ({
    problem: { key, field: name, args: { field: field.label } },
  });
  if (typeof cell === 'string' && FAULTS.test(cell.trim())) return no();
  switch (field.type) {
    case 'date':
    case 'dateTime': {
      const clock = parseClock(cell);
      if (clock === null) return no();
      const day = clock.slice(0, 10);
      return { value: field.type === 'date' ? dayFromSql(day, timeZone) : momentFromClock(clock, timeZone) };
    }
    case 'Month': {
      const month = parseMonth(cell);
      return month === null ? no() : { value: month };
    }
    case 'select':
      return options ? parseOption(textOf(cell).trim(), name, field, options) : { value: textOf(cell).trim() };
    case 'Number':
    case 'Integer':
    case 'Long':
    case 'BigDecimal':
      if (cell instanceof Date || typeof cell === 'boolean') return no();
      return {
        value: typeof cell === 'number' ? textOf(cell) : cell.trim().replace(/^([$¥￥€])?([\d,]+(\.\d+)?)%?$/, plain),
      };
    default:
      if (typeof cell === 'number' && Math.abs(cell) >= 1e15) return no('roundedNumber');
      return { value: textOf(cell) };
  }
}

/** `1,234.50` as `1234.50`. */
const plain = (_: string, __: unknown, digits: string) => digits.replaceAll(',', '');

/** A cell as people see it; a number with the 15 digits that a spreadsheet has of it. */
export function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return parseClock(cell)?.replace(' 00:00:00', '') ?? '';
  if (typeof cell !== 'number') return String(cell);
  const text = String(Number(cell.toPrecision(15)));
  return text.includes('e') ? cell.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : text;
}

/** `2026-11-21 08:30:00` of a cell that is a date, a number of days, or a text that says one. */
function parseClock(cell: Cell): string | null {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? null : secondsOf(cell);
  if (typeof cell === 'number') {
    if (cell < 1 || cell > LAST_SERIAL) return null;
    return secondsOf(new Date(FIRST_DAY + Math.round(cell * DAY_MS)));
  }
  const parts = typeof cell === 'string' ? DATE.exec(cell.trim()) : null;
  if (!parts) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = parts as unknown as string[];
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), +hour, +minute, +second));
  // 30 February is no day: it would quietly become 2 March.
  return at.getUTCDate() === Number(day) && at.getUTCHours() === +hour ? secondsOf(at) : null;
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

/** An option's value, said as itself or as its label in either language; else what there is to choose. */
function parseOption(said: string, name: string, field: Field, options: readonly Option[]): Read {
  const isSaid = ({ label }: Option) => [label.zh, label.en].some((it) => it.toLowerCase() === said.toLowerCase());
  // The same words may be offered again under another value.
  const found =
    options.find((it) => it.value === said) ?? options.find((it) => !it.retired && isSaid(it)) ?? options.find(isSaid);
  if (found) return { value: found.value };
  const choices = options.slice(0, LISTED).map((it) => it.label);
  return { problem: { key: 'noSuchOption', field: name, args: { field: field.label, value: said, options: choices } } };
}
