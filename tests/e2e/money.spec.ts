import { writeXlsx, type CellValue } from 'hucre';
import type { APIRequestContext, BrowserContext, Locator, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { apiPost, createOperator, MODEL, newBill, readDefinition, type Operator } from './operator.ts';
import { go } from './menuWalk.ts';
import { newNumber, newWord } from './newWord.ts';
import { apiGet, choose, fetchToken, listenForErrors, PASSWORD, signInAs, type Language } from './workshop.ts';

/** One person at a desk of their own: nobody of these journeys sits where another has signed in. */
interface Desk extends Operator {
  errors: string[];
  /** To a list, by its address. */
  see: (module: string) => Promise<void>;
  /** Chooses the row that says so and presses this button. */
  start: (module: string, text: string, btnNo?: string) => Promise<void>;
}

async function takeSeat(
  openProfile: () => Promise<BrowserContext>,
  baseURL: string,
  userId: string,
  language: Language,
): Promise<Desk> {
  const context = await openProfile();
  await signInAs(context, userId, baseURL);
  const page = await context.newPage();
  await page.addInitScript((it) => localStorage.setItem('local', it), language);
  const errors = listenForErrors(page);
  const operator = createOperator(page, context, language, {});
  const see = async (module: string) => {
    const path = `/${module}List`;
    if (page.url() === 'about:blank') await page.goto(path);
    else if (new URL(page.url()).pathname !== path) await go(page, path);
    // Others have worked on these rows since they were read.
    else await page.getByRole('button', { name: language === 'zh' ? '刷新' : 'Refresh', exact: true }).click();
    await page.locator('#content tbody tr[data-id]').filter({ visible: true }).first().waitFor();
  };
  const start = async (module: string, text: string, btnNo?: string) => {
    await see(module);
    const row = page.locator('#content tbody tr[data-id]').filter({ hasText: text, visible: true });
    if ((await row.getAttribute('aria-selected')) !== 'true')
      await row.locator('td').filter({ visible: true }).nth(1).click();
    if (btnNo) await page.getByRole('button', { name: labelOf(module, btnNo, language), exact: true }).click();
  };
  return { ...operator, errors, see, start };
}

/** How a button of a money bill is called. */
const labelOf = (module: string, btnNo: string, language: Language): string =>
  readDefinition(`finance/${module}`).buttons.find((it) => it.btnNo === btnNo)?.label[language] ?? btnNo;

const PRICE = 'rmaPriceBill';
const FEE = 'rmaRepairFeeBill';
const EXPENSE = 'rmaMiscellaneousExpensesBill';
const FREIGHT = 'rmaLogisticsCostsBill';

const today = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' });
const year = Number(today().slice(0, 4));

/** Amounts as whole millionths, so that nothing is lost when they are added up. */
const millionths = (amount: string): bigint => {
  const [whole = '', rest = ''] = amount.split('.');
  return BigInt(whole + rest.padEnd(6, '0'));
};
const sumOf = (lines: readonly Line[], name: keyof Line): bigint =>
  lines.reduce((sum, it) => sum + millionths(String(it[name])), 0n);
/** As the screens write it. */
const said = (amount: bigint, sign: string): string => {
  expect(amount % 10_000n, 'an amount is of whole cents').toBe(0n);
  const cents = (amount / 10_000n).toString().padStart(3, '0');
  return `${sign}${cents.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${cents.slice(-2)}`;
};

interface Line {
  id: number;
  sn: string | null;
  prbId: string | null;
  priceReason: string;
  remark: string | null;
  isSecondRepair: string;
  repairProject: string | null;
  unitPrice: string;
  includingTaxAmount: string;
  excludingTaxAmount: string;
  taxAmount: string;
}
interface Bill {
  [name: string]: unknown;
  id: number;
  lines: Line[];
}

const fetchBills = async (request: APIRequestContext, module: string, query: Record<string, string>) => {
  const token = await fetchToken(request, 'auditor');
  const path = `/api/${module}/pager.json`;
  return (await apiGet<{ items: Bill[] }>(request, token, path, { pageCount: '50', ...query })).items;
};
async function fetchBill(request: APIRequestContext, module: string, id: number): Promise<Bill> {
  const token = await fetchToken(request, 'auditor');
  const bill = await apiGet<Bill>(request, token, `/api/${module}/queryById.json`, { id: String(id) });
  const lines = bill[`${module}LineList`] as Line[] | undefined;
  return { ...bill, lines: lines ?? [] };
}

/** A supplier who stands on no bill yet. */
async function newSupplier(request: APIRequestContext): Promise<string> {
  const supplierName = `供应商${newWord()}`;
  await apiPost(request, 'office', '/api/rmaRepairSupplier/create.json', { supplierName });
  return supplierName;
}

/** A model that nobody else repairs, and devices of it that were delivered just now. */
async function deliverDevices(request: APIRequestContext, count: number) {
  const family = `MF-${newWord()}`;
  const salesCode = `MC-${newWord()}`;
  const itemId = newNumber();
  await apiPost(request, 'admin', '/api/ubsModelFamily/create.json', { family });
  const item = { itemId, salesCode, name: family, productName: family, family };
  const kind = { type: '0', deviceType: '0', itemType: '0', snControl: '1' };
  await apiPost(request, 'admin', '/api/ubsItem/create.json', { ...item, ...kind });
  const sns: string[] = [];
  for (let i = 0; i < count; i++) {
    const sn = `MD${newWord()}`;
    const device = { sn, salesCode, itemName: family, itemId, type: '0', origin: '1' };
    await apiPost(request, 'admin', '/api/ubsItemObject/create.json', device);
    sns.push(sn);
  }
  await newBill(request, sns, { salesCode, type: '0', count });
  const token = await fetchToken(request, 'admin');
  for (const sn of sns) {
    await apiPost(request, 'admin', '/api/rmaInventory/modifyIvyId.json', { sn, ivyId: '100', remark: 'repaired' });
    const path = '/api/rmaMaintainBill/viewHistory.json';
    const { unit } = await apiGet<{ unit: { stockup: { skbId: string } } }>(request, token, path, { sn });
    const { skbId } = unit.stockup;
    const attempt = '/api/rmaDeliverBill/attemptDeliver.json';
    const { deliverItemId, sklId } = await apiPost(request, 'warehouse', attempt, { sn, skbId });
    const rmaDeliverBillLineList = [{ deliverItemId, deliverSn: sn, sklId }];
    const submit = { skbId, submitType: '0', rmaDeliverBillLineList };
    await apiPost(request, 'warehouse', '/api/rmaDeliverBill/submitDeliverBill.json', submit);
  }
  return { family, sns };
}

/** Somebody new with these roles, who has chosen a password already. */
async function newColleague(request: APIRequestContext, userId: string, roleIds: string): Promise<void> {
  const password = 'Sonne#4711x';
  const user = { userId, userName: userId, password, siteId: 'SZ', roleIds };
  await apiPost(request, 'admin', '/api/adminUser/create.json', user);
  const form = { userId, password, captcha: '', uuid: '' };
  const { data } = (await (await request.post('/api/login.json', { form })).json()) as { data: { token: string } };
  const change = { password, newpassword: PASSWORD };
  const headers = { token: data.token };
  const reply = await request.post('/api/adminUser/updateByPassword.json', { headers, data: change });
  expect(await reply.json()).toMatchObject({ code: '000000' });
}

/** A field of a form or a dialog, by its label. */
const fieldOf = (within: Locator, name: string): Locator =>
  within
    .getByLabel(new RegExp(`^${name}`))
    .filter({ visible: true })
    .first();
const fillIn = async (within: Locator, values: Record<string, string>) => {
  for (const [name, text] of Object.entries(values)) await fieldOf(within, name).fill(text);
};
const chooseIn = async (page: Page, within: Locator, values: Record<string, string>) => {
  for (const [name, option] of Object.entries(values)) {
    await fieldOf(within, name).click();
    await page.getByRole('option', { name: option, exact: true }).click();
    await expect(page.getByRole('listbox')).toHaveCount(0);
  }
};
const closes = async (dialog: Locator, button: string) => {
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await expect(dialog).toBeHidden();
};
const paper = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(`%PDF-1.4\n%${name}\n%%EOF\n`),
});

