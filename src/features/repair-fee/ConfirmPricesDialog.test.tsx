// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { DialogProps } from '#app/parts/dialog.ts';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import ConfirmPricesDialog from './ConfirmPricesDialog.tsx';

const asked = '/api/rmaRepairFeeBill/changedPrices.json';
const call = '/api/rmaRepairFeeBill/confirmPrices.json';
const line = { prbId: 'PRB1', amount: '113.000000', currency: 'CNY' };
const opens = async (lines: object[], voided: object[] = [], answer: unknown = { id: 7, confirmedCount: 1 }) => {
  const onClose = vi.fn();
  const props = {
    ...{ module: 'rmaRepairFeeBill', rows: [{ id: 7, version: 4, rfbId: 'RFB1' }], onDone: vi.fn(), onClose },
    button: { btnName: 'Confirm prices' },
  };
  const page = await openPage(<ConfirmPricesDialog {...(props as unknown as DialogProps)} />, {
    lang: 'en',
    answers: { [asked]: { lines, voided }, [call]: answer },
  });
  return { ...page, onClose };
};
const verb = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Confirm prices' });

describe('prices that were voided or changed since', () => {
  it('stand beside what they are by now, and stay where a reason is given', async () => {
    const { user, callsTo, onClose } = await opens([
      {
        ...line,
        lineId: 1,
        sn: 'A1',
        now: { prbId: 'PRB2', amount: '120', currency: 'CNY' },
        beside: 'PRB2 120.00 CNY',
      },
      { ...line, lineId: 2, sn: 'A2', now: null, beside: null },
    ]);
    expect(await screen.findByText('A1: PRB1 ¥113.00, by now PRB2 ¥120.00')).toBeTruthy();
    expect(screen.getByText('A2: PRB1 ¥113.00, by now without a price')).toBeTruthy();
    expect(verb().disabled, 'no reason, nothing confirmed').toBe(true);
    await user.type(screen.getByRole('textbox', { name: 'Why A2 keeps its price' }), ' agreed ');
    await user.click(verb());
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(callsTo(call).map((it) => it.input)).toEqual([
      { id: 7, version: 4, lines: [{ lineId: 2, beside: null, reason: 'agreed' }] },
    ]);
  });

  it('may keep it for one reason of all lines of the same price, which says who voided it and when; a line has its own before it', async () => {
    const lines = ['A1', 'A2', 'A3'].map((sn, i) => ({ ...line, lineId: i + 1, sn, now: null, beside: null }));
    const other = { ...line, lineId: 4, sn: 'A4', prbId: 'PRB9', now: null, beside: null };
    const at = Date.UTC(2026, 9, 5, 1, 30);
    const { user, callsTo, onClose } = await opens([...lines, other], [{ prbId: 'PRB1', by: 'Fiona', at }]);
    expect(await screen.findByRole('heading', { name: /^PRB1, voided by Fiona on 2026-10-05 \d\d:30/ })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'PRB9, replaced by another price' })).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: /of PRB9 keep/ }), 'one line alone').toBeNull();
    await user.type(screen.getByRole('textbox', { name: 'Why all lines of PRB1 keep their price (3)' }), ' agreed ');
    await user.type(screen.getByRole('textbox', { name: 'Why A2 keeps its price' }), 'by phone');
    await user.click(verb());
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(callsTo(call).map((it) => it.input)).toEqual([
      {
        ...{ id: 7, version: 4 },
        lines: ['agreed', 'by phone', 'agreed'].map((reason, i) => ({ lineId: i + 1, beside: null, reason })),
      },
    ]);
  });

  it('are read anew where they moved on, and what was typed stays', async () => {
    const lines = [{ ...line, lineId: 1, sn: 'A1', now: null, beside: null }];
    const { user, callsTo } = await opens(lines, [], refuses('priceMoved', 'by now PRB3'));
    await user.type(await screen.findByRole('textbox', { name: 'Why A1 keeps its price' }), 'agreed');
    const before = callsTo(asked).length;
    await user.click(verb());
    expect(await screen.findByText(/by now PRB3/)).toBeTruthy();
    await waitFor(() => expect(callsTo(asked).length).toBeGreaterThan(before));
    expect(screen.getByRole('textbox', { name: 'Why A1 keeps its price' })).toHaveProperty('value', 'agreed');
  });

  it('are none where nothing was voided or changed', async () => {
    await opens([]);
    expect(await screen.findByText('No line waits for its price to be confirmed.')).toBeTruthy();
    expect(verb().disabled).toBe(true);
  });
});
