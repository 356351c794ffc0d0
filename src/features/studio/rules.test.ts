import { describe, expect, it } from 'vitest';
import { changeBetween } from '#domain/definition/changeBetween.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { layOver } from '#domain/definition/overlay.ts';
import { copyOf, groupsOf, tableOf, withEntry } from './rules.module.ts';
import {
  alterButton,
  alterField,
  alterList,
  alterPart,
  dropField,
  freeName,
  movedBy,
  movedInForm,
  shownAfter,
  withField,
} from './rules.ts';

const words = (en: string) => ({ zh: en, en });
const current: Definition = {
  module: 'ubsSite',
  label: words('Sites'),
  table: 'ubs_site',
  site: 'all',
  fields: {
    siteId: { type: 'String', label: words('Site'), required: true, maxLength: 20 },
    phone: { type: 'String', label: words('Phone'), maxLength: 30 },
  },
  search: ['siteId'],
  list: { columns: ['siteId', 'phone'], shown: ['siteId'] },
  form: [['siteId'], ['phone']],
  buttons: [
    { btnNo: 'add', script: 'create', label: words('New') },
    { btnNo: 'modify', script: 'modify', label: words('Modify'), rows: 1 },
  ],
};
const fax = { type: 'String', label: words('Fax') } as const;
const laid = (change: DefinitionChange) => layOver(current, change);

describe('a change that is edited', () => {
  it('says what differs and, once it is again as it was, nothing', () => {
    const change = alterField({}, current, 'phone', { maxLength: 10 });
    expect(change).toEqual({ fields: { phone: { maxLength: 10 } } });
    expect(alterField(change, current, 'phone', { maxLength: 30 })).toEqual({});
    const named = alterPart({}, current, 'label', words('Plants'));
    expect(named).toEqual({ label: words('Plants') });
    expect(alterPart(named, current, 'label', words('Sites'))).toEqual({});
    expect(alterButton(alterButton({}, current, 'add', { hidden: true }), current, 'add', { hidden: null })).toEqual(
      {},
    );
  });

  it('takes a new field into list and form, and out of everything again', () => {
    const more = { name: 'fax', field: fax, inList: true, inForm: true };
    const change = withField({}, current, laid({}), more);
    expect(laid(change)).toMatchObject({
      list: { columns: ['siteId', 'phone', 'fax'], shown: ['siteId', 'fax'] },
      form: [['siteId'], ['phone'], ['fax']],
    });
    expect(dropField(change, current, 'fax')).toEqual({});
    const everywhere: DefinitionChange = {
      ...change,
      search: ['siteId', 'fax'],
      detail: ['fax'],
      indexes: [['fax', 'siteId'], ['phone']],
      lines: [{ name: 'cargo', module: 'ubsShipment', by: 'fax' }],
      list: {
        ...change.list,
        sort: '-fax',
        totals: ['fax'],
        under: { siteId: 'fax' },
        groups: [{ label: words('Calls'), columns: ['fax', 'phone'] }],
      },
    };
    const left = dropField(everywhere, current, 'fax');
    expect(JSON.stringify(left)).not.toContain('fax');
    expect(left).toMatchObject({ indexes: [['phone']], list: { groups: [{ columns: ['phone'] }] } });
  });

  it('keeps which columns are shown where others are chosen', () => {
    const change = alterList({}, current, { columns: ['phone', 'siteId'] });
    expect(laid(change).list).toEqual({ columns: ['phone', 'siteId'], shown: ['siteId'] });
  });

  it('of a module that the draft brings goes into the module itself', () => {
    const definition = copyOf(current, { module: 'plant', label: words('Plants'), table: 'plant' }, false);
    const change = alterField({ definition }, null, 'fax', fax);
    expect(change.definition?.fields['fax']).toEqual(fax);
    expect(dropField(change, null, 'fax').definition?.fields).toEqual(definition.fields);
    expect(alterButton({ definition }, null, 'create', { tone: null }).definition?.buttons?.[0]).not.toHaveProperty(
      'tone',
    );
  });
});

describe('a list of which one column is hidden', () => {
  it('lets the one that took its place be hidden as well', () => {
    const list = { columns: ['siteId', 'phone'], shown: ['siteId'], under: { siteId: 'phone' } };
    const first = shownAfter(list, { columns: list.columns, shown: [] });
    expect(first).toEqual(['phone']);
    expect(shownAfter({ ...list, shown: first }, { columns: list.columns, shown: [] })).toEqual([]);
  });
});

describe('an order', () => {
  it('is moved one place, and not beyond its ends', () => {
    expect(movedBy(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c']);
    expect(movedBy(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
    expect(movedBy(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
  });

  it.each([
    ['left', [['a'], ['c', 'b']]],
    ['up', [['a', 'c'], ['b']]],
    ['down', [['a'], ['b'], ['c']]],
  ] as const)('of a form is moved %s', (to, expected) => {
    expect(movedInForm([['a'], ['b', 'c']], 'c', to)).toEqual(expected);
  });

  it('of a form loses a row that is empty, and makes one above the first', () => {
    expect(movedInForm([['a'], ['b']], 'b', 'up')).toEqual([['a', 'b']]);
    expect(movedInForm([['a', 'b']], 'b', 'up')).toEqual([['b'], ['a']]);
  });
});

describe('a name', () => {
  it.each([
    ['Date of return', 'dateOfReturn'],
    ['  2nd Phone', 'ndPhone'],
    ['传真', 'field'],
    ['Phone', 'phone2'],
  ])('of %s is %s', (said, expected) => {
    expect(freeName(said, ['phone'])).toBe(expected);
  });

  it('of a table is that of its module', () => {
    expect(tableOf('toolLoan')).toBe('tool_loan');
  });
});

describe('what is published', () => {
  it.each<[string, DefinitionChange]>([
    ['a field more', withField({}, current, laid({}), { name: 'fax', field: fax, inList: true, inForm: true })],
    ['other columns', { list: { columns: ['phone'] } }],
    ['a rule and a label', { fields: { phone: { maxLength: 5, label: words('Mobile') } } }],
    [
      'buttons',
      {
        buttons: { add: { hidden: true }, go: { script: 'detail', label: words('Go') } },
        buttonOrder: ['go', 'modify'],
      },
    ],
    ['an index', { indexes: [['phone']] }],
    ['lines', { lines: [{ name: 'ubsStoreList', module: 'ubsStore', by: 'siteId' }] }],
  ])('is one change over what is shipped: %s', (_, change) => {
    const published = laid(change);
    expect(layOver(current, changeBetween(current, published) ?? {})).toEqual(published);
  });

  it('is no change where nothing differs, and a whole module where none is shipped', () => {
    expect(changeBetween(current, laid({}))).toBeUndefined();
    expect(changeBetween(undefined, current)).toEqual({ definition: current });
  });
});

describe('the menu', () => {
  const menu = [
    {
      menuNo: 'base',
      label: words('Base'),
      children: [{ menuNo: 'items', label: words('Items'), children: [{ menuNo: 'ubsItemList' }] }],
    },
  ];

  it('offers its groups with the way to them, and takes an entry at the end of one', () => {
    expect(groupsOf(menu, 'en')).toEqual([
      { value: 'base', label: 'Base' },
      { value: 'items', label: 'Base / Items' },
    ]);
    expect(withEntry(menu, 'items', 'plantList')[0]?.children?.[0]?.children).toEqual([
      { menuNo: 'ubsItemList' },
      { menuNo: 'plantList' },
    ]);
  });
});
