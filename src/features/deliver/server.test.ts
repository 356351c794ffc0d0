import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { BillStatus, DeliverPriority, ReceiveStatus, StockupStatus } from '#domain/enums.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { find } from '#server/find/contract.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import {
  heldUnit,
  maintainBill,
  stockMachine,
  unitOnBill,
  type Bill,
  type UnitOnBill,
} from '#tests/support/factories.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import { checkDelivery, loadStockupBill, submitDeliverBill, validateSn } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

type More = Partial<Parameters<typeof unitOnBill>[1]>;
type Shelved = UnitOnBill & { skbId: string };

/** Units of one maintain bill on the shelf and on its stock-up bill, as the store leaves them. */
async function shelved(count: number, more: More = {}, bill?: Bill): Promise<[Shelved, ...Shelved[]]> {
  const on = bill ?? (await maintainBill(testApp.db));
  const units: UnitOnBill[] = [];
  for (let i = 0; i < count; i++) {
    units.push(await unitOnBill(testApp.db, { node: Node.AwaitingStorage, bill: on, ...more }));
  }
  const rmaStoreBillLineList = units.map(({ sn }) => ({ sn }));
  const answer = await testApp.ask<{ skbIdList: string[] }>(
    'POST',
    '/api/rmaStoreBill/submitStoreBill.json',
    { rmaStoreBillLineList },
    { as: 'warehouse' },
  );
  expect(answer.code).toBe('000000');
  const skbId = answer.data.skbIdList[0] ?? '';
  return units.map((it) => ({ ...it, skbId })) as [Shelved, ...Shelved[]];
}

type Input = InputOf<typeof submitDeliverBill>;
const as = 'warehouse';
const lines = (...sns: string[]): Pick<Input, 'rmaDeliverBillLineList'> => ({
  rmaDeliverBillLineList: sns.map((deliverSn) => ({ deliverSn })),
});
const inputOf = (skbId: string, sns: readonly string[], more: Partial<Input> = {}): Input => ({
  skbId,
  submitType: '0',
  ...lines(...sns),
  ...more,
});
const deliver = (skbId: string, sns: readonly string[], more: Partial<Input> = {}, key?: string) =>
  testApp.send(submitDeliverBill, inputOf(skbId, sns, more), { as, ...(key && { key }) });
const check = (sn: string, skbId: string) => testApp.send(checkDelivery, { sn, skbId }, { as });
const load = (deliverShipNo: string, by = as) => testApp.send(loadStockupBill, { deliverShipNo }, { as: by });
const at = async (node: Node, more: More = {}) => (await unitOnBill(testApp.db, { node, ...more })).sn;

const readStockup = (skbId: string) =>
  testApp.db.selectFrom('rma_stockup_bill').selectAll().where('skbId', '=', skbId).executeTakeFirstOrThrow();
const setStockup = (skbId: string, row: { status?: string; siteId?: string; deliverShipNo?: string }) =>
  testApp.db.updateTable('rma_stockup_bill').set(row).where('skbId', '=', skbId).execute();
const setItem = (mtbliId: string, row: { deliverStatus?: string; deliverPriority?: string }) =>
  testApp.db.updateTable('rma_maintain_bill_line_item').set(row).where('mtbliId', '=', mtbliId).execute();
const readItem = (mtbliId: string) =>
  testApp.db
    .selectFrom('rma_maintain_bill_line_item')
    .selectAll()
    .where('mtbliId', '=', mtbliId)
    .executeTakeFirstOrThrow();
const readNode = async (sn: string) =>
  (await testApp.db.selectFrom('rma_inventory').select('ivyId').where('sn', '=', sn).executeTakeFirstOrThrow()).ivyId;
const readMaintainBill = (mtbId: string) =>
  testApp.db.selectFrom('rma_maintain_bill').select('billStatus').where('mtbId', '=', mtbId).executeTakeFirstOrThrow();

