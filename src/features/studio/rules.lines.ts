import type { DefinitionChange } from '#domain/definition/change.ts';
import { isUnique } from '#domain/definition/columns.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import type { Editing } from './rules.editing.ts';

type Lines = NonNullable<DefinitionChange['lines']>[number];

/**
 * What lists of lines a detail could have besides: the rows of another module that are found by a field of the same name
 * as one of this module's that no two rows share. Rule: definitions#published-changes.
 */
export function offeredLines(laid: Definition, modules: Editing['modules']): Lines[] {
  const keys = Object.keys(laid.fields).filter((it) => isUnique(laid, it));
  const there = new Set((laid.lines ?? []).map((it) => it.module));
  return modules
    .filter((it) => it.module !== laid.module && !there.has(it.module))
    .flatMap(({ module, indexed }) => {
      const by = keys.find((it) => indexed.includes(it));
      return by === undefined ? [] : [{ name: `${module}List`, module, by }];
    });
}

/** The change with these lines, and no others, beside those that are published. */
export function withLines(change: DefinitionChange, lines: readonly Lines[]): DefinitionChange {
  const { definition, lines: _, ...others } = change;
  if (definition) {
    const { lines: _own, ...rest } = definition;
    return { ...change, definition: { ...rest, ...(lines.length > 0 && { lines: [...lines] }) } };
  }
  return { ...others, ...(lines.length > 0 && { lines: [...lines] }) };
}
