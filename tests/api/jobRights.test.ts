import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { downloadJob, isOver, readJob } from '#domain/jobs.ts';
import { submitBurninBill } from '#features/aging/contract.ts';
import { exportMany } from '#features/find-many/contract.ts';
import { FEE_REPORT_JOB } from '#features/repair-fee/server.report.ts';
import { publishDraft, saveChange } from '#features/studio/contract.ts';
import { jobHandler } from '#server/jobs/job.ts';
import { startJobNow } from '#server/jobs/start.ts';
import { openSession } from '#server/session/sessions.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { repairSuppliers, unitOnBill } from '#tests/support/factories.ts';
import { jobHandlers } from '#tests/support/features.ts';
import { readCodeIds } from '#tests/support/guard.ts';
import { contextFor } from '#tests/support/jobs.ts';
import { sendFile, workbook } from '#tests/support/workbooks.ts';

/** An account's jobs run one after the other: this one goes ahead of them until the test lets it end. */
let letGo = () => undefined as void;
let isHeld: Promise<void>;
const ahead = jobHandler(() => isHeld.then(() => ({})));

let testApp: TestApp;
let priceBill: number;
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 0 }, { worksJobs: { ahead } });
  const { db } = testApp;
  await unitOnBill(db, { node: Node.AwaitingCheck });
  const price = {
    siteId: 'SZ',
    prbId: 'P1',
    billStatus: '2',
    repairProject: '1',
    machineType: 'RX19',
    repairType: '2',
  };
  const terms = { settleCompany: 'C', supplierName: 'S', currency: 'CNY', warranty: '1', taxRate: '13' };
  const days = { effectiveDate: '2026-01-01', expirationDate: '2026-12-31', unitPriceWithTax: '113' };
  await repairSuppliers(db, 'S');
  const { id } = await db
    .insertInto('rma_price_bill')
    .values({ ...price, ...terms, ...days })
    .returning('id')
    .executeTakeFirstOrThrow();
  priceBill = id;
});
afterAll(() => testApp?.close());

/** Somebody who may do everything at all sites. */
async function addAccount(userId: string): Promise<void> {
  const { db } = testApp;
  await db.insertInto('admin_role').values({ roleId: userId, name: userId, nameEn: userId, allSites: '1' }).execute();
  await db.insertInto('role_right').values({ roleId: userId, right: '*:*' }).execute();
  const account = { userId, userName: userId, password: '', roleIds: userId, siteId: 'SZ', allSites: '0', status: '1' };
  await db.insertInto('admin_user').values(account).execute();
  const bill = { rfbId: `RFB-${userId}`, billStatus: '0', siteId: 'SZ' };
  await db.insertInto('rma_repair_fee_bill').values(bill).execute();
}

const get = (path: string, input: object, as: string) => testApp.ask('GET', path, input, { as });
/** How each kind of job is ordered. */
const orders: Record<string, (as: string) => Promise<unknown>> = {
  listExport: (as) => get('/api/rmaInventory/export.json', {}, as),
  recordExport: (as) =>
    get('/api/rmaPriceBill/exportDirect.json', { script: 'exportDirectOne', id: String(priceBill) }, as),
  import: async (as) => {
    const heads = ['Item ID', 'Sales code', 'Item', 'Type', 'SN control'];
    const row = [String(1000 + as.charCodeAt(0)), `NEW-${as}`, 'New item', 'Device', 'By SN'];
    return sendFile(testApp, '/api/ubsItem/upload.json', [await workbook([heads, row])], { as });
  },
  report: (as) => get('/api/rmaReport/exportStockStatus.json', {}, as),
  orderSummary: (as) =>
    get('/api/icopFtWorkOrder/exportSummary.json', { startDate: '2026-10-01', endDate: '2026-10-31' }, as),
  findMany: (as) => testApp.send(exportMany, { sns: ['A1'] }, { as }),
  feeReport: async (as) =>
    startJobNow(await contextFor(testApp, as), {
      ...{ kind: FEE_REPORT_JOB, title: 'Fees', module: 'rmaRepairFeeBill' },
      ...{ right: 'rmaRepairFeeBill:generateMonthly', input: { rfbIds: [`RFB-${as}`] } },
    }),
  publish: async (as) => {
    const { data } = await testApp.ask<{ id: number }>('POST', '/api/sysDraft/create.json', { name: as }, { as });
    const { id } = data;
    const change = { label: { zh: as, en: as } };
    await testApp.send(saveChange, { draftId: id, module: 'ubsCountry', version: 0, change }, { as });
    const draft = testApp.db.selectFrom('sys_draft').select('version').where('id', '=', id);
    const { version } = await draft.executeTakeFirstOrThrow();
    return testApp.send(publishDraft, { id, version, note: 'x' }, { as });
  },
};

