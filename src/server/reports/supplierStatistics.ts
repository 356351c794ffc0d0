import { sql, type RawBuilder } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { limits, ReportType } from '#domain/reports.ts';
import { inSites } from '#server/db/conditions.ts';
import { isReturned } from '#server/workflow/moves.ts';
import { itemIsCustomers, itemIsReceived } from '#server/workflow/states.ts';
import {
  commonColumns,
  count,
  moment,
  option,
  sn,
  text,
  type Column,
  type Params,
  type Report,
  type Row,
} from './report.ts';
import { commonValues, isIn, equals, inRange, items, yesNo } from './sql.ts';

const operator = text('operator', '操作人', 'Operator');
const repairColumns: readonly Column[] = [
  moment('repairTime', '维修时间', 'Repaired at'),
  option('partsType', '单板类型', 'Part type', 'partsTypes'),
  text('slot', '位号', 'Slot'),
  option('repairMethod', '维修方式', 'Method', 'repairMethods'),
  text('repairMarking', '丝印', 'Marking'),
  count('spendCount', '更换数', 'Replaced'),
  count('chipCount', '芯片数', 'Chips'),
  operator,
  option('isReturned', '已退回初检', 'Returned to first test', 'yesNo'),
];

const columns: Record<ReportType, readonly Column[]> = {
  [ReportType.Receive]: [
    moment('receiveTime', '收货时间', 'Received at'),
    operator,
    option('depreciation', '成色', 'Depreciation', 'depreciation'),
    count('quantity', '数量', 'Quantity'),
  ],
  [ReportType.Check]: [
    moment('checkTime', '初检时间', 'Checked at'),
    text('icdIds', '故障代码', 'Issue codes'),
    option('scrapStatus', '报废', 'Scrap', 'scrapStatus'),
    option('nofaultStatus', '无故障', 'No fault', 'nofaultStatus'),
    operator,
  ],
  [ReportType.Deliver]: [
    moment('deliverTime', '发货时间', 'Delivered at'),
    text('deliverShipNo', '发货物流单号', 'Outbound waybill'),
    sn('deliverSn', '发货SN', 'Delivered SN'),
    operator,
  ],
  [ReportType.RepairAll]: repairColumns,
  [ReportType.RepairDz]: repairColumns,
};

/** What was asked for besides the days: a word of the product, a bill, a website order, a customer's account. */
const asked = (params: Params) => sql`
  ${isIn([sql`l."salesCode"`, sql`l."itemName"`, sql`l."productName"`], params.salesCodeDesc)}
  AND ${equals(params.mtbId, sql`b."mtbId"`)} AND ${equals(params.btmMtbId, sql`b."btmMtbId"`)}
  AND ${equals(params.btmUserId, sql`b."btmUserId"`)}`;

const received = (params: Params) => sql<Row>`
  SELECT ${commonValues(params)}, i."receiveTime", t."userId" AS operator, i.depreciation, 1 AS quantity
    FROM ${items}
    LEFT JOIN LATERAL (SELECT t."userId" FROM rma_transaction AS t
                        WHERE t."mtbliId" = i."mtbliId" AND t.step = 'receive'
                          AND t."operateStatus" = ${sql.lit(OperateStatus.Normal)}
                        ORDER BY t.id DESC LIMIT 1) AS t ON true
   WHERE ${itemIsReceived('i')} AND ${itemIsCustomers('i')} AND ${inRange('i.receiveTime', params)} AND ${inSites('i.siteId', params)}
     AND ${asked(params)}
   ORDER BY i."siteId", i."receiveTime", i.id`;

const checked = (params: Params) => sql<Row>`
  SELECT ${commonValues(params)}, k."createTime" AS "checkTime", c."icdIds", c."scrapStatus",
         c."nofaultConfirmStatus" AS "nofaultStatus", k."userId" AS operator
    FROM rma_check_bill AS k
    JOIN rma_check_bill_line AS c ON c."ckbId" = k."ckbId" AND c.disposition IS NOT NULL
    JOIN ${items} ON i."mtbliId" = c."mtbliId"
   WHERE ${inRange('k.createTime', params)} AND ${inSites('k.siteId', params)} AND ${asked(params)}
   ORDER BY k."siteId", k."createTime", c.id`;

const delivered = (params: Params) => sql<Row>`
  SELECT ${commonValues(params)}, d."createTime" AS "deliverTime", d."deliverShipNo", dl.sn AS "deliverSn", d."userId" AS operator
    FROM rma_deliver_bill AS d
    JOIN rma_deliver_bill_line AS dl ON dl."dvbId" = d."dvbId"
    JOIN ${items} ON i."mtbliId" = dl."mtbliId"
   WHERE ${inRange('d.createTime', params)} AND ${inSites('d.siteId', params)} AND ${asked(params)}
   ORDER BY d."siteId", d."createTime", dl.id`;

/** Repair rows of customers' units; `slot` is the text of a row's slots. */
const repaired = (params: Params, slot: RawBuilder<unknown>, more: RawBuilder<unknown>) => sql<Row>`
  SELECT ${commonValues(params)}, r."createTime" AS "repairTime", rl."partsType", ${slot} AS slot, rl."repairMethod",
         rl."repairMarking", rl."spendCount", c."repairChipCount" AS "chipCount", r."userId" AS operator,
         ${yesNo(isReturned('repair', sql`r."rpbId"`))} AS "isReturned"
    FROM rma_repair_bill AS r
    JOIN rma_repair_bill_line AS rl ON rl."rpbId" = r."rpbId"
    JOIN ${items} ON i."mtbliId" = r."mtbliId"
    LEFT JOIN LATERAL (SELECT c."repairChipCount" FROM rma_check_bill_line AS c
                        WHERE c."mtbliId" = r."mtbliId" AND c.disposition IS NOT NULL AND c."billTime" <= r."createTime"
                        ORDER BY c.id DESC LIMIT 1) AS c ON true
    ${more}
     AND ${inRange('r.createTime', params)} AND ${inSites('r.siteId', params)} AND ${asked(params)}
   ORDER BY r."siteId", r."createTime", rl.id, one.nth`;

const repairedDz = (params: Params) =>
  repaired(
    params,
    sql`one.slot`,
    sql`LEFT JOIN LATERAL unnest(string_to_array(nullif(rl.slot, ''), ',')) WITH ORDINALITY AS one(slot, nth) ON true
   WHERE ${limits.dzSites.length === 0 ? sql`true` : sql`r."siteId" = ANY(${[...limits.dzSites]}::text[])`}`,
  );

const rows: Record<ReportType, Report['rows']> = {
  [ReportType.Receive]: received,
  [ReportType.Check]: checked,
  [ReportType.Deliver]: delivered,
  [ReportType.RepairAll]: (params) =>
    repaired(params, sql`rl.slot`, sql`CROSS JOIN (SELECT 1 AS nth) AS one WHERE true`),
  [ReportType.RepairDz]: repairedDz,
};

/** The records of one step of the work: receipts, checks, deliveries or repairs. Rule: reports#steps. */
export const supplierStatistics: Report = {
  kind: 'exportSupplierStatistics',
  columns: ({ reportType }) => [...commonColumns, ...columns[reportType]],
  rows: (params) => rows[params.reportType](params),
};
