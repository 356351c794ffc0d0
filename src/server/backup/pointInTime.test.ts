import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type * as FilePromises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stopsWork } from '#domain/health.ts';
import { readConfig } from '#server/config.ts';
import { startEmbedded, type Embedded } from '#server/db/embedded.ts';
import { takeLock } from '#server/db/embedded/lock.ts';
import { readPidFile, runsOn } from '#server/db/embedded/postmaster.ts';
import {
  archiveIn,
  findStuck,
  lacksBase,
  noteGap,
  openWalArchive,
  watchArchive,
} from '#server/db/embedded/walArchive.ts';
import { openDatabase } from '#server/db/pool.ts';
import { openHealth } from '#server/health/health.ts';
import { ROOT } from '#server/root.ts';
import { newFileId, openFileStore } from '#server/uploads/fileStore.ts';
import { keepBases, makeBase, readBase, readBases, type Base } from './base.ts';
import { restoreMoment, whyShort } from './pointInTime.ts';

/** Reads of the database's files are short, as they may be; the first of its control file is torn. */
const reads = vi.hoisted(() => ({ torn: 0, control: () => {} }));
/** Each folder that was flushed. */
const flushed = vi.hoisted((): string[] => []);
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof FilePromises>();
  return {
    ...real,
    open: async (...args: Parameters<typeof real.open>) => {
      const file = await real.open(...args);
      const sync = file.sync.bind(file);
      if (args[1] === 'r') Object.assign(file, { sync: () => (flushed.push(String(args[0])), sync()) });
      const read = file.read.bind(file) as (to: Buffer, at: number, most: number, from: number) => Promise<unknown>;
      if (args[1] === undefined)
        Object.assign(file, {
          read: (to: Buffer, at: number, most: number, from: number) => read(to, at, Math.ceil((most * 2) / 3), from),
        });
      return file;
    },
    readFile: async (...args: Parameters<typeof real.readFile>) => {
      const content = await real.readFile(...args);
      if (!String(args[0]).endsWith('global/pg_control')) return content;
      reads.control();
      if (reads.torn > 0) return content;
      reads.torn++;
      return Buffer.from(content as Buffer).fill(0, 100);
    },
  };
});

let folder: string;
let walArchive: string;
let running: Embedded | undefined;
/** The one that was restored. */
let second: Embedded | undefined;
let base: Base;
/** What another base leaves while it is made, or when it is killed; and what came of a second one meanwhile. */
const left = [`base.${process.pid}.part`, 'base.999999.part'].sort();
let secondBase: unknown;
/** What came of one that was told to stop when nearly all was copied. */
let stoppedBase: unknown;
/** Between the commit of `before` and that of `after`, to the microsecond; and when `last` was there. */
let between: string;
let end: string;
const [kept, lost] = [newFileId(), newFileId()];
const said: string[] = [];

const where = (name: string) => ({
  dataDir: join(folder, name),
  root: ROOT,
  walArchive,
  elsewhere: join(folder, 'elsewhere'),
  durable: false,
});
const start = (name: string, more: { walArchive?: string | null } = {}) =>
  startEmbedded({ ...where(name), ...more, log: (it) => void said.push(it) });
const restore = (name: string, moment: string, archive = walArchive, stopping?: AbortSignal) =>
  restoreMoment(moment, {
    ...{ ...where(name), walArchive: archive, files: openFileStore(where(name)) },
    log: (it) => void said.push(it),
    ...(stopping ? { stopping } : {}),
  });
const wal = () => readdirSync(join(walArchive, 'wal')).filter((it) => /^[0-9A-F]{24}\.gz$/.test(it));

async function asked<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
const note = (word: string) => asked(running?.url ?? '', `INSERT INTO noted VALUES ('${word}')`);
const now = async () =>
  (
    await asked<{ at: string }>(
      running?.url ?? '',
      `SELECT to_char(clock_timestamp() AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD"T"HH24:MI:SS.US"+08:00"') AS at`,
    )
  )[0]?.at ?? '';
