import { Link } from 'react-router-dom';
import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import type { EngineProvider } from '#app/dataProvider.ts';
import { sendTo } from '#app/send.ts';
import { useReasonOf } from '#app/notify.ts';
import { useLanguage, useUser } from '#app/session.ts';
import { tabularSx } from '#app/theme.ts';

/** The nodes at which a unit waits for somebody, and the scrapped; what is shipped waits for nobody. */
const shownNodes = ['10', '50', '60', '70', '80', '90', '100', '40'];
const INVENTORY = 'rmaInventoryList';

/** What waits where, counted by the server for this user's sites; each number opens the list that it counts. */
export default function HomePage() {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const provider = useDataProvider<EngineProvider>();
  const language = useLanguage();
  const user = useUser();
  const { data, error } = useQuery({
    queryKey: ['dashBoard', language],
    queryFn: async () => {
      const labels = labelsOfNodes(provider).catch(() => ({}) as Record<string, string>);
      const cards = await fetchCounts();
      return { cards, labels: cards.length > 0 ? await labels : {} };
    },
    placeholderData: (before) => before,
  });
  const counts = new Map(data?.cards.map((it) => [it.node, it.count]));
  return (
    <Box component="main" sx={{ p: 4, maxWidth: 1280 }}>
      <Box component="h1" sx={{ m: 0, fontSize: 18, fontWeight: 600 }}>
        {translate('shell.home.welcome', { name: user?.userName ?? '' })}
      </Box>
      <Box sx={{ color: 'text.secondary', mb: 6 }}>
        {translate('shell.home.hint', { site: user?.siteName || user?.siteId || '' })}
      </Box>
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
        {data === undefined && !error && Array.from({ length: 8 }, (_, i) => <EmptyCard key={i} />)}
        {counts.size > 0 &&
          shownNodes.map((it) => (
            <CountCard key={it} node={it} label={data?.labels[it] ?? it} count={counts.get(it) ?? 0} />
          ))}
      </Box>
      {error && <Box role="alert">{translate('shell.notice.reason', { msg: reasonOf(error) })}</Box>}
    </Box>
  );
}

const cardSx = {
  height: 104,
  p: 4,
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'flex-start',
  justifyContent: 'space-between',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  bgcolor: 'background.paper',
} as const;

const EmptyCard = () => <Box aria-hidden sx={cardSx} />;

function CountCard({ node, label, count }: { node: string; label: string; count: number }) {
  const query = new URLSearchParams({ filter: JSON.stringify({ ivyId: node }) });
  return (
    <ButtonBase
      component={Link}
      to={`/${INVENTORY}?${query}`}
      sx={{ ...cardSx, textAlign: 'left', '&:hover': { borderColor: 'primary.main' } }}
    >
      <Box component="span" sx={{ color: 'text.secondary', fontSize: 13 }}>
        {label}
      </Box>
      <Box
        component="span"
        sx={{
          fontSize: 30,
          lineHeight: '36px',
          fontWeight: 600,
          color: count === 0 ? 'text.disabled' : undefined,
          ...tabularSx,
        }}
      >
        {count.toLocaleString('en-US')}
      </Box>
    </ButtonBase>
  );
}

interface Count {
  node: string;
  count: number;
}

async function fetchCounts(): Promise<Count[]> {
  const call = { method: 'GET', path: '/api/dashBoard.json', writes: false } as const;
  return (await sendTo<{ cards?: Count[] }>(call, {})).cards ?? [];
}

/** A node is called as the inventory's own list calls it. */
async function labelsOfNodes(provider: EngineProvider): Promise<Record<string, string>> {
  const items = await provider.searchItems(INVENTORY);
  const options = items.find((it) => it.queryName === 'ivyId')?.options ?? [];
  return Object.fromEntries(options.map((it) => [it.value, it.optionName]));
}
