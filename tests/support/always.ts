import { isAlways } from '#domain/definition/columns.ts';
import type { Definition, Field } from '#domain/definition/grammar.ts';

let made = 0;

/** Values for the columns that every row of a definition's table has; laid under those that a test says itself. */
export function alwaysOf(
  definition: Definition,
  definitions: ReadonlyMap<string, Definition>,
): Record<string, string | number> {
  const owner = definition.rowsOf ? definitions.get(definition.rowsOf.module) : definition;
  const fields = Object.entries(owner?.fields ?? {}).filter(([, it]) => isAlways(it) && !definition.viewOf);
  return Object.fromEntries(fields.map(([name, it]) => [name, valueOf(it)]));
}

function valueOf({ type, ref, default: first }: Field): string | number {
  made += 1;
  if (first !== undefined) return first;
  switch (type) {
    case 'select':
      return ref ? `X${made}` : '0';
    case 'date':
    case 'dateTime':
      return '2026-11-20';
    case 'Month':
      return '2026-11';
    case 'Number':
    case 'Integer':
    case 'Long':
    case 'BigDecimal':
      return 900_000 + made;
    default:
      return `X${made}`;
  }
}
