import { sql, type Insertable, type Kysely } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

export type TableName = keyof Tables;
export type Row<T extends TableName> = Insertable<Tables[T]>;

/** Rows that are made first and written afterwards, a table at a time, in the order in which they were made. */
export interface Rows {
  add<T extends TableName>(table: T, row: Row<T>): Row<T>;
  of<T extends TableName>(table: T): Row<T>[];
  /** Takes out a row that was made, as a later action deletes it. */
  remove<T extends TableName>(table: T, row: Row<T>): void;
  /** Those that have rows, in the order of their first ones. */
  tables(): TableName[];
}

export function collectRows(): Rows {
  const tables = new Map<TableName, unknown[]>();
  const of = <T extends TableName>(table: T): Row<T>[] => {
    if (!tables.has(table)) tables.set(table, []);
    return tables.get(table) as Row<T>[];
  };
  return {
    of,
    tables: () => [...tables.keys()],
    add: (table, row) => {
      of(table).push(row);
      return row;
    },
    remove: (table, row) => {
      const all = of(table);
      all.splice(all.indexOf(row), 1);
    },
  };
}

/** Writes rows by one statement; a column that no row names takes the table's default. */
export async function insertRows<T extends TableName>(
  db: Kysely<Tables>,
  table: T,
  rows: readonly Row<T>[],
): Promise<void> {
  if (rows.length === 0) return;
  const found = new Set<string>();
  for (const row of rows) for (const name in row) found.add(name);
  const names = [...found];
  const columns = sql.join(names.map((it) => sql.ref(it)));
  await sql`INSERT INTO ${sql.table(table)} (${columns})
            SELECT ${columns} FROM json_populate_recordset(NULL::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(
    db,
  );
}
