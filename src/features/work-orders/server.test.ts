import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectNo, expectRefused } from '#tests/support/guard.ts';
import * as calls from './contract.ts';
import { foresee, nextGroup, validateGroups } from './rules.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  for (const it of ['planner', 'office', 'viewer']) await testApp.openToken(it);
  const { db } = testApp;
  await db
    .insertInto('icop_supplier')
    .values(
      ['FAB', 'S1', 'ASY'].map((supplierId, i) => ({
        ...{ supplierId, supplierName: 'One', supplierType: ['1', '2', '4'][i] as string, status: '1' },
      })),
    )
    .execute();
  await db
    .insertInto('icop_part_number')
    .values(['P1', 'P2'].map((waferPn) => ({ waferPn, waferMpn: `M-${waferPn}`, status: '1' })))
    .execute();
  await db
    .insertInto('icop_part_number_line')
    .values([{ devicePn: 'D1', waferPn: 'P1', deviceErpCode: 'ERP1', packageType: 'QFN', productName: 'CHIP' }])
    .execute();
});
afterAll(() => testApp.close());

let lots = 0;
let bank: string;
let cp: string;
let assembled: string;
let sorted: string;
beforeEach(async () => {
  bank = await addLot('1', { '01': 100, '02': 80 });
  cp = await addLot('5', { '01': 90, '02': 70 });
  assembled = await addLot('7', {}, { binG: 500, chipQty: 500, devicePn: 'D1' });
  sorted = await addLot('9', {}, { bin1: 40, bin3: 20, chipQty: 60, devicePn: 'D1', ftTestProgram: 'OLD' });
});

async function addLot(stage: string, wafers: Record<string, number>, more: object = {}): Promise<string> {
  const wipId = `W${String(++lots).padStart(4, '0')}`;
  const total = Object.values(wafers).reduce((sum, it) => sum + it, 0);
  await testApp.db
    .insertInto('icop_wip')
    .values({
      wipId,
      stage,
      stageName: stage,
      waferPn: 'P1',
      waferMpn: 'M-P1',
      waferLotId: `LOT${lots}`,
      waferIds: Object.keys(wafers).join(','),
      waferQty: Object.keys(wafers).length,
      chipQty: total,
      supplierId: 'S1',
      siteId: 'SZ',
      ...more,
    })
    .execute();
  for (const [waferId, chipQty] of Object.entries(wafers)) {
    await testApp.db.insertInto('icop_wip_wafer').values({ wipId, waferId, chipQty, originalQty: chipQty }).execute();
  }
  return wipId;
}
const wip = (wipId: string) =>
  testApp.db.selectFrom('icop_wip').selectAll().where('wipId', '=', wipId).executeTakeFirstOrThrow();
const reserved = async (workOrderNo: string) =>
  (
    await testApp.db
      .selectFrom('icop_transaction')
      .selectAll()
      .where('workOrderNo', '=', workOrderNo)
      .orderBy('id')
      .execute()
  ).map(({ transactionType, waferId, bin, qty, beforeQty, afterQty }) => ({
    transactionType,
    piece: waferId ?? bin,
    qty,
    beforeQty,
    afterQty,
  }));

const planner = { as: 'planner' };
const bumping = (more: object = {}, asking: object = planner) =>
  testApp.send(
    calls.createBumpingCpOrder,
    {
      processType: '2',
      lotType: '0',
      supplierId: 'S1',
      waferPn: 'P1',
      waferList: [{ wipId: bank, waferId: '01' }],
      ...more,
    },
    asking,
  );
const assembly = (more: object = {}) =>
  testApp.send(
    calls.createAssemblyOrder,
    {
      processType: '1',
      lotType: '0',
      supplierId: 'ASY',
      waferPn: 'P1',
      devicePn: 'D1',
      waferList: [{ wipId: cp, waferId: '01', inputQty: 30 }],
      ...more,
    },
    planner,
  );
const ft = (more: object = {}) =>
  testApp.send(
    calls.createFtOrder,
    {
      processType: '1',
      ftType: '1',
      lotType: '0',
      supplierId: 'ASY',
      devicePn: 'D1',
      ftWorkOrderLineGroupList: [{ wipId: assembled, group: 1, bin: 'G', ftTestProgram: 'FT1' }],
      ...more,
    },
    planner,
  );

