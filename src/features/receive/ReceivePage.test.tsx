// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { act, createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sendReceivedLabels } from '#domain/labelPrint.ts';
import { notices } from '#app/notify.ts';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import { reload } from '#app/parts/reload.ts';
import { scanOn } from '#app/testing/keys.ts';
import ReceivePage from './ReceivePage.tsx';

vi.mock('#app/parts/reload.ts', () => ({ reload: vi.fn() }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.mocked(reload).mockClear();
});

const paths = {
  bill: '/api/rmaReceiveBill/queryByShipNo.json',
  validate: '/api/rmaReceiveBill/validateSn.json',
  receive: '/api/rmaReceiveBill/receive.json',
  remove: '/api/rmaReceiveBill/deleteReceived.json',
  finish: '/api/rmaReceiveBill/finishReceive.json',
  depreciations: '/api/rmaEnumDepreciation/all.json',
  nonOfficial: '/api/ubsItemObject/createNonOfficial.json',
  models: '/api/ubsItem/queryBySalesCode.json',
  codes: '/api/ubsIssueCode/loadIssueCodeList.json',
};
const codes = [
  { codeId: 11, code: 'AR01', name: 'Shell dented', disposition: null, imageRequired: null },
  { codeId: 12, code: 'AR02', name: 'Wet', disposition: null, imageRequired: null },
];
const line = (mtblId: string, salesCode: string, count: number) => ({
  mtblId,
  type: '0',
  salesCode,
  itemName: salesCode,
  productName: null,
  count,
  receiveCount: 0,
  receivedCount: 0,
});
const bill = {
  mtbId: 'MTB1',
  receiveShipNo: 'SF1',
  billStatus: '0',
  userName: 'Acme',
  rmaMaintainBillLineList: [line('MBL1', 'RX21-188T', 2), line('MBL2', 'RX19-95T', 1)],
  itemsReceived: [
    {
      receiveSn: 'OLD1',
      mtbliId: 'MBI1',
      mtblId: 'MBL1',
      salesCode: 'RX21-188T',
      itemName: '',
      receiveTime: 1,
      ivyId: '10',
      deletable: true,
    },
    {
      receiveSn: 'OLD2',
      mtbliId: 'MBI2',
      mtblId: 'MBL1',
      salesCode: 'RX21-188T',
      itemName: '',
      receiveTime: 1,
      ivyId: '50',
      deletable: false,
    },
  ],
};
/** What the archive knows, by the letter that an SN begins with. */
const items: Record<string, { code: string; slaveCodeList: string[] }> = {
  A: { code: 'RX21-188T', slaveCodeList: [] },
  B: { code: 'RX19-OLD', slaveCodeList: ['RX19-95T'] },
  C: { code: 'TX7-9G', slaveCodeList: [] },
};
const validate = ({ sn }: { sn: string }) => ({
  sn,
  item: { itemId: 1, name: 'machine', deviceType: '0', ...items[sn[0] ?? ''] },
  warranty: '1',
  maintains: 0,
  continues: '0',
  mixbound: '0',
  secondHand: '0',
  components: [],
  warning: sn === 'A9' ? `SN ${sn} comes back` : undefined,
});

async function opens(more: Answers = {}, address = '/here') {
  const page = await openPage(<ReceivePage menuNo="rmaReceiveBillList" />, {
    lang: 'en',
    address,
    answers: {
      [paths.bill]: bill,
      [paths.validate]: validate,
      [paths.receive]: { rvbId: 'RVB1', mtbId: 'MTB1', receivedCount: 1, snList: [], lineList: [] },
      [paths.remove]: { deletedCount: 1, lineList: [] },
      [paths.finish]: { mtbId: 'MTB1', billStatus: '1' },
      [paths.models]: { items: [{ itemId: 3, salesCode: 'HB19', name: 'RX19 board', type: '1' }] },
      [paths.nonOfficial]: ({ sn, type }: { sn: string; type: string }) => ({
        ...validate({ sn: `C${sn}` }),
        sn,
        item: { itemId: null, code: 'NOT-OUR', name: 'NOT-OUR', deviceType: type, slaveCodeList: [] },
      }),
      [paths.codes]: { issueCodeList: codes },
      [paths.depreciations]: {
        items: [
          { value: 'A', name: 'Like new' },
          { value: 'B', name: 'Normal wear' },
        ],
      },
      ...more,
    },
  });
  await waitFor(() => expect(page.callsTo(paths.depreciations)).toHaveLength(1));
  const enter = (name: RegExp | string, text: string) => {
    const field = screen.getByLabelText(name);
    fireEvent.change(field, { target: { value: text } });
    fireEvent.keyDown(field, { key: 'Enter' });
  };
  const scan = (...texts: string[]) => texts.forEach((it) => enter('Scan SN', it));
  const load = async () => {
    enter(/Inbound waybill/, 'SF1');
    await screen.findByText('MTB1');
  };
  const submit = () => fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
  return { ...page, enter, scan, load, submit };
}
const verdict = () => document.querySelector('[data-verdict]')?.textContent;
const states = () =>
  [...document.querySelectorAll('tr[data-state]')].map((it) => it.getAttribute('data-state')).reverse();
