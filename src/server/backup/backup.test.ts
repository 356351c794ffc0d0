import { randomBytes } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
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
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileStore, newFileId } from '#server/uploads/fileStore.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { databaseProxy } from '#tests/support/databaseProxy.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { registers } from '#tests/support/features.ts';
import { verify } from './archive.ts';
import { backup, backupTo } from './backup.ts';
import type { Totals } from './contents.ts';
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
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([true, false]);
  });

  it('not where the disk gives back something else than was written', async () => {
    const path = join(folder, 'bad-disk.tar.gz');
    const files = openFileStore(testApp.config);
    // By the end of so large a file the beginning of the backup lies on the disk, and is spoilt there.
    const pieces = Array.from({ length: 64 }, () => randomBytes(32 * 1024));
    const size = pieces.reduce((sum, it) => sum + it.length, 0);
    async function* spoiling() {
      yield* pieces.slice(0, -1);
      const part = openSync(`${path}.part`, 'r+');
      writeSync(part, Buffer.alloc(100), 0, 100, 2000);
      closeSync(part);
      yield* pieces.slice(-1);
    }
    const spoil = () => Readable.from(spoiling(), { objectMode: false });
    await testApp.db.updateTable('file').set({ size }).where('id', '=', picture).execute();
    await expect(backupTo(testApp.url, { ...files, get: spoil }, path)).rejects.toThrow(/no whole backup/);
    await testApp.db.updateTable('file').set({ size: 19 }).where('id', '=', picture).execute();
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
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
