import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import type * as FilePromises from 'node:fs/promises';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readHealth, stopsWork, type Trouble } from '#domain/health.ts';
import { openDatabase } from '#server/db/pool.ts';
import { openHealth } from '#server/health/health.ts';
import { LOCK_SPACE } from '#server/jobs/sweep.ts';
import { SWEEP_MS } from '#server/jobs/worker.ts';
import { openFileStore } from '#server/uploads/fileStore.ts';
import { MARKED_SPACE } from '#server/uploads/sharedFolder.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { asMaker } from '#tests/support/database.ts';
import { withRaised } from '#tests/support/faults.ts';

const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof FilePromises>();
  return {
    ...real,
    open: async (...args: Parameters<typeof real.open>) => {
      if (!disk.isFull || args[1] === 'r') return real.open(...args);
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'write' });
    },
  };
});

let testApp: TestApp;
const repeated = vi.spyOn(globalThis, 'setInterval');
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 20_000 }, { worksJobs: true });
});
afterAll(() => testApp.close());

const ready = async (of = testApp) => {
  const reply = await of.app.inject({ url: '/readyz' });
  return { status: reply.statusCode, ...reply.json<{ missing: string[]; warnings: string[] }>() };
};
const troubles = async () => (await testApp.send(readHealth, {}, { as: 'admin' })).data.troubles;
const keys = (of: readonly Trouble[]) => of.map((it) => it.key);

describe('whoever watches over the server', () => {
  it('hears that all is well', async () => {
    expect(await ready()).toEqual({ status: 'ready', missing: [], warnings: [] });
    expect(await troubles()).toEqual([]);
  });

  it('hears that no jobs are worked, and that is no reason to send nobody here', async () => {
    const idle = await startTestApp();
    expect(await ready(idle)).toEqual({ status: 'ready', missing: [], warnings: ['jobsStopped'] });
    await idle.close();
  });

  it('hears that the disk is full before it is, and of one that will be', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'reflow-health-'));
    const { bavail, bsize, blocks, bfree } = statfsSync(folder);
    const freeMb = Math.floor((bavail * bsize) / 1024 / 1024);
    const percent = Math.floor(((blocks - bfree) * 100) / (blocks - bfree + bavail));
    const { pool, close } = openDatabase(testApp.url, 'Asia/Shanghai');
    // A folder of files is made with the first file: what counts is the disk on which it will be.
    const dataDir = join(folder, 'not', 'yet');
    const full = await openHealth(pool, { ...testApp.config, dataDir, diskFreeMb: freeMb * 2 }).check();
    expect(full.find((it) => it.key === 'diskFull')?.args['free']).toBeGreaterThan(0);
    const enough = await openHealth(pool, { ...testApp.config, dataDir, diskFreeMb: 0 }).check();
    expect(keys(enough).includes('diskScarce')).toBe(percent >= 90);
    await close();
    rmSync(folder, { recursive: true });
  });

  it('hears that the database takes no changes', async () => {
    const url = new URL(testApp.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const { pool, close } = openDatabase(url.href, 'Asia/Shanghai');
    expect(keys(await openHealth(pool, testApp.config).check())).toEqual(['databaseReadOnly']);
    await close();
  });

  it('hears that nobody gets a connection any more, by what the database says and by the pool', async () => {
    const name = `limited_${process.pid}`;
    await asMaker((client) => client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'limited' CONNECTION LIMIT 1`));
    const url = new URL(testApp.url);
    [url.username, url.password] = [name, 'limited'];
    const held = new pg.Client({ connectionString: url.href });
    await held.connect();
    const { pool, close } = openDatabase(url.href, 'Asia/Shanghai', { size: 1 });
    expect(keys(await openHealth(pool, testApp.config).check())).toEqual(['connectionsUsed']);
    await held.end();
    // PostgreSQL may let it go a while after it was told, and the pool's own one as well.
    const client = await vi.waitFor(() => pool.connect(), { interval: 50 });
    expect(keys(await openHealth(pool, testApp.config).check())).toEqual(['connectionsUsed']);
    client.release();
    await close();
    await asMaker((client) => client.query(`DROP ROLE ${name}`));
  });

  it('hears that connections are scarce, also of those that another role has', async () => {
    const name = `ordinary_${process.pid}`;
    await asMaker((client) => client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'ordinary'`));
    const url = new URL(testApp.url);
    [url.username, url.password] = [name, 'ordinary'];
    const { pool, close } = openDatabase(url.href, 'Asia/Shanghai', { size: 1 });
    const held = Array.from({ length: 4 }, () => new pg.Client({ connectionString: testApp.url }));
    for (const it of held) await it.connect();
    // As if there were five connections for all.
    const few = ({ text }: pg.QueryConfig) => pool.query(text.replace("current_setting('max_connections')", "'8'"));
    const found = await openHealth({ query: few } as unknown as pg.Pool, testApp.config).check();
    expect(keys(found)).toContain('connectionsScarce');
    for (const it of held) await it.end();
    await close();
    await asMaker((client) => client.query(`DROP ROLE ${name}`));
  });

  it('hears that a server of this database keeps its files elsewhere, which stops no work', async () => {
    const { pool, close } = openDatabase(testApp.url, 'Asia/Shanghai');
    const elsewhere = mkdtempSync(join(tmpdir(), 'reflow-elsewhere-'));
    const found = async (dataDir: string) => openHealth(pool, { ...testApp.config, dataDir }).check();
    expect(keys(await found(testApp.config.dataDir))).not.toContain('filesNotShared');
    const other = await found(elsewhere);
    expect(other).toContainEqual({ key: 'filesNotShared', args: {} });
    expect(other.filter(stopsWork)).toEqual([]);
    await close();
    rmSync(elsewhere, { recursive: true });
  });

  it('hears nothing of the mark of its own server that was lost, which comes back by itself', async () => {
    const marks = join(testApp.config.dataDir, 'files', 'servers');
    const [own] = readdirSync(marks);
    rmSync(marks, { recursive: true });
    expect(await ready()).toEqual({ status: 'ready', missing: [], warnings: [] });
    const sweeps = repeated.mock.calls.filter(([, ms]) => ms === SWEEP_MS);
    expect(sweeps).toHaveLength(1);
    sweeps[0]?.[0]();
    await vi.waitFor(() => expect(existsSync(marks) && readdirSync(marks)).toEqual([own]));
  });

  it('finds the worker and its mark again after the database failed it while it was marked', async () => {
    const held = async () =>
      sql<{ space: number; pid: number }>`SELECT l.classid::bigint AS space, l.pid FROM pg_locks AS l
        JOIN pg_database AS d ON d.oid = l.database
        WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
          AND l.classid::bigint IN (${LOCK_SPACE}, ${MARKED_SPACE}) ORDER BY 1`.execute(testApp.db);
    const { rows } = await held();
    expect(rows.map((it) => it.space)).toEqual([LOCK_SPACE, MARKED_SPACE]);
    await sql`ALTER TABLE file RENAME TO away`.execute(testApp.db);
    await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(testApp.db);
    await vi.waitFor(() => expect(testApp.jobErrors.map(String)).toContain('error: relation "file" does not exist'));
    await sql`ALTER TABLE away RENAME TO file`.execute(testApp.db);
    await vi.waitFor(async () => {
      const again = (await held()).rows.filter((it) => it.pid !== rows[0]?.pid);
      expect(again.map((it) => it.space)).toEqual([LOCK_SPACE, MARKED_SPACE]);
    });
    testApp.jobErrors.length = 0;
  });

  it('is an administrator: nobody else is told', async () => {
    expect((await testApp.send(readHealth, {})).status).toBe(401);
    expect((await testApp.send(readHealth, {}, { as: 'office' })).status).toBe(403);
    expect((await testApp.send(readHealth, {}, { as: 'viewer' })).status).toBe(403);
  });
});

