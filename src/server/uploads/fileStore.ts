import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { Refusal } from '#domain/refusal.ts';

/** Where files lie. An id is ours (128 random bits in hex), so no name that came from outside ever becomes a path. */
export interface FileStore {
  put(id: string, content: Buffer): Promise<void>;
  /** A file that comes as a stream; `keep` it when the stream has ended, or it is nothing. */
  write(id: string): Promise<FileWriting>;
  get(id: string): Readable;
  /** In bytes; null where it is not there. */
  sizeOf(id: string): Promise<number | null>;
  /** The folder can be reached: a disk that is not mounted takes all files with it. */
  isThere(): Promise<boolean>;
  /** What is there of it, half-written or whole. */
  remove(id: string): Promise<void>;
}

export interface FileWriting {
  stream: Writable;
  /** Flushed and found under its id from now on; gives its size. */
  finish(): Promise<number>;
}

export const isFileId = (id: string): boolean => /^[0-9a-f]{32}$/.test(id);
export const newFileId = (): string => randomBytes(16).toString('hex');

/** The files of this server: `DATA_DIR/files`. */
export const openFileStore = ({ dataDir }: { dataDir: string }): FileStore => createFolderStore(join(dataDir, 'files'));

/**
 * Files of a folder: written beside, flushed, then renamed, so that a half-written one is never found.
 * Rule: exports-and-jobs#files.
 */
export function createFolderStore(folder: string): FileStore {
  const pathOf = (id: string): string => {
    if (!isFileId(id)) throw new Error('not the id of a file');
    return join(folder, id.slice(0, 2), id);
  };
  return {
    async put(id, content) {
      const path = pathOf(id);
      await mkdir(dirname(path), { recursive: true });
      const beside = `${path}.part`;
      try {
        await writeFlushed(beside, content);
        await rename(beside, path);
        await flushFolder(dirname(path));
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
    },
    async write(id) {
      const path = pathOf(id);
      await mkdir(dirname(path), { recursive: true });
      const file = await open(`${path}.part`, 'w');
      const stream = file.createWriteStream({ flush: true, highWaterMark: 256 * 1024 });
      return {
        stream,
        finish: async () => {
          const { size } = await stat(`${path}.part`);
          await rename(`${path}.part`, path);
          await flushFolder(dirname(path));
          return size;
        },
      };
    },
    get: (id) => createReadStream(pathOf(id)),
    sizeOf: (id) => sizeOf(pathOf(id)),
    isThere: async () => (await sizeOf(folder)) !== null,
    remove: async (id) => {
      await Promise.all([pathOf(id), `${pathOf(id)}.part`].map((it) => rm(it, { force: true })));
    },
  };
}

/**
 * A kept file, to be read. @throws Refusal where this file alone is not there: that the folder is not, is a trouble of the
 * server's and told as such by whoever reads
 */
export async function openKept(store: FileStore, { id, name }: { id: string; name: string }): Promise<Readable> {
  if ((await store.sizeOf(id)) === null && (await store.isThere()))
    throw new Refusal({ key: 'fileGone', args: { name } });
  return store.get(id);
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function writeFlushed(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** What was renamed in it is on the disk. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
