import type pg from 'pg';
import { quoted } from '#server/db/quoted.ts';
import { BadDatabase } from '#server/definitions/tables.ts';

/** What a backup holds, said at its head; `totals.json` at its end says what came through. */
export interface Contents {
  format: 1;
  madeAt: string;
  /** The migrations that the database had: a restore runs these, and the next start the newer ones. */
  migrations: string[];
  tables: TableContents[];
}

export interface TableContents {
  name: string;
  columns: string[];
  /** How to make it where no migration does. */
  create: string;
  /** The last value of the identity column's sequence. */
  identity?: { column: string; last: string };
}

export interface Totals {
  tables: Record<string, { rows: number; sha256: string }>;
  files: number;
  /** Of the files' ids and contents, in their order. Archives of before 30 November 2026 have none, nor the next two. */
  filesSha256?: string;
  /** Ids of files that were tidied away while the backup was made, or were about to be. */
  tidied?: string[];
  /** Ids of files that were nowhere, which somebody has allowed. */
  missing?: string[];
}

export const CONTENTS = 'contents.json';
export const TOTALS = 'totals.json';

/** Each database counts or writes these anew; those of another one are of no use. */
const LEFT_OUT = ['table_change', 'station_scans'];

/** What the database of this snapshot holds, table by table. */
export async function readContents(client: pg.ClientBase): Promise<Contents> {
  const { rows: tables } = await client.query<{ name: string; columns: Column[]; key: string | null }>(
    `SELECT c.relname AS name,
            (SELECT pg_get_constraintdef(p.oid) FROM pg_constraint p WHERE p.conrelid = c.oid AND p.contype = 'p') AS key,
            (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
                      'required', a.attnotnull, 'identity', a.attidentity, 'computed', a.attgenerated <> '', 'given', pg_get_expr(d.adbin, d.adrelid))
                    ORDER BY a.attnum)
               FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
       FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)
      ORDER BY 1`,
    [LEFT_OUT],
  );
  if (!tables.some((it) => it.name === 'migration')) {
    throw new BadDatabase(
      'There is nothing of Reflow in this database: look whether DATA_DIR or DATABASE_URL is meant.',
    );
  }
  const { rows: migrations } = await client.query<{ name: string }>('SELECT name FROM migration ORDER BY name');
  const { rows: moment } = await client.query<{ at: string }>(
    `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at`,
  );
  const described: TableContents[] = [];
  for (const table of tables) described.push(await describe(client, table));
  return {
    format: 1,
    madeAt: moment[0]?.at ?? '',
    migrations: migrations.map((it) => it.name),
    tables: described,
  };
}

interface Column {
  name: string;
  type: string;
  required: boolean;
  identity: '' | 'a' | 'd';
  /** `given` is what it is computed as; no row says it. */
  computed: boolean;
  given: string | null;
}

async function describe(
  client: pg.ClientBase,
  { name, columns, key }: { name: string; columns: Column[]; key: string | null },
): Promise<TableContents> {
  const own = columns.find((it) => it.identity !== '');
  const lines = columns.map((it) => `  ${quoted(it.name)} ${it.type}${restOf(it)}`);
  const create = `CREATE TABLE ${quoted(name)} (\n${[...lines, ...(key ? [`  ${key}`] : [])].join(',\n')}\n)`;
  const table = { name, columns: columns.filter((it) => !it.computed).map((it) => it.name), create };
  if (!own) return table;
  const { rows } = await client.query<{ last: string | null }>(
    `SELECT pg_sequence_last_value(pg_get_serial_sequence($1, $2))::text AS last`,
    [quoted(name), own.name],
  );
  return rows[0]?.last ? { ...table, identity: { column: own.name, last: rows[0].last } } : table;
}

function restOf({ required, identity, computed, given }: Column): string {
  if (computed) return ` GENERATED ALWAYS AS (${given}) VIRTUAL`;
  if (identity !== '') return ` GENERATED ${identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`;
  return `${required ? ' NOT NULL' : ''}${given ? ` DEFAULT ${given}` : ''}`;
}

/** How many rows COPY wrote there: it ends each with a line feed, and writes one inside of a value as two other letters. */
export function rowsIn(bytes: Buffer): number {
  let rows = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) rows++;
  return rows;
}

export const joinNames = (names: readonly string[]): string => names.map(quoted).join(', ');
