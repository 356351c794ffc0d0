import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { keepBases, makeBase, readBases } from '#server/backup/base.ts';
import { startEmbedded, type Embedded } from '#server/db/embedded.ts';
import { readPidFile } from '#server/db/embedded/postmaster.ts';
import { archiveIn } from '#server/db/embedded/walArchive.ts';
import { ROOT } from '#server/root.ts';
import { randomFrom } from '#tests/support/stations.ts';
import { commandBundle } from '../../scripts/lib/serverBundle.mjs';

/**
 * Moments at random, restored by the built command from bases that were made while a hand wrote, each with a fault at random: the
 * database is that of the moment, row by row, or there is none.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 20);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
const OUT = '.cache/chaos-moments';
const BASES = 3;

let folder: string;
let walArchive: string;
/** Of each row, when its commit began and when it was answered, in ms. */
const written: { began: number; done: number }[] = [];
let usual = 0;
const random = randomFrom(SEED);
const upTo = (count: number) => Math.floor(random() * count);
const pick = <T>(of: readonly T[]): T => of[upTo(of.length)] as T;
const open = (dataDir: string, archive: string | null = null): Promise<Embedded> =>
  startEmbedded({ dataDir, root: ROOT, walArchive: archive, durable: false, log: () => undefined });

beforeAll(async () => {
  await build({ ...commandBundle(OUT), sourcemap: false });
  folder = mkdtempSync(join(tmpdir(), 'reflow-moments-'));
  chmodSync(folder, 0o755);
  walArchive = join(folder, 'archive');
  mkdirSync(walArchive);
  const first = await open(join(folder, 'first'), walArchive);
  const client = new pg.Client({ connectionString: first.superuserUrl });
  await client.connect();
  await client.query('CREATE TABLE noted (n int PRIMARY KEY, filler text)');
  let isDone = false;
  const writing = (async () => {
    while (!isDone) {
      const began = Date.now();
      await client.query(`INSERT INTO noted VALUES ($1::int, repeat(md5($1::int::text), 60))`, [written.length]);
      written.push({ began, done: Date.now() });
      if (written.length % 300 === 0) await client.query('SELECT pg_switch_wal()');
      await wait(2);
    }
  })();
  for (let nth = 0; nth < BASES; nth++) {
    await makeBase(first, walArchive);
    const seen = written.length + 1500;
    await vi.waitUntil(() => written.length > seen, { timeout: 120_000, interval: 20 });
  }
  isDone = true;
  await writing;
  await client.end();
  await first.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function restore(
  moment: string,
  dataDir: string,
  killAfter?: number,
  signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL',
): Promise<{ code: number | null; said: string }> {
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: dataDir, WAL_ARCHIVE: walArchive };
  const words = [join(OUT, 'backup.js'), 'restore', '--to', moment];
  const child = spawn(process.execPath, words, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill(signal), killAfter);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, said };
}

const segments = () => readdirSync(join(walArchive, 'wal')).filter((it) => /^[0-9A-F]{24}\.gz$/.test(it));

/** With that file another, or away; and back afterwards. */
async function spoilt<T>(path: string, spoil: (path: string) => void, use: () => Promise<T>): Promise<T> {
  const kept = readFileSync(path);
  const aside = join(folder, 'aside');
  renameSync(path, aside);
  spoil(path);
  try {
    return await use();
  } finally {
    expect(kept.equals(readFileSync(aside))).toBe(true);
    renameSync(aside, path);
  }
}

const faults: Record<string, (moment: string, dataDir: string) => Promise<{ code: number | null; said: string }>> = {
  none: (moment, dataDir) => restore(moment, dataDir),
  'it is killed': (moment, dataDir) => restore(moment, dataDir, upTo(usual * 1.2)),
  'it is told to stop': (moment, dataDir) => restore(moment, dataDir, upTo(usual * 1.2), 'SIGTERM'),
  'a segment is missing': (moment, dataDir) =>
    spoilt(
      join(walArchive, 'wal', pick(segments())),
      () => undefined,
      () => restore(moment, dataDir),
    ),
  'a segment is cut': (moment, dataDir) => cut('wal', pick(segments()), () => restore(moment, dataDir)),
  'a base is cut': (moment, dataDir) =>
    cut('bases', pick(readdirSync(join(walArchive, 'bases'))), () => restore(moment, dataDir)),
};

function cut<T>(room: string, name: string, use: () => Promise<T>): Promise<T> {
  const path = join(walArchive, room, name);
  const whole = readFileSync(path);
  return spoilt(path, () => writeFileSync(path, whole.subarray(0, upTo(whole.length)), { mode: 0o644 }), use);
}

