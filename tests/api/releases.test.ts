import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { submitStoreBill } from '#features/store/contract.ts';
import { restore } from '#server/backup/restore.ts';
import { readLocks } from '#server/db/locksTaken.ts';
import { migrate } from '#server/db/migrate.ts';
import { planDatabase, prepareDatabase, type Prepared } from '#server/db/prepare.ts';
import { readModel } from '#server/definitions/read.ts';
import { isBeside, planTables, readLarge } from '#server/definitions/schema.ts';
import { ownersIn } from '#server/definitions/tables.ts';
import { openFileStore } from '#server/uploads/fileStore.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { registers } from '#tests/support/features.ts';
import { brokenInvariants, invariantsQuery } from '#tests/support/invariants.ts';
import { archiveOf, fillAsReleased, readFigures, releases, type Figures } from '#tests/support/releases.ts';

/** What every start writes of itself. */
const OF_THE_START = ['definition_module', 'migration', 'schema_version', 'sys_btn', 'sys_menu', 'table_change'];
/** What a migration says otherwise of rows that were there, by which one. */
const SAID_OTHERWISE: Record<string, string> = {
  'bill_number.last': '0048_in_process.sql',
  'icop_assembly_work_order_line.splitList': '0029_split_lists.sql',
  'definition_change.at': '0032_definition_publish.sql',
  'definition_change.note': '0032_definition_publish.sql',
  'definition_change.takesBack': '0032_definition_publish.sql',
  'definition_change.userId': '0032_definition_publish.sql',
  'icop_transaction.reportMark': '0079_reported_rows.sql',
  'icop_transaction.operateStatus': '0038_wafer_receipts.sql',
};
/** Tables in which a migration makes rows. */
const MORE_ROWS: Record<string, string> = {
  bill_number: '0048_in_process.sql',
  icop_wip: '0048_in_process.sql',
  role_right: '0074_received_units.sql',
};

/** Rules of what an older version did not keep, and no migration could know. */
const NOT_KNOWN_BEFORE = [
  'a step that was rolled back says when',
  // The versions of the first day.
  'a registration of own goods is in the state of its bill',
  'a unit is on its way exactly when an item of its transfer waits to be signed for',
  'scrap is out for repair, or used up, exactly as its bill says',
];

/** The rules that do not hold there; those that it has no columns for are not asked. */
async function readBrokenBefore(client: pg.Client): Promise<string[]> {
  const broken: string[] = [];
  for (const query of invariantsQuery.split('\nUNION ALL\n')) {
    const found = await client.query<{ sentence: string }>(query).catch((error: { code?: string }) => {
      if (error.code === '42703' || error.code === '42P01') return { rows: [] };
      throw error;
    });
    broken.push(...found.rows.map((it) => it.sentence));
  }
  return broken;
}

/**
 * Runs the migrations that the database lacks. A block stops where its database has nothing for it to do, and what stands behind
 * that is never looked at: each of its statements is asked for its plan.
 * @returns what the database could not even plan, for want of a column
 */
async function runMigrations(client: pg.Client): Promise<string[]> {
  const unplanned: string[] = [];
  await migrate(client, undefined, async (sql) => {
    await client.query(sql);
    const text = sql.replaceAll(/--.*$/gm, '');
    const [, declared = ''] = /\bDECLARE\b([^]*?)\bBEGIN\b/.exec(text) ?? [];
    const [, body = ''] = /\bDO \$\$([^]*)\$\$/.exec(text) ?? [];
    for (const [, statement = ''] of body.matchAll(/\n\s*((?:WITH|UPDATE|INSERT INTO|DELETE FROM)\b[^;]*);/g)) {
      const known = [...declared.matchAll(/(\w+) (\w+);/g)].reduce(
        (it, [, name, type]) => it.replaceAll(new RegExp(`(?<![."])\\b${name}\\b`, 'g'), `NULL::${type}`),
        statement,
      );
      await client.query('SAVEPOINT planning');
      await client.query(`EXPLAIN ${known}`).catch(async ({ code, message }: { code?: string; message: string }) => {
        await client.query('ROLLBACK TO SAVEPOINT planning');
        const isGone = [...text.matchAll(/DROP COLUMN "(\w+)"/g)].some(([, name]) => message.includes(`"${name}"`));
        if (code !== '42P01' && !isGone) unplanned.push(`${message}: ${statement.slice(0, 60)}`);
      });
    }
  });
  return unplanned;
}

