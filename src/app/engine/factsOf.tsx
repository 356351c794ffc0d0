import type { Column, Detail, Labels, Row } from '#app/engine/wire.ts';
import { CodeCell } from '#app/fields/Cell.tsx';
import { isEmptyValue, kindOf, textOf } from '#app/fields/format.ts';
import { toneOf } from '#app/fields/tones.ts';
import type { Fact } from '#app/parts/Facts.tsx';

interface Record {
  module: string;
  columns: readonly Column[];
  row: Row;
  labels?: Labels | undefined;
}

/** What a record's columns say of it: codes lead on, statuses are chips, long texts have a line of their own. */
export const factsOf = ({ columns, ...record }: Record): Fact[] =>
  columns.map((column) => ({
    label: column.label,
    value: valueOf(column, record),
    wide: column.type === 'LongString' && !isEmptyValue(record.row[column.name]),
  }));

function valueOf(column: Column, { module, row, labels }: Omit<Record, 'columns'>) {
  const value = row[column.name];
  const text = textOf(column, value, labels, row['currency']);
  if (kindOf(column) === 'code' && text !== '') return <CodeCell field={column.name} text={text} />;
  const tone = toneOf(module, column.name, value);
  return tone && text !== '' ? <span className={`chip ${tone}`}>{text}</span> : text;
}

/** How the record stands: of its facts the first that has a meaning in colour. */
export function statusOf({ module, fields, labels }: Detail['view'], row: Row) {
  const column = fields.find((it) => toneOf(module, it.name, row[it.name]) !== undefined);
  return (
    column && { label: textOf(column, row[column.name], labels), tone: toneOf(module, column.name, row[column.name]) }
  );
}
