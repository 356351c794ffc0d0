// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import MaintainBillDetailPage from './MaintainBillDetailPage.tsx';

const paths = {
  record: '/api/rmaMaintainBill/queryById.json',
  progress: '/api/rmaMaintainBill/progress.json',
  units: '/api/rmaMaintainBill/units.json',
};
const counts = ['count', 'receiveCount', 'deliverCount', 'scrapCount', 'discardCount', 'buyOutCount'];
const column = (name: string, more = {}) => ({ name, label: name, type: 'String', ...more });
const line = (id: number) => ({
  ...{ id, mtblId: `MBL${id}`, salesCode: `CODE${id}` },
  ...Object.fromEntries(counts.map((name, i) => [name, id * 10 + i])),
});
const bill = {
  ...{ id: 1, mtbId: 'MTB1', receiveShipNo: 'SF1', siteId: 'SZ', userName: 'Borneo', street: 'Lot 7', billStatus: '1' },
  ...{ receivePackageCount: 2, createTime: Date.now() - 30 * 3_600_000 },
  rmaMaintainBillLineList: [line(1), line(2)],
  view: {
    module: 'rmaMaintainBill',
    label: 'Maintain bill',
    fields: [
      ...['mtbId', 'receiveShipNo', 'userName', 'street'].map((it) => column(it)),
      column('siteId', { type: 'select' }),
      column('billStatus', { type: 'select', options: [{ value: '1', optionName: 'Received', tone: 'work' }] }),
    ],
    lines: {
      rmaMaintainBillLineList: { label: 'Lines', columns: [column('salesCode'), ...counts.map((it) => column(it))] },
    },
    labels: { siteId: { SZ: 'Shenzhen' } },
  },
};
const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
const progress = {
  stages: [
    { stage: 'check', count: 2, oldest: hoursAgo(5) },
    { stage: 'repair', count: 30, oldest: hoursAgo(50) },
    { stage: 'delivered', count: 27, oldest: hoursAgo(90) },
    { stage: 'scrapped', count: 1, oldest: hoursAgo(95) },
  ],
  warranties: [{ warranty: '1', count: 3 }],
  shipments: [{ deliverShipNo: 'OUT1', count: 27 }],
};
const unit = {
  ...{ id: 5, mtbliId: 'MBI5', mtblId: 'MBL2', mtbId: 'MTB1', sn: 'SN0001', receiveSn: 'SN0001', salesCode: 'CODE2' },
  ...{ itemName: 'RX-21', stage: 'repair', ivyId: '50', held: null, since: hoursAgo(50), refused: {} },
  ...{ next: { action: 'repair', address: '/rmaRepairBillList/repair?sn=SN0001' }, warranty: '1' },
  checkUrls: '/file/a##/file/b',
};
const units = {
  items: [
    unit,
    { ...unit, id: 6, mtbliId: 'MBI6', sn: 'SN0002', held: 'scrap', next: { action: 'scrapConfirm', address: null } },
    { ...unit, id: 7, mtbliId: 'MBI7', sn: null, stage: 'receive', ivyId: null, next: null, checkUrls: null },
  ],
  itemTotal: 60,
  columns: [column('receiveSn'), column('checkUrls', { format: 'images' })],
  labels: {},
};
const opens = () =>
  openPage(<MaintainBillDetailPage menuNo="rmaMaintainBillList" id="1" />, {
    lang: 'en',
    answers: { [paths.record]: bill, [paths.progress]: progress, [paths.units]: units },
  });
const rowOf = (name: string) => screen.getByText(name).closest('tr') as HTMLElement;

