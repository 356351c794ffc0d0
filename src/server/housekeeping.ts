import { sql, type Kysely } from 'kysely';
import { DAY_MS } from '#domain/day.ts';
import { tidyChanges } from '#server/changes.ts';
import type { Tables } from '#server/db/tables.ts';
import { markSilent, tidyHashRates } from '#server/hashRate.ts';
import { KNOWN_DAYS } from '#server/session/attempts.ts';

/**
 * Removes what has expired: idempotency keys and captured errors after 30 days, sessions, captchas and announced scans
 * at their end, counted log-in attempts and tried tickets after a day, known addresses and ended secrets of services after
 * 30 days, hash rates that no chart shows. Any server may do it at any time. Rule: writing#housekeeping.
 */
export async function tidy(db: Kysely<Tables>): Promise<void> {
  await sql`DELETE FROM idempotency_key WHERE "createdAt" < now() - interval '30 days'`.execute(db);
  await sql`DELETE FROM session WHERE "expiresAt" < now()`.execute(db);
  await sql`DELETE FROM sso_ticket WHERE "usedAt" < now() - interval '1 day'`.execute(db);
  await sql`DELETE FROM error_log WHERE at < now() - interval '30 days'`.execute(db);
  await sql`DELETE FROM station_scans WHERE "expiresAt" < now()`.execute(db);
  await sql`DELETE FROM captcha WHERE "expiresAt" < now()`.execute(db);
  await sql`
    DELETE FROM login_attempt
     WHERE "windowStart" < now() - interval '1 day' AND coalesce("lockedUntil" < now(), true)`.execute(db);
  await sql`
    DELETE FROM known_address WHERE "lastAt" < now() - make_interval(days => ${KNOWN_DAYS}::int)`.execute(db);
  await sql`DELETE FROM service_secret WHERE "endsAt" < now() - interval '30 days'`.execute(db);
  await tidyHashRates(db);
  await tidyChanges(db);
}

const MINUTE_MS = 60_000;

/**
 * Removes what has expired now and once a day, and once a minute sees which accounts fell silent, until it is stopped; a
 * failure is reported and tried again the next time. To a demo nobody reports: its racks stay as they were made.
 */
export function startHousekeeping(
  db: Kysely<Tables>,
  { demo, onError }: { demo: boolean; onError: (error: unknown) => void },
): () => void {
  const repeat = (work: (db: Kysely<Tables>) => Promise<void>, ms: number) => {
    const once = () => void work(db).catch(onError);
    once();
    return setInterval(once, ms).unref();
  };
  const timers = [repeat(tidy, DAY_MS), ...(demo ? [] : [repeat(markSilent, MINUTE_MS)])];
  return () => timers.forEach((it) => clearInterval(it));
}
