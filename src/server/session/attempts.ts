import { sql, type Kysely } from 'kysely';
import { Refusal } from '#domain/refusal.ts';
import type { Tables } from '#server/db/tables.ts';

export interface Limit {
  /** How many may fail (or be made) within the time. */
  max: number;
  minutes: number;
}

export const ACCOUNT_LIMIT: Limit = { max: 5, minutes: 15 };
export const ADDRESS_LIMIT: Limit = { max: 50, minutes: 15 };
export const CAPTCHA_LIMIT: Limit = { max: 120, minutes: 1 };

interface Taken {
  fails: number;
  /** Epoch ms when the bucket is empty again. */
  until: number;
  seconds: number;
}

/**
 * Takes one attempt out of a bucket before it is evaluated, so that a hundred at once are counted like a hundred in a
 * row. The bucket empties `minutes` after its first attempt, or after the one that filled it. Servers share it.
 */
async function take(db: Kysely<Tables>, bucket: string, limit: Limit): Promise<Taken> {
  const over = sql`coalesce(a."lockedUntil", a."windowStart" + make_interval(mins => ${limit.minutes}::int)) <= now()`;
  const { rows } = await sql<Taken>`
    INSERT INTO login_attempt AS a (bucket, fails) VALUES (${bucket}, 1)
    ON CONFLICT (bucket) DO UPDATE SET
      fails = CASE WHEN ${over} THEN 1 ELSE least(a.fails + 1, 1000000) END,
      "windowStart" = CASE WHEN ${over} THEN now() ELSE a."windowStart" END,
      "lockedUntil" = CASE WHEN ${over} THEN NULL
        WHEN a."lockedUntil" IS NULL AND a.fails + 1 >= ${limit.max}::int
          THEN now() + make_interval(mins => ${limit.minutes}::int)
        ELSE a."lockedUntil" END
    RETURNING fails,
      coalesce("lockedUntil", "windowStart" + make_interval(mins => ${limit.minutes}::int)) AS until,
      ceil(extract(epoch FROM
        coalesce("lockedUntil", "windowStart" + make_interval(mins => ${limit.minutes}::int)) - now()))::int AS seconds
    `.execute(db);
  const taken = rows[0];
  if (!taken) throw new Error('an attempt is always counted');
  return taken;
}

/** @throws Refusal tooMany, with the seconds to wait, when the address has used up its attempts. */
export async function takeOfAddress(db: Kysely<Tables>, bucket: string, limit: Limit): Promise<void> {
  const taken = await take(db, bucket, limit);
  if (taken.fails > limit.max) throw new Refusal({ key: 'tooMany', args: { seconds: Math.max(1, taken.seconds) } });
}

/** @throws Refusal locked, with the time of day from which on it may be tried again, after five failures. */
export async function takeOfAccount(db: Kysely<Tables>, bucket: string, timeZone: string): Promise<void> {
  const taken = await take(db, bucket, ACCOUNT_LIMIT);
  if (taken.fails > ACCOUNT_LIMIT.max) {
    throw new Refusal({ key: 'locked', args: { time: timeOfDay(taken.until, timeZone) } });
  }
}

/** It went well: an account starts anew, an address gets the one attempt back. */
export async function giveBack(db: Kysely<Tables>, buckets: { account?: string; address?: string }): Promise<void> {
  if (buckets.account) await db.deleteFrom('login_attempt').where('bucket', '=', buckets.account).execute();
  if (buckets.address) {
    await db
      .updateTable('login_attempt')
      .set({ fails: sql`greatest(fails - 1, 0)` })
      .where('bucket', '=', buckets.address)
      .where('lockedUntil', 'is', null)
      .execute();
  }
  await db
    .deleteFrom('login_attempt')
    .where('windowStart', '<', sql<number>`now() - interval '1 day'`)
    .execute();
}

const timeOfDay = (ms: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(ms);