const filled = () => asked(running?.superuserUrl ?? '', `SELECT pg_switch_wal()`);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reflow-moment-'));
  chmodSync(folder, 0o755);
  walArchive = join(folder, "the archive's 100%");
  mkdirSync(walArchive);
  running = await start('first');
  await asked(running?.url ?? '', 'CREATE TABLE noted (word text)');
  await asked(
    running.url,
    `CREATE TABLE file (id text, kind text, name text, size bigint, owner text, "createdAt" timestamptz DEFAULT now());
     CREATE TABLE job ("fileId" text, state text, "expiresAt" timestamptz);
     INSERT INTO file VALUES ('${kept}', 'picture', 'kept.jpg', 3), ('${lost}', 'picture', 'lost.jpg', 3)`,
  );
  await note('in the base');
  for (const it of left) writeFileSync(join(walArchive, 'bases', it), '');
  const other = new pg.Client({ connectionString: running.superuserUrl });
  await other.connect();
  await other.query(`SELECT pg_advisory_lock(hashtextextended('reflow base', 0))`);
  const why = await makeBase(running, walArchive).catch((error: Error) => error.message);
  secondBase = [why, readdirSync(join(walArchive, 'bases')).sort()];
  await other.query('SELECT pg_advisory_unlock_all()');
  await other.end();
  base = await makeBase(running, walArchive);
  const stopping = new AbortController();
  reads.control = () => stopping.abort();
  const stopped = await makeBase(running, walArchive, { stopping: stopping.signal }).catch(
    (error: Error) => error.name,
  );
  stoppedBase = [stopped, readdirSync(join(walArchive, 'bases'))];
  reads.control = () => {};
  // Moments begin with the whole millisecond after it.
  await vi.waitUntil(() => Date.now() >= Date.parse(base.endedAt), { interval: 1 });
  await note('before');
  between = await now();
  await note('after');
  await filled();
  await note('later');
  end = new Date(Date.parse(await now())).toISOString();
  // Of a later millisecond.
  await vi.waitUntil(() => Date.now() > Date.parse(end), { interval: 1 });
  await note('last');
  // Ends its last segment, and archives it.
  await running.stop();
});
afterAll(async () => {
  await running?.stop();
  await second?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a moment', () => {
  it('is restored to the microsecond, with its files told; and goes on in an archive of its own', async () => {
    const files = openFileStore(where('second'));
    await files.put(kept, Buffer.from('abc'));
    const spoilt = `${base.name.slice(0, 30)}FFFFFFFFFFFFFFFFFFFFFFFF.tar.gz`;
    writeFileSync(join(walArchive, 'bases', spoilt), gzipSync(''));
    const done = await restore('second', between);
    rmSync(join(walArchive, 'bases', spoilt));
    expect(said.at(-1)).toContain(`${spoilt}: This is no whole base: its end is missing. ${base.name}, the one before`);
    expect(done.base.name).toBe(base.name);
    expect(done.lost.map((it) => it.name)).toEqual(['lost.jpg']);
    expect(said.filter((it) => it.includes('There is no base in WAL_ARCHIVE'))).toHaveLength(1);
    await expect(start('second')).rejects.toThrow('or of this one before it was restored; name an empty folder.');
    const own = join(folder, 'own');
    mkdirSync(own);
    second = await start('second', { walArchive: own });
    const words = await asked(second.url, 'SELECT word FROM noted');
    expect(words).toEqual([{ word: 'in the base' }, { word: 'before' }]);
  });

  it('is there and archived from then on; that archiving fails, and that it goes on, is said', async () => {
    const [own, url] = [join(folder, 'own'), second?.superuserUrl ?? ''];
    const told: string[] = [];
    const end = watchArchive(url, (it) => void told.push(it), 20);
    renameSync(join(own, 'archive.id'), join(own, 'away'));
    await asked(url, 'SELECT pg_switch_wal()');
    await vi.waitUntil(() => told.length === 1, { interval: 20 });
    // As any role, and until it goes on, which it does not before the sign is back.
    const { pool, close } = openDatabase(second?.url ?? '', 'Asia/Shanghai');
    const health = openHealth(pool, { ...readConfig({}), dataDir: join(folder, 'second') });
    const found = await health.check();
    expect(found.filter((it) => it.key === 'walNotArchived')).toHaveLength(1);
    expect(found.filter(stopsWork).map((it) => it.key)).not.toContain('walNotArchived');
    renameSync(join(own, 'away'), join(own, 'archive.id'));
    await asked(url, 'SELECT pg_switch_wal()');
    await vi.waitUntil(() => told.length === 2, { interval: 20 });
    end();
    expect((await health.check()).map((it) => it.key)).not.toContain('walNotArchived');
    await close();
    expect(told[0]).toMatch(/^WARNING: WAL is not archived since 20.*Z; db\.log says why\. It is tried again\.$/);
    expect(told[1]).toBe('WAL is archived again.');
    expect(readFileSync(join(folder, 'second', 'db.log'), 'utf8')).toContain(
      `${own} is not there; is its disk mounted?`,
    );
    await second?.stop();
    expect(readdirSync(join(own, 'wal')).some((it) => it.startsWith('00000002'))).toBe(true);
    await expect(restore('second', between)).rejects.toThrow(/holds a database already: restore into a new DATA_DIR/);
  });

  it.each([
    ['2026-11-30T12:34:56', 'is no moment with its offset; write it as'],
    ['2026-02-30T12:34:56Z', 'is no moment with its offset'],
    ['yesterday', 'is no moment with its offset'],
    ['2999-01-01T00:00:00Z', 'is still to come; name a moment that is over'],
    ['2020-01-01T00:00:00Z', 'is of before 2020-01-01T00:00:00Z: moments can be restored from'],
  ])('such as %s is refused: it %s', async (moment, sentence) => {
    await expect(restore('refused', moment)).rejects.toThrow(sentence);
    expect(existsSync(join(folder, 'refused', 'db'))).toBe(false);
  });

  it('is refused where a segment between is missing, with its name, also as the latest', async () => {
    const [first = '', gap = ''] = wal()
      .filter((it) => it > base.firstSegment)
      .slice(-2);
    expect(first < gap).toBe(true);
    const path = join(walArchive, 'wal', first);
    renameSync(path, `${path}.away`);
    await expect(restore('gap', 'latest')).rejects.toThrow(
      new RegExp(`There is a gap in the WAL: .*${first} is missing\\. No moment after the end of base-`),
    );
    renameSync(`${path}.away`, path);
    expect(readdirSync(join(folder, 'gap'))).not.toContain('db');
  });

  it('that a refusal names can be restored', async () => {
    const last = join(walArchive, 'wal', wal().at(-1) ?? '');
    renameSync(last, `${last}.away`);
    const why = await restore('named', end).catch((error: Error) => error.message);
    const [, moment = ''] =
      /^The archive does not reach the moment yet\. From base-.* a moment up to (\S+) can/.exec(String(why)) ?? [];
    expect((await restore('named', moment)).base.name).toBe(base.name);
    renameSync(`${last}.away`, last);
  });

  it('may be the latest: all that is archived', async () => {
    const done = await restore('latest', 'latest');
    expect(done.base.name).toBe(base.name);
    const latest = await start('latest', { walArchive: null });
    expect(await asked(latest.url, 'SELECT word FROM noted')).toHaveLength(5);
    await latest.stop();
  });

  it('may be the latest of a server that goes on: what it archives meanwhile is neither there nor damaged', async () => {
    const last = join(walArchive, 'wal', wal().at(-1) ?? '');
    renameSync(last, `${last}.away`);
    const log = join(folder, 'while', 'db.log');
    const { signal } = new AbortController();
    // It is asked for as soon as PostgreSQL is ready as well, which has found no more segments by then.
    const look = vi.spyOn(signal, 'aborted', 'get').mockImplementation(() => {
      const isReplayed = existsSync(log) && readFileSync(log, 'utf8').includes('redo done');
      if (isReplayed && existsSync(`${last}.away`)) renameSync(`${last}.away`, last);
      return false;
    });
    expect((await restore('while', 'latest', walArchive, signal)).base.name).toBe(base.name);
    expect([look.mock.calls.length > 0, existsSync(last)]).toEqual([true, true]);
  });

  it('is given up when it is told to stop, with its PostgreSQL, and nothing stays', async () => {
    const path = join(walArchive, 'wal', `${base.firstSegment}.gz`);
    renameSync(path, `${path}.away`);
    // Whoever reads it waits.
    spawnSync('mkfifo', [path]);
    const stopping = new AbortController();
    const home = join(folder, 'stopped');
    const asking = restore('stopped', end, walArchive, stopping.signal);
    asking.catch(() => undefined);
    const making = join(home, `db.making-${process.pid}`);
    const postmaster = await vi.waitUntil(() => readPidFile(making), { interval: 20 });
    stopping.abort();
    await expect(asking).rejects.toThrow('Stopped before it was done.');
    expect(runsOn(postmaster.pid, making)).toBe(false);
    expect(readdirSync(home).filter((it) => it.startsWith('db'))).toEqual(['db.log']);
    renameSync(`${path}.away`, path);
  });

  it('that is after the last segment, or in one that is damaged, is refused with what can be had', () => {
    const last = wal().at(-1)?.slice(0, 24) ?? '';
    const log = (segment: string) => `LOG:  restored log file "${segment}" from archive
LOG:  last completed transaction was at log time 2999-11-30 04:34:56.123456+00
FATAL:  recovery ended before configured recovery target was reached`;
    const why = (said: string, newest = last) =>
      whyShort(said, { archive: archiveIn(walArchive), base, newest })?.message;
    const until = `From ${base.name} a moment up to 2999-11-30T04:34:56.123455Z can be restored.`;
    expect(why(log(last))).toBe(`The archive does not reach the moment yet. ${until}`);
    expect(why(log(base.firstSegment))).toContain(`.gz is damaged. ${until}`);
    // It was archived after PostgreSQL had asked for it.
    expect(why(log(base.firstSegment), base.firstSegment)).toContain('The archive does not reach the moment yet.');
    expect(why('LOG:  restored log file "0000000100000000000000FF" from archive')).toBeUndefined();
    const far = '000000000000000200000001';
    expect(why(log('0000000000000001000000FE'), far)).toContain('wal/0000000000000001000000FF.gz is missing');
    expect(why(log('0000000000000001000000FF'), far)).toContain('wal/000000000000000200000000.gz is missing');
  });

  it('is refused while a server works on DATA_DIR, and from a folder that is no archive', async () => {
    mkdirSync(join(folder, 'busy'));
    const release = await takeLock(join(folder, 'busy'));
    await expect(restore('busy', between)).rejects.toThrow(/Another Reflow server .* already works on/);
    release();
    await expect(restore('refused', between, folder)).rejects.toThrow('is no archive; is its disk mounted?');
  });
});

