// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import StorePage from './StorePage.tsx';
import { styleOf } from '#app/testing/styles.ts';

const checkPath = '/api/rmaStoreBill/attemptStore.json';
const submit = '/api/rmaStoreBill/submitStoreBill.json';
const unit = ({ sn }: { sn: string }) => ({ sn, salesCode: 'RX21-188T', name: 'RX-21', mtbId: 'MTB1' });
const stored = { stbId: 'STB1', storedCount: 2, skbIdList: [] };
const opens = (answers: Answers = {}, lang: 'zh' | 'en' = 'en') =>
  openPage(<StorePage menuNo="rmaStoreBillList" />, {
    lang,
    answers: { [checkPath]: unit, [submit]: stored, ...answers },
  });

const field = (name = 'Scan SN') => screen.getByLabelText(name);
const list = () => screen.getByRole('table', { name: 'Scanned' });
// By attribute: asking by role after every change of a long list takes most of a test's time.
const states = () =>
  [...document.querySelectorAll('tr[data-state]')].map((it) => it.getAttribute('data-state')).reverse();
const verdict = () => document.querySelector('[data-verdict]');

describe('the store station', () => {
  it('checks each SN by Enter before it counts [W-COM-04] [W-STO-03] [W-STO-06]', async () => {
    const { user, callsTo } = await opens();
    await user.type(field(), 'sn0001{Enter}');
    await waitFor(() => expect(states()).toEqual(['ok']));
    expect(callsTo(checkPath).map((it) => it.input)).toEqual([{ sn: 'SN0001' }]);
    expect(screen.getByRole('button', { name: 'Store 1 unit' })).toBeTruthy();
  });

  it('lists none that the check refuses, says why and goes on [W-STO-03] [W-COM-11]', async () => {
    const no = refuses('wrongNode', 'SN SN0002 is at "Awaiting repair"');
    const { user } = await opens({ [checkPath]: (it: { sn: string }) => (it.sn === 'SN0002' ? no : unit(it)) });
    await user.type(field(), 'SN0002{Enter}');
    await waitFor(() => expect(verdict()?.getAttribute('data-verdict')).toBe('refused'));
    await waitFor(() => expect(verdict()?.textContent).toContain('is at "Awaiting repair"'));
    expect(screen.getByRole('button', { name: 'Store 0 units' })).toBeTruthy();
    expect(field()).toHaveProperty('disabled', false);
    await user.type(field(), 'SN0003{Enter}');
    await waitFor(() => expect(states()).toEqual(['refused', 'ok']));
  });

  it('offers 20, 40, 60, 80 and 100 to a package, 20 at first [W-STO-04]', async () => {
    const { user } = await opens();
    const choice = screen.getByRole('combobox', { name: /Package quantity/ });
    expect(choice.textContent).toBe('20');
    await user.click(choice);
    expect(screen.getAllByRole('option').map((it) => it.textContent)).toEqual(['20', '40', '60', '80', '100']);
  });

  it('submits by itself at the moment a package is full, once [W-STO-05] [W-STO-07]', async () => {
    const { callsTo } = await opens();
    const input = field();
    const scan = (sn = '') => {
      fireEvent.change(input, { target: { value: sn } });
      fireEvent.keyDown(input, { key: 'Enter' });
    };
    const sns = Array.from({ length: 20 }, (_, i) => `SN${1000 + i}`);
    sns.slice(0, 19).forEach(scan);
    await waitFor(() => expect(states().filter((it) => it === 'ok')).toHaveLength(19));
    expect(callsTo(submit)).toEqual([]);
    scan(sns[19]);
    await waitFor(() => expect(callsTo(submit)).toHaveLength(1));
    expect(callsTo(submit)[0]?.input).toMatchObject({ packageCount: 20, subinventoryCode: 'FG' });
    const lines = callsTo(submit)[0]?.input['rmaStoreBillLineList'] as { sn: string }[];
    expect(lines.map((it) => it.sn)).toEqual(sns);
    await waitFor(() => expect(new Set(states())).toEqual(new Set(['submitted'])));
    expect(callsTo(submit)).toHaveLength(1);
  });

  it('stores an odd lot by Ctrl+Enter, and an empty list not at all', async () => {
    const { user, callsTo } = await opens();
    await user.type(field(), '{Control>}{Enter}{/Control}');
    await waitFor(() => expect(verdict()?.textContent).toContain('The required fields must not be empty'));
    await user.type(field(), 'SN0001{Enter}');
    await screen.findByRole('button', { name: 'Store 1 unit' });
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(callsTo(submit)).toHaveLength(1));
    await waitFor(() => expect(states()).toEqual(['submitted']));
  });

  it('marks the row that a submit is refused for, and submits the rest by one press', async () => {
    const held = 'SN SN0002 is held; ask who holds it';
    let tries = 0;
    const { user, callsTo } = await opens({ [submit]: () => ((tries += 1) === 1 ? refuses('held', held) : stored) });
    for (const sn of ['SN0001', 'SN0002', 'SN0003']) await user.type(field(), `${sn}{Enter}`);
    await waitFor(() => expect(states()).toEqual(['ok', 'ok', 'ok']));
    await user.keyboard('{Control>}{Enter}{/Control}');
    const rest = await screen.findByRole('button', { name: 'Remove and submit the other 2' });
    const row = within(list()).getByText('SN0002', { selector: '.sn' }).closest('tr') as HTMLElement;
    expect(row.textContent).toMatch(/is held; ask who holds it.*Refused/);
    expect(verdict()?.getAttribute('data-verdict')).toBe('refused');
    await user.click(rest);
    await waitFor(() => expect(states()).toEqual(['submitted', 'submitted']));
    const lines = callsTo(submit)[1]?.input['rmaStoreBillLineList'] as { sn: string }[];
    expect(lines.map((it) => it.sn)).toEqual(['SN0001', 'SN0003']);
    expect(verdict()?.getAttribute('data-verdict')).toBe('ok');
  });

  it('takes a pasted column of SNs as one scan a line', async () => {
    await opens();
    const clipboardData = { getData: () => 'SN0001\r\nsn0002\r\n\u200b\r\nSN0003\r\n' };
    fireEvent.paste(field(), { clipboardData });
    await waitFor(() => expect(states()).toEqual(['ok', 'ok', 'ok']));
    expect(['SN0001', 'SN0002', 'SN0003'].map((it) => within(list()).getAllByText(it).length)).toEqual([1, 1, 1]);
    expect(field()).toHaveProperty('value', '');
  });

  it('takes the last scan back by Ctrl+Z and any by its button', async () => {
    const { user } = await opens();
    for (const sn of ['SN0001', 'SN0002', 'SN0003']) await user.type(field(), `${sn}{Enter}`);
    await waitFor(() => expect(states()).toEqual(['ok', 'ok', 'ok']));
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(states()).toEqual(['ok', 'ok', 'undone']));
    expect(within(list()).getByText('SN0003').tagName).toBe('S');
    await user.click(screen.getByRole('button', { name: 'Remove SN0001' }));
    await waitFor(() => expect(within(list()).queryByText('SN0001')).toBeNull());
    expect(within(list()).getByText('SN0002')).toBeTruthy();
  });

  it('has the focus again within moments of a scan and of a pressed button [W-COM-14]', async () => {
    const { user } = await opens();
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.type(field(), 'SN0001{Enter}');
    await waitFor(() => expect(states()).toEqual(['ok']));
    await user.click(screen.getByRole('button', { name: 'Remove SN0001' }));
    await waitFor(() => expect(document.activeElement).toBe(field()));
  });

  it("gives a scanner's Enter to no button under the focus", async () => {
    const { user, callsTo } = await opens();
    screen.getByRole('button', { name: 'Back to list' }).focus();
    await user.keyboard('SN0001{Enter}');
    await waitFor(() => expect(states()).toEqual(['ok']));
    expect(callsTo(checkPath)).toHaveLength(1);
    expect(screen.getByTestId('where').textContent).toBe('/here');
  });

  it('takes what an input method leaves when the Enter of a scanner ends its composition', async () => {
    await opens();
    const input = field();
    fireEvent.compositionStart(input);
    fireEvent.change(input, { target: { value: 'ｓｎ０００１' } });
    fireEvent.keyDown(input, { key: 'Enter', isComposing: true });
    expect(states()).toEqual([]);
    fireEvent.compositionEnd(input);
    await waitFor(() => expect(within(list()).getByText('SN0001')).toBeTruthy());
  });

  it('speaks Chinese as well, its table no higher than 500 [W-COM-06] [W-COM-15]', async () => {
    const { user } = await opens({}, 'zh');
    await user.type(field('扫描SN'), 'SN0001{Enter}');
    expect(await screen.findByRole('button', { name: '入库 1 台' })).toBeTruthy();
    const frame = screen.getByRole('table', { name: '已扫描' }).parentElement as HTMLElement;
    expect(styleOf(frame).maxHeight).toBe('500px');
  });
});
