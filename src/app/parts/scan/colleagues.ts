import { type Colleague, type ColleagueNews, MAX_SHARED, TELL_AGAIN_MS } from '#domain/colleagues.ts';
import { CallError } from '#app/send.ts';
import { storeOf, type Store } from '#app/store.ts';
import { isWithoutVerdict } from '#app/parts/scan/answers.ts';
import { pauseAfter } from '#app/parts/scan/pauses.ts';

export interface ColleaguePorts {
  announce: (snList: readonly string[], submitted: boolean) => Promise<unknown>;
  /** Reads what the others do until the connection ends or is aborted. */
  watch: (hear: (news: ColleagueNews) => void, signal: AbortSignal) => Promise<void>;
  /** Another has submitted, or may have while nobody listened. */
  submitted: () => void;
  /** There is a network, and somebody looks. */
  isReachable: () => boolean;
  isWatched: () => boolean;
}

export interface Colleagues {
  state: Store<readonly Colleague[]>;
  start: () => void;
  /** The network or the eyes came or went. */
  wake: () => void;
  /** What is on the list now. */
  tell: (snList: readonly string[]) => void;
  noteSubmitted: () => void;
  stop: () => void;
}

/** What is scanned together is told together. */
const TELL_AFTER = 250;

/**
 * What others at this place scan, and one's own list told to them. It goes its own way beside the scans: nothing waits for
 * it, and what fails is tried again later, or not at all where the server says no.
 */
export function createColleagues(ports: ColleaguePorts): Colleagues {
  const state = storeOf<readonly Colleague[]>([]);
  let isStarted = false;
  let isRefused = false;
  let following: AbortController | undefined;
  let hasHeard = false;
  let wanted: readonly string[] = [];
  let told: readonly string[] = [];
  let hasSubmitted = false;
  let isTelling = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    state,
    start() {
      isStarted = true;
      wake();
    },
    wake,
    tell(snList) {
      const now = snList.slice(-MAX_SHARED);
      if (isSame(now, wanted)) return;
      wanted = now;
      later(TELL_AFTER);
    },
    noteSubmitted() {
      hasSubmitted = true;
      later(TELL_AFTER);
    },
    stop() {
      isStarted = false;
      clearTimeout(timer);
      rest();
    },
  };

  function wake(): void {
    if (!isStarted || isRefused) return;
    if (!ports.isReachable() || !ports.isWatched()) rest();
    else if (!following) {
      following = new AbortController();
      void follow(following.signal);
    }
    if (isDue()) later(TELL_AFTER);
  }

  function rest(): void {
    following?.abort();
    following = undefined;
    state.set([]);
  }

  async function follow(signal: AbortSignal): Promise<void> {
    let pauses = 0;
    while (!signal.aborted) {
      let isFirst = true;
      try {
        await ports.watch((news) => {
          if (signal.aborted) return;
          const mayHaveMissed = isFirst && hasHeard;
          pauses = 0;
          isFirst = false;
          hasHeard = true;
          state.set(news.others);
          if (news.submitted || mayHaveMissed) ports.submitted();
        }, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (isNo(error)) return refused();
      }
      if (signal.aborted) return;
      // Nobody knows now what they do.
      state.set([]);
      await pause(pauseAfter(pauses), signal);
      pauses += 1;
    }
  }

  /** This person or this server has no use for it: nothing more is tried. */
  function refused(): void {
    isRefused = true;
    clearTimeout(timer);
    rest();
  }

  function isDue(): boolean {
    return hasSubmitted || wanted.length > 0 || told.length > 0;
  }

  function later(ms: number): void {
    if (!isStarted || isRefused) return;
    clearTimeout(timer);
    timer = setTimeout(() => void announce(), ms);
  }

  async function announce(): Promise<void> {
    // Without a network `wake` tells it when there is one again.
    if (isTelling || !ports.isReachable() || !isDue()) return;
    isTelling = true;
    const now = { snList: wanted, submitted: hasSubmitted };
    hasSubmitted = false;
    let isTold = false;
    try {
      await ports.announce(now.snList, now.submitted);
      told = now.snList;
      isTold = true;
    } catch (error) {
      hasSubmitted ||= now.submitted;
      if (isNo(error)) return refused();
    } finally {
      isTelling = false;
    }
    const isNew = isTold && (hasSubmitted || !isSame(wanted, told));
    if (isNew || isDue()) later(isNew ? TELL_AFTER : TELL_AGAIN_MS);
  }
}

/** Anything but silence is an answer; only a server that is asked too much may be asked again. */
const isNo = (error: unknown): boolean => error instanceof CallError && !isWithoutVerdict(error);

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((it, i) => it === other[i]);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
