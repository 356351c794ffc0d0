import { describe, expect, it } from 'vitest';
import type { Definition, MenuNode, Model } from '#domain/definition/grammar.ts';
import { moduleOf, validateModel, validateShape, sayProblem } from '#domain/definition/problems.ts';
import { nearest } from '#domain/nearest.ts';

const words = { zh: '名', en: 'Name' };
const text = { type: 'String' as const, label: words };
const ship: Definition = {
  module: 'ubsShipment',
  label: words,
  table: 'ubs_shipment',
  site: 'all',
  fields: { shipId: text, name: text, siteId: text },
  number: { field: 'shipId', prefix: 'SHP' },
};
const bill: Definition = {
  module: 'rmaPriceBill',
  label: words,
  table: 'rma_price_bill',
  site: ['siteId'],
  fields: { siteId: text, priceId: text, amount: { type: 'BigDecimal', label: words } },
  buttons: [{ btnNo: 'add', script: 'create', label: words }],
};
const modelOf = (definitions: Definition[], menu: MenuNode[] = []): Model => ({
  definitions: new Map(definitions.map((it) => [it.module, it])),
  options: { yesNo: [], billStatus: [] },
  menu,
  roles: [],
});
const registers = { hooks: new Set(['rmaPriceBill']), scripts: new Set(['create', 'rmaPriceBill:review']) };
const validateChanged = (change: Partial<Definition>, menu?: MenuNode[]) =>
  validateModel(modelOf([ship, { ...bill, ...change }], menu), registers).map(sayProblem);
const select = (it: object) => ({ fields: { ...bill.fields, kind: { type: 'select' as const, label: words, ...it } } });

describe('a definition whose names are all known', () => {
  it('has no problem', () => {
    expect(
      validateChanged(
        {
          ...select({ ref: { module: 'ubsShipment', value: 'shipId', label: 'name' }, requiredWhen: { amount: '1' } }),
          number: { field: 'priceId', prefix: 'PRB' },
          list: { columns: ['priceId', 'kind', 'createTime'], sort: '-createTime' },
          search: ['createTime'],
          form: [['amount', 'kind']],
          detail: ['updateBy'],
          lines: [{ name: 'shipmentList', module: 'ubsShipment', by: 'siteId' }],
          indexes: [['siteId', 'createTime']],
          unique: [['priceId', 'kind']],
          buttons: [{ btnNo: 'review', script: 'review', label: words, when: { amount: '1' } }],
        },
        [{ menuNo: 'finance', label: words, children: [{ menuNo: 'rmaPriceBillList' }] }],
      ),
    ).toEqual([]);
  });
});

it.each<[string, Partial<Definition>]>([
  ['search', { search: ['made'] }],
  ['indexes', { unique: [['made', 'siteId']] }],
  ['list.sort', { list: { columns: ['made'], sort: '-made' } }],
  ['number', { number: { field: 'made', prefix: 'PRB' } }],
  ['site', { site: ['made'] }],
  ['site', { site: { through: 'ubsShipment', by: 'made', as: 'shipId' } }],
  ['owner', { owner: { field: 'made', unless: 'add' } }],
  ['rules', select({ ref: { module: 'ubsShipment', value: 'shipId', label: 'name' }, visibleWhen: { made: '1' } })],
])('what is computed is refused in %s, where no index and no form has it', (part, change) => {
  const made = { ...text, readOnly: true, computed: 'priceId + siteId' };
  const said = validateChanged({ ...change, fields: { ...(change.fields ?? bill.fields), made } });
  expect(said).toEqual([`BadExpression: rmaPriceBill → "made" is computed and stands in ${part}`]);
});

it('a group of the menu is not called as an entry, which would be taken for it and stand nowhere', () => {
  const group = (menuNo: string) => validateChanged({}, [{ menuNo, label: words, children: [] }]);
  expect(group('finance')).toEqual([]);
  for (const menuNo of ['rmaPriceBillList', 'RmaPriceBill'])
    expect(group(menuNo)).toEqual([`UnknownMenuEntry: menu → "${menuNo}" is a group`]);
});

it('rows are seen through those of eight modules at most, one behind the other', () => {
  const chain = (length: number): Definition[] =>
    Array.from({ length }, (_, i): Definition => ({
      ...{ module: `m${i}`, label: words, table: `m${i}`, fields: { k: text } },
      site: i === 0 ? 'all' : { through: `m${i - 1}`, by: 'k' },
    }));
  const said = (length: number) =>
    validateModel(modelOf(chain(length)), { ...registers, hooks: new Set() }).map(sayProblem);
  expect(said(9)).toEqual([]);
  expect(said(12)).toEqual(['ForbiddenChange: m9 → rows are seen through 9 modules']);
});

