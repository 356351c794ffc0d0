import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '#domain/call.ts';
import { BillStatus } from '#domain/enums.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { submitBurninBill } from '#features/aging/contract.ts';
import { scrapConfirm } from '#features/confirm/contract.ts';
import { submitDeliverBill } from '#features/deliver/contract.ts';
import { editDeliver } from '#features/edit-delivery/contract.ts';
import { exchangeReceive } from '#features/exchange/contract.ts';
import { modifyIvyId } from '#features/node-edit/contract.ts';
import { deleteReceived, receive } from '#features/receive/contract.ts';
import { rollbackTransaction } from '#features/rollback/contract.ts';
import { submitStoreBill } from '#features/store/contract.ts';
import { movements } from '#server/reports/movements.ts';
import { recountLines } from '#server/workflow/bills.ts';
import { newCounts } from '#server/workflow/lines.ts';
import { newKey, startTestApp, type Asking, type TestApp } from '#tests/support/app.ts';
import {
  heldUnit,
  maintainBill,
  proposal,
  stockMachine,
  unitOnBill,
  type Bill,
  type UnitOnBill,
} from '#tests/support/factories.ts';
import { readCodeIds, expectRefused, readItem, readLedger, readTrace } from '#tests/support/guard.ts';
import { happened } from '#tests/support/history.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import type { Unseen } from '#tests/support/seen.ts';
import {
  buyOut,
  changeSite,
  moveBill,
  replaceSaleCode,
  rollbackToPreliminaryTest,
  terminate,
} from '#features/bill-actions/contract.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());
afterEach(async () => expect(await brokenInvariants(testApp.db)).toEqual([]));

const aftersales: Asking = { as: 'aftersales' };
const office: Asking = { as: 'office' };
const inHouse = nodes.filter((it) => it !== Node.Shipped && it !== Node.Scrapped);

const at = (node: Node, more: object = {}) => unitOnBill(testApp.db, { node, ...more });
/** Of a bill of the own site, with its item at the site to which it was transferred. */
const wentAway = async () => at(Node.AwaitingRepair, { bill: await maintainBill(testApp.db), siteId: 'NB' });
const readBill = (mtbId: string) =>
  testApp.db.selectFrom('rma_maintain_bill').selectAll().where('mtbId', '=', mtbId).executeTakeFirstOrThrow();
const readLine = (mtblId: string) =>
  testApp.db.selectFrom('rma_maintain_bill_line').selectAll().where('mtblId', '=', mtblId).executeTakeFirstOrThrow();
const readUnit = async (sn: string) => (await readTrace(testApp, sn)).unit;
/** The stock-up bills on which an item waits, with what they are for. */
const readStockups = ({ mtbliId }: Pick<UnitOnBill, 'mtbliId'>) =>
  testApp.db
    .selectFrom('rma_stockup_bill_line as l')
    .innerJoin('rma_stockup_bill as b', 'b.skbId', 'l.skbId')
    .select(['b.skbId', 'b.mtbId', 'b.status', 'b.siteId', 'b.deliverSiteId', 'l.mtblId', 'l.salesCode'])
    .where('l.mtbliId', '=', mtbliId)
    .where('l.delivered', '=', '0')
    .execute();
const readStatus = async (skbId: string | null | undefined) =>
  (
    await testApp.db
      .selectFrom('rma_stockup_bill')
      .select('status')
      .where('skbId', '=', skbId ?? '')
      .executeTakeFirst()
  )?.status;
const done = async <C extends Call>(call: C, input: Unseen<C>, asking: Asking = aftersales) => {
  const answer = await testApp.send(call, input, asking);
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data;
};

/** A unit that the store has put on the shelf, and so on a stock-up bill. */
async function stored(more: object = {}): Promise<UnitOnBill> {
  const unit = await at(Node.AwaitingStorage, more);
  await done(submitStoreBill, { rmaStoreBillLineList: [{ sn: unit.sn }], packageCount: 20 }, { as: 'warehouse' });
  return unit;
}

/** An item of the bill that has not come yet. */
async function declared(bill: Bill, line: Pick<UnitOnBill, 'mtblId'>, receiveStatus = '0') {
  const mtbliId = `MBI-D${newKey()}`.toUpperCase();
  const item = await testApp.db
    .insertInto('rma_maintain_bill_line_item')
    .values({ mtbliId, mtblId: line.mtblId, mtbId: bill.mtbId, siteId: bill.siteId, receiveStatus, deliverStatus: '0' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...bill, ...line, mtbliId, itemId: Number(item.id), sn: '' };
}

/** What the actions on items take of one item. */
interface Action {
  name: string;
  call: Call;
  inputOf: (unit: UnitOnBill) => Promise<object> | object;
}
const target = async (more: object = {}) => at(Node.AwaitingTest, more);
const actions: Action[] = [
  {
    name: 'buy out',
    call: buyOut,
    inputOf: ({ mtblId, mtbliId }) => [{ mtblId, mtbliIdList: [mtbliId], remark: 'agreed' }],
  },
  {
    name: 'change store',
    call: changeSite,
    inputOf: ({ mtbliId }) => ({ rmaMaintainBillLineItemList: [{ mtbliId }], updateSiteId: 'NB' }),
  },
  ...['0', '1'].map((replaceFlag): Action => ({
    name: `change item ${replaceFlag}`,
    call: replaceSaleCode,
    inputOf: ({ mtbliId }) => ({
      rmaMaintainBillLineItemList: [{ mtbliId }],
      salesCode: 'RX21',
      replaceFlag,
      salesCodeCount: 1,
    }),
  })),
  ...['moveBillFlag', 'deliverFlag', 'splitDeliverFlag'].map((flag): Action => ({
    name: `move bill, ${flag}`,
    call: moveBill,
    inputOf: async ({ mtbliId, siteId }) => {
      const { mtbId, mtblId } = await target({ siteId });
      return { ids: [mtbliId], mtbId, mtblId, [flag]: '1' };
    },
  })),
];
const send = async ({ call, inputOf }: Action, unit: UnitOnBill, asking: Asking = aftersales) => {
  const input = await inputOf(unit);
  return { input, ask: () => testApp.send(call, input, asking) };
};

describe.each(actions)('$name', (action) => {
  const events = '[W-EVT-28, W-EVT-31, W-EVT-32, W-EVT-33]';

  it('asks for a session and for the right', async () => {
    const unit = await at(Node.AwaitingRepair);
    await expectRefused(testApp, '401', (await send(action, unit, {})).ask);
    for (const as of ['tech', 'warehouse', 'supervisor', 'viewer']) {
      await expectRefused(testApp, '100013', (await send(action, unit, { as })).ask);
    }
  });

  const noes: [what: string, code: string, unitOf: () => Promise<UnitOnBill>, asking?: Asking][] = [
    ['an item that nobody knows', '100002', async () => ({ ...(await at(Node.AwaitingRepair)), mtbliId: 'MBI0' })],
    ['an item of another site', '100002', () => at(Node.AwaitingRepair, { siteId: 'NB' }), office],
    ['a unit that went to another site', '100002', wentAway, office],
    ['a shipped unit', '100005', () => at(Node.Shipped)],
    ['a scrapped unit', '100006', () => at(Node.Scrapped)],
    ['a unit that was bought out', '100022', boughtOut],
    ['a unit that waits for its scrapping', '100008', () => heldUnit(testApp.db, 'scrap')],
    ['a unit that waits for its no-fault', '100008', () => heldUnit(testApp.db, 'nofault')],
    [
      'an item of a finished bill',
      '100011',
      () => at(Node.AwaitingRepair, { billStatus: BillStatus.Finished, item: { receiveStatus: '2' } }),
    ],
  ];
  it.each(noes)(`refuses %s ${events}`, async (_, code, make, asking) => {
    const { ask } = await send(action, await make(), asking);
    await expectRefused(testApp, code, ask);
  });

  it(`refuses an item that is named twice, and a good one beside a bad one ${events}`, async () => {
    const good = await at(Node.AwaitingRepair);
    const shipped = await at(Node.Shipped);
    const { input } = await send(action, good);
    const ask = (ids: string[]) => () => testApp.send(action.call, withIds(input, ids), aftersales);
    await expectRefused(testApp, '100007', ask([good.mtbliId, good.mtbliId]));
    const answer = await testApp.send(action.call, withIds(input, [good.mtbliId, shipped.mtbliId]), aftersales);
    expect(answer.code).not.toBe('000000');
    expect((await readUnit(good.sn))?.mtbliId).toBe(good.mtbliId);
  });
});

const boughtOut = async (): Promise<UnitOnBill> => {
  const unit = await at(Node.AwaitingRepair);
  await done(buyOut, [{ mtblId: unit.mtblId, mtbliIdList: [unit.mtbliId], remark: 'agreed' }]);
  return unit;
};

/** The same question of other items. */
function withIds(input: object, ids: string[]): object {
  if (Array.isArray(input)) return [{ ...(input[0] as object), mtbliIdList: ids }];
  if ('ids' in input) return { ...input, ids };
  const list = ids.map((mtbliId) => ({ mtbliId }));
  return {
    ...input,
    rmaMaintainBillLineItemList: list,
    ...('salesCodeCount' in input && { salesCodeCount: ids.length }),
  };
}

describe('buy out', () => {
  const buy = (unit: UnitOnBill, more: object = {}) =>
    testApp.send(buyOut, [{ mtblId: unit.mtblId, mtbliIdList: [unit.mtbliId], remark: 'agreed', ...more }], aftersales);

  it('is refused without a remark, without items, of what is not on the line, and of what has not come [W-ACT-09, W-ACT-10, W-EVT-28]', async () => {
    const unit = await at(Node.AwaitingRepair);
    await expectRefused(testApp, '100001', () => buy(unit, { remark: ' ' }));
    await expectRefused(testApp, '100001', () => buy(unit, { mtbliIdList: [] }));
    await expectRefused(testApp, '100001', () => testApp.send(buyOut, [], aftersales));
    await expectRefused(testApp, '100001', () => testApp.send(buyOut, { list: [] }, aftersales));
    await expectRefused(testApp, '100015', () => buy(unit, { remark: 'x'.repeat(501) }));
    await expectRefused(testApp, '100020', () => buy(unit, { mtblId: 'MBL0' }));
    const bill = await maintainBill(testApp.db, { billStatus: '0' });
    const waits = await declared(bill, unit);
    await expectRefused(testApp, '100003', () => buy(waits));
  });

  it.each(inHouse)('at %s settles the item; the unit stays there as stock [W-ACT-10, W-EVT-28]', async (node) => {
    const bill = await maintainBill(testApp.db);
    const unit = node === Node.CanShip ? await stored({ bill }) : await at(node, { bill });
    const other = await at(Node.AwaitingTest, { bill });
    const [waited] = await readStockups(unit);
    const { data } = await buy(unit);
    expect(data).toEqual({ buyOutCount: 1, billStatus: '1' });
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverStatus: '4', stockup: '0' });
    expect(await readLine(unit.mtblId)).toMatchObject({ buyOutCount: 1, receiveCount: 1 });
    const { unit: now, history } = await readTrace(testApp, unit.sn);
    expect(now).toMatchObject({ ivyId: node, mtbId: null, mtblId: null, mtbliId: null, siteId: 'SZ' });
    expect(history[0]).toMatchObject({
      step: 'buyOut',
      mtbId: unit.mtbId,
      fromNode: node,
      toNode: node,
      operateStatus: 'Normal',
      note: 'agreed',
    });
    if (waited) expect(await readStatus(waited.skbId)).toBe('4');
    expect(await readLedger(testApp, unit.mtbId)).toMatchObject([{ what: 'buyOut', userId: 'aftersales' }]);
    expect((await readUnit(other.sn))?.mtbId).toBe(bill.mtbId);
    await expectRefused(testApp, '100022', () => buy(unit));
  });

  it('of the last open item finishes the bill; a unit that is given up later is refused: the bill is closed [W-PTH-11, W-EVT-28]', async () => {
    const unit = await at(Node.AwaitingInspection);
    const data = await done(buyOut, { list: [{ mtblId: unit.mtblId, mtbliIdList: [unit.mtbliId], remark: 'agreed' }] });
    expect(data).toEqual({ buyOutCount: 1, billStatus: '2' });
    expect(await readBill(unit.mtbId)).toMatchObject({ billStatus: '2' });
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverStatus: '4' });
    expect((await readLine(unit.mtblId)).buyOutCount).toBe(1);

    const left = await at(Node.AwaitingAssembly);
    const close = (discardInHouse?: string) =>
      testApp.send(terminate, { mtbId: left.mtbId, ...(discardInHouse && { discardInHouse }) }, aftersales);
    const no = await expectRefused(testApp, '100023', () => close());
    expect(no.msg).toBe(`Bill ${left.mtbId} still has units in house (1): ${left.sn}`);
    expect((await close('1')).data).toEqual({
      mtbId: left.mtbId,
      billStatus: '2',
      notReceivedCount: 0,
      discardedSnList: [left.sn],
    });
    expect((await readUnit(left.sn))?.ivyId).toBe('40');
    expect(await readLine(left.mtblId)).toMatchObject({ discardCount: 1, scrapCount: 0 });
    expect((await readBill(left.mtbId)).billStatus).toBe('2');
  });

  it('of one item by two at once is done once [W-EVT-28]', async () => {
    const bill = await maintainBill(testApp.db);
    await at(Node.AwaitingTest, { bill });
    const unit = await at(Node.AwaitingRepair, { bill });
    const answers = await Promise.all(
      [aftersales, office, { as: 'admin' }].map((asking) =>
        testApp.send(buyOut, [{ mtblId: unit.mtblId, mtbliIdList: [unit.mtbliId], remark: 'agreed' }], asking),
      ),
    );
    expect(answers.map((it) => it.code).sort()).toEqual(['000000', '100022', '100022']);
    expect((await readLine(unit.mtblId)).buyOutCount).toBe(1);
    expect((await readTrace(testApp, unit.sn)).history).toHaveLength(1);
  });

  it('beside a delivery of the same unit: one of them, never both', async () => {
    for (let round = 0; round < 4; round++) {
      const unit = await stored();
      const [stockup] = await readStockups(unit);
      const [bought, left] = await Promise.all([
        buy(unit),
        testApp.send(
          submitDeliverBill,
          {
            skbId: stockup?.skbId ?? '',
            submitType: '0',
            rmaDeliverBillLineList: [{ deliverSn: unit.sn, submitCount: 1 }],
          },
          { as: 'warehouse' },
        ),
      ]);
      const { deliverStatus } = await readItem(testApp, unit.mtbliId);
      expect([bought.code === '000000', left.code === '000000', deliverStatus]).toEqual(
        deliverStatus === '4' ? [true, false, '4'] : [false, true, '2'],
      );
      expect(await brokenInvariants(testApp.db)).toEqual([]);
    }
  });
});

