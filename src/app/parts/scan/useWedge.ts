import { type RefObject, useEffect, useRef } from 'react';
import { receiveScans, type ScanRefusal } from '#app/parts/scan/scanner.ts';

/** Takes the scans of this page, those of the scan field excepted, which reads its own. */
export function useWedge(
  field: RefObject<HTMLInputElement | null>,
  take: (text: string) => void,
  refuse: (why: ScanRefusal, text: string) => void,
  { onlyCommands = false } = {},
): void {
  const latest = useRef({ take, refuse });
  useEffect(() => {
    latest.current = { take, refuse };
  });
  useEffect(() => {
    // Who takes a scan may be gone by the time that it ends.
    return receiveScans(() => ({ ...latest.current, field: field.current, onlyCommands }));
  }, [field, onlyCommands]);
}
