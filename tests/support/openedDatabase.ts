import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { createTestDatabase } from '#tests/support/database.ts';

export interface OpenedDatabase {
  url: string;
  client: pg.Client;
  /** One more client; who opens it ends it. */
  connect(): Promise<pg.Client>;
  close(): Promise<void>;
}

/** A database of its own with the tables that no definition makes: what the definitions make of it is the test's. */
export async function createMigratedDatabase(): Promise<OpenedDatabase> {
  const database = await openNew();
  await migrate(database.client);
  return database;
}

/** A database of its own as a start leaves it, with the world of `world.ts`. */
export const createPreparedDatabase = (): Promise<OpenedDatabase> => openNew(inject('template'));

async function openNew(template?: string): Promise<OpenedDatabase> {
  const { url, drop } = await createTestDatabase(template === undefined ? {} : { template });
  const connect = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client;
  };
  const client = await connect();
  const close = async () => {
    await client.end();
    await drop();
  };
  return { url, client, connect, close };
}
