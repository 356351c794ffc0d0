import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, stockMachine, unitOnBill, type UnitOnBill } from '#tests/support/factories.ts';
import { at, checked, delivered, happened, repaired } from '#tests/support/history.ts';
import { readRows } from '#tests/support/reports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
const october = { startDate: '2026-10-01', endDate: '2026-10-31' };

describe('the main bill data', () => {
  it('tell one row a bill that was made in the range, with its counts and times', async () => {
    const { db } = app;
    const bill = await maintainBill(db, {
      createTime: at('2026-10-01 00:00'),
      billStatus: '2',
      btmMtbId: 'W7',
      receivePackageCount: 3,
      mobile: '138',
    });
    const item = { receiveTime: at('2026-10-03') };
    const gone = await unitOnBill(db, { node: Node.Shipped, bill, item: { ...item, deliverStatus: '2' } });
    await unitOnBill(db, { node: Node.Scrapped, bill, item });
    await happened(db, gone, [['deliver', '2026-10-11 00:00']]);
    const open = await maintainBill(db, { createTime: at('2026-10-31 23:59'), billStatus: '0' });
    await maintainBill(db, { createTime: at('2026-09-30 23:59') });
    await maintainBill(db, { createTime: at('2026-11-01 00:00') });
    await maintainBill(db, { createTime: at('2026-10-15'), siteId: 'NB' });

    const rows = await readRows(app, 'exportMainBillData', { ...october, sites: ['SZ'] });
    expect(rows.map((it) => it['mtbId'])).toEqual([bill.mtbId, open.mtbId]);
    expect(rows[0]).toMatchObject({
      site: '深圳维修中心',
      btmMtbId: 'W7',
      billStatus: '2',
      receivePackageCount: 3,
      count: 2,
      receiveCount: 2,
      deliverCount: 1,
      scrapCount: 1,
      duration: 10,
      createTime: Date.parse(at('2026-10-01 00:00')),
      receiveTime: Date.parse(at('2026-10-03')),
      finishTime: Date.parse(at('2026-10-11 00:00')),
    });
    expect(rows[1]).toMatchObject({ count: null, receiveTime: null, finishTime: null });
    const siteId = 'NB';
    expect(await readRows(app, 'exportMainBillData', { ...october, siteId })).toMatchObject([{ site: '宁波维修中心' }]);
    expect(await readRows(app, 'exportMainBillData', { ...october, siteId, sites: ['SZ'] })).toEqual([]);
  });
});

describe('the repair order statistics', () => {
  it('tell every repair row of the range, of one work order where it is named', async () => {
    const { db } = app;
    const unit = await unitOnBill(db, { node: Node.AwaitingAssembly, item: { warranty: '1' } });
    const rpbId = await repaired(db, unit, '2026-10-20', [
      { sn: 'BRD1', slot: 'U1,U2', repairMarking: 'M', replaceSn: 'BRD2' },
      { sn: 'BRD3', partsType: '8', repairMethod: '8', slot: 'U3', spendCount: 1 },
    ]);
    const stock = {
      ...unit,
      sn: await stockMachine(db, Node.AwaitingAssembly),
      mtbId: null as never,
      mtbliId: null as never,
    };
    await repaired(db, stock, '2026-10-21');
    await repaired(db, { ...unit, siteId: 'NB' }, '2026-10-21');
    await repaired(db, unit, '2026-11-01 00:00');

    const rows = await readRows(app, 'exportRepairOrder', { ...october, sites: ['SZ'] });
    expect(rows.map((it) => [it['sn'], it['componentSn'], it['slot']])).toEqual([
      [unit.sn, 'BRD1', 'U1,U2'],
      [unit.sn, 'BRD3', 'U3'],
      [stock.sn, null, 'U1,U2'],
    ]);
    expect(rows[0]).toMatchObject({
      mtbId: unit.mtbId,
      rpbId,
      salesCode: 'RX19',
      warranty: '1',
      operator: 'tech',
      partsType: '7',
      icdIds: 'RP01',
      repairMethod: '2',
      repairMarking: 'M',
      spendCount: 2,
      replaceSn: 'BRD2',
      repairTime: Date.parse(at('2026-10-20')),
    });
    expect(rows[2]).toMatchObject({ mtbId: null, salesCode: 'RX19', warranty: null });
    const { mtbId } = unit;
    expect(await readRows(app, 'exportRepairOrder', { ...october, mtbId, sites: ['SZ'] })).toHaveLength(2);
  });
});

