import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { submitDeliverBill } from '#features/deliver/contract.ts';
import { submitStoreBill } from '#features/store/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, unitOnBill, type UnitOnBill } from '#tests/support/factories.ts';
import { expectRefused, itemOf, ledgerOf, traceOf } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import {
  cancelStockupBill,
  exportDirectNew,
  finishBill,
  resetStockupBill,
  stopStockupBill,
} from '#features/stockup/contract.ts';

let house: TestApp;
beforeAll(async () => void (house = await startTestApp({}, { worksJobs: true })));
afterAll(() => house.close());

const as = { as: 'warehouse' };

/** Units of one customer that were stored together, on their stock-up bill. */
async function stored(count: number): Promise<{ skbId: string; id: string; units: UnitOnBill[] }> {
  const bill = await maintainBill(house.db);
  const units: UnitOnBill[] = [];
  for (let i = 0; i < count; i++) units.push(await unitOnBill(house.db, { node: Node.AwaitingStorage, bill }));
  const answer = await house.send(
    submitStoreBill,
    { rmaStoreBillLineList: units.map(({ sn }) => ({ sn })), packageCount: 20 },
    as,
  );
  const skbId = answer.data.skbIdList[0] as string;
  return { skbId, id: String((await rowOf(skbId)).id), units };
}

const rowOf = (skbId: string) =>
  house.db.selectFrom('rma_stockup_bill').selectAll().where('skbId', '=', skbId).executeTakeFirstOrThrow();

const deliver = (skbId: string, { sn }: UnitOnBill) =>
  house.send(submitDeliverBill, { skbId, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: sn }] }, as);

const calls = { stopStockupBill, resetStockupBill, cancelStockupBill, finishBill };

describe('an action on a stock-up bill is refused', () => {
  it.each(Object.values(calls))('$path without a token, without the right, without a row [W-EVT-24]', async (call) => {
    const { id } = await stored(1);
    await expectRefused(house, '401', () => house.send(call, { id }));
    await expectRefused(house, '100013', () => house.send(call, { id }, { as: 'tech' }));
    await expectRefused(house, '100001', () => house.send(call, { id: '' }, as));
    await expectRefused(house, '100002', () => house.send(call, { id: '999999' }, as));
  });

  it('of another site, as if it did not exist [W-EVT-24]', async () => {
    const { id, skbId } = await stored(1);
    for (const call of Object.values(calls)) {
      await expectRefused(house, '100002', () => house.send(call, { id }, { as: 'whNB' }));
      await expectRefused(house, '100002', () => house.send(call, { id: skbId }, { as: 'whNB' }));
    }
  });

  it('in a state that does not take it, naming the states [W-EVT-24]', async () => {
    const { id, skbId } = await stored(1);
    const reset = await expectRefused(house, '100025', () => house.send(resetStockupBill, { id }, as));
    expect(reset.msg).toBe(`Bill ${skbId} is "Open"; this is done only while it is "Stopped, Cancelled"`);
    await expectRefused(house, '100025', () => house.send(finishBill, { id }, as));
    await house.send(stopStockupBill, { id }, as);
    await expectRefused(house, '100025', () => house.send(stopStockupBill, { id }, as));
  });

  it('when it is finished, or cancelled after a delivery [W-EVT-24]', async () => {
    const { id, skbId, units } = await stored(2);
    await deliver(skbId, units[0] as UnitOnBill);
    const answer = await expectRefused(house, '100022', () => house.send(cancelStockupBill, { id }, as));
    expect(answer.msg).toContain('delivered in part');
    await house.send(stopStockupBill, { id }, as);
    await expectRefused(house, '100022', () => house.send(cancelStockupBill, { id }, as));
    await house.send(resetStockupBill, { id }, as);
    await deliver(skbId, units[1] as UnitOnBill);
    for (const call of Object.values(calls)) {
      await expectRefused(house, '100011', () => house.send(call, { id }, as));
    }
  });
});

