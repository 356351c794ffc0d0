import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, readdir, readFile, readlink, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { extract, pack, type Pack } from 'tar-stream';
import { readArchiveCommand, type Embedded } from '#server/db/embedded.ts';
import { archiveCommand, archiveIn, NOTE, readStuck, type WalArchive } from '#server/db/embedded/walArchive.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { flushFolder } from '#server/uploads/fileStore.ts';
import { hashing, lineOfFile } from './hashing.ts';

/** A base as its name tells it: from its end on moments can be restored, with the WAL from this segment on. */
export interface Base {
  name: string;
  /** `2026-11-30T04:34:56.123Z`; never before its true end. */
  endedAt: string;
  firstSegment: string;
}

/** It was cut short or changed. */
export class SpoiltBase extends BadDatabase {}

const NAME = /^base-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3})Z-([0-9A-F]{24})\.tar\.gz$/;
const END = 'base.json';
const CONTROL = 'global/pg_control';
/** How long the last segment of a base may take to its archive. */
const ARCHIVED_MS = 60_000;
const CHUNK = 256 * 1024;

/** PostgreSQL makes these anew, or has them for itself alone; of the folders stays the folder. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|current_logfiles|postgresql\.auto\.conf\.tmp|.*\/pg_internal\.init(\..*)?)$/;
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/** The bases of this archive, the oldest first. */
export async function readBases({ bases }: WalArchive): Promise<Base[]> {
  const names = existsSync(bases) ? await readdir(bases) : [];
  return names.sort().flatMap((name) => {
    const [, day, hour, minute, second, firstSegment = ''] = NAME.exec(name) ?? [];
    return day ? [{ name, endedAt: `${day}${hour}:${minute}:${second}Z`, firstSegment }] : [];
  });
}

interface BaseOptions {
  archivedMs?: number;
  /** Ends it; nothing of it stays. */
  stopping?: AbortSignal | undefined;
}

/**
 * Copies the folder of the running database into its archive while people work (pg_backup_start, pg_backup_stop); the copy has its
 * name when it was read back and its WAL is archived. Files are not in it. Rule: operating#moment.
 * @throws BadDatabase where WAL is not archived there
 */
