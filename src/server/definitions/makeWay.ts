import { dequal } from 'dequal/lite';
import type pg from 'pg';
import { columnsOf, indexesOf, sqlTypes } from '#domain/definition/columns.ts';
import type { Definition, Field, Model } from '#domain/definition/grammar.ts';
import { MAX_NAME, moduleThere } from '#domain/definition/validateChange.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { useIndexesOf, usesOf } from '#domain/definition/uses.ts';
import { hasTable } from '#server/db/hasTable.ts';
import { namesMadeBy } from '#server/db/namesMade.ts';
import { quoted } from '#server/db/quoted.ts';
import { readBrought, readPretended, saidIn, type Brought, type Taken } from '#server/definitions/brought.ts';
import type { Aside } from '#server/definitions/definitions.ts';
import { nameBeside, planTables } from '#server/definitions/schema.ts';
import { isRefused, ownersIn } from '#server/definitions/tables.ts';

type Reader = Pick<pg.ClientBase, 'query'>;

/** What of the database makes way for a version, and what is written down of it. */
export interface Way {
  aside: Aside[];
  taken: Taken[];
}

/**
 * What publishes brought that has a name which a migration is about to make. Only reads. Rule: definitions#set-aside.
 */
export async function findBeforeMigration(client: Reader, shipped: Model, sql: string): Promise<Way> {
  const { brought } = await readBrought(client, shipped);
  const search = await openSearch(client, shipped, brought);
  for (const { table, name, ifMissing } of namesMadeBy(sql)) {
    const definition = ownersIn(shipped).find((it) => it.table === (table ?? name));
    if (table !== undefined) {
      const field = definition?.fields[name];
      if (!ifMissing || !field || !search.fits(table, name, field)) search.moveColumn(table, name);
    } else if (!ifMissing || !definition || !search.isWhole(definition)) search.moveRelation(name);
  }
  return search.way;
}

/**
 * What publishes brought that has a name which this version ships and holds something else: another module's table, a column
 * of another type, a password that would be none, an index of other columns. What fits is this version's from now on. Only reads.
 * @param indexes that a start makes beside those of the definitions
 */
export async function findBeforeTables(
  client: Reader,
  shipped: Model,
  indexes: readonly { name: string; table: string }[],
): Promise<Way> {
  const { brought } = await readBrought(client, shipped);
  if (brought.length === 0) return { aside: [], taken: [] };
  const search = await openSearch(client, shipped, brought);
  const owners = ownersIn(shipped).filter((it) => !it.viewOf);
  for (const { table, module, fields } of owners) {
    const made = search.broughtTable(table);
    if (made && made.module !== module) search.moveRelation(table);
    for (const [name, field] of Object.entries(fields))
      if (search.isOtherwise(table, name, field)) search.moveColumn(table, name);
  }
  for (const { name, table } of indexes) if (!search.isOn(name, table)) search.moveRelation(name);
  for (let before = -1; search.way.aside.length > before;) {
    before = search.way.aside.length;
    const { refused } = await planTables(client, owners, [], search.way.aside);
    for (const { inTheWay } of refused) {
      if (!inTheWay) continue;
      if ('relation' in inTheWay) search.moveRelation(inTheWay.relation);
      else search.moveColumn(inTheWay.table, inTheWay.column);
    }
  }
  search.takeRest(owners);
  return search.way;
}

/** Does what was found, and gives what the database was told. */
export async function makeWay(client: Reader, { aside }: Way): Promise<string[]> {
  if (aside.length === 0) return [];
  const { statements } = await planTables(client, [], [], aside);
  for (const it of statements) await client.query(it);
  return statements;
}

/** Writes down what was taken; once, as the next start finds it done. */
export async function recordTaken(client: Reader, taken: readonly Taken[]): Promise<void> {
  await client.query(
    `INSERT INTO definition_taken (module, "tableName", "columnName", "publishId", "keptAs")
     SELECT module, "table", coalesce("column", ''), "publishId", "keptAs"
       FROM jsonb_to_recordset($1::jsonb) AS r (module text, "table" text, "column" text, "publishId" bigint, "keptAs" text)`,
    [JSON.stringify(taken)],
  );
}

/**
 * Modules that publishes had made and this version ships by the same name, without going on with their tables: another's rights
 * are none to them. Each is found by one start. Only reads.
 * @param before what earlier starts have written down
 * @param now what this one takes
 */
