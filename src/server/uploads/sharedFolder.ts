import { randomInt } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

/** The first number of the advisory locks of servers whose folder of files is marked; the second is the mark's. */
export const MARKED_SPACE = 7_305_013;
const DAY_MS = 24 * 3_600_000;
const MARK = /^\d+$/;

type Place = { dataDir: string };
type Asked = Pick<pg.ClientBase, 'query'>;

/** In the folder of files, as that may be another disk than the rest of `DATA_DIR`. */
const filesIn = ({ dataDir }: Place): string => join(dataDir, 'files');
const marksIn = (place: Place): string => join(filesIn(place), 'servers');
const markOf = (place: Place, number: number): string => join(marksIn(place), String(number));

/** The number of a server: of its mark, and of the worker of its jobs. */
export const newServerNumber = (): number => randomInt(1, 2 ** 31 - 1);

/** Whether the database names files. A folder of them that is gone, as of a disk that is not mounted, is not made anew then. */
export async function namesFiles(client: Asked): Promise<boolean> {
  return (await client.query('SELECT 1 FROM file LIMIT 1')).rows.length > 0;
}

/**
 * Leaves the mark of a server at work in its folder of files, for the others of its database to find, or renews it. Asks
 * the folder alone, so that what it throws is the folder's trouble.
 * @returns whether it is there; without `mayMake` it is not where the folder of files is not
 */
export async function markFolder(place: Place, number: number, mayMake: boolean): Promise<boolean> {
  if (mayMake) await mkdir(filesIn(place), { recursive: true });
  else if (!(await isThere(filesIn(place)))) return false;
  await mkdir(marksIn(place)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const mark = markOf(place, number);
  await writeFile(mark, '');
  // A shared disk may leave the time of a file that stays empty as it was.
  await utimes(mark, new Date(), new Date());
  return true;
}

/** Takes away the marks of servers that ended a day ago or more without doing so: nobody renews them. */
export async function tidyMarks(client: Asked, place: Place): Promise<void> {
  const atWork = await readMarked(client);
  const folder = marksIn(place);
  for (const name of await readdir(folder)) {
    if (!MARK.test(name) || atWork.includes(Number(name))) continue;
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > DAY_MS) await rm(join(folder, name), { force: true });
  }
}

/** The server ends. */
export async function unmarkFolder(place: Place, number: number): Promise<void> {
  await rm(markOf(place, number), { force: true });
}

/**
 * Looks whether a server that works on this database has marked another folder than this one.
 * @returns a warning; also where that can't be seen, as it stops nobody
 */
export async function findElsewhere(client: Asked, place: Place): Promise<string | undefined> {
  const folder = filesIn(place);
  const marked = await readMarked(client);
  try {
    if (!(await lacksMark(place, marked))) return undefined;
    return (
      `another server on this database keeps its files in another folder than ${folder}, so each lacks the files of the ` +
      'other. Let DATA_DIR/files of all of them be one shared folder.'
    );
  } catch (error) {
    return `whether the servers on this database share ${folder} can't be seen: ${(error as Error).message}. Look after this folder.`;
  }
}

/** Whether one of these marks is not in the folder. */
export async function lacksMark(place: Place, marked: readonly number[]): Promise<boolean> {
  for (const number of marked) if (!(await isThere(markOf(place, number)))) return true;
  return false;
}

/** As SQL, the marks of the servers that work on this database. */
export const MARKED = `ARRAY(SELECT l.objid::bigint::int FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
  WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
    AND l.classid::bigint = ${MARKED_SPACE})`;

async function readMarked(client: Asked): Promise<number[]> {
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
