import type pg from 'pg';
import { hasTable } from '#server/db/hasTable.ts';
import { migrationNames } from '#server/db/migrate.ts';
import { BadDatabase } from '#server/definitions/tables.ts';

interface SchemaVersion {
  /** The number of the last migration. */
  version: number;
  /** The oldest server that may work on such a database, by its own version of the schema. */
  oldestServer: number;
}

/**
 * What this server brings. `oldestServer` is raised, to the version that does it, by whoever takes away or gives another
 * meaning to what an earlier server reads or writes; what only adds leaves it. Servers of before 85 look at no version.
 */
export const OWN_SCHEMA: SchemaVersion = {
  version: Number(migrationNames().at(-1)?.split('_')[0]),
  oldestServer: 85,
};

/**
 * Whether the database is of a newer version, on which this server may work but prepares nothing.
 * @throws BadDatabase when it is of one on which it may not
 */
export async function isNewerDatabase(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const there = await readSchemaVersion(client);
  if (!there || there.version <= OWN_SCHEMA.version) return false;
  if (OWN_SCHEMA.version >= there.oldestServer) return true;
  throw new BadDatabase(
    `The database was brought to schema ${there.version} by a newer version of Reflow, on which servers of schema ` +
      `${there.oldestServer} or newer may work; this one is of schema ${OWN_SCHEMA.version}. Start the newer version again, or ` +
      `restore the backup that was made before the upgrade into a new database and start this version on that.`,
  );
}

/** What a start would have the database say of its version; nothing where it says that already. */
export async function planSchemaVersion(client: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const there = await readSchemaVersion(client);
  const { version, oldestServer } = OWN_SCHEMA;
  if (there?.version === version && there.oldestServer === oldestServer) return [];
  return [
    `INSERT INTO schema_version (version, "oldestServer") VALUES (${version}, ${oldestServer}) ` +
      `ON CONFLICT ("isOnly") DO UPDATE SET version = ${version}, "oldestServer" = ${oldestServer}, at = now()`,
  ];
}

async function readSchemaVersion(client: Pick<pg.ClientBase, 'query'>): Promise<SchemaVersion | undefined> {
  if (!(await hasTable(client, 'schema_version'))) return undefined;
  const { rows } = await client.query<SchemaVersion>('SELECT version, "oldestServer" FROM schema_version');
  return rows[0];
}
