import { Refusal } from '#domain/refusal.ts';
import { MAX_REST_PAGE } from '#domain/restList.ts';

/**
 * Where the rows of `range=[from,to]` begin and how many they are: `unless` many from the first where none is given.
 * Refuses what is no range and more than a page (100015). Rule: wire#rest.
 */
export function rowsOf(range: string | undefined, unless: number): { offset: number; limit: number } {
  if (range === undefined) return { offset: 0, limit: unless };
  const [, from = NaN, to = NaN] = (/^\[(\d{1,6}), ?(\d{1,6})\]$/.exec(range) ?? []).map(Number);
  const limit = to - from + 1;
  if (!(limit >= 1)) throw new Refusal({ key: 'format', field: 'range', args: { field: 'range' } });
  if (limit > MAX_REST_PAGE)
    throw new Refusal({ key: 'atMost', field: 'range', args: { field: 'range', max: MAX_REST_PAGE } });
  return { offset: from, limit };
}

/**
 * The texts of a filter, which is a JSON object with no other names than these. Refuses what is no such object, a value
 * that is no text, one longer than `max`, and every other name (100015). Rule: wire#rest.
 */
export function textsOf<Name extends string>(
  filter: string | undefined,
  names: readonly Name[],
  max = 100,
): Partial<Record<Name, string>> {
  const given = parsed(filter ?? '{}');
  for (const [name, value] of Object.entries(given)) {
    if (!names.some((it) => it === name))
      throw new Refusal({ key: 'unknownField', field: 'filter', args: { field: name } });
    if (typeof value !== 'string') throw new Refusal({ key: 'format', field: 'filter', args: { field: name } });
    if (value.length > max) throw new Refusal({ key: 'tooLong', field: 'filter', args: { field: name, max } });
  }
  return given;
}

function parsed(filter: string): object {
  let value: unknown;
  try {
    value = JSON.parse(filter);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal({ key: 'format', field: 'filter', args: { field: 'filter' } });
  return value;
}
