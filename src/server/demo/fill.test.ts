import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { columnsOf } from '#domain/definition/columns.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ArrivalStatus,
  BillStatus,
  Confirmation,
  DeliverPriority,
  DeliverStatus,
  DutySourse,
  Flag,
  GoodsType,
  OperateStatus,
  OwnBillType,
  ReceivePayment,
  ReceiveStatus,
  RepairType,
  SelfPickupStatus,
  StockupStatus,
  StorageType,
  SubmitType,
  Warranty,
} from '#domain/enums.ts';
import { nodes } from '#domain/nodes.ts';
import { events, type HistoryStep } from '#domain/workflow.ts';
import { issueCodes } from '#server/base/codes.ts';
import { readConfig, type Config } from '#server/config.ts';
import { openDatabase, type Database } from '#server/db/pool.ts';
import { openNumbers } from '#server/db/numbers.ts';
import { prepareDatabase, type Prepared } from '#server/db/prepare.ts';
import type { Tables } from '#server/db/tables.ts';
import { inventoryBalance } from '#server/reports/inventoryBalance.ts';
import { createParams } from '#server/reports/params.ts';
import { demoUserIds, DEMO_PASSWORD } from '#server/session/demoUsers.ts';
import { fitsPassword } from '#server/session/passwords.ts';
import { findChipFaults } from '#tests/support/chips.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { registers } from '#tests/support/features.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { addEverything, fillDemo } from './fill.ts';
import { collectRows } from './rows.ts';

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

