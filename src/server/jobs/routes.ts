import { sql, type Selectable } from 'kysely';
import { cancelJob, downloadJob, listJobs, readJob, type Job } from '#domain/jobs.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import { seesSite, type Context, type CurrentUser } from '#server/context.ts';
import type { PlatformTables } from '#server/db/platformTables.ts';
import { withoutKeptFigures } from '#server/definitions/refused.ts';
import { FileAnswer } from '#server/fileAnswer.ts';
import { CHANNEL, wake } from '#server/jobs/boss.ts';
import { KEPT_DAYS } from '#server/jobs/job.ts';
import type { Scope } from '#server/jobs/run.ts';
import { rowsOf, textsOf } from '#server/restList.ts';
import { route, type Route } from '#server/route.ts';
import { sentenceOf } from '#server/sentences.ts';
import { openFileStore, openKept } from '#server/uploads/fileStore.ts';
import { mayRead } from '#server/uploads/serve.ts';

type JobRow = Selectable<PlatformTables['job']>;
const LIST_SIZE = 20;
/** Who may see and cancel everybody's jobs. */
const ALL_JOBS = 'rmaReportDownload:all';

/**
 * `/rest/jobs`: one's own jobs, their progress, their cancelling; and the file of a finished one.
 * Rule: exports-and-jobs#progress.
 */
export const jobRoutes: readonly Route[] = [
  route(listJobs, async ({ range, filter }, ctx) => {
    const { offset, limit } = rowsOf(range, LIST_SIZE);
    textsOf(filter, []);
    const own = ctx.db.selectFrom('job').where('userId', '=', ctx.currentUser.userId);
    const [rows, { total }] = await Promise.all([
      own.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').offset(offset).limit(limit).execute(),
      own.select((it) => it.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    ]);
    return { items: rows.map((it) => viewOf(it, ctx)), total };
  }),
  route(readJob, async ({ id }, ctx) => viewOf(await findJob(id, ctx), ctx)),
  route(cancelJob, async ({ id }, ctx) => {
    const { userId } = await findJob(id, ctx);
    const done = await ctx.db
      .updateTable('job')
      .set({ state: 'cancelled', finishedAt: sql`now()`, worker: null })
      .where('id', '=', id)
      .where('state', 'in', ['queued', 'running'])
      .where(sql<boolean>`checkpoint -> 'written' IS NULL`)
      .executeTakeFirst();
    if (Number(done.numUpdatedRows) > 0) {
      await sql`SELECT pg_notify(${CHANNEL}, ${`cancel ${id}`})`.execute(ctx.db);
      await wake(ctx.db, userId);
    }
    return viewOf(await findJob(id, ctx), ctx);
  }),
  route(downloadJob, async ({ id }, ctx) => {
    const row = await findJob(id, ctx);
    const file =
      row.state === 'done' && row.fileId
        ? await ctx.db.selectFrom('file').selectAll().where('id', '=', row.fileId).executeTakeFirst()
        : undefined;
    if (row.state === 'expired') throw new Refusal({ key: 'fileExpired', args: { days: KEPT_DAYS } });
    if (!file) throw new Refusal({ key: 'downloadFailed', args: { reason: reasonOf(row, ctx) } });
    if (!mayRead(file, ctx.currentUser)) throw new Refusal({ key: 'noRight' });
    return new FileAnswer(file, () => openKept(openFileStore(ctx.config), file));
  }),
];

/** A job of the user's own; anybody else's is not found, but for those who may see all. */
async function findJob(id: number, ctx: Context): Promise<JobRow> {
  const row = await ctx.db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst();
  const isSeen = row && (row.userId === ctx.currentUser.userId || mayDo(ctx.currentUser.rights, ALL_JOBS));
  if (!isSeen)
    throw new Refusal({ key: 'notFound', field: 'id', args: { what: { zh: '任务', en: 'Job' }, value: id } });
  return row;
}

function reasonOf(row: JobRow, ctx: Context): string {
  if (row.state === 'failed') return problemText(row, ctx);
  return ctx.model.options['jobStates']?.find((it) => it.value === row.state)?.label[ctx.lang] ?? row.state;
}

/** Why a job failed, in the words of who asks. */
export function problemText(row: Pick<JobRow, 'problem'>, ctx: Context): string {
  const [first] = (row.problem ?? []) as Refusal['problems'];
  return first ? sentenceOf(first, ctx.lang, ctx.model) : '';
}

/** What somebody else's job found, such as the rows of a workbook, is told to those who might have ordered it. */
function isResultTold({ userId, scope }: JobRow, currentUser: CurrentUser): boolean {
  if (userId === currentUser.userId) return true;
  const { right, sites } = scope as Scope;
  const seesAll = currentUser.sites === 'all' || (sites !== 'all' && sites.every((it) => seesSite(currentUser, it)));
  return seesAll && mayDo(currentUser.rights, right);
}

function viewOf(row: JobRow, ctx: Context): Job {
  const kept = withoutKeptFigures(row);
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    module: row.module,
    userId: row.userId,
    siteId: row.siteId,
    state: row.state,
    progress: row.progress,
    total: row.total,
    createdAt: row.createdAt,
    finishedAt: row.finishedAt,
    expiresAt: row.expiresAt,
    path: row.state === 'done' && row.fileId ? `/file/${row.fileId}` : null,
    result: isResultTold(row, ctx.currentUser) ? kept.result : {},
    msg: row.state === 'failed' ? problemText(kept, ctx) : '',
  };
}
