import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slotsOf } from '#domain/assembly.ts';
import type { InputOf } from '#domain/call.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, stockMachine, unitOnBill, type Bill, type UnitOnBill } from '#tests/support/factories.ts';
import { expectRefused, guardCases, readItem, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { checkDelivery, loadStockupBill, rebindSn, submitDeliverBill } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

const as = { as: 'warehouse' };
type Shelved = UnitOnBill & { skbId: string };

/** So many boards of one line on the shelf and on a stock-up bill. */
async function shelved(count: number, type: '0' | '1' = '1', on?: Bill): Promise<[Shelved, ...Shelved[]]> {
  const bill = on ?? (await maintainBill(testApp.db));
  const salesCode = type === '1' ? 'HB19' : 'RX19';
  const units: UnitOnBill[] = [];
  for (let i = 0; i < count; i++) {
    units.push(await unitOnBill(testApp.db, { node: Node.AwaitingStorage, bill, salesCode, unit: { type } }));
  }
  const [first] = units as [UnitOnBill];
  const mtblIds = units.map((it) => it.mtblId);
  await testApp.db.updateTable('rma_maintain_bill_line').set({ type, count }).where('mtblId', 'in', mtblIds).execute();
  for (const table of ['rma_inventory', 'rma_maintain_bill_line_item'] as const) {
    await testApp.db.updateTable(table).set({ mtblId: first.mtblId }).where('mtblId', 'in', mtblIds).execute();
  }
  await testApp.db.deleteFrom('rma_maintain_bill_line').where('mtblId', 'in', mtblIds.slice(1).concat('-')).execute();
  await testApp.db
    .updateTable('rma_maintain_bill_line')
    .set({ receiveCount: count })
    .where('mtblId', '=', first.mtblId)
    .execute();
  const rmaStoreBillLineList = units.map(({ sn }) => ({ sn }));
  const answer = await testApp.ask<{ skbIdList: string[] }>(
    'POST',
    '/api/rmaStoreBill/submitStoreBill.json',
    { rmaStoreBillLineList },
    as,
  );
  expect(answer.code, answer.msg).toBe('000000');
  return units.map((it) => ({ ...it, mtblId: first.mtblId, skbId: answer.data.skbIdList[0] })) as [
    Shelved,
    ...Shelved[],
  ];
}
const readSklId = async (sn: string) =>
  (await testApp.db.selectFrom('rma_stockup_bill_line').select('skblId').where('sn', '=', sn).executeTakeFirstOrThrow())
    .skblId;

type Line = InputOf<typeof submitDeliverBill>['rmaDeliverBillLineList'][number];
const ship = (skbId: string, lines: Line[], submitType = '2', asking: object = as) =>
  testApp.send(submitDeliverBill, { skbId, submitType, rmaDeliverBillLineList: lines }, asking);
const readLine = (mtblId: string) =>
  testApp.db.selectFrom('rma_maintain_bill_line').selectAll().where('mtblId', '=', mtblId).executeTakeFirstOrThrow();
const readStatus = async (mtbId: string) =>
  (await testApp.db.selectFrom('rma_maintain_bill').select('billStatus').where('mtbId', '=', mtbId).executeTakeFirst())
    ?.billStatus;

describe('boards do not leave by their count', () => {
  it('without a session, the right, or on a stock-up bill of another site [W-EVT-26]', async () => {
    const [{ skbId }] = await shelved(1);
    const one = [{ salesCode: 'HB19', submitCount: 1 }];
    await expectRefused(testApp, '401', () => ship(skbId, one, '2', {}));
    await expectRefused(testApp, '100013', () => ship(skbId, one, '2', { as: 'tech' }));
    await expectRefused(testApp, '100002', () => ship(skbId, one, '2', { as: 'whNB' }));
  });

  const wrong: [what: string, code: string, line: Partial<Line>][] = [
    ['when it is too small', '100019', { submitCount: 2 }],
    ['when it is too large', '100019', { submitCount: 4 }],
    ['when it is nothing', '100019', { submitCount: 0 }],
    ['when there is none', '100019', { submitCount: undefined }],
    ['of a model that is not on the bill', '100020', { salesCode: 'HB0' }],
    ['of a line that is not on the bill', '100020', { sklId: 'SKL0' }],
    ['of an item that is not on the bill', '100020', { deliverItemId: 999_999 }],
  ];
  it.each(wrong)('%s [W-DLV-11] [W-EVT-26]', async (_, code, more) => {
    const [{ skbId }] = await shelved(3);
    await expectRefused(testApp, code, () => ship(skbId, [{ salesCode: 'HB19', submitCount: 3, ...more }]));
  });

  it('when nothing is named, or one line twice [W-EVT-26]', async () => {
    const [{ skbId }] = await shelved(2);
    const one = { salesCode: 'HB19', submitCount: 2 };
    await expectRefused(testApp, '100001', () => ship(skbId, []));
    await expectRefused(testApp, '100019', () => ship(skbId, [one, one]));
  });

  it('in another way than the two, and devices never [W-EVT-26]', async () => {
    const [{ skbId }] = await shelved(2);
    for (const submitType of ['1', '3', '']) {
      await expectRefused(testApp, '100015', () => ship(skbId, [{ salesCode: 'HB19', submitCount: 2 }], submitType));
    }
    const [device] = await shelved(2, '0');
    await expectRefused(testApp, '100015', () => ship(device.skbId, [{ salesCode: 'RX19', submitCount: 2 }]));
  });

  it('on a bill that is stopped, finished, or unknown [W-EVT-26]', async () => {
    const [{ skbId }] = await shelved(1);
    const one = [{ salesCode: 'HB19', submitCount: 1 }];
    const setStatus = (status: string) =>
      testApp.db.updateTable('rma_stockup_bill').set({ status }).where('skbId', '=', skbId).execute();
    for (const status of ['2', '3', '4']) {
      await setStatus(status);
      await expectRefused(testApp, '100011', () => ship(skbId, one));
    }
    await setStatus('0');
    await expectRefused(testApp, '100002', () => ship('SKB0', one));
    await expectRefused(testApp, '100001', () => ship(' ', one));
  });

  it('when one of them is paused [W-EVT-26]', async () => {
    const [first, { skbId, mtbliId }] = (await shelved(2)) as [Shelved, Shelved];
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ deliverPriority: '2' })
      .where('mtbliId', '=', mtbliId)
      .execute();
    await expectRefused(testApp, '100024', () =>
      ship(skbId, [{ sklId: undefined, salesCode: 'HB19', submitCount: 2 }]),
    );
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ deliverPriority: '0' })
      .where('mtbliId', '=', mtbliId)
      .execute();
    expect(first.skbId).toBe(skbId);
  });
});

