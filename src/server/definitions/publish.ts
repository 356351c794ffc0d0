import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { Model } from '#domain/definition/grammar.ts';
import { keptRights, madeRights } from '#domain/definition/madeRights.ts';
import { MENU } from '#domain/definition/overlay.ts';
import type { DefinitionProblem, Registers } from '#domain/definition/problems.ts';
import { countingPublishes, type Publish } from '#domain/definition/publishes.ts';
import { slipsInSteps } from '#domain/definition/slips.ts';
import { saidAnew } from '#domain/definition/validateChange.ts';
import { DraftStatus } from '#domain/enums.ts';
import { publishStepsOf } from '#domain/publishing.ts';
import { Refusal } from '#domain/refusal.ts';
import { PREPARE_LOCK } from '#server/db/migrate.ts';
import { waitForLock } from '#server/db/waitForLock.ts';
import { buildAhead, indexedTable, openLong, type Ahead } from '#server/definitions/ahead.ts';
import { readPretended, readTaken, saidIn } from '#server/definitions/brought.ts';
import { runUnderLoad, setConstraints } from '#server/definitions/constraints.ts';
import {
  beyond,
  type Done,
  type Emptied,
  type Orderer,
  type Plan,
  type Publication,
} from '#server/definitions/definitions.ts';
import { CHANNEL } from '#server/definitions/follow.ts';
import { findFormerContents } from '#server/definitions/formerContents.ts';
import type { Look } from '#server/definitions/look.ts';
import { writeMenuRows } from '#server/definitions/menuRows.ts';
import {
  findFormerNames,
  findPlatformTables,
  findUnlistedTaken,
  readTables,
} from '#server/definitions/platformTables.ts';
import { readPublished, readPublishes, type CountingChange } from '#server/definitions/published.ts';
import { BadDefinitions, readModel, type PublishedChange } from '#server/definitions/read.ts';
import {
  buttonsIn,
  findShared,
  forgetRights,
  giverOf,
  holdMade,
  restoreRights,
  setRights,
} from '#server/definitions/rights.ts';
import { planChange, planTables } from '#server/definitions/schema.ts';
import { ownersIn, refusedIn, telling } from '#server/definitions/tables.ts';
import { inSteps } from '#server/inSteps.ts';
import { codeOf } from '#server/transaction.ts';

const nobody: Orderer = {
  signal: new AbortController().signal,
  onStep: () => undefined,
  keep: () => Promise.resolve(),
};

/**
 * Publishes changes, or takes earlier publishes back: all of it in one transaction with its history and its ledger, or
 * nothing. Columns and rows stay, whatever is taken back. Indexes of tables that are there are built before, beside
 * whoever writes: one that can't be fails the publish. Every server hears of it and works by it from then on; `onWritten`
 * is told as soon as it counts. Rule: definitions#publishing.
 * @throws BadDefinitions where the whole would not be right, data would be lost or rows are in the way
 */
export async function publish(
  url: string,
  registers: Registers,
  publication: Publication,
  onWritten: (written: Pick<Done, 'id' | 'model'>) => void = () => undefined,
  orderer: Orderer = nobody,
): Promise<Done> {
  return alone(url, publication.userId, orderer, async (client) => {
    orderer.onStep(0, publishStepsOf(0).all);
    const { first, ...written } = await writeWithIndexes({ client, url, registers, publication, orderer, indexes: 0 });
    onWritten(written);
    const constraints = await holdRules(client, written.model);
    return {
      ...written,
      statements: [...first, ...written.statements, ...constraints.statements],
      leftOut: constraints.leftOut,
    };
  });
}

/** What a publish does after it is written, for one that was broken off there: gives what the database can't hold yet. */
export function finishPublish(url: string, registers: Registers): Promise<DefinitionProblem[]> {
  return alone(url, '', nobody, async (client) => {
    const { changes } = await readPublished(client);
    return (await holdRules(client, readModel(registers, changes))).leftOut;
  });
}

/** Long enough for what others publish every day, and short enough to be told of an index that takes hours. */
const WAIT_MS = 60_000;

/** Another publish was not done in time: whose it is, and since when it works. A server that starts has no name. */
export class PublishBusy extends Error {
  constructor(
    readonly userId: string,
    readonly since: Date,
  ) {
    super(
      `${userId === '' ? 'A server that starts' : `A publish by ${userId}`} is at work since ${since.toISOString()}; nothing was published`,
    );
    this.name = 'PublishBusy';
  }
}

