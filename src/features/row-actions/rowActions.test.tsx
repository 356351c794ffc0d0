// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
// Compiled ahead, so that no test waits for it.
import '#app/engine/ListPage.tsx';
import { renderApp, user } from '#app/testing/renderApp.tsx';
import { styleOf } from '#app/testing/styles.ts';

/** A list of one module with these buttons and rows, as the server gives it. */
function listOf(module: string, buttons: object[], items: object[], more: object = {}) {
  const columns = Object.keys(items[0] ?? {})
    .filter((it) => it !== 'id' && it !== 'version')
    .map((name) => ({ name, label: name, type: 'String' }));
  const title = Object.fromEntries(columns.map((it) => [it.name, it.label]));
  return {
    '/api/sysMenu/queryTree.json': {
      data: { items: [{ menuNo: `${module}List`, menuName: module, module, children: [] }] },
    },
    '/api/userInfo.json': { data: { ...user, access: [`${module}List`, `${module}:list`] } },
    [`/api/${module}/searchItems.json`]: { data: { items: [] } },
    '/api/sysBtn/queryByMenuNo.json': { data: { items: buttons } },
    [`/api/${module}/pager.json`]: { data: { title, items, itemTotal: items.length, tableName: module, columns } },
    ...more,
  };
}
const button = (script: string, btnName: string, more: object = {}) => ({
  id: script,
  btnNo: script,
  btnName,
  btnScript: script,
  rows: 1,
  ...more,
});

describe('a single-row action', () => {
  const answers = (more: object = {}) =>
    listOf('rmaStockupBill', [button('stopStockupBill', 'Stop')], [{ id: 7, version: 3, skbId: 'SKB1', status: '0' }], {
      '/api/rmaStockupBill/stopStockupBill.json': { data: { id: 7, skbId: 'SKB1', status: '3' } },
      ...more,
    });

  it('asks first; cancelled, it sends nothing', async () => {
    const { server, person } = await renderApp('/rmaStockupBillList', { answers: answers() });
    await person.click(await screen.findByText('SKB1'));
    await person.click(await screen.findByRole('button', { name: 'Stop' }));
    const dialog = await screen.findByRole('dialog', { name: /Stop · SKB1/ });
    await person.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.calls('/api/rmaStockupBill/stopStockupBill.json')).toEqual([]);
  });

  it('sends the row’s id when it is confirmed, and the list is read again [P-BTN-07]', async () => {
    const { server, person } = await renderApp('/rmaStockupBillList', { answers: answers() });
    await person.click(await screen.findByText('SKB1'));
    await person.click(await screen.findByRole('button', { name: 'Stop' }));
    const dialog = await screen.findByRole('dialog', { name: /Stop · SKB1/ });
    const read = server.calls('/api/rmaStockupBill/pager.json').length;
    await person.click(within(dialog).getByRole('button', { name: 'Stop' }));
    expect(await screen.findByText('Stop: done')).toBeDefined();
    const [call] = server.calls('/api/rmaStockupBill/stopStockupBill.json');
    expect(call).toMatchObject({ method: 'GET', query: { id: '7', version: '3' } });
    expect(call?.headers.get('idempotency-key')).toBeTruthy();
    await waitFor(() => expect(server.calls('/api/rmaStockupBill/pager.json').length).toBeGreaterThan(read));
  });

  it('says why it was refused', async () => {
    const no = { key: 'billFinished', msg: 'Bill SKB1 is finished' };
    const { person } = await renderApp('/rmaStockupBillList', {
      answers: answers({ '/api/rmaStockupBill/stopStockupBill.json': no }),
    });
    await person.click(await screen.findByText('SKB1'));
    await person.click(await screen.findByRole('button', { name: 'Stop' }));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop' }));
    expect(await screen.findByText('Reason: Bill SKB1 is finished')).toBeDefined();
  });

  it('needs its fields: without them it says so and sends nothing [P-BTN-05]', async () => {
    const rows = [{ id: 1, name: 'nameless', salesCode: null }];
    const { server, person } = await renderApp('/ubsItemList', {
      answers: listOf('ubsItem', [button('syncCode', 'Sync code')], rows),
    });
    await person.click(await screen.findByText('nameless'));
    await person.click(await screen.findByRole('button', { name: 'Sync code' }));
    expect(await screen.findByText('The required fields must not be empty')).toBeDefined();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(server.calls('/api/ubsItem/syncCode.json')).toEqual([]);
  });

  it.each([
    ['rmaMaintainBill', { id: 1, mtbId: 'MTB1' }, { mtbId: 'MTB1' }],
    ['rmaMaintainBillLine', { id: 1, mtblId: 'MBL1', mtbId: 'MTB1' }, { mtblId: 'MBL1' }],
  ])('of %s syncs to the website by its own number [P-BTN-09]', async (module, row, body) => {
    const path = `/api/${module}/syncToWeb.json`;
    const { server, person } = await renderApp(`/${module}List`, {
      answers: listOf(module, [button('syncToWeb', 'Sync')], [row], { [path]: { data: { syncTime: 1 } } }),
    });
    await person.click(await screen.findByText('MTB1'));
    await person.click(await screen.findByRole('button', { name: 'Sync' }));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sync' }));
    await waitFor(() => expect(server.calls(path)).toHaveLength(1));
    expect(server.calls(path)[0]?.method).toBe('POST');
    expect(JSON.parse(server.calls(path)[0]?.body ?? '')).toEqual(body);
  });

  it.each(['sendSwitch', 'done'])('%s is called under its module for the row [P-BTN-06]', async (script) => {
    const module = 'icopFtWorkOrder';
    const path = `/api/${module}/${script}.json`;
    const { server, person } = await renderApp(`/${module}List`, {
      answers: listOf(module, [button(script, 'Act')], [{ id: 5, wipId: 'N1', version: 3 }], { [path]: { data: {} } }),
    });
    await person.click(await screen.findByText('N1'));
    await person.click(await screen.findByRole('button', { name: 'Act' }));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Act' }));
    await waitFor(() => expect(server.calls(path)).toMatchObject([{ query: { id: '5', version: '3' } }]));
  });
});

