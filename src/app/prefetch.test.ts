// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { prefetch } from '#app/prefetch.ts';

const answers: Record<string, unknown> = {
  '/api/sysMenu/queryTree.json?lang=en': {
    items: [{ menuNo: 'group', children: [{ menuNo: 'rmaCheckBillList' }, { menuNo: 'stockList', module: 'stock' }] }],
  },
};
const fetched = vi.fn(async (address: string) => Response.json({ code: '000000', data: answers[address] ?? {} }));

beforeEach(() => {
  vi.stubGlobal('fetch', fetched.mockClear());
  document.cookie = 'token=secret; Path=/';
  localStorage.clear();
  localStorage.setItem('local', 'en');
  window.history.replaceState(null, '', '/rmaCheckBillList');
});

const asked = () => fetched.mock.calls.map(([address]) => address);
const as = (token: string, method = 'GET') => ({ method, headers: { token } });
const pager = '/api/rmaCheckBill/pager.json?pageStart=0&pageCount=10&lang=en';

it('asks for who is signed in, the menu, and what a list in it begins with', async () => {
  const ahead = prefetch('');
  expect(await ahead?.isSignedIn).toBe(true);
  expect(asked()).toEqual([
    '/api/userInfo.json?lang=en',
    '/api/sysMenu/queryTree.json?lang=en',
    pager,
    '/rest/views?module=rmaCheckBill&lang=en',
    '/api/sysBtn/queryByMenuNo.json?menuNo=rmaCheckBillList&lang=en',
    '/api/rmaCheckBill/searchItems.json?lang=en',
  ]);
});

it('asks for no rows where the address has conditions or the window says how many, and calls a module by its name', async () => {
  window.history.replaceState(null, '', '/stockList?filter=%7B%7D');
  await prefetch('')?.isSignedIn;
  expect(asked()).toContain('/rest/views?module=stock&lang=en');
  window.history.replaceState(null, '', '/rmaCheckBillList');
  localStorage.setItem('pageSize', 'fill');
  await prefetch('')?.isSignedIn;
  expect(asked().filter((it) => it.includes('pager'))).toEqual([]);
});

it('asks for nothing where nobody is signed in, and for no list that is not in the menu', async () => {
  window.history.replaceState(null, '', '/otherList');
  await prefetch('')?.isSignedIn;
  expect(asked()).toHaveLength(2);
  document.cookie = 'token=; Path=/; Max-Age=0';
  expect(prefetch('')).toBeUndefined();
});

it('hands an answer over once, to the same session', async () => {
  const ahead = prefetch('');
  await ahead?.isSignedIn;
  expect(await (await ahead?.take(pager, as('secret')))?.json()).toEqual({ code: '000000', data: {} });
  expect(ahead?.take(pager, as('secret'))).toBeUndefined();
  expect(ahead?.take('/rest/views?module=rmaCheckBill&lang=en', as('other'))).toBeUndefined();
  expect(ahead?.take('/rest/views?module=rmaCheckBill&lang=en', as('secret'))).toBeUndefined();
});

it('hands nothing over after a write, nor when it has become old', async () => {
  vi.useFakeTimers();
  try {
    const [written, old] = [prefetch(''), prefetch('')];
    expect(written?.take('/api/rmaCheckBill/tabCounts.json', as('secret', 'POST'))).toBeUndefined();
    expect(written?.take('/api/sysMenu/queryTree.json?lang=en', as('secret'))).toBeDefined();
    written?.drop();
    expect(written?.take('/api/userInfo.json?lang=en', as('secret'))).toBeUndefined();
    vi.advanceTimersByTime(10_000);
    expect(old?.take('/api/userInfo.json?lang=en', as('secret'))).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

it('asks again where nobody answered, and hands on what the server refuses', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  fetched.mockResolvedValueOnce(new Response('', { status: 502 }));
  fetched.mockResolvedValueOnce(new Response('', { status: 429 }));
  const [ahead, busy] = [prefetch(''), prefetch('')];
  expect(await ahead?.isSignedIn).toBe(false);
  const user = await ahead?.take('/api/userInfo.json?lang=en', as('secret'));
  const menu = await ahead?.take('/api/sysMenu/queryTree.json?lang=en', as('secret'));
  expect([user?.ok, menu?.ok]).toEqual([true, true]);
  const before = fetched.mock.calls.length;
  expect((await busy?.take('/api/userInfo.json?lang=en', as('secret')))?.status).toBe(429);
  expect(fetched).toHaveBeenCalledTimes(before);
});
