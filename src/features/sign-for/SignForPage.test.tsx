// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { openPage, refuses, type Opening } from '#app/parts/openPage.tsx';
import * as sounds from '#app/parts/scan/sounds.ts';
import { currentUser } from '#app/session.ts';
import SignForPage from './SignForPage.tsx';
import { scanOn } from '#app/testing/keys.ts';
import { styleOf } from '#app/testing/styles.ts';

const path = '/api/rmaArrivalBill/signFor.json';
const signed = { id: 7, abId: 'ABL1', receiveShipNo: 'SF123', mtbId: 'MTB1' };
const opens = (opening: Opening = {}) =>
  openPage(<SignForPage menuNo="rmaArrivalBillList" />, { answers: { [path]: signed }, ...opening });

const fields = {
  zh: { no: /收货物流单号/, count: /包裹数/, remark: /备注/, button: '签收', empty: '必填项不为空！' },
  en: {
    no: /Inbound waybill/,
    count: /Packages/,
    remark: /Remark/,
    button: 'Sign for',
    empty: /must not be empty/,
  },
} as const;

describe('sign-for', () => {
  it.each(['zh', 'en'] as const)(
    'asks in %s for number, packages from 0 on, and a remark of lines [W-SGN-01]',
    async (lang) => {
      await opens({ lang });
      const { no, count, remark } = fields[lang];
      expect(screen.getByLabelText(no)).toHaveProperty('value', '');
      const packages = screen.getByLabelText<HTMLInputElement>(count);
      expect(packages.inputMode).toBe('numeric');
      fireEvent.change(packages, { target: { value: '-1' } });
      expect([packages.value, packages.getAttribute('aria-invalid')]).toEqual(['-1', 'true']);
      fireEvent.change(packages, { target: { value: '0' } });
      expect([packages.value, packages.getAttribute('aria-invalid')]).toEqual(['0', 'false']);
      expect(screen.getByLabelText(remark).tagName).toBe('TEXTAREA');
    },
  );

  it('works by scanner alone: number, Enter, count, Enter [W-SGN-04] [W-COM-09]', async () => {
    const { user, callsTo } = await opens();
    await user.keyboard('SF123{Enter}2{Enter}');
    await waitFor(() => expect(callsTo(path)).toHaveLength(1));
    expect(callsTo(path)[0]).toMatchObject({
      input: { receiveShipNo: 'SF123', receivePackageCount: 2, remark: '' },
      token: 'the-token',
    });
    expect(callsTo(path)[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(await screen.findByText('SF123')).toBeTruthy();
    expect(screen.getByText('MTB1')).toBeTruthy();
    expect(screen.getByLabelText(fields.zh.no)).toHaveProperty('value', '');
    expect(document.activeElement).toBe(screen.getByLabelText(fields.zh.no));
  });

  it('writes the number as it is kept', async () => {
    const { user, callsTo } = await opens();
    await user.keyboard(' ｓｆ123 {Enter}2{Enter}');
    await waitFor(() => expect(callsTo(path)[0]?.input).toMatchObject({ receiveShipNo: 'SF123' }));
    expect(await screen.findByText('SF123')).toBeTruthy();
  });

  it.each([
    ['zh', 'MTB1', 'success', 'SF123 已签收，2 个包裹，MTB1'],
    ['zh', null, 'warning', 'SF123 已签收，2 个包裹，无对应工单'],
    ['en', 'MTB1', 'success', 'SF123 signed for, 2 packages, MTB1'],
    ['en', null, 'warning', 'SF123 signed for, 2 packages, no bill yet'],
  ] as const)('tells in %s which parcel it was and whose: of bill %s as a %s', async (lang, mtbId, kind, message) => {
    const { user } = await opens({ lang, answers: { [path]: { ...signed, mtbId } } });
    await user.keyboard('SF123{Enter}2{Enter}');
    const line = (await screen.findByText(message)).closest('.MuiAlert-root');
    expect(line?.className).toContain(kind === 'success' ? 'colorSuccess' : 'colorWarning');
    expect(line?.getAttribute('role')).toBe(kind === 'success' ? 'status' : 'alert');
    expect(styleOf(screen.getByText('× 2')).whiteSpace).toBe('nowrap');
  });

  it('tells it of the latest parcel alone, until the next one is judged', async () => {
    const { user } = await opens({ lang: 'en', answers: { [path]: { ...signed, mtbId: 'MTB1' } } });
    await user.keyboard('SF123{Enter}2{Enter}');
    await screen.findByText('SF123 signed for, 2 packages, MTB1');
    await user.keyboard('SF124{Enter}0{Enter}');
    expect(screen.queryByText(/signed for, 2 packages/)).toBeNull();
  });

  it('takes a parcel scanned into another field as the one to sign for, unless one is open', async () => {
    const { no, count, remark } = fields.zh;
    await opens();
    const burst = (text: string) => scanOn(screen.getByLabelText(remark), text);
    burst('SF123');
    expect(screen.getByLabelText(no)).toHaveProperty('value', 'SF123');
    expect(document.activeElement).toBe(screen.getByLabelText(count));
    burst('SF456');
    expect(screen.getByLabelText(no)).toHaveProperty('value', 'SF123');
    expect(screen.getAllByRole('alert')[0]?.textContent).toContain('SF456');
  });

  it('makes no call without a number and says what is missing [W-SGN-02]', async () => {
    const { user, asked } = await opens();
    await user.click(screen.getByRole('button', { name: fields.zh.button }));
    expect(screen.getByText(fields.zh.empty)).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it.each(['0', ''])('makes no call with "%s" packages [W-SGN-03]', async (count) => {
    const { user, asked } = await opens({ lang: 'en' });
    await user.keyboard('SF123');
    await user.clear(screen.getByLabelText(fields.en.count));
    if (count) await user.type(screen.getByLabelText(fields.en.count), count);
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(screen.getByText(fields.en.empty)).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('shows why the server refuses, keeps what was entered and can be sent again [W-COM-11]', async () => {
    const { user, callsTo } = await opens({ answers: { [path]: refuses('parcelSigned', '包裹已签收') } });
    await user.keyboard('SF123{Enter}1{Enter}');
    expect(await screen.findByText('包裹已签收')).toBeTruthy();
    expect(screen.getByLabelText(fields.zh.no)).toHaveProperty('value', 'SF123');
    expect(screen.getByRole('button', { name: fields.zh.button })).toHaveProperty('disabled', false);
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(callsTo(path)).toHaveLength(2));
    expect(callsTo(path)[1]?.key).not.toBe(callsTo(path)[0]?.key);
  });

  it.each([
    ['parcelSigned', 'duplicate'],
    ['noRight', 'refused'],
    ['databaseDown', 'refused'],
  ] as const)('sounds %s as %s', async (key, sound) => {
    const play = vi.spyOn(sounds, 'play').mockReturnValue(undefined);
    const { user } = await opens({ answers: { [path]: refuses(key, 'no') } });
    await user.keyboard('SF123{Enter}1{Enter}');
    expect(await screen.findByText('no')).toBeTruthy();
    expect(play.mock.calls.map(([it]) => it)).toEqual([sound]);
    play.mockRestore();
  });

  it('repeats under the same key what the network did not answer', async () => {
    const { user, callsTo } = await opens({ answers: {} });
    await user.keyboard('SF123{Enter}1{Enter}');
    await waitFor(() => expect(callsTo(path)).toHaveLength(1));
    await screen.findByRole('button', { name: fields.zh.button });
    await waitFor(() =>
      expect(screen.getByRole('button', { name: fields.zh.button })).toHaveProperty('disabled', false),
    );
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(callsTo(path)).toHaveLength(2));
    expect(callsTo(path)[1]?.key).toBe(callsTo(path)[0]?.key);
  });

  it('offers to register a parcel without a bill, with its number, to whom may', async () => {
    const { user } = await opens({ lang: 'en', answers: { [path]: { ...signed, mtbId: null } } });
    await user.keyboard('SF/1 2{Enter}1{Enter}');
    await screen.findByText('SF/1 2');
    expect(screen.queryAllByRole('link', { name: /Register/ })).toHaveLength(0);
    const access = ['rmaUnhandledPackageBill:createUnhandledPackage'];
    const known = currentUser.get();
    act(() => currentUser.set(known && { ...known, access }));
    const links = screen.getAllByRole('link', { name: /^Register/ }).map((it) => it.getAttribute('href'));
    const address = '/rmaUnhandledPackageBillList/createUnhandledPackage?receiveShipNo=SF%2F1%202';
    expect(links).toEqual([address, address]);
  });

  it('goes back to its list [W-COM-07]', async () => {
    const { user, where } = await opens();
    await user.click(screen.getByRole('button', { name: '返回列表' }));
    expect(where()).toBe('/rmaArrivalBillList');
  });
});
