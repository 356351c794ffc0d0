import type { Definition, Field, OptionLists } from '#domain/definition/grammar.ts';
import { standardNames } from '#domain/definition/columns.ts';
import { isNumeric } from '#domain/definition/isNumeric.ts';
import { ungrouped } from '#domain/numberText.ts';
import { reservedNames } from '#domain/definition/validateChange.ts';
import { fieldOf, type FieldKind } from './rules.editing.ts';
import { freeName } from './rules.ts';

/** What a workbook's columns may be as fields, guessed from their values; each guess can be changed. Rule: definitions#from-a-workbook. */

export type Cell = string | number | boolean | Date | null | undefined;

export interface Guess {
  /** Which column of the sheet it is. */
  column: number;
  /** As the sheet says it: what the field is called, and by what its column is found when the rows are imported. */
  head: string;
  name: string;
  kind: FieldKind;
  required: boolean;
  /** Of a number whose head says in brackets what it counts: the head without it, and what it counts. */
  label?: string;
  unit?: string;
  /** Of a text: room for the longest that is there, and some more. */
  maxLength?: number;
  /** Of a choice: its values in the order in which they came. */
  values?: string[];
  /** The first value that is there. */
  example: string;
}

/** So many rows are looked at. */
export const ROWS_LOOKED_AT = 1000;
/** So few values, each so often, are a choice. */
const MOST_OPTIONS = 12;
const TIMES_EACH = 3;
const LONGEST_OPTION = 40;
const LENGTHS = [20, 50, 100, 200, 500] as const;
/** A spreadsheet has no more digits. */
const LARGEST_INTEGER = 2_147_483_647;

/** The fields of the columns that have a head; the rows are those below it. */
export function guessFields(heads: readonly Cell[], rows: readonly (readonly Cell[])[]): Guess[] {
  const taken: string[] = [...standardNames, ...reservedNames];
  return heads.flatMap((cell, i): Guess[] => {
    const head = textOf(cell);
    if (head === '') return [];
    const [, bare = head, unit] = UNIT.exec(head) ?? [];
    const name = freeName(bare, taken);
    taken.push(name);
    const looked = rows.slice(0, ROWS_LOOKED_AT).map((it) => it[i]);
    const values = looked.filter((it) => textOf(it) !== '');
    const guessed = guessType(values);
    const isMeasured = unit !== undefined && ['Integer', 'Long', 'BigDecimal'].includes(guessed.kind);
    return [
      {
        ...{ column: i, head, name, required: values.length > 0 && values.length === looked.length },
        ...guessed,
        ...(isMeasured && { label: bare, unit }),
        example: textOf(values[0]),
      },
    ];
  });
}

function guessType(values: readonly Cell[]): Pick<Guess, 'kind' | 'maxLength' | 'values'> {
  const all = (is: (it: Cell) => boolean) => values.length > 0 && values.every(is);
  if (all((it) => isDay(it))) return { kind: 'date' };
  if (all((it) => it instanceof Date || (typeof it === 'string' && MOMENT.test(it.trim()))))
    return { kind: 'dateTime' };
  if (all((it) => typeof it === 'string' && MONTH.test(it.trim()))) return { kind: 'Month' };
  const numbers = values.map(numberOf);
  if (values.length > 0 && numbers.every((it) => it !== undefined)) {
    if (!numbers.every(Number.isInteger)) return { kind: 'BigDecimal' };
    return { kind: numbers.every((it) => Math.abs(it) <= LARGEST_INTEGER) ? 'Integer' : 'Long' };
  }
  const texts = values.map(textOf);
  const different = [...new Set(texts)];
  const longest = Math.max(0, ...texts.map((it) => it.length));
  const isChoice =
    different.length > 1 &&
    different.length <= MOST_OPTIONS &&
    texts.length >= different.length * TIMES_EACH &&
    longest <= LONGEST_OPTION;
  if (isChoice) return { kind: 'select', values: different };
  const maxLength = LENGTHS.find((it) => it >= longest * 1.5);
  return maxLength === undefined ? { kind: 'LongString' } : { kind: 'String', maxLength };
}

