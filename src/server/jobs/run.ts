import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { sql, type Selectable } from 'kysely';
import type { Model } from '#domain/definition/grammar.ts';
import { Refusal, type Problem } from '#domain/refusal.ts';
import { parseLanguage } from '#domain/words.ts';
import type { Config } from '#server/config.ts';
import { asksForNone, mayDo } from '#domain/rights.ts';
import { nobody, seesSite, type Context, type CurrentUser } from '#server/context.ts';
import { databaseRefusalOf } from '#server/databaseRefusal.ts';
import type { Numbers } from '#server/db/numbers.ts';
import type { PlatformTables } from '#server/db/platformTables.ts';
import type { Database } from '#server/db/pool.ts';
import type { Definitions } from '#server/definitions/definitions.ts';
import { missingOf } from '#server/health/missing.ts';
import { wake } from '#server/jobs/boss.ts';
import { recordInLedger } from '#server/ledger.ts';
import { announceOver } from '#server/jobs/over.ts';
import { KEPT_DAYS, MAX_ATTEMPTS, type JobHandler, type JobResult, type RunningJob } from '#server/jobs/job.ts';
import { findAccount } from '#server/session/sessions.ts';
import { openFileStore, newFileId, type FileStore, type FileWriting } from '#server/uploads/fileStore.ts';

export interface JobDeps {
  database: Database;
  numbers: Numbers;
  config: Config;
  /** Replaced when a change is published. */
  model: { current: Model };
  definitions: Definitions;
  handlers: Readonly<Record<string, JobHandler>>;
  hooks: Context['hooks'];
  /** What nobody foresaw, for the log. */
  onError(error: unknown, what: string): void;
}

/** The `scope` of a job: by which right it was ordered, and for which sites. */
export interface Scope {
  right: string;
  sites: CurrentUser['sites'];
}
type JobRow = Selectable<PlatformTables['job']>;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PROGRESS_MS = 500;
const RETRY_SECONDS = 2;

/** The job is not this worker's any more: cancelled, or taken by another one. Nothing of it is kept. */
class Lost extends Error {}

/**
 * Takes the user's oldest waiting job, unless one of theirs runs already: the unique index decides between two workers.
 * Each taking has a new `attempt`, and only the latest attempt may write.
 */
export async function claimJob(deps: JobDeps, userId: string, worker: number): Promise<JobRow | null> {
  const { rows } = await sql<JobRow>`
    UPDATE job SET state = 'running', attempt = attempt + 1, worker = ${worker}, "startedAt" = now(), progress = 0
     WHERE id = (SELECT id FROM job WHERE "userId" = ${userId} AND state = 'queued' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
       AND NOT EXISTS (SELECT 1 FROM job AS other WHERE other."userId" = ${userId} AND other.state = 'running')
    RETURNING *`
    .execute(deps.database.db)
    .catch((error: { code?: string }) => {
      if (error.code === '23505') return { rows: [] };
      throw error;
    });
  return rows[0] ?? null;
}

/** Works a claimed job to its end: done, failed, waiting for another attempt, or dropped because it is not ours any more. */
export async function runJob(deps: JobDeps, row: JobRow, signal: AbortSignal): Promise<void> {
  const { db } = deps.database;
  const fileStore = openFileStore(deps.config);
  // What an attempt before this one left behind.
  if (row.fileId) await fileStore.remove(row.fileId);
  const running = new JobRun(deps, row, fileStore, signal);
  try {
    const handler = deps.handlers[row.kind];
    if (!handler) throw new Error(`no handler for jobs of kind ${row.kind}`);
    await running.enter();
    const result = await handler.run(row.input, running);
    if (!running.isFinished) await running.finish(async () => result);
  } catch (error) {
    await running.drop();
    await settle(deps, row, running, error);
  } finally {
    running.close();
  }
  const more = await db
    .selectFrom('job')
    .select('id')
    .where('userId', '=', row.userId)
    .where('state', '=', 'queued')
    .executeTakeFirst();
  if (more) await wake(db, row.userId, running.isRetried ? RETRY_SECONDS : 0);
}

