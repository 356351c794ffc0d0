import { Link } from 'react-router-dom';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { fileAddress } from '#app/fileAddress.ts';
import { groupedCount, listed } from '#app/fields/format.ts';
import { useDrillAddress } from '#app/parts/listPage.ts';
import { useAge, useSpan } from '#app/parts/useAge.ts';
import { sendTo } from '#app/send.ts';
import { useLanguage, useUser } from '#app/session.ts';
import { codeSx, cutSx, tabularSx } from '#app/theme.ts';
import {
  beginAddress,
  queueAddress,
  queuesFor,
  rightOf,
  rowsOfQueue,
  type Queue,
  type QueueItem,
} from '#domain/queues.ts';
import { moneyText } from '#domain/money.ts';

interface Standing {
  name: string;
  label: string;
  count: number;
  waiting: Record<Age, number>;
  oldest: number | null;
  limitHours: number;
  items: QueueItem[];
}

const ages = ['short', 'days', 'long'] as const;
type Age = (typeof ages)[number];
/** As the chart below shows them. */
const colours: Record<Age, string> = { short: 'primary.main', days: 'warning.main', long: 'error.main' };

const HOUR = 3_600_000;
const ROW = { xs: 156, md: 64 } as const;

/** One row of the list, and of the skeleton in its place: nothing moves when the numbers come. */
const rowSx = {
  boxSizing: 'border-box',
  height: ROW,
  px: 4,
  py: { xs: 3, md: 0 },
  display: 'grid',
  alignItems: 'center',
  columnGap: 4,
  rowGap: 2,
  gridTemplateColumns: {
    xs: 'minmax(0, 1fr) auto 76px',
    md: '164px 48px 164px minmax(0, 1fr) 76px',
    lg: '208px 56px 176px minmax(0, 1fr) 76px',
  },
  '& + &': { borderTop: 1, borderColor: 'divider' },
} as const;

const useMine = () => queuesFor(new Set(useUser()?.access));

export function useWorkQueue() {
  const language = useLanguage();
  const isAsked = useMine().length > 0;
  return useQuery({
    queryKey: ['workQueue', language],
    queryFn: async () => {
      const call = { method: 'GET', path: '/api/workQueue.json', writes: false } as const;
      return (await sendTo<{ queues: Standing[] }>(call, {})).queues;
    },
    placeholderData: (before) => before,
    enabled: isAsked,
  });
}

/** What waits for this user, the worst first; one press begins. Rule: screens#queues. */
export function Queues({ data }: { data: readonly Standing[] | undefined }) {
  const translate = useTranslate();
  const mine = useMine();
  if (mine.length === 0) {
    return (
      <Box component="p" sx={{ m: 0, mb: 4, color: 'text.secondary' }}>
        {translate('shell.home.queue.nobody')}
      </Box>
    );
  }
  const byName = new Map(mine.map((it) => [rightOf(it), it]));
  const isDone = data?.every((it) => it.count === 0);
  return (
    <Box component="section" aria-label={translate('shell.home.queue.title')} sx={{ mb: 4 }}>
      <Box component="h2" sx={{ m: 0, mb: 2, fontSize: 15, fontWeight: 600 }}>
        {translate('shell.home.queue.title')}
      </Box>
      <Box
        component={isDone ? 'p' : 'ul'}
        sx={{
          ...{ m: 0, p: 0, listStyle: 'none', border: 1, borderColor: 'divider', borderRadius: 1 },
          bgcolor: 'background.paper',
          ...(isDone && { height: { xs: mine.length * ROW.xs, md: mine.length * ROW.md }, display: 'grid' }),
          ...(isDone && { placeItems: 'center', color: 'text.secondary' }),
        }}
      >
        {isDone && translate('shell.home.queue.done')}
        {!data && mine.map((it) => <Box key={rightOf(it)} component="li" aria-hidden sx={rowSx} />)}
        {!isDone &&
          data?.map((it, i) => {
            const queue = byName.get(it.name);
            return queue && <QueueRow key={it.name} queue={queue} standing={it} isWorst={i === 0} />;
          })}
      </Box>
    </Box>
  );
}