describe('the rollback modal', () => {
  const rows = [
    { id: 3, sn: 'SN-A', operateStatus: 'Normal' },
    { id: 4, sn: 'SN-B', operateStatus: 'Rollbacked' },
  ];
  const answers = (module: string) =>
    listOf(module, [button('rollback', 'Roll back')], rows, {
      [`/api/${module}/rollbackById.json`]: { data: { id: 3 } },
    });

  it.each(['rmaTransaction', 'icopTransaction'])(
    'of %s takes a remark and sends it with the id [P-MOD-01, P-MOD-02]',
    async (module) => {
      const path = `/api/${module}/rollbackById.json`;
      const { server, person } = await renderApp(`/${module}List`, { answers: answers(module) });
      await person.click(await screen.findByText('SN-A'));
      await person.click(await screen.findByRole('button', { name: 'Roll back' }));
      const dialog = await screen.findByRole('dialog', { name: 'Roll back · SN-A' });
      await person.click(within(dialog).getByRole('button', { name: 'Roll back' }));
      expect(within(dialog).getByText('The required fields must not be empty')).toBeDefined();
      expect(server.calls(path)).toEqual([]);
      await person.type(within(dialog).getByRole('textbox', { name: /Remark/ }), 'wrong SN');
      await person.click(within(dialog).getByRole('button', { name: 'Roll back' }));
      await waitFor(() => expect(server.calls(path)).toHaveLength(1));
      expect(server.calls(path)[0]).toMatchObject({ method: 'GET', query: { id: '3', remark: 'wrong SN' } });
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    },
  );

  it('closes without a call when it is cancelled', async () => {
    const { server, person } = await renderApp('/rmaTransactionList', { answers: answers('rmaTransaction') });
    await person.click(await screen.findByText('SN-A'));
    await person.click(await screen.findByRole('button', { name: 'Roll back' }));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.calls('/api/rmaTransaction/rollbackById.json')).toEqual([]);
  });

  it.each([
    ['en', 'the transaction has been rolled back, repeat not allowed', 'Roll back'],
    ['zh', '该事务已回滚，不能重复回滚', 'Roll back'],
  ] as const)(
    'is refused on the screen for a transaction that was rolled back, in %s [P-MOD-03]',
    async (language, text, name) => {
      const { server, person } = await renderApp('/rmaTransactionList', {
        answers: answers('rmaTransaction'),
        language,
      });
      await person.click(await screen.findByText('SN-B'));
      await person.click(await screen.findByRole('button', { name }));
      expect(await screen.findByText(text)).toBeDefined();
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(server.calls('/api/rmaTransaction/rollbackById.json')).toEqual([]);
    },
  );
});

/** Chooses an option of a select. */
async function choose(person: Awaited<ReturnType<typeof renderApp>>['person'], label: RegExp, option: string) {
  await person.click(screen.getByRole('combobox', { name: label }));
  await person.click(await screen.findByRole('option', { name: option }));
}
const optionsOf = async (person: Awaited<ReturnType<typeof renderApp>>['person'], label: RegExp) => {
  await person.click(screen.getByRole('combobox', { name: label }));
  const found = (await screen.findAllByRole('option')).map((it) => it.textContent);
  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
  return found;
};

