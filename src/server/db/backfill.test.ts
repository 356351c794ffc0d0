import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type pg from 'pg';
import { blockingIn } from '#server/db/blocking.ts';
import { shippedMigrations, type Migrations } from '#server/db/migrate.ts';
import { planDatabase, prepareDatabase, type Preparing } from '#server/db/prepare.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { registers } from '#tests/support/features.ts';
import { createPreparedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

/** Versions that add a column, fill it, say that every row has it, and make it searched. */
const NEXT: Readonly<Record<string, string>> = {
  '9001_mark.sql': 'ALTER TABLE ubs_site ADD COLUMN mark text',
  '9002_marks.beside.sql':
    '-- Of rows that were there.\nUPDATE ubs_site SET mark = "siteId" WHERE id BETWEEN $1 AND $2 AND mark IS NULL;',
  '9003_marked.sql': 'ALTER TABLE ubs_site ADD CONSTRAINT marked CHECK (mark IS NOT NULL) NOT VALID',
  '9004_marked.sql': 'ALTER TABLE ubs_site VALIDATE CONSTRAINT marked',
  '9005_marks.beside.sql': 'CREATE INDEX CONCURRENTLY marks ON ubs_site (mark)',
};
const COMMENTS = Object.keys(NEXT).map((it) => `-- migration ${it}`);
const migrations: Migrations = {
  names: [...shippedMigrations.names, ...Object.keys(NEXT)],
  read: (name) => NEXT[name] ?? shippedMigrations.read(name),
};
const ROWS = 2_500;
let database: OpenedDatabase;
let client: OpenedDatabase['client'];
let holder: pg.Client;
beforeAll(async () => {
  database = await createPreparedDatabase();
  ({ client } = database);
  holder = await database.connect();
  await client.query(
    `INSERT INTO ubs_site ("siteId", "siteName", "createBy") SELECT n, n, 'many' FROM generate_series(1, ${ROWS}) AS n`,
  );
});
beforeEach(async () => {
  await holder.query('ROLLBACK');
  await client.query(
    `ALTER TABLE ubs_site DROP COLUMN IF EXISTS mark CASCADE; DELETE FROM migration WHERE name LIKE '9%'`,
  );
});
afterAll(async () => {
  await holder.end();
  await database.close();
});

const prepare = (waiting: Preparing = {}) => prepareDatabase(database.url, registers, { migrations, ...waiting });
/** By how many transactions the rows were written, and how many lack it. */
const readMarks = async () => {
  const { rows } = await client.query<{ writers: number; unmarked: number }>(
    `SELECT count(DISTINCT xmin::text)::int AS writers, count(*) FILTER (WHERE mark IS DISTINCT FROM "siteId")::int AS unmarked
       FROM ubs_site WHERE "createBy" = 'many'`,
  );
  return rows[0];
};
const hasIndex = async () => {
  const { rows } = await client.query(`SELECT FROM pg_index WHERE indexrelid = to_regclass('marks') AND indisvalid`);
  return rows.length === 1;
};
/** A row, after the version that only adds the column. */
const hold = async (siteId: number) => {
  await prepare({ migrations: { ...migrations, names: migrations.names.slice(0, -4) } });
  await holder.query(`BEGIN; UPDATE ubs_site SET "siteName" = 'held' WHERE "siteId" = '${siteId}'`);
};

it('is of such versions as keep nobody waiting', () => {
  const texts = Object.values(NEXT);
  const found = Object.keys(NEXT).flatMap((it, i) =>
    blockingIn(it, texts[i] ?? '', { before: texts.slice(0, i), oldestServer: 85 }),
  );
  expect(found).toEqual([]);
});

it('builds an index anew that an earlier start has left half built', async () => {
  await client.query('CREATE INDEX marks ON ubs_site ("siteName")');
  expect((await prepare()).applied).toEqual(COMMENTS);
  const { rows } = await client.query<{ def: string }>(`SELECT pg_get_indexdef('marks'::regclass) AS def`);
  expect(rows[0]?.def).toContain('(mark)');
});

it('fills a large table in batches, each version after the one before it, as it was planned', async () => {
  expect(await planDatabase(database.url, registers, migrations)).toEqual(COMMENTS);
  expect((await prepare()).applied).toEqual(COMMENTS);
  expect(await readMarks()).toEqual({ writers: 3, unmarked: 0 });
  expect(await hasIndex()).toBe(true);
  expect(await planDatabase(database.url, registers, migrations)).toEqual([]);
});

it('keeps nobody from rows of its batch for long while it waits for one of them', async () => {
  await hold(700);
  const prepared = prepare();
  const isWaiting = async () =>
    (
      await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'transactionid'`,
      )
    ).rowCount === 1;
  await vi.waitUntil(isWaiting, { interval: 10 });
  await client.query(`UPDATE ubs_site SET "siteName" = 'another' WHERE "siteId" = '7'`);
  await holder.query('COMMIT');
  expect((await prepared).applied).toEqual(COMMENTS.slice(1));
  expect(await readMarks()).toMatchObject({ unmarked: 0 });
});

it('that was broken off goes on with the next start, and writes no row twice', async () => {
  await hold(1_700);
  await expect(prepare({ endAfterMs: 0 })).rejects.toThrow(BadDatabase);
  await holder.query('ROLLBACK');
  const first = await client.query<{ xmin: string }>(`SELECT xmin::text AS xmin FROM ubs_site WHERE "siteId" = '7'`);
  expect((await readMarks())?.unmarked).toBeGreaterThan(1_000);
  expect((await prepare()).applied).toEqual(COMMENTS.slice(1));
  expect(await readMarks()).toMatchObject({ unmarked: 0 });
  expect((await client.query(`SELECT xmin::text AS xmin FROM ubs_site WHERE "siteId" = '7'`)).rows).toEqual(first.rows);
});

it('is done at once with the versions that keep people waiting anyway', async () => {
  await client.query(`DELETE FROM migration WHERE name = '0016_ship_numbers.sql'`);
  await prepare();
  expect(await readMarks()).toEqual({ writers: 1, unmarked: 0 });
  expect(await hasIndex()).toBe(true);
});
