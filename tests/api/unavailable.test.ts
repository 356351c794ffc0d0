import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { definitionVersion } from '#domain/definitionVersion.ts';
import type { Envelope } from '#domain/call.ts';
import { inputSchemas } from '#server/input.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { callsOf, type Called } from '#tests/support/calls.ts';
import { databaseProxy, type DatabaseProxy } from '#tests/support/databaseProxy.ts';
import { withRaised } from '#tests/support/faults.ts';
import { fixedRoutes } from '#tests/support/features.ts';
import { createSample } from '#tests/support/hostile.ts';

let testApp: TestApp;
let wire: DatabaseProxy;
let calls: Called[];
let token: string;
let secret: string;
beforeAll(async () => {
  const way = async (url: string) => {
    wire = await databaseProxy(url);
    return wire.url;
  };
  testApp = await startTestApp({ captcha: true }, { way });
  calls = callsOf(testApp);
  token = await testApp.openToken('admin');
  secret = await testApp.openSecret();
});
afterAll(async () => {
  await testApp.close();
  await wire.close();
});

/** An input that the call takes, so that it goes on to its work. */
function inputOf({ method, url }: Called): Record<string, unknown> {
  const call = fixedRoutes.map((it) => it.call).find((it) => it.method === method && it.path === url);
  const schema = call && inputSchemas(call)[method === 'GET' ? 'querystring' : 'body'];
  return schema ? (createSample(schema) as Record<string, unknown>) : {};
}

async function ask(called: Called, lang: 'zh' | 'en' = 'en') {
  const { method, path } = called;
  const input = inputOf(called);
  const query = method === 'GET' && !Array.isArray(input) ? input : {};
  const reply = await testApp.app.inject({
    method,
    url: path.replace(/:\w+/g, '1'),
    query: { ...Object.fromEntries(Object.entries(query).map(([name, it]) => [name, String(it)])), lang },
    ...((method === 'POST' || method === 'PUT') && { payload: input }),
    headers: { token, authorization: `Bearer ${secret}` },
  });
  const isJson = String(reply.headers['content-type']).includes('json');
  const { code = '', msg = '' } = isJson ? reply.json<Partial<Envelope>>() : {};
  return { status: reply.statusCode, code, msg, retryAfter: reply.headers['retry-after'] };
}

/** Asks calls; what was answered otherwise than with a clear 503. */
async function walked(
  sentence: RegExp,
  calls: readonly Called[],
): Promise<{ unavailable: number; others: Record<string, string[]> }> {
  let unavailable = 0;
  const others: Record<string, string[]> = {};
  for (const it of calls) {
    const { status, code, msg, retryAfter } = await ask(it);
    const isClear = status === 503 && code === '000503' && sentence.test(msg) && /^[1-9]\d*$/.test(String(retryAfter));
    if (isClear) unavailable += 1;
    else (others[`${status} ${code}`] ??= []).push(`${it.method} ${it.path}`);
  }
  return { unavailable, others };
}

describe('while the database is down', () => {
  it('every call says so with a 503, none with a 500, and none signs anybody out', async () => {
    await wire.cut();
    const { unavailable, others } = await walked(/^The database does not answer/, calls);
    await wire.mend();
    // What it says the server has in memory.
    const inMemory = [`${definitionVersion.method} ${definitionVersion.path}`];
    expect(others).toEqual({ '200 000000': inMemory });
    expect(unavailable).toBe(calls.length - inMemory.length);
    expect(calls.length).toBeGreaterThan(300);
  });

  it('a login says so as well, and not that the password is wrong', async () => {
    const open = await startTestApp({ captcha: false });
    await open.openToken('tech');
    await open.db.destroy();
    const answer = await open.app.inject({
      method: 'POST',
      url: '/api/login.json',
      query: { lang: 'en' },
      payload: { userId: 'tech', password: 'Reflow#2026' },
    });
    expect([answer.statusCode, answer.json<Envelope>().code]).toEqual([503, '000503']);
    await open.close();
  });

  it('the server lives, and says that it is not ready and why', async () => {
    const look = async (url: string) => {
      const { statusCode, body } = await testApp.app.inject({ url, remoteAddress: '127.0.0.1' });
      return { statusCode, body };
    };
    await wire.cut();
    expect(await look('/healthz')).toMatchObject({ statusCode: 200 });
    expect(await look('/metrics')).toMatchObject({ statusCode: 200 });
    const told = { statusCode: 503, body: expect.stringContaining('databaseDown') as string };
    expect(await look('/readyz')).toMatchObject(told);
    await wire.mend();
    await vi.waitUntil(async () => !(await look('/readyz')).body.includes('databaseDown'));
  });

  it('the way back is found by itself, at once', async () => {
    const list = {
      method: 'GET',
      path: '/api/rmaCheckBill/pager.json',
      url: '',
      rights: [],
      streams: false,
    } satisfies Called;
    await wire.cut();
    expect((await ask(list)).status).toBe(503);
    await wire.mend();
    expect(await ask(list)).toMatchObject({ status: 200, code: '000000' });
  });
});

/** One of each way in which a call may go on after an error; what each class means stands in `missing.test.ts`. */
const classes: Record<string, RegExp> = {
  '53100': /disk of the database is full/,
  '53300': /connections of the database are in use/,
  '57P01': /^The database does not answer/,
  '40P01': /busy/,
};

describe.each(Object.entries(classes))('while every statement ends with %s', (sqlState, sentence) => {
  it('once the session was read, the work of no call is a 500', async () => {
    const isWork = (text: string) => !/table_change|"?tokenHash"?|^(BEGIN|COMMIT|ROLLBACK)/i.test(text);
    // A stream is there without any, and has no end.
    const asked = calls.filter((it) => !it.streams);
    const { unavailable, others } = await withRaised(sqlState, isWork, () => walked(sentence, asked));
    // What is refused before anything is asked, or was kept, needs no database.
    const bad = Object.entries(others).filter(([it]) => /^(401|5\d\d) /.test(it));
    expect(bad).toEqual([]);
    expect(unavailable).toBeGreaterThan(200);
  });
});
