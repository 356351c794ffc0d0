import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStartTime, readPidSpace, pause, StartRefused } from './processes.ts';

/** The holder touches its lock this often; one that nobody touched for `DEAD_AFTER` is no longer held. */
const PATIENCE = 15;
const TOUCH_EVERY = 4_000;
const DEAD_AFTER = 12_000;

interface Holder {
  pid: number;
  birth: string | null;
  machine: string;
  /** Tells this taking from every other one. */
  token: string;
}

/**
 * One server works on a data folder. The holder is known by its pid and its birth, so that another process with the pid of
 * a dead server does not keep the folder shut; a holder in another container, whose pids mean nothing here, by the lock
 * being touched.
 * @returns what gives the lock back
 * @throws StartRefused naming the pid of the server that works there
 */
export async function takeLock(folder: string): Promise<() => void> {
  const file = join(folder, 'server.lock');
  const mine: Holder = {
    pid: process.pid,
    birth: readStartTime(process.pid),
    machine: readPidSpace(),
    token: randomUUID(),
  };
  let patience = PATIENCE;
  while (!create(file, mine)) {
    const holder = readHolder(file);
    if (holder && (await isHeld(holder, file))) {
      // A server that was killed a moment ago may still be seen to die.
      if (patience-- > 0) {
        await pause(100);
        continue;
      }
      throw new StartRefused(
        `Another Reflow server (process ${holder.pid}) already works on ${folder}. ` +
          'Stop it first, or give this one a DATA_DIR of its own.',
      );
    }
    putAside(file, holder);
  }
  const touch = setInterval(() => touchFile(file), TOUCH_EVERY).unref();
  return () => {
    clearInterval(touch);
    if (readHolder(file)?.token === mine.token) rmSync(file, { force: true });
  };
}

/** A lock comes into being whole, by a link to a file that is written already: nobody ever reads half of one. */
function create(file: string, holder: Holder): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o644 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

async function isHeld(holder: Holder, file: string): Promise<boolean> {
  if (holder.machine === readPidSpace()) return holder.birth !== null && readStartTime(holder.pid) === holder.birth;
  const touched = touchedAt(file);
  while (Date.now() - touchedAt(file) < DEAD_AFTER) {
    if (touchedAt(file) !== touched) return true;
    await pause(500);
  }
  return false;
}

/** Of two starts that find the same dead lock, one moves it away; the other may catch the new lock and must put it back. */
function putAside(file: string, dead: Holder | null): void {
  const aside = `${file}.dead-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (readHolder(aside)?.token !== dead?.token) renameSync(aside, file);
  rmSync(aside, { force: true });
}

function touchedAt(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function touchFile(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // The folder was taken away under the running server; the next query says so better than a lock could.
  }
}
