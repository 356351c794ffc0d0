import { indexesOf, sqlTypes } from '#domain/definition/columns.ts';
import type { Model } from '#domain/definition/grammar.ts';
import type { Problem } from '#domain/refusal.ts';
import { codeOf } from '#server/transaction.ts';

/** An index holds some 2,700 bytes a row: so many characters of any script are never too many. */
const ALWAYS_FITS = 650;

/** What an index could not hold, in our words: a text of a field that lists are found by is longer than that. */
export function longValueOf(error: unknown, { definitions }: Model): Problem | undefined {
  if (codeOf(error) !== '54000') return undefined;
  const { table, constraint } = error as { table?: string; constraint?: string };
  for (const definition of definitions.values()) {
    const index = definition.table === table && indexesOf(definition).find((it) => it.name === constraint);
    if (!index) continue;
    const isText = (name: string) => sqlTypes[definition.fields[name]?.type ?? 'Integer'] === 'text';
    const name = index.columns.find((it) => isText(it) && !definition.fields[it]?.options) ?? index.columns[0] ?? '';
    const field = definition.fields[name]?.label ?? name;
    return { key: 'tooLong', field: name, args: { field, max: ALWAYS_FITS } };
  }
  // Of one that no page holds the database does not say which index.
  return {
    key: 'tooLong',
    args: { field: { zh: '列表按其查找的文字', en: 'A text that lists are found by' }, max: ALWAYS_FITS },
  };
}
