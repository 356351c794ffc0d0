import { dequal } from 'dequal/lite';
import type { Altered, DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, Field, Option, OptionLists } from '#domain/definition/grammar.ts';
import { answerContents } from './rules.contents.ts';

/** What a draft changes of one module, edited part by part; nothing here says whether it may. Rule: definitions#drafts. */

/**
 * A field with one part of it changed. What is again as it is published is not said; of a field that the draft brings
 * itself everything is.
 */
export function alterField(
  change: DefinitionChange,
  current: Definition | null,
  name: string,
  altered: Altered<Field>,
): DefinitionChange {
  if (change.definition) {
    const fields = { ...change.definition.fields, [name]: merged(change.definition.fields[name], altered) as Field };
    return { ...change, definition: { ...change.definition, fields } };
  }
  const before = current?.fields[name];
  const said = { ...change.fields?.[name], ...altered };
  const kept = Object.entries(said).filter(([part, it]) => !dequal(it ?? undefined, before?.[part as keyof Field]));
  const fields = { ...change.fields, [name]: Object.fromEntries(kept) };
  if (kept.length === 0) delete fields[name];
  return withPart(change, 'fields', Object.keys(fields).length > 0 ? fields : undefined);
}

/** A field more, at the end of the list and of the form where it is wanted there. */
export function withField(
  change: DefinitionChange,
  current: Definition | null,
  laid: Definition,
  { name, field, inList, inForm }: { name: string; field: Altered<Field>; inList: boolean; inForm: boolean },
): DefinitionChange {
  const { columns = Object.keys(laid.fields), shown } = laid.list ?? {};
  const list = { columns: [...columns, name], ...(shown && { shown: [...shown, name] }) };
  let next = alterField(change, current, name, field);
  if (inList) next = alterList(next, current, list);
  if (inForm) next = alterPart(next, current, 'form', [...(laid.form ?? []), [name]]);
  return next;
}

/**
 * A field that only the draft has goes out of everything that names it; conditions on it stay, and the check tells them. What
 * is again as it is published is not said: it would undo what somebody else publishes meanwhile.
 */
export function dropField(given: DefinitionChange, current: Definition | null, name: string): DefinitionChange {
  const change = answerContents(given, name, null);
  const without = (names: readonly string[]) => names.filter((it) => it !== name);
  if (change.definition) {
    const { [name]: _, ...fields } = change.definition.fields;
    return { ...change, definition: { ...withoutName(change.definition, without), fields } };
  }
  const { [name]: _, ...fields } = change.fields ?? {};
  const { list, ...parts } = withoutName(change, without);
  let next = withPart({ ...parts }, 'fields', Object.keys(fields).length > 0 ? fields : undefined);
  for (const part of ['search', 'form', 'detail', 'indexes'] as const)
    if (next[part]) next = alterPart(next, current, part, next[part]);
  return list ? alterList(next, current, list) : next;
}

/** What names fields, without one of them; a part that would be left empty is not said. */
function withoutName<Whole extends Pick<DefinitionChange, 'search' | 'list' | 'form' | 'detail' | 'indexes' | 'lines'>>(
  whole: Whole,
  without: (names: readonly string[]) => string[],
): Whole {
  const { search, list, form, detail, indexes, lines } = whole;
  const isThere = (name: string) => without([name]).length > 0;
  const some = <Item>(items: Item[] | undefined) => (items && items.length > 0 ? items : undefined);
  return defined({
    ...whole,
    search: search && without(search),
    detail: detail && without(detail),
    form: form?.map(without).filter((it) => it.length > 0),
    indexes: some(indexes?.filter((it) => it.every(isThere))),
    lines: some(lines?.filter((it) => isThere(it.by))),
    list: list && {
      ...defined({
        ...list,
        columns: list.columns && without(list.columns),
        shown: some(list.shown && without(list.shown)),
        totals: list.totals && without(list.totals),
        sort: list.sort !== undefined && isThere(list.sort.replace(/^-/, '')) ? list.sort : undefined,
        tabs: list.tabs !== undefined && isThere(list.tabs) ? list.tabs : undefined,
        under: list.under && Object.fromEntries(Object.entries(list.under).filter((it) => it.every(isThere))),
        groups: some(
          list.groups?.map((it) => ({ ...it, columns: without(it.columns) })).filter((it) => it.columns.length > 0),
        ),
      }),
    },
  }) as Whole;
}

type Part = 'label' | 'one' | 'search' | 'list' | 'form' | 'detail' | 'indexes';

/** One part of the module as it is to be; said again as it is published, it is not said. */
export function alterPart<Name extends Part>(
  change: DefinitionChange,
  current: Definition | null,
  name: Name,
  to: DefinitionChange[Name],
): DefinitionChange {
  if (change.definition) return { ...change, definition: { ...change.definition, [name]: to } };
  return withPart(change, name, dequal(to, current?.[name]) ? undefined : to);
}

/**
 * The columns that are shown at first once others are chosen: one that stood in small under a column takes the place of
 * that column where it is hidden or taken out. New columns are shown.
 */
