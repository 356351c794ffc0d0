// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { currentToken } from '#app/session.ts';
import { renderApp } from '#app/testing/renderApp.tsx';

const atLogin = (more: Parameters<typeof renderApp>[1] = {}) => renderApp('/login', { token: '', ...more });
const enter = async (
  person: Awaited<ReturnType<typeof atLogin>>['person'],
  name: string,
  password: string,
  captcha: string,
) => {
  await person.type(await screen.findByLabelText('User name'), name);
  await person.type(screen.getByLabelText('Password'), password);
  await person.type(screen.getByLabelText('Captcha'), captcha);
};

describe('the login page', () => {
  it('shows name, password, captcha with picture and refresh, and a button for each kind of user [P-LOG-02]', async () => {
    await atLogin({
      answers: {
        '/api/captcha.json': {
          data: { captcha: 'data:image/svg+xml,<svg/>', uuid: 'first', ssoLoginUrl: 'https://sso.example/login' },
        },
      },
    });
    expect(await screen.findByLabelText('User name')).toBeTruthy();
    expect(screen.getByLabelText('Password').getAttribute('type')).toBe('password');
    expect(screen.getByLabelText('Captcha')).toBeTruthy();
    expect((await screen.findByAltText('Captcha picture')).getAttribute('src')).toBe('data:image/svg+xml,<svg/>');
    expect(screen.getByRole('button', { name: 'Get another picture' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Log in as external user' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Log in as internal user' })).toBeTruthy();
  });

  it('offers no internal login where there is no single sign-on', async () => {
    await atLogin();
    await screen.findByAltText('Captcha picture');
    expect(screen.queryByText('Log in as internal user')).toBeNull();
    expect(screen.getByRole('button', { name: 'Log in' })).toBeTruthy();
  });

  it('asks for another picture without a token and sends the newest uuid [P-LOG-03]', async () => {
    const { server, person } = await atLogin();
    await screen.findByAltText('Captcha picture');
    server.answer({ '/api/captcha.json': { data: { captcha: 'data:image/svg+xml,<svg id="2"/>', uuid: 'second' } } });
    await person.click(screen.getByRole('button', { name: 'Get another picture' }));
    await waitFor(() => expect(screen.getByAltText('Captcha picture').getAttribute('src')).toContain('id="2"'));
    await enter(person, 'li', 'secret', 'ab12');
    await person.click(screen.getByRole('button', { name: 'Log in' }));
    await waitFor(() => expect(server.calls('/api/login.json')).toHaveLength(1));
    expect(server.calls('/api/login.json')[0]?.body).toContain('uuid=second');
    expect(server.calls('/api/captcha.json').map((it) => [it.method, it.body, it.headers.has('token')])).toEqual([
      ['GET', '', false],
      ['GET', '', false],
    ]);
  });

  it('waits for what the server asks for where somebody is quicker: no captcha that is off is missing', async () => {
    let say: () => void = () => undefined;
    const said = new Promise<void>((resolve) => (say = resolve));
    const off = { captcha: '', uuid: '', off: true, demoUsers: [], demoPassword: '', ssoLoginUrl: '' };
    const answer = async () => {
      await said;
      return { data: off };
    };
    const { server, person } = await atLogin({ answers: { '/api/captcha.json': answer } });
    await person.type(await screen.findByLabelText('User name'), 'li');
    await person.type(screen.getByLabelText('Password'), 'secret{Enter}');
    expect(server.calls('/api/login.json')).toEqual([]);
    say();
    await waitFor(() => expect(server.calls('/api/login.json')).toHaveLength(1));
  });

  it('checks each field when it loses the focus [P-LOG-04]', async () => {
    const { person } = await atLogin();
    await person.click(await screen.findByLabelText('User name'));
    await person.tab();
    expect(await screen.findByText('account cannot be empty')).toBeTruthy();
    expect(screen.queryByText('password cannot be empty')).toBeNull();
    await person.click(screen.getByLabelText('Captcha'));
    expect(await screen.findByText('password cannot be empty')).toBeTruthy();
  });

  it('says of no field that it is empty once something is typed into it', async () => {
    const { person } = await atLogin();
    for (const [label, words] of [
      ['User name', 'account cannot be empty'],
      ['Password', 'password cannot be empty'],
      ['Captcha', 'captcha cannot be empty'],
    ] as const) {
      await person.click(await screen.findByLabelText(label));
      await person.tab();
      await screen.findByText(words);
      await person.type(screen.getByLabelText(label), 'a');
      await waitFor(() => expect(screen.queryByText(words)).toBeNull());
    }
  });

  it('checks all fields when the button is pressed and calls nobody while one is empty [P-LOG-05] [P-LOG-06]', async () => {
    const { server, person } = await atLogin();
    await screen.findByAltText('Captcha picture');
    await person.click(screen.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByText('account cannot be empty')).toBeTruthy();
    expect(screen.getByText('password cannot be empty')).toBeTruthy();
    expect(screen.getByText('captcha cannot be empty')).toBeTruthy();
    await person.type(screen.getByLabelText('User name'), '   ');
    await person.type(screen.getByLabelText('Password'), 'secret');
    await person.type(screen.getByLabelText('Captcha'), 'ab12');
    await person.click(screen.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByText('account cannot be empty')).toBeTruthy();
    expect(server.calls('/api/login.json')).toEqual([]);
  });

  it('says it in Chinese as well', async () => {
    const { person } = await atLogin({ language: 'zh' });
    await person.click(await screen.findByRole('button', { name: '登录' }));
    expect(await screen.findByText('账号不能为空')).toBeTruthy();
    expect(screen.getByText('密码不能为空')).toBeTruthy();
    expect(screen.getByText('验证码不能为空')).toBeTruthy();
  });

  it('sends a form with name (trimmed), password and captcha as entered, and lands at home [P-LOG-07] [P-LOG-08] [P-LOG-09]', async () => {
    const { server, person, path } = await atLogin();
    await screen.findByAltText('Captcha picture');
    await enter(person, '  li ', ' S3cret! ', 'aB12');
    await person.click(screen.getByRole('button', { name: 'Log in' }));
    await waitFor(() => expect(path()).toBe('/home'));
    const [login] = server.calls('/api/login.json');
    expect(login?.method).toBe('POST');
    expect(login?.headers.get('content-type')).toBe('application/x-www-form-urlencoded');
    expect(login?.headers.has('token')).toBe(false);
    expect(Object.fromEntries(new URLSearchParams(login?.body))).toEqual({
      userId: 'li',
      password: ' S3cret! ',
      captcha: 'aB12',
      uuid: 'first',
    });
    expect(currentToken.get()).toBe('fresh-token');
    expect(document.cookie).toContain('token=fresh-token');
    expect(await screen.findByText('Hello, Li Wei')).toBeTruthy();
  });

  it('shows the words of a refusal under the form, stays, and asks for a new picture [P-LOG-10]', async () => {
    const { server, person, path } = await atLogin({
      answers: { '/api/login.json': { key: 'credentials', msg: 'User name or password is wrong' } },
    });
    await screen.findByAltText('Captcha picture');
    await enter(person, 'li', 'wrong', 'ab12');
    await person.click(screen.getByRole('button', { name: 'Log in' }));
    expect((await screen.findByRole('alert')).textContent).toBe('User name or password is wrong');
    expect(path()).toBe('/login');
    expect(currentToken.get()).toBe('');
    await waitFor(() => expect(server.calls('/api/captcha.json')).toHaveLength(2));
    expect(screen.getByLabelText<HTMLInputElement>('Captcha').value).toBe('');
    expect(screen.getByLabelText<HTMLInputElement>('User name').value).toBe('li');
  });

  it('takes the next Enter as soon as it has refused, also while the next picture is still on its way', async () => {
    const off = { captcha: '', uuid: '', off: true, demoUsers: [], demoPassword: '', ssoLoginUrl: '' };
    let asked = 0;
    const { server, person, path } = await atLogin({
      answers: {
        '/api/captcha.json': () => (asked++ === 0 ? { data: off } : new Promise(() => undefined)),
        '/api/login.json': { key: 'credentials', msg: 'User name or password is wrong' },
      },
    });
    await person.type(await screen.findByLabelText('User name'), 'li');
    await person.type(screen.getByLabelText('Password'), 'wrong{Enter}');
    await screen.findByRole('alert');
    await waitFor(() => expect(asked).toBe(2));
    server.answer({ '/api/login.json': { data: { token: 'fresh-token' } } });
    await person.type(screen.getByLabelText('Password'), '2{Enter}');
    await waitFor(() => expect(path()).toBe('/home'));
  });

  it('needs no captcha where the server asks for none, and fills in a demo user on a click', async () => {
    const { server, person, path } = await atLogin({
      answers: {
        '/api/captcha.json': {
          data: {
            captcha: '',
            uuid: '',
            off: true,
            demo: true,
            demoUsers: [{ userId: 'tech', userName: '李伟' }],
            demoPassword: 'Reflow#2026',
          },
        },
      },
    });
    await person.click(await screen.findByRole('button', { name: 'tech' }));
    await waitFor(() => expect(path()).toBe('/home'));
    expect(server.calls('/api/login.json')[0]?.body).toContain('userId=tech&password=Reflow%232026');
  });
});
