import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { findBinaries } from './embedded/binaries.ts';
import { ensureCluster, isComplete, urlOf, type Cluster } from './embedded/cluster.ts';
import { setAsideHalfMade } from './embedded/halves.ts';
import { keepRunning } from './embedded/keeper.ts';
import { takeLock } from './embedded/lock.ts';
import { chooseLocation, openDataDir } from './embedded/location.ts';
import { DATABASE, ensureOwner, readOwner } from './embedded/owner.ts';
import { findPostmaster, startPostmaster, stopPostmaster, type Postmaster } from './embedded/postmaster.ts';
import type { ClusterLocation } from './embedded/processes.ts';
import { archiveCommand, lacksBase, noteGap, openWalArchive, watchArchive } from './embedded/walArchive.ts';

export { StartRefused } from './embedded/processes.ts';

interface EmbeddedOptions {
  /** DATA_DIR. */
  dataDir: string;
  /** The clone's folder, whose node_modules hold PostgreSQL. */
  root: string;
  log: (sentence: string) => void;
  /** `false`: faster, and a power cut may lose all of it. For tests. */
  durable?: boolean;
  /** Where data and binaries go that the system user can't reach in the clone; /var/lib/reflow unless a test says otherwise. */
  elsewhere?: string;
  /** WAL_ARCHIVE: where its WAL goes. */
  walArchive?: string | null;
}

export interface Embedded {
  /** Of the database, as the role that owns it and is no superuser. */
  url: string;
  /** Of the same database, as PostgreSQL's superuser: who copies its folder asks as such, and nobody else. */
  superuserUrl: string;
  /** A PostgreSQL that a killed server had left running was found and is used again. */
  reused: boolean;
  /** The folder that holds the data. */
  folder: string;
  /**
   * Stops PostgreSQL, which until then is started again whenever it ends, and gives the data folder free. Once is enough;
   * twice is harmless.
   */
  stop(): Promise<void>;
}

/**
 * A real PostgreSQL of our own, for whoever has none: data in `DATA_DIR/db`, reached over loopback only, by a password
 * that only DATA_DIR knows. Rule: operating#database.
 * @throws StartRefused when another server works on this DATA_DIR, another major version made its data, or PostgreSQL
 * does not run here; the message says what to do
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, durable = true, walArchive = null } = options;
  const root = resolve(options.root);
  const wanted = { dataDir: resolve(options.dataDir), root, elsewhere: options.elsewhere ?? '/var/lib/reflow', log };
  openDataDir(wanted.dataDir);
  const release = await takeLock(wanted.dataDir);
  try {
    const chosen = await chooseLocation(wanted);
    const location = { ...chosen, home: realpathSync(chosen.home) };
    const started = Date.now();
    const binaries = findBinaries(root, location);
    await setAsideHalfMade(location.home, log);
    const cluster = await ensureCluster(location, binaries, { durable, log });
    const settings = walArchive ? await openWalArchive(walArchive, location) : [];
    const lacking = walArchive ? lacksBase(walArchive, location.home) : await noteGap(location);
    if (lacking) log(`WARNING: ${lacking}`);
    const found = await findFitting(cluster, location, walArchive);
    const postmaster = found ?? (await startPostmaster(location, binaries, cluster, { durable, log, settings }));
    const owner = await ensureOwner(cluster, postmaster.port, log).catch(async (error: unknown) => {
      await stopPostmaster(postmaster, cluster.folder);
      throw error;
    });
    log(
      found
        ? `Found the database still running (process ${found.pid}), using it again: ${cluster.folder}`
        : `Started the database in ${((Date.now() - started) / 1000).toFixed(1)} s: ${cluster.folder}`,
    );
    const { port } = postmaster;
    const startAgain = (stopping: AbortSignal) =>
      startPostmaster(location, binaries, cluster, { durable, log, settings, port, stopping });
    const end = keepRunning({ postmaster, folder: cluster.folder, startAgain, log });
    const superuserUrl = urlOf(cluster.superuser, port, DATABASE);
    const endWatch = walArchive ? watchArchive(superuserUrl, log) : undefined;
    let stopped: Promise<void> | undefined;
    return {
      url: urlOf(owner, port, DATABASE),
      reused: found !== null,
      folder: cluster.folder,
      superuserUrl,
      stop: () => {
        endWatch?.();
        return (stopped ??= end().finally(release));
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** The one that a killed server left running; one that archives elsewhere is stopped, to be started as it should be. */
async function findFitting(
  cluster: Cluster,
  location: ClusterLocation,
  walArchive: string | null,
): Promise<Postmaster | null> {
  const found = await findPostmaster(cluster);
  if (!found) return null;
  const wanted = walArchive ? archiveCommand(location, walArchive) : '(disabled)';
  if ((await readArchiveCommand(urlOf(cluster.superuser, found.port, 'postgres'))) === wanted) return found;
  await stopPostmaster(found, cluster.folder);
  return null;
}

/** How the PostgreSQL at this address archives its WAL, as far as its superuser is asked; `(disabled)` where it does not. */
export async function readArchiveCommand(superuserUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ is: string }>(`SELECT current_setting('archive_command') AS is`);
    return rows[0]?.is ?? '';
  } finally {
    await client.end();
  }
}

/** Whether this DATA_DIR has a database already; makes and starts nothing. */
export function isMade(dataDir: string): boolean {
  const note = join(dataDir, 'db.folder');
  const home = existsSync(note) ? readFileSync(note, 'utf8').trim() : dataDir;
  return isComplete(join(home, 'db')) || isComplete(join(dataDir, 'db'));
}

/** The database of a server that works on this DATA_DIR right now; null where none does. */
export async function findRunning(
  options: Omit<EmbeddedOptions, 'durable' | 'walArchive'>,
): Promise<Pick<Embedded, 'url' | 'superuserUrl' | 'folder'> | null> {
  const { log } = options;
  const root = resolve(options.root);
  const wanted = { dataDir: resolve(options.dataDir), root, elsewhere: options.elsewhere ?? '/var/lib/reflow', log };
  if (!existsSync(join(wanted.dataDir, 'server.lock'))) return null;
  const chosen = await chooseLocation(wanted);
  const location = { ...chosen, home: realpathSync(chosen.home) };
  if (!isComplete(join(location.home, 'db'))) return null;
  const cluster = await ensureCluster(location, findBinaries(root, location), { durable: true, log });
  const found = await findPostmaster(cluster);
  if (!found) return null;
  const superuserUrl = urlOf(cluster.superuser, found.port, DATABASE);
  // A server of an earlier version, which is still to be stopped, has made no owner.
  const owner = readOwner(cluster);
  return { url: owner ? urlOf(owner, found.port, DATABASE) : superuserUrl, superuserUrl, folder: cluster.folder };
}
