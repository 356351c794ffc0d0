import { afterAll, beforeAll, expect, it } from 'vitest';
import { CONNECTIONS } from '#server/config.ts';
import { checkConnections, mostConnections } from '#server/db/connections.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { LOCK_SPACE } from '#server/jobs/sweep.ts';
import { asMaker, nameOfDatabase } from '#tests/support/database.ts';
import { createPreparedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

const role = `counted_${process.pid}`;
let database: OpenedDatabase;
let url: string;
beforeAll(async () => {
  database = await createPreparedDatabase();
  await asMaker((client) => client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'counted'`));
  const own = new URL(database.url);
  [own.username, own.password] = [role, 'counted'];
  url = own.href;
});
afterAll(async () => {
  await database.close();
  await asMaker((client) => client.query(`DROP ROLE ${role}`));
});

const connections = { ...CONNECTIONS };
const limit = (sql: string) => asMaker((client) => client.query(sql));
const check = (databaseUrl: string | null = url) => checkConnections(url, { connections, databaseUrl });
const refusal = (databaseUrl: string | null = url) =>
  check(databaseUrl).then(
    () => new Error('nothing was refused'),
    (error: Error) => error,
  );

it('a server takes as many connections as its settings say, and those of its numbers, queue, notices and publishes', () => {
  expect(mostConnections({ connections })).toBe(20 + 6 + 2 * 8 + 2 * 2 + 3 + 2 + 3);
  expect(mostConnections({ connections: { calls: 4, searches: 1, jobs: 4 } })).toBe(22);
});

it('a start by settings that somebody chose is refused where the database gives less, by whatever gives the least', async () => {
  connections.jobs = 7;
  const sum =
    'A server takes up to 55 connections (CALL_CONNECTIONS=20, JOB_CONNECTIONS=7, twice SEARCH_CONNECTIONS=8, and 12 more)';
  const name = nameOfDatabase(database.url);
  await limit(`ALTER ROLE ${role} CONNECTION LIMIT 53`);
  const byRole = await refusal();
  expect(byRole).toBeInstanceOf(BadDatabase);
  expect(byRole.message).toBe(
    `${sum}, and the database gives ${role} 53 (CONNECTION LIMIT of the role). ` +
      'Lower these settings, or raise what the database gives.',
  );
  await limit(`ALTER DATABASE "${name}" CONNECTION LIMIT 21`);
  expect((await refusal()).message).toContain(
    `${sum}, and the database gives ${role} 21 (CONNECTION LIMIT of the database).`,
  );
  expect((await refusal(null)).message).toMatch(/Lower these settings: the embedded database gives no more\.$/);
  await limit(`ALTER DATABASE "${name}" CONNECTION LIMIT -1`);
  await limit(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
  expect(await check()).toBeUndefined();
  connections.jobs = CONNECTIONS.jobs;
});

it('a start by settings that nobody chose is told the same, and goes on', async () => {
  await limit(`ALTER ROLE ${role} CONNECTION LIMIT 53`);
  expect(await check()).toBe(
    'A server takes up to 54 connections (CALL_CONNECTIONS=20, JOB_CONNECTIONS=6, twice SEARCH_CONNECTIONS=8, and 12 more), ' +
      `and the database gives ${role} 53 (CONNECTION LIMIT of the role). Lower these settings, or raise what the database gives. ` +
      'Until then calls are refused while all of them are in use.',
  );
  await limit(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
  expect(await check()).toBeUndefined();
});

it('a start is refused by max_connections, less what is kept for others', async () => {
  const { rows } = await database.client.query<{ max: number }>(
    `SELECT current_setting('max_connections')::int AS max`,
  );
  const max = rows[0]?.max ?? 0;
  connections.calls = max - 34;
  expect((await refusal()).message).toMatch(
    new RegExp(
      `A server takes up to ${max} connections .* gives ${role} \\d+ \\(max_connections=${max}, \\d+ of them reserved\\)`,
    ),
  );
  connections.calls = CONNECTIONS.calls;
});

it('a second server on the same database is told where there are too few for both, and starts', async () => {
  await limit(`ALTER ROLE ${role} CONNECTION LIMIT 100`);
  await database.client.query('SELECT pg_advisory_lock($1, 1)', [LOCK_SPACE]);
  expect(await check()).toMatch(
    new RegExp(
      `^2 servers like this one take up to 108 connections .* gives ${role} \\d+ \\(.*\\)\\. Lower these settings`,
    ),
  );
  await database.client.query('SELECT pg_advisory_unlock($1, 1)', [LOCK_SPACE]);
  expect(await check()).toBeUndefined();
});