/** What becomes of a job whose attempt did not reach its end. */
async function settle(deps: JobDeps, row: JobRow, running: JobRun, error: unknown): Promise<void> {
  if (running.isFinished || error instanceof Lost) return;
  const mine = deps.database.db
    .updateTable('job')
    .where('id', '=', row.id)
    .where('attempt', '=', row.attempt)
    .where('state', '=', 'running');
  const fail = async (problems: readonly Problem[], data: object | null = null) => {
    const said = { problem: JSON.stringify(problems), ...(data && { result: JSON.stringify(data) }) };
    await mine.set({ state: 'failed', ...said, finishedAt: sql`now()`, fileId: null, worker: null }).execute();
    announceOver(row.id);
  };
  if (error instanceof Refusal) return fail(error.problems, error.data);
  const refused = databaseRefusalOf(error, deps.model.current);
  if (refused) return fail([refused]);
  if (!running.signal.aborted) deps.onError(error, `job ${row.id} (${row.kind}), attempt ${row.attempt}`);
  const missing = missingOf(error);
  // A full disk is no emptier two seconds later.
  if (row.attempt >= MAX_ATTEMPTS || missing === 'diskFull' || missing === 'databaseFull') {
    await fail([missing ? { key: missing } : { key: 'unknown', args: { number: `J${row.id}` } }]);
    return;
  }
  running.isRetried = !running.signal.aborted;
  await mine.set({ state: 'queued', worker: null, fileId: null, wokenAt: sql`now()` }).execute();
}

/** One attempt at a job: what its handler is given, and the guard that lets nothing through once the job is lost. */
class JobRun implements RunningJob {
  ctx!: Context;
  readonly checkpoint: unknown;
  written: unknown;
  readonly signal: AbortSignal;
  isFinished = false;
  isRetried = false;
  #lost = new AbortController();
  #file: { id: string; name: string; mime: string; writing: FileWriting } | null = null;
  #said: { done: number; total: number | null } | null = null;
  #timer: NodeJS.Timeout;
  #isReporting = false;
  #deps: JobDeps;
  #row: JobRow;
  #store: FileStore;

