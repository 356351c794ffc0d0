import { sql } from 'kysely';
import { DeliverPriority } from '#domain/enums.ts';
import { steps } from '#domain/workflow.ts';
import { limits } from './rules.ts';
import { commonColumns, count, decimal, moment, option, type Report, type Row } from './store.report.ts';
import { commonValues, days, inRange, inSites, items } from './store.sql.ts';

const stepWords = {
  receive: ['收货时间', 'Received at'],
  check: ['初检时间', 'Checked at'],
  repair: ['维修时间', 'Repaired at'],
  assemble: ['组装时间', 'Assembled at'],
  aging: ['老化时间', 'Burn-in at'],
  qc: ['质检时间', 'Inspected at'],
  store: ['入库时间', 'Stored at'],
  deliver: ['发货时间', 'Delivered at'],
} as const;
const perStep = steps.map(
  (it) => sql`max(t."eventTime") FILTER (WHERE t.step = ${sql.lit(it)}) AS ${sql.ref(`${it}Time`)}`,
);

/** How long an item `i` stood paused between its receipt and its end `e`: from each edit that paused it to the next one. */
const paused = sql`
  (SELECT coalesce(sum(greatest(least(p.until, e.ended) - greatest(p.at, i."receiveTime"), interval '0')), interval '0')
     FROM (SELECT g.at, g.after ->> 'deliverPriority' AS priority,
                  coalesce(lead(g.at) OVER (ORDER BY g.id), 'infinity') AS until
             FROM ledger AS g
            WHERE g.module = 'rmaMaintainBillLineItem' AND g."recordId" IN (i.id::text, i."mtbliId")
              AND g.after ? 'deliverPriority') AS p
    WHERE p.priority = ${DeliverPriority.Paused})`;

/** Units that are, or were, longer in the house than promised; the time in which delivery was paused does not count. Decisions-3 D.1. */
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
    SELECT ${commonValues}, h.*, ${days(sql`o.spent`)} AS "tatDays", ${limits.tatDays}::int AS target,
           ${days(sql`o.spent - make_interval(days => ${limits.tatDays})`)} AS "overdueDays", u."ivyId" AS node,
           CASE WHEN u."ivyId" <> '900' THEN ${days(sql`now() - last.at`)} END AS "nodeDays"
      FROM ${items}
      LEFT JOIN rma_inventory AS u ON u.sn = i."receiveSn" AND u."mtbliId" = i."mtbliId"
     CROSS JOIN LATERAL (
           SELECT ${sql.join(perStep)} FROM rma_transaction AS t
            WHERE t.sn = i."receiveSn" AND t."mtbId" = i."mtbId" AND t."operateStatus" = 'Normal') AS h
     CROSS JOIN LATERAL (
           SELECT max(t."eventTime") AS at FROM rma_transaction AS t
            WHERE t.sn = i."receiveSn" AND t."mtbId" = i."mtbId" AND t."operateStatus" = 'Normal'
              AND t."fromNode" IS DISTINCT FROM t."toNode") AS last
     CROSS JOIN LATERAL (
           SELECT CASE WHEN i."deliverTime" IS NOT NULL THEN i."deliverTime"
                       WHEN i."deliverStatus" IN ('3', '4') THEN coalesce(last.at, i."updateTime", now())
                       ELSE now() END AS ended) AS e
     CROSS JOIN LATERAL (SELECT e.ended - i."receiveTime" - ${paused} AS spent) AS o
     WHERE i."receiveStatus" IN ('1', '3') AND ${inRange('i.receiveTime', params)}
       AND coalesce(i."deliverTime", now()) - i."receiveTime" > make_interval(days => ${limits.tatDays})
       AND o.spent > make_interval(days => ${limits.tatDays}) AND ${inSites('i.siteId', params)}
     ORDER BY i."siteId", o.spent DESC, i.id`,
};
