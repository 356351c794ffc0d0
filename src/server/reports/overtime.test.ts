import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, unitOnBill, type UnitOnBill } from '#tests/support/factories.ts';
import { daysAgo, happened } from '#tests/support/history.ts';
import { readRows } from '#tests/support/reports.ts';

let app: TestApp;
let units: Record<string, UnitOnBill>;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('unchecked overtime', () => {
  beforeAll(async () => {
    const { db } = app;
    const bill = await maintainBill(db, { btmMtbId: 'W1', receiveShipNo: 'SF1', btmUserId: 'acct', userName: '李雷' });
    units = {
      old: await unitOnBill(db, { node: Node.AwaitingCheck, bill, item: { receiveTime: daysAgo(10), warranty: '1' } }),
      fresh: await unitOnBill(db, { node: Node.AwaitingCheck, item: { receiveTime: daysAgo(2) } }),
      checked: await unitOnBill(db, {
        node: Node.AwaitingRepair,
        item: { receiveTime: daysAgo(10), checkTime: daysAgo(9) },
      }),
      aside: await unitOnBill(db, { node: Node.Scrapped, item: { receiveTime: daysAgo(10) } }),
      ancient: await unitOnBill(db, { node: Node.AwaitingCheck, item: { receiveTime: daysAgo(100) } }),
      other: await unitOnBill(db, { node: Node.AwaitingCheck, siteId: 'NB', item: { receiveTime: daysAgo(10) } }),
    };
  });
  const rows = (sites: 'all' | string[] = ['SZ']) => readRows(app, 'exportUncheckedOvertime', { days: [30, 0], sites });

  it('lists what waits for its check for more than three days, of the range and the site alone', async () => {
    expect((await rows()).map((it) => it['sn'])).toEqual([units['old']?.sn]);
  });

  it('says whose it is, how long it waits and where it stands', async () => {
    expect((await rows())[0]).toMatchObject({
      site: '深圳维修中心',
      mtbId: units['old']?.mtbId,
      btmMtbId: 'W1',
      receiveShipNo: 'SF1',
      btmUserId: 'acct',
      userName: '李雷',
      salesCode: 'RX19',
      productName: 'RX19',
      warranty: '1',
      waitingDays: 10,
      overdueDays: 7,
      node: '10',
    });
  });

  it('lists another site only for who sees it', async () => {
    expect((await rows('all')).map((it) => it['sn'])).toEqual([units['other']?.sn, units['old']?.sn]);
    expect(await rows([])).toEqual([]);
  });
});

describe('undelivered overtime', () => {
  const stored = async (days: number, item: object = {}, siteId = 'SZ') => {
    const unit = await unitOnBill(app.db, { node: Node.CanShip, siteId, item });
    await happened(app.db, unit, [['store', daysAgo(days)]]);
    return unit.sn;
  };

  it('lists what lies on the shelf too long, what is paused last and uncounted', async () => {
    const paused = await stored(20, { deliverPriority: '2', deliverStatus: '0' });
    const late = await stored(8);
    const later = await stored(5, { deliverPriority: '1' });
    await stored(2);
    await stored(60);
    await stored(8, {}, 'NB');
    const gone = await unitOnBill(app.db, { node: Node.Shipped });
    await happened(app.db, gone, [['store', daysAgo(8)]]);

    const ask = { days: [30, 0] as [number, number], sites: ['SZ'] };
    const rows = await readRows(app, 'exportUndeliveredOvertime', ask);
    expect(rows.map((it) => [it['sn'], it['waitingDays'], it['overdueDays'], it['overdue']])).toEqual([
      [late, 8, 5, 1],
      [later, 5, 2, 1],
      [paused, 20, null, 0],
    ]);
    expect(await readRows(app, 'exportUndeliveredOvertime', ask, 'footer')).toEqual([{ overdue: 2 }]);
  });

  it('goes by the last time that a unit was stored', async () => {
    const unit = await unitOnBill(app.db, { node: Node.CanShip, siteId: 'US' });
    await happened(app.db, unit, [
      ['store', daysAgo(20)],
      ['store', daysAgo(1)],
    ]);
    expect(await readRows(app, 'exportUndeliveredOvertime', { days: [30, 0], sites: ['US'] })).toEqual([]);
  });
});

describe('TAT overtime', () => {
  const sn = async (node: Node, item: object, story: Parameters<typeof happened>[2] = []) => {
    const unit = await unitOnBill(app.db, { node, siteId: 'US', item });
    await happened(app.db, unit, story);
    return unit;
  };

  it('lists what takes or took longer than fifteen days, with the time of each step', async () => {
    const late = await sn(Node.AwaitingRepair, { receiveTime: daysAgo(20) }, [
      ['receive', daysAgo(20)],
      ['check', daysAgo(12)],
      ['aging', daysAgo(8), { toNode: '50' }],
      ['qc', daysAgo(7), { operateStatus: 'Rollbacked' }],
    ]);
    const out = await sn(Node.Shipped, { receiveTime: daysAgo(25), deliverTime: daysAgo(9), deliverStatus: '2' }, [
      ['deliver', daysAgo(9)],
    ]);
    await sn(Node.Shipped, { receiveTime: daysAgo(25), deliverTime: daysAgo(15), deliverStatus: '2' });
    await sn(Node.AwaitingRepair, { receiveTime: daysAgo(14) });
    await sn(Node.AwaitingRepair, { receiveTime: daysAgo(80) });
    const thrown = await sn(Node.Scrapped, { receiveTime: daysAgo(28) }, [
      ['scrapConfirm', daysAgo(26), { fromNode: '10', toNode: '40' }],
    ]);

    const rows = await readRows(app, 'exportTatOvertime', { days: [30, 0], sites: ['US'] });
    expect(rows.map((it) => it['sn'])).toEqual([late.sn, out.sn]);
    expect(rows.map((it) => it['sn'])).not.toContain(thrown.sn);
    expect(rows[0]).toMatchObject({ tatDays: 20, target: 15, overdueDays: 5, node: '50', nodeDays: 8 });
    expect(rows[0]).toMatchObject({ repairTime: null, qcTime: null, deliverTime: null });
    expect(Number(rows[0]?.['checkTime'])).toBeCloseTo(Date.parse(daysAgo(12)), -5);
    expect(rows[1]).toMatchObject({ tatDays: 16, overdueDays: 1, node: '900', nodeDays: null });
  });

  it('does not count the time in which delivery was paused', async () => {
    const bill = await maintainBill(app.db, { siteId: 'NB' });
    const item = { receiveTime: daysAgo(20) };
    const paused = await unitOnBill(app.db, { node: Node.CanShip, bill, siteId: 'NB', item });
    const released = await unitOnBill(app.db, { node: Node.CanShip, bill, siteId: 'NB', item });
    const edit = (unit: UnitOnBill, days: number, deliverPriority: string) => ({
      at: daysAgo(days),
      userId: 'office',
      siteId: 'NB',
      what: 'editDeliver',
      module: 'rmaMaintainBillLineItem',
      recordId: unit.mtbliId,
      after: JSON.stringify({ deliverPriority }),
      requestId: 'T',
    });
    await app.db
      .insertInto('ledger')
      .values([edit(paused, 7, '2'), edit(released, 7, '2'), edit(released, 4, '0')])
      .execute();
    const rows = await readRows(app, 'exportTatOvertime', { days: [30, 0], sites: ['NB'] });
    expect(rows.map((it) => [it['sn'], it['tatDays'], it['overdueDays']])).toEqual([[released.sn, 17, 2]]);
  });
});
