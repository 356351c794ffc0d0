import type { Locator } from '@playwright/test';
import { expect, test } from './journey.ts';
import { newWord } from './newWord.ts';
import { go } from './menuWalk.ts';
import { devicesAt, createOperator, MODEL, apiPost } from './operator.ts';
import { apiGet, fetchToken, signInAs } from './workshop.ts';

/** What only a real layout shows; on a phone, in the language with the longer words. */
test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
});

test('on a phone a test station says what its two numbers count', async ({ page, context, baseURL }) => {
  const operator = createOperator(page, context, 'en', { directUrl: baseURL });
  await operator.signIn('tech');
  await operator.open('aging');
  const footer = page.locator('footer:visible');
  for (const name of ['test.pass', 'test.fail']) {
    await expect(footer.getByText(operator.say(name), { exact: true })).toBeVisible();
  }
});

test('on a phone a verdict is read whole, and its line is as high as before it', async ({ page, context, baseURL }) => {
  const operator = createOperator(page, context, 'en', { directUrl: baseURL });
  const [sn] = (await devicesAt(context.request, 1, '50')) as [string];
  const receiveShipNo = `SF${newWord()}`;
  const bill = { receiveShipNo, rmaMaintainBillLineList: [{ salesCode: MODEL, type: '0', count: 1 }] };
  await apiPost(context.request, 'office', '/api/rmaMaintainBill/create.json', { ...bill, userName: '宁远矿业' });
  await operator.signIn('warehouse');
  await operator.open('receive');
  const line = page.locator('[data-verdict]:visible');
  const heightOf = async () => (await line.boundingBox())?.height;
  const before = await heightOf();
  const reads = async (text: string) => {
    await expect(line).toContainText(text);
    await expect(line).not.toHaveAttribute('data-verdict', /none|kept/);
    for (const it of [line, line.locator('.text')]) {
      const cut = await it.evaluate((box) => box.scrollHeight - box.clientHeight);
      expect(cut, `cut off of "${await it.textContent()}"`).toBeLessThanOrEqual(0);
    }
    expect(await heightOf()).toBe(before);
  };
  await operator.scan(receiveShipNo);
  await operator.scan('NOSUCHSN123');
  await reads('NOSUCHSN123');
  await operator.signIn('tech');
  await operator.open('check');
  for (const text of [sn, 'NOSUCHSN123']) {
    await operator.scan(text);
    await reads(text);
  }
});

