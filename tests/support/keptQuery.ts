import { sql, type Kysely } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

/** The query that each function of a database runs now, by its name. */
const kept = new WeakMap<Kysely<Tables>, Map<string, string>>();

/**
 * The rows of a query, each of two texts. PostgreSQL takes longer to plan a query over a hundred tables than to run it; a
 * function, made when the query is asked first, keeps the plan.
 */
export async function readKept(
  db: Kysely<Tables>,
  name: string,
  query: string,
): Promise<{ name: string; content: string }[]> {
  const queries = kept.get(db) ?? new Map<string, string>();
  kept.set(db, queries);
  if (queries.get(name) !== query) {
    await sql`CREATE SCHEMA IF NOT EXISTS test_support`.execute(db);
    await sql
      .raw(
        `CREATE OR REPLACE FUNCTION test_support."${name}"() RETURNS TABLE (name text, content text)
          LANGUAGE plpgsql AS $function$ #variable_conflict use_column
          BEGIN RETURN QUERY ${query}; END $function$`,
      )
      .execute(db);
    queries.set(name, query);
  }
  const { rows } = await sql
    .raw<{ name: string; content: string }>(`SELECT name, content FROM test_support."${name}"()`)
    .execute(db);
  return rows;
}
