import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serviceScopeOf } from '#domain/rights.ts';
import { DEMO_PASSWORD } from '#server/session/demoUsers.ts';
import { ensureFirstAdmin } from '#server/session/first.ts';
import { validateWithoutNames } from '#server/session/passwords.ts';
import { openBeforePasswordChange } from '#server/session/routes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { fixedRoutes, genericActions } from '#tests/support/features.ts';

type Row = Record<string, unknown>;
let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const GOOD = 'Pink7#elephant';
const post = (action: string, body: object, as = 'admin') =>
  testApp.ask<Row & { problems?: { key: string; field: string }[] }>('POST', `/api/adminUser/${action}.json`, body, {
    as,
  });
const add = (more: object) =>
  post('create', { userName: 'Neu', roleIds: 'tech', siteId: 'SZ', password: GOOD, ...more });
const readRow = (userId: string) =>
  testApp.db.selectFrom('admin_user').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow();
const countRows = async () => (await testApp.db.selectFrom('admin_user').select('id').execute()).length;
const signIn = async (userId: string, password: string) =>
  (await testApp.ask<{ token?: string }>('POST', '/api/login.json', { userId, password })).data.token;

describe('the name of an account', () => {
  it.each([
    ['in other letters of the same', 'ADMIN', 'accountLooks'],
    ['with digits for letters', 'adm1n', 'accountLooks'],
    ['with l for i', 'admln', 'accountLooks'],
    ['with two letters for one', 'adrnin', 'accountLooks'],
    ['with an invisible letter', 'admin\u200b', 'accountLooks'],
    ['with an invisible letter within', 'ad\u00admin', 'accountLooks'],
    ['with a direction mark', '\u202eadmin', 'accountLooks'],
    ['with a letter of another script', '\u0430dmin', 'accountName'],
    ['in full width', '\uff41\uff44\uff4d\uff49\uff4e', 'accountName'],
    ['with a blank within', 'ad min', 'accountName'],
    ['of signs', '...', 'accountName'],
    ['with a variation selector', 'admin\ufe0f', 'accountLooks'],
    ['with a combining mark', 'admi\u0301n', 'accountName'],
  ])('%s is refused', async (_, userId, key) => {
    const before = await countRows();
    const answer = await add({ userId });
    expect(answer.data.problems?.map((it) => [it.key, it.field])).toEqual([[key, 'userId']]);
    expect(await countRows()).toBe(before);
  });

  it('that looks like nobody else’s is taken, and the one of a row stays its own', async () => {
    expect(await add({ userId: 'li.wei-2@sz_a' })).toMatchObject({ code: '000000' });
    const { id, version } = await readRow('li.wei-2@sz_a');
    expect(await post('modifyById', { id, version, userId: 'Li.Wei-2@sz_a' })).toMatchObject({ code: '000000' });
    expect(await post('modifyById', { id, version: version + 1, userId: 'TECH' })).toMatchObject({ code: '100007' });
  });

  it('of two that are made at the same moment and look alike, one is made', async () => {
    const answers = await Promise.all(['twins', 'TWINS', 'tw1ns', 'Twlns'].map((userId) => add({ userId })));
    expect(answers.filter((it) => it.code === '000000')).toHaveLength(1);
    expect(answers.filter((it) => it.code === '100007')).toHaveLength(3);
  });

  it('is held apart by the database as well', async () => {
    const put = sql`
      INSERT INTO admin_user ("userId", "userName", "roleIds", "allSites", status)
      VALUES ('ADMIN', 'A', 'admin', '0', '1')`.execute(testApp.db);
    await expect(put).rejects.toMatchObject({ code: '23505' });
  });
});

describe('the roles of an account', () => {
  it.each(['boss', 'tech|boss', 'tech|', 'TECH', 'tech, office', '*'])('%s are refused', async (roleIds) => {
    const before = await countRows();
    const answer = await add({ userId: 'roles', roleIds });
    expect(answer).toMatchObject({ code: '100002', data: { problems: [{ key: 'notFound', field: 'roleIds' }] } });
    const { id, version } = await readRow('viewer');
    expect(await post('modifyById', { id, version, roleIds })).toMatchObject({ code: '100002' });
    expect((await readRow('viewer')).roleIds).toBe('viewer');
    expect(await countRows()).toBe(before);
  });

  it('may be several, and one that was taken away since may stay', async () => {
    expect(await add({ userId: 'many', roleIds: 'tech|office' })).toMatchObject({ code: '000000' });
    await testApp.db.updateTable('admin_user').set({ roleIds: 'gone|tech' }).where('userId', '=', 'many').execute();
    const { id, version } = await readRow('many');
    expect(await post('modifyById', { id, version, roleIds: 'gone|tech', mobile: '1' })).toMatchObject({
      code: '000000',
    });
  });

  it('are written by no other way: no workbook makes accounts', () => {
    const buttons = testApp.model.definitions.get('adminUser')?.buttons ?? [];
    expect(buttons.map((it) => it.script).sort()).toEqual(['create', 'deleteById', 'modify']);
  });
});

