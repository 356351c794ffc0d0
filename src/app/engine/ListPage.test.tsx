// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { button, headings, openList, PAGER, pager as theList, theRow } from '#app/engine/list/testList.ts';
import { pageSize } from '#app/engine/pageSize.ts';
import { notices } from '#app/notify.ts';
import type { Asked } from '#app/testing/fakeServer.ts';
import { expectComplaints } from '#app/testing/renderApp.tsx';

const at = new Date(2026, 10, 21, 9, 5, 7).getTime();
const [no, status, count] = theList.columns;
const pager = {
  ...theList,
  title: { no: 'Bill', checkTime: 'Checked', status: 'Status', count: 'Units' },
  items: theList.items.map((it) => ({ ...it, checkTime: at })),
  columns: [no, { name: 'checkTime', label: 'Checked', type: 'dateTime' }, status, { ...count, align: 'right' }],
};
const searchItems = [
  { name: 'Bill', queryName: 'no', type: 'String' },
  { name: 'Units', queryName: 'count', type: 'Integer' },
  { name: 'Status', queryName: 'status', type: 'select', options: [{ value: '1', optionName: 'Done' }] },
  { name: 'Day', queryName: 'day', type: 'date' },
  { name: 'From', queryName: 'checkTimeStart', type: 'dateTime' },
  { name: 'Month', queryName: 'month', type: 'Month' },
];
const single = [button('deleteById', 'Delete', { rows: 1 }), button('strange', 'Strange')];
const several = [button('deleteAll', 'Delete all', { rows: 'many' })];

const open = (more: Parameters<typeof openList>[0] = {}) =>
  openList({
    ...more,
    answers: {
      [PAGER]: { data: pager },
      '/api/rmaCheckBill/searchItems.json': { data: { items: searchItems } },
      '/api/sysBtn/queryByMenuNo.json': { data: { items: single } },
      '/api/rmaCheckBill/deleteById.json': { data: {} },
      '/api/rmaCheckBill/deleteAll.json': { data: {} },
      ...more.answers,
    },
  });
const selected = () =>
  screen
    .getAllByRole('row')
    .filter((it) => it.getAttribute('aria-selected') === 'true')
    .map((it) => within(it).getByRole('link').textContent);

afterEach(() => vi.useRealTimers());

