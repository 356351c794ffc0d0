import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Call, DataOf, InputOf } from '#domain/call.ts';
import { send } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

/** What a lookup answers, asked anew in each language; base data are not asked for again within five minutes. */
export function useLookup<C extends Call>(
  call: C,
  input: InputOf<C>,
  options: { enabled?: boolean; staleTime?: number } = {},
): UseQueryResult<DataOf<C>> {
  const lang = useLanguage();
  return useQuery({
    queryKey: [call.path, input, lang],
    queryFn: ({ signal }) => send(call, input, { signal }),
    staleTime: 5 * 60_000,
    ...options,
  });
}
