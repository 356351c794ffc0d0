import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { DraftStatus } from '#domain/enums.ts';
import { cancelJob, listJobs, readJob } from '#domain/jobs.ts';
import en from '#i18n/en/studio.json' with { type: 'json' };
import { PREPARE_LOCK } from '#server/db/migrate.ts';
import { createHolder } from '#server/definitions/follow.ts';
import { BadDefinitions, readModel } from '#server/definitions/read.ts';
import { openDefinitions } from '#server/definitions/service.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { registers } from '#tests/support/features.ts';
import { expectNo } from '#tests/support/guard.ts';
import { publishAndWait, publishAsItIs } from '#tests/support/publishing.ts';
import { publishDraft, readDraft, readPublishing, readTakingBack, saveChange, takeBack } from './contract.ts';

let testApp: TestApp;
let client: pg.Client;
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 300 }, { worksJobs: true });
  client = new pg.Client({ connectionString: testApp.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await testApp.close();
});
afterEach(() => vi.restoreAllMocks());

const admin = { as: 'admin' };
const OFTEN = { interval: 20 };
const words = (en: string) => ({ zh: en, en });
const fax = { type: 'String', label: words('Fax'), maxLength: 20 } as const;

async function open(change: DefinitionChange, module = 'ubsSite'): Promise<number> {
  const { data } = await testApp.ask<{ id: number }>('POST', '/api/sysDraft/create.json', { name: 'Fax' }, admin);
  const draftId = data.id;
  await testApp.send(saveChange, { draftId, module, version: 0, change: change as Record<string, unknown> }, admin);
  return draftId;
}
const read = async (id: number) => (await testApp.send(readDraft, { id }, admin)).data;
const lastOf = async (id: number, as = 'admin', lang: 'zh' | 'en' = 'en') =>
  (await testApp.send(readPublishing, { id }, { as, lang })).data.last;
const order = async (id: number, note = 'as agreed', asking: object = admin) =>
  testApp.send(publishDraft, { id, version: (await read(id)).version, note }, asking);
const back = (id: number) => publishAndWait(testApp, takeBack, { id, since: false, note: 'by mistake' }, admin);
const until = (id: number, state: string) => vi.waitUntil(async () => (await lastOf(id))?.state === state, OFTEN);
const publishesOf = async (note: string) =>
  (await client.query<{ id: number }>(`SELECT id::int FROM definition_publish WHERE note = $1`, [note])).rows;
const indexesOf = async (field: string) =>
  (await client.query(`SELECT FROM pg_indexes WHERE tablename = 'ubs_site' AND indexdef LIKE $1`, [`%${field}%`]))
    .rowCount;

const resolvers = () => {
  let resolve = () => undefined as void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
};

/** No publish begins until it is let go. */
async function hold() {
  await client.query('SELECT pg_advisory_lock($1)', [PREPARE_LOCK]);
  return () => client.query('SELECT pg_advisory_unlock($1)', [PREPARE_LOCK]);
}

