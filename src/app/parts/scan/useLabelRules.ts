import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { writeText } from '#app/parts/scan/editable.ts';
import { labelRules, type SiteRule } from '#app/parts/scan/labels.ts';
import { followed } from '#app/queryClient.ts';
import { sendTo } from '#app/send.ts';
import { useUser } from '#app/session.ts';
import { useObservable } from '#app/observable.ts';
import { isEnter } from '#app/parts/enter.ts';
import { readLabel } from '#domain/sn.ts';

/** The shell has no need of the contracts, which are large, to ask for one list. */
const call = { method: 'GET', path: '/api/ubsLabelRule/ofSite.json', writes: false } as const;

export const labelRulesQueryKey = (siteId: string) => [call.path, siteId] as const;
/** Between two askings, in milliseconds: what an administrator changes is at every station by then. */
const EVERY = 5 * 60_000;

/** Has the rules of this user's site at hand, as they were last where no server answers, and reads labels by them. */
export function useLabelRules(): void {
  const { siteId = '' } = useUser() ?? {};
  useEffect(() => labelRules.set(readCachedRules(siteId)), [siteId]);
  const data = useAnswer(siteId);
  useEffect(() => {
    if (!data) return;
    labelRules.set(data);
    localStorage.setItem(keyOf(siteId), JSON.stringify(data));
  }, [data, siteId]);
  useEffect(() => {
    window.addEventListener('keydown', onKey, true);
    window.addEventListener('focusout', onLeave, true);
    return () => {
      window.removeEventListener('keydown', onKey, true);
      window.removeEventListener('focusout', onLeave, true);
    };
  }, []);
}

/** The same rules where they are shown: asked for anew when the page opens. */
export function useLabelRulesNow(): readonly SiteRule[] {
  const { siteId = '' } = useUser() ?? {};
  useAnswer(siteId, 0);
  return useObservable(labelRules);
}

function useAnswer(siteId: string, staleTime = EVERY): readonly SiteRule[] | undefined {
  // Until the password is one's own, the server refuses it.
  const mayAsk = useUser()?.mustChangePassword === false;
  return useQuery({
    queryKey: labelRulesQueryKey(siteId),
    queryFn: ({ signal }) => sendTo<{ items: SiteRule[] }>(call, {}, { signal, background: true, quiet: true }),
    enabled: siteId !== '' && mayAsk,
    staleTime,
    refetchInterval: EVERY,
    ...followed,
  }).data?.items;
}

const keyOf = (siteId: string): string => `labelRules.${siteId}`;

function readCachedRules(siteId: string): readonly SiteRule[] {
  try {
    const cached: unknown = JSON.parse(localStorage.getItem(keyOf(siteId)) ?? '[]');
    return Array.isArray(cached) ? (cached as SiteRule[]) : [];
  } catch {
    return [];
  }
}

/** Before anything else hears of it, so that whatever the Enter does finds the SN. */
function onKey(event: KeyboardEvent): void {
  if (isEnter(event)) readField(event.target);
}
const onLeave = (event: FocusEvent): void => readField(event.target);

/** What stands in a field for an SN becomes the SN of that label. */
function readField(target: EventTarget | null): void {
  if (!(target instanceof HTMLInputElement) || target.dataset['sn'] === undefined || target.readOnly) return;
  const { sn, by } = readLabel(target.value, labelRules.get());
  if (by.length > 0) writeText(target, sn);
}
