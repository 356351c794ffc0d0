import { sql } from 'kysely';
import type { BulkAnswer, Verdict } from '#domain/bulk.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { exactId } from '#domain/exact.ts';
import { refusals, Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { databaseRefusalOf } from '#server/databaseRefusal.ts';
import { createBulkAction, type Target } from '#server/engine/bulkActions.ts';
import { createCondition } from '#server/engine/conditions.ts';
import { readableField } from '#server/engine/describe.ts';
import { createFilters, type Condition } from '#server/engine/filters.ts';
import type { Row } from '#server/engine/rows.ts';
import { createScopeCondition, rowsSeen } from '#server/engine/scope.ts';
import type { Route } from '#server/route.ts';
import { sentenceOf } from '#server/sentences.ts';
import { codeOf } from '#server/transaction.ts';

/** How many rows one run takes. */
export const MAX_ROWS = 10_000;

/**
 * One action on many rows: on those that are named, or on all that match. Each row is judged by itself, within a
 * savepoint of its own, so that a refused one stops no other; the ledger has one entry a row. A dry run does the same
 * and takes every row back at once, so that its verdicts are the real ones. `routes` are the calls of row actions.
 * Rule: lists#bulk.
 */
export async function bulk(
  definition: Definition,
  body: Row,
  ctx: Context,
  routes: readonly Route[],
): Promise<BulkAnswer> {
  const { action, ids, matching, values, dryRun = false } = body;
  if (typeof dryRun !== 'boolean') {
    throw new Refusal({ key: 'format', field: 'dryRun', args: { field: 'dryRun' } });
  }
  const perform = createBulkAction(definition, action, values, ctx, routes);
  const targets =
    ids === undefined ? await matchingRows(definition, matching, ctx) : await namedRows(definition, ids, ctx);
  const results: Verdict[] = [];
  for (const it of targets) results.push(await judge(it, perform, dryRun, ctx));
  const doneCount = results.filter((it) => it.done).length;
  return {
    dryRun,
    total: results.length,
    doneCount,
    refusedCount: results.length - doneCount,
    results,
  };
}

async function judge(
  target: Target,
  perform: (target: Target, ctx: Context) => Promise<unknown>,
  isDry: boolean,
  ctx: Context,
): Promise<Verdict> {
  const { id, name } = target;
  await sql`SAVEPOINT bulk_row`.execute(ctx.db);
  try {
    await perform(target, ctx);
    await sql.raw(isDry ? 'ROLLBACK TO SAVEPOINT bulk_row' : 'RELEASE SAVEPOINT bulk_row').execute(ctx.db);
    return { id, name, done: true, code: '000000', msg: '' };
  } catch (error) {
    const refusal = refusalOf(error, ctx);
    if (!refusal) throw error;
    await sql`ROLLBACK TO SAVEPOINT bulk_row`.execute(ctx.db);
    const [first] = refusal.problems;
    const { key } = first;
    return { id, name, done: false, code: refusals[key].code, key, msg: sentenceOf(first, ctx.lang, ctx.model) };
  }
}

/** A row that is locked elsewhere is refused as one that is being changed; what nobody foresaw ends the whole run. */
function refusalOf(error: unknown, { model }: Context): Refusal | null {
  if (error instanceof Refusal) return error;
  const refused = databaseRefusalOf(error, model);
  if (refused) return new Refusal(refused);
  return codeOf(error) === '55P03' ? new Refusal({ key: 'stale' }) : null;
}

async function namedRows(definition: Definition, ids: unknown, ctx: Context): Promise<Target[]> {
  if (!Array.isArray(ids) || ids.length === 0) {
    throw new Refusal({ key: 'required', field: 'ids', args: { fields: 'ids' } });
  }
  refuseTooMany(ids.length);
  const numbers = [...new Set(ids.map(exactId))].filter((it) => it !== null);
  if (ids.some((it) => exactId(it) === null))
    throw new Refusal({ key: 'format', field: 'ids', args: { field: 'ids' } });
  const found = new Map((await readTargets(definition, [sql`t.id = ANY(${numbers})`], ctx)).map((it) => [it.id, it]));
  // What is not there, or another site's, is refused row by row as the single call would.
  return numbers.map((id) => found.get(id) ?? { id, name: String(id), row: {} });
}

async function matchingRows(definition: Definition, matching: unknown, ctx: Context): Promise<Target[]> {
  if (typeof matching !== 'object' || matching === null || Array.isArray(matching)) {
    throw new Refusal({ key: 'required', field: 'matching', args: { fields: 'ids, matching' } });
  }
  const { query = {}, adminAdvancedSearchGroup, ...strange } = matching as Row;
  const [unknown] = Object.keys(strange);
  if (unknown) throw new Refusal({ key: 'unknownField', field: unknown, args: { field: unknown } });
  if (typeof query !== 'object' || query === null || Array.isArray(query)) {
    throw new Refusal({ key: 'format', field: 'matching.query', args: { field: 'query' } });
  }
  const tree = adminAdvancedSearchGroup ? createCondition(definition, adminAdvancedSearchGroup, ctx) : null;
  const conditions = [...createFilters(definition, query as Row, ctx), ...(tree ? [tree] : [])];
  const rows = await readTargets(definition, conditions, ctx);
  if (rows.length > MAX_ROWS) refuseTooMany(await count(definition, conditions, ctx));
  return rows;
}

const refuseTooMany = (n: number): void => {
  if (n > MAX_ROWS) throw new Refusal({ key: 'tooManyRows', field: 'matching', args: { n, max: MAX_ROWS } });
};

const createWhere = (definition: Definition, conditions: readonly Condition[], ctx: Context) =>
  sql.join([createScopeCondition(definition, ctx.currentUser, ctx.model), ...conditions], sql` AND `);

async function readTargets(definition: Definition, conditions: readonly Condition[], ctx: Context): Promise<Target[]> {
  const name = definition.list?.columns.find((it) => it in definition.fields && readableField(definition, it)) ?? 'id';
  const number = definition.number?.field ?? 'id';
  const { rows } = await sql<{ id: number; version: number; name: unknown; number: unknown }>`
    SELECT t.id, t.version, ${sql.ref(`t.${name}`)} AS name, ${sql.ref(`t.${number}`)} AS number
      FROM ${rowsSeen(definition, ctx)} AS t WHERE ${createWhere(definition, conditions, ctx)}
     ORDER BY t.id LIMIT ${MAX_ROWS + 1}`.execute(ctx.db);
  return rows.map((it) => ({
    id: it.id,
    name: String(it.name ?? it.number ?? it.id),
    row: { version: it.version, ...(definition.number && { [definition.number.field]: it.number }) },
  }));
}

async function count(definition: Definition, conditions: readonly Condition[], ctx: Context): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM ${rowsSeen(definition, ctx)} AS t WHERE ${createWhere(definition, conditions, ctx)}`.execute(
    ctx.db,
  );
  return Number(rows[0]?.n ?? 0);
}
