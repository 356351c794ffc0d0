import { expect } from './journey.ts';
import { fetchBill, devicesAt, fetchUnitHistory, MODEL, newBill, newDevices, apiPost } from './operator.ts';
import { actOn, arrive, buttonLabel, fetchBillLine, walks, type Request, type Walk } from './walk.ts';
import { apiGet, fetchToken, tabTo } from './workshop.ts';

const OTHER_MODEL = 'RX19P-104T';

interface Row {
  [name: string]: unknown;
}
/** The only item of a line, as the page of its bill lists it. */
async function fetchOnlyItem(request: Request, mtblId: unknown): Promise<Row> {
  const token = await fetchToken(request, 'admin');
  const path = '/api/rmaMaintainBillLineItem/pager.json';
  const { items } = await apiGet<{ items: Row[] }>(request, token, path, { mtblId: String(mtblId) });
  expect(items).toHaveLength(1);
  return items[0] as Row;
}

/** The device of the one line of this bill, brought to the shelf without that its parts were ever written down. */
async function createWithoutParts(request: Request, sn: string): Promise<string> {
  const input = { sn, ivyId: '100', remark: 'found on the shelf' };
  await apiPost(request, 'admin', '/api/rmaInventory/modifyIvyId.json', input);
  const { unit } = await fetchUnitHistory(request, sn);
  return String((unit?.['stockup'] as { skbId: string }).skbId);
}

