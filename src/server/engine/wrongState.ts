import type { Definition } from '#domain/definition/grammar.ts';
import { Refusal } from '#domain/refusal.ts';
import { asAnswered, type Row } from '#server/engine/rows.ts';

/**
 * The bill is in none of these states by now: the refusal names the one in which it is, and goes with the row as it stands.
 * What has no number, or no names for its states, has changed. Rule: refusals#states.
 */
export function wrongState(
  definition: Definition,
  row: Row,
  expected: readonly string[],
  field = 'billStatus',
): Refusal {
  const { number, fields } = definition;
  const options = fields[field]?.options;
  const [id, status] = [number && row[number.field], row[field]];
  if (!options || !id || !status) return new Refusal({ key: 'stale' }, asAnswered(definition, row));
  const wordOf = (value: unknown) => ({ options, value: String(value) });
  const args = { id: String(id), status: wordOf(status), expected: expected.map(wordOf) };
  return new Refusal({ key: 'billState', args }, asAnswered(definition, row));
}
