import type { APIRequestContext, BrowserContext, Page, Route } from '@playwright/test';
import { expect } from './journey.ts';
import { fire } from './scanner.ts';
import { CHECK, compare, fine, passedSince, QC, submitAll, unitsAtQc, workedOff } from './shift.ts';
import { go } from './menuWalk.ts';
import { openStation, PASSWORD, startSession, words } from './workshop.ts';

const say = words('zh');
const OTHER = '/rmaBurninBillList/burnin';
/** A key every so many milliseconds. */
const PACES = [2, 8, 20, 60];

interface Shop {
  page: Page;
  context: BrowserContext;
  /** Scans as fast as its turn says, and waits for nothing. */
  scan: (sn: string) => Promise<unknown>;
}

/** Scripts come only once what is done meanwhile has been done: the page is there, and nobody listens yet. */
async function whileLoading({ page }: Shop, load: () => Promise<unknown>, meanwhile: () => Promise<unknown>) {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((done) => (open = done));
  const scripts = /\/assets\/.*\.js/;
  await page.route(scripts, async (route) => {
    await gate;
    await route.continue();
  });
  await load();
  await page.waitForFunction(() => document.getElementById('first') !== null);
  await meanwhile();
  open();
  await page.unrouteAll({ behavior: 'wait' });
}

/** What may happen to a station while somebody scans. */
const troubles: Record<string, (shop: Shop, sn: string) => Promise<unknown>> = {
  'the station is opened': (shop, sn) =>
    whileLoading(
      shop,
      () => shop.page.goto(QC, { waitUntil: 'commit' }),
      () => shop.scan(sn),
    ),
  'the page is loaded again': (shop, sn) =>
    whileLoading(
      shop,
      () => shop.page.reload({ waitUntil: 'commit' }),
      () => shop.scan(sn),
    ),
  'one comes from another station': async ({ page, scan }, sn) => {
    await go(page, OTHER);
    await page.locator('[data-page*=rmaBurninBillList] input[data-scan=field]:visible').waitFor();
    await go(page, QC);
    await page.locator('[data-page*=rmaExamineBillList] input[data-scan=field]:visible').waitFor();
    await scan(sn);
  },
  'a dialog is open': async ({ page, scan }, sn) => {
    await page
      .getByRole('button', { name: say('command.card') })
      .filter({ visible: true })
      .click();
    await page.getByRole('dialog').waitFor();
    await scan(sn);
    await page.keyboard.press('Escape');
  },
  'the session is over': async ({ page, context, scan }, sn) => {
    // One of its own, which no other journey goes on with.
    const token = await startSession(context.request, 'tech');
    await context.addCookies([{ name: 'token', value: token, url: new URL(page.url()).origin }]);
    await openStation(page, QC);
    // It ends while the scan is asked about: before, the page may learn of it by itself, and refuse the scan aloud.
    const end = async (route: Route) => {
      await context.request.delete('/rest/session', { headers: { token } });
      await route.continue();
    };
    await page.route(`**${CHECK}*`, end, { times: 1 });
    await scan(sn);
    await expect(page).toHaveURL(/\/login$/);
    await page.locator('input[name=userId]').fill('tech');
    await page.locator('input[name=password]').fill(PASSWORD);
    // The same once more, where nobody is signed in.
    await page.locator('input[name=userId]').focus();
    await scan(sn);
    await expect(page.getByText(say('shell.scanRefused.signedOut'))).toBeVisible();
    await expect(page.locator('input[name=userId]')).toHaveValue('tech');
    await page.locator('button[type=submit]').click();
    await expect(page).toHaveURL(new RegExp(`${QC}$`));
  },
  'the network is away': async ({ context, scan }, sn) => {
    await context.setOffline(true);
    await scan(sn);
    await context.setOffline(false);
  },
};

/** A shift of so many devices, each scanned in the middle of something; gives what is wrong with what came of it. */
export async function scanThroughTrouble(
  page: Page,
  context: BrowserContext,
  request: APIRequestContext,
  count: number,
) {
  const session = await context.newCDPSession(page);
  const units = await unitsAtQc(request, count);
  await openStation(page, QC);
  const all = Object.entries(troubles);
  for (const [i, sn] of [...units.keys()].entries()) {
    const [name, trouble] = all[i % all.length] ?? ['', () => Promise.resolve()];
    const gap = PACES[Math.floor(i / all.length) % PACES.length];
    await trouble({ page, context, scan: (it) => fire(session, it, { gap }) }, sn);
    await expect(page.locator('tr[data-state]:visible').filter({ hasText: sn }), name).toHaveCount(1);
  }
  // What is there is on disk.
  await openStation(page, QC);
  const found = compare([...units.keys()], await workedOff(page));
  await submitAll(page);
  return [found, compare([...units.keys()], await passedSince(request, units))];
}

export const allFine = [fine, fine];
