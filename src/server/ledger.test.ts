import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';
import { newFileId } from '#server/uploads/fileStore.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { uploadPicture } from '#tests/support/pictures.ts';

type Row = Record<string, unknown>;
let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ trustProxy: 1 }, { worksJobs: true });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.db.deleteFrom('login_attempt').execute();
});

const readLedger = (what: string) =>
  testApp.db.selectFrom('ledger').selectAll().where('what', '=', what).orderBy('id').execute();
const login = (userId: string, password: string, ip: string) =>
  testApp.app
    .inject({
      method: 'POST',
      url: '/api/login.json',
      headers: { 'x-forwarded-for': ip },
      payload: { userId, password },
    })
    .then((it) => it.json<{ code: string; data: { token?: string } }>());

describe('a failed sign-in', () => {
  const failed = () => readLedger('loginFailed');

  it('is written down with the name as it was typed, the address and the reason', async () => {
    await login('tech', 'wrong', '203.0.113.1');
    await login('nobody', 'wrong', '203.0.113.2');
    for (let i = 0; i < 6; i++) await login('office', 'wrong', '203.0.113.3');
    const rows = await failed();
    const known = { module: 'session', userId: 'tech', siteId: 'SZ', recordId: 'tech', address: '203.0.113.1' };
    expect(rows[0]).toMatchObject({ ...known, after: { reason: 'credentials' } });
    expect(rows[1]).toMatchObject({ userId: '', siteId: '', recordId: 'nobody', address: '203.0.113.2' });
    expect(rows.slice(2).map((it) => (it.after as Row)['reason'])).toEqual([
      ...Array<string>(5).fill('credentials'),
      'locked',
    ]);
  });

  it('keeps no password, and no more of a name than a line that shows what it is', async () => {
    const secret = 'Secret#pass1';
    await login(`evil\u202e\u200b\n${'x'.repeat(90)}`, secret, '203.0.113.4');
    const row = (await failed()).at(-1);
    expect(row?.recordId).toMatch(/^evil\\u\{a\}x+$/);
    expect(JSON.stringify(await testApp.db.selectFrom('ledger').selectAll().execute())).not.toContain(secret);
  });

  it('fills no ledger: of one address sixty in a quarter of an hour, and the last says so', async () => {
    const before = (await failed()).length;
    await testApp.db.insertInto('login_attempt').values({ bucket: 'failures 203.0.113.5', fails: 57 }).execute();
    for (let i = 0; i < 9; i++) await login(`name${i}`, 'wrong', '203.0.113.5');
    const rows = (await failed()).slice(before);
    expect(rows.map((it) => (it.after as Row)['moreNotWritten'] ?? false)).toEqual([false, false, true]);
  });
});

describe('an account that is guessed at from many addresses', () => {
  const guess = async (userId: string, i: number) => (await login(userId, 'wrong', `198.51.100.${i}`)).code;

  it.each(['tech', 'nobody-has-this'])('lets ten in and then few, as one that nobody has: %s', async (userId) => {
    const bucket = `account ${userId}`;
    const pause = async () =>
      (await testApp.db.selectFrom('login_attempt').selectAll().where('bucket', '=', bucket).executeTakeFirstOrThrow())
        .lockedUntil;
    for (let i = 1; i <= 9; i++) expect(await guess(userId, i)).toBe('100048');
    expect(await pause()).toBeNull();
    expect(await guess(userId, 10)).toBe('100048');
    expect(await pause()).not.toBeNull();
    await sql`UPDATE login_attempt SET "lockedUntil" = now() + interval '1 hour' WHERE bucket = ${bucket}`.execute(
      testApp.db,
    );
    for (let i = 11; i <= 60; i++) expect(await guess(userId, i)).toBe('100046');
  });

  it('at the same moment lets no more in', async () => {
    const codes = await Promise.all(Array.from({ length: 60 }, (_, i) => guess('tech', i + 1)));
    expect(codes.filter((it) => it === '100048').length).toBeLessThan(16);
  });

  it('waits longer with each, up to five minutes, and begins anew after six hours', async () => {
    const bucket = 'account tech';
    await testApp.db.insertInto('login_attempt').values({ bucket, fails: 500 }).execute();
    await guess('tech', 1);
    const answer = await testApp.app.inject({
      method: 'POST',
      url: '/api/login.json?lang=en',
      payload: { userId: 'tech', password: 'wrong' },
    });
    expect(answer.statusCode).toBe(429);
    expect(answer.json<{ msg: string }>().msg).toMatch(/ (29\d|300) seconds$/);
    await sql`UPDATE login_attempt SET "windowStart" = now() - interval '7 hours', "lockedUntil" = now() - interval '1 s'
               WHERE bucket = ${bucket}`.execute(testApp.db);
    for (let i = 1; i <= 9; i++) expect(await guess('tech', i)).toBe('100048');
  });

  it('keeps its owner out of nowhere where the owner has been, for thirty days', async () => {
    const password = 'Reflow#2026';
    const home = '203.0.113.77';
    expect((await login('tech', password, home)).code).toBe('000000');
    await sql`INSERT INTO login_attempt (bucket, fails) VALUES ('account tech', 500)
              ON CONFLICT (bucket) DO UPDATE SET fails = 500`.execute(testApp.db);
    await guess('tech', 1);
    expect((await login('tech', password, '203.0.113.78')).code).toBe('100046');
    expect((await login('tech', password, home)).code).toBe('000000');
    await sql`UPDATE known_address SET "lastAt" = now() - interval '31 days'`.execute(testApp.db);
    expect((await login('tech', password, home)).code).toBe('100046');
  });
});