const countRows = async (table: keyof Tables) => {
  const { n } = await database.db
    .selectFrom(table)
    .select((it) => it.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
};

describe('the demo data', () => {
  test('stay away where they are not wanted', async () => {
    expect(await fill(false)).toBe(false);
    expect(await countRows('admin_user')).toBe(0);
  });

  test('fill an empty database at the first start, and say so', async () => {
    expect(await fill()).toBe(true);
    expect(said).toHaveLength(1);
  });

  test('are written as they were made, in every table', async () => {
    const rows = collectRows();
    addEverything(rows, {}, config.timeZone, Date.now());
    const made = rows.tables().filter((it) => rows.of(it).length > 0);
    expect(made.length).toBeGreaterThan(70);
    const empty = [];
    for (const it of made) if ((await countRows(it)) === 0) empty.push(it);
    expect(empty).toEqual([]);
  });

  test('have each wafer that came as one that came, so that it does not come twice', async () => {
    const { rows } = await sql`
      SELECT w."wipId", p."waferId" FROM icop_wip AS w JOIN icop_wip_wafer AS p USING ("wipId")
       WHERE w.stage = '1' AND w."parentWipIds" IS NULL AND w."waferPn" IS NOT NULL AND w."waferLotId" IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM wafer_receipt AS r
                          WHERE (r."waferPn", r."waferLotId", r."waferId") = (w."waferPn", w."waferLotId", p."waferId"))`.execute(
      database.db,
    );
    expect(rows).toEqual([]);
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

  test('say of each line of a money bill its currency, that of the bill', async () => {
    for (const [table, by] of [
      ['rma_logistics_costs_bill', 'lcbId'],
      ['rma_repair_fee_bill', 'rfbId'],
    ] as const) {
      const { rows } = await sql<{ lines: number; others: number }>`
        SELECT count(*)::int AS lines, (count(*) FILTER (WHERE l.currency IS DISTINCT FROM b.currency))::int AS others
          FROM ${sql.table(`${table}_line`)} AS l JOIN ${sql.table(table)} AS b USING (${sql.ref(by)})
         WHERE b.currency IS NOT NULL`.execute(database.db);
      expect(rows[0]?.lines, table).toBeGreaterThan(0);
      expect(rows[0]?.others, table).toBe(0);
    }
  });

  test('keep what is empty as none, in every text of every list', async () => {
    const texts = [...prepared.model.definitions.values()]
      .filter((it) => !it.viewOf && !it.rowsOf)
      .flatMap((it) => columnsOf(it).flatMap(({ name, sqlType }) => (sqlType === 'text' ? [[it.table, name]] : [])));
    expect(texts.length).toBeGreaterThan(400);
    const asked = texts.map(
      ([table = '', name = '']) =>
        sql<{ at: string }>`SELECT ${`${table}.${name}`} AS at WHERE EXISTS (
          SELECT FROM ${sql.table(table)} WHERE ${sql.ref(name)} = '')`,
    );
    const { rows } = await sql`${sql.join(asked, sql` UNION ALL `)}`.execute(database.db);
    expect(rows).toEqual([]);
  });

  test('are typed as what they hold: no field of a list or a form has logins, sites or roles but by name', async () => {
    const { db } = database;
    const registered = {
      logins: (await db.selectFrom('admin_user').select('userId').execute()).map((it) => it.userId),
      sites: (await db.selectFrom('ubs_site').select('siteId').execute()).map((it) => it.siteId),
      roles: (await db.selectFrom('admin_role').select('roleId').execute()).map((it) => it.roleId),
    };
    const keys = ['adminUser.userId', 'ubsSite.siteId', 'adminRole.roleId'];
    const typed = [...prepared.model.definitions.values()].flatMap(({ module, table, fields, form, search, list }) =>
      [...new Set([...(form ?? []).flat(), ...(search ?? []), ...(list?.columns ?? [])])]
        .filter((name) => fields[name]?.type === 'String' && !['user', 'roles'].includes(fields[name].format ?? ''))
        .filter((name) => !keys.includes(`${module}.${name}`))
        .map((name) => ({
          at: `${module}.${name}`,
          table,
          name,
          names: Object.keys(fields).filter((it) => fields[it]?.ref),
        })),
    );
    expect(typed.length).toBeGreaterThan(200);
    const asked = typed.map(
      ({ at, table, name }) => sql<{ at: string; held: string[] }>`
        SELECT ${at} AS at, array_agg(DISTINCT part) AS held FROM ${sql.table(table)},
               string_to_array(${sql.ref(name)}, '|') AS parts, unnest(parts) AS part HAVING count(*) > 0`,
    );
    const { rows } = await sql<{ at: string; held: string[] }>`${sql.join(asked, sql` UNION ALL `)}`.execute(db);
    const heldIn = (held: readonly string[]) =>
      Object.entries(registered).flatMap(([what, all]) => (held.every((it) => all.includes(it)) ? [what] : []));
    expect(rows.length).toBeGreaterThan(100);
    const found = rows.filter(({ held }) => heldIn(held).length > 0);
    // A code may stand beside its name: then another field of the row says the same, by name.
    const isBesideName = async ({ at }: { at: string }) => {
      const { table, name, names } = typed.find((it) => it.at === at) ?? { table: '', name: '', names: [] };
      const same = names.map(
        (other) => sql`SELECT ${other} AS by WHERE NOT EXISTS (
          SELECT FROM ${sql.table(table)} WHERE ${sql.ref(other)} IS DISTINCT FROM ${sql.ref(name)})`,
      );
      return same.length > 0 && (await sql`${sql.join(same, sql` UNION ALL `)}`.execute(db)).rows.length > 0;
    };
    const loose = await Promise.all(
      found.map(async (it) => ((await isBesideName(it)) ? [] : [it.at, ...heldIn(it.held)])),
    );
    expect(loose.flat()).toEqual([]);
  });

  test('have units at every node of both Chinese sites', async () => {
    const rows = await database.db
      .selectFrom('rma_inventory')
      .select(['siteId', 'ivyId', (it) => it.fn.countAll<number>().as('n')])
      .groupBy(['siteId', 'ivyId'])
      .execute();
    for (const siteId of ['SZ', 'NB']) {
      const there = rows.flatMap((it) => (it.siteId === siteId && it.n >= 3 ? (it.ivyId ?? []) : []));
      expect(there.toSorted(), siteId).toEqual(nodes.toSorted());
    }
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

  test('leave no unit whose place the inventory balance does not explain', async () => {
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    const range = { startDate: day(Date.now() - 60 * 86_400_000), endDate: day(Date.now()) };
    const ctx = { currentUser: { sites: 'all' }, lang: 'zh', config } as unknown as Parameters<typeof createParams>[2];
    const params = createParams('exportInventoryBalance', range, ctx);
    const { rows } = await inventoryBalance.rows(params).execute(database.db);
    const sum = (name: string) => rows.reduce((all, it) => all + Number(it[name]), 0);
    expect(rows.filter((it) => it['difference'] !== 0)).toEqual([]);
    // What left and neither arrived nor came back is still under way.
    expect(sum('transferredOut')).toBeGreaterThan(sum('transferredIn'));
    expect(sum('transferredIn')).toBeGreaterThan(0);
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

  test('have nothing in the future that has happened', async () => {
    const { rows: columns } = await database.pool.query<{ at: string; table: string; name: string }>(
      `SELECT c.table_name || '.' || c.column_name AS at, c.table_name AS table, c.column_name AS name
         FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
        WHERE c.table_schema = 'public' AND c.data_type LIKE 'timestamp%' AND t.table_type = 'BASE TABLE'`,
    );
    expect(columns.length).toBeGreaterThan(100);
    const agreed = ['rma_self_pickup.pickupTime', 'service_token.expireTime'];
    const asked = columns
      .filter(({ at }) => !agreed.includes(at))
      .map(
        ({ at, table, name }) =>
          sql<{ at: string }>`SELECT ${at} AS at WHERE EXISTS (
            SELECT FROM ${sql.table(table)} WHERE ${sql.ref(name)} > now())`,
      );
    const { rows } = await sql`${sql.join(asked, sql` UNION ALL `)}`.execute(database.db);
    expect(rows).toEqual([]);
  });

  test('tell what became of each wafer lot in the order of its times', async () => {
    const { rows } = await database.pool.query<{ n: number; back: number }>(
      `SELECT count(*)::int AS n, (count(*) FILTER (WHERE "eventTime" < before))::int AS back
         FROM (SELECT "eventTime", lag("eventTime") OVER (PARTITION BY "wipId" ORDER BY id) AS before
                 FROM icop_transaction) AS t`,
    );
    expect(rows[0]?.n).toBeGreaterThan(100);
    expect(rows[0]?.back).toBe(0);
  });

  test('know where every die is', async () => {
    expect(await findChipFaults(database.db)).toEqual([]);
    const { rows } = await database.pool.query(
      `SELECT id FROM icop_bumping_cp_work_order WHERE "billStatus" = '2' AND "outputQty" > 0`,
    );
    expect(rows.length).toBeGreaterThan(0);
  });

  test('hold how wafers were split as data, which add up', async () => {
    const { rows } = await database.pool.query(
      `SELECT DISTINCT jsonb_typeof("splitList") AS type FROM icop_assembly_work_order_line`,
    );
    expect(rows).toEqual([{ type: 'array' }]);
    const { rows: wrong } = await database.pool.query(
      `SELECT id FROM icop_assembly_work_order_line
        WHERE "chipQty" <> (SELECT sum((it ->> 'inputQty')::int) FROM jsonb_array_elements("splitList") AS it)`,
    );
    expect(wrong).toEqual([]);
  });

  test('say of each repair what kind of goods it was', async () => {
    expect(await countRows('rma_repair_bill')).toBeGreaterThan(100);
    const { rows } = await database.pool.query(`SELECT "rpbId" FROM rma_repair_bill WHERE "repairType" IS NULL`);
    expect(rows).toEqual([]);
  });

  test('name no issue code that nobody explains', async () => {
    const columns = [...prepared.model.definitions.values()]
      .filter((it) => !it.viewOf && !it.rowsOf)
      .flatMap((it) =>
        columnsOf(it)
          .filter(({ name }) => it.fields[name]?.format === 'issueCodes')
          .map(({ name }) => ({ table: it.table, name })),
      );
    expect(columns.length).toBeGreaterThan(5);
    const codes = columns.map(
      ({ table, name }) => `SELECT unnest(string_to_array("${name}", ',')) AS code FROM ${table}`,
    );
    const { rows } = await database.pool.query<{ code: string }>(
      `SELECT DISTINCT code FROM (${codes.join(' UNION ALL ')}) AS t WHERE code <> '' AND code <> ALL($1)`,
      [issueCodes.map((it) => it.code)],
    );
    expect(rows).toEqual([]);
  });

  test('hand in with a money bill a paper of that bill, and no picture of a unit', async () => {
    const { rows } = await database.pool.query<{ no: string; name: string }>(
      `SELECT p.no, f.name FROM (
         SELECT "rfbId" AS no, "invoiceUrls" AS urls FROM rma_repair_fee_bill
         UNION ALL SELECT "lcbId", "certificateUrls" FROM rma_logistics_costs_bill) AS p,
         unnest(string_to_array(p.urls, '##')) AS url JOIN file AS f ON f.id = substr(url, 7)`,
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(({ no, name }) => !name.includes(no))).toEqual([]);
  });

  test('have files of rows alone, papers under the right of their bills', async () => {
    const { rows } = await database.pool.query<{ right: string; is: string; inUse: boolean }>(
      `SELECT DISTINCT f."right", coalesce(p.is, '') AS is, f."inUse" FROM file AS f LEFT JOIN (
         SELECT 'rmaRepairFeeBill:list' AS is, "invoiceUrls" AS urls FROM rma_repair_fee_bill
         UNION ALL SELECT 'rmaLogisticsCostsBill:list', "certificateUrls" FROM rma_logistics_costs_bill) AS p
           ON p.urls LIKE '%' || f.id || '%' ORDER BY 1`,
    );
    const rights = ['', 'rmaLogisticsCostsBill:list', 'rmaRepairFeeBill:list'];
    expect(rows).toEqual(rights.map((right) => ({ right, is: right, inUse: true })));
  });

  test('call the goods in both languages, or by their code alone', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT name FROM ubs_item UNION SELECT "productName" FROM ubs_bom_item UNION SELECT bomdescription FROM ubs_bom
       UNION SELECT "itemName" FROM rma_maintain_bill_line UNION SELECT "itemName" FROM rma_inventory
       UNION SELECT "spendItemDescription" FROM rma_repair_bill_line`,
    );
    expect(rows.length).toBeGreaterThan(20);
    const hasOne = (it: string) => /[\u3400-\u9fff]/.test(it) && !/[\u3400-\u9fff].* \/ .*[A-Za-z]/.test(it);
    expect(rows.filter(({ name }) => name && hasOne(name))).toEqual([]);
  });

  test('begin the list of items with units that have come, so that what is done with one can be tried', async () => {
    const { rows } = await database.pool.query(
      `SELECT "receiveSn" FROM rma_maintain_bill_line_item ORDER BY id DESC LIMIT 4`,
    );
    expect(rows).toContainEqual({ receiveSn: expect.any(String) });
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
      const existing = await database.db
        .selectFrom('rma_maintain_bill')
        .select('id')
        .where('mtbId', '=', mtbId)
        .execute();
      expect(existing).toEqual([]);
    } finally {
      await numbers.close();
    }
  });

  test('are found again at the next start, which adds nothing', async () => {
    const before = await countRows('rma_transaction');
    expect(await fill()).toBe(true);
    expect(await fill(false)).toBe(true);
    expect(await countRows('rma_transaction')).toBe(before);
    expect(said).toHaveLength(1);
  });
});

/** Both Chinese sites show everything; the American one is small. */
const shown = ['NB', 'SZ'];

const items = 'rma_maintain_bill_line_item';
const checks = `(SELECT l.*, b."siteId" FROM rma_check_bill_line AS l JOIN rma_check_bill AS b USING ("ckbId"))`;
const lines = `(SELECT l.*, b."siteId" FROM rma_maintain_bill_line AS l JOIN rma_maintain_bill AS b USING ("mtbId"))`;
const flags = ['secondHand', 'continues', 'mixbound', 'scrap', 'returness', 'exchange', 'deliverPayment', 'stockup'];

/** The columns of states, with all values that each can have. */
const states: [rows: string, column: string, values: Record<string, string>][] = [
  ['rma_maintain_bill', 'billStatus', BillStatus],
  ['rma_maintain_bill', 'operateStatus', OperateStatus],
  ['rma_maintain_bill', 'billType', OwnBillType],
  ['rma_defective_product_repair_bill', 'billType', OwnBillType],
  ['rma_defective_product_repair_bill', 'billStatus', { Received: BillStatus.Received, Finished: BillStatus.Finished }],
  ['rma_arrival_bill', 'status', ArrivalStatus],
  ['rma_receive_bill', 'payment', ReceivePayment],
  [lines, 'type', GoodsType],
  [items, 'receiveStatus', ReceiveStatus],
  [items, 'warranty', Warranty],
  [items, 'deliverStatus', DeliverStatus],
  [items, 'deliverPriority', DeliverPriority],
  ...flags.map((it): [string, string, Record<string, string>] => [items, it, Flag]),
  ['rma_inventory', 'storageType', StorageType],
  [checks, 'scrapStatus', Confirmation],
  [checks, 'dutySourse', DutySourse],
  [checks, 'nofaultConfirmStatus', Confirmation],
  ['rma_repair_bill', 'repairType', RepairType],
  ['rma_stockup_bill', 'status', StockupStatus],
  ['rma_deliver_bill', 'submitType', SubmitType],
  ['rma_self_pickup', 'selfPickupStatus', SelfPickupStatus],
  ['rma_transaction', 'operateStatus', OperateStatus],
];

/** The steps of the history besides those that move a unit by the chain's events. */
const besides: HistoryStep[] = [
  'buyOut',
  'replaceSaleCode',
  'moveBill',
  'updateSiteId',
  'rebind',
  'modifyNode',
  'rollback',
  'transferOut',
  'transferIn',
  'combineRepair',
  'outsourcingAccept',
  'scrapRepairReturn',
  'onSiteRepair',
];

const step = (is: string) => `SELECT "siteId" FROM rma_transaction WHERE ${is}`;
const item = (is: string) => `SELECT "siteId" FROM ${items} WHERE ${is}`;
const line = (is: string) => `SELECT "siteId" FROM ${lines} AS l WHERE ${is}`;
const bill = (is: string) => `SELECT "siteId" FROM rma_maintain_bill AS b WHERE ${is}`;
const hasItem = (is: string) => `EXISTS (SELECT FROM ${items} AS i WHERE i."mtbId" = b."mtbId" AND ${is})`;
const wasClosed = `EXISTS (SELECT FROM ledger WHERE what = 'terminate' AND "recordId" = b."mtbId")`;

/** Where to look for the sites that show a situation which no single state or step tells. Rule: units#nodes. */
const situations: Record<string, string> = {
  'E01 a parcel without a bill': `SELECT "siteId" FROM rma_arrival_bill WHERE "mtbId" IS NULL`,
  'E02 a receipt opened again that was closed empty': `
    SELECT b."siteId" FROM rma_maintain_bill AS b
     WHERE ${hasItem(`i."receiveStatus" = '3'`)} AND NOT ${hasItem(`i."receiveStatus" = '1'`)}`,
  'E03 more than was declared': line('"receiveCount" > count'),
  'E03 less than was declared': line('"receiveCount" > 0 AND "receiveCount" < count'),
  'E04 a bill of boards alone': bill(
    `NOT EXISTS (SELECT FROM rma_maintain_bill_line AS l WHERE l."mtbId" = b."mtbId" AND l.type = '0')`,
  ),
  'E05 a device of another maker': line(`"salesCode" = 'NOT-OUR' AND "receiveCount" > 0`),
  'E06 a unit taken off a receipt': step(`step = 'receive' AND "toNode" IS NULL AND "operateStatus" = 'Rollbacked'`),
  'E11 scrap on its way back, unrepaired': item(`scrap = '1' AND returness = '1' AND "deliverStatus" = '2'`),
  'E15 a board that a repair took out': step(`step = 'repair' AND "fromNode" IS NULL AND "toNode" = '40'`),
  'E16 an exchanged board': step(`step = 'repair' AND "fromNode" = '50' AND "toNode" = '40'`),
  'E23 stock from scrap': step(`step = 'storeStart' AND "fromNode" = '40'`),
  'E23 stock from the shelf': step(`step = 'storeStart' AND "fromNode" = '100'`),
  'E24 a stock-up bill of the rest of another one': `
    SELECT r."siteId" FROM rma_stockup_bill AS r JOIN rma_stockup_bill_line AS l USING ("skbId")
     WHERE r.status = '0' AND l."createTime" < r."createTime"`,
  'E25 a machine of the stock sent instead': item(`"deliverSn" <> "receiveSn" AND exchange = '1'`),
  'E25 one that is to be sent instead': `
    SELECT u."siteId" FROM rma_inventory AS u JOIN ${items} AS i USING ("mtbliId")
     WHERE i.exchange = '1' AND i.stockup = '1' AND u."ivyId" <> '100'`,
  'E28 bought in the middle of the work': step(`step = 'buyOut' AND "fromNode" IN ('50', '60', '70')`),
  'E28 bought from the shelf': step(`step = 'buyOut' AND "fromNode" = '100'`),
  'E28 a line of which something was bought': line('"buyOutCount" > 0'),
  'E29 a bill closed before anything came': bill(`${wasClosed} AND NOT ${hasItem(`i."receiveSn" IS NOT NULL`)}`),
  'E29 a bill closed with units in the house': bill(`${wasClosed} AND ${hasItem(`i."deliverStatus" = '3'`)}`),
  'E30 from the shelf': step(`step = 'returnToCheck' AND "fromNode" = '100'`),
  'E30 from a scrap by mistake': step(`step = 'returnToCheck' AND "fromNode" = '40'`),
  'E30 from a hold': step(`step = 'returnToCheck' AND "fromNode" = '10'`),
  'E31 another model that was promised': item(`"deliverSalesCode" IS NOT NULL AND "deliverStatus" <> '2'`),
  'E31 a model put right': `
    SELECT u."siteId" FROM rma_inventory AS u JOIN ubs_item_object AS o USING (sn) WHERE u."salesCode" <> o."salesCode"`,
  'E32 moved to another bill': `
    SELECT t."siteId" FROM rma_transaction AS t JOIN rma_transaction AS r ON r.sn = t.sn AND r.step = 'receive'
     WHERE t.step = 'moveBill' AND t."mtbId" <> r."mtbId"`,
  'E32 ships with another bill': item(`"deliverMtbId" IS NOT NULL AND stockup = '1'`),
  'E32 ships apart': item('"deliverGroup" IS NOT NULL'),
  'E32 moved before it came': item(`"deliverMtbId" IS NOT NULL AND "receiveSn" IS NULL`),
  'E33 in work at another site': `
    SELECT u."siteId" FROM rma_inventory AS u JOIN rma_maintain_bill AS b USING ("mtbId")
     WHERE u."siteId" <> b."siteId" AND u."ivyId" <> '100'`,
  'E33 on the shelf of another site': `
    SELECT s."siteId" FROM rma_stockup_bill AS s JOIN rma_maintain_bill AS b USING ("mtbId")
     WHERE s."siteId" <> b."siteId" AND s.status = '0'`,
  'E33 sent from another site before it came': item(`"deliverSiteId" <> "siteId" AND "receiveSn" IS NULL`),
  'E34 pictures that were left out at first': `
    SELECT i."siteId" FROM ${items} AS i
     CROSS JOIN LATERAL (SELECT b."checkUrls" FROM rma_check_bill_line AS l JOIN rma_check_bill AS b USING ("ckbId")
                          WHERE l.sn = i."receiveSn" ORDER BY l.id DESC LIMIT 1) AS c
     WHERE i."checkTime" IS NOT NULL AND i."deliverStatus" IN ('0', '1')
       AND i."checkUrls" IS DISTINCT FROM c."checkUrls"`,
  'E35 held back on the shelf': `
    SELECT u."siteId" FROM rma_inventory AS u JOIN ${items} AS i USING ("mtbliId")
     WHERE i."deliverPriority" = '2' AND u."ivyId" = '100'`,
  'E36 delivered by hand': `SELECT "siteId" FROM rma_deliver_bill WHERE "skbId" IS NULL`,
  'E37 a test rolled back': step(`step = 'rollback' AND "fromNode" = '90'`),
  'a scrap repair in each state': `
    SELECT "siteId" FROM rma_scrap_repair_bill GROUP BY 1 HAVING count(DISTINCT "billStatus") = 3`,
  'a scrap repair that ended, whose unit went on': `
    SELECT u."siteId" FROM rma_scrap_repair_bill_line AS l JOIN rma_scrap_repair_bill AS b USING ("srbId")
      JOIN rma_inventory AS u ON u.sn = l.sn WHERE b."billStatus" = '1' AND l."snRole" = '1' AND u."ivyId" = '100'`,
  'an on-site repair in each state': `
    SELECT "siteId" FROM rma_site_repair_bill GROUP BY 1 HAVING count(DISTINCT "billStatus") = 2`,
  'an order on which a device was repaired on site and one waits': `
    SELECT b."siteId" FROM rma_site_repair_bill AS v JOIN rma_maintain_bill AS b USING ("mtbId")
      JOIN rma_maintain_bill_line AS l USING ("mtbId")
     WHERE v."billStatus" = '0' AND b."billStatus" = '0' AND l.count > v."deviceCount"`,
  'a part that an open on-site repair has put in': `
    SELECT b."siteId" FROM rma_site_repair_bill AS b JOIN ubs_assembly AS a ON a."billId" = b."osbId"
     WHERE b."billStatus" = '0' AND a."unbindTime" IS NULL`,
  'what a scrap repair used up': `
    SELECT "siteId" FROM rma_inventory WHERE "holdKind" = 'consumed' AND "ivyId" = '40'`,
  'a transfer in each state': `
    SELECT "deliverSiteId" AS "siteId" FROM rma_stock_transfer_bill
     GROUP BY 1 HAVING count(DISTINCT "billStatus") >= 3`,
  'a transfer of which a part has arrived': `
    SELECT b."receiveSiteId" AS "siteId" FROM rma_stock_transfer_bill AS b
      JOIN rma_stock_transfer_bill_line AS l USING ("sktbId") JOIN rma_stock_transfer_bill_line_item AS i USING ("sktblId")
     WHERE b."billStatus" = '1' AND i."snStatus" = '2'`,
  'E38 a stock-up bill that is fetched': `
    SELECT s."siteId" FROM rma_self_pickup AS p JOIN rma_stockup_bill AS s USING ("mtbId")
     WHERE p."selfPickupStatus" = '1' AND s."deliverShipId" = 'PICKUP' AND s.status = '0'`,
};

const valuesAt = async (siteId: string, rows: string, column: string) => {
  const found = await database.pool.query<{ value: string }>(
    `SELECT DISTINCT "${column}" AS value FROM ${rows} AS t WHERE "siteId" = $1 AND "${column}" IS NOT NULL`,
    [siteId],
  );
  return found.rows.map((it) => it.value);
};

describe.each(shown)('the site %s', (siteId) => {
  test.each(states)('has every state: %s %s', async (rows, column, values) => {
    expect(await valuesAt(siteId, rows, column)).toEqual(expect.arrayContaining(Object.values(values)));
  });

  test.each(events)('has the event $id, $step $outcome', async ({ step: name, from, to, type }) => {
    const { rows } = await database.pool.query(
      `SELECT t.id FROM rma_transaction AS t JOIN rma_inventory AS u USING (sn)
        WHERE t."siteId" = $1 AND step = $2 AND coalesce("fromNode", '') = ANY($3) AND "toNode" = $4
          AND ($5::text IS NULL OR u.type = $5) LIMIT 1`,
      [siteId, name, from.map((it) => it ?? ''), to, type],
    );
    expect(rows).toHaveLength(1);
  });

  test.each(besides)('has the step %s in its history', async (name) => {
    expect(await valuesAt(siteId, 'rma_transaction', 'step')).toContain(name);
  });

  test.each(Object.entries(situations))('shows %s', async (_, query) => {
    const { rows } = await database.pool.query<{ siteId: string }>(query);
    expect(rows.map((it) => it.siteId)).toContain(siteId);
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
  ['own goods are not', `UPDATE rma_inventory SET "ivyId" = '100' WHERE "ivyId" = '70'`],
  ['a registration of own goods', `UPDATE rma_maintain_bill SET "billStatus" = '0' WHERE "billType" = '9'`],
  ['a stocked-up item', `DELETE FROM rma_stockup_bill_line WHERE delivered = '0'`],
  ['the counts and the status', `UPDATE rma_stockup_bill SET "allCount" = "allCount" + 1`],
  ['every delivery of an item', `DELETE FROM rma_deliver_bill_line`],
  [
    'no SN is an open item',
    `WITH i AS (UPDATE rma_maintain_bill_line_item SET "receiveSn" = 'X' WHERE "deliverStatus" = '1' RETURNING "mtbliId")
     UPDATE rma_inventory SET "mtbliId" = NULL WHERE "mtbliId" IN (SELECT "mtbliId" FROM i)`,
  ],
  ['a unit and its item', `UPDATE rma_inventory SET "mtblId" = 'X' WHERE "ivyId" = '50'`],
  ['a unit stands where', `DELETE FROM rma_transaction WHERE step = 'store'`],
  ['each transaction of a unit', `UPDATE rma_transaction SET "fromNode" = '80' WHERE step = 'deliver'`],
  ['a unit is on its way', `UPDATE rma_stock_transfer_bill_line_item SET "snStatus" = '2' WHERE "snStatus" = '1'`],
  ['a unit is on its way', `UPDATE rma_inventory SET "holdKind" = NULL WHERE "holdKind" = 'transfer'`],
  ['a transfer stands where', `UPDATE rma_stock_transfer_bill SET "billStatus" = '2' WHERE "billStatus" = '1'`],
  ['scrap is out for repair', `UPDATE rma_inventory SET "holdKind" = NULL WHERE "holdKind" = 'consumed'`],
  ['scrap is out for repair', `UPDATE rma_scrap_repair_bill SET "billStatus" = '2' WHERE "billStatus" = '0'`],
  ['a scrap repair has as many', `UPDATE rma_scrap_repair_bill SET count = count + 1`],
  ['an on-site bill counts', `UPDATE rma_site_repair_bill SET "deviceCount" = "deviceCount" + 1`],
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
