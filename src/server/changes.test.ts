import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openVersions, tidyChanges } from '#server/changes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { turns } from '#tests/support/turns.ts';

let testApp: TestApp;
let pool: pg.Pool;
beforeAll(async () => {
  testApp = await startTestApp();
  // Ended, it may still hear that its database is dropped.
  pool = new pg.Pool({ connectionString: testApp.url, max: 8 }).on('error', () => undefined);
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
});
afterAll(async () => {
  await pool.end();
  await testApp.close();
});

let made = 0;
const country = () => `C${++made}`;
const insert = (on: pg.Pool | pg.PoolClient, id = country()) =>
  on.query(`INSERT INTO ubs_country ("countryId", name) VALUES ($1, $1)`, [id]);
const version = async () => (await openVersions(pool)(['ubs_country'])).get('ubs_country') ?? 0;
const total = async () => {
  const answer = await testApp.ask<{ itemTotal: number }>('GET', '/api/ubsCountry/pager.json', {}, { as: 'admin' });
  return answer.data.itemTotal;
};

describe('the version of a table', () => {
  it('changes with every commit that touched it, once however many statements it had', async () => {
    const before = await version();
    await insert(pool);
    expect(await version()).toBe(before + 1);
    const client = await pool.connect();
    await client.query('BEGIN');
    for (let i = 0; i < 50; i++) await insert(client);
    expect(await version()).toBe(before + 1);
    await client.query('COMMIT');
    client.release();
    expect(await version()).toBe(before + 2);
  });

  it('does not change by what was rolled back, whole or to a savepoint, and does by what came after', async () => {
    const before = await version();
    const client = await pool.connect();
    await client.query('BEGIN');
    await insert(client);
    await client.query('ROLLBACK');
    expect(await version()).toBe(before);
    await client.query('BEGIN; SAVEPOINT s');
    await insert(client);
    await client.query('ROLLBACK TO s');
    await insert(client);
    await client.query('COMMIT');
    client.release();
    expect(await version()).toBe(before + 1);
  });

  it('lets two writers of one table work at the same time', async () => {
    const before = await version();
    const [first, second] = await Promise.all([pool.connect(), pool.connect()]);
    await first.query('BEGIN');
    await second.query(`BEGIN; SET LOCAL lock_timeout = '2s'`);
    await insert(first);
    await insert(second);
    await second.query('COMMIT');
    await first.query('COMMIT');
    first.release();
    second.release();
    expect(await version()).toBe(before + 2);
  });

  it('stays when the counts of connections that have gone are added up', async () => {
    const client = new pg.Client({ connectionString: testApp.url });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await client.query(`INSERT INTO ubs_country ("countryId", name) VALUES ('GONE', 'GONE')`);
    await client.end();
    const before = await version();
    const isThere = async () =>
      (await pool.query(`SELECT 1 FROM table_change WHERE backend = $1`, [rows[0]?.pid])).rows.length > 0;
    expect(await isThere()).toBe(true);
    await expect
      .poll(async () => {
        await tidyChanges(testApp.db);
        return isThere();
      })
      .toBe(false);
    expect(await version()).toBe(before);
  });
});

describe('the versions that requests ask for', () => {
  it('are read once for all that come while a query is under way, and never by a query that began before', async () => {
    const asked: string[][] = [];
    const answers: (() => void)[] = [];
    const query = ({ values: [tables] }: { values: [string[]] }) =>
      new Promise((done) => {
        asked.push(tables);
        answers.push(() => done({ rows: tables.map((name) => ({ name, n: answers.length })) }));
      });
    const read = openVersions({ query } as unknown as pg.Pool);
    const first = read(['a']);
    await expect.poll(() => asked.length).toBe(1);
    const [second, third] = [read(['a', 'b']), read(['c'])];
    await turns();
    expect(asked).toEqual([['a']]);
    answers[0]?.();
    expect((await first).get('a')).toBe(1);
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[1]).toEqual(['a', 'b', 'c']);
    answers[1]?.();
    expect(await Promise.all([second, third])).toEqual([
      new Map([
        ['a', 2],
        ['b', 2],
        ['c', 2],
      ]),
      new Map([
        ['a', 2],
        ['b', 2],
        ['c', 2],
      ]),
    ]);
  });

  it('fail for those who shared the query, and are read again for the next', async () => {
    let isBroken = true;
    const query = () => (isBroken ? Promise.reject(new Error('gone')) : Promise.resolve({ rows: [] }));
    const read = openVersions({ query } as unknown as pg.Pool);
    await expect(Promise.all([read(['a']), read(['b'])])).rejects.toThrow('gone');
    isBroken = false;
    expect(await read(['a'])).toEqual(new Map());
  });
});

describe('the total of a list', () => {
  it('is exact after each write, whoever wrote it, and after a deletion', async () => {
    const before = await total();
    await insert(pool);
    expect(await total()).toBe(before + 1);
    const id = country();
    await insert(pool, id);
    await pool.query(`DELETE FROM ubs_country WHERE "countryId" = $1`, [id]);
    expect(await total()).toBe(before + 1);
  });

  it('never lags behind a commit that came before the request, while eight hands write [P-LST-07]', async () => {
    const start = await total();
    let begun = 0;
    let committed = 0;
    const write = async () => {
      for (let i = 0; i < 25; i++) {
        begun++;
        await insert(pool);
        committed++;
      }
    };
    const wrong: string[] = [];
    const read = async () => {
      while (committed < 200) {
        const atLeast = committed;
        const seen = (await total()) - start;
        if (seen < atLeast || seen > begun) wrong.push(`${seen} is not within ${atLeast} … ${begun}`);
      }
    };
    await Promise.all([...Array.from({ length: 8 }, write), read(), read(), read()]);
    expect(wrong).toEqual([]);
    expect(await total()).toBe(start + 200);
  });
});
