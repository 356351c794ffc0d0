import { randomBytes } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
  openSync,
  closeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable, Writable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expireJobs } from '#server/jobs/expiry.ts';
import type { Database } from '#server/db/pool.ts';
import { openFileStore, newFileId } from '#server/uploads/fileStore.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { databaseProxy } from '#tests/support/databaseProxy.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { registers } from '#tests/support/features.ts';
import { verify } from './archive.ts';
import { backup, backupTo } from './backup.ts';
import type { Totals } from './contents.ts';
import { keepNewest, nameAt } from './keep.ts';
import { restore } from './restore.ts';

let testApp: TestApp;
let folder: string;
let target: TestDatabase;
const archive = () => join(folder, 'backup.tar.gz');
const restored = () => openFileStore({ dataDir: join(folder, 'restored') });
const picture = newFileId();
let totals: Totals;

beforeAll(async () => {
  testApp = await startTestApp();
  folder = mkdtempSync(join(tmpdir(), 'reflow-backup-'));
  target = await createTestDatabase();
  // No migration makes it: a module that was made here, with a computed field.
  await sql`CREATE TABLE loan (id int PRIMARY KEY, qty int, twice int GENERATED ALWAYS AS (qty * 2) VIRTUAL)`.execute(
    testApp.db,
  );
  await sql`INSERT INTO loan VALUES (1, 7)`.execute(testApp.db);
  await openFileStore(testApp.config).put(picture, Buffer.from('what the camera saw'));
  await testApp.db
    .insertInto('file')
    .values({
      id: picture,
      kind: 'picture',
      name: 'a.jpg',
      mime: 'image/jpeg',
      size: 19,
      siteId: 'SZ',
      createBy: 'tech',
    })
    .execute();
});
afterAll(async () => {
  await target.drop();
  await testApp.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a backup', () => {
  it('is of one moment, though a hand writes two rows that belong together all the while', async () => {
    let isDone = false;
    let written = 0;
    const write = async () => {
      while (!isDone) {
        const id = `W${++written}`;
        await testApp.db.transaction().execute(async (trx) => {
          await trx.insertInto('ubs_country').values({ countryId: id, name: id }).execute();
          await trx.insertInto('ubs_shipment').values({ shipId: id, name: id }).execute();
        });
      }
    };
    const writing = write();
    await expect.poll(() => written).toBeGreaterThan(20);
    totals = await backup(testApp.url, openFileStore(testApp.config), createWriteStream(archive()));
    isDone = true;
    await writing;
    expect(totals.files).toBe(1);
    expect(totals.tables['admin_user']?.rows).toBeGreaterThan(0);
    await restore(target.url, restored(), createReadStream(archive()), registers);
    const pairs = await asked(target.url, (table) => `SELECT count(*)::int AS n FROM ${table} WHERE name LIKE 'W%'`, [
      'ubs_country',
      'ubs_shipment',
    ]);
    expect(pairs[0]).toBe(pairs[1]);
    expect(pairs[0]).toBeGreaterThan(20);
  });

  it('gives a database that backs up to the very same rows, files included', async () => {
    const again = await backup(target.url, restored(), createWriteStream(join(folder, 'again.tar.gz')));
    expect(again).toEqual(totals);
    expect(Object.keys(totals.tables).length).toBeGreaterThan(40);
    expect((await buffer(restored().get(picture))).toString()).toBe('what the camera saw');
  });

  it('gives a database that goes on where it was: next ids, indexes, counted changes', async () => {
    const client = new pg.Client({ connectionString: target.url });
    await client.connect();
    const { rows } = await client.query<{ id: string; highest: string }>(
      `INSERT INTO ubs_country ("countryId", name) VALUES ('NEXT', 'NEXT')
       RETURNING id, (SELECT max(id) FROM ubs_country) AS highest`,
    );
    expect(Number(rows[0]?.id)).toBeGreaterThan(Number(rows[0]?.highest));
    const named = async (url: string) => {
      const other = new pg.Client({ connectionString: url });
      await other.connect();
      const found = await other.query(
        `SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'public'
          UNION ALL SELECT c.relname || ' counts' FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                     WHERE t.tgname = 'count_change' ORDER BY 1`,
      );
      await other.end();
      return found.rows;
    };
    expect(await named(target.url)).toEqual(await named(testApp.url));
    const computed = await client.query('UPDATE loan SET qty = 8 RETURNING twice');
    expect(computed.rows).toEqual([{ twice: 16 }]);
    await client.end();
  });
});

