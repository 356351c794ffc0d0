import type { Definition, Model } from '#domain/definition/grammar.ts';
import { fieldSites, rowsAre } from '#server/engine/scope.ts';

/** The tables that a module's list and forms are read from: its own, those that scope it, those that its selects name. */
export function tablesOf(definition: Definition, model: Model): readonly string[] {
  const known = tablesByDefinition.get(definition);
  if (known) return known;
  const refs = Object.values(definition.fields).flatMap((it) => (it.ref ? [model.definitions.get(it.ref.module)] : []));
  const tables = [...scopeTables(definition, model), ...refs.flatMap((it) => (it ? [it.table] : []))];
  tablesByDefinition.set(definition, tables);
  return tables;
}

const tablesByDefinition = new WeakMap<Definition, readonly string[]>();

/** The tables that decide which rows of a module somebody sees, how many, and which of their values. */
export function scopeTables(definition: Definition, model: Model): string[] {
  const values = [...fieldSites(rowsAre(definition, model)).values()].flat().map((it) => it.through);
  return [
    ...rowTables(definition, model),
    ...[...new Set(values)].flatMap((it) => {
      const parent = model.definitions.get(it);
      return parent ? rowTables(parent, model) : [];
    }),
  ];
}

/** Those that decide which rows somebody sees. Their values may be each other's, in a circle; their rows are not. */
function rowTables({ site, table, viewOf = [table] }: Definition, model: Model): readonly string[] {
  const parent = typeof site === 'object' && 'through' in site ? model.definitions.get(site.through) : undefined;
  return [...viewOf, ...(parent ? rowTables(parent, model) : [])];
}
