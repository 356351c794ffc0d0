import { pipeline } from 'node:stream/promises';
import { Readable, type Writable } from 'node:stream';
import { writeXlsx, writeXlsxStream, XLSX_MAX_ROWS_PER_SHEET } from 'hucre/xlsx';
import { DAY_MS, offsetAt } from '#domain/day.ts';

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

export interface Sheet {
  name: string;
  columns: readonly SheetColumn[];
  rows: AsyncIterable<readonly CellValue[]> | Iterable<readonly CellValue[]>;
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
/** How a formula begins, in any spreadsheet program. */
const FORMULA = /^[=+\-@\t\r\0＝＋－＠]/;
const widths: Record<CellKind, number> = { text: 18, number: 12, date: 12, dateTime: 20 };
const MAX_WIDTH = 60;
/** Excel cuts a longer text itself, and says that the file is broken. */
const MAX_TEXT = 32_767;
const NOT_XML = /[\ufffe\uffff]/g;
/** 1970-01-01 as Excel counts days. */
const EPOCH_DAY = 25_569;
/**
 * Writes a workbook into a stream while its rows come: memory does not grow with them. The heading is bold, stands still
 * when the sheet is scrolled, and is repeated on each further sheet.
 */
export async function writeWorkbook(sheet: Sheet, into: Writable, signal?: AbortSignal): Promise<void> {
  const maxRowsPerSheet = sheet.maxRowsPerSheet ?? XLSX_MAX_ROWS_PER_SHEET;
  const { cells, columns } = styledCells(sheet, maxRowsPerSheet);
  const stream = writeXlsxStream(cells, {
    name: sheetName(sheet.name),
    columns,
    freezePane: { rows: 1 },
    maxRowsPerSheet,
    zip64: false,
  });
  await pipeline(Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]), into, { signal });
}

function cellOf(value: CellValue, kind: CellKind, clock: (ms: number) => number): string | number | null {
  if (value === null || value === undefined || value === '') return null;
  if (kind === 'text') return asText(String(value));
  const number = Number(value);
  // What is no number under a numeric heading is shown as it is rather than lost.
  if (!Number.isFinite(number)) return asText(String(value));
  return kind === 'number' ? number : clock(number);
}

/** Without what XML cannot hold, and no longer than a cell. */
function asText(text: string): string {
  const short = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
  return short.replaceAll(NOT_XML, '');
}

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
      const values = rows.map(({ cells }, r) => columns.map((_, c) => cellOf(cells[c], kindAt(r, c), clock)));
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
  const numbered = (n: number) => (n === 1 ? name : `${name.slice(0, 28)} ${n}`);
  let n = 1;
  while (usedNames.has(numbered(n).toLowerCase())) n += 1;
  usedNames.add(numbered(n).toLowerCase());
  return numbered(n);
}

/**
 * What the writer is given. It styles whole columns, so the columns say what the row that it is at needs: a heading is
 * bold, on each sheet; a text that would be a formula if somebody edited its cell is of the format "text".
 */
function styledCells({ columns, rows, timeZone }: Sheet, maxRowsPerSheet: number) {
  const clock = clockIn(timeZone);
  let at = -1;
  let current: (string | number | null)[] = [];
  async function* cells() {
    for await (const row of rows) {
      current = columns.map((column, i) => cellOf(row[i], column.kind, clock));
      yield current;
    }
  }
  const styled = columns.map((column, i) => ({
    header: column.label,
    width: widthIn(column),
    get style(): Style | undefined {
      // The first cell of each row is asked for once.
      if (i === 0) at = (at + 1) % maxRowsPerSheet;
      if (at === 0) return HEADING;
      const value = current[i];
      if (value === null) return undefined;
      return typeof value === 'string' ? (FORMULA.test(value) ? TEXT : undefined) : styles[column.kind];
    },
  }));
  return { cells: cells(), columns: styled };
}

const widthIn = ({ label, kind, width }: SheetColumn): number =>
  width ?? Math.min(MAX_WIDTH, Math.max(widths[kind], widthOf(label) + 2));

/** A Chinese character is as wide as two letters. */
const widthOf = (label: string): number => [...label].reduce((sum, it) => sum + (it > '\u2e7f' ? 2 : 1), 0);

/** At most 31 characters, none of those that a sheet's name may not have. */
const sheetName = (name: string): string =>
  name
    .replaceAll(/[[\]:*?/\\]/g, ' ')
    .replace(/^[' ]+|[' ]+$/g, '')
    .slice(0, 31) || 'Sheet';
