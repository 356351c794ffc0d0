import { sql } from 'kysely';
import { Flag } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { inSites } from '#server/db/conditions.ts';
import { lastSpans } from '#server/db/days.ts';
import { itemIsCustomers } from '#server/workflow/states.ts';

const WEEKS = 8;
const MONTHS = 6;

interface Span {
  from: number;
  to: number;
}

/** Days from receipt to delivery of what was delivered in each of the last weeks: the middle one, and the slowest tenth. */
export async function readTurnaround({ db, currentUser, config: { timeZone } }: Context) {
  const { rows } = await sql<Span & { delivered: number; middle: number | null; slow: number | null }>`
    WITH span AS (${lastSpans('week', WEEKS, timeZone)}), done AS (
      SELECT "deliverTime" AS at, extract(epoch FROM "deliverTime" - "receiveTime")::float8 / 86400 AS days
        FROM rma_maintain_bill_line_item
       WHERE "deliverTime" >= (SELECT min("from") FROM span) AND "receiveTime" IS NOT NULL AND ${inSites('siteId', currentUser)}
    )
    SELECT "from", "to", count(days) AS delivered,
           round(percentile_cont(0.5) WITHIN GROUP (ORDER BY days)::numeric, 1)::float8 AS middle,
           round(percentile_cont(0.9) WITHIN GROUP (ORDER BY days)::numeric, 1)::float8 AS slow
      FROM span LEFT JOIN done ON at >= "from" AND at < "to" GROUP BY 1, 2 ORDER BY 1`.execute(db);
  return rows.map((it) => ({ ...it, to: it.to - 1 }));
}

/**
 * How much of what customers sent in each of the last months had been repaired here shortly before; own goods came from
 * nobody.
 * Rule: reports#second-repairs.
 */
export async function readReturns({ db, currentUser, config: { timeZone } }: Context) {
  const { rows } = await sql<Span & { received: number; again: number }>`
    WITH span AS (${lastSpans('month', MONTHS, timeZone)}), come AS (
      SELECT i."receiveTime" AS at, i.continues FROM rma_maintain_bill_line_item AS i
       WHERE i."receiveTime" >= (SELECT min("from") FROM span) AND ${itemIsCustomers('i')}
         AND ${inSites('i.siteId', currentUser)}
    )
    SELECT "from", "to", count(at) AS received, count(*) FILTER (WHERE continues = ${sql.lit(Flag.Yes)}) AS again
      FROM span LEFT JOIN come ON at >= "from" AND at < "to" GROUP BY 1, 2 ORDER BY 1`.execute(db);
  return rows.map((it) => ({ ...it, to: it.to - 1 }));
}
