import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { done, editBillStatus, sendSwitch } from '#features/work-order-actions/contract.ts';
import { createAssemblyOrder, createBumpingCpOrder, createFtOrder } from '#features/work-orders/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectRefused } from '#tests/support/guard.ts';

let testApp: TestApp;
const planner = { as: 'planner' };
beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: true });
  const { db } = testApp;
  await db
    .insertInto('icop_supplier')
    .values(
      ['2', '4'].map((supplierType, i) => ({
        ...{ supplierId: `S${i + 1}`, supplierName: `Supplier ${i + 1}`, supplierType, status: '1' },
      })),
    )
    .execute();
  await db.insertInto('icop_part_number').values({ waferPn: 'P1', waferMpn: 'M-P1', status: '1' }).execute();
  await db.insertInto('icop_store').values({ btmId: 'IC1', siteId: 'NB', name: '芯片仓', nameEn: 'Chips' }).execute();
  await db
    .insertInto('icop_part_number_line')
    .values({
      ...{ devicePn: 'D1', waferPn: 'P1', deviceErpCode: 'ERP1', packageType: 'QFN', productName: 'CHIP' },
      ...{ msl: 'MSL3', ft1Program: 'FT1_V1', ft2Program: 'FT2_V1' },
    })
    .execute();
});
afterAll(() => testApp.close());

let lots = 0;
/** A lot in a bank, with wafers or with bins. */
async function addLot(stage: string, wafers: Record<string, number>, more: object = {}): Promise<string> {
  const wipId = `W${String(++lots).padStart(4, '0')}`;
  const chipQty = Object.values(wafers).reduce((sum, it) => sum + it, 0);
  const own = { waferIds: Object.keys(wafers).join(','), waferQty: Object.keys(wafers).length, chipQty };
  const lot = { wipId, stage, stageName: stage, waferPn: 'P1', waferMpn: 'M-P1', waferLotId: `LOT-${wipId}` };
  await testApp.db
    .insertInto('icop_wip')
    .values({ ...lot, ...own, supplierId: 'S1', siteId: 'SZ', ...more })
    .execute();
  for (const [waferId, qty] of Object.entries(wafers)) {
    await testApp.db.insertInto('icop_wip_wafer').values({ wipId, waferId, chipQty: qty, originalQty: qty }).execute();
  }
  return wipId;
}
const header = { processType: '1', lotType: '0', supplierId: 'S2', devicePn: 'D1' };

async function buildAssembly() {
  const wipId = await addLot('5', { '01': 90, '02': 70 });
  const waferList = [
    { wipId, waferId: '01', inputQty: 30, remark: 'First half' },
    { wipId, waferId: '02' },
  ];
  const { data, code, msg } = await testApp.send(createAssemblyOrder, { ...header, waferPn: 'P1', waferList }, planner);
  expect([code, msg]).toEqual(['000000', '']);
  return { ...data, wipId, input: 100, left: { '01': 60 }, all: { '01': 90, '02': 70 } };
}
async function buildFt() {
  const more = { bin1: 40, bin3: 20, chipQty: 60, devicePn: 'D1', ftTestProgram: 'OLD', originalMarking: 'MK' };
  const wipId = await addLot('9', {}, more);
  const ftWorkOrderLineGroupList = [
    { wipId, group: 1, bin: '1', ftTestProgram: 'FT2_V1', chipQty: 15 },
    { wipId, group: 2, bin: '3', ftTestProgram: 'FT2_V2', remark: 'Again' },
  ];
  const { data, code, msg } = await testApp.send(
    createFtOrder,
    { ...header, ftType: '2', ftWorkOrderLineGroupList },
    planner,
  );
  expect([code, msg]).toEqual(['000000', '']);
  return { ...data, wipId, input: 35, left: { bin1: 25, bin3: 0 }, all: { bin1: 40, bin3: 20 } };
}
const ask = async <Data>(method: 'GET' | 'POST', path: string, input: object) =>
  (await testApp.ask<Data>(method, path, input, planner)).data;

