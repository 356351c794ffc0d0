import { sql } from 'kysely';
import { inSites } from '#server/db/conditions.ts';
import { nameIn } from '#server/engine/describe.ts';
import { bill, count, maintainBill, moment, option, sn, text, type Report, type Row } from './report.ts';
import { inRange } from './sql.ts';

/** Every repair row that was submitted on site in the range, with when its order was ended. Rule: reports#records. */
export const onSiteRepair: Report = {
  kind: 'exportOnSiteRepairStatistics',
  columns: [
    text('site', '站点', 'Site'),
    bill('osbId', '现场维修单号', 'On-site repair bill', 'rmaSiteRepairBill'),
    maintainBill,
    text('userName', '客户姓名', 'Customer'),
    sn('sn', '设备SN', 'Device SN'),
    text('salesCode', '销售编码', 'Sales code'),
    text('name', '物料名称', 'Item'),
    text('checkIcdIds', '检测故障', 'Check issues'),
    option('partsType', '单板类型', 'Part type', 'partsTypes'),
    sn('componentSn', '部件SN', 'Component SN'),
    text('icdIds', '故障代码', 'Issue codes'),
    text('slot', '位号', 'Slot'),
    option('repairMethod', '维修方式', 'Method', 'repairMethods'),
    text('repairMarking', '丝印', 'Marking'),
    count('spendItemCount', '更换数', 'Replaced'),
    text('operator', '操作人', 'Operator'),
    moment('submitTime', '提交时间', 'Submitted at'),
    moment('finishTime', '结单时间', 'Ended at'),
  ],
  rows: (params) => sql<Row>`
    SELECT coalesce(${nameIn(params.lang, 's.siteName')}, b."siteId") AS site, b."osbId", b."mtbId", b."userName", l."productSn" AS sn,
           l."salesCode", l.name, l."checkIcdIds", l."partsType", l."componentSn", l."icdIds", l.slot, l."repairMethod",
           l."repairMarking", l."spendItemCount", l."userId" AS operator, l."submitTime", b."finishTime"
      FROM rma_site_repair_bill_line AS l
      JOIN rma_site_repair_bill AS b ON b."osbId" = l."osbId"
      LEFT JOIN ubs_site AS s ON s."siteId" = b."siteId"
     WHERE ${inRange('l.submitTime', params)} AND ${inSites('b.siteId', params)}
     ORDER BY b."siteId", l."submitTime", l.id`,
};
