import { currentToken, currentUser, storageKeys } from '#app/session.ts';
import { type Store, storeOf, useValue } from '#app/store.ts';
import { type Place, placeOf } from '#app/shell/place.ts';

export const HOME = '/home';

/** An opened page: by what it is known, and where in it the user was last. */
export interface Tab {
  key: string;
  /** Path and query, so that filters, sort and page come back with the tab. */
  address: string;
  /** What its record is called, once it is known; until then the id of the address. */
  name?: string;
}

const home: Tab = { key: HOME, address: HOME };
const opened: Store<readonly Tab[]> = storeOf(storedTabs());
/** Pages with something unsaved, by tab. */
const unsaved = new Set<string>();
let shown = HOME;

// Also at a sign-in: where the cookie ran out while the browser was closed, the tabs of whoever was here before are read.
currentToken.subscribe(() => {
  unsaved.clear();
  opened.set([home]);
});
// After a lost session the tabs are there again for the same user.
currentUser.subscribe(() => {
  if (currentUser.get() && opened.get().length === 1) opened.set(storedTabs());
});

export const useTabs = () => useValue(opened);
export const openedTabs = () => opened.get();

/** Remembers that the user is here: a new tab, or the tab's new address. */
export function visit(place: Place, address: string): void {
  const tabs = opened.get();
  const tab = tabs.find((it) => it.key === place.key);
  if (tab?.address === address) return;
  keep(tab ? tabs.map((it) => (it === tab ? { ...it, address } : it)) : [...tabs, { key: place.key, address }]);
}

/** A page that has read its record says how the record is called. */
export function nameTab(pathname: string, name: string): void {
  const { key } = placeOf(pathname);
  if (opened.get().some((it) => it.key === key && it.name !== name)) {
    keep(opened.get().map((it) => (it.key === key ? { ...it, name } : it)));
  }
}

/** Where a click in the menu leads: to the open tab as it was, else to the page's own address. */
export const addressOfTab = (key: string): string => opened.get().find((it) => it.key === key)?.address ?? key;

/** The tab to show when this one goes: its neighbour on the right, else on the left. */
export function neighbourOf(key: string): Tab {
  const tabs = opened.get();
  const at = tabs.findIndex((it) => it.key === key);
  return tabs[at + 1] ?? tabs[at - 1] ?? home;
}

/** Closes all of these but home. */
export function closeTabs(keys: readonly string[]): void {
  const going = keys.filter((it) => it !== HOME);
  going.forEach((it) => unsaved.delete(it));
  keep(opened.get().filter((it) => !going.includes(it.key)));
}

/** Says which tab is in front. */
export const showTab = (key: string): void => void (shown = key);

/**
 * A page that would lose something says so; its tab then asks before it closes. A page that is put behind another one
 * takes its word back as if it went, but keeps what it holds.
 */
export function markUnsaved(pathname: string, isUnsaved: boolean): void {
  const { key } = placeOf(pathname);
  if (isUnsaved) unsaved.add(key);
  else if (key === shown) unsaved.delete(key);
}

export const hasUnsaved = (keys: readonly string[]): boolean => keys.some((it) => unsaved.has(it));

function keep(tabs: readonly Tab[]): void {
  localStorage.setItem(storageKeys.tabs, JSON.stringify(tabs));
  opened.set(tabs);
}

function storedTabs(): readonly Tab[] {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKeys.tabs) ?? '[]') as Tab[];
    const others = kept.filter((it) => typeof it.key === 'string' && it.key !== HOME && it.address.startsWith('/'));
    return [home, ...others];
  } catch {
    return [home];
  }
}
