import {
  type Ending,
  expectedOf,
  FAST,
  middleOf,
  REST,
  type Rhythm,
  SLOWEST,
  withScan,
} from '#app/parts/scan/rhythm.ts';

/** One late key, as under load, does not break a burst; this long a pause does, and so does one far above its pace. */
const BREAK = 120;
const BREAK_OF_PACE = 2.5;
/** So much of a burst keeps its pace. */
const STEADY_SHARE = 0.75;
/** The beat of a slow scanner, which is the only thing that tells it from a quick hand. */
const EVEN = 0.35;
const EVEN_SHARE = 0.9;
const SHORTEST = 4;
/** The least that is a whole code though no key ends it. */
const SHORTEST_OPEN = 6;
const MOST_PIECES = 3;
/** A hand's letters come one by one; a stalled machine lets several through at a time. */
const LETTERS_A_PIECE = 1.5;
const LONGEST = 1000;

/** Where the letters go: nowhere, into a field that is there for scans, or into one that wants text of its own. */
export type Into = 'nothing' | 'scan' | 'text';

interface Keystroke {
  key: string;
  /** When the key went down, in milliseconds of any steady clock. */
  at: number;
  into: Into;
  /** Comes of itself, because the key is held down. */
  isRepeat?: boolean;
  /** The machine was held up when it came: the keys behind it may be late as well, or lost. */
  isLate?: boolean;
}

/** What came to its end; a hand's typing is none. */
export interface Outcome {
  /** A scan, or what is left of one: a pause has torn it, and keys of it may be missing. */
  kind: 'scan' | 'torn';
  text: string;
  /** When its first key went down. */
  from: number;
  /** When the first key went down after which there was no long pause: a hand's may come before the code. */
  since: number;
  /** With `none` a pause has ended it, before the key that told so. */
  ending: Ending;
  /** What came last is the end of a code that was told as torn before; where it is a scan, of the whole of it. */
  isRest?: boolean;
  /** At the pace of a scanner that is known, or of most: not only steady as a slow one. */
  isQuick?: boolean;
}

interface Wedge {
  /** Gives what a pause has ended before this key, then what this key ends. */
  press: (stroke: Keystroke) => readonly Outcome[];
  /** Gives what a pause has ended by then: at the next key, or with `Infinity` when none has come for its length. */
  pass: (at: number) => readonly Outcome[];
  /** For how long after the last key nothing must come for a pause to end what is under way, if anything is. */
  patience: () => number | undefined;
  /** Whether a letter came so shortly before that a scanner's next one may come now. */
  isUnderWay: (at: number) => boolean;
  /** Whether the last stroke came too fast after the one before for a hand. */
  isBurst: () => boolean;
  forget: () => void;
}

interface Piece {
  text: string;
  from: number;
  gaps: readonly number[];
}

/**
 * Tells a wedge scanner from a hand by the times of the keys alone. A text of four and more letters at a scanner's pace
 * is a scan at its end: an Enter, a Tab, or a pause where no key can be expected. Where a pause has torn it, it is
 * never taken for what came last. The rhythm of the scans is kept, and what follows depends on it.
 * Rule: scanning#scans.
 */
