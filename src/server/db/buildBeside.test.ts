import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type pg from 'pg';
import type { Waiting } from '#server/db/lockPatience.ts';
import { planDatabase, prepareDatabase } from '#server/db/prepare.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { registers } from '#tests/support/features.ts';
import { createPreparedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

/** A start that builds an index of a table which holds many rows. */
const NAME = 'ubs_site_fax_key';
const BUILD = new RegExp(`^CREATE UNIQUE INDEX CONCURRENTLY "${NAME}" ON "ubs_site"`);
let database: OpenedDatabase;
let client: OpenedDatabase['client'];
let holder: pg.Client;
beforeAll(async () => {
  database = await createPreparedDatabase();
  ({ client } = database);
  holder = await database.connect();
  const change = { fields: { fax: { type: 'String', unique: true, label: { zh: '传真', en: 'Fax' } } } };
  await client.query(
    `WITH made AS (INSERT INTO definition_publish ("userId") VALUES ('admin') RETURNING id)
     INSERT INTO definition_change ("publishId", module, change) SELECT id, 'ubsSite', $1 FROM made`,
    [JSON.stringify(change)],
  );
  await client.query(
    `INSERT INTO ubs_site ("siteId", "siteName", "createBy")
     SELECT n, repeat(md5(n::text), 30), 'many' FROM generate_series(1, 1200) AS n`,
  );
  await prepare();
});
afterEach(async () => {
  await holder.query('ROLLBACK');
  await client.query(`DELETE FROM ubs_site WHERE "createBy" = 'test'`);
});
afterAll(async () => {
  await holder.end();
  await database.close();
});

const prepare = (waiting: Waiting = {}) => prepareDatabase(database.url, registers, waiting);
const isValid = async () => {
  const { rows } = await client.query<{ isValid: boolean }>(
    `SELECT i.indisvalid AS "isValid" FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid WHERE c.relname = $1`,
    [NAME],
  );
  return rows[0]?.isValid;
};
const drop = () => client.query(`DROP INDEX "${NAME}"`);
let added = 0;
const add = (by: pg.Client, fax: string) =>
  by.query(`INSERT INTO ubs_site ("siteId", "siteName", fax, "createBy") VALUES ($1, $1, $2, 'test')`, [
    `T${++added}`,
    fax,
  ]);

it('is built while others write, as it was planned', async () => {
  await drop();
  const planned = await planDatabase(database.url, registers);
  await holder.query('BEGIN');
  await add(holder, 'OPEN');
  const prepared = prepare();
  // It waits for who has written before it, and for nobody's lock on the table.
  const isWaiting = async () =>
    (
      await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'virtualxid'`,
      )
    ).rowCount === 1;
  await vi.waitUntil(isWaiting, { interval: 10 });
  await add(client, 'MEANWHILE');
  await holder.query('COMMIT');
  const { applied } = await prepared;
  expect(applied).toEqual([expect.stringMatching(BUILD)]);
  expect(planned).toEqual(applied);
  expect(await isValid()).toBe(true);
});

it('that rows do not allow sets its publish aside, and goes again', async () => {
  await drop();
  await add(client, 'TWICE');
  await add(client, 'TWICE');
  const { aside, applied } = await prepare();
  expect([aside.map((it) => it.problems.map(({ rule }) => rule)), applied]).toEqual([[['rowsShareUnseen']], []]);
  expect(await isValid()).toBe(undefined);
  await client.query(`DELETE FROM ubs_site WHERE fax = 'TWICE'`);
  expect(await prepare()).toMatchObject({ aside: [], applied: [expect.stringMatching(BUILD)] });
});

it('is dropped and built anew by the next start, where it was broken off', async () => {
  await drop();
  await add(client, 'TWICE');
  await add(client, 'TWICE');
  await expect(client.query(`CREATE UNIQUE INDEX CONCURRENTLY "${NAME}" ON ubs_site (fax)`)).rejects.toThrow();
  expect(await isValid()).toBe(false);
  await client.query(`DELETE FROM ubs_site WHERE fax = 'TWICE'`);
  const { applied } = await prepare();
  expect(applied).toEqual([`DROP INDEX CONCURRENTLY "${NAME}"`, expect.stringMatching(BUILD)]);
  expect(await isValid()).toBe(true);
});

it('is given up where a transaction before it never ends: which one is said, and the next start builds it anew', async () => {
  await drop();
  await holder.query('BEGIN');
  await add(holder, 'OPEN');
  const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const lines: string[] = [];
  const error: unknown = await prepare({ say: (it) => lines.push(it), sayEveryMs: 0, endAfterMs: 200 }).catch(
    (it: unknown) => it,
  );
  const who = new RegExp(`wait(?:ing|ed) .*for connection ${rows[0]?.pid} \\(.*idle in transaction`);
  expect(error).toBeInstanceOf(BadDatabase);
  expect((error as Error).message).toMatch(who);
  expect(lines[0]).toMatch(who);
  await holder.query('ROLLBACK');
  await prepare();
  expect(await isValid()).toBe(true);
});

it('goes with a backfill of empty texts, once nobody can write any more of them', async () => {
  await client.query('DROP TRIGGER empty_text_is_null ON ubs_site');
  await client.query(`UPDATE ubs_site SET phone = '' WHERE "createBy" = 'many'`);
  const { applied } = await prepare();
  expect(applied).toEqual([
    expect.stringMatching(/^CREATE TRIGGER empty_text_is_null /),
    expect.stringMatching(/^UPDATE "ubs_site" SET .* AND id BETWEEN \$1 AND \$2$/),
  ]);
  expect((await client.query(`SELECT FROM ubs_site WHERE phone = ''`)).rowCount).toBe(0);
});
