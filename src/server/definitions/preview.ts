import { sql, type Kysely } from 'kysely';
import { columnsOf, computedColumnsOf, standardColumns } from '#domain/definition/columns.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { keptRights, madeRights } from '#domain/definition/madeRights.ts';
import type { Context, CurrentUser } from '#server/context.ts';
import type { Tables } from '#server/db/tables.ts';
import type { DraftModel } from '#server/definitions/definitions.ts';
import type { PublishedChange } from '#server/definitions/read.ts';
import { quoted } from '#server/db/quoted.ts';
import { computedSql } from '#server/definitions/computedColumn.ts';
import { isAnother } from '#server/definitions/rights.ts';
import { ownersIn } from '#server/definitions/tables.ts';
import { findUngivable } from '#server/session/powers.ts';

/**
 * What somebody may do once he has published a draft: what it gives to his roles, as far as he may give that, what it makes
 * and gives to nobody, and without what it takes from them. Rule: definitions#preview.
 */
export async function rightsAfter(
  db: Kysely<Tables>,
  { changes, published }: Pick<DraftModel, 'changes' | 'published'>,
  { rights, roleIds }: Pick<CurrentUser, 'rights' | 'roleIds'>,
): Promise<ReadonlySet<string>> {
  const made = madeRights(published, changes);
  const isOther = (right: string) => !made.has(right);
  const kept = keptRights(published, changes);
  const isHis = ({ change }: PublishedChange) =>
    roleIds.some((it) => change.rights && Object.hasOwn(change.rights, it));
  const giving = changes.filter(isHis);
  if (giving.length === 0) return new Set([...[...rights].filter(isOther), ...kept]);
  const all = await db.selectFrom('role_right').select(['roleId', 'right']).where('roleId', 'in', roleIds).execute();
  const own = await db.selectFrom('admin_role').select(['roleId', 'id']).where('roleId', 'in', roleIds).execute();
  let held = all.filter((it) => isOther(it.right));
  for (const { module, change, roles } of giving) {
    const meant = new Set(own.filter((it) => !isAnother(it, roles)).map((it) => it.roleId));
    for (const [roleId, buttons] of Object.entries(change.rights ?? {})) {
      if (!meant.has(roleId)) continue;
      const wanted = buttons.map((it) => `${module}:${it}`);
      const beyond = await findUngivable({ db, currentUser: { rights } }, wanted.filter(isOther));
      const given = wanted.filter((it) => !beyond.has(it));
      held = [
        ...held.filter((it) => it.roleId !== roleId || !it.right.startsWith(`${module}:`)),
        ...given.map((right) => ({ roleId, right })),
      ];
    }
  }
  return new Set([...held.map((it) => it.right), ...kept]);
}

/**
 * Reads as if a draft were published: its new columns are empty, its new tables have no rows. They stand before the real
 * tables on this one connection and are gone with its transaction, so that nobody else sees or waits for any of it. Rule:
 * definitions#preview.
 */
export function readPreview<T>(
  ctx: Context,
  { model, published, changes }: DraftModel,
  read: (inside: Context) => Promise<T>,
): Promise<T> {
  // A list of another's rows has no table of its own.
  const changed = ownersIn(model).filter((it) => !it.viewOf && changes.some(({ module }) => module === it.module));
  const named = (table: string) =>
    new Set([...published.definitions.values()].flatMap((it) => (it.table === table ? Object.keys(it.fields) : [])));
  return ctx.search.connection().execute(async (db) => {
    await sql`BEGIN`.execute(db);
    try {
      // What extensions bring may stand in a schema of its own.
      const { rows } = await sql<{ schema: string; path: string }>`
        SELECT current_schema() AS schema, string_agg(quote_ident(name), ', ' ORDER BY n) AS path
          FROM unnest(current_schemas(false)) WITH ORDINALITY AS it (name, n)
         WHERE name <> 'pg_catalog' AND name NOT LIKE 'pg\\_temp%'`.execute(db);
      const [{ schema, path } = { schema: 'public', path: 'public' }] = rows;
      // A table is a type as well, and one that is called as PostgreSQL's own would stand before that.
      await sql`SELECT set_config('search_path', 'pg_temp, ' || ${path}, true)`.execute(db);
      for (const it of changed)
        await shadow(db, schema, it, published.definitions.has(it.module) ? named(it.table) : undefined);
      return await read({ ...ctx, db, search: db, cache: undefined });
    } finally {
      await sql`ROLLBACK`.execute(db);
    }
  });
}

/**
 * What a new module's table would be called may be there already, and so may a new field's column: what they hold from
 * before is not shown.
 * @param named the fields that its table has by what is published; undefined of a new module
 */
async function shadow(
  db: Kysely<Tables>,
  schema: string,
  definition: Definition,
  named: ReadonlySet<string> | undefined,
): Promise<void> {
  const { table } = definition;
  const { rows } = await sql<{ name: string }>`
    SELECT a.attname AS name
      FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE c.relname = ${table} AND n.nspname = ${schema} AND a.attnum > 0 AND NOT a.attisdropped`.execute(db);
  const wanted = columnsOf(definition);
  const computed = computedColumnsOf(definition);
  if (rows.length === 0 || !named) {
    const all = [
      ...Object.entries(standardColumns).map(([name, type]) => `${quoted(name)} ${type}`),
      ...[...wanted, ...computed].map((it) => `${quoted(it.name)} ${it.sqlType}`),
    ];
    await sql.raw(`CREATE TEMP TABLE ${quoted(table)} (${all.join(', ')}) ON COMMIT DROP`).execute(db);
    return;
  }
  const there = new Set(rows.map((it) => it.name));
  const missing = wanted.filter((it) => !there.has(it.name) || !named.has(it.name));
  if (missing.length + computed.length === 0) return;
  const anew = new Set([...computed, ...missing].map((it) => it.name));
  const kept = [...there].filter((it) => !anew.has(it)).map(quoted);
  const empty = missing.map((it) => `NULL::${it.sqlType} AS ${quoted(it.name)}`);
  const own = `SELECT ${[...kept, ...empty].join(', ')} FROM ${quoted(schema)}.${quoted(table)}`;
  const all = computed.map((it) => `(${computedSql(definition, it.name)})::${it.sqlType} AS ${quoted(it.name)}`);
  await sql
    .raw(`CREATE TEMP VIEW ${quoted(table)} AS SELECT ${['own.*', ...all].join(', ')} FROM (${own}) AS own`)
    .execute(db);
}
