import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageScripts } from '#features/scripts.ts';

import { startTestApp, type TestApp } from '#tests/support/app.ts';

interface Node {
  menuNo: string;
  children?: Node[];
}
interface Button {
  btnNo: string;
  btnScript: string;
}

const roles = [
  'admin',
  'office',
  'warehouse',
  'tech',
  'supervisor',
  'aftersales',
  'finance',
  'auditor',
  'planner',
  'supplier',
  'viewer',
];

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const leaves = (nodes: Node[]): string[] =>
  nodes.flatMap((it) => (it.children?.length ? leaves(it.children) : [it.menuNo]));
const readMenu = async (as: string) =>
  leaves((await testApp.ask<{ items: Node[] }>('GET', '/api/sysMenu/queryTree.json', {}, { as })).data.items);
const readButtons = async (as: string, menuNo: string) =>
  (await testApp.ask<{ items: Button[] }>('GET', '/api/sysBtn/queryByMenuNo.json', { menuNo }, { as })).data.items;
const readScripts = async (as: string, menuNo: string) => (await readButtons(as, menuNo)).map((it) => it.btnScript);

/** Steps of the chain: the list, who works there, and the button that opens its page or does its action. */
const steps: [step: string, menuNo: string, userId: string, script: string][] = [
  ['sign-for', 'rmaArrivalBillList', 'warehouse', 'signFor'],
  ['receive', 'rmaReceiveBillList', 'warehouse', 'receive'],
  ['first test', 'rmaCheckBillList', 'tech', 'check'],
  ['repair', 'rmaRepairBillList', 'tech', 'repair'],
  ['assembly', 'rmaAssembleBillList', 'tech', 'assemble'],
  ['aging', 'rmaBurninBillList', 'tech', 'burnin'],
  ['inspection', 'rmaExamineBillList', 'tech', 'examine'],
  ['stock-in', 'rmaStoreBillList', 'warehouse', 'store'],
  ['delivery', 'rmaDeliverBillList', 'warehouse', 'deliver'],
];

describe('the menu', () => {
  it('and the toolbars are each role’s own [P-PRD-01]', async () => {
    const [warehouse, tech, finance, aftersales, planner, supplier] = await Promise.all(
      ['warehouse', 'tech', 'finance', 'aftersales', 'planner', 'supplier'].map(readMenu),
    );
    expect(finance).toContain('rmaPriceBillList');
    for (const other of [warehouse, tech, planner, supplier]) expect(other).not.toContain('rmaPriceBillList');
    expect(planner).toContain('icopWaferWorkOrderList');
    for (const other of [warehouse, tech, aftersales]) expect(other).not.toContain('icopWaferWorkOrderList');
    expect(await readScripts('warehouse', 'rmaReceiveBillList')).toContain('receive');
    expect(await readScripts('tech', 'rmaReceiveBillList')).not.toContain('receive');
    expect(await readScripts('tech', 'rmaCheckBillList')).toContain('check');
    expect(await readScripts('warehouse', 'rmaCheckBillList')).not.toContain('check');
  });

  it.each(steps)('leads who does %s to a page for it [P-PRD-02]', async (_, menuNo, userId, script) => {
    expect(await readMenu(userId)).toContain(menuNo);
    expect(await readScripts(userId, menuNo)).toContain(script);
    expect(pageScripts).toContain(`${menuNo.replace(/List$/, '')}:${script}`);
  });

  it('leads the warehouse to the tally, and the office to its bills [P-PRD-02]', async () => {
    expect(await readMenu('warehouse')).toContain('rmaStockupBillList');
    expect(await readMenu('office')).toContain('rmaMaintainBillList');
    expect(await readScripts('office', 'rmaMaintainBillList')).toContain('create');
  });
});

describe('one platform', () => {
  it('serves each list of each role by the same calls, in both languages [P-PRD-05]', async () => {
    const failed: string[] = [];
    for (const as of roles) {
      for (const menuNo of await readMenu(as)) {
        const module = menuNo.replace(/List$/, '');
        for (const lang of ['zh', 'en'] as const) {
          for (const call of ['searchItems', 'toAdvancedSearch', 'pager']) {
            const { code, msg } = await testApp.ask('GET', `/api/${module}/${call}.json`, {}, { as, lang });
            if (code !== '000000') failed.push(`${as} ${module}/${call} ${lang}: ${msg}`);
          }
        }
      }
    }
    expect(failed).toEqual([]);
  });
});
