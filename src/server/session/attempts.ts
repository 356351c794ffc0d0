import { sql, type Kysely } from 'kysely';
import { momentText } from '#domain/day.ts';
import { Refusal } from '#domain/refusal.ts';
import { networkOf } from '#server/address.ts';
import type { Tables } from '#server/db/tables.ts';

interface Limit {
  /** How many may fail (or be made) within the time. */
  max: number;
  minutes: number;
}

const ACCOUNT_LIMIT: Limit = { max: 5, minutes: 15 };
export const ADDRESS_LIMIT: Limit = { max: 50, minutes: 15 };
export const CAPTCHA_LIMIT: Limit = { max: 120, minutes: 1 };

interface CountedAttempt {
  fails: number;
  /** Epoch ms when the bucket is empty again. */
  until: number;
  seconds: number;
}

/**
 * Takes one attempt out of a bucket before it is evaluated, so that a hundred at once are counted like a hundred in a
 * row. The bucket empties `minutes` after its first attempt, or after the one that filled it. Servers share it.
 */
async function countAttempt(db: Kysely<Tables>, bucket: string, limit: Limit): Promise<CountedAttempt> {
  const over = sql`coalesce(a."lockedUntil", a."windowStart" + make_interval(mins => ${limit.minutes}::int)) <= now()`;
  const { rows } = await sql<CountedAttempt>`
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
  const counted = rows[0];
  if (!counted) throw new Error('an attempt is always counted');
  return counted;
}

/** The bucket of what an address does; every limit by address is counted in one of these. */
export const bucketOf = (what: string, ip: string): string => `${what} ${networkOf(ip)}`;

/** @throws Refusal tooMany, with the seconds to wait, when the address has used up its attempts. */
export async function takeAddressAttempt(db: Kysely<Tables>, what: string, ip: string, limit: Limit): Promise<void> {
  const counted = await countAttempt(db, bucketOf(what, ip), limit);
  if (counted.fails > limit.max) throw tooMany(counted.seconds);
}

/** How many were counted in a bucket with this one, for a limit that refuses nothing. */
export const countIn = async (db: Kysely<Tables>, bucket: string, limit: Limit): Promise<number> =>
  (await countAttempt(db, bucket, limit)).fails;

/** So many attempts at an account from addresses that it does not know are judged at once; then one in a while. */
const FREE_ATTEMPTS = 10;
/** The pause doubles with each attempt, up to this: 288 guesses a day, from however many addresses. */
const LONGEST_PAUSE_SECONDS = 300;
/** After so long without an attempt the account begins anew. */
const FORGOTTEN_HOURS = 6;
/** How long an address is known after a sign-in. */
export const KNOWN_DAYS = 30;

/**
 * Takes one of the attempts that an account has over all addresses. Whoever signs in from where the account signed in
 * lately takes none, so that guessing from elsewhere does not slow the user down. Nobody is made to wait by the server:
 * an attempt before its time is refused unjudged, and does not put the time off. @throws Refusal tooMany, with the
 * seconds to wait.
 */
export async function takeUnknownAddressAttempt(db: Kysely<Tables>, userId: string, ip: string): Promise<Slot> {
  const bucket = `account ${userId.toLowerCase()}`;
  const { rows: known } = await sql`
    SELECT 1 FROM known_address
     WHERE "userId" = ${userId} AND network = ${networkOf(ip)}
       AND "lastAt" > now() - make_interval(days => ${KNOWN_DAYS}::int)`.execute(db);
  if (known.length > 0) return {};
  const isForgotten = sql`a."windowStart" < now() - make_interval(hours => ${FORGOTTEN_HOURS}::int)`;
  const pause = sql`least(${LONGEST_PAUSE_SECONDS}::int, power(2, least(a.fails + 1 - ${FREE_ATTEMPTS}::int, 20)))`;
  const { rows: counted } = await sql`
    INSERT INTO login_attempt AS a (bucket, fails) VALUES (${bucket}, 1)
    ON CONFLICT (bucket) DO UPDATE SET
      fails = CASE WHEN ${isForgotten} THEN 1 ELSE least(a.fails + 1, 1000000) END,
      "windowStart" = now(),
      "lockedUntil" = CASE WHEN NOT (${isForgotten}) AND a.fails + 1 >= ${FREE_ATTEMPTS}::int
        THEN now() + make_interval(secs => ${pause}) END
     WHERE a."lockedUntil" IS NULL OR a."lockedUntil" <= now()
    RETURNING 1`.execute(db);
  if (counted.length > 0) return { allAddresses: bucket };
  const { rows } = await sql<{ seconds: number }>`
    SELECT ceil(extract(epoch FROM "lockedUntil" - now()))::int AS seconds
      FROM login_attempt WHERE bucket = ${bucket}`.execute(db);
  throw tooMany(rows[0]?.seconds ?? 1);
}

/** What was taken, to be given back after a success. */
interface Slot {
  allAddresses?: string;
}

/** From here the account is known for a while: it signed in. */
export async function rememberAddress(db: Kysely<Tables>, userId: string, ip: string): Promise<void> {
  await db
    .insertInto('known_address')
    .values({ userId, network: networkOf(ip) })
    .onConflict((it) => it.columns(['userId', 'network']).doUpdateSet({ lastAt: sql`now()` }))
    .execute();
}

const tooMany = (seconds: number) => new Refusal({ key: 'tooMany', args: { seconds: Math.max(1, seconds) } });

/** @throws Refusal locked, with the time of day from which on it may be tried again, after five failures. */
export async function takeAccountAttempt(db: Kysely<Tables>, bucket: string, timeZone: string): Promise<void> {
  const counted = await countAttempt(db, bucket, ACCOUNT_LIMIT);
  if (counted.fails > ACCOUNT_LIMIT.max) {
    throw new Refusal({ key: 'locked', args: { time: timeOfDay(counted.until, timeZone) } });
  }
}

/** It went well: an account starts anew for its address, the other buckets get the one attempt back. */
export async function giveBack(
  db: Kysely<Tables>,
  { account, address, allAddresses }: { account?: string; address?: string } & Slot,
): Promise<void> {
  if (account) await db.deleteFrom('login_attempt').where('bucket', '=', account).execute();
  for (const bucket of [address, allAddresses]) {
    if (!bucket) continue;
    await db
      .updateTable('login_attempt')
      .set({ fails: sql`greatest(fails - 1, 0)` })
      .where('bucket', '=', bucket)
      .where('lockedUntil', 'is', null)
      .execute();
  }
  await db
    .deleteFrom('login_attempt')
    .where('windowStart', '<', sql<number>`now() - interval '1 day'`)
    .execute();
}

/** A moment of today, for a sentence. */
export const timeOfDay = (ms: number, timeZone: string): string =>
  momentText(ms, timeZone).slice('2026-11-21 '.length, -':00'.length);
