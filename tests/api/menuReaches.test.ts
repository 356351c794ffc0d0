import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

interface Item {
  menuNo: string;
  module?: string;
  children: Item[];
}

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const modulesIn = (items: readonly Item[]): string[] =>
  items.flatMap((it) => [...(it.module ? [it.module] : []), ...modulesIn(it.children)]);

/** What somebody's menu opens, each list asked for as its screen would. */
async function reachedBy(userId: string): Promise<string[]> {
  const { data } = await testApp.ask<{ items: Item[] }>('GET', '/api/sysMenu/queryTree.json', {}, { as: userId });
  return modulesIn(data.items);
}
async function opens(module: string, as: string): Promise<string[]> {
  const calls = ['searchItems', 'pager'].map((it) => testApp.ask('GET', `/api/${module}/${it}.json`, {}, { as }));
  return (await Promise.all(calls)).map((it) => it.code);
}
const everywhere: [what: string, module: string, user: string][] = [
  ['scrap confirmation', 'rmaScrapConfirm', 'supervisor'],
  ['no-fault confirmation', 'rmaNofaultConfirm', 'supervisor'],
  ['pending packages', 'rmaUnhandledPackageBill', 'warehouse'],
  ['self-pickup review', 'rmaSelfPickup', 'aftersales'],
  ['stock transfers', 'rmaStockTransferBill', 'warehouse'],
  ['outsourced scrap repair', 'rmaScrapRepairBill', 'supplier'],
  ['defective-product repair', 'rmaDefectiveProductRepairBill', 'warehouse'],
  ['price bills', 'rmaPriceBill', 'finance'],
  ['repair-fee bills', 'rmaRepairFeeBill', 'auditor'],
  ['logistics-cost bills', 'rmaLogisticsCostsBill', 'auditor'],
];
const chips: [what: string, module: string][] = [
  ['wafer work orders', 'icopWaferWorkOrder'],
  ['bumping and CP work orders', 'icopBumpingCpWorkOrder'],
  ['assembly work orders', 'icopAssemblyWorkOrder'],
  ['FT work orders', 'icopFtWorkOrder'],
  ['part numbers', 'icopPartNumber'],
  ['device part numbers', 'icopPartNumberLine'],
  ['supplier data', 'icopSupplier'],
  ['stores for chips', 'icopStore'],
];

describe('the menu', () => {
  it.each(everywhere)('reaches %s: %s for %s, and for the administrator [P-PRD-03]', async (_, module, user) => {
    for (const as of [user, 'admin']) {
      expect(await reachedBy(as)).toContain(module);
      expect(await opens(module, as)).toEqual(['000000', '000000']);
    }
  });

  it('reaches the reports for whoever has them [P-PRD-03]', async () => {
    for (const as of ['finance', 'admin']) expect(await reachedBy(as)).toContain('rmaReport');
  });

  it.each(chips)('reaches %s: %s for the planner, and not for a technician [P-PRD-04]', async (_, module) => {
    expect(await reachedBy('planner')).toContain(module);
    expect(await opens(module, 'planner')).toEqual(['000000', '000000']);
    expect(await reachedBy('tech')).not.toContain(module);
    expect(await opens(module, 'tech')).toEqual(['100013', '100013']);
  });

  it('gives each reviewer the buttons of their own reviews and no other’s [P-REV-04, P-BTN-04]', async () => {
    const buttons = async (module: string, as: string) => {
      const { data } = await testApp.ask<{ items: { btnScript: string }[] }>(
        'GET',
        '/api/sysBtn/queryByMenuNo.json',
        { menuNo: `${module}List` },
        { as },
      );
      return data.items.map((it) => it.btnScript).filter((it) => /^(financial|afterSales)/.test(it));
    };
    const of = async (as: string) => [
      await buttons('rmaPriceBill', as),
      await buttons('rmaRepairFeeBill', as),
      await buttons('rmaLogisticsCostsBill', as),
    ];
    expect(await of('aftersales')).toEqual([[], ['afterSalesReview'], []]);
    expect(await of('finance')).toEqual([['financialReview'], ['financialReview'], ['financialAudit']]);
    expect(await of('auditor')).toEqual([[], ['financialAudit'], ['financialAudit']]);
    expect(await of('office')).toEqual([[], [], []]);
    expect(await of('admin')).toEqual([
      ['financialReview'],
      ['afterSalesReview', 'financialReview', 'financialAudit'],
      ['financialAudit'],
    ]);
  });
});

