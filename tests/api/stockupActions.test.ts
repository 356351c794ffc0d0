import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { submitDeliverBill } from '#features/deliver/contract.ts';
import { submitStoreBill } from '#features/store/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, unitOnBill, type UnitOnBill } from '#tests/support/factories.ts';
import { expectRefused, readItem, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import {
  cancelStockupBill,
  exportDirectNew,
  finishBill,
  resetStockupBill,
  stopStockupBill,
} from '#features/stockup/contract.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp({}, { worksJobs: true })));
afterAll(() => testApp.close());

const as = { as: 'warehouse' };

/** Units of one customer that were stored together, on their stock-up bill. */
async function stored(count: number): Promise<{ skbId: string; id: string; units: UnitOnBill[] }> {
  const bill = await maintainBill(testApp.db);
  const units: UnitOnBill[] = [];
  for (let i = 0; i < count; i++) units.push(await unitOnBill(testApp.db, { node: Node.AwaitingStorage, bill }));
  const answer = await testApp.send(
    submitStoreBill,
    { rmaStoreBillLineList: units.map(({ sn }) => ({ sn })), packageCount: 20 },
    as,
  );
  const skbId = answer.data.skbIdList[0] as string;
  return { skbId, id: String((await readRow(skbId)).id), units };
}

const readRow = (skbId: string) =>
  testApp.db.selectFrom('rma_stockup_bill').selectAll().where('skbId', '=', skbId).executeTakeFirstOrThrow();

const deliver = (skbId: string, { sn }: UnitOnBill) =>
  testApp.send(submitDeliverBill, { skbId, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: sn }] }, as);

const calls = { stopStockupBill, resetStockupBill, cancelStockupBill, finishBill };

describe('an action on a stock-up bill is refused', () => {
  it.each(Object.values(calls))('$path without a token, without the right, without a row [W-EVT-24]', async (call) => {
    const { id } = await stored(1);
    await expectRefused(testApp, '401', () => testApp.send(call, { id }));
    await expectRefused(testApp, '100013', () => testApp.send(call, { id }, { as: 'tech' }));
    await expectRefused(testApp, '100001', () => testApp.send(call, { id: '' }, as));
    await expectRefused(testApp, '100002', () => testApp.send(call, { id: '999999' }, as));
  });

  it('of another site, as if it did not exist [W-EVT-24]', async () => {
    const { id, skbId } = await stored(1);
    for (const call of Object.values(calls)) {
      await expectRefused(testApp, '100002', () => testApp.send(call, { id }, { as: 'whNB' }));
      await expectRefused(testApp, '100002', () => testApp.send(call, { id: skbId }, { as: 'whNB' }));
    }
  });

  it('in a state that does not take it, naming the states [W-EVT-24]', async () => {
    const { id, skbId } = await stored(1);
    const reset = await expectRefused(testApp, '100025', () => testApp.send(resetStockupBill, { id }, as));
    expect(reset.msg).toBe(`Bill ${skbId} is "Open"; this is done only while it is "Stopped, Cancelled"`);
    await expectRefused(testApp, '100025', () => testApp.send(finishBill, { id }, as));
    await testApp.send(stopStockupBill, { id }, as);
    await expectRefused(testApp, '100025', () => testApp.send(stopStockupBill, { id }, as));
  });

  it('when it is finished, or cancelled after a delivery [W-EVT-24]', async () => {
    const { id, skbId, units } = await stored(2);
    await deliver(skbId, units[0] as UnitOnBill);
    const answer = await expectRefused(testApp, '100022', () => testApp.send(cancelStockupBill, { id }, as));
    expect(answer.msg).toContain('delivered in part');
    await testApp.send(stopStockupBill, { id }, as);
    await expectRefused(testApp, '100022', () => testApp.send(cancelStockupBill, { id }, as));
    await testApp.send(resetStockupBill, { id }, as);
    await deliver(skbId, units[1] as UnitOnBill);
    for (const call of Object.values(calls)) {
      await expectRefused(testApp, '100011', () => testApp.send(call, { id }, as));
    }
  });
});