/** One publish at a time, and none while a server starts. Whose it is stands where the database lists its connections. */
async function alone<T>(
  url: string,
  userId: string,
  { signal, waitMs = WAIT_MS }: Orderer,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = openLong(url);
  await client.connect();
  try {
    // Before it is given, so that nobody finds it with whoever has no name.
    await sayName(client, userId);
    while (!(await waitForLock(client, PREPARE_LOCK, { signal, ms: waitMs }))) {
      const holder = await findHolder(client);
      // It has just ended.
      if (holder) throw new PublishBusy(holder.userId ?? '', holder.since);
    }
    await sayName(client, userId);
    return await work(client);
  } finally {
    await client.end();
  }
}

const sayName = (client: pg.Client, userId: string) =>
  client.query(
    `SELECT set_config('application_name',
                       concat_ws(' ', 'reflow publish', floor(extract(epoch FROM clock_timestamp()))::text, $1::text), false)`,
    [sayShort(userId)],
  );

/** The database keeps 63 bytes of that, and escapes what is not ASCII: what is cut is no other's name. */
const MOST_OF_NAME = 32;
const sayShort = (userId: string): string => {
  const name = userId.replace(/[^!-~]/g, '?');
  return name.length > MOST_OF_NAME ? `${name.slice(0, MOST_OF_NAME)}...` : name;
};

/**
 * For whose publish, or for which start, one of `userId` that has not begun waits: a user has one job at a time, so that his
 * own at work is no other. A server that starts has no user.
 */
export async function findWaitedFor(
  client: Pick<pg.ClientBase, 'query'>,
  userId: string,
): Promise<{ userId: string; since: Date } | undefined> {
  const holder = await findHolder(client);
  return holder && holder.userId !== sayShort(userId) ? { ...holder, userId: holder.userId ?? '' } : undefined;
}

