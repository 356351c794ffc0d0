import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { columnsOf, indexesOf, indexOn } from '#domain/definition/columns.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { planForeignKeys, type Step } from '#server/definitions/foreignKeys.ts';
import { quoted } from '#server/db/quoted.ts';
import { isRefused } from '#server/definitions/tables.ts';
import { codeOf } from '#server/transaction.ts';

/** What the database should hold of every row and does not yet. */
interface Missing {
  module: string;
  table: string;
  notNull: { name: string; isThere: boolean }[];
}

type ConstraintPlan = Pick<Step, 'statements' | 'leftOut'>;

/**
 * Which statements make the database hold what the definitions say of every row, and which rows keep them from it: first
 * the columns that are NOT NULL, then the foreign keys. Only reads. Rule: definitions#always, definitions#references.
 * @param filled tables that migrations are about to make and fill
 */
export async function planConstraints(
  client: pg.ClientBase,
  definitions: readonly Definition[],
  filled?: ReadonlySet<string>,
): Promise<ConstraintPlan> {
  const plan: ConstraintPlan = { statements: [], leftOut: [] };
  for await (const { statements, leftOut } of planSteps(client, definitions, filled)) {
    plan.statements.push(...statements);
    plan.leftOut.push(...leftOut);
  }
  return plan;
}

/** Does what `planConstraints` says while people work: no lock is waited for long, and none is held while rows are read. */
export async function setConstraints(
  client: pg.ClientBase,
  definitions: readonly Definition[],
): Promise<ConstraintPlan> {
  const done: ConstraintPlan = { statements: [], leftOut: [] };
  for await (const step of planSteps(client, definitions)) {
    done.leftOut.push(...step.leftOut);
    const why = await runAll(client, step);
    if (why === null) done.statements.push(...step.statements);
    else done.leftOut.push(...toldOf(step, why));
  }
  return done;
}

async function* planSteps(
  client: pg.ClientBase,
  definitions: readonly Definition[],
  filled?: ReadonlySet<string>,
): AsyncGenerator<Step> {
  for (const missing of await missingOf(client, definitions)) yield await planTable(client, missing);
  yield* planForeignKeys(client, definitions, filled);
  yield* planFormerKeys(client, definitions);
}

/** A field that was unique by what was taken back, or set aside, is so no more. Nothing that a definition did not ask for. */
async function* planFormerKeys(client: pg.ClientBase, definitions: readonly Definition[]): AsyncGenerator<Step> {
  const modules = new Map(definitions.map((it) => [it.table, it.module]));
  const asked = new Set(definitions.flatMap((it) => indexesOf(it).map(({ name }) => name)));
  const { rows } = await client.query<{ name: string; table: string; columns: string[] }>(
    `SELECT c.relname AS name, t.relname AS table,
            array(SELECT a.attname::text FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, n)
                    JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
                   WHERE k.n <= i.indnkeyatts ORDER BY k.n) AS columns
       FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_class AS t ON t.oid = i.indrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND i.indisunique AND NOT i.indisprimary
        AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indnatts = i.indnkeyatts + 1 ORDER BY 1`,
  );
  for (const { name, table, columns } of rows) {
    const module = modules.get(table);
    if (module === undefined || asked.has(name) || indexOn(table, columns, true).name !== name) continue;
    const paths = columns.map((it) => `fields.${it}`);
    yield { module, paths, lifts: true, statements: [`DROP INDEX ${quoted(name)}`], undo: '', leftOut: [] };
  }
}

type Why = Pick<DefinitionProblem, 'rule' | 'what'>;

/** Each field has its own, as each may be missed. */
function toldOf({ module, paths, lifts }: Step, { rule, what }: Why): DefinitionProblem[] {
  return paths.map((path) => {
    const [, name = ''] = path.split('.');
    const told = lifts && rule === BUSY ? 'formerStays' : rule;
    return { kind: 'NotApplied', rule: told, where: module, path, name, what: `${module}.${name}: ${what}` };
  });
}

/** Why the table can't have its constraint now; null when it has it. */
async function runAll(client: pg.ClientBase, { statements, undo }: Step): Promise<Why | null> {
  let ran = 0;
  try {
    for (const it of statements) {
      await runUnderLoad(client, it);
      ran += 1;
    }
    return null;
  } catch (error) {
    const unforeseen = { rule: 'rulesNotSet', what: (error as Error).message };
    const why = REASONS[codeOf(error) ?? ''] ?? (isRefused(error) ? unforeseen : undefined);
    if (why === undefined) throw error;
    // A constraint that stayed would refuse changes of the very rows that break it; one that can't be dropped for all
    // that waiting goes with the next start.
    if (ran > 0 && undo !== '') {
      await runUnderLoad(client, undo, PATIENT).catch((stuck: unknown) => {
        if (codeOf(stuck) !== LOCK_TIMEOUT) throw stuck;
      });
    }
    return why;
  }
}

