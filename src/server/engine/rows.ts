import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isUnique } from '#domain/definition/columns.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { standingFields } from '#domain/definition/standingFields.ts';
import { rowsAre } from '#domain/definition/rowsOf.ts';
import { recordName } from '#domain/definition/recordName.ts';
import { exactId, exactNumber, exactText } from '#domain/exact.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { readableField } from '#server/engine/describe.ts';
import type { Condition } from '#server/engine/filters.ts';
import { readCached } from '#server/engine/readCached.ts';
import { createScopeCondition, rowsSeen } from '#server/engine/scope.ts';

export type Row = Record<string, unknown>;

export interface Page {
  start: number;
  count: number;
  orderBy: Order[];
  withTotal: boolean;
}

interface Order {
  name: string;
  descending: boolean;
}

const MAX_PAGE = 200;
const MAX_START = 10_000_000;

/** Which rows of a list are asked for. `sortBy` and `order` are looked up. Rule: lists#pages. */
export function parsePage(definition: Definition, query: Row): { page: Page; rest: Row } {
  const { pageStart, pageCount, sortBy, order, total, ...rest } = query;
  const { columns = [], sort = '-id', most = MAX_START } = definition.list ?? {};
  const own = sort.replace(/^-/, '');
  const readable = columns.filter((it) => readableField(definition, it));
  const sortable = new Set(definition.list?.most ? [own] : [...readable, 'id', 'createTime']);
  if (sortBy !== undefined && sortBy !== '' && !sortable.has(String(sortBy))) {
    throw new Refusal({ key: 'unknownField', field: 'sortBy', args: { field: String(sortBy) } });
  }
  if (order !== undefined && order !== '' && order !== 'asc' && order !== 'desc') {
    throw new Refusal({ key: 'unknownField', field: 'order', args: { field: String(order) } });
  }
  const orderBy = sortBy
    ? { name: String(sortBy), descending: order === 'desc' }
    : { name: own, descending: sort.startsWith('-') };
  const page: Page = {
    start: wholeNumber('pageStart', pageStart, 0, 0, most),
    count: wholeNumber('pageCount', pageCount, 10, 1, MAX_PAGE),
    // The id last, so that equal values never make a row appear on two pages.
    orderBy: orderBy.name === 'id' ? [orderBy] : [orderBy, { name: 'id', descending: orderBy.descending }],
    withTotal: total !== 'none',
  };
  return { page, rest };
}

function wholeNumber(field: string, raw: unknown, fallback: number, min: number, max: number): number {
  if (raw === undefined || raw === '') return fallback;
  const value = exactNumber(raw);
  if (value === null || !Number.isInteger(value) || value < min || value > max)
    throw new Refusal({ key: 'format', field, args: { field } });
  return value;
}

/** One page of a module's rows within the user's scope, and how many there are in all. */
export async function readPage(
  definition: Definition,
  names: readonly string[],
  conditions: readonly Condition[],
  page: Page,
  ctx: Context,
): Promise<{ items: Row[]; itemTotal: number | null }> {
  const where = sql.join([createScopeCondition(definition, ctx.currentUser, ctx.model), ...conditions], sql` AND `);
  const [items, itemTotal] = await Promise.all([
    readItems(definition, names, where, page, ctx),
    page.withTotal ? countRows(definition, where, ctx) : null,
  ]);
  return { items, itemTotal };
}

/**
 * What is empty comes last. No index serves that of a descending order: the rows that have a value are asked for first,
 * and all of them only where those don't fill the page.
 */
async function readItems(
  definition: Definition,
  names: readonly string[],
  where: RawBuilder<unknown>,
  page: Page,
  ctx: Context,
): Promise<Row[]> {
  const [{ name, descending }] = page.orderBy as [Order];
  const all = pageSql(definition, names, where, page, createOrderBy(definition, page.orderBy), ctx);
  if (isNeverEmpty(definition, name) || (!descending && !isUnique(definition, name)))
    return rowsOf(all, page, definition, ctx);
  const order = descending ? sql`DESC` : sql`ASC`;
  const column = sql.ref(`t.${name}`);
  const filled = await rowsOf(
    pageSql(
      definition,
      names,
      sql`${where} AND ${column} IS NOT NULL`,
      page,
      isUnique(definition, name) ? sql`${column} ${order}` : sql`${column} ${order}, t.id ${order}`,
      ctx,
    ),
    page,
    definition,
    ctx,
  );
  return filled.length === page.count ? filled : rowsOf(all, page, definition, ctx);
}

