import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded, StartRefused, type Embedded } from '#server/db/embedded.ts';
import { openDatabase } from '#server/db/pool.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { ROOT } from '#server/root.ts';
import { registers } from '#main/registers.ts';
import { scratchFolder } from '../../scripts/lib/scratch.mjs';
import { ownerClause, superuserUrl } from '#tests/support/superuser.ts';
import { fillWorld } from '#tests/support/world.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL for this run, as the role that servers connect as; tests make databases of their own by `createTestDatabase`. */
    databaseUrl: string;
    /** The same as the role that makes and drops databases. */
    makerUrl: string;
    /** The database that `startTestApp` copies: prepared, with the world of `world.ts`. */
    template: string;
  }
}

/** Runs at the same time get a PostgreSQL each, in a folder each. */
const RUNS_AT_ONCE = 8;

interface Shared {
  users: number;
  opened: Promise<{ databaseUrl: string; makerUrl: string; template: string; close: () => Promise<void> }>;
}
/** Each project of a run loads this file anew. */
const runs = globalThis as { reflowDatabase?: Shared | undefined };

/** One PostgreSQL for the whole run, whichever of its projects need it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (runs.reflowDatabase ??= { users: 0, opened: open() });
  shared.users += 1;
  const { databaseUrl, makerUrl, template, close } = await shared.opened;
  project.provide('databaseUrl', databaseUrl);
  project.provide('makerUrl', makerUrl);
  project.provide('template', template);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    runs.reflowDatabase = undefined;
    await close();
  };
}

/** TEST_DATABASE_URL, or an embedded one that need not survive a power cut. */
async function open() {
  const databaseUrl = process.env['TEST_DATABASE_URL'];
  if (databaseUrl) {
    const template = await makeTemplate(databaseUrl, databaseUrl);
    return { databaseUrl, makerUrl: databaseUrl, template, close: () => dropDatabase(databaseUrl, template) };
  }
  const { embedded, dataDir } = await firstFree();
  const makerUrl = superuserUrl(embedded);
  await dropLeftovers(makerUrl);
  const close = async () => {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { databaseUrl: embedded.url, makerUrl, template: await makeTemplate(embedded.url, makerUrl), close };
}

async function firstFree(): Promise<{ embedded: Embedded; dataDir: string }> {
  const clone = createHash('sha256').update(ROOT).digest('hex').slice(0, 8);
  for (let run = 1; ; run++) {
    const dataDir = join(scratchFolder(), `reflow-tests-${clone}-${run}`);
    try {
      return { embedded: await start(dataDir), dataDir };
    } catch (error) {
      const isLocked = error instanceof StartRefused && error.message.startsWith('Another Reflow server');
      if (!isLocked || run === RUNS_AT_ONCE) throw error;
    }
  }
}

/** Without fsync, a machine that was switched off leaves a database that does not start: then a new one is made. */
async function start(dataDir: string): Promise<Embedded> {
  const options = { dataDir, root: ROOT, log: () => undefined, durable: false };
  try {
    return await startEmbedded(options);
  } catch (error) {
    const isBroken = error instanceof StartRefused && /did not start|were made by PostgreSQL/.test(error.message);
    if (!isBroken || !existsSync(dataDir)) throw error;
    renameSync(dataDir, `${dataDir}.broken-${Date.now()}`);
    return await startEmbedded(options);
  }
}

/** What a killed run left in the folder. */
async function dropLeftovers(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname LIKE 'test\\_%'`,
  );
  for (const { name } of rows) await client.query(`DROP DATABASE "${name}" WITH (FORCE)`);
  await client.end();
}

/** Prepared once for the run; a copy of it takes a fraction of what preparing takes. */
async function makeTemplate(url: string, makerUrl: string): Promise<string> {
  const name = `test_template_${process.pid}`;
  const client = new pg.Client({ connectionString: makerUrl });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  await client.query(
    `CREATE DATABASE "${name}" ${ownerClause(url)} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`,
  );
  await client.end();
  const own = new URL(url);
  own.pathname = `/${name}`;
  const { model } = await prepareDatabase(own.href, registers);
  const database = openDatabase(own.href, 'Asia/Shanghai');
  await fillWorld(database.db, model);
  await database.close();
  return name;
}

async function dropDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  await client.end();
}