it('the values of a field belong to rows by a field of the same type', () => {
  const indexed = { ...ship, fields: { ...ship.fields, no: { type: 'Integer' as const, label: words, unique: true } } };
  const byNo = (no: 'String' | 'Integer') => {
    const fields = { no: { ...text, type: no }, v: { ...text, site: { through: 'ubsShipment', by: 'no' } } };
    return validateModel(
      modelOf([indexed, { ...bill, site: 'all' as const, fields }].map((it) => ({ ...it, buttons: [] }))),
      {
        ...registers,
        hooks: new Set(),
      },
    ).map(sayProblem);
  };
  expect(byNo('Integer')).toEqual([]);
  expect(byNo('String')).toEqual(['LooseReference: rmaPriceBill → "no" of ubsShipment is of another type']);
});

describe('a definition is refused by the name of what is wrong, and by what may have been meant', () => {
  it.each<[string, Partial<Definition>, string]>([
    [
      'a list of which nobody knows how it reads',
      { fields: { ...bill.fields, split: { type: 'List', label: words, items: { waferId: 'String' } } } },
      'BadList: rmaPriceBill → "split" is a List without items or each',
    ],
    [
      'a value of a list',
      {
        fields: {
          ...bill.fields,
          split: { type: 'List', label: words, items: { waferId: 'String' }, each: '{waferID}' },
        },
      },
      'BadList: rmaPriceBill → "split" has no "waferID" among its items',
    ],
    [
      'a name of nothing that refers',
      { names: { siteName: 'siteId' } },
      'UnknownField: rmaPriceBill → "siteId" in names, which refers to rows,',
    ],
    [
      'a list in a form',
      {
        fields: {
          ...bill.fields,
          split: { type: 'List', label: words, items: { waferId: 'String' }, each: '{waferId}' },
        },
        form: [['split']],
      },
      'BadList: rmaPriceBill → "split" is a List, which form and search can’t send',
    ],
    [
      'a reference of another type, also where it may dangle',
      {
        fields: {
          ...bill.fields,
          ship: {
            type: 'Integer',
            label: words,
            ref: { module: 'ubsShipment', value: 'shipId', label: 'name', mayDangle: 'test' },
          },
        },
      },
      'LooseReference: rmaPriceBill → "shipId" of ship\'s ref is of another type',
    ],
    [
      'tabs of a password',
      {
        fields: { ...bill.fields, pin: { type: 'password', label: words, options: 'yesNo' } },
        list: { columns: ['priceId'], tabs: 'pin' },
      },
      'UnknownField: rmaPriceBill → "pin" in list.tabs, which is a select with options,',
    ],
    [
      'the order of a password',
      {
        fields: { ...bill.fields, pin: { type: 'password', label: words } },
        list: { columns: ['priceId'], sort: '-pin' },
      },
      'UnknownField: rmaPriceBill → "pin" in list.sort is a password',
    ],
    [
      'a total',
      { list: { columns: ['amount'], totals: ['amont'] } },
      'UnknownField: rmaPriceBill → "amont" in list.totals; did you mean "amount"?',
    ],
    [
      'a total of a text',
      { list: { columns: ['priceId', 'amount'], totals: ['amount', 'priceId'] } },
      'BadTotal: rmaPriceBill → "priceId" in list.totals is a String, no number',
    ],
    [
      'a total that no column shows',
      { list: { columns: ['priceId'], totals: ['amount'] } },
      'BadTotal: rmaPriceBill → "amount" in list.totals is no column of the list',
    ],
    [
      'a script',
      { buttons: [{ btnNo: 'go', script: 'reveiw', label: words }] },
      'UnknownScript: rmaPriceBill → "reveiw" of button go; did you mean "review"?',
    ],
    [
      'a button’s condition',
      { buttons: [{ btnNo: 'go', script: 'create', label: words, when: { amont: '1' } }] },
      'UnknownField: rmaPriceBill → "amont" in buttons.go.when; did you mean "amount"?',
    ],
    [
      'a button given twice',
      { buttons: [...(bill.buttons ?? []), ...(bill.buttons ?? [])] },
      'DuplicateButton: rmaPriceBill → "add"',
    ],
    [
      'a column',
      { list: { columns: ['priceID'] } },
      'UnknownField: rmaPriceBill → "priceID" in list.columns; did you mean "priceId"?',
    ],
    ['a sorting', { list: { columns: ['priceId'], sort: '-age' } }, 'UnknownField: rmaPriceBill → "age" in list.sort'],
    ['a search item', { search: ['colour'] }, 'UnknownField: rmaPriceBill → "colour" in search'],
    ['a field of the form', { form: [['colour']] }, 'UnknownField: rmaPriceBill → "colour" in form'],
    ['a fact of the detail', { detail: ['colour'] }, 'UnknownField: rmaPriceBill → "colour" in detail'],
    ['an index', { indexes: [['colour']] }, 'UnknownField: rmaPriceBill → "colour" in indexes'],
    ['a unique list', { unique: [['colour']] }, 'UnknownField: rmaPriceBill → "colour" in indexes'],
    ['a number', { number: { field: 'colour', prefix: 'PRB' } }, 'UnknownField: rmaPriceBill → "colour" in number'],
    [
      'a list above lines',
      {
        lines: [
          { name: 'shipmentList', module: 'ubsShipment', by: 'siteId', under: { name: 'boxList', by: 'siteId' } },
        ],
      },
      'UnknownField: rmaPriceBill → "boxList" above shipmentList in lines',
    ],
    [
      'what lines share with those above',
      {
        lines: [
          { name: 'boxList', module: 'ubsShipment', by: 'siteId' },
          { name: 'itemList', module: 'ubsShipment', by: 'siteId', under: { name: 'boxList', by: 'boxNo' } },
        ],
      },
      'UnknownField: rmaPriceBill → "boxNo" of ubsShipment in lines',
    ],
    ['a site', { site: ['colour'] }, 'UnknownField: rmaPriceBill → "colour" in site'],
    [
      'a module through which rows are seen',
      { site: { through: 'ubsShipmant', by: 'priceId' } },
      'UnknownModule: rmaPriceBill → "ubsShipmant" in site; did you mean "ubsShipment"?',
    ],
    [
      'a module of lines',
      { lines: [{ name: 'list', module: 'nothing', by: 'priceId' }] },
      'UnknownModule: rmaPriceBill → "nothing" in lines',
    ],
    [
      'what lines share',
      { lines: [{ name: 'list', module: 'ubsShipment', by: 'priceId' }] },
      'UnknownField: rmaPriceBill → "priceId" of ubsShipment in lines',
    ],
    ['options', select({ options: 'yesno' }), 'UnknownOptions: rmaPriceBill → "yesno" of kind; did you mean "yesNo"?'],
    ['a select without any', select({}), 'MissingOptions: rmaPriceBill → "kind" is a select'],
    [
      'a module that is referred to',
      select({ ref: { module: 'ubsShip', value: 'shipId', label: 'name' } }),
      'UnknownModule: rmaPriceBill → "ubsShip" of kind',
    ],
    [
      'a field that narrows a reference down',
      select({
        ref: { module: 'ubsShipment', value: 'shipId', label: 'name', within: { field: 'name', of: 'nothing' } },
      }),
      'UnknownField: rmaPriceBill → "nothing" in fields.kind.ref.within',
    ],
    [
      'a field that is referred to',
      select({ ref: { module: 'ubsShipment', value: 'shipId', label: 'nane' } }),
      'UnknownField: rmaPriceBill → "nane" of kind\'s ref; did you mean "name"?',
    ],
    [
      'a condition of a field',
      select({ options: 'yesNo', requiredWhen: { colour: '1' } }),
      'UnknownField: rmaPriceBill → "colour" in fields.kind.requiredWhen',
    ],
    [
      'a column that the engine keeps',
      { fields: { ...bill.fields, version: text } },
      'ReservedField: rmaPriceBill → "version" is the engine\'s own',
    ],
    [
      'a table that another has',
      { table: 'ubs_shipment' },
      "DuplicateTable: rmaPriceBill → ubs_shipment is ubsShipment's",
    ],
    [
      'a prefix of numbers that another has',
      { number: { field: 'priceId', prefix: 'SHP' } },
      "DuplicatePrefix: rmaPriceBill → SHP is ubsShipment's",
    ],
  ])('%s', (_, change, sentence) => {
    expect(validateChanged(change).map((it) => it.slice(0, sentence.length))).toContain(sentence);
  });

  it('a menu entry, in whatever group', () => {
    const entry = { menuNo: 'rmaPriceBilList' };
    expect(validateChanged({}, [{ menuNo: 'finance', label: words, children: [entry] }])).toEqual([
      'UnknownMenuEntry: menu → "rmaPriceBilList"; did you mean "rmaPriceBill"?',
    ]);
  });

  it('a hook of no module, or of one that nobody writes', () => {
    const validateHooks = (name: string, read: Partial<Definition> = {}) =>
      validateModel(modelOf([ship, { ...bill, ...read }]), { ...registers, hooks: new Set([name]) }).map(sayProblem);
    expect(validateHooks('rmaPriceBill')).toEqual([]);
    expect(validateHooks('rmaPriceBil')).toEqual([
      'UnknownModule: hooks → "rmaPriceBil"; did you mean "rmaPriceBill"?',
    ]);
    expect(validateHooks('rmaPriceBill', { viewOf: ['ubs_shipment'] })).toEqual([
      'UnknownModule: hooks → "rmaPriceBill"',
    ]);
  });

  it('a name of the language is no field', () => {
    expect(validateChanged({ list: { columns: ['constructor'] } })).toEqual([
      'UnknownField: rmaPriceBill → "constructor" in list.columns',
    ]);
    expect(validateChanged(select({ options: 'toString' }))).toEqual([
      'UnknownOptions: rmaPriceBill → "toString" of kind',
    ]);
  });
});

