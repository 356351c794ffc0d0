import { existsSync } from 'node:fs';
import { chromium, type Browser, type Cookie, type Page } from '@playwright/test';
import type { Pager, Row } from '#app/engine/wire.ts';
import { asGzip, countScripts, withoutStreams } from '#tests/e2e/weigh.ts';
import { DEMO_PASSWORD } from '#server/session/demoUsers.ts';

export interface BrowserFigures {
  loginJavaScriptKb: number;
  listJavaScriptKb: number;
  menuClickToRowsMs: number;
  coldListMs: number;
  /** Of 200 rows x 20 columns, from the answer to the rows on the screen. */
  mountMs: number;
  /** From an input to the next frame, the worst of each kind there. */
  selectMs: number;
  sortMs: number;
  hoverMs: number;
}

/** Lists of the menu's open group, each opened for the first time. */
const LISTS = ['rmaRepairBillList', 'rmaAssembleBillList', 'rmaBurninBillList', 'rmaExamineBillList'];

/** What a person waits for: the scripts that the first pages load (gzip), and from a menu click to the first row. */
export async function measureBrowser(browser: Browser, base: string): Promise<BrowserFigures> {
  const context = await browser.newContext({ locale: 'zh-CN', ...asGzip });
  const page = await context.newPage();
  await withoutStreams(page);
  const scripts = countScripts(page);
  await page.goto(`${base}/login`);
  await page.getByRole('textbox').first().waitFor();
  await page.waitForLoadState('networkidle');
  const loginJavaScriptKb = await scripts.kb();

  await page.getByRole('textbox').first().fill('tech');
  await page.locator('input[type=password]').fill(DEMO_PASSWORD);
  await page.locator('input[type=password]').press('Enter');
  await page.waitForURL('**/home');
  // What the home page counts is not what the list waits for.
  await page.waitForLoadState('networkidle');
  // The server has answered these lists before, to others: what is cold is the browser.
  for (const menuNo of LISTS) await clickToRows(page, menuNo);
  const colds: Cold[] = [];
  const times: number[] = [];
  for (let i = 0; i < COLD; i++) {
    await colds.at(-1)?.page.context().close();
    const opened = await openCold(browser, base, await context.cookies());
    colds.push(opened);
    for (const menuNo of LISTS) times.push(await clickToRows(opened.page, menuNo));
  }
  const { page: cold, listJavaScriptKb } = colds.at(-1) as Cold;
  const coldListMs = median(colds.map((it) => it.ms));
  const long = await measureLongList(cold);
  return {
    ...long,
    loginJavaScriptKb,
    listJavaScriptKb,
    coldListMs,
    menuClickToRowsMs: median(times),
  };
}

/** So many browsers that have never been here open a list; what is in the middle counts. */
const COLD = 5;
const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] as number;

interface Cold {
  page: Page;
  ms: number;
  listJavaScriptKb: number;
}

/** A list in a browser with nothing in its cache, until its first row stands there. */
async function openCold(browser: Browser, base: string, cookies: Cookie[]): Promise<Cold> {
  const context = await browser.newContext({ locale: 'zh-CN', ...asGzip });
  await context.addCookies(cookies);
  const page = await context.newPage();
  await withoutStreams(page);
  const scripts = countScripts(page);
  const began = performance.now();
  await page.goto(`${base}/rmaCheckBillList`);
  await page.locator('tbody tr').first().waitFor();
  const ms = performance.now() - began;
  await page.waitForLoadState('networkidle');
  return { page, ms, listJavaScriptKb: await scripts.kb() };
}

const LONG_LIST = 'rmaRepairBillList';
const [LONG, WIDE] = [200, 20];

