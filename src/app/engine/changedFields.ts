import type { TranslateFunction } from 'ra-core';
import type { Column, Labels } from '#app/engine/wire.ts';
import { EMPTY, kindOf, textOf, urlsOf } from '#app/fields/format.ts';

interface Told {
  row: Record<string, unknown>;
  /** What its values are called. */
  labels: Labels;
}

/** What is told by what it is called, which several may be. */
const CALLED = ['choice', 'user', 'code', 'roles'];

/** The fields that two states of a row say otherwise, in words; what is called the same and is another is told with its value. */
export function changedFields(columns: readonly Column[], then: Told, now: Told, translate: TranslateFunction) {
  const said = ({ row, labels }: Told, column: Column): string => {
    const value = row[column.name];
    if (kindOf(column) !== 'images') return textOf(column, value, labels, row['currency']) || EMPTY;
    const { length } = urlsOf(value);
    return length === 0 ? EMPTY : translate('shell.list.photos', { smart_count: length });
  };
  return columns.flatMap((column) => {
    const { name, label } = column;
    const [was, is] = [said(then, column), said(now, column)];
    if (was !== is) return [{ name, label, was, is }];
    const [before, after] = [String(then.row[name] ?? ''), String(now.row[name] ?? '')];
    if (was === EMPTY || before === after) return [];
    const kind = kindOf(column);
    if (CALLED.includes(kind)) return [{ name, label, was: `${was} (${before})`, is: `${is} (${after})` }];
    if (kind !== 'images') return [];
    return [{ name, label, was, is: translate('shell.seen.others', { smart_count: urlsOf(after).length }) }];
  });
}
