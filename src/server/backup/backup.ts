import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { pack, type Pack } from 'tar-stream';
import { quoted } from '#server/db/quoted.ts';
import { flushFolder, type FileStore } from '#server/uploads/fileStore.ts';
import { damaged, verify, type Found } from './archive.ts';
import { CONTENTS, readContents, joinNames, rowsIn, TOTALS, type TableContents, type Totals } from './contents.ts';

/** A table goes in pieces of about this size: a tar says a piece's size before the piece, and memory must not grow. */
const PIECE = 4 * 1024 * 1024;

/** Writes a backup to `path`, which it becomes only when it has been read back from the disk, whole. */
export async function backupTo(url: string, files: FileStore, path: string): Promise<Found> {
  const beside = `${path}.part`;
  const target = await open(beside, 'w');
  try {
    await backup(url, files, target.createWriteStream({ flush: true }));
    const found = await verify(createReadStream(beside));
    const [wrong] = found.miscounted;
    if (wrong) throw damaged(`${wrong.name} has ${wrong.rows} rows and not ${wrong.listed}`);
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
 */
export async function backup(url: string, files: FileStore, out: Writable): Promise<Totals> {
  const client = new pg.Client({ connectionString: url, application_name: 'reflow backup' });
  // A connection that ends between two questions: the next one says so.
  client.on('error', () => undefined);
  await client.connect();
  const tar = pack();
  const written = pipeline(tar, createGzip({ level: 1 }), out);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SET LOCAL synchronize_seqscans = off');
    const contents = await readContents(client);
    await addText(tar, CONTENTS, JSON.stringify(contents, null, 1));
    const totals: Totals = { tables: {}, files: 0 };
    for (const table of contents.tables) totals.tables[table.name] = await addTable(client, tar, table);
    totals.files = await addFiles(client, tar, files);
    await addText(tar, TOTALS, JSON.stringify(totals, null, 1));
    tar.finalize();
    await written;
    return totals;
  } catch (error) {
    tar.destroy(error as Error);
    await written.catch(() => undefined);
    throw error;
  } finally {
    await client.end();
  }
}

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

/** The files that the snapshot's rows name. One whose row has since been tidied away may be gone with it. */
async function addFiles(client: pg.Client, tar: Pack, files: FileStore): Promise<number> {
  const { rows } = await client.query<{ id: string; size: string }>('SELECT id, size FROM file ORDER BY id');
  let count = 0;
  for (const { id, size } of rows) {
    const stream = files.get(id);
    if (!(await isThere(stream))) continue;
    await pipeline(stream, tar.entry({ name: `files/${id}`, size: Number(size) }));
    count++;
  }
  return count;
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
