import type { APIRequestContext, Locator } from '@playwright/test';
import { expect, test } from './journey.ts';
import { languagesOf } from './languages.ts';
import { newWord } from './newWord.ts';
import { advanceUnit, apiPost, devicesAt, MODEL, newBill, newDevice, visit } from './operator.ts';
import { queuePages, stationPages } from './register.ts';
import { apiGet, choose, fetchToken, scan, signInAs, words } from './workshop.ts';

const submit = 'footer button.MuiButton-contained:visible';

/** Letters of the verdict and of the rows that are read from two metres, by the width of the window. */
const least = { 1440: 48, 1024: 36, 390: 28 };
const widths = [1440, 1024, 390] as const;
const ROW_LETTERS = 18;

test('each station of the register stands alone where its address says so, at every width', async ({
  page,
  context,
  baseURL,
}) => {
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  await signInAs(context, 'admin', baseURL as string);
  expect(stationPages).toContain('/rmaArrivalBillList/signFor');
  expect(queuePages.length).toBeGreaterThan(7);
  for (const path of stationPages) {
    await visit(page, `${path}?kiosk=1`);
    for (const width of widths) {
      const where = `${path} at ${width}`;
      await page.setViewportSize({ width, height: 844 });
      await page.locator('input[data-scan]').filter({ visible: true }).first().waitFor();
      await expect(page.getByRole('navigation')).toHaveCount(0);
      // Stations behind it have theirs.
      const heading = page.locator('h1:visible');
      await expect(heading).toHaveCount(1);
      await expect(heading).not.toBeEmpty();
      const line = page.locator('[data-verdict]:visible');
      await expect.poll(async () => (await line.boundingBox())?.width, where).toBeGreaterThan(width - 40);
      await expect.poll(() => lettersOf(line.locator('.text')), where).toBeGreaterThanOrEqual(least[width]);
      const queue = page.getByRole('region', { name: words('en')('queue') });
      await expect(queue, where).toHaveCount(queuePages.includes(path) ? 1 : 0);
      await expect(page.locator(submit), where).toBeDisabled();
    }
  }
});

const lettersOf = (text: Locator) => text.evaluate((it) => parseFloat(getComputedStyle(it).fontSize));

for (const language of languagesOf(0)) {
  test(`every station refuses in one whole sentence that names what was scanned, ${language}`, async ({
    page,
    context,
    baseURL,
  }) => {
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.addInitScript((it) => localStorage.setItem('local', it), language);
    const { request } = context;
    const [unchecked = '', checked = '', stored = ''] = await devicesAt(request, 3, '10');
    await advanceUnit(request, checked, '50');
    const parcel = await newBill(request, [], { salesCode: MODEL, type: '0', count: 1 });
    const skbId = await advanceUnit(request, stored, '100');
    await apiPost(request, 'warehouse', '/api/rmaArrivalBill/signFor.json', {
      ...{ receiveShipNo: `SIGNED-${stored}`, receivePackageCount: 1, remark: '' },
    });
    const made = await apiPost<{ sktbId: string }>(request, 'warehouse', '/api/rmaStockTransferBill/initiate.json', {
      ...{ deliverSiteId: 'SZ', receiveSiteId: 'NB' },
      rmaStockTransferLineRequestList: [{ salesCode: MODEL, itemType: '0', storageType: '0', count: 1 }],
    });
    const underWay = await apiGet<{ items: { sktbId: string }[] }>(
      request,
      await fetchToken(request, 'admin'),
      '/api/rmaStockTransferBill/pager.json',
      { billStatus: '1', receiveSiteId: 'SZ' },
    );
    expect(underWay.items).not.toEqual([]);
    /** What is scanned first, and what is then refused, where it is not the unit that waits for its first test. */
    const scans: Record<string, string[]> = {
      signFor: [`SIGNED-${stored}`],
      receive: [parcel.shipNo, unchecked],
      check: [checked],
      deliver: [skbId, unchecked],
      deliverAccept: [made.sktbId, unchecked],
      receiverAccept: [underWay.items[0]?.sktbId ?? '', unchecked],
    };
    await signInAs(context, 'admin', baseURL as string);
    for (const path of stationPages) {
      const told = scans[path.split('/').at(-1) ?? ''] ?? [unchecked];
      const scanned = told.at(-1) ?? '';
      await visit(page, `${path}?kiosk=1`);
      await expect(page.locator('input[data-scan]:visible:focus')).toHaveCount(1);
      // Who sees several sites says first whose scrap it is.
      if (path.endsWith('/combineRepair')) {
        const site = page.getByRole('combobox', { name: words(language)('scrapRepair.siteId') });
        await choose(page, site.filter({ visible: true }), /./);
        await expect(page.locator('input[data-scan]:visible:focus')).toHaveCount(1);
      }
      for (const it of told.slice(0, -1)) {
        // What follows is scanned into what it has opened.
        const isAnswered = page.waitForResponse(
          (answer) => answer.url().includes(it) || answer.request().postData()?.includes(it) === true,
        );
        await scan(page, it);
        await isAnswered;
      }
      await scan(page, scanned);
      if (!queuePages.includes(path)) await page.keyboard.press('Enter');
      const text = page.locator(
        '[data-verdict]:is([data-verdict=refused], [data-verdict=wrong], [data-verdict=duplicate]):visible .text',
      );
      await expect(text, path).toContainText(scanned);
      const sentence = (await text.textContent()) ?? '';
      expect(sentence.replace(scanned, '').length, `${path}: ${sentence}`).toBeGreaterThan(
        10 / (language === 'zh' ? 2 : 1),
      );
      await expectWhole(text, path);
      if (!queuePages.includes(path)) continue;
      const note = page.locator('tr[data-state]:is([data-state=refused], [data-state=wrong]) .note:visible');
      await expect(note, path).toHaveText(sentence);
      await expectWhole(note, path);
      expect(await lettersOf(note), path).toBeGreaterThanOrEqual(ROW_LETTERS);
    }
  });
}

