import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Model } from '#domain/definition/grammar.ts';
import { MENU } from '#domain/definition/overlay.ts';
import type { DefinitionProblem, Registers } from '#domain/definition/problems.ts';
import { countingPublishes, type Publish } from '#domain/definition/publishes.ts';
import { validateReach } from '#domain/definition/reach.ts';
import { DraftStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import { giveWay } from '#server/db/giveWay.ts';
import { PREPARE_LOCK } from '#server/db/migrate.ts';
import { setConstraints } from '#server/definitions/constraints.ts';
import type { Done, Publication } from '#server/definitions/definitions.ts';
import { CHANNEL } from '#server/definitions/follow.ts';
import { writeMenuRows } from '#server/definitions/menuRows.ts';
import { readPublished, readPublishes } from '#server/definitions/published.ts';
import { BadDefinitions, readModel, type PublishedChange } from '#server/definitions/read.ts';
import { restoreRights, setRights } from '#server/definitions/rights.ts';
import { ownersIn, statementsFor } from '#server/definitions/tables.ts';
import { codeOf } from '#server/transaction.ts';

/**
 * Publishes changes, or takes earlier publishes back: all of it in one transaction with its history and its ledger, or
 * nothing. Columns and rows stay, whatever is taken back. Indexes of tables that are there are built afterwards, so that
 * who writes meanwhile does not wait. Every server hears of it and works by it from then on; `onWritten` is told as soon as
 * it counts, while indexes are built. Rule: definitions#publishing.
 * @throws BadDefinitions where the whole would not be right, BadDatabase where data would be lost
 */
export async function publish(
  url: string,
  registers: Registers,
  publication: Publication,
  onWritten: (written: Pick<Done, 'id' | 'model'>) => void = () => undefined,
): Promise<Done> {
  const client = open(url);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [PREPARE_LOCK]);
    const { later, ...written } = await writeUnderLoad(client, registers, publication);
    onWritten(written);
    const leftOut = later.length > 0 ? await buildIndexes(url, later) : [];
    const constraints = await setConstraints(client, ownersIn(written.model)).catch((error: unknown) => ({
      statements: [],
      leftOut: [`What every row should hold can't be set now: ${(error as Error).message}`],
    }));
    return {
      ...written,
      statements: [...written.statements, ...constraints.statements],
      leftOut: [...leftOut, ...constraints.leftOut],
    };
  } finally {
    await client.end();
  }
}

function open(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, application_name: 'reflow publish' });
  // A connection that ends between two questions: the next one says so.
  client.on('error', () => undefined);
  return client;
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
async function writeAll(client: pg.Client, registers: Registers, given: Publication) {
  await client.query(`BEGIN; SET LOCAL lock_timeout = '500ms'`);
  const there = await readTables(client);
  const before = await readPublishes(client);
  const publication = await resolve(client, before, given);
  await refuseForeignTables(client, registers, there, publication);
  const standing = (await readPublished(client)).changes;
  const known = standing.map((it) => it.module);
  const modules = new Set([...readModel(registers).definitions.keys(), ...known]);
  const id = await write(client, publication);
  const published = await readPublished(client);
  const model = readModel(registers, published.changes);
  refuseBeyond(publication, readModel(registers, standing), model);
  const statements = await statementsFor(client, ownersIn(model));
  const isLater = (it: string) => there.has(indexedTable(it) ?? '');
  for (const { module, change } of publication.changes) {
    if (!change.rights) continue;
    const rightsBefore = await setRights(client, module, change.rights, publication, !modules.has(module));
    const values = [id, module, JSON.stringify(rightsBefore)];
    await client.query(
      `UPDATE definition_change SET "rightsBefore" = $3 WHERE "publishId" = $1 AND module = $2`,
      values,
    );
  }
  await markInForce(client, before, publication);
  await writeMenuRows(client, model, published.changes);
  await recordPublish(client, id, publication);
  if (publication.draft) {
    await client.query(`DELETE FROM definition_draft WHERE "draftId" = $1`, [publication.draft.id]);
    await client.query(
      `UPDATE sys_draft SET status = $2, "publishId" = $3, version = version + 1, "updateBy" = $4, "updateTime" = now() WHERE id = $1`,
      [publication.draft.id, DraftStatus.Published, id, publication.userId],
    );
  }
  await client.query(`SELECT pg_notify($1, $2)`, [CHANNEL, String(id)]);
  // Last, as whoever scans waits for a table from here on.
  for (const it of statements.filter((one) => !isLater(one))) await client.query(it);
  await client.query('COMMIT');
  return { id, model, statements, later: statements.filter(isLater) };
}

/**
 * A publish with what it publishes of a draft, and all that it takes back by name. Since one means all from it on, whether
 * they count or not, so that everything is as it was before it: a taking back among them would bring others again.
 */
async function resolve(client: pg.Client, before: readonly Publish[], given: Publication): Promise<Publication> {
  const [first = Infinity] = given.takesBack;
  const known = given.since ? before.map((it) => it.id) : countingPublishes(before);
  const unknown = given.takesBack.find((it) => !known.includes(it));
  if (unknown !== undefined) throw new Refusal({ key: 'notInForce', field: 'id', args: { number: unknown } });
  const takesBack = given.since ? known.filter((it) => it >= first) : given.takesBack;
  const changes = given.draft ? await readDraft(client, given.draft) : given.changes;
  if (changes.length + takesBack.length === 0) throw new Refusal({ key: 'nothingToPublish' });
  return { ...given, changes, takesBack };
}