/** What is left of a lot: of its wafers, or of its bins. */
async function leftOf(wipId: string, names: string[]): Promise<Record<string, number>> {
  const wafers = await testApp.db.selectFrom('icop_wip_wafer').selectAll().where('wipId', '=', wipId).execute();
  const lot = await testApp.db.selectFrom('icop_wip').selectAll().where('wipId', '=', wipId).executeTakeFirstOrThrow();
  const found = [
    ...wafers.map((it) => [it.waferId, it.chipQty ?? 0] as const),
    ...(['bin1', 'bin3'] as const).map((it) => [it, lot[it] ?? 0] as const),
  ];
  return Object.fromEntries(found.filter(([name]) => names.includes(name)));
}

/** Builds an order, and does all that its list offers with it. */
async function maintain(
  module: 'icopAssemblyWorkOrder' | 'icopFtWorkOrder',
  build: typeof buildAssembly | typeof buildFt,
) {
  const { id, workOrderNo, wipId, input, left, all } = await build();
  expect(await leftOf(wipId, Object.keys(left))).toEqual(left);
  const listed = async () => {
    const { items } = await ask<{ items: Record<string, unknown>[] }>('GET', `/api/${module}/pager.json`, {
      workOrderNo,
    });
    expect(items.map((it) => it['workOrderNo'])).toEqual([workOrderNo]);
    return items[0];
  };
  expect(await listed()).toMatchObject({ id, billStatus: '0', chipQty: input, supplierId: 'S2', devicePn: 'D1' });
  const { items: buttons } = await ask<{ items: { btnNo: string }[] }>('GET', '/api/sysBtn/queryByMenuNo.json', {
    menuNo: `${module}List`,
  });
  const offered = buttons.map((it) => it.btnNo);
  expect(offered).toEqual(
    expect.arrayContaining(['create', 'modify', 'exportDirectOne', 'sendSwitch', 'done', 'editBillStatus']),
  );

  const { view: _, ...whole } = await ask<Record<string, unknown>>('GET', `/api/${module}/queryById.json`, { id });
  const flat = Object.fromEntries(Object.entries(whole).filter(([, it]) => typeof it !== 'object' || it === null));
  const changed = await testApp.ask('POST', `/api/${module}/modifyById.json`, { ...flat, poNo: 'PO-7' }, planner);
  expect([changed.code, changed.msg]).toEqual(['000000', '']);
  expect(await listed()).toMatchObject({ poNo: 'PO-7', billStatus: '0' });
  const send = () => testApp.send(sendSwitch(module), { id: String(id) }, planner);
  for (const billStatus of ['1', '0', '1']) expect((await send()).data.billStatus).toBe(billStatus);
  // What went in has neither come out nor is loss.
  await expectRefused(testApp, '100019', () => testApp.send(done(module), { id: String(id) }, planner));
  const table = module === 'icopFtWorkOrder' ? 'icop_ft_work_order' : 'icop_assembly_work_order';
  await testApp.db
    .updateTable(table)
    .set({ outputQty: input - 5, lossQty: 5 })
    .where('id', '=', id)
    .execute();
  await testApp.send(done(module), { id: String(id) }, planner);
  expect(await listed()).toMatchObject({ billStatus: '3', outputQty: input - 5, lossQty: 5 });

  const other = await build();
  await testApp.send(editBillStatus(module), { id: String(other.id), billStatus: '4' }, planner);
  expect(await leftOf(other.wipId, Object.keys(all))).toEqual(all);
}

describe('an assembly order', () => {
  it('is built of wafers, and kept from its list: modified, sent, taken back, finished, cancelled [S-ASW-01]', () =>
    maintain('icopAssemblyWorkOrder', buildAssembly));

  it('has a line a lot, which says how each wafer was split [S-ASW-03]', async () => {
    const { id, wipId } = await buildAssembly();
    const order = await ask<{ icopAssemblyWorkOrderLineList: Record<string, unknown>[] }>(
      ...(['GET', '/api/icopAssemblyWorkOrder/queryById.json', { id }] as const),
    );
    expect(order.icopAssemblyWorkOrderLineList).toHaveLength(1);
    const [line = {}] = order.icopAssemblyWorkOrderLineList;
    expect(line).toMatchObject({
      ...{ devicePn: 'D1', waferPn: 'P1', waferMpn: 'M-P1', erpCode: 'ERP1', packageType: 'QFN' },
      ...{ waferLotId: `LOT-${wipId}`, waferIds: '01,02', chipQty: 100, waferQty: 2, stage: '5', wipId },
      remark: 'First half',
    });
    expect(line['splitList']).toEqual([
      { waferId: '01', inputQty: 30, remainQty: 60 },
      { waferId: '02', inputQty: 70, remainQty: 0 },
    ]);
  });
});

