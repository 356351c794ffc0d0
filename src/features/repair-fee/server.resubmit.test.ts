import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '#server/db/pool.ts';
import { expireJobs } from '#server/jobs/expiry.ts';
import type { RunningJob } from '#server/jobs/job.ts';
import { isFileId } from '#server/uploads/fileStore.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { repairSuppliers } from '#tests/support/factories.ts';
import { expectRefused, readLedger } from '#tests/support/guard.ts';
import { contextFor } from '#tests/support/jobs.ts';
import { resubmitFee } from './contract.ts';
import { feeReportJob } from './server.report.ts';

let testApp: TestApp;
const price = {
  ...{ siteId: 'SZ', billStatus: '2', settleCompany: 'C', supplierName: 'S', currency: 'CNY', taxRate: '13' },
  ...{ machineType: 'RX19', effectiveDate: '2026-01-01', expirationDate: '2026-12-31' },
};
beforeAll(async () => {
  testApp = await startTestApp();
  const { db } = testApp;
  await repairSuppliers(db, 'S', 'T');
  await db
    .insertInto('ubs_model_family')
    .values([{ family: 'RX19' }])
    .execute();
  await db.updateTable('ubs_item').set({ family: 'RX19' }).where('salesCode', '=', 'RX19').execute();
  const work = { repairProject: '1', warranty: '1', repairType: '2' };
  await db
    .insertInto('rma_price_bill')
    .values([
      { ...price, ...work, prbId: 'P1', unitPriceWithTax: '113' },
      { ...price, ...work, prbId: 'P2', repairProject: '3', unitPriceWithTax: '33.335' },
      {
        ...price,
        ...work,
        prbId: 'P3',
        repairProject: '4',
        unitPriceWithTax: '20',
        supplierName: 'T',
        currency: 'USD',
      },
      { ...price, ...work, prbId: 'P4', repairProject: '5', unitPriceWithTax: '9', expirationDate: '2026-10-04' },
    ])
    .execute();
  for (const it of ['office', 'aftersales', 'finance', 'supplier', 'viewer', 'techNB', 'admin'])
    await testApp.openToken(it);
});
afterAll(() => testApp?.close());
// Each resubmission starts a workbook, of which a user may have only so many waiting.
beforeEach(() => testApp.db.deleteFrom('job').execute());

