import { expect, test, type Page } from '@playwright/test';
import {
  ask,
  become,
  choose,
  film,
  listenForErrors,
  openStation,
  scan,
  tabTo,
  tokenOf,
  verdict,
  words,
  type Language,
} from './workshop.ts';

interface Row {
  [name: string]: unknown;
}

for (const language of ['zh', 'en'] as const) {
  test(`two devices go from parcel to delivery by scanner and keyboard alone, in ${language}`, async ({
    page,
    context,
    baseURL,
  }) => {
    test.setTimeout(300_000);
    const errors = listenForErrors(page);
    const say = words(language);
    const admin = await tokenOf(context.request, 'admin');
    const [first, second] = await freeDevices(page, admin, language);
    const sns = [first.sn, second.sn] as const;
    const shipNo = `SF${Date.now()}`;
    await page.addInitScript((it) => localStorage.setItem('local', it), language);
    const shot = (name: string) => film(page, `${language}-${name}`);

    await test.step('the office makes the bill', async () => {
      await become(context, 'office', baseURL as string);
      await page.goto('/rmaMaintainBillList/create');
      await fill(page, labelOf.receiveShipNo[language], shipNo);
      await fill(page, labelOf.userName[language], language === 'zh' ? '宁远矿业' : 'Northfield Mining');
      await fill(page, say('field.salesCode'), first.salesCode);
      await fill(page, say('field.count'), '2');
      await shot('01-create');
      await page.keyboard.press('Control+Enter');
      await page.waitForURL(/\/rmaMaintainBillList\/detail\//);
      await shot('02-bill');
    });

    await test.step('the gate signs for the parcel', async () => {
      await become(context, 'warehouse', baseURL as string);
      await page.goto('/rmaArrivalBillList/signFor');
      await expect(page.getByLabel(say('field.receiveShipNo'))).toBeFocused();
      await scan(page, shipNo);
      await expect(page.getByLabel(say('field.receivePackageCount'))).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByText(shipNo)).toBeVisible();
      await shot('03-sign-for');
    });

    await test.step('the warehouse receives both and closes the receipt', async () => {
      await page.goto('/rmaReceiveBillList/receive');
      await expect(page.getByLabel(say('field.receiveShipNo'))).toBeFocused();
      await scan(page, shipNo);
      await expect(page.getByLabel(say('scanField'))).toBeFocused();
      for (const sn of sns) {
        await scan(page, sn);
        await verdict(page, 'ok', sn);
      }
      await scan(page, first.sn);
      await verdict(page, 'duplicate', first.sn);
      await shot('04-receive');
      await page.keyboard.press('Control+Enter');
      await verdict(page, 'ok', say('receive.told').split(/%\{|：|:/)[0]);
      await tabTo(page, page.getByRole('button', { name: say('receive.finalize') }));
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await expect(dialog).toContainText(say('receive.finalizeText'));
      await shot('05-finalize');
      await tabTo(page, dialog.getByRole('button', { name: say('receive.finalize') }));
      await page.keyboard.press('Enter');
      await expect(dialog).toBeHidden();
    });

    await become(context, 'tech', baseURL as string);
    await test.step('the first test finds what is wrong', async () => {
      await openStation(page, '/rmaCheckBillList/check');
      for (const sn of sns) {
        await scan(page, sn);
        await verdict(page, 'ok', sn);
        await expect(page.getByLabel(say('field.issueCode')).first()).toBeVisible();
        await scan(page, 'FX409');
        await verdict(page, 'ok', 'FX409');
        await shot(`06-check-${sn === first.sn ? 1 : 2}`);
        await page.keyboard.press('Control+Enter');
        await verdict(page, 'ok', '→');
      }
    });

    await test.step('repair', async () => {
      await openStation(page, '/rmaRepairBillList/repair');
      for (const sn of sns) {
        await scan(page, sn);
        await verdict(page, 'ok', sn);
        await choose(page, page.getByLabel(say('repair.partsType')), labelOf.board[language]);
        await choose(page, page.getByLabel(say('repair.repairMethod')), labelOf.welding[language]);
        await fill(page, say('repair.slot'), 'U12');
        const code = page.getByLabel(say('field.issueCode')).first();
        await tabTo(page, code);
        await page.keyboard.type('RP01');
        await page.keyboard.press('Enter');
        await tabTo(page, page.getByRole('button', { name: say('repair.addRow') }));
        await page.keyboard.press('Enter');
        await shot(`07-repair-${sn === first.sn ? 1 : 2}`);
        await page.keyboard.press('Control+Enter');
        await verdict(page, 'ok', '→');
      }
    });

    await test.step('assembly', async () => {
      await openStation(page, '/rmaAssembleBillList/assemble');
      for (const [i, sn] of sns.entries()) {
        await scan(page, sn);
        await expect(page.getByLabel(say('slot.power'))).toBeFocused();
        for (const part of partsOf(shipNo, i, await page.locator('input[data-scan=part]').count()))
          await scan(page, part);
        await shot(`08-assemble-${i + 1}`);
        await page.keyboard.press('Control+Enter');
        await verdict(page, 'ok', '→');
      }
    });

    for (const [i, station] of (['aging', 'qc'] as const).entries()) {
      await test.step(`both pass ${station}`, async () => {
        await openStation(page, station === 'aging' ? '/rmaBurninBillList/burnin' : '/rmaExamineBillList/examine');
        await page
          .getByText(station === 'aging' ? /AT00/ : /QC00/)
          .first()
          .waitFor();
        for (const sn of sns) {
          await scan(page, sn);
          await verdict(page, 'ok', sn);
        }
        await shot(`${9 + i}-${station}`.padStart(2, '0'));
        await page.keyboard.press('Control+Enter');
        await verdict(page, 'ok', say('test.told').split(/%\{|：|:/)[0]);
      });
    }

    await become(context, 'warehouse', baseURL as string);
    await test.step('the store takes them in', async () => {
      await openStation(page, '/rmaStoreBillList/store');
      for (const sn of sns) {
        await scan(page, sn);
        await verdict(page, 'ok', sn);
      }
      await shot('11-store');
      await page.keyboard.press('Control+Enter');
      await verdict(page, 'ok', 'STB');
    });

    const bill = await ask<{ items: Row[] }>(context.request, admin, '/api/rmaMaintainBill/pager.json', {
      receiveShipNo: shipNo,
    });
    const mtbId = String(bill.items[0]?.['mtbId']);
    const stockups = await ask<{ items: Row[] }>(context.request, admin, '/api/rmaStockupBill/pager.json', { mtbId });
    const skbId = String(stockups.items[0]?.['skbId']);

    await test.step('they are delivered', async () => {
      await page.goto('/rmaDeliverBillList/deliver');
      await expect(page.getByLabel(say('deliver.shipNo'))).toBeFocused();
      await scan(page, skbId);
      await expect(page.getByLabel(say('scanField'))).toBeFocused();
      for (const sn of sns) {
        await scan(page, sn);
        await verdict(page, 'ok', sn);
      }
      await shot('12-deliver');
      await page.keyboard.press('Control+Enter');
      await verdict(page, 'ok');
      await expect(page.locator('[data-verdict]')).not.toContainText(second.sn);
    });

    await test.step('the SN page tells its life', async () => {
      await page.goto(`/rmaInventoryList/viewHistory/${first.sn}`);
      await expect(page.getByText(first.sn).first()).toBeVisible();
      await expect(page.getByText(mtbId).first()).toBeVisible();
      await shot('13-history');
    });

    const done = await ask<Row & { rmaMaintainBillLineList: Row[] }>(
      context.request,
      admin,
      '/api/rmaMaintainBill/queryById.json',
      { id: mtbId },
    );
    expect(done['billStatus']).toBe('2');
    expect(done.rmaMaintainBillLineList).toMatchObject([
      { count: 2, receiveCount: 2, deliverCount: 2, scrapCount: 0, discardCount: 0, buyOutCount: 0 },
    ]);
    for (const sn of sns) {
      const life = await ask<{ unit: Row; events: Row[] }>(
        context.request,
        admin,
        '/api/rmaMaintainBill/viewHistory.json',
        { sn },
      );
      expect(life.unit['ivyId']).toBe('900');
      expect(life.events.map((it) => [it['step'], it['userId'], it['toNode']]).reverse()).toEqual([
        ['receive', 'warehouse', '10'],
        ['check', 'tech', '50'],
        ['repair', 'tech', '60'],
        ['assemble', 'tech', '70'],
        ['aging', 'tech', '80'],
        ['qc', 'tech', '90'],
        ['store', 'warehouse', '100'],
        ['deliver', 'warehouse', '900'],
      ]);
    }
    expect(errors).toEqual([]);
  });
}

/** Words of the definitions that the journey looks for. */
const labelOf = {
  receiveShipNo: { zh: '收货物流单号', en: 'Receive ship no' },
  userName: { zh: '客户姓名', en: 'Customer' },
  board: { zh: /算力板1|算力1/, en: /[Cc]omputing.* 1$/ },
  welding: { zh: /补焊/, en: /[Ww]elding/ },
};

/** Types into the field of this name, reached with Tab. */
async function fill(page: Page, label: string, text: string): Promise<void> {
  const name = label.replace(/[()（）]/g, '\\$&');
  await tabTo(page, page.getByLabel(new RegExp(`^${name}\\s*\\*?$`)).first());
  await page.keyboard.type(text);
}

/** Two devices of one model that the archive knows and that are not in the house; each language takes its own. */
async function freeDevices(page: Page, token: string, language: Language): Promise<[Device, Device]> {
  const { items } = await ask<{ items: Row[] }>(page.request, token, '/api/ubsItemObject/pager.json', {
    pageCount: '200',
    type: '0',
    sortBy: 'sn',
    order: language === 'zh' ? 'asc' : 'desc',
  });
  const free: Device[] = [];
  for (const it of items) {
    const device = { sn: String(it['sn']), salesCode: String(it['salesCode']) };
    if (free[0] && free[0].salesCode !== device.salesCode) continue;
    const { unit } = await ask<{ unit: Row | null }>(page.request, token, '/api/rmaMaintainBill/viewHistory.json', {
      sn: device.sn,
    });
    if (unit === null) free.push(device);
    if (free.length === 2) return [free[0] as Device, free[1] as Device];
  }
  throw new Error('The demo data hold no two free devices of one model');
}

interface Device {
  sn: string;
  salesCode: string;
}

/** SNs for each position: power, controls, then a board and its QR code by turns; 17 characters, new in each journey. */
function partsOf(journey: string, device: number, positions: number): string[] {
  const tail = journey.slice(-9);
  return Array.from({ length: positions }, (_, i) =>
    `PT${String(i).padStart(2, '0')}${device}ZZZ${tail}`.padEnd(17, '0').slice(0, 17),
  );
}
