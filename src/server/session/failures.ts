import { Refusal, type Problem } from '#domain/refusal.ts';
import type { Context, CurrentUser } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { bucketOf, countIn } from '#server/session/attempts.ts';

/** So many failures of one address are written down in a quarter of an hour, and of all together in an hour. */
const OF_ADDRESS = { max: 60, minutes: 15 };
const OF_ALL = { max: 5_000, minutes: 60 };
const LONGEST_NAME = 100;

/**
 * Opens a session, or writes down who was refused one: the name as it was typed, the address, the reason. Bounded, so
 * that nobody fills the ledger by failing; that it was cut short is the last that is written.
 */
export async function writingFailure<T>(ctx: Context, typed: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof Refusal) await writeFailure(ctx, typed, error.problems[0]);
    throw error;
  }
}

async function writeFailure(ctx: Context, typed: string, { key, args }: Problem): Promise<void> {
  const { db, request } = ctx;
  const ofAddress = await countIn(db, bucketOf('failures', request.ip), OF_ADDRESS);
  if (ofAddress > OF_ADDRESS.max) return;
  const ofAll = await countIn(db, 'failures', OF_ALL);
  if (ofAll > OF_ALL.max) return;
  const isLast = ofAddress === OF_ADDRESS.max || ofAll === OF_ALL.max;
  // Whom the single sign-on names, and nobody here knows.
  const name = asName(typed || String(args?.['userId'] ?? ''));
  const account = await db.selectFrom('admin_user').select(['userId', 'siteId']).where('userId', '=', name).execute();
  const currentUser: CurrentUser = {
    ...ctx.currentUser,
    userId: account[0]?.userId ?? '',
    siteId: account[0]?.siteId ?? '',
  };
  const to = { reason: key, ...(isLast && { moreNotWritten: true }) };
  await recordInLedger({ ...ctx, currentUser }, { what: 'loginFailed', module: 'session', recordId: name, to });
}

/** One line of at most a hundred characters, and what is not seen as what it is. */
const asName = (typed: string): string =>
  typed
    .trim()
    .slice(0, LONGEST_NAME)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (it) => `\\u{${(it.codePointAt(0) ?? 0).toString(16)}}`);
