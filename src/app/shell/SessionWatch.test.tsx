// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { currentToken, expireSession, updateSessionEnd, openSession, sessionEnd } from '#app/session.ts';
import { styleOf } from '#app/testing/styles.ts';
import { scanOn } from '#app/testing/keys.ts';
import { expectComplaints, renderApp, user } from '#app/testing/renderApp.tsx';

type Answer = { headers: Record<string, string> };
const SESSION = '/rest/session';
const lists = {
  '/api/rmaCheckBill/searchItems.json': { data: { items: [] } },
  '/api/rmaCheckBill/pager.json': { data: { title: { no: 'No.' }, items: [], itemTotal: 0, tableName: 'Check bills' } },
  '/api/sysBtn/queryByMenuNo.json': { data: { items: [] } },
};

/** A server whose session lives so many seconds when it is asked, and so many once it was prolonged. */
async function open(left: number, prolonged: number) {
  const session: Answer & { left: number } = { left, headers: {} };
  const rendered = await renderApp('/home', {
    answers: {
      ...lists,
      [SESSION]: ({ method }) => {
        if (method === 'POST') session.left = prolonged;
        return { data: { left: session.left }, headers: { 'session-left': String(session.left) } };
      },
    },
  });
  await screen.findByText('Hello, Li Wei');
  act(() => updateSessionEnd(currentToken.get(), String(left)));
  return rendered;
}
const warning = () => screen.queryByRole('alertdialog');
const asked = (server: Awaited<ReturnType<typeof open>>['server'], method: string) =>
  server.calls(SESSION).filter((it) => it.method === method);
/** A press somewhere, repeated until the warning listens. */
const prolong = (server: Awaited<ReturnType<typeof open>>['server']) =>
  waitFor(() => {
    if (asked(server, 'POST').length === 0) fireEvent.pointerDown(document.body);
    expect(asked(server, 'POST')).toHaveLength(1);
  });

describe('a session that comes to its end', () => {
  it('says nothing as long as it lives longer than five minutes', async () => {
    const { server } = await open(3600, 86_400);
    expect(warning()).toBeNull();
    expect(server.calls(SESSION)).toEqual([]);
  });

  it('warns five minutes before, and a click prolongs it', async () => {
    const { server } = await open(290, 86_400);
    expect((await screen.findByRole('alertdialog')).textContent).toMatch(/signed out in 4:\d\d/);
    expect(asked(server, 'GET')[0]?.headers.get('background')).toBe('1');
    expect(asked(server, 'POST')).toEqual([]);
    await prolong(server);
    await waitFor(() => expect(warning()).toBeNull());
    expect(asked(server, 'POST')).toHaveLength(1);
    expect(sessionEnd.get()).toBeGreaterThan(performance.now() + 86_000_000);
  });

  it('is prolonged by a scan, which is asked for once', async () => {
    const { server } = await open(200, 86_400);
    await screen.findByRole('alertdialog');
    await waitFor(() => {
      if (asked(server, 'POST').length === 0) scanOn(document.body, 'SN1');
      expect(asked(server, 'POST')).toHaveLength(1);
    });
    await waitFor(() => expect(warning()).toBeNull());
    expect(asked(server, 'POST')).toHaveLength(1);
  });

  it('that another tab of the browser has prolonged does not warn', async () => {
    const rendered = await renderApp('/home', {
      answers: { [SESSION]: { data: { left: 86_400 }, headers: { 'session-left': '86400' } } },
    });
    await screen.findByText('Hello, Li Wei');
    act(() => updateSessionEnd(currentToken.get(), '290'));
    await waitFor(() => expect(asked(rendered.server, 'GET')).toHaveLength(1));
    await waitFor(() => expect(sessionEnd.get()).toBeGreaterThan(performance.now() + 86_000_000));
    expect(warning()).toBeNull();
  });

  it('that is as long as it may be says so, and asks no more', async () => {
    const { server, person } = await open(280, 280);
    await screen.findByRole('alertdialog');
    await prolong(server);
    expect(await screen.findByText(/cannot be extended any more/)).toBeTruthy();
    fireEvent.keyDown(document.body, { key: 'a' });
    expect(asked(server, 'POST')).toHaveLength(1);
    await person.click(screen.getByRole('button', { name: 'Understood' }));
    expect(warning()).toBeNull();
  });

  it('leads to the login page when its time is over', async () => {
    const { path } = await open(1, 86_400);
    await waitFor(() => expect(path()).toBe('/login'));
    expect(screen.getByText('Login is invalid, Please log in again!')).toBeTruthy();
  });
});

