import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useListContext, useTranslate } from 'ra-core';
import type { ColumnChoice, ListView, ViewState } from '#domain/listView.ts';
import { VIEW } from '#app/engine/filterNames.ts';
import { keepGiven } from '#app/engine/given.ts';
import { arrangedBy, choicesOf, shownOf, type Arranged, type ShownColumn } from '#app/engine/list/columns.ts';
import { useViews, type Views } from '#app/engine/list/useViews.ts';
import { isSameState, queryOfAll, queryOfView, toViewState } from '#app/engine/list/viewState.ts';
import { columnsOf, type ListMeta } from '#app/engine/listMeta.ts';
import { moduleOf } from '#app/engine/module.ts';
import type { Column } from '#app/engine/wire.ts';
import { listed } from '#app/fields/format.ts';
import { notices } from '#app/notify.ts';
import { useDensity } from '#app/shell/appearance.ts';
import { createObservable, useObservable } from '#app/observable.ts';
import type { Density } from '#app/theme.ts';

export interface ListLook {
  menuNo: string;
  views: Views;
  /** The view that the list stands under. */
  view: ListView | null;
  /** Whether the list was changed since the view was chosen. */
  isChanged: boolean;
  /** The list as a view would keep it now. */
  state: () => ViewState;
  choose: (view: ListView | null) => void;
  /** All columns, in the user's order. */
  arranged: readonly Arranged[];
  arrange: (to: readonly Arranged[]) => void;
  /** Those that are shown. */
  columns: readonly ShownColumn[];
  density: Density;
  setDensity: (to: Density) => void;
  /** It is not yet known how the list is to look: nothing is shown that would change at once. */
  isOpening: boolean;
}

const none: Column[] = [];
export const ListLookContext = createContext<ListLook | null>(null);

/** How the list around looks; a table outside of a list has no such thing. */
export const useListLook = () => useContext(ListLookContext);

/** What was changed in a view and not kept: it lives as long as the page, and goes with another choice of the view. */
const touched = createObservable<Readonly<Record<string, { columns?: ColumnChoice[]; density?: Density }>>>({});

/** Brings together what the address says, the view behind it, the user's own columns and what was changed since. */
export function useListView(menuNo: string): ListLook {
  const module = moduleOf(menuNo);
  const translate = useTranslate();
  const navigate = useNavigate();
  const { filterValues, sort, perPage, meta } = useListContext();
  const general = useDensity();
  const views = useViews(module);
  const isOpening = useOpening(views, perPage);

  const viewId = Number(filterValues[VIEW] ?? 0);
  const view = useMemo(() => views.items.find((it) => it.id === viewId) ?? null, [views.items, viewId]);
  const mark = view ? `${module} ${view.id}` : '';
  const since = useObservable(touched)[mark];
  const columnChoices = view ? (since?.columns ?? view.state.columns ?? views.columns) : views.columns;
  const known = useMemo(() => (meta ? columnsOf(meta as ListMeta) : none), [meta]);
  const arranged = useMemo(() => arrangedBy(known, columnChoices), [known, columnChoices]);
  const columns = useMemo(() => shownOf(arranged), [arranged]);
  const density = (view && (since?.density ?? view.state.density)) || general.density;

  const touch = (change: { columns?: ColumnChoice[]; density?: Density }) =>
    touched.set({ ...touched.get(), [mark]: { ...since, ...change } });
  const state = useMemo(
    () => toViewState({ filterValues, sort, perPage }, { columns: choicesOf(arranged), density }),
    [filterValues, sort, perPage, arranged, density],
  );
  const isChanged = useMemo(() => {
    if (!view || known.length === 0) return false;
    const columnsThen = view.state.columns && choicesOf(arrangedBy(known, view.state.columns));
    return !isSameState(state, { ...view.state, ...(columnsThen && { columns: columnsThen }) });
  }, [view, known, state]);

  return {
    menuNo,
    views,
    view,
    isChanged,
    state: () => state,
    choose: (to) => {
      if (to) forget(`${module} ${to.id}`);
      if (to) warnDropped(to, translate);
      void navigate({ pathname: `/${menuNo}`, search: to ? queryOfView(to.id, to.state, perPage) : queryOfAll });
    },
    arranged,
    arrange: (to) => (view ? touch({ columns: choicesOf(to) }) : views.saveColumns(choicesOf(to))),
    columns,
    density,
    setDensity: (to) => (view ? touch({ density: to }) : general.setDensity(to)),
    isOpening,
  };
}

function warnDropped({ dropped }: ListView, translate: (key: string, words?: object) => string): void {
  if (dropped.length > 0) notices.warning(translate('lists.views.dropped', { names: listed(dropped) }));
}

/** After a view was kept, nothing of it is changed. */
export const forgetTouched = (module: string, id: number) => forget(`${module} ${id}`);

function forget(mark: string): void {
  const { [mark]: _, ...rest } = touched.get();
  touched.set(rest);
}

/**
 * An address that names a view (`?view=12`) opens it, one that says nothing the default view; until it is known which,
 * and until the view's rows are there, the list is opening.
 */
function useOpening(views: Views, perPage: number): boolean {
  const translate = useTranslate();
  const navigate = useNavigate();
  const { search } = useLocation();
  const { isFetching } = useListContext();
  const asked = new URLSearchParams(search);
  const linked = asked.get('view');
  const wanted = linked ?? (asked.has('filter') ? null : views.defaultId);
  const isWaiting = !views.isReady || wanted !== null;
  const [isApplying, setApplying] = useState(false);
  const before = useRef(perPage);

  useEffect(() => {
    if (!views.isReady || wanted === null) return;
    const view = views.items.find((it) => it.id === Number(wanted));
    if (!view) {
      notices.warning(translate('lists.views.missing'));
      void navigate({ search: keepGiven(queryOfAll, search) }, { replace: true });
      return;
    }
    warnDropped(view, translate);
    setApplying(true);
    // The path stays, and what is given: a form may stand over the list.
    void navigate({ search: keepGiven(queryOfView(view.id, view.state, before.current), search) }, { replace: true });
  }, [views.isReady, views.items, wanted, search, navigate, translate]);
  useEffect(() => {
    if (isApplying && !isWaiting && !isFetching) setApplying(false);
  }, [isApplying, isWaiting, isFetching]);
  return isWaiting || isApplying;
}
