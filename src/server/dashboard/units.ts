import { sql } from 'kysely';
import { changed, drillsOf, is, isBefore, isFrom } from '#domain/drill.ts';
import { OperateStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import type { DrillGroup } from '#domain/wire.ts';
import type { Context } from '#server/context.ts';
import { inSites } from '#server/db/conditions.ts';

interface Standing {
  node: string;
  count: number;
  short: number;
  days: number;
  long: number;
  /** A day ago, and three days. */
  day: number;
  threeDays: number;
}

/**
 * How many units stand at each node of the workshop and for how long, and how many came to it in the last seven days and
 * in the seven before, each once: a step that leaves a unit where it is brings none. What is shipped has left the workshop.
 * Rule: units#nodes.
 */
export async function readCards({ db, currentUser }: Context) {
  const [standing, arrivals] = await Promise.all([
    sql<Standing>`
      WITH ago AS (
        SELECT date_trunc('second', now() - interval '1 day') AS day, date_trunc('second', now() - interval '3 days') AS "threeDays")
      SELECT "ivyId" AS node, count(*) AS count, day, "threeDays",
             count(*) FILTER (WHERE since >= day) AS short,
             count(*) FILTER (WHERE since < day AND since >= "threeDays") AS days,
             count(*) FILTER (WHERE since < "threeDays") AS long
        FROM ago CROSS JOIN (SELECT "ivyId", coalesce("updateTime", "createTime") AS since FROM rma_inventory
               WHERE "ivyId" IS NOT NULL AND "ivyId" <> ${sql.lit(Node.Shipped)} AND ${inSites('siteId', currentUser)}) AS unit
       GROUP BY 1, day, "threeDays"`.execute(db),
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
    .map(({ node, count, day, threeDays, ...waiting }) => {
      const { arrived = 0, before = 0 } = arrivedAt.get(node) ?? {};
      const units = (...groups: DrillGroup[]) => ({ module: 'rmaInventory', rules: [is('ivyId', node)], groups });
      const drills = {
        count: units(),
        short: units(changed(isFrom, day)),
        days: units(changed(isBefore, day), changed(isFrom, threeDays)),
        long: units(changed(isBefore, threeDays)),
      };
      const shown = drillsOf({ count, ...waiting }, drills);
      return { node, count, arrived, arrivedBefore: before, waiting, drills: shown };
    })
    .sort((a, b) => Number(a.node) - Number(b.node));
}
