import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { cancelJob, downloadJob, isOver, jobStates, listJobs, readJob, type Job } from '#domain/jobs.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/pool.ts';
import { openBoss, QUEUE } from '#server/jobs/boss.ts';
import { expireJobs } from '#server/jobs/expiry.ts';
import { jobHandler, MAX_ATTEMPTS } from '#server/jobs/job.ts';
import { CHANNEL, untilOver } from '#server/jobs/over.ts';
import { startJobNow, waitForJob, type JobSpec } from '#server/jobs/start.ts';
import { recordInLedger } from '#server/ledger.ts';
import { runFileJob } from '#server/reports/runFileJob.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { jobHandlers } from '#tests/support/features.ts';
import { contextFor } from '#tests/support/jobs.ts';

let testApp: TestApp;
const gates = new Map<string, { open: () => void; opened: Promise<void> }>();
const seen: string[] = [];

/** Jobs that stop at a gate until the test opens it. */
function gate(name: string) {
  const known = gates.get(name);
  if (known) return known;
  let open = () => undefined as void;
  const opened = new Promise<void>((done) => (open = done));
  const it = { open, opened };
  gates.set(name, it);
  return it;
}
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, fail) => signal.addEventListener('abort', () => fail(signal.reason as Error), { once: true }));

const handlers = {
  file: jobHandler<{ text: string }>(async ({ text }, job) => {
    const { stream } = await job.openFile('report.txt', 'text/plain');
    stream.end(text);
    job.progress(3, 3);
    return { rows: 3 };
  }),
  waits: jobHandler<{ gate: string }>(async (input, job) => {
    seen.push(input.gate);
    const { stream } = await job.openFile('half.txt');
    stream.write('half');
    job.progress(1, 4);
    await Promise.race([gate(input.gate).opened, untilAborted(job.signal)]);
    stream.end();
    return {};
  }),
  writes: jobHandler<{ id: string; breaks: number }>(async ({ id, breaks }, job) => {
    const had = (job.checkpoint as number | null) ?? 0;
    seen.push(`${id} from ${had}`);
    for (let n = had + 1; n <= 3; n++) {
      const entry = { what: 'test', module: 'rmaReport', recordId: `${id}-${n}` };
      await job.step((ctx) => recordInLedger(ctx, entry), n);
      if (n === breaks && had === 0) throw new Error('broke off');
    }
    return job.finish(async (ctx) => {
      await recordInLedger(ctx, { what: 'test', module: 'rmaReport', recordId: `${id}-end` });
      return { rows: 3 };
    });
  }),
  overflows: jobHandler(async (_, job) => {
    await sql`SELECT 2147483647 + 1`.execute(job.ctx.db);
    return {};
  }),
  goes: jobHandler(async (_, job) => {
    await job.ctx.db.deleteFrom('job').where('id', '=', job.id).execute();
    return {};
  }),
  refuses: jobHandler(() => Promise.reject(new Refusal({ key: 'required', args: { fields: 'id' } }))),
};

beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 300 }, { worksJobs: handlers });
});
afterAll(() => testApp?.close());

const start = async (as: string, kind: keyof typeof handlers, input: unknown, title = kind as string) =>
  startJobNow(await contextFor(testApp, as), { kind, title, module: 'rmaReport', right: 'signedIn', input });
const read = async (id: number, as: string) => (await testApp.send(readJob, { id }, { as })).data;
const until = async (id: number, as: string, fits: (job: Job) => boolean): Promise<Job> => {
  const job = await read(id, as);
  return fits(job) ? job : until(id, as, fits);
};
const over = (id: number, as: string) => until(id, as, (it) => isOver(it.state));
const running = (id: number, as: string) => until(id, as, (it) => it.state === 'running');

describe('a call that waits for a job', () => {
  it.each([
    ['a job', async (ctx: Context, spec: JobSpec) => waitForJob(ctx, await startJobNow(ctx, spec))],
    ['a file', runFileJob],
  ])('of %s, whose account is deleted meanwhile, is refused as any call of it', async (_, ask) => {
    const spec: JobSpec = { kind: 'goes', title: 'x', module: 'rmaReport', right: 'signedIn', input: {} };
    const asked = ask(await contextFor(testApp, 'tech'), spec);
    await expect(asked).rejects.toMatchObject({ problems: [{ key: 'noSession' }] });
  });
});

