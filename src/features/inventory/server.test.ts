import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IssueCategory } from '#domain/issueCode.ts';
import { stations } from '#domain/stations.ts';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { expectNo } from '#tests/support/guard.ts';
import { viewHistory } from './contract.ts';
import { boundAt } from './rules.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await testApp.db
    .insertInto('admin_user')
    .values({ userId: 'nobody', userName: 'Nobody', roleIds: 'nobody', siteId: 'SZ', allSites: '0', status: '1' })
    .execute();
  const known = await testApp.db
    .selectFrom('ubs_issue_code')
    .select(['code', 'name', 'nameEn'])
    .where('billType', '=', IssueCategory.Check)
    .execute();
  for (const it of known) codes.set(it.code ?? '', it);
});
afterAll(() => testApp.close());

const view = (sn: string, asking: object = { as: 'office' }, mtbId?: string) =>
  testApp.send(viewHistory, { sn, ...(mtbId && { mtbId }) }, asking);
const happened = (sn: string, row: { step: string; [field: string]: unknown }) =>
  testApp.db
    .insertInto('rma_transaction')
    .values({ sn, siteId: 'SZ', operateStatus: 'Normal', eventTime: new Date(), userId: 'tech', ...row })
    .execute();

const readyToShip = async (skbId: string, siteId = 'SZ') => {
  const unit = await unitOnBill(testApp.db, {
    node: Node.CanShip,
    siteId,
    item: { returness: '1', warranty: '1' },
    billStatus: '1',
  });
  const { sn, mtbId, mtblId, mtbliId, itemId } = unit;
  await testApp.db
    .insertInto('rma_stockup_bill')
    .values({ skbId, mtbId, deliverShipNo: skbId, siteId, status: '0' })
    .execute();
  await testApp.db
    .insertInto('rma_stockup_bill_line')
    .values({ skblId: `${skbId}-1`, skbId, mtbId, mtblId, mtbliId, itemId, sn, salesCode: 'RX19', delivered: '0' })
    .execute();
  return unit;
};
const codes = new Map<string, { name: string | null; nameEn: string | null }>();
const nameOf = (code: string, field: 'name' | 'nameEn') => codes.get(code)?.[field];

