import { sql } from 'kysely';
import type { Field } from '#domain/definition/grammar.ts';
import { bareHead, headsOf } from '#domain/definition/heads.ts';
import { CURRENCY, DOLLARS } from '#domain/money.ts';
import { currencyMarks } from '#domain/numberText.ts';
import { Refusal, type Problem } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { columnName } from '#server/exports/sheetXml.ts';
import { readHeads, type Heads } from '#server/imports/heads.ts';
import { isCurrencyMark, readCell, seenFor, textOf } from '#server/imports/cells.ts';
import type { Import, ImportCall, Importer, ImportRow } from '#server/imports/importer.ts';
import { readSheet, sheetLimits, type SheetRow } from '#server/imports/workbook.ts';
import { sentenceOf } from '#server/sentences.ts';

/** What is said of one row, in words, and the columns that it is about. */
interface TellingRow {
  row: number;
  msg: string;
  fields: string[];
}

export interface Checked {
  rows: number;
  /** In the order of the sheet. */
  bad: readonly TellingRow[];
  /** What is to be known of rows that are not bad. */
  notes: readonly TellingRow[];
  heads: Heads;
  /** The first rows as they stand in the sheet, for the eye. */
  sample: readonly { row: number; cells: string[] }[];
  /** What of before goes with it, in words and as a mark; null where nothing does, or some row is bad. */
  replaces: { msg: string; mark: string } | null;
  /** Ready to be written when nothing is bad. */
  work: Import;
}

const BATCH = 500;
const SAMPLE = 5;

/**
 * Reads a workbook's first sheet and judges every row of it, the heads first. Nothing is written.
 * @throws Refusal what is wrong with the workbook as a whole.
 */
export async function checkSheet(
  bytes: Buffer,
  importer: Importer,
  call: ImportCall,
  ctx: Context,
  onProgress: (rows: number) => void,
): Promise<Checked> {
  const work = importer.open(call, ctx);
  const common = await importer.currency?.(call, ctx);
  const currencyOf = ({ values }: ImportRow): unknown =>
    importer.currency ? common : (values[CURRENCY] ?? call.definition.fields[CURRENCY]?.default);
  const bad: TellingRow[] = [];
  const notes: TellingRow[] = [];
  /** Told of the first row, since it is not of one alone. */
  const ofSheet: Problem[] = [];
  const hiddenRows = new Set<number>();
  let first: ImportRow | undefined;
  const sample: Checked['sample'][number][] = [];
  let heads: Heads | undefined;
  let site: SiteColumn | undefined;
  let rows = 0;
  let batch: ImportRow[] = [];
  const judge = async () => {
    await work.check(batch, ctx);
    for (const it of batch) {
      if (it.problems.length > 0) {
        const isHidden = hiddenRows.has(it.number);
        bad.push(telling(it, [...it.problems, ...(isHidden ? [{ key: 'hiddenRow' } as const] : [])], ctx));
      } else if (it.notes.length > 0) notes.push(telling(it, it.notes, ctx));
    }
    batch = [];
    onProgress(rows);
  };
  for await (const it of readSheet(bytes)) {
    if (!heads) {
      heads = readHeads(it.cells, importer.columns(call, ctx));
      site = importer.forOwnSite && (await siteColumn(heads, call, ctx));
      // Its cells are read, though nothing is written by them.
      if (site) heads = { ...heads, ignored: heads.ignored.filter((text) => text !== site?.head) };
      continue;
    }
    const row = readRow(it, heads, currencyOf, ctx);
    if (!row) continue;
    row.problems.push(...validateSite(it, site));
    // Read like the others: whoever does not see them is told, once.
    if (it.hidden === 'row') hiddenRows.add(it.number);
    first ??= row;
    if (rows === 0) ofSheet.push(...hiddenOfSheet(it, heads, site));
    rows += 1;
    if (rows > sheetLimits.rows) {
      throw new Refusal({ key: 'workbookRows', field: 'file', args: { max: sheetLimits.rows } });
    }
    if (sample.length < SAMPLE) sample.push({ row: it.number, cells: seenCells(it, heads) });
    batch.push(row);
    if (batch.length === BATCH) await judge();
  }
  if (batch.length > 0) await judge();
  if (!heads || !first) throw new Refusal({ key: 'workbookEmpty', field: 'file' });
  const replaced = bad.length === 0 ? await work.replaces?.(ctx) : null;
  const replaces = replaced ? { msg: sentenceOf(replaced.told, ctx.lang, ctx.model), mark: replaced.mark } : null;
  ofSheet.push(...hiddenRowsOf(hiddenRows));
  // Only so many notes are shown: what is of the whole sheet comes first, with what else is noted of that row.
  if (ofSheet.length > 0) {
    if (notes[0]?.row === first.number) notes.shift();
    notes.unshift(telling(first, [...ofSheet, ...(first.problems.length > 0 ? [] : first.notes)], ctx));
  }
  return { rows, bad, notes, heads, sample, replaces, work };
}

/** So many hidden rows are named. */
const NAMED = 20;

function hiddenRowsOf(numbers: ReadonlySet<number>): Problem[] {
  if (numbers.size === 0) return [];
  const named = [...numbers].slice(0, NAMED);
  return [
    { key: 'hiddenRows', args: { count: numbers.size, rows: [...named, ...(numbers.size > NAMED ? ['…'] : [])] } },
  ];
}

