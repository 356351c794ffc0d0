// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { type Answers, openPage, refuses } from '#app/parts/openPage.tsx';
import { currentUser, type UserState } from '#app/session.ts';
import { turns } from '#tests/support/turns.ts';
import PrintPage from './PrintPage.tsx';
import ReprintPage from './ReprintPage.tsx';

let print: MockInstance<() => void>;
beforeEach(() => {
  print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.removeItem('labelPrinter');
});
const labels = () => [...document.querySelectorAll<HTMLElement>('[data-label]')];
const barcodes = () => [...document.querySelectorAll<SVGElement>('[data-label] svg[data-barcode]')];

const device = {
  ...{ itemId: 11, salesCode: 'ZX1-50T', name: 'ZX-1 50T', type: '0', modelCode: 'ZX01' },
  ...{ saleDesc: 'A description', productVerList: '4A|4B' },
};
const part = { ...device, itemId: 12, salesCode: 'CB-ZX', name: 'Controls ZX', type: '1', modelCode: 'CBZX' };
const calls = {
  print: '/api/printBarcode.json',
  item: '/api/ubsItem/queryById.json',
  labels: '/api/ubsItem/printLabels.json',
};
/** As the server answers whoever leaves labels to the browser's dialog, or names a printer. */
const entered = ({ printer, snList }: { printer: string; snList?: string[] }) => ({
  ...{ printNo: 'p-1', printer: printer || null, count: snList?.length ?? 1 },
});
const orders = { items: [{ orderNo: 'PO-1', productVer: '4B', qty: 100 }] };
const snList = ['ZX014A2647D000001', 'ZX014A2647D000002'];

async function opensPrint(item: typeof device = device, more: Answers = {}) {
  const answers = {
    [calls.item]: item,
    '/api/ubsProductOrder/queryOpen.json': orders,
    [calls.labels]: entered,
    [calls.print]: { snList, modelCode: item.modelCode, barcodeType: item === device ? '1' : '3' },
    ...more,
  };
  const page = await openPage(<PrintPage menuNo="ubsItemList" id="5" />, {
    lang: 'en',
    answers,
    address: '/ubsItemList/printSerial/5',
  });
  await screen.findByText('A description');
  const choose = async (label: RegExp, option: string | RegExp) => {
    await page.user.click(screen.getByLabelText(label));
    await page.user.click(await screen.findByRole('option', { name: option }));
  };
  return { ...page, choose };
}
const reason = () => screen.getAllByRole('alert')[0]?.textContent;
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

