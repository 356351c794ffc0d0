import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findBinaries } from './embedded/binaries.ts';
import { ensureCluster, isComplete, urlOf } from './embedded/cluster.ts';
import { keepRunning } from './embedded/keeper.ts';
import { takeLock } from './embedded/lock.ts';
import { chooseLocation, openDataDir } from './embedded/location.ts';
import { DATABASE, ensureOwner, readOwner } from './embedded/owner.ts';
import { findPostmaster, startPostmaster, stopPostmaster } from './embedded/postmaster.ts';

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
}

export interface Embedded {
  /** Of the database, as the role that owns it and is no superuser. */
  url: string;
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
  const { log, durable = true } = options;
  const root = resolve(options.root);
  const wanted = { dataDir: resolve(options.dataDir), root, elsewhere: options.elsewhere ?? '/var/lib/reflow', log };
  openDataDir(wanted.dataDir);
  const release = await takeLock(wanted.dataDir);
  try {
    const chosen = await chooseLocation(wanted);
    const location = { ...chosen, home: realpathSync(chosen.home) };
    const started = Date.now();
    const binaries = findBinaries(root, location);
    const cluster = await ensureCluster(location, binaries, { durable, log });
    const found = await findPostmaster(cluster);
    const postmaster = found ?? (await startPostmaster(location, binaries, cluster, { durable, log }));
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
      startPostmaster(location, binaries, cluster, { durable, log, port, stopping });
    const end = keepRunning({ postmaster, folder: cluster.folder, startAgain, log });
    let stopped: Promise<void> | undefined;
    return {
      url: urlOf(owner, port, DATABASE),
      reused: found !== null,
      folder: cluster.folder,
      stop: () => (stopped ??= end().finally(release)),
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Whether this DATA_DIR has a database already; makes and starts nothing. */
export function isMade(dataDir: string): boolean {
  const note = join(dataDir, 'db.folder');
  const home = existsSync(note) ? readFileSync(note, 'utf8').trim() : dataDir;
  return isComplete(join(home, 'db')) || isComplete(join(dataDir, 'db'));
}

/** The address of the database of a server that works on this DATA_DIR right now; null where none does. */
export async function findRunning(options: Omit<EmbeddedOptions, 'durable'>): Promise<string | null> {
  const { log } = options;
  const root = resolve(options.root);
  const wanted = { dataDir: resolve(options.dataDir), root, elsewhere: options.elsewhere ?? '/var/lib/reflow', log };
  if (!existsSync(join(wanted.dataDir, 'server.lock'))) return null;
  const chosen = await chooseLocation(wanted);
  const location = { ...chosen, home: realpathSync(chosen.home) };
  if (!isComplete(join(location.home, 'db'))) return null;
  const cluster = await ensureCluster(location, findBinaries(root, location), { durable: true, log });
  const found = await findPostmaster(cluster);
  // A server of an earlier version, which is still to be stopped, has made no owner.
  return found && urlOf(readOwner(cluster) ?? cluster.superuser, found.port, DATABASE);
}
