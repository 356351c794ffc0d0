import { Readable } from 'node:stream';
import { writeXlsx } from 'hucre';
import { isAmount } from '#domain/definition/fieldBounds.ts';
import type { Field } from '#domain/definition/grammar.ts';
import type { Context } from '#server/context.ts';
import { FileAnswer } from '#server/fileAnswer.ts';
import { offeredChoices } from '#server/engine/choices.ts';
import { columnName } from '#server/exports/sheetXml.ts';
import { sheetName } from '#server/exports/workbook.ts';
import { headOf } from '#server/imports/heads.ts';
import type { ImportCall, ImportColumn, Importer } from '#server/imports/importer.ts';
import { fileNameOf } from '#server/uploads/fileName.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const words = {
  notes: { zh: '填写说明', en: 'Notes' },
  heads: { zh: ['列', '必填', '格式', '可选值'], en: ['Column', 'Required', 'Format', 'Choices'] },
  yes: { zh: '是', en: 'yes' },
  template: { zh: '导入模板', en: 'import template' },
} as const;
/** A spreadsheet's drop-down list takes 255 characters in all. */
const LONGEST_LIST = 255;
const LISTED_ROWS = 20_000;

/**
 * A workbook to fill in: the columns of the import as heads in the user's language, required ones with a star, lists
 * where there is something to choose, and a second sheet that says how each column is written.
 */
export async function createTemplate(call: ImportCall, importer: Importer, ctx: Context): Promise<FileAnswer> {
  const { lang } = ctx;
  const columns = importer.columns(call, ctx);
  const choices = await Promise.all(columns.map((it) => readChoices(it.field, ctx)));
  const heads = columns.map((it) => `${headOf(it, columns)[lang]}${it.required ? ' *' : ''}`);
  const lists = choices.flatMap((values, i) =>
    values.length > 0 && values.join(',').length <= LONGEST_LIST && !values.some((it) => it.includes(','))
      ? [{ type: 'list' as const, values, range: `${columnName(i)}2:${columnName(i)}${LISTED_ROWS + 1}` }]
      : [],
  );
  const notes = columns.map((it, i) => [
    headOf(it, columns)[lang],
    it.required ? words.yes[lang] : '',
    formatOf(it, lang),
    (choices[i] ?? []).slice(0, 50).join(' | '),
  ]);
  const bytes = await writeXlsx({
    sheets: [
      {
        name: sheetName(call.definition.label[lang]),
        // Texts and codes stay texts: a long SN would be rounded as a number.
        columns: heads.map((header, i) => ({ header, width: 18, ...(isText(columns[i]) && { numFmt: '@' }) })),
        rows: [heads],
        dataValidations: lists,
        freezePane: { rows: 1 },
      },
      {
        name: words.notes[lang],
        columns: [{ width: 22 }, { width: 10 }, { width: 30 }, { width: 60 }],
        rows: [[...words.heads[lang]], ...notes],
      },
    ],
  });
  const name = fileNameOf(`${call.definition.label[lang]} ${words.template[lang]}.xlsx`, ['xlsx']);
  return new FileAnswer({ name, mime: XLSX, size: bytes.length }, () => Readable.from([Buffer.from(bytes)]));
}

async function readChoices(field: Field, ctx: Context): Promise<string[]> {
  if (field.type !== 'select') return [];
  return (await offeredChoices(field, ctx)).options.map((it) => it.optionName);
}

const isText = (column: ImportColumn | undefined): boolean =>
  column !== undefined && ['String', 'LongString', 'select', 'Month'].includes(column.field.type);

function formatOf({ field }: ImportColumn, lang: 'zh' | 'en'): string {
  if (isAmount(field))
    return { zh: '金额，小数位不超过其币种的位数', en: 'amount, no more decimals than its currency has' }[lang];
  const formats: Partial<Record<Field['type'], { zh: string; en: string }>> = {
    date: { zh: '2026-11-21', en: '2026-11-21' },
    dateTime: { zh: '2026-11-21 08:30', en: '2026-11-21 08:30' },
    Month: { zh: '2026-11', en: '2026-11' },
    Integer: { zh: '整数', en: 'whole number' },
    Long: { zh: '整数', en: 'whole number' },
    Number: { zh: '数字', en: 'number' },
    BigDecimal: { zh: '数字，最多6位小数', en: 'number, at most 6 decimals' },
    select: { zh: '从可选值中选择', en: 'one of the choices' },
  };
  return formats[field.type]?.[lang] ?? { zh: '文本', en: 'text' }[lang];
}