describe('the print of new SNs', () => {
  it('shows what the item is, and asks for what its SNs need [S-PRT-01] [S-PRT-02] [S-PRT-03]', async () => {
    const { user } = await opensPrint();
    for (const text of ['ZX1-50T', 'ZX01', 'A description'])
      expect(screen.getAllByText(text)[0]?.tagName).not.toBe('INPUT');
    expect(within(screen.getByRole('figure', { hidden: true })).getByText('TEST-LABEL-SAMPLE')).toBeTruthy();
    await user.click(screen.getByLabelText(/^Type/));
    const options = (await screen.findAllByRole('option')).map((it) => it.textContent);
    expect(options).toEqual([
      'Device without SN',
      'Board without SN',
      'Item without SN',
      'No company',
      'ERP stock repeat',
    ]);
    await user.keyboard('{Escape}');
    await user.click(screen.getByLabelText(/^Low\/high version/));
    expect((await screen.findAllByRole('option')).map((it) => it.textContent)).toEqual(['Low version', 'High version']);
    await user.keyboard('{Escape}');
    // Never below none.
    await user.type(screen.getByLabelText(/^Count/), '-5');
    expect(screen.getByLabelText(/^Count/)).toMatchObject({ value: '-5', inputMode: 'numeric', ariaInvalid: 'true' });
    await waitFor(() => expect(document.querySelector('#open-orders option')?.getAttribute('value')).toBe('PO-1'));
  });

  it('sends what was chosen, and prints each SN on a label of its size 800 ms later [S-PRT-07] [S-PRT-08] [S-PRT-09]', async () => {
    const { user, choose, callsTo } = await opensPrint();
    await choose(/^Type/, 'ERP stock repeat');
    await choose(/^Version/, '4B');
    await choose(/^Low\/high version/, 'High version');
    await user.type(screen.getByLabelText(/^Count/), '2');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    fireEvent.click(button('Print device SN'));
    while (labels().length === 0) await act(() => turns());
    expect(labels()).toHaveLength(2);
    expect(callsTo(calls.print).map((it) => it.input)).toEqual([
      {
        ...{ saleItemId: 11, modelCode: 'ZX01', saleDesc: 'A description', type: '5', productVer: '4B', qty: 2 },
        ...{ productVerType: '2', orderNo: '', mode: 0, barcodeType: '1' },
      },
    ]);
    expect(labels().map((it) => [it.dataset['label'], it.style.width, it.style.height])).toEqual(
      snList.map((sn) => [sn, '189px', '94px']),
    );
    expect(labels()[0]?.textContent).toBe('ZX014A2647D000001ZX01');
    expect(barcodes().map((it) => it.dataset['barcode'])).toEqual(snList);
    expect(barcodes().every((it) => it.querySelectorAll('rect').length > 20)).toBe(true);
    vi.advanceTimersByTime(799);
    expect(print).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(print).toHaveBeenCalledOnce();
    vi.useRealTimers();
    act(() => void window.dispatchEvent(new Event('afterprint')));
    expect(labels()).toEqual([]);
    expect(screen.getByRole('region', { name: '2 new SNs' }).textContent).toContain(snList[1]);
  });

  it('prints the two kinds of parts, and controls for an order alone [S-PRT-04] [S-PRT-06]', async () => {
    const { user, choose, callsTo } = await opensPrint(part);
    expect(button('Print device SN').disabled).toBe(true);
    await choose(/^Type/, 'Item without SN');
    await choose(/^Version/, '4A');
    await user.type(screen.getByLabelText(/^Count/), '1');
    await user.click(button('Print controls SN'));
    expect(reason()).toBe('The required fields must not be empty');
    expect(callsTo(calls.print)).toEqual([]);
    await user.type(screen.getByLabelText(/^Production order/), 'po-1');
    await user.click(button('Print controls SN'));
    await waitFor(() => expect(labels()[0]?.style.width).toBe('142px'));
    await user.type(screen.getByLabelText(/^Count/), '1');
    await user.click(button('Print board SN'));
    await waitFor(() => expect(callsTo(calls.print)).toHaveLength(2));
    expect(callsTo(calls.print).map(({ input }) => [input['mode'], input['barcodeType'], input['orderNo']])).toEqual([
      [1, '3', 'PO-1'],
      [1, '2', 'PO-1'],
    ]);
  });

  it('sends nothing while something is missing, and names it [S-PRT-05]', async () => {
    const { user, callsTo } = await opensPrint();
    await user.type(screen.getByLabelText(/^Count/), '0');
    await user.click(button('Print device SN'));
    expect(reason()).toBe('The required fields must not be empty');
    expect(document.querySelectorAll('.Mui-error input')).toHaveLength(3);
    expect(callsTo(calls.print)).toEqual([]);
  });

  it('says why the server refuses, and keeps what was entered', async () => {
    const { user, choose } = await opensPrint(device, {
      [calls.print]: refuses('notFound', 'Order PO-7 does not exist'),
    });
    await choose(/^Type/, 'Device without SN');
    await choose(/^Version/, '4A');
    await user.type(screen.getByLabelText(/^Count/), '3{Enter}');
    expect(await screen.findByText('Order PO-7 does not exist')).toBeTruthy();
    expect(screen.getByLabelText(/^Count/)).toHaveProperty('value', '3');
    expect(labels()).toEqual([]);
  });

  it('says where an item has no versions, and goes back without printing [S-PRT-04]', async () => {
    const { user, callsTo, where } = await opensPrint({ ...device, productVerList: '' });
    expect(screen.getByText(/no versions/)).toBeTruthy();
    await user.click(button('Cancel'));
    expect(where()).toBe('/ubsItemList');
    expect(callsTo(calls.print)).toEqual([]);
  });
});

