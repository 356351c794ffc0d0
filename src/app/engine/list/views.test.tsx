// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  headings,
  openList,
  PAGER,
  pager,
  SETTINGS,
  theRow,
  view,
  VIEWS,
  views,
  warmUp,
} from '#app/engine/list/testList.ts';
import { openedTabs } from '#app/shell/tabs.ts';

beforeAll(warmUp);

const columnsSent = (body: string) => (JSON.parse(body) as { columns: object[] }).columns;

describe('the columns of a list', () => {
  it('stand as the user left them, the first one first; what came later at the end', async () => {
    const columns = [
      { name: 'count', width: 90 },
      { name: 'no', hidden: true },
      { name: 'status', hidden: true },
    ];
    await openList({ answers: { [VIEWS]: views([], { columns }) } });
    const row = await theRow('CKB2');
    expect(headings()).toEqual(['Bill', 'Units', 'Note']);
    expect([...row.cells].map((it) => it.textContent)).toEqual(['CKB2', '2,000', 'n2', '']);
    const frame = row.closest('table')?.parentElement;
    expect(frame?.style.getPropertyValue('--w1')).toBe('90px');
    expect(row.cells[1]?.style.width).toBe('var(--w1)');
  });

  it('are chosen and ordered in a panel, by its buttons or Alt and an arrow, and kept on the server', async () => {
    const { server, person } = await openList();
    await theRow('CKB1');
    await person.click(screen.getByRole('button', { name: 'Columns and row height' }));
    const panel = within(await screen.findByRole('dialog', { name: 'Columns and row height' }));
    expect(panel.getByRole<HTMLInputElement>('checkbox', { name: 'Bill' }).disabled).toBe(true);
    await person.click(panel.getByRole('checkbox', { name: 'Status' }));
    await person.click(panel.getByRole('button', { name: 'Move Note up' }));
    expect(headings()).toEqual(['Bill', 'Note', 'Units']);
    fireEvent.keyDown(panel.getByRole('checkbox', { name: 'Note' }), { key: 'ArrowDown', altKey: true });
    await waitFor(() => expect(headings()).toEqual(['Bill', 'Units', 'Note']));
    const width = panel.getByRole('textbox', { name: 'Width of Note' });
    fireEvent.change(width, { target: { value: '200' } });
    fireEvent.blur(width);
    await waitFor(() =>
      expect(columnsSent(server.calls(SETTINGS).at(-1)?.body ?? '{}')).toEqual([
        { name: 'no' },
        { name: 'status', hidden: true },
        { name: 'count' },
        { name: 'note', width: 200 },
      ]),
    );
    await person.click(panel.getByRole('button', { name: 'Restore defaults' }));
    await waitFor(() => expect(headings()).toEqual(['Bill', 'Status', 'Units', 'Note']));
  });

  it('are kept where the page is left at once', async () => {
    const { server, person } = await openList();
    await theRow('CKB1');
    await person.click(screen.getByRole('button', { name: 'Columns and row height' }));
    const panel = within(await screen.findByRole('dialog', { name: 'Columns and row height' }));
    fireEvent.click(panel.getByRole('checkbox', { name: 'Status' }));
    window.dispatchEvent(new Event('pagehide'));
    expect(server.calls(SETTINGS)).toHaveLength(1);
  });

  it('are made wider and moved where they stand, with the mouse and on the keyboard; no row is drawn anew', async () => {
    const { server } = await openList();
    const row = await theRow('CKB1');
    const heading = screen.getByRole('button', { name: 'Units' });
    fireEvent.keyDown(heading, { key: 'ArrowRight', shiftKey: true });
    const frame = row.closest('table')?.parentElement;
    await waitFor(() => expect(frame?.style.getPropertyValue('--w2')).toBe('48px'));
    const cell = row.cells[2];
    const edge = heading.parentElement?.querySelector('.edge') as HTMLElement;
    fireEvent.pointerDown(edge, { clientX: 100, pointerId: 1 });
    fireEvent.pointerMove(edge, { clientX: 260, pointerId: 1 });
    fireEvent.pointerUp(edge, { pointerId: 1 });
    await waitFor(() => expect(frame?.style.getPropertyValue('--w2')).toBe('160px'));
    expect(row.cells[2]).toBe(cell);
    fireEvent.doubleClick(edge);
    await waitFor(() => expect(frame?.style.getPropertyValue('--w2')).toBe('0px'));
    fireEvent.keyDown(heading, { key: 'ArrowLeft', shiftKey: true, ctrlKey: true });
    await waitFor(() => expect(headings()).toEqual(['Bill', 'Units', 'Status', 'Note']));
    await waitFor(() => expect(server.calls(SETTINGS).length).toBeGreaterThan(0));
  });
});

