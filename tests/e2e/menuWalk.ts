import { expect, type APIRequestContext, type Locator, type Page } from '@playwright/test';
import { apiGet } from './workshop.ts';

export interface Leaf {
  menuNo: string;
  menuName: string;
  module?: string;
  children: Leaf[];
}

export interface MenuButton {
  btnNo: string;
  btnName: string;
  btnScript: string | null;
  rows?: number | 'many';
  when?: Record<string, string | string[]>;
}

/** Goes there as a link does: nothing is loaded anew. */
export const go = (page: Page, to: string) =>
  page.evaluate((it) => {
    history.pushState({}, '', it);
    dispatchEvent(new PopStateEvent('popstate'));
  }, to);

/** What stands behind the other tabs costs each look at this one its time. */
export const closeOtherTabs = (page: Page) =>
  page.evaluate(() => {
    const tabs = 'nav:is([aria-label="Opened pages"], [aria-label="已打开的页面"])';
    for (const it of document.querySelectorAll(`${tabs} a:not([aria-current])`))
      (it.nextElementSibling as HTMLElement | null)?.click();
  });

export const leavesOf = (nodes: readonly Leaf[]): Leaf[] =>
  nodes.flatMap((it) => (it.children.length > 0 ? leavesOf(it.children) : [it]));

/** Something of the page itself, below the breadcrumb; or the error page. */
export const DRAWN = ':is(main, #content) :is(h2, input, textarea, table, form, [role=alert], [role=status]):visible';

export const fetchMenu = async (request: APIRequestContext, token: string): Promise<Leaf[]> =>
  leavesOf((await apiGet<{ items: Leaf[] }>(request, token, '/api/sysMenu/queryTree.json')).items);

export const fetchButtons = async (request: APIRequestContext, token: string, menuNo: string): Promise<MenuButton[]> =>
  (await apiGet<{ items: MenuButton[] }>(request, token, '/api/sysBtn/queryByMenuNo.json', { menuNo })).items;

/**
 * A button of a list, and the menu that has it where there is no room for it. All of them come at once, maybe after the
 * rows: whoever presses one waits for either first.
 */
export function waysTo(page: Page, name: string, menu = 'More actions') {
  const buttonOf = (it: string) =>
    page.locator('#content').getByRole('button', { name: it, exact: true }).filter({ visible: true });
  return { button: buttonOf(name), more: buttonOf(menu) };
}

/** Presses a button of a list, and gives what was pressed. One that has just gone behind the others is pressed there. */
export async function pressWay(page: Page, name: string, menuName?: string): Promise<Locator> {
  const { button, more } = waysTo(page, name, menuName);
  let pressed = more;
  const menu = page.getByRole('menu').filter({ visible: true });
  await expect(async () => {
    // Of an earlier try: the button has come out of it meanwhile.
    if ((await menu.count()) > 0) await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
    await button.or(more).filter({ visible: true }).first().waitFor();
    if ((await button.count()) > 0) {
      pressed = button.filter({ visible: true }).first();
      return pressed.click({ timeout: 3000 });
    }
    pressed = more;
    await more.click({ timeout: 3000 });
    await page.getByRole('menuitem', { name, exact: true }).click({ timeout: 3000 });
  }).toPass();
  return pressed;
}
