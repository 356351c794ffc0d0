import { useMemo } from 'react';
import { useListContext } from 'ra-core';
import { ADVANCED } from '#app/dataProvider.ts';
import type { ListMeta } from '#app/engine/listMeta.ts';
import type { SearchGroup } from '#app/engine/wire.ts';
import type { Matching } from '#app/parts/dialog.ts';

/** The list as it is asked for now: its conditions, its order, its columns, and how many rows answer. */
export function useMatching(): Matching {
  const { filterValues, sort, total, error, meta } = useListContext();
  return useMemo(
    (): Matching => ({
      total: error ? 0 : (total ?? 0),
      ...conditionsOf(filterValues),
      sort: (sort.field ? { sortBy: sort.field, order: sort.order.toLowerCase() } : {}) as Record<string, string>,
      columns: Object.keys((meta as ListMeta | undefined)?.title ?? {}),
    }),
    [filterValues, sort, total, error, meta],
  );
}

/** A list's filter apart: the simple search as text, and the nested one. */
export function conditionsOf(filterValues: Record<string, unknown>): Pick<Matching, 'query' | 'condition'> {
  const { [ADVANCED]: advanced, ...simple } = filterValues;
  return {
    query: Object.fromEntries(Object.entries(simple).map(([name, value]) => [name, String(value)])),
    condition: advanced ? (JSON.parse(String(advanced)) as SearchGroup) : null,
  };
}
