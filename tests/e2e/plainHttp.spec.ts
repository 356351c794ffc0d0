import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { findRunning } from '../../src/server/db/embedded.ts';
import { expect, test } from './journey.ts';
import { devicesAt, fetchUnitHistory } from './operator.ts';
import { listenForErrors, PASSWORD, verdict, scan } from './workshop.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** An address of this machine under which others see it; a machine on no network has none. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((it) => it && !it.internal && it.family === 'IPv4')?.address;
/** A name that is not the machine's own, so that no browser trusts it over plain http either. */
const NAME = 'reflow.test';
const hosts = address ? [address, NAME] : [NAME];

test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const rule = `--host-resolver-rules=MAP ${NAME} ${address ?? '127.0.0.1'}`;
    await use({ ...launchOptions, args: [...(launchOptions.args ?? []), rule] });
  },
  // The browser would let one work, where it allowed one at all.
  serviceWorkers: 'allow',
  ownProfile: true,
});

let plain: ChildProcess | undefined;
let folder: string;
let port: string;
const at = (host: string) => `http://${host}:${port}`;
test.beforeAll(async ({ server: first }) => {
  const DATABASE_URL = (await findRunning({ dataDir: first.dataDir, root: ROOT, log: () => undefined }))?.url;
  if (!DATABASE_URL) throw new Error(`No server works on ${first.dataDir}`);
  folder = mkdtempSync(join(tmpdir(), 'reflow-plain-'));
  const env = { DATABASE_URL, DATA_DIR: folder, HOST: address ?? '127.0.0.1', PORT: '0', INSECURE_HTTP: 'on' };
  // A second server on the data of the first one, as a LAN without certificates would run it.
  plain = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: ROOT,
    env: { ...process.env, ...env, NODE_ENV: 'test', DEMO: 'off', CAPTCHA: 'off', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  port = await new Promise((found, fail) => {
    plain?.stdout?.on('data', (part: Buffer) => {
      said += part.toString();
      const url = /Reflow is at (\S+)/.exec(said)?.[1];
      if (url) found(new URL(url).port);
    });
    plain?.once('exit', () => fail(new Error(`The server for plain http ended: ${said}`)));
  });
});
test.afterAll(async () => {
  if (!plain) return;
  const gone = once(plain, 'exit');
  plain.kill('SIGTERM');
  await gone;
  rmSync(folder, { recursive: true, force: true });
});

for (const host of hosts) {
  test(`a browser gives plain http at ${host} nothing that needs a secure context`, async ({ page }) => {
    const errors = listenForErrors(page);
    await page.goto(`${at(host)}/login`);
    expect(new URL(page.url()).hostname).toBe(host);
    const given = await page.evaluate(() => ({
      isSecure: window.isSecureContext,
      withheld: [
        'serviceWorker' in navigator,
        'locks' in navigator,
        'clipboard' in navigator,
        'storage' in navigator,
        'mediaDevices' in navigator,
        'randomUUID' in crypto,
        'subtle' in crypto,
        'caches' in window,
      ],
    }));
    expect(given.isSecure).toBe(false);
    expect(given.withheld).not.toContain(true);
    await page.getByLabel('账号').waitFor();
    expect(errors).toEqual([]);
  });
}

test('stations work over plain http on a LAN', async ({ page, context }) => {
  test.slow();
  const errors = listenForErrors(page);
  const plain = at(hosts[0] as string);
  await page.goto(`${plain}/login`);
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
  await page.getByLabel('账号').waitFor();
  await page.keyboard.type('tech');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${plain}/home`);

  const [first, second] = (await devicesAt(context.request, 2, '70')) as [string, string];
  for (const [station, node] of [
    ['rmaBurninBillList/burnin', '80'],
    ['rmaExamineBillList/examine', '90'],
  ]) {
    await page.goto(`${plain}/${station}`);
    await workOff(page, [first, second]);
    for (const sn of [first, second]) expect((await fetchUnitHistory(context.request, sn)).node, station).toBe(node);
  }

  await page.goto(`${plain}/rmaInventoryList`);
  await page.locator('tbody tr').filter({ visible: true }).first().hover();
  await page.getByRole('button', { name: /^复制/ }).filter({ visible: true }).first().click();
  await expect(page.getByText(/已复制/)).toBeVisible();
  expect(errors).toEqual([]);
});

/** Scans at a station that is open, leaves and comes back in between, and submits. */
async function workOff(page: Page, [first, second]: readonly [string, string]): Promise<void> {
  const rows = page.locator('tr[data-state=ok]');
  const field = page.locator('input[data-scan=field]');
  await expect(field).toBeFocused();
  await scan(page, first);
  await verdict(page, 'ok', first);
  await scan(page, first);
  await verdict(page, 'duplicate', first);
  // What was scanned outlives a reload without a worker as well, and goes on.
  await page.reload();
  await expect(rows).toHaveCount(1);
  await scan(page, second);
  await expect(rows).toHaveCount(2);
  await scan(page, '%SUBMIT');
  await expect(page.locator('tr[data-state=submitted]')).toHaveCount(2);
  await page.reload();
  await expect(field).toBeFocused();
  await expect(rows).toHaveCount(0);
}
