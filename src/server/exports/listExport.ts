import { sql } from 'kysely';
import type { Definition } from '#domain/definition/grammar.ts';
import { CURRENCY } from '#domain/money.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { createCondition } from '#server/engine/conditions.ts';
import { createFilters, type Condition } from '#server/engine/filters.ts';
import { createOrderBy, parsePage, type Row } from '#server/engine/rows.ts';
import { createScopeCondition, rowsSeen } from '#server/engine/scope.ts';
import { createCellReader, exportedColumns, isMoney, sheetColumns } from '#server/exports/columns.ts';
import { exportRows } from '#server/exports/exportRows.ts';
import { jobHandler } from '#server/jobs/job.ts';

export const LIST_EXPORT = 'listExport';
/** Of a list that is not counted to its end, so many times what is counted. */
const EXPORTED_MORE = 10;

/** Which rows and columns of a module's list are exported: what the list stands under, in its own words. */
export interface ListExport {
  module: string;
  /** The simple search, and `sortBy` and `order`. */
  query: Row;
  /** The nested search. */
  condition?: unknown;
  /** Only these rows of it. */
  ids?: number[];
  columns: string[];
}

/** What an export asks the database for; refused at once, before a job is made of it, where it is not allowed. */
export function createPlan({ query, condition, ids, columns }: ListExport, definition: Definition, ctx: Context) {
  const { page, rest } = parsePage(definition, query);
  const tree = condition === undefined ? null : createCondition(definition, condition, ctx);
  const conditions: Condition[] = [
    createScopeCondition(definition, ctx.currentUser, ctx.model),
    ...createFilters(definition, rest, ctx),
    ...(tree ? [tree] : []),
    ...(ids ? [sql<boolean>`t.id = ANY(${ids})` as Condition] : []),
  ];
  const infos = exportedColumns(definition, columns, ctx);
  const from = sql`FROM ${rowsSeen(definition, ctx)} AS t WHERE ${sql.join(conditions, sql` AND `)}`;
  // An amount is written in the currency of its row, asked for or not.
  const isPriced = infos.some(isMoney) && definition.fields[CURRENCY] !== undefined;
  const names = new Set([...infos.map((it) => it.name), ...(isPriced ? [CURRENCY] : [])]);
  const select = sql.join([...names].map((it) => sql.ref(`t.${it}`)));
  return { infos, from, rows: sql<Row>`SELECT ${select} ${from} ORDER BY ${createOrderBy(definition, page.orderBy)}` };
}

/**
 * Writes a module's list into a workbook: strings, numbers and dates, selects by their labels.
 * Rule: exports-and-jobs#list-exports.
 */
export const listExport = jobHandler<ListExport>(async (input, job) => {
  const { ctx } = job;
  const definition = ctx.model.definitions.get(input.module);
  if (!definition)
    throw new Refusal({ key: 'notFound', args: { what: { zh: '模块', en: 'Module' }, value: input.module } });
  const plan = createPlan(input, definition, ctx);
  const { most } = definition.list ?? {};
  const max = most && most * EXPORTED_MORE;
  const counted = await sql<{ n: number }>`
    SELECT count(*) AS n FROM (SELECT 1 ${plan.from} ${max ? sql`LIMIT ${max + 1}` : sql``}) AS counted`.execute(
    ctx.db,
  );
  const total = counted.rows[0]?.n ?? 0;
  if (max && total > max) throw new Refusal({ key: 'exportRows', args: { max } });
  const toCells = createCellReader(definition, plan.infos, ctx);
  return exportRows(job, { columns: sheetColumns(plan.infos), query: plan.rows, toCells, total });
});
