import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureFirstAdmin, seedRoles } from '#server/session/first.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house?.close());

it('roles of the files fill an empty database only: what was taken from a role stays taken', async () => {
  await house.db.deleteFrom('role_right').where('roleId', '=', 'tech').execute();
  expect(await seedRoles(house.db, house.model)).toBe(false);
  const left = await house.db.selectFrom('role_right').select('right').where('roleId', '=', 'tech').execute();
  expect(left).toEqual([]);
});

it('no first admin is made where somebody can sign in already', async () => {
  const told: string[] = [];
  await ensureFirstAdmin(house.db, (line) => told.push(line));
  expect(told).toEqual([]);
});

it('the first admin gets a password once, and with it may do nothing but change it', async () => {
  await house.db.deleteFrom('admin_user').execute();
  const told: string[] = [];
  await ensureFirstAdmin(house.db, (line) => told.push(line));
  await ensureFirstAdmin(house.db, (line) => told.push(line));
  expect(told).toHaveLength(1);
  const password = /password (\S+)/.exec(told[0] ?? '')?.[1] ?? '';

  const signIn = async (word: string) =>
    (await house.ask<{ token: string }>('POST', '/api/login.json', { userId: 'admin', password: word })).data.token;
  const token = await signIn(password);
  const info = await house.ask('GET', '/api/userInfo.json', {}, { token });
  expect(info.data).toMatchObject({ userId: 'admin', mustChangePassword: true, access: [] });
  const asked = ['/api/adminUser/pager.json', '/api/rmaCheckBill/pager.json'];
  for (const path of asked) expect((await house.ask('GET', path, {}, { token })).status).toBe(403);

  const newpassword = 'kN7!vQ2x';
  const input = { userId: 'admin', password, newpassword };
  expect((await house.ask('POST', '/api/adminUser/updateByPassword.json', input, { token })).code).toBe('000000');
  expect(await signIn(password)).toBe(undefined);
  const again = await house.ask('GET', '/api/userInfo.json', {}, { token: await signIn(newpassword) });
  expect(again.data).not.toHaveProperty('mustChangePassword');
  expect(again.data['access']).toContain('adminUserList');
});
