import { describe, expect, it, vi } from 'vitest';
import en from '#i18n/en/studio.json' with { type: 'json' };
import zh from '#i18n/zh/studio.json' with { type: 'json' };
import type { DefinitionChange } from '#domain/definition/change.ts';
import { typeLimits } from '#domain/definition/fieldBounds.ts';
import type { Definition, Field, MenuNode, Model, Option, OptionLists } from '#domain/definition/grammar.ts';
import { readLists, readValues } from '#domain/definition/options.ts';
import { layMenuOver, layOptionsOver, layOver, MENU } from '#domain/definition/overlay.ts';
import { moduleOf, problemsInSteps } from '#domain/definition/problems.ts';
import { MOST_OPTIONS, slipsInSteps, validateSlips } from '#domain/definition/slips.ts';

const label = { zh: '名', en: 'Name' };
const text = (more: Partial<Field> = {}): Field => ({ type: 'String', label, ...more });
const number = (more: Partial<Field> = {}): Field => ({ type: 'Integer', label, ...more });
const choice = (options: string, more: Partial<Field> = {}): Field => ({ type: 'select', label, options, ...more });
const money: Field = { type: 'BigDecimal', label };
const button = (btnNo: string) => ({ btnNo, script: btnNo, label });
const base: Definition = {
  module: 'loan',
  label,
  table: 'loan',
  site: 'all',
  fields: { name: text({ required: true }), kind: choice('kinds'), qty: number({ min: 0, max: 10 }), price: money },
  list: { columns: ['name', 'price'] },
  form: [['name', 'kind', 'qty', 'price']],
  buttons: [button('create')],
};
const option = (value: string, words = `Kind ${value}`, more: object = {}) => ({
  ...{ value, label: { zh: words, en: words } },
  ...more,
});
const options: OptionLists = {
  kinds: [option('a'), option('b')],
  coins: [option('CNY'), option('USD')],
};
const menu: MenuNode[] = [
  { menuNo: 'base', label, children: [{ menuNo: 'loanList' }] },
  {
    menuNo: 'system',
    label,
    children: [{ menuNo: 'sysModuleList' }, { menuNo: 'sysDraftList' }, { menuNo: 'sysPublishList' }],
  },
];
const studio = (module: string, ...buttons: string[]): Definition => ({
  ...{ module, label, table: module.toLowerCase(), site: 'all', fields: {}, buttons: buttons.map(button) },
});
const all = [
  base,
  studio('sysModule', 'newModule', 'configureMenu', 'configure'),
  studio('sysDraft', 'configure', 'publish', 'delete'),
  studio('sysPublish', 'takeBack', 'exportPublished'),
];
const modelOf = (definitions: readonly Definition[]): Model => ({
  ...{ definitions: new Map(definitions.map((it) => [it.module, it])), options, menu, roles: [] },
});

function found(change: DefinitionChange, module = 'loan', definitions = all) {
  const before = modelOf(definitions);
  const current = before.definitions.get(module);
  const after: Model = {
    ...before,
    definitions:
      module === MENU ? before.definitions : new Map([...before.definitions, [module, layOver(current, change)]]),
    options: layOptionsOver(options, change),
    menu: change.menu ? layMenuOver(menu, change.menu, (it) => before.definitions.has(moduleOf(it))) : menu,
  };
  const slips = validateSlips(before, after, [{ module, change }]);
  for (const { rule = '' } of [...slips.errors, ...slips.warnings])
    expect([rule, rule in en.problems, rule in zh.problems]).toEqual([rule, true, true]);
  return slips;
}
const told = (change: DefinitionChange, module?: string, definitions?: Definition[]) =>
  found(change, module, definitions).errors.map((it) => `${it.path}: ${it.rule} ${it.name}`);
const field = (it: Field, form = true): DefinitionChange => ({
  ...{ fields: { made: it }, ...(form && { form: [...(base.form ?? []), ['made']] }) },
});
const computed = (expression: string): DefinitionChange =>
  field({ type: 'BigDecimal', label, readOnly: true, computed: expression });

describe('a new module', () => {
  it('is not called as the page of a list, whose calls would be those of another module', () => {
    const made = { ...base, module: 'loanList', table: 'loan_list' };
    const before = modelOf(all);
    const after = { ...before, definitions: new Map([...before.definitions, ['loanList', made]]) };
    const { errors } = validateSlips(before, after, [{ module: 'loanList', change: { definition: made } }]);
    expect(errors.map((it) => [it.rule, it.where, it.path])).toEqual([['reservedName', 'loanList', 'module']]);
  });
});

