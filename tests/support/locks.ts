import { sql, type Kysely } from 'kysely';
import { vi } from 'vitest';
import type { Tables } from '#server/db/tables.ts';

/** How many in this database wait for a lock that another one holds. */
async function countWaiting(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}

export const isLockWaited = async (db: Kysely<Tables>): Promise<boolean> => (await countWaiting(db)) > 0;

/** Whether one of these connections waits for a lock that another one holds. */
export async function isBlocked(db: Kysely<Tables>, pids: readonly number[]): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM unnest(${pids}::int[]) AS pid WHERE cardinality(pg_blocking_pids(pid)) > 0`.execute(db);
  return rows.length > 0;
}

/** Until so many wait for locks. */
export const untilWaiting = (db: Kysely<Tables>, count = 1): Promise<boolean> =>
  vi.waitUntil(async () => (await countWaiting(db)) >= count, { interval: 10 });
