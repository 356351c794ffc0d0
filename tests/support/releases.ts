import { once } from 'node:events';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { groupBy } from '#domain/group.ts';
import { readArchive } from '#server/backup/archive.ts';
import { joinNames, type TableContents } from '#server/backup/contents.ts';
import { migrate } from '#server/db/migrate.ts';
import { quoted } from '#server/db/quoted.ts';
import { RELEASES, type Structure } from '#tests/support/releaseFiles.ts';

/** The stored versions, the oldest first: `2026-11-21-14623419`. */
export const releases: readonly string[] = readdirSync(RELEASES)
  .filter((it) => it.endsWith('.tar.gz'))
  .map((it) => it.replace('.tar.gz', ''))
  .sort();

export const archiveOf = (release: string): string => join(RELEASES, `${release}.tar.gz`);

/** Fills an empty database as that version left it: its rows, and its own indexes, constraints and triggers. */
export async function fillAsReleased(url: string, release: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('BEGIN');
    const copyRows = rowsInto(client);
    await readArchive(createReadStream(archiveOf(release)), {
      contents: async ({ migrations, tables }) => {
        await migrate(client, migrations);
        const made = await readNames(
          client,
          `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
        );
        for (const it of tables) if (!made.has(it.name)) await client.query(it.create);
        await client.query('DELETE FROM migration');
      },
      rows: copyRows.write,
      tableEnd: copyRows.end,
      file: (_, content) => finished(content.resume()),
    });
    await makeStructure(client, release);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

function rowsInto(client: pg.Client) {
  let copy: ReturnType<typeof copyFrom> | undefined;
  return {
    write: async ({ name, columns }: TableContents, bytes: Buffer) => {
      copy ??= client.query(copyFrom(`COPY ${quoted(name)} (${joinNames(columns)}) FROM STDIN`));
      if (!copy.write(bytes)) await once(copy, 'drain');
    },
    end: async ({ columns: _, ...table }: TableContents) => {
      if (!copy) return;
      const ended = finished(copy);
      copy.end();
      copy = undefined;
      await ended;
      if (!table.identity) return;
      await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3::bigint)', [
        ...[quoted(table.name), table.identity.column, table.identity.last],
      ]);
    },
  };
}

/** What the migrations make is there already. */
async function makeStructure(client: pg.Client, release: string): Promise<void> {
  const stored = JSON.parse(gunzipSync(readFileSync(join(RELEASES, `${release}.json.gz`))).toString()) as Structure[];
  const made = await readNames(
    client,
    `SELECT c.relname || ' ' || i.relname AS name FROM pg_index JOIN pg_class AS c ON c.oid = indrelid JOIN pg_class AS i ON i.oid = indexrelid
      UNION ALL SELECT c.relname || ' ' || conname FROM pg_constraint JOIN pg_class AS c ON c.oid = conrelid
      UNION ALL SELECT c.relname || ' ' || tgname FROM pg_trigger JOIN pg_class AS c ON c.oid = tgrelid`,
  );
  for (const { table, name, sql } of stored) if (!made.has(`${table} ${name}`)) await client.query(sql);
}

async function readNames(client: pg.Client, query: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(query);
  return new Set(rows.map((it) => it.name));
}

export type Figures = Record<string, string>;

/**
 * What a database holds, to be compared: of each table how many rows, of each column of numbers their sum, of each state how
 * many rows are in it, of any other column a sum over its texts. An empty text and none are one thing.
 * @param until of these tables only the rows with an id up to this
 */
export async function readFigures(client: pg.Client, until: Figures = {}): Promise<Figures> {
  const { rows: columns } = await client.query<{ table: string; column: string; type: string }>(
    `SELECT table_name AS "table", column_name AS "column", data_type AS type
       FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1, 2`,
  );
  const figures: Figures = {};
  for (const [table, own] of groupBy(columns, (it) => it.table)) {
    const last = until[`${table}.last id`];
    const rows = last === undefined ? quoted(table) : `(SELECT * FROM ${quoted(table)} WHERE id <= ${last}) AS there`;
    const hasId = own.some((it) => it.column === 'id' && NUMBERS.includes(it.type));
    const asked = [
      'count(*)::text AS "rows"',
      ...(hasId ? ['coalesce(max(id), 0)::text AS "last id"'] : []),
      ...own.map(({ column, type }) => `${figureOf(quoted(column), type, rows)} AS ${quoted(column)}`),
    ];
    const found = await client.query<Figures>(`SELECT ${asked.join(', ')} FROM ${rows}`);
    for (const [column, figure] of Object.entries(found.rows[0] ?? {})) figures[`${table}.${column}`] = figure;
  }
  return figures;
}

const NUMBERS = ['integer', 'bigint', 'numeric', 'double precision'];
const STATES = /^"(ivyId|stage|\w*[sS]tatus)"$/;

function figureOf(column: string, type: string, rows: string): string {
  if (NUMBERS.includes(type)) return `trim_scale(coalesce(sum(${column}::numeric), 0))::text`;
  const value = `coalesce(${column}::text, '')`;
  if (!STATES.test(column)) return `coalesce(sum(hashtextextended(${value}, 0)::numeric), 0)::text`;
  return (
    `(SELECT string_agg(concat(v, ': ', n), ', ' ORDER BY v) FROM ` +
    `(SELECT ${value} AS v, count(*) AS n FROM ${rows} GROUP BY 1) AS by_state)`
  );
}