describe('a role', () => {
  it('by any name is what it was given, and its users’ menu, buttons and access follow from that alone [P-RGT-03, P-PRD-01] [W-PRM-03]', async () => {
    const { db } = testApp;
    await db
      .insertInto('admin_role')
      .values({ roleId: 'nightShift', name: '夜班', nameEn: 'Night shift', allSites: '0' })
      .execute();
    const rights = ['rmaCheckBill:list', 'rmaCheckBill:check', 'rmaPriceBill:list'];
    await db
      .insertInto('role_right')
      .values(rights.map((right) => ({ roleId: 'nightShift', right })))
      .execute();
    await db
      .insertInto('admin_user')
      .values({ userId: 'owl', userName: 'Owl', roleIds: 'nightShift', siteId: 'SZ', allSites: '0', status: '1' })
      .execute();
    expect((await reachedBy('owl')).sort()).toEqual(['rmaCheckBill', 'rmaPriceBill']);
    const buttons = async (menuNo: string) =>
      (
        await testApp.ask<{ items: { btnNo: string }[] }>(
          'GET',
          '/api/sysBtn/queryByMenuNo.json',
          { menuNo },
          { as: 'owl' },
        )
      ).data.items.map((it) => it.btnNo);
    expect(await buttons('rmaCheckBillList')).toEqual(['check']);
    expect(await buttons('rmaPriceBillList')).toEqual([]);
    const { access } = (await testApp.ask<{ access: string[] }>('GET', '/api/userInfo.json', {}, { as: 'owl' })).data;
    expect(access.sort()).toEqual(['rmaCheckBillList', 'rmaPriceBillList', ...rights].sort());
  });

  it('is nowhere named by the client [P-RGT-03]', () => {
    const names = testApp.model.roles.map((it) => it.roleId);
    const named = new RegExp(`(roleIds?|role)[^\\n]{0,40}['"\`](${names.join('|')})['"\`]`);
    const files = ['app', 'features', 'domain'].flatMap((folder) =>
      readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' }).map((it) =>
        join(ROOT, 'src', folder, it),
      ),
    );
    const sources = files.filter((it) => /\.tsx?$/.test(it) && !/\.test\.|testing/.test(it));
    expect(named.test("roleIds.includes('admin')")).toBe(true);
    expect(sources.length).toBeGreaterThan(200);
    expect(sources.filter((it) => named.test(readFileSync(it, 'utf8')))).toEqual([]);
  });
});

describe('a list of another’s rows', () => {
  it('shows those with its values, counts them, and opens no other', async () => {
    const { db } = testApp;
    await db.insertInto('rma_check_bill').values({ ckbId: 'CKB-R', userId: 'tech', siteId: 'SZ' }).execute();
    await db.insertInto('rma_check_bill').values({ ckbId: 'CKB-N', userId: 'tech', siteId: 'NB' }).execute();
    const rows = await db
      .insertInto('rma_check_bill_line')
      .values([
        { ckbId: 'CKB-R', sn: 'WAITS', scrapStatus: '0' },
        { ckbId: 'CKB-R', sn: 'PLAIN' },
        { ckbId: 'CKB-R', sn: 'NOFAULT', nofaultConfirmStatus: '0' },
        { ckbId: 'CKB-N', sn: 'FAR', scrapStatus: '0' },
      ])
      .returning(['id', 'sn'])
      .execute();
    const idOf = (sn: string) => rows.find((it) => it.sn === sn)?.id;
    const list = async (as: string) =>
      (
        await testApp.ask<{ items: { sn: string }[]; itemTotal: number }>(
          'GET',
          '/api/rmaScrapConfirm/pager.json',
          {},
          { as },
        )
      ).data;
    const seen = await list('supervisor');
    expect([seen.items.map((it) => it.sn), seen.itemTotal]).toEqual([['WAITS'], 1]);
    const open = (sn: string) =>
      testApp.ask('GET', '/api/rmaScrapConfirm/queryById.json', { id: idOf(sn) }, { as: 'supervisor' });
    expect((await open('WAITS')).code).toBe('000000');
    for (const sn of ['PLAIN', 'NOFAULT', 'FAR']) expect((await open(sn)).code).toBe('100002');
    expect((await list('admin')).items.map((it) => it.sn).sort()).not.toContain('PLAIN');
  });
});
