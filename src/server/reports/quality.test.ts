import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnBillType } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { unitOnBill, type UnitOnBill } from '#tests/support/factories.ts';
import { at, checked, delivered, happened, repaired } from '#tests/support/history.ts';
import { readRows } from '#tests/support/reports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** A unit that came in, and where it is told when it left. */
async function came(
  receive: string,
  more: { left?: string; sn?: string; siteId?: string; codes?: string; salesCode?: string; warranty?: string } = {},
): Promise<UnitOnBill> {
  const { left, sn, siteId = 'SZ', codes, salesCode = 'RX19', warranty = '0' } = more;
  if (sn) await app.db.deleteFrom('rma_inventory').where('sn', '=', sn).execute();
  const unit = await unitOnBill(app.db, {
    node: left ? Node.Shipped : Node.AwaitingRepair,
    siteId,
    salesCode,
    ...(sn && { sn }),
    item: { receiveTime: at(receive), checkIcdIds: codes ?? null, warranty },
  });
  if (left) await delivered(app.db, unit, left);
  return unit;
}

describe('second repair', () => {
  const asked = { startDate: '2026-10-01', endDate: '2026-10-31' };

  it('lists what came back within 90 days, with what was wrong then and now, and the rate', async () => {
    const first = await came('2026-08-01', { left: '2026-09-01', codes: 'FX01,FX54' });
    await repaired(app.db, first, '2026-08-05');
    const again = await came('2026-10-01', { sn: first.sn, codes: 'FX54,CL15' });
    const early = await came('2026-05-01', { left: '2026-07-02', codes: 'FX01' });
    const other = await came('2026-09-30 12:00', { sn: early.sn, codes: 'CL15' });
    const late = await came('2026-06-01', { left: '2026-07-01' });
    await came('2026-10-02', { sn: late.sn });
    const elsewhere = await came('2026-08-01', { left: '2026-09-20', siteId: 'NB' });
    await came('2026-10-03', { sn: elsewhere.sn });
    await came('2026-10-04');

    const rows = await readRows(app, 'exportSecondRepair', { ...asked, sites: ['SZ'] });
    expect(rows.map((it) => it['mtbId'])).toEqual([again.mtbId]);
    expect(rows.map((it) => it['mtbId'])).not.toContain(other.mtbId);
    expect(rows[0]).toMatchObject({
      previousMtbId: first.mtbId,
      previousSite: '深圳维修中心',
      daysBetween: 30,
      previousCodes: 'FX01,FX54',
      presentCodes: 'FX54,CL15',
      isSameFault: '1',
      previousRepairer: 'tech',
    });
    expect(await readRows(app, 'exportSecondRepair', { ...asked, sites: ['SZ'] }, 'footer')).toEqual([
      { delivered: 1, rate: 1 },
    ]);
  });

  it('goes by days, whatever the hour', async () => {
    const early = await came('2026-07-01', { left: '2026-08-02 01:00', siteId: 'US' });
    const again = await came('2026-10-31 23:00', { sn: early.sn, siteId: 'US' });
    const late = await came('2026-07-01', { left: '2026-08-01 23:00', siteId: 'US' });
    await came('2026-10-31 01:00', { sn: late.sn, siteId: 'US' });
    const rows = await readRows(app, 'exportSecondRepair', { ...asked, sites: ['US'] });
    expect(rows.map((it) => it['mtbId'])).toEqual([again.mtbId]);
  });

  it('tells of another site’s delivery only who sees that site', async () => {
    const rows = await readRows(app, 'exportSecondRepair', { ...asked, sites: ['SZ', 'NB'] });
    expect(rows.map((it) => it['previousSite'])).toEqual(['深圳维修中心', '宁波维修中心']);
    expect(await readRows(app, 'exportSecondRepair', { ...asked, sites: ['NB'] })).toEqual([]);
  });
});

describe('scrap accuracy', () => {
  it('counts each site’s proposals by what a supervisor said, and whose duty it was', async () => {
    const propose = async (
      scrapStatus: string | null,
      dutySourse: string | null,
      siteId = 'SZ',
      when = '2026-10-10',
    ) => {
      const unit = await unitOnBill(app.db, { node: Node.AwaitingCheck, siteId });
      await checked(app.db, unit, when, { disposition: 'scrap', scrapStatus, dutySourse });
    };
    await propose('1', '0');
    await propose('1', '1');
    await propose('1', '3');
    await propose('2', null);
    await propose('0', null);
    await propose(null, null);
    await propose('1', '0', 'NB');
    // It was confirmed, and returned to its first test.
    const gone = await unitOnBill(app.db, { node: Node.AwaitingCheck });
    const ckbId = await checked(app.db, gone, '2026-10-11', {
      disposition: 'scrap',
      scrapStatus: '1',
      dutySourse: '0',
    });
    await happened(app.db, gone, [
      ['check', '2026-10-11', { toNode: '10', billId: ckbId, operateStatus: 'Rollbacked' }],
    ]);
    await propose('1', '0', 'SZ', '2026-11-01');
    const unit = await unitOnBill(app.db, { node: Node.AwaitingRepair });
    await checked(app.db, unit, '2026-10-10');

    const asked = { startDate: '2026-10-01', endDate: '2026-10-31' };
    const SZ = {
      site: '深圳维修中心',
      proposed: 7,
      confirmed: 3,
      declined: 1,
      open: 1,
      stateless: 1,
      returned: 1,
      accuracy: 0.75,
      dutyOwn: 1,
      dutyCustomer: 1,
      dutyUnknown: 1,
    };
    expect(await readRows(app, 'exportScrapAccuracy', { ...asked, sites: ['SZ'] })).toEqual([SZ]);
    expect(await readRows(app, 'exportScrapAccuracy', { ...asked, repairSiteIds: 'SZ,US' })).toEqual([SZ]);
    expect(await readRows(app, 'exportScrapAccuracy', { ...asked, repairSiteIds: 'NB', sites: ['SZ'] })).toEqual([]);
    expect((await readRows(app, 'exportScrapAccuracy', asked)).map((it) => it['proposed'])).toEqual([1, 7]);
  });
});

