// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answers, openPage, refuses } from '#app/parts/openPage.tsx';
import DeliverAcceptPage from './DeliverAcceptPage.tsx';
import InitiatePage from './InitiatePage.tsx';
import ReceiverAcceptPage from './ReceiverAcceptPage.tsx';

const BILLS = '/api/rmaStockTransferBill';
const paths = {
  load: `${BILLS}/loadTransfer.json`,
  info: `${BILLS}/querySnInfo.json`,
  deliver: `${BILLS}/deliverAccept.json`,
  attempt: `${BILLS}/attemptReceiverAccept.json`,
  receive: `${BILLS}/receiverAccept.json`,
};
const items = (count: number, snStatus: string, from = 1) =>
  Array.from({ length: count }, (_, i) => ({
    id: from + i,
    sn: snStatus === '0' ? null : `SN000${from + i}`,
    snStatus,
  }));
const transfer = (billStatus: string, site: Partial<Record<'deliverSiteId' | 'receiveSiteId', string>> = {}) => ({
  id: 7,
  sktbId: 'SKT2026112400001',
  billStatus,
  deliverSiteId: 'SZ',
  deliverSiteName: 'Shenzhen',
  receiveSiteId: 'SZ',
  receiveSiteName: 'Shenzhen too',
  count: 3,
  remark: null,
  rmaStockTransferBillLineList: [
    {
      ...{ sktblId: 'SKL1', salesCode: 'RX19', name: 'RX-19', itemType: '0', storageType: '0', count: 2 },
      stockTransferBillLineItemList: items(2, billStatus),
    },
    {
      ...{ sktblId: 'SKL2', salesCode: 'HB19', name: 'Board', itemType: '1', storageType: '1', count: 1 },
      stockTransferBillLineItemList: items(1, billStatus, 3),
    },
  ],
  ...site,
});
/** What the server says of an SN: `HB…` are boards. */
const info = ({ sn }: { sn: string }) => {
  const goods = sn.startsWith('HB')
    ? { salesCode: 'HB19', itemType: '1', storageType: '1' }
    : { salesCode: 'RX19', itemType: '0', storageType: '0' };
  return { sn, ...goods, name: 'goods', subinventoryCode: 'FG', siteId: 'SZ' };
};
const enter = (name: RegExp | string, text: string) => {
  const field = screen.getByLabelText(name, { selector: 'input' });
  fireEvent.change(field, { target: { value: text } });
  fireEvent.keyDown(field, { key: 'Enter' });
};
const scan = (sn: string) => enter('Scan SN', sn);
const verdict = () => document.querySelector('[data-verdict]')?.textContent;
const submit = () => fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
const rows = () => within(screen.getByRole('table', { name: 'Scanned' })).queryAllByText('Checked').length;

