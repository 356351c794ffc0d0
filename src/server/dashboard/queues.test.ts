import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataOf } from '#domain/call.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { Node } from '#domain/nodes.ts';
import { WorkOrderStatus } from '#domain/wafer.ts';
import { readModel } from '#server/definitions/read.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { heldUnit, maintainBill, repairSuppliers, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { registers } from '#tests/support/features.ts';
import type { queuePlace, workQueue } from './contract.ts';

type Answer = DataOf<typeof workQueue>;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await repairSuppliers(testApp.db, 'S');
});
afterAll(() => testApp.close());

const queuesOf = async (as: string, lang: 'zh' | 'en' = 'en') =>
  (await testApp.ask<Answer>('GET', '/api/workQueue.json', {}, { as, lang })).data.queues;
const queueOf = async (as: string, name: string) => (await queuesOf(as)).find((it) => it.name === name);
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const sinceThen = (sn: string, hours: number) =>
  testApp.db
    .updateTable('rma_inventory')
    .set({ updateTime: ago(hours) as never })
    .where('sn', '=', sn)
    .execute();

describe('who has which queue', () => {
  it('goes by the buttons that they may press', async () => {
    expect((await testApp.ask('GET', '/api/workQueue.json')).code).toBe('401');
    const names = async (as: string) => (await queuesOf(as)).map((it) => it.name).sort();
    expect(await names('tech')).toEqual([
      ...['rmaAssembleBill:assemble', 'rmaBurninBill:burnin', 'rmaCheckBill:check', 'rmaExamineBill:examine'],
      'rmaRepairBill:repair',
    ]);
    expect(await names('warehouse')).toEqual([
      ...['rmaArrivalBill:accept', 'rmaDeliverBill:deliver', 'rmaReceiveBill:receive', 'rmaStoreBill:store'],
      'rmaUnhandledPackageBill:editInSiteStatus',
    ]);
    expect(await names('supervisor')).toEqual(['rmaNofaultConfirm:nofaultConfirm', 'rmaScrapConfirm:scrapConfirm']);
    expect(await names('finance')).toEqual([
      ...['rmaCorrectionBill:financialReview', 'rmaLogisticsCostsBill:financialAudit'],
      ...['rmaPriceBill:financialReview', 'rmaRepairFeeBill:financialReview'],
    ]);
    expect(await names('planner')).toEqual([
      ...['icopAssemblyWorkOrder:done', 'icopBumpingCpWorkOrder:done', 'icopFtWorkOrder:done'],
      'icopWaferWorkOrder:done',
    ]);
    expect(await names('viewer')).toEqual([]);
  });

  it('says what waits in it, in both languages, and how long it may', async () => {
    const check = (queues: Answer['queues']) => queues.find((it) => it.name === 'rmaCheckBill:check');
    expect(check(await queuesOf('tech'))).toMatchObject({
      count: 0,
      oldest: null,
      label: 'Units to check',
      limitHours: 24,
      items: [],
    });
    expect(check(await queuesOf('tech', 'zh'))).toMatchObject({ label: '待初检的设备' });
  });
});

describe('units', () => {
  it('wait at the node of the station, at the home site alone; the oldest are named, four at most', async () => {
    const sns: string[] = [];
    for (const hours of [2, 80, 30, 200, 5, 100]) {
      const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
      await sinceThen(sn, hours);
      sns.push(sn);
    }
    await unitOnBill(testApp.db, { node: Node.AwaitingRepair, siteId: 'NB' });
    const repair = await queueOf('tech', 'rmaRepairBill:repair');
    expect(repair).toMatchObject({ count: 6, waiting: { short: 2, days: 1, long: 3 } });
    expect(repair?.items.map((it) => it.no)).toEqual([sns[3], sns[5], sns[1], sns[2]]);
    expect(repair?.items[0]).toMatchObject({ what: 'RX19 104T', type: '0', mtbId: expect.stringContaining('MTB') });
    expect(Math.round((Date.now() - (repair?.oldest ?? 0)) / 3_600_000)).toBe(200);
    expect(await queueOf('admin', 'rmaRepairBill:repair')).toMatchObject({ count: 6 });
    expect(await queueOf('techNB', 'rmaRepairBill:repair')).toMatchObject({ count: 1, waiting: { short: 1 } });
  });

  it('that are scrapped wait for nobody', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.Scrapped });
    expect(JSON.stringify(await queuesOf('admin'))).not.toContain(sn);
  });

  it('that wait for a word wait for no check', async () => {
    const sn = await stockMachine(testApp.db, Node.AwaitingCheck);
    const held = await heldUnit(testApp.db, 'scrap');
    const check = await queueOf('tech', 'rmaCheckBill:check');
    expect(check).toMatchObject({ count: 1, items: [{ no: sn }] });
    await testApp.db
      .updateTable('rma_check_bill')
      .set({ checkUrls: '/file/log.txt##/file/one.jpg##/file/two.jpg' })
      .where('ckbId', '=', held.ckbId)
      .execute();
    const scrap = await queueOf('supervisor', 'rmaScrapConfirm:scrapConfirm');
    expect(scrap).toMatchObject({ count: 1, items: [{ no: held.sn, mtbId: held.mtbId, picture: '/file/one.jpg' }] });
    expect(await queueOf('supervisor', 'rmaNofaultConfirm:nofaultConfirm')).toMatchObject({ count: 0 });
    await heldUnit(testApp.db, 'scrap', { siteId: 'NB' });
    expect(await queueOf('supervisor', 'rmaScrapConfirm:scrapConfirm')).toMatchObject({ count: 1 });
    expect(await queueOf('admin', 'rmaScrapConfirm:scrapConfirm')).toMatchObject({ count: 2 });
  });

  it('come the worst queue first, by what each may wait', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    // Nine times what aging may wait; the oldest repair waits four times what it may.
    await sinceThen(sn, 9 * 24);
    const names = (await queuesOf('tech')).map((it) => it.name);
    expect(names.slice(0, 3)).toEqual(['rmaBurninBill:burnin', 'rmaRepairBill:repair', 'rmaCheckBill:check']);
  });
});

