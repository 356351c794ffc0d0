import type pg from 'pg';
import type { Model } from '#domain/definition/grammar.ts';
import { Stage } from '#domain/wafer.ts';
import { isOutOfTransaction } from '#server/db/backfill.ts';
import { buildBeside, migrateOutOfTransaction } from '#server/db/buildBeside.ts';
import { DatabaseClient } from '#server/db/client.ts';
import { LOCK_MS, SAY_MS, untilUnlocked, type Waiting } from '#server/db/lockPatience.ts';
import { hasTable } from '#server/db/hasTable.ts';
import {
  isBesideOthers,
  migrate,
  missingMigrations,
  PREPARE_LOCK,
  remember,
  shippedMigrations,
  type Migrations,
} from '#server/db/migrate.ts';
import { namesMadeBy } from '#server/db/namesMade.ts';
import { quoted } from '#server/db/quoted.ts';
import { refuseSharedSessions } from '#server/db/ownSession.ts';
import { isNewerDatabase, planSchemaVersion } from '#server/db/schemaVersion.ts';
import { waitForLock } from '#server/db/waitForLock.ts';
import { readTaken, type Taken } from '#server/definitions/brought.ts';
import { planConstraints, setConstraints } from '#server/definitions/constraints.ts';
import {
  findBeforeMigration,
  findBeforeTables,
  findButtons,
  findNames,
  findReplaced,
  makeWay,
  recordTaken,
  runMigration,
  type Way,
} from '#server/definitions/makeWay.ts';
import { writeMenuRows } from '#server/definitions/menuRows.ts';
import { readPlatformTables } from '#server/definitions/platformTables.ts';
import { readCounting, readSetAside } from '#server/definitions/published.ts';
import { readModel } from '#server/definitions/read.ts';
import { forgetRights } from '#server/definitions/rights.ts';
import { applying, judge, saySetAside, settle, type SetAside } from '#server/definitions/settle.ts';
import { BadDatabase, ownersIn, refusedIn } from '#server/definitions/tables.ts';
import { isBeside, planTables, readLarge } from '#server/definitions/schema.ts';
import type { DefinitionProblem, Registers } from '#domain/definition/problems.ts';

export interface Prepared {
  model: Model;
  /** The number of the last publish that it holds. */
  lastPublish: number;
  /** What was changed in the database to hold the model; empty on a second start. */
  applied: string[];
  /** True when the database had no tables of ours before. */
  isNew: boolean;
  /** Accounts of an earlier version whose names look like another's; until there are none, no index keeps new ones out. */
  lookalikes: string[];
  /** What the definitions say of every row and the database can't yet hold, a sentence each. */
  leftOut: string[];
  /** What was published and can't be applied: the server works without it. */
  aside: SetAside[];
  /** What publishes had brought and this start set aside under other names. */
  renamed: Taken[];
  /** The role of the server may do anything to the whole of PostgreSQL; it needs no more than to own the database. */
  asSuperuser: boolean;
}

/** How a start waits for others. */
export interface Preparing extends Waiting {
  /** Other migrations than those of this version. */
  migrations?: Migrations;
  /** Nobody works on the database: all is done at once, which is quicker. */
  isAlone?: boolean;
}

/**
 * Makes the database hold what this version needs: migrations, then the tables of the definitions with the published
 * changes laid over them, all in one transaction under an advisory lock. Additive only: what would lose data is refused
 * and explained; of what was published it is set aside, and the server starts without it. What a publish brought under a name
 * that this version needs makes way. What tables that are there lack of their constraints follows, each by itself, so that
 * nobody who works meanwhile waits. A lock is waited for shortly and again and again, as `waiting` says. Rule: definitions#tables,
 * definitions#always, definitions#set-aside, operating#beside.
 */
