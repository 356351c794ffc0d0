import { useTranslate } from 'ra-core';
import type { Place } from '#app/parts/scan/scanStore.ts';
import { useKept } from '#app/parts/scan/useKept.ts';
import { useBaseData } from '#app/parts/useLookup.ts';
import { IssueCategory, normaliseCode } from '#domain/issueCode.ts';
import { loadIssueCodeList } from '#domain/lookups.ts';
import { type ArrivalNote, type ArrivalNotes, noNote } from './ArrivalNotePanel.tsx';

/** What is noted of units as they come, by the keys of their scans: kept through a reload as the scans are. */
export function useArrivalNotes(place: Place) {
  const translate = useTranslate();
  const { value: all, set } = useKept<ArrivalNotes>(place, 'notes', {});
  const codes = useBaseData(loadIssueCodeList, { billType: IssueCategory.Receipt });
  const choices = codes.data?.issueCodeList ?? [];
  const of = (key: string): ArrivalNote => all[key] ?? noNote;
  const note = (key: string, it: ArrivalNote) => set({ ...all, [key]: it });

  /** Notes a scanned code; undefined for a text that is none. */
  const noteCode = (key: string, text: string) => {
    const code = choices.find((it) => it.code === normaliseCode(text));
    if (!code) return undefined;
    const { codes: known, urls } = of(key);
    const isKnown = known.some((it) => it.codeId === code.codeId);
    if (!isKnown) note(key, { codes: [...known, code], urls });
    return { code, isKnown };
  };
  const told = (key: string): string => {
    const { codes: known, urls } = of(key);
    const photos = urls.length > 0 ? [translate('stations.receive.photos', { smart_count: urls.length })] : [];
    return [...known.map((it) => it.code), ...photos].join(' · ');
  };
  return { all, of, note, noteCode, told, choices, clear: () => set({}) };
}
