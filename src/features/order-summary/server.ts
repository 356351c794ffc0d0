import { refuseIfAny } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { Context } from '#server/context.ts';
import { jobHandler } from '#server/jobs/job.ts';
import { runFileJob } from '#server/reports/runFileJob.ts';
import { createParams } from '#server/reports/params.ts';
import { writeReport } from '#server/reports/write.ts';
import { route, type Route } from '#server/route.ts';
import { orderCalls } from './contract.ts';
import { kindsOf, orderModules, validateOrders, type OrderInput } from './rules.ts';
import { orderColumns, orderSummary } from './queries.ts';

export const ORDER_JOB = 'orderSummary';

/** The order summary, at each list of work orders. Rule: reports#order-summary. */
export const orderRoutes: Route[] = orderModules.map((module) =>
  route(orderCalls[module], async (input, ctx) => {
    refuseIfAny(validateOrders(input));
    const { right } = orderCalls[module];
    return runFileJob(ctx, { kind: ORDER_JOB, title: titleOf(ctx), module, right, input });
  }),
);

const titleOf = ({ lang }: Context) => (lang === 'zh' ? '工单汇总' : 'Order summary');

/** Writes the work orders of all types that the user may list. */
export const orderJob = jobHandler<OrderInput>((input, job) => {
  const { ctx } = job;
  const modules = orderModules.filter((it) => mayDo(ctx.currentUser.rights, `${it}:list`));
  const params = { ...createParams('exportMainBillData', input, ctx), orderKinds: kindsOf(input), modules };
  return writeReport(job, orderColumns, orderSummary(params));
});
