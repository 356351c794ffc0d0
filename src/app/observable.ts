import { useSyncExternalStore } from 'react';

/** One value that code outside of React changes and components follow. */
export interface Observable<Value> {
  get: () => Value;
  set: (value: Value) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createObservable<Value>(first: Value): Observable<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      listeners.forEach((it) => it());
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useObservable = <Value>(observable: Observable<Value>): Value =>
  useSyncExternalStore(observable.subscribe, observable.get);

/** A choice of this person on this device, kept in local storage; a value that is no longer offered counts as none. */
export function createStoredChoice<Value extends string>(
  key: string,
  offered: readonly Value[],
  first: Value,
): Observable<Value> {
  const saved = offered.find((it) => it === localStorage.getItem(key));
  const observable = createObservable(saved ?? first);
  return {
    ...observable,
    set: (value) => {
      localStorage.setItem(key, value);
      observable.set(value);
    },
  };
}
