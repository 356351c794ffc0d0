import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodes } from '#domain/nodes.ts';
import { readConfig, type Config } from '#server/config.ts';
import { openDatabase, type Database } from '#server/db/pool.ts';
import { openNumbers } from '#server/db/numbers.ts';
import { prepareDatabase, type Prepared } from '#server/db/prepare.ts';
import type { Tables } from '#server/db/tables.ts';
import { registers } from '#server/definitions/registers.ts';
import { demoUserIds, DEMO_PASSWORD } from '#server/session/demoUsers.ts';
import { fitsPassword } from '#server/session/passwords.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { fillDemo } from './fill.ts';

let of: TestDatabase;
let database: Database;
let prepared: Prepared;
let config: Config;
let folder: string;
const said: string[] = [];

const fill = (wanted = true) =>
  fillDemo({ database, model: prepared.model, config, wanted, say: (line) => said.push(line) });

beforeAll(async () => {
  of = await createTestDatabase();
  prepared = await prepareDatabase(of.url, registers);
  folder = await mkdtemp(join(tmpdir(), 'reflow-demo-'));
  config = readConfig({ DATA_DIR: folder });
  database = openDatabase(of.url, config.timeZone);
});

afterAll(async () => {
  await database.close();
  await of.drop();
  await rm(folder, { recursive: true, force: true });
});

