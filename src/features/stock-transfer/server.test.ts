import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { TransferSnStatus, TransferStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { expectNo, expectRefused, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import {
  attemptReceiverAccept,
  cancelTransfer,
  deliverAccept,
  getSaleCodeList,
  getSiteList,
  initiate,
  loadTransfer,
  querySnInfo,
  receiverAccept,
  returnTransfer,
} from './contract.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  const ofUS = { userId: 'whUS', userName: 'whUS', password: '', roleIds: 'warehouse', siteId: 'US', status: '1' };
  await testApp.db
    .insertInto('admin_user')
    .values({ ...ofUS, allSites: '0' })
    .execute();
});
afterAll(() => testApp.close());

type Entered = NonNullable<InputOf<typeof initiate>['rmaStockTransferLineRequestList']>[number];
const device: Entered = { salesCode: 'RX19', itemType: '0', storageType: '0', count: 2 };
const board: Entered = { salesCode: 'HB19', itemType: '1', storageType: '1', count: 1 };

const make = (more: Partial<InputOf<typeof initiate>> = {}, as = 'warehouse') =>
  testApp.send(
    initiate,
    { deliverSiteId: 'SZ', receiveSiteId: 'NB', rmaStockTransferLineRequestList: [device], ...more },
    { as },
  );
const load = async (sktbId: string, as = 'warehouse') => (await testApp.send(loadTransfer, { sktbId }, { as })).data;
const made = async (lines: Entered[] = [device], more: Partial<InputOf<typeof initiate>> = {}) =>
  load((await make({ rmaStockTransferLineRequestList: lines, ...more })).data.sktbId);
type Loaded = Awaited<ReturnType<typeof made>>;

/** Own stock of SZ on the shelf of goods. */
const onShelf = (more: Parameters<typeof stockMachine>[2] = {}) =>
  stockMachine(testApp.db, Node.CanShip, { subinventoryCode: 'FG', storageType: '0', ...more });
const defectBoard = () =>
  stockMachine(testApp.db, Node.AwaitingRepair, {
    salesCode: 'HB19',
    type: '1',
    subinventoryCode: 'DEF',
    storageType: '1',
  });

const lineOf = ({ rmaStockTransferBillLineList: [line] }: Loaded) => line?.sktblId ?? '';
const deliver = (bill: Loaded, snList: string[], more: Partial<InputOf<typeof deliverAccept>> = {}, as = 'warehouse') =>
  testApp.send(
    deliverAccept,
    { sktbId: bill.sktbId, deliverSiteId: 'SZ', lineList: [{ sktblId: lineOf(bill), snList }], ...more },
    { as },
  );
const receive = (sktbId: string, idList: number[], more: Partial<InputOf<typeof receiverAccept>> = {}, as = 'whNB') =>
  testApp.send(receiverAccept, { sktbId, receiveSiteId: 'NB', idList, ...more }, { as });
const idsOf = (bill: Loaded) =>
  bill.rmaStockTransferBillLineList.flatMap((it) => it.stockTransferBillLineItemList.map((item) => item.id));

/** A transfer of two devices that has left SZ. */
async function sent() {
  const bill = await made();
  const sns = [await onShelf(), await onShelf()];
  await deliver(bill, sns);
  return { bill, sns, ids: idsOf(bill) };
}