export async function findNames(
  client: Reader,
  shipped: Model,
  before: readonly Taken[],
  now: readonly Taken[],
): Promise<Taken[]> {
  if (!(await hasTable(client, 'definition_change'))) return [];
  const { rows } = await client.query<{ module: string; publishId: number }>(
    `SELECT module, max("publishId")::int AS "publishId" FROM definition_change
      WHERE change ? 'definition' AND module = ANY ($1) AND concat("publishId", ' ', module) <> ALL ($2) GROUP BY 1`,
    [[...shipped.definitions.keys()], [...(await readPretended(client, shipped.definitions.keys(), before))]],
  );
  const isTold = ({ module, publishId }: (typeof rows)[number]) =>
    before.some((it) => it.module === module && it.column === undefined && it.publishId >= publishId);
  const goesOn = ({ module }: (typeof rows)[number]) =>
    now.some(
      (it) =>
        it.module === module &&
        it.column === undefined &&
        it.keptAs === null &&
        it.table === shipped.definitions.get(module)?.table,
    );
  return rows.filter((it) => !isTold(it) && !goesOn(it)).map((it) => ({ ...it, table: '', keptAs: null }));
}

/**
 * Buttons that publishes had made and this version ships by the same name with another script: who may press those may not press
 * these. One of the same script is gone on with, as after `definitions:pull`. Each is found by one start. Only reads.
 * @param before what earlier starts have written down
 * @returns what to write down, the name of the button as its column
 */
export async function findButtons(
  client: Reader,
  shipped: Model,
  before: readonly Taken[],
): Promise<Required<Taken>[]> {
  if (!(await hasTable(client, 'definition_change'))) return [];
  const { rows } = await client.query<{ module: string; column: string; script: string; publishId: number }>(
    `WITH made AS (
       SELECT module, "publishId", name, button ->> 'script' AS script
         FROM definition_change,
              jsonb_each(jsonb_path_query_first(change, '$.buttons ? (@.type() == "object")')) AS it (name, button)
       UNION ALL
       SELECT module, "publishId", button ->> 'btnNo', button ->> 'script'
         FROM definition_change, jsonb_path_query(change, '$.definition.buttons[*]') AS button
        WHERE concat("publishId", ' ', module) <> ALL ($2))
     SELECT DISTINCT ON (module, name) module, name AS "column", script, "publishId"::int
       FROM made WHERE script IS NOT NULL AND module = ANY ($1)
      ORDER BY module, name, made."publishId" DESC`,
    [[...shipped.definitions.keys()], [...(await readPretended(client, shipped.definitions.keys(), before))]],
  );
  const ships = (it: (typeof rows)[number]) =>
    shipped.definitions.get(it.module)?.buttons?.find(({ btnNo }) => btnNo === it.column)?.script;
  const isTold = ({ module, column, publishId }: (typeof rows)[number]) =>
    before.some((it) => it.module === module && it.table === '' && it.column === column && it.publishId >= publishId);
  return rows
    .filter((it) => ![undefined, it.script].includes(ships(it)) && !isTold(it))
    .map(({ module, column, publishId }) => ({ module, table: '', column, publishId, keptAs: null }));
}

/**
 * Runs a migration. What publishes hang on the product's own columns and holds nothing itself (computed columns, indexes,
 * foreign keys, triggers) may keep it from changing them: then it goes first, and the plan of the tables makes it again.
 */
