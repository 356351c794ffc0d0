// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderApp, user } from '#app/testing/renderApp.tsx';

const path = '/rest/health';
const administrator = { '/api/userInfo.json': { data: { ...user, access: [...user.access, 'systemHealth:see'] } } };
const scarce = { key: 'diskScarce', args: { percent: 93, free: 812 } };
const open = (answers: object) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  return renderApp('/home', { answers: answers as never });
};
const firstLook = () => vi.advanceTimersByTimeAsync(6_000);

describe('an administrator', () => {
  it('is told on every page what is getting scarce, until it is closed', async () => {
    await open({ ...administrator, [path]: { data: { troubles: [scarce] } } });
    await firstLook();
    const text = await screen.findByText('The disk of the server is 93% full, only 812 MB are left. Make space soon');
    fireEvent.click(screen.getByRole('button', { name: 'Close this warning' }));
    expect(text.isConnected).toBe(false);
    vi.useRealTimers();
  });

  it('is told that the database does not answer where the server can say no more than that', async () => {
    await open({ ...administrator, [path]: { key: 'databaseDown', msg: 'down' } });
    await firstLook();
    expect(await screen.findByText('The database does not answer')).toBeTruthy();
    vi.useRealTimers();
  });

  it.each([
    ['databaseBusy', 'The database is too busy to answer in time'],
    ['diskFull', 'The disk of the server is full: no file can be saved. Make space now'],
  ])('is told by %s what the server misses, not that its database is down', async (key, text) => {
    await open({ ...administrator, [path]: { key, msg: 'no' } });
    await firstLook();
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByText('The database does not answer')).toBeNull();
    vi.useRealTimers();
  });
});

describe('everybody else', () => {
  it('is not told, and nothing is asked for them', async () => {
    const { server } = await open({ [path]: { data: { troubles: [scarce] } } });
    await firstLook();
    await waitFor(() => expect(server.calls('/api/userInfo.json').length).toBeGreaterThan(0));
    expect(server.calls(path)).toEqual([]);
    vi.useRealTimers();
  });
});
