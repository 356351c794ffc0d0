import { configuration } from '#app/configuration.ts';
import { isServerDown, isUnreached } from '#app/parts/scan/answers.ts';
import { pauseAfter } from '#app/pauses.ts';

/** What a station knows of the server. */
export interface ServerContact {
  /** It answered: to this scan, or to something else. */
  answered: (key?: string) => void;
  /** It gave no verdict: what waits is asked again later. */
  unanswered: (error: unknown) => void;
  /** It was silent last. */
  isSilent: () => boolean;
  /** It owes this scan a verdict; where that takes long, it is told. */
  expect: (key: string) => void;
  /** What waits is brought to it at once. */
  retry: () => void;
  /** The window came to the front: it is asked at once. */
  look: () => void;
  /** It is asked no more; scans that it owes a verdict may still be told. */
  rest: () => void;
  stop: () => void;
}

interface Hooks {
  /** What this scan waits for does not come. */
  showVerdict: (key: string) => void;
  /** It was reached, or it was not. */
  onReached: (isReached: boolean) => void;
  isServerWell: () => Promise<boolean>;
  /** Nobody is there any more for whom it would be asked again. */
  isStopped: () => boolean;
  /** Brings to it what waits. */
  goOn: () => unknown;
}

/** The server as one station knows it: whether it answers, when it is asked again, and which scans wait for it. */
export function createServerContact({
  showVerdict: notify,
  onReached,
  isServerWell,
  isStopped,
  goOn,
}: Hooks): ServerContact {
  const silence = createSilence(notify);
  const recovery = createRecovery(isServerWell, goOn);
  let isAnswering = true;
  return {
    answered(key) {
      silence.answered(key);
      if (isAnswering) return;
      isAnswering = true;
      recovery.answered();
      onReached(true);
    },
    unanswered(error) {
      isAnswering = false;
      onReached(!isUnreached(error));
      silence.begin();
      if (!isStopped()) recovery.wait(isServerDown(error));
    },
    isSilent: recovery.isWaiting,
    expect: silence.expect,
    retry: recovery.retry,
    look: recovery.look,
    rest: recovery.stop,
    stop() {
      recovery.stop();
      silence.stop();
    },
  };
}

/** Who has heard nothing of a scan for so long is told that it is kept, whatever becomes of its verdict. */
const LONGEST_WAIT = 2000;

interface Silence {
  /** The scan is on disk; its verdict is still to come. */
  expect: (key: string) => void;
  /** The server answered: to this scan, or to something else. */
  answered: (key?: string) => void;
  /** Nothing was answered, and nobody knows when something will be. */
  begin: () => void;
  stop: () => void;
}

/**
 * Tells of scans whose verdict does not come. What has waited for two seconds is told; once the server is known to be
 * silent the newest is told, and from then on each at once, until there is an answer again.
 */
export function createSilence(notify: (key: string) => void): Silence {
  let isSilent = false;
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  const forget = (key: string) => {
    clearTimeout(waiting.get(key));
    waiting.delete(key);
  };
  const stop = () => [...waiting.keys()].forEach(forget);
  return {
    expect(key) {
      if (isSilent) return notify(key);
      const late = () => {
        waiting.delete(key);
        notify(key);
      };
      waiting.set(key, setTimeout(late, LONGEST_WAIT));
    },
    answered(key) {
      isSilent = false;
      if (key !== undefined) forget(key);
    },
    begin() {
      const newest = [...waiting.keys()].at(-1);
      stop();
      isSilent = true;
      if (newest !== undefined) notify(newest);
    },
    stop,
  };
}

/** Meanwhile the server is asked whether it is well, so that who scans waits less than three seconds once it is. */
const PROBE_EVERY = 1200;
const PROBE_LASTS = 1000;
/** Up to so much longer, so that not all stations come at once. */
const JITTER = 400;

interface Recovery {
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
