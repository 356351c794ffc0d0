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
