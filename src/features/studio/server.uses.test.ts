import { afterAll, beforeAll, expect, it } from 'vitest';
import en from '#i18n/en/studio.json' with { type: 'json' };
import zh from '#i18n/zh/studio.json' with { type: 'json' };
import type { Definition } from '#domain/definition/grammar.ts';
import { kinds } from '#domain/reports.ts';
import type { Context } from '#server/context.ts';
import { readersOf } from '#server/reads.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { lookWithin } from './queries.ts';
import { findUses } from './queries.uses.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

/** However long it takes. */
const look = () => lookWithin({ search: testApp.db }, () => false);
const usesOf = async ({ module, fields }: Definition, userId = 'admin', rights = new Set<string>()) => {
  const currentUser = { userId, roleIds: [userId], rights };
  const ctx = { db: testApp.db, model: testApp.model, currentUser } as unknown as Context;
  const change = { fields: Object.fromEntries(Object.keys(fields).map((it) => [it, {}])) };
  return (await findUses([{ module, change }], testApp.model, ctx, look())).uses;
};

/** Every name of a field that a definition says somewhere, whatever part that is: none of them may be forgotten. */
function namedIn({ fields, label: _, one: _one, ...rest }: Definition): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string') found.add(value.replace(/^-/, ''));
    else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, it] of Object.entries(value)) {
        if (key === 'label' || key === 'script' || key === 'btnNo' || key === 'module') continue;
        found.add(key);
        visit(it);
      }
    }
  };
  visit(rest);
  for (const {
    ref: _ref,
    options: _options,
    label: _label,
    items: _items,
    default: _default,
    ...rules
  } of Object.values(fields))
    visit(rules);
  return Object.keys(fields).filter((it) => found.has(it));
}

it('whatever a definition says of a field is told as a use of it, in every module', async () => {
  const all = [...testApp.model.definitions.values()];
  expect(all.length).toBeGreaterThan(90);
  const forgotten: string[] = [];
  const kindsTold = new Set<string>();
  for (const own of all) {
    const uses = await usesOf(own);
    const told = new Set(uses.map((it) => it.field));
    uses.forEach((it) => kindsTold.add(it.kind));
    forgotten.push(
      ...namedIn(own)
        .filter((it) => !told.has(it))
        .map((it) => `${own.module}.${it}`),
    );
    for (const other of all) {
      for (const [by, { ref }] of Object.entries(other.fields)) {
        if (ref?.module !== own.module) continue;
        const isTold = uses.some((it) => it.kind === 'reference' && it.field === ref.value);
        if (!isTold) forgotten.push(`${other.module}.${by} > ${own.module}.${ref.value}`);
      }
    }
  }
  expect(forgotten).toEqual([]);
  const words = Object.keys(en.draft.usedBy).toSorted();
  expect(Object.keys(zh.draft.usedBy).toSorted()).toEqual(words);
  expect([...kindsTold, 'view', 'othersView'].toSorted()).toEqual(words);
});

it('a field that a change shows nowhere any more is told with the lists that refer to it', async () => {
  const site = testApp.model.definitions.get('ubsSite') as Definition;
  const isOther = (name: string) => name !== 'country';
  const hidden: Definition = {
    ...site,
    ...{ search: site.search?.filter(isOther), form: site.form?.map((it) => it.filter(isOther)) },
    ...(site.list && { list: { ...site.list, columns: site.list.columns.filter(isOther) } }),
    ...(site.detail && { detail: site.detail.filter(isOther) }),
  };
  const other = { ...site, module: 'visit', fields: { at: { type: 'select', label: site.label } } } as Definition;
  const ref = { module: 'ubsSite', value: 'siteId', label: 'country' };
  const visit: Definition = {
    ...other,
    fields: { at: { ...other.fields['at'], ref } as Definition['fields'][string] },
  };
  const before = new Map([...testApp.model.definitions, ['visit', visit] as const]);
  const model = { ...testApp.model, definitions: before };
  const ctx = { db: testApp.db, model, currentUser: { userId: 'admin', roleIds: ['admin'], rights: new Set() } };
  const after = { ...model, definitions: new Map([...before, ['ubsSite', hidden] as const]) };
  const asked = ctx as unknown as Context;
  const { uses } = await findUses([{ module: 'ubsSite', change: {} }], after, asked, look());
  expect(uses.filter((it) => it.kind === 'reference').map((it) => it.field)).toEqual(['country']);
});

