import { sql, type Kysely } from 'kysely';
import { vi } from 'vitest';
import type { Tables } from '#server/db/tables.ts';

/**
 * Lets nobody write to a table until as many calls as are begun wait at once: each has then read what was there before
 * the others, if nothing keeps it from that.
 */
export async function allAtOnce<T>(db: Kysely<Tables>, table: string, calls: (() => Promise<T>)[]): Promise<T[]> {
  const held = await db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE ${sql.table(table)} IN SHARE MODE`.execute(trx);
    const begun = Promise.all(calls.map((it) => it()));
    const waiting = sql<{ n: number }>`
      SELECT count(DISTINCT pid)::int AS n FROM pg_locks
       WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await vi.waitUntil(async () => (await waiting.execute(trx)).rows[0]?.n === calls.length);
    // Not awaited here: they go on when this transaction is over.
    return { begun };
  });
  return held.begun;
}
