import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '#domain/call.ts';
import { Node } from '#domain/nodes.ts';
import { changeSite, moveBill } from '#features/bill-actions/contract.ts';
import { submitDeliverBill } from '#features/deliver/contract.ts';
import { exchangeReceive } from '#features/exchange/contract.ts';
import { repair } from '#features/repair/contract.ts';
import { rollbackTransaction } from '#features/rollback/contract.ts';
import { cancelScrapRepair, combineRepair } from '#features/scrap-repair/contract.ts';
import { selfPickupReview } from '#features/self-pickup/contract.ts';
import { changeSn } from '#features/serials/contract.change.ts';
import { deliverAccept, initiate, loadTransfer, receiverAccept } from '#features/stock-transfer/contract.ts';
import { cancelStockupBill, resetStockupBill } from '#features/stockup/contract.ts';
import { storeStart, submitStoreBill } from '#features/store/contract.ts';
import { recountLines } from '#server/workflow/bills.ts';
import { newCounts } from '#server/workflow/lines.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, stockMachine, unitOnBill, type Bill, type UnitOnBill } from '#tests/support/factories.ts';
import { expectRefused, readCodeIds, readItem, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import type { Unseen } from '#tests/support/seen.ts';

/** Whatever is put on a stock-up bill, or sent elsewhere, by whichever call: it goes to that bill's customer and place. */
let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());
afterEach(async () => expect(await brokenInvariants(testApp.db)).toEqual([]));

async function done<C extends Call>(call: C, input: Unseen<C>, as: string) {
  const answer = await testApp.send(call, input, { as });
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data;
}
const createBill = (btmUserId: string | null) => maintainBill(testApp.db, { btmUserId });

/** Units of one bill on the shelf, and so on its stock-up bill. */
async function stored(bill: Bill, count: number): Promise<UnitOnBill[]> {
  const units: UnitOnBill[] = [];
  for (let i = 0; i < count; i++) units.push(await unitOnBill(testApp.db, { node: Node.AwaitingStorage, bill }));
  const rmaStoreBillLineList = units.map(({ sn }) => ({ sn }));
  await done(submitStoreBill, { rmaStoreBillLineList, packageCount: 20 }, 'warehouse');
  return units;
}

/** The living stock-up bills on which an item waits. */
const waitsOn = ({ mtbliId }: UnitOnBill) =>
  testApp.db
    .selectFrom('rma_stockup_bill_line as l')
    .innerJoin('rma_stockup_bill as b', 'b.skbId', 'l.skbId')
    .select(['b.skbId', 'b.mtbId', 'b.siteId', 'b.deliverGroup', 'b.deliverShipId', 'b.status'])
    .where('l.mtbliId', '=', mtbliId)
    .where('l.delivered', '=', '0')
    .where('b.status', 'in', ['0', '1', '3'])
    .execute();
const readSkbId = async (unit: UnitOnBill) => (await waitsOn(unit))[0]?.skbId as string;
const cancel = (id: string) => done(cancelStockupBill, { id }, 'warehouse');
const reset = (id: string) => done(resetStockupBill, { id }, 'warehouse');
const move = (unit: UnitOnBill, { mtbId, mtblId }: UnitOnBill, flags: object) =>
  done(moveBill, { ids: [unit.mtbliId], mtbId, mtblId, ...flags }, 'aftersales');
const undo = async ({ sn }: UnitOnBill) =>
  done(
    rollbackTransaction,
    { id: String((await readTrace(testApp, sn)).history[0]?.id), remark: 'by mistake' },
    'admin',
  );

const both = { moveBillFlag: '1', deliverFlag: '1' };
const ways = [both, { splitDeliverFlag: '1' }, { moveBillFlag: '1', splitDeliverFlag: '1' }];

