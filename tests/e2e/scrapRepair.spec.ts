import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { languagesOf } from './languages.ts';
import { newDevices, newPartSn, visit } from './operator.ts';
import { readSavedScans } from './shift.ts';
import {
  apiGet,
  fetchToken,
  listenForErrors,
  openStation,
  signInAs,
  tabTo,
  verdict,
  words,
  type Language,
  scan,
} from './workshop.ts';

const LIST = '/rmaScrapRepairBillList';

/** Machines among the scrap of SZ. */
async function scrapAtSZ(request: APIRequestContext, count: number): Promise<string[]> {
  const sns = await newDevices(request, count);
  const token = await fetchToken(request, 'warehouse');
  for (const sn of sns) {
    const data = { sn, subinventoryCode: 'SCR', remark: 'scrap' };
    const reply = await request.post('/api/rmaStoreBill/storeStart.json', { data, headers: { token } });
    expect(((await reply.json()) as { code: string }).code).toBe('000000');
  }
  return sns;
}

const fetchUnit = async (request: APIRequestContext, sn: string) => {
  const token = await fetchToken(request, 'admin');
  const { items } = await apiGet<{ items: object[] }>(request, token, '/api/rmaInventory/pager.json', { sn });
  return items[0];
};

/** Becomes this user, whose pages speak this language. */
async function begin(page: Page, userId: string, baseURL = '') {
  await signInAs(page.context(), userId, baseURL);
}

/** Sends the scrap out, and gives the bill. */
async function sendOut(page: Page, say: (path: string) => string, sns: readonly string[]): Promise<void> {
  await openStation(page, `${LIST}/combineRepair`);
  const [first = '', ...others] = sns;
  await scan(page, first);
  await verdict(page, 'ok', first);
  await scan(page, first);
  await verdict(page, 'duplicate', first);
  // What was scanned outlives a reload.
  await page.reload();
  await expect(page.getByRole('table', { name: say('scanned') })).toContainText(first);
  for (const sn of others) {
    await scan(page, sn);
    await verdict(page, 'ok', sn);
  }
  await page.keyboard.press('Control+Enter');
  await verdict(page, 'wrong', say('scrapRepair.count'));
  const count = page.getByLabel(new RegExp(`^${say('scrapRepair.count')}`)).filter({ visible: true });
  await tabTo(page, count.filter({ visible: true }).first());
  await page.keyboard.type(String(sns.length));
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(new RegExp(`${LIST}$`));
}

/** What was repaired, and what is in the unit now. */
async function enterUnit(page: Page, language: Language): Promise<void> {
  await tabTo(page, page.locator('[data-field=partsType]:visible'));
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-field=repairMethod]:visible')).toBeFocused();
  await page.keyboard.type('8');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-field=slot]:visible')).toBeFocused();
  await page.keyboard.type('U12');
  await page.keyboard.press('Enter');
  const say = words(language);
  await expect(page.getByRole('list', { name: say('repair.rows') }).getByRole('listitem')).toHaveCount(1);
  const inputs = page
    .getByRole('region', { name: say('assemble.parts') })
    .filter({ visible: true })
    .locator('input');
  await tabTo(page, inputs.filter({ visible: true }).first());
  for (let i = 0; i < (await inputs.count()); i++) {
    await expect(inputs.filter({ visible: true }).nth(i)).toBeFocused();
    const sn = newPartSn(i);
    await scan(page, sn);
    await expect(inputs.filter({ visible: true }).nth(i)).toHaveValue(sn);
    // What stands on the screen is on the disk a moment later.
    await expect.poll(async () => (await readSavedScans(page)).notes).toContain(sn);
  }
}

for (const language of languagesOf(1)) {
  test(`scrap goes out and comes back as a unit that works, by keyboard and scanner alone (${language}) [S-SCR-01, S-SCR-06, S-SCR-08, S-OUT-01, S-OUT-02, S-OUT-11]`, async ({
    page,
    request,
    baseURL,
  }) => {
    const say = words(language);
    const errors = listenForErrors(page);
    await page.addInitScript((it) => localStorage.setItem('local', it), language);
    const [main = '', donor = '', unused = ''] = await scrapAtSZ(request, 3);

    await begin(page, 'warehouse', baseURL);
    await sendOut(page, say, [main, donor, unused]);
    expect(await fetchUnit(request, main)).toMatchObject({ ivyId: '40', holdKind: 'scrapRepair' });
    const token = await fetchToken(request, 'admin');
    const { items } = await apiGet<{ items: { id: number; srbId: string }[] }>(
      request,
      token,
      '/api/rmaScrapRepairBill/pager.json',
      { siteId: 'SZ', billStatus: '0' },
    );
    const { id, srbId } = items[0] as (typeof items)[number];

    await begin(page, 'tech', baseURL);
    await openStation(page, `${LIST}/outsourcingAccept/${id}`);
    await scan(page, 'RX19S4A26110R0000');
    await verdict(page, 'wrong', srbId);
    await page.keyboard.press('Control+Enter');
    await verdict(page, 'wrong', language === 'zh' ? '请至少添加一台设备' : 'Add at least one unit');
    await scan(page, main);
    await verdict(page, 'ok', main);
    await scan(page, donor);
    await verdict(page, 'ok', donor);
    await scan(page, main);
    await verdict(page, 'duplicate', main);
    await scan(page, 'FX54');
    await verdict(page, 'ok', 'FX54');
    await enterUnit(page, language);
    // What was entered outlives a reload.
    await page.reload();
    await expect(page.getByRole('group', { name: say('scrapRepair.main') })).toContainText(main);
    await page.keyboard.press('Control+Enter');
    await verdict(page, 'ok', main);
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('1');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await verdict(page, 'ok', language === 'zh' ? '已接收 1 台' : '1 unit accepted');
    expect(await fetchUnit(request, main)).toMatchObject({ ivyId: '70', holdKind: null, mtbId: null });
    expect(await fetchUnit(request, donor)).toMatchObject({ ivyId: '40', holdKind: 'consumed', holdBillId: srbId });
    expect(await fetchUnit(request, unused)).toMatchObject({ ivyId: '40', holdKind: null });

    // Ended, it is read here, and nothing more is entered.
    await scan(page, unused);
    await verdict(page, 'wrong', srbId);
    await visit(page, `${LIST}/detail/${id}`);
    const unit = page.getByRole('button', { name: new RegExp(main) }).filter({ visible: true });
    await tabTo(page, unit.filter({ visible: true }).first());
    const isOpen = (await unit.filter({ visible: true }).first().getAttribute('aria-expanded')) === 'true';
    if (!isOpen) await page.keyboard.press('Enter');
    await expect(
      page
        .getByRole('region', { name: say('scrapRepair.auxiliary') })
        .filter({ visible: true })
        .first(),
    ).toContainText(donor);
    expect(errors).toEqual([]);
  });
}
