import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { sqlTypes } from '#domain/definition/columns.ts';
import type { Definition, Field, FieldType } from '#domain/definition/grammar.ts';
import type { Registers } from '#domain/definition/problems.ts';
import { migrate, migrationNames, readMigration } from '#server/db/migrate.ts';
import { namesMadeBy } from '#server/db/namesMade.ts';
import { planDatabase, prepareDatabase } from '#server/db/prepare.ts';
import { quoted } from '#server/db/quoted.ts';
import { runMigration } from '#server/definitions/makeWay.ts';
import { publish } from '#server/definitions/publish.ts';
import { readModel, withShipped } from '#server/definitions/read.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { registers } from '#tests/support/features.ts';

let database: TestDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase({ template: inject('template') });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const words = (en: string) => ({ zh: en, en });
const field = (type: FieldType, more: Partial<Field> = {}): Field => ({
  ...{ type, label: words('Any') },
  ...(type === 'select' && { options: 'itemTypes' }),
  ...(type === 'List' && { items: { a: 'String' }, each: '{a}' }),
  ...more,
});
const choiceOf = (module: string, value: string, label: string, more: object = {}): Field => ({
  ...{ type: 'select', label: words('Any'), ref: { module, value, label, ...more } },
});
const visitor = (fields: Record<string, Field>, more: Partial<Definition> = {}): Definition => ({
  ...{ module: 'visitor', label: words('Visitors'), table: 'visitor', site: 'all', fields, ...more },
});
const give = async (module: string, change: DefinitionChange, by: Registers = registers) => {
  const publication = { changes: [{ module, change }], takesBack: [], note: '', userId: 'admin', siteId: 'SZ' };
  return (await publish(database.url, by, publication)).id;
};
const takeBack = (id: number, by: Registers = registers) =>
  publish(database.url, by, { changes: [], takesBack: [id], note: '', userId: 'admin', siteId: 'SZ' });
/** The next version: what it ships of a module is as said. */
const shipping = (alter: (definitions: Map<string, Definition>) => void) =>
  withShipped(registers, ({ definitions }) => alter(definitions));
const shippingField = (name: string, it: Field, module = 'ubsShipment') =>
  shipping((definitions) => {
    const definition = definitions.get(module) as Definition;
    definitions.set(module, { ...definition, fields: { ...definition.fields, [name]: it } });
  });
const start = (by: Registers) => prepareDatabase(database.url, by);
const columnsOf = async (table: string) => {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [quoted(table)],
  );
  return Object.fromEntries(rows.map((it) => [it.name, it.type]));
};
const read = async (table: string, column: string) => {
  const { rows } = await client.query<{ it: unknown }>(
    `SELECT ${quoted(column)} AS it FROM ${quoted(table)} WHERE ${quoted(column)} IS NOT NULL ORDER BY id`,
  );
  return rows.map((it) => it.it);
};

