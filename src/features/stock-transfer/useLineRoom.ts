import { useLayoutEffect, useRef } from 'react';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import type { Scan } from '#app/parts/scan/scanQueue.ts';
import { CallError } from '#app/send.ts';
import { validateRoom } from './rules.ts';

interface Station {
  scans: readonly Scan<{ sktblId: string }>[];
  accepted: readonly Scan<{ sktblId: string }>[];
}

/**
 * Whether a line takes one more: several scans may be asked about at once, so those that were answered and are not on
 * the list yet count as well. Rule: transfers#delivering.
 */
export function useLineRoom() {
  const { wordsOf } = useProblemWords();
  const accepted = useRef<Station['accepted']>([]);
  const answered = useRef(new Map<string, string>());

  /** Takes the place on the line for this scan; refuses it where the line is full. */
  const take = (line: { sktblId: string; salesCode: string; count: number }, key: string): void => {
    const { sktblId } = line;
    const onList = accepted.current.filter((it) => it.data?.sktblId === sktblId && it.key !== key).length;
    const coming = [...answered.current].filter(([other, its]) => its === sktblId && other !== key).length;
    const [problem] = validateRoom(line, onList + coming);
    if (!problem) return void answered.current.set(key, sktblId);
    const msg = wordsOf(problem);
    throw new CallError({ status: 200, msg, problems: [{ key: problem.key, field: 'sn', msg }] });
  };
  /** What the list shows now. */
  const useList = (station: Station) =>
    useLayoutEffect(() => {
      accepted.current = station.accepted;
      const waiting = new Set(station.scans.filter((it) => it.state === 'checking').map((it) => it.key));
      for (const key of answered.current.keys()) if (!waiting.has(key)) answered.current.delete(key);
    }, [station.accepted, station.scans]);
  return { take, useList };
}
