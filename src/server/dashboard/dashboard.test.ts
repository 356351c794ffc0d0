import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unitOnBill } from '#tests/support/factories.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import type { Drill } from '#domain/wire.ts';

type Drills = Partial<Record<string, Drill>>;
interface DashboardAnswer {
  coins: { value: string; optionName: string; selected: boolean }[];
  hashRate: { coin: string; rate: number; online: number } | null;
  cards: { node: string; count: number; arrived: number; arrivedBefore: number; waiting: object }[];
  turnaround: { from: number; delivered: number; middle: number | null; slow: number | null; drills: Drills }[];
  returns: { from: number; first: number; again: number; drills: Drills }[];
}

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const dashboard = async (as: string) =>
  (await testApp.ask<DashboardAnswer>('GET', '/api/dashBoard.json', {}, { as })).data;
const counts = async (as: string) => (await dashboard(as)).cards.map((it) => [it.node, it.count]);
const unit = (sn: string, siteId: string, ivyId: string | null) => ({
  sn,
  siteId,
  ivyId,
  type: '0',
  salesCode: 'RX19',
});

it('is told to nobody without a session, and to who may not see the inventory without its numbers', async () => {
  expect((await testApp.ask('GET', '/api/dashBoard.json')).code).toBe('401');
  await testApp.db
    .insertInto('admin_user')
    .values({ userId: 'guest', userName: 'guest', roleIds: 'nobody', siteId: 'SZ', status: '1', allSites: '0' })
    .execute();
  expect(await dashboard('guest')).toMatchObject({ hashRate: null, cards: [], turnaround: [], returns: [] });
});

describe('the numbers', () => {
  it('count the units at each node of the sites that the user may see, and open the list that says the same [P-DSH-01]', async () => {
    await testApp.db
      .insertInto('rma_inventory')
      .values([
        unit('A1', 'SZ', '10'),
        unit('A2', 'SZ', '10'),
        unit('A3', 'SZ', '100'),
        unit('A4', 'SZ', null),
        unit('B1', 'NB', '10'),
        unit('B2', 'NB', '900'),
      ])
      .execute();
    expect(await counts('tech')).toEqual([
      ['10', 2],
      ['100', 1],
    ]);
    expect(await counts('techNB')).toEqual([['10', 1]]);
    expect(await counts('admin')).toEqual([
      ['10', 3],
      ['100', 1],
    ]);
    for (const [node, count] of await counts('tech')) {
      const list = await testApp.ask('GET', '/api/rmaInventory/pager.json', { ivyId: node }, { as: 'tech' });
      expect(list.data).toMatchObject({ itemTotal: count });
    }
  });

  it('follow the next move at once, and tell how long the units have stood', async () => {
    await testApp.db
      .updateTable('rma_inventory')
      .set({ ivyId: '50', updateTime: sql`now() - interval '2 days'` })
      .where('sn', '=', 'A1')
      .execute();
    const { cards } = await dashboard('tech');
    expect(cards.map((it) => [it.node, it.count, it.waiting])).toEqual([
      ['10', 1, { short: 1, days: 0, long: 0 }],
      ['50', 1, { short: 0, days: 1, long: 0 }],
      ['100', 1, { short: 1, days: 0, long: 0 }],
    ]);
  });

  it('tell how many came to a node in the last seven days and in the seven before, those undone left out', async () => {
    const came = (days: number, operateStatus = 'Normal', more: object = {}) => ({
      sn: `A${days}`,
      siteId: 'SZ',
      step: 'receive',
      toNode: '10',
      operateStatus,
      eventTime: new Date(Date.now() - days * 86_400_000),
      ...more,
    });
    // Checked, confirmed or called otherwise there, it came once; from another site it came again.
    const stayed = [came(1, 'Normal', { fromNode: '10' }), came(3, 'Normal', { sn: 'X', fromNode: '10' }), came(6)];
    const fromElsewhere = came(2, 'Normal', { sn: 'Y', fromNode: '10', fromSiteId: 'NB' });
    await testApp.db
      .insertInto('rma_transaction')
      .values([came(1), came(6), came(8), came(15), came(2, 'Rollbacked'), ...stayed, fromElsewhere])
      .execute();
    const at = async (as: string) => (await dashboard(as)).cards.find((it) => it.node === '10');
    expect(await at('tech')).toMatchObject({ arrived: 3, arrivedBefore: 1 });
    expect(await at('techNB')).toMatchObject({ arrived: 0, arrivedBefore: 0 });
  });
});

