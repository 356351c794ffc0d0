import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { DatabaseClient } from '#server/db/client.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { codeOf } from '#server/transaction.ts';

/**
 * How long one statement of a start waits for a lock. Everybody who comes after it waits behind it, so it gives up soon and
 * tries again.
 */
export const LOCK_MS = 300;
/** The pause between two tries, in which whoever waited goes on. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const LOOK_MS = 50;

const MINUTE_MS = 60_000;
const LOCK_TIMEOUT = '55P03';
const DEADLOCK = '40P01';
/** Whether a statement gave up waiting for a lock, or was chosen to. */
export const isLocked = (error: unknown): boolean => [LOCK_TIMEOUT, DEADLOCK].includes(codeOf(error) ?? '');

/** What is told while a lock is waited for, and when that ends. */
export interface Waiting {
  say?: (line: string) => void;
  /** How long it says nothing, and then between two lines. */
  sayEveryMs?: number;
  endAfterMs?: number;
}

/**
 * Does `attempt` until it had all its locks: with `lock_timeout`, and whole or not at all, as it is tried anew from its
 * beginning. Rule: operating#beside.
 * @throws BadDatabase when it still has not after `endAfterMs`, with who holds the lock and what to do
 */
export async function untilUnlocked<T>(
  url: string,
  client: pg.ClientBase,
  attempt: () => Promise<T>,
  { say, sayEveryMs = 5_000, endAfterMs = 10 * MINUTE_MS }: Waiting = {},
): Promise<T> {
  const began = performance.now();
  let said = began;
  let watch: Watch | undefined;
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await attempt();
      } catch (error) {
        if (!isLocked(error)) throw error;
        await client.query('ROLLBACK');
        const now = performance.now();
        const waited = `${Math.round((now - began) / 1000)} s`;
        const what = watch?.held() ?? 'a lock that is held by another connection';
        if (watch && now - began >= endAfterMs) {
          throw new BadDatabase(
            `The database could not be prepared within ${waited}: it waits for ${what}. Nothing of this step was changed. ` +
              'End that connection (SELECT pg_terminate_backend(…) with its number), or let it finish, and start again.',
          );
        }
        if (watch && say && now - said >= sayEveryMs) {
          said = now;
          say(`Preparing the database waits since ${waited} for ${what}. It tries again.`);
        }
        // Who holds it is seen only while it is waited for.
        watch ??= await watchLocks(url, client);
        await delay(pause);
      }
    }
  } finally {
    await watch?.end();
  }
}

interface Watch {
  /** What was last waited for, and who held it. */
  held: () => string | undefined;
  end: () => Promise<void>;
}

/** Looks by a connection of its own what `client` waits for. */
async function watchLocks(url: string, client: pg.ClientBase): Promise<Watch> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const [{ pid } = { pid: 0 }] = rows;
  const looker = new DatabaseClient({ connectionString: url, application_name: 'reflow prepare' });
  looker.on('error', () => undefined);
  await looker.connect();
  let held: string | undefined;
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      held = (await findHolder(looker, pid)) ?? held;
      await delay(LOOK_MS);
    }
  })().catch(() => undefined);
  return {
    held: () => held,
    end: async () => {
      isOver = true;
      await looking;
      await looker.end();
    },
  };
}

/** What a connection waits for, and who holds it, in words; nothing where it waits for nobody. */
export async function findHolder(looker: pg.ClientBase, pid: number): Promise<string | undefined> {
  const { rows } = await looker.query<Holder>(
    `SELECT a.pid, a.usename AS "user", a.application_name AS program, a.state, a.backend_type AS kind,
            floor(extract(epoch FROM clock_timestamp() - coalesce(a.xact_start, a.backend_start)))::int AS seconds,
            (SELECT l.relation::regclass::text FROM pg_locks AS l
              WHERE l.pid = $1 AND NOT l.granted AND l.relation IS NOT NULL LIMIT 1) AS "table"
       FROM unnest(pg_blocking_pids($1)) AS b (pid) JOIN pg_stat_activity AS a ON a.pid = b.pid
      ORDER BY a.xact_start NULLS LAST LIMIT 1`,
    [pid],
  );
  const [it] = rows;
  if (!it) return undefined;
  const what = it.table ? `the table ${it.table}` : 'a lock';
  const who = [it.program || it.kind, it.user ? `of ${it.user}` : '', it.state ?? ''].filter(Boolean).join(' ');
  return `${what}, which connection ${it.pid} (${who}, since ${it.seconds} s) holds`;
}

interface Holder {
  pid: number;
  user: string | null;
  program: string;
  state: string | null;
  kind: string;
  seconds: number;
  table: string | null;
}