interface Lock {
  table: string;
  mode: string;
}
const MODES = ['ROW EXCLUSIVE', 'SHARE UPDATE EXCLUSIVE', 'SHARE', 'SHARE ROW EXCLUSIVE', 'ACCESS EXCLUSIVE'];
const isAsStrong = (told: string | undefined, mode: string) => MODES.indexOf(told ?? '') >= MODES.indexOf(mode);

/** What the migrations and the plan of the tables lock of what was there, in a transaction that is taken back. */
async function readTaken(client: pg.Client, unplanned: string[]): Promise<Lock[]> {
  await client.query('BEGIN; CREATE TEMPORARY TABLE was_there AS SELECT oid FROM pg_class');
  const large = await readLarge(client);
  unplanned.push(...(await runMigrations(client)));
  const { statements } = await planTables(client, ownersIn(readModel(registers)), [], [], large);
  for (const it of statements.filter((one) => !isBeside(one))) await client.query(it);
  const { rows } = await client.query<Lock>(
    `SELECT c.relname AS "table", upper(trim(regexp_replace(replace(l.mode, 'Lock', ''), '([A-Z])', ' \\1', 'g'))) AS mode
       FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation
      WHERE l.pid = pg_backend_pid() AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
        AND c.relname <> 'migration' AND c.oid IN (SELECT oid FROM was_there) AND l.mode NOT IN ('AccessShareLock', 'RowShareLock')`,
  );
  await client.query('ROLLBACK');
  return rows;
}