export function createWedge(rhythm: { get: () => Rhythm; set: (next: Rhythm) => void }): Wedge {
  let run: Keystroke[] = [];
  /** What was cut off; with its keys where nothing of it was told as a code. */
  let rest: { text: string; at: number; keys: readonly Keystroke[] } | undefined;
  let isResumed = false;
  const expected = () => expectedOf(rhythm.get());
  const limitOf = (into: Into, isLenient = into === 'nothing') => (isLenient ? SLOWEST : expected().limit);
  const learn = (ending: Ending, { text, gaps }: Piece) => {
    const isRepresentative = text.length >= SHORTEST_OPEN && isSteady(gaps);
    if (isRepresentative) rhythm.set(withScan(rhythm.get(), ending, middleOf(gaps)));
  };

  /** What a key has ended. */
  function end(ending: 'Enter' | 'Tab', { at, into }: Keystroke): Outcome | undefined {
    const pieces = piecesOf(run, at);
    const [tail, heads] = [pieces.at(-1), pieces.slice(0, -1)];
    if (!tail) return undefined;
    const text = run.map((it) => it.key).join('');
    const since = run[0]?.at ?? at;
    const limit = limitOf(into, into !== 'text');
    // A hand goes on with Tab as well: in a field for text it ends what this scanner always ends so.
    const isExpected = ending === 'Enter' || into !== 'text' || expected().ending === 'Tab';
    if (!isExpected) return undefined;
    if (heads.length > 0 && isTorn(heads, tail, limit)) {
      // A single letter before a pause may be a hand's, and stays where it was typed.
      const isHand = into === 'text' && heads.every((it) => it.text.length === 1);
      return { kind: 'torn', text, from: isHand ? tail.from : since, since, ending };
    }
    if (!isScan(tail, limit, SHORTEST)) return undefined;
    if (rest && tail.from - rest.at < REST && !tail.text.startsWith(rest.text))
      return { kind: 'torn', text: rest.text + tail.text, from: tail.from, since, ending, isRest: true };
    const isQuick = (middleOf(tail.gaps) ?? 0) <= expected().limit;
    learn(ending, { ...tail, gaps: tail.gaps.slice(0, -1) });
    const { text: code, from } = tail;
    return { kind: 'scan', text: code, from, since, ending, isQuick, ...(isResumed && { isRest: true }) };
  }

  /** What a pause has ended: codes, where no key is known to end them, else one that was cut off. */
  function endOpen(): Outcome[] {
    const pieces = piecesOf(run);
    const [first, last] = [run[0], run.at(-1)];
    if (!first || !last) return [];
    const { ending } = expected();
    // What somebody writes into a field stays there, unless this scanner is known to send no key behind a code.
    if (last.into === 'text' && ending !== 'none') return [];
    const limit = limitOf(last.into);
    const shortest = ending === 'none' ? SHORTEST : SHORTEST_OPEN;
    // In the scan field nothing else is wanted, but a hand that stops in between has not ended its code.
    const isWhole = (it: Piece) =>
      isScan(it, limit, shortest) || (last.into === 'scan' && isScan(it, SLOWEST, shortest) && isEven(it.gaps));
    const areWhole = pieces.every(isWhole);
    if (areWhole) for (const it of pieces) learn('none', it);
    const text = run.map((it) => it.key).join('');
    if (areWhole && (ending === undefined || ending === 'none')) {
      // Nobody knows yet how this scanner ends a code: a key behind what comes next tells that this was cut off.
      if (ending === undefined) rest = { text, at: last.at, keys: [] };
      return pieces.map(({ text, from, gaps }) => {
        const isQuick = (middleOf(gaps) ?? 0) <= expected().limit;
        return { kind: 'scan', text, from, since: from, ending: 'none', isQuick };
      });
    }
    const isCut = text.length >= SHORTEST && looksLikeCode(text) && pieces.every((it) => isPaced(it.gaps, limit));
    // The first letters of a code, which no hand types so fast: of the rest alone nothing may be looked up.
    const isHead = text.length < SHORTEST && (last.isLate || isHasty(pieces, text));
    if (isHead && ending !== 'none') rest = { text, at: last.at, keys: run };
    if (!isCut || pieces.length > MOST_PIECES || ending === 'none') return [];
    rest = { text, at: last.at, keys: run };
    return [{ kind: 'torn', text, from: first.at, since: first.at, ending: 'none' }];
  }

  const wedge: Wedge = {
    press(stroke) {
      const { key, at, isRepeat } = stroke;
      if (key === 'Shift' || key === 'CapsLock') return [];
      const last = run.at(-1);
      if (last && at < last.at) wedge.forget();
      const before = wedge.pass(at);
      // A hand has cleared it away: what comes next is no rest of it.
      if (key === 'Escape') {
        wedge.forget();
        return before;
      }
      if (rest && run.length === 0) {
        isResumed = rest.keys.length > 0 && at - rest.at < BREAK;
        // By its time there was no pause before this key: the browser was held up and brought it late.
        if (isResumed) [run, rest] = [[...rest.keys], undefined];
      }
      if (key === 'Enter' || key === 'Tab') {
        const outcome = end(key, stroke);
        run = [];
        isResumed = false;
        if (outcome) rest = undefined;
        return outcome ? [...before, outcome] : before;
      }
      if (key.length === 1 && !isRepeat) run.push(stroke);
      else run = [];
      if (run.length > LONGEST) run.shift();
      return before;
    },
    pass(at) {
      const last = run.at(-1);
      if (!last || at - last.at < expected().pause) return [];
      const outcomes = endOpen();
      // Where nothing has ended, the next key tells by its own time whether there was a pause: a machine that was held
      // up brings it late.
      if (outcomes.length > 0 || at < Infinity) run = [];
      return outcomes;
    },
    isUnderWay: (at) => at - (run.at(-1)?.at ?? -Infinity) <= SLOWEST,
    patience: () => (run.length > 0 ? expected().pause : undefined),
    isBurst() {
      const [before, last] = run.slice(-2);
      if (!before || !last) return false;
      return last.at - before.at <= (last.into === 'nothing' ? expected().limit : FAST);
    },
    forget: () => {
      run = [];
      rest = undefined;
      isResumed = false;
    },
  };
  return wedge;
}

