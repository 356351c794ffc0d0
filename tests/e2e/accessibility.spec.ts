import { expect, test, type Page } from '@playwright/test';
import { bringAxe, DIALOG, findingsIn, isStill } from './axe.ts';
import { DRAWN, fetchButtons, fetchMenu, go, pressWay } from './menuWalk.ts';
import { dialogComponents, featurePages } from './register.ts';
import { figures } from './shift.ts';
import { apiGet, signInAs, fetchToken } from './workshop.ts';

/** What stands in the way of somebody on a page that was just loaded, its frame included. */
async function findings(page: Page, rules: readonly string[]): Promise<string[]> {
  await bringAxe(page);
  return findingsIn(page, 'html', rules);
}

interface Stop {
  name: string;
  path: string;
  /** What is there when the page is whole. */
  whole: string;
  /** Opened on it before it is looked at. */
  press?: string;
}

const stops: Stop[] = [
  { name: 'home', path: '/home', whole: 'main h2' },
  { name: 'a list', path: '/rmaMaintainBillList', whole: '#content :is(tbody tr, li)' },
  { name: 'a list of units', path: '/rmaInventoryList', whole: '#content :is(tbody tr, li)' },
  { name: 'a form', path: '/ubsItemList/create', whole: '[role=dialog] input' },
  { name: 'a bill being made', path: '/rmaMaintainBillList/create', whole: 'main input' },
  { name: 'a station', path: '/rmaBurninBillList/burnin', whole: 'input[data-scan=field]' },
  { name: 'a station that stands alone', path: '/rmaBurninBillList/burnin?kiosk=1', whole: 'input[data-scan=field]' },
  { name: 'the reports', path: '/rmaReportList', whole: 'main section' },
  { name: 'the password', path: '/changePassword', whole: 'input[type=password]' },
  { name: 'the page that flew away', path: '/nowhere/at/all', whole: 'main, [role=main], h1' },
];

/** Another theme has other colours and nothing else; another width and language have other parts. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
const looks = [
  { theme: 'light', language: 'en', width: 1440, rules: [] },
  { theme: 'dark', language: 'en', width: 1024, rules: COLOURS },
  { theme: 'light', language: 'zh', width: 390, rules: [] },
] as const;

for (const { theme, language, width, rules } of looks) {
  test(`every kind of page can be used by everybody, ${theme}, in ${language}, at ${width}`, async ({
    page,
    context,
    baseURL,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.addInitScript((it) => localStorage.setItem('local', it), language);
    await page.goto('/login');
    await page.locator('input[type=password]').waitFor();
    expect(await findings(page, rules), 'the login page').toEqual([]);

    const admin = await fetchToken(context.request, 'admin');
    await signInAs(context, 'admin', baseURL as string);
    const { items } = await apiGet<{ items: { id: number }[] }>(
      context.request,
      admin,
      '/api/rmaMaintainBill/pager.json',
    );
    const detail: Stop = {
      name: 'a bill',
      path: `/rmaMaintainBillList/detail/${items[0]?.id}`,
      whole: 'main :is(table tbody tr, li)',
    };
    const first = async (module: string, query: Record<string, string>) => {
      const path = `/api/${module}/pager.json`;
      return (await apiGet<{ items: { id: number }[] }>(context.request, admin, path, query)).items[0]?.id;
    };
    const review: Stop = {
      name: 'a review',
      path: `/rmaRepairFeeBillList/afterSalesReview/${await first('rmaRepairFeeBill', { billStatus: '0' })}`,
      whole: 'main :is(table tbody tr, li)',
    };
    const confirmation: Stop = {
      name: 'a confirmation',
      path: `/rmaScrapConfirmList/scrapConfirm/${await first('rmaScrapConfirm', { scrapStatus: '0' })}`,
      whole: 'main :is(table tbody tr, li)',
    };
    for (const stop of [...stops, detail, review, confirmation]) {
      await page.goto(stop.path);
      await page.locator(stop.whole).first().waitFor();
      // The heading is the breadcrumb's, which comes with the menu.
      await page.locator('h1').first().waitFor({ state: 'attached' });
      await page.evaluate(() => document.fonts.ready);
      expect.soft(await findings(page, rules), stop.name).toEqual([]);
      expect.soft(await page.evaluate(spill), `${stop.name} scrolls within its frame`).toBe(0);
    }
  });
}

/** By how much the window could be scrolled, beside the page's own frame. */
const spill = () => document.documentElement.scrollHeight - document.documentElement.clientHeight;

