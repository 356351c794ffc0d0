import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { sendToPrinter } from '#server/labelPrinter.ts';

let server: Server;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const it of sockets) it.destroy();
  sockets = [];
  await new Promise((done) => server.close(done));
});

async function listen(meet: (socket: Socket) => void): Promise<{ host: string; port: number }> {
  server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    meet(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}
const LABELS = '^XA^XZ'.repeat(2_000_000);

describe('labels on their way to a printer', () => {
  it('are taken when it has read all of them and closes', async () => {
    let read = '';
    const to = await listen((it) => {
      it.on('data', (part) => (read += part.toString()));
      it.on('end', () => it.end());
    });
    expect(await sendToPrinter(to, '^XA主板^XZ')).toBe('taken');
    expect(read).toBe('^XA主板^XZ');
    expect(sockets).toHaveLength(1);
  });

  it('are unknown when the connection dies in the middle, and are not sent again', async () => {
    const to = await listen((it) => it.once('data', () => it.resetAndDestroy()));
    expect(await sendToPrinter(to, LABELS)).toBe('unknown');
    expect(sockets).toHaveLength(1);
  });

  it('are unknown when the printer closes before it has read all', async () => {
    const to = await listen((it) => it.once('data', () => it.destroy()));
    expect(await sendToPrinter(to, LABELS)).toBe('unknown');
  });

  it.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'are not sent to one that hangs up at once: %s',
    async (how) => {
      const to = await listen((it) => it[how]());
      expect(await sendToPrinter(to, '^XA^XZ')).toBe('notReached');
    },
  );

  it('are unknown when it never reads', async () => {
    const to = await listen((it) => it.pause());
    expect(await sendToPrinter(to, LABELS, { takeMs: 100 })).toBe('unknown');
    expect(await sendToPrinter(to, '^XA^XZ', { takeMs: 100 })).toBe('unknown');
  });

  it('reach nobody where nobody listens', async () => {
    const to = await listen(() => undefined);
    await new Promise((done) => server.close(done));
    expect(await sendToPrinter(to, LABELS)).toBe('notReached');
  });

  it('reach nobody who does not take the connection in time', async () => {
    const busy = new Worker(BUSY, { eval: true });
    const port = await new Promise<number>((done) => busy.once('message', done));
    const to = { host: '127.0.0.1', port };
    const tries = await Promise.all(Array.from({ length: 8 }, () => sendToPrinter(to, LABELS, SOON)));
    // What the system keeps for a listener that is busy was connected, as far as anybody can tell.
    expect(new Set(tries)).toEqual(new Set(['unknown', 'notReached']));
    expect(tries.filter((it) => it === 'notReached').length).toBeGreaterThan(2);
    await busy.terminate();
  });
});

const SOON = { connectMs: 300, takeMs: 1000 };

/** Listens, with room for one, and never takes what comes. */
const BUSY = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;
