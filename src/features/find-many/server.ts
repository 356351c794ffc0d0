import { sql } from 'kysely';
import { refuseIfAny } from '#domain/refusal.ts';
import { normaliseSn } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { jobHandler } from '#server/jobs/job.ts';
import { startJobNow } from '#server/jobs/start.ts';
import { bill, moment, option, sn, text, type Column, type Row } from '#server/reports/report.ts';
import { writeReport } from '#server/reports/write.ts';
import { route, type Route } from '#server/route.ts';
import { exportMany, findMany } from './contract.ts';
import { placesOf } from './queries.ts';
import { validateMany } from './rules.ts';

export const FIND_MANY_JOB = 'findMany';

/** Each once, as it is kept; refused where they are none or too many. */
function readMany(asked: readonly string[]): string[] {
  const sns = [...new Set(asked.map(normaliseSn).filter(Boolean))];
  refuseIfAny(validateMany(sns));
  return sns;
}

export const findManyRoutes: Route[] = [
  /** Where each of many SNs is; nothing of another site's but that it is there. Rule: units#many. */
  route(findMany, async ({ sns }, ctx) => {
    const { rows } = await placesOf(ctx, readMany(sns)).execute(ctx.db);
    return { items: rows.map(({ n: _, ...it }) => it) };
  }),
  /** The same as a workbook. Rule: units#many. */
  route(exportMany, async ({ sns }, ctx) => {
    const input = { sns: readMany(sns) };
    const { right } = exportMany;
    const spec = { kind: FIND_MANY_JOB, title: titleOf(ctx), module: 'rmaInventory', right, input };
    return { jobId: await startJobNow(ctx, spec) };
  }),
];

const titleOf = ({ lang }: Context) => (lang === 'zh' ? 'SN 批量查询' : 'SNs looked up');

const columns: readonly Column[] = [
  sn('asked', '查询的 SN', 'SN asked'),
  sn('now', '现 SN', 'SN now'),
  option('place', '位置', 'Where', 'snPlaces'),
  option('node', '当前节点', 'Node', 'nodes'),
  text('siteName', '站点', 'Site'),
  bill('mtbId', '维修工单号', 'Maintain bill', 'rmaMaintainBill'),
  text('customer', '客户姓名', 'Customer'),
  text('salesCode', '销售编码', 'Sales code'),
  text('itemName', '物料名称', 'Item'),
  option('subinventoryCode', '子库', 'Warehouse', 'subinventory'),
  option('holdKind', '占用', 'Held for', 'holdKinds'),
  moment('since', '更新时间', 'Updated at'),
];

/** Writes where each of the SNs is when the job runs, within the sites of who asked. */
export const findManyJob = jobHandler<{ sns: string[] }>(({ sns }, job) =>
  writeReport(job, columns, sql<Row>`${placesOf(job.ctx, sns)}`),
);
