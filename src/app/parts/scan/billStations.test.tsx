// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { Activity, type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import { act, cleanup, createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Answers, openPage } from '#app/parts/openPage.tsx';
import { noteStore } from '#app/parts/scan/noteStore.ts';
import { features } from '#tests/support/modules.tsx';

const sources = import.meta.glob<string>(
  ['/src/app/**/*.tsx', '/src/features/**/*.tsx', '!**/*.test.tsx', '!**/gallery/**'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);

const transfer = {
  ...{ id: 7, sktbId: 'BILL7', deliverSiteId: 'SZ', deliverSiteName: 'SZ', receiveSiteId: 'SZ', receiveSiteName: 'SZ' },
  ...{ count: 1, remark: null },
  rmaStockTransferBillLineList: [
    {
      ...{ sktblId: 'SKL1', salesCode: 'RX19', name: 'RX-19', itemType: '0', storageType: '0', count: 1 },
      stockTransferBillLineItemList: [{ id: 1, sn: null, snStatus: '0' }],
    },
  ],
};
/** What each station loads before it scans: the file that asks for its number, the call, and what that answers. */
const stations: Record<string, { file: string; load: string; bill: object }> = {
  'rmaReceiveBill:receive': {
    file: 'ReceivePage',
    load: '/api/rmaReceiveBill/queryByShipNo.json',
    bill: {
      ...{ mtbId: 'MTB1', receiveShipNo: 'BILL7', billStatus: '0', userName: 'Acme', itemsReceived: [] },
      rmaMaintainBillLineList: [],
    },
  },
  'rmaDeliverBill:deliver': {
    file: 'DeliverPage',
    load: '/api/rmaStockupBill/loadStockupBill.json',
    bill: {
      bill: {
        ...{ id: 1, skbId: 'SKB1', mtbId: 'MTB1', status: '0', deliverShipNo: 'SF9', deliverShipId: null, allCount: 1 },
        ...{ deliveredCount: 0, userName: 'Acme', mobile: null, address: null },
        rmaStockupBillLineList: [
          {
            ...{ skblId: 'SKL1', itemId: 11, sn: 'SN0001', mtblId: 'MBL1', salesCode: 'RX19', productName: 'RX-19' },
            ...{ delivered: '0', deliverPriority: '0' },
          },
        ],
      },
      maintainBillLines: [
        {
          ...{ mtbId: 'MTB1', mtblId: 'MBL1', type: '0', salesCode: 'RX19', productName: 'RX-19', userName: 'Acme' },
          ...{ deliverCount: 0, shouldDeliverCount: 1 },
        },
      ],
    },
  },
  'rmaStockTransferBill:deliverAccept': {
    file: 'useTransferPage',
    load: '/api/rmaStockTransferBill/loadTransfer.json',
    bill: { ...transfer, billStatus: '0' },
  },
  'rmaStockTransferBill:receiverAccept': {
    file: 'useTransferPage',
    load: '/api/rmaStockTransferBill/loadTransfer.json',
    bill: { ...transfer, billStatus: '1' },
  },
  'rmaScrapRepairBill:outsourcingAccept': {
    file: 'OutsourcingAcceptPage',
    load: '/api/rmaScrapRepairBill/loadScrapRepair.json',
    bill: {
      ...{
        id: 7,
        srbId: 'BILL7',
        billStatus: '0',
        siteId: 'SZ',
        count: 1,
        remark: null,
        createBy: 'wu',
        createTime: 1,
      },
      ...{ acceptBy: null, acceptTime: null, unitList: [] },
      rmaScrapRepairBillLineList: [{ sn: 'M1', salesCode: 'RX19', name: 'RX-19', snRole: '0', productSn: null }],
    },
  },
};

let time = 0;
/** As a scanner types, wherever the focus is. */
function scan(text: string): void {
  time = Math.max(time, performance.now()) + 1000;
  for (const key of [...text, 'Enter']) {
    const event = createEvent.keyDown(document.activeElement ?? document.body, { key });
    Object.defineProperty(event, 'timeStamp', { value: (time += 8) });
    const isLeft = fireEvent(document.activeElement ?? document.body, event);
    const field = document.activeElement;
    if (!isLeft || !(field instanceof HTMLInputElement) || key.length !== 1) continue;
    field.setRangeText(key, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
    fireEvent.input(field);
  }
}

type Step = 'here' | 'away' | 'gone' | 'again' | 'beside';
let go: (to: Step) => void = () => undefined;
const window1 = document.createElement('div');
/** A page that is left and comes back; `beside` there is a second one, as in another window that nobody has closed. */
function Windows({ page }: { page: ReactNode }) {
  const [at, setAt] = useState<Step>('here');
  go = (to) => act(() => setAt(to));
  const isFirstThere = at === 'here' || at === 'away' || at === 'beside';
  return (
    <>
      {isFirstThere && createPortal(<Activity mode={at === 'away' ? 'hidden' : 'visible'}>{page}</Activity>, window1)}
      {(at === 'again' || at === 'beside') && <div key="again">{page}</div>}
    </>
  );
}
const ways: Record<string, () => void> = {
  'a reload or a crash': () => {
    go('gone');
    go('again');
  },
  'a step back': () => {
    go('away');
    go('here');
  },
  'another window': () => {
    window1.remove();
    go('beside');
  },
};

afterEach(() => {
  cleanup();
  window1.replaceChildren();
});

describe('a station that loads something before it scans', () => {
  const cases = Object.entries(stations).flatMap(([name, it]) =>
    Object.entries(ways).flatMap(([way, comes]) =>
      ['', ', without the server'].map((server) => ({ name, ...it, way: way + server, comes, isAway: server !== '' })),
    ),
  );

  it.each(cases)('takes no SN for its number after $way ($name)', async ({ name, load, bill, comes, isAway }) => {
    document.body.append(window1);
    const written = vi.spyOn(noteStore, 'write');
    const open = features.pages[name];
    if (!open) throw new Error(`There is no page ${name}`);
    const { default: Page } = await open();
    let isThere = true;
    const answers: Answers = {
      '/api/ubsIssueCode/loadIssueCodeList.json': { issueCodeList: [] },
      '/api/rmaEnumDepreciation/all.json': { items: [] },
      '/api/ubsEnumPartsType/all.json': { items: [] },
      '/api/rmaEnumRepairMethod/all.json': { items: [] },
      [load]: () => {
        if (!isThere) throw new TypeError('no network');
        return bill;
      },
    };
    const { callsTo } = await openPage(<Windows page={<Page menuNo={`${name.split(':')[0]}List`} id="" />} />, {
      lang: 'en',
      answers,
    });
    const numbers = () => callsTo(load).map((it) => JSON.stringify(it.input));
    const numberField = () => document.querySelector<HTMLInputElement>('input[data-scan=number]');
    await waitFor(() => expect(document.activeElement).toBe(numberField()));
    scan('BILL7');
    await waitFor(() => expect(numberField()?.dataset['first']).toBeUndefined());
    await waitFor(() => expect(numbers().join()).toContain('BILL7'));
    // What comes next finds what is kept.
    await screen.findByText('Loaded');
    await Promise.all(written.mock.results.map((it) => it.value as Promise<void>));
    isThere = !isAway;
    comes();
    scan('SN0001');
    const isListed = (sn: string) =>
      waitFor(() =>
        expect([...document.querySelectorAll('tr[data-state]')].map((it) => it.textContent).join()).toContain(sn),
      );
    await isListed('SN0001');
    scan('SN0002');
    await isListed('SN0002');
    expect(numbers().filter((it) => it.includes('SN000'))).toEqual([]);
    expect(screen.getAllByLabelText('Scan SN').length).toBeGreaterThan(0);
  });

  const byRow = Object.keys(stations).filter((it) => !/:(?:receive|deliver)$/.test(it));
  it.each(byRow)('asks for no number, not even for a moment, where the address names the bill (%s)', async (name) => {
    const { load, bill } = stations[name] as (typeof stations)[string];
    const open = features.pages[name];
    if (!open) throw new Error(`There is no page ${name}`);
    const { default: Page } = await open();
    const asked: MutationRecord[] = [];
    const watch = new MutationObserver((records) => void asked.push(...records));
    watch.observe(document.body, { attributes: true, attributeFilter: ['data-first'], subtree: true });
    await openPage(<Page menuNo={`${name.split(':')[0]}List`} id="7" />, { lang: 'en', answers: { [load]: bill } });
    await screen.findByText('Loaded');
    asked.push(...watch.takeRecords());
    watch.disconnect();
    expect(asked).toEqual([]);
  });

  it.each(Object.keys(stations))(
    'is asked for the number that was scanned before it was known whether one was left here (%s)',
    async (name) => {
      const { load, bill } = stations[name] as (typeof stations)[string];
      const open = features.pages[name];
      if (!open) throw new Error(`There is no page ${name}`);
      const { default: Page } = await open();
      const read = noteStore.read.bind(noteStore);
      let tell = (): void => undefined;
      const isTold = new Promise<void>((resolve) => (tell = resolve));
      const asked = vi.spyOn(noteStore, 'read').mockImplementation(async (...key) => {
        await isTold;
        return read(...key);
      });
      const { callsTo } = await openPage(<Page menuNo={`${name.split(':')[0]}List`} id="" />, {
        lang: 'en',
        answers: { [load]: bill },
      });
      await waitFor(() => expect(asked).toHaveBeenCalled());
      await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Scan SN')));
      scan('BILL7');
      scan('SN0001');
      expect(callsTo(load)).toEqual([]);
      tell();
      await screen.findByText('Loaded');
      const rows = () => [...document.querySelectorAll('tr[data-state]')].map((it) => it.textContent).join();
      await waitFor(() => expect(rows()).toContain('SN0001'));
      expect(
        callsTo(load)
          .map((it) => JSON.stringify(it.input))
          .join(),
      ).toContain('BILL7');
      expect(document.querySelector('[data-verdict=wrong], [data-verdict=refused]')).toBeNull();
    },
  );

  it('is one of all that are asked for a number', () => {
    const asking = Object.entries(sources).filter(([, text]) => text.includes('<BillLoader'));
    const files = asking.map(([file]) => /(\w+)\.tsx$/.exec(file)?.[1]);
    expect([...new Set(files)].sort()).toEqual([...new Set(Object.values(stations).map((it) => it.file))].sort());
  });
});