describe('the charts', () => {
  it('tell the middle of the days from receipt to delivery for each of eight weeks', async () => {
    for (const days of [2, 4, 9]) {
      const { mtbliId } = await unitOnBill(testApp.db, { node: '900' });
      await sql`UPDATE rma_maintain_bill_line_item SET "deliverTime" = now(),
        "receiveTime" = now() - make_interval(days => ${days}::int) WHERE "mtbliId" = ${mtbliId}`.execute(testApp.db);
    }
    const { turnaround } = await dashboard('tech');
    expect(turnaround).toHaveLength(8);
    expect(turnaround.at(-1)).toMatchObject({ delivered: 3, middle: 4, slow: 8 });
    expect(turnaround[0]).toMatchObject({ delivered: 0, middle: null });
    expect((await dashboard('techNB')).turnaround.at(-1)).toMatchObject({ delivered: 0 });
  });

  it('tell for each of six months how much of what was received had been here shortly before', async () => {
    const { mtbliId } = await unitOnBill(testApp.db, { node: '10' });
    await sql`UPDATE rma_maintain_bill_line_item SET "receiveTime" = now(), continues = '1' WHERE "mtbliId" = ${mtbliId}`.execute(
      testApp.db,
    );
    const { returns } = await dashboard('tech');
    expect(returns).toHaveLength(6);
    expect(returns.at(-1)?.again).toBe(1);
    const total = returns.reduce((sum, it) => sum + it.first + it.again, 0);
    const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM rma_maintain_bill_line_item
      WHERE "receiveTime" > now() - interval '5 months' AND "siteId" = 'SZ'`.execute(testApp.db);
    expect(total).toBe(rows[0]?.n);
  });
});

describe('the coins', () => {
  it('are told with their names, the first selected until somebody chose [P-DSH-02]', async () => {
    const { coins } = await dashboard('tech');
    expect(coins[0]).toEqual({ value: 'BTC', optionName: 'Bitcoin BTC', selected: true });
    expect(coins.filter((it) => it.selected)).toHaveLength(1);
  });

  it('change by GET with token and name, for this user alone; the hash rate is then of the other coin [P-DSH-03]', async () => {
    await testApp.db
      .insertInto('user_speed')
      .values([
        { userOid: 'R1', name: 'R1', siteId: 'SZ', coin: 'BTC', currentRate: 100, workersOnline: 2 },
        { userOid: 'R2', name: 'R2', siteId: 'SZ', coin: 'LTC', currentRate: 5, workersOnline: 1 },
        { userOid: 'R3', name: 'R3', siteId: 'NB', coin: 'LTC', currentRate: 7, workersOnline: 1 },
      ])
      .execute();
    expect((await dashboard('admin')).hashRate).toMatchObject({ coin: 'BTC', rate: 100, online: 2, accounts: 1 });
    const change = (coinName: string, as?: string) =>
      testApp.ask('GET', '/api/coinChange.json', { token: 'any', coinName }, as ? { as } : {});
    expect((await change('LTC')).code).toBe('401');
    expect((await change('DOGE', 'admin')).code).toBe('100002');
    expect((await change('LTC', 'admin')).code).toBe('000000');
    const { coins, hashRate } = await dashboard('admin');
    expect(coins.find((it) => it.selected)?.value).toBe('LTC');
    expect(hashRate).toMatchObject({ coin: 'LTC', rate: 12, online: 2, accounts: 2 });
    expect((await dashboard('tech')).coins.find((it) => it.selected)?.value).toBe('BTC');
  });
});
