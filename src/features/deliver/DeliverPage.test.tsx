// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import DeliverPage from './DeliverPage.tsx';

const paths = {
  load: '/api/rmaStockupBill/loadStockupBill.json',
  check: '/api/rmaDeliverBill/attemptDeliver.json',
  submit: '/api/rmaDeliverBill/submitDeliverBill.json',
  rebind: '/api/rmaDeliverBill/rebindSn.json',
};
const billLine = (sn: string, itemId: number) => ({
  skblId: `SKL${itemId}`,
  itemId,
  sn,
  mtblId: 'MBL1',
  salesCode: 'RX21-188T',
  productName: 'RX-21',
  delivered: '0',
  deliverPriority: '0',
});
const loaded = (lines: ReturnType<typeof billLine>[]) => ({
  bill: {
    id: 1,
    skbId: 'SKB1',
    mtbId: 'MTB1',
    status: '0',
    deliverShipNo: 'SF9',
    deliverShipId: null,
    allCount: 2,
    deliveredCount: 0,
    userName: 'Acme',
    mobile: null,
    address: null,
    rmaStockupBillLineList: lines,
  },
  maintainBillLines: [
    {
      mtbId: 'MTB1',
      mtblId: 'MBL1',
      type: '0',
      salesCode: 'RX21-188T',
      productName: 'RX-21',
      userName: 'Acme',
      deliverCount: 0,
      shouldDeliverCount: 2,
    },
  ],
});
const unit = ({ sn }: { sn: string }) => ({
  sn,
  deliverItemId: 11,
  sklId: 'SKL11',
  mtblId: 'MBL1',
  salesCode: 'RX21-188T',
  name: 'RX-21',
  needRebind: '0',
});

async function opens(more: Answers = {}, address = '/here') {
  const page = await openPage(<DeliverPage menuNo="rmaDeliverBillList" />, {
    lang: 'en',
    address,
    answers: {
      [paths.load]: loaded([billLine('SN0001', 11), billLine('SN0002', 12)]),
      [paths.check]: unit,
      [paths.submit]: { dvbId: 'DVB1', deliveredCount: 1, remainCount: 1, stockupStatus: '1' },
      ...more,
    },
  });
  const enter = (name: RegExp | string, text: string) => {
    const field = screen.getByLabelText(name);
    fireEvent.change(field, { target: { value: text } });
    fireEvent.keyDown(field, { key: 'Enter' });
  };
  return { ...page, enter, scan: (sn: string) => enter('Scan SN', sn), load: () => enter(/Outbound waybill/, 'SF9') };
}
const verdict = () => document.querySelector('[data-verdict]')?.textContent;

describe('the delivery station', () => {
  it('loads the bill that its address names and then scans the SN that it brings', async () => {
    const { callsTo } = await opens({}, '/deliver?shipNo=SKB1&sn=SN0001');
    expect(await screen.findByText('1 still to scan')).toBeTruthy();
    expect(callsTo(paths.load).map((it) => it.input)).toEqual([{ deliverShipNo: 'SKB1' }]);
    expect(callsTo(paths.check).map((it) => it.input)).toEqual([{ sn: 'SN0001', skbId: 'SKB1' }]);
    expect(document.activeElement).toBe(screen.getByLabelText('Scan SN'));
  });

  it('keeps the SN of its address while its bill cannot be loaded', async () => {
    const { callsTo } = await opens(
      { [paths.load]: refuses('billNotFound', 'No such bill') },
      '/deliver?shipNo=SKB9&sn=SN0001',
    );
    expect(await screen.findByText(/SN0001 will be scanned/)).toBeTruthy();
    expect(callsTo(paths.check)).toEqual([]);
  });

  it('loads no bill without a number, and takes no SN without a bill [W-DLV-05]', async () => {
    const { enter, scan, asked } = await opens();
    enter(/Outbound waybill/, ' ');
    expect(await screen.findAllByText('Enter the number and load the stock-up bill first')).not.toHaveLength(0);
    // Until it is known whether one was left here, a scan is its number.
    await waitFor(() => expect(document.querySelector('input[data-first]')).toBeTruthy());
    scan('SN0001');
    await waitFor(() => expect(verdict()).toContain('Enter the number and load the stock-up bill first'));
    expect(asked).toEqual([]);
  });

  it('says that a bill has nothing left to deliver [W-DLV-06]', async () => {
    const { load } = await opens({ [paths.load]: loaded([]) });
    load();
    expect(await screen.findByText('The bill has no lines to deliver')).toBeTruthy();
  });

  it.each([
    ['completeDelivery', 0],
    ['noTally', 2],
  ] as const)('takes a loaded bill as delivered only when the server says so: %s', async (key, left) => {
    let isAsked = false;
    const whole = loaded([billLine('SN0001', 11), billLine('SN0002', 12)]);
    const { load, callsTo } = await opens({ [paths.load]: () => (isAsked ? refuses(key, 'no') : whole) });
    load();
    await screen.findByText('2 still to scan');
    isAsked = true;
    load();
    await waitFor(() => expect(callsTo(paths.load)).toHaveLength(2));
    // It stands at the field, and for a while in the verdict too.
    expect(await screen.findAllByText('no')).not.toHaveLength(0);
    expect(screen.queryAllByText('2 still to scan')).toHaveLength(left ? 1 : 0);
  });

  it('counts a scanned device as delivered and one less as remaining [W-DLV-07] [W-DLV-14]', async () => {
    const { load, scan, callsTo } = await opens();
    load();
    expect(await screen.findByText('2 still to scan')).toBeTruthy();
    scan('SN0001');
    expect(await screen.findByText('1 still to scan')).toBeTruthy();
    expect(screen.getByRole('group', { name: 'Delivered (incl. scanned) of expected' }).textContent).toContain('1 / 2');
    expect(callsTo(paths.check)[0]?.input).toEqual({ sn: 'SN0001', skbId: 'SKB1' });
  });

  it('submits what was scanned as a delivery with SN [W-DLV-03] [W-DLV-04] [W-DLV-13] [W-DLV-15]', async () => {
    const { load, scan, callsTo } = await opens();
    load();
    await screen.findByText('2 still to scan');
    scan('SN0001');
    await screen.findByRole('button', { name: 'Deliver 1 unit' });
    fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
    await waitFor(() => expect(callsTo(paths.submit)).toHaveLength(1));
    expect(callsTo(paths.submit)[0]?.input).toEqual({
      skbId: 'SKB1',
      submitType: '0',
      rmaDeliverBillLineList: [
        { deliverItemId: 11, deliverSn: 'SN0001', sklId: 'SKL11', submitCount: 1, salesCode: 'RX21-188T' },
      ],
    });
  });

  it('says why an SN does not belong to the bill, in another sound than a refusal [W-DLV-08]', async () => {
    const words = 'Sales code RX19 of SN SN9 does not match any bill line';
    const { load, scan } = await opens({ [paths.check]: refuses('mismatch', words) });
    load();
    await screen.findByText('2 still to scan');
    scan('SN9');
    await waitFor(() => expect(document.querySelector('[data-verdict]')?.getAttribute('data-verdict')).toBe('wrong'));
    await waitFor(() => expect(verdict()).toContain('does not match any bill line'));
  });
});

