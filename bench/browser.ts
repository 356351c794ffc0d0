import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from '@playwright/test';
import { DEMO_PASSWORD } from '#server/session/demoUsers.ts';

export interface BrowserFigures {
  loginJavaScriptKb: number;
  listJavaScriptKb: number;
  menuClickToRowsMs: number;
  coldListMs: number;
}

/** Lists of the menu's open group, each opened for the first time. */
const LISTS = ['rmaRepairBillList', 'rmaAssembleBillList', 'rmaBurninBillList', 'rmaExamineBillList'];

/** What a person waits for: the scripts that the first pages load (gzip), and from a menu click to the first row. */
export async function measureBrowser(browser: Browser, base: string): Promise<BrowserFigures> {
  const context = await browser.newContext({ locale: 'zh-CN', extraHTTPHeaders: { 'accept-encoding': 'gzip' } });
  const page = await context.newPage();
  const scripts = countScripts(page);
  await page.goto(`${base}/login`);
  await page.getByRole('textbox').first().waitFor();
  await page.waitForLoadState('networkidle');
  const loginJavaScriptKb = scripts.kb();

  await page.getByRole('textbox').first().fill('tech');
  await page.locator('input[type=password]').fill(DEMO_PASSWORD);
  await page.locator('input[type=password]').press('Enter');
  await page.waitForURL('**/home');
  // What the home page counts is not what the list waits for.
  await page.waitForLoadState('networkidle');
  const fresh = await browser.newContext({ locale: 'zh-CN', extraHTTPHeaders: { 'accept-encoding': 'gzip' } });
  await fresh.addCookies(await context.cookies());
  const cold = await fresh.newPage();
  const coldScripts = countScripts(cold);
  const began = performance.now();
  await cold.goto(`${base}/rmaCheckBillList`);
  await cold.locator('tbody tr').first().waitFor();
  const coldListMs = performance.now() - began;
  await cold.waitForLoadState('networkidle');
  const listJavaScriptKb = coldScripts.kb();

  const times: number[] = [];
  for (const menuNo of LISTS) times.push(await clickToRows(cold, menuNo));
  times.sort((a, b) => a - b);
  return {
    loginJavaScriptKb,
    listJavaScriptKb,
    coldListMs,
    menuClickToRowsMs: times[Math.floor(times.length / 2)] as number,
  };
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
const clickToRows = (page: Page, menuNo: string): Promise<number> =>
  page.evaluate<number>(`new Promise((done) => {
    const began = performance.now();
    const look = () =>
      document.querySelector('tbody a[href*="/${menuNo}/detail/"]')
        ? done(performance.now() - began)
        : requestAnimationFrame(look);
    document.querySelector('nav a[href="/${menuNo}"]').click();
    look();
  })`);

function countScripts(page: Page): { kb(): number } {
  let bytes = 0;
  const pending: Promise<void>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    pending.push(
      response
        .request()
        .sizes()
        .then((it) => void (bytes += it.responseBodySize)),
    );
  });
  return { kb: () => Math.round(bytes / 100) / 10 };
}
