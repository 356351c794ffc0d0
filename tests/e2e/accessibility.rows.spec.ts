import { readdirSync } from 'node:fs';
import { expect, test, type APIRequestContext, type Page } from '@playwright/test';
import { bringAxe, DIALOG, findingsIn, isStill } from './axe.ts';
import { DRAWN, fetchButtons, go, pressWay, waysTo, type MenuButton } from './menuWalk.ts';
import { dialogComponents, directScripts, pageScripts } from './register.ts';
import { figures } from './shift.ts';
import { apiGet, fetchToken, signInAs } from './workshop.ts';

const definitions = readdirSync(new URL('../../definitions', import.meta.url), { recursive: true, encoding: 'utf8' });
/** Every module there is, also those whose list stands in no menu. */
const modules = definitions.flatMap((it) => /\/(\w+)\.json$/.exec(it)?.[1] ?? []).sort();
/** In pieces, each in a browser of its own: one that keeps all pages becomes slow. */
const areas = Object.entries({
  'bills A to L': /^rma[A-L]/,
  'bills M to Z': /^rma[M-Z]/,
  semiconductors: /^icop/,
  'base data and accounts': /^(?!rma|icop)/,
}).map(([area, names]) => [area, modules.filter((it) => names.test(it))] as const);

/** The engine's own buttons of rows: a form over the list, a question, a page. */
const ofEngine: Record<string, 'dialog' | 'page'> = {
  ...{ modify: 'dialog', deleteById: 'dialog', deleteAll: 'dialog', detail: 'page' },
};

/** What a button leads to, as the registers and what they load say it. */
function kindOf(module: string, script: string): 'dialog' | 'page' | 'direct' | undefined {
  if (pageScripts.has(`${module}:${script}`)) return 'page';
  if (directScripts.has(`${module}:${script}`) || directScripts.has(`*:${script}`)) return 'direct';
  const isDialog = dialogComponents.has(`${module}:${script}`) || dialogComponents.has(`*:${script}`);
  return isDialog ? 'dialog' : ofEngine[script];
}

interface Row extends Record<string, unknown> {
  id: number;
}

/** A condition on the list, so that the rows are on its first page, and which of them fit the button. */
interface Fit {
  filter: Record<string, string>;
  ids: number[];
}

/** Rows for which a button is; where it looks at a field, by each of the values that it takes. */
async function findRows(
  request: APIRequestContext,
  token: string,
  module: string,
  { when = {} }: MenuButton,
): Promise<Fit | undefined> {
  const [[field, values] = []] = Object.entries(when);
  for (const value of field === undefined ? [undefined] : [values ?? []].flat()) {
    const filter: Record<string, string> = field === undefined || value === undefined ? {} : { [field]: value };
    const { items } = await apiGet<{ items: Row[] }>(request, token, `/api/${module}/pager.json`, filter);
    const ids = items
      .filter((row) => Object.entries(when).every(([name, it]) => [it].flat().includes(String(row[name] ?? ''))))
      .map((it) => it.id);
    if (ids.length > 0) return { filter, ids };
  }
  return undefined;
}

const content = (page: Page) => page.locator('#content');
const visible = { visible: true };

/** Goes to the list so filtered, unless it is there already; until its rows are drawn those before them stand there. */
async function openList(page: Page, module: string, filter: Fit['filter']): Promise<void> {
  const address = `/${module}List?${new URLSearchParams({ filter: JSON.stringify(filter) })}`;
  if (page.url().endsWith(address)) return;
  const rows = content(page).locator('tbody tr[data-id]').filter(visible);
  const answered = page.waitForResponse(
    (it) => it.url().includes(`/api/${module}/`) && it.url().includes('pager.json'),
  );
  await go(page, address);
  const { data } = (await (await answered).json()) as { data: { items: Row[] } };
  const expected = data.items.map((it) => String(it.id));
  await expect
    .poll(async () => {
      const drawn = await rows.evaluateAll((all) => all.map((it) => it.getAttribute('data-id') ?? ''));
      return drawn[0] === expected[0] && drawn.every((it) => expected.includes(it));
    }, `${address} draws what was answered`)
    .toBe(true);
  await isStill(page);
}

