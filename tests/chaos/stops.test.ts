import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { findRunning } from '#server/db/embedded.ts';
import { readPidFile } from '#server/db/embedded/postmaster.ts';
import { ROOT } from '#server/root.ts';
import { processesMarked } from '#tests/support/marked.ts';
import { randomFrom } from '#tests/support/stations.ts';

/**
 * The built server is told to stop at random moments while hands write, in each way in which it is run: no write that was
 * answered is lost, no process is left, and the next start is ready.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 6);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
const HANDS = 4;
/** From being ready on. */
const UNTIL_MS = 3_000;
const random = randomFrom(SEED);

const DIRECT = [process.execPath, '--enable-source-maps', 'dist/server/main.js'];
/** What is run, and whether whoever runs it kills all that is left as soon as it ended (systemd's KillMode=mixed). */
const ways: Record<string, { words: string[]; isMixed: boolean }> = {
  'npm start': { words: ['npm', 'start'], isMixed: false },
  'node dist/server/main.js': { words: DIRECT, isMixed: false },
  'KillMode=mixed': { words: DIRECT, isMixed: true },
};

let folder: string;
const answered: string[] = [];
let sent = 0;
/** What was said last of a write that was refused; while the server stops, that it does. */
let refused = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reflow-stops-'));
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Started {
  child: ChildProcess;
  url: string;
  said(): string;
}

async function start(words: string[]): Promise<Started> {
  const [program = '', ...args] = words;
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], REFLOW_MARK: folder, DATA_DIR: folder };
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...env, PORT: '0', HOST: '127.0.0.1', CAPTCHA: 'off', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const it of [child.stdout, child.stderr]) it?.on('data', (part: Buffer) => (said += part.toString()));
  const address = () => /Reflow is at (\S+)/.exec(said)?.[1];
  await vi.waitUntil(() => address() ?? (child.exitCode !== null || child.signalCode !== null), {
    timeout: 300_000,
    interval: 20,
  });
  expect([said, address() !== undefined]).toEqual([said, true]);
  return { child, url: address() ?? '', said: () => said };
}

async function call(url: string, path: string, body: unknown, token = ''): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', token };
  const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await reply.json()) as Record<string, unknown>;
}

/** Writes one after the other until the server is gone. */
async function write(url: string, token: string, salesCode: string): Promise<void> {
  for (;;) {
    const receiveShipNo = `STOP${sent++}`;
    const line = { type: '0', salesCode, count: 1 };
    const bill = { receiveShipNo, userName: '宁远矿业', mobile: '13800000000', rmaMaintainBillLineList: [line] };
    const reply = await call(url, '/api/rmaMaintainBill/create.json', bill, token).catch(() => null);
    if (!reply) return;
    if (reply['code'] === '000000') answered.push(receiveShipNo);
    else refused = JSON.stringify(reply);
  }
}

/** Of the database of the running server. */
async function rowsOf<Row extends object>(text: string): Promise<Row[]> {
  const running = await findRunning({ dataDir: folder, root: ROOT, log: () => undefined });
  const client = new pg.Client({ connectionString: running?.url });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

/** Of the bills that were answered, those that are not there, and those that are there twice. */
async function findFaults(): Promise<string[]> {
  const rows = await rowsOf<{ no: string; count: number }>(
    `SELECT "receiveShipNo" AS no, count(*)::int AS count FROM rma_maintain_bill WHERE "receiveShipNo" LIKE 'STOP%' GROUP BY 1`,
  );
  const counts = new Map(rows.map((it) => [it.no, it.count]));
  return [...answered.filter((it) => !counts.has(it)), ...rows.filter((it) => it.count > 1).map((it) => it.no)];
}

const left = () => [...processesMarked(`REFLOW_MARK=${folder}`), ...[readPidFile(join(folder, 'db'))].filter(Boolean)];

it(
  `told to stop at ${ROUNDS} moments, it loses nothing and leaves nobody (seed ${SEED})`,
  { timeout: 7_200_000 },
  async () => {
    const names = Object.keys(ways);
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const name = names[round % names.length] ?? '';
      const { words = [], isMixed = false } = ways[name] ?? {};
      const began = performance.now();
      const { child, url, said } = await start(words);
      expect([name, round, await findFaults()]).toEqual([name, round, []]);
      const ready = await fetch(`${url}/readyz`);
      expect([name, round, ready.status, await ready.text()]).toEqual([name, round, 200, expect.anything()]);
      const login = await call(url, '/api/login.json', { userId: 'office', password: 'Reflow#2026' });
      const { token } = login['data'] as { token: string };
      const [{ salesCode } = { salesCode: '' }] = await rowsOf<{ salesCode: string }>(
        `SELECT "salesCode" FROM rma_maintain_bill_line WHERE type = '0' ORDER BY "mtblId" LIMIT 1`,
      );
      const written = answered.length;
      const hands = Array.from({ length: HANDS }, () => write(url, token, salesCode));
      await vi.waitUntil(() => answered.length > written || refused !== '', { timeout: 60_000, interval: 5 });
      await wait(Math.floor(random() * UNTIL_MS));
      const exited = once(child, 'close');
      process.kill(child.pid ?? 0, 'SIGTERM');
      await exited;
      const others = left();
      if (isMixed)
        for (const it of processesMarked(`REFLOW_MARK=${folder}`)) process.kill(Number.parseInt(it, 10), 'SIGKILL');
      expect([name, round, others, said()]).toEqual([name, round, [], expect.stringContaining('Stopped.')]);
      await Promise.all(hands);
      expect([refused, answered.length > written]).toEqual([refused, true]);
      took.push(Math.round(performance.now() - began));
    }
    const last = await start(DIRECT);
    expect(await findFaults()).toEqual([]);
    // The control: a write that never was is found missing.
    answered.push('STOP-NEVER');
    expect(await findFaults()).toEqual(['STOP-NEVER']);
    const ended = once(last.child, 'close');
    last.child.kill('SIGTERM');
    await ended;
    process.stdout.write(`${answered.length - 1} writes of ${sent} answered; rounds took ${took.join(', ')} ms\n`);
  },
);
