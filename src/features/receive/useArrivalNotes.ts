import { useTranslate } from 'ra-core';
import type { StationScope } from '#app/parts/scan/scanDatabase.ts';
import { usePersistedState } from '#app/parts/scan/usePersistedState.ts';
import { useBaseData } from '#app/parts/useLookup.ts';
import { IssueCategory, normaliseCode } from '#domain/issueCode.ts';
import { loadIssueCodeList } from '#domain/lookups.ts';
import { type ArrivalNote, type ArrivalNotes, noNote } from './ArrivalNotePanel.tsx';

/** What is noted of units as they come, by the keys of their scans: kept through a reload as the scans are. */
export function useArrivalNotes(scope: StationScope) {
  const translate = useTranslate();
  const { value: all, set } = usePersistedState<ArrivalNotes>(scope, 'notes', {});
  const codes = useBaseData(loadIssueCodeList, { billType: IssueCategory.Receipt });
  const choices = codes.data?.issueCodeList ?? [];
  const of = (key: string): ArrivalNote => all[key] ?? noNote;
  const note = (key: string, change: (now: ArrivalNote) => ArrivalNote) =>
    set((now) => ({ ...now, [key]: change(now[key] ?? noNote) }));

  /** Notes a scanned code; undefined for a text that is none. */
  const noteCode = (key: string, text: string) => {
    const code = choices.find((it) => it.code === normaliseCode(text));
    if (!code) return undefined;
    const isIn = ({ codes }: ArrivalNote) => codes.some((it) => it.codeId === code.codeId);
    const isKnown = isIn(of(key));
    note(key, (now) => (isIn(now) ? now : { ...now, codes: [...now.codes, code] }));
    return { code, isKnown };
  };
  const told = (key: string): string => {
    const { codes: known, urls } = of(key);
    const photos = urls.length > 0 ? [translate('stations.receive.photos', { smart_count: urls.length })] : [];
    return [...known.map((it) => it.code), ...photos].join(' · ');
  };
  /** Of scans that have been submitted or are on no list any more. */
  const forget = (keys: readonly string[]) =>
    set((now) => Object.fromEntries(Object.entries(now).filter(([key]) => !keys.includes(key))));
  return { all, of, note, noteCode, told, choices, forget };
}
