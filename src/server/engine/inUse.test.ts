import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowedRows } from '#domain/definition/writes.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { carried, usesOf, type Use } from '#domain/definition/uses.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { registers } from '#tests/support/features.ts';
import { readMigration } from '#server/db/migrate.ts';
import { readModel } from '#server/definitions/read.ts';
import { untilWaiting } from '#tests/support/locks.ts';

const model = readModel(registers);
const { definitions } = model;
const uses = usesOf(definitions);
const definitionOf = (module: string) => definitions.get(module) as Definition;

let testApp: TestApp;
let other: pg.Client;
beforeAll(async () => {
  testApp = await startTestApp();
  other = new pg.Client({ connectionString: testApp.url });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await testApp.close();
});

const post = (module: string, script: string, body: object, lang: 'zh' | 'en' = 'en') =>
  testApp.ask<{ problems?: { key: string; field?: string; msg: string }[]; results?: { key?: string; msg: string }[] }>(
    'POST',
    `/api/${module}/${script}.json`,
    body,
    { as: 'admin', lang },
  );

const deletableModules = [...definitions.values()].filter((it) => allowedRows(it, { script: 'deleteById' }));
/** Those whose rows the engine deletes, and the state in which it does. */
const deletable = uses.filter((it) => allowedRows(definitionOf(it.to.module), { script: 'deleteById' }) && !it.isView);
const isOwned = ({ module, to }: Use) =>
  definitionOf(to.module).lines?.some((it) => it.module === module && it.owned) === true;

const stateOf = (module: string) =>
  Object.fromEntries(
    Object.entries(allowedRows(definitionOf(module), { script: 'deleteById' }) ?? {}).map(([name, wanted]) => [
      name,
      [wanted].flat()[0],
    ]),
  );

let made = 0;
/** A row that others may name, and how it is named. */
async function makeNamed({ to, within }: Use): Promise<{ id: number; version: number; value: string; row: object }> {
  made += 1;
  const definition = definitionOf(to.module);
  const field = definition.fields[to.column];
  const isNumber = field?.type === 'Integer';
  const value = field?.options ? String(model.options[field.options]?.at(-1)?.value) : `${isNumber ? 9 : 'N'}${made}`;
  const home = 'siteId' in definition.fields ? { siteId: 'SZ' } : {};
  const asked = Object.entries(definition.fields).filter(([, it]) => it.required && it.type === 'String');
  const texts = Object.fromEntries(asked.map(([name]) => [name, `R${made}`]));
  const row = { ...texts, ...alwaysOf(definition, definitions), ...home, ...stateOf(to.module), [to.column]: value };
  if (within) await sql`DELETE FROM ${sql.table(to.table)}`.execute(testApp.db);
  const inserted = await insertRow(testApp.db, definition, row, definitions);
  return { ...(inserted as { id: number; version: number }), value, row };
}

/** A row that names it, in the column of the use. */
const naming = ({ module, column, within, separator }: Use, named: { value: string; row: object }) => ({
  ...alwaysOf(definitionOf(module), definitions),
  [column]: separator === undefined ? named.value : `OTHER${separator}${named.value}`,
  ...(within && { [within]: (named.row as Record<string, unknown>)[within] }),
});

const titleOf = (it: Use) => `${it.to.module}.${it.to.column} named by ${it.module}.${it.column}`;
const cases = deletable.filter((it) => !isOwned(it)).map((it) => [titleOf(it), it] as const);