describe('the history of an SN', () => {
  it('asks for a session and for the right', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    await expectNo('401', () => view(sn, {}));
    await expectNo('100013', () => view(sn, { as: 'nobody' }));
  });

  it.each([
    ['', '100001'],
    ['A B', '100015'],
    ['NOBODY-KNOWS', '100002'],
  ])('refuses %j', async (sn, code) => {
    await expectNo(code, () => view(sn));
  });

  it('does not know a unit of another site', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingTest, siteId: 'NB' });
    await testApp.db
      .insertInto('ubs_item_object')
      .values({ sn, salesCode: 'RX19', itemName: 'x', type: '0', origin: '1' })
      .execute();
    await happened(sn, { step: 'receive', siteId: 'NB' });
    await expectNo('100002', () => view(sn));
    expect((await view(sn, { as: 'admin' })).data.unit).toMatchObject({ siteId: 'NB' });
  });

  it('tells where the unit is, what it is made of, and each event with who did it', async () => {
    const { sn, mtbId } = await unitOnBill(testApp.db, { node: Node.AwaitingTest, item: { powerSn: 'PW1' } });
    await happened(sn, { step: 'receive', toNode: '10', mtbId: 'MTB-OLD', billId: 'RVB1' });
    await happened(sn, { step: 'check', fromNode: '10', toNode: '50', mtbId, billId: 'CKB1', note: 'FX54' });
    await testApp.db
      .insertInto('rma_check_bill')
      .values({ ckbId: 'CKB1', userId: 'tech', siteId: 'SZ', checkUrls: '/file/a##/file/b' })
      .execute();
    await testApp.db
      .insertInto('ubs_assembly')
      .values({ deviceSn: sn, componentSn: 'PW1', componentType: 'COIT000000S1', bindTime: new Date() })
      .execute();
    const { data } = await view(` ${sn.toLowerCase()}`);
    expect(data).toMatchObject({
      sn,
      unit: { sn, ivyId: '70', mtbId, siteId: 'SZ', siteName: '深圳维修中心', powerSn: 'PW1', held: null },
      events: [
        {
          step: 'check',
          billId: 'CKB1',
          userId: 'tech',
          userName: 'tech 用户',
          note: 'FX54',
          urls: ['/file/a', '/file/b'],
        },
        { step: 'receive', billId: 'RVB1', urls: [] },
      ],
      parts: [{ componentType: 'COIT000000S1', componentSn: 'PW1', unbindTime: null }],
      holders: [],
      earlier: false,
    });
    expect((await view(sn, { as: 'office' }, mtbId)).data.events).toHaveLength(1);
  });

  it('gives the rows of one bill by its number and the SN [S-QRY-04]', async () => {
    const { sn, mtbId } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
    await happened(sn, { step: 'receive', toNode: '10', mtbId: 'MTB-BEFORE', billId: 'RVB-B' });
    await happened(sn, { step: 'check', fromNode: '10', toNode: '50', mtbId, billId: 'CKB-B' });
    const path = '/api/rmaMaintainBill/viewHistory.json';
    const { data } = await testApp.ask<{ events: object[] }>('GET', path, { mtbId, sn }, { as: 'office' });
    expect(data.events).toMatchObject([
      {
        mtbId,
        billId: 'CKB-B',
        step: 'check',
        toNode: '50',
        operateStatus: 'Normal',
        eventTime: expect.any(Number),
        userId: 'tech',
      },
    ]);
    expect(data.events).toHaveLength(1);
  });

  it('says that a unit waits for a supervisor', async () => {
    const { sn } = await heldUnit(testApp.db, 'scrap');
    expect((await view(sn)).data.unit).toMatchObject({ held: 'scrap', heldBy: expect.stringMatching(/^CKB-T/) });
  });

  it('tells whose unit it is, what is owed to him, and on which stock-up bill it waits', async () => {
    const { sn, mtbId, mtblId, mtbliId, itemId } = await readyToShip('SKB-WHERE');
    expect((await view(sn)).data).toMatchObject({
      item: { id: itemId, mtbliId, mtblId, deliverPayment: null },
      unit: {
        mtbId,
        customer: '宁远矿业',
        billStatus: '1',
        returness: '1',
        warranty: '1',
        stockup: { skbId: 'SKB-WHERE', status: '0' },
      },
      stays: [],
    });
  });

  it('says what was found in the reader’s language', async () => {
    const { sn, mtbId } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
    await happened(sn, { step: 'check', mtbId, billId: 'CKB-F', note: 'FX54' });
    await happened(sn, { step: 'repair', mtbId, billId: 'RPB-F', note: 'a second look' });
    await happened(sn, { step: 'modifyNode', mtbId, note: 'FX54' });
    await testApp.db
      .insertInto('rma_repair_bill')
      .values({ rpbId: 'RPB-F', sn, siteId: 'SZ', userId: 'tech' })
      .execute();
    await testApp.db
      .insertInto('rma_repair_bill_line')
      .values({ rpbId: 'RPB-F', sn: 'BOARD', icdIds: 'RP01', repairUrls: '/file/r' })
      .execute();
    const { data } = await view(sn, { as: 'office', lang: 'zh' });
    expect(data.stays).toEqual([{ mtbId, customer: '宁远矿业' }]);
    expect(data.events).toMatchObject([
      { step: 'modifyNode', codes: [], note: 'FX54' },
      { step: 'repair', codes: [{ code: 'RP01' }], note: 'a second look', urls: ['/file/r'] },
      { step: 'check', codes: [{ code: 'FX54', name: nameOf('FX54', 'name') }], note: 'FX54' },
    ]);
    const english = (await view(sn)).data.events[2]?.codes;
    expect(english).toEqual([{ code: 'FX54', name: nameOf('FX54', 'nameEn') }]);
  });

  it('shows images that were added later with the first test that still counts', async () => {
    const { sn, mtbId } = await unitOnBill(testApp.db, {
      node: Node.AwaitingRepair,
      item: { checkUrls: '/file/one##/file/added' },
    });
    await happened(sn, { step: 'check', mtbId, billId: 'CKB-OLD', operateStatus: 'Rollbacked' });
    await happened(sn, { step: 'check', mtbId, billId: 'CKB-NEW' });
    await testApp.db
      .insertInto('rma_check_bill')
      .values({ ckbId: 'CKB-NEW', userId: 'tech', siteId: 'SZ', checkUrls: '/file/one' })
      .execute();
    expect((await view(sn)).data.events.map((it) => [it.operateStatus, it.urls])).toEqual([
      ['Normal', ['/file/one', '/file/added']],
      ['Rollbacked', []],
    ]);
  });

  it('gives a long life page by page, none of it twice and none left out', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    const steps = Array.from({ length: 230 }, (_, i) => ({
      sn,
      siteId: i % 10 === 0 ? 'NB' : 'SZ',
      operateStatus: 'Normal',
      eventTime: new Date(),
      step: 'aging',
      note: String(i),
    }));
    await testApp.db.insertInto('rma_transaction').values(steps).execute();
    const pages: string[][] = [];
    let before: number | undefined;
    for (let more = true; more;) {
      const { data } = await testApp.send(viewHistory, { sn, ...(before && { before }) }, { as: 'office' });
      pages.push(data.events.map((it) => it.note ?? ''));
      before = data.events.at(-1)?.id;
      more = data.earlier;
    }
    expect(pages.map((it) => it.length)).toEqual([100, 100, 7]);
    const ours = steps.filter((it) => it.siteId === 'SZ').map((it) => it.note);
    expect(pages.flat()).toEqual(ours.reverse());
  });

  it('tells what a device is and was made of, and in what a part is and was', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    const board = { deviceSn: sn, componentType: 'COIT000000S0' };
    const [first, second] = [new Date('2026-03-01T02:00:00Z'), new Date('2026-05-01T02:00:00Z')];
    await testApp.db
      .insertInto('ubs_assembly')
      .values([
        { ...board, componentSn: 'BRD-OLD', bindTime: first, unbindTime: second },
        { ...board, componentSn: 'BRD-NEW', bindTime: second, qrCodeNum: 'QR1' },
        { ...board, deviceSn: 'ANOTHER-DEVICE', componentSn: 'BRD-OLD', bindTime: second },
      ])
      .execute();
    const { parts } = (await view(sn)).data;
    const at = (moment: number | null) => boundAt(parts, moment).map((it) => it.componentSn);
    expect(at(null)).toEqual(['BRD-NEW']);
    expect(at(Date.parse('2026-04-15T00:00:00Z'))).toEqual(['BRD-OLD']);
    expect(at(Date.parse('2026-02-01T00:00:00Z'))).toEqual([]);
    expect(parts[0]).toMatchObject({ componentSn: 'BRD-NEW', qrCodeNum: 'QR1', bindTime: second.getTime() });
    const part = (await view('brd-old')).data;
    expect(part).toMatchObject({ unit: null, archive: null, events: [], next: [] });
    expect(part.holders.map((it) => [it.deviceSn, it.unbindTime])).toEqual([
      ['ANOTHER-DEVICE', null],
      [sn, second.getTime()],
    ]);
  });

  it('does not tell of a part that is a unit of another site', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingTest, siteId: 'NB' });
    await testApp.db.insertInto('ubs_assembly').values({ deviceSn: 'SOME-DEVICE', componentSn: sn }).execute();
    await expectNo('100002', () => view(sn));
  });

  it('does not tell what it is made of at another site, nor in which device there it is', async () => {
    const device = await stockMachine(testApp.db, Node.AwaitingTest, { siteId: 'NB' });
    await testApp.db
      .insertInto('ubs_assembly')
      .values({ deviceSn: device, componentSn: 'BRD-ELSEWHERE', componentType: 'COIT000000S0', bindTime: new Date() })
      .execute();
    await expectNo('100002', () => view('BRD-ELSEWHERE'));
    await happened(device, { step: 'receive', toNode: '10', siteId: 'SZ' });
    const { data } = await view(device);
    expect([data.unit, data.parts]).toEqual([null, []]);
    const own = (await testApp.send(viewHistory, { sn: 'BRD-ELSEWHERE' }, { as: 'techNB' })).data;
    expect(own.holders.map((it) => it.deviceSn)).toEqual([device]);
  });

  it('knows an SN that is in the archive alone', async () => {
    await testApp.db
      .insertInto('ubs_item_object')
      .values({
        sn: 'ONLY-ARCHIVE',
        salesCode: 'RX19',
        itemName: 'RX19',
        type: '0',
        origin: '1',
        warrantyUntil: '2027-01-31',
      })
      .execute();
    const { data } = await view('ONLY-ARCHIVE');
    expect(data).toMatchObject({ unit: null, archive: { salesCode: 'RX19', origin: '1' }, events: [] });
    expect(data.archive?.warrantyUntil).toBe(Date.parse('2027-01-31T00:00:00+08:00'));
  });
});

