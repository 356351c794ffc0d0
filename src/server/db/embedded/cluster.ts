import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { asUser, cleanEnvironment, StartRefused, type ClusterLocation } from './processes.ts';

export const SUPERUSER = 'reflow';

export interface Login {
  user: string;
  password: string;
}

export interface Cluster {
  folder: string;
  /** Whom the cluster was made with: starts it and makes the server's role, and does nothing else. */
  superuser: Login;
}

export const urlOf = ({ user, password }: Login, port: number, database: string): string =>
  `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`;

/**
 * The folder of the database, made when there is none.
 * @throws StartRefused when another major version of PostgreSQL made it, or its password is gone
 */
export async function ensureCluster(
  location: ClusterLocation,
  binaries: Binaries,
  options: { durable: boolean; log: (sentence: string) => void },
): Promise<Cluster> {
  const folder = join(location.home, 'db');
  const passwordFile = join(location.home, 'db.password');
  if (!isComplete(folder)) {
    const password = randomBytes(24).toString('base64url');
    const started = Date.now();
    options.log(`Making the database in ${folder} (PostgreSQL ${binaries.version}, once)`);
    writeFileSync(passwordFile, password, { mode: 0o600 });
    await initialise(location, binaries, password, options.durable);
    options.log(`Made the database in ${((Date.now() - started) / 1000).toFixed(1)} s`);
    return { folder, superuser: { user: SUPERUSER, password } };
  }
  const major = Number(readFileSync(join(folder, 'PG_VERSION'), 'utf8'));
  if (major !== binaries.major) {
    throw new StartRefused(
      `The data in ${folder} were made by PostgreSQL ${major}; this Reflow brings ${binaries.major}. ` +
        `Start the release of Reflow that made them, copy the data out of it and into a new DATA_DIR, ` +
        `or serve the folder with a PostgreSQL ${major} of your own and set DATABASE_URL.`,
    );
  }
  if (!existsSync(passwordFile)) {
    throw new StartRefused(`${passwordFile} is missing, and without it ${folder} does not open. Put it back.`);
  }
  return { folder, superuser: { user: SUPERUSER, password: readFileSync(passwordFile, 'utf8').trim() } };
}

/** initdb writes these two first and last; with both, it came to its end. */
export const isComplete = (folder: string): boolean =>
  existsSync(join(folder, 'PG_VERSION')) && existsSync(join(folder, 'global', 'pg_control'));

async function initialise(
  location: ClusterLocation,
  binaries: Binaries,
  password: string,
  durable: boolean,
): Promise<void> {
  const making = join(location.home, `db.making-${process.pid}`);
  const secret = join(location.home, `db.password-${process.pid}`);
  try {
    mkdirSync(making, { mode: 0o700 });
    writeFileSync(secret, password, { mode: 0o600 });
    if (location.runAs) for (const it of [making, secret]) chownSync(it, location.runAs.uid, location.runAs.gid);
    // The builtin locale is the same on every system; C.UTF-8 of the C library is missing on some.
    const folders = ['-D', making, '-U', SUPERUSER, '--pwfile', secret];
    const kind = [
      '-A',
      'scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ];
    await run(binaries.initdb, [...folders, ...kind, '--no-instructions', ...(durable ? [] : ['--no-sync'])], location);
    renameSync(making, join(location.home, 'db'));
  } finally {
    rmSync(secret, { force: true });
  }
}

function run(program: string, args: string[], location: ClusterLocation): Promise<void> {
  return new Promise((done, fail) => {
    let said = '';
    // In a process group of its own: Ctrl+C would leave a database half made.
    const child = spawn(program, args, {
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...asUser(location.runAs),
      env: cleanEnvironment(),
    });
    child.stdout.on('data', (part: Buffer) => (said += part.toString()));
    child.stderr.on('data', (part: Buffer) => (said += part.toString()));
    child.on('error', fail);
    child.on('close', (code) =>
      code === 0 ? done() : fail(new StartRefused(`The database could not be made:\n${said}`)),
    );
  });
}
