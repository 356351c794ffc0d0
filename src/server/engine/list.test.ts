import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { addProbe, putRows } from '#tests/support/probe.ts';

let testApp: TestApp;
const NOON = Date.parse('2026-03-05T12:00:00+08:00');
const DAY = 86_400_000;

beforeAll(async () => {
  testApp = await startTestApp();
  await addProbe(testApp);
  await putRows(
    testApp,
    'probe',
    Array.from({ length: 30 }, (_, i) => ({
      probeId: `PBE20260305${String(i + 1).padStart(5, '0')}`,
      title: `row ${i + 1}`,
      shop: i < 3 ? `AB-${i}` : `XAB-${i}`,
      count: i % 3,
      serial: 1000 + i,
      amount: `${i}.5`,
      day: i === 7 ? '2026-03-05' : null,
      seenAt: new Date(NOON + i * DAY),
      month: '2026-03',
      status: i % 2 === 0 ? '0' : '1',
      shipId: i === 4 ? 'SF' : null,
      siteId: 'SZ',
    })),
  );
  await putRows(testApp, 'probe', [
    { probeId: 'PBE2026030600001', title: '50% off', siteId: 'SZ' },
    { probeId: 'PBE2026030600002', title: '50 off_x', siteId: 'SZ' },
    { probeId: 'PBE2026030600003', title: 'a\\b', siteId: 'SZ' },
  ]);
});
afterAll(() => testApp.close());

type Row = Record<string, unknown>;
const list = async (query: object = {}) => {
  const answer = await testApp.ask<{ items: Row[]; itemTotal: number | null } & Row>(
    'GET',
    '/api/probe/pager.json',
    query,
    { as: 'prober' },
  );
  expect(answer, answer.msg).toMatchObject({ status: 200, code: '000000' });
  return answer.data;
};
const titles = async (query: object) => (await list({ pageCount: 200, ...query })).items.map((it) => it['title']);
const refusal = async (query: object) => {
  const { code, msg } = await testApp.ask('GET', '/api/probe/pager.json', query, { as: 'prober' });
  return `${code} ${msg}`;
};

describe('a page of a list', () => {
  it('is read from pageStart, pageCount, sortBy and order, with the exact total [P-LST-02]', async () => {
    const page = await list({ pageStart: 10, pageCount: 5, sortBy: 'serial', order: 'asc' });
    expect(page.items.map((it) => it['serial'])).toEqual([1010, 1011, 1012, 1013, 1014]);
    expect(page.itemTotal).toBe(33);
    const back = await list({ pageStart: 0, pageCount: 2, sortBy: 'serial', order: 'desc', status: '1' });
    expect(back.items.map((it) => it['serial'])).toEqual([1029, 1027]);
    expect(back.itemTotal).toBe(15);
  });

  it('has title, items, itemTotal and tableName, labelled in the language of the asker [P-LST-03]', async () => {
    const page = await list({ pageCount: 1 });
    expect(page['title']).toMatchObject({ probeId: 'Probe', title: 'Title', seenAt: 'Seen at' });
    expect(Object.keys(page['title'] as Row)).toEqual(testApp.model.definitions.get('probe')?.list?.columns);
    expect(page).toMatchObject({ itemTotal: 33, tableName: 'Probes', link: true, maxHeight: 540 });
    expect(page['named']).toMatchObject([{ name: 'probeId', label: 'Probe' }]);
    const zh = await testApp.ask<Row>('GET', '/api/probe/pager.json', {}, { as: 'prober', lang: 'zh' });
    expect(zh.data).toMatchObject({ tableName: '样单', title: { title: '名称', seenAt: '时间' } });
  });

  it('is ten rows long unless said otherwise, newest first, and empty beyond the end', async () => {
    const page = await list();
    expect(page.items).toHaveLength(10);
    expect(page.items[0]?.['title']).toBe('a\\b');
    expect((await list({ pageStart: 500 })).items).toEqual([]);
  });

  it('shows each row once, however many rows are equal in the sorted column', async () => {
    const pages = await Promise.all(
      [0, 7, 14, 21, 28].map((pageStart) => list({ pageStart, pageCount: 7, sortBy: 'month', order: 'asc' })),
    );
    const seen = pages.flatMap((it) => it.items.map((row) => row['id']));
    expect(seen).toHaveLength(33);
    expect(new Set(seen).size).toBe(33);
  });

  it('tells the labels of the rows that it refers to, once a page', async () => {
    const page = await list({ shipId: 'SF' });
    expect(page['labels']).toEqual({ shipId: { SF: '顺丰速运' }, siteId: { SZ: '深圳维修中心' } });
  });

  it('leaves the total out when it is not wanted', async () => {
    expect((await list({ total: 'none' })).itemTotal).toBeNull();
  });

  it.each([
    [{ sortBy: 'secret' }, 'secret'],
    [{ sortBy: 'cost' }, 'cost'],
    [{ sortBy: 'id; DROP TABLE probe' }, 'id; DROP TABLE probe'],
    [{ sortBy: '__proto__' }, '__proto__'],
    [{ sortBy: 'serial', order: 'asc, id' }, 'asc, id'],
    [{ pageCount: 201 }, 'pageCount'],
    [{ pageCount: 0 }, 'pageCount'],
    [{ pageCount: 1.5 }, 'pageCount'],
    [{ pageStart: -1 }, 'pageStart'],
    [{ pageStart: 'x' }, 'pageStart'],
    [{ colour: 'red' }, 'colour'],
    [{ secret: 'x' }, 'secret'],
    [{ cost: '1' }, 'cost'],
    [{ constructor: 'x' }, 'constructor'],
    [{ count: 'many' }, 'Count'],
    [{ seenAtStart: 'yesterday' }, 'Seen at'],
    [{ title: 'x'.repeat(201) }, 'Title'],
  ])('refuses %o by name', async (query, name) => {
    const said = await refusal(query);
    expect(said).toMatch(/^100015 /);
    expect(said).toContain(name);
  });

  it('takes 200 rows at once', async () => {
    expect((await list({ pageCount: 200 })).items).toHaveLength(33);
  });
});

