import { useEffect, useEffectEvent, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';

/**
 * An SN that the address brings (`?sn=`) counts as scanned, once, as soon as the station can take it. Gives the SN that
 * still waits for that.
 */
export function useScanFromAddress(scan: (text: string) => void, isReady: boolean): string {
  const [query, setQuery] = useSearchParams();
  const sn = query.get('sn') ?? '';
  // The address may lag behind: what was scanned is not scanned again meanwhile.
  const scanned = useRef('');
  const take = useEffectEvent(() => {
    setQuery((it) => without(it, 'sn'), { replace: true });
    scan(sn);
  });
  // Once for each SN, however the station changes meanwhile.
  useEffect(() => {
    if (sn === '') scanned.current = '';
    if (sn === scanned.current || !isReady) return;
    scanned.current = sn;
    take();
  }, [sn, isReady]);
  return sn;
}

/** Takes what the address says of the station itself (`?type=1`) over and out of it. Gives whether that is still to come. */
export function useQueryParameter(name: string, take: (word: string) => void): boolean {
  const [query, setQuery] = useSearchParams();
  const word = query.get(name);
  const takeOver = useEffectEvent((said: string) => {
    setQuery((it) => without(it, name), { replace: true });
    take(said);
  });
  useEffect(() => {
    if (word !== null) takeOver(word);
  }, [word]);
  return word !== null;
}

function without(query: URLSearchParams, name: string): URLSearchParams {
  const rest = new URLSearchParams(query);
  rest.delete(name);
  return rest;
}
