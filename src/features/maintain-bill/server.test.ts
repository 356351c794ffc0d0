import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, unitOnBill } from '#tests/support/factories.ts';
import { expectNo, expectRefused, readLedger } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { createMaintainBill, getSaleCodeList } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

type Input = InputOf<typeof createMaintainBill>;
const create = (more: Partial<Input> = {}, asking: object = { as: 'office' }) =>
  testApp.send(
    createMaintainBill,
    {
      receiveShipNo: 'sf-new ',
      userName: ' 宁远矿业 ',
      rmaMaintainBillLineList: [{ type: '0', salesCode: 'rx19', count: 2 }],
      ...more,
    },
    asking,
  );

describe('the making of a maintain bill', () => {
  it('asks for a session and for the right', async () => {
    await expectRefused(testApp, '401', () => create({}, {}));
    await expectRefused(testApp, '100013', () => create({}, { as: 'warehouse' }));
  });

  const line = { type: '0', salesCode: 'RX19', count: 1 };
  const wrong: [what: string, code: string, input: Partial<Input>][] = [
    ['no ship no', '100001', { receiveShipNo: ' ' }],
    ['no customer', '100001', { userName: null }],
    ['no line', '100001', { rmaMaintainBillLineList: [] }],
    ['a line without a code', '100001', { rmaMaintainBillLineList: [line, { ...line, salesCode: '' }] }],
    ['a line without a count', '100001', { rmaMaintainBillLineList: [{ ...line, count: 0 }] }],
    ['a code that the catalogue has not', '100002', { rmaMaintainBillLineList: [{ ...line, salesCode: 'RX99' }] }],
    ['a device declared as a board', '100015', { rmaMaintainBillLineList: [{ ...line, type: '1' }] }],
    ['a type that does not exist', '100015', { rmaMaintainBillLineList: [{ ...line, type: '7' }] }],
    ['more units than anybody sends', '100015', { rmaMaintainBillLineList: [line, { ...line, count: 10_000 }] }],
    ['a remark of 501 characters', '100015', { remark: 'x'.repeat(501) }],
    ['a carrier that does not exist', '100002', { receiveShipId: 'NOBODY' }],
    ['a packing that does not exist', '100015', { packConfirm: '9' }],
  ];
  it.each(wrong)('refuses %s', async (_, code, input) => {
    await expectRefused(testApp, code, () => create(input));
  });

  it('makes the bill, its lines with the names of the catalogue, and an item for each declared unit [W-MTB-07, W-MTB-08]', async () => {
    const answer = await create({
      receiveShipId: 'SF',
      mobile: '13800000000',
      btmUserId: 'U1',
      rmaMaintainBillLineList: [
        { type: '0', salesCode: 'rx19 ', count: 2 },
        { salesCode: 'HB19', count: 1 },
      ],
    });
    expect(answer.code).toBe('000000');
    const { id, mtbId } = answer.data;
    expect(mtbId).toMatch(/^MTB\d{13}$/);
    const bill = await testApp.ask('GET', '/api/rmaMaintainBill/queryById.json', { id }, { as: 'office' });
    expect(bill.data).toMatchObject({
      mtbId,
      receiveShipNo: 'SF-NEW',
      userName: '宁远矿业',
      billStatus: '0',
      siteId: 'SZ',
      packConfirm: '0',
      operateStatus: 'Normal',
      rmaMaintainBillLineList: [
        { type: '0', salesCode: 'RX19', itemName: 'RX19 104T', productName: 'RX19', count: 2, receiveCount: 0 },
        { type: '1', salesCode: 'HB19', itemName: 'RX19 board', productName: 'HB19', count: 1, receiveCount: 0 },
      ],
    });
    const items = await testApp.db
      .selectFrom('rma_maintain_bill_line_item')
      .selectAll()
      .where('mtbId', '=', mtbId)
      .orderBy('id')
      .execute();
    expect(items).toHaveLength(3);
    expect(new Set(items.map((it) => it.mtbliId)).size).toBe(3);
    for (const it of items) {
      expect(it).toMatchObject({
        receiveStatus: '0',
        deliverStatus: '0',
        receiveSn: null,
        siteId: 'SZ',
        exchange: '0',
      });
    }
    expect(await readLedger(testApp, mtbId)).toMatchObject([
      { what: 'create', module: 'rmaMaintainBill', userId: 'office' },
    ]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('shows the items of a line by pages, with all that is known of each [W-MTB-09, W-MTB-11]', async () => {
    const { mtbId } = (
      await create({
        rmaMaintainBillLineList: [
          { salesCode: 'RX19', count: 3 },
          { salesCode: 'RX21', count: 1 },
        ],
      })
    ).data;
    const { mtblId } = await testApp.db
      .selectFrom('rma_maintain_bill_line')
      .select('mtblId')
      .where('mtbId', '=', mtbId)
      .orderBy('id')
      .executeTakeFirstOrThrow();
    const page = await testApp.ask<{ items: Record<string, unknown>[]; itemTotal: number }>(
      'GET',
      '/api/rmaMaintainBillLineItem/pager.json',
      { mtblId, pageStart: 1, pageCount: 10 },
      { as: 'office' },
    );
    expect(page.data.itemTotal).toBe(3);
    expect(page.data.items).toHaveLength(2);
    const fields = [
      ...['id', 'mtbliId', 'receiveSn', 'powerSn', 'receiveStatus', 'receiveTime', 'warranty', 'maintains'],
      ...['secondHand', 'depreciation', 'checkTime', 'checkUrls', 'continues', 'mixbound', 'scrap', 'checkIcdIds'],
      ...['quotedFaultCode', 'returness', 'payed', 'exchange', 'deliverPayment', 'stockup', 'deliverStatus'],
      ...['deliverTime', 'deliverShipNo', 'deliverSn', 'deliverSalesCode', 'deliverPriority', 'deliverSiteId'],
      'deliverShipId',
    ];
    const id = page.data.items[0]?.['id'];
    const detail = await testApp.ask('GET', '/api/rmaMaintainBillLineItem/queryById.json', { id }, { as: 'office' });
    expect(fields.filter((it) => !(it in detail.data))).toEqual([]);
  });

  it('shows of a bill who sent what where, each choice by its name [W-MTB-01]', async () => {
    await testApp.db.insertInto('ubs_country').values({ countryId: 'CN', name: '中国' }).execute();
    const header = {
      ...{ receiveShipNo: 'SF-HEAD', receiveShipId: 'SF', btmUserId: 'U1', userName: '宁远矿业', mobile: '138' },
      ...{ countryId: 'CN', stateName: '广东', cityName: '深圳', street: '科技路 1' },
    };
    const { id, mtbId } = (await create(header)).data;
    const { data } = await testApp.ask<{
      view: {
        fields: { name: string; options?: { value: string; optionName: string }[] }[];
        labels: Record<string, Record<string, string>>;
      };
    }>('GET', '/api/rmaMaintainBill/queryById.json', { id }, { as: 'office' });
    const { fields, labels } = data.view;
    expect(fields.map((it) => it.name).slice(0, 13)).toEqual([
      ...['mtbId', 'receiveShipNo', 'createTime', 'billStatus', 'siteId', 'receiveShipId', 'btmUserId', 'userName'],
      ...['mobile', 'countryId', 'stateName', 'cityName', 'street'],
    ]);
    expect(data).toMatchObject({
      ...header,
      mtbId,
      billStatus: '0',
      siteId: 'SZ',
      createTime: expect.any(Number) as number,
    });
    expect(fields.find((it) => it.name === 'billStatus')?.options?.[0]?.optionName).toBe('Awaiting receipt');
    expect(labels).toMatchObject({
      siteId: { SZ: '深圳维修中心' },
      receiveShipId: { SF: '顺丰速运' },
      countryId: { CN: '中国' },
    });
  });

  it('shows the items of a line by the page, in 27 columns in the order of the specification [W-MTB-05, W-MTB-11]', async () => {
    const { mtblId, sn } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
    const { data } = await testApp.ask<{
      columns: { name: string; label: string; format?: string }[];
      items: object[];
      itemTotal: number;
    }>('GET', '/api/rmaMaintainBillLineItem/pager.json', { pageStart: 0, pageCount: 10, mtblId }, { as: 'office' });
    expect(data).toMatchObject({ itemTotal: 1, items: [{ receiveSn: sn }] });
    expect(data.columns.map((it) => it.name)).toEqual([
      ...['receiveSn', 'powerSn', 'receiveStatus', 'receiveTime', 'warranty', 'maintains', 'secondHand', 'checkTime'],
      ...['checkUrls', 'continues', 'mixbound', 'scrap', 'checkIcdIds', 'quotedFaultCode', 'returness', 'payed'],
      ...['exchange', 'deliverPayment', 'stockup', 'deliverStatus', 'deliverTime', 'deliverShipNo', 'deliverSn'],
      ...['deliverSalesCode', 'deliverPriority', 'deliverSiteId', 'deliverShipId'],
    ]);
    expect(data.columns.find((it) => it.name === 'checkUrls')?.format).toBe('images');
  });

  it('is done once when it is repeated', async () => {
    const asking = { as: 'office', key: newKey() };
    const first = await create({ receiveShipNo: 'SF-ONCE' }, asking);
    expect(await create({ receiveShipNo: 'SF-ONCE' }, asking)).toEqual(first);
    await expectRefused(testApp, '100044', () => create({ receiveShipNo: 'SF-OTHER' }, asking));
    const bills = await testApp.db
      .selectFrom('rma_maintain_bill')
      .where('receiveShipNo', '=', 'SF-ONCE')
      .select('id')
      .execute();
    expect(bills).toHaveLength(1);
  });
});

describe('the change of a maintain bill', () => {
  it('keeps the ship no as the gate and the dock look it up', async () => {
    const { mtbId } = await maintainBill(testApp.db, { receiveShipNo: 'SF-LOW-6' });
    const { id, version } = await testApp.db
      .selectFrom('rma_maintain_bill')
      .select(['id', 'version'])
      .where('mtbId', '=', mtbId)
      .executeTakeFirstOrThrow();
    const change = { id, version, receiveShipNo: ' sf-low-７' };
    const changed = await testApp.ask('POST', '/api/rmaMaintainBill/modifyById.json', change, { as: 'office' });
    expect(changed.code).toBe('000000');
    const parcel = { receiveShipNo: 'sf-low-7', receivePackageCount: 1 };
    const as = { as: 'warehouse' };
    const signed = await testApp.ask<object>('POST', '/api/rmaArrivalBill/signFor.json', parcel, as);
    expect(signed.data).toMatchObject({ receiveShipNo: 'SF-LOW-7', mtbId });
    const { receiveShipNo } = parcel;
    const found = await testApp.ask<object>('GET', '/api/rmaReceiveBill/queryByShipNo.json', { receiveShipNo }, as);
    expect(found.data).toMatchObject({ mtbId, receiveShipNo: 'SF-LOW-7' });
  });
});

describe('the lookups of the maintain bill', () => {
  it('find sales codes by their beginning [W-ACT-05]', async () => {
    const listCodes = async (input: InputOf<typeof getSaleCodeList>) =>
      (await testApp.send(getSaleCodeList, input, { as: 'office' })).data.saleCodeList.map((it) => it.salesCode);
    expect(await listCodes({ saleCode: 'rx' })).toEqual(['RX19', 'RX21']);
    expect(await listCodes({ saleCode: 'H' })).toEqual(['HB19']);
    expect(await listCodes({ saleCode: '', type: '1' })).toEqual(['HB19']);
    expect(await listCodes({ saleCode: '%' })).toEqual([]);
    await expectNo('401', () => testApp.send(getSaleCodeList, {}));
  });
});
