// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import { Notices } from '#app/shell/Notices.tsx';
import { selectedOf, withOwnLots } from './rules.ts';
import WorkOrderLinesPage from './WorkOrderLinesPage.tsx';

const bumping = 'icopBumpingCpWorkOrder';
const path = (action: string) => `/api/${bumping}/${action}.json`;
const lot = {
  ...{ wipId: 'W1', waferLotId: 'LOT1', stage: '1', waferPn: 'P1', waferMpn: 'M1', devicePn: '', chipQty: 180 },
  ...{ waferIds: '', supplierId: 'S1', supplierName: 'One', frontFtTestProgram: '', originalMarking: '' },
  waferList: [
    { waferId: '01', chipQty: 100 },
    { waferId: '02', chipQty: 80 },
  ],
};
const line = {
  wipId: 'W1',
  piece: '01',
  inputQty: 30,
  group: null,
  ftTestProgram: '',
  originPlace: '',
  remark: 'thin',
};
const held = {
  version: 3,
  suppliers: [
    { value: 'S1', optionName: 'One' },
    { value: 'S2', optionName: 'Two' },
  ],
  hasMoreSuppliers: false,
  lots: [lot],
  lines: [line],
};
const order = {
  ...{ id: 7, version: 3, workOrderNo: 'BCO1', billStatus: '0', processType: '1', supplierId: 'S1', waferPn: 'P1' },
  view: { fields: [], labels: {}, lists: [] },
};

async function opens(answers: Record<string, unknown> = {}) {
  const page = (
    <>
      <WorkOrderLinesPage menuNo={`${bumping}List`} id="7" />
      <Notices />
    </>
  );
  const view = await openPage(page, {
    lang: 'en',
    answers: {
      [path('queryById')]: order,
      [path('toModifyLines')]: held,
      [path('modifyLines')]: { id: 7, workOrderNo: 'BCO1', chipQty: 30 },
      [path('usualYield')]: { orders: 0, yield: null },
      // All of wafer 02 is there; of wafer 01 what the order did not take.
      [path('getWipWafer')]: { items: [{ ...lot, waferList: [{ waferId: '01', chipQty: 70 }, lot.waferList[1]] }] },
      ...answers,
    },
  });
  const press = async (name: string | RegExp) => view.user.click(await screen.findByRole('button', { name }));
  const choose = async (option: string) => {
    await view.user.click(await screen.findByRole('combobox', { name: /^Supplier/ }));
    await view.user.click(await screen.findByRole('option', { name: option }));
  };
  /** The bank with what lies there, not only with what the draft has of it. */
  const openBank = async () => {
    await press('Add wafers');
    const bank = await screen.findByRole('dialog');
    await waitFor(() => expect(within(bank).getByRole('button', { name: /^Take/ })).toHaveProperty('disabled', false));
    return bank;
  };
  const sent = () => view.callsTo(path('modifyLines')).map((it) => it.input);
  return { ...view, press, choose, openBank, sent };
}

