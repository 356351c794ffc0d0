import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

/** The first number of the advisory locks of servers whose folder of files is marked; the second is the mark's. */
export const MARKED_SPACE = 7_305_013;
const DAY_MS = 24 * 3_600_000;

type Place = { dataDir: string };

/** In the folder of files, as that may be another disk than the rest of `DATA_DIR`. */
const marksIn = ({ dataDir }: Place): string => join(dataDir, 'files', 'servers');
const markOf = (place: Place, number: number): string => join(marksIn(place), String(number));

/**
 * Leaves the mark of a server at work in its folder of files, for the others of its database to find, and takes away those
 * of servers that ended a day ago or more without doing so.
 * @returns whether it is there; a folder that should hold files and is gone, as of a disk that is not mounted, is not made anew
 */
export async function markFolder(client: Pick<pg.ClientBase, 'query'>, place: Place, number: number): Promise<boolean> {
  if (
    !(await isThere(join(place.dataDir, 'files'))) &&
    (await client.query('SELECT 1 FROM file LIMIT 1')).rows.length > 0
  )
    return false;
  const folder = marksIn(place);
  await mkdir(folder, { recursive: true });
  const atWork = await readMarked(client);
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (!atWork.includes(Number(name)) && Date.now() - mtimeMs > DAY_MS) await rm(join(folder, name), { force: true });
  }
  await writeFile(markOf(place, number), '');
  return true;
}

/** The server ends. */
export async function unmarkFolder(place: Place, number: number): Promise<void> {
  await rm(markOf(place, number), { force: true });
}

/** Whether a server that works on this database has marked another folder than this one. */
export const isElsewhere = async (client: Pick<pg.ClientBase, 'query'>, place: Place): Promise<boolean> =>
  lacksMark(place, await readMarked(client));

/** Whether one of these marks is not in the folder. */
export async function lacksMark(place: Place, marked: readonly number[]): Promise<boolean> {
  for (const number of marked) if (!(await isThere(markOf(place, number)))) return true;
  return false;
}

/** As SQL, the marks of the servers that work on this database. */
export const MARKED = `ARRAY(SELECT l.objid::bigint::int FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
  WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
    AND l.classid::bigint = ${MARKED_SPACE})`;

async function readMarked(client: Pick<pg.ClientBase, 'query'>): Promise<number[]> {
  const { rows } = await client.query<{ marked: number[] }>(`SELECT ${MARKED} AS marked`);
  return rows[0]?.marked ?? [];
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
