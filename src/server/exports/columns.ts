import { listText } from '#domain/definition/listText.ts';
import type { Definition, FieldType } from '#domain/definition/grammar.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { columnInfos, readValueLabels, type ColumnInfo } from '#server/engine/describe.ts';
import type { Row } from '#server/engine/rows.ts';
import { moneyOf, type CellKind, type CellValue, type SheetColumn } from '#server/exports/workbook.ts';

const kinds: Partial<Record<FieldType, CellKind>> = {
  Number: 'number',
  Integer: 'number',
  Long: 'number',
  BigDecimal: 'number',
  date: 'date',
  dateTime: 'dateTime',
};

/**
 * The columns of a module's list that are exported, in the order in which they are asked for; all of them where none
 * is. Another name is refused, so that nothing is read through an export that the list does not show.
 * Rule: exports-and-jobs#list-exports.
 */
export function exportedColumns(definition: Definition, asked: readonly string[], ctx: Context): ColumnInfo[] {
  const offered = definition.list?.columns ?? Object.keys(definition.fields);
  const unknown = asked.find((it) => !offered.includes(it));
  if (unknown !== undefined) throw new Refusal({ key: 'unknownField', field: 'columns', args: { field: unknown } });
  return columnInfos(definition, asked.length > 0 ? [...new Set(asked)] : offered, ctx);
}

export const sheetColumns = (columns: readonly ColumnInfo[]): SheetColumn[] =>
  columns.map((it) => ({ label: it.label, kind: kindOf(it) }));

const kindOf = (column: ColumnInfo): CellKind => (isMoney(column) ? 'money' : (kinds[column.type] ?? 'text'));

/** Whether a column holds amounts of money, rather than shares or numbers of some unit. */
export const isMoney = ({ type, format, isMeasured }: ColumnInfo): boolean =>
  type === 'BigDecimal' && format !== 'percent' && !isMeasured;

/** Gives the cells of rows, lists as they read, selects by their labels in the user's language; what a label was looked up for once is kept. */
export function createCellReader(definition: Definition, columns: readonly ColumnInfo[], ctx: Context) {
  const known = new Map<string, Map<string, string>>(
    columns.map((it) => [it.name, new Map(it.options?.map(({ value, optionName }) => [value, optionName]))]),
  );
  const amounts = new Set(columns.filter(isMoney));
  return async (rows: readonly Row[]): Promise<CellValue[][]> => {
    const strange = rows.filter((row) =>
      columns.some(({ name, type }) => type === 'select' && row[name] && !known.get(name)?.has(String(row[name]))),
    );
    if (strange.length > 0) {
      const found = await readValueLabels(definition, columns, strange, ctx);
      for (const { name, type } of columns) {
        if (type !== 'select') continue;
        const labels = known.get(name) as Map<string, string>;
        // A value without a label stands for itself, and is not looked up again.
        for (const row of strange) {
          const value = String(row[name] ?? '');
          if (!labels.has(value)) labels.set(value, found[name]?.[value] ?? value);
        }
      }
    }
    return rows.map((row) =>
      columns.map((column) => {
        const { name, type, each } = column;
        if (amounts.has(column)) return moneyOf(row[name], row);
        if (type === 'List') return listText(each, row[name]);
        const value = row[name] as CellValue;
        return type === 'select' && value != null ? known.get(name)?.get(String(value)) : value;
      }),
    );
  };
}
