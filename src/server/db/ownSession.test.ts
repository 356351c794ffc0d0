import { afterAll, beforeAll, expect, it } from 'vitest';
import { Readable } from 'node:stream';
import { PREPARE_LOCK } from '#server/db/migrate.ts';
import { refuseSharedSessions } from '#server/db/ownSession.ts';
import { planDatabase, prepareDatabase } from '#server/db/prepare.ts';
import { restore } from '#server/backup/restore.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { createFolderStore } from '#server/uploads/fileStore.ts';
import { databaseProxy, type Settings } from '#tests/support/databaseProxy.ts';
import { registers } from '#tests/support/features.ts';
import { createPreparedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';
import { poolerProxy } from '#tests/support/poolerProxy.ts';

let database: OpenedDatabase;
beforeAll(async () => void (database = await createPreparedDatabase()));
afterAll(() => database.close());

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => new Error('nothing was refused'),
    (error: Error) => error,
  );
/** Other databases may be prepared beside this one. */
const hasPrepareLock = async () =>
  (
    await database.client.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [PREPARE_LOCK],
    )
  ).rows.length > 0;

it('a pooler that gives one session to several connections stops every start, plan and restore, and no lock stays', async () => {
  const pooler = await poolerProxy(database.url);
  const nothing = Readable.from([]);
  for (const work of [
    () => prepareDatabase(pooler.url, registers),
    () => planDatabase(pooler.url, registers),
    () => restore(pooler.url, createFolderStore('/nowhere'), nothing, registers),
  ]) {
    const error = await refusal(work());
    expect(error).toBeInstanceOf(BadDatabase);
    expect(error.message).toMatch(
      /^DATABASE_URL leads through a pooler .* gives one session to several connections .* Let DATABASE_URL name PostgreSQL itself/,
    );
    expect(await hasPrepareLock()).toBe(false);
  }
  await pooler.close();
});

it('so does one that drops the timeouts of a connection', async () => {
  for (const dropped of ['statement_timeout', 'lock_timeout']) {
    const asked = ({ [dropped]: _, ...kept }: Settings) => kept;
    const way = await databaseProxy(database.url, { asked });
    const error = await refusal(prepareDatabase(way.url, registers));
    expect(error).toBeInstanceOf(BadDatabase);
    expect(error.message).toContain('does not hand on statement_timeout and lock_timeout');
    await way.close();
  }
});

it('a proxy that only hands on is none', async () => {
  const way = await databaseProxy(database.url);
  await refuseSharedSessions(way.url);
  await way.close();
});
