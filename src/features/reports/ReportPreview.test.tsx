// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import { savedLinks } from '#app/testing/savedLinks.ts';
import { currentMenu, currentUser, type MenuEntry, type UserState } from '#app/session.ts';
import { styleOf } from '#app/testing/styles.ts';
import type { Kind } from '#domain/reports.ts';
import ReportDialog from './ReportDialog.tsx';

const drawn = vi.hoisted(() => ({ option: {} as { yAxis?: { data: string[] }; series?: { data: unknown[] }[] } }));
vi.mock('#app/parts/Chart.tsx', () => ({
  default: ({ label, option }: { label: string; option: typeof drawn.option }) => {
    drawn.option = option;
    return <div role="img" aria-label={label} />;
  },
}));

const stock = {
  columns: [
    { key: 'site', label: '站点', kind: 'text' },
    { key: 'salesCode', label: '销售编码', kind: 'text' },
    { key: 'storageType', label: '库存类型', kind: 'option' },
    { key: 'node100', label: '可发货', kind: 'integer' },
    { key: 'total', label: '合计', kind: 'integer' },
  ],
  rows: [
    {
      cells: ['深圳', 'RX19', '良品', 3, 5],
      drills: {
        node100: {
          module: 'rmaInventory',
          rules: [
            { column: 'siteId', relation: 'EQUAL_TO', value: 'SZ' },
            { column: 'ivyId', relation: 'EQUAL_TO', value: '100' },
          ],
        },
      },
    },
    { cells: ['深圳', 'RX21', '良品', 0, 1], drills: {} },
  ],
  footer: [],
  hasMore: false,
  chart: { by: ['site', 'salesCode', 'storageType'], of: 'total' },
};
const units = {
  columns: [
    { key: 'mtbId', label: '维修工单号', kind: 'bill', module: 'rmaMaintainBill' },
    { key: 'sn', label: 'SN', kind: 'sn' },
    { key: 'receiveTime', label: '收货时间', kind: 'moment' },
    { key: 'rate', label: '二次返修率 (%)', kind: 'percent' },
  ],
  rows: [{ cells: ['MTB2026112100001', 'RX19A0001', Date.UTC(2026, 10, 3, 1, 5), null], drills: {} }],
  footer: [[null, null, null, 12.5]],
  hasMore: true,
  chart: null,
};
const none = { ...units, rows: [], footer: [], hasMore: false };

const STOCK = '/api/rmaReport/previewStockStatus.json';
const MONTHS = '/api/rmaReport/previewMonthStatistics.json';
const UNITS = '/api/rmaReport/previewSecondRepair.json';

const entry = (menuNo: string): MenuEntry => ({ menuNo, menuName: menuNo });

async function open(kind: Kind, answers: Answers, lang: 'zh' | 'en' = 'zh') {
  const button = { id: kind, btnNo: kind, btnName: '报表', btnScript: 'report' };
  const sites = { '/api/ubsSite/pagerList.json': { items: [] } };
  const page = await openPage(<ReportDialog button={button} onClose={vi.fn()} />, {
    lang,
    answers: { ...sites, ...answers },
  });
  // As browsers have it by now: whoever waits for the end of the scrolling may.
  Object.assign(Element.prototype, { scrollIntoView: () => Promise.resolve() });
  currentMenu.set([entry('rmaInventoryList'), entry('rmaMaintainBillList')]);
  currentUser.set({ ...currentUser.get(), access: ['rmaInventory:viewHistory'] } as UserState);
  return page;
}
type Page = Awaited<ReturnType<typeof open>>;
const press = ({ user }: Page, name = '预览') => user.click(screen.getByRole('button', { name }));
async function fillDates({ user }: Page) {
  await user.type(screen.getByLabelText(/^开始日期/), '2026-11-02');
  await user.type(screen.getByLabelText(/^结束日期/), '2026-11-29');
}
const table = () => screen.findByRole('table', { name: '预览' });

