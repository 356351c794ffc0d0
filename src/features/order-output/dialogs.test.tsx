// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import type { ComponentType } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { DialogProps } from '#app/parts/dialog.ts';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import { refused } from '#app/testing/refused.ts';
import OutputDialog from './OutputDialog.tsx';
import ReceiveWafersDialog from './ReceiveWafersDialog.tsx';

async function opens(Dialog: ComponentType<DialogProps>, module: string, answers: Record<string, unknown>) {
  const onClose = vi.fn();
  const rows = [{ id: 5, version: 2, workOrderNo: 'BCO1', billStatus: '1', outputQty: 10 }];
  const props = { module, rows, button: { btnName: 'Record output' }, onDone: vi.fn(), onClose };
  const page = await openPage(<Dialog {...(props as unknown as DialogProps)} />, { lang: 'en', answers });
  return { ...page, onClose };
}
const wafer = (piece: string, leftQty: number) => ({
  ...{ position: `W1/${piece}`, wipId: 'W1', waferLotId: 'LOT1', piece },
  ...{ inputQty: 100, outputQty: 100 - leftQty, lossQty: 0, leftQty },
});
const made = { id: 5, workOrderNo: 'BCO1', billStatus: '2', wipIds: ['W2'], outputQty: 1, lossQty: 0 };
const call = (module: string, name: string) => `/api/${module}/${name}.json`;
/** The order as somebody else has left it. */
const changedTo = (module: string, version: number) => ({
  ...{ id: 5, version, workOrderNo: 'BCO1', billStatus: '1', outputQty: 18 },
  view: { module, label: 'Order', fields: [{ name: 'outputQty', label: 'Came', type: 'Integer' }] },
});
const press = () => screen.getByRole('button', { name: 'Record output' });
const sums = () => screen.getByText(/^In process .* stays/).textContent;