const countOf = async (table: keyof Tables) => {
  const { n } = await database.db
    .selectFrom(table)
    .select((it) => it.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
};

describe('the demo data', () => {
  test('stay away where they are not wanted', async () => {
    expect(await fill(false)).toBe(false);
    expect(await countOf('admin_user')).toBe(0);
  });

  test('fill an empty database at the first start, and say so', async () => {
    expect(await fill()).toBe(true);
    expect(said).toHaveLength(1);
  });

  test('have the users of the design, all with one password', async () => {
    const users = await database.db.selectFrom('admin_user').selectAll().execute();
    const byId = new Map(users.map((it) => [it.userId, it]));
    for (const userId of demoUserIds) expect(byId.get(userId)?.status, userId).toBe('1');
    expect(byId.get('techNB')?.siteId).toBe('NB');
    expect(byId.get('finance')?.allSites).toBe('1');
    expect(byId.get('tech')?.allSites).toBe('0');
    expect(await fitsPassword(byId.get('viewer')?.password, DEMO_PASSWORD)).toBe(true);
    const roles = new Set(prepared.model.roles.map((it) => it.roleId));
    expect(users.flatMap((it) => (it.roleIds ?? '').split('|')).filter((it) => !roles.has(it))).toEqual([]);
  });

  test('have units at every node of both Chinese sites', async () => {
    const rows = await database.db
      .selectFrom('rma_inventory')
      .select(['siteId', 'ivyId', (it) => it.fn.countAll<number>().as('n')])
      .groupBy(['siteId', 'ivyId'])
      .execute();
    for (const siteId of ['SZ', 'NB']) {
      const there = rows.filter((it) => it.siteId === siteId && it.n >= 3).map((it) => it.ivyId);
      expect(there.toSorted(), siteId).toEqual(nodes.toSorted());
    }
  });

  test('have maintain and stock-up bills in every state', async () => {
    const bills = await database.db.selectFrom('rma_maintain_bill').select('billStatus').distinct().execute();
    expect(bills.map((it) => it.billStatus).toSorted()).toEqual(['0', '1', '2', '3', '4']);
    const stockups = await database.db.selectFrom('rma_stockup_bill').select('status').distinct().execute();
    expect(stockups.map((it) => it.status).toSorted()).toEqual(['0', '1', '2', '3', '4']);
  });

  test('have units that wait for each confirmation', async () => {
    const waiting = (column: 'scrapStatus' | 'nofaultConfirmStatus') =>
      database.db
        .selectFrom('rma_inventory as u')
        .innerJoin('rma_check_bill_line as l', 'l.sn', 'u.sn')
        .where('u.ivyId', '=', '10')
        .where(`l.${column}`, '=', '0')
        .select('u.sn')
        .execute();
    expect((await waiting('scrapStatus')).length).toBeGreaterThan(4);
    expect((await waiting('nofaultConfirmStatus')).length).toBeGreaterThan(2);
  });

  test('break none of the invariants of the trade', async () => {
    expect(await brokenInvariants(database.db)).toEqual([]);
  });

  test('lie in the past, each unit step after step', async () => {
    const [latest] = await database.db
      .selectFrom('rma_transaction')
      .select((it) => it.fn.max('eventTime').as('at'))
      .execute();
    expect(Number(latest?.at)).toBeLessThanOrEqual(Date.now());
    const { rows } = await database.pool.query(
      `SELECT sn FROM (SELECT sn, "eventTime" < lag("eventTime") OVER (PARTITION BY sn ORDER BY id) AS back
                         FROM rma_transaction) AS t WHERE back`,
    );
    expect(rows).toEqual([]);
  });

  test('keep every picture that a bill names', async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT DISTINCT substr(url, 7) AS id FROM (
         SELECT unnest(string_to_array("checkUrls", '##')) AS url FROM rma_check_bill
         UNION ALL SELECT unnest(string_to_array("repairUrls", '##')) FROM rma_repair_bill_line
         UNION ALL SELECT unnest(string_to_array("burninUrls", '##')) FROM rma_burnin_bill_line) AS it`,
    );
    expect(rows.length).toBeGreaterThan(10);
    const stored = new Set(
      (await readdir(join(folder, 'files'), { recursive: true })).map((it) => it.split('/').at(-1)),
    );
    const files = new Set((await database.db.selectFrom('file').select('id').execute()).map((it) => it.id));
    for (const { id } of rows) {
      expect(files.has(id), id).toBe(true);
      expect(stored.has(id), id).toBe(true);
    }
  });

  test('leave the next bill number free', async () => {
    const numbers = openNumbers(of.url, config.timeZone);
    try {
      const mtbId = await numbers.next('MTB');
      const taken = await database.db.selectFrom('rma_maintain_bill').select('id').where('mtbId', '=', mtbId).execute();
      expect(taken).toEqual([]);
    } finally {
      await numbers.close();
    }
  });

  test('are found again at the next start, which adds nothing', async () => {
    const before = await countOf('rma_transaction');
    expect(await fill()).toBe(true);
    expect(await fill(false)).toBe(true);
    expect(await countOf('rma_transaction')).toBe(before);
    expect(said).toHaveLength(1);
  });
});

/** Each breaks one invariant, in words that the invariant's name begins with. */
const damages: [sentence: string, statement: string][] = [
  ['the counts of a line', `UPDATE rma_maintain_bill_line SET "receiveCount" = "receiveCount" + 1`],
  ['a bill whose receipt is closed', `UPDATE rma_maintain_bill SET "billStatus" = '2' WHERE "billStatus" = '1'`],
  ['a bill that was not received', `UPDATE rma_maintain_bill SET "billStatus" = '3' WHERE "billStatus" = '1'`],
  ['a unit is shipped', `UPDATE rma_inventory SET "ivyId" = '900' WHERE "ivyId" = '50'`],
  ['a unit is scrapped', `UPDATE rma_inventory SET "ivyId" = '40' WHERE "ivyId" = '50'`],
  ['an item that can ship', `UPDATE rma_inventory SET "ivyId" = '90' WHERE "ivyId" = '100'`],
  [
    'a unit that was bought out',
    `UPDATE rma_maintain_bill_line_item SET "deliverStatus" = '4' WHERE "deliverStatus" = '0'`,
  ],
  ['a stocked-up item', `DELETE FROM rma_stockup_bill_line WHERE delivered = '0'`],
  ['the counts and the status', `UPDATE rma_stockup_bill SET "allCount" = "allCount" + 1`],
  ['every delivery of an item', `DELETE FROM rma_deliver_bill_line`],
  ['no SN is an open item', `UPDATE rma_maintain_bill_line_item SET "receiveSn" = 'X' WHERE "deliverStatus" = '1'`],
  ['a unit and its item', `UPDATE rma_inventory SET "mtblId" = 'X' WHERE "ivyId" = '50'`],
  ['a unit stands where', `DELETE FROM rma_transaction WHERE step = 'store'`],
  ['each transaction of a unit', `UPDATE rma_transaction SET "fromNode" = '80' WHERE step = 'deliver'`],
  ['a part is bound', `UPDATE ubs_assembly SET "unbindTime" = NULL`],
];

describe('an invariant', () => {
  test.each(damages)('notices the damage: %s', async (sentence, statement) => {
    const trx = await database.db.startTransaction().execute();
    try {
      await sql.raw(statement).execute(trx);
      expect(await brokenInvariants(trx)).toContainEqual(expect.stringMatching(`^${sentence}`));
    } finally {
      await trx.rollback().execute();
    }
  });
});
