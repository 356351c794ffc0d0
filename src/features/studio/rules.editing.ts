import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, Field, FieldType, Option } from '#domain/definition/grammar.ts';
import { layOver } from '#domain/definition/overlay.ts';

/** The types that a new field may have; a password and a list of entries are the code's own. */
export const offeredTypes: readonly FieldType[] = [
  ...(['String', 'LongString', 'Integer', 'Long', 'Number', 'BigDecimal'] as const),
  ...(['date', 'dateTime', 'Month', 'select'] as const),
];

interface Words {
  zh: string;
  en: string;
}

interface ReferableModule {
  module: string;
  label: Words;
  fields: Record<string, Words>;
  keys: string[];
}

/** What the editor of a module has at hand. */
export interface Editing {
  /** By name the fields as this version ships them, and those that are published. */
  shipped: ReadonlyMap<string, Field>;
  published: ReadonlySet<string>;
  /** All fields as they will be. */
  fields: Readonly<Record<string, Field>>;
  optionLists: readonly { value: string; label: string }[];
  optionsOf: (list: string) => { value: string; label: string }[];
  modules: readonly ReferableModule[];
}

/** The module as it will be; null where a new one has not said anything yet. */
export function laidOver(current: Definition | null, change: DefinitionChange): Definition | null {
  if (!current && !change.definition) return null;
  return layOver(current ?? undefined, change);
}

/** A list by its name, with what it begins with: names of code say little. */
export function sayList(list: string, values: readonly Option[], lang: keyof Words): string {
  const first = values.slice(0, 3).map((it) => it.label[lang]);
  return `${list}: ${first.join(', ')}${values.length > first.length ? ' …' : ''}`;
}
