// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import { currentUser, type UserState } from '#app/session.ts';
import HistoryPage from './HistoryPage.tsx';
import { styleOf } from '#app/testing/styles.ts';

const call = '/api/rmaMaintainBill/viewHistory.json';
const at = (day: string) => Date.parse(`${day}T02:00:00Z`);
const unit = {
  ...{ id: 1, sn: 'SN-1', type: '0', salesCode: 'RX19', itemName: 'RX-19 104T', ivyId: '70', siteId: 'SZ' },
  ...{ siteName: 'Shenzhen', mtbId: 'MTB2', customer: 'Acme', billStatus: '1', subinventoryCode: null },
  ...{ storageType: '1', powerSn: 'PW-1', deliverStatus: '0', deliverPriority: '0', deliverTime: null },
  ...{ deliverShipNo: null, returness: '1', warranty: '1', maintains: 2, depreciation: 'B', updateTime: null },
  ...{ held: null as string | null, heldBy: null as string | null, stockup: null },
};
const event = (id: number, more: object) => ({
  ...{ id, mtbId: 'MTB2', siteId: 'SZ', step: 'check', billId: null, fromNode: '10', toNode: '50' },
  ...{ operateStatus: 'Normal', eventTime: at('2026-11-01'), userId: 'tech', userName: 'Li Wei', note: null },
  ...{ codes: [] as object[], urls: [] as string[] },
  ...more,
});
const binding = (deviceSn: string, componentSn: string, from: string, to: string | null) => ({
  ...{ deviceSn, componentSn, componentType: 'COIT000000S0', qrCodeNum: null, salesCode: null },
  ...{ bindTime: at(from), unbindTime: to === null ? null : at(to) },
});
const item = { id: 31, mtbliId: 'MBI31', mtblId: 'MBL3', deliverPayment: '1' };
const life = {
  formerSns: [] as string[],
  ...{ sn: 'SN-1', unit, item, archive: null, earlier: false, parts: [] as object[], holders: [] as object[] },
  events: [event(2, { step: 'repair', note: 'second look' }), event(1, { mtbId: 'MTB1' })] as object[],
  ...{ stays: [{ mtbId: 'MTB2', customer: 'Acme' }], next: [] as object[], lastStepId: 2 as number | null },
};

async function opens(history: Partial<typeof life> | ((input: object) => unknown), id = 'sn-1', more: Answers = {}) {
  const answer = typeof history === 'function' ? history : { ...life, ...history };
  const page = await openPage(<HistoryPage menuNo="rmaInventoryList" id={id} />, {
    lang: 'en',
    answers: { [call]: answer, ...more },
  });
  const user = currentUser.get() as UserState;
  currentUser.set({ ...user, access: ['rmaInventory:viewHistory'], timeZone: 'Asia/Shanghai' });
  return page;
}
const region = (name: string | RegExp) => screen.findByRole('region', { name });

