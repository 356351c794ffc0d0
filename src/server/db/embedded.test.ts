import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '#server/config.ts';
import { startEmbedded, type Embedded } from '#server/db/embedded.ts';
import { readPidFile } from '#server/db/embedded/postmaster.ts';
import { readPidSpace, readStartTime } from '#server/db/embedded/processes.ts';
import { openDatabase } from '#server/db/pool.ts';
import { openHealth } from '#server/health/health.ts';
import { ROOT } from '#server/root.ts';
import { superuserUrl } from '#tests/support/superuser.ts';

const isRoot = process.getuid?.() === 0;
let folder: string;
let dataDir: string;
let said: string[];
let running: Embedded | undefined;
let holder: ChildProcess | undefined;

const start = async (more: { dataDir?: string } = {}): Promise<Embedded> => {
  said = [];
  const options = { dataDir, root: ROOT, durable: false, elsewhere: join(folder, 'elsewhere'), ...more };
  running = await startEmbedded({ ...options, log: (sentence) => void said.push(sentence) });
  return running;
};

/** Another process starts on the same data; answers what it says. */
const startInAnotherProcess = async (): Promise<{ url?: string; reused?: boolean; refused?: string }> => {
  const script = join(ROOT, 'tests', 'support', 'embeddedHolder.ts');
  const args = [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), script, dataDir, join(folder, 'elsewhere')];
  holder = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  return new Promise((done, fail) => {
    let text = '';
    holder?.stdout?.on('data', (part: Buffer) => (text += part.toString()));
    holder?.stdout?.on('data', () => text.endsWith('\n') && done(JSON.parse(text)));
    holder?.on('exit', () => fail(new Error(`It ended, saying: ${text}`)));
  });
};

/** kill -9 of that process and of the tsx that started it; not of its PostgreSQL, which is in a group of its own. */
const killHolder = async (): Promise<void> => {
  if (!holder?.pid) return;
  const gone = new Promise((done) => holder?.on('exit', done));
  process.kill(-holder.pid, 'SIGKILL');
  await gone;
  holder = undefined;
};

const ask = async <Row extends object>(url: string, sql: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reflow-embedded-'));
  // mkdtemp makes folders that only their owner enters.
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'data');
});

