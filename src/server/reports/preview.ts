import { sql } from 'kysely';
import type { Kind, ReportInput } from '#domain/reports.ts';
import type { Context } from '#server/context.ts';
import { withinTime } from '#server/engine/withinTime.ts';
import { atOneMoment } from '#server/exports/cursor.ts';
import { plainValue, type CellValue } from '#server/exports/workbook.ts';
import { drillsOf } from '#domain/drill.ts';
import { createParams } from './params.ts';
import { columnsOf, type Column, type Params, type Report, type Row } from './report.ts';
import { reportOf } from './reportOf.ts';
import { createCellMapper, sheetColumn } from './write.ts';

/** As many rows as one looks at to see whether it is the right report. */
export const PREVIEW_ROWS = 20;

/**
 * What a report's file would begin with: the same columns, the first rows of the same query and what stands below the
 * last one, and of each figure whose units a list shows, how to find them there. It is read on the connections of
 * searches; what takes longer than a search may is refused with the advice to make the file. Rule: reports#preview.
 */
export async function readPreview(kind: Kind, input: ReportInput, ctx: Context) {
  const report = reportOf(kind);
  const params = createParams(kind, input, ctx);
  const columns = columnsOf(report, params);
  const { rows, below } = await withinTime(ctx, ({ db }) => readFirst(db, report, params), 'previewSlow');
  const toCells = createPreviewCells(columns, ctx);
  return {
    columns: columns.map((it) => ({
      key: it.key,
      label: sheetColumn(it, ctx).label,
      kind: it.kind,
      ...(it.module && { module: it.module }),
    })),
    rows: rows
      .slice(0, PREVIEW_ROWS)
      .map((row) => ({ cells: toCells(row), drills: drillsOf(row, drillsBehind(report, row, params)) })),
    footer: below.map(toCells),
    hasMore: rows.length > PREVIEW_ROWS,
    chart: report.chart ? { by: [...report.chart.by], of: report.chart.of } : null,
  };
}

const readFirst = (db: Context['db'], report: Report, params: Params) =>
  atOneMoment(db, async (trx) => {
    // One more tells whether there are more.
    const first = await sql<Row>`${report.rows(params)} LIMIT ${sql.lit(PREVIEW_ROWS + 1)}`.execute(trx);
    const below = await report.footer?.(params).execute(trx);
    return { rows: first.rows, below: below?.rows ?? [] };
  });

/** The cells of the file; what is a number there is one here, whatever the database gave it as. */
function createPreviewCells(columns: readonly Column[], ctx: Context): (row: Row) => (string | number | null)[] {
  const toCells = createCellMapper(columns, ctx);
  const isNumber = columns.map((it) => ['number', 'money'].includes(sheetColumn(it, ctx).kind));
  const told = (cell: CellValue, i: number) => {
    const value = plainValue(cell);
    if (value === null || value === undefined || value === '') return null;
    return isNumber[i] && Number.isFinite(Number(value)) ? Number(value) : value;
  };
  return (row) => toCells(row).map(told);
}

const drillsBehind = ({ drill }: Report, row: Row, params: Params) =>
  Object.fromEntries(Object.entries(drill?.of ?? {}).map(([key, drillTo]) => [key, drillTo(row, params)]));
