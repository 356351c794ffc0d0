import type { Location } from 'react-router-dom';
import { HOME, hasUnsaved, type Tab } from '#app/shell/tabs.ts';
import { placeOf } from '#app/shell/place.ts';

/** A page that stays as it is while another tab is in front. */
export interface KeptPage {
  key: string;
  /** Where the user was in it last. */
  location: Location;
  lastShown: number;
}

/** More pages than this are read anew when one comes back to them. */
export const MOST_KEPT = 8;

/** Pages that begin anew each time. Rule: screens#shell. */
const notCacheable = [HOME, '/error_logger_page', '/changePassword'];

let clock = 0;

/**
 * The pages to keep once the user is at `location`: that one, and those behind it that have a tab, are cacheable and
 * were shown last; one with something unsaved goes last of all. The same list where nothing has changed; the order
 * of what stays never changes, so that nothing is moved in the document.
 */
export function pagesAt(kept: readonly KeptPage[], location: Location, tabs: readonly Tab[]): readonly KeptPage[] {
  const { key } = placeOf(location.pathname);
  const current = kept.find((it) => it.key === key);
  const staying = kept.filter((it) => it.key === key || isKeepable(it.key, tabs));
  if (current?.location === location && staying.length === kept.length) return kept;
  const page = { key, location, lastShown: current?.location === location ? current.lastShown : (clock += 1) };
  const pages = current ? staying.map((it) => (it === current ? page : it)) : [...staying, page];
  const goes = excessOf(pages.filter((it) => it !== page));
  return pages.filter((it) => !goes.includes(it));
}

const isKeepable = (key: string, tabs: readonly Tab[]): boolean =>
  !notCacheable.includes(key) && tabs.some((it) => it.key === key);

function excessOf(behind: readonly KeptPage[]): KeptPage[] {
  const byWorth = behind.toSorted(
    (a, b) => Number(hasUnsaved([a.key])) - Number(hasUnsaved([b.key])) || a.lastShown - b.lastShown,
  );
  return byWorth.slice(0, Math.max(0, behind.length - (MOST_KEPT - 1)));
}
