// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import QcPage from './QcPage.tsx';

const paths = {
  codes: '/api/rmaExamineBill/loadIssueCodeList.json',
  check: '/api/rmaExamineBill/attemptExamine.json',
  submit: '/api/rmaExamineBill/submitExamineBill.json',
};
const code = (codeId: number, name: string, passFlag: string) => ({
  ...{ codeId, code: `QC0${codeId}`, name, passFlag },
  ...{ billType: '7', disposition: null, imageRequired: '0' },
});
const codes = [code(0, 'Pass', '1'), code(1, 'Low hash rate', '0')];
const tested = ({ sn, icdId }: { sn: string; icdId: number }) => ({
  ...{ sn, salesCode: 'RX21-188T', name: 'RX-21', mtbId: 'MTB1', icdId },
  ...{ code: `QC0${icdId}`, codeName: codes[icdId]?.name, passFlag: codes[icdId]?.passFlag },
});

async function opens(list = codes) {
  const page = await openPage(<QcPage menuNo="rmaExamineBillList" />, {
    lang: 'en',
    answers: {
      [paths.codes]: { issueCodeList: list },
      [paths.check]: tested,
      [paths.submit]: { exbId: 'EXB1', passCount: 1, failCount: 1 },
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

describe('the QC station', () => {
  it('has pass chosen, takes another result by its scanned code, and submits each SN with its own [W-EXM-01] [W-EXM-07] [W-EXM-08] [W-EXM-09]', async () => {
    const { scan, submit, callsTo } = await opens();
    await screen.findByText('QC00 Pass');
    scan('SN0001');
    scan('qc01');
    await screen.findByText('QC01 Low hash rate');
    scan('SN0002');
    await waitFor(() => expect(states()).toEqual(['ok', 'ok']));
    expect(callsTo(paths.check).map((it) => it.input['icdId'])).toEqual([0, 1]);
    submit();
    await waitFor(() => expect(callsTo(paths.submit)).toHaveLength(1));
    expect(callsTo(paths.submit)[0]?.input).toEqual({
      rmaExamineBillLineList: [
        { sn: 'SN0001', salesCode: 'RX21-188T', icdId: 0 },
        { sn: 'SN0002', salesCode: 'RX21-188T', icdId: 1 },
      ],
    });
  });

  it('takes no SN without a result, nor a result without an SN [W-EXM-04]', async () => {
    const { scan, callsTo } = await opens([]);
    scan('');
    await waitFor(() => expect(verdict()).toContain('Please scan the SN first'));
    scan('SN0001');
    await waitFor(() => expect(verdict()).toContain('Choose the result first'));
    expect(callsTo(paths.check)).toEqual([]);
  });

  it('tells an SN that is on the list already [W-EXM-05]', async () => {
    const { scan } = await opens();
    await screen.findByText('QC00 Pass');
    scan('SN0001');
    scan('SN0001');
    await waitFor(() => expect(states()).toEqual(['ok', 'duplicate']));
  });

  it('submits no empty list [W-EXM-06]', async () => {
    const { submit, callsTo } = await opens();
    submit();
    await waitFor(() => expect(verdict()).toContain('The required fields must not be empty'));
    expect(callsTo(paths.submit)).toEqual([]);
  });
});
