import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addBodyParsers, countAnswers, IncomingRequest } from '#server/bodies.ts';
import { readInput, type Schema } from '#server/readInput.ts';

it('of large bodies that come at once, whatever their type, one is read, and then others have some turns of the event loop', async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  const app = Fastify();
  addBodyParsers(app);
  const turns: number[] = [];
  app.post('/', async () => void turns.push(turn));
  await app.ready();
  setImmediate(count);
  const remark = 'a'.repeat(20_000);
  const send = (type: string, payload: string) =>
    app.inject({ method: 'POST', url: '/', headers: { 'content-type': type }, payload });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? send('application/json', JSON.stringify({ remark }))
        : send('application/x-www-form-urlencoded', `remark=${remark}`),
    ),
  );
  isOver = true;
  expect(answers.map((it) => it.statusCode)).toEqual(answers.map(() => 200));
  const gaps = turns.slice(1).map((it, i) => it - (turns[i] ?? 0));
  expect(gaps).toHaveLength(19);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5);
  await app.close();
});

it('of a list that is too long no more is read than shows it', () => {
  const list = (maxItems: number) => ({ type: 'array', maxItems, items: { type: 'string' } });
  const read = (schema: Schema) =>
    readInput(
      { type: 'object', properties: { sns: schema } },
      { sns: [1, 2, 3, 4, 5] },
      '/api/rmaInventory/find.json',
      () => undefined,
    );
  expect(read(list(2))).toEqual({ sns: ['1', '2', '3'] });
  expect(read({ anyOf: [list(2), list(3)] })).toEqual({ sns: ['1', '2', '3', '4'] });
  expect(read({ type: 'array', items: { type: 'string' } })).toEqual({ sns: ['1', '2', '3', '4', '5'] });
});

it('of a form is read exactly: a plus sign is a space, a quoted one itself', async () => {
  const app = Fastify();
  addBodyParsers(app);
  app.post('/', async (request) => request.body);
  const answer = await app.inject({
    ...{ method: 'POST', url: '/', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    payload: 'remark=a+b%2Bc++%E7%AE%97&sn+1=%20',
  });
  expect(answer.json()).toEqual({ remark: 'a b+c  算', 'sn 1': ' ' });
  await app.close();
});

/** What a server says to bytes that come at once, and which requests reached it. */
async function answered(bytes: string): Promise<{ said: string; reached: string[] }> {
  const app = Fastify({ http: { IncomingMessage: IncomingRequest } });
  addBodyParsers(app);
  countAnswers(app.server);
  app.addContentTypeParser('multipart/form-data', (_, payload, done) => {
    payload.resume().on('end', () => done(null));
  });
  const reached: string[] = [];
  app.all('/*', async (request) => {
    reached.push(request.url);
    await new Promise(setImmediate);
    return request.url;
  });
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(address.port), '127.0.0.1', () => socket.write(bytes));
  socket.on('error', () => {});
  const said = await new Promise<string>((done) => {
    let all = '';
    socket.on('data', (it) => (all += it.toString()));
    socket.on('close', () => done(all));
  });
  await app.close();
  return { said, reached };
}

describe('a connection', () => {
  const asked = (count: number) =>
    Array.from({ length: count }, (_, n) => `GET /${n} HTTP/1.1\r\nhost: x\r\n\r\n`).join('');
  const last = 'GET /last HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

  it('may ask a few times without waiting, and is answered in order', async () => {
    const { said, reached } = await answered(asked(7) + last);
    expect(reached).toEqual(['/0', '/1', '/2', '/3', '/4', '/5', '/6', '/last']);
    expect([...said.matchAll(/\r\n\r\n(\/\d|\/last)/g)].map(([, it]) => it)).toEqual(reached);
  });

  it('that asks and asks is cut off, and no more of it is read', async () => {
    const { reached } = await answered(asked(1000) + last);
    expect(reached.length).toBeLessThanOrEqual(8);
  });

  it('may ask as often as it likes when it waits for each answer', async () => {
    const app = Fastify({ http: { IncomingMessage: IncomingRequest } });
    countAnswers(app.server);
    app.get('/', async () => 'ok');
    const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<Socket>();
    for (let n = 0; n < 50; n++) {
      const request = get(address, { agent });
      request.once('socket', (it) => sockets.add(it));
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      expect(await text(answer)).toBe('ok');
    }
    expect(sockets.size).toBe(1);
    agent.destroy();
    await app.close();
  });
});

describe('an upload', () => {
  const parts = (count: number, boundary: string) =>
    `${`--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n`.repeat(count)}--${boundary}--\r\n`;
  const upload = (type: string, body: string) =>
    answered(
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; ${type}\r\ncontent-length: ${body.length}\r\n` +
        `connection: close\r\n\r\n${body}`,
    );

  it('is taken with as many parts as any call takes, and a few too many are for the call to refuse', async () => {
    expect((await upload('boundary=----WebKitX', parts(40, '----WebKitX'))).reached).toEqual(['/']);
    expect((await upload('boundary="a b"', parts(40, 'a b'))).reached).toEqual(['/']);
  });

  it('of more parts is cut off, however its boundary is written', async () => {
    for (const type of [
      'boundary=XX',
      'boundary="XX"',
      'Boundary=XX',
      'charset=utf-8; boundary=XX',
      'boundary=XX; boundary=YY',
    ])
      expect(await upload(type, parts(1000, 'XX')), type).toEqual({ said: '', reached: [] });
  });

  it('may hold what looks like a boundary in its file', async () => {
    const body = `--XX\r\ncontent-disposition: form-data; name="a"\r\n\r\n${'\r\n-----'.repeat(1000)}\r\n--XX--\r\n`;
    expect((await upload('boundary=XX', body)).reached).toEqual(['/']);
  });
});

describe('a body that comes in pieces', () => {
  let app: FastifyInstance;
  let address: URL;
  beforeAll(async () => {
    app = Fastify({ http: { IncomingMessage: IncomingRequest } });
    addBodyParsers(app);
    app.post('/', async (request) => String((request.body as { remark: string }).remark.length));
    address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  });
  afterAll(() => app.close());

  /** So many of that size, and whether it was taken. */
  async function sent(count: number, size: number): Promise<boolean> {
    const piece = `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`;
    const parts = ['b\r\n{"remark":"\r\n', piece.repeat(count), '2\r\n"}\r\n', '0\r\n\r\n'];
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n';
    const socket = connect(Number(address.port), '127.0.0.1', () =>
      socket.write(`${head}connection: close\r\n\r\n${parts.join('')}`),
    );
    socket.on('error', () => {});
    const said = await new Promise<string>((done) => {
      let all = '';
      socket.on('data', (it) => (all += it.toString()));
      socket.on('close', () => done(all));
    });
    return said.endsWith(String(count * size));
  }

  it('is taken in large ones, however many, and in a few of any size', async () => {
    expect(await sent(1_500, 600)).toBe(true);
    expect(await sent(200, 1)).toBe(true);
  });

  it('is cut off in crumbs, as each costs what a large one does', async () => {
    expect(await sent(2_000, 1)).toBe(false);
    expect(await sent(20_000, 20)).toBe(false);
    expect(await sent(2_000, 300)).toBe(false);
  });

  it('that is cut off is read no further, and what reads it serves the next connection', async () => {
    const push = vi.spyOn(IncomingRequest.prototype, 'push');
    expect(await sent(9_000, 1)).toBe(false);
    expect(push.mock.calls.length).toBeLessThan(300);
    push.mockRestore();
    expect(await sent(1_500, 600)).toBe(true);
  });
});
