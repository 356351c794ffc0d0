// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import RepairPage from './RepairPage.tsx';

const paths = { validate: '/api/rmaRepairBill/validateSn.json', repair: '/api/rmaRepairBill/repair.json' };
const unit = ({ sn, checkType }: { sn: string; checkType: string }) => ({
  sn,
  type: checkType,
  item: { itemId: 3, salesCode: 'HB19', name: 'RX19 board', deviceType: checkType, bomId: null },
  mtbId: 'MTB1',
  checkIssueCodes: [],
  lastFailIssueCodes: [],
  repairTypeNeeded: '0',
  repairType: null,
  slotList: ['U1'],
  components: [],
});
const opens = async () => {
  const page = await openPage(<RepairPage menuNo="rmaRepairBillList" />, {
    lang: 'en',
    answers: {
      [paths.validate]: (it: { sn: string; checkType: string }) =>
        it.sn.startsWith('B') === (it.checkType === '1') ? unit(it) : refuses('100015', 'it is in the wrong tab'),
      '/api/ubsEnumPartsType/all.json': { items: [] },
      '/api/rmaEnumRepairMethod/all.json': { items: [] },
      '/api/ubsIssueCode/loadIssueCodeList.json': {
        issueCodeList: [{ codeId: 41, code: 'RP01', name: 'Chip fault', billType: '4', passFlag: null }],
      },
      '/api/ubsEnumComponentType/all.json': { items: [] },
    },
  });
  const scan = (sn: string) => {
    const field = screen.getByLabelText('Scan SN');
    fireEvent.change(field, { target: { value: sn } });
    fireEvent.keyDown(field, { key: 'Enter' });
  };
  return { ...page, scan };
};
const verdict = () => document.querySelector('[data-verdict]')?.textContent;

describe('the repair station', () => {
  it('takes an issue code by scan, into the record that is open', async () => {
    const { scan } = await opens();
    scan('D1');
    await screen.findByRole('region', { name: 'Repair record' });
    scan('%CODE-RP01');
    await screen.findByText('Chip fault', { selector: 'td' });
    scan('rp01');
    await waitFor(() => expect(document.querySelector('[data-verdict=duplicate]')?.textContent).toContain('RP01'));
    scan('%SUBMIT');
    await waitFor(() => expect(verdict()).toContain('One record is not added yet'));
  });

  it('has a tab for devices and one for parts; each takes its own alone [W-REP-01]', async () => {
    const { user, scan, of } = await opens();
    expect(screen.getAllByRole('tab').map((it) => it.textContent)).toEqual(['Device', 'Board']);
    scan('B1');
    await waitFor(() => expect(verdict()).toContain('it is in the wrong tab'));
    await user.click(screen.getByRole('tab', { name: 'Board' }));
    scan('B1');
    await screen.findByRole('region', { name: 'Repair record' });
    expect(of(paths.validate).map((it) => it.input)).toEqual([
      { sn: 'B1', checkType: '0' },
      { sn: 'B1', checkType: '1' },
    ]);
  });
});
