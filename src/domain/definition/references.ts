import { isUnique, named, sqlTypes } from '#domain/definition/columns.ts';
import type { Definition } from '#domain/definition/grammar.ts';

/** A column whose values all stand in a column of another table: a foreign key. */
export interface Reference {
  name: string;
  module: string;
  table: string;
  column: string;
  to: { module: string; table: string; column: string };
}

interface References {
  references: Reference[];
  /** Those that can't be a foreign key and don't say that they may dangle, a sentence each. */
  undecided: string[];
}

/**
 * What refers to what: a field by its `ref`, lines by the number of their bill. What may dangle is left out, and so is
 * what a view or a list of another's rows says of its columns. Rule: definitions#references.
 */
export function referencesOf(all: Iterable<Definition>): References {
  const definitions = new Map([...all].map((it) => [it.module, it]));
  const found = new Map<string, Reference>();
  const undecided: string[] = [];
  const add = (from: Definition, column: string, to: Definition | undefined, key: string) => {
    if (!hasTable(from) || !to || isRewritten(to)) return;
    const why = whyNone(from, column, to, key);
    const name = named(from.table, [column], 'fkey');
    const namesake = found.get(name);
    if (why) undecided.push(`${from.module}.${column} refers to ${to.module}.${key}, ${why}`);
    else if (namesake && namesake.column !== column)
      undecided.push(
        `${from.module}.${column} has a key of the same name as ${namesake.column}: the names are too long`,
      );
    else {
      const target = { module: to.module, table: to.table, column: key };
      found.set(name, { name, module: from.module, table: from.table, column, to: target });
    }
  };
  for (const definition of definitions.values()) {
    for (const [name, { ref }] of Object.entries(definition.fields)) {
      if (ref && ref.mayDangle === undefined) add(definition, name, definitions.get(ref.module), ref.value);
    }
    for (const { module, by, mayDangle, related } of definition.lines ?? []) {
      const lines = definitions.get(module);
      if (lines && mayDangle === undefined && !related) add(lines, by, definition, by);
    }
  }
  return { references: [...found.values()], undecided };
}

/** Their rows are written anew by each start and publish: a key would hold them, and stop the next start. Rule: definitions#references. */
export const rewrittenTables = ['sys_menu', 'sys_btn', 'rma_report'] as const;
const isRewritten = ({ table }: Definition): boolean => (rewrittenTables as readonly string[]).includes(table);

const hasTable = ({ rowsOf, viewOf }: Definition): boolean => !rowsOf && !viewOf;

function whyNone(from: Definition, column: string, to: Definition, key: string): string | undefined {
  const [own, other] = [from.fields[column], to.fields[key]];
  if (!hasTable(to)) return 'which is no table of its own';
  if (!own || !other || sqlTypes[own.type] !== sqlTypes[other.type]) return 'which is of another type';
  return isUnique(to, key) ? undefined : 'which is not unique';
}
