import { useInfiniteQuery } from '@tanstack/react-query';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import type { PageProps } from '#app/parts/page.ts';
import { StationTitle } from '#app/parts/scan/StationTitle.tsx';
import { useTabName } from '#app/shell/useTabName.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useReasonOf } from '#app/notify.ts';
import { send } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';
import { normaliseSn } from '#domain/sn.ts';
import { viewHistory } from './contract.ts';
import { SnEvents } from './SnEvents.tsx';
import { SnComposition } from './SnComposition.tsx';
import { SnNextActions } from './SnNextActions.tsx';
import { SnArchive, SnFacts, SnLocation } from './SnLocation.tsx';

/** An address that names the row of the unit instead of its SN. */
const rowId = /^\d{1,10}$/;

/**
 * The page of one SN: where it is, what may be done with it next, what happened to it, what it is and was made of.
 * Rule: units#one-page.
 */
export default function HistoryPage({ menuNo, id = '' }: PageProps) {
  const reasonOf = useReasonOf();
  const asSn = useLife(normaliseSn(id));
  const row = useRecord<{ sn: string }>('rmaInventory', asSn.error && rowId.test(id) ? id : '');
  const asRow = useLife(row.data?.sn ?? '');
  const { life, events, error, isOld, hasEarlier, isReading, readEarlier, reload } = row.data ? asRow : asSn;
  useTabName(life?.sn);

  return (
    <Box sx={{ pb: 4 }}>
      <StationTitle menuNo={menuNo} title={life?.sn ?? normaliseSn(id)} />
      {error && (
        <Alert severity="error" sx={{ mx: 4 }}>
          {reasonOf(error)}
        </Alert>
      )}
      {life && (
        <Box
          sx={{
            px: 4,
            display: 'grid',
            gap: 4,
            alignItems: 'start',
            gridTemplateColumns: { xs: 'minmax(0,1fr)', md: 'minmax(0,2fr) minmax(280px,1fr)' },
          }}
        >
          <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
            <SnLocation life={life}>
              <SnNextActions
                key={life.sn}
                life={life}
                step={stepOf(life.lastStepId, events)}
                isOld={isOld}
                onDone={reload}
              />
            </SnLocation>
          </Box>
          <Box sx={columnSx}>
            <SnEvents
              events={events}
              stays={life.stays}
              onEarlier={hasEarlier ? readEarlier : undefined}
              isReading={isReading}
            />
          </Box>
          <Box component="aside" sx={columnSx}>
            {life.unit && <SnFacts unit={life.unit} />}
            <SnComposition parts={life.parts} holders={life.holders} />
            <SnArchive archive={life.archive} />
          </Box>
        </Box>
      )}
    </Box>
  );
}

const columnSx = { display: 'flex', flexDirection: 'column', gap: 4, minWidth: 0 } as const;

const stepOf = (id: number | null, events: readonly { id: number; step: string }[]): string =>
  events.find((it) => it.id === id)?.step ?? '';

/** The life of an SN: a page of its events at once, the others on demand. */
function useLife(sn: string) {
  const lang = useLanguage();
  const { data, error, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [viewHistory.path, sn, lang],
    queryFn: ({ pageParam, signal }) => send(viewHistory, { sn, ...(pageParam && { before: pageParam }) }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ earlier, events }) => (earlier ? events.at(-1)?.id : undefined),
    enabled: sn !== '',
    staleTime: 0,
  });
  const stays = new Map(data?.pages.flatMap((it) => it.stays).map((it) => [it.mtbId, it]));
  const [latest] = data?.pages ?? [];
  return {
    life: latest && { ...latest, stays: [...stays.values()] },
    events: data?.pages.flatMap((it) => it.events) ?? [],
    error,
    isOld: isRefetching,
    hasEarlier: hasNextPage,
    isReading: isFetchingNextPage,
    readEarlier: () => void fetchNextPage(),
    reload: () => void refetch(),
  };
}