describe('a work order of the chips', () => {
  it('is made by whoever has the button, with its bank', async () => {
    await expectRefused(testApp, '401', () => bumping({}, {}));
    for (const as of ['office', 'viewer']) await expectRefused(testApp, '100013', () => bumping({}, { as }));
    await expectNo('100013', () => testApp.send(calls.getWipWafer, {}, { as: 'viewer' }));
    await expectNo('100013', () => testApp.send(calls.getWaferLot, {}, { as: 'viewer' }));
    await expectNo('100013', () => testApp.send(calls.getFtLot, {}, { as: 'viewer' }));
  });

  it('asks for an engineering code when the lot is an engineering one [P-FRM-07]', async () => {
    for (const ask of [bumping, assembly, ft]) {
      const answer = await expectRefused(testApp, '100001', () => ask({ lotType: '3' }));
      expect(answer.msg).toContain('Engineering code');
      expect((await ask({ lotType: '3', engineeringCode: 'E-1' })).code).toBe('000000');
    }
  });

  it('asks for the kind of final test where assembly goes on to it, and not for bumping with CP [P-FRM-08]', async () => {
    const answer = await expectRefused(testApp, '100001', () => assembly({ processType: '2' }));
    expect(answer.msg).toContain('FT type');
    expect((await assembly({ processType: '2', ftType: '3' })).code).toBe('000000');
    expect((await bumping({ processType: '2' })).code).toBe('000000');
  });

  it('for a final test always asks for its kind [P-FRM-09]', async () => {
    for (const ftType of [null, '']) {
      const answer = await expectRefused(testApp, '100001', () => ft({ ftType }));
      expect(answer.msg).toContain('FT type');
    }
  });

  it('asks for a supplier, a part and something that goes in [P-FRM-10]', async () => {
    await expectRefused(testApp, '100001', () => bumping({ supplierId: '' }));
    await expectRefused(testApp, '100002', () => bumping({ supplierId: 'NOBODY' }));
    await expectRefused(testApp, '100001', () => bumping({ waferPn: '' }));
    await expectRefused(testApp, '100001', () => bumping({ waferList: [] }));
    await expectRefused(testApp, '100001', () => ft({ ftWorkOrderLineGroupList: [] }));
  });
});

describe('an order that takes more than can be counted', () => {
  const half = 1_500_000_000;
  const max = '2147483647';

  it.each(['1', '5', '7'])('of lots of bank %s', async (stage) => {
    const isTested = stage === '7';
    const more = isTested ? { binG: half, chipQty: half, devicePn: 'D1' } : {};
    const lotOf = () => addLot(stage, isTested ? {} : { '01': half }, more);
    const lots = [await lotOf(), await lotOf()];
    const wafers = { waferList: lots.map((wipId) => ({ wipId, waferId: '01' })) };
    const groups = lots.map((wipId) => ({ wipId, group: 1, bin: 'G', ftTestProgram: 'FT1' }));
    const ask = { '1': bumping, '5': assembly, '7': ft }[stage] as typeof ft;
    const all = isTested ? { ftWorkOrderLineGroupList: groups } : wafers;
    const { msg } = await expectRefused(testApp, '100015', () => ask(all));
    expect(msg).toContain(max);
  });
});

