import { describe, expect, it } from 'vitest';
import { ChangeSchema, type DefinitionChange } from '#domain/definition/change.ts';
import { DefinitionSchema, FieldSchema, type Definition, type Model } from '#domain/definition/grammar.ts';
import { MODULES_LIST } from '#domain/definition/options.ts';
import { layOptionsOver, layOver } from '#domain/definition/overlay.ts';
import { validateRulings } from '#domain/definition/rulings.ts';
import { readModel } from '#server/definitions/read.ts';
import { inBoth } from '#domain/words.ts';
import { registers } from '#tests/support/features.ts';

const shipped = readModel(registers);
const label = { zh: '新', en: 'New' };
const rulesOf = (module: string, change: DefinitionChange, author: readonly string[], before = shipped) => {
  const laid = layOver(before.definitions.get(module), change);
  const definitions = new Map([...before.definitions, [module, laid]]);
  const after: Model = { ...before, definitions, options: layOptionsOver(before.options, change) };
  return validateRulings(before, after, [{ module, change }], new Set(author));
};

/** What a change may say and decides nothing about what a module holds. */
const harmless: Readonly<Record<string, string>> = {
  definition: 'a new module holds nothing yet and needs the right to make one; one that is there is not said again',
  rights: 'who may give them is asked where roles are known (rights#giving)',
  contents: 'who may keep or empty what is there is asked where it is known (definitions#former-contents)',
  menu: 'it has a right of its own, and what it leads to stays open to who has the right',
};

/** By part of a change, all that it can say of a module otherwise than before. */
const ways: Readonly<Record<string, (of: Definition) => DefinitionChange[]>> = {
  label: () => [{ label }],
  one: () => [{ one: label }],
  fields: ({ fields }) => [
    ...Object.keys(FieldSchema.properties).map((part): DefinitionChange => {
      const [name = ''] = Object.keys(fields);
      return { fields: { [name]: { [part]: 'something else' } } };
    }),
    { fields: { another: { type: 'String', label } } },
  ],
  search: () => [{ search: ['something', 'else'] }],
  list: () =>
    Object.keys(DefinitionSchema.properties.list.properties).map((part): DefinitionChange => ({
      list: { [part]: ['something', 'else'] },
    })),
  form: () => [{ form: [['something', 'else']] }],
  detail: () => [{ detail: ['something', 'else'] }],
  indexes: () => [{ indexes: [['something', 'else']] }],
  lines: ({ module }) => [{ lines: [{ name: 'another', module, by: 'something' }] }],
  buttons: ({ buttons = [] }) => [
    { buttons: { another: { script: 'detail', label } } },
    ...buttons.map((it): DefinitionChange => ({ buttons: { [it.btnNo]: { hidden: true } } })),
  ],
  buttonOrder: ({ buttons = [] }) =>
    buttons.length < 2 ? [] : [{ buttonOrder: buttons.map((it) => it.btnNo).toReversed() }],
};

describe('what a change decides about', () => {
  it('is of modules that its author may list, by every part of it and of every module', () => {
    const parts = Object.keys(ChangeSchema.properties);
    expect(parts.filter((it) => !(it in ways) && !(it in harmless) && it !== 'options')).toEqual([]);
    let walked = 0;
    for (const definition of shipped.definitions.values()) {
      const { module } = definition;
      const isGuard = module === 'adminUser' || module === 'adminRole';
      const needed = `${module}:${isGuard ? 'modify' : 'list'}`;
      const rule = isGuard ? 'ruledUnmodified' : 'ruledUnlisted';
      for (const [part, changesOf] of Object.entries(ways)) {
        for (const change of changesOf(definition)) {
          walked += 1;
          const at = `${module}: ${JSON.stringify(change)}`;
          const others = ['sysModule:configure', isGuard ? '*:list' : '*:modify'];
          const found = rulesOf(module, change, others);
          expect([at, [...new Set(found.map((it) => it.rule))]]).toEqual([at, [rule]]);
          const place = part === 'buttonOrder' ? 'buttons' : part;
          expect([at, found.every((it) => it.where === module && it.path?.split('.')[0] === place)]).toEqual([
            at,
            true,
          ]);
          expect([at, rulesOf(module, change, [needed])]).toEqual([at, []]);
        }
      }
    }
    expect(walked).toBeGreaterThan(shipped.definitions.size * 40);
  });

  it('is of every module that uses its option lists, wherever these are said', () => {
    let walked = 0;
    for (const [list, values] of Object.entries(shipped.options)) {
      const users = [...shipped.definitions.values()].filter(
        ({ fields }) => list !== MODULES_LIST && Object.values(fields).some((it) => it.options === list),
      );
      const change = { options: { [list]: values.map((it) => ({ ...it, label })) } };
      expect([list, rulesOf('ubsSite', change, ['ubsSite:list']).map((it) => it.name)]).toEqual([
        list,
        users.filter((it) => it.module !== 'ubsSite').map((it) => inBoth(it.label.zh, it.label.en)),
      ]);
      expect([list, rulesOf('ubsSite', change, ['*:*'])]).toEqual([list, []]);
      walked += users.length;
    }
    expect(walked).toBeGreaterThan(100);
  });

  it('is nothing where it says what is in force already, or makes a module', () => {
    for (const { module, label: own, fields } of shipped.definitions.values())
      expect(rulesOf(module, { label: own, fields: { ...fields } }, [])).toEqual([]);
    const made: Definition = {
      module: 'made',
      label,
      table: 'made',
      site: 'all',
      fields: { of: { type: 'String', label } },
    };
    expect(rulesOf('made', { definition: made }, ['sysModule:newModule'])).toEqual([]);
    expect(rulesOf('made', { definition: made }, ['sysModule:configure']).map((it) => it.rule)).toEqual([
      'moduleNotYours',
    ]);
  });

  it('is not told by what the harmless parts say', () => {
    const said: Record<string, DefinitionChange> = {
      definition: { definition: { ...(shipped.definitions.get('rmaPriceBill') as Definition), label } },
      rights: { rights: { planner: ['list'] } },
      contents: { contents: { table: 'keep' } },
      menu: { menu: [] },
    };
    for (const part of Object.keys(harmless))
      expect([part, rulesOf('rmaPriceBill', said[part] ?? {}, [])]).toEqual([part, []]);
  });
});
