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
  const rank = ({ text: name }: Goal) => {
    const lower = name.toLowerCase();
    if (lower === whole) return 0;
    return lower.startsWith(whole) ? 1 : lower.includes(whole) ? 2 : 3;
  };
  return screens
    .filter((it) => words.every((word) => `${it.text} ${it.label} ${it.address}`.toLowerCase().includes(word)))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MOST_SCREENS);
}

/** Every page of the menu, by the name of which it is called there. */
export function listScreens(menu: readonly MenuEntry[], leaves: readonly MenuEntry[]): Goal[] {
  return leaves.map((it) => ({
    kind: 'screen',
    address: `/${it.menuNo}`,
    text: it.menuName,
    label: findTrail(it.menuNo, menu)
      .slice(0, -1)
      .map((group) => group.menuName)
      .join(' / '),
  }));
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
