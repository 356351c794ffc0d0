import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { readPidFile, stopPostmaster } from './postmaster.ts';
import { asUser, stamp, StartRefused, type ClusterLocation, type RunAs } from './processes.ts';

interface LocationOptions {
  dataDir: string;
  root: string;
  /** Folder for what the user `postgres` can't reach inside the clone. */
  elsewhere: string;
  log: (sentence: string) => void;
}

/**
 * Decides as whom PostgreSQL runs and where its data lie: in DATA_DIR; and where we are root and the system user can't
 * reach that (a clone under /root), in a folder of this clone under /var/lib/reflow. DATA_DIR then keeps a note,
 * `db.folder`: without it (a fresh clone at an old path) data found there are put aside, as deleting DATA_DIR means.
 * @throws StartRefused when the data are in DATA_DIR but out of reach
 */
export async function chooseLocation(options: LocationOptions): Promise<ClusterLocation> {
  const { dataDir, root, elsewhere, log } = options;
  if (process.getuid?.() !== 0) return { runAs: null, home: dataDir, spare: dataDir };

  const cluster = join(dataDir, 'db');
  const runAs = readOwner(cluster) ?? systemUser(log);
  const spare = join(elsewhere, shortHash(root));
  const away = join(spare, nameInside(root, dataDir));
  const reachable = canReach(dataDir, runAs);
  if (existsSync(cluster)) {
    if (reachable) return { runAs, home: dataDir, spare };
    throw new StartRefused(
      `The user ${runAs.name} cannot reach ${cluster}, which holds the data. ` +
        'Let others pass through the folders above it (chmod a+x), or name another DATA_DIR.',
    );
  }
  const note = join(dataDir, 'db.folder');
  const isNoted = existsSync(note) && readFileSync(note, 'utf8').trim() === away;
  if (reachable && !isNoted) return { runAs, home: dataDir, spare };

  if (!isNoted && existsSync(join(away, 'db'))) {
    const abandoned = readPidFile(join(away, 'db'));
    if (abandoned) await stopPostmaster(abandoned, join(away, 'db'));
    const aside = `${away}.left-${stamp()}`;
    renameSync(away, aside);
    log(`Data of an earlier clone at this path were put aside: ${aside}`);
  }
  for (const folder of [elsewhere, spare, away]) makeFolder(folder);
  writeFileSync(note, `${away}\n`);
  log(`The user ${runAs.name} cannot reach ${dataDir}, so the database lies in ${away}`);
  return { runAs, home: away, spare };
}

/**
 * Makes DATA_DIR when it is missing.
 * @throws StartRefused when it, or the database in it, belongs to somebody else and we are not root
 */
export function openDataDir(dataDir: string): void {
  const cluster = join(dataDir, 'db');
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK);
  } catch {
    throw new StartRefused(`Cannot write in ${dataDir}: give it to this user, or name another DATA_DIR.`);
  }
  const me = process.getuid?.() ?? 0;
  if (me !== 0 && existsSync(cluster) && statSync(cluster).uid !== me) {
    throw new StartRefused(
      `The database in ${cluster} was made by another user. Start as that user or as root, or name another DATA_DIR.`,
    );
  }
}

/** Twelve characters that stand for a path. */
const shortHash = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 12);

/** The name of DATA_DIR within the folder of its clone: `data`, `.cache-test-db`; of one outside the clone, a hash. */
function nameInside(root: string, dataDir: string): string {
  const path = relative(root, dataDir);
  return path === '' || path.startsWith('..') || isAbsolute(path) ? shortHash(dataDir) : path.replace(/[\\/]/g, '-');
}

/** Others may pass through a folder that we make; whatever umask is set. */
function makeFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o755);
}

function canReach(folder: string, runAs: RunAs): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { cwd: '/', ...asUser(runAs) }).status === 0;
}

/** Data that an ordinary user made stay theirs, also when root starts the server. */
function readOwner(cluster: string): RunAs {
  if (!existsSync(cluster)) return null;
  const { uid, gid } = statSync(cluster);
  return uid === 0 ? null : { uid, gid, name: `with the id ${uid}` };
}

function systemUser(log: LocationOptions['log']): NonNullable<RunAs> {
  const found = lookUp('postgres');
  if (found) return found;
  const ways: [string, string[]][] = [
    ['useradd', ['--system', '--no-create-home', '--user-group', '--shell', '/usr/sbin/nologin', 'postgres']],
    ['adduser', ['-S', '-D', '-H', '-s', '/sbin/nologin', 'postgres']],
  ];
  for (const [program, args] of ways) {
    if (spawnSync(program, args, { stdio: 'ignore' }).status !== 0) continue;
    const made = lookUp('postgres');
    if (!made) continue;
    log('Made the system user postgres, as whom the database runs (PostgreSQL does not run as root)');
    return made;
  }
  throw new StartRefused(
    'PostgreSQL does not run as root, and the system user postgres could not be made. ' +
      'Make it (useradd --system postgres), start Reflow as an ordinary user, or set DATABASE_URL.',
  );
}

function lookUp(name: string): RunAs {
  const id = (which: string) => Number(spawnSync('id', [which, name], { encoding: 'utf8' }).stdout?.trim() || NaN);
  const [uid, gid] = [id('-u'), id('-g')];
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid, gid, name } : null;
}