const paths: Record<string, (walk: Walk) => Promise<void>> = {
  'is answered by another model [W-ACT-03, W-ACT-04, W-ACT-06]': async ({ operator, request }) => {
    const { sn, mtbId } = await arrive(request);
    const [{ mtblId } = { mtblId: '' }] = (await fetchBill(request, mtbId)).lines;
    await operator.signIn('office');
    const dialog = await actOn(operator, mtbId, sn, 'replaceSaleCode');
    await expect(dialog.getByLabel(/^Sales code/)).toBeFocused();
    await operator.press('Enter');
    await expect(dialog).toContainText(operator.say('emptyMsg'));
    await operator.page.keyboard.type(MODEL);
    await operator.confirm(dialog);
    await expect(dialog.getByRole('alert')).toContainText(MODEL);
    expect(await fetchOnlyItem(request, mtblId)).toMatchObject({ exchange: '0' });
    await tabTo(operator.page, dialog.getByLabel(/^Sales code/));
    await operator.press('Control+a');
    await operator.page.keyboard.type(OTHER_MODEL);
    await operator.submitDialog();
    expect(await fetchOnlyItem(request, mtblId)).toMatchObject({
      receiveSn: sn,
      exchange: '1',
      deliverSalesCode: OTHER_MODEL,
    });
    expect((await fetchUnitHistory(request, sn)).unit).toMatchObject({ salesCode: MODEL, ivyId: '10', mtbId });
    expect(await fetchBillLine(request, mtbId)).toMatchObject({ salesCode: MODEL, receiveCount: 1 });
  },

  'was registered under a wrong code and is put right [W-ACT-03, W-ACT-06]': async ({ operator, request }) => {
    const { sn, mtbId } = await arrive(request);
    await operator.signIn('office');
    const dialog = await actOn(operator, mtbId, sn, 'replaceSaleCode');
    await expect(dialog.getByLabel(/^Sales code/)).toBeFocused();
    await operator.page.keyboard.type(OTHER_MODEL);
    await tabTo(operator.page, dialog.getByRole('radio', { checked: true }));
    await operator.press('ArrowDown');
    await operator.submitDialog();
    expect((await fetchUnitHistory(request, sn)).unit).toMatchObject({ salesCode: OTHER_MODEL, ivyId: '10', mtbId });
    const { lines } = await fetchBill(request, mtbId);
    const counts = lines.map((it) => [it['salesCode'], it['receiveCount']]);
    expect(counts).toEqual([
      [MODEL, 0],
      [OTHER_MODEL, 1],
    ]);
    expect(await fetchOnlyItem(request, lines[1]?.['mtblId'])).toMatchObject({ receiveSn: sn, exchange: '0' });
  },

  'moves to another bill of its customer [W-ACT-07, W-ACT-08]': async ({ operator, request }) => {
    const { page, say } = operator;
    const { sn, mtbId } = await arrive(request);
    const target = await newBill(request, await newDevices(request, 1));
    await operator.signIn('office');
    const dialog = await actOn(operator, mtbId, sn, 'moveBill');
    await operator.confirm(dialog);
    await expect(dialog.getByText(say('emptyMsg'))).toHaveCount(2);
    await tabTo(page, dialog.getByLabel(say('billAction.targetBill')));
    await page.keyboard.type(mtbId);
    await expect(dialog.getByRole('combobox', { name: say('billAction.targetLine') })).toContainText(MODEL);
    await operator.confirm(dialog);
    await expect(dialog.getByRole('alert')).toContainText(mtbId);
    expect((await fetchUnitHistory(request, sn)).unit).toMatchObject({ mtbId });
    await tabTo(page, dialog.getByLabel(say('billAction.targetBill')));
    await operator.press('Control+a');
    await page.keyboard.type(target.mtbId);
    await expect(dialog.getByText('宁远矿业')).toBeVisible();
    await operator.submitDialog();
    expect((await fetchUnitHistory(request, sn)).unit).toMatchObject({ mtbId: target.mtbId, ivyId: '10' });
    expect(await fetchBillLine(request, target.mtbId)).toMatchObject({ billStatus: '1', count: 2, receiveCount: 2 });
    expect(await fetchBillLine(request, mtbId)).toMatchObject({ count: 0, receiveCount: 0 });
  },

  'that is scrap is replaced by one of the stock, sent in advance [W-SCR-12]': async ({
    operator,
    request,
    picture,
  }) => {
    const { page } = operator;
    const { sn, mtbId } = await arrive(request);
    const [instead = ''] = await newDevices(request, 1);
    await apiPost(request, 'warehouse', '/api/rmaStoreBill/storeStart.json', {
      sn: instead,
      remark: 'bought',
      subinventoryCode: 'FG',
    });
    await operator.signIn('office');
    await operator.goTo('intake/rmaReceiveBill');
    await operator.pressRow(mtbId, buttonLabel('exchangeReceive'));
    const question = page.getByRole('dialog');
    await operator.pressButton(question.getByRole('button', { name: buttonLabel('exchangeReceive') }));
    await expect(question).toBeHidden();
    const { unit } = await fetchUnitHistory(request, sn);
    expect(unit).toMatchObject({ ivyId: '10', deliverStatus: '1' });
    const { skbId } = unit?.['stockup'] as { skbId: string };

    await operator.signIn('tech');
    await operator.open('check');
    await operator.check(sn, ['UM17'], { picture });
    await operator.signIn('supervisor');
    await operator.judge('scrap', sn, { yes: true, remark: 'burnt' });
    expect((await fetchUnitHistory(request, sn)).unit).toMatchObject({ ivyId: '40' });
    expect(await fetchBillLine(request, mtbId)).toMatchObject({ billStatus: '1', scrapCount: 1, deliverCount: 0 });

    await operator.signIn('warehouse');
    await operator.open('deliver');
    await operator.scan(skbId);
    await operator.scan(sn);
    await operator.refused(sn);
    await operator.scan(instead);
    await operator.leaveWithoutParts(instead);
    await operator.scan('%SUBMIT');
    await operator.ok('1 unit delivered');
    expect((await fetchUnitHistory(request, instead)).node).toBe('900');
    expect((await fetchUnitHistory(request, sn)).unit).toMatchObject({ ivyId: '40', mtbId: null });
    const line = await fetchBillLine(request, mtbId);
    expect(line).toMatchObject({ billStatus: '2', scrapCount: 1, deliverCount: 1 });
    expect(await fetchOnlyItem(request, (line as Row)['mtblId'])).toMatchObject({
      receiveSn: sn,
      deliverSn: instead,
      exchange: '1',
      scrap: '1',
      deliverStatus: '2',
    });
  },

  'whose parts nobody knows is made up before it leaves [W-DLV-02, W-DLV-17]': async ({ operator, request }) => {
    const { page, say } = operator;
    const [sn = ''] = await devicesAt(request, 1, '50');
    const skbId = await createWithoutParts(request, sn);
    await operator.signIn('warehouse');
    await operator.open('deliver');
    await operator.scan(skbId);
    await operator.scan(sn);
    const dialog = await operator.askedForParts(sn);
    await operator.confirm(dialog);
    await expect(
      dialog
        .getByText(/must not be empty/)
        .filter({ visible: true })
        .first(),
    ).toBeVisible();
    await tabTo(page, dialog.getByLabel(say('slot.power')));
    await operator.scanParts();
    await expect(dialog.getByRole('button', { name: say('rebind.do') })).toBeFocused();
    await operator.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.getByText(say('rebind.done').replace('%{sn}', sn))).toBeVisible();
    const token = await fetchToken(request, 'admin');
    const path = '/api/rmaMaintainBill/viewHistory.json';
    const { parts } = await apiGet<{ parts: Row[] }>(request, token, path, { sn });
    expect(parts.map((it) => it['componentType']).sort()).toEqual([
      'COIT000000RZ',
      ...Array<string>(4).fill('COIT000000S0'),
      'COIT000000S1',
    ]);
    const power = parts.find((it) => it['componentType'] === 'COIT000000S1');
    expect((await fetchUnitHistory(request, sn)).unit).toMatchObject({ ivyId: '100', powerSn: power?.['componentSn'] });
    await operator.scan('%SUBMIT');
    await operator.ok('1 unit delivered');
    expect((await fetchUnitHistory(request, sn)).node).toBe('900');
  },

  'is hurried, sent back to its first test and bought on its own page [W-ACT-10, W-ACT-18]': async ({
    operator,
    request,
  }) => {
    const { page, say } = operator;
    const [sn = ''] = await devicesAt(request, 1, '50');
    await operator.signIn('office');
    await operator.lookUp(sn);
    await operator.pressNext('editDeliver');
    const dialog = page.getByRole('dialog', { name: new RegExp(sn) });
    await operator.choose(dialog.getByRole('combobox', { name: /^Priority/ }), /^Priority/);
    await operator.submitDialog();
    expect((await fetchUnitHistory(request, sn)).unit).toMatchObject({ ivyId: '50', deliverPriority: '1' });
    await operator.pressNext('rollbackToPreliminaryTest');
    await expect(page.getByRole('dialog')).toContainText(sn);
    await operator.submitDialog();
    await expect(page.getByRole('region', { name: say('history.now') })).toContainText('Awaiting initial test');
    expect((await fetchUnitHistory(request, sn)).node).toBe('10');
    const next = page.getByRole('group', { name: say('history.next') });
    await expect(next.getByRole('button', { name: say('history.do.rollbackToPreliminaryTest') })).toBeHidden();
    await operator.pressNext('buyOut');
    await expect(page.getByRole('dialog').getByLabel(/^Remark/)).toBeFocused();
    await page.keyboard.type('agreed on the phone');
    await operator.submitDialog();
    await expect(page.getByText(say('history.nothingNext'))).toBeVisible();
    expect((await fetchUnitHistory(request, sn)).unit).toMatchObject({ ivyId: '10', mtbId: null });
  },

  'is made up and shipped from its own page [W-DLV-17]': async ({ operator, request }) => {
    const { page, say } = operator;
    const [sn = ''] = await devicesAt(request, 1, '50');
    await createWithoutParts(request, sn);
    await operator.signIn('warehouse');
    await operator.lookUp(sn);
    await operator.pressNext('rebind');
    const dialog = await operator.askedForParts(sn);
    await tabTo(page, dialog.getByLabel(say('slot.power')));
    await operator.scanParts();
    await expect(dialog.getByRole('button', { name: say('rebind.do') })).toBeFocused();
    await operator.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('region', { name: 'Made of 6 parts' })).toBeVisible();
    const next = page.getByRole('group', { name: say('history.next') });
    await expect(next.getByRole('button', { name: say('history.do.rebind') })).toBeHidden();
    await operator.pressNext('deliver');
    await operator.ok(sn);
    await operator.scan('%SUBMIT');
    await operator.ok('1 unit delivered');
    expect((await fetchUnitHistory(request, sn)).node).toBe('900');
  },
};

walks('at its bill and at the door, a unit', paths);
