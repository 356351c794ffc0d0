import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { waysIn, waysOut } from '#server/reports/movements.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { at, delivered, happened } from '#tests/support/history.ts';
import { readRows } from '#tests/support/reports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('the month statistics', () => {
  it('count each site’s events by month, and what was in work before and after', async () => {
    const { db } = app;
    const old = await unitOnBill(db, { node: Node.Shipped, item: { receiveTime: at('2026-08-20') } });
    await happened(db, old, [
      ['receive', '2026-08-20'],
      ['check', '2026-08-21'],
      ['deliver', '2026-09-10'],
    ]);
    await delivered(db, old, '2026-09-10');
    const failing = await unitOnBill(db, {
      node: Node.CanShip,
      item: { receiveTime: at('2026-09-02'), continues: '1' },
    });
    await happened(db, failing, [
      ['receive', '2026-09-02'],
      ['check', '2026-09-03'],
      ['repair', '2026-09-04'],
      ['assemble', '2026-09-05'],
      ['aging', '2026-09-06', { toNode: '50' }],
      ['repair', '2026-09-07'],
      ['assemble', '2026-09-08'],
      ['aging', '2026-09-09'],
      ['qc', '2026-10-01', { toNode: '50' }],
      ['qc', '2026-10-02'],
      ['store', '2026-10-03'],
      ['store', '2026-10-04', { operateStatus: 'Rollbacked' }],
    ]);
    const scrap = await unitOnBill(db, { node: Node.Scrapped, item: { receiveTime: at('2026-09-15') } });
    await happened(db, scrap, [
      ['receive', '2026-09-15'],
      ['scrapConfirm', '2026-10-05', { fromNode: '10', toNode: '40' }],
    ]);
    await happened(db, { sn: 'BOARD', siteId: 'SZ', mtbId: null }, [
      ['repair', '2026-10-05', { fromNode: null, toNode: '40' }],
    ]);
    const whole = await unitOnBill(db, { node: Node.AwaitingTest, item: { receiveTime: at('2026-09-20') } });
    await happened(db, whole, [
      ['receive', '2026-09-20'],
      ['nofaultConfirm', '2026-09-30 23:30', { fromNode: '10', toNode: '70' }],
    ]);
    const other = await unitOnBill(db, { node: Node.AwaitingCheck, siteId: 'NB' });
    await happened(db, other, [['receive', '2026-09-20']]);

    const asked = { startDate: '2026-09-01', endDate: '2026-10-31', sites: ['SZ'] };
    const [september, october, ...more] = await readRows(app, 'exportMonthStatistics', asked);
    expect(more).toEqual([]);
    expect(september).toEqual({
      site: '深圳维修中心',
      month: '2026-09',
      opening: 1,
      received: 3,
      checked: 1,
      repaired: 2,
      nofault: 1,
      scrapped: 0,
      assembled: 2,
      agingPassed: 1,
      agingFailed: 1,
      qcPassed: 0,
      qcFailed: 0,
      stored: 0,
      delivered: 1,
      activated: 0,
      repairedIn: 0,
      transferredIn: 0,
      otherIn: 0,
      transferredOut: 0,
      builtIn: 0,
      otherOut: 0,
      closing: 3,
      averageTat: 21,
      qcPassRate: null,
      secondRepairRate: null,
      asOf: expect.any(Number),
    });
    expect(october).toMatchObject({ month: '2026-10', opening: 3, received: 0, scrapped: 1, repaired: 0, closing: 2 });
    expect(october).toMatchObject({ qcPassed: 1, qcFailed: 1, qcPassRate: 0.5, stored: 1, averageTat: null });

    const all = await readRows(app, 'exportMonthStatistics', { ...asked, sites: 'all', startDate: '2026-10-01' });
    expect(all.map((it) => [it['site'], it['opening'], it['closing']])).toEqual([
      ['宁波维修中心', 1, 1],
      ['深圳维修中心', 3, 2],
      ['Houston', 0, 0],
    ]);
  });

  it('count a month only as far as the range goes', async () => {
    const asked = { startDate: '2026-09-05', endDate: '2026-09-08', sites: ['SZ'] };
    expect(await readRows(app, 'exportMonthStatistics', asked)).toMatchObject([
      { opening: 2, received: 0, assembled: 2, repaired: 1, agingFailed: 1, agingPassed: 0, closing: 2 },
    ]);
  });
});

