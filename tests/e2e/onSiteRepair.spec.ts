import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { languagesOf } from './languages.ts';
import { newWord } from './newWord.ts';
import { fetchBill, fetchUnitHistory, MODEL, newBill, newDevices, visit } from './operator.ts';
import { readSavedScans } from './shift.ts';
import { listenForErrors, signInAs, tabTo, verdict, words, type Language, scan } from './workshop.ts';

const ADDRESS = '/rmaSiteRepairBillList/onSiteRepair';
/** Between the keys of a hand; what comes faster is a scanner. */
const HAND = 130;
/** A repaired part that is in no archive yet. */
const part = () => `HB${newWord()}`;
const field = (page: Page, name: string) => page.locator(`[data-field=${name}]:visible`);
const bill = (page: Page) => page.locator('input[data-scan=number]:visible');
const device = (page: Page) => field(page, 'productSn');

/** Presses a button of this name by keyboard. */
async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, page.getByRole('button', { name, exact: true }).filter({ visible: true }).last());
  await page.keyboard.press('Enter');
}

/** What was found and done on a device. */
async function enterRepair(page: Page, language: Language): Promise<void> {
  const say = words(language);
  await tabTo(page, page.locator('input[data-scan=code]').filter({ visible: true }).first());
  await scan(page, 'FX54');
  await tabTo(page, field(page, 'partsType'));
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await expect(field(page, 'repairMethod')).toBeFocused();
  await page.keyboard.type('8');
  await page.keyboard.press('Enter');
  await expect(field(page, 'slot')).toBeFocused();
  await page.keyboard.type('U12', { delay: HAND });
  await tabTo(page, field(page, 'issueCodeIdList'));
  await scan(page, 'RP01');
  await tabTo(page, field(page, 'sn'));
  await scan(page, part());
  await expect(page.getByRole('table', { name: say('repair.rows') }).getByRole('row')).toHaveCount(1);
}

for (const language of languagesOf(1)) {
  test(`devices are repaired at their customer, one of them without a network, and the order is ended (${language}) [S-OSR-01, S-OSR-02, S-OSR-03, S-OSR-04, S-OSR-24, S-OSR-25]`, async ({
    page,
    context,
    request,
    baseURL,
  }) => {
    const say = words(language);
    const errors = listenForErrors(page);
    const [first = '', second = ''] = await newDevices(request, 2);
    const { mtbId } = await newBill(request, [], { salesCode: MODEL, type: '0', count: 2 });
    await page.addInitScript((it) => localStorage.setItem('local', it), language);
    await signInAs(context, 'tech', baseURL as string);
    await page.goto(ADDRESS);
    await tabTo(page, bill(page));
    await scan(page, mtbId);

    // A hand is not listened to.
    await press(page, say('onSite.scan'));
    await page.keyboard.type(first, { delay: HAND });
    await page.keyboard.press('Enter');
    await expect(device(page)).toHaveValue('');
    await scan(page, first);
    await verdict(page, 'ok', first);
    await expect(device(page)).toHaveValue(first);
    await expect(page.getByRole('group', { name: say('onSite.device') })).toContainText(MODEL);
    await enterRepair(page, language);
    // What was entered outlives a reload.
    await expect.poll(async () => (await readSavedScans(page)).notes).toContain('RP01');
    await page.reload();
    await expect(device(page)).toHaveValue(first);
    await expect(bill(page)).toHaveValue(mtbId);
    await expect(page.getByRole('table', { name: say('repair.rows') }).getByRole('row')).toHaveCount(1);
    await page.keyboard.press('Control+Enter');
    await verdict(page, 'ok', first);
    await expect(device(page)).toHaveValue('');
    await expect(bill(page)).toHaveValue(mtbId);

    await context.setOffline(true);
    await press(page, say('onSite.scan'));
    await scan(page, second);
    await expect(device(page)).toHaveValue(second);
    await enterRepair(page, language);
    await page.keyboard.press('Control+Enter');
    await verdict(page, 'kept');
    await expect(page.getByRole('button', { name: say('takeBack') })).toBeVisible();
    await context.setOffline(false);
    await expect(device(page)).toHaveValue('');
    await verdict(page, 'ok', second);
    for (const sn of [first, second])
      expect((await fetchUnitHistory(request, sn)).steps.join()).toContain('onSiteRepair tech');

    await press(page, say('onSite.end'));
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(mtbId);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await verdict(page, 'ok', mtbId);
    await expect(bill(page)).toHaveValue('');
    expect((await fetchBill(request, mtbId)).status).toBe('2');

    // The customer gets what was done, in the language of the house: the order names no country.
    await visit(page, '/rmaSiteRepairBillList');
    await page.getByRole('row').filter({ hasText: mtbId }).click();
    await page.getByRole('button', { name: /^(现场维修报告|Visit report)$/ }).click();
    const paper = page.getByRole('article');
    await expect(paper).toContainText(first);
    await expect(paper).toContainText(words('zh')('visitReport.signedFor'));
    await page.emulateMedia({ media: 'print' });
    await expect(paper).toBeVisible();
    await expect(page.locator('#root')).toBeHidden();
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
    expect(errors.filter((it) => !it.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  });
}
