import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { nobody } from '#server/context.ts';
import { relations } from '#server/engine/conditions.ts';
import { createScopeCondition } from '#server/engine/scope.ts';
import { scopeTables, tablesOf } from '#server/engine/tables.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { addProbe, countRows, probe, putRows, readRow } from '#tests/support/probe.ts';
import { tries } from '#tests/support/tries.ts';

/** Two sites whose rows are twins; the other site's hold a word that no answer to this site may ever hold. */
let testApp: TestApp;
let theirs: number[];
const CANARY = 'CANARY-NB';
const ours = 12;

beforeAll(async () => {
  testApp = await startTestApp();
  await addProbe(testApp);
  const twins = (siteId: string, title: string, from: number) =>
    Array.from({ length: ours }, (_, i) => ({
      probeId: `PBE20260305${String(from + i).padStart(5, '0')}`,
      title,
      shop: `C-${i % 4}`,
      count: i,
      serial: from + i,
      status: String(i % 3),
      month: i % 2 ? '2026-03' : null,
      siteId,
    }));
  await putRows(testApp, 'probe', twins('SZ', 'ours', 1));
  theirs = await putRows(testApp, 'probe', twins('NB', CANARY, 101));
  await putRows(testApp, 'probe_line', [
    { probeId: 'PBE2026030500001', sn: 'OUR-SN' },
    { probeId: 'PBE2026030500101', sn: CANARY },
  ]);
});
afterAll(() => testApp.close());

interface Listed {
  items: Record<string, unknown>[];
  itemTotal: number;
}
const list = (query: object = {}) =>
  testApp.ask<Listed>('GET', '/api/probe/pager.json', { pageCount: 200, ...query }, { as: 'prober' });
const search = (adminAdvancedSearchGroup: unknown) =>
  testApp.ask<Listed>('POST', '/api/probe/advancedSearch.json', { adminAdvancedSearchGroup }, { as: 'prober' });
const write = (action: string, body: object, module = 'probe') =>
  testApp.ask('POST', `/api/${module}/${action}.json`, body, { as: 'prober' });