describe('the generic list', () => {
  it('shows what the server defines: title, columns, cells, total, buttons [P-LST-01] [P-LST-03] [P-LST-04] [P-BTN-02] [P-BTN-03] [W-PRM-02]', async () => {
    const { server } = await open();
    const row = await theRow('CKB2');
    expect(screen.getByRole('heading', { name: 'Check bills' })).toBeTruthy();
    expect(headings()).toEqual(['Bill', 'Checked', 'Status', 'Units']);
    expect([...row.cells].slice(2, 4).map((it) => it.textContent)).toEqual(['Done', '2,000']);
    expect(screen.getByText('120 in total')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Delete' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Delete all' })).toBeNull();
    expect(server.calls('/api/sysBtn/queryByMenuNo.json')[0]?.query).toEqual({
      menuNo: 'rmaCheckBillList',
      lang: 'en',
    });
  });

  it('shows a moment by month, day and minute, and whole on demand [P-LST-05]', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: at });
    await open();
    const cell = within(await theRow('CKB1')).getByText('11-21 09:05');
    expect(cell.title).toBe('2026-11-21 09:05:07');
  });

  it('leads from the first column to the detail, and from no column where the server gives no link [P-LST-12]', async () => {
    const { server, go } = await open();
    expect((await screen.findByRole('link', { name: 'CKB1' })).getAttribute('href')).toBe('/rmaCheckBillList/detail/1');
    server.answer({
      '/api/adminUser/pager.json': { data: { ...pager, link: false, tableName: 'Users' } },
      '/api/adminUser/searchItems.json': { data: { items: [] } },
    });
    await go('/adminUserList');
    await screen.findByRole('heading', { level: 1, name: 'Users' });
    const pages = [...document.querySelectorAll<HTMLElement>('#content > div')];
    const users = within(pages.find((it) => it.style.display !== 'none') as HTMLElement);
    expect(await users.findByText('CKB1')).toBeTruthy();
    expect(users.queryByRole('link', { name: 'CKB1' })).toBeNull();
  });

  it('sorts by a heading up, down, and not at all [P-LST-02] [P-LST-06]', async () => {
    const { server, person } = await open();
    await theRow('CKB1');
    for (let i = 1; i <= 3; i++) {
      await person.click(screen.getByRole('button', { name: 'Units' }));
      await waitFor(() => expect(server.calls(PAGER)).toHaveLength(i < 3 ? i + 1 : 3));
    }
    const asked = server.calls(PAGER).map(({ query: { sortBy, order } }) => [sortBy, order]);
    expect(asked.slice(0, 3)).toEqual([
      [undefined, undefined],
      ['count', 'asc'],
      ['count', 'desc'],
    ]);
    const heading = screen.getByRole('columnheader', { name: 'Units' });
    await waitFor(() => expect(heading.getAttribute('aria-sort')).toBeNull());
  });

  it('turns pages and knows the sizes 10 to 200, 10 first [P-LST-02] [P-LST-07]', async () => {
    const { server, person } = await open();
    await theRow('CKB1');
    await person.click(screen.getByRole('button', { name: 'Go to next page' }));
    await waitFor(() => expect(server.calls(PAGER)).toHaveLength(2));
    await person.click(screen.getByRole('combobox', { name: 'Rows per page' }));
    const sizes = await screen.findAllByRole('option');
    expect(sizes.map((it) => it.textContent)).toEqual([
      '10 / page',
      '50 / page',
      '100 / page',
      '150 / page',
      '200 / page',
      'Fill the window (14)',
    ]);
    await person.click(screen.getByRole('option', { name: '50 / page' }));
    await waitFor(() => expect(server.calls(PAGER)).toHaveLength(3));
    const asked = server.calls(PAGER).map(({ query: { pageStart, pageCount } }) => [pageStart, pageCount]);
    expect(asked).toEqual([
      ['0', '10'],
      ['10', '10'],
      ['0', '50'],
    ]);
    pageSize.set('10');
  });

  it('asks for as many rows as the window has room for, where the user wants that', async () => {
    const { server, person } = await open();
    await theRow('CKB1');
    await person.click(screen.getByRole('combobox', { name: 'Rows per page' }));
    await person.click(await screen.findByRole('option', { name: 'Fill the window (14)' }));
    await waitFor(() => expect(server.calls(PAGER).at(-1)?.query['pageCount']).toBe('14'));
    expect(screen.getByRole('combobox', { name: 'Rows per page' }).textContent).toBe('Fill the window (14)');
    expect(pageSize.get()).toBe('fill');
    pageSize.set('10');
  });

  it('leaves out an order by a column that is there no more, whether it is sorted so or opened so', async () => {
    expectComplaints();
    const gone: string[] = [];
    const problem = { key: 'unknownField', field: 'sortBy', msg: 'Unknown field count' };
    const answer = ({ query: { sortBy = '' } }: Asked) =>
      gone.includes(sortBy)
        ? { key: 'unknownField' as const, msg: problem.msg, data: { problems: [problem] } }
        : { data: pager };
    const { server, person, go } = await open({ answers: { [PAGER]: answer } });
    await theRow('CKB1');
    await person.click(screen.getByRole('button', { name: 'Units' }));
    await waitFor(() => expect(server.calls(PAGER).at(-1)?.query['sortBy']).toBe('count'));
    gone.push('count', 'note');
    await person.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(server.calls(PAGER).at(-1)?.query['sortBy']).toBeUndefined());
    expect(await theRow('CKB1')).toBeTruthy();
    await go('/rmaCheckBillList?sort=note&order=DESC');
    await waitFor(() => expect(server.calls(PAGER).map((it) => it.query['sortBy'])).toContain('note'));
    await waitFor(() => expect(server.calls(PAGER).at(-1)?.query['sortBy']).toBeUndefined());
    expect(await theRow('CKB1')).toBeTruthy();
    expect(screen.queryByText('Data load failed')).toBeNull();
  });

  it('says that there is nothing [P-LST-08]', async () => {
    await open({ answers: { [PAGER]: { data: { ...pager, items: [], itemTotal: 0 } } } });
    expect(await screen.findByText('No data')).toBeTruthy();
    expect(await screen.findByText('0 in total')).toBeTruthy();
  });

  it.each([
    [{ key: 'unknown', msg: 'Error 41' } as const, 'Reason: Error 41'],
    ['network' as const, 'Reason: The server cannot be reached, check the network and try again'],
  ])('says that its data did not come, and empties the table [P-LST-17]', async (answer, reason) => {
    expectComplaints();
    const { server, person } = await open();
    await theRow('CKB1');
    server.answer({ [PAGER]: answer });
    await person.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText(reason)).toBeTruthy();
    expect(screen.getAllByText('Data load failed').length).toBeGreaterThan(0);
    expect(screen.queryByRole('link', { name: 'CKB1' })).toBeNull();
    server.answer({ [PAGER]: { data: pager } });
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await theRow('CKB1')).toBeTruthy();
  });
});

