import { sql, type RawBuilder } from 'kysely';
import { LotType, ProcessType } from '#domain/wafer.ts';
import { inSites } from '#server/db/conditions.ts';
import { nameIn } from '#server/engine/describe.ts';
import { count, moment, option, percent, text, type Column, type Params, type Row } from '#server/reports/report.ts';
import { goodOutput } from '#server/workflow/yields.ts';
import { inRange, share } from '#server/reports/sql.ts';
import type { OrderKind, OrderModule } from './rules.ts';

export const orderColumns: readonly Column[] = [
  text('workOrderNo', '工单号', 'Work order'),
  text('type', '工单类型', 'Type'),
  { ...option('processType', '加工类型', 'Process type', 'bumpingCpProcessTypes'), optionsIn: 'processTypes' },
  option('lotType', '批次类型', 'Lot type', 'icopLotTypes'),
  text('engineeringCode', '工程编号', 'Engineering code'),
  text('supplier', '供应商', 'Supplier'),
  text('waferPn', '晶圆料号', 'Wafer PN'),
  text('waferMpn', '晶圆厂料号', 'Wafer MPN'),
  text('devicePn', '器件料号', 'Device PN'),
  count('lots', '批数', 'Lots'),
  count('wafers', '晶圆数', 'Wafers'),
  count('input', '投入', 'Input'),
  count('output', '产出', 'Output'),
  count('loss', '损耗', 'Loss'),
  percent('yield', '良率', 'Yield'),
  option('billStatus', '状态', 'Status', 'icopBillStatus'),
  moment('createTime', '创建时间', 'Created at'),
  moment('sentTime', '发送时间', 'Sent at'),
  moment('doneTime', '完成时间', 'Done at'),
];

const said: Record<
  OrderModule,
  { table: string; zh: string; en: string; processTypes: string; has: readonly string[] }
> = {
  icopBumpingCpWorkOrder: {
    table: 'icop_bumping_cp_work_order',
    zh: 'Bumping/CP工单',
    en: 'Bumping/CP',
    processTypes: 'bumpingCpProcessTypes',
    has: ['waferPn', 'waferMpn', 'waferQty'],
  },
  icopAssemblyWorkOrder: {
    table: 'icop_assembly_work_order',
    zh: '封装工单',
    en: 'Assembly',
    processTypes: 'assemblyProcessTypes',
    has: ['waferPn', 'waferMpn', 'waferQty', 'devicePn'],
  },
  icopFtWorkOrder: {
    table: 'icop_ft_work_order',
    zh: 'FT工单',
    en: 'FT',
    processTypes: 'ftProcessTypes',
    has: ['waferPn', 'devicePn'],
  },
};

/**
 * Bumping with CP and CP alone are kinds of processing; engineering and production are kinds of lots.
 * Rule: reports#order-summary.
 */
const fits: Record<OrderKind, (module: OrderModule) => RawBuilder<unknown>> = {
  bumping_cp: (module) =>
    module === 'icopBumpingCpWorkOrder' ? sql`o."processType" = ${sql.lit(ProcessType.BumpingAndCp)}` : sql`false`,
  cp: (module) =>
    module === 'icopBumpingCpWorkOrder' ? sql`o."processType" = ${sql.lit(ProcessType.Cp)}` : sql`false`,
  engineer: () => sql`o."lotType" = ${sql.lit(LotType.Engineering)}`,
  production: () => sql`o."lotType" = ${sql.lit(LotType.Production)}`,
};

interface OrderParams extends Params {
  orderKinds: readonly OrderKind[];
  /** Those whose orders the user may list. */
  modules: readonly OrderModule[];
}

/** Work orders of these kinds that were made in the range, of every type. Rule: reports#order-summary. */
export function orderSummary(params: OrderParams): RawBuilder<Row> {
  const parts = params.modules.map((module) => {
    const { table, processTypes, has } = said[module];
    const column = (name: string, type: string) =>
      has.includes(name) ? sql`o.${sql.ref(name)}` : sql`NULL::${sql.raw(type)}`;
    const kinds = sql.join(
      params.orderKinds.map((it) => sql`(${fits[it](module)})`),
      sql` OR `,
    );
    return sql`
      SELECT o."workOrderNo", ${said[module][params.lang]}::text AS type, o."processType", ${processTypes}::text AS "processTypes",
             o."lotType", o."engineeringCode", coalesce(${nameIn(params.lang, 's.supplierName')}, o."supplierId") AS supplier,
             ${column('waferPn', 'text')} AS "waferPn", ${column('waferMpn', 'text')} AS "waferMpn",
             ${column('devicePn', 'text')} AS "devicePn", l.n AS lots, ${column('waferQty', 'integer')} AS wafers,
             o."chipQty" AS input, o."outputQty" AS output, o."lossQty" AS loss,
             ${share(goodOutput('o', { hasBins: has.includes('devicePn') }), sql`o."outputQty" + o."lossQty"`)} AS yield, o."billStatus", o."createTime", o."sentTime",
             o."doneTime"
        FROM ${sql.table(table)} AS o
        LEFT JOIN icop_supplier AS s ON s."supplierId" = o."supplierId"
       CROSS JOIN LATERAL (SELECT count(*) AS n FROM ${sql.table(`${table}_line`)} AS l
                            WHERE l."workOrderNo" = o."workOrderNo") AS l
       WHERE (${kinds}) AND ${inRange('o.createTime', params)} AND ${inSites('o.siteId', params)}`;
  });
  if (parts.length === 0) return sql<Row>`SELECT NULL AS "workOrderNo" WHERE false`;
  return sql<Row>`SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) AS it ORDER BY it."createTime", it."workOrderNo"`;
}
