import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectNo, expectRefused, readLedger } from '#tests/support/guard.ts';
import { getSnDetail, openOrders, printBarcode, reprintBarCode } from './contract.ts';

let testApp: TestApp;
const [DEVICE, CONTROLS] = [8101, 8102];
beforeAll(async () => {
  testApp = await startTestApp();
  const item = { snControl: '1', productVerList: '4A|4B', saleDesc: 'a description' };
  await testApp.db
    .insertInto('ubs_item')
    .values([
      { ...item, itemId: DEVICE, salesCode: 'ZX1-50T', name: 'ZX-1 50T', type: '0', modelCode: 'ZX01' },
      { ...item, itemId: CONTROLS, salesCode: 'CB-ZX', name: 'Controls ZX', type: '1', modelCode: 'CBZX' },
    ])
    .execute();
  await testApp.db
    .insertInto('ubs_product_order')
    .values([
      { orderNo: 'PO-1', salesCode: 'CB-ZX', qty: 100, status: '0' },
      { orderNo: 'PO-2', salesCode: 'CB-ZX', qty: 100, status: '1' },
      { orderNo: 'PO-3', salesCode: 'ZX1-50T', qty: 100, status: '0' },
    ])
    .execute();
  for (const it of ['warehouse', 'viewer']) await testApp.openToken(it);
});
afterAll(() => testApp.close());

type Printing = InputOf<typeof printBarcode>;
const printing: Printing = { saleItemId: DEVICE, type: '1', productVer: '4A', qty: 3, mode: 0, barcodeType: '1' };
const asWarehouse = { as: 'warehouse' } as const;
const print = (more: Printing = {}, key = newKey()) =>
  testApp.send(printBarcode, { ...printing, ...more }, { ...asWarehouse, key });
const controls: Printing = { saleItemId: CONTROLS, orderNo: 'PO-1', mode: 1, barcodeType: '3' };
const readArchived = (sn: string) =>
  testApp.db.selectFrom('ubs_item_object').selectAll().where('sn', '=', sn).executeTakeFirst();
const printOne = async (more: Printing = {}) => {
  const { data } = await print({ qty: 1, ...more });
  return data.snList[0] as string;
};

