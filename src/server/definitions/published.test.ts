import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate, migrationNames } from '#server/db/migrate.ts';
import { readCounting } from '#server/definitions/published.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';

const OWN = '0032_definition_publish.sql';
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

it('what an earlier version published counts on, each change by itself, and what it took back does not', async () => {
  await migrate(
    client,
    migrationNames().filter((it) => it < OWN),
  );
  const label = (en: string) => JSON.stringify({ label: { zh: en, en } });
  await client.query(
    `INSERT INTO definition_change ("userId", note, module, change)
     VALUES ('li', 'one', 'ubsSite', $1), ('li', 'two', 'ubsSite', $2), ('wang', 'three', 'ubsShipment', $3)`,
    [label('One'), label('Two'), label('Three')],
  );
  await client.query(
    `INSERT INTO definition_change ("userId", note, module, change, "takesBack") VALUES ('li', 'no', 'ubsSite', '{}', 2)`,
  );
  await migrate(client, [OWN]);
  const { changes, last } = await readCounting(client);
  expect(changes.map((it) => [it.module, it.change.label?.en])).toEqual([
    ['ubsSite', 'One'],
    ['ubsShipment', 'Three'],
  ]);
  expect(last).toBe(4);
  const { rows } = await client.query(
    `INSERT INTO definition_publish ("userId", "takesBack") VALUES ('li', '{4}') RETURNING id::int`,
  );
  expect(rows).toEqual([{ id: 5 }]);
  const again = await readCounting(client);
  expect(again.changes.map((it) => it.change.label?.en)).toEqual(['One', 'Two', 'Three']);
});
