// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import MaintainBillDetailPage from './MaintainBillDetailPage.tsx';

const paths = { record: '/api/rmaMaintainBill/queryById.json', items: '/api/rmaMaintainBillLineItem/pager.json' };
const counts = ['count', 'receiveCount', 'deliverCount', 'scrapCount', 'discardCount', 'buyOutCount'];
const column = (name: string, more = {}) => ({ name, label: name, type: 'String', ...more });
const line = (id: number) => ({
  ...{ id, mtblId: `MBL${id}`, salesCode: `CODE${id}` },
  ...Object.fromEntries(counts.map((name, i) => [name, id * 10 + i])),
});
const bill = {
  ...{ id: 1, mtbId: 'MTB1', receiveShipNo: 'SF1', siteId: 'SZ' },
  rmaMaintainBillLineList: [line(1), line(2)],
  view: {
    module: 'rmaMaintainBill',
    label: 'Maintain bill',
    fields: [column('mtbId'), column('receiveShipNo'), column('siteId')],
    lines: {
      rmaMaintainBillLineList: { label: 'Lines', columns: [column('salesCode'), ...counts.map((it) => column(it))] },
    },
    labels: { siteId: { SZ: 'Shenzhen' } },
  },
};
const pager = {
  items: [{ id: 5, receiveSn: 'SN0001', checkUrls: '/file/a##/file/b' }],
  itemTotal: 60,
  columns: [column('receiveSn'), column('checkUrls', { format: 'images' })],
};
const opens = () =>
  openPage(<MaintainBillDetailPage menuNo="rmaMaintainBillList" id="1" />, {
    lang: 'en',
    answers: { [paths.record]: bill, [paths.items]: pager },
  });
const units = () => screen.queryByRole('table', { name: 'Units' });

describe('the detail of a maintain bill', () => {
  it('is titled by its number, which a phone has room for', async () => {
    await opens();
    expect(await screen.findByRole('heading', { level: 1, name: 'MTB1' })).toBeTruthy();
  });

  it('shows the header and the lines with their six counts [W-MTB-02]', async () => {
    await opens();
    expect(await screen.findByText('Shenzhen')).toBeTruthy();
    const rows = within(screen.getByRole('table', { name: 'Lines' }))
      .getAllByRole('row')
      .slice(1);
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell')
          .slice(1)
          .map((it) => it.textContent),
      ),
    ).toEqual([
      ['CODE1', '10', '11', '12', '13', '14', '15'],
      ['CODE2', '20', '21', '22', '23', '24', '25'],
    ]);
  });

  it('opens the units of a line by a click, closes them by the next [W-MTB-03] [W-MTB-10] [W-MTB-11]', async () => {
    const { user, callsTo } = await opens();
    await user.click(await screen.findByText('CODE2'));
    expect(await screen.findByText('SN0001')).toBeTruthy();
    expect(callsTo(paths.items)[0]?.input).toMatchObject({ mtblId: 'MBL2', pageStart: '0', pageCount: '10' });
    const cells = within(units() as HTMLElement).getAllByRole('cell');
    expect(cells[2]?.textContent).toBe('2');
    await user.click(screen.getByText('CODE2'));
    expect(units()).toBeNull();
  });

  it('turns pages by row offsets and offers 10 to 200 to a page, 10 at first [W-MTB-04]', async () => {
    const { user, callsTo } = await opens();
    await user.click(await screen.findByText('CODE1'));
    await screen.findByText('SN0001');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(callsTo(paths.items).at(-1)?.input).toMatchObject({ pageStart: '10', pageCount: '10' }));
    await user.click(screen.getByRole('combobox', { name: /Rows/ }));
    expect(screen.getAllByRole('option').map((it) => it.textContent)).toEqual(['10', '50', '100', '150', '200']);
  });
});
