import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Definition, Model } from '#domain/definition/grammar.ts';
import { mayDo } from '#domain/rights.ts';
import type { Who } from '#server/context.ts';

/**
 * Whose rows somebody may see, as one condition outside of anything that was asked for. Every query of the engine
 * passes through it: lists, counts, details, changes, deletions. `alias` is the table's name in the query.
 * Rule: rights#sites.
 */
export function scopeOf(definition: Definition, who: Who, model: Model, alias = 't'): RawBuilder<SqlBool> {
  const only = Object.entries(definition.rowsOf?.when ?? {}).map(
    ([name, wanted]) => sql<SqlBool>`${sql.ref(`${alias}.${name}`)} = ANY(${[wanted].flat()})`,
  );
  const owned = ownedBy(definition, who, alias);
  const all = [...only, ...owned, sitesOf(definition, who, model, alias)];
  return all.length === 1 ? (all[0] as (typeof all)[number]) : sql<SqlBool>`(${sql.join(all, sql` AND `)})`;
}

/** Rows that are each one's own: others' only with the right that the definition names. */
function ownedBy({ module, owner }: Definition, who: Who, alias: string): RawBuilder<SqlBool>[] {
  if (!owner || mayDo(who.rights, `${module}:${owner.unless}`)) return [];
  return [sql<SqlBool>`${sql.ref(`${alias}.${owner.field}`)} = ${who.userId}`];
}

function sitesOf(definition: Definition, who: Who, model: Model, alias: string): RawBuilder<SqlBool> {
  const { site } = definition;
  if (who.sites === 'all' || site === 'all') return sql<SqlBool>`true`;
  if (Array.isArray(site)) {
    const [only, ...more] = who.sites;
    // Of one site as equality: an index that begins with the site then gives its rows in order.
    const among = only !== undefined && more.length === 0 ? sql`= ${only}` : sql`= ANY(${who.sites})`;
    const owned = site.map((name) => sql<SqlBool>`${sql.ref(`${alias}.${name}`)} ${among}`);
    return sql<SqlBool>`(${sql.join(owned, sql` OR `)})`;
  }
  const parent = model.definitions.get(site.through);
  if (!parent) return sql<SqlBool>`false`;
  const { by, as = by, orNone = false } = site;
  const above = `${alias}p`;
  const seen = scopeOf(parent, who, model, above);
  const under = sql`SELECT 1 FROM ${sql.table(parent.table)} AS ${sql.ref(above)}
    WHERE ${sql.ref(`${above}.${as}`)} = ${sql.ref(`${alias}.${by}`)}`;
  // Seen under none as well: under one that is not seen it never stands.
  return orNone
    ? sql<SqlBool>`NOT EXISTS (${under} AND (${seen}) IS NOT TRUE)`
    : sql<SqlBool>`EXISTS (${under} AND ${seen})`;
}
