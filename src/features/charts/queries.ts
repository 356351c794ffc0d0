import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#server/context.ts';
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
  const step = sql`${`1 ${interval}`}::interval`;
  const { rows } = await sql<Point>`
    WITH slot AS (
      SELECT at AT TIME ZONE ${timeZone} AS at
        FROM (SELECT date_trunc(${interval}, now() AT TIME ZONE ${timeZone}) AS last) AS l,
             generate_series(l.last - (${spans[interval] - 1}::int * ${step}), l.last, ${step}) AS at
    ), mean AS (
      ${interval === 'minute' ? ofMinutes(by, value, timeZone) : ofSlots(by, value, interval)}
    )
    SELECT (extract(epoch FROM slot.at) * 1000)::float8 AS timestamp, sum(mean.rate)::float8 AS "hashRate"
      FROM slot LEFT JOIN mean ON mean.at = slot.at
     GROUP BY slot.at ORDER BY slot.at`.execute(db);
  return rows;
}

/** Each worker's mean of each minute, from the samples themselves. */
const ofMinutes = (by: By, value: string, timeZone: string): RawBuilder<unknown> => sql`
  SELECT date_trunc('minute', at, ${timeZone}) AS at, "workerId", avg("hashRate") AS rate
    FROM hash_rate_sample
   WHERE ${sql.ref(by)} = ${value} AND at >= (SELECT min(at) FROM slot)
   GROUP BY 1, 2`;

/** Each worker's mean of each hour or day; one that was moved between accounts has several rows of one. Rule: hash-rate#sums. */
const ofSlots = (by: By, value: string, span: 'hour' | 'day'): RawBuilder<unknown> => sql`
  SELECT at, "workerId", sum(total) / sum(count) AS rate
    FROM hash_rate_slot
   WHERE ${sql.ref(by)} = ${value} AND span = ${span} AND at >= (SELECT min(at) FROM slot)
   GROUP BY 1, 2`;
