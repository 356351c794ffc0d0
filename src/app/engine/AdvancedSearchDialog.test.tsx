// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { currentToken, expireSession, openSession } from '#app/session.ts';
import { renderApp } from '#app/testing/renderApp.tsx';

const list = {
  title: { no: 'Bill', status: 'Status', day: 'Day', count: 'Count', shipId: 'Carrier' },
  items: [{ id: 1, no: 'CKB1' }],
  itemTotal: 1,
  tableName: 'Check bills',
};
const SEARCH = '/api/rmaCheckBill/advancedSearch.json';
/** The builder's store measures itself, and warns of a machine that has much to do. */
function ignoreSlowness(): void {
  const { warn } = console;
  vi.spyOn(console, 'warn').mockImplementation((...said: unknown[]) => {
    if (!String(said[0]).includes('Middleware took')) warn(...said);
  });
}

async function open() {
  ignoreSlowness();
  const app = await renderApp('/rmaCheckBillList', {
    answers: {
      '/api/rmaCheckBill/pager.json': { data: list },
      '/api/rmaCheckBill/searchItems.json': { data: { items: [{ name: 'Bill', queryName: 'no', type: 'String' }] } },
      '/api/sysBtn/queryByMenuNo.json': { data: { items: [] } },
      '/api/rmaCheckBill/toAdvancedSearch.json': {
        data: {
          title: list.title,
          relations: {
            LIKE: 'contains',
            EQUAL_TO: 'equals',
            LESS_THAN: 'is less than',
            IN: 'is one of',
            IS_NULL: 'is empty',
          },
          columns: [
            { name: 'no', type: 'String', relations: ['EQUAL_TO', 'LIKE', 'IN', 'IS_NULL'] },
            {
              name: 'status',
              type: 'select',
              relations: ['EQUAL_TO', 'IN', 'IS_NULL'],
              options: [
                { value: '1', optionName: 'Open' },
                { value: '2', optionName: 'Done' },
              ],
            },
            { name: 'day', type: 'date', relations: ['EQUAL_TO', 'LESS_THAN', 'IS_NULL'] },
            { name: 'count', type: 'Integer', relations: ['EQUAL_TO', 'LESS_THAN', 'IS_NULL'] },
            {
              name: 'shipId',
              type: 'select',
              relations: ['EQUAL_TO'],
              more: true,
              options: [{ value: 'SF', optionName: 'SF Express' }],
            },
          ],
        },
      },
      '/api/rmaCheckBill/options.json': ({ query }) => ({
        data: {
          options:
            query['search'] === 'yel' && query['all'] === 'true' ? [{ value: 'YL', optionName: 'Yellow Truck' }] : [],
        },
      }),
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
  it('is there again after a lost session with its conditions', async () => {
    const { person, path, press, rules } = await open();
    await press('Add condition');
    await person.type(within(rules()[0] as HTMLElement).getByLabelText('Value'), 'CKB2');
    await act(async () => expireSession(currentToken.get()));
    await screen.findByAltText('Captcha picture');
    await act(async () => openSession('second'));
    await waitFor(() => expect(path()).toBe('/rmaCheckBillList'));
    expect(await screen.findByRole('button', { name: 'Define' })).toBeTruthy();
    expect(within(rules()[0] as HTMLElement).getByLabelText<HTMLInputElement>('Value').value).toBe('CKB2');
  });

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
    expect(within(rules()[0] as HTMLElement).getByLabelText<HTMLInputElement>('Value').value).toBe('');
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
    expect(await screen.findByText('Bill equals CKB2')).toBeTruthy();
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
    expect(screen.queryByRole('group', { name: 'Applied' })).toBeNull();
  });

  const choose = async (app: Awaited<ReturnType<typeof open>>, rule: number, box: number, name: string) => {
    const boxes = within(app.rules()[rule] as HTMLElement).getAllByRole('combobox');
    await app.person.click(boxes[box] as HTMLElement);
    await app.person.click(await screen.findByRole('option', { name }));
  };
  const sent = (app: Awaited<ReturnType<typeof open>>) =>
    (JSON.parse(app.server.calls(SEARCH)[0]?.body ?? '') as { adminAdvancedSearchGroup: object })
      .adminAdvancedSearchGroup;

  it('asks for each column with the relations and the input that fit it', async () => {
    const app = await open();
    for (let i = 0; i < 4; i++) await app.press('Add condition');
    await choose(app, 0, 0, 'Status');
    await app.person.click(within(app.rules()[0] as HTMLElement).getAllByRole('combobox')[1] as HTMLElement);
    expect((await screen.findAllByRole('option')).map((it) => it.textContent)).toEqual([
      'equals',
      'is one of',
      'is empty',
    ]);
    await app.person.click(screen.getByRole('option', { name: 'is one of' }));
    await choose(app, 0, 2, 'Open');
    await app.person.click(await screen.findByRole('option', { name: 'Done' }));
    await app.person.keyboard('{Escape}');
    await choose(app, 1, 0, 'Day');
    const value = (rule: number) => within(app.rules()[rule] as HTMLElement).getByLabelText<HTMLInputElement>('Value');
    expect(value(1).placeholder).toBe('yyyy-MM-dd');
    await app.person.type(value(1), '2026-11-21');
    await choose(app, 2, 0, 'Count');
    await choose(app, 2, 1, 'is empty');
    expect(within(app.rules()[2] as HTMLElement).queryByLabelText('Value')).toBeNull();
    await choose(app, 3, 0, 'Carrier');
    await app.person.type(value(3), 'yel');
    await app.person.click(await screen.findByRole('option', { name: 'Yellow Truck' }));
    await app.press('Define');
    await waitFor(() => expect(app.server.calls(SEARCH)).toHaveLength(1));
    expect(sent(app)).toMatchObject({
      rules: [
        { column: 'status', relation: 'IN', value: '1,2' },
        { column: 'day', relation: 'EQUAL_TO', value: String(new Date(2026, 10, 21).getTime()) },
        { column: 'count', relation: 'IS_NULL', value: '' },
        { column: 'shipId', relation: 'EQUAL_TO', value: 'YL' },
      ],
    });
  });

  it('edits the rules of a group as those outside of it, joined by the group’s own connector [P-ADV-05]', async () => {
    const app = await open();
    await app.press('Add condition');
    await app.press('Add group');
    await app.press('Add condition', 1);
    await choose(app, 1, 0, 'Count');
    await app.person.type(within(app.rules()[1] as HTMLElement).getByLabelText('Value'), '5');
    const connectors = () => screen.getAllByRole('combobox', { name: 'Connector' });
    expect(connectors().map((it) => it.textContent)).toEqual(['AND', 'AND']);
    for (const it of connectors()) {
      await app.person.click(it);
      await app.person.click(await screen.findByRole('option', { name: 'OR' }));
    }
    await app.press('Define');
    await waitFor(() => expect(app.server.calls(SEARCH)).toHaveLength(1));
    expect(sent(app)).toMatchObject({
      connector: 'AND',
      rules: [{ column: 'no' }],
      groups: [
        {
          connector: 'OR',
          rules: [
            { connector: 'AND', column: 'count', value: '5' },
            { connector: 'OR', column: 'no', relation: 'EQUAL_TO' },
          ],
        },
      ],
    });
  });
});
