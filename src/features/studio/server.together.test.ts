import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { isOver } from '#domain/jobs.ts';
import { PREPARE_LOCK } from '#server/db/migrate.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { registers } from '#tests/support/features.ts';
import { untilWaiting } from '#tests/support/locks.ts';
import { publishAndWait, publishAsItIs } from '#tests/support/publishing.ts';
import { publishDraft, readDraft, readPublishing, readTakingBack, saveChange, takeBack } from './contract.ts';

/** Two administrators who publish and take back at the same time. */
let testApp: TestApp;
let client: pg.Client;
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 300 }, { worksJobs: true });
  await testApp.db.updateTable('admin_user').set({ roleIds: 'admin' }).where('userId', '=', 'planner').execute();
  client = new pg.Client({ connectionString: testApp.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await testApp.close();
});

const [admin, other] = [{ as: 'admin' }, { as: 'planner' }];
const OFTEN = { interval: 20 };
const words = (en: string) => ({ zh: en, en });

async function open(change: DefinitionChange, module = 'ubsSite'): Promise<number> {
  const { data } = await testApp.ask<{ id: number }>('POST', '/api/sysDraft/create.json', { name: 'Fax' }, admin);
  const draftId = data.id;
  await testApp.send(saveChange, { draftId, module, version: 0, change: change as Record<string, unknown> }, admin);
  return draftId;
}
const order = async (id: number, note: string, asking: object) => {
  const { version } = (await testApp.send(readDraft, { id }, admin)).data;
  return testApp.send(publishDraft, { id, version, note }, asking);
};
const lastOf = async (id: number) => (await testApp.send(readPublishing, { id }, admin)).data.last;
const lastBackOf = async (id: number) => (await testApp.send(readTakingBack, { id }, admin)).data.last;
const back = (id: number, asking: object = admin) =>
  publishAndWait(testApp, takeBack, { id, since: false, note: 'no more' }, asking);
const until = (id: number, state: string) => vi.waitUntil(async () => (await lastOf(id))?.state === state, OFTEN);

/** Whether a connection of this name asks for that, or did last. */
const asks = async (name: string, query: string) => {
  const { rows } = await sql`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE ${`${name}%`}
       AND query LIKE ${query}`.execute(testApp.db);
  return rows.length > 0;
};

it('an index is built while another publish waits, and while a server starts', async () => {
  const site = await open({ indexes: [['siteName'], ['siteName', 'country']] });
  const countries = await open({ label: words('Plants') }, 'ubsCountry');
  // An index is there once whoever wrote before it is done.
  await client.query('BEGIN; LOCK TABLE ubs_site IN ROW EXCLUSIVE MODE');
  await order(site, 'indexed', admin);
  await vi.waitUntil(() => asks('reflow publish', 'CREATE INDEX CONCURRENTLY%'), OFTEN);
  await order(countries, 'beside it', other);
  const starting = prepareDatabase(testApp.url, registers);
  await vi.waitUntil(() => asks('reflow publish', '%advisory_lock%'), OFTEN);
  await vi.waitUntil(() => asks('reflow prepare', '%advisory_lock%'), OFTEN);
  await client.query('COMMIT');
  const ends = async (id: number) =>
    vi.waitUntil(async () => {
      const last = await lastOf(id);
      return last && isOver(last.state) && last;
    }, OFTEN);
  const [first, second] = await Promise.all([ends(site), ends(countries), starting]);
  for (const it of [first, second]) expect(it, it.msg).toMatchObject({ state: 'done' });
  for (const it of [countries, site]) await back((await lastOf(it))?.id ?? 0);
});

describe('a taking back', () => {
  it('is done at once, though another one has ordered it behind his own jobs', async () => {
    const bad = await publishAsItIs(testApp, await open({ label: words('Bad') }), 'bad', other);
    await client.query('SELECT pg_advisory_lock($1)', [PREPARE_LOCK]);
    const countries = await open({ label: words('Lands') }, 'ubsCountry');
    await order(countries, 'first', other);
    await until(countries, 'running');
    const theirs = await testApp.send(takeBack, { id: bad.data.id, since: false, note: 'later' }, other);
    expect(theirs.data).toMatchObject({ state: 'queued', userId: 'planner' });
    const ours = await testApp.send(takeBack, { id: bad.data.id, since: false, note: 'now' }, admin);
    expect(ours.data.userId).toBe('admin');
    await vi.waitUntil(async () => (await lastBackOf(bad.data.id))?.state === 'running', OFTEN);
    const again = await testApp.send(takeBack, { id: bad.data.id, since: false, note: 'and now' }, admin);
    expect(again.data.jobId).toBe(ours.data.jobId);
    await client.query('SELECT pg_advisory_unlock($1)', [PREPARE_LOCK]);
    const ended = async (id: number) => {
      const job = await testApp.db.selectFrom('job').select('state').where('id', '=', id).executeTakeFirstOrThrow();
      return job.state;
    };
    // Ours began while theirs stood in its queue. Which of them the lock lets in first is not said, but it is one alone.
    const both = async () => [await ended(ours.data.jobId), await ended(theirs.data.jobId)].sort();
    await vi.waitUntil(async () => (await both()).every((it) => ['done', 'failed'].includes(it)), OFTEN);
    expect(await both()).toEqual(['done', 'failed']);
    expect(await lastBackOf(bad.data.id)).toMatchObject({ state: 'done' });
  });
});

describe('the same publish, ordered by two', () => {
  it('at the same moment is one job', async () => {
    const id = await open({ label: words('Plants') });
    // Both look for a job of the other one, and neither can make one yet.
    await client.query('BEGIN; LOCK TABLE job IN EXCLUSIVE MODE');
    const ordered = Promise.all([order(id, 'one', admin), order(id, 'two', other)]);
    await untilWaiting(testApp.db, 2);
    await client.query('COMMIT');
    const [one, two] = await ordered;
    expect(one.data.jobId).toBe(two.data.jobId);
    await until(id, 'done');
    await back((await lastOf(id))?.id ?? 0);
  });

  it('is told as done, though one job of it failed meanwhile', async () => {
    const id = await open({ label: words('Plants') });
    const done = await publishAsItIs(testApp, id, 'done', admin);
    const fail = (jobId: number, when: string) =>
      sql`
      INSERT INTO job (kind, title, module, "userId", "siteId", scope, lang, input, state, problem, "createdAt", "finishedAt")
      SELECT kind, title, module, 'planner', "siteId", scope, lang, input, 'failed', '[{"key":"stale"}]',
             "finishedAt" + ${when}::interval, now() FROM job WHERE id = ${jobId}`.execute(testApp.db);
    await fail(done.data.jobId, '-1 second');
    expect(await lastOf(id)).toMatchObject({ jobId: done.data.jobId, state: 'done' });
    const taken = await back(done.data.id);
    await fail(taken.data.jobId, '-1 second');
    expect(await lastBackOf(done.data.id)).toMatchObject({ jobId: taken.data.jobId, state: 'done' });
    await fail(taken.data.jobId, '1 second');
    expect(await lastBackOf(done.data.id)).toMatchObject({ state: 'failed' });
  });
});
