import { pipeline } from 'node:stream/promises';
import type { Writable } from 'node:stream';
import { writeXlsx, XLSX_MAX_ROWS_PER_SHEET } from 'hucre/xlsx';
import { DAY_MS, offsetAt } from '#domain/day.ts';
import { CURRENCY, currencySignOf, digitsOf } from '#domain/money.ts';
import { cutText, withoutHiddenSigns } from '#domain/signs.ts';
import {
  CellStyle,
  closeSheet,
  columnName,
  createCellWriter,
  FORMULA,
  headingCell,
  moneyFormat,
  MoneyStyles,
  openSheet,
  otherParts,
  rangeOf,
} from '#server/exports/sheetXml.ts';
import { XmlBytes } from '#server/exports/xmlBytes.ts';
import { zip, type ZipEntry } from '#server/exports/zip.ts';

/**
 * What a workbook holds in a cell: strings, numbers and moments only, never a formula. Rule: exports-and-jobs#cells.
 */
export type CellKind = 'text' | 'number' | 'money' | 'date' | 'dateTime';
/** A moment or a day comes as epoch ms, a decimal as its text or a number, an amount with its currency. */
export type CellValue = string | number | Money | null | undefined;

interface Money {
  amount: string | number;
  /** As its record names it, or nothing. */
  currency: unknown;
}

/** An amount of a record, in the currency that the record names. */
export const moneyOf = (amount: unknown, record: Readonly<Record<string, unknown>>): Money | null =>
  amount === null || amount === undefined || amount === ''
    ? null
    : { amount: amount as string | number, currency: record[CURRENCY] };

export interface SheetColumn {
  label: string;
  kind: CellKind;
  /** In characters; by the label and what stands below it when left out. */
  width?: number;
}

type Batch = readonly (readonly CellValue[])[];

export interface Sheet {
  name: string;
  columns: readonly SheetColumn[];
  /** As they are read: waiting for each row by itself would cost more than writing it. */
  batches: AsyncIterable<Batch> | Iterable<Batch>;
  timeZone: string;
  /** A sheet takes 1,048,576 rows, its heading among them; what is more goes on in a further sheet. */
  maxRowsPerSheet?: number;
}

interface Style {
  numFmt?: string;
  font?: { bold: boolean };
}
const styles: Record<Exclude<CellKind, 'money'>, Style | undefined> = {
  text: undefined,
  number: undefined,
  date: { numFmt: 'yyyy-mm-dd' },
  dateTime: { numFmt: 'yyyy-mm-dd hh:mm:ss' },
};
const HEADING: Style = { font: { bold: true } };
const TEXT: Style = { numFmt: '@' };
const MIN_WIDTH = 8;
const MAX_WIDTH = 60;
/** Beside the longest text of a column: its borders, and the arrow that filters in its heading. */
const CELL_SPACE = 2;
const HEADING_SPACE = 4;
/** A sheet that is streamed is as wide as its first rows need it. */
const MEASURED_ROWS = 500;
/** Excel cuts a longer text itself, and says that the file is broken. */
const MAX_TEXT = 32_767;
const NOT_XML = /[\ufffe\uffff]/g;
/** 1970-01-01 as Excel counts days. */
const EPOCH_DAY = 25_569;
/** Bytes of a sheet that are compressed at once: for the last of them a small file waits, and each costs something. */
const FIRST_CHUNK = 64 * 1024;
const LARGEST_CHUNK = 512 * 1024;

/**
 * Writes a workbook into a stream while its rows come: memory does not grow with them. The heading is bold, stands still
 * when the sheet is scrolled, and is repeated on each further sheet.
 */
export async function writeWorkbook(sheet: Sheet, into: Writable, signal?: AbortSignal): Promise<void> {
  await pipeline(zip(partsOf(sheet)), into, { signal });
}

async function* partsOf(sheet: Sheet): AsyncGenerator<ZipEntry> {
  const rows = new RowSource(sheet.batches);
  const names: string[] = [];
  const moneyStyles = new MoneyStyles();
  try {
    do {
      names.push(numberedName(sheetName(sheet.name), names.length + 1, '_'));
      yield { path: `xl/worksheets/sheet${names.length}.xml`, chunks: sheetChunks(sheet, rows, moneyStyles) };
    } while (await rows.hasMore());
  } finally {
    await rows.close();
  }
  for (const [path, xml] of otherParts(names, moneyStyles.formats)) yield { path, chunks: [Buffer.from(xml)] };
}

