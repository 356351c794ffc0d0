import { sql } from 'kysely';
import { Confirmation, DutySourse } from '#domain/enums.ts';
import { Disposition } from '#domain/issueCode.ts';
import { inSites } from '#server/db/conditions.ts';
import { isReturned } from '#server/workflow/moves.ts';
import { nameIn } from '#server/engine/describe.ts';
import { count, percent, text, type Report, type Row } from './report.ts';
import { inRange, share } from './sql.ts';

/** Proposals whose unit was returned to its first test are told apart: what was said of them does not stand. Rule: events#e30. */
const stands = sql`NOT c.gone`;
const per = (column: string, value: string) =>
  sql`count(*) FILTER (WHERE ${stands} AND c.${sql.ref(column)} = ${sql.lit(value)})`;
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
    count('returned', '已退回初检', 'Returned to first test'),
    percent('accuracy', '报废准确率', 'Accuracy'),
    count('dutyOwn', '我司责任', 'Duty: own company'),
    count('dutyCustomer', '客户责任', 'Duty: customer'),
    count('dutyUnknown', '无法判定', 'Duty: cannot determine'),
  ],
  chart: { by: ['site'], of: 'accuracy' },
  rows: (params) => sql<Row>`
    SELECT coalesce(${nameIn(params.lang, 's.siteName')}, b."siteId") AS site, count(*) AS proposed, ${confirmed} AS confirmed,
           ${declined} AS declined, ${per('scrapStatus', Confirmation.Waiting)} AS open,
           count(*) FILTER (WHERE ${stands} AND nullif(c."scrapStatus", '') IS NULL) AS stateless,
           count(*) FILTER (WHERE c.gone) AS returned,
           ${share(confirmed, sql`(${confirmed} + ${declined})`)} AS accuracy,
           ${per('dutySourse', DutySourse.OwnCompany)} AS "dutyOwn",
           ${per('dutySourse', DutySourse.Customer)} AS "dutyCustomer",
           ${per('dutySourse', DutySourse.Unclear)} AS "dutyUnknown"
      FROM rma_check_bill AS b
     CROSS JOIN LATERAL (
           SELECT l.*, ${isReturned('check', sql`l."ckbId"`)} AS gone FROM rma_check_bill_line AS l
            WHERE l."ckbId" = b."ckbId" AND l.disposition = ${sql.lit(Disposition.Scrap)}) AS c
      LEFT JOIN ubs_site AS s ON s."siteId" = b."siteId"
     WHERE ${inRange('b.createTime', params)} AND ${inSites('b.siteId', params)}
     GROUP BY b."siteId", s."siteName", s."siteNameEn"
     ORDER BY b."siteId"`,
};
