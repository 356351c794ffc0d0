import type { RawBuilder } from 'kysely';
import type { Context } from '#server/context.ts';
import { exportRows } from '#server/exports/exportRows.ts';
import { moneyOf, type CellKind, type CellValue, type SheetColumn } from '#server/exports/workbook.ts';
import type { JobResult, RunningJob } from '#server/jobs/job.ts';
import type { Column, ColumnKind, Row } from './report.ts';

/** Writes what a query gives under these columns, and below it what another one gives. */
export function writeReport(
  job: RunningJob,
  columns: readonly Column[],
  query: RawBuilder<Row>,
  below?: RawBuilder<Row>,
): Promise<JobResult> {
  const { ctx } = job;
  const toCells = createCellMapper(columns, ctx);
  return exportRows(job, {
    columns: columns.map((it) => sheetColumn(it, ctx)),
    query,
    ...(below && { below }),
    toCells: (rows) => rows.map(toCells),
  });
}

const kinds: Partial<Record<ColumnKind, CellKind>> = {
  moment: 'dateTime',
  day: 'date',
  integer: 'number',
  decimal: 'number',
  money: 'money',
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
  if (kind === 'money') return (row) => moneyOf(row[key], row);
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