describe.each(releases)('a database of %s', (release) => {
  let database: TestDatabase;
  let testApp: TestApp;
  let before: Figures;
  let after: Figures;
  let planned: string[];
  let prepared: Prepared;
  let locks: string[];
  let taken: Lock[];
  const unplanned: string[] = [];
  let brokenBefore: string[];
  const readBroken = async () => (await brokenInvariants(testApp.db)).map((it) => it.split(': ')[0] as string);
  beforeAll(async () => {
    database = await createTestDatabase();
    await fillAsReleased(database.url, release);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      before = await readFigures(client);
      brokenBefore = await readBrokenBefore(client);
      planned = await planDatabase(database.url, registers);
      locks = await readLocks(database.url, planned);
      taken = await readTaken(client, unplanned);
      prepared = await prepareDatabase(database.url, registers);
      after = await readFigures(client, before);
    } finally {
      await client.end();
    }
    testApp = await startTestApp({}, { way: async () => database.url });
  });
  afterAll(async () => {
    await testApp?.close();
    await database?.drop();
  });

  it('is brought up to date, and the rows that it held are as they were', () => {
    const tableOf = (figure: string) => figure.split('.')[0] as string;
    const changed = Object.keys(before).filter((it) => before[it] !== after[it]);
    const migrations = prepared.applied.filter((it) => it.startsWith('-- migration ')).map((it) => it.slice(13));
    const wrong = changed.filter(
      (it) =>
        !OF_THE_START.includes(tableOf(it)) &&
        !migrations.includes(SAID_OTHERWISE[it] ?? '') &&
        !migrations.includes(MORE_ROWS[tableOf(it)] ?? ''),
    );
    expect(wrong.map((it) => `${it}: ${before[it]}, then ${after[it]}`)).toEqual([]);
    expect(Object.keys(before).length).toBeGreaterThan(1_000);
    for (const it of [
      'rma_inventory.ivyId',
      'rma_maintain_bill.billStatus',
      'icop_wip.remainQty',
      'admin_user.rows',
      'rma_repair_fee_bill_line.includingTaxAmount',
    ])
      expect(before[it], it).toMatch(/[1-9]/);
    expect([prepared.aside, prepared.renamed, prepared.lookalikes]).toEqual([[], [], []]);
  });

  it('has the columns that migrations read, also where they have nothing to do', () => {
    expect(unplanned).toEqual([]);
  });

  it('breaks no rule that it did not break before', async () => {
    const broken = await readBroken();
    expect(broken.filter((it) => !brokenBefore.includes(it) && !NOT_KNOWN_BEFORE.includes(it))).toEqual([]);
  });

  it('answers of every module its list, a row and a search', async () => {
    let looked = 0;
    for (const { module, list } of testApp.model.definitions.values()) {
      if (!list) continue;
      const path = `/api/${module}`;
      const all = await testApp.ask<{ items: { id: number }[] }>('GET', `${path}/pager.json`, {}, { as: 'admin' });
      expect(all, `${module}: ${all.msg}`).toMatchObject({ code: '000000' });
      const [first] = all.data.items;
      if (!first) continue;
      looked += 1;
      const rules = [{ connector: 'AND', column: list.columns[0], relation: 'IS_NOT_NULL', value: '' }];
      const group = { adminAdvancedSearchGroup: { connector: 'AND', rules, groups: [] } };
      const search = await testApp.ask('POST', `${path}/advancedSearch.json`, group, { as: 'admin' });
      expect(search, `${module}: ${search.msg}`).toMatchObject({ code: '000000' });
      const one = await testApp.ask('GET', `${path}/queryById.json`, { id: first.id }, { as: 'admin' });
      expect(one, `${module}: ${one.msg}`).toMatchObject({ code: '000000', data: { id: first.id } });
    }
    expect(looked).toBeGreaterThan(70);
  });

  it('goes on being worked with: a unit is stored, and the books agree', async () => {
    const unit = await testApp.db
      .selectFrom('rma_inventory')
      .select('sn')
      .where('ivyId', '=', Node.AwaitingStorage)
      .where('siteId', '=', 'SZ')
      .orderBy('id')
      .executeTakeFirstOrThrow();
    const broken = await readBroken();
    const answer = await testApp.send(
      submitStoreBill,
      { rmaStoreBillLineList: [{ sn: unit.sn }], packageCount: 20 },
      { as: 'warehouse' },
    );
    expect(answer, answer.msg).toMatchObject({ code: '000000' });
    expect(await readBroken()).toEqual(broken);
  });

  it('was told beforehand what its start would do', () => {
    // A table that grows meanwhile, here by what was tried and taken back, has its indexes built otherwise.
    const asBuilt = (it: string) => it.replace('INDEX CONCURRENTLY', 'INDEX');
    const told = new Set(planned.map(asBuilt));
    const untold = prepared.applied.filter((it) => !told.has(asBuilt(it)));
    // A table that a migration makes is told as one to be made: what is then still done to it is part of that.
    const isOfMade = (it: string) => /^(?:UPDATE "|CREATE TRIGGER empty_text_is_null )/.test(it);
    expect(untold.filter((it) => !isOfMade(it))).toEqual([]);
    expect(prepared.leftOut.filter((it) => !planned.includes(`-- left out: ${it}`))).toEqual([]);
  });

  it('was told beforehand what its start would lock', () => {
    const told = new Map(
      locks.map((it) => /^(\w+): about [\d,]+ rows, ([A-Z ]+): /.exec(it)?.slice(1) as [string, string]),
    );
    expect(taken.filter(({ table, mode }) => !isAsStrong(told.get(table), mode))).toEqual([]);
    if (release === releases[0]) expect(taken.length).toBeGreaterThan(50);
  });

  it('has nothing left to do for a second start', async () => {
    expect(await planDatabase(database.url, registers)).toEqual(prepared.leftOut.map((it) => `-- left out: ${it}`));
    expect((await prepareDatabase(database.url, registers)).applied).toEqual([]);
  });
});

it.each(releases.slice(0, 2))('a backup of %s is restored', async (release) => {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'reflow-release-'));
  const archive = createReadStream(archiveOf(release));
  const found = await restore(database.url, openFileStore({ dataDir }), archive, registers);
  expect([found.miscounted.length, found.files > 0]).toEqual([0, true]);
  expect((await prepareDatabase(database.url, registers)).applied).toEqual([]);
  await database.drop();
  rmSync(dataDir, { recursive: true });
});
