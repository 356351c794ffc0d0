import type { Button, Field } from '#domain/definition/grammar.ts';
import { NOTHING } from '#domain/say.ts';
import { createNaming, type Spoken, type Told } from './rules.naming.ts';
import { createReadings, plain, type List, type Part, type Reading } from './rules.readings.ts';

interface Wording {
  /** What stands between the names of a list. */
  comma: string;
  /** A place in a definition, as `fields.phone.maxLength`, as its editor calls it; what differs of a list or a group as a whole is its order. */
  sayPlace: (path: string, differs?: boolean) => string;
  sayField: (name: string) => string;
  /** What stands at a place one by one, where it is several things: columns, rows of a form, entries of a menu. */
  sayItems: (path: string, value: unknown) => string[] | undefined;
  /** What stands at a place. */
  sayValue: (path: string, value: unknown, spoken: Spoken) => string;
}

/** Parts whose titles stand elsewhere. */
const TITLES: Partial<Record<string, string>> = { label: 'configure.listName', one: 'configure.oneName' };

/**
 * Says a change in the words of the editor and of the people: what a field, a button, a role or a module is called, and not
 * what it is kept as. Rule: definitions#drafts.
 */
export function createWording(told: Told): Wording {
  const naming = createNaming(told);
  const {
    say,
    lang,
    names,
    comma,
    joined,
    labelOf,
    fieldNames,
    buttonOf,
    rightOf,
    asInTree,
    nodeOf,
    listOf,
    optionOf,
  } = naming;
  const { ofField, ofButton, ofList, ofModule, ofMenu, wholeField, wholeButton, wholeOption } = createReadings(naming);
  const sayPlace = (path: string, differs = true): string => {
    const { part, name, rest } = placeOf(path);
    if (part === 'buttonOrder') return [say('configure.buttons', part), say('changes.order', part)].join(' · ');
    const head = say(TITLES[part] ?? `changes.parts.${part}`, say(`configure.${part}`, say(`${part}.title`, part)));
    if (name === undefined) return part === 'menu' ? [head, say('menu.holds', '')].join(' · ') : head;
    if (part === 'options')
      return [
        ...[head, listOf(name)],
        ...(rest === undefined ? (differs ? [say('changes.order', '')] : []) : [optionOf(name, rest)]),
      ].join(' · ');
    if (part === 'list') return [head, say(`list.${name}`, name)].join(' · ');
    const said: Partial<Record<string, string>> = {
      fields: labelOf(name),
      contents: labelOf(name),
      buttons: buttonOf(name),
      rights: names.roles[name]?.[lang],
      menu: nodeOf(name),
    };
    const properties = { fields: 'field', menu: 'menu' }[part] ?? part;
    const property = rest ?? (part === 'menu' && differs ? 'holds' : undefined);
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
    if (part === 'contents') return (it: string) => say(`contents.${it === 'keep' ? 'kept' : 'emptied'}`, it);
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