describe('what is asked as of a moment', () => {
  it('stays as it was, whatever is rolled back or done since', async () => {
    const db = app.db;
    const site = { siteId: 'US' };
    const asked = { startDate: '2026-07-01', endDate: '2026-07-31', sites: ['US'], asOf: '2026-08-10 12:00:00' };
    const kinds = ['exportMonthStatistics', 'exportInventoryBalance', 'exportTatHandover'] as const;
    const read = async (more: object = {}) => {
      const told: unknown[] = [];
      for (const kind of kinds) told.push(await readRows(app, kind, { ...asked, ...more }));
      return told;
    };
    const unit = await unitOnBill(db, {
      node: Node.AwaitingAssembly,
      ...site,
      item: { receiveTime: at('2026-07-02') },
    });
    await happened(db, unit, [
      ['receive', '2026-07-02'],
      ['check', '2026-07-03'],
      ['repair', '2026-07-04'],
    ]);
    const scrap = await unitOnBill(db, { node: Node.Scrapped, ...site, item: { receiveTime: at('2026-07-05') } });
    await happened(db, scrap, [
      ['receive', '2026-07-05'],
      ['scrapConfirm', '2026-07-20', { fromNode: '10', toNode: '40' }],
    ]);
    const before = await read();
    expect(before).toMatchObject([
      [{ received: 2, checked: 1, repaired: 1, scrapped: 1, opening: 0, closing: 1 }],
      [
        { closing: 1, difference: 0 },
        { closing: 1, difference: 0 },
      ],
      [{ handover: 'Receive → check' }, { handover: 'Check → repair' }],
    ]);
    expect(Object.keys((before[0] as object[])[0] as object)).not.toContain('averageTat');

    // The repair and the scrap are rolled back later, and another unit comes.
    const undone = { operateStatus: 'Rollbacked', rolledBackTime: at('2026-08-15') };
    const steps = db.updateTable('rma_transaction').set(undone);
    await steps.where('sn', '=', unit.sn).where('step', '=', 'repair').execute();
    await steps.where('sn', '=', scrap.sn).where('step', '=', 'scrapConfirm').execute();
    const places = db.updateTable('rma_inventory');
    await places.set({ ivyId: Node.AwaitingRepair }).where('sn', '=', unit.sn).execute();
    await places.set({ ivyId: Node.AwaitingCheck }).where('sn', '=', scrap.sn).execute();
    const late = await unitOnBill(db, { node: Node.AwaitingCheck, ...site });
    await happened(db, late, [['receive', '2026-08-20']]);

    expect(await read()).toEqual(before);
    const now = await read({ asOf: '' });
    expect(now).toMatchObject([[{ repaired: 0, scrapped: 0, closing: 2 }], [{ closing: 2, difference: 0 }], [{}]]);
    // What was rolled back before the moment did not stand by then.
    const [after] = await read({ asOf: '2026-08-16 12:00:00' });
    expect(after).toMatchObject([{ repaired: 0, scrapped: 0, closing: 2 }]);
  });

  it('has all of that second behind it: what was done in it was done, what was rolled back in it was rolled back', async () => {
    const db = app.db;
    const { siteId } = await db
      .insertInto('ubs_site')
      .values({ siteId: 'SEC', siteName: 'Seconds' } as never)
      .returning('siteId')
      .executeTakeFirstOrThrow();
    const unit = await unitOnBill(db, { node: Node.AwaitingCheck, siteId });
    await happened(db, unit, [
      ['receive', '2026-07-02T02:00:00.500Z'],
      ['check', '2026-07-02T02:00:01.999Z'],
    ]);
    await db
      .updateTable('rma_transaction')
      .set({ operateStatus: 'Rollbacked', rolledBackTime: at('2026-07-02T02:00:03.001Z') })
      .where('sn', '=', unit.sn)
      .where('step', '=', 'check')
      .execute();
    const days = { startDate: '2026-07-01', endDate: '2026-07-31', sites: [siteId] };
    const told = async (second: string) => {
      const asOf = `2026-07-02 ${second}`;
      const [month] = await readRows(app, 'exportMonthStatistics', { ...days, asOf });
      const [place] = await readRows(app, 'exportInventoryBalance', { ...days, asOf });
      const handovers = await readRows(app, 'exportTatHandover', { ...days, asOf });
      return [month?.['received'], month?.['checked'], month?.['closing'], place?.['closing'] ?? 0, handovers.length];
    };
    expect(await told('09:59:59')).toEqual([0, 0, 0, 0, 0]);
    expect(await told('10:00:00')).toEqual([1, 0, 1, 1, 0]);
    expect(await told('10:00:01')).toEqual([1, 1, 1, 1, 1]);
    expect(await told('10:00:02')).toEqual([1, 1, 1, 1, 1]);
    expect(await told('10:00:03')).toEqual([1, 0, 1, 1, 0]);
  });
});

