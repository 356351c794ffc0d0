import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

it('a deleted role takes its rights with it, and whoever had it signs in again', async () => {
  await testApp.db.updateTable('admin_user').set({ roleIds: 'viewer' }).where('userId', '=', 'planner').execute();
  const token = await testApp.openToken('viewer');
  const role = await testApp.db
    .selectFrom('admin_role')
    .select('id')
    .where('roleId', '=', 'viewer')
    .executeTakeFirstOrThrow();
  expect(await testApp.ask('POST', '/api/adminRole/deleteById.json', { id: role.id }, { as: 'admin' })).toMatchObject({
    code: '000000',
  });
  const rights = await testApp.db.selectFrom('role_right').select('right').where('roleId', '=', 'viewer').execute();
  expect(rights).toEqual([]);
  expect(await testApp.ask('GET', '/api/userInfo.json', {}, { token })).toMatchObject({ status: 401, code: '401' });
});
