import { expect, test } from '@playwright/test';
import { handsOf } from './hands.ts';

/** What only a real layout shows, on a phone, in the language with the longer words. */
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
