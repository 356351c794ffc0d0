import { expect, test } from '@playwright/test';
import { signInAs, film, listenForErrors } from './workshop.ts';

const lists = [
  'rmaMaintainBillList',
  'rmaReceiveBillList',
  'rmaCheckBillList',
  'rmaRepairBillList',
  'rmaAssembleBillList',
  'rmaBurninBillList',
  'rmaExamineBillList',
  'rmaStoreBillList',
  'rmaStockupBillList',
];

test('the first column of each bill list is a link that opens the detail of its row [W-COM-08]', async ({
  page,
  context,
  baseURL,
}) => {
  test.setTimeout(180_000);
  const errors = listenForErrors(page);
  await signInAs(context, 'admin', baseURL as string);
  for (const menuNo of lists) {
    await page.goto(`/${menuNo}`);
    const link = page.locator('tbody tr').first().locator('td').first().getByRole('link');
    await expect(link, menuNo).toBeVisible();
    const number = (await link.innerText()).trim();
    await link.click();
    await expect(page).toHaveURL(new RegExp(`/${menuNo}/detail/\\d+$`));
    const search = page.getByRole('button', { name: '查询', exact: true }).filter({ visible: true });
    await expect(search, 'the list is left').toHaveCount(0);
    // The list stays behind its tab, out of sight.
    const shownNumber = page.getByRole('main').getByText(number).filter({ visible: true });
    await expect(shownNumber.first(), `${menuNo}: the detail of ${number}`).toBeVisible();
    await film(page, `detail-${menuNo}`);
  }
  expect(errors).toEqual([]);
});
