import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '#server/session/sessions.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
let token: string;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  await testApp.db.deleteFrom('session').execute();
  token = await openSession(testApp.db, { userId: 'tech', began: 'password', ip: '127.0.0.1', days: 1, maxDays: 7 });
});

/** Lets time pass for the session as if the clock of the database had gone on, and nobody had just asked. */
async function pass(time: string): Promise<void> {
  await sql`UPDATE session SET "expiresAt" = "expiresAt" - ${time}::interval, "lastSeenAt" = "lastSeenAt" - ${time}::interval,
    "createdAt" = "createdAt" - ${time}::interval, "endsAt" = "endsAt" - ${time}::interval`.execute(testApp.db);
  await sql`DELETE FROM session WHERE false`.execute(testApp.db);
}

async function ask(method: 'GET' | 'POST', path: string, headers: Record<string, string> = {}) {
  const reply = await testApp.app.inject({
    method,
    url: path,
    headers: { token, ...headers },
    ...(method === 'POST' && { payload: {} }),
  });
  return { left: Number(reply.headers['session-left']), ...reply.json<{ code: string; data: { left: number } }>() };
}
const HOUR = 3600;
const about = (seconds: number, left: number) => expect(Math.abs(left - seconds)).toBeLessThan(120);

describe('a session', () => {
  it('says with each answer how long it still lives', async () => {
    about(24 * HOUR, (await ask('GET', '/api/userInfo.json')).left);
    about(24 * HOUR, (await ask('GET', '/api/rmaCheckBill/pager.json')).left);
    expect((await ask('GET', '/rest/session')).data.left).toBeGreaterThan(0);
  });

  it('is prolonged by use, and by asking for it', async () => {
    await pass('23 hours 55 minutes');
    about(24 * HOUR, (await ask('POST', '/rest/session')).data.left);
    await pass('23 hours 55 minutes');
    about(24 * HOUR, (await ask('GET', '/api/userInfo.json')).left);
    expect((await ask('GET', '/api/userInfo.json')).code).toBe('000000');
  });

  it('is not prolonged by what the client does in the background', async () => {
    await pass('23 hours 56 minutes');
    for (let i = 0; i < 3; i += 1) {
      about(240, (await ask('GET', '/rest/session', { background: '1' })).data.left);
    }
    await pass('5 minutes');
    expect((await ask('GET', '/rest/session', { background: '1' })).code).toBe('401');
    expect((await ask('GET', '/api/userInfo.json')).code).toBe('401');
  });

  it('ends after its longest life, however much it is used', async () => {
    for (let hours = 0; hours < 7 * 24 - 12; hours += 12) {
      await pass('12 hours');
      expect((await ask('POST', '/rest/session')).code).toBe('000000');
    }
    about(12 * HOUR, (await ask('POST', '/rest/session')).data.left);
    await pass('11 hours 56 minutes');
    about(240, (await ask('POST', '/rest/session')).data.left);
    await pass('5 minutes');
    expect((await ask('POST', '/rest/session')).code).toBe('401');
  });

  it('has no more than its longest life from the start', async () => {
    token = await openSession(testApp.db, { userId: 'tech', began: 'password', ip: '127.0.0.1', days: 90, maxDays: 7 });
    about(7 * 24 * HOUR, (await ask('GET', '/rest/session')).data.left);
  });
});
