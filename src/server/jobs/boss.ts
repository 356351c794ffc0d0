import { sql, CompiledQuery, type Kysely } from 'kysely';
import PgBoss from 'pg-boss';
import { CONNECT_MS } from '#server/db/pool.ts';
import type { Tables } from '#server/db/tables.ts';

/** The one queue: its messages say only that a user has work waiting; what work is in the table `job`. */
export const QUEUE = 'job';
/** The channel on which workers hear that there is work (`start`) and that a job is cancelled (`cancel 12`). */
export const CHANNEL = 'reflow_job';
/** A message outlives any job; pg-boss allows a day at most. */
const MESSAGE_HOURS = 23;

export interface Message {
  userId: string;
}

export const openBoss = (url: string): PgBoss => {
  // Handed on to its pool as it is, though its types do not know it.
  const patience = { connectionTimeoutMillis: CONNECT_MS };
  const options = { connectionString: url, schema: 'pgboss', schedule: false, max: 3, application_name: 'reflow jobs' };
  return new PgBoss({ ...options, ...patience });
};

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