describe('a movement', () => {
  const ways = { received: 0, activated: 0, repairedIn: 0, transferredIn: 0, otherIn: 0 };
  const none = { ...ways, delivered: 0, transferredOut: 0, scrapped: 0, builtIn: 0, otherOut: 0 };
  type Told = Partial<Record<keyof typeof none, number>>;
  const cases: [step: string, from: string | null, to: string | null, month: Told, balance: Record<string, number>][] =
    [
      ['receive', null, '10', { received: 1 }, { received: 1 }],
      ['receive', null, '40', { received: 1, scrapped: 1 }, { received: 1 }],
      ['storeStart', null, '100', { activated: 1 }, { activated: 1 }],
      ['storeStart', '40', '10', { activated: 1 }, { activated: 1, consumed: 1 }],
      ['storeStart', null, '40', {}, { activated: 1 }],
      ['testAndStore', null, '70', { activated: 1 }, { activated: 1 }],
      ['testAndStore', '100', '70', {}, { activated: 1, consumed: 1 }],
      ['store', '90', '100', {}, { repairedIn: 1, consumed: 1 }],
      ['outsourcingAccept', '40', '70', { repairedIn: 1 }, { repairedIn: 1, consumed: 1 }],
      ['outsourcingAccept', '40', '40', {}, {}],
      ['outsourcingAccept', null, '10', { otherIn: 1 }, { otherIn: 1 }],
      ['deliver', '100', '900', { delivered: 1 }, { delivered: 1 }],
      ['transferOut', '100', null, { transferredOut: 1 }, { transferredOut: 1 }],
      ['transferOut', '40', null, {}, { transferredOut: 1 }],
      ['transferIn', null, '10', { transferredIn: 1 }, { transferredIn: 1 }],
      ['transferReturn', null, '40', {}, { transferredIn: 1 }],
      ['scrapConfirm', '10', '40', { scrapped: 1 }, { scrapped: 1, scrappedIn: 1 }],
      ['terminate', '100', '40', { scrapped: 1 }, { scrapped: 1, scrappedIn: 1 }],
      ['buyOut', '60', '60', {}, {}],
      ['repair', '100', null, { builtIn: 1 }, { builtIn: 1 }],
      ['rebind', '100', null, { builtIn: 1 }, { builtIn: 1 }],
      ['onSiteRepair', '100', null, { builtIn: 1 }, { builtIn: 1 }],
      ['onSiteRepair', '900', '900', {}, {}],
      ['repair', null, '40', {}, { scrappedIn: 1 }],
      ['rebind', null, '100', { otherIn: 1 }, { otherIn: 1 }],
      ['modifyNode', null, '50', { otherIn: 1 }, { otherIn: 1 }],
      ['modifyNode', '40', '50', { otherIn: 1 }, { otherIn: 1, otherOut: 1 }],
      ['modifyNode', '50', '40', { scrapped: 1 }, { scrapped: 1, scrappedIn: 1 }],
      ['modifyNode', '900', '100', { otherIn: 1 }, { otherIn: 1 }],
      ['modifyNode', '50', '900', { delivered: 1 }, { delivered: 1 }],
      ['modifyNode', '40', '900', {}, { delivered: 1 }],
      ['modifyNode', '50', null, { otherOut: 1 }, { otherOut: 1 }],
    ];

  it.each(cases)(
    '%s from %s to %s counts as %j in the month, as %j in the balance',
    async (step, from, to, month, balance) => {
      const { db } = app;
      const siteId = `M${String(++made)}`;
      await db.insertInto('ubs_site').values({ siteId, siteName: siteId }).execute();
      const sn = await stockMachine(db, Node.CanShip, { siteId });
      await db.updateTable('rma_inventory').set({ ivyId: to }).where('sn', '=', sn).execute();
      await happened(db, { sn, siteId, mtbId: null }, [
        ['modifyNode', '2026-01-01', { fromNode: null, toNode: from }],
        [step, '2026-02-02', { fromNode: from, toNode: to }],
      ]);
      const asked = { startDate: '2026-02-01', endDate: '2026-02-28', sites: [siteId] };
      const isWork = (node: string | null) => Number(node !== null && node !== '40' && node !== '900');
      expect(await readRows(app, 'exportMonthStatistics', asked)).toMatchObject([
        { opening: isWork(from), ...none, ...month, closing: isWork(to) },
      ]);
      const told: Record<string, number> = {};
      for (const row of await readRows(app, 'exportInventoryBalance', asked)) {
        expect(row['difference']).toBe(0);
        for (const way of [...waysIn, ...waysOut]) if (row[way]) told[way] = (told[way] ?? 0) + Number(row[way]);
      }
      expect(told).toEqual(balance);
    },
  );
  let made = 0;
});