/** Orders one of each kind, does something else before any of them begins, and gives how they ended. */
async function order(userId: string, meanwhile: () => Promise<unknown>) {
  await addAccount(userId);
  isHeld = new Promise((done) => (letGo = done));
  const right = 'rmaReport:list';
  await startJobNow(await contextFor(testApp, userId), { kind: 'ahead', title: '', module: '', right, input: {} });
  for (const it of Object.values(orders)) await it(userId);
  const read = () =>
    testApp.db.selectFrom('job').select(['id', 'kind', 'state']).where('userId', '=', userId).orderBy('id').execute();
  const kinds = (await read()).map((it) => it.kind);
  expect(kinds).toEqual(['ahead', ...Object.keys(orders)]);
  await meanwhile();
  letGo();
  await expect.poll(async () => (await read()).every((it) => isOver(it.state))).toBe(true);
  return (await read()).slice(1);
}

const files = (userId: string) =>
  testApp.db.selectFrom('file').select('kind').where('createBy', '=', userId).where('kind', '<>', 'workbook').execute();
const imported = (userId: string) =>
  testApp.db.selectFrom('ubs_item').select('id').where('salesCode', '=', `NEW-${userId.toUpperCase()}`).execute();
const reported = (userId: string) =>
  testApp.db
    .selectFrom('rma_repair_fee_bill')
    .select('processingFeeReportUrl as url')
    .where('rfbId', '=', `RFB-${userId}`)
    .executeTakeFirstOrThrow();

const published = (userId: string) =>
  testApp.db.selectFrom('definition_publish').select('id').where('userId', '=', userId).execute();

it('every kind of job is walked here', () => {
  expect(Object.keys(orders).sort()).toEqual(Object.keys(jobHandlers).sort());
});

