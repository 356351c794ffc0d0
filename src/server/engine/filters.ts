import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { billNumbers } from '#domain/definition/billNumbers.ts';
import type { Definition, Field, Model } from '#domain/definition/grammar.ts';
import { standingFields } from '#domain/definition/standingFields.ts';
import { Refusal } from '#domain/refusal.ts';
import { MAX_VALUE } from '#domain/searchBounds.ts';
import type { Context } from '#server/context.ts';
import { anywhere } from '#server/db/conditions.ts';
import { readableField, refTarget } from '#server/engine/describe.ts';
import { compareMoment, spanOf } from '#server/engine/moments.ts';
import { createScopeCondition, rowsSeen } from '#server/engine/scope.ts';
import { isEmpty, parseValue } from '#server/engine/values.ts';
import { presentSns } from '#server/workflow/names.ts';

export type Condition = RawBuilder<SqlBool>;

/**
 * The columns that a list may be searched by: its search items, its columns, what an index begins with and is told, and the
 * number of the bill that leads to its lines. By what is told to nobody nobody finds anything. Rule: lists#answered-fields.
 */
export function searchableNames(definition: Definition, { definitions }: Pick<Model, 'definitions'>): Set<string> {
  const told = standingFields(definition);
  const indexed = [...(definition.indexes ?? []), ...(definition.unique ?? [])].map((it) => it[0] as string);
  return new Set([
    ...(definition.search ?? []),
    ...(definition.list?.columns ?? []),
    ...indexed.filter((it) => told.has(it)),
    ...(billNumbers(definitions).get(definition.module) ?? []),
    ...(definition.number ? [definition.number.field] : []),
    'id',
  ]);
}

/**
 * The conditions of a simple search. A name that the definition does not offer is refused, never spliced. Text is found
 * anywhere in the column, codes from their beginning, what is chosen by name as it is, a date is that day, a moment
 * lies between `…Start` and `…End`, the whole second of the end counted in.
 */
export function createFilters(definition: Definition, query: Record<string, unknown>, ctx: Context): Condition[] {
  const searchable = searchableNames(definition, ctx.model);
  return Object.entries(query)
    .filter(([, raw]) => !isEmpty(raw))
    .map(([queryName, raw]) => {
      const { name, bound } = parseBound(definition, queryName, searchable);
      const field = searchable.has(name) ? readableField(definition, name) : undefined;
      if (!field) throw new Refusal({ key: 'unknownField', field: queryName, args: { field: queryName } });
      return condition(field, name, bound, raw, ctx);
    });
}

type Bound = 'from' | 'to' | null;

const bounds = { from: 'GREATER_THAN_OR_EQUAL_TO', to: 'LESS_THAN_OR_EQUAL_TO' } as const;

function parseBound(
  definition: Definition,
  queryName: string,
  searchable: Set<string>,
): { name: string; bound: Bound } {
  if (searchable.has(queryName)) return { name: queryName, bound: null };
  const found = /^(.+)(Start|End)$/.exec(queryName);
  const name = found?.[1] ?? queryName;
  const isMoment = found && readableField(definition, name)?.type === 'dateTime';
  return isMoment ? { name, bound: found[2] === 'Start' ? 'from' : 'to' } : { name: queryName, bound: null };
}

function condition(field: Field, name: string, bound: Bound, raw: unknown, ctx: Context): Condition {
  const column = sql.ref(`t.${name}`);
  const { timeZone } = ctx.config;
  if (field.type === 'dateTime') {
    return compareMoment(column, bound ? bounds[bound] : 'EQUAL_TO', spanOf(field, name, raw, timeZone));
  }
  const parsed = parseValue(asSought(field), name, raw, timeZone);
  if ('problem' in parsed) throw new Refusal(parsed.problem);
  const { value } = parsed;
  if (field.format === 'roles') return holdsRole(column, String(value));
  if (field.format === 'user') return isPerson(column, String(value), field, ctx);
  const isText = field.type === 'String' || field.type === 'LongString';
  if (isText && (field.format === 'code' || field.unique)) {
    return orFormerly(field, column, (it) => startsWith(it, String(value)));
  }
  if (isText) return orFormerly(field, column, (it) => contains(it, String(value)));
  return sql`${column} = ${value}`;
}

/** A form's bounds are not a search's: "more than 0" is asked of a count that begins with 1, half an SN of an SN. */
export const asSought = (field: Field): Field & { sn: boolean } => ({
  ...field,
  min: -Infinity,
  max: Infinity,
  minLength: undefined,
  maxLength: MAX_VALUE,
  sn: false,
});

/**
 * Found anywhere, in either case. To fold the case of all scripts costs the database more than to read the rows: what
 * has no case is compared as it is, and ASCII is folded as ASCII.
 */
export function contains(column: RawBuilder<unknown>, text: string): Condition {
  const pattern = anywhere(text);
  if (text.toLowerCase() === text.toUpperCase()) return sql`${column} LIKE ${pattern}`;
  return /^[\0-\x7f]*$/.test(text) ? sql`${column} COLLATE "C" ILIKE ${pattern}` : sql`${column} ILIKE ${pattern}`;
}

/**
 * A unit is also found by what it was called before: the SNs of such units are one set of values beside what is asked of
 * the column itself, so that an index serves it. Rule: units#former-sns.
 */
export const orFormerly = (
  { sn }: Pick<Field, 'sn'>,
  column: RawBuilder<unknown>,
  asked: (column: RawBuilder<unknown>) => Condition,
): Condition => (sn ? sql`(${asked(column)} OR ${column} = ANY (ARRAY(${presentSns(asked)})))` : asked(column));

/** By the whole login, as it is chosen, or by the name that lists show to this user: as one set of values, so that an index serves it. */
function isPerson(column: RawBuilder<unknown>, text: string, field: Field, ctx: Context): Condition {
  const people = refTarget(field, ctx);
  if (!people) return sql`${column} = ${text}`;
  const named = sql`SELECT ${sql.ref(people.value)} FROM ${rowsSeen(people.definition, ctx)} AS t
    WHERE ${people.label} = ${text} AND ${createScopeCondition(people.definition, ctx.currentUser, ctx.model)}`;
  return sql`${column} = ANY (ARRAY(${named}) || ${text}::text)`;
}

/** One of the roles between the bars, the whole of it. */
export const holdsRole = (column: RawBuilder<unknown>, roleId: string): Condition =>
  sql`${roleId} = ANY (string_to_array(${column}, '|'))`;

/** As a range, so that a plain index serves it: in the byte order of C.UTF-8, U+10FFFF comes after every continuation. */
const startsWith = (column: RawBuilder<unknown>, text: string): Condition =>
  sql`(${column} >= ${text} AND ${column} < ${`${text}\u{10FFFF}`})`;
