import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Call, DataOf, InputOf } from '#domain/call.ts';
import { isUnreached } from '#app/parts/scan/answers.ts';
import { noteStore } from '#app/parts/scan/noteStore.ts';
import { useStationScope } from '#app/parts/scan/useStationScope.ts';
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

/** The same for base data that a station can't do without: where no answer comes, what was answered last serves. */
export function useBaseData<C extends Call>(
  call: C,
  input: InputOf<C>,
  options: { enabled?: boolean } = {},
): UseQueryResult<DataOf<C>> {
  const lang = useLanguage();
  const scope = useStationScope('baseData', '');
  const name = JSON.stringify([call.path, input, lang]);
  return useQuery({
    queryKey: [call.path, input, lang],
    queryFn: async ({ signal }) => {
      try {
        const data = await send(call, input, { signal });
        noteStore.write(scope, name, data).catch(() => undefined);
        return data;
      } catch (error) {
        const cached = isUnreached(error) ? await noteStore.read(scope, name).catch(() => undefined) : undefined;
        if (cached === undefined) throw error;
        return cached as DataOf<C>;
      }
    },
    staleTime: 5 * 60_000,
    networkMode: 'always',
    ...options,
  });
}