  constructor(deps: JobDeps, row: JobRow, fileStore: FileStore, stopping: AbortSignal) {
    this.#deps = deps;
    this.#row = row;
    this.#store = fileStore;
    this.checkpoint = row.checkpoint;
    this.written = writtenIn(row);
    this.signal = AbortSignal.any([stopping, this.#lost.signal]);
    this.#timer = setInterval(() => void this.#report(), PROGRESS_MS);
  }

  /** Nothing of a handler runs before this has let it in. */
  async enter(): Promise<void> {
    const { db } = this.#deps.database;
    const user = this.written === null ? await admit(db, this.#row) : await findAccount(db, this.#row.userId);
    this.ctx = createContext(this.#deps, this.#row, user ?? nobody);
  }

  get id(): number {
    return this.#row.id;
  }
  get title(): string {
    return this.#row.title;
  }

  progress(done: number, total?: number): void {
    this.signal.throwIfAborted();
    this.#said = { done, total: total ?? this.#said?.total ?? null };
  }

  report(what: string): void {
    this.#deps.onError(what, `job ${this.#row.id} (${this.#row.kind})`);
  }

  async openFile(name: string, mime = XLSX) {
    if (this.#file) throw new Error('a job has one file');
    const id = newFileId();
    await this.#mine(this.#deps.database.db, { fileId: id });
    const writing = await this.#store.write(id);
    this.#file = { id, name, mime, writing };
    return { id, name, stream: writing.stream };
  }

  step<T>(work: (ctx: Context) => Promise<T>, checkpoint: unknown): Promise<T> {
    return this.#guarded(async (ctx) => {
      const it = await work(ctx);
      await this.#mine(ctx.db, { checkpoint: JSON.stringify(checkpoint ?? null) });
      return it;
    });
  }

  async keepWritten(client: Pick<pg.ClientBase, 'query'>, written: unknown): Promise<void> {
    this.signal.throwIfAborted();
    const { id, attempt } = this.#row;
    const { rowCount } = await client.query(
      `UPDATE job SET checkpoint = $3 WHERE id = $1 AND attempt = $2 AND state = 'running'`,
      [id, attempt, JSON.stringify({ written })],
    );
    if (rowCount === 0) this.#lose();
    await admit(this.#deps.database.db, this.#row);
    this.written = written;
  }

  async finish(work: (ctx: Context) => Promise<JobResult>): Promise<JobResult> {
    const file = this.#file;
    if (file) await finished(file.writing.stream);
    const size = file ? await file.writing.finish() : 0;
    const result = await this.#guarded(async (ctx) => {
      const it = await work(ctx);
      if (file) {
        const { id, name, mime } = file;
        const { userId, siteId, sites } = ctx.currentUser;
        // What holds rows of all sites is of none: only who sees them all may read it.
        const of = { siteId: sites === 'all' ? '' : siteId, createBy: userId, owner: userId };
        const { right } = scopeOf(this.#row);
        const asked = asksForNone(right) ? '' : right;
        await ctx.db
          .insertInto('file')
          .values({ id, kind: 'job', name, mime, size, right: asked, ...of })
          .execute();
        const { kind, title, module, input } = this.#row;
        const to = { kind, title, file: name, rows: it['rows'] ?? null, input };
        await recordInLedger(ctx, { what: 'export', module, recordId: id, to });
      }
      await this.#mine(ctx.db, {
        state: 'done',
        result: JSON.stringify(file ? { ...it, file: file.name, size } : it),
        progress: this.#said?.total ?? this.#said?.done ?? 1,
        total: this.#said?.total ?? this.#said?.done ?? 1,
        worker: null,
        finishedAt: sql`now()`,
        expiresAt: sql`now() + make_interval(days => ${KEPT_DAYS}::int)`,
      });
      return it;
    });
    this.isFinished = true;
    announceOver(this.#row.id);
    return result;
  }

  /** Removes what the attempt wrote to a file. */
  async drop(): Promise<void> {
    if (!this.#file || this.isFinished) return;
    this.#file.writing.stream.destroy();
    await finished(this.#file.writing.stream).catch(() => undefined);
    await this.#store.remove(this.#file.id);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #guarded<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    return this.#deps.database.db.transaction().execute(async (db) => {
      const { id, attempt } = this.#row;
      const { rows } = await sql`
        SELECT 1 FROM job WHERE id = ${id} AND attempt = ${attempt} AND state = 'running' FOR UPDATE`.execute(db);
      if (rows.length === 0) this.#lose();
      if (this.written === null) await admit(db, this.#row);
      return work({ ...this.ctx, db });
    });
  }

  async #mine(db: Context['db'], values: Record<string, unknown>): Promise<void> {
    const done = await db
      .updateTable('job')
      .set(values)
      .where('id', '=', this.#row.id)
      .where('attempt', '=', this.#row.attempt)
      .where('state', '=', 'running')
      .executeTakeFirst();
    if (Number(done.numUpdatedRows) === 0) this.#lose();
  }

  #lose(): never {
    const reason = new Lost(`job ${this.#row.id} is not ours any more`);
    this.#lost.abort(reason);
    throw reason;
  }

  /** Writes the progress, and so notices a cancellation whose message was missed. */
  async #report(): Promise<void> {
    // The last transaction holds the job's row: one report waits for it, not one each half second.
    if (this.#isReporting) return;
    this.#isReporting = true;
    const said = this.#said ?? { done: 0, total: null };
    await this.#mine(this.#deps.database.db, { progress: said.done, total: said.total }).catch((error: unknown) => {
      if (!(error instanceof Lost)) this.#deps.onError(error, `progress of job ${this.#row.id}`);
    });
    this.#isReporting = false;
  }
}

const writtenIn = ({ checkpoint }: JobRow): unknown => (checkpoint as { written?: unknown } | null)?.written ?? null;

/** A job that has waited since before these were kept was let in by its call alone. */
const scopeOf = ({ scope }: JobRow): Scope => ({
  right: 'signedIn',
  ...(scope as Partial<Scope> & Pick<Scope, 'sites'>),
});

/**
 * Who ordered the job, as they stand now. Somebody who would not be let in any more has nothing done, and so has who has lost
 * one of the sites for which it was ordered: a part of it is not what was asked for. Rule: exports-and-jobs#rights.
 * @throws Refusal jobAccountOff, jobRightGone or jobSitesChanged.
 */
async function admit(db: Context['db'], row: JobRow): Promise<CurrentUser> {
  const user = await findAccount(db, row.userId);
  if (!user) throw new Refusal({ key: 'jobAccountOff' });
  const { right, sites } = scopeOf(row);
  if (!mayDo(user.rights, right)) throw new Refusal({ key: 'jobRightGone' });
  const seesAll = sites === 'all' ? user.sites === 'all' : sites.every((it) => seesSite(user, it));
  if (!seesAll || user.siteId !== row.siteId) throw new Refusal({ key: 'jobSitesChanged' });
  return user;
}

function createContext(deps: JobDeps, row: JobRow, currentUser: CurrentUser): Context {
  return {
    db: deps.database.db,
    search: deps.database.search,
    currentUser,
    lang: parseLanguage(row.lang),
    model: deps.model.current,
    definitions: deps.definitions,
    numbers: deps.numbers,
    hooks: deps.hooks,
    config: deps.config,
    demo: false,
    request: { id: `J${row.id}`, ip: '', secure: false, userAgent: '', token: null },
  };
}