describe('the station that delivers a transfer', () => {
  const opens = async (more: Answers = {}, id = '7') => {
    const page = await openPage(<DeliverAcceptPage menuNo="rmaStockTransferBillList" id={id} />, {
      lang: 'en',
      answers: {
        [paths.load]: transfer('0'),
        [paths.info]: info,
        [paths.deliver]: { sktbId: 'SKT2026112400001', billStatus: '1', sentCount: 3 },
        ...more,
      },
    });
    if (id !== '') await screen.findAllByText('SKT2026112400001');
    return page;
  };

  it('asks about an SN by the goods of all lines, and counts it on the line that takes it [S-STK-13, S-STK-15]', async () => {
    const { callsTo } = await opens();
    scan('HB1');
    expect(await screen.findByText('1 / 1')).toBeTruthy();
    expect(callsTo(paths.info)[0]?.input).toMatchObject({
      sn: 'HB1',
      siteId: 'SZ',
      salesCode: 'RX19|HB19',
      itemType: '0|1',
      storageType: '0|1',
    });
  });

  it('refuses one more than a line takes, however fast it is scanned [S-STK-16]', async () => {
    await opens();
    for (const sn of ['RX1', 'RX2', 'RX3']) scan(sn);
    await waitFor(() => expect(verdict()).toContain('The line is already full'));
    expect(rows()).toBe(2);
  });

  it('has room again for what was taken back', async () => {
    const { user } = await opens();
    for (const sn of ['RX1', 'RX2']) scan(sn);
    await waitFor(() => expect(rows()).toBe(2));
    await user.click(screen.getByRole('button', { name: 'Remove RX1' }));
    await waitFor(() => expect(rows()).toBe(1));
    scan('RX4');
    await waitFor(() => expect(rows()).toBe(2));
    expect(verdict()).not.toContain('full');
  });

  it('tells a duplicate, and what the server says of an SN [S-STK-14, S-STK-17]', async () => {
    await opens({
      [paths.info]: (it: { sn: string }) =>
        it.sn === 'RX9' ? refuses('notStore', 'The SN is not at the deliver site') : info(it),
    });
    scan('RX1');
    await waitFor(() => expect(rows()).toBe(1));
    scan('RX1');
    await waitFor(() => expect(verdict()).toContain('Duplicate SN'));
    scan('RX9');
    await waitFor(() => expect(verdict()).toContain('The SN is not at the deliver site'));
  });

  it('sends nothing until every line has its count, then each SN under its line [S-STK-18, S-STK-19]', async () => {
    const { callsTo } = await opens();
    for (const sn of ['RX1', 'RX2']) scan(sn);
    await waitFor(() => expect(rows()).toBe(2));
    submit();
    await waitFor(() => expect(verdict()).toContain('The scanned count differs from the count'));
    expect(callsTo(paths.deliver)).toEqual([]);
    scan('HB1');
    await waitFor(() => expect(rows()).toBe(3));
    submit();
    await waitFor(() => expect(callsTo(paths.deliver)).toHaveLength(1));
    expect(callsTo(paths.deliver)[0]?.input).toEqual({
      sktbId: 'SKT2026112400001',
      deliverSiteId: 'SZ',
      lineList: [
        { sktblId: 'SKL1', snList: ['RX1', 'RX2'] },
        { sktblId: 'SKL2', snList: ['HB1'] },
      ],
    });
    expect(callsTo(paths.deliver)[0]?.key).toBeTruthy();
    await waitFor(() => expect(verdict()).toContain('3 units delivered'));
  });

  it('takes a transfer by its number, and nothing without one', async () => {
    const { callsTo } = await opens({}, '');
    // Before that, what is scanned is the number itself.
    await waitFor(() => expect(document.querySelector('input[data-first]')).toBeTruthy());
    scan('RX1');
    await waitFor(() => expect(verdict()).toContain('load it first'));
    enter('Transfer', 'SKT2026112400001');
    await waitFor(() => expect(screen.getByText('Awaiting delivery entry')).toBeTruthy());
    expect(callsTo(paths.load).map((it) => it.input['sktbId'])).toEqual(['SKT2026112400001']);
    expect(callsTo(paths.info)).toEqual([]);
  });

  it.each([
    ['was delivered', transfer('1'), /is "Awaiting receipt"; this is done only while it is "Awaiting delivery entry"/],
    ['is another site’s to deliver', transfer('0', { deliverSiteId: 'US' }), /done by the people of site Shenzhen/],
  ])('says why nothing can be scanned: it %s [S-STK-11]', async (_, bill, words) => {
    const { callsTo } = await opens({ [paths.load]: bill });
    scan('RX1');
    await waitFor(() => expect(verdict()).toMatch(words));
    submit();
    expect([...callsTo(paths.info), ...callsTo(paths.deliver)]).toEqual([]);
  });
});

describe('the station that receives a transfer', () => {
  const arrived = ({ sn }: { sn: string }) => ({
    id: Number(sn.slice(-1)),
    sn,
    sktblId: 'SKL1',
    salesCode: 'RX19',
    name: 'RX-19',
  });
  const opens = async (more: Answers = {}) => {
    const page = await openPage(<ReceiverAcceptPage menuNo="rmaStockTransferBillList" id="7" />, {
      lang: 'en',
      answers: {
        [paths.load]: transfer('1'),
        [paths.attempt]: arrived,
        [paths.receive]: { sktbId: 'SKT2026112400001', billStatus: '1', receivedCount: 1, remainCount: 2 },
        ...more,
      },
    });
    await screen.findAllByText('SKT2026112400001');
    return page;
  };

  it('signs for a part by the ids of the items [S-STK-20, S-STK-21]', async () => {
    const { callsTo } = await opens();
    expect(screen.getByText('3 still to scan')).toBeTruthy();
    scan('SN0002');
    expect(await screen.findByText('2 still to scan')).toBeTruthy();
    submit();
    await waitFor(() => expect(callsTo(paths.receive)).toHaveLength(1));
    expect(callsTo(paths.receive)[0]?.input).toEqual({ sktbId: 'SKT2026112400001', receiveSiteId: 'SZ', idList: [2] });
    await waitFor(() => expect(verdict()).toContain('1 unit received, 2 left'));
  });

  it('tells an SN that does not match, and sends nothing with nothing scanned [S-STK-20]', async () => {
    const { callsTo } = await opens({ [paths.attempt]: refuses('snMismatch', 'The SN does not match') });
    scan('SN0009');
    await waitFor(() => expect(verdict()).toContain('The SN does not match'));
    submit();
    await waitFor(() => expect(verdict()).toContain('must not be empty'));
    expect(callsTo(paths.receive)).toEqual([]);
  });
});

