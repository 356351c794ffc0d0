// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
// Compiled ahead, so that no test waits for it.
import './MaintainBillDetailPage.tsx';
import { renderApp, user } from '#app/testing/renderApp.tsx';
import type { Asked } from '#app/testing/fakeServer.ts';

const module = 'rmaMaintainBillLineItem';
const path = (action: string, of = module) => `/api/${of}/${action}.json`;
const column = (name: string) => ({ name, label: name, type: 'String' });
const line = (id: number) => ({ id, mtblId: `MBL${id}`, mtbId: 'MTB1', salesCode: `CODE${id}`, count: 2 });
const bill = {
  ...{ id: 1, mtbId: 'MTB1', billStatus: '1' },
  rmaMaintainBillLineList: [line(1), line(2), line(3)],
  view: {
    module: 'rmaMaintainBill',
    label: 'Maintain bill',
    fields: [column('mtbId')],
    lines: { rmaMaintainBillLineList: { label: 'Lines', columns: [column('salesCode'), column('count')] } },
  },
};
const target = {
  ...{ id: 2, mtbId: 'MTB2026112100002', userName: 'Ningyuan' },
  rmaMaintainBillLineList: [{ id: 5, mtblId: 'MBL9', salesCode: 'RX19' }],
  view: bill.view,
};
/** Two units on each line; of the second line one was shipped and one waits for a word. */
const reasons: Record<number, string> = { 21: 'shipped', 22: 'held' };
const allUnits = [11, 12, 21, 22, 31, 32].map((id) => {
  const why = reasons[id];
  const refused = why ? { updateSiteId: why, buyOut: why } : {};
  const mtblId = `MBL${Math.floor(id / 10)}`;
  return {
    ...{ id, mtbliId: `MBI${id}`, mtblId, mtbId: 'MTB1', sn: `SN${id}`, receiveSn: `SN${id}`, deliverStatus: '0' },
    ...{ stage: 'repair', ivyId: '50', held: null, since: 1, next: null, refused },
  };
});
const button = (btnNo: string, btnName: string, rows: 1 | 'many', more: object = {}) => ({
  ...{ id: btnNo, btnNo, btnName, btnScript: btnNo, rows },
  ...more,
});
const itemButtons = [
  button('updateSiteId', 'Change store', 'many'),
  button('replaceSaleCode', 'Change item', 'many'),
  button('moveBill', 'Move bill', 'many'),
  button('buyOut', 'Buy out', 'many'),
  button('supplementCheckPicture', 'Add check images', 1),
  button('rollbackToPreliminaryTest', 'Return to first test', 'many', { tone: 'danger' }),
];
const billButtons = [
  button('modify', 'Modify', 1),
  button('terminate', 'Force close', 1, { when: { billStatus: ['0', '1', '3', '4'] }, tone: 'danger' }),
];
const names = [
  'Change store',
  'Change item',
  'Move bill',
  'Buy out',
  'Add check images',
  // Apart from the others, as it can't be taken back.
  'Return to first test',
];

type Answers = NonNullable<Parameters<typeof renderApp>[1]>['answers'];
const answers = (more: Answers = {}): Answers => ({
  '/api/sysMenu/queryTree.json': {
    data: {
      items: [{ menuNo: 'rmaMaintainBillList', menuName: 'Maintain bills', module: 'rmaMaintainBill', children: [] }],
    },
  },
  '/api/userInfo.json': { data: { ...user, access: ['rmaMaintainBillList', 'rmaMaintainBill:list'] } },
  '/api/sysBtn/queryByMenuNo.json': ({ query }) => ({
    data: {
      items:
        query['menuNo'] === `${module}List`
          ? itemButtons
          : query['menuNo'] === 'rmaMaintainBillList'
            ? billButtons
            : [],
    },
  }),
  [path('queryById', 'rmaMaintainBill')]: ({ query }) => ({ data: query['id'] === '1' ? bill : target }),
  [path('progress', 'rmaMaintainBill')]: { data: { stages: [], warranties: [], shipments: [] } },
  [path('units', 'rmaMaintainBill')]: { data: { items: allUnits, itemTotal: 6, columns: [], labels: {} } },
  [path('pager', 'ubsSite')]: {
    data: { items: [{ id: 1, siteId: 'NB', siteName: 'Ningbo' }], itemTotal: 1 },
  },
  [path('getSaleCodeList', 'rmaMaintainBill')]: {
    data: { saleCodeList: [{ salesCode: 'RX21', name: 'RX21 140T', type: '0' }] },
  },
  ...more,
});
const sent = (call: Asked | undefined) => JSON.parse(call?.body ?? 'null') as unknown;

