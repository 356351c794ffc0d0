import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stream } from '#domain/call.ts';
import { Refusal } from '#domain/refusal.ts';
import { BEAT_MS } from '#domain/streams.ts';
import type { CurrentUser } from '#server/context.ts';
import { MAX_STREAMS, type Reader, type StreamRoute, streamsPlugin } from '#server/streams/plugin.ts';

const call = (path: `/${string}`) =>
  stream({ path, right: 'signedIn', why: 'Nothing is told', input: Type.Object({}), data: Type.Unknown() });

let app: FastifyInstance;
let address: string;
/** Who has a session; a site of its own for each. */
let sessions: Map<string, string>;
let isDown: boolean;
let readers: Reader[];
let beats: number;
let errors: unknown[];
beforeEach(async () => {
  // The beat is ours to give; everything else keeps its time.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  [sessions, isDown, readers, beats, errors] = [new Map([['li', 'SZ']]), false, [], 0, []];
  app = Fastify({ logger: { level: 'error', stream: { write: (it) => errors.push(it) } } });
  app.decorateRequest('who', null);
  app.setErrorHandler((error, _, reply) => {
    const { key } = error instanceof Refusal ? error.problems[0] : { key: 'fault' };
    return reply.code(key === 'noSession' ? 401 : 429).send({ key });
  });
  const watch: StreamRoute['watch'] = (_, __, reader) => {
    readers.push(reader);
    reader.notify('first');
    return () => void readers.splice(readers.indexOf(reader), 1);
  };
  await app.register(streamsPlugin, {
    sources: ['/one', '/other'].map((path) => ({
      routes: [{ call: call(path as '/one'), watch }],
      beat: () => void (beats += 1),
      close: () => undefined,
    })),
    enter: async (request) => {
      if (isDown) throw new Error('the database does not answer');
      const userId = String(request.headers['token']);
      const siteId = sessions.get(userId);
      if (!siteId) throw new Refusal({ key: 'noSession' });
      const currentUser = { userId, siteId, rights: new Set<string>() } as unknown as CurrentUser;
      request.setDecorator('who', currentUser);
      return currentUser;
    },
  });
  address = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
  vi.useRealTimers();
});

async function hears(path = '/one', userId = 'li') {
  const leaving = new AbortController();
  const reply = await fetch(address + path, { headers: { token: userId }, signal: leaving.signal });
  const said: string[] = [];
  let isOver = false;
  const read = async () => {
    for await (const part of reply.body ?? []) said.push(...Buffer.from(part).toString().split('\n\n').filter(Boolean));
    isOver = true;
  };
  void read().catch(() => undefined);
  const { status, headers } = reply;
  const ended = () => vi.waitUntil(() => isOver);
  return { status, headers, said, ended, leave: () => leaving.abort() };
}
const tell = (event: unknown) => readers.forEach((it) => it.notify(event));
const beat = () => vi.advanceTimersByTime(BEAT_MS);

it('a stream tells at once and then what is news, and that it lives, and no proxy may hold it back', async () => {
  const { headers, said } = await hears();
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(headers.get('x-accel-buffering')).toBe('no');
  tell({ n: 1 });
  beat();
  await vi.waitFor(() => expect(said).toEqual(['data: "first"', 'data: {"n":1}', ':']));
  expect(beats).toBe(2);
});

describe('a stream ends', () => {
  it.each([
    ['without a session', () => sessions.delete('li')],
    ['at another site', () => sessions.set('li', 'NB')],
  ])('at the next beat of who is %s', async (_, happens) => {
    const { ended } = await hears();
    happens();
    beat();
    await ended();
    await vi.waitUntil(() => readers.length === 0);
  });

  it('with the server, which waits for no reader', async () => {
    const all = await Promise.all([hears(), hears('/other')]);
    await app.close();
    await Promise.all(all.map((it) => it.ended()));
    expect(readers).toEqual([]);
  });

  it('not while nobody can say who it is', async () => {
    const { said } = await hears();
    isDown = true;
    beat();
    await vi.waitFor(() => expect(errors).toEqual([expect.stringContaining('sessions of streams')]));
    isDown = false;
    tell('again');
    await vi.waitFor(() => expect(said.at(-1)).toBe('data: "again"'));
  });

  /** A connection of its own, as a reader has it that takes nothing. */
  const stall = async (): Promise<Socket> => {
    const { port } = app.server.address() as AddressInfo;
    const socket: Socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('GET /one HTTP/1.1\r\nhost: reflow\r\ntoken: li\r\n\r\n');
    await vi.waitUntil(() => readers.length === 1);
    return socket;
  };

  it('where more is unread than a server keeps', async () => {
    const socket = await stall();
    await vi.waitUntil(() => {
      tell('x'.repeat(500_000));
      return readers.length === 0;
    });
    socket.destroy();
  });

  it('where nothing is read from one beat to the next', async () => {
    // What is written stays here, however little it is.
    app.server.once('connection', (it: Socket) => Object.assign(it, { _write: () => undefined, _writev: null }));
    const socket = await stall();
    beat();
    expect(readers).toHaveLength(1);
    beat();
    await vi.waitUntil(() => readers.length === 0);
    socket.destroy();
  });
});

it('a user has a bounded number of them, whatever they tell', async () => {
  sessions.set('wu', 'SZ');
  const all = await Promise.all(Array.from({ length: MAX_STREAMS }, (_, i) => hears(i % 2 ? '/one' : '/other')));
  expect(all.map((it) => it.status)).toEqual(all.map(() => 200));
  expect((await hears()).status).toBe(429);
  expect((await hears('/one', 'wu')).status).toBe(200);
  all[0]?.leave();
  await vi.waitUntil(async () => (await hears('/other')).status === 200);
});