/** Presses a button of the list that needs no row. */
async function openDialog(page: Page, menuNo: string, btnName: string): Promise<void> {
  await go(page, `/${menuNo}`);
  const content = page.locator('#content');
  // A page of a feature in place of the list has its buttons itself.
  if (featurePages.includes(`/${menuNo}/list`)) {
    await content.getByRole('button', { name: btnName }).first().click();
    return page.locator(DIALOG).waitFor();
  }
  // The page before it stays until the list is drawn, and may have a button of the same name.
  await content.locator(`[data-list-head="${menuNo}"]:visible`).waitFor();
  await content.locator(':is(tbody tr[data-id], [role=status]):visible').first().waitFor();
  await isStill(page);
  await pressWay(page, btnName);
  await page.locator(DIALOG).waitFor();
}

test('every list, form, feature page and dialog can be used by everybody', async ({ page, context, baseURL }) => {
  test.setTimeout(900_000);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  const { request } = context;
  const token = await fetchToken(request, 'admin');
  await signInAs(context, 'admin', baseURL as string);
  await page.goto('/home');
  await page.locator(DRAWN).first().waitFor();
  await bringAxe(page);
  const looked: Record<'lists' | 'pages' | 'forms' | 'dialogs', Set<string>> = {
    ...{ lists: new Set(), pages: new Set(), forms: new Set(), dialogs: new Set() },
  };
  const look = async (kind: keyof typeof looked, name: string, within: string) => {
    await isStill(page);
    expect.soft(await findingsIn(page, within), name).toEqual([]);
    looked[kind].add(name);
  };
  for (const { menuNo } of await fetchMenu(request, token)) {
    await go(page, `/${menuNo}`);
    await page.locator('h1:visible').waitFor();
    await page.locator(DRAWN).first().waitFor();
    await look('lists', menuNo, '#content');
    for (const button of await fetchButtons(request, token, menuNo)) {
      const script = button.btnScript ?? '';
      const address = `/${menuNo}/${script}`;
      const module = menuNo.replace(/List$/, '');
      if (featurePages.includes(address) && !button.rows) {
        await go(page, address);
        await page.waitForURL(`**${address}`);
        await page.locator(DRAWN).first().waitFor();
        await look('pages', address, '#content');
      } else if (script === 'create') {
        await go(page, address);
        await page.locator(`${DIALOG} input`).first().waitFor();
        await look('forms', address, DIALOG);
        await page.keyboard.press('Escape');
        await page.locator(DIALOG).waitFor({ state: 'hidden' });
      }
      const component = dialogComponents.get(`${module}:${script}`) ?? dialogComponents.get(`*:${script}`);
      if (component === undefined || button.rows !== undefined || looked.dialogs.has(component)) continue;
      await openDialog(page, menuNo, button.btnName);
      await look('dialogs', component, DIALOG);
      await page.keyboard.press('Escape');
      await page.locator(DIALOG).waitFor({ state: 'hidden' });
    }
  }
  const counts = Object.entries(looked).map(([kind, it]) => `${it.size} ${kind}`);
  figures(`looked at ${counts.join(', ')}`);
  expect([...looked.pages].sort()).toEqual(featurePages.filter((it) => !it.endsWith('/list')).sort());
  expect(looked.dialogs.size).toBeGreaterThanOrEqual(8);
});