const LOCK_TIMEOUT = '55P03';
const BUSY = 'tableBusy';
const REASONS: Record<string, Why> = {
  [LOCK_TIMEOUT]: { rule: BUSY, what: 'its table is busy' },
  '23503': { rule: 'danglingComes', what: 'a row that refers to nothing has just come' },
  '23514': { rule: 'emptyComes', what: 'a row without its required fields has just come' },
  '23502': { rule: 'emptyComes', what: 'a row without its required fields has just come' },
};

/** How often a lock is tried for: each time for half a second, as everybody else waits behind. */
const TRIES = 5;
const PATIENT = 40;

/** Waits for a busy table half a second at most, then lets others go first and tries again. */
export async function runUnderLoad(client: pg.ClientBase, statement: string, tries = TRIES): Promise<void> {
  await client.query(`SET lock_timeout = '500ms'`);
  try {
    for (let left = tries; ; left--) {
      try {
        await client.query(statement);
        return;
      } catch (error) {
        if (codeOf(error) !== LOCK_TIMEOUT || left === 1) throw error;
        await setTimeout(250);
      }
    }
  } finally {
    await client.query('RESET lock_timeout');
  }
}

async function missingOf(client: pg.ClientBase, definitions: Iterable<Definition>): Promise<Missing[]> {
  const { rows } = await client.query<{ table: string; column: string; notNull: boolean }>(
    `SELECT c.relname AS table, a.attname AS column, a.attnotnull AS "notNull"
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
        AND a.attnum > 0 AND NOT a.attisdropped`,
  );
  const tables = new Set(rows.map((it) => it.table));
  const isNotNull = new Map(rows.map((it) => [`${it.table} ${it.column}`, it.notNull]));
  return [...definitions].flatMap((definition) => {
    const { module, table } = definition;
    if (!tables.has(table) || definition.viewOf) return [];
    const notNull = columnsOf(definition)
      .filter((it) => it.notNull && isNotNull.get(`${table} ${it.name}`) !== true)
      .map(({ name }) => ({ name, isThere: isNotNull.has(`${table} ${name}`) }));
    return notNull.length > 0 ? [{ module, table, notNull }] : [];
  });
}

/** The columns whose rows allow it, and a sentence for each of the others. */
async function planTable(client: pg.ClientBase, { module, table, notNull }: Missing): Promise<Step> {
  const isEmpty = notNull.map((it) => (it.isThere ? `${quoted(it.name)} IS NULL` : 'true'));
  const { rows } = await client.query<number[]>({
    text: `SELECT ${isEmpty.map((it) => `count(*) FILTER (WHERE ${it})::int`).join(', ')} FROM ${quoted(table)}`,
    rowMode: 'array',
  });
  const counts = rows[0] ?? [];
  const leftOut: DefinitionProblem[] = [];
  for (const [i, { name }] of notNull.entries()) {
    const count = counts[i];
    if (!count) continue;
    const first = await client.query<{ id: string }>(
      `SELECT id FROM ${quoted(table)} WHERE ${isEmpty[i]} ORDER BY id LIMIT 5`,
    );
    const ids = first.rows.map((it) => it.id).join(', ');
    leftOut.push({
      ...{ kind: 'NotApplied', rule: 'rowsEmpty', where: module, path: `fields.${name}`, name: `id ${ids}`, count },
      what: `${module}.${name} is empty in ${count} row(s), the first with id ${ids}`,
    });
  }
  const free = notNull.filter((_, i) => !counts[i]).map((it) => it.name);
  const statements = free.length > 0 ? notNullStatements(table, free) : [];
  return { module, paths: free.map((it) => `fields.${it}`), statements, undo: dropCheck(table), leftOut };
}

const checkOf = (table: string) => quoted(`${table.slice(0, 50)}_always`);
const dropCheck = (table: string) => `ALTER TABLE ${quoted(table)} DROP CONSTRAINT IF EXISTS ${checkOf(table)}`;

/**
 * Each is a transaction of its own: the check holds for new rows at once, the rows that are there are read under a lock
 * that lets others write, and the columns then take the check's proof instead of reading the table while all wait.
 */
function notNullStatements(table: string, columns: readonly string[]): string[] {
  const all = columns.map((it) => `${quoted(it)} IS NOT NULL`).join(' AND ');
  const sets = columns.map((it) => `ALTER COLUMN ${quoted(it)} SET NOT NULL`).join(', ');
  return [
    `${dropCheck(table)}, ADD CONSTRAINT ${checkOf(table)} CHECK (${all}) NOT VALID`,
    `ALTER TABLE ${quoted(table)} VALIDATE CONSTRAINT ${checkOf(table)}`,
    `ALTER TABLE ${quoted(table)} ${sets}`,
    dropCheck(table),
  ];
}
