import { sql, type Kysely, type RawBuilder } from 'kysely';
import { ONLINE_MINUTES, SAMPLE_DAYS, SLOT_DAYS } from '#domain/hashRate.ts';
import type { Tables } from '#server/db/tables.ts';

/** Seen lately enough to count as working. Rule: hash-rate#last-seen. */
export const isOnline = (moment: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${moment} > now() - make_interval(mins => ${ONLINE_MINUTES}::int)`;

/**
 * What samples of `source` add up to, one row a machine and hour and one a machine and day of the workshop's clock, added to
 * what is there already. Rows come in one order, so that two who add never wait for each other crosswise.
 * Rule: hash-rate#sums.
 */
export const addToSlots = (source: RawBuilder<unknown>, timeZone: string): RawBuilder<unknown> => sql`
  INSERT INTO hash_rate_slot AS slot ("userOid", span, at, "workerId", total, count)
  SELECT "userOid", span, date_trunc(span, at, ${timeZone}), "workerId", sum("hashRate"), count(*)
    FROM ${source} AS sample CROSS JOIN (VALUES ('hour'), ('day')) AS it (span)
   GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT ("userOid", span, at, "workerId")
    DO UPDATE SET total = slot.total + excluded.total, count = slot.count + excluded.count`;

const DELETED_AT_ONCE = 50_000;

/** Removes samples and sums that no chart shows any more, some at a time, so that nobody waits long. Rule: hash-rate#keeping. */
export async function tidyHashRates(db: Kysely<Tables>): Promise<void> {
  await removeOld(db, 'hash_rate_sample', SAMPLE_DAYS);
  await removeOld(db, 'hash_rate_slot', SLOT_DAYS);
}

async function removeOld(
  db: Kysely<Tables>,
  table: 'hash_rate_sample' | 'hash_rate_slot',
  days: number,
): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${sql.table(table)}
         WHERE at < now() - make_interval(days => ${days}::int) LIMIT ${DELETED_AT_ONCE}::int))`.execute(db);
    if (numAffectedRows < BigInt(DELETED_AT_ONCE)) return;
  }
}

/**
 * An account that nobody has reported for has no machine online; whoever reports counts anew. Asked once a minute; an account
 * for which a report is being written is left to it. Rule: hash-rate#last-seen.
 */
export async function markSilent(db: Kysely<Tables>): Promise<void> {
  await sql`
    UPDATE user_speed AS account
       SET "workersOnline" = 0, "currentRate" = 0,
           "workerCount" = (SELECT count(*) FROM user_worker AS w WHERE w."userOid" = account."userOid")
      FROM (SELECT id FROM user_speed
             WHERE "workersOnline" > 0 AND NOT coalesce(${isOnline(sql`"lastSeenTime"`)}, false)
               FOR NO KEY UPDATE SKIP LOCKED) AS silent
     WHERE account.id = silent.id`.execute(db);
}
