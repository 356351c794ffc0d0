import { sql, type SqlBool } from 'kysely';
import type { DataOf } from '#domain/call.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { DraftStatus } from '#domain/enums.ts';
import { publishStepsOf } from '#domain/publishing.ts';
import { Refusal } from '#domain/refusal.ts';
import { say } from '#domain/say.ts';
import type { Words } from '#domain/words.ts';
import { isUnseen } from '#domain/signs.ts';
import en from '#i18n/en/studio.json' with { type: 'json' };
import zh from '#i18n/zh/studio.json' with { type: 'json' };
import type { Context } from '#server/context.ts';
import { PublishBusy } from '#server/definitions/publish.ts';
import { BadDefinitions, standardFields } from '#server/definitions/read.ts';
import { asTold, badDefinitions, forLog, withoutFigures, withoutKeptFigures } from '#server/definitions/refused.ts';
import { jobHandler, type RunningJob } from '#server/jobs/job.ts';
import { problemText } from '#server/jobs/routes.ts';
import { startJob, waitForJob, type JobSpec } from '#server/jobs/start.ts';
import { route } from '#server/route.ts';
import { timeOfDay } from '#server/session/attempts.ts';
import { codeOf } from '#server/transaction.ts';
import { publishDraft, readPublishing, readTakingBack, takeBack } from './contract.ts';

export const PUBLISH_JOB = 'publish';

/** What is published: a draft as it was seen; or what is taken back: one publish, or all since it. */
type Target = { draft: { id: number; version: number } } | { takesBack: number; since: boolean };
type PublishInput = Target & { note: string };
type Publishing = DataOf<typeof publishDraft>;

const LOCK_TIMEOUT = '55P03';

/** Publishes or takes back, with the rights that who ordered it has now. Rule: definitions#publishing. */
export const publishJob = jobHandler<PublishInput>(async (input, job) => {
  const { definitions } = job.ctx;
  if (job.written !== null) {
    const { written, all } = publishStepsOf(0);
    job.progress(written + 1, all);
    return { id: job.written, leftOut: toldOf(await definitions.finish(), job) };
  }
  try {
    const { id, leftOut } = await definitions.publish(publicationOf(input, job), {
      signal: job.signal,
      onStep: (done, all) => {
        if (!job.signal.aborted) job.progress(done, all);
      },
      keep: (client, number) => job.keepWritten(client, number),
    });
    return { id, leftOut: toldOf(leftOut, job) };
  } catch (error) {
    // It has tried often enough by itself.
    if (error instanceof PublishBusy) throw busy(error, job.ctx);
    if (codeOf(error) === LOCK_TIMEOUT) throw new Refusal({ key: 'databaseBusy' });
    throw error instanceof BadDefinitions ? badDefinitions(toldToAll(error.problems, job)) : error;
  }
});

/** A job is read by whoever may see the draft: the check says more to who may know more. Rule: definitions#figures. */
function toldToAll(problems: readonly DefinitionProblem[], job: RunningJob): DefinitionProblem[] {
  for (const it of forLog(problems)) job.report(it);
  return problems.map(withoutFigures);
}
const toldOf = (leftOut: readonly DefinitionProblem[], job: RunningJob) => toldToAll(leftOut, job).map(asTold);

function busy({ userId, since }: PublishBusy, { config }: Context): Refusal {
  const who = userId === '' ? { zh: '正在启动的服务器', en: 'A server that starts' } : userId;
  return new Refusal({ key: 'publishBusy', args: { who, time: timeOfDay(since.getTime(), config.timeZone) } });
}

function publicationOf({ note, ...target }: PublishInput, { ctx }: RunningJob) {
  const { userId, siteId, rights, sites } = ctx.currentUser;
  const what =
    'draft' in target ? { draft: target.draft, takesBack: [] } : { takesBack: [target.takesBack], since: target.since };
  return { changes: [], ...what, author: rights, sites, note, userId, siteId };
}

