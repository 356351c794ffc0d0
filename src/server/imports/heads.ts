import { Refusal } from '#domain/refusal.ts';
import type { ImportColumn } from '#server/imports/importer.ts';
import { textOf } from '#server/imports/cells.ts';
import type { Cell } from '#server/imports/workbook.ts';

/** What the first row of a sheet says about the columns under it. */
export interface Heads {
  /** The module's column at each position of the sheet; undefined where nobody knows the head. */
  columns: readonly (ImportColumn | undefined)[];
  /** As they stand in the sheet. */
  texts: readonly string[];
  /** Heads that nobody knows: their cells are not read. */
  ignored: readonly string[];
}

/** The column of a workbook that was handed back: what is wrong with each row. It is not read again. */
export const PROBLEM_HEADS = ['问题', 'Problem'] as const;

const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[*＊\s]+/g, '')
    .toLowerCase();

/**
 * Finds out which column is which: by a field's label in either language or by its name, in any order, with or without
 * the star of the template.
 * @throws Refusal workbookHeads naming the required columns that are missing.
 */
export function readHeads(row: readonly Cell[], columns: readonly ImportColumn[]): Heads {
  const texts = row.map((it) => textOf(it).trim());
  const names = new Map<string, ImportColumn>();
  for (const it of columns) {
    const { zh, en } = it.field.label;
    for (const text of [it.label.zh, it.label.en, zh, en, it.name]) names.set(bare(text), it);
  }
  const used = new Set<ImportColumn>();
  const found = texts.map((text) => {
    const column = names.get(bare(text));
    if (!column || used.has(column)) return undefined;
    used.add(column);
    return column;
  });
  const missing = columns.filter((it) => it.required && !used.has(it) && !hasOther(it, used));
  if (missing.length > 0) {
    throw new Refusal({ key: 'workbookHeads', field: 'file', args: { columns: missing.map((it) => it.label) } });
  }
  const isProblem = (text: string) => PROBLEM_HEADS.some((it) => bare(it) === bare(text));
  const ignored = texts.filter((text, i) => !found[i] && text !== '' && !isProblem(text));
  return { columns: found, texts, ignored };
}

const hasOther = (column: ImportColumn, used: ReadonlySet<ImportColumn>): boolean =>
  column.oneOf !== undefined && [...used].some((it) => it.oneOf === column.oneOf);