/** From here on it is cheaper to walk to a page's ids in an index alone, and to read its rows by them. */
const FAR_DOWN = 1_000;

function pageSql(
  definition: Definition,
  names: readonly string[],
  where: RawBuilder<unknown>,
  { start, count }: Page,
  orderBy: RawBuilder<unknown>,
  ctx: Context,
): RawBuilder<Row> {
  const select = sql.join(names.map((it) => sql.ref(`t.${it}`)));
  const from = sql`FROM ${rowsSeen(definition, ctx)} AS t`;
  const piece = sql`${from} WHERE ${where} ORDER BY ${orderBy} LIMIT ${count} OFFSET ${start}`;
  return start < FAR_DOWN || rowsAre(definition, ctx.model).viewOf
    ? sql`SELECT ${select} ${piece}`
    : sql`SELECT ${select} ${from} JOIN (SELECT t.id ${piece}) AS page USING (id) ORDER BY ${orderBy}`;
}

/** How a list is ordered, what is empty last. */
export const createOrderBy = (definition: Definition, orderBy: Page['orderBy']): RawBuilder<unknown> =>
  sql.join(orderBy.map((it) => sql`${sql.ref(`t.${it.name}`)} ${direction(definition, it)}`));

/** A column that is never empty says no more than its direction, for an index to serve both ways. */
function direction(definition: Definition, { name, descending }: Order): RawBuilder<unknown> {
  if (!descending) return sql`ASC`;
  return isNeverEmpty(definition, name) ? sql`DESC` : sql`DESC NULLS LAST`;
}

const isNeverEmpty = (definition: Definition, name: string): boolean =>
  ['id', 'createTime'].includes(name) || definition.number?.field === name;

/** The rows of a page; the same page is read again only after its tables have changed. */
function rowsOf(page: RawBuilder<Row>, { count }: Page, definition: Definition, ctx: Context): Promise<Row[]> {
  return readCached('page', page, definition, ctx, (rows) => rows, count);
}

/**
 * Exactly how many rows there are, or that there are at least so many as are ever counted of it; counted once for a
 * condition, and again only after the table has changed.
 */
function countRows(definition: Definition, where: RawBuilder<unknown>, ctx: Context): Promise<number> {
  const from = sql`FROM ${rowsSeen(definition, ctx)} AS t WHERE ${where}`;
  const { most } = definition.list ?? {};
  const count = most
    ? sql<{ n: number }>`SELECT count(*) AS n FROM (SELECT 1 ${from} LIMIT ${most}) AS counted`
    : sql<{ n: number }>`SELECT count(*) AS n ${from}`;
  return readCached('count', count, definition, ctx, (rows) => rows[0]?.n ?? 0);
}

/** How many rows hold each value of a field, by value; read again only after the table has changed. */
export function countValues(
  definition: Definition,
  name: string,
  conditions: readonly Condition[],
  ctx: Context,
): Promise<Record<string, number>> {
  const where = sql.join([createScopeCondition(definition, ctx.currentUser, ctx.model), ...conditions], sql` AND `);
  const column = sql.ref(`t.${name}`);
  const count = sql<{ value: string; n: number }>`
    SELECT coalesce(${column}, '') AS value, count(*) AS n FROM ${rowsSeen(definition, ctx)} AS t
     WHERE ${where} GROUP BY 1`;
  return readCached('tabs', count, definition, ctx, (rows) => Object.fromEntries(rows.map((it) => [it.value, it.n])));
}

/**
 * One row by its id, or by the business number of its module; refused as not found outside of the scope. Locked, it is
 * still referred to by rows that others write. Rule: definitions#references.
 */
