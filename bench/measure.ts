import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import autocannon from 'autocannon';
import pg from 'pg';

export interface Endpoint {
  url: string;
  stop(): Promise<void>;
}

/** What an answer costs with nothing around it: `node:http`, one pool of 10, prepared statements. */
export async function startBare(
  databaseUrl: string,
  answer: (pool: pg.Pool, request: IncomingMessage) => Promise<unknown>,
): Promise<Endpoint> {
  const pool = createPool(databaseUrl, 10);
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(await answer(pool, request));
    response.setHeader('content-type', 'application/json');
    response.end(body);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await pool.end();
    },
  };
}

/** A pool that outlives a database which is stopped first: what failed before is then what is told. */
function createPool(databaseUrl: string, max: number): pg.Pool {
  return new pg.Pool({ connectionString: databaseUrl, max }).on('error', () => undefined);
}

export async function withPool<T>(databaseUrl: string, max: number, use: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = createPool(databaseUrl, max);
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
}

/** How long each of some calls takes at one connection, in ms, shortest first; an answer that is no success ends it. */
export async function measureTimes(
  count: number,
  ask: (i: number) => Promise<{ ok: boolean; text: string }>,
): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    const { ok, text } = await ask(i);
    times.push(performance.now() - began);
    if (!ok) throw new Error(`Not a success: ${text.slice(0, 300)}`);
  }
  return times.sort((a, b) => a - b);
}

export const at = (times: readonly number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] as number;
export const median = (times: readonly number[]): number => at(times, 0.5);

export async function get(url: string, headers: Record<string, string> = {}) {
  const reply = await fetch(url, { headers });
  const text = await reply.text();
  return { ok: reply.ok && !/^\{"code":"(?!000000)/.test(text), text };
}

export async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  return { ok: reply.ok && !/^\{"code":"(?!000000)/.test(text), text };
}

const SECONDS = 6;

export async function perSecond(url: string, headers: Record<string, string> = {}): Promise<number> {
  const result = await autocannon({ url, headers, connections: 50, duration: SECONDS });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were no success`);
  return result.requests.average;
}

/** In kB, as Linux counts it: a process with all its threads. */
export function readRss(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
}
