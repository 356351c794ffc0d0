import { lazy, Suspense, useEffect, useMemo } from 'react';
import { Navigate } from 'react-router-dom';
import { useQuery } from '@tanstack/react-query';
import { ListBase, useDataProvider, useListContext, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import { chunks } from '#app/chunks.ts';
import { AppliedConditions } from '#app/engine/AppliedConditions.tsx';
import { ListFooter } from '#app/engine/ListFooter.tsx';
import { ListInstead } from '#app/engine/ListInstead.tsx';
import { columnsOf, type ListMeta } from '#app/engine/listMeta.ts';
import { moduleOf } from '#app/engine/module.ts';
import { pageSize } from '#app/engine/pageSize.ts';
import { RowTable } from '#app/engine/RowTable.tsx';
import { SearchForm } from '#app/engine/SearchForm.tsx';
import { Toolbar } from '#app/engine/Toolbar.tsx';
import type { Row } from '#app/engine/wire.ts';
import type { EngineProvider } from '#app/dataProvider.ts';
import { useNotices } from '#app/notify.ts';
import { CallError } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';
import { useDensity } from '#app/shell/appearance.ts';
import { useToolbar } from '#app/shell/places.ts';
import { useValue } from '#app/store.ts';
import { densities } from '#app/theme.ts';

const FormDialog = lazy(chunks.form);

interface ListPageProps {
  menuNo: string;
  /** The form that stands over the list, where the address says so. */
  dialog?: { view: string; id: string };
}

/** One page for every menu entry; what it shows comes from the server's definition. Spec 1 section 2, generic list. */
export default function ListPage({ menuNo, dialog }: ListPageProps) {
  const perPage = useValue(pageSize);
  return (
    <ListBase
      resource={menuNo}
      storeKey={false}
      sort={unsorted}
      perPage={Number(perPage)}
      disableAuthentication
      exporter={false}
      queryOptions={silent}
    >
      <ListFrame menuNo={menuNo} />
      <Suspense fallback={null}>
        {dialog && <FormDialog key={dialog.view + dialog.id} menuNo={menuNo} id={dialog.id || undefined} />}
      </Suspense>
    </ListBase>
  );
}

/** Until the user sorts, the server's own order rules; a failure is said below, once. */
const unsorted = { field: '', order: 'ASC' } as const;
const silent = { onError: () => undefined };
const none: Row[] = [];

function ListFrame({ menuNo }: { menuNo: string }) {
  const list = useListContext<Row>();
  const { density } = useDensity();
  const buttons = useToolbar(menuNo);
  const searchItems = useSearchItems(menuNo);
  const meta = (list.meta ?? {}) as ListMeta;
  const columns = useMemo(() => columnsOf(meta), [meta]);
  const module = moduleOf(menuNo);
  useLoadFailure(list.error);
  if (list.error instanceof CallError && list.error.status === 403) return <Navigate to="/401" replace />;

  const rows = list.error ? none : (list.data ?? none);
  const multiple = (buttons.data ?? []).some((it) => [it.btnNo, it.btnScript].includes('deleteAll'));
  return (
    <Box component="main" sx={{ p: 4, pt: 3, display: 'flex', flexDirection: 'column', gap: 3 }}>
      <Toolbar menuNo={menuNo} title={meta.tableName ?? ''} buttons={buttons.data ?? []} rows={rows} />
      {searchItems.length > 0 && <SearchForm menuNo={menuNo} items={searchItems} />}
      <AppliedConditions items={searchItems} />
      <RowTable
        module={module}
        columns={columns}
        rows={rows}
        labels={meta.labels}
        label={meta.tableName ?? menuNo}
        maxHeight={meta.maxHeight ?? 540}
        rowHeight={densities[density]}
        linkOf={meta.link ? (row) => `/${menuNo}/detail/${row.id}` : undefined}
        sort={list.sort}
        onSort={list.setSort}
        selection={{ ids: list.selectedIds as number[], multiple, onChange: list.onSelect }}
        instead={rows.length === 0 ? <ListInstead rowHeight={densities[density]} /> : undefined}
      />
      <ListFooter />
    </Box>
  );
}

/** What the list can be searched by; a list without such items shows no form. */
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
  return data ?? [];
}

function useLoadFailure(error: unknown): void {
  const translate = useTranslate();
  const notices = useNotices();
  useEffect(() => {
    if (error) notices.failedAs(translate('shell.list.failed'), error);
  }, [error, notices, translate]);
}