export async function readRow(
  definition: Definition,
  id: unknown,
  names: readonly string[],
  ctx: Context,
  lock = false,
): Promise<Row> {
  const select = sql.join(names.map((it) => sql.ref(`t.${it}`)));
  const { rows } = await sql<Row>`
    SELECT ${select} FROM ${rowsSeen(definition, ctx)} AS t
     WHERE ${isRow(definition, id)} AND ${createScopeCondition(definition, ctx.currentUser, ctx.model)} ${lock ? sql`FOR NO KEY UPDATE` : sql``}
  `.execute(ctx.db);
  if (!rows[0]) throw notThere(definition, id);
  return rows[0];
}

/** Many of them by their ids, whole and locked one after the other; those that are not there are left out. */
export async function holdRows(
  definition: Definition,
  ids: readonly number[],
  ctx: Context,
): Promise<Map<number, Row>> {
  const select = sql.join(readableNames(definition).map((it) => sql.ref(`t.${it}`)));
  const { rows } = await sql<Row & { id: number }>`
    SELECT ${select} FROM ${rowsSeen(definition, ctx)} AS t
     WHERE t.id = ANY(${ids}) AND ${createScopeCondition(definition, ctx.currentUser, ctx.model)}
     ORDER BY t.id FOR NO KEY UPDATE`.execute(ctx.db);
  return new Map(rows.map((it) => [it.id, it]));
}

/** What somebody is told of a row that is not there, or not his. */
export const notThere = (definition: Definition, id: unknown): Refusal =>
  new Refusal({ key: 'notFound', field: 'id', args: { what: recordName(definition), value: String(id) } });

function isRow(definition: Definition, id: unknown): Condition {
  if (id === undefined || id === null || id === '')
    throw new Refusal({ key: 'required', field: 'id', args: { fields: 'id' } });
  const rowId = exactId(id);
  if (rowId !== null) return sql`t.id = ${rowId}`;
  const text = exactText(id) ?? '';
  if (definition.number && /^[A-Z]{3}\d{13,}$/.test(text))
    return sql`${sql.ref(`t.${definition.number.field}`)} = ${text}`;
  throw new Refusal({ key: 'notFound', field: 'id', args: { what: recordName(definition), value: text.slice(0, 64) } });
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

/** Those of them that somebody is told: what stands nowhere is answered by no call. Rule: lists#answered-fields. */
export const answeredNames = (definition: Definition): string[] => {
  const standing = standingFields(definition);
  return readableNames(definition).filter((it) => standing.has(it));
};

/** A row as it is answered. */
export function asAnswered(definition: Definition, row: Row): Row {
  const standing = standingFields(definition);
  return Object.fromEntries(Object.entries(row).filter(([name]) => standing.has(name)));
}

/** The same, to look names up in. */
export function namesOfRows(definition: Definition): ReadonlySet<string> {
  const known = rowNames.get(definition) ?? new Set(readableNames(definition));
  rowNames.set(definition, known);
  return known;
}
const rowNames = new WeakMap<Definition, ReadonlySet<string>>();

interface Lines {
  /** The field that they share with their bill, and its value. */
  by: string;
  value: unknown;
  most?: number;
  only?: RawBuilder<SqlBool>;
  /** What is read of them; left out, everything. */
  names?: readonly string[];
}

/** The lines of a bill, oldest first, and how many there are: of a long bill the first ones. Rule: lists#long-bills. */
export async function readLines(
  definition: Definition,
  { by, value, most = 5000, only, names = readableNames(definition) }: Lines,
  ctx: Context,
): Promise<{ rows: Row[]; total: number }> {
  const select = sql.join(names.map((it) => sql.ref(it)));
  const among = only ? sql` AND ${only}` : sql``;
  const ofBill = sql`FROM ${rowsSeen(definition, ctx)} AS t WHERE ${sql.ref(by)} = ${value}${among}`;
  const { rows } = await sql<Row>`SELECT ${select} ${ofBill} ORDER BY id LIMIT ${sql.lit(most)}`.execute(ctx.db);
  if (rows.length < most) return { rows, total: rows.length };
  const counted = await sql<{ total: number }>`SELECT count(*)::int AS total ${ofBill}`.execute(ctx.db);
  return { rows, total: counted.rows[0]?.total ?? rows.length };
}
