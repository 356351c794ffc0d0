import { isMissing, Refusal, refuseIfAny } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { FileAnswer } from '#server/fileAnswer.ts';
import { startJobNow, waitForJob, type JobSpec } from '#server/jobs/start.ts';
import { route, type Route } from '#server/route.ts';
import { sentenceOf } from '#server/sentences.ts';
import { filesOf } from '#server/uploads/fileStore.ts';
import { reportCalls } from './contract.ts';
import { kinds, problemsOfReport, type Kind } from './rules.ts';
import { REPORT_JOB, type ReportJob } from './server.job.ts';

/** One call a report, all alike. Spec 1 section 7. */
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

/**
 * Makes a file as a job and answers it when it is there in time; else the answer is HTTP 504 while the job goes on, and
 * the file is fetched from the report downloads. A job that went wrong is '000007' with its reason. Design section 9.
 */
export async function fileOfJob(ctx: Context, spec: JobSpec): Promise<FileAnswer> {
  const id = await startJobNow(ctx, spec);
  const { state, fileId } = await waitForJob(ctx, id).catch((error: unknown) => {
    if (!(error instanceof Refusal) || isMissing(error.problems[0].key)) throw error;
    throw new Refusal({ key: 'downloadFailed', args: { reason: sentenceOf(error.problems[0], ctx.lang, ctx.model) } });
  });
  if (state === 'queued' || state === 'running') throw new Refusal({ key: 'exportSlow' });
  const file = fileId
    ? await ctx.db.selectFrom('file').selectAll().where('id', '=', fileId).executeTakeFirst()
    : undefined;
  if (!file) throw new Refusal({ key: 'downloadFailed', args: { reason: state } });
  return new FileAnswer(file, () => filesOf(ctx.config).get(file.id));
}
