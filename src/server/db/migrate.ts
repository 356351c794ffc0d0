import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { doAtOnce, isOutOfTransaction } from '#server/db/backfill.ts';
import { hasTable } from '#server/db/hasTable.ts';
import { ROOT } from '#server/root.ts';

const FOLDER = join(ROOT, 'src/server/db/migrations');
/** Any number that only we use: it keeps two servers from preparing one database at the same time. */
export const PREPARE_LOCK = 7_305_011;
/** From this one on a migration goes beside people at work; those before may keep them waiting. */
const FIRST_BESIDE = '0094';

/** Numbered migrations in their order, and what each says. */
export interface Migrations {
  names: readonly string[];
  read: (name: string) => string;
}

/** The numbered migrations of this version, in their order. */
export const migrationNames = (): string[] =>
  readdirSync(FOLDER)
    .filter((it) => it.endsWith('.sql'))
    .sort();

/** What a migration says. */
export const readMigration = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/** Those of this version. */
export const shippedMigrations: Migrations = {
  get names() {
    return migrationNames();
  },
  read: readMigration,
};

/** Whether it goes beside people at work. */
export const isBesideOthers = (name: string): boolean => name >= FIRST_BESIDE;

/**
 * Runs the numbered migrations that the database has not had yet, or `only` these of them; each is remembered in the
 * caller's transaction, and backfills are done at once. `run` does what one says.
 */
export async function migrate(
  client: pg.ClientBase,
  only?: readonly string[],
  run: (sql: string) => Promise<unknown> = (sql) => client.query(sql),
  migrations = shippedMigrations,
): Promise<string[]> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())',
  );
  const missing = (await missingMigrations(client, migrations)).filter((it) => only?.includes(it) ?? true);
  for (const name of missing) {
    const sql = migrations.read(name);
    if (isOutOfTransaction(name)) await doAtOnce(client, sql);
    else await run(sql);
    await remember(client, name);
  }
  return missing;
}

/** Writes down that the database has had a migration. */
export const remember = (client: pg.ClientBase, name: string) =>
  client.query('INSERT INTO migration (name) VALUES ($1)', [name]);

/** The migrations that the database has not had yet; of one that has nothing of ours, all. Only reads. */
export async function missingMigrations(client: pg.ClientBase, { names } = shippedMigrations): Promise<string[]> {
  if (!(await hasTable(client, 'migration'))) return [...names];
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migration');
  const had = new Set(rows.map((it) => it.name));
  return names.filter((it) => !had.has(it));
}
