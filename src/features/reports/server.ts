import { refuseIfAny } from '#domain/refusal.ts';
import { kinds, validateReport, type Kind } from '#domain/reports.ts';
import type { Context } from '#server/context.ts';
import { readPreview } from '#server/reports/preview.ts';
import { runFileJob } from '#server/reports/runFileJob.ts';
import { route, type Route } from '#server/route.ts';
import { previewCalls, reportCalls } from './contract.ts';
import { REPORT_JOB, type ReportJob } from './server.job.ts';

/** Two calls a report, all alike: its file, and the first rows of it. Rule: reports#calls, reports#preview. */
export const reportRoutes: Route[] = kinds.flatMap((kind) => [
  route(reportCalls[kind], async (input, ctx) => {
    refuseIfAny(validateReport(kind, input));
    const job: ReportJob = { report: kind, input };
    const { right } = reportCalls[kind];
    return runFileJob(ctx, { kind: REPORT_JOB, title: titleOf(kind, ctx), module: 'rmaReport', right, input: job });
  }),
  route(previewCalls[kind], async (input, ctx) => {
    refuseIfAny(validateReport(kind, input));
    return readPreview(kind, input, ctx);
  }),
]);

/** A report is called as its button is. */
const titleOf = (kind: Kind, { model, lang }: Context): string =>
  model.definitions.get('rmaReport')?.buttons?.find((it) => it.btnNo === kind)?.label[lang] ?? kind;
