import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { UNHURRIED } from '#tests/support/unhurried.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Data that journeys change, or those of a fixed day, of which pictures are taken. */
export type Data = 'journeys' | 'pictures';
const DEMO_AT = { journeys: '', pictures: '2026-06-17T06:00:00Z' };

export interface Server {
  url: string;
  dataDir: string;
  /** Where the server takes a label printer to be, called `bench-1`; nobody listens there yet. */
  printerPort: number;
}
interface Running extends Server {
  stop: () => Promise<void>;
}

/** A server of one's own, on a copy of the demo data. */
export async function startServer(data: Data, name: string): Promise<Running> {
  const folder = process.env['E2E_FOLDER'];
  if (!folder) throw new Error('Journeys need a folder for their data: run them by npm run e2e');
  const dataDir = join(folder, name);
  // The database's files belong to a user of their own, where we are root.
  execFileSync('cp', ['-a', await prepare(folder, data), dataDir]);
  const server = await start(data, dataDir);
  return {
    ...server,
    stop: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Makes the demo data when nobody has yet. */
async function prepare(folder: string, data: Data): Promise<string> {
  const made = join(folder, data);
  const making = `${made}.making`;
  while (!existsSync(made)) {
    if (!isFirst(making)) {
      await pause(100);
      continue;
    }
    try {
      if (existsSync(made)) break;
      const dataDir = join(making, data);
      const server = await start(data, dataDir);
      await server.stop();
      makeForgetful(join(dataDir, 'db'));
      renameSync(dataDir, made);
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
  }
  return made;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
  } catch {
    return false;
  }
  // As root, the database runs as another user, who must pass through.
  chmodSync(folder, 0o755);
  return true;
}

/** Nobody misses the data after a power cut. */
function makeForgetful(cluster: string): void {
  const file = join(cluster, 'postgresql.conf');
  if (!existsSync(file)) return;
  const settings = ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off'];
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n${settings.join('\n')}\n`);
}

async function start(data: Data, dataDir: string): Promise<Running> {
  const printerPort = await freePort();
  const child = spawn(process.execPath, ['--enable-source-maps', join(ROOT, 'dist/server/main.js')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...{ HOST: '127.0.0.1', PORT: '0', NODE_ENV: 'test', DATABASE_URL: '', DATA_DIR: dataDir },
      ...{ DEMO: 'on', DEMO_AT: DEMO_AT[data], CAPTCHA: 'off', LOG_LEVEL: 'warn' },
      // A busy machine is no fault of the product.
      ...{ ...UNHURRIED, EXPORT_WAIT_MS: '60000' },
      LABEL_PRINTERS: `bench-1=127.0.0.1:${printerPort}/203,bench-off=127.0.0.1:1/300`,
    },
  });
  let said = '';
  const url = await new Promise<string>((found, fail) => {
    child.stdout.on('data', (part: Buffer) => {
      said += part.toString();
      const at = /Reflow is at (\S+)/.exec(said)?.[1];
      if (at) found(at);
    });
    child.once('error', fail);
    child.once('exit', () => fail(new Error(`The server ended before it was ready: ${said}`)));
  });
  while (!(await fetch(`${url}/readyz`)).ok) await pause(100);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    // Its database is stopped by whoever made the folder.
    // eslint-disable-next-line no-restricted-globals -- a last resort
    const giveUp = setTimeout(() => child.kill('SIGKILL'), 30_000);
    await gone;
    clearTimeout(giveUp);
  };
  return { url, dataDir, printerPort, stop };
}

/**
 * Below the range from which systems take ports for outgoing connections and for servers that leave the choice to them
 * (32,768 on Linux): nobody takes it before somebody listens there.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const isFree = await new Promise((done) => {
      const server = createServer().on('error', () => done(false));
      server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
    });
    if (isFree) return port;
  }
}

// eslint-disable-next-line no-restricted-globals -- between two looks at what another process does
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
