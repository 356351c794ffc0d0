import { currentToken, currentUser, isOwnStore, storageKeys } from '#app/session.ts';
import { type Observable, createObservable, useObservable } from '#app/observable.ts';
import { type PageAddress, parsePageAddress } from '#app/shell/pageAddress.ts';

export const HOME = '/home';

/** An opened page: by what it is known, and where in it the user was last. */
export interface Tab {
  key: string;
  /** Path and query, so that filters, sort and page come back with the tab. */
  address: string;
  /** What its record is called, once it is known; until then the id of the address. */
  name?: string;
  /** By what its record is known, whichever of its ids the address says. */
  record?: string;
}

const home: Tab = { key: HOME, address: HOME };
const opened: Observable<readonly Tab[]> = createObservable(readSavedTabs());
/** Pages with something unsaved, by tab. */
const unsaved = new Set<string>();
let shown = HOME;

// Also at a sign-in: where the cookie ran out while the browser was closed, the tabs of whoever was here before are read.
currentToken.subscribe(() => {
  if (!currentUser.get()) forgetTabs();
});
// After a lost session the tabs are there again for the same user.
currentUser.subscribe(() => {
  if (!currentUser.get()) forgetTabs();
  else if (opened.get().length === 1) opened.set(readSavedTabs());
});

function forgetTabs(): void {
  unsaved.clear();
  opened.set([home]);
}

export const useTabs = () => useObservable(opened);
export const openedTabs = () => opened.get();

/** Remembers that the user is here: a new tab, or the tab's new address. */
export function openTab(page: PageAddress, address: string): void {
  const tabs = opened.get();
  const tab = tabs.find((it) => it.key === page.key);
  if (tab?.address === address) return;
  saveTabs(tab ? tabs.map((it) => (it === tab ? { ...it, address } : it)) : [...tabs, { key: page.key, address }]);
}

/** A page that has read its record says how the record is called, and is told of the tab that shows it already. */
export function nameTab(pathname: string, name: string, record: string): Tab | undefined {
  const page = parsePageAddress(pathname);
  const tabs = opened.get();
  const twin = tabs.find((it) => it.record === record && it.key !== page.key && isSameView(it, page));
  if (!twin && tabs.some((it) => it.key === page.key && (it.name !== name || it.record !== record))) {
    saveTabs(tabs.map((it) => (it.key === page.key ? { ...it, name, record } : it)));
  }
  return twin;
}

function isSameView({ key }: Tab, page: PageAddress): boolean {
  const { menuNo, view } = parsePageAddress(key);
  return menuNo === page.menuNo && view === page.view;
}

/** Where a click in the menu leads: to the open tab as it was, else to the page's own address. */
export const findTabAddress = (key: string): string => opened.get().find((it) => it.key === key)?.address ?? key;

/** The tab to show when this one goes: its neighbour on the right, else on the left. */
export function findNeighbour(key: string): Tab {
  const tabs = opened.get();
  const at = tabs.findIndex((it) => it.key === key);
  return tabs[at + 1] ?? tabs[at - 1] ?? home;
}

/** Closes all of these but home. */
export function closeTabs(keys: readonly string[]): void {
  const going = keys.filter((it) => it !== HOME);
  going.forEach((it) => unsaved.delete(it));
  saveTabs(opened.get().filter((it) => !going.includes(it.key)));
}

/** Says which tab is in front. */
export const showTab = (key: string): void => void (shown = key);

/**
 * A page that would lose something says so; its tab then asks before it closes. A page that is put behind another one
 * takes its word back as if it went, but keeps what it holds.
 */
export function markUnsaved(pathname: string, isUnsaved: boolean): void {
  const { key } = parsePageAddress(pathname);
  if (isUnsaved) unsaved.add(key);
  else if (key === shown) unsaved.delete(key);
}

export const hasUnsaved = (keys: readonly string[]): boolean => keys.some((it) => unsaved.has(it));

function saveTabs(tabs: readonly Tab[]): void {
  if (isOwnStore()) localStorage.setItem(storageKeys.tabs, JSON.stringify(tabs));
  opened.set(tabs);
}

function readSavedTabs(): readonly Tab[] {
  try {
    const saved = JSON.parse(localStorage.getItem(storageKeys.tabs) ?? '[]') as Tab[];
    const others = saved.filter((it) => typeof it.key === 'string' && it.key !== HOME && it.address.startsWith('/'));
    return [home, ...others];
  } catch {
    return [home];
  }
}
