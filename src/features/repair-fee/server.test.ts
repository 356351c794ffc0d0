import { PassThrough } from 'node:stream';
import { readXlsx } from 'hucre/xlsx';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { readMigration } from '#server/db/migrate.ts';
import type { RunningJob } from '#server/jobs/job.ts';
import { contextFor } from '#tests/support/jobs.ts';
import { formatOf, partsOf } from '#tests/support/workbook.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, repairSuppliers, unitOnBill } from '#tests/support/factories.ts';
import { expectNo } from '#tests/support/guard.ts';
import { at, delivered, happened } from '#tests/support/history.ts';
import { untilWaiting } from '#tests/support/locks.ts';
import { generateFee, makeWorkbook } from './contract.ts';
import { unsettledExpenses } from './queries.ts';
import { FEE_REPORT_JOB, feeReportJob, openCorrectionsSql, startReport } from './server.report.ts';
import { workbookRoute } from './server.workbook.ts';

let testApp: TestApp;
const october = { recPeriod: '2026-10', startDate: '2026-10-01', endDate: '2026-10-31' };
const generate = (input: object, as?: string) => testApp.send(generateFee, input, { ...(as && { as }) });

beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: true });
  const { db } = testApp;
  await repairSuppliers(db, 'S', 'T');
  for (const family of ['RX19', 'RX21', 'RX21 Pro']) await catalogue(family);
  const price = {
    siteId: 'SZ',
    billStatus: '2',
    settleCompany: 'C',
    supplierName: 'S',
    currency: 'CNY',
    warranty: '1',
    repairType: '2',
    taxRate: '13',
    effectiveDate: '2026-01-01',
    expirationDate: '2026-12-31',
  };
  await db
    .insertInto('rma_price_bill')
    .values([
      { ...price, prbId: 'P1', repairProject: '1', machineType: 'RX19', unitPriceWithTax: '113' },
      { ...price, prbId: 'P2', repairProject: '6', machineType: 'RX19', unitPriceWithTax: '22.6' },
      { ...price, prbId: 'P3', repairProject: '1', machineType: 'RX21', unitPriceWithTax: '500', billStatus: '0' },
      {
        ...price,
        prbId: 'P4',
        repairProject: '1',
        machineType: 'RX21',
        unitPriceWithTax: '600',
        expirationDate: '2026-10-14',
      },
      { ...price, prbId: 'P5', repairProject: '1', machineType: 'RX21', unitPriceWithTax: '700', siteId: 'NB' },
    ])
    .execute();
});
afterAll(() => testApp?.close());

/** A family, which the item of the same sales code gets. */
async function catalogue(family: string) {
  await testApp.db.insertInto('ubs_model_family').values({ family }).execute();
  await testApp.db.updateTable('ubs_item').set({ family }).where('salesCode', '=', family).execute();
}

async function repaired(
  left: string,
  more: { sn?: string; salesCode?: string; siteId?: string; received?: string } = {},
) {
  const { sn, salesCode = 'RX19', siteId = 'SZ', received = '2026-09-20' } = more;
  if (sn) await testApp.db.deleteFrom('rma_inventory').where('sn', '=', sn).execute();
  const unit = await unitOnBill(testApp.db, {
    node: Node.Shipped,
    siteId,
    salesCode,
    ...(sn && { sn }),
    bill: await maintainBill(testApp.db, { siteId, btmMtbId: 'W9' }),
    item: { receiveTime: at(received), warranty: '1' },
  });
  await delivered(testApp.db, unit, left);
  return unit;
}
const readLines = (rfbId: string) =>
  testApp.db.selectFrom('rma_repair_fee_bill_line').selectAll().where('rfbId', '=', rfbId).orderBy('id').execute();

const rx21Pro = { itemId: 921, salesCode: 'RX21 Pro', name: 'RX21 Pro 200T', type: '0', snControl: '1' };

