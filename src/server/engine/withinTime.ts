import { Refusal, type RefusalKey } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { codeOf } from '#server/transaction.ts';

/** Ended for its length, and ended for waiting for somebody's lock. */
const ENDED = new Set(['57014', '55P03']);
/** Said by the pool when none of its connections has become free. */
const NO_CONNECTION = 'timeout exceeded when trying to connect';

/**
 * Reads on one of the few connections for searches, each statement under a limit that the database holds by itself: no
 * search keeps a connection from the stations. Refused, with what to do, when it takes longer. Rule: rights#searches.
 */
export const withinTime = <T>(
  ctx: Context,
  read: (ctx: Context) => Promise<T>,
  refusal: RefusalKey = 'searchSlow',
): Promise<T> => orTooSlow(read({ ...ctx, db: ctx.search }), refusal);

/** What the database has ended, and what found no connection because of other searches, is refused in words. */
export async function orTooSlow<T>(reading: Promise<T>, refusal: RefusalKey = 'searchSlow'): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const isOver = ENDED.has(codeOf(error) ?? '') || (error instanceof Error && error.message === NO_CONNECTION);
    if (isOver) throw new Refusal({ key: refusal });
    throw error;
  }
}
