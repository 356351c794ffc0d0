import { useSyncExternalStore } from 'react';

/** One value that code outside of React changes and components follow. */
export interface Store<Value> {
  get: () => Value;
  set: (value: Value) => void;
  subscribe: (listener: () => void) => () => void;
}

export function storeOf<Value>(first: Value): Store<Value> {
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

export const useValue = <Value>(store: Store<Value>): Value => useSyncExternalStore(store.subscribe, store.get);

/** A choice of this person on this device, kept in local storage; a value that is no longer offered counts as none. */
export function choiceOf<Value extends string>(key: string, offered: readonly Value[], first: Value): Store<Value> {
  const kept = offered.find((it) => it === localStorage.getItem(key));
  const store = storeOf(kept ?? first);
  return {
    ...store,
    set: (value) => {
      localStorage.setItem(key, value);
      store.set(value);
    },
  };
}
