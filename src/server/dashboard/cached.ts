import type { Context } from '#server/context.ts';

/** Worked out once for everybody of the same sites, and again when something has moved, or five minutes have passed. */
export function cachedFor<T>(
  name: string,
  tables: readonly string[],
  ctx: Context,
  work: () => Promise<T>,
): Promise<T> {
  const { sites } = ctx.currentUser;
  const now = Math.floor(Date.now() / 300_000);
  const key = `dashboard ${name} ${sites === 'all' ? '*' : [...sites].sort().join(',')} ${now}`;
  return ctx.cache ? ctx.cache.get(key, tables, work) : work();
}
