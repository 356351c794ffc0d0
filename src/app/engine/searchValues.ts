import type { SearchItem } from '#app/engine/wire.ts';

/** What the search form holds, by query name; days and moments as epoch ms. */
export type Entered = Record<string, unknown>;

/**
 * What a search sends: text trimmed, empty values dropped; 0 counts as a value. The conditions of an advanced search
 * end with it. Rule: lists#search, lists#advanced-search.
 */
export function filterOf(entered: Entered, items: readonly SearchItem[]): Entered {
  const pairs = items.map((it): [string, unknown] => {
    const value = entered[it.queryName];
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
