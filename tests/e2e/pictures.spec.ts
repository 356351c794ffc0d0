import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { closeOtherTabs } from './menuWalk.ts';
import { visit } from './operator.ts';
import { DESK, TABLET } from './placing.ts';
import { apiGet, fetchToken, signInAs, type Language } from './workshop.ts';

/**
 * The main screens, as pictures that later work can't change unseen. Their data end on a fixed day, the browser's clock
 * stands a month later, in the same year, their fonts come along, every number reads 0, so that they are the same on
 * every machine and day. After a change that is meant:
 * `npm run e2e -- --project=pictures --update-snapshots`, and look at each of them.
 */
test.use({ bypassCSP: true, colorScheme: 'light', launchOptions: launched() });

interface Screen {
  name: string;
  user: string;
  path: (first: First) => string | Promise<string>;
  /** What is done before the picture is taken. */
  open?: (page: Page) => Promise<unknown>;
}

/** The row of a list that a screen shows: the first under these conditions, by a field of it. */
type First = (module: string, query?: Record<string, string>, field?: string) => Promise<string>;

const at = (path: string) => () => path;
const standsAlone = (page: Page) =>
  page.locator('body:not(:has(nav)) input[data-scan]').filter({ visible: true }).first().waitFor();
/** What changes its page for those after it comes last of its user's. */
const screens: readonly Screen[] = [
  { name: 'home-office', user: 'office', path: at('/home') },
  { name: 'home-tech', user: 'tech', path: at('/home') },
  { name: 'maintain-bills', user: 'office', path: at('/rmaMaintainBillList') },
  {
    name: 'maintain-bill',
    user: 'office',
    path: async (first) =>
      `/rmaMaintainBillList/detail/${await first('rmaMaintainBill', { billStatus: '1' }, 'mtbId')}`,
  },
  { name: 'new-maintain-bill', user: 'office', path: at('/rmaMaintainBillList/create') },
  { name: 'inventory', user: 'office', path: at('/rmaInventoryList') },
  {
    name: 'serial-number',
    user: 'office',
    path: async (first) => `/rmaInventoryList/viewHistory/${await first('rmaInventory', { ivyId: '60' }, 'sn')}`,
  },
  { name: 'wip', user: 'planner', path: at('/icopWipList') },
  { name: 'wafer-order-form', user: 'planner', path: at('/icopWaferWorkOrderList/create') },
  { name: 'repair-fee-bills', user: 'finance', path: at('/rmaRepairFeeBillList') },
  {
    name: 'price-review',
    user: 'finance',
    path: async (first) => `/rmaPriceBillList/financialReview/${await first('rmaPriceBill', { billStatus: '0' })}`,
  },
  {
    name: 'scrap-confirmation',
    user: 'supervisor',
    path: async (first) => `/rmaScrapConfirmList/scrapConfirm/${await first('rmaScrapConfirm', { scrapStatus: '0' })}`,
  },
  {
    name: 'repair-fee-audit',
    user: 'auditor',
    path: async (first) =>
      `/rmaRepairFeeBillList/financialAudit/${await first('rmaRepairFeeBill', { billStatus: '5' })}`,
    open: (page) => page.locator('main :is(table tbody tr, li)').filter({ visible: true }).first().waitFor(),
  },
  {
    name: 'self-pickup-review',
    user: 'aftersales',
    path: async (first) =>
      `/rmaSelfPickupList/selfPickupReview/${await first('rmaSelfPickup', { selfPickupStatus: '0' })}`,
    open: (page) => page.locator('main input').filter({ visible: true }).first().waitFor(),
  },
  {
    name: 'maintain-bill-units',
    user: 'office',
    path: async (first) =>
      `/rmaMaintainBillList/detail/${await first('rmaMaintainBill', { billStatus: '1' }, 'mtbId')}`,
    open: async (page) => {
      const boxes = page.locator('main tbody input[type=checkbox]');
      for (const i of [0, 1]) await boxes.filter({ visible: true }).nth(i).check();
      await expect(page.locator('main tbody input[type=checkbox]:checked')).toHaveCount(2);
    },
  },
  { name: 'receive', user: 'warehouse', path: at('/rmaReceiveBillList/receive') },
  {
    name: 'sign-for-kiosk',
    user: 'warehouse',
    path: at('/rmaArrivalBillList/signFor?kiosk=1'),
    open: standsAlone,
  },
  { name: 'check', user: 'tech', path: at('/rmaCheckBillList/check') },
  { name: 'repair', user: 'tech', path: at('/rmaRepairBillList/repair') },
  { name: 'aging', user: 'tech', path: at('/rmaBurninBillList/burnin') },
  { name: 'qc', user: 'tech', path: at('/rmaExamineBillList/examine') },
  { name: 'kiosk', user: 'tech', path: at('/rmaExamineBillList/examine?kiosk=1'), open: standsAlone },
  {
    name: 'kiosk-refused',
    user: 'tech',
    path: async (first) => `/rmaBurninBillList/burnin?kiosk=1&sn=${await first('rmaInventory', { ivyId: '60' }, 'sn')}`,
    open: (page) => page.locator('tr[data-state=refused]').waitFor(),
  },
  { name: 'reports', user: 'office', path: at('/rmaReportList') },
  {
    name: 'advanced-search',
    user: 'office',
    path: at('/rmaMaintainBillList'),
    open: async (page) => {
      await page.getByRole('button', { name: '高级查询' }).click();
      const dialog = page.getByRole('dialog');
      for (const count of [1, 2, 3]) {
        await dialog.getByRole('button', { name: '添加条件', exact: true }).filter({ visible: true }).first().click();
        await expect(dialog.getByRole('button', { name: '删除条件', exact: true })).toHaveCount(count);
      }
    },
  },
  { name: 'users', user: 'admin', path: at('/adminUserList') },
];
/** Of all screens, those that are also looked at in English and dark, at 1024, and on a phone. */
const inEnglish = new Set(['maintain-bills', 'maintain-bill', 'wip', 'price-review', 'aging', 'home-office']);
const onTablet = new Set(['maintain-bill', 'home-office']);
const onPhone = new Set(['maintain-bills', 'maintain-bill', 'check', 'home-tech']);