export const publishingRoutes = [
  route(publishDraft, async ({ id, version, note }, ctx) => {
    const target = { draft: { id, version } };
    return order(target, note, ctx, async ({ db }) => {
      const draft = await db
        .selectFrom('sys_draft')
        .select(['name', 'status', 'version'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (draft?.status !== DraftStatus.Open || draft.version !== version) throw new Refusal({ key: 'stale' });
      const title = titled('publish', { name: draft.name }, ctx);
      return { module: 'sysDraft', right: publishDraft.right, title };
    });
  }),
  route(takeBack, ({ id, since, note }, ctx) =>
    order({ takesBack: id, since }, note, ctx, async ({ db }) => {
      const found = await db
        .selectFrom('definition_publish')
        .select('isInForce')
        .where('id', '=', id)
        .executeTakeFirst();
      if (!found || !(since || found.isInForce))
        throw new Refusal({ key: 'notInForce', field: 'id', args: { number: id } });
      const title = titled(since ? 'takeBackSince' : 'takeBack', { id }, ctx);
      return { module: 'sysPublish', right: takeBack.right, title };
    }),
  ),
  route(readPublishing, async ({ id }, ctx) => ({
    last: await findLast(sql<SqlBool>`j.input -> 'draft' ->> 'id' = ${String(id)}`, ctx),
  })),
  route(readTakingBack, async ({ id }, ctx) => ({
    last: await findLast(sql<SqlBool>`j.input ->> 'takesBack' = ${String(id)}`, ctx),
  })),
];

/** Starts the job, unless it is joined to one of the same that is open; and waits for it a while. */
async function order(
  target: Target,
  note: string,
  ctx: Context,
  findSpec: (inside: Context) => Promise<Pick<JobSpec, 'title' | 'module' | 'right'>>,
): Promise<Publishing> {
  const input: PublishInput = { ...target, note: note.trim() };
  if (isUnseen(input.note))
    throw new Refusal({ key: 'required', field: 'note', args: { fields: [{ zh: '说明', en: 'Note' }] } });
  const id = await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db };
    // Of two who order the same at the same moment the second one finds the job of the first.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`publish ${JSON.stringify(target)}`}, 0))`.execute(db);
    const open = await findOpen(target, inside);
    return open ?? (await startJob(inside, { ...(await findSpec(inside)), kind: PUBLISH_JOB, input }));
  });
  await waitForJob(ctx, id);
  const last = await findLast(sql<SqlBool>`j.id = ${id}`, ctx);
  // A job goes with its account.
  if (!last) throw new Refusal({ key: 'noSession' });
  return last;
}

/**
 * The open job of the same, whoever ordered it. A taking back does not wait in the queue of somebody else, who may have put
 * other jobs before it, or cancel it.
 */
async function findOpen(target: Target, { db, currentUser }: Context): Promise<number | undefined> {
  const open = await db
    .selectFrom('job')
    .select('id')
    .where('kind', '=', PUBLISH_JOB)
    .where('state', 'in', ['queued', 'running'])
    .where(sql<SqlBool>`input - 'note' = ${JSON.stringify(target)}::jsonb`)
    .$if('takesBack' in target, (query) =>
      query.where((it) => it.or([it('state', '=', 'running'), it('userId', '=', currentUser.userId)])),
    )
    .orderBy(sql`state = 'running'`, 'desc')
    .orderBy('id')
    .executeTakeFirst();
  return open?.id;
}

const titled = (key: keyof typeof en.jobs, args: Record<string, string | number>, { lang }: Context): string =>
  say((lang === 'zh' ? zh : en).jobs[key], args, lang, String);

/**
 * How the last of such jobs stands; once it is told as done this server works by what was published. What was ordered before
 * one of the same was done can only fail, and is not told: what it was for is done.
 */
async function findLast(isMeant: ReturnType<typeof sql<SqlBool>>, ctx: Context): Promise<Publishing | null> {
  const row = await ctx.db
    .selectFrom('job as j')
    .leftJoin('admin_user as u', 'u.userId', 'j.userId')
    .select(['j.id', 'j.state', 'j.progress', 'j.total', 'j.userId', 'u.userName', 'j.input', 'j.result', 'j.problem'])
    .where('j.kind', '=', PUBLISH_JOB)
    .where(isMeant)
    .where(
      sql<SqlBool>`(j.state = 'done' OR NOT EXISTS (
        SELECT 1 FROM job AS other
         WHERE other.kind = j.kind AND other.state = 'done' AND other."finishedAt" >= j."createdAt"
           AND other.input - 'note' = j.input - 'note'))`,
    )
    .orderBy('j.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { id: jobId, state, progress, total, userId } = row;
  const kept = withoutKeptFigures(row);
  const { id = null, leftOut = [], found = [] } = kept.result as Partial<Publishing>;
  if (id !== null) await ctx.definitions.catchUp(id);
  const named = leftOut.map((it) => ({ ...it, place: placeOf(it, ctx) }));
  const waitsFor = state === 'running' && total === null ? await findWaitedFor(userId, ctx) : null;
  const { draft } = row.input as { draft?: { version: number } };
  return {
    ...{ jobId, state, progress, total, userId, userName: row.userName ?? userId, waitsFor },
    version: draft?.version ?? null,
    ...{ id, leftOut: named, found, msg: state === 'failed' ? problemText(kept, ctx) : '' },
  };
}

/** What people call the module and the field; nothing of what is said of all modules. */
function placeOf({ module, path }: Publishing['found'][number], { definitions }: Context): Words {
  const [part, name] = path.split('.');
  // This call may have begun before the publish.
  const definition = definitions.current().definitions.get(module);
  const label = definition?.label ?? { zh: module, en: module };
  if (part !== 'fields' || name === undefined) return label;
  const { zh, en } = { ...standardFields(), ...definition?.fields }[name]?.label ?? { zh: name, en: name };
  return { zh: `${label.zh} · ${zh}`, en: `${label.en} · ${en}` };
}

async function findWaitedFor(of: string, { db, definitions }: Context): Promise<Publishing['waitsFor']> {
  const found = await definitions.findWaitedFor(of);
  if (!found) return null;
  const { userId, since } = found;
  const user = await db.selectFrom('admin_user').select('userName').where('userId', '=', userId).executeTakeFirst();
  return { userId, userName: user?.userName ?? userId, since: since.getTime() };
}