describe('the TAT handover', () => {
  it('tells how long units waited between two stations', async () => {
    const at1 = (hour: number) => `2026-07-02 ${String(hour).padStart(2, '0')}:00`;
    for (const hours of [2, 4, 12]) {
      const unit = await unitOnBill(app.db, { node: Node.AwaitingRepair, siteId: 'US' });
      await happened(app.db, unit, [
        ['receive', at1(0)],
        ['check', at1(hours)],
      ]);
    }
    const slow = await unitOnBill(app.db, { node: Node.AwaitingRepair, siteId: 'US' });
    await happened(app.db, slow, [
      ['receive', '2026-06-30 00:00'],
      ['check', '2026-07-02 00:00'],
      ['repair', '2026-07-02 10:00', { operateStatus: 'Rollbacked' }],
      ['repair', '2026-07-02 20:00'],
      ['aging', '2026-07-02 21:00'],
      ['qc', '2026-07-03 01:00'],
    ]);
    const asked = { startDate: '2026-07-01', endDate: '2026-07-02', sites: ['US'] };
    expect(await readRows(app, 'exportTatHandover', asked)).toEqual([
      {
        site: 'Houston',
        handover: 'Receive → check',
        number: 4,
        average: 16.5,
        median: 8,
        p90: 37.2,
        longest: 48,
        target: 24,
        within: 0.75,
        asOf: expect.any(Number),
      },
      expect.objectContaining({ handover: 'Check → repair', number: 1, average: 20, target: 48, within: 1 }),
    ]);
    expect(await readRows(app, 'exportTatHandover', { ...asked, sites: ['NB'] })).toEqual([]);
  });
});

