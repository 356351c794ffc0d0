import { sql } from 'kysely';
import { isAmount } from '#domain/definition/fieldBounds.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { CURRENCY, DOLLARS, type Total } from '#domain/money.ts';
import type { Context } from '#server/context.ts';
import { readableField } from '#server/engine/describe.ts';
import type { Condition } from '#server/engine/filters.ts';
import { readCached } from '#server/engine/readCached.ts';
import type { Page } from '#server/engine/rows.ts';
import { createScopeCondition, rowsSeen } from '#server/engine/scope.ts';

/**
 * The sums that a list shows under its table, over everything that the conditions find within the user's scope, not
 * over the page alone; decimals as text, and amounts by the currencies of their rows, which are never added to each
 * other. Added up once for a condition, and again only after the table has changed. Nothing where the definition asks
 * for none, or the user for no total. Rule: wire#money.
 */
export async function readTotals(
  definition: Definition,
  conditions: readonly Condition[],
  page: Page,
  ctx: Context,
): Promise<{ totals?: Record<string, Total> }> {
  const names = (definition.list?.totals ?? []).filter((it) => readableField(definition, it));
  if (names.length === 0 || !page.withTotal) return {};
  const where = sql.join([createScopeCondition(definition, ctx.currentUser, ctx.model), ...conditions], sql` AND `);
  const sums = names.map((it) => sql`sum(${sql.ref(`t.${it}`)}) AS ${sql.ref(it)}`);
  const rows = sql`${rowsSeen(definition, ctx)} AS t WHERE ${where}`;
  const currency = sql`coalesce(nullif(${sql.ref(`t.${CURRENCY}`)}, ''), ${DOLLARS})`;
  const parts = Object.hasOwn(definition.fields, CURRENCY)
    ? sql`SELECT ${currency} AS "of currency", ${sql.join(sums)} FROM ${rows} GROUP BY 1`
    : sql`SELECT ${sql.join(sums)} FROM ${rows}`;
  const all = names.map((it) => sql`${totalOf(definition, it)} AS ${sql.ref(it)}`);
  const add = sql<Record<string, Total>>`SELECT ${sql.join(all)} FROM (${parts}) AS part`;
  return { totals: await readCached('totals', add, definition, ctx, ([row]) => row ?? {}) };
}

/** Of the parts: an amount by its currency, anything else in one sum. */
function totalOf(definition: Definition, name: string) {
  const sum = sql.ref(`part.${name}`);
  const field = readableField(definition, name);
  return field && isAmount(field) && Object.hasOwn(definition.fields, CURRENCY)
    ? sql`coalesce(jsonb_object_agg("of currency", ${sum}::text) FILTER (WHERE ${sum} IS NOT NULL), '{}')`
    : sql`coalesce(sum(${sum}), 0)::text`;
}
