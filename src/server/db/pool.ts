import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { dayFromSql } from '#domain/day.ts';
import type { Tables } from '#server/db/tables.ts';

export interface Database {
  db: Kysely<Tables>;
  pool: pg.Pool;
  close(): Promise<void>;
}

/**
 * The one pool. Values come as the wire has them: bigint as a number, a moment and a calendar day (its midnight in
 * `timeZone`) as epoch ms, a decimal as a string. A statement that runs longer than 15 s is ended.
 */
export function openDatabase(url: string, timeZone: string, size = 20, statementMs = 15_000): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementMs,
    application_name: 'reflow',
    types: typesOf(timeZone),
  });
  // An idle connection that the database ends must not end the server: the next query opens another.
  pool.on('error', () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
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

/** `2026-11-21 03:04:05.678+00` as epoch ms. */
function parseMoment(text: string): number {
  const iso = text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');
  return Date.parse(iso);
}