describe('a simple search', () => {
  it('finds text anywhere, in either case, with its signs as they are', async () => {
    expect(await titles({ title: 'ROW 2' })).toHaveLength(11);
    expect(await titles({ title: '50%' })).toEqual(['50% off']);
    expect(await titles({ title: 'off_' })).toEqual(['50 off_x']);
    expect(await titles({ title: '\\' })).toEqual(['a\\b']);
  });

  it('finds codes from their beginning', async () => {
    expect(await titles({ shop: 'ab-' })).toHaveLength(3);
    expect(await titles({ shop: 'AB-1' })).toEqual(['row 2']);
    expect(await titles({ probeId: 'PBE20260306' })).toHaveLength(3);
  });

  it('finds numbers, a unique one too, decimals and options by their value', async () => {
    expect(await titles({ count: 2 })).toHaveLength(10);
    expect(await titles({ serial: 1004 })).toEqual(['row 5']);
    expect(await titles({ serial: 100 })).toEqual([]);
    expect(await titles({ amount: '3.50' })).toEqual(['row 4']);
    expect(await titles({ status: '0' })).toHaveLength(15);
    expect(await titles({ month: '2026-03' })).toHaveLength(30);
  });

  it('finds a day by any moment of it in the workshop', async () => {
    const midnight = Date.parse('2026-03-05T00:00:00+08:00');
    expect(await titles({ day: midnight })).toEqual(['row 8']);
    expect(await titles({ day: midnight + DAY - 1 })).toEqual(['row 8']);
    expect(await titles({ day: midnight - 1 })).toEqual([]);
  });

  it('finds moments from and to, both included', async () => {
    expect(await titles({ seenAtStart: NOON + 3 * DAY, seenAtEnd: NOON + 5 * DAY })).toEqual([
      'row 6',
      'row 5',
      'row 4',
    ]);
    expect(await titles({ seenAtEnd: NOON })).toEqual(['row 1']);
  });

  it('takes no notice of what was left empty', async () => {
    expect(await titles({ title: '', count: '', status: ' ' })).toHaveLength(33);
  });
});

describe('what a list can be searched by', () => {
  const items = async (lang: 'zh' | 'en') =>
    (await testApp.ask<{ items: Row[] }>('GET', '/api/probe/searchItems.json', {}, { as: 'prober', lang })).data.items;

  it('comes in the order of the definition, in the language asked for, a moment as from and to [P-SRC-01]', async () => {
    const named = (await items('en')).map((it) => `${String(it['queryName'])}=${String(it['name'])}`);
    expect(named).toEqual([
      'title=Title',
      'probeId=Probe',
      'shop=Code',
      'count=Count',
      'day=Day',
      'seenAtStart=Seen at from',
      'seenAtEnd=Seen at to',
      'month=Month',
      'status=Status',
      'shipId=Shipment',
    ]);
    expect((await items('zh'))[0]).toMatchObject({ name: '名称' });
  });

  it('has name, queryName, type and the options of a select, each with value and optionName [P-SRC-02]', async () => {
    const all = await items('zh');
    for (const it of all) expect(Object.keys(it)).toEqual(expect.arrayContaining(['name', 'queryName', 'type']));
    const of = (name: string) => all.find((it) => it['queryName'] === name);
    expect(of('status')).toMatchObject({ type: 'select' });
    expect(of('status')?.['options']).toContainEqual({ value: '2', optionName: '已完结', tone: 'done' });
    expect(of('shipId')?.['options']).toContainEqual({ value: 'SF', optionName: '顺丰速运' });
    expect(of('count')).toEqual({ name: '数量', queryName: 'count', type: 'Integer' });
  });
});