describe('a publish', () => {
  it('that is quick is answered as done, and stands in the jobs of who ordered it, without a file', async () => {
    const id = await open({ label: words('Plants') });
    const { data } = await publishAsItIs(testApp, id, 'as agreed', admin);
    expect(data).toMatchObject({ state: 'done', leftOut: [], progress: 3, total: 3, userId: 'admin', msg: '' });
    const jobs = (await testApp.send(listJobs, {}, admin)).data.items;
    expect(jobs.find((it) => it.id === data.jobId)).toMatchObject({
      ...{ kind: 'publish', title: 'Publish Fax', state: 'done', path: null, result: { id: data.id } },
    });
    const taken = await back(data.id);
    expect(await testApp.send(readTakingBack, { id: data.id }, admin)).toMatchObject({
      data: { last: { state: 'done', jobId: taken.data.jobId, id: taken.data.id, version: null } },
    });
  });

  it('is worked by once it is told as done, by whichever thread or server it was published', async () => {
    const pool = new pg.Pool({ connectionString: testApp.url, max: 1 });
    const holder = createHolder(testApp.model);
    const other = openDefinitions(testApp.url, { pool, registers, holder });
    vi.spyOn(testApp.definitions, 'publish').mockImplementation((...given) => other.publish(...given));
    const { data } = await publishAsItIs(testApp, await open({ label: words('Plants') }), 'elsewhere', admin);
    const pager = await testApp.ask<object>('GET', '/api/ubsSite/pager.json', { lang: 'en' }, admin);
    expect(pager.data).toMatchObject({ tableName: 'Plants' });
    await back(data.id);
    await pool.end();
  });

  it('that takes longer goes on, is found again by whoever sees the draft, and is ordered once', async () => {
    const release = await hold();
    const id = await open({ label: words('Plants') });
    const { data } = await order(id, 'long');
    expect(data).toMatchObject({ state: 'running', id: null });
    expect(await lastOf(id, 'admin')).toMatchObject({
      jobId: data.jobId,
      state: 'running',
      userId: 'admin',
      version: 2,
    });
    await testApp.db.insertInto('role_right').values({ roleId: 'viewer', right: 'sysDraft:list' }).execute();
    expect(await lastOf(id, 'viewer')).toMatchObject({ jobId: data.jobId, userName: data.userName });
    await testApp.db
      .deleteFrom('role_right')
      .where('roleId', '=', 'viewer')
      .where('right', '=', 'sysDraft:list')
      .execute();
    await expectNo('100013', () => testApp.send(readPublishing, { id }, { as: 'office' }));
    expect((await order(id, 'in other words')).data.jobId).toBe(data.jobId);
    await release();
    await until(id, 'done');
    expect(await read(id)).toMatchObject({ status: DraftStatus.Published, publishId: (await lastOf(id))?.id });
    expect(await publishesOf('long')).toHaveLength(1);
    await back((await lastOf(id))?.id ?? 0);
  });

  it('that is refused after its call has answered tells the same words, and all that was found', async () => {
    const release = await hold();
    const id = await open({ search: ['nothing'] });
    expect((await order(id)).data).toMatchObject({ state: 'running' });
    await release();
    await until(id, 'failed');
    const found = [{ module: 'ubsSite', path: 'search', kind: 'UnknownField', name: 'nothing' }];
    const last = await lastOf(id);
    expect(last).toMatchObject({ msg: expect.stringContaining('“nothing”') as string, found });
    expect((await lastOf(id, 'admin', 'zh'))?.msg).toMatch(/“nothing”|「nothing」/);
    const again = await vi.waitUntil(async () => {
      const answer = await order(id);
      return answer.code !== '000000' && answer;
    });
    expect(again).toMatchObject({ code: '100015', msg: last?.msg, data: { found } });
  });

  it('that takes from its author the right to publish is done, and not told as failed', async () => {
    const { db } = testApp;
    await db.insertInto('admin_role').values({ roleId: 'shaper', name: 'x', nameEn: 'x', allSites: '1' }).execute();
    const rights = ['*:list', 'sysDraft:publish', 'sysModule:configure'];
    await db
      .insertInto('role_right')
      .values(rights.map((right) => ({ roleId: 'shaper', right })))
      .execute();
    await db.updateTable('admin_user').set({ roleIds: 'shaper' }).where('userId', '=', 'planner').execute();
    const id = await open({ rights: { shaper: ['list'] } }, 'sysDraft');
    const done = await publishAsItIs(testApp, id, 'by right', { as: 'planner' });
    expect(done.data).toMatchObject({ state: 'done' });
    const left = await db.selectFrom('role_right').select('right').where('roleId', '=', 'shaper').execute();
    expect(left.map((it) => it.right)).not.toContain('sysDraft:publish');
    await back(done.data.id);
  });
});

