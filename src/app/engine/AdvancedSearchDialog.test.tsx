// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderApp } from '#app/testing/renderApp.tsx';

const list = {
  title: { no: 'Bill', status: 'Status' },
  items: [{ id: 1, no: 'CKB1' }],
  itemTotal: 1,
  tableName: 'Check bills',
};
const SEARCH = '/api/rmaCheckBill/advancedSearch.json';

async function open() {
  const app = await renderApp('/rmaCheckBillList', {
    answers: {
      '/api/rmaCheckBill/pager.json': { data: list },
      '/api/rmaCheckBill/searchItems.json': { data: { items: [{ name: 'Bill', queryName: 'no', type: 'String' }] } },
      '/api/sysBtn/queryByMenuNo.json': { data: { items: [] } },
      '/api/rmaCheckBill/toAdvancedSearch.json': {
        data: { title: list.title, relations: { LIKE: 'contains', EQUAL_TO: 'equals', IS_NULL: 'is empty' } },
      },
      [SEARCH]: { data: { ...list, items: [{ id: 2, no: 'CKB2' }] } },
    },
  });
  const openBuilder = async () => {
    await app.person.click(await screen.findByRole('button', { name: 'Advanced search' }));
    await screen.findByRole('button', { name: 'Define' });
  };
  await openBuilder();
  const press = (name: string, nth = 0) =>
    app.person.click(screen.getAllByRole('button', { name })[nth] as HTMLElement);
  const rules = () => screen.queryAllByTestId('rule');
  return { ...app, openBuilder, press, rules };
}

describe('the advanced search', () => {
  it('builds conditions and groups from the server’s columns and relations [P-ADV-01] [P-ADV-02] [P-ADV-03] [P-ADV-06] [P-ADV-07]', async () => {
    const { server, press, rules } = await open();
    expect(server.calls('/api/rmaCheckBill/toAdvancedSearch.json')).toHaveLength(1);
    expect(rules()).toHaveLength(0);
    await press('Add condition');
    expect(rules()).toHaveLength(1);
    expect(
      within(rules()[0] as HTMLElement)
        .getAllByRole('combobox')
        .map((it) => it.textContent),
    ).toEqual(['Bill', 'equals']);
    expect((within(rules()[0] as HTMLElement).getByLabelText('Value') as HTMLInputElement).value).toBe('');
    await press('Add condition');
    await press('Add group');
    expect(rules()).toHaveLength(3);
    expect(screen.getAllByText('AND').length).toBeGreaterThanOrEqual(2);
    expect(screen.getByRole('button', { name: 'Delete group' })).toBeTruthy();
  });

  it('takes away one condition, or a group with all of its own [P-ADV-08]', async () => {
    const { press, rules } = await open();
    await press('Add condition');
    await press('Add group');
    await press('Add condition', 1);
    expect(rules()).toHaveLength(3);
    await press('Delete group');
    expect(rules()).toHaveLength(1);
    await press('Delete condition');
    expect(rules()).toHaveLength(0);
  });

  it('asks the server by them, shows what it answers, and opens empty again [P-ADV-04] [P-ADV-10] [P-ADV-11]', async () => {
    const { server, person, press, rules, openBuilder } = await open();
    await press('Add condition');
    await person.type(within(rules()[0] as HTMLElement).getByLabelText('Value'), 'CKB2');
    await press('Define');
    expect(await screen.findByText('CKB2')).toBeTruthy();
    expect(server.calls(SEARCH)[0]?.query).toEqual({ pageStart: '0', pageCount: '10', lang: 'en' });
    expect(JSON.parse(server.calls(SEARCH)[0]?.body ?? '')).toEqual({
      adminAdvancedSearchGroup: {
        connector: 'AND',
        rules: [{ connector: 'AND', column: 'no', relation: 'EQUAL_TO', value: 'CKB2' }],
        groups: [],
      },
    });
    expect(screen.getByText('1 advanced conditions')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Define' })).toBeNull());
    await openBuilder();
    expect(rules()).toHaveLength(0);
    await press('Add condition');
    await press('Cancel');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Define' })).toBeNull());
    await openBuilder();
    expect(rules()).toHaveLength(0);
  });

  it('accepts a condition without a value, and no condition at all [P-ADV-12]', async () => {
    const { server, press, openBuilder } = await open();
    await press('Add condition');
    await press('Define');
    await waitFor(() => expect(server.calls(SEARCH)).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Define' })).toBeNull());
    await openBuilder();
    await press('Define');
    await waitFor(() => expect(server.calls('/api/rmaCheckBill/pager.json').length).toBeGreaterThan(1));
    expect(screen.queryByText('1 advanced conditions')).toBeNull();
  });
});
