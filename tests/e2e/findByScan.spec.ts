import { expect, test } from './journey.ts';
import { fire } from './scanner.ts';
import { apiGet, fetchToken, signInAs } from './workshop.ts';

interface Arrival {
  receiveShipNo: string;
}

test('an SN of another site is told as such, beside what the archive knows of it', async ({
  page,
  context,
  baseURL,
}) => {
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  const token = await fetchToken(context.request, 'admin');
  const list = async <Row>(module: string, query: Record<string, string>) =>
    (await apiGet<{ items: Row[] }>(context.request, token, `/api/${module}/pager.json`, query)).items;
  const [unit] = await list<{ sn: string }>('rmaInventory', { siteId: 'NB' });
  const sn = unit?.sn ?? '';
  const [archived] = await list<{ id: number }>('ubsItemObject', { sn });
  const record = `/ubsItemObjectList/detail/${archived?.id}`;
  await signInAs(context, 'tech', baseURL as string);
  const session = await context.newCDPSession(page);
  const told = page.getByText(`SN ${sn} belongs to another site, not to yours`);

  await page.goto('/rmaInventoryList');
  await page.locator('#content tbody tr').first().waitFor();
  await fire(session, sn, { gap: 10 });
  await expect(page).toHaveURL(record);
  await expect(told).toBeVisible();
  await expect(page.locator('h1')).toHaveText(sn);

  await page.goto('/home');
  await page.locator('#content h2').first().waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(sn);
  await page.getByRole('option', { name: sn }).click();
  await expect(page).toHaveURL(record);

  await page.goto(`/rmaInventoryList/viewHistory/${sn}`);
  await expect(page.getByRole('alert').filter({ has: told })).toBeVisible();
  await page.getByRole('alert').getByRole('link').click();
  await expect(page).toHaveURL(record);
});

test('a parcel, a bill or an SN that is scanned on a list or at home leads to its own page', async ({
  page,
  context,
  baseURL,
}) => {
  const token = await fetchToken(context.request, 'admin');
  /** The newest one that says this: a unit of our own is on no bill. */
  const newest = async <Row>(module: string, field: keyof Row, query = {}) =>
    (await apiGet<{ items: Row[] }>(context.request, token, `/api/${module}/pager.json`, query)).items.find(
      (it) => it[field],
    ) as Row;
  const unit = await newest<{ sn: string; mtbId: string }>('rmaInventory', 'mtbId', { pageCount: '100' });
  const parcel = await newest<Arrival>('rmaArrivalBill', 'receiveShipNo', { status: '0' });
  const numbers = [
    { code: unit.sn, at: `/rmaInventoryList/viewHistory/${unit.sn}`, heading: unit.sn },
    { code: unit.mtbId, at: /\/rmaMaintainBillList\/detail\/\w+$/, heading: unit.mtbId },
    {
      code: parcel.receiveShipNo,
      at: /\/(rmaArrivalBill|rmaMaintainBill)List\/detail\/\w+$/,
      heading: /^(ABL|MTB)\d+$/,
    },
  ];
  await signInAs(context, 'admin', baseURL as string);
  const session = await context.newCDPSession(page);
  for (const from of ['/home', '/rmaArrivalBillList', '/rmaMaintainBillList', '/rmaInventoryList']) {
    for (const { code, at, heading } of numbers) {
      await page.goto(from);
      await page.locator('header h1').filter({ visible: true }).waitFor();
      await page.locator('#content :is(h2, tbody tr)').first().waitFor();
      await fire(session, code, { gap: 10 });
      await expect(page, `${code} scanned at ${from}`).toHaveURL(at);
      await expect(page.locator('h1')).toHaveText(heading);
    }
  }
});
