import type { FormValues } from '#app/engine/formRules.ts';
import type { FormField } from '#app/engine/wire.ts';

const GIVEN = 'given';

/** The address of a form for a new record that begins with these values. It is kept by tabs, a reload and a sign-in. */
export const createPathOf = (menuNo: string, values: FormValues): string =>
  withGiven(`/${menuNo}/create?`, JSON.stringify(values));

/** What an address gives a new record to begin with: plain values, whoever wrote them. */
export function givenIn(search: string): FormValues | undefined {
  const values = Object.entries(parsed(givenTextOf(search))).filter(([, it]) => isPlain(it));
  return values.length > 0 ? Object.fromEntries(values) : undefined;
}

/** Of what was given, what the form has a field for that may be entered; never a password. */
export const knownOf = (fields: readonly FormField[], given: FormValues = {}): FormValues =>
  Object.fromEntries(
    fields
      .filter((it) => it.type !== 'password' && !it.readOnly && Object.hasOwn(given, it.queryName))
      .map((it) => [it.queryName, given[it.queryName]]),
  );

/** Another query of the list under the form, whose form begins with the same. */
export const keepGiven = (query: string, search: string): string => withGiven(query, givenTextOf(search));

/** The query of the list alone. */
export function withoutGiven(search: string): string {
  const rest = new URLSearchParams(search);
  if (!rest.has(GIVEN)) return search;
  rest.delete(GIVEN);
  return rest.size > 0 ? `?${rest.toString()}` : '';
}

/** As it stands in the address. */
export const givenTextOf = (search: string): string | null => new URLSearchParams(search).get(GIVEN);

const withGiven = (query: string, text: string | null): string =>
  text === null ? query : `${query}${query.endsWith('?') ? '' : '&'}${GIVEN}=${encodeURIComponent(text)}`;

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

function parsed(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
