import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { BillStatus, DeliverPriority, ReceiveStatus, StockupStatus } from '#domain/enums.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, maintainBill, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import { checkStorage, submitStoreBill } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

type Input = InputOf<typeof submitStoreBill>;
const store = (sns: readonly string[], more: Partial<Input> = {}, key?: string) => {
  const rmaStoreBillLineList = sns.map((sn) => ({ sn }));
  return testApp.send(submitStoreBill, { rmaStoreBillLineList, ...more }, { as: 'warehouse', ...(key && { key }) });
};
const check = (sn: string) => testApp.send(checkStorage, { sn }, { as: 'warehouse' });
const ready = (more: Partial<Parameters<typeof unitOnBill>[1]> = {}) =>
  unitOnBill(testApp.db, { node: Node.AwaitingStorage, ...more });
const at = async (node: Node, more: object = {}) => (await unitOnBill(testApp.db, { node, ...more })).sn;

const readUnit = (sn: string) =>
  testApp.db.selectFrom('rma_inventory').selectAll().where('sn', '=', sn).executeTakeFirstOrThrow();
const readItem = (mtbliId: string) =>
  testApp.db
    .selectFrom('rma_maintain_bill_line_item')
    .selectAll()
    .where('mtbliId', '=', mtbliId)
    .executeTakeFirstOrThrow();
const readStockups = (mtbId: string) =>
  testApp.db.selectFrom('rma_stockup_bill').selectAll().where('mtbId', '=', mtbId).orderBy('id').execute();

/** What an SN may be refused for, at the scan and at the submit alike: the general guard. Rule: guard#order. */
const guard: [what: string, code: string, sn: () => string | Promise<string>][] = [
  ['an empty SN', '100001', () => '  '],
  ['an SN that can be none', '100015', () => 'SN 1/2'],
  ['an SN that nobody knows', '100002', () => 'RX19UNKNOWN'],
  ['an SN of another site', '100004', () => at(Node.AwaitingStorage, { siteId: 'NB' })],
  ['a shipped unit', '100005', () => at(Node.Shipped)],
  ['a scrapped unit', '100006', () => at(Node.Scrapped)],
  ['a unit that waits for its scrapping', '100008', async () => (await heldUnit(testApp.db, 'scrap')).sn],
  ['a unit that waits for its no-fault', '100008', async () => (await heldUnit(testApp.db, 'nofault')).sn],
  ['a unit that is not in the house', '100003', () => stockMachine(testApp.db, Node.AwaitingCheck, { ivyId: null })],
  ...nodes
    .filter((it) => ![Node.Shipped, Node.Scrapped, Node.AwaitingStorage].some((not) => not === it))
    .map((node): [string, string, () => Promise<string>] => [`a unit at node ${node}`, '100003', () => at(node)]),
  [
    'a unit of a finished bill',
    '100011',
    () =>
      at(Node.AwaitingStorage, { billStatus: BillStatus.Finished, item: { receiveStatus: ReceiveStatus.NotReceived } }),
  ],
];

describe('the scan of a unit for the shelf', () => {
  it('asks for a session and for the right to store', async () => {
    const { sn } = await ready();
    expect(await testApp.send(checkStorage, { sn })).toMatchObject({ status: 401, code: '401' });
    expect(await testApp.send(checkStorage, { sn }, { as: 'tech' })).toMatchObject({ status: 403, code: '100013' });
  });

  it.each(guard)('refuses %s', async (_, code, snOf) => {
    expect(await check(await snOf())).toMatchObject({ status: 200, code });
  });

  it('takes a unit that passed QC, however it was typed, and writes nothing [W-STO-06]', async () => {
    const { sn, mtbId } = await ready();
    const before = await takeSnapshot(testApp.db);
    const answer = await check(` ${sn.toLowerCase()} `);
    expect(answer).toMatchObject({
      code: '000000',
      data: { sn, salesCode: 'RX19', name: 'RX19 104T', mtbId },
    });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });
});

