import { refuseIfAny } from '#domain/refusal.ts';
import { kinds, validateReport, type Kind } from '#domain/reports.ts';
import type { Context } from '#server/context.ts';
import { runFileJob } from '#server/reports/runFileJob.ts';
import { route, type Route } from '#server/route.ts';
import { reportCalls } from './contract.ts';
import { REPORT_JOB, type ReportJob } from './server.job.ts';

/** One call a report, all alike. Rule: reports#calls. */
export const reportRoutes: Route[] = kinds.map((kind) =>
  route(reportCalls[kind], async (input, ctx) => {
    refuseIfAny(validateReport(kind, input));
    const job: ReportJob = { report: kind, input };
    return runFileJob(ctx, { kind: REPORT_JOB, title: titleOf(kind, ctx), module: 'rmaReport', input: job });
  }),
);

/** A report is called as its button is. */
const titleOf = (kind: Kind, { model, lang }: Context): string =>
  model.definitions.get('rmaReport')?.buttons?.find((it) => it.btnNo === kind)?.label[lang] ?? kind;
