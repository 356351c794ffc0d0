import { sql } from 'kysely';
import { drillsOf, is, isBefore, isFrom, isNot } from '#domain/drill.ts';
import { Flag } from '#domain/enums.ts';
import type { DrillRule } from '#domain/wire.ts';
import type { Context } from '#server/context.ts';
import { inSites } from '#server/db/conditions.ts';
import { lastSpans } from '#server/db/days.ts';
import { itemIsCustomers, itemIsReceived } from '#server/workflow/states.ts';

const WEEKS = 8;
const MONTHS = 6;

interface Span {
  from: number;
  to: number;
}

/** Received units of which something happened in that span, and what else is asked of them. Rule: screens#home. */
const unitsOf = (column: string, { from, to }: Span, ...rules: readonly DrillRule[]) => ({
  module: 'rmaReceivedUnit',
  rules: [isFrom(column, from), isBefore(column, to), ...rules],
});

/** Days from receipt to delivery of what was delivered in each of the last weeks: the middle one, and the slowest tenth. */
export async function readTurnaround({ db, currentUser, config: { timeZone } }: Context) {
  const { rows } = await sql<Span & { delivered: number; middle: number | null; slow: number | null }>`
    WITH span AS (${lastSpans('week', WEEKS, timeZone)}), done AS (
      SELECT i."deliverTime" AS at, extract(epoch FROM i."deliverTime" - i."receiveTime")::float8 / 86400 AS days
        FROM rma_maintain_bill_line_item AS i
       WHERE i."deliverTime" >= (SELECT min("from") FROM span) AND i."receiveTime" IS NOT NULL AND ${itemIsReceived('i')}
         AND ${inSites('i.siteId', currentUser)}
    )
    SELECT "from", "to", count(days) AS delivered,
           round(percentile_cont(0.5) WITHIN GROUP (ORDER BY days)::numeric, 1)::float8 AS middle,
           round(percentile_cont(0.9) WITHIN GROUP (ORDER BY days)::numeric, 1)::float8 AS slow
      FROM span LEFT JOIN done ON at >= "from" AND at < "to" GROUP BY 1, 2 ORDER BY 1`.execute(db);
  return rows.map(({ to, ...week }) => {
    const wasReceived = { column: 'receiveTime', relation: 'IS_NOT_NULL', value: '' };
    const drills = { delivered: unitsOf('deliverTime', { ...week, to }, wasReceived) };
    return { ...week, drills: drillsOf(week, drills) };
  });
}

/**
 * How much of what customers sent in each of the last months had been repaired here shortly before, and how much had not;
 * own goods came from nobody.
 * Rule: reports#second-repairs.
 */
export async function readReturns({ db, currentUser, config: { timeZone } }: Context) {
  const { rows } = await sql<Span & { first: number; again: number }>`
    WITH span AS (${lastSpans('month', MONTHS, timeZone)}), come AS (
      SELECT i."receiveTime" AS at, i.continues FROM rma_maintain_bill_line_item AS i
       WHERE i."receiveTime" >= (SELECT min("from") FROM span) AND ${itemIsReceived('i')} AND ${itemIsCustomers('i')}
         AND ${inSites('i.siteId', currentUser)}
    )
    SELECT "from", "to", count(at) FILTER (WHERE continues IS DISTINCT FROM ${sql.lit(Flag.Yes)}) AS first,
           count(*) FILTER (WHERE continues = ${sql.lit(Flag.Yes)}) AS again
      FROM span LEFT JOIN come ON at >= "from" AND at < "to" GROUP BY 1, 2 ORDER BY 1`.execute(db);
  return rows.map(({ to, ...month }) => {
    const received = (rule: DrillRule) => unitsOf('receiveTime', { ...month, to }, is('billType', null), rule);
    const drills = { first: received(isNot('continues', Flag.Yes)), again: received(is('continues', Flag.Yes)) };
    return { ...month, drills: drillsOf(month, drills) };
  });
}
