import type { DefinitionChange } from '#domain/definition/change.ts';
import { isAmount } from '#domain/definition/fieldBounds.ts';
import type { Definition, Field, FieldType, Option } from '#domain/definition/grammar.ts';
import { layOver } from '#domain/definition/overlay.ts';

/** What a field is to whoever makes it: its type, and of a decimal whether it is an amount of money. */
export type FieldKind = FieldType | 'amount';

/** What a new field may be; a password and a list of entries are the code's own. */
export const offeredKinds: readonly FieldKind[] = [
  ...(['String', 'LongString', 'Integer', 'Long', 'Number', 'BigDecimal', 'amount'] as const),
  ...(['date', 'dateTime', 'Month', 'select'] as const),
];

export const kindOf = (field: Field): FieldKind => (isAmount(field) ? 'amount' : field.type);

/** A field of this kind, as far as its kind goes. */
export function fieldOf(kind: FieldKind): Pick<Field, 'type' | 'format'> {
  if (kind === 'amount') return { type: 'BigDecimal' };
  return kind === 'BigDecimal' ? { type: kind, format: 'number' } : { type: kind };
}

interface Words {
  zh: string;
  en: string;
}

interface ReferableModule {
  module: string;
  label: Words;
  fields: Record<string, Words>;
  keys: string[];
  /** By which its rows are found without reading all of them. */
  indexed: string[];
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
