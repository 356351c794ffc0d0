import { expect, test } from '@playwright/test';
import { film, listenForErrors, PASSWORD } from './workshop.ts';

test('a technician signs in at the login page, finds the stations in the menu, changes the language and signs out', async ({
  page,
}) => {
  await page.goto('/rmaCheckBillList');
  await expect(page).toHaveURL(/\/login$/);
  const errors = listenForErrors(page);
  await page.getByLabel('账号').fill('tech');
  await page.locator('input[type=password]').fill('wrong#2026');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await film(page, 'sign-in-refused');
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/home$/);

  const menu = page.getByRole('navigation').first();
  const entry = menu.getByText('检测单');
  const group = menu.getByRole('button', { name: '维修作业' });
  await group.waitFor();
  if ((await group.getAttribute('aria-expanded')) !== 'true') await group.click();
  await entry.click();
  await expect(page).toHaveURL(/\/rmaCheckBillList/);
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await expect(menu.getByText('系统管理')).toHaveCount(0);

  await page.getByRole('button', { name: '切换语言' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await expect(menu.getByText('Check bills')).toBeVisible();
  await page.reload();
  await expect(menu.getByText('Check bills')).toBeVisible();

  await page.goto('/adminUserList');
  await expect(page).toHaveURL(/\/401$/);
  await film(page, 'no-right');
  await page.goto('/home');
  await page.getByRole('button', { name: /李伟/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto('/rmaCheckBillList');
  await expect(page).toHaveURL(/\/login$/);
  expect(errors.filter((it) => !it.includes('403'))).toEqual([]);
});
