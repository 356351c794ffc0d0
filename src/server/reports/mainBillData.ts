import { sql } from 'kysely';
import { BillStatus, OperateStatus } from '#domain/enums.ts';
import { inSites } from '#server/db/conditions.ts';
import { nameIn } from '#server/engine/describe.ts';
import { billColumns, count, decimal, moment, option, text, type Report, type Row } from './report.ts';
import { days, inRange } from './sql.ts';

/**
 * One row a maintain bill that was made in the range, with what it declares and what became of it.
 * Rule: reports#records.
 */
export const mainBillData: Report = {
  kind: 'exportMainBillData',
  columns: [
    ...billColumns,
    text('mobile', '手机', 'Mobile'),
    text('country', '国家', 'Country'),
    option('billStatus', '状态', 'Status', 'billStatus'),
    count('receivePackageCount', '包裹数', 'Packages'),
    count('count', '申报数', 'Declared'),
    count('receiveCount', '收货数', 'Received'),
    count('deliverCount', '发货数', 'Delivered'),
    count('scrapCount', '报废数', 'Scrapped'),
    count('discardCount', '丢弃数', 'Discarded'),
    count('buyOutCount', '买断数', 'Bought out'),
    moment('createTime', '创建时间', 'Created at'),
    moment('receiveTime', '首次收货时间', 'First received at'),
    moment('finishTime', '完结时间', 'Finished at'),
    decimal('duration', '历时天数', 'Duration (days)'),
    text('createBy', '创建人', 'Created by'),
    text('remark', '备注', 'Remark'),
  ],
  rows: (params) => sql<Row>`
    SELECT coalesce(${nameIn(params.lang, 's.siteName')}, b."siteId") AS site, b."mtbId", b."btmMtbId", b."receiveShipNo", b."btmUserId",
           b."userName", b.mobile, ${nameIn(params.lang, 'c.name')} AS country, b."billStatus", b."receivePackageCount", l.count,
           l."receiveCount", l."deliverCount", l."scrapCount", l."discardCount", l."buyOutCount", b."createTime",
           i."receiveTime", f.at AS "finishTime", ${days(sql`coalesce(f.at, now()) - b."createTime"`)} AS duration,
           b."createBy", b.remark
      FROM rma_maintain_bill AS b
      LEFT JOIN ubs_site AS s ON s."siteId" = b."siteId"
      LEFT JOIN ubs_country AS c ON c."countryId" = b."countryId"
     CROSS JOIN LATERAL (
           SELECT sum(l.count) AS count, sum(l."receiveCount") AS "receiveCount", sum(l."deliverCount") AS "deliverCount",
                  sum(l."scrapCount") AS "scrapCount", sum(l."discardCount") AS "discardCount",
                  sum(l."buyOutCount") AS "buyOutCount"
             FROM rma_maintain_bill_line AS l WHERE l."mtbId" = b."mtbId") AS l
     CROSS JOIN LATERAL (
           SELECT min(i."receiveTime") AS "receiveTime" FROM rma_maintain_bill_line_item AS i
            WHERE i."mtbId" = b."mtbId") AS i
      LEFT JOIN LATERAL (
           SELECT max(t."eventTime") AS at FROM rma_transaction AS t
            WHERE t."mtbId" = b."mtbId"
              AND t."operateStatus" = ${sql.lit(OperateStatus.Normal)}) AS f ON b."billStatus" = ${BillStatus.Finished}
     WHERE ${inRange('b.createTime', params)} AND ${inSites('b.siteId', params)}
     ORDER BY b."siteId", b."createTime", b.id`,
};