describe('the detail of a maintain bill', () => {
  it('says which bill, how it stands, whose it is, what was promised, and how it came and left [W-MTB-01]', async () => {
    await opens();
    await screen.findByText('OUT1');
    const said = Object.fromEntries(
      screen.getAllByRole('term').map((it) => [it.textContent, it.nextElementSibling?.textContent]),
    );
    expect(said).toMatchObject({
      ...{ Customer: 'Borneo', Site: 'Shenzhen', Inbound: 'SF1', Outbound: 'OUT1', 'Here for': '1 d 6 h' },
      Declared: 'Units: 30, received: 32 · 2 packages · In warranty 3',
      street: 'Lot 7',
    });
    expect(screen.getByText('Received')).toBeTruthy();
  });

  it('has the shape of a bill until it is read', async () => {
    let answer: (it: object) => void = () => undefined;
    await openPage(<MaintainBillDetailPage menuNo="rmaMaintainBillList" id="1" />, {
      lang: 'en',
      answers: {
        [paths.record]: () => new Promise((done) => (answer = done)),
        [paths.progress]: progress,
        [paths.units]: units,
      },
    });
    expect(await screen.findByRole('status', { name: 'Reading the record' })).toBeTruthy();
    expect(screen.queryByRole('group', { name: 'Pipeline' })).toBeNull();
    answer(bill);
    expect(await screen.findByRole('group', { name: 'Pipeline' })).toBeTruthy();
    expect(screen.queryByRole('status', { name: 'Reading the record' })).toBeNull();
  });

  it('shows the lines with their six counts [W-MTB-02]', async () => {
    await opens();
    const rows = within(await screen.findByRole('table', { name: 'Lines' }))
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

  it('counts the units before each step, marks the slowest, and keeps what left the way apart', async () => {
    await opens();
    const pipeline = await screen.findByRole('group', { name: 'Pipeline' });
    await within(pipeline).findByText('30');
    expect(
      within(pipeline)
        .getAllByRole('button')
        .map((it) => it.textContent),
    ).toEqual([
      ...['Sign-for0', 'Receipt0', 'Check25 h', 'Repair30oldest 2 d 2 h', 'Assembly0', 'Aging0', 'QC0', 'Storing0'],
      ...['Delivery0', 'Delivered27', 'Scrapped1'],
    ]);
    const beside = screen.getByRole('group', { name: 'Left the process' });
    expect(within(beside).getAllByRole('button')).toHaveLength(1);
  });

  it('shows the units of a step that is pressed, and those of all when it is pressed again', async () => {
    const { user, callsTo } = await opens();
    const repair = await screen.findByRole('button', { name: /^Repair 30/ });
    await user.click(repair);
    await waitFor(() => expect(callsTo(paths.units).at(-1)?.input).toMatchObject({ stage: 'repair', pageStart: '0' }));
    expect(repair.getAttribute('aria-pressed')).toBe('true');
    await user.click(repair);
    await waitFor(() => expect(repair.getAttribute('aria-pressed')).toBe('false'));
  });

  it('shows of each unit where it stands, since when, what comes next and its pictures', async () => {
    await opens();
    await screen.findByText('SN0001');
    const cells = within(rowOf('SN0001'))
      .getAllByRole('cell')
      .slice(1)
      .map((it) => it.textContent);
    expect(cells.slice(0, 5)).toEqual(['SN0001RX-21 · CODE2', 'Awaiting repair', '2 d 2 h', 'Repair →', 'In warranty']);
    const next = within(rowOf('SN0001')).getByRole('link', { name: 'Repair →' });
    expect(next.getAttribute('href')).toBe('/rmaRepairBillList/repair?sn=SN0001');
    expect(within(rowOf('SN0001')).getAllByRole('button', { name: /Enlarge picture/ })).toHaveLength(2);
    expect(within(rowOf('SN0002')).getByText('Awaits scrap confirmation')).toBeTruthy();
    expect(within(rowOf('SN0002')).queryByRole('link', { name: /Confirm/ })).toBeNull();
    expect(within(rowOf('SN0002')).getByText('Confirm scrap')).toBeTruthy();
    expect(within(rowOf('No SN yet')).getByText('Awaiting receipt')).toBeTruthy();
  });

  it('shows the units of one line alone by a click, those of all by the next [W-MTB-03]', async () => {
    const { user, callsTo } = await opens();
    await screen.findByText('SN0001');
    expect(callsTo(paths.units)[0]?.input).toMatchObject({ mtbId: 'MTB1', mtblId: '', stage: '' });
    const table = screen.getByRole('table', { name: 'Lines' });
    await user.click(within(table).getByText('CODE2'));
    await waitFor(() => expect(callsTo(paths.units).at(-1)?.input).toMatchObject({ mtblId: 'MBL2' }));
    const toggle = within(table).getByRole('button', { name: 'Units of CODE2' });
    expect(toggle.getAttribute('aria-pressed')).toBe('true');
    await user.click(toggle);
    expect(toggle.getAttribute('aria-pressed')).toBe('false');
  });

  it('shows all fields of the items, with how many pictures each has [W-MTB-05] [W-MTB-10]', async () => {
    const { user } = await opens();
    await user.click(await screen.findByRole('switch', { name: 'All fields' }));
    const table = screen.getByRole('table', { name: 'Units' });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .slice(1)
        .map((it) => it.textContent),
    ).toEqual(['receiveSn', 'checkUrls']);
    expect(within(table).getAllByRole('row')[1]?.lastElementChild?.textContent).toBe('2');
  });

  it('turns pages by row offsets and offers 10 to 200 to a page, 10 at first [W-MTB-04]', async () => {
    const { user, callsTo } = await opens();
    await screen.findByText('SN0001');
    expect(callsTo(paths.units)[0]?.input).toMatchObject({ pageStart: '0', pageCount: '10' });
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(callsTo(paths.units).at(-1)?.input).toMatchObject({ pageStart: '10', pageCount: '10' }));
    await user.click(screen.getByRole('button', { name: 'Units of CODE1' }));
    await waitFor(() => expect(callsTo(paths.units).at(-1)?.input).toMatchObject({ mtblId: 'MBL1', pageStart: '0' }));
    await user.click(screen.getByRole('combobox', { name: /Rows/ }));
    expect(screen.getAllByRole('option').map((it) => it.textContent)).toEqual(['10', '50', '100', '150', '200']);
  });
});
