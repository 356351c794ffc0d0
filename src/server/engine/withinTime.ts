import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { codeOf } from '#server/transaction.ts';

const QUERY_CANCELED = '57014';

/**
 * Reads on one of the few connections for searches, each statement under a limit that the database holds by itself: no
 * search keeps a connection from the stations. Refused, with what to do, when it takes longer. Design section 8.
 */
export const withinTime = <T>(ctx: Context, read: (ctx: Context) => Promise<T>): Promise<T> =>
  orTooSlow(read({ ...ctx, db: ctx.search }));

/** What the database has ended for its length is refused in words. */
export async function orTooSlow<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === QUERY_CANCELED) throw new Refusal({ key: 'searchSlow' });
    throw error;
  }
}
