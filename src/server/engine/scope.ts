import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Definition, Model } from '#domain/definition/grammar.ts';
import type { Who } from '#server/context.ts';

/**
 * Whose rows somebody may see, as one condition outside of anything that was asked for. Every query of the engine
 * passes through it: lists, counts, details, changes, deletions. `alias` is the table's name in the query.
 * Design section 8.
 */
export function scopeOf(definition: Definition, who: Who, model: Model, alias = 't'): RawBuilder<SqlBool> {
  const { rowsOf } = definition;
  if (!rowsOf) return sitesOf(definition, who, model, alias);
  const only = Object.entries(rowsOf.when).map(
    ([name, wanted]) => sql<SqlBool>`${sql.ref(`${alias}.${name}`)} = ANY(${[wanted].flat()})`,
  );
  return sql<SqlBool>`(${sql.join([...only, sitesOf(definition, who, model, alias)], sql` AND `)})`;
}

function sitesOf(definition: Definition, who: Who, model: Model, alias: string): RawBuilder<SqlBool> {
  const { site } = definition;
  if (who.sites === 'all' || site === 'all') return sql<SqlBool>`true`;
  if (Array.isArray(site)) {
    const owned = site.map((name) => sql<SqlBool>`${sql.ref(`${alias}.${name}`)} = ANY(${who.sites})`);
    return sql<SqlBool>`(${sql.join(owned, sql` OR `)})`;
  }
  const parent = model.definitions.get(site.through);
  if (!parent) return sql<SqlBool>`false`;
  const above = `${alias}p`;
  return sql<SqlBool>`EXISTS (SELECT 1 FROM ${sql.table(parent.table)} AS ${sql.ref(above)}
    WHERE ${sql.ref(`${above}.${site.by}`)} = ${sql.ref(`${alias}.${site.by}`)} AND ${scopeOf(parent, who, model, above)})`;
}