describe('the on-site repair statistics', () => {
  it('tell every row that was submitted on site', async () => {
    const { db } = app;
    const finishTime = at('2026-10-09');
    await db
      .insertInto('rma_site_repair_bill')
      .values([
        { osbId: 'OSB1', mtbId: 'MTB-X', siteId: 'SZ', billStatus: '1', userName: '李雷', finishTime },
        { osbId: 'OSB2', mtbId: 'MTB-Y', siteId: 'NB', billStatus: '0' },
      ])
      .execute();
    const line = {
      productSn: 'DEV1',
      componentSn: 'BRD1',
      partsType: '7',
      slot: 'U1',
      repairMethod: '2',
      userId: 'tech',
    };
    await db
      .insertInto('rma_site_repair_bill_line')
      .values([
        {
          ...line,
          osbId: 'OSB1',
          submitTime: at('2026-10-08'),
          spendItemCount: 3,
          icdIds: 'RP01',
          checkIcdIds: 'FX01',
        },
        { ...line, osbId: 'OSB1', submitTime: at('2026-11-08') },
        { ...line, osbId: 'OSB2', submitTime: at('2026-10-08') },
      ])
      .execute();
    expect(await readRows(app, 'exportOnSiteRepairStatistics', { ...october, sites: ['SZ'] })).toMatchObject([
      {
        site: '深圳维修中心',
        osbId: 'OSB1',
        mtbId: 'MTB-X',
        sn: 'DEV1',
        componentSn: 'BRD1',
        checkIcdIds: 'FX01',
        icdIds: 'RP01',
        spendItemCount: 3,
        operator: 'tech',
        submitTime: Date.parse(at('2026-10-08')),
        finishTime: Date.parse(finishTime),
      },
    ]);
  });
});

describe('the stock status', () => {
  it('counts what is in the house now by site, warehouse, model and node, and what is held or on its way [S-STK-03]', async () => {
    const { db } = app;
    const shelf = { siteId: 'US', subinventoryCode: 'FG', storageType: '0' };
    const tallied = await stockMachine(db, Node.CanShip, shelf);
    const free = await stockMachine(db, Node.CanShip, shelf);
    const sent = await stockMachine(db, Node.CanShip, shelf);
    await stockMachine(db, Node.AwaitingRepair, { siteId: 'US', storageType: '1' });
    await stockMachine(db, Node.Shipped, shelf);
    const line = { skbId: 'SKB-1', mtbId: 'MTB-S', mtblId: 'MBL-S', mtbliId: 'MBI-S', delivered: '0' };
    await db
      .insertInto('rma_stockup_bill')
      .values([
        { skbId: 'SKB-1', mtbId: 'MTB-S', deliverShipNo: 'SKB-1', status: '0', siteId: 'US' },
        { skbId: 'SKB-2', mtbId: 'MTB-S', deliverShipNo: 'SKB-2', status: '4', siteId: 'US' },
      ])
      .execute();
    await db
      .insertInto('rma_stockup_bill_line')
      .values([
        { ...line, skblId: 'L1', sn: tallied },
        { ...line, skblId: 'L2', skbId: 'SKB-2', sn: free },
      ])
      .execute();
    await db
      .insertInto('rma_stock_transfer_bill')
      .values({ sktbId: 'T1', billStatus: '1', deliverSiteId: 'US', receiveSiteId: 'SZ' })
      .execute();
    await db
      .insertInto('rma_stock_transfer_bill_line')
      .values({ sktblId: 'TL1', sktbId: 'T1', storageType: '0' })
      .execute();
    await db
      .insertInto('rma_stock_transfer_bill_line_item')
      .values({ sktblId: 'TL1', sn: sent, snStatus: '1', fromNode: '100', fromSubinventoryCode: 'FG' })
      .execute();
    const left = { ivyId: null, storageType: null, subinventoryCode: null };
    const held = { holdKind: 'transfer', holdBillId: 'T1' };
    await db
      .updateTable('rma_inventory')
      .set({ ...left, ...held })
      .where('sn', '=', sent)
      .execute();

    const rows = await readRows(app, 'exportStockStatus', { sites: ['US'] });
    expect(rows).toMatchObject([
      { warehouse: 'FG', storageType: '0', node100: 2, node50: 0, locked: 1, inTransit: 1, total: 2 },
      { warehouse: null, storageType: '1', node100: 0, node50: 1, locked: 0, inTransit: 0, total: 1 },
    ]);
    expect(rows[0]).toMatchObject({ site: 'Houston', salesCode: 'RX19', productName: 'RX19', itemType: '0' });
    await db.updateTable('ubs_item').set({ itemType: '2' }).where('salesCode', '=', 'RX19').execute();
    expect((await readRows(app, 'exportStockStatus', { sites: ['US'] }))[0]).toMatchObject({ itemType: '2' });
  });
});

