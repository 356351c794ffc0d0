import { sql } from 'kysely';
import { Confirmation, DutySourse } from '#domain/enums.ts';
import { Disposition } from '#domain/issueCode.ts';
import { inSites } from '#server/db/conditions.ts';
import { nameIn } from '#server/engine/describe.ts';
import { count, percent, text, type Report, type Row } from './report.ts';
import { inRange, share } from './sql.ts';

const per = (column: string, value: string) => sql`count(*) FILTER (WHERE c.${sql.ref(column)} = ${sql.lit(value)})`;
const confirmed = per('scrapStatus', Confirmation.Confirmed);
const declined = per('scrapStatus', Confirmation.Declined);

/** How often a supervisor agreed that a unit is scrap, and whose fault it was. Rule: reports#scrap-accuracy. */
export const scrapAccuracy: Report = {
  kind: 'exportScrapAccuracy',
  columns: [
    text('site', '站点', 'Site'),
    count('proposed', '报废提报数', 'Scrap proposals'),
    count('confirmed', '确认报废', 'Confirmed'),
    count('declined', '不报废', 'Declined'),
    count('open', '待确认', 'Open'),
    count('stateless', '无状态', 'Without a status'),
    percent('accuracy', '报废准确率', 'Accuracy'),
    count('dutyOwn', '我司责任', 'Duty: own company'),
    count('dutyCustomer', '客户责任', 'Duty: customer'),
    count('dutyUnknown', '无法判定', 'Duty: cannot determine'),
  ],
  chart: { by: ['site'], of: 'accuracy' },
  rows: (params) => sql<Row>`
    SELECT coalesce(${nameIn(params.lang, 's.siteName')}, b."siteId") AS site, count(*) AS proposed, ${confirmed} AS confirmed,
           ${declined} AS declined, ${per('scrapStatus', Confirmation.Waiting)} AS open,
           count(*) FILTER (WHERE nullif(c."scrapStatus", '') IS NULL) AS stateless,
           ${share(confirmed, sql`(${confirmed} + ${declined})`)} AS accuracy,
           ${per('dutySourse', DutySourse.OwnCompany)} AS "dutyOwn",
           ${per('dutySourse', DutySourse.Customer)} AS "dutyCustomer",
           ${per('dutySourse', DutySourse.Unclear)} AS "dutyUnknown"
      FROM rma_check_bill AS b
      JOIN rma_check_bill_line AS c ON c."ckbId" = b."ckbId" AND c.disposition = ${sql.lit(Disposition.Scrap)}
      LEFT JOIN ubs_site AS s ON s."siteId" = b."siteId"
     WHERE ${inRange('b.createTime', params)} AND ${inSites('b.siteId', params)}
     GROUP BY b."siteId", s."siteName", s."siteNameEn"
     ORDER BY b."siteId"`,
};
