// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearErrors, listenForErrors } from '#app/errorLog.ts';
import { sendTo } from '#app/send.ts';
import { ERROR_LIMITS } from '#domain/errorEntry.ts';
import { isStorable } from '#domain/exact.ts';
import { expectComplaints, renderApp, user } from '#app/testing/renderApp.tsx';

const SAVE = '/api/save_error_logger';
let stop = () => {};
beforeEach(() => {
  clearErrors();
  stop = listenForErrors();
});
afterEach(() => stop());

const open = (at: string, more: NonNullable<Parameters<typeof renderApp>[1]>['answers'] = {}) =>
  renderApp(at, { answers: { [SAVE]: { data: {} }, '/api/userInfo.json': { data: administrator }, ...more } });
const administrator = { ...user, access: [...user.access, 'errorLog:list'] };
const breakSomething = (message: string) =>
  act(async () => void window.dispatchEvent(new ErrorEvent('error', { message, error: new TypeError(message) })));
const reject = (reason: unknown) =>
  act(async () => void window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason })));
const ask = (path: string) =>
  sendTo({ method: 'GET', path: path as `/${string}`, writes: false }, {}).catch(() => null);
const bodies = (server: Awaited<ReturnType<typeof open>>['server']) =>
  server.calls(SAVE).map((it) => JSON.parse(it.body) as Record<string, unknown>);

describe('a script error', () => {
  it('is captured with type, message, url and time, and posted with who it happened to [P-ELG-01] [P-ELG-02] [P-ELG-03]', async () => {
    const { server } = await open('/home');
    await screen.findByText('Hello, Li Wei');
    const before = Date.now();
    await breakSomething('x is not a function');
    const [entry, ...others] = bodies(server);
    expect(others).toEqual([]);
    expect(entry).toEqual({
      type: 'script',
      code: '',
      message: expect.stringMatching(/^TypeError: x is not a function/),
      url: window.location.href,
      time: expect.any(Number),
      token: 'token-of-li',
      userId: 'li',
      userName: 'Li Wei',
    });
    expect(entry?.['time']).toBeGreaterThanOrEqual(before);
    expect(server.calls(SAVE)[0]?.method).toBe('POST');
  });

  it('is told with whole characters, also where its message had to be cut', async () => {
    const { server } = await open('/home');
    await screen.findByText('Hello, Li Wei');
    for (const before of ['', 'x']) await breakSomething(before + '😀'.repeat(ERROR_LIMITS.message));
    const messages = bodies(server).map((it) => String(it['message']));
    expect(messages).toHaveLength(2);
    expect(messages.map(isStorable)).toEqual([true, true]);
  });

  it('is captured where a promise was left alone, and at the login page too [P-ELG-01]', async () => {
    const { server } = await renderApp('/login', { token: '', answers: { [SAVE]: { data: {} } } });
    await screen.findByLabelText('User name');
    await reject(new Error('nobody waits'));
    await reject('just words');
    expect(bodies(server)).toMatchObject([
      { type: 'script', message: expect.stringContaining('nobody waits'), token: '', userId: '' },
      { type: 'script', message: 'just words' },
    ]);
    expect(server.calls(SAVE)[0]?.headers.has('token')).toBe(false);
  });

  it('is captured where a page failed to draw itself', async () => {
    expectComplaints();
    const { server } = await open('/ubsIssueCodeList', {
      '/api/ubsIssueCode/searchItems.json': { data: { items: [null] } },
      '/api/ubsIssueCode/pager.json': { data: { title: {}, items: [], itemTotal: 0, tableName: 'Issue codes' } },
      '/api/sysBtn/queryByMenuNo.json': { data: { items: [] } },
    });
    expect(await screen.findByText('Server error')).toBeTruthy();
    expect(bodies(server)).toMatchObject([{ type: 'script', message: expect.stringContaining('TypeError') }]);
  });

  it('that says nothing, or that the house itself called off, is none', async () => {
    const { server } = await open('/home');
    await screen.findByText('Hello, Li Wei');
    await breakSomething('ResizeObserver loop completed with undelivered notifications.');
    await reject(new DOMException('called off', 'AbortError'));
    expect(server.calls(SAVE)).toEqual([]);
  });

  it('that comes again and again is told once and counted', async () => {
    const { server, go } = await open('/home');
    await screen.findByText('Hello, Li Wei');
    for (let i = 0; i < 5; i += 1) await reject('again');
    expect(server.calls(SAVE)).toHaveLength(1);
    await go('/error_logger_page');
    expect(await screen.findByText('× 5')).toBeTruthy();
  });

  it('however many there are, is told twenty times a minute at most', async () => {
    const { server } = await open('/home');
    await screen.findByText('Hello, Li Wei');
    for (let i = 0; i < 40; i += 1) await reject(`error ${i}`);
    expect(server.calls(SAVE)).toHaveLength(20);
  });

  it('leaves no ticket in its address and is cut to its bounds', async () => {
    const { server } = await open('/home');
    await screen.findByText('Hello, Li Wei');
    window.history.replaceState(null, '', '/login?ticket=ST-1-secret&x=1');
    await reject('y'.repeat(9000));
    window.history.replaceState(null, '', '/');
    const [entry] = bodies(server);
    expect(entry?.['url']).toBe(`${window.location.origin}/login?ticket=…&x=1`);
    expect(entry?.['message']).toHaveLength(2000);
  });
});

