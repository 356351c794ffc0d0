import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Total } from '#domain/money.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { addProbe, putRows } from '#tests/support/probe.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await addProbe(testApp);
  const { list } = testApp.model.definitions.get('probe') ?? {};
  if (list) list.totals = ['count', 'amount', 'big'];
  await putRows(testApp, 'probe', [
    ...Array.from({ length: 25 }, (_, i) => ({
      probeId: `PBE20260305${String(i + 1).padStart(5, '0')}`,
      title: i < 20 ? 'first' : 'second',
      count: 2,
      amount: '0.1',
      big: '9007199254740993',
      siteId: 'SZ',
    })),
    { probeId: 'PBE2026030600001', title: 'first', count: 40, amount: '1000', siteId: 'NB' },
  ]);
});
afterAll(() => testApp.close());

interface Answer {
  items: unknown[];
  itemTotal: number | null;
  totals?: Record<string, Total>;
}
const pager = async (query: object, as = 'prober') => {
  const answer = await testApp.ask<Answer>('GET', '/api/probe/pager.json', query, { as });
  expect(answer.code, answer.msg).toBe('000000');
  return answer.data;
};

it('a list that asks for totals gets them over everything that its filter finds, not over the page; decimals stay exact', async () => {
  const { items, totals } = await pager({ title: 'first', pageStart: 10, pageCount: 10 });
  expect(items).toHaveLength(10);
  expect(totals).toEqual({ count: '40', amount: '2.000000', big: '180143985094819860' });
  expect((await pager({ title: 'nothing' })).totals).toEqual({ count: '0', amount: '0', big: '0' });
});

it('rows of another site are in no total', async () => {
  expect((await pager({})).totals?.['count']).toBe('50');
  expect((await pager({}, 'admin')).totals?.['count']).toBe('90');
});

it('the nested search is added up as well', async () => {
  const rule = { connector: 'AND', column: 'title', relation: 'EQUAL_TO', value: 'second' };
  const answer = await testApp.ask<Answer>(
    'POST',
    '/api/probe/advancedSearch.json',
    { adminAdvancedSearchGroup: { connector: 'AND', rules: [rule], groups: [] } },
    { as: 'prober' },
  );
  expect(answer.data.totals).toMatchObject({ count: '10', amount: '0.500000' });
});

describe('amounts of several currencies', () => {
  const bill = (rfbId: string, currency: string | null, amount: string | null, siteId = 'SZ', lineCount = 1) => ({
    rfbId,
    billStatus: '0',
    siteId,
    currency,
    lineCount,
    includingTaxAmount: amount,
  });
  const totals = async (query: object) => {
    const answer = await testApp.ask<Answer>('GET', '/api/rmaRepairFeeBill/pager.json', query, { as: 'admin' });
    expect(answer.code, answer.msg).toBe('000000');
    return answer.data.totals ?? {};
  };
  beforeAll(async () => {
    await testApp.db
      .insertInto('rma_repair_fee_bill')
      .values([
        bill('RFB2026030500001', 'CNY', '1000.1'),
        bill('RFB2026030500002', 'CNY', '200.2'),
        bill('RFB2026030500003', 'USD', '30'),
        bill('RFB2026030500004', null, '0.000001'),
        bill('RFB2026030500005', 'EUR', null),
        bill('RFB2026030600001', 'EUR', '-7', 'NB'),
      ])
      .execute();
  });

  it('are never added up: each currency has its own sum, dollars where a row names none; counts have one', async () => {
    expect(await totals({ siteId: 'SZ' })).toEqual({
      lineCount: '5',
      correctionAmount: {},
      excludingTaxAmount: {},
      taxAmount: {},
      includingTaxAmount: { CNY: '1200.300000', USD: '30.000001' },
    });
    expect((await totals({}))['includingTaxAmount']).toMatchObject({ EUR: '-7.000000' });
    expect((await totals({ currency: 'CNY' }))['includingTaxAmount']).toEqual({ CNY: '1200.300000' });
  });

  it('have no sum where there are none', async () => {
    expect(await totals({ rfbId: 'nothing' })).toMatchObject({ lineCount: '0', includingTaxAmount: {} });
  });

  it('are read by one statement', async () => {
    const ask = vi.spyOn(testApp.db, 'executeQuery');
    await totals({ rfbId: 'RFB20260305' });
    const said = ask.mock.calls.map(([it]) => ('sql' in it ? it.sql : '')).filter((it) => it.includes('sum('));
    ask.mockRestore();
    expect(said).toHaveLength(1);
  });
});

it('no list gets totals that it does not ask for, and none where no total is wanted', async () => {
  expect(await pager({ total: 'none' })).not.toHaveProperty('totals');
  const { data } = await testApp.ask('GET', '/api/ubsSite/pager.json', {}, { as: 'admin' });
  expect(data).not.toHaveProperty('totals');
});
