import { type RefObject, useEffect, useRef } from 'react';
import { type Receiver, receiveScans } from '#app/parts/scan/scanner.ts';

/** Takes the scans of this page, those of the scan field excepted, which reads its own. */
export function useWedge(
  field: RefObject<HTMLInputElement | null>,
  take: Receiver['take'],
  refuse: Receiver['refuse'],
  { onlyCommands = false } = {},
): void {
  const latest = useRef<Receiver>({ field, take, refuse, onlyCommands });
  useEffect(() => {
    latest.current = { field, take, refuse, onlyCommands };
  });
  useEffect(() => receiveScans(latest), []);
}
