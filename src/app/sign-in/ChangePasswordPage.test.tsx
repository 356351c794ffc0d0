// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { currentToken } from '#app/session.ts';
import { fetchSession } from '#app/sessionCalls.ts';
import { renderApp, user } from '#app/testing/renderApp.tsx';

const CALL = '/api/adminUser/updateByPassword.json';

async function atPage(more: Parameters<typeof renderApp>[1] = {}) {
  const app = await renderApp('/changePassword', { ...more, answers: { [CALL]: { data: {} }, ...more.answers } });
  await screen.findByLabelText('Old password');
  const enter = async (old: string, next: string, again: string) => {
    for (const [label, text] of [
      ['Old password', old],
      ['New password', next],
      ['Confirm new password', again],
    ] as const) {
      await app.person.clear(screen.getByLabelText(label));
      if (text) await app.person.type(screen.getByLabelText(label), text);
    }
    await app.person.click(screen.getByRole('button', { name: 'Confirm' }));
  };
  return { ...app, enter };
}

describe('the change-password page', () => {
  it('shows three fields, cancel and OK, and each field can be read [P-PWD-01] [P-PWD-02]', async () => {
    const { person } = await atPage();
    const fields = ['Old password', 'New password', 'Confirm new password'].map((it) => screen.getByLabelText(it));
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Confirm' })).toBeTruthy();
    const toggles = screen.getAllByRole('button', { name: 'Show password' });
    expect(toggles).toHaveLength(3);
    for (const it of toggles) await person.click(it);
    expect(fields.map((it) => it.getAttribute('type'))).toEqual(['text', 'text', 'text']);
    for (const it of screen.getAllByRole('button', { name: 'Hide password' })) await person.click(it);
    expect(fields.map((it) => it.getAttribute('type'))).toEqual(['password', 'password', 'password']);
  });

  it.each([
    ['', '', '', 'please input old password'],
    ['old', '', '', 'please input new password'],
    ['old', 'a1#', 'a1#', 'the password length cannot be less than 6 bits'],
    ['old', 'abcdef', 'abcdef', 'Your password does not meet the requirements'],
    ['old', 'abcdef1', 'abcdef1', 'Your password does not meet the requirements'],
    ['old', `a1#${'x'.repeat(28)}`, `a1#${'x'.repeat(28)}`, 'Your password does not meet the requirements'],
    ['old', 'abcde1#', 'abcde2#', 'the two passwords did not match'],
  ])(
    'refuses %j, %j, %j and calls nobody [P-PWD-03] [P-PWD-04] [P-PWD-05] [P-PWD-06]',
    async (old, next, again, said) => {
      const { server, enter } = await atPage();
      await enter(old, next, again);
      expect(await screen.findByText(said)).toBeTruthy();
      expect(server.calls(CALL)).toEqual([]);
    },
  );

  it('sends the change, says so, and ends the session [P-PWD-07] [P-PWD-08] [P-PWD-09]', async () => {
    const { server, enter, path } = await atPage();
    await enter('Old#2026', 'abcde1#', 'abcde1#');
    expect(await screen.findByText('Password is changed successfully')).toBeTruthy();
    await waitFor(() => expect(path()).toBe('/login'));
    expect(JSON.parse(server.calls(CALL)[0]?.body ?? '')).toEqual({
      userId: 'li',
      password: 'Old#2026',
      newpassword: 'abcde1#',
    });
    expect(server.calls(CALL)[0]?.method).toBe('POST');
    expect(currentToken.get()).toBe('');
  });

  it('says nothing of a lost session, which no call has any more, before its answer or after it', async () => {
    const over = { key: 'noSession', msg: 'Login is invalid' } as const;
    const { server, enter, path } = await atPage();
    server.answer({
      '/rest/session': over,
      [CALL]: async () => {
        await fetchSession().catch(() => undefined);
        return { data: {} };
      },
    });
    await enter('Old#2026', 'abcde1#', 'abcde1#');
    await waitFor(() => expect(path()).toBe('/login'));
    expect(screen.getByText('Password is changed successfully')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    // There is nothing left to leave.
    expect(server.calls('/rest/session').map((it) => it.method)).toEqual(['GET']);
  });

  it('says that the session is lost where that is why nothing was changed', async () => {
    const { enter, path } = await atPage({ answers: { [CALL]: { key: 'noSession', msg: 'Login is invalid' } } });
    await enter('Old#2026', 'abcde1#', 'abcde1#');
    await waitFor(() => expect(path()).toBe('/login'));
    expect(screen.getByRole('alert').textContent).toContain('Login is invalid');
  });

  it('keeps what was entered when the server refuses', async () => {
    const { enter, path } = await atPage({
      answers: { [CALL]: { key: 'credentials', msg: 'The old password is wrong' } },
    });
    await enter('Old#2026', 'abcde1#', 'abcde1#');
    expect(await screen.findByText('Reason: The old password is wrong')).toBeTruthy();
    expect(path()).toBe('/changePassword');
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('abcde1#');
  });

  it('is left by cancel without a call [P-PWD-10]', async () => {
    const { server, person, path } = await atPage();
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(path()).toBe('/home'));
    expect(server.calls(CALL)).toEqual([]);
  });

  it('is the only page of a user who must choose a password first', async () => {
    const { path } = await renderApp('/home', {
      answers: { '/api/userInfo.json': { data: { ...user, mustChangePassword: true } } },
    });
    await screen.findByText('Please set a password of your own before you start');
    expect(path()).toBe('/changePassword');
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  });
});
