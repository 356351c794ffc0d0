import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
let guarded: TestApp;
/** Trusts the proxy in front of it. */
let behind: TestApp;
beforeAll(async () => {
  [testApp, guarded, behind] = await Promise.all([
    startTestApp(),
    startTestApp({ metricsToken: 'seen-by-prometheus' }),
    startTestApp({ trustProxy: true } as object),
  ]);
});
afterAll(() => Promise.all([testApp.close(), guarded.close(), behind.close()]));

const metrics = (of: TestApp, more: object = {}) => of.app.inject({ url: '/metrics', ...more });

describe('/metrics', () => {
  it('tells this machine how calls ended, by their pattern and not by what was asked', async () => {
    await testApp.ask('GET', '/api/rmaCheckBill/pager.json', {}, { as: 'viewer' });
    await testApp.ask('GET', '/api/rmaCheckBill/pager.json', {});
    const { body, headers } = await metrics(testApp);
    expect(headers['content-type']).toContain('text/plain');
    const counted = (status: number) =>
      `reflow_request_seconds_count{method="GET",route="/api/:module/pager.json",status="${status}"} 1`;
    expect(body).toContain(counted(200));
    expect(body).toContain(counted(401));
    expect(body).toMatch(/reflow_database_connections\{state="idle"\} \d/);
    expect(body).toMatch(/reflow_jobs\{state="queued"\} 0/);
    expect(body).toMatch(/process_resident_memory_bytes \d/);
  });

  it('does not exist for another machine', async () => {
    const answer = await metrics(testApp, { remoteAddress: '10.1.2.3' });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, '100050']);
  });

  it.each([
    ['x-forwarded-for', '10.1.2.3'],
    ['x-forwarded-for', '127.0.0.1'],
    ['forwarded', 'for=10.1.2.3'],
    ['x-real-ip', '127.0.0.1'],
    ['via', '1.1 nginx'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-host', 'reflow.example'],
    ['x-forwarded-port', '443'],
    ['x-forwarded-server', 'proxy'],
    ['x-client-ip', '10.1.2.3'],
    ['true-client-ip', '10.1.2.3'],
    ['cf-connecting-ip', '10.1.2.3'],
  ])('does not exist for what came through a proxy on this machine: %s', async (name, value) => {
    for (const of of [testApp, behind]) {
      const answer = await metrics(of, { headers: { [name]: value } });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, '100050']);
    }
    const headers = { [name]: value, authorization: 'Bearer seen-by-prometheus' };
    expect((await metrics(guarded, { headers })).statusCode).toBe(200);
  });

  it('does not exist under the name that the world knows this machine by', async () => {
    for (const host of ['reflow.example', 'reflow.example:3000', '10.1.2.3:3000', 'localhost.example']) {
      expect([host, (await metrics(testApp, { headers: { host } })).statusCode]).toEqual([host, 404]);
    }
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
      expect([host, (await metrics(testApp, { headers: { host } })).statusCode]).toEqual([host, 200]);
    }
  });

  it('believes the connection and no header about who asks', async () => {
    const answer = await metrics(behind, { remoteAddress: '10.1.2.3', headers: { 'x-forwarded-for': '127.0.0.1' } });
    expect(answer.statusCode).toBe(404);
  });

  it('is read from elsewhere by whoever knows its token, and by nobody without', async () => {
    const with_ = (authorization?: string) =>
      metrics(guarded, { remoteAddress: '10.1.2.3', headers: authorization ? { authorization } : {} });
    expect((await with_('Bearer seen-by-prometheus')).statusCode).toBe(200);
    expect((await with_('Bearer seen-by-prometheuS')).statusCode).toBe(404);
    expect((await with_()).statusCode).toBe(404);
    expect((await metrics(guarded)).statusCode).toBe(404);
  });
});
