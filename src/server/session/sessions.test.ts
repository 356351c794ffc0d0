import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { refusals } from '#domain/refusal.ts';
import { afterRoleChange, openSession, findCurrentUser } from '#server/session/sessions.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { PASSWORD } from '#tests/support/world.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp?.close());

/** A session of its own for each test: they end. */
const signIn = (userId: string) => openSession(testApp.db, { userId, began: 'password', ip: '127.0.0.1', days: 1 });
const info = (token?: string) => testApp.ask('GET', '/api/userInfo.json', {}, token === undefined ? {} : { token });
/** A deletion ends what the server keeps of sessions for up to a minute; time that a test makes pass does not. */
const invalidateCache = () => sql`DELETE FROM session WHERE false`.execute(testApp.db);
const isDead = async (token: string) => (await info(token)).code === '401';

beforeEach(async () => {
  await testApp.db.deleteFrom('session').execute();
  await testApp.db.updateTable('admin_user').set({ status: '1' }).execute();
});

describe('without a living token nothing is answered', () => {
  it.each<[string, string | undefined]>([
    ['none', undefined],
    ['an empty one', ''],
    ['a guessed one', 'A'.repeat(43)],
    ['one with SQL in it', `' OR '1'='1`],
    ['a very long one', 'A'.repeat(8000)],
  ])('%s', async (_, token) => {
    await signIn('admin');
    expect(await info(token)).toMatchObject({ status: 401, code: '401' });
  });

  it('and the answer is said in the language asked for', async () => {
    const zh = await testApp.ask('GET', '/api/userInfo.json', {}, { lang: 'zh' });
    expect(zh).toMatchObject({ status: 401, code: refusals.noSession.code, msg: '登录失效，请重新登录！' });
    expect((await info()).msg).toBe('Login is invalid, Please log in again!');
  });

  it('a cookie is no token for a call', async () => {
    const token = await signIn('admin');
    const reply = await testApp.app.inject({ url: '/api/userInfo.json', headers: { cookie: `token=${token}` } });
    expect(reply.statusCode).toBe(401);
  });
});

describe('a token is dead at once', () => {
  it.each([
    ['GET', '/api/logout.json'],
    ['DELETE', '/rest/session'],
  ] as const)('after %s %s, and only that one', async (method, path) => {
    const [token, elsewhere] = [await signIn('tech'), await signIn('tech')];
    expect((await testApp.ask(method, path, {}, { token })).code).toBe('000000');
    expect(await isDead(token)).toBe(true);
    expect(await isDead(elsewhere)).toBe(false);
  });

  it('after a change of password, every one of that user', async () => {
    const [token, elsewhere, other] = [await signIn('planner'), await signIn('planner'), await signIn('tech')];
    const input = { userId: 'planner', password: PASSWORD, newpassword: 'kN7!vQ2x' };
    const answer = await testApp.ask('POST', '/api/adminUser/updateByPassword.json', input, { token });
    expect(answer.code).toBe('000000');
    expect(await isDead(token)).toBe(true);
    expect(await isDead(elsewhere)).toBe(true);
    expect(await isDead(other)).toBe(false);
  });

  it('after its user was switched off, also by the database alone', async () => {
    const token = await signIn('tech');
    await testApp.db.updateTable('admin_user').set({ status: '0' }).where('userId', '=', 'tech').execute();
    expect(await isDead(token)).toBe(true);
  });

  it.each([
    ['switched off', { status: '0' }],
    ['given other roles', { roleIds: 'viewer' }],
    ['moved to another site', { siteId: 'NB' }],
  ])('after its user was %s by an administrator', async (_, change) => {
    const [admin, token] = [await signIn('admin'), await signIn('office')];
    const row = await testApp.db
      .selectFrom('admin_user')
      .selectAll()
      .where('userId', '=', 'office')
      .executeTakeFirstOrThrow();
    const { id, version } = row;
    const input = { id, version, ...change };
    expect(await testApp.ask('POST', '/api/adminUser/modifyById.json', input, { token: admin })).toMatchObject({
      code: '000000',
    });
    expect(await isDead(token)).toBe(true);
    await testApp.db
      .updateTable('admin_user')
      .set({ status: '1', roleIds: 'office', siteId: 'SZ' })
      .where('userId', '=', 'office')
      .execute();
    expect(await isDead(token)).toBe(true);
  });

  it('when its time is over by the clock of the database', async () => {
    const token = await signIn('tech');
    await sql`UPDATE session SET "expiresAt" = now() + interval '1 second'`.execute(testApp.db);
    expect(await isDead(token)).toBe(false);
    await sql`UPDATE session SET "expiresAt" = now()`.execute(testApp.db);
    await invalidateCache();
    expect(await isDead(token)).toBe(true);
  });

  it('for everybody who has a role that was changed', async () => {
    const [tech, office] = [await signIn('tech'), await signIn('office')];
    await afterRoleChange(testApp.db, 'tech');
    expect(await isDead(tech)).toBe(true);
    expect(await isDead(office)).toBe(false);
  });
});

