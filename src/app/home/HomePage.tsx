import { lazy, Suspense } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { cardSx, CountCard, COUNT_HEIGHT } from '#app/home/CountCard.tsx';
import { INVENTORY, useDashboard, type Card } from '#app/home/dashboard.ts';
import { useDrillAddress } from '#app/parts/listPage.ts';
import { Queues, useWorkQueue } from '#app/home/Queues.tsx';
import { useReasonOf } from '#app/notify.ts';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { useUser } from '#app/session.ts';
import { useIsPhone } from '#app/shell/appearance.ts';
import { isOpenTo } from '#app/shell/Guard.tsx';
import { Node, nodes } from '#domain/nodes.ts';

/** Only for who sees hash rates. */
const HashRate = lazy(() => import('#app/home/HashRate.tsx'));
const Charts = lazy(() => import('#app/home/Charts.tsx'));

/** The nodes at which a unit waits for somebody, then the scrapped; what is shipped has left. */
const shownNodes = [...nodes.filter((it) => it !== Node.Scrapped && it !== Node.Shipped), Node.Scrapped];
/** As high as a chart with its title. */
const chartsToCome = [1, 2, 3].map((it) => (
  <Box key={it} aria-hidden sx={{ ...cardSx, height: 312 }}>
    <Skeleton animation={false} width="48%" height={20} />
    <Skeleton animation={false} variant="rounded" width="100%" height={240} />
  </Box>
));
const none = { count: 0, arrived: 0, arrivedBefore: 0, waiting: { short: 0, days: 0, long: 0 }, drills: {} };

/**
 * What waits for this user; below, what stands where, how long it takes and what comes back in their sites, where each
 * number opens the rows that it counts. Rule: screens#home, screens#queues.
 */
export default function HomePage() {
  const translate = useTranslate();
  const user = useUser();
  const site = user?.siteName || user?.siteId;
  const access = user?.access ?? [];
  const seesUnits = isOpenTo([INVENTORY, 'rmaInventory:list'], access);
  const seesRates = isOpenTo(['userSpeed:list'], access);
  const queues = useWorkQueue();
  const dashboard = useDashboard(seesUnits);
  const { data } = dashboard;
  const failed = [queues, dashboard].filter((it) => it.error);
  const reasonOf = useReasonOf();
  const isPhone = useIsPhone();
  const rates = seesRates && (
    <Box sx={{ minHeight: 32, mb: { xs: 4, sm: 0 } }}>
      <Suspense fallback={null}>{data && <HashRate coins={data.coins} hashRate={data.hashRate} />}</Suspense>
    </Box>
  );
  return (
    <Box sx={{ p: 4, pt: 2, maxWidth: 1440 }}>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          justifyContent: 'space-between',
          gap: 3,
          mb: 3,
          minHeight: 32,
        }}
      >
        <div>
          <Box component="span" sx={{ fontWeight: 600, mr: 2 }}>
            {translate('shell.home.welcome', { name: user?.userName || user?.userId })}
          </Box>
          {site && (
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {translate('shell.home.hint', { site })}
            </Box>
          )}
        </div>
        {!isPhone && rates}
      </Box>
      {failed[0] && (
        <ReadFailure
          text={translate('shell.list.failed')}
          reason={reasonOf(failed[0].error)}
          onAgain={() => failed.forEach((it) => void it.refetch())}
        />
      )}
      {!queues.error && <Queues data={queues.data} />}
      {/* The work comes first where there is room for one thing. */}
      {isPhone && rates}
      {!dashboard.error && (seesUnits ? <Units data={data} /> : translate('shell.home.noInventory'))}
    </Box>
  );
}

function Units({ data }: { data: ReturnType<typeof useDashboard>['data'] }) {
  const translate = useTranslate();
  const known = new Map(data?.cards.map((it) => [it.node, it]));
  const addressOf = useDrillAddress();
  const cards = shownNodes.map((node): Card => known.get(node) ?? { node, ...none });
  return (
    <>
      <Box component="h2" sx={{ m: 0, mb: 2, fontSize: 15, fontWeight: 600 }}>
        {translate('shell.home.waiting')}
      </Box>
      <Box
        sx={{
          display: 'grid',
          gap: 3,
          gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' },
        }}
      >
        {data
          ? cards.map((it) => (
              <CountCard
                key={it.node}
                {...it}
                label={data.labels[it.node] ?? it.node}
                address={addressOf(it.drills.count)}
              />
            ))
          : shownNodes.map((it) => <Box key={it} aria-hidden sx={{ ...cardSx, minHeight: COUNT_HEIGHT }} />)}
      </Box>
      <Box
        sx={{
          mt: 3,
          display: 'grid',
          gap: 3,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(3, minmax(0, 1fr))' },
        }}
      >
        <Suspense fallback={chartsToCome}>
          {data ? (
            <Charts
              cards={cards.filter((it) => it.node !== Node.Scrapped)}
              labels={data.labels}
              weeks={data.turnaround}
              months={data.returns}
            />
          ) : (
            chartsToCome
          )}
        </Suspense>
      </Box>
    </>
  );
}
