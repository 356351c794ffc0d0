// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import DefectiveRepairPage from './DefectiveRepairPage.tsx';
import TestPackagePage from './TestPackagePage.tsx';

const module = '/api/rmaDefectiveProductRepairBill';
const menuNo = 'rmaDefectiveProductRepairBillList';
const ids: Record<string, number> = {};
const known = ({ sn }: { sn: string }) => ({
  sn,
  itemObject: { itemObjectId: (ids[sn] ??= 100 + Object.keys(ids).length), sn },
  item: sn.startsWith('HB')
    ? { salesCode: 'HB19', name: 'HB-19', itemId: 9 }
    : { salesCode: 'RX21-188T', name: 'RX-21', itemId: 3 },
});
const couriers = { items: [{ id: 1, shipId: 'SF', name: '顺丰速运', nameEn: 'SF Express' }], itemTotal: 1 };
const registered = { id: 5, dpbId: 'DPB1', mtbId: 'MTB1', count: 2 };
const answers: Answers = {
  [`${module}/validateSnForDefective.json`]: known,
  [`${module}/validateSn.json`]: known,
  [`${module}/defectiveProductRepair.json`]: registered,
  [`${module}/testAndStore.json`]: registered,
  '/api/ubsShipment/pager.json': couriers,
};
const opens = {
  defectiveProductRepair: (more: Answers = {}) =>
    openPage(<DefectiveRepairPage menuNo={menuNo} />, { lang: 'en', answers: { ...answers, ...more } }),
  testAndStore: (more: Answers = {}) =>
    openPage(<TestPackagePage menuNo={menuNo} />, { lang: 'en', answers: { ...answers, ...more } }),
};
const field = () => screen.getByLabelText('Scan SN');
const verdict = () => document.querySelector('[data-verdict]');
const states = () =>
  [...document.querySelectorAll('tr[data-state]')].map((it) => it.getAttribute('data-state')).reverse();
const pressSubmit = () => fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });

async function choose(user: Awaited<ReturnType<typeof openPage>>['user']) {
  await user.click(await screen.findByRole('combobox', { name: /Inbound courier/ }));
  await user.click(await screen.findByRole('option', { name: 'SF Express' }));
}

describe('the registration of defectives', () => {
  it('asks for courier and waybill, says what is missing, and sends nothing [S-DEF-02]', async () => {
    const { user, callsTo } = await opens.defectiveProductRepair();
    await user.type(field(), 'RX0001{Enter}');
    await waitFor(() => expect(states()).toEqual(['ok']));
    pressSubmit();
    await waitFor(() => expect(verdict()?.getAttribute('data-verdict')).toBe('wrong'));
    expect(screen.getByLabelText(/Inbound waybill/).getAttribute('aria-invalid')).toBe('true');
    expect(callsTo(`${module}/defectiveProductRepair.json`)).toEqual([]);
  });

  it('refuses an SN that is on its list, without asking [S-DEF-03]', async () => {
    const { user, callsTo } = await opens.defectiveProductRepair();
    await user.type(field(), 'RX0001{Enter}');
    await waitFor(() => expect(states()).toEqual(['ok']));
    await user.type(field(), 'rx0001{Enter}');
    await waitFor(() => expect(verdict()?.getAttribute('data-verdict')).toBe('duplicate'));
    expect(callsTo(`${module}/validateSnForDefective.json`)).toHaveLength(1);
  });

  it('sends what was scanned with what stands beside it, is empty then and back at the list [S-DEF-06] [S-DEF-10]', async () => {
    const { user, callsTo, where, unmount } = await opens.defectiveProductRepair();
    await choose(user);
    await user.type(screen.getByLabelText(/Inbound waybill/), 'sf 7{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.keyboard('RX0001{Enter}HB0002{Enter}');
    await waitFor(() => expect(states()).toEqual(['ok', 'ok']));
    fireEvent.change(screen.getByLabelText('Remark'), { target: { value: ' from the line ' } });
    pressSubmit();
    await waitFor(() => expect(where()).toBe(`/${menuNo}`));
    const [call, ...others] = callsTo(`${module}/defectiveProductRepair.json`);
    expect(others).toEqual([]);
    expect(call?.key).toBeTruthy();
    expect(call?.input).toEqual({
      receiveShipId: 'SF',
      receiveShipNo: 'SF 7',
      siteId: 'SZ',
      remark: 'from the line',
      lineRequestList: [
        { itemObjectId: ids['RX0001'], sn: 'RX0001', salesCode: 'RX21-188T' },
        { itemObjectId: ids['HB0002'], sn: 'HB0002', salesCode: 'HB19' },
      ],
    });
    // The station draws in frames of its own, and may be a moment behind the address.
    await waitFor(() => expect(verdict()?.textContent).toContain('DPB1: 2 units registered on bill MTB1'));
    expect(screen.getByLabelText<HTMLInputElement>(/Inbound waybill/).value).toBe('');
    expect(screen.getByLabelText<HTMLInputElement>('Remark').value).toBe('');
    unmount();
  });

  it('keeps what was entered when the server refuses', async () => {
    const no = refuses('inHouse', 'SN RX0001 is already in house on bill MTB9');
    const { user, where } = await opens.defectiveProductRepair({ [`${module}/defectiveProductRepair.json`]: no });
    await choose(user);
    await user.type(screen.getByLabelText(/Inbound waybill/), 'SF7{Enter}');
    await user.type(field(), 'RX0001{Enter}');
    await waitFor(() => expect(states()).toEqual(['ok']));
    pressSubmit();
    await waitFor(() => expect(verdict()?.textContent).toContain('on bill MTB9'));
    expect(where()).toBe('/here');
    expect(screen.getByLabelText<HTMLInputElement>(/Inbound waybill/).value).toBe('SF7');
    expect(states()).toEqual(['ok']);
  });
});

describe('the registration of a test package', () => {
  it('groups by sales code what was scanned, and goes back to the list [S-DEF-07] [S-DEF-10]', async () => {
    const { user, callsTo, where } = await opens.testAndStore();
    for (const sn of ['RX0011', 'HB0012', 'RX0013']) await user.type(field(), `${sn}{Enter}`);
    await waitFor(() => expect(states()).toEqual(['ok', 'ok', 'ok']));
    // Among the models each stands once.
    expect(screen.getAllByText('HB19')).toHaveLength(1);
    pressSubmit();
    await waitFor(() => expect(where()).toBe(`/${menuNo}`));
    expect(callsTo(`${module}/testAndStore.json`)[0]?.input).toEqual({
      siteId: 'SZ',
      remark: '',
      dataList: [
        {
          salesCode: 'RX21-188T',
          name: 'RX-21',
          itemId: 3,
          itemRequestList: [
            { itemObjectId: ids['RX0011'], sn: 'RX0011' },
            { itemObjectId: ids['RX0013'], sn: 'RX0013' },
          ],
        },
        {
          salesCode: 'HB19',
          name: 'HB-19',
          itemId: 9,
          itemRequestList: [{ itemObjectId: ids['HB0012'], sn: 'HB0012' }],
        },
      ],
    });
  });

  it('names the site at which the goods lie [S-DEF-04]', async () => {
    await opens.testAndStore();
    expect(screen.getByText('深圳')).toBeTruthy();
  });
});