describe('a base', () => {
  it('is refused where it was changed or cut short', async () => {
    const path = join(walArchive, 'bases', base.name);
    const bytes = gunzipSync(readFileSync(path));
    const read = (content: Buffer) => readBase(Readable.from([content]), async (_, it) => finished(it.resume()));
    await expect(read(gzipSync(bytes, { level: 1 }))).resolves.toBeUndefined();
    await expect(read(readFileSync(path).subarray(0, -2000))).rejects.toThrow('This is no whole base');
    const changed = Buffer.from(bytes);
    changed.write('reflOw', changed.indexOf('LABEL: reflow') + 7);
    await expect(read(gzipSync(changed, { level: 1 }))).rejects.toThrow('its files did not come through whole');
  });

  it('is made by one at a time, and what killed ones left goes', async () => {
    expect(readdirSync(join(walArchive, 'bases'))).toEqual([base.name]);
    expect(secondBase).toEqual([expect.stringContaining('Another base of this database is being made'), left]);
  });

  it('that is told to stop leaves nothing', () => {
    expect(stoppedBase).toEqual(['AbortError', [base.name]]);
  });

  it('holds the control file whole and after all others, and no note of the archive', async () => {
    expect(reads.torn).toBe(1);
    const names: string[] = [];
    const path = join(walArchive, 'bases', base.name);
    await readBase(Readable.from([readFileSync(path)]), async (name, it) => {
      names.push(name);
      await finished(it.resume());
    });
    expect(names.slice(-3)).toEqual(['db/global/pg_control', 'db.password', 'db/backup_label']);
    expect(names.filter((it) => it.includes('reflow'))).toEqual([]);
  });

  it('goes with the WAL that none of those that stay needs', async () => {
    const own = join(folder, 'kept');
    for (const it of ['wal', 'bases']) mkdirSync(join(own, it), { recursive: true });
    const segments = [1, 2, 3, 4].map((it) => `00000001000000000000000${it}`);
    const bases = segments.slice(0, 3).map((it, day) => `base-2026-11-0${day + 1}T06-00-00.123Z-${it}.tar.gz`);
    const marks = [`${segments[0]}.00000028.backup.gz`, `${segments[1]}.00000028.backup.gz`];
    const others = ['00000002.history.gz', 'notes.txt'];
    for (const it of bases) writeFileSync(join(own, 'bases', it), '');
    for (const it of [...segments.map((name) => `${name}.gz`), ...marks, ...others])
      writeFileSync(join(own, 'wal', it), '');
    await keepBases(own, 5);
    expect(readdirSync(join(own, 'wal'))).toHaveLength(8);
    await keepBases(own, 2);
    expect(readdirSync(join(own, 'bases'))).toEqual(bases.slice(1));
    expect(readdirSync(join(own, 'wal')).sort()).toEqual(
      [...segments.slice(1).map((name) => `${name}.gz`), marks[1], ...others].sort(),
    );
    expect((await readBases(archiveIn(own))).map((it) => it.endedAt)).toEqual([
      '2026-11-02T06:00:00.123Z',
      '2026-11-03T06:00:00.123Z',
    ]);
  });
});