describe('the selection', () => {
  it('is one row that moves, and goes by a second click [P-LST-10]', async () => {
    const { person } = await open();
    await person.click(await theRow('CKB1'));
    expect(selected()).toEqual(['CKB1']);
    await person.click(await theRow('CKB2'));
    expect(selected()).toEqual(['CKB2']);
    await person.click(await theRow('CKB2'));
    expect(selected()).toEqual([]);
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('is several rows where the toolbar has deleteAll [P-LST-11]', async () => {
    const { person } = await open({ answers: { '/api/sysBtn/queryByMenuNo.json': { data: { items: several } } } });
    await person.click(await theRow('CKB1'));
    await person.click(await theRow('CKB3'));
    expect(selected()).toEqual(['CKB1', 'CKB3']);
    await person.click(screen.getByRole('checkbox', { name: 'Select all of this page' }));
    expect(selected()).toEqual(['CKB1', 'CKB2', 'CKB3']);
  });
});

describe('the toolbar', () => {
  it('asks for a row where one is needed, and sends nothing [P-NTF-04]', async () => {
    const { server, person } = await open();
    await theRow('CKB1');
    await person.click(screen.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Select the Data')).toBeTruthy();
    expect(server.asked.filter((it) => it.method === 'POST')).toEqual([]);
  });

  it('sends nothing for a script that nobody knows', async () => {
    const { server, person } = await open();
    await theRow('CKB1');
    await person.click(screen.getByRole('button', { name: 'Strange' }));
    expect(await screen.findByText('This action is not available')).toBeTruthy();
    expect(server.asked.filter((it) => it.method === 'POST')).toEqual([]);
  });

  it('offers a button only for rows with the values that it asks for', async () => {
    const items = [button('deleteById', 'Delete', { rows: 1, when: { status: ['0'] } })];
    const { person } = await open({ answers: { '/api/sysBtn/queryByMenuNo.json': { data: { items } } } });
    await person.click(await theRow('CKB1'));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true);
  });

  it('deletes one row after asking, and reads the list again [P-LST-14] [P-LST-15]', async () => {
    const { server, person } = await open();
    await person.click(await theRow('CKB2'));
    await person.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Delete CKB2?')).toBeTruthy();
    await person.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(server.calls('/api/rmaCheckBill/deleteById.json')).toEqual([]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await person.click(await screen.findByRole('button', { name: 'Delete' }));
    const before = server.calls(PAGER).length;
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Deleted')).toBeTruthy();
    expect(server.calls('/api/rmaCheckBill/deleteById.json').map((it) => it.body)).toEqual(['{"id":2}']);
    await waitFor(() => expect(server.calls(PAGER).length).toBeGreaterThan(before));
  });

  it('deletes a row as it was shown; one that somebody changed since is shown with old and new, and asked for again', async () => {
    expectComplaints();
    const [first] = pager.items;
    const row = { ...first, version: 4, count: 12 };
    const now = { ...row, version: 5, count: 13 };
    const { server, person } = await open({
      answers: {
        [PAGER]: { data: { ...pager, items: [row] } },
        '/api/rmaCheckBill/deleteById.json': { key: 'stale', msg: 'Changed' },
        '/api/rmaCheckBill/queryById.json': {
          data: { ...now, view: { module: 'rmaCheckBill', label: 'Bill', fields: [count] } },
        },
      },
    });
    const sent = () =>
      server.calls('/api/rmaCheckBill/deleteById.json').map((it) => JSON.parse(it.body ?? '') as object);
    await person.click(await theRow('CKB1'));
    await person.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.click(dialog.getByRole('button', { name: 'Delete' }));
    const told = within(await dialog.findByRole('alert'));
    expect(told.getAllByRole('cell').map((it) => it.textContent)).toEqual(['Units', '12', '13']);
    await person.click(told.getByRole('button', { name: 'Look again' }));
    await person.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() =>
      expect(sent()).toEqual([
        { id: 1, version: 4 },
        { id: 1, version: 5 },
      ]),
    );
  });

  it('deletes all selected rows by their ids, each as it was shown [P-LST-16]', async () => {
    const items = pager.items.map((it) => ({ ...it, version: it.id + 3 }));
    const { server, person } = await open({
      answers: {
        [PAGER]: { data: { ...pager, items } },
        '/api/sysBtn/queryByMenuNo.json': { data: { items: several } },
      },
    });
    await person.click(await theRow('CKB1'));
    await person.click(await theRow('CKB3'));
    await person.click(screen.getByRole('button', { name: 'Delete all' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Delete 2 records?')).toBeTruthy();
    await person.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() =>
      expect(server.calls('/api/rmaCheckBill/deleteAll.json').map((it) => it.body)).toEqual([
        '{"ids":[1,3],"versions":{"1":4,"3":6}}',
      ]),
    );
  });

  it('says which action failed and why, until the user closes it [P-CAL-05]', async () => {
    expectComplaints();
    const { person } = await open({
      answers: { '/api/rmaCheckBill/deleteById.json': { key: 'billFinished', msg: 'The bill is finished' } },
    });
    await person.click(await theRow('CKB1'));
    await person.click(screen.getByRole('button', { name: 'Delete' }));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    const notice = (await screen.findByText('Delete failed')).closest('[role=alert]') as HTMLElement;
    expect(within(notice).getByText('Reason: The bill is finished')).toBeTruthy();
    await person.click(within(notice).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByText('Delete failed')).toBeNull());
    notices.closeAll();
  });
});

describe('the search form', () => {
  it('is what the server defines, each type with its input [P-SRC-01] [P-SRC-02] [P-SRC-04] [P-SRC-05] [P-SRC-06]', async () => {
    const { server, person } = await open();
    await theRow('CKB1');
    await person.click(screen.getByRole('button', { name: 'More' }));
    const hintOf = (label: string) => screen.getByLabelText(label).getAttribute('placeholder');
    expect(server.calls('/api/rmaCheckBill/searchItems.json')[0]?.query).toEqual({ lang: 'en' });
    expect(['Bill', 'Units', 'Day', 'From', 'Month'].map(hintOf)).toEqual([
      null,
      null,
      'yyyy-MM-dd',
      'yyyy-MM-dd HH:mm:ss',
      'yyyy-MM',
    ]);
    await person.click(screen.getByRole('combobox', { name: /Status/ }));
    expect((await screen.findAllByRole('option')).map((it) => it.textContent)).toEqual(['Any', 'Done']);
  });

  it('is missing where the server defines no search items [P-SRC-03]', async () => {
    await open({ answers: { '/api/rmaCheckBill/searchItems.json': { data: { items: [] } } } });
    await theRow('CKB1');
    expect(screen.queryByRole('search')).toBeNull();
  });

  it('sends what was entered, moments as epoch ms, nothing empty; chips take it off [P-SRC-07] [P-SRC-08] [P-SRC-09]', async () => {
    const { server, person } = await open();
    await theRow('CKB1');
    await person.click(screen.getByRole('button', { name: 'More' }));
    await person.type(screen.getByLabelText('Bill'), '  CKB2 ');
    await person.type(screen.getByLabelText('Units'), '0');
    await person.type(screen.getByLabelText('Day'), '2026-11-21');
    await person.type(screen.getByLabelText('From'), '2026-11-21T09:05:07');
    await person.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() => expect(server.calls(PAGER)).toHaveLength(2));
    expect(server.calls(PAGER)[1]?.query).toEqual({
      no: 'CKB2',
      count: '0',
      day: String(new Date(2026, 10, 21).getTime()),
      checkTimeStart: String(at),
      pageStart: '0',
      pageCount: '10',
      lang: 'en',
    });
    const chips = within(await screen.findByRole('group', { name: 'Applied' }));
    expect(chips.getByText('Bill: CKB2')).toBeTruthy();
    expect(chips.getByText('From: 2026-11-21 09:05:07')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Reset' }));
    await waitFor(() => expect(server.calls(PAGER)).toHaveLength(3));
    expect(server.calls(PAGER)[2]?.query).toEqual({ pageStart: '0', pageCount: '10', lang: 'en' });
  });

  it('forgets on leaving what was entered and not sent [P-SRC-10]', async () => {
    const { person, go } = await open();
    await theRow('CKB1');
    await person.type(screen.getByLabelText('Bill'), 'half');
    await go('/home');
    await screen.findByText('Hello, Li Wei');
    await go('/rmaCheckBillList');
    expect((await screen.findByLabelText<HTMLInputElement>('Bill')).value).toBe('');
  });

  it.each([
    ['en', 'Search failure!'],
    ['zh', '获取搜索条件失败'],
  ] as const)('says in %s that its items did not come [P-SRC-11]', async (language, said) => {
    expectComplaints();
    await open({
      language,
      answers: { '/api/rmaCheckBill/searchItems.json': { key: 'unknown', msg: 'x' } },
    });
    expect(await screen.findByText(said)).toBeTruthy();
  });
});
