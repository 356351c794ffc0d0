import { expect, type Page } from '@playwright/test';
import { DRAWN } from './menuWalk.ts';

/** Notes each address that ever has more than one heading of the first level, also what a page draws a little later. */
export const watchHeadings = (page: Page) =>
  page.addInitScript(() => {
    const crowded: string[] = [];
    Object.assign(window, { crowded });
    new MutationObserver(() => {
      if (document.querySelectorAll('h1').length > 1) crowded.push(location.pathname);
    }).observe(document, { childList: true, subtree: true });
  });

export const readCrowdedPages = (page: Page) =>
  page.evaluate(() => [...new Set((window as unknown as { crowded: string[] }).crowded)]);

/** The page's only heading of the first level is the last part of the breadcrumb. */
export async function expectOneHeading(page: Page, where: string, text?: string): Promise<void> {
  const heading = page.locator('h1');
  await heading.filter({ visible: true }).first().waitFor();
  if (text !== undefined) await expect(heading, where).toHaveText(text);
  await page.locator(DRAWN).filter({ visible: true }).first().waitFor();
  expect(await heading.count(), `headings of ${where}`).toBe(1);
  await expect(page.locator('header [aria-current=page] h1'), where).not.toBeEmpty();
}