/** Selects a row and no other; a list that is come back to has those that were selected before. */
async function select(page: Page, id: number): Promise<void> {
  const rows = content(page).locator('tbody tr[data-id]').filter(visible);
  const others = rows.and(page.locator(`[aria-selected=true]:not([data-id="${id}"])`));
  while ((await others.count()) > 0) await toggle(others.first());
  const row = rows.and(page.locator(`[data-id="${id}"]`));
  if ((await row.getAttribute('aria-selected')) !== 'true') await toggle(row);
  await expect(row, `row ${id} of ${page.url()} is selected`).toHaveAttribute('aria-selected', 'true');
}

/** Where one row alone is taken it is pressed, as its number is a link. */
async function toggle(row: ReturnType<Page['locator']>): Promise<void> {
  const box = row.getByRole('checkbox');
  if ((await box.count()) > 0) await box.click();
  else
    await row
      .locator('td')
      .last()
      .click({ position: { x: 2, y: 2 } });
}

/** No more rows of one list are tried than these: what the first few are refused, the others are. */
const TRIES = 4;

/** Buttons for which the demo workshop has no row. A new one belongs here only if no demo row can be given to it. */
const withoutRow: readonly string[] = [
  // A job is over sooner than somebody could stop it.
  'rmaReportDownload:cancel',
  // In the demonstration every list is as it is shipped.
  'sysPublish:takeBack',
];

for (const [area, own] of areas)
  test(`every dialog about a row can be used by everybody, is named, and gives the focus back: ${area}`, async ({
    page,
    context,
    baseURL,
  }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.addInitScript(() => localStorage.setItem('local', 'en'));
    const { request } = context;
    const token = await fetchToken(request, 'admin');
    await signInAs(context, 'admin', baseURL as string);
    await page.goto('/home');
    await page.locator(DRAWN).first().waitFor();
    await bringAxe(page);
    const looked: string[] = [];
    const missing: string[] = [];
    const others = { page: 0, direct: 0 };
    for (const module of own) {
      for (const button of await fetchButtons(request, token, `${module}List`)) {
        const script = button.btnScript ?? '';
        if (button.rows === undefined && !Object.hasOwn(ofEngine, script)) continue;
        const name = `${module}:${button.btnNo}`;
        const kind = kindOf(module, script);
        expect(kind, `${name} is in no register`).toBeDefined();
        if (kind === 'page' || kind === 'direct') {
          others[kind]++;
          continue;
        }
        const fit = await findRows(request, token, module, button);
        if (fit === undefined || !(await tryRows(page, module, button, fit))) missing.push(name);
        else looked.push(name);
      }
    }
    figures(
      `${area}: looked at ${looked.length} dialogs of rows; ${others.page} buttons lead to pages, ${others.direct} act at once`,
    );
    expect(missing).toEqual(withoutRow.filter((it) => own.includes(it.split(':')[0] ?? '')));
    expect(looked.length).toBeGreaterThan(5);
  });

/** Opens the dialog of the first row that it opens for, looks at it, and closes it. */
async function tryRows(page: Page, module: string, button: MenuButton, { filter, ids }: Fit): Promise<boolean> {
  await openList(page, module, filter);
  const { button: here, more } = waysTo(page, button.btnName);
  // Until they have come the list does not know whether several rows may be selected.
  await here.or(more).first().waitFor();
  const name = `${module}:${button.btnNo}`;
  const dialog = page.locator(DIALOG);
  for (const id of ids.slice(0, TRIES)) {
    await select(page, id);
    const opener = await pressWay(page, button.btnName);
    const notice = page.getByRole('alert').filter(visible);
    await dialog.or(notice).first().waitFor();
    if ((await dialog.count()) === 0) continue;
    await isStill(page);
    expect.soft(await findingsIn(page, DIALOG), name).toEqual([]);
    await expect.soft(dialog, `${name} is named`).toHaveAccessibleName(/./);
    await page.keyboard.press('Escape');
    await expect.soft(dialog, `${name} closes by Escape`).toBeHidden();
    await expect.soft(opener, `${name} gives the focus back`).toBeFocused();
    return true;
  }
  return false;
}