describe('the shape of a definition', () => {
  const wrong = (change: object) => validateShape({ ...bill, ...change }, 'finance/rmaPriceBill.json').map(sayProblem);

  it('is right as it is', () => expect(wrong({})).toEqual([]));

  it.each<[string, object, string]>([
    ['says whose rows they are', { site: undefined }, '/site'],
    ['has no part that nobody knows', { color: 'red' }, '/color is no part of it'],
    ['names a module as the wire does', { module: 'RmaPriceBill' }, '/module'],
    ['names a table in small letters', { table: 'price"; DROP' }, '/table'],
    ['has labels in both languages', { label: { zh: '价' } }, '/label'],
    ['has labels that say something', { label: { zh: '价', en: '' } }, '/label/en'],
    ['has fields of known types', { fields: { a: { ...text, type: 'Money' } } }, '/fields/a/type'],
    ['has a prefix of three capitals', { number: { field: 'priceId', prefix: 'pr' } }, '/number/prefix'],
    ['has buttons with a script', { buttons: [{ btnNo: 'x', label: words }] }, '/buttons/0'],
  ])('%s', (_, change, where) => {
    const problems = wrong(change);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.every((it) => it.startsWith('BadShape: finance/rmaPriceBill.json → '))).toBe(true);
    expect(problems.join('\n')).toContain(where);
  });
});

