import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { apiPost, newDevices, visit } from './operator.ts';
import {
  apiGet,
  choose,
  fetchToken,
  listenForErrors,
  signInAs,
  tabTo,
  verdict,
  words,
  type Language,
  scan,
} from './workshop.ts';

const LIST = '/rmaDefectiveProductRepairBillList';
const labels = {
  zh: { defectiveProductRepair: '不良品登记', testAndStore: '测试包登记', delete: '删除', billType: '测试包' },
  en: {
    defectiveProductRepair: 'Register defectives',
    testAndStore: 'Register test package',
    delete: 'Delete',
    billType: 'Test package',
  },
};

interface Registration {
  id: number;
  dpbId: string;
  mtbId: string;
  billType: string;
  defectiveProductRepairBillLineList: { sn: string }[];
}
const newest = async (request: APIRequestContext, token: string): Promise<Registration> => {
  const path = '/api/rmaDefectiveProductRepairBill';
  const { items } = await apiGet<{ items: { id: number }[] }>(request, token, `${path}/pager.json`, { pageCount: '1' });
  return apiGet(request, token, `${path}/queryById.json`, { id: String(items[0]?.id) });
};

/** Machines that no bill has, put into this warehouse. */
async function activated(request: APIRequestContext, subinventoryCode: string): Promise<string[]> {
  const sns = await newDevices(request, 2);
  for (const sn of sns)
    await apiPost(request, 'warehouse', '/api/rmaStoreBill/storeStart.json', { sn, subinventoryCode });
  return sns;
}

/** By the keyboard, from the list to the page that its button opens. */
async function openFromList(page: Page, language: Language, button: keyof (typeof labels)['en']): Promise<void> {
  await visit(page, LIST);
  const opens = page.getByRole('button', { name: labels[language][button], exact: true }).filter({ visible: true });
  await opens.waitFor();
  await tabTo(page, opens.filter({ visible: true }).first());
  await page.keyboard.press('Enter');
  await page.locator('input[data-scan=field]').filter({ visible: true }).waitFor();
}

test('defectives are registered by bursts and keys alone, and stand on a bill of their own [S-DEF-01] [S-DEF-10]', async ({
  page,
  context,
  baseURL,
}) => {
  const errors = listenForErrors(page);
  const say = words('zh');
  await signInAs(context, 'warehouse', baseURL as string);
  const token = await fetchToken(context.request, 'warehouse');
  const sns = await activated(context.request, 'DEF');
  await openFromList(page, 'zh', 'defectiveProductRepair');
  await choose(
    page,
    page.getByRole('combobox', { name: say('field.receiveShipId') }).filter({ visible: true }),
    '顺丰',
  );
  await tabTo(page, page.getByRole('textbox', { name: say('field.receiveShipNo') }).filter({ visible: true }));
  await page.keyboard.type('SF1234500', { delay: 90 });
  await page.keyboard.press('Enter');
  await expect(page.locator('input[data-scan=field]').filter({ visible: true })).toBeFocused();
  for (const sn of sns) await scan(page, sn);
  await scan(page, sns[0] as string);
  await verdict(page, 'duplicate');
  await page.keyboard.press('Control+Enter');
  await page.waitForURL((it) => it.pathname === LIST);

  const made = await newest(context.request, token);
  expect(made).toMatchObject({ billType: '9' });
  expect(made.defectiveProductRepairBillLineList.map((it) => it.sn).sort()).toEqual(sns.toSorted());
  await expect(page.getByRole('row').filter({ hasText: made.dpbId }).filter({ visible: true }).first()).toBeVisible();
  expect(errors).toEqual([]);
});

test('a test package is registered, shown, and taken back [S-DEF-08] [S-DEF-09] [S-DEF-10]', async ({
  page,
  context,
  baseURL,
}) => {
  const errors = listenForErrors(page);
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  await signInAs(context, 'warehouse', baseURL as string);
  const token = await fetchToken(context.request, 'warehouse');
  const sns = await activated(context.request, 'FG');
  await openFromList(page, 'en', 'testAndStore');
  for (const sn of sns) await scan(page, sn);
  await verdict(page, 'ok', sns[1]);
  await page.keyboard.press('Control+Enter');
  await page.waitForURL((it) => it.pathname === LIST);
  await expect(page.getByText(/2 units registered on bill MTB/).filter({ visible: true })).toHaveCount(1);

  const made = await newest(context.request, token);
  await visit(page, `${LIST}/detail/${made.id}`);
  const main = page.getByRole('main').filter({ visible: true });
  await expect(main.getByText(labels.en.billType).filter({ visible: true }).first()).toBeVisible();
  await expect(main.getByText(made.mtbId).filter({ visible: true }).first()).toBeVisible();
  for (const sn of sns) await expect(main.getByText(sn).filter({ visible: true }).first()).toBeVisible();

  await visit(page, LIST);
  const row = page.locator('tbody tr[data-id]').filter({ hasText: made.dpbId }).filter({ visible: true });
  await row.click();
  await page.getByRole('button', { name: labels.en.delete, exact: true }).filter({ visible: true }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: labels.en.delete, exact: true }).click();
  await expect(row).toHaveCount(0);
  const unit = await apiGet<{ items: { ivyId: string; mtbId: string | null }[] }>(
    context.request,
    token,
    '/api/rmaInventory/pager.json',
    { sn: sns[0] as string },
  );
  expect(unit.items[0]).toMatchObject({ ivyId: '100', mtbId: null });
  expect(errors).toEqual([]);
});
