import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '#domain/call.ts';
import type { refusals } from '#domain/refusal.ts';
import { inputSchemas } from '#server/input.ts';
import { MAX_ROWS } from '#domain/bulk.ts';
import { findLimitPassed, JSON_LIMITS, PUBLIC_BODY_LIMIT } from '#server/bodies.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { fixedRoutes } from '#tests/support/features.ts';
import { createViolations, type Violation } from '#tests/support/hostile.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import { turnOf } from '#tests/support/tries.ts';

let testApp: TestApp;
let before: Record<string, string>;
beforeAll(async () => {
  testApp = await startTestApp();
  await testApp.openSecret();
  before = await takeSnapshot(testApp.db);
});
afterAll(() => testApp?.close());
afterEach(async () => {
  const was = before;
  before = await takeSnapshot(testApp.db);
  expect(before, 'nothing was written').toEqual(was);
});

interface Refused {
  problems: { key: keyof typeof refusals; field?: string; msg: string }[];
}
const CHINESE = /[\u4e00-\u9fff]/;

/** Of a person and of a program: each call looks at its own. */
const bothHeaders = async () => ({
  token: await testApp.openToken('admin'),
  authorization: `Bearer ${await testApp.openSecret()}`,
});

async function ask(method: string, path: string, input: unknown, lang: 'zh' | 'en') {
  const reply = await testApp.app.inject({
    method: method as 'GET',
    url: path,
    query: method === 'GET' ? { ...(input as Record<string, string>), lang } : { lang },
    ...((method === 'POST' || method === 'PUT') && { payload: input as object }),
    headers: await bothHeaders(),
  });
  return { status: reply.statusCode, ...reply.json<Envelope<Refused>>() };
}

let refused = 0;

