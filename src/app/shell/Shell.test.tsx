// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { currentToken } from '#app/session.ts';
import { expectComplaints, renderApp, tree, user } from '#app/testing/renderApp.tsx';
import { styleOf } from '#app/testing/styles.ts';

const pagerOf = (tableName: string) => ({ data: { title: { no: 'No.' }, items: [], itemTotal: 0, tableName } });
const lists = {
  '/api/rmaCheckBill/searchItems.json': { data: { items: [] } },
  '/api/rmaCheckBill/pager.json': pagerOf('Check bills'),
  '/api/ubsIssueCode/searchItems.json': { data: { items: [] } },
  '/api/ubsIssueCode/pager.json': pagerOf('Issue codes'),
  '/api/adminUser/searchItems.json': { data: { items: [] } },
  '/api/adminUser/pager.json': pagerOf('Users'),
  '/api/sysBtn/queryByMenuNo.json': { data: { items: [] } },
};
const open = (at: string, more: Parameters<typeof renderApp>[1] = {}) => renderApp(at, { answers: lists, ...more });
const theMenu = () => screen.findByRole('navigation', { name: 'Menu' });
const theTabs = () => screen.findByRole('navigation', { name: 'Opened pages' });
const titles = async () =>
  within(await theTabs())
    .getAllByRole('link')
    .map((it) => it.textContent);