describe('a stock-up bill', () => {
  it('that is stopped ships nothing until it is reset; its units stay on the shelf [P-BTN-07] [W-EVT-24]', async () => {
    const { id, skbId, units } = await stored(2);
    const [first, second] = units as [UnitOnBill, UnitOnBill];
    expect((await testApp.send(stopStockupBill, { id }, as)).data).toMatchObject({ skbId, status: '3' });
    await expectRefused(testApp, '100011', () => deliver(skbId, first));
    expect((await readTrace(testApp, first.sn)).unit?.ivyId).toBe('100');
    expect((await testApp.send(resetStockupBill, { id }, as)).data.status).toBe('0');
    expect((await deliver(skbId, first)).code).toBe('000000');
    await testApp.send(stopStockupBill, { id }, as);
    expect((await testApp.send(resetStockupBill, { id }, as)).data.status).toBe('1');
    expect((await deliver(skbId, second)).code).toBe('000000');
    expect((await readRow(skbId)).status).toBe('2');
    expect((await readLedger(testApp, skbId)).map((it) => it.what)).toContain('stopStockupBill');
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('that is cancelled lets its items wait, and gets those back that still do when it is reset [W-EVT-24]', async () => {
    const { id, skbId, units } = await stored(2);
    const [waiting, gone] = units as [UnitOnBill, UnitOnBill];
    expect((await testApp.send(cancelStockupBill, { id }, as)).data.status).toBe('4');
    for (const it of units)
      expect(await readItem(testApp, it.mtbliId)).toMatchObject({ stockup: '0', deliverStatus: '1' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);

    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ deliverStatus: '0' })
      .where('mtbliId', '=', gone.mtbliId)
      .execute();
    expect((await testApp.send(resetStockupBill, { id }, as)).data.status).toBe('0');
    expect(await readItem(testApp, waiting.mtbliId)).toMatchObject({ stockup: '1' });
    expect(await readItem(testApp, gone.mtbliId)).toMatchObject({ stockup: '0' });
    expect(await readRow(skbId)).toMatchObject({ allCount: 1, deliveredCount: 0, status: '0' });
    expect((await deliver(skbId, waiting)).code).toBe('000000');
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('that has nothing to come back to stays cancelled [W-EVT-24]', async () => {
    const { id, units } = await stored(1);
    await testApp.send(cancelStockupBill, { id }, as);
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ deliverStatus: '0' })
      .where('mtbliId', '=', (units[0] as UnitOnBill).mtbliId)
      .execute();
    await expectRefused(testApp, '100021', () => testApp.send(resetStockupBill, { id }, as));
  });

  it('that is finished in part hands the rest to a new one [W-EVT-24]', async () => {
    const { id, skbId, units } = await stored(3);
    await deliver(skbId, units[0] as UnitOnBill);
    const { data } = await testApp.send(finishBill, { id }, as);
    expect(data).toMatchObject({ skbId, status: '2' });
    const rest = await readRow(data.newSkbId as string);
    expect(rest).toMatchObject({ status: '0', allCount: 2, deliveredCount: 0, mtbId: units[0]?.mtbId });
    expect(await readRow(skbId)).toMatchObject({ status: '2', allCount: 1, deliveredCount: 1 });
    expect((await deliver(data.newSkbId as string, units[1] as UnitOnBill)).code).toBe('000000');
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('is acted on once under one key [W-EVT-24]', async () => {
    const { id } = await stored(1);
    const once = { ...as, key: 'stop-once' };
    const [first, again] = [
      await testApp.send(stopStockupBill, { id }, once),
      await testApp.send(stopStockupBill, { id }, once),
    ];
    expect([first.code, again.code]).toEqual(['000000', '000000']);
    expect(again.data).toEqual(first.data);
  });
});

describe('the packing list of stock-up bills', () => {
  const list = (idList: (string | number)[], asking: object = as) => testApp.send(exportDirectNew, { idList }, asking);

  it('is refused without a token, without the right, without a row, and for a bill of another site', async () => {
    const { id } = await stored(1);
    await expectRefused(testApp, '401', () => list([id], {}));
    await expectRefused(testApp, '100013', () => list([id], { as: 'tech' }));
    await expectRefused(testApp, '100001', () => list([]));
    await expectRefused(testApp, '100002', () => list([id], { as: 'whNB' }));
    await expectRefused(testApp, '100002', () => list([id, 'SKB0']));
  });

  it('has the units of the selected bills and of no other [W-STK-03]', async () => {
    const [one, two, other] = [await stored(2), await stored(1), await stored(1)];
    const { data } = await list([Number(one.id), two.skbId]);
    const headers = { token: await testApp.openToken('warehouse') };
    const file = await testApp.app.inject({ url: data.path ?? '', headers });
    const rows = (await readXlsx(file.rawPayload)).sheets[0]?.rows.flat().map(String);
    for (const { sn } of [...one.units, ...two.units]) expect(rows).toContain(sn);
    expect(rows).not.toContain(other.units[0]?.sn);
  });
});