describe('the making of a transfer', () => {
  const opens = (more: Answers = {}) =>
    openPage(<InitiatePage menuNo="rmaStockTransferBillList" />, {
      lang: 'en',
      answers: {
        [`${BILLS}/getSiteList.json`]: {
          ubsSiteList: [
            { btmId: 1, siteId: 'SZ', name: 'Shenzhen' },
            { btmId: 2, siteId: 'NB', name: 'Ningbo' },
          ],
        },
        [`${BILLS}/getSaleCodeList.json`]: { saleCodeList: [{ salesCode: 'HB19', name: 'Board', itemType: '1' }] },
        [`${BILLS}/initiate.json`]: { id: 9, sktbId: 'SKT2026112400009', count: 5 },
        ...more,
      },
    });
  const fill = (name: string, value: string) =>
    fireEvent.change(screen.getByRole(name === 'Count' ? 'textbox' : 'combobox', { name: new RegExp(`^${name}`) }), {
      target: { value },
    });
  const choose = async (user: Awaited<ReturnType<typeof opens>>['user'], name: string, option: string) => {
    await user.click(screen.getByRole('combobox', { name: new RegExp(`^${name}`) }));
    await user.click(await screen.findByRole('option', { name: option }));
  };

  it('adds no line that lacks something [S-STK-02, S-STK-04]', async () => {
    const { user } = await opens();
    await user.click(await screen.findByRole('button', { name: 'Add line' }));
    expect(screen.getAllByText('The required fields must not be empty').length).toBeGreaterThan(0);
    fill('Sales code', 'HB19');
    await user.click(screen.getByRole('button', { name: 'Add line' }));
    expect(screen.getByText('No lines yet')).toBeTruthy();
  });

  it('sends both sites and the merged lines with the names of their types [S-STK-02, S-STK-03, S-STK-06, S-STK-08]', async () => {
    const { user, callsTo } = await opens();
    await screen.findByRole('button', { name: 'Add line' });
    for (const count of ['2', '3']) {
      fill('Sales code', 'hb19');
      await screen.findByText('Board', { selector: 'p' });
      fill('Count', count);
      fireEvent.keyDown(screen.getByRole('textbox', { name: /^Count/ }), { key: 'Enter' });
    }
    const table = await screen.findByRole('table', { name: 'Lines' });
    expect(within(table).getAllByRole('row')).toHaveLength(2);
    expect(within(table).getByText('Semi-finished')).toBeTruthy();
    submit();
    // Without a receiving site nothing is sent.
    expect(await screen.findByText('The required fields must not be empty')).toBeTruthy();
    expect(callsTo(`${BILLS}/initiate.json`)).toEqual([]);
    await choose(user, 'Receiving site', 'Ningbo');
    await user.type(screen.getByRole('textbox', { name: /Remark/ }), 'spare');
    submit();
    await waitFor(() => expect(callsTo(`${BILLS}/initiate.json`)).toHaveLength(1));
    expect(callsTo(`${BILLS}/initiate.json`)[0]?.input).toEqual({
      deliverSiteId: 'SZ',
      receiveSiteId: 'NB',
      remark: 'spare',
      rmaStockTransferLineRequestList: [
        {
          salesCode: 'HB19',
          itemType: '1',
          itemTypeName: 'Semi-finished',
          storageType: '0',
          storageTypeName: 'Good',
          count: 5,
          remark: '',
        },
      ],
    });
  });

  it('needs both sites, which differ, and lines [S-STK-05]', async () => {
    const { user, callsTo } = await opens();
    await screen.findByRole('button', { name: 'Add line' });
    submit();
    await waitFor(() => expect(screen.getAllByText('The required fields must not be empty').length).toBeGreaterThan(0));
    await choose(user, 'Receiving site', 'Shenzhen');
    fill('Sales code', 'HB19');
    fill('Count', '1');
    await screen.findByText('Board', { selector: 'p' });
    submit();
    expect(await screen.findByText('Add the line you have entered first, or clear it')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Add line' }));
    submit();
    expect(await screen.findByText(/must differ/)).toBeTruthy();
    expect(callsTo(`${BILLS}/initiate.json`)).toEqual([]);
  });
});
