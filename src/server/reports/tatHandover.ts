import { sql } from 'kysely';
import { limits } from '#domain/reports.ts';
import { inSites } from '#server/db/conditions.ts';
import { nameIn } from '#server/engine/describe.ts';
import { stands } from './movements.ts';
import { asOfColumn, asOfValue, count, decimal, percent, text, type Report, type Row } from './report.ts';
import { hours, inRange, share } from './sql.ts';

const words: Record<keyof typeof limits.handoverHours, { zh: string; en: string }> = {
  'receive-check': { zh: '收货 → 初检', en: 'Receive → check' },
  'check-repair': { zh: '初检 → 维修', en: 'Check → repair' },
  'repair-assemble': { zh: '维修 → 组装', en: 'Repair → assemble' },
  'assemble-aging': { zh: '组装 → 老化', en: 'Assemble → aging' },
  'aging-qc': { zh: '老化 → 质检', en: 'Aging → QC' },
  'qc-store': { zh: '质检 → 入库', en: 'QC → store' },
  'store-deliver': { zh: '入库 → 发货', en: 'Store → deliver' },
};
const handovers = (lang: 'zh' | 'en') =>
  Object.entries(limits.handoverHours).map(([name, target], nth) => {
    const [before, after] = name.split('-');
    return { nth, before, after, target, said: words[name as keyof typeof words][lang] };
  });

/**
 * How long units waited between two stations, by the event of the second one in the range. The event before is the
 * unit's last one for the same item; only for a unit's first event in the range is it looked for outside.
 * Rule: reports#handover.
 */
export const tatHandover: Report = {
  kind: 'exportTatHandover',
  columns: [
    text('site', '站点', 'Site'),
    text('handover', '交接环节', 'Handover'),
    count('number', '台次', 'Units'),
    decimal('average', '平均小时', 'Average hours'),
    decimal('median', '中位小时', 'Median hours'),
    decimal('p90', '90分位小时', '90th percentile hours'),
    decimal('longest', '最长小时', 'Longest hours'),
    count('target', '目标小时', 'Target hours'),
    percent('within', '达标率', 'Within target'),
    asOfColumn,
  ],
  chart: { by: ['handover', 'site'], of: 'average' },
  rows: (params) => sql<Row>`
    WITH h AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(handovers(params.lang))}::json)
        AS h(nth int, before text, after text, target int, said text)),
    t AS MATERIALIZED (
      SELECT t.id, t.sn, t."mtbliId", t."siteId", t.step, t."eventTime",
             lag(t.step) OVER w AS before, lag(t."eventTime") OVER w AS "beforeTime"
        FROM rma_transaction AS t
       WHERE ${stands(params)} AND ${inRange('t.eventTime', params)}
         AND ${inSites('t.siteId', params)}
         AND t."toNode" IS NOT NULL
      WINDOW w AS (PARTITION BY t.sn, t."mtbliId" ORDER BY t.id)),
    pair AS (
      SELECT after."siteId", coalesce(after.before, p.step) AS before, after.step AS after,
             extract(epoch FROM after."eventTime" - coalesce(after."beforeTime", p."eventTime")) AS seconds
        FROM t AS after LEFT JOIN LATERAL (
             SELECT t.step, t."eventTime" FROM rma_transaction AS t
              WHERE after.before IS NULL AND after.step <> 'receive' AND t.sn = after.sn AND t.id < after.id
                AND t."mtbliId" IS NOT DISTINCT FROM after."mtbliId" AND ${stands(params)}
              ORDER BY t.id DESC LIMIT 1) AS p ON true)
    SELECT coalesce(${nameIn(params.lang, 's.siteName')}, pair."siteId") AS site, h.said AS handover, count(*) AS number,
           ${hours(sql`avg(pair.seconds)`)} AS average,
           ${hours(sql`percentile_cont(0.5) WITHIN GROUP (ORDER BY pair.seconds)`)} AS median,
           ${hours(sql`percentile_cont(0.9) WITHIN GROUP (ORDER BY pair.seconds)`)} AS p90,
           ${hours(sql`max(pair.seconds)`)} AS longest, h.target,
           ${share(sql`count(*) FILTER (WHERE pair.seconds <= h.target * 3600)`, sql`count(*)`)} AS within, ${asOfValue(params)}
      FROM pair JOIN h ON h.before = pair.before AND h.after = pair.after
      LEFT JOIN ubs_site AS s ON s."siteId" = pair."siteId"
     GROUP BY pair."siteId", s."siteName", s."siteNameEn", h.nth, h.said, h.target
     ORDER BY pair."siteId", h.nth`,
};