const detail = {
  ...{ salesCode: 'ZX1-50T', saleItemDesc: 'A description', productVer: '4A', modelCode: 'ZX01', productVerType: '2' },
  ...{ orderNo: 'PO-1' as string | null, snDetailId: 77 },
};
const look = '/api/getSnDetail.json';
const again = '/api/reprintBarCode.json';
const reprints = '/api/ubsItemObject/reprintLabels.json';
async function opensReprint(more: Answers = {}) {
  const page = await openPage(<ReprintPage menuNo="ubsItemObjectList" />, {
    lang: 'en',
    address: '/ubsItemObjectList/reprintSerial',
    answers: {
      [look]: detail,
      [again]: { sn: 'ZX014A2647D000001', modelCode: 'ZX01', barcodeType: '1' },
      [reprints]: entered,
      ...more,
    },
  });
  const scan = (text: string) => page.user.type(screen.getByLabelText(/^SN/), `${text}{Enter}`);
  const choose = async (option: string) => {
    await page.user.click(screen.getByLabelText(/^Label/));
    await page.user.click(await screen.findByRole('option', { name: option }));
  };
  return { ...page, scan, choose };
}

describe('the reprint of a label', () => {
  it('looks up what was scanned, and shows it [S-RPR-01] [S-RPR-02] [S-RPR-03]', async () => {
    const { scan, callsTo } = await opensReprint();
    await scan(' zx014a2647d000001');
    await screen.findByText('A description');
    // The label as it will be, which is not one that is printed yet.
    const preview = within(screen.getByRole('figure'));
    for (const text of ['ZX014A2647D000001', 'ZX01 · 补打 / REPRINT']) expect(preview.getByText(text)).toBeTruthy();
    expect(document.querySelector('figure [data-barcode]')?.getAttribute('data-barcode')).toBe('ZX014A2647D000001');
    expect(labels()).toEqual([]);
    expect(callsTo(look).map(({ input: { lang: _, ...it } }) => it)).toEqual([
      { sn: 'ZX014A2647D000001', barcodeType: '1' },
    ]);
    const panel = screen.getByRole('region', { name: 'ZX014A2647D000001' });
    for (const text of ['ZX1-50T', 'A description', '4A', 'ZX01', 'High version', 'PO-1']) {
      expect(panel.textContent).toContain(text);
    }
  });

  it('prints the label once more, of each kind [S-RPR-05] [S-RPR-06]', async () => {
    const { user, scan, callsTo } = await opensReprint();
    await user.click(screen.getByLabelText(/^Label/));
    expect((await screen.findAllByRole('option')).map((it) => it.textContent)).toEqual(['Device', 'Board', 'Controls']);
    await user.click(screen.getByRole('option', { name: 'Controls' }));
    await scan('CB1');
    await screen.findByText('A description');
    await user.click(button('Reprint'));
    await waitFor(() => expect(labels().map((it) => it.dataset['label'])).toEqual(['ZX014A2647D000001']));
    expect(callsTo(look)[0]?.input).toMatchObject({ barcodeType: '3' });
    expect(callsTo(again)[0]?.input).toMatchObject({ snDetailId: '77', barcodeType: '3' });
    expect(callsTo(reprints)[0]?.input).toMatchObject({ printer: '', snList: ['ZX014A2647D000001'] });
    expect(labels()[0]?.textContent).toBe('ZX014A2647D000001ZX01 · 补打 / REPRINT');
    await waitFor(() => expect(print).toHaveBeenCalledOnce());
  });

  it('asks for the order of controls that have none [S-RPR-04]', async () => {
    const { user, scan, choose, callsTo } = await opensReprint({ [look]: { ...detail, orderNo: null } });
    await choose('Controls');
    await scan('CB1');
    await screen.findByText('A description');
    await user.click(button('Reprint'));
    expect(reason()).toBe('The required fields must not be empty');
    expect(callsTo(again)).toEqual([]);
    await user.type(screen.getByLabelText(/^Production order/), 'po-9{Enter}');
    await waitFor(() => expect(callsTo(again)[0]?.input).toMatchObject({ snDetailId: '77', orderNo: 'PO-9' }));
  });

  it('asks for an SN, says why there is none, and has nothing to print then [S-RPR-04]', async () => {
    const { scan, callsTo } = await opensReprint({
      [look]: refuses('notInArchive', 'SN X1 is not in the product archive'),
    });
    await scan(' ');
    expect(reason()).toBe('The required fields must not be empty');
    expect(callsTo(look)).toEqual([]);
    await scan('x1');
    expect(await screen.findByText('SN X1 is not in the product archive')).toBeTruthy();
    expect(button('Reprint').disabled).toBe(true);
  });

  it('forgets what it found when another kind or SN is meant', async () => {
    const { scan, choose, user } = await opensReprint();
    await scan('ZX014A2647D000001');
    await screen.findByText('A description');
    await choose('Board');
    expect(screen.queryByText('A description')).toBeNull();
    expect(button('Reprint').disabled).toBe(true);
    await scan('');
    await screen.findByText('A description');
    await user.type(screen.getByLabelText(/^SN/), 'X');
    expect(screen.queryByText('A description')).toBeNull();
  });

  it('goes back to its list [S-RPR-06]', async () => {
    const { user, where } = await opensReprint();
    await user.click(button('Cancel'));
    expect(where()).toBe('/ubsItemObjectList');
  });
});