/** One sheet's XML, with as many rows as it takes. */
async function* sheetChunks(sheet: Sheet, rows: RowSource, moneyStyles: MoneyStyles): AsyncGenerator<Buffer> {
  const { columns, maxRowsPerSheet = XLSX_MAX_ROWS_PER_SHEET } = sheet;
  const writeRow = createRowWriter(sheet, moneyStyles);
  const heading = columns.map(({ label }, i) => headingCell(columnName(i), asText(label)));
  const xml = new XmlBytes(FIRST_CHUNK, LARGEST_CHUNK);
  const first = (await rows.hasMore()) ? rows.peek(MEASURED_ROWS) : [];
  const widths = columns.map((it, i) => widthIn(it, i, first));
  xml.xml(`${openSheet(widths)}<row r="1">${heading.join('')}</row>`);
  let n = 1;
  while (n < maxRowsPerSheet && (await rows.hasMore())) {
    for (const row of rows.take(maxRowsPerSheet - n)) {
      n += 1;
      writeRow(xml, row, n);
      if (xml.isFull) yield xml.take();
    }
  }
  xml.xml(closeSheet(rangeOf(columns.length, n)));
  yield xml.take();
}

/** Rows that come in batches, taken by as many as fit. */
class RowSource {
  #iterator: AsyncIterator<Batch> | Iterator<Batch>;
  #batch: Batch = [];

  constructor(batches: Sheet['batches']) {
    this.#iterator = Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]();
  }

  async hasMore(): Promise<boolean> {
    while (this.#batch.length === 0) {
      const { done, value } = await this.#iterator.next();
      if (done) return false;
      this.#batch = value;
    }
    return true;
  }

  /** The next rows, as far as they were read. */
  peek(count: number): Batch {
    return this.#batch.slice(0, count);
  }

  take(count: number): Batch {
    const taken = this.#batch.length > count ? this.#batch.slice(0, count) : this.#batch;
    this.#batch = this.#batch.slice(taken.length);
    return taken;
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }
}

const cellStyles: Record<Exclude<CellKind, 'money'>, number> = {
  text: CellStyle.Plain,
  number: CellStyle.Plain,
  date: CellStyle.Date,
  dateTime: CellStyle.DateTime,
};

function createRowWriter({ columns, timeZone }: Sheet, moneyStyles: MoneyStyles) {
  const clock = clockIn(timeZone);
  const cells = columns.map(({ kind }, i) => ({ kind, writerOf: createWriters(columnName(i), kind, moneyStyles) }));
  return (xml: XmlBytes, row: readonly CellValue[], n: number): void => {
    const at = String(n);
    xml.ascii(`<row r="${at}">`);
    for (let i = 0; i < cells.length; i++) {
      const { kind, writerOf } = cells[i] as (typeof cells)[number];
      const value = cellOf(row[i], kind, clock);
      if (value !== null) writerOf(row[i])(xml, at, value);
    }
    xml.ascii('</row>');
  };
}

/** Who writes a column's cells; of amounts one for each currency. */
function createWriters(column: string, kind: CellKind, moneyStyles: MoneyStyles) {
  if (kind !== 'money') {
    const writer = createCellWriter(column, cellStyles[kind]);
    return () => writer;
  }
  const writers = new Map<unknown, ReturnType<typeof createCellWriter>>();
  return (value: CellValue) => {
    const currency = currencyOf(value);
    const writer = writers.get(currency) ?? createCellWriter(column, moneyStyles.of(currency));
    writers.set(currency, writer);
    return writer;
  };
}

const isMoney = (value: CellValue): value is Money => typeof value === 'object' && value !== null;
const currencyOf = (value: CellValue): unknown => (isMoney(value) ? value.currency : undefined);
/** What a cell holds without its currency. */
export const plainValue = (value: CellValue): Exclude<CellValue, Money> => (isMoney(value) ? value.amount : value);

function cellOf(value: CellValue, kind: CellKind, clock: (ms: number) => number): string | number | null {
  const plain = kind === 'money' ? plainValue(value) : (value as Exclude<CellValue, Money>);
  if (plain === null || plain === undefined || plain === '') return null;
  if (kind === 'text') return asText(String(plain));
  const number = Number(plain);
  // What is no number under a numeric heading is shown as it is rather than lost.
  if (!Number.isFinite(number)) return asText(String(plain));
  if (kind === 'date') return Math.floor(clock(number));
  return kind === 'dateTime' ? clock(number) : number;
}

/** No longer than a cell. */
const asText = (text: string): string => cutText(text, MAX_TEXT);

/** A moment as the workshop's clock shows it, in Excel's days. */
const clockIn = (timeZone: string) => (ms: number) => (ms + offsetAt(ms, timeZone)) / DAY_MS + EPOCH_DAY;

