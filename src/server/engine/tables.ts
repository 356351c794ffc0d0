import type { Definition, Model } from '#domain/definition/grammar.ts';
import { fieldSites, seenByWhen } from '#domain/definition/fieldSites.ts';
import { rowsAre, rowsChain } from '#domain/definition/rowsOf.ts';

/** The tables that a module's list and forms are read from: its own, those that scope it, those that its selects name. */
export function tablesOf(definition: Definition, model: Model): readonly string[] {
  const tablesByDefinition = tablesByModel.get(model.definitions) ?? new WeakMap<Definition, readonly string[]>();
  tablesByModel.set(model.definitions, tablesByDefinition);
  const known = tablesByDefinition.get(definition);
  if (known) return known;
  const refs = Object.values(definition.fields).flatMap((it) => (it.ref ? [model.definitions.get(it.ref.module)] : []));
  const held = refs.flatMap((it) => (it ? heldIn(it, model) : []));
  const tables = [...new Set([...scopeTables(definition, model), ...held])];
  tablesByDefinition.set(definition, tables);
  return tables;
}

/** By the model too: a publish may change a module that another one, left as it is, refers to. */
const tablesByModel = new WeakMap<Model['definitions'], WeakMap<Definition, readonly string[]>>();

/** The tables that decide which rows of a module somebody sees, how many, and which of their values. */
export function scopeTables(definition: Definition, model: Model): string[] {
  const values = [...fieldSites(rowsAre(definition, model)).values()].flat().map((it) => it.through);
  const parents = [...new Set(values)].flatMap((it) => model.definitions.get(it) ?? []);
  return [...new Set([definition, ...parents].flatMap((it) => rowTables(it, model)))];
}

/**
 * Those that decide which rows somebody sees: also by the values that a list of another's rows asks for. Their values may be
 * each other's, in a circle; their rows are not.
 */
function rowTables(definition: Definition, model: Model): readonly string[] {
  const all = new Set([definition]);
  for (const it of all) {
    const { site } = rowsAre(it, model);
    const above = [
      ...(typeof site === 'object' && 'through' in site ? [site.through] : []),
      ...rowsChain(it, model).flatMap((one) => seenByWhen(one, model)),
    ];
    for (const parent of above.flatMap((one) => model.definitions.get(one) ?? [])) all.add(parent);
  }
  return [...new Set([...all].flatMap((it) => heldIn(it, model)))];
}

/** The tables that its rows stand in: its own, or those over which a view is made. */
function heldIn(definition: Definition, model: Model): readonly string[] {
  const { table, viewOf = [table] } = rowsAre(definition, model);
  return viewOf;
}
