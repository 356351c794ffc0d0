import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { readXlsx } from 'hucre';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { languagesOf } from './languages.ts';
import { newWord } from './newWord.ts';
import { pressWay } from './menuWalk.ts';
import { devicesAt, newBill, newDevices, readDefinition, visit } from './operator.ts';
import {
  apiGet,
  choose,
  content,
  fetchToken,
  film,
  listenForErrors,
  signInAs,
  tabTo,
  words,
  scan,
} from './workshop.ts';

/** Between the keys of a hand; what comes faster is a scanner. */
const HAND = 130;
const sizes = { zh: { width: 390, height: 844 }, en: { width: 1440, height: 900 } } as const;
const names = {
  zh: {
    editStatus: '修改包裹状态',
    matched: '已匹配',
    courier: '顺丰速运',
    country: '中国',
    state: '广东省',
  },
  en: {
    editStatus: 'Edit status',
    matched: 'Matched',
    courier: 'SF Express',
    country: 'China',
    state: 'Guangdong',
  },
} as const;

const shown = (page: Page, label: string) =>
  page
    .getByLabel(new RegExp(`^${label}`))
    .filter({ visible: true })
    .first();
const combobox = (page: Page, label: string) =>
  page.getByRole('combobox', { name: new RegExp(`^${label}`) }).filter({ visible: true });
const button = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).filter({ visible: true }).first();

