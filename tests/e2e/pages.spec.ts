import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { bringAxe, findingsIn } from './axe.ts';
import { expectOneHeading } from './headings.ts';
import { devicesAt } from './operator.ts';
import { settled, spill } from './placing.ts';
import { apiGet, fetchToken, signInAs } from './workshop.ts';

interface Stop {
  name: string;
  path: string;
  /** What is there when the page is whole. */
  whole: string;
}

const LINES = 'main :is(table tbody tr, li)';
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

/** Pages of one record, of which there is one in the demonstration. */
async function stopsOfRecords(request: APIRequestContext, token: string): Promise<Stop[]> {
  const first = async (module: string, query: Record<string, string>) => {
    const path = `/api/${module}/pager.json`;
    return (await apiGet<{ items: { id: number }[] }>(request, token, path, query)).items[0]?.id;
  };
  const review = await first('rmaRepairFeeBill', { billStatus: '0' });
  const confirmation = await first('rmaScrapConfirm', { scrapStatus: '0' });
  return [
    { name: 'a review', path: `/rmaRepairFeeBillList/afterSalesReview/${review}`, whole: LINES },
    { name: 'a confirmation', path: `/rmaScrapConfirmList/scrapConfirm/${confirmation}`, whole: LINES },
  ];
}

interface Look {
  theme: 'light' | 'dark';
  width: number;
  rules: readonly string[];
}

/** Another theme has other colours and nothing else; another width and language have other parts. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
const desk: Look = { theme: 'light', width: 1440, rules: [] };
const tablet: Look = { theme: 'dark', width: 1024, rules: COLOURS };
const phone: Look = { theme: 'light', width: 390, rules: [] };

async function wear(page: Page, { theme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 844 });
}

/** What stands in the way of somebody on a page that is whole, its frame included, in each of these looks. */
async function lookAt(page: Page, name: string, looks: readonly Look[]): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await bringAxe(page);
  for (const look of looks) {
    await wear(page, look);
    await settled(page);
    const where = `${name}, ${look.theme}, at ${look.width}`;
    expect.soft(await findingsIn(page, 'html', look.rules), where).toEqual([]);
    expect.soft(await page.evaluate(spill), `${where}, scrolls within its frame`).toBe(0);
  }
}

async function open(page: Page, { path, whole, name }: Stop): Promise<void> {
  await page.goto(path);
  await page.locator(whole).filter({ visible: true }).first().waitFor();
  // The heading is the breadcrumb's, which comes with the menu.
  await page.locator('h1').filter({ visible: true }).first().waitFor({ state: 'attached' });
  expect(await page.locator('h1').count(), `headings of ${name}`).toBe(1);
}

test('every kind of page has one heading and can be used by everybody, in light, in dark, in both languages, at three widths [P-LAY-02]', async ({
  page,
  context,
  baseURL,
}) => {
  await page.addInitScript(() => localStorage.getItem('local') ?? localStorage.setItem('local', 'en'));
  const speak = (language: string) => page.evaluate((it) => localStorage.setItem('local', it), language);
  const password = page.locator('input[type=password]');
  await wear(page, desk);
  await page.goto('/login');
  await password.waitFor();
  await lookAt(page, 'the login page', [desk, tablet]);
  await speak('zh');
  await wear(page, phone);
  await page.reload();
  await password.waitFor();
  await lookAt(page, 'the login page', [phone]);

  const { request } = context;
  const token = await fetchToken(request, 'admin');
  await signInAs(context, 'admin', baseURL as string);
  const bills = await apiGet<{ items: { id: number; mtbId: string }[] }>(
    request,
    token,
    '/api/rmaMaintainBill/pager.json',
  );
  const [bill] = bills.items;
  const detail: Stop = { name: 'a bill', path: `/rmaMaintainBillList/detail/${bill?.id}`, whole: LINES };
  const all = [...stops, detail, ...(await stopsOfRecords(request, token))];
  for (const stop of all) {
    await open(page, stop);
    await lookAt(page, stop.name, [phone]);
  }
  await speak('en');
  for (const stop of all) {
    await wear(page, desk);
    await open(page, stop);
    if (stop === detail) await expectOneHeading(page, stop.name, bill?.mtbId);
    await lookAt(page, stop.name, [desk, tablet]);
  }
  await wear(page, desk);
  for (const path of ['/error_logger_page', '/401', '/500'])
    await open(page, { name: path, path, whole: 'h1:visible' });
  const [sn = ''] = await devicesAt(request, 1, '50');
  await page.goto(`/rmaInventoryList/viewHistory/${sn}`);
  await expectOneHeading(page, 'an SN', sn);
});
