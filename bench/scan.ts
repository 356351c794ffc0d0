import type { Browser } from '@playwright/test';
import { at, median, withPool } from './measure.ts';

export interface ScanFigures {
  scanP50Ms: number;
  scanP95Ms: number;
}

const SCANS = 40;

/** From a scanner's Enter to the verdict on the screen, at the aging station, measured inside the page. */
export async function measureScans(
  browser: Browser,
  base: string,
  token: string,
  databaseUrl: string,
): Promise<ScanFigures> {
  const { rows } = await withPool(databaseUrl, 1, (pool) =>
    pool.query<{ sn: string }>(
      `SELECT sn FROM rma_inventory WHERE "siteId" = 'SZ' AND "ivyId" = '70' ORDER BY md5(sn) DESC LIMIT $1`,
      [SCANS],
    ),
  );
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: 'token', value: token, url: base }]);
  const page = await context.newPage();
  await page.goto(`${base}/rmaBurninBillList/burnin`);
  await page.locator('input[data-scan=field]:focus').waitFor();
  await page.getByText(/AT00/).first().waitFor();
  // A text, as tsx alters functions.
  await page.evaluate(`window.scanTimes = [];
    let began = 0;
    addEventListener('keydown', (event) => { if (event.key === 'Enter') began = performance.now(); }, true);
    new MutationObserver(() => {
      const line = document.querySelector('[data-verdict]');
      if (began && line?.textContent.includes(window.scanned)) {
        window.scanTimes.push(performance.now() - began);
        began = 0;
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });`);
  for (const [i, { sn }] of rows.entries()) {
    await page.evaluate(`window.scanned = ${JSON.stringify(sn)}`);
    await page.keyboard.type(sn, { delay: 3 });
    await page.keyboard.press('Enter');
    while ((await page.evaluate<number>('window.scanTimes.length')) <= i) await page.waitForTimeout(20);
  }
  const times = (await page.evaluate<number[]>('window.scanTimes')).sort((a, b) => a - b);
  await context.close();
  return { scanP50Ms: median(times), scanP95Ms: at(times, 0.95) };
}