describe('the lookups of the orders', () => {
  const dataOf = async <T>(asked: Promise<{ data: T }>): Promise<T> => (await asked).data;

  it('name the wafer parts in use [S-BCP-02]', async () => {
    await testApp.db.insertInto('icop_part_number').values({ waferPn: 'P9', waferMpn: 'M-P9', status: '0' }).execute();
    const { items } = await dataOf(testApp.send(calls.getWaferPn, {}, planner));
    expect(items).toEqual([
      { waferPn: 'P1', waferMpn: 'M-P1' },
      { waferPn: 'P2', waferMpn: 'M-P2' },
    ]);
    await expectNo('100013', () => testApp.send(calls.getWaferPn, {}, { as: 'viewer' }));
  });

  it('name the CP programs of a part, its own first, then those of its orders [S-BCP-04] [S-WAF-12]', async () => {
    await testApp.db
      .updateTable('icop_part_number')
      .set({ cpTestProgram: 'CP_V1' })
      .where('waferPn', '=', 'P1')
      .execute();
    await bumping({ cpTestProgram: 'CP_V2' });
    await bumping({ cpTestProgram: 'CP_V1', waferList: [{ wipId: bank, waferId: '02' }] });
    const programs = async (input: { waferPn: string; supplierId?: string }) =>
      (await dataOf(testApp.send(calls.getCpTestProgram, input, planner))).items.map((it) => it.cpTestProgram);
    expect(await programs({ waferPn: 'P1' })).toEqual(['CP_V1', 'CP_V2']);
    expect(await programs({ waferPn: 'P1', supplierId: 'S2' })).toEqual(['CP_V1']);
    expect(await programs({ waferPn: 'P2' })).toEqual([]);
    // Each of the three takes a wafer part and a supplier.
    for (const call of [calls.getWipWafer, calls.getWaferLot] as const) {
      const { items } = await dataOf(testApp.send(call, { waferPn: 'P1', supplierId: 'S1' }, planner));
      expect(items.every((it) => it.waferPn === 'P1') && items.length > 0).toBe(true);
    }
  });

  it('give the lots of bumping with their wafers and what is left of each [S-WAF-04]', async () => {
    const { items } = await dataOf(testApp.send(calls.getWipWafer, { waferPn: 'P1', supplierId: 'S1' }, planner));
    expect(items.find((it) => it.wipId === bank)).toMatchObject({
      ...{ waferLotId: `LOT${lots - 3}`, stage: '1', waferPn: 'P1', waferMpn: 'M-P1', chipQty: 180, waferIds: '01,02' },
      waferList: [
        { waferId: '01', chipQty: 100 },
        { waferId: '02', chipQty: 80 },
      ],
    });
    const assemblyLots = await dataOf(testApp.send(calls.getWaferLot, { waferPn: 'P1', supplierId: 'S1' }, planner));
    expect(assemblyLots.items.find((it) => it.wipId === cp)?.stage).toBe('5');
  });

  it('give the lots of a final test by where and when they were assembled, with each bin [S-FTW-03] [S-FTW-04]', async () => {
    const set = (wipId: string, assySiteId: string, inTime: string) =>
      testApp.db
        .updateTable('icop_wip')
        .set({ assySiteId, inTime: new Date(inTime), marking: 'MK', originalMarking: 'OM' })
        .where('wipId', '=', wipId)
        .execute();
    // The last moment of the 30th and the first of the 31st of October, on the workshop's clock.
    await set(assembled, 'SZ', '2026-10-30T15:59:59.999Z');
    await set(sorted, 'SZ', '2026-10-30T16:00:00Z');
    const found = async (more: object) =>
      (
        await dataOf(
          testApp.send(calls.getFtLot, { devicePn: 'D1', waferPn: 'P1', supplierId: 'S1', ...more }, planner),
        )
      ).items;
    const ids = async (more: object) =>
      (await found(more)).map((it) => it.wipId).filter((it) => [assembled, sorted].includes(it));
    expect(await ids({ assySiteId: 'SZ', startDate: '2026-10-30', endDate: '2026-10-30' })).toEqual([assembled]);
    expect(await ids({ assySiteId: 'SZ', startDate: '2026-10-31' })).toEqual([sorted]);
    expect(await ids({ endDate: '2026-10-31' })).toEqual([assembled, sorted]);
    expect(await ids({ assySiteId: 'NB' })).toEqual([]);
    expect((await found({})).find((it) => it.wipId === sorted)).toMatchObject({
      ...{ frontFtTestProgram: 'OLD', marking: 'MK', originalMarking: 'OM', stage: '9', chipQty: 60 },
      ...{ binG: 0, bin1: 40, bin2: 0, bin3: 20, bin9: 0 },
    });
    await expectRefused(testApp, '100015', () => testApp.send(calls.getFtLot, { startDate: '2026-13-01' }, planner));
  });

  it('name the sites of assembly, and the device parts a page at a time [S-FTW-02] [S-WAF-10, S-WAF-11]', async () => {
    const sites = await dataOf(testApp.send(calls.getAssemblySiteList, {}, planner));
    expect(sites.items.find((it) => it.siteId === 'SZ')?.siteName).toEqual(expect.any(String));
    const page = (more: object) => dataOf(testApp.send(calls.queryAllDeviceParts, more, planner));
    expect((await page({ pageStart: 0, pageCount: 100 })).items).toEqual([
      { devicePn: 'D1', waferPn: 'P1', waferMpn: '', deviceErpCode: 'ERP1', packageType: 'QFN' },
    ]);
    expect((await page({ pageStart: 1 })).items).toEqual([]);
    const pager = await testApp.ask(
      'GET',
      '/api/icopPartNumber/pager.json',
      { pageStart: '0', pageCount: '10' },
      planner,
    );
    expect((pager.data as { items: unknown[] }).items).toContainEqual(
      expect.objectContaining({ waferPn: 'P1', waferMpn: 'M-P1' }),
    );
  });
});