interface Line {
  mtblId: string;
  salesCode: string;
  count: number;
  rmaReceiveBillLineItemRequestList: { receiveSn: string; depreciation: string }[];
}

describe('the receipt station', () => {
  it('loads the bill whose parcel its address names', async () => {
    const { callsTo } = await opens({}, '/receive?shipNo=SF7');
    expect(await screen.findByText('MTB1')).toBeTruthy();
    expect(callsTo(paths.bill).map((it) => it.input.receiveShipNo)).toEqual(['SF7']);
  });

  it('loads no bill without a number, and takes no SN without a bill [W-RCV-09] [W-RCV-12]', async () => {
    const { enter, scan, callsTo } = await opens();
    enter(/Inbound waybill/, '');
    expect(await screen.findAllByText('Enter the waybill number and load the bill first')).not.toHaveLength(0);
    // Until it is known whether one was left here, a scan is its number.
    await waitFor(() => expect(document.querySelector('input[data-first]')).toBeTruthy());
    scan('A1');
    await waitFor(() => expect(document.querySelector('[data-verdict]')?.getAttribute('data-verdict')).toBe('wrong'));
    expect(verdict()).toContain('Enter the waybill number and load the bill first');
    expect([...callsTo(paths.bill), ...callsTo(paths.validate)]).toEqual([]);
  });

  it('says who and where in every call of a receipt [W-RCV-08] [W-RCV-10] [W-RCV-17]', async () => {
    const { scan, load, callsTo } = await opens();
    await load();
    scan(' a1 ');
    await waitFor(() => expect(states()).toEqual(['ok']));
    const extras = { lang: 'en', orgId: 'ORG', siteId: 'SZ' };
    expect(callsTo(paths.bill)[0]?.input).toMatchObject({ receiveShipNo: 'SF1', ...extras });
    expect(callsTo(paths.validate)[0]?.input).toMatchObject({ sn: 'A1', mtbId: 'MTB1', ...extras });
  });

  it('puts an SN on the line of its code, of a slave code, or on a new one, and drops empty lines [W-RCV-07] [W-RCV-15] [W-RCV-18] [W-RCV-19] [W-RCV-20] [W-RCV-26] [W-RCV-27]', async () => {
    const { scan, load, submit, callsTo } = await opens();
    await load();
    scan('b1', 'c1', 'c2');
    await waitFor(() => expect(states()).toEqual(['ok', 'ok', 'ok']));
    submit();
    await waitFor(() => expect(callsTo(paths.receive)).toHaveLength(1));
    const sent = callsTo(paths.receive)[0]?.input ?? {};
    expect(sent).toMatchObject({ mtbId: 'MTB1', payment: '0', payAmount: null });
    const lines = sent['rmaReceiveBillLineRequestList'] as Line[];
    expect(lines.map((it) => [it.mtblId, it.salesCode, it.count])).toEqual([
      ['MBL2', 'RX19-95T', 1],
      ['', 'TX7-9G', 2],
    ]);
    expect(lines[1]?.rmaReceiveBillLineItemRequestList).toMatchObject([
      { receiveSn: 'C1', depreciation: 'B' },
      { receiveSn: 'C2', depreciation: 'B' },
    ]);
    await waitFor(() => expect(verdict()).toContain('Received'));
    expect(screen.getByRole('button', { name: 'Receive 0 devices' })).toBeTruthy();
  });

  it('says an SN that is on the list already by its own words, and counts it once [W-RCV-16]', async () => {
    const { scan, load } = await opens();
    await load();
    scan('A1', 'A1');
    await waitFor(() => expect(states()).toEqual(['ok', 'duplicate']));
    expect(screen.getByRole('button', { name: 'Receive 1 device' })).toBeTruthy();
  });

  it('holds what is scanned while the bill is still on its way', async () => {
    let arrive = (_: unknown) => {};
    const { enter, scan } = await opens({ [paths.bill]: () => new Promise((done) => (arrive = done)) });
    enter(/Inbound waybill/, 'SF1');
    scan('A1', 'C1');
    expect(states()).toEqual([]);
    arrive(bill);
    await waitFor(() => expect(states()).toEqual(['ok', 'ok']));
  });

  it('receives no empty list [W-RCV-25]', async () => {
    const { load, submit, callsTo } = await opens();
    await load();
    // Whoever presses before the loaded bill's station is in place presses again.
    await waitFor(() => {
      submit();
      expect(verdict()).toContain('The required fields must not be empty');
    });
    expect(callsTo(paths.receive)).toEqual([]);
  });

  it('keeps the list when the receipt is refused [W-COM-11]', async () => {
    const { scan, load, submit } = await opens({
      [paths.receive]: refuses('receivingClosed', 'receiving is forbidden'),
    });
    await load();
    scan('A1');
    await waitFor(() => expect(states()).toEqual(['ok']));
    submit();
    await waitFor(() => expect(verdict()).toContain('receiving is forbidden'));
    expect(states()).toEqual(['ok']);
  });

  it('shows what a lookup warns of beside the list [W-COM-13]', async () => {
    const { scan, load } = await opens();
    await load();
    scan('A9');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('comes back'));
  });

  it('asks before it closes the receipt; no makes no call [W-RCV-29] [W-RCV-30]', async () => {
    const { user, load, callsTo } = await opens();
    await load();
    await user.click(screen.getByRole('button', { name: 'Finish receipt' }));
    const asked = screen.getByRole('dialog').textContent;
    expect(asked).toContain('After submitting the work order, receiving of this order is forbidden');
    expect(asked).toContain('0 of 3 received');
    expect(asked).toContain('2 of RX21-188T are missing');
    expect(asked).toContain('1 of RX19-95T is missing');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(callsTo(paths.finish)).toEqual([]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(await screen.findByRole('button', { name: 'Finish receipt' }));
    const [, yes] = screen.getAllByRole('button', { name: 'Finish receipt', hidden: true });
    await user.click(yes as HTMLElement);
    await waitFor(() => expect(callsTo(paths.finish)[0]?.input).toMatchObject({ maintainBillId: 'MTB1' }));
  });

  it.each(['Device', 'Board'])('is finished by three strokes from wherever one is (%s)', async (kind) => {
    const { user, load, callsTo } = await opens();
    await load();
    await user.click(screen.getByRole('tab', { name: kind }));
    await user.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}');
    expect((await screen.findByRole('dialog')).textContent).toContain('0 of 3 received');
    await user.keyboard('{Tab}{Enter}');
    await waitFor(() => expect(callsTo(paths.finish)[0]?.input).toMatchObject({ maintainBillId: 'MTB1' }));
  });

  it('is not finished while a scan is still asked about', async () => {
    const { user, load, scan } = await opens({ [paths.validate]: () => new Promise(() => {}) });
    await load();
    scan('SN1');
    await waitFor(() => expect(states()).toEqual(['checking']));
    await user.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}');
    await waitFor(() => expect(verdict()).toContain('1 scanned device is not received yet'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('says beside the bill what is odd about it, such as a parcel that nobody signed for', async () => {
    const warning = 'The parcel SF1 has not been signed for';
    const { load, user } = await opens({ [paths.bill]: { ...bill, warning } });
    await load();
    expect(screen.getByRole('alert').textContent).toBe(warning);
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('takes received units off again, those alone that may be [W-RCV-33] [W-RCV-35]', async () => {
    const { user, load, callsTo } = await opens();
    await load();
    expect(screen.getByLabelText('OLD2')).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('checkbox', { name: 'OLD1' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(callsTo(paths.remove)).toHaveLength(1));
    expect(callsTo(paths.remove)[0]?.input).toMatchObject({
      mtbId: 'MTB1',
      rmaReceiveBillLineRequestList: [{ mtblId: 'MBL1', count: 1, snList: ['OLD1'] }],
    });
    await waitFor(() => expect(callsTo(paths.bill)).toHaveLength(2));
  });

  it('takes a whole line off at once, when that is meant [W-RCV-34] [W-RCV-35]', async () => {
    const received = (no: string, mtblId: string, deletable = true) => ({
      ...bill.itemsReceived[0],
      receiveSn: no,
      mtbliId: `MBI${no}`,
      mtblId,
      salesCode: mtblId === 'MBL1' ? 'RX21-188T' : 'RX19-95T',
      deletable,
    });
    const itemsReceived = [
      ...Array.from({ length: 120 }, (_, i) => received(`A${i}`, 'MBL1')),
      received('A-CHECKED', 'MBL1', false),
      received('B1', 'MBL2'),
    ];
    const { user, load, callsTo } = await opens({ [paths.bill]: { ...bill, itemsReceived } });
    await load();
    await user.click(screen.getByRole('checkbox', { name: 'All of RX21-188T' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(screen.getByRole('dialog').textContent).toContain('Remove 120 received units from the bill?');
    expect(callsTo(paths.remove)).toEqual([]);
    await user.click(screen.getAllByRole('button', { name: 'Delete', hidden: true }).at(-1) as HTMLElement);
    await waitFor(() => expect(callsTo(paths.remove)).toHaveLength(1));
    const [line] = callsTo(paths.remove)[0]?.input['rmaReceiveBillLineRequestList'] as {
      count: number;
      snList: string[];
    }[];
    expect(line).toMatchObject({ mtblId: 'MBL1', count: 120 });
    expect(line?.snList).not.toContain('A-CHECKED');
  });

  it('notes what a device looks like as it comes in: codes and pictures of the one scanned last [W-ISC-02]', async () => {
    const { scan, load, submit, callsTo } = await opens();
    await load();
    scan('A1');
    await waitFor(() => expect(states()).toEqual(['ok']));
    scan('AR01', '%CODE-AR02');
    await waitFor(() => expect(verdict()).toContain('Wet'));
    scan('AR01');
    await waitFor(() => expect(verdict()).toContain('Shell dented'));
    expect(document.querySelector('[data-verdict]')?.getAttribute('data-verdict')).toBe('duplicate');
    scan('A2');
    await waitFor(() => expect(states()).toEqual(['ok', 'ok']));
    expect(screen.getByRole('region', { name: 'Condition on arrival of A2 (optional)' })).toBeTruthy();
    expect(screen.getByRole('row', { name: /^A1/ }).textContent).toContain('AR01 · AR02');
    submit();
    await waitFor(() => expect(callsTo(paths.receive)).toHaveLength(1));
    const [line] = callsTo(paths.receive)[0]?.input['rmaReceiveBillLineRequestList'] as Line[];
    expect(line?.rmaReceiveBillLineItemRequestList).toMatchObject([
      { receiveSn: 'A1', issueCodeIdList: [11, 12], receiveUrls: '' },
      { receiveSn: 'A2', issueCodeIdList: [], receiveUrls: '' },
    ]);
    expect(callsTo(paths.codes)[0]?.input).toMatchObject({ billType: '1' });
  });

  it('says that it has received, and clears what was entered [W-RCV-28]', async () => {
    const { user, enter, scan, load, submit, callsTo } = await opens();
    await load();
    await user.click(screen.getByLabelText(/Payment/));
    await user.click(await screen.findByRole('option', { name: 'Collect' }));
    expect(screen.getByLabelText<HTMLInputElement>(/Freight paid/).required).toBe(true);
    enter(/Freight paid/, '12.5');
    scan('A1');
    await waitFor(() => expect(states()).toEqual(['ok']));
    submit();
    await waitFor(() => expect(verdict()).toContain('Received: 1 device'));
    expect(callsTo(paths.receive)[0]?.input).toMatchObject({ payment: '1', payAmount: '12.5' });
    await waitFor(() => expect(screen.getByRole('button', { name: 'Receive 0 devices' })).toBeTruthy());
    expect(screen.queryByLabelText(/Freight paid/)).toBeNull();
  });

  it('reloads the page a second after the receipt is closed [W-RCV-32]', async () => {
    const { load, callsTo } = await opens();
    await load();
    vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true, advanceTimeDelta: 1 });
    fireEvent.click(screen.getByRole('button', { name: 'Finish receipt' }));
    const [, yes] = screen.getAllByRole('button', { name: 'Finish receipt', hidden: true });
    const delays = vi.spyOn(globalThis, 'setTimeout');
    fireEvent.click(yes as HTMLElement);
    await vi.waitFor(() => expect(callsTo(paths.finish)).toHaveLength(1));
    await vi.waitFor(() =>
      expect(delays.mock.calls.some(([what, after]) => what === reload && after === 1000)).toBe(true),
    );
    expect(reload).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1001);
    expect(reload).toHaveBeenCalledOnce();
  });
});

describe('the tabs of the receipt', () => {
  const findMessage = () =>
    screen
      .getAllByRole('alert')
      .map((it) => it.textContent)
      .join();
  const tab = (name: string) => screen.getByRole('tab', { name });

  it('are device, board and not our company, and nothing else [W-RCV-01]', async () => {
    const { user } = await opens();
    expect(screen.getAllByRole('tab').map((it) => it.textContent)).toEqual(['Device', 'Board', 'Not our company']);
    expect(screen.getByLabelText('Scan SN')).toBeTruthy();
    await user.click(tab('Board'));
    expect(screen.queryByLabelText('Scan SN')).toBeNull();
    for (const name of [/Board sales code/, 'Repairable', 'Unrepairable'])
      expect(screen.getByLabelText(name)).toBeTruthy();
    await user.click(tab('Not our company'));
    expect(screen.getByLabelText('Scan SN')).toBeTruthy();
    expect(screen.getByLabelText(/^Type/)).toBeTruthy();
  });

  it('forget what was entered in the one that is left [W-RCV-02]', async () => {
    const { user, enter, scan, load } = await opens();
    await load();
    scan('A1', 'C1');
    await waitFor(() => expect(states()).toEqual(['ok', 'ok']));
    await user.click(screen.getByLabelText(/Depreciation/));
    await user.click(await screen.findByRole('option', { name: /Like new/ }));
    await user.click(tab('Not our company'));
    await waitFor(() => expect(states()).toEqual([]));
    expect(screen.getByLabelText(/Depreciation/).textContent).toContain('Normal wear');
    await user.click(tab('Board'));
    enter(/Board sales code/, 'hb19');
    enter('Repairable', '2');
    enter('Unrepairable', '');
    expect(await screen.findByRole('button', { name: 'Receive 2 boards' })).toBeTruthy();
    await user.click(tab('Device'));
    expect(screen.getByRole('button', { name: 'Receive 0 devices' })).toBeTruthy();
    await user.click(tab('Board'));
    expect(screen.getByRole('button', { name: 'Receive 0 boards' })).toBeTruthy();
  });

  it('take boards by their number: a sales code and at least one count [W-RCV-22]', async () => {
    const labels = ['BRSN2026112100001', 'BRSN2026112100002'];
    const { user, enter, load, callsTo } = await opens({
      [paths.receive]: { rvbId: 'RVB1', mtbId: 'MTB1', receivedCount: 3, snList: labels, lineList: [] },
    });
    await user.click(tab('Board'));
    await user.click(screen.getByRole('button', { name: 'Add line' }));
    expect(findMessage()).toContain('Enter the waybill number and load the bill first');
    await load();
    const add = async (code: string, repairable: string, unrepairable: string) => {
      fireEvent.change(screen.getByLabelText(/Board sales code/), { target: { value: code } });
      fireEvent.change(screen.getByLabelText('Repairable'), { target: { value: repairable } });
      enter('Unrepairable', unrepairable);
    };
    await add('', '1', '');
    expect(findMessage()).toContain('The required fields must not be empty');
    await add('HB19', '', '0');
    expect(findMessage()).toContain('The required fields must not be empty');
    await user.click(screen.getByRole('button', { name: 'Receive 0 boards' }));
    expect(callsTo(paths.receive)).toEqual([]);
    await add('hb19', '2', '1');
    await add('HB21', '', '4');
    await user.click(screen.getByRole('button', { name: 'Remove line 2' }));
    await user.click(screen.getByRole('button', { name: 'Receive 3 boards' }));
    await waitFor(() => expect(callsTo(paths.receive)).toHaveLength(1));
    expect(callsTo(paths.receive)[0]?.input['rmaReceiveBillLineRequestList']).toMatchObject([
      { type: '1', salesCode: 'HB19', count: 3, repairableCount: 2, unRepairableCount: 1, snControl: '0' },
    ]);
    expect(await screen.findByText(labels[1] as string)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Receive 0 boards' })).toBeTruthy();
  });

  it('of boards goes from one count to the next by Enter, and adds the line at the last', async () => {
    const { user, load } = await opens();
    await user.click(tab('Board'));
    await load();
    const code = screen.getByLabelText(/Board sales code/);
    fireEvent.change(code, { target: { value: 'HB19' } });
    await user.type(screen.getByLabelText('Repairable'), '2{Enter}');
    expect(document.activeElement).toBe(screen.getByLabelText('Unrepairable'));
    expect(findMessage()).not.toContain('must not be empty');
    await user.keyboard('1{Enter}');
    expect(screen.getByRole('button', { name: 'Receive 3 boards' })).toBeTruthy();
    expect(document.activeElement).toBe(code);
  });

  it('of boards is not finished while some are entered and not received', async () => {
    const errors = vi.spyOn(notices, 'error');
    const { user, load, callsTo } = await opens();
    await user.click(tab('Board'));
    await load();
    fireEvent.change(screen.getByLabelText(/Board sales code/), { target: { value: 'HB19' } });
    await user.type(screen.getByLabelText('Repairable'), '2{Enter}');
    await user.keyboard('1{Enter}');
    await user.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}');
    expect(errors.mock.calls).toEqual([['3 entered boards are not received yet; receive or remove them first']]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(callsTo(paths.finish)).toEqual([]);
  });

  it('of boards prints the labels of what came in, once, as first prints', async () => {
    const labels = ['BRSN2026112100001', 'BRSN2026112100002'];
    const path = sendReceivedLabels.path;
    const { user, enter, load, callsTo } = await opens({
      [paths.receive]: { rvbId: 'RVB1', mtbId: 'MTB1', receivedCount: 3, snList: labels, lineList: [] },
      [path]: { printNo: 'P1', printer: null, count: 2 },
    });
    await user.click(tab('Board'));
    await load();
    fireEvent.change(screen.getByLabelText(/Board sales code/), { target: { value: 'HB19' } });
    fireEvent.change(screen.getByLabelText('Repairable'), { target: { value: '2' } });
    enter('Unrepairable', '1');
    await user.click(screen.getByRole('button', { name: 'Receive 3 boards' }));
    await user.click(await screen.findByRole('button', { name: 'Print 2 labels' }));
    await waitFor(() =>
      expect([...document.querySelectorAll<HTMLElement>('[data-label]')].map((it) => it.dataset['label'])).toEqual(
        labels,
      ),
    );
    expect(document.querySelector('[data-labels]')?.textContent).not.toContain('REPRINT');
    expect(callsTo(path).map((it) => it.input)).toEqual([{ printer: '', snList: labels }]);
    expect(screen.getByRole('button', { name: 'Print 2 labels' }).hasAttribute('disabled')).toBe(true);
  });

  it('turn by barcode too, from the form of the boards as well, which submits by barcode', async () => {
    const { scan, load, callsTo } = await opens();
    await load();
    const turned = (name: string) => waitFor(() => expect(tab(name).getAttribute('aria-selected')).toBe('true'));
    scan('%TAB-2');
    await turned('Board');
    const code = screen.getByLabelText<HTMLInputElement>(/Board sales code/);
    fireEvent.change(code, { target: { value: 'HB19' } });
    scanOn(code, '%SUBMIT');
    expect(findMessage()).toContain('The required fields must not be empty');
    scanOn(document.body, '%UNDO');
    expect(code.value).toBe('HB19');
    scanOn(screen.getByRole('button', { name: 'Add line' }), '%NEXT');
    await turned('Not our company');
    scan('%TAB-1');
    await turned('Device');
    expect(callsTo(paths.receive)).toEqual([]);
  });

  it('take the next parcel over the number of the one before, wherever that is scanned', async () => {
    const { load, callsTo } = await opens();
    await load();
    const field = screen.getByLabelText<HTMLInputElement>(/Inbound waybill/);
    let now = 0;
    const type = (text: string) => {
      for (const key of [...text, 'Enter']) {
        const event = createEvent.keyDown(field, { key });
        Object.defineProperty(event, 'timeStamp', { value: (now += 10) });
        fireEvent(field, event);
        if (key !== 'Enter') fireEvent.change(field, { target: { value: field.value + key } });
      }
    };
    type('SF222');
    await waitFor(() => expect(callsTo(paths.bill).at(-1)?.input).toMatchObject({ receiveShipNo: 'SF222' }));
    expect(field.value).toBe('SF222');
    // While one is on its way no other is asked for.
    await waitFor(() => expect(screen.getByRole('button', { name: 'Load' })).toHaveProperty('disabled', false));
    for (const letter of '33') {
      now += 300;
      fireEvent.keyDown(field, { key: letter });
      fireEvent.change(field, { target: { value: field.value + letter } });
    }
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(callsTo(paths.bill).at(-1)?.input).toMatchObject({ receiveShipNo: 'SF22233' }));
  });

  it('take a board’s code at once, wherever the focus is, and go on to its count', async () => {
    const { user, scan, load } = await opens();
    await load();
    scan('%TAB-2');
    const code = await screen.findByLabelText<HTMLInputElement>(/Board sales code/);
    await waitFor(() => expect(document.activeElement).toBe(code));
    act(() => code.blur());
    await user.keyboard('hb19{Enter}');
    expect(code.value).toBe('HB19');
    expect(document.activeElement).toBe(screen.getByLabelText('Repairable'));
  });

  it('take what is not ours by SN and type [W-RCV-23] [W-RCV-24]', async () => {
    const { user, scan, load, submit, callsTo } = await opens();
    await load();
    await user.click(tab('Not our company'));
    scan('x1');
    await waitFor(() => expect(verdict()).toContain('The required fields must not be empty (Type)'));
    expect(callsTo(paths.nonOfficial)).toEqual([]);
    await user.click(screen.getByLabelText(/^Type/));
    await user.click(await screen.findByRole('option', { name: 'Board' }));
    scan(' x1 ');
    await waitFor(() => expect(states()).toEqual(['ok']));
    expect(callsTo(paths.nonOfficial)[0]?.input).toMatchObject({ sn: 'X1', type: '1' });
    submit();
    await waitFor(() => expect(callsTo(paths.receive)).toHaveLength(1));
    expect(callsTo(paths.receive)[0]?.input['rmaReceiveBillLineRequestList']).toMatchObject([
      {
        mtblId: '',
        type: '1',
        salesCode: 'NOT-OUR',
        rmaReceiveBillLineItemRequestList: [{ receiveSn: 'X1', type: '1' }],
      },
    ]);
  });

  it.each([
    ['officialSn', 'SN X1 belongs to the company; scan it in the device tab'],
    ['alreadyRegistered', 'SN X1 is registered already; scan it in the device tab'],
  ] as const)('tell what is in the wrong tab as wrong, and not as a duplicate: %s', async (key, words) => {
    const { user, scan, load } = await opens({ [paths.nonOfficial]: refuses(key, words) });
    await load();
    await user.click(tab('Not our company'));
    await user.click(screen.getByLabelText(/^Type/));
    await user.click(await screen.findByRole('option', { name: 'Board' }));
    scan('X1');
    await waitFor(() => expect(verdict()).toContain('scan it in the device tab'));
    expect(document.querySelector('[data-verdict]')?.getAttribute('data-verdict')).toBe('wrong');
    expect(states()).toEqual(['wrong']);
  });
});
