import { sql } from 'kysely';
import { OwnBillType } from '#domain/enums.ts';
import { limits } from '#domain/reports.ts';
import { inSites } from '#server/db/conditions.ts';
import { itemIsOpen } from '#server/workflow/states.ts';
import { commonColumns, decimal, moment, option, type Report, type Row } from './report.ts';
import { commonValues, days, inRange, items } from './sql.ts';

/**
 * Units that were received and wait for their first test longer than they should; what was put aside at receipt waits
 * for nothing, and a test package has no first test. Rule: reports#overtime, bills#own-goods.
 */
export const uncheckedOvertime: Report = {
  kind: 'exportUncheckedOvertime',
  columns: [
    ...commonColumns,
    moment('receiveTime', '收货时间', 'Received at'),
    decimal('waitingDays', '等待天数', 'Days waiting'),
    decimal('overdueDays', '超期天数', 'Overdue days'),
    option('node', '当前节点', 'Current node', 'nodes'),
  ],
  rows: (params) => sql<Row>`
    SELECT ${commonValues(params)}, i."receiveTime", ${days(sql`now() - i."receiveTime"`)} AS "waitingDays",
           ${days(sql`now() - i."receiveTime" - make_interval(days => ${limits.uncheckedDays})`)} AS "overdueDays",
           u."ivyId" AS node
      FROM ${items}
      LEFT JOIN rma_inventory AS u ON u.sn = i."receiveSn" AND u."mtbliId" = i."mtbliId"
     WHERE i."checkTime" IS NULL AND ${itemIsOpen('i')}
       AND b."billType" IS DISTINCT FROM ${sql.lit(OwnBillType.TestPackage)}
       AND ${inRange('i.receiveTime', params)} AND i."receiveTime" < now() - make_interval(days => ${limits.uncheckedDays})
       AND ${inSites('i.siteId', params)}
     ORDER BY i."siteId", i."receiveTime", i.id`,
};
