import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from '../e2e/journey.ts';
import { devicesAt, fetchUnitHistory } from '../e2e/operator.ts';
import { newWord } from '../e2e/newWord.ts';
import { PASSWORD, words } from '../e2e/workshop.ts';
import { startFirefox } from './firefox.ts';
import { type Browser, keys, type Tab } from './tab.ts';
import { startWebkit } from './webkit.ts';
import { startWire, type Wire } from './wire.ts';

/** What Playwright cannot drive as people have it: Firefox and WebKit of Debian, by `npm run e2e -- --browser=…`. */
const [name = '', program = ''] = (process.env['E2E_BROWSER'] ?? '').split('=');
const start = { firefox: startFirefox, webkit: startWebkit }[name];

const say = words('zh');
const test = base.extend<{ wire: Wire; other: Browser }>({
  wire: async ({ server }, use) => {
    const wire = await startWire(server.url);
    await use(wire);
    wire.end();
  },
  other: async ({}, use) => {
    if (!start) throw new Error('no browser is named: npm run e2e -- --browser=firefox or webkit');
    const browser = await start(program, mkdtempSync(join(tmpdir(), 'reflow-browser-')));
    await use(browser);
    await browser.close();
  },
});

test('a day in it: sign in, list, form, export, stations without a network, a label, sign out', async ({
  request,
  wire,
  other,
}) => {
  const { tab } = other;

  await test.step('signs in by keys', async () => {
    await signIn(tab, wire.url, 'admin');
  });

  await test.step('a list has its rows, and its export arrives as a file', async () => {
    await tab.open(`${wire.url}/rmaInventoryList`);
    await expect.poll(() => count(tab, '#content tbody tr')).toBeGreaterThan(1);
    if (!other.downloads) await tab.run(noteFollowed);
    await clickButton(tab, '更多操作');
    await clickButton(tab, '导出', '[role=menuitem]');
    await clickButton(tab, '导出', '[role=dialog] button[type=submit]');
    const { downloads } = other;
    if (downloads) await expect.poll(() => filesIn(downloads, '.xlsx')).toHaveLength(1);
    else await expect.poll(() => followed(tab)).toMatch(/\/file\/\w+/);
  });

  await test.step('a form keeps what is typed, and makes a bill', async () => {
    const shipNo = `SF${newWord()}`;
    await tab.open(`${wire.url}/rmaMaintainBillList/create`);
    await type(tab, '收货物流单号', shipNo);
    await type(tab, '客户姓名', 'Ning');
    await type(tab, say('field.salesCode'), 'RX19-95T');
    await type(tab, say('field.count'), '2');
    await tab.chord(keys.Control, keys.Enter);
    await expect.poll(() => path(tab)).toContain('/rmaMaintainBillList/detail/');
    await expect.poll(() => text(tab)).toContain(shipNo);
  });

  for (const [address, node, next] of [
    ['rmaBurninBillList/burnin', '70', '80'],
    ['rmaExamineBillList/examine', '80', '90'],
    ['rmaStoreBillList/store', '90', '100'],
  ] as const) {
    await test.step(`${address} scans on without a network`, async () => {
      const sns = await devicesAt(request, 3, node);
      await tab.open(`${wire.url}/${address}`);
      await focused(tab);
      const [first = '', ...others] = sns;
      await scan(tab, first);
      await expect.poll(() => rows(tab, 'ok')).toEqual([first]);
      wire.cut();
      for (const sn of others) await scan(tab, sn);
      await expect.poll(() => rows(tab)).toEqual(sns.toReversed());
      wire.mend();
      await expect.poll(() => rows(tab, 'ok')).toEqual(sns.toReversed());
      await scan(tab, '%SUBMIT');
      await expect.poll(async () => (await fetchUnitHistory(request, first)).node).toBe(next);
      for (const sn of others) expect((await fetchUnitHistory(request, sn)).node).toBe(next);
    });
  }

  await test.step('a label is printed', async () => {
    const [sn = ''] = await devicesAt(request, 1, '10');
    await tab.open(`${wire.url}/ubsItemObjectList/reprintSerial`);
    await expect.poll(() => tab.run(() => document.activeElement?.getAttribute('data-scan'))).toBe('sn');
    if (!other.prints) await tab.run(notePrinted);
    await scan(tab, sn);
    await expect.poll(() => text(tab)).toContain('RX-19');
    await clickButton(tab, say('serials.reprint.do'), '#content button:not(:disabled)');
    const { prints } = other;
    if (prints) await expect.poll(() => filesIn(prints, '.pdf')).toHaveLength(1);
    else await expect.poll(() => tab.run(() => document.body.dataset['printed'])).toBe('1');
  });

  await test.step('signs out, and nothing is left', async () => {
    await tab.open(`${wire.url}/home`);
    await clickButton(tab, '陈志远');
    await clickButton(tab, '退出登录', '[role=menuitem]');
    await expect.poll(() => path(tab)).toBe('/login');
    expect(await tab.run(() => document.cookie)).not.toContain('token=');
  });
});

