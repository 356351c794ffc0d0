import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { ROOT } from '#server/root.ts';

const FOLDER = join(ROOT, 'src/server/db/migrations');
/** Any number that only we use: it keeps two servers from preparing one database at the same time. */
export const PREPARE_LOCK = 7_305_011;

/** The numbered migrations of this version, in their order. */
export const migrationNames = (): string[] =>
  readdirSync(FOLDER)
    .filter((it) => it.endsWith('.sql'))
    .sort();

/** What a migration says. */
export const readMigration = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/**
 * Runs the numbered migrations that the database has not had yet, or `only` these of them; each is remembered in the
 * caller's transaction. `run` does what one says.
 */
export async function migrate(
  client: pg.ClientBase,
  only?: readonly string[],
  run: (sql: string) => Promise<unknown> = (sql) => client.query(sql),
): Promise<string[]> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())',
  );
  const missing = (await missingMigrations(client)).filter((it) => only?.includes(it) ?? true);
  for (const name of missing) {
    await run(readMigration(name));
    await client.query('INSERT INTO migration (name) VALUES ($1)', [name]);
  }
  return missing;
}

/** The migrations that the database has not had yet; of one that has nothing of ours, all. Only reads. */
export async function missingMigrations(client: pg.ClientBase): Promise<string[]> {
  if (!(await hasTable(client, 'migration'))) return migrationNames();
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migration');
  const had = new Set(rows.map((it) => it.name));
  return migrationNames().filter((it) => !had.has(it));
}

/** A table of this name is there. */
export async function hasTable(client: Pick<pg.ClientBase, 'query'>, name: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [name]);
  return rows[0]?.there === true;
}