describe('a failed call', () => {
  it('is captured as ajax with its status; a business no is not [P-ELG-02]', async () => {
    const { server } = await open('/home', {
      '/api/a.json': { status: 502, html: '<h1>Bad gateway</h1>' },
      '/api/b.json': 'network',
      '/api/c.json': { key: 'format', msg: 'no' },
    });
    await screen.findByText('Hello, Li Wei');
    for (const path of ['/api/a.json', '/api/b.json', '/api/c.json']) await act(() => ask(path));
    expect(bodies(server).map((it) => [it['type'], it['code'], it['message'], it['url']])).toEqual([
      ['ajax', '502', 'GET /api/a.json: HTTP 502', `${window.location.origin}/api/a.json`],
      ['ajax', '', 'GET /api/b.json: no answer', `${window.location.origin}/api/b.json`],
    ]);
  });

  const given = async (server: { calls: (path: string) => unknown[] }) => {
    await act(() => ask('/api/b.json'));
    await reject('Failed to fetch dynamically imported module: /a.js');
    await reject(new TypeError('error loading dynamically imported module'));
    return server.calls(SAVE).length;
  };

  it('and a script, that the browser gave up with the page, are none, however long the next page takes', async () => {
    const { server } = await open('/home', { '/api/b.json': 'network', '/api/a.json': { status: 502, html: '' } });
    await screen.findByText('Hello, Li Wei');
    window.dispatchEvent(new Event('beforeunload'));
    expect(await given(server)).toBe(0);
    // What was answered is no matter of leaving.
    await act(() => ask('/api/a.json'));
    expect(bodies(server).map((it) => it['code'])).toEqual(['502']);
    window.dispatchEvent(new Event('pagehide'));
    expect(await given(server)).toBe(1);
    window.dispatchEvent(new Event('pagehide'));
    window.dispatchEvent(new Event('pageshow'));
    expect(server.calls(SAVE)).toHaveLength(1);
  });

  it('is told after all where somebody stays', async () => {
    const { server } = await open('/home', { '/api/b.json': 'network' });
    await screen.findByText('Hello, Li Wei');
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    window.dispatchEvent(new Event('beforeunload'));
    expect(await given(server)).toBe(0);
    vi.advanceTimersByTime(30_000);
    vi.useRealTimers();
    expect(server.calls(SAVE)).toHaveLength(3);
  });

  it('of the error log itself is swallowed: no notice, no second entry', async () => {
    const { server } = await open('/home', { [SAVE]: 'network' });
    await screen.findByText('Hello, Li Wei');
    await reject('first');
    await waitFor(() => expect(server.calls(SAVE)).toHaveLength(1));
    expect(screen.queryAllByRole('alert')).toEqual([]);
    expect(await screen.findByRole('link', { name: 'Captured errors, 1 unread' })).toBeTruthy();
  });
});