describe('the inventory balance', () => {
  it('adds up what came and went by storage type, and finds no difference', async () => {
    const { db } = app;
    const site = { siteId: 'NB' };
    const shipped = await unitOnBill(db, { ...site, node: Node.Shipped, salesCode: 'RX21' });
    await happened(db, shipped, [
      ['receive', '2026-05-01'],
      ['store', '2026-06-02', { fromNode: '10' }],
      ['deliver', '2026-06-05'],
    ]);
    const later = await unitOnBill(db, { ...site, node: Node.CanShip, salesCode: 'RX21' });
    await happened(db, later, [
      ['receive', '2026-06-03'],
      ['check', '2026-06-04'],
      ['store', '2026-07-01', { fromNode: '50' }],
    ]);
    const scrap = await unitOnBill(db, { ...site, node: Node.Scrapped, salesCode: 'RX21' });
    await happened(db, scrap, [
      ['receive', '2026-05-03'],
      ['scrapConfirm', '2026-06-10', { fromNode: '10', toNode: '40' }],
    ]);
    const stock = {
      siteId: 'NB',
      sn: await stockMachine(db, Node.AwaitingCheck, { ...site, salesCode: 'RX21' }),
      mtbId: null,
    };
    await happened(db, stock, [['storeStart', '2026-06-11', { toNode: '10' }]]);

    const asked = { startDate: '2026-06-01', endDate: '2026-06-30', sites: ['NB'] };
    const rows = (await readRows(app, 'exportInventoryBalance', asked)).filter((it) => it['salesCode'] === 'RX21');
    const none = {
      received: 0,
      activated: 0,
      repairedIn: 0,
      transferredIn: 0,
      scrappedIn: 0,
      otherIn: 0,
      delivered: 0,
      transferredOut: 0,
      scrapped: 0,
      consumed: 0,
      builtIn: 0,
      otherOut: 0,
      difference: 0,
    };
    const of = { site: '宁波维修中心', salesCode: 'RX21', productName: 'RX21', asOf: expect.any(Number) };
    expect(rows).toEqual([
      { ...of, ...none, storageType: '0', opening: 0, repairedIn: 1, delivered: 1, closing: 0 },
      { ...of, ...none, storageType: '1', opening: 2, received: 1, activated: 1, scrapped: 1, consumed: 1, closing: 2 },
      { ...of, ...none, storageType: '2', opening: 0, scrappedIn: 1, closing: 1 },
    ]);
  });

  it('tells a board of the stock that went into a device as built in', async () => {
    const board = {
      siteId: 'NB',
      mtbId: null,
      sn: await stockMachine(app.db, Node.CanShip, { siteId: 'NB', salesCode: 'BUILTIN' }),
    };
    await app.db.updateTable('rma_inventory').set({ ivyId: null }).where('sn', '=', board.sn).execute();
    await happened(app.db, board, [
      ['storeStart', '2026-05-11', { toNode: '100' }],
      ['assemble', '2026-06-12', { fromNode: '100', toNode: null }],
    ]);
    const asked = { startDate: '2026-06-01', endDate: '2026-06-30', sites: ['NB'] };
    const rows = (await readRows(app, 'exportInventoryBalance', asked)).filter((it) => it['salesCode'] === 'BUILTIN');
    const none = { otherOut: 0, consumed: 0, delivered: 0 };
    expect(rows).toMatchObject([{ storageType: '0', opening: 1, builtIn: 1, ...none, closing: 0, difference: 0 }]);
  });

  it('explains what has no sales code, and what came before its SN was changed', async () => {
    const site = { siteId: 'US' };
    const nameless = await stockMachine(app.db, Node.Scrapped, { ...site, salesCode: null });
    await happened(app.db, { ...site, mtbId: null, sn: nameless }, [
      ['repair', '2026-06-12', { fromNode: null, toNode: '40' }],
    ]);
    // Received and bought under its former SN, it is stock under the new one.
    const sn = await stockMachine(app.db, Node.AwaitingCheck, { ...site, salesCode: 'RENAMED' });
    const archived = { sn, type: '0', origin: '1', salesCode: 'RENAMED' };
    const { id } = await app.db
      .insertInto('ubs_item_object')
      .values(archived)
      .returning('id')
      .executeTakeFirstOrThrow();
    const change = { oldSn: 'CALLED-BEFORE', newSn: sn, itemObjectId: id, cause: '1', operateStatus: 'Normal' };
    await app.db
      .insertInto('ubs_sn_change_log')
      .values({ ...change, ...site })
      .execute();
    await happened(app.db, { ...site, mtbId: null, sn: 'CALLED-BEFORE' }, [['receive', '2026-06-12']]);
    const asked = { startDate: '2026-06-01', endDate: '2026-06-30', sites: ['US'] };
    const rows = await readRows(app, 'exportInventoryBalance', asked);
    const ours = rows.filter((it) => it['salesCode'] === 'RENAMED' || it['salesCode'] === null);
    expect(ours.map((it) => [it['salesCode'], it['storageType'], it['closing'], it['difference']])).toEqual([
      [null, '2', 1, 0],
      ['RENAMED', '1', 1, 0],
    ]);
  });

  it('tells what was activated as scrap, or could not be repaired at receipt, once', async () => {
    const site = { siteId: 'US', salesCode: 'SCRAPPED' };
    for (const step of ['storeStart', 'receive'] as const) {
      const sn = await stockMachine(app.db, Node.Scrapped, site);
      await happened(app.db, { siteId: 'US', mtbId: null, sn }, [[step, '2026-06-12', { toNode: '40' }]]);
    }
    const asked = { startDate: '2026-06-01', endDate: '2026-06-30', sites: ['US'] };
    const rows = (await readRows(app, 'exportInventoryBalance', asked)).filter((it) => it['salesCode'] === 'SCRAPPED');
    const once = { activated: 1, received: 1, scrappedIn: 0, closing: 2, difference: 0 };
    expect(rows).toMatchObject([{ storageType: '2', ...once }]);
  });

  it('counts a part that goes into a device as no assembled device, nor as handed over', async () => {
    const board = { siteId: 'US', mtbId: null, sn: await stockMachine(app.db, Node.CanShip, { siteId: 'US' }) };
    await app.db.updateTable('rma_inventory').set({ ivyId: null }).where('sn', '=', board.sn).execute();
    await happened(app.db, board, [
      ['repair', '2026-08-11', { toNode: '70' }],
      ['assemble', '2026-08-12', { fromNode: '100', toNode: null }],
      ['repair', '2026-08-13', { fromNode: '100', toNode: null }],
    ]);
    const asked = { startDate: '2026-08-01', endDate: '2026-08-31', sites: ['US'] };
    expect(await readRows(app, 'exportMonthStatistics', asked)).toMatchObject([{ assembled: 0, repaired: 1 }]);
    expect(await readRows(app, 'exportTatHandover', asked)).toEqual([]);
  });

  it('tells a change of store as out of one site and into the other', async () => {
    const unit = await unitOnBill(app.db, { siteId: 'NB', node: Node.AwaitingRepair, salesCode: 'MOVED' });
    await app.db.updateTable('rma_inventory').set({ siteId: 'US' }).where('sn', '=', unit.sn).execute();
    await happened(app.db, unit, [
      ['receive', '2026-05-01'],
      ['check', '2026-05-02'],
      ['updateSiteId', '2026-06-10', { siteId: 'US', fromSiteId: 'NB', fromNode: '50', toNode: '50' }],
    ]);
    const rowsAt = async (...sites: string[]) =>
      (await readRows(app, 'exportInventoryBalance', { startDate: '2026-06-01', endDate: '2026-06-30', sites })).filter(
        (it) => it['salesCode'] === 'MOVED',
      );
    const left = {
      site: '宁波维修中心',
      storageType: '1',
      opening: 1,
      otherIn: 0,
      otherOut: 1,
      closing: 0,
      difference: 0,
    };
    const came = { site: 'Houston', storageType: '1', opening: 0, otherIn: 1, otherOut: 0, closing: 1, difference: 0 };
    expect(await rowsAt('NB', 'US')).toMatchObject([left, came]);
    expect(await rowsAt('NB')).toMatchObject([left]);
    expect(await rowsAt('US')).toMatchObject([came]);
  });

  it('tells a transfer as out of one site, nowhere on its way, and into the other [S-STK-01]', async () => {
    const arrived = await stockMachine(app.db, Node.Scrapped, { siteId: 'US', salesCode: 'SENT' });
    const way = await stockMachine(app.db, Node.CanShip, { siteId: 'NB', salesCode: 'SENT' });
    const back = await stockMachine(app.db, Node.CanShip, { siteId: 'NB', salesCode: 'SENT' });
    await app.db.updateTable('rma_inventory').set({ ivyId: null }).where('sn', '=', way).execute();
    const of = (sn: string) => ({ sn, siteId: 'NB', mtbId: null });
    const out = { fromNode: '100', toNode: null };
    const scrap = { ...of(arrived), mtbId: 'MTB-DONE' };
    await happened(app.db, scrap, [
      ['storeStart', '2026-05-01', { toNode: '40' }],
      ['transferOut', '2026-06-10', { fromNode: '40', toNode: null }],
      ['transferIn', '2026-06-12', { siteId: 'US', fromSiteId: 'NB', fromNode: null, toNode: '40' }],
    ]);
    await happened(app.db, of(way), [
      ['storeStart', '2026-05-01', { toNode: '100' }],
      ['transferOut', '2026-06-10', out],
    ]);
    await happened(app.db, of(back), [
      ['storeStart', '2026-05-01', { toNode: '100' }],
      ['transferOut', '2026-06-10', out],
      ['transferReturn', '2026-06-20', { fromNode: null, toNode: '100' }],
    ]);
    const asked = { startDate: '2026-06-01', endDate: '2026-06-30', sites: ['NB', 'US'] };
    const rows = (await readRows(app, 'exportInventoryBalance', asked)).filter((it) => it['salesCode'] === 'SENT');
    const none = { scrappedIn: 0, scrapped: 0, otherIn: 0, otherOut: 0, consumed: 0, difference: 0 };
    expect(rows).toMatchObject([
      { ...none, storageType: '0', opening: 2, transferredOut: 2, transferredIn: 1, closing: 1 },
      { ...none, site: '宁波维修中心', storageType: '2', opening: 1, transferredOut: 1, transferredIn: 0, closing: 0 },
      { ...none, site: 'Houston', storageType: '2', opening: 0, transferredOut: 0, transferredIn: 1, closing: 1 },
    ]);
    // Scrap is not in work, wherever it lies.
    const months = await readRows(app, 'exportMonthStatistics', { ...asked, sites: ['NB'] });
    expect(months).toMatchObject([{ month: '2026-06', transferredIn: 1, transferredOut: 2, scrapped: 1 }]);
  });

  it('shows the difference of a unit whose place no movement explains', async () => {
    await stockMachine(app.db, Node.Scrapped, { siteId: 'US', salesCode: 'HB19' });
    const asked = { startDate: '2026-06-01', endDate: '2026-06-30', sites: ['US'] };
    const rows = await readRows(app, 'exportInventoryBalance', asked);
    expect(rows.find((it) => it['salesCode'] === 'HB19')).toMatchObject({ opening: 0, closing: 1, difference: 1 });
  });
});
