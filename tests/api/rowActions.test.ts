import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { supplementCheckPicture } from '#features/check-pictures/contract.ts';
import { submitDeliverBill } from '#features/deliver/contract.ts';
import { editDeliver } from '#features/edit-delivery/contract.ts';
import { updateSiteId } from '#features/edit-site/contract.ts';
import { exchangeReceive } from '#features/exchange/contract.ts';
import { viewHistory } from '#features/inventory/contract.ts';
import { syncCode } from '#features/item-code/contract.ts';
import { modifyIvyId } from '#features/node-edit/contract.ts';
import { editInSiteStatus } from '#features/pending-package/contract.ts';
import { deleteReceived, receive } from '#features/receive/contract.ts';
import { submitStoreBill } from '#features/store/contract.ts';
import { syncBill, syncLine } from '#features/web-sync/contract.ts';
import { newCounts } from '#server/workflow/lines.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, packageFacts, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { expectRefused, readItem, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { uploadPicture } from '#tests/support/pictures.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

const [office, aftersales, warehouse] = [{ as: 'office' }, { as: 'aftersales' }, { as: 'warehouse' }];

describe('edit delivery', () => {
  const edit = (id: number | string, values: object, asking: object = office) =>
    testApp.send(editDeliver, { id: String(id), ...values }, asking);
  const onShelf = async () => {
    const unit = await unitOnBill(testApp.db, { node: Node.AwaitingStorage });
    await testApp.send(submitStoreBill, { rmaStoreBillLineList: [{ sn: unit.sn }], packageCount: 20 }, warehouse);
    return unit;
  };

  it('is refused without a token, a right, a row, a value, or with a value of no list [W-EVT-35]', async () => {
    const { itemId } = await onShelf();
    await expectRefused(testApp, '401', () => edit(itemId, { deliverPriority: '1' }, {}));
    await expectRefused(testApp, '100013', () => edit(itemId, { deliverPriority: '1' }, warehouse));
    await expectRefused(testApp, '100001', () => edit('', { deliverPriority: '1' }));
    await expectRefused(testApp, '100001', () => edit(itemId, {}));
    await expectRefused(testApp, '100002', () => edit(987654321, { deliverPriority: '1' }));
    for (const wrong of [
      { deliverPriority: '3' },
      { deliverPayment: '2' },
      { returness: 'x' },
      { deliverStatus: '9' },
    ]) {
      await expectRefused(testApp, '100015', () => edit(itemId, wrong));
    }
    for (const deliverStatus of ['2', '3', '4']) {
      await expectRefused(testApp, '100015', () => edit(itemId, { deliverStatus }));
    }
    const other = await unitOnBill(testApp.db, { node: Node.AwaitingTest, siteId: 'NB' });
    await expectRefused(testApp, '100002', () => edit(other.itemId, { deliverPriority: '1' }));
  });

  it('is refused for what has left, is scrap or was bought out, and releases nothing that is not on the shelf [W-EVT-35]', async () => {
    const shipped = await unitOnBill(testApp.db, { node: Node.Shipped });
    await expectRefused(testApp, '100005', () => edit(shipped.itemId, { deliverPriority: '1' }));
    const scrapped = await unitOnBill(testApp.db, { node: Node.Scrapped });
    await expectRefused(testApp, '100006', () => edit(scrapped.itemId, { deliverPriority: '1' }));
    const item = { deliverStatus: '4' };
    const bought = await unitOnBill(testApp.db, { node: Node.AwaitingTest, item });
    await expectRefused(testApp, '100022', () => edit(bought.itemId, { deliverPriority: '1' }));
    const early = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    await expectRefused(testApp, '100003', () => edit(early.itemId, { deliverStatus: '1' }));
    await testApp.db.deleteFrom('rma_inventory').where('sn', '=', bought.sn).execute();
    await testApp.db.deleteFrom('rma_maintain_bill_line_item').where('mtbliId', '=', bought.mtbliId).execute();
    await sql`UPDATE rma_maintain_bill_line SET "receiveCount" = 0, "buyOutCount" = 0 WHERE "mtblId" = ${bought.mtblId}`.execute(
      testApp.db,
    );
    await sql`UPDATE rma_maintain_bill SET "billStatus" = '3' WHERE "mtbId" = ${bought.mtbId}`.execute(testApp.db);
  });

  it('holds a unit back by a pause, off its stock-up bill, and lets it go again [P-MOD-05] [W-EVT-35]', async () => {
    const { itemId, mtbliId, sn } = await onShelf();
    const paused = await edit(itemId, {
      deliverPriority: '2',
      deliverPayment: '1',
      returness: '1',
      deliverStatus: '1',
    });
    expect(paused.data).toMatchObject({ deliverStatus: '0', deliverPriority: '2', stockup: '0' });
    expect(await readItem(testApp, mtbliId)).toMatchObject({ deliverPayment: '1', returness: '1' });
    const tally = () =>
      testApp.db.selectFrom('rma_stockup_bill_line').selectAll().where('mtbliId', '=', mtbliId).execute();
    expect(await tally()).toEqual([]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
    const resumed = await edit(itemId, { deliverPriority: '1', deliverStatus: '0' });
    expect(resumed.data).toMatchObject({ deliverStatus: '1', stockup: '1' });
    const [line] = await tally();
    expect((await edit(itemId, { deliverStatus: '0' })).data).toMatchObject({ deliverStatus: '0', stockup: '0' });
    expect((await edit(itemId, { deliverStatus: '1' })).data).toMatchObject({ deliverStatus: '1', stockup: '1' });
    expect(line?.skbId).toBeDefined();
    const [now] = await tally();
    const sent = { skbId: now?.skbId as string, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: sn }] };
    expect((await testApp.send(submitDeliverBill, sent, warehouse)).code).toBe('000000');
    expect(await brokenInvariants(testApp.db)).toEqual([]);
    expect((await readLedger(testApp, mtbliId)).map((it) => it.what)).toEqual(Array(4).fill('editDeliver'));
  });
});