it('reports, charts and queues are told by what they are called', async () => {
  const items = testApp.model.definitions.get('rmaMaintainBillLineItem') as Definition;
  const uses = (await usesOf(items)).filter((it) => it.field === 'deliverTime').map((it) => `${it.kind} ${it.name.en}`);
  expect(uses).toEqual(expect.arrayContaining(['chart Units delivered each week: days from receipt']));
  const named = [...testApp.model.definitions.keys()].flatMap((it) => readersOf(it, testApp.model));
  const reports = new Set(named.filter((it) => it.kind === 'report').map((it) => it.name.en));
  expect(reports.size).toBe(kinds.length);
  expect([...reports].filter((it) => kinds.includes(it as never))).toEqual([]);
});

it('lists of the rows of a list are told as well, by what they show and ask for', async () => {
  const lines = testApp.model.definitions.get('rmaCheckBillLine') as Definition;
  const definitions = testApp.model.definitions as Map<string, Definition>;
  const listed = (module: string, of: string): Definition => ({
    ...{ module, label: { zh: module, en: module }, table: lines.table, site: lines.site },
    ...{ rowsOf: { module: of, when: { scrapStatus: '0' } }, fields: lines.fields, list: { columns: ['sn'] } },
  });
  definitions.set('linesOf', listed('linesOf', 'rmaCheckBillLine')).set('linesOfOf', listed('linesOfOf', 'linesOf'));
  const uses = (await usesOf(lines)).map((it) => `${it.field} ${it.kind} ${it.name.en}`);
  definitions.delete('linesOf');
  definitions.delete('linesOfOf');
  for (const it of ['linesOf', 'linesOfOf'])
    expect(uses).toEqual(expect.arrayContaining([`sn list ${it}`, `scrapStatus sight ${it}`]));
});

it('views of other lists of the same rows are told, by their names to who may see them and else by their number', async () => {
  const lines = testApp.model.definitions.get('rmaCheckBillLine') as Definition;
  const state = JSON.stringify({ condition: { groups: [{ rules: [{ column: 'scrapStatus' }] }] } });
  const view = { module: 'rmaScrapConfirm', state };
  await testApp.db
    .insertInto('list_view')
    .values([
      { ...view, name: 'Mine to judge', userId: 'admin' },
      { ...view, name: 'Watch Anna', userId: 'supervisor' },
      { ...view, name: 'Watch Ben', userId: 'supervisor' },
      { ...view, name: 'For the office', userId: 'supervisor', roleId: 'office' },
    ])
    .execute();
  const viewsTold = async (...as: [userId: string, rights?: Set<string>]) => {
    const uses = (await usesOf(lines, ...as)).filter((it) => /view/i.test(it.kind));
    expect(uses.every((it) => it.module === 'rmaCheckBillLine' && it.field === 'scrapStatus')).toBe(true);
    return uses.map((it) => it.name.en).sort();
  };
  expect(await viewsTold('admin')).toEqual(['3 views of others', 'Mine to judge']);
  expect(await viewsTold('office')).toEqual(['3 views of others', 'For the office']);
  expect(await viewsTold('admin', new Set(['savedView:delete']))).toEqual([
    ...['2 views of others', 'For the office', 'Mine to judge'],
  ]);
  expect(await viewsTold('supervisor')).toEqual(['1 view of others', 'For the office', 'Watch Anna', 'Watch Ben']);
  expect((await usesOf(lines)).map((it) => it.name.zh)).toContain('其他人的 3 个视图');
});
