import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  findElsewhere,
  MARKED_SPACE,
  markFolder,
  namesFiles,
  tidyMarks,
  unmarkFolder,
} from '#server/uploads/sharedFolder.ts';
import { createPreparedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

let database: OpenedDatabase;
let here: { dataDir: string };
let there: typeof here;
beforeAll(async () => void (database = await createPreparedDatabase()));
afterAll(() => database.close());
beforeEach(() => {
  [here, there] = [newPlace(), newPlace()];
});
afterEach(async () => {
  await database.client.query('SELECT pg_advisory_unlock_all()');
  for (const { dataDir } of [here, there]) rmSync(dataDir, { recursive: true });
});

const newPlace = () => ({ dataDir: mkdtempSync(join(tmpdir(), 'reflow-shared-')) });
const lock = (number: number) => database.client.query('SELECT pg_advisory_lock($1, $2)', [MARKED_SPACE, number]);
const elsewhere = (place: typeof here) => findElsewhere(database.client, place);
const another = expect.stringMatching(
  /^another server on this database keeps its files in another folder than .*\/files, /,
);
const marks = ({ dataDir }: typeof here) => readdirSync(join(dataDir, 'files', 'servers')).sort();

it('servers find each other in one folder, and one whose folder is another one', async () => {
  for (const it of [11, 12]) {
    expect(await markFolder(here, it, true)).toBe(true);
    await lock(it);
  }
  expect([await elsewhere(here), await elsewhere(there)]).toEqual([undefined, another]);
  expect(await markFolder(there, 13, true)).toBe(true);
  await lock(13);
  expect([await elsewhere(here), await elsewhere(there)]).toEqual([another, another]);
});

it('a folder that can not be looked into stops nobody, and is told', async () => {
  await lock(14);
  mkdirSync(join(here.dataDir, 'files'));
  writeFileSync(join(here.dataDir, 'files', 'servers'), 'no folder');
  expect(await elsewhere(here)).toMatch(
    /^whether the servers on this database share .*\/files can't be seen: ENOTDIR.*\. Look after this folder\.$/,
  );
});

it('one that has ended is looked for no more, however it ended, and what it left goes a day later', async () => {
  await markFolder(here, 21, true);
  await markFolder(here, 22, true);
  await lock(22);
  await unmarkFolder(here, 21);
  expect(marks(here)).toEqual(['22']);
  expect(await elsewhere(here)).toBeUndefined();
  const markOf = (name: string) => join(here.dataDir, 'files', 'servers', name);
  for (const it of ['22', '23', '24', '26']) writeFileSync(markOf(it), '');
  mkdirSync(markOf('.snapshot'));
  // 22 holds its lock, 24 may just be starting, and 26 renews its mark while its lock went with the database.
  for (const it of ['22', '23', '26', '.snapshot']) utimesSync(markOf(it), 1, 1);
  await markFolder(here, 25, true);
  await markFolder(here, 26, false);
  expect(marks(here)).toContain('23');
  await tidyMarks(database.client, here);
  expect(marks(here)).toEqual(['.snapshot', '22', '24', '25', '26']);
});

it('a folder that is gone with the files that the database names is not made anew', async () => {
  await database.client.query(
    `INSERT INTO file (id, kind, name, mime, size, "siteId", "createBy") VALUES ($1, 'document', 'a.pdf', 'application/pdf', 1, 'SZ', 'li')`,
    ['a'.repeat(32)],
  );
  const mark = async () => markFolder(here, 31, !(await namesFiles(database.client)));
  expect(await mark()).toBe(false);
  expect(existsSync(join(here.dataDir, 'files'))).toBe(false);
  mkdirSync(join(here.dataDir, 'files'));
  expect(await mark()).toBe(true);
  await database.client.query('DELETE FROM file');
});
