import { describe, expect, it } from 'vitest';
import en from '#i18n/en/studio.json' with { type: 'json' };
import { validateChangeKinds, type DefinitionChange } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { MENU } from '#domain/definition/overlay.ts';
import { readModel, standardFields } from '#server/definitions/read.ts';
import { registers } from '#tests/support/features.ts';
import { differencesOf } from './rules.differences.ts';
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
