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
const settled = { version: 4, no: 'RFB1', total: '163.000000', supplierName: 'Repairs Ltd', recPeriod: '2026-10' };
const left = {
  settled,
  lines: [{ lineId: 1, left: '100' }],
  others: [{ lineId: 1, crbId: 'CRB0', billStatus: '0', amount: '-13.000000' }],
};
const opens = (billStatus = '6', answer: unknown = done, leftNow: object = left) =>
  openPage(
    <DataProviderContext.Provider value={dataProvider}>
      <CorrectPage menuNo="rmaRepairFeeBillList" id="7" />
    </DataProviderContext.Provider>,
    {
      lang: 'en',
      answers: {
        '/api/rmaRepairFeeBill/queryById.json': bill(billStatus),
        [leftCall]: leftNow,
        [call]: answer,
      },
    },
  );
const hand = () => screen.getByRole('button', { name: 'Submit correction' });
const leftCall = '/api/rmaRepairFeeBill/leftOfLines.json';
const figure = (label: string) => screen.getByText(label).nextSibling?.textContent;
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

  it('shows whose bill it is, what corrects it already, and what it comes to with what is entered', async () => {
    const { user } = await opens();
    await screen.findByText('¥100.00');
    for (const it of ['RFB1', 'Repairs Ltd', '2026-10', '¥163.00', '-¥13.00'])
      expect(screen.getByText(it)).toBeTruthy();
    expect(screen.getByText('CRB0: -¥13.00 · Awaiting financial review')).toBeTruthy();
    expect(figure('After this correction')).toBe('¥150.00');
    await user.type(field('Amount A1'), '10.5');
    expect(figure('After this correction')).toBe('¥139.50');
  });

  it('goes by what was read first of the bill and of what corrects it', async () => {
    const { user, callsTo } = await opens('6', done, { ...left, settled: { ...settled, version: 3 } });
    await screen.findByText('¥100.00');
    await user.type(field('Amount A1'), '1');
    await user.type(field('Reason A1'), 'charged twice');
    await user.click(hand());
    await waitFor(() => expect(callsTo(call).map((it) => it.input['version'])).toEqual([3]));
  });

  it('keeps nothing that was handed in', async () => {
    const { user, where } = await opens();
    await screen.findByText('¥100.00');
    await user.type(field('Amount A1'), '10.5');
    await user.type(field('Reason A1'), 'charged twice');
    await user.click(hand());
    await waitFor(() => expect(where()).toBe('/rmaCorrectionBillList/detail/3'));
    expect(field('Amount A1')).toHaveProperty('value', '');
    expect(field('Reason A1')).toHaveProperty('value', '');
  });

  it('says what corrected it since, keeps what was entered, and reads anew before it is handed in', async () => {
    const answer = refuses('correctedSince', 'corrected by CRB5');
    const { user, callsTo } = await opens('6', answer);
    await screen.findByText('¥100.00');
    await user.type(field('Amount A1'), '30');
    await user.type(field('Reason A1'), 'charged twice');
    await user.click(hand());
    expect(await screen.findByText(/corrected by CRB5/)).toBeTruthy();
    const asked = callsTo(leftCall).length;
    await user.click(screen.getByRole('button', { name: 'Look again' }));
    await waitFor(() => expect(callsTo(leftCall).length).toBeGreaterThan(asked));
    expect(screen.queryByText(/corrected by CRB5/)).toBeNull();
    expect(field('Amount A1')).toHaveProperty('value', '30.00');
  });

  it('does not leave out a reason without an amount', async () => {
    const { user, callsTo } = await opens();
    await screen.findByText('¥100.00');
    await user.type(field('Amount A2'), '1');
    await user.type(field('Reason A2'), 'charged twice');
    await user.type(field('Reason A1'), 'and this one');
    await user.click(hand());
    expect(await screen.findAllByText(/a reason but no amount/)).toHaveLength(2);
    expect(field('Amount A1').getAttribute('aria-invalid')).toBe('true');
    expect(callsTo(call)).toEqual([]);
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
          '/api/rmaCorrectionBill/leftOfLines.json': {
            settled: { ...settled, version: 6 },
            lines: [{ lineId: 1, left: '113' }],
            others: [],
          },
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
        {
          ...{ id: 3, version: 2, settledVersion: 6 },
          lines: [{ lineId: 1, amount: '-56.5', reason: 'twice' }],
        },
      ]),
    );
  });
});