/** Generates the fee bills of this month out of what was delivered lately: midnight may have passed since. */
async function generate({ page, see, pressButton, button }: Desk, language: Language): Promise<void> {
  const [month, days, verb, told] =
    language === 'zh'
      ? ['对账月份', '近7天', '生成', '费用单已生成']
      : ['Reconciliation month', 'Last 7 days', 'Generate', 'Repair-fee bill generated'];
  await see(FEE);
  await pressButton(button(labelOf(FEE, 'generateMonthly', language)));
  const dialog = page.getByRole('dialog');
  await fillIn(dialog, { [month]: today().slice(0, 7) });
  await dialog.getByRole('button', { name: days, exact: true }).click();
  await closes(dialog, verb);
  await expect(page.getByText(told).filter({ visible: true }).first()).toBeVisible();
}

test('a price becomes a settled fee bill by the hands of five people, none of whom judges what they made [S-PRB-02] [S-RFB-01] [S-RFB-03] [S-REV-01] [S-REV-05]', async ({
  openProfile,
  request,
  baseURL,
}) => {
  const language: Language = 'zh';
  const word = newWord();
  const supplierName = await newSupplier(request);
  const pricer = `pricer${word}`;
  const { family, sns } = await deliverDevices(request, 3);
  const [again = ''] = sns;
  await newColleague(request, pricer, 'office|finance');
  const people = [pricer, 'finance', 'office', 'aftersales', 'auditor'];
  const desks = await Promise.all(people.map((it) => takeSeat(openProfile, baseURL as string, it, language)));
  const [pricing, finance, office, aftersales, auditor] = desks as [Desk, Desk, Desk, Desk, Desk];

  const prbId = await test.step('a price is entered, and not judged by who entered it', async () => {
    const { page, see, pressButton, button, start } = pricing;
    await see(PRICE);
    await pressButton(button(labelOf(PRICE, 'create', language)));
    const form = page.getByRole('dialog');
    await fillIn(form, { 结算公司: '瑞服科技（深圳）有限公司' });
    await chooseIn(page, form, {
      供应商名称: supplierName,
      维修项目: '整机',
      机型系列: family,
      维修类型: '不良机',
      保修: '保外',
      币种: '欧元',
    });
    await fillIn(form, {
      含税单价: '1210.35',
      生效日: `${year - 1}-01-01`,
      失效日: `${year + 1}-12-31`,
    });
    await closes(form, '保存');
    const [bill] = await fetchBills(request, PRICE, { supplierName });
    // 1210.35 / 1.13, with four digits.
    expect(bill).toMatchObject({ billStatus: '0', createBy: pricer, unitPriceWithoutTax: '1071.106200' });
    await start(PRICE, String(bill?.['prbId']), 'financialReview');
    await expect(page.getByText('您创建或审核过该单据，须由他人审核。')).toBeVisible();
    await expect(page.getByRole('button', { name: '通过', exact: true })).toHaveCount(0);
    return String(bill?.['prbId']);
  });

  await test.step('finance passes the price', async () => {
    const { page, start } = finance;
    await start(PRICE, prbId, 'financialReview');
    await expect(page.getByText('€1,210.35').filter({ visible: true }).first()).toBeVisible();
    await expect(page.getByText('该维修内容的首个价格')).toBeVisible();
    await decide(finance, '通过');
    const [bill] = await fetchBills(request, PRICE, { supplierName });
    expect(bill).toMatchObject({ billStatus: '2', financialReviewer: 'finance' });
  });

  await generate(office, language);
  const [{ id, rfbId } = { id: 0, rfbId: '' }] = await fetchBills(request, FEE, { supplierName });
  await test.step('the lines of the bill say the price and whence it is', async () => {
    const { lines, ...bill } = await fetchBill(request, FEE, id);
    expect(bill).toMatchObject({ billStatus: '0', createBy: 'office', currency: 'EUR', lineCount: 3 });
    expect(lines.map((it) => it.sn).toSorted()).toEqual(sns.toSorted());
    for (const it of lines) expect(it).toMatchObject({ prbId, unitPrice: '1210.350000', priceReason: '1' });
    const { page, start } = office;
    await start(FEE, String(rfbId), 'detail');
    await showsTotals(page, await fetchBill(request, FEE, id), language);
    for (const sn of sns) await expect(page.getByRole('row').filter({ hasText: sn })).toContainText('€1,210.35');
  });

  await test.step('after-sales says which unit came back too soon, and the bill returns', async () => {
    await aftersales.start(FEE, String(rfbId), 'afterSalesReview');
    await decide(aftersales, '不通过', `${again} 是二次维修`);
    expect(await fetchBill(request, FEE, id)).toMatchObject({ billStatus: '1' });
  });

  await test.step('the office corrects its line and hands the bill in again', async () => {
    const { page, start } = office;
    await start(FEE, String(rfbId), 'resubmit');
    await expect(page.getByText(`售后未通过：${again} 是二次维修`)).toBeVisible();
    await choose(page, page.getByLabel(`二次维修 ${again}`).filter({ visible: true }).first(), '是');
    await expect(page.getByText('已更正 1 行，移出 0 行')).toBeVisible();
    await page.getByLabel(/^更正说明/).fill('按二次维修计');
    await page.getByRole('button', { name: '重新提交', exact: true }).click();
    await expect(page.getByText('已重新提交：共 3 行，合计 €2,420.70')).toBeVisible();
    const { lines, ...bill } = await fetchBill(request, FEE, id);
    expect(bill).toMatchObject({ billStatus: '0', resubmitBy: 'office' });
    expect(lines.filter((it) => it.isSecondRepair === '1').map((it) => [it.sn, it.includingTaxAmount])).toEqual([
      [again, '0.000000'],
    ]);
  });

  await test.step('after-sales and finance pass it, one after the other', async () => {
    await aftersales.start(FEE, String(rfbId), 'afterSalesReview');
    const line = aftersales.page.getByRole('row').filter({ hasText: again });
    await expect(line).toContainText('二次维修');
    await expect(line).toContainText('已更正');
    await decide(aftersales, '通过');
    await finance.start(FEE, String(rfbId), 'financialReview');
    await decide(finance, '通过');
    expect(await fetchBill(request, FEE, id)).toMatchObject({
      ...{ billStatus: '4', afterSalesReviewBy: 'aftersales', financialReviewBy: 'finance' },
    });
  });

  await test.step('the office hands in two invoices, and the audit settles the bill', async () => {
    const { page, start } = office;
    await start(FEE, String(rfbId), 'uploadInvoice');
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=file]').setInputFiles([paper('invoice-1.pdf'), paper('invoice-2.pdf')]);
    await expect(dialog.getByRole('link')).toHaveText(['invoice-1.pdf', 'invoice-2.pdf']);
    await closes(dialog, '提交');
    await auditor.start(FEE, String(rfbId), 'financialAudit');
    await expect(auditor.page.getByRole('link', { name: /^发票 [12] \(pdf\)$/ })).toHaveCount(2);
    await decide(auditor, '通过');
  });

  await test.step('settled, it says who did what and what it comes to', async () => {
    const { page, start } = office;
    await expect.poll(async () => (await fetchBill(request, FEE, id))['processingFeeReportUrl']).toBeTruthy();
    await start(FEE, String(rfbId), 'detail');
    const bill = await fetchBill(request, FEE, id);
    expect(bill).toMatchObject({ billStatus: '6', financialAuditBy: 'auditor' });
    await showsTotals(page, bill, language);
    await expect(page.getByText('已结算').filter({ visible: true }).first()).toBeVisible();
    for (const name of ['周敏', '刘思雨', '吴雅琴', '郑国强'])
      await expect(page.getByText(name).filter({ visible: true }).first()).toBeVisible();
    await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: '加工费报表 1 (xlsx)' }).click()]);
  });
  expect(desks.flatMap((it) => it.errors)).toEqual([]);
});

