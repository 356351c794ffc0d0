import { useCallback, useEffect, useRef, useState } from 'react';
import { noteStore, type NoteStore } from '#app/parts/scan/noteStore.ts';
import type { StationScope } from '#app/parts/scan/scanDatabase.ts';

/** A new value, or what becomes of the one that is there: who comes late builds on what has become of it. */
type Change<Value> = Value | ((now: Value) => Value);

/**
 * What a station's form holds beside the scans (the loaded bill, the codes entered so far), kept through a reload
 * under its user and place, and the same in every window. `undefined` as the new value forgets it.
 */
export function usePersistedState<Value>(
  scope: StationScope,
  name: string,
  initial: Value,
  notes: NoteStore = noteStore,
): { value: Value; set: (change: Change<Value>) => void; loaded: boolean } {
  const [value, setValue] = useState(initial);
  const [loaded, setLoaded] = useState(false);
  const now = useRef(initial);
  const touched = useRef(false);
  const [fresh] = useState(initial);

  useEffect(() => {
    let gone = false;
    const become = (saved: unknown) => {
      now.current = (saved ?? fresh) as Value;
      setValue(now.current);
    };
    const onRead = (saved: unknown) => {
      if (gone) return;
      if (saved !== undefined && !touched.current) become(saved);
      setLoaded(true);
    };
    notes.read(scope, name).then(onRead, () => onRead(undefined));
    const stop = notes.onWritten(scope, name, () => {
      notes.read(scope, name).then(
        (saved) => !gone && become(saved),
        () => undefined,
      );
    });
    return () => {
      gone = true;
      stop();
    };
  }, [scope, name, notes, fresh]);

  const set = useCallback(
    (change: Change<Value>) => {
      touched.current = true;
      now.current = typeof change === 'function' ? (change as (now: Value) => Value)(now.current) : change;
      setValue(now.current);
      // What can't be kept now still works here, and is written with the next note or scan that can be.
      notes.write(scope, name, now.current).catch(() => undefined);
    },
    [scope, name, notes],
  );
  return { value, set, loaded };
}