describe('a job', () => {
  it('of another user is not there, and nothing is told of it without a session', async () => {
    const id = await start('tech', 'file', { text: 'mine' });
    await over(id, 'tech');
    for (const call of [readJob, cancelJob]) {
      expect(await testApp.send(call, { id })).toMatchObject({ status: 401 });
      expect(await testApp.send(call, { id }, { as: 'office' })).toMatchObject({ code: '100002' });
    }
    expect(await testApp.send(listJobs, {})).toMatchObject({ status: 401 });
    const others = await testApp.send(listJobs, {}, { as: 'office' });
    expect(others.data.items.map((it) => it.id)).not.toContain(id);
    expect(await testApp.send(readJob, { id }, { as: 'admin' })).toMatchObject({ data: { id } });
  });

  it('of another user tells what it found to those alone who may do the same, on all of its sites', async () => {
    const { db } = testApp;
    await db
      .insertInto('admin_role')
      .values({ roleId: 'watcher', name: '看', nameEn: 'Watcher', allSites: '0' })
      .execute();
    await db.insertInto('role_right').values({ roleId: 'watcher', right: 'rmaReportDownload:all' }).execute();
    const user = {
      userId: 'watcher',
      userName: 'watcher',
      roleIds: 'watcher',
      siteId: 'SZ',
      allSites: '0',
      status: '1',
    };
    await db.insertInto('admin_user').values(user).execute();
    const id = await start('tech', 'file', { text: 'mine' });
    const found = { rows: 3, file: 'report.txt', size: 4 };
    expect((await over(id, 'tech')).result).toEqual(found);
    const allow = (right: string, sites: unknown) =>
      db
        .updateTable('job')
        .set({ scope: JSON.stringify({ right, sites }) })
        .where('id', '=', id)
        .execute();
    for (const [right, sites, told] of [
      ['rmaReport:report', ['SZ'], {}],
      ['rmaReportDownload:all', ['NB'], {}],
      ['rmaReportDownload:all', ['SZ', 'NB'], {}],
      ['rmaReportDownload:all', 'all', {}],
      ['rmaReportDownload:all', ['SZ'], found],
      ['signedIn', ['SZ'], found],
    ]) {
      await allow(right as string, sites);
      expect([right, sites, (await read(id, 'watcher')).result]).toEqual([right, sites, told]);
      expect((await read(id, 'tech')).result).toEqual(found);
      expect((await read(id, 'admin')).result).toEqual(found);
    }
  });

  it('is worked, says how far it is, and gives its file to its owner alone', async () => {
    const id = await start('tech', 'file', { text: 'some text' });
    const job = await over(id, 'tech');
    expect(job).toMatchObject({
      state: 'done',
      progress: 3,
      total: 3,
      result: { rows: 3, file: 'report.txt', size: 9 },
    });
    expect(job.expiresAt! - job.finishedAt!).toBe(7 * 24 * 60 * 60 * 1000);
    const file = async (as: string) =>
      testApp.app.inject({ url: job.path as string, headers: { token: await testApp.openToken(as) } });
    expect((await file('supervisor')).statusCode).toBe(404);
    const own = await file('tech');
    expect(own.body).toBe('some text');
    expect(own.headers['content-disposition']).toBe(`attachment; filename*=UTF-8''report.txt`);
  });

  it('asked for twice while it waits or runs is one job', async () => {
    const first = await start('office', 'waits', { gate: 'same' });
    expect(await start('office', 'waits', { gate: 'same' })).toBe(first);
    gate('same').open();
    await over(first, 'office');
    expect(await start('office', 'waits', { gate: 'same' })).not.toBe(first);
  });

  it('runs alone for its user, while another user’s runs beside it', async () => {
    const one = await start('finance', 'waits', { gate: 'one' });
    await running(one, 'finance');
    const two = await start('finance', 'waits', { gate: 'two' });
    const beside = await start('auditor', 'waits', { gate: 'beside' });
    await running(beside, 'auditor');
    expect(await read(two, 'finance')).toMatchObject({ state: 'queued' });
    for (const it of ['one', 'beside', 'two']) gate(it).open();
    expect(await over(one, 'finance')).toMatchObject({ state: 'done' });
    expect(await over(two, 'finance')).toMatchObject({ state: 'done' });
    await over(beside, 'auditor');
  });

  it('is refused when ten of the user’s wait already', async () => {
    for (let n = 0; n < 10; n++) await start('planner', 'waits', { gate: 'many', n });
    await expect(start('planner', 'waits', { gate: 'many', n: 10 })).rejects.toMatchObject({
      problems: [{ key: 'tooManyJobs', args: { max: 10 } }],
    });
    gate('many').open();
    const { data } = await testApp.send(listJobs, {}, { as: 'planner' });
    for (const { id } of data.items) await over(id, 'planner');
  });

  it('that is cancelled while it runs leaves no file and lets the next one run', async () => {
    const id = await start('warehouse', 'waits', { gate: 'never' });
    await running(id, 'warehouse');
    const { fileId } = await until(id, 'warehouse', (it) => it.progress === 1).then(() =>
      testApp.db.selectFrom('job').select('fileId').where('id', '=', id).executeTakeFirstOrThrow(),
    );
    expect(await testApp.send(cancelJob, { id }, { as: 'warehouse' })).toMatchObject({ data: { state: 'cancelled' } });
    const next = await start('warehouse', 'file', { text: 'next' });
    expect(await over(next, 'warehouse')).toMatchObject({ state: 'done' });
    const path = join(testApp.config.dataDir, 'files', (fileId as string).slice(0, 2), fileId as string);
    await expect.poll(() => [path, `${path}.part`].filter((it) => existsSync(it))).toEqual([]);
    expect(await read(id, 'warehouse')).toMatchObject({ state: 'cancelled', path: null });
  });

  it('that was cancelled before it began never begins, and one that is over stays as it is', async () => {
    const first = await start('aftersales', 'waits', { gate: 'ahead' });
    const second = await start('aftersales', 'waits', { gate: 'unborn' });
    await testApp.send(cancelJob, { id: second }, { as: 'aftersales' });
    gate('ahead').open();
    expect(await over(first, 'aftersales')).toMatchObject({ state: 'done' });
    expect(await testApp.send(cancelJob, { id: first }, { as: 'aftersales' })).toMatchObject({
      data: { state: 'done' },
    });
    expect(seen).not.toContain('unborn');
  });

  it('that breaks off goes on from its checkpoint, and does nothing twice', async () => {
    const id = await start('supervisor', 'writes', { id: 'again', breaks: 2 });
    const job = await until(id, 'supervisor', (it) => it.state === 'done');
    expect(job.result).toEqual({ rows: 3 });
    expect(seen.filter((it) => it.startsWith('again'))).toEqual(['again from 0', 'again from 2']);
    const rows = await testApp.db
      .selectFrom('ledger')
      .select('recordId')
      .where('recordId', 'like', 'again-%')
      .execute();
    expect(rows.map((it) => it.recordId).sort()).toEqual(['again-1', 'again-2', 'again-3', 'again-end']);
    expect(testApp.jobErrors.splice(0).map(String)).toEqual(['Error: broke off']);
  });

  it('whose handler refuses fails with that sentence, in the asker’s language, and its download says so', async () => {
    const id = await start('viewer', 'refuses', {});
    expect(await over(id, 'viewer')).toMatchObject({
      state: 'failed',
      msg: 'The required fields must not be empty (id)',
    });
    expect((await testApp.send(readJob, { id }, { as: 'viewer', lang: 'zh' })).data.msg).toMatch(/必填项不为空/);
    const no = await testApp.send(downloadJob, { id }, { as: 'admin' });
    expect(no).toMatchObject({ status: 200, code: '000007' });
    expect(no.msg).toBe('There is no file to download: The required fields must not be empty (id)');
  });

  it('that computes more than the database holds fails at once, with the reason', async () => {
    const id = await start('viewer', 'overflows', {});
    const { state, msg } = await over(id, 'viewer');
    expect([state, msg]).toEqual(['failed', expect.stringContaining('greater than can be stored')]);
  });

  it('of a kind that nobody knows is tried a few times, then fails with a number to quote', async () => {
    const id = await start('techNB', 'nobody' as 'file', {});
    // Between two attempts only: an attempt that finds another number in its job has lost it.
    const skipAhead = testApp.db.updateTable('job').set({ attempt: MAX_ATTEMPTS - 1 });
    const isSkipped = async () =>
      (await skipAhead.where('id', '=', id).where('state', '=', 'queued').executeTakeFirst()).numUpdatedRows === 1n;
    await expect.poll(isSkipped).toBe(true);
    expect(await over(id, 'techNB')).toMatchObject({
      state: 'failed',
      msg: expect.stringContaining(`J${id}`) as string,
    });
    expect(testApp.jobErrors.splice(0).length).toBeGreaterThan(0);
  });
});