export async function prepareDatabase(
  url: string,
  registers: Registers,
  { migrations = shippedMigrations, isAlone = false, ...waiting }: Preparing = {},
): Promise<Prepared> {
  await refuseSharedSessions(url);
  const client = new DatabaseClient({
    ...{ connectionString: url, application_name: 'reflow prepare', lock_timeout: LOCK_MS },
  });
  await client.connect();
  try {
    await refuseUnfit(client);
    await waitForTurn(client, waiting);
    if (await isNewerDatabase(client)) return await takeAsItIs(client, registers);
    const large: ReadonlySet<string> = isAlone ? new Set() : await readLarge(client);
    const done: Pick<Prepared, 'applied' | 'renamed'> = { applied: [], renamed: [] };
    if (!isAlone) await migrateBeside(url, client, { registers, migrations, waiting }, done);
    const unbuilt = new Map<string, DefinitionProblem>();
    const { applied, renamed } = done;
    let isNew = false;
    for (;;) {
      const write = () => writeAll(client, { registers, migrations, large, unbuilt });
      const written = await untilUnlocked(url, client, write, waiting);
      applied.push(...written.applied);
      renamed.push(...written.renamed);
      isNew ||= written.isNew;
      const { model, aside, left } = written;
      const failed = await buildBeside(url, client, left, model, waiting);
      applied.push(...left.filter((it) => !failed.has(it)));
      // Whose indexes could not be built is set aside in a second round.
      for (const [it, problem] of failed) unbuilt.set(it, problem);
      if (failed.size > 0) continue;
      await untilUnlocked(url, client, () => writeSetAside(client, aside), waiting);
      const constraints = await setConstraints(client, ownersIn(model));
      const doubles = await sayDoubleWafers(client);
      return {
        ...{ model, aside, renamed, isNew, lastPublish: written.lastPublish, lookalikes: written.lookalikes },
        applied: [...applied, ...constraints.statements],
        leftOut: [...constraints.leftOut.map((it) => it.what), ...doubles],
        asSuperuser: await isSuperuser(client),
      };
    }
  } finally {
    await client.end();
  }
}

interface Written extends Omit<Prepared, 'leftOut' | 'asSuperuser'> {
  /** What is left to be done beside who writes. */
  left: string[];
}

/** Others that start, or publish, go first. */
async function waitForTurn(client: pg.Client, { say, sayEveryMs = SAY_MS }: Waiting): Promise<void> {
  while (!(await waitForLock(client, PREPARE_LOCK, { ms: sayEveryMs })))
    say?.(
      'Another server prepares the database, or something is being published: this start waits until that is done.',
    );
}

interface Upgrade {
  registers: Registers;
  migrations: Migrations;
  waiting: Waiting;
}

/**
 * Runs the migrations that go beside people at work, each by itself: what one makes is there before the next one runs, whichever
 * versions were left out. A database that lacks an older one is brought to this version by one transaction. Rule: operating#beside.
 */
async function migrateBeside(
  url: string,
  client: pg.Client,
  { registers, migrations, waiting }: Upgrade,
  done: Pick<Prepared, 'applied' | 'renamed'>,
): Promise<void> {
  const missing = await missingMigrations(client, migrations);
  if (missing.length === 0 || !missing.every(isBesideOthers)) return;
  const shipped = readModel(registers);
  for (const name of missing) {
    const sql = migrations.read(name);
    if (isOutOfTransaction(name)) {
      await migrateOutOfTransaction(url, client, sql, waiting);
      await remember(client, name);
    } else {
      const run = async () => {
        await client.query('BEGIN');
        const way = await findBeforeMigration(client, shipped, sql);
        const made = await makeWay(client, way);
        await runMigration(client, shipped, sql);
        await recordTaken(client, way.taken);
        await remember(client, name);
        await client.query('COMMIT');
        done.applied.push(...made);
        done.renamed.push(...way.taken.filter(isRenamed));
      };
      await untilUnlocked(url, client, run, waiting);
    }
    done.applied.push(asComment(name));
  }
}

interface Start {
  registers: Registers;
  migrations: Migrations;
  /** As `planTables` takes them. */
  large: ReadonlySet<string>;
  /** What could not be built beside who writes. */
  unbuilt: ReadonlyMap<string, DefinitionProblem>;
}

/** The transaction of a start. */
async function writeAll(client: pg.Client, { registers, migrations: all, large, unbuilt }: Start): Promise<Written> {
  await client.query('BEGIN');
  const shipped = readModel(registers);
  const made: string[] = [];
  const taken: Taken[] = [];
  const before = await readTaken(client);
  const make = async (way: Way) => {
    made.push(...(await makeWay(client, way)));
    taken.push(...way.taken);
  };
  const migrations = await migrate(
    client,
    undefined,
    async (sql) => {
      await make(await findBeforeMigration(client, shipped, sql));
      await runMigration(client, shipped, sql);
    },
    all,
  );
  const version = await planSchemaVersion(client);
  for (const it of version) await client.query(it);
  // Those of the migrations first: what they took is not taken again.
  await recordTaken(client, taken);
  const way = await findBeforeTables(client, shipped, [{ name: LOOKS, table: 'admin_user' }]);
  await make(way);
  const names = await findNames(client, shipped, before, taken);
  const buttons = await findButtons(client, shipped, before);
  await forgetRights(
    client,
    { modules: names.map((it) => it.module), buttons: buttons.map((it) => `${it.module}:${it.column}`) },
    { userId: 'system', siteId: '' },
  );
  await recordTaken(client, [...way.taken, ...names, ...buttons]);
  const published = await readCounting(client);
  const tables = new Set<string>();
  const platform = await readPlatformTables(client, registers);
  const attempt = applying(client, registers, { platform, large, unbuilt }, tables);
  const { model, changes, aside } = await settle(
    registers,
    published.changes,
    await readSetAside(client),
    await findReplaced(client, shipped, await readTaken(client)),
    attempt,
  );
  const { statements, lookalikes } = await planAccountNames(client, large);
  const [now, beside] = inTwo([...tables, ...statements, ...(await planFormerSns(client))]);
  for (const it of now.filter((one) => !tables.has(one))) await client.query(it);
  // One that was set aside before stays so until its indexes are there.
  if (beside.length === 0) await writeSetAside(client, aside);
  await writeMenuRows(client, model, changes);
  await client.query('COMMIT');
  return {
    ...{ model, aside, lookalikes, left: beside, lastPublish: published.last },
    applied: [...made, ...migrations.map(asComment), ...version, ...now],
    renamed: taken.filter(isRenamed),
    isNew: migrations.includes('0001_platform.sql'),
  };
}