describe('a field that a later version ships', () => {
  it('of another type makes way with its values, and the version has its own', async () => {
    const id = await give('ubsShipment', { fields: { fax: field('String', { unique: true }) } });
    const later = await give('ubsShipment', { label: words('Ways') });
    await client.query(`INSERT INTO ubs_shipment ("shipId", name, fax) VALUES ('F', 'F', '0755')`);
    const next = shippingField('fax', field('Integer', { unique: true }));
    const planned = await planDatabase(database.url, next);
    const { model, aside, renamed, applied } = await start(next);
    expect(planned.filter((it) => !it.startsWith('--'))).toEqual(applied);
    expect(renamed).toEqual([
      { module: 'ubsShipment', table: 'ubs_shipment', column: 'fax', publishId: id, keptAs: 'faxAside' },
    ]);
    expect(await columnsOf('ubs_shipment')).toMatchObject({ fax: 'integer', faxAside: 'text' });
    expect(await read('ubs_shipment', 'faxAside')).toEqual(['0755']);
    expect(await read('ubs_shipment', 'fax')).toEqual([]);
    expect(aside).toEqual([
      { id, problems: [expect.objectContaining({ rule: 'columnAside', name: 'fax', keptAs: 'faxAside' })] },
    ]);
    expect(model.definitions.get('ubsShipment')).toMatchObject({
      label: { en: 'Ways' },
      fields: { fax: { type: 'Integer' } },
    });
    expect(later).toBeGreaterThan(id);
    await client.query(`INSERT INTO ubs_shipment ("shipId", name, fax) VALUES ('G', 'G', 7)`);
    await expect(client.query(`INSERT INTO ubs_shipment ("shipId", name, fax) VALUES ('H', 'H', 7)`)).rejects.toThrow(
      /_key/,
    );
    expect(await start(next)).toMatchObject({ applied: [], renamed: [], aside: [{ id }] });
    expect(await read('ubs_shipment', 'fax')).toEqual([7]);
  });

  it('makes way in each pair of types, or stays with its values where the types are one', async () => {
    const types = Object.keys(sqlTypes) as FieldType[];
    const modules = [
      'ubsSite',
      'ubsShipment',
      'ubsCountry',
      'ubsState',
      'ubsCity',
      'ubsBom',
      'ubsModelFamily',
      'ubsLabelRule',
    ]
      .concat(['rmaEnumDepreciation', 'rmaEnumRepairMethod', 'ubsEnumPartsType', 'ubsEnumComponentType'])
      .slice(0, types.length);
    const nameOf = (type: FieldType) => `of${type}`;
    const value = (type: string) =>
      ({ text: `'x'`, date: `'2026-01-01'`, 'timestamp with time zone': `'2026-01-01'`, jsonb: `'[]'` })[type] ?? '7';
    const tables = new Map<string, string>();
    for (const [i, module] of modules.entries()) {
      const type = types[i] as FieldType;
      await give(module, { fields: Object.fromEntries(types.map((it) => [nameOf(it), field(type)])) });
      const { rows } = await client.query<{ table: string }>(
        `SELECT "tableName" AS table FROM definition_module WHERE module = $1`,
        [module],
      );
      const table = rows[0]?.table as string;
      tables.set(module, table);
      const held = value((await columnsOf(table))[nameOf('String')] as string);
      await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      const all = types.map((it) => `${quoted(nameOf(it))} = ${held}`).join(', ');
      await client.query(`UPDATE ${table} SET ${all}`);
      await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    }
    const next = shipping((definitions) => {
      for (const module of modules) {
        const it = definitions.get(module) as Definition;
        const more = Object.fromEntries(types.map((type) => [nameOf(type), field(type)]));
        definitions.set(module, { ...it, fields: { ...it.fields, ...more } });
      }
    });
    await start(next);
    let moved = 0;
    for (const [i, module] of modules.entries()) {
      const was = types[i] as FieldType;
      const table = tables.get(module) as string;
      const columns = await columnsOf(table);
      const rows = (await client.query(`SELECT 1 FROM ${table}`)).rowCount;
      for (const is of types) {
        const fits = sqlTypes[was] === sqlTypes[is] && (was === 'password') === (is === 'password');
        const [name, kept] = [nameOf(is), `${nameOf(is)}Aside`];
        const pair = `${was} to ${is}`;
        expect(columns[name]?.replace('timestamp with time zone', 'timestamptz'), pair).toBe(sqlTypes[is]);
        expect(Object.hasOwn(columns, kept), pair).toBe(!fits);
        expect(await read(table, fits ? name : kept), pair).toHaveLength(rows ?? 0);
        if (!fits) moved += 1;
      }
    }
    expect(moved).toBe(144 - 24);
    expect(await start(next)).toMatchObject({ applied: [], renamed: [] });
  });
});

