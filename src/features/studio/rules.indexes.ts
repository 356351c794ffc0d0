import type { DefinitionChange } from '#domain/definition/change.ts';
import { indexesOf } from '#domain/definition/columns.ts';
import type { Definition } from '#domain/definition/grammar.ts';

/** An index that a list would be served by: without it every row is read. */
interface Proposal {
  column: string;
  why: 'sort' | 'search';
}

/** What a text holds anywhere is not found by an order of its beginnings. */
const inOrder: ReadonlySet<string> = new Set([
  ...['select', 'date', 'dateTime', 'Month', 'Number', 'Integer', 'Long', 'BigDecimal'],
]);

/** By which columns a list is first sorted and searched without an index that begins with them. Rule: definitions#indexes. */
export function proposedIndexes(definition: Definition): Proposal[] {
  if (definition.viewOf || definition.rowsOf) return [];
  const led = new Set(['id', ...indexesOf(definition).map((it) => it.columns[0])]);
  const sort = definition.list?.sort?.replace(/^-/, '');
  // What is computed no index finds; the check says so.
  const isKept = (name: string) => definition.fields[name]?.computed === undefined;
  const searched = (definition.search ?? []).filter((it) => inOrder.has(definition.fields[it]?.type ?? ''));
  const all: Proposal[] = [
    ...(sort ? [{ column: sort, why: 'sort' as const }] : []),
    ...searched.map((column) => ({ column, why: 'search' as const })),
  ];
  return all.filter(
    ({ column }, i) => !led.has(column) && isKept(column) && all.findIndex((it) => it.column === column) === i,
  );
}

/** The change with an index more: beside those that are there, or of a module that it makes. */
export function withIndex(change: DefinitionChange, column: string): DefinitionChange {
  const { definition } = change;
  if (definition)
    return { ...change, definition: { ...definition, indexes: [...(definition.indexes ?? []), [column]] } };
  return { ...change, indexes: [...(change.indexes ?? []), [column]] };
}

/** Without one that the draft itself has asked for. */
export function withoutIndex(change: DefinitionChange, column: string): DefinitionChange {
  const rest = (it: string[][] | undefined) => it?.filter((columns) => columns.join() !== column);
  const { definition, indexes, ...others } = change;
  if (definition) return { ...change, definition: { ...definition, indexes: rest(definition.indexes) ?? [] } };
  const left = rest(indexes) ?? [];
  return { ...others, ...(left.length > 0 && { indexes: left }) };
}
