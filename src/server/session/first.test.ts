import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureFirstAdmin, seedRoles } from '#server/session/first.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp?.close());

it('roles of the files fill an empty database only: what was taken from a role stays taken', async () => {
  await testApp.db.deleteFrom('role_right').where('roleId', '=', 'tech').execute();
  expect(await seedRoles(testApp.db, testApp.model)).toBe(false);
  const left = await testApp.db.selectFrom('role_right').select('right').where('roleId', '=', 'tech').execute();
  expect(left).toEqual([]);
});

it('no first admin is made where somebody can sign in already', async () => {
  const lines: string[] = [];
  await ensureFirstAdmin(testApp.db, (line) => lines.push(line));
  expect(lines).toEqual([]);
});

it('the first admin gets a password once, and with it may do nothing but change it', async () => {
  await testApp.db.deleteFrom('admin_user').execute();
  const lines: string[] = [];
  await ensureFirstAdmin(testApp.db, (line) => lines.push(line));
  await ensureFirstAdmin(testApp.db, (line) => lines.push(line));
  expect(lines).toHaveLength(1);
  const password = /password (\S+)/.exec(lines[0] ?? '')?.[1] ?? '';

  const signIn = async (word: string) =>
    (await testApp.ask<{ token: string }>('POST', '/api/login.json', { userId: 'admin', password: word })).data.token;
  const token = await signIn(password);
  const info = await testApp.ask('GET', '/api/userInfo.json', {}, { token });
  expect(info.data).toMatchObject({ userId: 'admin', mustChangePassword: true, access: [] });
  const asked = ['/api/adminUser/pager.json', '/api/rmaCheckBill/pager.json'];
  for (const path of asked) expect((await testApp.ask('GET', path, {}, { token })).status).toBe(403);

  const newpassword = 'kN7!vQ2x';
  const input = { userId: 'admin', password, newpassword };
  expect((await testApp.ask('POST', '/api/adminUser/updateByPassword.json', input, { token })).code).toBe('000000');
  expect(await signIn(password)).toBe(undefined);
  const again = await testApp.ask('GET', '/api/userInfo.json', {}, { token: await signIn(newpassword) });
  expect(again.data).not.toHaveProperty('mustChangePassword');
  expect(again.data['access']).toContain('adminUserList');
});
