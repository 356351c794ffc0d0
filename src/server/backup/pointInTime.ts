import {
  chownSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { StartRefused } from '#server/db/embedded.ts';
import { findBinaries } from '#server/db/embedded/binaries.ts';
import { SUPERUSER, urlOf } from '#server/db/embedded/cluster.ts';
import { setAsideHalfMade } from '#server/db/embedded/halves.ts';
import { chooseLocation, openDataDir } from '#server/db/embedded/location.ts';
import { takeLock } from '#server/db/embedded/lock.ts';
import { DATABASE } from '#server/db/embedded/owner.ts';
import { startPostmaster, stopPostmaster } from '#server/db/embedded/postmaster.ts';
import type { RunAs } from '#server/db/embedded/processes.ts';
import { archiveIn, canUse, shellWord, type WalArchive } from '#server/db/embedded/walArchive.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { flushFolder, type FileStore } from '#server/uploads/fileStore.ts';
import { readBase, readBases, SpoiltBase, type Base } from './base.ts';
import { findAbsent, findLost, readNamed, type NamedFile } from './files.ts';

interface MomentOptions {
  /** A new one; its folder of files may be there already. */
  dataDir: string;
  root: string;
  walArchive: string;
  files: FileStore;
  log: (sentence: string) => void;
  /** Ends it; nothing of it stays. */
  stopping?: AbortSignal;
  /** As of `startEmbedded`. */
  durable?: boolean;
  elsewhere?: string;
}

interface RestoredMoment {
  base: Base;
  /** When what was committed last was committed. */
  last: string;
  /** Files that its rows name and the folder lacks. */
  lost: NamedFile[];
}

/**
 * Makes the database of a new DATA_DIR as it was at this moment, or with `latest` all that is archived: from the newest base
 * of before it and the WAL since, wholly or not at all. Rule: operating#moment.
 * @throws BadDatabase where the moment makes no sense or the archive does not reach it; StartRefused where a server works on
 * DATA_DIR
 */
export async function restoreMoment(moment: string, options: MomentOptions): Promise<RestoredMoment> {
  const at = moment === LATEST ? Infinity : readMoment(moment);
  const archive = archiveIn(options.walArchive);
  const { log, stopping } = options;
  openDataDir(options.dataDir);
  const release = await takeLock(options.dataDir);
  try {
    const chosen = await chooseLocation({ ...options, elsewhere: options.elsewhere ?? '/var/lib/reflow', log });
    const location = { ...chosen, home: realpathSync(chosen.home) };
    const { home, runAs } = location;
    if (existsSync(join(home, 'db')) && readdirSync(join(home, 'db')).length > 0)
      throw new BadDatabase(`${join(home, 'db')} holds a database already: restore into a new DATA_DIR.`);
    const bases = await chooseBases(archive, moment, at);
    if (!canUse(archive.folder, runAs, { write: false }))
      throw new BadDatabase(
        `The user ${runAs?.name ?? 'of this process'} cannot read ${archive.wal}: let it pass (chmod a+x, chown).`,
      );
    const binaries = findBinaries(options.root, location);
    await setAsideHalfMade(home, log);
    const making = join(home, `db.making-${process.pid}`);
    rmSync(join(home, 'db.log'), { force: true });
    try {
      const { base, password } = await unpackNewest(bases, making, { archive, runAs, log, stopping });
      const major = Number(readFileSync(join(making, 'PG_VERSION'), 'utf8'));
      if (major !== binaries.major)
        throw new BadDatabase(
          `PostgreSQL ${major} made ${base.name}; this Reflow brings ${binaries.major}: restore with the release that made it.`,
        );
      const cluster = { folder: making, superuser: { user: SUPERUSER, password: password.trim() } };
      const settings = [
        `restore_command=gzip -dc ${shellWord(archive.wal).replaceAll('%', '%%')}/%f.gz > "%p"`,
        'recovery_target_timeline=current',
        // As it starts PostgreSQL knows no Z yet.
        ...(moment === LATEST
          ? []
          : [`recovery_target_time=${moment.replace(/Z$/, '+00:00')}`, 'recovery_target_action=promote']),
        // Ready means that it is there, and not that one may look while it comes.
        'hot_standby=off',
      ];
      const { durable = true } = options;
      const said = () => readFileSync(join(home, 'db.log'), 'utf8');
      const newest = newestIn(archive);
      const postmaster = await startPostmaster(location, binaries, cluster, {
        ...{ durable, log, settings },
        ...(stopping ? { stopping } : {}),
      }).catch((error: unknown) => {
        refuseStopped(stopping);
        throw (error instanceof StartRefused && whyShort(said(), { archive, base, newest })) || error;
      });
      try {
        refuseStopped(stopping);
        const broken = moment === LATEST && whyBroken(said(), { archive, base, newest });
        if (broken) throw broken;
        const found = await lookAround(urlOf(cluster.superuser, postmaster.port, DATABASE), options.files);
        await stopPostmaster(postmaster, making);
        refuseStopped(stopping);
        await writeFile(join(home, 'db.password'), password, { mode: 0o600, flush: true });
        await rename(making, join(home, 'db'));
        await flushFolder(home);
        return { base, ...found };
      } finally {
        await stopPostmaster(postmaster, making);
      }
    } catch (error) {
      rmSync(making, { recursive: true, force: true });
      throw error;
    }
  } finally {
    release();
  }
}

const LATEST = 'latest';
const MOMENT = /^(\d{4})-(\d\d)-(\d\d)[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/;

/** @throws BadDatabase where it is none, or is still to come */
function readMoment(moment: string): number {
  const [, year, month, day] = (MOMENT.exec(moment) ?? []).map(Number);
  const at = Date.parse(moment.replace(' ', 'T'));
  const isDay = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day)).getUTCDate() === day;
  if (!isDay || Number.isNaN(at))
    throw new BadDatabase(`--to: "${moment}" is no moment with its offset; write it as 2026-11-30T12:34:56+08:00.`);
  if (at > Date.now()) throw new BadDatabase(`--to: ${moment} is still to come; name a moment that is over.`);
  return at;
}

