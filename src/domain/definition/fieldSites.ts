import { namedFields } from '#domain/definition/expression.ts';
import type { Definition, Field, Model } from '#domain/definition/grammar.ts';
import { parseExpression } from '#domain/definition/parseExpression.ts';
import { rowsAre } from '#domain/definition/rowsOf.ts';

/** Through which rows a value is seen. */
export type FieldSites = readonly NonNullable<Field['site']>[];

/** By field, through which rows its value is seen: of what is computed, through those of each value in it. */
export function fieldSites({ fields }: Definition): ReadonlyMap<string, FieldSites> {
  const own = new Map<string, FieldSites>(
    Object.entries(fields).flatMap(([name, { site }]) => (site ? [[name, [site]] as const] : [])),
  );
  if (own.size === 0) return own;
  const computed = Object.entries(fields).flatMap(([name, field]) => {
    const parsed = field.computed === undefined ? undefined : parseExpression(field.computed, field, fields);
    const sites =
      parsed && 'expression' in parsed ? namedFields(parsed.expression).flatMap((it) => own.get(it) ?? []) : [];
    return sites.length === 0 ? [] : [[name, distinct(sites)] as const];
  });
  return new Map([...own, ...computed]);
}

/** Of several that say the same, one: each is a question within the query of whoever reads the values. */
const distinct = (sites: FieldSites): FieldSites => [
  ...new Map(sites.map((it) => [JSON.stringify([it.through, it.by]), it])).values(),
];

/** Through which rows the values are seen by which a list of another's rows says what it shows. */
export function whenSites(definition: Definition, model: Pick<Model, 'definitions'>): FieldSites {
  const asked = Object.keys(definition.rowsOf?.when ?? {});
  if (asked.length === 0) return [];
  const sites = fieldSites(rowsAre(definition, model));
  return distinct(asked.flatMap((it) => sites.get(it) ?? []));
}

/** The modules of those rows. */
export const seenByWhen = (definition: Definition, model: Pick<Model, 'definitions'>): string[] => [
  ...new Set(whenSites(definition, model).map((it) => it.through)),
];
