import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { dayFromSql, endOfDay, isDay, momentAfter } from '#domain/day.ts';
import type { Field } from '#domain/definition/grammar.ts';
import { Refusal } from '#domain/refusal.ts';
import { parseValue } from '#server/engine/values.ts';

/** The time that a search of moments means, epoch ms: from its first moment to the one after its last. */
interface Span {
  first: number;
  next: number;
}

/**
 * What a search asks of a moment: a day of the workshop, written `2026-11-21`, is all of it, a whole second all of that
 * second. What is none is refused. Rule: lists#moments.
 */
export function spanOf(field: Field, name: string, raw: unknown, timeZone: string): Span {
  if (typeof raw === 'string' && isDay(raw)) return { first: dayFromSql(raw, timeZone), next: endOfDay(raw, timeZone) };
  const parsed = parseValue(field, name, raw, timeZone);
  if ('problem' in parsed) throw new Refusal(parsed.problem);
  const first = (parsed.value as Date).getTime();
  return { first, next: momentAfter(first) };
}

/**
 * A column of moments compared with what was asked for, so that periods which end at `23:59:59`, or with a day, leave no
 * moment between them. The column stays bare, so that an index serves it. Rule: lists#moments.
 * @param relation as the advanced search names it
 */
export function compareMoment(column: RawBuilder<unknown>, relation: string, span: Span): RawBuilder<SqlBool> {
  const [first, next] = [new Date(span.first), new Date(span.next)];
  switch (relation) {
    case 'GREATER_THAN':
      return sql`${column} >= ${next}`;
    case 'GREATER_THAN_OR_EQUAL_TO':
      return sql`${column} >= ${first}`;
    case 'LESS_THAN':
      return sql`${column} < ${first}`;
    case 'LESS_THAN_OR_EQUAL_TO':
      return sql`${column} < ${next}`;
    case 'NOT_EQUAL_TO':
      return sql`(${column} >= ${first} AND ${column} < ${next}) IS NOT TRUE`;
    default:
      return sql`(${column} >= ${first} AND ${column} < ${next})`;
  }
}
