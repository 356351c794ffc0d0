import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '#server/root.ts';

export interface RunningServer {
  base: string;
  /** From starting the process to its first ready answer, database included. */
  coldStartMs: number;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the built server on this data, as `npm start` does, and waits until it is ready. */
export async function startBuiltServer(env: Record<string, string>): Promise<RunningServer> {
  const port = 3400 + Math.floor(Math.random() * 500);
  const base = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', join(ROOT, 'dist/server/main.js')], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), CAPTCHA: 'off', DEMO: 'on', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await ready(base, child);
  const coldStartMs = performance.now() - began;
  return { base, coldStartMs, pid: child.pid as number, stop: () => ended(child) };
}

async function ready(base: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null)
      throw new Error(`The server ended with ${child.exitCode}; run npm start once to see why`);
    const isReady = await fetch(`${base}/readyz`).then(
      (it) => it.ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error('The server was not ready within two minutes');
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.once('exit', () => done());
    child.kill('SIGTERM');
  });
}

/** A session of the user, as the login page opens it. */
export async function login(base: string, userId: string, password: string): Promise<string> {
  const reply = await fetch(`${base}/api/login.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ userId, password, captcha: '', uuid: '' }),
  });
  const { code, msg, data } = (await reply.json()) as { code: string; msg: string; data: { token: string } };
  if (code !== '000000') throw new Error(`${userId} can't sign in: ${msg}`);
  return data.token;
}
