import type pg from 'pg';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

/** How often each of some tables had been changed when it was asked; equal sums mean that nothing was written between. */
export type Versions = ReadonlyMap<string, number>;

/**
 * Reads the versions of tables. What is kept in memory is kept beside the version that was read *before* it, and used
 * only while a request reads the same version again: so any number of servers may keep things, and none gives anything
 * that a commit before the request has changed. Requests that come while one small query is under way share the next
 * one, which begins after the last of them has come. Rule: writing#versions.
 */
export type ReadVersions = (tables: readonly string[]) => Promise<Versions>;

export function openVersions(pool: pg.Pool): ReadVersions {
  let running: Promise<unknown> | undefined;
  let next: { tables: Set<string>; versions: Promise<Versions> } | undefined;
  return (tables) => {
    if (!next) {
      const asked = new Set<string>();
      const before = running ?? Promise.resolve();
      const versions = before
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return query(pool, [...asked]);
        });
      next = { tables: asked, versions };
      running = versions;
    }
    for (const it of tables) next.tables.add(it);
    return next.versions;
  };
}

async function query(pool: pg.Pool, tables: readonly string[]): Promise<Versions> {
  const asked = {
    name: 'versions',
    text: 'SELECT name, sum(n)::bigint AS n FROM table_change WHERE name = ANY($1) GROUP BY name',
    values: [tables],
    // Everybody waits for it: a connection that was lost silently must not delay them for long.
    query_timeout: 5_000,
  };
  const { rows } = await pool.query<{ name: string; n: number }>(asked);
  return new Map(rows.map((it) => [it.name, it.n]));
}

/** One text for the versions of these tables; undefined when one of them was not read. */
export function versionOf(
  versions: Versions,
  asked: ReadonlySet<string>,
  tables: readonly string[],
): string | undefined {
  if (!tables.every((it) => asked.has(it))) return undefined;
  return tables.map((it) => versions.get(it) ?? 0).join('.');
}

/** Adds the counts of backends that have gone to one row a table; no sum changes by it. */
export async function tidyChanges(db: Kysely<Tables>): Promise<void> {
  await sql`
    WITH gone AS (
      DELETE FROM table_change AS it
       WHERE backend <> 0 AND NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = it.backend)
      RETURNING name, n
    )
    INSERT INTO table_change AS it (name, backend, n) SELECT name, 0, sum(n) FROM gone GROUP BY name
      ON CONFLICT (name, backend) DO UPDATE SET n = it.n + excluded.n`.execute(db);
}
