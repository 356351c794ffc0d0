import { expect, test } from './journey.ts';
import { apiPost, MODEL, newBill, newDevices, visit } from './operator.ts';
import { fire } from './scanner.ts';
import { apiGet, content, fetchToken, notices, signInAs } from './workshop.ts';

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
  await page.locator('#content tbody tr').filter({ visible: true }).first().waitFor();
  await fire(session, sn, { gap: 10 });
  await expect(page).toHaveURL(record);
  await expect(notices(page).filter({ has: told })).toBeVisible();
  await expect(page.locator('h1')).toHaveText(sn);

  await visit(page, '/home');
  await page.locator('#content h2').filter({ visible: true }).first().waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(sn);
  await page.getByRole('option', { name: sn }).click();
  await expect(page).toHaveURL(record);

  await visit(page, `/rmaInventoryList/viewHistory/${sn}`);
  await expect(content(page).getByRole('alert').filter({ has: told })).toBeVisible();
  await content(page).getByRole('alert').getByRole('link').click();
  await expect(page).toHaveURL(record);
});

test('a parcel, a bill or an SN that is scanned on a list or at home leads to its own page', async ({
  page,
  context,
  baseURL,
}) => {
  const [sn = ''] = await newDevices(context.request, 1);
  const { mtbId } = await newBill(context.request, [sn]);
  const { shipNo } = await newBill(context.request, [], { salesCode: MODEL, type: '0', count: 1 });
  const parcel = { receiveShipNo: shipNo, receivePackageCount: 1, remark: '' };
  await apiPost(context.request, 'warehouse', '/api/rmaArrivalBill/signFor.json', parcel);
  const numbers = [
    { code: sn, at: `/rmaInventoryList/viewHistory/${sn}`, heading: sn },
    { code: mtbId, at: /\/rmaMaintainBillList\/detail\/\w+$/, heading: mtbId },
    {
      code: shipNo,
      at: /\/(rmaArrivalBill|rmaMaintainBill)List\/detail\/\w+$/,
      heading: /^(ABL|MTB)\d+$/,
    },
  ];
  await signInAs(context, 'admin', baseURL as string);
  const session = await context.newCDPSession(page);
  for (const from of ['/home', '/rmaArrivalBillList', '/rmaMaintainBillList', '/rmaInventoryList']) {
    for (const { code, at, heading } of numbers) {
      await visit(page, from);
      await page.locator('#content :is(h2, tbody tr)').filter({ visible: true }).first().waitFor();
      await fire(session, code, { gap: 10 });
      await expect(page, `${code} scanned at ${from}`).toHaveURL(at);
      await expect(page.locator('h1')).toHaveText(heading);
    }
  }
});