/** Whole ones of this kind. */
const filesIn = (folder: string, kind: string): string[] =>
  readdirSync(folder).filter((it) => it.endsWith(kind) && statSync(join(folder, it)).size > 0);

/** Notes what a page saves by a link with `download`, where the browser gives no file to whoever drives it. */
const noteFollowed = () => {
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    if (this.hasAttribute('download')) document.body.dataset['followed'] = this.href;
  };
};
/** Notes how many labels there are when a page is printed, where the browser would ask for a printer. */
const notePrinted = () => {
  window.print = () => (document.body.dataset['printed'] = `${document.querySelectorAll('[data-labels] svg').length}`);
};
const followed = (tab: Tab) => tab.run(() => document.body.dataset['followed'] ?? '');

const path = (tab: Tab): Promise<string> => tab.run(() => location.pathname);
const text = (tab: Tab): Promise<string> => tab.run(() => document.body.innerText);
const count = (tab: Tab, what: string): Promise<number> => tab.run((it) => document.querySelectorAll(it).length, what);

async function signIn(tab: Tab, url: string, userId: string): Promise<void> {
  await tab.open(`${url}/login`);
  await expect.poll(() => tab.run(() => document.activeElement?.getAttribute('name'))).toBe('userId');
  await tab.press([...userId], 150);
  await tab.press([keys.Tab]);
  await tab.press([...PASSWORD], 150);
  await tab.press([keys.Enter]);
  await expect.poll(() => path(tab)).toBe('/home');
}

/** The scan field has the focus. */
const focused = (tab: Tab) =>
  expect.poll(() => tab.run(() => document.activeElement?.getAttribute('data-scan'))).toBe('field');

/** A scanner, as fast as the browser takes its keys. */
const scan = (tab: Tab, code: string) => tab.press([...code, keys.Enter]);

/** SNs of the rows that are seen, the newest first. */
const rows = (tab: Tab, state = ''): Promise<string[]> =>
  tab.run(
    (it) =>
      [...document.querySelectorAll<HTMLElement>(it)]
        .filter((row) => row.checkVisibility())
        .map((row) => row.querySelector('.sn')?.textContent ?? ''),
    state ? `tr[data-state=${state}]` : 'tr[data-state]',
  );

/** Presses the one that is seen, with the mouse: what a browser lets a page do depends on it. */
async function clickButton(tab: Tab, label: string, kind = 'button'): Promise<void> {
  const find = () =>
    tab.run(
      (what, named) => {
        const found = [...document.querySelectorAll<HTMLElement>(what)].find(
          (it) => it.checkVisibility() && (it.getAttribute('aria-label') ?? it.innerText).includes(named),
        );
        const box = found?.getBoundingClientRect();
        return box ? [box.x + box.width / 2, box.y + box.height / 2] : [];
      },
      kind,
      label,
    );
  await expect.poll(find).toHaveLength(2);
  const [x = 0, y = 0] = await find();
  await tab.click(x, y);
}

/** Types into the field of this name, as a hand does. */
async function type(tab: Tab, label: string, typed: string): Promise<void> {
  const focus = () =>
    tab.run((named) => {
      const found = [...document.querySelectorAll('label')].find(
        (it) => it.checkVisibility() && it.innerText.replace(/[\s*]/g, '') === named,
      );
      const field = found && document.getElementById(found.htmlFor);
      field?.focus();
      return document.activeElement === field;
    }, label);
  await expect.poll(focus).toBe(true);
  await tab.press([...typed], 150);
}
