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

/** How long it says nothing while it waits, and then between two lines. */
export const SAY_MS = 5_000;
const END_MS = 600_000;
const CANCELLED = '57014';
const LOCK_TIMEOUT = '55P03';
const DEADLOCK = '40P01';
/** Whether a statement gave up waiting for a lock, or was chosen to. */
const isLocked = (error: unknown): boolean => [LOCK_TIMEOUT, DEADLOCK].includes(codeOf(error) ?? '');

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
  { say, sayEveryMs = SAY_MS, endAfterMs = END_MS }: Waiting = {},
): Promise<T> {
  const began = performance.now();
  let said = began;
  let what = 'a lock that another connection holds';
  let watch: Watch | undefined;
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await attempt();
      } catch (error) {
        if (!isLocked(error)) throw error;
        await client.query('ROLLBACK');
        const now = performance.now();
        if (watch && now - began >= endAfterMs) throw gaveUp(began, what);
        if (watch && say && now - said >= sayEveryMs) {
          said = now;
          say(`${waits(began, what)} It tries again.`);
        }
        // Who holds it is seen only while it is waited for.
        watch ??= await watchLocks(url, client, (it) => (what = it?.what ?? what));
        await delay(pause);
      }
    }
  } finally {
    await watch?.end();
  }
}

/**
 * Runs a statement that waits for others and keeps nobody from going on meanwhile, as `CREATE INDEX CONCURRENTLY` does; what
 * it waits for is told. Rule: operating#beside.
 * @throws BadDatabase when it has waited for one connection for `endAfterMs`, with which one and what to do
 */
export async function watchStatement(
  url: string,
  client: pg.ClientBase,
  statement: string,
  { say, sayEveryMs = SAY_MS, endAfterMs = END_MS }: Waiting = {},
): Promise<void> {
  let [since, said] = [performance.now(), performance.now()];
  let pid: number | undefined;
  let end: BadDatabase | undefined;
  const watch = await watchLocks(url, client, (held, cancel) => {
    const now = performance.now();
    if (held?.pid !== pid) [pid, since, said] = [held?.pid, now, now];
    if (held && now - since >= endAfterMs) {
      end = gaveUp(since, held.what);
      void cancel();
    } else if (held && say && now - said >= sayEveryMs) {
      said = now;
      say(waits(since, held.what));
    }
  });
  try {
    await client.query(statement);
  } catch (error) {
    throw end && codeOf(error) === CANCELLED ? end : error;
  } finally {
    await watch.end();
  }
}

const seconds = (since: number) => `${Math.round((performance.now() - since) / 1000)} s`;
const waits = (since: number, what: string) => `Preparing the database has been waiting ${seconds(since)} for ${what}.`;
const gaveUp = (since: number, what: string) =>
  new BadDatabase(
    `The database could not be prepared: for ${seconds(since)} it has waited for ${what}. This step of it has changed nothing. Let ` +
      'that connection finish or end it (SELECT pg_terminate_backend(…) with its number), and start again.',
  );

interface Held {
  /** The connection that holds it. */
  pid: number;
  /** In words, with who that is. */
  what: string;
}

interface Watch {
  end: () => Promise<void>;
}

/** Looks by a connection of its own what `client` waits for, again and again. `cancel` ends the statement that waits. */
async function watchLocks(
  url: string,
  client: pg.ClientBase,
  onLook: (held: Held | undefined, cancel: () => Promise<unknown>) => void,
): Promise<Watch> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const [{ pid } = { pid: 0 }] = rows;
  const looker = new DatabaseClient({ connectionString: url, application_name: 'reflow prepare' });
  looker.on('error', () => undefined);
  await looker.connect();
  const cancel = () => looker.query('SELECT pg_cancel_backend($1)', [pid]).catch(() => undefined);
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) {
      onLook(await findHolder(looker, pid), cancel);
      await delay(LOOK_MS, undefined, { signal: over.signal });
    }
  })().catch(() => undefined);
  return {
    end: async () => {
      over.abort();
      await looking;
      await looker.end();
    },
  };
}

async function findHolder(looker: pg.ClientBase, waiting: number): Promise<Held | undefined> {
  const { rows } = await looker.query<Holder>(
    `SELECT a.pid, a.usename AS "user", a.application_name AS program, a.state, a.backend_type AS kind,
            floor(extract(epoch FROM clock_timestamp() - coalesce(a.xact_start, a.backend_start)))::int AS seconds,
            (SELECT l.relation::regclass::text FROM pg_locks AS l
              WHERE l.pid = $1 AND NOT l.granted AND l.relation IS NOT NULL LIMIT 1) AS "table"
       FROM unnest(pg_blocking_pids($1)) AS b (pid) JOIN pg_stat_activity AS a ON a.pid = b.pid
      ORDER BY a.xact_start NULLS LAST LIMIT 1`,
    [waiting],
  );
  const [it] = rows;
  if (!it) return undefined;
  const who = [it.program || it.kind, it.user ? `of ${it.user}` : '', it.state ?? ''].filter(Boolean).join(' ');
  const connection = `connection ${it.pid} (${who}, for ${it.seconds} s)`;
  return { pid: it.pid, what: it.table ? `the table ${it.table}, which ${connection} holds` : connection };
}

interface Holder {
  pid: number;
  user: string | null;
  program: string;
  state: string | null;
  kind: string;
  seconds: number;
  /** Nothing where it is waited for its transaction. */
  table: string | null;
}