describe('after a session was lost', () => {
  const lose = async () => {
    expectComplaints();
    const rendered = await renderApp('/home', { answers: lists });
    await screen.findByText('Hello, Li Wei');
    await rendered.go('/rmaCheckBillList');
    await screen.findByRole('heading', { name: 'Check bills' });
    rendered.server.answer({ '/api/dashBoard.json': { key: 'noSession', msg: '' } });
    await rendered.go('/home');
    await waitFor(() => expect(rendered.path()).toBe('/login'));
    expect(localStorage.getItem('tagNavList')).toBeNull();
    rendered.server.answer({ '/api/dashBoard.json': { data: { coins: [], cards: [] } } });
    return rendered;
  };

  it('the same user comes back to the home page with the tabs as they were', async () => {
    const { path, go } = await lose();
    act(() => openSession('next'));
    await go('/home');
    await screen.findByText('Hello, Li Wei');
    expect(path()).toBe('/home');
    expect(await screen.findByRole('button', { name: 'Close Check bills' })).toBeTruthy();
  });

  it('the same user comes back to the station that stood in front, once, with what was scanned', async () => {
    expectComplaints();
    const access = [...user.access, 'rmaCheckBill:check'];
    const station = '/rmaCheckBillList/check';
    const validated = '/api/rmaCheckBill/validateSn.json';
    const item = { itemId: 1, salesCode: 'RX21-188T', name: 'RX-21', deviceType: '0' };
    const { server, go, path, person } = await renderApp(station, {
      answers: {
        ...lists,
        '/api/userInfo.json': { data: { ...user, access } },
        '/api/ubsIssueCode/loadIssueCodeList.json': { data: { issueCodeList: [] } },
        [validated]: { key: 'noSession', msg: 'Login is invalid' },
      },
    });
    await person.type(await screen.findByLabelText('Scan SN'), 'SN0001{Enter}');
    await waitFor(() => expect(path()).toBe('/login'));
    expect((await screen.findAllByRole('alert')).map((it) => it.textContent)).toEqual([
      expect.stringContaining('What you scanned and what you typed is kept'),
    ]);
    server.answer({ [validated]: { data: { sn: 'SN0001', item, receiveIssueCodes: [] } } });
    await person.type(await screen.findByLabelText('User name'), 'li');
    await person.type(screen.getByLabelText('Password'), 'secret');
    await person.type(screen.getByLabelText('Captcha'), 'ABCD{Enter}');
    await waitFor(() => expect(path()).toBe(station));
    await screen.findByText('What was found');
    expect(document.querySelector('tr[data-state=ok] .sn')?.textContent).toBe('SN0001');
    await go('/home');
    await screen.findByText('Hello, Li Wei');
    expect(path()).toBe('/home');
  });

  it('the sign-in says so in the language of the moment, clear of its own buttons, and is called as itself', async () => {
    const { person } = await lose();
    expect(document.title).toBe('After-sales Repair System');
    await person.click(await screen.findByLabelText('User name'));
    await person.tab();
    await screen.findByText('account cannot be empty');
    await person.click(screen.getByRole('button', { name: '简体中文' }));
    expect(await screen.findByText('登录失效，请重新登录！')).toBeTruthy();
    expect(screen.getByText('扫描记录和已填写的内容都已保留，重新登录后可以接着做。')).toBeTruthy();
    expect(screen.queryByText('account cannot be empty')).toBeNull();
    expect(styleOf(screen.getByRole('region', { name: '通知' }))).toMatchObject({ top: '56px', left: '50%' });
  });

  it('the same user finds what was typed into the search of a list and not applied', async () => {
    const items = [{ name: 'Bill', queryName: 'no', type: 'String' }];
    const { server } = await renderApp('/rmaCheckBillList', {
      answers: { ...lists, '/api/rmaCheckBill/searchItems.json': { data: { items } } },
    });
    fireEvent.change(await screen.findByLabelText('Bill'), { target: { value: 'CKB77' } });
    const reads = server.calls('/api/rmaCheckBill/pager.json').length;
    act(() => expireSession(currentToken.get()));
    await screen.findByLabelText('User name');
    act(() => openSession('next'));
    // It is read anew once it is back.
    await waitFor(() => expect(server.calls('/api/rmaCheckBill/pager.json').length).toBeGreaterThan(reads));
    expect(screen.getByLabelText<HTMLInputElement>('Bill').value).toBe('CKB77');
  });

  it('the same user comes back to the page that was in front, wherever Back led before the sign-in', async () => {
    const { path, go } = await renderApp('/rmaCheckBillList', { answers: lists });
    await screen.findByRole('heading', { name: 'Check bills' });
    act(() => expireSession(currentToken.get()));
    await waitFor(() => expect(path()).toBe('/login'));
    await go('/home');
    await waitFor(() => expect(path()).toBe('/login'));
    act(() => openSession('next'));
    await waitFor(() => expect(path()).toBe('/rmaCheckBillList'));
  });

  it('Back empties no field of the sign-in, and the page that was in front is there after it', async () => {
    const off = { captcha: '', uuid: '', off: true, demoUsers: [], demoPassword: '', ssoLoginUrl: '' };
    const { path, go, person, server } = await renderApp('/rmaCheckBillList', {
      answers: { ...lists, '/api/captcha.json': { data: off } },
    });
    await screen.findByRole('heading', { name: 'Check bills' });
    act(() => expireSession(currentToken.get()));
    await person.type(await screen.findByLabelText('User name'), 'li');
    await person.type(screen.getByLabelText('Password'), 'secret');
    for (const address of ['/rmaCheckBillList', '/home', '/rmaCheckBillList?ticket=ST-1']) {
      await go(address);
      await waitFor(() => expect(path()).toBe('/login'));
    }
    expect(screen.getByLabelText<HTMLInputElement>('User name').value).toBe('li');
    expect(screen.getByText('Login is invalid, Please log in again!')).toBeTruthy();
    await person.type(screen.getByLabelText('Password'), '{Enter}');
    await waitFor(() => expect(path()).toBe('/rmaCheckBillList'));
    expect(server.calls('/api/login.json')[0]?.body).toContain('userId=li&password=secret');
    expect(server.calls('/api/casLogin.json')).toEqual([]);
  });

  it.each([
    ['learns of it', { key: 'noSession', msg: '' }],
    ['is refused', { key: 'unknown', msg: 'Error 12' }],
  ] as const)('a page whose first question %s is where its user comes back to', async (_, answer) => {
    let end = (): void => undefined;
    const { server, path } = await renderApp('/rmaCheckBillList', {
      answers: { ...lists, '/api/userInfo.json': () => new Promise((done) => (end = () => done(answer))) },
    });
    await waitFor(() => expect(server.calls('/api/userInfo.json')).toHaveLength(1));
    localStorage.setItem('userId', 'li');
    end();
    await waitFor(() => expect(path()).toBe('/login'));
    server.answer({ '/api/userInfo.json': { data: user } });
    act(() => openSession('next'));
    await waitFor(() => expect(path()).toBe('/rmaCheckBillList'));
    await screen.findByRole('heading', { name: 'Check bills' });
  });

  it('who lost it while changing the password is at home after the next sign-in', async () => {
    const { go, path } = await renderApp('/changePassword', { answers: lists });
    await screen.findAllByLabelText(/password/i);
    localStorage.setItem('tagNavList', '[]');
    act(() => expireSession(currentToken.get()));
    await waitFor(() => expect(path()).toBe('/login'));
    expect(localStorage.getItem('tagNavList.lost')).not.toBeNull();
    act(() => openSession('again'));
    await go('/home');
    await screen.findByText('Hello, Li Wei');
    expect(path()).toBe('/home');
  });

  it('another user sees none of them', async () => {
    const { server, go } = await lose();
    server.answer({ '/api/userInfo.json': { data: { ...user, userId: 'wang', userName: 'Wang' } } });
    act(() => openSession('of-wang'));
    await go('/home');
    await screen.findByText('Hello, Wang');
    expect(screen.queryByRole('button', { name: 'Close Check bills' })).toBeNull();
    expect(localStorage.getItem('tagNavList.lost')).toBeNull();
  });
});