describe('a full disk', () => {
  it('of the database is told to who writes, and then to who watches', async () => {
    const isWrite = (text: string) => /^(insert|update|create temp)/i.test(text);
    await withRaised('53100', isWrite, async () => {
      const site = { siteId: 'X1', siteName: 'X1' };
      const answer = await testApp.ask('POST', '/api/ubsSite/create.json', site, { as: 'admin', lang: 'zh' });
      expect(answer).toMatchObject({ status: 503, code: '000503' });
      expect(answer.msg).toContain('数据库所在的磁盘已满');
      expect(await ready()).toMatchObject({ status: 'not ready', missing: ['databaseFull'] });
      expect(keys(await troubles())).toContain('databaseFull');
    });
    // There is room again, which the first look finds out.
    expect(await ready()).toEqual({ status: 'ready', missing: [], warnings: [] });
    expect(await troubles()).toEqual([]);
  });

  it('of the files is told to who exports, at once, and nothing half is left', async () => {
    disk.isFull = true;
    const path = '/api/ubsCountry/export.json';
    const reply = await testApp.app.inject({
      url: path,
      query: { lang: 'en', columns: 'name' },
      headers: { token: await testApp.openToken('admin') },
    });
    disk.isFull = false;
    testApp.jobErrors.length = 0;
    expect([reply.statusCode, reply.json<{ code: string }>().code, reply.headers['retry-after']]).toEqual([
      503,
      '000503',
      '60',
    ]);
    expect(reply.json<{ msg: string }>().msg).toMatch(/^The disk of the server is full/);
    expect(await testApp.db.selectFrom('file').selectAll().where('kind', '=', 'job').execute()).toEqual([]);
  });
});

describe('a file whose folder is gone', () => {
  it('is no fault of the program, and the answer is kept by no browser', async () => {
    const id = 'a'.repeat(32);
    await openFileStore(testApp.config).put(id, Buffer.from('picture'));
    await testApp.db
      .insertInto('file')
      .values({ id, kind: 'picture', name: 'a.jpg', mime: 'image/jpeg', size: 7, siteId: 'SZ', createBy: 'tech' })
      .execute();
    const ask = async () =>
      testApp.app.inject({
        url: `/file/${id}`,
        headers: { token: await testApp.openToken('tech') },
        query: { lang: 'en' },
      });
    expect((await ask()).statusCode).toBe(200);
    await rename(join(testApp.config.dataDir, 'files'), join(testApp.config.dataDir, 'away'));
    const { statusCode, headers, body } = await ask();
    expect([statusCode, headers['cache-control'], headers['content-disposition']]).toEqual([
      503,
      'no-store',
      undefined,
    ]);
    expect(body).toContain('cannot reach the folder of its files');
    await rename(join(testApp.config.dataDir, 'away'), join(testApp.config.dataDir, 'files'));
    expect((await ask()).statusCode).toBe(200);
  });
});
