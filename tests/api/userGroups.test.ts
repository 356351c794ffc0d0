import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectNo } from '#tests/support/guard.ts';

interface Entry {
  menuNo: string;
  module?: string;
  children: Entry[];
}
let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const modulesIn = (items: readonly Entry[]): string[] =>
  items.flatMap((it) => [...(it.module ? [it.module] : []), ...modulesIn(it.children)]);
const menuOf = async (as: string) =>
  modulesIn((await testApp.ask<{ items: Entry[] }>('GET', '/api/sysMenu/queryTree.json', {}, { as })).data.items);
const buttonsOf = (as: string, module: string) =>
  testApp.ask<{ items: { btnNo: string }[] }>(
    'GET',
    '/api/sysBtn/queryByMenuNo.json',
    { menuNo: `${module}List` },
    { as },
  );

/** Who works with the product, and what is theirs alone or with others: one page or button of each kind of work. */
const groups: [group: string, role: string, own: string[], others: string[]][] = [
  [
    'warehouse staff of a repair site',
    'warehouse',
    ['rmaReceiveBill:receive', 'rmaUnhandledPackageBill:createUnhandledPackage', 'rmaStockTransferBill:deliverAccept'],
    ['rmaSiteRepairBill:onSiteRepair', 'rmaPriceBill:list', 'icopAssemblyWorkOrder:list', 'adminRole:list'],
  ],
  [
    'repair staff of a repair site',
    'tech',
    ['rmaRepairBill:repair', 'rmaSiteRepairBill:onSiteRepair', 'rmaScrapRepairBill:outsourcingAccept'],
    ['rmaReceiveBill:receive', 'rmaStockTransferBill:initiate', 'rmaPriceBill:list', 'icopFtWorkOrder:list'],
  ],
  [
    'finance staff of the provider',
    'finance',
    ['rmaPriceBill:financialReview', 'rmaRepairFeeBill:financialReview', 'rmaLogisticsCostsBill:financialAudit'],
    ['rmaRepairFeeBill:afterSalesReview', 'rmaRepairBill:repair', 'rmaUnhandledPackageBill:list', 'icopWip:list'],
  ],
  [
    'after-sales staff of the provider',
    'aftersales',
    ['rmaRepairFeeBill:afterSalesReview', 'rmaSelfPickup:selfPickupReview', 'rmaReport:exportMonthStatistics'],
    ['rmaPriceBill:financialReview', 'rmaReceiveBill:receive', 'rmaSiteRepairBill:onSiteRepair', 'icopSupplier:list'],
  ],
  [
    'an outsourced supplier',
    'supplier',
    ['rmaScrapRepairBill:outsourcingAccept', 'rmaRepairFeeBill:uploadInvoice', 'rmaLogisticsCostsBill:upload'],
    ['rmaRepairFeeBill:financialReview', 'rmaStockTransferBill:list', 'ubsItemObject:list', 'icopPartNumber:list'],
  ],
  [
    'semiconductor staff',
    'planner',
    [
      ...['icopWaferWorkOrder:create', 'icopBumpingCpWorkOrder:create', 'icopAssemblyWorkOrder:create'],
      ...['icopFtWorkOrder:create', 'icopPartNumber:add', 'icopPartNumberLine:modify', 'icopSupplier:add'],
    ],
    ['rmaUnhandledPackageBill:list', 'rmaRepairBill:repair', 'rmaPriceBill:list', 'adminRole:modifyRight'],
  ],
  [
    'staff who manage role rights',
    'admin',
    ['adminRole:modifyRight', 'adminUser:list', 'icopAssemblyWorkOrder:create', 'rmaPriceBill:financialReview'],
    [],
  ],
];

describe('each group of users', () => {
  it.each(groups)('sees and opens what it was given, and nothing else: %s [S-GEN-02]', async (_, role, own, others) => {
    const { definitions, roles } = testApp.model;
    const given = roles.find((it) => it.roleId === role)?.rights ?? {};
    const has = (module: string, btnNo: string) =>
      [...(given[module] ?? []), ...(given['*'] ?? [])].some((it) => it === btnNo || it === '*');
    const menu = new Set(await menuOf(role));
    for (const definition of definitions.values()) {
      const { module } = definition;
      const buttons = await buttonsOf(role, module);
      if (!has(module, 'list')) {
        expect(menu).not.toContain(module);
        expect([module, buttons.data?.items ?? []]).toEqual([module, []]);
        if (definition.list)
          await expectNo('100013', () => testApp.ask('GET', `/api/${module}/pager.json`, {}, { as: role }));
        continue;
      }
      const expected = (definition.buttons ?? []).map((it) => it.btnNo).filter((it) => has(module, it));
      expect([module, buttons.data.items.map((it) => it.btnNo)]).toEqual([module, expected]);
      if (!definition.list) continue;
      expect([module, (await testApp.ask('GET', `/api/${module}/pager.json`, {}, { as: role })).code]).toEqual([
        module,
        '000000',
      ]);
    }
    const inMenu = [...testApp.model.definitions.keys()].filter((it) => menu.has(it));
    expect(inMenu.filter((it) => !has(it, 'list'))).toEqual([]);
    const sees = async (right: string) => {
      const [module = '', btnNo = ''] = right.split(':');
      return (
        menu.has(module) &&
        (btnNo === 'list' || (await buttonsOf(role, module)).data.items.some((it) => it.btnNo === btnNo))
      );
    };
    for (const it of own) expect([it, await sees(it)]).toEqual([it, true]);
    for (const it of others) expect([it, await sees(it)]).toEqual([it, false]);
  });
});
