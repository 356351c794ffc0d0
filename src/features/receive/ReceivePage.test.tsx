// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import ReceivePage from './ReceivePage.tsx';

const paths = {
  bill: '/api/rmaReceiveBill/queryByShipNo.json',
  validate: '/api/rmaReceiveBill/validateSn.json',
  receive: '/api/rmaReceiveBill/receive.json',
  remove: '/api/rmaReceiveBill/deleteReceived.json',
  finish: '/api/rmaReceiveBill/finishReceive.json',
  depreciations: '/api/rmaEnumDepreciation/all.json',
};
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

async function opens(more: Answers = {}) {
  const page = await openPage(<ReceivePage menuNo="rmaReceiveBillList" />, {
    lang: 'en',
    answers: {
      [paths.bill]: bill,
      [paths.validate]: validate,
      [paths.receive]: { rvbId: 'RVB1', mtbId: 'MTB1', receivedCount: 1, snList: [], lineList: [] },
      [paths.remove]: { deletedCount: 1, lineList: [] },
      [paths.finish]: { mtbId: 'MTB1', billStatus: '1' },
      [paths.depreciations]: {
        items: [
          { value: 'A', name: 'Like new' },
          { value: 'B', name: 'Normal wear' },
        ],
      },
      ...more,
    },
  });
  await waitFor(() => expect(page.of(paths.depreciations)).toHaveLength(1));
  const enter = (name: RegExp | string, text: string) => {
    const field = screen.getByLabelText(name);
    fireEvent.change(field, { target: { value: text } });
    fireEvent.keyDown(field, { key: 'Enter' });
  };
  const scan = (...texts: string[]) => texts.forEach((it) => enter('Scan SN', it));
  const load = async () => {
    enter(/Receive ship no/, 'SF1');
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
  it('loads no bill without a number, and takes no SN without a bill [W-RCV-09] [W-RCV-12]', async () => {
    const { enter, scan, of } = await opens();
    enter(/Receive ship no/, '');
    expect(await screen.findAllByText('Enter the ship number and load the bill first')).not.toHaveLength(0);
    scan('A1');
    expect(document.querySelector('[data-verdict]')?.getAttribute('data-verdict')).toBe('wrong');
    expect(verdict()).toContain('Enter the ship number and load the bill first');
    expect([...of(paths.bill), ...of(paths.validate)]).toEqual([]);
  });

  it('says who and where in every call of a receipt [W-RCV-08] [W-RCV-10] [W-RCV-17]', async () => {
    const { scan, load, of } = await opens();
    await load();
    scan(' a1 ');
    await waitFor(() => expect(states()).toEqual(['ok']));
    const extras = { lang: 'en', orgId: 'ORG', siteId: 'SZ' };
    expect(of(paths.bill)[0]?.input).toMatchObject({ receiveShipNo: 'SF1', ...extras });
    expect(of(paths.validate)[0]?.input).toMatchObject({ sn: 'A1', mtbId: 'MTB1', ...extras });
  });

  it('puts an SN on the line of its code, of a slave code, or on a new one, and drops empty lines [W-RCV-07] [W-RCV-15] [W-RCV-18] [W-RCV-19] [W-RCV-20] [W-RCV-26] [W-RCV-27]', async () => {
    const { scan, load, submit, of } = await opens();
    await load();
    scan('b1', 'c1', 'c2');
    await waitFor(() => expect(states()).toEqual(['ok', 'ok', 'ok']));
    submit();
    await waitFor(() => expect(of(paths.receive)).toHaveLength(1));
    const sent = of(paths.receive)[0]?.input ?? {};
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
    enter(/Receive ship no/, 'SF1');
    scan('A1', 'C1');
    expect(states()).toEqual([]);
    arrive(bill);
    await waitFor(() => expect(states()).toEqual(['ok', 'ok']));
  });

  it('receives no empty list [W-RCV-25]', async () => {
    const { load, submit, of } = await opens();
    await load();
    // Whoever presses before the loaded bill's station is in place presses again.
    await waitFor(() => {
      submit();
      expect(verdict()).toContain('The required fields must not be empty');
    });
    expect(of(paths.receive)).toEqual([]);
  });

  it('keeps the list when the receipt is refused [W-COM-11]', async () => {
    const { scan, load, submit } = await opens({ [paths.receive]: refuses('100012', 'receiving is forbidden') });
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
    const { user, load, of } = await opens();
    await load();
    await user.click(screen.getByRole('button', { name: 'Finish receipt' }));
    expect(screen.getByRole('dialog').textContent).toContain(
      'After submitting the work order, receiving of this order is forbidden',
    );
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(of(paths.finish)).toEqual([]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Finish receipt' }));
    const [, yes] = screen.getAllByRole('button', { name: 'Finish receipt', hidden: true });
    await user.click(yes as HTMLElement);
    await waitFor(() => expect(of(paths.finish)[0]?.input).toMatchObject({ maintainBillId: 'MTB1' }));
  });

  it('takes received units off again, those alone that may be [W-RCV-33] [W-RCV-35]', async () => {
    const { user, load, of } = await opens();
    await load();
    expect(screen.getByLabelText('OLD2')).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('checkbox', { name: 'OLD1' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(of(paths.remove)).toHaveLength(1));
    expect(of(paths.remove)[0]?.input).toMatchObject({
      mtbId: 'MTB1',
      rmaReceiveBillLineRequestList: [{ mtblId: 'MBL1', count: 1, snList: ['OLD1'] }],
    });
    await waitFor(() => expect(of(paths.bill)).toHaveLength(2));
  });
});
