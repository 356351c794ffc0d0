import pg from 'pg';
import { migrate } from '#server/db/migrate.ts';
import { createTestDatabase } from '#tests/support/database.ts';

export interface MigratedDatabase {
  client: pg.Client;
  /** One more client; who opens it ends it. */
  connect(): Promise<pg.Client>;
  close(): Promise<void>;
}

/** A database of its own with the tables that no definition makes: what the definitions make of it is the test's. */
export async function createMigratedDatabase(): Promise<MigratedDatabase> {
  const { url, drop } = await createTestDatabase();
  const connect = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client;
  };
  const client = await connect();
  await migrate(client);
  const close = async () => {
    await client.end();
    await drop();
  };
  return { client, connect, close };
}
