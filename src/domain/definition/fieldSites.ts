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
    return sites.length === 0 ? [] : [[name, sites] as const];
  });
  return new Map([...own, ...computed]);
}

/** The modules through whose rows the values are seen by which a list of another's rows says what it shows. */
export function seenByWhen(definition: Definition, model: Pick<Model, 'definitions'>): string[] {
  const asked = Object.keys(definition.rowsOf?.when ?? {});
  if (asked.length === 0) return [];
  const sites = fieldSites(rowsAre(definition, model));
  return asked.flatMap((it) => sites.get(it) ?? []).map((it) => it.through);
}