/** What a site paid beside its repairs comes onto the bill of the supplier who is paid in that currency. */
test('an expense is entered with all that a work order asks for, audited by another, and a row of its own in the fee bill [S-MEX-02] [S-REV-06]', async ({
  openProfile,
  request,
  baseURL,
}) => {
  const language: Language = 'en';
  const supplierName = await newSupplier(request);
  const { family } = await deliverDevices(request, 1);
  const work = { repairProject: '1', warranty: '0', machineType: family, repairType: '2' };
  const amounts = { currency: 'USD', unitPriceWithTax: '64.90', taxRate: '13' };
  const dates = {
    effectiveDate: Date.parse(`${year - 1}-01-01`),
    expirationDate: Date.parse(`${year + 1}-12-31`),
  };
  const price = { settleCompany: 'Reflow', supplierName, ...work, ...amounts, ...dates };
  const { id: priceId } = await apiPost(request, 'office', `/api/${PRICE}/create.json`, price);
  await apiPost(request, 'finance', `/api/${PRICE}/financialReview.json`, { id: priceId, version: 1, result: '2' });
  const office = await takeSeat(openProfile, baseURL as string, 'office', language);
  const auditor = await takeSeat(openProfile, baseURL as string, 'auditor', language);

  const { see, page, pressButton, button } = office;
  await see(EXPENSE);
  await pressButton(button(labelOf(EXPENSE, 'create', language)));
  const form = page.getByRole('dialog');
  await chooseIn(page, form, { 'For a work order': 'Yes', Currency: 'USD' });
  await fillIn(form, { 'Amount incl. tax': '87.41' });
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  const order = `BTM${newWord()}`;
  const rmaMaintainBillLineList = [{ salesCode: MODEL, type: '0', count: 1 }];
  const ordered = { btmMtbId: order, receiveShipNo: `SF${newWord()}`, userName: '宁远矿业', rmaMaintainBillLineList };
  await apiPost(request, 'office', '/api/rmaMaintainBill/create.json', ordered);
  for (const name of ['Website work order', 'Sales code', 'Item', 'Model', 'Department'])
    await expect(fieldOf(form, name)).toHaveAttribute('aria-invalid', 'true');
  expect(await fetchBills(request, EXPENSE, { btmMtbId: order })).toEqual([]);
  await fillIn(form, { 'Website work order': order, 'Sales code': 'RX19-95T', Item: 'RX-19 95T', Model: 'RX-19' });
  await chooseIn(page, form, { 'Fee type': 'Customs' });
  await fillIn(form, { Department: 'Warehouse' });
  await closes(form, 'Save');
  const [expense] = await fetchBills(request, EXPENSE, { btmMtbId: order });
  // 87.41 / 1.13, to the cent, and what is left.
  expect(expense).toMatchObject({
    ...{ billStatus: '0', createBy: 'office', excludingTaxAmount: '77.350000', taxAmount: '10.060000' },
  });
  const mebId = String(expense?.['mebId']);

  await auditor.start(EXPENSE, mebId, 'audit');
  await expect(auditor.page.getByText('$87.41').filter({ visible: true }).first()).toBeVisible();
  await decide(auditor, 'Pass');
  expect((await fetchBills(request, EXPENSE, { mebId }))[0]).toMatchObject({ billStatus: '2', auditBy: 'auditor' });

  await generate(office, language);
  const [{ id, rfbId } = { id: 0, rfbId: '' }] = await fetchBills(request, FEE, { supplierName });
  const bill = await fetchBill(request, FEE, id);
  const own = bill.lines.filter((it) => it.remark === mebId);
  expect(own.map((it) => [it.priceReason, it.includingTaxAmount])).toEqual([['6', '87.410000']]);
  expect(bill).toMatchObject({ billStatus: '0', currency: 'USD', lineCount: 2, includingTaxAmount: '152.310000' });
  await office.start(FEE, String(rfbId), 'detail');
  await showsTotals(page, bill, language);
  expect([...office.errors, ...auditor.errors]).toEqual([]);
});

