import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { InputOf } from '#domain/call.ts';
import { dayOf } from '#domain/day.ts';
import { Node } from '#domain/nodes.ts';
import { ReportType } from '#domain/reports.ts';
import { submitBurninBill } from '#features/aging/contract.ts';
import { moveBill, terminate } from '#features/bill-actions/contract.ts';
import { check } from '#features/check/contract.ts';
import { billProgress } from '#features/maintain-bill/contract.ts';
import { modifyIvyId } from '#features/node-edit/contract.ts';
import { submitExamineBill } from '#features/qc/contract.ts';
import { rollbackTransaction } from '#features/rollback/contract.ts';
import { storeStart, submitStoreBill } from '#features/store/contract.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, maintainBill, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { expectNo, expectRefused, readCodeIds, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { readRows } from '#tests/support/reports.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import {
  defectiveProductRepair,
  testAndStore,
  validateSn,
  validateSnForDefective,
} from '#features/defective-repair/contract.ts';

let testApp: TestApp;
let codes: Record<string, number>;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
});
afterAll(() => testApp.close());

let made = 0;
const newSn = (prefix: string) => `${prefix}${String(++made).padStart(17 - prefix.length, '0')}`;
async function archived(sn = newSn('RX19OWN'), more: object = {}): Promise<string> {
  const row = { sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1', ...more };
  await testApp.db.insertInto('ubs_item_object').values(row).execute();
  return sn;
}
/** In the site's warehouse of defectives, or of goods. */
const defective = async (more: object = {}) =>
  stockMachine(testApp.db, Node.AwaitingCheck, {
    sn: await archived(),
    subinventoryCode: 'DEF',
    storageType: '1',
    ...more,
  });
const goods = async (more: object = {}) =>
  stockMachine(testApp.db, Node.CanShip, { sn: await archived(), subinventoryCode: 'FG', storageType: '0', ...more });
async function part(node: Node | null, storageType: string): Promise<string> {
  const sn = await archived();
  await stockMachine(testApp.db, Node.CanShip, { sn, ivyId: node, storageType });
  const device = await stockMachine(testApp.db, Node.AwaitingTest, { sn: newSn('DEVOWN') });
  await testApp.db
    .insertInto('ubs_assembly')
    .values({ deviceSn: device, componentSn: sn, componentType: 'COIT000000S0', bindTime: sql<string>`now()` as never })
    .execute();
  return sn;
}

const form = { receiveShipId: 'SF', receiveShipNo: ' sf-own 1 ', siteId: 'SZ', remark: ' back from the line ' };
type Defective = InputOf<typeof defectiveProductRepair>;
const registerDefective = (sns: readonly string[], more: Partial<Defective> = {}, asking: object = {}) =>
  testApp.send(
    defectiveProductRepair,
    { ...form, lineRequestList: sns.map((sn) => ({ sn })), ...more },
    { as: 'warehouse', ...asking },
  );
const registerPackage = (sns: readonly string[], more: object = {}) =>
  testApp.send(
    testAndStore,
    { siteId: 'SZ', dataList: [{ itemRequestList: sns.map((sn) => ({ sn })) }], ...more },
    { as: 'warehouse' },
  );
const register = { defectiveProductRepair: registerDefective, testAndStore: registerPackage };
const scan = {
  defectiveProductRepair: (sn: string) => testApp.send(validateSnForDefective, { sn }, { as: 'warehouse' }),
  testAndStore: (sn: string) => testApp.send(validateSn, { sn }, { as: 'warehouse' }),
};
async function done(asked: Promise<{ code: string; msg: string; data: unknown }>) {
  const answer = await asked;
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data as { id: number; dpbId: string; mtbId: string; count: number };
}
const path = '/api/rmaDefectiveProductRepairBill';
const remove = (id: number, as = 'warehouse') => testApp.ask('POST', `${path}/deleteById.json`, { id }, { as });

const readUnit = (sn: string) =>
  testApp.db.selectFrom('rma_inventory').selectAll().where('sn', '=', sn).executeTakeFirstOrThrow();
const readBill = (mtbId: string) =>
  testApp.db.selectFrom('rma_maintain_bill').selectAll().where('mtbId', '=', mtbId).executeTakeFirst();
const readRegistration = (dpbId: string) =>
  testApp.db
    .selectFrom('rma_defective_product_repair_bill')
    .selectAll()
    .where('dpbId', '=', dpbId)
    .executeTakeFirstOrThrow();
const statusOf = async ({ dpbId, mtbId }: { dpbId: string; mtbId: string }) => [
  (await readBill(mtbId))?.billStatus,
  (await readRegistration(dpbId)).billStatus,
];
const latestId = async (sn: string) => String((await readTrace(testApp, sn)).history[0]?.id);
const rollBack = async (sn: string) =>
  testApp.send(rollbackTransaction, { id: await latestId(sn), remark: 'mistake' }, { as: 'admin' });

const ages = (sn: string, code = 'AT00') =>
  done(testApp.send(submitBurninBill, { rmaBurninBillLineList: [{ sn, icdId: codes[code] }] }, { as: 'tech' }));
const inspects = (sn: string) =>
  done(testApp.send(submitExamineBill, { rmaExamineBillLineList: [{ sn, icdId: codes['QC00'] }] }, { as: 'tech' }));
const stores = (...sns: string[]) =>
  done(
    testApp.send(
      submitStoreBill,
      { rmaStoreBillLineList: sns.map((sn) => ({ sn })), packageCount: 20 },
      { as: 'warehouse' },
    ),
  );

/** What both registrations refuse of an SN, at the scan and at the submit alike; `good` is what each takes. */
const common = (
  step: 'defectiveProductRepair' | 'testAndStore',
): [string, string, () => Promise<string> | string][] => {
  const [node, storageType] = step === 'testAndStore' ? [Node.CanShip, '0'] : [Node.AwaitingCheck, '1'];
  const at = async (more: object) => stockMachine(testApp.db, node, { sn: await archived(), storageType, ...more });
  return [
    ['an empty SN', '100001', () => ' '],
    ['an SN that can be none', '100015', () => 'SN 1/2'],
    ['an SN that nobody knows', '100002', () => 'RX19NOBODY'],
    ['another site’s', '100004', () => at({ siteId: 'NB' })],
    ['what was shipped', '100005', () => at({ ivyId: Node.Shipped })],
    ['scrap', '100006', () => at({ ivyId: Node.Scrapped, storageType: '2' })],
    ['a customer’s unit on an open bill', '100009', async () => (await unitOnBill(testApp.db, { node })).sn],
    ['what is being repaired', '100003', () => at({ ivyId: Node.AwaitingRepair, storageType: '1' })],
    ['what is kept as scrap', '100003', () => at({ storageType: '2' })],
    ['a part of a device', '100026', () => part(node, storageType)],
  ];
};
const refused: Record<keyof typeof register, [string, string, () => Promise<string> | string][]> = {
  defectiveProductRepair: [
    ...common('defectiveProductRepair'),
    ['what waits for a supervisor', '100008', async () => (await heldUnit(testApp.db, 'scrap')).sn],
    ['goods of the stock', '100003', () => goods()],
    ['what only the archive knows', '100002', () => archived()],
  ],
  testAndStore: [
    ...common('testAndStore'),
    ['a defective of the stock', '100003', () => defective()],
    ['a new part without a sales code', '100002', () => archived(newSn('FOREIGN'), { salesCode: null, origin: '4' })],
    ['a new part that is in a device', '100026', () => part(null, '1')],
  ],
};

describe.each(['defectiveProductRepair', 'testAndStore'] as const)('%s', (step) => {
  it.each(refused[step])('refuses %s by name, and writes nothing [S-DEF-05]', async (_, code, snOf) => {
    const sn = await snOf();
    await expectNo(code, () => scan[step](sn));
    const good = step === 'testAndStore' ? await goods() : await defective();
    const answer = await expectRefused(testApp, code, () => register[step]([good, sn]));
    if (!['100001', '100015'].includes(code)) expect(answer.msg).toContain(sn);
  });

  it('refuses an SN that is named twice, and nothing at all [S-DEF-03]', async () => {
    const sn = step === 'testAndStore' ? await archived() : await defective();
    await expectRefused(testApp, '100007', () => register[step]([sn, ` ${sn.toLowerCase()}`]));
    await expectRefused(testApp, '100001', () => register[step]([]));
  });

  it('is made once, however often it is sent, and refuses its SNs from then on', async () => {
    const sn = step === 'testAndStore' ? await archived() : await defective();
    const { dpbId, mtbId } = await done(register[step]([sn]));
    expect((await expectRefused(testApp, '100009', () => register[step]([sn]))).msg).toContain(mtbId);
    expect(await readRegistration(dpbId)).toMatchObject({ mtbId, count: 1 });
  });

  it('is at the own site alone, which it names [S-DEF-02] [S-DEF-04]', async () => {
    const sn = step === 'testAndStore' ? await archived() : await defective();
    await expectRefused(testApp, '100001', () => register[step]([sn], { siteId: '' }));
    await expectRefused(testApp, '100004', () => register[step]([sn], { siteId: 'NB' }));
    await expectRefused(testApp, '100013', () => testApp.ask('POST', `${path}/${step}.json`, {}, { as: 'tech' }));
  });

  it('is not rolled back but deleted, which its refusal says', async () => {
    const sn = step === 'testAndStore' ? await archived() : await defective();
    const { dpbId } = await done(register[step]([sn]));
    const answer = await expectRefused(testApp, '100015', () => rollBack(sn));
    expect(answer.msg).toContain(dpbId);
  });

  it('is taken back by its deletion with everything that it made; the histories keep both', async () => {
    const was = { subinventoryCode: 'ODD' };
    const known =
      step === 'testAndStore' ? [await goods(was), await goods()] : [await defective(was), await defective()];
    const sns = step === 'testAndStore' ? [...known, await archived()] : known;
    const before = await Promise.all(known.map(readUnit));
    const { id, mtbId } = await done(register[step](sns));
    await testApp.db
      .insertInto('rma_arrival_bill')
      .values({ abId: `AB${mtbId}`, receiveShipNo: `A${mtbId}`, siteId: 'SZ', status: '0', mtbId, userId: 'warehouse' })
      .execute();
    await done(remove(id));
    const apart = {
      version: expect.any(Number) as number,
      updateBy: 'warehouse',
      updateTime: expect.any(Number) as number,
    };
    expect(await Promise.all(known.map(readUnit))).toEqual(before.map((it) => ({ ...it, ...apart })));
    for (const sn of sns.slice(known.length)) {
      expect(await readUnit(sn)).toMatchObject({ ivyId: null, mtbId: null, mtbliId: null, storageType: null });
    }
    for (const table of ['rma_maintain_bill', 'rma_maintain_bill_line', 'rma_maintain_bill_line_item'] as const) {
      expect(await testApp.db.selectFrom(table).select('id').where('mtbId', '=', mtbId).execute(), table).toEqual([]);
    }
    const arrival = testApp.db.selectFrom('rma_arrival_bill').select('mtbId').where('abId', '=', `AB${mtbId}`);
    expect(await arrival.executeTakeFirst()).toEqual({ mtbId: null });
    const { history } = await readTrace(testApp, sns[0] as string);
    expect(history.map((it) => [it.step, it.operateStatus])).toEqual([
      ['rollback', 'Rollbacked'],
      [step, 'Rollbacked'],
    ]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
    await done(register[step](sns));
  });

  it('is not deleted once an SN has moved; rolled back, it can be', async () => {
    const sns = step === 'testAndStore' ? [await archived(), await goods()] : [await defective(), await defective()];
    const [sn = ''] = sns;
    const { id } = await done(register[step](sns));
    if (step === 'testAndStore') await ages(sn);
    else
      await done(testApp.send(check, { sn, issueCodeIdList: [codes['NTF'] as number], checkUrls: '' }, { as: 'tech' }));
    const answer = await expectRefused(testApp, '100023', () => remove(id));
    expect(answer.msg).toContain(sn);
    await done(rollBack(sn));
    await expectRefused(testApp, '100013', () => remove(id, 'tech'));
    await expectRefused(testApp, '100002', () => remove(id, 'whNB'));
    await done(remove(id, 'office'));
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('a scan', () => {
  it('tells what the SN is, by either method, and stores nothing [S-DEF-05]', async () => {
    const known = [
      ['validateSnForDefective', await defective()],
      ['validateSn', await archived()],
      ['validateSn', await goods()],
    ] as const;
    const before = await takeSnapshot(testApp.db);
    for (const [name, sn] of known) {
      const row = await testApp.db.selectFrom('ubs_item_object').select('id').where('sn', '=', sn).executeTakeFirst();
      for (const method of ['GET', 'POST'] as const) {
        const answer = await testApp.ask(
          method,
          `${path}/${name}.json`,
          { sn: ` ${sn.toLowerCase()} ` },
          { as: 'warehouse' },
        );
        expect(answer, `${method} ${name}: ${answer.msg}`).toMatchObject({
          code: '000000',
          data: {
            sn,
            itemObject: { itemObjectId: Number(row?.id) },
            item: { salesCode: 'RX19', itemId: expect.any(Number) as number },
          },
        });
      }
    }
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  it('takes a defective of the stock that the archive does not know, by what its unit says', async () => {
    const sn = await stockMachine(testApp.db, Node.AwaitingCheck, { storageType: '1' });
    expect((await scan.defectiveProductRepair(sn)).data).toMatchObject({
      itemObject: { itemObjectId: null },
      item: { salesCode: 'RX19' },
    });
  });
});

it('names the site as the customer in both languages, and in one where it has no other', async () => {
  const called = (siteNameEn: string | null) =>
    testApp.db.updateTable('ubs_site').set({ siteNameEn }).where('siteId', '=', 'SZ').execute();
  const customerOf = async () => {
    const { mtbId } = await done(registerDefective([await defective()]));
    return (await readBill(mtbId))?.userName;
  };
  expect(await customerOf()).toBe('深圳维修中心');
  await called('Shenzhen repair center');
  expect(await customerOf()).toBe('深圳维修中心 / Shenzhen repair center');
  await called('S'.repeat(95));
  expect(await customerOf()).toBe('深圳维修中心');
  await called(null);
});

describe('the registration of defectives', () => {
  it('makes a received bill of type 9, a line a sales code, an item an SN, each at node 10 [S-DEF-06] [S-DEF-01]', async () => {
    const [one, two] = [await defective(), await defective()];
    const other = await defective({
      salesCode: 'RX21',
      itemName: 'RX21 120T',
      sn: await archived(newSn('RX21OWN'), { salesCode: 'RX21' }),
    });
    const { dpbId, mtbId, count } = await done(registerDefective([one, other, two]));
    expect(count).toBe(3);
    expect(await readBill(mtbId)).toMatchObject({
      billType: '9',
      billStatus: '1',
      siteId: 'SZ',
      receiveShipId: 'SF',
      receiveShipNo: 'SF-OWN 1',
      remark: 'back from the line',
      createBy: 'warehouse',
      btmUserId: null,
    });
    const lines = await testApp.db
      .selectFrom('rma_maintain_bill_line')
      .selectAll()
      .where('mtbId', '=', mtbId)
      .orderBy('id')
      .execute();
    expect(lines.map((it) => [it.salesCode, it.count, it.receiveCount])).toEqual([
      ['RX19', 2, 2],
      ['RX21', 1, 1],
    ]);
    const { unit, history } = await readTrace(testApp, one);
    expect(unit).toMatchObject({
      ivyId: '10',
      mtbId,
      mtblId: lines[0]?.mtblId,
      storageType: '1',
      subinventoryCode: null,
    });
    expect(history[0]).toMatchObject({
      step: 'defectiveProductRepair',
      billId: dpbId,
      mtbId,
      fromNode: '10',
      toNode: '10',
    });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('is received from nobody: home and each report that counts receipts leave it out alike', async () => {
    const received = async () => {
      const home = await testApp.ask<{ returns: { first: number; again: number }[] }>(
        'GET',
        '/api/dashBoard.json',
        {},
        { as: 'admin' },
      );
      const receipts = await readRows(testApp, 'exportSupplierStatistics', {
        days: [1, 0],
        reportType: ReportType.Receive,
      });
      const month = `${dayOf(Date.now(), testApp.config.timeZone).slice(0, 7)}-01`;
      const rate = await readRows(testApp, 'exportRepairRateStatistics', { startDate: month, endDate: month });
      const sum = rate.reduce((all, it) => all + Number(it['received']), 0);
      const { first, again } = home.data.returns.at(-1) ?? { first: NaN, again: NaN };
      return [first + again, receipts.length, sum];
    };
    const before = await received();
    await done(registerDefective([await defective()]));
    expect(await received()).toEqual(before);
    const { mtbliId } = await unitOnBill(testApp.db, { node: Node.AwaitingCheck });
    await sql`UPDATE rma_maintain_bill_line_item SET "receiveTime" = now() WHERE "mtbliId" = ${mtbliId}`.execute(
      testApp.db,
    );
    expect(await received()).toEqual(before.map((it) => Number(it) + 1));
  });

  it.each(['receiveShipId', 'receiveShipNo', 'siteId'])('asks for its %s [S-DEF-02]', async (name) => {
    const sn = await defective();
    const answer = await expectRefused(testApp, '100001', () => registerDefective([sn], { [name]: ' ' }));
    expect(answer.data).toMatchObject({ problems: [{ field: name }] });
  });

  it('refuses a courier that is none, and another model or record than the SN has', async () => {
    const sn = await defective();
    await expectRefused(testApp, '100002', () => registerDefective([sn], { receiveShipId: 'PIGEON' }));
    await expectRefused(testApp, '100020', () =>
      registerDefective([sn], { lineRequestList: [{ sn, salesCode: 'RX21' }] }),
    );
    await expectRefused(testApp, '100020', () =>
      registerDefective([sn], { lineRequestList: [{ sn, itemObjectId: 999_999 }] }),
    );
  });

  it('is one registration under one key', async () => {
    const sn = await defective();
    const key = newKey();
    const first = await done(registerDefective([sn], {}, { key }));
    expect(await done(registerDefective([sn], {}, { key }))).toEqual(first);
  });

  it('of one SN by two at once succeeds for one of them', async () => {
    const [a, b] = [await defective(), await archived()];
    const answers = await Promise.all([
      registerDefective([a]),
      registerDefective([a]),
      registerPackage([b]),
      registerPackage([b]),
    ]);
    expect(answers.filter((it) => it.code === '000000')).toHaveLength(2);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('a test package', () => {
  it('makes a received bill of type 10 whose SNs are at node 70, new parts among them [S-DEF-07]', async () => {
    const [fresh, stored] = [await archived(), await goods()];
    const { dpbId, mtbId } = await done(
      registerPackage([], {
        remark: 'sample',
        dataList: [
          { salesCode: 'RX19', name: 'RX19 104T', itemId: 1, itemRequestList: [{ sn: fresh }, { sn: stored }] },
        ],
      }),
    );
    expect(await readBill(mtbId)).toMatchObject({
      billType: '10',
      billStatus: '1',
      receiveShipNo: dpbId,
      remark: 'sample',
    });
    expect(await readUnit(fresh)).toMatchObject({
      ivyId: '70',
      mtbId,
      siteId: 'SZ',
      type: '0',
      salesCode: 'RX19',
      storageType: '1',
    });
    expect((await readTrace(testApp, stored)).history[0]).toMatchObject({
      step: 'testAndStore',
      fromNode: '100',
      toNode: '70',
    });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('goes the ordinary way: tested, stored as stock that waits for nobody, and finished with its last SN', async () => {
    const sns = [await archived(), await archived()];
    const [one = '', two = ''] = sns;
    const registration = await done(registerPackage(sns));
    for (const sn of sns) {
      await ages(sn);
      await inspects(sn);
    }
    expect(await stores(one)).toMatchObject({ skbIdList: [] });
    expect(await statusOf(registration)).toEqual(['1', '1']);
    expect(await readUnit(one)).toMatchObject({
      ivyId: '100',
      mtbId: null,
      mtbliId: null,
      subinventoryCode: 'FG',
      storageType: '0',
    });
    const progress = await testApp.send(billProgress, { mtbId: registration.mtbId }, { as: 'warehouse' });
    expect(progress.data.stages.toSorted((a, b) => (a.stage < b.stage ? -1 : 1))).toMatchObject([
      { stage: 'stocked', count: 1 },
      { stage: 'store', count: 1 },
    ]);
    await stores(two);
    expect(await statusOf(registration)).toEqual(['2', '2']);
    expect(await brokenInvariants(testApp.db)).toEqual([]);

    // The way back of the store leads to the bill, which is open again.
    const undone = await done(rollBack(two));
    expect(undone).toMatchObject({ ivyId: '90' });
    expect(await statusOf(registration)).toEqual(['1', '1']);
    expect(await readUnit(two)).toMatchObject({ ivyId: '90', mtbId: registration.mtbId });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
    await stores(two);
    // What is stock may be registered again, on a bill of its own.
    await done(registerPackage([one]));
    await expectRefused(testApp, '100023', () => remove(registration.id));
  });

  it('that fails its test waits for repair on its bill', async () => {
    const sn = await archived();
    const { mtbId } = await done(registerPackage([sn]));
    await ages(sn, 'AT01');
    expect(await readUnit(sn)).toMatchObject({ ivyId: '50', mtbId });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it.each([
    ['the shelf', Node.CanShip, null],
    ['scrap', Node.Scrapped, 'mtbId'],
    ['shipped', Node.Shipped, 'mtbId'],
  ] as const)(
    'ends where an administrator puts its SN: %s, and goes on when that is undone',
    async (_, node, stays) => {
      const sn = await archived();
      const registration = await done(registerPackage([sn]));
      await done(testApp.send(modifyIvyId, { sn, ivyId: node }, { as: 'admin' }));
      expect(await statusOf(registration)).toEqual(['2', '2']);
      expect((await readUnit(sn)).mtbId).toBe(stays && registration.mtbId);
      expect(await brokenInvariants(testApp.db)).toEqual([]);
      await done(rollBack(sn));
      expect(await statusOf(registration)).toEqual(['1', '1']);
      expect(await readUnit(sn)).toMatchObject({ ivyId: '70', mtbId: registration.mtbId });
      expect(await brokenInvariants(testApp.db)).toEqual([]);
    },
  );

  it('that is closed by force gives its SN up, and the registration says so', async () => {
    const sn = await archived();
    const registration = await done(registerPackage([sn]));
    await done(testApp.send(terminate, { mtbId: registration.mtbId, discardInHouse: '1' }, { as: 'aftersales' }));
    expect(await statusOf(registration)).toEqual(['2', '2']);
    await done(rollBack(sn));
    expect(await statusOf(registration)).toEqual(['1', '1']);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('own goods that are tested from the beginning again', () => {
  it('go back to their registration, and stay at the site to which they were brought', async () => {
    const sn = await defective();
    const before = await unitOnBill(testApp.db, { node: Node.Shipped });
    // It was a customer's once, and was tested there.
    await testApp.db
      .insertInto('rma_transaction')
      .values(
        (['receive', 'check', 'buyOut', 'storeStart'] as const).map((step, i) => ({
          ...{ sn, step, mtbId: before.mtbId, siteId: 'SZ', operateStatus: 'Normal', eventTime: sql<string>`now()` },
          ...{ fromNode: [null, '10', '50', '50'][i], toNode: ['10', '50', '50', '10'][i] },
        })),
      )
      .execute();
    const { id, mtbId } = await done(registerDefective([sn]));
    await done(testApp.send(check, { sn, issueCodeIdList: [codes['FX409'] as number], checkUrls: '' }, { as: 'tech' }));
    const { mtbliId } = await readUnit(sn);
    const moved = { rmaMaintainBillLineItemList: [{ mtbliId }], updateSiteId: 'NB' };
    await done(testApp.ask('POST', '/api/rmaMaintainBillLineItem/updateSiteId.json', moved, { as: 'admin' }));
    const back = { list: [{ sn, mtbliId, mtbId }] };
    await done(
      testApp.ask('POST', '/api/rmaMaintainBillLineItem/rollbackToPreliminaryTest.json', back, { as: 'admin' }),
    );
    const { history } = await readTrace(testApp, sn);
    const stands = history.filter((it) => it.operateStatus === 'Normal').map((it) => it.step);
    expect(stands).toEqual(['updateSiteId', 'defectiveProductRepair', 'storeStart', 'buyOut', 'check', 'receive']);
    expect(history[0]).toMatchObject({ siteId: 'NB', fromSiteId: 'SZ', fromNode: '10', toNode: '10' });
    await expectRefused(testApp, '100023', () => remove(id));
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('keeps what was done while they waited for their test, whatever they were called before', async () => {
    const sn = await defective();
    const now = newSn('RENAMED');
    const { id, mtbId } = await done(registerDefective([sn]));
    const { mtbliId } = await readUnit(sn);
    const checks = (as: string) =>
      testApp.send(check, { sn: now, issueCodeIdList: [codes['FX409'] as number], checkUrls: '' }, { as });
    const back = { list: [{ sn: now, mtbliId, mtbId }] };
    const returns = () =>
      testApp.ask('POST', '/api/rmaMaintainBillLineItem/rollbackToPreliminaryTest.json', back, { as: 'admin' });
    await done(testApp.send(check, { sn, issueCodeIdList: [codes['FX409'] as number], checkUrls: '' }, { as: 'tech' }));
    const change = { cause: '1', oldSn: sn, newSn: now };
    await done(testApp.ask('POST', '/api/ubsItemObject/changeSn.json', change, { as: 'admin' }));
    await done(returns());
    const moved = { rmaMaintainBillLineItemList: [{ mtbliId }], updateSiteId: 'NB' };
    await done(testApp.ask('POST', '/api/rmaMaintainBillLineItem/updateSiteId.json', moved, { as: 'admin' }));
    await done(checks('techNB'));
    await done(returns());
    const { history } = await readTrace(testApp, now);
    expect(history.map((it) => [it.step, it.operateStatus]).toReversed()).toEqual([
      ['defectiveProductRepair', 'Normal'],
      ['check', 'Rollbacked'],
      ['changeSn', 'Normal'],
      ['returnToCheck', 'Rollbacked'],
      ['updateSiteId', 'Normal'],
      ['check', 'Rollbacked'],
      ['returnToCheck', 'Rollbacked'],
    ]);
    const { msg } = await expectRefused(testApp, '100023', () => remove(id));
    expect(msg).toContain(`SN ${now} has moved on since it was registered (Change of store)`);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('are not deleted: what the test found stands with their item', async () => {
    const sn = await defective();
    const { id, mtbId } = await done(registerDefective([sn]));
    await done(testApp.send(check, { sn, issueCodeIdList: [codes['FX409'] as number], checkUrls: '' }, { as: 'tech' }));
    const { mtbliId } = await readUnit(sn);
    const back = { list: [{ sn, mtbliId, mtbId }] };
    await done(
      testApp.ask('POST', '/api/rmaMaintainBillLineItem/rollbackToPreliminaryTest.json', back, { as: 'admin' }),
    );
    const { msg } = await expectRefused(testApp, '100015', () => remove(id));
    expect(msg).toContain(`SN ${sn} was tested since it was registered`);
    const lines = testApp.db.selectFrom('rma_check_bill_line').select('mtbliId').where('sn', '=', sn);
    expect(await lines.execute(), 'its tests have their item').toEqual([{ mtbliId }]);
    expect(await readUnit(sn)).toMatchObject({ mtbId, mtbliId });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('own goods and a customer’s', () => {
  it('do not move between each other’s bills, in neither direction', async () => {
    const customers = await unitOnBill(testApp.db, { node: Node.AwaitingTest, bill: await maintainBill(testApp.db) });
    const sn = await archived();
    const own = await done(registerPackage([sn]));
    const { mtblId, mtbliId } = await readUnit(sn);
    const moves = (id: string, to: { mtbId: string; mtblId: string }) =>
      testApp.send(
        moveBill,
        { ids: [id], mtbId: to.mtbId, mtblId: to.mtblId, moveBillFlag: '1' },
        { as: 'aftersales' },
      );
    const ownLine = { mtbId: own.mtbId, mtblId: mtblId ?? '' };
    await expectRefused(testApp, '100020', () => moves(mtbliId ?? '', customers));
    await expectRefused(testApp, '100020', () => moves(customers.mtbliId, ownLine));
  });

  it('are told apart: no customer is entered on a bill of own goods', async () => {
    const { mtbId } = await done(registerPackage([await archived()]));
    const { id, version } = (await readBill(mtbId)) ?? {};
    const modify = (more: object) =>
      testApp.ask('POST', '/api/rmaMaintainBill/modifyById.json', { id, version, ...more }, { as: 'office' });
    const answer = await expectRefused(testApp, '100015', () => modify({ btmUserId: 'U1' }));
    expect(answer.data).toMatchObject({ problems: [{ key: 'fixed', field: 'btmUserId' }] });
    expect(await modify({ remark: 'on the second rack' })).toMatchObject({ code: '000000' });
  });

  it('are registered as they come from an activation', async () => {
    const sn = await archived();
    await done(testApp.send(storeStart, { sn, subinventoryCode: 'DEF' }, { as: 'warehouse' }));
    const { mtbId } = await done(registerDefective([sn]));
    expect(await readUnit(sn)).toMatchObject({ ivyId: '10', mtbId });
  });
});

describe('the detail', () => {
  it('shows the bill with its lines, and type 10 as a test package [S-DEF-08] [S-DEF-09]', async () => {
    const sn = await archived();
    const { id, mtbId, dpbId } = await done(registerPackage([sn], { remark: 'sample' }));
    const shown = (lang: 'zh' | 'en') =>
      testApp.ask('GET', `${path}/queryById.json`, { id }, { as: 'warehouse', lang });
    const answer = await shown('en');
    expect(answer.data).toMatchObject({
      dpbId,
      mtbId,
      siteId: 'SZ',
      createBy: 'warehouse',
      billType: '10',
      remark: 'sample',
      receiveShipNo: null,
      defectiveProductRepairBillLineList: [{ sn, salesCode: 'RX19' }],
    });
    expect(JSON.stringify(answer.data)).toContain('Test package');
    expect(JSON.stringify((await shown('zh')).data)).toContain('测试包');
    const { mtbId: none } = (await testApp.ask('GET', `${path}/queryById.json`, { id }, { as: 'whNB' })).data;
    expect(none).toBeUndefined();
  });
});
