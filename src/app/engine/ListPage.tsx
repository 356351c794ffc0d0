import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { useQuery } from '@tanstack/react-query';
import {
  ListBase,
  ListContextProvider,
  useDataProvider,
  useListContext,
  useTranslate,
  type ListControllerResult,
} from 'ra-core';
import Box from '@mui/material/Box';
import { ActionDialog } from '#app/engine/ActionDialog.tsx';
import { rowName } from '#app/engine/list/BodyRow.tsx';
import { ColumnGroups } from '#app/engine/list/ColumnGroups.tsx';
import { saidBeside } from '#app/engine/list/conditions.ts';
import { Preview } from '#app/engine/list/Preview.tsx';
import { Rows } from '#app/engine/list/Rows.tsx';
import { StatusTabs } from '#app/engine/list/StatusTabs.tsx';
import { useListKeys } from '#app/engine/list/useListKeys.ts';
import { ListLookContext, useListView, type ListLook } from '#app/engine/list/useListView.ts';
import { focusRow, type MenuPosition } from '#app/engine/list/useRows.ts';
import { ListFooter } from '#app/engine/ListFooter.tsx';
import type { ListMeta } from '#app/engine/listMeta.ts';
import { countFitting, FILL, pageSize } from '#app/engine/pageSize.ts';
import { SearchForm } from '#app/engine/SearchForm.tsx';
import { ListCount, Toolbar } from '#app/engine/Toolbar.tsx';
import { useAction } from '#app/engine/useAction.ts';
import type { Row, SearchItem } from '#app/engine/wire.ts';
import { VIEW } from '#app/engine/filterNames.ts';
import type { EngineProvider } from '#app/dataProvider.ts';
import { useNotices } from '#app/notify.ts';
import { shouldRetry } from '#app/queryClient.ts';
import { isRefusal } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';
import { Deferred } from '#app/shell/Deferred.tsx';
import { useDensity } from '#app/shell/appearance.ts';
import { useToolbar, useUnlistedName } from '#app/shell/pageNames.ts';
import { useObservable } from '#app/observable.ts';

const AppliedConditions = lazy(() => import('#app/engine/AppliedConditions.tsx'));
const DeleteDialog = lazy(() => import('#app/engine/DeleteDialog.tsx'));
const RowMenu = lazy(() => import('#app/engine/list/RowMenu.tsx'));
const FormDialog = lazy(() => import('#app/engine/FormDialog.tsx'));

interface ListPageProps {
  menuNo: string;
  /** The form that stands over the list, where the address says so. */
  dialog?: { view: string; id: string };
}

/** One page for every menu entry; what it shows comes from the server's definition. Rule: lists#pages. */
export default function ListPage({ menuNo, dialog }: ListPageProps) {
  const chosen = useObservable(pageSize);
  const { density } = useDensity();
  return (
    <ListBase
      resource={menuNo}
      storeKey={false}
      sort={unsorted}
      perPage={chosen === FILL ? countFitting(density) : Number(chosen)}
      disableAuthentication
      exporter={false}
      queryOptions={silent}
    >
      <UnderView menuNo={menuNo} />
      <Suspense fallback={null}>
        {dialog && <FormDialog key={dialog.view + dialog.id} menuNo={menuNo} id={dialog.id || undefined} />}
      </Suspense>
    </ListBase>
  );
}

/** Until the user sorts, the server's own order rules; a failure is said below, once. */
const unsorted = { field: '', order: 'ASC' } as const;
const silent = { onError: () => undefined, retry: shouldRetry };
const none: Row[] = [];
const noItems: SearchItem[] = [];
/** Kept free for each line around the rows until it is drawn, so that the rows do not jump when it comes. */
const LINE = 32;
/** What an opening list would say is not what it will say. */
const unknown = { total: undefined, meta: undefined };
const beingRead = { error: null, isPending: true };

