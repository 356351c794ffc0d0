import { useMemo } from 'react';
import { useListContext } from 'ra-core';
import { conditionsOf } from '#app/engine/list/conditions.ts';
import { useListLook } from '#app/engine/list/useListView.ts';
import type { Matching } from '#app/parts/dialog.ts';

/** The list as it is asked for now: its conditions, its order, its columns, and how many rows answer. */
export function useMatching(): Matching {
  const { filterValues, sort, total, error } = useListContext();
  const columns = useListLook()?.columns;
  return useMemo(
    (): Matching => ({
      total: error ? 0 : (total ?? 0),
      ...conditionsOf(filterValues),
      sort: (sort.field ? { sortBy: sort.field, order: sort.order.toLowerCase() } : {}) as Record<string, string>,
      columns: (columns ?? []).map((it) => it.name),
    }),
    [filterValues, sort, total, error, columns],
  );
}
