/** A scanner types faster than a hand: no two keys of a burst are further apart. */
const GAP = 35;
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
}

/** Recognises a wedge scanner by its rhythm: at least four characters and an Enter, each within 35 ms of the one before. */
export function createWedge(): Wedge {
  let text = '';
  let last = -Infinity;

  return {
    press({ key, at }) {
      const inTime = at - last <= GAP;
      if (key === 'Shift') return undefined;
      if (key === 'Enter') {
        const burst = inTime && text.length >= SHORTEST ? text : undefined;
        text = '';
        last = -Infinity;
        return burst;
      }
      if (key.length !== 1) {
        text = '';
        last = -Infinity;
        return undefined;
      }
      text = inTime ? text + key : key;
      last = at;
      return undefined;
    },
    isStart: () => text.length === 1,
  };
}
