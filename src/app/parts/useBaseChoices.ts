import { useQuery } from '@tanstack/react-query';
import type { Pager } from '#app/engine/wire.ts';
import { useReasonOf } from '#app/notify.ts';
import type { Option } from '#app/parts/choiceProps.ts';
import { sendTo } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

export interface BaseChoices {
  options: Option[];
  error: string;
  state: 'loading' | 'failed' | undefined;
}

/** The rows of base data to choose one from, by the columns that name them; a select list takes 100. Rule: lists#selects. */
export function useBaseChoices(module: string, value: string, name: string, pageCount = 100): BaseChoices {
  const reasonOf = useReasonOf();
  const language = useLanguage();
  const path = `/api/${module}/pager.json` as const;
  const { data, error, isPending } = useQuery({
    queryKey: [path, 'all', pageCount],
    queryFn: () => sendTo<Pager>({ method: 'GET', path, writes: false }, { pageStart: 0, pageCount }),
  });
  const options = (data?.items ?? []).map((it) => ({
    value: String(it[value]),
    label: String((language === 'en' && it[`${name}En`]) || (it[name] ?? it[value])),
  }));
  return {
    options,
    error: error ? reasonOf(error) : '',
    state: isPending ? 'loading' : error ? 'failed' : undefined,
  };
}
