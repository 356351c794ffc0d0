import { sql, type Kysely } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { readKept } from '#tests/support/keptQuery.ts';

/**
 * What a refused call may write: the count of its failures, a number that is then never used, that a session ended; and
 * what a station tells its colleagues, which is no record and is gone after a minute and a half.
 */
const APART = new Set([
  ...['session', 'captcha', 'login_attempt', 'bill_number', 'table_change', 'station_scans'],
  // What a service may still send is less by what was refused as well.
  'service_allowance',
]);

/** How many rows each table holds and a sum over their contents: the same twice when nothing was written in between. */
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
  const rows = await readKept(db, 'take_snapshot', query);
  return Object.fromEntries(rows.map((it) => [it.name, it.content]));
}