describe('a password', () => {
  const names = ['reflow', 'zhang.san', '张三', 'SZ', 'Houston'];
  it.each([
    'Reflow#2026x',
    DEMO_PASSWORD,
    'xR3fl0w!9',
    're-flow_1x',
    'ＲＥＦＬＯＷ#1a',
    'my.zhangsan1!',
    'ZHANG.SAN#7',
    'xH0ust0n#4',
    '张三#abc1',
  ])('%s says whose it is', (password) => {
    expect(validateWithoutNames(password, 'password', names)).toEqual([{ key: 'passwordNames', field: 'password' }]);
  });

  it.each([GOOD, 'SZ7#elephant', 'kN7!vQ2x'])('%s does not', (password) => {
    expect(validateWithoutNames(password, 'password', names)).toEqual([]);
  });

  it('that says so is refused wherever one is set, and taken in a demonstration', async () => {
    const demo = await startTestApp({}, { demo: true });
    try {
      const set = async (of: TestApp, password: string) => {
        const user = { userId: 'named', userName: 'Neu', roleIds: 'tech', siteId: 'US', password };
        const made = await of.ask('POST', '/api/adminUser/create.json', user, { as: 'admin' });
        const change = { password: 'Reflow#2026', newpassword: password };
        const changed = await of.ask('POST', '/api/adminUser/updateByPassword.json', change, { as: 'supplier' });
        return [made.code, changed.code];
      };
      expect(await set(testApp, 'Reflow#2027')).toEqual(['100015', '100015']);
      expect(await set(testApp, 'Houston#2027')).toEqual(['100015', '100015']);
      const { id, version } = await readRow('viewer');
      expect(await post('modifyById', { id, version, password: 'Viewer#2027' })).toMatchObject({ code: '100015' });
      expect(await set(demo, 'Reflow#2027')).toEqual(['000000', '000000']);
    } finally {
      await demo.close();
    }
  });
});

describe('a password that somebody else has set', () => {
  let token = '';
  let fresh = '';
  let made = 0;
  beforeEach(async () => {
    made += 1;
    // None is made anew under a name that has done something.
    fresh = `fresh-${made}`;
    await testApp.db.deleteFrom('admin_user').where('userId', '=', 'root').execute();
    expect(await add({ userId: fresh, roleIds: 'admin' })).toMatchObject({ code: '000000' });
    token = (await signIn(fresh, GOOD)) ?? '';
  });

  it('opens nothing but its own change: walked over every call there is', async () => {
    expect(await testApp.ask('GET', '/api/userInfo.json', {}, { token })).toMatchObject({
      data: { mustChangePassword: true, access: [] },
    });
    const generic = [...testApp.model.definitions.keys()].flatMap((module) =>
      genericActions.map(({ method, name }) => ({ method, path: `/api/${module}/${name}.json` })),
    );
    const fixed = fixedRoutes
      .map(({ call }) => call)
      // A program's calls take no session at all.
      .filter((it) => it.right !== 'public' && serviceScopeOf(it.right) === undefined);
    const others = [
      { method: 'GET' as const, path: '/file/0123456789abcdef0123456789abcdef' },
      { method: 'POST' as const, path: '/api/rmaPicture/upload.json' },
      { method: 'GET' as const, path: '/api/openapi.json' },
    ];
    const closed = [...fixed, ...generic, ...others].filter(({ path }) => !openBeforePasswordChange.has(path));
    const ask = async ({ method, path }: (typeof closed)[number]) => {
      const reply = await testApp.app.inject({ method, url: path.replace(/:\w+/g, '1'), headers: { token } });
      return [
        path,
        reply.statusCode,
        reply.json<{ data?: { problems?: { key: string }[] } }>().data?.problems?.[0]?.key,
      ];
    };
    for (let at = 0; at < closed.length; at += 50) {
      const asked = closed.slice(at, at + 50);
      expect(await Promise.all(asked.map(ask))).toEqual(asked.map(({ path }) => [path, 403, 'changePasswordFirst']));
    }
    expect(closed.length).toBeGreaterThan(800);
  });

  it('is changed by its owner, who may then do what the roles allow', async () => {
    const change = { password: GOOD, newpassword: 'kN7!vQ2x' };
    expect(await testApp.ask('POST', '/api/adminUser/updateByPassword.json', change, { token })).toMatchObject({
      code: '000000',
    });
    const own = (await signIn(fresh, 'kN7!vQ2x')) ?? '';
    expect(await testApp.ask('GET', '/api/adminUser/pager.json', {}, { token: own })).toMatchObject({ code: '000000' });
    const { id, version } = await readRow(fresh);
    expect(await post('modifyById', { id, version, password: 'Blue7#elephant' })).toMatchObject({ code: '000000' });
    const again = (await signIn(fresh, 'Blue7#elephant')) ?? '';
    expect(await testApp.ask('GET', '/api/adminUser/pager.json', {}, { token: again })).toMatchObject({
      status: 403,
      msg: 'The password was set by somebody else; change it first, everything else is open after that',
    });
  });

  it('is that of the first start as well, and not those of the demonstration', async () => {
    await testApp.db.deleteFrom('admin_user').execute();
    const { dataDir } = testApp.config;
    await ensureFirstAdmin(testApp.db, { dataDir, say: () => undefined });
    const first = (await signIn('admin', readFileSync(join(dataDir, 'first-password'), 'utf8').trim())) ?? '';
    expect(await testApp.ask('GET', '/rest/jobs', {}, { token: first })).toMatchObject({ status: 403 });
  });
});
