/** What ends a code: a key that the scanner sends behind it, or nothing, so that a pause ends it. */
export type Ending = 'Enter' | 'Tab' | 'none';

/** How the scanner at this browser types: the last scans, the newest last. */
export interface Rhythm {
  /** The middle time between two keys of a scan, in milliseconds. */
  gaps: readonly number[];
  endings: readonly Ending[];
}

export const noRhythm: Rhythm = { gaps: [], endings: [] };

/** Of so many scans each has a vote: neither an odd one nor the scanner of last week decides. */
const VOTES = 5;
/** A pause takes three votes, as a scan that was cut off ends with one as well. */
const ENOUGH: Record<Ending, number> = { Enter: 2, Tab: 2, none: 3 };
/** No hand is so fast: at this pace every text is a scan, in milliseconds a key. */
export const FAST = 35;
/** Scanners are no slower, and hands no faster, in milliseconds a key. */
export const SLOWEST = 115;
/** Before the first scan: slower than most scanners, and faster than a hand writes codes. */
const UNKNOWN = 70;
/** A pause that ends a code of a scanner that sends no key behind it. */
const SHORT_PAUSE = 120;
/** Some scanners end each code with two Enters; the second belongs to the code as well. */
export const SECOND_ENTER = 400;
/** So long after a code was cut off, what comes may be the rest of it. */
export const REST = 5000;
/** A code whose end has not come for so long has none, or was cut off. */
const LONG_PAUSE = 1500;

/** What is expected of the next scan. */
interface Expected {
  /** The longest middle gap of a scan where the field that has the focus wants letters of its own. */
  limit: number;
  /** Unknown before two scans have ended alike. */
  ending: Ending | undefined;
  /** For how long nothing comes when a code is at its end. */
  pause: number;
}

export function expectedOf({ gaps, endings }: Rhythm): Expected {
  const gap = middleOf(gaps);
  const ending = endings.findLast((it) => endings.filter((other) => other === it).length >= ENOUGH[it]);
  return {
    limit: gap === undefined ? UNKNOWN : Math.min(SLOWEST, Math.max(UNKNOWN, gap * 1.5 + 10)),
    ending,
    pause: ending === 'none' ? Math.max(SHORT_PAUSE, 3 * (gap ?? 0)) : LONG_PAUSE,
  };
}

/** The rhythm with one more scan; without a gap where that says nothing of the scanner. */
export const withScan = ({ gaps, endings }: Rhythm, ending: Ending, gap?: number): Rhythm => ({
  gaps: gap === undefined ? gaps : [...gaps, Math.round(gap)].slice(-VOTES),
  endings: [...endings, ending].slice(-VOTES),
});

/** The middle one of these; half of what is odd among them may be wrong without moving it far. */
export function middleOf(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[(values.length - 1) >> 1];
}

/** What a browser kept, whatever became of it there. */
export function parseRhythm(saved: string | null): Rhythm {
  try {
    const { gaps, endings } = JSON.parse(saved ?? '') as Record<keyof Rhythm, unknown[]>;
    const isGap = (it: unknown): it is number => typeof it === 'number' && it >= 0 && it <= SLOWEST;
    const isEnding = (it: unknown): it is Ending => it === 'Enter' || it === 'Tab' || it === 'none';
    return { gaps: gaps.filter(isGap).slice(-VOTES), endings: endings.filter(isEnding).slice(-VOTES) };
  } catch {
    return noRhythm;
  }
}