describe('scrap for which another machine was stocked up', () => {
  /** An item that is tallied ahead, whose unit a supervisor scraps since. */
  async function scrappedAhead(bill: Bill) {
    const unit = await at(Node.AwaitingCheck, { bill });
    const rvbId = `RVB-A${newKey()}`.toUpperCase();
    const { id } = await testApp.db
      .insertInto('rma_receive_bill')
      .values({ rvbId, mtbId: bill.mtbId, siteId: bill.siteId })
      .returning('id')
      .executeTakeFirstOrThrow();
    await testApp.db
      .insertInto('rma_receive_bill_line_item')
      .values({ rvbId, mtblId: unit.mtblId, receiveSn: unit.sn })
      .execute();
    await done(exchangeReceive, { id: String(id) }, { as: 'admin' });
    const said = { sn: unit.sn, ckbId: await proposal(testApp.db, 'scrap', unit) };
    const yes = { scrapStatus: '1', dutySourse: '0', dutySourseRemark: 'burnt' };
    await done(scrapConfirm, { ...said, ...yes }, { as: 'supervisor' });
    expect(await readUnit(unit.sn)).toMatchObject({ ivyId: Node.Scrapped });
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverStatus: '1', stockup: '1', scrap: '1' });
    return unit;
  }
  const close = (mtbId: string, discardInHouse: string) =>
    testApp.send(terminate, { mtbId, discardInHouse }, aftersales);

  it('is settled when its bill is closed, and lies where it lies [W-EVT-29]', async () => {
    const bill = await maintainBill(testApp.db);
    const [unit, other] = [await scrappedAhead(bill), await at(Node.AwaitingTest, { bill })];
    const [stockup] = await readStockups(unit);
    const before = (await readTrace(testApp, unit.sn)).history.length;
    await expectRefused(testApp, '100023', () => close(bill.mtbId, '0'));
    expect(await close(bill.mtbId, '1')).toMatchObject({
      code: '000000',
      data: { billStatus: '2', discardedSnList: [other.sn] },
    });
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverStatus: '3', stockup: '0', scrap: '1' });
    expect(await readUnit(unit.sn)).toMatchObject({ ivyId: Node.Scrapped });
    expect((await readTrace(testApp, unit.sn)).history).toHaveLength(before);
    expect(await readLine(unit.mtblId)).toMatchObject({ scrapCount: 1, discardCount: 0 });
    expect(await readStatus(stockup?.skbId)).toBe('4');
  });

  it('is not bought [W-EVT-28]', async () => {
    const { mtblId, mtbliId } = await scrappedAhead(await maintainBill(testApp.db));
    const input = [{ mtblId, mtbliIdList: [mtbliId], remark: 'agreed' }];
    await expectRefused(testApp, '100006', () => testApp.send(buyOut, input, aftersales));
  });

  it('is waited for again by that machine after a pause [W-EVT-35]', async () => {
    const { itemId, mtbliId } = await scrappedAhead(await maintainBill(testApp.db));
    const edit = (deliverPriority: string) => done(editDeliver, { id: String(itemId), deliverPriority }, office);
    expect(await edit('2')).toMatchObject({ deliverStatus: '0', stockup: '0' });
    expect(await edit('0')).toMatchObject({ deliverStatus: '1', stockup: '1' });
    expect(await readStockups({ mtbliId })).toHaveLength(1);
  });
});

