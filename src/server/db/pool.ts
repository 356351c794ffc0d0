import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { dayFromSql } from '#domain/day.ts';
import { CONNECTIONS } from '#server/config.ts';
import { CONNECT_MS, DatabaseClient } from '#server/db/client.ts';
import type { Tables } from '#server/db/tables.ts';

export interface Database {
  db: Kysely<Tables>;
  /** For what may take long and would keep the stations waiting: few connections, each statement limited by `searchMs`. */
  search: Kysely<Tables>;
  pool: pg.Pool;
  close(): Promise<void>;
}

interface Limits {
  size?: number;
  searchSize?: number;
  statementMs?: number;
  searchMs?: number;
  lockMs?: number;
  /** Lets connecting, statements and waiting for locks take so many times as long; not searches. */
  patience?: number;
}

/**
 * A call waits so long for a connection while all of them are at work: longer than a lock may hold one of them, shorter
 * than a browser waits for its answer.
 */
export const TURN_MS = 15_000;
/** The database ends what takes too long by itself; this ends waiting for a database that does not answer any more. */
const GRACE_MS = 5_000;

/**
 * The pool of the calls, and a small one of the searches. Values come as the wire has them: bigint as a number, a moment
 * and a calendar day (its midnight in `timeZone`) as epoch ms, a decimal as a string. A statement that runs longer than
 * 15 s is ended, and one that waits longer than 10 s for a lock.
 */
export function openDatabase(url: string, timeZone: string, limits: Limits = {}): Database {
  const { size = CONNECTIONS.calls, searchSize = CONNECTIONS.searches } = limits;
  const { statementMs = 15_000, searchMs = 5_000, lockMs = 10_000, patience = 1 } = limits;
  const open = (max: number, ms: number, turnMs: number) => {
    const options = {
      connectionString: url,
      max,
      idleTimeoutMillis: 30_000,
      statement_timeout: ms,
      query_timeout: ms + GRACE_MS,
      lock_timeout: lockMs * patience,
      application_name: 'reflow',
      types: typesOf(timeZone),
    };
    return openPool(turnMs, options, patience);
  };
  const pool = open(size, statementMs * patience, TURN_MS);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  // Where other searches take all connections, a search is refused as soon as one that takes too long itself.
  const searchPool = open(searchSize, searchMs, CONNECT_MS);
  const search = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: searchPool }) });
  return { db, search, pool, close: async () => void (await Promise.all([db.destroy(), search.destroy()])) };
}

/** Ten minutes for a statement, as long as for the tables. */
const FILL_PATIENCE = 40;

/**
 * The same for the rows that a start writes: nobody waits for an answer yet, so that even a very busy machine may take its
 * time.
 */
export const openToFill = (url: string, { timeZone, patience }: { timeZone: string; patience: number }): Database =>
  openDatabase(url, timeZone, { patience: FILL_PATIENCE * patience });

/**
 * A pool in which a call waits for `turnMs` while all connections are at work, and for CONNECT_MS to be let in; with
 * `patience`, for so many times as long.
 */
export function openPool(turnMs: number, options: pg.PoolConfig, patience = 1): pg.Pool {
  // The pool has one time for both: its connections give up their own attempt sooner than it ends the wait for one of them.
  class PooledClient extends DatabaseClient {
    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionTimeoutMillis: CONNECT_MS * patience });
    }
  }
  const connectionTimeoutMillis = turnMs * patience;
  return outlivesItsConnections(
    new pg.Pool({ ...options, keepAlive: true, connectionTimeoutMillis, Client: PooledClient }),
  );
}

/**
 * A connection that the database ends must not end the server, neither an idle one nor one that a transaction holds: what
 * was asked on it fails by itself, and the next query opens another.
 */
function outlivesItsConnections(pool: pg.Pool): pg.Pool {
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool.on('error', () => undefined);
}

function typesOf(timeZone: string): pg.CustomTypesConfig {
  const { INT8, TIMESTAMPTZ, DATE } = pg.types.builtins;
  const parsers: Record<number, (text: string) => unknown> = {
    [INT8]: Number,
    [TIMESTAMPTZ]: (text) => parseMoment(text),
    [DATE]: (text) => dayFromSql(text, timeZone),
  };
  return {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
  };
}

/**
 * `2026-11-21 03:04:05.678+00` as epoch ms. Each moment that is read comes here: adding up its digits takes a third of the
 * time that cutting them out does.
 */
export function parseMoment(text: string): number {
  const digits = (at: number) => (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
  const zone = text.length - 3;
  const sign = SIGNS[text.charAt(zone)];
  // A year of less or more than four digits, or a zone of half an hour.
  if (!sign || text.charAt(10) !== ' ' || text < '1000') {
    return Date.parse(`${text.replace(' ', 'T')}${sign ? ':00' : ''}`);
  }
  let ms = Date.UTC(digits(0) * 100 + digits(2), digits(5) - 1, digits(8), digits(11), digits(14), digits(17));
  for (let at = 20, unit = 100; at < Math.min(zone, 23); at++, unit /= 10) ms += (text.charCodeAt(at) - ZERO) * unit;
  return ms - sign * digits(zone + 1) * HOUR_MS;
}

const SIGNS: Readonly<Record<string, number>> = { '+': 1, '-': -1 };
const HOUR_MS = 3_600_000;
const ZERO = 48;
