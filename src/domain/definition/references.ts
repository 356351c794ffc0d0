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

/** One that can't be a foreign key and doesn't say that it may dangle. */
interface Undecided {
  module: string;
  column: string;
  /** Why not. */
  rule: 'refNoTable' | 'refOtherType' | 'refNotUnique' | 'refNameTaken';
  what: string;
}

interface References {
  references: Reference[];
  undecided: Undecided[];
}

/**
 * What refers to what: a field by its `ref`, lines by the number of their bill. What may dangle is left out, and so is
 * what a view or a list of another's rows says of its columns. Rule: definitions#references.
 */
export function referencesOf(all: Iterable<Definition>): References {
  const definitions = new Map([...all].map((it) => [it.module, it]));
  const found = new Map<string, Reference>();
  const undecided: Undecided[] = [];
  const add = (from: Definition, column: string, to: Definition | undefined, key: string) => {
    if (!hasTable(from) || !to || isRewritten(to)) return;
    const rule = whyNone(from, column, to, key);
    const name = named(from.table, [column], 'fkey');
    const namesake = found.get(name);
    const own = { module: from.module, column };
    if (rule) {
      undecided.push({
        ...own,
        rule,
        what: `${from.module}.${column} refers to ${to.module}.${key}, ${reasons[rule]}`,
      });
    } else if (namesake && namesake.column !== column) {
      const what = `${from.module}.${column} has a key of the same name as ${namesake.column}: the names are too long`;
      undecided.push({ ...own, rule: 'refNameTaken', what });
    } else {
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

const reasons = {
  refNoTable: 'which is no table of its own',
  refOtherType: 'which is of another type',
  refNotUnique: 'which is not unique',
} as const;

function whyNone(from: Definition, column: string, to: Definition, key: string): keyof typeof reasons | undefined {
  const [own, other] = [from.fields[column], to.fields[key]];
  if (!hasTable(to)) return 'refNoTable';
  if (!own || !other || sqlTypes[own.type] !== sqlTypes[other.type]) return 'refOtherType';
  return isUnique(to, key) ? undefined : 'refNotUnique';
}
