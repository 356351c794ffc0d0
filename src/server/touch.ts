import { sql, type RawBuilder } from 'kysely';
import type { CurrentUser } from '#server/context.ts';

/** What goes with every change of a row: the next version, by whom, and when. For Kysely's `set`. */
export const touch = ({ userId }: Pick<CurrentUser, 'userId'>) => ({
  version: sql<number>`version + 1`,
  updateBy: userId,
  updateTime: sql<string>`now()`,
});

/** The same in a statement's `SET`; `table` where more than one has a version. */
export const touchSql = ({ userId }: Pick<CurrentUser, 'userId'>, table?: string): RawBuilder<unknown> =>
  sql`version = ${sql.ref(table ? `${table}.version` : 'version')} + 1, "updateBy" = ${userId}, "updateTime" = now()`;