describe('a slip is told, once, where it is', () => {
  it.each<[string, DefinitionChange, string[]]>([
    ['required, in no form', field(text({ required: true }), false), ['fields.made.required: requiredNowhere made']],
    [
      'sometimes required, in no form',
      field(text({ requiredWhen: { kind: 'a' } }), false),
      ['fields.made.requiredWhen: requiredNowhere made'],
    ],
    ['out of the form', { form: [['kind', 'qty', 'price']] }, ['fields.name.required: requiredNowhere name']],
    ['in no form, with a start', field(text({ required: true, default: 'x' }), false), []],
    [
      'one of its kind, with a start that each form has',
      field(text({ unique: true, default: 'x' })),
      ['fields.made.default: uniqueStart made'],
    ],
    ['one of its kind, with a start that nobody enters', field(text({ unique: true, default: 'x' }), false), []],
    [
      'a password that no two rows share',
      field({ type: 'password', label, unique: true }),
      ['fields.made.unique: secretField made'],
    ],
    [
      'required and read-only',
      field(text({ required: true, readOnly: true })),
      ['fields.made.required: requiredReadOnly made'],
    ],
    [
      'required and read-only whatever another holds',
      field(text({ required: true, readOnlyWhen: { kind: ['', 'a', 'b'] } })),
      ['fields.made.required: requiredReadOnly made'],
    ],
    [
      'required just while it is read-only',
      field(text({ requiredWhen: { kind: 'a' }, readOnlyWhen: { kind: ['a', 'b'] } })),
      ['fields.made.requiredWhen: requiredReadOnly made'],
    ],
    ['read-only in one case', field(text({ required: true, readOnlyWhen: { kind: 'a' } })), []],
    ...(['visibleWhen', 'requiredWhen', 'readOnlyWhen'] as const).flatMap(
      (rule): [string, DefinitionChange, string[]][] => [
        [`${rule} of no value`, field(text({ [rule]: { kind: [] } })), [`fields.made.${rule}: conditionEmpty kind`]],
        [
          `${rule} of what is no option`,
          field(text({ [rule]: { kind: ['a', 'z'] } })),
          [`fields.made.${rule}: conditionValue z`],
        ],
        [
          `${rule} of what is out of bounds`,
          field(text({ [rule]: { qty: '11' } })),
          [`fields.made.${rule}: conditionValue 11`],
        ],
        [`${rule} of what may be`, field(text({ [rule]: { kind: ['', 'a'], qty: '10' } })), []],
      ],
    ),
    [
      'a button for no rows',
      { buttons: { create: { when: { kind: 'z' } } } },
      ['buttons.create.when: conditionValue z'],
    ],
    [
      'required where it is not shown',
      field(text({ visibleWhen: { kind: 'a' }, requiredWhen: { kind: 'b' } })),
      ['fields.made.requiredWhen: conditionHidden kind'],
    ],
    [
      'shown once it holds something',
      field(text({ visibleWhen: { made: 'x' } })),
      ['fields.made.visibleWhen: visibleCircle made'],
    ],
    [
      'shown in a circle',
      {
        ...field(text({ visibleWhen: { other: 'x' } })),
        fields: { made: text({ visibleWhen: { other: 'x' } }), other: text({ visibleWhen: { made: 'x' } }) },
      },
      ['fields.made.visibleWhen: visibleCircle made', 'fields.other.visibleWhen: visibleCircle other'],
    ],
    ['bounds against those of its type', field(number({ max: -1 })), ['fields.made: BadBounds made']],
    ['no whole number between', field(number({ min: 1.2, max: 1.8 })), ['fields.made: BadBounds made']],
    ['a start that is no whole number', field(number({ default: 1.5 })), ['fields.made.default: defaultUnfit 1.5']],
    [
      'a start that does not look so',
      field(text({ default: 'x', pattern: { mask: '99', example: '12' } })),
      ['fields.made.default: defaultUnfit x'],
    ],
    [
      'an example that is too long',
      field(text({ maxLength: 1, pattern: { mask: '99', example: '12' } })),
      ['fields.made.pattern: exampleUnfit 12'],
    ],
    ['not below what is always greater', field(number({ max: 5, minField: 'many' })), []],
    [
      'not below one that begins above it',
      {
        ...field(number({ max: 5, minField: 'many' })),
        fields: { made: number({ max: 5, minField: 'many' }), many: number({ min: 6 }) },
      },
      ['fields.made.minField: boundsApart many'],
    ],
    ['not above a text', field(number({ maxField: 'name' })), ['fields.made.maxField: boundKind name']],
    ...(['user', 'roles', 'issueCodes', 'images', 'files', 'percent', 'age'] as const).map(
      (format): [string, DefinitionChange, string[]] => [
        `a number in the format ${format}`,
        field(number({ format })),
        [`fields.made.format: formatUnfit ${format}`],
      ],
    ),
    ['a moment by its login', field({ type: 'date', label, format: 'user' }), ['fields.made.format: formatUnfit user']],
    ['a number that is an SN', field(number({ sn: true })), ['fields.made.sn: formatUnfit sn']],
    ['a text by its login', field(text({ format: 'user' })), []],
    ['a division by zero', computed('price / 0'), ['fields.made.computed: expressionZero made']],
    ['a division by what is zero', computed('price / (1 - 1)'), ['fields.made.computed: expressionZero made']],
    ['a division by a field', computed('price / qty'), []],
    [
      'a text with a sign that turns it',
      field(text({ readOnly: true, computed: 'name + "\u202eb"' })),
      ['fields.made.computed: expressionSigns U+202E'],
    ],
    ['a text of several scripts', field(text({ readOnly: true, computed: 'name + "é 中"' })), []],
    ['a constant condition', computed('1 == 2 ? price : 0'), ['fields.made.computed: expressionConstant made']],
    ['a comparison with itself', computed('qty != qty ? price : 0'), ['fields.made.computed: expressionConstant made']],
    ['a comparison with no option', computed('kind == "z" ? price : 0'), ['fields.made.computed: expressionValue z']],
    ['a comparison out of bounds', computed('qty > 10 ? price : 0'), ['fields.made.computed: expressionNever made']],
    [
      'two values at once',
      computed('kind == "a" && kind == "b" ? price : 0'),
      ['fields.made.computed: expressionNever made'],
    ],
    [
      'a lower end above the upper one',
      computed('qty > 6 && 5 > qty ? price : 0'),
      ['fields.made.computed: expressionNever made'],
    ],
    ['two that it is not', computed('kind != "a" && kind != "b" && qty >= 10 ? price : 0'), []],
    [
      'a sum of several currencies',
      { ...field(choice('coins')), list: { columns: ['name', 'price'], totals: ['price'] } },
      ['list.totals: mixedTotal price'],
    ],
    [
      'a sum by its currency',
      { fields: { currency: choice('coins') }, list: { columns: ['name', 'price'], totals: ['price'] } },
      [],
    ],
    ['a search twice', { search: ['name', 'kind', 'name'] }, ['search: nameTwice name']],
    ['a column twice', { list: { columns: ['name', 'name', 'kind'] } }, ['list.columns: nameTwice name']],
    [
      'a column twice of those that are shown',
      { list: { columns: ['name', 'kind'], shown: ['kind', 'kind'] } },
      ['list.shown: nameTwice kind'],
    ],
    ['a sum twice', { list: { columns: ['name', 'qty'], totals: ['qty', 'qty'] } }, ['list.totals: nameTwice qty']],
    ['a fact twice', { detail: ['kind', 'name', 'kind'] }, ['detail: nameTwice kind']],
    ['an index that has a column twice', { indexes: [['name', 'name']] }, ['indexes: nameTwice name']],
    ['a field twice in a form, in whatever rows', { form: [...(base.form ?? []), ['kind']] }, ['form: nameTwice kind']],
    ...(
      [
        ['search', { search: ['made'] }],
        ['list.columns', { list: { columns: ['made'] } }],
        ['list.sort', { list: { columns: ['name'], sort: '-made' } }],
        ['detail', { detail: ['made'] }],
        ['indexes', { indexes: [['made']] }],
        ['buttons.create.when', { buttons: { create: { when: { made: 'x' } } } }],
      ] as const
    ).map(([path, change]): [string, DefinitionChange, string[]] => [
      `a password in ${path}`,
      { ...field({ type: 'password', label }), ...(change as DefinitionChange) },
      [`${path}: secretField made`],
    ]),
    [
      'a password by which another field is shown',
      { fields: { made: { type: 'password', label }, other: text({ visibleWhen: { made: 'x' } }) } },
      ['fields.other.visibleWhen: secretField made'],
    ],
    ['a password in a form', field({ type: 'password', label }), []],
    ['a blank value', { options: { kinds: [option(' ')] } }, ['options.kinds: optionBlank  ']],
    ['values that differ in case', { options: { kinds: [option('A', 'Another')] } }, ['options.kinds: optionCase a']],
    [
      'words that differ in case',
      { options: { kinds: [option('a', 'Waiting'), option('b', 'waiting ')] } },
      ['options.kinds: optionWords waiting '],
    ],
    [
      'the same words in one language',
      { options: { kinds: [option('a', 'One'), { value: 'b', label: { zh: '二', en: 'One' } }] } },
      ['options.kinds: optionWords 二 / One'],
    ],
  ])('%s', (_, change, expected) => {
    expect(told(change)).toEqual(expected);
  });

  it('of a hundred fields that show each other by more ways than anybody can walk, too', () => {
    const [layers, wide] = [10, 10];
    const at = (layer: number, i: number) => `at${layer}x${i}`;
    const all = Array.from({ length: layers * wide }, (_, i) => [Math.floor(i / wide), i % wide] as const);
    const below = (layer: number) =>
      Object.fromEntries(Array.from({ length: wide }, (_, i) => [at(layer, i), '1'] as const));
    const fields = (isClosed: boolean) =>
      Object.fromEntries(
        all.map(([layer, i]) => {
          const isLast = layer === layers - 1;
          const visibleWhen = isLast ? below(0) : below(layer + 1);
          return [at(layer, i), number(isLast && !isClosed ? {} : { visibleWhen })];
        }),
      );
    expect(told({ fields: fields(false) })).toEqual([]);
    expect(told({ fields: fields(true) })).toEqual(
      all.map(([layer, i]) => `fields.${at(layer, i)}.visibleWhen: visibleCircle ${at(layer, i)}`),
    );
  });

  it('and by what may be meant nothing is stopped', () => {
    const warned = (change: DefinitionChange) => {
      const { errors, warnings } = found(change);
      return [errors, warnings.map((it) => `${it.path}: ${it.rule} ${it.name}`)];
    };
    expect(warned({ options: { kinds: [option('a', 'Kind b'), option('b', 'Kind c')] } })).toEqual([
      [],
      ['options.kinds: optionSwapped Kind b'],
    ]);
    expect(warned({ options: { kinds: [option('a', 'Kind a', { retired: true }), option('c', 'Kind a')] } })).toEqual([
      [],
      ['options.kinds: optionRetiredWords Kind a'],
    ]);
  });

  it('of values that have taken each other’s words, at once or by several publishes', () => {
    const kinds = (...words: string[]): Option[] => words.map((it, i) => option(String(i), it));
    const rulesFrom = (was: Option[], is: Option[], shippedAs: Option[], list = 'kinds') => {
      const [before, after] = [was, is].map((it) => ({ ...modelOf(all), options: { [list]: it } })) as [Model, Model];
      const change = { options: { [list]: is } };
      const { errors, warnings } = validateSlips(before, after, [{ module: 'loan', change }], {
        ...before,
        options: { [list]: shippedAs },
      });
      return [...errors.map((it) => `${it.rule} ${it.name}`), ...warnings.map((it) => `(${it.rule} ${it.name})`)];
    };
    const abc = kinds('A', 'B', 'C');
    const cases: [was: Option[], is: Option[], found: string[]][] = [
      [abc, kinds('B', 'A', 'C'), ['optionStateWords B', 'optionStateWords A']],
      [abc, kinds('B', 'C', 'A'), ['optionStateWords B', 'optionStateWords C', 'optionStateWords A']],
      [kinds('X', 'A', 'C'), kinds('B', 'A', 'C'), ['optionStateWords B']],
      [kinds('X', 'B', 'C'), kinds('X', 'A', 'C'), ['(optionSwapped A)']],
      [abc, kinds('B.', ' a。', 'C'), ['optionStateWords B.', 'optionStateWords  a。']],
      [abc, kinds('Ｂ', 'A !', 'C'), ['optionStateWords Ｂ', 'optionStateWords A !']],
      [kinds('X', 'B', 'C'), kinds('X', '(A)', 'C'), ['(optionSwapped (A))']],
      [abc, kinds('A.', 'B', '…'), []],
      [kinds('B', 'A', 'C'), abc, []],
      [kinds('B', 'A', 'C'), kinds('B', 'A', 'D'), []],
      [abc, kinds('X', 'Y', 'Z'), []],
      // A new value is called as one was called, or as one is itself.
      [abc, kinds('X', 'B', 'C', 'A'), ['(optionSwapped A)']],
      [kinds('X', 'B', 'C'), kinds('X', 'B', 'C', '0'), ['(optionAsValue 0)']],
      [kinds('X', 'B', 'C'), kinds('X', '0', 'C'), ['(optionAsValue 0)']],
      [kinds('X', '0', 'C'), kinds('Y', '0', 'C'), []],
      [abc, kinds('A', 'B', 'C', 'D'), []],
    ];
    for (const [was, is, expected] of cases) expect(rulesFrom(was, is, abc)).toEqual(expected);
    const en = kinds('A', 'B').map((it, i) => ({ ...it, label: { zh: it.label.zh, en: 'BA'.charAt(i) } }));
    expect(rulesFrom(kinds('A', 'B'), en, abc)).toEqual(['optionStateWords A / B', 'optionStateWords B / A']);
    let walked = 0;
    for (const list of [...readLists, ...readValues.keys()]) {
      walked += 1;
      const [read = '0'] = readValues.get(list) ?? [];
      const state = (words: string) => [option(read, words), option('other', words === 'A' ? 'B' : 'C')];
      expect([list, rulesFrom(state('A'), state('B'), state('A'), list)]).toEqual([list, ['optionStateWords B']]);
    }
    expect(walked).toBeGreaterThan(50);
  });

  it('of a list that follows the modules, and of a value that the server would not know', () => {
    expect(told({ options: { ledgerModules: [option('a')] } })).toEqual([
      'options.ledgerModules: optionComputed ledgerModules',
    ]);
    expect(told({ options: { storageType: [option('9')] } })).toEqual(['options.storageType: optionRead 9']);
    const off = option('0', 'Off', { retired: true });
    expect(told({ options: { userStatus: [off, option('1', 'On')] } })).toContain('options.userStatus: optionKept 0');
  });

  it.each([
    ['chargeItems', []],
    ['feeTypes', ['2']],
    ['repairMethods', ['2', '3', '6']],
  ])('of %s only what is retired that the server reads: new values may come', (list, kept) => {
    expect(told({ options: { [list]: [option('x1')] } })).toEqual([]);
    const retired = ['1', '2', '3', '4', '5', '6'].map((it) => option(it, `Kind ${it}`, { retired: true }));
    expect(told({ options: { [list]: [...retired, option('x1')] } })).toEqual(
      kept.map((it) => `options.${list}: optionKept ${it}`),
    );
  });

  it('of option lists that hold too many values together, unless they do so already', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => option(`v${i}`, `Value ${i}`));
    const rest = MOST_OPTIONS - Object.values(options).flat().length;
    const lists = (last: number) => ({
      ...Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`list${i}`, many(400)])),
      last: many(last),
    });
    expect(told({ options: lists(rest - 2_000) })).toEqual([]);
    expect(told({ options: lists(rest - 1_999) })).toEqual([`options: tooManyOptions ${MOST_OPTIONS + 1}`]);
    const full = { ...modelOf(all), options: { ...options, ...lists(rest) } };
    const renamed = { options: { kinds: [option('a', 'Other kind'), option('b')] } };
    const after = { ...full, options: layOptionsOver(full.options, renamed) };
    expect(validateSlips(full, after, [{ module: 'loan', change: renamed }]).errors).toEqual([]);
  });

  it('is no part of what is in force already', () => {
    const wrong = { ...base, fields: { ...base.fields, made: text({ required: true, requiredWhen: { kind: 'z' } }) } };
    expect(told({ label: { zh: '新', en: 'New' } }, 'loan', [wrong])).toEqual([]);
  });
});

