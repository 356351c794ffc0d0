import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Definition } from '#domain/definition/grammar.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { addProbe, putRows } from '#tests/support/probe.ts';

let testApp: TestApp;
let definition: Definition;
beforeAll(async () => {
  testApp = await startTestApp();
  await addProbe(testApp);
  definition = testApp.model.definitions.get('probe') as Definition;
  Object.assign(definition.list as object, {
    tabs: 'status',
    shown: ['probeId', 'count', 'shipId'],
    under: { count: 'title' },
    groups: [{ label: { zh: '数', en: 'Numbers' }, columns: ['count', 'serial'] }],
  });
  const rows = (siteId: string, from: number) =>
    Array.from({ length: 5 }, (_, i) => ({
      probeId: `PBE20260305${String(from + i).padStart(5, '0')}`,
      title: `row ${i}`,
      count: i,
      status: i === 4 ? null : i === 3 ? '1' : '0',
      siteId,
    }));
  await putRows(testApp, 'probe', [...rows('SZ', 1), ...rows('NB', 6)]);
});
afterAll(() => testApp.close());

type Counts = { counts: Record<string, number> };
const counts = (query = '', body: object = {}, as = 'prober') =>
  testApp.ask<Counts>('POST', `/api/probe/tabCounts.json${query}`, body, { as });
const countOf = async (query?: string, body?: object) => (await counts(query, body)).data.counts;
const rule = (column: string, relation: string, value: string) => ({
  adminAdvancedSearchGroup: { connector: 'AND', rules: [{ connector: 'AND', column, relation, value }], groups: [] },
});

describe('the counts of a list’s tabs', () => {
  it('are for those who may open the list, and of a list that has tabs', async () => {
    expect(await testApp.ask('POST', '/api/probe/tabCounts.json', {})).toMatchObject({ status: 401 });
    expect(await counts('', {}, 'viewer')).toMatchObject({ status: 403, code: '100013' });
    expect(await testApp.ask('POST', '/api/probeLine/tabCounts.json', {}, { as: 'prober' })).toMatchObject({
      code: '100050',
    });
  });

  it('refuse what no search may ask', async () => {
    for (const [query, body] of [
      ['?nothing=1', {}],
      ['?pageCount=500', {}],
      ['', { ids: [1] }],
      ['', rule('nothing', 'EQUAL_TO', '1')],
    ] as const)
      expect((await counts(query, body)).code).toBe('100015');
  });

  it('count the user’s own rows by their state, rows without one by themselves, so that all are all', async () => {
    expect(await countOf()).toEqual({ '0': 3, '1': 1, '': 1 });
  });

  it('count under the search, whichever tab is chosen', async () => {
    expect(await countOf('?title=row%201')).toEqual({ '0': 1 });
    expect(await countOf('?status=1')).toEqual({ '0': 3, '1': 1, '': 1 });
    expect(await countOf('', rule('count', 'GREATER_THAN', '1'))).toEqual({ '0': 1, '1': 1, '': 1 });
    expect(await countOf('?title=row%203', rule('count', 'GREATER_THAN', '1'))).toEqual({ '1': 1 });
  });

  it('follow a change at once', async () => {
    const before = await countOf();
    await putRows(testApp, 'probe', [{ probeId: 'PBE2026030700001', title: 'new', status: '1', siteId: 'SZ' }]);
    expect(await countOf()).toEqual({ ...before, '1': (before['1'] ?? 0) + 1 });
  });
});

describe('the chosen columns of a list', () => {
  it('are its title; the others come along, with what stands under one and the sets of them [P-LST-04]', async () => {
    const { data } = await testApp.ask<{
      title: object;
      columns: { name: string; under?: string }[];
      items: object[];
      groups: object[];
      tabs: string;
    }>('GET', '/api/probe/pager.json', {}, { as: 'prober' });
    expect(Object.keys(data.title)).toEqual(['probeId', 'count', 'shipId']);
    expect(data.columns.map((it) => it.name).sort()).toEqual([...(definition.list?.columns ?? [])].sort());
    expect(data.columns.find((it) => it.name === 'count')?.under).toBe('title');
    expect(data.items[0]).toHaveProperty('title');
    expect(data.groups).toEqual([{ label: 'Numbers', columns: ['count', 'serial'] }]);
    expect(data.tabs).toBe('status');
  });
});
