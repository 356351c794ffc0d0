import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { newWord } from './newWord.ts';
import { pressWay } from './menuWalk.ts';
import { visit } from './operator.ts';
import { choose, film, listenForErrors, signInAs } from './workshop.ts';

const [WAFER, DEVICE] = ['WR-A17', 'RXA17-QFN'];
const button = (page: Page, name: string | RegExp) =>
  page.locator('#content').getByRole('button', { name, exact: true }).filter({ visible: true }).first();
const combobox = (page: Page, name: string) =>
  page.getByRole('combobox', { name: new RegExp(`^${name}`) }).filter({ visible: true });
const field = (page: Page, name: string) =>
  page.getByRole('textbox', { name: new RegExp(`^${name}`) }).filter({ visible: true });

/** One of many, found by a part of its name. */
async function find(page: Page, label: string, text: string): Promise<void> {
  await combobox(page, label).click();
  await page.keyboard.insertText(text);
  await page.getByRole('option', { name: text }).filter({ visible: true }).first().click();
}

/** Presses what the selected row's order may do next; a dialog is answered by its own verb. */
const press = (page: Page, name: string) => pressWay(page, name);

const dialog = (page: Page) => page.getByRole('dialog');
/** Its verb stands last. */
async function submit(page: Page): Promise<void> {
  await dialog(page).getByRole('button').filter({ visible: true }).last().click();
  await expect(dialog(page)).toBeHidden();
}

/** The newest row of a list that says so is selected. */
async function select(page: Page, list: string, text = ''): Promise<void> {
  // Loaded anew: one that is come back to has the rows selected that were selected before.
  await page.goto(`/${list}`);
  const row = page.locator('#content tbody tr[data-id]').filter({ hasText: text, visible: true }).first();
  await row.waitFor();
  await row
    .locator('td')
    .filter({ visible: true })
    .last()
    .click({ position: { x: 2, y: 2 } });
  await expect(row).toHaveAttribute('aria-selected', 'true');
}

/** Says of each position what came out of it, by the names of the fields. */
async function report(page: Page, list: string, told: Record<string, string>): Promise<void> {
  await select(page, list);
  await press(page, 'Record output');
  for (const [name, qty] of Object.entries(told)) await dialog(page).getByLabel(name, { exact: true }).fill(qty);
  await submit(page);
}
async function send(page: Page, list: string): Promise<void> {
  await select(page, list);
  await press(page, 'Send / take back');
  await submit(page);
  await expect(page.locator('#content tbody tr[data-id]').filter({ visible: true }).first()).toContainText('Sent');
}

/** What the tree of a lot says in one sentence. */
async function expectAccount(page: Page, lot: string, sentence: string): Promise<void> {
  await select(page, 'icopWipList', lot);
  await press(page, 'Lot tree');
  await expect(page.getByText(sentence)).toBeVisible();
}

