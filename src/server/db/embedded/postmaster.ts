import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import type { Binaries } from './binaries.ts';
import { urlOf, type Cluster } from './cluster.ts';
import {
  asUser,
  readStartTime,
  cleanEnvironment,
  readCommand,
  pause,
  StartRefused,
  type ClusterLocation,
} from './processes.ts';

export interface Postmaster {
  pid: number;
  port: number;
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=100',
  'shared_buffers=256MB',
  'timezone=UTC',
  'log_timezone=UTC',
  // Before it repairs what a crash left, PostgreSQL would open and flush each file of the folder, which takes seconds.
  ...(process.platform === 'linux' ? ['recovery_init_sync_method=syncfs'] : []),
];
/** For databases of tests, which nobody misses after a power cut. */
const FORGETFUL = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
const LOG_LIMIT = 10_000_000;

interface StartOptions {
  durable: boolean;
  log: (sentence: string) => void;
  /** Any free one where none is given. */
  port?: number;
  /** Beside our own. */
  settings?: readonly string[];
  /** Ends what is still starting. */
  stopping?: AbortSignal;
}

/**
 * The PostgreSQL that a killed server left running on this cluster. It is ours when its process runs on this folder and our
 * password opens it; a `postmaster.pid` that no such process stands behind is removed.
 * @throws StartRefused when it runs but does not let us in within a minute
 */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  let problem = '';
  for (let tries = 0; tries < 300; tries++) {
    const found = readPidFile(cluster.folder);
    if (!found) return null;
    if (!runsOn(found.pid, cluster.folder)) {
      rmSync(join(cluster.folder, 'postmaster.pid'), { force: true });
      return null;
    }
    try {
      if (found.port > 0 && (await dataFolderAt(found.port, cluster)) === cluster.folder) return found;
      problem = 'another database answers at its port';
    } catch (error) {
      problem = (error as Error).message;
      if ((error as { code?: string }).code === '28P01') break;
    }
    await pause(200);
  }
  throw new StartRefused(
    `PostgreSQL (process ${readPidFile(cluster.folder)?.pid}) runs on ${cluster.folder} and does not let us in: ${problem}`,
  );
}

/**
 * Starts PostgreSQL in a process group of its own, so that Ctrl+C in the terminal reaches only the server, which then stops
 * it in its turn; and with a file for its words, so that it outlives a server that is killed.
 * @throws StartRefused with the end of its log when it does not come up
 */
export async function startPostmaster(
  location: ClusterLocation,
  binaries: Binaries,
  cluster: Cluster,
  options: StartOptions,
): Promise<Postmaster> {
  const logFile = join(location.home, 'db.log');
  if (existsSync(logFile) && statSync(logFile).size > LOG_LIMIT) renameSync(logFile, `${logFile}.1`);
  for (let tries = 1; ; tries++) {
    const words = existsSync(logFile) ? statSync(logFile).size : 0;
    const port = options.port ?? (await freePort());
    const pid = await launch(location, binaries, cluster, { ...options, port, logFile });
    if (pid) return { pid, port };
    const said = readFileSync(logFile).subarray(words).toString().trim();
    // The port was taken meanwhile, or the last workers of a killed PostgreSQL are still leaving.
    const isPassing = tries < 20 && !options.stopping?.aborted;
    if (isPassing && /Address already in use|is still in use/.test(said)) await pause(300);
    else throw new StartRefused(`PostgreSQL did not start. ${logFile} ends with:\n${said.slice(-2_000)}`);
  }
}

/** Stops it so that nothing needs recovery; where it does not end in 20 s, the hard way, which loses nothing either. */
export async function stopPostmaster({ pid }: { pid: number }, folder: string): Promise<void> {
  for (const [signal, seconds] of [
    ['SIGINT', 20],
    ['SIGQUIT', 10],
  ] as const) {
    if (!runsOn(pid, folder)) return;
    process.kill(pid, signal);
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(20)) {
      if (!runsOn(pid, folder)) return;
    }
  }
}

/** The pid and port that PostgreSQL wrote into its folder (lines 1 and 4), and whether it is ready (line 8). */
export function readPidFile(folder: string): (Postmaster & { ready: boolean }) | null {
  try {
    const lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    if (!Number.isInteger(pid) || pid <= 0) return null;
    return { pid, port: Number(lines[3] ?? 0), ready: lines[7]?.trim() === 'ready' };
  } catch {
    return null;
  }
}

/** The process is a PostgreSQL on this folder, and not another one that was given its pid. */
export const runsOn = (pid: number, folder: string): boolean =>
  readStartTime(pid) !== null && readCommand(pid).includes(`postgres -D ${folder} `);

async function dataFolderAt(port: number, cluster: Cluster): Promise<string | undefined> {
  const client = new pg.Client({
    connectionString: urlOf(cluster.superuser, port, 'postgres'),
    connectionTimeoutMillis: 3_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`);
    return rows[0]?.folder;
  } finally {
    await client.end();
  }
}

/** @returns its pid when it is ready, `null` when it ended before */
async function launch(
  location: ClusterLocation,
  binaries: Binaries,
  cluster: Cluster,
  options: StartOptions & { port: number; logFile: string },
): Promise<number | null> {
  const own = [`port=${options.port}`, ...SETTINGS, ...(options.durable ? [] : FORGETFUL)];
  const settings = [...own, ...(options.settings ?? [])];
  const words = openSync(options.logFile, 'a', 0o600);
  const child = spawn(binaries.postgres, ['-D', cluster.folder, ...settings.flatMap((it) => ['-c', it])], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', words, words],
    env: cleanEnvironment(),
    ...asUser(location.runAs),
  });
  closeSync(words);
  let ended = false;
  child.on('exit', () => (ended = true));
  child.on('error', () => (ended = true));
  child.unref();
  for (let waited = 0; !ended; waited += 20) {
    const found = readPidFile(cluster.folder);
    if (found?.pid === child.pid && found?.ready) return found.pid;
    if (options.stopping?.aborted) child.kill('SIGINT');
    if (waited > 0 && waited % 10_000 === 0) options.log('PostgreSQL is still repairing what a crash left …');
    await pause(20);
  }
  return null;
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer().on('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