test('freight comes as a workbook, is rejected with a reason, corrected, passed, returned, and passed again [S-LCB-03] [S-LCB-05] [S-REV-01]', async ({
  openProfile,
  request,
  baseURL,
}) => {
  const language: Language = 'en';
  const recPeriod = today().slice(0, 7);
  const waybill = `SF${newWord()}`;
  const people = ['office', 'auditor', 'finance'];
  const desks = await Promise.all(people.map((it) => takeSeat(openProfile, baseURL as string, it, language)));
  const [office, auditor, finance] = desks as [Desk, Desk, Desk];
  const { page } = office;
  const read = async () => {
    const [{ id } = { id: 0 }] = await fetchBills(request, FREIGHT, { siteId: 'SZ', recPeriod });
    return fetchBill(request, FREIGHT, id);
  };
  const upload = async (amounts: readonly [string, string]) => {
    const heads = [
      'Outbound waybill',
      'Logistics provider',
      'Count',
      'Weight (kg)',
      'Amount',
      'Product',
      'Charge items',
    ];
    const rows = amounts.map((it, i): CellValue[] => [`${waybill}${i}`, 'SF', 2, 28.4, Number(it), 'RX-19', 'Freight']);
    await office.see(FREIGHT);
    // What is for a chosen row takes the place of what is for none.
    const clear = page.getByRole('button', { name: 'Clear selection' });
    if (await clear.isVisible()) await clear.click();
    await office.pressButton(office.button(labelOf(FREIGHT, 'upload', language)));
    const dialog = page.getByRole('dialog');
    await fillIn(dialog, { 'Reconciliation month': recPeriod });
    const buffer = Buffer.from(await writeXlsx({ sheets: [{ name: 'S', rows: [heads, ...rows] }] }));
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    await dialog.locator('input[type=file]').setInputFiles({ name: 'freight.xlsx', mimeType, buffer });
    await dialog.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(dialog.getByText('2 rows are fine')).toBeVisible();
    await closes(dialog, 'Import 2 rows');
  };
  const handIn = async (lcbId: string, files: readonly string[], all: readonly (string | RegExp)[]) => {
    await office.start(FREIGHT, lcbId, 'uploadCertificate');
    const dialog = page.getByRole('dialog');
    if (files.length > 0) await dialog.locator('input[type=file]').setInputFiles(files.map(paper));
    await expect(dialog.getByRole('link')).toHaveText([...all]);
    await closes(dialog, 'Submit');
  };

  await upload(['128.07', '119.90']);
  const { lcbId } = await read();
  expect(await read()).toMatchObject({ billStatus: '0', totalCount: 4, totalAmount: '247.970000', createBy: 'office' });
  await handIn(String(lcbId), ['freight-1.pdf'], ['freight-1.pdf']);

  await test.step('the audit finds what the certificate does not say', async () => {
    await auditor.start(FREIGHT, String(lcbId), 'financialAudit');
    await expect(auditor.page.getByText('¥247.97').filter({ visible: true }).first()).toBeVisible();
    await expect(auditor.page.getByText('unknown waybill')).toHaveCount(2);
    await decide(auditor, 'Reject', 'The courier bills 119.00');
    expect(await read()).toMatchObject({ billStatus: '3', reviewRemark: 'The courier bills 119.00' });
  });

  await test.step('the site brings the corrected workbook, and it passes', async () => {
    await office.start(FREIGHT, String(lcbId), 'detail');
    await expect(page.getByText('The courier bills 119.00').filter({ visible: true }).first()).toBeVisible();
    await upload(['128.07', '119.00']);
    const bill = await read();
    expect(bill).toMatchObject({ lcbId, billStatus: '0', totalAmount: '247.070000' });
    expect(bill.lines).toHaveLength(2);
    await handIn(String(lcbId), ['freight-2.pdf'], ['1 (pdf)', 'freight-2.pdf']);
    await auditor.start(FREIGHT, String(lcbId), 'financialAudit');
    await expect(auditor.page.getByText('¥247.07').filter({ visible: true }).first()).toBeVisible();
    await decide(auditor, 'Pass');
    expect(await read()).toMatchObject({ billStatus: '2', financialReviewer: 'auditor' });
  });

  await test.step('finance returns it; its certificates are handed in again, and it passes', async () => {
    await finance.start(FREIGHT, String(lcbId), 'return');
    const dialog = finance.page.getByRole('dialog');
    await fillIn(dialog, { 'What has to be corrected': 'Certificate 1 is of October' });
    await closes(dialog, labelOf(FREIGHT, 'return', language));
    expect(await read()).toMatchObject({ billStatus: '0' });
    await handIn(String(lcbId), [], ['1 (pdf)', '2 (pdf)']);
    await auditor.start(FREIGHT, String(lcbId), 'financialAudit');
    await decide(auditor, 'Pass');
    expect(await read()).toMatchObject({ billStatus: '2', uploadCertificateBy: 'office' });
    await auditor.start(FREIGHT, String(lcbId), 'detail');
    await expect(auditor.page.getByRole('link', { name: /^Certificates [12] \(pdf\)$/ })).toHaveCount(2);
  });
  expect(desks.flatMap((it) => it.errors)).toEqual([]);
});

