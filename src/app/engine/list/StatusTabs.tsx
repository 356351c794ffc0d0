import { useEffect, useMemo } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDataProvider, useListContext, useTranslate } from 'ra-core';
import { styled } from '@mui/material/styles';
import type { EngineProvider } from '#app/dataProvider.ts';
import { Strip } from '#app/engine/list/Strip.tsx';
import type { ListMeta } from '#app/engine/listMeta.ts';
import { groupedCount } from '#app/fields/format.ts';

/**
 * The states of a list's rows with how many there are of each under the search as it stands; one press shows one of
 * them. Rule: lists#tabs.
 */
export function StatusTabs({ menuNo }: { menuNo: string }) {
  const translate = useTranslate();
  const { filterValues, setFilters, meta, total } = useListContext();
  const { tabs = '', columns = [] } = (meta ?? {}) as ListMeta;
  const { [tabs]: chosen, ...others } = filterValues as Record<string, unknown>;
  const counts = useCounts(menuNo, tabs, others);
  const column = columns.find((it) => it.name === tabs);
  if (!column) return null;
  const isOne = typeof chosen === 'string';
  const all = counts ? Object.values(counts).reduce((sum, it) => sum + it, 0) : isOne ? undefined : total;
  const shown = (column.options ?? []).filter((it) => counts?.[it.value] || it.value === chosen);
  return (
    <Strip chosen={chosen} count={shown.length}>
      {(strip) => (
        <Frame ref={strip} role="group" aria-label={column.label}>
          <Tab
            name={translate('lists.tabs.all')}
            count={all}
            isChosen={chosen === undefined}
            onChoose={() => setFilters(others, {})}
          />
          {shown.map((it) => (
            <Tab
              key={it.value}
              name={it.optionName}
              count={counts?.[it.value] ?? 0}
              isChosen={chosen === it.value}
              onChoose={() => setFilters({ ...others, [tabs]: it.value }, {})}
            />
          ))}
        </Frame>
      )}
    </Strip>
  );
}

interface TabProps {
  name: string;
  count: number | undefined;
  isChosen: boolean;
  onChoose: () => void;
}

function Tab({ name, count, isChosen, onChoose }: TabProps) {
  return (
    <button type="button" aria-pressed={isChosen} onClick={onChoose}>
      {name}
      <span>{count === undefined ? '' : groupedCount(count)}</span>
    </button>
  );
}

/** They are asked for after the rows, and again whenever the rows have changed. */
function useCounts(menuNo: string, tabs: string, filter: Record<string, unknown>): Record<string, number> | undefined {
  const provider = useDataProvider<EngineProvider>();
  const { data: rows } = useListContext();
  const asked = useMemo(() => JSON.stringify(filter), [filter]);
  const { data, refetch } = useQuery({
    queryKey: [menuNo, 'tabCounts', asked],
    queryFn: () => provider.tabCounts(menuNo, JSON.parse(asked) as Record<string, unknown>),
    enabled: tabs !== '' && rows !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  useEffect(() => {
    if (tabs !== '' && rows !== undefined) void refetch();
  }, [rows, tabs, refetch]);
  return data;
}

const Frame = styled('div')(({ theme }) => ({
  display: 'flex',
  gap: 2,
  '& button': {
    font: 'inherit',
    fontSize: 13,
    height: 32,
    padding: '0 8px',
    display: 'inline-flex',
    alignItems: 'center',
    gap: 6,
    flex: 'none',
    whiteSpace: 'nowrap',
    color: theme.palette.text.secondary,
    background: 'none',
    border: 0,
    borderBottom: '2px solid transparent',
    cursor: 'pointer',
    '&:hover': { color: theme.palette.text.primary },
    '&:focus-visible': { outline: `2px solid ${theme.palette.primary.main}`, outlineOffset: -2 },
    '&[aria-pressed="true"]': {
      color: theme.palette.text.primary,
      fontWeight: 600,
      borderBottomColor: theme.palette.primary.main,
    },
  },
  '& span': { fontSize: 12, fontWeight: 400, fontVariantNumeric: 'tabular-nums', color: theme.palette.text.secondary },
}));