test('a lot goes by the screens alone from the foundry to finished chips, in parts, split and merged, and every die is told', async ({
  page,
  context,
  baseURL,
}) => {
  const errors = listenForErrors(page);
  const lot = `N7J${newWord()}`;
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  await signInAs(context, 'planner', baseURL as string);

  await test.step('wafers are ordered, and come', async () => {
    await visit(page, '/icopWaferWorkOrderList');
    await button(page, 'New work order').click();
    await find(page, 'Supplier', 'Taixin');
    await find(page, 'Wafer PN', WAFER);
    await field(page, 'Wafers').fill('3');
    await submit(page);
    await send(page, 'icopWaferWorkOrderList');
    await select(page, 'icopWaferWorkOrderList');
    await press(page, 'Receive wafers');
    await field(page, 'Wafer lot').fill(lot);
    await dialog(page).getByLabel('Wafers', { exact: true }).fill('01-03');
    await field(page, 'Dies per wafer').fill('100');
    await submit(page);
  });

  await test.step('they are bumped and probed, in two parts, which become one lot', async () => {
    await visit(page, '/icopBumpingCpWorkOrderList/create');
    await choose(page, combobox(page, 'Process type'), 'Bumping + CP');
    await find(page, 'Supplier', 'Huatu');
    await find(page, 'Wafer PN', WAFER);
    await button(page, 'Add wafers').click();
    await dialog(page).getByRole('checkbox', { name: lot, exact: true }).check();
    await expect(dialog(page).getByRole('status')).toContainText('Lots 1 · wafers 3 · dies 300');
    await film(page, 'lot-picking');
    await submit(page);
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/icopBumpingCpWorkOrderList\/detail\/\d+$/);
    const list = 'icopBumpingCpWorkOrderList';
    await send(page, list);
    await report(page, list, { [`Good ${lot} 01`]: '90', [`Loss ${lot} 01`]: '10', [`Good ${lot} 02`]: '40' });
    await expectAccount(page, lot, 'All 300 dies are accounted for: finished 0, in stock 130, in process 160, loss 10');
    await report(page, list, {
      ...{ [`Good ${lot} 02`]: '55', [`Loss ${lot} 02`]: '5' },
      ...{ [`Good ${lot} 03`]: '95', [`Loss ${lot} 03`]: '5' },
    });
    await select(page, 'icopWipList', lot);
    await press(page, 'Merge lots');
    await dialog(page).getByRole('checkbox').check();
    await expect(dialog(page).getByRole('status')).toHaveText('2 lots, 280 dies in the new lot');
    await submit(page);
  });

  await test.step('some of it is packed, in two parts', async () => {
    await visit(page, '/icopAssemblyWorkOrderList/create');
    await find(page, 'Supplier', 'Changdianxin');
    await find(page, 'Device PN', DEVICE);
    await find(page, 'Wafer PN', WAFER);
    await button(page, 'Add wafers').click();
    await dialog(page)
      .getByRole('button', { name: `Open ${lot}` })
      .click();
    await dialog(page)
      .getByRole('checkbox', { name: `${lot} 01` })
      .check();
    await dialog(page).getByLabel(`Input ${lot} 01`).fill('50');
    await dialog(page)
      .getByRole('checkbox', { name: `${lot} 02` })
      .check();
    await submit(page);
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/icopAssemblyWorkOrderList\/detail\/\d+$/);
    const list = 'icopAssemblyWorkOrderList';
    await send(page, list);
    await report(page, list, { [`Good ${lot}`]: '60' });
    await report(page, list, { [`Good ${lot}`]: '80', [`Loss ${lot}`]: '5' });
  });

  for (const [test_, lots, told] of [
    ['FT1', [`${lot}.1`, `${lot}.2`], { bin1: '110', bin3: '20', Loss: '10' }],
    ['FT2', [`${lot}.2M`], { bin1: '127', Loss: '3' }],
  ] as const) {
    await test.step(`it is tested, ${test_}`, async () => {
      await visit(page, '/icopFtWorkOrderList/create');
      await choose(page, combobox(page, 'FT type'), new RegExp(`^${test_}$`));
      await find(page, 'Supplier', 'Yuexin');
      await find(page, 'Device PN', DEVICE);
      await button(page, 'Add lots').click();
      for (const it of lots) await dialog(page).getByRole('checkbox', { name: it, exact: true }).check();
      await dialog(page).getByLabel('FT program').fill(`P-${test_}`);
      await submit(page);
      await page.keyboard.press('Control+Enter');
      await page.waitForURL(/\/icopFtWorkOrderList\/detail\/\d+$/);
      await send(page, 'icopFtWorkOrderList');
      await select(page, 'icopFtWorkOrderList');
      await press(page, 'Record output');
      for (const [name, qty] of Object.entries(told))
        await dialog(page)
          .getByLabel(new RegExp(`^${name} ${lot}`))
          .fill(qty);
      await film(page, `lot-${test_}`);
      await submit(page);
    });
  }

  await expectAccount(page, lot, 'All 300 dies are accounted for: finished 127, in stock 135, in process 0, loss 38');
  await film(page, 'lot-tree');
  expect(errors).toEqual([]);
});