describe('what was let go by a cancelled stock-up bill and goes elsewhere since', () => {
  it.each(ways)(
    'lies on the stock-up bill of where it goes, and stays there at the reset, %o [W-EVT-24]',
    async (way) => {
      const [mine, theirs] = [await createBill('U1'), await createBill('U2')];
      const [gone, waiting] = (await stored(mine, 2)) as [UnitOnBill, UnitOnBill];
      const [to] = (await stored(theirs, 1)) as [UnitOnBill];
      const skbId = await readSkbId(gone);
      await cancel(skbId);
      await move(gone, to, way);
      const now = await waitsOn(gone);
      expect(now).toMatchObject([{ mtbId: 'moveBillFlag' in way ? theirs.mtbId : mine.mtbId, status: '0' }]);
      expect(now[0]?.skbId).not.toBe(skbId);
      expect(now[0]?.deliverGroup === null).toBe(!('splitDeliverFlag' in way));
      expect(await reset(skbId)).toMatchObject({ status: '0' });
      expect(await waitsOn(gone)).toEqual(now);
      expect(await waitsOn(waiting)).toMatchObject([{ skbId, mtbId: mine.mtbId }]);
    },
  );

  it.each(ways)('and was let go there as well is stocked up where it goes, %o [W-EVT-24]', async (way) => {
    const [gone, waiting] = (await stored(await createBill('U1'), 2)) as [UnitOnBill, UnitOnBill];
    const [to] = (await stored(await createBill('U2'), 1)) as [UnitOnBill];
    const skbId = await readSkbId(gone);
    await cancel(skbId);
    await move(gone, to, way);
    const there = await readSkbId(gone);
    await cancel(there);
    await reset(skbId);
    expect(await waitsOn(waiting)).toMatchObject([{ skbId }]);
    const [now] = await waitsOn(gone);
    expect(now?.skbId).not.toBe(skbId);
    expect(now?.mtbId).toBe('moveBillFlag' in way ? to.mtbId : waiting.mtbId);
    // Nothing is left of the other one's lines but what waits elsewhere already.
    if (!('deliverFlag' in way))
      await expectRefused(testApp, '100021', () => testApp.send(resetStockupBill, { id: there }, { as: 'warehouse' }));
  });

  it('alone: the bill has nothing to get back and stays cancelled [W-EVT-24]', async () => {
    const [gone] = (await stored(await createBill('U1'), 1)) as [UnitOnBill];
    const [to] = (await stored(await createBill('U2'), 1)) as [UnitOnBill];
    const skbId = await readSkbId(gone);
    await cancel(skbId);
    await move(gone, to, both);
    await expectRefused(testApp, '100021', () => testApp.send(resetStockupBill, { id: skbId }, { as: 'warehouse' }));
    await cancel(await readSkbId(gone));
    expect(await reset(skbId)).toMatchObject({ skbId, status: '4' });
    expect(await waitsOn(gone)).toMatchObject([{ mtbId: to.mtbId, status: '0' }]);
  });

  it('and comes back by the rollback of its move: it waits as before, and the reset gets it back [W-EVT-37]', async () => {
    const units = await stored(await createBill('U1'), 2);
    const [gone] = units as [UnitOnBill];
    const [to] = (await stored(await createBill('U2'), 1)) as [UnitOnBill];
    for (const way of ways) {
      const skbId = await readSkbId(gone);
      await cancel(skbId);
      const before = await readItem(testApp, gone.mtbliId);
      await move(gone, to, way);
      await undo(gone);
      const { version: _, updateBy: _by, updateTime: _at, ...was } = before;
      expect(await readItem(testApp, gone.mtbliId)).toMatchObject(was);
      expect(await waitsOn(gone)).toEqual([]);
      await reset(skbId);
      for (const it of units) expect(await waitsOn(it)).toMatchObject([{ skbId }]);
    }
  });
});

describe('goods of two customers', () => {
  it('never ship together by way of a bill that does not say whose it is [W-EVT-32]', async () => {
    const [mine] = (await stored(await createBill('U1'), 1)) as [UnitOnBill];
    const [anybody] = (await stored(await createBill(null), 1)) as [UnitOnBill];
    const [theirs] = (await stored(await createBill('U2'), 1)) as [UnitOnBill];
    await move(mine, anybody, { moveBillFlag: '1' });
    expect(await waitsOn(mine)).toMatchObject([{ mtbId: mine.mtbId }]);
    const { mtbId, mtblId } = theirs;
    const on = (flags: object) =>
      testApp.send(moveBill, { ids: [mine.mtbliId], mtbId, mtblId, ...flags }, { as: 'aftersales' });
    const answer = await expectRefused(testApp, '100020', () => on({ moveBillFlag: '1' }));
    expect(answer.msg).toContain(mtbId);
    expect((await on(both)).code).toBe('000000');
    expect(await waitsOn(mine)).toMatchObject([{ mtbId }]);
  });
});