describe('the list of split wafers', () => {
  const lines = '/api/icopAssemblyWorkOrderLine';
  const where = async (relation: string, value = '') => {
    const adminAdvancedSearchGroup = { rules: [{ column: 'splitList', relation, value }] };
    return testApp.ask<{ itemTotal: number }>(
      'POST',
      `${lines}/advancedSearch.json`,
      { adminAdvancedSearchGroup },
      planner,
    );
  };

  it('can be asked for as there or not there, and not by a value', async () => {
    await buildAssembly();
    const { columns } = await ask<{ columns: { name: string; each?: string; relations: string[] }[] }>(
      ...(['GET', `${lines}/toAdvancedSearch.json`, {}] as const),
    );
    const column = columns.find((it) => it.name === 'splitList');
    expect(column).toMatchObject({
      ...{ type: 'List', each: '{waferId}:{inputQty}/{remainQty}' },
      relations: ['IS_NULL', 'IS_NOT_NULL'],
    });
    expect((await where('IS_NOT_NULL')).data.itemTotal).toBeGreaterThan(0);
    expect((await where('IS_NULL')).data.itemTotal).toBe(0);
    expect((await where('EQUAL_TO', '01')).code).toBe('100015');
    expect((await testApp.ask('GET', `${lines}/pager.json`, { splitList: '01' }, planner)).code).toBe('100015');
  });
});

describe('an order of the final test', () => {
  it('is built of groups of lots, and kept from its list [S-FTW-01]', () => maintain('icopFtWorkOrder', buildFt));

  it('has a line for each lot of a group', async () => {
    const { id, wipId } = await buildFt();
    const { ftWorkOrderLineGroupList: lines } = await ask<{ ftWorkOrderLineGroupList: Record<string, unknown>[] }>(
      ...(['GET', '/api/icopFtWorkOrder/queryById.json', { id }] as const),
    );
    expect(lines.sort((a, b) => Number(a['group']) - Number(b['group']))).toMatchObject([
      {
        wipId,
        group: 1,
        bin: '1',
        chipQty: 15,
        ftTestProgram: 'FT2_V1',
        frontFtTestProgram: 'OLD',
        originalMarking: 'MK',
      },
      { wipId, group: 2, bin: '3', chipQty: 20, ftTestProgram: 'FT2_V2', remark: 'Again' },
    ]);
  });
});