/** What of a plan is done at once, and what beside who writes. */
const inTwo = (statements: readonly string[]): [now: string[], beside: string[]] => [
  statements.filter((it) => !isBeside(it)),
  statements.filter(isBeside),
];

/** A newer version's database is worked on as that one left it: what this one lacks of it is not taken away. */
async function takeAsItIs(client: pg.Client, registers: Registers): Promise<Prepared> {
  const published = await readCounting(client);
  const platform = await readPlatformTables(client, registers);
  const taken = await findReplaced(client, readModel(registers), await readTaken(client));
  const { model, aside } = await settle(
    registers,
    published.changes,
    await readSetAside(client),
    taken,
    async (changes) => {
      return judge(registers, changes, platform).problems;
    },
  );
  return {
    ...{ model, aside, lastPublish: published.last, asSuperuser: await isSuperuser(client), isNew: false },
    ...{ applied: [], lookalikes: [], leftOut: [], renamed: [] },
  };
}

/**
 * What `prepareDatabase` would change, in its order. It asks in a transaction that can't write and holds no lock, so that
 * servers and people work on meanwhile; migrations are named and not run.
 * @throws BadDatabase when the definitions would lose data
 */
export async function planDatabase(url: string, registers: Registers, known = shippedMigrations): Promise<string[]> {
  await refuseSharedSessions(url);
  const client = new DatabaseClient({ connectionString: url, application_name: 'reflow plan' });
  await client.connect();
  try {
    await refuseUnfit(client);
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    if (await isNewerDatabase(client)) return [];
    const version = await planSchemaVersion(client);
    const migrations = await missingMigrations(client, known);
    const published = (await hasTable(client, 'definition_publish')) ? (await readCounting(client)).changes : [];
    const said = migrations.map((it) => known.read(it));
    const ways = await findWays(client, readModel(registers), said);
    const makingWay = ways.flatMap((it) => it.aside);
    const taken = [...(await readTaken(client)), ...ways.flatMap((it) => it.taken)];
    const platform = await readPlatformTables(client, registers);
    const replaced = await findReplaced(client, readModel(registers), taken);
    const { model, aside } = await settle(registers, published, new Set(), replaced, async (changes) => {
      const judged = judge(registers, changes, platform);
      // What only a migration that has not run may change is not yet refused.
      if (judged.problems.length > 0 || migrations.length > 0) return judged.problems;
      return refusedIn(await planTables(client, ownersIn(judged.model), [], makingWay));
    });
    const owners = ownersIn(model);
    const large = await readLarge(client);
    const tables = (await planTables(client, owners, [], makingWay, large)).statements;
    const { statements } = await planAccountNames(client, large);
    const [now, beside] = inTwo([...tables, ...statements, ...(await planFormerSns(client))]);
    const constraints = await planConstraints(client, owners, tablesMadeBy(said));
    const leftOut = [...constraints.leftOut.map((it) => it.what), ...aside.map(saySetAside)].map(
      (it) => `-- left out: ${it}`,
    );
    return [...migrations.map(asComment), ...[version, now, beside, constraints.statements, leftOut].flat()];
  } finally {
    await client.end();
  }
}

/** The tables that migrations make and fill from others; a new database's have nothing in them. */
const tablesMadeBy = (migrations: readonly string[]): ReadonlySet<string> =>
  new Set(migrations.flatMap((it) => namesMadeBy(it).flatMap(({ table, name }) => (table ? [] : [name]))));