describe('the side menu', () => {
  it('shows the system title and is 200 wide, or 64 [P-LAY-01]', async () => {
    const { person } = await open('/home');
    const menu = await theMenu();
    expect(within(menu).getByText('After-sales Repair System')).toBeTruthy();
    expect(styleOf(menu).width).toBe('200px');
    await person.click(screen.getByRole('button', { name: 'Close menu' }));
    expect(styleOf(menu).width).toBe('64px');
    expect(within(menu).queryByText('After-sales Repair System')).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Open menu' }));
    expect(styleOf(menu).width).toBe('200px');
  });

  it('shows three levels, opens a leaf by a click, and no more than the server sent [P-MNU-01] [P-MNU-03]', async () => {
    const { person, path } = await open('/home');
    const menu = within(await theMenu());
    await person.click(menu.getByRole('button', { name: 'Codes' }));
    expect(menu.getAllByRole('link').map((it) => it.textContent)).toEqual([
      'Home',
      'Check bills',
      'Issue codes',
      'Users',
    ]);
    await person.click(menu.getByRole('link', { name: 'Issue codes' }));
    expect(await screen.findByRole('heading', { name: 'Issue codes' })).toBeTruthy();
    expect(path()).toBe('/ubsIssueCodeList');
  });

  it('shows only what another user is given [P-MNU-03]', async () => {
    await open('/home', {
      answers: { ...lists, '/api/sysMenu/queryTree.json': { data: { items: tree.en.slice(1) } } },
    });
    expect(
      within(await theMenu())
        .getAllByRole('link')
        .map((it) => it.textContent),
    ).toEqual(['Home', 'Users']);
  });

  it('offers the lists of a group beside its picture when it is narrow', async () => {
    const { person, path } = await open('/home');
    await theMenu();
    await person.click(screen.getByRole('button', { name: 'Close menu' }));
    await person.click(screen.getByRole('button', { name: 'Repair workflow' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Issue codes' }));
    await waitFor(() => expect(path()).toBe('/ubsIssueCodeList'));
    await person.click(screen.getByRole('button', { name: 'Open menu' }));
  });

  it('leads from the stored menu to generic lists, each by its menu number [P-RTE-05] [P-RTE-06] [P-CAL-07]', async () => {
    const { server, path } = await open('/ubsIssueCodeList');
    expect(await screen.findByRole('heading', { name: 'Issue codes' })).toBeTruthy();
    expect(JSON.parse(localStorage.getItem('menuList') ?? '')).toEqual(tree.en);
    expect(path()).toBe('/ubsIssueCodeList');
    expect(server.calls('/api/sysBtn/queryByMenuNo.json')[0]?.query).toEqual({
      menuNo: 'ubsIssueCodeList',
      lang: 'en',
    });
    expect(server.calls('/api/ubsIssueCode/pager.json')).toHaveLength(1);
    expect(server.calls('/api/ubsIssueCode/searchItems.json')).toHaveLength(1);
    expect(server.asked.some((it) => it.path.startsWith('/api/rmaCheckBill/'))).toBe(false);
  });
});

describe('the top bar', () => {
  it('says where the page stands [P-LAY-02]', async () => {
    await open('/ubsIssueCodeList');
    const crumbs = within(await screen.findByRole('navigation', { name: 'Breadcrumb' })).getAllByRole('listitem');
    expect(crumbs.map((it) => it.textContent?.replace('/', ''))).toEqual(['Repair workflow', 'Codes', 'Issue codes']);
  });

  it('says a group once that is called as its only entry', async () => {
    const issues = { menuNo: 'ubsIssueCodeList', menuName: 'Issue codes', module: 'ubsIssueCode', children: [] };
    const items = [{ menuNo: 'codes', menuName: 'Issue codes', children: [issues] }];
    await open('/ubsIssueCodeList', { answers: { ...lists, '/api/sysMenu/queryTree.json': { data: { items } } } });
    const crumbs = within(await screen.findByRole('navigation', { name: 'Breadcrumb' })).getAllByRole('listitem');
    expect(crumbs.map((it) => it.textContent)).toEqual(['Issue codes']);
  });

  it('names a view as the menu does, before the buttons of its list have come', async () => {
    const [workflow, ...rest] = tree.en;
    const [bills, ...others] = workflow?.children ?? [];
    const items = [{ ...workflow, children: [{ ...bills, views: { check: 'First test' } }, ...others] }, ...rest];
    const menu = { '/api/sysMenu/queryTree.json': { data: { items } } };
    const mayCheck = { ...user, access: [...user.access, 'rmaCheckBill:check'] };
    const answers = {
      ...{ ...lists, ...menu, '/api/userInfo.json': { data: mayCheck } },
      '/api/sysBtn/queryByMenuNo.json': 'network' as const,
    };
    await open('/rmaCheckBillList/check', { answers });
    expect(await screen.findByRole('heading', { level: 1, name: 'First test' })).toBeTruthy();
    expect(await titles()).toEqual(['Home', 'First test']);
  });

  it('leads to change password and out, by the user menu [P-LAY-03]', async () => {
    const { server, person, path } = await open('/home');
    await person.click(await screen.findByRole('button', { name: 'Li Wei' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Change password' }));
    await waitFor(() => expect(path()).toBe('/changePassword'));
    await screen.findByLabelText('Old password');
    await person.click(screen.getByRole('button', { name: 'Li Wei' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Log out' }));
    await waitFor(() => expect(path()).toBe('/login'));
    expect(currentToken.get()).toBe('');
    expect(server.calls('/rest/session').map((it) => it.method)).toEqual(['DELETE']);
  });

  it.each(['network', { key: 'noSession', msg: '' }] as const)(
    'lets out also when the server answers %o',
    async (no) => {
      const { person, path } = await open('/home', { answers: { ...lists, '/rest/session': no } });
      await person.click(await screen.findByRole('button', { name: 'Li Wei' }));
      await person.click(await screen.findByRole('menuitem', { name: 'Log out' }));
      await waitFor(() => expect(path()).toBe('/login'));
      expect(currentToken.get()).toBe('');
      expect(screen.queryByRole('alert')).toBeNull();
    },
  );

  it('offers both languages, and what the server names is read again [P-LAY-04] [P-LNG-02]', async () => {
    const { server, person } = await open('/rmaCheckBillList');
    await screen.findByRole('heading', { name: 'Check bills' });
    await person.click(screen.getByRole('button', { name: 'Change language: EN' }));
    expect((await screen.findAllByRole('menuitem')).map((it) => it.textContent)).toEqual(['简体中文', 'English']);
    server.answer({ '/api/rmaCheckBill/pager.json': pagerOf('检测单') });
    await person.click(screen.getByRole('menuitem', { name: '简体中文' }));
    expect(await screen.findByRole('heading', { name: '检测单' })).toBeTruthy();
    expect(await within(await screen.findByRole('navigation', { name: '菜单' })).findByText('维修作业')).toBeTruthy();
    expect(localStorage.getItem('local')).toBe('zh');
    for (const call of [
      '/api/sysMenu/queryTree.json',
      '/api/sysBtn/queryByMenuNo.json',
      '/api/rmaCheckBill/searchItems.json',
    ]) {
      expect(
        server.calls(call).map((it) => it.query['lang']),
        call,
      ).toEqual(['en', 'zh']);
    }
  });
});

describe('the tabs', () => {
  it('are one for each opened page; opening a page again activates its tab as it was [P-TAB-01]', async () => {
    const { person, go, path } = await open(
      '/rmaCheckBillList?page=1&perPage=50&sort=no&order=ASC&filter=%7B%22no%22%3A%227%22%7D',
    );
    await screen.findByRole('heading', { name: 'Check bills' });
    await go('/adminUserList');
    await screen.findByRole('heading', { name: 'Users' });
    expect(await titles()).toEqual(['Home', 'Check bills', 'Users']);
    await person.click(within(await theMenu()).getByRole('button', { name: 'Repair workflow' }));
    await person.click(within(await theMenu()).getByRole('link', { name: 'Check bills' }));
    await waitFor(() => expect(path()).toBe('/rmaCheckBillList'));
    expect(await screen.findByText('no: 7')).toBeTruthy();
    expect(await titles()).toEqual(['Home', 'Check bills', 'Users']);
    expect(within(await theTabs()).getByRole('link', { current: 'page' }).textContent).toBe('Check bills');
  });

  it('bring a newly opened page’s own into sight', async () => {
    const { person } = await open('/home');
    class ResizeObserver {
      readonly observe: () => void;
      disconnect = () => undefined;
      constructor(measure: () => void) {
        this.observe = measure;
      }
    }
    vi.stubGlobal('ResizeObserver', ResizeObserver);
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView');
    await person.click(within(await theMenu()).getByRole('link', { name: 'Check bills' }));
    await waitFor(() => expect(shown.mock.contexts.map((it) => (it as Element).textContent)).toContain('Check bills'));
  });

  it('close, all but home [P-TAB-02]', async () => {
    const { person, go, path } = await open('/rmaCheckBillList');
    await screen.findByRole('heading', { name: 'Check bills' });
    await go('/adminUserList');
    expect(screen.queryByRole('button', { name: 'Close Home' })).toBeNull();
    await person.click(await screen.findByRole('button', { name: 'Close Users' }));
    await waitFor(() => expect(path()).toBe('/rmaCheckBillList'));
    await person.click(screen.getByRole('button', { name: 'Close Check bills' }));
    await waitFor(() => expect(path()).toBe('/home'));
    expect(await titles()).toEqual(['Home']);
  });

  it.each(['the context menu', 'the menu of the bar'])(
    'close others and close all are in %s [P-TAB-03]',
    async (where) => {
      const { person, go, path } = await open('/rmaCheckBillList');
      await screen.findByRole('heading', { name: 'Check bills' });
      await go('/adminUserList');
      await screen.findByRole('heading', { name: 'Users' });
      await go('/ubsIssueCodeList');
      await screen.findByRole('heading', { name: 'Issue codes' });
      const openMenu = async () => {
        if (where === 'the menu of the bar')
          await person.click(screen.getByRole('button', { name: 'Pages and closing' }));
        else fireEvent.contextMenu(within(await theTabs()).getByRole('link', { current: 'page' }));
      };
      await openMenu();
      await person.click(await screen.findByRole('menuitem', { name: 'Close others' }));
      expect(await titles()).toEqual(['Home', 'Issue codes']);
      expect(path()).toBe('/ubsIssueCodeList');
      await openMenu();
      await person.click(await screen.findByRole('menuitem', { name: 'Close all' }));
      await waitFor(() => expect(path()).toBe('/home'));
      expect(await titles()).toEqual(['Home']);
    },
  );

  it('are kept in local storage [P-TAB-07]', async () => {
    const { go } = await open('/rmaCheckBillList');
    await screen.findByRole('heading', { name: 'Check bills' });
    await go('/adminUserList');
    await screen.findByRole('heading', { name: 'Users' });
    const saved = localStorage.getItem('tagNavList') ?? '';
    expect(JSON.parse(saved)).toEqual([
      { key: '/home', address: '/home' },
      { key: '/rmaCheckBillList', address: '/rmaCheckBillList' },
      { key: '/adminUserList', address: '/adminUserList' },
    ]);
    vi.resetModules();
    const { openedTabs } = await import('#app/shell/tabs.ts');
    expect(openedTabs().map((it) => it.key)).toEqual(['/home', '/rmaCheckBillList', '/adminUserList']);
  });

  it('are not those of whoever was here before, whose cookie ran out while the browser was closed', async () => {
    document.cookie = 'token=; Path=/; Max-Age=0';
    localStorage.setItem('tagNavList', JSON.stringify([{ key: '/adminUserList', address: '/adminUserList' }]));
    vi.resetModules();
    const { openedTabs } = await import('#app/shell/tabs.ts');
    const { openSession } = await import('#app/session.ts');
    expect(openedTabs()).toHaveLength(2);
    openSession('of somebody else');
    expect(openedTabs().map((it) => it.key)).toEqual(['/home']);
  });
});

describe('the end of a session', () => {
  it('clears the token, leads to the login page and says so once [P-CAL-04]', async () => {
    expectComplaints();
    const over = { key: 'noSession', msg: 'whatever' } as const;
    const { server, go, path } = await open('/home');
    await screen.findByText('Hello, Li Wei');
    server.answer({
      '/api/rmaCheckBill/pager.json': over,
      '/api/rmaCheckBill/searchItems.json': over,
      '/api/sysBtn/queryByMenuNo.json': over,
    });
    await go('/rmaCheckBillList');
    await waitFor(() => expect(path()).toBe('/login'));
    expect((await screen.findAllByRole('alert')).map((it) => it.textContent)).toEqual([
      'Login is invalid, Please log in again!What you scanned and what you typed is kept: sign in and go on where you were.',
    ]);
    expect(currentToken.get()).toBe('');
    expect(document.cookie).not.toContain('token=');
  });
});
