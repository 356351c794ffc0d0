import { sql } from 'kysely';
import { inSites } from '#server/db/conditions.ts';
import { isReturned } from '#server/workflow/moves.ts';
import { nameIn } from '#server/engine/describe.ts';
import { bill, commonColumns, count, moment, option, sn, text, type Report, type Row } from './report.ts';
import { equals, inRange, items, yesNo } from './sql.ts';

/** Every row of every repair of the range, of one work order where it is named. Rule: reports#records. */
export const repairOrder: Report = {
  kind: 'exportRepairOrder',
  columns: [
    ...commonColumns,
    bill('rpbId', '维修单号', 'Repair bill', 'rmaRepairBill'),
    moment('repairTime', '维修时间', 'Repaired at'),
    text('operator', '操作人', 'Operator'),
    option('partsType', '单板类型', 'Part type', 'partsTypes'),
    sn('componentSn', '单板SN', 'Component SN'),
    text('icdIds', '故障代码', 'Issue codes'),
    text('icdDescriptions', '故障描述', 'Issue descriptions'),
    text('slot', '位号', 'Slot'),
    option('repairMethod', '维修方式', 'Method', 'repairMethods'),
    text('repairMarking', '丝印', 'Marking'),
    count('spendCount', '更换数', 'Replaced'),
    sn('replaceSn', '替换SN', 'Replacement SN'),
    option('isReturned', '已退回初检', 'Returned to first test', 'yesNo'),
  ],
  rows: (params) => sql<Row>`
    SELECT coalesce(${nameIn(params.lang, 'rs.siteName')}, r."siteId") AS site, coalesce(b."mtbId", r."mtbId") AS "mtbId", b."btmMtbId", b."receiveShipNo", b."btmUserId",
           b."userName", coalesce(l."salesCode", u."salesCode") AS "salesCode",
           coalesce(l."productName", u."itemName") AS "productName", r.sn, i.warranty, r."rpbId",
           r."createTime" AS "repairTime", r."userId" AS operator, rl."partsType", rl.sn AS "componentSn", rl."icdIds",
           rl."icdDescriptions", rl.slot, rl."repairMethod", rl."repairMarking", rl."spendCount", rl."replaceSn",
           ${yesNo(isReturned('repair', sql`r."rpbId"`))} AS "isReturned"
      FROM rma_repair_bill AS r
      JOIN rma_repair_bill_line AS rl ON rl."rpbId" = r."rpbId"
      LEFT JOIN rma_inventory AS u ON u.sn = r.sn
      LEFT JOIN ubs_site AS rs ON rs."siteId" = r."siteId"
      LEFT JOIN (${items}) ON i."mtbliId" = r."mtbliId"
     WHERE ${inRange('r.createTime', params)} AND ${inSites('r.siteId', params)} AND ${equals(params.mtbId, sql`coalesce(b."mtbId", r."mtbId")`)}
     ORDER BY r."siteId", r."createTime", rl.id`,
};
