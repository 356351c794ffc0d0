import type { Definition } from '#domain/definition/grammar.ts';
import { isBlank } from '#domain/definition/fieldRules.ts';
import { Refusal, type Problem } from '#domain/refusal.ts';
import { asAnswered, type Row } from '#server/engine/rows.ts';

/**
 * The row is in none of these states by now: the refusal names a bill by its number, any other row by the field, with the
 * state in which it is, and goes with the row as it stands. Rule: refusals#states.
 */
export function wrongState(
  definition: Definition,
  row: Row,
  expected: readonly string[],
  field = 'billStatus',
): Refusal {
  const { module, number, fields } = definition;
  const options = fields[field]?.options;
  const [id, status] = [number && row[number.field], row[field]];
  const wordOf = (value: unknown) => (options ? { options, value: String(value) } : String(value));
  const all = expected.map(wordOf);
  const args = { field: { module, field }, expected: all };
  // What stands empty, or is not for who asks, has no name.
  const state: Problem = isBlank(status)
    ? { key: 'onlyWhile', args }
    : options && id
      ? { key: 'billState', args: { id: String(id), status: wordOf(status), expected: all } }
      : { key: 'rowState', args: { ...args, status: wordOf(status) } };
  return new Refusal(state, asAnswered(definition, row), definition.module);
}
