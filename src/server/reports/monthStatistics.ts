import { sql } from 'kysely';
import { DeliverStatus, Flag, OperateStatus } from '#domain/enums.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { inSites } from '#server/db/conditions.ts';
import { midnightIn } from '#server/db/days.ts';
import { nameIn } from '#server/engine/describe.ts';
import { is, isBefore, isFrom, isOneOf } from '#domain/drill.ts';
import type { Drill, DrillRule } from '#domain/wire.ts';
import {
  entersWork,
  isReceived,
  isScrapped,
  isUndoneSince,
  isWorkOf,
  leavesWork,
  movements,
  rulesOf,
  stands,
  work,
  type WayIn,
  type WayOut,
} from './movements.ts';
import { asOfColumn, asOfValue, count, decimal, percent, text, type Params, type Report, type Row } from './report.ts';
import { days, monthText, share, soonBefore } from './sql.ts';

const enters = (way: WayIn) => sql`${entersWork} AND v."wayIn" = ${sql.lit(way)}`;
const leaves = (way: WayOut) => sql`${leavesWork} AND v."wayOut" = ${sql.lit(way)}`;

/** The ways into what is in work and out of it. Rule: reports#months. */
const ways = {
  received: isReceived,
  activated: enters('activated'),
  repairedIn: enters('repairedIn'),
  transferredIn: enters('transferredIn'),
  otherIn: enters('otherIn'),
  delivered: leaves('delivered'),
  transferredOut: leaves('transferredOut'),
  scrapped: isScrapped,
  builtIn: leaves('builtIn'),
  otherOut: leaves('otherOut'),
};
const workNames = Object.keys(work) as (keyof typeof work)[];
const wayNames = Object.keys(ways) as (keyof typeof ways)[];
const workCounts = workNames.map((it) => sql`count(*) FILTER (WHERE ${isWorkOf(work[it])}) AS ${sql.ref(it)}`);
const wayCounts = wayNames.map((it) => sql`count(*) FILTER (WHERE ${ways[it]}) AS ${sql.ref(it)}`);
const sums = [
  ...workNames.map((it) => sql`coalesce(e.${sql.ref(it)}, 0) AS ${sql.ref(it)}`),
  ...wayNames.map((it) => sql`coalesce(f.${sql.ref(it)}, 0) AS ${sql.ref(it)}`),
];
const gained = sql`count(*) FILTER (WHERE ${entersWork}) - count(*) FILTER (WHERE ${leavesWork})`;

/** A unit comes in by one step to a node of the workshop, and goes out by one from there; other figures count by more than steps. */
const inHouse = nodes.filter((it) => it !== Node.Shipped);
const inWork = inHouse.filter((it) => it !== Node.Scrapped);
const counted: Record<string, DrillRule[]> = {
  ...Object.fromEntries(workNames.map((it) => [it, rulesOf(work[it])])),
  received: [is('step', 'receive'), isOneOf('toNode', inHouse)],
  delivered: [isOneOf('step', ['deliver', 'modifyNode']), is('toNode', Node.Shipped), isOneOf('fromNode', inWork)],
};
const drillTo =
  (rules: readonly DrillRule[]) =>
  ({ siteId, starts, ends }: Row, { asOf }: Params): Drill | null =>
    // No list knows what stood before.
    asOf
      ? null
      : {
          module: 'rmaTransaction',
          rules: [
            is('siteId', siteId),
            ...rules,
            is('operateStatus', OperateStatus.Normal),
            isFrom('eventTime', starts),
            isBefore('eventTime', ends),
          ],
        };

const itemValues = sql`${days(sql`told.tat`)} AS "averageTat", ${share(sql`told.back`, sql`sent.n`)} AS "secondRepairRate",`;

/** The months of the range, each only as far as the range goes. */
const months = (params: Params) => sql`
  (SELECT m::date AS month, greatest(${midnightIn(sql`m::date`, params.timeZone)}, ${params.from}::timestamptz) AS starts,
          least(${midnightIn(sql`(m + interval '1 month')::date`, params.timeZone)}, ${params.until}::timestamptz) AS ends
     FROM generate_series(date_trunc('month', ${params.startDate}::date::timestamp), ${params.endDate}::date::timestamp,
                          interval '1 month') AS m)`;

const itemColumns = [
  decimal('averageTat', '平均周转天数', 'Average TAT (days)'),
  percent('secondRepairRate', '二次返修率', 'Second repair rate'),
];

/**
 * What each site did in each month, and what it had in work before and after: reckoned back from what is in work now, as
 * what has moved since is less than everything that ever moved. Rule: reports#months.
 */
