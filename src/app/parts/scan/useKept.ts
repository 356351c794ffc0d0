import { useCallback, useEffect, useRef, useState } from 'react';
import { noteStore, type NoteStore } from '#app/parts/scan/noteStore.ts';
import type { Place } from '#app/parts/scan/scanDatabase.ts';

/** A new value, or what becomes of the one that is there: who comes late builds on what has become of it. */
export type Change<Value> = Value | ((now: Value) => Value);

/**
 * What a station's form holds beside the scans (the loaded bill, the codes entered so far), kept through a reload
 * under its user and place, and the same in every window. `undefined` as the new value forgets it.
 */
export function useKept<Value>(
  place: Place,
  name: string,
  initial: Value,
  store: NoteStore = noteStore,
): { value: Value; set: (change: Change<Value>) => void; loaded: boolean } {
  const [value, setValue] = useState(initial);
  const [loaded, setLoaded] = useState(false);
  const now = useRef(initial);
  const touched = useRef(false);
  const [fresh] = useState(initial);

  useEffect(() => {
    let gone = false;
    const become = (kept: unknown) => {
      now.current = (kept ?? fresh) as Value;
      setValue(now.current);
    };
    const arrive = (kept: unknown) => {
      if (gone) return;
      if (kept !== undefined && !touched.current) become(kept);
      setLoaded(true);
    };
    store.read(place, name).then(arrive, () => arrive(undefined));
    const stop = store.onWritten(place, name, () => {
      store.read(place, name).then(
        (kept) => !gone && become(kept),
        () => undefined,
      );
    });
    return () => {
      gone = true;
      stop();
    };
  }, [place, name, store, fresh]);

  const set = useCallback(
    (change: Change<Value>) => {
      touched.current = true;
      now.current = typeof change === 'function' ? (change as (now: Value) => Value)(now.current) : change;
      setValue(now.current);
      // What can't be kept still works until the page is left; the scans themselves warn about it.
      store.write(place, name, now.current).catch(() => undefined);
    },
    [place, name, store],
  );
  return { value, set, loaded };
}