describe('the tabs of a delivery', () => {
  const board = (itemId: number) => ({ ...billLine(`BRSN${itemId}`, itemId), mtblId: 'MBL2', salesCode: 'HB19' });
  const mixed = () => {
    const { bill, maintainBillLines } = loaded([billLine('SN0001', 11)]);
    const rmaStockupBillLineList = [
      ...bill.rmaStockupBillLineList,
      { ...board(20), delivered: '1' },
      board(21),
      board(22),
    ];
    const [device] = maintainBillLines;
    const boards = { ...device, mtblId: 'MBL2', type: '1', salesCode: 'HB19', deliverCount: 1, shouldDeliverCount: 3 };
    return { bill: { ...bill, rmaStockupBillLineList }, maintainBillLines: [device, boards] };
  };
  const tab = (name: string) => screen.getByRole('tab', { name });

  it('are those of devices and of boards, and nothing else [W-DLV-01]', async () => {
    const { user, load } = await opens({ [paths.load]: mixed() });
    expect(screen.getAllByRole('tab').map((it) => it.textContent)).toEqual(['Device', 'Board']);
    load();
    expect(await screen.findByText('1 still to scan')).toBeTruthy();
    await user.click(tab('Board'));
    expect(screen.queryByLabelText('Scan SN')).toBeNull();
    expect(screen.getAllByRole('radio')).toHaveLength(1);
    await user.click(tab('Device'));
    expect(screen.getByLabelText('Scan SN')).toBeTruthy();
  });

  it('count boards: the selected row is set when the count is that of the line [W-DLV-11]', async () => {
    const answer = mixed();
    const [device, boards] = answer.maintainBillLines;
    const other = { ...boards, mtblId: 'MBL3', salesCode: 'HB21' };
    const { user, enter, load, callsTo } = await opens({
      [paths.load]: { ...answer, maintainBillLines: [device, boards, other] },
    });
    await user.click(tab('Board'));
    const findMessage = () =>
      screen
        .getAllByRole('alert')
        .map((it) => it.textContent)
        .join();
    enter('Deliver count', '2');
    expect(findMessage()).toContain('Enter the number and load the stock-up bill first');
    load();
    await screen.findByRole('radio', { name: 'Choose HB19' });
    enter('Deliver count', '2');
    expect(findMessage()).toContain('Select the Data');
    await user.click(screen.getByRole('radio', { name: 'Choose HB19' }));
    for (const wrong of ['1', '3', '0', '']) {
      enter('Deliver count', wrong);
      expect(findMessage()).toContain('The count does not match, please confirm the count');
    }
    await user.click(screen.getByRole('button', { name: 'Deliver 0 boards' }));
    expect(callsTo(paths.submit)).toEqual([]);
    enter('Deliver count', '2');
    await user.click(await screen.findByRole('button', { name: 'Deliver 2 boards' }));
    await waitFor(() => expect(callsTo(paths.submit)).toHaveLength(1));
    expect(callsTo(paths.submit)[0]?.input).toEqual({
      skbId: 'SKB1',
      submitType: '2',
      rmaDeliverBillLineList: [{ sklId: 'SKL21', salesCode: 'HB19', submitCount: 2 }],
    });
  });
});

