import { expect } from '@playwright/test';
import { billOf, bring, lifeOf, MODEL, newBill, newDevices } from './hands.ts';
import { actOn, arrive, lineOf, node, walks, type Walk } from './walk.ts';
import { tabTo, verdict } from './workshop.ts';

/** The paths through the house that a whole shift does not pass: what is done first is told to the server. */
const paths: Record<string, (walk: Walk) => Promise<void>> = {
  'that failed QC goes back to repair [W-PTH-03]': async ({ hands, request }) => {
    const { sn } = await arrive(request);
    await bring(request, sn, '80');
    await hands.shiftOf('tech');
    await hands.open('qc');
    await hands.test('qc', [['QC01', [sn]]]);
    expect(await node(request, sn)).toBe('50');
  },

  'that is scrap is kept, and its bill is finished with it [W-PTH-04]': async ({ hands, request, picture }) => {
    const { sn, mtbId } = await arrive(request);
    await hands.shiftOf('tech');
    await hands.open('check');
    await hands.check(sn, ['UM17'], { picture });
    await hands.scan(sn);
    await hands.refused(sn);
    await hands.shiftOf('supervisor');
    await hands.judge('scrap', sn, { yes: true, remark: 'burnt' });
    expect((await lifeOf(request, sn)).unit).toMatchObject({ ivyId: '40', deliverStatus: '3' });
    expect(await lineOf(request, mtbId)).toMatchObject({ billStatus: '2', scrapCount: 1, deliverCount: 0 });
  },

  'that is scrap and wanted back goes to its owner unrepaired [W-PTH-05]': async ({ hands, request, picture }) => {
    const { sn, mtbId } = await arrive(request);
    await hands.shiftOf('office');
    const dialog = await actOn(hands, mtbId, sn, 'editDeliver');
    await hands.choose(dialog.getByLabel('Unrepaired devices'), /^Returned/);
    await hands.submitDialog();
    await hands.shiftOf('tech');
    await hands.open('check');
    await hands.check(sn, ['UM17'], { picture });
    await hands.shiftOf('supervisor');
    await hands.judge('scrap', sn, { yes: true, remark: 'burnt' });
    expect(await node(request, sn)).toBe('90');
    await hands.shiftOf('warehouse');
    await hands.open('store');
    await hands.store([sn]);
    expect(await node(request, sn)).toBe('100');
    // Next on the page of the SN: the station comes with its stock-up bill loaded and the SN scanned.
    await hands.lookUp(sn);
    await hands.pressNext('deliver');
    await verdict(hands.page, 'ok', sn);
    await hands.leaveWithoutParts(sn);
    await hands.scan('%SUBMIT');
    await hands.ok('1 unit delivered');
    expect(await node(request, sn)).toBe('900');
    expect(await lineOf(request, mtbId)).toMatchObject({ billStatus: '2', scrapCount: 1, deliverCount: 1 });
  },

  'that is not without a fault is checked again [W-PTH-07]': async ({ hands, request }) => {
    const { sn } = await arrive(request);
    await hands.shiftOf('tech');
    await hands.open('check');
    await hands.check(sn, ['NTF']);
    await hands.shiftOf('supervisor');
    await hands.judge('nofault', sn, { yes: false, remark: 'does not start' });
    expect(await node(request, sn)).toBe('10');
    await hands.shiftOf('tech');
    await hands.open('check');
    await hands.scan(sn);
    await expect(hands.page.getByText(/Sent back.*does not start/)).toBeVisible();
    await hands.scan('%CODE-FX409');
    await hands.scan('%SUBMIT');
    await hands.ok(`${sn} →`);
    expect(await node(request, sn)).toBe('50');
  },

  'made of boards alone comes and leaves by number, and is not assembled [W-PTH-08]': async ({ hands, request }) => {
    const { page, say } = hands;
    const { mtbId, shipNo } = await newBill(request, [], { salesCode: 'HB-RX19', type: '1', count: 4 });
    await hands.shiftOf('warehouse');
    await hands.open('receive');
    await hands.scan('%TAB-2');
    await hands.scan(shipNo);
    await hands.fill(say('boards.salesCode'), 'HB-RX19');
    await hands.fill(say('boards.repairable'), '3');
    await hands.fill(say('boards.unrepairable'), '1');
    await hands.press('Enter');
    await hands.scan('%SUBMIT');
    const labels = page.getByRole('region', { name: say('boards.labels') }).getByRole('listitem');
    await expect(labels).toHaveCount(3);
    const sns = await labels.allInnerTexts();
    await hands.finishReceipt();
    expect(await lineOf(request, mtbId)).toMatchObject({ receiveCount: 4, discardCount: 1 });

    await hands.shiftOf('tech');
    for (const station of ['check', 'repair'] as const) {
      await hands.open(station);
      await hands.scan('%TAB-2');
      for (const sn of sns) {
        if (station === 'check') await hands.check(sn, ['FX409']);
        else await hands.repair(sn);
        expect(await node(request, sn)).toBe(station === 'check' ? '50' : '70');
      }
    }
    for (const [station, code] of [
      ['aging', 'AT00'],
      ['qc', 'QC00'],
    ] as const) {
      await hands.open(station);
      await hands.test(station, [[code, sns]]);
    }
    await hands.shiftOf('warehouse');
    await hands.open('store');
    await hands.store(sns);
    const { unit } = await lifeOf(request, sns[0] as string);
    await hands.open('deliver');
    await hands.scan('%TAB-2');
    await hands.scan(String((unit?.['stockup'] as { skbId: string }).skbId));
    await tabTo(page, page.getByRole('radio'));
    await hands.press('Space');
    for (const count of ['2', '3']) {
      const field = hands.field(say('deliverBoards.count'));
      await tabTo(page, field);
      await hands.press('Control+a');
      await page.keyboard.type(count);
      await hands.press('Enter');
      if (count === '2') await expect(page.getByRole('alert').first()).toContainText(say('confirmCountMsg'));
    }
    await hands.scan('%SUBMIT');
    await expect(page.getByText('3 units delivered')).toBeVisible();
    for (const sn of sns) expect(await node(request, sn)).toBe('900');
    expect(await lineOf(request, mtbId)).toMatchObject({ billStatus: '2', deliverCount: 3 });
  },

  'that is ready to ship is tested from the beginning again, once [W-PTH-09]': async ({ hands, request }) => {
    const { sn, mtbId } = await arrive(request);
    await bring(request, sn, '100');
    await hands.shiftOf('office');
    await actOn(hands, mtbId, sn, 'rollbackToPreliminaryTest');
    await hands.submitDialog();
    expect((await lifeOf(request, sn)).unit).toMatchObject({ ivyId: '10', deliverStatus: '0', stockup: null });
    const dialog = await actOn(hands, mtbId, sn, 'rollbackToPreliminaryTest');
    await hands.confirm(dialog);
    await expect(dialog.getByRole('alert')).toContainText('has been rolled back');
  },

  'that comes after the receipt was closed opens it again [W-PTH-10]': async ({ hands, request }) => {
    const { page } = hands;
    const sns = await newDevices(request, 1);
    const { mtbId, shipNo } = await newBill(request, [], { salesCode: MODEL, type: '0', count: 1 });
    const status = async () => (await billOf(request, mtbId)).status;
    await hands.shiftOf('warehouse');
    await hands.open('receive');
    await hands.scan(shipNo);
    await hands.finishReceipt();
    expect(await status()).toBe('3');
    await hands.signFor(shipNo);
    await hands.goTo('intake/rmaArrivalBill');
    await page.getByText(shipNo).filter({ visible: true }).first().waitFor();
    await hands.pressRow(shipNo, 'Accept');
    await page.waitForURL(/\/accept\/\d+$/);
    await expect(page.getByRole('region', { name: /^ABL/ }).filter({ visible: true })).toContainText(mtbId);
    await hands.press('Control+Enter');
    await expect(page.getByText(`Parcel ${shipNo} accepted`)).toBeVisible();
    expect(await status()).toBe('4');
    await hands.receive(shipNo, sns);
    await hands.finishReceipt();
    expect(await lineOf(request, mtbId)).toMatchObject({ billStatus: '1', receiveCount: 1 });
    expect((await lifeOf(request, sns[0] as string)).unit).toMatchObject({ ivyId: '10' });
  },

  'that is bought out, or given up as its bill is closed by force, finishes its bill [W-PTH-11]': async ({
    hands,
    request,
  }) => {
    const bought = await arrive(request);
    const givenUp = await arrive(request);
    await bring(request, givenUp.sn, '60');
    await hands.shiftOf('office');
    const buyOut = await actOn(hands, bought.mtbId, bought.sn, 'buyOut');
    await expect(buyOut.getByLabel(/^Remark/)).toBeFocused();
    await hands.page.keyboard.type('as agreed');
    await hands.submitDialog();
    expect(await lineOf(request, bought.mtbId)).toMatchObject({ billStatus: '2', buyOutCount: 1 });
    const dialog = await actOn(hands, givenUp.mtbId, givenUp.sn, 'terminate');
    await hands.confirm(dialog);
    await expect(dialog.getByRole('alert')).toContainText(givenUp.sn);
    expect(await node(request, givenUp.sn)).toBe('60');
    await hands.submitDialog();
    expect(await node(request, givenUp.sn)).toBe('40');
    expect(await lineOf(request, givenUp.mtbId)).toMatchObject({ billStatus: '2', discardCount: 1 });
  },

  'is refused by every station but its own [W-PTH-12]': async ({ hands, request }) => {
    const { sn, mtbId, shipNo } = await arrive(request);
    const before = await lineOf(request, mtbId);
    await bring(request, sn, '60');
    const { steps } = await lifeOf(request, sn);
    await hands.shiftOf('tech');
    for (const station of ['check', 'repair', 'aging', 'qc'] as const) {
      await hands.open(station);
      await hands.scan(sn);
      await hands.refused(sn);
    }
    await hands.shiftOf('warehouse');
    await hands.open('store');
    await hands.scan(sn);
    await hands.refused(sn);
    await hands.open('receive');
    await hands.scan(shipNo);
    await hands.scan(sn);
    await hands.refused(sn);
    const other = await arrive(request);
    const skbId = await bring(request, other.sn, '100');
    await hands.open('deliver');
    await hands.scan(skbId);
    await hands.scan(sn);
    await hands.refused(sn);
    expect(await lifeOf(request, sn)).toMatchObject({ node: '60', steps });
    expect(await lineOf(request, mtbId)).toEqual(before);
  },
};

walks('by key bursts, a unit', paths);
