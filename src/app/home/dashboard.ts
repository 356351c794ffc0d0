import { useQuery } from '@tanstack/react-query';
import { useDataProvider } from 'ra-core';
import type { EngineProvider } from '#app/dataProvider.ts';
import { sendTo } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';
import type { Drill } from '#domain/wire.ts';

/** Which of its figures open a list, and the rows that each counts there. */
type Drills<Key extends string> = Partial<Record<Key, Drill>>;

export interface Card {
  node: string;
  count: number;
  arrived: number;
  arrivedBefore: number;
  waiting: { short: number; days: number; long: number };
  drills: Drills<'count' | 'short' | 'days' | 'long'>;
}
export interface Week {
  from: number;
  delivered: number;
  middle: number | null;
  slow: number | null;
  drills: Drills<'delivered'>;
}
export interface Month {
  from: number;
  first: number;
  again: number;
  drills: Drills<'first' | 'again'>;
}
export interface Coin {
  value: string;
  optionName: string;
  selected: boolean;
}
export interface Dashboard {
  coins: Coin[];
  hashRate: { coin: string; rate: number; online: number; accounts: number; drills: Drills<'accounts'> } | null;
  cards: Card[];
  turnaround: Week[];
  returns: Month[];
}

export const INVENTORY = 'rmaInventoryList';

/** What the home page shows, and what the nodes are called: as the inventory's own list calls them. */
export function useDashboard(seesUnits: boolean) {
  const provider = useDataProvider<EngineProvider>();
  const language = useLanguage();
  return useQuery({
    queryKey: ['dashBoard', language],
    queryFn: async () => {
      const none: Record<string, string> = {};
      const labels = seesUnits ? fetchNodeLabels(provider).catch(() => none) : none;
      const call = { method: 'GET', path: '/api/dashBoard.json', writes: false } as const;
      const dashboard = await sendTo<Dashboard>(call, {});
      return { ...dashboard, labels: await labels };
    },
    placeholderData: (before) => before,
  });
}

async function fetchNodeLabels(provider: EngineProvider): Promise<Record<string, string>> {
  const items = await provider.searchItems(INVENTORY);
  const options = items.find((it) => it.queryName === 'ivyId')?.options ?? [];
  return Object.fromEntries(options.map((it) => [it.value, it.optionName]));
}
