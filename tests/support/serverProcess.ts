import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'vitest';
import { openDatabase, type Database } from '#server/db/pool.ts';
import { ROOT } from '#server/root.ts';
import { openSession } from '#server/session/sessions.ts';
import { UNHURRIED } from '#tests/support/unhurried.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { serverBundle } from '../../scripts/lib/serverBundle.mjs';

/** The server as it is deployed: its program, a process of its own, a port. */
export interface ServerProcess {
  url: string;
  pid: number;
  /** What it has said by now. */
  said(): string;
  /** As a power cut does it: no time to finish anything. */
  kill(): Promise<void>;
  /** As Ctrl+C does it. */
  stop(): Promise<void>;
}

export interface Workshop {
  database: Database;
  /** Of its database. */
  url: string;
  /** Where the servers keep their files. */
  dataDir: string;
  /** Opens a session of the user, whatever server it is used at. */
  openToken(userId: string): Promise<string>;
  start(env?: Record<string, string>): Promise<ServerProcess>;
  /** Ends every server and takes the database away. */
  close(): Promise<void>;
}

/** A database with the world of `world.ts`, and as many servers on it as are started. */
export async function openWorkshop(): Promise<Workshop> {
  const file = await bundle();
  const { url, drop } = await createTestDatabase({ template: inject('template') });
  const database = openDatabase(url, 'Asia/Shanghai', { size: 4, patience: 10 });
  const dataDir = mkdtempSync(join(tmpdir(), 'reflow-process-'));
  const running = new Set<ServerProcess>();
  const tokens = new Map<string, Promise<string>>();

  return {
    database,
    url,
    dataDir,
    openToken: (userId) => {
      const known =
        tokens.get(userId) ?? openSession(database.db, { userId, began: 'password', ip: '127.0.0.1', days: 1 });
      tokens.set(userId, known);
      return known;
    },
    start: async (env = {}) => {
      const server = await startProcess(file, { DATABASE_URL: url, DATA_DIR: dataDir, ...env });
      running.add(server);
      return server;
    },
    close: async () => {
      await Promise.all([...running].map((it) => it.kill()));
      await database.close();
      await drop();
      const built = ['.js', '.js.map', '.jobs.js', '.jobs.js.map'].map((it) => file.replace(/\.js$/, it));
      for (const it of [dataDir, ...built]) rmSync(it, { recursive: true, force: true });
    },
  };
}

/** Made anew each time, which takes less than finding out whether it is fresh; inside the clone, as it looks for it. */
async function bundle(): Promise<string> {
  const folder = join(ROOT, '.cache', 'test-server');
  mkdirSync(folder, { recursive: true });
  const name = `main-${process.pid}`;
  await build(serverBundle(folder, name));
  return join(folder, `${name}.js`);
}

async function startProcess(file: string, env: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      HOST: '127.0.0.1',
      CAPTCHA: 'off',
      LOG_LEVEL: 'silent',
      ...UNHURRIED,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal);
    await exited;
  };
  let said = '';
  const url = await new Promise<string>((done, fail) => {
    const onOutput = (part: Buffer) => {
      said += part.toString();
      const found = /Reflow is at (\S+)/.exec(said);
      if (found?.[1]) done(found[1]);
    };
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    void exited.then(([code]) => fail(new Error(`The server ended with ${String(code)}:\n${said}`)));
  });
  return { url, pid: child.pid as number, said: () => said, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}