describe('a unit that stands at another site', () => {
  it('is stocked up there when another machine is to go for it in advance', async () => {
    const bill = await createBill('U1');
    const away = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill });
    const here = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill });
    const rvbId = `RVB-P${newKey()}`.toUpperCase();
    const receipt = { rvbId, mtbId: bill.mtbId, siteId: 'SZ', userId: 'warehouse' };
    const { id } = await testApp.db
      .insertInto('rma_receive_bill')
      .values(receipt)
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const { sn: receiveSn, mtblId } of [away, here]) {
      await testApp.db.insertInto('rma_receive_bill_line_item').values({ rvbId, mtblId, receiveSn }).execute();
    }
    const list = { rmaMaintainBillLineItemList: [{ mtbliId: away.mtbliId }], updateSiteId: 'NB' };
    await done(changeSite, list, 'aftersales');
    await done(exchangeReceive, { id: String(id) }, 'admin');
    expect(await waitsOn(away)).toMatchObject([{ siteId: 'NB' }]);
    expect(await waitsOn(here)).toMatchObject([{ siteId: 'SZ' }]);
  });
});

describe('the unit for which a stock machine had left', () => {
  /** Its item waited in advance, and a machine or board of the stock has left for it: the unit is stock at its node. */
  async function replacedBy(node: Node, more: Partial<Parameters<typeof unitOnBill>[1]> = {}) {
    const own = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, ...more });
    const { mtbId, mtblId, sn } = own;
    const rvbId = `RVB-A${newKey()}`.toUpperCase();
    const { id } = await testApp.db
      .insertInto('rma_receive_bill')
      .values({ rvbId, mtbId, siteId: 'SZ', userId: 'warehouse' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await testApp.db.insertInto('rma_receive_bill_line_item').values({ rvbId, mtblId, receiveSn: sn }).execute();
    const tallied = await done(exchangeReceive, { id: String(id) }, 'admin');
    const skbId = tallied.skbIdList[0] as string;
    const gone = await stockMachine(testApp.db, Node.CanShip, { storageType: '0', ...more.unit });
    const rmaDeliverBillLineList = [{ deliverSn: gone }];
    await done(submitDeliverBill, { skbId, submitType: '0', rmaDeliverBillLineList }, 'warehouse');
    await testApp.db.updateTable('rma_inventory').set({ ivyId: node }).where('sn', '=', sn).execute();
    const id2 = String((await readTrace(testApp, gone)).history[0]?.id);
    const takeBack = (lang: 'zh' | 'en' = 'en') =>
      testApp.send(rollbackTransaction, { id: id2, remark: 'by mistake' }, { as: 'admin', lang });
    const comesBack = async () => {
      expect((await takeBack()).code).toBe('000000');
      expect((await readTrace(testApp, sn)).unit).toMatchObject({ mtbliId: own.mtbliId });
      expect(await waitsOn(own)).toMatchObject([{ skbId, siteId: 'SZ' }]);
    };
    return { own, sn, skbId, takeBack, comesBack };
  }
  const undoLatest = async (sn: string) =>
    done(
      rollbackTransaction,
      { id: String((await readTrace(testApp, sn)).history[0]?.id), remark: 'by mistake' },
      'admin',
    );
  const transfer = async (sn: string, from: 'SZ' | 'NB', to: 'SZ' | 'NB') => {
    const users = { SZ: 'warehouse', NB: 'whNB' };
    const lines = [{ salesCode: 'RX19', itemType: '0', storageType: '1', count: 1 }];
    const sites = { deliverSiteId: from, receiveSiteId: to };
    const { sktbId } = await done(initiate, { ...sites, rmaStockTransferLineRequestList: lines }, users[from]);
    const lineOf = async () =>
      (await testApp.send(loadTransfer, { sktbId }, { as: users[to] })).data.rmaStockTransferBillLineList[0];
    const lineList = [{ sktblId: (await lineOf())?.sktblId as string, snList: [sn] }];
    await done(deliverAccept, { sktbId, deliverSiteId: from, lineList }, users[from]);
    const ids = (await lineOf())?.stockTransferBillLineItemList.map((it) => it.id) ?? [];
    return {
      sktbId,
      arrive: () => done(receiverAccept, { sktbId, receiveSiteId: to, idList: ids }, users[to]),
    };
  };

  it('stands at another site by now: that delivery is taken back once it is here again [W-EVT-37]', async () => {
    const { sn, skbId, takeBack, comesBack } = await replacedBy(Node.AwaitingRepair);
    const there = await transfer(sn, 'SZ', 'NB');
    expect((await expectRefused(testApp, '100008', takeBack)).msg).toContain(there.sktbId);
    await there.arrive();
    for (const [lang, word] of [
      ['en', 'transfer it back first'],
      ['zh', '请先将它调拨回来'],
    ] as const) {
      const { msg } = await expectRefused(testApp, '100025', () => takeBack(lang));
      for (const it of [sn, skbId, word]) expect(msg).toContain(it);
    }
    await (await transfer(sn, 'NB', 'SZ')).arrive();
    await comesBack();
  });

  it('is out for the repair of scrap: its bill is named [W-EVT-37]', async () => {
    const { sn, takeBack, comesBack } = await replacedBy(Node.Scrapped);
    const list = { siteId: 'SZ', count: 1, scrapRepairLineRequestList: [{ sn }] };
    const { id, srbId } = await done(combineRepair, list, 'warehouse');
    expect((await expectRefused(testApp, '100008', takeBack)).msg).toContain(srbId);
    await done(cancelScrapRepair, { id: String(id) }, 'warehouse');
    await comesBack();
  });

  it('was activated since: that is rolled back first, else it would lose its bill [W-EVT-37]', async () => {
    const { sn, takeBack, comesBack } = await replacedBy(Node.CanShip);
    await done(storeStart, { sn, subinventoryCode: 'DEF' }, 'warehouse');
    for (const [lang, word] of [
      ['en', 'Inventory activation'],
      ['zh', '库存激活'],
    ] as const) {
      const { msg } = await expectRefused(testApp, '100025', () => takeBack(lang));
      for (const it of [sn, word]) expect(msg).toContain(it);
    }
    await undoLatest(sn);
    await comesBack();
  });

  it('was replaced by another board since: that is rolled back first [W-EVT-37]', async () => {
    const board = { type: '1', salesCode: 'HB19' };
    const { sn, takeBack, comesBack } = await replacedBy(Node.AwaitingRepair, { unit: board });
    const codes = await readCodeIds(testApp);
    const replaceSn = 'HB19INSTEAD000001';
    const row = { partsType: '7', repairMethod: '2', issueCodeIdList: [codes['RP01'] as number], slot: 'U1' };
    await done(repair, { sn, checkType: '1', partsList: [{ ...row, replaceSn }] }, 'tech');
    expect((await expectRefused(testApp, '100025', takeBack)).msg).toContain(sn);
    await undoLatest(replaceSn);
    await comesBack();
  });

  it('is called otherwise since: the former SN is given back first [W-EVT-37]', async () => {
    const { sn, takeBack, comesBack } = await replacedBy(Node.AwaitingRepair);
    const now = 'RX19P4A26110NEW01';
    const archived = { sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' };
    await testApp.db.insertInto('ubs_item_object').values(archived).execute();
    await done(changeSn, { cause: '1', oldSn: sn, newSn: now, remark: 'label' }, 'admin');
    expect((await expectRefused(testApp, '100025', takeBack)).msg).toContain(now);
    await undoLatest(now);
    await comesBack();
  });
});

describe('a self-pickup', () => {
  it('is of what ships with its bill, whosever it is, and not of what ships with another [W-EVT-38]', async () => {
    const [fetched, shipped] = [await createBill('U1'), await createBill('U1')];
    const [own, cancelled] = (await stored(fetched, 2)) as [UnitOnBill, UnitOnBill];
    const [others] = (await stored(shipped, 1)) as [UnitOnBill];
    const late = await unitOnBill(testApp.db, { node: Node.AwaitingStorage, bill: shipped });
    await move(own, others, { deliverFlag: '1' });
    await move(late, cancelled, { deliverFlag: '1' });
    const skbId = await readSkbId(cancelled);
    await cancel(skbId);
    const request = {
      spkId: `SPK-${newKey()}`.toUpperCase(),
      selfPickupStatus: '0',
      mtbId: fetched.mtbId,
      siteId: 'SZ',
    };
    const { id } = await testApp.db
      .insertInto('rma_self_pickup')
      .values(request)
      .returning('id')
      .executeTakeFirstOrThrow();
    const yes = { selfPickupStatus: '1', pickupAddress: '1 楼', pickupTime: Date.now() + 86_400_000 };
    await done(selfPickupReview, { id: String(id), ...yes }, 'aftersales');
    await reset(skbId);
    await done(submitStoreBill, { rmaStoreBillLineList: [{ sn: late.sn }], packageCount: 20 }, 'warehouse');
    expect(await waitsOn(cancelled)).toMatchObject([{ skbId, deliverShipId: 'PICKUP' }]);
    expect(await waitsOn(late)).toMatchObject([{ skbId, deliverShipId: 'PICKUP' }]);
    expect(await waitsOn(own)).toMatchObject([{ mtbId: shipped.mtbId, deliverShipId: null }]);
    expect(await readItem(testApp, own.mtbliId)).toMatchObject({ deliverShipId: null });
  });
});

describe('a bill from which an item was moved away', () => {
  const readStatus = async ({ mtbId }: Bill) =>
    (
      await testApp.db
        .selectFrom('rma_maintain_bill')
        .select('billStatus')
        .where('mtbId', '=', mtbId)
        .executeTakeFirstOrThrow()
    ).billStatus;
  /** A declared item of a line that has not come. */
  async function declare(bill: Bill, receiveStatus: string): Promise<{ mtbId: string; mtblId: string }> {
    const [mtblId, mtbliId] = [`MBL-${newKey()}`.toUpperCase(), `MBI-${newKey()}`.toUpperCase()];
    const { mtbId, siteId } = bill;
    const line = { ...newCounts, mtblId, mtbId, type: '0', salesCode: 'RX19', count: 1 };
    await testApp.db.insertInto('rma_maintain_bill_line').values(line).execute();
    const item = { mtbliId, mtblId, mtbId, siteId, receiveStatus, deliverStatus: '0' };
    await testApp.db.insertInto('rma_maintain_bill_line_item').values(item).execute();
    await recountLines(testApp.db, [mtblId]);
    return { mtbId, mtblId };
  }
  const away = async (unit: UnitOnBill, { mtbId, mtblId }: { mtbId: string; mtblId: string }) =>
    done(moveBill, { ids: [unit.mtbliId], mtbId, mtblId, ...both }, 'aftersales');
  const accept = async (bill: Bill) => {
    const receiveShipNo = `SF${newKey()}`.toUpperCase();
    const { mtbId } = bill;
    await testApp.db.updateTable('rma_maintain_bill').set({ receiveShipNo }).where('mtbId', '=', mtbId).execute();
    const arrival = { abId: `ARB-${newKey()}`.toUpperCase(), receiveShipNo, status: '0', siteId: 'SZ', mtbId };
    const { id } = await testApp.db
      .insertInto('rma_arrival_bill')
      .values(arrival)
      .returning('id')
      .executeTakeFirstOrThrow();
    return testApp.ask('POST', '/api/rmaArrivalBill/accept.json', { id: Number(id) }, { as: 'warehouse' });
  };

  it('is not received again, as before the item came to it: late goods open it [W-EVT-32]', async () => {
    const unit = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
    const back = { mtbId: unit.mtbId, mtblId: unit.mtblId };
    await unitOnBill(testApp.db, { node: Node.AwaitingTest, bill: unit });
    for (const declares of [true, false]) {
      const empty = await maintainBill(testApp.db, { billStatus: '3' });
      const to = await declare(empty, '2');
      if (!declares) {
        await testApp.db.deleteFrom('rma_maintain_bill_line_item').where('mtbId', '=', empty.mtbId).execute();
      }
      await away(unit, to);
      expect(await readStatus(empty)).toBe('1');
      await away(unit, back);
      expect(await readStatus(empty)).toBe('3');
      expect((await accept(empty)).data).toMatchObject({ billStatus: '4' });
    }
  });

  it('is not received where that was all that had come of it, and finished where nothing else is declared [W-EVT-32]', async () => {
    const to = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    const [late, alone] = [
      await unitOnBill(testApp.db, { node: Node.AwaitingRepair }),
      await unitOnBill(testApp.db, { node: Node.AwaitingRepair }),
    ];
    await declare(late, '2');
    for (const it of [late, alone]) await away(it, to);
    expect([await readStatus(late), await readStatus(alone)]).toEqual(['3', '2']);
    expect((await accept(late)).data).toMatchObject({ billStatus: '4' });
    await undo(late);
    expect(await readStatus(late)).toBe('4');
    await undo(alone);
    expect(await readStatus(alone)).toBe('1');
    await away(alone, to);
    expect(await readStatus(alone)).toBe('2');
  });

  it('that was finished is finished again when what came back to it leaves once more [W-EVT-37]', async () => {
    const bill = await maintainBill(testApp.db);
    const unit = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill });
    await unitOnBill(testApp.db, { node: Node.Shipped, bill });
    const to = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    await away(unit, to);
    expect(await readStatus(bill)).toBe('2');
    await undo(unit);
    expect(await readStatus(bill)).toBe('1');
    await away(unit, to);
    expect(await readStatus(bill)).toBe('2');
  });
});

