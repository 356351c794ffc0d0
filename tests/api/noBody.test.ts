import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '#domain/call.ts';
import { inputSchemas } from '#server/input.ts';
import { fileCalls } from '#server/uploads/moduleCalls.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { callsOf, type Called } from '#tests/support/calls.ts';
import { fixedRoutes, genericActions } from '#tests/support/features.ts';
import { inputPositions, trees } from '#tests/support/hostile.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import { tries, turnOf } from '#tests/support/tries.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp?.close());

const endsSession = (path: string) => path === '/rest/session' || path.endsWith('logout.json');

describe('a call without a body, under a key of its own or none', () => {
  const calls = fixedRoutes.map((it) => it.call).filter((it) => it.method !== 'GET');

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

/** What is sent, of what type it says that it is. */
const bodies: readonly (readonly [type: string | undefined, body: string | undefined])[] = [
  [undefined, undefined],
  [undefined, '{}'],
  ['application/json', ''],
  ['application/json', '{}'],
  ['application/json', 'null'],
  ['application/json', '[]'],
  ['application/json', '"id"'],
  ['application/json', '0'],
  ['application/json', '{"id":'],
  ['application/json; charset=utf-16', '{}'],
  ['text/plain', '{}'],
  ['text/html', '<p>'],
  ['application/xml', '<id/>'],
  ['application/x-www-form-urlencoded', 'id='],
  ['application/octet-stream', '\u0000'],
  ['multipart/form-data', '{}'],
  ['multipart/form-data; boundary=x', ''],
  ['multipart/form-data; boundary=x', '--x--\r\n'],
  ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\na\r\n--x--\r\n'],
  ['no type', '{}'],
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

describe('a call of the engine without anything, or with what is no input', () => {
  it('has no fault and writes nothing, by whatever method, type and key', async () => {
    const calls = callsOf(testApp).filter((it) => it.url.startsWith('/api/:module/'));
    const token = await testApp.openToken('admin');
    const failed: string[] = [];
    let asked = 0;
    const ask = async (path: string, method: (typeof methods)[number], i: number, key: string | undefined) => {
      const [type, payload] = bodies[i] as (typeof bodies)[number];
      const headers = { token, ...(type && { 'content-type': type }), ...(key && { 'idempotency-key': key }) };
      const reply = await testApp.app.inject({ method, url: path, headers, ...(payload !== undefined && { payload }) });
      asked += 1;
      if (reply.statusCode >= 500) failed.push(`${method} ${path} ${type} ${payload} ${key}: ${reply.body}`);
    };
    let before = await takeSnapshot(testApp.db);
    for (const [n, { method: own, path, url }] of calls.entries()) {
      // Every body and method at the first module of each call; the others take turns.
      const isFirst = calls.findIndex((it) => it.url === url) === n;
      const turn = <It>(all: readonly It[]) => (isFirst ? all : turnOf(all, n, 5));
      for (const method of new Set([own, ...turn(methods)]))
        for (const i of method === own ? turn([...bodies.keys()]) : [0, 3]) {
          await ask(path, method, i, undefined);
          if (method === own && own !== 'GET') await ask(path, method, i, `${path} ${i}`);
        }
      const after = await takeSnapshot(testApp.db);
      // An export that takes long is a job.
      const isKept = (table: string) =>
        after[table] === before[table] || (table === 'job' && url.endsWith('/export.json'));
      const changed = Object.keys(after).filter((it) => !isKept(it));
      if (changed.length > 0) failed.push(`${path} wrote ${changed.join()}`);
      before = after;
    }
    expect(asked).toBeGreaterThan(5000);
    expect(failed).toEqual([]);
    expect(new Set(calls.map((it) => it.url)).size).toBe(genericActions.length + fileCalls.length);
  });
});

describe('a call with whatever comes', () => {
  /** Of a fixed call one of its places holds it, so that the rest of the input is taken; a generic one is sent it as it is. */
  function inputsOf({ method, url, path }: Called): fc.Arbitrary<object> {
    const call = fixedRoutes.map((it) => it.call).find((it) => it.method === method && it.path === url);
    const schema = call && inputSchemas(call)[method === 'GET' ? 'querystring' : 'body'];
    const positions = schema ? inputPositions(schema) : [];
    const definition = testApp.model.definitions.get(path.split('/')[2] ?? '');
    const some = trees(['id', 'ids', 'version', 'sortBy', ...Object.keys(definition?.fields ?? {})]);
    if (positions.length === 0) return some;
    return fc.tuple(fc.constantFrom(...positions), some).map(([at, it]) => at.with(it) as object);
  }
  const asText = (it: unknown) => (typeof it === 'string' ? it : JSON.stringify(it)) ?? '';

  it('has no fault, at any call', async () => {
    // A stream has no end, and whoever has signed out asks nothing more.
    const isAsked = ({ path, streams }: Called) => !endsSession(path) && !streams;
    const all = callsOf(testApp).filter(isAsked);
    // Every fixed call, and every generic one at each third module.
    const isFirst = ({ url }: Called, i: number) => all.findIndex((it) => it.url === url) === i;
    const calls = all.filter((it, i) => i % 3 === 0 || isFirst(it, i));
    const headers = { token: await testApp.openToken('admin'), authorization: `Bearer ${await testApp.openSecret()}` };
    const failed: string[] = [];
    for (const called of calls) {
      const { method, path } = called;
      for (const input of fc.sample(inputsOf(called), tries(1))) {
        const isBody = method === 'POST' || method === 'PUT';
        const query = Object.fromEntries(Object.entries(input).map(([name, it]) => [name, asText(it).slice(0, 2000)]));
        const reply = await testApp.app.inject({
          ...{ method, url: path.replace(/:\w+/g, '1'), headers },
          ...(isBody ? { payload: input } : { query }),
        });
        if (reply.statusCode >= 500) failed.push(`${method} ${path} ${JSON.stringify(input)}: ${reply.body}`);
      }
    }
    expect(failed).toEqual([]);
    expect(calls.length).toBeGreaterThan(500);
    expect(new Set(calls.map((it) => it.url))).toEqual(new Set(all.map((it) => it.url)));
  });
});