const bar = () => screen.getByRole('group', { name: 'Actions on the selected units' });
const labels = () =>
  within(bar())
    .getAllByRole('button')
    .map((it) => it.textContent);
const off = () =>
  within(bar())
    .getAllByRole<HTMLButtonElement>('button')
    .filter((it) => it.disabled)
    .map((it) => it.textContent);

async function open(more?: Answers) {
  const app = await renderApp('/rmaMaintainBillList/detail/1', { answers: answers(more) });
  await screen.findByRole('checkbox', { name: 'Select SN11' });
  const { person } = app;
  return {
    ...app,
    /** These units are selected. */
    select: async (...ids: number[]) => {
      for (const id of ids) await person.click(screen.getByRole('checkbox', { name: `Select SN${id}` }));
      await screen.findByRole('button', { name: 'Change store' });
    },
    /** The bill itself, from its head. */
    close: async () => person.click(await screen.findByRole('button', { name: 'Force close' })),
    press: (name: string) => person.click(within(bar()).getByRole('button', { name })),
    confirm: async (name: string) =>
      person.click(within(await screen.findByRole('dialog')).getByRole('button', { name })),
  };
}

describe('the actions of a maintain bill', () => {
  it('are those of the bill alone while no unit is selected [W-ACT-01]', async () => {
    const { server } = await open();
    expect(await screen.findByText(/^Select units/)).toBeDefined();
    expect(screen.queryByRole('group', { name: 'Actions on the selected units' })).toBeNull();
    expect(await screen.findByRole('button', { name: 'Modify' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Force close' })).toBeDefined();
    for (const { btnName } of itemButtons) expect(screen.queryByRole('button', { name: btnName })).toBeNull();
    expect(server.asked.filter((it) => it.method === 'POST')).toEqual([]);
  });

  it('are those of its units once some are selected, the dangerous one last, while the bill closes in its head [W-MTB-06]', async () => {
    const { select } = await open();
    await select(11);
    await waitFor(() => expect(labels()).toEqual(names));
    expect(off()).toEqual([]);
    const closing = screen.getAllByRole('button', { name: 'Force close' });
    expect(closing.map((it) => bar().contains(it))).toEqual([false]);
  });

  it('are only those that the server gives this user', async () => {
    const { person } = await open({
      '/api/sysBtn/queryByMenuNo.json': ({ query }) => ({
        data: { items: query['menuNo'] === `${module}List` ? itemButtons.slice(-1) : [] },
      }),
    });
    await person.click(screen.getByRole('checkbox', { name: 'Select SN11' }));
    expect(labels()).toEqual(['Return to first test']);
  });

  it('that do not fit all of the units are off, and say which are wrong and why; pressed, a reason takes them out', async () => {
    const { select, person } = await open();
    await select(11, 21, 22);
    expect(off()).toEqual(['Change store', 'Buy out', 'Add check images']);
    const reason = (name: string) => screen.getByRole('button', { name }).parentElement?.textContent;
    expect(reason('1 of 3 shipped already (SN21)')).toBe('1 of 3 shipped already (SN21): Change store, Buy out');
    expect(reason('1 of 3 awaiting a confirmation (SN22)')).toMatch(/: Change store, Buy out$/);
    expect(screen.getByText('Takes one unit at a time: Add check images')).toBeDefined();
    await person.click(screen.getByRole('button', { name: '1 of 3 shipped already (SN21)' }));
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select SN21' }).checked).toBe(false);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select SN22' }).checked).toBe(true);
    await person.click(screen.getByRole('button', { name: '1 of 2 awaiting a confirmation (SN22)' }));
    expect(off()).toEqual([]);
    expect(screen.queryByText(/already|at a time/)).toBeNull();
  });

  it('are about units of several lines, by the page or one by one, until the selection is cleared [W-MTB-04]', async () => {
    const { select, person } = await open();
    const status = () => screen.getByText(/^\d+ units?:$/).textContent;
    await select(11, 21);
    expect(status()).toBe('2 units:');
    await person.click(screen.getByRole('checkbox', { name: 'Select all of this page' }));
    expect(status()).toBe('6 units:');
    await person.click(screen.getByRole('checkbox', { name: 'Select SN21' }));
    expect(status()).toBe('5 units:');
    await person.click(screen.getByRole('button', { name: 'Clear selection' }));
    expect(screen.queryByText(/^\d+ units?:$/)).toBeNull();
  });

  it('of the bill itself need no unit: it is closed from its head [W-ACT-11]', async () => {
    const close = path('terminate', 'rmaMaintainBill');
    const {
      close: press,
      confirm,
      server,
    } = await open({
      [close]: { data: { mtbId: 'MTB1', billStatus: '2', notReceivedCount: 6, discardedSnList: [] } },
    });
    await press();
    await confirm('Force close');
    await screen.findByText('Force close: done');
    expect(server.calls(close).map(sent)).toEqual([{ mtbId: 'MTB1', discardInHouse: '0' }]);
  });

  it('change store: asks for the site, then sends the units there, and all is read again [W-ACT-02]', async () => {
    const { select, press, confirm, server, person } = await open({
      [path('updateSiteId')]: { data: { updatedCount: 2 } },
    });
    await select(11, 31);
    await press('Change store');
    await confirm('Change store');
    expect(await screen.findByText('The required fields must not be empty')).toBeDefined();
    expect(server.calls(path('updateSiteId'))).toEqual([]);
    await person.click(screen.getByRole('combobox', { name: /To site/ }));
    await person.click(await screen.findByRole('option', { name: 'Ningbo' }));
    const read = server.calls(path('units', 'rmaMaintainBill')).length;
    await confirm('Change store');
    expect(await screen.findByText('Change store: done')).toBeDefined();
    expect(sent(server.calls(path('updateSiteId'))[0])).toEqual({
      rmaMaintainBillLineItemList: [
        { id: '11', mtbliId: 'MBI11' },
        { id: '31', mtbliId: 'MBI31' },
      ],
      updateSiteId: 'NB',
    });
    await waitFor(() => expect(server.calls(path('units', 'rmaMaintainBill')).length).toBeGreaterThan(read));
    expect(screen.queryByText(/^\d+ units?:$/)).toBeNull();
  });

  it('change item: takes a code and what it is for [W-ACT-03, W-ACT-04, W-ACT-06]', async () => {
    const { select, press, confirm, server, person } = await open({
      [path('replaceSaleCode')]: { data: { updatedCount: 1, mtblId: 'MBL7' } },
    });
    await select(11);
    await press('Change item');
    await confirm('Change item');
    expect(await screen.findByText('The required fields must not be empty')).toBeDefined();
    expect(server.calls(path('replaceSaleCode'))).toEqual([]);
    await person.type(screen.getByRole('combobox', { name: /Sales code/ }), 'rx21');
    expect(await screen.findAllByText('RX21 140T')).not.toEqual([]);
    await person.click(screen.getByRole('radio', { name: 'The units were registered under a wrong code' }));
    await confirm('Change item');
    await screen.findByText('Change item: done');
    expect(sent(server.calls(path('replaceSaleCode'))[0])).toEqual({
      rmaMaintainBillLineItemList: [{ id: '11', mtbliId: 'MBI11' }],
      salesCode: 'RX21',
      replaceFlag: '1',
      salesCodeCount: 1,
    });
  });

  it('move bill: takes a bill and a line of it, and what is moved [W-ACT-07, W-ACT-08]', async () => {
    const { select, press, confirm, server, person } = await open({
      [path('moveBill')]: { data: { movedCount: 1, mtbId: target.mtbId, mtblId: 'MBL9' } },
    });
    await select(11);
    await press('Move bill');
    await confirm('Move bill');
    expect(await screen.findAllByText('The required fields must not be empty')).toHaveLength(2);
    await person.type(screen.getByRole('textbox', { name: /To bill/ }), target.mtbId);
    expect(await screen.findByText('Ningyuan')).toBeDefined();
    await person.click(screen.getByRole('checkbox', { name: 'Move the units to this bill' }));
    await confirm('Move bill');
    expect(await screen.findByText('Choose what is moved: the units or their delivery')).toBeDefined();
    expect(server.calls(path('moveBill'))).toEqual([]);
    await person.click(screen.getByRole('radio', { name: 'Ships with the goods of this bill' }));
    await confirm('Move bill');
    await screen.findByText('Move bill: done');
    expect(sent(server.calls(path('moveBill'))[0])).toEqual({
      ids: ['MBI11'],
      mtbId: target.mtbId,
      mtblId: 'MBL9',
      moveBillFlag: '0',
      deliverFlag: '1',
      splitDeliverFlag: '0',
    });
  });

  it('buy out: asks why, then sends a group for each line [W-ACT-09, W-ACT-10]', async () => {
    const { select, press, confirm, server, person } = await open({
      [path('buyOut')]: { data: { buyOutCount: 2, billStatus: '1' } },
    });
    await select(11, 31);
    await press('Buy out');
    await confirm('Buy out');
    expect(await screen.findByText('The required fields must not be empty')).toBeDefined();
    expect(server.calls(path('buyOut'))).toEqual([]);
    await person.type(screen.getByRole('textbox', { name: /Remark/ }), ' agreed ');
    await confirm('Buy out');
    await screen.findByText('Buy out: done');
    expect(sent(server.calls(path('buyOut'))[0])).toEqual([
      { mtblId: 'MBL1', mtbliIdList: ['MBI11'], remark: 'agreed' },
      { mtblId: 'MBL3', mtbliIdList: ['MBI31'], remark: 'agreed' },
    ]);
  });

  it('force close: names what is in the house, and gives it up only by a second yes [W-ACT-11]', async () => {
    const close = path('terminate', 'rmaMaintainBill');
    const msg = 'Bill MTB1 still has units in house (1): SN11';
    const {
      close: press,
      confirm,
      server,
    } = await open({
      [close]: ({ body }) =>
        (JSON.parse(body) as { discardInHouse: string }).discardInHouse === '1'
          ? { data: { mtbId: 'MTB1', billStatus: '2', notReceivedCount: 0, discardedSnList: ['SN11'] } }
          : { key: 'unitsInHouse', msg },
    });
    await press();
    await confirm('Force close');
    expect(await screen.findByText(msg)).toBeDefined();
    await confirm('Discard the units and close');
    await screen.findByText('Force close: done');
    const calls = server.calls(close);
    expect(calls.map(sent)).toEqual([
      { mtbId: 'MTB1', discardInHouse: '0' },
      { mtbId: 'MTB1', discardInHouse: '1' },
    ]);
    expect(new Set(calls.map((it) => it.headers.get('idempotency-key'))).size).toBe(2);
  });

  it('force close: left at the second question, it has done nothing', async () => {
    const close = path('terminate', 'rmaMaintainBill');
    const { close: press, confirm, server } = await open({ [close]: { key: 'unitsInHouse', msg: 'SN11 is there' } });
    await press();
    await confirm('Force close');
    await screen.findByText('SN11 is there');
    await confirm('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.calls(close).map(sent)).toEqual([{ mtbId: 'MTB1', discardInHouse: '0' }]);
  });

  it('force close: another refusal of the same code asks for no second yes', async () => {
    const close = path('terminate', 'rmaMaintainBill');
    const { close: press, confirm } = await open({ [close]: { key: 'inUse', msg: 'MTB1 is used elsewhere' } });
    await press();
    await confirm('Force close');
    await screen.findByText('MTB1 is used elsewhere');
    expect(screen.queryByRole('button', { name: 'Discard the units and close' })).toBeNull();
  });

  it('return to first test: asks; cancelled, it calls nobody [W-ACT-15]', async () => {
    const { select, press, confirm, server } = await open();
    await select(11);
    await press('Return to first test');
    expect(await screen.findByRole('dialog', { name: 'Confirm return to first test?' })).toBeDefined();
    await confirm('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.calls(path('rollbackToPreliminaryTest'))).toEqual([]);
  });

  it('return to first test: sends an entry for each unit, and says that it succeeded [W-ACT-15, W-ACT-16, W-ACT-17]', async () => {
    const { select, press, confirm, server } = await open({
      [path('rollbackToPreliminaryTest')]: { data: { snList: ['SN11', 'SN31'] } },
    });
    await select(11, 31);
    await press('Return to first test');
    await confirm('Return to first test');
    expect(await screen.findByText('Return to first test succeeded')).toBeDefined();
    expect(sent(server.calls(path('rollbackToPreliminaryTest'))[0])).toEqual([
      { sn: 'SN11', mtbliId: 'MBI11', mtbId: 'MTB1' },
      { sn: 'SN31', mtbliId: 'MBI31', mtbId: 'MTB1' },
    ]);
  });

  it('return to first test: a repeat is told in the dialog, which stays [W-ACT-19]', async () => {
    const msg = 'The transaction has been rolled back, repeat not allowed';
    const { select, press, confirm } = await open({ [path('rollbackToPreliminaryTest')]: { key: 'rolledBack', msg } });
    await select(11);
    await press('Return to first test');
    await confirm('Return to first test');
    expect(await within(await screen.findByRole('dialog')).findByText(msg)).toBeDefined();
    expect(screen.queryByText('Return to first test succeeded')).toBeNull();
  });
});

describe('the adding of check images', () => {
  const chooser = vi.fn();
  beforeEach(() => {
    chooser.mockReset();
    vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(chooser);
  });

  it('take exactly one unit: with two they are off, and say so [W-ACT-12]', async () => {
    const { select, press, server } = await open();
    await select(11, 31);
    expect(off()).toEqual(['Add check images']);
    expect(screen.getByText('Takes one unit at a time: Add check images')).toBeDefined();
    await press('Add check images');
    expect(server.calls(path('supplementCheckPicture'))).toEqual([]);
    expect(chooser).not.toHaveBeenCalled();
  });
});