export async function makeBase(
  { superuserUrl, folder }: Pick<Embedded, 'superuserUrl' | 'folder'>,
  walArchive: string,
  { archivedMs = ARCHIVED_MS, stopping }: BaseOptions = {},
): Promise<Base> {
  const archive = archiveIn(walArchive);
  const home = dirname(folder);
  if ((await readArchiveCommand(superuserUrl)) !== archiveCommand({ home }, walArchive))
    throw new BadDatabase(`The running server does not archive to ${walArchive}: start it with this WAL_ARCHIVE.`);
  const client = new pg.Client({ connectionString: superuserUrl, application_name: 'reflow base' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ isOurs: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended('reflow base', 0)) AS "isOurs"`,
    );
    if (!rows[0]?.isOurs)
      throw new BadDatabase('Another base of this database is being made; wait until it is done, and try again.');
    return await makeAlone(archive, { client, folder, archivedMs, stopping });
  } finally {
    // Ends the backup as well, where it was cut short.
    await client.end();
  }
}

interface Making {
  client: pg.Client;
  folder: string;
  archivedMs: number;
  stopping: AbortSignal | undefined;
}

/** Only whoever has the lock touches parts: what they are called does not tell whose they are. */
async function makeAlone(archive: WalArchive, { client, folder, archivedMs, stopping }: Making): Promise<Base> {
  const part = join(archive.bases, `base.${process.pid}.part`);
  try {
    // Of those that were killed.
    for (const it of await readdir(archive.bases))
      if (/^base\.\d+\.part$/.test(it)) await rm(join(archive.bases, it), { force: true });
    await client.query(`SELECT pg_backup_start('reflow', fast => true)`);
    const target = await open(part, 'w', 0o600);
    const tar = pack();
    const written = pipeline(tar, createGzip({ level: 1 }), target.createWriteStream({ flush: true }), {
      signal: stopping,
    });
    written.catch(() => undefined);
    const base = await copyInto(tar, client, folder).catch((error: Error) => {
      tar.destroy(error);
      return written.then(() => Promise.reject(error));
    });
    await written;
    await readBase(createReadStream(part, { signal: stopping }), async (_name, content) => finished(content.resume()));
    await untilArchived(archive, base.lastSegment, { client, home: dirname(folder), archivedMs, stopping });
    const path = join(archive.bases, base.name);
    if (existsSync(path))
      throw new BadDatabase(`${path} was made by somebody else meanwhile; look whether it is enough.`);
    await rename(part, path);
    await flushFolder(archive.bases);
    return base;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function copyInto(tar: Pack, client: pg.Client, folder: string): Promise<Base & { lastSegment: string }> {
  const all = createHash('sha256');
  const add = async (name: string, content: Readable, size: number) => {
    const hash = createHash('sha256');
    await pipeline(content, hashing(hash), tar.entry({ name, size, mode: 0o600 }));
    all.update(lineOfFile(name, hash));
  };
  const addText = (name: string, text: string) => {
    const bytes = Buffer.from(text);
    return add(name, Readable.from([bytes], { objectMode: false }), bytes.length);
  };
  for await (const { name, isFolder } of entriesOf(folder)) {
    if (name === CONTROL) continue;
    if (isFolder) tar.entry({ name: `db/${name}`, type: 'directory', mode: 0o700 });
    else
      await withFile(join(folder, name), (file, size) =>
        add(`db/${name}`, Readable.from(exactly(file, size), { objectMode: false }), size),
      );
  }
  const control = await readControl(join(folder, CONTROL));
  await add(`db/${CONTROL}`, Readable.from([control], { objectMode: false }), control.length);
  await addText('db.password', await readFile(join(dirname(folder), 'db.password'), 'utf8'));
  const { rows } = await client.query<{ label: string; last: string; ended: number }>(
    `SELECT labelfile AS label, pg_walfile_name(lsn) AS last,
            (ceil(extract(epoch FROM clock_timestamp()) * 1000))::float8 AS ended
       FROM pg_backup_stop(false)`,
  );
  const { label = '', last: lastSegment = '', ended = 0 } = rows[0] ?? {};
  const endedAt = new Date(ended).toISOString();
  const firstSegment = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1];
  if (!firstSegment) throw new Error(`a backup_label without its segment: ${label}`);
  await addText('db/backup_label', label);
  const end = Buffer.from(JSON.stringify({ format: 1, sha256: all.digest('hex') }));
  await pipeline(Readable.from([end], { objectMode: false }), tar.entry({ name: END, size: end.length }));
  tar.finalize();
  return { name: `base-${endedAt.replaceAll(':', '-')}-${firstSegment}.tar.gz`, endedAt, firstSegment, lastSegment };
}

/** PostgreSQL may be writing it: until two reads agree. */
async function readControl(path: string): Promise<Buffer> {
  for (let before = await readFile(path); ;) {
    const bytes = await readFile(path);
    if (bytes.equals(before)) return bytes;
    before = bytes;
  }
}

/** What is in the database's folder, folders before what they hold. */
async function* entriesOf(root: string, under = ''): AsyncGenerator<{ name: string; isFolder: boolean }> {
  const entries = await readdir(join(root, under), { withFileTypes: true }).catch((error: unknown) => {
    if (under && isGone(error)) return [];
    throw error;
  });
  for (const it of entries) {
    const name = under ? `${under}/${it.name}` : it.name;
    if (LEFT_OUT.test(name) || name.startsWith(NOTE) || it.name.startsWith('pgsql_tmp')) continue;
    if (it.isSymbolicLink() && name !== 'pg_wal')
      throw new BadDatabase(
        `${name} leads out of the database's folder (${await readlink(join(root, name))}): a base can't hold it.`,
      );
    const isFolder = it.isDirectory() || it.isSymbolicLink();
    yield { name, isFolder };
    if (isFolder && !EMPTIED.has(name)) yield* entriesOf(root, name);
  }
}

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** One that is gone by now is one that the WAL takes away. */
async function withFile(path: string, use: (file: FileHandle, size: number) => Promise<void>): Promise<void> {
  const file = await open(path).catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });
  if (!file) return;
  try {
    await use(file, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

/** As many bytes as it had when it was opened: what it grew by, or lost, meanwhile the WAL says. */
async function* exactly(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    const bytes = Buffer.alloc(Math.min(CHUNK, size - at));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
    // A read may be short; only at its end is there nothing more, and the rest is zeros.
    const got = bytesRead > 0 ? bytes.subarray(0, bytesRead) : bytes;
    at += got.length;
    yield got;
  }
}

async function untilArchived(
  { wal }: WalArchive,
  segment: string,
  { client, home, archivedMs, stopping }: Omit<Making, 'folder'> & { home: string },
): Promise<void> {
  for (const end = Date.now() + archivedMs; !existsSync(join(wal, `${segment}.gz`)); await wait(50)) {
    stopping?.throwIfAborted();
    if (Date.now() < end) continue;
    const isStuck = (await readStuck(client, archivedMs)) !== null;
    const why = isStuck
      ? `Archiving is stuck: look into ${join(home, 'db.log')}, and whether the disk answers.`
      : 'Others are archived before it: try again later.';
    throw new BadDatabase(`${wal} has no ${segment} after ${archivedMs / 1000} s. ${why}`);
  }
}

/**
 * Reads a base to its end; `receive` is given each file and reads it. Folders come without content.
 * @throws SpoiltBase where it was cut short or changed
 */
export async function readBase(
  from: Readable,
  receive: (name: string, content: Readable, isFolder: boolean) => Promise<void>,
): Promise<void> {
  const tar = extract();
  const source = pipeline(from, createGunzip(), tar);
  source.catch(() => undefined);
  const all = createHash('sha256');
  let end: { format: number; sha256: string } | undefined;
  try {
    for await (const entry of tar) {
      const { name, type } = entry.header;
      const content = entry as unknown as Readable;
      if (name === END) end = JSON.parse((await buffer(content)).toString()) as typeof end;
      else if (type === 'directory') await receive(name, content, true);
      else {
        const hash = createHash('sha256');
        await receive(name, Readable.from(hashing(hash)(content), { objectMode: false }), false);
        all.update(lineOfFile(name, hash));
      }
      entry.resume();
    }
    await source;
  } catch (error) {
    tar.destroy();
    const broken = await source.then(
      () => null,
      (it: Error) => it,
    );
    throw broken?.name === 'Error' && 'code' in broken && String(broken.code).startsWith('Z_')
      ? spoilt(broken.message)
      : error;
  }
  if (!end) throw spoilt('its end is missing');
  if (end.sha256 !== all.digest('hex')) throw spoilt('its files did not come through whole');
}

const spoilt = (why: string) => new SpoiltBase(`This is no whole base: ${why}.`);

/** Leaves the newest so many bases and the WAL that they need; older ones go with theirs. */
export async function keepBases(walArchive: string, count: number): Promise<void> {
  const archive = archiveIn(walArchive);
  const all = await readBases(archive);
  const [oldest] = all.slice(-count);
  if (!oldest) return;
  for (const { name } of all.slice(0, -count)) await rm(join(archive.bases, name), { force: true });
  const isOf = /^[0-9A-F]{24}(\.[0-9A-F]{8}\.backup)?\.gz$/;
  for (const it of await readdir(archive.wal))
    if (isOf.test(it) && it.slice(0, 24) < oldest.firstSegment) await rm(join(archive.wal, it), { force: true });
}
