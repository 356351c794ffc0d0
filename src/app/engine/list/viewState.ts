import { queryOf, type ColumnChoice, type ViewState } from '#domain/listView.ts';
import { ADVANCED, VIEW } from '#app/engine/filterNames.ts';
import { conditionsOf } from '#app/engine/list/conditions.ts';
import type { Density } from '#app/theme.ts';

/** A list as it stands in its address. */
interface Asked {
  filterValues: Record<string, unknown>;
  sort: { field: string; order: string };
  perPage: number;
}

/** How it is drawn, which no address says. */
interface Look {
  columns: readonly ColumnChoice[];
  density: Density;
}

/** The list as it stands now, as a view keeps it. */
export function toViewState({ filterValues, sort, perPage }: Asked, { columns, density }: Look): ViewState {
  const { query, condition } = conditionsOf(filterValues);
  return {
    ...(Object.keys(query).length > 0 && {
      filter: Object.entries(query).map(([name, value]) => ({ name, value })),
    }),
    ...(condition && { condition }),
    ...(sort.field && { sortBy: sort.field, order: sort.order === 'DESC' ? ('desc' as const) : ('asc' as const) }),
    columns: [...columns],
    pageSize: perPage,
    density,
  };
}

/** The query of a list under a view: what it searches for, in which order, how many rows a page; from its first page. */
export function queryOfView(id: number, state: ViewState, pageSize: number): string {
  const filter = {
    [VIEW]: String(id),
    ...queryOf(state),
    ...(state.condition ? { [ADVANCED]: JSON.stringify(state.condition) } : {}),
  };
  const search = new URLSearchParams({
    filter: JSON.stringify(filter),
    displayedFilters: '{}',
    page: '1',
    perPage: String(state.pageSize ?? pageSize),
    sort: state.sortBy ?? '',
    order: state.order === 'desc' ? 'DESC' : 'ASC',
  });
  return `?${search}`;
}

/** The list without any view or condition; a query that says nothing at all opens the default view. */
export const queryOfAll = `?filter=${encodeURIComponent('{}')}`;

/** Whether two states show the same; what one of them leaves open is no difference. */
export function isSameState(now: ViewState, saved: ViewState): boolean {
  const { columns, density, pageSize } = saved;
  const comparable = (it: ViewState) => [
    queryOf(it),
    it.condition ?? null,
    it.sortBy ?? '',
    it.sortBy ? (it.order ?? 'asc') : '',
    pageSize === undefined ? '' : it.pageSize,
    density === undefined ? '' : it.density,
    columns === undefined ? '' : (it.columns ?? []).map(({ name, width, hidden }) => [name, width, hidden === true]),
  ];
  return inOrder(comparable(now)) === inOrder(comparable(saved));
}

/** The database keeps the names of an object in an order of its own. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, it: unknown) =>
    typeof it === 'object' && it !== null && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
      : it,
  );