describe('a saved view', () => {
  const state = {
    filter: [{ name: 'no', value: 'CKB' }],
    sortBy: 'count',
    order: 'desc' as const,
    pageSize: 50,
    columns: [{ name: 'no' }, { name: 'note' }, { name: 'count' }, { name: 'status', hidden: true }],
  };

  it('is opened by its link: its search, order, page size and columns', async () => {
    const { server } = await openList(
      { answers: { [VIEWS]: views([view(7, { state })]) } },
      '/rmaCheckBillList?view=7',
    );
    await theRow('CKB1');
    expect(headings()).toEqual(['Bill', 'Note', 'Units']);
    expect(screen.getByRole('button', { name: 'View: View 7' })).toBeTruthy();
    expect(server.calls(PAGER).at(-1)?.query).toEqual({
      no: 'CKB',
      sortBy: 'count',
      order: 'desc',
      pageStart: '0',
      pageCount: '50',
      lang: 'en',
    });
    expect(screen.getByText('Bill: CKB')).toBeTruthy();
  });

  it('is what the list opens with, where the user wants that; all rows are one choice away', async () => {
    const { server, person } = await openList({ answers: { [VIEWS]: views([view(7, { state })], { defaultId: 7 }) } });
    await person.click(await screen.findByRole('button', { name: 'View: View 7' }));
    await person.click(await screen.findByRole('menuitem', { name: 'All rows' }));
    expect(await screen.findByRole('button', { name: 'View: All rows' })).toBeTruthy();
    await waitFor(() => expect(server.calls(PAGER).at(-1)?.query).not.toHaveProperty('no'));
    expect(headings()).toEqual(['Bill', 'Status', 'Units', 'Note']);
  });

  it('opens under a form, which stays with what it was given', async () => {
    const toAdd = { data: { items: [{ name: 'Bill', queryName: 'no', type: 'String' }] } };
    await openList(
      { answers: { [VIEWS]: views([view(7, { state })], { defaultId: 7 }), '/api/rmaCheckBill/toAdd.json': toAdd } },
      `/rmaCheckBillList/create?given=${encodeURIComponent('{"no":"CKB9"}')}`,
    );
    await screen.findByRole('button', { name: 'View: View 7' });
    const form = within(await screen.findByRole('dialog'));
    expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Bill' }).value).toBe('CKB9');
    expect(openedTabs().at(-1)?.address).toMatch(/filter=.*&given=%7B%22no%22%3A%22CKB9%22%7D$/);
  });

  it('that is gone or of others is told, and the list shows all rows', async () => {
    await openList({}, '/rmaCheckBillList?view=9');
    expect(await screen.findByText('This view does not exist, or it is not shared with you')).toBeTruthy();
    expect(await theRow('CKB1')).toBeTruthy();
  });

  it('tells which of its conditions were left out', async () => {
    const old = view(7, { dropped: ['gone'] });
    await openList({ answers: { [VIEWS]: views([old]) } }, '/rmaCheckBillList?view=7');
    expect(
      await screen.findByText('Some conditions of this view can no longer be used and were left out: gone'),
    ).toBeTruthy();
  });

  const filtered = `/rmaCheckBillList?filter=${encodeURIComponent('{"no":"CKB"}')}`;
  const roles = [{ roleId: 'tech', id: 4, name: 'Technician' }];
  const openDialog = async (person: Awaited<ReturnType<typeof openList>>['person']) => {
    await person.click(await screen.findByRole('button', { name: 'View: All rows' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Save as view…' }));
    return within(await screen.findByRole('dialog', { name: 'Save as view' }));
  };

  it('keeps the list as it stands under a name, and shares it with a role', async () => {
    const { server, person } = await openList(
      {
        answers: {
          [VIEWS]: ({ method, body }) => {
            if (method === 'GET') return views([], { roles });
            return { data: view(3, { name: 'Mine', state: (JSON.parse(body) as { state: object }).state }) };
          },
        },
      },
      filtered,
    );
    await theRow('CKB1');
    const dialog = await openDialog(person);
    fireEvent.change(dialog.getByRole('textbox', { name: /Name/ }), { target: { value: 'Mine' } });
    await person.click(dialog.getByRole('combobox', { name: /Share with a role/ }));
    await person.click(await screen.findByRole('option', { name: 'Technician' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Save view' }));
    expect(await screen.findByRole('button', { name: 'View: Mine' })).toBeTruthy();
    expect(screen.queryByText('(changed)')).toBeNull();
    const sent = server.calls(VIEWS).find((it) => it.method === 'POST');
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      module: 'rmaCheckBill',
      name: 'Mine',
      roleId: 'tech',
      role: 4,
      state: {
        filter: [{ name: 'no', value: 'CKB' }],
        pageSize: 10,
        density: 'normal',
        columns: [{ name: 'no' }, {}, {}, {}],
      },
    });
  });

  it('wants a name that is free, and says so at the field; who may not share is offered no role', async () => {
    const duplicateName = { key: 'alreadyExists', msg: 'View Mine already exists; choose another one' } as const;
    const { server, person } = await openList({
      answers: { [VIEWS]: ({ method }) => (method === 'GET' ? views([]) : duplicateName) },
    });
    await theRow('CKB1');
    const dialog = await openDialog(person);
    expect(dialog.queryByRole('combobox')).toBeNull();
    fireEvent.click(dialog.getByRole('button', { name: 'Save view' }));
    expect(dialog.getByText('Enter a name')).toBeTruthy();
    expect(server.calls(VIEWS).filter((it) => it.method === 'POST')).toEqual([]);
    fireEvent.change(dialog.getByRole('textbox', { name: /Name/ }), { target: { value: 'Mine' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save view' }));
    expect(await dialog.findByText('View Mine already exists; choose another one')).toBeTruthy();
  });

  it('says that it was changed; its owner saves the change, from the version that was read', async () => {
    const { server, person } = await openList(
      {
        answers: {
          [VIEWS]: views([view(7, { state, version: 4 })]),
          '/rest/views/7': ({ body }) => ({
            data: view(7, { version: 5, state: (JSON.parse(body) as { state: object }).state }),
          }),
        },
      },
      '/rmaCheckBillList?view=7',
    );
    await theRow('CKB1');
    fireEvent.keyDown(screen.getByRole('button', { name: 'Note' }), { key: 'ArrowRight', shiftKey: true });
    expect(await screen.findByText('(changed)')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'View: View 7' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Save changes' }));
    expect(await screen.findByText('View View 7 saved')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('(changed)')).toBeNull());
    expect(JSON.parse(server.calls('/rest/views/7')[0]?.body ?? '')).toMatchObject({
      version: 4,
      state: { filter: [{ name: 'no', value: 'CKB' }], columns: [{ name: 'no' }, { name: 'note', width: 48 }, {}, {}] },
    });
    expect(server.calls(SETTINGS)).toEqual([]);
  });

  it('of somebody else is used and not changed', async () => {
    const shared = view(7, { isOwn: false, owner: 'Wang Fang', roleName: 'Technician' });
    const { person } = await openList({ answers: { [VIEWS]: views([shared]) } }, '/rmaCheckBillList?view=7');
    await person.click(await screen.findByRole('button', { name: 'View: View 7' }));
    expect(await screen.findByText('Shared with me')).toBeTruthy();
    expect(screen.getByText('Wang Fang')).toBeTruthy();
    for (const name of ['Save changes', 'Rename and share…', 'Delete view']) {
      expect(screen.queryByRole('menuitem', { name })).toBeNull();
    }
  });

  it('is taken away after a question, and the list shows all rows', async () => {
    const { server, person } = await openList(
      { answers: { [VIEWS]: views([view(7)]), '/rest/views/7': { data: { id: 7 } } } },
      '/rmaCheckBillList?view=7',
    );
    await person.click(await screen.findByRole('button', { name: 'View: View 7' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Delete view' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Delete the view View 7?')).toBeTruthy();
    await person.click(dialog.getByRole('button', { name: 'Delete view' }));
    expect(await screen.findByRole('button', { name: 'View: All rows' })).toBeTruthy();
    expect(server.calls('/rest/views/7').map((it) => it.method)).toEqual(['DELETE']);
  });
});

it('totals over everything that is found stand under their columns', async () => {
  const totals = { count: '1234567' };
  await openList({ answers: { [PAGER]: { data: { ...pager, totals } } } });
  await theRow('CKB1');
  const foot = screen.getByRole('rowheader', { name: 'Total' }).closest('tr') as HTMLTableRowElement;
  expect([...foot.cells].map((it) => it.textContent)).toEqual(['Total', '', '1,234,567', '', '']);
});