describe('whoever has one site', () => {
  it('sees its rows alone in a list and counts them alone', async () => {
    const { data } = await list();
    expect(data.itemTotal).toBe(ours);
    expect(data.items).toHaveLength(ours);
    expect(JSON.stringify(data)).not.toContain(CANARY);
    expect((await list({ title: CANARY })).data.itemTotal).toBe(0);
    expect((await list({ probeId: 'PBE2026030500101' })).data.itemTotal).toBe(0);
  });

  it('gets no row of another site by an OR, nor by a condition that holds for every row', async () => {
    const always = { rules: [{ column: 'count', relation: 'IS_NOT_NULL' }] };
    expect((await search(always)).data.itemTotal).toBe(ours);
    const or = {
      rules: [
        { column: 'title', relation: 'EQUAL_TO', value: 'nobody' },
        { connector: 'OR', column: 'title', relation: 'EQUAL_TO', value: CANARY },
        { connector: 'OR', column: 'siteId', relation: 'EQUAL_TO', value: 'NB' },
      ],
    };
    expect((await search(or)).data).toMatchObject({ itemTotal: 0, items: [] });
    expect(
      (
        await search({
          groups: [
            { connector: 'OR', ...or },
            { connector: 'OR', ...always },
          ],
        })
      ).data.itemTotal,
    ).toBe(ours);
  });

  it('reads, changes and deletes no row of another site: it does not exist', async () => {
    const id = theirs[0] as number;
    const before = await readRow(testApp, id);
    const reading = (action: string, as = 'prober') =>
      testApp.ask('GET', `/api/probe/${action}.json`, { id }, { as, lang: 'en' });
    for (const answer of [
      await reading('queryById'),
      await reading('toModify'),
      await testApp.ask('GET', '/api/probe/queryById.json', { id: 'PBE2026030500101' }, { as: 'prober' }),
      await write('modifyById', { id, version: 1, title: 'stolen' }),
      await write('deleteById', { id }),
    ]) {
      expect(answer).toMatchObject({ status: 200, code: '100002' });
      expect(JSON.stringify(answer)).not.toContain(CANARY);
    }
    expect(await readRow(testApp, id)).toEqual(before);
    expect(await reading('queryById', 'proberNB')).toMatchObject({ code: '000000' });
  });

  it('deletes none of several rows when one is of another site', async () => {
    const { data } = await list();
    const ids = [data.items[0]?.['id'], theirs[1]];
    expect(await write('deleteAll', { ids })).toMatchObject({ code: '100002' });
    expect(await countRows(testApp, 'probe')).toBe(2 * ours);
  });

  it('sees lines through their bill', async () => {
    const { data } = await testApp.ask<Listed>('GET', '/api/probeLine/pager.json', {}, { as: 'prober' });
    expect(data).toMatchObject({ itemTotal: 1, items: [{ sn: 'OUR-SN' }] });
    const line = await testApp.ask<Listed>('GET', '/api/probeLine/pager.json', {}, { as: 'proberNB' });
    const id = line.data.items[0]?.['id'];
    expect(line.data).toMatchObject({ itemTotal: 1, items: [{ sn: CANARY }] });
    expect(await testApp.ask('GET', '/api/probeLine/queryById.json', { id }, { as: 'prober' })).toMatchObject({
      code: '100002',
    });
    expect(await write('deleteById', { id }, 'probeLine')).toMatchObject({ code: '100002' });
    expect(await countRows(testApp, 'probe_line')).toBe(2);
    const bill = await testApp.ask('GET', '/api/probe/queryById.json', { id: 'PBE2026030500001' }, { as: 'prober' });
    expect(bill.data).toMatchObject({ probeLineList: [{ sn: 'OUR-SN' }] });
  });

  it('does not move a row to another site', async () => {
    const [id] = await putRows(testApp, 'probe', [{ title: 'stays', siteId: 'SZ', status: '0' }]);
    expect(await write('modifyById', { id, version: 1, title: 'stays here', siteId: 'NB' })).toMatchObject({
      code: '000000',
    });
    expect(await readRow(testApp, id as number)).toMatchObject({ siteId: 'SZ', version: 2 });
    expect(await write('deleteById', { id })).toMatchObject({ code: '000000' });
  });

  it('finds no row of another site by any tree of conditions', async () => {
    const columns = [...(probe.list?.columns ?? []), 'id'];
    const isText = (name: string) => ['String', 'select'].includes(probe.fields[name]?.type ?? '');
    const ruleOn = (names: string[], values: string[]) =>
      fc.record({
        connector: fc.constantFrom('AND', 'OR'),
        column: fc.constantFrom(...names),
        relation: fc.constantFrom(...Object.keys(relations)),
        value: fc.constantFrom(...values),
      });
    const rule = fc.oneof(
      ruleOn(columns.filter(isText), ['', '1', 'NB', CANARY, 'PBE2026030500101', "' OR '1'='1", '%']),
      ruleOn(
        columns.filter((it) => !isText(it) && it !== 'month'),
        ['', '3', '11', '106'],
      ),
      ruleOn(['month'], ['', '2026-03']),
    );
    const rules = fc.array(rule, { maxLength: 4 });
    const connector = fc.constantFrom('AND', 'OR');
    const leaf = fc.record({ connector, rules });
    const branch = fc.record({ connector, rules, groups: fc.array(leaf, { maxLength: 2 }) });
    const root = fc.record({ rules, groups: fc.array(branch, { maxLength: 3 }) });
    await fc.assert(
      fc.asyncProperty(root, async (tree) => {
        const answer = await search(tree);
        expect(answer.code, answer.msg).toBe('000000');
        expect(answer.data.itemTotal).toBeLessThanOrEqual(ours);
        expect(answer.data.items.every((it) => it['siteId'] === 'SZ')).toBe(true);
      }),
      tries(50),
    );
  });
});

