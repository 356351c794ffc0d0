// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answers, openPage, refuses } from '#app/parts/openPage.tsx';
import { slowUploads } from '#app/testing/slowUploads.ts';
import AgingPage from './AgingPage.tsx';

const paths = {
  codes: '/api/rmaBurninBill/loadIssueCodeList.json',
  check: '/api/rmaBurninBill/attemptBurnin.json',
  submit: '/api/rmaBurninBill/submitBurninBill.json',
};
const code = (codeId: number, name: string, passFlag: string) => ({
  ...{ codeId, code: `AT0${codeId}`, name, passFlag },
  ...{ billType: '6', disposition: null, imageRequired: '0' },
});
const codes = [code(0, 'Pass', '1'), code(1, 'Low hash rate', '0')];
const tested = ({ sn, icdId }: { sn: string; icdId: number }) => ({
  ...{ sn, salesCode: 'RX21-188T', name: 'RX-21', mtbId: 'MTB1', icdId },
  ...{ code: `AT0${icdId}`, codeName: codes[icdId]?.name, passFlag: codes[icdId]?.passFlag },
});

async function opens(list = codes, address = '/here', listed: unknown = { issueCodeList: list }, more: Answers = {}) {
  const page = await openPage(<AgingPage menuNo="rmaBurninBillList" />, {
    lang: 'en',
    address,
    answers: {
      [paths.codes]: () => listed,
      [paths.check]: tested,
      [paths.submit]: { bnbId: 'BNB1', passCount: 1, failCount: 1 },
      ...more,
    },
  });
  await waitFor(() => expect(page.callsTo(paths.codes)).toHaveLength(1));
  const scan = (text: string) => {
    const field = screen.getByLabelText('Scan SN');
    fireEvent.change(field, { target: { value: text } });
    fireEvent.keyDown(field, { key: 'Enter' });
  };
  return { ...page, scan, submit: () => fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true }) };
}
const verdict = () => document.querySelector('[data-verdict]')?.textContent;
const states = () =>
  [...document.querySelectorAll('tr[data-state]')].map((it) => it.getAttribute('data-state')).reverse();

describe('the aging station', () => {
  it('scans what its address brings with the result that stands there, and waits for one where none does', async () => {
    const withPass = await opens(codes, '/burnin?sn=SN0001');
    await waitFor(() => expect(withPass.callsTo(paths.check)).toHaveLength(1));
    expect(withPass.callsTo(paths.check)[0]?.input).toMatchObject({ sn: 'SN0001', icdId: 0 });
    withPass.unmount();
    const without = await opens([code(1, 'Low hash rate', '0')], '/burnin?sn=SN0002');
    expect(await screen.findByText(/SN0002 will be scanned/)).toBeTruthy();
    without.scan('AT01');
    await waitFor(() => expect(without.callsTo(paths.check)).toHaveLength(1));
    expect(without.callsTo(paths.check)[0]?.input).toMatchObject({ sn: 'SN0002', icdId: 1 });
  });

  it('has pass chosen, takes another result by its scanned code, and submits each SN with its own [W-BRN-01] [W-BRN-03] [W-BRN-08] [W-BRN-09] [W-BRN-10]', async () => {
    const { scan, submit, callsTo } = await opens();
    await screen.findByText('AT00 Pass');
    scan('SN0001');
    scan('at01');
    await screen.findByText('AT01 Low hash rate');
    scan('SN0002');
    await waitFor(() => expect(states()).toEqual(['ok', 'ok']));
    expect(callsTo(paths.check).map((it) => it.input['icdId'])).toEqual([0, 1]);
    submit();
    await waitFor(() => expect(callsTo(paths.submit)).toHaveLength(1));
    expect(callsTo(paths.submit)[0]?.input).toEqual({
      rmaBurninBillLineList: [
        { sn: 'SN0001', salesCode: 'RX21-188T', icdId: 0, burninUrlList: [] },
        { sn: 'SN0002', salesCode: 'RX21-188T', icdId: 1, burninUrlList: [] },
      ],
    });
  });

  it('gives an SN the result that was scanned right before it, also before the codes have come or in one burst', async () => {
    let come: (data: unknown) => void = () => undefined;
    const { scan, callsTo } = await opens(codes, '/here', new Promise((done) => (come = done)));
    scan('%CODE-AT01');
    scan('SN0001');
    scan('at00');
    scan('SN0002');
    await waitFor(() => expect(verdict()).not.toContain('does nothing'));
    come({ issueCodeList: codes });
    await waitFor(() => expect(states()).toEqual(['ok', 'ok']));
    act(() => {
      scan('AT01');
      scan('SN0003');
      scan('%CODE-AT00');
      scan('SN0004');
    });
    await waitFor(() => expect(states()).toEqual(['ok', 'ok', 'ok', 'ok']));
    const sent = callsTo(paths.check).map(({ input }) => `${String(input['sn'])} ${String(input['icdId'])}`);
    expect(sent).toEqual(['SN0001 1', 'SN0002 0', 'SN0003 1', 'SN0004 0']);
  });

  it('takes no SN without a result, nor a result without an SN [W-BRN-05]', async () => {
    const { scan, callsTo } = await opens([]);
    scan('');
    await waitFor(() => expect(verdict()).toContain('Please scan the SN first'));
    scan('SN0001');
    await waitFor(() => expect(verdict()).toContain('Choose the result first'));
    expect(callsTo(paths.check)).toEqual([]);
  });

  it('tells an SN that is on the list already [W-BRN-06]', async () => {
    const { scan } = await opens();
    await screen.findByText('AT00 Pass');
    scan('SN0001');
    scan('SN0001');
    await waitFor(() => expect(states()).toEqual(['ok', 'duplicate']));
  });

  it('submits no empty list [W-BRN-07]', async () => {
    const { submit, callsTo } = await opens();
    submit();
    await waitFor(() => expect(verdict()).toContain('The required fields must not be empty'));
    expect(callsTo(paths.submit)).toEqual([]);
  });

  it('has room for two pictures [W-BRN-11]', async () => {
    await opens();
    const files = [1, 2, 3].map((it) => new File(['x'], `${it}.jpg`, { type: 'image/jpeg' }));
    fireEvent.change(document.querySelector('input[type=file]') as HTMLInputElement, { target: { files } });
    expect(screen.getByText('At most 2 images')).toBeTruthy();
  });
});

