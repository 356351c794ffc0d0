import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { submitStoreBill } from '#features/store/contract.ts';
import { planDatabase, prepareDatabase, type Prepared } from '#server/db/prepare.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { registers } from '#tests/support/features.ts';
import { brokenInvariants, invariantsQuery } from '#tests/support/invariants.ts';
import { fillAsReleased, readFigures, releases, type Figures } from '#tests/support/releases.ts';

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

describe.each(releases)('a database of %s', (release) => {
  let database: TestDatabase;
  let testApp: TestApp;
  let before: Figures;
  let after: Figures;
  let planned: string[];
  let prepared: Prepared;
  let brokenBefore: string[];
  const readBroken = async () => (await brokenInvariants(testApp.db)).map((it) => it.split(': ')[0] as string);
  beforeAll(async () => {
    database = await createTestDatabase();
    await fillAsReleased(database.url, release);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    before = await readFigures(client);
    brokenBefore = await readBrokenBefore(client);
    planned = await planDatabase(database.url, registers);
    prepared = await prepareDatabase(database.url, registers);
    after = await readFigures(client, before);
    await client.end();
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

  it('has nothing left to do for a second start', async () => {
    expect(await planDatabase(database.url, registers)).toEqual(prepared.leftOut.map((it) => `-- left out: ${it}`));
    expect((await prepareDatabase(database.url, registers)).applied).toEqual([]);
  });
});