async function findHolder(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<{ userId: string | null; since: Date } | undefined> {
  // As a number: not every connection reads a moment as a Date.
  const { rows } = await client.query<{ userId: string | null; since: number }>(
    `SELECT split_part(a.application_name, ' ', 4) AS "userId",
            floor(1000 * coalesce(substring(a.application_name FROM '^reflow publish ([0-9]+)')::float8,
                                  extract(epoch FROM a.backend_start)::float8)) AS since
       FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)
      WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = ${PREPARE_LOCK} AND l.objsubid = 1
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  const [first] = rows;
  return first && { userId: first.userId, since: new Date(first.since) };
}

const holdRules = (client: pg.Client, model: Model) =>
  setConstraints(client, ownersIn(model)).catch((error: unknown) => ({
    statements: [],
    leftOut: [rulesNotSet(error as Error)],
  }));

const rulesNotSet = ({ message }: Error): DefinitionProblem => ({
  ...{ kind: 'NotApplied', rule: 'rulesNotSet', where: '', name: '' },
  what: `What every row should hold can't be set now: ${message}`,
});

/** A publish at work. */
interface Run {
  client: pg.Client;
  url: string;
  registers: Registers;
  publication: Publication;
  orderer: Orderer;
  /** How many indexes are built ahead of it. */
  indexes: number;
}

const LOCK_TIMEOUT = '55P03';
const CANCELLED = '57014';
const TRIES = 40;

/**
 * Looks, builds what has to be built before, and writes. What was built goes again where it is not written after all; what
 * a machine that stops leaves of it names no definition, and is no rule for anybody from the next publish or start on.
 */
async function writeWithIndexes(run: Run) {
  const { client, url, orderer } = run;
  const looked = await writeUnderLoad(run);
  if (!('ahead' in looked)) return { ...looked, first: [] };
  const undo: string[] = [];
  try {
    const indexes = await buildAhead(client, url, looked, orderer, undo);
    const written = await writeUnderLoad({ ...run, indexes });
    if ('ahead' in written) throw new Error(`Not there after it was built: ${written.ahead.join('; ')}`);
    return { ...written, first: looked.ahead };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    for (const it of undo.reverse()) await runUnderLoad(client, it, TRIES).catch(() => undefined);
    throw error;
  }
}

/** A busy table is waited for half a second at most, and all is tried again: nobody waits behind what is not done yet. */
async function writeUnderLoad(run: Run) {
  for (let left = TRIES; ; left--) {
    run.orderer.signal.throwIfAborted();
    try {
      return await writeAll(run);
    } catch (error) {
      if (codeOf(error) !== LOCK_TIMEOUT || left === 1) throw error;
      await run.client.query('ROLLBACK');
      await setTimeout(100);
    }
  }
}

interface Written {
  id: number;
  model: Model;
  statements: string[];
}

/** The transaction of a publish. Nothing is written while something is to be built ahead of it. */
async function writeAll({ client, registers, publication: given, orderer, indexes }: Run): Promise<Written | Ahead> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = '500ms'`);
  const there = await readTables(client);
  const before = await readPublishes(client);
  const publication = await resolve(client, before, given);
  const taken = [
    ...(await findPlatformTables(client, registers, publication.changes)),
    ...(await findFormerNames(client, registers, publication)),
  ];
  if (taken.length > 0) throw new BadDefinitions(taken);
  const standing = (await readPublished(client)).changes;
  const known = standing.map((it) => it.module);
  const modules = new Set([...readModel(registers).definitions.keys(), ...known]);
  const id = await write(client, publication);
  const published = await readPublished(client);
  const model = readModel(registers, published.changes);
  const current = readModel(registers, standing);
  const counted = new Set(standing.map((it) => it.publishId));
  const returning = published.changes.filter((it) => it.publishId !== id && !counted.has(it.publishId));
  await refuseAnew(client, registers, { changes: publication.changes, returning });
  refuseBeyond(publication, current, model);
  const unlisted = await findUnlistedTaken(client, { before: current, after: model }, publication);
  if (unlisted.length > 0) throw new BadDefinitions(unlisted);
  await refuseSlips(publication, current, model, readModel(registers));
  const made = { before: current, after: model, changes: publication.changes, publishId: id };
  const emptied = await emptiedBy(client, made, publication);
  const plan = await planChange(client, current, model, { emptied });
  if (plan.refused.length > 0) throw new BadDefinitions(refusedIn(plan));
  const { ahead, statements } = await split(client, current, { plan, there, emptied });
  if (ahead.length > 0) {
    await client.query('ROLLBACK');
    return { model, ahead };
  }
  const anew = publication.changes.filter((it) => it.change.definition && !modules.has(it.module));
  const ofMade = madeRights(current, publication.changes);
  const were = buttonsIn(current);
  const again = [...buttonsIn(model)].filter((it) => !ofMade.has(it) && !were.has(it));
  const back = [...model.definitions.keys()].filter(
    (it) => !current.definitions.has(it) && anew.every(({ module }) => module !== it),
  );
  const shared = await findShared(client, { modules: back, buttons: again });
  const forgotten = {
    modules: [...anew.map((it) => it.module), ...shared.modules],
    buttons: [...ofMade, ...shared.buttons],
  };
  await forgetRights(client, forgotten, publication);
  const giver = giverOf(client, publication, { before: current, after: model, made: ofMade });
  for (const { module, change, roles } of publication.changes) {
    if (!change.rights) continue;
    const fate = modules.has(module) ? 'stays' : 'comes';
    const rightsBefore = await setRights(
      client,
      { module, wanted: change.rights, fate, ...(roles && { roles }) },
      giver,
    );
    const values = [id, module, JSON.stringify(rightsBefore)];
    await client.query(
      `UPDATE definition_change SET "rightsBefore" = $3 WHERE "publishId" = $1 AND module = $2`,
      values,
    );
  }
  await markInForce(client, before, { before: current, after: model }, giver);
  await holdMade(client, { publishId: id, kept: keptRights(current, publication.changes) }, giver);
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
  const { written, all } = publishStepsOf(indexes);
  orderer.onStep(written, all);
  await orderer.keep(client, id);
  // Last, as whoever scans waits for a table from here on.
  for (const it of statements) await telling(it, model, () => client.query(it));
  await client.query('COMMIT');
  // It counts: whoever hears of it stops nothing any more.
  orderer.onStep(written + 1, all);
  return { id, model, statements };
}

const COUNTING_MS = 5_000;

/** What is made anew by the answers of a publish. It is refused where what is still there is not answered for. */
async function emptiedBy(
  client: pg.Client,
  made: Parameters<typeof findFormerContents>[1],
  author: Publication,
): Promise<readonly Emptied[]> {
  const { problems, emptied } = await findFormerContents(client, made, author, lookWithin(client));
  if (problems.length > 0) throw new BadDefinitions(problems);
  return emptied;
}

/** Nobody waits for a publish that looks for the one value of a large table for minutes. */
const lookWithin =
  (client: pg.Client): Look =>
  async <Row extends object>(query: string, values: readonly unknown[] = []) => {
    await client.query(`SAVEPOINT counting; SET LOCAL statement_timeout = ${COUNTING_MS}`);
    try {
      return (await client.query<Row & pg.QueryResultRow>(query, [...values])).rows;
    } catch (error) {
      if (codeOf(error) !== CANCELLED) throw error;
      return undefined;
    } finally {
      await client.query('ROLLBACK TO SAVEPOINT counting; RELEASE SAVEPOINT counting');
    }
  };

/**
 * What of a plan is built ahead, and what is done within the publish. An index that the database lacks for what counts
 * already is none of its business: the next start tries it again. One of what is emptied waits for that: nothing is lost
 * before all of the publish is done.
 */
async function split(
  client: pg.Client,
  current: Model,
  { plan, there, emptied }: { plan: Plan; there: ReadonlySet<string>; emptied: readonly Emptied[] },
) {
  const isOfEmptied = (it: string) =>
    emptied.some(
      ({ table, column }) => indexedTable(it) === table && (column === undefined || it.includes(`"${column}"`)),
    );
  const isIndex = (it: string) =>
    it.startsWith('DROP INDEX') || (there.has(indexedTable(it) ?? '') && !isOfEmptied(it));
  if (!plan.statements.some(isIndex)) return { ahead: [], statements: plan.statements };
  const lacking = new Set((await planTables(client, ownersIn(current))).statements);
  const own = plan.statements.filter((it) => !(isIndex(it) && lacking.has(it)));
  const indexes = own.filter(isIndex);
  const isNeeded = (it: string) => {
    const [, table = '', column = ''] = /^ALTER TABLE "([^"]+)" (?:ADD|DROP) COLUMN "([^"]+)"/.exec(it) ?? [];
    return indexes.some((index) => indexedTable(index) === table && index.includes(`"${column}"`));
  };
  return { ahead: own.filter((it) => isIndex(it) || isNeeded(it)), statements: own };
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
    `SELECT module, change, roles FROM definition_draft WHERE "draftId" = $1 ORDER BY module = $2, module`,
    [id, MENU],
  );
  return changes.rows;
}

/** Marks what counts from now on, and gives roles the rights that come and go with it. */
async function markInForce(
  client: pg.Client,
  before: readonly Publish[],
  models: { before: Model; after: Model },
  giver: ReturnType<typeof giverOf>,
): Promise<void> {
  const [was, is] = [new Set(countingPublishes(before)), countingPublishes(await readPublishes(client))];
  const gone = [...was].filter((it) => !is.includes(it)).reverse();
  const back = is.filter((it) => !was.has(it) && before.some((known) => known.id === it));
  for (const it of gone) await restoreRights(client, { publishId: it, to: 'before', ...models }, giver);
  for (const it of back) await restoreRights(client, { publishId: it, to: 'after', ...models }, giver);
  await client.query(`UPDATE definition_publish SET "isInForce" = id = ANY ($1) WHERE "isInForce" <> (id = ANY ($1))`, [
    is,
  ]);
}

/** Nobody publishes what he may not read himself, or what a module does not allow; nor brings it again by taking back. */
function refuseBeyond({ changes, takesBack, author, sites }: Publication, before: Model, after: Model): void {
  const others = takesBack.length === 0 ? [] : [...after.definitions.values()];
  const again = others
    .filter((it) => it !== before.definitions.get(it.module))
    .map(({ module }): PublishedChange => ({ module, change: {} }));
  const problems = beyond({ model: after, changes: [...changes, ...again], problems: [] }, before, author, sites);
  if (problems.length > 0) throw new BadDefinitions(problems);
}

/**
 * What a version ships is said whole by no publish; of those that come again by none that did so when it was published: what was
 * made here before goes on as the version's.
 */
async function refuseAnew(
  client: pg.Client,
  registers: Registers,
  { changes, returning }: { changes: readonly PublishedChange[]; returning: readonly CountingChange[] },
): Promise<void> {
  const shipped = readModel(registers).definitions;
  const isAnew = returning.some((it) => it.change.definition && shipped.has(it.module));
  const pretended = isAnew ? await readPretended(client, shipped.keys(), await readTaken(client)) : new Set<string>();
  const problems = saidAnew(shipped, [...changes, ...returning.filter((it) => pretended.has(saidIn(it)))]);
  if (problems.length > 0) throw new BadDefinitions(problems);
}

/** What nobody can mean is not published, whoever asks for it. */
async function refuseSlips({ changes }: Publication, before: Model, after: Model, shipped: Model): Promise<void> {
  const { errors } = await inSteps(slipsInSteps(before, after, changes, shipped));
  if (errors.length > 0) throw new BadDefinitions(errors);
}

async function write(client: pg.Client, { changes, takesBack, note, userId }: Publication): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO definition_publish ("userId", note, "takesBack", roles)
     SELECT $1, $2, $3, coalesce(jsonb_object_agg("roleId", id), '{}') FROM admin_role RETURNING id::int`,
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
