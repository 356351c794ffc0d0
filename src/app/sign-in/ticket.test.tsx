// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { authProvider } from '#app/authProvider.ts';
import { currentToken, currentUser, expireSession } from '#app/session.ts';
import { loadUser } from '#app/sessionCalls.ts';
import { expectComplaints, renderApp, user } from '#app/testing/renderApp.tsx';

const SSO = 'https://sso.example/cas/login?service=https%3A%2F%2Freflow.example%2Flogin';
const captcha = { captcha: 'data:image/svg+xml,<svg/>', uuid: 'first', ssoLoginUrl: SSO };

describe('the single sign-on', () => {
  it('begins with the button for internal users, which checks nothing and leads to the configured address [P-LOG-01] [P-LOG-11]', async () => {
    const { server } = await renderApp('/login', { token: '', answers: { '/api/captcha.json': { data: captcha } } });
    const button = await screen.findByRole('link', { name: 'Log in as internal user' });
    expect(button.getAttribute('href')).toBe(SSO);
    expect(screen.getByRole('button', { name: 'Log in as external user' })).toBeTruthy();
    expect(server.calls('/api/login.json')).toEqual([]);
  });

  it('of who lost a session is another window, and this one goes on with that session of the same user', async () => {
    const { path } = await renderApp('/rmaCheckBillList', {
      answers: {
        '/api/captcha.json': { data: captcha },
        '/api/rmaCheckBill/searchItems.json': { data: { items: [{ name: 'Bill', queryName: 'no', type: 'String' }] } },
        '/api/rmaCheckBill/pager.json': { data: { title: {}, items: [], itemTotal: 0, tableName: 'Check bills' } },
      },
    });
    fireEvent.change(await screen.findByLabelText('Bill'), { target: { value: 'CKB77' } });
    act(() => expireSession(currentToken.get()));
    const button = await screen.findByRole('link', { name: 'Log in as internal user' });
    expect([button.getAttribute('href'), button.getAttribute('target')]).toEqual([SSO, '_blank']);
    expect(screen.getByText(/^Opens in a new window/)).toBeTruthy();
    const signsInElsewhere = (userId: string) => {
      document.cookie = `token=of ${userId}; Path=/`;
      for (const [key, value] of Object.entries({ userId, siteId: user.siteId, userKept: '{}' }))
        localStorage.setItem(key, value);
      act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'userKept' })));
    };
    signsInElsewhere('wang');
    expect([currentToken.get(), path()]).toEqual(['', '/login']);
    signsInElsewhere('li');
    await waitFor(() => expect(path()).toBe('/rmaCheckBillList'));
    expect(currentToken.get()).toBe('of li');
    expect(screen.getByLabelText<HTMLInputElement>('Bill').value).toBe('CKB77');
  });

  it('comes back with a ticket that signs in at once, as a form, and leaves the address [P-LOG-12] [P-RTE-01]', async () => {
    const { server, path } = await renderApp('/login?x=1%2F2&ticket=ST-1-abc%2Fd', {
      token: '',
      answers: { '/api/casLogin.json': { data: { token: 'by-ticket', days: 1 } } },
    });
    await waitFor(() => expect(path()).toBe('/home'));
    const [call, ...again] = server.calls('/api/casLogin.json');
    expect(again).toEqual([]);
    expect(call?.method).toBe('POST');
    expect(call?.headers.get('content-type')).toBe('application/x-www-form-urlencoded');
    expect(call?.headers.has('token')).toBe(false);
    expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({
      loginUrl: `${window.location.origin}/login?x=1%2F2`,
      ticket: 'ST-1-abc/d',
    });
    expect(currentToken.get()).toBe('by-ticket');
    expect(document.cookie).toContain('token=by-ticket');
    expect(server.calls('/api/login.json')).toEqual([]);
  });

  it('whose ticket is refused says so under the form and stays; the ticket is not tried again', async () => {
    expectComplaints();
    const { server, path } = await renderApp('/login?ticket=ST-2-used', {
      token: '',
      answers: { '/api/casLogin.json': { key: 'ssoTicket', msg: 'The single sign-on did not accept this login' } },
    });
    expect(await screen.findByText('The single sign-on did not accept this login')).toBeTruthy();
    expect(path()).toBe('/login');
    expect(server.calls('/api/casLogin.json')).toHaveLength(1);
    expect(currentToken.get()).toBe('');
  });

  it('is not asked by somebody who is signed in', async () => {
    const { server, path } = await renderApp('/login?ticket=ST-3-late');
    await waitFor(() => expect(path()).toBe('/home'));
    expect(server.calls('/api/casLogin.json')).toEqual([]);
  });
});

describe('logging out', () => {
  const logOut = async (more: object, answers: Parameters<typeof renderApp>[1] = {}) => {
    const rendered = await renderApp('/home', {
      answers: { '/api/userInfo.json': { data: { ...user, ...more } }, ...answers.answers },
    });
    await rendered.person.click(await screen.findByRole('button', { name: 'Li Wei' }));
    await rendered.person.click(await screen.findByRole('menuitem', { name: 'Log out' }));
    return rendered;
  };

  it.each(['success', 'refusal', 'no answer'])(
    'of a session that a ticket began calls logout.json, whatever comes back, and leads to the login page [P-SES-05]',
    async (what) => {
      const answers = {
        success: { data: {} },
        refusal: { key: 'ssoService', msg: 'no' },
        'no answer': 'network' as const,
      } as const;
      const { server, path } = await logOut(
        { began: 'ticket', logoutUrl: 'https://portal.example/bye' },
        { answers: { '/api/logout.json': answers[what as keyof typeof answers] } },
      );
      await waitFor(() => expect(path()).toBe('/login'));
      expect(server.calls('/api/logout.json').map((it) => [it.method, it.body, it.headers.get('token')])).toEqual([
        ['GET', '', 'token-of-li'],
      ]);
      expect(server.calls('/rest/session')).toEqual([]);
      expect(currentToken.get()).toBe('');
    },
  );

  it('of any other session clears the token and goes to the configured address, without logout.json [P-SES-06]', async () => {
    const { server } = await renderApp('/home', {
      answers: {
        '/api/userInfo.json': { data: { ...user, began: 'password', logoutUrl: 'https://portal.example/bye' } },
      },
    });
    await vi.waitFor(() => expect(currentUser.get()).not.toBeNull());
    expect(await authProvider.logout({})).toBe('https://portal.example/bye');
    expect(currentToken.get()).toBe('');
    expect(document.cookie).not.toContain('token=');
    expect(server.calls('/api/logout.json')).toEqual([]);
    expect(server.calls('/rest/session').map((it) => it.method)).toEqual(['DELETE']);
  });

  it('leads to a path of this server as a whole address, so that the application is left', async () => {
    const { server } = await renderApp('/home', {
      answers: { '/api/userInfo.json': { data: { ...user, began: 'password', logoutUrl: '/portal' } } },
    });
    await loadUser();
    expect(await authProvider.logout({})).toBe(`${window.location.origin}/portal`);
    expect(server.calls('/api/logout.json')).toEqual([]);
  });
});
