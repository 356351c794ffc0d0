import { Link as RouterLink } from 'react-router-dom';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { fetchNumbers } from '#app/palette/finding.ts';
import { DetailLayout } from '#app/parts/DetailLayout.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { useTabName } from '#app/shell/useTabName.ts';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { useRecord } from '#app/parts/useRecord.ts';
import { isRepeatable } from '#app/queryClient.ts';
import { useReasonOf } from '#app/notify.ts';
import { isRefusal, send } from '#app/send.ts';
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
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const asSn = useLife(normaliseSn(id));
  const row = useRecord<{ sn: string }>('rmaInventory', asSn.error && rowId.test(id) ? id : '');
  const asRow = useLife(row.data?.sn ?? '');
  const { life, events, error, isOld, hasEarlier, isReading, readEarlier, reload } = row.data ? asRow : asSn;
  const elsewhere = useElsewhere(normaliseSn(id), isRefusal(error, 'notFound'));
  useTabName(life?.sn);

  return (
    <DetailLayout
      head={<PageHead menuNo={menuNo} isReading={!life && !error} />}
      aside={
        life && (
          <>
            {life.unit && <SnFacts unit={life.unit} />}
            <SnComposition parts={life.parts} holders={life.holders} />
            <SnArchive archive={life.archive} />
          </>
        )
      }
    >
      {elsewhere && (
        <Alert severity="warning">
          {translate('shell.palette.otherSite', { sn: elsewhere.text })}{' '}
          <Link component={RouterLink} to={elsewhere.address}>
            {translate('stations.history.archive')}
          </Link>
        </Alert>
      )}
      {error && isRepeatable(error) && (
        <ReadFailure
          text={translate('shell.notice.failed', { action: translate('shell.detail.failed') })}
          reason={reasonOf(error)}
          onAgain={reload}
        />
      )}
      {error && !isRepeatable(error) && elsewhere === null && <Alert severity="error">{reasonOf(error)}</Alert>}
      {life && (
        <>
          <SnLocation life={life}>
            <SnNextActions
              key={life.sn}
              life={life}
              step={stepOf(life.lastStepId, events)}
              isOld={isOld}
              onDone={reload}
            />
          </SnLocation>
          <SnEvents
            events={events}
            stays={life.stays}
            onEarlier={hasEarlier ? readEarlier : undefined}
            isReading={isReading}
          />
        </>
      )}
    </DetailLayout>
  );
}

/** What is known everywhere of an SN whose unit is another site's; null where there is nothing; undefined while it is asked. */
function useElsewhere(sn: string, isMissing: boolean) {
  const { data, isPending } = useQuery({
    queryKey: ['elsewhere', sn],
    queryFn: async ({ signal }) =>
      (await fetchNumbers(sn, true, signal)).find((it) => it.elsewhere && it.text === sn) ?? null,
    enabled: isMissing,
  });
  return isMissing && isPending ? undefined : (data ?? null);
}

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