describe('a list of the rows of a list', () => {
  const label = { zh: '样', en: 'Probes' };
  const rows = (module: string, of: string, more: Partial<Definition> = {}): Definition => {
    const { table, site, fields } = probe;
    return {
      module,
      label,
      table,
      site,
      fields: { siteId: fields['siteId'] as Field },
      rowsOf: { module: of, when: {} },
      ...more,
    };
  };
  const owner = { field: 'createBy', unless: 'all' };
  const seenBy = async (definitions: Definition[], rights: string[], sites: 'all' | string[] = ['SZ']) => {
    const model = {
      ...testApp.model,
      definitions: new Map([[probe.module, probe], ...definitions.map((it) => [it.module, it] as const)]),
    };
    const last = definitions.at(-1) as Definition;
    const currentUser = { ...nobody, userId: 'prober', sites, rights: new Set(rights) };
    const seen = await sql<{ n: number }>`
      SELECT count(*)::int AS n FROM probe AS t WHERE ${createScopeCondition(last, currentUser, model)}`.execute(
      testApp.db,
    );
    return seen.rows[0]?.n;
  };

  it('shows no more of them than that one does', async () => {
    const some = rows('some', 'probe', { rowsOf: { module: 'probe', when: { shop: ['C-1'] } } });
    expect(await seenBy([some], [])).toBe(ours / 4);
    expect(await seenBy([some, rows('again', 'some')], [])).toBe(ours / 4);
    expect(await seenBy([rows('wide', 'probe', { site: 'all' })], [])).toBe(ours);
  });

  it('shows none where it asks for a password', async () => {
    const secret: Definition = {
      ...probe,
      fields: { ...probe.fields, shop: { type: 'password', label } },
    };
    const some = rows('some', 'probe', { rowsOf: { module: 'probe', when: { shop: ['C-1'] } } });
    expect(await seenBy([secret, some], [])).toBe(0);
    expect(await seenBy([secret, some, rows('again', 'some')], [])).toBe(0);
  });

  it('shows those of others by the right of that one alone', async () => {
    const own = [{ ...probe, owner }, rows('again', 'probe', { owner })];
    expect(await seenBy(own, ['again:all'])).toBe(0);
    expect(await seenBy(own, ['probe:all'])).toBe(ours);
  });
});

describe('lists that ask for values of the rows of each other', () => {
  /** So many levels, each with eight values that are seen through the rows of the next list. */
  const modelOf = (depth: number) => {
    const { fields } = probe;
    const names = Array.from({ length: 8 }, (_, i) => `v${i}`);
    const levels = Array.from({ length: depth }, (_, at): Definition[] => {
      const site = { through: `list${at + 1}`, by: 'probeId' };
      const values = at + 1 === depth ? [] : names.map((it) => [it, { ...fields['shop'], site } as Field]);
      const base: Definition = {
        ...{ ...probe, module: `base${at}`, table: `base${at}` },
        fields: { ...fields, ...Object.fromEntries(values) },
      };
      const when = Object.fromEntries(values.map(([it]) => [it, '1']));
      return [base, { ...base, module: `list${at}`, rowsOf: { module: `base${at}`, when } }];
    });
    return { ...testApp.model, definitions: new Map(levels.flat().map((it) => [it.module, it])) };
  };

  it('ask once at each level, however many of its values they name', () => {
    const model = modelOf(4);
    const list = model.definitions.get('list0') as Definition;
    const condition = createScopeCondition(list, { ...nobody, sites: ['SZ'] }, model);
    const { sql: text } = sql`SELECT ${condition}`.compile(testApp.db);
    expect(text.match(/EXISTS/g)).toHaveLength(3);
    expect(scopeTables(list, model).filter((it) => it === 'base3')).toHaveLength(1);
    expect(tablesOf(list, model).toSorted()).toEqual(['base0', 'base1', 'base2', 'base3']);
  });

  it('are those of the model that is asked, where a publish has changed one of them alone', () => {
    const model = modelOf(2);
    const list = model.definitions.get('list0') as Definition;
    expect(tablesOf(list, model)).toContain('base1');
    const moved = { ...(model.definitions.get('base1') as Definition), table: 'moved' };
    const published = { ...model, definitions: new Map([...model.definitions, ['base1', moved]]) };
    expect(tablesOf(list, published).toSorted()).toEqual(['base0', 'moved']);
  });
});

describe('whoever has all sites', () => {
  it('sees the rows of each', async () => {
    const { data } = await testApp.ask<Listed>('GET', '/api/probe/pager.json', {}, { as: 'admin' });
    expect(data.itemTotal).toBe(2 * ours);
  });
});
