import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '#domain/call.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { fixedRoutes } from '#tests/support/features.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp?.close());

describe('a call without a body, under a key of its own or none', () => {
  const calls = fixedRoutes.map((it) => it.call).filter((it) => it.method !== 'GET');
  const endsSession = (path: string) => path === '/rest/session' || path.endsWith('logout.json');

  it.each(calls.map((call) => [call.method, call.path] as const))('%s %s', async (method, path) => {
    for (const key of [`no-body-${path}`, undefined]) {
      const headers = endsSession(path)
        ? { token: await testApp.openToken(method === 'DELETE' ? 'warehouse' : 'tech') }
        : { token: await testApp.openToken('admin'), authorization: `Bearer ${await testApp.openSecret()}` };
      const reply = await testApp.app.inject({
        method,
        url: path.replace(/:\w+/g, '1'),
        headers: { ...headers, ...(key && { 'idempotency-key': key }) },
      });
      expect(reply.statusCode, `${key}: ${reply.body.slice(0, 200)}`).toBeLessThan(500);
      if (endsSession(path)) break;
    }
  });

  it('ends a session under a key', async () => {
    const token = await testApp.openToken('office');
    const headers = { token, 'idempotency-key': 'sign-out' };
    const ended = await testApp.app.inject({ method: 'DELETE', url: '/rest/session', headers });
    expect(ended.json<Envelope>()).toMatchObject({ code: '000000' });
    const after = await testApp.app.inject({ url: '/api/sysBtn/queryByMenuNo.json?menuNo=x', headers: { token } });
    expect(after.json<Envelope>().code).toBe('401');
  });
});
