import { sql } from 'kysely';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { codeOf } from '#server/transaction.ts';

const QUERY_CANCELED = '57014';

/**
 * Reads under a limit that the database holds by itself, so that no search keeps a connection from the stations for
 * long. Refused, with what to do, when it takes longer. Design section 8.
 */
export const withinTime = <T>(ctx: Context, read: (ctx: Context) => Promise<T>): Promise<T> =>
  orTooSlow(
    ctx.db.transaction().execute(async (db) => {
      await sql`SELECT set_config('statement_timeout', ${String(ctx.config.searchMs)}, true)`.execute(db);
      return read({ ...ctx, db });
    }),
  );

/** What the database has ended for its length is refused in words. */
export async function orTooSlow<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === QUERY_CANCELED) throw new Refusal({ key: 'searchSlow' });
    throw error;
  }
}
