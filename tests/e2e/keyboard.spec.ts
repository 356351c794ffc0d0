import type { Locator, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { newWord } from './newWord.ts';
import { choose, listenForErrors, signInAs, tabTo } from './workshop.ts';

test.beforeEach(async ({ page, context, baseURL }) => {
  await signInAs(context, 'admin', baseURL as string);
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
});

/** Where the keyboard is can be seen: the element is on the screen, and it or what frames it has a ring. */
async function expectSeen(page: Page, element: Locator): Promise<void> {
  await expect(element).toBeFocused();
  await expect(element).toBeInViewport();
  const hasRing = () =>
    page.evaluate(() => {
      const focused = document.activeElement as HTMLElement;
      const frame = focused.closest('.MuiInputBase-root');
      const drawn = [focused, ...focused.querySelectorAll(':scope > td')];
      if (frame) drawn.push(frame, ...frame.querySelectorAll('fieldset'));
      return drawn.some((it) => {
        const { outlineStyle, outlineWidth, boxShadow, borderTopWidth } = getComputedStyle(it);
        const isOutlined = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
        return isOutlined || boxShadow !== 'none' || (it.matches('fieldset') && parseFloat(borderTopWidth) >= 2);
      });
    });
  await expect.poll(hasRing, { message: `a ring around ${String(element)}` }).toBe(true);
}

async function goTo(page: Page, element: Locator): Promise<void> {
  await tabTo(page, element);
  await expectSeen(page, element);
}

async function pressOn(page: Page, element: Locator, key = 'Enter'): Promise<void> {
  await goTo(page, element);
  await page.keyboard.press(key);
}

test('a list is searched, sorted, selected from, opened, left and paged by the keyboard alone', async ({ page }) => {
  const errors = listenForErrors(page);
  await page.goto('/rmaRepairBillList');
  const list = page.getByRole('main').filter({ visible: true });
  const rows = list.locator('tbody tr[data-id]').filter({ visible: true });
  await expect(rows).toHaveCount(10);

  const search = list.getByRole('search').getByRole('textbox').filter({ visible: true }).first();
  await goTo(page, search);
  await page.keyboard.type('R');
  await page.keyboard.press('Enter');
  const applied = list.getByRole('group', { name: 'Applied' });
  await expect(applied).toBeVisible();
  await expect(rows.filter({ visible: true }).first()).toBeVisible();
  await pressOn(page, applied.getByRole('button').filter({ visible: true }).first(), 'Delete');
  await expect(applied).toHaveCount(0);
  await expectSeen(page, search);

  const heading = list.getByRole('columnheader').filter({ visible: true }).nth(1);
  await pressOn(page, heading.getByRole('button'));
  await expect(heading).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows).toHaveCount(10);

  await goTo(page, rows.and(page.locator('[tabindex="0"]')));
  await page.keyboard.press('ArrowDown');
  await expectSeen(page, rows.filter({ visible: true }).nth(1));
  // Two keys at once are a scanner's.
  await page.keyboard.press('x', { delay: 200 });
  await expect(rows.filter({ visible: true }).nth(1)).toHaveAttribute('aria-selected', 'true');
  await expectSeen(page, rows.filter({ visible: true }).nth(1));
  await page.keyboard.press('x');
  await expect(rows.filter({ visible: true }).nth(1)).toHaveAttribute('aria-selected', 'false');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/rmaRepairBillList\/detail\/\d+$/);
  await pressOn(page, page.getByRole('main').filter({ visible: true }).getByRole('button', { name: 'Back' }));
  await expect(page).toHaveURL(/\/rmaRepairBillList(\?|$)/);

  await pressOn(page, list.getByRole('button', { name: 'Go to next page' }));
  await expect(list.getByText(/^Page 2 of/)).toBeVisible();
  await expect(rows).toHaveCount(10);
  expect(errors).toEqual([]);
});

test('a form is filled, refused, corrected and saved by the keyboard alone', async ({ page }) => {
  const errors = listenForErrors(page);
  await page.goto('/ubsProductOrderList');
  await pressOn(page, page.getByRole('button', { name: 'New', exact: true }));
  const form = page.getByRole('dialog');
  const field = (name: string) => form.getByLabel(name).filter({ visible: true }).first();
  const fill = async (name: string, text: string) => {
    await goTo(page, field(name));
    await page.keyboard.type(text);
  };
  const orderNo = `PO-KEYS-${newWord()}`;
  await fill('Production order', orderNo);
  await fill('Version', 'V1');
  await fill('Starts on', '2026-11-20');
  await fill('Remark', 'By the keyboard.');
  const save = form.getByRole('button', { name: /^(Save|Submit|OK)$/ });
  await pressOn(page, save);
  const salesCode = form.getByRole('combobox', { name: /Sales code/ });
  await expectSeen(page, salesCode);
  await expect(salesCode).toHaveAccessibleDescription(/\w/);

  await choose(page, salesCode, /^[A-Z\d]+-/);
  await fill('Quantity', '5');
  await pressOn(page, save);
  await expect(form).toBeHidden();
  await expect(page.getByRole('main').getByText(orderNo).filter({ visible: true }).first()).toBeVisible();
  expect(errors).toEqual([]);
});
