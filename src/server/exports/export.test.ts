import { PassThrough } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { readXlsx } from 'hucre/xlsx';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAmount } from '#domain/definition/fieldBounds.ts';
import type { Field } from '#domain/definition/grammar.ts';
import { Node } from '#domain/nodes.ts';
import { readableField } from '#server/engine/describe.ts';
import type { Row } from '#server/engine/rows.ts';
import { createCellReader, sheetColumns } from '#server/exports/columns.ts';
import { exportRows } from '#server/exports/exportRows.ts';
import { createPlan } from '#server/exports/listExport.ts';
import type { RunningJob } from '#server/jobs/job.ts';
import { startTestApp, type Answer, type Asking, type TestApp } from '#tests/support/app.ts';
import { maintainBill, repairSuppliers, unitOnBill } from '#tests/support/factories.ts';
import { contextFor } from '#tests/support/jobs.ts';
import { formatOf, partsOf } from '#tests/support/workbook.ts';

interface Exported {
  jobId: number;
  path?: string;
  rows?: number;
}
let testApp: TestApp;
const UNITS = '/api/rmaInventory/export.json';

beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: true });
  for (let n = 0; n < 5; n++) await unitOnBill(testApp.db, { node: n < 2 ? Node.AwaitingCheck : Node.AwaitingRepair });
  await unitOnBill(testApp.db, { node: Node.AwaitingCheck, siteId: 'NB' });
  await testApp.db
    .updateTable('rma_inventory')
    .set({ itemName: '=HYPERLINK("http://x")' })
    .where('siteId', '=', 'SZ')
    .execute();
});
afterAll(() => testApp?.close());

const ask = (path: string, input: object, asking: Asking = { as: 'office' }): Promise<Answer<Exported>> =>
  testApp.ask<Exported>('GET', path, input, asking);
const units = (input: object = {}, asking?: Asking) => ask(UNITS, input, asking);

async function readFile(answer: Answer<Exported>, as = 'office') {
  expect(answer).toMatchObject({ status: 200, code: '000000' });
  const reply = await testApp.app.inject({
    url: answer.data.path ?? '',
    headers: { token: await testApp.openToken(as) },
  });
  expect(reply.statusCode).toBe(200);
  return { bytes: reply.rawPayload, name: decodeURIComponent(String(reply.headers['content-disposition'])) };
}
async function rowsOf(answer: Answer<Exported>, as?: string) {
  const { bytes } = await readFile(answer, as);
  const [sheet] = (await readXlsx(bytes)).sheets;
  const [heading = [], ...rows] = sheet?.rows ?? [];
  return { heading, rows };
}

describe('an export of a list is refused', () => {
  it.each<[string, string, object, Asking, number, string]>([
    ['without a session', UNITS, {}, {}, 401, '401'],
    ['without the right', UNITS, {}, { as: 'viewer' }, 403, '100013'],
    ['to who may see the list only', UNITS, {}, { as: 'tech' }, 403, '100013'],
    ['where the module has no such button', '/api/sysMenu/export.json', {}, { as: 'admin' }, 404, '100050'],
    ['by a column that the list does not show', UNITS, { columns: 'sn,createBy' }, { as: 'office' }, 200, '100015'],
    ['by a filter that nobody knows', UNITS, { password: 'x' }, { as: 'office' }, 200, '100015'],
    ['by an order that nobody knows', UNITS, { sortBy: 'sn;drop', order: 'asc' }, { as: 'office' }, 200, '100015'],
    ['by a condition that is none', UNITS, { adminAdvancedSearchGroup: '{' }, { as: 'office' }, 200, '100015'],
    ['by rows that are none', UNITS, { ids: '1,x' }, { as: 'office' }, 200, '100015'],
  ])('%s', async (_, path, input, asking, status, code) => {
    expect(await ask(path, input, asking)).toMatchObject({ status, code });
    expect(await testApp.db.selectFrom('job').select('id').where('state', '=', 'queued').execute()).toEqual([]);
  });
});