describe('the storing of a package', () => {
  it('asks for a session and for the right to store', async () => {
    const { sn } = await ready();
    const input = { rmaStoreBillLineList: [{ sn }] };
    const before = await takeSnapshot(testApp.db);
    expect(await testApp.send(submitStoreBill, input)).toMatchObject({ status: 401, code: '401' });
    expect(await testApp.send(submitStoreBill, input, { as: 'tech' })).toMatchObject({ status: 403, code: '100013' });
    expect(await testApp.send(submitStoreBill, input, { as: 'whNB' })).toMatchObject({ code: '100004' });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  it.each(guard)('refuses %s, and with it the good ones of the same package [W-EVT-22]', async (_, code, snOf) => {
    const { sn } = await ready();
    const bad = await snOf();
    const before = await takeSnapshot(testApp.db);
    expect(await store([sn, bad])).toMatchObject({ status: 200, code });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  const wrong: [what: string, code: string, input: (sns: string[]) => Partial<Input>][] = [
    ['an empty package', '100001', () => ({ rmaStoreBillLineList: [] })],
    ['an SN twice', '100007', ([sn = '']) => ({ rmaStoreBillLineList: [{ sn }, { sn: ` ${sn.toLowerCase()}` }] })],
    [
      'more SNs than the standard package holds',
      '100019',
      (sns) => ({ rmaStoreBillLineList: sns.map((sn) => ({ sn })) }),
    ],
    ['more SNs than the chosen package holds', '100019', () => ({ packageCount: 1 })],
    ['a package of no standard quantity', '100015', () => ({ packageCount: 50 })],
    ['a warehouse that does not exist', '100015', () => ({ subinventoryCode: 'XX' })],
    ['a warehouse of defectives', '100015', () => ({ subinventoryCode: 'DEF' })],
    ["another station's issue code", '100027', ([sn = '']) => ({ rmaStoreBillLineList: [{ sn, icdId: 1 }] })],
    ['an issue code that does not exist', '100027', ([sn = '']) => ({ rmaStoreBillLineList: [{ sn, icdId: 9999 }] })],
  ];
  it.each(wrong)('refuses %s [W-EVT-22]', async (_, code, inputOf) => {
    const sns: string[] = [];
    for (let i = 0; i < 21; i++) sns.push((await ready()).sn);
    const before = await takeSnapshot(testApp.db);
    const input = { rmaStoreBillLineList: sns.slice(0, 2).map((sn) => ({ sn })), ...inputOf(sns) };
    expect(await store([], input)).toMatchObject({ status: 200, code });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  it('puts units on the shelf and on a stock-up bill that it makes [W-STO-07] [W-EVT-22]', async () => {
    const one = await ready();
    const two = await ready({ bill: one });
    const answer = await store([one.sn, ` ${two.sn.toLowerCase()}`], { packageCount: 40, subinventoryCode: 'FG' });
    expect(answer).toMatchObject({ code: '000000', data: { storedCount: 2 } });
    const { stbId, skbIdList } = answer.data;
    expect(stbId).toMatch(/^STB\d{13}$/);
    expect(await readStockups(one.mtbId)).toMatchObject([
      {
        skbId: skbIdList[0],
        deliverShipNo: skbIdList[0],
        status: StockupStatus.Open,
        siteId: 'SZ',
        deliverSiteId: 'SZ',
        allCount: 2,
        deliveredCount: 0,
      },
    ]);
    for (const { sn, mtbId, mtblId, mtbliId, itemId } of [one, two]) {
      expect(await readUnit(sn)).toMatchObject({
        ivyId: Node.CanShip,
        subinventoryCode: 'FG',
        storageType: '0',
        mtbId,
      });
      expect(await readItem(mtbliId)).toMatchObject({ deliverStatus: '1', stockup: '1', deliverTime: null });
      expect(
        await testApp.db.selectFrom('rma_stockup_bill_line').selectAll().where('sn', '=', sn).execute(),
      ).toMatchObject([
        {
          skbId: skbIdList[0],
          mtbId,
          mtblId,
          mtbliId,
          itemId,
          salesCode: 'RX19',
          productName: 'RX19',
          delivered: '0',
        },
      ]);
      expect(await testApp.db.selectFrom('rma_transaction').selectAll().where('sn', '=', sn).execute()).toMatchObject([
        { step: 'store', billId: stbId, fromNode: '90', toNode: '100', operateStatus: 'Normal', userId: 'warehouse' },
      ]);
    }
    const entries = await testApp.db.selectFrom('ledger').selectAll().where('recordId', '=', stbId).execute();
    expect(entries).toMatchObject([{ what: 'store', module: 'rmaStoreBill', userId: 'warehouse', siteId: 'SZ' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('is kept as a store bill with a line for each SN [W-STO-02]', async () => {
    const { sn } = await ready();
    const { codeId } = await testApp.db
      .updateTable('ubs_issue_code')
      .set({ name: '良品', nameEn: 'Good' })
      .where('code', '=', 'ST00')
      .returning('codeId')
      .executeTakeFirstOrThrow();
    const answer = await store([], {
      rmaStoreBillLineList: [{ sn, salesCode: 'RX19', name: 'x', icdId: codeId ?? 0 }],
    });
    const { stbId } = answer.data;
    const bill = await testApp.ask('GET', '/api/rmaStoreBill/queryById.json', { id: stbId }, { as: 'warehouse' });
    expect(bill.data).toMatchObject({
      stbId,
      packageCount: 20,
      userId: 'warehouse',
      rmaStoreBillLineList: [{ sn, salesCode: 'RX19', name: 'RX19 104T', icdId: 'ST00' }],
      // A passing code is read by its name: it is no issue.
      view: { lines: { rmaStoreBillLineList: { labels: { icdId: { ST00: 'Good' } } } } },
    });
  });

  it('adds later units to the open stock-up bill of their maintain bill, and only to that one [W-EVT-22]', async () => {
    const first = await ready();
    const skbId = (await store([first.sn])).data.skbIdList[0];
    const second = await ready({ bill: first });
    const other = await ready();
    const answer = await store([second.sn, other.sn]);
    expect(answer.data.skbIdList).toHaveLength(2);
    expect(answer.data.skbIdList).toContain(skbId);
    expect(await readStockups(first.mtbId)).toMatchObject([{ skbId, allCount: 2 }]);
    expect(await readStockups(other.mtbId)).toMatchObject([{ allCount: 1 }]);
  });

  it.each([
    ['goes by another carrier', { item: { deliverShipId: 'DHL' } }, StockupStatus.Open],
    ['goes out at another site', { item: { deliverSiteId: 'NB' } }, StockupStatus.Open],
    ['comes after its stock-up bill was stopped', {}, StockupStatus.Stopped],
    ['comes after its stock-up bill was finished', {}, StockupStatus.Finished],
    ['comes after its stock-up bill was cancelled', {}, StockupStatus.Cancelled],
  ])('makes another stock-up bill for a unit that %s [W-EVT-22]', async (_, more, status) => {
    const bill = await maintainBill(testApp.db);
    const skbId = `SKB-${status}-${bill.mtbId}`;
    const lines = status === StockupStatus.Finished ? 1 : 0;
    await testApp.db
      .insertInto('rma_stockup_bill')
      .values({
        skbId,
        mtbId: bill.mtbId,
        deliverShipNo: skbId,
        deliverSiteId: 'SZ',
        siteId: 'SZ',
        status,
        allCount: lines,
        deliveredCount: lines,
      })
      .execute();
    if (lines > 0) {
      const gone = { skblId: `${skbId}-1`, mtbId: bill.mtbId, mtblId: 'MBL-GONE', mtbliId: 'MBI-GONE', sn: 'GONE' };
      await testApp.db
        .insertInto('rma_stockup_bill_line')
        .values({ ...gone, skbId, delivered: '1' })
        .execute();
    }
    const { sn, mtbId } = await ready({ bill, ...more });
    const { skbIdList } = (await store([sn])).data;
    expect(skbIdList).toHaveLength(1);
    expect(skbIdList).not.toContain(skbId);
    expect((await readStockups(mtbId)).map((it) => [it.skbId, it.status, it.allCount])).toEqual([
      [skbId, status, lines],
      [skbIdList[0], '0', 1],
    ]);
  });

  it('stores a paused unit, which stays back and is not stocked up [W-EVT-22]', async () => {
    const { sn, mtbId, mtbliId } = await ready({ item: { deliverPriority: DeliverPriority.Paused } });
    expect((await store([sn])).data).toMatchObject({ storedCount: 1, skbIdList: [] });
    expect(await readUnit(sn)).toMatchObject({ ivyId: Node.CanShip });
    expect(await readItem(mtbliId)).toMatchObject({ deliverStatus: '0', stockup: '0' });
    expect(await readStockups(mtbId)).toEqual([]);
  });

  it("stores a machine of the site's own stock without any bill [W-EVT-22]", async () => {
    const sn = await stockMachine(testApp.db, Node.AwaitingStorage);
    const before = await testApp.db.selectFrom('rma_stockup_bill').select('id').execute();
    expect((await store([sn])).data).toMatchObject({ storedCount: 1, skbIdList: [] });
    expect(await readUnit(sn)).toMatchObject({ ivyId: Node.CanShip, mtbId: null, subinventoryCode: 'FG' });
    expect(await testApp.db.selectFrom('rma_stockup_bill').select('id').execute()).toEqual(before);
  });

  it('goes by what the site says of its warehouse', async () => {
    await testApp.db
      .insertInto('ubs_subinventory')
      .values({ siteId: 'SZ', subinventoryCode: 'FG', name: '良品', storageType: '0' })
      .execute();
    const { sn } = await ready();
    await store([sn], { subinventoryCode: 'fg' });
    expect(await readUnit(sn)).toMatchObject({ subinventoryCode: 'FG', storageType: '0' });
  });
});

describe('storing again', () => {
  it('gives the first answer to the same request, and has one effect', async () => {
    const { sn, mtbId } = await ready();
    const key = newKey();
    const first = await store([sn], {}, key);
    const again = await store([sn], {}, key);
    expect(again).toEqual(first);
    expect(await readStockups(mtbId)).toMatchObject([{ allCount: 1 }]);
    expect((await store([sn])).code).toBe('100003');
  });

  it('lets exactly one of two stations store an SN', async () => {
    const { sn, mtbId } = await ready();
    const answers = await Promise.all([store([sn]), store([sn]), store([sn])]);
    expect(answers.map((it) => it.code).toSorted()).toEqual(['000000', '100003', '100003']);
    expect(await readStockups(mtbId)).toMatchObject([{ allCount: 1 }]);
  });

  it('makes one stock-up bill when two stations store units of one bill at the same time', async () => {
    const bill = await maintainBill(testApp.db);
    const units = [await ready({ bill }), await ready({ bill }), await ready({ bill })];
    const answers = await Promise.all(units.map((it) => store([it.sn])));
    expect(answers.map((it) => it.code)).toEqual(['000000', '000000', '000000']);
    expect(await readStockups(bill.mtbId)).toMatchObject([{ allCount: 3 }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});
