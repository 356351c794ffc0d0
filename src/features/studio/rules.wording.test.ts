import { describe, expect, it } from 'vitest';
import en from '#i18n/en/studio.json' with { type: 'json' };
import zh from '#i18n/zh/studio.json' with { type: 'json' };
import type { DefinitionChange } from '#domain/definition/change.ts';
import { ButtonSchema, DefinitionSchema, FieldSchema, type Definition } from '#domain/definition/grammar.ts';
import type { Language } from '#domain/words.ts';
import { differencesOf, type Before } from './rules.differences.ts';
import type { Names } from './rules.naming.ts';
import { createWording } from './rules.wording.ts';

const words = (text: string) => ({ zh: `${text}（中）`, en: text });
const definition: Definition = {
  module: 'toolLoan',
  label: words('Loans'),
  table: 'tool_loan',
  site: 'all',
  fields: {
    loanNo: { type: 'String', label: words('Loan'), maxLength: 20 },
    kind: { type: 'select', label: words('Kind'), options: 'toolKind' },
  },
  list: { columns: ['loanNo', 'kind'] },
  buttons: [
    { btnNo: 'create', script: 'create', label: words('New') },
    { btnNo: 'modify', script: 'modify', label: words('Modify'), rows: 1 },
  ],
};
const options = {
  toolKind: [
    { value: '1', label: words('Spanner') },
    { value: '2', label: words('Meter'), tone: 'work' as const },
  ],
};
const menu = [
  { menuNo: 'base', label: words('Base data'), children: [{ menuNo: 'toolLoanList' }, { menuNo: 'ubsSiteList' }] },
  { menuNo: 'system', label: words('System'), icon: 'system', children: [] },
];
const before: Before = { definition, options, menu, rights: { tech: ['list'] } };
const names: Names = {
  modules: { toolLoan: words('Loans'), ubsSite: words('Sites'), loanLine: words('Loan lines') },
  fields: { ubsSite: { siteName: words('Site name') } },
  roles: { tech: words('Technician') },
  standard: { createTime: words('Created at'), updateTime: words('Updated at'), createBy: words('Created by') },
};

/** The texts as they are, and no other: what is not there is a mistake of the code. */
const sayIn = (lang: Language) => (key: string, otherwise: string) => {
  const found = key.split('.').reduce<unknown>((it, name) => (it as Record<string, unknown>)?.[name], { zh, en }[lang]);
  return typeof found === 'string' ? found : otherwise;
};

function told(change: DefinitionChange, lang: Language = 'en'): string[] {
  const { sayPlace, sayValue } = createWording({ names, before, change, lang, say: sayIn(lang) });
  return differencesOf(before, change).map(
    ({ path, from, to }) => `${sayPlace(path)}: ${sayValue(path, from, lang)} > ${sayValue(path, to, lang)}`,
  );
}

