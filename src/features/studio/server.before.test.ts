import { describe, expect, it } from 'vitest';
import en from '#i18n/en/studio.json' with { type: 'json' };
import { validateChangeKinds, type DefinitionChange } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { layOver, MENU } from '#domain/definition/overlay.ts';
import { validateSlips } from '#domain/definition/slips.ts';
import { readModel, standardFields, tryModel } from '#server/definitions/read.ts';
import { registers } from '#tests/support/features.ts';
import { differencesOf } from './rules.differences.ts';
import { copyOf } from './rules.module.ts';
import { alterList, shownAfter, withField } from './rules.ts';
import { createWording } from './rules.wording.ts';
import { withBefore } from './server.before.ts';

const model = readModel(registers);
const all = [...model.definitions.values()];
const labels = ({ fields }: Pick<Definition, 'fields'>) =>
  Object.fromEntries(Object.entries(fields).map(([name, it]) => [name, it.label]));
const names = {
  modules: Object.fromEntries(all.map((it) => [it.module, it.label])),
  fields: Object.fromEntries(all.map((it) => [it.module, labels(it)])),
  roles: {},
  standard: labels({ fields: standardFields() }),
};
const say = (key: string, otherwise: string): string => {
  const found = key.split('.').reduce<unknown>((it, name) => (it as Record<string, unknown>)?.[name], en);
  return typeof found === 'string' ? found : otherwise;
};

function told(change: DefinitionChange, module: string): string[] {
  const empty = { definitions: new Map<string, Definition>(), options: model.options, menu: [] };
  const [part] = withBefore([{ module, change }], empty);
  if (!part) return [];
  const before = part.before as never;
  const { sayPlace, sayValue } = createWording({ names, before, change, lang: 'en', say });
  return differencesOf(before, change).map(({ path, to }) => `${sayPlace(path)}: ${sayValue(path, to, 'en')}`);
}

