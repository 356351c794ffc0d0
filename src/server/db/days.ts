import { sql, type RawBuilder } from 'kysely';

/**
 * Days of the workshop's calendar in SQL. This alone turns a moment into a day, a month or a midnight: the database's own
 * day is that of its server. The zone stands in the text, so that a plan knows it. Rule: wire#days.
 */
const onClock = (moment: RawBuilder<unknown>, timeZone: string) => sql`(${moment} AT TIME ZONE ${sql.lit(timeZone)})`;

/** The day on which a moment falls. */
export const dayIn = (moment: RawBuilder<unknown>, timeZone: string): RawBuilder<string> =>
  sql`${onClock(moment, timeZone)}::date`;

/** Today. */
export const todayIn = (timeZone: string): RawBuilder<string> => dayIn(sql`now()`, timeZone);

/**
 * The moment with which a day begins: where clocks are put back to it, the first of its two midnights. The database takes
 * the second one, an hour after.
 */
export const midnightIn = (day: RawBuilder<unknown>, timeZone: string): RawBuilder<Date> => {
  const midnight = onClock(sql`(${day})::timestamp`, timeZone);
  const before = sql`${midnight} - interval '1 hour'`;
  return sql`CASE WHEN ${dayIn(sql`(${before})`, timeZone)} = (${day})::date THEN ${before} ELSE ${midnight} END`;
};

/** The first day of the month in which a moment falls. */
export const monthIn = (moment: RawBuilder<unknown>, timeZone: string): RawBuilder<string> =>
  sql`date_trunc('month', ${onClock(moment, timeZone)})::date`;

/** A moment as the workshop's clock shows it, in a pattern of `to_char`. */
export const clockText = (moment: RawBuilder<unknown>, timeZone: string, pattern: string): RawBuilder<string> =>
  sql`to_char(${onClock(moment, timeZone)}, ${sql.lit(pattern)})`;

/** The last spans of the workshop's calendar, the present one included: when each begins, and when the next one does. */
export const lastSpans = (
  unit: 'minute' | 'hour' | 'day' | 'week' | 'month',
  count: number,
  timeZone: string,
): RawBuilder<{ from: Date; to: Date }> => {
  const step = sql`${sql.lit(`1 ${unit}`)}::interval`;
  const isWithinDay = unit === 'minute' || unit === 'hour';
  const begin = (it: RawBuilder<unknown>) => (isWithinDay ? onClock(it, timeZone) : midnightIn(it, timeZone));
  return sql`
  SELECT ${begin(sql`first`)} AS "from", ${begin(sql`(first + ${step})`)} AS "to"
    FROM (SELECT date_trunc(${sql.lit(unit)}, ${onClock(sql`now()`, timeZone)}) - n * ${step} AS first
            FROM generate_series(0, ${sql.lit(count - 1)}) AS n) AS firsts`;
};