describe('bills', () => {
  const price = (createBy: string, siteId = 'SZ') => ({
    ...{ siteId, billStatus: '0', settleCompany: 'R', supplierName: 'S', repairProject: '1', warranty: '0' },
    ...{ machineType: 'RX-19', repairType: '1', currency: 'USD', unitPriceWithTax: '1234.5', taxRate: '13' },
    ...{ effectiveDate: '2026-01-01', expirationDate: '2026-12-31', createBy },
  });

  it('wait for their review with their amounts, but not for who made them', async () => {
    const rows = [
      { ...price('office'), prbId: 'PRB1', createTime: ago(50) },
      { ...price('finance'), prbId: 'PRB2' },
      { ...price('office', 'NB'), prbId: 'PRB3' },
      { ...price('office'), prbId: 'PRB4', billStatus: '2' },
    ];
    await testApp.db.insertInto('rma_price_bill').values(rows).execute();
    const review = await queueOf('finance', 'rmaPriceBill:financialReview');
    expect(review).toMatchObject({ count: 2, waiting: { short: 1, days: 1, long: 0 } });
    expect(review?.items.map((it) => [it.no, it.what, it.currency, Number(it.amount)])).toEqual([
      ['PRB1', 'RX-19', 'USD', 1234.5],
      ['PRB3', 'RX-19', 'USD', 1234.5],
    ]);
    expect(await queueOf('admin', 'rmaPriceBill:financialReview')).toMatchObject({ count: 3 });
    expect(await queueOf('office', 'rmaPriceBill:financialReview')).toBeUndefined();
  });

  it('wait for receipt when their parcel was accepted, and parcels to be accepted', async () => {
    const { mtbId } = await maintainBill(testApp.db, { billStatus: '0', receiveShipNo: 'SF100' });
    const parcel = (status: string, abId: string, siteId = 'SZ') => ({
      ...{ abId, status, siteId, mtbId, receiveShipNo: 'SF100', createBy: 'x' },
    });
    await testApp.db
      .insertInto('rma_arrival_bill')
      .values([parcel('0', 'A1'), parcel('0', 'A2', 'NB')])
      .execute();
    const counts = async () =>
      Promise.all(
        ['rmaArrivalBill:accept', 'rmaReceiveBill:receive'].map(async (it) => (await queueOf('warehouse', it))?.count),
      );
    expect(await counts()).toEqual([1, 0]);
    await sql`UPDATE rma_arrival_bill SET status = '1' WHERE "abId" = 'A1'`.execute(testApp.db);
    expect(await counts()).toEqual([0, 1]);
    expect(await queueOf('warehouse', 'rmaReceiveBill:receive')).toMatchObject({ items: [{ no: 'SF100', mtbId }] });
    await sql`UPDATE rma_maintain_bill SET "billStatus" = '1' WHERE "mtbId" = ${mtbId}`.execute(testApp.db);
    expect(await counts()).toEqual([0, 0]);
  });

  it('of stock-up wait while they ship', async () => {
    const bill = (skbId: string, status: string) => ({
      ...{ skbId, status, mtbId: 'MTB1', siteId: 'SZ', deliverShipNo: skbId, allCount: 3, deliveredCount: 1 },
    });
    await testApp.db
      .insertInto('rma_stockup_bill')
      .values([bill('SKB1', '0'), bill('SKB2', '1'), bill('SKB3', '2'), bill('SKB4', '3')])
      .execute();
    expect(await queueOf('warehouse', 'rmaDeliverBill:deliver')).toMatchObject({
      count: 2,
      items: [{ no: 'SKB1', what: '1 / 3' }, { no: 'SKB2' }],
    });
  });
});

