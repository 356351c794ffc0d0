import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Button, Definition, Field, MenuNode, Option, OptionLists, When } from '#domain/definition/grammar.ts';
import type { Language, Words } from '#domain/words.ts';
import type { Before } from './rules.differences.ts';
import { kindOf, sayList } from './rules.editing.ts';

/** In one language, or in both. */
export type Spoken = Language | 'both';

/** What people call that of which a change holds the name alone. */
export interface Names {
  modules: Readonly<Record<string, Words>>;
  /** By module the fields of those that are referred to. */
  fields: Readonly<Record<string, Readonly<Record<string, Words>>>>;
  roles: Readonly<Record<string, Words>>;
  standard: Readonly<Record<string, Words>>;
}

interface Given {
  names: Names;
  before: Before;
  change: DefinitionChange;
  lang: Language;
  /** A text of the studio; the last is said where there is none. */
  say: (key: string, otherwise: string) => string;
}

interface Wording {
  /** What stands between the names of a list. */
  comma: string;
  /** A place in a definition, as `fields.phone.maxLength`, as its editor calls it. */
  sayPlace: (path: string) => string;
  sayField: (name: string) => string;
  /** What stands at a place one by one, where it is several things: columns, rows of a form, entries of a menu. */
  sayItems: (path: string, value: unknown) => string[] | undefined;
  /** What stands at a place. */
  sayValue: (path: string, value: unknown, spoken: Spoken) => string;
}

type Reading = (value: never, spoken: Spoken) => string;
type Readings<Whole> = { [Part in keyof Required<Whole>]: Reading };
type List = NonNullable<Definition['list']>;
type Lines = NonNullable<Definition['lines']>;

/** Parts whose titles stand elsewhere. */
const TITLES: Partial<Record<string, string>> = { label: 'configure.listName', one: 'configure.oneName' };
/** Stands for a value that is not there. */
const NOTHING = '—';

/**
 * Says a change in the words of the editor and of the people: what a field, a button, a role or a module is called, and not
 * what it is kept as. Rule: definitions#drafts.
 */
