import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { addProbe, putRows } from '#tests/support/probe.ts';

type Row = Record<string, unknown> & { id: number };

const ROWS = 1_250;
const PAGE = 200;
let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
  await addProbe(testApp);
  await putRows(
    testApp,
    'probe',
    Array.from({ length: ROWS }, (_, i) => ({
      probeId: `PBE20260305${String(((i * 7) % ROWS) + 1).padStart(5, '0')}`,
      title: `row ${i}`,
      shop: i % 5 === 0 ? null : `S${i % 11}`,
      count: i % 3,
      serial: i % 4 === 0 ? null : (i * 13) % 10_007,
      siteId: 'SZ',
    })),
  );
});
afterAll(() => testApp.close());

const everyPage = async (query: object): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let pageStart = 0; pageStart < ROWS + PAGE; pageStart += PAGE) {
    const answer = await testApp.ask<{ items: Row[] }>(
      'GET',
      '/api/probe/pager.json',
      { ...query, pageStart, pageCount: PAGE },
      { as: 'prober' },
    );
    expect(answer.code, answer.msg).toBe('000000');
    rows.push(...answer.data.items);
  }
  return rows;
};

/** What is empty last, equal values by their ids, in the same direction. */
const sorted = (rows: readonly Row[], name: string, sign: 1 | -1): Row[] =>
  rows.toSorted((a, b) => {
    const [left, right] = [a[name], b[name]] as (string | number | null)[];
    if (left === right) return sign * (a.id - b.id);
    if (left === null) return 1;
    if (right === null) return -1;
    return sign * ((left as string) < (right as string) ? -1 : 1);
  });

it.each(['serial', 'shop', 'count', 'probeId', 'id'])(
  'is the order of %s on every page, both ways, what is empty last and equal values by their ids [P-LST-02]',
  async (sortBy) => {
    const all = await everyPage({ sortBy: 'id', order: 'asc' });
    expect(all).toHaveLength(ROWS);
    for (const [order, sign] of [
      ['asc', 1],
      ['desc', -1],
    ] as const) {
      const ids = (await everyPage({ sortBy, order })).map((it) => it.id);
      expect(ids).toEqual(sorted(all, sortBy, sign).map((it) => it.id));
    }
  },
);

it('gives a page anew as soon as a row of it has changed, far down too', async () => {
  const query = { sortBy: 'serial', order: 'asc', pageStart: 1_100, pageCount: 5 };
  const ask = async () =>
    (await testApp.ask<{ items: Row[] }>('GET', '/api/probe/pager.json', query, { as: 'prober' })).data.items;
  const [first] = await ask();
  await testApp.db
    .updateTable('probe' as never)
    .set({ title: 'renamed' } as never)
    .where('id' as never, '=', first?.id as never)
    .execute();
  expect((await ask())[0]).toMatchObject({ id: first?.id, title: 'renamed' });
});
