import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalUrl } from '#server/app.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

describe('an address', () => {
  it('names its module in either case, with or without List', async () => {
    for (const name of ['ubsSite', 'UbsSite', 'ubsSiteList', 'UbsSiteList']) {
      expect(await testApp.ask('GET', `/api/${name}/pager.json`, {}, { as: 'admin' })).toMatchObject({
        code: '000000',
      });
    }
    expect(canonicalUrl('/api/RmaArrivalBillList/signFor.json?lang=en')).toBe(
      '/api/rmaArrivalBill/signFor.json?lang=en',
    );
    expect(canonicalUrl('/file/RmaList/x')).toBe('/file/RmaList/x');
  });

  it('that nothing answers is said to be none, by its path and in the asker’s language', async () => {
    const ask = (lang: 'zh' | 'en') => testApp.ask('GET', '/api/nothing/here.json', {}, { as: 'admin', lang });
    expect(await ask('en')).toMatchObject({
      status: 404,
      code: '100050',
      msg: expect.stringContaining('There is no') as string,
    });
    expect(await ask('zh')).toMatchObject({
      status: 404,
      msg: expect.stringContaining('/api/nothing/here.json') as string,
    });
    expect((await ask('zh')).msg).toMatch(/[\u4e00-\u9fff]/);
  });
});

describe('an answer', () => {
  it('is Chinese unless English is asked for', async () => {
    const readMessage = async (url: string) => {
      const reply = await testApp.app.inject({ method: 'GET', url });
      return reply.json<{ msg: string }>().msg;
    };
    expect(await readMessage('/api/userInfo.json?lang=en')).toBe('Login is invalid, Please log in again!');
    for (const query of ['', '?lang=zh', '?lang=fr']) {
      expect(await readMessage(`/api/userInfo.json${query}`)).toMatch(/[\u4e00-\u9fff]/);
    }
  });

  it('to what nobody foresaw has a number to quote and tells nothing of the inside', async () => {
    await sql`ALTER TABLE ubs_city RENAME TO ubs_town`.execute(testApp.db);
    const answer = await testApp.ask('GET', '/api/ubsCity/pager.json', {}, { as: 'admin' });
    await sql`ALTER TABLE ubs_town RENAME TO ubs_city`.execute(testApp.db);
    expect(answer).toMatchObject({ status: 500, code: '000500' });
    expect(answer.msg).toMatch(/number [A-Z0-9]{6,}$/);
    expect(JSON.stringify(answer)).not.toMatch(/ubs_|relation|select|42P01|at .*\.ts/i);
  });

  it('to more than a megabyte is that it is too large', async () => {
    const answer = await testApp.ask(
      'POST',
      '/api/ubsSite/create.json',
      { siteName: 'x'.repeat(1_100_000) },
      { as: 'admin' },
    );
    expect(answer).toMatchObject({ status: 413, code: '100051' });
  });

  it('lets a browser load and be framed by nothing but this house', async () => {
    const { headers } = await testApp.app.inject({ method: 'GET', url: '/healthz' });
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'");
    expect(headers['content-security-policy']).not.toMatch(/'unsafe-eval'|script-src[^;]*unsafe-inline/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('whoever watches over the server', () => {
  it('hears that it runs, and whether its database does', async () => {
    const ask = async (url: string) => {
      const reply = await testApp.app.inject({ method: 'GET', url });
      return [reply.statusCode, reply.json<{ status: string }>().status];
    };
    expect(await ask('/healthz')).toEqual([200, 'up']);
    expect(await ask('/readyz')).toEqual([200, 'ready']);
    const blind = await startTestApp();
    await sql`SELECT 1`.execute(blind.db);
    await blind.db.destroy();
    const reply = await blind.app.inject({ method: 'GET', url: '/readyz' });
    expect([reply.statusCode, reply.json<object>()]).toEqual([
      503,
      { status: 'not ready', missing: ['databaseDown'], warnings: [] },
    ]);
    expect((await blind.app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
    await blind.close();
  });
});

describe('a select', () => {
  it('offers the first hundred rows that it refers to', async () => {
    const rows = Array.from({ length: 150 }, (_, i) => ({
      siteId: `S${i}`,
      siteName: `Site ${String(i).padStart(3, '0')}`,
    }));
    await testApp.db.insertInto('ubs_site').values(rows).execute();
    const { data } = await testApp.ask<{ items: { queryName: string; options?: object[] }[] }>(
      'GET',
      '/api/adminUser/toAdd.json',
      {},
      { as: 'admin' },
    );
    expect(data.items.find((it) => it.queryName === 'siteId')?.options).toHaveLength(100);
  });
});
