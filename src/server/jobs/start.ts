import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Right } from '#domain/call.ts';
import { isOver, type JobState } from '#domain/jobs.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { wake } from '#server/jobs/boss.ts';
import { untilOver } from '#server/jobs/over.ts';
import type { Scope } from '#server/jobs/run.ts';

export interface JobSpec {
  /** A kind that a feature's handler or one of the platform's own works. */
  kind: string;
  /** What people see in lists and in the file's name, in the user's language. */
  title: string;
  module: string;
  /** By which it is ordered; asked again when the work begins, and of whoever reads its file. */
  right: Right;
  /** Plain JSON that the handler understands. */
  input: unknown;
}

/** More than anybody waits for; beyond it something repeats itself. */
const MAX_WAITING = 10;
/** What another server works is not announced here: it is asked for as often. */
const POLL_MS = 250;

/**
 * Starts a job as the user, in the transaction of `ctx.db` where it is one: it exists when that commits. The same job
 * asked for again while it waits or runs is that same job, so that repeated clicks do the work once.
 * Rule: exports-and-jobs#jobs.
 * @throws Refusal tooManyJobs when too many of the user's jobs wait already.
 */
export async function startJob(ctx: Context, spec: JobSpec): Promise<number> {
  const { currentUser } = ctx;
  const scope = JSON.stringify({ right: spec.right, sites: currentUser.sites } satisfies Scope);
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`job ${currentUser.userId}`}, 0))`.execute(ctx.db);
  const open = await ctx.db
    .selectFrom('job')
    .select([
      'id',
      'state',
      sql<boolean>`kind = ${spec.kind} AND module = ${spec.module} AND lang = ${ctx.lang}
      AND "siteId" = ${currentUser.siteId} AND scope = ${scope}::jsonb AND input = ${JSON.stringify(spec.input)}::jsonb`.as(
        'isSame',
      ),
    ])
    .where('userId', '=', currentUser.userId)
    .where('state', 'in', ['queued', 'running'])
    .execute();
  const same = open.find((it) => it.isSame);
  if (same) return same.id;
  if (open.length >= MAX_WAITING) throw new Refusal({ key: 'tooManyJobs', args: { max: MAX_WAITING } });
  const { id } = await ctx.db
    .insertInto('job')
    .values({
      kind: spec.kind,
      title: spec.title,
      module: spec.module,
      userId: currentUser.userId,
      siteId: currentUser.siteId,
      scope,
      lang: ctx.lang,
      input: JSON.stringify(spec.input),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await wake(ctx.db, currentUser.userId);
  return id;
}

/** `startJob` in a transaction of its own, for calls that then wait for it. */
export const startJobNow = (ctx: Context, spec: JobSpec): Promise<number> =>
  ctx.db.transaction().execute((db) => startJob({ ...ctx, db }, spec));

interface Waited {
  id: number;
  state: JobState;
  fileId: string | null;
  result: Record<string, unknown>;
}

/**
 * Waits until the job is done, up to `EXPORT_WAIT_MS` (10 s), and says how it stands then; not inside a transaction.
 * @throws Refusal with the job's own problem when it failed, or noSession when its account was deleted meanwhile.
 */
export async function waitForJob(ctx: Context, id: number): Promise<Waited> {
  const until = Date.now() + ctx.config.exportWaitMs;
  for (;;) {
    const enough = new AbortController();
    // Before the database is asked: it may be over right after.
    const announced = untilOver(id, enough.signal);
    try {
      const row = await ctx.db
        .selectFrom('job')
        .select(['id', 'state', 'fileId', 'result', 'problem'])
        .where('id', '=', id)
        .executeTakeFirst();
      // A job goes with its account.
      if (!row) throw new Refusal({ key: 'noSession' });
      if (row.state === 'failed') throw new Refusal(row.problem as Refusal['problems'], row.result as Refusal['data']);
      const left = until - Date.now();
      if (isOver(row.state) || left <= 0) {
        return { id, state: row.state, fileId: row.fileId, result: (row.result ?? {}) as Waited['result'] };
      }
      await Promise.race([announced, delay(Math.min(POLL_MS, left), undefined, { signal: enough.signal })]);
    } finally {
      enough.abort();
    }
  }
}
