import { Link } from 'react-router-dom';
import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import type { EngineProvider } from '#app/dataProvider.ts';
import { sendTo } from '#app/send.ts';
import { NodeChart } from '#app/home/NodeChart.tsx';
import { useReasonOf } from '#app/notify.ts';
import { useLanguage, useUser } from '#app/session.ts';
import { isOpenTo } from '#app/shell/Guard.tsx';
import { tabularSx } from '#app/theme.ts';

/** The nodes at which a unit waits for somebody, and the scrapped; what is shipped waits for nobody. */
const shownNodes = ['10', '50', '60', '70', '80', '90', '100', '40'];
const INVENTORY = 'rmaInventoryList';

/** What waits where, counted by the server for this user's sites; each number opens the list that it counts. */
export default function HomePage() {
  const translate = useTranslate();
  const user = useUser();
  const seesUnits = isOpenTo([INVENTORY, 'rmaInventory:list'], user?.access ?? []);
  return (
    <Box component="main" sx={{ p: 4, maxWidth: 1280 }}>
      <Box component="h1" sx={{ m: 0, fontSize: 18, fontWeight: 600 }}>
        {translate('shell.home.welcome', { name: user?.userName ?? '' })}
      </Box>
      <Box sx={{ color: 'text.secondary', mb: 6 }}>
        {translate('shell.home.hint', { site: user?.siteName || user?.siteId || '' })}
      </Box>
      {seesUnits ? <Units /> : translate('shell.home.noInventory')}
    </Box>
  );
}

function Units() {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const { data, error } = useCounts();
  const counts = new Map(data?.cards.map((it) => [it.node, it.count]));
  const cards = shownNodes.map((node) => ({
    label: data?.labels[node] ?? node,
    count: counts.get(node) ?? 0,
    address: `/${INVENTORY}?${new URLSearchParams({ filter: JSON.stringify({ ivyId: node }) })}`,
  }));
  if (error) return <Box role="alert">{translate('shell.notice.reason', { msg: reasonOf(error) })}</Box>;
  return (
    <>
      <Heading text={translate('shell.home.waiting')} />
      <Box
        sx={{
          display: 'grid',
          gap: 3,
          gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' },
        }}
      >
        {data
          ? cards.map((it) => <CountCard key={it.address} {...it} />)
          : shownNodes.map((it) => <Box key={it} aria-hidden sx={cardSx} />)}
      </Box>
      {data && (
        <Box sx={{ mt: 6 }}>
          <Heading text={translate('shell.home.chart')} />
          <NodeChart bars={cards} />
        </Box>
      )}
    </>
  );
}

const Heading = ({ text }: { text: string }) => (
  <Box component="h2" sx={{ m: 0, mb: 2, fontSize: 15, fontWeight: 600 }}>
    {text}
  </Box>
);

function useCounts() {
  const provider = useDataProvider<EngineProvider>();
  const language = useLanguage();
  return useQuery({
    queryKey: ['dashBoard', language],
    queryFn: async () => {
      const labels = labelsOfNodes(provider).catch(() => ({}) as Record<string, string>);
      return { cards: await fetchCounts(), labels: await labels };
    },
    placeholderData: (before) => before,
  });
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

function CountCard({ label, count, address }: { label: string; count: number; address: string }) {
  return (
    <ButtonBase
      component={Link}
      to={address}
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
