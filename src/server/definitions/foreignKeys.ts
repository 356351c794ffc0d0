import type pg from 'pg';
import type { Definition } from '#domain/definition/grammar.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { referencesOf, type Reference } from '#domain/definition/references.ts';
import { quoted } from '#server/db/quoted.ts';
import type { Emptied, Plan } from '#server/definitions/definitions.ts';
import { lookAll, type Look } from '#server/definitions/look.ts';

/** One constraint of a table. */
export interface Step {
  module: string;
  /** Where in the module each field stands that it is of, as `fields.amount`. */
  paths: string[];
  /** What stays where it can't be done: a rule that no definition asks for any more. Left out, one is not set. */
  lifts?: true;
  /** Each needs the ones before it. */
  statements: string[];
  /** Takes back what the first statement did. */
  undo: string;
  /** What is not set, with the rows in the way; the next start tries again. */
  leftOut: DefinitionProblem[];
}

/**
 * The foreign keys that the definitions ask for and the database lacks, and those that no definition asks for any more.
 * One whose rows refer to what is not there is left out and told. Rule: definitions#references.
 * @param filled tables that are made, with what is referred to, before the keys are
 */
export async function* planForeignKeys(
  client: pg.ClientBase,
  definitions: readonly Definition[],
  filled: ReadonlySet<string> = new Set(),
): AsyncGenerator<Step> {
  const { references, undecided } = referencesOf(definitions);
  const wanted = new Map(references.map((it) => [it.name, it]));
  const made = await readMade(client);
  const look = lookAll(client);
  const modules = new Map(definitions.map((it) => [it.table, it.module]));
  for (const { name, table, column, toTable, toColumn, isOfDefinition } of made.keys) {
    if (isSame(wanted.get(name), toTable, toColumn)) continue;
    // Of a table that no module has any more it hinders those who work with the rows that it names.
    const [of, field] = modules.has(table) || !isOfDefinition ? [table, column] : [toTable, toColumn];
    const module = modules.get(of);
    if (module === undefined) continue;
    const drop = `ALTER TABLE ${quoted(table)} DROP CONSTRAINT ${quoted(name)}`;
    yield { module, paths: [`fields.${field}`], lifts: true, statements: [drop], undo: '', leftOut: [] };
  }
  const holding = new Set(
    made.keys.filter((it) => it.isValid && isSame(wanted.get(it.name), it.toTable, it.toColumn)).map((it) => it.name),
  );
  for (const reference of references) {
    if (holding.has(reference.name)) continue;
    const found = filled.has(reference.to.table) ? undefined : await countDangling(look, reference, made.columns);
    const leftOut = found && found.n > 0 ? [{ ...danglingProblem(reference, found), rule: 'danglingLeft' }] : [];
    yield {
      module: reference.module,
      paths: [pathOf(reference)],
      statements: leftOut.length > 0 ? [] : statementsOf(reference),
      undo: dropKey(reference),
      leftOut,
    };
  }
  const notKept = undecided.map(({ module, rule, what, ...it }): DefinitionProblem => {
    return { kind: 'NotApplied', rule, where: module, path: pathOf(it), name: it.column, what };
  });
  if (notKept.length > 0) yield { module: '', paths: [], statements: [], undo: '', leftOut: notKept };
}

/** What a change would make refer to rows and rows in the way of it: with them it is not published. */
export async function danglingIn(
  client: Pick<pg.ClientBase, 'query'>,
  {
    before,
    after,
    emptied,
  }: { before: readonly Definition[]; after: readonly Definition[]; emptied: readonly Emptied[] },
  look: Look,
): Promise<Pick<Plan, 'refused' | 'uncounted'>> {
  const known = new Map(referencesOf(before).references.map((it) => [it.name, it]));
  // One that is turned to another list is looked through as a new one.
  const added = referencesOf(after).references.filter((it) => !isSame(known.get(it.name), it.to.table, it.to.column));
  const plan: Pick<Plan, 'refused' | 'uncounted'> = { refused: [], uncounted: [] };
  if (added.length === 0) return plan;
  const made = await readMade(client);
  const isEmptied = (it: string) =>
    emptied.some(({ table, column }) =>
      column === undefined ? it.startsWith(`${table} `) : it === `${table} ${column}`,
    );
  const columns = new Set([...made.columns].filter((it) => !isEmptied(it)));
  for (const reference of added) {
    const found = await countDangling(look, reference, columns);
    const { module, column } = reference;
    if (!found) plan.uncounted.push({ module, path: pathOf(reference), name: column });
    else if (found.n > 0) {
      const { kind: _, where: __, ...problem } = danglingProblem(reference, found);
      plan.refused.push({ ...problem, module });
    }
  }
  return plan;
}

