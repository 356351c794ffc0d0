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
  rmaMaintainBillLineList: [line(1), line(2)],
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
/** Two units on each line. */
const itemsOf = (mtblId: string) =>
  [1, 2].map((n) => {
    const id = Number(mtblId.slice(3)) * 10 + n;
    return { id, mtbliId: `MBI${id}`, receiveSn: `SN${id}`, deliverStatus: '0' };
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
  button('rollbackToPreliminaryTest', 'Return to first test', 'many'),
];
const billButtons = [
  button('modify', 'Modify', 1),
  button('terminate', 'Force close', 1, { when: { billStatus: ['0', '1', '3', '4'] } }),
];
const names = [
  'Change store',
  'Change item',
  'Move bill',
  'Buy out',
  'Force close',
  'Add check images',
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
  [path('pager')]: ({ query }) => ({
    data: {
      items: itemsOf(query['mtblId'] ?? ''),
      itemTotal: 2,
      columns: [column('receiveSn')],
    },
  }),
  [path('pager', 'ubsSite')]: {
    data: { items: [{ id: 1, siteId: 'NB', siteName: 'Ningbo' }], itemTotal: 1 },
  },
  [path('getSaleCodeList', 'rmaMaintainBill')]: {
    data: { saleCodeList: [{ salesCode: 'RX21', name: 'RX21 140T', type: '0' }] },
  },
  ...more,
});
const sent = (call: Asked | undefined) => JSON.parse(call?.body ?? 'null') as unknown;

async function open(more?: Answers) {
  const app = await renderApp('/rmaMaintainBillList/detail/1', { answers: answers(more) });
  await screen.findByRole('group', { name: 'Actions on the selected units' });
  const { person } = app;
  const openLine = async (n: number) => {
    await person.click(screen.getByRole('button', { name: `Units of CODE${n}` }));
    return screen.findByRole('checkbox', { name: `Select SN${n}1` });
  };
  return {
    ...app,
    openLine,
    /** One unit of each of these lines is selected. */
    select: async (...lines: number[]) => {
      for (const n of lines) await person.click(await openLine(n));
    },
    press: (name: string) => person.click(screen.getByRole('button', { name })),
    confirm: async (name: string) =>
      person.click(within(await screen.findByRole('dialog')).getByRole('button', { name })),
  };
}