describe('the monthly processing fee', () => {
  it('is generated for nobody without a session or the right', async () => {
    expect(await generate(october)).toMatchObject({ status: 401 });
    expect(await generate(october, 'finance')).toMatchObject({ status: 403, code: '100013' });
  });

  it.each([
    [{ ...october, recPeriod: undefined }, '100001'],
    [{ ...october, recPeriod: '' }, '100001'],
    [{ ...october, recPeriod: '2026-10-01' }, '100015'],
    [{ recPeriod: '2026-10', startDate: '2026-10-01' }, '100001'],
    [{ ...october, startDate: '2026-11-01' }, '100015'],
    [{ ...october, recPeriod: '2026-01' }, '100015'],
    [{ ...october, endDate: '2026-11-01' }, '100015'],
    [{ recPeriod: '9999-01', startDate: '9999-01-01', endDate: '9999-01-02' }, '100015'],
  ])('refuses %j [P-EXP-12]', async (input, code) => {
    expect(await generate(input, 'office')).toMatchObject({ status: 200, code });
  });

  it('settles at most 60 days', async () => {
    const answer = await generate({ ...october, startDate: '2026-08-31' }, 'office');
    expect(answer).toMatchObject({ code: '100015', msg: 'export period must be within two months' });
    expect(await generate({ ...october, startDate: '2026-09-01' }, 'office')).toMatchObject({ code: '100002' });
  });

  it('settles days that end in its month', async () => {
    for (const endDate of ['2026-09-30', '2026-11-01']) {
      const answer = await generate({ ...october, startDate: '2026-09-15', endDate }, 'office');
      expect(answer).toMatchObject({ code: '100015', data: { problems: [{ key: 'endsInMonth', field: 'endDate' }] } });
      expect(answer.msg).toMatch(new RegExp(`${endDate}.*2026-10`));
    }
  });

  it('prices what was delivered or scrapped by the price of its day, and adds the expenses of the month', async () => {
    const plain = await repaired('2026-10-05');
    const late = await repaired('2026-10-15', { salesCode: 'RX21' });
    const before = await repaired('2026-09-15', { received: '2026-09-01' });
    const again = await repaired('2026-10-20', { sn: before.sn, received: '2026-10-10' });
    const scrap = await unitOnBill(testApp.db, {
      node: Node.Scrapped,
      item: { receiveTime: at('2026-09-20'), warranty: '1' },
    });
    await happened(testApp.db, scrap, [['scrapConfirm', '2026-10-12', { fromNode: '10', toNode: '40' }]]);
    await repaired('2026-11-01');
    await repaired('2026-10-05', { siteId: 'NB' });
    const expense = {
      siteId: 'SZ',
      billStatus: '2',
      correspondsWorkOrder: '0',
      feeType: '3',
      orgDepart: 'Warehouse',
      currency: 'CNY',
      taxRate: '6',
      auditTime: at('2026-10-30'),
    };
    const amounts = { includingTaxAmount: '106', excludingTaxAmount: '100', taxAmount: '6' };
    await testApp.db
      .insertInto('rma_miscellaneous_expenses_bill')
      .values([
        { ...expense, ...amounts, mebId: 'M1' },
        { ...expense, ...amounts, mebId: 'M2', billStatus: '0' },
        { ...expense, ...amounts, mebId: 'M3', auditTime: at('2026-11-01') },
      ])
      .execute();

    const answer = await generate(october, 'office');
    expect(answer).toMatchObject({
      code: '000000',
      data: {
        items: [
          {
            siteId: 'SZ',
            supplierName: 'S',
            currency: 'CNY',
            lineCount: 4,
            unpricedCount: 0,
            includingTaxAmount: '241.60',
          },
          {
            siteId: 'SZ',
            supplierName: null,
            currency: null,
            lineCount: 1,
            unpricedCount: 1,
            includingTaxAmount: '0.00',
          },
        ],
        late: [],
      },
    });
    const rfbId = answer.data.items[0]?.rfbId as string;
    const unpriced = await readLines(answer.data.items[1]?.rfbId as string);
    expect(unpriced).toMatchObject([{ sn: late.sn, isPriced: '0', priceReason: '4', prbId: null, currency: null }]);
    const lines = await readLines(rfbId);
    expect(
      lines.map((it) => [it.sn ?? it.remark, it.repairProject, it.isSecondRepair, it.isPriced, Number(it.totalPrice)]),
    ).toEqual([
      [plain.sn, '1', '0', '1', 113],
      [again.sn, '1', '1', '1', 0],
      [scrap.sn, '6', '0', '1', 22.6],
      ['M1', null, '0', '1', 106],
    ]);
    expect(lines.map((it) => [it.priceReason, it.prbId])).toEqual([
      ...[
        ['1', 'P1'],
        ['2', 'P1'],
        ['1', 'P2'],
        ['6', null],
      ],
    ]);
    expect(lines[0]).toMatchObject({ btmMtbId: 'W9', modelAbbreviation: 'RX19', businessType: '1', currency: 'CNY' });
    expect(lines[0]).toMatchObject({ correspondsWorkOrder: '1', orgDepart: null });
    expect(lines[3]).toMatchObject({ correspondsWorkOrder: '0', orgDepart: 'Warehouse', feeType: '3' });
    expect([lines[0]?.excludingTaxAmount, lines[0]?.taxAmount].map(Number)).toEqual([100, 13]);
    const head = await testApp.db
      .selectFrom('rma_repair_fee_bill')
      .selectAll()
      .where('rfbId', '=', rfbId)
      .executeTakeFirstOrThrow();
    expect(head).toMatchObject({
      billStatus: '0',
      siteId: 'SZ',
      recPeriod: '2026-10',
      createBy: 'office',
      lineCount: 4,
    });
    expect(Number(head.includingTaxAmount)).toBe(241.6);
  });

  it('keeps its workbook with the bill, with subtotals and the expenses on a sheet of their own', async () => {
    const url = await untilReport('2026-10');
    const bills = testApp.db.selectFrom('rma_repair_fee_bill').where('processingFeeReportUrl', '=', url);
    // Who has opened it before may still decide about it.
    expect(await bills.select('version').execute()).toEqual([{ version: 1 }]);
    const asStranger = { token: await testApp.openToken('techNB') };
    expect((await testApp.app.inject({ method: 'GET', url, headers: asStranger })).statusCode).toBe(404);
    const { sheets } = await readXlsx(await readReport(url, 'finance'));
    expect(sheets.map((it) => it.name)).toEqual(['Processing fees', 'Expenses']);
    const [heading = [], ...rows] = sheets[0]?.rows ?? [];
    const shown = rows.map((row) => ['Site', 'Amount excl. tax', 'Total'].map((it) => row[heading.indexOf(it)]));
    expect(shown.filter(([site]) => site !== '深圳维修中心')).toEqual([
      ['Subtotal', 100, 113],
      ['Subtotal', 20, 22.6],
      ['Grand total', 120, 135.6],
    ]);
    expect(sheets[1]?.rows).toHaveLength(3);
  });

  it('keeps its workbook in both languages: each reader gets it in their own, and nobody else’s site', async () => {
    const url = await untilReport('2026-10');
    const chinese = (await readXlsx(await readReport(url, 'finance', 'zh'))).sheets;
    const english = (await readXlsx(await readReport(url, 'finance', 'en'))).sheets;
    expect(chinese.map((it) => it.name)).toEqual(['加工费', '杂费']);
    expect(chinese[0]?.rows).toHaveLength(english[0]?.rows.length ?? 0);
    const words = (rows: unknown[][] = []) => rows.flat().filter((it) => typeof it === 'string');
    expect(words(chinese[0]?.rows).join()).toContain('小计');
    expect(words(english[0]?.rows.slice(0, 1)).join()).not.toMatch(/[\u3400-\u9fff]/);
    for (const lang of ['zh', 'en']) {
      const headers = { token: await testApp.openToken('techNB') };
      const reply = await testApp.app.inject({ method: 'GET', url, query: { lang }, headers });
      expect(reply.statusCode).toBe(404);
    }
  });

  it('says in each row of its workbook which bill it is of, amounts in its currency, whole days and a filter', async () => {
    const bytes = await readReport(await untilReport('2026-10'), 'finance');
    const { rfbId } = await testApp.db
      .selectFrom('rma_repair_fee_bill')
      .select('rfbId')
      .where('recPeriod', '=', '2026-10')
      .where('supplierName', '=', 'S')
      .executeTakeFirstOrThrow();
    for (const { rows } of (await readXlsx(bytes)).sheets) {
      const [heading = [], ...under] = rows;
      const at = ['Repair-fee bill', 'Reconciliation month', 'Supplier'].map((it) => heading.indexOf(it));
      for (const row of under) expect(at.map((it) => row[it])).toEqual([rfbId, '2026-10', 'S']);
      const day = heading.indexOf('Delivered on');
      const days = under.map((it) => it[day]).filter((it) => it instanceof Date);
      for (const it of days) expect(it.toISOString()).toMatch(/T00:00:00.000Z$/);
      if (day >= 0) expect(days.length).toBeGreaterThan(0);
    }
    const parts = partsOf(bytes);
    const money = formatOf(parts, '"¥"#,##0.00;-"¥"#,##0.00');
    for (const n of [1, 2]) {
      const sheet = parts.get(`xl/worksheets/sheet${n}.xml`) ?? '';
      expect(sheet).toMatch(/<autoFilter ref="A1:[A-Z]+\d+"/);
      expect(sheet).toContain(` s="${money}"`);
    }
  });

  it('says on the page of a bill the sums of its workbook, and in all what the bill comes to', async () => {
    const { sheets } = await readXlsx(await readReport(await untilReport('2026-10'), 'finance'));
    const inSheet = (sheet: number, first: string) => {
      const [heading = [], ...rows] = sheets[sheet]?.rows ?? [];
      const found = rows.filter((it) => it.includes(first));
      return found.map((it) => [it[heading.indexOf('Quantity')], it[heading.indexOf('Total')]]);
    };
    const { id, includingTaxAmount } = await testApp.db
      .selectFrom('rma_repair_fee_bill')
      .select(['id', 'includingTaxAmount'])
      .where('recPeriod', '=', '2026-10')
      .where('supplierName', '=', 'S')
      .executeTakeFirstOrThrow();
    interface Sum {
      units: number;
      includingTaxAmount: string;
    }
    const answer = await testApp.ask<{ projects: (Sum & { repairProject: string })[]; expenses: Sum; total: Sum }>(
      ...(['GET', '/api/rmaRepairFeeBill/projectSums.json', { id }, { as: 'finance' }] as const),
    );
    const { projects, expenses, total } = answer.data;
    expect(projects.map((it) => it.repairProject)).toEqual(['1', '6']);
    expect(projects.map((it) => [it.units, Number(it.includingTaxAmount)])).toEqual(inSheet(0, 'Subtotal'));
    expect(inSheet(0, 'Grand total')).toEqual([[total.units, 135.6]]);
    expect(inSheet(1, 'Grand total')).toEqual([[undefined, Number(expenses.includingTaxAmount)]]);
    expect(total.includingTaxAmount).toBe(includingTaxAmount);
  });

  it('is made once a month, and anew under its number only when after-sales rejected it', async () => {
    const first = await testApp.db
      .selectFrom('rma_repair_fee_bill')
      .select('rfbId')
      .orderBy('id')
      .executeTakeFirstOrThrow();
    const refused = await generate(october, 'office');
    expect(refused).toMatchObject({ code: '100007' });
    expect(refused.msg).toContain(first.rfbId);
    const before = await readLines(first.rfbId);
    const said = { afterSalesReviewBy: 'aftersales', reviewRemark: 'one is missing', createBy: 'admin' };
    await testApp.db
      .updateTable('rma_repair_fee_bill')
      .set({ billStatus: '1', ...said })
      .execute();
    expect(await generate({ ...october, startDate: '2026-10-29', endDate: '2026-10-29' }, 'office')).toMatchObject({
      code: '000000',
    });
    const anew = await testApp.db.selectFrom('rma_repair_fee_bill').selectAll().execute();
    expect(anew).toMatchObject([
      { rfbId: first.rfbId, billStatus: '0', createBy: 'office', afterSalesReviewBy: null, reviewRemark: null },
    ]);
    expect(Number(anew[0]?.includingTaxAmount)).toBe(106);
    // Its old lines are gone, and only the expenses of the month are there in a range in which nothing left; they are nobody's
    // then, and the other bill has nothing to be made anew of.
    expect(anew[0]).toMatchObject({ supplierName: null, currency: 'CNY' });
    expect((await readLines(first.rfbId)).map((it) => it.remark)).toEqual(['M1']);
    expect(before).toHaveLength(4);
  });

  describe('the price of a unit', () => {
    const price = {
      ...{ siteId: 'SZ', billStatus: '2', settleCompany: 'C', supplierName: 'S', currency: 'CNY', warranty: '1' },
      ...{ repairType: '2', repairProject: '1', taxRate: '13', effectiveDate: '2026-01-01' },
      ...{ expirationDate: '2026-12-31', unitPriceWithTax: '33.335' },
    };
    const lineIn = async (recPeriod: string) => {
      const [year, month] = recPeriod.split('-');
      const period = { recPeriod, startDate: `${recPeriod}-01`, endDate: `${year}-${month}-28` };
      const answer = await generate(period, 'office');
      expect(answer.code, answer.msg).toBe('000000');
      return (await readLines(answer.data.items[0]?.rfbId as string))[0];
    };

    it('is that of the item that has the sales code of its line among its sub-codes', async () => {
      await testApp.db
        .insertInto('rma_price_bill')
        .values([
          { ...price, prbId: 'E0', machineType: 'RX21', effectiveDate: '2023-01-01', expirationDate: '2023-12-31' },
        ])
        .execute();
      await testApp.db
        .updateTable('ubs_item')
        .set({ slaveCodes: 'OTHER | RX21-OLD' })
        .where('salesCode', '=', 'RX21')
        .execute();
      await repaired('2023-03-05', { salesCode: 'RX21-OLD', received: '2023-03-01' });
      expect(await lineIn('2023-03')).toMatchObject({ prbId: 'E0', priceReason: '1', modelAbbreviation: 'RX21' });
    });

    it('is that of its family, not of one whose name begins alike, to the cent', async () => {
      await testApp.db
        .insertInto('rma_price_bill')
        .values([
          { ...price, prbId: 'E1', machineType: 'RX21' },
          { ...price, prbId: 'E2', machineType: 'RX21 Pro', unitPriceWithTax: '999' },
          { ...price, prbId: 'E3', machineType: 'RX2', unitPriceWithTax: '777' },
        ])
        .execute();
      await testApp.db.updateTable('rma_price_bill').set({ billStatus: '3' }).where('prbId', '=', 'P4').execute();
      await repaired('2026-05-05', { salesCode: 'RX21', received: '2026-05-01' });
      const line = await lineIn('2026-05');
      expect(line).toMatchObject({ prbId: 'E1', priceReason: '1', modelAbbreviation: 'RX21' });
      const { unitPrice, totalPrice, includingTaxAmount, excludingTaxAmount, taxAmount } = line ?? {};
      expect([unitPrice, totalPrice, includingTaxAmount, excludingTaxAmount, taxAmount].map(Number)).toEqual([
        33.335, 33.34, 33.34, 29.5, 3.84,
      ]);
    });

    it('is none where two suppliers or two currencies have one, and the line says so', async () => {
      await testApp.db
        .insertInto('rma_price_bill')
        .values([{ ...price, prbId: 'E4', machineType: 'RX21', supplierName: 'T', currency: 'USD' }])
        .execute();
      await repaired('2026-06-05', { salesCode: 'RX21', received: '2026-06-01' });
      expect(await lineIn('2026-06')).toMatchObject({ prbId: null, priceReason: '5', isPriced: '0', currency: null });
    });

    it('holds from its first day to its last, both included', async () => {
      const days = { effectiveDate: '2020-03-10', expirationDate: '2020-03-20' };
      await testApp.db
        .insertInto('rma_price_bill')
        .values([{ ...price, ...days, prbId: 'E5', machineType: 'RX21' }])
        .execute();
      const units = new Map<string, string>();
      for (const day of ['2020-03-09', '2020-03-10', '2020-03-20', '2020-03-21'])
        units.set((await repaired(day, { salesCode: 'RX21', received: '2020-03-01' })).sn, day);
      const march = { recPeriod: '2020-03', startDate: '2020-03-01', endDate: '2020-03-31' };
      const { items } = (await generate(march, 'office')).data;
      const lines = (await Promise.all(items.map((it) => readLines(it.rfbId)))).flat();
      const priced = lines.map((it) => [units.get(String(it.sn)), it.prbId]);
      expect(priced.toSorted()).toEqual([
        ['2020-03-09', null],
        ['2020-03-10', 'E5'],
        ['2020-03-20', 'E5'],
        ['2020-03-21', null],
      ]);
    });

    it('is none for an item without a family', async () => {
      await repaired('2026-07-05', { salesCode: 'UNKNOWN', received: '2026-07-01' });
      expect(await lineIn('2026-07')).toMatchObject({ prbId: null, priceReason: '3', isPriced: '0' });
    });
  });

  it('leaves out what came too late for a bill that stands, until a later range reaches back; nothing is settled twice', async () => {
    const { db } = testApp;
    const [march, april] = ['2026-03', '2026-04'].map((it) => ({
      ...{ recPeriod: it, startDate: `${it}-01`, endDate: `${it}-28` },
    })) as [typeof october, typeof october];
    const plain = await repaired('2026-03-05', { received: '2026-03-01' });
    const late = await repaired('2026-03-06', { received: '2026-03-01', salesCode: 'RX21 Pro' });
    await db
      .insertInto('ubs_item')
      .values({ ...rx21Pro, family: 'RX21 Pro' })
      .execute();
    await db
      .updateTable('rma_price_bill')
      .set({ effectiveDate: '2026-05-01' as never })
      .where('prbId', '=', 'E2')
      .execute();
    const first = await generate(march, 'office');
    expect(first.data.items).toMatchObject([
      { supplierName: 'S', lineCount: 1 },
      { supplierName: null, lineCount: 1 },
    ]);
    const [ofS, unpriced] = first.data.items.map((it) => it.rfbId);
    await db
      .updateTable('rma_price_bill')
      .set({ effectiveDate: '2026-01-01' as never })
      .where('prbId', '=', 'E2')
      .execute();
    const reject = (rfbId = '') =>
      db.updateTable('rma_repair_fee_bill').set({ billStatus: '1' }).where('rfbId', '=', rfbId).execute();
    await reject(unpriced);
    const more = await repaired('2026-03-07', { received: '2026-03-01', salesCode: 'UNKNOWN' });
    const second = await generate(march, 'office');
    expect(second.data).toMatchObject({
      items: [{ rfbId: unpriced, lineCount: 1 }],
      late: [{ rfbId: ofS, lineCount: 1 }],
    });
    expect((await readLines(String(unpriced))).map((it) => it.sn)).toEqual([more.sn]);
    const third = await generate({ ...april, startDate: '2026-03-01' }, 'office');
    expect(third.data.items).toMatchObject([{ supplierName: 'S', currency: 'CNY', lineCount: 1 }]);
    expect(await readLines(third.data.items[0]?.rfbId as string)).toMatchObject([{ sn: late.sn, prbId: 'E2' }]);
    expect((await readLines(String(ofS))).map((it) => it.sn)).toEqual([plain.sn]);
    expect(await generate(march, 'office')).toMatchObject({ code: '100007' });
  });

  it('settles an expense whose month has a bill already with the next month, once', async () => {
    const { db } = testApp;
    const expense = {
      ...{ siteId: 'SZ', billStatus: '2', correspondsWorkOrder: '0', feeType: '3', currency: 'EUR', taxRate: '6' },
      ...{ includingTaxAmount: '106', excludingTaxAmount: '100', taxAmount: '6' },
    };
    const month = (recPeriod: string) => ({
      ...{ recPeriod, startDate: `${recPeriod}-01`, endDate: `${recPeriod}-28` },
    });
    const add = (mebId: string, day: string) =>
      db
        .insertInto('rma_miscellaneous_expenses_bill')
        .values({ ...expense, mebId, auditTime: at(day) })
        .execute();
    const numbers = async (rfbId: string | undefined) => (await readLines(String(rfbId))).map((it) => it.remark);
    await add('L1', '2025-01-10');
    const january = await generate(month('2025-01'), 'office');
    expect(await numbers(january.data.items[0]?.rfbId)).toEqual(['L1']);
    await add('L2', '2025-01-20');
    // The bill of its month stands, so it comes too late for it; one without a bill waits for its own.
    expect(await generate(month('2025-01'), 'office')).toMatchObject({ code: '100007' });
    await add('L3', '2025-02-20');
    await add('L4', '2025-03-20');
    const march = await generate(month('2025-03'), 'office');
    expect(await numbers(march.data.items[0]?.rfbId)).toEqual(['L2', 'L4']);
    const february = await generate(month('2025-02'), 'office');
    expect(await numbers(february.data.items[0]?.rfbId)).toEqual(['L3']);
    // Made anew, the bill has again what it had.
    await db.updateTable('rma_repair_fee_bill').set({ billStatus: '1' }).where('recPeriod', '=', '2025-03').execute();
    const anew = await generate(month('2025-03'), 'office');
    expect(await numbers(anew.data.items[0]?.rfbId)).toEqual(['L2', 'L4']);
    expect(await generate(month('2025-04'), 'office')).toMatchObject({ code: '100002' });
  });

  it('says of an expense which bill it stands on: made anew, taken out, settled later, and none once that is deleted', async () => {
    const { db } = testApp;
    const expense = {
      ...{ siteId: 'SZ', billStatus: '2', correspondsWorkOrder: '0', feeType: '3', currency: 'SEK', taxRate: '6' },
      ...{ includingTaxAmount: '106', excludingTaxAmount: '100', taxAmount: '6', auditTime: at('2024-05-10') },
    };
    const bills = db.insertInto('rma_miscellaneous_expenses_bill');
    await bills.values(['O1', 'O2'].map((mebId) => ({ ...expense, mebId }))).execute();
    const month = (recPeriod: string) => ({ recPeriod, startDate: `${recPeriod}-01`, endDate: `${recPeriod}-28` });
    const billOf = async () => {
      const { rows } = await sql<{ mebId: string; rfbId: string | null; line: string | null }>`
        SELECT m."mebId", m."rfbId", l."rfbId" AS line FROM rma_miscellaneous_expenses_bill AS m
          LEFT JOIN rma_repair_fee_bill_line AS l ON l."priceReason" = '6' AND l.remark = m."mebId"
         WHERE m.currency = 'SEK' ORDER BY m.id`.execute(db);
      for (const it of rows) expect(it.rfbId, it.mebId).toBe(it.line);
      return rows.map((it) => it.rfbId);
    };
    const made = async (recPeriod: string) => {
      const { data } = await generate(month(recPeriod), 'office');
      await untilMade();
      return data.items[0]?.rfbId as string;
    };
    const reject = (rfbId: string) =>
      db
        .updateTable('rma_repair_fee_bill')
        .set({ billStatus: '1' })
        .where('rfbId', '=', rfbId)
        .returning('id')
        .executeTakeFirstOrThrow();
    const may = await made('2024-05');
    expect(await billOf()).toEqual([may, may]);
    await reject(may);
    expect(await made('2024-05')).toBe(may);
    expect(await billOf()).toEqual([may, may]);
    const { id } = await reject(may);
    const [, second] = await readLines(may);
    const input = { id, corrected: [], removed: [Number(second?.id)], remark: 'not ours' };
    const resubmitted = await testApp.ask('POST', '/api/rmaRepairFeeBill/resubmit.json', input, { as: 'office' });
    expect(resubmitted.code, resubmitted.msg).toBe('000000');
    expect(await billOf()).toEqual([may, null]);
    const june = await made('2024-06');
    expect(await billOf()).toEqual([may, june]);
    const gone = await reject(june);
    const deleted = await testApp.ask('POST', '/api/rmaRepairFeeBill/deleteById.json', gone, { as: 'office' });
    expect(deleted.code, deleted.msg).toBe('000000');
    expect(await billOf()).toEqual([may, null]);
    const again = await made('2024-06');
    expect(await billOf()).toEqual([may, again]);
  });

  it('finds the expenses that are on no bill by an index, however many are settled', async () => {
    let plan = '';
    const filled = testApp.db.transaction().execute(async (db) => {
      await sql`
        INSERT INTO rma_miscellaneous_expenses_bill ("mebId", "billStatus", "siteId", "correspondsWorkOrder", currency, "taxRate",
                                                     "includingTaxAmount", "auditTime", "rfbId")
        SELECT 'MANY' || i, '2', 'SZ', '0', 'CNY', 6, 1, now(), CASE WHEN i % 100 > 0 THEN 'RFB-MANY' END
          FROM generate_series(1, 5000) AS i`.execute(db);
      await sql`ANALYZE rma_miscellaneous_expenses_bill`.execute(db);
      const { rows } = await sql<Record<string, string>>`EXPLAIN SELECT * FROM ${unsettledExpenses('SZ')} AS m`.execute(
        db,
      );
      plan = rows.map((it) => it['QUERY PLAN']).join('\n');
      throw new Error('rolled back');
    });
    await expect(filled).rejects.toThrow('rolled back');
    expect(plan).toMatch(/Index Cond: .*"rfbId" IS NULL.*"siteId" = .*"billStatus" = /);
  });

  it('finds the corrections for its workbook by an index, however many stand in others', async () => {
    let plan = '';
    const filled = testApp.db.transaction().execute(async (db) => {
      await sql`
        INSERT INTO rma_repair_fee_bill ("rfbId", "siteId", "billStatus", "recPeriod", currency, "supplierName")
        SELECT 'RFB-I' || i, 'SZ', '6', 'I' || i, 'CNY', 'S' FROM generate_series(1, 500) AS i`.execute(db);
      await sql`INSERT INTO rma_logistics_costs_bill ("lcbId", "siteId", "billStatus") VALUES ('LCB-I', 'SZ', '2')`.execute(
        db,
      );
      await sql`
        INSERT INTO rma_correction_bill ("crbId", "siteId", "billStatus", "recPeriod", currency, "supplierName", "rfbId", "lcbId", "reportedIn")
        SELECT 'CRB-I' || i, 'SZ', '3', '2020-01', 'CNY', 'S', CASE WHEN i % 2 > 0 THEN 'RFB-I' || (1 + i % 500) END,
               CASE WHEN i % 2 = 0 THEN 'LCB-I' END, CASE WHEN i % 2 > 0 AND i % 100 > 1 THEN 'RFB-I' || (1 + i % 500) END
          FROM generate_series(1, 10000) AS i`.execute(db);
      await sql`ANALYZE rma_correction_bill, rma_repair_fee_bill`.execute(db);
      const { rows } = await sql<Record<string, string>>`EXPLAIN ${openCorrectionsSql('RFB-I7')}`.execute(db);
      plan = rows.map((it) => it['QUERY PLAN']).join('\n');
      throw new Error('rolled back');
    });
    await expect(filled).rejects.toThrow('rolled back');
    expect(plan).not.toContain('Seq Scan on rma_correction_bill');
    expect(plan).toMatch(/Index Cond: .*"reportedIn" IS NULL.*"rfbId" IS NOT NULL/);
  });

  it('takes an expense of earlier versions to the cent, and answers what the bill comes to', async () => {
    const expense = {
      ...{ siteId: 'SZ', billStatus: '2', correspondsWorkOrder: '0', currency: 'EUR', taxRate: '13' },
      auditTime: at('2023-03-10'),
    };
    await testApp.db
      .insertInto('rma_miscellaneous_expenses_bill')
      .values([
        { ...expense, mebId: 'M7', includingTaxAmount: '0.005', excludingTaxAmount: '0.01', taxAmount: '-0.01' },
        { ...expense, mebId: 'M8', includingTaxAmount: '10.004', excludingTaxAmount: '8.85', taxAmount: '1.15' },
        { ...expense, mebId: 'M9', includingTaxAmount: '10.004', excludingTaxAmount: '8.85', taxAmount: '1.15' },
      ])
      .execute();
    const march = { recPeriod: '2023-03', startDate: '2023-03-01', endDate: '2023-03-31' };
    const { items } = (await generate(march, 'office')).data;
    expect(items).toMatchObject([{ currency: 'EUR', lineCount: 3, includingTaxAmount: '20.01' }]);
    const [{ rfbId = '' } = {}] = items;
    expect((await readLines(rfbId)).map((it) => [it.excludingTaxAmount, it.taxAmount, it.includingTaxAmount])).toEqual([
      ['0.010000', '0.000000', '0.010000'],
      ['8.850000', '1.150000', '10.000000'],
      ['8.850000', '1.150000', '10.000000'],
    ]);
    const { db } = testApp;
    const bill = await db.selectFrom('rma_repair_fee_bill').selectAll().where('rfbId', '=', rfbId).executeTakeFirst();
    expect(bill).toMatchObject({
      ...{ excludingTaxAmount: '17.710000', taxAmount: '2.300000', includingTaxAmount: '20.010000' },
    });
  });

  it('has the corrections that were settled in its month on a sheet of their own, and what both come to', async () => {
    const { db } = testApp;
    const of = { siteId: 'SZ', recPeriod: '2022-01', currency: 'HKD' };
    await db
      .insertInto('rma_repair_fee_bill')
      .values({ ...of, rfbId: 'RFB-SETTLED', billStatus: '6' })
      .execute();
    const correction = { ...of, rfbId: 'RFB-SETTLED', recPeriod: '2022-03', billStatus: '3' };
    await db
      .insertInto('rma_correction_bill')
      .values([
        { ...correction, crbId: 'CRB-1' },
        { ...correction, crbId: 'CRB-OPEN', billStatus: '2' },
        { ...correction, crbId: 'CRB-OTHER', currency: 'USD' },
        { ...correction, crbId: 'CRB-LATER', recPeriod: '2022-04' },
      ])
      .execute();
    const line = { lineId: 1, currency: 'HKD', taxRate: '13', reason: 'charged twice', sn: 'A1' };
    const amounts = { includingTaxAmount: '-11.3', excludingTaxAmount: '-10', taxAmount: '-1.3', settledAmount: '113' };
    await db
      .insertInto('rma_correction_bill_line')
      .values(['CRB-1', 'CRB-OPEN', 'CRB-OTHER', 'CRB-LATER'].map((crbId) => ({ ...line, ...amounts, crbId })))
      .execute();
    await db
      .insertInto('rma_miscellaneous_expenses_bill')
      .values({
        ...{ siteId: 'SZ', billStatus: '2', correspondsWorkOrder: '0', currency: 'HKD', taxRate: '13', mebId: 'M10' },
        ...{ auditTime: at('2022-03-10'), includingTaxAmount: '5.65', excludingTaxAmount: '5', taxAmount: '0.65' },
      })
      .execute();
    await generate({ recPeriod: '2022-03', startDate: '2022-03-01', endDate: '2022-03-31' }, 'office');
    const { sheets } = await readXlsx(await readReport(await untilReport('2022-03'), 'finance'));
    expect(sheets.map((it) => it.name)).toEqual(['Processing fees', 'Expenses', 'Corrections']);
    const [heading = [], ...rows] = sheets[2]?.rows ?? [];
    const names = ['Correction bill', 'Corrected bill', 'SN', 'Amount excl. tax', 'Tax amount', 'Total', 'Reason'];
    const said = rows.map((row) => names.map((it) => row[heading.indexOf(it)]).filter((it) => it != null));
    expect(said).toEqual([
      ['CRB-1', 'RFB-SETTLED', 'A1', -10, -1.3, -11.3, 'charged twice'],
      ['Grand total', -10, -1.3, -11.3],
      ['This bill', 5, 0.65, 5.65],
      ['Bill and corrections', -5, -0.65, -5.65],
    ]);

    // One that settles when the workbook of its month is made already stands in the next one, and in no further one.
    await db
      .insertInto('rma_correction_bill')
      .values({ ...correction, crbId: 'CRB-LATE' })
      .execute();
    await db
      .insertInto('rma_correction_bill_line')
      .values({ ...line, ...amounts, crbId: 'CRB-LATE' })
      .execute();
    const correctedIn = async (recPeriod: string) => {
      await db
        .insertInto('rma_miscellaneous_expenses_bill')
        .values({
          ...{ siteId: 'SZ', billStatus: '2', correspondsWorkOrder: '0', currency: 'HKD', taxRate: '13' },
          ...{ mebId: `M${recPeriod}`, auditTime: at(`${recPeriod}-10`) },
          ...{ includingTaxAmount: '5.65', excludingTaxAmount: '5', taxAmount: '0.65' },
        })
        .execute();
      await generate({ recPeriod, startDate: `${recPeriod}-01`, endDate: `${recPeriod}-28` }, 'office');
      const book = await readXlsx(await readReport(await untilReport(recPeriod), 'finance'));
      const [head = [], ...all] = book.sheets[2]?.rows ?? [];
      return all
        .map((row) => ['Correction bill', 'Reconciliation month'].map((it) => String(row[head.indexOf(it)])))
        .filter(([crbId = '']) => crbId.startsWith('CRB'));
    };
    expect(await correctedIn('2022-04')).toEqual([
      ['CRB-LATER', '2022-04'],
      ['CRB-LATE', '2022-03'],
    ]);
    expect(await correctedIn('2022-05')).toEqual([]);
  });

  it('holds rejected bills of several sites, and corrections, in the order in which everybody else does', async () => {
    const { db } = testApp;
    const month = { recPeriod: '2021-05', startDate: '2021-05-01', endDate: '2021-05-31' };
    const of = { currency: 'SGD', recPeriod: '2021-05', billStatus: '1' };
    // Neither by their sites nor by their numbers do they come as they were made.
    const bills = await db
      .insertInto('rma_repair_fee_bill')
      .values(['SZ', 'NB'].map((siteId) => ({ ...of, siteId, rfbId: `RFB-TURN-${siteId}` })))
      .returning('id')
      .execute();
    // The one that was made first settled last, and has the name between.
    const correction = { ...of, siteId: 'SZ', rfbId: 'RFB-TURN-SZ', billStatus: '3' };
    const names = [['CRB-M'], ['CRB-A', '2021-04'], ['CRB-Z', '2021-04']] as const;
    const corrections = await db
      .insertInto('rma_correction_bill')
      .values(names.map(([crbId, recPeriod = '2021-05']) => ({ ...correction, crbId, recPeriod })))
      .returning('id')
      .execute();
    await repaired('2021-05-05', { received: '2021-04-20', siteId: 'NB' });
    await repaired('2021-05-05', { received: '2021-04-20' });
    const held = async (
      table: string,
      [first, ...others]: readonly { id: unknown }[],
      work: () => Promise<unknown>,
    ) => {
      const { done } = await db.transaction().execute(async (trx) => {
        await sql`SELECT 1 FROM ${sql.table(table)} WHERE id = ${first?.id} FOR UPDATE`.execute(trx);
        const done = work();
        await untilWaiting(db);
        await sql`SELECT 1 FROM ${sql.table(table)} WHERE id = ANY(${others.map((it) => it.id)}) FOR UPDATE NOWAIT`.execute(
          trx,
        );
        return { done };
      });
      return done;
    };
    const ctx = await contextFor(testApp, 'office');
    const job = {
      ...{ id: 0, title: 'x', ctx, progress: () => undefined },
      finish: (work: (of: typeof ctx) => unknown) => db.transaction().execute(async (trx) => work({ ...ctx, db: trx })),
      openFile: (name: string) => Promise.resolve({ id: 'x', name, stream: new PassThrough().resume() }),
    } as unknown as RunningJob;
    await held('rma_correction_bill', corrections, () => feeReportJob.run({ rfbIds: ['RFB-TURN-SZ'] }, job));
    expect(await held('rma_repair_fee_bill', bills, () => generate(month, 'admin'))).toMatchObject({ code: '000000' });
  });

  it('keeps a correction for no workbook that is not made, nor for a bill that goes, and prints it in one of two', async () => {
    const { db } = testApp;
    const ctx = await contextFor(testApp, 'office');
    const of = { siteId: 'SZ', currency: 'SGD', billStatus: '1' };
    const bills = ['RFB-JOB-1', 'RFB-JOB-2'].map((rfbId, i) => ({ ...of, rfbId, recPeriod: `2021-0${i + 1}` }));
    const [bill] = await db.insertInto('rma_repair_fee_bill').values(bills).returning('id').execute();
    await db
      .insertInto('rma_correction_bill')
      .values({ ...of, crbId: 'CRB-JOB', rfbId: 'RFB-JOB-2', recPeriod: '2021-01', billStatus: '3' })
      .execute();
    const reportedIn = async () =>
      (await db.selectFrom('rma_correction_bill').select('reportedIn').where('crbId', '=', 'CRB-JOB').execute())[0]
        ?.reportedIn;
    const jobOf = (finish: RunningJob['finish'], id = 0): RunningJob => ({
      ...{ id, title: 'x', ctx, checkpoint: null, written: null, signal: new AbortController().signal, finish },
      openFile: (name) => Promise.resolve({ id: 'x', name, stream: new PassThrough().resume() }),
      ...{ progress: () => undefined, report: () => undefined, step: unused, keepWritten: unused },
    });
    const unused = () => Promise.reject(new Error('not asked for here'));
    const report = (rfbId: string, finish: RunningJob['finish'], id?: number) =>
      feeReportJob.run({ rfbIds: [rfbId] }, jobOf(finish, id));
    const done: RunningJob['finish'] = (work) => db.transaction().execute((trx) => work({ ...ctx, db: trx }));

    await expect(report('RFB-JOB-1', () => Promise.reject(new Error('cancelled')))).rejects.toThrow('cancelled');
    expect(await reportedIn()).toBeNull();
    // Another one is made while this one is: whichever is done first has it.
    const slower = report('RFB-JOB-1', async (work) => {
      await report('RFB-JOB-2', done);
      return done(work);
    });
    await expect(slower).rejects.toThrow('stand in another one');
    expect(await reportedIn()).toBe('RFB-JOB-2');
    await report('RFB-JOB-1', done);
    expect(await reportedIn()).toBe('RFB-JOB-2');
    // What was read before the bill was handed in or made anew is not hung on it, even where that job was cancelled.
    const url = async () =>
      (await db.selectFrom('rma_repair_fee_bill').selectAll().where('rfbId', '=', 'RFB-JOB-1').execute())[0]
        ?.processingFeeReportUrl;
    const before = await url();
    const ordered: number[] = [];
    await report('RFB-JOB-1', async (work) => {
      // All at once, so that nobody works on them.
      await db.transaction().execute(async (trx) => {
        const order = () => startReport([{ rfbId: 'RFB-JOB-1' }], '2021-01', generateFee.right, { ...ctx, db: trx });
        ordered.push(await order());
        const another = trx.updateTable('rma_repair_fee_bill').set((of) => ({ version: of('version', '+', 1) }));
        await another.where('rfbId', '=', 'RFB-JOB-1').execute();
        ordered.push(await order());
        await trx.updateTable('job').set({ state: 'cancelled' }).where('id', 'in', ordered).execute();
      });
      return done(work);
    });
    expect(new Set(ordered).size, 'another job than one that may have read it before').toBe(2);
    expect(await url()).toBe(before);
    await report('RFB-JOB-1', done, ordered[1]);
    expect(await url()).not.toBe(before);

    const id = Number(bill?.id);
    await db
      .updateTable('rma_correction_bill')
      .set({ reportedIn: 'RFB-JOB-1' })
      .where('crbId', '=', 'CRB-JOB')
      .execute();
    const gone = await testApp.ask('POST', '/api/rmaRepairFeeBill/deleteById.json', { id }, { as: 'office' });
    expect(gone.code).toBe('000000');
    expect(await reportedIn()).toBeNull();
    // A job that waited while a bill went makes those of the others, and says of none left that it is not there.
    await feeReportJob.run({ rfbIds: ['RFB-JOB-1', 'RFB-JOB-2'] }, jobOf(done));
    expect(await reportedIn()).toBe('RFB-JOB-2');
    await expect(report('RFB-JOB-1', done)).rejects.toMatchObject({ problems: [{ key: 'notFound' }] });
  });

  it('is made again where its job was cancelled or failed, by who may, and once', async () => {
    const { db } = testApp;
    const values = { rfbId: 'RFB-LOST', siteId: 'SZ', currency: 'CNY', billStatus: '0', recPeriod: '2020-02' };
    const bill = db.insertInto('rma_repair_fee_bill').values(values).returning('id');
    const { id } = await bill.executeTakeFirstOrThrow();
    const make = (as: string) => testApp.send(makeWorkbook, { id: Number(id) }, { as });
    const url = async () =>
      (await db.selectFrom('rma_repair_fee_bill').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
        .processingFeeReportUrl;
    await expectNo('100013', () => testApp.ask('POST', makeWorkbook.path, { id: Number(id) }, { as: 'viewer' }));
    for (const state of ['cancelled', 'failed'] as const) {
      const of = {
        kind: FEE_REPORT_JOB,
        title: '',
        module: 'rmaRepairFeeBill',
        userId: 'office',
        siteId: 'SZ',
        lang: 'en',
      };
      const scope = JSON.stringify({ right: makeWorkbook.right, sites: ['SZ'] });
      const input = JSON.stringify({ rfbIds: ['RFB-LOST'] });
      await db
        .insertInto('job')
        .values({ ...of, state, scope, input })
        .execute();
      await db.updateTable('rma_repair_fee_bill').set({ processingFeeReportUrl: null }).where('id', '=', id).execute();
      expect(await make('office')).toMatchObject({ code: '000000' });
      await expect.poll(url).toMatch(/^\/file\//);
    }
    expect(await make('office')).toMatchObject({ code: '100007', msg: expect.stringContaining('RFB-LOST') as string });
  });

  it('is made by another job than one that was ordered before the work changed, and by the same one again', async () => {
    const { db } = testApp;
    const values = { rfbId: 'RFB-OTHER', siteId: 'SZ', currency: 'CNY', billStatus: '0', recPeriod: '2020-03' };
    const bill = db.insertInto('rma_repair_fee_bill').values(values).returning('id');
    const { id } = await bill.executeTakeFirstOrThrow();
    const ctx = await contextFor(testApp, 'office');
    const lost = new Error('only looked at');
    const ordered: number[] = [];
    const jobs = async (trx: typeof db) => {
      const { jobId } = (await workbookRoute.handle({ id: Number(id) }, { ...ctx, db: trx })) as { jobId: number };
      ordered.push(jobId);
    };
    const look = db.transaction().execute(async (trx) => {
      await jobs(trx);
      await jobs(trx);
      // As whatever ends anew does.
      const change = { workChangedTime: sql<string>`clock_timestamp()`, version: sql<number>`version + 1` };
      await trx.updateTable('rma_repair_fee_bill').set(change).where('id', '=', id).execute();
      await jobs(trx);
      await jobs(trx);
      throw lost;
    });
    await expect(look).rejects.toBe(lost);
    const [before, same, after, again] = ordered;
    expect([before === same, after === again, before === after]).toEqual([true, true, false]);
  });

  it('that is made anew, or whose number others get, has none of the corrections of the workbook before', async () => {
    const { db } = testApp;
    const of = { siteId: 'SZ', recPeriod: '2021-05' };
    const ids = ['a', 'b', 'c', 'd'].map((it) => it.repeat(32)) as [string, string, string, string];
    const paper = {
      siteId: 'SZ',
      right: 'rmaRepairFeeBill:list',
      kind: 'paper',
      mime: '',
      size: 0,
      createBy: 'office',
    };
    const files = ids.map((id, i) => ({ ...paper, id, name: '', englishId: i === 0 ? ids[1] : null }));
    await db.insertInto('file').values(files).execute();
    const rejected = { ...of, currency: 'SGD', billStatus: '1' };
    await db
      .insertInto('rma_repair_fee_bill')
      .values([
        { ...rejected, rfbId: 'RFB-LENT', processingFeeReportUrl: `/file/${ids[0]}.xlsx` },
        // Nothing is left to settle on it: it goes.
        { ...rejected, rfbId: 'RFB-GOES', invoiceUrls: `/file/${ids[2]}.pdf##/file/${ids[3]}` },
      ])
      .execute();
    const correction = { ...of, rfbId: 'RFB-LENT', currency: 'SGD', billStatus: '3', reportedIn: 'RFB-LENT' };
    await db
      .insertInto('rma_correction_bill')
      .values({ ...correction, crbId: 'CRB-LENT' })
      .execute();
    await db
      .insertInto('rma_miscellaneous_expenses_bill')
      .values({
        ...{
          siteId: 'SZ',
          billStatus: '2',
          correspondsWorkOrder: '0',
          currency: 'HKD',
          taxRate: '13',
          mebId: 'M-LENT',
        },
        ...{ auditTime: at('2021-05-10'), includingTaxAmount: '5.65', excludingTaxAmount: '5', taxAmount: '0.65' },
      })
      .execute();
    const { data } = await generate({ recPeriod: '2021-05', startDate: '2021-05-01', endDate: '2021-05-31' }, 'office');
    expect(data.items).toMatchObject([{ rfbId: 'RFB-LENT', currency: 'HKD' }]);
    const [row] = await db
      .selectFrom('rma_correction_bill')
      .select('reportedIn')
      .where('crbId', '=', 'CRB-LENT')
      .execute();
    expect(row).toEqual({ reportedIn: null });
    const bills = db.selectFrom('rma_repair_fee_bill').select('rfbId').where('rfbId', '=', 'RFB-GOES');
    expect(await bills.execute()).toEqual([]);
    const owners = db.selectFrom('file').select('owner').where('id', 'in', ids);
    expect(await owners.execute(), 'workbook and papers are nobody’s').toEqual(ids.map(() => ({ owner: '' })));
  });

  it('leaves no workbook to anybody that no bill names, of those from before files went with their rows', async () => {
    const { db } = testApp;
    const idOf = (it: string) => it.repeat(16);
    const file = { siteId: 'SZ', right: 'rmaRepairFeeBill:list', kind: 'paper', name: '', mime: '', size: 0 };
    const of = { ...file, createBy: 'office' };
    const files = [
      { ...of, id: idOf('a0'), englishId: idOf('a1') },
      { ...of, id: idOf('a1') },
      { ...of, id: idOf('b0'), englishId: idOf('b1') },
      { ...of, id: idOf('b1') },
      // An invoice, whatever took its place, and a file of another module.
      { ...of, id: idOf('c0'), kind: 'pdf' },
      { ...of, id: idOf('c1'), right: 'rmaLogisticsCostsBill:list' },
    ];
    await db.transaction().execute(async (trx) => {
      await trx.insertInto('file').values(files).execute();
      await trx
        .insertInto('rma_repair_fee_bill')
        .values({ rfbId: 'RFB-OLD', siteId: 'SZ', billStatus: '1', processingFeeReportUrl: `/file/${idOf('a0')}.xlsx` })
        .execute();
      await sql.raw(readMigration('0088_workbooks_of_no_bill.sql')).execute(trx);
    });
    const found = db.selectFrom('file').select(['id', 'owner']).orderBy('id');
    const ids = files.map((it) => it.id);
    expect(await found.where('id', 'in', ids).execute()).toEqual(
      ids.map((id) => ({ id, owner: id.startsWith('b') ? '' : null })),
    );
    await db.deleteFrom('rma_repair_fee_bill').where('rfbId', '=', 'RFB-OLD').execute();
  });

  it('is generated by the GET of the specification as well, for each site of the asker [P-STA-04]', async () => {
    const path = '/api/rmaRepairFeeBill/generateMonthlyProcessingFeeBill.json';
    const answer = await testApp.ask<{ items: { siteId: string }[] }>('GET', path, october, { as: 'admin' });
    // Of SZ, what the narrower range had left over.
    expect(answer.data.items.map((it) => it.siteId)).toEqual(['NB', 'SZ', 'SZ']);
  });
});

/** The address of the bill's workbook, as soon as its job has made it. */
async function untilReport(recPeriod: string): Promise<string> {
  const { rows } = await sql<{ url: string | null }>`
    SELECT "processingFeeReportUrl" AS url FROM rma_repair_fee_bill
     WHERE "recPeriod" = ${recPeriod} AND pg_sleep(0.1) IS NOT NULL`.execute(testApp.db);
  return rows[0]?.url ?? untilReport(recPeriod);
}

/** No workbook is on its way any more: only so many jobs of one user may wait. */
async function untilMade(): Promise<void> {
  const open = testApp.db.selectFrom('job').select('id').where('state', 'in', ['queued', 'running']);
  await vi.waitUntil(async () => (await open.execute()).length === 0);
}

async function readReport(url: string, as: string, lang = 'en'): Promise<Buffer> {
  const headers = { token: await testApp.openToken(as) };
  const reply = await testApp.app.inject({ method: 'GET', url, query: { lang }, headers });
  expect(reply.statusCode).toBe(200);
  return reply.rawPayload;
}
