import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#server/context.ts';
import { lastSpans } from '#server/db/days.ts';
import { spans, type Interval, type Point } from './rules.ts';

type By = 'userOid' | 'workerId';

/**
 * The mean of each interval up to now, all workers together; an interval in which nobody reported is null. Intervals
 * are those of the workshop's clock; hours and days are read from what was added up at the ingest. Rule: hash-rate#points.
 */
export async function readPoints(
  { db, config }: Context,
  { by, value, interval }: { by: By; value: string; interval: Interval },
): Promise<Point[]> {
  const { timeZone } = config;
  const rates = interval === 'minute' ? ofMinute(by, value) : ofSlot(by, value, interval);
  const { rows } = await sql<Point>`
    WITH slot AS (SELECT "from" AS at FROM (${lastSpans(interval, spans[interval], timeZone)}) AS span)
    SELECT (extract(epoch FROM slot.at) * 1000)::float8 AS timestamp, it."hashRate"
      FROM slot CROSS JOIN LATERAL (SELECT sum(rate)::float8 AS "hashRate" FROM (${rates}) AS worker) AS it
     ORDER BY slot.at`.execute(db);
  return rows;
}

/** Each worker's mean of the minute, from the samples themselves: some hundreds at a time, which memory holds. */
const ofMinute = (by: By, value: string): RawBuilder<unknown> => sql`
  SELECT avg("hashRate") AS rate FROM hash_rate_sample
   WHERE ${sql.ref(by)} = ${value} AND at >= slot.at AND at < slot.at + interval '1 minute'
   GROUP BY "workerId"`;

/** Each worker's mean of the hour or day; one that was moved between accounts has several rows of one. Rule: hash-rate#sums. */
const ofSlot = (by: By, value: string, span: 'hour' | 'day'): RawBuilder<unknown> => sql`
  SELECT sum(total) / sum(count) AS rate FROM hash_rate_slot
   WHERE ${sql.ref(by)} = ${value} AND span = ${span} AND at = slot.at
   GROUP BY "workerId"`;
