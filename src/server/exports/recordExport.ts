import { Refusal } from '#domain/refusal.ts';
import { readableField, type ColumnInfo } from '#server/engine/describe.ts';
import { queryById } from '#server/engine/reading.ts';
import type { Row } from '#server/engine/rows.ts';
import { createCellReader, sheetColumns } from '#server/exports/columns.ts';
import { fileName } from '#server/exports/exportRows.ts';
import { smallWorkbook, type CellValue, type SmallSheet } from '#server/exports/workbook.ts';
import { jobHandler } from '#server/jobs/job.ts';

export const RECORD_EXPORT = 'recordExport';

export interface RecordExport {
  module: string;
  id: number | string;
}

/** Far above the longest bill of a month: in a file no line is left out. */
const MOST_LINES = 200_000;

interface View {
  label: string;
  fields: ColumnInfo[];
  lines: Record<string, { label: string; columns: ColumnInfo[] }>;
}

/**
 * Writes one row with its facts, and each of its lists of lines on a sheet of its own.
 * Rule: exports-and-jobs#record-exports.
 */
export const recordExport = jobHandler<RecordExport>(async ({ module, id }, job) => {
  const { ctx } = job;
  const definition = ctx.model.definitions.get(module);
  if (!definition) throw new Refusal({ key: 'notFound', args: { what: { zh: '模块', en: 'Module' }, value: module } });
  const { view, ...item } = (await queryById(definition, { id }, ctx, MOST_LINES)) as Row & { view: View };
  const [facts = []] = await createCellReader(definition, view.fields, ctx)([item]);
  const sheets: SmallSheet[] = [factsSheet(view, facts, ctx.lang === 'zh')];
  for (const { name, module: lineModule } of definition.lines ?? []) {
    const target = ctx.model.definitions.get(lineModule);
    const lines = view.lines[name];
    if (!target || !lines) continue;
    const columns = lines.columns.filter((it) => readableField(target, it.name));
    const cells = await createCellReader(target, columns, ctx)(item[name] as Row[]);
    sheets.push({ name: lines.label, columns: sheetColumns(columns), rows: cells.map((it) => ({ cells: it })) });
  }
  const file = await job.openFile(fileName(job.title, ctx));
  file.stream.end(await smallWorkbook(sheets, ctx.config.timeZone));
  return { rows: 1 };
});

function factsSheet(view: View, facts: readonly CellValue[], isChinese: boolean): SmallSheet {
  return {
    name: view.label,
    columns: [
      { label: isChinese ? '字段' : 'Field', kind: 'text', width: 24 },
      { label: isChinese ? '值' : 'Value', kind: 'text', width: 40 },
    ],
    rows: sheetColumns(view.fields).map(({ label, kind }, i) => ({ cells: [label, facts[i]], kinds: ['text', kind] })),
  };
}