/**
 * No line of it is cut, once the page is drawn for its width. Both sizes are rounded, by where the text lies between two
 * pixels: one pixel is no line.
 */
async function expectWhole(text: Locator, where: string): Promise<void> {
  const cut = () => text.evaluate((it) => Math.max(it.scrollHeight - it.clientHeight, it.scrollWidth - it.clientWidth));
  await expect.poll(cut, `${where} shows the whole sentence`).toBeLessThanOrEqual(1);
}

test('a station that stands alone is left by hand alone, and stays so over a reload', async ({
  page,
  context,
  baseURL,
}) => {
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  const [sn = ''] = await devicesAt(context.request, 1, '50');
  await signInAs(context, 'tech', baseURL as string);
  await page.goto('/rmaBurninBillList/burnin');
  await page.getByRole('button', { name: words('en')('kiosk.enter') }).click();
  await expect(page).toHaveURL(/kiosk=1/);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await page.reload();
  await page.locator('input[data-scan=field]').waitFor();
  await expect(page.getByRole('navigation')).toHaveCount(0);

  // Whatever a scanner sends, F9 and Escape among it.
  await page.keyboard.press('F9');
  await scan(page, sn);
  await page.keyboard.press('F9');
  await page.keyboard.press('Escape');
  await expect(page.locator('tr[data-state=refused]')).toContainText(`SN ${sn} is at`);
  await expect(page).toHaveURL(/kiosk=1/);

  // Another station of this browser stands alone as well.
  await page.goto('/rmaExamineBillList/examine');
  await page.locator('input[data-scan=field]').waitFor();
  await expect(page).toHaveURL(/kiosk=1/);
  await expect(page.getByRole('navigation')).toHaveCount(0);

  await page.keyboard.down('F9');
  await expect(page.getByRole('navigation').filter({ visible: true }).first()).toBeVisible();
  await page.keyboard.up('F9');
  await expect(page).not.toHaveURL(/kiosk=1/);
});

/** Units that wait for repair, with SNs of every usual length: where a line breaks depends on it. */
async function unitsOfEachLength(request: APIRequestContext): Promise<string[]> {
  const stem = newWord();
  const sns = Array.from({ length: 10 }, (_, i) => stem.padEnd(11 + i, 'X'));
  for (const sn of sns) await newDevice(request, sn);
  await newBill(request, sns);
  for (const sn of sns) await advanceUnit(request, sn, '50');
  return sns;
}

for (const language of languagesOf(1)) {
  test(`a refused row is one sentence that names its SN, at every width, ${language}`, async ({
    page,
    context,
    baseURL,
  }) => {
    await page.addInitScript((it) => localStorage.setItem('local', it), language);
    const sns = await unitsOfEachLength(context.request);
    await signInAs(context, 'tech', baseURL as string);
    for (const kiosk of ['', '?kiosk=1']) {
      await page.goto(`/rmaBurninBillList/burnin${kiosk}`);
      await page.locator('input[data-scan=field]').waitFor();
      for (const sn of sns) {
        await scan(page, sn);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 844 });
          const told = page.locator('[data-verdict=refused] .text');
          await expect(told).toContainText(sn);
          const note = page
            .locator('tr[data-state=refused]')
            .filter({ hasText: sn })
            .filter({ visible: true })
            .first()
            .locator('.note:visible');
          await expect(note).toHaveCount(1);
          expect(await note.textContent()).toContain(sn);
          expect(await note.textContent()).toBe(await told.textContent());
          for (const it of [note, told]) await expectWhole(it, `${sn} at ${width}${kiosk}`);
          if (kiosk) expect(await lettersOf(note)).toBeGreaterThanOrEqual(ROW_LETTERS);
        }
      }
    }
  });
}
