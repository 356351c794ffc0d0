// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import RightsDialog from './RightsDialog.tsx';

const paths = { read: '/api/adminRole/toRightModify.json', save: '/api/adminRole/rightModify.json' };
const leaf = (id: string, name: string) => ({ id, name, children: [] });
const items = [
  {
    id: 'finance',
    name: 'Finance',
    children: [
      {
        id: 'rmaPriceBill:list',
        name: 'Price bills',
        children: [leaf('rmaPriceBill:create', 'New'), leaf('rmaPriceBill:void', 'Void')],
      },
    ],
  },
  { id: 'system', name: 'System', children: [leaf('adminRole:list', 'Roles')] },
];

async function opens(
  saved: unknown = { roleId: 'clerk', count: 2 },
  checked: () => unknown = () => 'system|adminRole:list',
) {
  const onDone = vi.fn();
  const onClose = vi.fn();
  const page = (
    <RightsDialog
      menuNo="adminRoleList"
      module="adminRole"
      button={{ id: 1, btnNo: 'modifyRight', btnName: 'Set rights', btnScript: 'modifyRight' }}
      rows={[{ id: 3, roleId: 'clerk', name: 'Clerk' }]}
      isForAll={false}
      matching={{ total: 0, query: {}, condition: null, sort: {}, columns: [] }}
      onDone={onDone}
      onClose={onClose}
    />
  );
  const answers = {
    [paths.read]: () => {
      const rightIds = checked();
      return typeof rightIds === 'string' ? { roleId: 'clerk', items, rightIds } : rightIds;
    },
    [paths.save]: saved,
  };
  const view = await openPage(page, { lang: 'en', answers });
  const inner = globalThis.fetch;
  const sent: { body: string; type: string | null }[] = [];
  globalThis.fetch = (input, init) => {
    if (String(input).includes('rightModify')) {
      sent.push({ body: String(init?.body), type: new Headers(init?.headers).get('content-type') });
    }
    const body = typeof init?.body === 'string' && !init.body.startsWith('{') ? toJson(init.body) : init?.body;
    return inner(input, { ...init, body });
  };
  await screen.findByRole('treeitem', { name: /Finance/ });
  return { ...view, onDone, onClose, sent };
}
/** The fake server reads JSON. */
const toJson = (form: string) => JSON.stringify(Object.fromEntries(new URLSearchParams(form)));
const box = (name: string) =>
  screen.getByText(name).closest('[role="treeitem"]')?.querySelector('input[type="checkbox"]') as HTMLInputElement;
const state = (name: string) => {
  const it = box(name);
  return it.dataset.indeterminate === 'true' ? 'half' : it.checked;
};

describe('the rights of a role', () => {
  it('open checked as they are, and are asked for by the role [P-RGT-01, P-FRM-12] [S-RGT-01]', async () => {
    const { callsTo } = await opens();
    expect(callsTo(paths.read)[0]?.input).toMatchObject({ roleId: 'clerk', id: '3' });
    expect([state('Finance'), state('System')]).toEqual([false, true]);
    expect(screen.getByText('1 of 4 rights')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true);
  });

  it('check with a button what stands above it, half; and are saved as a form, joined by | [P-RGT-01, P-RGT-02] [S-RGT-02] [S-RGT-04]', async () => {
    const { user, onDone, onClose, sent } = await opens();
    await user.click(screen.getByText('Finance'));
    await user.click(await screen.findByText('Price bills'));
    await user.click(box('New'));
    expect([state('New'), state('Void'), state('Price bills'), state('Finance')]).toEqual([
      true,
      false,
      'half',
      'half',
    ]);
    expect(screen.getByRole('treeitem', { name: /Finance/ }).getAttribute('aria-checked')).toBe('mixed');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(onDone).toHaveBeenCalled();
    expect(sent[0]?.type).toContain('application/x-www-form-urlencoded');
    const form = new URLSearchParams(sent[0]?.body);
    expect(form.get('roleId')).toBe('clerk');
    expect(form.get('rightIds')?.split('|').sort()).toEqual(
      ['adminRole:list', 'finance', 'rmaPriceBill:create', 'rmaPriceBill:list', 'system'].sort(),
    );
  });

  it('of a role that another one has the code of by now are not told as read again', async () => {
    const trees = ['system|adminRole:list', refuses('stale', 'another role')];
    const { user } = await opens(
      () => refuses('stale', 'another role'),
      () => trees.shift(),
    );
    await user.click(box('System'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toContain('another role');
  });

  it('that somebody else set meanwhile are shown as they are now, with one’s own changes, and saved after a look', async () => {
    const trees = ['system|adminRole:list', 'finance|rmaPriceBill:list|rmaPriceBill:void|system|adminRole:list'];
    const answers = [refuses('stale', 'changed'), { roleId: 'clerk', count: 3 }];
    const { user, sent, onClose } = await opens(
      () => answers.shift(),
      () => trees.shift(),
    );
    await user.click(screen.getByText('Finance'));
    await user.click(await screen.findByText('Price bills'));
    await user.click(box('New'));
    await user.click(box('System'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Somebody else set these rights meanwhile');
    expect([state('New'), state('Void'), state('System')]).toEqual([true, true, false]);
    expect(onClose).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    const forms = sent.map((it) => new URLSearchParams(it.body));
    expect(forms.map((it) => it.get('shown'))).toEqual([
      'system|adminRole:list',
      'finance|rmaPriceBill:list|rmaPriceBill:void|system|adminRole:list',
    ]);
    expect(forms[1]?.get('rightIds')?.split('|').sort()).toEqual(
      ['finance', 'rmaPriceBill:create', 'rmaPriceBill:list', 'rmaPriceBill:void'].sort(),
    );
  });

  it('say a refusal in the modal, which stays open', async () => {
    const { user, onClose } = await opens(refuses('lastRightEditor', 'Give that right to another role first'));
    await user.click(box('System'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toContain('another role first');
    expect(onClose).not.toHaveBeenCalled();
  });
});