describe('the workbook of one order', () => {
  const company = { company: 'Reflow', purposeOfBuild: 'Qualification', shipToLocation: 'Shenzhen', poNo: 'PO-9' };
  const packed = { packageType: 'QFN', bdNo: 'BD-1', markingSpec: 'CHIP / YYWW', formOfPackRequired: 'Tray' };
  const printed = { abiNo: 'ABI-1', partNumbering: 'PN-T', line1: 'CHIP', line2: 'LOT-7' };

  /** What stands behind each name in the head, and the rows of the list below their names. */
  async function exported(module: string, id: number) {
    const query = { script: 'exportDirectOne', id: String(id) };
    const answer = await testApp.ask<{ path: string }>('GET', `/api/${module}/exportDirect.json`, query, planner);
    expect([answer.code, answer.msg]).toEqual(['000000', '']);
    const token = await testApp.openToken('planner');
    const { rawPayload } = await testApp.app.inject({ url: answer.data.path, headers: { token } });
    const [head, list] = (await readXlsx(rawPayload)).sheets;
    const [names = [], ...rows] = list?.rows ?? [];
    return {
      head: Object.fromEntries((head?.rows ?? []).slice(1).map(([name, value]) => [String(name), value])),
      rows: rows.map((row) => Object.fromEntries(names.map((name, i) => [String(name), row[i]]))),
    };
  }
  /** By the names that people read. */
  function named(module: string, values: object): Record<string, unknown> {
    const fields = testApp.model.definitions.get(module)?.fields ?? {};
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [fields[name]?.label.en ?? name, value]));
  }

  it('has its head and a list of all its lots: bumping and CP, assembly, final test [S-WOX-01] [S-WOX-02] [S-ASW-03] [S-WOF-01]', async () => {
    const wafers = await addLot('1', { '01': 90, '02': 70 });
    const bumping = await testApp.send(
      createBumpingCpOrder,
      {
        ...{ processType: '2', lotType: '0', supplierId: 'S1', waferPn: 'P1', ...company },
        ...{ waferMapType: 'SINF', waferProbeType: 'Vertical' },
        ...{ btmSiteId: 'NB', inventoryOrg: 'IC1', repairOrg: 'Board shop', correspondsWorkOrder: '1', taxRate: 6 },
        waferList: [{ wipId: wafers, waferId: '01', remark: 'Careful' }],
      },
      planner,
    );
    const first = await exported('icopBumpingCpWorkOrder', bumping.data.id);
    expect(first.head).toMatchObject(
      named('icopBumpingCpWorkOrder', {
        ...{
          btmSiteId: '宁波维修中心',
          inventoryOrg: 'Chips',
          repairOrg: 'Board shop',
          correspondsWorkOrder: 'Yes',
          taxRate: 6,
        },
        ...{ supplierId: 'Supplier 1', processType: 'Bumping + CP', lotType: 'Production', ...company },
        ...{ waferMapType: 'SINF', waferProbeType: 'Vertical' },
      }),
    );
    expect(first.rows).toMatchObject([
      named('icopBumpingCpWorkOrderLine', {
        ...{ waferPn: 'P1', waferLotId: `LOT-${wafers}`, waferQty: 1, waferIds: '01', remark: 'Careful' },
      }),
    ]);

    const assembled = await addLot('5', { '01': 90 });
    const assembly = await testApp.send(
      createAssemblyOrder,
      {
        ...{ ...header, waferPn: 'P1', ...company, ...packed, ...printed },
        waferList: [{ wipId: assembled, waferId: '01', remark: 'Careful' }],
      },
      planner,
    );
    const second = await exported('icopAssemblyWorkOrder', assembly.data.id);
    expect(second.head).toMatchObject(
      named('icopAssemblyWorkOrder', { supplierId: 'Supplier 2', ...company, ...packed }),
    );
    expect(second.rows).toMatchObject([
      named('icopAssemblyWorkOrderLine', {
        ...{ ...printed, deviceName: 'D1', productName: 'CHIP', waferPn: 'P1', waferLotId: `LOT-${assembled}` },
        ...{ waferQty: 1, waferIds: '01', dieQty: 90, marking: 'CHIP', msl: 'MSL3', erpCode: 'ERP1' },
        ...{ ft1Program: 'FT1_V1', ft2Program: 'FT2_V1', remark: 'Careful', splitList: '01:90/0' },
      }),
    ]);

    const more = { bin3: 20, chipQty: 20, devicePn: 'D1', ftTestProgram: 'OLD', dateCode: '2548' };
    const tested = await addLot('9', {}, { ...more, marking: 'CHIP', originalMarking: 'MK' });
    const pick = { wipId: tested, group: 1, bin: '3', ftTestProgram: 'FT2_V1', originPlace: 'Suzhou', remark: 'Again' };
    const ft = await testApp.send(
      createFtOrder,
      { ...header, ftType: '2', ...company, ...packed, ftWorkOrderLineGroupList: [pick] },
      planner,
    );
    const third = await exported('icopFtWorkOrder', ft.data.id);
    expect(third.head).toMatchObject(named('icopFtWorkOrder', { supplierId: 'Supplier 2', ...company, ...packed }));
    expect(third.rows).toMatchObject([
      named('icopFtWorkOrderLine', {
        ...{ waferLotId: `LOT-${tested}`, chipQty: 20, originalMarking: 'MK', frontFtTestProgram: 'OLD', bin: 'bin3' },
        ...{ ftTestProgram: 'FT2_V1', marking: 'CHIP', dateCode: '2548', originPlace: 'Suzhou', remark: 'Again' },
      }),
    ]);
  });
});
