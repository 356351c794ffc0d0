import sharp from 'sharp';
import menu from '#definitions/menu.json' with { type: 'json' };
import { expect, test } from './journey.ts';
import { newWord } from './newWord.ts';
import { fetchBill, createOperator, fetchUnitHistory, MODEL, newDevices } from './operator.ts';
import { apiGet, fetchToken, listenForErrors, type Language } from './workshop.ts';

interface Row {
  [name: string]: unknown;
}
/** Each device is another round of the same: as many as there are ways to go, and a day's lot in the long run. */
const devices = process.env['CHAOS'] === 'long' ? 20 : 4;
const looks = { zh: 'light', en: 'dark' } as const;

test(`${devices} devices go from parcel to delivery by scanner, command barcodes and keyboard alone, in both languages [W-PTH-01, W-PTH-02, W-PTH-06, W-PTH-07]`, async ({
  page,
  context,
}) => {
  test.setTimeout(900_000);
  const errors = listenForErrors(page);
  const { request } = context;
  const hands = {
    zh: createOperator(page, context, 'zh', { filmName: `zh-${looks.zh}` }),
    en: createOperator(page, context, 'en', { filmName: `en-${looks.en}` }),
  };
  let operator = hands.zh;
  /** Whoever has signed in chooses the other language, and the machine has another theme. */
  const turnTo = async (next: Language) => {
    const button = () => page.getByRole('button', { name: new RegExp(`^${operator.say('shell.language')}`) });
    await operator.pressButton(button());
    const other = page.getByRole('menuitem', { name: next === 'zh' ? '中文' : 'English' });
    await other.waitFor();
    for (let i = 0; i < 3 && !(await other.evaluate((it) => it === document.activeElement)); i++)
      await operator.press('ArrowDown');
    await operator.press('Enter');
    await page.emulateMedia({ colorScheme: looks[next] });
    operator = hands[next];
    // A menu that closes takes the focus back.
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(button()).toBeFocused();
    // The menu is asked for anew, by whose names the pages are found.
    const [group] = menu.menu;
    await page.getByRole('button', { name: group?.label[next] ?? '', exact: true }).waitFor();
  };
  await page.emulateMedia({ colorScheme: looks.zh });
  const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#b5651d' } })
    .jpeg()
    .toBuffer();

  const sns = await newDevices(request, devices);
  const [scrapped, declined, faultless, aged, ...others] = sns as [string, string, string, string, ...string[]];
  const mended = [declined, aged, ...others];
  const tested = [faultless, ...mended];
  const shipNo = `SF${newWord()}`;
  const why = '还能修';
  let mtbId = '';

  await test.step('the office makes the bill', async () => {
    await operator.signIn('office');
    await operator.shot('home');
    await operator.goTo('intake/rmaMaintainBill');
    await operator.shot('bills');
    await page.goto('/rmaMaintainBillList/create');
    await operator.fill('收货物流单号', shipNo);
    await operator.fill('客户姓名', '宁远矿业');
    await operator.fill(operator.say('field.salesCode'), MODEL);
    await operator.fill(operator.say('field.count'), String(devices));
    await operator.shot('create');
    await operator.press('Control+Enter');
    await page.waitForURL(/\/rmaMaintainBillList\/detail\//);
    await page.getByText(shipNo).filter({ visible: true }).first().waitFor();
    await operator.shot('bill');
    mtbId = (
      await page
        .getByText(/^MTB\d+/)
        .filter({ visible: true })
        .first()
        .innerText()
    ).trim();
  });

  await test.step('the warehouse signs, receives and closes the receipt', async () => {
    await operator.signIn('warehouse');
    await operator.signFor(shipNo);
    await operator.receive(shipNo, sns);
    await operator.finishReceipt();
  });

  await test.step('the first test finds what is wrong', async () => {
    await operator.signIn('tech');
    await operator.open('check');
    await operator.shot('check-empty');
    await operator.check(scrapped, ['UM17'], { picture, frame: 'check-scrap' });
    await operator.check(declined, ['UM17'], { picture });
    await operator.check(faultless, ['NTF'], { frame: 'check-nofault' });
    for (const sn of [aged, ...others]) await operator.check(sn, ['FX409'], sn === aged ? { frame: 'check' } : {});
    await operator.scan(scrapped);
    await operator.refused(scrapped);
    await operator.shot('check-held');
  });

  await test.step('the supervisor has the last word on scrap and no-fault', async () => {
    await operator.signIn('supervisor');
    await operator.judge('scrap', scrapped, {
      yes: true,
      remark: '三块板烧穿',
    });
    await operator.judge('scrap', declined, { yes: false, remark: why });
    await operator.judge('nofault', faultless, { yes: true });
  });

  await test.step('what is no scrap is checked again, with the reason in sight', async () => {
    await operator.signIn('tech');
    await turnTo('en');
    await operator.open('check');
    await operator.scan(declined);
    await expect(page.getByText(operator.say('check.sentBack').replace('%{remark}', why))).toBeVisible();
    await operator.shot('check-sent-back');
    await operator.scan('%CODE-FX409');
    await operator.scan('%SUBMIT');
    await operator.ok(`${declined} →`);
  });

  await test.step('repair, assembly and aging, which one device fails', async () => {
    await operator.open('repair');
    for (const sn of mended) await operator.repair(sn, sn === aged ? 'repair' : undefined);
    await operator.open('assemble');
    for (const sn of mended) await operator.assemble(sn, sn === aged ? 'assemble' : undefined);
    await operator.open('aging');
    const passing = tested.filter((it) => it !== aged);
    await operator.test('aging', [
      ['AT01', [aged]],
      ['AT00', passing],
    ]);
    expect((await fetchUnitHistory(request, aged)).node).toBe('50');
  });

  await test.step('it is repaired, and comes again', async () => {
    await turnTo('zh');
    await operator.open('repair');
    await operator.repair(aged, 'repair-again');
    await operator.open('assemble');
    await operator.assemble(aged);
    await operator.open('aging');
    await operator.test('aging', [['AT00', [aged]]]);
    await turnTo('en');
    await operator.open('qc');
    await operator.test('qc', [['QC00', tested]]);
  });

  await operator.signIn('warehouse');
  await test.step('the store takes them in', async () => {
    await operator.open('store');
    await operator.store(tested);
  });
  const admin = await fetchToken(request, 'admin');
  const stockups = () =>
    apiGet<{ items: Row[] }>(request, admin, '/api/rmaStockupBill/pager.json', { mtbId }).then((it) => it.items);
  const [stockup] = await stockups();
  expect(stockup).toMatchObject({ allCount: tested.length, deliveredCount: 0 });

  await test.step('they are delivered', async () => {
    await operator.goTo('storing/rmaStockupBill');
    await page.getByText(String(stockup?.['skbId'])).filter({ visible: true }).first().waitFor();
    await operator.shot('stock-up');
    await operator.open('deliver');
    await operator.deliver(String(stockup?.['skbId']), tested, faultless);
  });

  await test.step('the SN page tells their lives', async () => {
    await operator.lookUp(aged);
    await operator.shot('history');
    await operator.lookUp(scrapped);
    await operator.shot('history-scrapped');
  });

  expect(await stockups()).toMatchObject([{ allCount: tested.length, deliveredCount: tested.length, status: '2' }]);
  const bill = await fetchBill(request, mtbId);
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
    const life = await fetchUnitHistory(request, sn);
    expect(life.node, sn).toBe(sn === scrapped ? '40' : '900');
    expect(life.steps, sn).toEqual([...received, ...(lives[sn] ?? [])]);
  }
  expect(errors).toEqual([]);
});
