import type { APIRequestContext, BrowserContext, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { apiPost, newBill } from './operator.ts';
import { newNumber, newWord } from './newWord.ts';
import { apiGet, fetchToken, listenForErrors, signInAs } from './workshop.ts';

interface Bill {
  [name: string]: unknown;
  id: number;
  version: number;
}
const FEE = 'rmaRepairFeeBill';
const fetchBill = async (request: APIRequestContext, module: string, id: number) =>
  apiGet<Bill>(request, await fetchToken(request, 'admin'), `/api/${module}/queryById.json`, { id: String(id) });
const dayOf = (at: Date) => at.toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' });

/** A device of a new model, delivered just now. */
async function deliverDevice(request: APIRequestContext) {
  const [family, salesCode, sn] = [`CF-${newWord()}`, `CC-${newWord()}`, `CD${newWord()}`];
  const itemId = newNumber();
  await apiPost(request, 'admin', '/api/ubsModelFamily/create.json', { family });
  const item = { itemId, salesCode, name: family, productName: family, family };
  const kind = { type: '0', deviceType: '0', itemType: '0', snControl: '1' };
  await apiPost(request, 'admin', '/api/ubsItem/create.json', { ...item, ...kind });
  const device = { sn, salesCode, itemName: family, itemId, type: '0', origin: '1' };
  await apiPost(request, 'admin', '/api/ubsItemObject/create.json', device);
  await newBill(request, [sn], { salesCode, type: '0', count: 1 });
  await apiPost(request, 'admin', '/api/rmaInventory/modifyIvyId.json', { sn, ivyId: '100', remark: 'repaired' });
  const token = await fetchToken(request, 'admin');
  const history = '/api/rmaMaintainBill/viewHistory.json';
  const { unit } = await apiGet<{ unit: { stockup: { skbId: string } } }>(request, token, history, { sn });
  const { skbId } = unit.stockup;
  const attempt = '/api/rmaDeliverBill/attemptDeliver.json';
  const { deliverItemId, sklId } = await apiPost(request, 'warehouse', attempt, { sn, skbId });
  await apiPost(request, 'warehouse', '/api/rmaDeliverBill/submitDeliverBill.json', {
    ...{ skbId, submitType: '0', rmaDeliverBillLineList: [{ deliverItemId, deliverSn: sn, sklId }] },
  });
  return { family, sn };
}

/** A price for the device's work that finance has passed. */
async function passPrice(
  request: APIRequestContext,
  of: object,
  unitPriceWithTax: string,
  from: string,
  until: string,
) {
  const day = (text: string) => new Date(`${text}T00:00:00+08:00`).getTime();
  const { id } = await apiPost<{ id: number }>(request, 'office', '/api/rmaPriceBill/create.json', {
    ...{
      settleCompany: 'C',
      repairProject: '1',
      warranty: '0',
      repairType: '2',
      currency: 'CNY',
      taxRate: '13',
      ...of,
    },
    ...{ unitPriceWithTax, effectiveDate: day(from), expirationDate: day(until) },
  });
  const token = await fetchToken(request, 'finance');
  const told = '/api/rmaPriceBill/earlierPrice.json';
  const { foreseen } = await apiGet<{ foreseen: string }>(request, token, told, { id: String(id) });
  await decide(request, 'rmaPriceBill', 'financialReview', id, 'finance', { foreseen });
  return id;
}

async function decide(
  request: APIRequestContext,
  module: string,
  action: string,
  id: number,
  as: string,
  more: object = {},
) {
  const { version } = await fetchBill(request, module, id);
  await apiPost(request, as, `/api/${module}/${action}.json`, { id, version, result: '2', remark: 'seen', ...more });
}

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

/** The bill of a supplier's only device. It may have been delivered on the day before, over midnight. */
async function generateBill(request: APIRequestContext, supplierName: string, today: string): Promise<number> {
  const period = { recPeriod: today.slice(0, 7), startDate: dayBefore(today), endDate: today };
  const path = '/api/rmaRepairFeeBill/generateMonthlyProcessingFeeBill.json';
  await apiPost(request, 'office', path, period);
  const token = await fetchToken(request, 'office');
  const { items } = await apiGet<{ items: Bill[] }>(request, token, `/api/${FEE}/pager.json`, { supplierName });
  return Number(items[0]?.id);
}

async function uploadPaper(request: APIRequestContext): Promise<string> {
  const buffer = Buffer.from('%PDF-1.4\n%invoice\n%%EOF\n');
  const reply = await request.post('/api/rmaAppendix/upload.json', {
    headers: { token: await fetchToken(request, 'office') },
    multipart: { file: { name: 'invoice.pdf', mimeType: 'application/pdf', buffer } },
  });
  return ((await reply.json()) as { data: { url: string } }).data.url;
}

/** A page of this person's own, in English. */
async function sit(openProfile: () => Promise<BrowserContext>, baseURL: string, userId: string) {
  const context = await openProfile();
  await signInAs(context, userId, baseURL);
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  return { page, errors: listenForErrors(page) };
}
const says = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();

test('a line keeps a changed price for a reason; settled, it is credited by a bill that two others pass [S-RFB-01] [S-REV-01]', async ({
  openProfile,
  request,
  baseURL,
}) => {
  const supplierName = `Supplier ${newWord()}`;
  await apiPost(request, 'office', '/api/rmaRepairSupplier/create.json', { supplierName });
  const { family, sn } = await deliverDevice(request);
  const of = { supplierName, machineType: family };
  const today = dayOf(new Date());
  const year = Number(today.slice(0, 4));
  const until = `${year + 1}-12-31`;
  await passPrice(request, of, '113', `${year - 1}-01-01`, until);
  const id = await generateBill(request, supplierName, today);
  const { rfbId } = await fetchBill(request, FEE, id);
  await passPrice(request, of, '226', dayBefore(today), until);
  const people = ['office', 'finance', 'auditor'];
  const seats = await Promise.all(people.map((it) => sit(openProfile, baseURL as string, it)));
  const [office, finance, auditor] = seats.map((it) => it.page) as [Page, Page, Page];

  await test.step('the line is confirmed with a reason, beside what it would cost now', async () => {
    await office.goto(`/${FEE}List/detail/${id}`);
    await office.getByRole('button', { name: 'Confirm prices', exact: true }).click();
    const dialog = office.getByRole('dialog');
    await expect(dialog.getByText(/¥113\.00, by now .* ¥226\.00/)).toBeVisible();
    await dialog.getByLabel(`Why ${sn} keeps its price`).fill('agreed in October');
    await dialog.getByRole('button', { name: 'Confirm prices', exact: true }).click();
    await expect(dialog).toBeHidden();
    await finance.goto(`/${FEE}List/detail/${id}`);
    await says(finance, 'agreed in October');
  });

  await test.step('the bill is settled', async () => {
    await decide(request, FEE, 'afterSalesReview', id, 'aftersales');
    await decide(request, FEE, 'financialReview', id, 'finance');
    const { version } = await fetchBill(request, FEE, id);
    const invoiceUrls = await uploadPaper(request);
    await apiPost(request, 'office', `/api/${FEE}/uploadInvoice.json`, { id: String(id), version, invoiceUrls });
    await decide(request, FEE, 'financialAudit', id, 'auditor');
  });

  await test.step('its line is credited, and no more than is left', async () => {
    await office.goto(`/${FEE}List/correct/${id}`);
    const amount = office.getByLabel(`Amount ${sn}`);
    await amount.fill('113.01');
    await office.getByLabel(`Reason ${sn}`).fill('repaired under warranty');
    await office.getByRole('button', { name: 'Submit correction', exact: true }).click();
    await says(office, 'Only ¥113.00 is left of this line; it is credited by no more');
    await amount.fill('32.46');
    await says(office, 'Lines: 1, in all -¥32.46');
    await office.getByRole('button', { name: 'Submit correction', exact: true }).click();
    await office.waitForURL(/rmaCorrectionBillList\/detail\/\d+$/);
  });
  const correction = Number(new URL(office.url()).pathname.split('/').at(-1));

  await test.step('finance reviews it, and the audit settles it', async () => {
    for (const [page, action] of [
      [finance, 'financialReview'],
      [auditor, 'financialAudit'],
    ] as const) {
      await page.goto(`/rmaCorrectionBillList/${action}/${correction}`);
      await says(page, '-¥32.46');
      await says(page, 'repaired under warranty');
      const answered = page.waitForResponse((it) => it.url().includes(`${action}.json`));
      await page.getByRole('button', { name: 'Pass', exact: true }).click();
      expect(await (await answered).json()).toMatchObject({ code: '000000' });
    }
    expect(await fetchBill(request, 'rmaCorrectionBill', correction)).toMatchObject({ billStatus: '3', rfbId });
  });

  await test.step('the settled bill says what corrects it and what remains', async () => {
    await office.goto(`/${FEE}List/detail/${id}`);
    const corrections = office.getByRole('region', { name: 'Corrections' });
    await expect(corrections).toContainText('-¥32.46');
    await expect(corrections).toContainText('¥80.54');
  });
  expect(seats.flatMap((it) => it.errors)).toEqual([]);
});
