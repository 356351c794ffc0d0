// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { I18nContextProvider } from 'ra-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { i18nProvider } from '#app/i18nProvider.ts';
import { ErrorPage } from '#app/shell/ErrorPage.tsx';

beforeEach(async () => {
  await i18nProvider.changeLocale('en');
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

function open(entries: string[]) {
  const router = createMemoryRouter(
    [
      { path: '/404', element: <ErrorPage code="404" /> },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: entries.slice(0, 1) },
  );
  render(
    <I18nContextProvider value={i18nProvider}>
      <RouterProvider router={router} />
    </I18nContextProvider>,
  );
  return router;
}
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

describe('an error page', () => {
  it('counts five seconds and goes back one page [P-EPG-02]', async () => {
    const router = open(['/rmaCheckBillList']);
    await act(() => router.navigate('/404'));
    expect(screen.getByText('Going back one page in 5 s')).toBeTruthy();
    await pass(1);
    expect(screen.getByText('Going back one page in 4 s')).toBeTruthy();
    await pass(3.5);
    expect(router.state.location.pathname).toBe('/404');
    await pass(1);
    expect(router.state.location.pathname).toBe('/rmaCheckBillList');
  });

  it('leads home when there is no page to go back to, and counts no longer once it is left', async () => {
    const router = open(['/404']);
    await pass(6);
    expect(router.state.location.pathname).toBe('/home');
    await act(() => router.navigate('/404'));
    await pass(2);
    await act(() => router.navigate('/rmaCheckBillList'));
    await pass(10);
    expect(router.state.location.pathname).toBe('/rmaCheckBillList');
  });
});
