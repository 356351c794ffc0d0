import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { ChangeSchema, type DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, Field, FieldType, OptionLists, MenuNode, RoleSeed } from '#domain/definition/grammar.ts';
import { MENU } from '#domain/definition/overlay.ts';
import { SUCCESS } from '#domain/call.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { takeModel } from '#server/definitions/follow.ts';
import { publish } from '#server/definitions/publish.ts';
import { readModel, withShipped } from '#server/definitions/read.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { registers } from '#tests/support/features.ts';
import { tries } from '#tests/support/tries.ts';

/**
 * Each kind of published change meets each kind of next version: the server starts, a second start finds nothing to do, and
 * the lists of what is shipped and of what is still published answer.
 */
const words = (en: string) => ({ zh: en, en });
const field = (type: FieldType, more: Partial<Field> = {}): Field => ({
  ...{ type, label: words('Any') },
  ...(type === 'select' && { options: 'ours' }),
  ...(type === 'List' && { items: { a: 'String' }, each: '{a}' }),
  ...more,
});
const made = (module: string, more: Partial<Definition> = {}): Definition => ({
  ...{ module, label: words(module), table: module.toLowerCase(), site: 'all' },
  fields: { name: field('String'), size: field('Integer') },
  ...{ list: { columns: ['name', 'size'] }, form: [['name', 'size']], indexes: [['name']] },
  ...more,
});
const refTo = (module: string, value: string): Field => ({
  ...{ type: 'select', label: words('Any'), ref: { module, value, label: value } },
});

/** What a version ships, and may ship otherwise. The module `way`, its options and its role are there for publishes to build on. */
interface Shipped {
  definitions: Map<string, Definition>;
  options: OptionLists;
  menu: MenuNode[];
  roles: RoleSeed[];
}
const way: Definition = {
  ...made('way'),
  fields: {
    wayId: field('String', { unique: true }),
    name: field('String'),
    kind: field('select', { options: 'wayKinds' }),
    size: field('Integer'),
  },
  search: ['name'],
  list: { columns: ['wayId', 'name', 'kind', 'size'] },
  form: [
    ['wayId', 'name'],
    ['kind', 'size'],
  ],
  buttons: [{ btnNo: 'add', script: 'create', label: words('New') }],
};
const first = ({ definitions, options, menu }: Shipped) => {
  definitions.set('way', way);
  options['wayKinds'] = [{ value: '1', label: words('One') }];
  options['ours'] = [{ value: '1', label: words('One') }];
  menu.push({ menuNo: 'wayList' });
};
const v1 = withShipped(registers, first);

/** Each pair of types is tried in makeWay.test.ts. */
const types: FieldType[] = ['String', 'Integer', 'password', 'List'];
const newFields = ['extra', 'initials', ...types.map((it) => `of${it}`)];
const both = field('String', { readOnly: true, computed: 'name + wayId' });
const tied = { wayId: refTo('way', 'wayId'), kind: field('select', { options: 'wayKinds' }) };

/** By each part that a change may have: a publish with it. They build on `name`, `kind` and `wayId` of the shipped module. */
const published: Record<keyof typeof ChangeSchema.properties, [string, DefinitionChange]> = {
  fields: ['way', { fields: { extra: field('String', { unique: true }), both } }],
  label: ['way', { label: words('Ways') }],
  one: ['way', { one: words('Way') }],
  search: ['way', { search: ['name', 'kind'] }],
  list: ['way', { list: { columns: ['name', 'kind', 'extra'] } }],
  form: ['way', { form: [['wayId', 'name', 'extra']] }],
  detail: ['way', { detail: ['name', 'size'] }],
  indexes: ['way', { indexes: [['name', 'size']] }],
  definition: [
    'trip',
    { definition: made('trip', { fields: { ...made('trip').fields, ...tied }, indexes: [['wayId'], ['name']] }) },
  ],
  contents: ['visit', { definition: made('visit'), contents: { table: 'keep' } }],
  lines: ['way', { lines: [{ name: 'trips', module: 'trip', by: 'wayId' }] }],
  buttons: [
    'way',
    { buttons: { add: { label: words('Add') }, look: { script: 'detail', label: words('Look'), rows: 1 } } },
  ],
  buttonOrder: ['way', { buttonOrder: ['look', 'add'] }],
  options: ['way', { options: { wayKinds: [{ value: '2', label: words('Two') }] } }],
  rights: ['way', { rights: { viewer: ['list'] } }],
  menu: [
    MENU,
    { menu: [{ menuNo: 'own', label: words('Own'), children: [{ menuNo: 'wayList' }, { menuNo: 'tripList' }] }] },
  ],
};
/** A field for each version that ships one, and a module for each that ships a table: what one has taken is not taken by the next. */
const guests = ['guestA', 'guestB', 'guestC', 'guestD', 'guestE', 'guestF'];

