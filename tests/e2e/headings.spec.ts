import { expect, test, type Page } from '@playwright/test';
import { devicesAt } from './operator.ts';
import { DRAWN, fetchButtons, fetchMenu, go } from './menuWalk.ts';
import { featurePages } from './register.ts';
import { apiGet, fetchToken, signInAs } from './workshop.ts';

/** Notes each address that ever has more than one heading of the first level, also what a page draws a little later. */
const watchHeadings = (page: Page) =>
  page.addInitScript(() => {
    const crowded: string[] = [];
    Object.assign(window, { crowded });
    new MutationObserver(() => {
      if (document.querySelectorAll('h1').length > 1) crowded.push(location.pathname);
    }).observe(document, { childList: true, subtree: true });
  });

const crowdedPages = (page: Page) =>
  page.evaluate(() => [...new Set((window as unknown as { crowded: string[] }).crowded)]);

/** The page's only heading of the first level is the last part of the breadcrumb. */
async function expectOneHeading(page: Page, where: string, text?: string) {
  const heading = page.locator('h1');
  await heading.filter({ visible: true }).first().waitFor();
  if (text !== undefined) await expect(heading, where).toHaveText(text);
  await page.locator(DRAWN).first().waitFor();
  expect(await heading.count(), `headings of ${where}`).toBe(1);
  await expect(page.locator('header [aria-current=page] h1'), where).not.toBeEmpty();
}

test('each page has one heading, which the breadcrumb says [P-LAY-02]', async ({ page, context, baseURL }) => {
  const language = 'en';
  await page.addInitScript((it) => localStorage.setItem('local', it), language);
  const token = await fetchToken(context.request, 'admin');
  await signInAs(context, 'admin', baseURL as string);
  const ask = <Data>(path: string, query: Record<string, string> = {}) =>
    apiGet<Data>(context.request, token, path, { ...query, lang: language });
  await watchHeadings(page);
  await page.goto('/home');
  await expectOneHeading(page, 'home');
  const walked = new Set<string>();
  for (const { menuNo, menuName } of await fetchMenu(context.request, token)) {
    await go(page, `/${menuNo}`);
    await expectOneHeading(page, menuNo, menuName);
    await expect(page).toHaveTitle(new RegExp(`^${menuName.replace(/[/()]/g, '.')} · `));
    // Stations and forms: what opens without a record.
    for (const { btnScript, rows } of await fetchButtons(context.request, token, menuNo)) {
      const address = `/${menuNo}/${btnScript ?? ''}`;
      if (rows || !featurePages.includes(address)) continue;
      await go(page, address);
      await page.waitForURL(`**${address}`);
      await expectOneHeading(page, address);
      walked.add(address);
    }
  }
  expect([...walked].sort()).toEqual(featurePages.filter((it) => !it.endsWith('/list')).sort());
  expect(await crowdedPages(page)).toEqual([]);
  for (const path of ['/changePassword', '/error_logger_page', '/nowhere/at/all', '/401', '/500']) {
    await page.goto(path);
    await page.locator('h1:visible').first().waitFor();
    expect(await page.locator('h1').count(), path).toBe(1);
  }
  const [sn = ''] = await devicesAt(context.request, 1, '50');
  await page.goto(`/rmaInventoryList/viewHistory/${sn}`);
  await expectOneHeading(page, 'an SN', sn);
  const bills = await ask<{ items: { id: number; mtbId: string }[] }>('/api/rmaMaintainBill/pager.json');
  const [bill] = bills.items;
  await page.goto(`/rmaMaintainBillList/detail/${bill?.id}`);
  await expectOneHeading(page, 'a bill', bill?.mtbId);
});
