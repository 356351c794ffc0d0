import { pipeline } from 'node:stream/promises';
import type { Writable } from 'node:stream';
import { writeXlsx, XLSX_MAX_ROWS_PER_SHEET } from 'hucre/xlsx';
import { DAY_MS, offsetAt } from '#domain/day.ts';
import { cutText, withoutHiddenSigns } from '#domain/signs.ts';
import {
  CellStyle,
  CLOSE_SHEET,
  columnName,
  createCellWriter,
  FORMULA,
  headingCell,
  openSheet,
  otherParts,
} from '#server/exports/sheetXml.ts';
import { XmlBytes } from '#server/exports/xmlBytes.ts';
import { zip, type ZipEntry } from '#server/exports/zip.ts';

/**
 * What a workbook holds in a cell: strings, numbers and moments only, never a formula. Rule: exports-and-jobs#cells.
 */
export type CellKind = 'text' | 'number' | 'date' | 'dateTime';
/** A moment or a day comes as epoch ms, a decimal as its text or a number. */
export type CellValue = string | number | null | undefined;

export interface SheetColumn {
  label: string;
  kind: CellKind;
  /** In characters; from the label and the kind when left out. */
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
const styles: Record<CellKind, Style | undefined> = {
  text: undefined,
  number: undefined,
  date: { numFmt: 'yyyy-mm-dd' },
  dateTime: { numFmt: 'yyyy-mm-dd hh:mm:ss' },
};
const HEADING: Style = { font: { bold: true } };
const TEXT: Style = { numFmt: '@' };
const widths: Record<CellKind, number> = { text: 18, number: 12, date: 12, dateTime: 20 };
const MAX_WIDTH = 60;
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
  try {
    do {
      names.push(numberedName(sheetName(sheet.name), names.length + 1, '_'));
      yield { path: `xl/worksheets/sheet${names.length}.xml`, chunks: sheetChunks(sheet, rows) };
    } while (await rows.hasMore());
  } finally {
    await rows.close();
  }
  for (const [path, xml] of otherParts(names)) yield { path, chunks: [Buffer.from(xml)] };
}

/** One sheet's XML, with as many rows as it takes. */
async function* sheetChunks(sheet: Sheet, rows: RowSource): AsyncGenerator<Buffer> {
  const { columns, maxRowsPerSheet = XLSX_MAX_ROWS_PER_SHEET } = sheet;
  const writeRow = createRowWriter(sheet);
  const heading = columns.map(({ label }, i) => headingCell(columnName(i), asText(label)));
  const xml = new XmlBytes(FIRST_CHUNK, LARGEST_CHUNK);
  xml.xml(`${openSheet(columns.map(widthIn))}<row r="1">${heading.join('')}</row>`);
  let n = 1;
  while (n < maxRowsPerSheet && (await rows.hasMore())) {
    for (const row of rows.take(maxRowsPerSheet - n)) {
      n += 1;
      writeRow(xml, row, n);
      if (xml.isFull) yield xml.take();
    }
  }
  xml.xml(CLOSE_SHEET);
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

  take(count: number): Batch {
    const taken = this.#batch.length > count ? this.#batch.slice(0, count) : this.#batch;
    this.#batch = this.#batch.slice(taken.length);
    return taken;
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }
}

const cellStyles: Record<CellKind, CellStyle> = {
  text: CellStyle.Plain,
  number: CellStyle.Plain,
  date: CellStyle.Date,
  dateTime: CellStyle.DateTime,
};

function createRowWriter({ columns, timeZone }: Sheet) {
  const clock = clockIn(timeZone);
  const cells = columns.map(({ kind }, i) => ({ kind, write: createCellWriter(columnName(i), cellStyles[kind]) }));
  return (xml: XmlBytes, row: readonly CellValue[], n: number): void => {
    const at = String(n);
    xml.ascii(`<row r="${at}">`);
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i] as (typeof cells)[number];
      const value = cellOf(row[i], cell.kind, clock);
      if (value !== null) cell.write(xml, at, value);
    }
    xml.ascii('</row>');
  };
}

function cellOf(value: CellValue, kind: CellKind, clock: (ms: number) => number): string | number | null {
  if (value === null || value === undefined || value === '') return null;
  if (kind === 'text') return asText(String(value));
  const number = Number(value);
  // What is no number under a numeric heading is shown as it is rather than lost.
  if (!Number.isFinite(number)) return asText(String(value));
  return kind === 'number' ? number : clock(number);
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
          const style = typeof value === 'string' ? (FORMULA.test(value) ? TEXT : undefined) : styles[kindAt(r, c)];
          if (style && value !== null) styled.set(`${r + 1},${c}`, { style });
        }),
      );
      return {
        name: uniqueName(sheetName(name), names),
        columns: columns.map((it) => ({ width: widthIn(it) })),
        rows: [columns.map((it) => it.label), ...values],
        cells: styled,
        freezePane: { rows: 1 },
      };
    }),
  });
}

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

const widthIn = ({ label, kind, width }: SheetColumn): number =>
  width ?? Math.min(MAX_WIDTH, Math.max(widths[kind], widthOf(label) + 2));

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
