import { sql } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { inSites } from '#server/db/conditions.ts';
import { itemIsCustomers, itemIsReceived } from '#server/workflow/states.ts';
import { codesByAnySn } from '#server/workflow/names.ts';
import { is, isBefore, isFrom } from '#domain/drill.ts';
import { isRepaired, isScrapped, movements } from './movements.ts';
import { count, percent, text, type Report, type Row } from './report.ts';
import { inRange, share } from './sql.ts';

/**
 * What was sold of each model and what came back of it. Sales know no site: a unit is sold when it leaves the factory;
 * the rest is of the sites that were asked for. Rule: reports#records.
 */
export const repairAndSale: Report = {
  kind: 'exportRepairAndSaleStatistics',
  columns: [
    text('salesCode', '销售编码', 'Sales code'),
    text('name', '物料名称', 'Item'),
    text('productName', '产品名称', 'Product'),
    count('sold', '销售数', 'Sold'),
    count('received', '返修收货数', 'Received for repair'),
    count('repaired', '维修数', 'Repaired'),
    count('scrapped', '报废数', 'Scrapped'),
    percent('ratio', '返修率', 'Repair ratio'),
  ],
  chart: { by: ['salesCode'], of: 'received' },
  drill: {
    keys: [],
    of: {
      sold: ({ salesCode }, { from, until }) => ({
        module: 'ubsItemObject',
        rules: [is('salesCode', salesCode), isFrom('outTime', from), isBefore('outTime', until)],
      }),
    },
  },
  rows: (params) => sql<Row>`
    WITH sold AS (
      SELECT o."salesCode", count(*) AS n FROM ubs_item_object AS o
       WHERE ${inRange('o.outTime', params)} GROUP BY o."salesCode"),
    received AS (
      SELECT l."salesCode", count(*) AS n
        FROM rma_maintain_bill_line_item AS i JOIN rma_maintain_bill_line AS l ON l."mtblId" = i."mtblId"
       WHERE ${itemIsReceived('i')} AND ${itemIsCustomers('i')} AND ${inRange('i.receiveTime', params)} AND ${inSites('i.siteId', params)}
       GROUP BY l."salesCode"),
    repaired AS (
      SELECT u."salesCode",
             count(DISTINCT (t.sn, t."mtbliId")) AS repaired
        FROM rma_transaction AS t JOIN ${codesByAnySn} AS u ON u.sn = t.sn
       WHERE t."operateStatus" = ${sql.lit(OperateStatus.Normal)} AND ${isRepaired}
         AND ${inRange('t.eventTime', params)} AND ${inSites('t.siteId', params)}
       GROUP BY u."salesCode"),
    scrapped AS (
      SELECT u."salesCode", count(*) AS n FROM ${movements(params)} AS v JOIN ${codesByAnySn} AS u ON u.sn = v.sn
       WHERE ${isScrapped} AND ${inRange('v.eventTime', params)}
       GROUP BY u."salesCode")
    SELECT c."salesCode", it.name, it."productName", coalesce(sold.n, 0) AS sold, coalesce(received.n, 0) AS received,
           coalesce(repaired.repaired, 0) AS repaired, coalesce(scrapped.n, 0) AS scrapped,
           ${share(sql`coalesce(received.n, 0)`, sql`coalesce(sold.n, 0)`)} AS ratio
      FROM (SELECT "salesCode" FROM sold UNION SELECT "salesCode" FROM received UNION SELECT "salesCode" FROM repaired
            UNION SELECT "salesCode" FROM scrapped) AS c
      LEFT JOIN ubs_item AS it ON it."salesCode" = c."salesCode"
      LEFT JOIN sold ON sold."salesCode" = c."salesCode"
      LEFT JOIN received ON received."salesCode" = c."salesCode"
      LEFT JOIN repaired ON repaired."salesCode" = c."salesCode"
      LEFT JOIN scrapped ON scrapped."salesCode" = c."salesCode"
     WHERE c."salesCode" IS NOT NULL
     ORDER BY c."salesCode"`,
};