/** What was typed, cut where a pause is far longer than the others; with the time of the key that ends it. */
function piecesOf(run: readonly Keystroke[], endAt?: number): Piece[] {
  const times = [...run.map((it) => it.at), ...(endAt === undefined ? [] : [endAt])];
  const gaps = times.slice(1).map((at, i) => at - (times[i] ?? at));
  const longest = Math.max(BREAK, BREAK_OF_PACE * (middleOf(gaps) ?? 0));
  const pieces: { text: string; from: number; gaps: number[] }[] = [];
  for (const [i, at] of times.entries()) {
    const gap = gaps[i - 1];
    const piece = pieces.at(-1);
    const letter = run[i]?.key ?? '';
    if (piece === undefined || gap === undefined || gap > longest) pieces.push({ text: letter, from: at, gaps: [] });
    else {
      piece.text += letter;
      piece.gaps.push(gap);
    }
  }
  return pieces;
}

function isScan({ text, gaps }: Piece, limit: number, shortest: number): boolean {
  if (text.length < shortest || !isPaced(gaps, limit)) return false;
  return (middleOf(gaps) ?? 0) <= FAST || (looksLikeCode(text) && isSteady(gaps));
}

/**
 * Every piece at a scanner's pace, and not a hand's single letters. What is late among few keys says little: how even
 * they are is judged over all pieces.
 */
function isTorn(heads: readonly Piece[], tail: Piece, limit: number): boolean {
  const pieces = [...heads, tail];
  const text = pieces.map((it) => it.text).join('');
  if (text.length < SHORTEST || !looksLikeCode(text)) return false;
  const letters = text.length - tail.text.length;
  const isHand = heads.length > 1 && letters < heads.length * LETTERS_A_PIECE;
  const areQuick = pieces.every((it) => (middleOf(it.gaps) ?? 0) <= limit);
  const gaps = pieces.flatMap((it) => it.gaps);
  return !isHand && areQuick && isPaced(gaps, limit);
}

const isHasty = ([head, ...more]: readonly Piece[], text: string): boolean =>
  more.length === 0 && text.length > 1 && (head?.gaps.every((it) => it <= FAST) ?? false);

function isPaced(gaps: readonly number[], limit: number): boolean {
  const pace = middleOf(gaps) ?? 0;
  const late = gaps.filter((it) => it > Math.max(FAST, 1.6 * pace)).length;
  return pace <= limit && late <= Math.max(1, (1 - STEADY_SHARE) * gaps.length);
}

/** A hand hurries and hesitates. */
function isSteady(gaps: readonly number[]): boolean {
  const pace = middleOf(gaps) ?? 0;
  return isPaced(gaps, pace) && (pace <= FAST || shareOf(gaps, (it) => it >= pace / 2) >= STEADY_SHARE);
}

/** No hand has a beat like this. */
function isEven(gaps: readonly number[]): boolean {
  const pace = middleOf(gaps) ?? 0;
  return shareOf(gaps, (it) => Math.abs(it - pace) <= EVEN * pace) >= EVEN_SHARE;
}

const shareOf = (gaps: readonly number[], is: (gap: number) => boolean): number =>
  gaps.length === 0 ? 1 : gaps.filter(is).length / gaps.length;

/** What labels say: nothing with blanks, and no short word. */
const looksLikeCode = (text: string): boolean => /^\S+$/.test(text) && (/[\d０-９%％]/.test(text) || text.length >= 8);
