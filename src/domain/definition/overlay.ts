import { isAlways } from '#domain/definition/columns.ts';
import type { Altered, DefinitionChange } from '#domain/definition/change.ts';
import type { Button, Definition, Field, MenuNode, Option, OptionLists } from '#domain/definition/grammar.ts';
import { valuesOf } from '#domain/definition/options.ts';

/** What the change of the menu is published under, beside the modules. */
export const MENU = 'menu';

/** A name that JavaScript gives to every object is none of theirs. */
export const ownOf = <Value>(all: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined;

/**
 * The definition with the change laid over it. Call `validateChange` first. What a change requires is a rule of the
 * form alone, as rows from before it may lack it: a column stays NOT NULL or nullable as it was shipped.
 */
export function layOver(base: Definition | undefined, change: DefinitionChange): Definition {
  if (!base) {
    const { fields, lines, writes = 'all', ...made } = change.definition as Definition;
    const all = Object.entries(fields).map(([name, field]) => [name, asShipped(undefined, field)]);
    return {
      ...made,
      ...(!made.rowsOf && !made.viewOf && { writes }),
      fields: Object.fromEntries(all) as Record<string, Field>,
      ...(lines && { lines: lines.map(related) }),
    };
  }
  if (change.definition) return base;
  const fields: Record<string, Field> = { ...base.fields };
  for (const [name, altered] of Object.entries(change.fields ?? {})) {
    const shipped = ownOf(base.fields, name);
    fields[name] = asShipped(shipped, altering(shipped, altered));
  }
  const list = change.list ? layListOver(base.list, change.list) : base.list;
  const buttons = layButtonsOver(base.buttons, change);
  const indexes = [...(base.indexes ?? []), ...(change.indexes ?? []).filter((it) => !hasIndex(base, it))];
  const more = (change.lines ?? []).filter(({ name }) => !base.lines?.some((it) => it.name === name));
  const lines = [...(base.lines ?? []), ...more.map(related)];
  return {
    ...base,
    label: change.label ?? base.label,
    fields,
    ...(change.one && { one: change.one }),
    ...(change.search && { search: change.search }),
    ...(list && { list }),
    ...(change.form && { form: change.form }),
    ...(change.detail && { detail: change.detail }),
    ...(indexes.length > 0 && { indexes }),
    ...(lines.length > 0 && { lines }),
    ...(buttons && { buttons }),
  };
}

/** Nobody sees by a published change what he may not see, and no row is held by it. */
const related = (it: Lines): Lines => ({ ...it, related: true });
type Lines = NonNullable<Definition['lines']>[number];

const hasIndex = ({ indexes = [] }: Definition, columns: string[]): boolean =>
  indexes.some((it) => it.join() === columns.join());

/**
 * The option lists with what a change says of them: the values as they are to be, in their order. Rows hold the values of a
 * list, so none is lost: one that the change does not know, as a version has shipped it since, stands behind the others.
 */
export function layOptionsOver(base: OptionLists, { options = {} }: DefinitionChange): OptionLists {
  const laid = Object.entries(options).map(([list, values]): [string, Option[]] => [
    list,
    [...values, ...valuesOf(base, list).filter((it) => !values.some((other) => other.value === it.value))],
  ]);
  return laid.length === 0 ? base : { ...base, ...Object.fromEntries(laid) };
}

function layButtonsOver(
  base: Definition['buttons'],
  { buttons = {}, buttonOrder = [] }: DefinitionChange,
): Definition['buttons'] {
  const altered = (base ?? []).map((it) => altering<Button>(it, buttons[it.btnNo] ?? {}));
  const made = Object.entries(buttons)
    .filter(([btnNo]) => !altered.some((it) => it.btnNo === btnNo))
    .map(([btnNo, it]) => altering<Button>({ btnNo } as Button, it));
  const all = [...altered, ...made];
  if (!base && all.length === 0) return undefined;
  const place = (it: Button) => (buttonOrder.includes(it.btnNo) ? buttonOrder.indexOf(it.btnNo) : buttonOrder.length);
  return all.toSorted((a, b) => place(a) - place(b));
}

/** What a change says of a part, on top of what it was; what it says nothing of any more is gone. */
export const altering = <Whole extends object>(before: Whole | undefined, altered: Altered<Whole>): Whole =>
  Object.fromEntries(Object.entries({ ...before, ...altered }).filter(([, it]) => it !== null)) as Whole;

const asShipped = (shipped: Field | undefined, laid: Field): Field =>
  isAlways(laid) && !(shipped && isAlways(shipped)) ? { ...laid, always: false } : laid;

type List = NonNullable<Definition['list']>;

/**
 * What a change says of a list, on top of what it was. Columns that a change chooses are all shown, each by itself, unless
 * it says which of them are at first; a set of columns keeps those that are still there, and so do the totals and the
 * columns that stand under others.
 */
function layListOver(base: List | undefined, change: Partial<List>): List {
  const list = { ...base, ...change } as List;
  if (!change.columns) return list;
  const { shown: _, under: _under, groups, totals, ...rest } = list;
  const isThere = (name: string) => list.columns.includes(name);
  const { shown } = change;
  const sums = change.totals ?? totals?.filter(isThere) ?? [];
  const sets = (change.groups ?? groups ?? [])
    .map((it) => ({ ...it, columns: it.columns.filter(isThere) }))
    .filter((it) => it.columns.length > 0);
  const pairs = Object.entries(base?.under ?? {}).filter((pair) => pair.every(isThere));
  const under = change.under ?? (pairs.length > 0 ? Object.fromEntries(pairs) : undefined);
  return {
    ...rest,
    ...(shown && { shown }),
    ...(under && { under }),
    ...(sets.length > 0 && { groups: sets }),
    ...(sums.length > 0 && { totals: sums }),
  };
}

/**
 * The shipped menu as a change wants it. What this version ships and the change does not know of stands at the end of its
 * group, and an entry whose module is gone is left out: an update and a taking back leave a menu that works. What has no
 * children is an entry, whatever it is called: a group that is named without them keeps nothing away.
 */
export function layMenuOver(
  shipped: readonly MenuNode[],
  menu: readonly MenuNode[],
  isThere: (menuNo: string) => boolean,
): MenuNode[] {
  const all = nodesIn(menu);
  const namesOf = (nodes: readonly MenuNode[]) => new Set(nodes.map((it) => it.menuNo));
  const groups = namesOf(all.filter((it) => it.children));
  const entries = namesOf(all.filter((it) => !it.children));
  const missing = (nodes: readonly MenuNode[], group: string): [string, MenuNode][] =>
    nodes.flatMap((it) =>
      it.children ? missing(it.children, it.menuNo) : entries.has(it.menuNo) ? [] : [[group, it]],
    );
  const late = missing(shipped, '').filter(([, it]) => isThere(it.menuNo));
  const lay = (nodes: readonly MenuNode[], group: string): MenuNode[] => [
    ...nodes.flatMap((it) => {
      if (it.children) return [{ ...it, children: lay(it.children, it.menuNo) }];
      return isThere(it.menuNo) ? [it] : [];
    }),
    ...late.flatMap(([of, it]) => (of === group || (group === '' && !groups.has(of)) ? [it] : [])),
  ];
  return lay(menu, '');
}

/** Every node of a menu, those of a group behind it. */
export const nodesIn = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((it) => [it, ...nodesIn(it.children ?? [])]);