/** That nobody is shown the sheet, else which of the columns that are read. */
function hiddenOfSheet(
  { hidden, hiddenColumns = [] }: SheetRow,
  heads: Heads,
  site: SiteColumn | undefined,
): Problem[] {
  if (hidden === 'sheet') return [{ key: 'hiddenSheet' }];
  const read = hiddenColumns.filter((it) => heads.columns[it] || it === site?.at);
  if (read.length === 0) return [];
  const columns = read.map((it) => `${columnName(it)} ${heads.texts[it] ?? ''}`);
  return [{ key: 'hiddenColumns', args: { count: read.length, columns } }];
}

/** A column that says the site of each row, where the rows go to that of the session. */
interface SiteColumn {
  at: number;
  head: string;
  /** What the site of the session is called. */
  names: readonly [string, ...string[]];
}

async function siteColumn(heads: Heads, { definition }: ImportCall, ctx: Context): Promise<SiteColumn | undefined> {
  const field = definition.fields['siteId'];
  if (!field) return undefined;
  const known = new Set([...headsOf(field), bareHead('siteId')]);
  const at = heads.texts.findIndex((text, i) => !heads.columns[i] && known.has(bareHead(text)));
  if (at === -1) return undefined;
  return { at, head: heads.texts[at] ?? '', names: await namesOfSite(field, ctx) };
}

/** Its names in both languages, and its code. */
async function namesOfSite({ ref }: Field, { db, model, currentUser }: Context): Promise<[string, ...string[]]> {
  const { siteId } = currentUser;
  const target = ref && model.definitions.get(ref.module);
  if (!target) return [siteId];
  const labels = [ref.label, `${ref.label}En`].filter((it) => Object.hasOwn(target.fields, it));
  const { rows } = await sql<{ names: (string | null)[] }>`
    SELECT ARRAY[${sql.join(labels.map((it) => sql`${sql.ref(it)}::text`))}] AS names
      FROM ${sql.table(target.table)} WHERE ${sql.ref(ref.value)} = ${siteId}`.execute(db);
  return [siteId, ...rows.flatMap((it) => it.names).filter((it) => it !== null && it !== '')] as [string, ...string[]];
}

/** Rule: exports-and-jobs#imports. */
function validateSite({ cells }: SheetRow, site: SiteColumn | undefined): Problem[] {
  const value = site ? textOf(cells[site.at] ?? null).trim() : '';
  if (!site || value === '' || site.names.some((it) => bareHead(it) === bareHead(value))) return [];
  return [{ key: 'otherSiteRow', field: 'siteId', args: { value, site: site.names[1] ?? site.names[0] } }];
}

const seenCells = ({ cells, formats }: SheetRow, { columns }: Heads): string[] =>
  cells.map((it, i) => seenFor(columns[i]?.field, it, formats[i] ?? ''));

/** A row by the columns that are known; a row that is empty there is none. */
function readRow(
  { number, cells, formulas, formats }: SheetRow,
  heads: Heads,
  currencyOf: (row: ImportRow) => unknown,
  ctx: Context,
): ImportRow | null {
  const row: ImportRow = { number, values: {}, problems: [], notes: [] };
  /** The amounts whose cells say a currency themselves, by their format or in words. */
  const marked: { mark: string; isFormatted: boolean; field: string; args: Problem['args'] }[] = [];
  for (const [i, column] of heads.columns.entries()) {
    if (!column) continue;
    const { name, field } = column;
    const place = `${columnName(i)}${number}`;
    const args = { cell: place, field: field.label };
    if (formulas.includes(i)) {
      row.problems.push({ key: 'formulaCell', field: name, args });
      continue;
    }
    const options = field.options === undefined ? undefined : ctx.model.options[field.options];
    const reading = { options, timeZone: ctx.config.timeZone, place, format: formats[i] };
    const read = readCell(cells[i], name, field, reading);
    if (!read) continue;
    if ('problem' in read) row.problems.push(read.problem);
    else {
      row.values[name] = read.value;
      if (read.note) row.notes.push(read.note);
      if (read.mark)
        marked.push({
          mark: read.mark,
          isFormatted: typeof cells[i] === 'number',
          field: name,
          args: { ...args, value: textOf(cells[i] ?? null) },
        });
    }
  }
  const currency = currencyOf(row);
  for (const { mark, isFormatted, field, args } of marked) {
    if (currencyMarks(currency).includes(mark)) continue;
    row.problems.push(
      isFormatted || isCurrencyMark(mark)
        ? { key: 'currencyCell', field, args: { ...args, mark, currency: String(currency || DOLLARS) } }
        : { key: 'numberCell', field, args },
    );
  }
  return Object.keys(row.values).length === 0 && row.problems.length === 0 ? null : row;
}

function telling({ number }: ImportRow, what: readonly Problem[], ctx: Context): TellingRow {
  const sentences = what.map((it) => sentenceOf(it, ctx.lang, ctx.model));
  const fields = what.map((it) => it.field).filter((it) => it !== undefined);
  return {
    row: number,
    msg: [...new Set(sentences)].join(ctx.lang === 'zh' ? '；' : '; '),
    fields: [...new Set(fields)],
  };
}
