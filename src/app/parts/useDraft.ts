import { useCallback, useEffect, useRef } from 'react';
import { usePersistedState } from '#app/parts/scan/usePersistedState.ts';
import { useStationScope } from '#app/parts/scan/useStationScope.ts';

/** What is entered anew, or what becomes of what is there by then, for what arrives late. */
export type DraftChange<Draft> = Partial<Draft> | ((now: Draft) => Partial<Draft>);

/**
 * What is entered for the unit in work; kept through a reload, and a fresh one for the next unit. Forgotten when it is
 * submitted, so that a unit that comes again begins anew. What arrives for a unit that has gone is no other one's. Until
 * what was kept is read, a change takes its place.
 */
export function useDraft<Draft extends object>(
  station: string,
  sn: string | undefined,
  fresh: Draft,
): [draft: Draft, change: (part: DraftChange<Draft>) => void, forget: () => void, isRead: boolean] {
  const scope = useStationScope(`${station}-draft`, '');
  const savedDraft = usePersistedState<{ sn: string; draft: Draft } | undefined>(scope, 'draft', undefined);
  const draft = sn !== undefined && savedDraft.value?.sn === sn ? savedDraft.value.draft : fresh;
  const inWork = useRef(sn);
  useEffect(() => {
    inWork.current = sn;
  });
  const { set } = savedDraft;
  const change = useCallback(
    (part: DraftChange<Draft>) => {
      if (sn === undefined || sn !== inWork.current) return;
      set((it) => {
        const now = it?.sn === sn ? it.draft : fresh;
        return { sn, draft: { ...now, ...(typeof part === 'function' ? part(now) : part) } };
      });
    },
    [sn, fresh, set],
  );
  const forget = useCallback(() => set(undefined), [set]);
  return [draft, change, forget, savedDraft.loaded];
}
