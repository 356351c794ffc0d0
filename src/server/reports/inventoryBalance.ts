import { sql, type RawBuilder } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { Node, nodes, storageTypeAt } from '#domain/nodes.ts';
import { inSites } from '#server/db/conditions.ts';
import { count, option, text, type Report, type Row } from './report.ts';

/** The storage type that a node stands for; none where a unit is not in the workshop. */
const toStorageType = (node: string) =>
  sql`CASE ${sql.ref(node)} ${sql.join(
    nodes.map((it) => sql`WHEN ${sql.lit(it)} THEN ${sql.lit(storageTypeAt(it))}`),
    sql` `,
  )} END`;

/** Stock went into a device: it stands nowhere by itself any more. Rule: events#e15, events#e17, events#e27. */
const isBuiltIn = sql`(f."toNode" IS NULL AND f.step IN ('repair', 'assemble', 'rebind'))`;

/** The name of a movement into or out of a storage type; what no other name fits is `other`. */
const flows = {
  received: sql`f.sign = 1 AND f.step = 'receive'`,
  activated: sql`f.sign = 1 AND f.step = 'storeStart'`,
  repairedIn: sql`f.sign = 1 AND f.step = 'store'`,
  scrappedIn: sql`f.sign = 1 AND f.step NOT IN ('receive', 'storeStart') AND f."toNode" = ${sql.lit(Node.Scrapped)}`,
  otherIn: sql`f.sign = 1 AND f.step NOT IN ('receive', 'storeStart', 'store') AND f."toNode" <> ${sql.lit(Node.Scrapped)}`,
  delivered: sql`f.sign = -1 AND f.step = 'deliver'`,
  scrapped: sql`f.sign = -1 AND f."toNode" = ${sql.lit(Node.Scrapped)}`,
  consumed: sql`f.sign = -1 AND f.step IN ('store', 'storeStart') AND f."toNode" <> ${sql.lit(Node.Scrapped)}`,
  builtIn: sql`f.sign = -1 AND ${isBuiltIn}`,
  otherOut: sql`f.sign = -1 AND f.step NOT IN ('deliver', 'store', 'storeStart') AND f."toNode" IS DISTINCT FROM ${sql.lit(Node.Scrapped)}
                AND NOT ${isBuiltIn}`,
};
const ins = ['received', 'activated', 'repairedIn', 'scrappedIn', 'otherIn'] as const;
const outs = ['delivered', 'scrapped', 'consumed', 'builtIn', 'otherOut'] as const;
const names = [...ins, ...outs];
const columns = names.map(
  (it) => sql`coalesce(sum(f.n) FILTER (WHERE f.period = 1 AND ${flows[it]}), 0)::int AS ${sql.ref(it)}`,
);
const added = (of: readonly string[]): RawBuilder<unknown> =>
  sql.join(
    of.map((it) => sql`x.${sql.ref(it)}`),
    sql` + `,
  );

/**
 * What lay where at the first day, what came and went, what lies there after the last one. Opening is added up from
 * every movement before; closing is what lies there today less what moved since: so the difference is 0 only while
 * every unit's place is explained by its movements. Rule: reports#stock.
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
    count('scrappedIn', '报废转入', 'Scrapped in'),
    count('otherIn', '其他转入', 'Other in'),
    count('delivered', '发货', 'Delivered'),
    count('scrapped', '报废转出', 'Scrapped out'),
    count('consumed', '转出', 'Passed on'),
    count('builtIn', '装机', 'Built in'),
    count('otherOut', '其他转出', 'Other out'),
    count('closing', '期末', 'Closing'),
    count('difference', '差异', 'Difference'),
  ],
  rows: (params) => sql<Row>`
    WITH moved AS MATERIALIZED (
      SELECT w."siteId", t.sn, t.step, t."toNode", w.was, w.becomes,
             CASE WHEN t."eventTime" < ${params.from} THEN 0 WHEN t."eventTime" < ${params.until} THEN 1 ELSE 2 END AS period
        FROM rma_transaction AS t
       CROSS JOIN LATERAL (VALUES
         (t."siteId", CASE WHEN t."fromSiteId" IS NULL THEN ${toStorageType('t.fromNode')} END, ${toStorageType('t.toNode')}),
         (t."fromSiteId", ${toStorageType('t.fromNode')}, NULL)) AS w("siteId", was, becomes)
       WHERE t."operateStatus" = ${sql.lit(OperateStatus.Normal)} AND w."siteId" IS NOT NULL
         AND w.was IS DISTINCT FROM w.becomes
         AND ${inSites('w.siteId', params)}),
    f AS (
      SELECT m."siteId", u."salesCode", w.storage, w.sign, m.step, m."toNode", m.period, count(*) AS n
        FROM moved AS m JOIN rma_inventory AS u ON u.sn = m.sn
       CROSS JOIN LATERAL (VALUES (m.becomes, 1), (m.was, -1)) AS w(storage, sign)
       WHERE w.storage IS NOT NULL
       GROUP BY 1, 2, 3, 4, 5, 6, 7),
    today AS (
      SELECT u."siteId", u."salesCode", ${toStorageType('u.ivyId')} AS storage, count(*) AS n
        FROM rma_inventory AS u
       WHERE u."ivyId" IS NOT NULL AND u."ivyId" <> ${sql.lit(Node.Shipped)} AND ${inSites('u.siteId', params)}
       GROUP BY 1, 2, 3),
    flow AS (
      SELECT f."siteId", f."salesCode", f.storage, coalesce(sum(f.sign * f.n) FILTER (WHERE f.period = 0), 0)::int AS opening,
             coalesce(sum(f.sign * f.n) FILTER (WHERE f.period = 2), 0)::int AS since, ${sql.join(columns)}
        FROM f GROUP BY 1, 2, 3),
    x AS (
      SELECT coalesce(flow."siteId", today."siteId") AS "siteId", coalesce(flow."salesCode", today."salesCode") AS "salesCode",
             coalesce(flow.storage, today.storage) AS "storageType", coalesce(flow.opening, 0) AS opening,
             ${sql.join(names.map((it) => sql`coalesce(flow.${sql.ref(it)}, 0) AS ${sql.ref(it)}`))},
             (coalesce(today.n, 0) - coalesce(flow.since, 0))::int AS closing
        FROM flow FULL JOIN today ON today."siteId" = flow."siteId" AND today."salesCode" = flow."salesCode"
                                 AND today.storage = flow.storage)
    SELECT coalesce(s."siteName", x."siteId") AS site, x."salesCode", it."productName", x."storageType", x.opening,
           ${sql.join(names.map((it) => sql`x.${sql.ref(it)}`))}, x.closing,
           x.closing - (x.opening + ${added(ins)}) + (${added(outs)}) AS difference
      FROM x
      LEFT JOIN ubs_site AS s ON s."siteId" = x."siteId"
      LEFT JOIN ubs_item AS it ON it."salesCode" = x."salesCode"
     ORDER BY x."siteId", x."salesCode", x."storageType"`,
};
