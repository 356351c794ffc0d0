import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { standardNames } from '#domain/definition/columns.ts';
import { fieldSites, whenSites, type FieldSites } from '#domain/definition/fieldSites.ts';
import type { Definition, Model } from '#domain/definition/grammar.ts';
import { rowsAre } from '#domain/definition/rowsOf.ts';
import { lacks, mayDo, platformLists } from '#domain/rights.ts';
import type { Context, CurrentUser } from '#server/context.ts';

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
  // By values as they are seen: which rows there are would tell the others.
  const asked = Object.entries(definition.rowsOf?.when ?? {});
  const seen = asked.length > 0 ? valuesSeen(definition, { currentUser, model }, new Map()) : undefined;
  // Not within each value: those that are seen through the same rows ask for these once.
  const sites = currentUser.sites === 'all' ? [] : whenSites(definition, model);
  const shown = sites.length > 0 ? [seesValue(sites, { currentUser, model }, alias)] : [];
  // Nobody is told a password, also where an earlier version has let it be asked for.
  const isSecret = (name: string) => rowsAre(definition, model).fields[name]?.type === 'password';
  const only = asked.map(([name, wanted]) =>
    isSecret(name)
      ? sql<SqlBool>`false`
      : sql<SqlBool>`${seen?.(name, alias) ?? sql.ref(`${alias}.${name}`)} = ANY(${[wanted].flat()})`,
  );
  // A list of another's rows shows those that the other shows, by that one's rights.
  const base = definition.rowsOf && model.definitions.get(definition.rowsOf.module);
  const own = base
    ? [createScopeCondition(base, currentUser, model, alias)]
    : [
        ...ownedBy(definition, currentUser, alias),
        ...toldOf(definition, currentUser, model, alias),
        createSiteCondition(definition.site, currentUser, model, alias),
      ];
  const all = [...shown, ...only, ...own];
  return all.length === 1 ? (all[0] as (typeof all)[number]) : sql<SqlBool>`(${sql.join(all, sql` AND `)})`;
}

/**
 * A module's table as somebody sees it, to stand behind FROM. What belongs to another site is empty there, so that no filter,
 * order, sum, label or export of it says more than its column does. Rule: rights#values.
 */
export function rowsSeen(definition: Definition, ctx: Pick<Context, 'currentUser' | 'model'>): RawBuilder<unknown> {
  const table = sql.table(definition.table);
  const seen = valuesSeen(definition, ctx);
  if (!seen) return table;
  const { fields } = rowsAre(definition, ctx.model);
  const columns = [...standardNames, ...Object.keys(fields)].map((name) => {
    const value = seen(name, 'r');
    return value ? sql`${value} AS ${sql.ref(name)}` : sql.ref(`r.${name}`);
  });
  return sql`(SELECT ${sql.join(columns)} FROM ${table} AS r)`;
}

/**
 * What somebody sees of a column of the rows of that alias, where that is not all of it; undefined where he sees all columns
 * as they are.
 * @param sites the fields whose values he sees in some rows only
 */
function valuesSeen(
  definition: Definition,
  ctx: Pick<Context, 'currentUser' | 'model'>,
  sites = hiddenFields(definition, ctx),
): ((name: string, alias: string) => RawBuilder<unknown> | undefined) | undefined {
  const { about } = rowsAre(definition, ctx.model);
  const veiled = about && ctx.currentUser.sites !== 'all' ? modulesWithFieldSites(ctx.model) : [];
  if (sites.size === 0 && veiled.length === 0) return undefined;
  return (name, alias) => {
    const column = sql.ref(`${alias}.${name}`);
    if (about && veiled.length > 0 && about.values.includes(name))
      return sql`CASE WHEN ${sql.ref(`${alias}.${about.module}`)} <> ALL (${veiled}) THEN ${column} END`;
    const of = sites.get(name);
    return of && sql`CASE WHEN ${seesValue(of, ctx, alias)} THEN ${column} END`;
  };
}

