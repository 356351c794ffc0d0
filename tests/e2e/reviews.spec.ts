import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { apiGet, fetchToken, signInAs, tabTo } from './workshop.ts';

interface Bill {
  id: number;
  prbId: string;
  billStatus: string;
  reviewRemark: string | null;
}
const waiting = { billStatus: '0' };
const fetchBills = async (request: APIRequestContext, token: string) =>
  (await apiGet<{ items: Bill[] }>(request, token, '/api/rmaPriceBill/pager.json', { ...waiting, pageCount: '50' }))
    .items;
const fetchOne = (request: APIRequestContext, token: string, id: number) =>
  apiGet<Bill>(request, token, '/api/rmaPriceBill/queryById.json', { id: String(id) });
const idOf = (page: Page) => Number(new URL(page.url()).pathname.split('/').at(-1));

/** Two bills, one pass, one not: the hands stay on the keys. Rule: screens#queues. */
test('a queue of reviews is worked off by keys, each decision leading to the next [S-REV-01]', async ({
  page,
  context,
  baseURL,
}) => {
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  await signInAs(context, 'finance', baseURL as string);
  const token = await fetchToken(context.request, 'finance');
  const bills = await fetchBills(context.request, token);
  expect(bills.length).toBeGreaterThan(2);
  await page.goto('/home');
  const begin = page.getByRole('link', { name: /^Begin: Price bills to review/ });
  await begin.waitFor();
  await tabTo(page, begin);
  await page.keyboard.press('Enter');
  await page.getByText(`1 of ${bills.length}`).waitFor();
  const first = idOf(page);

  await page.keyboard.press('Alt+n');
  const reason = page.getByRole('textbox', { name: 'Review remark' });
  await expect(reason).toBeFocused();
  await expect(page.getByText('Enter the reason for rejecting it')).toBeVisible();
  expect((await fetchOne(context.request, token, first)).billStatus).toBe('0');
  await page.keyboard.type('too dear', { delay: 90 });
  await page.keyboard.press('Alt+n');
  await page.waitForURL((it) => !it.pathname.endsWith(`/${first}`));
  expect(await fetchOne(context.request, token, first)).toMatchObject({ billStatus: '1', reviewRemark: 'too dear' });

  await page.getByText(`1 of ${bills.length - 1}`).waitFor();
  const second = idOf(page);
  await page.keyboard.down('Alt');
  await page.keyboard.down('p');
  await page.waitForURL((it) => !it.pathname.endsWith(`/${second}`));
  expect(await fetchOne(context.request, token, second)).toMatchObject({ billStatus: '2' });

  // Held on, it passes no other bill. Rule: screens#held-keys.
  const third = idOf(page);
  for (let i = 0; i < 3; i += 1) {
    await page.keyboard.down('p');
    await page.keyboard.press('Shift', { delay: 90 });
  }
  await page.keyboard.up('p');
  await page.keyboard.up('Alt');
  await page.reload();
  expect(idOf(page)).toBe(third);
  expect(await fetchOne(context.request, token, third)).toMatchObject({ billStatus: '0' });
});

/** The oldest that waits for this button. */
const firstWaiting = (request: APIRequestContext, token: string, name: string) =>
  apiGet<{ next: number; count: number }>(request, token, '/api/workQueue/place.json', { name });
const read = (request: APIRequestContext, token: string, module: string, id: number) =>
  apiGet<Record<string, unknown>>(request, token, `/api/${module}/queryById.json`, { id: String(id) });
const leaves = (page: Page, id: number) => page.waitForURL((it) => !it.pathname.endsWith(`/${id}`));

/** Rule: checking#supervisor. */
test('a scrap is judged by keys alone', async ({ page, context, baseURL }) => {
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  await signInAs(context, 'supervisor', baseURL as string);
  const token = await fetchToken(context.request, 'supervisor');
  const { next: id } = await firstWaiting(context.request, token, 'rmaScrapConfirm:scrapConfirm');
  await page.goto(`/rmaScrapConfirmList/scrapConfirm/${id}`);
  await page.getByText(/^1 of \d+$/).waitFor();
  await expect(page.getByRole('button', { name: 'Decline scrap' })).toBeEnabled();
  await page.getByRole('region', { name: 'What was found' }).waitFor();
  await page.keyboard.press('Alt+n');
  await expect(page.getByRole('textbox', { name: 'Why it is not scrapped' })).toBeFocused();
  expect(await read(context.request, token, 'rmaScrapConfirm', id)).toMatchObject({ scrapStatus: '0' });
  await page.keyboard.type('try again', { delay: 90 });
  await page.keyboard.press('Alt+n');
  await leaves(page, id);
  expect(await read(context.request, token, 'rmaScrapConfirm', id)).toMatchObject({
    ...{ scrapStatus: '2', declineScrapRemark: 'try again' },
  });
});

