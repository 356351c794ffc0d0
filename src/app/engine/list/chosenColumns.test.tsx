// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { button, headings, openList, PAGER, pager, rows, theRow, warmUp } from '#app/engine/list/testList.ts';

beforeAll(warmUp);

const chosen = {
  ...pager,
  title: { no: 'Bill', count: 'Units' },
  columns: pager.columns.map((it) => (it.name === 'count' ? { ...it, under: 'note' } : it)),
  tabs: 'status',
};
const COUNTS = '/api/rmaCheckBill/tabCounts.json';
const open = (more: object = {}, data: object = chosen) =>
  openList({ answers: { [PAGER]: { data }, [COUNTS]: { data: { counts: { '1': 3 } } }, ...more } });

describe('the columns of a list', () => {
  it('are those of its title, one under another where the definition says so [P-LST-04]', async () => {
    const { person } = await open();
    const row = await theRow('CKB1');
    expect(headings().slice(0, 2)).toEqual(['Bill', 'UnitsNote']);
    expect(
      within(row)
        .getAllByRole('cell')
        .map((it) => it.textContent)
        .slice(0, 2),
    ).toEqual(['CKB1', '1,000n1']);
    await person.click(screen.getByRole('button', { name: 'Columns and row height' }));
    const panel = within(await screen.findByRole('dialog'));
    expect(panel.getAllByRole<HTMLInputElement>('checkbox').map((it) => it.checked)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    await person.click(panel.getByRole('checkbox', { name: 'Note' }));
    await waitFor(() => expect(headings().slice(0, 3)).toEqual(['Bill', 'Units', 'Note']));
  });

  it('are shown in sets where the list is wide, one at a time', async () => {
    const { person } = await open(
      {},
      { ...chosen, tabs: undefined, groups: [{ label: 'Words', columns: ['status', 'note'] }] },
    );
    await theRow('CKB1');
    const sets = within(screen.getByRole('group', { name: 'Columns about' }));
    expect(sets.getByRole('button', { name: 'Overview' }).getAttribute('aria-pressed')).toBe('true');
    await person.click(sets.getByRole('button', { name: 'Words' }));
    await waitFor(() => expect(headings().slice(0, 3)).toEqual(['Bill', 'Status', 'Note']));
    await person.click(sets.getByRole('button', { name: 'Overview' }));
    await waitFor(() => expect(headings().slice(0, 2)).toEqual(['Bill', 'UnitsNote']));
  });
});

describe('the tabs of a list', () => {
  it('say how many rows a state has, and show one of them or all', async () => {
    const { server, person } = await open();
    await theRow('CKB1');
    const tabs = within(screen.getByRole('group', { name: 'Status' }));
    await person.click(await tabs.findByRole('button', { name: /^Done\s*3$/ }));
    await waitFor(() => expect(server.calls(PAGER).at(-1)?.query['status']).toBe('1'));
    expect(tabs.getByRole('button', { name: /^Done/ }).getAttribute('aria-pressed')).toBe('true');
    expect(server.calls(COUNTS).every((it) => it.query['status'] === undefined)).toBe(true);
    await person.click(tabs.getByRole('button', { name: /^All/ }));
    await waitFor(() => expect(server.calls(PAGER).at(-1)?.query['status']).toBeUndefined());
  });
});

describe('a button that is not for all selected rows', () => {
  it('says for how many not, and what they are', async () => {
    const items = [
      button('deleteAll', 'Delete', { rows: 'many' }),
      button('done', 'Done', { rows: 'many', when: { status: ['0'] } }),
      button('one', 'One', { rows: 1 }),
    ];
    const mixed = { ...chosen, items: rows.map((it, i) => ({ ...it, status: i === 0 ? '0' : '1' })) };
    const { person } = await open({ '/api/sysBtn/queryByMenuNo.json': { data: { items } } }, mixed);
    for (const no of ['CKB1', 'CKB2', 'CKB3']) await person.click(await theRow(no));
    const done = screen.getByRole<HTMLButtonElement>('button', { name: 'Done' });
    expect(done.disabled).toBe(true);
    expect(done.parentElement?.title).toBe('2 of 3: Status is Done');
    expect(screen.getByRole('button', { name: 'One' }).parentElement?.title).toBe('One row only: 3 are selected');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(false);
  });
});