describe('what is left out', () => {
  const unforeseen = (where: string, path: string): DefinitionProblem => ({
    ...{ kind: 'NotApplied', rule: 'rulesNotSet', where, path, name: '', what: 'permission denied for table ubs_site' },
  });
  const leftOut = [unforeseen('ubsSite', 'fields.fax.ref'), unforeseen('ubsSite', ''), unforeseen('', '')];
  const leaveOut = () => {
    const real = testApp.definitions.publish;
    vi.spyOn(testApp.definitions, 'publish').mockImplementationOnce(async (...given) => ({
      ...(await real(...given)),
      leftOut,
    }));
  };
  const { label } = readModel(registers).definitions.get('ubsSite') as Definition;
  const fieldPlace = { zh: `${label.zh} · Fax`, en: `${label.en} · Fax` };
  const told = (places: object[]) =>
    places.map((place) => expect.objectContaining({ rule: 'rulesNotSet', name: '', place }) as object);
  const places = [fieldPlace, label, { zh: '', en: '' }];
  const expectLogged = () => {
    const logged = testApp.jobErrors.splice(0) as string[];
    expect(logged).toHaveLength(leftOut.length);
    expect(logged[0]).toContain('ubsSite → permission denied');
  };

  it('of a publish and of a taking back is told by what people call module and field; its words are for the log', async () => {
    leaveOut();
    const id = await open({ fields: { fax } });
    const published = await publishAsItIs(testApp, id, 'left out', admin);
    expect(published.data.leftOut).toEqual(told(places));
    expect((await lastOf(id))?.leftOut).toEqual(published.data.leftOut);
    expect(JSON.stringify(await lastOf(id))).not.toContain('denied');
    expectLogged();
    leaveOut();
    const taken = await back(published.data.id);
    // Nobody calls a field anything that is there no more.
    const gone = { zh: `${label.zh} · fax`, en: `${label.en} · fax` };
    expect(taken.data.leftOut).toEqual(told([gone, ...places.slice(1)]));
    const { last } = (await testApp.send(readTakingBack, { id: published.data.id }, admin)).data;
    expect(last?.leftOut).toEqual(taken.data.leftOut);
    expectLogged();
  });

  it('of a publish that was broken off after its commit is told the same', async () => {
    const real = testApp.definitions.publish;
    vi.spyOn(testApp.definitions, 'publish').mockImplementationOnce(async (...given) => {
      await real(...given);
      throw new Error('killed');
    });
    vi.spyOn(testApp.definitions, 'finish').mockResolvedValueOnce(leftOut);
    const id = await open({ fields: { fax } });
    await order(id, 'broken off');
    await until(id, 'done');
    expect((await lastOf(id))?.leftOut).toEqual(told(places));
    expect(testApp.jobErrors.shift()).toEqual(new Error('killed'));
    expectLogged();
    await back((await lastOf(id))?.id ?? 0);
  });

  it('what the database refuses for a reason of its own is a sentence, and its words are for the log', async () => {
    const refused = { ...unforeseen('ubsSite', 'fields.fax'), rule: 'notTaken' };
    vi.spyOn(testApp.definitions, 'publish').mockRejectedValueOnce(new BadDefinitions([refused]));
    const id = await open({ fields: { fax } });
    const answer = await order(id);
    expect(answer).toMatchObject({ code: '100015', data: { found: [{ rule: 'notTaken', path: 'fields.fax' }] } });
    expect(answer.msg).toContain(en.problems.notTaken);
    expect(JSON.stringify(answer)).not.toContain('denied');
    expect(testApp.jobErrors.splice(0)).toEqual(['NotApplied: ubsSite → permission denied for table ubs_site']);
  });
});

describe('a publish that waits', () => {
  const holding = async (name: string) => {
    await client.query(`SELECT set_config('application_name', $1, false)`, [name]);
    const release = await hold();
    return async () => {
      await release();
      await client.query('RESET application_name');
    };
  };

  it.each([
    ['somebody else', 'reflow publish 1795946400 planner', { userId: 'planner', since: 1795946400000 }],
    ['a server that starts', 'reflow start', { userId: '', userName: '' }],
  ])('for %s says so while it waits, and no longer once it works', async (_, name, whom) => {
    const release = await holding(name);
    const id = await open({ label: words('Plants') });
    expect((await order(id)).data).toMatchObject({ state: 'running' });
    expect(await lastOf(id)).toMatchObject({ state: 'running', total: null, waitsFor: whom });
    const { db } = testApp;
    const planner = await db.selectFrom('admin_user').select('userName').where('userId', '=', 'planner').execute();
    if (whom.userId !== '') expect((await lastOf(id))?.waitsFor).toMatchObject(planner[0] as object);
    await release();
    await until(id, 'done');
    const done = await lastOf(id);
    expect(done).toMatchObject({ waitsFor: null, progress: 3, total: 3 });
    await back(done?.id as number);
  });

  it('is at work itself and waits for nobody', async () => {
    const release = await holding('reflow publish 1795946400 admin');
    const id = await open({ label: words('Plants') });
    await order(id);
    expect(await lastOf(id)).toMatchObject({ state: 'running', waitsFor: null });
    await release();
    await until(id, 'done');
    await back((await lastOf(id))?.id as number);
  });

  it('too long ends with whose publish is at work, and since when', async () => {
    const { publish } = testApp.definitions;
    vi.spyOn(testApp.definitions, 'publish').mockImplementation((publication, orderer) =>
      publish(publication, orderer && { ...orderer, waitMs: 0 }),
    );
    const release = await holding('reflow publish 1795946400 planner');
    const id = await open({ label: words('Plants') });
    const answer = await order(id);
    await release();
    const told = {
      code: '100025',
      msg: expect.stringMatching(/^planner has been publishing since \d\d:\d\d/) as string,
    };
    expect(answer).toMatchObject(told);
    expect(await lastOf(id)).toMatchObject({ state: 'failed', msg: told.msg, waitsFor: null });
    expect(await read(id)).toMatchObject({ status: DraftStatus.Open, publishId: null });
  });
});