async function readDraft(
  client: pg.Client,
  { id, version }: NonNullable<Publication['draft']>,
): Promise<PublishedChange[]> {
  const { rows } = await client.query<{ status: string; version: number }>(
    `SELECT status, version FROM sys_draft WHERE id = $1 FOR UPDATE`,
    [id],
  );
  const [draft] = rows;
  if (draft?.status !== DraftStatus.Open || draft.version !== version) throw new Refusal({ key: 'stale' });
  const changes = await client.query<PublishedChange>(
    `SELECT module, change FROM definition_draft WHERE "draftId" = $1 ORDER BY module = $2, module`,
    [id, MENU],
  );
  return changes.rows;
}

/** Marks what counts from now on, and gives roles the rights that come and go with it. */
async function markInForce(client: pg.Client, before: readonly Publish[], publication: Publication): Promise<void> {
  const after = await readPublishes(client);
  const [was, is] = [new Set(countingPublishes(before)), countingPublishes(after)];
  const gone = [...was].filter((it) => !is.includes(it)).reverse();
  const back = is.filter((it) => !was.has(it) && before.some((known) => known.id === it));
  for (const it of gone) await restoreRights(client, it, 'before', publication);
  for (const it of back) await restoreRights(client, it, 'after', publication);
  await client.query(`UPDATE definition_publish SET "isInForce" = id = ANY ($1) WHERE "isInForce" <> (id = ANY ($1))`, [
    is,
  ]);
}

/** Of whoever stands at the machine itself. */
const ANY: ReadonlySet<string> = new Set(['*:*']);

/**
 * A new module may have a table of its own, or one that a module which was taken back had, if its author had published
 * that or may list it; never the platform's.
 */
async function refuseForeignTables(
  client: pg.Client,
  registers: Registers,
  there: ReadonlySet<string>,
  { changes, author, userId }: Publication,
): Promise<void> {
  const { rows } = await client.query<{ name: string; module: string; userId: string }>(
    `SELECT c.change -> 'definition' ->> 'table' AS name, c.module, p."userId"
       FROM definition_change AS c JOIN definition_publish AS p ON p.id = c."publishId"
      WHERE c.change ? 'definition' AND NOT c.change -> 'definition' ? 'rowsOf'`,
  );
  const shipped = new Set(ownersIn(readModel(registers)).map((it) => it.table));
  const wrong = changes.flatMap(({ module, change }): DefinitionProblem[] => {
    const { table = '', rowsOf } = change.definition ?? {};
    if (!there.has(table) || shipped.has(table)) return [];
    const no = (rule: string, what: string, name: string): DefinitionProblem[] => [
      { kind: 'ForbiddenChange', rule, where: module, what, path: 'table', name },
    ];
    const former = rows.filter((it) => it.name === table);
    if (former.length === 0)
      return no('platformTable', `the table "${table}" is the platform's own; choose another name`, table);
    const isTheirs = (it: (typeof rows)[number]) => it.userId !== userId && !mayDo(author ?? ANY, `${it.module}:list`);
    const foreign = rowsOf ? undefined : former.find(isTheirs);
    return foreign ? no('unreadable', `the table "${table}" holds rows of ${foreign.module}`, foreign.module) : [];
  });
  if (wrong.length > 0) throw new BadDefinitions(wrong);
}

/** Nobody publishes what he may not read himself. */
function refuseBeyond({ changes, author }: Publication, before: Model, after: Model): void {
  if (!author) return;
  const modules = changes.map((it) => it.module);
  const problems = validateReach(before, after, modules, author);
  if (problems.length > 0) throw new BadDefinitions(problems);
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

/**
 * An index is sorted in memory and logged in less, so that who writes waits less for the disk. What the database doesn't let
 * its user set, or doesn't know, stays as it is.
 */
const QUIETLY = [
  'SET max_parallel_maintenance_workers = 0',
  `SET maintenance_work_mem = '256MB'`,
  'SET wal_compression = on',
];

/** Of a statement that makes an index, its table. */
const indexedTable = (statement: string): string | undefined =>
  /^CREATE (?:UNIQUE )?INDEX "[^"]+" ON "([^"]+)"/.exec(statement)?.[1];

const indexIn = (statement: string): string => /INDEX ("[^"]+")/.exec(statement)?.[1] ?? '';
const leftOutBy = (statement: string, error: unknown): string =>
  `${indexIn(statement)} can't be built: ${(error as Error).message}`;

/**
 * Builds indexes beside whoever writes, by one process which goes behind theirs, as people are at work; one that can't be,
 * as rows contradict it or the database takes no connection more, leaves nothing behind and is told: what is published is.
 */
async function buildIndexes(url: string, statements: readonly string[]): Promise<string[]> {
  const client = open(url);
  try {
    await client.connect();
  } catch (error) {
    return statements.map((it) => leftOutBy(it, error));
  }
  try {
    await giveWay(client);
    for (const it of QUIETLY) await client.query(it).catch(() => undefined);
    const leftOut: string[] = [];
    for (const statement of statements) {
      try {
        await client.query(statement.replace('INDEX', 'INDEX CONCURRENTLY'));
      } catch (error) {
        await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${indexIn(statement)}`);
        leftOut.push(leftOutBy(statement, error));
      }
    }
    return leftOut;
  } finally {
    await client.end();
  }
}
