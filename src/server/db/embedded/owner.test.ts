import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { findRunning, startEmbedded, type Embedded } from '#server/db/embedded.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { ROOT } from '#server/root.ts';
import { registers } from '#tests/support/features.ts';
import { superuserUrl } from '#tests/support/superuser.ts';
import { findBinaries } from './binaries.ts';
import { ensureCluster, urlOf } from './cluster.ts';
import { chooseLocation, openDataDir } from './location.ts';
import { startPostmaster, stopPostmaster, type Postmaster } from './postmaster.ts';

let folder: string;
let said: string[];
let running: Embedded | undefined;
const where = () => ({ dataDir: join(folder, 'data'), root: ROOT, elsewhere: join(folder, 'elsewhere') });
const log = (sentence: string) => void said.push(sentence);

const start = async (): Promise<Embedded> => {
  said = [];
  running = await startEmbedded({ ...where(), durable: false, log });
  return running;
};
const stop = async () => {
  await running?.stop();
  running = undefined;
};

async function ask<Row extends object>(url: string, sql: string, values?: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Everything in any catalog that has an owner, with its owner and the transaction that wrote it last; but not what came with PostgreSQL. */
async function readOwned(
  url: string,
): Promise<{ what: string; owner: string; written: string; ofExtension: boolean }[]> {
  const catalogs = await ask<{ name: string; column: string }>(
    url,
    `SELECT c.oid::regclass::text AS name, a.attname AS column FROM pg_class AS c
       JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind = 'r'
        AND a.atttypid = 'oid'::regtype AND (a.attname ~ 'owner$' OR a.attname = 'datdba') ORDER BY 1`,
  );
  expect(catalogs.length).toBeGreaterThan(15);
  const asked = catalogs.map(
    ({ name, column }) =>
      `SELECT tableoid, oid, ${column} AS owner, xmin::text AS written FROM ${name} WHERE oid >= 16384` +
      (name === 'pg_database' ? ' AND datname = current_database()' : ''),
  );
  return ask(
    url,
    `SELECT o.type || ' ' || o.identity AS what, pg_get_userbyid(it.owner) AS owner, it.written,
            EXISTS (SELECT 1 FROM pg_depend WHERE classid = it.tableoid AND objid = it.oid AND deptype = 'e')
              OR o.type = 'extension' AS "ofExtension"
       FROM (${asked.join(' UNION ALL ')}) AS it, pg_identify_object(it.tableoid, it.oid, 0) AS o
      WHERE o.schema IS DISTINCT FROM 'pg_toast' ORDER BY 1`,
  );
}

const countByTable = async (url: string) => {
  const tables = await ask<{ name: string }>(
    url,
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p', 'm') AND relnamespace >= 16384::oid
       OR relkind IN ('r', 'p', 'm') AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const [counts] = await ask<Record<string, string>>(
    url,
    `SELECT ${tables.map(({ name }, i) => `(SELECT count(*) || ' ' || coalesce(md5(string_agg(it::text, ' ' ORDER BY it::text)), '') FROM ${name} AS it) AS "${i}"`).join(', ')}`,
  );
  return Object.fromEntries(tables.map(({ name }, i) => [name, counts?.[i]]));
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reflow-owner-'));
  // mkdtemp makes folders that only their owner enters.
  chmodSync(folder, 0o755);
});
afterEach(stop);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the role of the server', () => {
  it('owns its database and may do nothing beyond it', async () => {
    const { url } = await start();
    const [role] = await ask(
      url,
      `SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, pg_get_userbyid(datdba) = rolname AS owns,
              (SELECT count(*)::int FROM pg_auth_members WHERE member = pg_roles.oid) AS memberships
         FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
    );
    expect(role).toEqual({
      ...{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false, rolbypassrls: false },
      ...{ owns: true, memberships: 0 },
    });
    expect(statSync(join(where().dataDir, 'db.owner.password')).mode & 0o777).toBe(0o600);
    for (const forbidden of [
      `COPY (SELECT 1) TO PROGRAM 'cat'`,
      `COPY (SELECT 1) TO '/tmp/reflow-owner'`,
      `SELECT pg_read_file('postgresql.conf')`,
      `SELECT pg_ls_dir('.')`,
      `SELECT lo_import('/etc/passwd')`,
      `SELECT rolpassword FROM pg_authid`,
      `ALTER SYSTEM SET work_mem = '1GB'`,
      `SET session_replication_role = replica`,
      `CREATE ROLE other`,
      `CREATE DATABASE other`,
      `ALTER ROLE ${new URL(url).username} SUPERUSER`,
      `CREATE FUNCTION f() RETURNS int LANGUAGE c AS 'libc', 'getpid'`,
    ]) {
      await expect(ask(url, forbidden), forbidden).rejects.toMatchObject({ code: '42501' });
    }
    expect((await prepareDatabase(url, registers)).isNew).toBe(true);
  });

  it('is as it was after a second start', async () => {
    const first = await start();
    const before = await readOwned(superuserUrl(first, 'reflow'));
    const roles = await ask(superuserUrl(first), 'SELECT xmin, * FROM pg_authid ORDER BY oid');
    const password = readFileSync(join(where().dataDir, 'db.owner.password'), 'utf8');
    await stop();
    const second = await start();
    expect(await readOwned(superuserUrl(second, 'reflow'))).toEqual(before);
    expect(await ask(superuserUrl(second), 'SELECT xmin, * FROM pg_authid ORDER BY oid')).toEqual(roles);
    expect(readFileSync(join(where().dataDir, 'db.owner.password'), 'utf8')).toBe(password);
  });

  it('gets a new password where the file is lost, and loses a right that somebody gave it', async () => {
    const first = await start();
    const { username, password } = new URL(first.url);
    await ask(superuserUrl(first), `ALTER ROLE ${username} SUPERUSER CREATEDB`);
    await stop();
    rmSync(join(where().dataDir, 'db.owner.password'));
    const { url } = await start();
    expect(new URL(url).password).not.toBe(password);
    const [role] = await ask(url, 'SELECT rolsuper, rolcreatedb FROM pg_roles WHERE rolname = current_user');
    expect(role).toEqual({ rolsuper: false, rolcreatedb: false });
  });
});

describe('a folder of an earlier version, whose server was the superuser', () => {
  let old: { postmaster: Postmaster; folder: string; url: string };
  let holder: ChildProcess | undefined;
  let before: Record<string, string | undefined>;

  beforeAll(async () => {
    rmSync(where().dataDir, { recursive: true });
    said = [];
    openDataDir(where().dataDir);
    const location = await chooseLocation({ ...where(), log });
    const binaries = findBinaries(ROOT, location);
    const options = { durable: false, log };
    const cluster = await ensureCluster(location, binaries, options);
    const postmaster = await startPostmaster(location, binaries, cluster, options);
    await ask(urlOf(cluster.superuser, postmaster.port, 'postgres'), 'CREATE DATABASE reflow');
    old = { postmaster, folder: cluster.folder, url: urlOf(cluster.superuser, postmaster.port, 'reflow') };
    await prepareDatabase(old.url, registers);
    await ask(old.url, OTHERS);
    before = await countByTable(old.url);
  });
  afterAll(async () => {
    if (holder?.pid) process.kill(-holder.pid, 'SIGKILL');
    await stopPostmaster(old.postmaster, old.folder);
  });

  it('is found by a backup beside that server', async () => {
    const lock = join(where().dataDir, 'server.lock');
    writeFileSync(lock, '{}');
    expect((await findRunning({ ...where(), log }))?.url).toBe(old.url);
    rmSync(lock);
  });

  it('stays as it was when the start that moves it is killed in the middle', async () => {
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER %'`;
    const others = `SELECT 1 FROM pg_stat_activity WHERE datname = 'reflow' AND pid <> pg_backend_pid()`;
    const reader = new pg.Client({ connectionString: old.url });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM ubs_site');
    const script = join(ROOT, 'tests/support/embeddedHolder.ts');
    const args = [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), script, where().dataDir, where().elsewhere];
    holder = spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore', detached: true });
    const gone = new Promise((done) => holder?.on('exit', done));
    await vi.waitUntil(async () => (await ask(old.url, waiting)).length > 0, { interval: 50 });
    process.kill(-(holder.pid as number), 'SIGKILL');
    await gone;
    holder = undefined;
    await reader.end();
    await vi.waitUntil(async () => (await ask(old.url, others)).length === 0, { interval: 50 });
    const owners = new Set((await readOwned(old.url)).map((it) => it.owner));
    expect([...owners].filter((it) => it !== 'pg_database_owner')).toEqual(['reflow']);
  });

  it('is the ordinary role’s after the next start, with all that is in it', async () => {
    const embedded = await start();
    const { url } = embedded;
    expect(embedded.reused).toBe(true);
    expect(said.join('\n')).toMatch(/Gave the database to reflow_owner, who is no superuser \(\d+ of its objects\)/);
    const owned = await readOwned(superuserUrl(embedded, 'reflow'));
    expect(owned.length).toBeGreaterThan(500);
    const left = owned.filter((it) => it.owner !== 'reflow_owner' && !it.ofExtension).map((it) => it.what);
    // PostgreSQL makes these for a type of ranges as its own, whoever makes the type.
    expect(left.filter((it) => !/^function public\.(?:span|multispan|spanmultirange)\(/.test(it))).toEqual([]);
    expect(await countByTable(url)).toEqual(before);
    const prepared = await prepareDatabase(url, registers);
    expect([prepared.applied, prepared.leftOut, prepared.isNew]).toEqual([[], [], false]);
    await ask(
      url,
      'ALTER TABLE ubs_site ADD COLUMN extra text; ALTER TYPE own.mood ADD VALUE $$glad$$; DROP TABLE own.kept',
    );
    expect(await ask(url, `SELECT word FROM found WHERE word LIKE '%evic%'`)).toEqual([{ word: 'device' }]);
    await stop();

    const again = await start();
    expect(said.join('\n')).not.toContain('Gave the database');
    const still = await readOwned(superuserUrl(again, 'reflow'));
    expect(still.filter((it) => it.owner !== 'reflow_owner' && !it.ofExtension)).toHaveLength(left.length);
  });
});