describe('boards that leave by their count', () => {
  const names: [what: string, nameOf: (unit: Shelved) => Promise<Line>][] = [
    ['its sales code', async () => ({ salesCode: 'hb19' })],
    ['a line of the stock-up bill', async ({ sn }) => ({ sklId: await readSklId(sn) })],
    ['that line by its other name', async ({ sn }) => ({ skblId: await readSklId(sn) })],
    ['an item', async ({ itemId }) => ({ deliverItemId: itemId })],
  ];
  it.each(names)('are all those of the line that is named by %s, and of no other [W-EVT-26]', async (_, nameOf) => {
    const bill = await maintainBill(testApp.db);
    const units = await shelved(3, '1', bill);
    const [device] = await shelved(1, '0', bill);
    const [first] = units;
    const { skbId, mtblId, mtbId } = first;
    const name = await nameOf(first);
    const { data } = await ship(skbId, [{ ...name, submitCount: 3 }]);
    expect(data).toMatchObject({ deliveredCount: 3, remainCount: 1, stockupStatus: '1' });
    for (const { sn, mtbliId } of units) {
      const { unit, history } = await readTrace(testApp, sn);
      expect(unit).toMatchObject({ ivyId: '900', subinventoryCode: null });
      expect(history[0]).toMatchObject({ step: 'deliver', billId: data.dvbId, fromNode: '100', toNode: '900', mtbId });
      expect(await readItem(testApp, mtbliId)).toMatchObject({
        deliverStatus: '2',
        deliverSn: sn,
        deliverSalesCode: 'HB19',
        deliverShipNo: skbId,
        deliverTime: expect.any(Number),
        stockup: '0',
      });
    }
    expect(await readLine(mtblId)).toMatchObject({ deliverCount: 3 });
    expect((await readTrace(testApp, device.sn)).unit).toMatchObject({ ivyId: '100' });
    expect(await readStatus(mtbId)).toBe('1');
    const head = testApp.db.selectFrom('rma_deliver_bill').selectAll().where('dvbId', '=', data.dvbId);
    expect(await head.executeTakeFirst()).toMatchObject({ skbId, submitType: '2', userId: 'warehouse' });
    expect(await readLedger(testApp, data.dvbId)).toMatchObject([{ what: 'deliver' }]);
    await ship(skbId, [{ deliverSn: device.sn }], '0');
    expect(await readStatus(mtbId)).toBe('2');
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('are the rest of a line of which some were scanned [W-EVT-26]', async () => {
    const [first, ...rest] = await shelved(3);
    await ship(first.skbId, [{ deliverSn: first.sn }], '0');
    const lines = (await testApp.send(loadStockupBill, { deliverShipNo: first.skbId }, as)).data.maintainBillLines;
    expect(lines).toMatchObject([{ type: '1', salesCode: 'HB19', deliverCount: 1, shouldDeliverCount: 3 }]);
    await expectRefused(testApp, '100019', () => ship(first.skbId, [{ salesCode: 'HB19', submitCount: 3 }]));
    const answer = await ship(first.skbId, [{ salesCode: 'HB19', submitCount: rest.length }]);
    expect(answer.data).toMatchObject({ deliveredCount: 2, remainCount: 0, stockupStatus: '2' });
    expect(await readStatus(first.mtbId)).toBe('2');
    await expectRefused(testApp, '100011', () => ship(first.skbId, [{ salesCode: 'HB19', submitCount: 2 }]));
  });

  it('leave once under one key', async () => {
    const [{ skbId }] = await shelved(2);
    const once = { ...as, key: newKey() };
    const first = await ship(skbId, [{ salesCode: 'HB19', submitCount: 2 }], '2', once);
    expect(await ship(skbId, [{ salesCode: 'HB19', submitCount: 2 }], '2', once)).toEqual(first);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('the parts of a device on the shelf', () => {
  const parts = (mark: string, boards = 4) =>
    slotsOf(boards).map(({ name, componentType, hasQrCode }) => ({
      sn: `${name}-${mark}`.toUpperCase(),
      component_type: componentType,
      qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
    }));
  const bind = (sn: string, partsList = parts(sn), asking: object = as) =>
    testApp.send(rebindSn, { sn, partsList }, asking);
  const changed = (i: number, change: object) => parts('C').map((it, at) => (at === i ? { ...it, ...change } : it));

  it('are not made up for without a session or the right [W-EVT-27]', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.CanShip });
    await expectRefused(testApp, '401', () => bind(sn, undefined, {}));
    await expectRefused(testApp, '100013', () => bind(sn, undefined, { as: 'tech' }));
  });

  it.each(guardCases(() => testApp, Node.CanShip))('are not made up for %s [W-EVT-27]', async (_, code, snOf) => {
    const sn = await snOf();
    await expectRefused(testApp, code, () => bind(sn, parts('G')));
  });

  it.each([
    ['none', '100001', () => []],
    ['without an SN', '100001', () => changed(0, { sn: '' })],
    ['with a QR code of another length', '100015', () => changed(2, { qrCodeNum: 'Q' })],
    ['one twice', '100007', () => changed(3, { sn: 'BOARD1-C' })],
    ['in another number', '100015', () => parts('C', 5)],
  ] as const)('are not %s [W-EVT-27]', async (_, code, listOf) => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.CanShip });
    await expectRefused(testApp, code, () => bind(sn, listOf()));
  });

  it('are no part of another device, no customer’s unit, and no board has any [W-EVT-27]', async () => {
    const [device, other] = [
      await unitOnBill(testApp.db, { node: Node.CanShip }),
      await unitOnBill(testApp.db, { node: Node.CanShip }),
    ];
    await bind(other.sn, parts('OTHER'));
    await expectRefused(testApp, '100026', () => bind(device.sn, parts('OTHER')));
    const guest = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    await expectRefused(testApp, '100026', () => bind(device.sn, changed(1, { sn: guest.sn })));
    const board = await unitOnBill(testApp.db, { node: Node.CanShip, unit: { type: '1' } });
    await expectRefused(testApp, '100015', () => bind(board.sn));
  });

  it.each<[what: string, code: string, node: Node, more: object]>([
    ['a machine of the shelf', '100015', Node.CanShip, { type: '0' }],
    ['a part of another site', '100004', Node.CanShip, { siteId: 'NB' }],
    ['a part that is scrap', '100006', Node.Scrapped, {}],
  ])('are not %s [W-EVT-27]', async (_, code, node, more) => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.CanShip });
    const part = await stockMachine(testApp.db, node, { type: '1', ...more });
    await expectRefused(testApp, code, () => bind(sn, changed(1, { sn: part })));
  });

  it('may have left by themselves once, and be back inside it [W-EVT-27]', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.CanShip });
    const part = await stockMachine(testApp.db, Node.Shipped, { type: '1', siteId: 'NB' });
    expect((await bind(sn, changed(1, { sn: part }))).code).toBe('000000');
  });

  it('are off their shelf once they are inside [W-EVT-27]', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.CanShip });
    const part = await stockMachine(testApp.db, Node.CanShip, { type: '1' });
    const list = parts('I').map((it, i) => (i === 1 ? { ...it, sn: part } : it));
    expect((await bind(sn, list)).code).toBe('000000');
    const { unit, history } = await readTrace(testApp, part);
    expect(unit).toMatchObject({ ivyId: null });
    expect(history).toMatchObject([{ step: 'rebind', fromNode: '100', toNode: null, note: sn }]);
  });

  it('are bound to it, the former ones are not any more; it stays on the shelf [W-DLV-17] [W-EVT-27]', async () => {
    const [{ sn, skbId, mtbliId }] = await shelved(1, '0');
    const needs = async () => (await testApp.send(checkDelivery, { sn, skbId }, as)).data.needRebind;
    expect(await needs()).toBe('1');
    expect((await bind(` ${sn.toLowerCase()}`, parts('A'))).data).toEqual({ sn, partsCount: 6 });
    expect(await needs()).toBe('0');
    expect(await readItem(testApp, mtbliId)).toMatchObject({ powerSn: 'POWER-A', deliverStatus: '1', stockup: '1' });
    await bind(sn, parts('B'));
    const bound = await testApp.db
      .selectFrom('ubs_assembly')
      .select(['componentSn', 'unbindTime'])
      .where('deviceSn', '=', sn)
      .execute();
    const now = bound.filter((it) => it.unbindTime === null).map((it) => it.componentSn);
    expect(now.toSorted()).toEqual(
      parts('B')
        .map((it) => it.sn)
        .toSorted(),
    );
    expect(bound).toHaveLength(12);
    const { unit, history } = await readTrace(testApp, sn);
    expect(unit).toMatchObject({ ivyId: '100' });
    expect(history[0]).toMatchObject({ step: 'rebind', fromNode: '100', toNode: '100', userId: 'warehouse' });
    expect(await readLedger(testApp, history[0]?.billId ?? '')).toMatchObject([{ what: 'rebindSn' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('may be none of its own stock either: a machine of the site is made up for as well [W-EVT-27]', async () => {
    const sn = await stockMachine(testApp.db, Node.CanShip);
    expect((await bind(sn, parts('S', 2))).data.partsCount).toBe(4);
  });
});
