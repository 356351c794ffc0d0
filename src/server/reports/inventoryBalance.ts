import { sql, type RawBuilder } from 'kysely';
import { Node, nodes, storageTypeAt } from '#domain/nodes.ts';
import { inSites } from '#server/db/conditions.ts';
import { nameIn } from '#server/engine/describe.ts';
import { codesByAnySn } from '#server/workflow/names.ts';
import { is, isOneOf } from '#domain/drill.ts';
import type { Drill } from '#domain/wire.ts';
import { isUndoneSince, movements, toStorageType, waysIn, waysOut } from './movements.ts';
import { asOfColumn, asOfValue, count, option, text, type Params, type Report, type Row } from './report.ts';

const names = [...waysIn, ...waysOut];
const columns = names.map(
  (it) => sql`coalesce(sum(f.n) FILTER (WHERE f.period = 1 AND f.way = ${sql.lit(it)}), 0)::int AS ${sql.ref(it)}`,
);
const added = (of: readonly string[]): RawBuilder<unknown> =>
  sql.join(
    of.map((it) => sql`x.${sql.ref(it)}`),
    sql` + `,
  );

/** What lies there at the end of today is what lies there now; of an earlier day no list knows it. */
const lyingNow = ({ siteId, salesCode, storageType }: Row, { until }: Params): Drill | null =>
  until.getTime() > Date.now()
    ? {
        module: 'rmaInventory',
        rules: [
          is('siteId', siteId),
          is('salesCode', salesCode),
          isOneOf(
            'ivyId',
            nodes.filter((it) => storageTypeAt(it) === storageType),
          ),
        ],
      }
    : null;

/**
 * What lay where at the first day, what came and went, what lies there after the last one. Opening is added up from
 * every movement before; closing is what lies there today less what moved since: so the difference is 0 only while
 * every unit's place is explained by its movements. Rule: reports#stock, reports#movements.
 */
export const inventoryBalance: Report = {
  kind: 'exportInventoryBalance',
  columns: [
    text('site', '站点', 'Site'),
    text('salesCode', '销售编码', 'Sales code'),
    text('productName', '产品名称', 'Product'),
    option('storageType', '库存类型', 'Storage type', 'storageType'),
    count('opening', '期初', 'Opening'),
    count('received', '收货', 'Received'),
    count('activated', '激活', 'Activated'),
    count('repairedIn', '修复入库', 'Repaired in'),
    count('transferredIn', '调入', 'Transferred in'),
    count('scrappedIn', '报废转入', 'Scrapped in'),
    count('otherIn', '其他转入', 'Other in'),
    count('delivered', '发货', 'Delivered'),
    count('transferredOut', '调出', 'Transferred out'),
    count('scrapped', '报废转出', 'Scrapped out'),
    count('consumed', '转出', 'Passed on'),
    count('builtIn', '装机', 'Built in'),
    count('otherOut', '其他转出', 'Other out'),
    count('closing', '期末', 'Closing'),
    count('difference', '差异', 'Difference'),
    asOfColumn,
  ],
  chart: { by: ['salesCode', 'storageType', 'site'], of: 'closing' },
  drill: { keys: ['siteId'], of: { closing: lyingNow } },
  rows: (params) => sql<Row>`
    WITH moved AS (
      SELECT v."siteId", coalesce(u."salesCode", '') AS "salesCode", v.was, v.becomes, v."wayIn", v."wayOut",
             CASE WHEN v."eventTime" < ${params.from} THEN 0 WHEN v."eventTime" < ${params.until} THEN 1 ELSE 2 END AS period,
             ${isUndoneSince(params)} AS "isUndone", count(*) AS n
        FROM ${movements(params)} AS v JOIN ${codesByAnySn} AS u ON u.sn = v.sn
       GROUP BY 1, 2, 3, 4, 5, 6, 7, 8),
    f AS (
      SELECT m."siteId", m."salesCode", w.storage, w.sign, w.way, m.period, m."isUndone", sum(m.n) AS n
        FROM moved AS m
       CROSS JOIN LATERAL (VALUES (m.becomes, 1, m."wayIn"), (m.was, -1, m."wayOut")) AS w(storage, sign, way)
       WHERE w.storage IS NOT NULL
       GROUP BY 1, 2, 3, 4, 5, 6, 7),
    today AS (
      SELECT u."siteId", coalesce(u."salesCode", '') AS "salesCode", ${toStorageType('u.ivyId')} AS storage, count(*) AS n
        FROM rma_inventory AS u
       WHERE u."ivyId" IS NOT NULL AND u."ivyId" <> ${sql.lit(Node.Shipped)} AND ${inSites('u.siteId', params)}
       GROUP BY 1, 2, 3),
    flow AS (
      SELECT f."siteId", f."salesCode", f.storage, coalesce(sum(f.sign * f.n) FILTER (WHERE f.period = 0), 0)::int AS opening,
             (coalesce(sum(f.sign * f.n) FILTER (WHERE f.period = 2), 0)
               - coalesce(sum(f.sign * f.n) FILTER (WHERE f."isUndone"), 0))::int AS since, ${sql.join(columns)}
        FROM f GROUP BY 1, 2, 3),
    x AS (
      SELECT coalesce(flow."siteId", today."siteId") AS "siteId", coalesce(flow."salesCode", today."salesCode") AS "salesCode",
             coalesce(flow.storage, today.storage) AS "storageType", coalesce(flow.opening, 0) AS opening,
             ${sql.join(names.map((it) => sql`coalesce(flow.${sql.ref(it)}, 0) AS ${sql.ref(it)}`))},
             (coalesce(today.n, 0) - coalesce(flow.since, 0))::int AS closing
        FROM flow FULL JOIN today ON today."siteId" = flow."siteId" AND today."salesCode" = flow."salesCode"
                                 AND today.storage = flow.storage)
    SELECT coalesce(${nameIn(params.lang, 's.siteName')}, x."siteId") AS site, nullif(x."salesCode", '') AS "salesCode", it."productName", x."storageType", x.opening,
           ${sql.join(names.map((it) => sql`x.${sql.ref(it)}`))}, x.closing,
           x.closing - (x.opening + ${added(waysIn)}) + (${added(waysOut)}) AS difference,
           ${asOfValue(params)}, x."siteId"
      FROM x
      LEFT JOIN ubs_site AS s ON s."siteId" = x."siteId"
      LEFT JOIN ubs_item AS it ON it."salesCode" = x."salesCode"
     ORDER BY x."siteId", x."salesCode", x."storageType"`,
};