describe('the way into the studio and to the accounts', () => {
  const isHidden = { hidden: true };
  it('stays open: none of its buttons is hidden from everybody', () => {
    const waysIn = ['sysModule:newModule', 'sysModule:configure', 'sysModule:configureMenu'];
    waysIn.push('sysDraft:configure', 'sysDraft:publish', 'sysPublish:takeBack');
    for (const it of waysIn) {
      const [module = '', btnNo = ''] = it.split(':');
      expect(told({ buttons: { [btnNo]: isHidden } }, module)).toEqual([`buttons.${btnNo}.hidden: lockedOut ${btnNo}`]);
    }
    expect(told({ buttons: { delete: isHidden } }, 'sysDraft')).toEqual([]);
  });

  it('stands in the menu, by itself and with its group', () => {
    const [own, system] = menu as [MenuNode, MenuNode];
    const entries = (system.children ?? []).map((it) => it.menuNo);
    for (const menuNo of entries) {
      const children = (system.children ?? []).map((it) => (it.menuNo === menuNo ? { ...it, ...isHidden } : it));
      expect(told({ menu: [own, { ...system, children }] }, MENU)).toEqual([`${menuNo}: lockedOut ${menuNo}`]);
    }
    expect(told({ menu: [own, { ...system, ...isHidden }] }, MENU)).toEqual(
      entries.map((it) => `${it}: lockedOut ${it}`),
    );
    expect(told({ menu: [{ ...own, ...isHidden }, system] }, MENU)).toEqual([]);
  });

  it('stays in the menu where its group is named as if it were an entry', () => {
    const bare = { menuNo: 'system' };
    const { errors, warnings } = found({ menu: [...menu.slice(0, 1), bare] }, MENU);
    expect(errors).toEqual([]);
    expect(warnings.map((it) => `${it.path}: ${it.rule} ${it.name}`)).toEqual(['system: menuLoses 名 / Name']);
    expect(layMenuOver(menu, [{ menuNo: 'base' }, bare], (it) => it.endsWith('List')).map((it) => it.menuNo)).toEqual(
      menu.flatMap((it) => (it.children ?? []).map((child) => child.menuNo)),
    );
  });

  it('is missed where it is missing, as where it is hidden', () => {
    const [own, system] = menu as [MenuNode, MenuNode];
    const before = modelOf(all);
    const said = { menu: [own, { ...system, children: (system.children ?? []).slice(1) }] };
    const { errors, warnings } = validateSlips(before, { ...before, ...said }, [{ module: MENU, change: said }]);
    expect(errors.map((it) => `${it.path}: ${it.rule}`)).toEqual(['sysModuleList: lockedOut']);
    expect(warnings.map((it) => `${it.path}: ${it.rule}`)).toEqual(['sysModuleList: menuLoses']);
    const hidden = { menu: [own, { ...system, ...isHidden }] };
    const still = { ...before, ...hidden };
    const { errors: none } = validateSlips(still, still, [{ module: MENU, change: hidden }]);
    expect(none, 'what is hidden already is lost no more').toEqual([]);
  });

  it('is offered for no fewer rows', () => {
    const { fields } = base;
    const module = { ...studio('sysModule', 'newModule', 'configure'), fields };
    const narrowed = told({ buttons: { configure: { when: { kind: 'a' } } } }, 'sysModule', [module]);
    expect(narrowed).toEqual(['buttons.configure.when: lockedOut configure']);
  });
});

