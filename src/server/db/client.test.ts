import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { DatabaseClient, hostsOf } from '#server/db/client.ts';
import { openLine } from '#server/db/line.ts';
import { openDatabase } from '#server/db/pool.ts';
import { missingOf } from '#server/health/missing.ts';
import { openBoss } from '#server/jobs/boss.ts';
import { ROOT } from '#server/root.ts';
import { asMaker } from '#tests/support/database.ts';
import { databaseProxy, type DatabaseProxy, type Settings } from '#tests/support/databaseProxy.ts';

describe('an address of several hosts', () => {
  it('is one of each, with the same user, database and settings', () => {
    expect(hostsOf('postgres://me:a%2Cb@a:5432,b:5433/db?target_session_attrs=read-write&sslmode=disable')).toEqual([
      'postgres://me:a%2Cb@a:5432/db?sslmode=disable',
      'postgres://me:a%2Cb@b:5433/db?sslmode=disable',
    ]);
    expect(hostsOf('postgresql://a,[::1]:5433,c/db?application_name=x&target_session_attrs=primary')).toEqual([
      'postgresql://a/db?application_name=x',
      'postgresql://[::1]:5433/db?application_name=x',
      'postgresql://c/db?application_name=x',
    ]);
  });

  it('is taken as it is where it names one', () => {
    for (const it of ['postgres://me:a,b@a/db', '/var/run/postgresql reflow', 'postgres:///db?host=/run/postgresql'])
      expect(hostsOf(it)).toEqual([it]);
    for (const it of ['read-write', 'any'])
      expect(hostsOf(`postgres://a/db?target_session_attrs=${it}`)).toEqual(['postgres://a/db']);
    expect(() => hostsOf('postgres://a,b/db?target_session_attrs=any')).toThrow('read-write or primary and not any');
  });
});

/** The same database by another port, or a standby of it. */
interface Host {
  way: DatabaseProxy;
  name: string;
  onlyReads: boolean;
  /** As whom it is asked, where it is another user. */
  user?: string;
}

async function openHost(): Promise<Host> {
  const asked = (settings: Settings) => ({
    ...settings,
    ...(host.onlyReads && { options: '-c default_transaction_read_only=on' }),
    ...(host.user !== undefined && { user: host.user }),
  });
  const way = await databaseProxy(inject('databaseUrl'), { asked });
  const host: Host = { way, name: new URL(way.url).host, onlyReads: false };
  return host;
}