function refuseStopped(stopping: AbortSignal | undefined): void {
  if (stopping?.aborted) throw new BadDatabase('Stopped before it was done.');
}

/** Those of before the moment, the newest first. */
async function chooseBases(archive: WalArchive, moment: string, at: number): Promise<Base[]> {
  if (!existsSync(join(archive.folder, 'archive.id')))
    throw new BadDatabase(`WAL_ARCHIVE: ${archive.folder} is no archive; is its disk mounted?`);
  const all = await readBases(archive);
  const fitting = all.filter((it) => Date.parse(it.endedAt) <= at);
  if (fitting.length > 0) return fitting.reverse();
  throw new BadDatabase(
    all[0]
      ? `No base in ${archive.bases} is of before ${moment}: moments can be restored from ${all[0].endedAt} on.`
      : `There is no base in ${archive.bases}, so no moment can be restored (npm run backup -- --base makes one).`,
  );
}

interface Unpacking {
  archive: WalArchive;
  runAs: RunAs;
  log: (sentence: string) => void;
  stopping: AbortSignal | undefined;
}

/** The newest that is whole, and its superuser's password. An older one needs more WAL and leads to the same moment. */
async function unpackNewest(
  bases: readonly Base[],
  making: string,
  { archive, runAs, log, stopping }: Unpacking,
): Promise<{ base: Base; password: string }> {
  for (const [index, base] of bases.entries()) {
    const path = join(archive.bases, base.name);
    try {
      return { base, password: await unpack(path, making, { runAs, stopping }) };
    } catch (error) {
      if (!(error instanceof SpoiltBase)) throw error;
      const before = bases[index + 1];
      if (!before) throw new BadDatabase(`${path}: ${error.message} No base of before it is in the archive.`);
      log(`WARNING: ${path}: ${error.message} ${before.name}, the one before, is taken.`);
      rmSync(making, { recursive: true, force: true });
    }
  }
  throw new BadDatabase(`There is no base in ${archive.bases}.`);
}