describe('a publish that is cancelled', () => {
  it('while it waits is not done, and the draft can be published again', async () => {
    const release = await hold();
    const id = await open({ label: words('Plants') });
    const { data } = await order(id, 'no more');
    expect(await testApp.send(cancelJob, { id: data.jobId }, admin)).toMatchObject({ data: { state: 'cancelled' } });
    // Its connection is gone, though nobody has let it begin.
    await vi.waitUntil(async () => {
      const { rowCount } = await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'reflow publish%'`,
      );
      return rowCount === 0;
    }, OFTEN);
    await release();
    expect(await lastOf(id)).toMatchObject({ state: 'cancelled', id: null, msg: '' });
    expect(await read(id)).toMatchObject({ status: DraftStatus.Open, publishId: null });
    const done = await publishAsItIs(testApp, id, 'after all', admin);
    expect(await publishesOf('no more')).toEqual([]);
    await back(done.data.id);
  });

  it('while an index is built ends that, and takes away what was built', async () => {
    const first = await publishAsItIs(testApp, await open({ fields: { fax } }), 'fax', admin);
    // Not by the connection that holds the table: within its transaction it sees what was there first.
    const building = sql`SELECT 1 FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%'
      AND state = 'active' AND datname = current_database()`;
    // An index is there once whoever wrote before it is done.
    await client.query('BEGIN; LOCK TABLE ubs_site IN ROW EXCLUSIVE MODE');
    const id = await open({ indexes: [['fax'], ['fax', 'siteId']] });
    const { data } = await order(id, 'indexed');
    await vi.waitUntil(async () => (await lastOf(id))?.progress === 1, OFTEN);
    expect(await lastOf(id)).toMatchObject({ state: 'running', progress: 1, total: 5 });
    // It is half made: whoever ends it here leaves an index that has to be taken away.
    await vi.waitUntil(async () => (await indexesOf('fax')) === 1, OFTEN);
    expect(await testApp.send(cancelJob, { id: data.jobId }, admin)).toMatchObject({ data: { state: 'cancelled' } });
    await vi.waitUntil(async () => (await building.execute(testApp.db)).rows.length === 0, OFTEN);
    await client.query('COMMIT');
    await vi.waitUntil(async () => (await indexesOf('fax')) === 0, OFTEN);
    expect(await publishesOf('indexed')).toEqual([]);
    expect(await read(id)).toMatchObject({ status: DraftStatus.Open });
    await back(first.data.id);
  });

  it.each([
    ['cancelled', `UPDATE job SET state = 'cancelled' WHERE id = $1`],
    ['taken by another worker', `UPDATE job SET attempt = attempt + 1 WHERE id = $1`],
  ])('or %s at the last moment before it is written writes nothing', async (_, lose) => {
    const real = testApp.definitions.publish;
    const lost = vi.fn();
    vi.spyOn(testApp.definitions, 'publish').mockImplementationOnce((publication, orderer) =>
      real(publication, {
        ...(orderer as NonNullable<typeof orderer>),
        keep: async (...given) => {
          await client.query(lose, [(await lastOf(id))?.jobId]);
          await orderer?.keep(...given).catch((error: unknown) => {
            lost();
            throw error;
          });
        },
      }),
    );
    const id = await open({ label: words('Plants') });
    await order(id, `lost ${lose}`);
    await vi.waitUntil(() => lost.mock.calls.length === 1, OFTEN);
    expect(await publishesOf(`lost ${lose}`)).toEqual([]);
    expect(await read(id)).toMatchObject({ status: DraftStatus.Open });
    await client.query(`UPDATE job SET state = 'cancelled' WHERE state = 'running'`);
  });

  it('once it is written stays, is told as it is, and is finished', async () => {
    const letGo = resolvers();
    const written = resolvers();
    const real = testApp.definitions.publish;
    vi.spyOn(testApp.definitions, 'publish').mockImplementationOnce(async (...given) => {
      const done = await real(...given);
      written.resolve();
      await letGo.promise;
      return done;
    });
    const id = await open({ label: words('Plants') });
    const { data } = await order(id, 'too late');
    await written.promise;
    const answer = await testApp.send(cancelJob, { id: data.jobId }, admin);
    letGo.resolve();
    expect(answer).toMatchObject({ data: { state: 'running' } });
    await until(id, 'done');
    const [publish] = await publishesOf('too late');
    expect((await testApp.send(readJob, { id: data.jobId }, admin)).data.result).toEqual({
      id: publish?.id,
      leftOut: [],
    });
    await back(publish?.id ?? 0);
  });
});

describe('a publish whose attempt ends', () => {
  const BROKEN = new Error('killed');

  it('before its commit is published by the next one, once', async () => {
    const real = testApp.definitions.publish;
    vi.spyOn(testApp.definitions, 'publish').mockImplementationOnce((publication, orderer) =>
      real(publication, {
        ...(orderer as NonNullable<typeof orderer>),
        keep: async (...given) => {
          await orderer?.keep(...given);
          throw BROKEN;
        },
      }),
    );
    const id = await open({ label: words('Plants') });
    await order(id, 'killed before');
    await until(id, 'done');
    const [publish, ...more] = await publishesOf('killed before');
    expect([await lastOf(id), more]).toMatchObject([{ id: publish?.id }, []]);
    expect(testApp.jobErrors.splice(0)).toEqual([BROKEN]);
    await back(publish?.id ?? 0);
  });

  it('after its commit is only finished by the next one, with its number', async () => {
    const real = testApp.definitions.publish;
    const finish = vi.spyOn(testApp.definitions, 'finish');
    vi.spyOn(testApp.definitions, 'publish').mockImplementationOnce(async (...given) => {
      await real(...given);
      throw BROKEN;
    });
    const id = await open({ label: words('Plants') });
    await order(id, 'killed after');
    await until(id, 'done');
    const [publish, ...more] = await publishesOf('killed after');
    expect([await lastOf(id), more]).toMatchObject([{ id: publish?.id, leftOut: [] }, []]);
    expect(finish).toHaveBeenCalledTimes(1);
    expect(testApp.jobErrors.splice(0)).toEqual([BROKEN]);
    await back(publish?.id ?? 0);
  });

  it('after its commit is finished also for an account that was switched off meanwhile', async () => {
    const { db } = testApp;
    const real = testApp.definitions.publish;
    vi.spyOn(testApp.definitions, 'publish').mockImplementationOnce(async (...given) => {
      await real(...given);
      await db.updateTable('admin_user').set({ status: '0' }).where('userId', '=', 'warehouse').execute();
      throw BROKEN;
    });
    const rights = ['*:list', 'sysDraft:publish'].map((right) => ({ roleId: 'warehouse', right }));
    await db
      .insertInto('role_right')
      .values(rights)
      .onConflict((it) => it.doNothing())
      .execute();
    const id = await open({ label: words('Plants') });
    await order(id, 'switched off', { as: 'warehouse' });
    await until(id, 'done');
    const [publish] = await publishesOf('switched off');
    expect(await lastOf(id)).toMatchObject({ state: 'done', id: publish?.id });
    expect(testApp.jobErrors.splice(0)).toEqual([BROKEN]);
    await back(publish?.id ?? 0);
  });
});