describe('the only line of boards', () => {
  it('is chosen by itself, and its count is entered at once', async () => {
    const { bill, maintainBillLines } = loaded([]);
    const board = { ...billLine('BRSN21', 21), mtblId: 'MBL2', salesCode: 'HB19' };
    const [line] = maintainBillLines;
    const boards = { ...line, mtblId: 'MBL2', type: '1', salesCode: 'HB19', deliverCount: 0, shouldDeliverCount: 1 };
    const answer = { bill: { ...bill, rmaStockupBillLineList: [board] }, maintainBillLines: [boards] };
    const { user, load } = await opens({ [paths.load]: answer });
    await user.click(screen.getByRole('tab', { name: 'Board' }));
    load();
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Choose HB19' })).checked).toBe(true);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Deliver count')));
    await user.keyboard('1{Enter}');
    expect(screen.getByRole('button', { name: 'Deliver 1 board' })).toBeTruthy();
  });
});

describe('a device without known parts', () => {
  const unbound = { [paths.check]: (it: { sn: string }) => ({ ...unit(it), needRebind: '1' }) };

  it('asks for them as soon as it is scanned, and saves them [W-DLV-02] [W-DLV-17]', async () => {
    let isBound = false;
    const { user, load, scan, callsTo } = await opens({
      [paths.check]: (it: { sn: string }) => ({ ...unit(it), needRebind: isBound ? '0' : '1' }),
      [paths.rebind]: () => {
        isBound = true;
        return { sn: 'SN0001', partsCount: 3 };
      },
    });
    load();
    await screen.findByText('2 still to scan');
    scan('SN0001');
    const dialog = await screen.findByRole('dialog', { name: 'Assembly of SN0001' });
    await user.click(within(dialog).getByLabelText(/Computing boards/));
    await user.click(await screen.findByRole('option', { name: '1' }));
    await user.click(within(dialog).getByRole('button', { name: 'Save assembly' }));
    expect(callsTo(paths.rebind)).toEqual([]);
    expect(within(dialog).getAllByText(/required fields must not be empty/)).not.toHaveLength(0);
    const fill = (name: string, value: string) =>
      fireEvent.change(within(dialog).getByLabelText(new RegExp(`^${name}\\W*$`)), { target: { value } });
    fill('Power SN', 'p1');
    fill('Controls SN', 'XXXX');
    fill('Board 1 SN', 'b1');
    fill('Board 1 SN QR code', 'Q'.repeat(17));
    await user.click(within(dialog).getByRole('button', { name: 'Save assembly' }));
    await waitFor(() => expect(callsTo(paths.rebind)).toHaveLength(1));
    expect(callsTo(paths.rebind)[0]?.input).toEqual({
      sn: 'SN0001',
      partsList: [
        { sn: 'P1', component_type: 'COIT000000S1', qrCodeNum: '' },
        { sn: 'XXXX', component_type: 'COIT000000RZ', qrCodeNum: '' },
        { sn: 'B1', component_type: 'COIT000000S0', qrCodeNum: 'Q'.repeat(17) },
      ],
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(verdict()).toBe('SN0001 Verified'));
    expect(screen.queryByText(/No parts/)).toBeNull();
    expect(await screen.findByRole('button', { name: 'Deliver 1 unit' })).toBeTruthy();
  });

  it('leaves without them when nobody enters any', async () => {
    const { user, load, scan, callsTo } = await opens(unbound);
    load();
    await screen.findByText('2 still to scan');
    scan('SN0001');
    const dialog = await screen.findByRole('dialog', { name: 'Assembly of SN0001' });
    await user.click(within(dialog).getByRole('button', { name: 'Ship without parts' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
    await waitFor(() => expect(callsTo(paths.submit)).toHaveLength(1));
    expect(callsTo(paths.rebind)).toEqual([]);
  });

  it('takes their parts when the device is scanned again, and holds up nobody who goes on', async () => {
    const { load, scan } = await opens(unbound);
    load();
    await screen.findByText('2 still to scan');
    scan('SN0001');
    const dialog = await screen.findByRole('dialog', { name: 'Assembly of SN0001' });
    scan('SN0002');
    await waitFor(() => expect(document.querySelectorAll('tr[data-state=ok]')).toHaveLength(2));
    expect(dialog.contains(document.activeElement)).toBe(true);
    expect(document.activeElement?.tagName).not.toBe('INPUT');
    scan('sn0001');
    await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText(/^Power SN/)));
    expect(document.querySelectorAll('tr[data-state]')).toHaveLength(2);
  });
});