export const monthStatistics: Report = {
  kind: 'exportMonthStatistics',
  columns: ({ asOf }) => [
    text('site', '站点', 'Site'),
    text('month', '月份', 'Month'),
    count('opening', '期初在修', 'Opening WIP'),
    count('received', '收货', 'Received'),
    count('checked', '初检', 'Checked'),
    count('repaired', '维修', 'Repaired'),
    count('nofault', '无故障', 'No fault'),
    count('scrapped', '报废', 'Scrapped'),
    count('assembled', '组装', 'Assembled'),
    count('agingPassed', '老化合格', 'Aging passed'),
    count('agingFailed', '老化不合格', 'Aging failed'),
    count('qcPassed', '质检合格', 'QC passed'),
    count('qcFailed', '质检不合格', 'QC failed'),
    count('stored', '入库', 'Stored'),
    count('delivered', '发货', 'Delivered'),
    count('activated', '激活', 'Activated'),
    count('repairedIn', '报废修复', 'Repaired from scrap'),
    count('transferredIn', '调入', 'Transferred in'),
    count('otherIn', '其他转入', 'Other in'),
    count('transferredOut', '调出', 'Transferred out'),
    count('builtIn', '装机', 'Built in'),
    count('otherOut', '其他转出', 'Other out'),
    count('closing', '期末在修', 'Closing WIP'),
    percent('qcPassRate', '质检合格率', 'QC pass rate'),
    // Items keep no history of these.
    ...(asOf ? [] : itemColumns),
    asOfColumn,
  ],
  chart: { by: ['month', 'site'], of: 'delivered' },
  drill: {
    keys: ['siteId', 'starts', 'ends'],
    of: Object.fromEntries(Object.entries(counted).map(([name, rules]) => [name, drillTo(rules)])),
  },
  rows: (params) => sql<Row>`
    WITH month AS ${months(params)},
    site AS (SELECT s."siteId", ${nameIn(params.lang, 's.siteName')} AS "siteName" FROM ubs_site AS s WHERE ${inSites('s.siteId', params)}),
    e AS MATERIALIZED (
      SELECT t."siteId", m.month, ${sql.join(workCounts)}
        FROM rma_transaction AS t JOIN month AS m ON t."eventTime" >= m.starts AND t."eventTime" < m.ends
       WHERE ${stands(params)} AND t."eventTime" >= ${params.from}
         AND t."eventTime" < ${params.until}
         AND ${inSites('t.siteId', params)}
       GROUP BY t."siteId", m.month),
    f AS MATERIALIZED (
      SELECT v."siteId", m.month, ${gained} AS gained, ${sql.join(wayCounts)}
        FROM ${movements(params)} AS v JOIN month AS m ON v."eventTime" >= m.starts AND v."eventTime" < m.ends
       WHERE v."eventTime" >= ${params.from} AND v."eventTime" < ${params.until}
       GROUP BY v."siteId", m.month),
    since AS MATERIALIZED (
      SELECT v."siteId", ${gained} AS gained FROM ${movements(params)} AS v WHERE v."eventTime" >= ${params.until}
       GROUP BY v."siteId"),
    undone AS MATERIALIZED (
      SELECT v."siteId", ${gained} AS gained FROM ${movements(params)} AS v WHERE ${isUndoneSince(params)}
       GROUP BY v."siteId"),
    today AS MATERIALIZED (
      SELECT u."siteId", count(*) AS wip FROM rma_inventory AS u
       WHERE u."ivyId" = ANY(${inWork}) AND ${inSites('u.siteId', params)} GROUP BY u."siteId"),
    item AS MATERIALIZED (
      SELECT i."siteId", m.month, avg(i."deliverTime" - i."receiveTime") AS tat
        FROM rma_maintain_bill_line_item AS i JOIN month AS m ON i."deliverTime" >= m.starts AND i."deliverTime" < m.ends
       WHERE i."deliverStatus" = ${sql.lit(DeliverStatus.Shipped)} AND i."deliverTime" >= ${params.from}
         AND i."deliverTime" < ${params.until}
       GROUP BY i."siteId", m.month),
    back AS MATERIALIZED (
      SELECT i."siteId", m.month, count(*) AS n
        FROM rma_maintain_bill_line_item AS i JOIN month AS m ON i."receiveTime" >= m.starts AND i."receiveTime" < m.ends
       WHERE i.continues = ${sql.lit(Flag.Yes)} AND i."receiveTime" >= ${params.from}
         AND i."receiveTime" < ${params.until}
       GROUP BY i."siteId", m.month),
    told AS (
      SELECT site."siteId", site."siteName", m.month, m.starts, m.ends, ${sql.join(sums)}, item.tat, coalesce(back.n, 0) AS back,
             coalesce(f.gained, 0) AS gained,
             coalesce(today.wip, 0) - coalesce(since.gained, 0) + coalesce(undone.gained, 0)
               - coalesce(sum(f.gained) OVER later, 0) AS closing
        FROM site CROSS JOIN month AS m
        LEFT JOIN e ON e."siteId" = site."siteId" AND e.month = m.month
        LEFT JOIN f ON f."siteId" = site."siteId" AND f.month = m.month
        LEFT JOIN item ON item."siteId" = site."siteId" AND item.month = m.month
        LEFT JOIN back ON back."siteId" = site."siteId" AND back.month = m.month
        LEFT JOIN since ON since."siteId" = site."siteId"
        LEFT JOIN undone ON undone."siteId" = site."siteId"
        LEFT JOIN today ON today."siteId" = site."siteId"
      WINDOW later AS (PARTITION BY site."siteId" ORDER BY m.month ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING))
    SELECT coalesce(told."siteName", told."siteId") AS site, ${monthText(sql`told.month`)} AS month,
           (told.closing - told.gained)::int AS opening,
           ${sql.join([...workNames, ...wayNames].map((it) => sql`told.${sql.ref(it)}`))}, told.closing::int AS closing,
           ${share(sql`told."qcPassed"`, sql`told."qcPassed" + told."qcFailed"`)} AS "qcPassRate",
           ${params.asOf ? sql`` : itemValues} ${asOfValue(params)}, told."siteId", told.starts, told.ends
      FROM told CROSS JOIN LATERAL (
           SELECT count(*) AS n FROM rma_maintain_bill_line_item AS i
            WHERE i."deliverStatus" = ${sql.lit(DeliverStatus.Shipped)} AND i."siteId" = told."siteId"
              AND i."deliverTime" < told.starts
              AND i."deliverTime" >= ${soonBefore(sql`told.starts`, params.timeZone)}) AS sent
     ORDER BY told."siteId", told.month`,
};
