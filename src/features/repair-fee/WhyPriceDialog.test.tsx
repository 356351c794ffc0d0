// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { DialogProps } from '#app/parts/dialog.ts';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import WhyPriceDialog from './WhyPriceDialog.tsx';

const call = '/api/rmaRepairFeeBillLine/whyPrice.json';
const work = {
  ...{
    siteName: 'Shenzhen',
    repairProject: '1',
    machineType: 'RX-19',
    warranty: '1',
    repairType: '2',
    day: '2026-10-05',
  },
};
const priced = {
  ...{
    sn: 'A1',
    expense: null,
    unitPrice: '113.000000',
    supplierName: 'S',
    currency: 'CNY',
    near: [],
    isAnew: false,
    work,
  },
  ...{ was: { reason: '1', prbId: 'PRB2026010100001' }, now: { reason: '1', prbId: 'PRB2026010100001', count: 1 } },
};
const opens = (answer: unknown) => {
  const props = { rows: [{ id: 5 }], button: { btnName: 'Why this price' }, onClose: () => undefined };
  return openPage(<WhyPriceDialog {...(props as unknown as DialogProps)} />, {
    lang: 'en',
    answers: { [call]: answer },
  });
};

describe('why this price', () => {
  it('names the price bill, and what it was found by', async () => {
    const { callsTo } = await opens(priced);
    expect(await screen.findByRole('dialog', { name: 'Why this price · A1' })).toBeTruthy();
    expect(screen.getByText(/¥113.00 per unit, from price bill/)).toBeTruthy();
    expect(screen.getByText('PRB2026010100001')).toBeTruthy();
    for (const it of ['Shenzhen', 'Whole device', 'RX-19', 'In warranty', 'Defective', '2026-10-05', 'S'])
      expect(screen.getByText(it), it).toBeTruthy();
    expect(screen.queryByText(/At today's prices/)).toBeNull();
    expect(callsTo(call)[0]?.input).toEqual({ id: '5', lang: 'en' });
  });

  it('says that the work is another one since it was priced', async () => {
    await opens({ ...priced, isAnew: true });
    expect(
      await screen.findByText(/Work was rolled back and the item was ended again after this was priced/),
    ).toBeTruthy();
  });

  it('shows what comes near and what it misses, and what would be found now', async () => {
    const near = {
      ...{ prbId: 'PRB2026010100002', supplierName: 'T', currency: 'USD', unitPriceWithTax: '9.000000' },
      ...{ effectiveDate: '2026-01-01', expirationDate: '2026-10-04', misses: ['day'] },
    };
    await opens({
      ...priced,
      was: { reason: '4', prbId: null },
      now: { reason: '5', prbId: null, count: 2 },
      near: [near, { ...near, prbId: 'PRB2026010100003', misses: [] }],
    });
    expect(await screen.findByText('No passed price applies to this work on that day')).toBeTruthy();
    expect(screen.getByText(/At today's prices it would be: Prices of several suppliers/)).toBeTruthy();
    expect(screen.getAllByText('Day')).toHaveLength(2);
    expect(screen.getByText('matches')).toBeTruthy();
    expect(screen.getAllByText('$9.00')).toHaveLength(2);
  });

  it('names the expense, and says a refusal', async () => {
    const first = await opens({ ...priced, sn: null, expense: 'MEB2026010100001' });
    expect(await screen.findByText(/Amount taken from expense bill/)).toBeTruthy();
    first.unmount();
    await opens(refuses('notFound', 'It does not exist'));
    expect(await screen.findByText(/It does not exist/)).toBeTruthy();
  });
});