describe('the head of an order', () => {
  const store = { name: '在制仓', nameEn: 'Work in process' };
  const head = {
    ...{ btmSiteId: 'NB', inventoryOrg: 'IC9', repairOrg: 'Board shop', correspondsWorkOrder: '1', taxRate: '6' },
    ...{ lotType: '3', engineeringCode: 'ENG-1' },
  };
  beforeAll(async () => {
    await testApp.db
      .insertInto('icop_store')
      .values([
        { btmId: 'IC9', siteId: 'NB', ...store, remark: 'Dry cabinet' },
        { btmId: 'IC8', siteId: 'SZ', name: '原料仓' },
      ])
      .execute();
    await testApp.db.updateTable('icop_supplier').set({ supplierNameEn: 'First' }).execute();
    await testApp.db.updateTable('ubs_site').set({ siteNameEn: 'Shenzhen' }).where('siteId', '=', 'SZ').execute();
  });
  const names = { en: ['Shenzhen', 'First'], zh: ['深圳维修中心', 'One'] } as const;
  const suppliers = {
    ...{ icopWaferWorkOrder: 'FAB', icopBumpingCpWorkOrder: 'S1' },
    ...{ icopAssemblyWorkOrder: 'ASY', icopFtWorkOrder: 'ASY' },
  };
  const orders = {
    icopWaferWorkOrder: (more: object, asking: object = planner) =>
      testApp.send(
        calls.createWaferOrder,
        { supplierId: 'FAB', waferPn: 'P1', waferQty: 5, lotType: '0', ...more },
        asking,
      ),
    icopBumpingCpWorkOrder: (more: object, asking?: object) => bumping(more, asking),
    icopAssemblyWorkOrder: (more: object) => assembly(more),
    icopFtWorkOrder: (more: object) => ft({ waferPn: 'P1', ...more }),
  };
  const ask = (module: string, id: unknown, lang: 'zh' | 'en') =>
    testApp.ask('GET', `/api/${module}/queryById.json`, { id }, { ...planner, lang });

  it.each(Object.keys(orders) as (keyof typeof orders)[])(
    'of %s is entered, kept and answered, with the names of its site and its supplier [S-WOF-01]',
    async (module) => {
      const { data, code, msg } = await orders[module](head);
      expect([code, msg]).toEqual(['000000', '']);
      const supplierId = suppliers[module];
      expect(data).toMatchObject({ siteId: 'SZ', siteName: 'Shenzhen', supplierId, supplierName: 'First' });
      const { data: whole } = await ask(module, data.id, 'en');
      expect(whole).toMatchObject({
        ...head,
        taxRate: '6.000000',
        siteId: 'SZ',
        supplierId,
        waferPn: expect.anything(),
      });
      for (const lang of ['zh', 'en'] as const) {
        const [siteName, supplierName] = names[lang];
        expect((await ask(module, data.id, lang)).data).toMatchObject({ siteName, supplierName });
        const page = { workOrderNo: data.workOrderNo };
        const listed = await testApp.ask<{ items: object[] }>('GET', `/api/${module}/pager.json`, page, {
          ...planner,
          lang,
        });
        expect(listed.data.items).toMatchObject([{ siteName, supplierName }]);
      }
      const { fields } = whole['view'] as { fields: { name: string; label: string }[] };
      const shown = fields.map((it) => it.name);
      for (const name of Object.keys(head)) expect(shown, name).toContain(name);
      const form = await testApp.ask<{ items: { queryName: string }[] }>(
        'GET',
        `/api/${module}/toAdd.json`,
        {},
        planner,
      );
      expect(form.data.items.map((it) => it.queryName)).toEqual(
        expect.arrayContaining([...Object.keys(head), 'supplierId']),
      );
    },
  );

  it('has all keys among its orders, and each order only its own [S-WOF-01]', async () => {
    const made = [calls.createBumpingCpOrder, calls.createAssemblyOrder, calls.createFtOrder];
    const keys = new Set(made.flatMap((it) => Object.keys({ ...it.input.properties, ...it.data.properties })));
    const wanted = [
      'processType',
      'ftType',
      'siteName',
      'supplierId',
      'supplierName',
      'waferPn',
      'waferMpn',
      'devicePn',
    ];
    expect([...keys]).toEqual(
      expect.arrayContaining([...wanted, ...Object.keys(head), 'waferList', 'ftWorkOrderLineGroupList']),
    );
    const all = { waferMpn: 'M-P1', ...head };
    expect((await assembly({ ...all, processType: '2', ftType: '1' })).code).toBe('000000');
    expect((await bumping(all)).code).toBe('000000');
    await expectRefused(testApp, '100015', () => bumping({ ftType: '1' }));
    await expectRefused(testApp, '100015', () => bumping({ siteName: 'Ningbo' }));
  });

  it('is refused by the field that is wrong [S-WOF-01]', async () => {
    for (const [module, order] of Object.entries(orders)) {
      const wrong = { taxRate: '101', correspondsWorkOrder: '7', repairOrg: 'x'.repeat(101) };
      for (const [name, value] of Object.entries(wrong)) {
        const { data } = await expectRefused(testApp, '100015', () => order({ [name]: value }));
        const { problems } = data as { problems: { field: string }[] };
        expect(
          problems.map((it) => it.field),
          module,
        ).toEqual([name]);
      }
      await expectRefused(testApp, '100002', () => order({ btmSiteId: 'NONE' }));
      await expectRefused(testApp, '100002', () => order({ inventoryOrg: 'NONE' }));
      const { msg } = await expectRefused(testApp, '100020', () => order({ inventoryOrg: 'IC9' }));
      expect(msg).toBe('Store IC9 is not at site SZ; choose one of that site');
      expect((await order({ inventoryOrg: 'IC8' })).code, module).toBe('000000');
    }
  });

  it('is changed as its form gave it, names as they stand, and never to a store elsewhere', async () => {
    const { data } = await bumping({ inventoryOrg: 'IC8' });
    const { data: whole } = await ask('icopBumpingCpWorkOrder', data.id, 'en');
    const flat = Object.fromEntries(Object.entries(whole).filter(([, it]) => typeof it !== 'object' || it === null));
    const modify = (more: object) =>
      testApp.ask('POST', '/api/icopBumpingCpWorkOrder/modifyById.json', { ...flat, ...more }, planner);
    await expectRefused(testApp, '100015', () => modify({ siteName: 'Ningbo' }));
    await expectRefused(testApp, '100020', () => modify({ inventoryOrg: 'IC9' }));
    await expectRefused(testApp, '100020', () => modify({ btmSiteId: 'NB' }));
    expect((await modify({ btmSiteId: 'NB', inventoryOrg: 'IC9', taxRate: '9' })).code).toBe('000000');
    expect((await ask('icopBumpingCpWorkOrder', data.id, 'en')).data).toMatchObject({
      inventoryOrg: 'IC9',
      taxRate: '9.000000',
    });
  });

  it('chooses among the stores of a site: their codes, names and remarks [S-WAF-10]', async () => {
    const stores = async (siteId: string, lang: 'zh' | 'en' = 'en') =>
      (await testApp.send(calls.queryStoresBySiteId, { siteId }, { ...planner, lang })).data.items;
    expect(await stores('NB')).toEqual([{ btmId: 'IC9', name: 'Work in process', remark: 'Dry cabinet' }]);
    expect(await stores('NB', 'zh')).toEqual([{ btmId: 'IC9', name: '在制仓', remark: 'Dry cabinet' }]);
    expect(await stores('')).toEqual([{ btmId: 'IC8', name: '原料仓', remark: '' }]);
    expect(await stores('US')).toEqual([]);
  });
});