describe('an export of a list', () => {
  it('is opened with the columns that it may have [P-EXP-14]', async () => {
    const open = await testApp.ask<{ tableName: string; columns: { name: string; label: string }[] }>(
      'GET',
      '/api/rmaInventory/toExport.json',
      {},
      { as: 'office' },
    );
    expect(open.data.tableName).toBe('Inventory');
    expect(open.data.columns.map((it) => it.name)).toEqual(
      testApp.model.definitions.get('rmaInventory')?.list?.columns,
    );
    expect(await testApp.ask('GET', '/api/rmaInventory/toExport.json', {}, { as: 'viewer' })).toMatchObject({
      status: 403,
    });
  });

  it('gives data.path of a workbook with the rows of the asker’s site alone, labels instead of codes [P-EXP-14]', async () => {
    const answer = await units();
    expect(answer.data.path).toMatch(/^\/file\/[0-9a-f]{32}$/);
    const { heading, rows } = await rowsOf(answer);
    expect(heading).toHaveLength(14);
    expect(rows).toHaveLength(5);
    expect(answer.data.rows).toBe(5);
    const site = heading.indexOf(testApp.model.definitions.get('rmaInventory')?.fields['siteId']?.label.en ?? '');
    expect(new Set(rows.map((it) => it[site]))).toEqual(new Set(['深圳维修中心']));
    const nodes = (testApp.model.options['nodes'] ?? []).filter((it) => ['10', '50'].includes(it.value));
    const node = heading.indexOf(testApp.model.definitions.get('rmaInventory')?.fields['ivyId']?.label.en ?? '');
    expect(new Set(rows.map((it) => it[node]))).toEqual(new Set(nodes.map((it) => it.label.en)));
  });

  it('is named by the list and the moment, as yyyyMMddHHmmss, in the asker’s language [P-EXP-18]', async () => {
    const { name, bytes } = await readFile(await units({}, { as: 'office', lang: 'zh' }));
    expect(name).toMatch(/^attachment; filename\*=UTF-8''库存查询_20\d{12}\.xlsx$/);
    expect((await readXlsx(bytes)).sheets[0]?.rows[0]).toContain('站点');
  });

  it('holds what the list stands under: its filter, its condition, its order and its columns', async () => {
    const filtered = await rowsOf(await units({ ivyId: '10', columns: 'sn,ivyId', sortBy: 'sn', order: 'desc' }));
    expect(filtered.heading).toHaveLength(2);
    expect(filtered.rows).toHaveLength(2);
    const sns = filtered.rows.map((it) => String(it[0]));
    expect(sns).toEqual([...sns].sort().reverse());
    const group = {
      connector: 'AND',
      rules: [{ connector: 'AND', column: 'ivyId', relation: 'EQUAL_TO', value: '50' }],
    };
    const nested = await rowsOf(await units({ adminAdvancedSearchGroup: JSON.stringify(group) }));
    expect(nested.rows).toHaveLength(3);
  });

  it('of chosen rows holds them, and none of another site', async () => {
    const all = await testApp.db.selectFrom('rma_inventory').select(['id', 'siteId', 'sn']).orderBy('id').execute();
    const own = all.filter((it) => it.siteId === 'SZ').slice(0, 2);
    const foreign = all.filter((it) => it.siteId === 'NB');
    const { rows } = await rowsOf(await units({ ids: [...own, ...foreign].map((it) => it.id).join(), columns: 'sn' }));
    expect(rows.map((it) => it[0]).sort()).toEqual(own.map((it) => it.sn).sort());
  });

  it('has no formula, whatever somebody typed', async () => {
    const { bytes } = await readFile(await units());
    const parts = partsOf(bytes);
    expect(parts.get('xl/worksheets/sheet1.xml')).toContain('=HYPERLINK');
    for (const part of parts.values()) expect(part).not.toMatch(/<f[ >/]/);
  });

  it('of every list writes each amount as one, in the currency of its row', async () => {
    const ctx = await contextFor(testApp, 'admin');
    const walked: string[] = [];
    for (const definition of testApp.model.definitions.values()) {
      const plan = createPlan({ module: definition.module, query: {}, columns: [] }, definition, ctx);
      const names = plan.infos
        .filter((it) => isAmount(readableField(definition, it.name) as Field))
        .map((it) => it.name);
      const kinds = new Map(sheetColumns(plan.infos).map((it, i) => [plan.infos[i]?.name, it.kind]));
      expect([...kinds].filter(([, kind]) => kind === 'money').map(([name]) => name)).toEqual(names);
      if (names.length === 0) continue;
      walked.push(definition.module);
      const { rows } = await sql<Row>`SELECT * FROM (${plan.rows}) AS of_list LIMIT 1`.execute(testApp.db);
      expect(rows).toEqual([]);
      const row = Object.fromEntries(names.map((it) => [it, '1.5']));
      const [cells] = await createCellReader(definition, plan.infos, ctx)([{ ...row, currency: 'EUR' }]);
      const isShown = (it: unknown) => typeof it === 'object' && it !== null;
      expect(cells?.filter(isShown)).toEqual(names.map(() => ({ amount: '1.5', currency: 'EUR' })));
    }
    expect(walked).toHaveLength(9);
  });

  it('has the sign of the currency also where the currency is not asked for, and so has one of a record', async () => {
    const { db } = testApp;
    await repairSuppliers(db, 'Money');
    await db.insertInto('ubs_model_family').values({ family: 'Money' }).execute();
    const { id } = await db
      .insertInto('rma_price_bill')
      .values({
        prbId: 'PRBMONEY',
        siteId: 'SZ',
        billStatus: '0',
        settleCompany: 'C',
        supplierName: 'Money',
        machineType: 'Money',
        currency: 'EUR',
        warranty: '1',
        repairType: '2',
        repairProject: '1',
        unitPriceWithTax: '113',
        taxRate: '13',
        effectiveDate: '2026-01-01',
        expirationDate: '2026-12-31',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const admin = { as: 'admin' };
    const list = await ask('/api/rmaPriceBill/export.json', { columns: 'prbId,unitPriceWithTax,effectiveDate' }, admin);
    const record = await ask('/api/rmaPriceBill/exportDirect.json', { script: 'exportDirectOne', id }, admin);
    for (const answer of [list, record]) {
      const parts = partsOf((await readFile(answer, 'admin')).bytes);
      const style = formatOf(parts, '"€"#,##0.00;-"€"#,##0.00');
      expect(parts.get('xl/worksheets/sheet1.xml')).toMatch(new RegExp(`s="${style}"[^>]*><v>113</v>`));
    }
  });

  it('whose rows fail waits for its file, which nobody would remove that is opened later', async () => {
    let isOpened = false;
    const job: Pick<RunningJob, 'ctx' | 'title' | 'signal' | 'openFile'> = {
      ctx: await contextFor(testApp, 'office'),
      title: 'fails',
      signal: new AbortController().signal,
      openFile: async (name) => {
        await setTimeout(100);
        isOpened = true;
        return { id: '', name, stream: new PassThrough() };
      },
    };
    const query = sql<Row>`SELECT 1 / 0 AS n`;
    const exporting = exportRows(job as RunningJob, { columns: [], query, toCells: () => [] });
    await expect(exporting).rejects.toThrow('division by zero');
    expect(isOpened).toBe(true);
  });

  it('is its asker’s alone, and stays a job of theirs', async () => {
    const { data } = await units();
    const other = await testApp.app.inject({
      url: data.path ?? '',
      headers: { token: await testApp.openToken('finance') },
    });
    expect(other.statusCode).toBe(404);
    const mine = await testApp.ask<{ items: { id: number; status: string }[] }>(
      'GET',
      '/api/rmaReportDownload/pager.json',
      {},
      { as: 'office' },
    );
    expect(mine.data.items.find((it) => it.id === data.jobId)).toMatchObject({
      status: 'done',
      progress: '100.000000',
      rows: 5,
    });
    const others = await testApp.ask<{ items: unknown[]; itemTotal: number }>(
      'GET',
      '/api/rmaReportDownload/pager.json',
      {},
      { as: 'finance' },
    );
    expect(others.data).toMatchObject({ items: [], itemTotal: 0 });
  });
});

describe('a direct export', () => {
  const DIRECT = '/api/rmaTransaction/exportDirect.json';
  const script = 'exportDirect';
  /** A maintain bill, and what its direct export is asked with. */
  async function oneBill(more: object = {}) {
    const { mtbId } = await maintainBill(testApp.db, more);
    const { id } = await testApp.db
      .selectFrom('rma_maintain_bill')
      .select('id')
      .where('mtbId', '=', mtbId)
      .executeTakeFirstOrThrow();
    return { mtbId, one: { script: 'exportDirectOne', id } };
  }

  it('takes the name of one of the module’s buttons as script, and nothing else [P-EXP-15]', async () => {
    for (const [path, input] of [
      [DIRECT, { script: 'deleteAll' }],
      [DIRECT, { script: 'process.exit()' }],
      ['/api/rmaTransaction/toExportDirect.json', { script: "'; DROP TABLE job" }],
      ['/api/rmaMaintainBill/toExportDirectOne.json', { script: 'create', id: 1 }],
    ] as const) {
      expect(await ask(path, input)).toMatchObject({ code: '100015' });
    }
    expect(await ask(DIRECT, { script }, { as: 'tech' })).toMatchObject({ status: 403 });
    expect(await ask('/api/rmaTransaction/toExportDirect.json', { script })).toMatchObject({ code: '000000' });
    const { rows } = await rowsOf(await ask(DIRECT, { script, columns: 'sn' }));
    expect(rows).toEqual([]);
  });

  it('of one row gives its facts, and its lines on a sheet of their own [P-EXP-15]', async () => {
    const { mtbId, one } = await oneBill();
    expect(await ask('/api/rmaMaintainBill/toExportDirectOne.json', one)).toMatchObject({ data: { id: one.id } });
    const { bytes, name } = await readFile(await ask('/api/rmaMaintainBill/exportDirect.json', one));
    expect(name).toMatch(/_20\d{12}\.xlsx$/);
    const { sheets } = await readXlsx(bytes);
    expect(sheets[0]?.rows.map((it) => it[1])).toContain(mtbId);
    expect(sheets.length).toBeGreaterThan(1);
    expect(await ask('/api/rmaMaintainBill/exportDirect.json', one, { as: 'aftersales' })).toMatchObject({
      code: '000000',
    });
  });

  it('of a bill of more than 5,000 lines leaves none out, where its page shows the first and says how many there are', async () => {
    const { db } = testApp;
    await repairSuppliers(db, 'S');
    const head = {
      rfbId: 'RFB20261100000001',
      billStatus: '1',
      siteId: 'SZ',
      supplierName: 'S',
      currency: 'CNY',
      recPeriod: '2026-10',
    };
    const { id } = await db.insertInto('rma_repair_fee_bill').values(head).returning('id').executeTakeFirstOrThrow();
    await sql`
      INSERT INTO rma_repair_fee_bill_line ("rfbId", sn, "salesCode")
      SELECT ${head.rfbId}, 'L' || i, 'RX19' FROM generate_series(1, 5001) AS i`.execute(db);
    const { data } = await testApp.ask<LongBill>(
      'GET',
      '/api/rmaRepairFeeBill/queryById.json',
      { id: String(id) },
      { as: 'office' },
    );
    expect(data.rmaRepairFeeBillLineList).toHaveLength(5000);
    expect(data.view.lines['rmaRepairFeeBillLineList']).toMatchObject({ total: 5001, by: 'rfbId' });
    const ofBill = { connector: 'AND', column: 'rfbId', relation: 'EQUAL_TO', value: head.rfbId };
    const all = await testApp.ask(
      'POST',
      '/api/rmaRepairFeeBillLine/advancedSearch.json',
      { adminAdvancedSearchGroup: { connector: 'AND', rules: [ofBill], groups: [] } },
      { as: 'office' },
    );
    expect(all, all.msg).toMatchObject({ code: '000000', data: { itemTotal: 5001 } });
    const one = { script: 'exportDirectOne', id };
    const { bytes } = await readFile(await ask('/api/rmaRepairFeeBill/exportDirect.json', one));
    const [, lines] = (await readXlsx(bytes)).sheets;
    expect(lines?.rows).toHaveLength(5002);
  });

  it('that does not say which button it is asks for that, and says of no field that was not sent that nobody knows it', async () => {
    const { id } = (await oneBill()).one;
    for (const [path, input] of [
      [DIRECT, {}],
      [DIRECT, { script: '' }],
      ['/api/rmaTransaction/toExportDirect.json', {}],
      ['/api/rmaMaintainBill/toExportDirectOne.json', { id }],
      ['/api/rmaMaintainBill/exportDirect.json', { id }],
    ] as const) {
      const { code, msg } = await ask(path, input);
      expect([code, msg], path).toEqual(['100001', expect.stringContaining('script')]);
    }
  });

  it('of a row of another site is not found', async () => {
    const { one } = await oneBill({ siteId: 'NB' });
    for (const name of ['toExportDirectOne', 'exportDirect'])
      expect(await ask(`/api/rmaMaintainBill/${name}.json`, one)).toMatchObject({ code: '100002' });
  });
});

describe('the export of the wafer WIP list', () => {
  const wip = (exportColumns: unknown, as = 'planner') =>
    testApp.ask<Exported>('POST', '/api/icopWip/exportWip.json', { exportColumns }, { as });

  it('takes the columns that are checked, at most 48, by POST [P-EXP-16]', async () => {
    expect(await wip(['wipId'], 'tech')).toMatchObject({ status: 403 });
    expect(await wip([])).toMatchObject({ code: '100001' });
    expect(await wip(Array.from({ length: 49 }, () => 'wipId'))).toMatchObject({ code: '100019' });
    expect(await wip(['wipId', 'createBy'])).toMatchObject({ code: '100015' });
    const { heading } = await rowsOf(await wip(['waferLotId', 'wipId']), 'planner');
    const fields = testApp.model.definitions.get('icopWip')?.fields;
    expect(heading).toEqual([fields?.['waferLotId']?.label.en, fields?.['wipId']?.label.en]);
  });
});

describe('an export that takes longer than the call waits', () => {
  it('answers with the job alone, which goes on', async () => {
    const slow = await startTestApp({ exportWaitMs: 0 });
    try {
      const answer = await slow.ask<Exported>('GET', UNITS, {}, { as: 'office' });
      expect(answer).toMatchObject({ code: '000000', data: { jobId: expect.any(Number) as number } });
      expect(answer.data.path).toBeUndefined();
      const again = await slow.ask<Exported>('GET', UNITS, {}, { as: 'office' });
      expect(again.data.jobId).toBe(answer.data.jobId);
    } finally {
      await slow.close();
    }
  });
});

interface LongBill {
  rmaRepairFeeBillLineList: object[];
  view: { lines: Record<string, object> };
}
