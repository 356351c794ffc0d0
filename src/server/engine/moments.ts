import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { momentAfter } from '#domain/day.ts';

/**
 * A column of moments compared with what was asked for: a whole second means all of it, so that periods which end at
 * `23:59:59` leave no moment between them. The column stays bare, so that an index serves it. Rule: lists#moments.
 * @param relation as the advanced search names it
 * @param ms epoch ms
 */
export function compareMoment(column: RawBuilder<unknown>, relation: string, ms: number): RawBuilder<SqlBool> {
  const [first, next] = [new Date(ms), new Date(momentAfter(ms))];
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
