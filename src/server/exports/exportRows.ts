import type { RawBuilder } from 'kysely';
import { stampOf } from '#domain/day.ts';
import { withoutHiddenSigns } from '#domain/signs.ts';
import type { Context } from '#server/context.ts';
import type { Row } from '#server/engine/rows.ts';
import { atOneMoment, withRows } from '#server/exports/cursor.ts';
import { writeWorkbook, type CellValue, type SheetColumn } from '#server/exports/workbook.ts';
import type { JobResult, RunningJob } from '#server/jobs/job.ts';

type Batch = CellValue[][];

interface RowsExport {
  columns: readonly SheetColumn[];
  query: RawBuilder<Row>;
  /** What stands below the rows; it is asked for at the same time. */
  below?: RawBuilder<Row>;
  toCells(rows: readonly Row[]): Batch | Promise<Batch>;
  /** How many rows are expected, where that is known. */
  total?: number;
}

/** Writes what a query gives as one sheet into the job's file. Rule: exports-and-jobs#files. */
export async function exportRows(
  job: RunningJob,
  { columns, query, below, toCells, total }: RowsExport,
): Promise<JobResult> {
  const { ctx } = job;
  // The file is opened, and what stands below is read, while the database looks for the rows.
  const file = job.openFile(fileName(job.title, ctx));
  const footer = below && atOneMoment(ctx.db, (trx) => below.execute(trx));
  // Where the rows fail nobody waits for these.
  file.catch(() => undefined);
  footer?.catch(() => undefined);
  let done = 0;
  async function* cells(batches: AsyncIterable<Row[]>): AsyncGenerator<Batch> {
    for await (const batch of batches) {
      yield await toCells(batch);
      done += batch.length;
      job.progress(done, total === undefined ? undefined : Math.max(total, done));
    }
    if (footer) yield await toCells((await footer).rows);
  }
  const sheet = { name: job.title, columns, timeZone: ctx.config.timeZone };
  try {
    await withRows(ctx.db, query, async (batches) =>
      writeWorkbook({ ...sheet, batches: cells(batches) }, (await file).stream, job.signal),
    );
  } finally {
    // A file that is opened after the job was dropped would be removed by nobody.
    await file.catch(() => undefined);
  }
  return { rows: done };
}

/** `{tableName}_{yyyyMMddHHmmss}.xlsx`, by the workshop's clock. Rule: exports-and-jobs#list-exports. */
export const fileName = (title: string, { config }: Context, ending = 'xlsx'): string =>
  `${withoutHiddenSigns(title)
    .replaceAll(/[\\/:*?"<>|]/g, ' ')
    .trim()}_${stampOf(Date.now(), config.timeZone)}.${ending}`;