function QueueRow({ queue, standing, isWorst }: { queue: Queue; standing: Standing; isWorst: boolean }) {
  const translate = useTranslate();
  const { label, count, waiting, oldest, limitHours, items } = standing;
  const addressOf = useDrillAddress();
  const siteId = useUser()?.siteId ?? '';
  const address = count > 0 ? addressOf(rowsOfQueue(queue, siteId)) : undefined;
  const span = useSpan();
  const isLate = oldest !== null && Date.now() - oldest > limitHours * HOUR;
  const told = listed(ages.map((it) => `${translate(`shell.home.age.${it}`)} ${waiting[it]}`));
  const age = useAge();
  return (
    <Box component="li" sx={rowSx}>
      <Box sx={{ fontWeight: 600, lineHeight: '20px' }}>{label}</Box>
      <Box
        sx={{
          ...tabularSx,
          ...{ textAlign: 'right', fontSize: 22, fontWeight: 600 },
          color: count === 0 ? 'text.secondary' : undefined,
        }}
      >
        {address ? (
          <Box component={Link} to={address} aria-label={`${label}: ${count}`} sx={{ color: 'inherit' }}>
            {groupedCount(count)}
          </Box>
        ) : (
          <span title={count > 0 ? translate('shell.home.queue.noList') : undefined}>{groupedCount(count)}</span>
        )}
      </Box>
      <Box sx={{ gridColumn: { xs: '1 / 3', md: 'auto' }, gridRow: { xs: 2, md: 'auto' } }}>
        {oldest === null ? (
          <Box sx={{ color: 'text.secondary', fontSize: 12 }}>{translate('shell.home.queue.none')}</Box>
        ) : (
          <>
            <Box role="img" aria-label={told} title={told} sx={{ display: 'flex', gap: '2px', height: 6, mb: 1 }}>
              {ages.map(
                (it) =>
                  waiting[it] > 0 && (
                    <Box
                      key={it}
                      sx={{ flexGrow: waiting[it], minWidth: 4, borderRadius: 0.5, bgcolor: colours[it] }}
                    />
                  ),
              )}
            </Box>
            <Box sx={{ ...cutSx, ...tabularSx, color: 'text.secondary', fontSize: 12 }}>
              <Box component="span" sx={isLate ? { color: 'error.main', fontWeight: 600 } : undefined}>
                {translate('shell.home.queue.oldest', { age: age(oldest) })}
              </Box>
              {' · '}
              {translate('shell.home.queue.limit', { span: span(limitHours) })}
            </Box>
          </>
        )}
      </Box>
      <Box
        sx={{
          ...{ display: 'grid', gridAutoFlow: 'column', gridAutoColumns: 'minmax(0, 1fr)', columnGap: 4 },
          ...{ gridColumn: { xs: '1 / -1', md: 'auto' }, gridRow: { xs: 3, md: 'auto' } },
          '& > :nth-of-type(n + 2)': { display: { xs: 'none', sm: 'flex' } },
          '& > :nth-of-type(n + 3)': { display: { sm: 'none', lg: 'flex' } },
          '& > :nth-of-type(n + 4)': { display: { lg: 'none', xl: 'flex' } },
        }}
      >
        {items.map((it) => (
          <Named key={it.id} address={queueAddress(queue, it)} item={it} age={age(it.since)} />
        ))}
        {/* As wide as those of a full row. */}
        {Array.from({ length: 4 - items.length }, (_, i) => (
          <Box key={i} component="a" aria-hidden />
        ))}
      </Box>
      <Box sx={{ gridColumn: { xs: 3, md: 'auto' }, gridRow: { xs: '1 / 3', md: 'auto' } }}>
        {count > 0 && (
          <Button
            fullWidth
            variant={isWorst ? 'contained' : 'outlined'}
            component={Link}
            to={beginAddress(queue, items)}
            aria-label={`${translate('shell.home.queue.begin')}: ${label}`}
          >
            {translate('shell.home.queue.begin')}
          </Button>
        )}
      </Box>
    </Box>
  );
}

/** One of the oldest, with what there is to decide by: its picture, its amount. */
function Named({ address, item, age }: { address: string; item: QueueItem; age: string }) {
  const { no, what, amount, currency, picture } = item;
  const money = moneyText(amount, currency) || null;
  return (
    <Box
      component={Link}
      to={address}
      sx={{
        ...{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0, color: 'inherit', textDecoration: 'none' },
        '&:hover span:first-of-type': { textDecoration: 'underline' },
      }}
    >
      {picture && (
        <Box
          component="img"
          src={fileAddress(picture)}
          alt=""
          loading="lazy"
          sx={{ width: 40, height: 40, flex: 'none', objectFit: 'cover', borderRadius: 1 }}
        />
      )}
      <Box sx={{ minWidth: 0 }}>
        <Box component="span" sx={{ ...codeSx, ...cutSx, display: 'block', fontSize: 12 }}>
          {no}
        </Box>
        <Box component="span" sx={{ ...cutSx, ...tabularSx, display: 'block', fontSize: 12, color: 'text.secondary' }}>
          {money && (
            <Box component="b" sx={{ color: 'text.primary', fontWeight: 600 }}>
              {money}
            </Box>
          )}
          {[money && '', age, what].filter((it) => it !== null).join(' · ')}
        </Box>
      </Box>
    </Box>
  );
}