describe('the pictures of a test', () => {
  const withPictures = async (more: Answers = {}) => {
    const uploads = slowUploads();
    const page = await opens(codes, '/here', undefined, {
      [paths.codes]: { issueCodeList: codes },
      ...uploads.answers,
      ...more,
    });
    await screen.findByText('AT00 Pass');
    return { ...page, uploads };
  };
  const liesReady = async (uploads: ReturnType<typeof slowUploads>) => {
    uploads.choose('log.jpg');
    await uploads.isSent(1);
    uploads.arrive(1);
    await screen.findByText('Upload succeeded');
  };
  const picturesOf = (asked: { input: Record<string, unknown> }[]) => asked.map((it) => it.input['burninUrlList']);

  it('leave the result that was chosen while they were on their way, and are waited for', async () => {
    const { scan, callsTo, uploads } = await withPictures();
    uploads.choose('log.jpg');
    await uploads.isSent(1);
    scan('AT01');
    await screen.findByText('AT01 Low hash rate');
    scan('SN0001');
    await waitFor(() => expect(verdict()).toContain('Pictures are still being sent'));
    expect(callsTo(paths.check)).toEqual([]);
    uploads.arrive(1);
    await screen.findByText('Upload succeeded');
    scan('SN0001');
    await waitFor(() => expect(callsTo(paths.check)).toHaveLength(1));
    expect(callsTo(paths.check)[0]?.input).toMatchObject({ sn: 'SN0001', icdId: 1, burninUrlList: ['/file/p1'] });
  });

  it('are one unit’s: of two that are asked about at once, the first’s', async () => {
    const waiting: (() => void)[] = [];
    const check = (it: never) => new Promise((done) => waiting.push(() => done(tested(it))));
    const { scan, callsTo, uploads } = await withPictures({ [paths.check]: check });
    await liesReady(uploads);
    scan('SN0001');
    scan('SN0002');
    await waitFor(() => expect(callsTo(paths.check)).toHaveLength(2));
    expect(picturesOf(callsTo(paths.check))).toEqual([['/file/p1'], []]);
  });

  it('are there for the next unit when the first is refused', async () => {
    const check = (it: { sn: string; icdId: number }) =>
      it.sn === 'SN0001' ? refuses('wrongNode', 'SN0001 is elsewhere') : tested(it);
    const { scan, callsTo, uploads } = await withPictures({ [paths.check]: check });
    await liesReady(uploads);
    scan('SN0001');
    await waitFor(() => expect(verdict()).toContain('is elsewhere'));
    scan('SN0002');
    await waitFor(() => expect(callsTo(paths.check)).toHaveLength(2));
    scan('SN0003');
    await waitFor(() => expect(callsTo(paths.check)).toHaveLength(3));
    expect(picturesOf(callsTo(paths.check))).toEqual([['/file/p1'], ['/file/p1'], []]);
  });
});
