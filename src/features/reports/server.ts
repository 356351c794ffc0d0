import { refuseIfAny } from '#domain/refusal.ts';
import { kinds, problemsOfReport, type Kind } from '#domain/reports.ts';
import type { Context } from '#server/context.ts';
import { fileOfJob } from '#server/reports/fileOfJob.ts';
import { route, type Route } from '#server/route.ts';
import { reportCalls } from './contract.ts';
import { REPORT_JOB, type ReportJob } from './server.job.ts';

/** One call a report, all alike. Rule: reports#calls. */
export const reportRoutes: Route[] = kinds.map((kind) =>
  route(reportCalls[kind], async (input, ctx) => {
    refuseIfAny(problemsOfReport(kind, input));
    const job: ReportJob = { report: kind, input };
    return fileOfJob(ctx, { kind: REPORT_JOB, title: titleOf(kind, ctx), module: 'rmaReport', input: job });
  }),
);

/** A report is called as its button is. */
const titleOf = (kind: Kind, { model, lang }: Context): string =>
  model.definitions.get('rmaReport')?.buttons?.find((it) => it.btnNo === kind)?.label[lang] ?? kind;
