import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { apiGet, signInAs, fetchToken } from './workshop.ts';

/**
 * What everybody must be able to use: WCAG AA by axe's own rules, nothing serious or critical.
 * Rule: screens#accessibility.
 */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter((it) => it.impact === 'serious' || it.impact === 'critical')
    .flatMap((it) => it.nodes.map((node) => `${it.id}: ${node.target.join(' ')} ${node.html.slice(0, 120)}`));
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
  { name: 'a list', path: '/rmaMaintainBillList', whole: 'tbody tr' },
  { name: 'a list of units', path: '/rmaInventoryList', whole: 'tbody tr' },
  { name: 'a form', path: '/ubsItemList/create', whole: '[role=dialog] input' },
  { name: 'a bill being made', path: '/rmaMaintainBillList/create', whole: 'main input' },
  { name: 'a station', path: '/rmaBurninBillList/burnin', whole: 'input[data-scan=field]' },
  { name: 'the reports', path: '/rmaReportList', whole: 'main h1' },
  { name: 'the password', path: '/changePassword', whole: 'input[type=password]' },
  { name: 'the page that flew away', path: '/nowhere/at/all', whole: 'main, [role=main], h1' },
];

for (const theme of ['light', 'dark'] as const) {
  test(`every kind of page can be used by everybody, ${theme}`, async ({ page, context, baseURL }) => {
    test.setTimeout(300_000);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.addInitScript(() => localStorage.setItem('local', 'en'));
    await page.goto('/login');
    await page.locator('input[type=password]').waitFor();
    expect(await findings(page), 'the login page').toEqual([]);

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
      whole: 'main table tbody tr',
    };
    for (const stop of [...stops, detail]) {
      await page.goto(stop.path);
      await page.locator(stop.whole).first().waitFor();
      await page.evaluate(() => document.fonts.ready);
      expect.soft(await findings(page), stop.name).toEqual([]);
      expect.soft(await page.evaluate(spill), `${stop.name} scrolls within its frame`).toBe(0);
    }
  });
}

/** By how much the window could be scrolled, beside the page's own frame. */
const spill = () => document.documentElement.scrollHeight - document.documentElement.clientHeight;