describe('a backup over a slow network', () => {
  it('counts every row, though the database says how many only after the rows have gone', async () => {
    const slow = await databaseProxy(target.url, { afterCopyMs: 15 });
    const said = await backup(slow.url, restored(), createWriteStream(join(folder, 'slow.tar.gz')));
    await slow.close();
    const names = Object.keys(totals.tables);
    const counts = await asked(target.url, (table) => `SELECT count(*)::int AS n FROM "${table}"`, names);
    const wrong = names.filter((it, i) => said.tables[it]?.rows !== counts[i]);
    expect(wrong).toEqual([]);
    expect(await verify(createReadStream(join(folder, 'slow.tar.gz')))).toMatchObject({ ...said, miscounted: [] });
  });

  it('fails when the connection ends on the way, and takes nothing down with it', async () => {
    const wire = await databaseProxy(testApp.url);
    const out = new Writable({ write: (_bytes, _encoding, done) => void wire.cut().then(() => done()) });
    await expect(backup(wire.url, openFileStore(testApp.config), out)).rejects.toThrow(
      /terminated|ECONNRESET|connection error/,
    );
  });
});

describe('a backup has its name', () => {
  it('when it was read back, and holds what was written', async () => {
    const path = join(folder, 'named.tar.gz');
    const found = await backupTo(testApp.url, openFileStore(testApp.config), path);
    const said = await backup(
      testApp.url,
      openFileStore(testApp.config),
      createWriteStream(join(folder, 'same.tar.gz')),
    );
    expect(found).toMatchObject({ ...said, miscounted: [] });
    expect(readdirSync(folder).filter((it) => it.startsWith('named'))).toEqual(['named.tar.gz']);
  });

  it('not where the disk gives back something else than was written', async () => {
    const path = join(folder, 'bad-disk.tar.gz');
    const files = openFileStore(testApp.config);
    // By the end of so large a file the beginning of the backup lies on the disk, and is spoilt there.
    const pieces = Array.from({ length: 64 }, () => randomBytes(32 * 1024));
    const size = pieces.reduce((sum, it) => sum + it.length, 0);
    async function* spoiling() {
      yield* pieces.slice(0, -1);
      const part = openSync(`${path}.${process.pid}.part`, 'r+');
      writeSync(part, Buffer.alloc(100), 0, 100, 2000);
      closeSync(part);
      yield* pieces.slice(-1);
    }
    const spoil = () => Readable.from(spoiling(), { objectMode: false });
    await testApp.db.updateTable('file').set({ size }).where('id', '=', picture).execute();
    const spoilt = { ...files, get: spoil, sizeOf: async () => size };
    await expect(backupTo(testApp.url, spoilt, path)).rejects.toThrow(/no whole backup/);
    await testApp.db.updateTable('file').set({ size: 19 }).where('id', '=', picture).execute();
    expect(readdirSync(folder).filter((it) => it.startsWith('bad-disk'))).toEqual([]);
  });

  it('not where it is told to stop, and nothing of it stays', async () => {
    const stopping = new AbortController();
    const files = openFileStore(testApp.config);
    const stops = {
      ...files,
      get: (id: string) => {
        stopping.abort();
        return files.get(id);
      },
    };
    const making = backupTo(testApp.url, stops, join(folder, 'stopped.tar.gz'), { stopping: stopping.signal });
    await expect(making).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(readdirSync(folder).filter((it) => it.startsWith('stopped'))).toEqual([]);
  });
});