describe('the page of an SN', () => {
  it('says where the unit is, and asks for it as an SN is written', async () => {
    const { callsTo } = await opens({});
    const now = await region('Now');
    expect(now.textContent).toContain('Awaiting test');
    expect(now.textContent).toContain('Shenzhen');
    expect(now.textContent).toContain('MTB2');
    expect(callsTo(call)[0]?.input).toEqual({ sn: 'SN-1', lang: expect.anything() });
  });

  it('that could not be read is read again', async () => {
    let answer: () => unknown = () => new Response('<h1>down</h1>', { status: 500 });
    const { user } = await opens(() => answer());
    expect((await screen.findByRole('alert')).textContent).toContain('HTTP 500');
    answer = () => life;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect((await region('Now')).textContent).toContain('Shenzhen');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says what the unit was called before', async () => {
    await opens({ formerSns: ['SN-0', 'SN-00'] }, 'sn-0');
    const now = await region('Now');
    expect(now.textContent).toContain('Former SNs');
    for (const sn of ['SN-0', 'SN-00']) expect(now.textContent).toContain(sn);
  });

  it.each([
    [{ unit: { ...unit, ivyId: '10', held: 'scrap', heldBy: 'CKB7' } }, ['Awaits scrap confirmation', 'CKB7']],
    [{ unit: { ...unit, ivyId: null, held: 'transfer', heldBy: 'SKT7' } as never }, ['In transit', 'SKT7']],
    [{ unit: { ...unit, ivyId: '40' } }, ['Scrapped or discarded']],
    [{ unit: { ...unit, ivyId: '900', deliverShipNo: 'SF1' } as never }, ['Shipped', 'SF1']],
    [{ unit: null as never, holders: [binding('DEV-1', 'SN-1', '2026-01-01', null)] }, ['Installed in', 'DEV-1']],
    [{ unit: null as never }, ['Not in house']],
  ])('tells %# apart', async (history, words) => {
    await opens(history);
    const now = await region('Now');
    for (const word of words) expect(now.textContent).toContain(word);
  });

  it('says what is wrong with an SN that is not there', async () => {
    await opens(() => refuses('notFound', 'SN SN-1 does not exist'));
    expect((await screen.findByRole('alert')).textContent).toContain('SN-1 does not exist');
  });

  it('says of a unit of another site that it is there, and leads to its record in the archive', async () => {
    const item = { kind: 'sn', menuNo: 'ubsItemObjectList', id: 8, text: 'SN-1', label: 'Serials', elsewhere: true };
    await opens(() => refuses('notFound', 'SN SN-1 does not exist'), 'SN-1', { '/api/find.json': { items: [item] } });
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('SN SN-1 belongs to another site, not to yours');
    expect(alert.textContent).not.toContain('does not exist');
    expect(alert.querySelector('a')?.getAttribute('href')).toBe('/ubsItemObjectList/detail/8');
  });

  it('opens by the row of a unit where the address holds no SN', async () => {
    const { callsTo } = await opens(
      (input) => ('sn' in input && input.sn === 'SN-1' ? life : refuses('notFound', 'no')),
      '77',
      { '/api/rmaInventory/queryById.json': { sn: 'SN-1' } },
    );
    await region('Now');
    expect(callsTo(call).map((it) => it.input['sn'])).toEqual(['77', 'SN-1']);
  });

  it('tells each stay with its steps, what was found, and what was rolled back [S-QRY-03]', async () => {
    const found = [{ code: 'FX54', name: 'Board not found' }];
    await opens({
      events: [
        event(4, { step: 'assemble', fromNode: '100', toNode: null, note: 'RX19' }),
        event(3, { step: 'repair', note: 'second look' }),
        event(2, { operateStatus: 'Rollbacked', billId: 'CKB2', codes: found, note: 'FX54', urls: ['/file/one'] }),
        event(1, { mtbId: 'MTB1', step: 'receive', fromNode: null, toNode: '10' }),
      ],
    });
    const events = within(await region('What happened'));
    expect(events.getAllByRole('heading', { level: 3 }).map((it) => it.textContent)).toEqual([
      expect.stringMatching(/^MTB2Acme/),
      expect.stringMatching(/^MTB1/),
    ]);
    const [assembly, repair, check, receive] = events
      .getAllByRole('listitem')
      .filter((it) => it.parentElement?.tagName === 'OL');
    expect(assembly?.textContent).toMatch(/Can ship.*Installed in.*RX19/);
    expect(repair?.textContent).toContain('second look');
    expect(check?.querySelector('del')?.textContent).toBe('Check');
    expect(check?.textContent?.match(/FX54/g)).toHaveLength(1);
    expect(check?.textContent).toContain('Board not found');
    for (const word of ['CKB2', 'Check', 'Awaiting repair', '2026-11-01', 'Li Wei']) {
      expect(check?.textContent).toContain(word);
    }
    expect(within(check as HTMLElement).getByText(/^Rolled ?back/i)).toBeTruthy();
    expect(receive?.querySelector('del')).toBeNull();
    expect(receive?.textContent).toContain('Li Wei');
  });

  it('enlarges a picture', async () => {
    const { user } = await opens({ events: [event(1, { urls: ['/file/one'] })] });
    await user.click(await screen.findByRole('button', { name: /Enlarge|picture 1/i }));
    expect(await screen.findByRole('dialog')).toBeTruthy();
  });

  it('reads earlier events when asked, and only as long as there are some', async () => {
    const page = (input: { before?: number }) =>
      input.before === undefined
        ? { ...life, events: [event(9, { note: 'the newest' })], earlier: true }
        : { ...life, events: [event(4, { note: 'the first' })], earlier: false };
    const { user, callsTo } = await opens((input) => page(input));
    await user.click(await screen.findByRole('button', { name: 'Show earlier' }));
    expect(await screen.findByText('the first')).toBeTruthy();
    expect(screen.getByText('the newest')).toBeTruthy();
    expect(callsTo(call)[1]?.input).toMatchObject({ before: '9' });
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Show earlier' })).toBeNull());
  });

  it('shows what the device is made of now, and was at any moment before', async () => {
    const parts = [
      binding('SN-1', 'BRD-NEW', '2026-05-01', null),
      binding('SN-1', 'BRD-OLD', '2026-03-01', '2026-05-01'),
    ];
    const { user } = await opens({ parts });
    const made = within(await region(/^Made of/));
    const links = () => made.getAllByRole('link').map((it) => [it.textContent, it.getAttribute('href')]);
    expect(links()).toEqual([['BRD-NEW', '/rmaInventoryList/viewHistory/BRD-NEW']]);
    await user.type(made.getByLabelText('As of'), '2026-04-15 09:30');
    expect(links().map(([sn]) => sn)).toEqual(['BRD-OLD']);
    expect(made.getByText('No longer in it')).toBeTruthy();
    await user.click(made.getByRole('button', { name: 'Now' }));
    expect(links().map(([sn]) => sn)).toEqual(['BRD-NEW']);
  });

  it('tells what happened before the long facts, which a phone shows below each other', async () => {
    await opens({});
    const [history, facts] = [await region('What happened'), await region('Bill and item')];
    expect(history.compareDocumentPosition(facts)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('offers what may be done next, and nothing else', async () => {
    await opens({ next: [{ action: 'aging', address: '/rmaBurninBillList/burnin?sn=SN-1' }] });
    const next = within(await screen.findByRole('group', { name: 'Next' }));
    expect(next.getByRole('link', { name: 'Aging' }).getAttribute('href')).toBe('/rmaBurninBillList/burnin?sn=SN-1');
    expect(next.queryAllByRole('button')).toEqual([]);
  });

  it('shows what is rare or takes something back as quieter than the work, in the order that it is told', async () => {
    const onTheSpot = ['editDeliver', 'moveBill', 'rollbackToPreliminaryTest', 'buyOut', 'modifyNode'];
    const station = { action: 'aging', address: '/rmaBurninBillList/burnin?sn=SN-1' };
    await opens({ next: [station, ...onTheSpot.map((action) => ({ action, address: null }))] });
    const next = await screen.findByRole('group', { name: 'Next' });
    const looks = [...next.querySelectorAll('a, button')].map((it) => [
      it.textContent,
      /MuiButton-(contained|outlined|text)(?= )/.exec(it.className)?.[1],
    ]);
    expect(looks).toEqual([
      ['Aging', 'contained'],
      ['Edit delivery', 'outlined'],
      ['Move bill', 'outlined'],
      ['Return to first test', 'text'],
      ['Buy out', 'text'],
      ['Edit node', 'text'],
    ]);
  });

  const onItems = '/api/rmaMaintainBillLineItem';
  /** What is entered in each dialog, and what is then sent for the unit and its item. */
  const done: [name: string, action: string, path: string, fill: [RegExp, string][], sent: object][] = [
    [
      'Buy out',
      'buyOut',
      `${onItems}/buyOut.json`,
      [[/Remark/, 'agreed']],
      [{ mtblId: 'MBL3', mtbliIdList: ['MBI31'], remark: 'agreed' }],
    ],
    [
      'Return to first test',
      'rollbackToPreliminaryTest',
      `${onItems}/rollbackToPreliminaryTest.json`,
      [],
      [{ sn: 'SN-1', mtbliId: 'MBI31', mtbId: 'MTB2' }],
    ],
    [
      'Change item',
      'replaceSaleCode',
      `${onItems}/replaceSaleCode.json`,
      [[/^Sales code/, 'RX21']],
      {
        rmaMaintainBillLineItemList: [{ id: '31', mtbliId: 'MBI31' }],
        ...{ salesCode: 'RX21', replaceFlag: '0', salesCodeCount: 1 },
      },
    ],
    [
      'Edit delivery',
      'editDeliver',
      `${onItems}/editDeliver.json`,
      [],
      { id: '31', deliverStatus: '0', deliverPriority: '0', deliverPayment: '1', returness: '1' },
    ],
    [
      'Activate inventory',
      'storeStart',
      '/api/rmaStoreBill/storeStart.json',
      [],
      { sn: 'SN-1', subinventoryCode: 'DEF', remark: '' },
    ],
  ];
  it.each(done)(
    'does on the spot what %s asks for, and then reads the life again',
    async (name, action, path, fill, sent) => {
      const { user, callsTo } = await opens({ next: [{ action, address: null }] }, 'SN-1', {
        [path]: {},
        '/api/rmaMaintainBill/getSaleCodeList.json': { saleCodeList: [] },
      });
      await user.click(await screen.findByRole('button', { name }));
      const dialog = within(await screen.findByRole('dialog'));
      for (const [label, text] of fill) await user.type(dialog.getByLabelText(label), text);
      await user.click(dialog.getByRole('button', { name }));
      await waitFor(() => expect(callsTo(call)).toHaveLength(2));
      expect(callsTo(path).map((it) => it.input)).toEqual([sent]);
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    },
  );

  it('says in the dialog why it is refused, and keeps it', async () => {
    const path = `${onItems}/rollbackToPreliminaryTest.json`;
    const { user, callsTo } = await opens({ next: [{ action: 'rollbackToPreliminaryTest', address: null }] }, 'SN-1', {
      [path]: refuses('billFinished', 'Bill MTB2 is finished'),
    });
    await user.click(await screen.findByRole('button', { name: 'Return to first test' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Return to first test' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('Bill MTB2 is finished');
    expect(callsTo(call)).toHaveLength(1);
  });

  it('asks for the parts of a device that lacks them', async () => {
    const { user } = await opens({ next: [{ action: 'rebind', address: null }] });
    await user.click(await screen.findByRole('button', { name: 'Make up assembly' }));
    expect(await screen.findByRole('dialog', { name: 'Assembly of SN-1' })).toBeTruthy();
  });

  it('offers nothing that was true before, while it reads what is true after', async () => {
    let answer: (it: object) => void = () => undefined;
    const path = `${onItems}/editDeliver.json`;
    const changes = [{ ...life, next: [{ action: 'editDeliver', address: null }] }];
    const { user } = await opens(() => changes.shift() ?? new Promise((give) => (answer = give)), 'SN-1', {
      [path]: {},
    });
    const button = await screen.findByRole('button', { name: 'Edit delivery' });
    const isShown = () => styleOf(button.closest('[aria-busy]') as Element).opacity !== '0';
    expect(isShown()).toBe(true);
    await user.click(button);
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Edit delivery' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(isShown()).toBe(false);
    answer({ ...life, next: [] });
    expect(await screen.findByText('Nothing you can do with it now')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Edit delivery' })).toBeNull();
  });

  it('ends the hold of a transfer by its number, or leads to the station that does', async () => {
    const back = '/api/rmaStockTransferBill/returnTransfer.json';
    const address = '/rmaStockTransferBillList/receiverAccept/SKT7?sn=SN-1';
    const next = [
      { action: 'receiverAccept', address },
      { action: 'returnTransfer', address: null },
    ];
    const held = { ...unit, ivyId: null, held: 'transfer', heldBy: 'SKT7' } as never;
    const { user, callsTo } = await opens({ unit: held, next }, 'SN-1', {
      '/api/rmaStockTransferBill/queryById.json': { id: 7, sktbId: 'SKT7', version: 5 },
      [back]: { id: 7 },
    });
    expect((await screen.findByRole('link', { name: 'Receive transfer' })).getAttribute('href')).toBe(address);
    await user.click(screen.getByRole('button', { name: 'Return what never arrived' }));
    const dialog = within(await screen.findByRole('dialog', { name: /SKT7/ }));
    const button = dialog.getByRole('button', { name: 'Return what never arrived' });
    await waitFor(() => expect(button).toHaveProperty('disabled', false));
    await user.click(button);
    await waitFor(() => expect(callsTo(call)).toHaveLength(2));
    expect(callsTo(back)[0]?.input).toMatchObject({ id: 'SKT7', version: 5 });
  });

  it('rolls the latest step back on the spot, and then reads the life again', async () => {
    const rollback = '/api/rmaTransaction/rollbackById.json';
    const { user, callsTo } = await opens({ next: [{ action: 'rollback', address: null }] }, 'SN-1', {
      [rollback]: { id: 2, sn: 'SN-1', ivyId: '50' },
    });
    await user.click(await screen.findByRole('button', { name: 'Roll back: Repair' }));
    const dialog = within(await screen.findByRole('dialog', { name: /SN-1/ }));
    await user.type(dialog.getByLabelText(/Remark/), 'wrong board');
    await user.click(dialog.getByRole('button', { name: /Roll back/ }));
    await waitFor(() => expect(callsTo(call)).toHaveLength(2));
    expect(callsTo(rollback)[0]?.input).toMatchObject({ id: '2', remark: 'wrong board' });
  });
});