export function shownAfter(
  list: NonNullable<Definition['list']>,
  { columns, shown }: { columns: readonly string[]; shown: readonly string[] },
): string[] {
  const were = list.shown ?? list.columns;
  const left = Object.entries(list.under ?? {}).filter(
    ([above, below]) => were.includes(above) && !shown.includes(above) && !were.includes(below),
  );
  const freed = left.map(([, below]) => below).filter((it) => !shown.includes(it));
  return columns.filter((it) => shown.includes(it) || freed.includes(it));
}

/** Of the list only what differs from it as it is published. */
export function alterList(
  change: DefinitionChange,
  current: Definition | null,
  to: NonNullable<DefinitionChange['list']>,
): DefinitionChange {
  if (change.definition)
    return { ...change, definition: { ...change.definition, list: { ...change.definition.list, ...to } as never } };
  const said = Object.entries({ ...change.list, ...to });
  const kept = said.filter(([part, it]) => !dequal(it, (current?.list as Record<string, unknown> | undefined)?.[part]));
  // Columns that are chosen anew are all shown unless the choice is said as well.
  const list = Object.fromEntries(kept) as NonNullable<DefinitionChange['list']>;
  if (list.columns && !list.shown && current?.list?.shown)
    list.shown = current.list.shown.filter((it) => list.columns?.includes(it));
  return withPart(change, 'list', Object.keys(list).length > 0 ? list : undefined);
}

/** A button with a part of it changed. */
export function alterButton(
  change: DefinitionChange,
  current: Definition | null,
  btnNo: string,
  altered: NonNullable<DefinitionChange['buttons']>[string],
): DefinitionChange {
  if (change.definition) {
    const all = change.definition.buttons ?? [];
    const buttons = all.some((it) => it.btnNo === btnNo)
      ? all.map((it) => (it.btnNo === btnNo ? merged(it, altered) : it))
      : [...all, merged({ btnNo }, altered)];
    return { ...change, definition: { ...change.definition, buttons } as Definition };
  }
  const before = current?.buttons?.find((it) => it.btnNo === btnNo) as Record<string, unknown> | undefined;
  const said = { ...change.buttons?.[btnNo], ...altered };
  const kept = Object.entries(said).filter(([part, it]) => !dequal(it ?? undefined, before?.[part]));
  const buttons = { ...change.buttons, [btnNo]: Object.fromEntries(kept) };
  if (kept.length === 0) delete buttons[btnNo];
  return withPart(change, 'buttons', Object.keys(buttons).length > 0 ? buttons : undefined);
}

/** An option list as it is to be; said again as it is published, it is not said. */
export function alterOptions(
  change: DefinitionChange,
  published: OptionLists,
  list: string,
  values: readonly Option[],
): DefinitionChange {
  const options = { ...change.options, [list]: [...values] };
  if (dequal(values, published[list])) delete options[list];
  return withPart(change, 'options', Object.keys(options).length > 0 ? options : undefined);
}

/** Where a name stands in an order, one place up or down; it stays where there is none. */
export function movedBy<Item>(items: readonly Item[], at: number, by: -1 | 1): Item[] {
  const to = at + by;
  const all = [...items];
  if (to < 0 || to >= all.length) return all;
  [all[at], all[to]] = [all[to] as Item, all[at] as Item];
  return all;
}

/** A form's field one place on: within its row, or as the last one into the row above or below, which is made where there is none. */
export function movedInForm(rows: readonly string[][], name: string, to: 'left' | 'right' | 'up' | 'down'): string[][] {
  const row = rows.findIndex((it) => it.includes(name));
  if (row < 0) return rows.map((it) => [...it]);
  const at = rows[row]?.indexOf(name) ?? 0;
  if (to === 'left' || to === 'right')
    return rows.map((it, i) => (i === row ? movedBy(it, at, to === 'left' ? -1 : 1) : [...it]));
  const all = rows.map((it) => it.filter((one) => one !== name));
  const target = row + (to === 'up' ? -1 : 1);
  if (target < 0) all.unshift([name]);
  else if (target >= all.length) all.push([name]);
  else all[target]?.push(name);
  return all.filter((it) => it.length > 0);
}

/** A name for a column from what people call it, free among those that are there. */
export function freeName(words: string, taken: readonly string[]): string {
  const ascii = words
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase())
    .replace(/^[^A-Za-z]+/, '')
    .slice(0, LONGEST);
  const stem = ascii === '' ? 'field' : ascii.charAt(0).toLowerCase() + ascii.slice(1);
  if (!taken.includes(stem)) return stem;
  for (let i = 2; ; i++) if (!taken.includes(`${stem}${i}`)) return `${stem}${i}`;
}
const LONGEST = 30;

const merged = (before: object | undefined, altered: object): object =>
  Object.fromEntries(Object.entries({ ...before, ...altered }).filter(([, it]) => it !== null));

const defined = (change: object): DefinitionChange =>
  Object.fromEntries(Object.entries(change).filter(([, it]) => it !== undefined));

const withPart = (change: DefinitionChange, name: string, to: unknown): DefinitionChange =>
  defined({ ...change, [name]: to });
