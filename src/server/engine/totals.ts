import { sql } from 'kysely';
import type { Definition } from '#domain/definition/grammar.ts';
import type { Context } from '#server/context.ts';
import { readableField } from '#server/engine/describe.ts';
import type { Condition } from '#server/engine/filters.ts';
import { readCached } from '#server/engine/readCached.ts';
import type { Page } from '#server/engine/rows.ts';
import { createScopeCondition } from '#server/engine/scope.ts';

/**
 * The sums that a list shows under its table, over everything that the conditions find within the user's scope, not
 * over the page alone; decimals as text. Added up once for a condition, and again only after the table has changed.
 * Nothing where the definition asks for none, or the user for no total.
 */
export async function readTotals(
  definition: Definition,
  conditions: readonly Condition[],
  page: Page,
  ctx: Context,
): Promise<{ totals?: Record<string, string> }> {
  const names = (definition.list?.totals ?? []).filter((it) => readableField(definition, it));
  if (names.length === 0 || !page.withTotal) return {};
  const where = sql.join([createScopeCondition(definition, ctx.currentUser, ctx.model), ...conditions], sql` AND `);
  const sums = names.map((it) => sql`coalesce(sum(${sql.ref(`t.${it}`)}), 0)::text AS ${sql.ref(it)}`);
  const add = sql<Record<string, string>>`
    SELECT ${sql.join(sums)} FROM ${sql.table(definition.table)} AS t WHERE ${where}`;
  return { totals: await readCached('totals', add, definition, ctx, ([row]) => row ?? {}) };
}
