import type { Route } from '@playwright/test';
import { expect, test } from './journey.ts';
import { newWord } from './newWord.ts';
import { fire } from './scanner.ts';
import { CHECK } from './shift.ts';
import { fetchToken, film, listenForErrors, openStation, PASSWORD, startSession, words } from './workshop.ts';

test('a technician signs in at the login page, finds the stations in the menu, changes the language and signs out', async ({
  page,
}) => {
  await page.goto('/rmaCheckBillList');
  await expect(page).toHaveURL(/\/login$/);
  const errors = listenForErrors(page);
  await page.getByLabel('账号').fill('tech');
  await page.locator('input[type=password]').fill('wrong#2026');
  await page.keyboard.press('Enter');
  await expect(page.locator('form').getByRole('alert')).toBeVisible();
  await film(page, 'sign-in-refused');
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/home$/);

  const menu = page.getByRole('navigation').filter({ visible: true }).first();
  const entry = menu.getByText('检测单');
  const group = menu.getByRole('button', { name: '维修作业' });
  await group.waitFor();
  if ((await group.getAttribute('aria-expanded')) !== 'true') await group.click();
  await entry.click();
  await expect(page).toHaveURL(/\/rmaCheckBillList/);
  await expect(page.locator('tbody tr').filter({ visible: true }).first()).toBeVisible();
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

test('a new colleague chooses a password of their own first, and nothing is asked for that is refused until then', async ({
  page,
  request,
}) => {
  const [userId, given, own] = [`new${newWord().toLowerCase()}`, 'Sonne#4711x', 'Mond#4712y'];
  const reply = await request.post('/api/adminUser/create.json', {
    headers: { token: await fetchToken(request, 'admin') },
    data: { userId, userName: '新同事', password: given, siteId: 'SZ', roleIds: 'admin' },
  });
  expect(await reply.json()).toMatchObject({ code: '000000' });
  const refused: string[] = [];
  page.on('response', (it) => it.status() === 403 && refused.push(it.url()));
  await page.goto('/login');
  await page.locator('input[name=userId]').fill(userId);
  await page.locator('input[name=password]').fill(given);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/changePassword$/);
  await film(page, 'password-of-their-own');
  await page.goto('/rmaCheckBillList');
  await expect(page).toHaveURL(/\/changePassword$/);
  await page.locator('input[type=password]').filter({ visible: true }).first().waitFor();
  for (const [index, text] of [given, own, own].entries())
    await page.locator('input[type=password]').filter({ visible: true }).nth(index).fill(text);
  await page.getByRole('button', { name: '确定' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.locator('input[name=userId]').fill(userId);
  await page.locator('input[name=password]').fill(own);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/home$/);
  expect(refused).toEqual([]);
});

test('a scan at the sign-in over a kept page is refused, Back empties nothing, and the page is there after it', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  const token = await startSession(request, 'tech');
  await context.addCookies([{ name: 'token', value: token, url: baseURL ?? '' }]);
  await openStation(page, '/rmaExamineBillList/examine');
  // Before, the page may learn of it by itself, and refuse the scan.
  const end = async (route: Route) => {
    await request.delete('/rest/session', { headers: { token } });
    await route.continue();
  };
  await page.route(`**${CHECK}*`, end, { times: 1 });
  const session = await context.newCDPSession(page);
  await fire(session, 'ZZ19P4A2600010001');
  await expect(page).toHaveURL(/\/login$/);
  const [userId, password] = [page.locator('input[name=userId]'), page.locator('input[name=password]')];
  const sentence = page.getByText(words('en')('shell.scanRefused.signedOut'));
  let logins = 0;
  page.on('request', (it) => void (it.url().includes('/api/login.json') && logins++));
  await password.fill(PASSWORD);
  await userId.fill('tec');
  await userId.press('End');
  for (const gap of [2, 8, 20, 60]) {
    await fire(session, 'ZZ19P4A2600010002', { gap });
    await expect(sentence).toBeVisible();
    await expect(userId).toHaveValue('tec');
  }
  const card = page.locator('form').locator('xpath=..');
  const above = await page.getByRole('region', { name: words('en')('shell.notice.region') }).boundingBox();
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual((await card.boundingBox())?.y ?? 0);
  await film(page, 'scan-at-sign-in');
  await page.goBack();
  await expect(page).toHaveURL(/\/login$/);
  await expect(userId).toHaveValue('tec');
  expect(logins).toBe(0);
  await userId.fill('tech');
  // An Enter would be the scanner's second one: its last key says that it comes a little later than now.
  await page.locator('button[type=submit]').click();
  await expect(page).toHaveURL(/\/rmaExamineBillList\/examine$/);
  // What was scanned when the session was lost has its verdict by now, and nothing of the others is there.
  await expect(page.locator('tr[data-state]:visible')).toHaveCount(1);
});
