// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { expectComplaints, renderApp } from '#app/testing/renderApp.tsx';

const detail = {
  id: 5,
  no: 'ISS5',
  photos: '/file/a##/file/b##/file/notes.txt',
  siteId: 'SZ',
  issueLineList: [{ id: 1, sn: 'RX19', count: 2 }],
  view: {
    module: 'ubsIssueCode',
    label: 'Issue codes',
    fields: [
      { name: 'no', label: 'Number', type: 'String', format: 'code' },
      { name: 'siteId', label: 'Site', type: 'select' },
      { name: 'remark', label: 'Remark', type: 'String' },
      { name: 'photos', label: 'Photos', type: 'LongString', format: 'images' },
    ],
    lines: {
      issueLineList: {
        label: 'Lines',
        columns: [
          { name: 'sn', label: 'SN', type: 'String', format: 'code' },
          { name: 'count', label: 'Count', type: 'Integer' },
        ],
        labels: {},
      },
    },
    labels: { siteId: { SZ: 'Shenzhen' } },
  },
};
const open = (answer: object) =>
  renderApp('/ubsIssueCodeList/detail/5', { answers: { '/api/ubsIssueCode/queryById.json': answer as never } });

describe('the detail of a record', () => {
  it('shows facts, pictures and lines of what queryById answers, under a tab of its name [P-LST-13] [W-CHK-03]', async () => {
    const { server, person } = await open({ data: detail });
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('ISS5'));
    expect(server.calls('/api/ubsIssueCode/queryById.json').map((it) => it.query)).toEqual([{ id: '5', lang: 'en' }]);
    const factOf = (label: string) => screen.getByText(label).closest('div')?.querySelector('dd')?.textContent;
    expect([factOf('Number'), factOf('Site'), factOf('Remark')]).toEqual(['ISS5', 'Shenzhen', '–']);
    expect(
      within(screen.getByRole('table', { name: 'Lines' }))
        .getAllByRole('cell')
        .map((it) => it.textContent),
    ).toEqual(['RX19', '2']);
    expect(screen.getByRole('link', { name: 'Photos 3 (txt)' }).getAttribute('href')).toBe('/file/notes.txt?lang=en');
    await person.click(screen.getByRole('button', { name: 'Photo 2' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Photos' }));
    expect(dialog.getByAltText('Photos 2').getAttribute('src')).toBe('/file/b');
    const tabs = within(screen.getByRole('navigation', { name: 'Opened pages' }));
    await waitFor(() => expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Issue code ISS5'));
  });

  it('offers in its head what its row offers, and says its own number as plain text', async () => {
    const button = (btnNo: string, btnName: string, more: object = {}) => ({
      ...{ id: btnNo, btnNo, btnName, btnScript: btnNo, rows: 1, ...more },
    });
    const items = [
      button('detail', 'Details'),
      button('modify', 'Modify'),
      button('exportDirectOne', 'Export record'),
      button('done', 'Done', { when: { siteId: 'SZ' } }),
      button('merge', 'Merge', { when: { siteId: 'HK' } }),
      button('export', 'Export', { rows: undefined }),
    ];
    const no = 'ISS2026112100001';
    const menu = [{ menuNo: 'ubsIssueCodeList', menuName: 'Issue codes', module: 'ubsIssueCode', prefix: 'ISS' }];
    const { person } = await renderApp('/ubsIssueCodeList/detail/5', {
      answers: {
        '/api/sysMenu/queryTree.json': { data: { items: menu.map((it) => ({ ...it, children: [] })) } },
        '/api/sysBtn/queryByMenuNo.json': { data: { items } },
        '/api/ubsIssueCode/queryById.json': { data: { ...detail, no } } as never,
      },
    });
    const done = await screen.findByRole('button', { name: 'Done' });
    const main = within(document.getElementById('content') as HTMLElement);
    expect(main.getAllByText(no).some((it) => it.closest('a'))).toBe(false);
    const offered = main.getAllByRole('button').map((it) => it.textContent);
    expect(offered.filter((it) => items.some(({ btnName }) => btnName === it))).toEqual(['Export record', 'Done']);
    await person.click(done);
    expect(await screen.findByRole('dialog')).toBeTruthy();
  });

  it('is called once what its number begins with', async () => {
    await open({ data: { ...detail, no: 'Issue code-7' } });
    const tabs = within(await screen.findByRole('navigation', { name: 'Opened pages' }));
    await waitFor(() => expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Issue code-7'));
  });

  it('has one tab, whichever of its ids the address says [P-TAB-01]', async () => {
    const { go, path } = await open({ data: detail });
    const tabs = () => within(screen.getByRole('navigation', { name: 'Opened pages' })).getAllByRole('link');
    const titles = () => tabs().map((it) => it.textContent);
    await waitFor(() => expect(titles()).toEqual(['Home', 'Issue code ISS5']));
    await go('/rmaCheckBillList/check');
    await go('/ubsIssueCodeList/detail/ISS5');
    await waitFor(() => expect(path()).toBe('/ubsIssueCodeList/detail/5'));
    await waitFor(() => expect(titles().filter((it) => it?.includes('ISS5'))).toEqual(['Issue code ISS5']));
  });

  it('says an age as its row does', async () => {
    const since = Date.now() - 51 * 3_600_000;
    const fields = [
      ...detail.view.fields,
      { name: 'pendingTime', label: 'Pending for', type: 'dateTime', format: 'age' },
    ];
    await open({ data: { ...detail, pendingTime: since, view: { ...detail.view, fields } } });
    expect(await screen.findByText('2 d 3 h')).toBeTruthy();
  });

  it('is called by several facts where one alone tells nothing', async () => {
    const named = [detail.view.fields[0], detail.view.fields[1]];
    await open({ data: { ...detail, view: { ...detail.view, named } } });
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('ISS5 · Shenzhen'));
  });

  it('says once how the record stands: in its head', async () => {
    const options = [{ value: '0', optionName: 'Awaiting review', tone: 'waits' }];
    const fields = [{ name: 'billStatus', label: 'Status', type: 'select', options }, ...detail.view.fields];
    const view = { ...detail.view, module: 'rmaPriceBill', fields };
    await open({ data: { ...detail, billStatus: '0', view } });
    expect((await screen.findAllByText('Awaiting review')).map((it) => it.className)).toEqual(['chip waits']);
    expect(screen.queryByText('Status')).toBeNull();
    expect(screen.getByText('Number')).toBeTruthy();
  });

  it.each([
    [['rmaMaintainBillList'], ['/rmaMaintainBillList/detail/MTB2026112100001']],
    [[], []],
  ])('leads from a bill number to its bill, for those whose menu has the list: %j', async (lists, expected) => {
    const items = ['ubsIssueCodeList', ...lists].map((menuNo) => ({
      menuNo,
      menuName: menuNo,
      prefix: menuNo === 'rmaMaintainBillList' ? 'MTB' : undefined,
      children: [],
    }));
    const fields = [{ name: 'mtbId', label: 'Maintain bill', type: 'String', format: 'code' }, ...detail.view.fields];
    await renderApp('/ubsIssueCodeList/detail/5', {
      answers: {
        '/api/sysMenu/queryTree.json': { data: { items } },
        '/api/ubsIssueCode/queryById.json': {
          data: { ...detail, mtbId: 'MTB2026112100001', view: { ...detail.view, fields } } as never,
        },
      },
    });
    const value = (await screen.findByText('Maintain bill')).closest('div') as HTMLElement;
    const links = within(value).queryAllByRole('link');
    expect(value.textContent).toContain('MTB2026112100001');
    expect(links.map((it) => it.getAttribute('href'))).toEqual(expected);
  });

  const receipt = {
    ...detail,
    issueLineList: [
      { id: 1, no: 'MTBL1', model: 'RX19' },
      { id: 2, no: 'MTBL2', model: 'RX21' },
      { id: 3, no: 'MTBL3', model: 'RX23' },
    ],
    snList: [
      { id: 7, no: 'MTBL1', sn: 'SN-A' },
      { id: 8, no: 'MTBL2', sn: 'SN-B' },
      { id: 9, no: 'MTBL1', sn: 'SN-C' },
    ],
    view: {
      ...detail.view,
      lines: {
        issueLineList: { label: 'Lines', columns: [{ name: 'model', label: 'Model', type: 'String' }], labels: {} },
        snList: {
          label: 'SNs',
          columns: [
            { name: 'sn', label: 'SN', type: 'String', format: 'code' },
            { name: 'no', label: 'Line', type: 'String', format: 'code' },
          ],
          labels: {},
          under: { name: 'issueLineList', by: 'no' },
        },
      },
    },
  };
  const sns = () =>
    screen.queryAllByRole('table', { name: 'SNs' }).map((it) =>
      within(it)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    );

  it('opens under each line the SNs that belong to it, and nothing under a line without any [W-RCV-03]', async () => {
    const { person } = await open({ data: receipt });
    const button = await screen.findByRole('button', { name: 'SNs RX19' });
    expect(sns()).toEqual([]);
    expect(screen.getAllByRole('table')).toHaveLength(1);
    await person.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(sns()).toEqual([['SN-A', 'SN-C']]);
    expect(screen.queryByRole('button', { name: 'SNs RX23' })).toBeNull();
    await person.click(screen.getByRole('button', { name: 'SNs' }));
    expect(sns()).toEqual([['SN-A', 'SN-C'], ['SN-B']]);
    await person.click(screen.getByRole('button', { name: 'SNs' }));
    expect(sns()).toEqual([]);
  });

  it('opens the only line at once, and shows by itself what belongs to no line', async () => {
    await open({ data: { ...receipt, issueLineList: [{ id: 1, no: 'MTBL1', model: 'RX19' }] } });
    await screen.findByRole('button', { name: 'SNs RX19' });
    expect(sns()).toEqual([
      ['SN-A', 'SN-C'],
      ['SN-B', 'MTBL2'],
    ]);
  });

  it('is the 404 page for a record that does not exist', async () => {
    expectComplaints();
    await open({ key: 'notFound', msg: 'Not there' });
    expect(await screen.findByText('The page flew away')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says why where another refusal of the same code came', async () => {
    expectComplaints();
    await open({ key: 'notInArchive', msg: 'SN X is not in the archive' });
    expect(await screen.findAllByText(/SN X is not in the archive/)).not.toHaveLength(0);
    expect(screen.queryByText('The page flew away')).toBeNull();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Back to list' })).toBeTruthy();
  });
});
