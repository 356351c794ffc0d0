import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { pack, type Pack } from 'tar-stream';
import { DatabaseClient } from '#server/db/client.ts';
import { quoted } from '#server/db/quoted.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { flushFolder, type FileStore } from '#server/uploads/fileStore.ts';
import { damaged, verify, type Found } from './archive.ts';
import { hashing, lineOfFile } from './hashing.ts';
import { findAbsent, findLost, lostFiles, readNamed, type NamedFile } from './files.ts';
import { CONTENTS, readContents, joinNames, rowsIn, TOTALS, type TableContents, type Totals } from './contents.ts';

/** A table goes in pieces of about this size: a tar says a piece's size before the piece, and memory must not grow. */
const PIECE = 4 * 1024 * 1024;

export interface BackupOptions {
  /** Goes on where files are lost, and lists them in the archive. */
  allowMissing?: boolean;
  /** Ends it; nothing of it stays. */
  stopping?: AbortSignal;
}

/**
 * Writes a backup to `path`, which it becomes only when it has been read back from the disk, whole. @throws BadDatabase
 * where files are lost, or the disk gives back something else
 */
export async function backupTo(
  url: string,
  files: FileStore,
  path: string,
  options: BackupOptions = {},
): Promise<Found> {
  // Of another backup under this name, and of one that was killed, it is told by the process.
  const beside = `${path}.${process.pid}.part`;
  const target = await open(beside, 'w');
  try {
    await backup(url, files, target.createWriteStream({ flush: true }), options);
    const found = await verify(createReadStream(beside, { signal: options.stopping }));
    const [wrong] = found.miscounted;
    if (wrong) throw damaged(`${wrong.name} has ${wrong.rows} rows and not ${wrong.listed}`);
    if (existsSync(path)) throw new BadDatabase(`${path} was written by somebody else meanwhile; choose another name.`);
    await rename(beside, path);
    await flushFolder(dirname(path));
    return found;
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/**
 * Writes a backup of the whole database and of its files to `out` while people work: one snapshot, read through COPY,
 * as a `.tar.gz`. Sessions, keys and the ledger are in it; the queue of jobs is not (`job` is, and jobs are queued
 * again). Rule: operating#backup.
 * @throws BadDatabase naming the files that the database names and the folder does not hold
 */
export async function backup(
  url: string,
  files: FileStore,
  out: Writable,
  { allowMissing = false, stopping }: BackupOptions = {},
): Promise<Totals> {
  const client = new DatabaseClient({ connectionString: url, application_name: 'reflow backup' });
  // A connection that ends between two questions: the next one says so.
  client.on('error', () => undefined);
  await client.connect();
  const tar = pack();
  const written = pipeline(tar, createGzip({ level: 1 }), out, { signal: stopping });
  // It ends while others are awaited.
  written.catch(() => undefined);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SET LOCAL synchronize_seqscans = off');
    const contents = await readContents(client);
    const named = await readNamed(client);
    // Before the tables, which may take an hour.
    const absent = await findAbsent(files, named);
    const lost = await findLost(url, absent);
    if (lost.length > 0 && !allowMissing) throw lostFiles(lost);
    await addText(tar, CONTENTS, JSON.stringify(contents, null, 1));
    const totals: Totals = { tables: {}, files: 0 };
    for (const table of contents.tables) totals.tables[table.name] = await addTable(client, tar, table);
    const known = new Set(absent.map((it) => it.id));
    const { gone, ...added } = await addFiles(
      tar,
      files,
      named.filter((it) => !known.has(it.id)),
    );
    const lostSince = await findLost(url, gone);
    if (lostSince.length > 0 && !allowMissing) throw lostFiles(lostSince);
    const missing = idsOf([...lost, ...lostSince]);
    const tidied = idsOf([...absent, ...gone]).filter((it) => !missing.includes(it));
    Object.assign(totals, added, { tidied, missing });
    await addText(tar, TOTALS, JSON.stringify(totals, null, 1));
    tar.finalize();
    await written;
    return totals;
  } catch (error) {
    tar.destroy(error as Error);
    // Where it is what ended first, the rest only followed.
    await written;
    throw error;
  } finally {
    await client.end();
  }
}

const idsOf = (files: readonly NamedFile[]): string[] => files.map((it) => it.id).sort();

async function addTable(
  client: pg.Client,
  tar: Pack,
  { name, columns }: TableContents,
): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256');
  const copy = client.query(copyTo(`COPY ${quoted(name)} (${joinNames(columns)}) TO STDOUT`));
  let piece: Buffer[] = [];
  let rows = 0;
  let size = 0;
  let pieces = 0;
  const flush = async () => {
    if (size === 0) return;
    await addBytes(tar, `tables/${name}/${String(++pieces).padStart(6, '0')}`, Buffer.concat(piece, size));
    [piece, size] = [[], 0];
  };
  for await (const bytes of copy as AsyncIterable<Buffer>) {
    hash.update(bytes);
    rows += rowsIn(bytes);
    piece.push(bytes);
    size += bytes.length;
    if (size >= PIECE) await flush();
  }
  await flush();
  // Not by the copy's own count: the database tells it after the last row, when the stream has ended already.
  return { rows, sha256: hash.digest('hex') };
}

/** These files; `gone` are those that have been taken away since they were looked for. */
async function addFiles(
  tar: Pack,
  files: FileStore,
  named: readonly NamedFile[],
): Promise<{ files: number; filesSha256: string; gone: NamedFile[] }> {
  const gone: NamedFile[] = [];
  const all = createHash('sha256');
  let count = 0;
  for (const it of named) {
    const stream = files.get(it.id);
    if (!(await isThere(stream))) {
      gone.push(it);
      continue;
    }
    const hash = createHash('sha256');
    await pipeline(stream, hashing(hash), tar.entry({ name: `files/${it.id}`, size: Number(it.size) }));
    all.update(lineOfFile(it.id, hash));
    count++;
  }
  return { files: count, filesSha256: all.digest('hex'), gone };
}

async function isThere(stream: Readable): Promise<boolean> {
  try {
    await once(stream, 'readable');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

const addText = (tar: Pack, name: string, text: string) => addBytes(tar, name, Buffer.from(text));

async function addBytes(tar: Pack, name: string, bytes: Buffer): Promise<void> {
  const entry = tar.entry({ name, size: bytes.length });
  const done = once(entry, 'finish');
  entry.end(bytes);
  await done;
}