/** @returns the superuser's password */
async function unpack(
  path: string,
  making: string,
  { runAs, stopping }: Pick<Unpacking, 'runAs' | 'stopping'>,
): Promise<string> {
  const own = (name: string) => runAs && chownSync(name, runAs.uid, runAs.gid);
  let password = '';
  mkdirSync(making, { mode: 0o700 });
  own(making);
  await readBase(createReadStream(path), async (name, content, isFolder) => {
    refuseStopped(stopping);
    if (name === 'db.password') return void (password = (await buffer(content)).toString());
    const to = join(making, normalize(`/${name}`).replace(/^\/db\//, ''));
    if (isFolder) mkdirSync(to, { recursive: true, mode: 0o700 });
    else await writeTo(to, content);
    own(to);
  });
  await writeFile(join(making, 'recovery.signal'), '');
  own(join(making, 'recovery.signal'));
  return password;
}

async function writeTo(path: string, content: Readable): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'wx', 0o600);
  await pipeline(content, file.createWriteStream());
}

async function lookAround(url: string, files: FileStore): Promise<Omit<RestoredMoment, 'base'>> {
  const client = new pg.Client({ connectionString: url, application_name: 'reflow restore' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ last: string; hasFiles: boolean }>(
      `SELECT coalesce(pg_last_xact_replay_timestamp()::text, '') AS last, to_regclass('file') IS NOT NULL AS "hasFiles"`,
    );
    const named = rows[0]?.hasFiles ? await readNamed(client) : [];
    return { last: rows[0]?.last ?? '', lost: await findLost(url, await findAbsent(files, named)) };
  } finally {
    await client.end();
  }
}

interface Replayed {
  archive: WalArchive;
  base: Base;
  /** As of `newestIn`. */
  newest: string;
}

/** The newest segment that is archived by now: what a server archives while PostgreSQL replays tells nothing of what it found. */
const newestIn = ({ wal }: WalArchive): string =>
  readdirSync(wal)
    .filter((it) => /^[0-9A-F]{24}\.gz$/.test(it))
    .sort()
    .at(-1)
    ?.slice(0, 24) ?? '';

/** Why the WAL did not reach the moment, by what PostgreSQL wrote and the archive held; null where that is not why. */
export function whyShort(said: string, replayed: Replayed): BadDatabase | null {
  if (
    !/recovery ended before configured recovery target|could not locate required checkpoint|WAL ends before end/.test(
      said,
    )
  )
    return null;
  return (
    whyBroken(said, replayed) ??
    new BadDatabase(`The archive does not reach the moment yet. ${reached(said, replayed.base)}`)
  );
}

/** A segment that is missing or damaged though the archive went on after it; null where there is none. */
function whyBroken(said: string, { archive, base, newest }: Replayed): BadDatabase | null {
  const [, last] = [...said.matchAll(/restored log file "([0-9A-F]{24})"/g)].at(-1) ?? [];
  const wanted = last ? nextSegment(last) : base.firstSegment;
  if (wanted > newest) return null;
  const path = join(archive.wal, `${wanted}.gz`);
  const until = reached(said, base);
  return new BadDatabase(
    existsSync(path) ? `${path} is damaged. ${until}` : `There is a gap in the WAL: ${path} is missing. ${until}`,
  );
}

/** PostgreSQL stops at a commit later than the moment, so the last one that it found can't be asked for. */
function reached(said: string, base: Base): string {
  const [, day, time, fraction = ''] =
    [...said.matchAll(/last completed transaction was at log time (\S+) ([\d:]+)(?:\.(\d+))?\+00/g)].at(-1) ?? [];
  if (!day) return `No moment after the end of ${base.name} (${base.endedAt}) can be restored.`;
  const micros = BigInt(Date.parse(`${day}T${time}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0')) - 1n;
  const moment = `${new Date(Number(micros / 1000n)).toISOString().slice(0, -1)}${String(micros % 1000n).padStart(3, '0')}Z`;
  if (micros < BigInt(Date.parse(base.endedAt)) * 1000n)
    return `No moment after the end of ${base.name} (${base.endedAt}) can be restored.`;
  return `From ${base.name} a moment up to ${moment} can be restored.`;
}

/** The segment after one; each has 16 MB, 256 of them 4 GB. */
function nextSegment(name: string): string {
  const next = BigInt(`0x${name.slice(8, 16)}`) * 256n + BigInt(`0x${name.slice(16)}`) + 1n;
  const hex = (it: bigint) => it.toString(16).toUpperCase().padStart(8, '0');
  return name.slice(0, 8) + hex(next / 256n) + hex(next % 256n);
}