describe('what leaves the house', () => {
  it('is written down: an export with its list and rows, and each download', async () => {
    const query = { columns: 'siteId,siteName', siteId: 'SZ' };
    const { data } = await testApp.ask<{ path: string; jobId: number }>('GET', '/api/ubsSite/export.json', query, {
      as: 'admin',
    });
    const id = data.path.replace('/file/', '');
    const [exported] = (await readLedger('export')).slice(-1);
    expect(exported).toMatchObject({
      userId: 'admin',
      module: 'ubsSite',
      recordId: id,
      after: { kind: 'listExport', rows: 1, input: { query: { siteId: 'SZ' } } },
    });
    const token = await testApp.openToken('admin');
    const before = (await readLedger('download')).length;
    for (const url of [data.path, `/api/rmaReportDownload/download.json?id=${data.jobId}`]) {
      await testApp.app.inject({ url, headers: { token, 'x-forwarded-for': '203.0.113.9' } });
    }
    const downloads = (await readLedger('download')).slice(before);
    expect(downloads).toHaveLength(2);
    for (const it of downloads) {
      expect(it).toMatchObject({ userId: 'admin', recordId: id, address: '203.0.113.9' });
      expect(it.after).toMatchObject({ name: expect.stringContaining('.xlsx') as string });
    }
  });

  it('a picture on a screen is no download, and what is refused is none either', async () => {
    const before = (await readLedger('download')).length;
    const url = await uploadPicture(testApp, 'tech');
    const token = await testApp.openToken('tech');
    expect((await testApp.app.inject({ url, headers: { token } })).statusCode).toBe(200);
    expect((await testApp.app.inject({ url: `/file/${newFileId()}`, headers: { token } })).statusCode).toBe(404);
    expect(await readLedger('download')).toHaveLength(before);
  });

  it('each place that answers a kept file says which', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((it) => it.endsWith('.ts') && !it.includes('.test.'))
      .map((it) => [it, readFileSync(join(ROOT, 'src', it), 'utf8')] as const);
    const made = sources.flatMap(([name, text]) =>
      [...text.matchAll(/new FileAnswer\((\w+|\{)/g)].map(([, it]) => [name, it]),
    );
    expect(made.sort()).toEqual([
      ['features/self-pickup/server.ts', 'file'],
      // An empty template, made anew for each.
      ['server/imports/template.ts', '{'],
      ['server/jobs/routes.ts', 'file'],
      ['server/reports/runFileJob.ts', 'file'],
    ]);
  });
});

describe('the audit log', () => {
  const list = (query: Row, as = 'admin') =>
    testApp.ask<{ items: Row[]; itemTotal: number; most: number }>('GET', '/api/sysLedger/pager.json', query, { as });

  beforeAll(async () => {
    for (let from = 1; from < 120_000; from += 10_000) {
      await sql`INSERT INTO ledger ("userId", "siteId", what, module, "recordId", "requestId", at)
                SELECT 'bulk' || g % 50, 'SZ', 'create', 'ubsItem', g::text, 'x', now() - g * interval '1 minute'
                  FROM generate_series(${from}::int, ${from + 9_999}::int) AS g`.execute(testApp.db);
    }
  });

  it('is read by those who have its right, and by nobody else', async () => {
    for (const as of ['admin', 'auditor']) expect(await list({}, as)).toMatchObject({ code: '000000' });
    for (const as of ['tech', 'office', 'supervisor', 'viewer', 'finance']) {
      expect(await list({}, as)).toMatchObject({ status: 403, code: '100013' });
    }
  });

  it('takes no writing call', async () => {
    for (const action of ['create', 'modifyById', 'deleteById', 'deleteAll']) {
      expect(await testApp.ask('POST', `/api/sysLedger/${action}.json`, {}, { as: 'admin' })).toMatchObject({
        status: 404,
      });
    }
  });

  it('is searched by who, what, where, from where and when, newest first', async () => {
    await login('viewer', 'wrong', '203.0.113.200');
    const only = async (query: Row) => (await list({ ...query, pageCount: 200 })).data.items;
    const found = await only({ what: 'loginFailed', address: '203.0.113.200' });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ userId: 'viewer', recordId: 'viewer', module: 'session', siteId: 'SZ' });
    const all: [string, string][] = [
      ['userId', 'viewer'],
      ['module', 'session'],
      ['recordId', 'viewer'],
      ['siteId', 'SZ'],
    ];
    for (const [name, value] of all) {
      const items = await only({ [name]: value });
      expect(items.length, name).toBeGreaterThan(0);
      expect(
        items.every((it) => String(it[name]).startsWith(value)),
        name,
      ).toBe(true);
      const times = items.map((it) => Number(it['createTime']));
      expect(times).toEqual([...times].sort((a, b) => b - a));
    }
    expect(await only({ createTimeStart: Date.now() + 60_000 })).toEqual([]);
  });

  it('of one site shows that site’s rows alone', async () => {
    await testApp.db.updateTable('admin_user').set({ roleIds: 'siteAudit' }).where('userId', '=', 'techNB').execute();
    await testApp.db
      .insertInto('admin_role')
      .values({ roleId: 'siteAudit', name: 'x', nameEn: 'x', allSites: '0' })
      .execute();
    await testApp.db.insertInto('role_right').values({ roleId: 'siteAudit', right: 'sysLedger:list' }).execute();
    await login('techNB', 'wrong', '203.0.113.201');
    const { items } = (await list({ pageCount: 200 }, 'techNB')).data;
    expect(items.length).toBeGreaterThan(0);
    expect(new Set(items.map((it) => it['siteId']))).toEqual(new Set(['NB']));
  });

  it('stands in its own order, and is counted and leafed through only so far', async () => {
    expect(await list({ sortBy: 'userId', order: 'asc' })).toMatchObject({ code: '100015' });
    expect(await list({ pageStart: 10_001 })).toMatchObject({ code: '100015' });
    const { data } = await list({});
    expect([data.itemTotal, data.most]).toEqual([10_000, 10_000]);
    expect((await list({ userId: 'bulk7' })).data.itemTotal).toBe(2400);
    const exported = await testApp.ask('GET', '/api/sysLedger/export.json', { columns: 'userId' }, { as: 'admin' });
    expect(exported.msg).toContain('100000');
  });

  it('has an index for each of its searches', async () => {
    await sql`ANALYZE ledger`.execute(testApp.db);
    const plans: [string, string][] = [
      [`"userId" >= 'bulk7' AND "userId" < 'bulk7z'`, 'ledger_'],
      [`what = 'loginFailed'`, 'ledger_what'],
      [`module = 'session'`, 'ledger_module'],
      [`"recordId" >= '777' AND "recordId" < '777z'`, 'ledger_'],
      [`"siteId" = 'NB'`, 'ledger_site'],
      [`address >= '203.0.113.2' AND address < '203.0.113.3'`, 'ledger_address'],
      [`"createTime" >= now() - interval '1 hour'`, 'ledger_time'],
      ['true', 'ledger_time'],
    ];
    for (const [where, index] of plans) {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        EXPLAIN SELECT id, "userId" FROM ledger_entry AS t WHERE ${sql.raw(where)}
         ORDER BY t."createTime" DESC, t.id DESC LIMIT 20`.execute(testApp.db);
      const plan = rows.map((it) => it['QUERY PLAN']).join('\n');
      expect(plan, where).toContain(index);
      expect(plan, where).not.toContain('Seq Scan');
    }
  });

  it('has a word in both languages for everything that is written down', () => {
    const known = new Set(testApp.model.options['ledgerActions']?.map((it) => it.value));
    const texts = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((it) => /^(server|features)\/.*\.ts$/.test(it) && !/test|contract|server\/(demo|openapi)/.test(it))
      .map((it) => readFileSync(join(ROOT, 'src', it), 'utf8'));
    const written = new Set(
      texts.flatMap((it) => [...it.matchAll(/\bwhat: '(\w+)'/g)].map(([, what]) => what as string)),
    );
    written.delete('SN');
    expect([...written].filter((it) => !known.has(it))).toEqual([]);
    expect(written.size).toBeGreaterThan(40);
  });
});