describe('a stock-up bill is loaded', () => {
  it('by somebody who may deliver', async () => {
    const [{ skbId }] = await shelved(1);
    expect(await testApp.send(loadStockupBill, { deliverShipNo: skbId })).toMatchObject({ status: 401, code: '401' });
    expect(await load(skbId, 'tech')).toMatchObject({ status: 403, code: '100013' });
  });

  it('with a ship no, else nothing is loaded [W-DLV-05]', async () => {
    expect(await load('   ')).toMatchObject({ code: '100001' });
    const [{ sn }] = await shelved(1);
    expect(await check(sn, '')).toMatchObject({ code: '100001' });
    expect(await load('SF-NOBODY')).toMatchObject({ code: '100010', msg: 'No bill for SF-NOBODY' });
  });

  it('of another site as if it did not exist', async () => {
    const [{ skbId }] = await shelved(1);
    expect(await load(skbId, 'whNB')).toMatchObject({ code: '100010' });
  });

  it('only while something waits on it [W-DLV-06]', async () => {
    const [{ skbId, sn }] = await shelved(1);
    await deliver(skbId, [sn]);
    expect(await load(skbId)).toMatchObject({ code: '100021', msg: 'The bill has no lines to deliver' });
    const [empty] = await shelved(1);
    await testApp.db.deleteFrom('rma_stockup_bill_line').where('skbId', '=', empty.skbId).execute();
    expect(await load(empty.skbId)).toMatchObject({ code: '100021', msg: 'The bill has no lines to deliver' });
    expect(await check(empty.sn, empty.skbId)).toMatchObject({ code: '100021' });
    expect(await deliver(empty.skbId, [empty.sn])).toMatchObject({ code: '100021' });
    await testApp.db.deleteFrom('rma_stockup_bill').where('skbId', '=', empty.skbId).execute();
    await setItem(empty.mtbliId, { deliverStatus: '1' });
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ stockup: '0' })
      .where('mtbliId', '=', empty.mtbliId)
      .execute();
  });

  it('not while it is stopped', async () => {
    const [{ skbId }] = await shelved(1);
    await setStockup(skbId, { status: StockupStatus.Stopped });
    expect(await load(skbId)).toMatchObject({ code: '100011' });
  });

  it('by its own number or by its waybill as it was written, with the customer and what waits, urgent things first [W-STK-01] [W-STK-02]', async () => {
    const bill = await maintainBill(testApp.db, { mobile: '138', stateName: '浙江', cityName: '宁波', street: '1 号' });
    const [gone, waiting, urgent] = await shelved(3, {}, bill);
    if (!waiting || !urgent) throw new Error('three are shelved');
    const { skbId } = gone;
    await setItem(urgent.mtbliId, { deliverPriority: DeliverPriority.Priority });
    await deliver(skbId, [gone.sn]);
    await setStockup(skbId, { deliverShipNo: 'sf-9001x' });
    for (const no of [skbId, skbId.toLowerCase(), 'sf-9001x']) {
      const { data } = await load(no);
      expect(data.bill).toMatchObject({
        skbId,
        mtbId: bill.mtbId,
        status: StockupStatus.Partly,
        allCount: 3,
        deliveredCount: 1,
        userName: '宁远矿业',
        address: '浙江 宁波 1 号',
      });
      expect(data.bill.rmaStockupBillLineList.map((it) => [it.sn, it.itemId, it.delivered])).toEqual([
        [urgent.sn, urgent.itemId, '0'],
        [gone.sn, gone.itemId, '1'],
        [waiting.sn, waiting.itemId, '0'],
      ]);
      expect(data.maintainBillLines.find((it) => it.mtblId === gone.mtblId)).toMatchObject({
        mtbId: bill.mtbId,
        salesCode: 'RX19',
        userName: '宁远矿业',
        deliverCount: 1,
        shouldDeliverCount: 1,
      });
    }
  });
});

