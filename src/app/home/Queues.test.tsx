// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { expectComplaints, renderApp, user } from '#app/testing/renderApp.tsx';

// What draws needs a real browser.
vi.mock('#app/parts/Chart.tsx', () => ({
  default: ({ label }: { label: string }) => <div role="img" aria-label={label} />,
}));

const hour = 3_600_000;
const item = {
  id: 7,
  no: 'SN0007',
  type: '0',
  what: 'RX-19',
  mtbId: 'MTB1',
  amount: null,
  currency: null,
  picture: null,
};
const repair = () => ({
  ...{ name: 'rmaRepairBill:repair', label: 'Units to repair', count: 1234, limitHours: 48 },
  ...{ waiting: { short: 1000, days: 200, long: 34 }, oldest: Date.now() - 123.5 * hour },
  items: [{ ...item, since: Date.now() - 123.5 * hour }],
});
const review = () => ({
  ...{ name: 'rmaPriceBill:financialReview', label: 'Price bills to review', count: 1, limitHours: 72 },
  ...{ waiting: { short: 1, days: 0, long: 0 }, oldest: Date.now() - 3 * hour },
  items: [{ ...item, no: 'PRB1', since: Date.now() - 3 * hour, amount: '1234.500000', currency: 'CNY' }],
});
const scrap = () => ({
  ...{ name: 'rmaScrapConfirm:scrapConfirm', label: 'Scrap proposals', count: 1, limitHours: 72 },
  ...{ waiting: { short: 1, days: 0, long: 0 }, oldest: Date.now() },
  items: [{ ...item, since: Date.now(), picture: '/file/0123.jpg' }],
});
const none = { count: 0, waiting: { short: 0, days: 0, long: 0 }, oldest: null, items: [] };

const coins = [{ value: 'BTC', optionName: 'Bitcoin', selected: true }];
const home = (rights: string[], queues: object[], hashRate: object | null = null) =>
  renderApp('/home', {
    answers: {
      '/api/userInfo.json': { data: { ...user, access: ['*:list', ...rights] } },
      '/api/workQueue.json': { data: { queues } },
      '/api/dashBoard.json': { data: { coins, hashRate, cards: [], turnaround: [], returns: [] } },
      '/api/rmaInventory/searchItems.json': { data: { items: [] } },
    },
  });
const rows = async () =>
  within(await screen.findByRole('region', { name: 'Waiting for you' })).findAllByRole('listitem');

describe('the queues of home', () => {
  it('say how many wait, how long, and the oldest, in the order of the server; one press begins', async () => {
    await home(['rmaRepairBill:repair', 'rmaPriceBill:financialReview'], [repair(), review()]);
    await screen.findByText('Price bills to review');
    const [first, second] = await rows();
    expect(first?.textContent).toBe('Units to repair1,234Oldest 5 d 3 h · limit 2 dSN00075 d 3 h · RX-19Begin');
    expect(
      within(first as HTMLElement)
        .getByRole('img')
        .getAttribute('aria-label'),
    ).toBe('under 1 day 1000, 1–3 days 200, over 3 days 34');
    const links = (row?: HTMLElement) =>
      within(row as HTMLElement)
        .getAllByRole('link')
        .map((it) => it.getAttribute('href'));
    expect(links(first)).toEqual(['/rmaRepairBillList/repair?sn=SN0007', '/rmaRepairBillList/repair']);
    expect(second?.textContent).toContain('¥1,234.50 · 3 h · RX-19');
    expect(links(second)).toEqual(['/rmaPriceBillList/financialReview/7', '/rmaPriceBillList/financialReview/7']);
  });

  it('open just the rows that they count, and say so where no list shows these', async () => {
    const module = 'rmaInventory';
    await renderApp('/home', {
      answers: {
        '/api/userInfo.json': {
          data: { ...user, siteId: 'SZ', access: ['*:list', 'rmaRepairBill:repair', 'rmaPriceBill:financialReview'] },
        },
        '/api/sysMenu/queryTree.json': {
          data: { items: [{ menuNo: `${module}List`, menuName: module, module, children: [] }] },
        },
        '/api/workQueue.json': { data: { queues: [repair(), review()] } },
        '/api/dashBoard.json': { data: { coins, hashRate: null, cards: [], turnaround: [], returns: [] } },
        '/api/rmaInventory/searchItems.json': { data: { items: [] } },
      },
    });
    const figure = await screen.findByRole('link', { name: 'Units to repair: 1234' });
    const { pathname, searchParams } = new URL(figure.getAttribute('href') ?? '', 'http://reflow.test');
    expect(pathname).toBe('/rmaInventoryList');
    expect(searchParams.get('filter')).toContain('ivyId');
    expect(searchParams.get('filter')).toContain('SZ');
    expect(screen.getByTitle('No list shows just these; “Begin” leads to them').textContent).toBe('1');
  });

  it('show the picture by which a proposal is judged', async () => {
    await home(['rmaScrapConfirm:scrapConfirm'], [scrap()]);
    await screen.findByText('Scrap proposals');
    expect(document.querySelector('main img')?.getAttribute('src')).toBe('/file/0123.jpg');
  });

  it('say once what both calls of the page failed by, and ask both again', async () => {
    expectComplaints();
    const failed = { key: 'notInArchive', msg: 'The database does not answer' } as const;
    const { server, person } = await renderApp('/home', {
      answers: {
        '/api/userInfo.json': { data: { ...user, access: ['*:list', 'rmaRepairBill:repair', 'rmaInventory:list'] } },
        '/api/workQueue.json': failed,
        '/api/dashBoard.json': failed,
        '/api/rmaInventory/searchItems.json': { data: { items: [] } },
      },
    });
    const state = within(await screen.findByRole('alert'));
    expect(state.getByText('Data load failed')).toBeTruthy();
    expect(screen.getAllByText(/The database does not answer/)).toHaveLength(1);
    const asked = server.calls('/api/workQueue.json').length;
    await person.click(state.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(server.calls('/api/workQueue.json').length).toBeGreaterThan(asked));
  });

  it('say so when nothing waits', async () => {
    await home(['rmaRepairBill:repair'], [{ ...repair(), ...none }]);
    expect(await screen.findByText('All done: nothing waits for you')).toBeTruthy();
  });

  it('are one quiet line for who works on none, and nobody asks for them', async () => {
    const { server } = await home([], []);
    await screen.findByText('Hello, Li Wei');
    expect(await screen.findByText('Nothing waits for you')).toBeTruthy();
    expect(screen.queryByText('Waiting for you')).toBeNull();
    expect(server.calls('/api/workQueue.json')).toEqual([]);
  });
});

it('the coins are of those who see hash rates', async () => {
  await home(['rmaRepairBill:repair'], [repair()], { coin: 'BTC', rate: 12, online: 2, accounts: 1, drills: {} });
  expect(await screen.findByText('12 TH/s')).toBeTruthy();
  expect(screen.getByText(/2 machines online in 1 account$/)).toBeTruthy();
  expect(screen.getByLabelText('Coin')).toBeTruthy();
});

it('nobody else is asked for a coin', async () => {
  await renderApp('/home', {
    answers: {
      '/api/userInfo.json': { data: { ...user, access: ['rmaRepairBill:list', 'rmaRepairBill:repair'] } },
      '/api/workQueue.json': { data: { queues: [repair()] } },
      '/api/dashBoard.json': { data: { coins, hashRate: null, cards: [], turnaround: [], returns: [] } },
    },
  });
  await screen.findByText('Units to repair');
  expect(screen.queryByLabelText('Coin')).toBeNull();
});
