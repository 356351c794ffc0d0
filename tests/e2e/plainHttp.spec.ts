import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { findRunning } from '../../src/server/db/embedded.ts';
import { burst, devicesAt, lifeOf } from './hands.ts';
import { listenForErrors, PASSWORD, verdict } from './workshop.ts';

// The browser would let one work, where it allowed one at all.
test.use({ serviceWorkers: 'allow' });

const ROOT = resolve(import.meta.dirname, '../..');
const DATA_DIR = resolve(ROOT, process.env['E2E_DATA_DIR'] ?? '.cache/e2e');

/** An address of this machine under which others see it. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((it) => it && !it.internal && it.family === 'IPv4')?.address;

let server: ChildProcess | undefined;
let folder: string;
let plain: string;
test.beforeAll(async () => {
  test.skip(!address, 'This machine has no address but loopback: nobody else could reach it over plain http');
  const DATABASE_URL =
    process.env['E2E_DATABASE_URL'] || (await findRunning({ dataDir: DATA_DIR, root: ROOT, log: () => undefined }));
  if (!DATABASE_URL) throw new Error(`No server works on ${DATA_DIR}`);
  folder = mkdtempSync(join(tmpdir(), 'reflow-plain-'));
  const env = { DATABASE_URL, DATA_DIR: folder, HOST: address, PORT: '0', INSECURE_HTTP: 'on' };
  // A second server on the data of the first one, as a LAN without certificates would run it.
  server = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: ROOT,
    env: { ...process.env, ...env, NODE_ENV: 'test', DEMO: 'off', CAPTCHA: 'off', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  plain = await new Promise((found, fail) => {
    server?.stdout?.on('data', (part: Buffer) => {
      said += part.toString();
      const url = /Reflow is at (\S+)/.exec(said)?.[1];
      if (url) found(url);
    });
    server?.once('exit', () => fail(new Error(`The server at ${address} ended: ${said}`)));
  });
});
test.afterAll(async () => {
  if (!server) return;
  const gone = once(server, 'exit');
  server.kill('SIGTERM');
  await gone;
  rmSync(folder, { recursive: true, force: true });
});

test('a station works over plain http on a LAN, where the browser gives it nothing that needs a secure context', async ({
  page,
  context,
}) => {
  const errors = listenForErrors(page);
  await page.goto(`${plain}/login`);
  expect(new URL(page.url()).hostname).toBe(address);
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
  await page.keyboard.type('tech');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${plain}/home`);

  const [first, second] = (await devicesAt(context.request, 2, '70')) as [string, string];
  const rows = page.locator('tr[data-state=ok]');
  await page.goto(`${plain}/rmaBurninBillList/burnin`);
  await expect(page.locator('input[data-scan=field]')).toBeFocused();
  await burst(page, first);
  await verdict(page, 'ok', first);
  await burst(page, first);
  await verdict(page, 'duplicate', first);
  // What was scanned outlives a reload without a worker as well, and goes on.
  await page.reload();
  await expect(rows).toHaveCount(1);
  await burst(page, second);
  await expect(rows).toHaveCount(2);
  await burst(page, '%SUBMIT');
  await expect(page.locator('tr[data-state=submitted]')).toHaveCount(2);
  await page.reload();
  await expect(page.locator('input[data-scan=field]')).toBeFocused();
  await expect(rows).toHaveCount(0);
  for (const sn of [first, second]) expect((await lifeOf(context.request, sn)).node).toBe('80');

  await page.goto(`${plain}/rmaInventoryList`);
  await page.locator('tbody tr').first().hover();
  await page.getByRole('button', { name: /^复制/ }).filter({ visible: true }).first().click();
  await expect(page.getByText(/已复制/)).toBeVisible();
  expect(errors).toEqual([]);
});
