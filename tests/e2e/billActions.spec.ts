import { expect } from '@playwright/test';
import { billOf, devicesAt, lifeOf, MODEL, newBill, newDevices, sessionOf, tell } from './hands.ts';
import { actOn, arrive, labelOf, lineOf, walks, type Request, type Walk } from './walk.ts';
import { ask, tabTo } from './workshop.ts';

const OTHER_MODEL = 'RX19P-104T';

interface Row {
  [name: string]: unknown;
}
/** The only item of a line, as the page of its bill lists it. */
async function itemOf(request: Request, mtblId: unknown): Promise<Row> {
  const token = await sessionOf(request, 'admin');
  const path = '/api/rmaMaintainBillLineItem/pager.json';
  const { items } = await ask<{ items: Row[] }>(request, token, path, { mtblId: String(mtblId) });
  expect(items).toHaveLength(1);
  return items[0] as Row;
}

/** The device of the one line of this bill, brought to the shelf without that its parts were ever written down. */
async function onShelfWithoutParts(request: Request, sn: string): Promise<string> {
  const place = { sn, ivyId: '100', remark: 'found on the shelf' };
  await tell(request, 'admin', '/api/rmaInventory/modifyIvyId.json', place);
  const { unit } = await lifeOf(request, sn);
  return String((unit?.['stockup'] as { skbId: string }).skbId);
}

