import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Definition, FieldType } from '#domain/definition/grammar.ts';
import { billNumbers } from '#domain/definition/billNumbers.ts';
import { standingFields } from '#domain/definition/standingFields.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { asMaker } from '#tests/support/database.ts';

interface Answered extends Record<string, unknown> {
  view: {
    fields: { name: string }[];
    named?: { name: string }[];
    lines: Record<string, { columns: { name: string }[] }>;
  };
}

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await fillAll();
});
afterAll(() => testApp.close());

/** A row in every table, each value the same, so that lines find their bills; and one for each list of some of its rows. */
async function fillAll(): Promise<void> {
  const all = [...testApp.model.definitions.values()];
  // Keys and triggers stand back, which only the maker of the database may ask of it.
  await asMaker(async (client) => {
    await client.query('SET session_replication_role = replica');
    for (const [i, { table, fields, rowsOf, viewOf }] of all.entries()) {
      if (viewOf) continue;
      const when = Object.entries(rowsOf?.when ?? {}).map(([name, it]) => [name, [it].flat()[0]] as const);
      const said = new Map<string, unknown>(when);
      const base = rowsOf && testApp.model.definitions.get(rowsOf.module)?.fields;
      const written = Object.entries({ ...base, ...fields }).filter(([, it]) => it.computed === undefined);
      const values = written.map(([name, it]) => said.get(name) ?? valueOf(it.type, rowsOf ? 100 + i : 7));
      const names = written.map(([name]) => sql.ref(name));
      const row = sql`INSERT INTO ${sql.table(table)} (${sql.join(names)}) VALUES (${sql.join(values)}) ON CONFLICT DO NOTHING`;
      const { sql: text, parameters } = row.compile(testApp.db);
      await client.query(text, [...parameters]);
    }
  }, testApp.url);
}
const valueOf = (type: FieldType, n: number): unknown => {
  if (type === 'List') return '[]';
  if (type === 'date') return '2026-11-01';
  if (type === 'dateTime') return new Date();
  return ['Number', 'Integer', 'Long', 'BigDecimal'].includes(type) ? n : String(n);
};

const admin = { as: 'admin' };
const get = async <Data>(module: string, action: string, id: unknown) =>
  (await testApp.ask<Data>('GET', `/api/${module}/${action}.json`, { id }, admin)).data;
/** Of the row that came last, where its list can be ordered so. */
const lastId = async ({ module, list }: Definition) => {
  const order = list?.most ? {} : { sortBy: 'id', order: 'desc' };
  const { data } = await testApp.ask<{ items: { id: number }[] }>('GET', `/api/${module}/pager.json`, order, admin);
  return data.items[0]?.id;
};
const missing = (row: Record<string, unknown>, names: readonly string[]) => names.filter((it) => !(it in row));