describe('the customer of a bill', () => {
  const rename = async ({ mtbId }: Bill, btmUserId: string) => {
    const row = testApp.db.selectFrom('rma_maintain_bill').select(['id', 'version']).where('mtbId', '=', mtbId);
    const body = { ...(await row.executeTakeFirstOrThrow()), btmUserId, receiveShipNo: `SF-${mtbId}` };
    return testApp.ask('POST', '/api/rmaMaintainBill/modifyById.json', body, { as: 'office' });
  };

  it('is not changed while its goods ship with those of another, in either direction or by way of a bill of nobody', async () => {
    const [one, two, nobody] = [await createBill('U-ONE'), await createBill('U-ONE'), await createBill(null)];
    const [a] = (await stored(one, 1)) as [UnitOnBill];
    const [b] = (await stored(two, 1)) as [UnitOnBill];
    const [c] = (await stored(nobody, 1)) as [UnitOnBill];
    await move(a, c, { deliverFlag: '1' });
    await move(b, c, { deliverFlag: '1' });
    for (const bill of [one, two, nobody]) {
      const { data } = await expectRefused(testApp, '100020', () => rename(bill, 'U-TWO'));
      expect(data).toMatchObject({ problems: [{ key: 'shipsTogether', field: 'btmUserId' }] });
      expect(await rename(bill, 'U-ONE')).toMatchObject({ code: '000000' });
    }
    await move(a, c, { splitDeliverFlag: '1' });
    expect(await rename(one, 'U-TWO')).toMatchObject({ code: '000000' });
    // The way back leads among the goods of its former customer.
    const { history } = await readTrace(testApp, a.sn);
    const back = () =>
      testApp.send(rollbackTransaction, { id: String(history[0]?.id), remark: 'by mistake' }, { as: 'admin' });
    await expectRefused(testApp, '100025', back);
    expect(await rename(one, 'U-ONE')).toMatchObject({ code: '000000' });
    expect(await back()).toMatchObject({ code: '000000' });
  });

  it('is one for all that ships with a bill that names nobody, also with what has gone', async () => {
    const [one, two, nobody] = [await createBill('U-ONE'), await createBill('U-TWO'), await createBill(null)];
    const [a] = (await stored(one, 1)) as [UnitOnBill];
    const [b] = (await stored(two, 1)) as [UnitOnBill];
    const [c] = (await stored(nobody, 1)) as [UnitOnBill];
    await move(a, c, { deliverFlag: '1' });
    const joins = (flags: object) => () =>
      testApp.send(moveBill, { ids: [b.mtbliId], mtbId: c.mtbId, mtblId: c.mtblId, ...flags }, { as: 'aftersales' });
    const { data } = await expectRefused(testApp, '100020', joins({ deliverFlag: '1' }));
    expect(data).toMatchObject({ problems: [{ key: 'billOtherCustomer', field: 'mtbId' }] });
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ deliverStatus: '2' })
      .where('mtbliId', '=', a.mtbliId)
      .execute();
    await expectRefused(testApp, '100020', joins({ deliverFlag: '1' }));
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ deliverStatus: '1' })
      .where('mtbliId', '=', a.mtbliId)
      .execute();
    // An item that belongs to that bill is nobody's customer's either, and may ship with it.
    expect(await joins(both)()).toMatchObject({ code: '000000' });
  });
});
