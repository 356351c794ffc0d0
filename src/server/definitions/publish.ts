import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Model } from '#domain/definition/grammar.ts';
import type { Registers } from '#domain/definition/problems.ts';
import { PREPARE_LOCK } from '#server/db/migrate.ts';
import { setConstraints } from '#server/definitions/constraints.ts';
import { CHANNEL } from '#server/definitions/follow.ts';
import { writeMenuRows } from '#server/definitions/menuRows.ts';
import { readPublished } from '#server/definitions/published.ts';
import { BadDefinitions, readModel, type PublishedChange } from '#server/definitions/read.ts';
import { ownersIn, statementsFor } from '#server/definitions/tables.ts';
import { codeOf } from '#server/transaction.ts';

interface Publication {
  changes: readonly PublishedChange[];
  /** The numbers of earlier publishes that are taken back by this one. */
  takesBack: readonly number[];
  note: string;
  userId: string;
  /** Of who publishes; empty for somebody at the machine itself. */
  siteId: string;
}

interface Done {
  id: number;
  model: Model;
  /** What was done to the database, in its order. */
  statements: string[];
  /** What the database can't hold yet, a sentence each; the next start tries again. */
  leftOut: string[];
}

/**
 * Publishes changes, or takes earlier publishes back: all of it in one transaction with its history and its ledger, or
 * nothing. Columns and rows stay, whatever is taken back. Indexes of tables that are there are built afterwards, so that
 * who writes meanwhile does not wait. Every server hears of it and works by it from then on. Rule: definitions#publishing.
 * @throws BadDefinitions where the whole would not be right, BadDatabase where data would be lost
 */
export async function publish(url: string, registers: Registers, publication: Publication): Promise<Done> {
  const client = new pg.Client({ connectionString: url, application_name: 'reflow publish' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [PREPARE_LOCK]);
    const { later, ...written } = await writeUnderLoad(client, registers, publication);
    const leftOut = await buildIndexes(client, later);
    const constraints = await setConstraints(client, ownersIn(written.model));
    return {
      ...written,
      statements: [...written.statements, ...constraints.statements],
      leftOut: [...leftOut, ...constraints.leftOut],
    };
  } finally {
    await client.end();
  }
}

const LOCK_TIMEOUT = '55P03';
const TRIES = 40;

/** A busy table is waited for half a second at most, and all is tried again: nobody waits behind what is not done yet. */
async function writeUnderLoad(client: pg.Client, registers: Registers, publication: Publication) {
  for (let left = TRIES; ; left--) {
    try {
      return await writeAll(client, registers, publication);
    } catch (error) {
      if (codeOf(error) !== LOCK_TIMEOUT || left === 1) throw error;
      await client.query('ROLLBACK');
      await setTimeout(100);
    }
  }
}

/** The transaction of a publish; `later` are the indexes of tables that are there. */
async function writeAll(client: pg.Client, registers: Registers, publication: Publication) {
  await client.query(`BEGIN; SET LOCAL lock_timeout = '500ms'`);
  const there = await readTables(client);
  await refusePlatformTables(client, registers, there, publication.changes);
  const id = await write(client, publication);
  const model = readModel(registers, (await readPublished(client)).changes);
  const statements = await statementsFor(client, ownersIn(model));
  const isLater = (it: string) => there.has(indexedTable(it) ?? '');
  for (const it of statements.filter((one) => !isLater(one))) await client.query(it);
  await writeMenuRows(client, model);
  await recordPublish(client, id, publication);
  await client.query(`SELECT pg_notify($1, $2)`, [CHANNEL, String(id)]);
  await client.query('COMMIT');
  return { id, model, statements, later: statements.filter(isLater) };
}

/** A new module may have a table of its own, or one that a module which was taken back had; never the platform's. */
async function refusePlatformTables(
  client: pg.Client,
  registers: Registers,
  there: ReadonlySet<string>,
  changes: readonly PublishedChange[],
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT change -> 'definition' ->> 'table' AS name FROM definition_change WHERE change ? 'definition'`,
  );
  const ours = new Set([...ownersIn(readModel(registers)).map((it) => it.table), ...rows.map((it) => it.name)]);
  const wrong = changes.flatMap(({ module, change }) => {
    const table = change.definition?.table;
    return table !== undefined && there.has(table) && !ours.has(table)
      ? [`ForbiddenChange: ${module} → the table "${table}" is the platform's own; choose another name`]
      : [];
  });
  if (wrong.length > 0) throw new BadDefinitions(wrong);
}

async function write(client: pg.Client, { changes, takesBack, note, userId }: Publication): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO definition_publish ("userId", note, "takesBack") VALUES ($1, $2, $3) RETURNING id::int`,
    [userId, note, takesBack],
  );
  const id = rows[0]?.id as number;
  for (const { module, change } of changes) {
    await client.query(`INSERT INTO definition_change ("publishId", module, change) VALUES ($1, $2, $3)`, [
      id,
      module,
      JSON.stringify(change),
    ]);
  }
  return id;
}

async function recordPublish(client: pg.Client, id: number, publication: Publication): Promise<void> {
  const { userId, siteId, note, takesBack, changes } = publication;
  await client.query(
    `INSERT INTO ledger ("userId", "siteId", what, module, "recordId", after, "requestId")
     VALUES ($1, $2, $3, 'definitions', $4, $5, '')`,
    [
      userId,
      siteId,
      takesBack.length > 0 ? 'takeBack' : 'publish',
      String(id),
      JSON.stringify({ note, takesBack, modules: changes.map((it) => it.module) }),
    ],
  );
}

async function readTables(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
  );
  return new Set(rows.map((it) => it.name));
}

/** Of a statement that makes an index, its table. */
const indexedTable = (statement: string): string | undefined =>
  /^CREATE (?:UNIQUE )?INDEX "[^"]+" ON "([^"]+)"/.exec(statement)?.[1];

/** Builds indexes beside whoever writes; one that can't be, as rows contradict it, leaves nothing behind and is told. */
async function buildIndexes(client: pg.Client, statements: readonly string[]): Promise<string[]> {
  const leftOut: string[] = [];
  for (const statement of statements) {
    const name = /INDEX ("[^"]+")/.exec(statement)?.[1];
    try {
      await client.query(statement.replace('INDEX', 'INDEX CONCURRENTLY'));
    } catch (error) {
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      leftOut.push(`${name} can't be built: ${(error as Error).message}`);
    }
  }
  return leftOut;
}
