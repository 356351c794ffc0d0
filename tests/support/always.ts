import { sql, type Kysely } from 'kysely';
import { isAlways } from '#domain/definition/columns.ts';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { referencesOf } from '#domain/definition/references.ts';
import type { Tables } from '#server/db/tables.ts';

let made = 0;

/** Values for the columns that every row of a definition's table has; laid under those that a test says itself. */
export function alwaysOf(
  definition: Definition,
  definitions: ReadonlyMap<string, Definition>,
): Record<string, string | number> {
  const owner = definition.rowsOf ? definitions.get(definition.rowsOf.module) : definition;
  const fields = Object.entries(owner?.fields ?? {}).filter(([, it]) => isAlways(it) && !definition.viewOf);
  return Object.fromEntries(fields.map(([name, it]) => [name, valueOf(it)]));
}

/** Rows of `world.ts` to which others may refer. */
const ofWorld: Partial<Record<string, string>> = {
  ubsSite: 'SZ',
  adminUser: 'admin',
  ubsShipment: 'SF',
  ubsItem: 'RX19',
};

type Values = Record<string, unknown>;
type Definitions = ReadonlyMap<string, Definition>;

/** Inserts a row as it is, after the rows to which it refers where those are not there. None where it is there already. */
export async function insertRow(
  db: Kysely<Tables>,
  definition: Definition,
  row: Values,
  definitions: Definitions,
  siteId?: unknown,
): Promise<{ id: number; version: number } | undefined> {
  await insertReferred(db, definition, row, definitions, siteId);
  const { rows } = await sql<{ id: number; version: number }>`
    INSERT INTO ${sql.table(definition.table)} (${sql.join(Object.keys(row).map((it) => sql.ref(it)))})
    VALUES (${sql.join(Object.values(row))}) ON CONFLICT DO NOTHING RETURNING *`.execute(db);
  return rows[0];
}

/** Inserts the rows to which this one refers, where they are not there: at its site, if it has one. */
async function insertReferred(
  db: Kysely<Tables>,
  { table }: Definition,
  row: Values,
  definitions: Definitions,
  siteId = row['siteId'],
): Promise<void> {
  const own = referencesOf(definitions.values()).references.filter((it) => it.table === table);
  for (const { column, to } of own) {
    const value = row[column] ?? '';
    if (value === '') continue;
    const { rows } = await sql`SELECT 1 FROM ${sql.table(to.table)} WHERE ${sql.ref(to.column)} = ${value}`.execute(db);
    const target = definitions.get(to.module);
    if (rows.length > 0 || !target) continue;
    const columns = ['siteId', ...(Array.isArray(target.site) ? target.site : [])].filter((it) => it in target.fields);
    const site = siteId === undefined ? {} : Object.fromEntries(columns.map((it) => [it, siteId]));
    await insertRow(db, target, { ...alwaysOf(target, definitions), ...site, [to.column]: value }, definitions, siteId);
  }
}

function valueOf({ type, ref, default: first }: Field): string | number {
  made += 1;
  if (first !== undefined) return first;
  switch (type) {
    case 'select':
      return ref ? (ofWorld[ref.module] ?? `X${made}`) : '0';
    case 'date':
    case 'dateTime':
      return '2026-11-20';
    case 'Month':
      return '2026-11';
    case 'Number':
    case 'Integer':
    case 'Long':
    case 'BigDecimal':
      return 900_000 + made;
    default:
      return `X${made}`;
  }
}
