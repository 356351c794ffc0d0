import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import pg from 'pg';
import { extract, pack } from 'tar-stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';
import { newFileId, openFileStore } from '#server/uploads/fileStore.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { databaseProxy } from '#tests/support/databaseProxy.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { randomFrom } from '#tests/support/stations.ts';
import { commandBundle } from '../../scripts/lib/serverBundle.mjs';

/**
 * Backups and restores by the built command, each with a fault at random: whatever happens, what bears a backup's name is
 * whole, and a restore is whole or nothing. What is whole is told by rows and files alone, not by what the archive says of
 * itself.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 20);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
const OUT = '.cache/chaos-commands';
/** The same commands, but for the comparing of rows with their hash. */
const UNCHECKED = '.cache/chaos-commands-unchecked';
const FILES = 30;

let testApp: TestApp;
let folder: string;
let ids: string[];
let good: string;
/** How long one takes here, in ms: a kill comes at any moment of it, or shortly after. */
let usual: number;
/** Of each file's content. */
const shas = new Map<string, string>();
const random = randomFrom(SEED);
const upTo = (count: number) => Math.floor(random() * count);
const pick = <T>(of: readonly T[]): T => of[upTo(of.length)] as T;

beforeAll(async () => {
  await build({ ...commandBundle(OUT), sourcemap: false });
  await build({ ...commandBundle(UNCHECKED), sourcemap: false, plugins: [unchecked] });
  testApp = await startTestApp();
  folder = mkdtempSync(join(tmpdir(), 'reflow-backups-'));
  ids = Array.from({ length: FILES }, newFileId);
  const store = openFileStore(testApp.config);
  for (const id of ids) {
    const content = randomBytes(1 + upTo(200_000));
    await store.put(id, content);
    shas.set(id, sha(content));
    await testApp.db
      .insertInto('file')
      .values({
        id,
        kind: 'picture',
        name: `${id}.jpg`,
        mime: 'image/jpeg',
        size: content.length,
        siteId: 'SZ',
        createBy: 'tech',
      })
      .execute();
  }
  good = join(folder, 'good.tar.gz');
  const began = performance.now();
  expect(await command(['backup', good], {})).toBe(0);
  usual = performance.now() - began;
  expect(await faultsOf(good)).toEqual([]);
});
afterAll(async () => {
  await testApp.close();
  rmSync(folder, { recursive: true });
});

const unchecked: Plugin = {
  name: 'unchecked',
  setup: ({ onLoad }) =>
    onLoad({ filter: /backup\/archive\.ts$/ }, ({ path }) => {
      const whole = readFileSync(path, 'utf8');
      const contents = whole.replace('if (listed?.sha256 !== found.sha256) throw', 'if (!listed) throw');
      if (contents === whole) throw new Error('The check is not where it was');
      return { contents, loader: 'ts' };
    }),
};

const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface How {
  env?: Record<string, string>;
  /** Killed so many ms after it began. */
  killAfter?: number;
  /** Or told to stop. */
  signal?: 'SIGKILL' | 'SIGTERM' | 'SIGINT';
  /** No file of its own may be larger, in KB: the disk is full. */
  roomKb?: number;
  out?: string;
}

/** Its exit code; null where it was killed. */
async function command(
  words: string[],
  { env = {}, killAfter, signal = 'SIGKILL', roomKb, out = OUT }: How,
): Promise<number | null> {
  const settings = { ...process.env, DATABASE_URL: testApp.url, DATA_DIR: testApp.config.dataDir, ...env };
  const limit = roomKb === undefined ? '' : `trap '' XFSZ; ulimit -f ${roomKb}; `;
  const shell = ['-c', `${limit}exec "$0" "$@"`, process.execPath, join(out, 'backup.js'), ...words];
  const child = spawn('bash', shell, { cwd: ROOT, env: settings, stdio: 'ignore' });
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill(signal), killAfter);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  return code;
}

/** What the archive lacks of the database and the folder that it should hold. */
async function faultsOf(path: string): Promise<string[]> {
  const rows = new Map<string, number>();
  const files = new Map<string, string>();
  const tar = extract();
  createReadStream(path).on('error', (error) => tar.destroy(error));
  tar.end(gunzipSync(readFileSync(path)));
  for await (const entry of tar) {
    const parts: Buffer[] = [];
    for await (const part of entry) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    const [kind, name = ''] = entry.header.name.split('/');
    if (kind === 'tables') rows.set(name, (rows.get(name) ?? 0) + bytes.filter((it) => it === 10).length);
    if (kind === 'files') files.set(name, sha(bytes));
  }
  const faults: string[] = [];
  for (const [table, count] of await countsOf(testApp.url)) {
    if ((rows.get(table) ?? 0) !== count) faults.push(`${table}: ${rows.get(table)} of ${count} rows`);
  }
  for (const id of ids) if (files.get(id) !== shas.get(id)) faults.push(`file ${id}`);
  return faults;
}