interface Made {
  keys: {
    name: string;
    table: string;
    column: string;
    toTable: string;
    toColumn: string;
    isValid: boolean;
    /** Whether its table was made for a definition, be it there or not: those of migrations keep their keys. */
    isOfDefinition: boolean;
  }[];
  /** `table column` of each. */
  columns: ReadonlySet<string>;
}

async function readMade(client: Pick<pg.ClientBase, 'query'>): Promise<Made> {
  const keys = await client.query<Made['keys'][number]>(
    `SELECT f.conname AS name, c.relname AS table, o.attname AS column, p.relname AS "toTable", a.attname AS "toColumn",
            f.convalidated AS "isValid",
            EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'empty_text_is_null') AS "isOfDefinition"
       FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class p ON p.oid = f.confrelid
       JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = f.confkey[1]
       JOIN pg_attribute o ON o.attrelid = f.conrelid AND o.attnum = f.conkey[1]
      WHERE f.contype = 'f' AND c.relnamespace = current_schema()::regnamespace ORDER BY 1`,
  );
  const columns = await client.query<{ it: string }>(
    `SELECT c.relname || ' ' || a.attname AS it FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
        AND a.attnum > 0 AND NOT a.attisdropped`,
  );
  return { keys: keys.rows, columns: new Set(columns.rows.map((it) => it.it)) };
}

const isSame = (wanted: Reference | undefined, table: string, column: string): boolean =>
  wanted?.to.table === table && wanted.to.column === column;

/** A column that is still to be made is empty; one that refers to a table that is still to be made refers to nothing. */
async function countDangling(
  look: Look,
  { table, column, to }: Reference,
  columns: ReadonlySet<string>,
): Promise<Dangling | undefined> {
  if (!columns.has(`${table} ${column}`)) return { n: 0, ids: '' };
  const isThere = columns.has(`${to.table} ${to.column}`)
    ? `EXISTS (SELECT 1 FROM ${quoted(to.table)} AS p WHERE p.${quoted(to.column)} = c.${quoted(column)})`
    : 'false';
  const rows = await look<{ n: number; ids: string | null }>(
    `WITH dangling AS (SELECT c.id FROM ${quoted(table)} AS c WHERE c.${quoted(column)} IS NOT NULL AND NOT ${isThere})
     SELECT count(*)::int AS n, (SELECT string_agg(id::text, ', ' ORDER BY id)
                                   FROM (SELECT id FROM dangling ORDER BY id LIMIT 5) AS first) AS ids
       FROM dangling`,
  );
  return rows && { n: rows[0]?.n ?? 0, ids: rows[0]?.ids ?? '' };
}

interface Dangling {
  n: number;
  /** The first of them. */
  ids: string;
}

const pathOf = ({ column }: Pick<Reference, 'column'>): string => `fields.${column}.ref`;

const danglingProblem = (reference: Reference, { n, ids }: Dangling) => {
  const { module, column, to } = reference;
  return {
    ...{ kind: 'NotApplied' as const, rule: 'danglingRows' as const, where: module, path: pathOf(reference) },
    ...{ name: `id ${ids}`, count: n },
    what: `${module}.${column} refers to no ${to.module} in ${n} row(s), the first with id ${ids}`,
  };
};

const dropKey = ({ table, name }: Reference) =>
  `ALTER TABLE ${quoted(table)} DROP CONSTRAINT IF EXISTS ${quoted(name)}`;

/**
 * Each is a transaction of its own: the key holds for new rows at once, the rows that are there are read under a lock
 * that lets others write. One that an earlier start could not validate is made anew.
 */
function statementsOf(reference: Reference): string[] {
  const { table, name, column, to } = reference;
  return [
    `${dropKey(reference)}, ADD CONSTRAINT ${quoted(name)} FOREIGN KEY (${quoted(column)}) ` +
      `REFERENCES ${quoted(to.table)} (${quoted(to.column)}) NOT VALID`,
    `ALTER TABLE ${quoted(table)} VALIDATE CONSTRAINT ${quoted(name)}`,
  ];
}