describe('a connection to one of several hosts', () => {
  let first: Host;
  let second: Host;
  let both: string;
  beforeEach(async () => {
    [first, second] = [await openHost(), await openHost()];
    both = `${first.way.url.replace(first.name, `${first.name},${second.name}`)}?target_session_attrs=read-write`;
  });
  afterEach(async () => {
    for (const { way } of [first, second]) await way.close();
  });

  const isAt = (host: Host, port: number | undefined) => host.name.endsWith(`:${port}`);
  const connected = async () => {
    const client = new DatabaseClient({ connectionString: both });
    await client.connect();
    const { port } = client;
    await client.end();
    return port;
  };

  it('goes to the one that takes changes, whichever it is', async () => {
    first.onlyReads = true;
    expect(isAt(second, await connected())).toBe(true);
    await first.way.cut();
    expect(isAt(second, await connected())).toBe(true);
    await first.way.mend();
    first.onlyReads = false;
    await second.way.cut();
    expect(isAt(first, await connected())).toBe(true);
  });

  it('goes on at the other one after a failover: the pools, the queue of jobs and whoever listens', async () => {
    second.onlyReads = true;
    const ports: number[] = [];
    const stopping = new AbortController();
    const database = openDatabase(both, 'Asia/Shanghai', { size: 2 });
    const queue = openBoss(both);
    const pools = [database.pool, queue.pool];
    const heard = vi.fn<(payload: string) => void>();
    const line = await openLine(both, {
      ...{ name: 'test', open: (client) => client.query('LISTEN failover'), stopping: stopping.signal },
      ...{ onMessage: heard, onError: () => undefined, onOpen: ({ port }) => void ports.push(port) },
    });
    for (const it of pools) await it.query('SELECT 1');
    await first.way.cut();
    second.onlyReads = false;
    await vi.waitFor(() => expect([ports.length, ...pools.map((it) => it.totalCount)]).toEqual([2, 0, 0]));
    expect(ports.map((it) => isAt(second, it))).toEqual([false, true]);
    for (const it of pools) await it.query(`CREATE TEMP TABLE written (); NOTIFY failover, 'heard'`);
    await vi.waitFor(() => expect(heard.mock.calls).toEqual([['heard'], ['heard']]));
    stopping.abort();
    await line.close();
    await queue.close();
    await database.close();
  });

  it('is refused where none takes changes, by what each said', async () => {
    [first.onlyReads, second.onlyReads] = [true, true];
    const [one, two] = [first.name, second.name];
    const refused = async () => connected().catch((error: Error) => error);
    const reading = (await refused()) as Error;
    expect(reading.message).toBe(`None of the 2 hosts takes changes: ${one} (it only reads), ${two} (it only reads)`);
    expect(missingOf(reading)).toBe('databaseReadOnly');
    // A standby only reads, as it should: what the other one says counts.
    const role = `crowded_${process.pid}`;
    const password = decodeURIComponent(new URL(inject('databaseUrl')).password);
    await asMaker((client) => client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}' CONNECTION LIMIT 0`));
    second.user = role;
    expect(missingOf(await refused())).toBe('connectionsUsed');
    await first.way.cut();
    expect(missingOf(await refused())).toBe('connectionsUsed');
    delete second.user;
    expect(missingOf(await refused())).toBe('databaseDown');
    await asMaker((client) => client.query(`DROP ROLE ${role}`));
    await second.way.cut();
    const down = (await refused()) as Error;
    expect(down.message).toContain(`${one} (connect ECONNREFUSED`);
    expect(missingOf(down)).toBe('databaseDown');
  });
});

it('a line that ends while it is opened, unnoticed by who opens it, is opened again', async () => {
  const way = await databaseProxy(inject('databaseUrl'));
  const stopping = new AbortController();
  const onError = vi.fn<(error: unknown) => void>();
  const opened: pg.Client[] = [];
  let times = 0;
  let again = () => undefined as void;
  const isOpenAgain = new Promise<void>((done) => (again = done));
  const line = await openLine(way.url, {
    ...{ name: 'test', onMessage: () => undefined, onError, stopping: stopping.signal },
    open: async (client) => {
      times++;
      if (times !== 2) return;
      const cut = way.cut();
      await client.query('SELECT 1').catch(() => undefined);
      await cut;
      await way.mend();
    },
    onOpen: (client) => {
      opened.push(client);
      if (opened.length === 2) again();
    },
  });
  await way.cut();
  await way.mend();
  await isOpenAgain;
  expect((await opened[1]?.query('SELECT 1 AS one'))?.rows).toEqual([{ one: 1 }]);
  expect(onError.mock.calls.flat().map(String)).toContain('Error: Connection terminated while it was opened: test');
  stopping.abort();
  await line.close();
  await way.close();
});

it('every connection of the server is one that finds its host', () => {
  const own = /^src\/server\/db\/((client|pool)\.ts$|embedded(\.ts$|\/))/;
  // The embedded database alone, which has one host.
  const ofEmbedded = /^src\/server\/backup\/(base|pointInTime)\.ts$/;
  const strange = ['src/server', 'src/main', 'src/features']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((it) => `${folder}/${it}`),
    )
    .filter((it) => it.endsWith('.ts') && !it.endsWith('.test.ts') && !own.test(it) && !ofEmbedded.test(it))
    .filter((it) =>
      /new (pg\.)?(Client|Pool)\(|connectionString: url, schema/.test(readFileSync(join(ROOT, it), 'utf8')),
    );
  expect(strange).toEqual([]);
});
