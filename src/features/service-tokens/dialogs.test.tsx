// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
// Compiled ahead, so that no test waits for it.
import '#app/engine/ListPage.tsx';
import { currentToken, expireSession, openSession } from '#app/session.ts';
import { renderApp, user } from '#app/testing/renderApp.tsx';

const SECRET = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I';
const button = (btnNo: string, btnName: string, rows?: number) => ({
  ...{ id: btnNo, btnNo, btnName, btnScript: btnNo },
  ...(rows && { rows }),
});
const columns = [{ name: 'name', label: 'Name', type: 'String' }];

const open = (more: NonNullable<NonNullable<Parameters<typeof renderApp>[1]>['answers']>) =>
  renderApp('/sysServiceTokenList', {
    answers: {
      '/api/sysMenu/queryTree.json': {
        data: {
          items: [
            { menuNo: 'sysServiceTokenList', menuName: 'Service tokens', module: 'sysServiceToken', children: [] },
          ],
        },
      },
      '/api/userInfo.json': { data: { ...user, access: ['sysServiceTokenList', 'sysServiceToken:list'] } },
      '/api/sysServiceToken/searchItems.json': { data: { items: [] } },
      '/api/sysBtn/queryByMenuNo.json': {
        data: { items: [button('issue', 'Issue a token'), button('rotate', 'Change the secret', 1)] },
      },
      '/api/sysServiceToken/pager.json': {
        data: {
          ...{ title: { name: 'Name' }, items: [{ id: 7, name: 'Rack' }], itemTotal: 1, tableName: 'service_token' },
          columns,
        },
      },
      '/api/ubsSite/pager.json': { data: { items: [{ id: 1, siteId: 'SZ', siteName: 'Shenzhen' }], itemTotal: 1 } },
      ...more,
    },
  });

it('a token is issued once its name and site are said, and its secret is shown this once, to be copied', async () => {
  const { server, person } = await open({ '/api/sysServiceToken/issue.json': { data: { id: 9, secret: SECRET } } });
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await person.click(await screen.findByRole('button', { name: 'Issue a token' }));
  const dialog = await screen.findByRole('dialog', { name: 'Issue a token' });
  const issue = () => person.click(within(dialog).getByRole('button', { name: 'Issue a token' }));
  await issue();
  expect(server.calls('/api/sysServiceToken/issue.json')).toEqual([]);
  expect(within(dialog).getByLabelText(/^Name/).getAttribute('aria-invalid')).toBe('true');
  await person.type(within(dialog).getByLabelText(/^Name/), 'Rack of Shenzhen');
  await person.click(within(dialog).getByRole('combobox', { name: /^Site/ }));
  await person.click(await screen.findByRole('option', { name: 'Shenzhen' }));
  await issue();
  await screen.findByText(SECRET);
  const [call] = server.calls('/api/sysServiceToken/issue.json');
  expect(JSON.parse(call?.body ?? '')).toEqual({ name: 'Rack of Shenzhen', siteId: 'SZ', userOid: null, days: 365 });
  await person.click(screen.getByRole('button', { name: 'Copy' }));
  expect(copied).toHaveBeenCalledWith(SECRET);
  await screen.findByText('The secret is copied');
  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByText(SECRET)).toBeNull());
});

it('a secret is changed with a day for the program to follow, unless another time is said', async () => {
  const { server, person } = await open({ '/api/sysServiceToken/rotate.json': { data: { id: 7, secret: SECRET } } });
  await person.click(await screen.findByText('Rack'));
  await person.click(await screen.findByRole('button', { name: 'Change the secret' }));
  const dialog = await screen.findByRole('dialog', { name: /Change the secret · Rack/ });
  await person.click(within(dialog).getByRole('button', { name: 'Change the secret' }));
  await screen.findByText(SECRET);
  expect(JSON.parse(server.calls('/api/sysServiceToken/rotate.json')[0]?.body ?? '')).toEqual({ id: 7, hours: 24 });
});

it('a secret that nobody has copied yet outlives a lost session: it is shown this once', async () => {
  const { person, path } = await open({ '/api/sysServiceToken/rotate.json': { data: { id: 7, secret: SECRET } } });
  await person.click(await screen.findByText('Rack'));
  await person.click(await screen.findByRole('button', { name: 'Change the secret' }));
  const dialog = await screen.findByRole('dialog', { name: /Change the secret · Rack/ });
  await person.click(within(dialog).getByRole('button', { name: 'Change the secret' }));
  await screen.findByText(SECRET);
  act(() => expireSession(currentToken.get()));
  await screen.findByLabelText('Password');
  expect(screen.getByText(SECRET).closest('[style*="display: none"]')).not.toBeNull();
  act(() => openSession('next'));
  await waitFor(() => expect(path()).toBe('/sysServiceTokenList'));
  await waitFor(() => expect(screen.getByText(SECRET).closest('[style*="display: none"]')).toBeNull());
});

it('a refusal is told in the dialog, and what was entered stays', async () => {
  const no = { key: 'accountElsewhere', msg: 'The account FAR is none of those that may be reported here' } as const;
  const { person } = await open({ '/api/sysServiceToken/issue.json': no });
  await person.click(await screen.findByRole('button', { name: 'Issue a token' }));
  const dialog = await screen.findByRole('dialog', { name: 'Issue a token' });
  await person.type(within(dialog).getByLabelText(/^Name/), 'Rack');
  await person.click(within(dialog).getByRole('combobox', { name: /^Site/ }));
  await person.click(await screen.findByRole('option', { name: 'Shenzhen' }));
  await person.click(within(dialog).getByRole('button', { name: 'Issue a token' }));
  await within(dialog).findByText(no.msg);
  expect(within(dialog).getByLabelText(/^Name/)).toHaveProperty('value', 'Rack');
});
