/** A scanner types faster than a hand: its keys are at most this far apart, in milliseconds. */
const GAP = 35;
/** One late key, as under load, does not break a burst; this long a pause does. */
const BREAK = 120;
const FAST_SHARE = 0.75;
const SHORTEST = 4;

export interface Keystroke {
  key: string;
  /** When the key went down, in milliseconds of any steady clock. */
  at: number;
}

export interface Wedge {
  /** Gives the text of a burst at its Enter, else nothing. */
  press: (stroke: Keystroke) => string | undefined;
  /** Whether the last stroke was the first of what may become a burst. */
  isStart: () => boolean;
  /** Whether the last stroke came too fast after the one before for a hand. */
  isBurst: () => boolean;
}

/** Recognises a wedge scanner by its rhythm: four or more characters and an Enter, nearly all within 35 ms of the last. */
export function createWedge(): Wedge {
  let text = '';
  let fast = 0;
  let last = -Infinity;
  let isFast = false;
  const forget = () => {
    text = '';
    fast = 0;
    last = -Infinity;
  };

  return {
    press({ key, at }) {
      if (key === 'Shift') return undefined;
      const gap = at - last;
      if (gap > BREAK) forget();
      last = at;
      isFast = gap <= GAP;
      if (isFast) fast += 1;
      if (key === 'Enter') {
        const isBurst = text.length >= SHORTEST && fast >= text.length * FAST_SHARE;
        const burst = isBurst ? text : undefined;
        forget();
        return burst;
      }
      if (key.length === 1) text += key;
      else forget();
      return undefined;
    },
    isStart: () => text.length === 1,
    isBurst: () => text.length > 1 && isFast,
  };
}