describe('a print of new SNs', () => {
  it('gives as many as were asked for, and the archive knows them [S-PRT-07]', async () => {
    const { code, data } = await print({ productVerType: '2' });
    expect({ code, modelCode: data.modelCode, barcodeType: data.barcodeType }).toEqual({
      code: '000000',
      modelCode: 'ZX01',
      barcodeType: '1',
    });
    expect(data.snList).toHaveLength(3);
    expect(new Set(data.snList).size).toBe(3);
    for (const sn of data.snList) {
      expect(sn).toMatch(/^ZX014A\d{4}D[0-9A-Z]{6}$/);
      expect(await readArchived(sn)).toMatchObject({
        itemId: DEVICE,
        salesCode: 'ZX1-50T',
        itemName: 'ZX-1 50T',
        type: '0',
        origin: '1',
        productVer: '4A',
        productVerType: '2',
        barcodeType: '1',
        printReason: '1',
        printCount: 1,
        createBy: 'warehouse',
      });
    }
    expect(await readLedger(testApp, String(DEVICE))).toMatchObject([
      { what: 'printSerial', module: 'ubsItem', userId: 'warehouse' },
    ]);
  });

  it('tells the kinds apart by their mode, and controls by their order [S-PRT-04]', async () => {
    const readKind = async (more: Printing) => (await print({ qty: 1, ...more })).data.barcodeType;
    expect(await readKind({ mode: 0, barcodeType: null })).toBe('1');
    expect(await readKind({ mode: null })).toBe('1');
    expect(await readKind({ saleItemId: CONTROLS, mode: 1, barcodeType: null })).toBe('2');
    expect(await readKind({ ...controls, barcodeType: null })).toBe('3');
    const sn = await printOne(controls);
    expect(sn).toMatch(/^CBZX4A\d{4}C/);
    expect(await readArchived(sn)).toMatchObject({ type: '1', productOrder: 'PO-1', productVerType: '1' });
  });

  it('keeps what is not the company’s own apart', async () => {
    expect(await readArchived(await printOne({ type: '4' }))).toMatchObject({ origin: '4', printReason: '4' });
  });

  it.each<[what: string, code: string, more: Printing]>([
    ['without a type', '100001', { type: '' }],
    ['without a version', '100001', { productVer: null }],
    ['without a count', '100001', { qty: 0 }],
    ['of more than 500', '100015', { qty: 501 }],
    ['of a negative count', '100015', { qty: -3 }],
    ['of a type that there is none', '100015', { type: '9' }],
    ['of a version that the item has not', '100015', { productVer: '9Z' }],
    ['of a kind that the item is not', '100015', { barcodeType: '2', mode: 1 }],
    ['of a kind that there is none', '100015', { barcodeType: '7' }],
    ['in no mode', '100015', { barcodeType: null, mode: 5 }],
    ['in the mode of another kind', '100015', { mode: 1 }],
    ['of controls without an order', '100001', { ...controls, orderNo: '' }],
    ['for an order that is closed', '100002', { ...controls, orderNo: 'PO-2' }],
    ['for the order of another item', '100002', { ...controls, orderNo: 'PO-3' }],
    ['of an item that there is none', '100002', { saleItemId: 777_777 }],
    ['of no item', '100002', { saleItemId: null }],
    ['of an item beyond all numbers', '100015', { saleItemId: 99_999_999_999 }],
  ])('is refused %s, and no number is lost [S-PRT-05] [S-PRT-06]', async (_, code, more) => {
    await expectRefused(testApp, code, () => print(more));
  });

  it('is refused without the right', async () => {
    await expectRefused(testApp, '100013', () => testApp.send(printBarcode, printing, { as: 'viewer' }));
    await expectRefused(testApp, '401', () => testApp.send(printBarcode, printing));
  });

  it('gives the same SNs to the same request again', async () => {
    const key = newKey();
    const [first, again] = [await print({}, key), await print({}, key)];
    expect(again.data.snList).toEqual(first.data.snList);
  });

  it('gives no SN twice to several who print at once', async () => {
    const prints = await Promise.all(Array.from({ length: 8 }, () => print({ qty: 25 })));
    const sns = prints.flatMap((it) => it.data.snList);
    expect(new Set(sns).size).toBe(200);
  });

  it('goes past an SN that the archive has from elsewhere', async () => {
    const next = await printOne();
    const { last } = (await sql<{ last: number }>`SELECT last FROM serial_number`.execute(testApp.db)).rows[0] as {
      last: number;
    };
    const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    const serial = [5, 4, 3, 2, 1, 0].map((position) => digits[Math.floor((last + 1) / 32 ** position) % 32]).join('');
    const usedSn = next.slice(0, 11) + serial;
    await testApp.db.insertInto('ubs_item_object').values({ sn: usedSn, type: '0', origin: '1' }).execute();
    const { data } = await print({ qty: 2 });
    expect(data.snList).toHaveLength(2);
    expect(data.snList).not.toContain(usedSn);
  });

  it('finds the open orders of an item [S-PRT-02]', async () => {
    const listOrders = async (salesCode: string, orderNo = '') =>
      (await testApp.send(openOrders, { salesCode, orderNo }, asWarehouse)).data.items.map((it) => it.orderNo);
    expect(await listOrders('CB-ZX')).toEqual(['PO-1']);
    expect(await listOrders('CB-ZX', 'po-')).toEqual(['PO-1']);
    expect(await listOrders('CB-ZX', 'X')).toEqual([]);
  });
});

