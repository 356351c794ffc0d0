import { expect, test } from '@playwright/test';
import { devicesAt, createOperator, MODEL, apiPost } from './operator.ts';

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
  const receiveShipNo = `SF${Date.now()}`;
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
