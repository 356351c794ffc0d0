import { bareHead, headsOf } from '#domain/definition/heads.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Words } from '#domain/words.ts';
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

/** What a column is called in a workbook; where another one reads alike, with its name behind. */
export function headOf(column: ImportColumn, columns: readonly ImportColumn[]): Words {
  const own = labelHeads(column);
  const isAlike = columns.some((it) => it !== column && [...labelHeads(it)].some((head) => own.has(head)));
  const { zh, en } = column.label;
  return isAlike ? { zh: named(zh, column), en: named(en, column) } : column.label;
}

const named = (label: string, { name }: ImportColumn): string => `${label} (${name})`;

const labelHeads = ({ label, field }: ImportColumn): Set<string> =>
  new Set([...headsOf(field), bareHead(label.zh), bareHead(label.en)]);

/**
 * Finds out which column is which: by a field's label in either language, by the label with the name behind, or else by the
 * name, in any order, with or without the star of the template.
 * @throws Refusal workbookHeadAlike of a head that could be several columns, with what each can be called instead
 * @throws Refusal workbookHeadTwice of two heads that are one column: what stands under the second would not be read
 * @throws Refusal workbookHeads naming the required columns that are missing.
 */
export function readHeads(row: readonly Cell[], columns: readonly ImportColumn[]): Heads {
  const texts = row.map((it) => textOf(it).trim());
  const byLabel = new Map<string, Set<ImportColumn>>();
  const byName = new Map<string, ImportColumn>();
  for (const it of columns) {
    const both = [...labelHeads(it)].map((label) => bareHead(named(label, it)));
    for (const text of labelHeads(it)) byLabel.set(text, (byLabel.get(text) ?? new Set()).add(it));
    for (const text of [...both, bareHead(it.name)]) if (!byName.has(text)) byName.set(text, it);
  }
  const used = new Map<ImportColumn, string>();
  const found = texts.map((text) => {
    const called = byLabel.get(bareHead(text)) ?? new Set();
    if (called.size > 1) throw alike(text, [...called]);
    const column = [...called][0] ?? byName.get(bareHead(text));
    if (!column) return undefined;
    const other = used.get(column);
    if (other !== undefined) {
      throw new Refusal({ key: 'workbookHeadTwice', field: 'file', args: { head: text, other, column: column.label } });
    }
    used.set(column, text);
    return column;
  });
  const missing = columns.filter((it) => it.required && !used.has(it) && !hasOther(it, used));
  if (missing.length > 0) {
    throw new Refusal({ key: 'workbookHeads', field: 'file', args: { columns: missing.map((it) => it.label) } });
  }
  const isProblem = (text: string) => PROBLEM_HEADS.some((it) => bareHead(it) === bareHead(text));
  const ignored = texts.filter((text, i) => !found[i] && text !== '' && !isProblem(text));
  return { columns: found, texts, ignored };
}

function alike(head: string, columns: readonly ImportColumn[]): Refusal {
  const names = columns.map((it) => ({ zh: named(it.label.zh, it), en: named(it.label.en, it) }));
  return new Refusal({ key: 'workbookHeadAlike', field: 'file', args: { head, columns: names } });
}

const hasOther = (column: ImportColumn, used: ReadonlyMap<ImportColumn, string>): boolean =>
  column.oneOf !== undefined && [...used.keys()].some((it) => it.oneOf === column.oneOf);
