import { sql } from 'kysely';
import { DeliverPriority, DeliverStatus, OperateStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { limits } from '#domain/reports.ts';
import { steps } from '#domain/workflow.ts';
import { inSites } from '#server/db/conditions.ts';
import { itemIsReceived } from '#server/workflow/states.ts';
import { commonColumns, count, decimal, moment, option, type Report, type Row } from './report.ts';
import { commonValues, days, inRange, items } from './sql.ts';

const stepWords = {
  receive: ['收货时间', 'Received at'],
  check: ['初检时间', 'Checked at'],
  repair: ['维修时间', 'Repaired at'],
  assemble: ['组装时间', 'Assembled at'],
  aging: ['老化时间', 'Aged at'],
  qc: ['质检时间', 'Inspected at'],
  store: ['入库时间', 'Stored at'],
  deliver: ['发货时间', 'Delivered at'],
} as const;
const perStep = steps.map(
  (it) => sql`max(t."eventTime") FILTER (WHERE t.step = ${sql.lit(it)}) AS ${sql.ref(`${it}Time`)}`,
);

const shown = [...commonColumns.map((it) => it.key), ...steps.map((it) => `${it}Time`)].map((it) => sql.ref(`r.${it}`));

/** From when until when delivery of an item was paused: from each edit that paused it to the next one. */
const pauses = sql`
  (SELECT g."recordId", g.at, g.after ->> 'deliverPriority' AS priority,
          coalesce(lead(g.at) OVER (PARTITION BY g."recordId" ORDER BY g.id), 'infinity') AS until
     FROM ledger AS g
    WHERE g.module = 'rmaMaintainBillLineItem' AND g.after ? 'deliverPriority')`;

/**
 * Units that are, or were, longer in the workshop than promised; the time in which delivery was paused does not count.
 * Rule: reports#overtime.
 */
export const tatOvertime: Report = {
  kind: 'exportTatOvertime',
  columns: [
    ...commonColumns,
    ...steps.map((it) => moment(`${it}Time`, stepWords[it][0], stepWords[it][1])),
    decimal('tatDays', '周转天数', 'TAT days'),
    count('target', '目标天数', 'Target days'),
    decimal('overdueDays', '超期天数', 'Overdue days'),
    option('node', '当前节点', 'Current node', 'nodes'),
    decimal('nodeDays', '节点停留天数', 'Days at the node'),
  ],
  rows: (params) => sql<Row>`
    WITH late AS MATERIALIZED (
      SELECT ${commonValues(params)}, i.id, i."mtbliId", i."siteId", i."receiveTime" AS came, i."deliverTime" AS gone,
             i."deliverStatus", i."updateTime"
        FROM ${items}
       WHERE ${itemIsReceived('i')} AND ${inRange('i.receiveTime', params)} AND ${inSites('i.siteId', params)}
         AND coalesce(i."deliverTime", now()) - i."receiveTime" > make_interval(days => ${limits.tatDays})),
    h AS (
      SELECT late.id, ${sql.join(perStep)},
             max(t."eventTime") FILTER (WHERE t."fromNode" IS DISTINCT FROM t."toNode") AS moved
        FROM late JOIN rma_transaction AS t ON t."mtbliId" = late."mtbliId"
               AND t."operateStatus" = ${sql.lit(OperateStatus.Normal)}
       GROUP BY late.id),
    o AS (
      SELECT late.*, ${sql.join(steps.map((it) => sql.ref(`h.${it}Time`)))}, h.moved,
             CASE WHEN late.gone IS NOT NULL THEN late.gone
                               WHEN late."deliverStatus" IN (${sql.lit(DeliverStatus.Scrapped)}, ${sql.lit(DeliverStatus.BoughtOut)})
                               THEN coalesce(h.moved, late."updateTime", now())
                               ELSE now() END AS ended
        FROM late LEFT JOIN h USING (id)),
    p AS (
      SELECT o.id, sum(greatest(least(p.until, o.ended) - greatest(p.at, o.came), interval '0')) AS paused
        FROM ${pauses} AS p JOIN o ON p."recordId" = o."mtbliId"
       WHERE p.priority = ${DeliverPriority.Paused}
       GROUP BY o.id),
    r AS (SELECT o.*, o.ended - o.came - coalesce(p.paused, interval '0') AS spent FROM o LEFT JOIN p USING (id))
    SELECT ${sql.join(shown)}, ${days(sql`r.spent`)} AS "tatDays", ${limits.tatDays}::int AS target,
           ${days(sql`r.spent - make_interval(days => ${limits.tatDays})`)} AS "overdueDays", u."ivyId" AS node,
           CASE WHEN u."ivyId" <> ${sql.lit(Node.Shipped)} THEN ${days(sql`now() - r.moved`)} END AS "nodeDays"
      FROM r LEFT JOIN rma_inventory AS u ON u.sn = r.sn AND u."mtbliId" = r."mtbliId"
     WHERE r.spent > make_interval(days => ${limits.tatDays})
     ORDER BY r."siteId", r.spent DESC, r.id`,
};
