import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { go } from './menuWalk.ts';
import { withoutStreams } from './weigh.ts';
import { notices, signInAs } from './workshop.ts';

/** What can be pressed on the page or in the dialog over it, and lies under a notice. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const notices = [...document.querySelectorAll('[role=region][aria-label="Notifications"] > *')];
    const dialogs = [...document.querySelectorAll('[role=dialog]')];
    const dialog = dialogs.find((it) => it.getClientRects().length > 0);
    const inFront = [...(dialog ?? document.querySelector('#content'))!.querySelectorAll('button, a, input, select')];
    const boxes = notices.map((it) => (it.parentElement as Element).getBoundingClientRect());
    const shown = inFront.filter((it) => it.getClientRects().length > 0);
    const meets = (a: DOMRect, b: DOMRect) =>
      a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return {
      notices: notices.length,
      looked: shown.length,
      covered: shown
        .filter((it) => boxes.some((box) => meets(box, it.getBoundingClientRect())))
        .map((it) => it.textContent || it.getAttribute('aria-label')),
    };
  });

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

test('a notice is never over what is needed next, at every width', async ({ page, context, baseURL }) => {
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  await signInAs(context, 'admin', baseURL as string);
  await withoutStreams(page);
  await page.goto('/ubsItemList');
  await page.waitForLoadState('networkidle');
  // What failed stays until it is closed, wherever one goes: two of them, long ones.
  await page.route('**/searchItems.json*', (it) => it.abort());
  await page.route('**/pager.json*', (it) => it.abort());
  await go(page, '/ubsSiteList');
  await notices(page).filter({ visible: true }).nth(1).waitFor();
  await page.unroute('**/searchItems.json*');
  await page.unroute('**/pager.json*');
  const look = async (where: string, least: number) => {
    for (const size of sizes) {
      await page.setViewportSize(size);
      const at = `${where} at ${size.width}`;
      // What depends on the width is drawn anew.
      await expect.poll(async () => (await covered(page)).covered, at).toEqual([]);
      const { notices: open, looked } = await covered(page);
      expect(open, at).toBeGreaterThan(1);
      expect(looked, at).toBeGreaterThan(least);
    }
  };

  await go(page, '/ubsItemList');
  // The list that could not be read has none.
  await page.locator('#content [role=search]:visible').waitFor();
  await look('a list', 5);

  await go(page, '/ubsItemList/create');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).waitFor();
  await look('a form', 2);

  await go(page, '/rmaReportList');
  await page.locator('#content section button').filter({ visible: true }).first().click();
  await page.getByRole('dialog').getByRole('button').filter({ visible: true }).last().waitFor();
  await look('a report', 0);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await go(page, '/rmaBurninBillList/burnin');
  await page.locator('input[data-scan=field]').waitFor();
  await look('a station', 3);
});