describe('the output of an order', () => {
  const module = 'icopBumpingCpWorkOrder';
  const asked = {
    version: 4,
    workOrderNo: 'BCO1',
    bank: '5',
    bins: [],
    positions: [wafer('01', 100), wafer('02', 0), wafer('03', 40)],
  };
  const answers = { [call(module, 'toRecordOutput')]: asked, [call(module, 'recordOutput')]: made };

  it('asks for each wafer in process, says what stays, and sends what was entered', async () => {
    const { user, callsTo, onClose } = await opens(OutputDialog, module, answers);
    expect(await screen.findByRole('dialog', { name: 'Record output · BCO1' })).toBeTruthy();
    expect(await screen.findAllByRole('row')).toHaveLength(3);
    await user.type(screen.getByLabelText('Good LOT1 01'), '90');
    await user.type(screen.getByLabelText('Loss LOT1 01'), '10');
    expect(sums()).toBe('In process 140 · good 90 · loss 10 · stays 40');
    await user.type(screen.getByLabelText('Date code'), ' 2648 ');
    await user.click(press());
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(callsTo(call(module, 'recordOutput')).map((it) => it.input)).toEqual([
      {
        ...{ id: '5', version: 4, dateCode: '2648', remark: null },
        positions: [{ position: 'W1/01', outputs: [{ bin: null, qty: 90 }], lossQty: 10 }],
      },
    ]);
  });

  it('takes all as good by one press, and sends no more than is in process, nor nothing', async () => {
    const { user, callsTo } = await opens(OutputDialog, module, answers);
    await screen.findAllByRole('row');
    await user.click(press());
    expect((await screen.findByRole('alert')).textContent).toMatch(/required/i);
    await user.click(screen.getByRole('button', { name: 'All good' }));
    expect(sums()).toBe('In process 140 · good 140 · loss 0 · stays 0');
    await user.type(screen.getByLabelText('Loss LOT1 01'), '1');
    await user.click(press());
    expect((await screen.findByRole('alert')).textContent).toBe('LOT1 / 01: 101 reported, only 100 still in process');
    expect(callsTo(call(module, 'recordOutput'))).toEqual([]);
  });

  it('of a final test is entered by bins, a group a row', async () => {
    const ft = 'icopFtWorkOrder';
    const group = { ...wafer('1', 100), position: '1' };
    const { user, callsTo } = await opens(OutputDialog, ft, {
      [call(ft, 'toRecordOutput')]: { ...asked, bank: '9', bins: ['1', '2', '3'], positions: [group] },
      [call(ft, 'recordOutput')]: made,
    });
    await user.type(await screen.findByLabelText('bin1 LOT1 1'), '70');
    await user.type(screen.getByLabelText('bin3 LOT1 1'), '20');
    expect(screen.queryByRole('button', { name: 'All good' })).toBeNull();
    await user.click(press());
    await waitFor(() => expect(callsTo(call(ft, 'recordOutput'))).toHaveLength(1));
    expect(callsTo(call(ft, 'recordOutput'))[0]?.input['positions']).toEqual([
      {
        position: '1',
        outputs: [
          { bin: '1', qty: 70 },
          { bin: '3', qty: 20 },
        ],
        lossQty: 0,
      },
    ]);
  });

  it('says where nothing is left, and why a report was refused', async () => {
    const nothing = { ...asked, positions: [wafer('02', 0)] };
    const empty = await opens(OutputDialog, module, { ...answers, [call(module, 'toRecordOutput')]: nothing });
    expect(await screen.findByText('Nothing of this order is still in process')).toBeTruthy();
    expect(press().hasAttribute('disabled')).toBe(true);
    empty.unmount();
    const refused = { ...answers, [call(module, 'recordOutput')]: refuses('quantityGone', 'W1/01 is gone') };
    const { user } = await opens(OutputDialog, module, refused);
    await user.click(await screen.findByRole('button', { name: 'All good' }));
    await user.click(press());
    expect(await screen.findByText(/W1\/01 is gone/)).toBeTruthy();
    expect(sums()).toContain('good 140');
  });

  it('of more than is in process goes to the server where some was booked before: it says when and by whom', async () => {
    const refused = { ...answers, [call(module, 'recordOutput')]: refuses('rowThereGone', 'booked before') };
    const { user } = await opens(OutputDialog, module, refused);
    await user.type(await screen.findByLabelText('Good LOT1 03'), '60');
    await user.click(press());
    expect(await screen.findByText(/booked before/)).toBeTruthy();
  });

  it('that was booked before is shown with when and by whom, and is booked once more only where that is confirmed', async () => {
    const told = 'LOT1 / 01: booked before (2026-11-30 09:00:00 planner)';
    const { user, callsTo } = await opens(OutputDialog, module, {
      ...answers,
      [call(module, 'recordOutput')]: () =>
        refused('rowThere', told, { data: { repeats: [{ position: 'W1/01', repeat: 2 }] } }),
    });
    await user.type(await screen.findByLabelText('Good LOT1 01'), '90');
    await user.type(screen.getByLabelText('Good LOT1 03'), '4');
    await user.click(press());
    expect(await screen.findByText(told)).toBeTruthy();
    expect(press().hasAttribute('disabled')).toBe(true);
    // Other quantities are another report.
    await user.type(screen.getByLabelText('Loss LOT1 03'), '1');
    expect(screen.queryByText(told)).toBeNull();
    await user.click(press());
    await user.click(await screen.findByLabelText('As much came once more: book it as well'));
    await user.click(press());
    await waitFor(() => expect(callsTo(call(module, 'recordOutput'))).toHaveLength(3));
    expect(callsTo(call(module, 'recordOutput')).at(-1)?.input['positions']).toEqual([
      { position: 'W1/01', outputs: [{ bin: null, qty: 90 }], lossQty: 0, repeat: 2 },
      { position: 'W1/03', outputs: [{ bin: null, qty: 4 }], lossQty: 1 },
    ]);
  });

  it('that somebody else reported meanwhile is told with old and new, and what was entered stays', async () => {
    const { user, callsTo } = await opens(OutputDialog, module, {
      ...{ ...answers, [call(module, 'recordOutput')]: refuses('stale', 'changed') },
      [call(module, 'queryById')]: changedTo(module, 5),
    });
    await user.type(await screen.findByLabelText('Good LOT1 01'), '90');
    await user.click(press());
    const told = within(await screen.findByRole('alert'));
    expect(told.getAllByRole('cell').map((it) => it.textContent)).toEqual(['Came', '10', '18']);
    const asked = callsTo(call(module, 'toRecordOutput')).length;
    await user.click(told.getByRole('button', { name: 'Look again' }));
    await waitFor(() => expect(callsTo(call(module, 'toRecordOutput')).length).toBeGreaterThan(asked));
    expect(screen.getByLabelText('Good LOT1 01')).toHaveProperty('value', '90');
  });
});