describe('what may be done next', () => {
  const next = async (sn: string, as: string) => (await view(sn, { as })).data.next;
  const station = (call: string, input: object, as: string) => testApp.ask('POST', `/api/${call}.json`, input, { as });

  it('is what the rights, the home site and the node of the asking user allow', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    expect(await next(sn, 'tech')).toEqual([{ action: 'aging', address: `/rmaBurninBillList/burnin?sn=${sn}` }]);
    expect(await next(sn, 'viewer')).toEqual([]);
    const foreign = await stockMachine(testApp.db, Node.AwaitingTest, { siteId: 'NB' });
    expect((await next(foreign, 'admin')).map((it) => it.action)).toEqual(['modifyNode']);
  });

  it('is what ends the transfer that speaks for it, at the site that it goes to and for who may return it', async () => {
    const bill = { sktbId: 'SKT-NEXT', billStatus: '1', deliverSiteId: 'NB', receiveSiteId: 'SZ' };
    await testApp.db.insertInto('rma_stock_transfer_bill').values(bill).execute();
    const sn = await stockMachine(testApp.db, Node.CanShip, { siteId: 'NB' });
    await testApp.db
      .updateTable('rma_inventory')
      .set({ ivyId: null, holdKind: 'transfer', holdBillId: bill.sktbId })
      .where('sn', '=', sn)
      .execute();
    const receive = {
      action: 'receiverAccept',
      address: `/rmaStockTransferBillList/receiverAccept/${bill.sktbId}?sn=${sn}`,
    };
    expect(await next(sn, 'warehouse')).toEqual([receive]);
    expect(await next(sn, 'techNB')).toEqual([]);
    expect(await next(sn, 'admin')).toEqual([receive, { action: 'returnTransfer', address: null }]);
    const elsewhere = testApp.db.updateTable('rma_stock_transfer_bill').set({ receiveSiteId: 'US' });
    await elsewhere.where('sktbId', '=', bill.sktbId).execute();
    await expectNo('100002', () => view(sn, { as: 'warehouse' }));
  });

  it('leads to the delivery on the stock-up bill that would take it', async () => {
    const { sn } = await readyToShip('SKB-NEXT');
    await testApp.db
      .insertInto('ubs_assembly')
      .values({ deviceSn: sn, componentSn: 'PW-NEXT', componentType: 'COIT000000S1', bindTime: new Date() })
      .execute();
    expect(await next(sn, 'warehouse')).toEqual([
      { action: 'deliver', address: `/rmaDeliverBillList/deliver?shipNo=SKB-NEXT&sn=${sn}` },
    ]);
    const checked = await station('rmaDeliverBill/attemptDeliver', { sn, skbId: 'SKB-NEXT' }, 'warehouse');
    expect(checked.code).toBe('000000');
    await testApp.db.updateTable('rma_stockup_bill').set({ status: '3' }).where('skbId', '=', 'SKB-NEXT').execute();
    expect(await next(sn, 'warehouse')).toEqual([]);
  });

  it('undoes the latest step that stands, and only for who may', async () => {
    const sn = await stockMachine(testApp.db, Node.AwaitingTest);
    await happened(sn, { step: 'assemble', fromNode: '60', toNode: '70' });
    await happened(sn, { step: 'aging', fromNode: '70', toNode: '80', operateStatus: 'Rollbacked' });
    const { data } = await view(sn, { as: 'admin' });
    expect(data.next.map((it) => it.action)).toEqual(['aging', 'modifyNode', 'rollback']);
    expect(data.events.find((it) => it.id === data.lastStepId)?.step).toBe('assemble');
    expect((await next(sn, 'tech')).map((it) => it.action)).toEqual(['aging']);
  });

  it('lets in what only the archive knows', async () => {
    await testApp.db
      .insertInto('ubs_item_object')
      .values({ sn: 'COMES-IN', type: '0', salesCode: 'RX19', origin: '1' })
      .execute();
    await testApp.db
      .insertInto('ubs_item_object')
      .values({ sn: 'A-BOARD', type: '1', salesCode: 'B1', origin: '1' })
      .execute();
    expect((await next('COMES-IN', 'warehouse')).map((it) => it.action)).toEqual(['receive', 'storeStart']);
    expect(await next('COMES-IN', 'tech')).toEqual([]);
    expect((await next('A-BOARD', 'warehouse')).map((it) => it.action)).toEqual(['storeStart']);
  });

  it('is never what the station itself would refuse', async () => {
    const { sn, mtbId } = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    const finished = () =>
      testApp.db.updateTable('rma_maintain_bill').set({ billStatus: '2' }).where('mtbId', '=', mtbId).execute();
    await finished();
    expect(await next(sn, 'tech')).toEqual([]);
    const icd = await testApp.db
      .selectFrom('ubs_issue_code')
      .select('codeId')
      .where('billType', '=', IssueCategory.Aging)
      .executeTakeFirstOrThrow();
    await expectNo('100011', () => station('rmaBurninBill/attemptBurnin', { sn, icdId: icd.codeId }, 'tech'));
  });

  it.each(Object.entries(stations))('knows the button of the station that does %s', (_, { module, btnNo }) => {
    const buttons = testApp.model.definitions.get(module)?.buttons ?? [];
    expect(buttons.map((it) => it.btnNo)).toContain(btnNo);
  });
});
