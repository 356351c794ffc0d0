import { setTimeout as delay } from 'node:timers/promises';
import { runsOn, stopPostmaster, type Postmaster } from './postmaster.ts';

interface Kept {
  /** The one that runs now. */
  postmaster: Postmaster;
  folder: string;
  /** Starts another at the same port; gives up when it is to stop. */
  startAgain: (stopping: AbortSignal) => Promise<Postmaster>;
  log: (sentence: string) => void;
}

const LOOK_MS = 500;
/** Between two starts: twice as long each time. Whoever makes space is served again within seconds. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 3_000;

/**
 * Starts PostgreSQL again whenever it ended without having been told to, as it does when its disk is full, for as long as it
 * takes. Rule: operating#database.
 * @returns what stops it, or ends the attempts to start it
 */
export function keepRunning({ postmaster, folder, startAgain, log }: Kept): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  let current = postmaster;

  const bringBack = async () => {
    log(`The database ended by itself (process ${current.pid}); it is started again`);
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        current = await startAgain(signal);
        log(`The database runs again (process ${current.pid})`);
        return;
      } catch (error) {
        if (pause === FIRST_PAUSE_MS) log(`${(error as Error).message}\nIt is tried again until it starts`);
        await rest(pause);
      }
    }
  };
  const watch = async () => {
    while (!signal.aborted) {
      if (runsOn(current.pid, folder)) await rest(LOOK_MS);
      else await bringBack();
    }
  };
  const watching = watch();
  return async () => {
    stopping.abort();
    await watching;
    await stopPostmaster(current, folder);
  };
}