/** What would make way for each migration, and for the tables after them. */
async function findWays(client: pg.Client, shipped: Model, migrations: readonly string[]): Promise<Way[]> {
  const ways: Way[] = [];
  for (const it of migrations) ways.push(await findBeforeMigration(client, shipped, it));
  const last = await findBeforeTables(client, shipped, [{ name: LOOKS, table: 'admin_user' }]);
  const said = new Set(ways.flatMap((it) => [...it.aside, ...it.taken]).map((it) => JSON.stringify(it)));
  const isNew = (it: object) => !said.has(JSON.stringify(it));
  return [...ways, { aside: last.aside.filter(isNew), taken: last.taken.filter(isNew) }];
}

/** Each publish that can't be applied has the reason, where administrators find it; those that can have none any more. */
async function writeSetAside(client: pg.Client, aside: readonly SetAside[]): Promise<void> {
  await client.query(
    `UPDATE definition_publish AS p SET trouble = wanted.trouble
       FROM (SELECT q.id, a.problems AS trouble FROM definition_publish AS q
               LEFT JOIN jsonb_to_recordset($1::jsonb) AS a (id bigint, problems jsonb) ON a.id = q.id) AS wanted
      WHERE wanted.id = p.id AND wanted.trouble IS DISTINCT FROM p.trouble`,
    [JSON.stringify(aside)],
  );
}

const isRenamed = (it: Taken) => it.keptAs !== null;
const asComment = (migration: string) => `-- migration ${migration}`;

const LOOKS = 'admin_user_looks_key';

/** No two accounts look alike: an index holds it, as soon as none do. */
async function planAccountNames(
  client: pg.Client,
  large: ReadonlySet<string>,
): Promise<{ statements: string[]; lookalikes: string[] }> {
  const there = await client.query<{ isValid: boolean }>(
    `SELECT i.indisvalid AS "isValid" FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = $1`,
    [LOOKS],
  );
  if (there.rows[0]?.isValid) return { statements: [], lookalikes: [] };
  const index = large.has('admin_user') ? 'INDEX CONCURRENTLY' : 'INDEX';
  const make = [
    ...(there.rows[0] ? [`DROP ${index} ${quoted(LOOKS)}`] : []),
    `CREATE UNIQUE ${index} ${quoted(LOOKS)} ON admin_user (account_skeleton("userId"))`,
  ];
  if (!(await canCompareNames(client))) return { statements: make, lookalikes: [] };
  const { rows } = await client.query<{ names: string }>(
    `SELECT string_agg("userId", ', ' ORDER BY id) AS names FROM admin_user
      GROUP BY account_skeleton("userId") HAVING count(*) > 1`,
  );
  const lookalikes = rows.map((it) => it.names);
  return { statements: lookalikes.length > 0 ? [] : make, lookalikes };
}

/** Wafers that came from their foundry twice, before the database kept them from it. */
async function sayDoubleWafers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ wafer: string; lots: string }>(
    `SELECT concat_ws(' / ', w."waferPn", w."waferLotId", p."waferId") AS wafer,
            string_agg(w."wipId", ', ' ORDER BY w.id) AS lots
       FROM icop_wip AS w JOIN icop_wip_wafer AS p USING ("wipId")
      WHERE w.stage = $1 AND w."parentWipIds" IS NULL
      GROUP BY w."waferPn", w."waferLotId", p."waferId" HAVING count(*) > 1 ORDER BY 1 LIMIT 20`,
    [Stage.WaferBank],
  );
  return rows.map((it) => `icopWip: wafer ${it.wafer} came twice, in the lots ${it.lots}`);
}

const FORMER = 'former_sn';

/** What was called so once keeps the name: the archive refuses it to anything else. Rule: units#former-sns. */
async function planFormerSns(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = 'ubs_item_object' AND t.tgname = $1`,
    [FORMER],
  );
  return rows.length > 0
    ? []
    : [
        `CREATE TRIGGER ${FORMER} AFTER INSERT OR UPDATE OF sn ON ubs_item_object ` +
          `FOR EACH ROW EXECUTE FUNCTION refuse_former_sn()`,
      ];
}

/** Not before the first start, and not before the migration that brings the function. */
async function canCompareNames(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ known: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_proc WHERE proname = 'account_skeleton'
                      AND pronamespace = current_schema()::regnamespace) AS known`,
  );
  return rows[0]?.known === true && (await hasTable(client, 'admin_user'));
}

async function isSuperuser(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`SELECT current_setting('is_superuser') = 'on' AS is`);
  return rows[0]?.is === true;
}

async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; version: number }>(
    `SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::int AS version`,
  );
  const [it] = rows;
  if (it?.encoding !== 'UTF8') {
    throw new BadDatabase(`The database's encoding is ${it?.encoding}, Reflow needs UTF8: createdb --encoding=UTF8 …`);
  }
  if (it.version < 150_000) throw new BadDatabase(`PostgreSQL ${it.version} is too old; 15 or newer is needed`);
}