describe('making a transfer', () => {
  it('offers the sites and the sales codes [S-STK-08]', async () => {
    const { data } = await testApp.send(getSiteList, {}, { as: 'warehouse', lang: 'en' });
    expect(data.ubsSiteList).toContainEqual({ btmId: expect.any(Number) as number, siteId: 'US', name: 'Houston' });
    const codes = await testApp.send(getSaleCodeList, { saleCode: 'hb1' }, { as: 'warehouse' });
    expect(codes.data.saleCodeList).toEqual([expect.objectContaining({ salesCode: 'HB19', itemType: '1' })]);
    await expectNo('100013', () => testApp.send(getSiteList, {}, { as: 'viewer' }));
  });

  it('writes a bill that awaits its delivery, with an empty item for each unit; same lines are one [S-STK-01, S-STK-03, S-STK-06, S-STK-07, S-STK-12]', async () => {
    const names = { storageTypeName: '良品', itemTypeName: '成品' };
    const lines = [{ ...device, ...names }, board, { ...device, count: 1 }];
    const { data } = await make({ rmaStockTransferLineRequestList: lines, remark: ' spare ' });
    expect(data).toMatchObject({ sktbId: expect.stringMatching(/^SKT\d{13}$/) as string, count: 4 });
    const empty = { id: expect.any(Number) as number, sn: null, snStatus: TransferSnStatus.ToEnter };
    expect(await load(data.sktbId)).toMatchObject({
      id: data.id,
      sktbId: data.sktbId,
      billStatus: TransferStatus.AwaitingDelivery,
      deliverSiteId: 'SZ',
      receiveSiteId: 'NB',
      remark: 'spare',
      rmaStockTransferBillLineList: [
        {
          salesCode: 'RX19',
          itemType: '0',
          storageType: '0',
          count: 3,
          stockTransferBillLineItemList: [empty, empty, empty],
        },
        { salesCode: 'HB19', itemType: '1', storageType: '1', count: 1, stockTransferBillLineItemList: [empty] },
      ],
    });
    const record = await testApp.ask(
      'GET',
      '/api/rmaStockTransferBill/queryById.json',
      { id: data.id },
      { as: 'whNB' },
    );
    expect(record.data).toMatchObject({ rmaStockTransferBillLineList: [{ count: 3 }, { count: 1 }] });
    expect(await readLedger(testApp, data.sktbId)).toMatchObject([{ what: 'initiate', userId: 'warehouse' }]);
  });

  it.each<[string, string, Partial<InputOf<typeof initiate>>]>([
    ['without a shipping site', '100001', { deliverSiteId: ' ' }],
    ['without a receiving site', '100001', { receiveSiteId: null }],
    ['to the same site', '100015', { receiveSiteId: 'SZ' }],
    ['to a site that does not exist', '100002', { receiveSiteId: 'MARS' }],
    ['between two other sites', '100004', { deliverSiteId: 'NB', receiveSiteId: 'US' }],
    ['without lines', '100001', { rmaStockTransferLineRequestList: [] }],
    ['without a sales code', '100001', { rmaStockTransferLineRequestList: [{ ...device, salesCode: '' }] }],
    ['without an item type', '100001', { rmaStockTransferLineRequestList: [{ ...device, itemType: null }] }],
    ['without a storage type', '100001', { rmaStockTransferLineRequestList: [{ ...device, storageType: '' }] }],
    ['without a count', '100001', { rmaStockTransferLineRequestList: [{ ...device, count: 0 }] }],
    ['of goods that nobody knows', '100002', { rmaStockTransferLineRequestList: [{ ...device, salesCode: 'NIX' }] }],
    ['of another item type', '100020', { rmaStockTransferLineRequestList: [{ ...device, itemType: '2' }] }],
    ['of no storage type', '100015', { rmaStockTransferLineRequestList: [{ ...device, storageType: '7' }] }],
    ['of too many units', '100019', { rmaStockTransferLineRequestList: [{ ...device, count: 2001 }] }],
  ])('is refused %s [S-STK-04, S-STK-05, S-STK-23]', async (_, code, more) => {
    await expectRefused(testApp, code, () => make(more));
  });

  it('says what is missing in the words of the catalogue [S-STK-23]', async () => {
    const no = await testApp.send(initiate, { receiveSiteId: 'NB' }, { as: 'warehouse', lang: 'en' });
    expect(no.msg).toBe('Incomplete submission data (Shipping site)');
  });

  it('needs its right; people of a third site do not see it', async () => {
    await expectRefused(testApp, '100013', () => make({}, 'tech'));
    const { sktbId } = await made();
    await expectNo('100002', () => testApp.send(loadTransfer, { sktbId }, { as: 'whUS' }));
    await expectNo('100002', () => testApp.send(loadTransfer, { sktbId: 'SKT2026112499999' }, { as: 'warehouse' }));
  });
});

