// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { App } from '#app/App.tsx';
import { i18nProvider } from '#app/i18nProvider.ts';
import { watchLeaving } from '#app/leaving.ts';
import { closeSession, currentMenu, currentToken, currentUser, openSession, resumeUser } from '#app/session.ts';
import { isOpenTo } from '#app/shell/Guard.tsx';
import type { Answer } from '#app/testing/fakeServer.ts';
import { is } from '#domain/drill.ts';
import { turns } from '#tests/support/turns.ts';
import { expectComplaints, Modules, renderApp, tree, user } from '#app/testing/renderApp.tsx';

// What draws needs a real browser.
vi.mock('#app/parts/Chart.tsx', () => ({
  default: ({ label }: { label: string }) => <div role="img" aria-label={label} />,
}));

const list = {
  '/api/rmaCheckBill/searchItems.json': { data: { items: [] } },
  '/api/rmaCheckBill/pager.json': {
    data: { title: { ckbId: 'No.' }, items: [], itemTotal: 0, tableName: 'Check bills' },
  },
  '/api/sysBtn/queryByMenuNo.json': { data: { items: [] } },
};

describe('without a token', () => {
  it.each(['/', '/home', '/changePassword', '/401', '/500', '/rmaCheckBillList', '/nowhere/at/all'])(
    '%s leads to the login page [P-GRD-01]',
    async (address) => {
      const { path, server } = await renderApp(address, { token: '' });
      await waitFor(() => expect(path()).toBe('/login'));
      expect(await screen.findByLabelText('User name')).toBeTruthy();
      expect(server.calls('/api/userInfo.json')).toEqual([]);
    },
  );
});

describe('with a token', () => {
  it('the login page leads home [P-GRD-02] [P-RTE-01]', async () => {
    const { path } = await renderApp('/login');
    await waitFor(() => expect(path()).toBe('/home'));
    expect(screen.queryByLabelText('User name')).toBeNull();
  });

  it.each([
    ['/#/rmaCheckBillList/7/show', '/rmaCheckBillList/7/show'],
    ['/#//elsewhere.test/x', '/home'],
  ])('%s, as a hash router writes it, leads to %s', async (address, target) => {
    const view = { module: 'rmaCheckBill', label: 'Check bills', fields: [] };
    const { path, server } = await renderApp(address, {
      answers: { '/api/rmaCheckBill/queryById.json': { data: { id: 7, view } } },
    });
    await waitFor(() => expect(path()).toBe(target));
    const reads = target === '/home' ? 0 : 1;
    await waitFor(() => expect(server.calls('/api/rmaCheckBill/queryById.json')).toHaveLength(reads));
  });

  it('the root leads home [P-RTE-02]', async () => {
    const waiting = { short: 1, days: 0, long: 0 };
    const cards = ['10', '50', '100'].map((node, i) => ({
      ...{ node, count: i + 7, arrived: 3, arrivedBefore: 1, waiting },
      drills: { count: { module: 'rmaInventory', rules: [is('ivyId', node)] } },
    }));
    const inventory = { menuNo: 'rmaInventoryList', menuName: 'Inventory', module: 'rmaInventory', children: [] };
    const { path } = await renderApp('/', {
      answers: {
        '/api/userInfo.json': { data: { ...user, access: ['rmaInventory:list'] } },
        '/api/sysMenu/queryTree.json': { data: { items: [inventory] } },
        '/api/dashBoard.json': { data: { coins: [], hashRate: null, cards, turnaround: [], returns: [] } },
        '/api/rmaInventory/searchItems.json': {
          data: {
            items: [
              {
                name: 'Node',
                queryName: 'ivyId',
                type: 'select',
                options: [{ value: '50', optionName: 'Awaiting repair' }],
              },
            ],
          },
        },
      },
    });
    const [card] = await screen.findAllByRole('link', { name: /Awaiting repair/ });
    expect(card?.textContent).toBe('Awaiting repair8');
    // What it opens is what stands there; how many came is said beside it.
    expect(card?.parentElement?.textContent).toBe('Awaiting repair83 units arrived in 7 days▲ 2');
    const { searchParams } = new URL(card?.getAttribute('href') ?? '', 'http://reflow.test');
    const { advanced } = JSON.parse(searchParams.get('filter') ?? '') as { advanced: string };
    expect(JSON.parse(advanced)).toMatchObject({ rules: [{ column: 'ivyId', relation: 'EQUAL_TO', value: '50' }] });
    expect(await screen.findByRole('region', { name: 'Units waiting at each node, and for how long' })).toBeTruthy();
    expect(path()).toBe('/home');
  });

  it('who holds it is asked once, before the page is shown [P-GRD-03]', async () => {
    let answer = (_: Answer) => undefined as void;
    const { server, go } = await renderApp('/rmaCheckBillList', {
      answers: { ...list, '/api/userInfo.json': () => new Promise<Answer>((resolve) => (answer = resolve)) },
    });
    await waitFor(() => expect(server.calls('/api/userInfo.json')).toHaveLength(1));
    expect(server.calls('/api/rmaCheckBill/pager.json')).toEqual([]);
    expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull();
    answer({ data: user });
    expect(await screen.findByRole('heading', { name: 'Check bills' })).toBeTruthy();
    await go('/home');
    await screen.findByText('Hello, Li Wei');
    await go('/rmaCheckBillList');
    await screen.findByRole('heading', { name: 'Check bills' });
    expect(server.calls('/api/userInfo.json')).toHaveLength(1);
  });

  it.each<[string, Answer]>([
    ['a refusal', { key: 'unknown', msg: 'Error 12' }],
    ['no answer', 'network'],
  ])('%s about who holds it takes the token away and leads to the login page [P-GRD-06]', async (_, answer) => {
    const { path } = await renderApp('/home', { answers: { '/api/userInfo.json': answer } });
    await waitFor(() => expect(path()).toBe('/login'));
    expect(currentToken.get()).toBe('');
    expect(document.cookie).not.toContain('token=');
  });
});