const modulesWithFieldSites = (model: Model): string[] =>
  [...model.definitions.values()].filter((it) => fieldSites(rowsAre(it, model)).size > 0).map((it) => it.module);

/** The fields whose values somebody sees in some rows only, and what is computed of them; none for who sees all sites. */
export function hiddenFields(
  definition: Definition,
  { currentUser, model }: Pick<Context, 'currentUser' | 'model'>,
): ReadonlyMap<string, FieldSites> {
  return currentUser.sites === 'all' ? new Map() : fieldSites(rowsAre(definition, model));
}

/** Of a row of that alias, whether somebody sees the values that belong to all of these sites. */
export const seesValue = (
  sites: FieldSites,
  { currentUser, model }: Pick<Context, 'currentUser' | 'model'>,
  alias: string,
): RawBuilder<SqlBool> => {
  const all = sites.map(({ through, by }) =>
    createSiteCondition({ through, by, orNone: true }, currentUser, model, alias),
  );
  return sql<SqlBool>`(${sql.join(all, sql` AND `)})`;
};

/** Rows that are each one's own: others' only with the right that the definition names. */
function ownedBy({ module, owner }: Definition, currentUser: CurrentUser, alias: string): RawBuilder<SqlBool>[] {
  if (!owner || mayDo(currentUser.rights, `${module}:${owner.unless}`)) return [];
  return [sql<SqlBool>`${sql.ref(`${alias}.${owner.field}`)} = ${currentUser.userId}`];
}

/** Rows that tell of others': of modules that somebody may list, and of what is each one's own his own alone. Rule: writing#ledger. */
function toldOf({ about }: Definition, currentUser: CurrentUser, model: Model, alias: string): RawBuilder<SqlBool>[] {
  if (!about) return [];
  const { userId, rights } = currentUser;
  const of = sql.ref(`${alias}.${about.module}`);
  const all = [...model.definitions.values()];
  const own = all.filter((it) => it.owner && !mayDo(rights, `${it.module}:${it.owner.unless}`)).map((it) => it.module);
  const listed = [...all.map((it) => [it.module, it.module] as const), ...Object.entries(platformLists)]
    .filter(([, list]) => mayDo(rights, `${list}:list`))
    .map(([module]) => module);
  return [
    ...(lacks(rights, '*:list') ? [sql<SqlBool>`${of} = ANY(${listed})`] : []),
    ...(own.length > 0
      ? [sql<SqlBool>`(${of} <> ALL (${own}) OR ${sql.ref(`${alias}.${about.by}`)} = ${userId})`]
      : []),
  ];
}

/**
 * The site of a row of that alias, for what is written down about it: the writer's own, unless the row is none of that site;
 * '' where it has none that could be told. Rule: writing#ledger.
 */
export function siteOfRow(
  definition: Definition,
  { currentUser, model }: Pick<Context, 'currentUser' | 'model'>,
  alias: string,
): RawBuilder<string> {
  const { site } = rowsAre(definition, model);
  const { siteId } = currentUser;
  if (currentUser.sites !== 'all' || site === 'all') return sql`${siteId}::text`;
  if (Array.isArray(site)) {
    const sites = sql.join(site.map((name) => sql.ref(`${alias}.${name}`)));
    return sql`CASE WHEN ${siteId} IN (${sites}) THEN ${siteId} ELSE coalesce(${sites}, '') END`;
  }
  const parent = model.definitions.get(site.through);
  if (!parent) return sql`''`;
  const { by, as = by, orNone = false } = site;
  const above = `${alias}p`;
  const found = sql`SELECT ${siteOfRow(parent, { currentUser, model }, above)} FROM ${sql.table(parent.table)} AS ${sql.ref(above)}
    WHERE ${sql.ref(`${above}.${as}`)} = ${sql.ref(`${alias}.${by}`)} LIMIT 1`;
  return sql`coalesce((${found}), ${orNone ? siteId : ''})`;
}

function createSiteCondition(
  site: Definition['site'],
  currentUser: CurrentUser,
  model: Model,
  alias: string,
): RawBuilder<SqlBool> {
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
