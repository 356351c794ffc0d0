import { connect } from 'node:net';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { addBodyParsers, IncomingRequest } from '#server/bodies.ts';
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

describe('a body that comes in pieces', () => {
  /** So many of that size, and whether it was taken. */
  async function sent(count: number, size: number): Promise<boolean> {
    const app = Fastify({ http: { IncomingMessage: IncomingRequest } });
    addBodyParsers(app);
    app.post('/', async (request) => String((request.body as { remark: string }).remark.length));
    const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
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
    await app.close();
    return said.endsWith(String(count * size));
  }

  it('is taken in large ones, however many, and in a few of any size', async () => {
    expect(await sent(2_000, 100)).toBe(true);
    expect(await sent(200, 1)).toBe(true);
  });

  it('is cut off in crumbs, as each costs what a large one does', async () => {
    expect(await sent(2_000, 1)).toBe(false);
    expect(await sent(20_000, 20)).toBe(false);
  });
});
