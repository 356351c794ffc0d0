import { isMissing, Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { FileAnswer } from '#server/fileAnswer.ts';
import { startJobNow, waitForJob, type JobSpec } from '#server/jobs/start.ts';
import { sentenceOf } from '#server/sentences.ts';
import { openFileStore, openKept } from '#server/uploads/fileStore.ts';

/**
 * Makes a file as a job and answers it when it is there in time; else the answer is HTTP 504 while the job goes on, and
 * the file is fetched from the report downloads. A job that went wrong is '000007' with its reason.
 * Rule: exports-and-jobs#waiting.
 */
export async function runFileJob(ctx: Context, spec: JobSpec): Promise<FileAnswer> {
  const id = await startJobNow(ctx, spec);
  const { state, fileId } = await waitForJob(ctx, id).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    const { key } = error.problems[0];
    if (key === 'noSession' || isMissing(key)) throw error;
    throw new Refusal({ key: 'downloadFailed', args: { reason: sentenceOf(error.problems[0], ctx.lang, ctx.model) } });
  });
  if (state === 'queued' || state === 'running') throw new Refusal({ key: 'exportSlow' });
  const file = fileId
    ? await ctx.db.selectFrom('file').selectAll().where('id', '=', fileId).executeTakeFirst()
    : undefined;
  if (!file) throw new Refusal({ key: 'downloadFailed', args: { reason: { options: 'jobStates', value: state } } });
  return new FileAnswer(file, () => openKept(openFileStore(ctx.config), file));
}
