import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { languagesOf } from './languages.ts';
import { MODEL, newDevices } from './operator.ts';
import {
  apiGet,
  choose,
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

const LIST = '/rmaStockTransferBillList';
const sites: Record<Language, string> = { zh: '宁波维修中心', en: 'Ningbo repair center' };

/** Machines that were put on the shelf of SZ as its own stock. */
async function stockAtSZ(request: APIRequestContext, count: number) {
  const sns = await newDevices(request, count);
  const token = await fetchToken(request, 'warehouse');
  for (const sn of sns) {
    const data = { sn, subinventoryCode: 'FG', remark: 'stock' };
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

for (const language of languagesOf(0)) {
  test(`stock goes from site to site, by keyboard and scanner alone (${language}) [S-STK-01, S-STK-02, S-STK-09, S-STK-10]`, async ({
    page,
    request,
    baseURL,
  }) => {
    const say = words(language);
    const errors = listenForErrors(page);
    await page.addInitScript((it) => localStorage.setItem('local', it), language);
    const [first = '', second = ''] = await stockAtSZ(request, 2);
    const field = (name: string) =>
      page
        .getByLabel(new RegExp(`^${name}`))
        .filter({ visible: true })
        .first();

    await begin(page, 'warehouse', baseURL);
    await page.goto(`${LIST}/initiate`);
    await choose(page, field(say('field.receiveSiteId')), sites[language]);
    await tabTo(page, field(say('field.salesCode')));
    await page.keyboard.type(MODEL);
    await tabTo(page, field(say('field.count')));
    await page.keyboard.type('2');
    await expect(page.locator('datalist option')).not.toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('table', { name: say('transfer.lines') })).toContainText(MODEL);
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(new RegExp(`${LIST}/detail/\\d+$`));
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

    // Not fully scanned, nothing leaves.
    await openStation(page, `${LIST}/deliverAccept/${id}`);
    await scan(page, first);
    await verdict(page, 'ok', first);
    await scan(page, first);
    await verdict(page, 'duplicate', first);
    await page.keyboard.press('Control+Enter');
    await verdict(page, 'wrong', say('errorCountMsg'));
    // What was scanned outlives a reload.
    await page.reload();
    await expect(page.getByRole('table', { name: say('scanned') })).toContainText(first);
    await scan(page, second);
    await verdict(page, 'ok', second);
    await page.keyboard.press('Control+Enter');
    await verdict(page, 'ok', 'SKT');
    expect(await fetchUnit(request, second)).toMatchObject({ siteId: 'SZ', ivyId: null, holdKind: 'transfer' });

    await begin(page, 'whNB', baseURL);
    await openStation(page, `${LIST}/receiverAccept/${id}`);
    await scan(page, 'RX19S4A26110R0000');
    await verdict(page, 'wrong');
    await scan(page, second);
    await verdict(page, 'ok', second);
    await page.keyboard.press('Control+Enter');
    await verdict(page, 'ok', language === 'zh' ? '剩余 1 台' : '1 left');
    expect(await fetchUnit(request, second)).toMatchObject({
      siteId: 'NB',
      ivyId: '100',
      storageType: '0',
      holdKind: null,
    });
    expect(await fetchUnit(request, first)).toMatchObject({ siteId: 'SZ', ivyId: null });
    await scan(page, first);
    await verdict(page, 'ok', first);
    await page.keyboard.press('Control+Enter');
    await verdict(page, 'ok', language === 'zh' ? '剩余 0 台' : '0 left');
    expect(await fetchUnit(request, first)).toMatchObject({ siteId: 'NB', ivyId: '100' });
    expect(errors).toEqual([]);
  });
}
