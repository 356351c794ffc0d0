import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { nameOfDatabase } from '#tests/support/database.ts';
import { openWorkshop, type Workshop } from '#tests/support/serverProcess.ts';

let workshop: Workshop;
beforeAll(async () => void (workshop = await openWorkshop()));
afterAll(() => workshop.close());

it('a start whose DATABASE_URL names a superuser warns of it, once; another one does not', async () => {
  const makerUrl = new URL(inject('makerUrl'));
  makerUrl.pathname = `/${nameOfDatabase(workshop.url)}`;
  for (const url of [makerUrl.href, workshop.url]) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ rolsuper: boolean }>(
      'SELECT rolsuper FROM pg_roles WHERE rolname = current_user',
    );
    await client.end();
    const server = await workshop.start({ DATABASE_URL: url });
    const warnings = server.said().match(/^WARNING: DATABASE_URL names a superuser of PostgreSQL\..*$/gm) ?? [];
    expect(warnings).toHaveLength(rows[0]?.rolsuper ? 1 : 0);
    await server.stop();
  }
});
