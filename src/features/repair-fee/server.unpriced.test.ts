import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { repairSuppliers, unitOnBill } from '#tests/support/factories.ts';
import { expectNo } from '#tests/support/guard.ts';
import { at, delivered } from '#tests/support/history.ts';
import { generateFee, unpricedUnits } from './contract.ts';

let testApp: TestApp;
const october = { recPeriod: '2026-10', startDate: '2026-10-01', endDate: '2026-10-31' };
const price = {
  ...{ siteId: 'SZ', billStatus: '2', settleCompany: 'C', supplierName: 'S', currency: 'CNY', taxRate: '13' },
  ...{ repairProject: '1', warranty: '1', repairType: '2', unitPriceWithTax: '113' },
  ...{ effectiveDate: '2026-01-01', expirationDate: '2026-12-31' },
};
/** A family for each reason, whose only item is called as it is. */
const prices = {
  PRICED: [{}],
  NONE: [],
  OTHERWORK: [{ warranty: '0' }],
  VOIDED: [{ billStatus: '3' }],
  WAITS: [{ billStatus: '0' }],
  REFUSED: [{ billStatus: '1' }, { expirationDate: '2026-10-04' }],
  EXPIRED: [{ expirationDate: '2026-10-04' }],
  NOTYET: [{ effectiveDate: '2026-10-06' }],
  CURRENCIES: [{}, { currency: 'USD' }],
  SUPPLIERS: [{}, { supplierName: 'T' }],
};
beforeAll(async () => {
  testApp = await startTestApp();
  const { db } = testApp;
  await repairSuppliers(db, 'S', 'T');
  let nth = 0;
  let itemId = 900_000;
  for (const [family, bills] of Object.entries(prices)) {
    await db.insertInto('ubs_model_family').values({ family }).execute();
    const item = { itemId: ++itemId, snControl: '1', type: '0', salesCode: family, name: family, family };
    await db.insertInto('ubs_item').values(item).execute();
    for (const it of bills)
      await db
        .insertInto('rma_price_bill')
        .values({ ...price, machineType: family, prbId: `P${++nth}`, ...it })
        .execute();
  }
  for (const salesCode of [...Object.keys(prices), 'UNKNOWN']) {
    const item = { receiveTime: at('2026-09-20'), warranty: '1' };
    const unit = await unitOnBill(db, { node: Node.Shipped, salesCode, item });
    await delivered(db, unit, '2026-10-05');
  }
  const elsewhere = await unitOnBill(db, {
    node: Node.Shipped,
    salesCode: 'NONE',
    siteId: 'NB',
    item: { warranty: '1' },
  });
  await delivered(db, elsewhere, '2026-10-05');
});
afterAll(() => testApp?.close());

const ask = async (input: object = {}, as = 'office') =>
  (await testApp.send(unpricedUnits, { ...october, ...input }, { as })).data;

describe('the units that will find no price', () => {
  it('are told to who settles, of their own sites and a range that can be settled', async () => {
    const path = '/api/rmaRepairFeeBill/unpricedUnits.json';
    await expectNo('401', () => testApp.ask('GET', path, october));
    for (const as of ['viewer', 'tech']) await expectNo('100013', () => testApp.ask('GET', path, october, { as }));
    await expectNo('100001', () => testApp.ask('GET', path, {}, { as: 'office' }));
    await expectNo('100015', () => testApp.ask('GET', path, { ...october, startDate: '2026-08-01' }, { as: 'office' }));
  });

  it('are those that the settlement finds none for, each with why', async () => {
    const { total, items } = await ask();
    const reasons = Object.fromEntries(items.map((it) => [it.machineType, [it.reason, it.prbId !== null]]));
    expect(reasons).toEqual({
      NONE: ['none', false],
      OTHERWORK: ['none', false],
      VOIDED: ['none', false],
      WAITS: ['notPassed', true],
      REFUSED: ['notPassed', true],
      EXPIRED: ['expired', true],
      NOTYET: ['notYet', true],
      CURRENCIES: ['currencies', true],
      SUPPLIERS: ['suppliers', true],
      UNKNOWN: ['noFamily', false],
    });
    expect(total).toBe(10);
    const work = { repairProject: '1', warranty: '1', repairType: '2', day: '2026-10-05', siteId: 'SZ' };
    expect(items.find((it) => it.machineType === 'WAITS')).toMatchObject(work);
    expect((await ask({ startDate: '2026-10-06' })).total).toBe(0);

    const answer = await testApp.send(generateFee, october, { as: 'office' });
    expect(answer.data.items.reduce((sum, it) => sum + it.unpricedCount, 0)).toBe(total);
    // What stands on a bill is settled, until the bill is rejected and made anew.
    expect((await ask()).total).toBe(0);
    await testApp.db.updateTable('rma_repair_fee_bill').set({ billStatus: '1' }).execute();
    expect((await ask()).total).toBe(total);
  });

  it('are told beside those that left after their month was settled and stand on no bill, until a range has them', async () => {
    const { db } = testApp;
    const month = (recPeriod: string, startDate = `${recPeriod}-01`) => ({
      ...{ recPeriod, startDate, endDate: `${recPeriod}-28` },
    });
    const leave = async (day: string) => {
      const item = { receiveTime: at('2026-01-20'), warranty: '1' };
      const unit = await unitOnBill(db, { node: Node.Shipped, salesCode: 'PRICED', item });
      await delivered(db, unit, day);
      return unit.sn;
    };
    const settle = async (input: object) => (await testApp.send(generateFee, input, { as: 'office' })).data;
    // No bill has these days: they were settled elsewhere, or never.
    await leave('2026-03-10');
    await leave('2026-04-10');
    expect((await settle(month('2026-04'))).unbilled).toBeNull();
    const late = [await leave('2026-04-27'), await leave('2026-04-28')];
    await leave('2026-05-05');
    const unbilled = { count: 2, from: '2026-04-27', sns: late };
    expect((await ask(month('2026-05'))).unbilled).toEqual(unbilled);
    expect((await ask(month('2026-05', '2026-04-28'))).unbilled).toMatchObject({ count: 1 });
    expect((await settle(month('2026-05'))).unbilled).toEqual(unbilled);
    await leave('2026-06-05');
    expect((await ask(month('2026-06', '2026-04-29'))).unbilled).toEqual(unbilled);
    expect((await settle(month('2026-06', '2026-04-29'))).unbilled).toEqual(unbilled);
    const stands = { code: '100007', msg: expect.stringContaining('a range that begins on their day') as string };
    expect(await testApp.send(generateFee, month('2026-04'), { as: 'office' })).toMatchObject(stands);
  });
});
