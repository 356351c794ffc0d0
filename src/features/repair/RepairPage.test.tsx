// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
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
  checkIssueCodes: sn.includes('FOUND') ? [{ codeId: 101, code: 'FX57', name: 'Chips missing' }] : [],
  lastFailIssueCodes: [],
  repairTypeNeeded: '0',
  repairType: null,
  slotList: ['U1'],
  components: ['HB1', 'HB2'].map((componentSn) => ({ componentType: 'COIT000000S0', componentSn, qrCodeNum: null })),
});
const partsTypes = ['Device', 'Power', '', '', '', '', 'Computing 1', 'Computing 2'].map((name, i) => ({
  value: String(i + 1),
  name,
}));
const methods = [
  { value: '2', name: 'Replace' },
  { value: '8', name: 'Welding' },
];
const opens = async () => {
  const page = await openPage(<RepairPage menuNo="rmaRepairBillList" />, {
    lang: 'en',
    answers: {
      [paths.validate]: (it: { sn: string; checkType: string }) =>
        it.sn.startsWith('B') === (it.checkType === '1') ? unit(it) : refuses('isBoard', 'it is in the wrong tab'),
      '/api/ubsEnumPartsType/all.json': { items: partsTypes },
      '/api/rmaEnumRepairMethod/all.json': { items: methods },
      [paths.repair]: ({ sn }: { sn: string }) => ({ rpbId: 'RPB1', sn, nextNode: '60' }),
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
  /** The unit is on the bench. Asked of the document itself: roles are slow to find, again with each change. */
  const form = (sn: string) =>
    waitFor(() => {
      expect(document.querySelector('section .sn')?.textContent).toBe(sn);
      expect(document.querySelector('[data-field=slot]')).toBeTruthy();
    });
  return { ...page, scan, form };
};
const verdict = () => document.querySelector('[data-verdict]')?.textContent;

describe('the repair station', () => {
  it('takes an issue code by scan, into the record that is open', async () => {
    const { scan, form } = await opens();
    scan('D1');
    await form('D1');
    scan('%CODE-RP01');
    await screen.findByRole('button', { name: 'RP01' });
    scan('rp01');
    await waitFor(() => expect(document.querySelector('[data-verdict=duplicate]')?.textContent).toContain('RP01'));
    scan('%SUBMIT');
    const missing = 'The required fields must not be empty (Repair method, Slots)';
    await waitFor(() => expect(document.querySelector('[data-verdict=wrong]')?.textContent).toContain(missing));
  });

  it('proposes what the first test found, and the way in which such a code was repaired last', async () => {
    const { scan, form, user, callsTo } = await opens();
    const submits = async (sn: string, method: string) => {
      scan(sn);
      await form(sn);
      const mode = screen.getByRole<HTMLInputElement>('combobox', { name: /Repair method/ });
      expect(screen.getByRole('button', { name: 'FX57' })).toBeTruthy();
      await waitFor(() => expect(document.activeElement).toBe(method === '' ? mode : slot()));
      if (method !== '') expect(mode.value).toBe(method);
      else await user.type(mode, '8{Enter}');
      expect(document.activeElement).toBe(slot());
      await user.type(slot(), 'U1{Control>}{Enter}{/Control}');
    };
    const slot = () => screen.getByRole('combobox', { name: /Slots/ });
    await submits('DFOUND1', '');
    await waitFor(() => expect(callsTo(paths.repair)).toHaveLength(1));
    await submits('DFOUND2', 'Welding');
    await waitFor(() => expect(callsTo(paths.repair)).toHaveLength(2));
    const record = { partsType: '1', repairMethod: '8', issueCodeIdList: [101], slot: 'U1' };
    expect(callsTo(paths.repair).map((it) => it.input)).toEqual([
      expect.objectContaining({ sn: 'DFOUND1', partsList: [expect.objectContaining(record)] }),
      expect.objectContaining({ sn: 'DFOUND2', partsList: [expect.objectContaining(record)] }),
    ]);
  });

  it('is told by the label of a part which board it is, and by its card how it was repaired', async () => {
    const { scan, form } = await opens();
    scan('DFOUND1');
    await form('DFOUND1');
    const valueOf = (name: RegExp) => screen.getByRole<HTMLInputElement>('combobox', { name }).value;
    scan('hb2');
    await waitFor(() => expect(valueOf(/Part type/)).toBe('Computing 2'));
    expect(screen.getByLabelText<HTMLInputElement>(/Part SN/).value).toBe('HB2');
    scan('%MODE-8');
    await waitFor(() => expect(valueOf(/Repair method/)).toBe('Welding'));
    scan('%PART-2');
    await waitFor(() => expect(valueOf(/Part type/)).toBe('Power'));
    scan('%MODE-77');
    await waitFor(() => expect(verdict()).toContain('does nothing here now'));
  });

  it('says large, in red, what the fields say', async () => {
    const { scan, form, user } = await opens();
    scan('DFOUND1');
    await form('DFOUND1');
    const add = screen.getByText('Add record');
    await waitFor(() => expect(document.querySelector('[data-verdict=ok]')).toBeTruthy());
    const says = (words: string) =>
      waitFor(() => expect(document.querySelector('[data-verdict=wrong]')?.textContent ?? '').toContain(words));
    await user.click(add);
    await says('(Repair method, Slots)');
    expect(screen.getByRole('combobox', { name: /Repair method/ }).getAttribute('aria-invalid')).toBe('true');
    await user.type(screen.getByRole('combobox', { name: /Issue code/ }), 'NONE9{Enter}');
    await says('NONE9 does not exist');
  });

  it('has a tab for devices and one for parts; each takes its own alone [W-REP-01]', async () => {
    const { user, scan, form, callsTo } = await opens();
    expect(screen.getAllByRole('tab').map((it) => it.textContent)).toEqual(['Device', 'Board']);
    scan('B1');
    await waitFor(() => expect(verdict()).toContain('it is in the wrong tab'));
    await user.click(screen.getByRole('tab', { name: 'Board' }));
    scan('B1');
    await form('B1');
    expect(callsTo(paths.validate).map((it) => it.input)).toEqual([
      { sn: 'B1', checkType: '0' },
      { sn: 'B1', checkType: '1' },
    ]);
  });
});
