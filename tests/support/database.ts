import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { ownerClause } from '#tests/support/superuser.ts';

export interface TestDatabase {
  url: string;
  /** Ends whoever is still connected. */
  drop(): Promise<void>;
}

/**
 * A database of its own, empty or a copy of `template`, which the server's role owns; for a test file, which drops it when
 * it is done. Nobody may be connected to a template while it is copied.
 */
export async function createTestDatabase(options: { template?: string } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asMaker(async (client) => {
    const kind = options.template ? `TEMPLATE "${options.template}" STRATEGY FILE_COPY` : await emptyUtf8(client);
    await client.query(`CREATE DATABASE "${name}" ${ownerClause(inject('databaseUrl'))} ${kind}`);
  });
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => asMaker(async (client) => void (await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`))),
  };
}

/** The name of a database in its URL, to give it as a template. */
export const nameOfDatabase = (url: string): string => new URL(url).pathname.slice(1);

/** Sorts by code point like the embedded database, whatever the server's own locale is. */
async function emptyUtf8(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ provider: string }>(
    `SELECT datlocprovider AS provider FROM pg_database WHERE datname = 'template0'`,
  );
  const locale = rows[0]?.provider === 'b' ? '' : `LOCALE 'C.UTF-8'`;
  return `TEMPLATE template0 ENCODING 'UTF8' ${locale}`;
}

/** As the role that makes databases and roles, connected to none of the tests' databases, or to that of `at`. */
export async function asMaker(work: (client: pg.Client) => Promise<unknown>, at?: string): Promise<void> {
  const url = new URL(inject('makerUrl'));
  if (at) url.pathname = `/${nameOfDatabase(at)}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
