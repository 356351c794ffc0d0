import { sql } from 'kysely';
import { sqlTypes } from '#domain/definition/columns.ts';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { recordName } from '#domain/definition/recordName.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import type { Row } from '#server/engine/rows.ts';
import { createScopeCondition, hiddenFields, seesValue } from '#server/engine/scope.ts';

/** Whose a row is that somebody makes: his own, where the rows of a module are each one's. Rule: rights#sites. */
export const ownedByWriter = ({ owner }: Definition, { currentUser }: Context): Row =>
  owner ? { [owner.field]: currentUser.userId } : {};

/**
 * Rows go only to sites that their writer sees, and those that are seen through rows of another module only under such as he
 * sees, whichever way they are written: what is wrong with each of these that goes elsewhere. Rule: rights#sites.
 */
export async function foreignParents(
  { site }: Definition,
  rows: readonly Row[],
  ctx: Context,
): Promise<ReadonlyMap<Row, Problem[]>> {
  if (Array.isArray(site)) return foreignSites(site, rows, ctx);
  if (typeof site !== 'object') return new Map();
  const parent = ctx.model.definitions.get(site.through);
  if (!parent) return new Map();
  const { by, as = by, orNone = false } = site;
  const said = [...new Set(rows.map((it) => it[by]).filter((it) => it != null))];
  const type = sql.raw(sqlTypes[(parent.fields[as] as Field).type]);
  const isInScope = createScopeCondition(parent, ctx.currentUser, ctx.model);
  // A row whose value somebody does not see is there all the same, and is none of his.
  const sites = hiddenFields(parent, ctx).get(as);
  const isSeen = sites ? sql`${isInScope} AND ${seesValue(sites, ctx, 't')}` : isInScope;
  const found = await sql<{ value: unknown; seen: boolean }>`
    SELECT t.${sql.ref(as)} AS value, bool_or((${isSeen}) IS TRUE) AS seen FROM ${sql.table(parent.table)} AS t
     WHERE t.${sql.ref(as)} = ANY(${said}::${type}[]) GROUP BY 1`.execute(ctx.db);
  const seen = new Map(found.rows.map((it) => [keyText(it.value), it.seen]));
  const foreign = rows.filter((it) => !(seen.get(keyText(it[by])) ?? orNone));
  const what = recordName(parent);
  return new Map(
    foreign.map((it) => [it, [{ key: 'notFound', field: by, args: { what, value: keyText(it[by]) } }]] as const),
  );
}

/** A row of which no site is its writer's would be another's, or nobody's, to see. */
function foreignSites(
  fields: readonly string[],
  rows: readonly Row[],
  { currentUser: { sites } }: Context,
): ReadonlyMap<Row, Problem[]> {
  const foreign = rows.filter((row) => sites !== 'all' && !fields.some((it) => sites.includes(String(row[it] ?? ''))));
  return new Map(
    foreign.map((row) => {
      const field = fields.find((it) => row[it] != null) ?? fields[0] ?? '';
      return [row, [{ key: 'notFound', field, args: { what: siteWords, value: keyText(row[field]) } }]] as const;
    }),
  );
}

const siteWords = { zh: '站点', en: 'Site' };

/** Two values of a key are the same where these are. */
export const keyText = (value: unknown): string =>
  value instanceof Date ? String(value.getTime()) : typeof value === 'string' ? value : JSON.stringify(value ?? '');
