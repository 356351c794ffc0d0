import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** One of these values: `.where('sn', '=', anyOf(sns))`. However many there are, they are one parameter of the statement. */
export const anyOf = <T>(values: readonly T[]): RawBuilder<T> => sql<T>`ANY(${values})`;

/** A pattern for LIKE: this text anywhere, its own wildcards taken literally. */
export const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Only rows of the sites that somebody may see, or of those of them that were asked for. Rule: rights#sites. */
export const inSites = (column: string, { sites }: { sites: 'all' | readonly string[] }): RawBuilder<SqlBool> =>
  sites === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(column)} = ANY(${sites}::text[])`;