describe('exchange in advance', () => {
  let made = 0;
  /** A receipt of units that stand where they stand. */
  async function receipt(units: { sn: string; mtblId: string; mtbId: string }[]): Promise<string> {
    const rvbId = `RVB-T${String(++made).padStart(4, '0')}`;
    const { id } = await testApp.db
      .insertInto('rma_receive_bill')
      .values({ rvbId, mtbId: units[0]?.mtbId as string, siteId: 'SZ' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await testApp.db
      .insertInto('rma_receive_bill_line_item')
      .values(units.map(({ sn, mtblId }) => ({ rvbId, mtblId, receiveSn: sn })))
      .execute();
    return String(id);
  }

  it('is refused without a token, a right, a row, at another site, and where nothing waits', async () => {
    const shelf = await unitOnBill(testApp.db, { node: Node.Shipped });
    const id = await receipt([shelf]);
    await expectRefused(testApp, '401', () => testApp.send(exchangeReceive, { id }));
    await expectRefused(testApp, '100013', () => testApp.send(exchangeReceive, { id }, warehouse));
    await expectRefused(testApp, '100001', () => testApp.send(exchangeReceive, { id: '' }, office));
    await expectRefused(testApp, '100002', () => testApp.send(exchangeReceive, { id: '987654321' }, office));
    await expectRefused(testApp, '100021', () => testApp.send(exchangeReceive, { id }, office));
    await sql`UPDATE rma_receive_bill SET "siteId" = 'NB' WHERE id = ${Number(id)}`.execute(testApp.db);
    await expectRefused(testApp, '100002', () => testApp.send(exchangeReceive, { id }, office));
  });

  it('tallies what is being repaired; a stock machine goes out for it, and its own unit stays as stock [P-BTN-07]', async () => {
    const bill = await maintainBill(testApp.db);
    const repaired = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill });
    const paused = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, bill, item: { deliverPriority: '2' } });
    const id = await receipt([repaired, paused]);
    const { data } = await testApp.send(exchangeReceive, { id }, office);
    expect(data.snList).toEqual([repaired.sn]);
    expect(await readItem(testApp, repaired.mtbliId)).toMatchObject({
      exchange: '1',
      deliverStatus: '1',
      stockup: '1',
    });
    expect(await readItem(testApp, paused.mtbliId)).toMatchObject({ exchange: '0', stockup: '0' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
    await expectRefused(testApp, '100021', () => testApp.send(exchangeReceive, { id }, office));

    await testApp.send(modifyIvyId, { sn: repaired.sn, ivyId: '60' }, { as: 'admin' });
    expect(await readItem(testApp, repaired.mtbliId)).toMatchObject({ deliverStatus: '1', stockup: '1' });
    const stock = await stockMachine(testApp.db, Node.CanShip);
    const sent = {
      skbId: data.skbIdList[0] as string,
      submitType: '0',
      rmaDeliverBillLineList: [{ deliverSn: stock }],
    };
    const answer = await testApp.send(submitDeliverBill, sent, warehouse);
    expect(answer, answer.msg).toMatchObject({ code: '000000' });
    expect((await readTrace(testApp, repaired.sn)).unit).toMatchObject({ ivyId: '60', mtbId: null });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
    const delivered = String((await readTrace(testApp, stock)).history[0]?.id);
    await testApp.ask('GET', '/api/rmaTransaction/rollbackById.json', { id: delivered, remark: 'x' }, { as: 'admin' });
    expect((await readTrace(testApp, repaired.sn)).unit).toMatchObject({ mtbliId: repaired.mtbliId });
    expect(await readItem(testApp, repaired.mtbliId)).toMatchObject({
      deliverStatus: '1',
      stockup: '1',
      exchange: '1',
    });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('a receipt that is taken back after its exchange was tallied', () => {
  /** A device that was declared, received, and for which another may go out in advance. */
  async function tallied() {
    const { mtbId } = await maintainBill(testApp.db, { billStatus: '0' });
    const mtblId = `MBL-${mtbId}`;
    const goods = { type: '0', salesCode: 'RX19', itemName: 'RX19 104T', productName: 'RX19' };
    const line = { ...newCounts, mtblId, mtbId, ...goods, count: 1 };
    await testApp.db.insertInto('rma_maintain_bill_line').values(line).execute();
    const declared = { mtbliId: `MBI-${mtbId}`, mtblId, mtbId, siteId: 'SZ', receiveStatus: '0', deliverStatus: '0' };
    await testApp.db
      .insertInto('rma_maintain_bill_line_item')
      .values({ ...declared, exchange: '0', stockup: '0', deliverPriority: '0' })
      .execute();
    const sns = [`RX19AHEAD1${mtbId}`, `RX19AHEAD2${mtbId}`];
    await testApp.db
      .insertInto('ubs_item_object')
      .values(sns.map((sn) => ({ sn, type: '0', salesCode: 'RX19', itemName: 'RX19 104T', origin: '1' })))
      .execute();
    const entries = sns.map((receiveSn) => ({ receiveSn, depreciation: 'B' }));
    const rmaReceiveBillLineRequestList = [{ rmaReceiveBillLineItemRequestList: entries }];
    const received = await testApp.send(receive, { mtbId, rmaReceiveBillLineRequestList }, warehouse);
    const { data } = await testApp.send(exchangeReceive, { id: received.data.rvbId }, office);
    expect(data.snList.toSorted()).toEqual(sns);
    return { mtbId, sns, skbId: data.skbIdList[0] as string };
  }
  const off = (mtbId: string, snList: string[]) =>
    testApp.send(deleteReceived, { mtbId, rmaReceiveBillLineRequestList: [{ snList }] }, warehouse);
  const undo = async (sn: string) => {
    const id = (await readTrace(testApp, sn)).history.find((it) => it.step === 'receive')?.id;
    return testApp.ask('GET', '/api/rmaTransaction/rollbackById.json', { id, remark: 'x' }, { as: 'admin' });
  };
  const itemsOn = (mtbId: string) =>
    testApp.db.selectFrom('rma_maintain_bill_line_item').selectAll().where('mtbId', '=', mtbId).orderBy('id').execute();
  const readStockup = (skbId: string) =>
    testApp.db.selectFrom('rma_stockup_bill').selectAll().where('skbId', '=', skbId).executeTakeFirstOrThrow();
  const send = async (skbId: string) => {
    const lines = [{ deliverSn: await stockMachine(testApp.db, Node.CanShip) }];
    return testApp.send(submitDeliverBill, { skbId, submitType: '0', rmaDeliverBillLineList: lines }, warehouse);
  };

  it('leaves nothing on the stock-up bill, by a deletion or by a rollback', async () => {
    const { mtbId, sns, skbId } = await tallied();
    const [declared, added] = sns as [string, string];
    expect((await off(mtbId, [added])).code).toBe('000000');
    expect(await readStockup(skbId)).toMatchObject({ allCount: 1, status: '0' });
    expect((await undo(declared)).code).toBe('000000');
    expect(await itemsOn(mtbId)).toMatchObject([{ receiveSn: null, exchange: '0', stockup: '0', deliverStatus: '0' }]);
    expect(await readStockup(skbId)).toMatchObject({ allCount: 0, status: '4' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('keeps the promise of another model, which the customer was given with what was declared', async () => {
    const { mtbId, sns } = await tallied();
    const item = (await itemsOn(mtbId))[0]?.mtbliId ?? '';
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ deliverSalesCode: 'RX21' })
      .where('mtbliId', '=', item)
      .execute();
    await off(mtbId, sns);
    expect(await itemsOn(mtbId)).toMatchObject([{ exchange: '1', deliverSalesCode: 'RX21', stockup: '0' }]);
  });

  it('is refused once the other one has left', async () => {
    const { mtbId, sns, skbId } = await tallied();
    const sent = await send(skbId);
    expect(sent, sent.msg).toMatchObject({ code: '000000' });
    const replaced = (await itemsOn(mtbId)).find((it) => it.deliverStatus === '2')?.receiveSn ?? '';
    const said = (await expectRefused(testApp, '100025', () => off(mtbId, sns))).msg;
    expect((await expectRefused(testApp, '100025', () => undo(replaced))).msg).toBe(said);
    expect((await readTrace(testApp, replaced)).unit).toMatchObject({ ivyId: '10', mtbId: null });
    expect((await off(mtbId, [...sns.filter((it) => it !== replaced)])).data.deletedCount).toBe(1);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('sync code', () => {
  it('is refused without a token, a right, a row, or a sales code [P-BTN-05]', async () => {
    const { id } = await testApp.db
      .insertInto('ubs_item')
      .values({ itemId: 77, name: 'nameless', type: '0', snControl: '1' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await expectRefused(testApp, '401', () => testApp.send(syncCode, { id: String(id) }));
    await expectRefused(testApp, '100013', () => testApp.send(syncCode, { id: String(id) }, office));
    await expectRefused(testApp, '100002', () => testApp.send(syncCode, { id: '987654' }, { as: 'admin' }));
    const answer = await expectRefused(testApp, '100001', () =>
      testApp.send(syncCode, { id: String(id) }, { as: 'admin' }),
    );
    expect(answer.msg).toContain('The required fields must not be empty');
  });

  it('writes code and name of the item to the archive of its SNs, and names to the stock', async () => {
    const item = await testApp.db.selectFrom('ubs_item').selectAll().where('itemId', '=', 1).executeTakeFirstOrThrow();
    const old = { itemId: 1, salesCode: 'RX19-2019', itemName: 'RX19 old', type: '0', origin: '1' };
    await testApp.db
      .insertInto('ubs_item_object')
      .values({ sn: 'SYNC0001', ...old })
      .execute();
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingTest, unit: { itemName: 'RX19 old' } });
    const { data } = await testApp.send(syncCode, { id: String(item.id) }, { as: 'admin' });
    expect(data).toMatchObject({ salesCode: 'RX19' });
    expect(data.updatedCount).toBeGreaterThanOrEqual(2);
    const rows = await testApp.db
      .selectFrom('ubs_item_object')
      .selectAll()
      .where('sn', '=', 'SYNC0001')
      .executeTakeFirst();
    expect(rows).toMatchObject({ salesCode: 'RX19', itemName: item.name });
    expect((await readTrace(testApp, sn)).unit?.itemName).toBe(item.name);
    expect((await testApp.send(syncCode, { id: String(item.id) }, { as: 'admin' })).data.updatedCount).toBe(0);
  });
});

describe('sync to the website', () => {
  it('is refused without a token, a right, the number of the record, or at another site', async () => {
    const { mtbId } = await maintainBill(testApp.db);
    await expectRefused(testApp, '401', () => testApp.send(syncBill, { mtbId }));
    await expectRefused(testApp, '100013', () => testApp.send(syncBill, { mtbId }, { as: 'tech' }));
    await expectRefused(testApp, '100001', () => testApp.send(syncBill, { mtbId: '' }, office));
    await expectRefused(testApp, '100001', () => testApp.send(syncLine, {}, office));
    await expectRefused(testApp, '100002', () => testApp.send(syncBill, { mtbId: 'MTB0' }, office));
    const other = await unitOnBill(testApp.db, { node: Node.AwaitingTest, siteId: 'NB' });
    await expectRefused(testApp, '100002', () => testApp.send(syncBill, { mtbId: other.mtbId }, office));
    await expectRefused(testApp, '100002', () => testApp.send(syncLine, { mtblId: other.mtblId }, office));
  });

  it('puts the bill or the line, as it is now, in the queue once; its status is a list of its own [P-BTN-09]', async () => {
    const { mtbId, mtblId } = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    expect((await testApp.send(syncBill, { mtbId }, office)).data).toMatchObject({ status: '0' });
    await testApp.send(syncBill, { mtbId }, office);
    await testApp.send(syncLine, { mtblId }, office);
    const { data } = await testApp.ask<{ items: Record<string, unknown>[]; itemTotal: number }>(
      'GET',
      '/api/rmaWebSync/pager.json',
      { mtbId, sortBy: 'id', order: 'asc' },
      office,
    );
    expect(data.items.map((it) => [it['module'], it['recordId'], it['status']])).toEqual([
      ['rmaMaintainBill', mtbId, '0'],
      ['rmaMaintainBillLine', mtblId, '0'],
    ]);
    const rows = await testApp.db
      .selectFrom('rma_web_sync')
      .select('payload')
      .where('recordId', '=', mtbId)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(rows.payload ?? '')).toMatchObject({ record: { mtbId }, lines: [{ mtblId, receiveCount: 1 }] });
  });
});

describe('edit site', () => {
  const move = (id: string, siteId: string, asking = aftersales) => testApp.send(updateSiteId, { id, siteId }, asking);

  it('is refused without a right, to no site, to where it is, and once something was received', async () => {
    const bill = await maintainBill(testApp.db, { billStatus: '0' });
    const id = String(await readId(bill.mtbId));
    await expectRefused(testApp, '401', () => testApp.send(updateSiteId, { id, siteId: 'NB' }));
    await expectRefused(testApp, '100013', () => move(id, 'NB', office));
    await expectRefused(testApp, '100001', () => move(id, ''));
    await expectRefused(testApp, '100002', () => move(id, 'XX'));
    await expectRefused(testApp, '100002', () => move('987654', 'NB'));
    await expectRefused(testApp, '100007', () => move(id, 'SZ'));
    const received = await unitOnBill(testApp.db, { node: Node.AwaitingCheck });
    await expectRefused(testApp, '100023', async () => move(String(await readId(received.mtbId)), 'NB'));
    const finished = await unitOnBill(testApp.db, { node: Node.Shipped });
    await expectRefused(testApp, '100011', async () => move(String(await readId(finished.mtbId)), 'NB'));
  });

  const readId = async (mtbId: string) =>
    (await testApp.db.selectFrom('rma_maintain_bill').select('id').where('mtbId', '=', mtbId).executeTakeFirstOrThrow())
      .id;

  it('gives a bill and its declared items to another site [P-MOD-08]', async () => {
    const bill = await maintainBill(testApp.db, { billStatus: '0' });
    const { mtbId } = bill;
    const goods = { type: '0', salesCode: 'RX19', itemName: 'RX19 104T', productName: 'RX19', count: 1 };
    await testApp.db
      .insertInto('rma_maintain_bill_line')
      .values({ ...newCounts, ...goods, mtblId: 'MBL-SITE1', mtbId })
      .execute();
    await testApp.db
      .insertInto('rma_maintain_bill_line_item')
      .values({
        mtbliId: 'MBI-SITE1',
        mtblId: 'MBL-SITE1',
        mtbId,
        siteId: 'SZ',
        receiveStatus: '0',
        deliverStatus: '0',
      })
      .execute();
    const { data } = await move(String(await readId(bill.mtbId)), 'NB');
    expect(data).toMatchObject({ mtbId: bill.mtbId, siteId: 'NB' });
    expect(await readItem(testApp, 'MBI-SITE1')).toMatchObject({ siteId: 'NB' });
    expect(await readLedger(testApp, bill.mtbId)).toMatchObject([{ what: 'updateSiteId' }]);
  });
});

describe('additional check images', () => {
  it('are refused without a right, without or with too many images, with strange ones, and before the first test [W-EVT-34]', async () => {
    const url = await uploadPicture(testApp, 'tech');
    const checked = { checkTime: new Date() };
    const { itemId } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, item: checked });
    const add = (id: number, checkUrls: string, asking: object = { as: 'tech' }) =>
      testApp.send(supplementCheckPicture, { id: String(id), checkUrls }, asking);
    await expectRefused(testApp, '401', () => add(itemId, url, {}));
    await expectRefused(testApp, '100013', () => add(itemId, url, warehouse));
    await expectRefused(testApp, '100017', () => add(itemId, ''));
    const many = await Promise.all([1, 2, 3, 4].map(() => uploadPicture(testApp, 'tech')));
    await expectRefused(testApp, '100017', () => add(itemId, many.join('##')));
    await expectRefused(testApp, '100002', () => add(itemId, 'https://elsewhere.test/x.jpg'));
    await expectRefused(testApp, '100002', () => add(987654321, url));
    const early = await unitOnBill(testApp.db, { node: Node.AwaitingCheck });
    await expectRefused(testApp, '100003', () => add(early.itemId, url));
  });

  it('are appended to those of the first test, three at a time; nothing else changes [W-ACT-14, W-EVT-34]', async () => {
    const [first = '', ...others] = await Promise.all([1, 2, 3, 4].map(() => uploadPicture(testApp, 'tech')));
    const item = { checkTime: new Date(), checkUrls: first };
    const { itemId, mtbliId, mtblId, mtbId, sn } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, item });
    const before = await readItem(testApp, mtbliId);
    const brokenBefore = await brokenInvariants(testApp.db);
    const add = (checkUrls: string) =>
      testApp.send(supplementCheckPicture, { id: String(itemId), checkUrls }, { as: 'tech' });
    const { data } = await add(others.join('##'));
    const all = [first, ...others].join('##');
    expect(data).toEqual({ id: itemId, checkUrls: all });
    expect(await readItem(testApp, mtbliId)).toEqual({
      ...before,
      checkUrls: all,
      version: (before.version ?? 0) + 1,
      updateBy: 'tech',
      updateTime: expect.anything() as number,
    });
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: '50', mtbliId, mtblId, mtbId });
    expect(await readLedger(testApp, mtbliId)).toMatchObject([{ what: 'supplementCheckPicture', userId: 'tech' }]);
    const later = await uploadPicture(testApp, 'tech');
    expect((await add(later)).data.checkUrls).toBe(`${all}##${later}`);
    // One that the item has is not added once more.
    await expectRefused(testApp, '100007', () => add(later));
    expect(await brokenInvariants(testApp.db)).toEqual(brokenBefore);
  });
});

describe('the status of a pending package', () => {
  let made = 0;
  const parcel = async (siteId = 'SZ') => {
    const row = { ...packageFacts, upbId: `UPB-T${++made}`, status: '0', receiveShipNo: `SFPEND${made}`, siteId };
    const { id } = await testApp.db
      .insertInto('rma_unhandled_package_bill')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow();
    return { ...row, id: String(id) };
  };
  const set = (id: string, status: string, more: object = {}, asking: object = office) =>
    testApp.send(editInSiteStatus, { id, status, ...more }, asking);

  it('is refused without a right, a row, a status of its list, twice the same, and matched to no bill', async () => {
    const { id } = await parcel();
    await expectRefused(testApp, '401', () => set(id, '2', {}, {}));
    await expectRefused(testApp, '100013', () => set(id, '2', {}, { as: 'viewer' }));
    await expectRefused(testApp, '100001', () => set('', '2'));
    await expectRefused(testApp, '100001', () => set(id, ''));
    await expectRefused(testApp, '100015', () => set(id, '7'));
    await expectRefused(testApp, '100007', () => set(id, '0'));
    await expectRefused(testApp, '100010', () => set(id, '1'));
    const foreign = await parcel('NB');
    await expectRefused(testApp, '100002', () => set(foreign.id, '2'));
  });

  it('is set, and matched it names the bill that waits for the parcel [P-MOD-06, P-BTN-07]', async () => {
    const { id, receiveShipNo } = await parcel();
    const bill = await maintainBill(testApp.db, { billStatus: '0', receiveShipNo });
    expect((await set(id, '1')).data).toMatchObject({ status: '1', mtbId: bill.mtbId });
    expect((await set(id, '3')).data).toMatchObject({ status: '3', mtbId: null });
    const other = await maintainBill(testApp.db, { billStatus: '0' });
    expect((await set(id, '1', { mtbId: other.mtbId.toLowerCase() })).data.mtbId).toBe(other.mtbId);
  });
});

it('the history of an SN on one bill is read by its bill and SN, and no other bill’s steps are in it [P-BTN-08]', async () => {
  const { sn, mtbId } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
  await testApp.send(modifyIvyId, { sn, ivyId: '60' }, { as: 'admin' });
  await testApp.db
    .insertInto('rma_transaction')
    .values({
      sn,
      mtbId: 'MTB-EARLIER',
      siteId: 'SZ',
      step: 'deliver',
      toNode: '900',
      operateStatus: 'Normal',
      eventTime: new Date(),
    })
    .execute();
  const asked = await testApp.ask<{ events: { mtbId: string; step: string }[] }>(
    'GET',
    '/api/rmaMaintainBill/viewHistory.json',
    { mtbId, sn },
    office,
  );
  expect(asked.data.events.map((it) => [it.mtbId, it.step])).toEqual([[mtbId, 'modifyNode']]);
  expect((await testApp.send(viewHistory, { sn }, office)).data.events).toHaveLength(2);
  await testApp.db.deleteFrom('rma_transaction').where('mtbId', '=', 'MTB-EARLIER').execute();
});
