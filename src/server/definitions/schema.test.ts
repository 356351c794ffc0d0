import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Definition, Field, Model } from '#domain/definition/grammar.ts';
import { planChange, planTables } from '#server/definitions/schema.ts';
import { createMigratedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

let database: OpenedDatabase;
let client: OpenedDatabase['client'];
beforeAll(async () => {
  database = await createMigratedDatabase();
  client = database.client;
});
afterAll(() => database.close());

const words = { zh: '名', en: 'Name' };
const field = (type: Field['type'], more: Partial<Field> = {}): Field => ({ type, label: words, ...more });
const shelf: Definition = {
  module: 'shelf',
  label: words,
  table: 'shelf',
  site: 'all',
  fields: { shelfId: field('String', { unique: true }), height: field('Integer'), madeOn: field('date') },
  indexes: [['height', 'madeOn']],
};
const apply = async (definition: Definition) => {
  const plan = await planTables(client, [definition]);
  expect(plan.refused).toEqual([]);
  for (const statement of plan.statements) await client.query(statement);
  return plan.statements;
};
const columns = async () => {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = 'shelf'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  return Object.fromEntries(rows.map((it) => [it.name, it.type]));
};

/** The tests follow one another, as changes of a definition do. */
describe('the database follows a definition', () => {
  it('with a table that has the definition’s columns and the engine’s', async () => {
    const statements = await apply(shelf);
    expect(statements[0]).toContain('CREATE TABLE "shelf"');
    expect(await columns()).toEqual({
      id: 'bigint',
      version: 'integer',
      createBy: 'text',
      createTime: 'timestamp with time zone',
      updateBy: 'text',
      updateTime: 'timestamp with time zone',
      shelfId: 'text',
      height: 'integer',
      madeOn: 'date',
    });
    const { rows } = await client.query<{ indexdef: string }>(
      `SELECT indexdef FROM pg_indexes WHERE tablename = 'shelf' ORDER BY 1`,
    );
    expect(rows.map((it) => it.indexdef.replace(/.* USING btree /, ''))).toEqual(
      expect.arrayContaining(['("shelfId") INCLUDE (id)', '(height, "madeOn", id)']),
    );
    await client.query(`INSERT INTO shelf ("shelfId") VALUES ('A')`);
    await expect(client.query(`INSERT INTO shelf ("shelfId") VALUES ('A')`)).rejects.toThrow('duplicate key');
  });

  it('and does nothing when nothing has changed', async () => {
    expect(await apply(shelf)).toEqual([]);
  });

  it('with a new column, of each type, that rows already there leave empty', async () => {
    const added = {
      ...shelf.fields,
      note: field('LongString'),
      size: field('Number'),
      big: field('Long'),
      price: field('BigDecimal'),
      seenAt: field('dateTime'),
      month: field('Month'),
      kind: field('select'),
      secret: field('password'),
    };
    expect(await apply({ ...shelf, fields: added })).toHaveLength(10);
    expect(await columns()).toMatchObject({
      note: 'text',
      size: 'double precision',
      big: 'bigint',
      price: 'numeric(18,6)',
      seenAt: 'timestamp with time zone',
      month: 'text',
      kind: 'text',
      secret: 'text',
    });
    expect(await apply({ ...shelf, fields: added })).toEqual([]);
    expect((await client.query(`SELECT "shelfId", price FROM shelf`)).rows).toEqual([{ shelfId: 'A', price: null }]);
  });

  it('with a new index', async () => {
    const indexed = { ...shelf, indexes: [...(shelf.indexes ?? []), ['madeOn']] };
    expect(await apply(indexed)).toEqual(['CREATE INDEX "shelf_madeOn_id_idx" ON "shelf" ("madeOn", "id")']);
  });

  it('with its indexes as they are made now, in the place of those of an earlier version', async () => {
    await client.query(`DROP INDEX "shelf_height_madeOn_id_idx", "shelf_shelfId_key"`);
    await client.query(`CREATE INDEX "shelf_height_madeOn_idx" ON shelf (height, "madeOn")`);
    await client.query(`CREATE UNIQUE INDEX "shelf_shelfId_key" ON shelf ("shelfId")`);
    expect((await apply(shelf)).sort()).toEqual([
      'CREATE INDEX "shelf_height_madeOn_id_idx" ON "shelf" ("height", "madeOn", "id")',
      'CREATE UNIQUE INDEX "shelf_shelfId_key" ON "shelf" ("shelfId") INCLUDE ("id")',
      'DROP INDEX "shelf_height_madeOn_idx"',
      'DROP INDEX "shelf_shelfId_key"',
    ]);
    expect(await apply(shelf)).toEqual([]);
  });

  it('with empty texts kept as none, by whatever statement they come, and those from before', async () => {
    await client.query(`DROP TRIGGER empty_text_is_null ON shelf`);
    await client.query(`INSERT INTO shelf ("shelfId", note, kind, height, "updateBy") VALUES ('B', '', '', 1, '')`);
    await apply({ ...shelf, fields: { ...shelf.fields, note: field('LongString'), kind: field('select') } });
    const readRow = async (shelfId: string) =>
      (
        await client.query(`SELECT note, kind, height, "updateBy", "createBy" FROM shelf WHERE "shelfId" = $1`, [
          shelfId,
        ])
      ).rows;
    const none = { note: null, kind: null, height: 1, updateBy: null, createBy: '' };
    expect(await readRow('B')).toEqual([none]);
    await client.query(`INSERT INTO shelf ("shelfId", note, kind, height) VALUES ('C', '', 'x', 1)`);
    expect(await readRow('C')).toEqual([{ ...none, kind: 'x' }]);
    await client.query(`UPDATE shelf SET kind = '', note = ' ' WHERE "shelfId" = 'C'`);
    expect(await readRow('C')).toEqual([{ ...none, note: ' ' }]);
  });

  it('but drops no column that the definition does not name any more', async () => {
    const { height: _, ...fields } = shelf.fields;
    expect(await apply({ ...shelf, fields, indexes: [] })).toEqual([]);
    expect(await columns()).toHaveProperty('height', 'integer');
  });

  it('and refuses another type for a column by both types', async () => {
    const plan = await planTables(client, [{ ...shelf, fields: { ...shelf.fields, height: field('String') } }]);
    expect(plan.refused).toEqual([
      {
        ...{ rule: 'typeThere', module: 'shelf', path: 'fields.height', name: 'height' },
        what: expect.stringContaining('shelf.height is integer in the database and text in the definition') as string,
        inTheWay: { table: 'shelf', column: 'height' },
      },
    ]);
  });

  it('and leaves a version room where publishes have used up the columns of a table', async () => {
    const used = Array.from({ length: 1200 }, (_, n) => `ADD COLUMN x${n} int`);
    await client.query(`ALTER TABLE shelf ${used.join(', ')}`);
    await client.query(
      `ALTER TABLE shelf ${used.map((it) => it.replace('ADD', 'DROP').replace(' int', '')).join(', ')}`,
    );
    const more = { ...shelf, fields: { ...shelf.fields, depth: field('Integer') } };
    const model = (it: Definition): Model => ({
      definitions: new Map([['shelf', it]]),
      options: {},
      menu: [],
      roles: [],
    });
    const { refused } = await planChange(client, model(shelf), model(more));
    expect(refused.map((it) => [it.rule, it.module, it.name])).toEqual([['columnsUsedUp', 'shelf', 'shelf']]);
    expect((await apply(more)).slice(0, 1)).toEqual(['ALTER TABLE "shelf" ADD COLUMN "depth" integer']);
  });

  it('under a name that a table may have and SQL may not read', async () => {
    const odd: Definition = {
      ...shelf,
      module: 'odd',
      table: 'order',
      fields: { group: field('String') },
      indexes: [['group']],
    };
    await apply(odd);
    expect(await apply(odd)).toEqual([]);
  });

  it('with an index whose name is longer than PostgreSQL keeps, once', async () => {
    const name = 'aVeryLongNameOfAFieldThatSaysAllThatThereIsToSayOfIt';
    const long: Definition = {
      ...shelf,
      module: 'long',
      table: 'long_table',
      fields: { [name]: field('String') },
      indexes: [[name]],
    };
    expect(await apply(long)).toHaveLength(4);
    expect(await apply(long)).toEqual([]);
  });
});