const paths: Record<string, (walk: Walk) => Promise<void>> = {
  'is answered by another model [W-ACT-03, W-ACT-04, W-ACT-06]': async ({ hands, request }) => {
    const { sn, mtbId } = await arrive(request);
    const [{ mtblId } = { mtblId: '' }] = (await billOf(request, mtbId)).lines;
    await hands.shiftOf('office');
    const dialog = await actOn(hands, mtbId, sn, 'replaceSaleCode');
    await expect(dialog.getByLabel(/^Sales code/)).toBeFocused();
    await hands.press('Enter');
    await expect(dialog).toContainText(hands.say('emptyMsg'));
    await hands.page.keyboard.type(MODEL);
    await hands.confirm(dialog);
    await expect(dialog.getByRole('alert')).toContainText(MODEL);
    expect(await itemOf(request, mtblId)).toMatchObject({ exchange: '0' });
    await tabTo(hands.page, dialog.getByLabel(/^Sales code/));
    await hands.press('Control+a');
    await hands.page.keyboard.type(OTHER_MODEL);
    await hands.submitDialog();
    expect(await itemOf(request, mtblId)).toMatchObject({
      receiveSn: sn,
      exchange: '1',
      deliverSalesCode: OTHER_MODEL,
    });
    expect((await lifeOf(request, sn)).unit).toMatchObject({ salesCode: MODEL, ivyId: '10', mtbId });
    expect(await lineOf(request, mtbId)).toMatchObject({ salesCode: MODEL, receiveCount: 1 });
  },

  'was registered under a wrong code and is put right [W-ACT-03, W-ACT-06]': async ({ hands, request }) => {
    const { sn, mtbId } = await arrive(request);
    await hands.shiftOf('office');
    const dialog = await actOn(hands, mtbId, sn, 'replaceSaleCode');
    await expect(dialog.getByLabel(/^Sales code/)).toBeFocused();
    await hands.page.keyboard.type(OTHER_MODEL);
    await tabTo(hands.page, dialog.getByRole('radio', { checked: true }));
    await hands.press('ArrowDown');
    await hands.submitDialog();
    expect((await lifeOf(request, sn)).unit).toMatchObject({ salesCode: OTHER_MODEL, ivyId: '10', mtbId });
    const { lines } = await billOf(request, mtbId);
    const counts = lines.map((it) => [it['salesCode'], it['receiveCount']]);
    expect(counts).toEqual([
      [MODEL, 0],
      [OTHER_MODEL, 1],
    ]);
    expect(await itemOf(request, lines[1]?.['mtblId'])).toMatchObject({ receiveSn: sn, exchange: '0' });
  },

  'moves to another bill of its customer [W-ACT-07, W-ACT-08]': async ({ hands, request }) => {
    const { page, say } = hands;
    const { sn, mtbId } = await arrive(request);
    const target = await newBill(request, await newDevices(request, 1));
    await hands.shiftOf('office');
    const dialog = await actOn(hands, mtbId, sn, 'moveBill');
    await hands.confirm(dialog);
    await expect(dialog.getByText(say('emptyMsg'))).toHaveCount(2);
    await tabTo(page, dialog.getByLabel(say('billAction.targetBill')));
    await page.keyboard.type(mtbId);
    await expect(dialog.getByRole('combobox', { name: say('billAction.targetLine') })).toContainText(MODEL);
    await hands.confirm(dialog);
    await expect(dialog.getByRole('alert')).toContainText(mtbId);
    expect((await lifeOf(request, sn)).unit).toMatchObject({ mtbId });
    await tabTo(page, dialog.getByLabel(say('billAction.targetBill')));
    await hands.press('Control+a');
    await page.keyboard.type(target.mtbId);
    await expect(dialog.getByText('宁远矿业')).toBeVisible();
    await hands.submitDialog();
    expect((await lifeOf(request, sn)).unit).toMatchObject({ mtbId: target.mtbId, ivyId: '10' });
    expect(await lineOf(request, target.mtbId)).toMatchObject({ billStatus: '1', count: 2, receiveCount: 2 });
    expect(await lineOf(request, mtbId)).toMatchObject({ count: 0, receiveCount: 0 });
  },

  'that is scrap is replaced by one of the stock, sent in advance [W-SCR-12]': async ({ hands, request, picture }) => {
    const { page } = hands;
    const { sn, mtbId } = await arrive(request);
    const [instead = ''] = await newDevices(request, 1);
    await tell(request, 'warehouse', '/api/rmaStoreBill/storeStart.json', {
      sn: instead,
      remark: 'bought',
      subinventoryCode: 'FG',
    });
    await hands.shiftOf('office');
    await hands.goTo('intake/rmaReceiveBill');
    await hands.pressRow(mtbId, labelOf('exchangeReceive'));
    const question = page.getByRole('dialog');
    await hands.pressButton(question.getByRole('button', { name: labelOf('exchangeReceive') }));
    await expect(question).toBeHidden();
    const { unit } = await lifeOf(request, sn);
    expect(unit).toMatchObject({ ivyId: '10', deliverStatus: '1' });
    const { skbId } = unit?.['stockup'] as { skbId: string };

    await hands.shiftOf('tech');
    await hands.open('check');
    await hands.check(sn, ['UM17'], { picture });
    await hands.shiftOf('supervisor');
    await hands.judge('scrap', sn, { yes: true, remark: 'burnt' });
    expect((await lifeOf(request, sn)).unit).toMatchObject({ ivyId: '40' });
    expect(await lineOf(request, mtbId)).toMatchObject({ billStatus: '1', scrapCount: 1, deliverCount: 0 });

    await hands.shiftOf('warehouse');
    await hands.open('deliver');
    await hands.scan(skbId);
    await hands.scan(sn);
    await hands.refused(sn);
    await hands.scan(instead);
    await hands.leaveWithoutParts(instead);
    await hands.scan('%SUBMIT');
    await hands.ok('1 unit delivered');
    expect((await lifeOf(request, instead)).node).toBe('900');
    expect((await lifeOf(request, sn)).unit).toMatchObject({ ivyId: '40', mtbId: null });
    const line = await lineOf(request, mtbId);
    expect(line).toMatchObject({ billStatus: '2', scrapCount: 1, deliverCount: 1 });
    expect(await itemOf(request, (line as Row)['mtblId'])).toMatchObject({
      receiveSn: sn,
      deliverSn: instead,
      exchange: '1',
      scrap: '1',
      deliverStatus: '2',
    });
  },

  'whose parts nobody knows is made up before it leaves [W-DLV-02, W-DLV-17]': async ({ hands, request }) => {
    const { page, say } = hands;
    const [sn = ''] = await devicesAt(request, 1, '50');
    const skbId = await onShelfWithoutParts(request, sn);
    await hands.shiftOf('warehouse');
    await hands.open('deliver');
    await hands.scan(skbId);
    await hands.scan(sn);
    const dialog = await hands.askedForParts(sn);
    await hands.confirm(dialog);
    await expect(dialog.getByText(/must not be empty/).first()).toBeVisible();
    await tabTo(page, dialog.getByLabel(say('slot.power')));
    await hands.scanParts();
    await expect(dialog.getByRole('button', { name: say('rebind.do') })).toBeFocused();
    await hands.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.getByText(say('rebind.done').replace('%{sn}', sn))).toBeVisible();
    const token = await sessionOf(request, 'admin');
    const path = '/api/rmaMaintainBill/viewHistory.json';
    const { parts } = await ask<{ parts: Row[] }>(request, token, path, { sn });
    expect(parts.map((it) => it['componentType']).sort()).toEqual([
      'COIT000000RZ',
      ...Array<string>(4).fill('COIT000000S0'),
      'COIT000000S1',
    ]);
    const power = parts.find((it) => it['componentType'] === 'COIT000000S1');
    expect((await lifeOf(request, sn)).unit).toMatchObject({ ivyId: '100', powerSn: power?.['componentSn'] });
    await hands.scan('%SUBMIT');
    await hands.ok('1 unit delivered');
    expect((await lifeOf(request, sn)).node).toBe('900');
  },

  'is hurried, sent back to its first test and bought on its own page [W-ACT-10, W-ACT-18]': async ({
    hands,
    request,
  }) => {
    const { page, say } = hands;
    const [sn = ''] = await devicesAt(request, 1, '50');
    await hands.shiftOf('office');
    await hands.lookUp(sn);
    await hands.pressNext('editDeliver');
    const dialog = page.getByRole('dialog', { name: new RegExp(sn) });
    await hands.choose(dialog.getByRole('combobox', { name: /^Priority/ }), /^Priority/);
    await hands.submitDialog();
    expect((await lifeOf(request, sn)).unit).toMatchObject({ ivyId: '50', deliverPriority: '1' });
    await hands.pressNext('rollbackToPreliminaryTest');
    await expect(page.getByRole('dialog')).toContainText(sn);
    await hands.submitDialog();
    await expect(page.getByRole('region', { name: say('history.now') })).toContainText('Awaiting initial test');
    expect((await lifeOf(request, sn)).node).toBe('10');
    const next = page.getByRole('group', { name: say('history.next') });
    await expect(next.getByRole('button', { name: say('history.do.rollbackToPreliminaryTest') })).toBeHidden();
    await hands.pressNext('buyOut');
    await expect(page.getByRole('dialog').getByLabel(/^Remark/)).toBeFocused();
    await page.keyboard.type('agreed on the phone');
    await hands.submitDialog();
    await expect(page.getByText(say('history.nothingNext'))).toBeVisible();
    expect((await lifeOf(request, sn)).unit).toMatchObject({ ivyId: '10', mtbId: null });
  },

  'is made up and shipped from its own page [W-DLV-17]': async ({ hands, request }) => {
    const { page, say } = hands;
    const [sn = ''] = await devicesAt(request, 1, '50');
    await onShelfWithoutParts(request, sn);
    await hands.shiftOf('warehouse');
    await hands.lookUp(sn);
    await hands.pressNext('rebind');
    const dialog = await hands.askedForParts(sn);
    await tabTo(page, dialog.getByLabel(say('slot.power')));
    await hands.scanParts();
    await expect(dialog.getByRole('button', { name: say('rebind.do') })).toBeFocused();
    await hands.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('region', { name: 'Made of 6 parts' })).toBeVisible();
    const next = page.getByRole('group', { name: say('history.next') });
    await expect(next.getByRole('button', { name: say('history.do.rebind') })).toBeHidden();
    await hands.pressNext('deliver');
    await hands.ok(sn);
    await hands.scan('%SUBMIT');
    await hands.ok('1 unit delivered');
    expect((await lifeOf(request, sn)).node).toBe('900');
  },
};

walks('at its bill and at the door, a unit', paths);
