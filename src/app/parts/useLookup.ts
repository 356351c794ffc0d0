import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Call, DataOf, InputOf } from '#domain/call.ts';
import { noteStore } from '#app/parts/scan/noteStore.ts';
import { useStationScope } from '#app/parts/scan/useStationScope.ts';
import { isRepeatable } from '#app/queryClient.ts';
import { send } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

const FRESH_MS = 5 * 60_000;
const ASK_AGAIN_MS = 60_000;

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
    staleTime: FRESH_MS,
    ...options,
  });
}

/** What was answered at another time: it serves, and is asked for anew as soon as there is a chance. */
const remembered = new WeakSet<object>();
const isRemembered = (data: object | undefined): boolean => data !== undefined && remembered.has(data);

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
        const cached = isRepeatable(error) ? await noteStore.read(scope, name).catch(() => undefined) : undefined;
        if (cached === undefined) throw error;
        remembered.add(cached as object);
        return cached as DataOf<C>;
      }
    },
    staleTime: ({ state }) => (isRemembered(state.data) ? 0 : FRESH_MS),
    refetchInterval: ({ state }) => isRemembered(state.data) && ASK_AGAIN_MS,
    ...options,
  });
}