it('every kind and every state of a job has a word', () => {
  const words = (list: string) => testApp.model.options[list]?.map((it) => it.value);
  expect(words('jobKinds')?.sort()).toEqual(Object.keys(jobHandlers).sort());
  expect(words('jobStates')).toEqual([...jobStates]);
});

describe('the queue', () => {
  it('once it is closed, hears nothing more of a job that was given up', async () => {
    const { boss, close } = openBoss(testApp.url);
    await close();
    expect(await boss.fail(QUEUE, randomUUID())).toMatchObject({ requested: 1, affected: 0 });
  });
});

describe('a job’s file after its 7 days', () => {
  it('is taken away; the job says that it has expired, and so does its download [P-CAL-06]', async () => {
    const id = await start('admin', 'file', { text: 'old' });
    const { path } = await over(id, 'admin');
    const fileId = String(path).slice('/file/'.length);
    const onDisk = join(testApp.config.dataDir, 'files', fileId.slice(0, 2), fileId);
    const deps = { database: { db: testApp.db } as Database, config: testApp.config };
    await expireJobs(deps);
    expect(existsSync(onDisk)).toBe(true);
    await testApp.db
      .updateTable('job')
      .set({ expiresAt: sql`now() - interval '1 minute'` })
      .where('id', '=', id)
      .execute();
    await expireJobs(deps);
    expect(existsSync(onDisk)).toBe(false);
    expect(await read(id, 'admin')).toMatchObject({ state: 'expired', path: null });
    expect(await testApp.db.selectFrom('file').select('id').where('id', '=', fileId).execute()).toEqual([]);
    expect(await testApp.send(downloadJob, { id }, { as: 'admin' })).toMatchObject({
      code: '000007',
      msg: 'The file has expired (kept for 7 days); export it again',
    });
  });

  it('goes with the workbooks that were uploaded to be imported, and with no other file', async () => {
    const file = (id: string, owner: string | null, kind: string, days: number) => ({
      id,
      owner,
      kind,
      name: `${id}.xlsx`,
      mime: 'application/octet-stream',
      size: 1,
      siteId: 'SZ',
      createBy: 'admin',
      createdAt: sql<number>`now() - make_interval(days => ${days}::int)`,
    });
    const ids = ['1', '2', '3', '4'].map((it) => it.repeat(32)) as [string, string, string, string];
    await testApp.db
      .insertInto('file')
      .values([
        file(ids[0], 'admin', 'workbook', 8),
        file(ids[1], 'admin', 'workbook', 6),
        file(ids[2], null, 'workbook', 8),
        file(ids[3], 'admin', 'image', 8),
      ] as never)
      .execute();
    await expireJobs({ database: { db: testApp.db } as Database, config: testApp.config });
    const left = await testApp.db.selectFrom('file').select('id').where('id', 'in', ids).orderBy('id').execute();
    expect(left.map((it) => it.id)).toEqual(ids.slice(1));
  });

  it('leaves its row for a season', async () => {
    const id = await start('admin', 'refuses', {});
    await over(id, 'admin');
    const days = (n: number) => sql<Date>`now() - make_interval(days => ${n}::int)`;
    const deps = { database: { db: testApp.db } as Database, config: testApp.config };
    const age = (n: number) =>
      testApp.db
        .updateTable('job')
        .set({ createdAt: days(n) })
        .where('id', '=', id)
        .execute();
    const there = async () => (await testApp.db.selectFrom('job').select('id').where('id', '=', id).execute()).length;
    await age(89);
    await expireJobs(deps);
    expect(await there()).toBe(1);
    await age(91);
    await expireJobs(deps);
    expect(await there()).toBe(0);
  });
});

