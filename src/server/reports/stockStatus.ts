import { sql } from 'kysely';
import { Flag, ScrapRepairStatus, TransferSnStatus, TransferStatus } from '#domain/enums.ts';
import { nodes, Node } from '#domain/nodes.ts';
import { inSites } from '#server/db/conditions.ts';
import { stockupLives } from '#server/workflow/states.ts';
import { count, option, text, type Report, type Row } from './report.ts';

const inHouse = nodes.filter((it) => it !== Node.Shipped);
const nodeWords: Record<string, [zh: string, en: string]> = {
  [Node.AwaitingCheck]: ['待初检', 'Awaiting initial test'],
  [Node.Scrapped]: ['已报废', 'Scrapped'],
  [Node.AwaitingRepair]: ['待维修', 'Awaiting repair'],
  [Node.AwaitingAssembly]: ['待组装', 'Awaiting assembly'],
  [Node.AwaitingTest]: ['待测试', 'Awaiting test'],
  [Node.AwaitingInspection]: ['待检验', 'Awaiting inspection'],
  [Node.AwaitingStorage]: ['待入库', 'Awaiting storage'],
  [Node.CanShip]: ['可发货', 'Can ship'],
};
const perNode = inHouse.map((it) => sql`count(*) FILTER (WHERE u."ivyId" = ${sql.lit(it)}) AS ${sql.ref(`node${it}`)}`);

/** SNs that something holds: a stock-up bill has tallied them for their customer, an open scrap repair takes them along. */
const locked = sql`
  (SELECT sl.sn FROM rma_stockup_bill_line AS sl JOIN rma_stockup_bill AS sb ON sb."skbId" = sl."skbId"
    WHERE sl.delivered = ${sql.lit(Flag.No)} AND ${stockupLives('sb')}
    UNION
   SELECT rl.sn FROM rma_scrap_repair_bill_line AS rl JOIN rma_scrap_repair_bill AS rb ON rb."srbId" = rl."srbId"
    WHERE rb."billStatus" = ${sql.lit(ScrapRepairStatus.Open)})`;
/** SNs on their way from one site to another: sent and not signed for yet. */
const inTransit = sql`
  (SELECT DISTINCT ti.sn FROM rma_stock_transfer_bill AS tb
     JOIN rma_stock_transfer_bill_line AS tl ON tl."sktbId" = tb."sktbId"
     JOIN rma_stock_transfer_bill_line_item AS ti ON ti."sktblId" = tl."sktblId"
      AND ti."snStatus" = ${sql.lit(TransferSnStatus.Sent)}
    WHERE tb."billStatus" = ${sql.lit(TransferStatus.AwaitingReceipt)})`;

/** What is in the workshop now, by where it stands. Rule: reports#stock. */
export const stockStatus: Report = {
  kind: 'exportStockStatus',
  columns: [
    text('site', '站点', 'Site'),
    option('warehouse', '子库', 'Warehouse', 'subinventory'),
    text('salesCode', '销售编码', 'Sales code'),
    text('productName', '产品名称', 'Product'),
    option('type', '物料类型', 'Item type', 'goodsType'),
    option('storageType', '库存类型', 'Storage type', 'storageType'),
    ...inHouse.map((it) => count(`node${it}`, ...(nodeWords[it] ?? [it, it]))),
    count('locked', '锁定', 'Locked'),
    count('inTransit', '调拨在途', 'In transit'),
    count('total', '合计', 'Total'),
  ],
  rows: (params) => sql<Row>`
    SELECT coalesce(s."siteName", u."siteId") AS site, u."subinventoryCode" AS warehouse, u."salesCode",
           coalesce(it."productName", it.name, max(u."itemName")) AS "productName", u.type, u."storageType",
           ${sql.join(perNode)}, count(k.sn) AS locked, count(w.sn) AS "inTransit", count(*) AS total
      FROM rma_inventory AS u
      LEFT JOIN ubs_site AS s ON s."siteId" = u."siteId"
      LEFT JOIN ubs_item AS it ON it."salesCode" = u."salesCode"
      LEFT JOIN ${locked} AS k ON k.sn = u.sn
      LEFT JOIN ${inTransit} AS w ON w.sn = u.sn
     WHERE u."ivyId" = ANY(${inHouse}) AND ${inSites('u.siteId', params)}
     GROUP BY u."siteId", s."siteName", u."subinventoryCode", u."salesCode", it."productName", it.name, u.type,
              u."storageType"
     ORDER BY u."siteId", u."salesCode", u."subinventoryCode" NULLS LAST, u."storageType"`,
};
