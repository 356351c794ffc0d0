import type { Definition } from '#domain/definition/grammar.ts';
import { standardNames } from '#domain/definition/columns.ts';
import { namingFields } from '#domain/definition/namingFields.ts';
import { offeredRows } from '#domain/definition/writes.ts';

/**
 * The fields that stand somewhere: in the list, the search, the form or the detail of a module, in what its rows are called
 * by, in a condition of a button or of a field of the form, or as what leads to names and lines. What stands nowhere is told
 * to nobody. Rule: lists#answered-fields.
 */
export function standingFields(definition: Definition): ReadonlySet<string> {
  const known = standing.get(definition);
  if (known) return known;
  const {
    fields,
    list,
    search = [],
    form = [],
    detail = [],
    buttons = [],
    lines = [],
    names = {},
    number,
  } = definition;
  const entered = form.flat();
  const ruling = entered.flatMap((name) => {
    const { requiredWhen, visibleWhen, readOnlyWhen, minField, maxField, ref } = fields[name] ?? {};
    return [
      ...Object.keys({ ...requiredWhen, ...visibleWhen, ...readOnlyWhen }),
      ...[minField ?? [], maxField ?? [], ref?.within?.of ?? []].flat(),
    ];
  });
  const found = new Set<string>([
    ...standardNames,
    ...(list?.columns ?? Object.keys(fields)),
    ...(list?.sort ? [list.sort.replace(/^-/, '')] : []),
    ...[...search, ...entered, ...ruling, ...detail, ...namingFields(definition)],
    ...(number ? [number.field] : []),
    ...buttons.flatMap((it) => [...Object.keys(offeredRows(definition, it) ?? {}), it.field ?? [], it.by ?? []].flat()),
    ...lines.map((it) => it.by),
    ...Object.values(names),
  ]);
  standing.set(definition, found);
  return found;
}
const standing = new WeakMap<Definition, ReadonlySet<string>>();