/** The saved view is part of the address as a filter is; for everything inside, filters are conditions alone. */
function UnderView({ menuNo }: { menuNo: string }) {
  const list = useListContext<Row>();
  const look = useListView(menuNo);
  const isSortGone = useSortThatIsThere(list);
  const { view, filterValues } = useMemo(() => {
    const { [VIEW]: view, ...filterValues } = list.filterValues as Record<string, unknown>;
    return { view, filterValues };
  }, [list.filterValues]);
  const setFilters: typeof list.setFilters = (filters, ...rest) =>
    list.setFilters(view === undefined ? filters : { ...filters, [VIEW]: view }, ...rest);
  return (
    <ListLookContext value={look}>
      <ListContextProvider
        value={
          {
            ...{ ...list, filterValues, setFilters },
            ...(look.isOpening && unknown),
            ...(isSortGone && beingRead),
          } as typeof list
        }
      >
        <ListFrame menuNo={menuNo} look={look} />
      </ListContextProvider>
    </ListLookContext>
  );
}

/**
 * What a list was searched by, on a line of its own whose room is there from the first drawing, so that rows do not move
 * when its words come. Once there it stays, as it looks after the focus when the last condition goes.
 */
function Conditions({ menuNo, items }: { menuNo: string; items: readonly SearchItem[] | undefined }) {
  const { filterValues, meta } = useListContext();
  const { tabs } = (meta ?? {}) as ListMeta;
  const isSearched = Object.keys(saidBeside(filterValues as Record<string, unknown>, tabs)).length > 0;
  const [wasSearched, setWasSearched] = useState(false);
  if (!wasSearched && isSearched) setWasSearched(true);
  return (
    <Box sx={isSearched ? { minHeight: LINE, display: 'flow-root' } : null}>
      <Suspense fallback={null}>{wasSearched && <AppliedConditions menuNo={menuNo} items={items} />}</Suspense>
    </Box>
  );
}

function ListFrame({ menuNo, look }: { menuNo: string; look: ListLook }) {
  const list = useListContext<Row>();
  const navigate = useNavigate();
  const frame = useRef<HTMLElement>(null);
  const toolbar = useToolbar(menuNo);
  const buttons = toolbar.data ?? [];
  const searchItems = useSearchItems(menuNo);
  const meta = (list.meta ?? {}) as ListMeta;
  const isKnown = !toolbar.isPending && !list.isPending;
  const [activeId, setActiveId] = useState<number | null>(null);
  const [isPreviewing, setPreviewing] = useState(false);
  const [rowMenu, setRowMenu] = useState<{ row: Row; at: MenuPosition } | null>(null);
  const { isForAll, setForAll } = useForAll(list.selectedIds, list.filterValues);
  const { act, deleting, stopDeleting, dialog, closeDialog } = useAction(menuNo);

  const rows = list.error || look.isOpening ? none : (list.data ?? none);
  const selected = useMemo(() => rows.filter((it) => list.selectedIds.includes(it.id)), [rows, list.selectedIds]);
  // The row answers at once; what can be done with it is told right after.
  const told = useDeferredValue(selected);
  useListKeys(frame, rows[0]?.id);
  useLoadFailure(list.error);
  useUnlistedName(menuNo, meta.tableName);
  if (isRefusal(list.error, 'noRight')) return <Navigate to="/401" replace />;

  const multiple = buttons.some((it) => [it.btnNo, it.btnScript].includes('deleteAll'));
  const previewed = isPreviewing ? rows.find((it) => it.id === activeId) : undefined;
  const closePreview = () => {
    setPreviewing(false);
    if (activeId !== null) focusRow(frame.current, activeId);
  };
  const preview = (row: Row) => {
    if (previewed?.id === row.id) return closePreview();
    setActiveId(row.id);
    setPreviewing(true);
  };
  const step = (by: -1 | 1) => {
    const to = rows[rows.findIndex((it) => it.id === activeId) + by];
    if (to) setActiveId(to.id);
  };
  return (
    <Box
      ref={frame}
      onKeyDown={(event) => event.key === 'Escape' && previewed && !event.defaultPrevented && closePreview()}
      sx={{ px: 4, pt: 1, pb: 3, display: 'flex', flexDirection: 'column', gap: 2 }}
    >
      <Box data-list-head={menuNo}>
        <Box sx={{ minHeight: LINE }}>
          <Deferred>
            <Toolbar
              head={headOf(menuNo, look, meta)}
              buttons={buttons}
              selected={told}
              multiple={multiple}
              isForAll={isForAll}
              onAll={setForAll}
              act={act}
              isKnown={isKnown}
              isSearchKnown={searchItems !== undefined}
            >
              {searchItems && searchItems.length > 0 && (
                <SearchForm
                  menuNo={menuNo}
                  items={searchItems}
                  tabs={meta.tabs}
                  isCrowded={(meta.tabs ?? meta.groups) !== undefined}
                />
              )}
            </Toolbar>
          </Deferred>
        </Box>
        <Conditions menuNo={menuNo} items={searchItems} />
      </Box>
      <Box sx={{ display: 'flex', gap: 3, minWidth: 0 }}>
        <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column', gap: 3 }}>
          <Rows
            menuNo={menuNo}
            look={look}
            rows={rows}
            selection={{ ids: list.selectedIds, multiple, onChange: list.onSelect }}
            activeId={activeId}
            onActive={setActiveId}
            previewedId={previewed?.id ?? null}
            onOpen={meta.link ? (row) => navigate(`/${menuNo}/detail/${row.id}`) : preview}
            onPreview={preview}
            onMenu={(row, at) => setRowMenu({ row, at })}
          />
          <Box sx={{ minHeight: LINE }}>
            <Deferred>
              <ListFooter density={look.density} />
            </Deferred>
          </Box>
        </Box>
        {previewed && (
          <Preview
            menuNo={menuNo}
            row={previewed}
            name={rowName(meta.named ?? look.columns.slice(0, 1), previewed, meta.labels)}
            onStep={step}
            onClose={closePreview}
          />
        )}
      </Box>
      <Suspense fallback={null}>
        {rowMenu && (
          <RowMenu
            menuNo={menuNo}
            row={rowMenu.row}
            at={rowMenu.at}
            buttons={buttons}
            canOpen={meta.link === true}
            onAct={(button, row) => act(button, [row])}
            onPreview={preview}
            onClose={() => setRowMenu(null)}
          />
        )}
        {deleting && <DeleteDialog menuNo={menuNo} rows={deleting.rows} many={deleting.many} onClose={stopDeleting} />}
      </Suspense>
      {dialog && <ActionDialog menuNo={menuNo} open={dialog} onClose={closeDialog} />}
    </Box>
  );
}

