import { sql, CompiledQuery, type Kysely } from 'kysely';
import type pg from 'pg';
import PgBoss from 'pg-boss';
import { openPool, TURN_MS } from '#server/db/pool.ts';
import type { Tables } from '#server/db/tables.ts';

/** The one queue: its messages say only that a user has work waiting; what work is in the table `job`. */
export const QUEUE = 'job';
/** The channel on which workers hear that there is work (`start`) and that a job is cancelled (`cancel 12`). */
export const CHANNEL = 'reflow_job';
/** A message outlives any job; pg-boss allows a day at most. */
const MESSAGE_HOURS = 23;
export const BOSS_CONNECTIONS = 3;

export interface Message {
  userId: string;
}

/** The queue on connections of its own; whoever stops it closes these after it. */
export function openBoss(url: string): { boss: PgBoss; pool: pg.Pool; close(): Promise<void> } {
  const pool = openPool(TURN_MS, { connectionString: url, max: BOSS_CONNECTIONS, application_name: 'reflow jobs' });
  // As on connections of its own, what a job that was given up still says of its message is said to nobody.
  const executeSql = async (text: string, values: unknown[]) =>
    pool.ending ? (undefined as never) : await pool.query(text, values);
  return { boss: new PgBoss({ db: { executeSql }, schema: 'pgboss', schedule: false }), pool, close: () => pool.end() };
}

/** Sends only: it has no connection of its own, each message goes through the caller's transaction. */
const sender = new PgBoss({ db: { executeSql: () => Promise.reject(new Error('only inside a transaction')) } });

/** Tells the workers of all servers that the user has work; heard when the transaction that `db` may be commits. */
export async function wake(db: Kysely<Tables>, userId: string, afterSeconds = 0): Promise<void> {
  const message: Message = { userId };
  await sender.send(QUEUE, message, {
    expireInHours: MESSAGE_HOURS,
    retryLimit: 0,
    ...(afterSeconds > 0 && { startAfter: afterSeconds }),
    db: {
      executeSql: async (text, values) => {
        const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
        return { rows };
      },
    },
  });
  await sql`SELECT pg_notify(${CHANNEL}, 'start')`.execute(db);
}
