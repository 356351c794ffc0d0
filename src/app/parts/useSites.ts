import { useQuery } from '@tanstack/react-query';
import type { Pager } from '#app/engine/wire.ts';
import { useReasonOf } from '#app/notify.ts';
import { sendTo } from '#app/send.ts';

/** A select list takes 100. Rule: lists#selects. */
const call = { method: 'GET', path: '/api/ubsSite/pager.json', writes: false } as const;

/** All sites of the product, to choose one from. */
export function useSites(): { sites: { value: string; label: string }[]; error: string } {
  const reasonOf = useReasonOf();
  const { data, error } = useQuery({
    queryKey: [call.path, 'all'],
    queryFn: () => sendTo<Pager>(call, { pageStart: 0, pageCount: 100 }),
  });
  const sites = (data?.items ?? []).map((it) => ({
    value: String(it['siteId']),
    label: String(it['siteName'] ?? it['siteId']),
  }));
  return { sites, error: error ? reasonOf(error) : '' };
}