describe('the input of a draft', () => {
  it('is changed in place: more of a wafer, up to all that there is, and more wafers', async () => {
    const { user, press, openBank, sent, where } = await opens();
    await press('Change LOT1');
    const dialog = await screen.findByRole('dialog');
    const input = within(dialog).getByRole('textbox', { name: 'Input 01' });
    await user.clear(input);
    await user.type(input, '500');
    expect((input as HTMLInputElement).value).toBe('100');
    await user.click(within(dialog).getByRole('button', { name: 'Keep' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const bank = await openBank();
    // Of wafer 01 nothing is left: this order has it.
    await user.click(await within(bank).findByRole('checkbox', { name: 'LOT1' }));
    await user.click(within(bank).getByRole('button', { name: 'Take (1)' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Save');
    await waitFor(() => expect(where()).toBe(`/${bumping}List/detail/7`));
    expect(sent()).toEqual([
      {
        ...{ id: '7', version: 3, supplierId: 'S1' },
        waferList: [
          { wipId: 'W1', waferId: '01', inputQty: 100, remark: 'thin' },
          { wipId: 'W1', waferId: '02', inputQty: 80 },
        ],
      },
    ]);
  });

  it('takes no wafers that nobody chose, and says so where they are chosen', async () => {
    const { user, openBank } = await opens();
    const bank = await openBank();
    await within(bank).findByRole('checkbox', { name: 'LOT1' });
    await user.click(within(bank).getByRole('button', { name: /^Take/ }));
    expect(await screen.findByText('Select the Data')).toBeTruthy();
    expect(screen.getByRole('dialog')).toBe(bank);
  });

  it('holds more of a wafer that it has once the rest of it is picked', async () => {
    const { user, press, openBank, sent } = await opens();
    const bank = await openBank();
    await user.click(await within(bank).findByRole('checkbox', { name: 'LOT1' }));
    await user.click(within(bank).getByRole('button', { name: 'Take (2)' }));
    await press('Save');
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({
      waferList: [
        { wipId: 'W1', waferId: '01', inputQty: 100, remark: 'thin' },
        { wipId: 'W1', waferId: '02', inputQty: 80 },
      ],
    });
  });

  it('stays as it was picked when somebody else has changed the draft, beside what it holds by now', async () => {
    let [read, answered] = [{ order, held }, false];
    const { user, press, sent } = await opens({
      [path('queryById')]: () => read.order,
      [path('toModifyLines')]: () => read.held,
      [path('modifyLines')]: () => {
        if (answered) return { id: 7, workOrderNo: 'BCO1', chipQty: 50 };
        answered = true;
        const other = { ...line, piece: '02', inputQty: 80 };
        read = { order: { ...order, version: 4 }, held: { ...held, version: 4, lines: [other] } };
        return refuses('stale', 'changed meanwhile');
      },
    });
    await press('Change LOT1');
    const dialog = await screen.findByRole('dialog');
    const input = within(dialog).getByRole('textbox', { name: 'Input 01' });
    await user.clear(input);
    await user.type(input, '50');
    await user.click(within(dialog).getByRole('button', { name: 'Keep' }));
    await press('Save');
    await press('Look again');
    expect(await screen.findByText(/The draft now holds: LOT1 \(80\)/)).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Look again' })).toBeNull());
    await press('Save');
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()[1]).toMatchObject({ version: 4, waferList: [{ waferId: '01', inputQty: 50 }] });
  });

  it('is changed once more by whoever has just saved it, from what it holds since', async () => {
    let read = { order, held };
    const { user, press, sent } = await opens({
      [path('queryById')]: () => read.order,
      [path('toModifyLines')]: () => read.held,
      [path('modifyLines')]: () => {
        const lines = [{ ...line, inputQty: 50 }];
        read = { order: { ...order, version: 4 }, held: { ...held, version: 4, lines } };
        return { id: 7, workOrderNo: 'BCO1', chipQty: 50 };
      },
    });
    const change = async (from: string, to: string) => {
      expect(await screen.findByRole('cell', { name: from })).toBeTruthy();
      await press('Change LOT1');
      const input = within(await screen.findByRole('dialog')).getByRole('textbox', { name: 'Input 01' });
      await user.clear(input);
      await user.type(input, to);
      await press('Keep');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await press('Save');
    };
    await change('30', '50');
    await waitFor(() => expect(sent()).toHaveLength(1));
    await change('50', '60');
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()[1]).toMatchObject({ version: 4, waferList: [{ waferId: '01', inputQty: 60 }] });
  });

  it('goes back to its banks with another supplier, once that is confirmed', async () => {
    const { press, choose, sent } = await opens();
    await choose('Two');
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('wafers or bins: 1');
    await press('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('LOT1')).toBeTruthy();
    await choose('Two');
    await press('Change supplier, remove lines');
    expect(await screen.findByText('Nothing added yet')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Save');
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toEqual({ id: '7', version: 3, supplierId: 'S2', linesGo: true, waferList: [] });
  });

  it('is not emptied, and that of an order which was sent stays', async () => {
    const { press, sent } = await opens();
    await press('Remove LOT1');
    await press('Save');
    expect(await screen.findByText('Add at least one wafer or lot')).toBeTruthy();
    expect(sent()).toEqual([]);
    const { callsTo } = await opens({ [path('queryById')]: { ...order, billStatus: '1' } });
    expect(await screen.findByText(/is no draft/)).toBeTruthy();
    expect(callsTo(path('toModifyLines'))).toEqual([]);
  });

  it('stands beside the banks as if it had gone back', () => {
    const other = { ...lot, wipId: 'W2' };
    expect(withOwnLots([other], [lot], false)).toEqual([lot, other]);
    expect(withOwnLots([other], [lot], true)).toEqual([other]);
    expect(withOwnLots([{ ...lot, waferList: [] }], [lot], true)).toEqual([lot]);
    expect(selectedOf(held, 'P1')).toMatchObject([{ waferLotId: 'LOT1', inputQty: 30, remainQty: 70 }]);
  });
});
