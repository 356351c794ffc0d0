import { refuseIfAny } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { Context } from '#server/context.ts';
import { jobHandler } from '#server/jobs/job.ts';
import { fileOfJob } from '#server/reports/fileOfJob.ts';
import { paramsOf } from '#server/reports/params.ts';
import { writeReport } from '#server/reports/write.ts';
import { route, type Route } from '#server/route.ts';
import { orderCalls } from './contract.ts';
import { kindsOf, orderModules, problemsOfOrders, type OrderInput } from './rules.ts';
import { orderColumns, orderSummary } from './store.ts';

export const ORDER_JOB = 'orderSummary';

/** The order summary, at each list of work orders. Rule: reports#order-summary. */
export const orderRoutes: Route[] = orderModules.map((module) =>
  route(orderCalls[module], async (input, ctx) => {
    refuseIfAny(problemsOfOrders(input));
    return fileOfJob(ctx, { kind: ORDER_JOB, title: titleOf(ctx), module, input });
  }),
);

const titleOf = ({ lang }: Context) => (lang === 'zh' ? '工单汇总' : 'Order summary');

/** Writes the work orders of all types that the asker may list. */
export const orderJob = jobHandler<OrderInput>((input, job) => {
  const { ctx } = job;
  const modules = orderModules.filter((it) => mayDo(ctx.who.rights, `${it}:list`));
  const params = { ...paramsOf('exportMainBillData', input, ctx), orderKinds: kindsOf(input), modules };
  return writeReport(job, orderColumns, orderSummary(params));
});