describe('a field that a later version ships, and', () => {
  it('was taken back makes way as well, told by its publish', async () => {
    const id = await give('ubsShipment', { fields: { fax: field('String') } });
    await client.query(`INSERT INTO ubs_shipment ("shipId", name, fax) VALUES ('F', 'F', '0755')`);
    await takeBack(id);
    const { aside, renamed } = await start(shippingField('fax', field('date')));
    expect(aside).toEqual([]);
    expect(renamed.map((it) => it.keptAs)).toEqual(['faxAside']);
    expect(await read('ubs_shipment', 'faxAside')).toEqual(['0755']);
  });

  it('held passwords is never read as it', async () => {
    await give('ubsShipment', { fields: { pin: field('password') } });
    await client.query(`INSERT INTO ubs_shipment ("shipId", name, pin) VALUES ('F', 'F', 'hash')`);
    const next = shippingField('pin', field('String'));
    await start(next);
    expect(await read('ubs_shipment', 'pin')).toEqual([]);
    expect(await read('ubs_shipment', 'pinAside')).toEqual(['hash']);
  });

  it('is the same is gone on with as it stands, and is its own from then on', async () => {
    await give('ubsShipment', { fields: { fax: field('String') } });
    await client.query(`INSERT INTO ubs_shipment ("shipId", name, fax) VALUES ('F', 'F', '0755')`);
    const { aside, renamed } = await start(shippingField('fax', field('String')));
    expect([aside, renamed, await read('ubs_shipment', 'fax')]).toEqual([[], [], ['0755']]);
    await expect(start(shippingField('fax', field('Integer')))).rejects.toThrow(BadDatabase);
    expect(await read('ubs_shipment', 'fax')).toEqual(['0755']);
  });

  it('is computed there takes no value with it', async () => {
    await give('ubsShipment', { fields: { initials: field('String') } });
    await client.query(`INSERT INTO ubs_shipment ("shipId", name, initials) VALUES ('F', 'F', 'FF')`);
    await start(shippingField('initials', field('String', { readOnly: true, computed: 'name + shipId' })));
    expect(await read('ubs_shipment', 'initialsAside')).toEqual(['FF']);
    expect(await read('ubs_shipment', 'initials')).toContain('FF');
  });

  it('others are computed from, are in one index with, refer to and are held by: all works on', async () => {
    const loan = visitor({ name: field('String'), way: choiceOf('ubsShipment', 'fax', 'name') });
    const first = await give('ubsShipment', {
      fields: {
        fax: field('String', { unique: true }),
        town: choiceOf('ubsSite', 'siteId', 'siteName', { mayDangle: 'it may' }),
      },
      indexes: [['fax', 'name']],
    });
    const second = await give('ubsShipment', {
      fields: { both: field('String', { readOnly: true, computed: 'fax + name' }) },
    });
    const third = await give('visitor', { definition: loan });
    await client.query(`INSERT INTO ubs_shipment ("shipId", name, fax, town) VALUES ('F', 'F', '1', 'SZ')`);
    await client.query(`INSERT INTO visitor (name, way) VALUES ('Li', '1')`);
    const next = withShipped(registers, ({ definitions }) => {
      const it = definitions.get('ubsShipment') as Definition;
      const more = { fax: field('Integer'), town: field('dateTime') };
      definitions.set('ubsShipment', { ...it, fields: { ...it.fields, ...more } });
    });
    const { aside } = await start(next);
    expect(aside.map((it) => it.id).sort()).toEqual([first, second, third].sort());
    expect(await read('ubs_shipment', 'faxAside')).toEqual(['1']);
    expect(await read('ubs_shipment', 'townAside')).toEqual(['SZ']);
    // Neither a foreign key nor a trigger of what was set aside stops who works.
    await client.query(`UPDATE ubs_shipment SET "shipId" = 'G', fax = 3, name = name || '' WHERE name = 'F'`);
    await client.query(`INSERT INTO ubs_shipment ("shipId", name, fax, town) VALUES ('H', 'H', 8, now())`);
    await client.query(`DELETE FROM ubs_shipment`);
    expect(await start(next)).toMatchObject({ applied: [] });
  });
});