test('a figure of a report leads to the list of exactly its units [P-STA-02]', async ({ openProfile, baseURL }) => {
  const { page, errors } = await takeSeat(openProfile, baseURL as string, 'office', 'zh');
  await page.goto('/rmaReportList');
  await page.getByRole('button', { name: '库存状态' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '预览', exact: true }).click();
  const table = dialog.getByRole('table', { name: '预览' });
  const figures = table.getByRole('link', { name: /在列表中查看/ });
  await figures.filter({ visible: true }).first().waitFor();
  const all = (await figures.allInnerTexts()).map(Number);
  const most = Math.max(...all);
  const figure = figures.filter({ visible: true }).nth(all.indexOf(most));
  const salesCode = await figure
    .locator('xpath=ancestor::tr')
    .locator('td')
    .filter({ visible: true })
    .nth(2)
    .innerText();
  await figure.click();
  await page.waitForURL(/\/rmaInventoryList/);
  await expect(page.getByText(`共 ${most} 条`)).toBeVisible();
  const rows = page.locator('#content tbody tr[data-id]').filter({ visible: true });
  for (const row of await rows.all()) await expect(row).toContainText(salesCode);
  expect(errors).toEqual([]);
});

/** Says so of the bill that is open, with this reason, and waits until it is told. */
async function decide({ page }: Desk, verb: string, reason = ''): Promise<void> {
  if (reason) await page.getByLabel(/^(审核意见|Review remark)/).fill(reason);
  const answered = page.waitForResponse((it) => it.request().method() === 'POST' && /Review|udit/.test(it.url()));
  await page.getByRole('button', { name: verb, exact: true }).click();
  expect(await (await answered).json()).toMatchObject({ code: '000000' });
}