/** What an SN may be refused for, at the scan and at the submit alike. Rule: guard#order, events#e25. */
const noes: [what: string, code: string, sn: (skbId: string) => string | Promise<string>][] = [
  ['an empty SN', '100001', () => ' '],
  ['an SN that can be none', '100015', () => 'SN#1'],
  ['an SN that nobody knows', '100002', () => 'RX19UNKNOWN'],
  ['an SN of another site', '100004', () => at(Node.CanShip, { siteId: 'NB' })],
  ['a shipped unit', '100005', () => at(Node.Shipped)],
  ['a scrapped unit', '100006', () => at(Node.Scrapped)],
  ['a unit that waits for its scrapping', '100008', async () => (await heldUnit(testApp.db)).sn],
  ...nodes
    .filter((it) => ![Node.Shipped, Node.Scrapped, Node.CanShip].some((not) => not === it))
    .map((node): [string, string, () => Promise<string>] => [`a unit at node ${node}`, '100003', () => at(node)]),
  [
    'a unit of a finished bill',
    '100011',
    () => at(Node.CanShip, { billStatus: BillStatus.Finished, item: { receiveStatus: ReceiveStatus.NotReceived } }),
  ],
  [
    'a unit that was paused when it was stored',
    '100024',
    async () => (await shelved(1, { item: { deliverPriority: DeliverPriority.Paused } }))[0].sn,
  ],
  [
    'a unit that was paused since',
    '100024',
    async () => {
      const [{ sn, mtbliId }] = await shelved(1);
      await setItem(mtbliId, { deliverPriority: DeliverPriority.Paused });
      return sn;
    },
  ],
  ['a unit that may not be shipped', '100024', () => at(Node.CanShip, { item: { deliverStatus: '0' } })],
  ['a unit that nobody stocked up', '100021', () => at(Node.CanShip)],
  ["a machine of the site's own stock", '100021', () => stockMachine(testApp.db, Node.CanShip)],
  ['a unit of another stock-up bill', '100020', async () => (await shelved(1))[0].sn],
  ['a unit of a model that is on no line', '100020', async () => (await shelved(1, { salesCode: 'RX21' }))[0].sn],
];

