import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureFirstAdmin, seedRoles } from '#server/session/first.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'reflow-first-'));
  testApp = await startTestApp();
});
afterAll(async () => {
  await testApp.close();
  rmSync(dataDir, { recursive: true });
});

it('roles of the files fill an empty database only: what was taken from a role stays taken', async () => {
  await testApp.db.deleteFrom('role_right').where('roleId', '=', 'tech').execute();
  expect(await seedRoles(testApp.db, testApp.model)).toBe(false);
  const left = await testApp.db.selectFrom('role_right').select('right').where('roleId', '=', 'tech').execute();
  expect(left).toEqual([]);
});

it('no first admin is made where somebody can sign in already', async () => {
  const lines: string[] = [];
  await ensureFirstAdmin(testApp.db, { dataDir, say: (line) => lines.push(line) });
  expect(lines).toEqual([]);
});

it('the first admin gets a password once, and with it may do nothing but change it', async () => {
  await testApp.db.deleteFrom('admin_user').execute();
  const lines: string[] = [];
  await ensureFirstAdmin(testApp.db, { dataDir, say: (line) => lines.push(line) });
  await ensureFirstAdmin(testApp.db, { dataDir, say: (line) => lines.push(line) });
  const file = join(dataDir, 'first-password');
  expect(lines).toEqual([`The first user is admin; the one-time password, which must be changed, is in ${file}`]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['first-password']);
  const password = readFileSync(file, 'utf8').trim();

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

  await ensureFirstAdmin(testApp.db, { dataDir, say: (line) => lines.push(line) });
  expect(readdirSync(dataDir)).toEqual([]);
  expect(again.data['access']).toContain('adminUserList');
});