describe('waiting for a job', () => {
  const context = (as: string): Promise<Context> => contextFor(testApp, as);

  it('ends when it is done', async () => {
    const ctx = await context('tech');
    const id = await start('tech', 'file', { text: 'quick' });
    expect(await waitForJob(ctx, id)).toMatchObject({ id, state: 'done', result: { rows: 3 } });
  });

  it('ends after its time with the job still going on', async () => {
    const id = await start('tech', 'waits', { gate: 'slow' });
    expect(await waitForJob(await context('tech'), id)).toMatchObject({ id, state: 'running' });
    gate('slow').open();
    await over(id, 'tech');
  });

  it('is told at once when one is done or failed, of one that another thread works as well', async () => {
    const { signal } = new AbortController();
    const done = await start('tech', 'waits', { gate: 'told' });
    // It waits behind the other one: neither is over yet.
    const failed = await start('tech', 'refuses', {});
    const told = [untilOver(done, signal), untilOver(failed, signal)];
    gate('told').open();
    await Promise.all(told);
    expect([await read(done, 'tech'), await read(failed, 'tech')]).toMatchObject([
      { state: 'done' },
      { state: 'failed' },
    ]);

    const elsewhere = untilOver(-7, signal);
    const tell = `new (require('node:worker_threads').BroadcastChannel)(${JSON.stringify(CHANNEL)}).postMessage(-7)`;
    const thread = new Worker(tell, { eval: true });
    await elsewhere;
    await thread.terminate();
  });

  it('of a failed one throws its refusal', async () => {
    const id = await start('tech', 'refuses', {});
    await expect(waitForJob(await context('tech'), id)).rejects.toMatchObject({ problems: [{ key: 'required' }] });
  });
});
