import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { pressWay } from './menuWalk.ts';
import { newWord } from './newWord.ts';
import { apiPost, visit } from './operator.ts';
import { apiGet, choose, content, fetchToken, listenForErrors, signInAs } from './workshop.ts';

const PART = 'WR-A17';
const list = 'icopBumpingCpWorkOrder';
const dialog = (page: Page) => page.getByRole('dialog');

test('a draft goes to another supplier once that is confirmed, and what it took is rolled back at once', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  const errors = listenForErrors(page);
  const lot = `DR${newWord()}`;
  const token = await fetchToken(request, 'planner');
  const post = <Data>(path: string, data: object) => apiPost<Data>(request, 'planner', path, data);
  const suppliers = async (type: string) =>
    (
      await apiGet<{ items: { supplierId: string; supplierNameEn: string }[] }>(
        request,
        token,
        '/api/icopSupplier/pager.json',
        { supplierType: type },
      )
    ).items;
  const [foundry] = await suppliers('1');
  const [first] = await suppliers('2');
  const [other] = await suppliers('3');

  const ordered = await post<{ id: number }>('/api/icopWaferWorkOrder/create.json', {
    ...{ lotType: '0', supplierId: foundry?.supplierId, waferPn: PART, waferQty: 3 },
  });
  const read = (module: string, id: number) =>
    apiGet<{ version: number; workOrderNo: string }>(request, token, `/api/${module}/queryById.json`, {
      id: String(id),
    });
  const send = async (module: string, id: number) => {
    const version = String((await read(module, id)).version);
    await apiGet(request, token, `/api/${module}/sendSwitch.json`, { id: String(id), version });
  };
  await send('icopWaferWorkOrder', ordered.id);
  const { version } = await read('icopWaferWorkOrder', ordered.id);
  const received = { id: String(ordered.id), version, waferLotId: lot, waferIds: '01-03', dies: 100 };
  const { wipId } = await post<{ wipId: string }>('/api/icopWaferWorkOrder/receiveWafers.json', received);
  const draft = await post<{ id: number }>(`/api/${list}/create.json`, {
    ...{ lotType: '0', processType: '1', supplierId: first?.supplierId, waferPn: PART },
    waferList: [{ wipId, waferId: '01', inputQty: 40 }],
  });
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  await signInAs(context, 'planner', baseURL as string);

  await test.step('its supplier is changed, and it is filled anew', async () => {
    await visit(page, `/${list}List/detail/${draft.id}`);
    await pressWay(page, 'Change input');
    const supplier = content(page).getByRole('combobox', { name: /^Supplier/ });
    await choose(page, supplier, other?.supplierNameEn ?? '');
    await expect(dialog(page)).toContainText('wafers or bins: 1');
    await dialog(page).getByRole('button', { name: 'Change supplier, remove lines' }).click();
    await expect(content(page)).toContainText('Nothing added yet');
    await content(page).getByRole('button', { name: 'Add wafers' }).click();
    await dialog(page).getByRole('checkbox', { name: lot, exact: true }).check();
    await dialog(page).getByRole('button', { name: /^Take/ }).click();
    await content(page).getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(new RegExp(`/${list}List/detail/${draft.id}$`));
    await expect(content(page)).toContainText(other?.supplierNameEn ?? '');
  });

  await test.step('all that it took is rolled back in one step', async () => {
    const { workOrderNo } = await read(list, draft.id);
    const filter = JSON.stringify({ workOrderNo, operateStatus: 'Normal' });
    await visit(page, `/icopTransactionList?filter=${encodeURIComponent(filter)}`);
    const taken = content(page).locator('tbody tr[data-id]').filter({ visible: true });
    await expect(taken).toHaveCount(3);
    await taken
      .filter({ visible: true })
      .last()
      .locator('td')
      .filter({ visible: true })
      .last()
      .click({ position: { x: 2, y: 2 } });
    await pressWay(page, 'Roll back several');
    await expect(dialog(page).getByRole('checkbox', { checked: true })).toHaveCount(3);
    await dialog(page)
      .getByRole('textbox', { name: /^Remark/ })
      .fill('mistyped');
    await dialog(page).getByRole('button', { name: 'Roll back several' }).click();
    await expect(dialog(page)).toBeHidden();
    await expect(taken).toHaveCount(0);
  });
  const [back] = (
    await apiGet<{ items: { chipQty: number; waferIds: string }[] }>(request, token, '/api/icopWip/pager.json', {
      wipId,
    })
  ).items;
  expect(back).toMatchObject({ chipQty: 300, waferIds: '01,02,03' });
  expect(errors).toEqual([]);
});
