import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let house: TestApp;
let guarded: TestApp;
beforeAll(async () => {
  [house, guarded] = await Promise.all([startTestApp(), startTestApp({ metricsToken: 'seen-by-prometheus' })]);
});
afterAll(() => Promise.all([house.close(), guarded.close()]));

const metrics = (of: TestApp, more: object = {}) => of.app.inject({ url: '/metrics', ...more });

describe('/metrics', () => {
  it('tells this machine how calls ended, by their pattern and not by what was asked', async () => {
    await house.ask('GET', '/api/rmaCheckBill/pager.json', {}, { as: 'viewer' });
    await house.ask('GET', '/api/rmaCheckBill/pager.json', {});
    const { body, headers } = await metrics(house);
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
    const answer = await metrics(house, { remoteAddress: '10.1.2.3' });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, '100050']);
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