describe('the scan of a unit that leaves', () => {
  it('asks for a session and for the right to deliver', async () => {
    const [{ sn, skbId }] = await shelved(1);
    expect(await testApp.send(checkDelivery, { sn, skbId })).toMatchObject({ status: 401, code: '401' });
    expect(await testApp.send(checkDelivery, { sn, skbId }, { as: 'tech' })).toMatchObject({ code: '100013' });
  });

  it.each(noes)('refuses %s', async (_, code, snOf) => {
    const [{ skbId }] = await shelved(1);
    expect(await check(await snOf(skbId), skbId)).toMatchObject({ status: 200, code });
  });

  it('refuses a unit without stock-up data, and a bill that does not exist [W-DLV-10]', async () => {
    const [{ sn, skbId }] = await shelved(1);
    const stray = await at(Node.CanShip);
    expect(await check(stray, skbId)).toMatchObject({
      code: '100021',
      msg: `There is no tally data for ${stray}; shipping is refused`,
    });
    expect(await check(sn, 'SKB-NOBODY')).toMatchObject({ code: '100002' });
    expect(await deliver(skbId, [stray])).toMatchObject({ code: '100021' });
    expect(await deliver('SKB-NOBODY', [sn])).toMatchObject({ code: '100002' });
  });

  it('names the sales code that fits no line [W-DLV-08]', async () => {
    const [{ skbId }] = await shelved(1);
    const [other] = await shelved(1, { salesCode: 'RX21' });
    const msg = `Sales code RX21 of SN ${other.sn} does not match any bill line`;
    expect(await check(other.sn, skbId)).toMatchObject({ code: '100020', msg });
    expect(await deliver(skbId, [other.sn])).toMatchObject({ code: '100020', msg });
  });

  it('tells the line on which the unit leaves, and writes nothing [W-DLV-14]', async () => {
    const [{ sn, skbId, itemId, mtblId }] = await shelved(1);
    const { skblId } = await testApp.db
      .selectFrom('rma_stockup_bill_line')
      .select('skblId')
      .where('sn', '=', sn)
      .executeTakeFirstOrThrow();
    const before = await takeSnapshot(testApp.db);
    const answer = await check(` ${sn.toLowerCase()}`, skbId);
    expect(answer).toMatchObject({
      code: '000000',
      data: { sn, deliverItemId: itemId, sklId: skblId, mtblId, salesCode: 'RX19', name: 'RX19 104T', needRebind: '1' },
    });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  it('asks for no parts of a device that has some', async () => {
    const [{ sn, skbId }] = await shelved(1);
    await testApp.db
      .insertInto('ubs_assembly')
      .values({ deviceSn: sn, componentSn: `PW-${sn}` })
      .execute();
    expect((await check(sn, skbId)).data.needRebind).toBe('0');
  });
});

describe('the SN of an item', () => {
  const validate = (sn: string, deliverItemId: number) => testApp.send(validateSn, { sn, deliverItemId }, { as });

  it('is asked about with the right to deliver', async () => {
    const [{ sn, itemId }] = await shelved(1);
    const input = { sn, deliverItemId: itemId };
    expect(await testApp.send(validateSn, input)).toMatchObject({ status: 401, code: '401' });
    expect(await testApp.send(validateSn, input, { as: 'tech' })).toMatchObject({ code: '100013' });
    expect(await testApp.send(validateSn, input, { as: 'whNB' })).toMatchObject({ code: '100004' });
  });

  it('has to be its own [W-DLV-09] [W-DLV-16]', async () => {
    const [one, two] = await shelved(2);
    if (!two) throw new Error('two are shelved');
    expect(await validate(one.sn, two.itemId)).toMatchObject({ code: '100020' });
    expect(await validate(await at(Node.CanShip), one.itemId)).toMatchObject({ code: '100020' });
    expect(await validate(await at(Node.AwaitingTest), one.itemId)).toMatchObject({ code: '100003' });
    expect(await validate(one.sn, one.itemId)).toMatchObject({
      code: '000000',
      data: { sn: one.sn, item: { itemId: 1, salesCode: 'RX19', name: 'RX19 104T', deviceType: '0' } },
    });
    const named = (deliverItemId: number) => ({ rmaDeliverBillLineList: [{ deliverSn: one.sn, deliverItemId }] });
    const before = await takeSnapshot(testApp.db);
    expect(await deliver(one.skbId, [], named(two.itemId))).toMatchObject({ code: '100020' });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
    expect(await deliver(one.skbId, [], named(one.itemId))).toMatchObject({ code: '000000' });
  });
});

describe('a delivery', () => {
  it('asks for a session and for the right to deliver', async () => {
    const [{ sn, skbId }] = await shelved(1);
    const input = inputOf(skbId, [sn]);
    const before = await takeSnapshot(testApp.db);
    expect(await testApp.send(submitDeliverBill, input)).toMatchObject({ status: 401, code: '401' });
    expect(await testApp.send(submitDeliverBill, input, { as: 'tech' })).toMatchObject({ status: 403, code: '100013' });
    expect(await testApp.send(submitDeliverBill, input, { as: 'whNB' })).toMatchObject({ code: '100004' });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  it.each(noes)('refuses %s, and with it the good ones [W-EVT-25]', async (_, code, snOf) => {
    const [{ sn, skbId }] = await shelved(1);
    const bad = await snOf(skbId);
    const before = await takeSnapshot(testApp.db);
    expect(await deliver(skbId, [sn, bad])).toMatchObject({ status: 200, code });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  const wrong: [what: string, code: string, more: (it: Shelved) => Partial<Input>][] = [
    ['without a bill', '100001', () => ({ skbId: ' ' })],
    ['on a bill that does not exist', '100002', () => ({ skbId: 'SKB-NOBODY' })],
    ['without an SN', '100001', () => lines()],
    ['of an SN twice', '100007', ({ sn }) => lines(sn, ` ${sn.toLowerCase()}`)],
    ['of submit type 1', '100015', () => ({ submitType: '1' })],
    ['of no submit type', '100015', () => ({ submitType: '' })],
    [
      'that names another stock-up line',
      '100020',
      ({ sn }) => ({ rmaDeliverBillLineList: [{ deliverSn: sn, sklId: 'SKL0' }] }),
    ],
  ];
  it.each(wrong)('%s is refused [W-EVT-25]', async (_, code, moreOf) => {
    const [unit] = await shelved(1);
    const before = await takeSnapshot(testApp.db);
    expect(await deliver(unit.skbId, [unit.sn], moreOf(unit))).toMatchObject({ status: 200, code });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  it('has something to deliver, and each SN counts one [W-DLV-12]', async () => {
    const [{ sn, skbId }] = await shelved(1);
    const counted = (submitCount: number) => ({ rmaDeliverBillLineList: [{ deliverSn: sn, submitCount }] });
    const before = await takeSnapshot(testApp.db);
    expect(await deliver(skbId, [], lines())).toMatchObject({ code: '100001' });
    expect(await deliver(skbId, [], counted(0))).toMatchObject({ code: '100019' });
    expect(await deliver(skbId, [], counted(2))).toMatchObject({ code: '100019' });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
    expect(await deliver(skbId, [], counted(1))).toMatchObject({ code: '000000' });
  });

  it.each([
    ['finished', StockupStatus.Finished],
    ['stopped', StockupStatus.Stopped],
    ['cancelled', StockupStatus.Cancelled],
  ])('on a %s stock-up bill is refused', async (_, status) => {
    const [{ sn, skbId }] = await shelved(1);
    await setStockup(skbId, { status });
    const before = await takeSnapshot(testApp.db);
    expect(await deliver(skbId, [sn])).toMatchObject({ code: '100011', msg: `Bill ${skbId} is finished` });
    expect(await check(sn, skbId)).toMatchObject({ code: '100011' });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
    await setStockup(skbId, { status: StockupStatus.Open });
  });

  it("on another site's stock-up bill is refused as if that did not exist", async () => {
    const [{ sn, skbId }] = await shelved(1);
    await setStockup(skbId, { siteId: 'NB' });
    expect(await deliver(skbId, [sn])).toMatchObject({ code: '100002' });
    await setStockup(skbId, { siteId: 'SZ' });
  });

  it('is found by its waybill however its digits are grouped, at the station, in a list and by its number', async () => {
    const [{ skbId, sn }] = await shelved(1, { item: { deliverSiteId: 'SZ' } });
    const { id, version } = await testApp.db
      .selectFrom('rma_stockup_bill')
      .select(['id', 'version'])
      .where('skbId', '=', skbId)
      .executeTakeFirstOrThrow();
    const waybill = { id, version, deliverShipId: 'SF', deliverShipNo: ' sf 70\u300002 ' };
    expect(await testApp.ask('POST', '/api/rmaStockupBill/modifyById.json', waybill, { as })).toMatchObject({
      code: '000000',
    });
    expect(await readStockup(skbId)).toMatchObject({ deliverShipNo: 'SF7002' });
    expect((await deliver(skbId, [sn])).code).toBe('000000');
    const sent = await testApp.db
      .selectFrom('rma_deliver_bill')
      .select(['dvbId', 'deliverShipNo'])
      .where('skbId', '=', skbId)
      .executeTakeFirstOrThrow();
    expect(sent.deliverShipNo).toBe('SF7002');
    for (const no of ['SF7002', 'sf 7002', 'SF 70 02']) {
      expect(await load(no), no).toMatchObject({ code: '100021' });
      const { data: found } = await testApp.send(find, { text: no }, { as });
      expect(found.items, no).toContainEqual(expect.objectContaining({ kind: 'parcel', text: 'SF7002' }));
      const listed = await testApp.ask<{ items: object[] }>(
        'GET',
        '/api/rmaDeliverBill/pager.json',
        { pageStart: 0, pageCount: 10, deliverShipNo: no },
        { as },
      );
      expect(listed.data.items, no).toMatchObject([{ dvbId: sent.dvbId }]);
    }
  });

  it('lets units leave one by one: the stock-up bill is partly, then wholly delivered, the maintain bill finished [W-DLV-03] [W-DLV-04] [W-DLV-15] [W-EVT-25]', async () => {
    const [one, two] = await shelved(2, { item: { deliverSiteId: 'SZ' } });
    if (!two) throw new Error('two are shelved');
    const { skbId, mtbId } = one;
    await testApp.db
      .updateTable('rma_stockup_bill')
      .set({ deliverShipNo: 'SF7001', deliverShipId: 'SF' })
      .where('skbId', '=', skbId)
      .execute();
    const { sklId } = (await check(one.sn, skbId)).data;
    const first = await deliver(skbId, [], {
      rmaDeliverBillLineList: [
        {
          deliverItemId: one.itemId,
          deliverSn: one.sn,
          sklId,
          submitCount: 1,
          salesCode: 'RX19',
          deliverSalesCode: 'RX19',
        },
      ],
    });
    expect(first).toMatchObject({
      code: '000000',
      data: { deliveredCount: 1, remainCount: 1, stockupStatus: StockupStatus.Partly },
    });
    const { dvbId } = first.data;
    expect(dvbId).toMatch(/^DVB\d{13}$/);
    expect([await readNode(one.sn), await readNode(two.sn)]).toEqual([Node.Shipped, Node.CanShip]);
    const item = await readItem(one.mtbliId);
    expect(item).toMatchObject({
      deliverStatus: '2',
      stockup: '0',
      deliverShipNo: 'SF7001',
      deliverShipId: 'SF',
      deliverSiteId: 'SZ',
      deliverSn: one.sn,
      deliverSalesCode: 'RX19',
    });
    expect(Date.now() - Number(item.deliverTime)).toBeLessThan(60_000);
    expect(await readItem(two.mtbliId)).toMatchObject({ deliverStatus: '1', stockup: '1', deliverTime: null });
    const bills = await testApp.db.selectFrom('rma_deliver_bill').selectAll().where('dvbId', '=', dvbId).execute();
    expect(bills).toMatchObject([
      { skbId, submitType: '0', deliverShipNo: 'SF7001', deliverShipId: 'SF', userId: 'warehouse', siteId: 'SZ' },
    ]);
    const gone = await testApp.db.selectFrom('rma_deliver_bill_line').selectAll().where('dvbId', '=', dvbId).execute();
    expect(gone).toMatchObject([
      {
        skbId,
        deliverItemId: one.itemId,
        mtbId,
        mtbliId: one.mtbliId,
        sn: one.sn,
        salesCode: 'RX19',
        deliverSalesCode: 'RX19',
        name: 'RX19 104T',
      },
    ]);
    const history = await testApp.db.selectFrom('rma_transaction').selectAll().where('billId', '=', dvbId).execute();
    expect(history).toMatchObject([
      { sn: one.sn, step: 'deliver', fromNode: '100', toNode: '900', operateStatus: 'Normal', mtbId },
    ]);
    const entries = await testApp.db.selectFrom('ledger').selectAll().where('recordId', '=', dvbId).execute();
    expect(entries).toMatchObject([{ what: 'deliver', module: 'rmaDeliverBill', userId: 'warehouse' }]);
    const line = await testApp.db
      .selectFrom('rma_maintain_bill_line')
      .select(['receiveCount', 'deliverCount'])
      .where('mtblId', '=', one.mtblId)
      .executeTakeFirstOrThrow();
    expect(line).toEqual({ receiveCount: 1, deliverCount: 1 });
    expect(await readMaintainBill(mtbId)).toEqual({ billStatus: BillStatus.Received });

    expect((await deliver(skbId, [two.sn])).data).toMatchObject({
      remainCount: 0,
      stockupStatus: StockupStatus.Finished,
    });
    expect(await readStockup(skbId)).toMatchObject({ status: '2', allCount: 2, deliveredCount: 2 });
    expect(await readMaintainBill(mtbId)).toEqual({ billStatus: BillStatus.Finished });
  });

  it('leaves a maintain bill open whose receipt is open', async () => {
    const bill = await maintainBill(testApp.db, { billStatus: BillStatus.Awaiting });
    const [{ sn, skbId }] = await shelved(1, {}, bill);
    expect((await deliver(skbId, [sn])).data.stockupStatus).toBe(StockupStatus.Finished);
    expect(await readMaintainBill(bill.mtbId)).toEqual({ billStatus: BillStatus.Awaiting });
  });

  it('keeps what must always hold between units, items and bills', async () => {
    const [one, two, three] = await shelved(3);
    await deliver(one.skbId, [one.sn, two?.sn ?? '']);
    expect(await readNode(three?.sn ?? '')).toBe(Node.CanShip);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('delivering again', () => {
  it('gives the first answer to the same request, and has one effect', async () => {
    const [{ sn, skbId }] = await shelved(2);
    const key = newKey();
    const first = await deliver(skbId, [sn], {}, key);
    expect(await deliver(skbId, [sn], {}, key)).toEqual(first);
    expect(await readStockup(skbId)).toMatchObject({ deliveredCount: 1 });
    expect((await deliver(skbId, [sn])).code).toBe('100005');
  });

  it('lets exactly one of two stations deliver an SN', async () => {
    const [{ sn, skbId }] = await shelved(2);
    const answers = await Promise.all([deliver(skbId, [sn]), deliver(skbId, [sn]), deliver(skbId, [sn])]);
    expect(answers.map((it) => it.code).toSorted()).toEqual(['000000', '100005', '100005']);
    expect(await readStockup(skbId)).toMatchObject({ deliveredCount: 1 });
    const rows = await testApp.db.selectFrom('rma_deliver_bill_line').select('id').where('sn', '=', sn).execute();
    expect(rows).toHaveLength(1);
  });

  it('finishes maintain bills whose last two units leave at the same time, by two carriers', async () => {
    const pairs: Shelved[][] = [];
    for (let i = 0; i < 5; i++) {
      const bill = await maintainBill(testApp.db);
      const [one] = await shelved(1, {}, bill);
      const [two] = await shelved(1, { item: { deliverShipId: 'DHL' } }, bill);
      expect(two.skbId).not.toBe(one.skbId);
      pairs.push([one, two]);
    }
    const answers = await Promise.all(pairs.flat().map((it) => deliver(it.skbId, [it.sn])));
    expect(answers.map((it) => it.code)).toEqual(Array.from({ length: 10 }, () => '000000'));
    const statuses = await Promise.all(pairs.map(([one]) => readMaintainBill(one?.mtbId ?? '')));
    expect(statuses).toEqual(pairs.map(() => ({ billStatus: BillStatus.Finished })));
  });
});

describe('an exchange item', () => {
  const exchange = (code: string | null = null) => ({ item: { exchange: '1', deliverSalesCode: code } }) as More;
  const readUnit = (sn: string) =>
    testApp.db
      .selectFrom('rma_inventory')
      .select(['ivyId', 'mtbId', 'mtblId', 'mtbliId'])
      .where('sn', '=', sn)
      .executeTakeFirstOrThrow();

  it('goes out by a stock machine of its model; its own unit stays as stock, and the bill is finished [W-EVT-25]', async () => {
    const [{ skbId, sn, mtbId, mtbliId, itemId }] = await shelved(1, exchange());
    const stock = await stockMachine(testApp.db, Node.CanShip);
    expect(await check(stock, skbId)).toMatchObject({ code: '000000', data: { sn: stock, deliverItemId: itemId } });
    expect(await deliver(skbId, [stock])).toMatchObject({
      code: '000000',
      data: { deliveredCount: 1, remainCount: 0, stockupStatus: StockupStatus.Finished },
    });
    expect(await readNode(stock)).toBe(Node.Shipped);
    expect(await readItem(mtbliId)).toMatchObject({ deliverStatus: '2', deliverSn: stock, deliverSalesCode: 'RX19' });
    expect(await readUnit(sn)).toEqual({ ivyId: Node.CanShip, mtbId: null, mtblId: null, mtbliId: null });
    expect(await readMaintainBill(mtbId)).toEqual({ billStatus: BillStatus.Finished });
    const [event] = await testApp.db.selectFrom('rma_transaction').selectAll().where('sn', '=', stock).execute();
    expect(event).toMatchObject({ step: 'deliver', mtbId, fromNode: Node.CanShip, toNode: Node.Shipped });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('takes the model that was promised instead, one machine for each item, and none for an item that is no exchange', async () => {
    const [{ skbId }] = await shelved(1, exchange('RX21'));
    const [first, second] = [
      await stockMachine(testApp.db, Node.CanShip, { salesCode: 'RX21' }),
      await stockMachine(testApp.db, Node.CanShip, { salesCode: 'RX21' }),
    ];
    const other = await stockMachine(testApp.db, Node.CanShip);
    const before = await takeSnapshot(testApp.db);
    expect(await deliver(skbId, [other])).toMatchObject({ code: '100021' });
    expect(await deliver(skbId, [first, second])).toMatchObject({ code: '100020' });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
    const [plain] = await shelved(1);
    expect(await deliver(plain.skbId, [first])).toMatchObject({ code: expect.stringMatching(/^10002[01]$/) });
    expect(await deliver(skbId, [second])).toMatchObject({ code: '000000' });
    expect(await readNode(first)).toBe(Node.CanShip);
    expect(await deliver(plain.skbId, [plain.sn])).toMatchObject({ code: '000000' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  /** Delivers while somebody else is at work, who goes on as soon as the delivery waits for this table. */
  async function delivering(skbId: string, sn: string, table: string, work: Work, goOn: Work) {
    const { answer } = await testApp.db.transaction().execute(async (other) => {
      await work(other);
      const answer = deliver(skbId, [sn]);
      const waits = sql`
        SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${`%"${table}"%`}`;
      await vi.waitUntil(async () => (await waits.execute(testApp.db)).rows.length === 1);
      await goOn(other);
      return { answer };
    });
    return answer;
  }
  type Work = (db: TestApp['db']) => Promise<unknown>;

  it('waits for whoever works on its bill before it holds the machine or the stock-up bill', async () => {
    const [{ skbId, mtbId }] = await shelved(1, exchange());
    const stock = await stockMachine(testApp.db, Node.CanShip);
    const holdBill: Work = (db) =>
      sql`SELECT id FROM rma_maintain_bill WHERE "mtbId" = ${mtbId} FOR UPDATE`.execute(db);
    const takeTheRest: Work = async (db) => {
      await sql`SELECT id FROM rma_inventory WHERE sn = ${stock} FOR UPDATE NOWAIT`.execute(db);
      await sql`SELECT id FROM rma_stockup_bill WHERE "skbId" = ${skbId} FOR UPDATE NOWAIT`.execute(db);
    };
    expect(await delivering(skbId, stock, 'rma_maintain_bill', holdBill, takeTheRest)).toMatchObject({
      code: '000000',
    });
    expect(await readMaintainBill(mtbId)).toEqual({ billStatus: BillStatus.Finished });
  });

  it('is asked for again where it became one only while the delivery waited', async () => {
    const [{ skbId, mtbliId }] = await shelved(1);
    const stock = await stockMachine(testApp.db, Node.CanShip);
    const holdStockup: Work = (db) =>
      sql`SELECT id FROM rma_stockup_bill WHERE "skbId" = ${skbId} FOR UPDATE`.execute(db);
    const promise: Work = (db) =>
      db.updateTable('rma_maintain_bill_line_item').set({ exchange: '1' }).where('mtbliId', '=', mtbliId).execute();
    expect(await delivering(skbId, stock, 'rma_stockup_bill', holdStockup, promise)).toMatchObject({ code: '100025' });
    expect(await readNode(stock)).toBe(Node.CanShip);
    expect(await deliver(skbId, [stock])).toMatchObject({ code: '000000' });
  });

  it('for which another model was promised: not by its own unit, and the tally names what is promised [W-EVT-31]', async () => {
    const [{ skbId, sn, mtbliId, itemId }] = await shelved(1, exchange('RX21'));
    expect((await load(skbId)).data.bill.rmaStockupBillLineList).toMatchObject([
      { sn, salesCode: 'RX21', productName: 'RX21' },
    ]);
    const before = await takeSnapshot(testApp.db);
    expect(await check(sn, skbId)).toMatchObject({ code: '100020' });
    expect(await testApp.send(validateSn, { sn, deliverItemId: itemId }, { as })).toMatchObject({ code: '100020' });
    expect(await deliver(skbId, [sn])).toMatchObject({ code: '100020' });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
    const promised = await stockMachine(testApp.db, Node.CanShip, { salesCode: 'RX21' });
    expect(await deliver(skbId, [promised])).toMatchObject({ code: '000000' });
    expect(await readItem(mtbliId)).toMatchObject({ deliverSn: promised, deliverSalesCode: 'RX21' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('still goes out by its own unit', async () => {
    const [{ skbId, sn, mtbliId }] = await shelved(1, exchange());
    expect(await deliver(skbId, [sn])).toMatchObject({ code: '000000' });
    expect(await readUnit(sn)).toMatchObject({ ivyId: Node.Shipped, mtbliId });
  });
});