describe('the actions below a maintain bill', () => {
  it('are those of its units and the closing of the bill, in their order [W-MTB-06]', async () => {
    await open();
    const bar = screen.getByRole('group', { name: 'Actions on the selected units' });
    await waitFor(() =>
      expect(
        within(bar)
          .getAllByRole('button')
          .map((it) => it.textContent),
      ).toEqual(names),
    );
  });

  it('are only those that the server gives this user', async () => {
    await open({
      '/api/sysBtn/queryByMenuNo.json': ({ query }) => ({
        data: { items: query['menuNo'] === `${module}List` ? itemButtons.slice(-1) : [] },
      }),
    });
    const bar = screen.getByRole('group', { name: 'Actions on the selected units' });
    expect(
      within(bar)
        .getAllByRole('button')
        .map((it) => it.textContent),
    ).toEqual(['Return to first test']);
  });

  it('need a selected unit: each says so and asks nobody [W-ACT-01]', async () => {
    const { server, press, person } = await open();
    await screen.findByRole('button', { name: 'Force close' });
    for (const name of names) {
      await press(name);
      expect(await screen.findByText('Select the Data')).toBeDefined();
      expect(screen.queryByRole('dialog')).toBeNull();
      await person.click(screen.getByRole('button', { name: 'Close' }));
      await waitFor(() => expect(screen.queryByText('Select the Data')).toBeNull());
    }
    expect(server.asked.filter((it) => it.method === 'POST')).toEqual([]);
  });

  it('are about units of several lines, by the page or one by one, until the selection is cleared [W-MTB-04]', async () => {
    const { select, person } = await open();
    const status = () => screen.getByText(/selected$/).textContent;
    await select(1, 2);
    expect(status()).toBe('2 selected');
    const [all] = screen.getAllByRole('checkbox', { name: 'Select all of this page' });
    await person.click(all as HTMLElement);
    expect(status()).toBe('3 selected');
    await person.click(screen.getByRole('checkbox', { name: 'Select SN21' }));
    expect(status()).toBe('2 selected');
    await person.click(screen.getByRole('button', { name: 'Clear selection' }));
    expect(status()).toBe('0 selected');
  });

  it('say how to come to a selected unit, until there is one', async () => {
    const { select } = await open();
    expect(screen.getByText('Open a line to choose units')).toBeDefined();
    await select(1);
    expect(screen.queryByText('Open a line to choose units')).toBeNull();
  });

  it('change store: asks for the site, then sends the units there, and all is read again [W-ACT-02]', async () => {
    const { select, press, confirm, server, person } = await open({
      [path('updateSiteId')]: { data: { updatedCount: 2 } },
    });
    await select(1, 2);
    await press('Change store');
    await confirm('Change store');
    expect(await screen.findByText('The required fields must not be empty')).toBeDefined();
    expect(server.calls(path('updateSiteId'))).toEqual([]);
    await person.click(screen.getByRole('combobox', { name: /To site/ }));
    await person.click(await screen.findByRole('option', { name: 'Ningbo' }));
    const read = server.calls(path('pager')).length;
    await confirm('Change store');
    expect(await screen.findByText('Change store: done')).toBeDefined();
    expect(sent(server.calls(path('updateSiteId'))[0])).toEqual({
      rmaMaintainBillLineItemList: [
        { id: '11', mtbliId: 'MBI11' },
        { id: '21', mtbliId: 'MBI21' },
      ],
      updateSiteId: 'NB',
    });
    await waitFor(() => expect(server.calls(path('pager')).length).toBeGreaterThan(read));
    expect(screen.getByText('0 selected')).toBeDefined();
  });

  it('change item: takes a code and what it is for [W-ACT-03, W-ACT-04, W-ACT-06]', async () => {
    const { select, press, confirm, server, person } = await open({
      [path('replaceSaleCode')]: { data: { updatedCount: 1, mtblId: 'MBL7' } },
    });
    await select(1);
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
    await select(1);
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
    await select(1, 2);
    await press('Buy out');
    await confirm('Buy out');
    expect(await screen.findByText('The required fields must not be empty')).toBeDefined();
    expect(server.calls(path('buyOut'))).toEqual([]);
    await person.type(screen.getByRole('textbox', { name: /Remark/ }), ' agreed ');
    await confirm('Buy out');
    await screen.findByText('Buy out: done');
    expect(sent(server.calls(path('buyOut'))[0])).toEqual([
      { mtblId: 'MBL1', mtbliIdList: ['MBI11'], remark: 'agreed' },
      { mtblId: 'MBL2', mtbliIdList: ['MBI21'], remark: 'agreed' },
    ]);
  });

  it('force close: names what is in the house, and gives it up only by a second yes [W-ACT-11]', async () => {
    const close = path('terminate', 'rmaMaintainBill');
    const msg = '1 units of bill MTB1 are still in house: SN11';
    const { select, press, confirm, server } = await open({
      [close]: ({ body }) =>
        (JSON.parse(body) as { discardInHouse: string }).discardInHouse === '1'
          ? { data: { mtbId: 'MTB1', billStatus: '2', notReceivedCount: 0, discardedSnList: ['SN11'] } }
          : { key: 'unitsInHouse', msg },
    });
    await select(1);
    await press('Force close');
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
    const { select, press, confirm, server } = await open({ [close]: { key: 'unitsInHouse', msg: 'SN11 is there' } });
    await select(1);
    await press('Force close');
    await confirm('Force close');
    await screen.findByText('SN11 is there');
    await confirm('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.calls(close).map(sent)).toEqual([{ mtbId: 'MTB1', discardInHouse: '0' }]);
  });

  it('force close: another refusal of the same code asks for no second yes', async () => {
    const close = path('terminate', 'rmaMaintainBill');
    const { select, press, confirm } = await open({ [close]: { key: 'inUse', msg: 'MTB1 is used elsewhere' } });
    await select(1);
    await press('Force close');
    await confirm('Force close');
    await screen.findByText('MTB1 is used elsewhere');
    expect(screen.queryByRole('button', { name: 'Discard the units and close' })).toBeNull();
  });

  it('return to first test: asks; cancelled, it calls nobody [W-ACT-15]', async () => {
    const { select, press, confirm, server } = await open();
    await select(1);
    await press('Return to first test');
    expect(await screen.findByRole('dialog', { name: 'Confirm return to first test?' })).toBeDefined();
    await confirm('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.calls(path('rollbackToPreliminaryTest'))).toEqual([]);
  });

  it('return to first test: sends an entry for each unit, and says that it succeeded [W-ACT-15, W-ACT-16, W-ACT-17]', async () => {
    const { select, press, confirm, server } = await open({
      [path('rollbackToPreliminaryTest')]: { data: { snList: ['SN11', 'SN21'] } },
    });
    await select(1, 2);
    await press('Return to first test');
    await confirm('Return to first test');
    expect(await screen.findByText('Return to first test succeeded')).toBeDefined();
    expect(sent(server.calls(path('rollbackToPreliminaryTest'))[0])).toEqual([
      { sn: 'SN11', mtbliId: 'MBI11', mtbId: 'MTB1' },
      { sn: 'SN21', mtbliId: 'MBI21', mtbId: 'MTB1' },
    ]);
  });

  it('return to first test: a repeat is told in the dialog, which stays [W-ACT-19]', async () => {
    const msg = 'The transaction has been rolled back, repeat not allowed';
    const { select, press, confirm } = await open({ [path('rollbackToPreliminaryTest')]: { key: 'rolledBack', msg } });
    await select(1);
    await press('Return to first test');
    await confirm('Return to first test');
    expect(within(await screen.findByRole('dialog')).getByText(msg)).toBeDefined();
    expect(screen.queryByText('Return to first test succeeded')).toBeNull();
  });
});

describe('the adding of check images', () => {
  const chooser = vi.fn();
  beforeEach(() => {
    chooser.mockReset();
    vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(chooser);
  });

  it('take exactly one unit: with two nothing opens [W-ACT-12]', async () => {
    const { select, press, server } = await open();
    await select(1, 2);
    await press('Add check images');
    expect(await screen.findByText('Select the Data')).toBeDefined();
    expect(server.calls(path('supplementCheckPicture'))).toEqual([]);
    expect(chooser).not.toHaveBeenCalled();
  });
});
