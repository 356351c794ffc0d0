import { sql } from 'kysely';
import type { CellValue } from 'hucre';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { repairSuppliers } from '#tests/support/factories.ts';
import { sendFile, workbook } from '#tests/support/workbooks.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 120_000 }, { worksJobs: true });
  await repairSuppliers(testApp.db, 'S', 'T');
  await testApp.db.insertInto('ubs_model_family').values({ family: 'F' }).execute();
});
afterAll(() => testApp?.close());
beforeEach(() => sql`DELETE FROM rma_price_bill`.execute(testApp.db));

const UPLOAD = '/api/rmaPriceBill/upload.json';
const HEADS = [
  ...['Settlement company', 'Supplier name', 'Repair project', 'Warranty', 'Model family', 'Repair type'],
  ...['Currency', 'Unit price incl. tax', 'Tax rate', 'Effective from', 'Expires on'],
];
interface Row {
  supplier?: string;
  currency?: string;
  price?: CellValue;
  from: string;
  until: string;
}
const rowOf = ({ supplier = 'S', currency, price = 113, from, until }: Row): CellValue[] => [
  ...['C', supplier, '1', '1', 'F', '2', currency ?? null, price, 13, from, until],
];
interface Found {
  url: string;
  rows: number;
  imported: number;
  bad: number;
  problems: { row: number; msg: string }[];
  notes: { row: number; msg: string }[];
  noted: number;
}
const send = async (rows: Row[], dryRun: boolean, as = 'office') =>
  sendFile<Found>(testApp, UPLOAD, [await workbook([HEADS, ...rows.map(rowOf)])], {
    as,
    ...(dryRun && { fields: { dryRun: '1' } }),
  });

const present = async (
  prbId: string,
  billStatus: string,
  effectiveDate: string,
  expirationDate: string,
  siteId = 'SZ',
) =>
  testApp.db
    .insertInto('rma_price_bill')
    .values({
      ...{ prbId, billStatus, siteId, effectiveDate, expirationDate, settleCompany: 'C', supplierName: 'S' },
      ...{ repairProject: '1', warranty: '1', machineType: 'F', repairType: '2', currency: 'CNY' },
      ...{ unitPriceWithTax: '100', taxRate: '13' },
    })
    .execute();

