import { sql } from 'kysely';
import { DeliverPriority, OperateStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { limits } from '#domain/reports.ts';
import { inSites } from '#server/db/conditions.ts';
import { itemIsUndelivered } from '#server/workflow/states.ts';
import { commonColumns, count, decimal, moment, option, type Params, type Report, type Row } from './report.ts';
import { commonValues, days, inRange, items } from './sql.ts';

/** Units of customers that lie on the shelf, with the moment at which they were stored last. */
const onShelf = (params: Params) => sql`
  (SELECT t.sn, max(t."eventTime") AS "storeTime"
     FROM rma_transaction AS t
     JOIN rma_inventory AS u ON u.sn = t.sn AND u."ivyId" = ${sql.lit(Node.CanShip)} AND u."mtbliId" = t."mtbliId"
    WHERE t.step = 'store' AND t."operateStatus" = ${sql.lit(OperateStatus.Normal)} AND t."eventTime" >= ${params.from}
      AND ${inSites('t.siteId', params)}
    GROUP BY t.sn)`;

const late = (params: Params) => sql`
  FROM ${onShelf(params)} AS st
  JOIN rma_inventory AS u ON u.sn = st.sn
  JOIN ${items} ON i."mtbliId" = u."mtbliId"
 WHERE i."deliverTime" IS NULL AND ${itemIsUndelivered('i')} AND ${inRange('st.storeTime', params)}
   AND st."storeTime" < now() - make_interval(days => ${limits.undeliveredDays}) AND ${inSites('i.siteId', params)}`;

/** Units that could have left and have not; a paused one is listed last and not counted. Rule: reports#overtime. */
export const undeliveredOvertime: Report = {
  kind: 'exportUndeliveredOvertime',
  columns: [
    ...commonColumns,
    moment('storeTime', '入库时间', 'Stored at'),
    decimal('waitingDays', '等待天数', 'Days waiting'),
    decimal('overdueDays', '超期天数', 'Overdue days'),
    option('deliverStatus', '发货状态', 'Delivery status', 'deliverStatus'),
    option('deliverPriority', '发货优先级', 'Priority', 'deliverPriority'),
    count('overdue', '超期台数', 'Overdue units'),
  ],
  rows: (params) => sql<Row>`
    SELECT ${commonValues(params)}, st."storeTime", ${days(sql`now() - st."storeTime"`)} AS "waitingDays",
           CASE WHEN ${isCounted}
                THEN ${days(sql`now() - st."storeTime" - make_interval(days => ${limits.undeliveredDays})`)}
           END AS "overdueDays", i."deliverStatus", i."deliverPriority", (${isCounted})::int AS overdue
      ${late(params)}
     ORDER BY NOT (${isCounted}), i."siteId", st."storeTime", i.id`,
  footer: (params) => sql<Row>`SELECT count(*) FILTER (WHERE ${isCounted}) AS overdue ${late(params)}`,
};

const isCounted = sql`i."deliverPriority" IS DISTINCT FROM ${DeliverPriority.Paused}`;