/** Refused by name, in the words of the language, and never as something that nobody foresaw. */
async function expectRefused(method: string, path: string, { what, input, code, field }: Violation): Promise<void> {
  refused += 1;
  for (const lang of turnOf(['zh', 'en'] as const, refused, 2)) {
    const answer = await ask(method, path, input, lang);
    expect({ what, status: answer.status, code: answer.code }).toEqual({ what, status: 200, code });
    expect(
      answer.data.problems.map((it) => it.field),
      what,
    ).toContain(field);
    for (const { msg } of [answer, ...answer.data.problems]) {
      expect(CHINESE.test(msg), `${what}: ${msg}`).toBe(lang === 'zh');
      expect(msg, what).not.toMatch(/%\{|undefined|\[object/);
    }
  }
}

describe('a fixed call refuses every input that is not its own', () => {
  const calls = fixedRoutes.map((it) => it.call).filter((it) => it.method !== 'DELETE');

  it.each(calls.map((call) => [call.method, call.path, call] as const))('%s %s', async (method, path, call) => {
    const isQuery = method === 'GET';
    const schema = inputSchemas(call)[isQuery ? 'querystring' : 'body'] ?? {};
    const violations = createViolations(schema, isQuery);
    expect(violations.length).toBeGreaterThan(0);
    const filled = path.replace(/:\w+/g, '1');
    for (const violation of violations) await expectRefused(method, filled, violation);
  });

  it.each(calls.filter((it) => it.method === 'POST').map((it) => it.path))(
    'POST %s: a body that is no object',
    async (path) => {
      for (const body of ['[]', '"text"', '7', 'null', '{', '{"a":', '\u0000']) {
        const reply = await testApp.app.inject({
          method: 'POST',
          url: path,
          query: { lang: 'en' },
          payload: body,
          headers: { ...(await bothHeaders()), 'content-type': 'application/json' },
        });
        const { code, msg } = reply.json<Envelope>();
        expect([body, reply.statusCode]).toEqual([body, 200]);
        expect(['100001', '100015'], `${body}: ${msg}`).toContain(code);
      }
    },
  );
});

describe('a body that would keep the server from its other work is refused before anything walks it', () => {
  const send = async (path: string, payload: string, headers: Record<string, string> = {}) => {
    const reply = await testApp.app.inject({
      method: 'POST',
      url: `${path}?lang=en`,
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    });
    return { status: reply.statusCode, ...reply.json<Envelope>() };
  };
  const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);

  it('at each call that anybody may make', async () => {
    const open = fixedRoutes.map((it) => it.call).filter((it) => it.right === 'public' && it.method === 'POST');
    expect(open.length).toBeGreaterThan(2);
    for (const { path } of open) {
      for (const body of [nested(400_000), `"${'x'.repeat(9000)}"`, `{"userId":${nested(5000)}}`]) {
        const answer = await send(path, body);
        expect([path, answer]).toMatchObject([
          path,
          { status: 413, msg: 'Too large: the size cannot exceed 8K; make it smaller and try again' },
        ]);
      }
    }
  });

  it.each([
    ['arrays', nested(500_000)],
    ['objects', nested(150_000, '{"a":', '}').replace('"a":}', '"a":1}')],
    ['arrays in a field', `{"receiveShipNo":${nested(33)}}`],
    ['values', `[${'0,'.repeat(250_000)}0]`],
    ['objects', `[${'{},'.repeat(50_000)}{}]`],
  ])('too many %s', async (_, body) => {
    const headers = { token: await testApp.openToken('admin') };
    const answer = await send('/api/rmaArrivalBill/signFor.json', body, headers);
    expect(answer).toMatchObject({ status: 200, code: '100015', msg: 'The request does not meet the rules' });
  });

  it('and of too many names in one object it is told how many go', async () => {
    const headers = { token: await testApp.openToken('admin') };
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: MAX_ROWS + 1 }, (_, n) => [`n${n}`, 0])));
    const msg =
      'One object of the request holds more than 10000 entries, and no call takes more than 10000 rows at once; ';
    expect(await send('/api/rmaArrivalBill/signFor.json', body, headers)).toMatchObject({
      ...{ status: 200, code: '100015', msg: `${msg}send them in parts` },
    });
  });

  it('and brackets in a text are none, nor is what a quoted quote ends', () => {
    expect(findLimitPassed(JSON.stringify({ a: '['.repeat(1000), b: `\\"${'{'.repeat(1000)}` }))).toBeUndefined();
    expect(findLimitPassed(nested(JSON_LIMITS.depth))).toBeUndefined();
    expect(findLimitPassed(nested(JSON_LIMITS.depth + 1))).toBe('depth');
  });

  it('and a list may be longer than an object may have names', () => {
    const names = (count: number) => `[1,{${'"a":0,'.repeat(count - 1)}"a":0},2]`;
    expect(findLimitPassed(names(MAX_ROWS))).toBeUndefined();
    expect(findLimitPassed(names(MAX_ROWS + 1))).toBe('names');
    // Of a call that anybody may make no body could hold as many.
    expect('{"":0}'.length + 1999 * '"":0,'.length).toBeGreaterThan(PUBLIC_BODY_LIMIT);
    const row = { sn: 'A', list: Array.from({ length: 3000 }, () => ({ a: 1, b: [1, 2] })) };
    expect(findLimitPassed(JSON.stringify(row))).toBeUndefined();
    const rows = (length: number) => JSON.stringify(Array.from({ length }, () => ({ a: 1, b: 2 })));
    expect(findLimitPassed(rows(JSON_LIMITS.nodes - 1))).toBeUndefined();
    expect(findLimitPassed(rows(JSON_LIMITS.nodes))).toBe('nodes');
  });

  it('and of what is wrong in it a hundred faults are told, and of a list that is too long that it is', async () => {
    const headers = { token: await testApp.openToken('admin') };
    const names = Object.fromEntries(Array.from({ length: 1900 }, (_, n) => [`n${n}`, 0]));
    const wrong = await send('/api/rmaArrivalBill/signFor.json', JSON.stringify(names), headers);
    const told = (wrong.data as Refused).problems.length;
    expect(told > 90 && told <= 100, String(told)).toBe(true);
    const lines = `{"rmaMaintainBillLineList":[${'{},'.repeat(40_000)}{}]}`;
    const long = await send('/api/rmaMaintainBill/create.json', lines, headers);
    expect((long.data as Refused).problems).toMatchObject([
      { key: 'tooManyEntries', field: 'rmaMaintainBillLineList' },
    ]);
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    const many = await send('/api/rmaArrivalBill/signFor.json', 'remark=0&'.repeat(90_000), form);
    expect(many).toMatchObject({ status: 200, code: '100001' });
  });

  it('and half a request is not waited for without an end', () => {
    expect(testApp.app.server.requestTimeout).toBe(300_000);
  });
});

it('a form of another site can send text/plain and a cookie, and neither is taken', async () => {
  const token = await testApp.openToken('admin');
  const payload = JSON.stringify({ receiveShipNo: 'SF1', receivePackageCount: 1 });
  const send = (headers: Record<string, string>) =>
    testApp.app.inject({ method: 'POST', url: '/api/rmaArrivalBill/signFor.json?lang=en', payload, headers });
  const plain = await send({ token, 'content-type': 'text/plain' });
  expect(plain.json<Envelope>()).toMatchObject({ code: '100015', msg: 'The request does not meet the rules' });
  const byCookie = await send({ cookie: `token=${token}`, 'content-type': 'application/json' });
  expect(byCookie.statusCode).toBe(401);
});