/** Types as a hand does. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, shown(page, label));
  await page.keyboard.type(text, { delay: HAND });
}

for (const language of languagesOf(0)) {
  const say = words(language);
  const name = names[language];
  const openAs = async (page: Page, userId: string, baseURL: string | undefined) => {
    await page.setViewportSize(sizes[language]);
    await page.addInitScript((it) => localStorage.setItem('local', it), language);
    await signInAs(page.context(), userId, baseURL as string);
  };

  const buttonLabel = (path: string, btnNo: string) =>
    readDefinition(path).buttons.find((it) => it.btnNo === btnNo)?.label[language] ?? '';

  test(`a parcel that nobody announced is signed for, registered at the door and matched with its bill, in ${language}`, async ({
    page,
    request,
    baseURL,
  }) => {
    const errors = listenForErrors(page);
    const no = `SFDESK${newWord()}`;
    const [sn = ''] = await newDevices(request, 1);
    const { mtbId } = await newBill(request, [sn]);
    await openAs(page, 'warehouse', baseURL);

    await page.goto('/rmaArrivalBillList/signFor');
    await page.locator('input[data-scan]').filter({ visible: true }).first().waitFor();
    await scan(page, no);
    await expect(shown(page, say('field.receivePackageCount'))).toBeFocused();
    await page.keyboard.press('Enter');
    const unknown = content(page).getByRole('alert').filter({ hasText: no });
    await expect(unknown).toContainText(say('signFor.noBill'));
    await film(page, `desk-${language}-signed`);
    await tabTo(page, unknown.getByRole('link'));
    await page.keyboard.press('Enter');

    await expect(shown(page, say('field.receiveShipNo'))).toHaveValue(no);
    await choose(page, combobox(page, say('field.receiveShipId')), name.courier);
    await type(page, say('package.count'), '2');
    await type(page, say('package.userName'), 'Li');
    await type(page, say('field.mobile'), '13900001111');
    for (const [label, text] of [
      [say('package.country'), name.country],
      [say('package.state'), name.state],
    ] as const) {
      await tabTo(page, combobox(page, label));
      await page.keyboard.type(text, { delay: HAND });
      await page.getByRole('option', { name: text }).filter({ visible: true }).first().waitFor();
      await page.keyboard.press('Enter');
    }
    await film(page, `desk-${language}-registering`);
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/rmaUnhandledPackageBillList\/detail\/\d+$/);
    await expect(page.getByRole('main').getByText(no).filter({ visible: true }).first()).toBeVisible();
    await film(page, `desk-${language}-registered`);

    // It waits until somebody knows whose it is; an SN that was found in it tells.
    await visit(page, '/rmaUnhandledPackageBillList');
    const row = page
      .locator('#content :is(tr, li)')
      .filter({ hasText: no, visible: true })
      .filter({ visible: true })
      .last();
    await row.waitFor();
    const box = row.getByRole('checkbox');
    await ((await box.count()) > 0 ? box : row).filter({ visible: true }).first().click();
    await pressWay(page, name.editStatus, say('shell.list.more'));
    const dialog = page.getByRole('dialog');
    await choose(page, dialog.getByRole('combobox').filter({ visible: true }).first(), name.matched);
    await tabTo(page, dialog.getByLabel(say('packageStatus.search')));
    await page.keyboard.type(sn, { delay: HAND });
    const proposal = dialog.getByRole('radio', { name: mtbId });
    await expect(proposal).toBeVisible();
    await expect(dialog.getByText(say('packageStatus.match.sn'))).toBeVisible();
    await tabTo(page, proposal);
    await page.keyboard.press('Space');
    await film(page, `desk-${language}-matching`);
    await dialog.locator('button[type=submit]').click();
    await expect(dialog).toBeHidden();
    const token = await fetchToken(request, 'warehouse');
    const { items } = await apiGet(request, token, '/api/rmaUnhandledPackageBill/pager.json', { receiveShipNo: no });
    expect(items).toMatchObject([{ receiveShipNo: no, mtbId, repairableCount: 2, languageType: 'zh' }]);
    expect(errors).toEqual([]);
  });

  test(`a pasted column of SNs answers where each is, and leaves as a workbook, in ${language}`, async ({
    page,
    request,
    baseURL,
  }) => {
    const errors = listenForErrors(page);
    const here = await newDevices(request, 2);
    await newBill(request, here);
    const [archived = ''] = await newDevices(request, 1);
    const nobody = `NOBODY${newWord()}`;
    const asked = [...here, archived, nobody];
    await openAs(page, 'office', baseURL);
    await page.goto('/rmaInventoryList/findMany');
    await expect(page.getByLabel(say('serials.many.paste'))).toBeFocused();
    await page.keyboard.insertText([...asked, here[0], nobody.toLowerCase()].join('\n'));
    const [, many = ''] = say('serials.many.repeated').split(' |||| ');
    await expect(page.getByText(many.replace('%{smart_count}', '2'))).toBeVisible();
    await page.keyboard.press('Control+Enter');
    const results = page.getByRole('region', { name: say('serials.many.results') });
    for (const sn of asked) await expect(results.getByText(sn, { exact: true })).toBeVisible();
    await expect(button(page, `${say('serials.many.all')} 4`)).toBeVisible();
    await film(page, `desk-${language}-many`);

    await button(page, say('serials.many.export')).click();
    await expect(page.getByText(say('serials.many.exporting'))).toBeVisible();
    await button(page, say('shell.jobs.title')).click();
    const [title = ''] = say('shell.jobs.download').split('%{title}');
    const newest = page.getByRole('dialog').getByRole('listitem').filter({ visible: true }).first();
    const fetches = newest.getByRole('button', { name: new RegExp(`^${title}`) });
    const [download] = await Promise.all([page.waitForEvent('download'), fetches.click()]);
    const { sheets } = await readXlsx(new Uint8Array(readFileSync(await download.path())));
    expect(sheets[0]?.rows.slice(1).map((it) => it[0])).toEqual(asked);
    expect(errors).toEqual([]);
  });

  test(`a part is traced to its device from either side, and a device shows what it is made of, in ${language} [S-QRY-02, S-QRY-05]`, async ({
    page,
    request,
    baseURL,
  }) => {
    const errors = listenForErrors(page);
    const [sn = ''] = await devicesAt(request, 1, '70');
    const token = await fetchToken(request, 'tech');
    const { items } = await apiGet<{ items: { componentSn: string }[] }>(
      request,
      token,
      '/api/ubsAssembly/queryComponentBySn.json',
      { sn },
    );
    const parts = items.map((it) => it.componentSn);
    expect(parts.length, 'parts of a device that was assembled').toBeGreaterThan(2);
    await openAs(page, 'tech', baseURL);
    await page.goto('/ubsAssemblyList');
    for (const [btnNo, asked, answers] of [
      ['bindingQuery', sn, parts],
      ['componentQuery', parts[0] as string, [sn, ...parts]],
    ] as const) {
      await pressWay(page, buttonLabel('inventory/ubsAssembly', btnNo), say('shell.list.more'));
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').waitFor();
      await scan(page, asked);
      for (const it of answers)
        await expect(
          dialog.getByRole('link', { name: it, exact: true }).filter({ visible: true }).first(),
        ).toBeVisible();
      await film(page, `desk-${language}-${btnNo}`);
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    }
    await visit(page, `/rmaInventoryList/viewHistory/${sn}`);
    for (const it of parts) await expect(page.getByRole('listitem').getByText(it, { exact: true })).toBeVisible();
    await film(page, `desk-${language}-slots`);
    expect(errors).toEqual([]);
  });
}

test.describe('labels on a printer of the bench', () => {
  let printer: Server;
  let jobs: string[];
  /** The printer falls silent in the middle of the next label. */
  let breaks: boolean;
  test.beforeAll(async ({ server }) => {
    printer = createServer({ allowHalfOpen: true }, (socket) => {
      const job = jobs.push('') - 1;
      socket.on('error', () => undefined);
      socket.on('data', (part) => {
        jobs[job] += part.toString();
        if (breaks) socket.resetAndDestroy();
      });
      socket.on('end', () => socket.end());
    });
    await new Promise<void>((done) => printer.listen(server.printerPort, '127.0.0.1', done));
    expect((printer.address() as AddressInfo).port).toBeGreaterThan(0);
  });
  test.afterAll(() => new Promise((done) => printer.close(done)));

  for (const language of languagesOf(1)) {
    const say = words(language);
    test(`come out one for each press, say that they are printed again, and stand in the journal, in ${language}`, async ({
      page,
      request,
      baseURL,
    }) => {
      const errors = listenForErrors(page);
      [jobs, breaks] = [[], false];
      const [sn = ''] = await newDevices(request, 1);
      await page.setViewportSize(sizes[language]);
      await page.addInitScript((it) => localStorage.setItem('local', it), language);
      await signInAs(page.context(), 'warehouse', baseURL as string);
      await page.goto('/ubsItemObjectList/reprintSerial');
      await choose(page, combobox(page, say('serials.printer.choice')), 'bench-1');
      await button(page, say('serials.printer.test')).click();
      const done = (count: number) =>
        say('serials.printer.done')
          .split(' |||| ')[0]
          ?.replace('%{smart_count}', String(count))
          .replace('%{printer}', 'bench-1') as string;
      await expect(page.getByRole('status').filter({ hasText: done(1) })).toBeVisible();
      expect(jobs).toHaveLength(1);

      await scan(page, sn);
      await expect(page.getByRole('heading', { name: sn })).toBeVisible();
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => jobs.length).toBe(2);
      await expect(page.getByRole('status').filter({ hasText: done(1) })).toBeVisible();
      expect(jobs[1]).toContain(`^FD${sn}^FS`);
      expect(jobs[1]).toContain('REPRINT');
      await film(page, `desk-${language}-reprinted`);

      // Nobody knows what came out: what is offered is another reprint, not the same label again.
      breaks = true;
      await page.keyboard.press('Control+Enter');
      const told = (refusal: string, printer: string) =>
        page.getByText(say(`refusals.${refusal}`).replace('%{printer}', printer));
      await expect(told('printUnknown', 'bench-1')).toBeVisible();
      await expect(button(page, say('serials.printer.again'))).toHaveCount(0);
      expect(jobs).toHaveLength(3);
      breaks = false;

      await choose(page, combobox(page, say('serials.printer.choice')), 'bench-off');
      await page.keyboard.press('Control+Enter');
      await expect(told('printerUnreachable', 'bench-off')).toBeVisible();
      await expect(button(page, say('serials.printer.again'))).toBeVisible();
      await film(page, `desk-${language}-unreached`);
      expect(jobs).toHaveLength(3);

      const token = await fetchToken(request, 'warehouse');
      const { items } = await apiGet<{ items: object[] }>(request, token, '/api/ubsLabelPrint/pager.json', { sn });
      expect(items).toHaveLength(3);
      expect(errors.filter((it) => !it.includes('status of'))).toEqual([]);
    });
  }
});