describe('a bumping order', () => {
  it('takes whole wafers where nothing is entered, and notes what it took [S-BCP-01] [S-BCP-05]', async () => {
    const { data } = await bumping({
      waferList: [
        { wipId: bank, waferId: '01' },
        { wipId: bank, waferId: '02', inputQty: 30 },
      ],
    });
    const order = await testApp.db
      .selectFrom('icop_bumping_cp_work_order')
      .selectAll()
      .where('id', '=', data.id)
      .executeTakeFirst();
    expect(order).toMatchObject({ billStatus: '0', siteId: 'SZ', waferQty: 2, chipQty: 130, createBy: 'planner' });
    expect(data.workOrderNo).toMatch(/^BCO\d{13}$/);
    expect(await wip(bank)).toMatchObject({ chipQty: 50, waferIds: '02', waferQty: 1, inputQty: 130, version: 2 });
    expect(await reserved(data.workOrderNo)).toEqual([
      { transactionType: 'RESERVE', piece: '01', qty: 100, beforeQty: 100, afterQty: 0 },
      { transactionType: 'RESERVE', piece: '02', qty: 30, beforeQty: 80, afterQty: 50 },
    ]);
    const lines = await testApp.db
      .selectFrom('icop_bumping_cp_work_order_line')
      .selectAll()
      .where('workOrderNo', '=', data.workOrderNo)
      .execute();
    expect(lines).toMatchObject([
      {
        ...{ wipId: bank, stage: '1', waferPn: 'P1', waferMpn: 'M-P1', waferLotId: `LOT${lots - 3}` },
        ...{ waferIds: '01,02', waferQty: 2, chipQty: 130 },
      },
    ]);
    const { items } = (await testApp.send(calls.getWipWafer, { waferPn: 'P1' }, planner)).data;
    expect(items.find((it) => it.wipId === bank)?.waferList).toEqual([{ waferId: '02', chipQty: 50 }]);
  });

  it('refuses more than there is, what is gone, twice the same wafer, another part and a bank that it may not use', async () => {
    const one = (more: object) => bumping({ waferList: [{ wipId: bank, waferId: '01', ...more }] });
    const answer = await expectRefused(testApp, '100042', () => one({ inputQty: 101 }));
    expect(answer.msg).toContain(`LOT${lots - 3} / 01`);
    await expectRefused(testApp, '100042', () => one({ waferId: '09' }));
    await expectRefused(testApp, '100042', () => one({ wipId: 'NONE' }));
    const twice = () => bumping({ waferList: [1, 2].map(() => ({ wipId: bank, waferId: '01' })) });
    expect((await expectRefused(testApp, '100015', twice)).msg).toBe(
      `LOT${lots - 3} / 01 is named twice; name it once`,
    );
    expect((await expectRefused(testApp, '100015', () => bumping({ waferPn: 'P2' }))).msg).toMatch(
      new RegExp(`^Lot LOT${lots - 3} can't be taken here: its .* has to be "P2"$`),
    );
    await expectRefused(testApp, '100042', () => one({ wipId: cp }));
    expect((await one({})).code).toBe('000000');
    await expectRefused(testApp, '100042', () => one({}));
  });

  it('gives a wafer that two want at once to one of them', async () => {
    const codes = (await Promise.all([bumping(), bumping(), bumping()])).map((it) => it.code).sort();
    expect(codes).toEqual(['000000', '100042', '100042']);
    expect(await wip(bank)).toMatchObject({ chipQty: 80 });
  });

  it('takes nothing from another site', async () => {
    await testApp.db.updateTable('icop_wip').set({ siteId: 'NB' }).where('wipId', '=', bank).execute();
    await expectRefused(testApp, '100042', () => bumping());
    const { items } = (await testApp.send(calls.getWipWafer, { waferPn: 'P1' }, planner)).data;
    expect(items.map((it) => it.wipId)).not.toContain(bank);
  });
});

