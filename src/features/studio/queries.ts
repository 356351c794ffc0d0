import { CompiledQuery, sql, type RawBuilder, type SqlBool } from 'kysely';
import { indexesOf, standardNames, type Index } from '#domain/definition/columns.ts';
import { boundsOf } from '#domain/definition/fieldBounds.ts';
import type { Definition, Field, Model } from '#domain/definition/grammar.ts';
import { regexOf } from '#domain/definition/pattern.ts';
import { rowsAre } from '#domain/definition/rowsOf.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import { inBoth } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import type { Emptied, FormerContents, Plan } from '#server/definitions/definitions.ts';
import type { Look } from '#server/definitions/look.ts';
import { withoutFigures } from '#server/definitions/refused.ts';
import type { PublishedChange } from '#server/definitions/read.ts';
import { createScopeCondition, hiddenFields, rowsSeen } from '#server/engine/scope.ts';
import { orTooSlow } from '#server/engine/withinTime.ts';

/** The columns of a table, also those that no definition names any more: what was taken back leaves its columns. */
export async function readColumns(table: string, { db }: Context): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT attname AS name FROM pg_attribute
     WHERE attrelid = to_regclass(quote_ident(${table})) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`.execute(
    db,
  );
  return rows.map((it) => it.name);
}

/** About how many rows a module's table holds, as PostgreSQL keeps count; a view has none of its own. Null for who may not see all of them. */
export async function countRows(definition: Definition, ctx: Context): Promise<number | null> {
  if (!maySeeAll(definition, [], ctx)) return null;
  const { rows } = await sql<{ count: number }>`
    SELECT pg_stat_get_live_tuples(oid)::float8 AS count FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relname = ${definition.table}`.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

/**
 * What publishing would do to the database: its statements in their order, each with its table, how many rows that has for
 * who may see all of them, and whether it is done beside whoever writes. Rule: definitions#drafts.
 */
export async function findStatements(plan: Plan, { contents }: Pick<Draft, 'contents'>, ctx: Context) {
  const tables = plan.statements.map((it) => /(?:ON|TABLE|COLUMN) "([^"]+)"/.exec(it)?.[1] ?? '');
  const { rows } = await sql<{ name: string; count: number }>`
    SELECT relname AS name, pg_stat_get_live_tuples(oid) AS count FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relname = ANY (${tables})`.execute(ctx.db);
  const counts = new Map(rows.map((it) => [it.name, it.count]));
  const owners = [...ctx.model.definitions.values()].filter((it) => !it.rowsOf);
  const told = contents.filter((it) => it.field === undefined && it.count !== undefined);
  const known = new Set([...owners.filter((it) => maySeeAll(it, [], ctx)), ...told].map((it) => it.table));
  return plan.statements.map((text, i) => {
    const table = tables[i] ?? '';
    return {
      sql: text,
      table,
      rows: !counts.has(table) || known.has(table) ? (counts.get(table) ?? 0) : null,
      beside: /^CREATE (?:UNIQUE )?INDEX/.test(text) && counts.has(table),
    };
  });
}

export interface Broken {
  module: string;
  field: string;
  rule: string;
  /** Undefined where counting them takes too long. */
  count: number | undefined;
  ids: number[];
}

/** Whether a check has no time left: what it would still count is told as not counted. */
export type IsOver = () => boolean;

/** More than this is "many": counting a million rows to the last is nobody's need. */
const MOST_COUNTED = 10_000;
const FIRST = 20;

/**
 * The rows that would break what a draft tightens: nobody can save them any more without mending them. Only those that who
 * asks may see, as bounds and patterns that are tried one after the other would tell what stands in the others. Rule:
 * definitions#drafts.
 */
export async function findBroken(
  changes: readonly PublishedChange[],
  model: Model,
  ctx: Context,
  isOver: IsOver,
): Promise<Broken[]> {
  const found: Broken[] = [];
  for (const { module, change } of changes) {
    const [before, after] = [ctx.model.definitions.get(module), model.definitions.get(module)];
    if (!before || !after || !mayAskOf(before, ctx)) continue;
    for (const name of Object.keys(change.fields ?? {})) {
      const [was, is] = [before.fields[name], after.fields[name]];
      if (!was || !is || was.type === 'password') continue;
      for (const [rule, breaks] of tightened(name, was, is)) {
        const rows = await readRows(sql`${rowsSeen(before, ctx)} AS t`, before, breaks, ctx, isOver);
        if (rows.count !== 0) found.push({ module, field: name, rule, ...rows });
      }
    }
  }
  return found;
}

/** The rules that are tighter than they were, each with what its breaking looks like. */
function tightened(name: string, was: Field, is: Field): [string, RawBuilder<SqlBool>][] {
  const column = sql.ref(name);
  const [before, after] = [boundsOf(was), boundsOf(is)];
  const rules: [string, RawBuilder<SqlBool>][] = [];
  if (is.required && !was.required) rules.push(['required', sql`${column} IS NULL`]);
  const grown = (a: number | undefined, b: number | undefined) => a !== undefined && a > (b ?? -Infinity);
  const shrunk = (a: number | undefined, b: number | undefined) => a !== undefined && a < (b ?? Infinity);
  if (grown(after.min, before.min)) rules.push(['min', sql`${column}::numeric < ${after.min}::numeric`]);
  if (shrunk(after.max, before.max)) rules.push(['max', sql`${column}::numeric > ${after.max}::numeric`]);
  if (grown(after.minLength, before.minLength))
    rules.push(['minLength', sql`length(${column}) < ${after.minLength}::numeric`]);
  if (shrunk(after.maxLength, before.maxLength))
    rules.push(['maxLength', sql`length(${column}) > ${after.maxLength}::numeric`]);
  if (is.pattern && is.pattern.mask !== was.pattern?.mask)
    rules.push(['pattern', sql`${column} !~ ${regexOf(is.pattern.mask)}`]);
  return rules;
}

/** Whether the rows of a module are there to be counted, for who may see its list. */
export const mayAskOf = (definition: Definition, { currentUser, model }: Context): boolean =>
  !rowsAre(definition, model).viewOf && mayDo(currentUser.rights, `${definition.module}:list`);

/** Of the table `t` the rows that break a rule and are seen, counted as far as anybody needs, and the first of them. */
export async function readRows(
  from: RawBuilder<unknown>,
  definition: Definition,
  breaks: RawBuilder<SqlBool>,
  { search, currentUser, model }: Context,
  isOver: IsOver,
): Promise<Pick<Broken, 'count' | 'ids'>> {
  if (isOver()) return { count: undefined, ids: [] };
  const isSeen = createScopeCondition(definition, currentUser, model);
  const reading = sql<{ count: number; ids: number[] | null }>`
    WITH broken AS (SELECT t.id FROM ${from} WHERE ${isSeen} AND ${breaks} LIMIT ${MOST_COUNTED})
    SELECT count(*)::int AS count, (SELECT array_agg(id::int) FROM (SELECT id FROM broken ORDER BY id LIMIT ${FIRST}) AS f) AS ids
      FROM broken`;
  const rows = (await unlessTooSlow(reading.execute(search)))?.rows;
  return rows ? { count: rows[0]?.count ?? 0, ids: rows[0]?.ids ?? [] } : { count: undefined, ids: [] };
}

/** Undefined where the database has ended it for its length, or no connection of the searches is free. */
async function unlessTooSlow<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await orTooSlow(reading);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Looks on the connections of the searches, while a check has time left. */
export const lookWithin =
  (ctx: Pick<Context, 'search'>, isOver: IsOver): Look =>
  async <Row extends object>(query: string, values: readonly unknown[] = []) => {
    if (isOver()) return undefined;
    return (await unlessTooSlow(ctx.search.executeQuery<Row>(CompiledQuery.raw(query, [...values]))))?.rows;
  };

const MOST_VALUES = 5;
const MOST_SIGNS = 60;

interface Draft {
  model: Model;
  emptied: readonly Emptied[];
  /** What is still there under its new names. */
  contents: readonly FormerContents[];
}

/** An index that a draft asks for, with its columns that hold something already. */
interface NewIndex {
  index: Index;
  there: string[];
  after: Definition;
}

async function newIndexes(
  changes: readonly PublishedChange[],
  { model, emptied }: Draft,
  ctx: Context,
): Promise<NewIndex[]> {
  const found: NewIndex[] = [];
  for (const where of new Set(changes.map((it) => it.module))) {
    const [before, after] = [ctx.model.definitions.get(where), model.definitions.get(where)];
    if (!after || after.viewOf || after.rowsOf) continue;
    const known = before ? indexesOf(before).map((it) => it.name) : [];
    const made = indexesOf(after).filter((it) => !known.includes(it.name));
    if (made.length === 0) continue;
    const gone = emptied.filter((it) => it.table === after.table).map((it) => it.column);
    if (gone.includes(undefined)) continue;
    const columns = (await readColumns(after.table, ctx)).filter((it) => !gone.includes(it));
    for (const index of made) found.push({ index, there: index.columns.filter((it) => columns.includes(it)), after });
  }
  return found;
}

/**
 * Values that rows share, of what no two rows may share any more: how many, and the first of them, each with its number of
 * rows, for who may read all of them. Where counting takes too long, building the index finds them. Rule: definitions#drafts.
 */
export async function findShared(
  changes: readonly PublishedChange[],
  draft: Draft,
  ctx: Context,
  isOver: IsOver,
): Promise<DefinitionProblem[]> {
  const problems: DefinitionProblem[] = [];
  for (const { index, there, after } of await newIndexes(changes, draft, ctx)) {
    const { columns, unique } = index;
    if (!unique || there.length < columns.length) continue;
    if (isOver()) return problems;
    const { count, values } = await countShared(after.table, columns, ctx);
    if (count === 0) continue;
    const isSeen = maySeeAllOf(after, columns, draft, ctx);
    problems.push({
      ...{ kind: 'NotApplied', where: after.module, what: 'rows share values', path: `fields.${columns[0]}` },
      ...(isSeen ? { rule: 'rowsShare', name: values, count } : { rule: 'rowsShareUnseen', name: columns.join(', ') }),
    });
  }
  return problems;
}

/** What one entry of a B-tree holds, and what it needs beside its values. */
const MOST_BYTES = 2704;
const HEAD_BYTES = 8;

/**
 * Rows whose values are too long for an index that a draft asks for, counted, with the fields by what they are called. Values
 * are taken as long as the table keeps them, compressed or not; a last byte more or less is for the building of the index to
 * find. Rule: definitions#drafts.
 */
export async function findLong(
  changes: readonly PublishedChange[],
  draft: Draft,
  ctx: Context,
  isOver: IsOver,
): Promise<DefinitionProblem[]> {
  const problems: DefinitionProblem[] = [];
  for (const { index, there, after } of await newIndexes(changes, draft, ctx)) {
    if (there.length === 0) continue;
    if (isOver()) return problems;
    const bytes = [...there, ...index.included].map((it) => sql`coalesce(pg_column_size(${sql.ref(it)}), 0)`);
    const long = sql`SELECT 1 FROM ${sql.table(after.table)}
      WHERE ${HEAD_BYTES}::int + ${sql.join(bytes, sql` + `)} > ${MOST_BYTES}::int LIMIT ${MOST_COUNTED}`;
    const counting = sql<{ n: number }>`SELECT count(*)::int AS n FROM (${long}) AS found`;
    const count = (await unlessTooSlow(counting.execute(ctx.search)))?.rows[0]?.n ?? 0;
    if (count === 0) continue;
    const called = there.flatMap((it) => after.fields[it]?.label ?? []);
    const problem: DefinitionProblem = {
      ...{ kind: 'NotApplied', rule: 'valuesTooLong', where: after.module, what: 'values too long for an index' },
      ...{ path: `fields.${there[0]}`, name: called.map(({ zh, en }) => inBoth(zh, en)).join(', '), count },
    };
    problems.push(maySeeAllOf(after, there, draft, ctx) ? problem : withoutFigures(problem));
  }
  return problems;
}

/** What is told of rows to who asks: how many, and which, only where he may see all of them. Rule: definitions#figures. */
export const seenBy =
  (ctx: Context, { model, contents }: Pick<Draft, 'model' | 'contents'> = { model: ctx.model, contents: [] }) =>
  (problem: DefinitionProblem): DefinitionProblem => {
    const definition = model.definitions.get(problem.where);
    const [, field] = (problem.path ?? '').split('.');
    const isSeen = definition && maySeeAllOf(definition, [field ?? []].flat(), { contents }, ctx);
    return isSeen ? problem : withoutFigures(problem);
  };

/**
 * Whether somebody may see these columns of a module as a draft makes it, in all rows: what is published as it is, and what
 * is new where he is told how much of it there was. Rule: definitions#figures.
 */
function maySeeAllOf(
  after: Definition,
  columns: readonly string[],
  { contents }: Pick<Draft, 'contents'>,
  ctx: Context,
): boolean {
  const { module, fields } = after;
  const before = ctx.model.definitions.get(module);
  const isTold = (field?: string) =>
    contents.some((it) => it.module === module && it.field === field && it.count !== undefined);
  const isNew = (name: string) =>
    !(standardNames as string[]).includes(name) && !(before && Object.hasOwn(before.fields, name));
  const made = columns.filter(isNew);
  const hidden = hiddenFields(after, ctx);
  return (
    made.every((it) => fields[it] !== undefined && fields[it].type !== 'password' && !hidden.has(it)) &&
    (before
      ? maySeeAll(
          before,
          columns.filter((it) => !isNew(it)),
          ctx,
        ) && made.every(isTold)
      : isTold())
  );
}

/** Whether somebody may see these columns in all rows of a module's table. */
function maySeeAll(given: Definition, columns: readonly string[], ctx: Context): boolean {
  const definition = rowsAre(given, ctx.model);
  const { module, site, owner, fields } = definition;
  const { rights, sites } = ctx.currentUser;
  const hidden = hiddenFields(definition, ctx);
  return (
    mayDo(rights, `${module}:list`) &&
    (site === 'all' || sites === 'all') &&
    (!owner || mayDo(rights, `${module}:${owner.unless}`)) &&
    columns
      .filter((it) => !(standardNames as string[]).includes(it))
      .every((it) => fields[it] !== undefined && fields[it].type !== 'password' && !hidden.has(it))
  );
}

async function countShared(table: string, columns: readonly string[], ctx: Context) {
  const names = sql.join(columns.map((it) => sql.ref(it)));
  const isSaid = sql.join(
    columns.map((it) => sql`${sql.ref(it)} IS NOT NULL`),
    sql` AND `,
  );
  const value = sql`left(concat_ws(' · ', ${names}), ${MOST_SIGNS})`;
  const counting = sql<{ count: number; values: string | null }>`
    WITH shared AS (SELECT ${value} AS value, count(*) AS n FROM ${sql.table(table)} WHERE ${isSaid}
                     GROUP BY ${names} HAVING count(*) > 1 ORDER BY 2 DESC, 1 LIMIT ${MOST_COUNTED})
    SELECT count(*)::int AS count,
           (SELECT string_agg(value || ' ×' || n, ', ') FROM (SELECT value, n FROM shared LIMIT ${MOST_VALUES}) AS f) AS values
      FROM shared`;
  const rows = (await unlessTooSlow(counting.execute(ctx.search)))?.rows;
  return { count: rows?.[0]?.count ?? 0, values: rows?.[0]?.values ?? '' };
}

/** The roles by what they are called, each with what it may do in a module, as far as that is there: a former button is none. */
export async function readRoles(module: string, { db, model }: Context) {
  const roles = await db
    .selectFrom('admin_role')
    .select(['id', 'roleId', 'name', 'nameEn'])
    .orderBy('roleId')
    .execute();
  const rights = await db
    .selectFrom('role_right')
    .select(['roleId', 'right'])
    .where(sql<boolean>`split_part("right", ':', 1) IN (${module}, '*')`)
    .execute();
  const buttons = model.definitions.get(module)?.buttons ?? [];
  const there = new Set([...buttons.map((it) => it.btnNo), 'list', '*']);
  const isThere = (right: string) =>
    right.startsWith('*:') || (model.definitions.has(module) && there.has(right.split(':')[1] ?? ''));
  return roles.map(({ id, roleId, name, nameEn }) => ({
    ...{ id, roleId, label: { zh: name, en: nameEn } },
    rights: rights.flatMap((it) => (it.roleId === roleId && isThere(it.right) ? (it.right.split(':')[1] ?? '') : [])),
  }));
}