export function createWording({ names, before, change, lang, say }: Given): Wording {
  const fields = { ...before.definition?.fields, ...change.definition?.fields };
  const laid = (name: string): Partial<Field> => ({ ...fields[name], ...withoutNulls(change.fields?.[name]) });
  const lists: OptionLists = { ...before.options, ...change.options };
  const buttons = [...(before.definition?.buttons ?? []), ...(change.definition?.buttons ?? [])];
  const nodes = nodesIn([...before.menu, ...(change.menu ?? [])]);

  const mark = (name: string): string => say(`changes.marks.${name}`, name);
  const [comma, colon] = [mark('comma'), mark('colon')];
  const inBrackets = (head: string, more: string): string => `${head}${mark('open')}${more}${mark('close')}`;
  const wordsIn = (words: Words, spoken: Spoken): string =>
    spoken === 'both' ? `${words.zh} / ${words.en}` : words[spoken];
  const labelOf = (name: string): string => (laid(name).label ?? names.standard[name])?.[lang] ?? name;
  const moduleOf = (module: string): string => names.modules[module]?.[lang] ?? module;
  const buttonOf = (btnNo: string): string => {
    const button = buttons.find((it) => it.btnNo === btnNo);
    return (button?.label ?? change.buttons?.[btnNo]?.label)?.[lang] ?? btnNo;
  };
  const rightOf = (name: string): string =>
    name === 'list' || name === '*' ? say(`rights.${name === '*' ? 'all' : name}`, name) : buttonOf(name);
  /** The list before its buttons, and these as they stand on it. */
  const asInTree = (a: string, b: string): number => placeIn(a) - placeIn(b);
  const placeIn = (name: string): number => buttons.findIndex((it) => it.btnNo === name);
  const nodeOf = (menuNo: string): string => {
    const module = menuNo.replace(/List$/, '');
    // The later tree says what a group is called then.
    return (nodes.findLast((it) => it.menuNo === menuNo)?.label ?? names.modules[module])?.[lang] ?? menuNo;
  };
  const listOf = (list: string): string => {
    const using = Object.keys({ ...fields, ...change.fields }).filter((it) => laid(it).options === list);
    return using.length > 0 ? using.map(labelOf).join(comma) : list;
  };
  const optionOf = (list: string, value: string): string =>
    lists[list]?.find((it) => it.value === value)?.label[lang] ?? value;

  const joined = (them: readonly string[]): string => (them.length > 0 ? them.join(comma) : NOTHING);
  const fieldNames = (them: readonly string[]): string => joined(them.map(labelOf));
  const fieldRows = (rows: readonly (readonly string[])[]): string =>
    rows.map((it) => it.map(labelOf).join(' + ')).join(comma);
  const formRows = (rows: readonly (readonly string[])[]): string => rows.map(fieldNames).join(' | ');
  const flag = (is: boolean): string => say(`changes.${is ? 'yes' : 'no'}`, String(is));
  const plain = (it: unknown): string => (Array.isArray(it) ? joined(it.map(String)) : String(it));
  const when = (condition: When): string =>
    Object.entries(condition)
      .map(([name, values]) => {
        const list = laid(name).options;
        const said = [values].flat().map((it) => (list === undefined ? it : optionOf(list, it)));
        return `${labelOf(name)}${colon}${said.join(comma)}`;
      })
      .join('; ');
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
  type Part = Exclude<keyof Definition, '$schema' | 'module' | 'table' | 'fields' | 'list' | 'buttons'>;
  const ofModule: Record<Part | 'buttonOrder', Reading> = {
    label: wordsIn,
    one: wordsIn,
    site: (it: Definition['site']) => say(`newModule.${it === 'all' ? 'allSites' : 'ownSite'}`, String(it)),
    rowsOf: ({ module }: NonNullable<Definition['rowsOf']>) => moduleOf(module),
    viewOf: plain,
    owner: ({ field }: NonNullable<Definition['owner']>) => labelOf(field),
    number: ({ field, prefix }: NonNullable<Definition['number']>) => `${labelOf(field)}${colon}${prefix}`,
    names: (it: Record<string, string>) => fieldNames(Object.values(it)),
    search: fieldNames,
    form: formRows,
    detail: fieldNames,
    lines: (them: Lines) => joined(them.map(({ module, by }) => inBrackets(moduleOf(module), labelOf(by)))),
    indexes: fieldRows,
    unique: fieldRows,
    buttonOrder: (them: string[]) => joined(them.map(buttonOf)),
  };
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

  const sayPlace = (path: string): string => {
    const { part, name, rest } = placeOf(path);
    if (part === 'buttonOrder') return [say('configure.buttons', part), say('changes.order', part)].join(' · ');
    const head = say(TITLES[part] ?? `changes.parts.${part}`, say(`configure.${part}`, say(`${part}.title`, part)));
    if (name === undefined) return part === 'menu' ? [head, say('menu.holds', '')].join(' · ') : head;
    if (part === 'options')
      return [head, listOf(name), rest === undefined ? say('changes.order', '') : optionOf(name, rest)].join(' · ');
    if (part === 'list') return [head, say(`list.${name}`, name)].join(' · ');
    const said: Partial<Record<string, string>> = {
      fields: labelOf(name),
      buttons: buttonOf(name),
      rights: names.roles[name]?.[lang],
      menu: nodeOf(name),
    };
    const properties = { fields: 'field', menu: 'menu' }[part] ?? part;
    const property = rest ?? (part === 'menu' ? 'holds' : undefined);
    return [
      head,
      said[part] ?? name,
      ...(property === undefined ? [] : [say(`${properties}.${property}`, property)]),
    ].join(' · ');
  };
  const readingAt = (path: string): Reading | undefined => {
    const { part, name = '', rest } = placeOf(path);
    if (part === 'fields' && rest === undefined) return (it: Field, spoken) => wholeField(name, it, spoken);
    if (part === 'fields') return ofField(name)[rest as keyof Field];
    if (part === 'buttons' && rest === undefined) return (it: Button, spoken) => wholeButton(it, spoken);
    if (part === 'buttons') return ofButton[rest as keyof Button];
    if (part === 'list') return ofList[name as keyof List];
    if (part === 'options' && rest === undefined)
      return (them: string[]) => joined(them.map((it) => optionOf(name, it)));
    if (part === 'options') return wholeOption;
    if (part === 'rights') return (them: string[]) => joined(them.toSorted(asInTree).map(rightOf));
    if (part === 'menu') return ofMenu[rest ?? 'holds'];
    return ofModule[part as Part];
  };
  const oneByOne: Partial<Record<string, (it: never) => string>> = {
    'list.columns': labelOf,
    'list.shown': labelOf,
    'list.totals': labelOf,
    search: labelOf,
    detail: labelOf,
    form: fieldNames,
    rights: rightOf,
    menu: nodeOf,
  };
  const sayItems = (path: string, value: unknown): string[] | undefined => {
    const { part } = placeOf(path);
    const sayOne = oneByOne[path] ?? oneByOne[part];
    if (!sayOne || !Array.isArray(value)) return undefined;
    const them = part === 'rights' ? (value as string[]).toSorted(asInTree) : value;
    return them.map((it) => sayOne(it as never));
  };
  const sayValue = (path: string, value: unknown, spoken: Spoken): string =>
    value === null || value === undefined ? NOTHING : (readingAt(path) ?? plain)(value as never, spoken);
  return { comma, sayPlace, sayField: labelOf, sayItems, sayValue };
}

/** `options.toolKind.A.1` is the value `A.1` of a list. */
function placeOf(path: string): { part: string; name?: string; rest?: string } {
  const [part = '', name, ...rest] = path.split('.');
  return { part, ...(name !== undefined && { name }), ...(rest.length > 0 && { rest: rest.join('.') }) };
}

const nodesIn = (tree: readonly MenuNode[]): MenuNode[] => tree.flatMap((it) => [it, ...nodesIn(it.children ?? [])]);

const withoutNulls = (parts: object | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parts ?? {}).filter(([, it]) => it !== null));
