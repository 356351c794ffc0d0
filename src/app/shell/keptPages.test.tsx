// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import type { PropsWithChildren } from 'react';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { currentMenu, currentToken, currentUser, expireSession, openSession } from '#app/session.ts';
import { Guard } from '#app/shell/Guard.tsx';
import { KeptPages } from '#app/shell/KeptPages.tsx';
import { LoginPage } from '#app/sign-in/LoginPage.tsx';
import { openings, reach, type View } from '#app/testing/scanFields.tsx';
import { turns } from '#tests/support/turns.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;
const kinds = ['text', 'number', 'search', 'email', 'tel', 'textarea'];
const all = () => [...document.querySelectorAll<Field>('input, textarea')];
/** What one types into; in a choice stands a search, and a code is entered by its Enter. */
const isEntry = (it: Field) =>
  kinds.includes(it.type) && it.getAttribute('role') !== 'combobox' && it.dataset['scan'] !== 'code';
const fields = () => all().filter((it) => isEntry(it) && !it.disabled && !it.readOnly);
const isHidden = (it: Field) => !it.isConnected || it.closest('[style*="display: none"]') !== null;
const entered = () => all().map((it) => it.value);

/** As the shell does, without its bars. */
const Frame = ({ children }: PropsWithChildren) => (
  <Guard login={<LoginPage />}>{(at) => <KeptPages at={at}>{children}</KeptPages>}</Guard>
);

let signsIn = '';
const around = {
  Frame,
  answers: {
    '/api/captcha.json': { off: true },
    '/api/userInfo.json': () => ({ userId: signsIn, userName: 'Li Wei', access: '', orgId: 'ORG', siteId: 'SZ' }),
    '/api/sysMenu/queryTree.json': { items: [] },
  },
};

/** What reads its draft or its list from the disk has read it as well. */
const settle = () => act(() => turns());

/** Opens it and types into each of its fields; gives what stands in them then. */
async function typeIn(name: string): Promise<{ view: View; drawn: Field[]; before: string[] }> {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  cleanup();
  localStorage.clear();
  currentMenu.set([]);
  const [, open] = openings.find(([it]) => it === name) as (typeof openings)[number];
  const view = await open(around);
  await reach[name]?.(view.user);
  await settle();
  fields().forEach((_, i) => {
    const field = fields()[i];
    if (field) fireEvent.change(field, { target: { value: `${i + 1}` } });
  });
  return { view, drawn: fields(), before: entered() };
}

async function lose(): Promise<void> {
  localStorage.setItem('userId', currentUser.get()?.userId ?? '');
  localStorage.setItem('tagNavList', '[]');
  act(() => expireSession(currentToken.get()));
  await screen.findByLabelText(/^(Password|密码)/);
}

async function signIn(userId: string): Promise<void> {
  signsIn = userId;
  act(() => openSession(`next of ${userId}`));
  await waitFor(() => expect(currentUser.get()?.token).toBe(currentToken.get()));
}

describe('what is typed outlives a lost session', () => {
  const withFields = new Set<string>();
  it.each(openings.slice(1).map(([name]) => name))('%s', async (name) => {
    const { view, drawn, before } = await typeIn(name);
    if (drawn.length === 0) return;
    withFields.add(name);
    await lose();
    expect(drawn.map(isHidden)).not.toContain(false);
    await signIn(currentUser.get()?.userId ?? '');
    await waitFor(() => expect(view.where()).toBe('/here'));
    // A station reads its list from the disk.
    await waitFor(() => expect(entered().join('\n')).toBe(before.join('\n')));
    expect(fields().map(isHidden)).not.toContain(true);
  });

  it('is walked', () => {
    expect(withFields.size).toBeGreaterThanOrEqual(44);
  });

  it.each(['rmaArrivalBill:signFor', 'rmaMaintainBillLineItem:buyOut'])(
    'and no other user finds it (%s)',
    async (name) => {
      const { view, drawn } = await typeIn(name);
      await lose();
      await signIn('somebody-else');
      await waitFor(() => expect(drawn.map((it) => it.isConnected)).not.toContain(true));
      expect(view.where()).toBe('/home');
    },
  );
});
