import type { MenuEntry } from '#app/session.ts';
import { findTrail } from '#app/engine/module.ts';
import { readNumber } from '#app/parts/scan/labels.ts';
import { addressOfSn } from '#app/parts/snPage.ts';
import { sendTo } from '#app/send.ts';
import { cleanText } from '#domain/signs.ts';
import { plainText } from '#domain/sn.ts';

/** One thing that the palette leads to. */
export interface Goal {
  kind: 'screen' | 'sn' | 'bill' | 'parcel';
  /** Where it is. */
  address: string;
  text: string;
  /** What it is: the groups above a screen, of a number what one of its list is called. */
  label: string;
  /** How it is called in the other language. */
  otherName?: string;
  /** An SN of another site's unit: it leads to what is known of it everywhere. */
  elsewhere?: boolean;
}

/** Fewer letters find too much. */
export const NUMBER_MIN = 3;
const MOST_SCREENS = 8;

/** Screens whose name, or whose number in the menu, holds every word of the text; those that begin with it first. */
export function searchScreens(text: string, screens: readonly Goal[]): Goal[] {
  const words = cleanText(text).toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const whole = words.join(' ');
  const rankOf = (name: string) => {
    const lower = name.toLowerCase();
    if (lower === whole) return 0;
    return lower.startsWith(whole) ? 1 : lower.includes(whole) ? 2 : 3;
  };
  const rank = ({ text: name, otherName = '' }: Goal) => Math.min(rankOf(name), rankOf(otherName));
  const wordsOf = (it: Goal) => `${it.text} ${it.otherName ?? ''} ${it.label} ${it.address}`.toLowerCase();
  return screens
    .filter((it) => words.every((word) => wordsOf(it).includes(word)))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MOST_SCREENS);
}

/** Every page of the menu, by the name of which it is called there, and the pages that its toolbar leads to: stations, new bills. */
export function listScreens(
  menu: readonly MenuEntry[],
  leaves: readonly MenuEntry[],
  pages: readonly string[],
): Goal[] {
  return leaves.flatMap((it): Goal[] => {
    const { menuNo, menuName, otherName, module = '', actions = {} } = it;
    const trail = findTrail(menuNo, menu).map((group) => group.menuName);
    const own: Goal = { kind: 'screen', address: `/${menuNo}`, text: menuName, label: trail.slice(0, -1).join(' / ') };
    const further = Object.entries(actions).flatMap(([script, [text, other]]): Goal[] =>
      script === 'create' || pages.includes(`${module}:${script}`)
        ? [{ kind: 'screen', address: `/${menuNo}/${script}`, text, otherName: other, label: trail.join(' / ') }]
        : [],
    );
    return [{ ...own, ...(otherName !== undefined && { otherName }) }, ...further];
  });
}

interface Found {
  items: {
    kind: 'sn' | 'bill' | 'parcel';
    menuNo: string;
    id: number;
    text: string;
    label: string;
    elsewhere?: boolean;
  }[];
}

/**
 * SNs, bills and parcels whose number begins so, as the server finds them for this user. An SN leads to its own page, once,
 * in however many lists it stands; that of another site's unit, which has none here, to its record in the archive.
 */
export async function fetchNumbers(text: string, seesSns: boolean, signal: AbortSignal): Promise<Goal[]> {
  const call = { method: 'GET', path: '/api/find.json', writes: false } as const;
  const { items } = await sendTo<Found>(call, { text }, { signal });
  const goals = items.map(({ kind, menuNo, id, text: number, label, elsewhere = false }): Goal => {
    const address = kind === 'sn' && seesSns && !elsewhere ? addressOfSn(number) : `/${menuNo}/detail/${id}`;
    return { kind, address, text: number, label, elsewhere };
  });
  return goals.filter((it, i) => goals.findIndex(({ address }) => address === it.address) === i);
}

/** What a scanner or an input method may have written, as numbers are written: of a label, its SN. */
export const normaliseSearch = (text: string): string => readNumber(text, plainText(text));
