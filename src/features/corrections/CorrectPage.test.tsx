// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { DataProviderContext } from 'ra-core';
import { describe, expect, it } from 'vitest';
import { dataProvider } from '#app/dataProvider.ts';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import CorrectPage from './CorrectPage.tsx';
import ResubmitPage from './ResubmitPage.tsx';

const call = '/api/rmaRepairFeeBill/correct.json';
const again = '/api/rmaCorrectionBill/resubmit.json';
const columns = [
  { name: 'sn', label: 'SN', type: 'String', format: 'code' },
  { name: 'includingTaxAmount', label: 'Amount incl. tax', type: 'BigDecimal' },
];
const view = (module: string, list: string) => ({
  ...{ module, label: 'Bill', fields: [{ name: 'crbId', label: 'Bill', type: 'String' }] },
  lines: { [list]: { label: 'Lines', columns } },
});
const bill = (billStatus: string) => ({
  ...{ id: 7, version: 4, rfbId: 'RFB1', billStatus, currency: 'CNY' },
  rmaRepairFeeBillLineList: [
    { id: 1, sn: 'A1', salesName: 'RX-19', includingTaxAmount: '113.000000' },
    { id: 2, sn: 'A2', salesName: 'RX-19', includingTaxAmount: '50.000000' },
  ],
  view: view('rmaRepairFeeBill', 'rmaRepairFeeBillLineList'),
});
const correction = {
  ...{ id: 3, version: 2, crbId: 'CRB1', billStatus: '1', currency: 'CNY', reviewRemark: 'half of it' },
  rmaCorrectionBillLineList: [
    { id: 9, lineId: 1, sn: 'A1', settledAmount: '113', includingTaxAmount: '-113.000000', reason: 'twice' },
  ],
  view: view('rmaCorrectionBill', 'rmaCorrectionBillLineList'),
};
const done = { id: 3, crbId: 'CRB1', billStatus: '0', lineCount: 1, includingTaxAmount: '-10.50' };
const opens = (billStatus = '6', answer: unknown = done) =>
  openPage(
    <DataProviderContext.Provider value={dataProvider}>
      <CorrectPage menuNo="rmaRepairFeeBillList" id="7" />
    </DataProviderContext.Provider>,
    {
      lang: 'en',
      answers: {
        '/api/rmaRepairFeeBill/queryById.json': bill(billStatus),
        '/api/rmaRepairFeeBill/leftOfLines.json': { lines: [{ lineId: 1, left: '100' }] },
        [call]: answer,
      },
    },
  );
const hand = () => screen.getByRole('button', { name: 'Submit correction' });
const field = (name: string) => screen.getByRole('textbox', { name });

describe('a settled bill that is corrected', () => {
  it('says what is left of each line, and sends credits and debits with their reasons', async () => {
    const { user, callsTo, where } = await opens();
    expect(await screen.findByText('¥100.00')).toBeTruthy();
    await user.type(field('Amount A1'), '10.5');
    await user.type(field('Reason A1'), 'charged twice');
    await user.click(screen.getByRole('combobox', { name: 'Credit or debit A2' }));
    await user.click(await screen.findByRole('option', { name: 'Debit' }));
    await user.type(field('Amount A2'), '3');
    await user.type(field('Reason A2'), 'forgotten');
    expect(screen.getByText('Lines: 2, in all -¥7.50')).toBeTruthy();
    await user.click(hand());
    await waitFor(() => expect(where()).toBe('/rmaCorrectionBillList/detail/3'));
    expect(callsTo(call).map((it) => it.input)).toEqual([
      {
        ...{ id: 7, version: 4 },
        lines: [
          { lineId: 1, amount: '-10.5', reason: 'charged twice' },
          { lineId: 2, amount: '3', reason: 'forgotten' },
        ],
      },
    ]);
  });

  it('says early what the server would refuse: nothing entered, more than is left, no reason', async () => {
    const { user, callsTo } = await opens();
    await screen.findByText('¥100.00');
    await user.click(hand());
    expect(await screen.findByText('Enter an amount for at least one line')).toBeTruthy();
    await user.type(field('Amount A1'), '100.01');
    await user.click(hand());
    // At its line, and below for one that is on another page.
    expect(await screen.findAllByText(/Only ¥100\.00 is left of this line/)).toHaveLength(2);
    expect(field('Reason A1').getAttribute('aria-invalid')).toBe('true');
    expect(callsTo(call)).toEqual([]);
  });

  it('says a refusal where it was asked for, and keeps what was entered', async () => {
    const { user, where } = await opens('6', refuses('creditTooMuch', 'Only 20.00 is left'));
    await screen.findByText('¥100.00');
    await user.type(field('Amount A1'), '30');
    await user.type(field('Reason A1'), 'charged twice');
    await user.click(hand());
    expect(await screen.findByText(/Only 20.00 is left/)).toBeTruthy();
    expect(where()).toBe('/here');
  });

  it('is nothing to correct before it is settled', async () => {
    await opens('5');
    expect(await screen.findByText(/not settled/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Submit correction' })).toBeNull();
  });
});

describe('a rejected correction', () => {
  it('is changed from what it said, and handed in again', async () => {
    const { user, callsTo } = await openPage(
      <DataProviderContext.Provider value={dataProvider}>
        <ResubmitPage menuNo="rmaCorrectionBillList" id="3" />
      </DataProviderContext.Provider>,
      {
        lang: 'en',
        answers: {
          '/api/rmaCorrectionBill/queryById.json': correction,
          '/api/rmaCorrectionBill/leftOfLines.json': { lines: [{ lineId: 1, left: '113' }] },
          [again]: done,
        },
      },
    );
    expect(await screen.findByText('half of it')).toBeTruthy();
    await user.clear(field('Amount A1'));
    await user.type(field('Amount A1'), '56.5');
    await user.click(hand());
    await waitFor(() =>
      expect(callsTo(again).map((it) => it.input)).toEqual([
        { id: 3, version: 2, lines: [{ lineId: 1, amount: '-56.5', reason: 'twice' }] },
      ]),
    );
  });
});
