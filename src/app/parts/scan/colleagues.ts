import { type Colleague, type ColleagueNews, MAX_SHARED, TELL_AGAIN_MS } from '#domain/colleagues.ts';
import { followStream, type StreamPorts } from '#app/followStream.ts';
import { CallError } from '#app/send.ts';
import { createObservable, type Observable } from '#app/observable.ts';
import { isWithoutVerdict } from '#app/parts/scan/answers.ts';

export interface ColleaguePorts extends Pick<
  StreamPorts<ColleagueNews>,
  'watch' | 'isReachable' | 'isWatched' | 'spread'
> {
  announce: (snList: readonly string[], submitted: boolean) => Promise<unknown>;
  /** Another has submitted, or may have while nobody listened. */
  submitted: () => void;
}

export interface Colleagues {
  state: Observable<readonly Colleague[]>;
  start: () => void;
  /** The network or the eyes came or went. */
  wake: () => void;
  /** What is on the list now. */
  share: (snList: readonly string[]) => void;
  noteSubmitted: () => void;
  stop: () => void;
}

/** What is scanned together is told together. */
const ANNOUNCE_AFTER = 250;

/**
 * What others at this place scan, and one's own list told to them. It goes its own way beside the scans: nothing waits for
 * it, and what fails is tried again later, or not at all where the server says no.
 */
export function createColleagues(ports: ColleaguePorts): Colleagues {
  const state = createObservable<readonly Colleague[]>([]);
  let isStarted = false;
  let isRefused = false;
  let hasReceived = false;
  let wanted: readonly string[] = [];
  let announced: readonly string[] = [];
  let hasSubmitted = false;
  let isAnnouncing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stream = followStream({
    ...ports,
    onEvent(news, isFirst) {
      const mayHaveMissed = isFirst && hasReceived;
      hasReceived = true;
      state.set(news.others);
      if (news.submitted || mayHaveMissed) ports.submitted();
    },
    // Nobody knows now what they do.
    onSilence: () => state.set([]),
    isOver(error) {
      if (!isRefusal(error)) return false;
      refused();
      return true;
    },
  });

  return {
    state,
    start() {
      isStarted = true;
      wake();
    },
    wake,
    share(snList) {
      const now = snList.slice(-MAX_SHARED);
      if (isSame(now, wanted)) return;
      wanted = now;
      later(ANNOUNCE_AFTER);
    },
    noteSubmitted() {
      hasSubmitted = true;
      later(ANNOUNCE_AFTER);
    },
    stop() {
      isStarted = false;
      clearTimeout(timer);
      stream.stop();
    },
  };

  function wake(): void {
    if (!isStarted || isRefused) return;
    stream.wake();
    if (isDue()) later(ANNOUNCE_AFTER);
  }

  /** This person or this server has no use for it: nothing more is tried. */
  function refused(): void {
    isRefused = true;
    clearTimeout(timer);
    stream.stop();
  }

  function isDue(): boolean {
    return hasSubmitted || wanted.length > 0 || announced.length > 0;
  }

  function later(ms: number): void {
    if (!isStarted || isRefused) return;
    clearTimeout(timer);
    timer = setTimeout(() => void announce(), ms);
  }

  async function announce(): Promise<void> {
    // Without a network `wake` tells it when there is one again.
    if (isAnnouncing || !ports.isReachable() || !isDue()) return;
    isAnnouncing = true;
    const now = { snList: wanted, submitted: hasSubmitted };
    hasSubmitted = false;
    let wasAnnounced = false;
    try {
      await ports.announce(now.snList, now.submitted);
      announced = now.snList;
      wasAnnounced = true;
    } catch (error) {
      hasSubmitted ||= now.submitted;
      if (isRefusal(error)) return refused();
    } finally {
      isAnnouncing = false;
    }
    const isNew = wasAnnounced && (hasSubmitted || !isSame(wanted, announced));
    if (isNew || isDue()) later(isNew ? ANNOUNCE_AFTER : TELL_AGAIN_MS);
  }
}

/** Anything but silence is an answer; only a server that is asked too much may be asked again. */
const isRefusal = (error: unknown): boolean => error instanceof CallError && !isWithoutVerdict(error);

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((it, i) => it === other[i]);