describe('a job that waited', () => {
  it('is done for who may still have it, and its file is given as long as they may', async () => {
    const { db } = testApp;
    const jobs = await order('kept', async () => undefined);
    expect(jobs.map((it) => [it.kind, it.state])).toEqual(Object.keys(orders).map((it) => [it, 'done']));
    expect(await imported('kept')).toHaveLength(1);
    expect((await reported('kept')).url).toMatch(/^\/file\//);
    expect(await published('kept')).toHaveLength(1);
    const withFile = jobs.filter((it) => it.kind !== 'import' && it.kind !== 'publish');
    const given = async () => {
      const token = await openSession(db, { userId: 'kept', began: 'password', ip: '127.0.0.1', days: 1 });
      const headers = { token };
      const codes = [];
      for (const { id } of withFile) {
        const { data } = await testApp.send(readJob, { id }, { token });
        const byJob = await testApp.app.inject({
          url: downloadJob.path,
          query: { id: String(id), lang: 'en' },
          headers,
        });
        codes.push([(await testApp.app.inject({ url: data.path ?? '', headers })).statusCode, byJob.statusCode]);
      }
      return codes;
    };
    const each = (...codes: number[]) => withFile.map(() => codes);
    expect(await given()).toEqual(each(200, 200));
    await db.updateTable('admin_role').set({ allSites: '0' }).where('roleId', '=', 'kept').execute();
    expect(await given()).toEqual(each(404, 403));
    await db.updateTable('admin_role').set({ allSites: '1' }).where('roleId', '=', 'kept').execute();
    await db.updateTable('role_right').set({ right: downloadJob.right }).where('roleId', '=', 'kept').execute();
    expect(await given()).toEqual(each(404, 403));
  });

  const user = (userId: string) => testApp.db.updateTable('admin_user').where('userId', '=', userId);
  const role = (roleId: string) => testApp.db.updateTable('admin_role').where('roleId', '=', roleId);
  it.each<[string, string, () => Promise<unknown>, RegExp, RegExp]>([
    [
      'account is switched off',
      'off',
      () => user('off').set({ status: '0' }).execute(),
      /^Not done: the account that ordered it was switched off/,
      /^未执行：.*账号已停用或删除$/,
    ],
    [
      'account is deleted',
      'deleted',
      () => testApp.db.deleteFrom('admin_user').where('userId', '=', 'deleted').execute(),
      /^Not done: the account that ordered it was switched off or deleted/,
      /^未执行：.*账号已停用或删除$/,
    ],
    [
      'right is taken away',
      'bare',
      () => testApp.db.deleteFrom('role_right').where('roleId', '=', 'bare').execute(),
      /^Not done: the account that ordered it no longer had the right/,
      /^未执行：.*没有此操作的权限$/,
    ],
    [
      'sites become fewer',
      'narrow',
      () => role('narrow').set({ allSites: '0' }).execute(),
      /^Not done: the sites .* changed .*; order it again$/,
      /^未执行：.*站点已变更，请重新提交$/,
    ],
    [
      'site becomes another',
      'moved',
      () => user('moved').set({ siteId: 'NB' }).execute(),
      /^Not done: the sites .* changed .*; order it again$/,
      /^未执行：.*站点已变更，请重新提交$/,
    ],
  ])(
    'whose %s is not done, whatever it is, and says why',
    { timeout: 60_000 },
    async (_, userId, meanwhile, en, zh) => {
      const jobs = await order(userId, meanwhile);
      expect(jobs.map((it) => [it.kind, it.state])).toEqual(Object.keys(orders).map((it) => [it, 'failed']));
      for (const { id } of jobs) {
        expect((await testApp.send(readJob, { id }, { as: 'admin' })).data).toMatchObject({
          msg: expect.stringMatching(en) as string,
          path: null,
        });
        expect((await testApp.send(readJob, { id }, { as: 'admin', lang: 'zh' })).data.msg).toMatch(zh);
      }
      expect(await files(userId)).toEqual([]);
      expect(await imported(userId)).toEqual([]);
      expect(await published(userId)).toEqual([]);
      expect((await reported(userId)).url).toBeNull();
    },
  );
});

it('what was scanned and is sent later is done only for who may do it when it comes', async () => {
  const { db } = testApp;
  await addAccount('late');
  const { sn } = await unitOnBill(db, { node: Node.AwaitingTest });
  const { AT00: icdId } = await readCodeIds(testApp);
  const key = newKey();
  const submit = () => testApp.send(submitBurninBill, { rmaBurninBillLineList: [{ sn, icdId }] }, { as: 'late', key });
  const user = db.updateTable('admin_user').where('userId', '=', 'late');
  await user.set({ status: '0' }).execute();
  expect(await submit()).toMatchObject({ status: 401 });
  await user.set({ status: '1', siteId: 'NB' }).execute();
  expect(await submit()).toMatchObject({ code: '100004' });
  await user.set({ siteId: 'SZ' }).execute();
  const { rights } = (await db
    .deleteFrom('role_right')
    .where('roleId', '=', 'late')
    .returning('right as rights')
    .executeTakeFirst()) ?? { rights: '' };
  expect(await submit()).toMatchObject({ status: 403, code: '100013' });
  const unit = () => db.selectFrom('rma_inventory').select('ivyId').where('sn', '=', sn).executeTakeFirst();
  expect(await unit()).toEqual({ ivyId: Node.AwaitingTest });
  await db.insertInto('role_right').values({ roleId: 'late', right: rights }).execute();
  expect(await submit()).toMatchObject({ code: '000000' });
});