/** A sheet that is small enough to be written whole, such as one bill's lines. */
export interface SmallSheet {
  name: string;
  columns: readonly SheetColumn[];
  /** A row may have kinds of its own, where a column holds facts of many. */
  rows: readonly { cells: readonly CellValue[]; kinds?: readonly CellKind[] }[];
}

/** A workbook of several small sheets, by the same rules. */
export async function smallWorkbook(sheets: readonly SmallSheet[], timeZone: string): Promise<Uint8Array> {
  const clock = clockIn(timeZone);
  const names = new Set<string>();
  return writeXlsx({
    sheets: sheets.map(({ name, columns, rows }) => {
      const kindAt = (row: number, column: number) =>
        rows[row]?.kinds?.[column] ?? (columns[column] as SheetColumn).kind;
      const values = rows.map(({ cells }, r) =>
        columns.map((_, c) => {
          const value = cellOf(cells[c], kindAt(r, c), clock);
          return typeof value === 'string' ? value.replaceAll(NOT_XML, '') : value;
        }),
      );
      const styled = new Map<string, { style: Style }>(columns.map((_, c) => [`0,${c}`, { style: HEADING }]));
      values.forEach((row, r) =>
        row.forEach((value, c) => {
          const style =
            typeof value === 'string'
              ? FORMULA.test(value)
                ? TEXT
                : undefined
              : styleOf(kindAt(r, c), (rows[r] as (typeof rows)[number]).cells[c]);
          if (style && value !== null) styled.set(`${r + 1},${c}`, { style });
        }),
      );
      return {
        name: uniqueName(sheetName(name), names),
        columns: columns.map((it, i) => ({
          width: widthIn(
            it,
            i,
            rows.map(({ cells }) => cells),
          ),
        })),
        rows: [columns.map((it) => it.label), ...values],
        cells: styled,
        freezePane: { rows: 1 },
        autoFilter: { range: rangeOf(columns.length, rows.length + 1) },
      };
    }),
  });
}

const styleOf = (kind: CellKind, value: CellValue): Style | undefined =>
  kind === 'money' ? { numFmt: moneyFormat(currencyOf(value)) } : styles[kind];

function uniqueName(name: string, usedNames: Set<string>): string {
  let n = 1;
  while (usedNames.has(numberedName(name, n, ' ').toLowerCase())) n += 1;
  usedNames.add(numberedName(name, n, ' ').toLowerCase());
  return numberedName(name, n, ' ');
}

function numberedName(name: string, n: number, separator: string): string {
  const end = n === 1 ? '' : `${separator}${n}`;
  return cutText(name, MAX_NAME - end.length) + end;
}

/** As wide as the heading and what stands below it, within bounds. */
function widthIn({ label, kind, width }: SheetColumn, column: number, rows: Batch): number {
  if (width !== undefined) return width;
  let most = widthOf(label) + HEADING_SPACE;
  for (const row of rows) most = Math.max(most, shownWidth(row[column], kind) + CELL_SPACE);
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, most));
}

function shownWidth(value: CellValue, kind: CellKind): number {
  if (value === null || value === undefined || value === '') return 0;
  if (kind === 'date') return 'yyyy-mm-dd'.length;
  if (kind === 'dateTime') return 'yyyy-mm-dd hh:mm:ss'.length;
  if (kind !== 'money' || !isMoney(value)) return widthOf(String(value).slice(0, MAX_WIDTH));
  const whole = Math.trunc(Math.abs(Number(value.amount))).toString().length;
  const separators = Math.floor((whole - 1) / 3);
  return widthOf(currencySignOf(value.currency)) + whole + separators + '-.'.length + digitsOf(value.currency);
}

/** A Chinese character is as wide as two letters. */
const widthOf = (label: string): number => [...label].reduce((sum, it) => sum + (it > '\u2e7f' ? 2 : 1), 0);

const MAX_NAME = 31;
/** A spreadsheet program keeps a sheet of this name for itself, and takes a workbook that has one for broken. */
const KEPT_NAME = /^history$/i;

/** Not too long, and nothing that a sheet's name may not have or be. */
export function sheetName(name: string): string {
  const plain = trimmed(withoutHiddenSigns(name).replaceAll(/[[\]:*?/\\]/g, ' '));
  const cut = trimmed(cutText(plain, MAX_NAME)) || 'Sheet';
  return KEPT_NAME.test(cut) ? `${cut}_` : cut;
}

const trimmed = (name: string): string => name.replace(/^['\s]+|['\s]+$/g, '');
