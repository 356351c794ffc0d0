import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

it('a role that nobody has any more takes its rights with it when it is deleted', async () => {
  await testApp.db.updateTable('admin_user').set({ roleIds: 'viewer' }).where('userId', '=', 'planner').execute();
  const role = await testApp.db
    .selectFrom('admin_role')
    .select('id')
    .where('roleId', '=', 'viewer')
    .executeTakeFirstOrThrow();
  const drop = () => testApp.ask('POST', '/api/adminRole/deleteById.json', { id: role.id }, { as: 'admin' });
  expect(await drop()).toMatchObject({ code: '100023' });
  const rights = () => testApp.db.selectFrom('role_right').select('right').where('roleId', '=', 'viewer').execute();
  expect(await rights()).not.toEqual([]);
  await testApp.db.updateTable('admin_user').set({ roleIds: 'planner' }).where('roleIds', '=', 'viewer').execute();
  expect(await drop()).toMatchObject({ code: '000000' });
  expect(await rights()).toEqual([]);
});

it('an account gets the role that was chosen in its form, not one that has its code since', async () => {
  const admin = { as: 'admin' };
  const post = (path: string, body: object) => testApp.ask<{ id: number }>('POST', `/api/${path}.json`, body, admin);
  const make = async (name: string) =>
    (await post('adminRole/create', { roleId: 'crew', name, nameEn: `Crew ${name}`, allSites: '0' })).data.id;
  const offered = async () => {
    type Form = { items: { name: string; queryName: string; options?: { value: string; id: number }[] }[] };
    const { data } = await testApp.ask<Form>('GET', '/api/adminUser/toAdd.json', {}, admin);
    const { options = [] } = data.items.find((it) => it.queryName === 'roleIds') ?? {};
    return options.find((it) => it.value === 'crew')?.id;
  };
  const rolesOf = (userId: string) =>
    testApp.db
      .selectFrom('admin_user')
      .select(['id', 'version', 'roleIds'])
      .where('userId', '=', userId)
      .executeTakeFirst();
  const first = await make('甲');
  expect(await offered()).toBe(first);
  expect(await post('adminRole/deleteById', { id: first, version: 1 })).toMatchObject({ code: '000000' });
  const account = { userId: 'newcomer', userName: 'New', password: 'Korrekt#Pferd9', siteId: 'SZ' };
  // Another one may have its code before the account is written.
  expect((await post('adminUser/create', { ...account, roleIds: `tech|crew#${first}` })).code).toBe('100025');
  const second = await make('乙');
  expect(await offered()).toBe(second);

  const ways = [
    (roleIds: string) => post('adminUser/create', { ...account, roleIds }),
    async (roleIds: string) => post('adminUser/modifyById', { ...(await rolesOf('tech')), roleIds }),
  ];
  for (const save of ways) {
    const refused = await save(`tech|crew#${first}`);
    expect([refused.code, refused.msg]).toEqual([
      '100025',
      '“crew” is another role now than the one that was chosen; take it off and choose anew',
    ]);
  }
  expect([await rolesOf('newcomer'), (await rolesOf('tech'))?.roleIds]).toEqual([undefined, 'tech']);
  const done = await Promise.all(ways.map((save) => save(`tech|crew#${second}`)));
  expect(done.map((it) => [it.code, it.msg])).toEqual([
    ['000000', ''],
    ['000000', ''],
  ]);
  expect([(await rolesOf('newcomer'))?.roleIds, (await rolesOf('tech'))?.roleIds]).toEqual(['tech|crew', 'tech|crew']);
});