describe('a segment', () => {
  const own = () => join(folder, 'segments');
  const segment = () => join(folder, 'segment');
  const archived = () => gunzipSync(readFileSync(join(own(), 'wal', 'ONE.gz'))).toString();
  /** As PostgreSQL runs it. */
  const archive = (shell = '') => {
    const script = join(folder, 'first', 'archive-wal.sh');
    const words = ['-c', `${shell}exec /bin/sh "$0" "$@"`, script, segment(), 'ONE', own()];
    const { status, stderr } = spawnSync('bash', words, { encoding: 'utf8' });
    return { status, stderr };
  };
  beforeAll(() => {
    mkdirSync(join(own(), 'wal'), { recursive: true });
    writeFileSync(segment(), randomBytes(100_000).toString('hex'));
  });

  it('waits where the archive is not there or its disk is full, and says so', () => {
    expect(archive()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is not there; is its disk mounted?'),
    });
    writeFileSync(join(own(), 'archive.id'), 'one');
    const full = archive(`trap '' XFSZ; ulimit -f 20; `);
    expect(full).toMatchObject({ status: 1, stderr: expect.stringContaining('is its disk full? It is kept') });
    expect(readdirSync(join(own(), 'wal'))).toEqual([]);
  });

  it('is archived once, may come again, and is never written over', () => {
    writeFileSync(join(own(), 'wal', 'ONE.gz.part'), 'of a machine that was switched off');
    expect(archive()).toEqual({ status: 0, stderr: '' });
    const first = archived();
    expect(first).toBe(readFileSync(segment(), 'utf8'));
    expect(archive()).toEqual({ status: 0, stderr: '' });
    writeFileSync(segment(), 'another');
    expect(archive()).toMatchObject({ status: 1, stderr: expect.stringContaining('is there already and is another') });
    expect(archived()).toBe(first);
    expect(readdirSync(join(own(), 'wal'))).toEqual(['ONE.gz']);
  });
});