describe('an entry that the menu loses is told', () => {
  const [own, system] = menu as [MenuNode, MenuNode];
  const lost = (...menu: MenuNode[]) => {
    const { errors, warnings } = found({ menu }, MENU);
    return [...errors, ...warnings].flatMap((it) => (it.rule === 'menuLoses' ? it.path : []));
  };
  it.each<[string, MenuNode[], string[]]>([
    ['none that is left out: it stands at the end', [{ ...own, children: [] }, system], []],
    ['one that no list is called by', [own, system, { menuNo: 'loansList' }], ['loansList']],
    ['a group that held some', [system], ['base']],
    ['none that is hidden', [{ ...own, hidden: true }, system], []],
  ])('%s', (_, said, expected) => {
    expect(lost(...said)).toEqual(expected);
  });
});

it('a change that changes nothing is told', () => {
  const idle = (change: DefinitionChange, module?: string) => found(change, module).warnings.map((it) => it.rule);
  expect(idle({})).toEqual(['changesNothing']);
  const same = { list: base.list, options: { kinds: options['kinds'] ?? [] } } as DefinitionChange;
  expect(idle(same)).toEqual(['changesNothing']);
  expect(idle({ menu }, MENU)).toEqual(['changesNothing']);
  expect(idle({ rights: { office: ['list'] } }), 'who has it already is told of where the roles are known').toEqual([]);
  expect(idle({ ...same, search: ['name'] })).toEqual([]);
});