describe('beside a repair that puts another board in the place of a unit', () => {
  const bought = ({ mtblId, mtbliId }: UnitOnBill) => [{ mtblId, mtbliIdList: [mtbliId], remark: 'agreed' }];
  const officeActions: [name: string, call: Call, inputOf: (unit: UnitOnBill) => unknown][] = [
    ['buyOut', buyOut, bought],
    ['terminate', terminate, ({ mtbId }) => ({ mtbId, discardInHouse: '1' })],
  ];

  it.each(officeActions)(
    '%s is refused, and the new one is acted on when it is repeated',
    async (step, call, inputOf) => {
      const unit = await at(Node.AwaitingRepair);
      const other = await stockMachine(testApp.db, Node.AwaitingTest);
      const ask = () => testApp.send(call, inputOf(unit), aftersales);
      const asked = await testApp.db.transaction().execute(async (repair) => {
        const isOld = repair.updateTable('rma_inventory').where('sn', '=', unit.sn);
        await isOld.set({ mtbId: null, mtblId: null, mtbliId: null, ivyId: Node.Scrapped }).execute();
        const answer = ask();
        await untilBlocked();
        const { mtbId, mtblId, mtbliId } = unit;
        const isNew = repair.updateTable('rma_inventory').where('sn', '=', other);
        await isNew.set({ mtbId, mtblId, mtbliId }).execute();
        await repair
          .updateTable('rma_maintain_bill_line_item')
          .set({ exchange: '1' })
          .where('mtbliId', '=', mtbliId)
          .execute();
        return { answer };
      });
      expect((await asked.answer).code).toBe('100025');
      expect((await ask()).code).toBe('000000');
      expect((await readTrace(testApp, other)).history.map((it) => it.step)).toEqual([step]);
      expect((await readTrace(testApp, unit.sn)).history).toEqual([]);
    },
  );

  /** Somebody waits for what another one holds. */
  const untilBlocked = () =>
    expect
      .poll(async () => {
        const { rows } = await sql`
          SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(
          testApp.db,
        );
        return rows.length;
      })
      .toBeGreaterThan(0);
});

describe('force close', () => {
  const close = (mtbId: string, discardInHouse?: string, asking: Asking = aftersales) =>
    testApp.send(terminate, { mtbId, ...(discardInHouse && { discardInHouse }) }, asking);

  it('is refused without a session, the right, a bill, at another site, with a flag that is none, and when finished [W-ACT-11, W-EVT-29]', async () => {
    const { mtbId } = await at(Node.AwaitingRepair);
    await expectRefused(testApp, '401', () => close(mtbId, '1', {}));
    for (const as of ['tech', 'warehouse', 'supervisor'])
      await expectRefused(testApp, '100013', () => close(mtbId, '1', { as }));
    await expectRefused(testApp, '100001', () => close(' '));
    await expectRefused(testApp, '100002', () => close('MTB0'));
    await expectRefused(testApp, '100015', () => close(mtbId, '2'));
    const theirs = await at(Node.AwaitingRepair, { siteId: 'NB' });
    await expectRefused(testApp, '100002', () => close(theirs.mtbId, '1', office));
    const away = await wentAway();
    await expectRefused(testApp, '100004', () => close(away.mtbId, '1', office));
    const finished = await at(Node.Shipped);
    await expectRefused(testApp, '100011', () => close(finished.mtbId, '1'));
  });

  it.each([...inHouse, 'held'] as const)(
    'with a unit at %s names it first, then gives it up [W-EVT-29]',
    async (node) => {
      const held = node === 'held' ? await heldUnit(testApp.db, 'scrap') : null;
      const unit = held ?? (node === Node.CanShip ? await stored() : await at(node as Node));
      const from = (await readUnit(unit.sn))?.ivyId;
      const [waited] = await readStockups(unit);
      for (const flag of [undefined, '0']) {
        const no = await expectRefused(testApp, '100023', () => close(unit.mtbId, flag));
        expect(no.msg).toContain(unit.sn);
      }
      expect((await close(unit.mtbId, '1')).data).toMatchObject({ billStatus: '2', discardedSnList: [unit.sn] });
      expect(await readUnit(unit.sn)).toMatchObject({ ivyId: '40', storageType: '2', subinventoryCode: null });
      expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverStatus: '3', scrap: '0', stockup: '0' });
      expect(await readLine(unit.mtblId)).toMatchObject({ discardCount: 1, scrapCount: 0 });
      expect((await readBill(unit.mtbId)).billStatus).toBe('2');
      expect((await readTrace(testApp, unit.sn)).history[0]).toMatchObject({
        step: 'terminate',
        fromNode: from,
        toNode: '40',
      });
      if (waited) expect(await readStatus(waited.skbId)).toBe('4');
      if (held) {
        const line = await testApp.db
          .selectFrom('rma_check_bill_line')
          .select('scrapStatus')
          .where('sn', '=', unit.sn)
          .executeTakeFirst();
        expect(line?.scrapStatus).toBeNull();
      }
      await expectRefused(testApp, '100011', () => close(unit.mtbId, '1'));
    },
  );

  it.each(['0', '1', '3', '4'])(
    'of a bill of status %s: what has not come was not received [W-ACT-11, W-EVT-29]',
    async (billStatus) => {
      const bill = await maintainBill(testApp.db, { billStatus: '1' });
      const sent = await at(Node.Shipped, {
        bill,
        ...(billStatus === '3' && { item: { receiveStatus: '2', deliverStatus: '2' } }),
      });
      const waits = await declared(bill, sent);
      await testApp.db.updateTable('rma_maintain_bill').set({ billStatus }).where('mtbId', '=', bill.mtbId).execute();
      expect((await close(bill.mtbId)).data).toEqual({
        mtbId: bill.mtbId,
        billStatus: '2',
        notReceivedCount: 1,
        discardedSnList: [],
      });
      expect(await readItem(testApp, waits.mtbliId)).toMatchObject({ receiveStatus: '2' });
      expect((await readUnit(sent.sn))?.ivyId).toBe('900');
      expect(await readLedger(testApp, bill.mtbId)).toMatchObject([{ what: 'terminate' }]);
    },
  );

  it('beside a station that has a unit in hand: the unit is given up from where it stands then [W-EVT-29]', async () => {
    const codes = await readCodeIds(testApp);
    for (let round = 0; round < 4; round++) {
      const unit = await at(Node.AwaitingTest);
      const [closed, tested] = await Promise.all([
        close(unit.mtbId, '1'),
        testApp.send(
          submitBurninBill,
          { rmaBurninBillLineList: [{ sn: unit.sn, icdId: codes['AT00'] }] },
          { as: 'tech' },
        ),
      ]);
      expect(closed.code).toBe('000000');
      expect(['000000', '100006']).toContain(tested.code);
      const { unit: now, history } = await readTrace(testApp, unit.sn);
      expect(now?.ivyId).toBe('40');
      expect(history.map((it) => it.step)).toEqual(tested.code === '000000' ? ['terminate', 'aging'] : ['terminate']);
      expect(await brokenInvariants(testApp.db)).toEqual([]);
    }
  });
});

describe('return to first test', () => {
  const back = (units: Pick<UnitOnBill, 'sn' | 'mtbliId' | 'mtbId'>[], asking: Asking = { as: 'supervisor' }) =>
    testApp.send(
      rollbackToPreliminaryTest,
      units.map(({ sn, mtbliId, mtbId }) => ({ sn, mtbliId, mtbId })),
      asking,
    );

  it('asks for a session and for the right [W-EVT-30]', async () => {
    const unit = await at(Node.AwaitingRepair);
    await expectRefused(testApp, '401', () => back([unit], {}));
    for (const as of ['tech', 'warehouse', 'viewer'])
      await expectRefused(testApp, '100013', () => back([unit], { as }));
  });

  const noes: [
    what: string,
    code: string,
    unitOf: () => Promise<Pick<UnitOnBill, 'sn' | 'mtbliId' | 'mtbId'>>,
    asking?: Asking,
  ][] = [
    ['no SN', '100001', async () => ({ ...(await at(Node.AwaitingRepair)), sn: ' ' })],
    ['no item', '100001', async () => ({ ...(await at(Node.AwaitingRepair)), mtbliId: '' })],
    ['no bill', '100001', async () => ({ ...(await at(Node.AwaitingRepair)), mtbId: '' })],
    ['an SN that nobody knows', '100002', async () => ({ ...(await at(Node.AwaitingRepair)), sn: 'RX19NOBODY' })],
    ['a unit at another site', '100004', () => at(Node.AwaitingRepair, { siteId: 'NB' }), office],
    ['a shipped unit', '100005', () => at(Node.Shipped)],
    ['a unit that was given up', '100006', discarded],
    ['a unit that waits for its first test', '100003', () => at(Node.AwaitingCheck)],
    ['a unit that was bought out', '100022', boughtOut],
    [
      'an item that is another unit’s',
      '100020',
      async () => ({ ...(await at(Node.AwaitingRepair)), mtbliId: (await at(Node.AwaitingTest)).mtbliId }),
    ],
    [
      'a bill that is another unit’s',
      '100020',
      async () => ({ ...(await at(Node.AwaitingRepair)), mtbId: (await at(Node.AwaitingTest)).mtbId }),
    ],
    [
      'a stock machine',
      '100020',
      async () => ({ ...(await at(Node.AwaitingRepair)), sn: await stockMachine(testApp.db, Node.AwaitingTest) }),
    ],
    ['a unit of a finished bill', '100011', () => at(Node.Scrapped, { item: { scrap: '1' } })],
  ];
  it.each(noes)('refuses %s, and with it the good one [W-ACT-17, W-EVT-30]', async (_, code, make, asking) => {
    const good = await at(Node.AwaitingTest);
    const bad = await make();
    await expectRefused(testApp, code, () => back([good, bad], asking));
  });

  it('refuses no unit, and the same one twice [W-EVT-30]', async () => {
    const unit = await at(Node.AwaitingTest);
    await expectRefused(testApp, '100001', () => back([]));
    await expectRefused(testApp, '100007', () => back([unit, unit]));
  });

  const story = ['check', 'repair', 'assemble', 'aging', 'qc', 'store'] as const;
  const from = inHouse.filter((it) => it !== Node.AwaitingCheck);

  it.each(from)('from %s clears the test, and rolls back what was done since [W-ACT-18, W-EVT-30]', async (node) => {
    const checkFields = {
      checkTime: new Date().toISOString(),
      checkUrls: '/file/a',
      checkIcdIds: 'FX54',
      powerSn: 'P1',
    };
    const unit = await at(node, { item: checkFields, unit: { storageType: '0', subinventoryCode: 'FG' } });
    const steps = story.slice(0, from.indexOf(node) + 1);
    await happened(testApp.db, unit, [
      ['receive', '2026-09-01'],
      ...steps.map((it): [string, string] => [it, '2026-09-02']),
    ]);
    const lines = await testApp.db.selectFrom('rma_check_bill_line').select('id').execute();
    const data = await done(rollbackToPreliminaryTest, {
      list: [{ sn: unit.sn, mtbliId: unit.mtbliId, mtbId: unit.mtbId }],
    });
    expect(data).toEqual({ snList: [unit.sn] });
    const { unit: now, history } = await readTrace(testApp, unit.sn);
    expect(now).toMatchObject({ ivyId: '10', mtbliId: unit.mtbliId, storageType: '1', subinventoryCode: null });
    expect(history.map((it) => [it.step, it.operateStatus])).toEqual([
      ['returnToCheck', 'Rollbacked'],
      ...steps.toReversed().map((it) => [it, 'Rollbacked']),
      ['receive', 'Normal'],
    ]);
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({
      ...{ deliverStatus: '0', scrap: '0', stockup: '0' },
      ...{ checkTime: null, checkUrls: null, checkIcdIds: null, powerSn: null },
    });
    expect(await readBill(unit.mtbId)).toMatchObject({ billStatus: '1', operateStatus: 'Rollbacked' });
    expect(await testApp.db.selectFrom('rma_check_bill_line').select('id').execute()).toEqual(lines);
    expect(await readLedger(testApp, unit.mtbId)).toMatchObject([{ what: 'rollbackToPreliminaryTest' }]);
  });

  it('at 100: off the stock-up bill, and a repeat is refused as such [W-PTH-09, W-ACT-19, W-EVT-30]', async () => {
    const unit = await stored();
    const [stockup] = await readStockups(unit);
    await done(
      rollbackToPreliminaryTest,
      [unit].map(({ sn, mtbliId, mtbId }) => ({ sn, mtbliId, mtbId })),
    );
    expect((await readUnit(unit.sn))?.ivyId).toBe('10');
    expect(await readStockups(unit)).toEqual([]);
    expect(await readStatus(stockup?.skbId)).toBe('4');
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverStatus: '0', stockup: '0' });
    const again = await expectRefused(testApp, '100014', () => back([unit]));
    expect(again.msg).toBe('The transaction has been rolled back, repeat not allowed');
  });

  it.each(['scrap', 'nofault'] as const)(
    'of a unit that is held for %s releases it [W-EVT-30]',
    async (confirmation) => {
      const unit = await heldUnit(testApp.db, confirmation);
      await happened(testApp.db, unit, [
        ['receive', '2026-09-01'],
        ['check', '2026-09-02', { toNode: '10' }],
      ]);
      expect((await back([unit])).code).toBe('000000');
      const line = await testApp.db
        .selectFrom('rma_check_bill_line')
        .select(['scrapStatus', 'nofaultConfirmStatus'])
        .where('sn', '=', unit.sn)
        .executeTakeFirst();
      expect(line).toEqual({ scrapStatus: null, nofaultConfirmStatus: null });
      await expectRefused(testApp, '100014', () => back([unit]));
    },
  );

  it('of scrap that was confirmed by mistake, while its bill is open [W-EVT-30]', async () => {
    const bill = await maintainBill(testApp.db);
    await at(Node.AwaitingTest, { bill });
    const unit = await at(Node.Scrapped, { bill });
    expect((await readLine(unit.mtblId)).scrapCount).toBe(1);
    expect((await back([unit])).code).toBe('000000');
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverStatus: '0', scrap: '0' });
    expect(await readLine(unit.mtblId)).toMatchObject({ scrapCount: 0, discardCount: 0 });
    expect(await readUnit(unit.sn)).toMatchObject({ ivyId: '10', storageType: '1' });
  });

  it('of a board that came as scrap: what brought it into the workshop still counts [W-EVT-30]', async () => {
    const unit = await at(Node.AwaitingAssembly);
    await happened(testApp.db, unit, [
      ['receive', '2026-09-01', { toNode: Node.Scrapped }],
      ['modifyNode', '2026-09-02', { fromNode: Node.Scrapped, toNode: Node.AwaitingRepair }],
      ['repair', '2026-09-03'],
    ]);
    expect((await back([unit])).code).toBe('000000');
    const { history } = await readTrace(testApp, unit.sn);
    expect(history.map((it) => [it.step, it.operateStatus])).toEqual([
      ['returnToCheck', 'Rollbacked'],
      ['repair', 'Rollbacked'],
      ['modifyNode', 'Normal'],
      ['receive', 'Normal'],
    ]);
  });

  describe('of a board that came as scrap and was set elsewhere than into the workshop', () => {
    const setNode = (sn: string, ivyId: Node) =>
      done(modifyIvyId, { sn, ivyId, remark: 'found good' }, { as: 'admin' });
    const cases: [name: string, meanwhile: (unit: UnitOnBill) => Promise<unknown>, site: string][] = [
      ['to the goods', ({ sn }) => setNode(sn, Node.CanShip), 'SZ'],
      [
        'to the goods, and to another site',
        async ({ sn, mtbliId }) => {
          await setNode(sn, Node.CanShip);
          await done(changeSite, { rmaMaintainBillLineItemList: [{ mtbliId }], updateSiteId: 'NB' });
        },
        'NB',
      ],
      [
        'to the shipped, and back',
        async ({ sn }) => {
          await setNode(sn, Node.Shipped);
          await setNode(sn, Node.AwaitingRepair);
        },
        'SZ',
      ],
    ];
    it.each(cases)('%s: the return brings it in, and stands [W-EVT-30]', async (_, meanwhile, site) => {
      const unit = await discarded();
      await happened(testApp.db, unit, [['receive', '2026-09-01', { fromNode: null, toNode: Node.Scrapped }]]);
      await meanwhile(unit);
      expect((await back([unit], aftersales)).code).toBe('000000');
      expect(await readUnit(unit.sn)).toMatchObject({ ivyId: '10', siteId: site });
      expect(await readPlaces(unit.sn)).toEqual([{ siteId: site, kept: '1', n: 1 }]);
      const { history } = await readTrace(testApp, unit.sn);
      expect(history.filter((it) => it.operateStatus === 'Normal').map((it) => [it.step, it.fromNode])).toEqual([
        ['returnToCheck', '40'],
        ['receive', null],
      ]);
      await expectRefused(testApp, '100014', () => back([unit], aftersales));
    });
  });

  it('by provider staff of units of two sites at once: what is written carries each one’s [W-EVT-30]', async () => {
    const units = [await at(Node.AwaitingTest), await at(Node.AwaitingRepair, { siteId: 'NB' })];
    expect((await back(units, aftersales)).code).toBe('000000');
    for (const unit of units)
      expect((await readTrace(testApp, unit.sn)).history[0]).toMatchObject({ siteId: unit.siteId });
  });
});

/** Where the steps of a unit that stand have left it, as the reports read them, and as what it is kept there. */
async function readPlaces(sn: string) {
  const { rows } = await sql`
    SELECT "siteId", kept, sum(n)::int AS n
      FROM ${movements({ sites: 'all', asOf: null, until: new Date() })} AS v
     CROSS JOIN LATERAL (VALUES (v.becomes, 1), (v.was, -1)) AS w(kept, n)
     WHERE v.sn = ${sn} AND kept IS NOT NULL GROUP BY 1, 2 HAVING sum(n) <> 0`.execute(testApp.db);
  return rows;
}

/** A unit that was given up, on a bill that is open. */
async function discarded(): Promise<UnitOnBill> {
  const bill = await maintainBill(testApp.db);
  await at(Node.AwaitingTest, { bill });
  return at(Node.Scrapped, { bill, item: { scrap: '0' } });
}

describe('change item', () => {
  const change = (units: Pick<UnitOnBill, 'mtbliId'>[], more: object = {}) =>
    testApp.send(
      replaceSaleCode,
      {
        rmaMaintainBillLineItemList: units.map(({ mtbliId }) => ({ mtbliId })),
        salesCode: 'rx21',
        replaceFlag: '0',
        salesCodeCount: units.length,
        ...more,
      },
      aftersales,
    );

  it('is refused without a code, of an unknown or other kind, of the same, without its flag, by a wrong count [W-ACT-04, W-ACT-06, W-EVT-31]', async () => {
    const unit = await at(Node.AwaitingRepair);
    await expectRefused(testApp, '100001', () => change([unit], { salesCode: ' ' }));
    await expectRefused(testApp, '100001', () => change([unit], { replaceFlag: '' }));
    await expectRefused(testApp, '100001', () => change([]));
    await expectRefused(testApp, '100015', () => change([unit], { replaceFlag: '2' }));
    await expectRefused(testApp, '100019', () => change([unit], { salesCodeCount: 2 }));
    await expectRefused(testApp, '100002', () => change([unit], { salesCode: 'RX99' }));
    await expectRefused(testApp, '100015', () => change([unit], { salesCode: 'HB19' }));
    for (const replaceFlag of ['0', '1']) {
      await expectRefused(testApp, '100007', () => change([unit], { salesCode: 'RX19', replaceFlag }));
    }
    await change([unit]);
    await expectRefused(testApp, '100007', () => change([unit]));
  });

  it('is refused while a part of the stock-up bill has left [W-EVT-31]', async () => {
    const bill = await maintainBill(testApp.db);
    const [first, second] = [await stored({ bill }), await stored({ bill })];
    const [stockup] = await readStockups(first);
    await done(
      submitDeliverBill,
      {
        skbId: stockup?.skbId ?? '',
        submitType: '0',
        rmaDeliverBillLineList: [{ deliverSn: first.sn, submitCount: 1 }],
      },
      { as: 'warehouse' },
    );
    for (const replaceFlag of ['0', '1'])
      await expectRefused(testApp, '100025', () => change([second], { replaceFlag }));
  });

  it.each(inHouse)('with flag 0, at %s: another model is sent for it [W-ACT-06, W-EVT-31]', async (node) => {
    const unit = node === Node.CanShip ? await stored() : await at(node);
    expect((await change([unit])).data).toEqual({ updatedCount: 1, mtblId: unit.mtblId });
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({
      deliverSalesCode: 'RX21',
      exchange: '1',
      mtblId: unit.mtblId,
    });
    const { unit: now, history } = await readTrace(testApp, unit.sn);
    expect(now).toMatchObject({ ivyId: node, salesCode: 'RX19', mtbliId: unit.mtbliId });
    expect(history[0]).toMatchObject({ step: 'replaceSaleCode', fromNode: node, toNode: node, note: 'RX19 → RX21' });
    expect(await readLedger(testApp, unit.mtbId)).toMatchObject([{ what: 'replaceSaleCode' }]);
  });

  it.each(inHouse)('with flag 0 and back again, at %s: its own unit goes [W-ACT-06, W-EVT-31]', async (node) => {
    const unit = node === Node.CanShip ? await stored() : await at(node);
    const promise = async (salesCode: string) => {
      expect((await change([unit], { salesCode })).code).toBe('000000');
      return readItem(testApp, unit.mtbliId);
    };
    expect(await promise('RX21')).toMatchObject({ deliverSalesCode: 'RX21', exchange: '1' });
    expect(await promise('RX19')).toMatchObject({ deliverSalesCode: null, exchange: '0' });
    if (node !== Node.CanShip) return;
    const [stockup] = await readStockups(unit);
    const ship = (deliverSn: string) => ({
      ...{ skbId: stockup?.skbId ?? '', submitType: '0' },
      rmaDeliverBillLineList: [{ deliverSn }],
    });
    const stock = await stockMachine(testApp.db, Node.CanShip);
    await expectRefused(testApp, '100021', () => testApp.send(submitDeliverBill, ship(stock), { as: 'warehouse' }));
    await done(submitDeliverBill, ship(unit.sn), { as: 'warehouse' });
  });

  it('with flag 0 and back again: what is an exchange of itself stays one [W-EVT-16, W-EVT-31]', async () => {
    const bill = await maintainBill(testApp.db, { billStatus: BillStatus.Awaiting });
    const sn = 'RX19P4A26110ADV1';
    await testApp.db.insertInto('ubs_item_object').values({ sn, type: '0', salesCode: 'RX19', origin: '1' }).execute();
    const { rvbId } = await done(
      receive,
      {
        mtbId: bill.mtbId,
        rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: [{ receiveSn: sn, depreciation: 'B' }] }],
      },
      { as: 'warehouse' },
    );
    await done(exchangeReceive, { id: rvbId }, { as: 'admin' });
    const ahead = (await readUnit(sn)) as { mtbliId: string };
    const replaced = await at(Node.AwaitingTest, { item: { exchange: '1', receiveSn: 'RX19P4A26110OLD1' } });
    for (const it of [ahead, replaced]) {
      for (const salesCode of ['RX21', 'RX19']) expect((await change([it], { salesCode })).code).toBe('000000');
      expect(await readItem(testApp, it.mtbliId)).toMatchObject({ deliverSalesCode: null, exchange: '1' });
    }
    await done(modifyIvyId, { sn, ivyId: Node.CanShip }, { as: 'admin' });
    for (const salesCode of ['RX21', 'RX19']) expect((await change([ahead], { salesCode })).code).toBe('000000');
    expect(await readItem(testApp, ahead.mtbliId)).toMatchObject({ deliverSalesCode: null, exchange: '1' });
  });

  it.each(inHouse)(
    'with flag 1, at %s: unit and item are on the line of the right code [W-ACT-06, W-EVT-31]',
    async (node) => {
      const bill = await maintainBill(testApp.db);
      const unit = node === Node.CanShip ? await stored({ bill }) : await at(node, { bill });
      const other = await at(Node.AwaitingTest, { bill });
      const first = await change([unit], { replaceFlag: '1' });
      const { mtblId } = first.data;
      expect(mtblId).not.toBe(unit.mtblId);
      expect(await readLine(mtblId)).toMatchObject({
        ...{ mtbId: bill.mtbId, salesCode: 'RX21', itemName: 'RX21 140T', productName: 'RX21', type: '0' },
        ...{ count: 1, receiveCount: 1 },
      });
      expect(await readLine(unit.mtblId)).toMatchObject({ count: 0, receiveCount: 0 });
      expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ mtblId, exchange: '0' });
      expect(await readUnit(unit.sn)).toMatchObject({ ivyId: node, salesCode: 'RX21', itemName: 'RX21 140T', mtblId });
      if (node === Node.CanShip) expect(await readStockups(unit)).toMatchObject([{ mtblId, salesCode: 'RX21' }]);
      // The line is there now, and takes the next one as well.
      expect((await change([other], { replaceFlag: '1' })).data.mtblId).toBe(mtblId);
      expect(await readLine(mtblId)).toMatchObject({ count: 2, receiveCount: 2 });
    },
  );

  it('with flag 1: the archive calls the unit so as well, unless its code has the right one as a sub-code, and no more once it is rolled back [W-EVT-31]', async () => {
    const { db } = testApp;
    const old = { itemId: 19, salesCode: 'RX19-OLD', name: 'RX19, former', type: '0', snControl: '1' };
    await db.insertInto('ubs_item').values(old).execute();
    const archive = async (sn: string, salesCode: string, itemId: number) => {
      const row = { sn, salesCode, itemId, itemName: `as ${salesCode}`, type: '0', origin: '1' };
      await db.insertInto('ubs_item_object').values(row).execute();
    };
    const readArchive = (sn: string) =>
      db
        .selectFrom('ubs_item_object')
        .select(['salesCode', 'itemId', 'itemName'])
        .where('sn', '=', sn)
        .executeTakeFirst();
    const undone = async (sn: string) => {
      const { history } = await readTrace(testApp, sn);
      const id = String(history.find((it) => it.step === 'replaceSaleCode')?.id);
      return (await testApp.send(rollbackTransaction, { id, remark: 'by mistake' }, { as: 'admin' })).code;
    };
    const bill = await maintainBill(db);
    const unit = await at(Node.AwaitingRepair, { bill });
    await archive(unit.sn, 'RX19', 1);
    const wrong = { salesCode: 'RX19', itemId: 1, itemName: 'as RX19' };
    const right = { salesCode: 'RX21', itemId: 2, itemName: 'RX21 140T' };
    const corrects = { replaceFlag: '1' };
    // What is only sent instead is no other model.
    expect((await change([unit])).code).toBe('000000');
    expect(await readArchive(unit.sn)).toEqual(wrong);
    expect((await change([unit], corrects)).code).toBe('000000');
    expect(await readArchive(unit.sn)).toEqual(right);
    expect(await undone(unit.sn)).toBe('000000');
    expect(await readArchive(unit.sn)).toEqual(wrong);
    // What the archive was told since stays.
    expect((await change([unit], corrects)).code).toBe('000000');
    await db.updateTable('ubs_item_object').set({ salesCode: 'RX30' }).where('sn', '=', unit.sn).execute();
    expect(await undone(unit.sn)).toBe('000000');
    expect(await readArchive(unit.sn)).toMatchObject({ salesCode: 'RX30' });
    const ofSub = await at(Node.AwaitingRepair, { bill, salesCode: 'RX21' });
    await archive(ofSub.sn, 'RX19', 1);
    expect((await change([ofSub], { ...corrects, salesCode: 'RX19-OLD' })).code).toBe('000000');
    expect(await readArchive(ofSub.sn)).toEqual(wrong);
    expect(await undone(ofSub.sn)).toBe('000000');
    expect(await readArchive(ofSub.sn)).toEqual(wrong);
  });
});

describe('move bill', () => {
  type Flags = Partial<Record<'moveBillFlag' | 'deliverFlag' | 'splitDeliverFlag', string>>;
  const move = (units: Pick<UnitOnBill, 'mtbliId'>[], to: Pick<UnitOnBill, 'mtbId' | 'mtblId'>, flags: Flags) =>
    testApp.send(
      moveBill,
      { ids: units.map((it) => it.mtbliId), mtbId: to.mtbId, mtblId: to.mtblId, ...flags },
      aftersales,
    );
  const moves = { moveBillFlag: '1' };
  const delivers = { deliverFlag: '1' };
  const splits = { splitDeliverFlag: '1' };

  it('is refused without a target, flags, of flags that exclude each other, to the same, a finished or a strange bill [W-ACT-07, W-ACT-08, W-EVT-32]', async () => {
    const unit = await at(Node.AwaitingRepair);
    const to = await at(Node.AwaitingTest);
    await expectRefused(testApp, '100001', () => move([unit], { ...to, mtbId: '' }, moves));
    await expectRefused(testApp, '100001', () => move([unit], { ...to, mtblId: '' }, moves));
    await expectRefused(testApp, '100001', () => move([], to, moves));
    await expectRefused(testApp, '100001', () => move([unit], to, {}));
    await expectRefused(testApp, '100001', () =>
      move([unit], to, { moveBillFlag: '0', deliverFlag: '0', splitDeliverFlag: '0' }),
    );
    await expectRefused(testApp, '100015', () => move([unit], to, { moveBillFlag: '2' }));
    await expectRefused(testApp, '100015', () => move([unit], to, { ...delivers, ...splits }));
    await expectRefused(testApp, '100002', () => move([unit], { ...to, mtbId: 'MTB0' }, moves));
    await expectRefused(testApp, '100002', () => move([unit], { ...to, mtblId: 'MBL0' }, moves));
    await expectRefused(testApp, '100020', () => move([unit], { ...to, mtblId: unit.mtblId }, moves));
    for (const flags of [moves, delivers]) await expectRefused(testApp, '100007', () => move([unit], unit, flags));
    const finished = await at(Node.Shipped);
    await expectRefused(testApp, '100011', () => move([unit], finished, moves));
    const theirs = await at(Node.AwaitingTest, { siteId: 'NB' });
    await expectRefused(testApp, '100004', () => move([unit], theirs, moves));
    await testApp.db.updateTable('rma_maintain_bill_line').set({ type: '1' }).where('mtblId', '=', to.mtblId).execute();
    await expectRefused(testApp, '100015', () => move([unit], to, moves));
  });

  it('is refused where goods of one customer would ship with those of another [W-EVT-32]', async () => {
    const [mine, theirs] = [
      await maintainBill(testApp.db, { btmUserId: 'U1' }),
      await maintainBill(testApp.db, { btmUserId: 'U2' }),
    ];
    const [unit, to] = [await stored({ bill: mine }), await stored({ bill: theirs })];
    for (const flags of [delivers, moves]) await expectRefused(testApp, '100020', () => move([unit], to, flags));
    expect((await move([unit], to, { ...moves, ...delivers })).code).toBe('000000');
    expect(await readStockups(unit)).toMatchObject([{ mtbId: to.mtbId }]);
  });

  it.each(inHouse)(
    'at %s to another bill: item, unit and counts follow; the source is finished [W-ACT-08, W-EVT-32]',
    async (node) => {
      const unit = node === Node.CanShip ? await stored() : await at(node);
      const to = await at(Node.AwaitingTest);
      const [before] = await readStockups(unit);
      const { data } = await move([unit], to, moves);
      expect(data).toEqual({ movedCount: 1, mtbId: to.mtbId, mtblId: to.mtblId });
      const destination = { mtbId: to.mtbId, mtblId: to.mtblId };
      expect(await readItem(testApp, unit.mtbliId)).toMatchObject(destination);
      const { unit: now, history } = await readTrace(testApp, unit.sn);
      expect(now).toMatchObject({ ...destination, ivyId: node, mtbliId: unit.mtbliId });
      expect(history[0]).toMatchObject({ step: 'moveBill', mtbId: to.mtbId, fromNode: node, toNode: node });
      expect(await readLine(to.mtblId)).toMatchObject({ count: 2, receiveCount: 2 });
      expect(await readLine(unit.mtblId)).toMatchObject({ count: 0, receiveCount: 0 });
      expect([(await readBill(unit.mtbId)).billStatus, (await readBill(to.mtbId)).billStatus]).toEqual(['2', '1']);
      // It ships as it would have before: with the goods of its first bill.
      if (before) expect(await readStockups(unit)).toEqual([{ ...before, mtblId: to.mtblId }]);
      expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverMtbId: unit.mtbId });
      expect(await readLedger(testApp, to.mtbId)).toMatchObject([{ what: 'moveBill' }]);
    },
  );

  it('to a bill that was not received, which is received with it; what has not come follows its bill [W-EVT-32]', async () => {
    const bill = await maintainBill(testApp.db);
    const unit = await at(Node.AwaitingRepair, { bill });
    await at(Node.AwaitingTest, { bill });
    const to = await target();
    const empty = await maintainBill(testApp.db, { billStatus: '3' });
    await testApp.db
      .updateTable('rma_maintain_bill_line')
      .set({ mtbId: empty.mtbId })
      .where('mtblId', '=', to.mtblId)
      .execute();
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ mtbId: empty.mtbId, receiveStatus: '2', receiveSn: null })
      .where('mtbliId', '=', to.mtbliId)
      .execute();
    await testApp.db.deleteFrom('rma_inventory').where('sn', '=', to.sn).execute();
    await testApp.db
      .updateTable('rma_maintain_bill_line')
      .set({ receiveCount: 0 })
      .where('mtblId', '=', to.mtblId)
      .execute();
    await testApp.db.updateTable('rma_maintain_bill').set({ billStatus: '2' }).where('mtbId', '=', to.mtbId).execute();
    const target3 = { mtbId: empty.mtbId, mtblId: to.mtblId };
    const waits = await declared(bill, unit);
    await move([waits], target3, moves);
    expect(await readItem(testApp, waits.mtbliId)).toMatchObject({ mtbId: empty.mtbId, receiveStatus: '2' });
    expect((await readBill(empty.mtbId)).billStatus).toBe('3');
    await move([unit], target3, moves);
    expect((await readBill(empty.mtbId)).billStatus).toBe('1');
    expect((await readBill(bill.mtbId)).billStatus).toBe('1');
  });

  it('with the delivery alone: it ships on the stock-up bill of the target, now or when it is stored [W-ACT-08, W-EVT-32]', async () => {
    const to = await stored();
    const [theirs] = await readStockups(to);
    const shelved = await stored();
    const [own] = await readStockups(shelved);
    const onItsWay = await at(Node.AwaitingStorage);
    expect((await move([shelved, onItsWay], to, delivers)).code).toBe('000000');
    expect(await readStockups(shelved)).toMatchObject([
      { skbId: theirs?.skbId, mtbId: to.mtbId, mtblId: shelved.mtblId },
    ]);
    expect(await readStatus(own?.skbId)).toBe('4');
    expect((await readUnit(shelved.sn))?.mtbId).toBe(shelved.mtbId);
    await done(submitStoreBill, { rmaStoreBillLineList: [{ sn: onItsWay.sn }], packageCount: 20 }, { as: 'warehouse' });
    expect(await readStockups(onItsWay)).toMatchObject([{ skbId: theirs?.skbId, mtblId: onItsWay.mtblId }]);
    for (const it of [shelved, onItsWay]) expect((await readBill(it.mtbId)).billStatus).toBe('1');
  });

  it('with the delivery of goods at another site: to their address, but from where it stands itself [W-EVT-32]', async () => {
    const away = async ({ mtbliId }: UnitOnBill) =>
      done(changeSite, { rmaMaintainBillLineItemList: [{ mtbliId }], updateSiteId: 'NB' });
    const alone = await stored({ item: { deliverShipId: 'DHL' } });
    await away(alone);
    const unit = await stored();
    expect((await move([unit], alone, delivers)).code).toBe('000000');
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverSiteId: null, deliverShipId: 'DHL' });
    expect(await readStockups(unit)).toMatchObject([{ mtbId: alone.mtbId, siteId: 'SZ', deliverSiteId: 'SZ' }]);

    const bill = await maintainBill(testApp.db);
    const [gone, here] = [await stored({ bill }), await stored({ bill })];
    await away(gone);
    const [theirs] = await readStockups(here);
    const next = await stored();
    expect((await move([next], gone, delivers)).code).toBe('000000');
    expect(await readStockups(next)).toMatchObject([{ skbId: theirs?.skbId, siteId: 'SZ' }]);
  });

  it('with the delivery apart: a stock-up bill of its own, now or when it is stored [W-ACT-08, W-EVT-32]', async () => {
    const bill = await maintainBill(testApp.db);
    const [first, second] = [await stored({ bill }), await stored({ bill })];
    const late = await at(Node.AwaitingStorage, { bill });
    const [whole] = await readStockups(first);
    expect((await move([second, late], second, splits)).code).toBe('000000');
    const [apart] = await readStockups(second);
    expect(apart).toMatchObject({ mtbId: bill.mtbId, status: '0' });
    expect(apart?.skbId).not.toBe(whole?.skbId);
    expect(await readStockups(first)).toEqual([whole]);
    const next = await at(Node.AwaitingStorage, { bill });
    for (const { sn } of [late, next]) {
      await done(submitStoreBill, { rmaStoreBillLineList: [{ sn }], packageCount: 20 }, { as: 'warehouse' });
    }
    expect(await readStockups(late)).toMatchObject([{ skbId: apart?.skbId }]);
    expect(await readStockups(next)).toMatchObject([{ skbId: whole?.skbId }]);
  });

  it('with bill and delivery: it is the target’s altogether [W-EVT-32]', async () => {
    const to = await stored();
    const [theirs] = await readStockups(to);
    const unit = await stored();
    expect((await move([unit], to, { ...moves, ...delivers })).code).toBe('000000');
    expect(await readStockups(unit)).toMatchObject([{ skbId: theirs?.skbId, mtblId: to.mtblId }]);
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ mtbId: to.mtbId, deliverMtbId: null, stockup: '1' });
  });

  it('of two bills into each other at the same time: both go through', async () => {
    const [a, b] = [await at(Node.AwaitingTest), await at(Node.AwaitingTest)];
    const answers = await Promise.all([move([a], b, moves), move([b], a, moves)]);
    expect(answers.filter((it) => it.code === '000000').length).toBeGreaterThan(0);
    expect(answers.every((it) => ['000000', '100011', '100025', '100007'].includes(it.code))).toBe(true);
  });
});

describe('change store', () => {
  const change = (units: Pick<UnitOnBill, 'mtbliId'>[], updateSiteId: string, asking: Asking = aftersales) =>
    testApp.send(
      changeSite,
      { rmaMaintainBillLineItemList: units.map(({ mtbliId }) => ({ mtbliId })), updateSiteId },
      asking,
    );

  it('is refused to no site, to one that does not exist, to where it is, and without items [W-ACT-02, W-EVT-33]', async () => {
    const unit = await at(Node.AwaitingRepair);
    await expectRefused(testApp, '100001', () => change([unit], ' '));
    await expectRefused(testApp, '100001', () => change([], 'NB'));
    await expectRefused(testApp, '100002', () => change([unit], 'XX'));
    await expectRefused(testApp, '100007', () => change([unit], 'SZ'));
  });

  it.each(inHouse)(
    'at %s: the unit stands at the other site, and ships from there [W-ACT-02, W-EVT-33]',
    async (node) => {
      const unit = node === Node.CanShip ? await stored() : await at(node);
      const [before] = await readStockups(unit);
      expect((await change([unit], 'nb', node === Node.CanShip ? aftersales : office)).data).toEqual({
        updatedCount: 1,
      });
      expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverSiteId: 'NB', siteId: 'NB' });
      const { unit: now, history } = await readTrace(testApp, unit.sn);
      expect(now).toMatchObject({ ivyId: node, siteId: 'NB', mtbId: unit.mtbId });
      expect(history[0]).toMatchObject({
        step: 'updateSiteId',
        siteId: 'NB',
        fromSiteId: 'SZ',
        note: 'SZ → NB',
        fromNode: node,
        toNode: node,
      });
      expect((await readBill(unit.mtbId)).siteId).toBe('SZ');
      if (!before) return;
      expect(await readStatus(before.skbId)).toBe('4');
      expect(await readStockups(unit)).toMatchObject([{ siteId: 'NB', deliverSiteId: 'NB', status: '0' }]);
    },
  );

  it('of what has not come: it is sent from there once it has [W-EVT-33]', async () => {
    const unit = await at(Node.AwaitingTest);
    const waits = await declared(unit, unit);
    expect((await change([waits], 'NB')).code).toBe('000000');
    expect(await readItem(testApp, waits.mtbliId)).toMatchObject({
      deliverSiteId: 'NB',
      siteId: 'SZ',
      receiveStatus: '0',
    });
    await expectRefused(testApp, '100007', () => change([waits], 'NB'));
  });

  it('by a row’s id as well as by its number', async () => {
    const unit = await at(Node.AwaitingTest);
    const input = { rmaMaintainBillLineItemList: [{ id: String(unit.itemId) }], updateSiteId: 'NB' };
    expect((await testApp.send(changeSite, input, aftersales)).code).toBe('000000');
    expect((await readUnit(unit.sn))?.siteId).toBe('NB');
  });
});

describe('an administrator rolls back what the office has decided', () => {
  const undo = async (sn: string) => {
    const id = String((await readTrace(testApp, sn)).history[0]?.id);
    return testApp.send(rollbackTransaction, { id, remark: 'by mistake' }, { as: 'admin' });
  };
  const buy = ({ mtblId, mtbliId }: UnitOnBill) => done(buyOut, [{ mtblId, mtbliIdList: [mtbliId], remark: 'agreed' }]);

  it.each(inHouse)('a buy-out at %s: the unit is its customer’s again, and the bill is open', async (node) => {
    const unit = node === Node.CanShip ? await stored() : await at(node);
    await buy(unit);
    expect((await readBill(unit.mtbId)).billStatus).toBe('2');
    expect((await undo(unit.sn)).code).toBe('000000');
    const { mtbId, mtblId, mtbliId } = unit;
    expect(await readUnit(unit.sn)).toMatchObject({ ivyId: node, mtbId, mtblId, mtbliId });
    const onShelf = node === Node.CanShip ? '1' : '0';
    expect(await readItem(testApp, mtbliId)).toMatchObject({ deliverStatus: onShelf, stockup: onShelf });
    expect(await readLine(mtblId)).toMatchObject({ buyOutCount: 0 });
    expect(await readBill(mtbId)).toMatchObject({ billStatus: '1', operateStatus: 'Rollbacked' });
  });

  it('a buy-out of what was not to ship: on the shelf it is as little tallied as before', async () => {
    const cancelled = await stored();
    const { skbId } = await testApp.db
      .selectFrom('rma_stockup_bill_line')
      .select('skbId')
      .where('mtbliId', '=', cancelled.mtbliId)
      .executeTakeFirstOrThrow();
    await testApp.ask('GET', '/api/rmaStockupBill/cancelStockupBill.json', { id: skbId }, { as: 'admin' });
    const released = await stored();
    const edit = { id: released.mtbliId, deliverStatus: '0' };
    await testApp.ask('POST', '/api/rmaMaintainBillLineItem/editDeliver.json', edit, { as: 'admin' });
    for (const unit of [cancelled, released]) {
      const { deliverStatus, stockup } = await readItem(testApp, unit.mtbliId);
      expect([deliverStatus, stockup]).toEqual([unit === released ? '0' : '1', '0']);
      await buy(unit);
      expect((await undo(unit.sn)).code).toBe('000000');
      expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverStatus, stockup });
    }
  });

  it('a buy-out, not once the unit is somebody’s again', async () => {
    const unit = await at(Node.AwaitingTest);
    await buy(unit);
    const other = await at(Node.AwaitingRepair);
    const { mtbId, mtblId, mtbliId } = other;
    await testApp.db.deleteFrom('rma_inventory').where('sn', '=', other.sn).execute();
    await testApp.db.updateTable('rma_inventory').set({ mtbId, mtblId, mtbliId }).where('sn', '=', unit.sn).execute();
    await expectRefused(testApp, '100025', () => undo(unit.sn));
  });

  it('a force close: the unit goes on from where it was, held as it was, and the bill is open', async () => {
    for (const unit of [await at(Node.AwaitingAssembly), await stored(), await heldUnit(testApp.db, 'nofault')]) {
      const before = await readUnit(unit.sn);
      await done(terminate, { mtbId: unit.mtbId, discardInHouse: '1' });
      expect((await undo(unit.sn)).code).toBe('000000');
      expect((await readUnit(unit.sn))?.ivyId).toBe(before?.ivyId);
      expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ scrap: '0' });
      expect((await readLine(unit.mtblId)).discardCount).toBe(0);
      expect((await readBill(unit.mtbId)).billStatus).toBe('1');
    }
    const line = await testApp.db
      .selectFrom('rma_check_bill_line')
      .select('nofaultConfirmStatus')
      .where('disposition', '=', 'nofault')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(line?.nofaultConfirmStatus).toBe('0');
  });

  it('a force close of a unit whose proposal was dropped before: it waits for nobody', async () => {
    const { sn, mtbId, mtbliId } = await heldUnit(testApp.db, 'scrap');
    await done(rollbackToPreliminaryTest, { list: [{ sn, mtbliId, mtbId }] });
    await done(terminate, { mtbId, discardInHouse: '1' });
    expect((await undo(sn)).code).toBe('000000');
    expect((await readUnit(sn))?.ivyId).toBe(Node.AwaitingCheck);
    const line = testApp.db.selectFrom('rma_check_bill_line').select('scrapStatus').where('sn', '=', sn);
    expect(await line.executeTakeFirst()).toEqual({ scrapStatus: null });
  });

  it.each([Node.AwaitingRepair, Node.CanShip])('a change of store at %s: it stands where it stood', async (node) => {
    const unit = node === Node.CanShip ? await stored() : await at(node);
    const [before] = await readStockups(unit);
    const input = { rmaMaintainBillLineItemList: [{ mtbliId: unit.mtbliId }], updateSiteId: 'NB' };
    await done(changeSite, input);
    expect((await undo(unit.sn)).code).toBe('000000');
    expect((await readUnit(unit.sn))?.siteId).toBe('SZ');
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ siteId: 'SZ', deliverSiteId: null });
    if (before) expect(await readStockups(unit)).toMatchObject([{ siteId: 'SZ', deliverSiteId: 'SZ', status: '0' }]);
  });

  it('a receipt on another bill from which the unit was moved since: it leaves from where it is', async () => {
    const unit = await at(Node.AwaitingCheck);
    const { sn, mtbId, siteId } = unit;
    const receipt = {
      sn,
      mtbId,
      siteId,
      step: 'receive',
      toNode: Node.AwaitingCheck,
      operateStatus: 'Normal',
      eventTime: new Date(),
    };
    await testApp.db.insertInto('rma_transaction').values(receipt).execute();
    const to = await at(Node.AwaitingTest, { billStatus: BillStatus.Awaiting });
    await done(moveBill, { ids: [unit.mtbliId], mtbId: to.mtbId, mtblId: to.mtblId, moveBillFlag: '1' });
    const input = { mtbId: to.mtbId, rmaReceiveBillLineRequestList: [{ snList: [sn] }] };
    await done(deleteReceived, input, { as: 'warehouse' });
    const { unit: now, history } = await readTrace(testApp, sn);
    expect(now).toMatchObject({ ivyId: null, mtbId: null, mtbliId: null });
    expect(history[0]).toMatchObject({ step: 'receive', operateStatus: 'Rollbacked', toNode: null });
    await expect(readItem(testApp, unit.mtbliId)).rejects.toThrow('no result');
    expect(await readLine(to.mtblId)).toMatchObject({ receiveCount: 1 });
  });

  it('a receipt, not of a unit that stands at another site by now', async () => {
    const bill = await maintainBill(testApp.db, { billStatus: BillStatus.Awaiting });
    const unit = await at(Node.AwaitingCheck, { bill });
    await done(changeSite, { rmaMaintainBillLineItemList: [{ mtbliId: unit.mtbliId }], updateSiteId: 'NB' });
    const input = { mtbId: bill.mtbId, rmaReceiveBillLineRequestList: [{ snList: [unit.sn] }] };
    await expectRefused(testApp, '100004', () => testApp.send(deleteReceived, input, { as: 'warehouse' }));
  });

  /** All that is true of these bills and of what ships with them, without who wrote it last and how often. */
  const readState = async (...mtbIds: string[]) => {
    const apart = ['version', 'updateBy', 'updateTime', 'operateStatus'];
    const rows = async (from: string) => {
      const query = sql<Record<string, unknown>>`SELECT * FROM ${sql.raw(from)} = ANY(${mtbIds}) ORDER BY 1`;
      const found = (await query.execute(testApp.db)).rows;
      return found.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !apart.includes(name))));
    };
    return {
      bills: await rows('rma_maintain_bill WHERE "mtbId"'),
      lines: await rows('rma_maintain_bill_line WHERE "mtbId"'),
      items: await rows('rma_maintain_bill_line_item WHERE "mtbId"'),
      units: await rows('rma_inventory WHERE "mtbId"'),
      stockups: await rows(`rma_stockup_bill WHERE status <> '4' AND "mtbId"`),
      tallies: await rows('rma_stockup_bill_line WHERE "mtbId"'),
    };
  };
  const move = (unit: UnitOnBill, to: Pick<UnitOnBill, 'mtbId' | 'mtblId'>, flags: object) =>
    done(moveBill, { ids: [unit.mtbliId], mtbId: to.mtbId, mtblId: to.mtblId, ...flags });
  const change = (units: UnitOnBill[], replaceFlag: string, salesCode = 'RX21') =>
    done(replaceSaleCode, {
      rmaMaintainBillLineItemList: units.map(({ mtbliId }) => ({ mtbliId })),
      ...{ salesCode, replaceFlag, salesCodeCount: units.length },
    });
  const flagsOfMoves = [
    { moveBillFlag: '1' },
    { deliverFlag: '1' },
    { splitDeliverFlag: '1' },
    { moveBillFlag: '1', deliverFlag: '1' },
    { moveBillFlag: '1', splitDeliverFlag: '1' },
  ];
  const stands = [Node.AwaitingRepair, Node.CanShip];
  const shelved = (node: Node, more: object = {}) => (node === Node.CanShip ? stored(more) : at(node, more));

  it.each(stands.flatMap((node) => flagsOfMoves.map((flags) => ({ node, flags }))))(
    'a move, $flags, at $node: both bills are as they were, and what came before can be rolled back [W-EVT-37]',
    async ({ node, flags }) => {
      const unit = await shelved(node);
      const to = await stored();
      await testApp.db
        .updateTable('rma_maintain_bill_line_item')
        .set({ deliverShipId: 'DHL' })
        .where('mtbliId', '=', to.mtbliId)
        .execute();
      const before = await readState(unit.mtbId, to.mtbId);
      await move(unit, to, flags);
      expect(await readState(unit.mtbId, to.mtbId)).not.toEqual(before);
      const earlier = (await readTrace(testApp, unit.sn)).history[1];
      if (earlier) {
        const input = { id: String(earlier.id), remark: 'by mistake' };
        await expectRefused(testApp, '100025', () => testApp.send(rollbackTransaction, input, { as: 'admin' }));
      }
      expect((await undo(unit.sn)).code).toBe('000000');
      expect(await readState(unit.mtbId, to.mtbId)).toEqual(before);
      const { history } = await readTrace(testApp, unit.sn);
      expect(history.slice(0, 2)).toMatchObject([
        { step: 'rollback', operateStatus: 'Rollbacked', fromNode: node, toNode: node, note: 'by mistake' },
        { step: 'moveBill', operateStatus: 'Rollbacked' },
      ]);
      if (!earlier) return;
      const input = { id: String(earlier.id), remark: 'by mistake' };
      await done(rollbackTransaction, input, { as: 'admin' });
      expect((await readUnit(unit.sn))?.ivyId).toBe(Node.AwaitingStorage);
    },
  );

  it('a move of several: each by itself, and the lines count what they declared [W-EVT-37]', async () => {
    const bill = await maintainBill(testApp.db);
    const [first, second] = [await at(Node.AwaitingRepair, { bill }), await at(Node.AwaitingTest, { bill })];
    const undeclared = { mtblId: first.mtblId };
    for (const table of ['rma_maintain_bill_line_item', 'rma_inventory'] as const) {
      await testApp.db.updateTable(table).set(undeclared).where('mtbliId', '=', second.mtbliId).execute();
    }
    await testApp.db.deleteFrom('rma_maintain_bill_line').where('mtblId', '=', second.mtblId).execute();
    await recountLines(testApp.db, [first.mtblId]);
    const to = await target();
    const before = await readState(bill.mtbId, to.mtbId);
    expect(await readLine(first.mtblId)).toMatchObject({ count: 1, receiveCount: 2 });
    const ids = [first.mtbliId, second.mtbliId];
    await done(moveBill, { ids, mtbId: to.mtbId, mtblId: to.mtblId, moveBillFlag: '1' });
    expect((await readBill(bill.mtbId)).billStatus).toBe('2');
    expect((await undo(second.sn)).code).toBe('000000');
    expect(await readUnit(first.sn)).toMatchObject({ mtbId: to.mtbId });
    expect((await readBill(bill.mtbId)).billStatus).toBe('1');
    expect((await undo(first.sn)).code).toBe('000000');
    expect(await readState(bill.mtbId, to.mtbId)).toEqual(before);
  });

  it('a move to a bill that was not received: it is not received again, and one that is left is finished [W-EVT-37]', async () => {
    const unit = await at(Node.AwaitingRepair);
    const empty = await maintainBill(testApp.db, { billStatus: '3' });
    const line = {
      ...newCounts,
      mtblId: `MBL-E${newKey()}`.toUpperCase(),
      mtbId: empty.mtbId,
      type: '0',
      salesCode: 'RX19',
    };
    await testApp.db.insertInto('rma_maintain_bill_line').values(line).execute();
    await recountLines(testApp.db, [line.mtblId]);
    const before = await readState(unit.mtbId, empty.mtbId);
    await move(unit, line, { moveBillFlag: '1' });
    expect((await readBill(empty.mtbId)).billStatus).toBe('1');
    expect((await undo(unit.sn)).code).toBe('000000');
    expect(await readState(unit.mtbId, empty.mtbId)).toEqual(before);

    const to = await target();
    await move(unit, to, { moveBillFlag: '1' });
    await buy(to);
    expect((await readBill(to.mtbId)).billStatus).toBe('1');
    expect((await undo(unit.sn)).code).toBe('000000');
    expect((await readBill(to.mtbId)).billStatus).toBe('2');
    expect((await readBill(unit.mtbId)).billStatus).toBe('1');
  });

  it('a move, beside the open stock-up bill that was made since, and not where the office chose another place [W-EVT-37]', async () => {
    const bill = await maintainBill(testApp.db);
    const unit = await stored({ bill });
    await move(unit, await stored(), { deliverFlag: '1' });
    const [since] = await readStockups(await stored({ bill }));
    expect((await undo(unit.sn)).code).toBe('000000');
    expect(await readStockups(unit)).toMatchObject([{ skbId: since?.skbId }]);

    await move(unit, await stored(), { deliverFlag: '1' });
    const own = { deliverShipId: 'DHL' };
    const item = testApp.db.updateTable('rma_maintain_bill_line_item').set(own).where('mtbliId', '=', unit.mtbliId);
    await item.execute();
    expect((await undo(unit.sn)).code).toBe('000000');
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ ...own, deliverMtbId: null, stockup: '1' });
    expect((await readStockups(unit))[0]).toMatchObject({ mtbId: bill.mtbId });
    expect((await readStockups(unit))[0]?.skbId).not.toBe(since?.skbId);
  });

  it('a move, after a change of store that was rolled back as well: it waits on its former stock-up bill [W-EVT-37]', async () => {
    const unit = await stored();
    const [former] = await readStockups(unit);
    await move(unit, await target(), { splitDeliverFlag: '1' });
    await done(changeSite, { rmaMaintainBillLineItemList: [{ mtbliId: unit.mtbliId }], updateSiteId: 'NB' });
    expect((await undo(unit.sn)).code).toBe('000000');
    const moves = await sql<{ id: string }>`
      SELECT id FROM rma_transaction WHERE sn = ${unit.sn} AND step = 'moveBill'`.execute(testApp.db);
    await done(rollbackTransaction, { id: String(moves.rows[0]?.id), remark: 'by mistake' }, { as: 'admin' });
    expect(await readStockups(unit)).toMatchObject([{ skbId: former?.skbId, status: '0' }]);
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ stockup: '1', deliverSiteId: null });
  });

  it('a move, not once its line has gone, and not one of which nothing is known [W-EVT-37]', async () => {
    const unit = await stored();
    const to = await target();
    await move(unit, to, { moveBillFlag: '1', deliverFlag: '1' });
    const line = testApp.db.updateTable('rma_maintain_bill_line').where('mtblId', '=', unit.mtblId);
    await line.set({ mtblId: `${unit.mtblId}-GONE` }).execute();
    await expectRefused(testApp, '100025', () => undo(unit.sn));
    await testApp.db
      .updateTable('rma_maintain_bill_line')
      .set({ mtblId: unit.mtblId })
      .where('mtblId', '=', `${unit.mtblId}-GONE`)
      .execute();
    expect((await undo(unit.sn)).code).toBe('000000');
    for (const step of ['moveBill', 'replaceSaleCode']) {
      const old = await at(Node.AwaitingTest);
      const { sn, mtbId, siteId } = old;
      const row = { sn, mtbId, siteId, step, fromNode: Node.AwaitingTest, toNode: Node.AwaitingTest, userId: 'admin' };
      await testApp.db
        .insertInto('rma_transaction')
        .values({ ...row, operateStatus: 'Normal', eventTime: new Date() })
        .execute();
      await expectRefused(testApp, '100025', () => undo(sn));
    }
  });

  it.each(stands.flatMap((node) => ['0', '1'].map((flag) => ({ node, flag }))))(
    'a change of item, flag $flag, at $node: model, line and stock-up are as they were [W-EVT-37]',
    async ({ node, flag }) => {
      const bill = await maintainBill(testApp.db);
      const [unit, other] = [await shelved(node, { bill }), await shelved(node, { bill })];
      const before = await readState(bill.mtbId);
      await change([unit, other], flag);
      expect(await readState(bill.mtbId)).not.toEqual(before);
      for (const { sn } of [unit, other]) expect((await undo(sn)).code).toBe('000000');
      expect(await readState(bill.mtbId)).toEqual(before);
      const { history } = await readTrace(testApp, unit.sn);
      expect(history.slice(0, 2)).toMatchObject([
        { step: 'rollback', operateStatus: 'Rollbacked', fromNode: node, toNode: node },
        { step: 'replaceSaleCode', operateStatus: 'Rollbacked' },
      ]);
      if (node !== Node.CanShip) return;
      expect((await undoStep(unit.sn, 'store')).code).toBe('000000');
      expect((await readUnit(unit.sn))?.ivyId).toBe(Node.AwaitingStorage);
    },
  );
  const undoStep = async (sn: string, step: string) => {
    const { history } = await readTrace(testApp, sn);
    const id = String(history.find((it) => it.step === step)?.id);
    return testApp.send(rollbackTransaction, { id, remark: 'by mistake' }, { as: 'admin' });
  };

  it('a second promise gives the first one back; a line that was there already stays [W-EVT-37]', async () => {
    const bill = await maintainBill(testApp.db);
    const unit = await at(Node.AwaitingTest, { bill });
    const there = await at(Node.AwaitingTest, { bill, salesCode: 'RX21' });
    await change([unit], '0');
    const before = await readState(bill.mtbId);
    await change([unit], '0', 'RX19');
    expect((await undo(unit.sn)).code).toBe('000000');
    expect(await readState(bill.mtbId)).toEqual(before);
    await change([unit], '1');
    expect(await readLine(there.mtblId)).toMatchObject({ count: 2, receiveCount: 2 });
    expect((await undo(unit.sn)).code).toBe('000000');
    expect(await readState(bill.mtbId)).toEqual(before);
  });

  it('a promise, not once a machine is tallied ahead because of it; a correction, not without its line [W-EVT-37]', async () => {
    const unit = await at(Node.AwaitingRepair);
    await change([unit], '0');
    const item = testApp.db.updateTable('rma_maintain_bill_line_item').where('mtbliId', '=', unit.mtbliId);
    await item.set({ deliverStatus: '1' }).execute();
    await expectRefused(testApp, '100025', () => undo(unit.sn));
    await item.set({ deliverStatus: '0' }).execute();
    expect((await undo(unit.sn)).code).toBe('000000');

    const other = await at(Node.AwaitingRepair);
    await change([other], '1');
    await testApp.db.deleteFrom('rma_maintain_bill_line').where('mtblId', '=', other.mtblId).execute();
    await expectRefused(testApp, '100025', () => undo(other.sn));
  });
});