test('the slots of a repair are as high as the fields beside them, and what they lack stands in one line', async ({
  page,
  context,
  baseURL,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const operator = createOperator(page, context, 'en', { directUrl: baseURL });
  const [sn] = (await devicesAt(context.request, 1, '50')) as [string];
  await operator.signIn('tech');
  await operator.open('repair');
  await operator.scan(sn);
  await operator.pressButton(operator.button(operator.say('repair.addRow')));
  const boxOf = async (name: string) => {
    const input = page.getByRole('combobox', { name: operator.say(name) }).filter({ visible: true });
    const field = page.locator('.MuiFormControl-root:visible').filter({ has: input });
    const parts = [field.locator('.MuiInputBase-root'), field.locator('p')];
    return Promise.all(parts.map(async (it) => ({ ...(await it.boundingBox()), x: 0, width: 0 })));
  };
  expect(await boxOf('repair.slot')).toEqual(await boxOf('repair.partsType'));
});

/** A list under its filter, as its address says it. */
const listOf = (menuNo: string, filter: object) =>
  `/${menuNo}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`;

test('on a phone what is chosen is read whole, the tab of it is in sight, and nothing runs off the screen', async ({
  page,
  context,
  baseURL,
}) => {
  await signInAs(context, 'admin', baseURL as string);
  await page.goto(listOf('ubsSubinventoryList', { subinventoryCode: 'FG' }));
  const search = page.getByRole('search').filter({ visible: true });
  const value = search.getByRole('combobox').locator('span').filter({ visible: true }).first();
  await expect(value).toHaveText('Good');
  expect(await value.evaluate((it) => (it.parentElement as Element).scrollWidth - it.parentElement!.clientWidth)).toBe(
    0,
  );
  const reset = await search.getByRole('button', { name: 'Reset' }).boundingBox();
  expect((reset?.x ?? 0) + (reset?.width ?? 999)).toBeLessThanOrEqual(390);
  await page.goto(listOf('rmaMaintainBillList', { billStatus: '3' }));
  const tab = page.locator('[aria-pressed=true]:visible');
  await expect(tab).toBeInViewport({ ratio: 0.99 });
});

test('on a phone a notice covers nothing of a dialog', async ({ page, context, baseURL }) => {
  await signInAs(context, 'admin', baseURL as string);
  await page.goto('/ubsItemList/create');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const notice = page.locator('[role=region][aria-label=Notifications] [role=alert]');
  const [above, below] = await Promise.all([notice.boundingBox(), dialog.boundingBox()]);
  expect((above?.y ?? 0) + (above?.height ?? 999)).toBeLessThanOrEqual(below?.y ?? 0);
});

test('the tab of the page stays in sight when the window becomes narrower', async ({ page, context, baseURL }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signInAs(context, 'admin', baseURL as string);
  await page.goto('/home');
  for (const it of [
    'rmaCheckBillList',
    'rmaRepairBillList',
    'rmaAssembleBillList',
    'rmaStoreBillList',
    'ubsItemList',
  ]) {
    await go(page, `/${it}`);
    await page.waitForURL(`**/${it}`);
  }
  await page.setViewportSize({ width: 800, height: 900 });
  const current = page.getByRole('navigation', { name: 'Opened pages' }).locator('[aria-current=page]');
  await expect(current).toBeInViewport({ ratio: 0.99 });
});

test('a table that goes on beyond its edge fades there, whether its rows have a menu or not', async ({
  page,
  context,
  baseURL,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await signInAs(context, 'admin', baseURL as string);
  await page.goto('/rmaSiteRepairBillList/detail/1');
  // Where rows have no menu it takes no room.
  const ends = page.locator('[data-more-right] tbody .more');
  await expect(ends).not.toHaveCount(0);
  expect(await ends.evaluateAll((them) => them.filter((it) => it.clientWidth > 0).length)).toBe(0);
  await page.goto('/rmaMaintainBillLineItemList');
  await expect(page.locator('[data-more-right] tbody .more').filter({ visible: true }).last()).toHaveCSS(
    'mask-image',
    /gradient/,
  );
});

for (const [width, height] of [
  [1024, 768],
  [1440, 900],
] as const)
  test(`at ${width} an arrow leads to the states that do not fit, and the search beside them keeps its width`, async ({
    page,
    context,
    baseURL,
  }) => {
    await page.setViewportSize({ width, height });
    await signInAs(context, 'admin', baseURL as string);
    await page.goto('/rmaRepairFeeBillList');
    const content = page.locator('#content');
    const tabs = content.getByRole('group', { name: 'Status' }).getByRole('button');
    const left = content.getByRole('button', { name: 'Scroll left' });
    const right = content.getByRole('button', { name: 'Scroll right' });
    await tabs.filter({ visible: true }).last().waitFor();
    const group = content.getByRole('group', { name: 'Status' });
    // On a wide screen they may all have room, until their counts come.
    const isCut = () => group.evaluate((it) => it.scrollWidth > it.clientWidth + 1);
    const shownWhereCut = (arrow: Locator) =>
      expect(async () => expect(await arrow.isVisible()).toBe(await isCut())).toPass();
    if (width === 1024) await expect.poll(isCut).toBe(true);
    await shownWhereCut(right);
    await expect(left).toBeHidden();
    const field = content.locator('[role=search] .MuiInputBase-root').filter({ visible: true }).first();
    expect((await field.boundingBox())?.width).toBeGreaterThanOrEqual(160);
    await expect(async () => {
      if (await right.isVisible()) await right.click();
      await expect(right).toBeHidden({ timeout: 500 });
    }).toPass();
    await expect(tabs.filter({ visible: true }).last()).toBeInViewport({ ratio: 0.99 });
    await shownWhereCut(left);
  });

for (const width of [1200, 1440])
  test(`at ${width} the sums beside the lines of a fee bill stand within their place`, async ({
    page,
    context,
    baseURL,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await signInAs(context, 'finance', baseURL as string);
    const token = await fetchToken(context.request, 'finance');
    const { items } = await apiGet<{ items: { id: number; lineCount: number }[] }>(
      ...([context.request, token, '/api/rmaRepairFeeBill/pager.json'] as const),
      { pageStart: '0', pageCount: '50' },
    );
    // The longest has the project of the longest name.
    const longest = items.toSorted((a, b) => b.lineCount - a.lineCount)[0];
    await page.goto(`/rmaRepairFeeBillList/detail/${longest?.id}`);
    const table = page.getByRole('table', { name: 'By project' });
    await table.waitFor();
    const card = page.locator('#content section').filter({ has: table });
    const place = card.locator('..');
    expect(await place.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
  });

test('nothing above the rows moves when the tabs come', async ({ page, context, baseURL }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signInAs(context, 'office', baseURL as string);
  let release = (): void => undefined;
  const isReleased = new Promise<void>((done) => (release = done));
  await page.route('**/tabCounts.json*', async (it) => {
    await isReleased;
    await it.continue();
  });
  await page.goto('/rmaMaintainBillList');
  const head = page.locator('[data-list-head]:visible');
  await expect(head.getByRole('search')).toBeVisible();
  await expect(head.getByRole('button', { name: 'New bill' })).toBeVisible();
  const tabs = head.getByRole('group', { name: 'Status' }).getByRole('button');
  await expect(tabs).toHaveCount(1);
  const placesOf = () =>
    head.evaluate((it) =>
      [...it.querySelectorAll('[role=search], button:not([data-strip] button)')].map((one) => {
        const { left, top } = one.getBoundingClientRect();
        return [one.getAttribute('aria-label') ?? one.textContent, left, top];
      }),
    );
  const before = await placesOf();
  release();
  await expect(tabs).not.toHaveCount(1);
  expect(await placesOf()).toEqual(before);
});
