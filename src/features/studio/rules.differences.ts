import { dequal } from 'dequal/lite';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, MenuNode, Option, OptionLists } from '#domain/definition/grammar.ts';
import { layOver } from '#domain/definition/overlay.ts';
import { menuDifferences, type Difference } from './rules.menu.ts';

/** What a part of a draft or of a publish is laid over. */
export interface Before {
  definition: Definition | null;
  options: OptionLists;
  menu: readonly MenuNode[];
  rights: Readonly<Record<string, readonly string[]>>;
}

/** The parts as one reads them: what it is called, what it holds, how it looks; the database keeps them in no order. */
const ORDER = [
  'label',
  'one',
  'site',
  'fields',
  'contents',
  'search',
  'list',
  'form',
  'detail',
  'lines',
  'indexes',
  'buttons',
  'options',
];
/** What says the same as the module's name, which is said of the whole. */
const UNTOLD = new Set(['$schema', 'module', 'table']);

/** What a change does to what was there, part by part: what it was, and what it becomes. Rule: definitions#drafts. */
export function differencesOf(before: Before, change: DefinitionChange): Difference[] {
  const { definition, fields = {}, buttons = {}, buttonOrder, rights = {}, options = {}, menu, ...rest } = change;
  const { contents, ...parts } = rest;
  if (menu) return menuDifferences(before.menu, menu);
  if (definition) return differencesOf(before, asParts(change));
  const was = before.definition;
  const compare = (path: string, from: unknown, to: unknown): Difference[] =>
    dequal(from ?? null, to ?? null) ? [] : [{ path, from, to }];
  const within = (path: string, from: object | undefined, to: object): Difference[] =>
    Object.entries(to).flatMap(([name, it]) => compare(`${path}.${name}`, valueIn(from, name), it));
  const altered = (path: string, from: object | undefined, to: object): Difference[] =>
    from ? within(path, from, to) : [{ path, from: undefined, to }];
  // Of these a change says what stands beside those that are there.
  const added = (name: string) => name === 'indexes' || name === 'lines';
  const laid = was ? layOver(was, change) : undefined;
  const told = [
    ...Object.entries(parts).flatMap(([name, to]) => {
      if (UNTOLD.has(name)) return [];
      if (name === 'list') return within(name, was?.list, to);
      return compare(name, added(name) ? undefined : valueIn(was ?? undefined, name), to);
    }),
    ...inOrder(fields, fieldsInOrder(laid ?? change)).flatMap(([name, to]) =>
      altered(`fields.${name}`, was?.fields[name], to),
    ),
    ...Object.entries(buttons).flatMap(([btnNo, to]) =>
      altered(
        `buttons.${btnNo}`,
        was?.buttons?.find((it) => it.btnNo === btnNo),
        to,
      ),
    ),
    ...(buttonOrder && was && laid ? compare('buttonOrder', numbersOf(was), numbersOf(laid)) : []),
    ...Object.entries(options).flatMap(([list, to]) => optionDifferences(list, before.options[list] ?? [], to)),
    // Nothing was said of it before: it is said once.
    ...(contents?.table ? [{ path: 'contents', from: undefined, to: contents.table }] : []),
    ...Object.entries(contents?.fields ?? {}).map(([name, to]) => ({ path: `contents.${name}`, from: undefined, to })),
    ...Object.entries(rights).flatMap(([roleId, to]) => compare(`rights.${roleId}`, before.rights[roleId], to)),
  ];
  return told.toSorted((a, b) => placeIn(ORDER, a.path.split('.')[0]) - placeIn(ORDER, b.path.split('.')[0]));
}

/** A new module part by part, as a change says the parts of one that is there. */
function asParts({ definition, options, rights, contents }: DefinitionChange): DefinitionChange {
  const { buttons = [], list, ...parts } = definition as Definition;
  return {
    ...parts,
    ...(list && { list }),
    buttons: Object.fromEntries(buttons.map(({ btnNo, ...it }) => [btnNo, it])),
    ...(options && { options }),
    ...(rights && { rights }),
    ...(contents && { contents }),
  };
}

/** Value by value, and their order where it is another one. */
function optionDifferences(list: string, before: readonly Option[], values: readonly Option[]): Difference[] {
  const path = `options.${list}`;
  const changed = values.flatMap((to): Difference[] => {
    const from = before.find((it) => it.value === to.value);
    return dequal(from, to) ? [] : [{ path: `${path}.${to.value}`, from, to }];
  });
  const order = (them: readonly Option[], among: readonly Option[]) =>
    them.map((it) => it.value).filter((it) => among.some(({ value }) => value === it));
  const [was, is] = [order(before, values), order(values, before)];
  return dequal(was, is) ? changed : [...changed, { path, from: was, to: is }];
}

/** As the form and the list have them. */
const fieldsInOrder = ({ form, list }: Pick<DefinitionChange, 'form' | 'list'>): string[] => [
  ...(form?.flat() ?? []),
  ...(list?.columns ?? []),
];

const inOrder = <Value>(them: Record<string, Value>, order: readonly string[]): [string, Value][] =>
  Object.entries(them).toSorted(([a], [b]) => placeIn(order, a) - placeIn(order, b));

/** What has no place stands at the end. */
function placeIn(order: readonly string[], name = ''): number {
  const at = order.indexOf(name);
  return at < 0 ? order.length : at;
}

const valueIn = (whole: object | undefined, name: string): unknown => (whole as Record<string, unknown>)?.[name];
const numbersOf = ({ buttons = [] }: Definition): string[] => buttons.map((it) => it.btnNo);