describe('what a change does', () => {
  it.each<[string, DefinitionChange, string[]]>([
    [
      'names',
      { label: words('Lent tools'), one: words('Lent tool') },
      ['Name of the list: Loans > Lent tools', 'Name of one row: – > Lent tool'],
    ],
    [
      'columns, among them those that every list has',
      { list: { columns: ['kind', 'createTime', 'createBy'], sort: '-updateTime' } },
      ['List · Columns: Loan, Kind > Kind, Created at, Created by', 'List · Sorted by: – > Updated at (Descending)'],
    ],
    [
      'the rules of a field',
      {
        fields: {
          loanNo: { maxLength: 12, required: true, pattern: { mask: 'AA-99', example: 'TL-01' } },
          kind: { default: '2', requiredWhen: { kind: ['1', '2'] } },
        },
      },
      [
        'Fields · Loan · Most characters: 20 > 12',
        'Fields · Loan · Required: – > Yes',
        'Fields · Loan · Looks like: – > AA-99 (TL-01)',
        'Fields · Kind · A new form starts with: – > Meter',
        'Fields · Kind · Required only while: – > Kind: Spanner, Meter',
      ],
    ],
    [
      'a rule that is taken out',
      { fields: { loanNo: { maxLength: null } } },
      ['Fields · Loan · Most characters: 20 > –'],
    ],
    [
      'new fields',
      {
        fields: {
          qty: { type: 'Integer', label: words('Count'), required: true, min: 1, unit: words('pcs') },
          worth: { type: 'BigDecimal', label: words('Worth'), computed: 'qty * 2' },
          site: {
            type: 'select',
            label: words('Site'),
            ref: { module: 'ubsSite', value: 'siteId', label: 'siteName' },
          },
          mark: { type: 'String', label: words('Mark'), maxLength: null },
        },
      },
      [
        'Fields · Count: – > Count (Whole number, Required, Smallest: 1, Unit: pcs)',
        'Fields · Worth: – > Worth (Amount of money) = qty * 2',
        'Fields · Site: – > Site (Choice, Refers to, shown as: Sites: Site name)',
        'Fields · Mark: – > Mark (Text)',
      ],
    ],
    [
      'the form, the search, the detail and indexes',
      {
        form: [['loanNo', 'kind'], ['createBy']],
        search: ['kind'],
        detail: ['loanNo'],
        indexes: [['kind', 'createTime']],
      },
      ['Search: – > Kind', 'Form: – > Loan, Kind | Created by', 'Detail: – > Loan', 'Indexes: – > Kind + Created at'],
    ],
    [
      'lines of a detail',
      { lines: [{ name: 'loanLineList', module: 'loanLine', by: 'loanNo' }] },
      ['Lines of the detail: – > Loan lines (Loan)'],
    ],
    [
      'buttons and their order',
      {
        buttons: {
          create: { hidden: true, tone: 'danger' },
          modify: { when: { kind: '1' } },
          detail: { script: 'detail', label: words('Look'), rows: 1 },
        },
        buttonOrder: ['detail', 'modify'],
      },
      [
        'Buttons · New · Hide for everybody: – > Yes',
        'Buttons · New · How much it stands out: – > Can’t be undone',
        'Buttons · Modify · Only for rows with: – > Kind: Spanner',
        'Buttons · Look: – > Look (For: One row)',
        'Buttons · Order: New, Modify > Look, Modify, New',
      ],
    ],
    [
      'options',
      {
        options: {
          toolKind: [
            { value: '2', label: words('Meter'), tone: 'work', retired: true },
            { value: '1', label: words('Wrench') },
            { value: 'A.3', label: words('Lamp'), tone: 'done' },
          ],
        },
      },
      [
        'Options · Kind · Meter: Meter, Blue: in work > Meter, Blue: in work, No longer offered (rows keep it)',
        'Options · Kind · Wrench: Spanner > Wrench',
        'Options · Kind · Lamp: – > Lamp, Green: done',
        'Options · Kind · Order: Wrench, Meter > Meter, Wrench',
      ],
    ],
    [
      'rights',
      { rights: { tech: ['create', 'list', 'modify'] } },
      ['Rights · Technician: See the list > See the list, New, Modify'],
    ],
    [
      'what becomes of what is still there',
      { contents: { table: 'empty', fields: { kind: 'keep' } } },
      ['Existing data: – > Emptied for good', 'Existing data · Kind: – > Kept'],
    ],
    [
      'the menu',
      {
        menu: [
          {
            menuNo: 'base',
            label: words('Master data'),
            icon: 'place',
            children: [{ menuNo: 'ubsSiteList', hidden: true }],
          },
          { menuNo: 'system', label: words('System'), icon: 'system', children: [{ menuNo: 'toolLoanList' }] },
        ],
      },
      [
        'Menu · Master data · Contents: Loans, Sites > Sites',
        'Menu · System · Contents: – > Loans',
        'Menu · Master data · Name: Base data > Master data',
        'Menu · Master data · Picture: – > Place',
        'Menu · Sites · Hidden: – > Yes',
      ],
    ],
  ])('is said in the words of the editor: %s', (_, change, expected) => {
    expect(told(change)).toEqual(expected);
  });

  it('is said of a new module part by part, and in Chinese', () => {
    const made: DefinitionChange = { definition: { ...definition, module: 'crateLoan' }, rights: { tech: ['*'] } };
    const none = { ...before, definition: null, rights: {} };
    const { sayPlace, sayValue } = createWording({ names, before: none, change: made, lang: 'zh', say: sayIn('zh') });
    const said = differencesOf(none, made).map(({ path, to }) => `${sayPlace(path)}: ${sayValue(path, to, 'zh')}`);
    expect(said).toEqual([
      '列表名称: Loans（中）',
      '数据归属: 所有站点可见全部数据',
      '字段 · Loan（中）: Loan（中）（文本、最多字符：20）',
      '字段 · Kind（中）: Kind（中）（选项、选项表：toolKind: Spanner（中）, Meter（中））',
      '列表 · 列: Loan（中）、Kind（中）',
      '按钮 · New（中）: New（中）',
      '按钮 · Modify（中）: Modify（中）（适用于：一行）',
      '权限 · Technician（中）: 全部权限',
    ]);
  });

  it('is told one by one where several things stand at a place', () => {
    const { sayItems } = createWording({ names, before, change: {}, lang: 'en', say: sayIn('en') });
    expect(sayItems('list.columns', ['kind', 'createTime'])).toEqual(['Kind', 'Created at']);
    expect(sayItems('form', [['loanNo', 'kind'], ['createBy']])).toEqual(['Loan, Kind', 'Created by']);
    expect(sayItems('menu.base', ['ubsSiteList'])).toEqual(['Sites']);
    expect(sayItems('rights.tech', ['modify', 'list'])).toEqual(['See the list', 'Modify']);
    for (const [path, it] of [
      ['label', words('Loans')],
      ['menu.base.icon', 'place'],
      ['list.columns', undefined],
    ] as const)
      expect(sayItems(path, it)).toBeUndefined();
  });

  it('is told in the order in which one reads it, fields as the form has them', () => {
    const { kind: note, loanNo: qty } = definition.fields;
    const change = { form: [['qty', 'note']], label: words('Lent'), fields: { note, qty } } as DefinitionChange;
    expect(differencesOf(before, change).map((it) => it.path)).toEqual(['label', 'fields.qty', 'fields.note', 'form']);
  });

  it('says nothing of what is again as it was', () => {
    expect(
      told({
        label: words('Loans'),
        fields: { loanNo: { maxLength: 20, min: null } },
        options,
      }),
    ).toEqual([]);
  });

  it('calls options by their order, and a group by what it holds, only where that differs', () => {
    const { sayPlace } = createWording({ names, before, change: {}, lang: 'en', say: sayIn('en') });
    const [list = ''] = Object.keys(options);
    const inFull = sayPlace(`options.${list}`);
    expect(inFull).toMatch(/ · Order$/);
    expect(sayPlace(`options.${list}`, false)).toBe(inFull.replace(/ · Order$/, ''));
    expect(sayPlace('menu.base', false).split(' · ')).toEqual(sayPlace('menu.base').split(' · ').slice(0, -1));
  });

  it('has words for each part that the grammar has', () => {
    const { list } = DefinitionSchema.properties;
    const { type: _, label: _label, ...field } = FieldSchema.properties;
    const { btnNo: _no, ...button } = ButtonSchema.properties;
    const { $schema: _schema, module: _module, table: _table, ...whole } = DefinitionSchema.properties;
    const places = [
      ...Object.keys(whole).filter((it) => !['fields', 'list', 'buttons'].includes(it)),
      ...Object.keys(field).map((it) => `fields.kind.${it}`),
      ...Object.keys(button).map((it) => `buttons.create.${it}`),
      ...Object.keys((list as unknown as { properties: object }).properties).map((it) => `list.${it}`),
    ];
    for (const lang of ['zh', 'en'] as const) {
      const { sayPlace } = createWording({ names, before, change: {}, lang, say: sayIn(lang) });
      const unsaid = places.filter((it) =>
        sayPlace(it)
          .split(' · ')
          .includes(it.split('.').at(-1) ?? ''),
      );
      expect(unsaid).toEqual([]);
    }
  });
});