/** Only the first screen of somebody is loaded; on the others they go on, which gives the same picture. */
for (const user of new Set(screens.map((it) => it.user))) {
  const own = screens.filter((it) => it.user === user);
  test(`the screens of ${user} look as they did`, async ({ page, server }) => {
    const show = await begin(page, server.url, user, 'zh');
    for (const screen of own) {
      await show(screen);
      await picture(page, screen.name);
      if (onTablet.has(screen.name)) await pictureAt(page, TABLET, `${screen.name}-1024`);
      if (onPhone.has(screen.name)) await pictureAt(page, { width: 390, height: 844 }, `${screen.name}-phone`);
    }
  });
  const foreign = own.filter((it) => inEnglish.has(it.name));
  if (foreign.length > 0)
    test(`the screens of ${user} look as they did, in English and dark`, async ({ page, server }) => {
      await page.emulateMedia({ colorScheme: 'dark' });
      const show = await begin(page, server.url, user, 'en');
      for (const screen of foreign) {
        await show(screen);
        await picture(page, `${screen.name}-en-dark`);
      }
    });
}

test('the sign-in looks as it did', async ({ page }) => {
  await useFonts(page);
  await page.goto('/login');
  await expect(page.locator('input[type=password]')).toBeVisible();
  await picture(page, 'sign-in');
});

/** Signs somebody in, and gives the way to each of their screens. */
async function begin(page: Page, url: string, user: string, language: Language) {
  await useFonts(page);
  await page.clock.setFixedTime('2026-07-17T06:00:00Z');
  await page.addInitScript((local) => localStorage.setItem('local', local), language);
  await signInAs(page.context(), user, url);
  const token = await fetchToken(page.request, user);
  const first: First = async (module, query = {}, field = 'id') => {
    const found = await apiGet<{ items: Record<string, unknown>[] }>(
      page.request,
      token,
      `/api/${module}/pager.json`,
      query,
    );
    return String(found.items[0]?.[field]);
  };
  return async (screen: Screen) => {
    await visit(page, await screen.path(first));
    await closeOtherTabs(page);
    await screen.open?.(page);
    // A page that stands alone has no tabs: the one before it stays behind it.
    await expect(page.locator('h1').filter({ visible: true })).toHaveCount(1);
  };
}

