import { useCallback, useEffect, useRef, useState } from 'react';
import { type Place, type ScanStore, scanStore } from '#app/parts/scan/scanStore.ts';

/**
 * What a station's form holds beside the scans (the loaded bill, the codes entered so far), kept through a reload
 * under its user and place. `undefined` as the new value forgets it.
 */
export function useKept<Value>(
  place: Place,
  name: string,
  initial: Value,
  store: ScanStore = scanStore,
): { value: Value; set: (value: Value) => void; loaded: boolean } {
  const [value, setValue] = useState(initial);
  const [loaded, setLoaded] = useState(false);
  const touched = useRef(false);

  useEffect(() => {
    let gone = false;
    const arrive = (kept: unknown) => {
      if (gone) return;
      if (kept !== undefined && !touched.current) setValue(kept as Value);
      setLoaded(true);
    };
    store.readNote(place, name).then(arrive, () => arrive(undefined));
    return () => {
      gone = true;
    };
  }, [place, name, store]);

  const set = useCallback(
    (next: Value) => {
      touched.current = true;
      setValue(next);
      // What can't be kept still works until the page is left; the scans themselves warn about it.
      store.writeNote(place, name, next).catch(() => undefined);
    },
    [place, name, store],
  );
  return { value, set, loaded };
}