describe('an assembly order', () => {
  it('writes down how a wafer was split, with the device’s code [S-ASW-02]', async () => {
    const { data } = await assembly();
    const line = await testApp.db
      .selectFrom('icop_assembly_work_order_line')
      .selectAll()
      .where('workOrderNo', '=', data.workOrderNo)
      .executeTakeFirst();
    expect(line).toMatchObject({
      splitList: [{ waferId: '01', inputQty: 30, remainQty: 60 }],
      erpCode: 'ERP1',
      packageType: 'QFN',
      waferQty: 1,
      chipQty: 30,
    });
    const { items } = (await testApp.send(calls.getWaferLot, { waferPn: 'P1', supplierId: 'S1' }, planner)).data;
    expect(items.find((it) => it.wipId === cp)?.waferList[0]).toEqual({ waferId: '01', chipQty: 60 });
  });
});

describe('a final test', () => {
  it('takes bins in groups, in one transaction with the order [S-FTW-07]', async () => {
    const { data } = await ft({
      ftType: '2',
      ftBin: '1',
      ftWorkOrderLineGroupList: [
        { wipId: sorted, group: 1, bin: '1', ftTestProgram: 'FT2', chipQty: 15 },
        { wipId: sorted, group: 1, bin: '3', ftTestProgram: 'FT2' },
      ],
    });
    expect(await wip(sorted)).toMatchObject({ bin1: 25, bin3: 0, chipQty: 25 });
    const lines = await testApp.db
      .selectFrom('icop_ft_work_order_line')
      .selectAll()
      .where('workOrderNo', '=', data.workOrderNo)
      .orderBy('id')
      .execute();
    expect(lines).toMatchObject([
      {
        ...{
          wipId: sorted,
          group: 1,
          waferLotId: `LOT${lots}`,
          bin: '1',
          chipQty: 15,
          stage: '9',
          originalMarking: null,
        },
        ...{ ftTestProgram: 'FT2', frontFtTestProgram: 'OLD' },
      },
      { group: 1, bin: '3', chipQty: 20 },
    ]);
    const { items } = (await testApp.send(calls.getFtLot, { devicePn: 'D1' }, planner)).data;
    expect(items.find((it) => it.wipId === sorted)?.waferList).toEqual([{ waferId: '1', chipQty: 25 }]);
    expect(items.find((it) => it.wipId === assembled)?.waferList).toEqual([{ waferId: 'G', chipQty: 500 }]);
  });

  it('refuses a lot without a program, a bin that is empty, and a bank of the other test', async () => {
    const one = (more: object) =>
      ft({ ftWorkOrderLineGroupList: [{ wipId: assembled, group: 1, bin: 'G', ftTestProgram: 'FT1', ...more }] });
    await expectRefused(testApp, '100001', () => one({ ftTestProgram: ' ' }));
    await expectRefused(testApp, '100042', () => one({ bin: '1' }));
    await expectRefused(testApp, '100042', () => one({ wipId: sorted, bin: '1' }));
  });

  it('tests together only what is of one device, program and bank; groups count on', () => {
    const lot = { group: 1, piece: '1', ftTestProgram: 'A', devicePn: 'D1', stage: '9' };
    expect(validateGroups([lot, { ...lot, piece: '2' }, { ...lot, group: 2, devicePn: 'D2' }])).toEqual([]);
    for (const other of [{ devicePn: 'D2' }, { ftTestProgram: 'B' }, { stage: 'B' }]) {
      expect(validateGroups([lot, { ...lot, ...other }]).map((it) => it.key)).toEqual(['mixedGroup']);
    }
    expect([nextGroup([]), nextGroup([{ group: 2 }, { group: 5 }])]).toEqual([1, 6]);
  });
});

