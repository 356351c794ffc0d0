import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { isElsewhere, MARKED_SPACE, markFolder, unmarkFolder } from '#server/uploads/sharedFolder.ts';
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
const marks = ({ dataDir }: typeof here) => readdirSync(join(dataDir, 'files', 'servers')).sort();

it('servers find each other in one folder, and one whose folder is another one', async () => {
  for (const it of [11, 12]) {
    expect(await markFolder(database.client, here, it)).toBe(true);
    await lock(it);
  }
  expect([await isElsewhere(database.client, here), await isElsewhere(database.client, there)]).toEqual([false, true]);
  expect(await markFolder(database.client, there, 13)).toBe(true);
  await lock(13);
  expect([await isElsewhere(database.client, here), await isElsewhere(database.client, there)]).toEqual([true, true]);
});

it('one that has ended is looked for no more, however it ended, and what it left goes a day later', async () => {
  await markFolder(database.client, here, 21);
  await markFolder(database.client, here, 22);
  await lock(22);
  await unmarkFolder(here, 21);
  expect(marks(here)).toEqual(['22']);
  expect(await isElsewhere(database.client, here)).toBe(false);
  for (const it of ['22', '23', '24']) writeFileSync(join(here.dataDir, 'files', 'servers', it), '');
  // 22 works since then, and 24 may just be starting.
  for (const it of ['22', '23']) utimesSync(join(here.dataDir, 'files', 'servers', it), 1, 1);
  await markFolder(database.client, here, 25);
  expect(marks(here)).toEqual(['22', '24', '25']);
});

it('a folder that is gone with the files that the database names is not made anew', async () => {
  await database.client.query(
    `INSERT INTO file (id, kind, name, mime, size, "siteId", "createBy") VALUES ($1, 'document', 'a.pdf', 'application/pdf', 1, 'SZ', 'li')`,
    ['a'.repeat(32)],
  );
  expect(await markFolder(database.client, here, 31)).toBe(false);
  expect(existsSync(join(here.dataDir, 'files'))).toBe(false);
  mkdirSync(join(here.dataDir, 'files'));
  expect(await markFolder(database.client, here, 31)).toBe(true);
  await database.client.query('DELETE FROM file');
});