/** `0123` is a code and no number. */
function numberOf(value: Cell): number | undefined {
  if (typeof value === 'number') return value;
  const [, sign = '', written = ''] = typeof value === 'string' ? (/^(-?)(.+)$/.exec(value.trim()) ?? []) : [];
  const digits = ungrouped(written) ?? '';
  return /^(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(digits) ? Number(sign + digits) : undefined;
}

/** `Weight (kg)` */
const UNIT = /^(.{1,60}?)\s*[(（]([^()（）]{1,20})[)）]$/;

const DAY = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}$/;
const MOMENT = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[ T]\d{1,2}:\d{2}(?::\d{2})?$/;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

function isDay(value: Cell): boolean {
  if (value instanceof Date) return value.getTime() % 86_400_000 === 0;
  return typeof value === 'string' && DAY.test(value.trim());
}

function textOf(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date)
    return value
      .toISOString()
      .slice(0, isDay(value) ? 10 : 16)
      .replace('T', ' ');
  return String(value).trim();
}

/** A definition with these fields, and the option lists that they choose from. */
export function withFields(
  base: Definition,
  guesses: readonly Guess[],
): { definition: Definition; options: OptionLists } {
  const options: OptionLists = {};
  const own = guesses.map((it): [string, Field] => {
    const { head, name, kind, required, maxLength, unit, values = [], label: bare = head } = it;
    const label = { zh: bare, en: bare };
    const field: Field = {
      ...{ ...fieldOf(kind), label },
      ...(required && { required: true }),
      ...(unit !== undefined && { unit: { zh: unit, en: unit } }),
    };
    if (kind === 'select') {
      const list = freeName(`${base.module} ${name}`, Object.keys(options));
      options[list] = values.map((value) => ({ value, label: { zh: value, en: value } }));
      return [name, { ...field, options: list }];
    }
    return [name, { ...field, ...(kind === 'String' && maxLength !== undefined && { maxLength }) }];
  });
  const site = Object.entries(base.fields).filter(([name]) => name === 'siteId');
  const fields = Object.fromEntries([...site, ...own]);
  const names = Object.keys(fields);
  const [first = ''] = own.map(([name]) => name);
  const definition: Definition = {
    ...base,
    fields,
    search: [first, ...own.filter(([, it]) => it.type === 'select').map(([name]) => name)].filter(
      (it, i, all) => it !== '' && all.indexOf(it) === i,
    ),
    list: { columns: names, sort: '-createTime', link: true },
    form: inRows(names),
    buttons: [...(base.buttons ?? []), { btnNo: 'upload', script: 'upload', label: { zh: '导入', en: 'Import' } }],
  };
  return { definition, options };
}

/** Three fields side by side. */
const inRows = (names: readonly string[]): string[][] =>
  names.reduce<string[][]>(
    (rows, name, i) => (i % 3 === 0 ? [...rows, [name]] : [...rows.slice(0, -1), [...(rows.at(-1) ?? []), name]]),
    [],
  );

/** A guess said otherwise: what its type needs besides is guessed with it. */
export function retyped(guess: Guess, kind: FieldKind, values: readonly Cell[]): Guess {
  const { maxLength: _, values: _values, label, unit, ...bare } = guess;
  const isNumber = isNumeric(fieldOf(kind));
  const rest = { ...bare, ...(isNumber && label !== undefined && { label, unit }) };
  const texts = values.map(textOf).filter((it) => it !== '');
  const longest = Math.max(0, ...texts.map((it) => it.length));
  if (kind === 'select') return { ...rest, kind, values: [...new Set(texts)] };
  if (kind === 'String') return { ...rest, kind, maxLength: LENGTHS.find((it) => it >= longest * 1.5) ?? 1000 };
  return { ...rest, kind };
}
