import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { momentFromText } from '#domain/day.ts';
import { BillStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, unitOnBill } from '#tests/support/factories.ts';
import { expectNo, expectRefused, readItem, readLedger } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { sendFile } from '#tests/support/workbooks.ts';
import { downloadDocument, reviewAlias, selfPickupReview } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const aftersales = { as: 'aftersales' };
const inTwoDays = Date.now() + 2 * 86_400_000;
const yes = {
  selfPickupStatus: '1',
  pickupAddress: '维修中心 1 楼收发室',
  pickupTime: inTwoDays,
  branchContact: '0755-8652 3301',
};
const no = { selfPickupStatus: '2', rejectionReason: '仍有两台设备待测试' };

let made = 0;
interface Request {
  mtbId?: string | null;
  btmMtbId?: string | null;
  siteId?: string;
}
async function pickup({ mtbId = null, btmMtbId = null, siteId = 'SZ' }: Request = {}) {
  const spkId = `SPK20261121${String(++made).padStart(5, '0')}`;
  const request = {
    spkId,
    selfPickupStatus: '0',
    mtbId,
    btmMtbId,
    btmUserId: 'linjiahao',
    siteId,
    companyName: '宁远矿业',
  };
  const { id } = await testApp.db
    .insertInto('rma_self_pickup')
    .values(request)
    .returning('id')
    .executeTakeFirstOrThrow();
  const line = { spkId, itemName: 'RX19 104T', sn: 'RX19FETCH', remark: '带原包装' };
  await testApp.db.insertInto('rma_self_pickup_line').values(line).execute();
  return { id: Number(id), spkId };
}
const review = (
  { id }: { id: number },
  input: Partial<InputOf<typeof selfPickupReview>> = yes,
  asking: { as?: string; key?: string } = aftersales,
  call: typeof selfPickupReview = selfPickupReview,
) => testApp.send(call, { id: String(id), ...input }, asking);
const readRow = (id: number) =>
  testApp.db.selectFrom('rma_self_pickup').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** A unit on the shelf, tallied on a stock-up bill of its own. */
async function tallied(more: Parameters<typeof unitOnBill>[1] = { node: Node.CanShip }, status = '0') {
  const unit = await unitOnBill(testApp.db, { ...more, item: { stockup: '1', deliverShipId: 'SF', ...more.item } });
  const skbId = `SKB-P${++made}`;
  const { mtbId, mtblId, mtbliId, sn, siteId } = unit;
  await testApp.db
    .insertInto('rma_stockup_bill')
    .values({
      skbId,
      mtbId,
      siteId,
      deliverSiteId: siteId,
      deliverShipId: 'SF',
      deliverShipNo: skbId,
      status,
      allCount: 1,
      deliveredCount: 0,
    })
    .execute();
  await testApp.db
    .insertInto('rma_stockup_bill_line')
    .values({ skblId: `${skbId}-1`, skbId, mtbId, mtblId, mtbliId, sn, delivered: '0' })
    .execute();
  return { ...unit, skbId };
}
const readShip = async (skbId: string) =>
  (
    await testApp.db
      .selectFrom('rma_stockup_bill')
      .select('deliverShipId')
      .where('skbId', '=', skbId)
      .executeTakeFirstOrThrow()
  ).deliverShipId;

describe('a review is refused', () => {
  it('without a session, without the right, of another site and of nothing [W-EVT-38]', async () => {
    const request = await pickup();
    await expectRefused(testApp, '401', () => review(request, yes, {}));
    for (const as of ['office', 'warehouse', 'supervisor', 'tech']) {
      await expectRefused(testApp, '100013', () => review(request, yes, { as }));
      await expectRefused(testApp, '100013', () => review(request, yes, { as }, reviewAlias));
    }
    await expectRefused(testApp, '100002', () => review({ id: 987654 }));
    await expectRefused(testApp, '100001', () => testApp.send(selfPickupReview, yes, aftersales));
    const right = { roleId: 'office', right: 'rmaSelfPickup:selfPickupReview' };
    await testApp.db.insertInto('role_right').values(right).execute();
    const elsewhere = await pickup({ siteId: 'NB' });
    await expectRefused(testApp, '100002', () => review(elsewhere, yes, { as: 'office' }));
    await testApp.db.deleteFrom('role_right').where('roleId', '=', 'office').where('right', '=', right.right).execute();
  });

  const wrong: [what: string, code: string, input: Partial<InputOf<typeof selfPickupReview>>][] = [
    ['no status [W-SPU-07]', '100001', { ...yes, selfPickupStatus: '' }],
    ['status 0 [W-SPU-07]', '100001', { ...yes, selfPickupStatus: '0' }],
    ['a status that there is not', '100015', { ...yes, selfPickupStatus: '3' }],
    ['a yes without its address [W-SPU-08]', '100001', { ...yes, pickupAddress: ' ' }],
    ['a yes without its time [W-SPU-08]', '100001', { ...yes, pickupTime: null }],
    ['a time that is none', '100015', { ...yes, pickupTime: 'tomorrow' }],
    ['a day that is on no calendar', '100015', { ...yes, pickupTime: '2099-02-30 10:00:00' }],
    ['a time in the past', '100015', { ...yes, pickupTime: Date.now() - 60_000 }],
    ['a time in the past, as text', '100015', { ...yes, pickupTime: '2026-01-02 10:00:00' }],
    ['a no without its reason [W-SPU-09]', '100001', { ...no, rejectionReason: ' ' }],
    ['a phone with letters', '100015', { ...no, branchContact: 'call Li' }],
    ['a phone of 21 digits', '100015', { ...yes, branchContact: '1'.repeat(21) }],
  ];
  it.each(wrong)('for %s [W-EVT-38]', async (_, code, input) => {
    const request = await pickup();
    await expectRefused(testApp, code, () => review(request, input));
  });

  it('once it was given, whatever it was [W-EVT-38]', async () => {
    for (const first of [yes, no]) {
      const request = await pickup();
      expect((await review(request, first)).code).toBe('000000');
      for (const second of [yes, no]) await expectRefused(testApp, '100022', () => review(request, second));
    }
  });
});

