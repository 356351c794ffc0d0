import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '#server/root.ts';

export interface BodyFigures {
  kind: string;
  sent: number;
  /** `GET /healthz` while they were sent, in ms. */
  maxMs: number;
  p99Ms: number;
  /** How many had which status, or were cut off. */
  answers: Record<string, number>;
}

const AT_ONCE = 50;
const ALONE_MS = 2_000;
const SLOW_MS = 3_000;
const SLOW_STEP_MS = 100;
/** Close to the megabyte that a body may have. */
const SIZE = 900_000;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

interface Hostile {
  kind: string;
  body: string | Buffer;
  type?: string | undefined;
  /** A byte now and then, of a body that is never whole. */
  isSlow?: boolean;
}

const repeated = (text: string, size = SIZE) => text.repeat(Math.floor(size / text.length));
/** As many of them as a body may hold values. */
const most = (text: string, count = 199_000) => Array.from({ length: count }, () => text).join(',');
const numbered = (count: number, of: (n: number) => string, between: string) =>
  Array.from({ length: count }, (_, n) => of(n)).join(between);

const HOSTILE: readonly Hostile[] = [
  { kind: 'nested arrays', body: '['.repeat(SIZE / 2) + ']'.repeat(SIZE / 2) },
  { kind: 'nested objects', body: `${repeated('{"a":', SIZE - 200_000)}1${'}'.repeat((SIZE - 200_000) / 5)}` },
  { kind: 'small values, too many', body: `[${repeated('0,')}0]` },
  { kind: 'small values, as many as may be', body: `{"remark":[${most('0')}]}` },
  { kind: 'empty lines, too many', body: `{"rmaMaintainBillLineList":[${most('{}')}]}` },
  { kind: 'empty lines, as many as may be', body: `{"rmaMaintainBillLineList":[${most('{}', 49_000)}]}` },
  { kind: 'one string', body: JSON.stringify({ remark: repeated('修') }).slice(0, SIZE / 3) + '"}' },
  { kind: 'one string of escapes', body: `{"remark":"${repeated('\\u0000')}"}` },
  { kind: 'one number', body: `{"receivePackageCount":${repeated('9')}}` },
  { kind: 'many names', body: `{${numbered(70_000, (n) => `"n${n}":0`, ',')}}` },
  { kind: 'one name many times', body: `{${repeated('"remark":0,')}"remark":0}` },
  { kind: 'names of prototypes', body: `{${repeated('"__proto__":{},"constructor":{},')}"a":0}` },
  { kind: 'half surrogates', body: `{"remark":"${repeated('\\ud800')}"}` },
  { kind: 'bytes that are no UTF-8', body: Buffer.concat([Buffer.from('{"remark":"'), Buffer.alloc(SIZE, 0xff)]) },
  { kind: 'JSON that never ends', body: `{"remark":"${repeated('a')}` },
  { kind: 'larger than may be', body: `{"remark":"${repeated('a', 3 * SIZE)}"}` },
  { kind: 'a form of many names', type: FORM_TYPE, body: numbered(70_000, (n) => `n${n}=0`, '&') },
  { kind: 'a form of one name', type: FORM_TYPE, body: repeated('remark=0&') },
  { kind: 'a form of percent signs', type: FORM_TYPE, body: `remark=${repeated('%')}` },
  { kind: 'another type: XML', type: 'text/xml', body: repeated('<a>') },
  { kind: 'another type: parts', type: 'multipart/form-data; boundary=x', body: repeated('--x\r\n') },
  { kind: 'no type', type: undefined, body: repeated('[') },
  { kind: 'slow', body: `{"remark":"${repeated('a')}"}`, isSlow: true },
];

/**
 * Whether the server answers `GET /healthz` while bodies come that are made to hold it up: of each kind fifty at once, to a
 * call of somebody who has signed in, and to the login, which anybody may call. The first line is of a server left alone.
 */
export async function measureBodies(base: string, token: string): Promise<BodyFigures[]> {
  const figures = [await watched(base, 'nobody sends anything', () => pause(ALONE_MS, []))];
  for (const it of HOSTILE) {
    for (const [who, path, headers] of [
      ['', '/api/rmaMaintainBill/create.json', { token }],
      [', login', '/api/login.json', {}],
    ] as const) {
      const send = () => Promise.all(Array.from({ length: AT_ONCE }, () => sendBody(`${base}${path}`, it, headers)));
      figures.push(await watched(base, `${it.kind}${who}`, send));
    }
  }
  return figures;
}

async function watched(base: string, kind: string, work: () => Promise<string[]>): Promise<BodyFigures> {
  const probe = fork(join(ROOT, 'bench/probe.mjs'), [`${base}/healthz`], { execArgv: [], serialization: 'advanced' });
  await once(probe, 'message');
  const answers: Record<string, number> = {};
  const answered = await work();
  for (const it of answered) answers[it] = (answers[it] ?? 0) + 1;
  const told = once(probe, 'message') as Promise<[number[]]>;
  probe.send('stop');
  const times = (await told)[0].sort((a, b) => a - b);
  const [maxMs = Infinity] = times.slice(-1);
  return { kind, sent: answered.length, maxMs, p99Ms: times[Math.ceil(times.length * 0.99) - 1] ?? Infinity, answers };
}

/** @returns the status of the answer, or how it ended without one */
function sendBody(url: string, hostile: Hostile, headers: OutgoingHttpHeaders): Promise<string> {
  const { body, isSlow = false } = hostile;
  const type = 'type' in hostile ? hostile.type : JSON_TYPE;
  return new Promise((done) => {
    const asked = request(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': Buffer.byteLength(body), ...(type && { 'content-type': type }) },
    });
    asked.on('response', (reply) => void reply.resume().on('end', () => done(String(reply.statusCode))));
    asked.on('error', () => done('cut off'));
    if (isSlow) void trickle(asked, String(body)).then(() => asked.destroy());
    else asked.end(body);
  });
}

async function trickle(to: NodeJS.WritableStream, body: string): Promise<void> {
  for (let at = 0; at * SLOW_STEP_MS < SLOW_MS && to.writable; at++) {
    to.write(body.charAt(at));
    await pause(SLOW_STEP_MS);
  }
}
