import { pause, pauseAfter } from '#app/pauses.ts';

export interface StreamPorts<Event> {
  /** Reads what is news until the connection ends or is aborted. */
  watch: (onEvent: (event: Event) => void, signal: AbortSignal) => Promise<void>;
  /** There is a network, and somebody looks. */
  isReachable: () => boolean;
  isWatched: () => boolean;
  /** With the first event of a connection, others may have been missed. */
  onEvent: (event: Event, isFirst: boolean) => void;
  /** Nothing is heard now. */
  onSilence: () => void;
  /** A connection has ended, or there was none; `hasHeard` is whether there was an event. True when none is tried again. */
  isOver: (error: unknown, hasHeard: boolean) => boolean;
  /** How much longer than others this window waits, in ms: not all are to come at once. */
  spread: () => number;
}

interface FollowedStream {
  /** The network or the eyes came or went. */
  wake: () => void;
  stop: () => void;
}

/** Reads a stream as long as somebody looks, and again after growing pauses when it ends. Rule: wire#streams. */
export function followStream<Event>(ports: StreamPorts<Event>): FollowedStream {
  let following: AbortController | undefined;

  return {
    wake() {
      if (!ports.isReachable() || !ports.isWatched()) return stop();
      if (following) return;
      following = new AbortController();
      void follow(following.signal);
    },
    stop,
  };

  function stop(): void {
    following?.abort();
    following = undefined;
    ports.onSilence();
  }

  async function follow(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      let hasHeard = false;
      let problem: unknown;
      try {
        await ports.watch((event) => {
          if (signal.aborted) return;
          const isFirst = !hasHeard;
          hasHeard = true;
          failures = 0;
          ports.onEvent(event, isFirst);
        }, signal);
      } catch (error) {
        problem = error;
      }
      if (signal.aborted) return;
      ports.onSilence();
      if (ports.isOver(problem, hasHeard)) return stop();
      await pause(pauseAfter(failures) + ports.spread(), signal);
      failures += 1;
    }
  }
}