describe('a table that a later version ships', () => {
  const shippingVisitor = (it: Definition) => shipping((definitions) => definitions.set(it.module, it));

  it('of another module makes way with its rows, and the version begins with an empty one', async () => {
    const id = await give('guest', {
      definition: visitor({ name: field('String', { unique: true }) }, { module: 'guest', indexes: [['name']] }),
    });
    await client.query(`INSERT INTO visitor (name) VALUES ('Li'), ('Wang')`);
    const next = shippingVisitor(visitor({ name: field('String', { unique: true }) }, { indexes: [['name']] }));
    const planned = await planDatabase(database.url, next);
    const { model, aside, applied, renamed } = await start(next);
    expect(planned.filter((it) => !it.startsWith('--'))).toEqual(applied);
    expect(renamed).toEqual([{ module: 'guest', table: 'visitor', publishId: id, keptAs: 'visitor_aside' }]);
    expect(aside).toEqual([
      { id, problems: [expect.objectContaining({ rule: 'tableAside', name: 'visitor', keptAs: 'visitor_aside' })] },
    ]);
    expect([model.definitions.has('guest'), model.definitions.has('visitor')]).toEqual([false, true]);
    expect(await read('visitor_aside', 'name')).toEqual(['Li', 'Wang']);
    await client.query(`INSERT INTO visitor (name) VALUES ('Li')`);
    await client.query(`INSERT INTO visitor_aside (name) VALUES ('Li')`);
    const { rows } = await client.query(
      `SELECT pg_get_serial_sequence('visitor', 'id') AS its, pg_get_serial_sequence('visitor_aside', 'id') AS old`,
    );
    expect(rows).toEqual([{ its: 'public.visitor_id_seq', old: 'public.visitor_aside_id_seq' }]);
    expect(await start(next)).toMatchObject({ applied: [], renamed: [], aside: [{ id }] });
    expect(await read('visitor', 'name')).toEqual(['Li']);
  });

  it('as the same module is gone on with, and a column of another type alone makes way', async () => {
    await give('visitor', { definition: visitor({ name: field('String'), size: field('String') }) });
    await client.query(`INSERT INTO visitor (name, size) VALUES ('Li', 'XL')`);
    const { aside } = await start(shippingVisitor(visitor({ name: field('String'), size: field('Integer') })));
    expect(aside).toHaveLength(1);
    expect(await read('visitor', 'name')).toEqual(['Li']);
    expect(await read('visitor', 'sizeAside')).toEqual(['XL']);
  });

  it.each([
    ['its table goes on', visitor({ name: field('String') }), ['visitor:edit', 'visitor:list']],
    ['it has another table', visitor({ name: field('String') }, { table: 'visitor_old' }), []],
    ['another module’s table makes way', visitor({ name: field('String') }, { module: 'guest' }), []],
    [
      'it had no table of its own',
      visitor(
        { name: field('String') },
        { table: 'ubs_shipment', rowsOf: { module: 'ubsShipment', when: {} }, writes: 'all' },
      ),
      [],
    ],
  ])(
    'keeps the rights that roles have to a module of its name only where it goes on with it: %s',
    async (_, before, kept) => {
      const grant = (right: string) =>
        client.query(`INSERT INTO role_right ("roleId", "right") VALUES ('viewer', $1)`, [right]);
      const rights = async () =>
        (
          await client.query<{ right: string }>(
            `SELECT "right" FROM role_right WHERE "right" LIKE 'visitor:%' ORDER BY 1`,
          )
        ).rows.map((it) => it.right);
      await give(before.module, { definition: before });
      if (before.module !== 'visitor')
        await give('visitor', { definition: visitor({ name: field('String') }, { table: 'visitor_too' }) });
      await grant('visitor:list');
      await grant('visitor:edit');
      const next = shippingVisitor(visitor({ name: field('String') }));
      await start(next);
      expect(await rights()).toEqual(kept);
      if (kept.length > 0) return;
      const { rows } = await client.query(
        `SELECT "userId", "recordId", before FROM ledger WHERE module = 'adminRole' AND what = 'rightModify'`,
      );
      expect(rows).toEqual([
        { userId: 'system', recordId: 'viewer', before: { rights: ['visitor:edit', 'visitor:list'] } },
      ]);
      // What is given to the version's own module from then on stays.
      await grant('visitor:list');
      await start(next);
      expect(await rights()).toEqual(['visitor:list']);
    },
  );

  it.each([
    ['another script', 'deleteById', []],
    ['the same script', 'detail', ['ubsShipment:more']],
  ] as const)('hands no right to a button on to one of its name with %s', async (_, script, kept) => {
    const more = (it: string) => ({ label: words('More'), script: it });
    const rights = async () =>
      (
        await client.query<{ right: string }>(`SELECT "right" FROM role_right WHERE "right" = 'ubsShipment:more'`)
      ).rows.map((it) => it.right);
    const grant = () =>
      client.query(`INSERT INTO role_right ("roleId", "right") VALUES ('viewer', 'ubsShipment:more')`);
    await give('ubsShipment', { buttons: { more: more('detail') } });
    await client.query(`DELETE FROM role_right WHERE "right" = 'ubsShipment:more'`);
    await grant();
    const next = shipping((definitions) => {
      const definition = definitions.get('ubsShipment') as Definition;
      definitions.set('ubsShipment', {
        ...definition,
        buttons: [...(definition.buttons ?? []), { btnNo: 'more', ...more(script) }],
      });
    });
    await start(next);
    expect(await rights()).toEqual(kept);
    if (kept.length > 0) return;
    const { rows } = await client.query(
      `SELECT "userId", "recordId", before FROM ledger WHERE module = 'adminRole' AND what = 'rightModify'
        ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ userId: 'system', recordId: 'viewer', before: { rights: ['ubsShipment:more'] } }]);
    // What is given to the version's own button from then on stays.
    await grant();
    expect(await start(next)).toMatchObject({ renamed: [] });
    expect(await rights()).toEqual(['ubsShipment:more']);
  });

  it('is worked with again by whoever publishes what was set aside under its new name, if he could see it before', async () => {
    const guest = visitor({ name: field('String') }, { module: 'guest', site: ['name'] });
    await give('guest', { definition: guest });
    await client.query(`INSERT INTO visitor (name) VALUES ('Li')`);
    const next = shippingVisitor(visitor({ name: field('Integer') }));
    await start(next);
    const again = { definition: { ...guest, module: 'caller', table: 'visitor_aside' } };
    const by = (author: ReadonlySet<string>, contents: 'keep' | 'empty') =>
      publish(database.url, next, {
        ...{
          changes: [{ module: 'caller', change: { ...again, contents: { table: contents } } }],
          takesBack: [],
          note: '',
        },
        ...{ userId: 'office', siteId: 'SZ', author, sites: ['SZ'] },
      });
    await expect(by(new Set(['sysModule:newModule', 'visitor:list']), 'keep')).rejects.toThrow(
      /"visitor_aside" still holds some rows/,
    );
    await by(new Set(['sysModule:newModule', 'guest:list']), 'keep');
    expect(await read('visitor_aside', 'name')).toEqual(['Li']);
    expect((await start(next)).model.definitions.has('caller')).toBe(true);
  });

  it('what a field held is kept as a secret under its new name', async () => {
    await give('ubsShipment', { fields: { pin: field('password') } });
    await client.query(`INSERT INTO ubs_shipment ("shipId", name, pin) VALUES ('F', 'F', 'hash')`);
    const next = shippingField('pin', field('Integer'));
    await start(next);
    const again = (type: FieldType) =>
      give('ubsShipment', { fields: { pinAside: field(type) }, contents: { fields: { pinAside: 'keep' } } }, next);
    await expect(again('String')).rejects.toThrow(/pinAside/);
    await again('password');
    expect((await start(next)).model.definitions.get('ubsShipment')?.fields).toHaveProperty('pinAside');
  });
});

describe('a whole module that was published although it was shipped', () => {
  const shippedAs = (module: string) => structuredClone(readModel(registers).definitions.get(module) as Definition);
  /** As an earlier version let it through. */
  const pretend = async (definition: Definition, userId = 'office') => {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO definition_publish ("userId") VALUES ($1) RETURNING id::int`,
      [userId],
    );
    const id = rows[0]?.id as number;
    await client.query(`INSERT INTO definition_change ("publishId", module, change) VALUES ($1, $2, $3)`, [
      ...[id, definition.module, JSON.stringify({ definition })],
    ]);
    return id;
  };
  const altered = (module: string, fields: Record<string, Field>): Definition => {
    const shipped = shippedAs(module);
    return { ...shipped, fields: { ...shipped.fields, ...fields } };
  };
  const withoutRowsOf = ({ rowsOf: _, ...it }: Definition): Definition => it;
  const rightsOf = async (module: string) =>
    (
      await client.query<{ it: string }>(
        `SELECT concat("roleId", ' ', "right") AS it FROM role_right WHERE "right" LIKE $1 ORDER BY 1`,
        [`${module}:%`],
      )
    ).rows.map((it) => it.it);
  /** A row of the product's own. */
  const addRow = async (table: string, values: Record<string, string>) => {
    const { rows } = await client.query<{ name: string; type: string }>(
      `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
        WHERE attrelid = to_regclass($1) AND attnum > 0 AND attnotnull AND NOT atthasdef AND attidentity = ''`,
      [table],
    );
    const needed = rows.map(({ name, type }) => [name, { text: 'x', date: '2026-01-01' }[type] ?? '7']);
    const row = { ...Object.fromEntries(needed), ...values } as Record<string, string>;
    await client.query(
      `INSERT INTO ${quoted(table)} (${Object.keys(row).map(quoted).join(', ')})
       VALUES (${Object.values(row)
         .map((it) => `'${it}'`)
         .join(', ')})`,
    );
  };
  beforeEach(async () => {
    for (const it of ['ubs_site', 'admin_user', 'rma_check_bill', 'rma_repair_supplier', 'ubs_model_family'])
      await addRow(it, {});
  });
  const oneRow: Record<string, Record<string, string>> = {
    admin_user: { userId: 'li', password: 'hash' },
    ubs_issue_code: { codeId: '9999', code: 'Y9', nameEn: 'Worn' },
    rma_price_bill: { unitPriceWithTax: '7' },
    rma_check_bill_line: { sn: 'S1' },
  };

  it.each([
    ['a password as a text', altered('adminUser', { password: field('String') })],
    [
      'a value of some sites',
      altered('rmaPriceBill', {
        unitPriceWithTax: field('BigDecimal', { site: { through: 'rmaInventory', by: 'siteId' } }),
      }),
    ],
    ['a text as a password', altered('ubsIssueCode', { nameEn: field('password') })],
    ['rows of its own', withoutRowsOf(shippedAs('rmaScrapConfirm'))],
  ])('moves nothing of what is shipped at a start, and is told: %s', async (_, definition) => {
    await addRow(definition.table, oneRow[definition.table] ?? {});
    const { rows: before } = await client.query(`SELECT * FROM ${quoted(definition.table)} ORDER BY id`);
    const id = await pretend(definition);
    const { aside, renamed } = await start(registers);
    expect(renamed).toEqual([]);
    expect(aside).toEqual([
      { id, problems: [expect.objectContaining({ rule: 'moduleThere', where: definition.module })] },
    ]);
    expect((await client.query(`SELECT * FROM ${quoted(definition.table)} ORDER BY id`)).rows).toEqual(before);
    expect(await start(registers)).toMatchObject({ applied: [], renamed: [], aside: [{ id }] });
  });

  it('takes nobody’s rights away, neither to the list nor to a button that it says otherwise', async () => {
    for (const module of ['rmaScrapConfirm', 'ubsIssueCode'])
      await client.query(
        `INSERT INTO ledger ("userId", "siteId", what, module, "recordId", "requestId") VALUES ('li', 'SZ', 'modify', $1, '1', '')`,
        [module],
      );
    const had = [await rightsOf('rmaScrapConfirm'), await rightsOf('ubsIssueCode')];
    await pretend(shippedAs('rmaScrapConfirm'));
    const codes = shippedAs('ubsIssueCode');
    await pretend({ ...codes, buttons: codes.buttons?.map((it) => ({ ...it, script: 'detail' })) ?? [] });
    await start(registers);
    expect([await rightsOf('rmaScrapConfirm'), await rightsOf('ubsIssueCode')]).toEqual(had);
    expect(had.flat().length).toBeGreaterThan(2);
  });

  it('pretends as well once a version has taken what was made here', async () => {
    const id = await give('visitor', { definition: visitor({ name: field('String') }) });
    await client.query(`INSERT INTO visitor (name) VALUES ('Li')`);
    const next = shipping((definitions) => definitions.set('visitor', visitor({ name: field('String') })));
    await start(next);
    const later = await pretend(visitor({ name: field('password') }));
    expect(await start(next)).toMatchObject({ renamed: [], aside: [{ id: later }] });
    expect(await read('visitor', 'name')).toEqual(['Li']);
    expect(later).toBeGreaterThan(id);
  });

  it('is none where it was made over what another module, taken back before, had brought', async () => {
    const id = await give('visitor', { definition: visitor({ name: field('String') }) });
    await client.query(`INSERT INTO visitor (name) VALUES ('Li')`);
    await takeBack(id);
    const guest = visitor({ name: field('String') }, { module: 'guest' });
    await give('guest', { definition: guest, contents: { table: 'keep' } });
    const next = shipping((definitions) => definitions.set('guest', guest));
    expect(await start(next)).toMatchObject({ aside: [], renamed: [] });
    expect(await read('visitor', 'name')).toEqual(['Li']);
  });

  it('is one also where another has said that table before', async () => {
    await addRow('rma_check_bill_line', { sn: 'S1' });
    const line = withoutRowsOf(shippedAs('rmaScrapConfirm'));
    const ids = [await pretend(line), await pretend({ ...line, module: 'rmaPriceBill' })];
    const { aside, renamed } = await start(registers);
    expect([aside.map((it) => it.id), renamed]).toEqual([ids, []]);
  });

  it('is published by nobody, nor does it come again by a taking back', async () => {
    await expect(give('ubsIssueCode', { definition: shippedAs('ubsIssueCode') })).rejects.toThrow(
      'the module is there already',
    );
    const gone = await takeBack(await pretend(shippedAs('ubsIssueCode')));
    await expect(takeBack(gone.id)).rejects.toThrow('the module is there already');
  });

  it('is none that was made here before it was shipped: with all else of its publish that is taken back, and comes again', async () => {
    const definition = visitor({ name: field('String') });
    const { id } = await publish(database.url, registers, {
      changes: [
        { module: 'visitor', change: { definition } },
        { module: 'ubsShipment', change: { fields: { fax: field('String') } } },
      ],
      ...{ takesBack: [], note: '', userId: 'admin', siteId: 'SZ' },
    });
    const next = shipping((definitions) => definitions.set('visitor', definition));
    await start(next);
    const gone = await takeBack(id, next);
    expect(gone.model.definitions.get('ubsShipment')?.fields['fax']).toBeUndefined();
    const { model } = await takeBack(gone.id, next);
    expect(model.definitions.get('ubsShipment')?.fields['fax']).toBeDefined();
    await expect(give('visitor', { definition }, next)).rejects.toThrow('the module is there already');
    const pretended = await takeBack(await pretend(definition), next);
    await expect(takeBack(pretended.id, next)).rejects.toThrow('the module is there already');
    expect(await start(next)).toMatchObject({ aside: [], renamed: [] });
  });

  it('opens what an earlier start has set aside by it only to whom that was open', async () => {
    const lines = withoutRowsOf(shippedAs('rmaScrapConfirm'));
    await addRow(lines.table, oneRow[lines.table] ?? {});
    const id = await pretend(lines);
    await client.query(`ALTER TABLE rma_check_bill_line RENAME TO rma_check_bill_line_aside;
                        ALTER TABLE admin_user ADD COLUMN "passwordAside" text; UPDATE admin_user SET "passwordAside" = 'x'`);
    const ids = await pretend(altered('adminUser', { password: field('String') }));
    await client.query(
      `INSERT INTO definition_taken (module, "tableName", "columnName", "publishId", "keptAs")
       VALUES ('rmaScrapConfirm', 'rma_check_bill_line', '', $1, 'rma_check_bill_line_aside'),
              ('adminUser', 'admin_user', '', $2, NULL), ('adminUser', 'admin_user', 'password', $2, 'passwordAside')`,
      [id, ids],
    );
    await start(registers);
    const grab = {
      ...visitor({ sn: field('String') }, { module: 'grab', table: 'rma_check_bill_line_aside' }),
      list: { columns: ['sn'] },
    };
    const by = (author: string[], sites: 'all' | string[]) =>
      publish(database.url, registers, {
        ...{ changes: [{ module: 'grab', change: { definition: grab, contents: { table: 'keep' } } }], takesBack: [] },
        ...{ note: '', userId: 'office', siteId: 'SZ', author: new Set(['sysModule:newModule', ...author]), sites },
      });
    await expect(by([], 'all')).rejects.toThrow(/rma_check_bill_line_aside" still holds/);
    await expect(by(['rmaCheckBillLine:list'], ['SZ'])).rejects.toThrow(/rma_check_bill_line_aside" still holds/);
    const hashes = (type: FieldType) =>
      give('adminUser', {
        fields: { passwordAside: field(type) },
        contents: { fields: { passwordAside: 'keep' } },
      });
    await expect(hashes('String')).rejects.toThrow(/"passwordAside" still holds/);
    await by(['rmaCheckBillLine:list'], 'all');
    expect(await read('rma_check_bill_line_aside', 'sn')).toEqual(['S1']);
  });
});

describe('an index or a name that a later version needs', () => {
  it.each(['ubs_shipment_town_id_idx', 'visitor_pkey', 'visitor_id_seq', 'admin_user_looks_key'])(
    'makes way where a publish called a table "%s"',
    async (table) => {
      const id = await give('guest', {
        definition: visitor({ name: field('String') }, { module: 'guest', table }),
      }).catch(() => undefined);
      // The index of accounts is not there where two look alike.
      if (id === undefined) await client.query('DROP INDEX admin_user_looks_key');
      const made =
        id ?? (await give('guest', { definition: visitor({ name: field('String') }, { module: 'guest', table }) }));
      await client.query(`INSERT INTO ${quoted(table)} (name) VALUES ('Li')`);
      const next = shipping((definitions) => {
        const it = definitions.get('ubsShipment') as Definition;
        const fields = { ...it.fields, town: field('String') };
        definitions.set('ubsShipment', { ...it, fields, indexes: [['town']] });
        definitions.set('visitor', visitor({ name: field('String') }));
      });
      await start(next);
      const { rows } = await client.query<{ table: string }>(
        `SELECT coalesce((SELECT "keptAs" FROM definition_taken WHERE "publishId" = $1 AND "columnName" = ''), $2) AS table`,
        [made, table],
      );
      expect(await read(rows[0]?.table as string, 'name')).toEqual(['Li']);
      expect(await start(next)).toMatchObject({ applied: [] });
    },
  );

  it('goes where a publish made another one that is cut to its name', async () => {
    const long = 'aNameThatIsAsLongAsTheOneOfAFieldMayBe';
    const [one, other] = ['AsLong1', 'AsLong2'].map((it) => `another${it}`) as [string, string];
    const indexed = (name: string) => ({
      fields: { [long]: field('String'), [name]: field('String') },
      indexes: [[long, name]],
    });
    await give('ubsShipment', indexed(one));
    const next = shipping((definitions) => {
      const it = definitions.get('ubsShipment') as Definition;
      const { fields, indexes } = indexed(other);
      definitions.set('ubsShipment', { ...it, fields: { ...it.fields, ...fields }, indexes });
    });
    const { aside } = await start(next);
    expect(aside).toHaveLength(1);
    expect(await start(next)).toMatchObject({ applied: [] });
  });
});

describe('a migration', () => {
  const forget = (name: string) => client.query(`DELETE FROM migration WHERE name = $1`, [name]);

  it('that makes what publishes have made finds their names free', async () => {
    await forget('0031_hash_rate_ingest.sql');
    // As an earlier version left it.
    await client.query('DROP TABLE hash_rate_slot, service_secret, service_allowance; DROP INDEX hash_rate_sample_at');
    const tables = ['hash_rate_slot', 'service_secret', 'hash_rate_sample_at'];
    for (const [i, table] of tables.entries()) {
      await give(`guest${i}`, { definition: visitor({ name: field('String') }, { module: `guest${i}`, table }) });
      await client.query(`INSERT INTO ${table} (name) VALUES ('Li')`);
    }
    const planned = await planDatabase(database.url, registers);
    const { aside, renamed, applied } = await start(registers);
    expect(new Set(planned.filter((it) => !it.startsWith('-- left out')))).toEqual(new Set(applied));
    expect(renamed.map((it) => it.table).sort()).toEqual(tables.toSorted());
    expect(aside.map((it) => it.problems[0]?.rule)).toEqual(['tableAside', 'tableAside', 'tableAside']);
    for (const it of tables) expect(await read(`${it}_aside`, 'name')).toEqual(['Li']);
    expect(await columnsOf('service_secret')).toHaveProperty('secretHash');
    expect(await start(registers)).toMatchObject({ applied: [], renamed: [] });
    const onPlatform = give('other', {
      definition: visitor({ name: field('String') }, { module: 'other', table: 'service_secret' }),
    });
    await expect(onPlatform).rejects.toThrow(/platform/);
  });

  it('that goes on with what is there finds its own there, not what a publish made', async () => {
    for (const it of ['0027_pending_since.sql', '0030_chip_stores.sql']) await forget(it);
    await client.query(
      'DROP TABLE icop_store CASCADE; ALTER TABLE rma_unhandled_package_bill DROP COLUMN "pendingTime" CASCADE',
    );
    await published('rmaUnhandledPackageBill', { fields: { pendingTime: field('String') } });
    await client.query(`ALTER TABLE rma_unhandled_package_bill ADD COLUMN "pendingTime" text`);
    await published('icopStore', {
      definition: visitor({ name: field('String') }, { module: 'icopStore', table: 'icop_store' }),
    });
    await client.query(
      `CREATE TABLE icop_store (id bigint PRIMARY KEY, name text); INSERT INTO icop_store VALUES (1, 'Mine')`,
    );
    await client.query(
      `INSERT INTO icop_wip ("wipId", stage, "inventoryOrg", "siteId") VALUES ('W1', '1', 'IC02', 'NB')`,
    );
    const { renamed } = await start(registers);
    expect(renamed.map((it) => it.keptAs).sort()).toEqual(['icop_store_aside', 'pendingTimeAside']);
    expect(await read('icop_store', 'btmId')).toEqual(['IC02']);
    expect(await read('icop_store_aside', 'name')).toEqual(['Mine']);
    expect(await columnsOf('rma_unhandled_package_bill')).toMatchObject({
      pendingTime: 'timestamp with time zone',
      pendingTimeAside: 'text',
    });
    expect((await start(registers)).applied).toEqual([]);
  });

  it('changes a column of the product, whatever a publish has hung on it', async () => {
    await give('ubsShipment', {
      fields: { marked: field('String', { readOnly: true, computed: 'nameEn + shipId' }) },
      indexes: [['nameEn']],
    });
    await give('visitor', { definition: visitor({ way: choiceOf('ubsShipment', 'shipId', 'name') }) });
    await client.query(`INSERT INTO ubs_shipment ("shipId", name, "nameEn") VALUES ('F', 'F', 'Fast')`);
    const count = (sql: string) => client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`);
    const keys = async () =>
      (await count(`pg_constraint WHERE conrelid = 'visitor'::regclass AND contype = 'f'`)).rows[0]?.n;
    expect(await keys()).toBe(1);
    const sql = `DROP TRIGGER empty_text_is_null ON ubs_shipment;
                 ALTER TABLE ubs_shipment ALTER COLUMN "nameEn" TYPE varchar(100), ALTER COLUMN "shipId" TYPE varchar(20);
                 ALTER TABLE ubs_shipment ALTER COLUMN "nameEn" TYPE text, ALTER COLUMN "shipId" TYPE text`;
    await client.query('BEGIN');
    await runMigration(client, readModel(registers), sql);
    await client.query('COMMIT');
    expect(await keys()).toBe(0);
    const { aside, leftOut } = await start(registers);
    expect([aside, leftOut, await keys()]).toEqual([[], [], 1]);
    expect((await count(`ubs_shipment WHERE marked = "nameEn" || "shipId"`)).rows[0]?.n).toBeGreaterThan(0);
    expect((await start(registers)).applied).toEqual([]);
  });

  it('has each of the names that it makes read from its text', async () => {
    const empty = await createTestDatabase();
    const its = new pg.Client({ connectionString: empty.url });
    await its.connect();
    const readNames = async () => {
      const { rows } = await its.query<{ it: string }>(
        `SELECT c.relname AS it FROM pg_class AS c LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
          WHERE relnamespace = 'public'::regnamespace AND c.relkind <> 'S'
            AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = c.oid)
         UNION SELECT c.relname || '.' || a.attname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
          WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`,
      );
      return new Set(rows.map((it) => it.it));
    };
    await migrate(its, []);
    let before = await readNames();
    let found = 0;
    for (const name of migrationNames()) {
      await migrate(its, [name]);
      const after = await readNames();
      const named = namesMadeBy(readMigration(name)).map((it) =>
        it.table === undefined ? it.name : `${it.table}.${it.name}`,
      );
      const made = [...after].filter((it) => !before.has(it) && !named.includes(it.split('.')[0] as string));
      expect(
        made.filter((it) => !named.includes(it)),
        name,
      ).toEqual([]);
      found += named.length;
      before = after;
    }
    expect(found).toBeGreaterThan(70);
    await its.end();
    await empty.drop();
  });
});

/** As an earlier version published it. */
async function published(module: string, change: DefinitionChange): Promise<void> {
  await client.query(
    `WITH made AS (INSERT INTO definition_publish ("userId") VALUES ('admin') RETURNING id)
     INSERT INTO definition_change ("publishId", module, change) SELECT id, $1, $2 FROM made`,
    [module, JSON.stringify(change)],
  );
}