describe('the question about an SN', () => {
  const ask = (sn: string, more: Partial<InputOf<typeof querySnInfo>> = {}, as = 'warehouse') =>
    testApp.send(querySnInfo, { sn, siteId: 'SZ', ...more }, { as, lang: 'en' });

  it('tells what the unit is: item type of the catalogue, storage type of its warehouse [S-STK-13, S-STK-15]', async () => {
    const sn = await onShelf();
    const known = { sn, salesCode: 'RX19', itemType: '0', storageType: '0', subinventoryCode: 'FG', siteId: 'SZ' };
    expect((await ask(sn.toLowerCase())).data).toMatchObject(known);
    expect((await ask(sn, { salesCode: 'RX19', itemType: '0', storageType: '0' })).data).toMatchObject(known);
    const two = { salesCode: 'HB19|RX19', itemType: '1|0', storageType: '1|0' };
    expect((await ask(sn, two)).data).toMatchObject(known);
    await testApp.db.updateTable('ubs_item').set({ itemType: '2' }).where('salesCode', '=', 'RX21').execute();
    const material = await onShelf({ salesCode: 'RX21' });
    expect((await ask(material)).data).toMatchObject({ itemType: '2' });
  });

  it.each<[string, Partial<InputOf<typeof querySnInfo>>]>([
    ['sales code', { salesCode: 'RX21', itemType: '0', storageType: '0' }],
    ['item type', { salesCode: 'RX19', itemType: '1', storageType: '0' }],
    ['storage type', { salesCode: 'RX19', itemType: '0', storageType: '1' }],
    ['line: the parts of two lines are none', { salesCode: 'RX19|HB19', itemType: '1|0', storageType: '0|0' }],
  ])('refuses what fits no %s [S-STK-15]', async (_, more) => {
    const no = await expectNo('100020', async () => ask(await onShelf(), more));
    expect(no.msg).toMatch(/^The SN is not in the bill/);
  });

  it('refuses what is not at the deliver site, and what nobody knows [S-STK-14, S-STK-22]', async () => {
    const elsewhere = await expectNo('100004', async () => ask(await onShelf({ siteId: 'NB' })));
    expect(elsewhere.msg).toMatch(/^The SN is not at the deliver site/);
    await expectNo('100004', async () => ask(await onShelf({ siteId: 'NB' }), { siteId: 'NB' }));
    const unknown = await expectNo('100002', () => ask('RX19NOWHERE'));
    expect(unknown.msg).toMatch(/^No inventory record/);
    await expectNo('100001', () => ask(' '));
    await expectNo('100013', () => ask('RX19', {}, 'office'));
  });
});

/** What is no own stock on a shelf, and how it is called. */
const others: [what: string, code: string, snOf: () => Promise<string>][] = [
  ['a customer’s unit', '100009', async () => (await unitOnBill(testApp.db, { node: Node.CanShip })).sn],
  ['what is in no warehouse', '100003', () => onShelf({ storageType: null, subinventoryCode: null })],
  ['what is not in the house', '100003', () => onShelf({ ivyId: null })],
  ['a shipped unit', '100005', () => onShelf({ ivyId: Node.Shipped })],
  ['what waits for a supervisor', '100008', async () => (await heldUnit(testApp.db)).sn],
];

