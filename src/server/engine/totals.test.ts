import { afterAll, beforeAll, expect, it } from 'vitest';
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
  totals?: Record<string, string>;
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

it('no list gets totals that it does not ask for, and none where no total is wanted', async () => {
  expect(await pager({ total: 'none' })).not.toHaveProperty('totals');
  const { data } = await testApp.ask('GET', '/api/ubsSite/pager.json', {}, { as: 'admin' });
  expect(data).not.toHaveProperty('totals');
});