it('work orders wait while they are in process, whoever of the site may say that they are done', async () => {
  const { definitions } = readModel(registers);
  const definition = definitions.get('icopWaferWorkOrder') as Definition;
  const order = (workOrderNo: string, billStatus: string, siteId = 'SZ') => {
    const own = { workOrderNo, billStatus, siteId, waferPn: 'WPN-1', createBy: 'test' };
    return insertRow(testApp.db, definition, { ...alwaysOf(definition, definitions), ...own }, definitions);
  };
  await order('WFO1', WorkOrderStatus.Draft);
  await order('WFO2', WorkOrderStatus.InProcess);
  await order('WFO3', WorkOrderStatus.Done);
  await order('WFO4', WorkOrderStatus.InProcess, 'NB');
  expect(await queueOf('planner', 'icopWaferWorkOrder:done')).toMatchObject({
    count: 1,
    limitHours: 72,
    items: [{ no: 'WFO2', what: 'WPN-1' }],
  });
});

describe('the place of a bill in its queue', () => {
  const place = async (as: string, name: string, id?: number) =>
    testApp.ask<DataOf<typeof queuePlace>>('GET', '/api/workQueue/place.json', { name, ...(id && { id }) }, { as });
  const name = 'rmaRepairFeeBill:financialReview';

  it('goes by age, leads on to the next, and past the last to the first; what I made is not among them', async () => {
    const bill = (rfbId: string, hours: number, createBy = 'office') => ({
      ...{ rfbId, billStatus: '3', siteId: 'SZ', createBy, createTime: ago(hours) as never },
    });
    const rows = [bill('RFB-1', 10), bill('RFB-2', 30), bill('RFB-3', 20), bill('RFB-4', 40, 'finance')];
    const made = await testApp.db.insertInto('rma_repair_fee_bill').values(rows).returning('id').execute();
    const [young, old, middle, own] = made.map((it) => Number(it.id));
    const at = async (id?: number) => (await place('finance', name, id)).data;
    expect(await at()).toEqual({ count: 3, position: null, next: old });
    expect(await at(old)).toEqual({ count: 3, position: 1, next: middle });
    expect(await at(middle)).toEqual({ count: 3, position: 2, next: young });
    expect(await at(young)).toEqual({ count: 3, position: 3, next: old });
    expect(await at(own)).toEqual({ count: 3, position: null, next: old });
    await testApp.db
      .deleteFrom('rma_repair_fee_bill')
      .where('id', 'in', [old, middle] as never)
      .execute();
    expect(await at(young)).toEqual({ count: 1, position: 1, next: null });
  });

  it.each([
    ['aftersales', 'afterSalesReview', '0'],
    ['finance', 'financialReview', '3'],
    ['auditor', 'financialAudit', '5'],
  ])('of which %s has confirmed a price is not among theirs to %s', async (as, action, billStatus) => {
    const rfbIds = [`RFB-${action}-1`, `RFB-${action}-2`];
    const head = { billStatus, siteId: 'SZ', createBy: 'office', createTime: ago(90) as never };
    const made = await testApp.db
      .insertInto('rma_repair_fee_bill')
      .values(rfbIds.map((rfbId, i) => ({ rfbId, ...head, recPeriod: `20${billStatus}${i}-01` })))
      .returning('id')
      .execute();
    const [confirmed, other] = made.map((it) => Number(it.id));
    const done = { module: 'rmaRepairFeeBill', recordId: String(confirmed), siteId: 'SZ', requestId: '' };
    await testApp.db
      .insertInto('ledger')
      .values({ ...done, userId: as, what: 'confirmPrices' })
      .execute();
    expect((await place(as, `rmaRepairFeeBill:${action}`, other)).data.position).toBe(1);
    expect((await place(as, `rmaRepairFeeBill:${action}`, confirmed)).data.position).toBe(null);
    expect((await place('admin', `rmaRepairFeeBill:${action}`, confirmed)).data.position).not.toBe(null);
  });

  it('is told to whoever works on the queue', async () => {
    expect((await testApp.ask('GET', '/api/workQueue/place.json', { name })).code).toBe('401');
    expect((await place('office', name)).code).toBe('100013');
    expect((await place('finance', 'rmaNothing:atAll')).code).toBe('100013');
  });
});
