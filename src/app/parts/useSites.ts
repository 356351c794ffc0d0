import { useQuery } from '@tanstack/react-query';
import type { Pager } from '#app/engine/wire.ts';
import { useReasonOf } from '#app/notify.ts';
import type { Option } from '#app/parts/choiceProps.ts';
import { sendTo } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

/** A select list takes 100. Rule: lists#selects. */
const call = { method: 'GET', path: '/api/ubsSite/pager.json', writes: false } as const;

interface Sites {
  sites: Option[];
  error: string;
  state: 'loading' | 'failed' | undefined;
}

/** All sites of the product, to choose one from. */
export function useSites(): Sites {
  const reasonOf = useReasonOf();
  const language = useLanguage();
  const { data, error, isPending } = useQuery({
    queryKey: [call.path, 'all'],
    queryFn: () => sendTo<Pager>(call, { pageStart: 0, pageCount: 100 }),
  });
  const sites = (data?.items ?? []).map((it) => ({
    value: String(it['siteId']),
    label: String((language === 'en' && it['siteNameEn']) || (it['siteName'] ?? it['siteId'])),
  }));
  return {
    sites,
    error: error ? reasonOf(error) : '',
    state: isPending ? 'loading' : error ? 'failed' : undefined,
  };
}