it('a page that is left before it knows who is signed in takes the token from nobody', async () => {
  const stop = watchLeaving();
  window.dispatchEvent(new Event('beforeunload'));
  const { server, path } = await renderApp('/home', { answers: { '/api/userInfo.json': 'network' } });
  await waitFor(() => expect(server.calls('/api/userInfo.json')).toHaveLength(1));
  await turns(20);
  expect(document.cookie).toContain('token=');
  // Who has stayed after all is told.
  act(() => void window.dispatchEvent(new Event('pageshow')));
  await waitFor(() => expect(path()).toBe('/login'));
  expect(document.cookie).not.toContain('token=');
  stop();
});

describe('a server that misses its database', () => {
  const down = { key: 'databaseDown', msg: 'The database does not answer' } as const;

  it('signs nobody out: who was last signed in here goes on', async () => {
    const { server, path } = await renderApp('/home');
    await screen.findByText('Hello, Li Wei');
    server.answer({ '/api/userInfo.json': down, '/api/sysMenu/queryTree.json': down });
    cleanup();
    currentUser.set(null);
    render(
      <RouterProvider
        router={createMemoryRouter([{ path: '*', element: <App Modules={Modules} /> }], { initialEntries: ['/home'] })}
      />,
    );
    expect(await screen.findByText('Hello, Li Wei')).toBeTruthy();
    expect(path()).toBe('/home');
    expect(currentToken.get()).not.toBe('');
  });

  it('is waited for, with its words, where nobody is known yet', async () => {
    const { server, path } = await renderApp('/home', {
      answers: { '/api/userInfo.json': down, '/api/sysMenu/queryTree.json': down },
    });
    expect(await screen.findByText(/The database does not answer/)).toBeTruthy();
    expect(path()).toBe('/home');
    expect(currentToken.get()).not.toBe('');
    server.answer({
      '/api/userInfo.json': { data: user },
      '/api/sysMenu/queryTree.json': { data: { items: tree.en } },
    });
    fireEvent(window, new Event('online'));
    expect(await screen.findByText('Hello, Li Wei')).toBeTruthy();
  });
});

describe('without a network', () => {
  it('who was last signed in here goes on, and is asked for again when the network is back', async () => {
    const { server, path } = await renderApp('/home');
    await screen.findByText('Hello, Li Wei');
    server.answer({ '/api/userInfo.json': 'network', '/api/sysMenu/queryTree.json': 'network' });
    cleanup();
    currentUser.set(null);
    render(
      <RouterProvider
        router={createMemoryRouter([{ path: '*', element: <App Modules={Modules} /> }], { initialEntries: ['/home'] })}
      />,
    );
    expect(await screen.findByText('Hello, Li Wei')).toBeTruthy();
    expect(path()).toBe('/home');
    server.answer({ '/api/userInfo.json': { key: 'noSession', msg: '' } });
    fireEvent(window, new Event('online'));
    await waitFor(() => expect(currentToken.get()).toBe(''));
  });

  it('signing out leaves nobody to go on as', async () => {
    await renderApp('/home');
    await screen.findByText('Hello, Li Wei');
    closeSession();
    openSession('another-token');
    expect(resumeUser()).toBe(false);
    closeSession();
  });
});