describe('a stock-up bill', () => {
  it('that is stopped ships nothing until it is reset; its units stay on the shelf [P-BTN-07] [W-EVT-24]', async () => {
    const { id, skbId, units } = await stored(2);
    const [first, second] = units as [UnitOnBill, UnitOnBill];
    expect((await house.send(stopStockupBill, { id }, as)).data).toMatchObject({ skbId, status: '3' });
    await expectRefused(house, '100011', () => deliver(skbId, first));
    expect((await traceOf(house, first.sn)).unit?.ivyId).toBe('100');
    expect((await house.send(resetStockupBill, { id }, as)).data.status).toBe('0');
    expect((await deliver(skbId, first)).code).toBe('000000');
    await house.send(stopStockupBill, { id }, as);
    expect((await house.send(resetStockupBill, { id }, as)).data.status).toBe('1');
    expect((await deliver(skbId, second)).code).toBe('000000');
    expect((await rowOf(skbId)).status).toBe('2');
    expect((await ledgerOf(house, skbId)).map((it) => it.what)).toContain('stopStockupBill');
    expect(await brokenInvariants(house.db)).toEqual([]);
  });

  it('that is cancelled lets its items wait, and gets those back that still do when it is reset [W-EVT-24]', async () => {
    const { id, skbId, units } = await stored(2);
    const [kept, gone] = units as [UnitOnBill, UnitOnBill];
    expect((await house.send(cancelStockupBill, { id }, as)).data.status).toBe('4');
    for (const it of units) expect(await itemOf(house, it.mtbliId)).toMatchObject({ stockup: '0', deliverStatus: '1' });
    expect(await brokenInvariants(house.db)).toEqual([]);

    await house.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ deliverStatus: '0' })
      .where('mtbliId', '=', gone.mtbliId)
      .execute();
    expect((await house.send(resetStockupBill, { id }, as)).data.status).toBe('0');
    expect(await itemOf(house, kept.mtbliId)).toMatchObject({ stockup: '1' });
    expect(await itemOf(house, gone.mtbliId)).toMatchObject({ stockup: '0' });
    expect(await rowOf(skbId)).toMatchObject({ allCount: 1, deliveredCount: 0, status: '0' });
    expect((await deliver(skbId, kept)).code).toBe('000000');
    expect(await brokenInvariants(house.db)).toEqual([]);
  });

  it('that has nothing to come back to stays cancelled [W-EVT-24]', async () => {
    const { id, units } = await stored(1);
    await house.send(cancelStockupBill, { id }, as);
    await house.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ deliverStatus: '0' })
      .where('mtbliId', '=', (units[0] as UnitOnBill).mtbliId)
      .execute();
    await expectRefused(house, '100021', () => house.send(resetStockupBill, { id }, as));
  });

  it('that is finished in part hands the rest to a new one [W-EVT-24]', async () => {
    const { id, skbId, units } = await stored(3);
    await deliver(skbId, units[0] as UnitOnBill);
    const { data } = await house.send(finishBill, { id }, as);
    expect(data).toMatchObject({ skbId, status: '2' });
    const rest = await rowOf(data.newSkbId as string);
    expect(rest).toMatchObject({ status: '0', allCount: 2, deliveredCount: 0, mtbId: units[0]?.mtbId });
    expect(await rowOf(skbId)).toMatchObject({ status: '2', allCount: 1, deliveredCount: 1 });
    expect((await deliver(data.newSkbId as string, units[1] as UnitOnBill)).code).toBe('000000');
    expect(await brokenInvariants(house.db)).toEqual([]);
  });

  it('is acted on once under one key [W-EVT-24]', async () => {
    const { id } = await stored(1);
    const once = { ...as, key: 'stop-once' };
    const [first, again] = [
      await house.send(stopStockupBill, { id }, once),
      await house.send(stopStockupBill, { id }, once),
    ];
    expect([first.code, again.code]).toEqual(['000000', '000000']);
    expect(again.data).toEqual(first.data);
  });
});

describe('the packing list of stock-up bills', () => {
  const list = (idList: (string | number)[], asking: object = as) => house.send(exportDirectNew, { idList }, asking);

  it('is refused without a token, without the right, without a row, and for a bill of another site', async () => {
    const { id } = await stored(1);
    await expectRefused(house, '401', () => list([id], {}));
    await expectRefused(house, '100013', () => list([id], { as: 'tech' }));
    await expectRefused(house, '100001', () => list([]));
    await expectRefused(house, '100002', () => list([id], { as: 'whNB' }));
    await expectRefused(house, '100002', () => list([id, 'SKB0']));
  });

  it('has the units of the selected bills and of no other [W-STK-03]', async () => {
    const [one, two, other] = [await stored(2), await stored(1), await stored(1)];
    const { data } = await list([Number(one.id), two.skbId]);
    const headers = { token: await house.tokenOf('warehouse') };
    const file = await house.app.inject({ url: data.path ?? '', headers });
    const rows = (await readXlsx(file.rawPayload)).sheets[0]?.rows.flat().map(String);
    for (const { sn } of [...one.units, ...two.units]) expect(rows).toContain(sn);
    expect(rows).not.toContain(other.units[0]?.sn);
  });
});