const fieldsOf = (it: Definition): Definition['fields'] => it.fields;
const altered = (shipped: Shipped, alter: (definition: Definition) => Definition) => {
  const it = shipped.definitions.get('way');
  if (it) shipped.definitions.set('way', alter(it));
};
const without = (it: Definition, name: string): Definition => {
  const { [name]: _, ...fields } = fieldsOf(it);
  const keep = (names: readonly string[] = []) => names.filter((one) => one !== name);
  return {
    ...it,
    fields,
    search: keep(it.search),
    list: { columns: keep(it.list?.columns) },
    form: (it.form ?? []).map(keep),
    indexes: (it.indexes ?? []).filter((one) => !one.includes(name)),
  };
};
const adding = (name: string, one: Field) => (shipped: Shipped) =>
  altered(shipped, (it) => ({ ...it, fields: { ...it.fields, [name]: one } }));

/** The ways in which a next version differs from the first. */
const versions: Record<string, (shipped: Shipped) => void> = {
  'has no such module': ({ definitions, menu }) => {
    definitions.delete('way');
    menu.splice(
      menu.findIndex((it) => it.menuNo === 'wayList'),
      1,
    );
  },
  'has no field of that name': (shipped) => altered(shipped, (it) => without(it, 'name')),
  'calls a field otherwise': (shipped) =>
    altered(shipped, (it) => ({
      ...without(it, 'size'),
      fields: { ...without(it, 'size').fields, sizeInCm: field('Integer') },
    })),
  'lets rows share the key': (shipped) =>
    altered(shipped, (it) => ({ ...it, fields: { ...it.fields, wayId: field('String') } })),
  'has no such options': (shipped) => {
    delete shipped.options['wayKinds'];
    altered(shipped, (it) => without(it, 'kind'));
  },
  'has no such role': (shipped) =>
    void shipped.roles.splice(
      shipped.roles.findIndex((it) => it.roleId === 'viewer'),
      1,
    ),
  'has no such button': (shipped) => altered(shipped, (it) => ({ ...it, buttons: [] })),
  'ships a group of the menu as a module': ({ definitions, menu }) => {
    definitions.set('own', made('own'));
    menu.push({ menuNo: 'ownList' });
  },
  'ships that index': (shipped) =>
    altered(shipped, (it) => ({ ...it, indexes: [...(it.indexes ?? []), ['name', 'size']] })),
  ...Object.fromEntries(types.map((type) => [`ships a field as ${type}`, adding(`of${type}`, field(type))])),
  'ships a computed field of that name': adding('initials', both),
  'ships what was computed as a column': adding('both', field('Integer')),
  ...Object.fromEntries(
    Object.entries<Definition>({
      'ships the module': made('guestA'),
      'ships the module otherwise': made('guestB', {
        fields: { name: field('date'), size: field('Integer', { unique: true }) },
      }),
      'ships the module with another table': made('guestC', { table: 'guest_other' }),
      'ships the table in another module': made('stay', { table: 'guestd' }),
      'ships a table of the name of an index': made('keep', { table: 'gueste_name_id_idx' }),
      'ships a table of the name of a key': made('lock', { table: 'guestf_pkey' }),
      'ships a table of the name of a sequence': made('turn', { table: 'trip_id_seq' }),
    }).map(([name, it]) => [name, ({ definitions }: Shipped) => void definitions.set(it.module, it)]),
  ),
};

const nextVersion = (...names: string[]) =>
  withShipped(registers, (shipped) => {
    first(shipped);
    for (const it of names) versions[it]?.(shipped);
  });

