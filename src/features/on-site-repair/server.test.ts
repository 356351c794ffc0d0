import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slotsOf } from '#domain/assembly.ts';
import type { InputOf } from '#domain/call.ts';
import { BillStatus } from '#domain/enums.ts';
import {
  allPartsTypes,
  allRepairMethods,
  loadIssueCodeList,
  queryBomByName,
  queryBomItemByBomId,
  queryByCode,
} from '#domain/lookups.ts';
import { Node } from '#domain/nodes.ts';
import { newCounts } from '#server/workflow/lines.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, stockMachine, unitOnBill, type Bill } from '#tests/support/factories.ts';
import { expectNo, expectRefused, readCodeIds, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { uploadPicture } from '#tests/support/pictures.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import { finishOnSiteRepair, onSiteRepair, onSiteValidateSn, queryDevice, visitReport } from './contract.ts';

let testApp: TestApp;
let codes: Record<string, number>;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
});
afterAll(async () => {
  expect(await brokenInvariants(testApp.db)).toEqual([]);
  await testApp.close();
});

type Visit = InputOf<typeof onSiteRepair>;
const tech = { as: 'tech' };
const code = (name: string) => codes[name] as number;

let made = 0;
const next = (prefix: string) => `${prefix}${String(++made).padStart(5, '0')}`;

/** A device that only the archive knows: it never was in the workshop. */
async function archived(more: { sn?: string; type?: string; salesCode?: string } = {}): Promise<string> {
  const device = { sn: next('RX19ONSITE'), type: '0', salesCode: 'RX19', ...more };
  const row = { ...device, itemName: 'RX19 104T', origin: '1' };
  await testApp.db.insertInto('ubs_item_object').values(row).execute();
  return device.sn;
}

/** An order of so many devices of the model, which nobody has named. */
async function order(count = 1, row: Parameters<typeof maintainBill>[1] = {}): Promise<Bill> {
  const bill = await maintainBill(testApp.db, { billStatus: BillStatus.Awaiting, ...row });
  const goods = { type: '0', salesCode: 'RX19', itemName: 'RX19 104T', productName: 'RX19' };
  const mtblId = next('MBL-V');
  await testApp.db
    .insertInto('rma_maintain_bill_line')
    .values({ ...newCounts, mtblId, mtbId: bill.mtbId, ...goods, count })
    .execute();
  const items = Array.from({ length: count }, () => ({
    ...{ mtbliId: next('MBI-V'), mtblId, mtbId: bill.mtbId, siteId: bill.siteId, billType: row.billType ?? null },
    ...{ receiveStatus: '0', deliverStatus: '0', scrap: '0', exchange: '0', stockup: '0', deliverPriority: '0' },
  }));
  await testApp.db.insertInto('rma_maintain_bill_line_item').values(items).execute();
  return bill;
}

const record = (more: object = {}) => ({
  componentSn: 'hb-9001',
  componentType: '7',
  repairMethod: '8',
  repairIssueCodeIdList: [code('RP01')],
  slot: 'U1',
  spendItemCount: 2,
  ...more,
});
const veneer = (more: object = {}) => ({
  sn: 'HB-9002',
  partsType: '7',
  repairMethod: '3',
  issueCodeIdList: [code('RP01')],
  slot: 'U1,U2',
  ...more,
});
const visitOf = (mtbId: string, productSn: string, more: Partial<Visit> = {}): Visit => ({
  mtbId,
  productSn,
  checkIssueCodeIdList: [code('FX01')],
  repairInfoList: [record()],
  ...more,
});
const visit = (mtbId: string, productSn: string, more: Partial<Visit> = {}, asking: object = tech) =>
  testApp.send(onSiteRepair, visitOf(mtbId, productSn, more), asking);
const finish = (mtbId: string, asking: object = tech) => testApp.send(finishOnSiteRepair, { mtbId }, asking);

let sets = 0;
/** The six positions of a device, each with a part of its own. */
const parts = (change: Record<string, object> = {}) => {
  const set = ++sets;
  return slotsOf(4).map(({ name, componentType }) => ({
    name,
    componentType,
    componentSn: `${name}-V${set}`,
    qrCodeNum: `${name}${String(set).padStart(17 - name.length, '0')}`,
    ...change[name],
  }));
};

const linesOf = (osbId: string) =>
  testApp.db.selectFrom('rma_site_repair_bill_line').selectAll().where('osbId', '=', osbId).orderBy('id').execute();
