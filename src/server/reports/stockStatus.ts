import { sql } from 'kysely';
import { Flag, GoodsType, ItemType, TransferSnStatus } from '#domain/enums.ts';
import { nodes, Node } from '#domain/nodes.ts';
import { inSites } from '#server/db/conditions.ts';
import { itemTypeIn, stockupLives } from '#server/workflow/states.ts';
import { nameIn } from '#server/engine/describe.ts';
import { is, isNot, isOneOf } from '#domain/drill.ts';
import type { Drill, DrillRule } from '#domain/wire.ts';
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

/** SNs that something holds: a stock-up bill has tallied them for their customer, a scrap repair speaks for them. Rule: scrap-repair#reports. */
const locked = sql`
  (SELECT sl.sn FROM rma_stockup_bill_line AS sl JOIN rma_stockup_bill AS sb ON sb."skbId" = sl."skbId"
    WHERE sl.delivered = ${sql.lit(Flag.No)} AND ${stockupLives('sb')}
    UNION
   SELECT sn FROM rma_inventory WHERE "holdKind" IN ('scrapRepair', 'consumed'))`;
/** What lies or is worked on in the workshop, and what is under way to another site, as it lay before it left. Rule: transfers#reports. */
const stock = sql`
  (SELECT sn, "siteId", "subinventoryCode", "salesCode", "itemName", type, "storageType", "ivyId", false AS "isInTransit"
     FROM rma_inventory WHERE "ivyId" = ANY(${inHouse})
    UNION ALL
   SELECT u.sn, u."siteId", ti."fromSubinventoryCode", u."salesCode", u."itemName", u.type, tl."storageType", NULL, true
     FROM rma_inventory AS u
     JOIN rma_stock_transfer_bill_line AS tl ON tl."sktbId" = u."holdBillId"
     JOIN rma_stock_transfer_bill_line_item AS ti ON ti."sktblId" = tl."sktblId" AND ti.sn = u.sn
      AND ti."snStatus" = ${sql.lit(TransferSnStatus.Sent)}
    WHERE u."holdKind" = 'transfer')`;
const itemType = itemTypeIn('it', 'u');

/** The units of a row that stand there; where the catalogue does not say of what type an item is, each unit does. */
const standing =
  (at: DrillRule) =>
  ({ siteId, warehouse, salesCode, storageType, itemType, isTypeOfUnit }: Row): Drill => {
    const ofType = itemType === ItemType.SemiFinished ? is : isNot;
    return {
      module: 'rmaInventory',
      rules: [
        is('siteId', siteId),
        is('subinventoryCode', warehouse),
        is('salesCode', salesCode),
        is('storageType', storageType),
        ...(isTypeOfUnit ? [ofType('type', GoodsType.Board)] : []),
        at,
      ],
    };
  };

/** What is in the workshop now, by where it stands. Rule: reports#stock. */
export const stockStatus: Report = {
  kind: 'exportStockStatus',
  columns: [
    text('site', '站点', 'Site'),
    option('warehouse', '子库', 'Warehouse', 'subinventory'),
    text('salesCode', '销售编码', 'Sales code'),
    text('productName', '产品名称', 'Product'),
    option('itemType', '物料类型', 'Item type', 'itemTypes'),
    option('storageType', '库存类型', 'Storage type', 'storageType'),
    ...inHouse.map((it) => count(`node${it}`, ...(nodeWords[it] ?? [it, it]))),
    count('locked', '锁定', 'Locked'),
    count('inTransit', '调拨在途', 'In transit'),
    count('total', '合计', 'Total'),
  ],
  chart: { by: ['salesCode', 'storageType', 'warehouse', 'site'], of: 'total' },
  drill: {
    keys: ['siteId', 'isTypeOfUnit'],
    of: {
      ...Object.fromEntries(inHouse.map((it) => [`node${it}`, standing(is('ivyId', it))])),
      total: standing(isOneOf('ivyId', inHouse)),
    },
  },
  // Counted as a whole: whoever asks for the first rows alone would have the units read in order of their groups.
  rows: (params) => sql<Row>`
    WITH counted AS MATERIALIZED (
      SELECT coalesce(${nameIn(params.lang, 's.siteName')}, u."siteId") AS site, u."subinventoryCode" AS warehouse, u."salesCode",
             coalesce(it."productName", it.name, max(u."itemName")) AS "productName", ${itemType} AS "itemType",
             u."storageType", ${sql.join(perNode)}, count(k.sn) AS locked, count(*) FILTER (WHERE u."isInTransit") AS "inTransit",
             count(u."ivyId") AS total, u."siteId", max(it."itemType") IS NULL AS "isTypeOfUnit"
        FROM ${stock} AS u
        LEFT JOIN ubs_site AS s ON s."siteId" = u."siteId"
        LEFT JOIN ubs_item AS it ON it."salesCode" = u."salesCode"
        LEFT JOIN ${locked} AS k ON k.sn = u.sn
       WHERE ${inSites('u.siteId', params)}
       GROUP BY u."siteId", s."siteName", s."siteNameEn", u."subinventoryCode", u."salesCode", it."productName", it.name,
                ${itemType}, u."storageType")
    SELECT * FROM counted ORDER BY "siteId", "salesCode", warehouse NULLS LAST, "storageType"`,
};