describe('wafers of the foundry', () => {
  const module = 'icopWaferWorkOrder';
  const toCome = { version: 3, workOrderNo: 'BCO1', waferQty: 25, outputQty: 10, lossQty: 1, grossDie: 520 };
  const answers = {
    [call(module, 'toReceiveWafers')]: toCome,
    [call(module, 'receiveWafers')]: { ...made, wipId: 'W9' },
  };

  it('come lot by lot, with the dies that their part has', async () => {
    const { user, callsTo, onClose } = await opens(ReceiveWafersDialog, module, answers);
    expect(await screen.findByText('Ordered 25 · received 10 · still to come 14')).toBeTruthy();
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('Wafer lot'), ' N7X1 ');
    await user.type(dialog.getByLabelText('Wafers'), '11-15');
    expect(dialog.getByText('Wafers: 5')).toBeTruthy();
    await user.click(press());
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(callsTo(call(module, 'receiveWafers')).map((it) => it.input)).toEqual([
      { id: '5', version: 3, waferLotId: 'N7X1', waferIds: '11-15', dies: 520, missing: 1, remark: null },
    ]);
  });

  it('go by how many will not come as it was shown; what somebody else told is not written over', async () => {
    const { user, callsTo } = await opens(ReceiveWafersDialog, module, {
      ...{ ...answers, [call(module, 'receiveWafers')]: refuses('stale', 'changed') },
      [call(module, 'queryById')]: changedTo(module, 4),
    });
    await screen.findByText(/still to come/);
    await user.type(screen.getByLabelText('Wafer lot'), 'N7X1');
    await user.type(screen.getByLabelText('Wafers'), '11-15');
    await user.click(press());
    const told = within(await screen.findByRole('alert'));
    expect(told.getAllByRole('cell').map((it) => it.textContent)).toEqual(['Came', '10', '18']);
    const asked = callsTo(call(module, 'toReceiveWafers')).length;
    await user.click(told.getByRole('button', { name: 'Look again' }));
    await waitFor(() => expect(callsTo(call(module, 'toReceiveWafers')).length).toBeGreaterThan(asked));
    expect(screen.getByLabelText('Wafer lot')).toHaveProperty('value', 'N7X1');
  });

  it('are refused where more come than were ordered, or their numbers are none', async () => {
    const { user, callsTo } = await opens(ReceiveWafersDialog, module, answers);
    await screen.findByText(/still to come/);
    await user.type(screen.getByLabelText('Wafer lot'), 'N7X1');
    await user.type(screen.getByLabelText('Wafers'), '26');
    await user.click(press());
    expect((await screen.findByRole('alert')).textContent).toContain('01-25');
    await user.clear(screen.getByLabelText('Wafers'));
    await user.type(screen.getByLabelText('Wafers'), '01-20');
    await user.click(press());
    expect((await screen.findByRole('alert')).textContent).toBe('20 wafers, only 14 are still to come');
    expect(callsTo(call(module, 'receiveWafers'))).toEqual([]);
  });
});