/** What is in it, after the start that follows; null where there is no database. */
async function rowsIn(dataDir: string): Promise<number[] | null> {
  if (!existsSync(join(dataDir, 'db'))) return null;
  const restored = await open(dataDir);
  const client = new pg.Client({ connectionString: restored.url });
  await client.connect();
  const { rows } = await client.query<{ n: number }>('SELECT n FROM noted ORDER BY n');
  await client.end();
  await restored.stop();
  return rows.map((it) => it.n);
}

/** The rows that the moment must have, and those that it may have. */
const must = (at: number) => written.filter((it) => it.done < at).length;
const may = (at: number) => written.filter((it) => it.began <= at).length;

it(`a moment is whole or nothing, in ${ROUNDS} rounds (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
  const bases = await readBases(archiveIn(walArchive));
  const from = Date.parse(bases[0]?.endedAt ?? '');
  const until = written.at(-1)?.began ?? 0;
  const tally: Record<string, [there: number, none: number]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    const name = round === 0 ? 'none' : pick(Object.keys(faults));
    const at = from + upTo(until - from);
    const dataDir = join(folder, 'restored');
    const began = performance.now();
    const done = await faults[name]?.(new Date(at).toISOString(), dataDir);
    const isCutPassed = name === 'a base is cut' && bases.filter((it) => Date.parse(it.endedAt) <= at).length > 1;
    if (round === 0) usual = performance.now() - began;
    const rows = await rowsIn(dataDir);
    (tally[name] ??= [0, 0])[rows ? 0 : 1]++;
    const told = [name, round, at, done?.said];
    // Of two bases before it one is whole.
    if (name === 'none' || isCutPassed) expect([...told, rows !== null]).toEqual([...told, true]);
    if (done?.code !== null) expect([...told, done?.code === 0]).toEqual([...told, rows !== null]);
    if (rows) {
      expect([...told, rows.every((it, i) => it === i)]).toEqual([...told, true]);
      expect(rows.length).toBeGreaterThanOrEqual(must(at));
      expect(rows.length).toBeLessThanOrEqual(may(at));
    }
    // What was killed leaves no PostgreSQL behind once DATA_DIR is used again.
    if (!rows && existsSync(dataDir)) await (await open(dataDir)).stop();
    const homes = existsSync(dataDir) ? readdirSync(dataDir).filter((it) => it.startsWith('db')) : [];
    expect(homes.filter((it) => readPidFile(join(dataDir, it)) !== null)).toEqual([]);
    rmSync(dataDir, { recursive: true, force: true });
  }
  process.stdout.write(`${JSON.stringify(tally)}\n`);
});

it('the control: of another moment the rows are others, and this test sees it', async () => {
  const at = written[Math.floor(written.length * 0.8)]?.done ?? 0;
  const dataDir = join(folder, 'control');
  expect((await restore(new Date(at).toISOString(), dataDir)).code).toBe(0);
  const rows = (await rowsIn(dataDir)) ?? [];
  const other = written[Math.floor(written.length * 0.8) + 20]?.done ?? 0;
  expect(rows.length < must(other)).toBe(true);
});

it('bases that went take no moment of those that stay with them', async () => {
  await keepBases(walArchive, 1);
  const [base] = await readBases(archiveIn(walArchive));
  const early = Date.parse(base?.endedAt ?? '');
  const dataDir = join(folder, 'kept');
  const refused = await restore(new Date(early - 1).toISOString(), dataDir);
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('moments can be restored from') });
  expect((await restore(new Date(early + 5).toISOString(), dataDir)).code).toBe(0);
  expect((await rowsIn(dataDir))?.length).toBeGreaterThanOrEqual(must(early + 5));
});

it(`a base that is told to stop leaves no half and no PostgreSQL, in ${ROUNDS} rounds (seed ${SEED})`, async () => {
  const dataDir = join(folder, 'first');
  const bases = () => readdirSync(join(walArchive, 'bases'));
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: dataDir, WAL_ARCHIVE: walArchive };
  let length = 0;
  const tally = { made: 0, none: 0, killed: 0 };
  for (let round = 0; round <= ROUNDS; round++) {
    const before = bases().length;
    const child = spawn(process.execPath, [join(OUT, 'backup.js'), 'backup', '--base'], {
      cwd: ROOT,
      env,
      stdio: 'ignore',
    });
    const began = performance.now();
    const timer = round === 0 ? undefined : setTimeout(() => child.kill('SIGTERM'), upTo(length * 1.1));
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    if (round === 0) length = performance.now() - began;
    // Before its first line it heeds no signal, and has begun nothing.
    tally[code === null ? 'killed' : code === 0 ? 'made' : 'none']++;
    expect([round, bases().length - before, bases().filter((it) => it.endsWith('.part'))]).toEqual([
      round,
      code === 0 ? 1 : 0,
      [],
    ]);
    expect([round, readPidFile(join(dataDir, 'db'))]).toEqual([round, null]);
  }
  process.stdout.write(`${JSON.stringify(tally)}\n`);
  expect(tally.made).toBeGreaterThan(0);
}, 3_600_000);
