// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { type Answers, openPage, refuses } from '#app/parts/openPage.tsx';
import { slowUploads } from '#app/testing/slowUploads.ts';
import { turns } from '#tests/support/turns.ts';
import ReceivePage from './ReceivePage.tsx';

vi.mock('#app/parts/reload.ts', () => ({ reload: vi.fn() }));
const paths = {
  bill: '/api/rmaReceiveBill/queryByShipNo.json',
  validate: '/api/rmaReceiveBill/validateSn.json',
  receive: '/api/rmaReceiveBill/receive.json',
};
const line = { mtblId: 'MBL1', type: '0', salesCode: 'RX21-188T', itemName: 'RX-21', productName: null };
const bill = {
  ...{ mtbId: 'MTB1', receiveShipNo: 'SF1', billStatus: '0', userName: 'Acme', itemsReceived: [] },
  rmaMaintainBillLineList: [{ ...line, count: 5, receiveCount: 0, receivedCount: 0 }],
};
const item = { itemId: 1, code: 'RX21-188T', name: 'RX-21', productName: null, deviceType: '0', slaveCodeList: [] };
const received = { rvbId: 'RVB1', mtbId: 'MTB1', receivedCount: 1, snList: [], lineList: [] };
const dented = { codeId: 11, code: 'AR01', name: 'Shell dented', disposition: null, imageRequired: null };

async function opens(more: Answers) {
  const page = await openPage(<ReceivePage menuNo="rmaReceiveBillList" />, {
    lang: 'en',
    answers: {
      [paths.bill]: bill,
      [paths.validate]: ({ sn }: { sn: string }) => ({ sn, type: '0', item }),
      [paths.receive]: received,
      '/api/ubsIssueCode/loadIssueCodeList.json': { issueCodeList: [dented] },
      '/api/rmaEnumDepreciation/all.json': { items: [{ value: 'B', name: 'Used' }] },
      ...more,
    },
  });
  const enter = (field: Element, text: string) => {
    fireEvent.change(field, { target: { value: text } });
    fireEvent.keyDown(field, { key: 'Enter' });
  };
  const scan = (text: string) => enter(screen.getByLabelText(/^Scan SN/), text);
  const load = (no: string) => enter(screen.getByRole('textbox', { name: /Inbound waybill/ }), no);
  const submit = () => fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
  load('SF1');
  await screen.findByText('MTB1');
  await waitFor(() => expect(page.callsTo('/api/ubsIssueCode/loadIssueCodeList.json')).toHaveLength(1));
  const accepts = async (...sns: string[]) => {
    for (const sn of sns) scan(sn);
    await waitFor(() => expect(states().slice(-sns.length)).toEqual(sns.map((sn) => `${sn} ok`)));
  };
  return { ...page, scan, load, submit, accepts };
}
const states = () =>
  [...document.querySelectorAll<HTMLElement>('tr[data-state]')]
    .map((it) => `${it.querySelector('.sn')?.textContent} ${it.dataset['state']}`)
    .reverse();
const verdict = () => document.querySelector('[data-verdict]')?.textContent;
const says = (text: string) => waitFor(() => expect(verdict()).toContain(text));
type Request = { rmaReceiveBillLineRequestList: { rmaReceiveBillLineItemRequestList: object[] }[] };
const unitsOf = (input: unknown) =>
  (input as Request).rmaReceiveBillLineRequestList.flatMap((it) => it.rmaReceiveBillLineItemRequestList);

describe('what is noted of a unit as it comes', () => {
  it('is its own, whatever is scanned while its pictures are on their way', async () => {
    const uploads = slowUploads();
    const { scan, submit, accepts, callsTo } = await opens(uploads.answers);
    await accepts('A1');
    uploads.choose('front.jpg', 'back.jpg');
    await uploads.isSent(1);
    await accepts('A2');
    scan('AR01');
    await says('Shell dented');
    submit();
    await says('Pictures are still being sent');
    uploads.arrive(1);
    await uploads.isSent(2);
    uploads.arrive(2);
    await screen.findByText('Upload succeeded');
    await waitFor(() => {
      submit();
      expect(callsTo(paths.receive)).toHaveLength(1);
    });
    expect(unitsOf(callsTo(paths.receive)[0]?.input)).toMatchObject([
      { receiveSn: 'A1', receiveUrls: '/file/p1##/file/p2', issueCodeIdList: [] },
      { receiveSn: 'A2', receiveUrls: '', issueCodeIdList: [11] },
    ]);
  });

  it('stays with a unit that was scanned while the others were being submitted', async () => {
    let end = (_: unknown) => {};
    const { scan, submit, accepts, callsTo } = await opens({ [paths.receive]: () => new Promise((it) => (end = it)) });
    await accepts('A1');
    submit();
    await waitFor(() => expect(callsTo(paths.receive)).toHaveLength(1));
    await accepts('A2');
    scan('AR01');
    await says('Shell dented');
    end(received);
    await says('Received: 1 device');
    submit();
    await waitFor(() => expect(callsTo(paths.receive)).toHaveLength(2));
    expect(unitsOf(callsTo(paths.receive)[1]?.input)).toMatchObject([{ receiveSn: 'A2', issueCodeIdList: [11] }]);
  });
});

describe('a receipt', () => {
  it('keeps what was paid when it is refused, and begins anew when it is done', async () => {
    let isRefused = true;
    const answer = () => (isRefused ? refuses('wrongNode', 'SN A1 is elsewhere') : received);
    const { user, submit, accepts, callsTo } = await opens({ [paths.receive]: answer });
    await user.click(screen.getByLabelText(/Payment/));
    await user.click(await screen.findByRole('option', { name: 'Collect' }));
    fireEvent.change(screen.getByLabelText(/Freight paid/), { target: { value: '12.5' } });
    await accepts('A1');
    submit();
    await says('is elsewhere');
    isRefused = false;
    submit();
    await says('Received: 1 device');
    expect(callsTo(paths.receive).map(({ input }) => [input['payment'], input['payAmount']])).toEqual([
      ['1', '12.5'],
      ['1', '12.5'],
    ]);
    expect(screen.queryByLabelText(/Freight paid/)).toBeNull();
  });

  it('stays on the bill that was loaded last, whichever answer comes last', async () => {
    let isSlow = false;
    let late = () => {};
    const billOf = ({ receiveShipNo }: { receiveShipNo: string }) => {
      const answer = { ...bill, receiveShipNo, mtbId: receiveShipNo === 'SF1' ? 'MTB1' : 'MTB2' };
      if (!isSlow) return answer;
      isSlow = false;
      return new Promise((done) => (late = () => done(answer)));
    };
    const { scan, load, submit, accepts, callsTo } = await opens({ [paths.bill]: billOf });
    await accepts('A1');
    isSlow = true;
    submit();
    await waitFor(() => expect(callsTo(paths.bill)).toHaveLength(2));
    load('SF2');
    await screen.findByText('MTB2');
    late();
    await turns();
    scan('A5');
    await waitFor(() => expect(callsTo(paths.validate)).toHaveLength(2));
    expect(callsTo(paths.validate)[1]?.input).toMatchObject({ sn: 'A5', mtbId: 'MTB2' });
  });
});
