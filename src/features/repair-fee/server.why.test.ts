import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { repairSuppliers, unitOnBill } from '#tests/support/factories.ts';
import { expectNo } from '#tests/support/guard.ts';
import { at, delivered } from '#tests/support/history.ts';
import { generateFee, whyPrice } from './contract.ts';

let testApp: TestApp;
const price = {
  ...{ siteId: 'SZ', billStatus: '2', settleCompany: 'C', supplierName: 'S', currency: 'CNY', taxRate: '13' },
  ...{ machineType: 'RX19', repairProject: '1', warranty: '1', repairType: '2', unitPriceWithTax: '113' },
  ...{ effectiveDate: '2026-01-01', expirationDate: '2026-12-31' },
};
beforeAll(async () => {
  testApp = await startTestApp();
  const { db } = testApp;
  await repairSuppliers(db, 'S', 'T');
  const families = ['RX19', 'RX21'].map((family) => ({ family }));
  await db.insertInto('ubs_model_family').values(families).execute();
  for (const { family } of families)
    await db.updateTable('ubs_item').set({ family }).where('salesCode', '=', family).execute();
  await db
    .insertInto('rma_price_bill')
    .values([
      { ...price, prbId: 'P1' },
      { ...price, prbId: 'P2', machineType: 'RX21', billStatus: '0' },
      { ...price, prbId: 'P3', machineType: 'RX21', expirationDate: '2026-10-04' },
      { ...price, prbId: 'P4', machineType: 'RX21', warranty: '0', repairType: '1' },
      { ...price, prbId: 'P5', machineType: 'RX21', siteId: 'NB' },
      { ...price, prbId: 'P6', machineType: 'RX21', warranty: '0', repairType: '1', billStatus: '3' },
    ])
    .execute();
  for (const salesCode of ['RX19', 'RX21', 'UNKNOWN']) {
    const item = { receiveTime: at('2026-09-20'), warranty: '1' };
    const unit = await unitOnBill(db, { node: Node.Shipped, salesCode, item });
    await delivered(db, unit, '2026-10-05');
  }
  const expense = { siteId: 'SZ', billStatus: '2', correspondsWorkOrder: '0', currency: 'CNY', taxRate: '6' };
  const amounts = { includingTaxAmount: '106', excludingTaxAmount: '100', taxAmount: '6' };
  await db
    .insertInto('rma_miscellaneous_expenses_bill')
    .values({ ...expense, ...amounts, mebId: 'M1', auditTime: at('2026-10-30') })
    .execute();
  const october = { recPeriod: '2026-10', startDate: '2026-10-01', endDate: '2026-10-31' };
  expect((await testApp.send(generateFee, october, { as: 'office' })).code).toBe('000000');
});
afterAll(() => testApp?.close());

const lineOf = async (column: 'salesCode' | 'remark', value: string) => {
  const lines = testApp.db.selectFrom('rma_repair_fee_bill_line').select('id').where(column, '=', value);
  return Number((await lines.executeTakeFirstOrThrow()).id);
};
const why = async (id: number, as = 'finance') => (await testApp.send(whyPrice, { id }, { as })).data;

describe('why a line costs what it costs', () => {
  it('is told to who may ask, of a line of their own site', async () => {
    const id = await lineOf('salesCode', 'RX19');
    const path = '/api/rmaRepairFeeBillLine/whyPrice.json';
    await expectNo('401', () => testApp.ask('GET', path, { id }));
    for (const as of ['supplier', 'viewer', 'tech'])
      await expectNo('100013', () => testApp.ask('GET', path, { id }, { as }));
    await testApp.db.updateTable('admin_user').set({ roleIds: 'office' }).where('userId', '=', 'techNB').execute();
    await expectNo('100002', () => testApp.ask('GET', path, { id }, { as: 'techNB' }));
    await expectNo('100002', () => testApp.ask('GET', path, { id: 999_999 }, { as: 'finance' }));
  });

  it('is its price bill, and what that was found by', async () => {
    expect(await why(await lineOf('salesCode', 'RX19'))).toMatchObject({
      ...{ supplierName: 'S', currency: 'CNY', expense: null, was: { reason: '1', prbId: 'P1' }, near: [] },
      work: { repairProject: '1', machineType: 'RX19', warranty: '1', repairType: '2', day: '2026-10-05' },
      now: { reason: '1', prbId: 'P1', count: 1 },
    });
  });

  it('is what it misses, with the price bills that come nearest and what each misses', async () => {
    const { was, now, near } = await why(await lineOf('salesCode', 'RX21'));
    expect([was, now]).toMatchObject([
      { reason: '4', prbId: null },
      { reason: '4', prbId: null, count: 0 },
    ]);
    expect(near.map((it) => [it.prbId, it.misses.toSorted()])).toEqual([
      ['P3', ['day']],
      ['P2', ['billStatus']],
      ['P1', ['machineType']],
      ['P4', ['repairType', 'warranty']],
    ]);
  });

  it('is the family that its item lacks, or the expense', async () => {
    const lacking = await why(await lineOf('salesCode', 'UNKNOWN'));
    expect(lacking).toMatchObject({ was: { reason: '3' }, work: { machineType: null }, near: [] });
    expect(await why(await lineOf('remark', 'M1'))).toMatchObject({ expense: 'M1', was: { reason: '6' }, near: [] });
  });

  it('says what the same work would find now, as the settlement would', async () => {
    const { db } = testApp;
    await db.updateTable('rma_price_bill').set({ billStatus: '2' }).where('prbId', '=', 'P2').execute();
    const id = await lineOf('salesCode', 'RX21');
    expect(await why(id)).toMatchObject({
      was: { reason: '4' },
      now: { reason: '1', prbId: 'P2', count: 1 },
      near: [],
    });
    await db
      .insertInto('rma_price_bill')
      .values({ ...price, prbId: 'P7', machineType: 'RX21', supplierName: 'T' })
      .execute();
    const { now, near } = await why(id);
    expect(now).toEqual({ reason: '5', prbId: null, count: 2 });
    expect(near.filter((it) => it.misses.length === 0).map((it) => it.prbId)).toEqual(['P7', 'P2']);
  });
});
