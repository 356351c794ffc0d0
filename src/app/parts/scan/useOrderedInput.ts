import { useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react';

/**
 * Hands on what is scanned in its order. What `isInstant` goes at once where nothing waits before it; everything else
 * in an effect of its own, so that it finds the page as those before it have left it: `handle` says whether it changes
 * what is chosen there. Nothing goes on while `isHeld`. What can't be handled yet comes `again`, behind what waits.
 * What it gives stays the same, so that nothing is drawn anew for it.
 */
export function useOrderedInput<Entry>(
  handle: (entry: Entry, again: (entry: Entry) => void) => boolean,
  isInstant: (entry: Entry) => boolean,
  isHeld: boolean,
): (entry: Entry) => void {
  const waiting = useRef<Entry[]>([]);
  const isChanging = useRef(false);
  const [, wake] = useReducer((it: number) => it + 1, 0);
  const wait = (entry: Entry) => {
    waiting.current.push(entry);
    wake();
  };
  useEffect(() => {
    isChanging.current = false;
    if (isHeld) return;
    const entry = waiting.current.shift();
    if (entry === undefined) return;
    isChanging.current = handle(entry, wait);
    if (isChanging.current || waiting.current.length > 0) wake();
  });
  const latest = useRef({ handle, isInstant, isHeld, wait });
  useLayoutEffect(() => {
    latest.current = { handle, isInstant, isHeld, wait };
  });
  return useCallback((entry) => {
    const { handle, isInstant, isHeld, wait } = latest.current;
    if (isHeld || isChanging.current || waiting.current.length > 0 || !isInstant(entry)) return wait(entry);
    isChanging.current = handle(entry, wait);
    if (isChanging.current) wake();
  }, []);
}
