import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { downloadJob } from '#domain/jobs.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { genericActions } from '#tests/support/features.ts';
import { withRaised } from '#tests/support/faults.ts';
import { UNKNOWN } from '#tests/support/hostile.ts';

/** What stands around each answer: whether it may be kept, and whether there is anything at all at an address. */
let testApp: TestApp;
let client: string;
beforeAll(async () => {
  client = mkdtempSync(join(tmpdir(), 'reflow-client-'));
  mkdirSync(join(client, 'assets'));
  mkdirSync(join(client, '.vite'));
  for (const [name, text] of Object.entries({
    'index.html': '<head></head>the page',
    'sw.js': 'the worker',
    'favicon.svg': '<svg/>',
    'assets/index-1.js': 'a script',
    '.vite/manifest.json': '{}',
    '.env': 'SECRET=1',
  })) {
    writeFileSync(join(client, name), text);
  }
  testApp = await startTestApp({ exportWaitMs: 60_000 }, { worksJobs: true, client });
});
afterAll(async () => {
  await testApp?.close();
  rmSync(client, { recursive: true });
});

const cacheOf = ({ headers }: { headers: Record<string, unknown> }) => headers['cache-control'];

describe('no answer of a call is kept by anybody', () => {
  /** Every route of the calls; a generic one as a module has it. */
  const routes = () =>
    testApp.app.declaredRights.flatMap(({ method, url, streams }) => {
      const named = { ':id': '1', ':module': 'rmaCheckBill' };
      const path = Object.entries(named).reduce((at, [name, value]) => at.replace(name, value), url);
      return [{ method: method as 'GET', path, streams }];
    });

  it('to nobody, to somebody without the right, to what was asked wrongly', async () => {
    const admin = await testApp.openToken('admin');
    const [supplier, gone] = [await testApp.openToken('supplier'), 'x'.repeat(43)];
    const seen = new Set<number>();
    const cacheable: string[] = [];
    for (const { method, path, streams } of routes()) {
      for (const token of [undefined, gone, supplier, admin]) {
        // Whoever may read it is answered without an end.
        if (streams && (token === admin || token === supplier)) continue;
        if (path === '/rest/session' && method === ('DELETE' as string)) continue;
        if (path === '/api/logout.json') continue;
        const answer = await testApp.app.inject({
          method,
          url: path,
          query: { [UNKNOWN]: '1' },
          headers: token ? { token } : {},
          ...(['POST', 'PUT'].includes(method) && { payload: { [UNKNOWN]: '1' } }),
        });
        seen.add(answer.statusCode);
        if (cacheOf(answer) !== 'no-store')
          cacheable.push(`${method} ${path} ${answer.statusCode}: ${String(cacheOf(answer))}`);
      }
    }
    expect(cacheable).toEqual([]);
    expect([...seen]).toEqual(expect.arrayContaining([200, 401, 403, 404]));
    expect(routes().length).toBeGreaterThan(150);
  });

  it('of a list of every module, and its detail', async () => {
    const token = await testApp.openToken('admin');
    const reading = genericActions.filter((it) => it.method === 'GET' && !it.name.startsWith('export'));
    const cacheable: string[] = [];
    for (const definition of testApp.model.definitions.values()) {
      for (const action of reading.filter((it) => it.rightOf(definition, {}))) {
        const url = `/api/${definition.module}/${action.name}.json`;
        const answer = await testApp.app.inject({ url, query: { id: '1' }, headers: { token } });
        if (cacheOf(answer) !== 'no-store') cacheable.push(`${url}: ${String(cacheOf(answer))}`);
      }
    }
    expect(cacheable).toEqual([]);
  });

  it.each([
    ['an unknown call', 404, { url: '/api/nothing.json' }],
    ['an unknown address of the house', 404, { url: '/rest/nothing' }],
    ['an unknown file', 401, { url: '/file/0123' }],
    ['an address that is none', 404, { url: '/api/%ff' }],
    ['another method', 404, { method: 'DELETE', url: '/api/userInfo.json' }],
    ['too much', 413, { method: 'POST', url: '/api/login.json', payload: { userId: 'x'.repeat(1_100_000) } }],
    [
      'no JSON',
      200,
      { method: 'POST', url: '/api/login.json', payload: '{', headers: { 'content-type': 'application/json' } },
    ],
    [
      'no form that is known',
      200,
      { method: 'POST', url: '/api/login.json', payload: 'x', headers: { 'content-type': 'text/x' } },
    ],
    ['health', 200, { url: '/healthz' }],
    ['readiness', 200, { url: '/readyz' }],
    ['figures', 200, { url: '/metrics' }],
  ] as const)('%s', async (_, status, asked) => {
    const answer = await testApp.app.inject(asked as never);
    expect([answer.statusCode, cacheOf(answer)]).toEqual([status, 'no-store']);
  });

  it('that there were too many, and that something went wrong', async () => {
    const wrong = () =>
      testApp.app.inject({
        method: 'POST',
        url: '/api/login.json',
        payload: { userId: 'nobody', password: 'x' },
        remoteAddress: '10.9.9.9',
      });
    let answer = await wrong();
    for (let i = 0; i < 200 && answer.statusCode !== 429; i++) answer = await wrong();
    expect([answer.statusCode, cacheOf(answer)]).toEqual([429, 'no-store']);
    expect(answer.json<{ msg: string }>().msg).toContain(answer.headers['retry-after']);
    await sql`ALTER TABLE ubs_city RENAME TO ubs_town`.execute(testApp.db);
    const token = await testApp.openToken('admin');
    const broken = await testApp.app.inject({ url: '/api/ubsCity/pager.json', headers: { token } });
    await sql`ALTER TABLE ubs_town RENAME TO ubs_city`.execute(testApp.db);
    expect([broken.statusCode, cacheOf(broken)]).toEqual([500, 'no-store']);
  });

  it('that a number is greater than its column holds, which is no fault of the server', async () => {
    const input = { receiveShipNo: 'SF-GREAT', receivePackageCount: 1 };
    const isWrite = (text: string) => /^insert into "rma_arrival_bill"/i.test(text);
    const signFor = () => testApp.ask('POST', '/api/rmaArrivalBill/signFor.json', input, { as: 'warehouse' });
    const { status, code, msg } = await withRaised('22003', isWrite, signFor);
    expect([status, code, msg]).toEqual([200, '100015', expect.stringContaining('greater than can be stored')]);
  });

  it('an export, by its address and by its call', async () => {
    const token = await testApp.openToken('office');
    const started = await testApp.app.inject({ url: '/api/rmaInventory/export.json', headers: { token } });
    const { data } = started.json<{ data: { path: string } }>();
    expect(data.path, started.body).toMatch(/^\/file\//);
    for (const headers of [{ token }, { cookie: `token=${token}` }] as Record<string, string>[]) {
      const file = await testApp.app.inject({ url: data.path, headers });
      expect([file.statusCode, cacheOf(file)]).toEqual([200, 'no-store']);
    }
    const { id } = await testApp.db
      .selectFrom('job')
      .select('id')
      .where('state', '=', 'done')
      .executeTakeFirstOrThrow();
    const file = await testApp.app.inject({ url: downloadJob.path, query: { id: String(id) }, headers: { token } });
    expect([file.statusCode, cacheOf(file)]).toEqual([200, 'no-store']);
  });
});

describe('the client’s page', () => {
  const read = (url: string, headers: Record<string, string> = {}) => testApp.app.inject({ url, headers });

  it.each([
    '/',
    '/login',
    '/login?ticket=ST-1.2',
    '/home',
    '/401',
    '/changePassword',
    '/error_logger_page',
    '/rmaCheckBillList',
    '/rmaCheckBillList/',
    '/rmaCheckBillList/check?sn=RX19.1',
    '/rmaCheckBill/detail/12',
    '/nobodyKnowsThis',
    '/rmaInventoryList/viewHistory/RX19P4A-26_110',
    '/rmaInventoryList/viewHistory/RX19.P4A.26110.php',
    '/rmaInventoryList/viewHistory/%E8%AE%BE%E5%A4%87%2F1',
    '/rmaMaintainBillList/detail/MTB2026112100001',
  ])('answers a view: %s', async (url) => {
    const answer = await read(url);
    expect([answer.statusCode, cacheOf(answer), answer.headers['content-type']]).toEqual([
      200,
      'no-cache',
      'text/html; charset=utf-8',
    ]);
  });

  it.each([
    '/.env',
    '/.env.local',
    '/.git/config',
    '/.git/HEAD',
    '/.vite/manifest.json',
    '/.well-known/security.txt',
    '/%2eenv',
    '/..%2f.env',
    '/wp-login.php',
    '/foo.php',
    '/index.php',
    '/wp-admin/setup.php',
    '/phpmyadmin/index.php',
    '/admin/config/db.php',
    '/rmaInventoryList/.env',
    '/rmaInventoryList/viewHistory/.env',
    '/config.json',
    '/server.js',
    '/package.json',
    '/static/js/main.js',
    '/vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php',
    '/favicon.ico',
    '/robots.txt',
    '/assets/gone-1.js',
    '/assets',
    '//evil.example/x',
    '/cgi-bin/luci',
    '/api',
    '/api/',
    '/api/nothing',
    '/API/userInfo.json',
    '/rest',
    '/rest/nothing',
    '/file',
    '/docs/nothing.js',
    '/healthz/x',
    '/metrics/x',
    '/readyz/',
  ])('does not stand for what is not there: %s', async (url) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await testApp.app.inject({ method, url, headers: { accept: 'text/html' } });
      expect([method, answer.statusCode, cacheOf(answer)]).toEqual([method, 404, 'no-store']);
      if (method === 'GET') expect(answer.json()).toMatchObject({ code: '100050' });
    }
  });

  it('comes with files that are there, of which only those with their content in the name are kept', async () => {
    expect(cacheOf(await read('/assets/index-1.js'))).toBe('public, max-age=31536000, immutable');
    for (const url of ['/sw.js', '/favicon.svg', '/index.html']) {
      const answer = await read(url);
      expect([url, answer.statusCode, cacheOf(answer)]).toEqual([url, 200, 'no-cache']);
    }
  });
});
