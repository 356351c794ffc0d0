import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { MARKED_SPACE } from '#server/uploads/sharedFolder.ts';
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

it('a start says where another server on the database keeps its files in another folder', async () => {
  const first = await workshop.start();
  // Its jobs are worked a moment after it is there.
  await vi.waitFor(async () => {
    const { rows } = await sql`SELECT 1 FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
      WHERE d.datname = current_database() AND l.classid::bigint = ${MARKED_SPACE}`.execute(workshop.database.db);
    expect(rows).toHaveLength(1);
  });
  const elsewhere = mkdtempSync(join(tmpdir(), 'reflow-elsewhere-'));
  const warning = /^WARNING: another server on this database keeps its files in another folder than .*\/files, .*\.$/m;
  expect((await workshop.start({ DATA_DIR: elsewhere })).said()).toMatch(warning);
  expect(first.said()).not.toMatch(warning);
  rmSync(elsewhere, { recursive: true });
});
