// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { act, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { definitionVersion, watchDefinitions } from '#domain/definitionVersion.ts';
import { expectComplaints, renderApp, tree, user } from '#app/testing/renderApp.tsx';
import { fakeStream } from '#app/testing/fakeStream.ts';

const MENU = '/api/sysMenu/queryTree.json';
const answers = {
  '/api/adminUser/searchItems.json': { data: { items: [] } },
  '/api/adminUser/pager.json': { data: { title: { no: 'No.' }, items: [], itemTotal: 0, tableName: 'Users' } },
  '/api/adminUser/toAdd.json': { data: { items: [] } },
  '/api/userInfo.json': { data: { ...user, access: [...user.access, 'errorLog:list'] } },
  '/rest/errors': { data: { items: [], total: 0 } },
};

// Windows wait for a time of their own; this one for none.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

const open = async (at: string, more: Parameters<typeof renderApp>[1] = {}) => {
  const publishes = fakeStream({ last: 1 });
  const page = await renderApp(at, {
    ...more,
    answers: { ...answers, [watchDefinitions.path]: publishes.answer, ...more.answers },
  });
  return { ...page, publishes };
};
const isRead = (readers: () => number, n = 1) => vi.waitFor(() => expect(readers()).toBe(n));
const isSeen = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
};
const isDrawn = () => vi.waitFor(() => expect(screen.queryAllByText('People')).not.toEqual([]));
const renamed = { data: { items: [{ ...tree.en[1], menuName: 'People' }] } };

describe('a publish is followed by one stream', () => {
  it.each(['/home', '/changePassword', '/error_logger_page', '/adminUserList', '/adminUserList/create'])(
    'on every page in the frame: %s',
    async (at) => {
      const { publishes, server, path } = await open(at);
      await isRead(publishes.readers);
      expect(path()).toBe(at);
      server.answer({ [MENU]: renamed });
      act(() => publishes.say({ last: 2 }));
      await isDrawn();
      expect([publishes.readers(), server.calls(definitionVersion.path).length]).toEqual([1, 0]);
    },
  );

  it('that a window leaves to others while it is hidden, and has again when it is seen', async () => {
    const { publishes, server } = await open('/home', {
      answers: { '/api/userInfo.json': { data: { ...user, lastPublish: 1 } } },
    });
    await isRead(publishes.readers);
    isSeen('hidden');
    await isRead(publishes.readers, 0);
    server.answer({ [MENU]: renamed });
    publishes.say({ last: 2 });
    isSeen('visible');
    await isDrawn();
  });

  it('and at a station by the one that it has there, as long as that lives', async () => {
    const scans = fakeStream({ others: [], submitted: false, last: 1 });
    const { publishes, server, go } = await open('/home', {
      answers: {
        '/api/userInfo.json': { data: { ...user, access: ['rmaStoreBillList', 'rmaStoreBill:store'] } },
        [MENU]: {
          data: { items: [{ menuNo: 'rmaStoreBillList', menuName: 'Stored', module: 'rmaStoreBill', children: [] }] },
        },
        '/rest/stations/store/scans': ({ method }) => (method === 'GET' ? scans.answer() : { data: {} }),
      },
    });
    await isRead(publishes.readers);
    await go('/rmaStoreBillList/store');
    await isRead(scans.readers);
    await isRead(publishes.readers, 0);
    const before = server.calls(MENU).length;
    scans.say({ others: [], submitted: false, last: 2 });
    await vi.waitFor(() => expect(server.calls(MENU).length).toBe(before + 1));
    await go('/home');
    await isRead(publishes.readers);
    expect(scans.readers()).toBe(0);
  });
});

describe('nothing is followed', () => {
  it('before somebody has signed in', async () => {
    const { publishes, server } = await open('/login', { token: '' });
    await vi.waitFor(() => expect(server.calls('/api/captcha.json')).toHaveLength(1));
    expect([publishes.readers(), server.calls(watchDefinitions.path).length]).toEqual([0, 0]);
  });

  it('by who must change the password first, and is told nothing else', async () => {
    const { publishes, server } = await open('/home', {
      answers: { '/api/userInfo.json': { data: { ...user, mustChangePassword: true } } },
    });
    await vi.waitFor(() => expect(document.querySelectorAll('input[type=password]').length).toBeGreaterThan(1));
    expect([publishes.readers(), server.calls(watchDefinitions.path).length]).toEqual([0, 0]);
  });
});

it('where a stream can’t be had the number is asked for', async () => {
  expectComplaints();
  const { server } = await open('/home', {
    answers: {
      [watchDefinitions.path]: { status: 502, html: '<h1>Bad gateway</h1>' },
      [definitionVersion.path]: { data: { last: 2 } },
      '/api/userInfo.json': { data: { ...user, lastPublish: 1 } },
    },
  });
  await vi.waitFor(() => expect(server.calls(definitionVersion.path)).toHaveLength(1));
  await vi.waitFor(() => expect(server.calls(MENU)).toHaveLength(2));
});
