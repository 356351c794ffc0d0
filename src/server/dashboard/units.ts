import { sql } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import type { Context } from '#server/context.ts';
import { inSites } from '#server/db/conditions.ts';

interface Standing {
  node: string;
  count: number;
  short: number;
  days: number;
  long: number;
}

/**
 * How many units stand at each node of the workshop and for how long, and how many came to it in the last seven days and
 * in the seven before, each once: a step that leaves a unit where it is brings none. What is shipped has left the workshop.
 * Rule: units#nodes.
 */
export async function readCards({ db, currentUser }: Context) {
  const [standing, arrivals] = await Promise.all([
    sql<Standing>`
      SELECT "ivyId" AS node, count(*) AS count,
             count(*) FILTER (WHERE since > now() - interval '1 day') AS short,
             count(*) FILTER (WHERE since <= now() - interval '1 day' AND since > now() - interval '3 days') AS days,
             count(*) FILTER (WHERE since <= now() - interval '3 days') AS long
        FROM (SELECT "ivyId", coalesce("updateTime", "createTime") AS since FROM rma_inventory
               WHERE "ivyId" IS NOT NULL AND "ivyId" <> ${sql.lit(Node.Shipped)} AND ${inSites('siteId', currentUser)}) AS unit
       GROUP BY 1`.execute(db),
    sql<{ node: string; arrived: number; before: number }>`
      SELECT "toNode" AS node, count(DISTINCT sn) FILTER (WHERE "eventTime" > now() - interval '7 days') AS arrived,
             count(DISTINCT sn) FILTER (WHERE "eventTime" <= now() - interval '7 days') AS before
        FROM rma_transaction
       WHERE "eventTime" > now() - interval '14 days' AND "toNode" IS NOT NULL
         AND ("fromNode" IS DISTINCT FROM "toNode" OR "fromSiteId" <> "siteId")
         AND "operateStatus" = ${sql.lit(OperateStatus.Normal)} AND ${inSites('siteId', currentUser)}
       GROUP BY 1`.execute(db),
  ]);
  const arrivedAt = new Map(arrivals.rows.map((it) => [it.node, it]));
  return standing.rows
    .map(({ node, count, ...waiting }) => {
      const { arrived = 0, before = 0 } = arrivedAt.get(node) ?? {};
      return { node, count, arrived, arrivedBefore: before, waiting };
    })
    .sort((a, b) => Number(a.node) - Number(b.node));
}
