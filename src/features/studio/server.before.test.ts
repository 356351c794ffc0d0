import { describe, expect, it } from 'vitest';
import en from '#i18n/en/studio.json' with { type: 'json' };
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { layOver, MENU } from '#domain/definition/overlay.ts';
import { readModel, standardFields } from '#server/definitions/read.ts';
import { registers } from '#tests/support/features.ts';
import { differencesOf } from './rules.differences.ts';
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
