import { configuration } from '#app/configuration.ts';
import { pauseAfter } from '#app/parts/scan/pauses.ts';

/** Meanwhile the server is asked whether it is well, so that who scans waits less than three seconds once it is. */
const PROBE_EVERY = 1200;
const PROBE_LASTS = 1000;
/** Up to so much longer, so that not all stations come at once. */
const JITTER = 400;

export interface Recovery {
  /** Something has no verdict; `isDown` where that is because the server is not well. */
  wait: (isDown: boolean) => void;
  /** Whether the server was silent last. */
  isWaiting: () => boolean;
  /** There was an answer. */
  answered: () => void;
  /** Goes on at once. */
  retry: () => void;
  /** The window came to the front: the server is asked at once. */
  look: () => void;
  stop: () => void;
}

/**
 * Brings what has no verdict to the server again: after a pause that grows, and as soon as a server that was down says
 * that it is well. It is asked one question at a time, and only by a window that somebody sees.
 */
export function createRecovery(isServerWell: () => Promise<boolean>, goOn: () => unknown): Recovery {
  let isWaiting = false;
  let pauses = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let probe: ReturnType<typeof setTimeout> | undefined;
  let isProbing = false;
  /** What was asked before this changed is of no interest any more. */
  let round = 0;

  const clear = () => {
    clearTimeout(pause);
    clearTimeout(probe);
    pause = probe = undefined;
    round += 1;
  };
  const again = () => {
    clear();
    void goOn();
  };
  const ask = async () => {
    clearTimeout(probe);
    probe = undefined;
    if (isProbing) return;
    const asked = round;
    isProbing = true;
    const isWell = await isServerWell().catch(() => false);
    isProbing = false;
    if (asked !== round) {
      // Waits anew by now, and found this question still open.
      if (pause !== undefined && probe === undefined) askSoon();
    } else if (isWell) again();
    else askSoon();
  };
  const askSoon = () => {
    clearTimeout(probe);
    probe = setTimeout(() => void ask(), PROBE_EVERY + Math.random() * JITTER);
  };

  return {
    wait(isDown) {
      clear();
      isWaiting = true;
      pause = setTimeout(again, pauseAfter(pauses) + Math.random() * JITTER);
      pauses += 1;
      if (isDown) askSoon();
    },
    isWaiting: () => isWaiting,
    answered() {
      isWaiting = false;
      pauses = 0;
    },
    retry() {
      pauses = 0;
      again();
    },
    look() {
      if (isWaiting && pause !== undefined) void ask();
    },
    stop() {
      clear();
      isWaiting = false;
      pauses = 0;
    },
  };
}

/** The server's own word on itself and its database; not asked for a window that nobody sees, nor without a network. */
export async function isServerWell(): Promise<boolean> {
  if (document.hidden || !navigator.onLine) return false;
  const answer = await fetch(`${configuration.baseUrl}/readyz`, {
    cache: 'no-store',
    signal: AbortSignal.timeout(PROBE_LASTS),
  });
  return answer.status < 500;
}
