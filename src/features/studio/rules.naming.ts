import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Button, Field, MenuNode, When } from '#domain/definition/grammar.ts';
import { layOptionsOver } from '#domain/definition/overlay.ts';
import { NOTHING } from '#domain/say.ts';
import type { Language, Words } from '#domain/words.ts';
import type { Before } from './rules.differences.ts';
import { laidOver } from './rules.editing.ts';

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

export interface Told {
  names: Names;
  before: Before;
  change: DefinitionChange;
  lang: Language;
  /** A text of the studio; the last is said where there is none. */
  say: (key: string, otherwise: string) => string;
}

export type Naming = ReturnType<typeof createNaming>;

/** What that is called of which a part of a draft holds the name alone, as it is with the change. */
export function createNaming({ names, before, change, lang, say }: Told) {
  const { fields = {}, buttons = [] } = laidOver(before.definition, change) ?? {};
  const laid = (name: string): Partial<Field> => fields[name] ?? {};
  const lists = layOptionsOver(before.options, change);
  const nodes = nodesIn([...before.menu, ...(change.menu ?? [])]);

  const mark = (name: string): string => say(`changes.marks.${name}`, name);
  const [comma, colon] = [mark('comma'), mark('colon')];
  const inBrackets = (head: string, more: string): string => `${head}${mark('open')}${more}${mark('close')}`;
  const wordsIn = (words: Words, spoken: Spoken): string =>
    spoken === 'both' ? `${words.zh} / ${words.en}` : words[spoken];
  const labelOf = (name: string): string => (laid(name).label ?? names.standard[name])?.[lang] ?? name;
  const moduleOf = (module: string): string => names.modules[module]?.[lang] ?? module;
  const buttonOf = (btnNo: string): string => {
    const button: Partial<Button> | undefined = buttons.find((it) => it.btnNo === btnNo);
    // An unfinished draft may have a button without one.
    return button?.label?.[lang] ?? btnNo;
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
    const using = Object.keys(fields).filter((it) => laid(it).options === list);
    return using.length > 0 ? using.map(labelOf).join(comma) : list;
  };
  const optionOf = (list: string, value: string): string =>
    lists[list]?.find((it) => it.value === value)?.label[lang] ?? value;

  const joined = (them: readonly string[]): string => (them.length > 0 ? them.join(comma) : NOTHING);
  const fieldNames = (them: readonly string[]): string => joined(them.map(labelOf));
  const when = (condition: When): string =>
    Object.entries(condition)
      .map(([name, values]) => {
        const list = laid(name).options;
        const said = [values].flat().map((it) => (list === undefined ? it : optionOf(list, it)));
        return `${labelOf(name)}${colon}${said.join(comma)}`;
      })
      .join(mark('semicolon'));
  return {
    ...{ say, lang, lists, names, laid, comma, colon, inBrackets, joined, wordsIn, when },
    ...{ labelOf, fieldNames, moduleOf, buttonOf, rightOf, asInTree, nodeOf, listOf, optionOf },
  };
}

const nodesIn = (tree: readonly MenuNode[]): MenuNode[] => tree.flatMap((it) => [it, ...nodesIn(it.children ?? [])]);

/** The parts that are said; null says nothing of a part any more. */
export const withoutNulls = (parts: object | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parts ?? {}).filter(([, it]) => it !== null));
