import sharp from 'sharp';
import { expect, test } from '@playwright/test';
import { billOf, handsOf, lifeOf, MODEL, newDevices, sessionOf } from './hands.ts';
import { ask, listenForErrors, type Language } from './workshop.ts';

interface Row {
  [name: string]: unknown;
}
const shifts: { language: Language; colorScheme: 'light' | 'dark'; devices: number }[] = [
  { language: 'zh', colorScheme: 'light', devices: 20 },
  { language: 'en', colorScheme: 'dark', devices: 5 },
];

for (const { language, colorScheme, devices } of shifts) {
  test(`${devices} devices go from parcel to delivery by scanner, command barcodes and keyboard alone, in ${language} [W-PTH-01, W-PTH-02, W-PTH-06, W-PTH-07]`, async ({
    page,
    context,
  }) => {
    test.setTimeout(900_000);
    const errors = listenForErrors(page);
    const { request } = context;
    const hands = handsOf(page, context, language, { strip: `${language}-${colorScheme}` });
    const { say, shot, scan } = hands;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.addInitScript((it) => localStorage.setItem('local', it), language);
    const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#b5651d' } })
      .jpeg()
      .toBuffer();

    const sns = await newDevices(request, devices);
    const [scrapped, declined, faultless, aged, ...others] = sns as [string, string, string, string, ...string[]];
    const mended = [declined, aged, ...others];
    const tested = [faultless, ...mended];
    const shipNo = `SF${Date.now()}`;
    let mtbId = '';

    await test.step('the office makes the bill', async () => {
      await hands.shiftOf('office');
      await shot('home');
      await hands.goTo('intake/rmaMaintainBill');
      await shot('bills');
      await page.goto('/rmaMaintainBillList/create');
      await hands.fill(labelOf.receiveShipNo[language], shipNo);
      await hands.fill(labelOf.userName[language], language === 'zh' ? '宁远矿业' : 'Northfield Mining');
      await hands.fill(say('field.salesCode'), MODEL);
      await hands.fill(say('field.count'), String(devices));
      await shot('create');
      await hands.press('Control+Enter');
      await page.waitForURL(/\/rmaMaintainBillList\/detail\//);
      await page.getByText(shipNo).first().waitFor();
      await shot('bill');
      mtbId = (
        await page
          .getByText(/^MTB\d+/)
          .first()
          .innerText()
      ).trim();
    });

    await test.step('the warehouse signs, receives and closes the receipt', async () => {
      await hands.shiftOf('warehouse');
      await hands.signFor(shipNo);
      await hands.receive(shipNo, sns);
      await hands.finishReceipt();
    });

    await test.step('the first test finds what is wrong', async () => {
      await hands.shiftOf('tech');
      await hands.open('check');
      await shot('check-empty');
      await hands.check(scrapped, ['UM17'], { picture, frame: 'check-scrap' });
      await hands.check(declined, ['UM17'], { picture });
      await hands.check(faultless, ['NTF'], { frame: 'check-nofault' });
      for (const sn of [aged, ...others]) await hands.check(sn, ['FX409'], sn === aged ? { frame: 'check' } : {});
      await scan(scrapped);
      await hands.refused(scrapped);
      await shot('check-held');
    });

    await test.step('the supervisor has the last word on scrap and no-fault', async () => {
      await hands.shiftOf('supervisor');
      await hands.judge('scrap', scrapped, {
        yes: true,
        remark: language === 'zh' ? '三块板烧穿' : 'Three boards burnt',
      });
      await hands.judge('scrap', declined, { yes: false, remark: language === 'zh' ? '还能修' : 'Can be repaired' });
      await hands.judge('nofault', faultless, { yes: true });
    });

    await test.step('what is no scrap is checked again, with the reason in sight', async () => {
      await hands.shiftOf('tech');
      await hands.open('check');
      await scan(declined);
      const why = language === 'zh' ? '还能修' : 'Can be repaired';
      await expect(page.getByText(say('check.sentBack').replace('%{remark}', why))).toBeVisible();
      await shot('check-sent-back');
      await scan('%CODE-FX409');
      await scan('%SUBMIT');
      await hands.ok(`${declined} →`);
    });

    await test.step('repair, assembly and aging, which one device fails', async () => {
      await hands.open('repair');
      for (const sn of mended) await hands.repair(sn, sn === aged ? 'repair' : undefined);
      await hands.open('assemble');
      for (const sn of mended) await hands.assemble(sn, sn === aged ? 'assemble' : undefined);
      await hands.open('aging');
      const passing = tested.filter((it) => it !== aged);
      await hands.test('aging', [
        ['AT01', [aged]],
        ['AT00', passing],
      ]);
      expect((await lifeOf(request, aged)).node).toBe('50');
    });

    await test.step('it is repaired, and comes again', async () => {
      await hands.open('repair');
      await hands.repair(aged, 'repair-again');
      await hands.open('assemble');
      await hands.assemble(aged);
      await hands.open('aging');
      await hands.test('aging', [['AT00', [aged]]]);
      await hands.open('qc');
      await hands.test('qc', [['QC00', tested]]);
    });

    await hands.shiftOf('warehouse');
    await test.step('the store takes them in', async () => {
      await hands.open('store');
      await hands.store(tested);
    });
    const admin = await sessionOf(request, 'admin');
    const stockups = () =>
      ask<{ items: Row[] }>(request, admin, '/api/rmaStockupBill/pager.json', { mtbId }).then((it) => it.items);
    const [stockup] = await stockups();
    expect(stockup).toMatchObject({ allCount: tested.length, deliveredCount: 0 });

    await test.step('they are delivered', async () => {
      await hands.goTo('storing/rmaStockupBill');
      await page.getByText(String(stockup?.['skbId'])).first().waitFor();
      await shot('stock-up');
      await hands.open('deliver');
      await hands.deliver(String(stockup?.['skbId']), tested, faultless);
    });

    await test.step('the SN page tells their lives', async () => {
      await hands.lookUp(aged);
      await shot('history');
      await hands.lookUp(scrapped);
      await shot('history-scrapped');
    });

    expect(await stockups()).toMatchObject([{ allCount: tested.length, deliveredCount: tested.length, status: '2' }]);
    const bill = await billOf(request, mtbId);
    expect(bill.status).toBe('2');
    const counts = {
      receiveCount: devices,
      scrapCount: 1,
      deliverCount: tested.length,
      discardCount: 0,
      buyOutCount: 0,
    };
    expect(bill.lines).toMatchObject([{ count: devices, ...counts }]);
    const round = ['repair tech 60', 'assemble tech 70'];
    const end = ['aging tech 80', 'qc tech 90', 'store warehouse 100', 'deliver warehouse 900'];
    const received = ['receive warehouse 10'];
    const lives = {
      [scrapped]: ['check tech 10', 'scrapConfirm supervisor 40'],
      [declined]: ['check tech 10', 'scrapConfirm supervisor 10', 'check tech 50', ...round, ...end],
      [faultless]: ['check tech 10', 'nofaultConfirm supervisor 70', ...end],
      [aged]: ['check tech 50', ...round, 'aging tech 50', ...round, ...end],
      ...Object.fromEntries(others.map((it) => [it, ['check tech 50', ...round, ...end]])),
    };
    for (const sn of sns) {
      const life = await lifeOf(request, sn);
      expect(life.node, sn).toBe(sn === scrapped ? '40' : '900');
      expect(life.steps, sn).toEqual([...received, ...(lives[sn] ?? [])]);
    }
    expect(errors).toEqual([]);
  });
}

/** Words of the definitions that the journey looks for. */
const labelOf = {
  receiveShipNo: { zh: '收货物流单号', en: 'Receive ship no' },
  userName: { zh: '客户姓名', en: 'Customer' },
};