afterEach(async () => {
  await killHolder();
  await running?.stop();
  running = undefined;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a database of our own', () => {
  it('is made at the first start, in UTF8, on loopback only, behind a password that only DATA_DIR knows', async () => {
    const embedded = await start();
    const { url, reused } = embedded;
    expect(reused).toBe(false);
    expect(said.join('\n')).toContain(`Making the database in ${join(dataDir, 'db')}`);
    const [it] = await ask(
      superuserUrl(embedded, 'reflow'),
      `SELECT current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS addresses,
              current_setting('unix_socket_directories') AS sockets, lower('ÄÖ修') AS lower`,
    );
    expect(it).toEqual({ encoding: 'UTF8', addresses: '127.0.0.1', sockets: '', lower: 'äö修' });
    expect(statSync(join(dataDir, 'db.password')).mode & 0o777).toBe(0o600);
    const otherUrl = new URL(url);
    otherUrl.password = 'guess';
    await expect(ask(otherUrl.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    await ask(url, 'CREATE TABLE kept (word text)');
    await ask(url, `INSERT INTO kept VALUES ('device')`);
  });

  it('keeps its data over a stop and a second start', async () => {
    const { url, stop } = await start();
    expect(said.join('\n')).not.toContain('Making');
    expect(await ask(url, 'SELECT word FROM kept')).toEqual([{ word: 'device' }]);
    await stop();
    expect(readPidFile(join(dataDir, 'db'))).toBeNull();
    expect(readdirSync(dataDir)).not.toContain('server.lock');
  });

  it('refuses a second server on the same folder, naming the process of the first', async () => {
    await start();
    await expect(startEmbedded({ dataDir, root: ROOT, log: () => undefined })).rejects.toThrow(
      `Another Reflow server (process ${process.pid}) already works on ${dataDir}.`,
    );
    const { refused } = await startInAnotherProcess();
    expect(refused).toContain(`(process ${process.pid})`);
  });

  it('finds the database that a killed server left running, and loses nothing', async () => {
    const { url = '' } = await startInAnotherProcess();
    await ask(url, `INSERT INTO kept VALUES ('board')`);
    const left = readPidFile(join(dataDir, 'db'));
    await killHolder();
    const again = await start();
    expect(again.reused).toBe(true);
    expect(said.join('\n')).toContain(`Found the database still running (process ${left?.pid})`);
    expect(await ask(again.url, 'SELECT word FROM kept ORDER BY word')).toEqual([
      { word: 'board' },
      { word: 'device' },
    ]);
    await again.stop();
    expect(readPidFile(join(dataDir, 'db'))).toBeNull();
  });

  describe('that ends by itself', () => {
    const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { interval: 20 });
    const pidIn = (folder: string) => readPidFile(folder)?.pid ?? NaN;
    /** As a full disk does it: PostgreSQL ends, and does not start until the disk is mended. */
    const fillDisk = async (folder: string) => {
      const settings = join(folder, 'postgresql.auto.conf');
      const kept = readFileSync(settings);
      writeFileSync(settings, 'no space left');
      process.kill(pidIn(folder), 'SIGQUIT');
      await until(() => said.join('\n').includes('PostgreSQL did not start'));
      return () => writeFileSync(settings, kept);
    };

    it('is started again, as soon as it can be, and found by whoever works on it', async () => {
      const { url, folder } = await start();
      const database = openDatabase(url, 'Asia/Shanghai');
      const health = openHealth(database.pool, readConfig({ DATA_DIR: dataDir }));
      const isDown = async () => (await health.check()).some((it) => it.key === 'databaseDown');
      const read = async () =>
        (await database.pool.query('SELECT word FROM kept WHERE word = $1', ['device'])).rowCount;
      expect([await isDown(), await read()]).toEqual([false, 1]);

      process.kill(pidIn(folder), 'SIGKILL');
      await until(() => said.join('\n').includes('The database runs again'));
      await until(async () => !(await isDown()));
      expect(await read()).toBe(1);

      const mend = await fillDisk(folder);
      expect(await isDown()).toBe(true);
      mend();
      await until(async () => !(await isDown()));
      expect(await read()).toBe(1);
      await database.close();
    });

    it('is not started again by a stop that comes between two attempts', async () => {
      const { folder, stop } = await start();
      const mend = await fillDisk(folder);
      await stop();
      mend();
      expect([readPidFile(folder), existsSync(join(dataDir, 'server.lock'))]).toEqual([null, false]);
    });

    it('is not left running by a stop that comes while it starts', async () => {
      const { folder, stop } = await start();
      process.kill(pidIn(folder), 'SIGKILL');
      await until(() => said.join('\n').includes('ended by itself'));
      await stop();
      expect(readStartTime(pidIn(folder))).toBeNull();
    });
  });

  it('is not fooled by a pid that another process was given since', async () => {
    // This very process is alive, but it is neither the server of that lock nor a PostgreSQL.
    writeFileSync(
      join(dataDir, 'server.lock'),
      JSON.stringify({ pid: process.pid, birth: 'long ago', machine: readPidSpace() }),
    );
    writeFileSync(join(dataDir, 'db', 'postmaster.pid'), `${process.pid}\n${dataDir}/db\n1\n5432\n\n\n\nready\n`);
    const { url, reused } = await start();
    expect(reused).toBe(false);
    expect(await ask(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('sets aside a folder that was only half made, and makes a new one', async () => {
    dataDir = join(folder, 'half');
    mkdirSync(join(dataDir, 'db.making-77', 'base'), { recursive: true });
    mkdirSync(join(dataDir, 'db'));
    writeFileSync(join(dataDir, 'db', 'postgresql.conf'), '# half');
    const { url } = await start();
    expect(await ask(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const aside = readdirSync(dataDir).filter((it) => it.startsWith('db.half-'));
    expect(aside).toHaveLength(2);
    expect(aside.flatMap((it) => readdirSync(join(dataDir, it))).sort()).toEqual(['base', 'postgresql.conf']);
  });

  it('refuses data of another major version, and leaves them as they are', async () => {
    const version = join(dataDir, 'db', 'PG_VERSION');
    const major = readFileSync(version, 'utf8');
    writeFileSync(version, '14\n');
    await expect(start()).rejects.toThrow(/were made by PostgreSQL 14; this Reflow brings \d+/);
    expect(readdirSync(dataDir)).not.toContain('server.lock');
    writeFileSync(version, major);
  });

  it.runIf(isRoot)(
    'lies elsewhere when the system user cannot reach the folder, and is found there again',
    async () => {
      dataDir = join(folder, 'closed', 'data');
      mkdirSync(join(folder, 'closed'), { mode: 0o700 });
      const first = await start();
      expect(first.folder.startsWith(join(folder, 'elsewhere'))).toBe(true);
      expect(said.join('\n')).toContain(first.folder.replace(/\/db$/, ''));
      await ask(first.url, 'CREATE TABLE kept_elsewhere ()');
      await first.stop();
      const second = await start();
      expect(await ask(second.url, 'SELECT * FROM kept_elsewhere')).toEqual([]);
      await second.stop();

      // DATA_DIR was deleted: what lies elsewhere is not taken for its data any more.
      rmSync(dataDir, { recursive: true });
      const third = await start();
      await expect(ask(third.url, 'SELECT * FROM kept_elsewhere')).rejects.toThrow(/does not exist/);
      expect(said.join('\n')).toContain('were put aside');
    },
  );
});