describe('delivering a transfer', () => {
  it('takes the units out of the stock of their site: nowhere, held, remembered by the items [S-STK-09, S-STK-19]', async () => {
    const lines = [device, board];
    const bill = await made(lines);
    const [first, second, third] = [await onShelf(), await onShelf(), await defectBoard()];
    const lineList = bill.rmaStockTransferBillLineList.map(({ sktblId }, i) => ({
      sktblId,
      snList: i === 0 ? [first, second.toLowerCase()] : [third],
    }));
    const { data } = await deliver(bill, [], { lineList });
    expect(data).toEqual({ sktbId: bill.sktbId, billStatus: TransferStatus.AwaitingReceipt, sentCount: 3 });
    const { unit, history } = await readTrace(testApp, third);
    expect(unit).toMatchObject({ siteId: 'SZ', ivyId: null, storageType: null, subinventoryCode: null });
    expect(unit).toMatchObject({ holdKind: 'transfer', holdBillId: bill.sktbId });
    expect(history).toMatchObject([
      {
        step: 'transferOut',
        billId: bill.sktbId,
        fromNode: Node.AwaitingRepair,
        toNode: null,
        siteId: 'SZ',
        fromSubinventoryCode: 'DEF',
        fromStorageType: '1',
        userId: 'warehouse',
      },
    ]);
    const items = await testApp.db
      .selectFrom('rma_stock_transfer_bill_line_item')
      .select(['sn', 'snStatus', 'fromNode', 'fromSubinventoryCode'])
      .where('id', 'in', idsOf(bill))
      .orderBy('id')
      .execute();
    const shelf = { snStatus: TransferSnStatus.Sent, fromNode: Node.CanShip, fromSubinventoryCode: 'FG' };
    expect(items).toEqual([
      { sn: first, ...shelf },
      { sn: second, ...shelf },
      { sn: third, snStatus: TransferSnStatus.Sent, fromNode: Node.AwaitingRepair, fromSubinventoryCode: 'DEF' },
    ]);
    expect(await readLedger(testApp, bill.sktbId)).toMatchObject([{ what: 'initiate' }, { what: 'deliverAccept' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('happens once: the same key is answered again, another delivery is refused [S-STK-11]', async () => {
    const bill = await made();
    const sns = [await onShelf(), await onShelf()];
    const input = { sktbId: bill.sktbId, deliverSiteId: 'SZ', lineList: [{ sktblId: lineOf(bill), snList: sns }] };
    const key = newKey();
    const first = await testApp.send(deliverAccept, input, { as: 'warehouse', key });
    expect((await testApp.send(deliverAccept, input, { as: 'warehouse', key })).data).toEqual(first.data);
    await expectRefused(testApp, '100025', () => deliver(bill, sns));
    expect((await readTrace(testApp, sns[0] ?? '')).history).toHaveLength(1);
  });

  it('takes a unit once, when two transfers want it at the same moment', async () => {
    const bills = await Promise.all([made(), made()]);
    const shared = await onShelf();
    const answers = await Promise.all(bills.map(async (bill) => deliver(bill, [shared, await onShelf()])));
    expect(answers.filter((it) => it.code === '000000')).toHaveLength(1);
    expect((await readTrace(testApp, shared)).history).toHaveLength(1);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('is refused with a count that is not the line’s [S-STK-18, S-STK-23]', async () => {
    const bill = await made([device, board]);
    const [a, b, c] = [await onShelf(), await onShelf(), await onShelf()];
    for (const snList of [[a], [a, b, c], [a, b]]) {
      const no = await expectRefused(testApp, '100019', () => deliver(bill, snList, {}, 'warehouse'));
      expect(no.msg).toMatch(/^Incorrect number of submissions/);
    }
  });

  it.each<[string, Partial<InputOf<typeof deliverAccept>>]>([
    ['the transfer', { sktbId: ' ' }],
    ['the site', { deliverSiteId: null }],
    ['lines', { lineList: [] }],
    ['a line', { lineList: [{ snList: ['RX19P4A26110T1'] }] }],
    ['an SN', { lineList: [{ sktblId: 'SKL', snList: ['RX19P4A26110T1', ' '] }] }],
    ['the SNs', { lineList: [{ sktblId: 'SKL' }] }],
  ])('is refused without %s [S-STK-23]', async (_, more) => {
    const bill = await made();
    const no = await expectRefused(testApp, '100001', () => deliver(bill, [], more));
    expect(no.msg).toMatch(/^Incomplete submission data/);
  });

  it('is refused with an SN twice, a line of another transfer, or another site’s name [S-STK-17]', async () => {
    const [bill, other] = [await made(), await made()];
    const sns = [await onShelf(), await onShelf()];
    const [sn = ''] = sns;
    await expectRefused(testApp, '100007', () => deliver(bill, [sn, sn]));
    await expectRefused(testApp, '100020', () =>
      deliver(bill, [], { lineList: [{ sktblId: lineOf(other), snList: sns }] }),
    );
    await expectRefused(testApp, '100020', () => deliver(bill, sns, { deliverSiteId: 'US' }));
  });

  it('is refused with what is not in the inventory that the bill names, and what has no record [S-STK-22]', async () => {
    const bill = await made();
    const good = await onShelf();
    for (const wrong of [
      await onShelf({ siteId: 'NB' }),
      await onShelf({ salesCode: 'RX21' }),
      await onShelf({ storageType: '1' }),
    ]) {
      const no = await expectRefused(testApp, '100020', () => deliver(bill, [good, wrong]));
      expect(no.msg).toMatch(/^Not in the inventory specified in the order/);
    }
    const none = await expectRefused(testApp, '100002', () => deliver(bill, [good, 'RX19NOWHERE']));
    expect(none.msg).toMatch(/^No inventory record/);
  });

  it.each(others)('refuses %s by its name, and takes none of the others', async (_, code, snOf) => {
    const bill = await made();
    const [good, wrong] = [await onShelf(), await snOf()];
    const no = await expectRefused(testApp, code, () => deliver(bill, [good, wrong]));
    expect(no.msg).toContain(wrong);
    await expectNo(code, () => testApp.send(querySnInfo, { sn: wrong, siteId: 'SZ' }, { as: 'warehouse' }));
  });

  it('belongs to the people of the deliver site with its right [S-STK-09]', async () => {
    const bill = await made();
    const sns = [await onShelf(), await onShelf()];
    await expectRefused(testApp, '100004', () => deliver(bill, sns, {}, 'whNB'));
    await expectRefused(testApp, '100002', () => deliver(bill, sns, {}, 'whUS'));
    await expectRefused(testApp, '100013', () => deliver(bill, sns, {}, 'office'));
  });
});

describe('receiving a transfer', () => {
  it('makes the units stock of the receiving site, at their node, in the warehouse of their storage type [S-STK-10, S-STK-12, S-STK-21]', async () => {
    const bill = await made([{ ...board, count: 2 }]);
    const sns = [await defectBoard(), await defectBoard()];
    await deliver(bill, sns);
    const { data } = await receive(bill.sktbId, idsOf(bill));
    expect(data).toEqual({
      sktbId: bill.sktbId,
      billStatus: TransferStatus.Finished,
      receivedCount: 2,
      remainCount: 0,
    });
    const { unit, history } = await readTrace(testApp, sns[0] ?? '');
    expect(unit).toMatchObject({ siteId: 'NB', ivyId: Node.AwaitingRepair, storageType: '1', subinventoryCode: 'DEF' });
    expect(unit).toMatchObject({ holdKind: null, holdBillId: null });
    const event = { billId: bill.sktbId, siteId: 'NB', fromSiteId: 'SZ', fromNode: null, toNode: Node.AwaitingRepair };
    expect(history).toMatchObject([{ step: 'transferIn', ...event, userId: 'whNB' }, { step: 'transferOut' }]);
    const now = await load(bill.sktbId, 'whNB');
    expect(now.billStatus).toBe(TransferStatus.Finished);
    expect(now.rmaStockTransferBillLineList[0]?.stockTransferBillLineItemList).toMatchObject([
      { sn: sns[0], snStatus: TransferSnStatus.Received },
      { sn: sns[1], snStatus: TransferSnStatus.Received },
    ]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('takes along the item for which scrap stands: fit to ship after all, it leaves from where it is', async () => {
    const { sn, mtbId, mtbliId } = await unitOnBill(testApp.db, {
      node: Node.Scrapped,
      unit: { subinventoryCode: 'SCR', storageType: '2' },
    });
    const bill = await made([{ ...device, storageType: '2', count: 1 }]);
    await deliver(bill, [sn]);
    const readItem = () =>
      testApp.db
        .selectFrom('rma_maintain_bill_line_item')
        .select(['siteId', 'deliverSiteId', 'stockup'])
        .where('mtbliId', '=', mtbliId)
        .executeTakeFirstOrThrow();
    expect(await readItem()).toMatchObject({ siteId: 'SZ', deliverSiteId: null });
    expect((await receive(bill.sktbId, idsOf(bill))).code).toBe('000000');
    expect(await readItem()).toMatchObject({ siteId: 'NB', deliverSiteId: 'NB', stockup: '0' });
    const edit = { sn, ivyId: Node.CanShip };
    const { code } = await testApp.ask('POST', '/api/rmaInventory/modifyIvyId.json', edit, { as: 'admin' });
    expect(code).toBe('000000');
    expect(await readItem()).toMatchObject({ stockup: '1' });
    const stockups = testApp.db.selectFrom('rma_stockup_bill').select(['siteId', 'deliverSiteId']);
    expect(await stockups.where('mtbId', '=', mtbId).execute()).toEqual([{ siteId: 'NB', deliverSiteId: 'NB' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('lays goods where the site keeps them, if it has no usual warehouse for them', async () => {
    await testApp.db
      .insertInto('ubs_subinventory')
      .values({ siteId: 'US', subinventoryCode: 'SCR', name: 'all', storageType: '0' })
      .execute();
    const bill = await made([{ ...device, count: 1 }], { receiveSiteId: 'US' });
    const sn = await onShelf();
    await deliver(bill, [sn]);
    await receive(bill.sktbId, idsOf(bill), { receiveSiteId: 'US' }, 'whUS');
    expect((await readTrace(testApp, sn)).unit).toMatchObject({
      siteId: 'US',
      subinventoryCode: 'SCR',
      storageType: '0',
    });
  });

  it('may be done in parts; the transfer waits until the last SN is there [S-STK-10, S-STK-21]', async () => {
    const { bill, ids, sns } = await sent();
    const [first = 0, second = 0] = ids;
    expect((await receive(bill.sktbId, [first])).data).toMatchObject({ billStatus: '1', remainCount: 1 });
    await expectRefused(testApp, '100019', () => receive(bill.sktbId, [first, second]));
    await expectRefused(testApp, '100020', () => receive(bill.sktbId, [first]));
    expect((await readTrace(testApp, sns[1] ?? '')).unit?.ivyId).toBeNull();
    expect((await receive(bill.sktbId, [second])).data).toMatchObject({ billStatus: '2', remainCount: 0 });
    await expectRefused(testApp, '100025', () => receive(bill.sktbId, [second]));
  });

  it('takes an SN that is under way and not signed for, else it does not match [S-STK-20]', async () => {
    const { bill, sns, ids } = await sent();
    const scan = (sn: string, as = 'whNB') =>
      testApp.send(attemptReceiverAccept, { sn, sktbId: bill.sktbId }, { as, lang: 'en' });
    const [sn = ''] = sns;
    expect((await scan(sn.toLowerCase())).data).toMatchObject({ id: ids[0], sn, salesCode: 'RX19' });
    const stranger = await expectNo('100020', async () => scan(await onShelf({ siteId: 'NB' })));
    expect(stranger.msg).toMatch(/^The SN does not match/);
    await receive(bill.sktbId, ids.slice(0, 1));
    await expectNo('100020', () => scan(sn));
    await expectNo('100004', () => scan(sns[1] ?? '', 'warehouse'));
    await expectNo('100002', () => scan(sns[1] ?? '', 'whUS'));
  });

  it('is refused with too many, one twice, or what is of another transfer [S-STK-20, S-STK-23]', async () => {
    const [{ bill, ids }, other] = [await sent(), await sent()];
    const [first = 0] = ids;
    const no = await expectRefused(testApp, '100019', () => receive(bill.sktbId, [...ids, ...other.ids]));
    expect(no.msg).toMatch(/^Incorrect number of submissions/);
    await expectRefused(testApp, '100019', () => receive(bill.sktbId, [first, first]));
    await expectRefused(testApp, '100020', () => receive(bill.sktbId, other.ids));
  });

  it.each<[string, Partial<InputOf<typeof receiverAccept>>]>([
    ['the transfer', { sktbId: null }],
    ['the site', { receiveSiteId: '' }],
    ['SNs', { idList: [] }],
  ])('is refused without %s [S-STK-23]', async (_, more) => {
    const { bill, ids } = await sent();
    const no = await expectRefused(testApp, '100001', () => receive(bill.sktbId, ids, more));
    expect(no.msg).toMatch(/^Incomplete submission data/);
  });

  it('belongs to the people of the receiving site with its right, once it was delivered [S-STK-10]', async () => {
    const bill = await made();
    await expectRefused(testApp, '100025', () => receive(bill.sktbId, idsOf(bill)));
    const { bill: gone, ids } = await sent();
    await expectRefused(testApp, '100004', () => receive(gone.sktbId, ids, {}, 'warehouse'));
    await expectRefused(testApp, '100002', () => receive(gone.sktbId, ids, {}, 'whUS'));
    await expectRefused(testApp, '100013', () => receive(gone.sktbId, ids, {}, 'techNB'));
    await expectRefused(testApp, '100020', () => receive(gone.sktbId, ids, { receiveSiteId: 'SZ' }));
  });
});

describe('a transfer that does not end as it was meant', () => {
  const cancel = (id: number, as: string) => testApp.send(cancelTransfer, { id: String(id) }, { as });
  const giveBack = (id: number, as = 'admin') => testApp.send(returnTransfer, { id: String(id) }, { as });

  it('is cancelled by who made it, or by who sees all sites, before anything has left [S-STK-11]', async () => {
    const bill = await made();
    await expectRefused(testApp, '100013', () => cancel(bill.id, 'office'));
    await expectRefused(testApp, '100002', () => cancel(bill.id, 'whUS'));
    expect((await cancel(bill.id, 'warehouse')).data).toMatchObject({ billStatus: TransferStatus.Cancelled });
    await expectRefused(testApp, '100025', () => cancel(bill.id, 'warehouse'));
    const sns = [await onShelf(), await onShelf()];
    await expectRefused(testApp, '100025', () => deliver(bill, sns));
    expect((await cancel((await made()).id, 'admin')).data).toMatchObject({ billStatus: TransferStatus.Cancelled });
    const gone = await sent();
    await expectRefused(testApp, '100025', () => cancel(gone.bill.id, 'warehouse'));
  });

  it('gives back to the deliver site what never arrived, as it lay there; an administrator does it', async () => {
    const { bill, sns, ids } = await sent();
    await receive(bill.sktbId, ids.slice(0, 1));
    await expectRefused(testApp, '100013', () => giveBack(bill.id, 'warehouse'));
    const { data } = await giveBack(bill.id);
    expect(data).toMatchObject({ billStatus: TransferStatus.Finished, returnedCount: 1 });
    const { unit, history } = await readTrace(testApp, sns[1] ?? '');
    expect(unit).toMatchObject({
      siteId: 'SZ',
      ivyId: Node.CanShip,
      storageType: '0',
      subinventoryCode: 'FG',
      holdKind: null,
    });
    expect(history).toMatchObject([{ step: 'transferReturn', siteId: 'SZ', userId: 'admin' }, { step: 'transferOut' }]);
    expect((await readTrace(testApp, sns[0] ?? '')).unit?.siteId).toBe('NB');
    await expectRefused(testApp, '100025', () => giveBack(bill.id));
    expect(await brokenInvariants(testApp.db)).toEqual([]);
    // It is stock like any other again.
    const again = await made();
    expect((await deliver(again, [sns[1] ?? '', await onShelf()])).code).toBe('000000');
  });

  it('is cancelled when all of it came back', async () => {
    const { bill } = await sent();
    expect((await giveBack(bill.id)).data).toMatchObject({ billStatus: TransferStatus.Cancelled, returnedCount: 2 });
  });

  it('is not rolled back, but returned', async () => {
    const { sns, bill } = await sent();
    const step = await testApp.db
      .selectFrom('rma_transaction')
      .select('id')
      .where('sn', '=', sns[0] ?? '')
      .executeTakeFirstOrThrow();
    const input = { id: step.id, remark: 'wrong' };
    const no = await expectRefused(testApp, '100025', () =>
      testApp.ask('GET', '/api/rmaTransaction/rollbackById.json', input, { as: 'admin' }),
    );
    expect(no.msg).toContain(bill.sktbId);
  });
});

describe('what is under way', () => {
  it('is taken by no station and no other transfer', async () => {
    const { sns, bill } = await sent();
    const [sn = ''] = sns;
    const asked: [string, object][] = [
      ['/api/rmaStoreBill/storeStart.json', { sn }],
      ['/api/rmaStoreBill/attemptStore.json', { sn }],
      ['/api/rmaInventory/modifyIvyId.json', { sn, ivyId: '100', remark: 'here' }],
    ];
    for (const [path, body] of asked) {
      const no = await expectRefused(testApp, '100008', () => testApp.ask('POST', path, body, { as: 'admin' }));
      expect(no.msg).toContain(bill.sktbId);
    }
    await expectNo('100008', () => testApp.send(querySnInfo, { sn, siteId: 'SZ' }, { as: 'warehouse' }));
  });

  it('comes and goes by two thousand in one submit', async () => {
    const bill = await made([{ ...device, count: 2000 }]);
    const sns = Array.from({ length: 2000 }, (_, i) => `RX19MANY${String(i).padStart(5, '0')}`);
    await testApp.db
      .insertInto('rma_inventory')
      .values(sns.map((sn) => ({ sn, type: '0', salesCode: 'RX19', siteId: 'SZ', ivyId: '100', storageType: '0' })))
      .execute();
    expect((await deliver(bill, sns)).data).toMatchObject({ sentCount: 2000 });
    expect((await receive(bill.sktbId, idsOf(bill))).data).toMatchObject({ receivedCount: 2000, billStatus: '2' });
  });
});