let made = 0;
async function feeBill(lines: object[], head: object = {}) {
  const rfbId = `RFB${String(20_261_100_000_000 + ++made)}`;
  const { id } = await testApp.db
    .insertInto('rma_repair_fee_bill')
    .values({
      ...{ rfbId, billStatus: '1', siteId: 'SZ', supplierName: 'S', currency: 'CNY', recPeriod: `20${10 + made}-10` },
      ...{ createBy: 'admin', afterSalesReviewBy: 'aftersales', reviewRemark: 'the second is a power supply', ...head },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const line = {
    ...{ rfbId, salesCode: 'RX19', modelAbbreviation: 'RX19', repairProject: '1', warranty: '1', repairType: '2' },
    ...{ businessType: '1', isSecondRepair: '0', quantity: 1, unitPrice: '113', totalPrice: '113', currency: 'CNY' },
    ...{ taxRate: '13', includingTaxAmount: '113', excludingTaxAmount: '100', taxAmount: '13', isPriced: '1' },
    ...{ priceReason: '1', prbId: 'P1', settledOn: '2026-10-05' },
  };
  const rows = lines.map((it, i) => ({ ...line, sn: `A${made}-${i}`, ...it }));
  const ids = await testApp.db.insertInto('rma_repair_fee_bill_line').values(rows).returning('id').execute();
  return { id: Number(id), rfbId, lines: ids.map((it) => Number(it.id)) as [number, number, number] };
}
const expense = {
  ...{ repairProject: null, warranty: null, repairType: null, priceReason: '6', prbId: null, remark: 'MEB1' },
  ...{ includingTaxAmount: '106', excludingTaxAmount: '100', taxAmount: '6', taxRate: '6' },
};
const as = (id: number, more: object = {}) => ({
  ...{ id, repairProject: '3', warranty: '1', repairType: '2', isSecondRepair: '0', ...more },
});
const resubmit = (
  bill: { id: number },
  corrections: { corrected?: ReturnType<typeof as>[]; removed?: number[]; remark?: string } = {},
  user: string | undefined = 'office',
) =>
  testApp.send(
    resubmitFee,
    { id: bill.id, corrected: [], removed: [], remark: 'as asked', ...corrections },
    user === undefined ? {} : { as: user },
  );
const readBill = (id: number) =>
  testApp.db.selectFrom('rma_repair_fee_bill').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const readLines = (rfbId: string) =>
  testApp.db.selectFrom('rma_repair_fee_bill_line').selectAll().where('rfbId', '=', rfbId).orderBy('id').execute();

describe('a repair-fee bill that after-sales rejected', () => {
  it('is corrected by who may, of the own site, and while it is rejected', async () => {
    const bill = await feeBill([{}]);
    const path = '/api/rmaRepairFeeBill/resubmit.json';
    const input = { id: bill.id, corrected: [], removed: [], remark: 'x' };
    await expectRefused(testApp, '401', () => testApp.ask('POST', path, input));
    for (const user of ['aftersales', 'finance', 'supplier', 'viewer'])
      await expectRefused(testApp, '100013', () => resubmit(bill, {}, user));
    const other = await feeBill([{}], { siteId: 'NB' });
    await expectRefused(testApp, '100002', () => resubmit(other));
    await expectRefused(testApp, '100002', () => resubmit({ id: 999_999 }));
    for (const billStatus of ['0', '3', '4', '5', '6']) {
      const standing = await feeBill([{}], { billStatus });
      await expectRefused(testApp, '100025', () => resubmit(standing, { corrected: [as(standing.lines[0])] }));
    }
  });

  it('says what was corrected, in values that exist, each line once', async () => {
    const bill = await feeBill([{}, {}]);
    const [one] = bill.lines;
    await expectRefused(testApp, '100001', () => resubmit(bill, { remark: ' ' }));
    for (const wrong of [{ repairProject: '9' }, { warranty: '' }, { repairType: '4' }, { isSecondRepair: '2' }])
      await expectRefused(testApp, '100015', () => resubmit(bill, { corrected: [as(one, wrong)] }));
    await expectRefused(testApp, '100015', () => resubmit(bill, { corrected: [as(one)], removed: [one] }));
    const stranger = await feeBill([{}]);
    await expectRefused(testApp, '100025', () => resubmit(bill, { corrected: [as(stranger.lines[0])] }));
    await expectRefused(testApp, '100025', () => resubmit(bill, { removed: [stranger.lines[0]] }));
  });

  it('says what a line cost before that the prices of its day make another one, though it was not corrected', async () => {
    const bill = await feeBill([{ unitPrice: '300', totalPrice: '300', includingTaxAmount: '300' }, {}]);
    expect(await resubmit(bill, { corrected: [as(bill.lines[1])] })).toMatchObject({ code: '000000' });
    const amounts = (await readLines(bill.rfbId)).map((it) => [it.includingTaxAmount, it.previousAmount].map(Number));
    expect(amounts).toEqual([
      [113, 300],
      [33.34, 113],
    ]);
  });

  it('goes on saying so however often it is handed in: what it cost the last time that it cost something else', async () => {
    const { db } = testApp;
    const bill = await feeBill([{ includingTaxAmount: '777.77' }, {}]);
    const reject = () =>
      db.updateTable('rma_repair_fee_bill').set({ billStatus: '1' }).where('id', '=', bill.id).execute();
    const amounts = async () =>
      (await readLines(bill.rfbId)).map((it) => [
        Number(it.includingTaxAmount),
        it.previousAmount && Number(it.previousAmount),
      ]);
    expect((await resubmit(bill)).code).toBe('000000');
    const first = [
      [113, 777.77],
      [113, null],
    ];
    expect(await amounts()).toEqual(first);
    await reject();
    expect((await resubmit(bill)).code).toBe('000000');
    expect(await amounts()).toEqual(first);
    await reject();
    expect((await resubmit(bill, { corrected: [as(bill.lines[0])] })).code).toBe('000000');
    expect(await amounts()).toEqual([
      [33.34, 113],
      [113, null],
    ]);
    const entries = (await readLedger(testApp, String(bill.id))).map(
      (it) => (it.after as { repriced: object[] }).repriced,
    );
    expect(entries).toEqual([
      [{ id: bill.lines[0], was: '777.770000', now: '113.00' }],
      [],
      [{ id: bill.lines[0], was: '113.000000', now: '33.34' }],
    ]);
  });

  it('keeps every mark that says what happened to a line', async () => {
    const { db } = testApp;
    const marks = { previousAmount: '777.77', rolledBack: '1', remark: 'power supply', isSecondRepair: '1' };
    const bill = await feeBill([{ ...marks, unitPrice: '0', totalPrice: '0', includingTaxAmount: '0' }]);
    for (let n = 0; n < 2; n++) {
      expect((await resubmit(bill)).code).toBe('000000');
      expect(await readLines(bill.rfbId)).toMatchObject([{ ...marks, previousAmount: '777.770000' }]);
      await db.updateTable('rma_repair_fee_bill').set({ billStatus: '1' }).where('id', '=', bill.id).execute();
    }
  });

  it('prices a corrected line by the price of its day, leaves out what is taken out, and waits for after-sales', async () => {
    const bill = await feeBill([{}, {}, {}, expense]);
    const [, second, third] = bill.lines;
    const answer = await resubmit(bill, {
      corrected: [as(second, { warranty: '1' })],
      removed: [third],
      remark: ' power supply ',
    });
    expect(answer, answer.msg).toMatchObject({
      code: '000000',
      data: {
        id: bill.id,
        billStatus: '0',
        supplierName: 'S',
        currency: 'CNY',
        lineCount: 3,
        includingTaxAmount: '252.34',
      },
    });
    const lines = await readLines(bill.rfbId);
    expect(
      lines.map((it) => [it.repairProject, it.prbId, Number(it.unitPrice), Number(it.includingTaxAmount), it.remark]),
    ).toEqual([
      ['1', 'P1', 113, 113, null],
      ['3', 'P2', 33.335, 33.34, 'power supply'],
      [null, null, 113, 106, 'MEB1'],
    ]);
    expect(lines.map((it) => it.previousAmount && Number(it.previousAmount))).toEqual([null, 113, null]);
    const { excludingTaxAmount, taxAmount } = lines[1] ?? {};
    expect([excludingTaxAmount, taxAmount].map(Number)).toEqual([29.5, 3.84]);
    const head = await readBill(bill.id);
    expect(head).toMatchObject({
      ...{ billStatus: '0', createBy: 'admin', resubmitBy: 'office', afterSalesReviewBy: null, reviewRemark: null },
      ...{ lineCount: 3, version: 2 },
    });
    expect([head.excludingTaxAmount, head.taxAmount, head.includingTaxAmount].map(Number)).toEqual([
      229.5, 22.84, 252.34,
    ]);
    expect(await readLedger(testApp, String(bill.id))).toMatchObject([
      {
        ...{ what: 'resubmit', userId: 'office', before: { billStatus: '1', lines: [{ id: second }, { id: third }] } },
        after: { billStatus: '0', remark: 'power supply', removed: [third], corrected: [{ id: second }] },
      },
    ]);
    const jobs = await testApp.db.selectFrom('job').select('kind').execute();
    expect(jobs).toEqual([{ kind: 'feeReport' }]);
    await expectRefused(testApp, '100025', () => resubmit(bill));
  });

  it('follows a price that has passed in the meantime, without a line being corrected', async () => {
    const bill = await feeBill([{ isPriced: '0', priceReason: '4', prbId: null, currency: null, unitPrice: '0' }], {
      ...{ supplierName: null, currency: null },
    });
    expect((await resubmit(bill)).data).toMatchObject({
      supplierName: 'S',
      currency: 'CNY',
      includingTaxAmount: '113.00',
    });
  });

  it('whose price was voided or changed since is marked and passes no review, until the price is back or it is handed in anew', async () => {
    const { db } = testApp;
    const work = { repairProject: '1', warranty: '2', repairType: '2' };
    const price = {
      ...{ ...work, siteId: 'SZ', settleCompany: 'C', supplierName: 'S', currency: 'CNY', machineType: 'RX19' },
      ...{ billStatus: '2', taxRate: '13', unitPriceWithTax: '113', createBy: 'office' },
    };
    await db
      .insertInto('rma_price_bill')
      .values([
        { ...price, prbId: 'Q1', effectiveDate: '2026-01-01', expirationDate: '2026-12-31' },
        {
          ...{ ...price, prbId: 'Q2', billStatus: '0', unitPriceWithTax: '226' },
          ...{ effectiveDate: '2026-10-01', expirationDate: '2026-12-31' },
        },
      ])
      .execute();
    const stands = { billStatus: '0', afterSalesReviewBy: null };
    const bill = await feeBill(
      [{ ...work, prbId: 'Q1' }, {}, { ...work, prbId: 'Q1', isSecondRepair: '1', priceReason: '2' }],
      stands,
    );
    const agreed = await feeBill([{ ...work, prbId: 'Q1' }], { billStatus: '4' });
    const priced = async (rfbId: string) => (await readLines(rfbId)).map((it) => it.priceChanged === '1');
    const idOf = async (prbId: string) =>
      (await db.selectFrom('rma_price_bill').select('id').where('prbId', '=', prbId).executeTakeFirstOrThrow()).id;
    const judge = (module: string, action: string, id: number, user: string) =>
      testApp.ask('POST', `/api/${module}/${action}.json`, { id, result: '2' }, { as: user });
    const end = async (prbId: string) =>
      testApp.ask('POST', '/api/rmaPriceBill/void.json', { id: await idOf(prbId) }, { as: 'finance' });
    const passes = () => judge('rmaRepairFeeBill', 'afterSalesReview', bill.id, 'aftersales');
    const untouched = await feeBill([{ isSecondRepair: '1', priceReason: '2' }], stands);
    const versions = async () => {
      const ids = [bill.id, agreed.id, untouched.id];
      const bills = await db
        .selectFrom('rma_repair_fee_bill')
        .select(['id', 'version'])
        .where('id', 'in', ids)
        .execute();
      return ids.map((id) => bills.find((it) => it.id === id)?.version);
    };
    expect(await versions()).toEqual([1, 1, 1]);

    expect((await judge('rmaPriceBill', 'financialReview', await idOf('Q2'), 'finance')).code).toBe('000000');
    expect(await priced(bill.rfbId)).toEqual([true, false, false]);
    expect(await priced(agreed.rfbId)).toEqual([false]);
    // Whoever has the bill open has seen it without the mark.
    expect(await versions()).toEqual([2, 1, 1]);
    const refused = await expectRefused(testApp, '100015', passes);
    expect(refused.data).toMatchObject({ problems: [{ key: 'repricedLines' }] });

    // The price that was cut holds again, and with it what the line says.
    expect((await end('Q2')).code).toBe('000000');
    expect(await priced(bill.rfbId)).toEqual([false, false, false]);
    expect((await end('Q1')).code).toBe('000000');
    expect(await priced(bill.rfbId)).toEqual([true, false, false]);
    await expectRefused(testApp, '100015', passes);

    await db.updateTable('rma_repair_fee_bill').set({ billStatus: '1' }).where('id', '=', bill.id).execute();
    await db.updateTable('rma_price_bill').set({ billStatus: '2' }).where('prbId', '=', 'Q2').execute();
    expect((await resubmit(bill)).code).toBe('000000');
    expect(await priced(bill.rfbId)).toEqual([false, false, false]);
    expect((await passes()).code).toBe('000000');
  });

  it('is looked at for the work of a price alone that passes or is voided, so that many pass at once', async () => {
    const { db } = testApp;
    const work = { repairProject: '1', warranty: '3', repairType: '2' };
    const price = {
      ...{ ...work, siteId: 'SZ', settleCompany: 'C', supplierName: 'S', currency: 'CNY', machineType: 'RX19' },
      ...{ billStatus: '0', taxRate: '13', unitPriceWithTax: '10', createBy: 'office' },
      ...{ effectiveDate: '2026-01-01', expirationDate: '2026-12-31' },
    };
    const [one, other] = await db
      .insertInto('rma_price_bill')
      .values([
        { ...price, prbId: 'W1' },
        { ...price, prbId: 'W2', repairProject: '6' },
      ])
      .returning('id')
      .execute();
    // Another amount than the prices say: wherever the line is looked at, it is marked.
    const bill = await feeBill([{ ...work, prbId: 'W1', includingTaxAmount: '11' }], { billStatus: '0' });
    const pass = async (id: number | undefined) => {
      const sent = { id, result: '2' };
      const answer = await testApp.ask('POST', '/api/rmaPriceBill/financialReview.json', sent, { as: 'finance' });
      expect(answer.code).toBe('000000');
      return (await readLines(bill.rfbId)).map((it) => it.priceChanged === '1');
    };

    expect(await pass(other?.id)).toEqual([false]);
    expect(await pass(one?.id)).toEqual([true]);
  });

  it('keeps a second repair free, and the account of the warranty with the warranty', async () => {
    const bill = await feeBill([{ isSecondRepair: '1', priceReason: '2' }, {}]);
    await testApp.db
      .insertInto('rma_price_bill')
      .values({ ...price, prbId: 'P6', repairProject: '1', warranty: '0', repairType: '2', unitPriceWithTax: '7' })
      .execute();
    const [again, out] = bill.lines;
    await resubmit(bill, {
      corrected: [as(again, { isSecondRepair: '1' }), as(out, { repairProject: '1', warranty: '0' })],
    });
    expect(
      (await readLines(bill.rfbId)).map((it) => [it.prbId, Number(it.totalPrice), it.priceReason, it.businessType]),
    ).toEqual([
      ['P2', 0, '2', '1'],
      ['P6', 7, '1', '2'],
    ]);
  });

  it('makes a line free that is said to be a second repair', async () => {
    const bill = await feeBill([{}, {}]);
    const again = as(bill.lines[1], { repairProject: '1', isSecondRepair: '1' });
    expect((await resubmit(bill, { corrected: [again] })).data).toMatchObject({ includingTaxAmount: '113.00' });
    expect((await readLines(bill.rfbId))[1]).toMatchObject({ isSecondRepair: '1', priceReason: '2', prbId: 'P1' });
  });

  it('is refused while a line has no price, is another supplier’s, or no line is left', async () => {
    const bill = await feeBill([{}, {}, expense]);
    const [one, two, spent] = bill.lines;
    const unpriced = await expectRefused(testApp, '100015', () =>
      resubmit(bill, { corrected: [as(one, { repairProject: '5' })] }),
    );
    expect(unpriced.msg).toMatch(/^Lines without a price: 1/);
    const mixed = await expectRefused(testApp, '100020', () =>
      resubmit(bill, { corrected: [as(one, { repairProject: '4' })] }),
    );
    expect(mixed.msg).toContain('S CNY, T USD');
    const corrected = await expectRefused(testApp, '100015', () => resubmit(bill, { corrected: [as(spent)] }));
    expect(corrected.msg).toContain('MEB1');
    const empty = await expectRefused(testApp, '100015', () => resubmit(bill, { removed: [one, two, spent] }));
    expect(empty.msg).toMatch(/no lines left/);
  });

  it('becomes another supplier’s only where that one has no bill of the month', async () => {
    const bill = await feeBill([{}]);
    const { recPeriod } = await readBill(bill.id);
    const there = await feeBill([{}], { billStatus: '6', supplierName: 'T', currency: 'USD', recPeriod });
    const corrections = { corrected: [as(bill.lines[0], { repairProject: '4' })] };
    const refused = await expectRefused(testApp, '100007', () => resubmit(bill, corrections));
    expect(refused.msg).toContain(there.rfbId);
    await testApp.db.deleteFrom('rma_repair_fee_bill_line').where('rfbId', '=', there.rfbId).execute();
    await testApp.db.deleteFrom('rma_repair_fee_bill').where('rfbId', '=', there.rfbId).execute();
    expect((await resubmit(bill, corrections)).data).toMatchObject({ supplierName: 'T', currency: 'USD' });
  });

  it('is judged neither by who made it nor by who corrected it', async () => {
    const bill = await feeBill([{}], { createBy: 'office' });
    expect((await resubmit(bill, {}, 'admin')).code).toBe('000000');
    const judge = (user: string) =>
      testApp.ask('POST', '/api/rmaRepairFeeBill/afterSalesReview.json', { id: bill.id, result: '2' }, { as: user });
    await expectRefused(testApp, '100043', () => judge('admin'));
    expect((await judge('aftersales')).code).toBe('000000');
    await expectRefused(testApp, '100025', () => resubmit(bill));
  });

  it('is handed in once by two who correct it at once', async () => {
    const bill = await feeBill([{}, {}]);
    const [one, two] = bill.lines;
    const answers = await Promise.all([
      resubmit(bill, { removed: [one] }),
      resubmit(bill, { removed: [two] }, 'admin'),
    ]);
    expect(answers.map((it) => it.code).sort()).toEqual(['000000', '100025']);
    expect(await readLines(bill.rfbId)).toHaveLength(1);
  });

  describe('has a workbook', () => {
    const unused = () => Promise.reject(new Error('not asked for here'));
    /** Makes the workbooks of these bills as the job that was ordered last; `meanwhile` happens once they have been read. */
    async function report(rfbIds: string[], meanwhile: () => Promise<unknown> = () => Promise.resolve()) {
      const ctx = await contextFor(testApp, 'admin');
      const { id } = await testApp.db
        .selectFrom('job')
        .select((of) => of.fn.max('id').as('id'))
        .executeTakeFirstOrThrow();
      const job: RunningJob = {
        ...{ id: Number(id), title: 'x', ctx, checkpoint: null, written: null, signal: new AbortController().signal },
        openFile: (name) => Promise.resolve({ id: 'x', name, stream: new PassThrough().resume() }),
        finish: async (work) => {
          await meanwhile();
          return testApp.db.transaction().execute((db) => work({ ...ctx, db }));
        },
        ...{ progress: () => undefined, report: () => undefined, step: unused, keepWritten: unused },
      };
      return feeReportJob.run({ rfbIds }, job);
    }
    const url = async ({ id }: { id: number }) => (await readBill(id)).processingFeeReportUrl;
    /** Rejected, and handed in without a line. */
    const handInAnew = async (bill: { id: number; lines: readonly number[] }) => {
      await testApp.db.updateTable('rma_repair_fee_bill').set({ billStatus: '1' }).where('id', '=', bill.id).execute();
      expect((await resubmit(bill, { removed: bill.lines.slice(1) })).code).toBe('000000');
    };
    /** With an account go its jobs. */
    const leave = () => testApp.db.deleteFrom('job').where('userId', '=', 'office').execute();

    /** What lies on the disk and is no file of anything. */
    const strays = async () => {
      const ids = (await testApp.db.selectFrom('file').select('id').execute()).map((it) => it.id);
      const names = await readdir(join(testApp.config.dataDir, 'files'), { recursive: true });
      return names.map((it) => basename(it, '.part')).filter((it) => isFileId(it) && !ids.includes(it));
    };

    it('of what was handed in last, though the account that ordered it is gone', async () => {
      const bill = await feeBill([{}, {}]);
      await resubmit(bill, {}, 'admin');
      let later: string | null | undefined;
      await report([bill.rfbId], async () => {
        await handInAnew(bill);
        await report([bill.rfbId]);
        later = await url(bill);
        await leave();
      });
      expect(later).toMatch(/^\/file\//);
      expect(await url(bill)).toBe(later);
      expect(await strays()).toEqual([]);
    });

    it('of what was handed in last by the job before, where the account went before its own job was done', async () => {
      const bill = await feeBill([{}, {}]);
      await resubmit(bill, {}, 'admin');
      const slow = report([bill.rfbId], async () => {
        await handInAnew(bill);
        await leave();
      });
      await expect(slow).rejects.toThrow(bill.rfbId);
      expect(await url(bill)).toBeNull();
      expect(await strays()).toEqual([]);
      // A job that fails like that is tried again.
      await report([bill.rfbId]);
      expect(await url(bill)).toMatch(/^\/file\//);
    });

    it('of the work as it is, where that became another one since it was read', async () => {
      const bill = await feeBill([{}]);
      await resubmit(bill, {}, 'admin');
      const slow = report([bill.rfbId], () =>
        testApp.db
          .updateTable('rma_repair_fee_bill')
          .set({ workChangedTime: sql<string>`now()` })
          .where('id', '=', bill.id)
          .execute(),
      );
      await slow;
      expect(await url(bill)).toBeNull();
      expect(await strays()).toEqual([]);
      await report([bill.rfbId]);
      expect(await url(bill)).toMatch(/^\/file\//);
    });

    it('that is served to nobody and leaves the disk once another is made, the bill is handed in anew or goes', async () => {
      const bill = await feeBill([{}, {}]);
      const token = await testApp.openToken('admin');
      const statusOf = async (path: string) =>
        (await testApp.app.inject({ method: 'GET', url: path, headers: { token } })).statusCode;
      const remove = async () => {
        await testApp.db
          .updateTable('rma_repair_fee_bill')
          .set({ billStatus: '1' })
          .where('id', '=', bill.id)
          .execute();
        const path = '/api/rmaRepairFeeBill/deleteById.json';
        expect((await testApp.ask('POST', path, { id: bill.id }, { as: 'admin' })).code).toBe('000000');
      };
      await resubmit(bill, {}, 'admin');
      for (const goes of [() => report([bill.rfbId]), () => handInAnew(bill), remove]) {
        await report([bill.rfbId]);
        const before = String(await url(bill));
        expect(await statusOf(before)).toBe(200);
        await goes();
        expect(await statusOf(before)).toBe(404);
      }
      const onDisk = () => readdir(join(testApp.config.dataDir, 'files'), { recursive: true });
      const there = (await onDisk()).length;
      await expireJobs({ database: { db: testApp.db } as Database, config: testApp.config });
      // Three workbooks in two languages.
      expect((await onDisk()).filter((it) => isFileId(basename(it)))).toHaveLength(
        (await testApp.db.selectFrom('file').select('id').where('kind', '=', 'paper').execute()).length,
      );
      expect(there - (await onDisk()).length).toBeGreaterThanOrEqual(6);
      expect(await strays()).toEqual([]);
    });

    it('whoever has reviewed it since it was read', async () => {
      const bill = await feeBill([{}]);
      await resubmit(bill, {}, 'admin');
      const path = '/api/rmaRepairFeeBill/afterSalesReview.json';
      await report([bill.rfbId], async () => {
        const { code } = await testApp.ask('POST', path, { id: bill.id, result: '2' }, { as: 'aftersales' });
        expect(code).toBe('000000');
      });
      expect(await url(bill)).toMatch(/^\/file\//);
    });

    it('that holds no other bill while it waits for one, in whatever order they were settled', async () => {
      const [first, second] = [await feeBill([{}]), await feeBill([{}])];
      await resubmit(first, {}, 'admin');
      const { made } = await testApp.db.transaction().execute(async (db) => {
        await sql`SELECT 1 FROM rma_repair_fee_bill WHERE id = ${first.id} FOR UPDATE`.execute(db);
        const made = report([second.rfbId, first.rfbId]);
        await vi.waitUntil(async () => {
          const { rows } = await sql`
            SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
              AND query LIKE '%rma_repair_fee_bill%'`.execute(testApp.db);
          return rows.length === 1;
        });
        await sql`SELECT 1 FROM rma_repair_fee_bill WHERE id = ${second.id} FOR UPDATE NOWAIT`.execute(db);
        return { made };
      });
      await made;
      expect([await url(first), await url(second)]).toEqual([expect.any(String), expect.any(String)]);
    });
  });
});