interface Known {
  now: number;
  looked?: number;
  counted?: number;
  archived: number | null;
  failed: number | null;
}

describe('archiving is stuck', () => {
  const [minute, started] = [60_000, Date.UTC(2026, 10, 30)];
  it.each([
    ['not where it failed before this start', { now: 1, archived: -9, failed: -1 }, null],
    ['where it failed since', { now: 3, archived: -9, failed: 2 }, '2026-11-30T00:02:00.000Z'],
    ['not where it went on after that', { now: 4, archived: 3, failed: 2 }, null],
    ['not soon after a start', { now: 5, archived: null, failed: null }, null],
    ['where it hangs', { now: 9, archived: 3, failed: null }, '2026-11-30T00:03:00.000Z'],
    ['not where nobody was there who writes', { now: 9, looked: 8, archived: 1, failed: null }, null],
    [
      'where it hangs for whoever came later',
      { now: 14, looked: 8, archived: 1, failed: null },
      '2026-11-30T00:01:00.000Z',
    ],
    [
      'where it failed before this process came',
      { now: 9, looked: 8, archived: 1, failed: 2 },
      '2026-11-30T00:02:00.000Z',
    ],
    ['not where it has forgotten in a crash', { now: 9, counted: 8, archived: null, failed: null }, null],
  ])('%s', (_, { now, looked = 0, counted = 0, archived, failed }: Known, since) => {
    const at = <T extends number | null>(it: T) => (it === null ? it : started + it * minute);
    const known = {
      now: at(now),
      started,
      looked: at(looked),
      counted: at(counted),
      archived: at(archived),
      failed: at(failed),
    };
    expect(findStuck(known)?.since ?? null).toBe(since);
  });
});

const newHome = () => {
  const home = mkdtempSync(join(folder, 'home-'));
  mkdirSync(join(home, 'db'));
  return home;
};