describe('labels', () => {
  const words = (zh: string, en = zh) => ({ zh, en });
  const called = (zh: string, en: string, more: Partial<Field> = {}): Field => text({ ...more, label: words(zh, en) });
  const form = ['code', 'remark', 'amount'];
  const bill: Definition = {
    ...base,
    ...{ module: 'bill', table: 'bill', list: { columns: ['code'] }, form: [form] },
    fields: { code: called('编号', 'Code'), remark: called('备注', 'Remark'), amount: called('金额', 'Sum') },
  };
  const warned = (change: DefinitionChange) => {
    const { errors, warnings } = found(change, 'bill', [bill]);
    return [...errors, ...warnings].map((it) => `${it.path}: ${it.rule} ${it.name}`);
  };
  const making = (made: Field) => warned({ fields: { made }, form: [[...form, 'made']] });

  it.each<[string, Field]>([
    ['as another in both languages', called('备注', 'Remark')],
    ['in one of them', called('说明', 'Remark')],
    ['but for a star, blanks, width and capitals', called('说明', ' ＲＥＭ ark* ')],
    ['in the other language', called('Remark', 'Note')],
    ['with its unit', { ...number(), label: words('说明', 'Re'), unit: words('mark', 'mark') }],
  ])('of two fields of a form do not read alike: %s', (what, made) => {
    const expected = what === 'with its unit' ? [] : ['fields.made.label: labelAlike Remark'];
    expect(making(made).map((it) => it.replace('备注 / ', ''))).toEqual(expected);
  });

  it('of two fields alike are told once, are nothing new when they were, and are no matter where no form has both', () => {
    expect(warned({ fields: { made: called('备注', 'Remark') } })).toEqual([]);
    const both = { ...bill, fields: { ...bill.fields, code: called('备注', 'Remark') } };
    expect(found({ search: ['code'] }, 'bill', [both])).toEqual({ errors: [], warnings: [] });
  });

  it('do not read as the name of another field', () => {
    expect(making(called('数量', 'Amount'))).toEqual(['fields.made.label: labelAsName amount']);
    expect(making(called('数量', 'Made'))).toEqual([]);
  });

  it('do not read as another field did that is still there', () => {
    const renamed = { remark: { label: words('说明', 'Note') } };
    expect(warned({ fields: { ...renamed, made: called('备注', 'Remark') }, form: [[...form, 'made']] })).toEqual([
      'fields.made.label: labelAsName remark',
      'fields.made.label: labelMoved 备注 / Remark',
    ]);
    const swapped = { code: { label: words('备注', 'Remark') }, remark: { label: words('编号', 'Code') } };
    expect(warned({ fields: swapped }).filter((it) => !it.includes('labelAsName'))).toEqual([
      'fields.code.label: labelMoved 备注 / Remark',
      'fields.remark.label: labelMoved 编号 / Code',
    ]);
    expect(warned({ fields: renamed })).toEqual([]);
  });

  it.each(['\u200b', 'a\nb', 'a\u202eb', '\u2066a', '\ufeffa', '\u3164', 'a\u2028b', 'a\tb', 'a\u{e0041}', '\ud800'])(
    'are read as they stand: %j is none, wherever it is said',
    (bad) => {
      const label = words('名', bad);
      const told = (change: DefinitionChange, module = 'bill') =>
        found(change, module, module === MENU ? all : [bill]).errors.map((it) => `${it.path}: ${it.rule}`);
      const of = (path: string) => [`${path}: labelSigns`];
      expect(told({ label })).toEqual(of('label'));
      expect(told({ one: label })).toEqual(of('one'));
      expect(told({ fields: { made: text({ label }) } })).toEqual(of('fields.made.label'));
      expect(told({ fields: { made: number({ unit: label }) } })).toEqual(of('fields.made.unit'));
      expect(told({ buttons: { create: { label } } })).toEqual(of('buttons.create.label'));
      expect(told({ list: { groups: [{ label, columns: ['code'] }] } })).toEqual(of('list.groups'));
      expect(told({ options: { made: [{ value: '1', label }] } })).toEqual(of('options.made'));
      const [own, system] = menu as [MenuNode, MenuNode];
      expect(told({ menu: [own, { ...system, label }] }, MENU)).toEqual(of('system'));
    },
  );

  it('may have what belongs to writing: joined signs, flags and other scripts', () => {
    for (const it of ['👩‍🔧 维修', '❤️', 'می‌خواهم', 'é', '🇨🇳', 'N°', '①'])
      expect(warned({ label: words(it) })).toEqual([]);
  });

  it('of what is in force are not judged again', () => {
    const wrong = { ...bill, label: words('a\u200bb') };
    expect(found({ search: ['code'] }, 'bill', [wrong])).toEqual({ errors: [], warnings: [] });
  });
});

