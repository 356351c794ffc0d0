import { describe, expect, it } from 'vitest';
import en from '#i18n/en/studio.json' with { type: 'json' };
import type { DefinitionChange } from '#domain/definition/change.ts';
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
