import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Definition, Model } from '#domain/definition/grammar.ts';
import { mayDo } from '#domain/rights.ts';
import type { CurrentUser } from '#server/context.ts';

/**
 * Whose rows somebody may see, as one condition outside of anything that was asked for. Every query of the engine
 * passes through it: lists, counts, details, changes, deletions. `alias` is the table's name in the query.
 * Rule: rights#sites.
 */
export function createScopeCondition(
  definition: Definition,
  currentUser: CurrentUser,
  model: Model,
  alias = 't',
): RawBuilder<SqlBool> {
  const only = Object.entries(definition.rowsOf?.when ?? {}).map(
    ([name, wanted]) => sql<SqlBool>`${sql.ref(`${alias}.${name}`)} = ANY(${[wanted].flat()})`,
  );
  // A list of another's rows shows those that the other shows, by that one's rights.
  const base = definition.rowsOf && model.definitions.get(definition.rowsOf.module);
  const own = base
    ? [createScopeCondition(base, currentUser, model, alias)]
    : [...ownedBy(definition, currentUser, alias), createSiteCondition(definition, currentUser, model, alias)];
  const all = [...only, ...own];
  return all.length === 1 ? (all[0] as (typeof all)[number]) : sql<SqlBool>`(${sql.join(all, sql` AND `)})`;
}

/** Rows that are each one's own: others' only with the right that the definition names. */
function ownedBy({ module, owner }: Definition, currentUser: CurrentUser, alias: string): RawBuilder<SqlBool>[] {
  if (!owner || mayDo(currentUser.rights, `${module}:${owner.unless}`)) return [];
  return [sql<SqlBool>`${sql.ref(`${alias}.${owner.field}`)} = ${currentUser.userId}`];
}

function createSiteCondition(
  definition: Definition,
  currentUser: CurrentUser,
  model: Model,
  alias: string,
): RawBuilder<SqlBool> {
  const { site } = definition;
  if (currentUser.sites === 'all' || site === 'all') return sql<SqlBool>`true`;
  if (Array.isArray(site)) {
    const [only, ...more] = currentUser.sites;
    // Of one site as equality: an index that begins with the site then gives its rows in order.
    const among = only !== undefined && more.length === 0 ? sql`= ${only}` : sql`= ANY(${currentUser.sites})`;
    const owned = site.map((name) => sql<SqlBool>`${sql.ref(`${alias}.${name}`)} ${among}`);
    return sql<SqlBool>`(${sql.join(owned, sql` OR `)})`;
  }
  const parent = model.definitions.get(site.through);
  if (!parent) return sql<SqlBool>`false`;
  const { by, as = by, orNone = false } = site;
  const above = `${alias}p`;
  const seen = createScopeCondition(parent, currentUser, model, above);
  const under = sql`SELECT 1 FROM ${sql.table(parent.table)} AS ${sql.ref(above)}
    WHERE ${sql.ref(`${above}.${as}`)} = ${sql.ref(`${alias}.${by}`)}`;
  // With `orNone` a row under no parent is seen too, and only one under a parent that is not seen is not.
  return orNone
    ? sql<SqlBool>`NOT EXISTS (${under} AND (${seen}) IS NOT TRUE)`
    : sql<SqlBool>`EXISTS (${under} AND ${seen})`;
}