describe('the access list of a route', () => {
  const withAccess = (access: string[]) => ({
    ...list,
    '/api/userInfo.json': { data: user },
    '/api/sysMenu/queryTree.json': {
      data: {
        items: [{ menuNo: 'rmaCheckBillList', menuName: 'Check bills', module: 'rmaCheckBill', access }, ...tree.en],
      },
    },
  });

  it('opens it with one entry in common [P-GRD-04]', async () => {
    const { path } = await renderApp('/rmaCheckBillList', { answers: withAccess(['bosses', 'rmaCheckBill:list']) });
    expect(await screen.findByRole('heading', { name: 'Check bills' })).toBeTruthy();
    expect(path()).toBe('/rmaCheckBillList');
  });

  it('leads to the 401 page without one [P-GRD-05]', async () => {
    const { path, server } = await renderApp('/rmaCheckBillList', { answers: withAccess(['bosses']) });
    await waitFor(() => expect(path()).toBe('/401'));
    expect(await screen.findByText('No permission to view this page')).toBeTruthy();
    expect(server.calls('/api/rmaCheckBill/pager.json')).toEqual([]);
  });

  it('leads to the 401 page from a station that the user has no right to', async () => {
    const { path } = await renderApp('/rmaCheckBillList/check', { answers: list });
    await waitFor(() => expect(path()).toBe('/401'));
  });

  it('is open to everybody when it is empty, and knows rights with stars', () => {
    expect(isOpenTo([], [])).toBe(true);
    expect(isOpenTo(['m:check'], ['m:*'])).toBe(true);
    expect(isOpenTo(['m:check'], ['other:*', '*:list'])).toBe(false);
  });
});

describe('an address outside of the menu', () => {
  it('leads to the 401 page when the server says that the user may not see it', async () => {
    expectComplaints();
    const { path } = await renderApp('/rmaRepairBillList', {
      answers: { '/api/rmaRepairBill/searchItems.json': { key: 'noRight', msg: 'No right' } },
    });
    await waitFor(() => expect(path()).toBe('/401'));
  });

  it('takes somebody who has to change the password first for nobody without the right', async () => {
    expectComplaints();
    const { path } = await renderApp('/rmaRepairBillList', {
      answers: { '/api/rmaRepairBill/searchItems.json': { key: 'changePasswordFirst', msg: 'Change it first' } },
    });
    expect(await screen.findByText('The page flew away')).toBeTruthy();
    expect(path()).toBe('/rmaRepairBillList');
  });

  it('is not taken for unknown where the server cannot say, and is asked for anew', async () => {
    expectComplaints();
    const path = '/api/rmaMaintainBillLine/searchItems.json';
    const { server, person } = await renderApp('/rmaMaintainBillLineList', {
      answers: { [path]: { key: 'unknown', msg: 'Error 9' } },
    });
    expect(await screen.findByText('Error 9')).toBeTruthy();
    server.answer({ [path]: { key: 'noSuchCall', msg: 'Nothing there' } });
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('The page flew away')).toBeTruthy();
  });

  it('shows the 404 page when nobody knows it [P-RTE-03]', async () => {
    expectComplaints();
    const { path } = await renderApp('/nothingList');
    expect(await screen.findByText('The page flew away')).toBeTruthy();
    expect(path()).toBe('/nothingList');
  });

  it('is shown when it is a list that stands in no menu', async () => {
    const answers = Object.fromEntries(
      Object.entries(list).map(([path, answer]) => [path.replace('rmaCheckBill/', 'rmaMaintainBillLine/'), answer]),
    );
    await renderApp('/rmaMaintainBillLineList', {
      answers: { ...answers, '/api/userInfo.json': { data: { ...user, access: ['rmaMaintainBillLine:list'] } } },
    });
    expect(await screen.findByRole('heading', { name: 'Check bills' })).toBeTruthy();
  });
});

describe('the error routes', () => {
  it.each([
    ['/401', '401', 'No permission to view this page'],
    ['/500', '500', 'Server error'],
    ['/a/b/c', '404', 'The page flew away'],
  ])('%s shows %s [P-RTE-03] [P-EPG-01] [P-EPG-03]', async (address, code, said) => {
    expectComplaints();
    const { person, path } = await renderApp(address);
    expect(await screen.findByRole('heading', { name: said })).toBeTruthy();
    expect(screen.getByText(code)).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Back to home' }));
    await waitFor(() => expect(path()).toBe('/home'));
  });

  it('a menu that cannot be read leads to the 500 page', async () => {
    const { path } = await renderApp('/home', {
      answers: { '/api/sysMenu/queryTree.json': { key: 'unknown', msg: 'Error 3' } },
    });
    await waitFor(() => expect(path()).toBe('/500'));
  });
});

it('whoever comes back to a language has the menu in it', async () => {
  const { server } = await renderApp('/home');
  const names = () => currentMenu.get()?.map((it) => it.menuName);
  for (const [language, name] of [
    ['en', 'Users'],
    ['zh', '用户'],
    ['en', 'Users'],
  ] as const) {
    await act(() => i18nProvider.changeLocale(language));
    await waitFor(() => expect(names()).toContain(name));
  }
  expect(server.calls('/api/sysMenu/queryTree.json').map((it) => it.query['lang'])).toEqual(['en', 'zh', 'en']);
});
