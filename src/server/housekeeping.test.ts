import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tidy } from '#server/housekeeping.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

it('keys of 31 days and expired sessions go, those of 29 days and living sessions stay', async () => {
  for (const [key, days] of [
    ['old', 31],
    ['young', 29],
  ] as const) {
    await sql`INSERT INTO idempotency_key ("userId", route, key, "bodyHash", "createdAt")
              VALUES ('tech', '/x', ${key}, ''::bytea, now() - make_interval(days => ${days}))`.execute(house.db);
  }
  const living = await house.tokenOf('tech');
  await sql`INSERT INTO session ("tokenHash", "userId", began, ip, "expiresAt")
            VALUES ('dead'::bytea, 'tech', 'password', '', now() - interval '1 second')`.execute(house.db);

  await tidy(house.db);

  const keys = await house.db.selectFrom('idempotency_key').select('key').execute();
  expect(keys.map((it) => it.key)).toEqual(['young']);
  expect(await house.db.selectFrom('session').select('userId').execute()).toHaveLength(1);
  expect(await house.ask('GET', '/api/userInfo.json', {}, { token: living })).toMatchObject({ code: '000000' });
});