it('beside a whole new module nothing is said that the publish would drop', () => {
  const made: Definition = { ...base, module: 'shed', table: 'shed' };
  const said = (more: DefinitionChange) => {
    const before = modelOf(all);
    const definitions = new Map([...before.definitions, ['shed', layOver(undefined, { definition: made })] as const]);
    const change = { definition: made, ...more };
    return validateSlips(before, { ...before, definitions }, [{ module: 'shed', change }]).errors.map(
      (it) => `${it.path}: ${it.rule} ${it.name}`,
    );
  };
  const dropped: DefinitionChange = {
    ...{ label, one: label, fields: { more: text() }, search: ['name'], list: { columns: ['name'] }, form: [['name']] },
    ...{ detail: ['name'], indexes: [['name']], lines: [], buttons: { create: { label } }, buttonOrder: ['create'] },
  };
  for (const [part, it] of Object.entries(dropped))
    expect(said({ [part]: it })).toEqual([`${part}: besideDefinition ${part}`]);
  expect(said({ options, rights: { office: ['list'] }, contents: { table: 'keep' } })).toEqual([]);
});

it.each<[Field, ('min' | 'max')[]]>([
  [{ type: 'Long', label, max: 9e18 }, ['max']],
  [{ type: 'Long', label, min: -9e18, max: 9_007_199_254_740_991 }, ['min']],
  [{ type: 'Number', label, max: 1e300 }, ['max']],
  [{ type: 'Integer', label, max: 9e15 }, ['max']],
  [{ type: 'Integer', label, min: -2_147_483_649, max: 2_147_483_648 }, ['min', 'max']],
  [{ type: 'BigDecimal', label, max: 1e30 }, ['max']],
  [{ type: 'BigDecimal', label, format: 'percent', min: -1e12 }, ['min']],
  [{ type: 'BigDecimal', label, min: -999_999_999_999, max: 999_999_999_999 }, []],
  [{ type: 'Integer', label, min: -2_147_483_648, max: 2_147_483_647 }, []],
])('bounds beyond what the type holds are told: %o', (of, parts) => {
  expect(told(field(of))).toEqual(parts.map((it) => `fields.made.${it}: boundBeyond ${typeLimits[of.type]?.[it]}`));
});

