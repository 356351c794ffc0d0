import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded, StartRefused, type Embedded } from '#server/db/embedded.ts';
import { ROOT } from '#server/root.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL for this run; tests make databases of their own in it by `createTestDatabase`. */
    databaseUrl: string;
  }
}

/** Runs at the same time get a PostgreSQL each, in a folder each; the folders are kept, as making one takes a second. */
const RUNS_AT_ONCE = 8;

/** One PostgreSQL for the whole run: TEST_DATABASE_URL, or an embedded one that need not survive a power cut. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return project.provide('databaseUrl', given);

  const embedded = await firstFree();
  await dropLeftovers(embedded.url);
  project.provide('databaseUrl', embedded.url);
  return () => embedded.stop();
}

async function firstFree(): Promise<Embedded> {
  for (let run = 1; ; run++) {
    const dataDir = join(ROOT, '.cache', run === 1 ? 'test-db' : `test-db-${run}`);
    try {
      return await start(dataDir);
    } catch (error) {
      const isTaken = error instanceof StartRefused && error.message.startsWith('Another Reflow server');
      if (!isTaken || run === RUNS_AT_ONCE) throw error;
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
