import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Definition } from '#domain/definition/grammar.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import type { Tables } from '#server/db/tables.ts';
import { readableField } from '#server/engine/describe.ts';
import type { Condition } from '#server/engine/filters.ts';
import { scopeOf } from '#server/engine/scope.ts';
import { scopeTables } from '#server/engine/tables.ts';

export type Row = Record<string, unknown>;

export interface Page {
  start: number;
  count: number;
  orderBy: { name: string; descending: boolean }[];
  withTotal: boolean;
}

const MAX_PAGE = 200;
const MAX_START = 10_000_000;

/** Which rows of a list are asked for. `sortBy` and `order` are looked up. Specification 1, section 7. */
export function pageOf(definition: Definition, query: Row): { page: Page; rest: Row } {
  const { pageStart, pageCount, sortBy, order, total, ...rest } = query;
  const sortable = new Set([...(definition.list?.columns ?? []), 'id', 'createTime']);
  if (sortBy !== undefined && sortBy !== '' && !sortable.has(String(sortBy))) {
    throw new Refusal({ key: 'unknownField', field: 'sortBy', args: { field: String(sortBy) } });
  }
  if (order !== undefined && order !== '' && order !== 'asc' && order !== 'desc') {
    throw new Refusal({ key: 'unknownField', field: 'order', args: { field: String(order) } });
  }
  const orderBy = sortBy
    ? { name: String(sortBy), descending: order === 'desc' }
    : {
        name: (definition.list?.sort ?? '-id').replace(/^-/, ''),
        descending: (definition.list?.sort ?? '-id').startsWith('-'),
      };
  const page: Page = {
    start: wholeNumber('pageStart', pageStart, 0, 0, MAX_START),
    count: wholeNumber('pageCount', pageCount, 10, 1, MAX_PAGE),
    // The id last, so that equal values never make a row appear on two pages.
    orderBy: orderBy.name === 'id' ? [orderBy] : [orderBy, { name: 'id', descending: orderBy.descending }],
    withTotal: total !== 'none',
  };
  return { page, rest };
}

function wholeNumber(field: string, raw: unknown, fallback: number, min: number, max: number): number {
  if (raw === undefined || raw === '') return fallback;
  const value = Number(raw);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Refusal({ key: 'format', field, args: { field } });
  return value;
}

/** One page of a module's rows within the asker's scope, and how many there are in all. */
export async function readPage(
  definition: Definition,
  names: readonly string[],
  conditions: readonly Condition[],
  page: Page,
  ctx: Context,
): Promise<{ items: Row[]; itemTotal: number | null }> {
  const where = sql.join([scopeOf(definition, ctx.who, ctx.model), ...conditions], sql` AND `);
  const from = sql`FROM ${sql.table(definition.table)} AS t WHERE ${where}`;
  const orderBy = sql.join(page.orderBy.map((it) => sql`${sql.ref(`t.${it.name}`)} ${direction(definition, it)}`));
  const select = sql.join(names.map((it) => sql.ref(`t.${it}`)));
  const [items, itemTotal] = await Promise.all([
    sql<Row>`SELECT ${select} ${from} ORDER BY ${orderBy} LIMIT ${page.count} OFFSET ${page.start}`.execute(ctx.db),
    page.withTotal ? countOf(from, definition, ctx) : null,
  ]);
  return { items: items.rows, itemTotal };
}

/** What is empty comes last; a column that never is says no more than its direction, for an index to serve both ways. */
function direction(definition: Definition, { name, descending }: Page['orderBy'][number]): RawBuilder<unknown> {
  if (!descending) return sql`ASC`;
  const isNeverEmpty = ['id', 'createTime'].includes(name) || definition.number?.field === name;
  return isNeverEmpty ? sql`DESC` : sql`DESC NULLS LAST`;
}

/** Exactly how many rows there are; counted once for a condition, and again only after the table has changed. */
async function countOf(from: RawBuilder<unknown>, definition: Definition, ctx: Context): Promise<number> {
  const query = sql<{ n: number }>`SELECT count(*) AS n ${from}`.compile(ctx.db);
  const count = async () => (await ctx.db.executeQuery(query)).rows[0]?.n ?? 0;
  if (!ctx.kept) return count();
  const key = `count ${query.sql} ${JSON.stringify(query.parameters)}`;
  return ctx.kept.get(key, scopeTables(definition, ctx.model), count);
}

/** One row by its id, or by the business number of its module; refused as not found outside of the scope. */
export async function readRow(
  definition: Definition,
  id: unknown,
  names: readonly string[],
  ctx: Context,
  lock = false,
): Promise<Row> {
  const select = sql.join(names.map((it) => sql.ref(`t.${it}`)));
  const { rows } = await sql<Row>`
    SELECT ${select} FROM ${sql.table(definition.table)} AS t
     WHERE ${isRow(definition, id)} AND ${scopeOf(definition, ctx.who, ctx.model)} ${lock ? sql`FOR UPDATE` : sql``}
  `.execute(ctx.db);
  if (!rows[0])
    throw new Refusal({ key: 'notFound', field: 'id', args: { what: definition.label, value: String(id) } });
  return rows[0];
}

function isRow(definition: Definition, id: unknown): Condition {
  if (id === undefined || id === null || id === '')
    throw new Refusal({ key: 'required', field: 'id', args: { fields: 'id' } });
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  if (/^\d{1,15}$/.test(text)) return sql`t.id = ${Number(text)}`;
  if (definition.number && /^[A-Z]{3}\d{13,}$/.test(text))
    return sql`${sql.ref(`t.${definition.number.field}`)} = ${text}`;
  throw new Refusal({ key: 'notFound', field: 'id', args: { what: definition.label, value: text.slice(0, 64) } });
}

/** Every column that may be read: the definition's own and the engine's. */
export const readableNames = (definition: Definition): string[] => [
  'id',
  'version',
  ...Object.keys(definition.fields).filter((it) => readableField(definition, it)),
  'createBy',
  'createTime',
  'updateBy',
  'updateTime',
];

/** The lines of a bill, oldest first; a bill's lines are bounded by what a station submits. */
export async function readLines(
  definition: Definition,
  by: string,
  value: unknown,
  db: Kysely<Tables>,
): Promise<Row[]> {
  const select = sql.join(readableNames(definition).map((it) => sql.ref(it)));
  const { rows } = await sql<Row>`
    SELECT ${select} FROM ${sql.table(definition.table)} WHERE ${sql.ref(by)} = ${value} ORDER BY id LIMIT 5000`.execute(
    db,
  );
  return rows;
}
