// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryRouter } from 'react-router-dom';
import { I18nContextProvider } from 'ra-core';
import { i18nProvider } from '#app/i18nProvider.ts';
import { notices, useNotices } from '#app/notify.ts';
import { sendTo } from '#app/send.ts';
import { refused } from '#app/testing/refused.ts';
import { Notices } from '#app/shell/Notices.tsx';

beforeEach(async () => {
  await i18nProvider.changeLocale('en');
  vi.useFakeTimers();
  notices.closeAll();
  render(<Notices />, { wrapper: ({ children }) => <Words>{children}</Words> });
});
afterEach(() => void vi.useRealTimers());

const Words = ({ children }: { children: React.ReactNode }) => (
  <MemoryRouter>
    <I18nContextProvider value={i18nProvider}>{children}</I18nContextProvider>
  </MemoryRouter>
);
const say = (action: () => unknown) => act(() => void action());
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

describe('a notice', () => {
  it('of success closes itself after 5 seconds [P-NTF-01]', async () => {
    say(() => notices.success('Saved'));
    await pass(4990);
    expect(screen.getByText('Saved')).toBeTruthy();
    await pass(20);
    expect(screen.queryByText('Saved')).toBeNull();
  });

  it('of an error stays until the user closes it [P-NTF-02]', async () => {
    say(() => notices.error('Delete failed', 'Reason: finished'));
    await pass(24 * 60 * 60 * 1000);
    expect(screen.getByText('Reason: finished')).toBeTruthy();
    fireEvent.click(screen.getByLabelText('Close'));
    expect(screen.queryByText('Delete failed')).toBeNull();
  });

  it('of warning closes itself after 5 seconds, or when the call says [P-NTF-03]', async () => {
    say(() => notices.warning('soon'));
    say(() => notices.warning('later', { duration: 30_000 }));
    await pass(5010);
    expect([screen.queryByText('soon'), screen.queryByText('later')?.textContent]).toEqual([null, expect.any(String)]);
    await pass(25_000);
    expect(screen.queryByText('later')).toBeNull();
  });

  it('of what the server says of a success stays 60 seconds; routine answers say nothing [W-COM-12]', async () => {
    const answer = (msg: string) => Response.json({ code: '000000', msg, data: {} });
    const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(answer('Late goods: the bill is open again'));
    const call = { method: 'POST', path: '/api/rmaArrivalBill/accept.json', writes: true } as const;
    await act(() => sendTo(call, { id: 1 }));
    await pass(59_900);
    expect(screen.getByText('Late goods: the bill is open again')).toBeTruthy();
    await pass(200);
    expect(screen.queryByRole('status')).toBeNull();
    fetch.mockResolvedValueOnce(answer(''));
    await act(() => sendTo(call, { id: 1 }));
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('is shown once for the same words', () => {
    say(() => notices.error('Delete failed', 'Reason: finished'));
    say(() => notices.error('Delete failed', 'Reason: finished'));
    say(() => notices.error('Delete failed', 'Reason: another'));
    expect(screen.getAllByRole('alert')).toHaveLength(2);
  });

  it('of a call that the server itself failed in shows the number of its request, to be copied', async () => {
    const written = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: written } });
    const headers = { 'request-id': 'W41LKGR94D' };
    const answers = [refused('unknown', 'Something went wrong', { headers }), refused('format', 'Not so', { headers })];
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answers.shift() ?? Response.json({}));
    render(<Saves />, { wrapper: ({ children }) => <Words>{children}</Words> });
    await act(async () => fireEvent.click(screen.getByText('Try')));
    await act(async () => fireEvent.click(screen.getByText('Try')));
    expect(screen.getAllByText('W41LKGR94D')).toHaveLength(1);
    expect(screen.getByText('Reason: Not so')).toBeTruthy();
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Copy' })));
    expect(written).toHaveBeenCalledWith('W41LKGR94D');
    vi.unstubAllGlobals();
  });
});

function Saves() {
  const { failed } = useNotices();
  const call = { method: 'POST', path: '/api/x.json', writes: false } as const;
  return <button onClick={() => void sendTo(call, {}).catch((error: unknown) => failed('Save', error))}>Try</button>;
}