const modules = ['way', 'trip', 'visit', 'stay', 'keep', 'lock', 'turn', 'own', ...guests];
/** Publishes all kinds over the first version, with rows in what they bring. */
async function open(): Promise<TestApp> {
  const opened = await startTestApp();
  await prepareDatabase(opened.url, v1);
  const give = (module: string, change: DefinitionChange) =>
    publish(opened.url, v1, { changes: [{ module, change }], takesBack: [], note: '', userId: 'admin', siteId: 'SZ' });
  const run = async (statement: string) => void (await sql.raw(statement).execute(opened.db));
  const { id } = await give('visit', { definition: made('visit') });
  await run(`INSERT INTO visit (name, size) VALUES ('Li', 7)`);
  await publish(opened.url, v1, { changes: [], takesBack: [id], note: '', userId: 'admin', siteId: 'SZ' });
  for (const [module, change] of Object.values(published)) await give(module, change);
  for (const it of newFields.slice(1)) await give('way', { fields: { [it]: field('String') } });
  for (const it of guests) {
    await give(it, { definition: made(it) });
    await run(`INSERT INTO ${it.toLowerCase()} (name) VALUES ('${it}')`);
  }
  await run(
    `INSERT INTO way ("wayId", name, kind, size, ${newFields.map((it) => `"${it}"`).join()}) VALUES ('W', 'Way', '1', 1, '${newFields.join("', '")}')`,
  );
  await run(`INSERT INTO trip (name, size, "wayId", kind) VALUES ('Trip', 1, 'W', '1')`);
  return opened;
}
/** Starts as that version, and gives the publishes that it works without. */
async function startAs(testApp: TestApp, names: readonly string[]): Promise<number> {
  const next = nextVersion(...names);
  const { model, aside, lastPublish } = await prepareDatabase(testApp.url, next);
  expect((await prepareDatabase(testApp.url, next)).applied, names.join()).toEqual([]);
  takeModel(testApp.holder, model, lastPublish);
  const shipped = readModel(next).definitions;
  for (const it of modules.filter((one) => model.definitions.has(one))) {
    const { code, msg } = await testApp.ask('GET', `/api/${it}/pager.json`, {}, { as: 'admin' });
    expect([code, msg], `${names.join()}: ${it}`).toEqual([SUCCESS, expect.anything()]);
  }
  for (const it of modules) expect(model.definitions.has(it) || !shipped.has(it)).toBe(true);
  return aside.length;
}
/** What the rows of both hold, wherever it is kept now. */
async function readKept(testApp: TestApp): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    SELECT c.relname AS table, a.attname AS column FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
       AND a.attgenerated = '' AND (c.relname = 'way' OR c.relname LIKE 'visit%' OR c.relname LIKE 'trip%' OR c.relname LIKE 'guest%')
       AND a.attname ~ '^(extra|initials|of|name)'`.execute(testApp.db);
  const held: string[] = [];
  for (const { table, column } of rows) {
    const found = await sql<{ it: string }>`SELECT ${sql.ref(column)}::text AS it FROM ${sql.table(table)}
      WHERE ${sql.ref(column)} IS NOT NULL`.execute(testApp.db);
    held.push(...found.rows.map((it) => it.it));
  }
  return held.sort();
}
const AT_ONCE = 4;
const all = ['Li', 'Trip', 'Way', ...newFields, ...guests].sort();

it('meets publishes of every kind', () => {
  expect(Object.keys(published).sort()).toEqual(Object.keys(ChangeSchema.properties).sort());
});

it('starts, however it differs from the one before, and all lists answer', async () => {
  const ways = Object.keys(versions);
  const orders = fc.shuffledSubarray(ways, { minLength: ways.length });
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const testApp = await open();
      try {
        expect(await startAs(testApp, [])).toBe(0);
        // Some at once, so that one version after the other differs in each way.
        for (let n = 0; n < order.length; n += AT_ONCE) {
          const names = order.slice(n, n + AT_ONCE);
          const aside = await startAs(testApp, names);
          if (names.includes('has no such module')) expect(aside, names.join()).toBeGreaterThan(10);
          expect(await readKept(testApp), names.join()).toEqual(all);
        }
      } finally {
        await testApp.close();
      }
    }),
    { ...tries(1), endOnFailure: true },
  );
});
