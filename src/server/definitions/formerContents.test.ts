import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ContentsAnswer, DefinitionChange } from '#domain/definition/change.ts';
import { sqlTypes, standardNames } from '#domain/definition/columns.ts';
import type { Definition, Field, FieldType } from '#domain/definition/grammar.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import type { Publication } from '#server/definitions/definitions.ts';
import { findFormerContents } from '#server/definitions/formerContents.ts';
import { lookAll, type Look } from '#server/definitions/look.ts';
import { publish } from '#server/definitions/publish.ts';
import { readPublished } from '#server/definitions/published.ts';
import { publishedChanges, pulledFiles } from '#server/definitions/pull.ts';
import { BadDefinitions, readModel } from '#server/definitions/read.ts';
import { withFault } from '#tests/support/faults.ts';
import { registers } from '#tests/support/features.ts';
import { randomFrom } from '#tests/support/stations.ts';
import { createPreparedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

let database: OpenedDatabase;
let client: OpenedDatabase['client'];
beforeAll(async () => {
  database = await createPreparedDatabase();
  ({ client } = database);
});
afterAll(() => database.close());

type Parts = Record<string, DefinitionChange>;
const give = (parts: Parts, more: Partial<Publication> = {}) =>
  publish(database.url, registers, {
    changes: Object.entries(parts).map(([module, change]) => ({ module, change })),
    ...{ takesBack: [], note: '', userId: 'admin', siteId: 'SZ', ...more },
  });
const takeBack = (...takesBack: number[]) => give({}, { takesBack });
const problemsOf = async (publishing: Promise<unknown>) => {
  const error = await publishing.catch((it: unknown) => it);
  expect(error).toBeInstanceOf(BadDefinitions);
  return (error as BadDefinitions).problems.map(({ rule, path, count }) => [rule, path, count]);
};
const rowsOf = async (query: string) => (await client.query<Record<string, unknown>>(query)).rows;
afterEach(async () => {
  const { rows } = await client.query<{ id: number }>(
    `SELECT id::int FROM definition_publish WHERE "takesBack" = '{}' AND "isInForce"`,
  );
  if (rows.length > 0) await takeBack(...rows.map((it) => it.id));
  await client.query('DROP TABLE IF EXISTS tool_loan, tool_shed, tool_shed_b, other_loan');
});

const words = (en: string) => ({ zh: en, en });
const text = (label: string, more: Partial<Field> = {}): Field => ({
  ...{ type: 'String', label: words(label), maxLength: 40 },
  ...more,
});
const loan = (more: Partial<Definition> = {}): Definition => ({
  ...{ module: 'toolLoan', label: words('Loans'), table: 'tool_loan', site: 'all' },
  ...{ fields: { tool: text('Tool') }, list: { columns: ['tool'] }, form: [['tool']] },
  ...more,
});
const siteOnly: Partial<Definition> = {
  site: ['siteId'],
  fields: { tool: text('Tool'), siteId: text('Site') },
};
/** A module with rows of its own, taken back. */
async function leave(definition: Definition, rows = `('Oven'), ('Lamp')`, more: Partial<Publication> = {}) {
  const { id } = await give({ [definition.module]: { definition } }, more);
  await client.query(`INSERT INTO ${definition.table} (tool) VALUES ${rows}`);
  await takeBack(id);
}

const random = randomFrom(20261129);
const digits = (most: number) => Math.floor(random() * most) + 1;
/** A value of each type as SQL has it, another one with each call. */
const anyValue: Record<FieldType, () => string> = {
  String: () => `'${digits(1e9).toString(36)}'`,
  LongString: () => `repeat('${digits(1e9).toString(36)} ', 50)`,
  Number: () => `${digits(1e6) / 7}`,
  Integer: () => `${digits(1e9)}`,
  Long: () => `${digits(1e15)}`,
  BigDecimal: () => `${digits(1e9)}.${digits(999_999)}`,
  password: () => `'${digits(1e9).toString(36)}'`,
  date: () => `date '2020-01-01' + ${digits(3000)}`,
  dateTime: () => `timestamptz '2020-01-01' + ${digits(1e8)} * interval '1 second'`,
  Month: () => `'2026-0${1 + (digits(9) % 9)}'`,
  select: () => `'${digits(9)}'`,
  List: () => `'[{"part": "${digits(1e9).toString(36)}"}]'`,
};
const types = Object.keys(anyValue) as FieldType[];
const nameOf = (type: FieldType) => `held${type}`;
const ofType = (type: FieldType): Field => ({
  ...{ type, label: words(type) },
  ...(type === 'select' && { ref: { module: 'ubsSite', value: 'siteId', label: 'siteName', mayDangle: 'a test' } }),
  ...(type === 'List' && { items: { part: 'String' as const }, each: '{part}' }),
});
const allFields = Object.fromEntries(types.map((it) => [nameOf(it), ofType(it)]));
const answered = (answer: ContentsAnswer): DefinitionChange => ({
  fields: allFields,
  contents: { fields: Object.fromEntries(types.map((it) => [nameOf(it), answer])) },
});

describe('the column of a field that is made anew', () => {
  const held = () => rowsOf(`SELECT ${types.map((it) => `"${nameOf(it)}"`).join(', ')} FROM ubs_site ORDER BY id`);

  it('of any type is asked about while it holds a value, kept as it was, or emptied', async () => {
    expect(Object.keys(sqlTypes).toSorted()).toEqual(types.toSorted());
    const { id } = await give({ ubsSite: { fields: allFields } });
    const sets = types.map((it) => `"${nameOf(it)}" = ${anyValue[it]()}`);
    await client.query(`UPDATE ubs_site SET ${sets.join(', ')} WHERE "siteId" <> 'SZ'`);
    const before = await held();
    const n = before.filter((it) => it['heldString'] !== null).length;
    expect(n).toBeGreaterThan(0);
    await takeBack(id);
    const asked = await problemsOf(give({ ubsSite: { fields: allFields } }));
    const rule = (it: FieldType) => (it === 'password' ? ['columnHoldsSome', undefined] : ['columnHolds', n]);
    expect(asked).toEqual(types.map((it) => rule(it).toSpliced(1, 0, `fields.${nameOf(it)}`)));
    await takeBack((await give({ ubsSite: answered('keep') })).id);
    expect(await held()).toEqual(before);
    await give({ ubsSite: answered('empty') });
    const after = await held();
    expect(after).toHaveLength(before.length);
    expect(after.flatMap((it) => Object.values(it)).filter((it) => it !== null)).toEqual([]);
    await client.query(`UPDATE ubs_site SET ${sets.join(', ')} WHERE "siteId" <> 'SZ'`);
    expect(await held()).toEqual(before);
    await client.query(`UPDATE ubs_site SET ${types.map((it) => `"${nameOf(it)}" = NULL`).join(', ')}`);
  });

  it('that holds nothing is not asked about, and neither is what comes again by taking a taking back back', async () => {
    const first = await give({ ubsSite: { fields: { fax: text('Fax') } } });
    await takeBack(first.id);
    const again = await give({ ubsSite: { fields: { fax: text('Fax') } } });
    await client.query(`UPDATE ubs_site SET fax = '0755'`);
    const back = await takeBack(again.id);
    const { model } = await takeBack(back.id);
    expect(model.definitions.get('ubsSite')?.fields).toHaveProperty('fax');
    expect(await rowsOf(`SELECT DISTINCT fax FROM ubs_site`)).toEqual([{ fax: '0755' }]);
    await client.query(`UPDATE ubs_site SET fax = NULL`);
  });

  it('may be of another type once it is emptied, with all that hung on it', async () => {
    const dial = { type: 'String', label: words('Dial'), computed: 'fax + "!"', readOnly: true } as const;
    const fields = { fax: text('Fax', { unique: true }), dial };
    const first = await give({ ubsSite: { fields, indexes: [['fax', 'siteName']] } });
    await client.query(`UPDATE ubs_site SET fax = 'fax' || id`);
    await takeBack(first.id);
    const change: DefinitionChange = {
      fields: { fax: { type: 'Integer', label: words('Fax') }, telex: text('Telex') },
      indexes: [['fax', 'siteName']],
      search: ['fax'],
    };
    const asked = await problemsOf(give({ ubsSite: { ...change, contents: { fields: { fax: 'keep' } } } }));
    expect(asked.map(([rule]) => rule)).toEqual(['notKept']);
    const { statements } = await give({ ubsSite: { ...change, contents: { fields: { fax: 'empty' } } } });
    expect(statements).toContain('ALTER TABLE "ubs_site" ADD COLUMN "fax" integer');
    const [{ n } = { n: 0 }] = await rowsOf(`SELECT count(*)::int AS n FROM pg_indexes WHERE indexdef LIKE '%(fax, %'`);
    expect(n).toBe(1);
    // Empty texts are kept as none again, in the new column of a text as in the others.
    await client.query(`UPDATE ubs_site SET fax = 1, telex = ''`);
    expect(await rowsOf('SELECT DISTINCT fax, telex FROM ubs_site')).toEqual([{ fax: 1, telex: null }]);
    await client.query(`UPDATE ubs_site SET fax = NULL`);
  });

  it('is none of the platform’s: a shipped table has no other columns than its definition names', async () => {
    const named = new Map<string, string[]>();
    for (const { table, fields } of readModel(registers).definitions.values())
      named.set(table, [...(named.get(table) ?? standardNames), ...Object.keys(fields)]);
    const columns = await rowsOf(
      `SELECT c.relname AS table, a.attname AS column FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> 'ubs_site'`,
    );
    const others = columns.filter((it) => named.get(it['table'] as string)?.includes(it['column'] as string) === false);
    expect(others).toEqual([]);
  });

  it('that holds nothing may be of another type at once', async () => {
    await takeBack((await give({ ubsSite: { fields: { beeper: { type: 'date', label: words('Beeper') } } } })).id);
    const { statements } = await give({ ubsSite: { fields: { beeper: text('Beeper') } } });
    expect(statements).toContain('ALTER TABLE "ubs_site" ADD COLUMN "beeper" text');
    await takeBack((await give({ toolLoan: { definition: loan() } })).id);
    const fields: Definition['fields'] = { tool: { type: 'Integer', label: words('Tool') } };
    await give({ toolLoan: { definition: loan({ fields }) } });
    await client.query('INSERT INTO tool_loan (tool) VALUES (7)');
  });

  it('keeps its values where the publish fails at any of its statements', async () => {
    const values = () => rowsOf(`SELECT fax, count(*)::int AS n FROM ubs_site GROUP BY 1`);
    const { id } = await give({ ubsSite: { fields: { fax: text('Fax') } } });
    await client.query(`UPDATE ubs_site SET fax = '0755'`);
    await takeBack(id);
    const before = await values();
    const change: DefinitionChange = {
      fields: { fax: text('Fax'), other: text('Other') },
      indexes: [['fax'], ['other']],
      contents: { fields: { fax: 'empty' } },
    };
    let failed = 0;
    for (let nth = 1; ; nth++) {
      const [done, happened] = await withFault('gone', nth, () => give({ ubsSite: change }).catch(() => undefined));
      const [{ n } = { n: 0 }] = await rowsOf(
        `SELECT count(*)::int AS n FROM definition_publish WHERE "takesBack" = '{}' AND "isInForce"`,
      );
      expect([nth, n, await values()]).toEqual([nth, n, n === 0 ? before : [{ fax: null, n: before[0]?.['n'] }]]);
      if (n === 1) break;
      failed += 1;
      expect([happened, done]).toEqual([true, undefined]);
    }
    expect(failed).toBeGreaterThan(10);
  });

  it('is not emptied by an answer about a field that is there', async () => {
    const { id } = await give({ ubsSite: { fields: { fax: text('Fax') } } });
    await client.query(`UPDATE ubs_site SET fax = '0755'`);
    const change: DefinitionChange = {
      label: words('Plants'),
      contents: { table: 'empty', fields: { fax: 'empty', siteId: 'empty' } },
    };
    const rules = await problemsOf(give({ ubsSite: change }));
    expect(rules.map(([rule, path]) => [rule, path])).toEqual([
      ['contentsNotNew', 'table'],
      ['contentsNotNew', 'fields.fax'],
      ['contentsNotNew', 'fields.siteId'],
    ]);
    await client.query(`UPDATE ubs_site SET fax = NULL`);
    await takeBack(id);
  });

  it.each<[string, Partial<Publication>, Partial<Field>, (string | undefined)[]]>([
    ['without a right to the list', { author: new Set(['sysDraft:publish']) }, {}, ['ruledUnlisted', 'ruledUnlisted']],
    ['with it', { author: new Set(['ubsSite:list']) }, {}, [undefined, undefined]],
    ['of a password', {}, { type: 'password' }, ['notKept', undefined]],
  ])('is kept and emptied for who may: %s', async (_, author, former, rules) => {
    const { id } = await give({ ubsSite: { fields: { fax: text('Fax', former) } } });
    await client.query(`UPDATE ubs_site SET fax = '0755'`);
    await takeBack(id);
    const found: unknown[] = [];
    for (const answer of ['keep', 'empty'] as const) {
      const change = { fields: { fax: text('Fax') }, contents: { fields: { fax: answer } } };
      const done = await give({ ubsSite: change }, author).catch((it: unknown) => it as BadDefinitions);
      if ('id' in done) await takeBack(done.id);
      found.push('id' in done ? undefined : done.problems[0]?.rule);
    }
    expect(found).toEqual(rules);
    await client.query(`UPDATE ubs_site SET fax = NULL`);
  });
});

describe('values that are still there are counted', () => {
  const plant: Partial<Field> = { site: { through: 'ubsSite', by: 'siteId' } };
  it.each<[string, Partial<Field>, Partial<Publication>, string]>([
    ['faxOpen', {}, {}, 'columnHolds'],
    ['faxSecret', { type: 'password' }, {}, 'columnHoldsSome'],
    ['faxOfAll', plant, { sites: 'all' }, 'columnHolds'],
    ['faxOfSite', plant, { sites: ['SZ'] }, 'columnHoldsSome'],
  ])('to who may see all of them: %s', async (name, former, author, rule) => {
    const { id } = await give({ ubsSite: { fields: { [name]: text('Fax', former) } } });
    await client.query(`UPDATE ubs_site SET "${name}" = '0755'`);
    await takeBack(id);
    const { site } = former;
    const fields = { [name]: text('Fax', site && { site }) };
    const told = await problemsOf(give({ ubsSite: { fields } }, { author: new Set(['*:*']), ...author }));
    const count = rule === 'columnHolds' ? (await rowsOf('SELECT FROM ubs_site')).length : undefined;
    expect(told).toEqual([[rule, `fields.${name}`, count]]);
    await client.query(`UPDATE ubs_site SET "${name}" = NULL`);
  });
});

describe('the table of a module that is made anew', () => {
  it('is asked about while it has rows, kept with them, or made anew without them', async () => {
    await leave(loan());
    expect(await problemsOf(give({ toolLoan: { definition: loan() } }))).toEqual([['tableHolds', 'table', 2]]);
    const kept = await give({ toolLoan: { definition: loan(), contents: { table: 'keep' } } });
    expect(await rowsOf('SELECT tool FROM tool_loan ORDER BY id')).toEqual([{ tool: 'Oven' }, { tool: 'Lamp' }]);
    await takeBack(kept.id);
    const fields: Definition['fields'] = { tool: { type: 'Integer', label: words('Tool') }, by: text('By') };
    const definition = loan({ module: 'toolShed', fields, indexes: [['tool']] });
    const refused = await problemsOf(give({ toolShed: { definition, contents: { table: 'keep' } } }));
    expect(refused.map(([rule]) => rule)).toEqual(['notKept']);
    await give({ toolShed: { definition, contents: { table: 'empty' } } });
    await client.query(`INSERT INTO tool_loan (tool, by) VALUES (7, '')`);
    // The ledger still tells of the rows 1 and 2.
    expect(await rowsOf('SELECT id::int, tool, by FROM tool_loan')).toEqual([{ id: 3, tool: 7, by: null }]);
  });

  it('is for none of the roles that had rights to the former one, and for them again when that comes back', async () => {
    const lent = loan({ module: 'toolLent', table: 'tool_lent' });
    const rights = async () =>
      (
        await client.query<{ it: string }>(
          `SELECT concat("roleId", ' ', "right") AS it FROM role_right WHERE "right" LIKE 'toolLent:%' ORDER BY 1`,
        )
      ).rows.map((it) => it.it);
    const first = await give({ toolLent: { definition: lent, rights: { office: ['list'] } } });
    await client.query(`INSERT INTO role_right ("roleId", "right") VALUES ('viewer', 'toolLent:list')`);
    const gone = await takeBack(first.id);
    const again = await takeBack(gone.id);
    expect(await rights()).toEqual(['office toolLent:list', 'viewer toolLent:list']);
    await takeBack(again.id);
    await give({ toolLent: { definition: lent, rights: { tech: ['list'] } } });
    expect(await rights()).toEqual(['tech toolLent:list']);
  });

  it('goes on from the numbers that rows of a module of its name had, under whatever name of the table', async () => {
    await client.query(
      `INSERT INTO ledger ("userId", "siteId", what, module, "recordId", "requestId")
       SELECT 'admin', 'SZ', 'create', 'toolLoan', it, '' FROM unnest(array['41', 'TLN2026', '7']) AS it`,
    );
    await give({ toolLoan: { definition: loan({ table: 'other_loan' }) } });
    await client.query(`INSERT INTO other_loan (tool) VALUES ('Oven')`);
    expect(await rowsOf('SELECT id::int FROM other_loan')).toEqual([{ id: 42 }]);
  });

  it('is emptied for good and once: neither a start nor another publish does it again', async () => {
    await leave(loan());
    const { id } = await give({ toolLoan: { definition: loan(), contents: { table: 'empty' } } });
    await client.query(`INSERT INTO tool_loan (tool) VALUES ('Saw')`);
    const here = (await readPublished(client)).changes;
    expect(here[0]?.change.contents).toEqual({ table: 'empty' });
    expect(JSON.stringify([publishedChanges(registers, here), ...pulledFiles(registers, here)])).not.toContain(
      'contents',
    );
    expect((await prepareDatabase(database.url, registers)).aside).toEqual([]);
    await give({ toolLoan: { label: words('Lent') } });
    const back = await give({}, { takesBack: [id], since: true });
    await takeBack(back.id);
    expect(await rowsOf('SELECT tool FROM tool_loan')).toEqual([{ tool: 'Saw' }]);
  });

  it('of whom it was before it was emptied nobody is asked after', async () => {
    await leave(loan({ table: 'other_loan' }), `('Oven')`);
    const definition = loan({ module: 'otherLoan', table: 'other_loan' });
    const first = await give({ otherLoan: { definition, contents: { table: 'empty' } } });
    await client.query(`INSERT INTO other_loan (tool) VALUES ('Saw')`);
    await takeBack(first.id);
    const keeping = { otherLoan: { definition, contents: { table: 'keep' as const } } };
    await give(keeping, { userId: 'tech', author: new Set(['sysModule:newModule', 'otherLoan:list']) });
    expect(await rowsOf('SELECT tool FROM other_loan')).toEqual([{ tool: 'Saw' }]);
  });

  const shedOf = (more: Partial<Definition> = {}) =>
    loan({ module: 'toolShed', table: 'tool_shed', fields: { tool: text('Tool', { unique: true }) }, ...more });
  const through = { through: 'toolShed', by: 'tool' };
  it.each<[what: string, lent: Definition, isOfRows: boolean]>([
    ['rows', loan({ site: through, indexes: [['tool']] }), true],
    ['values', loan({ fields: { tool: text('Tool'), pay: text('Pay', { site: through }) } }), false],
  ])('%s that are seen through rows of another one are kept with these alone', async (_, lent, isOfRows) => {
    const keep = { contents: { table: 'keep' as const } };
    const empty = { contents: { table: 'empty' as const } };
    const told = async (shed: DefinitionChange, more: DefinitionChange) =>
      problemsOf(give({ toolShed: { ...shed, definition: shedOf() }, toolLoan: { ...more, definition: lent } }));
    const both = await give({ toolShed: { definition: shedOf() }, toolLoan: { definition: lent } });
    await client.query(
      `INSERT INTO tool_shed (tool) VALUES ('Oven'), ('Saw'); INSERT INTO tool_loan (tool) VALUES ('Oven')`,
    );
    if (!isOfRows) await client.query(`UPDATE tool_loan SET pay = '7'`);
    await takeBack(both.id);
    const refused = [['contentsUnderNone', 'table', undefined]];
    expect(await told(empty, keep)).toEqual(refused);
    await client.query(`DELETE FROM tool_shed WHERE tool = 'Oven'`);
    // Where a value's row is not there all see it, as it was.
    if (isOfRows) expect(await told(keep, keep)).toEqual(refused);
    await client.query(`INSERT INTO tool_shed (tool) VALUES ('Oven')`);
    const kept = await give({ toolShed: { ...keep, definition: shedOf() }, toolLoan: { ...keep, definition: lent } });
    await takeBack(kept.id);
    await give({ toolShed: { ...empty, definition: shedOf() }, toolLoan: { ...empty, definition: lent } });
  });

  it('that is seen through rows which take too long to look through says so', async () => {
    const lent = loan({ site: through, indexes: [['tool']] });
    const both = await give({ toolShed: { definition: shedOf() }, toolLoan: { definition: lent } });
    await client.query(`INSERT INTO tool_loan (tool) VALUES ('Oven')`);
    await takeBack(both.id);
    const changes = [
      { module: 'toolShed', change: { definition: shedOf(), contents: { table: 'empty' as const } } },
      { module: 'toolLoan', change: { definition: lent, contents: { table: 'keep' as const } } },
    ];
    const shipped = readModel(registers);
    const laid = [shedOf(), lent].map((it) => [it.module, it] as const);
    const after = { ...shipped, definitions: new Map([...shipped.definitions, ...laid]) };
    const all = lookAll(client);
    const slow: Look = async (query, values) => (query.includes('AS above') ? undefined : all(query, values));
    const found = await findFormerContents(client, { before: shipped, after, changes }, { userId: 'admin' }, slow);
    expect(found.problems.map(({ rule, where }) => [rule, where])).toEqual([['contentsUnderSlow', 'toolLoan']]);
  });

  it('that is seen through rows of another type is asked after once that one is answered for', async () => {
    const fields = { tool: text('Tool', { type: 'Integer', unique: true }) };
    await leave(shedOf({ fields }), '(7)');
    const shedB = shedOf({ module: 'toolShedB', table: 'tool_shed_b' });
    const lent = (by: string) => loan({ site: { ...through, through: by }, indexes: [['tool']] });
    const both = await give({ toolShedB: { definition: shedB }, toolLoan: { definition: lent('toolShedB') } });
    await client.query(`INSERT INTO tool_loan (tool) VALUES ('Oven')`);
    await takeBack(both.id);
    const kept = { definition: lent('toolShed'), contents: { table: 'keep' as const } };
    const told = (shed: DefinitionChange) =>
      problemsOf(give({ toolShed: { ...shed, definition: shedOf() }, toolLoan: kept }));
    expect(await told({ contents: { table: 'keep' } })).toEqual([['notKept', 'table', undefined]]);
    expect(await told({})).toEqual([['tableHolds', 'table', 1]]);
    expect(await told({ contents: { table: 'empty' } })).toEqual([['contentsUnderNone', 'table', undefined]]);
    // Without rows of its own it is made anew unasked, unless others refer to it.
    await client.query('DELETE FROM tool_shed');
    expect(await told({})).toEqual([['contentsUnderNone', 'table', undefined]]);
    await client.query('CREATE TABLE other_loan (shed integer REFERENCES tool_shed (tool))');
    expect((await told({})).map(([rule]) => rule)).not.toContain('contentsUnderNone');
  });

  it('to which rows refer is emptied with them alone', async () => {
    const shed = loan({ module: 'toolShed', table: 'tool_shed', fields: { tool: text('Tool', { unique: true }) } });
    const ref = { module: 'toolShed', value: 'tool', label: 'tool' };
    const definition = loan({ fields: { tool: text('Tool', { type: 'select', ref }) } });
    const both = await give({ toolShed: { definition: shed }, toolLoan: { definition } });
    await client.query(`INSERT INTO tool_shed (tool) VALUES ('Oven'); INSERT INTO tool_loan (tool) VALUES ('Oven')`);
    await takeBack(both.id);
    const empty = { contents: { table: 'empty' as const } };
    const wrong = await problemsOf(give({ toolShed: { definition: shed, ...empty } }));
    expect(wrong.map(([rule]) => rule)).toEqual(['contentsReferred']);
    await give({ toolShed: { definition: shed, ...empty }, toolLoan: { definition, ...empty } });
    expect(await rowsOf('SELECT tool FROM tool_shed UNION ALL SELECT tool FROM tool_loan')).toEqual([]);
  });

  let made = 0;
  const lister = new Set(['sysModule:newModule', 'toolLoan:list']);
  it.each<[string, Partial<Definition>, Partial<Definition>, Partial<Publication>, (string | undefined)[]]>([
    [
      'who may not list it',
      {},
      {},
      { author: new Set(['sysModule:newModule', '*:publish']) },
      ['notKept', 'notEmptied'],
    ],
    ['who may list it', {}, {}, { author: lister }, [undefined, undefined]],
    ['who published it', {}, {}, { author: new Set(['sysModule:newModule']), userId: 'tech' }, [undefined, undefined]],
    [
      'its site, and now for all, by who sees one',
      siteOnly,
      {},
      { author: lister, sites: ['SZ'] },
      ['notKept', 'notEmptied'],
    ],
    [
      'its site, and now for all, by who sees all',
      siteOnly,
      {},
      { author: lister, sites: 'all' },
      [undefined, undefined],
    ],
    [
      'its site, as before, by who sees one',
      siteOnly,
      siteOnly,
      { author: lister, sites: ['SZ'] },
      [undefined, 'notEmptied'],
    ],
    [
      'all, and now for its site',
      { fields: { ...siteOnly.fields } },
      siteOnly,
      { author: lister, sites: ['SZ'] },
      [undefined, undefined],
    ],
    ['its own user', { owner: { field: 'tool', unless: 'seeAll' } }, {}, { author: lister }, ['notKept', 'notEmptied']],
  ])('is kept and emptied for %s', async (_, former, now, author, rules) => {
    const found: unknown[] = [];
    for (const answer of ['keep', 'empty'] as const) {
      // Each a table and a name of its own, as all who ever had them are asked after.
      const table = `tool_loan_${(made += 1)}`;
      await leave(loan({ table, ...former }), `('Oven')`, { userId: 'tech' });
      const module = `otherLoan${made}`;
      const definition = loan({ module, table, ...now });
      const done = await give(
        { [module]: { definition, contents: { table: answer } } },
        { userId: 'office', ...author },
      ).catch((it: unknown) => it as BadDefinitions);
      if ('id' in done) await takeBack(done.id);
      found.push('id' in done ? undefined : done.problems[0]?.rule);
    }
    expect(found).toEqual(rules);
  });
});