describe('an archive is refused where it', () => {
  it.each([
    ['does not exist', () => undefined, 'does not exist; is its disk mounted?'],
    ['is a folder of something else', (it: string) => writeFileSync(it, ''), 'is no archive and not empty'],
    ['is that of another database', (it: string) => writeFileSync(it, 'another'), 'holds the WAL of another database'],
  ])('%s', async (kind, fill, sentence) => {
    const home = newHome();
    const own = join(home, 'archive');
    if (kind !== 'does not exist') mkdirSync(own);
    fill(join(own, kind.includes('another') ? 'archive.id' : 'notes.txt'));
    await expect(openWalArchive(own, { home, runAs: null, spare: home })).rejects.toThrow(sentence);
  });

  it('was this database’s and is empty now, as a disk that is not mounted', async () => {
    const home = newHome();
    const own = join(home, 'archive');
    mkdirSync(own);
    const opened = await openWalArchive(own, { home, runAs: null, spare: home });
    expect(await openWalArchive(own, { home, runAs: null, spare: home })).toEqual(opened);
    rmSync(own, { recursive: true });
    mkdirSync(own);
    await expect(openWalArchive(own, { home, runAs: null, spare: home })).rejects.toThrow(
      'is none now; is its disk mounted?',
    );
  });

  it('was that of a database which was moved away from there', async () => {
    const home = newHome();
    const own = join(home, 'archive');
    mkdirSync(own);
    await openWalArchive(own, { home, runAs: null, spare: home });
    renameSync(join(home, 'db'), join(home, 'db.old'));
    mkdirSync(join(home, 'db'));
    await expect(openWalArchive(own, { home, runAs: null, spare: home })).rejects.toThrow(
      'holds the WAL of another database',
    );
  });
});

describe('an archive', () => {
  it('is refused with a damaged note; a start that was cut short while it claimed one is gone on with', async () => {
    const home = newHome();
    const own = join(home, 'archive');
    const location = { home, runAs: null, spare: home };
    mkdirSync(own);
    const note = join(home, 'db', 'reflow.archive');
    // The sign could not be written.
    mkdirSync(join(own, 'archive.id.new'));
    await expect(openWalArchive(own, location)).rejects.toThrow();
    expect(existsSync(note)).toBe(true);
    rmSync(join(own, 'archive.id.new'), { recursive: true });
    await openWalArchive(own, location);
    // Nothing is written where nothing changes: neither would be possible.
    for (const it of [note, join(own, 'archive.id')]) mkdirSync(`${it}.new`);
    await openWalArchive(own, location);
    writeFileSync(note, '');
    await expect(openWalArchive(own, location)).rejects.toThrow(
      /reflow\.archive, which names the archive .* is damaged\. Delete/,
    );
  });

  it('is told to lack a base where there is none, or none since the database ran without it', async () => {
    const home = newHome();
    const own = join(home, 'archive');
    const location = { home, runAs: null, spare: home };
    mkdirSync(own);
    expect(await noteGap(location)).toBeNull();
    await openWalArchive(own, location);
    expect(lacksBase(own, home)).toContain('There is no base in WAL_ARCHIVE');
    const made = (year: number) =>
      writeFileSync(join(own, 'bases', `base-${year}-11-30T06-00-00.123Z-${'0'.repeat(24)}.tar.gz`), '');
    made(2020);
    expect(lacksBase(own, home)).toBeNull();
    expect(await noteGap(location)).toMatch(/no moment of it can be restored\.$/);
    await openWalArchive(own, location);
    expect(lacksBase(own, home)).toContain('ran without WAL_ARCHIVE at 20');
    made(2999);
    expect(lacksBase(own, home)).toBeNull();
  });

  it('has its sign, and its note and that of a gap, on the disk once they are said to be there', async () => {
    const home = newHome();
    const own = join(home, 'archive');
    const location = { home, runAs: null, spare: home };
    mkdirSync(own);
    flushed.length = 0;
    await openWalArchive(own, location);
    const [note, sign] = [join(home, 'db'), own];
    expect(flushed).toEqual([note, sign, note]);
    await noteGap(location);
    expect(flushed).toEqual([note, sign, note, note]);
  });

  it('that is not set any more ends no start which can’t note so', async () => {
    const home = newHome();
    const own = join(home, 'archive');
    const location = { home, runAs: null, spare: home };
    mkdirSync(own);
    await openWalArchive(own, location);
    // Nothing can be written there.
    mkdirSync(join(home, 'db', 'reflow.archive.new'));
    expect(await noteGap(location)).toMatch(
      /no moment of it can be restored\. That could not be noted in .*reflow\.archive \(EISDIR.*\), so no later start .* make one when/,
    );
  });
});
