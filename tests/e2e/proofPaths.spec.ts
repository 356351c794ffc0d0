import { expect } from './journey.ts';
import { fetchBill, advanceUnit, fetchUnitHistory, MODEL, newBill, newDevices } from './operator.ts';
import { actOn, arrive, buttonLabel, fetchBillLine, fetchNode, walks, type Walk } from './walk.ts';
import { apiGet, content, fetchToken, tabTo, verdict } from './workshop.ts';

/** The paths through the workshop that a whole shift does not pass: what is done first is told to the server. */
const paths: Record<string, (walk: Walk) => Promise<void>> = {
  'that failed QC goes back to repair [W-PTH-03]': async ({ operator, request }) => {
    const { sn } = await arrive(request);
    await advanceUnit(request, sn, '80');
    await operator.signIn('tech');
    await operator.open('qc');
    await operator.test('qc', [['QC01', [sn]]]);
    expect(await fetchNode(request, sn)).toBe('50');
  },

  'that is scrap is kept, and its bill is finished with it [W-PTH-04]': async ({ operator, request, picture }) => {
    const { sn, mtbId } = await arrive(request);
    await operator.signIn('tech');
    await operator.open('check');
    await operator.check(sn, ['UM17'], { picture });
    await operator.scan(sn);
    await operator.refused(sn);
    await operator.signIn('supervisor');
    await operator.judge('scrap', sn, { yes: true, remark: 'burnt' });
    expect((await fetchUnitHistory(request, sn)).unit).toMatchObject({ ivyId: '40', deliverStatus: '3' });
    expect(await fetchBillLine(request, mtbId)).toMatchObject({ billStatus: '2', scrapCount: 1, deliverCount: 0 });
  },

  'that is scrap and wanted back goes to its owner unrepaired [W-PTH-05]': async ({ operator, request, picture }) => {
    const { sn, mtbId } = await arrive(request);
    await operator.signIn('office');
    const dialog = await actOn(operator, mtbId, sn, 'editDeliver');
    await operator.choose(dialog.getByLabel('Unrepaired devices'), /^Returned/);
    await operator.submitDialog();
    await operator.signIn('tech');
    await operator.open('check');
    await operator.check(sn, ['UM17'], { picture });
    await operator.signIn('supervisor');
    await operator.judge('scrap', sn, { yes: true, remark: 'burnt' });
    expect(await fetchNode(request, sn)).toBe('90');
    await operator.signIn('warehouse');
    await operator.open('store');
    await operator.store([sn]);
    expect(await fetchNode(request, sn)).toBe('100');
    // Next on the page of the SN: the station comes with its stock-up bill loaded and the SN scanned.
    await operator.lookUp(sn);
    await operator.pressNext('deliver');
    await verdict(operator.page, 'ok', sn);
    await operator.leaveWithoutParts(sn);
    await operator.scan('%SUBMIT');
    await operator.ok('1 unit delivered');
    expect(await fetchNode(request, sn)).toBe('900');
    expect(await fetchBillLine(request, mtbId)).toMatchObject({ billStatus: '2', scrapCount: 1, deliverCount: 1 });
  },

  'that is not without a fault is checked again [W-PTH-07]': async ({ operator, request }) => {
    const { sn } = await arrive(request);
    await operator.signIn('tech');
    await operator.open('check');
    await operator.check(sn, ['NTF']);
    await operator.signIn('supervisor');
    await operator.judge('nofault', sn, { yes: false, remark: 'does not start' });
    expect(await fetchNode(request, sn)).toBe('10');
    await operator.signIn('tech');
    await operator.open('check');
    await operator.scan(sn);
    await expect(operator.page.getByText(/Sent back.*does not start/)).toBeVisible();
    await operator.scan('%CODE-FX409');
    await operator.scan('%SUBMIT');
    await operator.ok(`${sn} →`);
    expect(await fetchNode(request, sn)).toBe('50');
  },

  'made of boards alone comes and leaves by number, and is not assembled [W-PTH-08]': async ({ operator, request }) => {
    const { page, say } = operator;
    const { mtbId, shipNo } = await newBill(request, [], { salesCode: 'HB-RX19', type: '1', count: 4 });
    await operator.signIn('warehouse');
    await operator.open('receive');
    await operator.scan('%TAB-2');
    await operator.scan(shipNo);
    await operator.fill(say('boards.salesCode'), 'HB-RX19');
    await operator.fill(say('boards.repairable'), '3');
    await operator.fill(say('boards.unrepairable'), '1');
    await operator.press('Enter');
    await operator.scan('%SUBMIT');
    const labels = page.getByRole('region', { name: say('boards.labels') }).getByRole('listitem');
    await expect(labels).toHaveCount(3);
    const sns = await labels.allInnerTexts();
    await operator.finishReceipt();
    expect(await fetchBillLine(request, mtbId)).toMatchObject({ receiveCount: 4, discardCount: 1 });

    await operator.signIn('tech');
    for (const station of ['check', 'repair'] as const) {
      await operator.open(station);
      await operator.scan('%TAB-2');
      for (const sn of sns) {
        if (station === 'check') await operator.check(sn, ['FX409']);
        else await operator.repair(sn);
        expect(await fetchNode(request, sn)).toBe(station === 'check' ? '50' : '70');
      }
    }
    for (const [station, code] of [
      ['aging', 'AT00'],
      ['qc', 'QC00'],
    ] as const) {
      await operator.open(station);
      await operator.test(station, [[code, sns]]);
    }
    await operator.signIn('warehouse');
    await operator.open('store');
    await operator.store(sns);
    const { unit } = await fetchUnitHistory(request, sns[0] as string);
    await operator.open('deliver');
    await operator.scan('%TAB-2');
    await operator.scan(String((unit?.['stockup'] as { skbId: string }).skbId));
    await tabTo(page, page.getByRole('radio'));
    await operator.press('Space');
    for (const count of ['2', '3']) {
      const field = operator.field(say('deliverBoards.count'));
      await tabTo(page, field);
      await operator.press('Control+a');
      await page.keyboard.type(count);
      await operator.press('Enter');
      if (count === '2')
        await expect(content(page).getByRole('alert').filter({ visible: true }).first()).toContainText(
          say('confirmCountMsg'),
        );
    }
    await operator.scan('%SUBMIT');
    await expect(page.getByText('3 units delivered')).toBeVisible();
    for (const sn of sns) expect(await fetchNode(request, sn)).toBe('900');
    expect(await fetchBillLine(request, mtbId)).toMatchObject({ billStatus: '2', deliverCount: 3 });
  },

  'that is ready to ship is tested from the beginning again, once [W-PTH-09]': async ({ operator, request }) => {
    const { sn, mtbId } = await arrive(request);
    await advanceUnit(request, sn, '100');
    await operator.signIn('office');
    await actOn(operator, mtbId, sn, 'rollbackToPreliminaryTest');
    await operator.submitDialog();
    expect((await fetchUnitHistory(request, sn)).unit).toMatchObject({
      ivyId: '10',
      deliverStatus: '0',
      stockup: null,
    });
    // The page offers it no more, and says why; whoever asks nevertheless is refused.
    const { page, button, openBill } = operator;
    await openBill(mtbId);
    await tabTo(page, page.getByRole('checkbox', { name: new RegExp(sn) }));
    await operator.press('Space');
    await expect(button(buttonLabel('rollbackToPreliminaryTest'))).toBeDisabled();
    await expect(page.getByText('still awaiting the first test').filter({ visible: true }).first()).toBeVisible();
    const token = await fetchToken(request, 'office');
    const { item } = await apiGet<{ item: { mtbliId: string } }>(
      request,
      token,
      '/api/rmaMaintainBill/viewHistory.json',
      { sn },
    );
    const again = await request.post('/api/rmaMaintainBillLineItem/rollbackToPreliminaryTest.json', {
      data: [{ sn, mtbliId: item.mtbliId, mtbId }],
      headers: { token },
      params: { lang: 'en' },
    });
    expect(((await again.json()) as { msg: string }).msg).toContain('has been rolled back');
  },

  'that comes after the receipt was closed opens it again [W-PTH-10]': async ({ operator, request }) => {
    const { page } = operator;
    const sns = await newDevices(request, 1);
    const { mtbId, shipNo } = await newBill(request, [], { salesCode: MODEL, type: '0', count: 1 });
    const status = async () => (await fetchBill(request, mtbId)).status;
    await operator.signIn('warehouse');
    await operator.open('receive');
    await operator.scan(shipNo);
    await operator.finishReceipt();
    expect(await status()).toBe('3');
    await operator.signFor(shipNo);
    await operator.goTo('intake/rmaArrivalBill');
    await page.getByText(shipNo).filter({ visible: true }).first().waitFor();
    await operator.pressRow(shipNo, 'Accept');
    await page.waitForURL(/\/accept\/\d+$/);
    await expect(page.getByRole('region', { name: /^ABL/ }).filter({ visible: true })).toContainText(mtbId);
    await operator.press('Control+Enter');
    await expect(page.getByText(`Parcel ${shipNo} accepted`)).toBeVisible();
    expect(await status()).toBe('4');
    await operator.receive(shipNo, sns);
    await operator.finishReceipt();
    expect(await fetchBillLine(request, mtbId)).toMatchObject({ billStatus: '1', receiveCount: 1 });
    expect((await fetchUnitHistory(request, sns[0] as string)).unit).toMatchObject({ ivyId: '10' });
  },

  'that is bought out, or given up as its bill is closed by force, finishes its bill [W-PTH-11]': async ({
    operator,
    request,
  }) => {
    const bought = await arrive(request);
    const givenUp = await arrive(request);
    await advanceUnit(request, givenUp.sn, '60');
    await operator.signIn('office');
    const buyOut = await actOn(operator, bought.mtbId, bought.sn, 'buyOut');
    await expect(buyOut.getByLabel(/^Remark/)).toBeFocused();
    await operator.page.keyboard.type('as agreed');
    await operator.submitDialog();
    expect(await fetchBillLine(request, bought.mtbId)).toMatchObject({ billStatus: '2', buyOutCount: 1 });
    const dialog = await actOn(operator, givenUp.mtbId, givenUp.sn, 'terminate');
    await operator.confirm(dialog);
    await expect(dialog.getByRole('alert')).toContainText(givenUp.sn);
    expect(await fetchNode(request, givenUp.sn)).toBe('60');
    await operator.submitDialog();
    expect(await fetchNode(request, givenUp.sn)).toBe('40');
    expect(await fetchBillLine(request, givenUp.mtbId)).toMatchObject({ billStatus: '2', discardCount: 1 });
  },

  'is refused by every station but its own [W-PTH-12]': async ({ operator, request }) => {
    const { sn, mtbId, shipNo } = await arrive(request);
    const before = await fetchBillLine(request, mtbId);
    await advanceUnit(request, sn, '60');
    const { steps } = await fetchUnitHistory(request, sn);
    await operator.signIn('tech');
    for (const station of ['check', 'repair', 'aging', 'qc'] as const) {
      await operator.open(station);
      await operator.scan(sn);
      await operator.refused(sn);
    }
    await operator.signIn('warehouse');
    await operator.open('store');
    await operator.scan(sn);
    await operator.refused(sn);
    await operator.open('receive');
    await operator.scan(shipNo);
    await operator.scan(sn);
    await operator.refused(sn);
    const other = await arrive(request);
    const skbId = await advanceUnit(request, other.sn, '100');
    await operator.open('deliver');
    await operator.scan(skbId);
    await operator.scan(sn);
    await operator.refused(sn);
    expect(await fetchUnitHistory(request, sn)).toMatchObject({ node: '60', steps });
    expect(await fetchBillLine(request, mtbId)).toEqual(before);
  },
};

walks('by key bursts, a unit', paths);
