// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answers, openPage, refuses } from '#app/parts/openPage.tsx';
import ChangePage from './ChangePage.tsx';

beforeEach(() => {
  vi.spyOn(window, 'print').mockImplementation(() => undefined);
});
const calls = {
  info: '/api/ubsItemObject/querySnInfo.json',
  give: '/api/ubsItemObject/generateSn.json',
  change: '/api/ubsItemObject/changeSn.json',
};
const info = {
  ...{
    itemObjectId: 7,
    sn: 'ZX014A2647D000001',
    salesCode: 'ZX1-50T',
    description: 'A description',
    modelCode: 'ZX01',
  },
  ...{ shape: '1', ivyId: '50', siteId: 'SZ' },
};
const NEW_SN = 'ZX014A2647D000002';
const field = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name);
const press = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

async function opens(more: Answers = {}) {
  const page = await openPage(<ChangePage menuNo="ubsItemObjectList" />, {
    lang: 'en',
    answers: {
      [calls.info]: info,
      [calls.give]: { sn: NEW_SN },
      [calls.change]: { itemObjectId: 7, sn: NEW_SN, modelCode: 'ZX01', barcodeType: '1' },
      '/api/ubsItemObject/printChangedLabel.json': { printNo: 'p-1', printer: null, count: 1 },
      ...more,
    },
    address: '/ubsItemObjectList/changeSerial',
  });
  const find = async (sn = 'zx014a2647d000001') => {
    await page.user.type(field(/^Old SN/), `${sn}{Enter}`);
  };
  const choose = async (option: string) => {
    await page.user.click(screen.getByLabelText(/^Cause/));
    await page.user.click(await screen.findByRole('option', { name: option }));
  };
  return { ...page, find, choose };
}

describe('the change of an SN', () => {
  it('shows what the old SN is, who changes it and when, and asks for cause and new SN [S-CHG-01]', async () => {
    const { find, user, callsTo } = await opens();
    expect(press('Change').disabled).toBe(true);
    await find();
    await screen.findByText('A description');
    for (const label of ['Sales code', 'Description', 'Model code', 'Shape', 'Operator', 'Date'])
      screen.getByText(label);
    for (const text of ['ZX1-50T', 'ZX01', 'Device']) expect(screen.getByText(text).tagName).not.toBe('INPUT');
    expect(document.activeElement).toBe(field(/^New SN/));
    await user.click(screen.getByLabelText(/^Cause/));
    expect((await screen.findAllByRole('option')).map((it) => it.textContent)).toEqual([
      'Label damaged or unreadable',
      'Wrongly printed label',
      'Duplicate SN',
      'Housing replaced',
      'Main board replaced',
      'Other',
    ]);
    await user.keyboard('{Escape}');
    await user.click(press('Change'));
    expect(field(/^New SN/).getAttribute('aria-invalid')).toBe('true');
    expect(callsTo(calls.change)).toEqual([]);
  });

  it('takes a generated number, sends the change, prints the label and begins anew [S-CHG-02]', async () => {
    const { find, choose, user, callsTo } = await opens();
    await find();
    await screen.findByText('A description');
    await user.click(press('Generate'));
    await waitFor(() => expect(field(/^New SN/).value).toBe(NEW_SN));
    expect(callsTo(calls.give)[0]?.input).toEqual({ itemObjectId: 7 });
    await choose('Other');
    await user.click(press('Change'));
    expect(callsTo(calls.change)).toEqual([]);
    expect(field(/^Remark/).getAttribute('aria-invalid')).toBe('true');
    await user.type(field(/^Remark/), 'asked for');
    await user.click(press('Change'));
    await waitFor(() => expect(document.querySelector('[data-label]')?.getAttribute('data-label')).toBe(NEW_SN));
    expect(callsTo(calls.change).map((it) => it.input)).toEqual([
      { cause: '9', oldSn: 'ZX014A2647D000001', newSn: NEW_SN, remark: 'asked for' },
    ]);
    expect(field(/^Old SN/).value).toBe('');
    expect(screen.getByRole('region', { name: 'Last change' }).textContent).toContain(NEW_SN);
  });

  it('says why an SN may not be changed, and forgets what it had found', async () => {
    const { find, user } = await opens({ [calls.info]: refuses('shipped', 'SN X has already been shipped') });
    await find('X');
    expect((await screen.findByText('SN X has already been shipped')).textContent).not.toBe('');
    expect(press('Change').disabled).toBe(true);
    await user.type(field(/^Old SN/), 'Y');
    expect(screen.queryByText('SN X has already been shipped')).toBeNull();
  });

  it('refuses the same SN before anything is sent, and shows what the server refuses at its field', async () => {
    const { find, choose, user, callsTo } = await opens({
      [calls.change]: refuses('snTaken', `SN ${NEW_SN} is taken`),
    });
    await find();
    await screen.findByText('A description');
    await choose('Housing replaced');
    await user.type(field(/^New SN/), 'zx014a2647d000001');
    await user.click(press('Change'));
    expect(screen.getByText(/is the old one; enter another SN/)).toBeTruthy();
    expect(callsTo(calls.change)).toEqual([]);
    await user.clear(field(/^New SN/));
    await user.type(field(/^New SN/), NEW_SN);
    await user.click(press('Change'));
    await waitFor(() => expect(callsTo(calls.change)).toHaveLength(1));
    expect((await screen.findAllByText(`SN ${NEW_SN} is taken`)).length).toBeGreaterThan(0);
  });
});
