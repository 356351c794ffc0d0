import type { Button, Definition, Field, Option } from '#domain/definition/grammar.ts';
import { kindOf, sayList } from './rules.editing.ts';
import { withoutNulls, type Naming, type Spoken } from './rules.naming.ts';

export type Reading = (value: never, spoken: Spoken) => string;
type Readings<Whole> = { [Part in keyof Required<Whole>]: Reading };
export type List = NonNullable<Definition['list']>;
type Lines = NonNullable<Definition['lines']>;
/** The parts of a module that are read as one. */
export type Part = Exclude<keyof Definition, '$schema' | 'module' | 'table' | 'fields' | 'list' | 'buttons'>;

export const plain = (it: unknown): string => String(it);

/** How each part of a definition is read: the grammar has no part that has no reading. */
export function createReadings(naming: Naming) {
  const { say, lang, lists, names, laid, comma, colon, inBrackets, joined, wordsIn, when } = naming;
  const { labelOf, fieldNames, moduleOf, buttonOf, nodeOf, optionOf } = naming;
  const fieldRows = (rows: readonly (readonly string[])[]): string =>
    rows.map((it) => it.map(labelOf).join(' + ')).join(comma);
  const formRows = (rows: readonly (readonly string[])[]): string => rows.map(fieldNames).join(' | ');
  const flag = (is: boolean): string => say(`changes.${is ? 'yes' : 'no'}`, String(is));
  const sort = (by: string): string => {
    const isDown = by.startsWith('-');
    return inBrackets(labelOf(isDown ? by.slice(1) : by), say(`list.${isDown ? 'down' : 'up'}`, by));
  };

  const ofField = (name: string): Readings<Field> => ({
    label: wordsIn,
    type: () => kind(laid(name) as Field),
    options: (list: string) => sayList(list, lists[list] ?? [], lang),
    ref: ({ module, label }: NonNullable<Field['ref']>) =>
      `${moduleOf(module)}${colon}${names.fields[module]?.[label]?.[lang] ?? label}`,
    required: flag,
    always: flag,
    requiredWhen: when,
    visibleWhen: when,
    readOnlyWhen: when,
    minField: labelOf,
    maxField: labelOf,
    readOnly: flag,
    site: ({ through }: NonNullable<Field['site']>) => moduleOf(through),
    computed: plain,
    default: (value: string | number) => {
      const list = laid(name).options;
      return list === undefined ? String(value) : optionOf(list, String(value));
    },
    minLength: plain,
    maxLength: plain,
    min: plain,
    max: plain,
    unit: wordsIn,
    pattern: ({ mask, example }: NonNullable<Field['pattern']>) => inBrackets(mask, example),
    format: (it: string) => say(`field.formats.${it}`, it),
    items: (it: object) => joined(Object.keys(it)),
    each: plain,
    sn: flag,
    unique: flag,
    upperCase: flag,
  });
  const ofButton: Readings<Button> = {
    btnNo: plain,
    script: plain,
    label: wordsIn,
    rows: (it: string | number) => say(`buttons.rowsOf.${it}`, String(it)),
    all: flag,
    hidden: flag,
    bulk: flag,
    when,
    tone: (it: string) => say(`buttons.tones.${it}`, it),
    field: labelOf,
    by: fieldNames,
  };
  const ofList: Readings<List> = {
    columns: fieldNames,
    shown: fieldNames,
    under: (it: Record<string, string>) => joined(Object.entries(it).map((both) => both.map(labelOf).join(' / '))),
    tabs: labelOf,
    groups: (them: NonNullable<List['groups']>, spoken) =>
      them.map((it) => `${wordsIn(it.label, spoken)}${colon}${fieldNames(it.columns)}`).join(' | '),
    sort,
    link: flag,
    maxHeight: plain,
    totals: fieldNames,
    most: plain,
  };
  const ofModule: Record<Part | 'buttonOrder', Reading> = {
    label: wordsIn,
    one: wordsIn,
    site: (it: Definition['site']) => say(`newModule.${it === 'all' ? 'allSites' : 'ownSite'}`, String(it)),
    rowsOf: ({ module }: NonNullable<Definition['rowsOf']>) => moduleOf(module),
    viewOf: joined,
    owner: ({ field }: NonNullable<Definition['owner']>) => labelOf(field),
    about: (it: NonNullable<Definition['about']>) => labelOf(it.module),
    number: ({ field, prefix }: NonNullable<Definition['number']>) => `${labelOf(field)}${colon}${prefix}`,
    names: (it: Record<string, string>) => fieldNames(Object.values(it)),
    writes: (them: NonNullable<Definition['writes']>) => (them === 'all' ? deed('all') : joined(deedsIn(them))),
    search: fieldNames,
    form: formRows,
    detail: fieldNames,
    lines: (them: Lines) => joined(them.map(({ module, by }) => inBrackets(moduleOf(module), labelOf(by)))),
    indexes: fieldRows,
    unique: fieldRows,
    buttonOrder: (them: string[]) => joined(them.map(buttonOf)),
  };
  const deed = (it: string): string => say(`changes.deeds.${it}`, it);
  const deedsIn = (them: Exclude<NonNullable<Definition['writes']>, 'all'>): string[] =>
    Object.entries(them).map(([it, rows]) =>
      rows === true ? deed(it) : inBrackets(deed(it), Array.isArray(rows) ? fieldNames(rows) : when(rows)),
    );
  const kind = (field: Field): string => say(`field.types.${kindOf(field)}`, field.type);
  /** What is said of a whole thing that was not there before, each with its word; what it just is by its word alone. */
  const partsOf = (parts: object, readings: Readings<never>, wordsFor: string, spoken: Spoken): string[] =>
    Object.entries(withoutNulls(parts)).map(([name, it]) => {
      const word = say(`${wordsFor}.${name}`, name);
      const read = (readings as Record<string, Reading>)[name] ?? plain;
      return it === true ? word : `${word}${colon}${read(it as never, spoken)}`;
    });
  const wholeField = (name: string, field: Field, spoken: Spoken): string => {
    const { label, type: _, format, computed, ...rest } = field;
    // An amount of money and a plain decimal are told by their kind.
    const parts = { ...rest, ...(format && format !== 'number' && { format }) };
    const said = [kind(field), ...partsOf(parts, ofField(name) as never, 'field', spoken)];
    return inBrackets(wordsIn(label, spoken), said.join(comma)) + (computed === undefined ? '' : ` = ${computed}`);
  };
  const wholeButton = (button: Button, spoken: Spoken): string => {
    const { btnNo: _, script: _script, label, ...rest } = button;
    const said = partsOf(rest, ofButton as never, 'buttons', spoken);
    return said.length > 0 ? inBrackets(wordsIn(label, spoken), said.join(comma)) : wordsIn(label, spoken);
  };
  const wholeOption = ({ label, tone, retired }: Option, spoken: Spoken): string =>
    [wordsIn(label, spoken), tone && say(`options.tones.${tone}`, tone), retired && say('options.retired', 'retired')]
      .filter(Boolean)
      .join(comma);

  const ofMenu: Record<string, Reading> = {
    holds: (them: string[]) => joined(them.map(nodeOf)),
    label: wordsIn,
    icon: (it: string) => say(`menu.icons.${it}`, it),
    hidden: flag,
  };
  return { ofField, ofButton, ofList, ofModule, ofMenu, wholeField, wholeButton, wholeOption };
}