/** Rule: events#e38, screens#queues. */
test('self-pickups are judged by keys alone, each decision leading to the next', async ({ page, context, baseURL }) => {
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  await signInAs(context, 'aftersales', baseURL as string);
  const token = await fetchToken(context.request, 'aftersales');
  const { next: first, count } = await firstWaiting(context.request, token, 'rmaSelfPickup:selfPickupReview');
  await page.goto(`/rmaSelfPickupList/selfPickupReview/${first}`);
  await page.getByText(`1 of ${count}`).waitFor();
  await page.getByRole('button', { name: 'Confirm pickup' }).waitFor();
  await page.keyboard.press('Alt+n');
  await expect(page.getByRole('textbox', { name: 'Rejection reason' })).toBeFocused();
  await page.keyboard.type('not ready', { delay: 90 });
  await page.keyboard.press('Alt+n');
  await leaves(page, first);
  expect(await read(context.request, token, 'rmaSelfPickup', first)).toMatchObject({
    ...{ selfPickupStatus: '2', rejectionReason: 'not ready' },
  });

  await page.getByText(`1 of ${count - 1}`).waitFor();
  await page.getByRole('button', { name: 'Confirm pickup' }).waitFor();
  const second = idOf(page);
  await page.keyboard.press('Alt+p');
  await expect(page.getByRole('textbox', { name: 'Pickup address' })).toBeFocused();
  await page.keyboard.type('Gate 1', { delay: 90 });
  await tabTo(page, page.getByRole('textbox', { name: 'Pickup time' }));
  await page.keyboard.type('2099-03-04 09:30:05', { delay: 90 });
  await page.keyboard.press('Alt+p');
  await leaves(page, second);
  expect(await read(context.request, token, 'rmaSelfPickup', second)).toMatchObject({
    ...{ selfPickupStatus: '1', pickupAddress: 'Gate 1' },
  });

  await page.getByText(`1 of ${count - 2}`).waitFor();
  await page.getByRole('button', { name: 'Confirm pickup' }).waitFor();
  const third = idOf(page);
  await page.keyboard.press('Alt+ArrowRight');
  await leaves(page, third);
  expect(await read(context.request, token, 'rmaSelfPickup', third)).toMatchObject({ selfPickupStatus: '0' });
});

/** What a site paid beside its repairs: entered by the office, refused, corrected and passed; all by keys. */
test('an expense is entered, refused with a reason, corrected and passed by keys alone [S-MEX-02] [S-REV-06]', async ({
  page,
  context,
  baseURL,
}) => {
  const list = '/rmaMiscellaneousExpensesBillList';
  const module = 'rmaMiscellaneousExpensesBill';
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  await signInAs(context, 'office', baseURL as string);
  const { request } = context;
  const token = await fetchToken(request, 'auditor');
  const form = page.getByRole('dialog');
  const field = (name: string) => form.getByLabel(name).filter({ visible: true }).first();
  const save = async () => {
    await tabTo(page, form.getByRole('button', { name: 'Save' }));
    await page.keyboard.press('Enter');
    await expect(form).toBeHidden();
  };
  await page.goto(`${list}/create`);
  await tabTo(page, field('Amount incl. tax'));
  await page.keyboard.type('113.05');
  await save();
  const { items } = await apiGet<{ items: { id: number; includingTaxAmount: string }[] }>(
    request,
    token,
    `/api/${module}/pager.json`,
    { billStatus: '0', pageCount: '10' },
  );
  const id = items.find((it) => Number(it.includingTaxAmount) === 113.05)?.id as number;
  expect(await read(request, token, module, id)).toMatchObject({
    excludingTaxAmount: '100.040000',
    taxAmount: '13.010000',
  });

  await signInAs(context, 'auditor', baseURL as string);
  await page.goto(`${list}/audit/${id}`);
  await page.getByText('¥113.05').filter({ visible: true }).first().waitFor();
  await page.keyboard.press('Alt+n');
  await expect(page.getByRole('textbox', { name: 'Review remark' })).toBeFocused();
  await page.keyboard.type('no invoice', { delay: 90 });
  await page.keyboard.press('Alt+n');
  await leaves(page, id);
  expect(await read(request, token, module, id)).toMatchObject({ billStatus: '1', reviewRemark: 'no invoice' });

  await signInAs(context, 'office', baseURL as string);
  await page.goto(`${list}/modify/${id}`);
  await tabTo(page, field('Remark'));
  await page.keyboard.type('invoice 77 is attached to the parcel');
  await save();

  await signInAs(context, 'auditor', baseURL as string);
  await page.goto(`${list}/audit/${id}`);
  await page.getByText('¥113.05').filter({ visible: true }).first().waitFor();
  await page.keyboard.press('Alt+p');
  await leaves(page, id);
  expect(await read(request, token, module, id)).toMatchObject({ billStatus: '2', auditBy: 'auditor' });
});
