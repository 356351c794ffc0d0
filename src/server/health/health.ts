import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type pg from 'pg';
import { stopsWork, type Trouble, type TroubleKey } from '#domain/health.ts';
import type { Missing } from '#domain/refusal.ts';
import type { Config } from '#server/config.ts';
import { readStuck } from '#server/db/embedded/walArchive.ts';
import { missingOf } from '#server/health/missing.ts';
import { LOCK_SPACE } from '#server/jobs/sweep.ts';
import { lacksMark, MARKED } from '#server/uploads/sharedFolder.ts';

export interface Health {
  /** Notes what a failed call was missing: only a write notices a full disk. */
  note(missing: Missing): void;
  /** What is missing, or soon will be, the worst first. */
  check(): Promise<Trouble[]>;
}

/** From here on it is scarce, in percent. */
const SCARCE = 90;
/** How long what a call has met counts, where nothing shows sooner that it is over. */
const NOTED_MS = 30_000;
const CHECK_MS = 5_000;
const MB = 1024 * 1024;
/** No probe sees these; the call that failed has reported them. */
const noted: ReadonlySet<Missing> = new Set(['databaseFull', 'databaseMemory', 'diskFull', 'filesUnreachable']);

/**
 * Looks after what the server lives on: database, connections, disk, jobs. From `leaving` on it sends everybody elsewhere;
 * `number` is its own.
 */
export function openHealth(
  pool: pg.Pool,
  { dataDir, diskFreeMb }: Config,
  { leaving, number }: { leaving?: AbortSignal; number?: number } = {},
): Health {
  const lately = new Map<Missing, number>();
  return {
    note: (missing) => {
      if (noted.has(missing)) lately.set(missing, performance.now());
    },
    async check() {
      const since = performance.now() - NOTED_MS;
      for (const [key, at] of lately) if (at <= since) lately.delete(key);
      if (lately.has('databaseFull') && (await hasRoom(pool))) lately.delete('databaseFull');
      const seen = [...lately.keys()].map((key) => trouble(key));
      const leave = leaving?.aborted ? [trouble('stopping')] : [];
      const found = [
        ...leave,
        ...seen,
        ...(await findDatabaseTroubles(pool, dataDir, number)),
        ...(await findDiskTroubles(dataDir, diskFreeMb)),
      ];
      const once = [...new Map(found.map((it) => [it.key, it])).values()];
      return [...once.filter(stopsWork), ...once.filter((it) => !stopsWork(it))];
    },
  };
}

const trouble = (key: TroubleKey, args: Record<string, number> = {}): Trouble => ({ key, args });

interface State {
  used: number;
  most: number;
  readOnly: boolean;
  hasWorker: boolean;
  marked: number[];
}

async function findDatabaseTroubles(pool: pg.Pool, dataDir: string, own?: number): Promise<Trouble[]> {
  // Of a connection of another role an ordinary one sees only that it is somebody's.
  const asked = {
    text: `
      SELECT (SELECT count(*) FROM pg_stat_activity
               WHERE coalesce(backend_type, 'client backend') = 'client backend' AND usesysid IS NOT NULL)::int AS used,
             current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
             pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "readOnly",
             EXISTS (SELECT 1 FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
                      WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.granted
                        AND l.objsubid = 2 AND l.classid::bigint = ${LOCK_SPACE}) AS "hasWorker",
             ${MARKED} AS marked`,
    query_timeout: CHECK_MS,
  };
  try {
    const { rows } = await inTime(pool.query<State>(asked));
    const { used, most, readOnly, hasWorker, marked } = rows[0] as State;
    // Its own says nothing of the others, and a folder that can't be reached is told by what looks at its disk.
    const others = marked.filter((it) => it !== own);
    const isShared = !(await lacksMark({ dataDir }, others).catch(() => false));
    return [
      ...(readOnly ? [trouble('databaseReadOnly')] : []),
      ...(used * 100 >= most * SCARCE ? [trouble('connectionsScarce', { used, most })] : []),
      ...(hasWorker ? [] : [trouble('jobsStopped')]),
      ...(await findSetAside(pool)),
      ...(isShared ? [] : [trouble('filesNotShared')]),
      ...((await inTime(readStuck(pool)).catch(() => null)) ? [trouble('walNotArchived')] : []),
    ];
  } catch (error) {
    return [trouble(missingOf(error) ?? 'databaseDown')];
  }
}

/** Whether the database has room for a few pages again: they are written, and gone with the statement. */
async function hasRoom(pool: pg.Pool): Promise<boolean> {
  const asked = {
    text: 'CREATE TEMP TABLE room_probe ON COMMIT DROP AS SELECT generate_series(1, 5000) AS n',
    query_timeout: CHECK_MS,
  };
  return inTime(pool.query(asked)).then(
    () => true,
    () => false,
  );
}

/** Publishes that the last start could not apply; that they can't be counted is no trouble of its own. */
async function findSetAside(pool: pg.Pool): Promise<Trouble[]> {
  const asked = {
    text: `SELECT count(*)::int AS count FROM definition_publish WHERE trouble IS NOT NULL AND "isInForce"`,
    query_timeout: CHECK_MS,
  };
  const { rows } = await inTime(pool.query<{ count: number }>(asked)).catch(() => ({ rows: [] }));
  const count = rows[0]?.count ?? 0;
  return count > 0 ? [trouble('publishAside', { smart_count: count })] : [];
}

/** Whoever probes does not wait as long as a call does for its connection. */
async function inTime<T>(asking: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('timeout exceeded when trying to connect')), CHECK_MS);
  });
  asking.catch(() => undefined);
  try {
    return await Promise.race([asking, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** As `df` counts: what is kept back for root is neither free nor used. */
async function findDiskTroubles(dataDir: string, diskFreeMb: number): Promise<Trouble[]> {
  try {
    const { bsize, blocks, bfree, bavail } = await readStatfs(dataDir);
    const free = Math.floor((bavail * bsize) / MB);
    const used = blocks - bfree;
    const percent = used + bavail === 0 ? 0 : Math.floor((used * 100) / (used + bavail));
    if (free < diskFreeMb) return [trouble('diskFull', { free })];
    return percent >= SCARCE ? [trouble('diskScarce', { percent, free })] : [];
  } catch {
    return [trouble('filesUnreachable')];
  }
}

/** The folder is made when the first file comes. */
async function readStatfs(folder: string): Promise<StatsFs> {
  try {
    return await statfs(folder);
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
    return readStatfs(parent);
  }
}