describe('prices of a workbook', () => {
  it('are refused by their rows where a column says another site than the one that they are imported for', async () => {
    await testApp.db.updateTable('ubs_site').set({ siteNameEn: 'Shenzhen' }).where('siteId', '=', 'SZ').execute();
    const row = (site: string | null, from: string, until: string) => [site, ...rowOf({ from, until })];
    for (const head of ['站点', 'Site', 'siteId']) {
      const rows = [
        row('SZ', '2026-01-01', '2026-01-31'),
        row(' shenzhen', '2026-02-01', '2026-02-28'),
        row('US', '2026-03-01', '2026-03-31'),
        row(null, '2026-04-01', '2026-04-30'),
        row('Houston', '2026-05-01', '2026-05-31'),
      ];
      const file = await workbook([[head, ...HEADS], ...rows]);
      const { data } = await sendFile<Found & { ignored: string[] }>(testApp, UPLOAD, [file], {
        as: 'office',
        fields: { dryRun: '1' },
      });
      expect(data).toMatchObject({ rows: 5, bad: 2, problems: [{ row: 4 }, { row: 6 }], ignored: [] });
      expect(data.problems[0]?.msg).toContain('US');
    }
  });

  it('wait for their review, with their price without tax and a number each', async () => {
    const rows = [
      { from: '2026-01-01', until: '2026-06-30' },
      { from: '2026-07-01', until: '2026-12-31', price: 226 },
      { supplier: 'T', from: '2026-01-01', until: '2026-12-31' },
    ];
    expect((await send(rows, true)).data).toMatchObject({ rows: 3, bad: 0, imported: 0, notes: [], noted: 0 });
    expect((await send(rows, false)).data).toMatchObject({ rows: 3, bad: 0, imported: 3 });
    const bills = await testApp.db.selectFrom('rma_price_bill').selectAll().orderBy('id').execute();
    expect(bills.map((it) => [it.billStatus, it.siteId, it.currency, it.createBy])).toEqual(
      bills.map(() => ['0', 'SZ', 'CNY', 'office']),
    );
    expect(bills.map((it) => Number(it.unitPriceWithoutTax))).toEqual([100, 200, 100]);
    expect(new Set(bills.map((it) => it.prbId)).size).toBe(3);
  });

  it('are in the currency of their row, which no sign in a price says otherwise', async () => {
    const day = (i: number) => `2026-01-0${i}`;
    const row = (i: number, price: string, currency?: string): Row => ({
      ...{ price, from: day(i), until: day(i) },
      ...(currency && { currency }),
    });
    const { data } = await send([row(1, '¥113'), row(2, '€113', 'EUR'), row(3, '€5.00'), row(4, '¥113', 'USD')], true);
    const told = (cell: string, mark: string, currency: string) =>
      `Cell ${cell} (Unit price incl. tax) is in ${mark}, but its row is in ${currency}; ` +
      `enter the amount in ${currency}, or correct the currency`;
    expect(data.problems.map((it) => [it.row, it.msg])).toEqual([
      [4, told('H4', '€', 'CNY')],
      [5, told('H5', '¥', 'USD')],
    ]);
  });

  it('are looked at together with those that they meet: what could not pass is refused, what will end another says so', async () => {
    await present('EARLIER', '2', '2025-01-01', '2026-03-31');
    await present('LATER', '2', '2026-06-01', '2026-06-30');
    await present('OPEN', '0', '2026-08-01', '2026-08-31');
    await present('REJECTED', '1', '2026-09-01', '2026-09-30');
    await present('VOIDED', '3', '2026-10-01', '2026-10-31');
    await present('ELSEWHERE', '2', '2026-10-01', '2026-10-31', 'NB');
    const { data } = await send(
      [
        { from: '2026-03-01', until: '2026-05-31' },
        { from: '2026-06-01', until: '2026-06-15' },
        { from: '2026-08-31', until: '2026-08-31' },
        { from: '2026-09-10', until: '2026-09-11' },
        { from: '2026-10-01', until: '2026-10-31' },
        { from: '2026-10-31', until: '2026-11-30' },
        { supplier: 'T', from: '2026-01-01', until: '2026-12-31' },
      ],
      true,
    );
    expect(data).toMatchObject({ rows: 7, bad: 4, noted: 1 });
    expect(data.notes.map((it) => [it.row, it.msg])).toEqual([
      [
        2,
        'Price bill EARLIER for the same work (¥100.00 from 2025-01-01) will end on the day before this one takes effect',
      ],
    ]);
    const numbers = data.problems.map((it) => [it.row, /LATER|OPEN|REJECTED|Row \d/.exec(it.msg)?.[0]]);
    expect(numbers).toEqual([
      [3, 'LATER'],
      [4, 'OPEN'],
      [5, 'REJECTED'],
      [7, 'Row 6'],
    ]);
  });

  it('have the digits of their currency: three of dinars, none of yen', async () => {
    const currencies = testApp.model.options['currencies'] as { value: string; label: { zh: string; en: string } }[];
    const more = ['KWD', 'JPY'].map((value) => ({ value, label: { zh: value, en: value } }));
    currencies.push(...more);
    try {
      const days = { from: '2026-01-01', until: '2026-06-30' };
      const rows = [
        { ...days, currency: 'KWD', price: 1.125 },
        { ...days, currency: 'JPY', price: 1130 },
        { ...days, currency: 'JPY', supplier: 'T', price: 1130.5 },
        { ...days, currency: 'CNY', price: 1.125 },
      ];
      const { data } = await send(rows, true);
      expect(data.problems.map((it) => it.row)).toEqual([4, 5]);
      expect((await send(rows.slice(0, 2), false)).data).toMatchObject({ imported: 2, bad: 0 });
      const { rows: bills } = await sql<{ price: string; net: string }>`
        SELECT "unitPriceWithTax"::float8 AS price, "unitPriceWithoutTax"::float8 AS net FROM rma_price_bill ORDER BY id
      `.execute(testApp.db);
      expect(bills).toEqual([
        { price: 1.125, net: 0.9956 },
        { price: 1130, net: 1000 },
      ]);
      await sql`UPDATE rma_price_bill SET "billStatus" = '2'`.execute(testApp.db);
      const later = { from: '2026-06-01', until: '2026-12-31' };
      const met = await send(
        [
          { ...later, currency: 'KWD' },
          { ...later, currency: 'JPY' },
        ],
        true,
      );
      const told = met.data.notes.map((it) => /\((.*) from/.exec(it.msg)?.[1]);
      expect(told).toEqual(['KWD 1.125', 'JPY 1,130']);
    } finally {
      currencies.splice(-more.length);
    }
  });

  it('are imported once: the same workbook anew meets itself', async () => {
    const rows = [{ from: '2026-01-01', until: '2026-06-30' }];
    expect((await send(rows, false)).data).toMatchObject({ imported: 1 });
    expect((await send(rows, false)).data).toMatchObject({ imported: 0, bad: 1 });
  });

  it('are nobody’s without the right to bring them', async () => {
    expect(await send([{ from: '2026-01-01', until: '2026-06-30' }], true, 'finance')).toMatchObject({ status: 403 });
  });
});
