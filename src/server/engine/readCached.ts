import type { RawBuilder } from 'kysely';
import type { Definition } from '#domain/definition/grammar.ts';
import type { Context } from '#server/context.ts';
import { scopeTables } from '#server/engine/tables.ts';

/** What a query finds in a module's rows as the user sees them; asked again only after one of the tables has changed. */
export function readCached<R, T>(
  what: string,
  query: RawBuilder<R>,
  definition: Definition,
  ctx: Context,
  give: (rows: R[]) => T,
  size = 1,
): Promise<T> {
  const compiled = query.compile(ctx.db);
  const ask = async () => give((await ctx.db.executeQuery(compiled)).rows);
  if (!ctx.cache) return ask();
  const key = `${what} ${compiled.sql} ${JSON.stringify(compiled.parameters)}`;
  return ctx.cache.get(key, scopeTables(definition, ctx.model), ask, size);
}