/** What stands first on the line above the rows. */
function headOf(menuNo: string, look: ListLook, { tabs, groups }: ListMeta) {
  if (tabs) return <StatusTabs menuNo={menuNo} />;
  return groups ? <ColumnGroups look={look} groups={groups} /> : <ListCount />;
}

/** An order by a column that a publish took away goes quietly, as that of a saved view: nobody could take it off any more. */
function useSortThatIsThere({ error, setSort }: Pick<ListControllerResult<Row>, 'error' | 'setSort'>): boolean {
  const isGone = isRefusal(error, 'unknownField') && error.problems[0]?.field === 'sortBy';
  useEffect(() => {
    if (isGone) setSort(unsorted);
  }, [isGone, setSort]);
  return isGone;
}

/** All that match are meant until the selection or the conditions change. */
function useForAll(selectedIds: readonly unknown[], filterValues: unknown) {
  const now = JSON.stringify([selectedIds, filterValues]);
  const [chosenFor, setChosenFor] = useState('');
  return { isForAll: chosenFor === now, setForAll: (to: boolean) => setChosenFor(to ? now : '') };
}

/** What the list can be searched by, undefined until it is known; a list without such items shows no form. */
function useSearchItems(menuNo: string) {
  const provider = useDataProvider<EngineProvider>();
  const language = useLanguage();
  const translate = useTranslate();
  const notices = useNotices();
  const { data, error } = useQuery({
    queryKey: [menuNo, 'searchItems', language],
    queryFn: () => provider.searchItems(menuNo),
    staleTime: 60_000,
  });
  useEffect(() => {
    if (error) notices.failedAs(translate('shell.search.failed'), error);
  }, [error, notices, translate]);
  return data ?? (error ? noItems : undefined);
}

function useLoadFailure(error: unknown): void {
  const translate = useTranslate();
  const notices = useNotices();
  useEffect(() => {
    if (error) notices.failedAs(translate('shell.list.failed'), error);
  }, [error, notices, translate]);
}