it('of every module a record has all that its page shows and asks for, and nothing that stands nowhere', async () => {
  const wrong: string[] = [];
  let looked = 0;
  let [hidden, ofLines] = [0, 0];
  const judge = (of: Definition, where: string, row: Record<string, unknown>, shared: readonly string[] = []) => {
    const standing = standingFields(of);
    const nowhere = Object.keys(of.fields).filter((it) => !standing.has(it) && !shared.includes(it));
    hidden += nowhere.length;
    wrong.push(...nowhere.filter((it) => it in row).map((it) => `${where}.${it} stands nowhere`));
  };
  for (const definition of testApp.model.definitions.values()) {
    const { module, lines = [], buttons = [] } = definition;
    const id = await lastId(definition);
    if (id === undefined) continue;
    looked += 1;
    const record = await get<Answered>(module, 'queryById', id);
    judge(definition, module, record);
    const { fields, named = [], lines: views } = record.view;
    const asked = buttons.flatMap((it) => Object.keys(it.when ?? {}));
    const shown = [...fields, ...named].map((it) => it.name);
    wrong.push(...missing(record, ['id', 'version', ...shown, ...asked]).map((it) => `${module}.${it} is missing`));
    for (const { name, module: of, by, under } of lines) {
      const target = testApp.model.definitions.get(of) as Definition;
      const shared = [by, ...(under ? [under.by] : [])];
      for (const row of (record[name] ?? []) as Record<string, unknown>[]) {
        ofLines += 1;
        judge(target, `${module}.${name}`, row, shared);
        const columns = views[name]?.columns.map((it) => it.name) ?? [];
        wrong.push(...missing(row, ['id', ...shared, ...columns]).map((it) => `${module}.${name}.${it} is missing`));
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(looked).toBeGreaterThan(85);
  expect([hidden, ofLines].map((it) => it > 20)).toEqual([true, true]);
});

it('what a website sent is answered to nobody by the list of what was sent', async () => {
  const definition = testApp.model.definitions.get('rmaWebSync') as Definition;
  await sql`UPDATE rma_web_sync SET payload = 'a customer'`.execute(testApp.db);
  expect(await lastId(definition)).toBeDefined();
  const id = await lastId(definition);
  expect(JSON.stringify(await get('rmaWebSync', 'queryById', id))).not.toContain('a customer');
});

it('a field without a place is in no record, no form and no answer to a stale change, and is in all of them once it has one', async () => {
  const site = testApp.model.definitions.get('ubsSite') as Definition;
  const fields = { ...site.fields, fax: { type: 'String', label: { zh: '传真', en: 'Fax' }, maxLength: 40 } as const };
  const lay = (more: Partial<Definition>) =>
    (testApp.model.definitions as Map<string, Definition>).set('ubsSite', { ...site, fields, ...more });
  await sql`ALTER TABLE ubs_site ADD COLUMN fax text`.execute(testApp.db);
  await sql`UPDATE ubs_site SET fax = 'a secret'`.execute(testApp.db);
  const found: boolean[][] = [];
  for (const more of [
    {},
    { detail: ['siteId', 'fax'] },
    { form: [...(site.form ?? []), ['fax']] },
    { search: ['fax'] },
  ]) {
    lay(more);
    const id = await lastId(site);
    const answers = [
      await get('ubsSite', 'queryById', id),
      await get<{ item: object }>('ubsSite', 'toModify', id).then((it) => it.item),
      (await testApp.ask('POST', '/api/ubsSite/modifyById.json', { id, version: 99 }, admin)).data,
    ];
    found.push(answers.map((it) => JSON.stringify(it).includes('a secret')));
  }
  lay({ fields: site.fields });
  expect(found).toEqual([
    [false, false, false],
    [true, true, true],
    [true, true, true],
    [true, true, true],
  ]);
});

/** Asks a list for a field in every way that finds rows by it; the codes. */
async function askFor(module: string, name: string): Promise<string[]> {
  const rules = [{ column: name, relation: 'IS_NOT_NULL' }];
  const filter = { adminAdvancedSearchGroup: { rules } };
  const asked = [
    testApp.ask('GET', `/api/${module}/pager.json`, { [name]: '7' }, admin),
    testApp.ask('POST', `/api/${module}/advancedSearch.json`, filter, admin),
    testApp.ask('GET', `/api/${module}/pager.json`, { sortBy: name, order: 'asc' }, admin),
  ];
  return (await Promise.all(asked)).map((it) => it.code);
}

it('by what stands nowhere nobody finds or orders rows, whatever an index begins with; by the number of a bill its lines are found', async () => {
  const all = [...testApp.model.definitions.values()].filter((it) => !it.list?.most);
  const wrong: string[] = [];
  let [refused, found] = [0, 0];
  for (const of of all) {
    const numbers = billNumbers(testApp.model.definitions).get(of.module) ?? new Set();
    const standing = standingFields(of);
    const led = [...(of.indexes ?? []), ...(of.unique ?? [])].map((it) => it[0] as string);
    for (const name of new Set([...led, ...numbers])) {
      if (standing.has(name) && !numbers.has(name)) continue;
      const [filter, tree, order] = await askFor(of.module, name);
      const expected = numbers.has(name) ? '000000' : '100015';
      if (numbers.has(name)) found += 1;
      else refused += 1;
      if (filter !== expected || tree !== expected) wrong.push(`${of.module}.${name}: ${filter}, ${tree}`);
      if (!standing.has(name) && order !== '100015') wrong.push(`${of.module} is ordered by ${name}`);
    }
  }
  expect(wrong).toEqual([]);
  expect([refused > 10, found > 20]).toEqual([true, true]);
});

it('a field that is taken from everywhere can be asked for no more, nor is it in an export or a choice', async () => {
  const shipment = testApp.model.definitions.get('ubsShipment') as Definition;
  const fields = {
    ...shipment.fields,
    pay: { type: 'select', label: { zh: '薪', en: 'Pay' }, options: 'yesNo' } as const,
  };
  await sql`ALTER TABLE ubs_shipment ADD COLUMN pay text`.execute(testApp.db);
  const lay = (more: Partial<Definition>) =>
    (testApp.model.definitions as Map<string, Definition>).set('ubsShipment', { ...shipment, fields, ...more });
  const ask = async () => [
    ...(await askFor('ubsShipment', 'pay')).slice(0, 2),
    (await testApp.ask('GET', '/api/ubsShipment/options.json', { field: 'pay' }, admin)).code,
    (await testApp.ask('GET', '/api/ubsShipment/export.json', { pay: '7' }, admin)).code,
  ];
  for (const index of [{ indexes: [['pay']] }, { unique: [['pay', 'name']] }]) {
    lay(index);
    expect(await ask()).toEqual(['100015', '100015', '100015', '100015']);
    lay({ ...index, detail: ['pay'] });
    expect((await ask()).slice(0, 3)).toEqual(['000000', '000000', '000000']);
  }
  lay({ fields: shipment.fields });
});
