import type { Location } from 'react-router-dom';
import { HOME, hasUnsaved, type Tab } from '#app/shell/tabs.ts';
import { parsePageAddress } from '#app/shell/pageAddress.ts';

/** A page that stays as it is while another tab is in front. */
export interface CachedPage {
  key: string;
  /** Where the user was in it last. */
  location: Location;
  lastShown: number;
}

/** More pages than this are read anew when one comes back to them. */
export const MAX_CACHED = 8;

/** Pages that begin anew each time. Rule: screens#shell. */
const notCacheable = [HOME, '/error_logger_page', '/changePassword'];

let clock = 0;

/**
 * The pages to keep once the user is at `location`: that one, and those behind it that have a tab, are cacheable and
 * were shown last; one with something unsaved goes last of all. The same list where nothing has changed; the order
 * of what stays never changes, so that nothing is moved in the document.
 */
export function updateCachedPages(
  cached: readonly CachedPage[],
  location: Location,
  tabs: readonly Tab[],
): readonly CachedPage[] {
  const { key } = parsePageAddress(location.pathname);
  const current = cached.find((it) => it.key === key);
  const staying = cached.filter((it) => it.key === key || isCacheable(it.key, tabs));
  if (current?.location === location && staying.length === cached.length) return cached;
  const page = { key, location, lastShown: current?.location === location ? current.lastShown : (clock += 1) };
  const pages = current ? staying.map((it) => (it === current ? page : it)) : [...staying, page];
  const goes = findEvicted(pages.filter((it) => it !== page));
  return pages.filter((it) => !goes.includes(it));
}

const isCacheable = (key: string, tabs: readonly Tab[]): boolean =>
  !notCacheable.includes(key) && tabs.some((it) => it.key === key);

function findEvicted(behind: readonly CachedPage[]): CachedPage[] {
  const byWorth = behind.toSorted(
    (a, b) => Number(hasUnsaved([a.key])) - Number(hasUnsaved([b.key])) || a.lastShown - b.lastShown,
  );
  return byWorth.slice(0, Math.max(0, behind.length - (MAX_CACHED - 1)));
}