describe('the supplier of an order', () => {
  const made: Record<string, readonly string[]> = {
    icopWaferWorkOrder: ['1'],
    icopBumpingCpWorkOrder: ['2', '3'],
    icopAssemblyWorkOrder: ['4'],
    icopFtWorkOrder: ['4', '5'],
  };
  const create = (module: string, supplierId: string) => {
    const more = { supplierId };
    if (module === 'icopBumpingCpWorkOrder') {
      return bumping({ ...more, waferList: [{ wipId: bank, waferId: '01', inputQty: 1 }] });
    }
    if (module === 'icopAssemblyWorkOrder') return assembly(more);
    if (module === 'icopFtWorkOrder') {
      const line = { wipId: assembled, group: 1, bin: 'G', ftTestProgram: 'FT1', chipQty: 1 };
      return ft({ ...more, ftWorkOrderLineGroupList: [line] });
    }
    return testApp.send(calls.createWaferOrder, { ...more, waferPn: 'P1', waferQty: 5, lotType: '0' }, planner);
  };
  const types = ['1', '2', '3', '4', '5'];
  beforeAll(async () => {
    await testApp.db
      .insertInto('icop_supplier')
      .values(types.map((it) => ({ supplierId: `T${it}`, supplierName: it, supplierType: it, status: '1' })))
      .execute();
  });

  it.each(Object.keys(made))('of %s is one that makes such a thing, offered and accepted', async (module) => {
    const kinds = made[module] ?? [];
    const form = await testApp.ask<{ items: { queryName: string; options?: { value: string }[] }[] }>(
      'GET',
      `/api/${module}/toAdd.json`,
      {},
      planner,
    );
    const { options = [] } = form.data.items.find((it) => it.queryName === 'supplierId') ?? {};
    const offered = options.map((it) => it.value).filter((it) => it.startsWith('T'));
    expect(offered).toEqual(kinds.map((it) => `T${it}`));
    for (const type of types) {
      const answer = await create(module, `T${type}`);
      expect([type, answer.code]).toEqual([type, kinds.includes(type) ? '000000' : '100015']);
      if (!kinds.includes(type)) expect(answer.msg).toMatch(new RegExp(`T${type}.*Supplier type`));
    }
  });

  it('is searched for among all of them, as orders from before have others', async () => {
    const { data } = await testApp.ask<{ items: { queryName: string; options?: { value: string }[] }[] }>(
      'GET',
      '/api/icopWaferWorkOrder/searchItems.json',
      {},
      planner,
    );
    const { options = [] } = data.items.find((it) => it.queryName === 'supplierId') ?? {};
    expect(options.map((it) => it.value)).toEqual(expect.arrayContaining(types.map((it) => `T${it}`)));
  });
});

