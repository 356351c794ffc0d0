import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { at } from '#tests/support/history.ts';
import { kindsOf, orderModules } from './rules.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: true });
  const { db } = testApp;
  const counts = { chipQty: 200, outputQty: 150, lossQty: 50 };
  const order = {
    siteId: 'SZ',
    createTime: at('2026-10-10'),
    lotType: '1',
    billStatus: '1',
    supplierId: 'S2',
    waferPn: 'W2',
    ...counts,
  };
  await db
    .insertInto('icop_supplier')
    .values([
      { supplierId: 'S1', supplierName: 'Bumper', supplierType: '1', status: '1' },
      { supplierId: 'S2', supplierName: 'S2', supplierType: '2', status: '1' },
    ])
    .execute();
  await db
    .insertInto('icop_part_number')
    .values(['W1', 'W2'].map((waferPn) => ({ waferPn, waferMpn: waferPn, status: '1' })))
    .execute();
  await db
    .insertInto('icop_part_number_line')
    .values(
      ['D1', 'D2'].map((devicePn) => ({
        devicePn,
        waferPn: 'W2',
        deviceErpCode: devicePn,
        packageType: 'QFN',
        productName: devicePn,
      })),
    )
    .execute();
  await db
    .insertInto('icop_bumping_cp_work_order')
    .values([
      { ...order, workOrderNo: 'B1', processType: '2', supplierId: 'S1', waferPn: 'W1', waferQty: 25, billStatus: '2' },
      { ...order, workOrderNo: 'B2', processType: '3' },
      { ...order, workOrderNo: 'B3', processType: '1', lotType: '3', engineeringCode: 'E1' },
      { ...order, workOrderNo: 'B4', processType: '2', createTime: at('2026-11-01') },
      { ...order, workOrderNo: 'B5', processType: '2', siteId: 'NB' },
    ])
    .execute();
  await db
    .insertInto('icop_bumping_cp_work_order_line')
    .values([
      { workOrderNo: 'B1', wipId: 'L1' },
      { workOrderNo: 'B1', wipId: 'L2' },
    ])
    .execute();
  await db
    .insertInto('icop_assembly_work_order')
    .values([
      { ...order, workOrderNo: 'A1', processType: '2', lotType: '0', devicePn: 'D1' },
      { ...order, workOrderNo: 'A2', processType: '1', lotType: '3', devicePn: 'D2' },
    ])
    .execute();
  await db
    .insertInto('icop_ft_work_order')
    .values({ ...order, workOrderNo: 'F1', processType: '1', ftType: '1', lotType: '0', devicePn: 'D1' })
    .execute();
});
afterAll(() => testApp?.close());

const october = { startDate: '2026-10-01', endDate: '2026-10-31' };
const pathOf = (module: string) => `/api/${module}/exportSummary.json`;

async function summary(input: object, as = 'planner', module = 'icopFtWorkOrder') {
  const query = { ...october, ...input, lang: 'en' } as Record<string, string>;
  const headers = { token: await testApp.openToken(as) };
  const reply = await testApp.app.inject({ method: 'GET', url: pathOf(module), query, headers });
  const [heading = [], ...rows] = (await readXlsx(reply.rawPayload)).sheets[0]?.rows ?? [];
  return rows.map((row) => Object.fromEntries(heading.map((name, i) => [String(name), row[i]])));
}
const listNumbers = async (input: object, as?: string) => (await summary(input, as)).map((it) => it['Work order']);

describe('the order summary', () => {
  it.each(orderModules)(
    'at %s is made for nobody without a session or the right, nor without its days',
    async (module) => {
      expect(await testApp.ask('GET', pathOf(module), october)).toMatchObject({ status: 401 });
      expect(await testApp.ask('GET', pathOf(module), october, { as: 'warehouse' })).toMatchObject({ status: 403 });
      const ask = (input: object) => testApp.ask('GET', pathOf(module), input, { as: 'planner' });
      expect(await ask({ startDate: '2026-10-01' })).toMatchObject({ code: '100001' });
      expect(await ask({ ...october, orderType: '7' })).toMatchObject({ code: '100015' });
      expect(await ask({ ...october, orderType: '2', kind: 'cp' })).toMatchObject({ code: '100015' });
    },
  );

  it.each([
    [{ orderType: '2', kind: 'bumping_cp' }, ['B1']],
    [{ orderType: '3', kind: 'cp' }, ['B2']],
    [{ orderType: '3', kind: 'engineer' }, ['A2', 'B3']],
    [{ orderType: '3' }, ['A2', 'B2', 'B3']],
    [{}, ['A2', 'B2', 'B3']],
    [{ orderType: '' }, ['A2', 'B2', 'B3']],
    [{ orderType: '', kind: '' }, ['A2', 'B2', 'B3']],
    [{ orderType: '', kind: 'production' }, ['A1', 'F1']],
    [{ orderType: '0', kind: 'production' }, ['A1', 'F1']],
  ])('of %j tells %j of the asker’s site', async (input, numbers) => {
    expect(await listNumbers(input)).toEqual(numbers);
  });

  it('tells each order by its words and its yield', async () => {
    expect((await summary({ orderType: '2' }))[0]).toMatchObject({
      Type: 'Bumping/CP',
      'Process type': 'Bumping + CP',
      'Lot type': 'Pilot',
      Supplier: 'Bumper',
      'Wafer PN': 'W1',
      Lots: 2,
      Wafers: 25,
      Input: 200,
      Output: 150,
      Loss: 50,
      'Yield (%)': 75,
      Status: 'In process',
    });
    expect((await summary({ orderType: '0' }))[0]).toMatchObject({
      'Process type': 'Assembly + FT',
      'Device PN': 'D1',
    });
  });

  it('counts of what came back the bins that are good', async () => {
    const entry = { transactionType: 'OUTPUT', operateStatus: 'Normal', eventTime: at('2026-10-11'), siteId: 'SZ' };
    await testApp.db
      .insertInto('icop_transaction')
      .values([
        { ...entry, wipId: 'T1', bin: '1', qty: 130, workOrderNo: 'F1' },
        { ...entry, wipId: 'T1', bin: '9', qty: 20, workOrderNo: 'F1' },
        { ...entry, wipId: 'T1', bin: '9', qty: 5, workOrderNo: 'F1', operateStatus: 'Rollbacked' },
      ])
      .execute();
    const yields = async () =>
      Object.fromEntries((await summary({ orderType: '0' })).map((it) => [it['Work order'], it['Yield (%)']]));
    expect(await yields()).toEqual({ A1: 75, F1: 65 });
    const counts = { outputQty: 30, lossQty: 10 };
    await testApp.db.updateTable('icop_assembly_work_order').set(counts).where('workOrderNo', '=', 'A1').execute();
    expect(await yields()).toMatchObject({ A1: 75 });
  });

  it('of another site is told only to who sees it', async () => {
    expect(await listNumbers({ orderType: '2' }, 'admin')).toEqual(['B1', 'B5']);
  });

  it('has a code that two kinds share', () => {
    expect(kindsOf({})).toEqual(['cp', 'engineer']);
    expect(kindsOf({ orderType: '3', kind: 'engineer' })).toEqual(['engineer']);
  });
});
