import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { planDatabase, prepareDatabase } from '#server/db/prepare.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { saySetAside } from '#server/definitions/settle.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { registers } from '#tests/support/features.ts';
import { createPreparedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

let database: OpenedDatabase;
let client: OpenedDatabase['client'];
beforeAll(async () => {
  database = await createPreparedDatabase();
  ({ client } = database);
});
afterEach(async () => {
  await client.query(
    'TRUNCATE definition_publish, definition_change; ALTER TABLE ubs_site DROP COLUMN IF EXISTS fax CASCADE',
  );
  await prepare();
});
afterAll(() => database.close());

const prepare = () => prepareDatabase(database.url, registers);
/** Asked by a connection that the database lets write nothing. */
const plan = (url = database.url) => {
  const reader = new URL(url);
  reader.searchParams.set('options', '-c default_transaction_read_only=on');
  return planDatabase(reader.href, registers);
};
const readRefusal = () =>
  prepare().then(
    () => new Error('It was prepared'),
    (error: Error) => error,
  );
const publish = async (module: string, change: DefinitionChange | object) => {
  const { rows } = await client.query<{ id: number }>(
    `WITH made AS (INSERT INTO definition_publish ("userId") VALUES ('admin') RETURNING id)
     INSERT INTO definition_change ("publishId", module, change) SELECT id, $1, $2 FROM made RETURNING "publishId"::int AS id`,
    [module, JSON.stringify(change)],
  );
  return rows[0]?.id as number;
};
const takeBack = (id: number) =>
  client.query(`INSERT INTO definition_publish ("userId", "takesBack") VALUES ('admin', ARRAY[$1::bigint])`, [id]);
const readTroubles = async () => {
  const { rows } = await client.query<{ id: number }>(
    `SELECT id::int AS id FROM definition_publish WHERE trouble IS NOT NULL ORDER BY 1`,
  );
  return rows.map((it) => it.id);
};
/** As the history shows them, by number. */
const readStatuses = async () => {
  const { rows } = await client.query<{ id: number; status: string }>(`SELECT id::int AS id, status FROM sys_publish`);
  return Object.fromEntries(rows.map((it) => [it.id, it.status]));
};
const hasColumn = async (table: string, column: string) => {
  const { rows } = await client.query(
    `SELECT 1 FROM information_schema.columns WHERE table_name = $1 AND column_name = $2`,
    [table, column],
  );
  return rows.length > 0;
};
const altered: DefinitionChange = {
  fields: {
    phone: { label: { zh: '热线', en: 'Hotline' } },
    fax: { type: 'String', label: { zh: '传真', en: 'Fax' } },
  },
  list: { columns: ['siteId', 'fax', 'phone'] },
};

describe('preparing a database', () => {
  it('makes an empty one hold everything, and the second time finds nothing to do', async () => {
    const empty = await createTestDatabase();
    const planned = await plan(empty.url);
    const first = await prepareDatabase(empty.url, registers);
    expect(first.isNew).toBe(true);
    expect(planned).toEqual(first.applied);
    expect(await plan(empty.url)).toEqual([]);
    expect(first.applied.some((it) => it.includes('CREATE TABLE "ubs_site"'))).toBe(true);
    expect(await prepareDatabase(empty.url, registers)).toMatchObject({ applied: [], isNew: false });
    await empty.drop();
  });

  it('by two servers at once is done by one of them', async () => {
    await publish('ubsSite', altered);
    const both = await Promise.all([prepare(), prepare()]);
    // The column, and the table's trigger anew.
    expect(both.map((it) => it.applied.length).sort()).toEqual([0, 3]);
  });

  it('goes on where rows lack what every row has, tells of them, and sets it when they have it', async () => {
    await client.query(`ALTER TABLE ubs_site ALTER COLUMN "siteName" DROP NOT NULL`);
    await client.query(`INSERT INTO ubs_site ("siteId", "createBy") VALUES ('NAMELESS', 'test')`);
    const told = /^ubsSite\.siteName is empty in 1 row\(s\), the first with id \d+$/;
    expect(await prepare()).toMatchObject({ applied: [], leftOut: [expect.stringMatching(told)] });
    expect(await plan()).toEqual([expect.stringMatching(/^-- left out: ubsSite\.siteName is empty in 1 row/)]);
    await client.query(`UPDATE ubs_site SET "siteName" = 'Named' WHERE "siteId" = 'NAMELESS'`);
    const planned = await plan();
    expect(await prepare()).toMatchObject({ applied: planned, leftOut: [] });
    expect(planned).toContain('ALTER TABLE "ubs_site" ALTER COLUMN "siteName" SET NOT NULL');
    expect(await prepare()).toMatchObject({ applied: [], leftOut: [] });
    await client.query(`DELETE FROM ubs_site WHERE "siteId" = 'NAMELESS'`);
  });

  it('only to see what it would do changes nothing', async () => {
    await publish('ubsSite', altered);
    const planned = await plan();
    expect(planned).toContain('ALTER TABLE "ubs_site" ADD COLUMN "fax" text');
    expect(await hasColumn('ubs_site', 'fax')).toBe(false);
    expect((await prepare()).applied).toEqual(planned);
    expect(planned).toHaveLength(3);
    expect(await hasColumn('ubs_site', 'fax')).toBe(true);
  });

  it('refuses a definition that would lose data, and then applies nothing of the others either', async () => {
    await client.query(`DROP TRIGGER empty_text_is_null ON ubs_site`);
    await client.query(`ALTER TABLE ubs_site ALTER COLUMN phone TYPE integer USING NULL`);
    await publish('ubsSite', { fields: { fax: { type: 'String', label: { zh: '传真', en: 'Fax' } } } });
    const error = await readRefusal();
    expect(error).toBeInstanceOf(BadDatabase);
    expect(error.message).toContain('ubsSite.phone is integer in the database and text in the definition');
    await expect(plan()).rejects.toThrow(error.message);
    expect(await hasColumn('ubs_site', 'fax')).toBe(false);
    await client.query(`ALTER TABLE ubs_site ALTER COLUMN phone TYPE text`);
  });

  it('rewrites ship numbers that an earlier version kept as they were typed', async () => {
    await client.query(`DELETE FROM migration WHERE name = '0016_ship_numbers.sql'`);
    await client.query(
      `INSERT INTO rma_maintain_bill ("mtbId", "receiveShipNo", "billStatus", "siteId", "userName", "createBy")
       VALUES ('MTB1', 'sf-low-７ ', '0', 'SZ', 'A', 'test'), ('MTB2', 'SF-8', '0', 'SZ', 'A', 'test')`,
    );
    await client.query(
      `INSERT INTO rma_stockup_bill ("skbId", "deliverShipNo", "mtbId", status, "siteId", "createBy")
       VALUES ('SKB1', 'yt-9x', 'MTB1', '0', 'SZ', 'test')`,
    );
    expect(await plan()).toEqual(['-- migration 0016_ship_numbers.sql']);
    expect((await prepare()).applied).toEqual(['-- migration 0016_ship_numbers.sql']);
    const bills = await client.query(`SELECT "receiveShipNo" AS no FROM rma_maintain_bill ORDER BY "mtbId"`);
    expect(bills.rows.map((it: { no: string | null }) => it.no)).toEqual(['SF-LOW-7', 'SF-8']);
    const tallies = await client.query(`SELECT "deliverShipNo" AS no FROM rma_stockup_bill`);
    expect(tallies.rows).toEqual([{ no: 'YT-9X' }]);
  });

  it('takes for families what prices of an earlier version called exactly as a product', async () => {
    const migration = '0025_model_families.sql';
    await client.query(`DELETE FROM migration WHERE name = '${migration}'`);
    await client.query(
      `INSERT INTO ubs_item ("itemId", "salesCode", name, "productName", type, "snControl")
       VALUES (901, 'F1', 'RX-21 188T', 'RX-21', '0', '1'), (902, 'F2', 'RX-21 Pro 200T', 'RX-21 Pro', '0', '1'),
              (903, 'F3', 'RX-21 191T', 'RX-21', '0', '1'), (904, 'F4', 'RX-23', NULL, '0', '1')`,
    );
    await client.query(`INSERT INTO rma_repair_supplier ("supplierName") VALUES ('S')`);
    await client.query(
      `INSERT INTO rma_price_bill ("prbId", "siteId", "settleCompany", "supplierName", "repairProject", warranty, "machineType",
         "repairType", currency, "unitPriceWithTax", "taxRate", "effectiveDate", "expirationDate")
       SELECT 'F' || n, 'SZ', 'C', 'S', '1', '1', family, '2', 'CNY', 1, 13, '2026-01-01', '2026-12-31'
         FROM unnest('{RX-21,RX-21,RX-2,rx-21 pro,RX-23}'::text[]) WITH ORDINALITY AS of (family, n)`,
    );
    // As the earlier version left it.
    await client.query(`DROP TABLE ubs_model_family CASCADE; ALTER TABLE ubs_item DROP COLUMN family CASCADE`);
    await prepare();
    const families = await client.query(`SELECT family FROM ubs_model_family`);
    expect(families.rows).toEqual([{ family: 'RX-21' }]);
    const items = await client.query(`SELECT "salesCode" FROM ubs_item WHERE family = 'RX-21' ORDER BY 1`);
    expect(items.rows).toEqual([{ salesCode: 'F1' }, { salesCode: 'F3' }]);
    expect(await plan()).toEqual([]);
    await client.query(
      `DELETE FROM rma_price_bill; DELETE FROM rma_repair_supplier; DELETE FROM ubs_item WHERE "itemId" > 900; DELETE FROM ubs_model_family`,
    );
  });

  it('puts into the list of repair suppliers whoever stands on a bill of an earlier version', async () => {
    const migration = '0028_repair_suppliers.sql';
    await client.query(`DELETE FROM migration WHERE name = '${migration}'`);
    // As the earlier version left it.
    await client.query(`DROP TABLE rma_repair_supplier CASCADE`);
    await client.query(
      `INSERT INTO rma_price_bill ("prbId", "siteId", "settleCompany", "supplierName", "repairProject", warranty, "machineType",
         "repairType", currency, "unitPriceWithTax", "taxRate", "effectiveDate", "expirationDate")
       SELECT 'S' || n, 'SZ', 'C', name, '1', '1', 'F' || n, '2', 'CNY', 1, 13, '2026-01-01', '2026-12-31'
         FROM unnest('{Ding,Ding,ding}'::text[]) WITH ORDINALITY AS of (name, n)`,
    );
    await client.query(
      `INSERT INTO rma_repair_fee_bill ("rfbId", "siteId", "billStatus", "recPeriod", "supplierName")
       VALUES ('S1', 'SZ', '1', '2026-01', 'Houston'), ('S2', 'SZ', '1', '2026-01', NULL)`,
    );
    await prepare();
    const suppliers = await client.query(
      `SELECT "supplierName" FROM rma_repair_supplier ORDER BY "supplierName" COLLATE "C"`,
    );
    expect(suppliers.rows).toEqual(['Ding', 'Houston', 'ding'].map((supplierName) => ({ supplierName })));
    expect(await plan()).toEqual([]);
    await client.query(`DELETE FROM rma_price_bill; DELETE FROM rma_repair_fee_bill; DELETE FROM rma_repair_supplier`);
  });

  it('makes data of how an earlier version wrote down the split of a lot', async () => {
    const migration = '0029_split_lists.sql';
    await client.query(`DELETE FROM migration WHERE name = '${migration}'`);
    // As the earlier version left it.
    const table = 'icop_assembly_work_order_line';
    await client.query(
      `DROP TRIGGER empty_text_is_null ON ${table}; ALTER TABLE ${table} DROP COLUMN "splitList";
       ALTER TABLE ${table} ADD COLUMN "splitList" text;
       CREATE TRIGGER empty_text_is_null BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW
         WHEN (NEW."splitList" = '') EXECUTE FUNCTION empty_text_is_null('splitList')`,
    );
    await client.query(
      `INSERT INTO icop_supplier ("supplierId", "supplierName", "supplierType", status) VALUES ('S', 'S', '4', '1');
       INSERT INTO icop_part_number ("waferPn", "waferMpn", status) VALUES ('P', 'P', '1');
       INSERT INTO icop_part_number_line ("devicePn", "waferPn") VALUES ('D', 'P');
       INSERT INTO icop_assembly_work_order ("workOrderNo", "billStatus", "processType", "lotType", "supplierId", "devicePn", "waferPn", "siteId")
       VALUES ('ASO1', '0', '1', '0', 'S', 'D', 'P', 'SZ');
       INSERT INTO ${table} ("workOrderNo", "waferLotId", "splitList")
       VALUES ('ASO1', 'A', '01:30/60,02:70/0'), ('ASO1', 'B', NULL)`,
    );
    expect(await plan()).toContain(`-- migration ${migration}`);
    await prepare();
    const lines = await client.query(
      `SELECT "splitList" AS split FROM icop_assembly_work_order_line ORDER BY "waferLotId"`,
    );
    expect(lines.rows).toEqual([
      {
        split: [
          { waferId: '01', inputQty: 30, remainQty: 60 },
          { waferId: '02', inputQty: 70, remainQty: 0 },
        ],
      },
      { split: null },
    ]);
    expect(await plan()).toEqual([]);
    await client.query(
      `DELETE FROM ${table}; DELETE FROM icop_assembly_work_order; DELETE FROM icop_part_number_line;
       DELETE FROM icop_part_number; DELETE FROM icop_supplier`,
    );
  });

  it('makes stores of those that orders and lots of an earlier version name, at the site that named them first', async () => {
    const migration = '0030_chip_stores.sql';
    await client.query(`DELETE FROM migration WHERE name = '${migration}'`);
    // As the earlier version left it.
    await client.query(`DROP TABLE icop_store CASCADE`);
    await client.query(
      `INSERT INTO icop_wip ("wipId", stage, "inventoryOrg", "siteId", "createTime")
       VALUES ('W1', '1', 'IC02', 'NB', '2026-01-02'), ('W2', '1', 'IC02', 'SZ', '2026-01-01'), ('W3', '1', 'MINE', 'NB', now()),
              ('W4', '1', NULL, 'NB', now())`,
    );
    await prepare();
    const stores = await client.query(`SELECT "btmId", name, "nameEn", "siteId" FROM icop_store ORDER BY 1`);
    expect(stores.rows).toEqual([
      { btmId: 'IC02', name: '芯片在制仓', nameEn: 'IC work in process', siteId: 'SZ' },
      { btmId: 'MINE', name: 'MINE', nameEn: null, siteId: 'NB' },
    ]);
    expect(await plan()).toEqual([]);
    await client.query(`DELETE FROM icop_wip; DELETE FROM icop_store`);
  });

  it('keeps wafers from coming twice, names those that did, and takes cancelled orders out of the histories of lots', async () => {
    const migration = '0038_wafer_receipts.sql';
    await client.query(`DELETE FROM migration WHERE name = '${migration}'`);
    // As the earlier version left it.
    await client.query(`DROP TABLE wafer_receipt`);
    await client.query(
      `INSERT INTO icop_wip ("wipId", stage, "waferPn", "waferLotId", "siteId")
       VALUES ('W1', '1', 'P', 'L', 'SZ'), ('W2', '1', 'P', 'L', 'SZ'), ('W3', '3', 'P', 'L', 'SZ');
       INSERT INTO icop_wip_wafer ("wipId", "waferId", "chipQty")
       VALUES ('W1', '01', 9), ('W1', '02', 9), ('W2', '02', 9), ('W3', '01', 9);
       INSERT INTO icop_supplier ("supplierId", "supplierName", "supplierType", status) VALUES ('S', 'S', '4', '1');
       INSERT INTO icop_part_number ("waferPn", "waferMpn", status) VALUES ('P', 'P', '1');
       INSERT INTO icop_bumping_cp_work_order ("workOrderNo", "billStatus", "processType", "lotType", "supplierId", "waferPn", "siteId")
       VALUES ('GONE', '4', '1', '0', 'S', 'P', 'SZ'), ('HERE', '1', '1', '0', 'S', 'P', 'SZ');
       INSERT INTO icop_transaction ("wipId", "transactionType", "workOrderNo", "operateStatus", "siteId")
       VALUES ('W1', 'RESERVE', 'GONE', 'Normal', 'SZ'), ('W1', 'REVERSE', 'GONE', 'Normal', 'SZ'),
              ('W1', 'RESERVE', 'HERE', 'Normal', 'SZ')`,
    );
    const { leftOut } = await prepare();
    expect(leftOut).toContain('icopWip: wafer P / L / 02 came twice, in the lots W1, W2');
    const receipts = await client.query(`SELECT "waferId", "wipId" FROM wafer_receipt ORDER BY 1`);
    expect(receipts.rows).toEqual([
      { waferId: '01', wipId: 'W1' },
      { waferId: '02', wipId: 'W1' },
    ]);
    const entries = await client.query(`SELECT "operateStatus" AS is FROM icop_transaction ORDER BY id`);
    expect(entries.rows.map((it: { is: string }) => it.is)).toEqual(['Rollbacked', 'Rollbacked', 'Normal']);
    await client.query(
      `DELETE FROM wafer_receipt; DELETE FROM icop_transaction; DELETE FROM icop_bumping_cp_work_order;
       DELETE FROM icop_wip_wafer; DELETE FROM icop_wip; DELETE FROM icop_part_number; DELETE FROM icop_supplier`,
    );
  });

  it('writes to what forms and files did the site of their row, where the entry says it, and the ledger takes no change after', async () => {
    await client.query(`DELETE FROM migration WHERE name = '0081_ledger_sites.sql'`);
    const entry = (what: string, module: string, said: string) =>
      `('admin', 'SZ', '${what}', '${module}', '1', ${said}, 'old')`;
    await client.query(
      `INSERT INTO ledger ("userId", "siteId", what, module, "recordId", before, after, "requestId") VALUES ${[
        entry('create', 'rmaPriceBill', `NULL, '{"siteId":"NB"}'`),
        entry('modifyById', 'rmaPriceBill', `'{"siteId":"NB"}', '{"siteId":"SZ"}'`),
        entry('upload', 'rmaPriceBill', `NULL, '{"siteId":null}'`),
        entry('modifyById', 'ubsSite', `'{"siteId":"NB"}', '{"siteName":"x"}'`),
        entry('receive', 'rmaReceiveBill', `'{"siteId":"NB"}', NULL`),
      ].join()}`,
    );
    await prepare();
    const { rows } = await client.query(
      `SELECT module, "siteId" AS site FROM ledger WHERE "requestId" = 'old' ORDER BY id`,
    );
    expect(rows.map((it: { module: string; site: string }) => `${it.module} ${it.site}`)).toEqual([
      ...['rmaPriceBill NB', 'rmaPriceBill NB', 'rmaPriceBill SZ', 'ubsSite SZ', 'rmaReceiveBill SZ'],
    ]);
    await expect(client.query(`UPDATE ledger SET what = 'x'`)).rejects.toThrow('the ledger takes no UPDATE');
  });

  it('knows the rows of reports that an earlier version booked, by wafer, line and group', async () => {
    await client.query(`DELETE FROM migration WHERE name = '0079_reported_rows.sql'`);
    // As the earlier version left it.
    await client.query(`DROP TABLE reported_row; DROP FUNCTION keep_reported_rows`);
    await client.query(
      `INSERT INTO icop_supplier ("supplierId", "supplierName", "supplierType", status) VALUES ('S', 'S', '4', '1');
       INSERT INTO icop_part_number ("waferPn", "waferMpn", status) VALUES ('P', 'P', '1');
       INSERT INTO icop_part_number_line ("waferPn", "devicePn") VALUES ('P', 'D');
       INSERT INTO icop_bumping_cp_work_order ("workOrderNo", "billStatus", "processType", "lotType", "supplierId", "waferPn", "siteId")
       VALUES ('B', '2', '1', '0', 'S', 'P', 'SZ');
       INSERT INTO icop_ft_work_order ("workOrderNo", "billStatus", "processType", "ftType", "lotType", "supplierId", "devicePn", "siteId")
       VALUES ('F', '2', '1', '1', '0', 'S', 'D', 'SZ');
       INSERT INTO icop_ft_work_order_line ("workOrderNo", "wipId", bin, "group") VALUES ('F', 'IN', 'G', 7);
       INSERT INTO icop_wip ("wipId", stage, "parentWipIds", "group", "siteId")
       VALUES ('CAME', '3', 'IN', NULL, 'SZ'), ('TESTED', '9', 'IN,IN2', 7, 'SZ');
       INSERT INTO icop_transaction ("wipId", "transactionType", "workOrderNo", "waferId", bin, qty, "operateStatus", "siteId", "createBy", "createTime", "reportMark")
       VALUES ('CAME', 'OUTPUT', 'B', '01', NULL, 40, 'Normal', 'SZ', 'ann', '2026-01-01', 'aa'),
              ('IN', 'LOSS', 'B', '01', NULL, 5, 'Normal', 'SZ', 'ann', '2026-01-01', 'aa'),
              ('CAME', 'OUTPUT', 'B', '02', NULL, 40, 'Normal', 'SZ', 'ann', '2026-01-01', 'aa'),
              ('CAME', 'OUTPUT', 'B', '02', NULL, 40, 'Normal', 'SZ', 'bob', '2026-01-02', NULL),
              ('CAME', 'OUTPUT', 'B', '02', NULL, 40, 'Rollbacked', 'SZ', 'bob', '2026-01-03', NULL),
              ('TESTED', 'OUTPUT', 'F', NULL, '2', 4, 'Normal', 'SZ', 'bob', '2026-01-02', NULL),
              ('TESTED', 'OUTPUT', 'F', NULL, '1', 90, 'Normal', 'SZ', 'bob', '2026-01-02', NULL),
              ('IN', 'LOSS', 'F', NULL, 'G', 6, 'Normal', 'SZ', 'bob', '2026-01-02', NULL)`,
    );
    await prepare();
    const rows = await client.query(
      `SELECT r."workOrderNo" AS no, "position", told, "dateCode", repeat, r."userId", count(t.id)::int AS entries
         FROM reported_row AS r JOIN icop_transaction AS t ON t."reportMark" = r.id::text
        GROUP BY r.id ORDER BY 1, 2, 5`,
    );
    expect(rows.rows.map((it: object) => Object.values(it).join(' | '))).toEqual([
      'B | IN/01 | good:40 loss:5 |  | 1 | ann | 2',
      'B | IN/02 | good:40 |  | 1 | ann | 1',
      'B | IN/02 | good:40 |  | 2 | bob | 1',
      'F | 7 | 1:90 2:4 loss:6 |  | 1 | bob | 3',
    ]);
    expect(await plan()).toEqual([]);
    await client.query(
      `DELETE FROM reported_row; DELETE FROM icop_transaction; DELETE FROM icop_ft_work_order_line; DELETE FROM icop_ft_work_order;
       DELETE FROM icop_bumping_cp_work_order; DELETE FROM icop_wip; DELETE FROM icop_part_number_line; DELETE FROM icop_part_number;
       DELETE FROM icop_supplier`,
    );
  });

  it('gives the lines of logistics costs the currency of their bill, where that has one', async () => {
    await client.query(`DELETE FROM migration WHERE name = '0026_logistics_line_currency.sql'`);
    await client.query(
      `INSERT INTO rma_logistics_costs_bill ("lcbId", "billStatus", "siteId", currency)
       VALUES ('L1', '0', 'SZ', 'CNY'), ('L2', '0', 'SZ', NULL)`,
    );
    // As the earlier version left it.
    await client.query(`ALTER TABLE rma_logistics_costs_bill_line DROP COLUMN currency CASCADE`);
    await client.query(
      `INSERT INTO rma_logistics_costs_bill_line ("lcbId", "deliverShipNo", amount)
       VALUES ('L1', 'SF1', 10), ('L1', 'SF2', 20), ('L2', 'SF3', 30)`,
    );
    await prepare();
    const lines = await client.query(
      `SELECT "deliverShipNo" AS no, currency FROM rma_logistics_costs_bill_line ORDER BY 1`,
    );
    expect(lines.rows).toEqual([
      { no: 'SF1', currency: 'CNY' },
      { no: 'SF2', currency: 'CNY' },
      { no: 'SF3', currency: null },
    ]);
    expect(await plan()).toEqual([]);
    await client.query(`DELETE FROM rma_logistics_costs_bill_line; DELETE FROM rma_logistics_costs_bill`);
  });

  it('says of items whether they are own goods, and gives the list of received units to whoever saw items', async () => {
    await client.query(`DELETE FROM migration WHERE name = '0074_received_units.sql'`);
    // As the earlier version left it.
    await client.query(`ALTER TABLE rma_maintain_bill_line_item DROP COLUMN "billType" CASCADE`);
    await client.query(
      `INSERT INTO rma_maintain_bill ("mtbId", "billStatus", "billType", "siteId", "receiveShipNo", "userName")
       VALUES ('OWN', '1', '9', 'SZ', 'S1', 'Ding'), ('HIS', '1', NULL, 'SZ', 'S2', 'Li');
       INSERT INTO rma_maintain_bill_line ("mtblId", "mtbId", type, "salesCode", count, "receiveCount", "deliverCount",
                                           "scrapCount", "discardCount", "buyOutCount")
       VALUES ('L1', 'OWN', '0', 'X', 1, 1, 0, 0, 0, 0), ('L2', 'HIS', '0', 'X', 1, 1, 0, 0, 0, 0);
       INSERT INTO rma_maintain_bill_line_item ("mtbliId", "mtblId", "mtbId", "siteId", "receiveStatus", "deliverStatus")
       VALUES ('I1', 'L1', 'OWN', 'SZ', '1', '0'), ('I2', 'L2', 'HIS', 'SZ', '1', '0');
       INSERT INTO role_right ("roleId", "right")
       VALUES ('desk', 'rmaMaintainBillLineItem:list'), ('desk', 'rmaMaintainBill:export'), ('other', 'rmaCheckBill:list')`,
    );
    await prepare();
    const items = await client.query(`SELECT "mtbliId" AS id, "billType" FROM rma_maintain_bill_line_item ORDER BY 1`);
    expect(items.rows).toEqual([
      { id: 'I1', billType: '9' },
      { id: 'I2', billType: null },
    ]);
    const rights = await client.query(
      `SELECT "roleId", "right" FROM role_right WHERE "right" LIKE 'rmaReceivedUnit:%' AND "roleId" IN ('desk', 'other')
        ORDER BY 1, 2`,
    );
    expect(rights.rows).toEqual([
      { roleId: 'desk', right: 'rmaReceivedUnit:export' },
      { roleId: 'desk', right: 'rmaReceivedUnit:list' },
    ]);
    expect(await plan()).toEqual([]);
    await client.query(
      `DELETE FROM rma_maintain_bill_line_item; DELETE FROM rma_maintain_bill_line; DELETE FROM rma_maintain_bill;
       DELETE FROM role_right WHERE "roleId" IN ('desk', 'other')`,
    );
  });

  it('writes menu and buttons as their lists show them', async () => {
    const { rows } = await client.query(
      `SELECT "menuNo", "parentNo", module FROM sys_menu WHERE "menuNo" = 'ubsSiteList'`,
    );
    expect(rows).toEqual([{ menuNo: 'ubsSiteList', parentNo: 'places', module: 'ubsSite' }]);
    await client.query(`DELETE FROM sys_btn`);
    const { model } = await prepare();
    const buttons = await client.query(
      `SELECT "btnNo", "btnScript" FROM sys_btn WHERE "menuNo" = 'ubsSiteList' ORDER BY id`,
    );
    const defined = model.definitions.get('ubsSite')?.buttons ?? [];
    expect(buttons.rows).toEqual(defined.map((it) => ({ btnNo: it.btnNo, btnScript: it.script })));
    expect(buttons.rows).toContainEqual({ btnNo: 'add', btnScript: 'create' });
  });
});

describe('a published change', () => {
  it('is laid over the definition: labels, columns, and a new field with its column', async () => {
    await publish('ubsSite', altered);
    const { model } = await prepare();
    const site = model.definitions.get('ubsSite');
    expect(site?.fields['phone']).toMatchObject({
      type: 'String',
      maxLength: 30,
      label: { zh: '热线', en: 'Hotline' },
    });
    expect(site?.list).toMatchObject({ columns: ['siteId', 'fax', 'phone'], sort: 'siteId' });
    expect(await hasColumn('ubs_site', 'fax')).toBe(true);
  });

  it('may be a whole new module with its own table', async () => {
    const shelf = {
      module: 'shelf',
      label: { zh: '货架', en: 'Shelves' },
      table: 'shelf',
      site: 'all',
      fields: { shelfId: { type: 'String', label: { zh: '货架号', en: 'Shelf' } } },
    };
    await publish('shelf', { definition: shelf });
    expect((await prepare()).model.definitions.get('shelf')?.label.en).toBe('Shelves');
    expect(await hasColumn('shelf', 'shelfId')).toBe(true);
  });

  it('is followed by later ones, in their order', async () => {
    await publish('ubsSite', { label: { zh: '一', en: 'First' } });
    await publish('ubsSite', { label: { zh: '二', en: 'Second' } });
    expect((await prepare()).model.definitions.get('ubsSite')?.label.en).toBe('Second');
  });

  it('that was taken back does not count any more, and its column stays', async () => {
    const id = await publish('ubsSite', altered);
    await prepare();
    await takeBack(id);
    const { model, applied } = await prepare();
    expect(applied).toEqual([]);
    expect(model.definitions.get('ubsSite')?.fields).not.toHaveProperty('fax');
    expect(model.definitions.get('ubsSite')?.fields['phone']?.label.en).toBe('Phone');
    expect(await hasColumn('ubs_site', 'fax')).toBe(true);
  });

  it.each<[string, string, DefinitionChange | object, string]>([
    ['another type', 'ubsSite', { fields: { phone: { type: 'Integer' } } }, 'ForbiddenChange: ubsSite'],
    ['a column that is none', 'ubsSite', { list: { columns: ['fone'] } }, 'did you mean "phone"?'],
    ['a module that is none', 'ubsSyte', { label: { zh: '站', en: 'Site' } }, 'ForbiddenChange: ubsSyte'],
    ['no shape', 'ubsSite', { label: { zh: '站' } }, 'BadShape: ubsSite → /label'],
    ['a table', 'ubsSite', { table: 'other' }, 'BadShape: ubsSite → /table'],
  ])(
    'stops no start when it says %s: it is set aside with the reason, and can be taken back',
    async (_, module, change, sentence) => {
      const before = await publish('ubsSite', { label: { zh: '一', en: 'First' } });
      const id = await publish(module, change);
      const after = await publish('ubsSite', { one: { zh: '厂', en: 'Plant' } });
      const planned = await plan();
      expect(planned).toEqual([expect.stringContaining(`publish ${id} can't be applied`)]);
      const { model, aside } = await prepare();
      expect(model.definitions.get('ubsSite')).toMatchObject({ label: { en: 'First' }, one: { en: 'Plant' } });
      expect(aside.map(saySetAside)).toEqual([expect.stringContaining(sentence)]);
      expect(await readStatuses()).toEqual({ [before]: '1', [id]: '2', [after]: '1' });
      await takeBack(id);
      expect((await prepare()).aside).toEqual([]);
      expect(await readTroubles()).toEqual([]);
    },
  );

  it('that rows do not allow any more stops no start, and is applied once they do', async () => {
    const fax = { type: 'String', label: { zh: '传真', en: 'Fax' }, maxLength: 20 };
    await publish('ubsSite', { fields: { fax } });
    await prepare();
    await client.query(`UPDATE ubs_site SET fax = '0755'`);
    const unique = await publish('ubsSite', { fields: { fax: { unique: true } } });
    const later = await publish('ubsSite', { label: { zh: '厂', en: 'Plants' } });
    for (let start = 1; start <= 2; start++) {
      const { model, aside } = await prepare();
      expect(aside).toEqual([
        { id: unique, problems: [expect.objectContaining({ rule: 'rowsShareUnseen', where: 'ubsSite', name: 'fax' })] },
      ]);
      expect(model.definitions.get('ubsSite')).toMatchObject({ label: { en: 'Plants' } });
      expect(model.definitions.get('ubsSite')?.fields['fax']).not.toHaveProperty('unique');
    }
    expect(await readTroubles()).toEqual([unique]);
    await client.query(`UPDATE ubs_site SET fax = id`);
    const { model, aside } = await prepare();
    expect(aside).toEqual([]);
    expect(model.definitions.get('ubsSite')?.fields['fax']).toMatchObject({ unique: true });
    expect(await readTroubles()).toEqual([]);
    expect(later).toBeGreaterThan(unique);
  });

  it('that was set aside is applied once rows allow it, though another one still is not', async () => {
    await publish('ubsSite', altered);
    await prepare();
    await client.query(`UPDATE ubs_site SET fax = '0755'`);
    const unique = await publish('ubsSite', { fields: { fax: { unique: true } } });
    const wrong = await publish('ubsSite', { list: { columns: ['fone'] } });
    expect((await prepare()).aside.map((it) => it.id)).toEqual([unique, wrong]);
    await client.query(`UPDATE ubs_site SET fax = id`);
    const { model, aside } = await prepare();
    expect(aside.map((it) => it.id)).toEqual([wrong]);
    expect(model.definitions.get('ubsSite')?.fields['fax']).toMatchObject({ unique: true });
  });

  it('that was set aside does not push out what was published since', async () => {
    const first = await publish('ubsSite', { fields: { fax: { type: 'Integer' } } });
    await prepare();
    const second = await publish('ubsSite', { fields: { fax: { type: 'String', label: { zh: '传真', en: 'Fax' } } } });
    await prepare();
    await client.query(
      `UPDATE definition_change SET change = jsonb_set(change, '{fields,fax,label}', '{"zh": "数", "en": "No"}')
        WHERE "publishId" = $1`,
      [first],
    );
    const { model, aside } = await prepare();
    expect(aside.map((it) => it.id)).toEqual([first]);
    expect(model.definitions.get('ubsSite')?.fields['fax']).toMatchObject({ type: 'String' });
    expect(second).toBeGreaterThan(first);
  });
});
