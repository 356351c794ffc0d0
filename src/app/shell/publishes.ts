import { followStream, type StreamPorts } from '#app/followStream.ts';
import { pause, pauseAfter } from '#app/pauses.ts';

/** How often it is asked where no stream tells it. */
export const ASK_MS = 30_000;

export interface PublishPorts extends Pick<
  StreamPorts<{ last: number }>,
  'watch' | 'isReachable' | 'isWatched' | 'spread'
> {
  /** Asks for the number of the last publish. */
  ask: () => Promise<number>;
  /** By which publish the page was drawn; undefined where nobody knows. */
  drawnBy: () => number | undefined;
  /** Reads anew what follows from what is published; throws where that was not possible. */
  read: () => Promise<void>;
}

interface Publishes {
  start: () => void;
  wake: () => void;
  /** The number of the last publish, by whatever way it came. */
  tell: (last: number) => void;
  stop: () => void;
}

/**
 * Reads anew after each publish, however it is told: at once by the stream, and where there is none by asking now and then.
 * Rule: definitions#publishing.
 */
export function createPublishes(ports: PublishPorts): Publishes {
  let stopping = new AbortController();
  let asking: ReturnType<typeof setInterval> | undefined;
  let isHearing = false;
  let isReading = false;
  let hasAsked = false;
  /** What is shown, and what there is. */
  let shown: number | undefined;
  let last: number | undefined;

  const stream = followStream({
    ...ports,
    onEvent: (event) => {
      isHearing = true;
      tell(event.last);
    },
    onSilence: () => void (isHearing = false),
    isOver: (_, hasHeard) => {
      if (!hasHeard && !hasAsked) void ask();
      return false;
    },
  });

  return {
    start() {
      stopping = new AbortController();
      asking = setInterval(() => void ask(), ASK_MS);
      wake();
    },
    wake,
    tell,
    stop() {
      stopping.abort();
      clearInterval(asking);
      stream.stop();
    },
  };

  function wake(): void {
    // Once for each time that somebody looks: a window that was hidden has missed something, maybe.
    hasAsked = false;
    stream.wake();
  }

  function tell(told: number): void {
    last = told;
    shown ??= ports.drawnBy() ?? told;
    void catchUp();
  }

  async function ask(): Promise<void> {
    if (isHearing || !ports.isWatched()) return;
    hasAsked = true;
    // Without an answer nothing is known to be new: it is asked again.
    const told = await ports.ask().catch(() => undefined);
    if (told !== undefined && !stopping.signal.aborted) tell(told);
  }

  /** What is published while it reads is read as well. */
  async function catchUp(): Promise<void> {
    if (isReading) return;
    isReading = true;
    const { signal } = stopping;
    for (let failures = 0; shown !== last && !signal.aborted;) {
      await pause(failures > 0 ? pauseAfter(failures - 1) : ports.spread(), signal);
      if (signal.aborted) break;
      const next = last;
      try {
        await ports.read();
        shown = next;
        failures = 0;
      } catch {
        failures += 1;
      }
    }
    isReading = false;
  }
}
