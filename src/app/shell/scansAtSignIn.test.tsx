// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { act, createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeText } from '#app/parts/scan/editable.ts';
import { currentToken, expireSession, openSession } from '#app/session.ts';
import { refuseScans } from '#app/parts/scan/signedOut.ts';
import { offerSignedOut } from '#app/shell/scansAtSignIn.ts';
import { expectComplaints, renderApp, user } from '#app/testing/renderApp.tsx';

const SN = 'NB1234567890';
const SENTENCE = 'A scan was not taken: nobody is signed in. Sign in, then scan it again';
const off = { captcha: '', uuid: '', off: true, demoUsers: [], demoPassword: '', ssoLoginUrl: '' };

// As the frame does; else the test would have to wait for it.
offerSignedOut({ refuseScans });

let at = 100_000;
beforeEach(() => void (at += 10_000));

/** Types into what has the focus, as a browser does; gives whether the last key was left to do what it does by itself. */
function types(gap: number, ...keys: string[]): boolean {
  let isLeft = true;
  for (const key of keys) {
    const target = document.activeElement ?? document.body;
    const event = createEvent.keyDown(target, { key });
    Object.defineProperty(event, 'timeStamp', { value: (at += gap) });
    isLeft = fireEvent(target, event);
    const field = document.activeElement;
    if (!isLeft || !(field instanceof HTMLInputElement)) continue;
    if (key.length === 1) act(() => writeText(field, field.value + key));
    else if (key === 'Enter' && field.form) fireEvent.submit(field.form);
  }
  return isLeft;
}
const scans = (gap: number, text = SN) => types(gap, ...text, 'Enter');
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);

async function signIn() {
  const it = await renderApp('/login', { token: '', answers: { '/api/captcha.json': { data: off } } });
  const fills = (userId: string, password: string) => {
    fireEvent.change(field('User name'), { target: { value: userId } });
    fireEvent.change(field('Password'), { target: { value: password } });
  };
  return { ...it, fills, called: () => it.server.calls('/api/login.json') };
}

describe('a scan at the sign-in', () => {
  it.each(['User name', 'Password'].flatMap((name) => [2, 8, 20, 60].map((gap) => [name, gap] as const)))(
    'into "%s" at %i ms a key is refused aloud, and what stands there stays and is not sent',
    async (name, gap) => {
      const { fills, called } = await signIn();
      fills('li', 'Secret#1');
      field(name).focus();
      expect(scans(gap)).toBe(false);
      expect([field('User name').value, field('Password').value]).toEqual(['li', 'Secret#1']);
      expect(called()).toEqual([]);
      expect((await screen.findAllByRole('alert')).map((it) => it.textContent)).toContain(SENTENCE);
      scans(gap, 'NB0987654321');
      expect(screen.getAllByText(SENTENCE)).toHaveLength(1);
    },
  );

  it.each([
    ['where nothing has the focus', 'NB1234567890'],
    ['which is a command', '%SUBMIT'],
    ['in small letters, as under Caps Lock', 'nb1234567890'],
    ['which is longer than any password', '[)>06,https://parts.example/x?p=1234567890'],
    ['which carries more than its SN', '(01)09521234543213(21)rx190001'],
  ])('%s is refused as well', async (_, text) => {
    await signIn();
    if (text === SN) (document.activeElement as HTMLElement).blur();
    else field('User name').focus();
    scans(8, text);
    expect(await screen.findByText(SENTENCE)).toBeTruthy();
    expect(field('User name').value).toBe('');
  });

  it.each([
    ['a password that comes as fast as a scan', 8, 'Reflow#2026'],
    ['a name that a quick hand types', 65, 'technician01'],
    ['a word without a digit', 8, 'secret'],
    ['a number that a hand types', 150, 'NB1234567890'],
  ])('is not %s', async (_, gap, text) => {
    const { fills, called } = await signIn();
    fills('li', '');
    field('Password').focus();
    scans(gap, text);
    await waitFor(() => expect(called()).toHaveLength(1));
    expect(new URLSearchParams(called()[0]?.body).get('password')).toBe(text);
    expect(screen.queryByText(SENTENCE)).toBeNull();
  });

  it('in the middle of which the session is lost leaves nothing of itself, and is refused whole', async () => {
    expectComplaints();
    const station = '/rmaCheckBillList/check';
    const { server, path } = await renderApp(station, {
      answers: {
        '/api/captcha.json': { data: off },
        '/api/userInfo.json': { data: { ...user, access: [...user.access, 'rmaCheckBill:check'] } },
        '/api/ubsIssueCode/loadIssueCodeList.json': { data: { issueCodeList: [] } },
      },
    });
    (await screen.findByLabelText('Scan SN')).focus();
    types(8, ...SN.slice(0, 5));
    act(() => expireSession(currentToken.get()));
    await screen.findByLabelText('User name');
    field('User name').focus();
    types(8, ...SN.slice(5), 'Enter');
    expect(field('User name').value).toBe('');
    expect(screen.getByText(SENTENCE)).toBeTruthy();
    expect(server.calls('/api/login.json')).toEqual([]);
    act(() => openSession('next'));
    await waitFor(() => expect(path()).toBe(station));
    expect((await screen.findByLabelText<HTMLInputElement>('Scan SN')).value).toBe('');
    await waitFor(() => expect(document.activeElement).toBe(field('Scan SN')));
    scans(8);
    await waitFor(() => expect(server.calls('/api/rmaCheckBill/validateSn.json')).toHaveLength(1));
  });
});