describe('names', () => {
  it('of paths and menu entries lead to their module', () => {
    for (const it of ['rmaCheckBill', 'RmaCheckBill', 'rmaCheckBillList', 'RmaCheckBillList']) {
      expect(moduleOf(it)).toBe('rmaCheckBill');
    }
  });

  it('are suggested when at most three letters off', () => {
    expect(nearest('tittle', ['title', 'tile', 'total'])).toBe('title');
    expect(nearest('SITEID', ['siteId'])).toBe('siteId');
    expect(nearest('banana', ['title'])).toBeUndefined();
  });
});

it('rows that are seen through each other, of which nobody could say whether they are, are told', () => {
  const rulesOf = (...definitions: Definition[]) =>
    validateModel(modelOf(definitions), { ...registers, hooks: new Set() }).map((it) => `${it.rule} ${it.name}`);
  const own: Definition = { module: 'own', label: words, table: 'own', site: 'all', fields: { siteId: text } };
  const list = (module: string, of: string): Definition => ({ ...own, module, rowsOf: { module: of, when: {} } });
  const under = (module: string, through: string): Definition => ({
    ...own,
    ...{ module, table: module, site: { through, by: 'siteId' } },
  });
  expect(rulesOf(own, list('some', 'own'), list('fewer', 'some'), under('part', 'fewer'))).toEqual([]);
  expect(rulesOf(list('own', 'own'))).toEqual(['seenInCircle own → own']);
  expect(rulesOf(list('some', 'own'), { ...list('own', 'some') })).toEqual(['seenInCircle some → own → some']);
  expect(rulesOf(under('part', 'other'), under('other', 'part'))).toEqual(['seenInCircle part → other → part']);
  // Which rows such a list has is said by values that are seen through itself.
  const valued: Definition = {
    ...own,
    fields: { siteId: { ...text, unique: true }, v: { ...text, site: { through: 'some', by: 'siteId' } } },
  };
  const some = { ...valued, module: 'some', rowsOf: { module: 'own', when: {} } };
  expect(rulesOf(valued, some)).toEqual([]);
  expect(rulesOf(valued, { ...some, rowsOf: { module: 'own', when: { v: '1' } } })).toEqual([
    'seenInCircle some → some',
  ]);
});

