import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isAlways } from '#domain/definition/columns.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { layOptionsOver, layOver, MENU } from '#domain/definition/overlay.ts';
import { validateChange } from '#domain/definition/validateChange.ts';
import { offeredOptions } from '#domain/definition/options.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';

const base: Definition = {
  module: 'ubsSite',
  label: { zh: '站点', en: 'Sites' },
  table: 'ubs_site',
  site: 'all',
  fields: {
    siteId: { type: 'String', label: { zh: '站点', en: 'Site' }, required: true, maxLength: 20 },
    phone: { type: 'String', label: { zh: '电话', en: 'Phone' } },
  },
  list: { columns: ['siteId', 'phone'] },
  buttons: [{ btnNo: 'add', script: 'create', label: { zh: '新增', en: 'Add' } }],
};

describe('a published change', () => {
  it('relabels, reorders, adds a field and leaves the rest as shipped', () => {
    const change: DefinitionChange = {
      fields: {
        phone: { label: { zh: '手机', en: 'Mobile' } },
        fax: { type: 'String', label: { zh: '邮箱', en: 'E-mail' } },
      },
      list: { columns: ['phone', 'siteId', 'fax'] },
    };
    expect(validateChange({ shipped: base, current: base }, 'ubsSite', change)).toEqual([]);
    const over = layOver(base, change);
    expect(over.fields['phone']).toEqual({ type: 'String', label: { zh: '手机', en: 'Mobile' } });
    expect(over.fields['fax']?.type).toBe('String');
    expect(over.list?.columns).toEqual(['phone', 'siteId', 'fax']);
    expect(over.buttons).toEqual(base.buttons);
  });

  it('leaves to the sites of a value what they are, as others would see it', () => {
    const site = { through: 'rmaInventory', by: 'siteId' };
    const current: Definition = {
      ...base,
      fields: { ...base.fields, note: { type: 'String', label: base.label, site } },
    };
    const rulesOf = (altered: object) =>
      validateChange({ shipped: base, current }, 'ubsSite', { fields: { note: altered } }).map((it) => it.rule);
    expect(rulesOf({ site: null })).toEqual(['siteFixed']);
    expect(rulesOf({ site: { through: 'ubsSite', by: 'siteId' } })).toEqual(['siteFixed']);
    expect(rulesOf({ site, label: { zh: '备注', en: 'Notes' } })).toEqual([]);
  });

  it('gives no list the address of a page of the product, or one that the server answers', () => {
    const rulesOf = (menuNo: string) =>
      validateChange({ shipped: undefined, current: undefined }, MENU, { menu: [{ menuNo }] }).map((it) => it.rule);
    const source = readFileSync('src/app/App.tsx', 'utf8');
    const pages = [...source.matchAll(/ path="\/(\w+)"/g)].map(([, it = '']) => it);
    expect(pages.length).toBeGreaterThan(4);
    const taken = [...pages, 'login', 'Home', 'changepassword', 'rest', 'api', 'file', 'docs', 'assets', 'metrics'];
    for (const menuNo of taken) expect([menuNo, rulesOf(menuNo)]).toEqual([menuNo, ['menuAddress']]);
    for (const menuNo of ['homeList', 'restList', 'ubsSite', 'restful'])
      expect([menuNo, rulesOf(menuNo)]).toEqual([menuNo, []]);
    expect(
      validateChange({ shipped: undefined, current: undefined }, MENU, {
        menu: [{ menuNo: 'docs', label: base.label, children: [] }],
      }),
    ).toEqual([]);
  });

  it('names the buttons of a new module as those of any other', () => {
    const made = (btnNo: string): DefinitionChange => ({
      definition: { ...base, module: 'made', table: 'made', buttons: [{ btnNo, script: 'create', label: base.label }] },
    });
    const rulesOf = (btnNo: string) =>
      validateChange({ shipped: undefined, current: undefined }, 'made', made(btnNo)).map((it) => it.rule);
    expect(rulesOf('add')).toEqual([]);
    for (const btnNo of ['list', '*', 'a:b', 'x y']) expect([btnNo, rulesOf(btnNo)]).toEqual([btnNo, ['badName']]);
  });

  it('adds no field to a view, which could not be read any more', () => {
    const view: Definition = { ...base, viewOf: ['ubs_site'] };
    const change: DefinitionChange = { fields: { fax: { type: 'String', label: { zh: '传真', en: 'Fax' } } } };
    const told = validateChange({ shipped: view, current: view }, 'ubsSite', change);
    expect(told).toMatchObject([{ rule: 'viewField', path: 'fields.fax', name: 'fax' }]);
    expect(validateChange({ shipped: view, current: view }, 'ubsSite', { label: base.label })).toEqual([]);
  });

  it('calls no new field as the lines of the module are called, which a detail answers under that name', () => {
    const lines = [{ name: 'siteLines', module: 'ubsState', by: 'siteId' }];
    const change: DefinitionChange = { fields: { siteLines: { type: 'String', label: base.label } } };
    const rulesOf = (current: Definition, more: DefinitionChange) =>
      validateChange({ shipped: current, current }, 'ubsSite', { ...change, ...more }).map((it) => it.rule);
    expect(rulesOf({ ...base, lines }, {})).toEqual(['reservedName']);
    expect(rulesOf(base, { lines })).toContain('reservedName');
    expect(rulesOf(base, {})).toEqual([]);
  });

  it('of the columns of a list shows them all, whatever was chosen of those that were', () => {
    const shipped: Definition = {
      ...base,
      list: {
        columns: ['siteId', 'phone'],
        shown: ['siteId'],
        under: { siteId: 'phone' },
        groups: [{ label: base.label, columns: ['phone'] }],
      },
    };
    const listOf = (list: DefinitionChange['list']) => layOver(shipped, { list }).list;
    expect(listOf({ columns: ['siteId'] })).toEqual({ columns: ['siteId'] });
    expect(listOf({ columns: ['siteId'], shown: ['siteId'] })).toEqual({ columns: ['siteId'], shown: ['siteId'] });
    expect(listOf({ sort: 'siteId' })).toEqual({ ...shipped.list, sort: 'siteId' });
    expect(listOf({ columns: ['phone', 'siteId'], shown: ['siteId'] })).toEqual({
      ...shipped.list,
      columns: ['phone', 'siteId'],
    });
    expect(listOf({ columns: ['phone', 'siteId'], under: {} })?.under).toEqual({});
  });

  it('of the columns of a list keeps the totals of those that are still there', () => {
    const amount = { type: 'Number', label: { zh: '金额', en: 'Amount' } } as const;
    const fields = { ...base.fields, amount, freight: amount };
    const shipped: Definition = {
      ...base,
      fields,
      list: { columns: ['siteId', 'amount', 'freight'], totals: ['amount', 'freight'] },
    };
    const totalsOf = (list: DefinitionChange['list']) => layOver(shipped, { list }).list?.totals;
    expect(totalsOf({ columns: ['siteId', 'freight'] })).toEqual(['freight']);
    expect(totalsOf({ columns: ['siteId'] })).toBeUndefined();
    expect(totalsOf({ columns: ['amount', 'freight'], totals: ['amount'] })).toEqual(['amount']);
    expect(totalsOf({ sort: 'siteId' })).toEqual(['amount', 'freight']);
  });

  it('makes no column NOT NULL by what it requires, and leaves those that are as they were shipped', () => {
    const required = { required: true } as const;
    const made = layOver(undefined, { definition: base }).fields['siteId'];
    const once = layOver(base, { fields: { phone: required, siteId: { maxLength: 10 } } });
    const twice = layOver(once, { fields: { phone: { maxLength: 10 } } }).fields;
    expect([made, twice['phone'], twice['siteId']].map((it) => it && isAlways(it))).toEqual([false, false, true]);
    expect(twice['phone']).toMatchObject(required);
  });

  it.each<[string, DefinitionChange]>([
    ['a shipped type', { fields: { siteId: { type: 'Integer' } } }],
    ['a loosened required', { fields: { siteId: { required: false } } }],
    ['a longer maxLength', { fields: { siteId: { maxLength: 40 } } }],
    ['a table', { table: 'other' } as DefinitionChange],
    ['an unknown button', { buttons: { gone: {} } }],
    ['a new field without a type', { fields: { fax: { label: { zh: '邮', en: 'Mail' } } } }],
  ])('may not alter %s', (_, change) => {
    expect(validateChange({ shipped: base, current: base }, 'ubsSite', change)).not.toEqual([]);
  });
});

describe('an option list', () => {
  const option = (value: string, en = value) => ({ value, label: { zh: en, en } });
  it('has what was published of it, in its order, and loses no value that rows may hold', () => {
    const base = { kinds: [option('1'), option('2'), option('3')], other: [option('x')] };
    const laid = layOptionsOver(base, { options: { kinds: [option('2', 'Two'), { ...option('1'), retired: true }] } });
    expect(laid).toEqual({
      kinds: [option('2', 'Two'), { ...option('1'), retired: true }, option('3')],
      other: base.other,
    });
    expect(offeredOptions(laid, 'kinds').map((it) => it.value)).toEqual(['2', '3']);
    expect(layOptionsOver(base, {})).toBe(base);
  });
});
