// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import StoreStartDialog from './StoreStartDialog.tsx';

const path = '/api/rmaStoreBill/storeStart.json';
const opens = async (answer: unknown, rows: DialogProps['rows'] = []) => {
  const [onDone, onClose] = [vi.fn(), vi.fn()];
  const button = { btnNo: 'storeStart', btnName: 'Activate inventory', btnScript: 'storeStart' };
  const props = { button, rows, onDone, onClose } as unknown as DialogProps;
  const page = await openPage(<StoreStartDialog {...props} />, { lang: 'en', answers: { [path]: answer } });
  const confirm = () => page.user.click(screen.getByRole('button', { name: 'Activate inventory' }));
  const fill = (name: RegExp, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });
  return { ...page, onDone, onClose, confirm, fill };
};

describe('the activation of inventory', () => {
  it('asks for an SN, a warehouse and a remark; without an SN nothing is sent [S-INV-01] [S-INV-02] [W-STO-08]', async () => {
    const { confirm, fill, callsTo, onDone, onClose } = await opens({ sn: 'RX1', nextNode: '10' });
    expect(screen.getByLabelText(/Source warehouse/)).toBeTruthy();
    await confirm();
    expect(screen.getByText('The required fields must not be empty')).toBeTruthy();
    expect(callsTo(path)).toEqual([]);
    fill(/Device SN/, ' rx1 ');
    fill(/Remark/, 'found');
    await confirm();
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(callsTo(path)[0]?.input).toEqual({ sn: 'RX1', subinventoryCode: 'DEF', remark: 'found' });
    expect(onClose).toHaveBeenCalled();
  });

  it('takes the SN of the row for which it was opened', async () => {
    const { confirm, callsTo } = await opens({ sn: 'RX2', nextNode: '10' }, [{ id: 1, sn: 'RX2' }]);
    await confirm();
    await waitFor(() => expect(callsTo(path)[0]?.input).toMatchObject({ sn: 'RX2' }));
  });

  it('says why it was refused, and stays open', async () => {
    const { confirm, fill, onClose } = await opens(refuses('inHouse', 'SN RX1 is already in house'));
    fill(/Device SN/, 'RX1');
    await confirm();
    expect((await screen.findByRole('alert')).textContent).toContain('is already in house');
    expect(onClose).not.toHaveBeenCalled();
  });

  it('opened from the inventory says of an SN why it can’t be, or where it stands, before it is sent [S-INV-03]', async () => {
    const [onDone, onClose] = [vi.fn(), vi.fn()];
    const button = { btnNo: 'activation', btnName: 'Inventory activation', btnScript: 'activation' };
    const props = { module: 'rmaInventory', button, rows: [], onDone, onClose } as unknown as DialogProps;
    const calls = { look: '/api/rmaInventory/validateSn.json', activate: '/api/rmaInventory/activate.json' };
    const known = {
      sn: 'RX2',
      ivyId: '40',
      type: '0',
      salesCode: 'RX19',
      itemName: 'RX-19 Pro',
      subinventoryCode: null,
    };
    const { user, callsTo } = await openPage(<StoreStartDialog {...props} />, {
      lang: 'en',
      answers: {
        [calls.look]: ({ sn }: { sn?: unknown }) => (sn === 'RX1' ? refuses('shipped', 'SN RX1 is gone') : known),
        [calls.activate]: { sn: 'RX2', nextNode: '10' },
      },
    });
    const field = screen.getByLabelText(/Device SN/);
    await user.type(field, 'rx1');
    await user.tab();
    expect(await screen.findByText('SN RX1 is gone')).toBeTruthy();
    await user.clear(field);
    await user.type(field, 'rx2');
    await user.tab();
    expect(await screen.findByText('Scrapped or discarded · RX-19 Pro')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Inventory activation' }));
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(callsTo(calls.activate)[0]?.input).toMatchObject({ sn: 'RX2' });
  });
});
