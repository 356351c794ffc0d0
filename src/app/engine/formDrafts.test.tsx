// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openedTabs } from '#app/shell/tabs.ts';
import { expectComplaints, renderApp, user } from '#app/testing/renderApp.tsx';

const items = [
  { name: 'Name', queryName: 'name', type: 'String', required: true },
  { name: 'Secret', queryName: 'secret', type: 'password' },
];
const MODIFY = '/api/adminUser/modifyById.json';
type Opening = Pick<NonNullable<Parameters<typeof renderApp>[1]>, 'answers'>;
const open = (
  address: string,
  { userId = 'li', version = 3, answers }: Opening & { userId?: string; version?: number } = {},
) =>
  renderApp(address, {
    answers: {
      '/api/userInfo.json': { data: { ...user, userId } },
      '/api/adminUser/pager.json': { data: { title: {}, items: [], itemTotal: 0, tableName: 'Users' } },
      '/api/adminUser/searchItems.json': { data: { items: [] } },
      '/api/sysBtn/queryByMenuNo.json': { data: { items: [] } },
      '/api/adminUser/toAdd.json': { data: { items } },
      '/api/adminUser/toModify.json': { data: { items, item: { id: 7, version, name: 'Old' } } },
      '/api/adminUser/create.json': { data: { id: 8 } },
      [MODIFY]: { data: { id: 7, version: 9 } },
      ...answers,
    },
  });
const giving = (given: object) => `/adminUserList/create?given=${encodeURIComponent(JSON.stringify(given))}`;
const name = () => screen.findByLabelText<HTMLInputElement>(/^Name/);
const shown = () => screen.queryByText(/^Draft of/);

it('what was typed survives a reload for its user and record, never a password, until it is discarded', async () => {
  const { person } = await open('/adminUserList/create');
  await person.type(await name(), 'Wang');
  await person.type(screen.getByLabelText('Secret'), 'Pink7#elephant');
  cleanup();

  await open('/adminUserList/modify/7');
  expect((await name()).value).toBe('Old');
  cleanup();
  await open('/adminUserList/create', { userId: 'zhao' });
  expect((await name()).value).toBe('');
  expect(shown()).toBeNull();
  cleanup();

  const again = await open('/adminUserList/create');
  expect((await name()).value).toBe('Wang');
  expect(shown()?.textContent).toMatch(/^Draft of \d\d:\d\d restored/);
  expect(screen.getByLabelText<HTMLInputElement>('Secret').value).toBe('');
  await again.person.click(screen.getByRole('button', { name: 'Discard draft' }));
  expect((await name()).value).toBe('');
  cleanup();

  await open('/adminUserList/create');
  expect((await name()).value).toBe('');
  expect(shown()).toBeNull();
});

it('what was typed over given values stays with these, over them, and in no other form', async () => {
  const { person } = await open(giving({ name: 'Given' }));
  expect((await name()).value).toBe('Given');
  await person.type(await name(), '!');
  cleanup();

  await open('/adminUserList/create');
  expect((await name()).value).toBe('');
  expect(shown()).toBeNull();
  cleanup();

  const other = await open(giving({ name: 'Other' }));
  expect((await name()).value).toBe('Other');
  expect(shown()).toBeNull();

  // The tab of the one is led to the other.
  await other.go(giving({ name: 'Given' }));
  await waitFor(async () => expect((await name()).value).toBe('Given!'));
  expect(openedTabs().map((it) => it.address)).toContain(giving({ name: 'Given' }));
  await other.person.click(screen.getByRole('button', { name: 'Discard draft' }));
  expect((await name()).value).toBe('Given');
  await other.person.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(openedTabs().map((it) => it.address)).toContain('/adminUserList'));
});

it('an address gives plain values of fields that may be entered, and no password', async () => {
  await open(giving({ name: ['Given'], secret: 'Pink7#elephant', site: 'SZ' }));
  expect((await name()).value).toBe('');
  expect(screen.getByLabelText<HTMLInputElement>('Secret').value).toBe('');
  cleanup();
  await open('/adminUserList/create?given={"name"');
  expect((await name()).value).toBe('');
});

it('a draft outlives the session, is compared with a record that changed meanwhile, and ends when it is saved', async () => {
  expectComplaints();
  const first = await open('/adminUserList/modify/7', {
    answers: { [MODIFY]: { key: 'noSession', msg: 'gone', data: null } },
  });
  await first.person.type(await name(), 'er');
  await first.person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(first.path()).toBe('/login'));
  cleanup();

  const second = await open('/adminUserList/modify/7', { version: 5 });
  expect((await name()).value).toBe('Older');
  expect(shown()?.textContent).toContain('saving compares both');
  await second.person.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(JSON.parse(second.server.calls(MODIFY)[0]?.body ?? '')).toMatchObject({ version: 3, name: 'Older' });
  cleanup();

  await open('/adminUserList/modify/7');
  expect((await name()).value).toBe('Old');
  expect(shown()).toBeNull();
});