describe('a session that is used', () => {
  const life = async () => {
    const { rows } = await sql<{ left: number; seen: number }>`
      SELECT round(extract(epoch FROM "expiresAt" - now()))::int AS left,
             round(extract(epoch FROM now() - "lastSeenAt"))::int AS seen FROM session`.execute(testApp.db);
    return rows[0];
  };

  it('is prolonged to its full life, but not written more than once a minute', async () => {
    const token = await signIn('tech');
    const aged = async (seconds: number) => {
      await sql`UPDATE session SET "expiresAt" = "expiresAt" - make_interval(secs => ${seconds}),
        "lastSeenAt" = "lastSeenAt" - make_interval(secs => ${seconds})`.execute(testApp.db);
      await invalidateCache();
    };
    await aged(50);
    await info(token);
    expect(await life()).toEqual({ left: 86_350, seen: 50 });
    await aged(3600);
    await info(token);
    expect(await life()).toEqual({ left: 86_400, seen: 0 });
  });
});

describe('rights and sites are those of this moment', () => {
  it('a right that a role gains or loses counts from the next call on', async () => {
    const token = await signIn('viewer');
    const ask = () => testApp.ask('GET', '/api/adminUser/pager.json', { pageStart: 0, pageCount: 10 }, { token });
    expect((await ask()).status).toBe(403);
    await testApp.db.insertInto('role_right').values({ roleId: 'viewer', right: 'adminUser:list' }).execute();
    expect((await ask()).code).toBe('000000');
    await testApp.db
      .deleteFrom('role_right')
      .where('right', '=', 'adminUser:list')
      .where('roleId', '=', 'viewer')
      .execute();
    expect((await ask()).status).toBe(403);
  });

  it('several roles add up; a role that is gone gives nothing', async () => {
    const token = await signIn('finance');
    const roles = (roleIds: string) =>
      testApp.db.updateTable('admin_user').set({ roleIds }).where('userId', '=', 'finance').execute();
    await roles('tech|warehouse|never');
    const currentUser = await findCurrentUser(testApp.db, token);
    expect(currentUser?.roleIds).toEqual(['tech', 'warehouse', 'never']);
    expect([currentUser?.rights.has('rmaCheckBill:check'), currentUser?.rights.has('rmaStoreBill:store')]).toEqual([
      true,
      true,
    ]);
    expect(currentUser?.sites).toEqual(['SZ']);
    await roles('never');
    expect((await findCurrentUser(testApp.db, token))?.rights.size).toBe(0);
    await roles('finance');
  });

  it('one role for all sites is enough to see them all; so is the mark on the user', async () => {
    expect((await findCurrentUser(testApp.db, await signIn('aftersales')))?.sites).toBe('all');
    const token = await signIn('tech');
    expect((await findCurrentUser(testApp.db, token))?.sites).toEqual(['SZ']);
    await testApp.db.updateTable('admin_user').set({ allSites: '1' }).where('userId', '=', 'tech').execute();
    expect((await findCurrentUser(testApp.db, token))?.sites).toBe('all');
    await testApp.db.updateTable('admin_user').set({ allSites: '0' }).where('userId', '=', 'tech').execute();
  });
});

it('no two tokens are alike', async () => {
  const tokens = await Promise.all(Array.from({ length: 200 }, () => signIn('tech')));
  expect(new Set(tokens).size).toBe(200);
});
