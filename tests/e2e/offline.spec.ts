import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { apiGet, signInAs, listenForErrors, openStation, scan, fetchToken, verdict, words } from './workshop.ts';
import { devicesAt } from './operator.ts';
import { readSavedScans } from './shift.ts';

test.use({ serviceWorkers: 'allow', ownProfile: true });

const STATION = '/rmaExamineBillList/examine';
const say = words('zh');

test('a station goes on without a network: it reloads, keeps its scans through a crash, and works them off in order', async ({
  page,
  context,
  baseURL,
}) => {
  await signInAs(context, 'tech', baseURL as string);
  const token = await fetchToken(context.request, 'tech');
  const [first, second, third] = (await devicesAt(page.request, 3, '80')) as [string, string, string];
  const errors = listenForErrors(page);
  await openStation(page, STATION);
  await waitUntilCached(page);
  await scan(page, first);
  await verdict(page, 'ok', first);

  await context.setOffline(true);
  await scan(page, second);
  await verdict(page, 'kept', second);
  await expect(rows(page)).toHaveText([new RegExp(second), new RegExp(first)]);
  await page.reload();
  await expect(page.locator('input[data-scan=field]')).toBeFocused();
  await expect(page.getByText(say('offline'))).toBeVisible();
  // Nothing of a session, nothing of the server's answers, is in what the worker keeps.
  expect(await listCachedPaths(page)).toEqual([]);
  await scan(page, third);
  await expect(rows(page)).toHaveText([new RegExp(third), new RegExp(second), new RegExp(first)]);

  // Nobody was told of it yet: what is drawn may be on its way to the disk still.
  await expect.poll(async () => (await readSavedScans(page)).scans.map((it) => it.sn)).toEqual([first, second, third]);
  // Whoever asks, a page or its worker, and from when on: an SN is told once, at its first answer.
  const answered = new Set<string>();
  context.on('requestfinished', (it) => {
    if (it.url().includes('attemptExamine')) answered.add((it.postDataJSON() as { sn: string }).sn);
  });
  const again = await crashAndReopen(page, context);
  await expect(rows(again)).toHaveText([new RegExp(third), new RegExp(second), new RegExp(first)]);
  await context.setOffline(false);
  await expect(again.locator('tr[data-state=ok]')).toHaveCount(3);
  await expect.poll(() => [...answered]).toEqual([second, third]);
  await again.keyboard.press('Control+Enter');
  await expect(again.locator('tr[data-state=submitted]')).toHaveCount(3);
  for (const sn of [first, second, third]) expect(await fetchNode(again, token, sn)).toBe('90');
  // What the service worker could not fetch has failed, as it says it.
  expect(errors.filter((it) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(it))).toEqual([]);
});

test('under an open Chinese input method a scan in another field is heard, and leaves nothing there', async ({
  page,
  context,
  baseURL,
}) => {
  await signInAs(context, 'tech', baseURL as string);
  const [first, second] = (await devicesAt(context.request, 2, '50')) as [string, string];
  await openStation(page, '/rmaRepairBillList/repair');
  await scan(page, first);
  await verdict(page, 'ok', first);
  const field = page.getByLabel(say('repair.repairMarking'));
  await field.fill('换过');
  const session = await context.newCDPSession(page);
  const process = { type: 'keyDown', key: 'Process', windowsVirtualKeyCode: 229 } as const;
  const keys: Promise<unknown>[] = [];
  let composed = '';
  // A scanner waits for nobody between its keys.
  for (const letter of second) {
    const code = /[0-9]/.test(letter) ? `Digit${letter}` : `Key${letter}`;
    composed += letter.toLowerCase();
    const range = { text: composed, selectionStart: composed.length, selectionEnd: composed.length };
    keys.push(session.send('Input.dispatchKeyEvent', { ...process, code }));
    keys.push(session.send('Input.imeSetComposition', range));
  }
  keys.push(session.send('Input.dispatchKeyEvent', { ...process, code: 'Enter' }));
  await Promise.all(keys);
  await expect(page.locator('tr[data-state=queued]')).toContainText(second);
  await expect(field).toHaveValue('换过');
});

const rows = (page: Page) => page.locator('tr[data-state]');

async function fetchNode(page: Page, token: string, sn: string): Promise<string> {
  const path = '/api/rmaMaintainBill/viewHistory.json';
  return (await apiGet<{ unit: { ivyId: string } }>(page.request, token, path, { sn })).unit.ivyId;
}

/** The worker has everything that a station needs, and serves this page. */
async function waitUntilCached(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
  });
}

/** Answers of the server that the browser keeps, against the rule. */
const listCachedPaths = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const requests = await Promise.all((await caches.keys()).map(async (it) => (await caches.open(it)).keys()));
    return requests
      .flat()
      .map((it) => new URL(it.url).pathname)
      .filter((it) => !it.startsWith('/assets/') && it !== '/index.html');
  });

/** The page dies as it stands, and the technician opens the station again. */
async function crashAndReopen(page: Page, context: BrowserContext): Promise<Page> {
  const session = await context.newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  void session.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
  const next = await context.newPage();
  await openStation(next, STATION);
  return next;
}