const billOf = (osbId: string) =>
  testApp.db.selectFrom('rma_site_repair_bill').selectAll().where('osbId', '=', osbId).executeTakeFirstOrThrow();
const orderOf = (mtbId: string) =>
  testApp.db.selectFrom('rma_maintain_bill').selectAll().where('mtbId', '=', mtbId).executeTakeFirstOrThrow();
const boundTo = async (deviceSn: string) => {
  const rows = await testApp.db
    .selectFrom('ubs_assembly')
    .select(['componentSn', 'qrCodeNum', 'billId'])
    .where('deviceSn', '=', deviceSn)
    .where('unbindTime', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map((it) => it.componentSn);
};

describe('the device of a visit', () => {
  const ask = (mtbId: string, sn: string, asking: object = tech) => testApp.send(queryDevice, { mtbId, sn }, asking);
  const validate = (mtbId: string, sn: string, asking: object = tech) =>
    testApp.send(onSiteValidateSn, { mtbId, sn }, asking);

  it('is answered by its code and name, asked with its order; nothing is stored [S-OSR-03]', async () => {
    const { mtbId } = await order();
    const sn = await archived();
    const before = await takeSnapshot(testApp.db);
    expect((await ask(mtbId.toLowerCase(), ` ${sn.toLowerCase()}`)).data).toEqual({
      item: { code: 'RX19', name: 'RX19 104T', itemId: 1 },
    });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  it('is validated by a POST, which tells the parts that are in it [S-OSR-04]', async () => {
    const { mtbId } = await order(2);
    const sn = await archived();
    await visit(mtbId, await archived());
    expect(onSiteValidateSn.method).toBe('POST');
    const { data } = await validate(mtbId, sn);
    expect(data).toEqual({ sn, mtbId, item: { code: 'RX19', name: 'RX19 104T', itemId: 1 }, components: [] });
    await visit(mtbId, sn, { assembleInfoList: parts() });
    const other = await order();
    const { components } = (await validate(other.mtbId, sn)).data;
    expect(components.map((it) => it.componentType.slice(-2))).toEqual(['S1', 'RZ', 'S0', 'S0', 'S0', 'S0']);
  });

  it('asks for a session and the right', async () => {
    const { mtbId } = await order();
    const sn = await archived();
    for (const call of [ask, validate]) {
      await expectNo('401', () => call(mtbId, sn, {}));
      await expectNo('100013', () => call(mtbId, sn, { as: 'warehouse' }));
    }
  });

  const noes: [what: string, code: string, of: () => Promise<[mtbId: string, sn: string]>][] = [
    ['no order', '100001', async () => ['', await archived()]],
    ['an unknown order', '100002', async () => ['MTB-NOBODY', await archived()]],
    ['another site’s order', '100002', async () => [(await order(1, { siteId: 'NB' })).mtbId, await archived()]],
    ['an order that has ended', '100011', async () => [(await order(1, { billStatus: '2' })).mtbId, await archived()]],
    ['an order that never came', '100025', async () => [(await order(1, { billStatus: '3' })).mtbId, await archived()]],
    ['own goods', '100020', async () => [(await order(1, { billType: '9' })).mtbId, await archived()]],
    ['no SN', '100001', async () => [(await order()).mtbId, ' ']],
    ['an SN that can be none', '100015', async () => [(await order()).mtbId, 'SN 1/2']],
    ['an SN that nobody knows', '100002', async () => [(await order()).mtbId, 'RX19NOBODY']],
    ['a board', '100015', async () => [(await order()).mtbId, await archived({ type: '1', salesCode: 'HB19' })]],
    ['another model', '100020', async () => [(await order()).mtbId, await archived({ salesCode: 'RX21' })]],
    [
      'one more than the order has',
      '100020',
      async () => {
        const { mtbId } = await order();
        await visit(mtbId, await archived());
        return [mtbId, await archived()];
      },
    ],
    [
      'one that was repaired on the order',
      '100007',
      async () => {
        const { mtbId } = await order(2);
        const sn = await archived();
        await visit(mtbId, sn);
        return [mtbId, sn];
      },
    ],
    [
      'one that is in the workshop',
      '100003',
      async () => [(await order()).mtbId, await stockMachine(testApp.db, Node.AwaitingRepair)],
    ],
    [
      'one in the workshop of another site',
      '100004',
      async () => [(await order()).mtbId, await stockMachine(testApp.db, Node.AwaitingRepair, { siteId: 'NB' })],
    ],
    ['scrap', '100006', async () => [(await order()).mtbId, await stockMachine(testApp.db, Node.Scrapped)]],
  ];
  it.each(noes)('is refused with %s, and so is the submit [S-OSR-04]', async (_, no, of) => {
    const [mtbId, sn] = await of();
    await expectNo(no, () => ask(mtbId, sn));
    await expectNo(no, () => validate(mtbId, sn));
    await expectRefused(testApp, no, () => visit(mtbId, sn));
  });

  it('may be any that the order names, wherever it was shipped from', async () => {
    const { mtbId } = await order();
    const { sn } = await unitOnBill(testApp.db, { node: Node.Shipped, siteId: 'NB', salesCode: 'RX21' });
    await expectNo('100020', () => validate(mtbId, sn));
    const item = testApp.db.updateTable('rma_maintain_bill_line_item').set({ receiveSn: sn });
    await item.where('mtbId', '=', mtbId).execute();
    expect((await validate(mtbId, sn)).data.item.code).toBe('RX21');
  });

  it('waits for the bill that speaks for it', async () => {
    const { mtbId } = await order();
    const sn = await archived();
    const hold = { holdKind: 'transfer', holdBillId: 'SKT-V1', holdTime: new Date() };
    await testApp.db
      .insertInto('rma_stock_transfer_bill')
      .values({ sktbId: 'SKT-V1', billStatus: '1', deliverSiteId: 'SZ', receiveSiteId: 'NB', count: 1 })
      .execute();
    const row = { sktblId: 'SKL-V1', sktbId: 'SKT-V1' };
    await testApp.db
      .insertInto('rma_stock_transfer_bill_line')
      .values({ ...row, salesCode: 'RX19', itemType: '0', storageType: '0', count: 1 })
      .execute();
    await testApp.db
      .insertInto('rma_stock_transfer_bill_line_item')
      .values({ ...row, sn, snStatus: '1' })
      .execute();
    await testApp.db
      .insertInto('rma_inventory')
      .values({ sn, type: '0', siteId: 'SZ', ...hold })
      .execute();
    await expectNo('100008', () => validate(mtbId, sn));
    await expectRefused(testApp, '100008', () => visit(mtbId, sn));
  });
});

describe('the words of the form', () => {
  it('are the codes of a check by code [S-OSR-07]', async () => {
    const { items } = (await testApp.send(queryByCode, { code: 'fx01', billType: '2' }, tech)).data;
    expect(items.map((it) => [it.codeId, it.code])).toEqual([[code('FX01'), 'FX01']]);
    expect((await testApp.send(queryByCode, { code: 'RP01', billType: '2' }, tech)).data.items).toEqual([]);
  });

  it('are the issue codes of repair, type 4 [S-OSR-08]', async () => {
    const { issueCodeList } = (await testApp.send(loadIssueCodeList, { billType: '4' }, tech)).data;
    expect(new Set(issueCodeList.map((it) => it.billType))).toEqual(new Set(['4']));
    expect(issueCodeList).toContainEqual(
      expect.objectContaining({ codeId: code('RP01'), code: 'RP01', name: expect.any(String) as string }),
    );
  });

  it('are the kinds of boards and the methods [S-OSR-10]', async () => {
    for (const call of [allPartsTypes, allRepairMethods]) {
      const { items } = (await testApp.send(call, {}, tech)).data;
      expect(items).toContainEqual({ value: '7', name: expect.any(String) as string });
    }
  });

  it('are bills of material by their name, and their slots [S-OSR-13] [S-OSR-14]', async () => {
    const { items } = (await testApp.send(queryBomByName, { bomName: 'hash board' }, tech)).data;
    expect(items).toEqual([{ bomid: 'BOM-RX19', bomdescription: 'RX19 hash board' }]);
    const slots = (await testApp.send(queryBomItemByBomId, { bomId: 'BOM-RX19' }, tech)).data.items;
    expect(slots[0]).toEqual({ location: 'U1', productName: 'ASIC' });
    expect(queryBomByName.method).toBe('GET');
  });
});

describe('a visit', () => {
  it('is recorded with all that was sent, and says so in the history of its device [S-OSR-24]', async () => {
    const { mtbId } = await order();
    const sn = await archived();
    const repairUrls = await uploadPicture(testApp, 'tech');
    const more = {
      partsTypeName: '算力板1',
      repairMethod: '2',
      repairMethodName: '更换',
      issueCodeName: 'RP01',
      repairMarking: ' M1 ',
      slot: 'u1,U2,u1',
      repairUrls,
      spendItemDescription: 'ASIC',
      spendItemCount: 9,
    };
    const repairInfoList = [record(more), record({ componentSn: 'PW-1', componentType: '2', spendItemCount: null })];
    const { data } = await visit(mtbId, sn, { repairInfoList, assembleInfoList: parts() });
    expect(data).toMatchObject({ mtbId, productSn: sn, deviceCount: 1 });
    expect(data.osbId).toMatch(/^OSB\d+$/);
    expect(await billOf(data.osbId)).toMatchObject({
      ...{ billStatus: '0', mtbId, siteId: 'SZ', userName: '宁远矿业', deviceCount: 1, createBy: 'tech' },
    });
    const device = { productSn: sn, salesCode: 'RX19', name: 'RX19 104T', checkIcdIds: 'FX01', userId: 'tech' };
    expect(await linesOf(data.osbId)).toMatchObject([
      {
        ...device,
        ...{ componentSn: 'HB-9001', partsType: '7', icdIds: 'RP01', repairMethod: '2', slot: 'U1,U2' },
        ...{ repairMarking: 'M1', spendItemDescription: 'ASIC', spendItemCount: 2, repairUrls },
      },
      { ...device, componentSn: 'PW-1', partsType: '2', spendItemCount: 1, repairUrls: null, repairMarking: null },
    ]);
    const { unit, history } = await readTrace(testApp, sn);
    expect(unit).toMatchObject({ ivyId: null, siteId: 'SZ', holdKind: null });
    expect(history).toMatchObject([
      { step: 'onSiteRepair', billId: data.osbId, mtbId, fromNode: null, toNode: null, note: 'FX01', userId: 'tech' },
    ]);
    expect(await readLedger(testApp, data.osbId)).toMatchObject([
      { what: 'onSiteRepair', module: 'rmaSiteRepairBill' },
    ]);
  });

  it('leaves a device where it stands, and the next one stands on the same bill [S-OSR-24]', async () => {
    const { mtbId } = await order(2);
    const { sn } = await unitOnBill(testApp.db, { node: Node.Shipped });
    const first = (await visit(mtbId, sn)).data;
    const second = (await visit(mtbId, await archived())).data;
    expect(second).toMatchObject({ osbId: first.osbId, deviceCount: 2 });
    const { unit, history } = await readTrace(testApp, sn);
    expect(unit?.ivyId).toBe(Node.Shipped);
    expect(history[0]).toMatchObject({ step: 'onSiteRepair', fromNode: '900', toNode: '900', mtbId });
  });

  it('exchanges the parts that were entered and leaves the others [S-OSR-20]', async () => {
    const { mtbId } = await order(1);
    const sn = await archived();
    const all = parts();
    const { data } = await visit(mtbId, sn, { assembleInfoList: all });
    expect(await boundTo(sn)).toEqual(all.map((it) => it.componentSn.toUpperCase()));
    const codesOf = await testApp.db
      .selectFrom('ubs_assembly')
      .select(['componentType', 'qrCodeNum', 'billId'])
      .where('deviceSn', '=', sn)
      .orderBy('id')
      .execute();
    expect(codesOf.map((it) => it.componentType)).toEqual([
      ...['COIT000000S1', 'COIT000000RZ'],
      ...Array.from({ length: 4 }, () => 'COIT000000S0'),
    ]);
    expect(new Set(codesOf.map((it) => it.billId))).toEqual(new Set([data.osbId]));
    expect(codesOf.every((it) => it.qrCodeNum?.length === 17)).toBe(true);
    const again = await order();
    const [board] = parts().filter((it) => it.name === 'board2');
    await visit(again.mtbId, sn, { assembleInfoList: [board as object] });
    const expected = all.map((it) => (it.name === 'board2' ? board : it)?.componentSn.toUpperCase());
    expect(await boundTo(sn)).toEqual(expected);
  });

  it('takes XXXX for a board that is not there, and a part of the stock into the device [S-OSR-22]', async () => {
    const { mtbId } = await order();
    const sn = await archived();
    const stock = await stockMachine(testApp.db, Node.CanShip, { type: '1', salesCode: 'HB19', storageType: '0' });
    const gone = { componentSn: 'xxxx', qrCodeNum: '' };
    const assembleInfoList = parts({ board1: { componentSn: stock }, board2: gone, board3: gone });
    const { data } = await visit(mtbId, sn, { assembleInfoList });
    expect(data.productSn).toBe(sn);
    expect(await boundTo(sn)).toHaveLength(4);
    const { unit, history } = await readTrace(testApp, stock);
    expect(unit).toMatchObject({ ivyId: null, storageType: null });
    expect(history[0]).toMatchObject({ step: 'onSiteRepair', fromNode: '100', toNode: null, note: sn });
  });

  it('has any method that the stations offer, also one that an administrator has added', async () => {
    const added = { value: '13', name: '清洗', nameEn: 'Cleaning' };
    const { mtbId } = await order(2);
    const all = async (sn: string) => {
      const by = { repairInfoList: [record({ repairMethod: '13' })], partsList: [veneer({ repairMethod: '13' })] };
      return visit(mtbId, sn, { ...by, bomId: 'BOM-RX19' });
    };
    const sn = await archived();
    const { data } = await expectRefused(testApp, '100015', () => all(sn));
    expect(data).toMatchObject({
      problems: ['repairInfoList', 'partsList'].map((it) => ({ key: 'format', field: `${it}.0.repairMethod` })),
    });
    await testApp.ask('POST', '/api/rmaEnumRepairMethod/create.json', added, { as: 'admin' });
    const offered = (await testApp.send(allRepairMethods, {}, tech)).data.items.map((it) => it.value);
    expect(offered).toContain('13');
    const { osbId } = (await all(sn)).data;
    expect((await linesOf(osbId)).map((it) => it.repairMethod)).toEqual(['13', '13']);
  });

  it('of a veneer has the slots of the chosen bill of material, else nothing is written [S-OSR-23]', async () => {
    const { mtbId } = await order();
    const sn = await archived();
    const send =
      (bomId: string, slot = 'U1,U2') =>
      () =>
        visit(mtbId, sn, { repairInfoList: [], bomId, partsList: [veneer({ slot })] });
    await expectRefused(testApp, '100016', send('BOM-RX19', 'U1,U9'));
    await expectRefused(testApp, '100016', send(''));
    await expectRefused(testApp, '100016', send('BOM-NOBODY'));
    const { osbId } = (await send('bom-rx19')()).data;
    expect(await linesOf(osbId)).toMatchObject([
      { componentSn: 'HB-9002', slot: 'U1,U2', spendItemCount: 2, repairMethod: '3', partsType: '7' },
    ]);
  });

  const wrong: [what: string, code: string, field: string, more: () => Partial<Visit>][] = [
    ['no check issue', '100001', 'checkIssueCodeIdList', () => ({ checkIssueCodeIdList: [] })],
    [
      'a code of repair as a check issue',
      '100027',
      'checkIssueCodeIdList',
      () => ({ checkIssueCodeIdList: [code('RP01')] }),
    ],
    ['no record', '100001', 'repairInfoList', () => ({ repairInfoList: [] })],
    ...(['componentSn', 'componentType', 'repairMethod', 'slot'] as const).map((name): (typeof wrong)[number] => [
      `a record without ${name}`,
      '100001',
      `repairInfoList.0.${name}`,
      () => ({ repairInfoList: [record({ [name]: '' })] }),
    ]),
    [
      'a record without a code',
      '100001',
      'repairInfoList.0.repairIssueCodeIdList',
      () => ({ repairInfoList: [record({ repairIssueCodeIdList: [] })] }),
    ],
    [
      'a code that was neither found nor is of repair',
      '100027',
      'repairInfoList',
      () => ({ repairInfoList: [record({ repairIssueCodeIdList: [code('QC00')] })] }),
    ],
    [
      'the kind without slots',
      '100015',
      'repairInfoList.0.componentType',
      () => ({ repairInfoList: [record({ componentType: '15' })] }),
    ],
    [
      'no piece',
      '100015',
      'repairInfoList.0.spendItemCount',
      () => ({ repairInfoList: [record({ spendItemCount: 0 })] }),
    ],
    [
      'four pictures',
      '100017',
      'repairInfoList.0.repairUrls',
      () => ({ repairInfoList: [record({ repairUrls: ['a', 'b', 'c', 'd'] })] }),
    ],
    [
      'a picture that nobody uploaded',
      '100002',
      'repairUrls',
      () => ({ repairInfoList: [record({ repairUrls: '/file/1' })] }),
    ],
    [
      'a veneer without its SN',
      '100001',
      'partsList.0.sn',
      () => ({ bomId: 'BOM-RX19', partsList: [veneer({ sn: '' })] }),
    ],
    [
      'a QR code number of 16 characters',
      '100015',
      'assembleInfoList.2.qrCodeNum',
      () => ({ assembleInfoList: parts({ board1: { qrCodeNum: 'Q'.repeat(16) } }) }),
    ],
    [
      'XXXX for the power',
      '100001',
      'assembleInfoList.0.componentSn',
      () => ({ assembleInfoList: parts({ power: { componentSn: 'XXXX' } }) }),
    ],
    [
      'an SN without its QR code number',
      '100001',
      'assembleInfoList.1.qrCodeNum',
      () => ({ assembleInfoList: parts({ controls: { qrCodeNum: '' } }) }),
    ],
    [
      'one part twice',
      '100007',
      'assembleInfoList.0.componentSn',
      () => ({ assembleInfoList: parts({ power: { componentSn: 'TWICE-1' }, board4: { componentSn: 'twice-1' } }) }),
    ],
    [
      'a second power',
      '100015',
      'assembleInfoList.6.componentType',
      () => ({ assembleInfoList: [...parts(), ...parts().slice(0, 1)] }),
    ],
  ];
  it.each(wrong)('with %s is refused as a whole [S-OSR-15] [S-OSR-21]', async (_, no, field, more) => {
    const { mtbId } = await order();
    const sn = await archived();
    const { data } = await expectRefused(testApp, no, () => visit(mtbId, sn, more()));
    expect((data as { problems: { field?: string }[] }).problems[0]?.field).toBe(field);
  });

  it('is refused with a part that is in another device, and nothing of it is written', async () => {
    const { mtbId } = await order(2);
    const all = parts();
    await visit(mtbId, await archived(), { assembleInfoList: all });
    const assembleInfoList = parts({ board4: { componentSn: all[3]?.componentSn } });
    const sn = await archived();
    await expectRefused(testApp, '100026', () => visit(mtbId, sn, { assembleInfoList }));
    const sold = (await unitOnBill(testApp.db, { node: Node.AwaitingRepair })).sn;
    const withUnit = parts({ board4: { componentSn: sold } });
    await expectRefused(testApp, '100026', () => visit(mtbId, sn, { assembleInfoList: withUnit }));
  });

  it('names a code that was found on its device', async () => {
    const { mtbId } = await order();
    const repairInfoList = [record({ repairIssueCodeIdList: [code('FX01'), code('RP01')] })];
    const { osbId } = (await visit(mtbId, await archived(), { repairInfoList })).data;
    expect((await linesOf(osbId))[0]?.icdIds).toBe('FX01,RP01');
  });

  it('asks for a session and the right', async () => {
    const { mtbId } = await order();
    const sn = await archived();
    await expectRefused(testApp, '401', () => visit(mtbId, sn, {}, {}));
    await expectRefused(testApp, '100013', () => visit(mtbId, sn, {}, { as: 'warehouse' }));
  });

  it('is done once when it is repeated with its key', async () => {
    const { mtbId } = await order(2);
    const sn = await archived();
    const key = newKey();
    const first = await visit(mtbId, sn, {}, { ...tech, key });
    const again = await visit(mtbId, sn, {}, { ...tech, key });
    expect(again.data).toEqual(first.data);
    expect(await linesOf(first.data.osbId)).toHaveLength(1);
  });

  it('counts once when two submit the same device at the same moment, and takes no device beyond the order', async () => {
    const { mtbId } = await order(2);
    const sn = await archived();
    const same = await Promise.all([visit(mtbId, sn), visit(mtbId, sn)]);
    expect(same.map((it) => it.code).toSorted()).toEqual(['000000', '100007']);
    const others = await Promise.all([visit(mtbId, await archived()), visit(mtbId, await archived())]);
    expect(others.map((it) => it.code).toSorted()).toEqual(['000000', '100020']);
    const bills = await testApp.db.selectFrom('rma_site_repair_bill').select('id').where('mtbId', '=', mtbId).execute();
    expect(bills).toHaveLength(1);
  });

  it('is no second one under another SN of the device', async () => {
    const { mtbId } = await order(2);
    const { sn } = await unitOnBill(testApp.db, { node: Node.Shipped });
    await archived({ sn });
    await visit(mtbId, sn);
    const object = await testApp.db
      .selectFrom('ubs_item_object')
      .select('id')
      .where('sn', '=', sn)
      .executeTakeFirstOrThrow();
    const renamed = next('RX19RENAMED');
    await testApp.db
      .insertInto('ubs_sn_change_log')
      .values({
        oldSn: sn,
        newSn: renamed,
        cause: '1',
        siteId: 'SZ',
        itemObjectId: Number(object.id),
        operateStatus: 'Normal',
      })
      .execute();
    for (const table of ['ubs_item_object', 'rma_inventory', 'rma_transaction'] as const)
      await testApp.db.updateTable(table).set({ sn: renamed }).where('sn', '=', sn).execute();
    await expectRefused(testApp, '100007', () => visit(mtbId, renamed));
    const { msg } = await expectRefused(testApp, '100002', () => visit(mtbId, sn));
    expect(msg).toContain(renamed);
  });

  it('is not rolled back', async () => {
    const { mtbId } = await order();
    const sn = await archived();
    await visit(mtbId, sn);
    const step = await testApp.db
      .selectFrom('rma_transaction')
      .select('id')
      .where('sn', '=', sn)
      .executeTakeFirstOrThrow();
    const input = { id: String(step.id), remark: 'x' };
    await expectRefused(testApp, '100015', () =>
      testApp.ask('GET', '/api/rmaTransaction/rollbackById.json', input, { as: 'admin' }),
    );
  });
});

describe('the end of an order', () => {
  it('finishes the order and its on-site bill; what has not come was not received [S-OSR-25]', async () => {
    const { mtbId } = await order(2);
    const { osbId } = (await visit(mtbId, await archived())).data;
    const { data } = await finish(mtbId.toLowerCase());
    expect(data).toEqual({ osbId, mtbId, billStatus: BillStatus.Finished, notReceivedCount: 2 });
    expect(await orderOf(mtbId)).toMatchObject({ billStatus: '2', updateBy: 'tech' });
    const ended = await billOf(osbId);
    expect(ended).toMatchObject({ billStatus: '1', finishBy: 'tech' });
    expect(ended.finishTime).not.toBeNull();
    expect((await readLedger(testApp, osbId)).map((it) => it.what)).toEqual(['onSiteRepair', 'finishOnSiteRepair']);
    // Nothing more is repaired on it, nor is it ended again.
    const sn = await archived();
    await expectRefused(testApp, '100011', () => visit(mtbId, sn));
    await expectRefused(testApp, '100011', () => finish(mtbId));
  });

  it('is refused without a bill, a device, the right, or an order of the site [S-OSR-25]', async () => {
    const { mtbId } = await order();
    await expectRefused(testApp, '100001', () => finish(' '));
    await expectRefused(testApp, '100001', () => finish(mtbId));
    await visit(mtbId, await archived());
    await expectRefused(testApp, '401', () => finish(mtbId, {}));
    await expectRefused(testApp, '100013', () => finish(mtbId, { as: 'warehouse' }));
    await expectRefused(testApp, '100002', () => finish(mtbId, { as: 'techNB' }));
    await expectRefused(testApp, '100002', () => finish('MTB-NOBODY'));
  });

  it('waits for goods of the order that are in the workshop, and ends what was closed before', async () => {
    const bill = await order(1, { billStatus: '1' });
    const { mtbId } = bill;
    const unit = await unitOnBill(testApp.db, { node: Node.AwaitingTest, bill });
    const { osbId } = (await visit(mtbId, await archived())).data;
    const { msg } = await expectRefused(testApp, '100023', () => finish(mtbId));
    expect(msg).toContain(unit.sn);
    const closed = await testApp.ask(
      'POST',
      '/api/rmaMaintainBill/terminate.json',
      { mtbId, discardInHouse: '1' },
      { as: 'admin' },
    );
    expect(closed.code).toBe('000000');
    expect((await finish(mtbId)).data).toMatchObject({ osbId, billStatus: '2', notReceivedCount: 0 });
    expect((await billOf(osbId)).billStatus).toBe('1');
  });

  it('is done once when it is repeated with its key', async () => {
    const { mtbId } = await order();
    await visit(mtbId, await archived());
    const key = newKey();
    const first = await finish(mtbId, { ...tech, key });
    expect((await finish(mtbId, { ...tech, key })).data).toEqual(first.data);
  });
});

describe('the report of a visit', () => {
  const ask = (osbId: string, more: object = {}, asking: object = tech) =>
    testApp.send(visitReport, { osbId, ...more }, asking);

  it('tells what was found, what was done and what was exchanged, device by device, in the order of the visit', async () => {
    const { mtbId } = await order(2, {
      countryId: '95',
      cityName: 'Chengdu',
      street: '1 Mine Road',
      userName: 'Hashline',
    });
    const [first, second] = [await archived(), await archived()];
    const url = await uploadPicture(testApp, 'tech');
    const before = parts();
    const { osbId } = (await visit(mtbId, first, { assembleInfoList: before })).data;
    const records = [record({ repairUrls: url }), record({ componentSn: 'HB-9003', repairMarking: 'B', slot: 'U7' })];
    await visit(mtbId, second, { repairInfoList: records, assembleInfoList: parts().slice(0, 1) });
    const { data } = await ask(osbId.toLowerCase());
    expect(data).toMatchObject({ language: 'zh', osbId, mtbId, isEnded: false, finishTime: null, isCut: false });
    expect(data.customer).toEqual({ name: 'Hashline', place: '1 Mine Road, Chengdu, 中国' });
    expect(data.devices.map((it) => it.sn)).toEqual([first, second]);
    const [one, two] = data.devices;
    expect(one?.putIn.map((it) => it.sn)).toEqual(before.map((it) => it.componentSn.toUpperCase()));
    expect(one?.takenOut).toEqual([]);
    expect(one?.checkIssues.map((it) => it.code)).toEqual(['FX01']);
    expect(two?.records.map((it) => [it.componentSn, it.slot, it.marking, it.count, it.urls])).toEqual([
      ['HB-9001', 'U1', '', 2, [url]],
      ['HB-9003', 'U7', 'B', 2, []],
    ]);
    expect(two?.putIn).toHaveLength(1);
  });

  it('names what was taken out for a part that was put in, and leaves out what stayed', async () => {
    const { mtbId } = await order();
    const sn = await archived();
    const old = parts();
    await visit((await order()).mtbId, sn, { assembleInfoList: old });
    const [power] = parts();
    const { osbId } = (await visit(mtbId, sn, { assembleInfoList: [power as (typeof old)[number]] })).data;
    const [device] = (await ask(osbId)).data.devices;
    const named = (it: (typeof old)[number] | undefined) => [it?.componentSn.toUpperCase()];
    expect(device?.takenOut.map((it) => it.sn)).toEqual(named(old[0]));
    expect(device?.putIn.map((it) => it.sn)).toEqual(named(power));
  });

  it('is in English for a customer abroad, in the language of the house where no country is told, and as asked', async () => {
    const tells = async (countryId: string | null, more: object = {}) => {
      const { mtbId } = await order(1, { countryId });
      const { osbId } = (await visit(mtbId, await archived())).data;
      const { language, devices } = (await ask(osbId, more)).data;
      const [done] = devices[0]?.records ?? [];
      return [language, done?.kind, done?.method];
    };
    await testApp.db.insertInto('ubs_country').values({ countryId: 'US', name: '美国', nameEn: 'USA' }).execute();
    const [zh, en] = [await tells(null), await tells('US')];
    expect([zh[0], en[0]]).toEqual(['zh', 'en']);
    expect(en[1]).not.toBe(zh[1]);
    expect(en[2]).not.toBe(zh[2]);
    expect(await tells('US', { language: 'zh' })).toEqual(zh);
    expect(await tells('95', { language: 'en' })).toEqual(en);
  });

  it('calls a code of a repair as those of repairs are called, whatever else has the same letters', async () => {
    const twin = { codeId: 990_001, code: 'RP01', billType: '2', name: 'TWIN', nameEn: 'TWIN' };
    await testApp.db.insertInto('ubs_issue_code').values(twin).execute();
    const { mtbId } = await order();
    const { osbId } = (await visit(mtbId, await archived())).data;
    const [device] = (await ask(osbId)).data.devices;
    expect(device?.records[0]?.issues).toEqual([{ code: 'RP01', name: expect.not.stringMatching(/^(TWIN)?$/) }]);
  });

  it('says when the order has ended', async () => {
    const { mtbId } = await order();
    const { osbId } = (await visit(mtbId, await archived())).data;
    await finish(mtbId);
    expect((await ask(osbId)).data).toMatchObject({ isEnded: true, finishTime: expect.any(Number) });
  });

  it('asks for a session and the right, and does not know the bill of another site', async () => {
    const { mtbId } = await order();
    const { osbId } = (await visit(mtbId, await archived())).data;
    await expectNo('401', () => ask(osbId, {}, {}));
    await expectNo('100013', () => ask(osbId, {}, { as: 'warehouse' }));
    await expectNo('100002', () => ask('OSB-NOBODY'));
    await testApp.db.updateTable('rma_site_repair_bill').set({ siteId: 'NB' }).where('osbId', '=', osbId).execute();
    await expectNo('100002', () => ask(osbId));
  });
});
