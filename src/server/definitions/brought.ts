import type pg from 'pg';
import type { Field, Model } from '#domain/definition/grammar.ts';
import { hasTable } from '#server/db/hasTable.ts';
import { quoted } from '#server/db/quoted.ts';

type Reader = Pick<pg.ClientBase, 'query'>;

/** A table, or a column of one, that a publish brought into the database and no version has taken since. */
export interface Brought {
  module: string;
  table: string;
  /** Left out: the table itself. */
  column?: string;
  /** The last publish that says it, whether it counts or not: what is taken back stays in the database. */
  publishId: number;
  /** Of a column: as it was published at any time. */
  declared: readonly Partial<Field>[];
}

/** What a publish brought and a version ships by its name. */
export interface Taken {
  module: string;
  /** Empty: nothing but the module's name. */
  table: string;
  column?: string;
  publishId: number;
  /** What it is called since; null where the version goes on with it. */
  keptAs: string | null;
}

/**
 * What publishes brought, by the history of all of them, and what a version has taken of it. Also asked of the database of an
 * earlier version, before its migrations. Rule: definitions#set-aside.
 */
export async function readBrought(
  client: Reader,
  shipped: Model,
): Promise<{ brought: Brought[]; taken: readonly Taken[] }> {
  const taken = await readTaken(client);
  const pretended = await readPretended(client, shipped.definitions.keys(), taken);
  const found = new Map<string, Brought>();
  const add = (it: Omit<Brought, 'declared'>, declared: readonly Partial<Field>[] = []) => {
    const key = `${it.table} ${it.column ?? ''}`;
    found.set(key, { ...it, declared: [...(found.get(key)?.declared ?? []), ...declared] });
  };
  const tables = new Map<string, string>();
  for (const { publishId, module, change } of await readHistory(client)) {
    const { definition, fields } = change;
    if (definition && pretended.has(saidIn({ publishId, module }))) continue;
    if (definition?.table !== undefined && !definition.rowsOf && !definition.viewOf) {
      tables.set(module, definition.table);
      add({ module, table: definition.table, publishId });
    }
    const table = tables.get(module) ?? shipped.definitions.get(module)?.table;
    if (table === undefined || definition?.rowsOf || definition?.viewOf) continue;
    for (const [column, field] of Object.entries({ ...definition?.fields, ...fields })) {
      // Whatever else is said of a field alters one that was there.
      if (field?.type && field.label) add({ module, table, column, publishId }, [field]);
    }
  }
  for (const { keptAs, table, column, ...it } of taken) {
    if (keptAs === null) continue;
    const declared = found.get(`${table} ${column ?? ''}`)?.declared;
    add(column === undefined ? { ...it, table: keptAs } : { ...it, table, column: keptAs }, declared);
  }
  const isTaken = (it: Brought) =>
    taken.some(
      ({ table, column, publishId, keptAs }) =>
        table === it.table &&
        publishId >= it.publishId &&
        (column === it.column || (column === undefined && keptAs !== null)),
    );
  return { brought: [...found.values()].filter((it) => !isTaken(it)), taken };
}

/** What versions have taken of what publishes brought, oldest first. */
export async function readTaken(client: Reader): Promise<Taken[]> {
  if (!(await hasTable(client, 'definition_taken'))) return [];
  const { rows } = await client.query<Taken & { column: string }>(
    `SELECT module, "tableName" AS table, "columnName" AS column, "publishId"::int AS "publishId", "keptAs"
       FROM definition_taken ORDER BY id`,
  );
  return rows.map(({ column, ...it }) => ({ ...it, ...(column !== '' && { column }) }));
}

/** How a change is named among those of all publishes. */
export const saidIn = ({ publishId, module }: { publishId: number; module: string }): string =>
  `${publishId} ${module}`;

/**
 * The changes (`saidIn`) that say a whole module which was shipped already when they were published: an earlier version let them
 * through. They brought nothing. A module that publishes brought and a version ships since has no row and no entry in the
 * ledger from before the first of them, and no other change; the version has taken it then, and whatever says it after that
 * pretends as well. Rule: definitions#set-aside.
 * @param modules those that are shipped
 */
