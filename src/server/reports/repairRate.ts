import { sql } from 'kysely';
import { Warranty } from '#domain/enums.ts';
import { inSites } from '#server/db/conditions.ts';
import { midnightIn } from '#server/db/days.ts';
import { itemIsCustomers, itemIsReceived } from '#server/workflow/states.ts';
import { is, isBefore } from '#domain/drill.ts';
import { count, percent, text, type Report, type Row } from './report.ts';
import { inRange, toMonth, monthText, share } from './sql.ts';

/**
 * Month by month how many of the machines of a model that are in the field came in for repair. A model is listed in
 * every month of the range when it came in in any of them. Rule: reports#repair-rate.
 */
export const repairRate: Report = {
  kind: 'exportRepairRateStatistics',
  columns: [
    text('month', '月份', 'Month'),
    text('salesCode', '销售编码', 'Sales code'),
    text('productName', '产品名称', 'Product'),
    count('installed', '累计销售数', 'Installed base'),
    count('received', '返修收货数', 'Received for repair'),
    count('inWarranty', '保内', 'In warranty'),
    count('outOfWarranty', '保外', 'Out of warranty'),
    percent('rate', '返修率', 'Repair rate'),
    text('topCodes', '主要故障代码', 'Top issue codes'),
  ],
  chart: { by: ['month', 'salesCode'], of: 'rate' },
  drill: {
    keys: ['starts'],
    of: {
      installed: ({ salesCode, starts }) => ({
        module: 'ubsItemObject',
        rules: [is('salesCode', salesCode), isBefore('outTime', starts)],
      }),
    },
  },
  rows: (params) => sql<Row>`
    WITH month AS (
      SELECT m::date AS month, ${midnightIn(sql`m::date`, params.timeZone)} AS starts
        FROM generate_series(${params.startDate}::date, ${params.endDate}::date, interval '1 month') AS m),
    came AS MATERIALIZED (
      SELECT ${toMonth('i.receiveTime', params)} AS month, l."salesCode", i.warranty, i."checkIcdIds"
        FROM rma_maintain_bill_line_item AS i JOIN rma_maintain_bill_line AS l ON l."mtblId" = i."mtblId"
       WHERE ${itemIsReceived('i')} AND ${itemIsCustomers('i')} AND ${inRange('i.receiveTime', params)} AND ${inSites('i.siteId', params)}),
    counted AS (
      SELECT month, "salesCode", count(*) AS n,
             count(*) FILTER (WHERE warranty IN (${sql.lit(Warranty.In)}, ${sql.lit(Warranty.Repair)})) AS "inWarranty",
             count(*) FILTER (WHERE warranty = ${sql.lit(Warranty.Out)} OR warranty IS NULL) AS "outOfWarranty"
        FROM came GROUP BY 1, 2),
    code AS (
      SELECT month, "salesCode", code, count(*) AS n, row_number() OVER (PARTITION BY month, "salesCode" ORDER BY count(*) DESC, code) AS nth
        FROM came CROSS JOIN LATERAL unnest(string_to_array("checkIcdIds", ',')) AS code GROUP BY 1, 2, 3),
    sold AS (
      SELECT m.month, o."salesCode", count(*) AS n
        FROM month AS m JOIN ubs_item_object AS o ON o."outTime" < m.starts
       WHERE o."salesCode" IN (SELECT "salesCode" FROM came)
       GROUP BY 1, 2)
    SELECT ${monthText(sql`m.month`)} AS month, c."salesCode", it."productName", coalesce(sold.n, 0) AS installed,
           coalesce(counted.n, 0) AS received, coalesce(counted."inWarranty", 0) AS "inWarranty",
           coalesce(counted."outOfWarranty", 0) AS "outOfWarranty",
           ${share(sql`coalesce(counted.n, 0)`, sql`coalesce(sold.n, 0)`)} AS rate,
           (SELECT string_agg(code.code || ' ' || code.n, ', ' ORDER BY code.nth) FROM code
             WHERE code.month = m.month AND code."salesCode" = c."salesCode" AND code.nth <= 3) AS "topCodes",
           m.starts
      FROM month AS m CROSS JOIN (SELECT DISTINCT "salesCode" FROM came) AS c
      LEFT JOIN counted ON counted.month = m.month AND counted."salesCode" = c."salesCode"
      LEFT JOIN sold ON sold.month = m.month AND sold."salesCode" = c."salesCode"
      LEFT JOIN ubs_item AS it ON it."salesCode" = c."salesCode"
     ORDER BY m.month, c."salesCode"`,
};