async function countsOf(url: string): Promise<[string, number][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND relname NOT IN ('table_change', 'station_scans') ORDER BY 1`,
  );
  const counts: [string, number][] = [];
  for (const { name } of rows) {
    const counted = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM "${name}"`);
    counts.push([name, counted.rows[0]?.n ?? -1]);
  }
  await client.end();
  return counts;
}

/** Each table's rows, as one hash. */
async function hashesOf(url: string): Promise<[string, string][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const hashes: [string, string][] = [];
  for (const [name] of await countsOf(url)) {
    const { rows } = await client.query<{ hash: string }>(
      `SELECT md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS hash FROM "${name}" AS t`,
    );
    hashes.push([name, rows[0]?.hash ?? '']);
  }
  await client.end();
  return hashes;
}

const halves = () => readdirSync(folder).filter((it) => it.endsWith('.part'));
const anySignal = () => pick(['SIGTERM', 'SIGINT'] as const);
const pathOf = (id: string) => join(testApp.config.dataDir, 'files', id.slice(0, 2), id);

/** Each spoils something, backs up, and puts it right again. */
const spoilt: Record<string, (path: string) => Promise<number | null>> = {
  'a file is lost': (path) =>
    withFile(
      (file) => rmSync(file),
      () => command(['backup', path], {}),
    ),
  'a file is cut': (path) =>
    withFile(
      (file, content) => writeFileSync(file, content.subarray(0, upTo(content.length))),
      () => command(['backup', path], {}),
    ),
  'the folder is another': async (path) => {
    const other = join(folder, 'other');
    mkdirSync(join(other, 'files'), { recursive: true });
    return command(['backup', path], { env: { DATA_DIR: other } });
  },
  'the disk is full': (path) => command(['backup', path], { roomKb: 1 + upTo(3000) }),
  'it is killed': (path) => command(['backup', path], { killAfter: upTo(usual * 1.3) }),
  'it is told to stop': (path) => command(['backup', path], { killAfter: upTo(usual * 1.3), signal: anySignal() }),
  'the connection is cut': async (path) => {
    const wire = await databaseProxy(testApp.url);
    const running = command(['backup', path], { env: { DATABASE_URL: wire.url } });
    await wait(upTo(usual * 1.3));
    await wire.cut();
    const code = await running;
    await wire.close();
    return code;
  },
};

async function withFile<T>(spoil: (file: string, content: Buffer) => void, use: () => Promise<T>): Promise<T> {
  const file = pathOf(pick(ids));
  const content = readFileSync(file);
  spoil(file, content);
  try {
    return await use();
  } finally {
    writeFileSync(file, content);
  }
}

it(
  `no backup bears its name that is not whole, in ${ROUNDS} rounds (seed ${SEED})`,
  { timeout: 3_600_000 },
  async () => {
    const tally: Record<string, [made: number, none: number]> = {};
    for (let round = 0; round < ROUNDS; round++) {
      const name = pick(Object.keys(spoilt));
      const path = join(folder, `round-${round}.tar.gz`);
      const code = await spoilt[name]?.(path);
      const isMade = existsSync(path);
      (tally[name] ??= [0, 0])[isMade ? 0 : 1]++;
      // Killed after its name was given, it is whole without having said so.
      if (code !== null) expect([name, isMade], `round ${round}`).toEqual([name, code === 0]);
      if (isMade) expect([name, await faultsOf(path)], `round ${round}`).toEqual([name, []]);
      // Whoever ends by itself leaves no half.
      if (code !== null) expect([name, halves()], `round ${round}`).toEqual([name, []]);
      for (const it of halves()) rmSync(join(folder, it));
      rmSync(path, { force: true });
    }
    process.stdout.write(`${JSON.stringify(tally)}\n`);
    for (const it of ['a file is lost', 'a file is cut', 'the folder is another']) expect(tally[it]?.[0] ?? 0).toBe(0);
    // The control: without the check a backup that is not whole bears its name, and this test sees it.
    const path = join(folder, 'control.tar.gz');
    const faults = await withFile(
      (file) => rmSync(file),
      async () => {
        expect(await command(['backup', path, '--allow-missing'], {})).toBe(0);
        return faultsOf(path);
      },
    );
    expect(faults).toHaveLength(1);
  },
);