describe('the edit modals', () => {
  it('modify a repair node: the nine nodes and an SN, which the selected row fills in [P-MOD-04, P-ENU-09]', async () => {
    const path = '/api/rmaInventory/modifyIvyId.json';
    const { server, person } = await renderApp('/rmaInventoryList', {
      answers: listOf(
        'rmaInventory',
        [button('modifyIvyId', 'Modify node', { rows: undefined })],
        [{ id: 1, sn: 'SN-A' }],
        {
          [path]: { data: { sn: 'SN-A', ivyId: '60', billStatus: '1' } },
        },
      ),
    });
    await person.click(await screen.findByText('SN-A'));
    await person.click(await screen.findByRole('button', { name: 'Modify node' }));
    await screen.findByRole('dialog', { name: 'Modify node' });
    expect(screen.getByRole('textbox', { name: /SN/ })).toHaveProperty('value', 'SN-A');
    expect(await optionsOf(person, /Repair node/)).toEqual([
      'Awaiting initial test',
      'Scrapped or discarded',
      'Awaiting repair',
      'Awaiting assembly',
      'Awaiting test',
      'Awaiting inspection',
      'Awaiting storage',
      'Can ship',
      'Shipped',
    ]);
    await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Modify node' }));
    expect(server.calls(path)).toEqual([]);
    await choose(person, /Repair node/, 'Awaiting assembly');
    await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Modify node' }));
    await waitFor(() => expect(server.calls(path)).toHaveLength(1));
    expect(JSON.parse(server.calls(path)[0]?.body ?? '')).toMatchObject({ sn: 'SN-A', ivyId: '60' });
  });

  it('edit a delivery by the four lists [P-MOD-05, P-ENU-09]', async () => {
    const path = '/api/rmaMaintainBillLineItem/editDeliver.json';
    const row = {
      id: 9,
      receiveSn: 'SN-A',
      deliverStatus: '0',
      deliverPriority: '0',
      deliverPayment: '0',
      returness: '0',
    };
    const { server, person } = await renderApp('/rmaMaintainBillLineItemList', {
      answers: listOf('rmaMaintainBillLineItem', [button('editDeliver', 'Edit delivery')], [row], {
        [path]: { data: { id: 9, deliverStatus: '0', deliverPriority: '2', stockup: '0' } },
      }),
    });
    await person.click(await screen.findByText('SN-A'));
    await person.click(await screen.findByRole('button', { name: 'Edit delivery' }));
    await screen.findByRole('dialog', { name: /Edit delivery · SN-A/ });
    expect(await optionsOf(person, /Delivery status/)).toEqual([
      'Cannot ship',
      'Can ship',
      'Shipped',
      'Scrapped',
      'Bought out',
    ]);
    expect(await optionsOf(person, /Priority/)).toEqual(['Normal', 'Priority', 'Paused']);
    expect(await optionsOf(person, /Payment/)).toEqual(['Sender pays', 'Collect']);
    expect(await optionsOf(person, /Unrepaired devices/)).toEqual(['Not returned', 'Returned']);
    await choose(person, /Priority/, 'Paused');
    await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Edit delivery' }));
    await waitFor(() => expect(server.calls(path)).toHaveLength(1));
    expect(JSON.parse(server.calls(path)[0]?.body ?? '')).toEqual({
      id: '9',
      deliverStatus: '0',
      deliverPriority: '2',
      deliverPayment: '0',
      returness: '0',
    });
  });

  it('edit the status of a pending package [P-MOD-06]', async () => {
    const path = '/api/rmaUnhandledPackageBill/editInSiteStatus.json';
    const { server, person } = await renderApp('/rmaUnhandledPackageBillList', {
      answers: listOf(
        'rmaUnhandledPackageBill',
        [button('editInSiteStatus', 'Edit status')],
        [{ id: 2, upbId: 'UPB1', status: '0' }],
        {
          [path]: { data: { id: 2, status: '2', mtbId: null } },
        },
      ),
    });
    await person.click(await screen.findByText('UPB1'));
    await person.click(await screen.findByRole('button', { name: 'Edit status' }));
    await screen.findByRole('dialog', { name: /Edit status · UPB1/ });
    await choose(person, /Status/, 'Returned to sender');
    await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Edit status' }));
    await waitFor(() => expect(server.calls(path)).toHaveLength(1));
    expect(JSON.parse(server.calls(path)[0]?.body ?? '')).toEqual({ id: '2', status: '2' });
  });

  it('edit the status of a work order, and say a refusal where it arose [P-MOD-07]', async () => {
    const path = '/api/icopFtWorkOrder/editBillStatus.json';
    const { server, person } = await renderApp('/icopFtWorkOrderList', {
      answers: listOf(
        'icopFtWorkOrder',
        [button('editBillStatus', 'Edit status')],
        [{ id: 2, version: 8, workOrderNo: 'FTO1', billStatus: '0' }],
        {
          [path]: { key: 'billState', msg: 'Bill FTO1 is "Draft"' },
        },
      ),
    });
    await person.click(await screen.findByText('FTO1'));
    await person.click(await screen.findByRole('button', { name: 'Edit status' }));
    const dialog = await screen.findByRole('dialog', { name: /Edit status · FTO1/ });
    expect(await optionsOf(person, /Status/)).toEqual(['Sent', 'Cancelled']);
    await choose(person, /Status/, 'Sent');
    await person.click(within(dialog).getByRole('button', { name: 'Edit status' }));
    expect(await within(dialog).findByText('Bill FTO1 is "Draft"')).toBeDefined();
    expect(JSON.parse(server.calls(path)[0]?.body ?? '')).toEqual({ id: '2', version: 8, billStatus: '1' });
  });

  it.each(['stale', 'billState', 'rowState', 'onlyWhile'])(
    'offer the steps of a work order as it stands once it was looked at again (%s)',
    async (key) => {
      const path = '/api/icopFtWorkOrder/editBillStatus.json';
      const fields = [{ name: 'billStatus', queryName: 'billStatus', label: 'Status', type: 'String' }];
      const now = { id: 2, version: 9, workOrderNo: 'FTO1', billStatus: '1', view: { fields, labels: {} } };
      const { server, person } = await renderApp('/icopFtWorkOrderList', {
        answers: listOf(
          'icopFtWorkOrder',
          [button('editBillStatus', 'Edit status')],
          [{ id: 2, version: 8, workOrderNo: 'FTO1', billStatus: '0' }],
          {
            [path]: { key, msg: 'Somebody else has changed it' },
            '/api/icopFtWorkOrder/queryById.json': { data: now },
          },
        ),
      });
      await person.click(await screen.findByText('FTO1'));
      await person.click(await screen.findByRole('button', { name: 'Edit status' }));
      const dialog = await screen.findByRole('dialog', { name: /Edit status · FTO1/ });
      await choose(person, /Status/, 'Sent');
      await person.click(within(dialog).getByRole('button', { name: 'Edit status' }));
      await person.click(await within(dialog).findByRole('button', { name: 'Look again' }));
      expect(within(dialog).getByRole('button', { name: 'Edit status' })).toHaveProperty('disabled', true);
      expect(await optionsOf(person, /Status/)).toEqual(['Draft', 'Done', 'Cancelled']);
      await choose(person, /Status/, 'Cancelled');
      await person.click(within(dialog).getByRole('button', { name: 'Edit status' }));
      await waitFor(() => expect(server.calls(path)).toHaveLength(2));
      expect(JSON.parse(server.calls(path)[1]?.body ?? '')).toEqual({ id: '2', version: 9, billStatus: '4' });
    },
  );

  it('edit a site by the sites there are, in a modal 800 wide [P-MOD-08, P-FRM-13]', async () => {
    const path = '/api/rmaMaintainBill/updateSiteId.json';
    const sites = {
      items: [
        { id: 1, siteId: 'SZ', siteName: 'Shenzhen' },
        { id: 2, siteId: 'NB', siteName: 'Ningbo' },
      ],
    };
    const { server, person } = await renderApp('/rmaMaintainBillList', {
      answers: listOf(
        'rmaMaintainBill',
        [button('updateSiteId', 'Edit site')],
        [{ id: 2, mtbId: 'MTB1', siteId: 'SZ' }],
        {
          '/api/ubsSite/pager.json': { data: sites },
          [path]: { data: { id: 2, mtbId: 'MTB1', siteId: 'NB' } },
        },
      ),
    });
    await person.click(await screen.findByText('MTB1'));
    await person.click(await screen.findByRole('button', { name: 'Edit site' }));
    const dialog = await screen.findByRole('dialog', { name: /Edit site · MTB1/ });
    expect(styleOf(dialog).maxWidth).toBe('800px');
    await waitFor(async () => expect(await optionsOf(person, /Repair site/)).toEqual(['Shenzhen', 'Ningbo']));
    await choose(person, /Repair site/, 'Ningbo');
    await person.click(within(dialog).getByRole('button', { name: 'Edit site' }));
    await waitFor(() => expect(server.calls(path)).toHaveLength(1));
    expect(JSON.parse(server.calls(path)[0]?.body ?? '')).toEqual({ id: '2', siteId: 'NB' });
  });
});
