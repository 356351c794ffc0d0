import { useCallback } from 'react';
import { useKept } from '#app/parts/scan/useKept.ts';
import { usePlace } from '#app/parts/scan/useStation.ts';

/**
 * What is entered for the unit in work; kept through a reload, and a fresh one for the next unit. Forgotten when it is
 * submitted, so that a unit that comes again begins anew.
 */
export function useDraft<Draft extends object>(
  station: string,
  sn: string | undefined,
  fresh: Draft,
): [draft: Draft, change: (part: Partial<Draft>) => void, forget: () => void] {
  const place = usePlace(`${station}-draft`, '');
  const kept = useKept<{ sn: string; draft: Draft } | undefined>(place, 'draft', undefined);
  const draft = sn !== undefined && kept.value?.sn === sn ? kept.value.draft : fresh;
  const { set } = kept;
  const change = useCallback(
    (part: Partial<Draft>) => {
      if (sn !== undefined) set({ sn, draft: { ...draft, ...part } });
    },
    [sn, draft, set],
  );
  const forget = useCallback(() => set(undefined), [set]);
  return [draft, change, forget];
}
