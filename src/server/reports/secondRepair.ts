import { sql } from 'kysely';
import { DeliverStatus, Flag } from '#domain/enums.ts';
import { inSites } from '#server/db/conditions.ts';
import { itemIsReceived } from '#server/workflow/states.ts';
import { nameIn } from '#server/engine/describe.ts';
import { isReturned } from '#server/workflow/moves.ts';
import { namesIn } from '#server/workflow/names.ts';
import {
  bill,
  commonColumns,
  count,
  decimal,
  moment,
  option,
  percent,
  text,
  type Params,
  type Report,
  type Row,
} from './report.ts';
import { commonValues, days, inRange, isSoonAfter, items, share, soonBefore } from './sql.ts';

/** Items whose unit came back within the limit after its last delivery, `p`; another site's delivery is not shown. */
const secondRepairs = (params: Params) => sql`
  FROM ${items}
  JOIN LATERAL (
       SELECT p."mtbliId", p."mtbId", p."siteId", p."deliverTime", p."checkIcdIds" FROM rma_maintain_bill_line_item AS p
        WHERE p."deliverSn" = ANY(${namesIn(sql`i."receiveSn"`)}) AND p."deliverStatus" = ${sql.lit(DeliverStatus.Shipped)}
          AND p."deliverTime" < i."receiveTime"
          AND p.id <> i.id AND ${inSites('p.siteId', params)}
        ORDER BY p."deliverTime" DESC LIMIT 1) AS p ON ${isSoonAfter(sql`p."deliverTime"`, sql`i."receiveTime"`, params.timeZone)}
 WHERE ${itemIsReceived('i')} AND ${inRange('i.receiveTime', params)} AND ${inSites('i.siteId', params)}`;

/**
 * Units that came back soon after they were repaired, and how many of those that were sent out these are.
 * Rule: reports#second-repairs.
 */
export const secondRepair: Report = {
  kind: 'exportSecondRepair',
  columns: [
    ...commonColumns,
    moment('receiveTime', '收货时间', 'Received at'),
    bill('previousMtbId', '上次工单号', 'Previous bill', 'rmaMaintainBill'),
    text('previousSite', '上次维修站点', 'Previous site'),
    moment('previousDeliverTime', '上次发货时间', 'Previous delivery'),
    decimal('daysBetween', '间隔天数', 'Days between'),
    text('previousCodes', '上次故障代码', 'Previous issue codes'),
    text('presentCodes', '本次故障代码', 'Present issue codes'),
    option('isSameFault', '同一故障', 'Same fault', 'yesNo'),
    text('previousRepairer', '上次维修人', 'Previous repairer'),
    count('delivered', '此前90天发货数', 'Delivered in the 90 days before'),
    percent('rate', '二次返修率', 'Second repair rate'),
  ],
  rows: (params) => sql<Row>`
    SELECT ${commonValues(params)}, i."receiveTime", p."mtbId" AS "previousMtbId",
           coalesce((SELECT ${nameIn(params.lang, 'ps.siteName')} FROM ubs_site AS ps WHERE ps."siteId" = p."siteId"), p."siteId") AS "previousSite", p."deliverTime" AS "previousDeliverTime",
           ${days(sql`i."receiveTime" - p."deliverTime"`)} AS "daysBetween", p."checkIcdIds" AS "previousCodes",
           i."checkIcdIds" AS "presentCodes",
           CASE WHEN i."checkIcdIds" IS NULL OR p."checkIcdIds" IS NULL THEN NULL
                WHEN string_to_array(i."checkIcdIds", ',') && string_to_array(p."checkIcdIds", ',')
                THEN ${sql.lit(Flag.Yes)}
                ELSE ${sql.lit(Flag.No)} END AS "isSameFault",
           (SELECT r."userId" FROM rma_repair_bill AS r
             WHERE r."mtbliId" = p."mtbliId" AND NOT ${isReturned('repair', sql`r."rpbId"`)}
             ORDER BY r.id DESC LIMIT 1) AS "previousRepairer"
      ${secondRepairs(params)}
     ORDER BY i."siteId", i."receiveTime", i.id`,
  footer: (params) => sql<Row>`
    SELECT d.n AS delivered, ${share(sql`r.n`, sql`d.n`)} AS rate
      FROM (SELECT count(*) AS n ${secondRepairs(params)}) AS r,
           (SELECT count(*) AS n FROM rma_maintain_bill_line_item AS i
             WHERE i."deliverStatus" = ${sql.lit(DeliverStatus.Shipped)} AND i."deliverTime" < ${params.from}
               AND i."deliverTime" >= ${soonBefore(sql`${params.from}::timestamptz`, params.timeZone)} AND ${inSites('i.siteId', params)}) AS d`,
};