describe('what imitates something else', () => {
  const called = (words: { zh: string; en: string }): Definition => ({
    ...base,
    module: 'other',
    table: 'other',
    label: words,
  });
  const warned = (definition: Definition, others: Definition[]) => {
    const before = modelOf(others);
    const after = { ...before, definitions: new Map([...before.definitions, [definition.module, definition]]) };
    return validateSlips(before, after, [{ module: definition.module, change: { definition } }]).warnings.map(
      (it) => `${it.path}: ${it.rule} ${it.name}`,
    );
  };

  it.each([
    ['the same words', 'Price bills'],
    ['other case and width', 'ＰＲＩＣＥ bills'],
    ['Cyrillic letters', 'Рriсе bills'],
    ['Greek letters', 'Ρrice bills'],
    ['other blanks and signs', 'Price-bills.'],
    ['digits for letters', 'Pr1ce bi11s'],
    ['a capital that looks like a digit', 'PrIce biIls'],
  ])('is told of a list that is called with %s', (_, en) => {
    const prices = { ...base, module: 'prices', table: 'prices', label: { zh: '价格单', en: 'Price bills' } };
    expect(warned(called({ zh: '别的', en }), [prices])).toContain('label: moduleAlike 价格单 / Price bills');
    expect(warned(called({ zh: '别的', en: 'Prizes' }), [prices]).join()).not.toContain('moduleAlike');
  });

  it.each([
    ['0', 'O'],
    ['1', 'l'],
    ['1', 'I'],
    ['Bin 10', 'bin lo'],
    ['SN', 'ЅN'],
  ])('is told of %j and %j, either way, and not of what differs otherwise', (one, other) => {
    const named = (en: string) => ({ ...base, module: 'prices', table: 'prices', label: { zh: '价格单', en } });
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const) {
      expect(warned(called({ zh: '别的', en: a }), [named(b)]).join()).toContain('moduleAlike');
      expect(warned(called({ zh: '别的', en: `${a}2` }), [named(`${b}3`)]).join()).not.toContain('moduleAlike');
    }
  });

  it('is told of fields and buttons as well', () => {
    const fields = { a: text({ label: { zh: '甲', en: 'Price' } }), b: text({ label: { zh: '乙', en: 'Рriсе' } }) };
    const buttons = [
      { ...button('create'), label: { zh: '甲', en: 'Pay' } },
      { ...button('add'), label: { zh: '乙', en: 'Раy' } },
    ];
    const definition = {
      ...called({ zh: '别的', en: 'Other' }),
      fields,
      form: [['a', 'b']],
      list: { columns: ['a'] },
      buttons,
    };
    expect(warned(definition, []).sort()).toEqual([
      'buttons.add.label: buttonAlike 乙 / Раy',
      'fields.b.label: labelAlike 甲 / Price',
    ]);
  });
});

