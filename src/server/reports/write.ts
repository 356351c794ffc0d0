import type { RawBuilder } from 'kysely';
import type { Context } from '#server/context.ts';
import { atOneMoment, withRows } from '#server/exports/cursor.ts';
import { fileName } from '#server/exports/listExport.ts';
import { writeWorkbook, type CellKind, type CellValue, type SheetColumn } from '#server/exports/workbook.ts';
import type { JobResult, RunningJob } from '#server/jobs/job.ts';
import type { Column, ColumnKind, Row } from './report.ts';

/** Writes what a query gives under these columns, and below it what another one gives; both are asked at once. */
export async function writeReport(
  job: RunningJob,
  columns: readonly Column[],
  query: RawBuilder<Row>,
  below?: RawBuilder<Row>,
): Promise<JobResult> {
  const { ctx } = job;
  const toCells = createCellMapper(columns, ctx);
  const file = await job.openFile(fileName(job.title, ctx));
  const footer = below && atOneMoment(ctx.db, (trx) => below.execute(trx));
  // Where the rows fail nobody waits for it.
  footer?.catch(() => undefined);
  let done = 0;
  async function* cells(batches: AsyncIterable<Row[]>): AsyncGenerator<CellValue[][]> {
    for await (const batch of batches) {
      yield batch.map(toCells);
      done += batch.length;
      job.progress(done);
    }
    if (footer) yield (await footer).rows.map(toCells);
  }
  const sheet = { name: job.title, columns: columns.map((it) => sheetColumn(it, ctx)), timeZone: ctx.config.timeZone };
  await withRows(ctx.db, query, (batches) =>
    writeWorkbook({ ...sheet, batches: cells(batches) }, file.stream, job.signal),
  );
  return { rows: done };
}

const kinds: Partial<Record<ColumnKind, CellKind>> = {
  moment: 'dateTime',
  day: 'date',
  integer: 'number',
  decimal: 'number',
  percent: 'number',
};

/** A column as the workbook's writer takes it; a share is written as a percentage and says so. */
export const sheetColumn = ({ label, kind }: Column, { lang }: Pick<Context, 'lang'>): SheetColumn => ({
  label: kind === 'percent' ? `${label[lang]} (%)` : label[lang],
  kind: kinds[kind] ?? 'text',
});

/** Gives a row's cells in the order of the columns, options by their labels in the user's language. */
export function createCellMapper(
  columns: readonly Column[],
  ctx: Pick<Context, 'model' | 'lang'>,
): (row: Row) => CellValue[] {
  const cells = columns.map((it) => createCellReader(it, ctx));
  return (row) => cells.map((read) => read(row));
}

function createCellReader(
  { key, kind, options = '', optionsIn }: Column,
  { model, lang }: Pick<Context, 'model' | 'lang'>,
): (row: Row) => CellValue {
  const read = (row: Row) => row[key] as CellValue;
  if (kind === 'percent') return (row) => (row[key] == null ? null : Math.round(Number(row[key]) * 10_000) / 100);
  if (kind !== 'option') return read;
  const lists = new Map<string, Map<CellValue, string>>();
  const labelsIn = (name: string) => {
    const labels =
      lists.get(name) ?? new Map((model.options[name] ?? []).map(({ value, label }) => [value, label[lang]]));
    lists.set(name, labels);
    return labels;
  };
  return (row) => {
    const value = read(row);
    if (value == null) return null;
    return labelsIn(optionsIn ? String(row[optionsIn]) : options).get(String(value)) ?? value;
  };
}