/** Each restores with a fault. */
const broken: Record<string, (url: string, dataDir: string) => Promise<number | null>> = {
  'the archive is cut': (url, dataDir) => restoring(url, dataDir, (whole) => whole.subarray(0, upTo(whole.length))),
  'a byte is another': (url, dataDir) =>
    restoring(url, dataDir, (whole) => {
      const bytes = gunzipSync(whole);
      const at = upTo(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << upTo(8));
      return gzipSync(bytes, { level: 1 });
    }),
  'a file is missing in it': (url, dataDir) => restoring(url, dataDir, withoutFile),
  'the archive is missing': (url, dataDir) =>
    command(['restore', join(folder, 'nowhere.tar.gz')], { env: { DATABASE_URL: url, DATA_DIR: dataDir } }),
  // A folder in which nothing can be written.
  'the folder is another': (url) => restoring(url, join(good, 'data'), (whole) => whole),
  'the disk is full': (url, dataDir) => restoring(url, dataDir, (whole) => whole, { roomKb: 1 + upTo(190) }),
  'it is killed': (url, dataDir) => restoring(url, dataDir, (whole) => whole, { killAfter: upTo(usual * 4) }),
  'it is told to stop': (url, dataDir) =>
    restoring(url, dataDir, (whole) => whole, { killAfter: upTo(usual * 4), signal: anySignal() }),
  'the connection is cut': async (url, dataDir) => {
    const wire = await databaseProxy(url);
    const running = restoring(wire.url, dataDir, (whole) => whole);
    await wait(upTo(usual * 4));
    await wire.cut();
    const code = await running;
    await wire.close();
    return code;
  },
};

async function restoring(
  url: string,
  dataDir: string,
  spoil: (whole: Buffer) => Buffer | Promise<Buffer>,
  how: How = {},
) {
  const path = join(folder, 'spoilt.tar.gz');
  writeFileSync(path, await spoil(readFileSync(good)));
  return command(['restore', path], { ...how, env: { DATABASE_URL: url, DATA_DIR: dataDir } });
}

async function withoutFile(whole: Buffer): Promise<Buffer> {
  const left = `files/${pick(ids)}`;
  const [from, to] = [extract(), pack()];
  from.end(gunzipSync(whole));
  for await (const entry of from) {
    const content = await buffer(entry);
    if (entry.header.name !== left) to.entry({ name: entry.header.name }, content);
  }
  to.finalize();
  return gzipSync(await buffer(to), { level: 1 });
}

it(`a restore is whole or nothing, in ${ROUNDS} rounds (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
  const ofBackup = (all: [string, string][]) => all.filter(([name]) => name !== 'migration');
  const wanted = ofBackup(await hashesOf(testApp.url));
  const tally: Record<string, [whole: number, nothing: number]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    const name = pick(Object.keys(broken));
    const empty = await createTestDatabase();
    const dataDir = mkdtempSync(join(folder, 'data-'));
    const code = await broken[name]?.(empty.url, dataDir);
    const rows = await hashesOf(empty.url);
    const isThere = rows.length > 0;
    (tally[name] ??= [0, 0])[isThere ? 0 : 1]++;
    // Rows that came are all of them, with their files; a table that was made anew beside them holds no row of the backup.
    if (isThere) {
      expect([name, ofBackup(rows)], `round ${round}`).toEqual([name, wanted]);
      const kept = ids.map((id) => sha(readFileSync(join(dataDir, 'files', id.slice(0, 2), id))));
      expect([name, kept], `round ${round}`).toEqual([name, ids.map((id) => shas.get(id))]);
    }
    if (code === 0) expect([name, isThere], `round ${round}`).toEqual([name, true]);
    // Whoever ends by itself leaves no file without its rows.
    const kept = ids.filter((id) => existsSync(join(dataDir, 'files', id.slice(0, 2), id)));
    if (code !== null && !isThere) expect([name, kept], `round ${round}`).toEqual([name, []]);
    rmSync(dataDir, { recursive: true });
    await empty.drop();
  }
  process.stdout.write(`${JSON.stringify(tally)}\n`);
  const never = ['a file is missing in it', 'the archive is missing', 'the folder is another'];
  for (const it of never) expect([it, tally[it]?.[0] ?? 0]).toEqual([it, 0]);
  // The control: without the check a restore is called whole that is not, and this test sees it.
  const renamed = (whole: Buffer) => {
    const bytes = gunzipSync(whole);
    bytes.write('techXX', bytes.indexOf('techNB'));
    return gzipSync(bytes, { level: 1 });
  };
  for (const [out, code] of [
    [OUT, 1],
    [UNCHECKED, 0],
  ] as const) {
    const empty = await createTestDatabase();
    const dataDir = mkdtempSync(join(folder, 'data-'));
    expect(await restoring(empty.url, dataDir, renamed, { out })).toBe(code);
    const rows = ofBackup(await hashesOf(empty.url));
    if (code === 1) expect(rows).toEqual([]);
    else expect(rows.filter(([name, it]) => wanted.find(([other]) => other === name)?.[1] !== it)).not.toEqual([]);
    await empty.drop();
  }
});