describe('what is shipped', () => {
  it.each(all.map((it) => [it.module, it] as const))('is said in words: %s', (module, definition) => {
    const said = told({ definition, options: model.options }, module);
    expect(said.filter((it) => /"\w+":|\[object|undefined/.test(it))).toEqual([]);
    const parts = said
      .filter((it) => !/^(Fields|Options)/.test(it))
      .flatMap((it) => it.split(/[:,|+/()]+\s*|\s+\|\s+/));
    const codes = Object.entries({ ...definition.fields, ...standardFields() })
      .filter(([name, it]) => it.label.en !== name)
      .map(([name]) => name);
    expect(codes.filter((it) => parts.some((part) => part.trim() === it))).toEqual([]);
  });

  it('is said in words: the menu', () => {
    const said = told({ menu: model.menu }, MENU);
    expect(said.length).toBeGreaterThan(10);
    expect(said.filter((it) => /[a-z]List\b/.test(it))).toEqual([]);
  });
});

it('lays each part over those before it', () => {
  const words = (text: string) => ({ zh: text, en: text });
  const [first, second] = withBefore(
    ['One', 'Two'].map((it) => ({ module: 'ubsSite', change: { label: words(it) } })),
    model,
  );
  expect(first?.before.definition).toEqual(model.definitions.get('ubsSite'));
  expect(second?.before.definition).toMatchObject({ label: words('One') });
});

describe('a list of which one column is added, hidden or taken out', () => {
  /** What people see at first: the shown columns, and those in small under them. */
  const seenIn = ({ list, fields }: Definition): Set<string> => {
    const { columns = Object.keys(fields), shown = columns, under = {} } = list ?? {};
    return new Set(shown.flatMap((it) => [it, under[it] ?? it]).filter((it) => columns.includes(it)));
  };

  it('keeps every other one, in every list', () => {
    let [lists, walked] = [0, 0];
    for (const shipped of all) {
      if (!shipped.list) continue;
      lists += 1;
      const { columns, shown = columns } = shipped.list;
      const over = (list: DefinitionChange['list']) => layOver(shipped, alterList({}, shipped, list ?? {}));
      const seen = seenIn(shipped);
      const without = (name: string) => [...seen].filter((it) => it !== name).sort();
      const others = (it: readonly string[], name: string) => it.filter((one) => one !== name);
      for (const name of columns) {
        const at = `${shipped.module} ${name}`;
        const hiding = { columns, shown: others(shown, name) };
        const hidden = over({ columns, shown: shownAfter(shipped.list, hiding) });
        if (shown.includes(name)) expect([at, [...seenIn(hidden)].sort()]).toEqual([at, without(name)]);
        const left = others(columns, name);
        const out = over({
          columns: left,
          shown: shownAfter(shipped.list, { columns: left, shown: others(shown, name) }),
        });
        if (left.length > 0) expect([at, [...seenIn(out)].sort()]).toEqual([at, without(name)]);
        walked += 2;
      }
      const fax = { type: 'String', label: { zh: '传真', en: 'Fax' } } as const;
      const added = withField({}, shipped, shipped, { name: 'fax', field: fax, inList: true, inForm: false });
      expect([...seenIn(layOver(shipped, added))].sort()).toEqual([...seen, 'fax'].sort());
    }
    expect(lists).toBeGreaterThan(60);
    expect(walked).toBeGreaterThan(1000);
  });
});

describe('a name that JavaScript has for every object', () => {
  const label = { zh: '名', en: 'Name' };
  const field = (more: object) => ({ fields: { fax: { type: 'String', label, ...more } } });
  const ref = (parts: object) =>
    field({ type: 'select', ref: { module: 'ubsItem', value: 'salesCode', label: 'salesCode', ...parts } });
  const places: [string, object][] = [
    ['a field', { fields: { NAME: { type: 'String', label } } }],
    ['a field that is altered', { fields: { NAME: { label } } }],
    ['a column', { list: { columns: ['siteId', 'NAME'] } }],
    ['a shown column', { list: { shown: ['NAME'] } }],
    ['what stands under another', { list: { under: { siteName: 'NAME' } } }],
    ['what another stands under', { list: { under: { NAME: 'siteName' } } }],
    ['a sum', { list: { totals: ['NAME'] } }],
    ['the tabs', { list: { tabs: 'NAME' } }],
    ['the order', { list: { sort: '-NAME' } }],
    ['a set of columns', { list: { groups: [{ label, columns: ['NAME'] }] } }],
    ['a search', { search: ['NAME'] }],
    ['a form', { form: [['siteId', 'siteName', 'siteNameEn', 'country', 'signFirst'], ['NAME']] }],
    ['a fact', { detail: ['NAME'] }],
    ['an index', { indexes: [['NAME']] }],
    ['lines', { lines: [{ name: 'NAME', module: 'ubsStore', by: 'siteId' }] }],
    ['the module of lines', { lines: [{ name: 'them', module: 'NAME', by: 'siteId' }] }],
    ['what lines share', { lines: [{ name: 'them', module: 'ubsStore', by: 'NAME' }] }],
    ['a button without a script', { buttons: { NAME: { label } } }],
    ['a script', { buttons: { go: { script: 'NAME', label } } }],
    ['what a button asks', { buttons: { go: { script: 'detail', label, when: { NAME: '1' } } } }],
    ['the order of the buttons', { buttonOrder: ['NAME'] }],
    ['a list of options', { options: { NAME: [{ value: '1', label }] } }],
    ['the options of a field', field({ type: 'select', options: 'NAME', default: '1' })],
    ['a module that is referred to', ref({ module: 'NAME' })],
    ['a value that is referred to', ref({ value: 'NAME' })],
    ['what is shown of it', ref({ label: 'NAME' })],
    ['what narrows it down', ref({ within: { field: 'NAME', of: 'siteId' } })],
    ['by what it is narrowed down', ref({ within: { field: 'salesCode', of: 'NAME' } })],
    ...['visibleWhen', 'requiredWhen', 'readOnlyWhen'].map((it): [string, object] => [
      it,
      field({ [it]: { NAME: '1' } }),
    ]),
    ['a lower end', field({ minField: 'NAME' })],
    ['an upper end', field({ maxField: 'NAME' })],
    ['an expression', field({ readOnly: true, computed: 'NAME' })],
    ['a function of an expression', field({ readOnly: true, computed: 'NAME(siteId)' })],
    ['a right', { rights: { office: ['NAME'] } }],
  ];

  it.each(places)('is none of %s, and is told in words', (_, change) => {
    for (const name of ['constructor', 'toString', '__proto__', 'valueOf', 'hasOwnProperty']) {
      const named = JSON.parse(JSON.stringify(change).replaceAll('NAME', name)) as DefinitionChange;
      const { problems } = tryModel(registers, [{ module: 'ubsSite', change: named }]);
      expect([name, problems]).not.toEqual([name, []]);
      const rules = problems.map((it) => it.rule ?? it.kind);
      expect([name, rules.filter((it) => !(it in en.problems) || it === 'typeFixed')]).toEqual([name, []]);
      expect(() => withBefore([{ module: 'ubsSite', change: named }], model)).not.toThrow();
    }
  });
});

it('a copy of any module can be published as it is: nothing in it is a slip', () => {
  for (const source of all) {
    for (const hasSite of [true, false]) {
      const definition = copyOf(source, { module: 'copied', label: source.label, table: 'copied' }, hasSite);
      const change = { definition };
      const after = { ...model, definitions: new Map([...model.definitions, ['copied', layOver(undefined, change)]]) };
      const { errors } = validateSlips(model, after, [{ module: 'copied', change }]);
      expect([source.module, errors]).toEqual([source.module, []]);
    }
  }
});

describe('a change whose parts are of other kinds', () => {
  const words = (en: string) => ({ zh: en, en });
  const field = { type: 'String', label: words('Fax'), maxLength: 20 };
  const shipped = model.definitions.get('ubsSite') as Definition;
  const change = {
    definition: { ...shipped, buttons: undefined, fields: { kind: { ...field, type: 'select', options: 'kinds' } } },
    fields: { fax: { ...field, options: 'yesNo', default: 'x' }, siteId: { when: { siteId: ['SZ'] } } },
    list: { columns: ['fax'], groups: [{ label: words('All'), columns: ['fax'] }] },
    form: [['fax']],
    lines: [{ name: 'units', module: 'rmaInventory', by: 'siteId' }],
    buttons: { lend: { script: 'modify', label: words('Lend'), when: { siteId: ['SZ'] } } },
    options: { kinds: [{ value: 'a', label: words('A') }] },
    rights: { office: ['list'] },
    menu: [{ menuNo: 'group', label: words('Group'), children: [{ menuNo: 'ubsSiteList' }] }],
  };
  type Path = readonly string[];
  const pathsIn = (value: object, path: Path = []): Path[] =>
    Object.entries(value).flatMap(([name, it]) => {
      const at = [...path, name];
      return [at, ...(typeof it === 'object' && it !== null ? pathsIn(it as object, at) : [])];
    });
  function altered(path: Path, alter: (holder: Record<string, unknown>, name: string) => void): DefinitionChange {
    const copy = JSON.parse(JSON.stringify(change)) as Record<string, unknown>;
    const holder = path.slice(0, -1).reduce((it, name) => it[name] as Record<string, unknown>, copy);
    alter(holder, path.at(-1) as string);
    return copy;
  }
  const others: readonly unknown[] = [null, 5, 'x', true, [], {}, [null], [5], { a: null }, { isPrototypeOf: {} }];
  const changes = pathsIn(JSON.parse(JSON.stringify(change)) as object).flatMap((path, i) => [
    ...[0, 3, 7]
      .map((step) => others[(i + step) % others.length])
      .map((it) => altered(path, (holder, name) => (holder[name] = it))),
    altered(path, (holder, name) => {
      if (!Array.isArray(holder)) holder['isPrototypeOf'] = holder[name];
    }),
  ]);

  it('is none, or can be gone on with', () => {
    const count = { refused: 0, taken: 0 };
    for (const [i, change] of changes.entries()) {
      const module = ['toolLoan', 'ubsSite', MENU][i % 3] as string;
      if (validateChangeKinds(change, module).length > 0) count.refused += 1;
      else {
        count.taken += 1;
        expect(withBefore([{ module, change }], model), JSON.stringify(change)).toHaveLength(1);
      }
    }
    expect(count.refused).toBeGreaterThan(100);
    expect(count.taken).toBeGreaterThan(50);
  });
});
