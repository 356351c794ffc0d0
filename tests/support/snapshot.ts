import { sql, type Kysely } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

/**
 * What a refused call may write: the count of its failures, a number that is then never used, that a session ended; and
 * what a station tells its colleagues, which is no record and is gone after a minute and a half.
 */
const APART = new Set([
  ...['session', 'captcha', 'login_attempt', 'bill_number', 'table_change', 'station_scans'],
  // What a service may still send is less by what was refused as well.
  'service_allowance',
]);

/** The query that each database's function runs now. */
const queries = new WeakMap<Kysely<Tables>, string>();

/**
 * How many rows each table holds and a sum over their contents: the same twice when nothing was written in between.
 * PostgreSQL takes longer to plan a query over a hundred tables than to run it; a function keeps the plan.
 */
export async function takeSnapshot(db: Kysely<Tables>): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`.execute(db);
  const query = tables
    .map((it) => it.name)
    .filter((it) => !APART.has(it))
    .map(
      (name) => `SELECT '${name}', count(*) || ' ' || coalesce(sum(hash_record_extended(t, 0)), 0)
        FROM public."${name}" AS t`,
    )
    .join(' UNION ALL ');
  if (queries.get(db) !== query) {
    await sql`CREATE SCHEMA IF NOT EXISTS test_support`.execute(db);
    await sql
      .raw(
        `CREATE OR REPLACE FUNCTION test_support.take_snapshot() RETURNS TABLE (name text, content text)
          LANGUAGE plpgsql AS $function$ BEGIN RETURN QUERY ${query}; END $function$`,
      )
      .execute(db);
    queries.set(db, query);
  }
  const { rows } = await sql<{ name: string; content: string }>`
    SELECT name, content FROM test_support.take_snapshot()`.execute(db);
  return Object.fromEntries(rows.map((it) => [it.name, it.content]));
}
