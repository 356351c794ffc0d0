import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { blockingIn } from '#server/db/blocking.ts';
import { isBesideOthers, shippedMigrations } from '#server/db/migrate.ts';
import { OWN_SCHEMA } from '#server/db/schemaVersion.ts';
import { planConstraints } from '#server/definitions/constraints.ts';
import { isInBatches, planTables } from '#server/definitions/schema.ts';
import { createMigratedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

const { oldestServer } = OWN_SCHEMA;
/** What is wrong with the last of these migrations. */
const judge = (...texts: string[]) => {
  const [last = '', ...before] = texts.toReversed();
  return blockingIn('9001_it.sql', last, { before: before.toReversed(), oldestServer });
};

it('migrations keep nobody waiting, and take nothing from servers beside', () => {
  const names = shippedMigrations.names.filter(isBesideOthers);
  const texts = names.map((it) => shippedMigrations.read(it));
  const found = names.flatMap((it, i) => blockingIn(it, texts[i] ?? '', { before: texts.slice(0, i), oldestServer }));
  expect(found).toEqual([]);
  // What is older does, and is let be by its number alone.
  const older = shippedMigrations.names.filter((it) => !isBesideOthers(it));
  expect(older.flatMap((it) => blockingIn(it, shippedMigrations.read(it), { oldestServer })).length).toBeGreaterThan(
    20,
  );
});

it.each([
  ['CREATE INDEX it ON ledger (at)', /ledger builds an index/],
  ['CREATE UNIQUE INDEX it ON "ledger" (at)', /ledger/],
  ['ALTER TABLE ledger ALTER COLUMN what TYPE varchar', /type of a column/],
  ['ALTER TABLE ledger ADD CONSTRAINT c CHECK (what IS NOT NULL)', /NOT VALID first/],
  ['ALTER TABLE ledger ADD FOREIGN KEY ("userId") REFERENCES admin_user ("userId")', /NOT VALID first/],
  [
    'ALTER TABLE ledger ADD CONSTRAINT c CHECK (what > 1) NOT VALID; ALTER TABLE ledger VALIDATE CONSTRAINT c',
    /another migration/,
  ],
  ['ALTER TABLE ledger ADD CONSTRAINT k UNIQUE (at)', /adds a key/],
  ['ALTER TABLE ledger ALTER COLUMN what SET NOT NULL', /reads all rows/],
  ['ALTER TABLE ledger ADD COLUMN n integer NOT NULL', /without a constant default/],
  ['ALTER TABLE ledger ADD COLUMN n uuid DEFAULT gen_random_uuid()', /not constant/],
  ['ALTER TABLE ledger ADD COLUMN n text REFERENCES admin_user ("userId")', /with a constraint/],
  ['ALTER TABLE ledger ADD COLUMN n integer GENERATED ALWAYS AS (1) STORED', /written into all rows/],
  ['ALTER TABLE ledger ADD COLUMN n bigint GENERATED ALWAYS AS IDENTITY', /written into all rows/],
  ['UPDATE ledger SET what = 1', /writes the rows/],
  ['WITH a AS (SELECT 1) UPDATE ledger AS l SET what = 1 FROM a', /writes the rows/],
  ['DELETE FROM ledger WHERE true', /writes the rows/],
  ['DO $$ BEGIN UPDATE ledger SET what = 1; END $$', /writes the rows/],
  [`DO $$ BEGIN EXECUTE format('UPDATE %I', 'ledger'); END $$`, /can only be known/],
  ['TRUNCATE ledger', /locks a table/],
  ['LOCK TABLE ledger', /locks a table/],
  ['ALTER TYPE mood ADD VALUE $$glad$$', /changes a type/],
  ['ALTER TABLE ledger DROP COLUMN what', /next version/],
  ['ALTER TABLE ledger RENAME COLUMN what TO which', /next version/],
  ['ALTER TABLE ledger RENAME TO book', /next version/],
  ['DROP TABLE ledger', /next version/],
  ['-- Contract: no server from 9001 on reads it\nALTER TABLE ledger DROP COLUMN what', /next version/],
])('refuses %s', (sql, why) => {
  expect(judge(sql)).toEqual([expect.stringMatching(why)]);
});

it('of two statements in one that goes beside is refused', () => {
  expect(
    blockingIn('9001_it.beside.sql', 'UPDATE a SET b = 1 WHERE id BETWEEN $1 AND $2; UPDATE b SET c = 1'),
  ).toHaveLength(1);
  expect(blockingIn('9001_it.beside.sql', 'UPDATE a SET b = 1 WHERE id BETWEEN $1 AND $2;')).toEqual([]);
  expect(blockingIn('9001_it.beside.sql', 'CREATE INDEX CONCURRENTLY it ON ledger (at)')).toEqual([]);
});

it.each([
  [
    'CREATE TABLE own (n integer REFERENCES ledger (id)); CREATE INDEX it ON own (n); UPDATE own SET n = 1; ALTER TABLE own DROP COLUMN n',
  ],
  [`ALTER TABLE ledger ADD COLUMN n text NOT NULL DEFAULT 'a'`],
  ['ALTER TABLE ledger ADD COLUMN at2 timestamptz NOT NULL DEFAULT now()'],
  ['ALTER TABLE ledger ADD CONSTRAINT c CHECK (what IS NOT NULL) NOT VALID'],
  ['ALTER TABLE ledger ADD CONSTRAINT k UNIQUE USING INDEX it'],
  ['CREATE TRIGGER t BEFORE INSERT OR UPDATE OF what ON ledger FOR EACH ROW EXECUTE FUNCTION f()'],
  [`UPDATE role_right SET "right" = 'a:b' WHERE "right" = 'a:c'`],
  [`-- Contract: no server from ${oldestServer} on reads it\nALTER TABLE ledger DROP COLUMN what`],
])('lets pass %s', (sql) => {
  expect(judge(sql)).toEqual([]);
});

it('lets a column be NOT NULL where a check proves it that was validated before', () => {
  const check = 'ALTER TABLE ledger ADD CONSTRAINT c CHECK ("what" IS NOT NULL) NOT VALID';
  const validate = 'ALTER TABLE ledger VALIDATE CONSTRAINT c';
  const set = 'ALTER TABLE ledger ALTER COLUMN what SET NOT NULL';
  expect(judge(check, validate, set)).toEqual([]);
  expect(judge(check, set)).toHaveLength(1);
});

let database: OpenedDatabase;
beforeAll(async () => void (database = await createMigratedDatabase()));
afterAll(() => database.close());

const words = { zh: '名', en: 'Name' };
const field = (more: Partial<Field> = {}): Field => ({ type: 'String', label: words, ...more });
const box: Definition = {
  ...{ module: 'box', label: words, table: 'box', site: 'all' },
  fields: { boxId: field({ unique: true }), n: field({ type: 'Integer' }) },
};
const thing = (fields: Record<string, Field>, more: Partial<Definition> = {}): Definition => ({
  ...{ module: 'thing', label: words, table: 'thing', site: 'all', fields, ...more },
});
const fields = {
  a: field(),
  n: field({ type: 'Integer' }),
  b: field({ type: 'Integer', readOnly: true, computed: 'n + 1' }),
};
/** One version after the other, which make a plan say all that it can say of a table that is there. */
const versions: Definition[] = [
  thing(fields),
  thing(
    {
      ...{ a: field({ unique: true, always: true }), n: fields.n },
      ...{ b: field({ type: 'Integer', readOnly: true, computed: 'n + 2' }), at: field({ type: 'dateTime' }) },
      boxes: field(),
      boxId: field({ type: 'select', ref: { module: 'box', value: 'boxId', label: 'boxId' } }),
    },
    { indexes: [['a', 'n']] },
  ),
  thing({ a: field(), n: fields.n, b: field({ readOnly: true, computed: 'a + a' }) }),
];

it('what definitions make of tables that are there keeps nobody waiting', async () => {
  const { client } = database;
  const said: string[] = [];
  const large = new Set(['box', 'thing']);
  const run = async (statements: readonly string[]) => {
    for (const it of statements) await client.query(it, isInBatches(it) ? [0, 9] : undefined);
    said.push(...statements);
  };
  for (const [i, it] of versions.entries()) {
    const { statements } = await planTables(client, [box, it], [], [], i === 0 ? undefined : large);
    await run(statements);
    await run((await planConstraints(client, [box, it])).statements);
    // Texts of a table that no definition had before.
    if (i === 1) await client.query('DROP TRIGGER empty_text_is_null ON thing');
  }
  const made = said.findIndex((it) => it.startsWith('ALTER TABLE'));
  const later = said.slice(made);
  expect(later.flatMap((it, i) => blockingIn('plan', it, { before: later.slice(0, i) }))).toEqual([]);
  for (const kind of [
    ...[
      /ADD COLUMN "at" timestamptz$/,
      /SET EXPRESSION/,
      /DROP COLUMN "b"/,
      /^CREATE UNIQUE INDEX CONCURRENTLY/,
      /^CREATE INDEX CONCURRENTLY/,
    ],
    ...[
      /^DROP INDEX/,
      /^CREATE TRIGGER empty_text/,
      /^UPDATE "thing" .* BETWEEN/,
      /CHECK .* NOT VALID/,
      /VALIDATE/,
      /SET NOT NULL/,
    ],
    ...[/FOREIGN KEY .* NOT VALID/, /DROP CONSTRAINT "/],
  ])
    expect(
      later.some((it) => kind.test(it)),
      String(kind),
    ).toBe(true);
});