describe('the label printer of a workplace', () => {
  const setUp = (...labelPrinters: string[]) =>
    act(() => currentUser.set({ ...(currentUser.get() as UserState), labelPrinters }));
  const found = async (more: Answers = {}) => {
    const page = await opensReprint(more);
    setUp('bench-1', 'bench-2');
    const choosePrinter = async (option: string) => {
      await page.user.click(screen.getByLabelText('Label printer'));
      await page.user.click(await screen.findByRole('option', { name: option }));
    };
    await page.scan('ZX014A2647D000001');
    await screen.findByText('A description');
    return { ...page, choosePrinter };
  };

  it('is not asked for where none is set up', async () => {
    await opensReprint();
    expect(screen.queryByLabelText('Label printer')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Test label' })).toBeNull();
  });

  it('gets the labels in place of the dialog, and is kept in this browser', async () => {
    const { user, choosePrinter, callsTo } = await found();
    await choosePrinter('bench-2');
    expect(localStorage.getItem('labelPrinter')).toBe('bench-2');
    await user.click(button('Reprint'));
    expect(await screen.findByText('1 label printed on bench-2')).toBeTruthy();
    expect(callsTo(reprints).map((it) => it.input)).toMatchObject([
      { printer: 'bench-2', snList: ['ZX014A2647D000001'] },
    ]);
    expect(labels()).toEqual([]);
    await choosePrinter("The browser's print dialog");
    await user.click(button('Reprint'));
    await waitFor(() => expect(labels()).toHaveLength(1));
  });

  it('is another one’s choice where the setting names it no more', async () => {
    localStorage.setItem('labelPrinter', 'bench-9');
    const { user, callsTo } = await found();
    await user.click(button('Reprint'));
    await waitFor(() => expect(callsTo(reprints)[0]?.input).toMatchObject({ printer: '' }));
  });

  it('prints a test label of the size that is chosen', async () => {
    const { user, choosePrinter, callsTo } = await found();
    await user.click(button('Test label'));
    await waitFor(() => expect(labels()[0]?.textContent).toBe('TEST-LABEL-SAMPLE测试 / TEST'));
    await choosePrinter('bench-1');
    await user.click(button('Test label'));
    await waitFor(() => expect(callsTo(reprints)[1]?.input).toMatchObject({ printer: 'bench-1', test: '1' }));
    expect(callsTo(again)).toEqual([]);
  });

  it('is sent to again at a press where it was not reached, and counts no label twice', async () => {
    let isOff = true;
    const { user, choosePrinter, callsTo } = await found({
      [reprints]: (input: { printer: string }) =>
        isOff ? refuses('printerUnreachable', 'Printer bench-1 was not reached') : entered(input),
    });
    await choosePrinter('bench-1');
    await user.click(button('Reprint'));
    expect(await screen.findByText('Printer bench-1 was not reached')).toBeTruthy();
    isOff = false;
    await user.click(button('Send again'));
    expect(await screen.findByText('1 label printed on bench-1')).toBeTruthy();
    expect(callsTo(again)).toHaveLength(1);
    expect(callsTo(reprints)).toHaveLength(2);
  });

  it('offers no more than a reprint where nobody knows what came out', async () => {
    const { user, choosePrinter, callsTo } = await found({
      [reprints]: refuses('printUnknown', 'Look at the printer'),
    });
    await choosePrinter('bench-1');
    await user.click(button('Reprint'));
    expect(await screen.findByText('Look at the printer')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Send again' })).toBeNull();
    expect(callsTo(reprints)).toHaveLength(1);
  });
});