describe('a label that is printed again', () => {
  const lookUp = (sn: string, barcodeType: string | null = '1') =>
    testApp.send(getSnDetail, { sn, barcodeType }, asWarehouse);
  const reprint = (snDetailId: number, orderNo?: string, barcodeType?: string) =>
    testApp.send(
      reprintBarCode,
      { snDetailId, ...(orderNo !== undefined && { orderNo }), ...(barcodeType !== undefined && { barcodeType }) },
      asWarehouse,
    );

  it('is looked up by its SN, however that is written [S-RPR-02]', async () => {
    const sn = await printOne({ productVerType: '2', orderNo: 'PO-3' });
    const { data } = await lookUp(` ${sn.toLowerCase()} `);
    expect(data).toEqual({
      salesCode: 'ZX1-50T',
      saleItemDesc: 'a description',
      productVer: '4A',
      modelCode: 'ZX01',
      productVerType: '2',
      orderNo: 'PO-3',
      snDetailId: (await readArchived(sn))?.id,
    });
  });

  it('is counted [S-RPR-05]', async () => {
    const sn = await printOne();
    const id = (await lookUp(sn)).data.snDetailId;
    expect((await reprint(id)).data).toEqual({ sn, modelCode: 'ZX01', barcodeType: '1' });
    await reprint(id);
    expect(await readArchived(sn)).toMatchObject({ printCount: 3, updateBy: 'warehouse' });
    expect((await readLedger(testApp, sn)).map((it) => it.what)).toEqual(['reprintSerial', 'reprintSerial']);
  });

  it('is refused for an SN that nobody knows, or of another kind [S-RPR-04]', async () => {
    const sn = await printOne();
    await expectNo('100002', () => lookUp('NOSUCHSN'));
    await expectNo('100001', () => lookUp(' '));
    await expectNo('100001', () => lookUp(sn, ''));
    await expectNo('100015', () => lookUp(sn, '2'));
    await expectNo('100015', () => lookUp(sn, '9'));
    await expectNo('100015', () => lookUp('NO SN/1'));
    await expectRefused(testApp, '100002', () => reprint(999_999));
  });

  it('of what came into the archive without a label is of its item’s kind', async () => {
    const row = { sn: 'OLDBOARD1', type: '1', origin: '1', salesCode: 'CB-ZX', itemName: 'Controls ZX' };
    await testApp.db.insertInto('ubs_item_object').values(row).execute();
    await expectNo('100015', () => lookUp('OLDBOARD1', '1'));
    const { data } = await lookUp('OLDBOARD1', '2');
    expect(data).toMatchObject({ modelCode: 'CBZX', saleItemDesc: 'a description', productVer: null, orderNo: null });
    expect((await reprint(data.snDetailId)).data).toMatchObject({ barcodeType: '2' });
  });

  it('of controls goes by their order, which is kept where it was missing [S-RPR-04]', async () => {
    const sn = await printOne(controls);
    await testApp.db.updateTable('ubs_item_object').set({ productOrder: null }).where('sn', '=', sn).execute();
    const id = (await lookUp(sn, '3')).data.snDetailId;
    await expectRefused(testApp, '100001', () => reprint(id));
    await expectRefused(testApp, '100002', () => reprint(id, 'PO-9'));
    await expectRefused(testApp, '100002', () => reprint(id, 'PO-3'));
    expect((await reprint(id, 'po-2')).code).toBe('000000');
    expect(await readArchived(sn)).toMatchObject({ productOrder: 'PO-2', printCount: 2 });
    await reprint(id, 'PO-1');
    expect(await readArchived(sn)).toMatchObject({ productOrder: 'PO-2' });
  });

  it('of a board that had none is of the kind that was chosen, and no order sticks to what goes by none [S-RPR-04]', async () => {
    const row = { sn: 'OLDBOARD2', type: '1', origin: '1', salesCode: 'CB-ZX', itemName: 'Controls ZX' };
    await testApp.db.insertInto('ubs_item_object').values(row).execute();
    const { data } = await lookUp('OLDBOARD2', '3');
    await expectRefused(testApp, '100001', () => reprint(data.snDetailId, undefined, '3'));
    await expectRefused(testApp, '100015', () => reprint(data.snDetailId, undefined, '1'));
    expect((await reprint(data.snDetailId, 'PO-1', '3')).data).toMatchObject({ barcodeType: '3' });
    expect(await readArchived('OLDBOARD2')).toMatchObject({ barcodeType: '3', productOrder: 'PO-1' });
    const device = await printOne();
    await reprint((await lookUp(device)).data.snDetailId, 'PO-3', '1');
    expect(await readArchived(device)).toMatchObject({ productOrder: null });
  });

  it('is refused without the right', async () => {
    const sn = await printOne();
    const id = (await lookUp(sn)).data.snDetailId;
    await expectNo('100013', () => testApp.send(getSnDetail, { sn, barcodeType: '1' }, { as: 'viewer' }));
    await expectRefused(testApp, '100013', () => testApp.send(reprintBarCode, { snDetailId: id }, { as: 'viewer' }));
  });
});
