import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

it('a deleted role takes its rights with it, and whoever had it signs in again', async () => {
  await house.db.updateTable('admin_user').set({ roleIds: 'viewer' }).where('userId', '=', 'planner').execute();
  const token = await house.tokenOf('viewer');
  const role = await house.db
    .selectFrom('admin_role')
    .select('id')
    .where('roleId', '=', 'viewer')
    .executeTakeFirstOrThrow();
  expect(await house.ask('POST', '/api/adminRole/deleteById.json', { id: role.id }, { as: 'admin' })).toMatchObject({
    code: '000000',
  });
  const rights = await house.db.selectFrom('role_right').select('right').where('roleId', '=', 'viewer').execute();
  expect(rights).toEqual([]);
  expect(await house.ask('GET', '/api/userInfo.json', {}, { token })).toMatchObject({ status: 401, code: '401' });
});