describe('a row that another names', () => {
  it('is named in so many ways', () => {
    expect({
      all: uses.length,
      byForeignKey: uses.filter((it) => it.isHeld).length,
      byTrigger: uses.filter((it) => !it.isHeld && !it.isView).length,
      inViews: uses.filter((it) => it.isView).length,
      ofRowsThatAreDeleted: cases.length,
    }).toMatchInlineSnapshot(`
      {
        "all": 160,
        "byForeignKey": 122,
        "byTrigger": 36,
        "inViews": 2,
        "ofRowsThatAreDeleted": 130,
      }
    `);
  });

  it('is named by every field that is called as it is, or the field only carries what another holds', () => {
    const keys = deletableModules.flatMap((it) =>
      Object.entries(it.fields).flatMap(([name, field]) =>
        field.unique && name.length > 5 ? [{ of: it.module, name }] : [],
      ),
    );
    const named = new Set(uses.map((it) => `${it.module}.${it.column}`));
    const all = [...definitions.values()].filter((it) => !it.rowsOf);
    const open = all.flatMap(({ module, fields }) =>
      Object.keys(fields).flatMap((field) => {
        const name = `${module}.${field}`;
        const like = keys.filter(
          (it) => (field.toLowerCase().endsWith(it.name.toLowerCase()) && it.name !== 'orderNo') || field === it.name,
        );
        const isOwn = like.some((it) => it.of === module && it.name === field);
        return like.length === 0 || isOwn || named.has(name) ? [] : [name];
      }),
    );
    expect(open.sort()).toEqual(Object.values(carried).flat().sort());
  });

  it.each(cases)('%s stays, by whichever script, and keeps its value', async (_, use) => {
    const named = await makeNamed(use);
    const { to, module } = use;
    const user = definitionOf(module);
    const row = await insertRow(testApp.db, user, naming(use, named), definitions, 'SZ');
    const { id } = named;
    const place = `1 row of "${user.label.en}"`;
    const scripts = { deleteById: { id }, deleteAll: { ids: [id] } };
    for (const [script, body] of Object.entries(scripts)) {
      if (!definitionOf(to.module).buttons?.some((it) => it.script === script)) continue;
      const { data } = await post(to.module, script, body);
      expect(data.problems?.[0], script).toMatchObject({ key: expect.stringMatching(/^inUse/) as string });
      expect(data.problems?.[0]?.msg).toContain(place);
    }
    if (definitionOf(to.module).buttons?.some((it) => it.script === 'deleteAll')) {
      const { data } = await post(to.module, 'bulk', { action: 'deleteAll', ids: [id] });
      expect(data.results?.[0]?.msg).toContain(place);
    }
    const form = definitionOf(to.module).form?.flat() ?? [];
    if (form.includes(to.column) && allowedRows(definitionOf(to.module), { script: 'modify' }) && !use.within) {
      const { data } = await post(to.module, 'modifyById', {
        id,
        version: named.version,
        [to.column]: `${Number(named.value) > 0 ? 8 : 'M'}${id}`,
      });
      expect(data.problems?.[0]).toMatchObject({ key: 'valueInUse', field: to.column });
    }
    // Nothing else keeps it.
    await sql`DELETE FROM ${sql.table(user.table)} WHERE id = ${row?.id}`.execute(testApp.db);
    expect(await post(to.module, 'deleteById', { id })).toMatchObject({ code: '000000' });
  });

  it.each(cases)('%s meanwhile stays as well', async (_, use) => {
    const named = await makeNamed(use);
    const { to, module } = use;
    const row = naming(use, named);
    // What it refers to besides is there already.
    const first = await insertRow(testApp.db, definitionOf(module), row, definitions, 'SZ');
    await sql`DELETE FROM ${sql.table(use.table)} WHERE id = ${first?.id}`.execute(testApp.db);
    const columns = Object.keys(row);
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO "${use.table}" (${columns.map((it) => `"${it}"`).join()}) VALUES (${columns.map((__, i) => `$${i + 1}`).join()})`,
      Object.values(row),
    );
    const answer = post(to.module, 'deleteById', { id: named.id });
    await untilWaiting(testApp.db);
    await other.query('COMMIT');
    expect((await answer).data.problems?.[0]).toMatchObject({ key: expect.stringMatching(/^inUse/) as string });
    const { rows } = await sql`SELECT 1 FROM ${sql.table(to.table)} WHERE id = ${named.id}`.execute(testApp.db);
    expect(rows).toHaveLength(1);
    await sql`DELETE FROM ${sql.table(use.table)} WHERE ${sql.ref(use.column)} = ${row[use.column]}`.execute(
      testApp.db,
    );
    await sql`DELETE FROM ${sql.table(to.table)} WHERE id = ${named.id}`.execute(testApp.db);
  });

  it.each(cases.filter(([, it]) => !it.isHeld))('%s while it goes is not named', async (_, use) => {
    const named = await makeNamed(use);
    const row = naming(use, named);
    const first = await insertRow(testApp.db, definitionOf(use.module), row, definitions);
    await sql`DELETE FROM ${sql.table(use.table)} WHERE id = ${first?.id}`.execute(testApp.db);
    await other.query('BEGIN');
    await other.query(`DELETE FROM "${use.to.table}" WHERE id = $1`, [named.id]);
    const written = insertRow(testApp.db, definitionOf(use.module), row, new Map()).then(
      () => 'written',
      (error: { code?: string }) => error.code,
    );
    await untilWaiting(testApp.db);
    await other.query('COMMIT');
    expect(await written).toBe('23503');
  });

  it.each(uses.filter((it) => !it.isView).map((it) => [titleOf(it), it] as const))(
    '%s is found by an index',
    async (_, { table, column, separator, within }) => {
      const { rows } = await sql<{ def: string }>`
        SELECT pg_get_indexdef(indexrelid) AS def FROM pg_index WHERE indrelid = ${table}::regclass`.execute(
        testApp.db,
      );
      const [first, second] = [`("${column}"`, within ? `, "${within}"` : ''];
      const plain = [`(${column}`, `("${column}"`].flatMap((it) => [
        `btree ${it}${second}`,
        `btree ${it}, ${within ?? ''}`,
      ]);
      const wanted = separator === undefined ? plain : [`gin (string_to_array${first}`];
      const found = rows.filter(({ def }) => wanted.some((it) => def.includes(it)));
      expect(found).not.toEqual([]);
      // Otherwise each look-up reads whatever was written since the last vacuum.
      if (separator !== undefined) expect(found[0]?.def).toMatch(/ WITH \(fastupdate='?off'?\)$/);
    },
  );
});

it('an index of several names that was made before is sorted from its upgrade on', async () => {
  const lists = uses.filter((it) => it.separator !== undefined && !it.isView);
  const made = sql<{ name: string; sorted: boolean }>`
    SELECT c.relname AS name, 'fastupdate=off' = ANY(c.reloptions) AS sorted
      FROM pg_class AS c JOIN pg_am AS a ON a.oid = c.relam WHERE a.amname = 'gin' ORDER BY 1`;
  const now = (await made.execute(testApp.db)).rows;
  expect(now).toHaveLength(lists.length);
  const upgraded = testApp.db.transaction().execute(async (trx) => {
    for (const { name } of now) await sql`ALTER INDEX ${sql.id(name)} RESET (fastupdate)`.execute(trx);
    const before = (await made.execute(trx)).rows;
    await sql.raw(readMigration('0090_names_sorted_in.sql')).execute(trx);
    throw Object.assign(new Error('rolled back'), { before, after: (await made.execute(trx)).rows });
  });
  await expect(upgraded).rejects.toMatchObject({ before: now.map((it) => ({ ...it, sorted: null })), after: now });
});

it('each foreign key is served by an index', async () => {
  const { rows } = await sql<{ key: string }>`
    SELECT c.conrelid::regclass || '.' || a.attname || ' > ' || c.confrelid::regclass AS key
      FROM pg_constraint AS c JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace AND NOT EXISTS (
       SELECT 1 FROM pg_index AS i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1])
     ORDER BY 1`.execute(testApp.db);
  expect(rows).toEqual([]);
});

it('what a call of its own deletes is named by nothing but its lines, or by nothing', () => {
  const deletes = testApp.app.declaredRights.filter(
    ({ method, url }) => method === 'DELETE' || /delete|remove/i.test(url),
  );
  expect(deletes.map(({ method, url }) => `${method} ${url}`).sort()).toMatchInlineSnapshot(`
    [
      "DELETE /rest/session",
      "DELETE /rest/views/:id",
      "POST /api/:module/deleteAll.json",
      "POST /api/:module/deleteById.json",
      "POST /api/rmaDefectiveProductRepairBill/deleteById.json",
      "POST /api/rmaReceiveBill/deleteReceived.json",
    ]
  `);
  const own = ['rmaDefectiveProductRepairBill', 'rmaReceiveBill'];
  const isLine = ({ module, to }: Use) => definitionOf(to.module).lines?.some((it) => it.module === module) === true;
  expect(uses.filter((it) => own.includes(it.to.module) && !isLine(it)).map(titleOf)).toEqual([]);
});

describe('the sentence', () => {
  it('tells the five places with the most rows, counts to 10,000, and says what else there is to do', async () => {
    const { db } = testApp;
    await db
      .insertInto('icop_supplier')
      .values({ supplierId: 'BIG', supplierName: 'Big', supplierType: '1', status: '1' })
      .execute();
    await sql`
      INSERT INTO icop_wip ("wipId", "supplierName") SELECT 'W' || n, 'BIG' FROM generate_series(1, 10001) AS n`.execute(
      db,
    );
    const { id } = await db
      .selectFrom('icop_supplier')
      .select('id')
      .where('supplierId', '=', 'BIG')
      .executeTakeFirstOrThrow();
    const en = await post('icopSupplier', 'deleteById', { id });
    const zh = await post('icopSupplier', 'deleteById', { id }, 'zh');
    expect([en.msg, zh.msg]).toMatchInlineSnapshot(`
      [
        "Supplier BIG is used by more than 10,000 rows of "WIP list" and can't be deleted; change what uses it first, or switch it off instead",
        "供应商 BIG 正被“在制品”中的超过 10,000 条记录使用，不能删除；请先修改使用它的记录，或改为停用",
      ]
    `);
    const site = await db.selectFrom('ubs_site').select('id').where('siteId', '=', 'SZ').executeTakeFirstOrThrow();
    await db
      .insertInto('file')
      .values({
        id: 'f'.repeat(32),
        kind: 'paper',
        name: 'a',
        mime: 'b',
        size: 1,
        siteId: 'SZ',
        createBy: 'admin',
        owner: null,
      })
      .execute();
    expect((await post('ubsSite', 'deleteById', { id: site.id })).msg).toMatch(
      /^Site SZ is used by (\d+ rows? of "[^"]+", ){5}\d+ more lists and can't be deleted; change what uses it first$/,
    );
  });
});