describe('the icon of captured errors', () => {
  it('counts the unread ones and leads to their page, which marks them read [P-LAY-05] [P-RTE-04]', async () => {
    const { person, path } = await open('/home');
    await screen.findByRole('link', { name: 'Captured errors, 0 unread' });
    await reject('one');
    await reject('two');
    await person.click(screen.getByRole('link', { name: 'Captured errors, 2 unread' }));
    await waitFor(() => expect(path()).toBe('/error_logger_page'));
    expect(await screen.findByRole('heading', { name: 'Captured errors' })).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'Captured errors, 0 unread' })).toBeTruthy();
    await reject('three');
    expect(await screen.findByText('three')).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'Captured errors, 0 unread' })).toBeTruthy();
  });

  it('can be switched off by configuration [P-LAY-05]', async () => {
    await open('/home', { '/api/userInfo.json': { data: { ...administrator, errorLogIcon: false } } });
    await screen.findByText('Hello, Li Wei');
    await reject('one');
    expect(screen.queryByRole('link', { name: /Captured errors/ })).toBeNull();
  });

  it('is for who may see everybody’s, as nobody else can do anything about them [P-LAY-05]', async () => {
    await open('/home', { '/api/userInfo.json': { data: user } });
    await screen.findByText('Hello, Li Wei');
    await screen.findByRole('button', { name: 'Li Wei' });
    expect(screen.queryByRole('link', { name: /Captured errors/ })).toBeNull();
  });
});

describe('the page of captured errors', () => {
  it('lists them, the newest first, with type, code, message, address and time [P-ELG-04] [P-RTE-04]', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 21, 9, 5, 7) });
    const { go, person } = await open('/home', { '/api/a.json': { status: 500, html: '' } });
    await screen.findByText('Hello, Li Wei');
    await reject(Object.assign(new Error('older'), { stack: 'Error: older\n    at page.ts:7' }));
    await act(() => ask('/api/a.json'));
    await go('/error_logger_page');
    vi.useRealTimers();
    const table = within(await screen.findByRole('table', { name: 'Captured errors' }));
    const cells = table.getAllByRole('row').map((row) =>
      within(row)
        .getAllByRole(row.querySelector('th') ? 'columnheader' : 'cell')
        .slice(1)
        .map((it) => it.textContent),
    );
    expect(cells).toEqual([
      ['Type', 'Code', 'Message', 'Address', 'Time'],
      ['ajax', '500', 'GET /api/a.json: HTTP 500', `${window.location.origin}/api/a.json`, '2026-11-21 09:05:07'],
      ['script', '', 'Error: older', window.location.href, '2026-11-21 09:05:07'],
    ]);
    await person.click(table.getByRole('button', { name: 'Show all of: Error: older' }));
    expect(await table.findByText(/at page\.ts:7/)).toBeTruthy();
  });

  it('shows those of all users to whom may see them, and to nobody else', async () => {
    const errors = {
      items: [
        { id: 7, type: 'script', code: '', message: 'elsewhere', url: '/x', time: 0, userId: 'wang', userName: 'Wang' },
      ],
      total: 1,
    };
    const first = await open('/error_logger_page', {
      '/api/userInfo.json': { data: user },
      '/rest/errors': { data: errors },
    });
    await screen.findByText('No errors were captured');
    expect(screen.queryByRole('tab', { name: 'All users' })).toBeNull();
    expect(first.server.calls('/rest/errors')).toEqual([]);
  });

  it('shows an administrator the errors of all users', async () => {
    const errors = {
      items: [
        { id: 7, type: 'script', code: '', message: 'elsewhere', url: '/x', time: 0, userId: 'wang', userName: 'Wang' },
      ],
      total: 1,
    };
    const { person } = await open('/error_logger_page', {
      '/rest/errors': { data: errors },
      '/api/userInfo.json': { data: { ...user, access: [...user.access, 'errorLog:list'] } },
    });
    await person.click(await screen.findByRole('tab', { name: 'All users' }));
    expect(await screen.findByText('elsewhere')).toBeTruthy();
    expect(screen.getByText('Wang')).toBeTruthy();
    await person.click(screen.getByRole('tab', { name: 'This browser' }));
  });
});