export async function readPretended(
  client: Reader,
  modules: Iterable<string>,
  taken: readonly Taken[],
): Promise<ReadonlySet<string>> {
  const pretended = new Set<string>();
  if (!(await hasTable(client, 'definition_publish'))) return pretended;
  const { rows } = await client.query<{
    publishId: number;
    module: string;
    table: string | null;
    before: string[];
    isOlder: boolean;
  }>(
    `SELECT c."publishId"::int AS "publishId", c.module,
            CASE WHEN NOT c.change -> 'definition' ?| '{rowsOf,viewOf}' THEN c.change #>> '{definition,table}' END AS "table",
            ARRAY (SELECT concat(o."publishId", ' ', o.module) FROM definition_change AS o
                    WHERE o."publishId" < p.id AND o.change #>> '{definition,table}' = c.change #>> '{definition,table}'
                      AND NOT o.change -> 'definition' ?| '{rowsOf,viewOf}') AS before,
            EXISTS (SELECT 1 FROM ledger AS l WHERE l.module = c.module AND l.at < p.at)
            OR EXISTS (SELECT 1 FROM definition_change AS o WHERE o.module = c.module AND o."publishId" < p.id
                          AND NOT o.change ? 'definition') AS "isOlder"
       FROM definition_change AS c JOIN definition_publish AS p ON p.id = c."publishId"
      WHERE jsonb_typeof(c.change -> 'definition') = 'object' AND c.module = ANY ($1) ORDER BY p.id, c.id`,
    [[...modules]],
  );
  const firsts = new Map<string, boolean>();
  for (const { publishId, module, table, before, isOlder } of rows) {
    // Rows of a table that an earlier publish had brought are older, and none of the product's.
    const isNew = table === null || before.some((it) => !pretended.has(it));
    const first = firsts.get(module) ?? (isOlder || (!isNew && (await holdsOlder(client, table, publishId, taken))));
    firsts.set(module, first);
    const isTaken = taken.some((it) => it.module === module && it.column === undefined && it.publishId < publishId);
    if (first || isTaken) pretended.add(saidIn({ publishId, module }));
  }
  return pretended;
}

/** Whether a table, or what it is called since it made way, holds rows from before a publish. */
async function holdsOlder(client: Reader, table: string, publishId: number, taken: readonly Taken[]): Promise<boolean> {
  const names = taken.flatMap((it) => (it.table === table && it.column === undefined && it.keptAs ? [it.keptAs] : []));
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname = ANY ($1)
        AND a.attname = 'createTime' AND NOT a.attisdropped`,
    [[table, ...names]],
  );
  for (const { name } of rows) {
    const older = await client.query(
      `SELECT 1 FROM ${quoted(name)} AS own WHERE own."createTime" < (SELECT at FROM definition_publish WHERE id = $1) LIMIT 1`,
      [publishId],
    );
    if (older.rows.length > 0) return true;
  }
  return false;
}

/** A change as some version wrote it: whatever it holds may be of another shape. */
interface Said {
  publishId: number;
  module: string;
  change: {
    definition?: { table?: string; rowsOf?: unknown; viewOf?: unknown; fields?: Record<string, Partial<Field>> };
    fields?: Record<string, Partial<Field> | null>;
  };
}

async function readHistory(client: Reader): Promise<Said[]> {
  if (!(await hasTable(client, 'definition_change'))) return [];
  // Before publishes had numbers of their own, each change was one.
  const { rows } = await client.query<Said>(
    `SELECT coalesce((to_jsonb(c) ->> 'publishId')::bigint, c.id)::int AS "publishId", c.module,
            jsonb_strip_nulls(jsonb_build_object(
              'definition', CASE WHEN jsonb_typeof(c.change #> '{definition,table}') = 'string' THEN c.change -> 'definition' END,
              'fields', CASE WHEN jsonb_typeof(c.change -> 'fields') = 'object' THEN c.change -> 'fields' END)) AS change
       FROM definition_change AS c WHERE c.change ? 'definition' OR c.change ? 'fields' ORDER BY 1, c.id`,
  );
  return rows;
}
