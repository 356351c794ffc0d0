import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { planConstraints, setConstraints } from '#server/definitions/constraints.ts';
import { asTold, forLog } from '#server/definitions/refused.ts';
import { planTables } from '#server/definitions/schema.ts';
import { clientWith } from '#tests/support/clientWith.ts';
import { createMigratedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

let database: OpenedDatabase;
let client: OpenedDatabase['client'];
beforeAll(async () => {
  database = await createMigratedDatabase();
  client = database.client;
});
afterAll(() => database.close());

const REFUSED = Object.assign(new Error('permission denied for table shelf'), { code: '42501' });
const field = (more: Partial<Field> = {}): Field => ({ type: 'String', label: { zh: '名', en: 'Name' }, ...more });
const shelf = (fields: Record<string, Field>): Definition => ({
  module: 'shelf',
  label: { zh: '货架', en: 'Shelves' },
  table: 'shelf',
  site: 'all',
  fields,
});
const before = shelf({ shelfId: field(), name: field(), note: field() });
const now = shelf({
  shelfId: field({ always: true }),
  name: field({ required: true }),
  note: field({ required: true, always: false }),
});
const make = async (definition: Definition) => {
  for (const it of (await planTables(client, [definition])).statements) await client.query(it);
};
const notNull = async () => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
      WHERE attrelid = 'shelf'::regclass AND attnum > 0 AND attnotnull AND attname IN ('shelfId', 'name', 'note')
      ORDER BY attnum`,
  );
  return rows.map((it) => it.name);
};
const checks = async () =>
  (await client.query(`SELECT 1 FROM pg_constraint WHERE conrelid = 'shelf'::regclass AND contype = 'c'`)).rows.length;

beforeEach(() => client.query('DROP TABLE IF EXISTS shelf'));

describe('what every row has', () => {
  it('is NOT NULL from the start where the table is new', async () => {
    await make(now);
    expect(await notNull()).toEqual(['shelfId', 'name']);
    expect(await setConstraints(client, [now])).toEqual({ statements: [], leftOut: [] });
  });

  it('becomes NOT NULL where the table is there, as it was planned, and once', async () => {
    await make(before);
    await client.query(`INSERT INTO shelf ("shelfId", name) VALUES ('A', 'a')`);
    const planned = await planConstraints(client, [now]);
    expect(planned.statements).toHaveLength(4);
    expect(await setConstraints(client, [now])).toEqual(planned);
    expect(await notNull()).toEqual(['shelfId', 'name']);
    expect(await checks()).toBe(0);
    expect(await planConstraints(client, [now])).toEqual({ statements: [], leftOut: [] });
    await expect(client.query(`INSERT INTO shelf ("shelfId", name) VALUES ('B', '')`)).rejects.toThrow('not-null');
  });

  it('is told, and left as it is, while rows lack it; the other columns become NOT NULL', async () => {
    await make(before);
    await client.query(`INSERT INTO shelf ("shelfId") SELECT n FROM generate_series(1, 7) AS n`);
    const told = 'shelf.name is empty in 7 row(s), the first with id 1, 2, 3, 4, 5';
    expect((await planConstraints(client, [now])).leftOut).toMatchObject([{ what: told }]);
    const leftOut = [{ rule: 'rowsEmpty', where: 'shelf', path: 'fields.name', what: told }];
    expect((await setConstraints(client, [now])).leftOut).toMatchObject(leftOut);
    expect(await notNull()).toEqual(['shelfId']);
    await client.query(`UPDATE shelf SET note = 'still there'`);
    await client.query(`UPDATE shelf SET name = "shelfId"`);
    expect((await setConstraints(client, [now])).leftOut).toEqual([]);
    expect(await notNull()).toEqual(['shelfId', 'name']);
  });

  it('is told of a column that is to be added to rows', async () => {
    await make(shelf({ shelfId: field() }));
    await client.query(`INSERT INTO shelf ("shelfId") VALUES ('A')`);
    const { leftOut } = await planConstraints(client, [now]);
    expect(leftOut).toMatchObject([{ what: 'shelf.name is empty in 1 row(s), the first with id 1' }]);
  });

  it('waits for nobody for long, and says that its table is busy', async () => {
    await make(before);
    const writer = await database.connect();
    await writer.query(`BEGIN; INSERT INTO shelf ("shelfId", name) VALUES ('A', 'a')`);
    expect(await setConstraints(client, [now])).toMatchObject({
      statements: [],
      leftOut: ['shelfId', 'name'].map((it) => ({
        ...{ rule: 'tableBusy', where: 'shelf', path: `fields.${it}`, what: `shelf.${it}: its table is busy` },
      })),
    });
    expect(await notNull()).toEqual([]);
    await writer.query('COMMIT');
    await writer.end();
    expect((await setConstraints(client, [now])).leftOut).toEqual([]);
    expect(await notNull()).toEqual(['shelfId', 'name']);
  });

  it.each([
    ['a row without it comes meanwhile', 'emptyComes', () => client.query('INSERT INTO shelf (note) VALUES (NULL)')],
    ['the database refuses it', 'rulesNotSet', () => Promise.reject(REFUSED)],
  ])('is told with each of its fields where %s, without the words of the database', async (_, rule, meanwhile) => {
    await make(before);
    const { leftOut } = await setConstraints(clientWith(client, 'ADD CONSTRAINT', meanwhile), [now]);
    expect(leftOut.map((it) => [it.rule, it.where, it.path, it.name])).toEqual([
      [rule, 'shelf', 'fields.shelfId', 'shelfId'],
      [rule, 'shelf', 'fields.name', 'name'],
    ]);
    expect(JSON.stringify(leftOut.map(asTold))).not.toContain(REFUSED.message);
    expect(forLog(leftOut).join().includes(REFUSED.message)).toBe(rule === 'rulesNotSet');
    expect(await checks()).toBe(0);
  });

  it('is told with its field where a former rule can’t be lifted yet', async () => {
    await make(shelf({ shelfId: field({ unique: true }) }));
    const writer = await database.connect();
    await writer.query(`BEGIN; INSERT INTO shelf ("shelfId") VALUES ('A')`);
    const loose = [shelf({ shelfId: field({ required: false }) })];
    const { leftOut } = await setConstraints(client, loose);
    await writer.query('ROLLBACK');
    await writer.end();
    expect(leftOut).toMatchObject([{ rule: 'formerStays', where: 'shelf', path: 'fields.shelfId' }]);
    expect((await setConstraints(client, loose)).leftOut).toEqual([]);
  });

  it('is set beside people who write all the time, and refuses none of them', async () => {
    await make(before);
    const writer = await database.connect();
    let writes = true;
    const writing = (async () => {
      for (let n = 0; writes; n++) await writer.query(`INSERT INTO shelf ("shelfId", name) VALUES ($1, 'a')`, [n]);
    })();
    const done = await setConstraints(client, [now]);
    writes = false;
    await writing;
    await writer.end();
    expect(done.leftOut).toEqual([]);
    expect(await notNull()).toEqual(['shelfId', 'name']);
  });
});
