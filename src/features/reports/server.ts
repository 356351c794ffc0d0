import { refuseIfAny } from '#domain/refusal.ts';
import { formOf, kinds, validateReport, type Kind, type ReportInput } from '#domain/reports.ts';
import type { Context } from '#server/context.ts';
import { readPreview } from '#server/reports/preview.ts';
import { runFileJob } from '#server/reports/runFileJob.ts';
import { route, type Route } from '#server/route.ts';
import { previewCalls, reportCalls } from './contract.ts';
import { REPORT_JOB, type ReportJob } from './server.job.ts';

/** Two calls a report, all alike: its file, and the first rows of it. Rule: reports#calls, reports#preview. */
export const reportRoutes: Route[] = kinds.flatMap((kind) => [
  route(reportCalls[kind], async (input, ctx) => {
    refuseIfAny(validateReport(kind, input, ctx.config.timeZone));
    const job: ReportJob = { report: kind, input };
    const { right } = reportCalls[kind];
    return runFileJob(ctx, {
      kind: REPORT_JOB,
      title: titleOf(kind, input, ctx),
      module: 'rmaReport',
      right,
      input: job,
    });
  }),
  route(previewCalls[kind], async (input, ctx) => {
    refuseIfAny(validateReport(kind, input, ctx.config.timeZone));
    return readPreview(kind, input, ctx);
  }),
]);

/** A report is called as its button is, and says as of which moment it was asked. */
function titleOf(kind: Kind, { asOf }: ReportInput, { model, lang }: Context): string {
  const label = model.definitions.get('rmaReport')?.buttons?.find((it) => it.btnNo === kind)?.label[lang] ?? kind;
  if (!asOf || !formOf(kind).inputs.includes('asOf')) return label;
  return lang === 'zh' ? `${label} 截至 ${asOf}` : `${label} as of ${asOf}`;
}
