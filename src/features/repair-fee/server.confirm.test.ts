import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { repairSuppliers } from '#tests/support/factories.ts';
import { expectRefused, readLedger } from '#tests/support/guard.ts';
import { changedPrices, confirmPrices } from './contract.ts';

let testApp: TestApp;
const work = { repairProject: '1', warranty: '1', repairType: '2' };
const price = {
  ...{ siteId: 'SZ', settleCompany: 'C', supplierName: 'S', currency: 'CNY', taxRate: '13', ...work },
  ...{ machineType: 'RX19', effectiveDate: '2026-01-01', expirationDate: '2026-12-31', createBy: 'office' },
};
beforeAll(async () => {
  testApp = await startTestApp();
  const { db } = testApp;
  await repairSuppliers(db, 'S', 'T');
  await db.insertInto('ubs_model_family').values({ family: 'RX19' }).execute();
  await db.updateTable('ubs_item').set({ family: 'RX19' }).where('salesCode', '=', 'RX19').execute();
  for (const it of ['office', 'aftersales', 'finance', 'admin', 'viewer']) await testApp.openToken(it);
});
afterAll(() => testApp?.close());

let made = 0;
/** A bill that waits for after-sales, of two lines at a price that was voided since. */
async function marked() {
  const { db } = testApp;
  await db.updateTable('rma_price_bill').set({ billStatus: '3' }).execute();
  const prbId = `P${++made}`;
  const of = await db
    .insertInto('rma_price_bill')
    .values({ ...price, prbId, billStatus: '2', unitPriceWithTax: '113' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rfbId = `RFB-C${made}`;
  const head = { rfbId, billStatus: '0', siteId: 'SZ', supplierName: 'S', currency: 'CNY', createBy: 'office' };
  const { id } = await db
    .insertInto('rma_repair_fee_bill')
    .values({ ...head, recPeriod: `${2000 + made}-10` })
    .returning('id')
    .executeTakeFirstOrThrow();
  const line = {
    ...{ rfbId, salesCode: 'RX19', ...work, isSecondRepair: '0', currency: 'CNY', taxRate: '13', prbId },
    ...{ includingTaxAmount: '113', excludingTaxAmount: '100', taxAmount: '13', isPriced: '1', priceReason: '1' },
    settledOn: '2026-10-05',
  };
  const rows = await db
    .insertInto('rma_repair_fee_bill_line')
    .values([1, 2].map((n) => ({ ...line, sn: `C${made}-${n}` })))
    .returning('id')
    .execute();
  await testApp.ask('POST', '/api/rmaPriceBill/void.json', { id: Number(of.id) }, { as: 'finance' });
  return { id: Number(id), prbId, lines: rows.map((it) => Number(it.id)) as [number, number] };
}
type Bill = Awaited<ReturnType<typeof marked>>;
/** Confirms as who has just looked, where a line does not say what was seen of it. */
async function confirm(bill: Bill, lines: { lineId: number; reason: string; beside?: string | null }[], as = 'office') {
  const shown = (await testApp.send(changedPrices, { id: bill.id }, { as: 'office' })).data.lines;
  const besideOf = (lineId: number) => shown.find((it) => it.lineId === lineId)?.beside ?? null;
  const sent = lines.map((it) => ({ beside: besideOf(it.lineId), ...it }));
  return testApp.send(confirmPrices, { id: bill.id, lines: sent }, { as });
}
const pass = (bill: Bill, as = 'aftersales') =>
  testApp.ask('POST', '/api/rmaRepairFeeBill/afterSalesReview.json', { id: bill.id, result: '2' }, { as });
const waiting = async (bill: Bill) =>
  (await testApp.send(changedPrices, { id: bill.id }, { as: 'office' })).data.lines.map((it) => [
    it.lineId,
    it.now && `${it.now.prbId} ${Number(it.now.amount)} ${it.now.currency}`,
  ]);
const agreed = 'agreed with the supplier';
/** Another price for the same work passes. */
async function passPrice(unitPriceWithTax: string, more: object = {}) {
  const values = { ...price, prbId: `P${++made}`, billStatus: '0', unitPriceWithTax, ...more };
  const { id } = await testApp.db.insertInto('rma_price_bill').values(values).returning('id').executeTakeFirstOrThrow();
  const path = '/api/rmaPriceBill/financialReview.json';
  expect(await testApp.ask('POST', path, { id: Number(id), result: '2' }, { as: 'finance' })).toMatchObject({
    code: '000000',
  });
}

describe('lines whose price was voided or changed', () => {
  it('keep it for a reason each, which says who and when, and the bill passes once all do', async () => {
    const bill = await marked();
    const [first, second] = bill.lines;
    expect(await waiting(bill)).toEqual([
      [first, null],
      [second, null],
    ]);
    await expectRefused(testApp, '100015', () => pass(bill));
    expect((await confirm(bill, [{ lineId: first, reason: ` ${agreed} ` }])).data).toEqual({
      ...{ id: bill.id, confirmedCount: 1 },
    });
    expect(await waiting(bill)).toEqual([[second, null]]);
    const said = await expectRefused(testApp, '100015', () => pass(bill));
    expect(said.msg).toContain('since: 1. The site confirms each with a reason');
    await confirm(bill, [{ lineId: second, reason: agreed }]);
    const rows = testApp.db.selectFrom('rma_repair_fee_bill_line').where('id', 'in', bill.lines).selectAll();
    for (const it of await rows.execute()) {
      expect(it).toMatchObject({ priceChanged: '1', priceConfirmReason: agreed, priceConfirmBy: 'office' });
      expect(it).toMatchObject({ priceConfirmTime: expect.any(Number) as number, includingTaxAmount: '113.000000' });
    }
    expect((await readLedger(testApp, String(bill.id))).map((it) => it.what)).toContain('confirmPrices');
    expect((await pass(bill)).code).toBe('000000');
  });

  it('say which price was voided, by whom and when; one that was only ended was not', async () => {
    const bill = await marked();
    const voidedOf = async () => (await testApp.send(changedPrices, { id: bill.id }, { as: 'office' })).data.voided;
    const finance = await testApp.db
      .selectFrom('admin_user')
      .select('userName')
      .where('userId', '=', 'finance')
      .executeTakeFirstOrThrow();
    const price = testApp.db.selectFrom('rma_price_bill').select('updateTime').where('prbId', '=', bill.prbId);
    const { updateTime: at } = await price.executeTakeFirstOrThrow();
    expect(await voidedOf()).toEqual([
      { prbId: bill.prbId, by: finance.userName, at: expect.closeTo(Number(at), -1) as number },
    ]);
    await testApp.db.updateTable('rma_price_bill').set({ billStatus: '2' }).where('prbId', '=', bill.prbId).execute();
    expect(await voidedOf()).toEqual([]);
  });

  it('are confirmed by whom it is for, while the bill waits, as it was seen, with reasons, once', async () => {
    const bill = await marked();
    const lines = [{ lineId: bill.lines[0], reason: agreed }];
    for (const as of ['viewer', 'finance', 'aftersales'])
      await expectRefused(testApp, '100013', () => confirm(bill, lines, as));
    await expectRefused(testApp, '100001', () => confirm(bill, [{ lineId: bill.lines[0], reason: ' ' }]));
    await expectRefused(testApp, '100001', () => confirm(bill, []));
    const stale = { id: bill.id, version: 9, lines: lines.map((it) => ({ ...it, beside: null })) };
    await expectRefused(testApp, '100025', () => testApp.send(confirmPrices, stale, { as: 'office' }));
    const other = await marked();
    await expectRefused(testApp, '100025', () => confirm(bill, [{ lineId: other.lines[0], reason: agreed }]));
    expect((await confirm(bill, lines)).code).toBe('000000');
    await expectRefused(testApp, '100025', () => confirm(bill, lines));
    const rejected = testApp.db.updateTable('rma_repair_fee_bill').set({ billStatus: '1' });
    await rejected.where('id', '=', bill.id).execute();
    await expectRefused(testApp, '100025', () => confirm(bill, [{ lineId: bill.lines[1], reason: agreed }]));
  });

  it('are not passed by who confirmed one of them', async () => {
    const bill = await marked();
    const all = bill.lines.map((lineId) => ({ lineId, reason: agreed }));
    expect((await confirm(bill, all, 'admin')).code).toBe('000000');
    await expectRefused(testApp, '100043', () => pass(bill, 'admin'));
    expect((await pass(bill)).code).toBe('000000');
  });

  it('are confirmed beside the price that was seen: where it is another one by now, both are told', async () => {
    const bill = await marked();
    const lines = bill.lines.map((lineId) => ({ lineId, reason: agreed, beside: null }));
    await passPrice('1');
    const first = await expectRefused(testApp, '100025', () => confirm(bill, lines));
    expect(first.msg).toContain(`stood beside no price; by now it stands beside P${made} 1.00 CNY`);
    const seen = `P${made} 1.00 CNY`;
    await testApp.db.updateTable('rma_price_bill').set({ billStatus: '3' }).where('prbId', '=', `P${made}`).execute();
    await passPrice('2');
    const again = lines.map((it) => ({ ...it, beside: seen }));
    const second = await expectRefused(testApp, '100025', () => confirm(bill, again));
    expect(second.msg).toContain(`stood beside ${seen}; by now it stands beside P${made} 2.00 CNY`);
    const now = lines.map((it) => ({ ...it, beside: `P${made} 2.00 CNY` }));
    expect((await confirm(bill, now)).code).toBe('000000');
    const rows = testApp.db.selectFrom('rma_repair_fee_bill_line').where('id', 'in', bill.lines).selectAll();
    for (const it of await rows.execute()) expect(it.priceConfirmedBeside).toBe(`P${made} 2.00 CNY`);
  });

  it('are to be confirmed anew once the prices say something else again, and not when they say the same', async () => {
    const bill = await marked();
    const all = bill.lines.map((lineId) => ({ lineId, reason: agreed }));
    await confirm(bill, all);
    await passPrice('50', { effectiveDate: '2027-01-01', expirationDate: '2027-12-31' });
    expect(await waiting(bill), 'a price of another year').toEqual([]);
    await passPrice('120');
    expect((await waiting(bill)).map(([, now]) => now)).toEqual([`P${made} 120 CNY`, `P${made} 120 CNY`]);
    await expectRefused(testApp, '100015', () => pass(bill));
    await confirm(bill, all);
    expect((await pass(bill)).code).toBe('000000');
  });

  it('wait for nobody where the same supplier has the same price again, and for another one', async () => {
    const bill = await marked();
    await passPrice('113', { supplierName: 'T' });
    expect((await waiting(bill)).map(([, now]) => now)).toEqual([`P${made} 113 CNY`, `P${made} 113 CNY`]);
    await testApp.db.updateTable('rma_price_bill').set({ billStatus: '3' }).where('prbId', '=', `P${made}`).execute();
    await passPrice('113');
    expect(await waiting(bill)).toEqual([]);
    expect((await pass(bill)).code).toBe('000000');
  });
});
