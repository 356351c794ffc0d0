// @vitest-environment jsdom
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { resolveAction } from '#app/engine/actions.ts';
import type { Row, ToolbarButton } from '#app/engine/wire.ts';
import type { Features } from '#app/features.ts';
import type { Button, MenuNode } from '#domain/definition/grammar.ts';
import { mayDo, rightsOfSeed } from '#domain/rights.ts';
import { readModel } from '#server/definitions/read.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { registers } from '#tests/support/features.ts';

/**
 * Everything around the repair line, by what people come for: the lists where it is done, and the buttons by which.
 * Which entry, which roles, which screens and which calls these are is asked of the registers.
 */
const areas: [area: string, lists: Record<string, string[]>][] = [
  ['the print of serial labels', { ubsItem: ['printSerial'] }],
  ['the reprint of serial labels', { ubsItemObject: ['reprintSerial', 'changeSerial'] }],
  ['on-site repair', { rmaSiteRepairBill: ['onSiteRepair'] }],
  ['pending packages', { rmaUnhandledPackageBill: ['createUnhandledPackage'] }],
  ['inventory activation', { rmaInventory: ['activation'] }],
  ['non-official serials', { ubsItemObject: ['createNonOfficial'] }],
  ['queries', { rmaInventory: ['viewHistory', 'querySalesCode'], ubsAssembly: ['bindingQuery', 'componentQuery'] }],
  ['stock transfer', { rmaStockTransferBill: ['initiate', 'deliverAccept', 'receiverAccept', 'cancelTransfer'] }],
  ['scrap and outsourced repair', { rmaScrapRepairBill: ['combineRepair', 'outsourcingAccept', 'detail'] }],
  ['defective-product repair', { rmaDefectiveProductRepairBill: ['defectiveProductRepair', 'testAndStore'] }],
  ['price bills and their review', { rmaPriceBill: ['create', 'modify', 'financialReview', 'void'] }],
  [
    'repair-fee bills and their reviews',
    { rmaRepairFeeBill: ['generateMonthly', 'afterSalesReview', 'financialReview', 'uploadInvoice', 'financialAudit'] },
  ],
  [
    'logistics-cost bills and their review',
    { rmaLogisticsCostsBill: ['upload', 'uploadCertificate', 'financialAudit', 'return'] },
  ],
  ['statistics exports', { rmaReport: ['report'], rmaReportDownload: ['downloadFile'] }],
  [
    'semiconductor work orders',
    {
      icopWaferWorkOrder: ['create', 'modify', 'sendSwitch', 'done', 'editBillStatus'],
      ...Object.fromEntries(
        ['icopBumpingCpWorkOrder', 'icopAssemblyWorkOrder', 'icopFtWorkOrder'].map((it) => [
          it,
          ['create', 'modify', 'sendSwitch', 'done', 'editBillStatus', 'exportDirectOne', 'exportSummary'],
        ]),
      ),
    },
  ],
  ['work in progress', { icopWip: ['exportWip', 'merge'], icopTransaction: ['rollback'] }],
  ['role rights', { adminRole: ['modifyRight'] }],
];
/** What only administrators do. */
const forAdmins = ['adminRole:modifyRight', 'icopTransaction:rollback'];
const lists = areas.flatMap(([area, of]) =>
  Object.entries(of).map(([module, scripts]) => [area, module, scripts] as const),
);

/** The browser's own register: asked as it is run, as the server's types have no screens. */
const { features } = await vi.importActual<{ features: Features }>('#tests/support/modules.tsx');
const { definitions, menu, roles } = readModel(registers);
const entries = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap((it) => (it.children ? entries(it.children) : [it.menuNo]));
const buttonsOf = (module: string): Button[] => definitions.get(module)?.buttons ?? [];
/** The seeded roles that may do all of this; the users of the test's world are called as their roles. */
const rolesFor = (...rights: string[]): string[] =>
  roles.filter((it) => rights.every((one) => mayDo(new Set(rightsOfSeed(it)), one))).map((it) => it.roleId);

/** What a button leads to, with a row under it where it needs one. */
const leadsTo = (module: string, { btnNo, script, label, rows }: Button) => {
  const button: ToolbarButton = { id: btnNo, btnNo, btnName: label.en, btnScript: script, ...(rows && { rows }) };
  const row: Row = { id: 7, sn: 'SN7' };
  return resolveAction(button, `${module}List`, module, [row], features);
};

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

interface Item {
  menuNo: string;
  children: Item[];
}
const menuNosIn = (items: readonly Item[]): string[] => items.flatMap((it) => [it.menuNo, ...menuNosIn(it.children)]);
const ask = async <Data>(path: string, input: object, as: string): Promise<Data> => {
  const { data, code, msg } = await testApp.ask<Data>('GET', `/api/${path}.json`, input, { as });
  expect([path, as, code, msg]).toEqual([path, as, '000000', '']);
  return data;
};
const loads = async (load: (() => Promise<{ default: unknown }>) | undefined, name: string) =>
  expect(typeof (await load?.())?.default, name).toBe('function');

describe.each(lists)('%s: %s', (_, module, scripts) => {
  const menuNo = `${module}List`;

  it('stands in the menu, and in that of a seeded role, whose list answers [S-GEN-01]', async () => {
    expect(entries(menu)).toContain(menuNo);
    const may = rolesFor(`${module}:list`);
    expect(may.length).toBeGreaterThan(0);
    for (const as of may) {
      const { items } = await ask<{ items: Item[] }>('sysMenu/queryTree', {}, as);
      expect(menuNosIn(items), as).toContain(menuNo);
      await ask(`${module}/searchItems`, {}, as);
      const { items: rows } = await ask<{ items: unknown[] }>(`${module}/pager`, { pageStart: 0, pageCount: 10 }, as);
      expect(Array.isArray(rows), as).toBe(true);
    }
  });

  it.each(scripts)('%s is offered to a seeded role and leads to its screen [S-GEN-01]', async (script) => {
    const button = buttonsOf(module).find((it) => it.script === script);
    if (!button) throw new Error(`${module} has no button with ${script}`);
    const may = rolesFor(`${module}:list`, `${module}:${button.btnNo}`);
    // An administrator may do everything: that alone would bring nobody to the work.
    const isForAdmins = forAdmins.includes(`${module}:${script}`);
    expect(may.filter((it) => it !== 'admin').length > 0).toBe(!isForAdmins);
    expect(may).toContain('admin');
    for (const as of may) {
      const { items } = await ask<{ items: { btnScript: string }[] }>('sysBtn/queryByMenuNo', { menuNo }, as);
      expect(
        items.map((it) => it.btnScript),
        as,
      ).toContain(script);
    }
    if (script === 'create') await ask(`${module}/toAdd`, {}, may[0] as string);
  });

  it('has no button that leads to nothing, and loads every screen behind one [S-GEN-01]', async () => {
    const page = features.pages[`${module}:list`];
    if (page) await loads(page, `${module}:list`);
    expect(buttonsOf(module).length).toBeGreaterThan(0);
    for (const button of buttonsOf(module)) {
      const action = leadsTo(module, button);
      expect([button.btnNo, ['open', 'dialog', 'delete'].includes(action.kind)]).toEqual([button.btnNo, true]);
      if (action.kind === 'dialog') await loads(features.dialogs[action.key], action.key);
      if (action.kind !== 'open') continue;
      const own = features.pages[`${module}:${button.script}`];
      if (own) await loads(own, `${module}:${button.script}`);
      // The engine draws the forms and the record of any other list itself.
      else expect(['create', 'modify', 'detail']).toContain(button.script);
    }
  });
});