/** On a page of 200 rows: what it costs to draw it, and how long it lets a hand wait. */
async function measureLongList(
  page: Page,
): Promise<Pick<BrowserFigures, 'mountMs' | 'selectMs' | 'sortMs' | 'hoverMs'>> {
  await page.route('**/pager.json*', async (route) => {
    const response = await route.fetch();
    const { data, ...envelope } = (await response.json()) as { data: Pager };
    await route.fulfill({ response, json: { ...envelope, data: widened(data) } });
  });
  await page.evaluate(`localStorage.setItem('pageSize', '${LONG}')`);
  await page.goto(new URL('/home', page.url()).href);
  await page.locator('nav a[href^="/"]').first().waitFor();
  await page.waitForLoadState('networkidle');
  const mountMs = await clickToMount(page, LONG_LIST);
  await page.waitForLoadState('networkidle');
  await page.evaluate(`{
    window.slowest = 0;
    const observer = new PerformanceObserver((list) => {
      for (const it of list.getEntries()) window.slowest = Math.max(window.slowest, it.duration);
    });
    observer.observe({ type: 'event', durationThreshold: 16 });
  }`);
  const slowestOf = async (act: (i: number) => Promise<void>) => {
    await page.evaluate(`window.slowest = 0`);
    for (let i = 0; i < 6; i++) {
      await act(i);
      await page.waitForTimeout(400);
    }
    // Shorter than the observer tells of.
    return Math.max(16, await page.evaluate<number>(`window.slowest`));
  };
  const rows = page.locator('main:visible tbody tr[data-id]');
  const selectMs = await slowestOf((i) =>
    rows
      .nth(i)
      .locator('td')
      .nth(2)
      .click({ position: { x: 2, y: 2 } }),
  );
  const sortMs = await slowestOf((i) =>
    page
      .locator('main thead .sort')
      .nth(1 + (i % 2))
      .click(),
  );
  const hoverMs = await slowestOf((i) => rows.nth(i).hover());
  return { mountMs, selectMs, sortMs, hoverMs };
}

/** No list shows as many columns at first: those that it has stand there several times. */
function widened({ title, columns = [], items, ...rest }: Pager): Pager {
  const names = Object.keys(title);
  const nameOf = (i: number) => (i < names.length ? (names[i] as string) : `${names[i % names.length]}${i}`);
  const all = Array.from({ length: WIDE }, (_, i) => ({ from: names[i % names.length] as string, name: nameOf(i) }));
  const labelOf = (it: string) => title[it] ?? it;
  const columnOf = ({ from, name }: (typeof all)[number]) => ({
    ...(columns.find((it) => it.name === from) ?? { name, label: labelOf(from), type: 'String' as const }),
    name,
    under: undefined,
  });
  const rowOf = (row: Row, id: number) => ({
    ...row,
    ...Object.fromEntries(all.map((it) => [it.name, row[it.from]])),
    id,
  });
  return {
    ...rest,
    itemTotal: LONG,
    title: Object.fromEntries(all.map((it) => [it.name, labelOf(it.from)])),
    columns: all.map(columnOf),
    items: Array.from({ length: LONG }, (_, i) => rowOf(items[i % items.length] as Row, i + 1)),
  };
}

/** The menu is drawn after the rows of the page that is opened first. */
const menuEntry = (page: Page, menuNo: string) => page.locator(`nav a[href="/${menuNo}"]`).first().waitFor();

/** From the answer with the rows to the frame that shows them. */
async function clickToMount(page: Page, menuNo: string): Promise<number> {
  await menuEntry(page, menuNo);
  return page.evaluate<number>(`new Promise((done) => {
    const answered = () => performance.getEntriesByType('resource').findLast((it) => it.name.includes('/pager.json'));
    performance.clearResourceTimings();
    const look = () =>
      answered() && document.querySelector('tbody a[href*="/${menuNo}/detail/"]')
        ? requestAnimationFrame(() => done(performance.now() - answered().responseEnd))
        : requestAnimationFrame(look);
    document.querySelector('nav a[href="/${menuNo}"]').click();
    look();
  })`);
}

/** The browser that is there; `CHROMIUM_PATH` names another. */
export function launch(): Promise<Browser> {
  const executablePath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium'].find((it) => it && existsSync(it));
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
}

/** Measured inside the page, so that the remote control's own time does not count. A text, as tsx alters functions. */
async function clickToRows(page: Page, menuNo: string): Promise<number> {
  await menuEntry(page, menuNo);
  return page.evaluate<number>(`new Promise((done) => {
    const began = performance.now();
    const look = () =>
      document.querySelector('tbody a[href*="/${menuNo}/detail/"]')
        ? done(performance.now() - began)
        : requestAnimationFrame(look);
    document.querySelector('nav a[href="/${menuNo}"]').click();
    look();
  })`);
}
