import { dateKindOf, toDateText } from '#app/fields/format.ts';
import { readTypedDate } from '#app/fields/typedDate.ts';
import type { SearchItem } from '#app/engine/wire.ts';

/** What the search form holds, by query name; days and moments as epoch ms. */
export type Entered = Record<string, unknown>;

/**
 * What a search sends: text trimmed, empty values and what is no date dropped; 0 counts as a value. The conditions of an advanced search
 * end with it. Rule: lists#search, lists#advanced-search.
 */
export function filterOf(entered: Entered, items: readonly SearchItem[]): Entered {
  const pairs = items.map((it): [string, unknown] => {
    const value = entered[it.queryName];
    const kind = dateKindOf(it.type);
    if (kind && readTypedDate(kind, toDateText(kind, value)) === '') return [it.queryName, ''];
    return [it.queryName, typeof value === 'string' ? value.trim() : value];
  });
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined && value !== null && value !== ''));
}

/** The first few fields; of a span of time both ends or neither. */
export function shownFirst(items: readonly SearchItem[], count: number): readonly SearchItem[] {
  return items.slice(0, count).filter((it, i) => {
    const isFrom = it.queryName.endsWith('Start') && it.type === 'dateTime';
    return !isFrom || i < count - 1;
  });
}