/** What people may have made of their own beside the product: of each kind that has an owner, and extensions. */
const OTHERS = `
  CREATE EXTENSION pg_trgm; CREATE EXTENSION hstore; CREATE EXTENSION pg_stat_statements;
  CREATE TABLE found (id serial PRIMARY KEY, word text, more hstore);
  CREATE INDEX ON found USING gin (word gin_trgm_ops);
  INSERT INTO found (word, more) VALUES ('device', 'a=>1'), ('board', NULL);
  INSERT INTO ubs_country ("countryId", name) VALUES ('CN', 'China');
  CREATE SCHEMA own;
  CREATE TYPE own.mood AS ENUM ('sad'); CREATE DOMAIN own.positive AS int CHECK (VALUE > 0);
  CREATE TYPE own.pair AS (a int, b own.mood); CREATE TYPE span AS RANGE (subtype = float8, multirange_type_name = multispan);
  CREATE TABLE own.kept (id int GENERATED ALWAYS AS IDENTITY, mood own.mood, pair own.pair, day date) PARTITION BY RANGE (day);
  CREATE TABLE own.kept_now PARTITION OF own.kept DEFAULT;
  INSERT INTO own.kept (mood, day) VALUES ('sad', now());
  CREATE SEQUENCE "Odd ""name""";
  CREATE VIEW own.seen AS SELECT * FROM found; CREATE MATERIALIZED VIEW counted AS SELECT count(*) FROM found;
  CREATE FUNCTION own.twice(int) RETURNS int LANGUAGE sql RETURN $1 * 2;
  CREATE FUNCTION own.later(a own.pair, VARIADIC b text[] DEFAULT '{}') RETURNS SETOF int LANGUAGE sql AS 'SELECT 1';
  CREATE PROCEDURE own.nothing() LANGUAGE sql AS '';
  CREATE AGGREGATE own.total(int) (sfunc = int4pl, stype = int); CREATE AGGREGATE own.rows(*) (sfunc = int8inc, stype = int8, initcond = '0');
  CREATE STATISTICS own.linked (dependencies) ON id, word FROM found;
  CREATE COLLATION own.plain (provider = builtin, locale = 'C');
  CREATE OPERATOR own.=== (leftarg = int, rightarg = int, function = int4eq);
  CREATE OPERATOR CLASS own.backwards FOR TYPE int USING btree AS OPERATOR 1 >, OPERATOR 3 =, FUNCTION 1 btint4cmp(int, int);
  CREATE CONVERSION own.latin FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
  CREATE TEXT SEARCH DICTIONARY own.words (template = simple); CREATE TEXT SEARCH CONFIGURATION own.search (copy = simple)`;