describe('a review', () => {
  it('that agrees keeps where and when, and lets the customer fetch what is open [W-SPU-10] [W-SPU-11] [W-EVT-38]', async () => {
    const waiting = await tallied();
    const bill = { mtbId: waiting.mtbId, siteId: 'SZ' };
    const stopped = await tallied({ node: Node.CanShip, bill }, '3');
    const repairing = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill });
    const gone = await unitOnBill(testApp.db, { node: Node.Shipped, bill, item: { deliverShipId: 'SF' } });
    const other = await tallied();
    const finished = await testApp.db
      .insertInto('rma_stockup_bill')
      .values({
        skbId: 'SKB-DONE',
        mtbId: bill.mtbId,
        siteId: 'SZ',
        deliverShipId: 'SF',
        deliverShipNo: 'SKB-DONE',
        status: '4',
        allCount: 0,
        deliveredCount: 0,
      })
      .returning('skbId')
      .executeTakeFirstOrThrow();
    const request = await pickup({ mtbId: bill.mtbId });
    const answer = await review(request);
    expect(answer).toMatchObject({ code: '000000', data: { id: request.id, selfPickupStatus: '1' } });
    expect(await readRow(request.id)).toMatchObject({
      selfPickupStatus: '1',
      pickupAddress: '维修中心 1 楼收发室',
      pickupTime: inTwoDays,
      branchContact: '0755-8652 3301',
      rejectionReason: null,
      reviewBy: 'aftersales',
      reviewTime: expect.any(Number),
    });
    expect(await Promise.all([waiting, stopped, other].map((it) => readShip(it.skbId)))).toEqual([
      'PICKUP',
      'PICKUP',
      'SF',
    ]);
    expect(await readShip(String(finished.skbId))).toBe('SF');
    const listShips = async (mtbliIds: string[]) =>
      Promise.all(mtbliIds.map(async (it) => (await readItem(testApp, it)).deliverShipId));
    expect(await listShips([waiting.mtbliId, repairing.mtbliId, gone.mtbliId])).toEqual(['PICKUP', 'PICKUP', 'SF']);
    const shipment = testApp.db.selectFrom('ubs_shipment').select('shipId').where('shipId', '=', 'PICKUP');
    expect(await shipment.execute()).toHaveLength(1);
    expect(await readLedger(testApp, request.spkId)).toMatchObject([
      { what: 'selfPickupReview', userId: 'aftersales' },
    ]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('finds the bills by the number that the website gave them, at its own site alone [W-EVT-38]', async () => {
    const btmMtbId = 'BTM-77';
    const here = await maintainBill(testApp.db, { btmMtbId, billStatus: BillStatus.Received });
    const there = await maintainBill(testApp.db, { btmMtbId, billStatus: BillStatus.Received, siteId: 'NB' });
    const ours = await tallied({ node: Node.CanShip, bill: here });
    const theirs = await tallied({ node: Node.CanShip, bill: there, siteId: 'NB' });
    expect((await review(await pickup({ btmMtbId }))).code).toBe('000000');
    expect([await readShip(ours.skbId), await readShip(theirs.skbId)]).toEqual(['PICKUP', 'SF']);
  });

  it('that refuses keeps why, and the goods ship as they would have [W-SPU-10] [W-EVT-38]', async () => {
    const unit = await tallied();
    const request = await pickup({ mtbId: unit.mtbId });
    for (const table of ['rma_maintain_bill_line_item', 'rma_stockup_bill'] as const)
      await testApp.db.updateTable(table).set({ deliverShipId: 'SF' }).where('deliverShipId', '=', 'PICKUP').execute();
    await testApp.db.deleteFrom('ubs_shipment').where('shipId', '=', 'PICKUP').execute();
    const answer = await review(request, { ...yes, ...no });
    expect(answer.data).toEqual({ id: request.id, selfPickupStatus: '2' });
    const carrier = testApp.db.selectFrom('ubs_shipment').select('shipId').where('shipId', '=', 'PICKUP');
    expect(await carrier.execute()).toEqual([]);
    expect(await readRow(request.id)).toMatchObject({
      selfPickupStatus: '2',
      rejectionReason: '仍有两台设备待测试',
      pickupAddress: null,
      pickupTime: null,
      branchContact: '0755-8652 3301',
    });
    expect(await readShip(unit.skbId)).toBe('SF');
    expect((await readItem(testApp, unit.mtbliId)).deliverShipId).toBe('SF');
  });

  it("goes by its other name as well, and takes a time by the workshop's clock [W-SPU-11]", async () => {
    const request = await pickup();
    const answer = await review(request, { ...yes, pickupTime: '2099-03-04 09:30:05' }, aftersales, reviewAlias);
    expect(answer.data).toEqual({ id: request.id, selfPickupStatus: '1' });
    const { pickupTime } = await readRow(request.id);
    expect(pickupTime).toBe(momentFromText('2099-03-04 09:30:05', 'Asia/Shanghai'));
    expect(pickupTime).toBe(Date.UTC(2099, 2, 4, 1, 30, 5));
  });

  it('is given by one of those who review at the same moment', async () => {
    for (let round = 0; round < 4; round++) {
      const unit = await tallied();
      const request = await pickup({ mtbId: unit.mtbId });
      const answers = await Promise.all([yes, no, yes, no].map((it) => review(request, it)));
      expect(answers.map((it) => it.code).toSorted()).toEqual(['000000', '100022', '100022', '100022']);
      const isYes = answers.findIndex((it) => it.code === '000000') % 2 === 0;
      expect((await readRow(request.id)).selfPickupStatus).toBe(isYes ? '1' : '2');
      expect(await readShip(unit.skbId)).toBe(isYes ? 'PICKUP' : 'SF');
    }
  });

  it('that is repeated under its key gets the first answer', async () => {
    const request = await pickup();
    const asking = { ...aftersales, key: newKey() };
    const first = await review(request, yes, asking);
    expect(await review(request, yes, asking)).toEqual(first);
  });
});

describe('a self-pickup', () => {
  it('is read with its lines [W-SPU-06]', async () => {
    const { id, spkId } = await pickup({ mtbId: 'MTB-1', btmMtbId: 'BTM-1' });
    const answer = await testApp.ask('GET', '/api/rmaSelfPickup/queryById.json', { id }, aftersales);
    expect(answer.data).toMatchObject({
      id,
      spkId,
      btmMtbId: 'BTM-1',
      btmUserId: 'linjiahao',
      siteId: 'SZ',
      companyName: '宁远矿业',
      selfPickupStatus: '0',
      pickupAddress: null,
      pickupTime: null,
      rejectionReason: null,
      branchContact: null,
      rmaSelfPickupLineList: [{ itemName: 'RX19 104T', sn: 'RX19FETCH', remark: '带原包装' }],
    });
  });

  it('gets a document and gives the latest one back [W-SPU-12] [W-SPU-13]', async () => {
    const request = await pickup();
    const pdfOf = (name: string) => Buffer.from(`%PDF-1.4\n% ${name}\ntrailer<<>>\n%%EOF`);
    const upload = async (name: string, as: string) => {
      const sending = { as, name, fields: { id: String(request.id) } };
      return (await sendFile(testApp, '/api/rmaSelfPickup/uploadDocument.json', [pdfOf(name)], sending)).code;
    };
    const asked = async (as: string) =>
      testApp.app.inject({
        url: `/api/rmaSelfPickup/downloadDocument.json?id=${request.id}`,
        headers: { token: await testApp.openToken(as) },
      });
    await expectNo('401', () => testApp.send(downloadDocument, { id: String(request.id) }));
    await expectNo('100013', () => testApp.send(downloadDocument, { id: String(request.id) }, { as: 'planner' }));
    await expectNo('100002', () => testApp.send(downloadDocument, { id: String(request.id) }, aftersales));
    expect(await upload('no.pdf', 'office')).toBe('100013');
    expect(await upload('first.pdf', 'aftersales')).toBe('000000');
    expect(await upload('提货单.pdf', 'aftersales')).toBe('000000');
    const reply = await asked('office');
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toContain('application/pdf');
    expect(reply.headers['content-disposition']).toBe(
      `attachment; filename*=UTF-8''${encodeURIComponent('提货单.pdf')}`,
    );
    expect(reply.rawPayload.equals(pdfOf('提货单.pdf'))).toBe(true);
    const elsewhere = await pickup({ siteId: 'NB' });
    await expectNo('100002', () => testApp.send(downloadDocument, { id: String(elsewhere.id) }, { as: 'office' }));
  });
});
