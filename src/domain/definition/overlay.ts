import { isAlways } from '#domain/definition/columns.ts';
import type { Definition, Field, OptionLists } from '#domain/definition/grammar.ts';

/**
 * A published change as its row holds it: only what it alters. What a change may alter is decided here: labels, order
 * and choice of columns, searches, form rows, options, `required` (tightened), `maxLength` (shortened), new fields,
 * whole new modules. It may not alter a shipped field's name or type, a table's name or a button's script, and it never
 * drops anything. Rule: definitions#published-changes.
 */
export interface DefinitionChange {
  /** A whole new module; then nothing else is said. */
  definition?: Definition;
  label?: Definition['label'];
  one?: Definition['one'];
  /** By field name: what is altered of it; an unknown name with a type is a new field. */
  fields?: Record<string, Partial<Field>>;
  search?: string[];
  list?: Partial<NonNullable<Definition['list']>>;
  form?: string[][];
  detail?: string[];
  /** By button number: its label, tone. */
  buttons?: Record<string, { label?: Definition['label']; tone?: 'primary' | 'plain' | 'danger' }>;
  /** By list name: the whole list as it is to be. */
  options?: OptionLists;
}

interface OverlayProblem {
  kind: 'ForbiddenChange';
  where: string;
  what: string;
}

const alterable = new Set(['label', 'required', 'maxLength', 'format', 'default']);
const sayable = new Set([
  'definition',
  'label',
  'one',
  'fields',
  'search',
  'list',
  'form',
  'detail',
  'buttons',
  'options',
]);

/** What a change may not do to this definition; empty when it may be laid over it. */
export function validateChange(
  base: Definition | undefined,
  module: string,
  change: DefinitionChange,
): OverlayProblem[] {
  const no = (what: string): OverlayProblem => ({ kind: 'ForbiddenChange', where: module, what });
  const strange = Object.keys(change).filter((it) => !sayable.has(it));
  if (strange.length > 0) return strange.map((it) => no(`"${it}" cannot be changed`));
  if (!base) return change.definition ? [] : [no('there is no such module; a new one is published whole')];
  if (change.definition) return [no('the module is there already')];

  const problems: OverlayProblem[] = [];
  for (const [name, altered] of Object.entries(change.fields ?? {})) {
    const shipped = base.fields[name];
    if (!shipped) {
      if (!altered.type || !altered.label) problems.push(no(`the new field "${name}" needs a type and a label`));
      continue;
    }
    for (const part of Object.keys(altered)) {
      if (!alterable.has(part)) problems.push(no(`"${name}.${part}" of a shipped field cannot be changed`));
    }
    if (shipped.required && altered.required === false) problems.push(no(`"${name}" stays required`));
    if (altered.maxLength !== undefined && shipped.maxLength !== undefined && altered.maxLength > shipped.maxLength) {
      problems.push(no(`"${name}.maxLength" can be shortened only`));
    }
  }
  for (const btnNo of Object.keys(change.buttons ?? {})) {
    if (!base.buttons?.some((it) => it.btnNo === btnNo)) problems.push(no(`there is no button "${btnNo}"`));
  }
  return problems;
}

/**
 * The definition with the change laid over it. Call `problemsOfChange` first. What a change requires is a rule of the
 * form alone, as rows from before it may lack it: a column stays NOT NULL or nullable as it was shipped.
 */
export function layOver(base: Definition | undefined, change: DefinitionChange): Definition {
  if (!base) {
    const { fields, ...made } = change.definition as Definition;
    const all = Object.entries(fields).map(([name, field]) => [name, asShipped(undefined, field)]);
    return { ...made, fields: Object.fromEntries(all) as Record<string, Field> };
  }
  const fields: Record<string, Field> = { ...base.fields };
  for (const [name, altered] of Object.entries(change.fields ?? {})) {
    const shipped = fields[name];
    fields[name] = asShipped(shipped, { ...shipped, ...altered } as Field);
  }
  const list = change.list ? layListOver(base.list, change.list) : base.list;
  const buttons = base.buttons?.map((it) => ({ ...it, ...change.buttons?.[it.btnNo] }));
  return {
    ...base,
    label: change.label ?? base.label,
    fields,
    ...(change.one && { one: change.one }),
    ...(change.search && { search: change.search }),
    ...(list && { list }),
    ...(change.form && { form: change.form }),
    ...(change.detail && { detail: change.detail }),
    ...(buttons && { buttons }),
  };
}

const asShipped = (shipped: Field | undefined, laid: Field): Field =>
  isAlways(laid) && !(shipped && isAlways(shipped)) ? { ...laid, always: false } : laid;

type List = NonNullable<Definition['list']>;

/**
 * What a change says of a list, on top of what it was. Columns that a change chooses are all shown, each by itself, unless
 * it says which of them are at first; a set of columns keeps those that are still there, and so do the totals.
 */
function layListOver(base: List | undefined, change: Partial<List>): List {
  const list = { ...base, ...change } as List;
  if (!change.columns) return list;
  const { shown: _, under: _under, groups, totals, ...rest } = list;
  const { shown, under } = change;
  const sums = change.totals ?? totals?.filter((name) => list.columns.includes(name)) ?? [];
  const sets = (change.groups ?? groups ?? [])
    .map((it) => ({ ...it, columns: it.columns.filter((name) => list.columns.includes(name)) }))
    .filter((it) => it.columns.length > 0);
  return {
    ...rest,
    ...(shown && { shown }),
    ...(under && { under }),
    ...(sets.length > 0 && { groups: sets }),
    ...(sums.length > 0 && { totals: sums }),
  };
}