describe('the preview of a report', () => {
  it('shows its first rows with the numbers on the right, and how many there are', async () => {
    const page = await open('exportStockStatus', { [STOCK]: stock });
    await press(page);
    const rows = within(await table()).getAllByRole('row');
    expect(
      rows.map((it) =>
        within(it)
          .queryAllByRole('cell')
          .map((cell) => cell.textContent),
      ),
    ).toEqual([[], ['深圳', 'RX19', '良品', '3', '5'], ['深圳', 'RX21', '良品', '0', '1']]);
    const headings = within(await table()).getAllByRole('columnheader');
    expect(headings.map((it) => it.textContent)).toEqual(stock.columns.map((it) => it.label));
    expect(headings.map((it) => styleOf(it).textAlign)).toEqual(['left', 'left', 'left', 'right', 'right']);
    expect(screen.getByText('共 2 行')).toBeTruthy();
    expect(styleOf(screen.getByRole('dialog')).maxWidth).toBe('1200px');
  });

  it('leads from a figure to the list of its units, and from no other', async () => {
    const page = await open('exportStockStatus', { [STOCK]: stock });
    await press(page);
    const links = within(await table()).getAllByRole('link');
    expect(links.map((it) => it.textContent)).toEqual(['3']);
    const [path, query] = links[0]?.getAttribute('href')?.split('?') ?? [];
    expect(path).toBe('/rmaInventoryList');
    const { advanced } = JSON.parse(new URLSearchParams(query).get('filter') ?? '') as { advanced: string };
    expect(JSON.parse(advanced)).toEqual({
      connector: 'AND',
      rules: [
        { connector: 'AND', column: 'siteId', relation: 'EQUAL_TO', value: 'SZ' },
        { connector: 'AND', column: 'ivyId', relation: 'EQUAL_TO', value: '100' },
      ],
      groups: [],
    });
  });

  it('leads nobody to a list that their menu does not have', async () => {
    const page = await open('exportStockStatus', { [STOCK]: stock });
    currentMenu.set([]);
    await press(page);
    expect(within(await table()).queryAllByRole('link')).toEqual([]);
  });

  it('draws a bar a row, named by what tells the rows apart', async () => {
    const page = await open('exportStockStatus', { [STOCK]: stock });
    await press(page);
    expect(await screen.findByRole('img', { name: '合计（按销售编码）' })).toBeTruthy();
    expect(drawn.option.yAxis?.data).toEqual(['RX19', 'RX21']);
    expect(drawn.option.series?.[0]?.data).toEqual([5, 1]);
  });

  it('of units leads to their SNs and bills, with the footer below, and draws nothing', async () => {
    const page = await open('exportSecondRepair', { [UNITS]: units });
    await fillDates(page);
    await press(page);
    const links = within(await table()).getAllByRole('link');
    expect(links.map((it) => it.getAttribute('href'))).toEqual([
      '/rmaMaintainBillList/detail/MTB2026112100001',
      '/rmaInventoryList/viewHistory/RX19A0001',
    ]);
    expect(
      within(await table())
        .getAllByRole('row')
        .at(-1)?.textContent,
    ).toBe('12.5');
    expect(screen.getByText('前 1 行；文件中还有更多')).toBeTruthy();
    expect(screen.queryByRole('img')).toBeNull();
  });

  it('is asked with what the file is made with, and goes when something else is entered', async () => {
    const file = '/api/rmaReport/exportSecondRepair.json';
    const page = await open('exportSecondRepair', { [UNITS]: units, [file]: { path: '/file/1' } });
    savedLinks();
    await fillDates(page);
    await press(page);
    await table();
    await press(page, '导出');
    const inputOf = (path: string) => page.callsTo(path)[0]?.input;
    await waitFor(() => expect(inputOf(file)).toEqual(inputOf(UNITS)));
    expect(inputOf(UNITS)).toEqual({ startDate: '2026-11-02', endDate: '2026-11-29', lang: 'zh' });
    await page.user.click(screen.getByRole('button', { name: '本月' }));
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('needs what the file needs, and asks nothing without', async () => {
    const page = await open('exportMonthStatistics', {});
    await press(page);
    expect(screen.getByRole('alert').textContent).toBe('必填项不为空！');
    expect(page.callsTo(MONTHS)).toEqual([]);
  });

  it('says so where there are no rows, in English too', async () => {
    const page = await open('exportStockStatus', { [STOCK]: none }, 'en');
    await press(page, 'Preview');
    expect(await screen.findByText('The report has no rows')).toBeTruthy();
  });

  it('says why it is refused, and is asked for again by the same button', async () => {
    const page = await open('exportStockStatus', { [STOCK]: refuses('previewSlow', '设备数量太多') });
    await press(page);
    expect((await screen.findByRole('alert')).textContent).toContain('设备数量太多');
    await press(page);
    await waitFor(() => expect(page.callsTo(STOCK)).toHaveLength(2));
  });
});