describe('repair and sale', () => {
  it('sets what was repaired of a model against what was sold of it', async () => {
    await sell('RX21', ['2026-04-02', '2026-04-03', '2026-03-31', '2026-05-01']);
    const one = await came('2026-04-05', { siteId: 'US', salesCode: 'RX21' });
    await happened(app.db, one, [
      ['repair', '2026-04-06'],
      ['repair', '2026-04-08'],
    ]);
    await cameAsOwn('2026-04-05', { siteId: 'US', salesCode: 'RX21' });
    const scrap = await unitOnBill(app.db, {
      node: Node.Scrapped,
      siteId: 'US',
      salesCode: 'HB19',
      item: { receiveTime: at('2026-03-01') },
    });
    await happened(app.db, scrap, [['scrapConfirm', '2026-04-09', { fromNode: '10', toNode: '40' }]]);
    const asked = { startDate: '2026-04-01', endDate: '2026-04-30' };
    expect(await readRows(app, 'exportRepairAndSaleStatistics', { ...asked, sites: ['US'] })).toEqual([
      {
        salesCode: 'HB19',
        name: 'RX19 board',
        productName: 'HB19',
        sold: 0,
        received: 0,
        repaired: 0,
        scrapped: 1,
        ratio: null,
      },
      {
        salesCode: 'RX21',
        name: 'RX21 140T',
        productName: 'RX21',
        sold: 2,
        received: 1,
        repaired: 1,
        scrapped: 0,
        ratio: 0.5,
      },
    ]);
    expect(await readRows(app, 'exportRepairAndSaleStatistics', { ...asked, sites: ['NB'] })).toMatchObject([
      { salesCode: 'RX21', sold: 2, received: 0, repaired: 0, ratio: 0 },
    ]);
  });
});

describe('the repair rate', () => {
  it('sets what came in in a month against what was in the field before, the last month wholly counted', async () => {
    await sell('HB19', ['2026-01-15', '2026-01-31 23:59', '2026-02-01 00:00', '2026-02-10']);
    await came('2026-02-03', { siteId: 'NB', salesCode: 'HB19', warranty: '1', codes: 'FX01,FX54' });
    await came('2026-03-31 23:00', { siteId: 'NB', salesCode: 'HB19', warranty: '0', codes: 'FX01' });
    await came('2026-03-01', { siteId: 'NB', salesCode: 'HB19', warranty: '2', codes: 'FX01,CL15,UM17,FX54' });
    await came('2026-04-01', { siteId: 'NB', salesCode: 'HB19' });
    await cameAsOwn('2026-02-03', { siteId: 'NB', salesCode: 'HB19' });
    const asked = { startDate: '2026-02-01', endDate: '2026-03-01', sites: ['NB'] };
    expect(await readRows(app, 'exportRepairRateStatistics', asked)).toEqual([
      {
        month: '2026-02',
        salesCode: 'HB19',
        productName: 'HB19',
        installed: 2,
        received: 1,
        inWarranty: 1,
        outOfWarranty: 0,
        rate: 0.5,
        topCodes: 'FX01 1, FX54 1',
      },
      {
        month: '2026-03',
        salesCode: 'HB19',
        productName: 'HB19',
        installed: 4,
        received: 2,
        inWarranty: 1,
        outOfWarranty: 1,
        rate: 0.5,
        topCodes: 'FX01 2, CL15 1, FX54 1',
      },
    ]);
    expect(await readRows(app, 'exportRepairRateStatistics', { ...asked, sites: [] })).toEqual([]);
  });
});

/** Defectives and a test package of the site: nobody sent them in to be repaired. */
async function cameAsOwn(...args: Parameters<typeof came>): Promise<void> {
  for (const billType of Object.values(OwnBillType)) {
    const { mtbId } = await came(...args);
    await app.db.updateTable('rma_maintain_bill').set({ billType }).where('mtbId', '=', mtbId).execute();
    await app.db.updateTable('rma_maintain_bill_line_item').set({ billType }).where('mtbId', '=', mtbId).execute();
  }
}

async function sell(salesCode: string, times: string[]): Promise<void> {
  await app.db
    .insertInto('ubs_item_object')
    .values(times.map((it, i) => ({ sn: `${salesCode}-${i}`, salesCode, type: '0', origin: '1', outTime: at(it) })))
    .execute();
}