/** The head of the page and its sums say what the lines come to, by our own addition. */
async function showsTotals(page: Page, bill: Bill, language: Language): Promise<void> {
  const zh = language === 'zh';
  const sign = { CNY: '¥', USD: '$', EUR: '€' }[String(bill['currency'])] ?? '';
  const { lines } = bill;
  const total = sumOf(lines, 'includingTaxAmount');
  const [net, tax] = [sumOf(lines, 'excludingTaxAmount'), sumOf(lines, 'taxAmount')];
  expect(net + tax).toBe(total);
  expect(
    [bill['includingTaxAmount'], bill['excludingTaxAmount'], bill['taxAmount']].map((it) => millionths(String(it))),
  ).toEqual([total, net, tax]);
  const parts = zh ? ['未税金额', '税额'] : ['Amount excl. tax', 'Tax'];
  await expect(page.getByText(`${parts[0]} ${said(net, sign)} · ${parts[1]} ${said(tax, sign)}`)).toBeVisible();
  const sums = page.getByRole('table', { name: zh ? '按维修项目汇总' : 'By project' });
  const rowOf = (name: string) => sums.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) });
  const units = lines.filter((it) => it.repairProject !== null);
  for (const [project, name] of Object.entries(projects[language])) {
    const those = units.filter((it) => it.repairProject === project);
    if (those.length === 0) continue;
    await expect(rowOf(name).getByRole('cell')).toHaveText([
      name,
      String(those.length),
      said(sumOf(those, 'includingTaxAmount'), sign),
    ]);
  }
  const expenses = lines.filter((it) => it.repairProject === null);
  if (expenses.length > 0)
    await expect(
      rowOf(zh ? '杂费' : 'Expenses')
        .getByRole('cell')
        .filter({ visible: true })
        .last(),
    ).toHaveText(said(sumOf(expenses, 'includingTaxAmount'), sign));
  await expect(rowOf(zh ? '合计' : 'Total').getByRole('cell')).toHaveText([
    zh ? '合计' : 'Total',
    String(units.length),
    said(total, sign),
  ]);
}
const projects: Record<Language, Record<string, string>> = {
  zh: { 1: '整机', 2: '算力板', 3: '电源', 4: '控制板', 5: '仅检测', 6: '报废检测' },
  en: { 1: 'Whole device', 2: 'Computing board', 3: 'Power', 4: 'Controls', 5: 'Check only', 6: 'Scrap check' },
};