async function pictureAt(page: Page, size: { width: number; height: number }, name: string): Promise<void> {
  await page.setViewportSize(size);
  await picture(page, name);
  await page.setViewportSize(DESK);
}

async function picture(page: Page, name: string): Promise<void> {
  await expect(page.locator('.MuiSkeleton-root')).toHaveCount(0);
  await page.evaluate(stillness, 400);
  await expect(page.locator('.MuiSkeleton-root')).toHaveCount(0);
  await page.evaluate(async () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      const plain = text.data.replace(/\d+/g, '0');
      if (plain !== text.data) text.data = plain;
    }
    for (const it of document.querySelectorAll('input'))
      if (/\d/.test(it.value)) it.value = it.value.replace(/\d+/g, '0');
    await document.fonts.ready;
  });
  await expect.soft(page).toHaveScreenshot(`${name}.png`, {
    animations: 'disabled',
    caret: 'hide',
    // Machines draw letters a little differently: up to a hundredth of a picture.
    maxDiffPixelRatio: 0.01,
    threshold: 0.25,
    mask: [page.locator('[_echarts_instance_]')],
  });
}

/** Until nothing has changed in the page for so long. A station's stream is never idle. */
function stillness(ms: number): Promise<void> {
  return new Promise((done) => {
    /* eslint-disable no-restricted-globals -- it is stillness that is waited for */
    let timer = setTimeout(done, ms);
    new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(done, ms);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    /* eslint-enable no-restricted-globals */
  });
}

/** By the names that the theme asks for first. */
const fonts = { Inter: '@fontsource-variable/noto-sans-sc', 'JetBrains Mono': '@fontsource-variable/jetbrains-mono' };

/** Gives the fonts from a server of their own: a browser whose requests are answered by the test caches nothing. */
let fontServer: Server;
let styles: string;
test.beforeAll(async () => {
  const require = createRequire(import.meta.url);
  const folders = Object.values(fonts).map((name) => join(dirname(require.resolve(`${name}/index.css`)), 'files'));
  fontServer = createServer(({ url = '' }, answer) => {
    const [, index = '', file = ''] = /^\/(\d)\/([\w.-]+)$/.exec(url) ?? [];
    answer.setHeader('access-control-allow-origin', '*').setHeader('cache-control', 'max-age=3600');
    answer.end(readFileSync(join(folders[Number(index)] as string, file)));
  });
  await new Promise<void>((done) => fontServer.listen(0, '127.0.0.1', done));
  const { port } = fontServer.address() as AddressInfo;
  styles = Object.entries(fonts)
    .map(([family, name], i) =>
      readFileSync(require.resolve(`${name}/index.css`), 'utf8')
        .replace(/font-family: '[^']+'/g, `font-family: '${family}'`)
        .replace(/font-display: swap/g, 'font-display: block')
        .replace(/url\(\.\/files\//g, `url(http://127.0.0.1:${port}/${i}/`),
    )
    .join('\n');
});
test.afterAll(() => fontServer.close());

const useFonts = (page: Page) =>
  page.addInitScript((css) => {
    const add = () => document.head.append(Object.assign(document.createElement('style'), { textContent: css }));
    if (document.head) add();
    else document.addEventListener('DOMContentLoaded', add);
  }, styles);

/** Letters are drawn the same however the machine would like to sharpen them. */
function launched() {
  return {
    executablePath: process.env['CHROMIUM_PATH'] || undefined,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--font-render-hinting=none',
      '--disable-font-subpixel-positioning',
      '--disable-lcd-text',
      '--force-color-profile=srgb',
      '--hide-scrollbars',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  };
}