export async function runMigration(client: Reader, shipped: Model, sql: string): Promise<void> {
  const { brought } = await readBrought(client, shipped);
  if (brought.length === 0) {
    await client.query(sql);
    return;
  }
  await client.query('SAVEPOINT migrating');
  try {
    await client.query(sql);
  } catch (error) {
    if (!isRefused(error)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT migrating');
    for (const it of await findHanging(client, shipped, brought)) await client.query(it);
    await client.query(sql);
  }
  await client.query('RELEASE SAVEPOINT migrating');
}

/** What an administrator is told of what was set aside, by the publish that had brought it. */
export function asideProblems(taken: readonly Taken[]): Map<number, DefinitionProblem[]> {
  const problems = new Map<number, DefinitionProblem[]>();
  for (const { module, table, column, publishId, keptAs } of taken) {
    if (keptAs === null) continue;
    const what =
      column === undefined
        ? `this version has a table "${table}" of its own; the rows of "${module}" are kept in the table "${keptAs}": publish a module with that table to use them again`
        : `this version has a "${column}" of its own in "${table}"; the values are kept as "${keptAs}": publish a field of that name to use them again`;
    const problem: DefinitionProblem = {
      ...{ kind: 'NotApplied', rule: column === undefined ? 'tableAside' : 'columnAside', where: module, what },
      ...{ path: column === undefined ? 'table' : `fields.${column}`, name: column ?? table, keptAs },
    };
    problems.set(publishId, [...(problems.get(publishId) ?? []), problem]);
  }
  return problems;
}

/**
 * Why publishes can't be applied, whatever else is published: what they brought is set aside, or they say a whole module that
 * was shipped already. Only reads.
 */
export async function findReplaced(
  client: Reader,
  shipped: Model,
  taken: readonly Taken[],
): Promise<Map<number, DefinitionProblem[]>> {
  const problems = asideProblems(taken);
  if (!(await hasTable(client, 'definition_publish'))) return problems;
  const pretended = await readPretended(client, shipped.definitions.keys(), taken);
  const { rows } = await client.query<{ publishId: number; module: string }>(
    `SELECT "publishId"::int AS "publishId", module FROM definition_change WHERE change ? 'definition' ORDER BY id`,
  );
  for (const it of rows.filter((one) => pretended.has(saidIn(one))))
    problems.set(it.publishId, [...(problems.get(it.publishId) ?? []), moduleThere(it.module)]);
  return problems;
}

interface Relation {
  name: string;
  /** As PostgreSQL calls it: r a table, i an index, S a sequence. */
  kind: string;
  /** Of an index and of a sequence: whose it is. */
  table: string | null;
  /** Of an index its columns in their order. */
  columns: string[] | null;
  /** A constraint stands upon the index. */
  isKey: boolean;
}

async function openSearch(client: Reader, shipped: Model, brought: readonly Brought[]) {
  const relations = await readRelations(client);
  const columns = await readColumnTypes(client);
  const wanted = wantedIndexes(shipped);
  const own = new Set(ownersIn(shipped).map((it) => it.table));
  const way: Way = { aside: [], taken: [] };
  const find = (table: string, column?: string) => brought.find((it) => it.table === table && it.column === column);
  const isMoved = (table: string, column?: string) =>
    way.aside.some((it) => 'table' in it && it.table === table && (it.column === undefined || it.column === column));
  /** Names that are given already: of tables, or of columns of one. */
  const given = (table?: string) =>
    way.aside.flatMap((it) =>
      'as' in it && (table === undefined ? it.column === undefined : it.table === table) ? [it.as] : [],
    );

  const moveTable = (made: Brought) => {
    const { module, table, publishId } = made;
    if (isMoved(table)) return;
    const tables = brought.map((it) => it.table);
    const as = nameBeside(`${table}_aside`, new Set([...relations.keys(), ...own, ...tables, ...given()]));
    way.aside.push({ table, as });
    way.taken.push({ module, table, publishId, keptAs: as });
  };
  const dropIndex = (index: string) => {
    if (!way.aside.some((it) => 'index' in it && it.index === index)) way.aside.push({ index });
  };
  const isHere = (table: string) => relations.get(table)?.kind === 'r';
  const broughtTable = (table: string) => (isHere(table) ? find(table) : undefined);

  return {
    way,
    broughtTable,
    isOn: (index: string, table: string) => relations.get(index)?.table === table,
    /** What is there of a name that is wanted, as far as a publish brought it. */
    moveRelation: (name: string) => {
      const it = relations.get(name);
      const made = it && broughtTable(it.table ?? name);
      const isIndex = it?.kind === 'i' && !it.isKey;
      if (it && isIndex && (made || own.has(it.table ?? '')) && !wanted.has(keyOf(it))) dropIndex(name);
      else if (made) moveTable(made);
    },
    moveColumn: (table: string, column: string) => {
      const made = find(table, column);
      const there = columns.get(table);
      if (!made || !there?.has(column) || isMoved(table, column)) return;
      const fields = Object.keys(ownersIn(shipped).find((it) => it.table === table)?.fields ?? {});
      const known = brought.flatMap((it) => (it.table === table && it.column !== undefined ? [it.column] : []));
      const as = nameBeside(
        `${column}Aside`,
        new Set([...there.keys(), ...fields, ...known, ...given(table)]),
        MAX_NAME,
      );
      way.aside.push({ table, column, as });
      const { module, publishId } = made;
      way.taken.push({ module, table, column, publishId, keptAs: as });
    },
    /** A column of this type is there, and holds what the field says. */
    fits: (table: string, column: string, field: Field) =>
      columns.get(table)?.get(column) === sqlTypes[field.type] && !isOtherwise(find(table, column), field),
    isOtherwise: (table: string, column: string, field: Field) => isOtherwise(find(table, column), field),
    /** The table is this module's, with each of its columns. */
    isWhole: (definition: Definition) =>
      broughtTable(definition.table)?.module === definition.module &&
      columnsOf(definition).every((it) => columns.get(definition.table)?.get(it.name) === it.sqlType),
    /** What did not have to make way is this version's now. */
    takeRest: (owners: readonly Definition[]) => {
      for (const { module, table, column, publishId } of brought) {
        const definition = owners.find((it) => it.table === table);
        const isShipped = definition && (column === undefined || Object.hasOwn(definition.fields, column));
        if (isShipped && !isMoved(table, column))
          way.taken.push({ module, table, ...(column !== undefined && { column }), publishId, keptAs: null });
      }
    },
  };
}

/** The same type may hold something else: a secret, or values that only some sites see. */
const isOtherwise = (made: Brought | undefined, field: Field): boolean =>
  made?.declared.some(
    (it) =>
      (it.type === 'password') !== (field.type === 'password') || (it.site != null && !dequal(it.site, field.site)),
  ) ?? false;

const keyOf = ({ name, table, columns }: Pick<Relation, 'name' | 'table' | 'columns'>): string =>
  `${name} ${table} ${(columns ?? []).join()}`;

function wantedIndexes(shipped: Model): ReadonlySet<string> {
  const uses = usesOf(shipped.definitions);
  return new Set(
    ownersIn(shipped).flatMap((it) =>
      [...indexesOf(it), ...useIndexesOf(it, uses)].map(({ name, columns, split }) =>
        keyOf({ name, table: it.table, columns: split === undefined ? columns : [] }),
      ),
    ),
  );
}

async function readRelations(client: Reader): Promise<Map<string, Relation>> {
  const { rows } = await client.query<Relation>(
    `SELECT c.relname AS name, CASE c.relkind WHEN 'p' THEN 'r' ELSE c.relkind::text END AS kind, t.relname AS table,
            EXISTS (SELECT 1 FROM pg_constraint AS f WHERE f.conindid = c.oid AND f.contype IN ('p', 'u', 'x')) AS "isKey",
            (SELECT array_agg(a.attname::text ORDER BY k.n)
               FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, n)
               JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
              WHERE k.n <= i.indnkeyatts) AS columns
       FROM pg_class AS c LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
       LEFT JOIN pg_depend AS d ON d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
             AND d.refclassid = 'pg_class'::regclass AND c.relkind = 'S'
       LEFT JOIN pg_class AS t ON t.oid = coalesce(i.indrelid, d.refobjid)
      WHERE c.relnamespace = current_schema()::regnamespace`,
  );
  return new Map(rows.map((it) => [it.name, it]));
}

/** By table its columns with their types, those that the database computes left out. */
async function readColumnTypes(client: Reader): Promise<Map<string, Map<string, string>>> {
  const { rows } = await client.query<{ table: string; column: string; type: string }>(
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
       FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''`,
  );
  const columns = new Map<string, Map<string, string>>();
  for (const { table, column, type } of rows) {
    const of = columns.get(table) ?? new Map<string, string>();
    columns.set(table, of.set(column, type === 'timestamp with time zone' ? 'timestamptz' : type));
  }
  return columns;
}

/** What takes off the product's own tables what publishes hung on them and what holds nothing itself. */
async function findHanging(client: Reader, shipped: Model, brought: readonly Brought[]): Promise<string[]> {
  const wanted = wantedIndexes(shipped);
  const own = new Set(ownersIn(shipped).map((it) => it.table));
  const isBrought = (table: string, column: string) =>
    brought.some((it) => it.table === table && (it.column === column || (it.column === undefined && !own.has(table))));
  const tables = new Set([...own, ...brought.map((it) => it.table)]);
  const of = async (sql: string) => (await client.query<{ table: string; column: string; name: string }>(sql)).rows;
  const computed = await of(
    `SELECT c.relname AS table, a.attname AS column, '' AS name FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND a.attgenerated <> '' AND NOT a.attisdropped`,
  );
  const keys = await of(
    `SELECT c.relname AS table, a.attname AS column, f.conname AS name
       FROM pg_constraint AS f JOIN pg_class AS c ON c.oid = f.conrelid
       JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = f.conkey[1]
      WHERE f.contype = 'f' AND c.relnamespace = current_schema()::regnamespace`,
  );
  const triggers = await of(
    String.raw`SELECT c.relname AS table, split_part(replace(encode(t.tgargs, 'escape'), '\000', chr(31)), chr(31), 1) AS column, t.tgname AS name
       FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_proc AS p ON p.oid = t.tgfoid
      WHERE p.proname = 'hold_named' AND c.relnamespace = current_schema()::regnamespace`,
  );
  const indexes = [...(await readRelations(client)).values()].filter(
    (it) => it.kind === 'i' && !it.isKey && tables.has(it.table ?? '') && !wanted.has(keyOf(it)),
  );
  const isTheirs = (it: { table: string; column: string }) => isBrought(it.table, it.column);
  return [
    ...keys.filter(isTheirs).map((it) => `ALTER TABLE ${quoted(it.table)} DROP CONSTRAINT ${quoted(it.name)}`),
    ...triggers.filter(isTheirs).map((it) => `DROP TRIGGER ${quoted(it.name)} ON ${quoted(it.table)}`),
    ...computed.filter(isTheirs).map((it) => `ALTER TABLE ${quoted(it.table)} DROP COLUMN ${quoted(it.column)}`),
    ...indexes.map((it) => `DROP INDEX ${quoted(it.name)}`),
  ];
}