it('rows that are seen through too many modules are told, by whatever one leads to the next', () => {
  /** Modules one behind the other, each with so many values of the next list's sites, and with a list that asks for all of them. */
  const chain = (depth: number, wide: number, by = (i: number) => `by${i}`): Definition[] =>
    Array.from({ length: depth }, (_, at) => {
      const last = at + 1 === depth;
      const sites = Array.from({ length: last ? 0 : wide }, (__, i) => ({ through: `list${at + 1}`, by: by(i) }));
      const fields: Definition['fields'] = {
        ...Object.fromEntries(Array.from({ length: wide }, (__, i) => [`by${i}`, { ...text, unique: true }])),
        ...Object.fromEntries(sites.map((site, i) => [`v${i}`, { ...text, site }])),
      };
      const base: Definition = { module: `base${at}`, label: words, table: `base${at}`, site: 'all', fields };
      const when = Object.fromEntries(sites.map((_site, i) => [`v${i}`, '1']));
      return [base, { ...base, module: `list${at}`, rowsOf: { module: base.module, when } }];
    }).flat();
  const rulesOf = (definitions: Definition[]) =>
    validateModel(modelOf(definitions), { ...registers, hooks: new Set() }).map((it) => `${it.rule} ${it.where}`);
  expect(rulesOf(chain(9, 1))).toEqual([]);
  expect(rulesOf(chain(10, 1))).toEqual(['seenTooFar list0']);
  // Of what is seen through the same rows one question is asked.
  expect(rulesOf(chain(9, 8, () => 'by0'))).toEqual([]);
  expect(rulesOf(chain(3, 2))).toEqual([]);
  expect(rulesOf(chain(4, 2))).toEqual(['seenTooFar list0']);
  expect(rulesOf(chain(30, 8))).toEqual(['seenTooFar list27']);
});

it('what a list of another’s rows lacks is named, at its place', () => {
  const own: Definition = { module: 'own', label: words, table: 'own', site: 'all', fields: { siteId: text } };
  const some = { ...own, module: 'some', rowsOf: { module: 'own', when: {} } };
  const told = (list: Definition, ...others: Definition[]) =>
    validateModel(modelOf([...others, list]), { ...registers, hooks: new Set() }).map(
      (it) => `${it.kind} ${it.path} ${it.name}`,
    );
  expect(told(some)).toEqual(['UnknownModule rowsOf own']);
  expect(told({ ...some, table: 'other' }, own)).toEqual(['DuplicateTable table some']);
  const { rowsOf: _, ...whole } = some;
  expect(told(whole, own)).toEqual(['DuplicateTable table some']);
  expect(told({ ...some, fields: { siteId: text, fax: text } }, own)).toEqual(['UnknownField fields.fax fax']);
  expect(told({ ...some, rowsOf: { module: 'own', when: { fax: '1' } } }, own)).toEqual(['UnknownField rowsOf fax']);
  const buttons = [{ btnNo: 'add', script: 'create', label: words }];
  expect(told({ ...some, buttons }, own)).toContain('UnknownScript buttons.add.script create');
});

it('a number and an owner are texts of the module, and what a list is sorted by is a field', () => {
  const count = { type: 'Integer' as const, label: words };
  const toldOf = (part: Partial<Definition>) =>
    validateChanged({ ...part, fields: { ...bill.fields, count } }).map((it) => it.replace(/^.*: /, ''));
  for (const [part, of] of [
    ['number', (field: string) => ({ number: { field, prefix: 'QQQ' } })],
    ['owner', (field: string) => ({ owner: { field, unless: 'modify' } })],
  ] as const) {
    expect(toldOf(of('siteId'))).toEqual([]);
    expect(toldOf(of('count'))).toEqual([expect.stringContaining(`"count" in ${part} is no text`)]);
    expect(toldOf(of('nobody'))).toEqual([expect.stringContaining(`"nobody" in ${part}`)]);
  }
  expect(toldOf({ list: { columns: ['count'], sort: '' } })).toEqual([expect.stringContaining('"" in list.sort')]);
});

it('a site is a text, and what is shared with the rows above is of one type', () => {
  const count = { type: 'Integer' as const, label: words };
  const toldOf = (site: Definition['site']) =>
    validateChanged({ site, fields: { ...bill.fields, count } }).map((it) => it.replace(/^.*: /, ''));
  expect(toldOf(['siteId'])).toEqual([]);
  expect(toldOf(['count'])).toEqual([expect.stringContaining('"count" in site is no text')]);
  expect(toldOf({ through: 'ubsShipment', by: 'siteId' })).toEqual([]);
  expect(toldOf({ through: 'ubsShipment', by: 'count', as: 'siteId' })).toEqual([
    expect.stringContaining('"siteId" of ubsShipment is of another type'),
  ]);
});
