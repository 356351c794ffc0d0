// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { DataProviderContext } from 'ra-core';
import { describe, expect, it } from 'vitest';
import { dataProvider } from '#app/dataProvider.ts';
import { currentMenu } from '#app/session.ts';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import CorrectPage from './CorrectPage.tsx';

const record = '/api/rmaRepairFeeBill/queryById.json';
const pager = '/api/rmaRepairFeeBillLine/pager.json';
const call = '/api/rmaRepairFeeBill/resubmit.json';
const choice = (...names: string[]) => names.map((optionName, i) => ({ value: String(i + 1), optionName }));
const select = (name: string, label: string, ...names: string[]) => ({
  ...{ name, label, type: 'select', options: choice(...names) },
});
const columns = [
  { name: 'sn', label: 'SN', type: 'String', format: 'code' },
  { name: 'salesName', label: 'Item', type: 'String' },
  select('repairProject', 'Repair project', 'Whole device', 'Board', 'Power'),
  select('warranty', 'Warranty', 'In warranty'),
  select('repairType', 'Repair type', 'Second-hand', 'Defective'),
  select('isSecondRepair', 'Second repair', 'Yes'),
  { name: 'includingTaxAmount', label: 'Amount incl. tax', type: 'BigDecimal' },
];
const line = {
  repairProject: '1',
  warranty: '1',
  repairType: '2',
  isSecondRepair: '1',
  priceReason: '1',
  includingTaxAmount: '113',
};
const bill = (billStatus: string) => ({
  ...{ id: 7, version: 4, rfbId: 'RFB1', billStatus, currency: 'CNY', reviewRemark: 'the second is a power supply' },
  rmaRepairFeeBillLineList: [
    { ...line, id: 1, sn: 'A1' },
    { ...line, id: 2, sn: 'A2' },
    { ...line, id: 3, remark: 'MEB1', priceReason: '6' },
  ],
  view: {
    ...{ module: 'rmaRepairFeeBill', label: 'Repair-fee bill' },
    fields: [{ name: 'rfbId', label: 'Repair-fee bill', type: 'String' }],
    lines: { rmaRepairFeeBillLineList: { label: 'Lines', columns } },
  },
});
const done = { id: 7, billStatus: '0', supplierName: 'S', currency: 'CNY', lineCount: 2, includingTaxAmount: '146.34' };
const opens = (billStatus = '1', answer: unknown = done, more: object = {}) =>
  openPage(
    <DataProviderContext.Provider value={dataProvider}>
      <CorrectPage menuNo="rmaRepairFeeBillList" id="7" />
    </DataProviderContext.Provider>,
    { lang: 'en', answers: { [record]: bill(billStatus), [call]: answer, ...more } },
  );
const resubmit = () => screen.getByRole('button', { name: 'Resubmit' });

describe('a rejected repair-fee bill that is corrected', () => {
  it('says why it was rejected, and sends what was corrected, what was taken out, and the remark', async () => {
    const { user, callsTo, where } = await opens();
    expect(await screen.findByText(/the second is a power supply/)).toBeTruthy();
    await user.click(screen.getByRole('combobox', { name: 'Repair project A2' }));
    await user.click(await screen.findByRole('option', { name: 'Power' }));
    await user.click(screen.getByRole('button', { name: 'Take out MEB1' }));
    expect(screen.getByText('1 corrected, 1 taken out')).toBeTruthy();
    await user.click(resubmit());
    expect(callsTo(call), 'no remark, nothing sent').toEqual([]);
    await user.type(screen.getByRole('textbox', { name: /What was corrected/ }), ' a power supply ');
    await user.click(resubmit());
    await waitFor(() => expect(where()).toBe('/rmaRepairFeeBillList'));
    expect(callsTo(call).map((it) => it.input)).toEqual([
      {
        ...{ id: 7, version: 4, removed: [3], remark: 'a power supply' },
        corrected: [{ id: 2, repairProject: '3', warranty: '1', repairType: '2', isSecondRepair: '1' }],
      },
    ]);
  });

  it('corrects no expense, and takes back what was taken out', async () => {
    const { user, callsTo } = await opens();
    const rows = await screen.findAllByRole('row');
    expect(within(rows[3] as HTMLElement).queryByRole('combobox')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Take out A1' }));
    await user.click(screen.getByRole('button', { name: 'Put back A1' }));
    await user.type(screen.getByRole('textbox', { name: /What was corrected/ }), 'x');
    await user.click(resubmit());
    await waitFor(() => expect(callsTo(call).map((it) => it.input['removed'])).toEqual([[]]));
  });

  it('finds the lines of a long bill that did not come with it by their SN, and corrects them as well', async () => {
    const long = bill('1');
    const { lines } = long.view;
    const cut = {
      lines: { rmaRepairFeeBillLineList: { ...lines.rmaRepairFeeBillLineList, total: 5003, by: 'rfbId' } },
    };
    currentMenu.set([{ menuNo: 'rmaRepairFeeBillLineList', menuName: 'Lines' }]);
    const first = long.rmaRepairFeeBillLineList.map((it) => ({ ...it, rfbId: 'RFB1' }));
    const { user, callsTo } = await opens('1', done, {
      [record]: { ...long, rmaRepairFeeBillLineList: first, view: { ...long.view, ...cut } },
      [pager]: { items: [{ ...line, id: 5001, sn: 'A5001', rfbId: 'RFB1' }], itemTotal: 1, labels: {}, title: [] },
    });
    expect(await screen.findByText('The first 3 of 5003 lines are shown here')).toBeTruthy();
    const address = screen.getByRole('link', { name: 'All lines' }).getAttribute('href') ?? '';
    expect(address.split('?')[0]).toBe('/rmaRepairFeeBillLineList');
    const { advanced } = JSON.parse(new URLSearchParams(address.split('?')[1]).get('filter') ?? '') as {
      advanced: string;
    };
    expect(JSON.parse(advanced)).toMatchObject({ rules: [{ column: 'rfbId', relation: 'EQUAL_TO', value: 'RFB1' }] });
    await user.type(screen.getByRole('searchbox'), 'A5001');
    await user.click(await screen.findByRole('button', { name: 'Take out A5001' }));
    expect(callsTo(pager).at(-1)?.input).toMatchObject({ rfbId: 'RFB1', sn: 'A5001' });
    await user.type(screen.getByRole('textbox', { name: /What was corrected/ }), 'x');
    await user.click(resubmit());
    await waitFor(() => expect(callsTo(call).map((it) => it.input['removed'])).toEqual([[5001]]));
  });

  it('says a refusal where it was asked for, and keeps what was entered', async () => {
    const { user, where } = await opens('1', refuses('unpriced', 'Lines without a price: 1'));
    await user.type(await screen.findByRole('textbox', { name: /What was corrected/ }), 'x');
    await user.click(resubmit());
    expect(await screen.findByText(/Lines without a price: 1/)).toBeTruthy();
    expect(where()).toBe('/here');
  });

  it('is nothing to correct in another state', async () => {
    await opens('0');
    expect(await screen.findByText(/not rejected by after-sales/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Resubmit' })).toBeNull();
  });
});
