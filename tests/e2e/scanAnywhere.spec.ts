import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { devicesAt } from './operator.ts';
import { fire } from './scanner.ts';
import { openStation, scan, signInAs, verdict, words } from './workshop.ts';

/**
 * A scan while something has the focus or lies over the page: each kind once. `npm run chaos -- browser` goes through all
 * that any page can open, at every pace. Rule: scanning#scans.
 */
const say = words('zh');
const marking = (page: Page) => page.getByLabel(say('repair.repairMarking'));
const kinds: readonly [name: string, over: string | null, open: (page: Page) => Promise<void>][] = [
  ['a button', null, (page) => page.getByRole('button', { name: say('undo'), exact: true }).focus()],
  ['a text field', null, (page) => marking(page).focus()],
  ['nothing', null, (page) => page.evaluate(() => (document.activeElement as HTMLElement).blur())],
  ['a choice', '[role=listbox]', (page) => page.getByRole('combobox', { name: say('repair.partsType') }).click()],
  ['a menu', '[role=menu]', (page) => page.getByRole('button', { name: say('sound.volume') }).click()],
  ['a dialog', '[role=dialog]', (page) => page.getByRole('button', { name: say('command.card') }).click()],
  ['a hint', '[role=tooltip]', (page) => page.locator('header button').filter({ visible: true }).first().hover()],
];

test('a scan is heard whatever has the focus or lies over the page, and nothing else happens', async ({
  page,
  context,
  baseURL,
}) => {
  await signInAs(context, 'tech', baseURL as string);
  const [unit = ''] = await devicesAt(context.request, 1, '50');
  await page.addInitScript(() => {
    const counted = Object.assign(window, { clicks: 0 });
    document.addEventListener('click', () => (counted.clicks += 1), true);
  });
  await openStation(page, '/rmaRepairBillList/repair');
  await scan(page, unit);
  await verdict(page, 'ok', unit);
  await marking(page).fill('换过');
  const session = await context.newCDPSession(page);
  for (const [i, [name, over, open]] of kinds.entries()) {
    await open(page);
    if (over) await page.locator(over).waitFor();
    const before = await readState(page, over);
    const sn = `ZZ19P4A2600000${String(i).padStart(3, '0')}`;
    await fire(session, sn);
    await expect(page.locator('tr[data-state]').filter({ hasText: sn }), name).toHaveCount(1);
    expect(await readState(page, over), name).toEqual(before);
    if (!over) continue;
    await page.mouse.move(0, 0);
    await page.keyboard.press('Escape');
    await page.locator(over).waitFor({ state: 'detached' });
  }
});

/** What a scan must leave as it is. */
const readState = (page: Page, over: string | null) =>
  page.evaluate((over) => {
    const all = (what: string) => [...document.querySelectorAll<HTMLElement>(what)];
    return {
      fields: (all('input:not([data-scan=field]),textarea') as HTMLInputElement[]).map((it) => it.value),
      choices: all('[role=combobox]').map((it) => it.textContent),
      floating: over ? all(over).length : 0,
      clicks: (window as unknown as { clicks: number }).clicks,
      address: location.href,
    };
  }, over);