describe('a file that the database names', () => {
  const lost = newFileId();
  const store = () => openFileStore(testApp.config);
  const path = () => join(folder, 'files.tar.gz');
  const named = {
    id: lost,
    kind: 'picture',
    name: 'b.jpg',
    mime: 'image/jpeg',
    size: 4,
    siteId: 'SZ',
    createBy: 'tech',
  };
  beforeAll(() => testApp.db.insertInto('file').values(named).execute());
  afterAll(() => testApp.db.deleteFrom('file').where('id', '=', lost).execute());
  afterEach(() => rmSync(path(), { force: true }));

  it.each([
    ['is not there', async () => undefined],
    ['is cut short', () => store().put(lost, Buffer.from('abc'))],
  ])('and that %s makes the backup fail, which names it', async (_, spoil) => {
    await spoil();
    const refused = await backupTo(testApp.url, store(), path()).catch((error: Error) => error.message);
    expect(refused).toContain(`  ${lost}: picture "b.jpg", 4 bytes`);
    expect(readdirSync(folder).filter((it) => it.startsWith('files'))).toEqual([]);
    await store().remove(lost);
  });

  it('and that goes while the tables are saved makes it fail as well', async () => {
    await store().put(lost, Buffer.from('abcd'));
    const going = { ...store(), get: (id: string) => (id === lost ? store().get(newFileId()) : store().get(id)) };
    await expect(backupTo(testApp.url, going, path())).rejects.toThrow(lost);
    await store().remove(lost);
  });

  it('and that is not there is listed where somebody has allowed it, and told by verify and restore', async () => {
    const found = await backupTo(testApp.url, store(), path(), { allowMissing: true });
    expect(found).toMatchObject({ files: 1, missing: [lost], tidied: [] });
    expect((await verify(createReadStream(path()))).missing).toEqual([lost]);
    const empty = await createTestDatabase();
    const came = await restore(empty.url, restored(), createReadStream(path()), registers);
    await empty.drop();
    expect(came.missing).toEqual([lost]);
  });

  it('is missed in an archive that says nothing of it, and told of one that an older version made', async () => {
    await backupTo(testApp.url, store(), path(), { allowMissing: true });
    const bytes = gunzipSync(readFileSync(path()));
    const at = bytes.lastIndexOf(lost);
    bytes.write('0'.repeat(32), at);
    await expect(verify(Readable.from([gzipSync(bytes)]))).rejects.toThrow(`the file ${lost} is missing`);
    bytes.write(`"olderSha256"`, bytes.lastIndexOf('"filesSha256"'));
    expect((await verify(Readable.from([gzipSync(bytes)]))).missing).toEqual([lost]);
  });

  it('is compared byte for byte', async () => {
    await store().put(lost, Buffer.from('abcd'));
    await backupTo(testApp.url, store(), path());
    await store().remove(lost);
    const bytes = gunzipSync(readFileSync(path()));
    bytes.write('what the camera SAW', bytes.indexOf('what the camera saw'));
    await expect(verify(Readable.from([gzipSync(bytes)]))).rejects.toThrow('its files did not come through whole');
  });

  it('and that is due to be tidied may be gone already: just what the next tidying takes away', async () => {
    await store().put(lost, Buffer.from('abcd'));
    const long = new Date(Date.now() - 8 * 24 * 3_600_000);
    const due = { result: newFileId(), workbook: newFileId(), nobodys: newFileId() };
    const values = (id: string) => ({ ...named, id, createdAt: long });
    await testApp.db
      .insertInto('file')
      .values([
        { ...values(due.result), kind: 'export' },
        { ...values(due.workbook), kind: 'workbook', owner: 'tech' },
        { ...values(due.nobodys), owner: '' },
      ])
      .execute();
    await sql`
      INSERT INTO job (kind, title, module, "userId", "siteId", scope, lang, input, state, "fileId", "expiresAt")
      VALUES ('export', '', 'ubsCountry', 'tech', 'SZ', '{}', 'en', '{}', 'done', ${due.result}, now() - interval '1 day')`.execute(
      testApp.db,
    );
    const found = await backupTo(testApp.url, store(), path());
    expect(found).toMatchObject({ files: 2, tidied: Object.values(due).sort(), missing: [] });
    await expireJobs({ database: { db: testApp.db } as Database, config: testApp.config });
    const left = await testApp.db.selectFrom('file').select('id').orderBy('id').execute();
    expect(left.map((it) => it.id)).toEqual([picture, lost].sort());
    await store().remove(lost);
  });
});

