import { expect, test } from '@playwright/test';
import { devicesAt, handsOf, MODEL, tell } from './hands.ts';

/** What only a real layout shows; on a phone, in the language with the longer words. */
test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
});

test('on a phone a test station says what its two numbers count', async ({ page, context, baseURL }) => {
  const hands = handsOf(page, context, 'en', { straight: baseURL });
  await hands.shiftOf('tech');
  await hands.open('aging');
  const footer = page.locator('footer:visible');
  for (const name of ['test.pass', 'test.fail']) {
    await expect(footer.getByText(hands.say(name), { exact: true })).toBeVisible();
  }
});

test('on a phone a verdict is read whole, and its line is as high as before it', async ({ page, context, baseURL }) => {
  const hands = handsOf(page, context, 'en', { straight: baseURL });
  const [sn] = (await devicesAt(context.request, 1, '50')) as [string];
  const receiveShipNo = `SF${Date.now()}`;
  const bill = { receiveShipNo, rmaMaintainBillLineList: [{ salesCode: MODEL, type: '0', count: 1 }] };
  await tell(context.request, 'office', '/api/rmaMaintainBill/create.json', { ...bill, userName: '宁远矿业' });
  await hands.shiftOf('warehouse');
  await hands.open('receive');
  const line = page.locator('[data-verdict]:visible');
  const heightOf = async () => (await line.boundingBox())?.height;
  const before = await heightOf();
  const reads = async (told: string) => {
    await expect(line).toContainText(told);
    await expect(line).not.toHaveAttribute('data-verdict', /none|kept/);
    for (const it of [line, line.locator('.text')]) {
      const cut = await it.evaluate((box) => box.scrollHeight - box.clientHeight);
      expect(cut, `cut off of "${await it.textContent()}"`).toBeLessThanOrEqual(0);
    }
    expect(await heightOf()).toBe(before);
  };
  await hands.scan(receiveShipNo);
  await hands.scan('NOSUCHSN123');
  await reads('NOSUCHSN123');
  await hands.shiftOf('tech');
  await hands.open('check');
  for (const told of [sn, 'NOSUCHSN123']) {
    await hands.scan(told);
    await reads(told);
  }
});

test('the slots of a repair are as high as the fields beside them, and what they lack stands in one line', async ({
  page,
  context,
  baseURL,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const hands = handsOf(page, context, 'en', { straight: baseURL });
  const [sn] = (await devicesAt(context.request, 1, '50')) as [string];
  await hands.shiftOf('tech');
  await hands.open('repair');
  await hands.scan(sn);
  await hands.pressButton(hands.button(hands.say('repair.addRow')));
  const boxOf = async (name: string) => {
    const input = page.getByRole('combobox', { name: hands.say(name) }).filter({ visible: true });
    const field = page.locator('.MuiFormControl-root:visible').filter({ has: input });
    const parts = [field.locator('.MuiInputBase-root'), field.locator('p')];
    return Promise.all(parts.map(async (it) => ({ ...(await it.boundingBox()), x: 0, width: 0 })));
  };
  expect(await boxOf('repair.slot')).toEqual(await boxOf('repair.partsType'));
});
