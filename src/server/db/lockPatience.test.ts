import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type pg from 'pg';
import type { Waiting } from '#server/db/lockPatience.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { registers } from '#tests/support/features.ts';
import { createPreparedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

/** A start that adds a column to a table which another connection reads. */
let database: OpenedDatabase;
let client: OpenedDatabase['client'];
let holder: pg.Client;
let holderPid: number;
beforeAll(async () => {
  database = await createPreparedDatabase();
  ({ client } = database);
  holder = await database.connect();
  const change = { fields: { fax: { type: 'String', label: { zh: '传真', en: 'Fax' } } } };
  await client.query(
    `WITH made AS (INSERT INTO definition_publish ("userId") VALUES ('admin') RETURNING id)
     INSERT INTO definition_change ("publishId", module, change) SELECT id, 'ubsSite', $1 FROM made`,
    [JSON.stringify(change)],
  );
});
beforeEach(async () => {
  const { rows } = await holder
    .query<{ pid: number }>(`BEGIN; LOCK TABLE ubs_site IN ACCESS SHARE MODE`)
    .then(() => holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'));
  holderPid = rows[0]?.pid ?? 0;
});
afterEach(async () => {
  await holder.query('ROLLBACK');
  await client.query(`ALTER TABLE ubs_site DROP COLUMN IF EXISTS fax CASCADE`);
});
afterAll(async () => {
  await holder.end();
  await database.close();
});

const prepare = (waiting: Waiting) => prepareDatabase(database.url, registers, waiting);
const hasFax = async () =>
  (await client.query(`SELECT FROM pg_attribute WHERE attrelid = 'ubs_site'::regclass AND attname = 'fax'`)).rowCount;

it('keeps nobody waiting for long who comes after it, says who holds the lock, and goes on when it is free', async () => {
  const lines: string[] = [];
  const prepared = prepare({ say: (it) => lines.push(it), sayEveryMs: 0 });
  const isWaiting = async () =>
    (await client.query(`SELECT FROM pg_locks WHERE relation = 'ubs_site'::regclass AND NOT granted`)).rowCount === 1;
  await vi.waitUntil(isWaiting, { interval: 10 });
  // It comes behind, and is answered before the one in front is.
  expect((await client.query('SELECT FROM ubs_site LIMIT 1')).rowCount).toBeLessThanOrEqual(1);
  await vi.waitUntil(() => lines.length > 0, { interval: 10 });
  expect(lines[0]).toMatch(
    new RegExp(
      `^Preparing the database has been waiting \\d+ s for the table ubs_site, which connection ${holderPid} \\(.*idle in transaction`,
    ),
  );
  await holder.query('COMMIT');
  expect((await prepared).applied).toContain('ALTER TABLE "ubs_site" ADD COLUMN "fax" text');
  expect(await hasFax()).toBe(1);
});

it('ends where the lock is never freed, with who holds it and what to do, and has then changed nothing', async () => {
  const error: unknown = await prepare({ endAfterMs: 0 }).catch((it: unknown) => it);
  expect(error).toBeInstanceOf(BadDatabase);
  expect((error as Error).message).toMatch(
    new RegExp(`the table ubs_site, which connection ${holderPid} .*start again`),
  );
  expect(await hasFax()).toBe(0);
});