describe('the supplier statistics', () => {
  let unit: UnitOnBill;
  beforeAll(async () => {
    const { db } = app;
    const bill = await maintainBill(db, { siteId: 'NB', btmMtbId: 'W100', btmUserId: 'acme' });
    const of = { node: Node.Shipped, siteId: 'NB' } as const;
    unit = await unitOnBill(db, { ...of, bill, item: { receiveTime: at('2026-10-02'), depreciation: 'C' } });
    await happened(db, unit, [['receive', '2026-10-02', { userId: 'whNB' }]]);
    await checked(db, unit, '2026-10-03', { icdIds: 'CL15', repairChipCount: 4, scrapStatus: '2' });
    await repaired(db, unit, '2026-10-04', [{ slot: 'U1,U2' }, { slot: '', spendCount: 0 }]);
    await delivered(db, unit, '2026-10-05', 'EXCHANGED');
    const other = await unitOnBill(db, { ...of, salesCode: 'RX21', item: { receiveTime: at('2026-10-02') } });
    await delivered(db, other, '2026-10-06');
  });
  const ask = (reportType: string, more: object = {}) =>
    readRows(app, 'exportSupplierStatistics', { ...october, sites: ['NB'], reportType, ...more });
  const mine = { btmUserId: 'acme' };

  it.each([
    ['1', { receiveTime: Date.parse(at('2026-10-02')), operator: 'whNB', depreciation: 'C', quantity: 1 }, 1],
    ['2', { checkTime: Date.parse(at('2026-10-03')), icdIds: 'CL15', scrapStatus: '2', operator: 'tech' }, 1],
    ['3', { deliverTime: Date.parse(at('2026-10-05')), deliverSn: 'EXCHANGED', operator: 'warehouse' }, 1],
    ['4', { slot: 'U1,U2', repairMethod: '2', spendCount: 2, chipCount: 4, operator: 'tech' }, 2],
    ['6', { slot: 'U1', repairMethod: '2', chipCount: 4 }, 3],
  ])('tell with type %s what that step did [P-STA-03]', async (reportType, columns, count) => {
    const rows = await ask(reportType, mine);
    expect(rows).toHaveLength(count);
    expect(rows[0]).toMatchObject({ sn: unit.sn, mtbId: unit.mtbId, btmMtbId: 'W100', btmUserId: 'acme', ...columns });
    expect(await ask(reportType, { ...mine, sites: ['SZ'] })).toEqual([]);
    expect(await ask(reportType, { ...mine, startDate: '2026-10-06' })).toEqual([]);
  });

  it('tell one row a slot with type 6, a repair without slots included', async () => {
    expect((await ask('6', mine)).map((it) => it['slot'])).toEqual(['U1', 'U2', null]);
  });

  it.each([
    [{}, 2],
    [{ salesCodeDesc: 'rx21' }, 1],
    [{ salesCodeDesc: '104T' }, 2],
    [{ salesCodeDesc: '%' }, 0],
    [{ btmMtbId: 'W100' }, 1],
    [{ btmMtbId: 'W' }, 0],
    [{ btmUserId: 'nobody' }, 0],
    [{ mtbId: 'MTB-NONE' }, 0],
  ])('are narrowed by %j to %i deliveries', async (filter, count) => {
    expect(await ask('3', filter)).toHaveLength(count);
  });
});
