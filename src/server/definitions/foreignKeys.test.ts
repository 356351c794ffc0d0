import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { referencesOf } from '#domain/definition/references.ts';
import { planConstraints, setConstraints } from '#server/definitions/constraints.ts';
import { readModel } from '#server/definitions/read.ts';
import { asTold, forLog } from '#server/definitions/refused.ts';
import { planChange, planTables } from '#server/definitions/schema.ts';
import { clientWith } from '#tests/support/clientWith.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { createMigratedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';
import { registers } from '#tests/support/features.ts';

let database: OpenedDatabase;
let client: OpenedDatabase['client'];
beforeAll(async () => {
  database = await createMigratedDatabase();
  client = database.client;
});
afterAll(() => database.close());

const words = { zh: '名', en: 'Name' };
const field = (more: Partial<Field> = {}): Field => ({ type: 'String', label: words, ...more });
const onShelf = (more: object = {}) =>
  field({ type: 'select', ref: { module: 'shelf', value: 'shelfId', label: 'shelfId', ...more } });
const moduleOf = (module: string, fields: Record<string, Field>, more: Partial<Definition> = {}): Definition => ({
  module,
  label: words,
  table: module,
  site: 'all',
  fields,
  ...more,
});
const shelf = moduleOf('shelf', { shelfId: field({ unique: true }), name: field() });
const book = moduleOf('book', { shelfId: onShelf(), title: field() });
const before = [shelf, moduleOf('book', { shelfId: field(), title: field() })];
const now = [shelf, book];
const make = async (definitions: Definition[]) => {
  for (const it of (await planTables(client, definitions)).statements) await client.query(it);
};
const keys = async () =>
  (
    await client.query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint
        WHERE contype = 'f' AND convalidated AND conrelid = 'book'::regclass ORDER BY 1`,
    )
  ).rows.map((it) => it.name);
const KEY = 'book_shelfId_fkey';

beforeEach(() => client.query('DROP TABLE IF EXISTS book, shelf, rack'));

describe('what a field refers to', () => {
  it('is held by a foreign key, with an index to find those who refer, as it was planned, and once', async () => {
    const planned = await planConstraints(client, now);
    await make(now);
    expect(await setConstraints(client, now)).toEqual(planned);
    expect(await keys()).toEqual([KEY]);
    expect(await setConstraints(client, now)).toEqual({ statements: [], leftOut: [] });
    const { rows } = await client.query<{ made: string }>(
      `SELECT indexdef AS made FROM pg_indexes WHERE tablename = 'book' AND indexname LIKE '%shelfId%'`,
    );
    expect(rows).toMatchObject([{ made: expect.stringContaining('("shelfId", id)') as string }]);
    await client.query(`INSERT INTO book ("shelfId", title) VALUES ('', 'On none')`);
    await expect(client.query(`INSERT INTO book ("shelfId") VALUES ('A')`)).rejects.toMatchObject({ code: '23503' });
  });

  it('is told, and left as it is, while rows refer to nothing', async () => {
    await make(before);
    await client.query(`INSERT INTO shelf ("shelfId") VALUES ('A')`);
    await client.query(`INSERT INTO book ("shelfId") VALUES ('A'), ('B'), (NULL), ('C'), ('')`);
    const told = 'book.shelfId refers to no shelf in 2 row(s), the first with id 2, 4';
    expect(await planConstraints(client, now)).toMatchObject({ statements: [], leftOut: [{ what: told }] });
    const leftOut = [{ rule: 'danglingLeft', where: 'book', path: 'fields.shelfId.ref', what: told }];
    expect(await setConstraints(client, now)).toMatchObject({ statements: [], leftOut });
    expect(await keys()).toEqual([]);
    await client.query(`INSERT INTO shelf ("shelfId") VALUES ('B'), ('C')`);
    expect((await setConstraints(client, now)).leftOut).toEqual([]);
    expect(await keys()).toEqual([KEY]);
  });

  it('is looked for anew where the field is turned to another list, and its key is made anew', async () => {
    const rack = moduleOf('rack', { rackId: field({ unique: true }) });
    const turned = [shelf, rack, moduleOf('book', { shelfId: onShelf({ module: 'rack', value: 'rackId' }) })];
    await make([...now, rack]);
    await setConstraints(client, [...now, rack]);
    await client.query(`INSERT INTO shelf ("shelfId") VALUES ('A'); INSERT INTO book ("shelfId") VALUES ('A')`);
    const modelOf = (all: Definition[]) => ({
      ...{ definitions: new Map(all.map((it) => [it.module, it])), options: {}, menu: [], roles: [] },
    });
    const refusedOf = async () =>
      (await planChange(client, modelOf([...now, rack]), modelOf(turned))).refused.map((it) => `${it.rule} ${it.path}`);
    expect(await refusedOf()).toEqual(['danglingRows fields.shelfId.ref']);
    await client.query(`INSERT INTO rack ("rackId") VALUES ('A')`);
    expect(await refusedOf()).toEqual([]);
    expect((await setConstraints(client, turned)).leftOut).toEqual([]);
    expect(await keys()).toEqual([KEY]);
  });

  it('is the bill of lines as well', async () => {
    const lines = [{ name: 'bookList', module: 'book', by: 'shelfId' }];
    const withLines = [{ ...shelf, lines }, before[1] as Definition];
    await make(withLines);
    await setConstraints(client, withLines);
    expect(await keys()).toEqual([KEY]);
  });

  it('may dangle where the definition says so, also where it did not before', async () => {
    await make(now);
    await setConstraints(client, now);
    const dangling = [shelf, moduleOf('book', { shelfId: onShelf({ mayDangle: 'Books are bought first.' }) })];
    const { statements } = await setConstraints(client, dangling);
    expect(statements).toEqual([`ALTER TABLE "book" DROP CONSTRAINT "${KEY}"`]);
    await client.query(`INSERT INTO book ("shelfId") VALUES ('A')`);
    expect(await setConstraints(client, dangling)).toEqual({ statements: [], leftOut: [] });
  });

  it.each([
    ['refNotUnique', 'which is not unique', moduleOf('shelf', { shelfId: field() })],
    ['refOtherType', 'which is of another type', moduleOf('shelf', { shelfId: field({ type: 'Integer' }) })],
    ['refNoTable', 'which is no table of its own', { ...shelf, rowsOf: { module: 'other', when: {} } }],
  ])('is told with its field where it can be no foreign key (%s)', async (rule, why, to) => {
    await make(now);
    const { leftOut } = await setConstraints(client, [to, book]);
    expect(leftOut).toMatchObject([
      { rule, where: 'book', path: 'fields.shelfId.ref', what: `book.shelfId refers to shelf.shelfId, ${why}` },
    ]);
  });

  it.each([
    ['a row that refers to nothing comes meanwhile', 'danglingComes', `INSERT INTO book ("shelfId") VALUES ('A')`],
    ['the database refuses it', 'rulesNotSet', `SELECT 1 FROM nowhere`],
  ])('is told with its field where %s, without the words of the database', async (_, rule, statement) => {
    await make(before);
    const meanwhile = () => client.query(statement);
    const { leftOut } = await setConstraints(clientWith(client, 'ADD CONSTRAINT', meanwhile), now);
    expect(leftOut).toMatchObject([{ rule, where: 'book', path: 'fields.shelfId.ref', name: 'shelfId' }]);
    expect(JSON.stringify(leftOut.map(asTold))).not.toContain('nowhere');
    expect(forLog(leftOut).join().includes('"nowhere"')).toBe(rule === 'rulesNotSet');
    expect(await keys()).toEqual([]);
  });

  it('is told with its field where a former key can’t be lifted yet', async () => {
    await make(now);
    await setConstraints(client, now);
    const writer = await database.connect();
    await writer.query(`BEGIN; INSERT INTO book (title) VALUES ('On none')`);
    const dangling = [shelf, moduleOf('book', { shelfId: onShelf({ mayDangle: 'Books are bought first.' }) })];
    const { leftOut } = await setConstraints(client, dangling);
    await writer.query('ROLLBACK');
    await writer.end();
    expect(leftOut).toMatchObject([{ rule: 'formerStays', where: 'book', path: 'fields.shelfId' }]);
    expect((await setConstraints(client, dangling)).leftOut).toEqual([]);
  });

  it('is held no more once its module is gone, and the keys of migrations stay', async () => {
    await make(now);
    await setConstraints(client, now);
    const platform = async () =>
      (
        await client.query(
          `SELECT conname FROM pg_constraint WHERE contype = 'f' AND conrelid <> 'book'::regclass ORDER BY 1`,
        )
      ).rows;
    const kept = await platform();
    expect(kept.length).toBeGreaterThan(2);
    const { statements } = await setConstraints(client, [shelf]);
    expect(statements).toEqual([`ALTER TABLE "book" DROP CONSTRAINT "${KEY}"`]);
    expect(await setConstraints(client, [shelf])).toEqual({ statements: [], leftOut: [] });
    expect(await platform()).toEqual(kept);
  });

  it('is told with the field that it names where the table of a module that is gone is busy', async () => {
    await make(now);
    await setConstraints(client, now);
    const writer = await database.connect();
    await writer.query(`BEGIN; INSERT INTO book (title) VALUES ('On none')`);
    const { leftOut } = await setConstraints(client, [shelf]);
    await writer.query('ROLLBACK');
    await writer.end();
    expect(leftOut).toMatchObject([{ rule: 'formerStays', where: 'shelf', path: 'fields.shelfId' }]);
    await setConstraints(client, [shelf]);
    expect(await keys()).toEqual([]);
  });

  it('waits for nobody for long, and says that its table is busy', async () => {
    await make(before);
    const writer = await database.connect();
    await writer.query(`BEGIN; INSERT INTO shelf ("shelfId") VALUES ('A')`);
    expect(await setConstraints(client, now)).toMatchObject({
      statements: [],
      leftOut: [
        { rule: 'tableBusy', where: 'book', path: 'fields.shelfId.ref', what: 'book.shelfId: its table is busy' },
      ],
    });
    expect(await keys()).toEqual([]);
    await writer.query('COMMIT');
    await writer.end();
    expect((await setConstraints(client, now)).leftOut).toEqual([]);
    expect(await keys()).toEqual([KEY]);
  });

  it('is held from now on beside people who write all the time, and refuses none of them', async () => {
    await make(before);
    await client.query(`INSERT INTO shelf ("shelfId") VALUES ('A')`);
    await client.query(`INSERT INTO book ("shelfId") SELECT 'A' FROM generate_series(1, 20000)`);
    const writers = await Promise.all([database.connect(), database.connect()]);
    let writes = true;
    const writing = writers.map(async (writer) => {
      while (writes) {
        await writer.query(`BEGIN; INSERT INTO book ("shelfId") VALUES ('A')`);
        await writer.query(`UPDATE shelf SET name = 'a' WHERE "shelfId" = 'A'; COMMIT`);
      }
    });
    const done = await setConstraints(client, now);
    writes = false;
    await Promise.all(writing);
    for (const it of writers) await it.end();
    expect(done.leftOut).toEqual([]);
    expect(await keys()).toEqual([KEY]);
  });
});

describe('each reference of the definitions', () => {
  const definitions = [...readModel(registers).definitions.values()];

  it('has its foreign key, and an index that begins with its column, or says why it may dangle', async () => {
    const copy = await createTestDatabase({ template: inject('template') });
    const prepared = new pg.Client({ connectionString: copy.url });
    await prepared.connect();
    const { rows } = await prepared.query<{ name: string; isIndexed: boolean }>(
      `SELECT c.relname || '.' || a.attname || ' → ' || p.relname AS name,
              EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = f.conrelid AND i.indkey[0] = f.conkey[1]) AS "isIndexed"
         FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class p ON p.oid = f.confrelid
         JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
        WHERE f.contype = 'f' AND f.convalidated AND c.relname <> ALL ($1)
          AND c.relnamespace = current_schema()::regnamespace`,
      [['definition_change', 'list_setting']],
    );
    await prepared.end();
    await copy.drop();
    const tableOf = (module: string) => definitions.find((it) => it.module === module)?.table;
    const asked = definitions
      .filter((it) => !it.viewOf && !it.rowsOf)
      .flatMap(({ table, fields, lines = [] }) => [
        ...Object.entries(fields).flatMap(([name, { ref }]) =>
          ref && !ref.mayDangle ? [`${table}.${name} → ${tableOf(ref.module)}`] : [],
        ),
        ...lines.flatMap((it) => (it.mayDangle ? [] : [`${tableOf(it.module)}.${it.by} → ${table}`])),
      ]);
    expect(rows.map((it) => it.name).sort()).toEqual([...new Set(asked)].sort());
    expect(rows.filter((it) => !it.isIndexed)).toEqual([]);
    expect(referencesOf(definitions).undecided).toEqual([]);
  });
});
