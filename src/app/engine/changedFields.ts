import type { Column, Labels } from '#app/engine/wire.ts';
import { EMPTY, textOf } from '#app/fields/format.ts';

interface Told {
  row: Record<string, unknown>;
  /** What its values are called. */
  labels: Labels;
}

/** The fields that two states of a row say otherwise, in words. */
export function changedFields(columns: readonly Column[], then: Told, now: Told) {
  const said = ({ row, labels }: Told, column: Column) =>
    textOf(column, row[column.name], labels, row['currency']) || EMPTY;
  return columns
    .map((it) => ({ name: it.name, label: it.label, was: said(then, it), is: said(now, it) }))
    .filter(({ was, is }) => was !== is);
}
