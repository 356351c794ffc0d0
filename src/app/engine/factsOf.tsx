import type { Column, Detail, Labels, Row } from '#app/engine/wire.ts';
import { Cell, CodeCell } from '#app/fields/Cell.tsx';
import { isBlank, isEmptyValue, kindOf, textOf } from '#app/fields/format.ts';
import { toneOf } from '#app/fields/tones.ts';
import type { Fact } from '#app/parts/Facts.tsx';

interface Record {
  columns: readonly Column[];
  row: Row;
  labels?: Labels | undefined;
  /** The address of the page on which they stand, by its record's number. */
  own?: string | undefined;
}

/** What a record's columns say of it: codes lead on, statuses are chips, long texts have a line of their own. */
export const factsOf = ({ columns, ...record }: Record): Fact[] =>
  columns.map((column) => ({
    label: column.label,
    value: valueOf(column, record),
    wide: column.type === 'LongString' && !isEmptyValue(record.row[column.name]),
  }));

function valueOf(column: Column, { row, labels, own }: Omit<Record, 'columns'>) {
  const value = row[column.name];
  if (isBlank(column, value)) return '';
  const text = textOf(column, value, labels, row['currency']);
  if (kindOf(column) === 'code' && text === String(value))
    return <CodeCell field={column.name} text={text} own={own} />;
  if (kindOf(column) === 'age') return text && <Cell column={column} value={value} />;
  const tone = toneOf(column.options, value);
  return tone && text !== '' ? <span className={`chip ${tone}`}>{text}</span> : text;
}

/** Of a record's facts the first that has a meaning in colour: how it stands. */
const findStatus = ({ fields }: Detail['view'], row: Row) =>
  fields.find((it) => toneOf(it.options, row[it.name]) !== undefined);

/** How the record stands, as the head of its page says it. */
export function statusOf(view: Detail['view'], row: Row) {
  const column = findStatus(view, row);
  return (
    column && {
      label: textOf(column, row[column.name], view.labels),
      tone: toneOf(column.options, row[column.name]),
    }
  );
}

/** What the page says below its head: a status there needs no name, anything else is told apart by it. */
export const fieldsBelowHead = (view: Detail['view'], row: Row): Column[] =>
  view.fields.filter((it) => it !== findStatus(view, row) || !/status$/i.test(it.name));