describe('backups by a timer', () => {
  it('bear their moment; the newest stay, with all that is not theirs', async () => {
    const own = mkdtempSync(join(tmpdir(), 'reflow-kept-'));
    const names = [1, 2, 3, 4].map((day) => nameAt(new Date(`2026-11-0${day}T06:00:00.123Z`)));
    expect(names[0]).toBe('reflow-2026-11-01T06-00-00Z.tar.gz');
    const half = `${names[0]}.4711.part`;
    for (const it of [...names, half, `${names[1]}.4712.part`, 'reflow-old.tar.gz', 'notes.txt'])
      writeFileSync(join(own, it), '');
    utimesSync(join(own, half), new Date(0), new Date(0));
    await keepNewest(own, 2);
    expect(readdirSync(own).sort()).toEqual([
      'notes.txt',
      `${names[1]}.4712.part`,
      names[2],
      names[3],
      'reflow-old.tar.gz',
    ]);
    rmSync(own, { recursive: true });
  });
});

/** As versions wrote it that read the number of rows before the database had told it. */
function miscounted(whole: Buffer): Buffer {
  const bytes = gunzipSync(whole);
  const list = bytes.lastIndexOf('"tables": {');
  const end = bytes.indexOf('"files"', list);
  const wrong = bytes
    .subarray(list, end)
    .toString()
    .replace(/"rows": (\d+)/g, (_, n: string) => `"rows": ${'0'.padStart(n.length)}`);
  bytes.write(wrong, list);
  return gzipSync(bytes);
}

describe('a backup whose list was counted too early', () => {
  it('is told to be so, and restored with all its rows', async () => {
    const found = await verify(Readable.from([miscounted(readFileSync(archive()))]));
    expect(found.tables).toEqual(totals.tables);
    const filled = Object.entries(totals.tables).filter(([, it]) => it.rows > 0);
    expect(found.miscounted).toEqual(filled.map(([name, { rows }]) => ({ name, rows, listed: 0 })));
    const empty = await createTestDatabase();
    const path = join(folder, 'early.tar.gz');
    writeFileSync(path, miscounted(readFileSync(archive())));
    const came = await restore(empty.url, restored(), createReadStream(path), registers);
    expect(came).toEqual(found);
    const again = await backup(empty.url, restored(), createWriteStream(join(folder, 'rescued.tar.gz')));
    await empty.drop();
    expect(again).toEqual(totals);
  });

  it('is refused where it was cut short or changed', async () => {
    const early = miscounted(readFileSync(archive()));
    await expect(verify(Readable.from([early.subarray(0, early.length - 200)]))).rejects.toThrow(/no whole backup/);
    const bytes = gunzipSync(early);
    bytes.write('techXX', bytes.indexOf('techNB'));
    await expect(verify(Readable.from([gzipSync(bytes)]))).rejects.toThrow(/did not come through whole/);
  });
});

describe('a restore is refused, and leaves nothing, where', () => {
  const fails = async (content: Buffer, words: RegExp) => {
    const empty = await createTestDatabase();
    try {
      const path = join(folder, 'bad.tar.gz');
      writeFileSync(path, content);
      await expect(verify(createReadStream(path))).rejects.toThrow(words);
      await expect(restore(empty.url, restored(), createReadStream(path), registers)).rejects.toThrow(words);
      expect(
        await asked(empty.url, () => `SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'`),
      ).toEqual([0]);
    } finally {
      await empty.drop();
    }
  };

  it('the database is not empty', async () => {
    await expect(restore(target.url, restored(), Readable.from([]), registers)).rejects.toThrow(/not empty/);
  });
  it('the archive was cut short', () => {
    const whole = readFileSync(archive());
    return fails(whole.subarray(0, whole.length - 2000), /no whole backup/);
  });
  it('a byte of it was changed', () => {
    const bytes = gunzipSync(readFileSync(archive()));
    const at = bytes.indexOf('techNB');
    bytes.write('techXX', at);
    return fails(gzipSync(bytes), /did not come through whole|no whole backup/);
  });
  it('it is no backup at all', () => fails(Buffer.from('hello'), /no whole backup/));
  it('a newer version made it', () => {
    const bytes = gunzipSync(readFileSync(archive()));
    bytes.write('0001_platfurm.sql', bytes.indexOf('0001_platform.sql'));
    return fails(gzipSync(bytes), /newer version/);
  });
});

async function asked(url: string, query: (table: string) => string, tables: string[] = ['']): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const counts: number[] = [];
  for (const table of tables) counts.push((await client.query<{ n: number }>(query(table))).rows[0]?.n ?? -1);
  await client.end();
  return counts;
}
