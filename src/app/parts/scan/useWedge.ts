import { type RefObject, useLayoutEffect, useRef } from 'react';
import { type Receiver, receiveScans } from '#app/parts/scan/scanner.ts';

/** Takes the scans of this page, those of the scan field excepted, which reads its own. */
export function useWedge(
  field: RefObject<HTMLInputElement | null>,
  take: Receiver['take'],
  refuse: Receiver['refuse'],
  { onlyCommands = false } = {},
): void {
  const latest = useRef<Receiver>({ field, take, refuse, onlyCommands });
  // As soon as the page is seen, before a key can come: what is scanned then is meant for it.
  useLayoutEffect(() => {
    latest.current = { field, take, refuse, onlyCommands };
  });
  useLayoutEffect(() => receiveScans(latest), []);
}
