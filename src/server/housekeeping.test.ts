import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tidy } from '#server/housekeeping.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

it('keys of 31 days and expired sessions go, those of 29 days and living sessions stay', async () => {
  for (const [key, days] of [
    ['old', 31],
    ['young', 29],
  ] as const) {
    await sql`INSERT INTO idempotency_key ("userId", route, key, "bodyHash", "createdAt")
              VALUES ('tech', '/x', ${key}, ''::bytea, now() - make_interval(days => ${days}))`.execute(testApp.db);
  }
  const living = await testApp.openToken('tech');
  await sql`INSERT INTO session ("tokenHash", "userId", began, ip, "expiresAt")
            VALUES ('dead'::bytea, 'tech', 'password', '', now() - interval '1 second')`.execute(testApp.db);

  await tidy(testApp.db);

  const keys = await testApp.db.selectFrom('idempotency_key').select('key').execute();
  expect(keys.map((it) => it.key)).toEqual(['young']);
  expect(await testApp.db.selectFrom('session').select('userId').execute()).toHaveLength(1);
  expect(await testApp.ask('GET', '/api/userInfo.json', {}, { token: living })).toMatchObject({ code: '000000' });
});
