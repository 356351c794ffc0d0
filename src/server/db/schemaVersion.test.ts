import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrationNames } from '#server/db/migrate.ts';
import { planDatabase, prepareDatabase } from '#server/db/prepare.ts';
import { OWN_SCHEMA } from '#server/db/schemaVersion.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { registers } from '#tests/support/features.ts';
import { createPreparedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

let database: OpenedDatabase;
beforeEach(async () => void (database = await createPreparedDatabase()));
afterEach(() => database.close());

const { version } = OWN_SCHEMA;
const say = (it: { version: number; oldestServer: number }) =>
  database.client.query('UPDATE schema_version SET version = $1, "oldestServer" = $2', [it.version, it.oldestServer]);
const readSaid = async () =>
  (await database.client.query('SELECT version, "oldestServer" FROM schema_version')).rows as unknown[];
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => new Error('nothing was refused'),
    (error: Error) => error,
  );
/** Something that every start makes where it is missing. */
const dropTrigger = () => database.client.query('DROP TRIGGER count_change ON ubs_site');
const hasTrigger = async () =>
  (
    await database.client.query(
      `SELECT 1 FROM pg_trigger WHERE tgname = 'count_change' AND tgrelid = 'ubs_site'::regclass`,
    )
  ).rows.length > 0;

describe('the version of the schema', () => {
  it('is the number of the last migration, and says which servers may work on it', async () => {
    expect(version).toBe(Math.max(...migrationNames().map((it) => Number(it.slice(0, 4)))));
    expect(OWN_SCHEMA.oldestServer).toBeLessThanOrEqual(version);
    expect(await readSaid()).toEqual([OWN_SCHEMA]);
  });

  it('is raised by the first start of a newer server, of a database that says an older one or none', async () => {
    for (const older of ['UPDATE schema_version SET version = 84', 'DELETE FROM schema_version']) {
      await database.client.query(older);
      const planned = await planDatabase(database.url, registers);
      expect((await prepareDatabase(database.url, registers)).applied).toEqual(planned);
      expect(planned).toEqual([expect.stringMatching(/^INSERT INTO schema_version /)]);
      expect(await readSaid()).toEqual([OWN_SCHEMA]);
    }
  });

  it('keeps an older server from a database on which it may not work, and says what to do', async () => {
    const newer = { version: version + 5, oldestServer: version + 1 };
    await say(newer);
    await dropTrigger();
    for (const work of [prepareDatabase, planDatabase]) {
      const error = await refusal(work(database.url, registers));
      expect(error).toBeInstanceOf(BadDatabase);
      expect(error.message).toBe(
        `The database was brought to schema ${version + 5} by a newer version of Reflow, on which servers of schema ` +
          `${version + 1} or newer may work; this one is of schema ${version}. Start the newer version again, or restore the ` +
          'backup that was made before the upgrade into a new database and start this version on that.',
      );
    }
    expect([await readSaid(), await hasTrigger()]).toEqual([[newer], false]);
  });

  it('lets an older server work on a database that only has more, and change nothing of it', async () => {
    const newer = { version: version + 5, oldestServer: version };
    await say(newer);
    await dropTrigger();
    expect(await planDatabase(database.url, registers)).toEqual([]);
    const { applied, model, isNew } = await prepareDatabase(database.url, registers);
    expect([applied, isNew, model.definitions.has('ubsSite')]).toEqual([[], false, true]);
    expect([await readSaid(), await hasTrigger()]).toEqual([[newer], false]);
  });
});
