import type pg from 'pg';
import type { Model } from '#domain/definition/grammar.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { backfillBeside, readBeside } from '#server/db/backfill.ts';
import { hasTable } from '#server/db/hasTable.ts';
import { quoted } from '#server/db/quoted.ts';
import { LOCK_MS, watchStatement, type Waiting } from '#server/db/lockPatience.ts';
import { openBuilder } from '#server/definitions/ahead.ts';
import { isInBatches } from '#server/definitions/schema.ts';
import { notTaken } from '#server/definitions/tables.ts';

/**
 * Does what of a plan goes beside whoever writes, each by itself. Indexes are built and dropped: `CONCURRENTLY` waits for transactions that were there before it,
 * and lets everybody else go on. One that ends half built is taken away; where even that can't be done, as by a machine that
 * stops, the next start does it. Rule: operating#beside.
 * @returns by statement why the rows do not allow it
 * @throws BadDatabase when a transaction of others does not end
 */
export async function buildBeside(
  url: string,
  client: pg.ClientBase,
  statements: readonly string[],
  model: Model,
  waiting: Waiting,
): Promise<Map<string, DefinitionProblem>> {
  const unbuilt = new Map<string, DefinitionProblem>();
  if (statements.length === 0) return unbuilt;
  const builder = await openBuilder(url, 'reflow prepare');
  try {
    for (const it of statements) {
      try {
        if (isInBatches(it)) await backfillBeside(url, client, it, waiting);
        else await watchStatement(url, builder, it, waiting);
      } catch (error) {
        await dropHalf(builder, it);
        const problem = notTaken(error, it, model);
        if (!problem) throw error;
        unbuilt.set(it, problem);
      }
    }
  } finally {
    await builder.end();
  }
  return unbuilt;
}

/** It costs whoever writes. Where its lock is not had soon, the next start drops it. */
async function dropHalf(builder: pg.Client, statement: string): Promise<void> {
  const [, index] = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY ("[^"]+")/.exec(statement) ?? [];
  if (!index) return;
  await builder
    .query(`SET lock_timeout = ${LOCK_MS}`)
    .then(() => builder.query(`DROP INDEX IF EXISTS ${index}`))
    .catch(() => undefined);
  await builder.query(`RESET lock_timeout`).catch(() => undefined);
}

/** Runs a migration that is no transaction. What an earlier start has left of its index goes first. */
export async function migrateOutOfTransaction(
  url: string,
  client: pg.ClientBase,
  sql: string,
  waiting: Waiting,
): Promise<void> {
  const { table, index } = readBeside(sql);
  // A new database has no tables of definitions yet.
  if (!(await hasTable(client, table))) return;
  if (!index) return backfillBeside(url, client, sql, waiting);
  const builder = await openBuilder(url, 'reflow prepare');
  try {
    for (const it of [`DROP INDEX CONCURRENTLY IF EXISTS ${quoted(index)}`, sql])
      await watchStatement(url, builder, it, waiting);
  } finally {
    await builder.end();
  }
}
