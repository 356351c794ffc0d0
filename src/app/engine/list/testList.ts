import { screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import type { ListView } from '#domain/listView.ts';
import { renderApp } from '#app/testing/renderApp.tsx';

/** A list of three rows for the tests of what can be done with a list. */
export const rows = [1, 2, 3].map((id) => ({ id, no: `CKB${id}`, status: '1', count: id * 1000, note: `n${id}` }));

export const pager = {
  title: { no: 'Bill', status: 'Status', count: 'Units', note: 'Note' },
  items: rows,
  itemTotal: 120,
  tableName: 'Check bills',
  columns: [
    { name: 'no', label: 'Bill', type: 'String', format: 'code' },
    { name: 'status', label: 'Status', type: 'select', options: [{ value: '1', optionName: 'Done' }] },
    { name: 'count', label: 'Units', type: 'Integer' },
    { name: 'note', label: 'Note', type: 'String' },
  ],
  labels: {},
  link: true,
  maxHeight: 540,
};

export const button = (btnNo: string, btnName: string, more: object = {}) => ({
  id: btnNo,
  btnNo,
  btnName,
  btnScript: btnNo,
  ...more,
});

export const PAGER = '/api/rmaCheckBill/pager.json';
export const ADVANCED_SEARCH = '/api/rmaCheckBill/advancedSearch.json';
export const VIEWS = '/rest/views';
export const SETTINGS = '/rest/listSettings/rmaCheckBill';

export const view = (id: number, more: Partial<ListView> = {}): ListView => ({
  id,
  name: `View ${id}`,
  isOwn: true,
  owner: 'Li Wei',
  roleId: null,
  roleName: null,
  version: 1,
  state: {},
  dropped: [],
  ...more,
});
export const views = (items: ListView[], more: object = {}) => ({
  data: { items, columns: [], defaultId: null, roles: [], ...more },
});

export const openList = (more: Parameters<typeof renderApp>[1] = {}, address = '/rmaCheckBillList') =>
  renderApp(address, {
    ...more,
    answers: {
      [PAGER]: { data: pager },
      [ADVANCED_SEARCH]: { data: pager },
      '/api/rmaCheckBill/searchItems.json': { data: { items: [{ name: 'Bill', queryName: 'no', type: 'String' }] } },
      '/api/rmaCheckBill/toAdvancedSearch.json': {
        data: {
          title: pager.title,
          columns: pager.columns,
          relations: { EQUAL_TO: 'equals', GREATER_THAN: 'is greater than', IS_NULL: 'is empty' },
        },
      },
      '/api/sysBtn/queryByMenuNo.json': {
        data: { items: [button('create', 'New'), button('deleteById', 'Delete', { rows: 1 })] },
      },
      '/api/rmaCheckBill/queryById.json': ({ query }) => ({
        data: {
          ...rows[Number(query['id']) - 1],
          view: { module: 'rmaCheckBill', label: 'Check bill', fields: pager.columns, lines: {} },
        },
      }),
      [SETTINGS]: { data: {} },
      ...more.answers,
    },
  });

/** What is loaded when it is needed is compiled first; a test is not timed by that. */
export async function warmUp(): Promise<void> {
  await Promise.all([
    import('#app/shell/Shell.tsx'),
    import('#tests/support/modules.tsx'),
    import('#app/engine/ListPage.tsx'),
    import('#app/engine/FormDialog.tsx'),
    import('#app/engine/list/ViewDialog.tsx'),
    import('#app/engine/list/ColumnsPanel.tsx'),
  ]);
}

/** A list draws its rows first, and then what stands around them. */
const wholeList = () => waitFor(() => expect(document.querySelector('main nav')).not.toBeNull());

export async function theRow(no: string): Promise<HTMLTableRowElement> {
  await screen.findByRole('link', { name: no });
  await wholeList();
  return screen.getByRole('link', { name: no }).closest('tr') as HTMLTableRowElement;
}
export const headings = () => screen.getAllByRole('columnheader').map((it) => it.textContent);