describe('a wafer order', () => {
  it('is a draft of the planner’s site', async () => {
    const head = { supplierId: 'FAB', waferPn: 'P1', lotType: '0', waferQty: 25 };
    await expectRefused(testApp, '100015', () =>
      testApp.send(calls.createWaferOrder, { ...head, waferQty: 0 }, planner),
    );
    const { data } = await testApp.send(calls.createWaferOrder, head, planner);
    expect(data.workOrderNo).toMatch(/^WFO\d{13}$/);
    const order = await testApp.db
      .selectFrom('icop_wafer_work_order')
      .selectAll()
      .where('id', '=', data.id)
      .executeTakeFirst();
    expect(order).toMatchObject({ billStatus: '0', waferQty: 25, siteId: 'SZ' });
  });
});

describe('what is foreseen of an order', () => {
  it('adds up lots, wafers and dies, and what is good of them as usual, in whole dies', () => {
    const of = (wipId: string, piece: string, inputQty: number) => ({ wipId, piece, inputQty });
    const picked = [of('W1', '01', 100), of('W1', '02', 30), of('W2', '01', 70)];
    expect(foresee(picked, 0.95)).toEqual({ lots: 2, pieces: 3, dies: 200, good: 190 });
    expect(foresee(picked, 0.999)).toMatchObject({ good: 199 });
    expect(foresee([], null)).toEqual({ lots: 0, pieces: 0, dies: 0, good: null });
    for (let n = 0; n <= 1000; n++) expect(foresee([of('W', '01', n)], 1).good).toBe(n);
  });

  it('tells the yield of the latest orders of the part and kind that are done, to whom may make one', async () => {
    const call = calls.usualYield('icopBumpingCpWorkOrder');
    const asked = { part: 'P-YIELD', processType: '2' };
    await expectNo('401', () => testApp.send(call, asked));
    await expectNo('100013', () => testApp.send(call, asked, { as: 'office' }));
    const ask = async (input: object = {}) => (await testApp.send(call, { ...asked, ...input }, planner)).data;
    expect(await ask()).toEqual({ orders: 0, yield: null });
    const order = (n: number, chipQty: number, outputQty: number, more: object = {}) => ({
      ...{ workOrderNo: `BCO-Y${n}`, waferPn: 'P-YIELD', processType: '2', billStatus: '3', siteId: 'SZ' },
      ...{ lotType: '0', supplierId: 'S1', chipQty, outputQty, ...more },
    });
    await testApp.db
      .insertInto('icop_part_number')
      .values({ waferPn: 'P-YIELD', waferMpn: 'M', status: '1' })
      .execute();
    await testApp.db
      .insertInto('icop_bumping_cp_work_order')
      .values([
        ...Array.from({ length: 5 }, (_, i) => order(i, 1000, 0)),
        ...Array.from({ length: 20 }, (_, i) => order(10 + i, 100, 95)),
        order(40, 100, 10, { billStatus: '2' }),
        order(41, 100, 50, { processType: '1' }),
      ])
      .execute();
    expect(await ask()).toEqual({ orders: 20, yield: 0.95 });
    expect(await ask({ processType: '1' })).toEqual({ orders: 1, yield: 0.5 });
  });

  it('takes as the usual yield of a test what came into good bins', async () => {
    const order = {
      workOrderNo: 'FTO-Y1',
      devicePn: 'D1',
      processType: '1',
      ftType: '1',
      billStatus: '3',
      siteId: 'SZ',
    };
    const counts = { lotType: '0', supplierId: 'S1', waferPn: 'P1', chipQty: 200, outputQty: 180, lossQty: 20 };
    await testApp.db
      .insertInto('icop_ft_work_order')
      .values({ ...order, ...counts })
      .execute();
    const entry = { transactionType: 'OUTPUT', operateStatus: 'Normal', wipId: 'T1', siteId: 'SZ' };
    await testApp.db
      .insertInto('icop_transaction')
      .values([{ ...entry, eventTime: new Date(0), bin: '9', qty: 80, workOrderNo: 'FTO-Y1' }])
      .execute();
    const asked = { part: 'D1', ftType: '1' };
    const { data } = await testApp.send(calls.usualYield('icopFtWorkOrder'), asked, planner);
    expect(data).toEqual({ orders: 1, yield: 0.5 });
  });
});