it('options that no field has are told, new ones alone', () => {
  const warned = (change: DefinitionChange) => found(change).warnings.map((it) => `${it.path}: ${it.rule} ${it.name}`);
  const made = { made: [option('1')] };
  expect(warned({ options: made })).toEqual(['options.made: optionsIdle made']);
  expect(warned({ ...field(choice('made')), options: made }).join()).not.toContain('optionsIdle');
});

describe('a large draft', () => {
  /** How often words are made comparable for so many fields, buttons, options and modules that are called anew. */
  const countReadings = (many: number): number => {
    const called = (words: string) => ({ label: { zh: words, en: words } });
    const numbers = Array.from({ length: many }, (_, i) => String(i));
    const made = (module: string, as: string): Definition => ({
      ...{ module, ...called(`${module} ${as}`), table: module, site: 'all' },
      fields: Object.fromEntries(numbers.map((it) => [`f${it}`, text(called(`${as} ${it}`))])),
      form: [numbers.map((it) => `f${it}`)],
      buttons: numbers.map((it) => ({ ...button(`b${it}`), script: 'modify', ...called(`${as} ${it}`) })),
    });
    const model = (as: string): Model => ({
      ...modelOf([...all, made('loans', as), ...numbers.map((it) => studio(`m${it}`))]),
      options: { ...options, kinds: numbers.map((it) => option(it, `${as} ${it}`)) },
    });
    const [before, after] = [model('Kind'), model('Sort')];
    const changes = ['loans', ...numbers.map((it) => `m${it}`)].map((module) => ({
      ...{ module, change: module === 'loans' ? { options: { kinds: after.options['kinds'] ?? [] } } : {} },
    }));
    const normalise = vi.spyOn(String.prototype, 'normalize');
    try {
      validateSlips(before, after, changes);
      return normalise.mock.calls.length;
    } finally {
      normalise.mockRestore();
    }
  };

  it('is looked through module by module, so that others are answered between two of them', () => {
    const many = Array.from({ length: 30 }, (_, i) => studio(`m${i}`));
    const model = modelOf([...all, ...many]);
    const changes = many.map(({ module }) => ({ module, change: {} }));
    expect([...slipsInSteps(model, model, changes)].length).toBeGreaterThanOrEqual(many.length);
    const registers = { hooks: new Set<string>(), scripts: new Set<string>() };
    expect([...problemsInSteps(model, registers)].length).toBeGreaterThanOrEqual(many.length);
  });

  it('has the words of a long list of options compared as often as there are of them, list by list', () => {
    const countCompared = (many: number): number => {
      const kinds = (words: string) => Array.from({ length: many }, (_, i) => option(String(i), `${words} ${i}`));
      const model = (words: string): Model => ({ ...modelOf(all), options: { kinds: kinds(words) } });
      const trim = vi.spyOn(String.prototype, 'trim');
      try {
        const [before, after] = [model('Kind'), model('Sort')];
        validateSlips(before, after, [{ module: 'loan', change: { options: after.options } }]);
        return trim.mock.calls.length;
      } finally {
        trim.mockRestore();
      }
    };
    const [few, many] = [countCompared(20), countCompared(100)];
    expect(few).toBeGreaterThan(100);
    expect(many / few).toBeLessThan(6);
    const lists = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`kinds${i}`, [option('a')]]));
    const after: Model = { ...modelOf(all), options: lists };
    const steps = [...slipsInSteps(modelOf(all), after, [{ module: 'loan', change: { options: lists } }])];
    expect(steps.length).toBeGreaterThanOrEqual(30);
  });

  it('has each of its words read as often as there are of them, not as there are pairs', () => {
    const [few, many] = [countReadings(20), countReadings(100)];
    expect(few).toBeGreaterThan(100);
    expect(many / few).toBeLessThan(6);
  });
});
